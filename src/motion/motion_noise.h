/* motion/motion_noise.h - what rounding leaves of a quantity that forces and accelerations make, as a contact's force where nothing
 * presses: it changes by as much as it is where the state does by a rounding error. */
#ifndef MOTION_MOTION_NOISE_H
#define MOTION_MOTION_NOISE_H
#include "motion_state.h"

/* Each variable is changed by up to so many roundings, … */
#define NOISE_ROUNDINGS 4
/* … so many times, and a value that is not as many times as large as the largest change that makes is noise. */
#define NOISE_SHAKES 4
#define NOISE_LARGE  16
/* So is what is so much less than the largest of all multipliers. */
#define NOISE_OTHERS 1e-15

/* The largest change of the plan's first value at the state y, which is as long as `shaken`. */
double motion_noise(motion_state *s, const expr_plan *value, motion_level level, double t,
                    const double *y, double *shaken);
/* Of a multiplier beside the others, at the state that was put last. */
double motion_noise_of_others(const motion_state *s);

#endif
