/* kind/nonlinear.c - see nonlinear.h.
 *
 * Factors over the rational functions of what else occurs are found by the algebra. A constraint of
 * the second degree is ½ xᵀ S x with x = (v, 1),
 *
 *     S = [C_vv  g; gᵀ  2 c]      (g, c: gradient and value at v = 0)
 *
 * and splits, over the complex numbers, where the rank of S is at most 2; over the reals, where the
 * minors of order 2 of its rows are not positive. With y = S x, of which two entries are independent, and
 * B = [α β; β γ] their part of S,
 *
 *     xᵀ S x = yᵀ B⁻¹ y = ((γ y₁ − β y₂)² − δ² y₂²)/(γ det B),      δ² = −det B. */
#include "nonlinear.h"

#define SECONDS 0.2 /* that one question to the algebra may take */

typedef struct splitting {
    ah_model *m;
    ah_ctx *ctx;
    arena *arena;
    algebra *alg;
} splitting;

static mat quadratic_form(splitting *s, ah_expr c)
{
    const uint32_t n = s->m->n;
    ah_expr *S = NEW_ARRAY(s->arena, ah_expr, (size_t) (n + 1) * (n + 1));
    ah_expr *at = NEW_ARRAY(s->arena, ah_expr, n + 1);
    ah_expr *zero = NEW_ARRAY(s->arena, ah_expr, n);
    const mat H = mat_hessian(s->ctx, s->arena, c, n, s->m->v.at);
    expr_gradient(s->ctx, c, n, s->m->v.at, at);
    at[n] = expr_mul(s->ctx, expr_int(s->ctx, 2), c);
    for (uint32_t i = 0; i < n; i++) zero[i] = expr_int(s->ctx, 0);
    expr_subst_all(s->ctx, at, n + 1, n, s->m->v.at, zero);
    for (uint32_t i = 0; i <= n; i++)
        for (uint32_t j = 0; j <= n; j++)
            S[i * (n + 1) + j] = i == n ? at[j] : j == n ? at[i] : mat_get(s->ctx, H, i, j);
    return mat_from_dense(s->ctx, s->arena, n + 1, n + 1, S);
}

/* A form of rank 2. */
typedef struct pair {
    mat S, B;
    uint32_t row[2]; /* those of S that are independent */
    ah_expr det;     /* of B */
} pair;

/* AH_FALSE: not even over the complex numbers, or only there. */
static ah_truth quadric_splits(splitting *s, ah_expr c, pair *out)
{
    bool proved;
    uint32_t *rows = NEW_ARRAY(s->arena, uint32_t, s->m->n + 1);
    const mat S = quadratic_form(s, c);
    const int rank = algebra_rank(s->alg, S, rows, &proved);
    if (!proved) return AH_UNKNOWN;
    if (rank != 2) return rank < 2 ? AH_TRUE : AH_FALSE;
    const mat B = mat_cols(s->ctx, s->arena, mat_rows(s->ctx, s->arena, S, rows, 2), rows, 2);
    *out = (pair){S, B, {rows[0], rows[1]}, AH_NONE};
    if (!algebra_det(s->alg, B, &out->det)) return AH_UNKNOWN;
    const int sign = algebra_sign(s->alg, out->det);
    return sign == -1 ? AH_TRUE : sign == 1 ? AH_FALSE : AH_UNKNOWN;
}

/* An entry of y = S (v, 1). */
static ah_expr form_of(splitting *s, const pair *p, int which)
{
    const uint32_t n = s->m->n;
    ah_expr *term = NEW_ARRAY(s->arena, ah_expr, n + 1);
    for (uint32_t k = 0; k <= n; k++) {
        const ah_expr x = k < n ? s->m->v.at[k] : expr_int(s->ctx, 1);
        term[k] = expr_mul(s->ctx, mat_get(s->ctx, p->S, p->row[which], k), x);
    }
    return expr_sum(s->ctx, n + 1, term);
}

/* Factors that depend on velocities. */
static expr_list factors_of(splitting *s, ah_expr c)
{
    algebra_factors f;
    expr_list out = {0};
    if (!algebra_factor(s->alg, c, &f)) return out;
    for (size_t i = 0; i < f.count; i++)
        if (expr_depends_kind(s->ctx, f.factor[i], AH_VELOCITY))
            LIST_PUSH(s->arena, &out, f.factor[i]);
    return out;
}

static ah_truth all_linear(splitting *s, const expr_list *factors)
{
    ah_truth answer = factors->count ? AH_TRUE : AH_UNKNOWN;
    for (size_t i = 0; i < factors->count; i++) {
        const int degree = algebra_degree(s->alg, factors->at[i], s->m->n, s->m->v.at);
        if (degree == 1) continue;
        pair p;
        const ah_truth here = degree == 2 ? quadric_splits(s, factors->at[i], &p) : AH_UNKNOWN;
        if (here == AH_FALSE) return AH_FALSE;
        if (here == AH_UNKNOWN) answer = AH_UNKNOWN;
    }
    return answer;
}

void nonlinear_split(ah_model *m, arena *a, const model_constraint *c, ah_constraint_class *out)
{
    splitting s = {m, m->ctx, a, algebra_create(m->ctx, m->facts.at, m->facts.count)};
    ah_expr e = c->c;
    algebra_set_bounds(s.alg, SECONDS, m->ctx->limits.terms);
    expr_list f = factors_of(&s, e);
    if (f.count < 2) { /* the values of the parameters may make a difference */
        model_put_values(m, &e, 1);
        const expr_list valued = factors_of(&s, e);
        if (valued.count > 1) f = valued;
        out->splits = all_linear(&s, &valued);
    } else {
        out->splits = all_linear(&s, &f);
    }
    out->factors = f.count;
    out->factor = f.at;
}

/* Without what does not vanish: √2 (x' − √2 y') is x' − √2 y'. */
static ah_expr shortest(splitting *s, ah_expr e)
{
    const expr_list f = factors_of(s, e);
    return f.count == 1 ? f.at[0] : e;
}

/* The entry of y that is y₂, its γ vanishing nowhere; where α is a number the planes are shorter. −1: neither. */
static int second_of(splitting *s, const pair *p)
{
    const ah_expr at[] = {mat_get(s->ctx, p->B, 0, 0), mat_get(s->ctx, p->B, 1, 1)};
    const bool never[] = {algebra_never_zero(s->alg, at[0]), algebra_never_zero(s->alg, at[1])};
    if (never[0] && (!never[1] || expr_get_op(s->ctx, at[1]) == EXPR_NUMBER)) return 0;
    return never[1] ? 1 : -1;
}

bool nonlinear_planes(ah_model *m, arena *a, ah_expr e, ah_expr plane[2])
{
    splitting s = {m, m->ctx, a, algebra_create(m->ctx, m->facts.at, m->facts.count)};
    ah_ctx *ctx = m->ctx;
    pair p = {.det = AH_NONE};
    algebra_set_bounds(s.alg, SECONDS, ctx->limits.terms);
    model_put_values(m, &e, 1);
    if (algebra_degree(s.alg, e, m->n, m->v.at) != 2) return false;
    if (quadric_splits(&s, e, &p) != AH_TRUE || p.det == AH_NONE) return false;
    const int second = second_of(&s, &p);
    if (second < 0) return false;
    const ah_expr gamma = mat_get(ctx, p.B, (uint32_t) second, (uint32_t) second);
    const ah_expr y1 = form_of(&s, &p, 1 - second), y2 = form_of(&s, &p, second);
    const ah_expr delta = expr_call1(ctx, AH_SQRT, expr_neg(ctx, p.det));
    for (int k = 0; k < 2; k++) {
        const ah_expr other = k ? expr_neg(ctx, delta) : delta;
        const ah_expr slope = expr_add(ctx, mat_get(ctx, p.B, 0, 1), other);
        const ah_expr form = expr_sub(ctx, expr_mul(ctx, gamma, y1), expr_mul(ctx, slope, y2));
        plane[k] = shortest(&s, algebra_simplify(s.alg, form));
    }
    return true;
}
