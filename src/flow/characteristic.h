/* flow/characteristic.h - the linearisation of a small system with symbols: its matrix, its
 * characteristic polynomial and the conditions of stability.
 *
 * Variables that are zero in the steady motion are put to zero, angles at multiples of π/12 to
 * these; all others stay symbols, and so do the parameters. What they must satisfy to be steady is
 * solved where it is of first degree. There is no answer where that fails, or where the constraints
 * cannot be solved symbolically. */
#ifndef FLOW_CHARACTERISTIC_H
#define FLOW_CHARACTERISTIC_H
#include "minimal.h"

/* Systems with more variables are not worked out. */
#define CHARACTERISTIC_LARGEST 8
/* The symbolic matrix must agree with the numbers to this share of its largest entry. */
#define CHARACTERISTIC_AGREES 1e-8

/* Values below this are zero. */
#define CHARACTERISTIC_NOTHING 1e-11
/* How far from a limit, relatively, the two sides are looked at. */
#define CHARACTERISTIC_ASIDE 1e-6

typedef struct characteristic_boundary {
    ah_expr symbol; /* symbol² = square where stability begins or ends */
    ah_expr square;
} characteristic_boundary;

typedef struct characteristic {
    const ah_expr *state;    /* kept: the variables of the steady motion, as symbols or values */
    struct reduced *reduced; /* with the state put in */
    mat B;
    ah_expr lambda;
    uint32_t zeros, degree;     /* λ^zeros (λ^degree + …) */
    const ah_expr *coefficient; /* degree + 1 of them, of λ^degree first */
    bool even;                  /* in λ²: stable is the most it can be, never attracting */
    bool decided;               /* the conditions are complete */
    size_t conditions;
    const ah_expr
        *condition; /* each must be positive (even: not negative); known facts are left out */
    bool never;     /* one of them is known to fail */
    size_t boundaries;
    const characteristic_boundary *boundary;
} characteristic;

/* A value in a steady motion: 0 (also where rounding made it of quasi-velocities), or a multiple of π/12;
 * AH_NONE: it stays a symbol. */
ah_expr characteristic_exact(ah_ctx *ctx, bool coordinate, double x);
/* λ, a symbol. */
ah_expr characteristic_lambda(ah_ctx *ctx);
/* At a steady state; NULL: no symbolic answer. `varies` (may be NULL) flags the kept
 * variables that stay symbols whatever their values: those that differ along a family. */
const characteristic *characteristic_create(minimal *m, arena *a, frame *values,
                                            const bool *varies);
/* With values put into the coefficients: what vanishes then is left out, so that zeros, degree and
 * conditions are those of the special case. */
const characteristic *characteristic_with(const characteristic *c, arena *a,
                                          ah_expr (*value)(void *, ah_expr), void *arg);

#endif
