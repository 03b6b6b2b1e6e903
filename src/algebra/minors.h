/* algebra/minors.h - small matrices of fractions: minors, each computed once; elimination. */
#ifndef ALGEBRA_MINORS_H
#define ALGEBRA_MINORS_H
#include "ring.h"

/* M = diag(1/scale) P with polynomial P. */
typedef struct minors {
    ring *r;
    uint32_t rows, cols;
    poly *P; /* row-major */
    poly *scale;
    bool symmetric;
    map known; /* rows << 16 | columns (sets as bits) → place in list + 1 */
    LIST(poly) list;
} minors;

#define MINORS_LARGEST 12 /* rows, columns: sets of them are bits of 16 */

/* Rows multiplied up to polynomials; scale (may be NULL) gets the factors. */
poly *minors_rows(ring *r, uint32_t rows, uint32_t cols, const frac *M, poly *scale);
minors minors_of(ring *r, uint32_t rows, uint32_t cols, const frac *M);
/* Gives up beforehand when the determinant of P would have too many terms. */
void minors_check(minors *m);
/* The minor of P on sets of as many rows as columns. */
poly minors_get(minors *m, uint32_t rows, uint32_t cols);

/* The rank modulo the relations that hold besides, by exact elimination; false: gave up. rows has
 * room for m.rows: the first independent ones. */
bool nullspace_rank(algebra *alg, mat m, uint32_t *rows, uint32_t *rank);

#endif
