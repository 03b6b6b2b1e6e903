/* motion/motion_pulses.h - what comes and goes by time alone, within a step and unseen by it: exp(-((t - 5)/1e-3)^2).
 *
 * An integrator knows its right-hand side at a few places of a step. Of the functions of time alone that may rise and fall more quickly
 * (exp, roots, quotients; sines are everywhere alike) intervals tell where in the step they leave what they are at its ends, as far as that is, and the slope of the
 * continuous output there whether the step knows. Where it does not, it begins again, up to that place: no integrator overlooks what
 * stands at the end of a step. */
#ifndef MOTION_MOTION_PULSES_H
#define MOTION_MOTION_PULSES_H
#include "../integrate/integrate.h"
#include "motion_state.h"

/* Beyond the values at its ends a function may go by this part of their difference, … */
#define PULSES_BEYOND 0.05
/* … and of the larger one. */
#define PULSES_NOTHING 1e-12
/* Intervals that one function is looked at in, in one step; then it rests for twice as many steps as the last time, up to a hundred or so. */
#define PULSES_LOOKS 400
#define PULSES_REST  128
/* A step knows of a rate what does not move its end by more than so many tolerances, and not by more than this part of it. */
#define PULSES_KNOWN 1e4
#define PULSES_PART  1
/* Part of a step that is as short as one place. */
#define PULSES_POINT 1e-9
/* Part of a step over which slopes are taken. */
#define PULSES_ASIDE 0.01
/* How often one step is begun again. */
#define PULSES_AGAIN 50

typedef struct motion_pulses motion_pulses;

/* Has the model functions of that kind? */
bool motion_pulses_may(ah_model *m);
/* In the point's arena; NULL: there are none. */
motion_pulses *motion_pulses_create(motion_state *s);
/* Does the step overlook one? Then it is to begin again, and to end at *t. */
bool motion_pulses_step(motion_pulses *w, const ivp_step *step, const ivp_options *tolerance,
                        double *t);

#endif
