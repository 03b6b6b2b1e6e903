/* expr/pool_copy.c - the same expressions in another context. */
#include "pool.h"

#include <assert.h>
#include <string.h>

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

static void *copied(ah_ctx *ctx, void *own, size_t element, uint32_t *capacity, const void *from,
                    size_t count)
{
    void *to = ctx_realloc(ctx, own, *capacity * element, count * element);
    *capacity = (uint32_t) count;
    return count ? memcpy(to, from, count * element) : to;
}

/* Handle by handle. Children, names and numbers are those of the other pool: they never move, and it outlives the copy. */
void expr_copy_all(const ah_ctx *from, ah_ctx *to)
{
    const expr_pool *p = from->pool;
    expr_pool *copy = expr_pool_of(to);
    assert(copy->count == EXPR_HALF + 1 && "a pool that has expressions of its own");
    if (!p) return;
    copy->symbol =
        copied(to, copy->symbol, sizeof *p->symbol, &copy->symbol_capacity, p->symbol, p->symbols);
    copy->unknown = copied(to, copy->unknown, sizeof *p->unknown, &copy->unknown_capacity,
                           p->unknown, p->unknowns);
    copy->node = copied(to, copy->node, sizeof *p->node, &copy->capacity, p->node, p->count);
    copy->near =
        copied(to, copy->near, sizeof *p->near, &copy->near_size, p->near, expr_near_used(p));
    copy->table =
        copied(to, copy->table, sizeof *p->table, &copy->table_size, p->table, p->table_size);
    memcpy(copy->small, p->small, sizeof p->small);
    copy->symbols = p->symbols;
    copy->unknowns = p->unknowns;
    copy->table_used = p->table_used;
    copy->count = p->count;
}

static ah_expr copy_node(const ah_ctx *from, ah_ctx *to, ah_expr e, const ah_expr *made)
{
    const expr_node *n = &from->pool->node[e];
    const arena_mark mark = arena_get_mark(&to->scratch);
    ah_expr *children = NEW_ARRAY(&to->scratch, ah_expr, n->count + 1), copy;
    for (uint32_t i = 0; i < n->count; i++) children[i] = made[n->children[i]];
    if (n->op == EXPR_SYMBOL) {
        copy = expr_symbol(to, (ah_symbol_kind) n->code, from->pool->symbol[n->aux]);
    } else if (n->op == EXPR_NUMBER || n->op == EXPR_PI) {
        const expr_key key = key_of(from->pool, n);
        copy = expr_intern(to, &key);
    } else {
        copy = expr_rebuild_of(to, from, e, children);
    }
    arena_release(&to->scratch, mark);
    return copy;
}

/* A node is younger than what it is made of: downwards what is needed, upwards its copies. */
void expr_copy(const ah_ctx *from, ah_ctx *to, size_t count, const ah_expr *e, ah_expr *out)
{
    const expr_pool *p = from->pool;
    if (from == to) {
        memcpy(out, e, count * sizeof *out);
        return;
    }
    const arena_mark mark = arena_get_mark(&to->scratch);
    bool *needed = NEW_ARRAY(&to->scratch, bool, p->count + 1);
    ah_expr *made = NEW_ARRAY(&to->scratch, ah_expr, p->count + 1);
    for (size_t i = 0; i < count; i++) needed[e[i]] = true;
    for (uint32_t k = p->count; k-- > 1;)
        for (uint32_t i = 0; needed[k] && i < p->node[k].count; i++)
            needed[p->node[k].children[i]] = true;
    for (uint32_t k = 1; k < p->count; k++)
        if (needed[k]) made[k] = copy_node(from, to, k, made);
    for (size_t i = 0; i < count; i++) out[i] = made[e[i]];
    arena_release(&to->scratch, mark);
}
