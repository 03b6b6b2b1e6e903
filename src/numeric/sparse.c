/* numeric/sparse.c - by the fixed elimination of symmetric.h where there is one and it is good, else by SuiteSparse's
 * KLU, which chooses pivots. */
#include "sparse.h"
#include "articulated.h"
#include "symmetric.h"

#ifdef AH_WITH_KLU

#include <float.h>
#include <klu.h>
#include <math.h>
#include <string.h>

/* One row of b − A x, and what its rounding errors are measured by. */
typedef struct row_sum {
    double residual, bound;
} row_sum;

/* Where an entry goes to; those at one place add up. */
typedef struct fill {
    uint32_t place, source; /* source: of `entry`, or from `entries` on of `diagonal` */
    bool negative;
} fill;

/* [M −Jᵀ; J 0] + diagonal; J has no rows where the matrix is M alone. */
struct sparse {
    ah_ctx *ctx;
    arena *arena;
    sparse_pattern M, J;
    uint32_t size, entries; /* of both matrices */
    double *entry;          /* of the last factorisation: of M, of J, and the diagonal */
    bool has_diagonal;
    double *residual;
    row_sum *sum;
    articulated *bodies; /* NULL: there is none */
    symmetric *fixed;    /* the same */
    bool by_fixed;       /* the last factorisation is by one of them */

    size_t fills; /* for KLU, made when it is first needed */
    fill *fill;
    double *value;
    int *column, *row;    /* compressed columns, rows ascending */
    bool analysed, fresh; /* fresh: the pivots were chosen for this matrix */
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

static void analyse(sparse *s)
{
    triplets t = {0};
    arena *a = s->arena;
    const uint32_t n = s->M.rows, of_M = entries_of(s->M);
    if (s->analysed) return;
    add_entries(a, &t, s->M, 0, 0, 0);
    add_entries(a, &t, s->J, of_M, n, 0);
    add_minus_transposed(a, &t, s->J, of_M, n);
    for (uint32_t i = 0; s->has_diagonal && i < s->size; i++)
        LIST_PUSH(a, &t, ((triplet){i, i, s->entries + i, false}));
    compress(s, a, &t);
    klu_defaults(&s->common);
    arena_own(a, destroy, s);
    s->symbolic = klu_analyze((int) s->size, s->column, s->row, &s->common);
    if (!s->symbolic && s->common.status == KLU_OUT_OF_MEMORY) ctx_raise(s->ctx, AH_E_MEMORY);
    s->analysed = true;
}

static sparse_pattern copied(arena *a, sparse_pattern m)
{
    uint32_t *start = NEW_ARRAY(a, uint32_t, (size_t) m.rows + 1);
    uint32_t *col = NEW_ARRAY(a, uint32_t, (size_t) entries_of(m) + 1);
    if (m.rows) memcpy(start, m.start, ((size_t) m.rows + 1) * sizeof *start);
    if (entries_of(m)) memcpy(col, m.col, entries_of(m) * sizeof *col);
    return (sparse_pattern){m.rows, m.cols, start, col};
}

static sparse *create(ah_ctx *ctx, arena *a, sparse_pattern M, sparse_pattern J, bool diagonal)
{
    sparse *s = NEW(a, sparse);
    s->ctx = ctx;
    s->arena = a;
    s->M = copied(a, M);
    s->J = copied(a, J);
    s->size = M.rows + J.rows;
    s->entries = entries_of(M) + entries_of(J);
    s->has_diagonal = diagonal;
    s->entry = NEW_ARRAY(a, double, (size_t) s->entries + s->size + 1);
    s->residual = NEW_ARRAY(a, double, s->size + 1);
    s->sum = NEW_ARRAY(a, row_sum, s->size + 1);
    return s;
}

sparse *sparse_create(ah_ctx *ctx, arena *a, sparse_pattern A)
{
    return create(ctx, a, A, (sparse_pattern){0, A.cols, NULL, NULL}, false);
}

sparse *sparse_create_kkt(ah_ctx *ctx, arena *a, sparse_pattern M, sparse_pattern J, bool diagonal)
{
    sparse *s = create(ctx, a, M, J, diagonal);
    s->fixed = symmetric_create(ctx, a, s->M, s->J);
    return s;
}

sparse *sparse_create_tree(ah_ctx *ctx, arena *a, sparse_pattern M, sparse_pattern J, bool diagonal,
                           const sparse_tree *tree)
{
    if (!tree) return sparse_create_kkt(ctx, a, M, J, diagonal);
    sparse *s = create(ctx, a, M, J, diagonal);
    if (!diagonal) s->bodies = articulated_create(ctx, a, s->M, s->J, tree);
    return s;
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

static bool choose_for_this(sparse *s)
{
    const size_t diagonal = s->has_diagonal ? s->size : 0;
    analyse(s);
    s->by_fixed = false;
    if (!s->symbolic) return false; /* singular by its pattern */
    memset(s->value, 0, (size_t) s->column[s->size] * sizeof *s->value);
    for (size_t i = 0; i < s->fills; i++) {
        const fill *f = &s->fill[i];
        const double x = f->source < s->entries + diagonal ? s->entry[f->source] : 0;
        s->value[f->place] += f->negative ? -x : x;
    }
    return reuse_pivots(s) || choose_pivots(s);
}

double *sparse_entries(sparse *s)
{
    return s->entry;
}

static bool all_finite(const sparse *s)
{
    const size_t count = s->entries + (s->has_diagonal ? s->size : 0);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(s->entry[i])) return false;
    return true;
}

/* What is not a number spoils a pivot of the fixed elimination: it need not be looked for before. */
double sparse_factor(sparse *s, const double *entry, const double *diagonal)
{
    double *d = s->entry + s->entries, share = 0;
    if (s->entries && entry != s->entry) memcpy(s->entry, entry, s->entries * sizeof *entry);
    for (uint32_t i = 0; s->has_diagonal && i < s->size; i++) d[i] = diagonal ? diagonal[i] : 0;
    if (s->fixed) share = symmetric_factor(s->fixed, s->entry, s->has_diagonal ? d : NULL);
    if (!(share > 0) && !all_finite(s)) return 0;
    if (s->bodies) share = articulated_factor(s->bodies, s->entry);
    s->by_fixed = share > 0;
    if (s->by_fixed) return share;
    return choose_for_this(s) ? s->common.rcond : 0;
}

static double at_least(double x, double y)
{
    return x > y ? x : y;
}

/* Takes value · x from a row, `small` being what counts as nothing beside the largest x. */
static inline void take(row_sum *r, double value, double x, double small)
{
    const double term = value * x;
    r->residual -= term;
    r->bound += at_least(fabs(term), small * fabs(value));
}

static double largest_of(const double *x, uint32_t count)
{
    double largest = 0;
    for (uint32_t i = 0; i < count; i++) largest = at_least(fabs(x[i]), largest);
    return largest;
}

/* A row as it stands in M or J; returns where the entries of the next one begin. */
static inline const double *take_row(row_sum *r, sparse_pattern m, uint32_t i, const double *entry,
                                     const double *x, double small)
{
    for (uint32_t p = m.start[i]; p < m.start[i + 1]; p++) take(r, *entry++, x[m.col[p]], small);
    return entry;
}

static void take_rows(sparse *s, const double *b, const double *x, double small)
{
    const sparse_pattern M = s->M, J = s->J;
    const uint32_t n = M.rows;
    const double *entry = s->entry;
    row_sum *const sum = s->sum;
    for (uint32_t i = 0; i < n; i++) {
        row_sum r = {b[i], fabs(b[i])};
        entry = take_row(&r, M, i, entry, x, small);
        sum[i] = r;
    }
    for (uint32_t i = 0; i < J.rows; i++) {
        row_sum r = {b[n + i], fabs(b[n + i])};
        const double *row = entry;
        entry = take_row(&r, J, i, entry, x, small);
        sum[n + i] = r;
        for (uint32_t p = J.start[i]; p < J.start[i + 1]; p++)
            take(&sum[J.col[p]], -*row++, x[n + i], small);
    }
    for (uint32_t i = 0; s->has_diagonal && i < s->size; i++) take(&sum[i], *entry++, x[i], small);
}

/* residual = b − A x; returns its largest entry relative to |A||x| + |b|, the backward error. Rows
 * whose terms are all small beside the largest x count by that: their terms are rounding errors. */
static double residual_of(sparse *s, const double *b, const double *x)
{
    double worst = 0;
    take_rows(s, b, x, 1e-6 * largest_of(x, s->size));
    for (uint32_t i = 0; i < s->size; i++) {
        const row_sum r = s->sum[i];
        if (!isfinite(x[i]) || !isfinite(r.bound)) return INFINITY;
        if (fabs(r.residual) > worst * r.bound) worst = fabs(r.residual) / r.bound;
        s->residual[i] = r.residual;
    }
    return worst;
}

static void solve_once(sparse *s, double *x)
{
    if (s->by_fixed && s->bodies)
        articulated_solve(s->bodies, x, x);
    else if (s->by_fixed)
        symmetric_solve(s->fixed, x, x);
    else
        klu_solve(s->symbolic, s->numeric, (int) s->size, 1, x, &s->common);
}

static double solve_refined(sparse *s, const double *b, double *x)
{
    memcpy(x, b, s->size * sizeof *x);
    solve_once(s, x);
    const double error = residual_of(s, b, x);
    if (error <= 4 * DBL_EPSILON || !isfinite(error)) return error;
    solve_once(s, s->residual);
    for (uint32_t i = 0; i < s->size; i++) x[i] += s->residual[i];
    return error;
}

bool sparse_solve(sparse *s, const double *b, double *x)
{
    const double bad = 1e-7; /* backward error before refinement: its square is rounding */
    double error = solve_refined(s, b, x);
    if (!(error <= bad) && s->by_fixed && choose_for_this(s)) error = solve_refined(s, b, x);
    if (!(error <= bad) && !s->by_fixed && !s->fresh && choose_pivots(s))
        error = solve_refined(s, b, x);
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

sparse *sparse_create_tree(ah_ctx *ctx, arena *a, sparse_pattern M, sparse_pattern J, bool diagonal,
                           const sparse_tree *tree)
{
    (void) tree;
    return sparse_create_kkt(ctx, a, M, J, diagonal);
}

double *sparse_entries(sparse *s)
{
    return (void) s, NULL;
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
