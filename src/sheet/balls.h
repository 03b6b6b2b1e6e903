/* sheet/balls.h - a worksheet run in Arb balls: digits that are proved to be right.
 *
 * The state is exact: every symbol has an expression of numbers (and of symbols before it) as its
 * value. What is solved for numerically, such as z from ψ(q, z, t) = v, is found by Newton's method
 * in intervals from an approximate value, which proves that there is such a root. */
#ifndef SHEET_BALLS_H
#define SHEET_BALLS_H
#include "run.h"

/* More digits than this are not computed. */
#define BALLS_MOST_DIGITS 1000

#define BALLS_EXACT (-1000000)

typedef struct balls_state {
    size_t count;
    const ah_expr *symbol, *value; /* in order */
    size_t unknowns;
    const ah_expr *unknown, *equation; /* as many equations = 0 */
    const ah_expr *jacobian;           /* of the equations, by rows; NULL: it is worked out */
    const double *guess;
    size_t shows;
    const ah_expr *show; /* expressions whose values are wanted besides the quantities */
} balls_state;

typedef struct balls {
    const char ***value; /* by quantity, row-major; NULL where it was not wanted. Decimals are right
                            up to one unit of their last digit */
    const char **shown;
    int radius; /* all decimals are within 10^radius of the true values; BALLS_EXACT: equal */
} balls;

/* The wanted quantities (QUANTITY_NONE among them is skipped) with `digits` correct digits,
 * relative to the largest entry of each. `run` must just have run them in doubles at the same
 * state: the pivots are its. NULL: the digits cannot be had (a system that is singular in any
 * precision). */
const balls *balls_run(ah_ctx *ctx, arena *a, const sheet *s, const quantity *wanted, size_t count,
                       const runner *run, const balls_state *state, int digits);

#endif
