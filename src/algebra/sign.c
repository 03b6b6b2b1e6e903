/* algebra/sign.c - real signs that follow from the structure of an expression and the given facts.
 */
#include "internal.h"

#include "../expr/ball.h"

#include <math.h>

#define SIGN_DEPTH  64
#define NUMBER_BITS 128 /* of a number whose sign is asked for */

/* ---- Arithmetic of signs --------------------------------------------------------------------- */

static sign_mask flip(sign_mask m)
{
    return (m & SIGN_ZERO) | (m & SIGN_NEGATIVE ? SIGN_POSITIVE : 0) |
           (m & SIGN_POSITIVE ? SIGN_NEGATIVE : 0);
}

sign_mask sign_product(sign_mask a, sign_mask b)
{
    sign_mask m = (a | b) & SIGN_ZERO;
    if (a & SIGN_POSITIVE) m |= b & ~SIGN_ZERO;
    if (a & SIGN_NEGATIVE) m |= flip(b) & ~SIGN_ZERO;
    return m;
}

sign_mask sign_power(sign_mask a, long exponent)
{
    if (exponent < 0) a &= ~SIGN_ZERO; /* where it is defined */
    if (exponent % 2) return a;
    return (a & SIGN_ZERO) | (a & ~SIGN_ZERO ? SIGN_POSITIVE : 0);
}

static sign_mask sign_sum(sign_mask a, sign_mask b)
{
    if (a == SIGN_ZERO) return b;
    if (b == SIGN_ZERO) return a;
    const sign_mask both = a | b;
    if (both & SIGN_NEGATIVE && both & SIGN_POSITIVE) return SIGN_ANY;
    return a & b & SIGN_ZERO ? both : both & ~SIGN_ZERO;
}

/* ---- Structure ------------------------------------------------------------------------------- */

static sign_mask structure(algebra *alg, ah_expr e, unsigned depth);

static sign_mask node_sign(algebra *alg, ah_expr e, unsigned depth)
{
    const sign_mask fact = map_get(&alg->fact_sign, e), known = map_get(&alg->sign, e);
    if (fact || known) return fact ? fact : known;
    if (depth > SIGN_DEPTH) return SIGN_ANY;
    const sign_mask found = structure(alg, e, depth);
    map_put(&alg->sign, e, found);
    return found;
}

/* |e| ≤ bound for number · Π sin, cos, tanh to positive powers; INFINITY for everything else. */
static double bound(const ah_ctx *ctx, ah_expr e)
{
    long n;
    const expr_op op = expr_get_op(ctx, e);
    const ah_expr *child = expr_get_children(ctx, e);
    if (op == EXPR_NUMBER) return fabs(expr_number_double(ctx, e));
    const ah_function f = op == EXPR_CALL ? expr_get_function(ctx, e) : AH_FUNCTIONS;
    if (f == AH_SIN || f == AH_COS || f == AH_TANH) return 1;
    if (op == EXPR_POWER && expr_is_int(ctx, child[1], &n) && n > 0)
        return bound(ctx, child[0]) <= 1 ? 1 : INFINITY;
    if (op != EXPR_PRODUCT) return INFINITY;
    double product = 1;
    for (size_t i = 0; i < expr_get_count(ctx, e); i++) product *= bound(ctx, child[i]);
    return product;
}

/* 2 + cos x > 0, 1 − sin x ≥ 0: a number against bounded terms. Small numbers, so that doubles add
 * exactly. */
static sign_mask bounded_sum(algebra *alg, ah_expr e, unsigned depth)
{
    const ah_expr *child = expr_get_children(alg->ctx, e);
    long n = 0, p;
    double rest = 0;
    for (size_t i = 0; i < expr_get_count(alg->ctx, e); i++) {
        if (expr_is_int(alg->ctx, child[i], &p))
            n = p;
        else if (node_sign(alg, child[i], depth + 1) & SIGN_NEGATIVE)
            rest += bound(alg->ctx, child[i]);
    }
    if (n <= 0 || n > 1000 || !(rest <= (double) n)) return SIGN_ANY;
    return rest < (double) n ? SIGN_POSITIVE : SIGN_POSITIVE | SIGN_ZERO;
}

/* √2 − 1, π − 3: a number in balls. */
static sign_mask number_sign(algebra *alg, ah_expr e)
{
    ball_frame none;
    arb_t x;
    ball_frame_init(&none, alg->ctx);
    arb_init(x);
    expr_eval_balls(&none, &e, 1, NUMBER_BITS, x);
    const sign_mask m = arb_is_positive(x)   ? SIGN_POSITIVE
                        : arb_is_negative(x) ? SIGN_NEGATIVE
                                             : SIGN_ANY;
    arb_clear(x);
    ball_frame_clear(&none);
    return m;
}

static sign_mask sum_sign(algebra *alg, ah_expr e, unsigned depth)
{
    const ah_expr *child = expr_get_children(alg->ctx, e);
    sign_mask m = SIGN_ZERO;
    for (size_t i = 0; i < expr_get_count(alg->ctx, e); i++)
        m = sign_sum(m, node_sign(alg, child[i], depth + 1));
    if (m == SIGN_ANY) m = bounded_sum(alg, e, depth);
    if (m == SIGN_ANY && !expr_symbols(alg->ctx, &alg->ctx->scratch, &e, 1).count)
        m = number_sign(alg, e);
    return m;
}

static sign_mask power_sign(algebra *alg, ah_expr e, unsigned depth)
{
    ah_ctx *ctx = alg->ctx;
    const ah_expr *child = expr_get_children(ctx, e);
    const sign_mask base = node_sign(alg, child[0], depth + 1);
    long n, p, q;
    if (expr_is_int(ctx, child[1], &n)) return sign_power(base, n);
    /* Defined for base ≥ 0 only, and never negative; but the n of x^n may be 1. */
    if (base & SIGN_NEGATIVE && expr_symbols(ctx, &ctx->scratch, child + 1, 1).count)
        return SIGN_ANY;
    const bool inverse = expr_is_rational(ctx, child[1], &p, &q) && p < 0;
    return base & SIGN_ZERO && !inverse ? SIGN_POSITIVE | SIGN_ZERO : SIGN_POSITIVE;
}

static sign_mask call_sign(algebra *alg, ah_expr e, unsigned depth)
{
    const sign_mask arg = node_sign(alg, expr_get_children(alg->ctx, e)[0], depth + 1);
    switch (expr_get_function(alg->ctx, e)) {
    case AH_EXP:
    case AH_COSH: return SIGN_POSITIVE;
    case AH_ABS: return (arg & SIGN_ZERO) | SIGN_POSITIVE;
    case AH_ACOS: return SIGN_POSITIVE | SIGN_ZERO;
    case AH_SINH:
    case AH_TANH:
    case AH_ATAN:
    case AH_ASIN:
    case AH_SIGN: return arg;
    default: return SIGN_ANY;
    }
}

static sign_mask structure(algebra *alg, ah_expr e, unsigned depth)
{
    const ah_ctx *ctx = alg->ctx;
    const size_t count = expr_get_count(ctx, e);
    const ah_expr *child = expr_get_children(ctx, e);
    const int sign = expr_get_op(ctx, e) == EXPR_NUMBER ? expr_number_sign(ctx, e) : 0;
    sign_mask m;
    switch (expr_get_op(ctx, e)) {
    case EXPR_NUMBER: return sign > 0 ? SIGN_POSITIVE : sign < 0 ? SIGN_NEGATIVE : SIGN_ZERO;
    case EXPR_PI: return SIGN_POSITIVE;
    case EXPR_SUM: return sum_sign(alg, e, depth);
    case EXPR_PRODUCT:
        m = SIGN_POSITIVE;
        for (size_t i = 0; i < count; i++) m = sign_product(m, node_sign(alg, child[i], depth + 1));
        return m;
    case EXPR_POWER: return power_sign(alg, e, depth);
    case EXPR_CALL: return call_sign(alg, e, depth);
    default: return SIGN_ANY;
    }
}

sign_mask sign_of(algebra *alg, ah_expr e)
{
    return node_sign(alg, e, 0);
}

/* ---- Facts ----------------------------------------------------------------------------------- */

static void learn(algebra *alg, ah_expr e, sign_mask m)
{
    const sign_mask known = map_get(&alg->fact_sign, e);
    map_put(&alg->fact_sign, e, known && known & m ? known & m : m);
    alg->sign = (map){.arena = alg->sign.arena}; /* what was found without it may be too weak */
    alg->found_sign = (map){.arena = alg->sign.arena};
}

/* A fact is found again as it was written, in normal form, and as the one factor of it whose sign
 * is not known otherwise: from m > 0 and m (a − b) > 0 follows a − b > 0. */
void sign_learn(algebra *alg, const algebra_fact *fact)
{
    const sign_mask m = SIGN_POSITIVE | (!fact->positive ? SIGN_NEGATIVE
                                         : fact->border  ? SIGN_ZERO
                                                         : 0);
    const ah_expr e = algebra_lower(alg, fact->e);
    factored f;
    learn(alg, e, m);
    if (expr_get_op(alg->ctx, e) == EXPR_SYMBOL) return;
    learn(alg, algebra_canonical(alg, e), m);
    if (!algebra_factored(alg, e, &f)) return;
    sign_mask others = sign_of(alg, f.content);
    size_t open = f.count;
    for (size_t i = 0; i < f.count; i++) {
        const sign_mask s = sign_power(sign_of(alg, f.factor[i]), f.exponent[i]);
        if (s == SIGN_POSITIVE || s == SIGN_NEGATIVE)
            others = sign_product(others, s);
        else if (open == f.count && f.exponent[i] % 2)
            open = i;
        else
            return;
    }
    if (open < f.count) learn(alg, f.factor[open], sign_product(m, others));
}
