/* state/constraint_poles.h - poles of constraints: where a denominator in one of them vanishes, it does not exist. */
#ifndef STATE_CONSTRAINT_POLES_H
#define STATE_CONSTRAINT_POLES_H
#include "point.h"

typedef struct constraint_poles constraint_poles;

/* NULL: no constraint has a denominator that could vanish. */
constraint_poles *poles_create(point *p);
size_t poles_count(const constraint_poles *s);
/* The denominators at the point, and the sums of the absolute values of their terms. That of 1/|u| is u. */
void poles_values(constraint_poles *s, double *value, double *terms);
/* The slopes of its constraint at the point, by velocities, or by coordinates of one on places: the sum of their sizes. */
double poles_slopes(constraint_poles *s, size_t i);
/* That this one vanishes, in words, in the job arena. */
const char *poles_text(constraint_poles *s, size_t i);

#endif
