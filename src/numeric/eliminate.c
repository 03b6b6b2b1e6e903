/* numeric/eliminate.c - see eliminate.h. */
#include "eliminate.h"

#include <math.h>
#include <string.h>

typedef struct term {
    uint32_t index;
    double value;
} term;
typedef LIST(term) terms;

typedef struct pivot_row {
    uint32_t number; /* of the row as it was added */
    uint32_t column;
    double pivot, rhs, rhs_size;
    uint32_t rests, takens;
    const term *rest;  /* the other columns */
    const term *taken; /* multiples of earlier pivot rows that were subtracted */
} pivot_row;

struct eliminate {
    ah_ctx *ctx;
    arena *arena;
    uint32_t columns, added;
    pivot_row *row; /* at most as many as columns */
    uint32_t rows;
    uint32_t *pivot_of; /* column → 1 + index of the pivot row, or 0 */
    double quality;
    terms taken, rest; /* of the row added last; kept in arrays of their own size */

    /* The row at work: dense values, the columns that are in it, and those among them still to be
     * eliminated as a heap of pivot rows, smallest first. */
    double *work, *met; /* met: the largest that a column's value has been … */
    double *column;     /* … and, of all rows, was at first */
    bool *present;
    LIST(uint32_t) pattern, heap;
};

eliminate *eliminate_create(ah_ctx *ctx, arena *a, uint32_t columns)
{
    eliminate *e = NEW(a, eliminate);
    e->ctx = ctx;
    e->arena = a;
    e->columns = columns;
    e->quality = 1;
    e->row = NEW_RAW(a, pivot_row, columns);
    e->pivot_of = NEW_ARRAY(a, uint32_t, columns);
    e->work = NEW_ARRAY(a, double, columns);
    e->met = NEW_ARRAY(a, double, columns);
    e->column = NEW_ARRAY(a, double, columns);
    e->present = NEW_ARRAY(a, bool, columns);
    return e;
}

uint32_t eliminate_rank(const eliminate *e)
{
    return e->rows;
}

double eliminate_quality(const eliminate *e)
{
    return e->quality;
}

static void heap_push(eliminate *e, uint32_t row)
{
    LIST_PUSH(e->arena, &e->heap, row);
    uint32_t *h = e->heap.at;
    for (size_t i = e->heap.count - 1; i > 0 && h[(i - 1) / 2] > h[i]; i = (i - 1) / 2) {
        const uint32_t swap = h[i];
        h[i] = h[(i - 1) / 2];
        h[(i - 1) / 2] = swap;
    }
}

static uint32_t heap_pop(eliminate *e)
{
    uint32_t *h = e->heap.at;
    const uint32_t top = h[0], last = h[--e->heap.count];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < e->heap.count) {
        if (child + 1 < e->heap.count && h[child + 1] < h[child]) child++;
        if (h[child] >= last) break;
        h[i] = h[child];
        i = child;
    }
    h[i] = last;
    return top;
}

static void meet_column(eliminate *e, uint32_t column)
{
    e->present[column] = true;
    LIST_PUSH(e->arena, &e->pattern, column);
    if (e->pivot_of[column]) heap_push(e, e->pivot_of[column] - 1);
}

typedef struct measure {
    double row, rhs; /* the largest numbers met: what round-off is measured by */
    bool each;       /* … or each column's own */
} measure;

/* Where rows fill, all the time goes in here. */
static inline void add_entry(eliminate *e, uint32_t column, double value, measure *size)
{
    const double magnitude = fabs(value);
    if (!e->present[column]) meet_column(e, column);
    e->work[column] += value;
    if (magnitude > size->row) size->row = magnitude;
    if (size->each && magnitude > e->met[column]) e->met[column] = magnitude;
}

/* A pivot row has no entries in earlier pivots' columns, so ascending order meets each pivot once.
 */
static double reduce(eliminate *e, double rhs, measure *size)
{
    while (e->heap.count) {
        const uint32_t k = heap_pop(e);
        const pivot_row *p = &e->row[k];
        const bool noise =
            size->each && fabs(e->work[p->column]) <= ELIMINATE_NOISE * e->met[p->column];
        const double factor = noise ? 0 : e->work[p->column] / p->pivot;
        ctx_tick(e->ctx);
        e->work[p->column] = 0;
        if (factor == 0) continue;
        for (uint32_t i = 0; i < p->rests; i++)
            add_entry(e, p->rest[i].index, -factor * p->rest[i].value, size);
        size->rhs = fmax(size->rhs, fabs(factor) * (size->each ? p->rhs_size : fabs(p->rhs)));
        rhs -= factor * p->rhs;
        LIST_PUSH(e->arena, &e->taken, ((term){k, factor}));
    }
    return rhs;
}

static const term *kept(const eliminate *e, const terms *list)
{
    term *copy = NEW_RAW(e->arena, term, list->count);
    if (list->count) memcpy(copy, list->at, list->count * sizeof *copy);
    return copy;
}

static void keep_row(eliminate *e, uint32_t column, double rhs, const measure *size)
{
    e->rest.count = 0;
    for (size_t i = 0; i < e->pattern.count; i++) {
        const uint32_t c = e->pattern.at[i];
        if (size->each && fabs(e->work[c]) <= ELIMINATE_NOISE * e->met[c]) continue;
        if (c != column && e->work[c] != 0) LIST_PUSH(e->arena, &e->rest, ((term){c, e->work[c]}));
    }
    e->row[e->rows] = (pivot_row){.number = e->added,
                                  .column = column,
                                  .pivot = e->work[column],
                                  .rhs = rhs,
                                  .rhs_size = size->rhs,
                                  .rests = (uint32_t) e->rest.count,
                                  .takens = (uint32_t) e->taken.count,
                                  .rest = kept(e, &e->rest),
                                  .taken = kept(e, &e->taken)};
    e->pivot_of[column] = ++e->rows;
}

static void clear_work(eliminate *e)
{
    for (size_t i = 0; i < e->pattern.count; i++) {
        e->work[e->pattern.at[i]] = e->met[e->pattern.at[i]] = 0;
        e->present[e->pattern.at[i]] = false;
    }
    e->pattern.count = 0;
}

/* The column that is left with most, in what was met; its share in *share. */
static uint32_t best_column(const eliminate *e, const measure *size, double *share)
{
    uint32_t best = 0;
    double most = *share = 0;
    for (size_t i = 0; i < e->pattern.count; i++) {
        const uint32_t c = e->pattern.at[i];
        const double left = fabs(e->work[c]);
        if (left == 0) continue;
        const double part = left / (size->each ? e->met[c] : size->row);
        if (size->each && part <= ELIMINATE_ZERO) continue;
        const double weight = size->each ? left / e->column[c] : left;
        if (weight <= most) continue;
        best = c;
        most = weight;
        *share = part;
    }
    return best;
}

static eliminate_verdict add_row(eliminate *e, double rhs, measure *size)
{
    double share, largest = 0;
    rhs = reduce(e, rhs, size);
    const uint32_t best = best_column(e, size, &share);
    const bool independent = share > ELIMINATE_ZERO;
    for (size_t i = 0; i < e->pattern.count; i++)
        largest = fmax(largest, fabs(e->work[e->pattern.at[i]]));
    if (independent) {
        e->quality = fmin(e->quality, largest / size->row);
        keep_row(e, best, rhs, size);
    }
    clear_work(e);
    e->added++;
    if (independent) return ELIMINATE_INDEPENDENT;
    return fabs(rhs) > ELIMINATE_ZERO * size->rhs ? ELIMINATE_CONTRADICTORY : ELIMINATE_DEPENDENT;
}

eliminate_verdict eliminate_add(eliminate *e, uint32_t count, const uint32_t *columns,
                                const double *values, double rhs)
{
    measure size = {0, fabs(rhs), false};
    e->taken.count = 0;
    for (uint32_t i = 0; i < count; i++) add_entry(e, columns[i], values[i], &size);
    size.rhs = fmax(size.rhs, size.row); /* the unknowns are of order one */
    return add_row(e, rhs, &size);
}

eliminate_verdict eliminate_add_sized(eliminate *e, uint32_t count, const uint32_t *columns,
                                      const double *values, const double *sizes, double rhs,
                                      double rhs_size)
{
    measure size = {0, fmax(fabs(rhs), rhs_size), true};
    e->taken.count = 0;
    bool all = true; /* nothing but round-off: then that is what there is */
    for (uint32_t i = 0; i < count; i++) all = all && fabs(values[i]) <= ELIMINATE_NOISE * sizes[i];
    for (uint32_t i = 0; i < count; i++) {
        if (!all && fabs(values[i]) <= ELIMINATE_NOISE * sizes[i]) continue;
        e->column[columns[i]] = fmax(e->column[columns[i]], fabs(values[i]));
        add_entry(e, columns[i], values[i], &size);
    }
    return add_row(e, rhs, &size);
}

/* Later pivot rows hold no earlier pivots' columns: back substitution from the last. */
void eliminate_solve(const eliminate *e, double *x)
{
    memset(x, 0, e->columns * sizeof *x);
    for (size_t k = e->rows; k-- > 0;) {
        const pivot_row *p = &e->row[k];
        double sum = p->rhs;
        for (uint32_t i = 0; i < p->rests; i++) sum -= p->rest[i].value * x[p->rest[i].index];
        x[p->column] = sum / p->pivot;
    }
}

/* row = Σ f_k p_k and p_k = row_k − Σ f_kj p_j: resolve the p_k from the last. */
void eliminate_weights(const eliminate *e, double *weights)
{
    const arena_mark mark = arena_get_mark(&e->ctx->scratch);
    double *share = NEW_ARRAY(&e->ctx->scratch, double, e->rows);
    memset(weights, 0, e->added * sizeof *weights);
    for (size_t i = 0; i < e->taken.count; i++) share[e->taken.at[i].index] = e->taken.at[i].value;
    for (size_t k = e->rows; k-- > 0;) {
        const pivot_row *p = &e->row[k];
        weights[p->number] = share[k];
        if (share[k] == 0) continue;
        for (uint32_t i = 0; i < p->takens; i++)
            share[p->taken[i].index] -= share[k] * p->taken[i].value;
    }
    arena_release(&e->ctx->scratch, mark);
}
