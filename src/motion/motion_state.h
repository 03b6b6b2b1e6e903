/* motion/motion_state.h - a motion's state as a point: what the integrator's y means, and all that
 * can be known at it: speeds, accelerations, multipliers, reactions. */
#ifndef MOTION_MOTION_STATE_H
#define MOTION_MOTION_STATE_H
#include "../integrate/integrate.h"
#include "../making/making.h"

typedef struct motion_options {
    double t0, t1;
    ivp_options tolerance;
    size_t samples; /* evenly spaced, both ends included; 0: use every */
    double every;   /* distance of samples */
    engine_kind engine;
    ivp_kind integrator;
    size_t branch;           /* of second-class accelerations; 0: the least of Gauss' function */
    expr_list asked;         /* what will be evaluated at the samples' points besides the outputs */
    const motion_code *code; /* of a system, with parameters as in the point; NULL: to be made */
} motion_options;

/* How much of the point a quantity needs, as bits: a contact force needs no rates. */
typedef enum motion_level {
    MOTION_AT_STATE = 0,     /* t, q, v and the state's own speeds */
    MOTION_AT_SPEEDS = 1,    /* z, ω, M[i,j], objects of methods */
    MOTION_AT_RATES = 3,     /* accelerations, z', ω'; and the speeds */
    MOTION_AT_REACTIONS = 4, /* lambda[a], reaction[q] */
    MOTION_AT_ALL = 7,
    MOTION_UNKNOWN = 8 /* what a motion does not give */
} motion_level;

/* What stands behind a name that the derivation makes: lambda[2], reaction[x], M[1,2]. */
typedef struct motion_derived {
    ah_expr symbol;
    derived_what
        what; /* DERIVED_LAMBDA, DERIVED_REACTION, or DERIVED_MASS for all that are formulas */
    uint32_t index;  /* of lambda[a], reaction[q] */
    ah_expr formula; /* of M[i,j] and the others */
} motion_derived;

/* What a symbol of kind AH_DERIVED stands for; false: nothing that a motion gives. */
bool motion_find_derived(const point *p, ah_expr symbol, motion_derived *out);

struct motion_charts;
struct motion_pivots;
struct second_class_motion;

typedef struct motion_state {
    const eval_method *method, *given; /* in use, and as it was at the beginning */
    const eval_method *reactions_by;   /* multipliers; refused when they do not exist */
    point *p;
    const motion_options *options;
    struct motion_charts *charts; /* motion_charts.h; NULL: the method needs none */
    struct motion_pivots *pivots; /* motion_pivots.h; NULL: the charts see to it, or a branch */
    struct second_class_motion
        *branch; /* second_class_motion.h; NULL: the accelerations are a formula */
    motion_code code;
    projector *projector;
    const ivp_dae *dae; /* for IDA */
    uint64_t evaluations, pivoted;
    uint64_t gave_up;    /* times that a program did, right-hand side or projection */
    run_failure failure; /* of the last evaluation that failed */
    const double *multipliers, *reaction; /* after MOTION_AT_REACTIONS; NULL: none */

    expr_plan *psi, *psi_dot;     /* v and a through s and s'; NULL: s = v */
    expr_plan *omega, *omega_dot; /* of all quasi-velocities; NULL: none */
    ah_expr energies[2];          /* T + V and V, for a state that the program does not take: … */
    expr_plan *energy;            /* … made then */
    expr_plan *masses;
    speed_finder *speeds; /* NULL: there are no z, or they are the state's */
    speed_finder *struck; /* z after a blow, where they are variables; NULL: not needed yet */
    LIST(motion_derived) derived;
    double *work, *rate; /* n, n + m */
} motion_state;

/* Whether der(e) can be evaluated along a motion: e holds nothing but the state. */
bool motion_state_has_rate(ah_ctx *ctx, ah_expr e);
/* Makes the symbols of all that may be asked at a state; call before the point is created. */
void motion_state_declare(ah_model *m, const eval_method *method);
/* NULL, or why the method or the integrator does not apply; "" when that has been reported. */
const char *motion_state_create(motion_state *s, const eval_method *method,
                                const eval_method *reactions, point *p,
                                const motion_options *options);
/* Other parameters of a system: those in the point. */
void motion_state_take_parameters(motion_state *s);
/* The programs of another form of the method's equations, in the same variables. NULL, or why the
 * integrator does not apply. */
const char *motion_state_make_code(motion_state *s, const eval_method *method, motion_code *out);
/* Plans of v and a through s and s' where the code has them; NULL otherwise. */
void motion_state_make_plans(motion_state *s, const motion_code *c, expr_plan **psi,
                             expr_plan **psi_dot);
/* ∂y'/∂y, row-major; exact, made on first use. false: it has no formula, or not there. */
bool motion_state_jacobian(motion_state *s, double t, const double *y, double *J);
/* What the expression needs. */
motion_level motion_state_needs(const motion_state *s, ah_expr e);
/* y into the point, as far as the level says. false: the motion does not exist there (the point
 * then lacks accelerations and more). */
bool motion_state_put(motion_state *s, motion_level level, double t, const double *y);
void motion_state_take(const motion_state *s, double *y);
bool motion_state_rhs(motion_state *s, double t, const double *y, double *dy);
/* T + V; *size is |T| + |V|, what a change of it is measured by. */
double motion_state_energy(motion_state *s, double t, const double *y, double *size);
/* Brings (q, v) to the constraints, q alone where v follows from s. True: it moved. *residual: the
 * largest that is left, relative to the terms of the constraint; less than it was before the call is not looked at closely. */
bool motion_state_project(motion_state *s, double t, double *y, double *residual);
/* The velocities in the point, those of a little earlier, are moved to what the constraints admit at t, by a blow in the metric
 * of M; into y, whose places are there already but for rounding. */
void motion_state_blow(motion_state *s, double t, double *y);

#endif
