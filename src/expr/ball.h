/* expr/ball.h - evaluation in Arb balls. Kept apart so that FLINT's headers stay out of expr.h:
 * included only by files that already speak FLINT. */
#ifndef EXPR_BALL_H
#define EXPR_BALL_H
#include "expr.h"
#if defined(AH_WITH_FLINT3)
#include <flint/arb.h>
#else
#include <arb.h>
#endif
#include <flint/fmpq.h>
#include <flint/fmpq_vec.h>

/* The exact value of a NUMBER; borrowed. */
const fmpq *expr_get_fmpq(const ah_ctx *ctx, ah_expr number);
ah_expr expr_from_fmpq(ah_ctx *ctx, const fmpq_t q);

/* out[i] encloses root i at the state values[slot], computed with `bits` of precision. A value that
 * does not exist (division by a ball containing zero, log of a negative) is an infinite or NaN
 * ball. */
void expr_eval_balls(ah_ctx *ctx, const ah_expr *roots, size_t count, const arb_struct *values,
                     long bits, arb_struct *out);

#endif
