/* model/newton.h - Newton's method onto constraints: underdetermined, perhaps redundant, sparse. */
#ifndef MODEL_NEWTON_H
#define MODEL_NEWTON_H
#include "model.h"

typedef struct probe_newton probe_newton;
probe_newton *probe_newton_create(ah_model *m, arena *a, const ah_expr *equations, uint32_t count,
                                  const expr_list *unknowns);
/* Moves the unknowns in `values` until the equations hold to round-off; false when it does not get
 * there. */
bool probe_newton_run(probe_newton *s, frame *values);
/* Is there a solution beside such values? Towards a place where J vanishes any equation comes to hold to round-off. */
bool probe_newton_settled(probe_newton *s, const frame *values);

#endif
