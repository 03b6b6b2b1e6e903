/* derive/boltzmann_hamel.h - Talamucci's equations in pieces: their expanded form, the energy. */
#ifndef DERIVE_BOLTZMANN_HAMEL_H
#define DERIVE_BOLTZMANN_HAMEL_H
#include "quasi.h"

/* The frame is f = (η; ζ), so that b = W = (Z; α), B = (Γ Θ), c = (ψ; β), P = (p; μ). */
typedef struct talamucci {
    quasi_quantities x;
    quantity Wdot;   /* (Z'; α')                                     */
    quantity turn;   /* (Z' − J_qη; α' − J_qζ)                       */
    quantity F, L_q; /* non-potential forces; ∇_q L, v held          */
    quantity A;      /* A_Γ = Γᵀ A Γ                                 */
    quantity pdot0;  /* p' for η' = 0                                */
    quantity grad;   /* ∇_q L̃, n rows                                */
    quantity Z_term; /* Γᵀ(Z' − J_qη)ᵀ p                             */
    quantity X;      /* Γᵀ(α' − J_qζ)ᵀ μ; QUANTITY_NONE without constraints */
    quantity F_eta;  /* Γᵀ F                                         */
} talamucci;

/* A_Γ η' + Q + Λ + N + X + …, each contribution apart: a second route to the accelerations. */
void talamucci_expand(ah_equations *eq, const talamucci *y);
/* (18c), both sides. */
void talamucci_energy(ah_equations *eq, const talamucci *y, quantity etadot, quantity a);
/* Says so when the equations are Lagrange's, Hamilton's, or stationary. */
void talamucci_special_cases(ah_equations *eq, const talamucci *y);
/* A column of the worksheet; nothing when it vanishes. */
void talamucci_show_vector(ah_equations *eq, mat x, const char *name);

#endif
