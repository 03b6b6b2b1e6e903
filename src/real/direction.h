/* real/direction.h - combinations with constant coefficients that vanish, exactly.
 *
 * The vectors c with Σ c_k r_k(x) = 0 identically in x, for functions r_k: c annuls the rows r and
 * all their derivatives by x, too. */
#ifndef REAL_DIRECTION_H
#define REAL_DIRECTION_H
#include "../algebra/algebra.h"

/* The direction that the rows and their derivatives leave, as a column; false when it is not one,
 * or the algebra gave up. */
bool direction_find(algebra *alg, ah_ctx *ctx, arena *a, mat rows, uint32_t n, const ah_expr *x,
                    mat *direction);
/* Multiplied by denominators free of x. */
void direction_clear(algebra *alg, ah_ctx *ctx, uint32_t n, const ah_expr *x, ah_expr *c,
                     size_t count);

#endif
