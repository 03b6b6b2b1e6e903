/* real/atoms.c - see atoms.h. */
#include "atoms.h"

static atoms_circle *circle_of(atoms *s, ah_expr argument)
{
    for (size_t i = 0; i < s->circles.count; i++)
        if (s->circles.at[i].argument == argument) return &s->circles.at[i];
    const atoms_circle new = {.argument = argument};
    LIST_PUSH(s->arena, &s->circles, new);
    return &s->circles.at[s->circles.count - 1];
}

/* The unknown that stands for a function. */
static ah_expr unknown_for(atoms *s, ah_expr node)
{
    for (size_t i = 0; i < s->node.count; i++)
        if (s->node.at[i] == node) return s->symbol.at[i];
    const ah_expr symbol =
        expr_symbol(s->ctx, AH_LOCAL, arena_printf(s->arena, "#%zu", s->node.count));
    LIST_PUSH(s->arena, &s->node, node);
    LIST_PUSH(s->arena, &s->symbol, symbol);
    if (expr_get_op(s->ctx, node) != EXPR_CALL) return symbol;
    const ah_function f = expr_get_function(s->ctx, node);
    if (f == AH_SIN) circle_of(s, expr_get_children(s->ctx, node)[0])->s = symbol;
    if (f == AH_COS) circle_of(s, expr_get_children(s->ctx, node)[0])->c = symbol;
    return symbol;
}

ah_expr atoms_polynomial(atoms *s, ah_expr e)
{
    const expr_list nodes = expr_reachable(s->ctx, s->arena, &e, 1);
    ah_expr *value = NEW_ARRAY(s->arena, ah_expr, nodes.count);
    for (size_t i = 0; i < nodes.count; i++) {
        const ah_expr node = nodes.at[i];
        const size_t count = expr_get_count(s->ctx, node);
        const ah_expr *child = expr_get_children(s->ctx, node);
        ah_expr *made = NEW_ARRAY(s->arena, ah_expr, count);
        long power;
        for (size_t k = 0; k < count; k++)
            for (size_t j = 0; j < i; j++)
                if (nodes.at[j] == child[k]) made[k] = value[j];
        switch (expr_get_op(s->ctx, node)) {
        case EXPR_SUM: value[i] = expr_sum(s->ctx, count, made); break;
        case EXPR_PRODUCT: value[i] = expr_product(s->ctx, count, made); break;
        case EXPR_POWER:
            if (expr_is_int(s->ctx, child[1], &power) && power > 0)
                value[i] = expr_powi(s->ctx, made[0], power);
            else
                value[i] = unknown_for(s, node);
            break;
        case EXPR_CALL:
        case EXPR_UNKNOWN: value[i] = unknown_for(s, node); break;
        default: value[i] = node;
        }
    }
    return value[nodes.count - 1];
}

ah_expr atoms_restored(const atoms *s, ah_expr e)
{
    return expr_subst(s->ctx, e, s->symbol.count, s->symbol.at, s->node.at);
}
