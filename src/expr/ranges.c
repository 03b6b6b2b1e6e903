/* expr/ranges.c - intervals through a plan. */
#include "plan_inside.h"

#include "frame.h"

#include <math.h>

typedef expr_range range;

struct expr_ranges {
    const expr_plan *plan;
    range *value; /* of each of the plan's; constants are there from the start */
    int *varied;  /* of each operand of a load: which of what varies it is; -1: none */
    bool jumped;
};

static const range everything = {-INFINITY, INFINITY};
static const double pi = 3.14159265358979323846;

expr_ranges *expr_ranges_create(ah_ctx *ctx, arena *a, const expr_plan *plan, size_t count,
                                const ah_expr *varied)
{
    expr_ranges *r = NEW(a, expr_ranges);
    size_t operands = 0;
    for (size_t i = 0; i < plan->batches; i++)
        if (plan->batch[i].op == PLAN_LOAD &&
            plan->batch[i].first + plan->batch[i].steps > operands)
            operands = plan->batch[i].first + plan->batch[i].steps;
    *r = (expr_ranges){.plan = plan,
                       .value = NEW_ARRAY(a, range, plan->values + 1),
                       .varied = NEW_ARRAY(a, int, operands + 1)};
    for (size_t i = 0; i < plan->values; i++) r->value[i] = (range){plan->value[i], plan->value[i]};
    for (size_t i = 0; i < plan->batches; i++) {
        const plan_batch *b = &plan->batch[i];
        for (size_t k = b->first; b->op == PLAN_LOAD && k < b->first + b->steps; k++) {
            r->varied[k] = -1;
            for (size_t v = 0; v < count; v++)
                if (expr_slot(ctx, varied[v]) == plan->operand[k]) r->varied[k] = (int) v;
        }
    }
    return r;
}

/* ---- Arithmetic ------------------------------------------------------------------------------ */

/* 0 · ∞ = 0: an infinite bound stands for numbers without end. */
static double times(double x, double y)
{
    return x == 0 || y == 0 ? 0 : x * y;
}

static range product(range x, range y)
{
    const double a = times(x.low, y.low), b = times(x.low, y.high), c = times(x.high, y.low),
                 d = times(x.high, y.high);
    return (range){fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))};
}

static range inverse(range x)
{
    if (x.low <= 0 && x.high >= 0) return everything;
    return (range){1 / x.high, 1 / x.low};
}

static range integer_power(range x, double n)
{
    const double e = fabs(n), a = e == 2 ? x.low * x.low : pow(x.low, e),
                 b = e == 2 ? x.high * x.high : pow(x.high, e);
    range y = {a, b};
    if (!(fmod(e, 2) > 0)) {
        const bool within = x.low <= 0 && x.high >= 0;
        y = (range){within ? 0 : fmin(a, b), fmax(a, b)};
    }
    return n < 0 ? inverse(y) : y;
}

static range root(range x)
{
    return x.low < 0 ? everything : (range){sqrt(x.low), sqrt(x.high)};
}

/* Of x^y, x > 0: its logarithm is y log x. */
static range power(range x, range y)
{
    if (y.low == y.high && floor(y.low) == y.low) return integer_power(x, y.low);
    if (!(x.low > 0 || (x.low == 0 && y.low > 0))) return everything;
    const range e = product(y, (range){log(x.low), log(x.high)});
    return (range){exp(e.low), exp(e.high)};
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* Does a + 2πk lie in x for an integer k? */
static bool meets(range x, double a)
{
    return ceil((x.low - a) / (2 * pi)) * 2 * pi + a <= x.high;
}

static range sine(range x)
{
    if (!(x.high - x.low < 2 * pi)) return (range){-1, 1};
    const double a = sin(x.low), b = sin(x.high);
    return (range){meets(x, -pi / 2) ? -1 : fmin(a, b), meets(x, pi / 2) ? 1 : fmax(a, b)};
}

static range tangent(range x)
{
    if (!(x.high - x.low < pi) || meets(x, pi / 2) || meets(x, -pi / 2)) return everything;
    return (range){tan(x.low), tan(x.high)};
}

/* Of a function that grows, where it is defined on the whole of x. */
static range growing(ah_function f, range x)
{
    const double a = expr_call_value(f, x.low, 0), b = expr_call_value(f, x.high, 0);
    return isnan(a) || isnan(b) ? everything : (range){a, b};
}

static range size(range x)
{
    const double a = fabs(x.low), b = fabs(x.high);
    return (range){x.low <= 0 && x.high >= 0 ? 0 : fmin(a, b), fmax(a, b)};
}

static range side(expr_ranges *r, range x)
{
    if (x.low > 0) return (range){1, 1};
    if (x.high < 0) return (range){-1, -1};
    if (x.low == 0 && x.high == 0) return (range){0, 0};
    r->jumped = true;
    return (range){-1, 1};
}

static range angle(expr_ranges *r, range y, range x)
{
    double low = INFINITY, high = -INFINITY;
    if (!(x.low > 0) && y.low <= 0 && y.high >= 0) {
        r->jumped = true;
        return (range){-pi, pi};
    }
    const double all[] = {atan2(y.low, x.low), atan2(y.low, x.high), atan2(y.high, x.low),
                          atan2(y.high, x.high)};
    for (int i = 0; i < 4; i++) low = fmin(low, all[i]), high = fmax(high, all[i]);
    return (range){low, high};
}

static range call(expr_ranges *r, ah_function f, range x, range y)
{
    range z;
    switch (f) {
    case AH_SIN: return sine(x);
    case AH_COS: return sine((range){x.low + pi / 2, x.high + pi / 2});
    case AH_TAN: return tangent(x);
    case AH_ACOS: z = growing(AH_ASIN, x); return (range){pi / 2 - z.high, pi / 2 - z.low};
    case AH_ATAN2: return angle(r, x, y);
    case AH_COSH: z = size(x); return (range){cosh(z.low), cosh(z.high)};
    case AH_ABS: return size(x);
    case AH_SIGN: return side(r, x);
    case AH_SQRT: return root(x);
    case AH_ASIN:
    case AH_ATAN:
    case AH_SINH:
    case AH_TANH:
    case AH_EXP:
    case AH_LOG: return growing(f, x);
    case AH_FUNCTIONS: break;
    }
    return everything;
}

/* ---- Running --------------------------------------------------------------------------------- */

static range run_step(expr_ranges *r, const plan_batch *b, const uint32_t *o, const frame *values,
                      const range *varied)
{
    const range *v = r->value;
    range x;
    switch ((plan_op) b->op) {
    case PLAN_LOAD: {
        const int which = r->varied[o - r->plan->operand];
        const double at = frame_at(values, *o);
        return which >= 0 ? varied[which] : (range){at, at};
    }
    case PLAN_SUM:
        x = (range){0, 0};
        for (int32_t k = 0; k < b->count; k++) {
            x.low += v[o[k]].low;
            x.high += v[o[k]].high;
        }
        return x;
    case PLAN_PRODUCT:
        x = v[o[0]];
        for (int32_t k = 1; k < b->count; k++) x = product(x, v[o[k]]);
        return x;
    case PLAN_INTEGER_POWER: return integer_power(v[o[0]], b->count);
    case PLAN_HALF_POWER: return integer_power(root(v[o[0]]), b->count);
    case PLAN_POWER: return power(v[o[0]], v[o[1]]);
    case PLAN_CALL:
        return call(r, (ah_function) b->function, v[o[0]], b->count > 1 ? v[o[1]] : (range){0, 0});
    case PLAN_NAN: break;
    }
    return everything;
}

bool expr_ranges_run(expr_ranges *r, const frame *values, const range *varied, range *out)
{
    const expr_plan *p = r->plan;
    r->jumped = false;
    for (size_t i = 0; i < p->batches; i++) {
        const plan_batch *b = &p->batch[i];
        for (uint32_t k = 0; k < b->steps; k++) {
            const range x =
                run_step(r, b, p->operand + b->first + (size_t) k * b->operands, values, varied);
            r->value[b->target + k] = isnan(x.low) || isnan(x.high) ? everything : x;
        }
    }
    for (size_t i = 0; i < p->roots; i++) out[i] = r->value[p->root[i]];
    return !r->jumped;
}
