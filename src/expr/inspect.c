/* expr/inspect.c - the public way to look at an expression. */
#include "pool.h"

#include <math.h>

static bool is_there(const ah_ctx *ctx, ah_expr e)
{
    return ctx && ctx->pool && e != AH_NONE && e < ctx->pool->count;
}

static bool is(const ah_ctx *ctx, ah_expr e, expr_op op)
{
    return is_there(ctx, e) && expr_op_of(ctx, e) == op;
}

ah_node ah_expr_kind(const ah_ctx *ctx, ah_expr e)
{
    static const ah_node kind[] = {
        [EXPR_NUMBER] = AH_NODE_NUMBER,   [EXPR_PI] = AH_NODE_PI,
        [EXPR_SYMBOL] = AH_NODE_SYMBOL,   [EXPR_SUM] = AH_NODE_SUM,
        [EXPR_PRODUCT] = AH_NODE_PRODUCT, [EXPR_POWER] = AH_NODE_POWER,
        [EXPR_CALL] = AH_NODE_CALL,       [EXPR_UNKNOWN] = AH_NODE_UNKNOWN};
    return is_there(ctx, e) ? kind[expr_op_of(ctx, e)] : AH_NODE_NONE;
}

size_t ah_expr_children(const ah_ctx *ctx, ah_expr e)
{
    return is_there(ctx, e) && !is(ctx, e, EXPR_NUMBER) ? expr_get_count(ctx, e) : 0;
}

ah_expr ah_expr_child(const ah_ctx *ctx, ah_expr e, size_t index)
{
    return index < ah_expr_children(ctx, e) ? expr_get_children(ctx, e)[index] : AH_NONE;
}

const char *ah_expr_name(const ah_ctx *ctx, ah_expr e)
{
    return is(ctx, e, EXPR_SYMBOL) || is(ctx, e, EXPR_UNKNOWN) ? expr_get_name(ctx, e) : NULL;
}

ah_symbol_kind ah_expr_symbol_kind(const ah_ctx *ctx, ah_expr e)
{
    return is(ctx, e, EXPR_SYMBOL) ? expr_get_kind(ctx, e) : AH_LOCAL;
}

ah_function ah_expr_function(const ah_ctx *ctx, ah_expr e)
{
    return is(ctx, e, EXPR_CALL) ? expr_get_function(ctx, e) : AH_FUNCTIONS;
}

double ah_expr_number(const ah_ctx *ctx, ah_expr e)
{
    return is(ctx, e, EXPR_NUMBER) ? expr_number_double(ctx, e) : NAN;
}

unsigned ah_expr_order(const ah_ctx *ctx, ah_expr e, size_t argument)
{
    if (!is(ctx, e, EXPR_UNKNOWN) || argument >= expr_get_count(ctx, e)) return 0;
    const uint8_t *orders = expr_get_orders(ctx, e);
    return orders ? orders[argument] : 0;
}
