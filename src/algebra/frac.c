/* algebra/frac.c - fractions of polynomials. Denominators are never zero. They are cancelled where
 * it is cheap: sums over the gcd of the denominators, products crosswise, and in the end by
 * frac_cancel. */
#include "ring.h"
#include <stdlib.h>

frac frac_of(ring *r, poly num)
{
    return (frac){num, poly_int(r, 1)};
}

frac frac_int(ring *r, long value)
{
    return frac_of(r, poly_int(r, value));
}

frac frac_number(ring *r, ah_expr number)
{
    const fmpq *q = expr_get_fmpq(r->ctx, number);
    frac f = {poly_new(r), poly_new(r)};
    fmpz_mpoly_set_fmpz(f.num, fmpq_numref(q), r->mctx);
    fmpz_mpoly_set_fmpz(f.den, fmpq_denref(q), r->mctx);
    poly_check(r, f.num);
    poly_check(r, f.den);
    return f;
}

frac frac_gen(ring *r, size_t at)
{
    poly p = poly_new(r);
    fmpz_mpoly_gen(p, (slong) at, r->mctx);
    return frac_of(r, p);
}

/* The product of two denominators that are not zero may be: (|x| − x)(|x| + x). Nothing is known
 * then. */
static frac checked(ring *r, poly num, poly den)
{
    if (poly_is_zero(r, den)) algebra_give_up(r->alg);
    return (frac){num, den};
}

/* Longer ones are divided if one divides the other, but no gcd is taken on the way. */
#define SHORT_TERMS 64

static bool is_short(poly a, poly b)
{
    return poly_terms(a) == 1 || poly_terms(b) == 1 ||
           (poly_terms(a) <= SHORT_TERMS && poly_terms(b) <= SHORT_TERMS);
}

/* Removes a common factor of *a and *b. */
static void cross(ring *r, poly *a, poly *b)
{
    if (poly_is_one(r, *a) || poly_is_one(r, *b) || poly_is_zero(r, *a)) return;
    const poly g = poly_gcd(r, *a, *b);
    *a = poly_divide(r, *a, g);
    *b = poly_divide(r, *b, g);
}

/* The same where it is cheap. */
static void cross_quickly(ring *r, poly *num, poly *den)
{
    poly quotient;
    if (poly_is_one(r, *den) || poly_is_zero(r, *num)) return;
    if (is_short(*num, *den)) {
        cross(r, num, den);
    } else if (poly_terms(*num) >= poly_terms(*den)) {
        if (poly_divides(r, *num, *den, &quotient)) *num = quotient, *den = poly_int(r, 1);
    } else if (poly_divides(r, *den, *num, &quotient)) {
        *num = poly_int(r, 1), *den = quotient;
    }
}

/* n1/(g e1) + n2/(g e2) = (n1 e2 + n2 e1)/(g e1 e2) */
static frac add_over(ring *r, frac a, frac b)
{
    const poly g = poly_gcd(r, a.den, b.den);
    const poly e1 = poly_divide(r, a.den, g), e2 = poly_divide(r, b.den, g);
    const poly num = poly_add(r, poly_mul(r, a.num, e2), poly_mul(r, b.num, e1));
    return checked(r, num, poly_mul(r, a.den, e2));
}

static frac add(ring *r, frac a, frac b)
{
    if (poly_is_zero(r, a.num)) return b;
    if (poly_is_zero(r, b.num)) return a;
    if (!fmpz_mpoly_equal(a.den, b.den, r->mctx)) return add_over(r, a, b);
    return (frac){poly_add(r, a.num, b.num), a.den};
}

frac frac_add(ring *r, frac a, frac b)
{
    frac sum = add(r, a, b);
    cross_quickly(r, &sum.num, &sum.den);
    return sum;
}

frac frac_neg(ring *r, frac a)
{
    poly p = poly_new(r);
    fmpz_mpoly_neg(p, a.num, r->mctx);
    return (frac){p, a.den};
}

frac frac_sub(ring *r, frac a, frac b)
{
    return frac_add(r, a, frac_neg(r, b));
}

frac frac_mul(ring *r, frac a, frac b)
{
    if (poly_is_zero(r, a.num) || poly_is_zero(r, b.num)) return frac_int(r, 0);
    cross_quickly(r, &a.num, &b.den);
    cross_quickly(r, &b.num, &a.den);
    return checked(r, poly_mul(r, a.num, b.num), poly_mul(r, a.den, b.den));
}

static frac reciprocal(ring *r, frac a)
{
    return checked(r, a.den, a.num);
}

frac frac_div(ring *r, frac a, frac b)
{
    return frac_mul(r, a, reciprocal(r, b));
}

frac frac_pow(ring *r, frac a, long n)
{
    if (n < 0) a = reciprocal(r, a);
    const unsigned long k = (unsigned long) labs(n);
    return checked(r, poly_pow(r, a.num, k), poly_pow(r, a.den, k));
}

/* By halves: n terms cost n log n instead of n². In place. */
frac frac_sum(ring *r, frac *terms, size_t count)
{
    if (count == 0) return frac_int(r, 0);
    for (size_t step = 1; step < count; step *= 2)
        for (size_t i = 0; i + step < count; i += 2 * step)
            terms[i] = add(r, terms[i], terms[i + step]);
    cross_quickly(r, &terms[0].num, &terms[0].den);
    return terms[0];
}

/* ---- Cancelling ------------------------------------------------------------------------------ */

/* x² = P of the relation x² − P. */
static poly square_of(ring *r, poly x, poly relation)
{
    poly p = poly_new(r);
    fmpz_mpoly_mul(p, x, x, r->mctx);
    fmpz_mpoly_sub(p, p, relation, r->mctx);
    return p;
}

/* Is a = q·b with the quotient put into *q? */
static bool take(ring *r, poly a, poly b, poly *q)
{
    return !poly_is_zero(r, a) && poly_divides(r, a, b, q);
}

/* x N'/(P D') = N'/(x D') and P N'/(x D') = x N'/D' for x² = P: c/(1 − s²) = 1/c, (1 − s²)/c = c.
 * For roots of numbers the other way round: 1/√2 = √2/2. */
static void cancel_root(ring *r, frac *f, size_t at, poly relation)
{
    poly q, t, x = poly_new(r);
    fmpz_mpoly_gen(x, (slong) at, r->mctx);
    const poly P = square_of(r, x, relation);
    if (poly_is_constant(r, P)) {
        if (take(r, f->den, x, &q)) *f = (frac){poly_mul(r, f->num, x), poly_mul(r, q, P)};
    } else if (take(r, f->num, x, &q) && take(r, f->den, P, &t)) {
        *f = (frac){q, poly_mul(r, t, x)};
    } else if (take(r, f->den, x, &q) && take(r, f->num, P, &t)) {
        *f = (frac){poly_mul(r, t, x), q};
    }
}

frac frac_cancel(ring *r, frac a)
{
    frac f = a;
    if (poly_is_zero(r, f.num)) return frac_int(r, 0);
    cross(r, &f.num, &f.den);
    const frac crossed = f;
    if (!poly_is_constant(r, f.den))
        for (size_t i = 0; i < r->relations; i++)
            if (r->g->gen[r->leader[i]].degree == 2)
                cancel_root(r, &f, r->leader[i], r->relation[i]);
    if (f.num != crossed.num || f.den != crossed.den) cross(r, &f.num, &f.den);
    if (fmpz_sgn(f.den->coeffs) > 0) return f;
    f = (frac){poly_copy(r, f.num), poly_copy(r, f.den)};
    fmpz_mpoly_neg(f.num, f.num, r->mctx);
    fmpz_mpoly_neg(f.den, f.den, r->mctx);
    return f;
}
