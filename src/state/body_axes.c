/* state/body_axes.c - see body_axes.h. */
#include "body_axes.h"

#include "independent.h"

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
    const mat M = mat_cols(ctx, a, derive_mass(w->p->mech), b->angle, 3);
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

/* (f; C): false where they are not as many as velocities. */
static bool draft(turning *w)
{
    const ah_model *m = w->p->model;
    const mechanics *k = w->p->mech;
    attitude_draft *d = &w->draft;
    if (k->r && k->n - k->r != 3 * w->count) return false;
    for (uint32_t b = 0; b < w->count; b++)
        for (int i = 0; i < 3; i++)
            attitudes_add(d, attitudes_symbol(w->p, d->free + 1), w->body[b].omega.c[i]);
    for (uint32_t i = 0; i < k->n && !k->r; i++)
        if (!moves(w, i)) attitudes_add(d, m->v.at[i], m->v.at[i]);
    for (uint32_t i = 0; i < k->r; i++) d->f[d->rows++] = mat_get(w->p->ctx, k->C, i, 0);
    return d->rows == k->n;
}

/* Whether det ∂(f; C)/∂v is a number times those of the bodies. */
static bool is_good(const turning *w, mat f_v)
{
    ah_ctx *ctx = w->p->ctx;
    ah_expr det, product = expr_int(ctx, 1);
    if (!algebra_det(w->alg, f_v, &det)) return false;
    for (uint32_t b = 0; b < w->count; b++) product = expr_mul(ctx, product, w->body[b].det);
    const ah_expr ratio = algebra_simplify(w->alg, expr_div(ctx, det, product));
    return !depends_on_state(ctx, ratio) && !expr_is_zero(ctx, ratio) &&
           isfinite(point_eval(w->p, ratio));
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
    const mat f = mat_from_dense(p->ctx, p->arena, w->draft.rows, 1, w->draft.f);
    const mat f_v = mat_jacobian(p->ctx, p->arena, f, w->draft.rows, m->v.at);
    return is_good(w, f_v) && attitudes_take(p, &w->draft, f, f_v, out);
}
