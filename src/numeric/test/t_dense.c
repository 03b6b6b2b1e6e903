/* t_dense.c - dense linear algebra and spectra against multiplication, closed forms and each other; what is not
 * finite, empty or singular is answered as the header says. */
#include "harness.h"

#include "numeric/numeric.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { N = 5, M = 3 };
static const double with_nan[N * N] = {1, 0, 0, 0, NAN};

static void fill(size_t count, double *A)
{
    for (size_t i = 0; i < count; i++) A[i] = harness_uniform(-2, 2);
}

static double largest(size_t count, const double *x)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* The last row becomes the sum of the others. */
static void make_singular(uint32_t rows, uint32_t cols, double *A)
{
    for (uint32_t j = 0; j < cols; j++) {
        A[(rows - 1) * cols + j] = 0;
        for (uint32_t i = 0; i + 1 < rows; i++) A[(rows - 1) * cols + j] += A[i * cols + j];
    }
}

static void with_context(void (*body)(ah_ctx *ctx, void *arg))
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, body, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}

static void solve_body(ah_ctx *ctx, void *arg)
{
    arena *a = &ctx->scratch;
    double A[N * N], B[N * 2], X[N * 2], again[N * 2];
    (void) arg;
    for (int k = 0; k < 20; k++) {
        fill(N * N, A);
        fill(N * 2, B);
        const double rcond = linear_solve(a, N, 2, A, B, X);
        CHECK(rcond > 0 && rcond <= 1);
        linear_multiply(N, N, 2, A, X, again);
        for (int i = 0; i < N * 2; i++)
            CHECK_NEAR(again[i], B[i], 2 * N * (1 + largest(N * 2, X)), 100, "A X = B");
    }
    make_singular(N, N, A);
    CHECK(linear_solve(a, N, 2, A, B, X) == 0);
    CHECK(linear_solve(a, N, 2, with_nan, B, X) == 0);
    CHECK(linear_solve(a, N, 1, A, with_nan, X) == 0);
    CHECK(linear_solve(a, 0, 2, A, B, X) == 1);
    const double D[4] = {1, 0, 0, 1e-3};
    CHECK_NEAR(linear_reciprocal_condition(a, 2, D), 1e-3, 1e-3, 10, "of a diagonal matrix");
    CHECK(linear_reciprocal_condition(a, 0, D) == 1);
    CHECK(linear_reciprocal_condition(a, N, with_nan) == 0);
    CHECK(linear_reciprocal_condition(a, N, A) < 1e-15);
}

TEST(systems)
{
    with_context(solve_body);
}

/* The same as LAPACK's expert driver, whatever the scales of rows and columns; beside the reference BLAS the numbers agree to
 * the last bit, others add in another order. */
static void expert_body(ah_ctx *ctx, void *arg)
{
    enum { SIZE = 12, SIDES = 7 };
    double A[SIZE * SIZE], B[SIZE * SIDES], X[SIZE * SIDES];
    double a[SIZE * SIZE], b[SIZE * SIDES], x[SIZE * SIDES], factors[SIZE * SIZE];
    double r[SIZE], c[SIZE], forward[SIDES], backward[SIDES], work[4 * SIZE];
    int pivot[SIZE], iwork[SIZE], scaled = 0, singular = 0;
    (void) arg;
    for (int k = 0; k < 200; k++) {
        fill(SIZE * SIZE, A);
        fill(SIZE * SIDES, B);
        const double by_row = (double[]){0, 0, 4, -2}[k % 4],
                     by_column = (double[]){0, 3, 0, 1}[k % 4];
        for (int i = 0; i < SIZE * SIZE; i++)
            A[i] *= exp(by_row * (i / SIZE) + by_column * (i % SIZE));
        for (int j = 0; j < SIZE && k % 8 > 4; j++) /* nearly singular, and quite */
            A[j] = A[SIZE + j] * (1 + (k % 16 > 8 ? 1e-11 : 1e-17) * A[j]);
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) a[j * SIZE + i] = A[i * SIZE + j];
            for (int j = 0; j < SIDES; j++) b[j * SIZE + i] = B[i * SIDES + j];
        }
        char how = 'N';
        double want = 0;
        const int info = LAPACKE_dgesvx_work(LAPACK_COL_MAJOR, 'E', 'N', SIZE, SIDES, a, SIZE,
                                             factors, SIZE, pivot, &how, r, c, b, SIZE, x, SIZE,
                                             &want, forward, backward, work, iwork);
        const double got = linear_solve(&ctx->scratch, SIZE, SIDES, A, B, X);
        CHECK_NEAR(got, info ? 0 : want, 1, 10, "the reciprocal condition");
        scaled += how != 'N';
        singular += info != 0;
        for (int i = 0; i < SIZE * SIDES && !info; i++) {
            const int side = i % SIDES, row = i / SIDES;
            double size = 0;
            for (int j = 0; j < SIZE; j++)
                size = fmax(size, fabs(x[side * SIZE + j] / (how == 'C' || how == 'B' ? c[j] : 1)));
            CHECK_NEAR(X[i], x[side * SIZE + row],
                       size * (how == 'C' || how == 'B' ? c[row] : 1) / want, 10, "one solution");
        }
    }
    CHECK(scaled > 100 && scaled < 200 && singular > 0 && singular < 100);
}

/* Several right-hand sides are solved side by side: to the last bit as each alone, zeros with their signs. */
static void together_body(ah_ctx *ctx, void *arg)
{
    enum { SIZE = 9, SIDES = 11 };
    double A[SIZE * SIZE], B[SIZE * SIDES], X[SIZE * SIDES], b[SIZE], x[SIZE];
    (void) arg;
    for (int k = 0; k < 60; k++) {
        fill(SIZE * SIZE, A);
        fill(SIZE * SIDES, B);
        for (int i = 0; i < SIZE * SIZE; i += 1 + k % 3) A[i] = i % (SIZE + 1) ? 0 : A[i] + 3;
        for (int i = 0; i < SIZE * SIDES; i += 1 + k % 5) B[i] = k % 2 ? 0 : -0.0;
        for (int i = 0; i < SIZE * SIDES; i += SIDES) B[i + 1] = 0, B[i + 2] = i ? 0 : 1;
        if (k % 4 == 3)
            for (int i = 0; i < SIZE; i++) A[i] *= 1e9;
        const linear_factors f = linear_factor(&ctx->scratch, SIZE, A);
        if (!(f.rcond > 0)) continue;
        CHECK(linear_solve_by(&f, SIDES, B, X));
        for (int j = 0; j < SIDES; j++) {
            for (int i = 0; i < SIZE; i++) b[i] = B[i * SIDES + j];
            CHECK(linear_solve_by(&f, 1, b, x));
            for (int i = 0; i < SIZE; i++) CHECK(!memcmp(&x[i], &X[i * SIDES + j], sizeof *x));
        }
    }
}

TEST(sides_beside_each_other)
{
    with_context(together_body);
}

/* A v = σ u: V alone, from the triangle of many rows, and with U. */
static void vectors_body(ah_ctx *ctx, void *arg)
{
    enum { ROWS = 23, COLS = 6 };
    double A[ROWS * COLS], V[COLS * COLS], W[COLS * COLS], sigma[COLS], with_U[COLS];
    double AV[ROWS * COLS], *U = NEW_ARRAY(&ctx->scratch, double, ROWS *ROWS);
    (void) arg;
    fill(ROWS * COLS, A);
    CHECK(linear_singular(&ctx->scratch, ROWS, COLS, A, sigma, NULL, V));
    CHECK(linear_singular(&ctx->scratch, ROWS, COLS, A, with_U, U, W));
    linear_multiply(ROWS, COLS, COLS, A, V, AV);
    for (int k = 0; k < COLS; k++) {
        CHECK_NEAR(sigma[k], with_U[k], sigma[0], 100, "the same singular values");
        double norm = 0, dot = 0;
        for (int i = 0; i < ROWS; i++) {
            norm = hypot(norm, AV[i * COLS + k]);
            dot += AV[i * COLS + k] * U[i * ROWS + k];
        }
        CHECK_NEAR(norm, sigma[k], sigma[0], 100, "|A v| = σ");
        CHECK_NEAR(fabs(dot), sigma[k], sigma[0], 100, "A v along u");
    }
}

TEST(singular_vectors)
{
    with_context(vectors_body);
}

TEST(expert_driver)
{
    with_context(expert_body);
}

/* [M Jᵀ; J 0] of a point of mass m in coordinates of the units u, with rows J of the units v: its solution is that of ordinary
 * units in these. With a row twice it is singular in all of them. */
static void units_body(ah_ctx *ctx, void *arg)
{
    static const double kkt[25] = {2,    0.5, 0,   0.6, 1,    0.5, 3, 0, 0, 2, 0, 0, 1,
                                   -0.8, 3,   0.6, 0,   -0.8, 0,   0, 1, 2, 3, 0, 0};
    static const double unit[][5] = {{1, 1, 1, 1, 1},
                                     {1e-14, 1e-8, 1e-14, 1, 1},
                                     {1e9, 1e-9, 1, 1e-12, 1e12},
                                     {1e-13, 1e-13, 1e-4, 1e5, 1e-9}};
    const double b[5] = {1, -2, 0.5, 3, -1};
    double plain[5], A[25], B[5], x[5];
    (void) arg;
    for (size_t k = 0; k < 4; k++) {
        for (int i = 0; i < 5; i++) B[i] = b[i] * unit[k][i];
        for (int i = 0; i < 25; i++) A[i] = kkt[i] * unit[k][i / 5] * unit[k][i % 5];
        const double rcond = linear_solve(&ctx->scratch, 5, 1, A, B, x);
        CHECK(rcond > 1e-8);
        if (k == 0) memcpy(plain, x, sizeof x);
        for (int i = 0; i < 5; i++)
            CHECK_NEAR(x[i] * unit[k][i], plain[i], largest(5, plain), 1000, "in other units");
        for (int i = 0; i < 25; i++) { /* the last row is the one before it */
            const int row = i / 5 == 4 ? 3 : i / 5, column = i % 5 == 4 ? 3 : i % 5;
            A[i] = kkt[5 * row + column] * unit[k][i / 5] * unit[k][i % 5];
        }
        CHECK(linear_solve(&ctx->scratch, 5, 1, A, B, x) == 0);
    }
}

TEST(units_of_the_unknowns)
{
    with_context(units_body);
}

static void rank_body(ah_ctx *ctx, void *arg)
{
    arena *a = &ctx->scratch;
    double A[M * N], N_[N * N], x[N], b[M], product[N * N], X[N * N];
    uint32_t order[N];
    (void) arg;
    fill(M * N, A);
    fill(M, b);
    CHECK_INT(linear_row_rank(a, M, N, A, order), M);
    /* A N = 0, NᵀN = 1; A x = b, Nᵀx = 0 */
    linear_null_space(a, M, N, M, A, b, N_, x);
    linear_multiply(M, N, N - M, A, N_, product);
    CHECK(largest(M * (N - M), product) < 1e-14);
    for (int i = 0; i < N - M; i++) {
        double along = 0;
        for (int k = 0; k < N; k++) along += N_[k * (N - M) + i] * x[k];
        CHECK_NEAR(along, 0, largest(N, x), 50, "the least solution");
        for (int j = 0; j < N - M; j++) {
            double dot = 0;
            for (int k = 0; k < N; k++) dot += N_[k * (N - M) + i] * N_[k * (N - M) + j];
            CHECK_NEAR(dot, i == j, 1, 50, "orthonormal");
        }
    }
    linear_multiply(M, N, 1, A, x, product);
    for (int i = 0; i < M; i++) CHECK_NEAR(product[i], b[i], 10, 100, "A x = b");
    /* and the same by least squares */
    CHECK_INT(linear_least_squares(a, M, N, A, b, 1e-12, product), M);
    for (int i = 0; i < N; i++) CHECK_NEAR(product[i], x[i], 1 + largest(N, x), 500, "two routes");
    /* X A = 0 of a tall matrix, here N × M */
    double T[N * M];
    fill(N * M, T);
    CHECK(linear_annihilator(a, N, M, T, X));
    linear_multiply(N - M, N, M, X, T, product);
    CHECK(largest((N - M) * M, product) < 1e-14);
    for (int i = 0; i < N; i++) T[i * M] = T[i * M + 1] - T[i * M + 2];
    CHECK(!linear_annihilator(a, N, M, T, X));
    make_singular(M, N, A);
    CHECK_INT(linear_row_rank(a, M, N, A, order), M - 1);
    CHECK_INT(linear_least_squares(a, M, N, A, b, 1e-12, x), M - 1);
}

TEST(ranks_and_kernels)
{
    with_context(rank_body);
}

/* Is x the least among the solutions of Aᵀ(A x − b) = 0? It is orthogonal to what A takes to zero: the other rows of V. */
static void check_least(arena *a, uint32_t rows, uint32_t cols, const double *A, const double *b,
                        uint32_t rank, const double *x)
{
    double r[8], sigma[8], V[64], worst = 0;
    linear_multiply(rows, cols, 1, A, x, r);
    for (uint32_t i = 0; i < rows; i++) r[i] -= b[i];
    for (uint32_t j = 0; j < cols; j++) {
        double sum = 0;
        for (uint32_t i = 0; i < rows; i++) sum += A[i * cols + j] * r[i];
        worst = fmax(worst, fabs(sum));
    }
    CHECK_NEAR(worst, 0, 100 * (1 + largest(cols, x)), 100, "the residual is normal to the range");
    CHECK(linear_singular(a, rows, cols, A, sigma, NULL, V));
    for (uint32_t k = rank; k < cols; k++) {
        double dot = 0;
        for (uint32_t j = 0; j < cols; j++) dot += V[j * cols + k] * x[j];
        CHECK_NEAR(dot, 0, 1 + largest(cols, x), 1000, "nothing of the kernel is in x");
    }
}

/* Tall, square and wide, of full rank and not, with columns of zeros and without. */
static void least_body(ah_ctx *ctx, void *arg)
{
    arena *a = &ctx->scratch;
    double A[64], b[8], x[8];
    (void) arg;
    for (uint32_t rows = 1; rows <= 7; rows++)
        for (uint32_t cols = 1; cols <= 7; cols++)
            for (int way = 0; way < 4; way++) {
                const uint32_t zeros = way & 1 && cols > 2 ? 1 : 0, used = cols - zeros;
                uint32_t rank = rows < used ? rows : used;
                fill(rows * cols, A);
                fill(rows, b);
                for (uint32_t i = 0; zeros && i < rows; i++) A[i * cols + 1] = 0;
                if (way & 2 && rows > 1) make_singular(rows, cols, A);
                if (way & 2 && rows > 1 && rows <= used) rank = rows - 1;
                CHECK_INT(linear_least_squares(a, rows, cols, A, b, 1e-10, x), rank);
                check_least(a, rows, cols, A, b, rank, x);
            }
}

/* Rows and columns of any length; what is known no better than to its own size counts as zero. */
static void beyond_body(ah_ctx *ctx, void *arg)
{
    (void) arg;
    arena *a = &ctx->scratch;
    const double A[] = {-2e-10, 0, 1e9, 0, -1e-9, 1e9}, none[6] = {0};
    const double twice[] = {-2e-10, 3e-12, 1e9, -4e-10, 6e-12, 2e9};
    const double noisy[] = {1, 6e-17, 0, 1, 0, 0}, known[] = {0, 1e-16, 0, 0, 1e-16, 0};
    const double rough[] = {1, 1e-9, 0, 1, 1.0001e-9, 0}, by[] = {0, 1e-12, 0, 0, 1e-12, 0};
    uint32_t order[2];
    CHECK_INT(linear_row_rank(a, 2, 3, A, order), 1); /* sixteen digits are not enough */
    CHECK_INT(linear_rank_beyond(a, 2, 3, A, none, order), 2);
    CHECK_INT(linear_rank_beyond(a, 2, 3, twice, none, order), 1);
    CHECK_INT(linear_rank_beyond(a, 2, 3, noisy, none, order), 2);
    CHECK_INT(linear_rank_beyond(a, 2, 3, noisy, known, order), 1);
    CHECK_INT(linear_rank_beyond(a, 2, 3, rough, by, order), 1); /* apart by less than is known */
}

TEST(ranks_beyond_noise)
{
    with_context(beyond_body);
}

TEST(least_squares)
{
    with_context(least_body);
}

/* The kernel of a tall matrix whose last columns are combinations of the others, but for `aside`: where that is far from the
 * tolerance and where it is next to it. */
static void kernel_body(ah_ctx *ctx, void *arg)
{
    enum { ROWS = 12, COLS = 7 };
    static const double aside[] = {0, 1e-14, 3e-10, 3e-9, 1e-4};
    arena *a = &ctx->scratch;
    double A[ROWS * COLS], N_[COLS * COLS], sigma[COLS], product[ROWS];
    (void) arg;
    for (uint32_t null = 0; null <= 3; null++)
        for (size_t way = 0; way < sizeof aside / sizeof *aside; way++) {
            fill(ROWS * COLS, A);
            for (uint32_t j = 0; j < null; j++)
                for (uint32_t i = 0; i < ROWS; i++)
                    A[i * COLS + COLS - 1 - j] = A[i * COLS + j] - 2 * A[i * COLS + 3] +
                                                 aside[way] * A[i * COLS + COLS - 1 - j];
            uint32_t want = 0;
            CHECK(linear_singular(a, ROWS, COLS, A, sigma, NULL, NULL));
            while (want < COLS && sigma[COLS - 1 - want] <= 1e-9 * sigma[0]) want++;
            CHECK_INT(linear_null_rows(a, ROWS, COLS, A, 1e-9, N_), want);
            CHECK(way == 2 || way == 3 || want == (way < 2 ? null : 0));
            for (uint32_t i = 0; i < want; i++) {
                linear_multiply(ROWS, COLS, 1, A, N_ + i * COLS, product);
                CHECK(largest(ROWS, product) <= 1e-8 * sigma[0]);
                for (uint32_t k = 0; k <= i; k++) {
                    double dot = 0;
                    for (int j = 0; j < COLS; j++) dot += N_[i * COLS + j] * N_[k * COLS + j];
                    CHECK_NEAR(dot, i == k, 1, 50, "orthonormal");
                }
            }
        }
    memset(A, 0, sizeof A);
    CHECK_INT(linear_null_rows(a, ROWS, COLS, A, 1e-9, N_), COLS);
    A[5] = NAN;
    CHECK(linear_null_rows(a, ROWS, COLS, A, 1e-9, N_) == UINT32_MAX);
    CHECK(linear_null_rows(a, 2, COLS, with_nan + N, 1e-9, N_) == UINT32_MAX);
}

TEST(kernels_of_tall_matrices)
{
    with_context(kernel_body);
}

static void poor_body(ah_ctx *ctx, void *arg)
{
    arena *a = &ctx->scratch;
    double out[N * N], x[N], b[N] = {1}, work[10 * N], V[4];
    uint32_t order[N];
    (void) arg;
    CHECK_INT(linear_row_rank(a, M, N, with_nan, order), 0);
    CHECK_INT(linear_row_rank(a, M, 0, with_nan, order), 0);
    linear_column_order(a, M, N, with_nan, order);
    for (uint32_t i = 0; i < N; i++) CHECK_INT(order[i], i);
    linear_column_order(a, 2, 0, with_nan, order);
    linear_null_space(a, M, N, M, with_nan, b, out, x);
    CHECK(isnan(out[0]) && isnan(x[0]) && isnan(x[N - 1]) && isnan(out[N * (N - M) - 1]));
    linear_null_space(a, 0, 2, 0, b, b, out, x);
    CHECK(out[0] == 1 && out[1] == 0 && out[2] == 0 && out[3] == 1 && x[0] == 0);
    CHECK(!linear_annihilator(a, N, 1, with_nan, out));
    CHECK(!linear_eigenvalues(a, N, with_nan, NULL, x, b, NULL));
    CHECK(linear_eigenvalues(a, 0, with_nan, NULL, x, b, NULL));
    memcpy(out, with_nan, sizeof out);
    CHECK(!linear_singular_values(1, N, out, x, work));
    CHECK(linear_singular_values(0, N, out, x, work) && linear_singular_values(N, 0, out, x, work));
    CHECK(!linear_singular(a, 1, N, with_nan, x, NULL, NULL));
    CHECK(linear_singular(a, 2, 0, with_nan, x, out, NULL));
    CHECK(out[0] == 1 && out[1] == 0 && out[2] == 0 && out[3] == 1);
    CHECK(linear_singular(a, 0, 2, with_nan, x, NULL, V));
    CHECK(V[0] == 1 && V[1] == 0 && V[2] == 0 && V[3] == 1);
    x[0] = 7;
    CHECK(linear_least_squares(a, 1, N, with_nan, b, 1e-12, x) == 0 && x[0] == 0);
}

TEST(what_is_empty_or_not_finite)
{
    with_context(poor_body);
}

/* |det A| is the volume of its rows and the product of its singular values. */
static void volume_body(ah_ctx *ctx, void *arg)
{
    double A[N * N], B[N * N], sigma[N], more[N], work[10 * N];
    (void) arg;
    for (int k = 0; k < 10; k++) {
        double product = 1;
        fill(N * N, A);
        memcpy(B, A, sizeof B);
        CHECK(linear_singular(&ctx->scratch, N, N, A, more, NULL, NULL));
        CHECK(linear_singular_values(N, N, B, sigma, work));
        for (int i = 0; i < N; i++) {
            CHECK_NEAR(sigma[i], more[i], sigma[0], 50, "two routes");
            CHECK(!i || sigma[i] <= sigma[i - 1]);
            product *= sigma[i];
        }
        memcpy(B, A, sizeof B);
        CHECK_NEAR(linear_row_volume(N, N, B), product, pow(sigma[0], N), 100, "rows");
        memcpy(B, A, sizeof B);
        CHECK_NEAR(fabs(linear_determinant(N, B)), product, pow(sigma[0], N), 100, "elimination");
        memcpy(B, A, sizeof B);
        memmove(B, A + N, N * sizeof *A); /* two rows exchanged */
        memmove(B + N, A, N * sizeof *A);
        CHECK_NEAR(linear_determinant(N, B), -linear_determinant(N, A), pow(sigma[0], N), 100,
                   "its sign");
    }
    double zero[4] = {0, 0, 1, 2}, none[4] = {NAN, 1, 1, 2}, flat[4] = {0, 1, 0, 2};
    CHECK(linear_row_volume(2, 2, zero) == 0);
    CHECK(linear_determinant(2, flat) == 0);
    CHECK(isnan(linear_row_volume(2, 2, none)) && isnan(linear_determinant(2, none)));
}

TEST(volumes)
{
    with_context(volume_body);
}

/* ---- Spectra --------------------------------------------------------------------------------- */

/* Blocks with −1 ± 2i, −1 ± 3i and a zero of a 2 × 2 chain, turned by a similarity. */
static void spectrum_body(ah_ctx *ctx, void *arg)
{
    enum { S = 6 };
    double B[S * S] = {0}, P[S * S], inverse[S * S], one[S * S] = {0}, C[S * S], D[S * S];
    spectrum s, same;
    (void) arg;
    for (int k = 0; k < 2; k++) {
        B[2 * k * S + 2 * k] = B[(2 * k + 1) * S + 2 * k + 1] = -1;
        B[2 * k * S + 2 * k + 1] = 2 + k;
        B[(2 * k + 1) * S + 2 * k] = -(2 + k);
    }
    B[4 * S + 5] = 1;
    for (int i = 0; i < S; i++) one[i * S + i] = 1;
    fill(S * S, P);
    for (int i = 0; i < S; i++) P[i * S + i] += 6; /* dominant: regular */
    CHECK(linear_solve(&ctx->scratch, S, S, P, one, inverse) > 0);
    linear_multiply(S, S, S, P, B, C);
    linear_multiply(S, S, S, C, inverse, D);
    CHECK(spectrum_of(&ctx->job, &ctx->scratch, S, D, NULL, NULL, &s));
    CHECK_INT(s.zeros, 2);
    CHECK_INT(s.steps, 2); /* one by one: it is not diagonal */
    CHECK_INT(s.unstable, 0);
    CHECK(!s.symmetric);
    static const double im[4] = {3, -3, 2, -2};
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(s.re[i], -1, 1, 1e4, "real part");
        CHECK_NEAR(s.im[i], im[i], 1, 1e4, "by falling modulus, the positive one first");
    }
    CHECK(spectrum_of(&ctx->job, &ctx->scratch, S, D, NULL, &s, &same));
    CHECK_INT(same.zeros, 2);
    for (int i = 0; i < S * S; i++) D[i] = -D[i];
    CHECK(spectrum_of(&ctx->job, &ctx->scratch, S, D, NULL, NULL, &s));
    CHECK_INT(s.surely, 4);
    D[3] = NAN;
    CHECK(!spectrum_of(&ctx->job, &ctx->scratch, S, D, NULL, NULL, &s));
    CHECK(spectrum_of(&ctx->job, &ctx->scratch, 0, D, NULL, NULL, &s) && s.n == 0);
}

TEST(spectra)
{
    with_context(spectrum_body);
}
