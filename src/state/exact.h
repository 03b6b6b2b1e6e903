/* state/exact.h - values of expressions as exact rationals.
 *
 * A double is a rational number, and so is a parameter's value; what is made of them by + − × / and
 * integer powers is known exactly. Speaks FLINT. */
#ifndef STATE_EXACT_H
#define STATE_EXACT_H
#include "../expr/ball.h"
#include "../model/model.h"

void exact_set_double(fmpq_t out, double x); /* x finite */
/* out[i] (initialised) is root i at a state, parameters with their exact values as
 * long as those are what the state says; where a root is not rational, or grows too large, the
 * double approximate[i]. */
void exact_values(ah_model *m, const frame *values, const ah_expr *roots, size_t count,
                  const double *approximate, fmpq *out);
/* The same for one root; false: it is not rational, or too large. */
bool exact_value(ah_model *m, const frame *values, ah_expr root, fmpq_t out);

#endif
