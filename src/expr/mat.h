/* expr/mat.h - sparse symbolic matrices, rows compressed. Immutable once made; entries that are
 * structurally zero are not stored. Vectors are matrices of one column. All in the given arena. */
#ifndef EXPR_MAT_H
#define EXPR_MAT_H
#include "../numeric/numeric.h"
#include "expr.h"

typedef struct mat {
    uint32_t rows, cols;
    const uint32_t *start; /* rows + 1: entries of row i are start[i] .. start[i+1]-1 */
    const uint32_t *col;   /* ascending in each row */
    const ah_expr *val;
} mat;

ah_expr mat_get(ah_ctx *ctx, mat m, uint32_t row, uint32_t col); /* zero where nothing is stored */
static inline uint32_t mat_entries(mat m)
{
    return m.rows ? m.start[m.rows] : 0;
}
static inline sparse_pattern mat_pattern(mat m)
{
    return (sparse_pattern){m.rows, m.cols, m.start, m.col};
}
mat mat_from_dense(ah_ctx *ctx, arena *a, uint32_t rows, uint32_t cols, const ah_expr *dense);
ah_expr *mat_to_dense(ah_ctx *ctx, arena *a, mat m); /* row-major */
mat mat_zero(ah_ctx *ctx, arena *a, uint32_t rows, uint32_t cols);
mat mat_identity(ah_ctx *ctx, arena *a, uint32_t n);
/* Entries in any order; those at one place add up. */
typedef struct mat_entry {
    uint32_t row, col;
    ah_expr val;
} mat_entry;
mat mat_from_entries(ah_ctx *ctx, arena *a, uint32_t rows, uint32_t cols, const mat_entry *entries,
                     size_t count);

mat mat_transpose(ah_ctx *ctx, arena *a, mat m);
mat mat_add(ah_ctx *ctx, arena *a, mat x, mat y);
mat mat_sub(ah_ctx *ctx, arena *a, mat x, mat y);
mat mat_neg(ah_ctx *ctx, arena *a, mat m);
mat mat_scale(ah_ctx *ctx, arena *a, ah_expr s, mat m);
mat mat_mul(ah_ctx *ctx, arena *a, mat x, mat y);
mat mat_mul3(ah_ctx *ctx, arena *a, mat x, mat y, mat z);
mat mat_rows(ah_ctx *ctx, arena *a, mat m, const uint32_t *rows, uint32_t count);
mat mat_cols(ah_ctx *ctx, arena *a, mat m, const uint32_t *cols, uint32_t count);
mat mat_stack(ah_ctx *ctx, arena *a, mat top, mat bottom);
mat mat_map(ah_ctx *ctx, arena *a, mat m, ah_expr (*f)(ah_ctx *ctx, void *user, ah_expr e),
            void *user);
mat mat_subst(ah_ctx *ctx, arena *a, mat m, size_t count, const ah_expr *symbols,
              const ah_expr *values);
bool mat_equal(mat x, mat y); /* structurally */

/* Jacobian ∂f_i/∂s_j of a column f, and Hessian of a scalar: cost proportional to what is there. */
mat mat_jacobian(ah_ctx *ctx, arena *a, mat f, size_t count, const ah_expr *symbols);
mat mat_hessian(ah_ctx *ctx, arena *a, ah_expr e, size_t count, const ah_expr *symbols);
mat mat_gradient(ah_ctx *ctx, arena *a, ah_expr e, size_t count,
                 const ah_expr *symbols); /* column */
mat mat_derivative(ah_ctx *ctx, arena *a, mat m, ah_expr symbol);
mat mat_dt(ah_ctx *ctx, arena *a, mat m);

#endif
