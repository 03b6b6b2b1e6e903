/* state/independent.c - see independent.h. */
#include "independent.h"

#include "slips.h"
#include "states.h"

#include "../numeric/numeric.h"

#include <math.h>

/* Larger systems keep their velocities: there are too many choices. */
#define LARGEST 14
/* States at which the determinants are compared before one is proved to be a number; relative. */
#define DRAWS 4
#define SAME  1e-9
/* Proofs that are tried. */
#define PROOFS 3

typedef struct choosing {
    point *p;
    mat C, C_v;
    uint32_t n, r;
    double at[DRAWS][LARGEST * LARGEST]; /* C_v */
    uint32_t dependent[LARGEST];
    int proofs;
} choosing;

/* C_v at states around the present one; they need not be admissible, for det B is to be a number at all of them. */
static bool draw(choosing *w)
{
    point *p = w->p;
    double kept[LARGEST];
    states_rng rng = probe_seed(1);
    bool good = true;
    for (uint32_t i = 0; i < w->n; i++) kept[i] = point_get(p, p->model->q.at[i]);
    const double t = point_get(p, p->mech->t);
    const ah_expr *dense = mat_to_dense(p->ctx, p->arena, w->C_v);
    for (int k = 0; k < DRAWS; k++) {
        for (uint32_t i = 0; i < w->n; i++)
            point_set(p, p->model->q.at[i], kept[i] + probe_uniform(&rng, -0.5, 0.5));
        point_set(p, p->mech->t, t + probe_uniform(&rng, 0, 1));
        for (uint32_t i = 0; i < w->r * w->n; i++) {
            w->at[k][i] = point_eval(p, dense[i]);
            good = good && isfinite(w->at[k][i]);
        }
    }
    for (uint32_t i = 0; i < w->n; i++) point_set(p, p->model->q.at[i], kept[i]);
    point_set(p, p->mech->t, t);
    return good;
}

static double determinant(const choosing *w, int k)
{
    double B[LARGEST * LARGEST];
    for (uint32_t i = 0; i < w->r; i++)
        for (uint32_t j = 0; j < w->r; j++) B[i * w->r + j] = w->at[k][i * w->n + w->dependent[j]];
    return linear_determinant(w->r, B);
}

/* det B at all states that were drawn, then as a formula. */
static bool is_number(choosing *w)
{
    const double first = determinant(w, 0);
    static const ah_symbol_kind state[] = {AH_COORDINATE, AH_TIME, AH_VELOCITY};
    ah_ctx *ctx = w->p->ctx;
    ah_expr det;
    if (fabs(first) < SAME) return false;
    for (int k = 1; k < DRAWS; k++)
        if (!(fabs(determinant(w, k) - first) <= SAME * fabs(first))) return false;
    if (w->proofs++ == PROOFS) return false;
    const mat B = mat_cols(ctx, w->p->arena, w->C_v, w->dependent, w->r);
    if (!algebra_det(w->p->mech->alg, B, &det)) return false;
    det = algebra_simplify(w->p->mech->alg, det);
    for (size_t i = 0; i < sizeof state / sizeof *state; i++)
        if (expr_depends_kind(ctx, det, state[i])) return false;
    return true;
}

/* The first r of the n velocities, in the order of the model, whose B will do; `count` are chosen. */
static bool choose(choosing *w, uint32_t count, uint32_t from)
{
    if (count == w->r) return is_number(w);
    for (uint32_t i = from; i + (w->r - count) <= w->n && w->proofs < PROOFS; i++) {
        w->dependent[count] = i;
        if (choose(w, count + 1, i + 1)) return true;
    }
    return false;
}

static bool is_dependent(const choosing *w, uint32_t i)
{
    for (uint32_t k = 0; k < w->r; k++)
        if (w->dependent[k] == i) return true;
    return false;
}

/* v₂ with v₁ as it stands; A and c stay as they were written. */
static bool solve(const choosing *w, ah_expr *psi)
{
    point *p = w->p;
    ah_ctx *ctx = p->ctx;
    arena *a = p->arena;
    mat inverse;
    bool singular;
    ah_expr at[LARGEST];
    const mat B = mat_cols(ctx, a, w->C_v, w->dependent, w->r);
    if (!algebra_inverse(p->mech->alg, B, &inverse, &singular)) return false;
    for (uint32_t i = 0; i < w->n; i++)
        at[i] = psi[i] = is_dependent(w, i) ? expr_int(ctx, 0) : p->model->v.at[i];
    const mat rest = mat_subst(ctx, a, w->C, w->n, p->model->v.at, at);
    const mat v = mat_neg(ctx, a, mat_mul(ctx, a, inverse, rest));
    for (uint32_t k = 0; k < w->r; k++) psi[w->dependent[k]] = mat_get(ctx, v, k, 0);
    return true;
}

bool independent_jump(const point *p, const ah_expr *velocity, size_t count)
{
    ah_ctx *ctx = p->ctx;
    const expr_list nodes = expr_reachable(ctx, p->arena, velocity, count);
    for (size_t i = 0; i < nodes.count; i++)
        if (expr_get_op(ctx, nodes.at[i]) == EXPR_CALL &&
            (expr_get_function(ctx, nodes.at[i]) == AH_SIGN ||
             expr_get_function(ctx, nodes.at[i]) == AH_ABS))
            return true;
    return false;
}

bool independent_frame(point *p, attitude_frame *out)
{
    ah_ctx *ctx = p->ctx;
    arena *a = p->arena;
    const mechanics *k = p->mech;
    const ah_model *m = p->model;
    const uint32_t free = k->n - k->r;
    if (!k->r || !free || k->n > LARGEST || k->rank != k->r || !k->linear || k->second_class)
        return false;
    if (m->speeds.count || m->switches.count ||
        independent_jump(p, mat_to_dense(ctx, a, k->C), k->r))
        return false;
    choosing *w = NEW(a, choosing);
    *w = (choosing){.p = p, .C = slips_rows(p), .n = k->n, .r = k->r};
    w->C_v = mat_jacobian(ctx, a, w->C, k->n, m->v.at);
    ah_expr *psi = NEW_ARRAY(a, ah_expr, k->n), *symbol = NEW_ARRAY(a, ah_expr, free);
    uint32_t *row = NEW_ARRAY(a, uint32_t, free), count = 0;
    if (!draw(w) || !choose(w, 0, 0) || !solve(w, psi)) return false;
    for (uint32_t i = 0; i < k->n; i++)
        if (!is_dependent(w, i)) row[count] = count, symbol[count++] = m->v.at[i];
    const mat f = mat_from_dense(ctx, a, free, 1, symbol);
    *out = (attitude_frame){.count = free,
                            .symbol = symbol,
                            .row = row,
                            .psi = psi,
                            .f = f,
                            .f_v = mat_jacobian(ctx, a, f, k->n, m->v.at)};
    return true;
}
