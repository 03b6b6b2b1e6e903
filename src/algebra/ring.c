/* algebra/ring.c - bounded arithmetic in Z[generators] modulo the generators' relations. */
#include "ring.h"
#include <assert.h>
#include <limits.h>
#include <math.h>

/* What one FLINT call may be asked to do, chosen so that none takes longer than a fraction of a
 * second: it cannot be interrupted. */
#define DEGREE_LIMIT     (1L << 20)
#define COEFFICIENT_BITS 16384
#define PRODUCT_SHARE    50.0 /* pairs of terms in one product, in multiples of the terms allowed */
#define WORK_SHARE       100.0 /* and in all products of a ring */
#define GCD_TERMS        20000 /* of both together */
#define SQUARES_TERMS                                                                              \
    5000 /* of one whose square factors are looked for: 6000 in 17 variables take minutes */
#define STEEP       400  /* degrees between terms of what is factored or has a common divisor */
#define POWER_LIMIT 1000 /* exponent of what has several terms */
/* All living polynomials of a ring together, in multiples of the terms allowed for one. */
#define RING_SHARE 10

/* ---- Storage --------------------------------------------------------------------------------- */

#define BLOCK_POLYS 64
struct poly_block {
    poly_block *next;
    size_t used;
    fmpz_mpoly_struct at[BLOCK_POLYS];
};

poly poly_new(ring *r)
{
    if (!r->blocks || r->blocks->used == BLOCK_POLYS) {
        poly_block *b = ctx_realloc(r->ctx, NULL, 0, sizeof *b);
        b->next = r->blocks;
        b->used = 0;
        r->blocks = b;
    }
    poly p = &r->blocks->at[r->blocks->used++];
    fmpz_mpoly_init(p, r->mctx);
    r->polys++;
    return p;
}

size_t ring_mark(const ring *r)
{
    return r->polys;
}

void ring_release(ring *r, size_t mark)
{
    while (r->polys > mark) {
        poly_block *b = r->blocks;
        if (b->used == 0) {
            r->blocks = b->next;
            ctx_realloc(r->ctx, b, sizeof *b, 0);
            continue;
        }
        poly p = &b->at[--b->used];
        const size_t terms = poly_terms(p);
        r->total_terms -= terms < r->total_terms ? terms : r->total_terms;
        fmpz_mpoly_clear(p, r->mctx);
        r->polys--;
    }
}

static void ring_destroy(void *data)
{
    ring *r = data;
    fmpz_mpoly_factor_clear(r->factors, r->mctx);
    fmpq_clear(r->q);
    ring_release(r, 0);
    if (r->blocks) ctx_realloc(r->ctx, r->blocks, sizeof *r->blocks, 0);
    fmpz_mpoly_ctx_clear(r->mctx);
}

/* Looks at the clock at every operation: one may be worth thousands of ticks. */
static void look(ring *r)
{
    ctx_tick(r->ctx);
    if (ctx_time_left(r->ctx) < 0) algebra_give_up(r->alg);
}

/* c² + s² − 1, ch² − sh² − 1; those of roots follow when their radicands are known. */
static void add_pair_relation(ring *r, size_t at, int sign)
{
    look(r); /* of many angles: a monomial has a place for each */
    poly c = poly_new(r), s = poly_new(r);
    fmpz_mpoly_gen(c, (slong) at, r->mctx);
    fmpz_mpoly_gen(s, (slong) at + 1, r->mctx);
    fmpz_mpoly_mul(c, c, c, r->mctx);
    fmpz_mpoly_mul(s, s, s, r->mctx);
    fmpz_mpoly_scalar_mul_si(s, s, sign, r->mctx);
    fmpz_mpoly_add(c, c, s, r->mctx);
    fmpz_mpoly_sub_si(c, c, 1, r->mctx);
    r->leader[r->relations] = at;
    r->relation[r->relations++] = c;
}

ring *ring_begin(algebra *alg, gens *g)
{
    arena *a = &alg->ctx->scratch;
    ring *r = NEW(a, ring);
    *r = (ring){.alg = alg, .ctx = alg->ctx, .g = g, .place.arena = a};
    r->relation = NEW_ARRAY(a, fmpz_mpoly_struct *, g->count);
    r->quotient = NEW_ARRAY(a, fmpz_mpoly_struct *, g->count);
    r->leader = NEW_ARRAY(a, size_t, g->count);
    r->degree = NEW_ARRAY(a, long, g->count + 1);
    r->degree_b = NEW_ARRAY(a, long, g->count + 1);
    r->class_of = NEW_ARRAY(a, uint8_t, g->count + 1);
    r->q = NEW(a, fmpq);
    fmpz_mpoly_ctx_init(r->mctx, g->count ? (slong) g->count : 1, ORD_LEX);
    fmpz_mpoly_factor_init(r->factors, r->mctx);
    fmpq_init(r->q);
    ctx_hold(r->ctx, &r->held, ring_destroy, r);
    for (size_t i = 0; i < g->count; i++) {
        r->quotient[i] = poly_new(r);
        if (g->gen[i].kind == GEN_COS) add_pair_relation(r, i, 1);
        if (g->gen[i].kind == GEN_COSH) add_pair_relation(r, i, -1);
    }
    return r;
}

void ring_close(ring *r)
{
    ctx_drop(r->ctx, &r->held);
}

/* ---- Bounds ---------------------------------------------------------------------------------- */

void poly_check(ring *r, poly a)
{
    look(r);
    r->total_terms += poly_terms(a);
    const bool wide =
        poly_terms(a) > r->alg->terms || r->total_terms > (size_t) r->alg->terms * RING_SHARE;
    if (wide || labs(fmpz_mpoly_max_bits(a)) > COEFFICIENT_BITS) algebra_give_up(r->alg);
}

/* Exponents of more bits do not lie in one word. */
static bool is_packed(poly a)
{
    return a->bits <= FLINT_BITS;
}

/* The degree of a packed polynomial in a generator, read from its words: FLINT unpacks all of every term. */
static ulong degree_in(ring *r, poly a, size_t at)
{
    const slong words = mpoly_words_per_exp_sp(a->bits, r->mctx->minfo);
    const ulong mask = (~(ulong) 0) >> (FLINT_BITS - a->bits);
    slong offset, shift;
    ulong highest = 0;
    mpoly_gen_offset_shift_sp(&offset, &shift, (slong) at, a->bits, r->mctx->minfo);
    for (slong i = 0; i < a->length; i++) {
        const ulong k = a->exps[i * words + offset] >> shift & mask;
        if (k > highest) highest = k;
    }
    return highest;
}

static void degrees(ring *r, poly a, long *out)
{
    if (!is_packed(a)) {
        if (!fmpz_mpoly_degrees_fit_si(a, r->mctx)) algebra_give_up(r->alg);
        fmpz_mpoly_degrees_si(out, a, r->mctx);
        return;
    }
    for (size_t i = 0; i < r->g->count; i++) {
        const ulong k = degree_in(r, a, i);
        if (k > LONG_MAX) algebra_give_up(r->alg);
        out[i] = (long) k;
    }
}

/* Exponents of so few bits do not come near to the limit of degrees. */
#define FEW_BITS 16

/* How many monomials there are of the degrees of a product. */
static double monomials(ring *r, poly a, poly b)
{
    double box = 1;
    degrees(r, a, r->degree);
    degrees(r, b, r->degree_b);
    for (size_t i = 0; i < r->g->count; i++) {
        if (r->degree[i] + r->degree_b[i] > DEGREE_LIMIT) algebra_give_up(r->alg);
        box *= (double) (r->degree[i] + r->degree_b[i] + 1);
    }
    return box;
}

/* The product has at most so many terms as there are pairs, or monomials of its degrees. */
static void check_product(ring *r, poly a, poly b)
{
    look(r);
    const double pairs = (double) poly_terms(a) * (double) poly_terms(b);
    const bool plain = a->bits <= FEW_BITS && b->bits <= FEW_BITS && pairs <= r->alg->terms;
    const double box = plain ? pairs : monomials(r, a, b);
    const double bits =
        (double) labs(fmpz_mpoly_max_bits(a)) + (double) labs(fmpz_mpoly_max_bits(b));
    const double terms = r->alg->terms;
    r->work += pairs;
    if (pairs > PRODUCT_SHARE * terms || r->work > WORK_SHARE * terms) algebra_give_up(r->alg);
    if (fmin(pairs, box) > 4 * terms || bits > COEFFICIENT_BITS) algebra_give_up(r->alg);
}

/* ---- Arithmetic ------------------------------------------------------------------------------ */

/* Each leading power g^k is replaced by terms of its relation. */
static bool reducible(ring *r, poly a)
{
    double growth = (double) poly_terms(a);
    bool any = false;
    if (r->relations == 0 || poly_terms(a) == 0) return false;
    if (!is_packed(a)) degrees(r, a, r->degree);
    for (size_t i = 0; i < r->relations; i++) {
        const gen *g = &r->g->gen[r->leader[i]];
        const double degree = is_packed(a) ? (double) degree_in(r, a, r->leader[i])
                                           : (double) r->degree[r->leader[i]];
        const double times = floor(degree / g->degree);
        if (times < 1) continue;
        any = true;
        growth *= 1 + times * ((double) poly_terms(r->relation[i]) - 1);
    }
    if (any && growth > 16.0 * r->alg->terms) algebra_give_up(r->alg);
    return any;
}

void poly_reduce(ring *r, poly a)
{
    if (!reducible(r, a)) return;
    const size_t mark = ring_mark(r);
    poly rest = poly_new(r);
    fmpz_mpoly_divrem_ideal(r->quotient, rest, a, r->relation, (slong) r->relations, r->mctx);
    fmpz_mpoly_swap(a, rest, r->mctx);
    for (size_t i = 0; i < r->relations; i++) fmpz_mpoly_zero(r->quotient[i], r->mctx);
    ring_release(r, mark);
    poly_check(r, a);
}

poly poly_int(ring *r, long value)
{
    poly p = poly_new(r);
    fmpz_mpoly_set_si(p, value, r->mctx);
    return p;
}

poly poly_copy(ring *r, poly a)
{
    poly p = poly_new(r);
    fmpz_mpoly_set(p, a, r->mctx);
    r->total_terms += poly_terms(p);
    return p;
}

poly poly_add(ring *r, poly a, poly b)
{
    poly p = poly_new(r);
    fmpz_mpoly_add(p, a, b, r->mctx);
    poly_check(r, p);
    return p;
}

poly poly_sub(ring *r, poly a, poly b)
{
    poly p = poly_new(r);
    fmpz_mpoly_sub(p, a, b, r->mctx);
    poly_check(r, p);
    return p;
}

poly poly_scale(ring *r, poly a, long factor)
{
    poly p = poly_new(r);
    fmpz_mpoly_scalar_mul_si(p, a, factor, r->mctx);
    poly_check(r, p);
    return p;
}

/* Not reduced: for what is printed, and for products that divide exactly. */
poly poly_mul_free(ring *r, poly a, poly b)
{
    check_product(r, a, b);
    poly p = poly_new(r);
    fmpz_mpoly_mul(p, a, b, r->mctx);
    poly_check(r, p);
    return p;
}

poly poly_mul(ring *r, poly a, poly b)
{
    if (poly_is_one(r, b)) return a;
    if (poly_is_one(r, a)) return b;
    poly p = poly_mul_free(r, a, b);
    poly_reduce(r, p);
    return p;
}

/* A monomial stays one, unless a generator with a relation is in it: c^n becomes (1 − s²)^(n/2). */
static bool stays_monomial(ring *r, poly a)
{
    if (poly_terms(a) > 1) return false;
    degrees(r, a, r->degree);
    for (size_t i = 0; i < r->relations; i++)
        if (r->degree[r->leader[i]] > 0) return false;
    return true;
}

/* By squaring, reduced each time: c^1000 must not be written out first. */
poly poly_pow(ring *r, poly a, unsigned long n)
{
    if (n == 0) return poly_int(r, 1);
    const double bits = (double) labs(fmpz_mpoly_max_bits(a)) - 1;
    if (n > POWER_LIMIT && !stays_monomial(r, a)) algebra_give_up(r->alg);
    if (bits * (double) n > COEFFICIENT_BITS) algebra_give_up(r->alg);
    poly power = NULL, square = a;
    for (;; n >>= 1) {
        if (n & 1) power = power ? poly_mul(r, power, square) : square;
        if (n <= 1) break;
        square = poly_mul(r, square, square);
    }
    return power == a ? poly_copy(r, a) : power;
}

/* x^1000000 − y: few terms, but far apart. Monomials in common do no harm. */
static bool is_steep(ring *r, poly a)
{
    bool high = false;
    degrees(r, a, r->degree);
    for (size_t i = 0; i < r->g->count; i++) high = high || r->degree[i] > STEEP;
    if (!high) return false;
    poly common = poly_new(r);
    fmpz_mpoly_term_content(common, a, r->mctx);
    degrees(r, common, r->degree_b);
    bool steep = false;
    for (size_t i = 0; i < r->g->count; i++) steep = steep || r->degree[i] - r->degree_b[i] > STEEP;
    return steep;
}

static void gcd_of_numbers(ring *r, poly a, poly b, poly out)
{
    fmpz *of_a = fmpq_numref(r->q), *of_b = fmpq_denref(r->q);
    _fmpz_vec_content(of_a, a->coeffs, a->length);
    _fmpz_vec_content(of_b, b->coeffs, b->length);
    fmpz_gcd(of_a, of_a, of_b);
    fmpz_mpoly_set_fmpz(out, of_a, r->mctx);
}

static bool is_number(const ring *r, poly a)
{
    return poly_terms(a) == 1 && poly_is_constant(r, a);
}

poly poly_gcd(ring *r, poly a, poly b)
{
    look(r);
    poly p = poly_new(r);
    const bool short_enough =
        poly_terms(a) + poly_terms(b) <= GCD_TERMS && !is_steep(r, a) && !is_steep(r, b);
    const bool number = (is_number(r, a) && b->length) || (is_number(r, b) && a->length);
    const bool sums = short_enough && poly_terms(a) > 1 && poly_terms(b) > 1;
    if (number || (sums && poly_are_coprime(r, a, b)))
        gcd_of_numbers(r, a, b, p);
    else if (!short_enough || !fmpz_mpoly_gcd(p, a, b, r->mctx))
        fmpz_mpoly_one(p, r->mctx);
    poly_check(r, p);
    return p;
}

bool poly_divides(ring *r, poly a, poly b, poly *quotient)
{
    look(r);
    poly p = poly_new(r);
    const bool exact = fmpz_mpoly_divides(p, a, b, r->mctx);
    *quotient = p;
    if (exact) poly_check(r, p);
    return exact;
}

poly poly_divide(ring *r, poly a, poly b)
{
    poly p;
    if (poly_is_one(r, b)) return a;
    const bool exact = poly_divides(r, a, b, &p);
    assert(exact);
    (void) exact;
    return p;
}

void poly_used(const ring *r, poly a, bool *used)
{
    /* Generators of a short polynomial: FLINT's own loop over the packed exponents. */
    int *flags = NEW_ARRAY(&r->ctx->scratch, int, r->g->count + 1);
    fmpz_mpoly_used_vars(flags, a, r->mctx);
    for (size_t i = 0; i < r->g->count; i++) used[i] = flags[i] != 0;
}

/* ---- Factors --------------------------------------------------------------------------------- */

/* Full factorisation of some polynomials of a hundred terms takes FLINT minutes: more variables,
 * fewer terms. Beyond, contents over each variable and square factors are split off, which is
 * cheap. */
bool poly_factors_fully(ring *r, poly a)
{
    static const size_t most[] = {2000, 2000, 1000, 500, 250, 120, 80, 60, 48, 36, 32};
    bool *used = NEW_ARRAY(&r->ctx->scratch, bool, r->g->count + 1);
    size_t variables = 0;
    poly_used(r, a, used);
    for (size_t i = 0; i < r->g->count; i++) variables += used[i];
    return poly_terms(a) <= (variables <= 10 ? most[variables] : 24) && !is_steep(r, a);
}

static void factor_into(ring *r, poly a, bool fully)
{
    bool done = fully ? fmpz_mpoly_factor(r->factors, a, r->mctx)
                : poly_terms(a) <= SQUARES_TERMS && !is_steep(r, a)
                    ? fmpz_mpoly_factor_squarefree(r->factors, a, r->mctx)
                    : false;
    if (done) return;
    fmpz_mpoly_factor_one(r->factors, r->mctx);
    fmpz_mpoly_factor_fit_length(r->factors, 1, r->mctx);
    fmpz_mpoly_set(&r->factors->poly[0], a, r->mctx);
    fmpz_one(&r->factors->exp[0]);
    r->factors->num = 1;
}

static poly_factors copy_factors(ring *r)
{
    const size_t count = (size_t) r->factors->num;
    poly_factors f = {.content = poly_new(r), .count = count};
    f.factor = NEW_ARRAY(&r->ctx->scratch, poly, count);
    f.exponent = NEW_ARRAY(&r->ctx->scratch, long, count);
    fmpz_mpoly_set_fmpz(f.content, r->factors->constant, r->mctx);
    for (size_t i = 0; i < count; i++) {
        f.factor[i] = poly_copy(r, &r->factors->poly[i]);
        f.exponent[i] = fmpz_get_si(&r->factors->exp[i]);
    }
    return f;
}

/* An irreducible polynomial, but for a number. */
static poly_factors itself(ring *r, poly a)
{
    poly_factors f = {.count = 1};
    f.factor = NEW_ARRAY(&r->ctx->scratch, poly, 1);
    f.exponent = NEW_ARRAY(&r->ctx->scratch, long, 1);
    f.factor[0] = poly_primitive(r, a, &f.content);
    f.exponent[0] = 1;
    return f;
}

poly_factors poly_factor(ring *r, poly a)
{
    look(r);
    if (poly_terms(a) > GCD_TERMS) algebra_give_up(r->alg);
    if (poly_terms(a) > 1 && poly_is_surely_irreducible(r, a)) return itself(r, a);
    factor_into(r, a, poly_factors_fully(r, a));
    return copy_factors(r);
}
