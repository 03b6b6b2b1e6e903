/* state/attitudes.h - angular velocities as variables where attitudes are unit quaternions.
 *
 * The derivatives of a quaternion turn with the body, at half its rate: as variables they cost steps, and their errors are
 * errors of ω. With the frame of Hamel's equations of such a body (derive/quasi.c),
 *
 *     s = (Ω of all attitudes, all other velocities or none),   (s; 0) = (f; C)(q, v, t),
 *
 * v = ψ(q, s, t) is a formula, Ω changes as slowly as forces make it, and the constraints on velocities hold by themselves.
 * The frame is taken where det ∂(f; C)/∂v is the same number at all admissible states that were drawn: one that is good
 * everywhere, which never has to be left. */
#ifndef STATE_ATTITUDES_H
#define STATE_ATTITUDES_H
#include "point.h"

typedef struct attitude_frame {
    uint32_t count;
    const ah_expr *symbol; /* s */
    const uint32_t *row;   /* 0, 1, … */
    const ah_expr *psi;    /* v, on the norms of the attitudes */
    const ah_expr
        *solved; /* the same as it was solved, of one degree in each of them; NULL: there is none */
    mat f, f_v;  /* s = f(q, v, t) */
    bool watched; /* it fails where the constraints lose their rank: watch that */
    const struct links
        *links;  /* how v follows from s, step by step (making/links.h); NULL: as psi says */
    bool framed; /* s are speeds of frames that are independent near here (making/frames.h) */
} attitude_frame;

/* Larger systems keep their velocities: n³ formulas are inverted. */
#define ATTITUDES_LARGEST 14

/* A frame as it is put together: s, what each is, then the constraints. */
typedef struct attitude_draft {
    ah_expr symbol[ATTITUDES_LARGEST];
    ah_expr f[ATTITUDES_LARGEST];
    uint32_t free, rows;
} attitude_draft;

/* A name for the component of an angular velocity. */
ah_expr attitudes_symbol(const point *p, uint32_t index);
/* Ω in body axes, in which the inertia is constant; in those of space, where it is so in all axes: what a ball's forces
 * and constraints depend on are these, and not how far it has turned. */
ah_vector attitudes_axes(ah_ctx *ctx, const model_part *b);
/* Of the body that an attitude turns, in these; and whether q is a component of some quaternion. */
ah_vector attitudes_omega(const point *p, const model_attitude *a);
bool attitudes_have(const ah_model *m, ah_expr q);
void attitudes_add(attitude_draft *d, ah_expr symbol, ah_expr f);
/* The frame of f and f_v = ∂f/∂v, with v = ψ. */
attitude_frame attitudes_of(point *p, const attitude_draft *d, mat f, mat f_v, const ah_expr *psi);

/* In the arena of the point; false: the model has no such frame. */
bool attitudes_frame(point *p, attitude_frame *out);
/* s' = f_v a + (∂f/∂q) v + ∂f/∂t by the accelerations of the equations. */
quantity attitudes_rate(const ah_equations *eq, point *p, const attitude_frame *own);
/* A form of x, or x itself where that is shorter, that is the same on e₀² = 1 − e₁² − e₂² − e₃² of all attitudes: the
 * projection of places keeps them there, and beside it equations of motion may be continued in any way. */
mat attitudes_on_norm(const ah_model *m, algebra *alg, arena *a, mat x);

#endif
