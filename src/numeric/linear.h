/* numeric/linear.h - dense linear algebra in doubles: the one place that speaks LAPACK.
 *
 * Matrices are row-major. Nothing is allocated from the context: work space comes from LAPACKE or
 * from the caller's arena. */
#ifndef NUMERIC_LINEAR_H
#define NUMERIC_LINEAR_H
#include "../base/base.h"

/* Below this a singular value (relative to the largest, rows scaled to one) counts as zero: a few
 * hundred rounding errors, so that states merely near a singular one still answer. */
#define LINEAR_RANK_TOLERANCE 1e-13
/* Preferred independent columns are exchanged when their reciprocal condition is worse than this:
 * twelve digits are left to those that stay. */
#define LINEAR_BAD_PIVOTS 1e-4

bool linear_is_finite(size_t count, const double *x);
/* √Σx², without overflow. */
double linear_norm(size_t count, const double *x);
/* The transpose, which is A as LAPACK's column-major layout wants it; in the arena. */
double *linear_transposed(arena *a, uint32_t rows, uint32_t cols, const double *A);
/* X with A X = B: n × n, n × columns. Equilibrated, refined. Returns the reciprocal condition
 * number; 0 when A is singular to working precision (x is then not set). */
double linear_solve(arena *scratch, uint32_t n, uint32_t columns, const double *A, const double *B,
                    double *X);
/* The same in two steps, where one matrix serves several times: its factors are in the arena, with room for one solution at
 * a time. rcond 0: singular. */
typedef struct linear_factors {
    uint32_t n;
    double rcond;
    double *a, *factor;
    double *row, *column; /* scales; NULL: not scaled */
    double *b, *x, *residual, *size, *work;
    int *pivot, *iwork;
} linear_factors;
linear_factors linear_factor(arena *a, uint32_t n, const double *A);
bool linear_solve_by(const linear_factors *s, uint32_t columns, const double *B, double *X);
/* Rank of rows × cols whatever the lengths of the rows; `order` (room for rows) lists independent
 * rows first, of those that say the same the longest. */
uint32_t linear_row_rank(arena *scratch, uint32_t rows, uint32_t cols, const double *A,
                         uint32_t *order);
/* A with its columns multiplied by `unit`, in the arena; A itself where that is NULL. Ranks and choices of columns are to be those
 * of variables in units of their own size. */
const double *linear_in_units(arena *a, uint32_t rows, uint32_t cols, const double *A,
                              const double *unit);
/* The rank of the rows whatever the lengths of rows and columns, where each entry may be wrong by `noise`: what is no larger
 * counts as zero, and what is left must differ by more than that. */
uint32_t linear_rank_beyond(arena *scratch, uint32_t rows, uint32_t cols, const double *A,
                            const double *noise, uint32_t *order);
/* The same for columns, best conditioned first; not scaled. */
void linear_column_order(arena *scratch, uint32_t rows, uint32_t cols, const double *A,
                         uint32_t *order);
double linear_reciprocal_condition(arena *scratch, uint32_t n, const double *A);
/* Orthonormal N (cols × (cols − rank), row-major) with A N = 0, and the least x with A x = b. */
void linear_null_space(arena *scratch, uint32_t rows, uint32_t cols, uint32_t rank, const double *A,
                       const double *b, double *N, double *x);
/* Rows of an orthonormal X ((rows − cols) × rows) with X A = 0; false when A loses rank. */
bool linear_annihilator(arena *scratch, uint32_t rows, uint32_t cols, const double *A, double *X);
/* Eigenvalues of a general matrix, in LAPACK's order (pairs together), and by how much each may be
 * wrong to the first order where the entries are wrong by E: Σ |y_i| E_ij |x_j| / |yᴴx| with the
 * left and right eigenvectors (E NULL: that is not asked). False: not all were found. */
bool linear_eigenvalues(arena *scratch, uint32_t n, const double *A, const double *E, double *re,
                        double *im, double *wrong);
/* The volume that the rows span, by Gram and Schmidt: what is left of each row when those before it
 * are taken out. (The determinant of A Aᵀ would keep half the digits.) A is lost. */
double linear_row_volume(uint32_t rows, uint32_t cols, double *A);
/* Of the k × k minors of a rows × cols matrix of rank k: the sum of their squares (NAN: it cannot be worked out), and the sum of
 * their products with those of B (as the product of the k largest eigenvalues of A Bᵀ). */
double linear_minor_squares(arena *scratch, uint32_t rows, uint32_t cols, uint32_t k,
                            const double *A);
double linear_minor_products(arena *scratch, uint32_t rows, uint32_t cols, uint32_t k,
                             const double *A, const double *B);
/* det A; A is lost. Allocates nothing. */
double linear_determinant(uint32_t n, double *A);
/* Singular values, descending, of A, which is lost. Allocates nothing: `work` has room for
 * 5 (rows + cols). */
bool linear_singular_values(uint32_t rows, uint32_t cols, double *A, double *sigma, double *work);
/* A = U diag(σ) Vᵀ, σ descending (the lesser of rows and cols of them); U (rows × rows) and V
 * (cols × cols) row-major with the singular vectors as columns, each may be NULL. */
bool linear_singular(arena *scratch, uint32_t rows, uint32_t cols, const double *A, double *sigma,
                     double *U, double *V);
/* The rows of V, as many as are returned, that belong to singular values of at most `tolerance` times the largest: N is cols × cols
 * room, row by row, the rows of length one and orthogonal. UINT32_MAX: A is not finite, or LAPACK fails. */
uint32_t linear_null_rows(arena *scratch, uint32_t rows, uint32_t cols, const double *A,
                          double tolerance, double *N);
/* The least x among those with least |A x − b|, singular values below tolerance × the largest
 * counting as zero; returns the rank. */
uint32_t linear_least_squares(arena *scratch, uint32_t rows, uint32_t cols, const double *A,
                              const double *b, double tolerance, double *x);
void linear_multiply(uint32_t rows, uint32_t inner, uint32_t cols, const double *A, const double *B,
                     double *C);

#endif
