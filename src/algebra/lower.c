/* algebra/lower.c - functions rewritten to few primitive ones with normalised arguments. */
#include "ring.h"
#include <stdlib.h>

#define LOWER_DEPTH  16 /* rewritten results are lowered again: sin(asin(…)) inside each other */
#define ANGLE_FACTOR 8  /* of an inverse function inside sin or cos */

/* ---- Normalised arguments -------------------------------------------------------------------- */

/* A number times integer powers of symbols and π: nothing to normalise. */
static bool is_monomial(const ah_ctx *ctx, ah_expr e)
{
    const expr_op op = expr_get_op(ctx, e);
    const ah_expr *child = expr_get_children(ctx, e);
    long n;
    if (op == EXPR_NUMBER || op == EXPR_SYMBOL || op == EXPR_PI) return true;
    if (op == EXPR_POWER)
        return expr_is_int(ctx, child[1], &n) && expr_get_op(ctx, child[0]) == EXPR_SYMBOL;
    if (op != EXPR_PRODUCT) return false;
    for (size_t i = 0; i < expr_get_count(ctx, e); i++)
        if (!is_monomial(ctx, child[i])) return false;
    return true;
}

/* Several monomials with denominators would get a common one. */
static bool is_polynomial(const ah_ctx *ctx, ah_expr e)
{
    if (expr_get_op(ctx, e) != EXPR_SUM) return is_monomial(ctx, e);
    long n;
    for (size_t i = 0; i < expr_get_count(ctx, e); i++) {
        const ah_expr term = expr_get_children(ctx, e)[i];
        const bool product = expr_get_op(ctx, term) == EXPR_PRODUCT;
        const ah_expr *factor = product ? expr_get_children(ctx, term) : &term;
        if (!is_monomial(ctx, term)) return false;
        for (size_t j = 0; j < (product ? expr_get_count(ctx, term) : 1); j++)
            if (expr_get_op(ctx, factor[j]) == EXPR_POWER &&
                expr_is_int(ctx, expr_get_children(ctx, factor[j])[1], &n) && n < 0)
                return false;
    }
    return true;
}

typedef struct canonical_job {
    algebra *alg;
    ah_expr in, out;
} canonical_job;

static void canonical_body(ah_ctx *ctx, void *arg)
{
    canonical_job *job = arg;
    (void) ctx;
    ring *r = ring_open(job->alg, &job->in, 1, true);
    job->out = show_canonical(r, ring_value(r, job->in));
    ring_close(r);
}

ah_expr algebra_canonical(algebra *alg, ah_expr e)
{
    if (is_polynomial(alg->ctx, e)) return e;
    const ah_expr known = map_get(&alg->canonical, e);
    if (known) return known;
    canonical_job job = {alg, e, e};
    if (!algebra_attempt(alg, canonical_body, &job)) {
        job.out = e;
        alg->loose = true;
    }
    map_put(&alg->canonical, e, job.out);
    return job.out;
}

/* ---- sin and cos of inverse functions -------------------------------------------------------- */

/* cos and sin as expressions. */
typedef struct point {
    ah_expr c, s;
} point;

/* sqrt(1 ± u²) */
static ah_expr side(ah_ctx *ctx, ah_expr u, int sign)
{
    const ah_expr square = expr_mul(ctx, expr_int(ctx, sign), expr_powi(ctx, u, 2));
    return expr_call1(ctx, AH_SQRT, expr_add(ctx, expr_int(ctx, 1), square));
}

static bool inverse_point(ah_ctx *ctx, ah_expr e, point *out)
{
    if (expr_get_op(ctx, e) != EXPR_CALL) return false;
    const ah_expr *arg = expr_get_children(ctx, e), u = arg[0];
    ah_expr r;
    switch (expr_get_function(ctx, e)) {
    case AH_ASIN: *out = (point){side(ctx, u, -1), u}; return true;
    case AH_ACOS: *out = (point){u, side(ctx, u, -1)}; return true;
    case AH_ATAN:
        r = side(ctx, u, 1);
        *out = (point){expr_div(ctx, expr_int(ctx, 1), r), expr_div(ctx, u, r)};
        return true;
    case AH_ATAN2:
        r = expr_call1(ctx, AH_SQRT,
                       expr_add(ctx, expr_powi(ctx, arg[0], 2), expr_powi(ctx, arg[1], 2)));
        *out = (point){expr_div(ctx, arg[1], r), expr_div(ctx, arg[0], r)};
        return true;
    default: return false;
    }
}

static point point_add(ah_ctx *ctx, point a, point b)
{
    return (point){
        expr_sub(ctx, expr_mul(ctx, a.c, b.c), expr_mul(ctx, a.s, b.s)),
        expr_add(ctx, expr_mul(ctx, a.s, b.c), expr_mul(ctx, a.c, b.s)),
    };
}

static point point_multiple(ah_ctx *ctx, point a, long k)
{
    point sum = {expr_int(ctx, 1), expr_int(ctx, 0)};
    if (k < 0) a.s = expr_neg(ctx, a.s);
    for (long i = 0; i < labs(k); i++) sum = point_add(ctx, sum, a);
    return sum;
}

/* Is there a term k·f(…)? The argument without it goes to *rest. */
static bool find_term(algebra *alg, ah_expr arg, ah_function f, form_term *term, ah_expr *rest)
{
    ah_ctx *ctx = alg->ctx;
    const form x = form_read(ctx, &ctx->scratch, arg, FORM_PLAIN);
    for (size_t i = 0; i < x.count; i++) {
        const ah_expr base = x.term[i].base;
        if (expr_get_op(ctx, base) != EXPR_CALL || expr_get_function(ctx, base) != f) continue;
        *term = x.term[i];
        *rest = expr_sub(ctx, arg, expr_mul(ctx, expr_rational(ctx, term->p, term->q), term->base));
        return true;
    }
    return false;
}

static bool angle_term(algebra *alg, ah_expr arg, form_term *term, ah_expr *rest)
{
    static const ah_function inverse[] = {AH_ASIN, AH_ACOS, AH_ATAN, AH_ATAN2};
    for (size_t i = 0; i < sizeof inverse / sizeof *inverse; i++)
        if (find_term(alg, arg, inverse[i], term, rest) && term->q == 1 &&
            labs(term->p) <= ANGLE_FACTOR)
            return true;
    return false;
}

static ah_expr lower_angle(algebra *alg, ah_function f, ah_expr arg)
{
    ah_ctx *ctx = alg->ctx;
    form_term term;
    ah_expr rest;
    point p;
    if (alg->lowering > LOWER_DEPTH || !angle_term(alg, arg, &term, &rest) ||
        !inverse_point(ctx, term.base, &p))
        return expr_call1(ctx, f, arg);
    const point others = {expr_call1(ctx, AH_COS, rest), expr_call1(ctx, AH_SIN, rest)};
    const point sum = point_add(ctx, point_multiple(ctx, p, term.p), others);
    return algebra_lower(alg, f == AH_SIN ? sum.s : sum.c);
}

/* exp(k log u + …) = u^k exp(…) */
static ah_expr lower_exp(algebra *alg, ah_expr arg)
{
    ah_ctx *ctx = alg->ctx;
    form_term term;
    ah_expr rest;
    if (alg->lowering > LOWER_DEPTH || !find_term(alg, arg, AH_LOG, &term, &rest))
        return expr_call1(ctx, AH_EXP, arg);
    const ah_expr u = expr_get_children(ctx, term.base)[0];
    const ah_expr power = expr_pow(ctx, u, expr_rational(ctx, term.p, term.q));
    return algebra_lower(alg, expr_mul(ctx, power, expr_call1(ctx, AH_EXP, rest)));
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

static ah_expr lower_call(algebra *alg, ah_function f, const ah_expr *args)
{
    ah_ctx *ctx = alg->ctx;
    const ah_expr x = algebra_canonical(alg, args[0]);
    switch (f) {
    case AH_SIN:
    case AH_COS: return lower_angle(alg, f, x);
    case AH_TAN: return expr_div(ctx, lower_angle(alg, AH_SIN, x), lower_angle(alg, AH_COS, x));
    case AH_TANH: return expr_div(ctx, expr_call1(ctx, AH_SINH, x), expr_call1(ctx, AH_COSH, x));
    case AH_EXP: return lower_exp(alg, x);
    case AH_LOG: return lower_log(alg, x);
    case AH_ABS: return lower_abs(alg, x);
    case AH_SIGN: return expr_div(ctx, lower_abs(alg, x), x); /* the derivative of |x| */
    case AH_ATAN2: return expr_call(ctx, f, (ah_expr[]){x, algebra_canonical(alg, args[1])});
    default: return expr_call1(ctx, f, x);
    }
}

static ah_expr lower_power(algebra *alg, ah_expr base, ah_expr exponent)
{
    long p, q;
    if (expr_is_rational(alg->ctx, exponent, &p, &q))
        return q == 1 ? expr_pow(alg->ctx, base, exponent) : lower_root(alg, base, p, q);
    return expr_pow(alg->ctx, algebra_canonical(alg, base), algebra_canonical(alg, exponent));
}

static ah_expr lower_node(algebra *alg, ah_expr e)
{
    ah_ctx *ctx = alg->ctx;
    const size_t count = expr_get_count(ctx, e);
    const ah_expr *child = expr_get_children(ctx, e);
    if (count == 0) return e;
    ah_expr *args = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    for (size_t i = 0; i < count; i++) args[i] = map_get(&alg->lowered, child[i]);
    switch (expr_get_op(ctx, e)) {
    case EXPR_POWER: return lower_power(alg, args[0], args[1]);
    case EXPR_CALL: return lower_call(alg, expr_get_function(ctx, e), args);
    case EXPR_UNKNOWN:
        for (size_t i = 0; i < count; i++) args[i] = algebra_canonical(alg, args[i]);
        return expr_rebuild(ctx, e, args);
    default: return expr_rebuild(ctx, e, args);
    }
}

ah_expr algebra_lower(algebra *alg, ah_expr e)
{
    ah_ctx *ctx = alg->ctx;
    if (map_get(&alg->lowered, e)) return map_get(&alg->lowered, e);
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, &e, 1);
    alg->lowering++;
    for (size_t i = 0; i < nodes.count; i++) {
        ctx_tick(ctx);
        if (map_get(&alg->lowered, nodes.at[i])) continue;
        const arena_mark inner = arena_get_mark(&ctx->scratch);
        map_put(&alg->lowered, nodes.at[i], lower_node(alg, nodes.at[i]));
        arena_release(&ctx->scratch, inner);
    }
    alg->lowering--;
    arena_release(&ctx->scratch, mark);
    return map_get(&alg->lowered, e);
}
