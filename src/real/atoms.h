/* real/atoms.h - functions as unknowns of their own, so that equations become polynomials.
 *
 * A sine and a cosine of one argument lie on the unit circle; of other functions nothing is said
 * here. */
#ifndef REAL_ATOMS_H
#define REAL_ATOMS_H
#include "../expr/expr.h"

typedef struct atoms_circle {
    ah_expr argument, s, c; /* the unknowns for sine and cosine; AH_NONE where it does not occur */
} atoms_circle;

typedef struct atoms {
    ah_ctx *ctx;
    arena *arena;
    expr_list node, symbol; /* functions, and the unknowns that stand for them */
    LIST(atoms_circle) circles;
} atoms;

/* A polynomial in the unknowns, where e has no other denominators than numbers. */
ah_expr atoms_polynomial(atoms *s, ah_expr e);
/* With the functions put back. */
ah_expr atoms_restored(const atoms *s, ah_expr e);

#endif
