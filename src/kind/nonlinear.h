/* kind/nonlinear.h - does a constraint that is not linear in the velocities split into factors?
 */
#ifndef KIND_NONLINEAR_H
#define KIND_NONLINEAR_H
#include "../model/model.h"
#include <anholo/analyse.h>

/* Sets `splits`, `factors` and `factor` of a constraint on velocities. */
void nonlinear_split(ah_model *m, arena *a, const model_constraint *c, ah_constraint_class *out);

#endif
