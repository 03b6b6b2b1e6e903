/* expr/pool_copy.c - the same expressions in another context, by the same handles. */
#include "pool.h"

#include <assert.h>

static expr_key key_of(const expr_pool *p, const expr_node *n)
{
    expr_key key = {.op = (expr_op) n->op, .code = n->code, .count = n->count, .aux = n->aux};
    if (key.op == EXPR_NUMBER)
        key.number = n->number;
    else
        key.children = n->children;
    if (key.op == EXPR_SYMBOL) key.name = p->symbol[n->aux];
    if (key.op == EXPR_UNKNOWN) {
        key.name = p->unknown[n->aux].name;
        key.orders = p->unknown[n->aux].orders;
    }
    return key;
}

/* Nodes are numbered as they are made, and so are symbols: made again in that order they get their
 * numbers again. */
void expr_copy_all(const ah_ctx *from, ah_ctx *to)
{
    const expr_pool *p = from->pool;
    const expr_pool *copy = expr_pool_of(to);
    for (uint32_t e = copy->count; p && e < p->count; e++) {
        const expr_key key = key_of(p, &p->node[e]);
        const ah_expr made = expr_intern(to, &key);
        assert(made == e);
        (void) made;
    }
}
