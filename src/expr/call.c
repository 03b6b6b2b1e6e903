/* expr/call.c - functions, symbols and π: folding of exact values and of signs. */
#include "pool.h"
#include <assert.h>
#include <string.h>

/* ---- Symbols --------------------------------------------------------------------------------- */

ah_expr expr_pi(ah_ctx *ctx)
{
    expr_pool_of(ctx);
    return expr_intern(ctx, &(expr_key){.op = EXPR_PI});
}

ah_expr expr_symbol(ah_ctx *ctx, ah_symbol_kind kind, const char *name)
{
    expr_pool_of(ctx);
    return expr_intern(ctx, &(expr_key){.op = EXPR_SYMBOL, .code = (uint8_t) kind, .name = name});
}

ah_expr expr_time(ah_ctx *ctx)
{
    return expr_symbol(ctx, AH_TIME, "t");
}

/* The kind of the time derivative of a symbol; AH_TIME where there is none. */
static ah_symbol_kind kind_dot(ah_symbol_kind kind)
{
    switch (kind) {
    case AH_COORDINATE: return AH_VELOCITY;
    case AH_VELOCITY: return AH_ACCELERATION;
    case AH_ACCELERATION: return AH_JERK;
    case AH_SPEED: return AH_SPEED_DOT;
    default: return AH_TIME;
    }
}

static ah_symbol_kind kind_undot(ah_symbol_kind kind)
{
    switch (kind) {
    case AH_VELOCITY: return AH_COORDINATE;
    case AH_ACCELERATION: return AH_VELOCITY;
    case AH_JERK: return AH_ACCELERATION;
    case AH_SPEED_DOT: return AH_SPEED;
    default: return AH_TIME;
    }
}

ah_expr expr_dot(ah_ctx *ctx, ah_expr symbol)
{
    ah_symbol_kind kind = kind_dot(expr_get_kind(ctx, symbol));
    return kind == AH_TIME ? AH_NONE : expr_symbol(ctx, kind, expr_get_name(ctx, symbol));
}

ah_expr expr_undot(ah_ctx *ctx, ah_expr symbol)
{
    ah_symbol_kind kind = kind_undot(expr_get_kind(ctx, symbol));
    return kind == AH_TIME ? AH_NONE : expr_symbol(ctx, kind, expr_get_name(ctx, symbol));
}

/* ---- Unspecified functions ------------------------------------------------------------------- */

ah_expr expr_unknown(ah_ctx *ctx, const char *name, size_t count, const ah_expr *arguments,
                     const uint8_t *orders)
{
    expr_pool_of(ctx);
    arena_mark mark = arena_get_mark(&ctx->scratch);
    if (!orders) orders = arena_alloc(&ctx->scratch, count + 1);
    ah_expr e = expr_intern(ctx, &(expr_key){.op = EXPR_UNKNOWN,
                                             .count = (uint32_t) count,
                                             .children = arguments,
                                             .name = name,
                                             .orders = orders});
    arena_release(&ctx->scratch, mark);
    return e;
}

/* ---- Exact values ---------------------------------------------------------------------------- */

static ah_expr multiple_of_pi(ah_ctx *ctx, long p, long q)
{
    return expr_mul(ctx, expr_rational(ctx, p, q), expr_pi(ctx));
}

static ah_expr half_root(ah_ctx *ctx, long n)
{
    return expr_scaled(ctx, EXPR_HALF, expr_pow(ctx, expr_int(ctx, n), EXPR_HALF));
}

/* sin(k π/12) for even k and k = 3, 9: the angles with square roots of numbers. */
static ah_expr sin_twelfth(ah_ctx *ctx, long k)
{
    k %= 24;
    if (k >= 12) {
        ah_expr s = sin_twelfth(ctx, k - 12);
        return s ? expr_neg(ctx, s) : AH_NONE;
    }
    switch (k > 6 ? 12 - k : k) {
    case 0: return EXPR_ZERO;
    case 2: return EXPR_HALF;
    case 3: return half_root(ctx, 2);
    case 4: return half_root(ctx, 3);
    case 6: return EXPR_ONE;
    default: return AH_NONE;
    }
}

/* argument = k π/12 for an integer 0 <= k < 24. */
static bool is_twelfth(ah_ctx *ctx, ah_expr argument, long *k)
{
    ah_expr coefficient, rest;
    expr_split(ctx, argument, &coefficient, &rest);
    if (argument == EXPR_ZERO) return *k = 0, true;
    if (expr_op_of(ctx, rest) != EXPR_PI) return false;
    long p, q;
    if (!expr_is_rational(ctx, expr_number_mod2(ctx, coefficient), &p, &q)) return false;
    *k = q > 12 ? 0 : p * (12 / q);
    return q <= 12 && 12 % q == 0;
}

static ah_expr tan_twelfth(ah_ctx *ctx, long k)
{
    ah_expr s = sin_twelfth(ctx, k), c = sin_twelfth(ctx, k + 6);
    return s && c && c != EXPR_ZERO ? expr_div(ctx, s, c) : AH_NONE;
}

static ah_expr circular_value(ah_ctx *ctx, ah_function f, ah_expr x)
{
    long k;
    if (!is_twelfth(ctx, x, &k)) return AH_NONE;
    if (f == AH_TAN) return tan_twelfth(ctx, k);
    return sin_twelfth(ctx, f == AH_COS ? k + 6 : k);
}

/* asin of 0, 1/2, 1 and acos of 0, ±1/2, ±1; negative arguments of asin never come here. */
static ah_expr arc_value(ah_ctx *ctx, ah_function f, ah_expr x)
{
    long p, q;
    if (!expr_is_rational(ctx, x, &p, &q) || q > 2 || p > q || p < -q) return AH_NONE;
    long sixths = q == 1 ? 3 * p : p; /* asin(p/q) = sixths π/6 */
    return multiple_of_pi(ctx, f == AH_ASIN ? sixths : 3 - sixths, 6);
}

static ah_expr atan2_value(ah_ctx *ctx, ah_expr y, ah_expr x)
{
    if (expr_op_of(ctx, y) != EXPR_NUMBER || expr_op_of(ctx, x) != EXPR_NUMBER) return AH_NONE;
    int sy = expr_number_sign(ctx, y), sx = expr_number_sign(ctx, x);
    if (sy == 0 && sx > 0) return EXPR_ZERO;
    if (sy == 0 && sx < 0) return expr_pi(ctx);
    if (sx == 0 && sy != 0) return multiple_of_pi(ctx, sy, 2);
    bool diagonal = y == x || y == expr_number_neg(ctx, x);
    if (sy == 0 || !diagonal) return AH_NONE;
    return multiple_of_pi(ctx, sx > 0 ? sy : 3 * sy, 4);
}

/* abs and sign take a rational factor out: |-2 x| = 2 |x|. */
static ah_expr magnitude(ah_ctx *ctx, ah_function f, ah_expr x)
{
    ah_expr coefficient, rest;
    expr_split(ctx, x, &coefficient, &rest);
    int sign = expr_number_sign(ctx, coefficient);
    ah_expr factor = coefficient;
    if (f == AH_SIGN)
        factor = expr_int(ctx, sign);
    else if (sign < 0)
        factor = expr_number_neg(ctx, coefficient);
    if (rest == EXPR_ONE) return factor;
    if (coefficient == EXPR_ONE || sign == 0) return AH_NONE;
    return expr_mul(ctx, factor, expr_call1(ctx, f, rest));
}

/* f(g(x)) = x */
static ah_expr inverse_of(const ah_ctx *ctx, ah_function g, ah_expr x)
{
    const expr_node *n = expr_node_of(ctx, x);
    return n->op == EXPR_CALL && n->code == g ? n->children[0] : AH_NONE;
}

static ah_expr exact_value(ah_ctx *ctx, ah_function f, const ah_expr *arguments)
{
    ah_expr x = arguments[0];
    switch (f) {
    case AH_SIN:
    case AH_COS:
    case AH_TAN: return circular_value(ctx, f, x);
    case AH_ASIN:
    case AH_ACOS: return arc_value(ctx, f, x);
    case AH_ATAN:
        if (x == EXPR_ONE) return multiple_of_pi(ctx, 1, 4);
        return x == EXPR_ZERO ? EXPR_ZERO : AH_NONE;
    case AH_ATAN2: return atan2_value(ctx, arguments[0], arguments[1]);
    case AH_SINH:
    case AH_TANH: return x == EXPR_ZERO ? EXPR_ZERO : AH_NONE;
    case AH_COSH: return x == EXPR_ZERO ? EXPR_ONE : AH_NONE;
    case AH_EXP: return x == EXPR_ZERO ? EXPR_ONE : inverse_of(ctx, AH_LOG, x);
    case AH_LOG: return x == EXPR_ONE ? EXPR_ZERO : inverse_of(ctx, AH_EXP, x);
    case AH_ABS:
    case AH_SIGN: return magnitude(ctx, f, x);
    case AH_SQRT: return expr_pow(ctx, x, EXPR_HALF);
    case AH_FUNCTIONS: break;
    }
    return AH_NONE;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

/* f(-x) = parity * f(x); 0: neither. */
static int parity(ah_function f)
{
    switch (f) {
    case AH_SIN:
    case AH_TAN:
    case AH_ASIN:
    case AH_ATAN:
    case AH_SINH:
    case AH_TANH:
    case AH_SIGN: return -1;
    case AH_COS:
    case AH_COSH:
    case AH_ABS: return 1;
    default: return 0;
    }
}

uint32_t expr_arity(ah_function f)
{
    static const uint8_t arities[] = {
#define X(code, name, arity) arity,
        AH_FUNCTION_LIST(X)
#undef X
    };
    assert((size_t) f < sizeof arities);
    return arities[f];
}

ah_expr expr_call(ah_ctx *ctx, ah_function f, const ah_expr *arguments)
{
    ah_expr args[2] = {arguments[0], expr_arity(f) > 1 ? arguments[1] : AH_NONE};
    bool negative = false;
    if (parity(f)) args[0] = expr_unsigned(ctx, args[0], &negative);
    ah_expr e = exact_value(ctx, f, args);
    if (!e)
        e = expr_intern(ctx, &(expr_key){.op = EXPR_CALL,
                                         .code = (uint8_t) f,
                                         .count = expr_arity(f),
                                         .children = args});
    return negative && parity(f) < 0 ? expr_neg(ctx, e) : e;
}

ah_expr expr_circular(ah_ctx *ctx, ah_function f, ah_expr x)
{
    ah_expr coefficient, rest;
    expr_split(ctx, x, &coefficient, &rest);
    if (expr_op_of(ctx, rest) == EXPR_PI) return expr_call1(ctx, f, x);
    return expr_intern(
        ctx, &(expr_key){.op = EXPR_CALL, .code = (uint8_t) f, .count = 1, .children = &x});
}

ah_expr expr_call1(ah_ctx *ctx, ah_function f, ah_expr argument)
{
    return expr_call(ctx, f, &argument);
}

ah_expr expr_rebuild(ah_ctx *ctx, ah_expr e, const ah_expr *children)
{
    return expr_rebuild_of(ctx, ctx, e, children);
}

ah_expr expr_rebuild_of(ah_ctx *ctx, const ah_ctx *from, ah_expr e, const ah_expr *children)
{
    const expr_node *n = expr_node_of(from, e);
    switch ((expr_op) n->op) {
    case EXPR_SUM: {
        const bool closed = expr_is_closed(from, e);
        const ah_expr sum = expr_sum(ctx, n->count, children);
        return closed ? expr_closed(ctx, sum) : sum;
    }
    case EXPR_PRODUCT: return expr_product(ctx, n->count, children);
    case EXPR_POWER: return expr_pow(ctx, children[0], children[1]);
    case EXPR_CALL: return expr_call(ctx, (ah_function) n->code, children);
    case EXPR_UNKNOWN:
        return expr_unknown(ctx, expr_get_name(from, e), n->count, children,
                            expr_get_orders(from, e));
    default: return e;
    }
}
