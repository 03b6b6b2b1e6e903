/* motion/motion_narrow.h - whether an event may come and go between two looks at it.
 *
 * States are as smooth as the steps that follow them; a function of them need not be: exp(-1e8 (x − 1)²) = 1/2 holds twice within
 * a thousandth of a step. Over the box that the state passes through between two looks, intervals enclose g and its rate. Where
 * neither can vanish, and g changes by less than it is, there is nothing between; elsewhere it is looked again. */
#ifndef MOTION_MOTION_NARROW_H
#define MOTION_MOTION_NARROW_H
#include "motion_state.h"

/* Beyond the states at both ends and in the middle a box reaches by this part of their second difference, of which a parabola has an
 * eighth. */
#define NARROW_MARGIN 0.5
/* Looks at one event in one step, at most; then it rests for twice as many steps as the last time, up to a hundred or so. */
#define NARROW_LOOKS 400
#define NARROW_REST  128

typedef struct motion_narrow motion_narrow;

/* One of the looks: value and rate of g, and the state as motion_narrow_see keeps it (NULL: it is not kept). */
typedef struct narrow_look {
    double t, g;
    const double *state;
} narrow_look;

/* May g change more quickly than the states do? */
bool motion_narrow_may(ah_ctx *ctx, ah_expr g);
/* NULL: a function that is as smooth as the states are. `plan`: of g and, if `slope`, its rate. */
motion_narrow *motion_narrow_create(motion_state *s, ah_expr g, ah_expr slope,
                                    const expr_plan *plan);
/* A step begins. `last`: the state at the end of the one before, which stays; NULL: it is not kept. */
const double *motion_narrow_begin(motion_narrow *w, const double *last);
/* The state in the point; NULL: there have been too many looks. */
const double *motion_narrow_see(motion_narrow *w);
/* Whether g has no zero between a and b that their signs do not tell; m: in the middle. */
bool motion_narrow_sure(motion_narrow *w, const narrow_look *a, const narrow_look *m,
                        const narrow_look *b);
/* Whether it could not be told because the looks were too many, once a step. */
bool motion_narrow_tired(motion_narrow *w);

#endif
