/* kind/on_component.h - the system on one component of its admissible states.
 *
 * Where the set has several components the system is another one on each: its constraints there are
 * the equations of the component. */
#ifndef KIND_ON_COMPONENT_H
#define KIND_ON_COMPONENT_H
#include "../real/real.h"

/* Whether models on the components stand for the system: it is known by its constraints, and the
 * components by their equations. */
bool kind_has_parts(ah_model *m, const components *c);
/* The components as they are over the real numbers: of those that are two planes of velocities with irrational equations
 * (x'² = 2y'²) the planes. The same, where there are none. For what is said of directions. */
const components *kind_planes(ah_model *m, arena *a, const components *c);
/* A view of the model, in the arena. */
ah_model *kind_model_on(ah_model *m, arena *a, const component *c);

#endif
