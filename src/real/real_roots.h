/* real/real_roots.h - all real solutions of a polynomial system with rational coefficients.
 *
 * The ideal must be zero-dimensional. Its quotient algebra A (finite-dimensional) is found modulo
 * many primes (quotient.c); what describes the solutions, Rouillier's rational univariate
 * representation
 *
 *     f(T) = 0,   x_k = g_k(T) / g_1(T)       (f square-free, T = u(x) a separating linear form)
 *
 * is put together by the Chinese remainder theorem and rational reconstruction, checked on one more
 * prime. Real roots of f are then isolated in ball arithmetic: multiplicities do no harm and none
 * is lost. Nothing here raises: FLINT's memory stays in order; limits make it give up.
 *
 * Speaks FLINT: to be included by the files of this solver and those who feed it. */
#ifndef REAL_REAL_ROOTS_H
#define REAL_REAL_ROOTS_H
#include "../expr/ball.h"
#if defined(AH_WITH_FLINT3)
#include <flint/acb.h>
#include <flint/arb_fmpz_poly.h>
#include <flint/nmod.h>
#else
#include <arb_fmpz_poly.h>
#endif
#include <flint/fmpq_mpoly.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_vec.h>
#include <flint/nmod_mat.h>
#include <flint/nmod_mpoly.h>
#include <flint/nmod_poly.h>
#include <flint/ulong_extras.h>

/* Bounds of the effort; beyond them the solver gives up. */
#define ROOTS_SECONDS        4.0 /* for one call */
#define ROOTS_DIMENSION      100 /* of the quotient algebra: complex solutions with multiplicity */
#define ROOTS_BASIS          400 /* polynomials of a Gröbner basis */
#define ROOTS_TERMS          4000
#define ROOTS_PRIMES         2000
#define ROOTS_VARIABLES      32
#define ROOTS_UNLUCKY_PRIMES 4

typedef enum roots_status {
    ROOTS_FOUND,
    ROOTS_INFINITE, /* a curve of complex solutions at least */
    ROOTS_GAVE_UP
} roots_status;

typedef struct real_roots {
    slong count, variables;
    double *x; /* count × variables, row-major; free by real_roots_clear */
} real_roots;

/* f: polynomials in nvars variables of `mctx`. *out is always initialised. */
roots_status real_roots_find(ah_ctx *ctx, const fmpz_mpoly_struct *f, slong count,
                             const fmpz_mpoly_ctx_t mctx, real_roots *out);
void real_roots_clear(void *roots); /* of a real_roots *, for ctx_hold */

/* ---- Modulo one prime (quotient.c) ----------------------------------------------------------- */

/* Which S-pairs gave something new: the same for all lucky primes, so it is recorded once. */
typedef struct pair_trace {
    slong count, capacity;
    slong (*pair)[2];
    bool complete; /* recorded: replay it */
} pair_trace;

/* The quotient algebra modulo p. */
typedef struct quotient {
    slong variables, dimension;
    ulong *monomial;  /* dimension × variables: exponents of the basis */
    nmod_mat_t *by_x; /* multiplication by each variable */
    nmod_t mod;
} quotient;

/* Past `end`, or the context's time is up, or it was interrupted. */
bool roots_out_of_time(ah_ctx *ctx, const base_end *end);
/* ROOTS_FOUND: *out is to be cleared. */
roots_status quotient_find(ah_ctx *ctx, const base_end *end, const fmpz_mpoly_struct *f,
                           slong count, const fmpz_mpoly_ctx_t mctx, ulong prime, pair_trace *trace,
                           quotient *out);
void quotient_clear(quotient *A);
/* Number of different complex solutions: the rank of the trace form. */
slong quotient_distinct(const quotient *A);
/* f (monic, square-free, degree d), g_1 and g_k as (variables + 2) × d coefficients, constant term
 * first and f's leading 1 left out; false when Σ weight_k x_k does not separate the d solutions. */
bool quotient_represent(const quotient *A, slong d, const slong *weight, ulong *coefficients);

#endif
