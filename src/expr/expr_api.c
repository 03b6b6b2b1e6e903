/* expr/expr_api.c - the public functions: the raising ones under a guard. */
#include "pool.h"
#include <math.h>
#include <string.h>

/* What a public call wants; the body reads the fields it needs. */
typedef struct request {
    ah_expr (*body)(ah_ctx *ctx, const struct request *r);
    ah_expr a, b;
    long p, q;
    const char *text;
    size_t count;
    const ah_expr *list, *values;
    int code; /* ah_function, ah_symbol_kind, ah_format */
} request;

typedef struct job {
    const request *r;
    ah_expr result;
} job;

static void run_body(ah_ctx *ctx, void *arg)
{
    job *j = arg;
    j->result = j->r->body(ctx, j->r);
}

static ah_expr run(ah_ctx *ctx, const request *r)
{
    job j = {r, AH_NONE};
    return ctx_guard(ctx, run_body, &j) == AH_OK ? j.result : AH_NONE;
}

/* AH_NONE, or no handle of this context at all. */
static bool is_none(const ah_ctx *ctx, ah_expr e)
{
    return !ctx || e == AH_NONE || e >= expr_pool_size(ctx);
}

static bool has_none(const ah_ctx *ctx, size_t count, const ah_expr *list)
{
    if (count && !list) return true;
    for (size_t i = 0; i < count; i++)
        if (is_none(ctx, list[i])) return true;
    return false;
}

static bool all_symbols(const ah_ctx *ctx, size_t count, const ah_expr *list)
{
    if (count && !list) return false;
    for (size_t i = 0; i < count; i++)
        if (is_none(ctx, list[i]) || expr_get_op(ctx, list[i]) != EXPR_SYMBOL) return false;
    return true;
}

/* ---- Leaves ---------------------------------------------------------------------------------- */

static ah_expr do_rational(ah_ctx *ctx, const request *r)
{
    return expr_rational(ctx, r->p, r->q);
}

ah_expr ah_int(ah_ctx *ctx, long value)
{
    return ah_rational(ctx, value, 1);
}

ah_expr ah_rational(ah_ctx *ctx, long numerator, long denominator)
{
    return run(ctx, &(request){.body = do_rational, .p = numerator, .q = denominator});
}

static ah_expr do_number(ah_ctx *ctx, const request *r)
{
    return expr_number(ctx, r->text, strlen(r->text));
}

ah_expr ah_number(ah_ctx *ctx, const char *s)
{
    if (!s) return AH_NONE;
    return run(ctx, &(request){.body = do_number, .text = s});
}

static ah_expr do_pi(ah_ctx *ctx, const request *r)
{
    return (void) r, expr_pi(ctx);
}

ah_expr ah_pi(ah_ctx *ctx)
{
    return run(ctx, &(request){.body = do_pi});
}

static ah_expr do_symbol(ah_ctx *ctx, const request *r)
{
    return expr_symbol(ctx, (ah_symbol_kind) r->code, r->text);
}

ah_expr ah_symbol(ah_ctx *ctx, ah_symbol_kind kind, const char *name)
{
    if (!name || (unsigned) kind > AH_LOCAL) return AH_NONE;
    return run(ctx, &(request){.body = do_symbol, .code = kind, .text = name});
}

ah_expr ah_time(ah_ctx *ctx)
{
    return ah_symbol(ctx, AH_TIME, "t");
}

/* ---- Operations ------------------------------------------------------------------------------ */

static ah_expr run2(ah_ctx *ctx, ah_expr (*body)(ah_ctx *, const request *), ah_expr a, ah_expr b)
{
    if (is_none(ctx, a) || is_none(ctx, b)) return AH_NONE;
    return run(ctx, &(request){.body = body, .a = a, .b = b});
}

static ah_expr do_add(ah_ctx *ctx, const request *r)
{
    return expr_add(ctx, r->a, r->b);
}
static ah_expr do_sub(ah_ctx *ctx, const request *r)
{
    return expr_sub(ctx, r->a, r->b);
}
static ah_expr do_mul(ah_ctx *ctx, const request *r)
{
    return expr_mul(ctx, r->a, r->b);
}
static ah_expr do_div(ah_ctx *ctx, const request *r)
{
    return expr_div(ctx, r->a, r->b);
}
static ah_expr do_pow(ah_ctx *ctx, const request *r)
{
    return expr_pow(ctx, r->a, r->b);
}
static ah_expr do_neg(ah_ctx *ctx, const request *r)
{
    return expr_neg(ctx, r->a);
}
static ah_expr do_diff(ah_ctx *ctx, const request *r)
{
    return expr_diff(ctx, r->a, r->b);
}
static ah_expr do_dt(ah_ctx *ctx, const request *r)
{
    return expr_dt(ctx, r->a);
}

ah_expr ah_add(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    return run2(ctx, do_add, a, b);
}
ah_expr ah_sub(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    return run2(ctx, do_sub, a, b);
}
ah_expr ah_mul(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    return run2(ctx, do_mul, a, b);
}
ah_expr ah_div(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    return run2(ctx, do_div, a, b);
}
ah_expr ah_neg(ah_ctx *ctx, ah_expr a)
{
    return run2(ctx, do_neg, a, a);
}

ah_expr ah_pow(ah_ctx *ctx, ah_expr base, ah_expr exponent)
{
    return run2(ctx, do_pow, base, exponent);
}

ah_expr ah_diff(ah_ctx *ctx, ah_expr e, ah_expr symbol)
{
    if (!all_symbols(ctx, 1, &symbol)) return AH_NONE;
    return run2(ctx, do_diff, e, symbol);
}

ah_expr ah_total_derivative(ah_ctx *ctx, ah_expr e)
{
    return run2(ctx, do_dt, e, e);
}

static ah_expr do_sum(ah_ctx *ctx, const request *r)
{
    return expr_sum(ctx, r->count, r->list);
}

ah_expr ah_sum(ah_ctx *ctx, size_t count, const ah_expr *terms)
{
    if (has_none(ctx, count, terms)) return AH_NONE;
    return run(ctx, &(request){.body = do_sum, .count = count, .list = terms});
}

static ah_expr do_product(ah_ctx *ctx, const request *r)
{
    return expr_product(ctx, r->count, r->list);
}

ah_expr ah_product(ah_ctx *ctx, size_t count, const ah_expr *factors)
{
    if (has_none(ctx, count, factors)) return AH_NONE;
    return run(ctx, &(request){.body = do_product, .count = count, .list = factors});
}

static ah_expr do_call(ah_ctx *ctx, const request *r)
{
    return expr_call(ctx, (ah_function) r->code, r->list);
}

ah_expr ah_call(ah_ctx *ctx, ah_function function, const ah_expr *arguments)
{
    if ((unsigned) function >= AH_FUNCTIONS || has_none(ctx, expr_arity(function), arguments))
        return AH_NONE;
    return run(ctx, &(request){.body = do_call, .code = function, .list = arguments});
}

static ah_expr do_unknown(ah_ctx *ctx, const request *r)
{
    return expr_unknown(ctx, r->text, r->count, r->list, NULL);
}

ah_expr ah_unknown(ah_ctx *ctx, const char *name, size_t count, const ah_expr *arguments)
{
    if (!name || has_none(ctx, count, arguments)) return AH_NONE;
    return run(ctx,
               &(request){.body = do_unknown, .text = name, .count = count, .list = arguments});
}

static ah_expr do_substitute(ah_ctx *ctx, const request *r)
{
    return expr_subst(ctx, r->a, r->count, r->list, r->values);
}

ah_expr ah_substitute(ah_ctx *ctx, ah_expr e, size_t count, const ah_expr *symbols,
                      const ah_expr *values)
{
    if (is_none(ctx, e) || !all_symbols(ctx, count, symbols) || has_none(ctx, count, values))
        return AH_NONE;
    return run(
        ctx, &(request){
                 .body = do_substitute, .a = e, .count = count, .list = symbols, .values = values});
}

/* ---- Numbers and text ------------------------------------------------------------------------ */

typedef struct evaluation {
    ah_expr e;
    size_t count;
    const ah_expr *symbols;
    const double *values;
    double result;
} evaluation;

static void do_evaluate(ah_ctx *ctx, void *arg)
{
    evaluation *v = arg;
    arena_mark mark = arena_get_mark(&ctx->scratch);
    frame *state = frame_create(ctx, &ctx->scratch, NAN);
    for (size_t i = 0; i < v->count; i++) frame_set(state, v->symbols[i], v->values[i]);
    expr_plan_run(expr_plan_create(ctx, &ctx->scratch, &v->e, 1), state, &v->result);
    arena_release(&ctx->scratch, mark);
}

double ah_evaluate(ah_ctx *ctx, ah_expr e, size_t count, const ah_expr *symbols,
                   const double *values)
{
    if (is_none(ctx, e) || !all_symbols(ctx, count, symbols) || (count && !values)) return NAN;
    evaluation v = {e, count, symbols, values, NAN};
    return ctx_guard(ctx, do_evaluate, &v) == AH_OK ? v.result : NAN;
}

typedef struct printing {
    ah_expr e;
    ah_format format;
    const char *result;
} printing;

static void do_print(ah_ctx *ctx, void *arg)
{
    printing *p = arg;
    p->result = expr_text(ctx, &ctx->store, p->e, p->format);
}

const char *ah_print(ah_ctx *ctx, ah_expr e, ah_format format)
{
    if (is_none(ctx, e) || (unsigned) format > AH_ASCII) return NULL;
    printing p = {e, format, NULL};
    return ctx_guard(ctx, do_print, &p) == AH_OK ? p.result : NULL;
}
