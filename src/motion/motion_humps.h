/* motion/motion_humps.h - forces that are short in places, exp(-((x - 1)/1e-4)^2), on the way of a step.
 *
 * Exponentials and hyperbolic functions, and high powers, of places can be nothing at both ends of a step and all there is between.
 * Those of an argument u count where u is near zero: 1/(1 + u²) tells. Where it is little at both ends, intervals enclose it over the
 * places that the step passes, which its ends and their rates tell; where these do not exclude it, its continuous output is looked at. */
#ifndef MOTION_MOTION_HUMPS_H
#define MOTION_MOTION_HUMPS_H
#include "motion_state.h"

/* What is that many times as large as at both ends is not known from there. */
#define HUMPS_HIGH 10
/* Beyond the cubic through both ends places may be by this part of its extent; within a part of the step by this part of their second
 * difference, of which a parabola has an eighth. */
#define HUMPS_BESIDE 0.25
#define HUMPS_BEND   0.5
/* Looks at one of them in one step, and halvings; then it rests for twice as many steps as the last time, up to a hundred or so. */
#define HUMPS_LOOKS 400
#define HUMPS_DEPTH 60
#define HUMPS_REST  128

typedef struct motion_humps motion_humps;

/* Has the model functions of that kind? */
bool motion_humps_may(ah_model *m);
/* In the point's arena; NULL: there are none. */
motion_humps *motion_humps_create(motion_state *s);
size_t motion_humps_count(const motion_humps *w);
void motion_humps_begin(motion_humps *w, const ivp_step *step);
/* Up to `most` times in the step that has begun at which the i-th is more than its ends tell; how many. */
size_t motion_humps_look(motion_humps *w, size_t i, const ivp_step *step, double *t, size_t most);

#endif
