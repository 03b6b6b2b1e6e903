/* motion/motion_unique.c - see motion_unique.h. */
#include "motion_unique.h"

#include "motion_switches.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct nearby {
    motion_state *s;
    size_t dimension;
    double *y, *next, *k[4], *alone; /* alone: the end of the motion from the start itself */
} nearby;

/* ---- Whether there is a root ----------------------------------------------------------------- */

/* Below `most` a power of what vanishes has no bounded slope. */
static bool has_root(point *p, ah_expr e, double most)
{
    ah_ctx *ctx = p->ctx;
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, &e, 1);
    for (size_t i = 0; i < nodes.count; i++) {
        if (expr_get_op(ctx, nodes.at[i]) != EXPR_POWER) continue;
        const ah_expr *of = expr_get_children(ctx, nodes.at[i]);
        if (expr_get_op(ctx, of[1]) != EXPR_NUMBER) continue;
        const double exponent = expr_number_double(ctx, of[1]);
        if (exponent > 0 && exponent < most && exponent != 1 && point_eval(p, of[0]) == 0)
            return true;
    }
    return false;
}

/* At the state in the point. */
static bool has_roots(point *p)
{
    const ah_model *m = p->model;
    const arena_mark mark = arena_get_mark(&p->ctx->scratch);
    bool any = has_root(p, m->T, 2) || has_root(p, m->V, 2);
    for (uint32_t i = 0; i < m->n && !any; i++) any = has_root(p, m->F[i], 1);
    for (size_t i = 0; i < m->psi.count && !any; i++) any = has_root(p, m->psi.at[i], 1);
    for (size_t i = 0; i < m->constraints.count && !any; i++)
        any = has_root(p, m->constraints.at[i].c, 2);
    arena_release(&p->ctx->scratch, mark);
    return any;
}

/* ---- Motions beside -------------------------------------------------------------------------- */

/* With the sides on which what switches is there. */
static bool rates(nearby *w, double t, const double *y, double *dy)
{
    motion_state *s = w->s;
    motion_state_put(s, MOTION_AT_STATE, t, y);
    motion_switches_put(s->p);
    if (s->p->model->switches.count) motion_code_take(&s->code, s->p);
    return motion_state_rhs(s, t, y, dy);
}

/* One step of Bogacki and Shampine's method from w->y into w->next; returns its error as a part of the way from y0, of the variable of which
 * it is most. */
static double try_step(nearby *w, double t, const double *y0, double d)
{
    static const double ahead[] = {0, 0.5, 0.75, 1}, b[] = {2. / 9, 1. / 3, 4. / 9, 0},
                        e[] = {7. / 24, 1. / 4, 1. / 3, 1. / 8};
    double most = 0;
    for (int k = 0; k < 4; k++) {
        for (size_t j = 0; j < w->dimension; j++)
            w->next[j] =
                w->y[j] + (k == 3 ? d * (b[0] * w->k[0][j] + b[1] * w->k[1][j] + b[2] * w->k[2][j])
                           : k    ? d * ahead[k] * w->k[k - 1][j]
                                  : 0);
        if (!rates(w, t + d * ahead[k], w->next, w->k[k])) return INFINITY;
    }
    for (size_t j = 0; j < w->dimension; j++) {
        double off = 0;
        for (int k = 0; k < 4; k++) off += d * (b[k] - e[k]) * w->k[k][j];
        const double way = fmax(fabs(w->next[j] - y0[j]), DBL_EPSILON * fabs(y0[j]));
        if (off != 0) most = fmax(most, fabs(off) / way);
    }
    return most;
}

/* w->y after h. false: not within so many steps, as of what swings about the start more quickly the nearer it begins. */
static bool go(nearby *w, double t, const double *y0, double h)
{
    double made = 0, d = UNIQUE_FIRST * h;
    for (int i = 0; i < UNIQUE_STEPS; i++) {
        if (fabs(made + d) > fabs(h)) d = h - made;
        const double error = try_step(w, t + made, y0, d) / UNIQUE_ERROR;
        if (error <= 1) {
            double *swap = w->y;
            made += d;
            w->y = w->next;
            w->next = swap;
            if (fabs(h - made) <= UNIQUE_FIRST * fabs(h)) return true;
        }
        d *= fmax(0.2, fmin(5, 0.8 / cbrt(error)));
    }
    return false;
}

/* How far beside it ends after h if its i-th variable begins by so much beside; NAN: it cannot be told. */
static double apart(nearby *w, double t, const double *y, double h, size_t i, double beside)
{
    double most = 0;
    memcpy(w->y, y, w->dimension * sizeof *y);
    w->y[i] += beside;
    if (!go(w, t, y, h)) return NAN;
    for (size_t j = 0; j < w->dimension; j++) {
        const double off = fabs(w->y[j] - w->alone[j]);
        if (off > UNIQUE_OFF * fabs(w->alone[j] - y[j])) most = fmax(most, off);
    }
    return most;
}

static bool is_alone(nearby *w, double t, const double *y, double h)
{
    static const double zero[] = UNIQUE_ZERO, part[] = UNIQUE_PART;
    memcpy(w->y, y, w->dimension * sizeof *y);
    if (!go(w, t, y, h)) return true;
    memcpy(w->alone, w->y, w->dimension * sizeof *y);
    for (size_t i = 0; i < w->dimension; i++)
        for (int side = -1; side <= 1; side += 2) {
            double way[2], beside[2];
            for (int k = 0; k < 2; k++) {
                beside[k] = side * (y[i] == 0 ? zero[k] : part[k] * fabs(y[i]));
                way[k] = apart(w, t, y, h, i, beside[k]);
            }
            if (isfinite(way[0]) && way[1] > UNIQUE_ALIKE * way[0] &&
                way[1] > UNIQUE_GROWN * fabs(beside[1]))
                return false;
        }
    return true;
}

bool motion_unique_start(motion_state *s, double t, const double *y)
{
    const size_t dimension = s->code.n + s->code.m;
    arena *a = &s->p->ctx->scratch;
    if (!has_roots(s->p)) return true;
    const arena_mark mark = arena_get_mark(a);
    const uint64_t evaluations = s->evaluations, gave_up = s->gave_up;
    const double h = UNIQUE_TIME * (s->options->t1 - s->options->t0);
    double *room = NEW_ARRAY(a, double, 7 * dimension);
    nearby w = {.s = s, .dimension = dimension, .y = room, .next = room + dimension};
    w.alone = room + 2 * dimension;
    for (int k = 0; k < 4; k++) w.k[k] = room + (3 + (size_t) k) * dimension;
    const bool alone = is_alone(&w, t, y, h) || is_alone(&w, t, y, UNIQUE_SHORTER * h);
    rates(&w, t, y, w.k[0]);
    motion_state_put(s, MOTION_AT_SPEEDS, t, y);
    s->evaluations = evaluations;
    s->gave_up = gave_up;
    arena_release(a, mark);
    return alone;
}
