/* flow/twins.h - other coordinates of the same configuration: psi + pi, -theta, phi + pi of Euler's angles, e and -e of a quaternion.
 *
 * A twin changes variables one by one: it keeps, negates or turns them by half a turn, so that every point and every body is where it
 * was, turned as it was and moving as it did, and the equations of motion go over into themselves. It is found by these places and
 * rotations, and compared at random states. */
#ifndef FLOW_TWINS_H
#define FLOW_TWINS_H
#include "problem.h"

/* Places, rotations and rates that differ by less than this share of their terms are the same. */
#define TWINS_SAME 1e-9

typedef struct twins twins;

/* On the component that the problem looks at. NULL: there are none. */
twins *twins_find(problem *s);
/* Besides the configuration as it is. */
size_t twins_count(const twins *w);
/* The state in the i-th of the other coordinates. */
frame *twins_state(const twins *w, arena *a, size_t i, const frame *values);

#endif
