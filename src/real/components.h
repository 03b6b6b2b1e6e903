/* real/components.h - the components of the set of admissible states.
 *
 * Coordinates on the holonomic constraints, velocities on the others: over the rationals this set
 * falls into irreducible components (split_components), (x' − 5)(y' − z') = 0 into x' = 5 and y' = z'.
 * What is algebraic and holds at the general state of a component holds on all of it. */
#ifndef REAL_COMPONENTS_H
#define REAL_COMPONENTS_H
#include "../model/model.h"
#include <anholo/answer.h>

typedef struct component {
    /* Its equations (= 0), the declared values put in: the first `places` speak of coordinates
     * alone, the others of velocities, the derivatives of the former included. */
    size_t places, relations;
    const ah_expr *relation;
    /* Those by which it differs from the others and from what was left out, and as a text,
     * "x' - 5 = 0", where there are several components. */
    size_t marks;
    const ah_expr *mark;
    const char *name;
} component;

typedef struct components {
    ah_model *of;
    size_t count;
    const component *at;
    /* Every regular state lies on one of them, or is a limit of such states; otherwise *why, and
     * they are the factors of single constraints, known by their marks alone, or there are none. */
    bool complete;
    const char *why;
    /* For special parameters with which one of these vanishes, whatever else is in it, they may be others. */
    expr_list special;
    /* Proved: there are no regular states. A constraint that never changes its sign (x'² + y'² = 0)
     * has a gradient that vanishes where it holds; or the constraints contradict each other. */
    bool none;          /* *why */
    bool contradictory; /* the latter: they hold at special places only, if at all */
} components;

/* For the constraints that m->constraints holds now; kept with the model. Components that are proved
 * to hold no regular state, or none that the assumptions allow, are left out. */
const components *components_find(ah_model *m);
/* The system on one of them, as a view of the model: the constraints as they are written, with the rank that they have
 * there; its states are those of the component. NULL: it is known by a part of its equations alone, or velocity
 * parameters or quasi-velocities were made for the general rank. */
ah_model *components_view(ah_model *m, const component *c);
/* As they are told to others: `count` of them. */
const ah_component *components_told(const components *c, arena *a);
/* Does one of them hold a root or |…|? */
bool components_has_root(ah_ctx *ctx, const ah_expr *e, size_t count);
/* Is e (values put in) proved to vanish at all regular states: on every component? */
bool components_vanish(const components *c, algebra *alg, ah_expr e);
/* The same but for the states at which sign(u) in a constraint is zero. */
bool components_vanish_beside(const components *c, algebra *alg, ah_expr e);
/* At these: does e, which the constraints give beside them, vanish where sign(u) = 0, too? (at_switch.c) */
bool components_vanish_at_switches(ah_model *m, algebra *alg, ah_expr e);

#endif
