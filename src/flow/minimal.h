/* flow/minimal.h - the motion in minimal variables y = (independent coordinates, speeds).
 *
 * Speeds are the model's velocity parameters z, its free quasi-velocities ω, or velocities v_I of
 * some coordinates; the dependent variables follow from the constraints. Coordinates on which the
 * rates of the others do not depend are ignorable: they are left to themselves, and what is kept,
 * y' = F(y), is the reduced system. An equilibrium of it is a steady motion (a relative
 * equilibrium). Of several choices of speeds the one is taken that ignores most: a rolling disc has
 * steady motions in (θ', ψ', φ'), not in (x', ψ', φ'). */
#ifndef FLOW_MINIMAL_H
#define FLOW_MINIMAL_H
#include "field.h"
#include "../state/state.h"

/* Slopes below this share of the largest one at a random state count as "does not depend". */
#define MINIMAL_DEPENDS 1e-10
/* How far states near by are, relative to 1 + |x|. */
#define MINIMAL_ASIDE 0.05
/* A choice of independent variables must be better conditioned than this at the state, and than this share of another choice. */
#define MINIMAL_CONDITION 1e-6

typedef struct minimal {
    flow *flow;
    uint32_t coordinates, speeds, count; /* count = coordinates + speeds */
    const ah_expr *symbol;               /* of y: q, then z, ω or v */
    const uint32_t *place;               /* of y in x; that of an ω is its number */
    const double *unit;                  /* of y: its size (model_size) */
    bool omega;                          /* the speeds are quasi-velocities */
    /* The reduced system: */
    uint32_t kept;
    const uint32_t *keep;    /* which y, ascending */
    uint32_t ignorable;      /* among the independent coordinates */
    const uint32_t *ignored; /* which y */
    bool autonomous;         /* nothing kept depends on t */
    bool generic;            /* found at random states; otherwise at the one state alone */
    double usual; /* the condition where they were chosen: what is small depends on units */
    /* At the state seen last: */
    double condition;  /* of the choice: small where the variables fail */
    double *rate;      /* count: y' */
    double *slope;     /* count × (N + 1): ∂y'/∂x, ∂y'/∂t in the surrounding space */
    double *lift;      /* N × count: ∂x/∂y along the constraints */
    double *drift;     /* count: ∂y'/∂t for fixed y, the other x along the constraints … */
    double *lift_t;    /* … N: ∂x/∂t likewise */
    double *B;         /* kept × kept: the Jacobian of the reduced system … */
    double *scaled;    /* … and the same for y and t in their units */
    double divergence; /* Σ ∂y'_i/∂y_i of the whole system … */
    double divergence_size; /* … and the sum of the absolute values */
    struct minimal_omega *of_omega;
} minimal;

/* Chooses at a state; `random` may be NULL. NULL: the state is singular. */
minimal *minimal_create(flow *w, arena *a, const frame *values, states *random);
/* rate, slope, lift, B. False at a singular state, or where the variables fail. */
bool minimal_at(minimal *m, frame *values);
/* The same in two steps, for who asks for lift, B and divergence at a few of many states only: rate and slope, with the
 * same answer; then the rest at the state that was asked for last. */
bool minimal_rates_at(minimal *m, frame *values);
/* The first step where flow_constraints has been called for the state. */
bool minimal_rates_on(minimal *m, frame *values);
bool minimal_finish(minimal *m);
/* The same variables for a flow whose last slopes are by something else than t (flow_create_by). */
minimal minimal_by(const minimal *m, flow *w, arena *a);
/* Which coordinates follow from the kept ones by holonomic constraints: they rest in a
 * steady motion. False: none, or ignorable coordinates stand in those constraints. */
bool minimal_bound(const minimal *m, bool *bound);
double minimal_value(const minimal *m, uint32_t y, const frame *values);

#endif
