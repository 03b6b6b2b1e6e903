/* real/positive.h - proofs that an expression is positive wherever some facts hold.
 *
 * Every fact is solved for a symbol that it holds to the first degree, sym = (w − rest)/slope with
 * a new symbol w > 0; bounds a < sym < b become sym = (a + b w)/(1 + w). The expression is positive
 * where all coefficients of its numerator in the w are; otherwise intervals are halved a few times
 * (Descartes' rule of signs, exact). */
#ifndef REAL_POSITIVE_H
#define REAL_POSITIVE_H
#include "../algebra/algebra.h"

/* The index of one of the expressions that is positive wherever the facts hold (another one in
 * every part of an interval, perhaps: then 0); −1: not proved. */
int positive_one_of(ah_ctx *ctx, arena *a, const algebra_fact *facts, size_t count,
                    const ah_expr *e, size_t expressions);
static inline bool positive_prove(ah_ctx *ctx, arena *a, const algebra_fact *facts, size_t count,
                                  ah_expr e)
{
    return positive_one_of(ctx, a, facts, count, &e, 1) >= 0;
}

#endif
