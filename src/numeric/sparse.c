/* numeric/sparse.c - SuiteSparse's KLU. */
#include "sparse.h"

#ifdef AH_WITH_KLU

#include <float.h>
#include <klu.h>
#include <math.h>
#include <string.h>

/* Where an entry goes to; those at one place add up. */
typedef struct fill {
    uint32_t place, source; /* source: of `entry`, or from `entries` on of `diagonal` */
    bool negative;
} fill;

struct sparse {
    ah_ctx *ctx;
    uint32_t size;
    uint32_t entries; /* of the matrices */
    size_t fills;
    fill *fill;
    double *value;
    int *column, *row; /* compressed columns, rows ascending */
    double *residual, *bound;
    bool fresh; /* the pivots were chosen for this matrix */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

bool sparse_pays(uint32_t n, size_t entries)
{
    return n > SPARSE_ABOVE && entries <= (size_t) n * n / SPARSE_SHARE;
}

static void destroy(void *data)
{
    sparse *s = data;
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
}

/* ---- The pattern ----------------------------------------------------------------------------- */

static uint32_t entries_of(sparse_pattern m)
{
    return m.rows ? m.start[m.rows] : 0;
}

typedef struct triplet {
    uint32_t row, col, source;
    bool negative;
} triplet;

typedef LIST(triplet) triplets;

/* m with its first entry at (row, col); its entries count from `from`. */
static void add_entries(arena *a, triplets *t, sparse_pattern m, uint32_t from, uint32_t row,
                        uint32_t col)
{
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t p = m.start[i]; p < m.start[i + 1]; p++)
            LIST_PUSH(a, t, ((triplet){row + i, col + m.col[p], from + p, false}));
}

static void add_minus_transposed(arena *a, triplets *t, sparse_pattern m, uint32_t from,
                                 uint32_t col)
{
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t p = m.start[i]; p < m.start[i + 1]; p++)
            LIST_PUSH(a, t, ((triplet){m.col[p], col + i, from + p, true}));
}

/* Sorted by `key`, stable, by counting. */
static triplet *sorted(arena *a, const triplet *t, size_t count, uint32_t size, bool by_column)
{
    uint32_t *start = NEW_ARRAY(a, uint32_t, (size_t) size + 2);
    triplet *out = NEW_ARRAY(a, triplet, count + 1);
    for (size_t i = 0; i < count; i++) start[(by_column ? t[i].col : t[i].row) + 1]++;
    for (uint32_t i = 0; i < size; i++) start[i + 1] += start[i];
    for (size_t i = 0; i < count; i++) out[start[by_column ? t[i].col : t[i].row]++] = t[i];
    return out;
}

static void compress(sparse *s, arena *a, const triplets *t)
{
    arena *scratch = &s->ctx->scratch;
    s->column = NEW_ARRAY(a, int, (size_t) s->size + 1);
    s->row = NEW_ARRAY(a, int, t->count + 1);
    s->value = NEW_ARRAY(a, double, t->count + 1);
    s->fill = NEW_ARRAY(a, fill, t->count + 1);
    s->fills = t->count;
    const arena_mark mark = arena_get_mark(scratch);
    const triplet *by_row = sorted(scratch, t->at, t->count, s->size, false);
    const triplet *e = sorted(scratch, by_row, t->count, s->size, true);
    uint32_t places = 0;
    for (size_t i = 0; i < t->count; i++) {
        const bool same = i && e[i].row == e[i - 1].row && e[i].col == e[i - 1].col;
        if (!same) {
            s->row[places++] = (int) e[i].row;
            s->column[e[i].col + 1]++;
        }
        s->fill[i] = (fill){places - 1, e[i].source, e[i].negative};
    }
    for (uint32_t j = 0; j < s->size; j++) s->column[j + 1] += s->column[j];
    arena_release(scratch, mark);
}

static sparse *analyse(sparse *s, arena *a, const triplets *t)
{
    s->residual = NEW_ARRAY(a, double, s->size + 1);
    s->bound = NEW_ARRAY(a, double, s->size + 1);
    compress(s, a, t);
    klu_defaults(&s->common);
    arena_own(a, destroy, s);
    s->symbolic = klu_analyze((int) s->size, s->column, s->row, &s->common);
    if (!s->symbolic && s->common.status == KLU_OUT_OF_MEMORY) ctx_raise(s->ctx, AH_E_MEMORY);
    return s;
}

sparse *sparse_create(ah_ctx *ctx, arena *a, sparse_pattern A)
{
    sparse *s = NEW(a, sparse);
    triplets t = {0};
    s->ctx = ctx;
    s->size = A.rows;
    s->entries = entries_of(A);
    add_entries(a, &t, A, 0, 0, 0);
    return analyse(s, a, &t);
}

sparse *sparse_create_kkt(ah_ctx *ctx, arena *a, sparse_pattern M, sparse_pattern J, bool diagonal)
{
    sparse *s = NEW(a, sparse);
    triplets t = {0};
    s->ctx = ctx;
    s->size = M.rows + J.rows;
    s->entries = entries_of(M) + entries_of(J);
    add_entries(a, &t, M, 0, 0, 0);
    add_entries(a, &t, J, entries_of(M), M.rows, 0);
    add_minus_transposed(a, &t, J, entries_of(M), M.rows);
    for (uint32_t i = 0; diagonal && i < s->size; i++)
        LIST_PUSH(a, &t, ((triplet){i, i, s->entries + i, false}));
    return analyse(s, a, &t);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static bool choose_pivots(sparse *s)
{
    klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor(s->column, s->row, s->value, s->symbolic, &s->common);
    s->fresh = true;
    if (!s->numeric && s->common.status == KLU_OUT_OF_MEMORY) ctx_raise(s->ctx, AH_E_MEMORY);
    return s->numeric && s->common.status == KLU_OK &&
           klu_rcond(s->symbolic, s->numeric, &s->common);
}

/* The pivots of the last state serve as long as they are good: no search, half the time. */
static bool reuse_pivots(sparse *s)
{
    const double least = 1e-8; /* of the smallest pivot to the largest */
    s->fresh = false;
    return s->numeric &&
           klu_refactor(s->column, s->row, s->value, s->symbolic, s->numeric, &s->common) &&
           s->common.status == KLU_OK && klu_rcond(s->symbolic, s->numeric, &s->common) &&
           s->common.rcond > least;
}

double sparse_factor(sparse *s, const double *entry, const double *diagonal)
{
    const size_t places = (size_t) s->column[s->size];
    if (!s->symbolic) return 0; /* singular by its pattern */
    memset(s->value, 0, places * sizeof *s->value);
    for (size_t i = 0; i < s->fills; i++) {
        const fill *f = &s->fill[i];
        const double x = f->source < s->entries ? entry[f->source]
                         : diagonal             ? diagonal[f->source - s->entries]
                                                : 0;
        s->value[f->place] += f->negative ? -x : x;
    }
    for (size_t i = 0; i < places; i++)
        if (!isfinite(s->value[i])) return 0;
    return reuse_pivots(s) || choose_pivots(s) ? s->common.rcond : 0;
}

/* residual = b − A x; returns its largest entry relative to |A||x| + |b|, the backward error. Rows
 * whose terms are all small beside the largest x count by that: their terms are rounding errors. */
static double residual_of(sparse *s, const double *b, const double *x)
{
    const double small = 1e-6;
    double worst = 0, largest = 0;
    for (uint32_t i = 0; i < s->size; i++) {
        s->residual[i] = b[i];
        s->bound[i] = fabs(b[i]);
        largest = fmax(largest, fabs(x[i]));
    }
    for (uint32_t j = 0; j < s->size; j++)
        for (int p = s->column[j]; p < s->column[j + 1]; p++) {
            const double term = s->value[p] * x[j];
            s->residual[s->row[p]] -= term;
            s->bound[s->row[p]] += fmax(fabs(term), small * largest * fabs(s->value[p]));
        }
    for (uint32_t i = 0; i < s->size; i++) {
        if (!isfinite(x[i]) || !isfinite(s->bound[i])) return INFINITY;
        if (s->bound[i] > 0) worst = fmax(worst, fabs(s->residual[i]) / s->bound[i]);
    }
    return worst;
}

static double solve_refined(sparse *s, const double *b, double *x)
{
    memcpy(x, b, s->size * sizeof *x);
    klu_solve(s->symbolic, s->numeric, (int) s->size, 1, x, &s->common);
    const double error = residual_of(s, b, x);
    if (error <= 4 * DBL_EPSILON || !isfinite(error)) return error;
    klu_solve(s->symbolic, s->numeric, (int) s->size, 1, s->residual, &s->common);
    for (uint32_t i = 0; i < s->size; i++) x[i] += s->residual[i];
    return error;
}

bool sparse_solve(sparse *s, const double *b, double *x)
{
    const double bad = 1e-7; /* backward error before refinement: its square is rounding */
    double error = solve_refined(s, b, x);
    if (!(error <= bad) && !s->fresh && choose_pivots(s)) error = solve_refined(s, b, x);
    return error <= bad;
}

#else

bool sparse_pays(uint32_t n, size_t entries)
{
    (void) n, (void) entries;
    return false;
}

sparse *sparse_create(ah_ctx *ctx, arena *a, sparse_pattern A)
{
    (void) ctx, (void) a, (void) A;
    return NULL;
}

sparse *sparse_create_kkt(ah_ctx *ctx, arena *a, sparse_pattern M, sparse_pattern J, bool diagonal)
{
    (void) ctx, (void) a, (void) M, (void) J, (void) diagonal;
    return NULL;
}

double sparse_factor(sparse *s, const double *entry, const double *diagonal)
{
    (void) s, (void) entry, (void) diagonal;
    return 0;
}

bool sparse_solve(sparse *s, const double *b, double *x)
{
    (void) s, (void) b, (void) x;
    return false;
}

#endif
