/* real/split_points.h - inside the module: is a polynomial irreducible over the functions on a chain? */
#ifndef REAL_SPLIT_POINTS_H
#define REAL_SPLIT_POINTS_H
#include "../algebra/ring.h"

/* Proves that h is irreducible over the field of functions on the chain r->link: at some point of
 * the chain modulo a prime, with the flagged generators left as variables, it has no factors, and
 * its degree in them is that of h. False: not proved. */
bool split_irreducible(ring *r, poly h, const bool *variable);

/* Its degree in all the flagged generators together. */
long split_degree(ring *r, poly h, const bool *variable);

#endif
