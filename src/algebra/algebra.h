/* algebra/algebra.h - the normal form: rational functions over exact multivariate polynomials.
 *
 * Expressions go in, expressions come out; FLINT stays inside this module. Generators are
 * parameters, coordinates, velocities, …, sin and cos of base angles (reduced modulo s² + c² − 1;
 * sums and integer multiples of angles are expanded), exp, sqrt (r² − radicand), log, atan,
 * sinh/cosh (ch² − sh² − 1), π and unspecified functions with their derivatives.
 *
 * Everything is bounded (ah_limits.terms, a share of the time): "gave up" is a normal answer and
 * leaves the caller with the unsimplified graph. Zero tests are three-valued: AH_TRUE and AH_FALSE
 * are proofs. */
#ifndef ALGEBRA_ALGEBRA_H
#define ALGEBRA_ALGEBRA_H
#include "../expr/expr.h"

/* What may be used: facts e > 0, e >= 0 and e != 0 (model: assume), and bounds. One algebra serves any
 * number of calls; it lives in the job arena of its context. */
typedef struct algebra algebra;
typedef struct algebra_fact {
    ah_expr e;
    bool positive; /* e > 0, otherwise e != 0 */
    bool border;   /* positive: e = 0 is allowed, too */
} algebra_fact;
algebra *algebra_create(ah_ctx *ctx, const algebra_fact *facts, size_t count);
/* Relations e_i = 0 that hold besides (velocity constraints, say): every later call computes modulo
 * them, by a triangular set of pseudo-divisors (chain.c). What is proved then holds on their common
 * zeros wherever no leading coefficient of the chain vanishes, the generic states; AH_FALSE is no
 * longer given. Returns false when it gave up or they contradict each other, and the relations are
 * not used. Replaces earlier relations; count 0 removes them. */
bool algebra_set_relations(algebra *alg, const ah_expr *relations, size_t count);
/* The leading coefficients of the relations that are set, in the job arena: where none of them vanishes all holds that is
 * proved modulo the relations. False when it gave up. */
bool algebra_leads(algebra *alg, size_t *count, const ah_expr **lead);
/* Seconds one call may take (default ALGEBRA_SECONDS) and terms of a polynomial (default
 * ctx->limits.terms). */
#define ALGEBRA_SECONDS 2.0
void algebra_set_bounds(algebra *alg, double seconds, uint32_t terms);

/* ---- Scalars --------------------------------------------------------------------------------- */

/* Is e identically zero (as a function where it is defined)? */
ah_truth algebra_zero(algebra *alg, ah_expr e);
/* out[i]: a ball at a random point proves that e[i] is not zero everywhere. false says nothing. One walk over the graph for
 * all of them. */
void algebra_nonzero(algebra *alg, size_t count, const ah_expr *e, bool *out);
ah_truth algebra_equal(algebra *alg, ah_expr a, ah_expr b);
/* AH_FALSE may leave a witness: the values of the symbols (ascending) at which e is proved non-zero
 * by ball arithmetic; symbols and values in the job arena. */
typedef struct algebra_witness {
    size_t count;
    const ah_expr *symbols;
    const double *values;
} algebra_witness;
ah_truth algebra_zero_witness(algebra *alg, ah_expr e, algebra_witness *witness);
/* True: e = 0 wherever u = 0, as far as it is found. */
bool algebra_zero_where(algebra *alg, ah_expr e, ah_expr u);

/* The shortest form we can find: cancelled, sin² or cos² chosen per coefficient, factored or
 * expanded. Returns e itself when it gave up. Zero comes out as the number 0. */
ah_expr algebra_simplify(algebra *alg, ah_expr e);
/* Cancelled numerator and denominator; false when it gave up. */
bool algebra_fraction(algebra *alg, ah_expr e, ah_expr *numerator, ah_expr *denominator);
/* e = w f with a w that exists everywhere, for its denominator has a sign: where f vanishes e does. false: not that we know. */
bool algebra_is_multiple(algebra *alg, ah_expr e, ah_expr f);
/* Factors with multiplicities of the numerator (the content is factor 0): irreducible where the
 * numerator is small, without common or square factors beyond. */
typedef struct algebra_factors {
    size_t count;
    const ah_expr *factor;
    const int *exponent;
} algebra_factors;
bool algebra_factor(algebra *alg, ah_expr e, algebra_factors *out);
/* e as a polynomial in the given symbols: monomials (exponents, count a row) and simplified
 * coefficients free of them. false: not polynomial in them, or gave up. */
typedef struct algebra_poly {
    size_t terms, symbols;
    const uint32_t *exponent; /* terms × symbols */
    const ah_expr *coefficient;
} algebra_poly;
bool algebra_collect(algebra *alg, ah_expr e, size_t count, const ah_expr *symbols,
                     algebra_poly *out);
/* Degree of e as a polynomial in the symbols: 0, 1, …; -1: not polynomial; -2: gave up. */
int algebra_degree(algebra *alg, ah_expr e, size_t count, const ah_expr *symbols);
/* If e is homogeneous in the symbols (Σ s ∂e/∂s = p e) the degree p as an expression, else AH_NONE;
 * 0 for e = 0. */
ah_expr algebra_homogeneity(algebra *alg, ah_expr e, size_t count, const ah_expr *symbols);
/* Real sign where it can be proved from the facts: +1, -1, 0, or 2 for unknown. */
int algebra_sign(algebra *alg, ah_expr e);
/* It vanishes nowhere, by the facts: it has a sign, or is assumed not to be zero. false: not that we know. */
bool algebra_never_zero(algebra *alg, ah_expr e);
/* Is it proved never to be negative, or never to be positive? */
bool algebra_one_sign(algebra *alg, ah_expr e);

/* ---- Matrices -------------------------------------------------------------------------------- */

/* Entrywise; entries on which it gave up stay as they are. */
mat algebra_simplify_mat(algebra *alg, mat m);
mat algebra_mul(algebra *alg, mat x, mat y); /* simplified product */
/* These return false when they gave up; a singular matrix is reported by `det` being zero
 * (algebra_inverse and algebra_solve then return false and set *singular). */
bool algebra_det(algebra *alg, mat m, ah_expr *det);
bool algebra_inverse(algebra *alg, mat m, mat *inverse, bool *singular);
bool algebra_solve(algebra *alg, mat m, mat rhs, mat *x, bool *singular);
/* Generic rank: by evaluation modulo a large prime at a random point of the generators' relations,
 * exact with overwhelming probability; modulo relations that were set by elimination (or, when that
 * is given up, as if there were none). *proved (may be NULL) tells whether the rank was confirmed
 * exactly. `rows` (may be NULL, room for m.rows) gets the first independent rows, in order. */
int algebra_rank(algebra *alg, mat m, uint32_t *rows, bool *proved);
/* Basis of {x: m x = 0} as columns, pivots chosen for simple entries (±1 and numbers first, then
 * single symbols); `pivots` (may be NULL, room for rank) gets the pivot columns, ascending: the
 * dependent variables. The columns of the basis follow the other variables, ascending. `avoid` (may
 * be NULL, one flag a column) marks columns that should rather stay independent. */
bool algebra_nullspace(algebra *alg, mat m, const bool *avoid, mat *basis, uint32_t *pivots);
/* A larger matrix is given up before anything is looked at. */
bool algebra_nullspace_fits(uint32_t rows, uint32_t cols);
/* Is the determinant of a square matrix other than the zero function? */
ah_truth algebra_regular(algebra *alg, mat m);

#endif
