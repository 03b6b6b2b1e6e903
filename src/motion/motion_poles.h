/* motion/motion_poles.h - poles of constraints on the way (state/constraint_poles.h): the motion ends there. */
#ifndef MOTION_MOTION_POLES_H
#define MOTION_MOTION_POLES_H
#include "../integrate/integrate.h"
#include "motion_state.h"

/* A denominator that falls to this share of the sum of its terms has touched zero, as far as doubles tell. */
#define POLES_ZERO 1e-15
/* Beside such a place, where it has this share, … */
#define POLES_BESIDE 1e-8
/* … the slopes of the constraint are so many times those at the beginning of the step, or the pole is none: the tangents of a ball
 * under a dome divide zero by zero there, and have length 1. */
#define POLES_GROWN 1e3
/* One is looked at closely where the parabola through its ends and middle falls below this share of the lesser end. */
#define POLES_SUSPECT 0.3

typedef struct motion_poles motion_poles;

/* NULL: no constraint has a denominator that could vanish. */
motion_poles *motion_poles_create(motion_state *s);
/* A motion begins here, on this side of the poles. */
void motion_poles_begin(motion_poles *w, double t, const double *y);
/* The first pole of the step in words, and where it is; NULL: none, *until is as it was. */
const char *motion_poles_step(motion_poles *w, const ivp_step *step, double *until);

#endif
