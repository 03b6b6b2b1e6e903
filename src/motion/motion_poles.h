/* motion/motion_poles.h - poles of constraints, forces and the kinetic energy on the way (state/denominators.h): the motion ends
 * there. */
#ifndef MOTION_MOTION_POLES_H
#define MOTION_MOTION_POLES_H
#include "../integrate/integrate.h"
#include "motion_state.h"

/* A denominator that falls to this share of the sum of its terms has touched zero, as far as doubles tell. */
#define POLES_ZERO 1e-15
/* What divides by it is looked at up to this share of the farther end, or of the terms, … */
#define POLES_BESIDE 1e-8
#define POLES_NOISE  1e-12
/* … in three parts of the way, each of which leaves less than this. */
#define POLES_APART 0.6
/* A constraint that jumps is compared at this part of the step on both sides, and jumps by this share of its terms. */
#define POLES_ASIDE 1e-6
#define POLES_JUMP  1e-3
/* What a projection moves by more than this share of the largest velocity has come beyond a kink. */
#define POLES_BLOW 1e-2
/* Where it moves them by less than this share, there is no jump. */
#define POLES_MOVED 1e-9
/* One is looked at closely where the parabola through its ends and middle falls below this share of the lesser end. */
#define POLES_SUSPECT 0.3
/* Nothing inside of a step is looked at where the cubic of its ends and slopes keeps this share of the lesser end. */
#define POLES_AWAY 0.4
/* … nor slopes where each has changed by less than this share in the last two steps, and differs by less from the line through their
 * ends; the last step is at most so many times as long as the one before. */
#define POLES_STEADY  0.1
#define POLES_AS_LONG 2.0
/* Part of a step over which slopes are taken. */
#define POLES_AHEAD 1e-5

typedef struct motion_poles motion_poles;

/* NULL: there is no denominator that could vanish. */
motion_poles *motion_poles_create(motion_state *s);
/* A motion begins here, on this side of the poles. */
void motion_poles_begin(motion_poles *w, double t, const double *y);
/* The first pole of the step in words, and where it is; NULL: none, *until is as it was. */
const char *motion_poles_step(motion_poles *w, const ivp_step *step, double *until);
/* Whether y, to which the motion has come without being projected, lies beyond a kink: as above. */
const char *motion_poles_passed(motion_poles *w, const double *y, double t);
/* Whether a constraint switches: then only motion_poles_project will do. */
bool motion_poles_kinks(const motion_poles *w);
/* Brings y to the constraints, as motion_state_project does, but what would have to jump to be admissible beyond a kink of theirs
 * stays as it has come: the motion ends there. `w` may be NULL. */
bool motion_poles_project(motion_poles *w, motion_state *s, double t, double *y, double *residual);

#endif
