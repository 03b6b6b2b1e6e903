/* algebra/nullspace.c - the null space by exact elimination without fractions.
 *
 * Each step multiplies the other rows up instead of dividing:  row_k ← (p/g) row_k − (a/g) row_p,
 * g = gcd(a, p), and takes the common factor out of the row. Pivots are chosen for simple results:
 * they are what the dependent variables are divided by. */
#include "minors.h"

#define LARGEST 4096 /* entries, zeros included */

typedef struct gauss {
    algebra *alg;
    ring *r;
    uint32_t rows, cols, rank;
    poly *at; /* row-major */
    const bool *avoid;
    uint32_t *pivot_row, *pivot_col;
    bool *row_done, *col_done;
} gauss;

static poly *cell(const gauss *g, uint32_t i, uint32_t j)
{
    return &g->at[i * g->cols + j];
}

/* ---- Pivots ---------------------------------------------------------------------------------- */

/* Of what kind the pivot is, simplest first. */
enum {
    PIVOT_UNIT,
    PIVOT_NUMBER,
    PIVOT_NONZERO,
    PIVOT_MONOMIAL,
    PIVOT_SUM,
    PIVOT_AVOIDED = 1 << 20
};

static long simplicity(gauss *g, uint32_t j, poly p)
{
    long class = PIVOT_SUM;
    if (poly_is_constant(g->r, p))
        class = fmpz_is_pm1(p->coeffs) ? PIVOT_UNIT : PIVOT_NUMBER;
    else if (poly_terms(p) <= 4 && !(sign_of(g->alg, show_expanded(g->r, p, true)) & SIGN_ZERO))
        class = PIVOT_NONZERO;
    else if (poly_terms(p) == 1)
        class = PIVOT_MONOMIAL;
    const bool avoided = g->avoid && g->avoid[j];
    const long terms = poly_terms(p) < 1000 ? (long) poly_terms(p) : 1000;
    return class * 1024 + terms + (avoided ? PIVOT_AVOIDED : 0);
}

/* Entries that share the row and the column: what an elimination fills in. */
static long fill(const gauss *g, uint32_t row, uint32_t col)
{
    long in_row = 0, in_col = 0;
    for (uint32_t j = 0; j < g->cols; j++) in_row += !poly_is_zero(g->r, *cell(g, row, j));
    for (uint32_t i = 0; i < g->rows; i++) in_col += !poly_is_zero(g->r, *cell(g, i, col));
    return (in_row - 1) * (in_col - 1);
}

/* Where generators may depend on each other, an element of the ring may be zero as a function. */
static bool certainly_nonzero(gauss *g, poly *p)
{
    if (g->r->g->independent || g->r->links || poly_is_constant(g->r, *p)) return true;
    const ah_truth zero = algebra_zero(g->alg, show_expanded(g->r, *p, true));
    if (zero == AH_UNKNOWN) algebra_give_up(g->alg);
    if (zero == AH_TRUE) *p = poly_int(g->r, 0);
    return zero == AH_FALSE;
}

static bool choose_pivot(gauss *g, uint32_t *row, uint32_t *col)
{
    long best = -1, best_fill = 0;
    for (uint32_t i = 0; i < g->rows; i++)
        for (uint32_t j = 0; j < g->cols && !g->row_done[i]; j++) {
            if (g->col_done[j] || poly_is_zero(g->r, *cell(g, i, j))) continue;
            const long now = simplicity(g, j, *cell(g, i, j));
            if (best >= 0 && now > best) continue;
            const long filled = fill(g, i, j);
            if (best >= 0 && now == best && filled >= best_fill) continue;
            if (!certainly_nonzero(g, cell(g, i, j))) continue;
            best = now, best_fill = filled;
            *row = i, *col = j;
        }
    return best >= 0;
}

/* ---- Elimination ----------------------------------------------------------------------------- */

static void take_content(gauss *g, uint32_t row)
{
    ring *r = g->r;
    poly content = poly_int(r, 0);
    for (uint32_t j = 0; j < g->cols && !poly_is_one(r, content); j++) {
        if (poly_is_zero(r, *cell(g, row, j))) continue;
        content =
            poly_is_zero(r, content) ? *cell(g, row, j) : poly_gcd(r, content, *cell(g, row, j));
    }
    if (poly_is_zero(r, content) || poly_is_one(r, content)) return;
    for (uint32_t j = 0; j < g->cols; j++)
        *cell(g, row, j) = poly_divide(r, *cell(g, row, j), content);
}

/* Zero where the relations prove it. Otherwise untouched: reducing multiplies up, and the entries
 * of a row must keep their proportions. */
static poly settled(ring *r, poly a)
{
    return r->links && poly_is_zero(r, chain_reduce(r, a, NULL)) ? poly_int(r, 0) : a;
}

static void subtract(gauss *g, uint32_t row, uint32_t pivot_row, uint32_t col)
{
    ring *r = g->r;
    const poly a = *cell(g, row, col), p = *cell(g, pivot_row, col);
    const poly d = poly_gcd(r, a, p);
    const poly up = poly_divide(r, p, d), by = poly_divide(r, a, d);
    for (uint32_t j = 0; j < g->cols; j++) {
        const poly x = poly_mul(r, up, *cell(g, row, j));
        const poly y = poly_mul(r, by, *cell(g, pivot_row, j));
        *cell(g, row, j) = settled(r, poly_sub(r, x, y));
    }
    *cell(g, row, col) = poly_int(r, 0);
    take_content(g, row);
}

static void eliminate_rows(gauss *g)
{
    uint32_t row, col;
    while (g->rank < g->rows && choose_pivot(g, &row, &col)) {
        for (uint32_t i = 0; i < g->rows; i++)
            if (i != row && !poly_is_zero(g->r, *cell(g, i, col))) subtract(g, i, row, col);
        g->row_done[row] = g->col_done[col] = true;
        g->pivot_row[g->rank] = row;
        g->pivot_col[g->rank++] = col;
    }
}

bool algebra_nullspace_fits(uint32_t rows, uint32_t cols)
{
    return (uint64_t) rows * cols <= LARGEST;
}

static gauss open_gauss(algebra *alg, mat m, const bool *avoid)
{
    arena *a = &alg->ctx->scratch;
    expr_list roots = {0};
    const size_t size = (size_t) m.rows * m.cols;
    if (!algebra_nullspace_fits(m.rows, m.cols)) algebra_give_up(alg);
    for (uint32_t k = 0; k < mat_entries(m); k++)
        LIST_PUSH(a, &roots, algebra_lower(alg, m.val[k]));
    gauss g = {.alg = alg, .rows = m.rows, .cols = m.cols, .avoid = avoid};
    g.r = ring_open_related(alg, roots.at, roots.count);
    frac *M = NEW_ARRAY(a, frac, size);
    for (size_t i = 0; i < size; i++) M[i] = frac_int(g.r, 0);
    for (uint32_t i = 0, k = 0; i < m.rows; i++)
        for (; k < m.start[i + 1]; k++) M[i * m.cols + m.col[k]] = ring_value(g.r, roots.at[k]);
    g.at = minors_rows(g.r, m.rows, m.cols, M, NULL);
    for (size_t i = 0; i < size; i++) g.at[i] = settled(g.r, g.at[i]);
    for (uint32_t i = 0; i < m.rows; i++) take_content(&g, i);
    g.pivot_row = NEW_ARRAY(a, uint32_t, m.rows);
    g.pivot_col = NEW_ARRAY(a, uint32_t, m.rows);
    g.row_done = NEW_ARRAY(a, bool, m.rows);
    g.col_done = NEW_ARRAY(a, bool, m.cols);
    return g;
}

/* ---- Results --------------------------------------------------------------------------------- */

typedef struct nullspace_job {
    algebra *alg;
    mat m;
    const bool *avoid;
    mat basis;
    uint32_t rank, *pivots;
} nullspace_job;

static void sort(uint32_t *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0 && list[j - 1] > list[j]; j--) {
            const uint32_t keep = list[j];
            list[j] = list[j - 1], list[j - 1] = keep;
        }
}

/* A column for each free variable f: x_f = 1, and −row[f]/row[pivot] for the dependent ones. */
static mat basis_of(ah_ctx *ctx, gauss *g)
{
    LIST(mat_entry) entries = {0};
    uint32_t column = 0;
    for (uint32_t f = 0; f < g->cols; f++) {
        if (g->col_done[f]) continue;
        LIST_PUSH(&ctx->job, &entries, ((mat_entry){f, column, expr_int(ctx, 1)}));
        for (uint32_t k = 0; k < g->rank; k++) {
            const poly num = *cell(g, g->pivot_row[k], f);
            if (poly_is_zero(g->r, num)) continue;
            const frac x = {num, *cell(g, g->pivot_row[k], g->pivot_col[k])};
            const ah_expr e = show_frac(g->r, frac_neg(g->r, x));
            LIST_PUSH(&ctx->job, &entries, ((mat_entry){g->pivot_col[k], column, e}));
        }
        column++;
    }
    return mat_from_entries(ctx, &ctx->job, g->cols, column, entries.at, entries.count);
}

static void nullspace_body(ah_ctx *ctx, void *arg)
{
    nullspace_job *job = arg;
    gauss g = open_gauss(job->alg, job->m, job->avoid);
    eliminate_rows(&g);
    job->rank = g.rank;
    job->basis = basis_of(ctx, &g);
    for (uint32_t k = 0; k < g.rank; k++) job->pivots[k] = g.pivot_col[k];
    ring_close(g.r);
}

bool algebra_nullspace(algebra *alg, mat m, const bool *avoid, mat *basis, uint32_t *pivots)
{
    nullspace_job job = {.alg = alg, .m = m, .avoid = avoid};
    job.pivots = NEW_ARRAY(&alg->ctx->job, uint32_t, m.rows);
    if (!algebra_attempt(alg, nullspace_body, &job)) return false;
    *basis = job.basis;
    sort(job.pivots, job.rank);
    for (uint32_t k = 0; pivots && k < job.rank; k++) pivots[k] = job.pivots[k];
    return true;
}

/* ---- Rank ------------------------------------------------------------------------------------ */

typedef struct exact_rank_job {
    algebra *alg;
    mat m;
    uint32_t rank, *rows;
} exact_rank_job;

/* A row is independent of those before it if it adds to the rank. */
static void rank_body(ah_ctx *ctx, void *arg)
{
    exact_rank_job *job = arg;
    job->rank = 0;
    for (uint32_t i = 0; i < job->m.rows; i++) {
        job->rows[job->rank] = i;
        gauss g = open_gauss(job->alg,
                             mat_rows(ctx, &ctx->scratch, job->m, job->rows, job->rank + 1), NULL);
        eliminate_rows(&g);
        job->rank = g.rank;
        ring_close(g.r);
    }
}

bool nullspace_rank(algebra *alg, mat m, uint32_t *rows, uint32_t *rank)
{
    exact_rank_job job = {alg, m, 0, NEW_ARRAY(&alg->ctx->job, uint32_t, m.rows)};
    if (!algebra_attempt(alg, rank_body, &job)) return false;
    *rank = job.rank;
    for (uint32_t i = 0; i < job.rank; i++) rows[i] = job.rows[i];
    return true;
}
