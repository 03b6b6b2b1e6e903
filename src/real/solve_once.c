/* real/solve_once.c - see solve_once.h. */
#include "solve_once.h"

static ah_expr inverse(ah_ctx *ctx, ah_function f, ah_expr y)
{
    static const ah_function of[AH_FUNCTIONS] = {
        [AH_EXP] = AH_LOG + 1,  [AH_LOG] = AH_EXP + 1,  [AH_SIN] = AH_ASIN + 1,
        [AH_ASIN] = AH_SIN + 1, [AH_COS] = AH_ACOS + 1, [AH_ACOS] = AH_COS + 1,
        [AH_TAN] = AH_ATAN + 1, [AH_ATAN] = AH_TAN + 1};
    return of[f] ? expr_call1(ctx, of[f] - 1, y) : AH_NONE;
}

/* e = *y for the one child of e in which s is: that child, and in *y what it is equal to. AH_NONE: not known. */
static ah_expr one_step(ah_ctx *ctx, ah_expr e, ah_expr s, ah_expr *y)
{
    const ah_expr zero = expr_int(ctx, 0), one = expr_int(ctx, 1);
    const expr_op op = expr_get_op(ctx, e);
    const ah_expr *child = expr_get_children(ctx, e);
    ah_expr with = AH_NONE;
    size_t count = 0;
    for (size_t i = 0; i < expr_get_count(ctx, e); i++)
        if (expr_depends(ctx, child[i], s)) with = child[i], count++;
    if (count != 1) return AH_NONE;
    if (op == EXPR_SUM)
        *y = expr_sub(ctx, *y, expr_subst(ctx, e, 1, &with, &zero));
    else if (op == EXPR_PRODUCT)
        *y = expr_div(ctx, *y, expr_subst(ctx, e, 1, &with, &one));
    else if (op == EXPR_POWER && with == child[0])
        *y = expr_pow(ctx, *y, expr_div(ctx, one, child[1]));
    else if (op == EXPR_CALL && expr_get_count(ctx, e) == 1)
        *y = inverse(ctx, expr_get_function(ctx, e), *y);
    else
        return AH_NONE;
    return *y == AH_NONE ? AH_NONE : with;
}

ah_expr solve_once(ah_ctx *ctx, ah_expr u, ah_expr s)
{
    const ah_expr slope = expr_diff(ctx, u, s), zero = expr_int(ctx, 0);
    ah_expr y = zero;
    if (!expr_depends(ctx, slope, s))
        return expr_neg(ctx, expr_div(ctx, expr_subst(ctx, u, 1, &s, &zero), slope));
    while (u != AH_NONE && u != s) u = one_step(ctx, u, s, &y);
    return u == AH_NONE ? AH_NONE : y;
}
