/* motion/motion_stall.h - motions that do not get on: steps by the thousand that together are
 * nothing. Forces that change their side where a velocity vanishes (dry friction) make an
 * integrator go to and fro over the place for ever: that is called chattering. */
#ifndef MOTION_MOTION_STALL_H
#define MOTION_MOTION_STALL_H
#include "motion_state.h"

/* So many steps within this part of the span: at that rate the rest would take 10^10 steps. */
#define STALL_STEPS 5000
#define STALL_PART  1e-6
/* Of the steps at whose ends the accelerations were compared, this part changed their side. */
#define STALL_CHATTERS 0.002
/* Steps that have become this much shorter than they were, mean against mean of so many, may be chattering though
 * they get on: an acceleration then jumps between neighbouring steps by more than all that it reaches otherwise. In
 * a fast oscillation it does not, with more than six steps to a period. */
#define STALL_SHORTER 1e-3
#define STALL_WINDOW  2000
/* Next to a pole of angles rates that grow without bound leave rounding errors that are larger than the tolerances: so many steps
 * together then are less than this part of the time that passing by would take, for which some twenty are enough. */
#define STALL_POLE      400
#define STALL_POLE_PART 0.25
/* So many steps ahead a jump is looked for. */
#define STALL_AHEAD 100

typedef struct motion_stall motion_stall;

motion_stall *motion_stall_create(motion_state *s, arena *a, double t0, double t1);
/* After a step: NULL, or why the motion ends here. */
const char *motion_stall_step(motion_stall *w, const ivp_step *step);

#endif
