/* numeric/symmetric.h - the symmetric systems of constrained motion, [M Jᵀ; J −D], by an elimination whose order
 * is found once and is good for every state.
 *
 * M > 0 is eliminated first, what is then left, −(J M⁻¹ Jᵀ + D), afterwards: no pivot is ever a difference of
 * large numbers unless the constraints are nearly dependent, so none has to be searched for, whatever the state.
 * Within each part the unknown with the fewest neighbours goes first. Along chains and trees of bodies that
 * fills in next to nothing; where it fills in much (a hub with many spokes), there is no such elimination. */
#ifndef NUMERIC_SYMMETRIC_H
#define NUMERIC_SYMMETRIC_H
#include "sparse.h"

/* A pivot below this part of what it was before rows of the same kind were eliminated: the constraints (or M) are
 * nearly dependent, and others must judge. */
#define SYMMETRIC_LEAST 1e-8

typedef struct symmetric symmetric;

/* For M of which the entries of both triangles are given and J; NULL: it would fill in too much, or M has no
 * diagonal. Lives in the arena. */
symmetric *symmetric_create(ah_ctx *ctx, arena *a, sparse_pattern M, sparse_pattern J);
/* Factors [M + diag(d) −Jᵀ; J diag(e)], `diagonal` = (d, e) or NULL; entries of M, then those of J. Returns the
 * least pivot in units of what it was made from; 0 below SYMMETRIC_LEAST, or where a sign is wrong. */
double symmetric_factor(symmetric *s, const double *entry, const double *diagonal);
/* x with [M + diag(d) −Jᵀ; J diag(e)] x = b; x may be b. */
void symmetric_solve(symmetric *s, const double *b, double *x);

#endif
