/* derive/hamel.h - Hamel's equations in pieces: for the principle of least action and the "T⁺". */
#ifndef DERIVE_HAMEL_H
#define DERIVE_HAMEL_H
#include "quasi.h"

/* The terms of (II), hamel.c, n rows each; P' = Bᵀ M B_free ω' + Pdot0. */
typedef struct hamel_terms {
    quasi_quantities x;
    quantity W;            /* n × n²: row ρ is ∂b_ρν/∂q_σ − ∂b_ρσ/∂q_ν */
    quantity b_t;          /* ∂b/∂t − ∂c/∂q                             */
    quantity C;            /* v = B ω + C                               */
    quantity beta, beta_t; /* n² × n, row ρ n + τ, column μ; n × n */
    quantity Pdot0, transition, T_theta, K;
    quantity mass; /* B_freeᵀ M B_free */
    /* n (n + 1) each ρ, as hamel_show_table found them: β_ρ^{τμ}, then β_ρ^{tμ}; NULL: they are not written out */
    const ah_expr *coefficient;
    const bool *vanishes;
} hamel_terms;

/* Σ_ρ P_ρ ( Σ_τ β_ρ^{τμ} ω_τ + β_ρ^{tμ} ), n × 1, for any P. */
quantity hamel_transition(sheet *s, const hamel_terms *h, quantity P);
/* ω' of the free ones with this in place of the transition term. */
quantity hamel_solve(sheet *s, const hamel_terms *h, quantity transition);

/* The table of the β that do not vanish. */
void hamel_show_table(ah_equations *eq, hamel_terms *h);
/* P_μ' + Σ P_ρ (…) − ∂T/∂ϑ_μ = K_μ for the free μ, as he writes them: in the momenta themselves. */
void hamel_show_momenta(ah_equations *eq, const hamel_terms *h);
/* The equations that T⁺ would give, and what they lack. */
void hamel_compare_reduced(ah_equations *eq, const hamel_terms *h, quantity omegadot);
/* The principle of least action [H, 245, 246] as second routes to the accelerations. */
void hamel_least_action(ah_equations *eq, const hamel_terms *h);
void hamel_show_least_action(ah_equations *eq, const hamel_terms *h);

#endif
