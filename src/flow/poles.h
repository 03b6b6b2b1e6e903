/* flow/poles.h - variables of which only sines and cosines count, and poles of coordinates. */
#ifndef FLOW_POLES_H
#define FLOW_POLES_H
#include "field.h"

/* A step relative to 1 + |x| … */
#define ANGLES_ASIDE 1e-6
/* … that changes the logarithm of a volume (flow_volumes) by more than this leads to a state where
 * a matrix loses rank, or away from one. */
#define ANGLES_RUNAWAY 0.1

/* Of a variable of x its full turn, 0: it is no angle. Everything that is said of the motion (equations, constraints,
 * velocity parameters, quasi-velocities, assumptions) has it in sines and cosines of rational multiples alone, so that a turn
 * makes no difference: 2π, and 360 of sin(pi/180*x). */
const double *angles_find(flow *w, arena *a);
/* The same of any expressions that have x in them; 0: none has. */
const double *angles_of(ah_ctx *ctx, arena *a, const expr_list *roots, const ah_expr *x,
                        uint32_t count);
/* x modulo a full turn, in (−turn/2, turn/2]. */
double angles_reduced(double x, double turn);

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
