/* real/unwrap.h - constraints that are a simpler one in disguise.
 *
 * tanh(x' - y') = 0 and exp(x' - y') = 1 say x' = y', and say it as well: where the function is zero its slope is not. So the zeros of
 * (exp(x') - 1)(y' - z') fall into components as those of x' (y' - z') do. */
#ifndef REAL_UNWRAP_H
#define REAL_UNWRAP_H
#include "../algebra/algebra.h"

/* With the same zeros and, but for a factor that is not zero there, the same gradients, wherever the row exists; the row itself where
 * nothing is simpler. */
ah_expr unwrap(algebra *alg, ah_ctx *ctx, arena *a, ah_expr row);

#endif
