/* motion/motion_pivots.h - programs for other states.
 *
 * A program has the choices that were good where it was made: which of redundant constraints count,
 * which velocities are solved for, the order of an elimination. Where they are bad its guards fail,
 * and the worksheet answers by pivoting: right, but slowly and without series; or, of constraints
 * that nearly vanish, its numbers are inaccurate. So another program takes over there, one that was
 * made before or one that is made for the state. The variables of the integration are the same, and
 * so is the motion; but for speeds of frames (making/frames.h), of which others are independent then:
 * the integration begins anew in these. */
#ifndef MOTION_MOTION_PIVOTS_H
#define MOTION_MOTION_PIVOTS_H
#include "motion_state.h"

/* So many programs are made in a run at most. */
#define MOTION_MOST_PROGRAMS 24
/* Of redundant constraints others count when the volume that those in use span has fallen below
 * this part of the largest. */
#define MOTION_BAD_ROWS 0.1

typedef struct motion_pivots motion_pivots;

/* At the state in the point, for which the present program has been made. */
motion_pivots *motion_pivots_create(motion_state *s);
/* Back to the first program: those made on the way were for other parameters. */
void motion_pivots_forget(motion_state *s);
/* After a step that ends in y: goes over to another program where that is needed. */
void motion_pivots_look(motion_state *s, double t, const double *y);
/* Between two steps: whether that has other variables. y is in them from here on. */
bool motion_pivots_turn(motion_state *s, double t, double *y);

#endif
