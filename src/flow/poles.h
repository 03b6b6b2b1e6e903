/* flow/poles.h - variables of which only sines and cosines count, and poles of coordinates. */
#ifndef FLOW_POLES_H
#define FLOW_POLES_H
#include "field.h"

/* A step relative to 1 + |x| … */
#define ANGLES_ASIDE 1e-6
/* … that changes the logarithm of a volume (flow_volumes) by more than this leads to a state where
 * a matrix loses rank, or away from one. */
#define ANGLES_RUNAWAY 0.1

/* Flags a variable of x: everything that is said of the motion (equations, constraints, velocity
 * parameters, quasi-velocities, assumptions) has it in sines and cosines of integer multiples
 * alone, so that 2π make no difference. */
const bool *angles_find(flow *w, arena *a);
/* x modulo 2π in (−π, π]. */
double angles_reduced(double x);

typedef enum pole_kind {
    POLE_NONE,        /* the state is regular */
    POLE_MASS,        /* the mass matrix is singular: of angles or other coordinates */
    POLE_CONSTRAINTS, /* the constraints lose rank */
    POLE_SPEEDS,      /* q' = ψ(q, z) loses rank */
    POLE_SYSTEM       /* none of these alone */
} pole_kind;

/* Is the state singular, or too near to such a one to be told from it? *place: the variable of x
 * that alone leads away from it; UINT32_MAX: several do. */
pole_kind pole_at(flow *w, const frame *values, uint32_t *place);

#endif
