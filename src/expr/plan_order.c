/* expr/plan_order.c - positions of a walk in an order in which what is made is used soon.
 *
 * The graph is gone through from a root outwards: what uses something that is there comes next, with all that it needs. Along a
 * chain of bodies that is body by body, whatever the order in which they were written or differentiated. */
#include "plan_inside.h"
#include "pool.h"

/* What more than these use, a mass or a number, is everywhere: it leads nowhere. */
#define MOST_PARENTS 64

typedef struct ordering {
    const ah_ctx *ctx;
    const expr_walk *walk;
    uint32_t *first, *parent; /* of position i: parent[first[i]] .. parent[first[i + 1] - 1] */
    uint32_t *open, *stack;   /* open: its children up to here are done */
    bool *done;
    uint32_t *order;
    size_t count;
} ordering;

static void find_parents(ordering *o, arena *a)
{
    const expr_walk *w = o->walk;
    const size_t edges = w->start[w->count];
    o->first = NEW_ARRAY(a, uint32_t, w->count + 2);
    o->parent = NEW_RAW(a, uint32_t, edges + 1);
    for (size_t e = 0; e < edges; e++) o->first[w->child[e] + 2]++;
    for (size_t i = 0; i < w->count; i++) o->first[i + 2] += o->first[i + 1];
    for (size_t i = 0; i < w->count; i++)
        for (size_t e = w->start[i]; e < w->start[i + 1]; e++)
            o->parent[o->first[w->child[e] + 1]++] = (uint32_t) i;
}

static bool is_circular(const ordering *o, uint32_t i)
{
    const expr_node *n = expr_node_of(o->ctx, o->walk->node[i]);
    return n->op == EXPR_CALL && (n->code == AH_SIN || n->code == AH_COS);
}

/* A sine and a cosine of the same come together. */
static void finish(ordering *o, uint32_t i)
{
    o->done[i] = true;
    o->order[o->count++] = i;
    if (!is_circular(o, i)) return;
    const uint32_t *first = o->first + o->walk->child[o->walk->start[i]];
    for (uint32_t k = first[0]; k < first[1] && k < first[0] + MOST_PARENTS; k++)
        if (!o->done[o->parent[k]] && is_circular(o, o->parent[k])) finish(o, o->parent[k]);
}

/* The node at `top` and all that it needs, children first. */
static void make(ordering *o, uint32_t top)
{
    const expr_walk *w = o->walk;
    size_t depth = 0;
    if (!o->done[top]) o->stack[depth++] = top;
    while (depth) {
        const uint32_t i = o->stack[depth - 1];
        const size_t children = w->start[i + 1] - w->start[i];
        const uint32_t *child = w->child + w->start[i];
        while (o->open[i] < children && o->done[child[o->open[i]]]) o->open[i]++;
        if (o->open[i] < children) {
            o->stack[depth++] = child[o->open[i]];
            continue;
        }
        finish(o, i);
        depth--;
    }
}

const uint32_t *expr_plan_order(ah_ctx *ctx, const expr_walk *w, const ah_expr *roots, size_t count)
{
    arena *a = &ctx->scratch;
    size_t looked = 0;
    ordering o = {.ctx = ctx,
                  .walk = w,
                  .open = NEW_ARRAY(a, uint32_t, w->count + 1),
                  .stack = NEW_RAW(a, uint32_t, w->count + 1),
                  .done = NEW_ARRAY(a, bool, w->count + 1),
                  .order = NEW_RAW(a, uint32_t, w->count + 1)};
    find_parents(&o, a);
    for (size_t i = 0; i < count; i++) {
        make(&o, (uint32_t) expr_walk_find(w, roots[i]));
        for (; looked < o.count; looked++) {
            const uint32_t *first = o.first + o.order[looked];
            ctx_tick(ctx);
            if (first[1] - first[0] > MOST_PARENTS) continue;
            for (uint32_t k = first[0]; k < first[1]; k++) make(&o, o.parent[k]);
        }
    }
    return o.order;
}
