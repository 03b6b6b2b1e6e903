/* statement/ansatz.h - products of simple functions along the motion: what first integrals are made
 * of.
 *
 * Generators are functions of a state (a coordinate, its sine and cosine, a velocity, a velocity
 * parameter, a quasi-velocity); a product of powers of them and its rate along the motion follow
 * from their numbers. */
#ifndef STATEMENT_ANSATZ_H
#define STATEMENT_ANSATZ_H
#include "../flow/flow.h"
#include "../state/state.h"

/* More products than this are not searched: the degree in the coordinates is lowered. */
#define ANSATZ_MOST 560

typedef enum ansatz_speeds { ANSATZ_VELOCITIES, ANSATZ_PARAMETERS, ANSATZ_QUASI } ansatz_speeds;

/* Random admissible states with the motion evaluated there. */
typedef struct ansatz_states {
    flow *flow;
    arena *arena;
    states *random;
    states_rng rng;
    size_t count;
    LIST(frame *) values;
} ansatz_states;
/* Parameters without values are the same at all of them. */
ansatz_states *ansatz_states_create(flow *w, arena *a, uint64_t seed);
/* At least that many; false when there are no more. */
bool ansatz_states_want(ansatz_states *s, size_t count);

typedef struct ansatz {
    ansatz_states *states;
    uint32_t generators;
    const ah_expr *generator;            /* as displayed */
    uint32_t products;                   /* the first is 1 */
    const uint8_t *exponent;             /* products × generators */
    const uint8_t *degree;               /* products: in the speeds */
    int speed_degree, coordinate_degree; /* as far as it goes */
    /* states × products: */
    double *value, *rate;
} ansatz;

/* NULL: there are no such speeds, or not enough states. */
ansatz *ansatz_create(ansatz_states *pool, ansatz_speeds speeds, int speed_degree,
                      int coordinate_degree);
ah_expr ansatz_product(const ansatz *s, uint32_t product);
/* Quasi-velocities replaced by their definitions. */
ah_expr ansatz_in_velocities(const ah_model *m, ah_expr e);
/* An expression in t, q, v, z, ω as a function of x. */
ah_expr ansatz_through_x(const flow *w, ah_expr e);
/* Its gradient by x (in its units) at the state, without the part across the constraints and relative to the
 * whole: zero where e follows from the constraints. */
double *ansatz_gradient(flow *w, arena *a, ah_expr e, const frame *values);

#endif
