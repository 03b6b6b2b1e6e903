/* real/empty.h - proofs that equations have no real solution. */
#ifndef REAL_EMPTY_H
#define REAL_EMPTY_H
#include "../model/model.h"

/* True: no real values of coordinates, velocities and time satisfy all the equations (= 0), with
 * the declared parameters and the assumptions of the model. An equation whose side has one sign
 * everywhere (definite quadratic forms, also in squares; positive.h), or finitely many complex
 * solutions of which none is real and allowed. */
bool empty_prove(ah_model *m, arena *a, const expr_list *equations);

#endif
