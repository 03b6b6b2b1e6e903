/* numeric/sparse.h - large sparse linear systems in doubles: the one place that speaks KLU.
 *
 * The pattern is analysed once; afterwards a state costs what goes with the entries, linear for a
 * chain of bodies. Solutions are refined once, their residuals judged: pivots of an earlier state
 * that have become bad are chosen anew. */
#ifndef NUMERIC_SPARSE_H
#define NUMERIC_SPARSE_H
#include "../base/base.h"

/* Systems larger than this whose matrix is at most a SPARSE_SHARE-th full are solved here. */
#define SPARSE_ABOVE 40
#define SPARSE_SHARE 8

typedef struct sparse sparse;

/* Where a matrix has entries, rows compressed. */
typedef struct sparse_pattern {
    uint32_t rows, cols;
    const uint32_t *start; /* rows + 1: entries of row i are start[i] .. start[i+1]-1 */
    const uint32_t *col;
} sparse_pattern;

/* Whether a matrix of `n` rows with so many entries is one of these (never without KLU). */
bool sparse_pays(uint32_t n, size_t entries);

/* The matrix with the pattern of the square A. Freed with the context. */
sparse *sparse_create(ah_ctx *ctx, arena *a, sparse_pattern A);
/* [M −Jᵀ; J 0]; its entries are those of M, then those of J. `diagonal`: with room for a diagonal
 * that is added, n + rows numbers. */
sparse *sparse_create_kkt(ah_ctx *ctx, arena *a, sparse_pattern M, sparse_pattern J, bool diagonal);
/* The same where the first unknowns are the velocities of bodies in a tree, `width` numbers each, and the first rows of
 * J say how a body moves: w_b − X_b w_parent − S_b a = 0, the ones first. Eliminated from the leaves to the root, if
 * every column of a belongs to one body. */
typedef struct sparse_tree {
    uint32_t bodies, width;
    const uint32_t *parent; /* 1 + that of each body, which comes before it; 0: none */
} sparse_tree;
sparse *sparse_create_tree(ah_ctx *ctx, arena *a, sparse_pattern M, sparse_pattern J, bool diagonal,
                           const sparse_tree *tree);
/* Where it keeps the entries: who writes them there hands this over and saves a copy. */
double *sparse_entries(sparse *s);
/* Factors; `diagonal` (NULL: nothing) is added. Returns an estimate of the reciprocal condition
 * number, 0 where the matrix is singular. */
double sparse_factor(sparse *s, const double *entry, const double *diagonal);
/* x with A x = b; false: it is not a solution (the matrix is too near to a singular one). */
bool sparse_solve(sparse *s, const double *b, double *x);

#endif
