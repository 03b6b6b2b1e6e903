/* state/independent.h - of the velocities those that determine the others at every state.
 *
 * With C(q, v, t) = B v₂ + A v₁ + c = 0 and det B the same number everywhere, v₂ = −B⁻¹(A v₁ + c) is a formula that is good
 * at all states, and the constraints on velocities hold by themselves: for a body that rolls, the velocities of the point that
 * it is held by follow from those of its angles. */
#ifndef STATE_INDEPENDENT_H
#define STATE_INDEPENDENT_H
#include "attitudes.h"

/* In the arena of the point; false: there are no such velocities. */
bool independent_frame(point *p, attitude_frame *out);

/* May the velocities jump, as where what drives a place has a corner? The independent ones would not along with them, and a
 * blow changes all. */
bool independent_jump(const point *p, const ah_expr *velocity, size_t count);

#endif
