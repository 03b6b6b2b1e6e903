/* state/slips.h - the constraints on velocities in the writing in which they are solved for some of them.
 *
 * Where a body rolls, three rows say that its slip s = v + ω × r − v_S vanishes: n·s, the rate of the touch, t₁·s and t₂·s, with
 * tangents that turn with the place. s itself, in axes of space, says the same, and v stands in it alone. */
#ifndef STATE_SLIPS_H
#define STATE_SLIPS_H
#include "point.h"

/* C, with s in place of such rows, if it vanishes with them at random states. */
mat slips_rows(point *p);

#endif
