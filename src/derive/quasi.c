/* derive/quasi.c - frames of quasi-velocities [H, 232].
 *
 *     ω = f(q, v, t),   n of them,   r of which vanish on the constraints
 *
 * A model declares all n, or the n − r free ones, which the constraints C then complete, or none:
 * then the free ones are the independent velocities of the chart, or, where bodies turn freely, their
 * angular velocities in body axes Ω = 2 E(e) e' (Hamel's equations are Euler's then). The model has already found which
 * of n declared ones vanish on the constraints (model/speeds.c). */
#include "quasi.h"

#include "known.h"

#include <string.h>

/* Seconds the symbolic inverse of a frame may take: it serves the display alone. */
#define QUASI_INVERSE_SECONDS 0.2
/* Frames with more operations than this are not inverted symbolically: what they give is no longer
 * read by people. */
#define QUASI_INVERSE_OPERATIONS 1000

/* ---- Making a frame -------------------------------------------------------------------------- */

ah_expr quasi_symbol(mechanics *k, const char *letter, uint32_t index)
{
    char *name = arena_printf(k->arena, "%s%u", letter, index);
    while (model_find(k->model, name)) name = arena_printf(k->arena, "%s_", name);
    return expr_symbol(k->ctx, AH_SPEED, name);
}

static mat column(mechanics *k, const ah_expr *entries, uint32_t count)
{
    return mat_from_dense(k->ctx, k->arena, count, 1, entries);
}

/* Without its denominator, which vanishes where the chart is bad and the constraint is not. */
static ah_expr cleared(ah_ctx *ctx, void *alg, ah_expr e)
{
    ah_expr numerator, denominator;
    (void) ctx;
    return algebra_fraction(alg, e, &numerator, &denominator) ? numerator : e;
}

/* Constraints that a `velocity` v = Ψ z + ψ0 implies: v_D − a v_I − a_0 = 0. */
static bool implied_constraints(mechanics *k, quasi *w, const char **why)
{
    ah_ctx *ctx = k->ctx;
    const chart *c = mechanics_linear_chart(k, false, NULL);
    *why = "the constraints are given by a `velocity` statement alone, which cannot be solved for "
           "independent velocities";
    if (!c) return false;
    w->r = k->n - c->m;
    w->implied = true;
    const mat C = mat_sub(ctx, k->arena, k->v, c->psi);
    w->C = mat_map(ctx, k->arena, mat_rows(ctx, k->arena, C, c->dependent, w->r), cleared, k->alg);
    return true;
}

/* `chosen`: of redundant ones those to take; NULL: some that are independent in general. */
static bool find_constraints(mechanics *k, quasi *w, const uint32_t *chosen, const char **why)
{
    if (!k->r && k->chart.m < k->n) return implied_constraints(k, w, why);
    w->r = k->rank;
    w->C = k->C;
    if (k->rank == k->r) return true;
    if (!chosen) chosen = mechanics_independent_rows(k);
    w->C = mat_rows(k->ctx, k->arena, k->C, chosen, k->rank);
    w->redundant = true;
    return true;
}

/* The velocities that an automatic frame takes as its free ω. */
static const uint32_t *independent_velocities(mechanics *k, const quasi *w)
{
    if (k->chart.independent) return k->chart.independent;
    const chart *c = mechanics_linear_chart(k, false, NULL);
    if (c) return c->independent;
    const mat J = mat_jacobian(k->ctx, k->arena, w->C, k->n, k->model->v.at);
    uint32_t *dependent = NEW_ARRAY(k->arena, uint32_t, k->n);
    uint32_t *free = NEW_ARRAY(k->arena, uint32_t, k->n), count = 0;
    const int rank = algebra_rank(k->alg, mat_transpose(k->ctx, k->arena, J), dependent, NULL);
    for (uint32_t i = 0; i < k->n; i++) {
        bool is_free = true;
        for (int j = 0; j < rank; j++) is_free = is_free && dependent[j] != i;
        if (is_free && count < k->n - w->r) free[count++] = i;
    }
    return free;
}

/* Is it one of the components of a unit quaternion? */
static bool of_attitude(const ah_model *m, uint32_t coordinate)
{
    for (size_t a = 0; a < m->attitudes.count; a++)
        for (int k = 0; k < 4; k++)
            if (m->attitudes.at[a].e[k] == m->q.at[coordinate]) return true;
    return false;
}

/* Ω of all attitudes, and all other velocities or none of them, with the constraints: a frame that
 * needs no other choice at any state, where it is one at all. */
static bool by_attitudes(mechanics *k, const quasi *w, bool *others)
{
    const ah_model *m = k->model;
    const uint32_t turns = (uint32_t) m->attitudes.count, free = k->n - w->r;
    *others = w->r == turns;
    if (!turns || k->chart.kind == CHART_GIVEN || (!*others && free != 3 * turns)) return false;
    uint32_t rows = 0;
    ah_expr *f = NEW_ARRAY(k->arena, ah_expr, k->n);
    for (uint32_t a = 0; a < turns; a++)
        for (int i = 0; i < 3; i++) f[rows++] = m->attitudes.at[a].omega.c[i];
    for (uint32_t i = 0; i < k->n && *others; i++)
        if (!of_attitude(m, i)) f[rows++] = m->v.at[i];
    for (uint32_t i = 0; i < w->C.rows; i++) f[rows++] = mat_get(k->ctx, w->C, i, 0);
    uint32_t *pivots = NEW_ARRAY(k->arena, uint32_t, k->n);
    const mat J = mat_jacobian(k->ctx, k->arena, column(k, f, rows), k->n, m->v.at);
    return rows == k->n && algebra_rank(k->alg, J, pivots, NULL) == (int) k->n;
}

/* A frame under construction. */
typedef struct draft {
    quasi *w;
    ah_expr *omega, *f;
    uint32_t *free, *bound, free_count, bound_count;
} draft;

static draft draft_begin(mechanics *k, quasi *w)
{
    return (draft){.w = w,
                   .omega = NEW_ARRAY(k->arena, ah_expr, k->n),
                   .f = NEW_ARRAY(k->arena, ah_expr, k->n),
                   .free = NEW_ARRAY(k->arena, uint32_t, k->n),
                   .bound = NEW_ARRAY(k->arena, uint32_t, k->n)};
}

static void draft_add(draft *d, ah_expr omega, ah_expr f, bool bound)
{
    const uint32_t i = d->free_count + d->bound_count;
    d->omega[i] = omega;
    d->f[i] = f;
    if (bound)
        d->bound[d->bound_count++] = i;
    else
        d->free[d->free_count++] = i;
}

static void draft_add_constraints(mechanics *k, draft *d, const char *letter)
{
    for (uint32_t i = 0; i < d->w->C.rows; i++)
        draft_add(d, quasi_symbol(k, letter, d->free_count + d->bound_count + 1),
                  mat_get(k->ctx, d->w->C, i, 0), true);
}

static void draft_add_attitudes(mechanics *k, draft *d, bool others)
{
    const ah_model *m = k->model;
    for (size_t a = 0; a < m->attitudes.count; a++)
        for (int i = 0; i < 3; i++)
            draft_add(d, quasi_symbol(k, "Omega", d->free_count + 1), m->attitudes.at[a].omega.c[i],
                      false);
    for (uint32_t i = 0; i < k->n && others; i++)
        if (!of_attitude(m, i)) draft_add(d, m->v.at[i], m->v.at[i], false);
}

static void draft_end(mechanics *k, const draft *d)
{
    quasi *w = d->w;
    ah_expr *dot = NEW_ARRAY(k->arena, ah_expr, k->n);
    for (uint32_t i = 0; i < k->n; i++) dot[i] = expr_dot(k->ctx, d->omega[i]);
    w->n = k->n;
    w->free = d->free;
    w->bound = d->bound;
    w->omega = column(k, d->omega, k->n);
    w->omegadot = column(k, dot, k->n);
    w->f = column(k, d->f, k->n);
    quasi_differentiate(k, w);
}

/* NULL and *why when the declared ones do not make a frame; the model has reported most cases. */
static quasi *plain_frame(mechanics *k, const uint32_t *rows, const char **why)
{
    const ah_model *m = k->model;
    quasi *w = NEW(k->arena, quasi);
    if (!find_constraints(k, w, rows, why)) return NULL;
    const uint32_t declared = (uint32_t) m->quasivelocities.count;
    *why =
        arena_printf(k->arena, "%u quasi-velocities are declared, it takes %u or the %u free ones",
                     declared, k->n, k->n - w->r);
    if (declared && declared != k->n && declared != k->n - w->r) return NULL;

    draft d = draft_begin(k, w);
    for (uint32_t i = 0; i < declared; i++) {
        const model_speed *s = &m->quasivelocities.at[i];
        draft_add(&d, s->symbol, s->definition, declared == k->n && s->constrained);
    }
    bool others = false;
    w->origin = declared == k->n              ? QUASI_DECLARED
                : declared                    ? QUASI_COMPLETED
                : by_attitudes(k, w, &others) ? QUASI_ATTITUDES
                                              : QUASI_AUTOMATIC;
    if (w->origin == QUASI_ATTITUDES) draft_add_attitudes(k, &d, others);
    if (w->origin == QUASI_AUTOMATIC) {
        const uint32_t *I = independent_velocities(k, w);
        for (uint32_t i = 0; i < k->n - w->r; i++)
            draft_add(&d, m->v.at[I[i]], m->v.at[I[i]], false);
    }
    if (w->origin != QUASI_DECLARED) draft_add_constraints(k, &d, "omega");
    *why = arena_printf(k->arena, "%u quasi-velocities vanish on the constraints, not %u",
                        d.bound_count, w->r);
    if (d.bound_count != w->r) return NULL;
    draft_end(k, &d);
    return w;
}

quasi *quasi_frame(mechanics *k, bool orthonormal, const char **why)
{
    derived *d = derived_of(k->model);
    if (!d->frames[0].tried) {
        d->frames[0].frame = plain_frame(k, NULL, &d->frames[0].why);
        d->frames[0].tried = true;
    }
    *why = d->frames[0].why;
    if (!orthonormal || !d->frames[0].frame) return d->frames[0].frame;
    if (!d->frames[1].tried) {
        d->frames[1].frame = quasi_orthonormalise(k, d->frames[0].frame);
        d->frames[1].tried = true;
    }
    return d->frames[1].frame ? d->frames[1].frame : d->frames[0].frame;
}

quasi *quasi_frame_of(ah_equations *eq)
{
    mechanics *k = eq->mech;
    const char *why;
    quasi *w = quasi_frame(k, eq->options.orthonormal, &why);
    if (eq->options.rows && w->redundant) {
        w = plain_frame(k, eq->options.rows, &why);
        quasi *other = eq->options.orthonormal ? quasi_orthonormalise(k, w) : NULL;
        if (other) w = other;
    }
    eq->takes_rows = w->redundant && w->origin != QUASI_DECLARED;
    return w;
}

quasi *quasi_over_constraints(mechanics *k, quasi *w)
{
    quasi *out = NEW(k->arena, quasi);
    *out = (quasi){.origin = w->origin,
                   .r = w->r,
                   .C = w->C,
                   .implied = w->implied,
                   .redundant = w->redundant,
                   .of = w};
    draft d = draft_begin(k, out);
    for (uint32_t i = 0; i < w->n - w->r; i++)
        draft_add(&d, mat_get(k->ctx, w->omega, w->free[i], 0),
                  mat_get(k->ctx, w->f, w->free[i], 0), false);
    draft_add_constraints(k, &d, "zeta");
    draft_end(k, &d);
    return out;
}

/* ---- Linear or not --------------------------------------------------------------------------- */

static bool depends_on_velocities(mechanics *k, mat m)
{
    for (uint32_t i = 0; i < mat_entries(m); i++)
        if (expr_depends_kind(k->ctx, m.val[i], AH_VELOCITY)) return true;
    return false;
}

/* What ω_i is to the user. */
static const char *name_of(mechanics *k, const quasi *w, uint32_t i)
{
    const ah_expr f = mat_get(k->ctx, w->f, i, 0);
    for (size_t c = 0; c < k->r; c++)
        if (w->origin != QUASI_DECLARED && f == mat_get(k->ctx, k->C, (uint32_t) c, 0))
            return arena_printf(k->arena, "the constraint `%s`", k->model->constraints.at[c].label);
    return arena_printf(k->arena, "the quasi-velocity `%s`",
                        expr_text(k->ctx, k->arena, mat_get(k->ctx, w->omega, i, 0), AH_ASCII));
}

static ah_expr simplified(ah_ctx *ctx, void *alg, ah_expr e)
{
    return expr_depends_kind(ctx, e, AH_VELOCITY) ? algebra_simplify(alg, e) : e;
}

void quasi_differentiate(mechanics *k, quasi *w)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    const ah_model *m = k->model;
    w->f_v = mat_jacobian(ctx, a, w->f, k->n, m->v.at);
    w->f_q = mat_jacobian(ctx, a, w->f, k->n, m->q.at);
    w->f_t = mat_derivative(ctx, a, w->f, k->t);
    if (depends_on_velocities(k, w->f_v)) w->f_v = mat_map(ctx, a, w->f_v, simplified, k->alg);
    for (uint32_t i = 0; i < k->n && !w->nonlinear; i++)
        if (depends_on_velocities(k, mat_rows(ctx, a, w->f_v, &i, 1)))
            w->nonlinear = name_of(k, w, i);
    if (w->nonlinear) return;
    ah_expr *zero = NEW_ARRAY(a, ah_expr, k->n);
    for (uint32_t i = 0; i < k->n; i++) zero[i] = expr_int(ctx, 0);
    w->c = mat_subst(ctx, a, w->f, k->n, m->v.at, zero);
}

mat quasi_along(mechanics *k, mat m)
{
    ah_expr *at = NEW_ARRAY(k->arena, ah_expr, k->n + 1);
    ah_expr *towards = NEW_ARRAY(k->arena, ah_expr, k->n + 1);
    memcpy(at, k->model->q.at, k->n * sizeof *at);
    memcpy(towards, k->model->v.at, k->n * sizeof *towards);
    at[k->n] = k->t;
    towards[k->n] = expr_int(k->ctx, 1);
    mat_entry *e = NEW_ARRAY(k->arena, mat_entry, mat_entries(m));
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t j = m.start[i]; j < m.start[i + 1]; j++)
            e[j] = (mat_entry){i, m.col[j], expr_forward(k->ctx, m.val[j], k->n + 1, at, towards)};
    return mat_from_entries(k->ctx, k->arena, m.rows, m.cols, e, mat_entries(m));
}

static bool find_inverse(mechanics *k, quasi *w)
{
    bool singular;
    if (w->of && mat_equal(w->f_v, w->of->f_v)) { /* the same frame by other names */
        const bool known = quasi_invert(k, w->of);
        w->B = w->of->B;
        return known;
    }
    algebra_set_bounds(k->alg, QUASI_INVERSE_SECONDS, k->ctx->limits.terms);
    mat B;
    const bool good = algebra_inverse(k->alg, w->f_v, &B, &singular);
    algebra_set_bounds(k->alg, ALGEBRA_SECONDS, k->ctx->limits.terms);
    if (good) w->B = B;
    return good;
}

bool quasi_invert(mechanics *k, quasi *w)
{
    if (w->inverted) return w->B.rows > 0;
    w->inverted = true;
    if (w->nonlinear ||
        expr_operations(k->ctx, w->f_v.val, mat_entries(w->f_v)) > QUASI_INVERSE_OPERATIONS)
        return false;
    if (!find_inverse(k, w)) return false;
    const mat B = w->B;
    w->v = mat_mul(k->ctx, k->arena, B, mat_sub(k->ctx, k->arena, w->omega, w->c));
    return true;
}

/* ---- Reasons to refuse ----------------------------------------------------------------------- */

const char *quasi_refusal(mechanics *k, const char **instead)
{
    const char *why = derive_needs_velocity_level(k, instead);
    if (why) return why;
    *instead = k->chart.kind == CHART_GIVEN ? "parametric" : "multipliers";
    if (k->n > QUASI_LARGEST)
        return arena_printf(k->arena, "the transition coefficients of %u coordinates are too many",
                            k->n);
    return quasi_frame(k, false, &why) ? NULL : why;
}

const char *quasi_refusal_unless_linear(mechanics *k, const char **instead)
{
    const char *why = derive_needs_linear(k, instead);
    if (why && !k->second_class) *instead = "hamel-nonlinear";
    if (!why) why = quasi_refusal(k, instead);
    if (why) return why;
    const quasi *w = quasi_frame(k, false, &why);
    if (!w->nonlinear) return NULL;
    *instead = "hamel-nonlinear";
    return arena_printf(k->arena, "%s is not linear in the velocities", w->nonlinear);
}
