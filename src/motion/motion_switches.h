/* motion/motion_switches.h - forces that switch: where they do, and how the motion goes on.
 *
 * The model is one of model_pieces: with its sides s = sign(g) fixed, everything that is integrated is
 * smooth, and a step may go beyond g = 0. Then the motion is taken up again at the beginning of that
 * step, up to the place, where the other side counts: what a step is accurate to, the whole motion
 * is. A side that drives the motion back to where the other one drives it from (dry friction at rest)
 * leaves sign(0) = 0, if g = 0 is kept by it; otherwise the equations have no motion beyond. */
#ifndef MOTION_MOTION_SWITCHES_H
#define MOTION_MOTION_SWITCHES_H
#include "../integrate/integrate.h"
#include "motion_state.h"

/* g within this part of the size that its terms have had lately is 0: rounding errors. */
#define SWITCH_ZERO 1e-13
/* The rate of g on one side within this part of that on another is 0. */
#define SWITCH_STILL 1e-11
/* Passages nearer to each other than this part of the span are at the same place … */
#define SWITCH_APART 1e-12
/* … where so many of them get nowhere. */
#define SWITCH_PASSAGES 50
/* Places nearer than this part of the step in which they were found are one; continuous output is
 * more accurate than that. */
#define SWITCH_SAME 1e-3
/* Where neither g nor its rate tells a side, it is looked ahead by this part of the span. */
#define SWITCH_AHEAD 1e-5
/* Before and after a time at which a force changes, in units of its rounding: no stage of a step is
 * on the other side. */
#define SWITCH_ASIDE 256
/* What the motion may gain within that time, of its size and 1: a force that does more grows without bound
 * there, as 1/√|t − 1| does. */
#define SWITCH_LEAP 1e-9
/* Where a place is moved by more than this part of its value, and more than by rounding of all places, at a time at which a
 * constraint changes, it would have to jump. */
#define SWITCH_PLACE  1e-6
#define SWITCH_ROUNDS 1e-12

typedef struct motion_switches motion_switches;

/* The sides that the state in the point tells; before programs are made for it. */
void motion_switches_put(point *p);
/* In the point's arena; NULL: nothing switches. */
motion_switches *motion_switches_create(motion_state *s);
/* With other parameters. */
void motion_switches_restart(motion_switches *w);
/* The motion is at (t, y): chooses the sides for what follows, and moves (t, y) across a time at
 * which a force changes. NULL, or why the motion ends here. */
const char *motion_switches_begin(motion_switches *w, double *t, double *y);
/* How far the integration may go at once. */
double motion_switches_until(const motion_switches *w);
/* The time to evaluate at: where something changes at the end of the span, that is before it. */
double motion_switches_inside(const motion_switches *w, double t);
/* The same for what is shown of t: where something changes, that is beyond it. */
double motion_switches_shown(const motion_switches *w, double t);
/* Whether a side changes in the step. Then it is to begin again, up to motion_switches_until. */
bool motion_switches_step(motion_switches *w, const ivp_step *step);
/* That is reached: moves (t, y) to the place itself, and begins there. */
const char *motion_switches_pass(motion_switches *w, double *t, double *y);
/* After that: the state before the blow of a corner, if there was one, otherwise y. */
const double *motion_switches_came(const motion_switches *w, const double *y);
/* After the state's programs may have been replaced by others. */
void motion_switches_keep(motion_switches *w);

#endif
