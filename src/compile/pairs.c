/* compile/pairs.c - products that have pairs of factors in common. */
#include "pairs.h"

/* More products, or longer ones, are left as they are: the work goes with both. */
#define MOST_PRODUCTS 4000
#define MOST_FACTORS  24

typedef struct counted {
    pairs_pair pair;
    uint32_t products; /* in which it stands */
} counted;

typedef struct sharing {
    arena *arena;
    pairs_product *product;
    size_t products;
    LIST(counted) seen;
    uint32_t *table; /* open hash: index in `seen` + 1 */
    size_t size;
} sharing;

static size_t place(const sharing *w, pairs_pair p)
{
    uint64_t h = (((uint64_t) p.a << 32) | p.b) * 0x9e3779b97f4a7c15u;
    h = (h >> 24) & (w->size - 1);
    for (; w->table[h]; h = (h + 1) & (w->size - 1)) {
        const pairs_pair *q = &w->seen.at[w->table[h] - 1].pair;
        if (q->a == p.a && q->b == p.b) break;
    }
    return h;
}

static void enlarge(sharing *w)
{
    w->size = w->size ? 2 * w->size : 256;
    w->table = NEW_ARRAY(w->arena, uint32_t, w->size);
    for (uint32_t i = 0; i < w->seen.count; i++) w->table[place(w, w->seen.at[i].pair)] = i + 1;
}

static counted *entry_of(sharing *w, pairs_pair p)
{
    if (2 * w->seen.count >= w->size) enlarge(w);
    const size_t h = place(w, p);
    if (!w->table[h]) {
        LIST_PUSH(w->arena, &w->seen, ((counted){.pair = p}));
        w->table[h] = (uint32_t) w->seen.count;
    }
    return &w->seen.at[w->table[h] - 1];
}

static bool is_repeated(const pairs_product *p, size_t i, size_t from)
{
    for (size_t k = from; k < i; k++)
        if (p->factor[k] == p->factor[i]) return true;
    return false;
}

/* Each pair of the product once; by: 1, or -1 in unsigned arithmetic. */
static void count_pairs(sharing *w, const pairs_product *p, uint32_t by)
{
    for (size_t i = 0; i < p->count; i++) {
        if (is_repeated(p, i, 0)) continue;
        for (size_t k = i + 1; k < p->count; k++) {
            const uint32_t a = p->factor[i], b = p->factor[k];
            if (is_repeated(p, k, a == b ? i + 1 : 0)) continue;
            entry_of(w, (pairs_pair){a < b ? a : b, a < b ? b : a})->products += by;
        }
    }
}

/* Where the pair stands in the product; false: nowhere. */
static bool find(const pairs_product *p, pairs_pair pair, size_t *first, size_t *second)
{
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = i + 1; k < p->count; k++) {
            const uint32_t a = p->factor[i], b = p->factor[k];
            if ((a == pair.a && b == pair.b) || (a == pair.b && b == pair.a)) {
                *first = i;
                *second = k;
                return true;
            }
        }
    return false;
}

static void replace(sharing *w, pairs_pair pair, uint32_t by)
{
    size_t i, k;
    for (size_t n = 0; n < w->products; n++) {
        pairs_product *p = &w->product[n];
        if (p->count < 2 || !find(p, pair, &i, &k)) continue;
        count_pairs(w, p, -1u);
        do {
            p->factor[i] = by;
            for (p->count--; k < p->count; k++) p->factor[k] = p->factor[k + 1];
        } while (find(p, pair, &i, &k));
        count_pairs(w, p, 1);
    }
}

pairs pairs_share(arena *a, pairs_product *product, size_t count, uint32_t first)
{
    sharing w = {.arena = a, .product = product, .products = count};
    pairs out = {.first = first};
    uint32_t most = 0;
    if (count > MOST_PRODUCTS) return out;
    for (size_t i = 0; i < count; i++)
        if (product[i].count > MOST_FACTORS) return out;
    for (size_t i = 0; i < count; i++) count_pairs(&w, &product[i], 1);
    for (size_t i = 0; i < w.seen.count; i++)
        if (w.seen.at[i].products > most) most = w.seen.at[i].products;
    /* A new pair has a factor that stands in no more products than the pair it was made of: one sweep a level. */
    for (uint32_t level = most; level > 1; level--)
        for (size_t i = 0; i < w.seen.count; i++) {
            if (w.seen.at[i].products != level) continue;
            const pairs_pair pair = w.seen.at[i].pair;
            LIST_PUSH(a, &out.made, pair);
            replace(&w, pair, first + (uint32_t) out.made.count - 1);
        }
    return out;
}
