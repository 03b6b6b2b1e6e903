/* real/direction.c - see direction.h. */
#include "direction.h"

enum { DERIVATIVES = 3 }; /* orders that are used to make coefficients constant */

/* Rows independent over the functions. */
static mat independent_rows(algebra *alg, ah_ctx *ctx, arena *a, mat x)
{
    uint32_t *rows = NEW_ARRAY(a, uint32_t, x.rows);
    const uint32_t rank = (uint32_t) algebra_rank(alg, x, rows, NULL);
    return mat_rows(ctx, a, x, rows, rank);
}

/* A combination of rows, differentiated, is one of rows and their derivatives: a basis is enough. */
bool direction_find(algebra *alg, ah_ctx *ctx, arena *a, mat rows, uint32_t n, const ah_expr *x,
                    mat *direction)
{
    rows = independent_rows(alg, ctx, a, rows);
    for (int order = 0; order < DERIVATIVES && rows.rows + 1 < rows.cols; order++) {
        mat all = rows;
        for (uint32_t j = 0; j < n; j++)
            all = mat_stack(ctx, a, all, mat_derivative(ctx, a, rows, x[j]));
        const mat more = independent_rows(alg, ctx, a, all);
        if (more.rows == rows.rows) return false;
        rows = more;
    }
    return rows.rows + 1 == rows.cols && algebra_nullspace(alg, rows, NULL, direction, NULL) &&
           direction->cols == 1;
}

static bool depends_on(ah_ctx *ctx, ah_expr e, uint32_t n, const ah_expr *x)
{
    for (uint32_t j = 0; j < n; j++)
        if (expr_depends(ctx, e, x[j])) return true;
    return false;
}

void direction_clear(algebra *alg, ah_ctx *ctx, uint32_t n, const ah_expr *x, ah_expr *c,
                     size_t count)
{
    for (size_t k = 0; k < count; k++) {
        ah_expr numerator, denominator;
        if (!algebra_fraction(alg, c[k], &numerator, &denominator)) continue;
        if (depends_on(ctx, denominator, n, x)) continue;
        for (size_t i = 0; i < count; i++)
            c[i] = algebra_simplify(alg, expr_mul(ctx, c[i], denominator));
    }
}
