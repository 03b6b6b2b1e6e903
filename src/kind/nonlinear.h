/* kind/nonlinear.h - does a constraint that is not linear in the velocities split into factors? Over the rationals, or
 * over the reals: x'² − 2y'² is the product of x' − √2 y' and x' + √2 y'. */
#ifndef KIND_NONLINEAR_H
#define KIND_NONLINEAR_H
#include "../model/model.h"
#include <anholo/analyse.h>

/* Sets `splits`, `factors` and `factor` of a constraint on velocities. */
void nonlinear_split(ah_model *m, arena *a, const model_constraint *c, ah_constraint_class *out);

/* e, of the second degree in the velocities, vanishes where one of two forms does that are linear in them, at all places;
 * false: not that we know. */
bool nonlinear_planes(ah_model *m, arena *a, ah_expr e, ah_expr plane[2]);

#endif
