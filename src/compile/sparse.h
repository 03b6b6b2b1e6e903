/* compile/sparse.h - the accelerations of large systems: the KKT matrix factored by KLU.
 *
 *     [M  −Jᵀ] [a]   [ L]
 *     [J   0 ] [λ] = [−γ]
 *
 * The pattern is analysed once; an evaluation fills in the entries, factors and solves, at a cost
 * that goes with the entries: linear for a chain. J must have full rank. */
#ifndef COMPILE_SPARSE_H
#define COMPILE_SPARSE_H
#include "../expr/mat.h"

typedef struct sparse sparse;

/* NULL: built without KLU. Freed with the context. */
sparse *sparse_create(ah_ctx *ctx, arena *a, mat M, mat J, mat L, mat gamma);
/* At the state values[slot]: out gets a (n), then λ (rows of J). Returns an estimate of the
 * reciprocal condition number; 0 where the matrix is singular (out is then not set). */
double sparse_run(sparse *s, const double *values, double *out);

#endif
