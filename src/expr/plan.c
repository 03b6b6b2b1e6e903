/* expr/plan.c - evaluation in double precision: the reachable nodes once, children first, as a flat
 * program over one array of doubles that belongs to the plan. */
#include "pool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum plan_op {
    PLAN_LOAD, /* a symbol */
    PLAN_SUM,
    PLAN_PRODUCT,
    PLAN_INTEGER_POWER, /* exponent in `count`, by multiplication */
    PLAN_HALF_POWER,    /* sqrt(x)^count */
    PLAN_POWER,
    PLAN_CALL,
    PLAN_NAN /* unspecified functions */
} plan_op;

typedef struct plan_step {
    uint8_t op, function;
    uint32_t target;
    int32_t count;
    size_t first; /* operands from here; of PLAN_LOAD the slot */
} plan_step;

struct expr_plan {
    size_t steps, roots;
    plan_step *step;
    uint32_t *operand;
    uint32_t *root;
    double *value; /* constants are there from the start */
    double *scale; /* of each value: expr_plan_run_scaled */
    size_t values;
};

/* ---- Making ---------------------------------------------------------------------------------- */

/* Beyond this many squarings libm's pow is the more exact. */
#define MOST_EXPONENT 64

static void set_power(const ah_ctx *ctx, plan_step *s, ah_expr exponent)
{
    long p, q;
    s->op = PLAN_POWER;
    if (!expr_is_rational(ctx, exponent, &p, &q) || labs(p) > MOST_EXPONENT || q > 2) return;
    s->op = q == 1 ? PLAN_INTEGER_POWER : PLAN_HALF_POWER;
    s->count = (int32_t) p;
}

static plan_step make_step(const ah_ctx *ctx, const expr_walk *w, size_t i)
{
    const expr_node *n = expr_node_of(ctx, w->node[i]);
    plan_step s = {.target = (uint32_t) i,
                   .function = n->code,
                   .count = (int32_t) n->count,
                   .first = w->start[i]};
    switch ((expr_op) n->op) {
    case EXPR_SYMBOL: s.op = PLAN_LOAD, s.first = n->aux; break;
    case EXPR_SUM: s.op = PLAN_SUM; break;
    case EXPR_PRODUCT: s.op = PLAN_PRODUCT; break;
    case EXPR_POWER: set_power(ctx, &s, n->children[1]); break;
    case EXPR_CALL: s.op = PLAN_CALL; break;
    default: s.op = PLAN_NAN; break;
    }
    return s;
}

static const double pi = 3.14159265358979323846;

expr_plan *expr_plan_create(ah_ctx *ctx, arena *a, const ah_expr *roots, size_t count)
{
    arena_mark mark = arena_get_mark(&ctx->scratch);
    expr_walk w = expr_walk_begin(ctx, roots, count);
    expr_plan *p = NEW(a, expr_plan);
    p->value = NEW_ARRAY(a, double, w.count);
    p->step = NEW_ARRAY(a, plan_step, w.count);
    p->operand = NEW_ARRAY(a, uint32_t, w.start[w.count]);
    p->root = NEW_ARRAY(a, uint32_t, count);
    p->scale = NEW_ARRAY(a, double, w.count);
    p->roots = count;
    p->values = w.count;
    if (w.count) memcpy(p->operand, w.child, w.start[w.count] * sizeof *p->operand);
    for (size_t i = 0; i < w.count; i++) {
        expr_op op = expr_get_op(ctx, w.node[i]);
        if (op == EXPR_NUMBER)
            p->value[i] = expr_number_double(ctx, w.node[i]);
        else if (op == EXPR_PI)
            p->value[i] = pi;
        else
            p->step[p->steps++] = make_step(ctx, &w, i);
        p->scale[i] = fabs(p->value[i]);
    }
    for (size_t i = 0; i < count; i++) p->root[i] = (uint32_t) expr_walk_find(&w, roots[i]);
    expr_release(ctx, a, mark);
    return p;
}

expr_plan *expr_plan_copy(arena *a, const expr_plan *plan)
{
    expr_plan *p = NEW(a, expr_plan);
    *p = *plan;
    p->value = NEW_ARRAY(a, double, plan->values);
    p->scale = NEW_ARRAY(a, double, plan->values);
    if (plan->values) memcpy(p->value, plan->value, plan->values * sizeof *p->value);
    if (plan->values) memcpy(p->scale, plan->scale, plan->values * sizeof *p->scale);
    return p;
}

/* ---- Running --------------------------------------------------------------------------------- */

static double integer_power(double x, int32_t n)
{
    double y = 1;
    for (uint32_t k = (uint32_t) (n < 0 ? -n : n); k; k >>= 1, x *= x)
        if (k & 1) y *= x;
    return n < 0 ? 1 / y : y;
}

static double sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : x;
}

double expr_call_value(ah_function f, double x, double y)
{
    switch (f) {
    case AH_SIN: return sin(x);
    case AH_COS: return cos(x);
    case AH_TAN: return tan(x);
    case AH_ASIN: return asin(x);
    case AH_ACOS: return acos(x);
    case AH_ATAN: return atan(x);
    case AH_ATAN2: return atan2(x, y);
    case AH_SINH: return sinh(x);
    case AH_COSH: return cosh(x);
    case AH_TANH: return tanh(x);
    case AH_EXP: return exp(x);
    case AH_LOG: return log(x);
    case AH_SQRT: return sqrt(x);
    case AH_ABS: return fabs(x);
    case AH_SIGN: return sign(x);
    case AH_FUNCTIONS: break;
    }
    return NAN;
}

static double run_step(const expr_plan *p, const plan_step *s, const frame *values)
{
    const double *v = p->value;
    const uint32_t *o = p->operand + s->first;
    double x = 0;
    switch ((plan_op) s->op) {
    case PLAN_LOAD: return frame_at(values, (uint32_t) s->first);
    case PLAN_SUM:
        for (int32_t i = 0; i < s->count; i++) x += v[o[i]];
        return x;
    case PLAN_PRODUCT:
        x = v[o[0]];
        for (int32_t i = 1; i < s->count; i++) x *= v[o[i]];
        return x;
    case PLAN_INTEGER_POWER: return integer_power(v[o[0]], s->count);
    case PLAN_HALF_POWER: return integer_power(sqrt(v[o[0]]), s->count);
    case PLAN_POWER: return pow(v[o[0]], v[o[1]]);
    case PLAN_CALL:
        return expr_call_value((ah_function) s->function, v[o[0]], s->count > 1 ? v[o[1]] : 0);
    case PLAN_NAN: break;
    }
    return NAN;
}

void expr_plan_run(const expr_plan *p, const frame *values, double *out)
{
    for (size_t i = 0; i < p->steps; i++)
        p->value[p->step[i].target] = run_step(p, &p->step[i], values);
    for (size_t i = 0; i < p->roots; i++) out[i] = p->value[p->root[i]];
}

/* The sum of the absolute values of the terms that a value would have when multiplied out: sums inside
 * products and powers count by their terms too, ½(a − b) like ½a − ½b. */
static double scale_step(const expr_plan *p, const plan_step *s)
{
    const uint32_t *o = p->operand + s->first;
    double x = 0;
    switch ((plan_op) s->op) {
    case PLAN_SUM:
        for (int32_t i = 0; i < s->count; i++) x += p->scale[o[i]];
        return x;
    case PLAN_PRODUCT:
        x = 1;
        for (int32_t i = 0; i < s->count; i++) x *= p->scale[o[i]];
        return x;
    case PLAN_INTEGER_POWER:
        if (s->count > 0) return integer_power(p->scale[o[0]], s->count);
        break;
    default: break;
    }
    return fabs(p->value[s->target]);
}

void expr_plan_run_scaled(const expr_plan *p, const frame *values, double *out, double *scale)
{
    expr_plan_run(p, values, out);
    for (size_t i = 0; i < p->steps; i++) p->scale[p->step[i].target] = scale_step(p, &p->step[i]);
    for (size_t i = 0; i < p->roots; i++) scale[i] = p->scale[p->root[i]];
}
