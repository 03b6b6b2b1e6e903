/* derive/quasi.h - frames of quasi-velocities: what the three Hamel formalisms share.
 *
 * A frame is n functions ω = f(q, v, t), solvable for v, of which r (the generic rank of the
 * constraints) vanish on the constraints: these are called bound, the others free. */
#ifndef DERIVE_QUASI_H
#define DERIVE_QUASI_H
#include "derive.h"

/* The transition coefficients are n³ numbers: beyond this many coordinates other methods serve. */
#define QUASI_LARGEST 100
/* Frames that are not linear are solved for v up to this size: they are for display. */
#define QUASI_SOLVED_LARGEST 8

typedef enum quasi_origin {
    QUASI_DECLARED,   /* by the model, all n                                          */
    QUASI_COMPLETED,  /* the free ones by the model, then the constraints              */
    QUASI_ATTITUDES,  /* angular velocities of unit quaternions, other velocities, constraints */
    QUASI_AUTOMATIC,  /* independent velocities of the chart, then the constraints     */
    QUASI_ORTHONORMAL /* made from one of these so that T = ½ Σ ω² + … [H, 236]        */
} quasi_origin;

typedef struct quasi {
    quasi_origin origin;
    uint32_t n, r;
    const uint32_t *free, *bound; /* n − r and r indices, ascending                         */
    mat omega, omegadot;          /* n × 1 symbols; those of automatic free ones are velocities */
    mat f;                        /* n × 1, ω = f(q, v, t)                                   */
    mat C;                        /* r × 1: independent constraints on the velocity level    */
    mat f_v, f_q, f_t; /* ∂f/∂v, ∂f/∂q (v held), ∂f/∂t                             */
    const char *nonlinear; /* what is not linear in v: "the quasi-velocity `w`"; or NULL */
    mat c;                 /* linear frames: f = f_v v + c                            */
    bool redundant;        /* C are some of more constraints */
    bool implied;          /* the constraints come from a `velocity` statement alone          */
    /* v = B ω + C symbolically, for display; 0 × 0 when that was too hard or f is not linear. */
    mat B, v;
    bool inverted;    /* B and v have been tried */
    struct quasi *of; /* the frame it was made of: quasi_over_constraints; NULL: none */
    mat F; /* v = F(q, ω, t) of a frame that is not linear, for display; 0 × 0: not found */
} quasi;

/* The frame of a model, made once; with `orthonormal` the frame in which T = ½ Σ ω², or the plain
 * one where there is none (quasi_origin tells). NULL: *why says why there is no frame. */
quasi *quasi_frame(mechanics *k, bool orthonormal, const char **why);
/* The frame that the options of `eq` ask for; sets eq->takes_rows. */
quasi *quasi_frame_of(ah_equations *eq);
/* The same with the constraints themselves in place of the bound ω, last: Talamucci's W = (Z; α). */
quasi *quasi_over_constraints(mechanics *k, quasi *w);
quasi *quasi_orthonormalise(mechanics *k, const quasi *w); /* NULL: T has no such frame */
/* Works out f_v, f_q, f_t, c, nonlinear from f. */
void quasi_differentiate(mechanics *k, quasi *w);
/* New symbols ω_1 … (letter "omega") that no name of the model clashes with; index from 1. */
ah_expr quasi_symbol(mechanics *k, const char *letter, uint32_t index);
/* Tries to solve the frame for v. */
bool quasi_invert(mechanics *k, quasi *w);
/* Looks for F where the frame is not linear; its roots have the signs that are assumed. */
void quasi_solve(mechanics *k, quasi *w);

/* Reasons to refuse. */
const char *quasi_refusal(mechanics *k, const char **instead);
const char *quasi_refusal_unless_linear(mechanics *k, const char **instead);

/* ∂m/∂t + (∂m/∂q) v, v held: the total derivative without its accelerations. */
mat quasi_along(mechanics *k, mat m);

/* ---- In a worksheet -------------------------------------------------------------------------- */

/* The frame in numbers. Where the free ω are velocities of an automatic frame, b chooses them anew
 * at a state at which they are a bad choice. With ω' of the free ones as unknowns
 *     a = B_free ω' + a0,      a0 = −B (f_q v + f_t). */
typedef struct quasi_quantities {
    const quasi *w;
    quantity b, B, BT;          /* ∂f/∂v and its inverse                                     */
    quantity B_free, BT_free;   /* columns of B of the free ω                                */
    quantity BT_bound;          /* QUANTITY_NONE without constraints                         */
    quantity omega, free_omega; /* values                                                    */
    quantity f_q, a0;
    quantity M, p, K, T_q;
    quantity pdot0; /* (∂p/∂q) v + ∂p/∂t, so that p' = M a + pdot0                           */
    quantity P;     /* Bᵀ p                                                                   */
} quasi_quantities;

/* Fills also speeds and substitutions of eq. */
quasi_quantities quasi_write(ah_equations *eq, const quasi *w);
/* The results from ω' of the free ones and the multipliers of the bound ones (QUANTITY_NONE without
 * constraints). */
void quasi_finish(ah_equations *eq, const quasi_quantities *x, quantity free_omegadot,
                  quantity bound_multipliers);
/* a = B_free ω' + a0 */
quantity quasi_acceleration(sheet *s, const quasi_quantities *x, quantity free_omegadot);
/* Rows of the free ω of an n-row quantity, and back with zeros for the bound ones. */
quantity quasi_free_rows(sheet *s, const quasi *w, quantity x);
quantity quasi_bound_rows(sheet *s, const quasi *w, quantity x);
quantity quasi_place(ah_equations *eq, const quasi *w, quantity free_rows);
void quasi_extra(ah_equations *eq, const char *name, quantity x);
/* The section that introduces the frame. */
void quasi_show(ah_equations *eq, const quasi_quantities *x, const char *paper);
/* q' = B ω + C on the constraints, as part of the result. */
void quasi_show_kinematics(ah_equations *eq, const quasi *w);
/* The free rows of a quantity under its name. */
void quasi_show_free_rows(ah_equations *eq, const quasi *w, quantity x);
/* The multipliers λ_μ of ω_μ = 0, in terms of the symbols ω' (quasi_unknowns), which is how they
 * are read: solved for, they are several times as long. */
void quasi_show_multipliers(ah_equations *eq, const quasi *w, quantity bound_multipliers);
quantity quasi_unknowns(ah_equations *eq, const quasi *w);
/* The energy and its derivative; `lambda` are the multipliers of the bound ω (quasi_energy.c). */
void quasi_show_energy(ah_equations *eq, const quasi_quantities *x, quantity lambda);
/* The same equations in the velocities, for where those of the ω alone are long: A x = b (quasi_rows.c); false: the
 * constraints give no chart for it. */
bool quasi_rows(const ah_equations *eq, mat *A, mat *unknowns, mat *b);
/* The multipliers of the bound ω likewise, in the unknowns of these rows. */
bool quasi_multipliers(const ah_equations *eq, mat *values);
/* Unknowns ω' of the free ones. */
mat quasi_free_omegadot(mechanics *k, const quasi *w);

#endif
