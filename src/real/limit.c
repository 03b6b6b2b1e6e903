/* real/limit.c - see limit.h. */
#include "limit.h"

#include <stdlib.h>

typedef struct search {
    ah_ctx *ctx;
    arena *arena;
    algebra *alg;
    ah_expr epsilon;
} search;

static limit find(search *s, ah_expr e);

static limit finite(search *s, ah_expr value)
{
    return (limit){LIMIT_FINITE, value, 0, expr_int(s->ctx, 1)};
}

static limit infinite(search *s, int sign)
{
    return (limit){LIMIT_INFINITE, AH_NONE, sign, expr_int(s->ctx, 1)};
}

static int sign_of(search *s, ah_expr e)
{
    const int sign = algebra_sign(s->alg, e);
    return sign == 1 || sign == -1 ? sign : 0;
}

/* Nothing is said where e vanishes; nor if it may be zero everywhere. */
static limit except(search *s, limit x, ah_expr e)
{
    if (algebra_zero(s->alg, e) != AH_FALSE) return (limit){0};
    if (x.kind != LIMIT_UNKNOWN && !sign_of(s, e)) x.except = expr_mul(s->ctx, x.except, e);
    return x;
}

/* What was said of a part. */
static limit with(search *s, limit x, limit part)
{
    if (x.kind != LIMIT_UNKNOWN) x.except = expr_mul(s->ctx, x.except, part.except);
    return x;
}

static bool varies(search *s, ah_expr e)
{
    return expr_depends(s->ctx, e, s->epsilon);
}

/* ---- Quotients of polynomials ---------------------------------------------------------------- */

static bool is_rational(search *s, ah_expr e)
{
    if (!varies(s, e)) return true;
    const expr_op op = expr_get_op(s->ctx, e);
    const size_t count = expr_get_count(s->ctx, e);
    const ah_expr *child = expr_get_children(s->ctx, e);
    long exponent;
    if (op == EXPR_SYMBOL) return true;
    if (op == EXPR_POWER)
        return expr_is_int(s->ctx, child[1], &exponent) && is_rational(s, child[0]);
    if (op != EXPR_SUM && op != EXPR_PRODUCT) return false;
    for (size_t i = 0; i < count; i++)
        if (!is_rational(s, child[i])) return false;
    return true;
}

/* The term of the lowest power. */
static bool lowest(search *s, ah_expr e, uint32_t *power, ah_expr *coefficient)
{
    algebra_poly p;
    if (!algebra_collect(s->alg, e, 1, &s->epsilon, &p) || !p.terms) return false;
    size_t k = 0;
    for (size_t i = 1; i < p.terms; i++)
        if (p.exponent[i] < p.exponent[k]) k = i;
    *power = p.exponent[k];
    *coefficient = p.coefficient[k];
    return true;
}

typedef bool take_first(search *s, ah_expr e, uint32_t *power, ah_expr *coefficient);

static limit of_quotient(search *s, ah_expr e, take_first *first)
{
    ah_expr top, below, T, B;
    uint32_t a, b;
    if (algebra_zero(s->alg, e) == AH_TRUE) return finite(s, expr_int(s->ctx, 0));
    if (!algebra_fraction(s->alg, e, &top, &below) || !first(s, top, &a, &T) ||
        !first(s, below, &b, &B))
        return (limit){0};
    const ah_expr ratio = expr_div(s->ctx, T, B);
    if (a < b) return except(s, except(s, infinite(s, sign_of(s, ratio)), B), T);
    return except(s, finite(s, a > b ? expr_int(s->ctx, 0) : ratio), B);
}

/* ---- Quotients of power series --------------------------------------------------------------- */

enum { SERIES_TERMS = 7, SERIES_OPERATIONS = 400 };

static ah_expr at_zero(search *s, ah_expr e)
{
    const ah_expr zero = expr_int(s->ctx, 0);
    return expr_subst(s->ctx, e, 1, &s->epsilon, &zero);
}

/* Can it be developed in powers of epsilon? */
static bool is_analytic(search *s, ah_expr e)
{
    if (!varies(s, e)) return true;
    const expr_op op = expr_get_op(s->ctx, e);
    const size_t count = expr_get_count(s->ctx, e);
    const ah_expr *child = expr_get_children(s->ctx, e);
    long exponent;
    if (op == EXPR_UNKNOWN) return false;
    if (op == EXPR_POWER) {
        if (varies(s, child[1]) || !is_analytic(s, child[0])) return false;
        return (expr_is_int(s->ctx, child[1], &exponent) && exponent >= 0) ||
               sign_of(s, at_zero(s, child[0])) == 1;
    }
    if (op == EXPR_CALL) {
        const ah_function f = expr_get_function(s->ctx, e);
        if (f != AH_SIN && f != AH_COS && f != AH_EXP && f != AH_SINH && f != AH_COSH &&
            f != AH_TANH && f != AH_ATAN)
            return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!is_analytic(s, expr_get_children(s->ctx, e)[i])) return false;
    return true;
}

/* The first coefficient that does not vanish, for certain. */
static bool first_term(search *s, ah_expr e, uint32_t *power, ah_expr *coefficient)
{
    ah_expr factorial = expr_int(s->ctx, 1);
    if (!is_analytic(s, e) || expr_operations(s->ctx, &e, 1) > SERIES_OPERATIONS) return false;
    for (*power = 0; *power < SERIES_TERMS; ++*power) {
        const ah_expr value = at_zero(s, e);
        const ah_truth zero = algebra_zero(s->alg, value);
        *coefficient = expr_div(s->ctx, value, factorial);
        if (zero != AH_TRUE) return zero == AH_FALSE;
        e = expr_diff(s->ctx, e, s->epsilon);
        factorial = expr_mul(s->ctx, factorial, expr_int(s->ctx, (long) *power + 1));
    }
    return false;
}

/* ---- Sums and products ----------------------------------------------------------------------- */

/* The rational children as one, then the others; how many. */
static size_t parts_of(search *s, ah_expr e, ah_expr *part)
{
    const size_t count = expr_get_count(s->ctx, e);
    const ah_expr *child = expr_get_children(s->ctx, e);
    const bool sum = expr_get_op(s->ctx, e) == EXPR_SUM;
    size_t parts = 1;
    ah_expr *own = NEW_ARRAY(s->arena, ah_expr, count + 1);
    for (size_t i = 0; i < count; i++) own[i] = child[i]; /* the pool may move */
    part[0] = expr_int(s->ctx, sum ? 0 : 1);
    for (size_t i = 0; i < count; i++) {
        if (!is_rational(s, own[i]))
            part[parts++] = own[i];
        else
            part[0] = sum ? expr_add(s->ctx, part[0], own[i]) : expr_mul(s->ctx, part[0], own[i]);
    }
    return parts;
}

static limit of_sum(search *s, const ah_expr *part, size_t parts)
{
    limit out = finite(s, expr_int(s->ctx, 0));
    for (size_t i = 0; i < parts; i++) {
        const limit x = find(s, part[i]);
        if (x.kind == LIMIT_UNKNOWN) return x;
        limit sum = out;
        if (out.kind == LIMIT_FINITE && x.kind == LIMIT_FINITE)
            sum.value = expr_add(s->ctx, out.value, x.value);
        else if (out.kind == LIMIT_FINITE)
            sum = with(s, x, out);
        else if (x.kind == LIMIT_INFINITE && (!x.sign || x.sign != out.sign))
            return (limit){0};
        out = out.kind == LIMIT_FINITE && x.kind == LIMIT_INFINITE ? sum : with(s, sum, x);
    }
    return out;
}

static limit of_product(search *s, const ah_expr *part, size_t parts)
{
    limit out = finite(s, expr_int(s->ctx, 1));
    for (size_t i = 0; i < parts; i++) {
        const limit x = find(s, part[i]);
        if (x.kind == LIMIT_UNKNOWN) return x;
        if (out.kind == LIMIT_FINITE && x.kind == LIMIT_FINITE) {
            out.value = expr_mul(s->ctx, out.value, x.value);
            out = with(s, out, x);
            continue;
        }
        /* one of them grows: the other must not vanish */
        const limit grows = out.kind == LIMIT_INFINITE ? out : x;
        const limit other = out.kind == LIMIT_INFINITE ? x : out;
        const int sign = other.kind == LIMIT_INFINITE ? other.sign : sign_of(s, other.value);
        if (other.kind == LIMIT_FINITE && !sign) return (limit){0};
        out = with(s, with(s, infinite(s, sign * grows.sign), out), x);
    }
    return out;
}

/* ---- Powers and functions -------------------------------------------------------------------- */

static limit of_power(search *s, ah_expr base, ah_expr exponent)
{
    if (varies(s, exponent)) return (limit){0};
    const limit x = find(s, base);
    const int sign = sign_of(s, exponent);
    if (x.kind == LIMIT_UNKNOWN || !sign) return (limit){0};
    if (x.kind == LIMIT_INFINITE) {
        long even;
        const bool whole = expr_is_int(s->ctx, exponent, &even);
        const bool known = x.sign > 0 || (whole && labs(even) % 2 == 0);
        if (!whole && x.sign <= 0) return (limit){0}; /* roots of what is negative */
        return with(s, sign < 0 ? finite(s, expr_int(s->ctx, 0)) : infinite(s, known ? 1 : 0), x);
    }
    long whole;
    const bool everywhere =
        expr_is_int(s->ctx, exponent, &whole); /* roots: of what is not negative */
    if (algebra_zero(s->alg, x.value) == AH_TRUE) {
        const int from = sign_of(s, base);
        if (sign > 0 && (everywhere || from > 0)) return with(s, finite(s, expr_int(s->ctx, 0)), x);
        return sign < 0 && from > 0 ? with(s, infinite(s, 1), x) : (limit){0};
    }
    const limit out = with(s, finite(s, expr_pow(s->ctx, x.value, exponent)), x);
    return sign < 0 ? except(s, out, x.value) : out;
}

static limit of_infinite_argument(search *s, ah_function f, int sign)
{
    ah_ctx *ctx = s->ctx;
    if (!sign) return f == AH_ABS || f == AH_COSH ? infinite(s, 1) : (limit){0};
    switch (f) {
    case AH_ATAN: return finite(s, expr_mul(ctx, expr_rational(ctx, sign, 2), expr_pi(ctx)));
    case AH_TANH:
    case AH_SIGN: return finite(s, expr_int(ctx, sign));
    case AH_EXP: return sign > 0 ? infinite(s, 1) : finite(s, expr_int(ctx, 0));
    case AH_SINH: return infinite(s, sign);
    case AH_COSH:
    case AH_ABS: return infinite(s, 1);
    case AH_LOG: return sign > 0 ? infinite(s, 1) : (limit){0};
    default: return (limit){0};
    }
}

static limit of_function(search *s, ah_function f, ah_expr argument)
{
    const limit x = find(s, argument);
    if (x.kind == LIMIT_UNKNOWN) return x;
    if (x.kind == LIMIT_INFINITE) return with(s, of_infinite_argument(s, f, x.sign), x);
    const limit out = with(s, finite(s, expr_call1(s->ctx, f, x.value)), x);
    switch (f) {
    case AH_TAN: return except(s, out, expr_call1(s->ctx, AH_COS, x.value));
    case AH_LOG: return except(s, out, x.value);
    case AH_SIGN: return sign_of(s, x.value) ? out : (limit){0};
    case AH_ASIN:
    case AH_ACOS: { /* beyond 1 they do not exist */
        const ah_expr square = expr_pow(s->ctx, x.value, expr_int(s->ctx, 2));
        return except(s, out, expr_sub(s->ctx, square, expr_int(s->ctx, 1)));
    }
    default: return out; /* continuous wherever it exists */
    }
}

/* Functions that are not specified are smooth. */
static limit of_unknown(search *s, ah_expr e)
{
    const size_t count = expr_get_count(s->ctx, e);
    ah_expr *at = NEW_ARRAY(s->arena, ah_expr, count + 1);
    limit out = finite(s, e);
    for (size_t i = 0; i < count; i++) {
        const limit x = find(s, expr_get_children(s->ctx, e)[i]);
        if (x.kind != LIMIT_FINITE) return (limit){0};
        at[i] = x.value;
        out = with(s, out, x);
    }
    out.value =
        expr_unknown(s->ctx, expr_get_name(s->ctx, e), count, at, expr_get_orders(s->ctx, e));
    return out;
}

static limit find_inside(search *s, ah_expr e)
{
    const expr_op op = expr_get_op(s->ctx, e);
    const size_t count = expr_get_count(s->ctx, e);
    const ah_expr *child = expr_get_children(s->ctx, e);
    if (op == EXPR_SUM || op == EXPR_PRODUCT) {
        ah_expr *part = NEW_ARRAY(s->arena, ah_expr, count + 2);
        const size_t parts = parts_of(s, e, part);
        return op == EXPR_SUM ? of_sum(s, part, parts) : of_product(s, part, parts);
    }
    if (op == EXPR_POWER) return of_power(s, child[0], child[1]);
    if (op == EXPR_CALL && count == 1)
        return of_function(s, expr_get_function(s->ctx, e), child[0]);
    return op == EXPR_UNKNOWN ? of_unknown(s, e) : (limit){0};
}

static limit find(search *s, ah_expr e)
{
    ctx_tick(s->ctx);
    if (!varies(s, e)) return finite(s, e);
    if (is_rational(s, e)) return of_quotient(s, e, lowest);
    const limit x = find_inside(s, e);
    return x.kind == LIMIT_UNKNOWN ? of_quotient(s, e, first_term) : x;
}

limit limit_of(ah_ctx *ctx, arena *a, algebra *alg, ah_expr e, ah_expr epsilon)
{
    search s = {ctx, a, alg, epsilon};
    return find(&s, e);
}
