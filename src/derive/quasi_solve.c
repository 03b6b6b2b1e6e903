/* derive/quasi_solve.c - v = F(q, ω, t) of a frame that is not linear [H, 247, 249], for display alone.
 *
 * Nothing is searched: what an author would solve by looking at it is solved,
 *     ω_i = atan2(v_a, v_b)                       v_a = ρ sin ω_i, v_b = ρ cos ω_i, ρ > 0
 *     an equation that is linear in an unknown    solved for it
 *     equations that are linear in the squares    solved for these; the signs of the roots must be assumed
 * and other frames are left as they are. */
#include "quasi.h"

#include <string.h>

typedef struct solving {
    mechanics *k;
    ah_expr e[QUASI_SOLVED_LARGEST];       /* equations e = 0 that are left */
    ah_expr unknown[QUASI_SOLVED_LARGEST]; /* velocities and radii that are left */
    bool radius[QUASI_SOLVED_LARGEST];     /* which is positive */
    uint32_t count;                        /* of both */
    ah_expr *v;                            /* n: the velocities so far */
    uint32_t n;
} solving;

static void put(solving *s, ah_expr symbol, ah_expr value)
{
    expr_subst_all(s->k->ctx, s->e, s->count, 1, &symbol, &value);
    expr_subst_all(s->k->ctx, s->v, s->n, 1, &symbol, &value);
    for (uint32_t i = 0; i < s->count; i++) s->e[i] = algebra_simplify(s->k->alg, s->e[i]);
}

static void drop(solving *s, uint32_t equation, uint32_t unknown)
{
    s->count--;
    memmove(s->e + equation, s->e + equation + 1, (s->count - equation) * sizeof *s->e);
    memmove(s->unknown + unknown, s->unknown + unknown + 1,
            (s->count - unknown) * sizeof *s->unknown);
    memmove(s->radius + unknown, s->radius + unknown + 1, (s->count - unknown) * sizeof *s->radius);
}

static uint32_t find(const solving *s, ah_expr symbol)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->unknown[i] == symbol) return i;
    return s->count;
}

/* Takes the i-th equation, atan2(v_a, v_b) = ω, if it is one; ρ takes the place of v_b. */
static bool take_angle(solving *s, uint32_t i, ah_expr f, ah_expr omega)
{
    ah_ctx *ctx = s->k->ctx;
    if (expr_get_op(ctx, f) != EXPR_CALL || expr_get_function(ctx, f) != AH_ATAN2) return false;
    const ah_expr y = expr_get_children(ctx, f)[0], x = expr_get_children(ctx, f)[1];
    const uint32_t a = find(s, y), b = find(s, x);
    if (a == s->count || b == s->count || s->radius[a] || s->radius[b]) return false;
    const ah_expr rho = quasi_symbol(s->k, "rho", i + 1);
    s->unknown[b] = rho;
    s->radius[b] = true;
    s->e[i] = expr_int(ctx, 0);
    put(s, y, expr_mul(ctx, rho, expr_call1(ctx, AH_SIN, omega)));
    put(s, x, expr_mul(ctx, rho, expr_call1(ctx, AH_COS, omega)));
    drop(s, i, a);
    return true;
}

static bool is_free(const solving *s, ah_expr e)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (expr_depends(s->k->ctx, e, s->unknown[i])) return false;
    return true;
}

/* One equation that is linear in an unknown. */
static bool take_linear(solving *s)
{
    ah_ctx *ctx = s->k->ctx;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t j = 0; j < s->count; j++) {
            const ah_expr u = s->unknown[j], zero = expr_int(ctx, 0);
            const ah_expr slope = algebra_simplify(s->k->alg, expr_diff(ctx, s->e[i], u));
            if (s->radius[j] || expr_is_zero(ctx, slope) || !is_free(s, slope)) continue;
            const ah_expr rest = expr_subst(ctx, s->e[i], 1, &u, &zero);
            const ah_expr value =
                algebra_simplify(s->k->alg, expr_neg(ctx, expr_div(ctx, rest, slope)));
            drop(s, i, j);
            put(s, u, value);
            return true;
        }
    return false;
}

/* 1, −1: the sign that is assumed; 0: none is. */
static int assumed_sign(const solving *s, uint32_t j)
{
    const ah_model *m = s->k->model;
    if (s->radius[j]) return 1;
    for (size_t i = 0; i < m->facts.count; i++) {
        if (!m->facts.at[i].positive) continue;
        if (m->facts.at[i].e == s->unknown[j]) return 1;
        if (m->facts.at[i].e == expr_neg(s->k->ctx, s->unknown[j])) return -1;
    }
    return 0;
}

/* All that are left, linear in the squares of the unknowns. */
static bool take_squares(solving *s)
{
    mechanics *k = s->k;
    ah_ctx *ctx = k->ctx;
    const uint32_t m = s->count;
    ah_expr *A = NEW_ARRAY(k->arena, ah_expr, m * m), *b = NEW_ARRAY(k->arena, ah_expr, m);
    ah_expr *zero = NEW_ARRAY(k->arena, ah_expr, m);
    for (uint32_t j = 0; j < m; j++) zero[j] = expr_int(ctx, 0);
    for (uint32_t i = 0; i < m; i++) {
        for (uint32_t j = 0; j < m; j++) {
            const ah_expr slope = expr_diff(ctx, s->e[i], s->unknown[j]);
            const ah_expr twice = expr_mul(ctx, expr_int(ctx, 2), s->unknown[j]);
            A[i * m + j] = algebra_simplify(k->alg, expr_div(ctx, slope, twice));
            if (!assumed_sign(s, j) || !is_free(s, A[i * m + j])) return false;
        }
        b[i] = expr_neg(ctx, expr_subst(ctx, s->e[i], m, s->unknown, zero));
    }
    mat squares;
    bool singular;
    if (!algebra_solve(k->alg, mat_from_dense(ctx, k->arena, m, m, A),
                       mat_from_dense(ctx, k->arena, m, 1, b), &squares, &singular))
        return false;
    for (uint32_t j = 0; j < m; j++) {
        const ah_expr root = expr_call1(ctx, AH_SQRT, mat_get(ctx, squares, j, 0));
        zero[j] = assumed_sign(s, j) < 0 ? expr_neg(ctx, root) : root;
    }
    expr_subst_all(ctx, s->v, s->n, m, s->unknown, zero);
    s->count = 0;
    return true;
}

static bool solve(solving *s, const quasi *w)
{
    ah_ctx *ctx = s->k->ctx;
    for (uint32_t i = w->n; i-- > 0;)
        take_angle(s, i, mat_get(ctx, w->f, i, 0), mat_get(ctx, w->omega, i, 0));
    while (s->count && take_linear(s)) continue;
    return !s->count || take_squares(s);
}

void quasi_solve(mechanics *k, quasi *w)
{
    solving s = {.k = k, .count = k->n, .n = k->n};
    const bool declared = w->origin == QUASI_DECLARED || w->origin == QUASI_COMPLETED;
    if (!w->nonlinear || !declared || k->n > QUASI_SOLVED_LARGEST) return;
    s.v = NEW_ARRAY(k->arena, ah_expr, k->n);
    for (uint32_t i = 0; i < k->n; i++) {
        s.v[i] = s.unknown[i] = k->model->v.at[i];
        s.e[i] = expr_sub(k->ctx, mat_get(k->ctx, w->f, i, 0), mat_get(k->ctx, w->omega, i, 0));
    }
    if (solve(&s, w)) w->F = mat_from_dense(k->ctx, k->arena, k->n, 1, s.v);
}
