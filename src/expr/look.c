/* expr/look.c - reading the graph. */
#include "pool.h"
#include <string.h>

expr_op expr_get_op(const ah_ctx *ctx, ah_expr e)
{
    return expr_op_of(ctx, e);
}

size_t expr_get_count(const ah_ctx *ctx, ah_expr e)
{
    return expr_node_of(ctx, e)->count;
}

const ah_expr *expr_get_children(const ah_ctx *ctx, ah_expr e)
{
    const expr_node *n = expr_node_of(ctx, e);
    return n->op == EXPR_NUMBER ? NULL : n->children;
}

ah_function expr_get_function(const ah_ctx *ctx, ah_expr e)
{
    return (ah_function) expr_node_of(ctx, e)->code;
}

ah_symbol_kind expr_get_kind(const ah_ctx *ctx, ah_expr e)
{
    return (ah_symbol_kind) expr_node_of(ctx, e)->code;
}

const char *expr_get_name(const ah_ctx *ctx, ah_expr e)
{
    const expr_node *n = expr_node_of(ctx, e);
    return n->op == EXPR_SYMBOL ? ctx->pool->symbol[n->aux] : ctx->pool->unknown[n->aux].name;
}

const uint8_t *expr_get_orders(const ah_ctx *ctx, ah_expr e)
{
    return ctx->pool->unknown[expr_node_of(ctx, e)->aux].orders;
}

bool expr_is_zero(const ah_ctx *ctx, ah_expr e)
{
    return (void) ctx, e == EXPR_ZERO;
}

bool expr_is_one(const ah_ctx *ctx, ah_expr e)
{
    return (void) ctx, e == EXPR_ONE;
}

size_t expr_pool_size(const ah_ctx *ctx)
{
    return ctx->pool ? ctx->pool->count : 1;
}

uint32_t expr_slot(const ah_ctx *ctx, ah_expr symbol)
{
    return expr_node_of(ctx, symbol)->aux;
}

uint32_t expr_slots(const ah_ctx *ctx)
{
    return ctx->pool ? ctx->pool->symbols : 0;
}

/* ---- Walks ----------------------------------------------------------------------------------- */

static uint32_t new_epoch(expr_pool *p)
{
    if (++p->epoch == 0) {
        memset(p->mark, 0, p->marked * sizeof *p->mark);
        p->epoch = 1;
    }
    return p->epoch;
}

/* Marks for all nodes up to `top`. */
static void reserve_marks(ah_ctx *ctx, expr_pool *p, ah_expr top)
{
    if (top < p->marked) return;
    if (p->mark_capacity <= top) {
        p->mark = ctx_realloc(ctx, p->mark, p->mark_capacity * sizeof *p->mark,
                              p->capacity * sizeof *p->mark);
        p->mark_capacity = p->capacity; /* as many as there may be nodes */
    }
    memset(p->mark + p->marked, 0, (top + 1 - p->marked) * sizeof *p->mark);
    p->marked = top + 1;
}

static bool is_met(const expr_pool *p, uint32_t epoch, ah_expr e)
{
    return e < p->marked && p->mark[e].stamp == epoch;
}

static void reserve_found(ah_ctx *ctx, expr_pool *p, size_t need)
{
    size_t old = p->found_capacity, wider = old ? old : 256;
    if (need <= old) return;
    while (wider < need) wider *= 2;
    p->found = ctx_realloc(ctx, p->found, old * sizeof *p->found, wider * sizeof *p->found);
    p->found_capacity = wider;
}

/* Among what was found, with room for one more. */
static inline size_t meet(const expr_pool *p, size_t count, ah_expr e)
{
    if (p->mark[e].stamp == p->epoch) return count;
    p->mark[e].stamp = p->epoch;
    p->found[count] = e;
    return count + 1;
}

static uint32_t highest_bit(uint64_t x)
{
    return 63 - (uint32_t) __builtin_clzll(x);
}

static uint32_t lowest_bit(uint64_t x)
{
    return (uint32_t) __builtin_ctzll(x);
}

/* Going through the whole pool downwards: children are older than their parents, so one pass finds all that those found so far reach.
 * A bit a node: marks of a large pool would not stay at hand. */
static size_t sweep_down(ah_ctx *ctx, expr_pool *p, ah_expr top, size_t count)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    uint64_t *met = NEW_ARRAY(&ctx->scratch, uint64_t, top / 64 + 1);
    for (size_t i = 0; i < count; i++) met[p->found[i] / 64] |= UINT64_C(1) << p->found[i] % 64;
    count = 0;
    for (size_t k = top / 64 + 1; k-- > 0;)
        for (uint64_t left = met[k], bit; left; left = met[k] & (bit - 1), count++) {
            const uint32_t at = highest_bit(left);
            const expr_node *n = &p->node[64 * k + at];
            bit = UINT64_C(1) << at;
            for (uint32_t j = 0; j < n->count; j++)
                met[n->children[j] / 64] |= UINT64_C(1) << n->children[j] % 64;
        }
    reserve_found(ctx, p, count);
    count = 0;
    for (size_t k = 0; k <= top / 64; k++)
        for (uint64_t left = met[k]; left; left &= left - 1) {
            const size_t e = 64 * k + lowest_bit(left);
            p->mark[e].stamp = p->epoch;
            p->found[count++] = e;
        }
    arena_release(&ctx->scratch, mark);
    return count;
}

/* Parents were found before their children, which are older: backwards they are nearly sorted. */
static void turn_round(uint64_t *found, size_t count)
{
    for (size_t i = 0, k = count; i + 1 < k; i++) {
        const uint64_t last = found[--k];
        found[k] = found[i];
        found[i] = last;
    }
}

/* Leaves the reachable nodes, ascending, in p->found: by following children as long as they are few
 * among all, otherwise by the pass over the pool. */
static size_t search(ah_ctx *ctx, expr_pool *p, const ah_expr *roots, size_t roots_count)
{
    size_t count = 0;
    ah_expr top = 0;
    new_epoch(p);
    reserve_found(ctx, p, roots_count);
    for (size_t i = 0; i < roots_count; i++) top = roots[i] > top ? roots[i] : top;
    reserve_marks(ctx, p, top);
    for (size_t i = 0; i < roots_count; i++) count = meet(p, count, roots[i]);
    if (!count) return 0; /* a new pool has no room yet */
    if (roots_count == 1 && !p->node[top].count)
        return 1; /* many are asked about that are one symbol */
    const size_t few = 64 + top / 16;
    for (size_t i = 0; i < count && count < few; i++) {
        const expr_node *n = &p->node[p->found[i]];
        if (count + n->count > p->found_capacity) reserve_found(ctx, p, count + n->count);
        for (uint32_t j = 0; j < n->count; j++) count = meet(p, count, n->children[j]);
    }
    ctx_tick(ctx);
    if (count >= few) return sweep_down(ctx, p, top, count);
    reserve_found(ctx, p, 2 * count);
    turn_round(p->found, count);
    expr_sort(p->found, p->found + count, count);
    return count;
}

/* Of one expression several things are asked in turn: its symbols, then its gradient. They are found once. */
static size_t reach(ah_ctx *ctx, const ah_expr *roots, size_t roots_count)
{
    expr_pool *p = expr_pool_of(ctx);
    const ah_expr root = roots_count == 1 ? roots[0] : AH_NONE;
    if (root != AH_NONE && root == p->root) {
        if (p->node[root].count) ctx_tick(ctx); /* work is counted as it would be */
        return p->met;
    }
    p->root = AH_NONE; /* the search may be interrupted */
    p->met = search(ctx, p, roots, roots_count);
    p->root = root;
    return p->met;
}

void expr_rest(ah_ctx *ctx)
{
    expr_pool *p = ctx->pool;
    if (!p) return;
    if (p->mark) ctx_realloc(ctx, p->mark, p->mark_capacity * sizeof *p->mark, 0);
    if (p->found) ctx_realloc(ctx, p->found, p->found_capacity * sizeof *p->found, 0);
    p->mark = NULL;
    p->found = NULL;
    p->marked = p->mark_capacity = 0;
    p->found_capacity = 0;
    p->root = AH_NONE;
}

expr_walk expr_walk_begin(ah_ctx *ctx, const ah_expr *roots, size_t roots_count)
{
    size_t count = reach(ctx, roots, roots_count), edges = 0;
    expr_pool *p = ctx->pool;
    ah_expr *node = NEW_RAW(&ctx->scratch, ah_expr, count + 1);
    size_t *start = NEW_RAW(&ctx->scratch, size_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        node[i] = (ah_expr) p->found[i];
        start[i] = edges;
        edges += p->node[node[i]].count;
        p->mark[node[i]].place = (uint32_t) i;
    }
    start[count] = edges;
    uint32_t *child = NEW_RAW(&ctx->scratch, uint32_t, edges + 1);
    for (size_t i = 0; i < count; i++) {
        const expr_node *n = &p->node[node[i]];
        for (uint32_t j = 0; j < n->count; j++) child[start[i] + j] = p->mark[n->children[j]].place;
    }
    return (expr_walk){
        .count = count, .node = node, .start = start, .child = child, .pool = p, .epoch = p->epoch};
}

size_t expr_walk_find(const expr_walk *w, ah_expr e)
{
    if (w->epoch == w->pool->epoch)
        return is_met(w->pool, w->epoch, e) ? w->pool->mark[e].place : EXPR_NOWHERE;
    size_t low = 0, high = w->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->node[middle] < e)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->count && w->node[low] == e ? low : EXPR_NOWHERE;
}

/* ---- Questions about what is reachable ------------------------------------------------------- */

expr_list expr_reachable(ah_ctx *ctx, arena *a, const ah_expr *roots, size_t roots_count)
{
    size_t count = reach(ctx, roots, roots_count);
    expr_list list = {.at = NEW_RAW(a, ah_expr, count), .count = count, .capacity = count};
    for (size_t i = 0; i < count; i++) list.at[i] = (ah_expr) ctx->pool->found[i];
    return list;
}

expr_list expr_symbols(ah_ctx *ctx, arena *a, const ah_expr *roots, size_t roots_count)
{
    size_t count = reach(ctx, roots, roots_count), symbols = 0;
    const uint64_t *found = ctx->pool->found;
    for (size_t i = 0; i < count; i++)
        symbols += expr_op_of(ctx, (ah_expr) found[i]) == EXPR_SYMBOL;
    expr_list list = {.at = NEW_ARRAY(a, ah_expr, symbols), .capacity = symbols};
    for (size_t i = 0; i < count; i++)
        if (expr_op_of(ctx, (ah_expr) found[i]) == EXPR_SYMBOL)
            list.at[list.count++] = (ah_expr) found[i];
    return list;
}

bool expr_depends(ah_ctx *ctx, ah_expr e, ah_expr symbol)
{
    reach(ctx, &e, 1);
    return is_met(ctx->pool, ctx->pool->epoch, symbol);
}

bool expr_depends_kind(ah_ctx *ctx, ah_expr e, ah_symbol_kind kind)
{
    size_t count = reach(ctx, &e, 1);
    for (size_t i = 0; i < count; i++) {
        const expr_node *n = expr_node_of(ctx, (ah_expr) ctx->pool->found[i]);
        if (n->op == EXPR_SYMBOL && n->code == kind) return true;
    }
    return false;
}

bool expr_is_fixed(ah_ctx *ctx, ah_expr e)
{
    const size_t count = reach(ctx, &e, 1);
    for (size_t i = 0; i < count; i++) {
        const expr_node *n = expr_node_of(ctx, (ah_expr) ctx->pool->found[i]);
        if (n->op == EXPR_SYMBOL && n->code != AH_PARAMETER) return false;
    }
    return true;
}

enum { MOST_DEGREE = 1000 }; /* that is still counted */

size_t expr_operations(ah_ctx *ctx, const ah_expr *roots, size_t roots_count)
{
    size_t count = reach(ctx, roots, roots_count), operations = 0;
    for (size_t i = 0; i < count; i++) {
        const expr_node *n = expr_node_of(ctx, (ah_expr) ctx->pool->found[i]);
        if (n->op == EXPR_SUM || n->op == EXPR_PRODUCT)
            operations += n->count - 1;
        else
            operations += n->op >= EXPR_POWER;
    }
    return operations;
}

double expr_written(ah_ctx *ctx, ah_expr e)
{
    arena *a = &ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const expr_list all = expr_reachable(ctx, a, &e, 1);
    double *nodes = NEW_ARRAY(a, double, all.count + 1);
    for (size_t i = 0; i < all.count; i++) {
        const expr_node *n = expr_node_of(ctx, all.at[i]);
        nodes[i] = 1;
        for (uint32_t k = 0; n->op != EXPR_NUMBER && k < n->count; k++)
            nodes[i] += nodes[expr_find(&all, n->children[k])];
    }
    const double sum = nodes[all.count - 1];
    arena_release(a, mark);
    return sum;
}

/* Of a node, from the degrees of its children. */
static int degree_of(ah_ctx *ctx, const expr_list *all, const int *degree, ah_expr e)
{
    const expr_node *n = expr_node_of(ctx, e);
    if (n->op == EXPR_NUMBER) return 0;
    int sum = 0, first = n->count ? degree[expr_find(all, n->children[0])] : 0;
    long p, q;
    bool same = true;
    for (uint32_t k = 0; k < n->count; k++) {
        const int own = degree[expr_find(all, n->children[k])];
        if (own < 0) return -1;
        same = same && own == first;
        sum += own;
    }
    switch ((expr_op) n->op) {
    case EXPR_SUM: return same ? first : -1;
    case EXPR_PRODUCT: return sum;
    case EXPR_POWER:
        if (sum == 0) return 0;
        if (!expr_is_rational(ctx, n->children[1], &p, &q) || q != 1 || p < 1) return -1;
        return p <= MOST_DEGREE && first <= MOST_DEGREE ? first * (int) p : -1;
    default: return sum == 0 ? 0 : -1;
    }
}

int expr_degree(ah_ctx *ctx, ah_expr e, ah_symbol_kind kind)
{
    arena *a = &ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const expr_list all = expr_reachable(ctx, a, &e, 1);
    int *degree = NEW_ARRAY(a, int, all.count + 1);
    for (size_t i = 0; i < all.count; i++)
        degree[i] = expr_get_op(ctx, all.at[i]) == EXPR_SYMBOL
                        ? expr_get_kind(ctx, all.at[i]) == kind
                        : degree_of(ctx, &all, degree, all.at[i]);
    const int out = degree[all.count - 1];
    arena_release(a, mark);
    return out;
}

size_t expr_find(const expr_list *list, ah_expr e)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->at[middle] < e)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && list->at[low] == e ? low : EXPR_NOWHERE;
}

bool expr_is_among(const expr_list *list, ah_expr e)
{
    bool found = false;
    for (size_t i = 0; i < list->count && !found; i++) found = list->at[i] == e;
    return found;
}
