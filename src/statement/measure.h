/* statement/measure.h - an invariant measure with a density that depends on the coordinates.
 *
 * In minimal variables y = (q, s) the motion y' = F(y) preserves N(q) dq ds where div F + (log N)'
 * = 0. The class: N = Π f_k^(c_k) · exp(polynomial in the coordinates), f_k the factors of the
 * determinant of the reduced mass matrix and sines and cosines of angles; linear in the unknowns,
 * solved at random states. */
#ifndef STATEMENT_MEASURE_H
#define STATEMENT_MEASURE_H
#include "ansatz.h"
#include "verdict.h"
#include "../flow/flow.h"

/* Residual, relative to the divergence, below which a density is one. */
#define MEASURE_FOUND 1e-8

/* N div F + N' = 0 with symbols; the state is one at which the variables were chosen. */
bool measure_prove(minimal *m, arena *a, const frame *values, ah_expr density);
/* Is N div F + N' other than zero at the state (its numbers taken as they are), by balls?
 * AH_UNKNOWN: it cannot be written with symbols, or does not exist there. */
ah_truth measure_changes(minimal *m, arena *a, const frame *values, ah_expr density);

/* May a force jump where velocities switch it? What dry friction presses together there no divergence beside it tells. */
bool measure_may_jump(const ah_model *m);

/* density · dq dz, which the motion preserves. */
typedef struct measure_answer {
    bool searched, found;
    ah_verdict verdict; /* unknown: none was found */
    ah_expr density;
    size_t variables;
    const ah_expr *variable;
} measure_answer;
/* Coefficients are polynomials of at most this degree in the coordinates. */
measure_answer measure_search(ansatz_states *states, int degree);

#endif
