/* real/unwrap.c - see unwrap.h: a factor that is linear in one function whose zero is known. */
#include "unwrap.h"

/* f(u) = value where u = at, to this power, and nowhere else. */
typedef struct zero {
    ah_function f;
    long value, at, power;
} zero;
static const zero zeros[] = {{AH_EXP, 1, 0, 1},  {AH_SINH, 0, 0, 1}, {AH_COSH, 1, 0, 2},
                             {AH_TANH, 0, 0, 1}, {AH_LOG, 0, 1, 1},  {AH_ATAN, 0, 0, 1},
                             {AH_ASIN, 0, 0, 1}};
enum { ZEROS = sizeof zeros / sizeof *zeros };

/* The one function that e is made with; AH_NONE: there are several, or none. */
static ah_expr only_call(ah_ctx *ctx, arena *a, ah_expr e)
{
    const expr_list nodes = expr_reachable(ctx, a, &e, 1);
    ah_expr found = AH_NONE;
    for (size_t i = 0; i < nodes.count; i++) {
        const expr_op op = expr_get_op(ctx, nodes.at[i]);
        if (op == EXPR_UNKNOWN || (op == EXPR_CALL && found != AH_NONE)) return AH_NONE;
        if (op == EXPR_CALL) found = nodes.at[i];
    }
    return found;
}

/* e = c (f(u) − value) with the number c: the row of the table, and u. */
static const zero *zero_of(ah_ctx *ctx, arena *a, ah_expr e, ah_expr *u)
{
    const ah_expr call = only_call(ctx, a, e), none = expr_int(ctx, 0);
    if (call == AH_NONE) return NULL;
    const ah_expr z = expr_symbol(ctx, AH_LOCAL, "#wrapped");
    const ah_expr plain = expr_subst(ctx, e, 1, &call, &z), slope = expr_diff(ctx, plain, z);
    const ah_expr rest = expr_subst(ctx, plain, 1, &z, &none);
    if (expr_get_op(ctx, slope) != EXPR_NUMBER || expr_get_op(ctx, rest) != EXPR_NUMBER)
        return NULL;
    const ah_expr value = expr_neg(ctx, expr_div(ctx, rest, slope));
    *u = expr_get_children(ctx, call)[0];
    for (size_t i = 0; i < ZEROS; i++)
        if (zeros[i].f == expr_get_function(ctx, call) && expr_int(ctx, zeros[i].value) == value)
            return &zeros[i];
    return NULL;
}

static bool has_call(ah_ctx *ctx, arena *a, ah_expr e)
{
    const expr_list nodes = expr_reachable(ctx, a, &e, 1);
    for (size_t i = 0; i < nodes.count; i++)
        for (size_t k = 0; expr_get_op(ctx, nodes.at[i]) == EXPR_CALL && k < ZEROS; k++)
            if (expr_get_function(ctx, nodes.at[i]) == zeros[k].f) return true;
    return false;
}

ah_expr unwrap(algebra *alg, ah_ctx *ctx, arena *a, ah_expr row)
{
    algebra_factors f;
    ah_expr out = expr_int(ctx, 1), u;
    bool changed = false;
    if (!has_call(ctx, a, row) || !algebra_factor(alg, row, &f)) return row;
    for (size_t i = 0; i < f.count; i++) {
        const zero *z = zero_of(ctx, a, f.factor[i], &u);
        const ah_expr base = z ? expr_sub(ctx, u, expr_int(ctx, z->at)) : f.factor[i];
        changed = changed || z;
        out = expr_mul(ctx, out, expr_powi(ctx, base, f.exponent[i] * (z ? z->power : 1)));
    }
    return changed ? out : row;
}
