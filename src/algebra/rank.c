/* algebra/rank.c - generic rank, from the values of the entries at a random point modulo a prime. */
#include "minors.h"
#include "modp.h"
#include <string.h>

#define PROOF_MINORS 64 /* that are looked at exactly */

/* ---- Elimination modulo a prime -------------------------------------------------------------- */

/* Row by row, so that the first independent rows are found; rows are sparse, and each is reduced by
 * the pivots found so far in their order (pivot row k has no entry in the columns of earlier
 * pivots). */
typedef struct sparse_row {
    uint32_t count, pivot; /* pivot: column */
    uint32_t *col;
    mp_limb_t *val; /* the pivot's is 1 */
} sparse_row;

typedef struct elimination {
    ah_ctx *ctx;
    nmod_t mod;
    uint32_t cols, rank;
    sparse_row *pivots;
    uint32_t *pivot_of;     /* column → number of its pivot + 1 */
    mp_limb_t *dense;       /* the row being reduced */
    bool *used, *waiting;   /* which columns it has, and which pivots stand in these */
    LIST(uint32_t) touched; /* its columns */
    uint32_t *weight;       /* entries in each column of the matrix */
} elimination;

static void touch(elimination *x, uint32_t col, mp_limb_t value)
{
    if (!x->used[col]) {
        x->used[col] = true;
        if (x->pivot_of[col]) x->waiting[x->pivot_of[col] - 1] = true;
        LIST_PUSH(&x->ctx->scratch, &x->touched, col);
    }
    x->dense[col] = nmod_add(x->dense[col], value, x->mod);
}

/* By the earliest pivot whose column is occupied; later ones may appear meanwhile, earlier ones do not. */
static void reduce(elimination *x)
{
    bool *w = x->waiting, *const end = w + x->rank;
    for (; (w = memchr(w, true, (size_t) (end - w))); *w = false) {
        const sparse_row *p = &x->pivots[w - x->waiting];
        const mp_limb_t factor = nmod_neg(x->dense[p->pivot], x->mod);
        ctx_tick(x->ctx);
        for (uint32_t k = 0; factor && k < p->count; k++)
            touch(x, p->col[k], nmod_mul(factor, p->val[k], x->mod));
    }
}

/* The pivot in the rarest column fills in least. */
static bool keep_row(elimination *x)
{
    uint32_t best = UINT32_MAX, count = 0;
    for (size_t i = 0; i < x->touched.count; i++) {
        const uint32_t col = x->touched.at[i];
        if (!x->dense[col]) continue;
        count++;
        if (best == UINT32_MAX || x->weight[col] < x->weight[best]) best = col;
    }
    if (best == UINT32_MAX) return false;
    sparse_row *p = &x->pivots[x->rank++];
    *p = (sparse_row){.pivot = best,
                      .col = NEW_ARRAY(&x->ctx->scratch, uint32_t, count),
                      .val = NEW_ARRAY(&x->ctx->scratch, mp_limb_t, count)};
    const mp_limb_t inverse = nmod_inv(x->dense[best], x->mod);
    for (size_t i = 0; i < x->touched.count; i++) {
        const uint32_t col = x->touched.at[i];
        if (!x->dense[col]) continue;
        p->col[p->count] = col;
        p->val[p->count++] = nmod_mul(x->dense[col], inverse, x->mod);
    }
    x->pivot_of[best] = x->rank;
    return true;
}

static void clear_row(elimination *x)
{
    for (size_t i = 0; i < x->touched.count; i++) {
        x->dense[x->touched.at[i]] = 0;
        x->used[x->touched.at[i]] = false;
    }
    x->touched.count = 0;
}

/* rows: the independent ones, cols: a pivot column for each. */
static uint32_t eliminate_rows(ah_ctx *ctx, mat m, const mp_limb_t *value, nmod_t mod,
                               uint32_t *rows, uint32_t *cols)
{
    arena *a = &ctx->scratch;
    elimination x = {.ctx = ctx, .mod = mod, .cols = m.cols};
    x.pivots = NEW_ARRAY(a, sparse_row, m.rows);
    x.pivot_of = NEW_ARRAY(a, uint32_t, m.cols);
    x.dense = NEW_ARRAY(a, mp_limb_t, m.cols);
    x.used = NEW_ARRAY(a, bool, m.cols);
    x.waiting = NEW_ARRAY(a, bool, m.rows);
    x.weight = NEW_ARRAY(a, uint32_t, m.cols);
    for (uint32_t k = 0; k < mat_entries(m); k++) x.weight[m.col[k]]++;
    for (uint32_t i = 0; i < m.rows && x.rank < m.cols; i++) {
        for (uint32_t k = m.start[i]; k < m.start[i + 1]; k++) touch(&x, m.col[k], value[k]);
        reduce(&x);
        if (keep_row(&x)) {
            rows[x.rank - 1] = i;
            cols[x.rank - 1] = x.pivots[x.rank - 1].pivot;
        }
        clear_row(&x);
    }
    return x.rank;
}

/* ---- Proofs ---------------------------------------------------------------------------------- */

typedef struct rank_job {
    algebra *alg;
    mat m;
    uint32_t rank, *rows, *cols;
    bool at_least, at_most; /* proved */
} rank_job;

/* Is the minor of the pivots other than zero? */
static bool prove_at_least(rank_job *job)
{
    ah_ctx *ctx = job->alg->ctx;
    ah_expr det;
    const mat rows = mat_rows(ctx, &ctx->scratch, job->m, job->rows, job->rank);
    const mat square = mat_cols(ctx, &ctx->scratch, rows, job->cols, job->rank);
    return algebra_det(job->alg, square, &det) && algebra_zero(job->alg, det) == AH_FALSE;
}

static uint32_t set_of(const uint32_t *list, uint32_t count)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < count; i++) set |= 1u << list[i];
    return set;
}

/* Kronecker: the rank does not exceed r if all minors that border one of order r vanish. */
static void bordered_minors(ah_ctx *ctx, void *arg)
{
    rank_job *job = arg;
    const mat m = job->m;
    expr_list roots = {0};
    for (uint32_t k = 0; k < mat_entries(m); k++)
        LIST_PUSH(&ctx->scratch, &roots, algebra_lower(job->alg, m.val[k]));
    ring *r = ring_open_related(job->alg, roots.at, roots.count);
    frac *M = NEW_ARRAY(&ctx->scratch, frac, (size_t) m.rows * m.cols);
    for (uint32_t i = 0; i < m.rows * m.cols; i++) M[i] = frac_int(r, 0);
    for (uint32_t i = 0, k = 0; i < m.rows; i++)
        for (; k < m.start[i + 1]; k++) M[i * m.cols + m.col[k]] = ring_value(r, roots.at[k]);
    minors w = minors_of(r, m.rows, m.cols, M);
    const uint32_t rows = set_of(job->rows, job->rank), cols = set_of(job->cols, job->rank);
    job->at_most = true;
    for (uint32_t i = 0; i < m.rows && job->at_most; i++)
        for (uint32_t j = 0; j < m.cols && job->at_most; j++) {
            if (rows >> i & 1 || cols >> j & 1) continue;
            const poly minor = minors_get(&w, rows | 1u << i, cols | 1u << j);
            job->at_most = poly_is_zero(r, chain_reduce(r, minor, NULL));
        }
    ring_close(r);
}

static bool prove_at_most(rank_job *job)
{
    const uint32_t rows = job->m.rows, cols = job->m.cols, r = job->rank;
    if (r == rows || r == cols) return true;
    if (rows > MINORS_LARGEST || cols > MINORS_LARGEST) return false;
    if ((rows - r) * (cols - r) > PROOF_MINORS) return false;
    return algebra_attempt(job->alg, bordered_minors, job) && job->at_most;
}

/* ---- Public ---------------------------------------------------------------------------------- */

static void rank_body(ah_ctx *ctx, void *arg)
{
    rank_job *job = arg;
    const uint32_t count = mat_entries(job->m);
    ah_expr *lowered = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    mp_limb_t *value = NEW_ARRAY(&ctx->scratch, mp_limb_t, count);
    nmod_t mod;
    for (uint32_t k = 0; k < count; k++) lowered[k] = algebra_lower(job->alg, job->m.val[k]);
    if (!modp_values(job->alg, lowered, count, &mod, value, &job->at_least))
        algebra_give_up(job->alg);
    job->rank = eliminate_rows(ctx, job->m, value, mod, job->rows, job->cols);
}

/* Entries that cannot be evaluated count as independent of each other. */
static void pattern_body(ah_ctx *ctx, void *arg)
{
    rank_job *job = arg;
    const uint32_t count = mat_entries(job->m);
    mp_limb_t *value = NEW_ARRAY(&ctx->scratch, mp_limb_t, count);
    nmod_t mod;
    nmod_init(&mod, modp_prime(0));
    for (uint32_t k = 0; k < count; k++) value[k] = algebra_random(job->alg) % mod.n;
    job->rank = eliminate_rows(ctx, job->m, value, mod, job->rows, job->cols);
}

static rank_job rank_of(algebra *alg, mat m)
{
    arena *a = &alg->ctx->job;
    rank_job job = {.alg = alg, .m = m};
    job.rows = NEW_ARRAY(a, uint32_t, m.rows);
    job.cols = NEW_ARRAY(a, uint32_t, m.rows);
    if (algebra_attempt(alg, rank_body, &job)) return job;
    job.at_least = false;
    if (!algebra_attempt(alg, pattern_body, &job)) job.rank = 0;
    return job;
}

int algebra_rank(algebra *alg, mat m, uint32_t *rows, bool *proved)
{
    rank_job job = rank_of(alg, m);
    const bool exact = alg->relations && nullspace_rank(alg, m, job.rows, &job.rank);
    if (rows && job.rank) memcpy(rows, job.rows, job.rank * sizeof *rows);
    if (proved)
        *proved = exact || (!alg->relations && (job.at_least || prove_at_least(&job)) &&
                            prove_at_most(&job));
    return (int) job.rank;
}

ah_truth algebra_regular(algebra *alg, mat m)
{
    ah_expr det;
    if (m.rows != m.cols) return AH_FALSE;
    if (alg->relations) {
        if (!algebra_det(alg, m, &det)) return AH_UNKNOWN;
        return algebra_zero(alg, det) == AH_TRUE ? AH_FALSE : AH_UNKNOWN;
    }
    rank_job job = rank_of(alg, m);
    const bool at_least = job.at_least || prove_at_least(&job);
    if (job.rank == m.rows) return at_least ? AH_TRUE : AH_UNKNOWN;
    if (at_least && prove_at_most(&job)) return AH_FALSE;
    return algebra_det(alg, m, &det) && algebra_zero(alg, det) == AH_TRUE ? AH_FALSE : AH_UNKNOWN;
}
