/* sheet/tree_balls.h - the mass matrix of a tree of bodies in balls. */
#ifndef SHEET_TREE_BALLS_H
#define SHEET_TREE_BALLS_H
#include "../numeric/numeric.h"
#include "sparse_balls.h"

/* The tree's equations in w' and q'' (derive/bodies.c) have the rows w_b − X_b w_p − S_b q' of J and the inertia D. */
typedef struct tree_balls {
    const sparse_tree *tree;
    const arb_mat_struct *D, *J;
    slong bits;
} tree_balls;

/* M = Σ Aᵀ D A with w = A q', n × n. */
void tree_balls_mass(const tree_balls *t, arb_mat_t M);
/* From q'' (n × 1) the rates w of the bodies' velocities and the forces f that carry them. */
void tree_balls_bodies(const tree_balls *t, const arb_mat_t a, arb_mat_t w, arb_mat_t f);

#endif
