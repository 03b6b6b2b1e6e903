/* motion/motion_branch.h - the motion of a system whose constraints are not linear in the
 * accelerations: along the least of Gauss' function while it is alone, or along a branch that the
 * user names. */
#ifndef MOTION_MOTION_BRANCH_H
#define MOTION_MOTION_BRANCH_H
#include "motion_state.h"

typedef struct motion_branch motion_branch;

/* At the point's state; `wanted` counts from 1, 0: the least. NULL: there is none, or it is not
 * alone, or there is no such number: reported (A0615). */
motion_branch *motion_branch_begin(point *p, size_t wanted);
/* Accelerations and multipliers at the state in the point; false: the branch does not go there. */
bool motion_branch_at(motion_branch *b, const double **qddot, const double **multipliers);
/* Whether the branch at the state in the point is (still) the only least one. Always true of a
 * branch that was named. Call after motion_branch_at. */
bool motion_branch_is_least(motion_branch *b);
/* Jᵀλ after motion_branch_at. */
const double *motion_branch_reaction(motion_branch *b);

#endif
