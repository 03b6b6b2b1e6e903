/* expr/pool.c - the shared graph: every node is made once. */
#include "pool.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Children lie in chunks that never move. */
struct expr_chunk {
    expr_chunk *next;
    size_t used, capacity;
    ah_expr at[];
};
#define CHUNK_CHILDREN ((size_t) 16384)

static size_t chunk_bytes(size_t capacity)
{
    return sizeof(expr_chunk) + capacity * sizeof(ah_expr);
}

/* ---- Creation -------------------------------------------------------------------------------- */

static void discard(ah_ctx *ctx, void *at, size_t element, size_t count)
{
    if (at) ctx_realloc(ctx, at, element * count, 0);
}

static void destroy(void *data)
{
    expr_pool *p = data;
    ah_ctx *ctx = p->ctx;
    while (p->chunks) {
        expr_chunk *next = p->chunks->next;
        ctx_realloc(ctx, p->chunks, chunk_bytes(p->chunks->capacity), 0);
        p->chunks = next;
    }
    for (int i = 0; i < EXPR_JACOBIANS; i++)
        if (p->jacobian[i]) expr_jacobian_destroy(ctx, p->jacobian[i]);
    if (p->numbers) expr_numbers_destroy(ctx, p->numbers);
    discard(ctx, p->node, sizeof *p->node, p->capacity);
    discard(ctx, p->mark, sizeof *p->mark, p->mark_capacity);
    discard(ctx, p->near, sizeof *p->near, p->near_size);
    discard(ctx, p->table, sizeof *p->table, p->table_size);
    discard(ctx, p->symbol, sizeof *p->symbol, p->symbol_capacity);
    discard(ctx, p->look, sizeof *p->look, p->look_size);
    discard(ctx, p->unknown, sizeof *p->unknown, p->unknown_capacity);
    discard(ctx, p->found, sizeof *p->found, p->found_capacity);
}

static void create(ah_ctx *ctx)
{
    expr_pool *p = NEW(&ctx->store, expr_pool);
    p->ctx = ctx;
    p->count = 1; /* handle 0 is AH_NONE */
    ctx_own(ctx, destroy, p);
    p->numbers = expr_numbers_create(ctx);
    ctx->pool = p;
}

expr_pool *expr_pool_made(ah_ctx *ctx)
{
    if (!ctx->pool) create(ctx);
    /* A failed allocation may have ended the first attempt half way. */
    if (ctx->pool->count <= EXPR_HALF) {
        expr_numbers_seed(ctx);
        assert(ctx->pool->count == EXPR_HALF + 1);
    }
    return ctx->pool;
}

/* ---- Hashing --------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t value)
{
    h = (h ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 32);
}

static uint64_t mix_text(uint64_t h, const char *s)
{
    while (*s) h = mix(h, (unsigned char) *s++);
    return h;
}

/* Children two at a time: most nodes have two or three. */
static uint64_t mix_children(uint64_t h, const ah_expr *child, uint32_t count)
{
    for (; count > 1; count -= 2, child += 2) h = mix(h, (uint64_t) child[0] << 32 | child[1]);
    return count ? mix(h, *child) : h;
}

static uint32_t key_hash(const expr_key *key)
{
    uint64_t h = mix_children((uint64_t) key->op << 8 | key->code, key->children, key->count);
    if (key->number) h = mix(h, expr_numbers_hash(key->number));
    if (key->name) h = mix_text(h, key->name);
    for (uint32_t i = 0; key->orders && i < key->count; i++) h = mix(h, key->orders[i]);
    return (uint32_t) (h >> 16);
}

static bool matches(const expr_pool *p, const expr_node *n, const expr_key *key)
{
    if (n->op != key->op || n->code != key->code || n->count != key->count) return false;
    if (key->op == EXPR_NUMBER) return expr_numbers_equal(n->number, key->number);
    if (key->op == EXPR_SYMBOL) return !strcmp(p->symbol[n->aux], key->name);
    if (key->op == EXPR_UNKNOWN) {
        const expr_unknown_data *u = &p->unknown[n->aux];
        if (strcmp(u->name, key->name)) return false;
        if (key->count && memcmp(u->orders, key->orders, key->count)) return false;
    }
    return !key->count || !memcmp(n->children, key->children, key->count * sizeof(ah_expr));
}

/* What is built has mostly just been asked for, or has young children, so entries are kept near their youngest child: a
 * bucket of BUCKET entries serves BUCKET_NODES handles and is in the cache more often than a place that the hash chooses
 * among all. An entry is the handle, counted from the first of the bucket's, with 8 bits of the hash below; 0 is empty. Nodes
 * with many parents fill their bucket: the rest go to the common table, where an entry is hash << 32 | handle, leaves too,
 * and so do nodes that are NEAR or more younger than the child. */
#define BUCKET       8
#define BUCKET_NODES 4
#define NEAR         ((uint32_t) 1 << 24)

/* Where a key is, or where it belongs. */
typedef struct spot {
    ah_expr found; /* AH_NONE: nowhere */
    bool far;      /* in the table, not in a bucket */
    size_t at;
} spot;

static ah_expr youngest(const expr_key *key)
{
    const ah_expr first = key->children[0], last = key->children[key->count - 1];
    return first > last ? first : last;
}

/* False: the bucket is full, or what would be made now is too far from it. */
static bool find_near(const expr_pool *p, const expr_key *key, uint32_t hash, spot *s)
{
    const uint32_t bucket = youngest(key) / BUCKET_NODES;
    const ah_expr base = bucket * BUCKET_NODES;
    const uint32_t *entry = p->near + (size_t) bucket * BUCKET;
    for (size_t i = 0; i < BUCKET; i++) {
        s->at = (size_t) bucket * BUCKET + i;
        if (!entry[i]) return p->count - base < NEAR;
        if ((entry[i] & 255) != (hash & 255)) continue;
        const ah_expr e = base + (entry[i] >> 8);
        if (!matches(p, &p->node[e], key)) continue;
        s->found = e;
        return true;
    }
    return false;
}

static void find_far(const expr_pool *p, const expr_key *key, uint32_t hash, spot *s)
{
    const uint32_t mask = p->table_size - 1;
    uint32_t i = hash & mask;
    for (; p->table[i]; i = (i + 1) & mask)
        if ((uint32_t) (p->table[i] >> 32) == hash &&
            matches(p, &p->node[(uint32_t) p->table[i]], key))
            break;
    *s = (spot){.found = (ah_expr) p->table[i], .far = true, .at = i};
}

/* ---- Growing: everything that can fail comes before the first change ------------------------- */

static const char too_many[] = "the expressions have more nodes than the limit allows";

static void *grow(ah_ctx *ctx, void *at, size_t element, uint32_t *capacity, uint32_t need,
                  uint32_t first)
{
    if (need <= *capacity) return at;
    uint32_t wider = *capacity ? *capacity * 2 : first;
    if (wider < need) ctx_raise_limit(ctx, too_many); /* past 2^32 */
    at = ctx_realloc(ctx, at, *capacity * element, (size_t) wider * element);
    *capacity = wider;
    return at;
}

static void grow_table(ah_ctx *ctx, expr_pool *p)
{
    uint32_t old = p->table_size, size = old ? old * 2 : 1024;
    if ((uint64_t) p->table_used * 2 < old) return;
    if (size < old) ctx_raise_limit(ctx, too_many);
    uint64_t *table = ctx_realloc(ctx, NULL, 0, size * sizeof *table);
    memset(table, 0, size * sizeof *table);
    for (uint32_t i = 0; i < old; i++) {
        if (!p->table[i]) continue;
        uint32_t at = (uint32_t) (p->table[i] >> 32) & (size - 1);
        while (table[at]) at = (at + 1) & (size - 1);
        table[at] = p->table[i];
    }
    discard(ctx, p->table, sizeof *table, old);
    p->table = table;
    p->table_size = size;
}

/* Room for one node more, and for the bucket of what will have it for a child. Buckets are emptied as they come into
 * use: what lies beyond is never touched. */
static void grow_nodes(ah_ctx *ctx, expr_pool *p)
{
    const bool first = !p->near;
    if (p->count >= ctx->limits.nodes) ctx_raise_limit(ctx, too_many);
    p->near = grow(ctx, p->near, sizeof *p->near, &p->near_size,
                   (p->count / BUCKET_NODES + 1) * BUCKET, 1024);
    if (first) memset(p->near, 0, BUCKET * sizeof *p->near);
    p->node = grow(ctx, p->node, sizeof *p->node, &p->capacity, p->count + 1, 256);
}

size_t expr_near_used(const expr_pool *p)
{
    return ((p->count - 1) / BUCKET_NODES + 1) * BUCKET;
}

static void reserve_children(ah_ctx *ctx, expr_pool *p, size_t count)
{
    if (!count || (p->chunks && p->chunks->capacity - p->chunks->used >= count)) return;
    size_t capacity = count > CHUNK_CHILDREN ? count : CHUNK_CHILDREN;
    expr_chunk *chunk = ctx_realloc(ctx, NULL, 0, chunk_bytes(capacity));
    *chunk = (expr_chunk){.next = p->chunks, .capacity = capacity};
    p->chunks = chunk;
}

static void reserve(ah_ctx *ctx, expr_pool *p, const expr_key *key)
{
    if (key->count >> EXPR_COUNT_BITS)
        ctx_raise_limit(ctx, "a sum, product or function has too many operands");
    grow_nodes(ctx, p);
    reserve_children(ctx, p, key->count);
    if (key->op == EXPR_NUMBER) expr_numbers_reserve(ctx, p->numbers);
    if (key->op == EXPR_SYMBOL)
        p->symbol =
            grow(ctx, p->symbol, sizeof *p->symbol, &p->symbol_capacity, p->symbols + 1, 32);
    if (key->op == EXPR_UNKNOWN)
        p->unknown =
            grow(ctx, p->unknown, sizeof *p->unknown, &p->unknown_capacity, p->unknowns + 1, 8);
}

/* ---- Interning ------------------------------------------------------------------------------- */

static const ah_expr *keep_children(expr_pool *p, const expr_key *key)
{
    if (!key->count) return NULL;
    ah_expr *at = p->chunks->at + p->chunks->used;
    memcpy(at, key->children, key->count * sizeof *at);
    p->chunks->used += key->count;
    return at;
}

static uint32_t keep_symbol(expr_pool *p, const char *name)
{
    p->symbol[p->symbols] = name;
    return p->symbols++;
}

static uint32_t keep_unknown(expr_pool *p, const char *name, const uint8_t *orders)
{
    p->unknown[p->unknowns] = (expr_unknown_data){.name = name, .orders = orders};
    return p->unknowns++;
}

/* Numbers, symbols and unspecified functions, with what belongs to them. */
static void keep_leaf(ah_ctx *ctx, expr_pool *p, const expr_key *key, expr_node *n)
{
    const char *name = key->name ? arena_strdup(&ctx->store, key->name) : NULL;
    uint8_t *orders = key->orders ? arena_alloc(&ctx->store, key->count + 1) : NULL;
    /* From here on nothing fails. */
    if (orders) memcpy(orders, key->orders, key->count);
    if (key->op == EXPR_NUMBER) n->number = expr_numbers_keep(p->numbers, key->number);
    if (key->op == EXPR_SYMBOL) n->aux = keep_symbol(p, name);
    if (key->op == EXPR_UNKNOWN) n->aux = keep_unknown(p, name, orders);
}

static ah_expr append(ah_ctx *ctx, expr_pool *p, const expr_key *key)
{
    const ah_expr e = p->count;
    reserve(ctx, p, key);
    expr_node n = {
        .op = (uint32_t) key->op, .code = key->code, .count = key->count, .aux = key->aux};
    if (key->number || key->name) keep_leaf(ctx, p, key, &n);
    if (!key->number) n.children = keep_children(p, key);
    if (e % BUCKET_NODES == 0)
        memset(p->near + e / BUCKET_NODES * BUCKET, 0, BUCKET * sizeof *p->near);
    p->node[e] = n;
    p->count++;
    return e;
}

ah_expr expr_intern(ah_ctx *ctx, const expr_key *key)
{
    expr_pool *p = ctx->pool;
    const uint32_t hash = key_hash(key);
    spot s = {.found = AH_NONE};
    if (!key->count || !find_near(p, key, hash, &s)) {
        grow_table(ctx, p);
        find_far(p, key, hash, &s);
    }
    if (s.found) return s.found;
    ctx_tick(ctx);
    const ah_expr e = append(ctx, p, key);
    if (s.far) {
        p->table[s.at] = (uint64_t) hash << 32 | e;
        p->table_used++;
    } else {
        p->near[s.at] = (e - (uint32_t) (s.at / BUCKET) * BUCKET_NODES) << 8 | (hash & 255);
    }
    return e;
}

/* ---- Sorting --------------------------------------------------------------------------------- */

static void insertion_sort(uint64_t *a, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t x = a[i];
        size_t j = i;
        for (; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1];
        a[j] = x;
    }
}

/* Byte-wise radix sort, skipping the bytes in which all keys agree. */
static void radix_sort(uint64_t *a, uint64_t *spare, size_t n)
{
    uint64_t *from = a, *to = spare, differ = 0;
    for (size_t i = 1; i < n; i++) differ |= a[i] ^ a[0];
    for (int shift = 0; shift < 64; shift += 8) {
        if (!(differ >> shift & 255)) continue;
        size_t count[256] = {0}, sum = 0;
        for (size_t i = 0; i < n; i++) count[from[i] >> shift & 255]++;
        for (size_t b = 0; b < 256; b++) {
            size_t here = count[b];
            count[b] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++) to[count[from[i] >> shift & 255]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != a) memcpy(a, from, n * sizeof *a);
}

void expr_sort(uint64_t *a, uint64_t *spare, size_t n)
{
    size_t sorted = 1;
    while (sorted < n && a[sorted - 1] <= a[sorted]) sorted++;
    if (sorted >= n) return;
    if (n <= 48)
        insertion_sort(a, n);
    else
        radix_sort(a, spare, n);
}
