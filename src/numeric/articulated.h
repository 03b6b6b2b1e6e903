/* numeric/articulated.h - [M −Jᵀ; J 0] of a tree of bodies (sparse.h), eliminated from the leaves to the root.
 *
 * With f_b the multipliers of the rows of b, and a its own columns of the others,
 *
 *     D_b w_b − f_b + Σ X_cᵀ f_c = r_b,   N_b a + S_bᵀ f_b = r_a,   w_b − X_b w_p − S_b a = h_b
 *
 * f_b = I_b w_b + p_b follows from f_c of its children c by
 *
 *     U = I_c S_c,  Q = S_cᵀ U + N_c,  I_b += X_cᵀ (I_c − U Q⁻¹ Uᵀ) X_c,  p_b += X_cᵀ (p_c + I_c h_c + U Q⁻¹ u)
 *
 * with u = r_a − S_cᵀ p_c − Uᵀ h_c: the articulated inertias of [Featherstone1983]. Singular D_b are no obstacle, only Q is
 * divided by. Rows of J below those of the bodies are constraints: their matrix J M⁻¹ Jᵀ is full. */
#ifndef NUMERIC_ARTICULATED_H
#define NUMERIC_ARTICULATED_H
#include "sparse.h"

/* A pivot of Q that is no larger a part of the terms it was made of is a rounding error. A chain of n bodies has n⁻³. */
#define ARTICULATED_LEAST 1e-14

typedef struct articulated articulated;

/* NULL: a column belongs to two bodies or to none, or there are too many constraints. Freed with the arena. */
articulated *articulated_create(ah_ctx *ctx, arena *a, sparse_pattern M, sparse_pattern J,
                                const sparse_tree *tree);
/* An estimate of the reciprocal condition number; 0: pivots are wanted. */
double articulated_factor(articulated *s, const double *entry);
void articulated_solve(articulated *s, const double *b, double *x); /* x may be b */

#endif
