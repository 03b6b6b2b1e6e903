/* real/across.c - see across.h. */
#include "across.h"

#include "limit.h"

/* With the symbol at a distance epsilon from a place, on one side of it. */
static bool limit_beside(ah_ctx *ctx, arena *a, ah_expr e, ah_expr symbol, ah_expr place, long side,
                         ah_expr *out)
{
    const ah_expr epsilon = expr_symbol(ctx, AH_LOCAL, "#beside");
    const algebra_fact small = {epsilon, true};
    algebra *alg = algebra_create(ctx, &small, 1);
    const ah_expr there = expr_add(ctx, place, expr_mul(ctx, expr_int(ctx, side), epsilon));
    const limit l = limit_of(ctx, a, alg, expr_subst(ctx, e, 1, &symbol, &there), epsilon);
    *out = l.value;
    return l.kind == LIMIT_FINITE && l.except == expr_int(ctx, 1);
}

bool across_place(ah_ctx *ctx, arena *a, algebra *alg, ah_expr u, ah_expr *symbol, ah_expr *place)
{
    const expr_list symbols = expr_symbols(ctx, a, &u, 1);
    for (size_t i = 0; i < symbols.count; i++) {
        const ah_expr x = symbols.at[i], slope = expr_diff(ctx, u, x);
        if (expr_get_op(ctx, slope) != EXPR_NUMBER || expr_is_zero(ctx, slope)) continue;
        *symbol = x;
        *place = algebra_simplify(alg, expr_sub(ctx, x, expr_div(ctx, u, slope)));
        return true;
    }
    return false;
}

bool across_is_continuous(ah_ctx *ctx, arena *a, algebra *alg, ah_expr e, ah_expr u)
{
    ah_expr x, place, above, below;
    return across_place(ctx, a, alg, u, &x, &place) &&
           limit_beside(ctx, a, e, x, place, 1, &above) &&
           limit_beside(ctx, a, e, x, place, -1, &below) &&
           algebra_equal(alg, above, below) == AH_TRUE;
}
