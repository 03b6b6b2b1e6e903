/* numeric/symmetric.c - L D Lᵀ in an order of few neighbours, as a list of updates. */
#include "symmetric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many updates an unknown are still better than looking for pivots; a chain takes about five. */
#define MOST_UPDATES 64

/* `at` has the n pivots, then the columns of L below them, in the order of elimination. */
struct symmetric {
    uint32_t n, first; /* unknowns; of them those of M */
    uint32_t *order;   /* the unknown that is eliminated as k-th */
    uint32_t *start;   /* n + 1: column k of L is start[k] .. start[k+1]-1 */
    uint32_t *row;
    uint32_t
        *target; /* what the products of the entries of a column are taken from, column by column */
    uint32_t *place;    /* of each entry of M and J in `at`; ABSENT: of the upper triangle of M */
    uint32_t *position; /* of each unknown in the order */
    size_t entries;
    double *at, *whole, *work; /* whole: the pivots of J M⁻¹ Jᵀ before the first of them is taken */
};

#define ABSENT UINT32_MAX

/* ---- The order ------------------------------------------------------------------------------- */

typedef LIST(uint32_t) neighbours;

/* The graph of what is not eliminated yet; unknowns that may be taken are chained by their number of neighbours. */
typedef struct graph {
    arena *arena;
    uint32_t n;
    neighbours *of;
    uint32_t *head, *next, *before, *mark; /* `before` of the first of a chain is n + its degree */
    bool *chained;
    uint32_t least;
} graph;

static void chain(graph *g, uint32_t v)
{
    const uint32_t degree = (uint32_t) g->of[v].count;
    g->next[v] = g->head[degree];
    g->before[v] = g->n + degree;
    if (g->head[degree] != ABSENT) g->before[g->head[degree]] = v;
    g->head[degree] = v;
    g->chained[v] = true;
    if (degree < g->least) g->least = degree;
}

static void unchain(graph *g, uint32_t v)
{
    const uint32_t before = g->before[v];
    if (before >= g->n)
        g->head[before - g->n] = g->next[v];
    else
        g->next[before] = g->next[v];
    if (g->next[v] != ABSENT) g->before[g->next[v]] = before;
    g->chained[v] = false;
}

static void connect(graph *g, uint32_t u, uint32_t v)
{
    LIST_PUSH(g->arena, &g->of[u], v);
    LIST_PUSH(g->arena, &g->of[v], u);
}

/* Neighbours of v become neighbours of each other, and v leaves. */
static void eliminate_one(graph *g, uint32_t v)
{
    const neighbours N = g->of[v];
    for (size_t i = 0; i < N.count; i++) {
        const uint32_t u = N.at[i];
        const bool chained = g->chained[u];
        neighbours *of = &g->of[u];
        if (chained) unchain(g, u);
        size_t kept = 0;
        for (size_t k = 0; k < of->count; k++)
            if (of->at[k] != v) of->at[kept++] = of->at[k];
        of->count = kept;
        for (size_t k = 0; k < kept; k++) g->mark[of->at[k]] = u + 1;
        for (size_t k = 0; k < N.count; k++)
            if (N.at[k] != u && g->mark[N.at[k]] != u + 1) LIST_PUSH(g->arena, of, N.at[k]);
        for (size_t k = 0; k < kept; k++) g->mark[of->at[k]] = 0;
        if (chained) chain(g, u);
    }
}

/* Unknowns from .. to-1 in the order of few neighbours; false: too many updates. Of ties the first in the given
 * order goes first, so that neighbours in a chain stay near each other in memory. */
static bool order_part(symmetric *s, graph *g, uint32_t from, uint32_t to, size_t *updates)
{
    const size_t most = (size_t) MOST_UPDATES * s->n;
    g->least = g->n;
    for (uint32_t v = to; v-- > from;) chain(g, v);
    for (uint32_t k = from; k < to; k++) {
        while (g->head[g->least] == ABSENT) g->least++;
        const uint32_t v = g->head[g->least];
        const size_t degree = g->of[v].count;
        *updates += degree * (degree + 1) / 2;
        if (*updates > most) return false;
        unchain(g, v);
        s->order[k] = v;
        s->position[v] = k;
        eliminate_one(g, v);
    }
    return true;
}

/* ---- The list of updates --------------------------------------------------------------------- */

static int ascending(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *) x, b = *(const uint32_t *) y;
    return (a > b) - (a < b);
}

static void lay_columns(symmetric *s, arena *a, const graph *g)
{
    size_t count = 0;
    s->start = NEW_ARRAY(a, uint32_t, (size_t) s->n + 1);
    for (uint32_t k = 0; k < s->n; k++) count += g->of[s->order[k]].count;
    s->row = NEW_ARRAY(a, uint32_t, count + 1);
    for (uint32_t k = 0; k < s->n; k++) {
        const neighbours *N = &g->of[s->order[k]];
        uint32_t *row = s->row + s->start[k];
        for (size_t i = 0; i < N->count; i++) row[i] = s->position[N->at[i]];
        qsort(row, N->count, sizeof *row, ascending);
        s->start[k + 1] = s->start[k] + (uint32_t) N->count;
    }
}

/* Where entry (i, k), i ≥ k in the order, is kept. */
static uint32_t place_of(const symmetric *s, uint32_t i, uint32_t k)
{
    if (i == k) return k;
    const uint32_t *row = s->row + s->start[k];
    uint32_t low = 0, high = s->start[k + 1] - s->start[k];
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (row[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return s->n + s->start[k] + low;
}

static void list_updates(symmetric *s, arena *a, size_t updates)
{
    uint32_t *target = s->target = NEW_ARRAY(a, uint32_t, updates + 1);
    for (uint32_t k = 0; k < s->n; k++)
        for (uint32_t i = s->start[k]; i < s->start[k + 1]; i++)
            for (uint32_t j = s->start[k]; j <= i; j++)
                *target++ = place_of(s, s->row[i], s->row[j]);
}

static uint32_t place_of_entry(const symmetric *s, uint32_t u, uint32_t v)
{
    const uint32_t i = s->position[u], k = s->position[v];
    return i >= k ? place_of(s, i, k) : place_of(s, k, i);
}

static uint32_t entries_of(sparse_pattern m)
{
    return m.rows ? m.start[m.rows] : 0;
}

static void place_entries(symmetric *s, arena *a, sparse_pattern M, sparse_pattern J)
{
    uint32_t *place = s->place = NEW_ARRAY(a, uint32_t, s->entries + 1);
    for (uint32_t i = 0; i < M.rows; i++)
        for (uint32_t p = M.start[i]; p < M.start[i + 1]; p++)
            *place++ = M.col[p] <= i ? place_of_entry(s, i, M.col[p]) : ABSENT;
    for (uint32_t i = 0; i < J.rows; i++)
        for (uint32_t p = J.start[i]; p < J.start[i + 1]; p++)
            *place++ = place_of_entry(s, M.rows + i, J.col[p]);
}

static bool make_graph(graph *g, sparse_pattern M, sparse_pattern J)
{
    g->of = NEW_ARRAY(g->arena, neighbours, g->n);
    g->head = NEW_ARRAY(g->arena, uint32_t, (size_t) g->n + 1);
    g->next = NEW_ARRAY(g->arena, uint32_t, g->n);
    g->before = NEW_ARRAY(g->arena, uint32_t, g->n);
    g->mark = NEW_ARRAY(g->arena, uint32_t, g->n);
    g->chained = NEW_ARRAY(g->arena, bool, g->n);
    for (uint32_t i = 0; i <= g->n; i++) g->head[i] = ABSENT;
    for (uint32_t i = 0; i < M.rows; i++) {
        bool diagonal = false;
        for (uint32_t p = M.start[i]; p < M.start[i + 1]; p++) {
            diagonal = diagonal || M.col[p] == i;
            if (M.col[p] < i) connect(g, i, M.col[p]);
        }
        if (!diagonal) return false;
    }
    for (uint32_t i = 0; i < J.rows; i++)
        for (uint32_t p = J.start[i]; p < J.start[i + 1]; p++) connect(g, M.rows + i, J.col[p]);
    return true;
}

symmetric *symmetric_create(ah_ctx *ctx, arena *a, sparse_pattern M, sparse_pattern J)
{
    symmetric *s = NEW(a, symmetric);
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    graph g = {.arena = &ctx->scratch, .n = M.rows + J.rows};
    size_t updates = 0;
    s->n = g.n;
    s->first = M.rows;
    s->entries = (size_t) entries_of(M) + entries_of(J);
    s->order = NEW_ARRAY(a, uint32_t, (size_t) s->n + 1);
    s->position = NEW_ARRAY(a, uint32_t, (size_t) s->n + 1);
    const bool good = make_graph(&g, M, J) && order_part(s, &g, 0, s->first, &updates) &&
                      order_part(s, &g, s->first, s->n, &updates);
    if (good) lay_columns(s, a, &g);
    if (a != &ctx->scratch) arena_release(&ctx->scratch, mark);
    if (!good) return NULL;
    list_updates(s, a, updates);
    place_entries(s, a, M, J);
    s->at = NEW_ARRAY(a, double, (size_t) s->n + s->start[s->n] + 1);
    s->whole = NEW_ARRAY(a, double, (size_t) s->n + 1);
    s->work = NEW_ARRAY(a, double, (size_t) s->n + 1);
    return s;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static void fill(symmetric *s, const double *entry, const double *diagonal)
{
    memset(s->at, 0, ((size_t) s->n + s->start[s->n]) * sizeof *s->at);
    for (size_t i = 0; i < s->entries; i++)
        if (s->place[i] != ABSENT) s->at[s->place[i]] += entry[i];
    for (uint32_t k = 0; diagonal && k < s->n; k++)
        s->at[k] += s->order[k] < s->first ? diagonal[s->order[k]] : -diagonal[s->order[k]];
}

/* Whether a pivot is good, which was `whole`; *least: of the parts that are left the least so far. The division is made
 * only where it counts. */
static inline bool pivot_holds(double pivot, double whole, double *least)
{
    if (!(pivot > 0 && pivot < INFINITY)) return false;
    if (whole > 0 && pivot >= *least * whole) return true;
    const double share = pivot / whole;
    if (!(share > SYMMETRIC_LEAST)) return false;
    if (share < *least) *least = share;
    return true;
}

/* Columns from .. to-1, whose pivots have the given sign; the least of them as a part of `whole`, or 0. */
static double factor_part(symmetric *s, uint32_t from, uint32_t to, double sign,
                          const uint32_t **target)
{
    double *const at = s->at, least = 1;
    const uint32_t *t = *target;
    for (uint32_t k = from; k < to; k++) {
        if (!pivot_holds(sign * at[k], sign * s->whole[k], &least)) return 0;
        const double inverse = 1 / at[k];
        double *const column = at + s->n + s->start[k];
        const uint32_t count = s->start[k + 1] - s->start[k];
        for (uint32_t i = 0; i < count; i++) {
            const double l = column[i] * inverse;
            for (uint32_t j = 0; j <= i; j++) at[*t++] -= l * column[j];
        }
        for (uint32_t i = 0; i < count; i++) column[i] *= inverse;
    }
    *target = t;
    return least;
}

double symmetric_factor(symmetric *s, const double *entry, const double *diagonal)
{
    const uint32_t *target = s->target;
    fill(s, entry, diagonal);
    memcpy(s->whole, s->at, s->first * sizeof *s->whole);
    const double of_M = factor_part(s, 0, s->first, 1, &target);
    if (of_M == 0) return 0;
    memcpy(s->whole + s->first, s->at + s->first, (s->n - s->first) * sizeof *s->whole);
    const double of_J = factor_part(s, s->first, s->n, -1, &target);
    return fmin(of_M, of_J);
}

/* The unknowns of J are −λ. */
void symmetric_solve(symmetric *s, const double *b, double *x)
{
    double *const w = s->work;
    const double *const pivot = s->at, *const l = s->at + s->n;
    const uint32_t *const start = s->start, *const row = s->row, *const order = s->order;
    const uint32_t n = s->n, first = s->first;
    for (uint32_t k = 0; k < n; k++) w[k] = b[order[k]];
    for (uint32_t k = 0; k < n; k++) {
        const double y = w[k];
        for (uint32_t i = start[k]; i < start[k + 1]; i++) w[row[i]] -= l[i] * y;
    }
    for (uint32_t k = n; k-- > 0;) {
        double sum = w[k] / pivot[k];
        for (uint32_t i = start[k]; i < start[k + 1]; i++) sum -= l[i] * w[row[i]];
        w[k] = sum;
        x[order[k]] = k < first ? sum : -sum;
    }
}
