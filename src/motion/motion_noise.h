/* motion/motion_noise.h - what rounding leaves of a quantity that forces and accelerations make.
 *
 * A contact's force where nothing presses changes by as much as it is where the state does by a rounding error. */
#ifndef MOTION_MOTION_NOISE_H
#define MOTION_MOTION_NOISE_H
#include "motion_state.h"

/* A value that is not as many times as large as the largest change is noise. Where it is a sum, roundings of its terms are. */
#define NOISE_LARGE 16

/* The largest change of the plan's first value at the state y, which is as long as `shaken`, where each variable changes by so much
 * besides (NULL: nothing). */
double motion_noise_of(motion_state *s, const expr_plan *value, motion_level level, double t,
                       const double *y, const double *besides, double *shaken);
/* Of a multiplier beside the others, at the state that was put last. */
double motion_noise_of_others(const motion_state *s);

#endif
