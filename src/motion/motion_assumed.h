/* motion/motion_assumed.h - whether a motion keeps what the model assumes of its states.
 *
 * Derivations may use an assumption (the sign of a root, where a chart holds), so a motion that
 * leaves it is told of. It goes on: many assumptions only keep random states away from somewhere.
 */
#ifndef MOTION_MOTION_ASSUMED_H
#define MOTION_MOTION_ASSUMED_H
#include "motion_run.h"
#include "motion_state.h"

typedef struct motion_assumed motion_assumed;

/* The point is at the start. NULL: no assumption is about the state. */
motion_assumed *motion_assumed_create(motion_state *s, motion_summary *out);
/* The point is at a row. */
void motion_assumed_look(motion_assumed *a, double t);

#endif
