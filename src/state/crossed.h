/* state/crossed.h - variables from constraints on velocities that are solved one after another, without a division.
 *
 * v = N s + d satisfies the rows so far; at first N = 1, but for the angular velocities of attitudes in place of their quaternions' rates: the
 * norms hold by them. The next row, (C_v N) s + …, has
 *
 *     an entry that is a number: that s is minus the rest over it, or
 *     two entries a, b: (s_i, s_j) = (b, −a) u, u the new variable, as the speed of a blade at (x, y) is,
 *     or it and another one have three: these are the product of the two rows, as vectors, times u.
 *
 * N loses its rank only where such a row vanishes, or two become dependent: where it depends on those before it, so that C loses its own. That is
 * watched as ever; no choice of independent velocities has to be left on the way (a car: two variables for four velocities,
 * good at every angle of its wheels). */
#ifndef STATE_CROSSED_H
#define STATE_CROSSED_H
#include "attitudes.h"

/* In the arena of the point; false: a row is neither, or these are the velocities of the coordinates. */
bool crossed_frame(point *p, attitude_frame *out);

#endif
