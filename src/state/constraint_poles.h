/* state/constraint_poles.h - poles of constraints: where a denominator in one of them vanishes, it does not exist. */
#ifndef STATE_CONSTRAINT_POLES_H
#define STATE_CONSTRAINT_POLES_H
#include "point.h"

typedef struct constraint_poles constraint_poles;

/* NULL: no constraint has a denominator that could vanish. */
constraint_poles *poles_create(point *p);
/* Remembers on which side of its poles every constraint is at the point. */
void poles_keep(constraint_poles *s);
/* The first pole that is reached, or was passed since, in words, in the job arena; NULL: none. */
const char *poles_passed(constraint_poles *s);

#endif
