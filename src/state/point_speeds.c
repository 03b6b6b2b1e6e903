/* state/point_speeds.c - velocity parameters and quasi-velocities of a state. */
#include "point.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

struct speed_finder {
    point *p;
    uint32_t n, m;
    expr_plan *psi, *Psi, *drift;
    double *v, *A, *S, *rhs, *d, *kept; /* work space */
};

speed_finder *speed_finder_create(point *p)
{
    const uint32_t n = p->model->n, m = (uint32_t) p->model->speeds.count;
    const chart *c = &p->mech->chart;
    if (!m) return NULL;
    speed_finder *f = NEW(p->arena, speed_finder);
    *f = (speed_finder){.p = p, .n = n, .m = m};
    f->psi = expr_plan_create(p->ctx, p->arena, p->model->psi.at, n);
    f->Psi =
        expr_plan_create(p->ctx, p->arena, mat_to_dense(p->ctx, p->arena, c->Psi), (size_t) n * m);
    f->drift = expr_plan_create(p->ctx, p->arena, mat_to_dense(p->ctx, p->arena, c->drift), n);
    f->v = NEW_ARRAY(p->arena, double, n);
    f->A = NEW_ARRAY(p->arena, double, (size_t) n *m);
    f->S = NEW_ARRAY(p->arena, double, (size_t) m *m);
    f->rhs = NEW_ARRAY(p->arena, double, m);
    f->d = NEW_ARRAY(p->arena, double, m);
    f->kept = NEW_ARRAY(p->arena, double, m);
    return f;
}

/* d of least squares with Ψ d = v. */
static bool solve(speed_finder *f)
{
    const uint32_t n = f->n, m = f->m;
    expr_plan_run(f->Psi, f->p->values, f->A);
    for (uint32_t i = 0; i < m; i++) {
        f->rhs[i] = 0;
        for (uint32_t l = 0; l < n; l++) f->rhs[i] += f->A[(size_t) l * m + i] * f->v[l];
        for (uint32_t j = 0; j < m; j++) {
            double sum = 0;
            for (uint32_t l = 0; l < n; l++)
                sum += f->A[(size_t) l * m + i] * f->A[(size_t) l * m + j];
            f->S[(size_t) i * m + j] = sum;
        }
    }
    arena *scratch = &f->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    const bool good = linear_solve(scratch, m, 1, f->S, f->rhs, f->d) > 0;
    arena_release(scratch, mark);
    return good;
}

/* v = wanted − ψ; the largest of it relative to what is wanted. */
static double misfit(speed_finder *f)
{
    double error = 0, size = 0;
    expr_plan_run(f->psi, f->p->values, f->v);
    for (uint32_t i = 0; i < f->n; i++) {
        const double want = point_get(f->p, f->p->model->v.at[i]);
        f->v[i] = want - f->v[i];
        if (!(fabs(f->v[i]) <= error)) error = fabs(f->v[i]);
        size = fmax(size, fabs(want));
    }
    return error / (size > 0 ? size : 1);
}

/* Gauss-Newton for ψ(q, z, t) = v from the present z. */
static double fit(speed_finder *f)
{
    point *p = f->p;
    double best = INFINITY;
    for (int iteration = 0; iteration < 60; iteration++) {
        const double error = misfit(f);
        if (!isfinite(error)) break;
        if (error < best) {
            best = error;
            for (uint32_t i = 0; i < f->m; i++)
                f->kept[i] = point_get(p, p->model->speeds.at[i].symbol);
        } else if (iteration > 30 || best <= POINT_PROJECTED) {
            break;
        }
        if (best == 0 || !solve(f)) break;
        for (uint32_t i = 0; i < f->m; i++) {
            const ah_expr z = p->model->speeds.at[i].symbol;
            point_set(p, z, point_get(p, z) + f->d[i]);
        }
    }
    for (uint32_t i = 0; isfinite(best) && i < f->m; i++)
        point_set(p, p->model->speeds.at[i].symbol, f->kept[i]);
    return best;
}

bool speed_finder_follow(speed_finder *f)
{
    return fit(f) <= POINT_ADMISSIBLE;
}

void speed_finder_rates(speed_finder *f)
{
    point *p = f->p;
    expr_plan_run(f->drift, p->values, f->v);
    for (uint32_t i = 0; i < f->n; i++) f->v[i] = point_get(p, p->model->a.at[i]) - f->v[i];
    const bool good = solve(f);
    for (uint32_t i = 0; i < f->m; i++)
        point_set(p, mat_get(p->ctx, p->mech->chart.zdot, i, 0), good ? f->d[i] : NAN);
}

/* Deterministic starting points for z: 0, then a low-discrepancy spread of growing size. */
static double start_value(int attempt, uint32_t i)
{
    if (attempt == 0) return 0;
    const double golden = fmod((attempt * (i + 1)) * 0.6180339887498949 + 0.37 * i, 1.0);
    return (2 * golden - 1) * (1 + 0.2 * attempt);
}

static bool find_z(point *p)
{
    speed_finder *f = speed_finder_create(p);
    for (int attempt = -1; attempt < 40; attempt++) {
        for (uint32_t i = 0; i < f->m; i++) {
            const ah_expr z = p->model->speeds.at[i].symbol;
            if (attempt >= 0 && !point_is_given(p, z))
                point_set(p, z, start_value(attempt, i));
            else if (isnan(point_get(p, z)))
                point_set(p, z, 0.1 + 0.3 * i);
        }
        if (speed_finder_follow(f)) return true;
    }
    for (uint32_t i = 0; i < f->m; i++) point_set(p, p->model->speeds.at[i].symbol, NAN);
    return false;
}

bool point_speeds_given(const point *p)
{
    for (size_t i = 0; i < p->model->speeds.count; i++)
        if (!point_is_given(p, p->model->speeds.at[i].symbol)) return false;
    return p->model->speeds.count > 0;
}

bool point_find_speeds(point *p)
{
    const bool found = p->model->speeds.count == 0 || point_speeds_given(p) || find_z(p);
    for (size_t i = 0; i < p->model->quasivelocities.count; i++) {
        const model_speed *w = &p->model->quasivelocities.at[i];
        point_set(p, w->symbol, point_eval(p, w->definition));
    }
    return found;
}
