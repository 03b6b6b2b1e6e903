/* algebra/root.c - roots, absolute values and logarithms of products, split by what is known of the
 * signs of the factors:
 *
 *     (f g)^(1/q) = f^(1/q) g^(1/q)   if f ≥ 0,      sqrt(f² g) = |f| sqrt(g),      log(f g) = log f + log g
 *
 * so that sqrt(m x)/sqrt(m) = sqrt(x) for m > 0, and sqrt(x²) is x only when x ≥ 0 is known. */
#include "ring.h"
#include <stdlib.h>

/* ---- Factors of a lowered expression --------------------------------------------------------- */

typedef struct factored_job {
    algebra *alg;
    ah_expr in;
    factored *out;
} factored_job;

static size_t append(ring *r, factored *out, size_t n, const poly_factors *f, long sign)
{
    for (size_t i = 0; i < f->count; i++, n++) {
        poly content;
        const poly p = poly_primitive(r, f->factor[i], &content);
        const ah_expr e = show_expanded(r, p, true);
        out->factor[n] = e;
        out->exponent[n] = sign * f->exponent[i];
        if (fmpz_mpoly_is_one(content, r->mctx)) continue;
        const ah_expr power = expr_powi(r->ctx, show_expanded(r, content, true), out->exponent[n]);
        out->content = expr_mul(r->ctx, out->content, power);
    }
    return n;
}

/* Shortened first: 1 − sin² is cos², not (1 − sin)(1 + sin). The arrays go to the job arena,
 * as scratch is released at the end of an attempt. */
static void factored_body(ah_ctx *ctx, void *arg)
{
    factored_job *job = arg;
    ring *r = ring_open(job->alg, &job->in, 1, true);
    const frac a = frac_cancel(r, ring_value(r, job->in));
    if (poly_is_zero(r, a.num)) algebra_give_up(job->alg);
    const poly_factors num = poly_factor(r, poly_shorten(r, a.num));
    const poly_factors den = poly_factor(r, poly_shorten(r, a.den));
    const size_t count = num.count + den.count;
    *job->out = (factored){.content = show_ratio(r, num.content, den.content),
                           .count = count,
                           .factor = NEW_ARRAY(&ctx->job, ah_expr, count),
                           .exponent = NEW_ARRAY(&ctx->job, long, count)};
    append(r, job->out, append(r, job->out, 0, &num, 1), &den, -1);
    ring_close(r);
}

bool algebra_factored(algebra *alg, ah_expr e, factored *out)
{
    return algebra_attempt(alg, factored_body, &(factored_job){alg, e, out});
}

/* ---- Numbers: prime factors ------------------------------------------------------------------ */

typedef struct prime {
    ulong p;
    long e;
} prime;

/* |n/d| = Π p^e for numbers of one word; otherwise two "primes" would not fit: false. */
static bool factor_number(ah_ctx *ctx, ah_expr number, prime *out, size_t *count)
{
    long n, d;
    *count = 0;
    if (!expr_is_rational(ctx, number, &n, &d)) return false;
    for (int part = 0; part < 2; part++) {
        n_factor_t f;
        n_factor_init(&f);
        n_factor(&f, part ? (ulong) d : (ulong) labs(n), 1);
        for (int i = 0; i < f.num; i++)
            out[(*count)++] = (prime){f.p[i], part ? -(long) f.exp[i] : (long) f.exp[i]};
    }
    return true;
}

#define MOST_PRIMES (2 * FLINT_MAX_FACTORS_IN_LIMB)

/* |number|^(1/q) as a product of roots of primes. */
static ah_expr number_root(ah_ctx *ctx, ah_expr number, long q)
{
    prime primes[MOST_PRIMES];
    size_t count;
    if (expr_number_sign(ctx, number) < 0) number = expr_neg(ctx, number);
    if (!factor_number(ctx, number, primes, &count))
        return expr_pow(ctx, number, expr_rational(ctx, 1, q));
    ah_expr product = expr_int(ctx, 1);
    for (size_t i = 0; i < count; i++)
        product = expr_mul(
            ctx, product,
            expr_pow(ctx, expr_int(ctx, (long) primes[i].p), expr_rational(ctx, primes[i].e, q)));
    return product;
}

static ah_expr number_log(ah_ctx *ctx, ah_expr number)
{
    prime primes[MOST_PRIMES];
    size_t count;
    if (expr_number_sign(ctx, number) < 0) number = expr_neg(ctx, number);
    if (!factor_number(ctx, number, primes, &count)) return expr_call1(ctx, AH_LOG, number);
    ah_expr sum = expr_int(ctx, 0);
    for (size_t i = 0; i < count; i++)
        sum = expr_add(ctx, sum,
                       expr_mul(ctx, expr_int(ctx, primes[i].e),
                                expr_call1(ctx, AH_LOG, expr_int(ctx, (long) primes[i].p))));
    return sum;
}

/* ---- Factors of known sign ------------------------------------------------------------------- */

static bool never_negative(sign_mask m)
{
    return !(m & SIGN_NEGATIVE);
}
static bool never_positive(sign_mask m)
{
    return !(m & SIGN_POSITIVE);
}

/* f ≥ 0 to a rational power: exp(u)^r = exp(r u), (g^s)^r = g^(s r). */
static ah_expr positive_power(ah_ctx *ctx, ah_expr f, long p, long q)
{
    const ah_expr r = expr_rational(ctx, p, q);
    const expr_op op = expr_get_op(ctx, f);
    const ah_expr *child = expr_get_children(ctx, f);
    if (op == EXPR_CALL && expr_get_function(ctx, f) == AH_EXP)
        return expr_call1(ctx, AH_EXP, expr_mul(ctx, r, child[0]));
    if (op == EXPR_POWER && expr_get_op(ctx, child[1]) == EXPR_NUMBER)
        return expr_pow(ctx, child[0], expr_mul(ctx, r, child[1]));
    return expr_pow(ctx, f, r);
}

static ah_expr positive_log(ah_ctx *ctx, ah_expr f)
{
    const expr_op op = expr_get_op(ctx, f);
    const ah_expr *child = expr_get_children(ctx, f);
    if (op == EXPR_POWER && expr_get_op(ctx, child[1]) == EXPR_NUMBER)
        return expr_mul(ctx, child[1], expr_call1(ctx, AH_LOG, child[0]));
    return expr_call1(ctx, AH_LOG, f);
}

/* A product being taken apart: outside the function, still inside it, and the sign of the inside. */
typedef struct parts {
    ah_expr outside, inside;
    bool minus;
} parts;

static void keep_inside(ah_ctx *ctx, parts *p, ah_expr f, long e)
{
    p->inside = expr_mul(ctx, p->inside, expr_powi(ctx, f, e));
}

static long floor_div(long a, long b)
{
    return a / b - (a % b < 0);
}

/* f^e of unknown sign inside a q-th root: of f^(q k + j) an even root gives |f|^k, an odd one f^k
 * for even k only. */
static bool root_unknown(ah_ctx *ctx, parts *p, ah_expr f, long e, long q)
{
    const long k = floor_div(e, q), j = e - k * q;
    if (q % 2 && k % 2) return false;
    const ah_expr size = k % 2 ? expr_call1(ctx, AH_ABS, f) : f;
    p->outside = expr_mul(ctx, p->outside, expr_powi(ctx, size, k));
    keep_inside(ctx, p, f, j);
    return true;
}

static bool root_factor(algebra *alg, parts *p, ah_expr f, long e, long q)
{
    ah_ctx *ctx = alg->ctx;
    const sign_mask m = sign_of(alg, f);
    if (!never_negative(m) && !never_positive(m)) return root_unknown(ctx, p, f, e, q);
    const ah_expr size = never_negative(m) ? f : algebra_canonical(alg, expr_neg(ctx, f));
    if (!never_negative(m) && e % 2) p->minus = !p->minus;
    p->outside = expr_mul(ctx, p->outside, positive_power(ctx, size, e, q));
    return true;
}

/* The inside, expanded; a minus sign alone would be the root of −1. */
static bool finish_inside(algebra *alg, parts *p)
{
    ah_ctx *ctx = alg->ctx;
    if (p->minus) p->inside = expr_neg(ctx, p->inside);
    p->inside = algebra_canonical(alg, p->inside);
    return expr_get_op(ctx, p->inside) != EXPR_NUMBER || expr_is_one(ctx, p->inside);
}

ah_expr lower_root(algebra *alg, ah_expr base, long p, long q)
{
    ah_ctx *ctx = alg->ctx;
    const ah_expr opaque = expr_pow(ctx, algebra_canonical(alg, base), expr_rational(ctx, p, q));
    factored f;
    if (!algebra_factored(alg, base, &f)) return opaque;
    parts x = {number_root(ctx, f.content, q), expr_int(ctx, 1), false};
    x.minus = expr_number_sign(ctx, f.content) < 0;
    for (size_t i = 0; i < f.count; i++)
        if (!root_factor(alg, &x, f.factor[i], f.exponent[i], q)) return opaque;
    if (!finish_inside(alg, &x)) return opaque;
    const ah_expr inside = expr_pow(ctx, x.inside, expr_rational(ctx, p, q));
    return expr_mul(ctx, expr_powi(ctx, x.outside, p), inside);
}

/* |Π f^e| = Π |f|^e */
ah_expr lower_abs(algebra *alg, ah_expr e)
{
    ah_ctx *ctx = alg->ctx;
    factored f;
    if (!algebra_factored(alg, e, &f)) return expr_call1(ctx, AH_ABS, e);
    ah_expr product = expr_call1(ctx, AH_ABS, f.content);
    for (size_t i = 0; i < f.count; i++) {
        const sign_mask m = sign_of(alg, f.factor[i]);
        ah_expr size = f.factor[i];
        if (never_positive(m))
            size = expr_neg(ctx, size);
        else if (!never_negative(m))
            size = expr_call1(ctx, AH_ABS, size);
        product = expr_mul(ctx, product, expr_powi(ctx, size, f.exponent[i]));
    }
    return product;
}

/* log |c| + Σ e log |f| over the factors of known sign, or even power, + log of the rest. */
ah_expr lower_log(algebra *alg, ah_expr e)
{
    ah_ctx *ctx = alg->ctx;
    factored f;
    const ah_expr opaque = expr_call1(ctx, AH_LOG, e);
    if (!algebra_factored(alg, e, &f)) return opaque;
    parts x = {number_log(ctx, f.content), expr_int(ctx, 1), false};
    x.minus = expr_number_sign(ctx, f.content) < 0;
    for (size_t i = 0; i < f.count; i++) {
        const sign_mask m = sign_of(alg, f.factor[i]);
        const bool odd = f.exponent[i] % 2;
        ah_expr size = f.factor[i];
        if (never_positive(m)) {
            size = algebra_canonical(alg, expr_neg(ctx, size));
            x.minus = x.minus != odd;
        } else if (!never_negative(m)) {
            if (odd) {
                keep_inside(ctx, &x, f.factor[i], f.exponent[i]);
                continue;
            }
            size = expr_call1(ctx, AH_ABS, size);
        }
        x.outside = expr_add(ctx, x.outside,
                             expr_mul(ctx, expr_int(ctx, f.exponent[i]), positive_log(ctx, size)));
    }
    if (!finish_inside(alg, &x)) return opaque;
    return expr_add(ctx, x.outside, expr_call1(ctx, AH_LOG, x.inside));
}
