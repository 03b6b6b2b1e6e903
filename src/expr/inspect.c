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

/* The terms of one node, those of its children being known. */
static ah_expr terms_of_node(ah_ctx *ctx, ah_expr e, const expr_list *nodes, const ah_expr *terms)
{
    const expr_op op = expr_get_op(ctx, e);
    const ah_expr *child = expr_get_children(ctx, e);
    const size_t count = expr_get_count(ctx, e);
    long p, q;
    if (op == EXPR_POWER && expr_is_rational(ctx, child[1], &p, &q) && q == 1 && p > 0)
        return expr_powi(ctx, terms[expr_find(nodes, child[0])], p);
    if (op != EXPR_SUM && op != EXPR_PRODUCT) return expr_call1(ctx, AH_ABS, e);
    ah_expr *part = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    for (size_t i = 0; i < count; i++)
        part[i] = terms[expr_find(nodes, expr_get_children(ctx, e)[i])];
    return op == EXPR_SUM ? expr_sum(ctx, count, part) : expr_product(ctx, count, part);
}

ah_expr expr_terms(ah_ctx *ctx, ah_expr e)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, &e, 1);
    ah_expr *terms = NEW_ARRAY(&ctx->scratch, ah_expr, nodes.count);
    for (size_t i = 0; i < nodes.count; i++)
        terms[i] = terms_of_node(ctx, nodes.at[i], &nodes, terms);
    const ah_expr out = terms[nodes.count - 1]; /* the root is the last */
    arena_release(&ctx->scratch, mark);
    return out;
}
