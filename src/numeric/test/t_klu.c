/* t_klu.c - sparse systems against dense ones, and those that have no solution. */
#include "harness.h"

#include "numeric/numeric.h"

#include <math.h>

enum { SIZE = 50 };

/* A cyclic band: a_i on the diagonal, b_i to the right of it, c_i to the left. */
typedef struct band {
    uint32_t start[SIZE + 1], col[3 * SIZE];
    double entry[3 * SIZE];
} band;

static void make_band(band *b, bool with_diagonal)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < SIZE; i++) {
        b->start[i] = k;
        if (with_diagonal) b->col[k++] = i;
        b->col[k++] = (i + 1) % SIZE;
        b->col[k++] = (i + SIZE - 1) % SIZE;
    }
    b->start[SIZE] = k;
    for (uint32_t i = 0; i < k; i++) b->entry[i] = harness_uniform(-2, 2);
}

static void as_dense(const band *b, const double *diagonal, double *A)
{
    for (uint32_t i = 0; i < SIZE; i++) {
        for (uint32_t j = 0; j < SIZE; j++) A[i * SIZE + j] = 0;
        for (uint32_t p = b->start[i]; p < b->start[i + 1]; p++)
            A[i * SIZE + b->col[p]] += b->entry[p];
        if (diagonal) A[i * SIZE + i] += diagonal[i];
    }
}

static void compare(ah_ctx *ctx, sparse *s, const band *b, const double *diagonal)
{
    static double A[SIZE * SIZE];
    double right[SIZE], got[SIZE], want[SIZE], size = 0;
    for (int i = 0; i < SIZE; i++) right[i] = harness_uniform(-1, 1);
    as_dense(b, diagonal, A);
    const double rcond = linear_solve(&ctx->scratch, SIZE, 1, A, right, want);
    REQUIRE(rcond > 0);
    CHECK(sparse_factor(s, b->entry, diagonal) > 0);
    CHECK(sparse_solve(s, right, got));
    for (int i = 0; i < SIZE; i++) size = fmax(size, fabs(want[i]));
    for (int i = 0; i < SIZE; i++)
        CHECK_NEAR(got[i], want[i], size / rcond, 10, "KLU against LAPACK");
}

static void agree_body(ah_ctx *ctx, void *arg)
{
    band b;
    double diagonal[SIZE];
    (void) arg;
    make_band(&b, true);
    const sparse_pattern pattern = {SIZE, SIZE, b.start, b.col}, none = {0, SIZE, NULL, NULL};
    sparse *s = sparse_create(ctx, &ctx->job, pattern);
    if (!s) SKIP("built without KLU");
    CHECK(sparse_pays(SIZE, b.start[SIZE]) && !sparse_pays(SIZE, SIZE * SIZE) &&
          !sparse_pays(SPARSE_ABOVE, 1));
    for (int k = 0; k < 10; k++) {
        make_band(&b, true);
        if (k % 3 == 1) /* the pivots of the matrix before are bad ones */
            for (uint32_t i = 0; i < SIZE; i++) b.entry[b.start[i]] = 1e-13;
        compare(ctx, s, &b, NULL);
    }
    /* a system without constraints, and a diagonal that is added */
    sparse *kkt = sparse_create_kkt(ctx, &ctx->job, pattern, none, true);
    compare(ctx, kkt, &b, NULL);
    for (int i = 0; i < SIZE; i++) diagonal[i] = harness_uniform(1, 2);
    compare(ctx, kkt, &b, diagonal);
}

TEST(sparse_against_dense)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, agree_body, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}

static void none_body(ah_ctx *ctx, void *arg)
{
    band b;
    double right[SIZE] = {1}, x[SIZE];
    (void) arg;
    make_band(&b, true);
    const sparse_pattern pattern = {SIZE, SIZE, b.start, b.col};
    sparse *s = sparse_create(ctx, &ctx->job, pattern);
    if (!s) SKIP("built without KLU");
    CHECK(sparse_factor(s, b.entry, NULL) > 0);
    /* infinite numbers, rows of zeros, and the way back */
    const double before = b.entry[7];
    b.entry[7] = INFINITY;
    CHECK(sparse_factor(s, b.entry, NULL) == 0);
    b.entry[7] = before;
    for (uint32_t p = b.start[3]; p < b.start[4]; p++) b.entry[p] = 0;
    CHECK(sparse_factor(s, b.entry, NULL) == 0);
    make_band(&b, true);
    CHECK(sparse_factor(s, b.entry, NULL) > 0);
    right[3] = NAN;
    CHECK(!sparse_solve(s, right, x));
    /* singular whatever the numbers: a column without entries */
    for (uint32_t p = 0; p < b.start[SIZE]; p++) b.col[p] = b.col[p] == 9 ? 10 : b.col[p];
    sparse *empty = sparse_create(ctx, &ctx->job, pattern);
    CHECK(sparse_factor(empty, b.entry, NULL) == 0);
}

TEST(sparse_without_a_solution)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, none_body, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}
