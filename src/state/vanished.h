/* state/vanished.h - what is zero in doubles, and is not: exp(-x^4) at x = 18. */
#ifndef STATE_VANISHED_H
#define STATE_VANISHED_H
#include "../model/model.h"

/* What is smaller loses digits in doubles, or is zero. */
#define VANISHED_SIZE 1e-290
/* It is worked out with so many bits. */
#define VANISHED_BITS 128

/* Those of the expressions that are smaller than that and not zero, as multiples of the largest of them; 0: the others. False: there are none. */
bool vanished_at(ah_ctx *ctx, const ah_expr *of, size_t count, const frame *values, double *out);

#endif
