/* numeric/linear.c - dense linear algebra through LAPACKE. The functions named …_work leave their
 * work space to us: nothing is allocated but from the caller's arena. */
#include "linear.h"

#include <float.h>
#include <lapacke.h>
#include <complex.h>
#include <math.h>
#include <string.h>

/* Sums of squares between these have lost nothing that counts; others are summed by hypot, at ten times the cost. */
#define NORM_SQUARE_LEAST 1e-280
#define NORM_SQUARE_MOST  1e300

bool linear_is_finite(size_t count, const double *x)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static double *copy(arena *a, size_t count, const double *x)
{
    double *y = NEW_ARRAY(a, double, count ? count : 1);
    if (count) memcpy(y, x, count * sizeof *x);
    return y;
}

double *linear_transposed(arena *a, uint32_t rows, uint32_t cols, const double *A)
{
    double *T = NEW_ARRAY(a, double, (size_t) rows *cols + 1);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < cols; j++) T[(size_t) j * rows + i] = A[(size_t) i * cols + j];
    return T;
}

double linear_reciprocal_condition(arena *scratch, uint32_t n, const double *A)
{
    if (n == 0) return 1;
    if (!linear_is_finite((size_t) n * n, A)) return 0;
    const arena_mark mark = arena_get_mark(scratch);
    double *a = copy(scratch, (size_t) n * n, A);
    int *ipiv = NEW_ARRAY(scratch, int, n), *iwork = NEW_ARRAY(scratch, int, n);
    double *work = NEW_ARRAY(scratch, double, 4 * (size_t) n);
    const int N = (int) n;
    const double norm = LAPACKE_dlange_work(LAPACK_COL_MAJOR, '1', N, N, a, N, work);
    double rcond = 0;
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, N, N, a, N, ipiv) == 0)
        LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', N, a, N, norm, &rcond, work, iwork);
    arena_release(scratch, mark);
    return rcond;
}

double linear_norm(size_t count, const double *x)
{
    double sum = 0, norm = 0;
    for (size_t i = 0; i < count; i++) sum += x[i] * x[i];
    if (sum > NORM_SQUARE_LEAST && sum < NORM_SQUARE_MOST) return sqrt(sum);
    for (size_t i = 0; i < count; i++) norm = hypot(norm, x[i]);
    return norm;
}

/* Rows brought to the length (l/l_max)^(1/4), l what they had. Ranks are those of rows of length
 * one, whatever factors stand before them; but of rows that say the same the long ones come first,
 * for those that nearly vanish are inaccurate. */
static double *rows_scaled(arena *scratch, uint32_t rows, uint32_t cols, const double *A)
{
    double *S = copy(scratch, (size_t) rows * cols, A), largest = 0;
    for (uint32_t i = 0; i < rows; i++)
        largest = fmax(largest, linear_norm(cols, S + (size_t) i * cols));
    for (uint32_t i = 0; i < rows; i++) {
        const double norm = linear_norm(cols, S + (size_t) i * cols);
        const double weight = sqrt(sqrt(norm / largest));
        for (uint32_t j = 0; norm > 0 && j < cols; j++)
            S[(size_t) i * cols + j] = S[(size_t) i * cols + j] / norm * weight;
    }
    return S;
}

/* QR with column pivoting of a column-major rows × cols matrix: the order of columns and their
 * rank. */
static uint32_t pivoted(arena *scratch, uint32_t rows, uint32_t cols, double *a, double tolerance,
                        uint32_t *order)
{
    const uint32_t least = rows < cols ? rows : cols;
    int *pivot = NEW_ARRAY(scratch, int, cols + 1);
    double *tau = NEW_ARRAY(scratch, double, least + 1), best = 0;
    const int R = (int) rows, C = (int) cols;
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, R, C, a, R, pivot, tau, &best, -1);
    double *work = NEW_ARRAY(scratch, double, (size_t) best + 1);
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, R, C, a, R, pivot, tau, work, (int) best);
    for (uint32_t j = 0; order && j < cols; j++) order[j] = (uint32_t) pivot[j] - 1;
    uint32_t rank = 0;
    while (rank < least && fabs(a[(size_t) rank * rows + rank]) > tolerance * fabs(a[0])) rank++;
    return rank;
}

uint32_t linear_row_rank(arena *scratch, uint32_t rows, uint32_t cols, const double *A,
                         uint32_t *order)
{
    for (uint32_t i = 0; order && i < rows; i++) order[i] = i;
    if (rows == 0 || cols == 0 || !linear_is_finite((size_t) rows * cols, A)) return 0;
    const arena_mark mark = arena_get_mark(scratch);
    /* rows of A are the columns of what LAPACK sees */
    const uint32_t rank = pivoted(scratch, cols, rows, rows_scaled(scratch, rows, cols, A),
                                  LINEAR_RANK_TOLERANCE, order);
    arena_release(scratch, mark);
    return rank;
}

const double *linear_in_units(arena *a, uint32_t rows, uint32_t cols, const double *A,
                              const double *unit)
{
    if (!unit) return A;
    double *S = NEW_ARRAY(a, double, (size_t) rows *cols + 1);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < cols; j++)
            S[(size_t) i * cols + j] = A[(size_t) i * cols + j] * unit[j];
    return S;
}

/* Entries from x on, `count` of them, `stride` apart, brought to a largest one of 1. */
static void to_largest_one(double *x, uint32_t count, uint32_t stride)
{
    double largest = 0;
    for (uint32_t i = 0; i < count; i++) largest = fmax(largest, fabs(x[(size_t) i * stride]));
    for (uint32_t i = 0; largest > 0 && i < count; i++) x[(size_t) i * stride] /= largest;
}

/* How many times better than the worst entry is known the least pivot must be. */
#define BEYOND_NOISE 10

uint32_t linear_rank_beyond(arena *scratch, uint32_t rows, uint32_t cols, const double *A,
                            const double *noise, uint32_t *order)
{
    for (uint32_t i = 0; order && i < rows; i++) order[i] = i;
    if (rows == 0 || cols == 0 || !linear_is_finite((size_t) rows * cols, A)) return 0;
    const arena_mark mark = arena_get_mark(scratch);
    double *S = copy(scratch, (size_t) rows * cols, A), worst = 0;
    for (size_t i = 0; i < (size_t) rows * cols; i++) {
        if (!(fabs(S[i]) > noise[i])) S[i] = 0;
        if (S[i] != 0) worst = fmax(worst, noise[i] / fabs(S[i]));
    }
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < rows; i++) to_largest_one(S + (size_t) i * cols, cols, 1);
        for (uint32_t j = 0; j < cols; j++) to_largest_one(S + j, rows, cols);
    }
    const uint32_t rank =
        pivoted(scratch, cols, rows, S, fmax(LINEAR_RANK_TOLERANCE, BEYOND_NOISE * worst), order);
    arena_release(scratch, mark);
    return rank;
}

void linear_column_order(arena *scratch, uint32_t rows, uint32_t cols, const double *A,
                         uint32_t *order)
{
    for (uint32_t j = 0; j < cols; j++) order[j] = j;
    if (rows == 0 || cols == 0 || !linear_is_finite((size_t) rows * cols, A)) return;
    const arena_mark mark = arena_get_mark(scratch);
    pivoted(scratch, rows, cols, linear_transposed(scratch, rows, cols, A), LINEAR_RANK_TOLERANCE,
            order);
    arena_release(scratch, mark);
}

/* A = U diag(sigma) VT, all of U and VT, (job 'S') as much of them as there are singular values, or (job 'N') none. */
static int decompose(arena *scratch, char job, int R, int C, double *a, double *sigma, double *U,
                     double *VT)
{
    double best = 0;
    const int least = R < C ? R : C, V = job == 'S' ? least : C;
    int *iwork = NEW_ARRAY(scratch, int, 8 * (size_t) least);
    if (!linear_is_finite((size_t) R * (size_t) C, a)) return -1;
    LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, job, R, C, a, R, sigma, U, R, VT, V, &best, -1, iwork);
    double *work = NEW_ARRAY(scratch, double, (size_t) best + 1);
    return LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, job, R, C, a, R, sigma, U, R, VT, V, work,
                               (int) best, iwork);
}

void linear_null_space(arena *scratch, uint32_t rows, uint32_t cols, uint32_t rank, const double *A,
                       const double *b, double *N, double *x)
{
    const uint32_t m = cols - rank;
    memset(x, 0, cols * sizeof *x);
    if (rows == 0) {
        for (uint32_t i = 0; i < cols; i++)
            for (uint32_t j = 0; j < m; j++) N[(size_t) i * m + j] = i == j;
        return;
    }
    const arena_mark mark = arena_get_mark(scratch);
    double *a = linear_transposed(scratch, rows, cols, A);
    double *sigma = NEW_ARRAY(scratch, double, rows < cols ? rows : cols);
    double *U = NEW_ARRAY(scratch, double, (size_t) rows *rows);
    double *VT = NEW_ARRAY(scratch, double, (size_t) cols *cols);
    const int R = (int) rows, C = (int) cols;
    if (decompose(scratch, 'A', R, C, a, sigma, U, VT) != 0) { /* there is none */
        for (size_t i = 0; i < (size_t) cols * m; i++) N[i] = NAN;
        for (uint32_t i = 0; i < cols; i++) x[i] = NAN;
        arena_release(scratch, mark);
        return;
    }
    for (uint32_t k = 0; k < rank; k++) { /* x = Σ v_k (u_k·b)/σ_k */
        double dot = 0;
        for (uint32_t i = 0; i < rows; i++) dot += U[(size_t) k * rows + i] * b[i];
        for (uint32_t i = 0; i < cols; i++) x[i] += VT[(size_t) i * cols + k] * dot / sigma[k];
    }
    for (uint32_t i = 0; i < cols; i++)
        for (uint32_t j = 0; j < m; j++) N[(size_t) i * m + j] = VT[(size_t) i * cols + rank + j];
    arena_release(scratch, mark);
}

bool linear_annihilator(arena *scratch, uint32_t rows, uint32_t cols, const double *A, double *X)
{
    if (!linear_is_finite((size_t) rows * cols, A)) return false;
    const arena_mark mark = arena_get_mark(scratch);
    const double *T = linear_transposed(scratch, rows, cols, A);
    double *N = NEW_ARRAY(scratch, double, (size_t) rows *rows + 1);
    double *x = NEW_ARRAY(scratch, double, rows), *zero = NEW_ARRAY(scratch, double, cols + 1);
    const bool regular = linear_row_rank(scratch, cols, rows, T, NULL) == cols;
    if (regular) {
        linear_null_space(scratch, cols, rows, cols, T, zero, N, x);
        for (uint32_t i = 0; i < rows; i++)
            for (uint32_t j = 0; j < rows - cols; j++)
                X[(size_t) j * rows + i] = N[(size_t) i * (rows - cols) + j];
    }
    arena_release(scratch, mark);
    return regular;
}

/* Entry i of eigenvector k: LAPACK keeps the real and the imaginary part of a pair in two columns.
 */
static double complex entry(uint32_t n, const double *V, const double *im, uint32_t k, uint32_t i)
{
    if (im[k] == 0) return V[(size_t) k * n + i];
    const uint32_t first = im[k] > 0 ? k : k - 1;
    const double real = V[(size_t) first * n + i], imag = V[(size_t) (first + 1) * n + i];
    return real + (im[k] > 0 ? imag : -imag) * I;
}

static double moved_by(uint32_t n, const double *E, const double *left, const double *right,
                       const double *im, uint32_t k)
{
    double sum = 0;
    double complex product = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double y = cabs(entry(n, left, im, k, i));
        for (uint32_t j = 0; j < n; j++)
            sum += y * E[(size_t) i * n + j] * cabs(entry(n, right, im, k, j));
        product += conj(entry(n, left, im, k, i)) * entry(n, right, im, k, i);
    }
    return sum == 0 ? 0 : sum / cabs(product);
}

bool linear_eigenvalues(arena *scratch, uint32_t n, const double *A, const double *E, double *re,
                        double *im, double *wrong)
{
    if (n == 0) return true;
    if (!linear_is_finite((size_t) n * n, A)) return false;
    const arena_mark mark = arena_get_mark(scratch);
    double *a = linear_transposed(scratch, n, n, A);
    double *left = NEW_ARRAY(scratch, double, (size_t) n *n);
    double *right = NEW_ARRAY(scratch, double, (size_t) n *n);
    const int N = (int) n;
    double best = 0;
    LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'V', 'V', N, a, N, re, im, left, N, right, N, &best, -1);
    double *work = NEW_ARRAY(scratch, double, (size_t) best + 1);
    const int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'V', 'V', N, a, N, re, im, left, N, right,
                                        N, work, (int) best);
    for (uint32_t k = 0; E && info == 0 && k < n; k++)
        wrong[k] = moved_by(n, E, left, right, im, k);
    arena_release(scratch, mark);
    return info == 0;
}

double linear_row_volume(uint32_t rows, uint32_t cols, double *A)
{
    double product = 1;
    for (uint32_t i = 0; i < rows; i++) {
        const double *a = A + (size_t) i * cols;
        double square = 0;
        for (uint32_t j = 0; j < cols; j++) square += a[j] * a[j];
        if (!(square > 0)) return isnan(square) ? NAN : 0;
        product *= sqrt(square);
        for (uint32_t k = i + 1; k < rows; k++) {
            double *b = A + (size_t) k * cols, sum = 0;
            for (uint32_t j = 0; j < cols; j++) sum += a[j] * b[j];
            for (uint32_t j = 0; j < cols; j++) b[j] -= a[j] * (sum / square);
        }
    }
    return product;
}

/* By elimination with pivots: the matrices are small, and asked for at every step of a motion. */
double linear_determinant(uint32_t n, double *A)
{
    double product = 1;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (fabs(A[(size_t) i * n + k]) > fabs(A[(size_t) best * n + k])) best = i;
        double *pivot = A + (size_t) k * n, *row = A + (size_t) best * n;
        for (uint32_t j = k; best != k && j < n; j++) {
            const double swap = pivot[j];
            pivot[j] = row[j];
            row[j] = swap;
        }
        product *= best == k ? pivot[k] : -pivot[k];
        if (pivot[k] == 0 || isnan(product)) return product;
        for (uint32_t i = k + 1; i < n; i++) {
            row = A + (size_t) i * n;
            const double factor = row[k] / pivot[k];
            for (uint32_t j = k + 1; j < n; j++) row[j] -= factor * pivot[j];
        }
    }
    return product;
}

bool linear_singular_values(uint32_t rows, uint32_t cols, double *A, double *sigma, double *work)
{
    if (rows == 0 || cols == 0) return true;
    if (!linear_is_finite((size_t) rows * cols, A)) return false;
    const int R = (int) rows, C = (int) cols; /* Aᵀ by columns is A by rows */
    return LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', C, R, A, C, sigma, NULL, 1, NULL, 1,
                               work, 5 * (R + C)) == 0;
}

/* Of many more rows than columns R of A = Q R has the same singular values and V; Q is not made. */
static double *triangle(arena *scratch, uint32_t rows, uint32_t cols, double *a)
{
    double *tau = NEW_ARRAY(scratch, double, cols), best = 0;
    double *R = NEW_ARRAY(scratch, double, (size_t) cols *cols);
    LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, (int) rows, (int) cols, a, (int) rows, tau, &best, -1);
    double *work = NEW_ARRAY(scratch, double, (size_t) best + 1);
    LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, (int) rows, (int) cols, a, (int) rows, tau, work,
                        (int) best);
    for (uint32_t j = 0; j < cols; j++)
        memcpy(R + (size_t) j * cols, a + (size_t) j * rows, (j + 1) * sizeof *R);
    return R;
}

/* From this ratio of rows to columns LAPACK begins with A = Q R itself. */
#define MANY_ROWS(rows, cols) (6 * (size_t) (rows) >= 11 * (size_t) (cols))

bool linear_singular(arena *scratch, uint32_t rows, uint32_t cols, const double *A, double *sigma,
                     double *U, double *V)
{
    if (rows == 0 || cols == 0) {
        for (uint32_t i = 0; U && i < rows; i++)
            for (uint32_t j = 0; j < rows; j++) U[(size_t) i * rows + j] = i == j;
        for (uint32_t i = 0; V && i < cols; i++)
            for (uint32_t j = 0; j < cols; j++) V[(size_t) i * cols + j] = i == j;
        return true;
    }
    if (!linear_is_finite((size_t) rows * cols, A)) return false;
    const arena_mark mark = arena_get_mark(scratch);
    const bool vectors = U || V;
    double *a = linear_transposed(scratch, rows, cols, A);
    if (V && !U && MANY_ROWS(rows, cols)) {
        a = triangle(scratch, rows, cols, a);
        rows = cols;
    }
    double *u = NEW_ARRAY(scratch, double, vectors ? (size_t) rows *rows : 1);
    double *vt = NEW_ARRAY(scratch, double, vectors ? (size_t) cols *cols : 1);
    const int R = (int) rows, C = (int) cols;
    const int info = decompose(scratch, vectors ? 'A' : 'N', R, C, a, sigma, u, vt);
    for (uint32_t i = 0; U && i < rows; i++)
        for (uint32_t j = 0; j < rows; j++) U[(size_t) i * rows + j] = u[(size_t) j * rows + i];
    if (V) memcpy(V, vt, (size_t) cols * cols * sizeof *V); /* Vᵀ by columns is V by rows */
    arena_release(scratch, mark);
    return info == 0;
}

/* So far above the tolerance a rank is sure without singular values: the condition by sums of columns is an estimate, and it may be
 * as many times too good as there are columns. */
#define SURE_OF_RANK 1e3

/* B P = Q R, Q and R in B itself, which is tall. */
typedef struct triangular {
    int rows, cols, room;
    double *b, *tau, *work;
    int *pivot; /* from 1 on */
} triangular;

/* False: the columns of B may depend on each other. */
static bool make_triangular(arena *scratch, uint32_t rows, uint32_t cols, double *B,
                            double tolerance, triangular *out)
{
    const int R = (int) rows, C = (int) cols;
    *out = (triangular){.rows = R, .cols = C, .b = B};
    double *tau = out->tau = NEW_ARRAY(scratch, double, cols + 1), rcond = 0, best = 0;
    int *pivot = out->pivot = NEW_ARRAY(scratch, int, cols + 1);
    int *iwork = NEW_ARRAY(scratch, int, cols + 1);
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, R, C, B, R, pivot, tau, &best, -1);
    out->room = (int) fmax(best, 3.0 * cols + 1);
    double *work = out->work = NEW_ARRAY(scratch, double, (size_t) out->room);
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, R, C, B, R, pivot, tau, work, out->room);
    LAPACKE_dtrcon_work(LAPACK_COL_MAJOR, '1', 'U', 'N', C, B, R, &rcond, work, iwork);
    return rcond > SURE_OF_RANK * cols * tolerance;
}

/* y becomes Q y, or Qᵀ y. */
static void turn(const triangular *t, char how, double *y)
{
    LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', how, t->rows, 1, t->cols, t->b, t->rows, t->tau, y,
                        t->rows, t->work, t->room);
}

static void divide(const triangular *t, char how, double *y)
{
    LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', how, 'N', t->cols, 1, t->b, t->rows, y, t->rows);
}

/* A x = b by two triangles instead of singular values, where A without its `cols` − `used` columns of zeros has full rank: B = A
 * and P x = R⁻¹ Qᵀ b, or B = Aᵀ and x = Q R⁻ᵀ Pᵀ b. The rank; 0: it may be less. */
static uint32_t solve_full(arena *scratch, uint32_t rows, uint32_t cols, const double *A,
                           const double *b, double tolerance, double *x)
{
    uint32_t *at = NEW_ARRAY(scratch, uint32_t, cols), used = 0;
    for (uint32_t j = 0; j < cols; j++) {
        uint32_t i = 0;
        while (i < rows && A[(size_t) i * cols + j] == 0) i++;
        if (i < rows) at[used++] = j;
    }
    const bool tall = rows >= used;
    const uint32_t R = tall ? rows : used, C = tall ? used : rows;
    double *B = NEW_ARRAY(scratch, double, (size_t) R *C + 1);
    double *y = NEW_ARRAY(scratch, double, R + 1);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < used; j++)
            B[tall ? (size_t) j * R + i : (size_t) i * R + j] = A[(size_t) i * cols + at[j]];
    triangular t;
    if (!used || !make_triangular(scratch, R, C, B, tolerance, &t)) return 0;
    for (uint32_t i = 0; i < rows; i++) y[i] = b[tall ? i : (uint32_t) t.pivot[i] - 1];
    if (tall) turn(&t, 'T', y);
    divide(&t, tall ? 'N' : 'T', y);
    if (!tall) turn(&t, 'N', y);
    for (uint32_t j = 0; j < used; j++) x[at[tall ? (uint32_t) t.pivot[j] - 1 : j]] = y[j];
    return C;
}

/* As many columns of U, and rows of Vᵀ, as there are singular values. */
uint32_t linear_least_squares(arena *scratch, uint32_t rows, uint32_t cols, const double *A,
                              const double *b, double tolerance, double *x)
{
    const uint32_t least = rows < cols ? rows : cols;
    memset(x, 0, cols * sizeof *x);
    if (!least || !linear_is_finite((size_t) rows * cols, A)) return 0;
    const arena_mark mark = arena_get_mark(scratch);
    uint32_t rank = solve_full(scratch, rows, cols, A, b, tolerance, x);
    if (rank) {
        arena_release(scratch, mark);
        return rank;
    }
    double *a = linear_transposed(scratch, rows, cols, A);
    double *sigma = NEW_ARRAY(scratch, double, least);
    double *U = NEW_ARRAY(scratch, double, (size_t) rows *least);
    double *VT = NEW_ARRAY(scratch, double, (size_t) least *cols);
    if (decompose(scratch, 'S', (int) rows, (int) cols, a, sigma, U, VT) == 0)
        while (rank < least && sigma[rank] > tolerance * sigma[0]) rank++;
    for (uint32_t k = 0; k < rank; k++) { /* x = Σ v_k (u_k·b)/σ_k */
        double dot = 0;
        for (uint32_t i = 0; i < rows; i++) dot += U[(size_t) k * rows + i] * b[i];
        for (uint32_t i = 0; i < cols; i++) x[i] += VT[(size_t) i * least + k] * dot / sigma[k];
    }
    arena_release(scratch, mark);
    return rank;
}

/* ---- Null spaces ----------------------------------------------------------------------------- */

/* Pivots this many times above the tolerance or below it leave no doubt which singular values are: they are as near to them as the
 * square root of their number, but for matrices made to deceive. */
#define CLEAR_GAP 1e3

/* How many of the last pivots of A P = Q R vanish; UINT32_MAX: there is no clear gap. */
static uint32_t clear_nullity(uint32_t n, const double *R, double tolerance)
{
    uint32_t rank = n;
    const double limit = tolerance * fabs(R[0]);
    while (rank > 0 && fabs(R[(size_t) (rank - 1) * (n + 1)]) * CLEAR_GAP <= limit) rank--;
    if (rank > 0 && !(fabs(R[(size_t) (rank - 1) * (n + 1)]) > CLEAR_GAP * limit))
        return UINT32_MAX;
    return n - rank;
}

/* Each without what it has in common with those before it, twice, and of length one. */
static void orthonormalise(uint32_t count, uint32_t n, double *N)
{
    for (uint32_t i = 0; i < count; i++) {
        double *row = N + (size_t) i * n;
        for (uint32_t k = 0; k < 2 * i; k++) {
            const double *other = N + (size_t) (k % i) * n;
            double dot = 0;
            for (uint32_t j = 0; j < n; j++) dot += row[j] * other[j];
            for (uint32_t j = 0; j < n; j++) row[j] -= dot * other[j];
        }
        const double norm = linear_norm(n, row);
        for (uint32_t j = 0; j < n; j++) row[j] /= norm;
    }
}

/* R₁₁ x = −R₁₂ for each column of R₁₂: the null space of (R₁₁ R₁₂). */
static void null_of_triangle(uint32_t n, uint32_t count, const double *R, const int *pivot,
                             double *x, double *N)
{
    const int rank = (int) (n - count);
    memset(N, 0, (size_t) count * n * sizeof *N);
    for (uint32_t i = 0; i < count; i++) {
        for (int j = 0; j < rank; j++) x[j] = -R[((size_t) rank + i) * n + (size_t) j];
        if (rank)
            LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'U', 'N', 'N', rank, 1, R, (int) n, x, rank);
        for (int j = 0; j < rank; j++) N[(size_t) i * n + (size_t) pivot[j] - 1] = x[j];
        N[(size_t) i * n + (size_t) pivot[(uint32_t) rank + i] - 1] = 1;
    }
    orthonormalise(count, n, N);
}

static uint32_t null_by_singular(arena *scratch, uint32_t n, const double *A, double tolerance,
                                 double *N)
{
    double *sigma = NEW_ARRAY(scratch, double, n), *V = NEW_ARRAY(scratch, double, (size_t) n *n);
    uint32_t k = 0;
    if (!linear_singular(scratch, n, n, A, sigma, NULL, V)) return UINT32_MAX;
    while (k < n && sigma[n - 1 - k] <= tolerance * sigma[0]) k++;
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < n; j++) N[(size_t) i * n + j] = V[(size_t) j * n + n - k + i];
    return k;
}

uint32_t linear_null_rows(arena *scratch, uint32_t rows, uint32_t cols, const double *A,
                          double tolerance, double *N)
{
    if (rows < cols || !linear_is_finite((size_t) rows * cols, A)) return UINT32_MAX;
    const arena_mark mark = arena_get_mark(scratch);
    double *R = triangle(scratch, rows, cols, linear_transposed(scratch, rows, cols, A));
    double *T = linear_transposed(scratch, cols, cols, R); /* R by rows */
    double *tau = NEW_ARRAY(scratch, double, cols + 1), *x = NEW_ARRAY(scratch, double, cols + 1);
    int *pivot = NEW_ARRAY(scratch, int, cols + 1);
    double best = 0;
    const int C = (int) cols;
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, C, C, R, C, pivot, tau, &best, -1);
    double *work = NEW_ARRAY(scratch, double, (size_t) best + 1);
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, C, C, R, C, pivot, tau, work, (int) best);
    uint32_t count = clear_nullity(cols, R, tolerance);
    if (count == UINT32_MAX)
        count = null_by_singular(scratch, cols, T, tolerance, N);
    else
        null_of_triangle(cols, count, R, pivot, x, N);
    arena_release(scratch, mark);
    return count;
}

void linear_multiply(uint32_t rows, uint32_t inner, uint32_t cols, const double *A, const double *B,
                     double *C)
{
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < cols; j++) {
            double sum = 0;
            for (uint32_t k = 0; k < inner; k++)
                sum += A[(size_t) i * inner + k] * B[(size_t) k * cols + j];
            C[(size_t) i * cols + j] = sum;
        }
}
