/* flow/field.h - the motion as a vector field x' = X(x, t) with its exact slopes.
 *
 *     x = (q, z)   where the model has velocity parameters: q' = ψ(q, z, t),  Gz z' = Z
 *     x = (q, v)   otherwise:                               q' = v,  [M −Jᵀ; J 0][a; λ] = [L; −γ]
 *
 * The second field is defined off the constraints, too, and keeps them. Its slopes are exact: the
 * linear system R(x, t, u) = K u + R0 = 0 is differentiated as it stands, K u_x = −R_x, u fixed in
 * R_x; no difference quotients. */
#ifndef FLOW_FIELD_H
#define FLOW_FIELD_H
#include "../derive/derive.h"

/* K with a reciprocal condition number below this has no trustworthy solution. */
#define FLOW_SINGULAR 1e-14

typedef struct flow {
    ah_ctx *ctx;
    ah_model *model;
    mechanics *mech;
    arena *arena;
    bool charted;       /* x = (q, z) */
    uint32_t n, p, N;   /* coordinates, speeds s = z or v, N = n + p */
    const ah_expr *x;   /* N symbols, then t, or by what else slopes are wanted */
    const bool *shapes; /* N: may K or ψ depend on it? Not on most velocities */
    const double *unit; /* N: their sizes (model_size) … */
    double time;        /* … and that of t: what is small is so in these */
    /* Constraints on x: holonomic ones and, for x = (q, v), those on velocities. */
    uint32_t constraints;
    const bool *of_places; /* which of them are holonomic, not their derivatives */
    expr_list switches;    /* arguments of |u|, sign(u) that may change their sign */
    /* At the state seen last: */
    double *rate;    /* N: x' */
    double *slope;   /* N × (N + 1): ∂x'/∂x, ∂x'/∂t */
    double *c;       /* values of the constraints */
    double *c_slope; /* constraints × (N + 1) */
    struct flow_system *system;
} flow;

/* Make it before the states: it makes symbols. NULL, and *why, where the motion is not given by one
 * linear system. */
flow *flow_create(ah_model *m, arena *a, const char **why);
/* The same with slopes by a parameter in the place of those by t. */
flow *flow_create_by(ah_model *m, arena *a, ah_expr parameter, const char **why);
/* At a state, in which the accelerations (or z') are set, too. False at a singular state. */
bool flow_at(flow *w, frame *values);
/* The same where flow_constraints has been called for the state. */
bool flow_motion(flow *w, frame *values);
/* What K u balances, R0 above, as formulas; and the rates of the speeds (p) by other numbers in its place. False: K is singular. */
const ah_expr *flow_balance(const flow *w, uint32_t *count);
bool flow_answers(flow *w, frame *values, const double *R0, double *rate);
/* q' alone, n numbers. */
void flow_velocities(const flow *w, const frame *values, double *v);
/* Logarithms of the volumes that the matrices of the motion span at a state: K (its generic rank of
 * singular values), the mass matrix and the constraints in it, and ∂ψ/∂z. They run away near a
 * state where a matrix loses rank, whatever its units. False: not finite. */
typedef enum flow_matrix { FLOW_K, FLOW_MASS, FLOW_ROWS, FLOW_PSI, FLOW_MATRICES } flow_matrix;
bool flow_volumes(flow *w, frame *values, double volume[FLOW_MATRICES]);
/* The constraints alone: c, c_slope. */
void flow_constraints(flow *w, const frame *values);
/* Of |u|, sign(u) in the text of the system: the arguments u. */
expr_list flow_switches(const ah_model *m, arena *a);
/* The model's own functions put into the expressions; arbitrary ones where they are not defined
 * (states.h), for questions about the general state. */
void flow_define(ah_model *m, ah_expr *roots, size_t count);

#endif
