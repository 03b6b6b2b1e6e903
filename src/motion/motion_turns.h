/* motion/motion_turns.h - how far a step turns what a quantity is periodic in.
 *
 * A body that spins steadily has a state that hardly changes but for its angle, which grows evenly: steps may then take whole
 * turns, and a force that comes and goes with each of them looks the same at both ends. Whoever looks into a step for such a
 * quantity looks as often as the arguments of its sines and cosines tell. */
#ifndef MOTION_MOTION_TURNS_H
#define MOTION_MOTION_TURNS_H
#include "motion_state.h"

typedef struct motion_turns motion_turns;

/* Of sines and cosines of coordinates and time in e, and in the equations of motion where e follows from these. In the point's
 * arena; NULL: there are none. */
motion_turns *motion_turns_create(motion_state *s, ah_expr e);
/* How far the argument that changes most goes, in radians; leaves t1 and the places there in the point. */
double motion_turns_in(motion_turns *w, const ivp_step *step);

#endif
