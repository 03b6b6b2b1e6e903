/* algebra/ring.h - polynomials over the generators modulo their relations, and their fractions.
 *
 * For the files that speak FLINT. Nothing here is freed singly: polynomials belong to their ring,
 * the ring is held by the context (ctx_hold), so that a raise frees it. FLINT's own work is never
 * left by a raise; sizes are looked at before each operation, the clock between them. */
#ifndef ALGEBRA_RING_H
#define ALGEBRA_RING_H
#include "internal.h"
#include "../expr/ball.h"
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_vec.h>
#include <flint/ulong_extras.h>
#include <stdlib.h>

typedef fmpz_mpoly_struct *poly;
typedef struct frac {
    poly num, den;
} frac;

/* A relation that holds besides, solved for its main generator. */
typedef struct chain_link {
    poly p;
    size_t main;
} chain_link;

typedef struct poly_block poly_block;
typedef struct ring {
    algebra *alg;
    ah_ctx *ctx;
    gens *g;
    fmpz_mpoly_ctx_t mctx;
    poly_block *blocks;
    size_t polys, total_terms;
    double work;
    size_t relations; /* r^k − …, monic, leading terms pairwise prime: a Gröbner basis */
    fmpz_mpoly_struct **relation, **quotient;
    size_t *leader;              /* generator of each relation's leading term */
    fmpz_mpoly_factor_t factors; /* work space */
    fmpq *q;
    long *degree, *degree_b; /* work space: one a generator */
    uint8_t *class_of;       /* of each generator its class (nest.c), once they are classed */
    bool classed;
    size_t links; /* chain.c */
    chain_link *link;
    frac *value; /* of g->nodes */
    map place;   /* node → place in g->nodes + 1 */
    ctx_held held;
} ring;

/* The ring of some lowered expressions, their values computed (convert.c). */
ring *ring_begin(algebra *alg, gens *g);
ring *ring_open(algebra *alg, const ah_expr *roots, size_t count, bool canonical);
void ring_close(ring *r);
/* The value of a root (or a node below it). */
frac ring_value(ring *r, ah_expr lowered);

/* With the relations set by algebra_set_relations. */
ring *ring_open_related(algebra *alg, const ah_expr *roots, size_t count);

/* ---- Polynomials (ring.c) -------------------------------------------------------------------- */

poly poly_new(ring *r);
poly poly_int(ring *r, long value);
poly poly_copy(ring *r, poly a);
/* Polynomials made after the mark are cleared. */
size_t ring_mark(const ring *r);
void ring_release(ring *r, size_t mark);

/* Sums, products and powers are reduced modulo the relations. */
poly poly_add(ring *r, poly a, poly b);
poly poly_sub(ring *r, poly a, poly b);
poly poly_mul(ring *r, poly a, poly b);
poly poly_mul_free(ring *r, poly a, poly b); /* not reduced */
poly poly_pow(ring *r, poly a, unsigned long n);
poly poly_scale(ring *r, poly a, long factor);
poly poly_gcd(ring *r, poly a, poly b); /* 1 when that would be long */
/* Primes of 62 bits, one after another (modp.c). */
mp_limb_t modp_prime(size_t i);
/* Only numbers divide both; and: it is no product but of a number and itself. False: that is not seen at once (coprime.c). */
bool poly_are_coprime(const ring *r, poly a, poly b);
bool poly_is_surely_irreducible(const ring *r, poly a);
poly poly_divide(ring *r, poly a, poly b); /* exactly */
bool poly_divides(ring *r, poly a, poly b, poly *quotient);
void poly_reduce(ring *r, poly a);
static inline bool poly_is_zero(const ring *r, poly a)
{
    return fmpz_mpoly_is_zero(a, r->mctx);
}
static inline bool poly_is_one(const ring *r, poly a)
{
    return fmpz_mpoly_is_one(a, r->mctx);
}
static inline bool poly_is_constant(const ring *r, poly a)
{
    return fmpz_mpoly_is_fmpz(a, r->mctx);
}
static inline size_t poly_terms(poly a)
{
    return (size_t) a->length;
}
/* Which generators occur: one flag each. */
void poly_used(const ring *r, poly a, bool *used);
/* After FLINT made it: gives up when it is too large. */
void poly_check(ring *r, poly a);

/* content · Π factor[i]^exponent[i]: squarefree over each variable always, irreducible where small.
 */
typedef struct poly_factors {
    poly content; /* an integer */
    size_t count;
    poly *factor;
    long *exponent;
} poly_factors;
poly_factors poly_factor(ring *r, poly a);
/* Is it small enough for poly_factor to give irreducible factors? */
bool poly_factors_fully(ring *r, poly a);

/* ---- Relations that hold besides (chain.c) --------------------------------------------------- */

bool chain_make(ring *r, poly *relation, size_t count); /* relation is used up */
poly chain_initial(ring *r, const chain_link *link);    /* coefficient of the highest power */
/* Zero only where the relations prove it. a was multiplied by *factor (may be NULL). */
poly chain_reduce(ring *r, poly a, poly *factor);
bool chain_is_reduced(ring *r, poly a);
frac chain_reduce_frac(ring *r, frac a);

/* ---- Fractions (frac.c) ---------------------------------------------------------------------- */

frac frac_int(ring *r, long value);
frac frac_number(ring *r, ah_expr number);
frac frac_gen(ring *r, size_t gen);
frac frac_of(ring *r, poly num);
frac frac_add(ring *r, frac a, frac b);
frac frac_sub(ring *r, frac a, frac b);
frac frac_neg(ring *r, frac a);
frac frac_mul(ring *r, frac a, frac b);
frac frac_div(ring *r, frac a, frac b); /* gives up when b is zero */
frac frac_pow(ring *r, frac a, long n);
frac frac_sum(ring *r, frac *terms, size_t count);
/* Common factors removed, also those that roots and cosines hide; positive leading denominator. */
frac frac_cancel(ring *r, frac a);

/* ---- Back to expressions (show.c, nest.c, shorten.c, angles.c) ------------------------------- */

/* The expanded sum. canonical: equal polynomials give equal lowered expressions; otherwise as it is
 * to be read. */
ah_expr show_expanded(ring *r, poly a, bool canonical);
/* coefficient of the term × Π generator^exponent */
ah_expr show_term(ring *r, poly a, size_t term, bool canonical);
ah_expr show_integer(ring *r, const fmpz_t n);
ah_expr show_ratio(ring *r, poly num, poly den); /* of the contents: leading signs included */
/* A canonical sum of rational multiples of terms: quotient + remainder/denominator. */
ah_expr show_canonical(ring *r, frac a);
/* The shortest form found. */
ah_expr show_poly(ring *r, poly a);
ah_expr show_frac(ring *r, frac a);
/* The same for who wants only forms that cost less than so much: of what costs more it may be another one. */
ah_expr show_frac_below(ring *r, frac a, size_t limit);
/* What it costs to read. */
size_t show_cost(algebra *alg, ah_expr e);
ah_expr show_shorter(algebra *alg, ah_expr a, ah_expr b);

/* content · primitive, the leading coefficient of the primitive part positive. */
poly poly_primitive(ring *r, poly a, poly *content);
/* Equal modulo the relations, s² or c² chosen for each coefficient so that terms become few. Not
 * reduced. */
poly poly_shorten(ring *r, poly a);
#define NEST_TERMS 400 /* longer polynomials are only shown expanded */
/* Collected by the generators of a class: a sum of products, each of two shortened sums. AH_NONE
 * when nothing is gained. */
ah_expr nest_poly(ring *r, poly a, unsigned level);

/* sin(α ± β), cos²(α ± β), … if a is one of them, written in the base angles α, β; else AH_NONE. */
ah_expr angles_joined(ring *r, poly a);

/* (x − y)² + … if a holds such squares, the rest as nest_poly shows it; else AH_NONE. */
ah_expr squares_joined(ring *r, poly a, unsigned level);

#endif
