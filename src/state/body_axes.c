/* state/body_axes.c - see body_axes.h. */
#include "body_axes.h"

#include "independent.h"
#include "slips.h"

#include <math.h>

/* Bodies that are turned, and how near to the poles of the angles a motion may begin. */
#define MOST_TURNS 3
#define LEAST_SINE 1e-4

typedef struct turned {
    ah_vector omega;
    uint32_t angle[3];
    mat by_angles, inverse; /* of ∂Ω/∂v, by the angles' velocities */
    ah_expr det;
} turned;

typedef struct turning {
    point *p;
    algebra *alg;
    turned body[MOST_TURNS];
    uint32_t count;
    attitude_draft draft;
} turning;

static bool moves(const turning *w, uint32_t i)
{
    for (uint32_t b = 0; b < w->count; b++)
        for (int k = 0; k < 3; k++)
            if (w->body[b].angle[k] == i) return true;
    return false;
}

/* The three velocities on which Ω depends, of no other body that was taken. */
static bool find_angles(const turning *w, turned *b)
{
    const ah_model *m = w->p->model;
    const expr_list used = expr_symbols(m->ctx, w->p->arena, b->omega.c, 3);
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < used.count; k++) {
            if (used.at[k] != m->v.at[i]) continue;
            if (count == 3 || moves(w, i)) return false;
            b->angle[count++] = i;
        }
    return count == 3;
}

static bool depends_on_state(ah_ctx *ctx, ah_expr e)
{
    return expr_depends_kind(ctx, e, AH_COORDINATE) || expr_depends_kind(ctx, e, AH_VELOCITY) ||
           expr_depends_kind(ctx, e, AH_TIME);
}

/* Whether M of the angles is K ∂Ω/∂v with K without a pole. */
static bool carries_inertia(const turning *w, const turned *b)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const mat M = mat_cols(ctx, a, mechanics_mass(w->p->mech), b->angle, 3);
    const mat K = algebra_mul(w->alg, M, b->inverse);
    for (uint32_t i = 0; i < mat_entries(K); i++) {
        ah_expr numerator, denominator;
        if (!algebra_fraction(w->alg, K.val[i], &numerator, &denominator)) return false;
        if (depends_on_state(ctx, denominator)) return false;
    }
    return true;
}

static bool can_be_inverted(const turning *w, turned *b)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    bool singular;
    ah_expr angle[3];
    for (int k = 0; k < 3; k++) angle[k] = w->p->model->v.at[b->angle[k]];
    b->by_angles = mat_jacobian(ctx, a, mat_from_dense(ctx, a, 3, 1, b->omega.c), 3, angle);
    return algebra_det(w->alg, b->by_angles, &b->det) &&
           algebra_inverse(w->alg, b->by_angles, &b->inverse, &singular) &&
           fabs(point_eval(w->p, b->det)) > LEAST_SINE;
}

/* Bodies that stand on each other have angles in common: the first is taken. */
static void collect(turning *w)
{
    const ah_model *m = w->p->model;
    for (size_t i = 0; i < m->parts.count && w->count < MOST_TURNS; i++) {
        turned b = {.omega = attitudes_axes(m->ctx, &m->parts.at[i])};
        if (!m->parts.at[i].is_body || !find_angles(w, &b)) continue;
        if (can_be_inverted(w, &b) && carries_inertia(w, &b)) w->body[w->count++] = b;
    }
}

/* The velocities that are no angles', s themselves or as many as constraints. */
static uint32_t others(const turning *w, uint32_t *index)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->p->model->n; i++)
        if (!moves(w, i)) index[count++] = i;
    return count;
}

/* false: these are neither. */
static bool draft(turning *w)
{
    const ah_model *m = w->p->model;
    const mechanics *k = w->p->mech;
    attitude_draft *d = &w->draft;
    uint32_t index[ATTITUDES_LARGEST];
    const uint32_t count = others(w, index);
    if (k->r && k->r != count) return false;
    for (uint32_t b = 0; b < w->count; b++)
        for (int i = 0; i < 3; i++)
            attitudes_add(d, attitudes_symbol(w->p, d->free + 1), w->body[b].omega.c[i]);
    for (uint32_t i = 0; i < count && !k->r; i++)
        attitudes_add(d, m->v.at[index[i]], m->v.at[index[i]]);
    return true;
}

/* The velocities of the angles: Ω = (∂Ω/∂v) v + Ω₀. */
static void solve_angles(const turning *w, ah_expr *psi)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const ah_expr zero[] = {expr_int(ctx, 0), expr_int(ctx, 0), expr_int(ctx, 0)};
    for (uint32_t b = 0; b < w->count; b++) {
        const turned *x = &w->body[b];
        ah_expr rate[3];
        for (int k = 0; k < 3; k++) rate[k] = w->p->model->v.at[x->angle[k]];
        const mat omega = mat_from_dense(ctx, a, 3, 1, x->omega.c);
        const mat s = mat_from_dense(ctx, a, 3, 1, w->draft.symbol + 3 * b);
        const mat rest = mat_sub(ctx, a, s, mat_subst(ctx, a, omega, 3, rate, zero));
        const mat v = algebra_simplify_mat(w->alg, mat_mul(ctx, a, x->inverse, rest));
        for (uint32_t k = 0; k < 3; k++) psi[x->angle[k]] = mat_get(ctx, v, k, 0);
    }
}

/* The others from C = 0, where ∂C/∂v has a determinant in them that is a number: then that of (Ω; C) vanishes with those of the
 * bodies alone, and C keeps its rank. */
static bool solve_others(const turning *w, ah_expr *psi)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const mechanics *k = w->p->mech;
    const ah_model *m = w->p->model;
    uint32_t index[ATTITUDES_LARGEST];
    ah_expr column[ATTITUDES_LARGEST], det;
    mat inverse;
    bool singular;
    const uint32_t count = others(w, index);
    for (uint32_t i = 0; i < count; i++) column[i] = psi[index[i]] = m->v.at[index[i]];
    if (!k->r) return true;
    const mat C = slips_rows(w->p);
    const mat B = algebra_simplify_mat(w->alg, mat_jacobian(ctx, a, C, count, column));
    if (!algebra_det(w->alg, B, &det)) return false;
    det = algebra_simplify(w->alg, det);
    if (depends_on_state(ctx, det) || expr_is_zero(ctx, det) || !isfinite(point_eval(w->p, det)))
        return false;
    if (!algebra_inverse(w->alg, B, &inverse, &singular)) return false;
    for (uint32_t i = 0; i < count; i++) psi[index[i]] = expr_int(ctx, 0);
    const mat rest = mat_subst(ctx, a, C, m->n, m->v.at, psi);
    const mat v = mat_neg(ctx, a, mat_mul(ctx, a, inverse, rest));
    for (uint32_t i = 0; i < count; i++) psi[index[i]] = mat_get(ctx, v, i, 0);
    return true;
}

bool body_axes_frame(point *p, attitude_frame *out)
{
    const mechanics *k = p->mech;
    const ah_model *m = p->model;
    if (k->n > ATTITUDES_LARGEST || k->rank != k->r || !k->linear || k->second_class || k->tree)
        return false;
    if (m->attitudes.count || m->speeds.count || m->switches.count ||
        independent_jump(p, mat_to_dense(p->ctx, p->arena, k->C), k->r))
        return false;
    turning *w = NEW(p->arena, turning);
    *w = (turning){.p = p, .alg = k->alg};
    collect(w);
    if (!w->count || !draft(w)) return false;
    ah_expr *psi = NEW_ARRAY(p->arena, ah_expr, m->n);
    solve_angles(w, psi);
    if (!solve_others(w, psi)) return false;
    const mat f = mat_from_dense(p->ctx, p->arena, w->draft.free, 1, w->draft.f);
    *out = attitudes_of(p, &w->draft, f, mat_jacobian(p->ctx, p->arena, f, m->n, m->v.at), psi);
    return true;
}
