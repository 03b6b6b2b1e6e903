/* real/kinks.c - constraints that are written by one formula here and by another there. */
#include "kinks.h"

/* Has it a square factor, above or below? √(u² w) is |u| √w. */
static bool has_square(ah_model *m, ah_expr e)
{
    const ah_expr side[] = {e, expr_div(m->ctx, expr_int(m->ctx, 1), e)};
    for (int k = 0; k < 2; k++) {
        algebra_factors f;
        if (!algebra_factor(m->alg, side[k], &f)) return true;
        for (size_t i = 1; i < f.count; i++)
            if (f.exponent[i] > 1) return true;
    }
    return false;
}

/* |u|, sign(u), roots of squares and angles, but for those of a symbol, have one formula here and
 * another there. What a root of anything else satisfies on one side it satisfies with both signs. */
static bool is_kink(ah_model *m, ah_expr e)
{
    ah_ctx *ctx = m->ctx;
    const expr_op op = expr_get_op(ctx, e);
    const ah_expr *of = expr_get_children(ctx, e);
    long n;
    if (op == EXPR_POWER) return !expr_is_int(ctx, of[1], &n) && has_square(m, of[0]);
    if (op != EXPR_CALL) return false;
    const ah_function f = expr_get_function(ctx, e);
    return f == AH_ABS || f == AH_SIGN || f == AH_ATAN2 ||
           ((f == AH_ASIN || f == AH_ACOS) && expr_get_op(ctx, of[0]) != EXPR_SYMBOL);
}

static expr_list nodes_of_constraints(ah_model *m)
{
    expr_list roots = {0};
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order != MODEL_HOLONOMIC)
            LIST_PUSH(&m->ctx->job, &roots, m->constraints.at[i].c);
    for (uint32_t i = 0; m->speeds.count && i < m->n; i++)
        LIST_PUSH(&m->ctx->job, &roots, m->psi.at[i]);
    model_put_values(m, roots.at, roots.count);
    return expr_reachable(m->ctx, &m->ctx->job, roots.at, roots.count);
}

kinks kinks_in_constraints(ah_model *m)
{
    const expr_list nodes = nodes_of_constraints(m);
    kinks any = KINKS_NONE;
    for (size_t i = 0; i < nodes.count && any != KINKS_SWITCH; i++)
        if (is_kink(m, nodes.at[i]))
            any = expr_get_op(m->ctx, nodes.at[i]) == EXPR_CALL ? KINKS_SWITCH : KINKS_ROOT;
    return any;
}

/* u of e = u² w, w without a square factor; AH_NONE: not known. */
static ah_expr root_of_square(ah_model *m, ah_expr e)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr side[] = {e, expr_div(ctx, expr_int(ctx, 1), e)};
    ah_expr u = expr_int(ctx, 1);
    for (int k = 0; k < 2; k++) {
        algebra_factors f;
        if (!algebra_factor(m->alg, side[k], &f)) return AH_NONE;
        for (size_t i = 1; i < f.count; i++)
            u = expr_mul(ctx, u, expr_powi(ctx, f.factor[i], (k ? -1 : 1) * (f.exponent[i] / 2)));
    }
    return u;
}

/* (u² w)^(p/2) is u^p w^(p/2) where u > 0, and −u^p w^(p/2) where u < 0. */
static bool sides_of_root(ah_model *m, ah_expr root, ah_expr side[2])
{
    ah_ctx *ctx = m->ctx;
    const ah_expr *of = expr_get_children(ctx, root);
    long p, q;
    if (!expr_is_rational(ctx, of[1], &p, &q) || q != 2) return false;
    const ah_expr u = root_of_square(m, of[0]);
    if (u == AH_NONE) return false;
    const ah_expr w = algebra_simplify(m->alg, expr_div(ctx, of[0], expr_powi(ctx, u, 2)));
    if (has_square(m, w)) return false;
    side[0] = expr_mul(ctx, expr_powi(ctx, u, p), expr_pow(ctx, w, of[1]));
    side[1] = expr_neg(ctx, side[0]);
    return true;
}

static bool find_sides(ah_model *m, ah_expr e, ah_expr side[2])
{
    ah_ctx *ctx = m->ctx;
    if (expr_get_op(ctx, e) == EXPR_POWER) return sides_of_root(m, e, side);
    const ah_function f = expr_get_function(ctx, e);
    if (f != AH_ABS && f != AH_SIGN) return false;
    side[0] = f == AH_ABS ? expr_get_children(ctx, e)[0] : expr_int(ctx, 1);
    side[1] = expr_neg(ctx, side[0]);
    return true;
}

ah_truth kinks_first(ah_model *m, kink *out)
{
    const expr_list nodes = nodes_of_constraints(m);
    for (size_t i = 0; i < nodes.count; i++) {
        if (!is_kink(m, nodes.at[i])) continue;
        out->node = nodes.at[i];
        return find_sides(m, out->node, out->side) ? AH_TRUE : AH_UNKNOWN;
    }
    return AH_FALSE;
}

bool kinks_in_rows(ah_model *m)
{
    ah_ctx *ctx = m->ctx;
    const mat J = model_rows(m, &ctx->job);
    const uint32_t count = mat_entries(J);
    ah_expr *e = NEW_ARRAY(&ctx->job, ah_expr, count);
    for (uint32_t k = 0; k < count; k++) e[k] = J.val[k];
    model_put_values(m, e, count);
    const expr_list nodes = expr_reachable(ctx, &ctx->job, e, count);
    bool any = false;
    for (size_t i = 0; i < nodes.count && !any; i++) {
        const ah_expr x = nodes.at[i];
        const bool call = expr_get_op(ctx, x) == EXPR_CALL;
        any = is_kink(m, x) && (!call || expr_get_function(ctx, x) == AH_SIGN);
    }
    return any;
}
