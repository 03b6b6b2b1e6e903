/* state/digits.h - the numbers of a method with many digits, all of them right.
 *
 * The state is taken exactly as it was written: 0.1 is 1/10. What was not written but solved for (a
 * missing velocity, a projected state) is taken as the doubles that eval prints. Decimals satisfy
 * constraints only nearly, so the numbers are those of the method's formulas at the state as it
 * stands; velocity parameters are solved for from the best m of the equations q' = ψ(q, z, t). */
#ifndef STATE_DIGITS_H
#define STATE_DIGITS_H
#include "../sheet/sheet.h"
#include "eval.h"

/* A stationary point of a second-class system. */
typedef struct digits_branch {
    const char **qddot, **multipliers;
    int radius; /* within 10^radius */
} digits_branch;

/* Decimals, right up to one unit of their last digit; NULL where the method has none. */
typedef struct digits_result {
    const char *refused; /* why there are none, or NULL */
    const char **qddot, **multipliers, **reaction, **speed, **speed_dot;
    const balls *balls;
    const digits_branch *branch; /* where the result has branches: one for each, in their order */
} digits_result;

/* The exact values of a point, as they were written. */
typedef struct digits_state digits_state;
digits_state *digits_state_create(point *p);
/* After eval_at has answered for the method at the point. */
digits_result digits_at(const eval_method *method, const eval_result *result, digits_state *s,
                        int digits);

#endif
