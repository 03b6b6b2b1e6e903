/* state/denominators.h - what is divided by: where it vanishes, a constraint, a force or the kinetic energy has a pole. */
#ifndef STATE_DENOMINATORS_H
#define STATE_DENOMINATORS_H
#include "point.h"

/* What divides by something that vanishes has a pole there if it changes so many times as much on the last part of the way as on
 * the part before, where each leaves the same share of the distance: poles do so by a power of that share, what is smooth does the
 * contrary, a logarithm neither. The tangents of a ball under a dome divide zero by zero, and have length 1. */
#define POLES_QUICKER 1.5

typedef struct denominators denominators;

/* NULL: there is none that could vanish. */
denominators *denominators_create(point *p);
size_t denominators_count(const denominators *s);
ah_expr denominators_get(const denominators *s, size_t i);
/* Those at the point, and the sums of the absolute values of their terms. That of 1/|u| is u. */
void denominators_values(denominators *s, double *value, double *terms);
/* Whether the i-th is none, but what a |u| or sign(u) of a constraint switches at. */
bool denominators_switches(const denominators *s, size_t i);
/* The constraint of such a one on the level of velocities at the point, and the sum of the absolute values of its terms. */
double denominators_constraint(denominators *s, size_t i, double *terms);
/* The size of what divides by the i-th at the point: of the slopes of a constraint, by velocities (by coordinates of one on places),
 * of the forces, of the kinetic energy. */
double denominators_size(denominators *s, size_t i);
/* That this one vanishes, in words, in the job arena. */
const char *denominators_text(denominators *s, size_t i);

#endif
