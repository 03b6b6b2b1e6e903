/* motion/motion_singular.h - singular states on the way: where the constraints, the quasi-velocities
 * with them, or the parametric form q' = ψ(q, z, t), lose rank. An integrator may step over such a state without a sign, for it
 * is one point; but the equations do not determine the motion beyond it. */
#ifndef MOTION_MOTION_SINGULAR_H
#define MOTION_MOTION_SINGULAR_H
#include "../integrate/integrate.h"
#include "motion_state.h"

/* √D falls to this part of its recent size: a rank is lost as far as an integration can tell … */
#define SINGULAR_NEAR 1e-8
/* … or as many times the tolerance, whose errors grow there and decide by how much it is missed, but not more than that: */
#define SINGULAR_NEAR_RTOL 300.0
#define SINGULAR_NEAR_MOST 1e-6
/* … and that where places are bound: they are kept to 1e-15 of the terms of their constraints, so that where two branches of
 * them cross a motion goes round the corner at a distance of the root of that, 3e-8 and some times it. */
#define SINGULAR_NEAR_PLACES 1e-6
/* … and so near where the rows depend on the velocities: at the turning points of symmetric double
 * pendulums rounding errors of 1e-16 have grown to 1e-5, and decide what comes next. */
#define SINGULAR_NEAR_SPEEDS 1e-4
/* A step is looked at closely when the determinant at one of its ends is below this part. */
#define SINGULAR_SUSPECT 0.2
/* √D may change as many times as fast as it did lately. */
#define SINGULAR_STEEPER 5
/* Nearer than that a glance does not do. */
#define SINGULAR_GLANCE 1e-3
/* D keeps away from zero where the cubic of its ends and slopes keeps this part of the smaller end: the parabola of a
 * zero inside has a negative number there, and one that keeps half of its ends is let through. */
#define SINGULAR_AWAY 0.25
/* A step in which a place changes by that much is looked at inside: D is what the cubic foretells but for this part of its smaller end. */
#define SINGULAR_FAR      1.0
#define SINGULAR_FORETOLD 0.25
/* Part of a step over which the slope of D is taken at its ends. */
#define SINGULAR_AHEAD 1e-5
/* D by its formula is good down to this part of its recent size, where at the start it is D by the rows to these digits: its
 * error grows as D falls. Otherwise as far as a glance goes. */
#define SINGULAR_QUICK 1e-6
#define SINGULAR_SAME  1e-13
/* How fast the recent size is forgotten, for each of the longest steps: short ones before a singular state forget nothing. */
#define SINGULAR_MEMORY 0.9

/* With declared quasi-velocities the motion ends where D has fallen to this part of its largest value, and steps to
 * this part of the longest: rates are lost in round-off. */
#define SINGULAR_LABOUR  1e-6
#define SINGULAR_SHORTER 1e-3

/* Near a place of least D its surroundings begin where D is as many times as large … */
#define SINGULAR_AROUND 100.0
/* … but not nearer than this part of its recent size: there directions are rounding errors. */
#define SINGULAR_SMALLEST 1e-12
/* The minors have turned when the cosine of the angle is less than this: beyond a singular place
 * they are those on the other side; velocities that nearly vanish leave it at any angle. */
#define SINGULAR_TURN        0.0
#define SINGULAR_TURN_SPEEDS 0.95
/* A state nearer to the constraints is nearer to a singular one where D falls to this part. */
#define SINGULAR_SETTLES 0.9
/* Rows of length one are dependent to rounding when D is below this … */
#define SINGULAR_LOST 1e-24
/* … and a row shorter than this part of what it was is zero. */
#define SINGULAR_ROW 1e-18
/* At the start it is zero where it is this part of the sum of its terms. */
#define SINGULAR_ROUNDING 1e-14
/* On the way a row of that part of its terms keeps the velocities no better than to a thousandth: constraints hold to 1e-15 of the same terms. */
#define SINGULAR_BLURRED 1e-12
#define SINGULAR_GROWN                                                                             \
    100.0 /* a redundant row that is as many times what it was is measured anew */

typedef struct motion_singular motion_singular;

/* NULL: no rank can be lost, or the system is too large to watch. */
motion_singular *motion_singular_create(motion_state *s, arena *a, double rtol, double t,
                                        const double *y);
/* Whether the step meets a singular state; *t is where. */
bool motion_singular_step(motion_singular *w, const ivp_step *step, double *t);
/* What is lost at the state, in words; NULL: nothing that is known here. In the job arena. */
const char *motion_singular_explain(motion_singular *w, double t, const double *y);

#endif
