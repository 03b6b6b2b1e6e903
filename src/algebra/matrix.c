/* algebra/matrix.c - determinant, inverse and linear systems.
 *
 * Rows and columns are first sorted into blocks that do not meet (connected components of the
 * pattern of non-zero entries): a diagonal matrix of any size is inverted entry by entry. In a
 * block everything is a quotient of minors, with one gcd an entry. */
#include "minors.h"

/* Terms of a polynomial on the way: nobody reads the inverse of a matrix that needs more. */
#define MATRIX_TERMS 20000

/* ---- Blocks ---------------------------------------------------------------------------------- */

typedef struct block {
    uint32_t rows, cols;
    uint32_t *row, *col;
} block;
typedef struct blocks {
    size_t count;
    block *at;
} blocks;

static uint32_t find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Union-find over rows and, behind them, columns. */
static uint32_t *components(ah_ctx *ctx, mat m)
{
    uint32_t *parent = NEW_ARRAY(&ctx->scratch, uint32_t, (size_t) m.rows + m.cols);
    for (uint32_t i = 0; i < m.rows + m.cols; i++) parent[i] = i;
    for (uint32_t i = 0, k = 0; i < m.rows; i++)
        for (; k < m.start[i + 1]; k++) parent[find(parent, i)] = find(parent, m.rows + m.col[k]);
    return parent;
}

static blocks blocks_of(ah_ctx *ctx, mat m)
{
    arena *a = &ctx->scratch;
    uint32_t *parent = components(ctx, m);
    const uint32_t all = m.rows + m.cols;
    uint32_t *number = NEW_ARRAY(a, uint32_t, all);
    blocks b = {.at = NEW_ARRAY(a, block, all)};
    for (uint32_t i = 0; i < all; i++) {
        const uint32_t root = find(parent, i);
        if (!number[root]) number[root] = (uint32_t) ++b.count;
        block *x = &b.at[number[root] - 1];
        if (i < m.rows)
            x->rows++;
        else
            x->cols++;
    }
    for (size_t k = 0; k < b.count; k++) {
        b.at[k].row = NEW_ARRAY(a, uint32_t, b.at[k].rows);
        b.at[k].col = NEW_ARRAY(a, uint32_t, b.at[k].cols);
        b.at[k].rows = b.at[k].cols = 0;
    }
    for (uint32_t i = 0; i < all; i++) {
        block *x = &b.at[number[find(parent, i)] - 1];
        if (i < m.rows)
            x->row[x->rows++] = i;
        else
            x->col[x->cols++] = i - m.rows;
    }
    return b;
}

/* ---- One block in its ring ------------------------------------------------------------------- */

typedef struct solver {
    algebra *alg;
    ah_ctx *ctx;
    mat m, rhs; /* rhs: without columns when there is none */
    LIST(mat_entry) out;
    ah_expr det;
    bool singular;
    bool divides; /* by the determinant: it must be known to differ from zero */
    int det_sign; /* of the order in which the blocks take rows and columns */
} solver;

typedef struct work {
    solver *s;
    ring *r;
    const block *b;
    minors minors;
    poly det;  /* of P */
    frac *rhs; /* b.rows × rhs.cols */
} work;

static frac entry(ring *r, mat m, uint32_t i, uint32_t j)
{
    const ah_expr e = mat_get(r->ctx, m, i, j);
    return expr_is_zero(r->ctx, e) ? frac_int(r, 0) : ring_value(r, algebra_lower(r->alg, e));
}

/* The ring of the entries of a block's rows, those of the right-hand side included. */
static work open_block(solver *s, const block *b)
{
    arena *a = &s->ctx->scratch;
    expr_list roots = {0};
    for (uint32_t i = 0; i < b->rows; i++) {
        const uint32_t row = b->row[i];
        for (uint32_t k = s->m.start[row]; k < s->m.start[row + 1]; k++)
            LIST_PUSH(a, &roots, algebra_lower(s->alg, s->m.val[k]));
        for (uint32_t k = s->rhs.cols ? s->rhs.start[row] : 0;
             s->rhs.cols && k < s->rhs.start[row + 1]; k++)
            LIST_PUSH(a, &roots, algebra_lower(s->alg, s->rhs.val[k]));
    }
    work w = {.s = s, .b = b, .r = ring_open_related(s->alg, roots.at, roots.count)};
    frac *M = NEW_ARRAY(a, frac, (size_t) b->rows * b->cols);
    for (uint32_t i = 0; i < b->rows; i++)
        for (uint32_t j = 0; j < b->cols; j++)
            M[i * b->cols + j] = entry(w.r, s->m, b->row[i], b->col[j]);
    w.rhs = NEW_ARRAY(a, frac, (size_t) b->rows * s->rhs.cols);
    for (uint32_t i = 0; i < b->rows; i++)
        for (uint32_t k = 0; k < s->rhs.cols; k++)
            w.rhs[i * s->rhs.cols + k] = entry(w.r, s->rhs, b->row[i], k);
    w.minors = minors_of(w.r, b->rows, b->cols, M);
    minors_check(&w.minors);
    w.det = minors_get(&w.minors, (1u << b->rows) - 1, (1u << b->cols) - 1);
    return w;
}

/* Zero modulo the relations that hold besides. Where generators may depend on each other a
 * determinant that is not known to differ from zero divides nothing. */
static bool is_singular(work *w)
{
    ring *r = w->r;
    if (poly_is_zero(r, chain_reduce(r, w->det, NULL))) return true;
    if (!w->s->divides || r->g->independent || r->links) return false;
    const ah_truth zero = algebra_zero(w->s->alg, show_expanded(r, w->det, true));
    if (zero == AH_UNKNOWN) algebra_give_up(w->s->alg);
    return zero == AH_TRUE;
}

/* Cofactor of P for the entry (i, j) of its adjugate. */
static poly cofactor(work *w, uint32_t i, uint32_t j)
{
    const uint32_t all = (1u << w->b->rows) - 1;
    const poly minor = minors_get(&w->minors, all ^ 1u << j, all ^ 1u << i);
    return (i + j) % 2 ? poly_scale(w->r, minor, -1) : minor;
}

static void put(solver *s, uint32_t row, uint32_t col, ah_expr e)
{
    LIST_PUSH(&s->ctx->job, &s->out, ((mat_entry){row, col, e}));
}

static ah_expr shown(ring *r, frac a)
{
    return show_frac(r, chain_reduce_frac(r, a));
}

/* M⁻¹ = adj(P) diag(scale)/det(P) */
static void invert_block(solver *s, work *w)
{
    const block *b = w->b;
    for (uint32_t i = 0; i < b->rows; i++)
        for (uint32_t j = 0; j < b->rows; j++) {
            const poly num = poly_mul(w->r, cofactor(w, i, j), w->minors.scale[j]);
            if (!poly_is_zero(w->r, num))
                put(s, b->col[i], b->row[j], shown(w->r, (frac){num, w->det}));
        }
}

static void solve_block(solver *s, work *w)
{
    const block *b = w->b;
    frac *terms = NEW_ARRAY(&s->ctx->scratch, frac, b->rows);
    for (uint32_t i = 0; i < b->rows; i++)
        for (uint32_t k = 0; k < s->rhs.cols; k++) {
            for (uint32_t j = 0; j < b->rows; j++) {
                const frac right = w->rhs[j * s->rhs.cols + k];
                const frac scaled = {poly_mul(w->r, right.num, w->minors.scale[j]), right.den};
                terms[j] = frac_mul(w->r, frac_of(w->r, cofactor(w, i, j)), scaled);
            }
            const frac sum = frac_sum(w->r, terms, b->rows);
            if (poly_is_zero(w->r, sum.num)) continue;
            const frac x = frac_div(w->r, sum, frac_of(w->r, w->det));
            put(s, b->col[i], k, shown(w->r, x));
        }
}

static ah_expr block_determinant(work *w)
{
    poly all = poly_int(w->r, 1);
    for (uint32_t j = 0; j < w->b->rows; j++) all = poly_mul(w->r, all, w->minors.scale[j]);
    return shown(w->r, (frac){w->det, all});
}

/* ---- All blocks ------------------------------------------------------------------------------ */

/* Sign of the permutation that an order of 0 … n−1 is. */
static int permutation_sign(ah_ctx *ctx, const uint32_t *order, uint32_t n)
{
    bool *seen = NEW_ARRAY(&ctx->scratch, bool, n);
    int sign = 1;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; !seen[j]; j = order[j]) {
            seen[j] = true;
            if (order[j] != i) sign = -sign;
        }
    return sign;
}

static int order_sign(solver *s, const blocks *b)
{
    const uint32_t n = s->m.rows;
    uint32_t *rows = NEW_ARRAY(&s->ctx->scratch, uint32_t, n), i = 0;
    uint32_t *cols = NEW_ARRAY(&s->ctx->scratch, uint32_t, n), j = 0;
    for (size_t k = 0; k < b->count; k++) {
        for (uint32_t x = 0; x < b->at[k].rows; x++) rows[i++] = b->at[k].row[x];
        for (uint32_t x = 0; x < b->at[k].cols; x++) cols[j++] = b->at[k].col[x];
    }
    return permutation_sign(s->ctx, rows, n) * permutation_sign(s->ctx, cols, n);
}

typedef void block_job(solver *s, work *w);

static void determinant_block(solver *s, work *w)
{
    s->det = expr_mul(s->ctx, s->det, block_determinant(w));
}

/* Runs the job on each block; a block that is not square, or singular, ends it. */
static void each_block(solver *s, block_job *job)
{
    if (s->alg->terms > MATRIX_TERMS) s->alg->terms = MATRIX_TERMS; /* until the attempt ends */
    const blocks b = blocks_of(s->ctx, s->m);
    s->det_sign = order_sign(s, &b);
    for (size_t k = 0; k < b.count && !s->singular; k++)
        if (b.at[k].rows != b.at[k].cols) s->singular = true;
    for (size_t k = 0; k < b.count && !s->singular; k++) {
        const arena_mark mark = arena_get_mark(&s->ctx->scratch);
        work w = open_block(s, &b.at[k]);
        if (is_singular(&w))
            s->singular = true;
        else
            job(s, &w);
        ring_close(w.r);
        arena_release(&s->ctx->scratch, mark);
    }
}

static solver solver_of(algebra *alg, mat m, bool divides)
{
    return (solver){
        .alg = alg, .ctx = alg->ctx, .m = m, .det = expr_int(alg->ctx, 1), .divides = divides};
}

static mat result(solver *s, uint32_t rows, uint32_t cols)
{
    return mat_from_entries(s->ctx, &s->ctx->job, rows, cols, s->out.at, s->out.count);
}

/* ---- Public ---------------------------------------------------------------------------------- */

typedef struct matrix_job {
    solver s;
    mat out;
} matrix_job;

static void det_body(ah_ctx *ctx, void *arg)
{
    matrix_job *job = arg;
    each_block(&job->s, determinant_block);
    job->s.det = job->s.singular ? expr_int(ctx, 0)
                                 : expr_mul(ctx, expr_int(ctx, job->s.det_sign), job->s.det);
}

bool algebra_det(algebra *alg, mat m, ah_expr *det)
{
    matrix_job job = {.s = solver_of(alg, m, false)};
    if (m.rows != m.cols || !algebra_attempt(alg, det_body, &job)) return false;
    *det = job.s.det;
    return true;
}

static void inverse_body(ah_ctx *ctx, void *arg)
{
    matrix_job *job = arg;
    (void) ctx;
    each_block(&job->s, invert_block);
    if (!job->s.singular) job->out = result(&job->s, job->s.m.rows, job->s.m.rows);
}

bool algebra_inverse(algebra *alg, mat m, mat *inverse, bool *singular)
{
    matrix_job job = {.s = solver_of(alg, m, true)};
    *singular = false;
    if (m.rows != m.cols || !algebra_attempt(alg, inverse_body, &job)) return false;
    *singular = job.s.singular;
    if (job.s.singular) return false;
    *inverse = job.out;
    return true;
}

static void solve_body(ah_ctx *ctx, void *arg)
{
    matrix_job *job = arg;
    (void) ctx;
    each_block(&job->s, solve_block);
    if (!job->s.singular) job->out = result(&job->s, job->s.m.rows, job->s.rhs.cols);
}

bool algebra_solve(algebra *alg, mat m, mat rhs, mat *x, bool *singular)
{
    matrix_job job = {.s = solver_of(alg, m, true)};
    job.s.rhs = rhs;
    *singular = false;
    if (m.rows != m.cols || rhs.rows != m.rows || !algebra_attempt(alg, solve_body, &job))
        return false;
    *singular = job.s.singular;
    if (job.s.singular) return false;
    *x = job.out;
    return true;
}
