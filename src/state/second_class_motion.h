/* state/second_class_motion.h - the motion of a system whose constraints are not linear in the
 * accelerations: along the least of Gauss' function while it is alone, or along a branch that the
 * user names. */
#ifndef STATE_SECOND_CLASS_MOTION_H
#define STATE_SECOND_CLASS_MOTION_H
#include "point.h"
#include "second_class.h"

typedef struct second_class_motion second_class_motion;

/* At the point's state; `wanted` counts from 1, 0: the least. NULL: there is none, or it is not
 * alone, or there is no such number: reported (A0615). */
second_class_motion *second_class_motion_begin(point *p, size_t wanted);
/* Accelerations and multipliers at the state in the point; false: the branch does not go there. */
bool second_class_motion_at(second_class_motion *b, const double **qddot,
                            const double **multipliers);
/* Whether the branch at the state in the point is (still) the only least one. Always true of a
 * branch that was named. Call after second_class_motion_at. */
bool second_class_motion_is_least(second_class_motion *b);
/* Jᵀλ after second_class_motion_at. */
const double *second_class_motion_reaction(second_class_motion *b);

#endif
