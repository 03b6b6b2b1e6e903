/* derive/voronets.h - what Voronets' and Chaplygin's equations share. */
#ifndef DERIVE_VORONETS_H
#define DERIVE_VORONETS_H
#include "derive.h"

/* NULL when the constraints can be solved for dependent velocities symbolically. */
const char *derive_needs_linear_chart(mechanics *k, const char **instead);
/* The equations in independent coordinates, those of eq->options; `cyclic`: nothing depends on the
 * dependent ones nor on the time, so that the formulas are Chaplygin's. */
void derive_voronets(ah_equations *eq, bool cyclic);

#endif
