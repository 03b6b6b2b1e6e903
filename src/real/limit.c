/* real/limit.c - see limit.h. */
#include "limit.h"

#include <stdlib.h>

typedef struct search {
    ah_ctx *ctx;
    arena *arena;
    algebra *alg;
    ah_expr epsilon;
    int depth; /* of orders within each other */
} search;

static limit find(search *s, ah_expr e);
static limit of_function(search *s, ah_function f, ah_expr argument);

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
        if (f == AH_LOG && sign_of(s, at_zero(s, child[0])) != 1) return false;
        if (f != AH_SIN && f != AH_COS && f != AH_EXP && f != AH_SINH && f != AH_COSH &&
            f != AH_TANH && f != AH_ATAN && f != AH_LOG)
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

/* log u of what it is added up of, c log u = log u^c; AH_NONE: e is none such. All these exist, so each u is positive. */
static ah_expr inside_log(search *s, ah_expr e)
{
    const ah_expr one = expr_int(s->ctx, 1);
    ah_expr factor = one, u = AH_NONE;
    if (expr_get_op(s->ctx, e) == EXPR_CALL && expr_get_function(s->ctx, e) == AH_LOG)
        return expr_get_children(s->ctx, e)[0];
    if (expr_get_op(s->ctx, e) != EXPR_PRODUCT) return AH_NONE;
    for (size_t i = 0; i < expr_get_count(s->ctx, e); i++) {
        const ah_expr child = expr_get_children(s->ctx, e)[i];
        if (!varies(s, child))
            factor = expr_mul(s->ctx, factor, child);
        else if (u != AH_NONE || (u = inside_log(s, child)) == AH_NONE)
            return AH_NONE;
    }
    return u == AH_NONE ? u : expr_pow(s->ctx, u, factor);
}

/* Logarithms that grow against each other: as one. */
static limit of_logs(search *s, const ah_expr *part, size_t parts)
{
    ah_expr inside = expr_int(s->ctx, 1), rest = expr_int(s->ctx, 0);
    size_t logs = 0;
    for (size_t i = 0; i < parts; i++) {
        const ah_expr u = inside_log(s, part[i]);
        logs += u != AH_NONE;
        if (u == AH_NONE)
            rest = expr_add(s->ctx, rest, part[i]);
        else
            inside = expr_mul(s->ctx, inside, u);
    }
    if (logs < 2) return (limit){0};
    const limit x = find(s, inside), y = find(s, rest);
    if (x.kind != LIMIT_FINITE || y.kind != LIMIT_FINITE || sign_of(s, x.value) != 1)
        return (limit){0};
    const ah_expr log = expr_call1(s->ctx, AH_LOG, x.value);
    return with(s, with(s, finite(s, expr_add(s->ctx, log, y.value)), x), y);
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
            return of_logs(s, part, parts);
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

/* b^e = exp(e log b), where b is positive at the limit or on the way to it. */
static limit of_exponential(search *s, ah_expr base, ah_expr exponent)
{
    const limit x = find(s, base);
    const bool positive =
        sign_of(s, base) == 1 || (x.kind == LIMIT_FINITE && sign_of(s, x.value) == 1);
    if (!positive) return (limit){0};
    return of_function(s, AH_EXP, expr_mul(s->ctx, exponent, expr_call1(s->ctx, AH_LOG, base)));
}

static limit of_power(search *s, ah_expr base, ah_expr exponent)
{
    if (varies(s, exponent)) return of_exponential(s, base, exponent);
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
    if (f == AH_LOG && algebra_zero(s->alg, x.value) == AH_TRUE)
        return sign_of(s, argument) == 1 ? with(s, infinite(s, -1), x) : (limit){0};
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

/* ---- Orders of growth ------------------------------------------------------------------------ */

/* |e| <= C exp(big) epsilon^p log(1/epsilon)^q near 0: products of what vanishes and what grows. */
typedef struct order {
    bool known, exact; /* exact: and >= such a multiple with another C > 0 */
    ah_expr big;       /* a quotient of polynomials in epsilon */
    ah_expr p, q;
    ah_expr except; /* as of a limit */
} order;

enum { ORDER_DEPTH = 6 };

static order order_of(search *s, ah_expr e);

static order bounded(search *s, bool exact)
{
    const ah_expr zero = expr_int(s->ctx, 0);
    return (order){true, exact, zero, zero, zero, expr_int(s->ctx, 1)};
}

static bool is_zero(search *s, ah_expr e)
{
    return algebra_zero(s->alg, e) == AH_TRUE;
}

static order order_rational(search *s, ah_expr e)
{
    ah_expr top, below, T, B;
    uint32_t a, b;
    if (is_zero(s, e)) return bounded(s, false);
    if (!algebra_fraction(s->alg, e, &top, &below) || !lowest(s, top, &a, &T) ||
        !lowest(s, below, &b, &B) || algebra_zero(s->alg, B) != AH_FALSE)
        return (order){0};
    order out = bounded(s, sign_of(s, T) != 0);
    out.p = expr_int(s->ctx, (long) a - (long) b);
    if (!sign_of(s, B)) out.except = B;
    return out;
}

static order order_product(search *s, ah_expr e)
{
    order out = bounded(s, true);
    for (size_t i = 0; i < expr_get_count(s->ctx, e); i++) {
        const order x = order_of(s, expr_get_children(s->ctx, e)[i]);
        if (!x.known) return x;
        out.exact = out.exact && x.exact;
        out.big = expr_add(s->ctx, out.big, x.big);
        out.p = expr_add(s->ctx, out.p, x.p);
        out.q = expr_add(s->ctx, out.q, x.q);
        out.except = expr_mul(s->ctx, out.except, x.except);
    }
    return out;
}

static order order_power(search *s, ah_expr base, ah_expr exponent)
{
    long whole; /* roots: of what is positive */
    const bool exists = expr_is_int(s->ctx, exponent, &whole) || sign_of(s, base) == 1;
    const int sign = varies(s, exponent) || !exists ? 0 : sign_of(s, exponent);
    order out = sign ? order_of(s, base) : (order){0};
    if (!out.known || (sign < 0 && !out.exact)) return (order){0};
    out.big = expr_mul(s->ctx, out.big, exponent);
    out.p = expr_mul(s->ctx, out.p, exponent);
    out.q = expr_mul(s->ctx, out.q, exponent);
    return out;
}

/* log of C epsilon^p log(1/epsilon)^q is p log epsilon at large. */
static order order_log(search *s, ah_expr argument)
{
    const order x = order_of(s, argument);
    if (!x.known || !x.exact || !is_zero(s, x.big) || sign_of(s, argument) != 1) return (order){0};
    order out = bounded(s, false);
    out.except = x.except;
    if (is_zero(s, x.p)) return is_zero(s, x.q) ? out : (order){0};
    if (!sign_of(s, x.p)) return (order){0};
    out.exact = true;
    out.q = expr_int(s->ctx, 1);
    return out;
}

static order order_call(search *s, ah_function f, ah_expr argument)
{
    if (f == AH_LOG) return order_log(s, argument);
    const limit x = find(s, argument);
    const bool vanishes = x.kind == LIMIT_FINITE && is_zero(s, x.value);
    order out = {0};
    if (f == AH_EXP && is_rational(s, argument) && x.kind == LIMIT_INFINITE) {
        out = bounded(s, true);
        out.big = argument;
        out.except = x.except;
    } else if ((f == AH_SIN || f == AH_TANH || f == AH_ATAN || f == AH_SINH) && vanishes) {
        out = order_of(s, argument); /* they are as small as it is */
    } else if (f == AH_SIN || f == AH_COS || f == AH_TANH || f == AH_ATAN) {
        out = bounded(s, false);
    }
    return out;
}

/* The order that e has by its limit. */
static order order_by_limit(search *s, ah_expr e)
{
    const limit x = find(s, e);
    if (x.kind != LIMIT_FINITE) return (order){0};
    order out = bounded(s, sign_of(s, x.value) != 0);
    out.except = x.except;
    return out;
}

static order order_of(search *s, ah_expr e)
{
    const expr_op op = expr_get_op(s->ctx, e);
    const ah_expr *child = expr_get_children(s->ctx, e);
    if (!varies(s, e)) return bounded(s, sign_of(s, e) != 0);
    if (is_rational(s, e)) return order_rational(s, e);
    if (op == EXPR_PRODUCT) return order_product(s, e);
    if (op == EXPR_POWER) return order_power(s, child[0], child[1]);
    if (op == EXPR_CALL && expr_get_count(s->ctx, e) == 1) {
        const order x = order_call(s, expr_get_function(s->ctx, e), child[0]);
        if (x.known) return x;
    }
    return order_by_limit(s, e);
}

/* A product or a power by its order. */
static limit by_order(search *s, ah_expr e)
{
    const expr_op op = expr_get_op(s->ctx, e);
    if ((op != EXPR_PRODUCT && op != EXPR_POWER) || s->depth >= ORDER_DEPTH) return (limit){0};
    s->depth++;
    const order x = order_of(s, e);
    const limit big = x.known ? find(s, x.big) : (limit){0};
    s->depth--;
    const int p = x.known ? sign_of(s, x.p) : 0, q = x.known ? sign_of(s, x.q) : 0;
    int sign = 0; /* of the exponent that decides: 1 where it vanishes */
    if (big.kind == LIMIT_INFINITE)
        sign = -big.sign;
    else if (big.kind == LIMIT_FINITE)
        sign = p || !is_zero(s, x.p) ? p : -q;
    if (!sign || (sign < 0 && !x.exact)) return (limit){0};
    limit out = sign > 0 ? finite(s, expr_int(s->ctx, 0)) : infinite(s, 0);
    out.except = expr_mul(s->ctx, x.except, big.except);
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
    limit x = find_inside(s, e);
    if (x.kind == LIMIT_UNKNOWN) x = of_quotient(s, e, first_term);
    return x.kind == LIMIT_UNKNOWN ? by_order(s, e) : x;
}

limit limit_of(ah_ctx *ctx, arena *a, algebra *alg, ah_expr e, ah_expr epsilon)
{
    search s = {ctx, a, alg, epsilon, 0};
    const limit x = find(&s, e);
    if (x.kind != LIMIT_UNKNOWN) return x;
    const ah_expr simple = algebra_simplify(alg, e); /* |-epsilon| is epsilon */
    return simple == e ? x : find(&s, simple);
}
