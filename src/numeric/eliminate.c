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
    double pivot, rhs;
    terms rest;  /* the other columns */
    terms taken; /* multiples of earlier pivot rows that were subtracted */
} pivot_row;

struct eliminate {
    ah_ctx *ctx;
    arena *arena;
    uint32_t columns, added;
    LIST(pivot_row) rows;
    uint32_t *pivot_of; /* column → 1 + index of the pivot row, or 0 */
    double quality;
    terms taken; /* of the row added last */

    /* The row at work: dense values, the columns that are in it, and those among them still to be
     * eliminated as a heap of pivot rows, smallest first. */
    double *work;
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
    e->pivot_of = NEW_ARRAY(a, uint32_t, columns);
    e->work = NEW_ARRAY(a, double, columns);
    e->present = NEW_ARRAY(a, bool, columns);
    return e;
}

uint32_t eliminate_rank(const eliminate *e)
{
    return (uint32_t) e->rows.count;
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

static void add_entry(eliminate *e, uint32_t column, double value)
{
    if (!e->present[column]) {
        e->present[column] = true;
        LIST_PUSH(e->arena, &e->pattern, column);
        if (e->pivot_of[column]) heap_push(e, e->pivot_of[column] - 1);
    }
    e->work[column] += value;
}

typedef struct sizes {
    double row, rhs; /* the largest numbers met: what round-off is measured by */
} sizes;

/* A pivot row has no entries in earlier pivots' columns, so ascending order meets each pivot once.
 */
static double reduce(eliminate *e, double rhs, sizes *size)
{
    while (e->heap.count) {
        const uint32_t k = heap_pop(e);
        const pivot_row *p = &e->rows.at[k];
        const double factor = e->work[p->column] / p->pivot;
        ctx_tick(e->ctx);
        e->work[p->column] = 0;
        if (factor == 0) continue;
        for (size_t i = 0; i < p->rest.count; i++) {
            const double change = factor * p->rest.at[i].value;
            if (fabs(change) > size->row) size->row = fabs(change);
            add_entry(e, p->rest.at[i].index, -change);
        }
        size->rhs = fmax(size->rhs, fabs(factor * p->rhs));
        rhs -= factor * p->rhs;
        LIST_PUSH(e->arena, &e->taken, ((term){k, factor}));
    }
    return rhs;
}

static void keep_row(eliminate *e, uint32_t column, double rhs)
{
    pivot_row p = {.number = e->added,
                   .column = column,
                   .pivot = e->work[column],
                   .rhs = rhs,
                   .taken = e->taken};
    for (size_t i = 0; i < e->pattern.count; i++) {
        const uint32_t c = e->pattern.at[i];
        if (c != column && e->work[c] != 0) LIST_PUSH(e->arena, &p.rest, ((term){c, e->work[c]}));
    }
    LIST_PUSH(e->arena, &e->rows, p);
    e->pivot_of[column] = (uint32_t) e->rows.count;
}

static void clear_work(eliminate *e)
{
    for (size_t i = 0; i < e->pattern.count; i++) {
        e->work[e->pattern.at[i]] = 0;
        e->present[e->pattern.at[i]] = false;
    }
    e->pattern.count = 0;
}

eliminate_verdict eliminate_add(eliminate *e, uint32_t count, const uint32_t *columns,
                                const double *values, double rhs)
{
    sizes size = {0, fabs(rhs)};
    memset(&e->taken, 0, sizeof e->taken);
    for (uint32_t i = 0; i < count; i++) {
        if (fabs(values[i]) > size.row) size.row = fabs(values[i]);
        add_entry(e, columns[i], values[i]);
    }
    size.rhs = fmax(size.rhs, size.row); /* the unknowns are of order one */
    rhs = reduce(e, rhs, &size);

    uint32_t best = 0;
    double largest = 0;
    for (size_t i = 0; i < e->pattern.count; i++)
        if (fabs(e->work[e->pattern.at[i]]) > largest) {
            best = e->pattern.at[i];
            largest = fabs(e->work[best]);
        }
    const bool independent = largest > ELIMINATE_ZERO * size.row;
    if (independent) {
        e->quality = fmin(e->quality, largest / size.row);
        keep_row(e, best, rhs);
    }
    clear_work(e);
    e->added++;
    if (independent) return ELIMINATE_INDEPENDENT;
    return fabs(rhs) > ELIMINATE_ZERO * size.rhs ? ELIMINATE_CONTRADICTORY : ELIMINATE_DEPENDENT;
}

/* Later pivot rows hold no earlier pivots' columns: back substitution from the last. */
void eliminate_solve(const eliminate *e, double *x)
{
    memset(x, 0, e->columns * sizeof *x);
    for (size_t k = e->rows.count; k-- > 0;) {
        const pivot_row *p = &e->rows.at[k];
        double sum = p->rhs;
        for (size_t i = 0; i < p->rest.count; i++)
            sum -= p->rest.at[i].value * x[p->rest.at[i].index];
        x[p->column] = sum / p->pivot;
    }
}

/* row = Σ f_k p_k and p_k = row_k − Σ f_kj p_j: resolve the p_k from the last. */
void eliminate_weights(const eliminate *e, double *weights)
{
    const arena_mark mark = arena_get_mark(&e->ctx->scratch);
    double *share = NEW_ARRAY(&e->ctx->scratch, double, e->rows.count);
    memset(weights, 0, e->added * sizeof *weights);
    for (size_t i = 0; i < e->taken.count; i++) share[e->taken.at[i].index] = e->taken.at[i].value;
    for (size_t k = e->rows.count; k-- > 0;) {
        const pivot_row *p = &e->rows.at[k];
        weights[p->number] = share[k];
        if (share[k] == 0) continue;
        for (size_t i = 0; i < p->taken.count; i++)
            share[p->taken.at[i].index] -= share[k] * p->taken.at[i].value;
    }
    arena_release(&e->ctx->scratch, mark);
}
