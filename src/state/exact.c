/* state/exact.c - the graph evaluated in rationals. */
#include "exact.h"

#include <math.h>
#include <stdlib.h>

/* Numbers beyond this are left to doubles. */
#define EXACT_BITS     20000
#define EXACT_EXPONENT 64

void exact_set_double(fmpq_t out, double x)
{
    int exponent;
    const double mantissa = frexp(x, &exponent);
    fmpq_set_si(out, (slong) ldexp(mantissa, 53), 1);
    exponent -= 53;
    if (exponent >= 0)
        fmpq_mul_2exp(out, out, (flint_bitcnt_t) exponent);
    else
        fmpq_div_2exp(out, out, (flint_bitcnt_t) -exponent);
}

/* One pass over the nodes below some roots. */
typedef struct pass {
    ah_ctx *ctx;
    const ah_model *model;
    const frame *state;
    const fmpq *parameter; /* exact values of the parameters before `parameters` */
    size_t parameters;
    const ah_expr *node;
    size_t nodes;
    fmpq *value;
    bool *known;
} pass;

static size_t index_of(const pass *p, ah_expr e)
{
    size_t low = 0, high = p->nodes;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (p->node[middle] <= e)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool symbol_value(const pass *p, ah_expr symbol, fmpq_t out)
{
    for (size_t i = 0; i < p->parameters; i++)
        if (p->model->parameters.at[i].symbol == symbol) {
            fmpq_set(out, &p->parameter[i]);
            return true;
        }
    const double x = frame_get(p->state, symbol);
    if (!isfinite(x)) return false;
    exact_set_double(out, x);
    return true;
}

static bool sum_or_product(const pass *p, ah_expr e, bool product, fmpq_t out)
{
    const ah_expr *child = expr_get_children(p->ctx, e);
    fmpq_set_si(out, product, 1);
    for (size_t i = 0; i < expr_get_count(p->ctx, e); i++) {
        const size_t k = index_of(p, child[i]);
        if (!p->known[k]) return false;
        if (product)
            fmpq_mul(out, out, &p->value[k]);
        else
            fmpq_add(out, out, &p->value[k]);
    }
    return true;
}

static bool power(const pass *p, ah_expr e, fmpq_t out)
{
    const ah_expr *child = expr_get_children(p->ctx, e);
    const size_t base = index_of(p, child[0]);
    long exponent;
    if (!p->known[base] || !expr_is_int(p->ctx, child[1], &exponent)) return false;
    if (labs(exponent) > EXACT_EXPONENT) return false;
    if (exponent < 0 && fmpq_is_zero(&p->value[base])) return false;
    fmpq_pow_si(out, &p->value[base], exponent);
    return true;
}

static bool node_value(const pass *p, ah_expr e, fmpq_t out)
{
    switch (expr_get_op(p->ctx, e)) {
    case EXPR_NUMBER: fmpq_set(out, expr_get_fmpq(p->ctx, e)); return true;
    case EXPR_SYMBOL: return symbol_value(p, e, out);
    case EXPR_SUM: return sum_or_product(p, e, false, out);
    case EXPR_PRODUCT: return sum_or_product(p, e, true, out);
    case EXPR_POWER: return power(p, e, out);
    case EXPR_PI:
    case EXPR_CALL:
    case EXPR_UNKNOWN: return false;
    }
    return false;
}

/* Values of the roots; which of them are known exactly. Scratch memory is taken before FLINT's. */
static void run_pass(pass *p, const ah_expr *roots, size_t count, fmpq *out, bool *exact)
{
    arena *scratch = &p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    const expr_list nodes = expr_reachable(p->ctx, scratch, roots, count);
    p->node = nodes.at;
    p->nodes = nodes.count;
    p->known = NEW_ARRAY(scratch, bool, nodes.count + 1);
    p->value = _fmpq_vec_init((slong) nodes.count);
    for (size_t i = 0; i < nodes.count; i++)
        p->known[i] = node_value(p, nodes.at[i], &p->value[i]) &&
                      fmpq_height_bits(&p->value[i]) <= EXACT_BITS;
    for (size_t i = 0; i < count; i++) {
        const size_t k = index_of(p, roots[i]);
        exact[i] = p->known[k];
        if (exact[i]) fmpq_set(&out[i], &p->value[k]);
    }
    _fmpq_vec_clear(p->value, (slong) nodes.count);
    arena_release(scratch, mark);
}

typedef struct rationals {
    fmpq *at;
    slong count;
} rationals;

static void clear_rationals(void *data)
{
    const rationals *r = data;
    _fmpq_vec_clear(r->at, r->count);
}

/* The state may hold other values of the parameters than the model declares: then it is right. */
static void exact_parameters(ah_model *m, const frame *values, fmpq *out)
{
    pass p = {.ctx = m->ctx, .model = m, .state = values, .parameter = out};
    for (size_t i = 0; i < m->parameters.count; i++) {
        const model_parameter *a = &m->parameters.at[i];
        const double x = frame_get(values, a->symbol);
        bool exact = false;
        p.parameters = i;
        if (a->value != AH_NONE) run_pass(&p, &a->value, 1, &out[i], &exact);
        if (exact && fabs(fmpq_get_d(&out[i]) - x) <= 4e-16 * fabs(x)) continue;
        exact_set_double(&out[i], isfinite(x) ? x : 0);
    }
}

/* Values of the roots with exact parameters; which of them are known exactly. */
static void values_at(ah_model *m, const frame *values, const ah_expr *roots, size_t count,
                      fmpq *out, bool *exact)
{
    rationals parameters = {.count = (slong) m->parameters.count};
    parameters.at = _fmpq_vec_init(parameters.count);
    ctx_held held;
    ctx_hold(m->ctx, &held, clear_rationals, &parameters);
    exact_parameters(m, values, parameters.at);
    pass p = {.ctx = m->ctx,
              .model = m,
              .state = values,
              .parameter = parameters.at,
              .parameters = m->parameters.count};
    run_pass(&p, roots, count, out, exact);
    ctx_drop(m->ctx, &held);
}

void exact_values(ah_model *m, const frame *values, const ah_expr *roots, size_t count,
                  const double *approximate, fmpq *out)
{
    arena *scratch = &m->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    bool *exact = NEW_ARRAY(scratch, bool, count + 1);
    values_at(m, values, roots, count, out, exact);
    for (size_t i = 0; i < count; i++)
        if (!exact[i]) exact_set_double(&out[i], approximate[i]);
    arena_release(scratch, mark);
}

bool exact_value(ah_model *m, const frame *values, ah_expr root, fmpq_t out)
{
    bool exact = false;
    values_at(m, values, &root, 1, out, &exact);
    return exact;
}
