/* integrate/taylor.c - the Taylor method: the series of the solution itself [HNW, I.8].
 *
 * Order and step follow [JorbaZou2005, section 3]: a step of ρ/e², with ρ the radius of convergence
 * as the last two terms tell, is the cheapest, and p = 1 − ln(tolerance)/2 terms then reach the
 * tolerance. The step costs one jet and is its own continuous output. It is verified where the next
 * jet begins: there f is compared with the slope of the series, so that terms that happen to vanish
 * do not deceive. */
#include "integrate.h"
#include "taylor_sum.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Orders below make no sense, orders above meet rounding errors. */
#define LEAST_ORDER 6
#define MOST_ORDER  28
/* Half of a jet's time goes with the order and not with its square: more terms and fewer steps than
 * the count of multiplications tells. Measured on the tire and the double pendulum: 4 to 8 are
 * best, and take 0.8 of the time. */
#define MORE_TERMS 6
/* The two last terms reach the tolerance: half of that step leaves the sum of the rest below it. */
#define SAFETY 0.95
/* h · |slope of the series − f| in tolerances and orders: the series' own share is below one half.
 */
#define LARGEST_DEFECT 4.0

typedef struct stepper {
    ivp_result so_far;
    ah_ctx *ctx;
    const ivp *problem;
    const ivp_options *options;
    uint32_t n, order;
    double t, t1, h, next_t; /* next_t: of the step that was accepted */
    double limit;            /* of the next step */
    double *jet, *other;     /* (order + 1) × n: at t; at the end of the step under trial */
    double *carry, *lost, *next;
    double *slope; /* of the series */
    double *y;     /* the caller's: always the present state */
    bool moved;    /* the projection moved the end of the step */
    bool whole;    /* there is a jet at its end */
    bool wide;     /* registers of four numbers */
} stepper;

uint32_t ivp_taylor_order(double rtol)
{
    const double wanted = ceil(1 - 0.5 * log(fmax(rtol, DBL_EPSILON / 2))) + MORE_TERMS;
    return (uint32_t) fmin(fmax(wanted, LEAST_ORDER), MOST_ORDER);
}

static bool make_jet(stepper *s, double t, double *jet)
{
    s->so_far.evaluations++;
    return s->problem->jet(s->problem->user, t, s->order, jet) &&
           taylor_finite(s->wide, jet + s->n, s->n); /* the rest shows in its sum */
}

static taylor_scale scale_of(const stepper *s)
{
    return (taylor_scale){s->n, s->options->atol, s->options->rtol};
}

/* Where the larger of the last two terms is one tolerance. */
static double choose_step(const stepper *s)
{
    const double *row = s->jet + (size_t) s->order * s->n, p = s->order;
    const taylor_scale scale = scale_of(s);
    double last, before; /* in tolerances, for a step of one */
    taylor_largest(s->wide, &scale, s->jet, row, row - s->n, &last, &before);
    const double a = log(last) / p, b = log(before) / (p - 1);
    return SAFETY * exp(-(a > b ? a : b));
}

static void *open(ah_ctx *ctx, arena *a, const ivp *problem)
{
    const uint32_t n = problem->n;
    stepper *s = NEW(a, stepper);
    double *memory = NEW_ARRAY(a, double, (size_t) (2 * (MOST_ORDER + 1) + 4) * n + 1);
    *s = (stepper){.ctx = ctx, .problem = problem, .n = n, .wide = taylor_can_sum_widely()};
    s->jet = memory;
    s->other = s->jet + (size_t) (MOST_ORDER + 1) * n;
    s->carry = s->other + (size_t) (MOST_ORDER + 1) * n;
    s->lost = s->carry + n;
    s->next = s->lost + n;
    s->slope = s->next + n;
    return s;
}

static void series_at(const void *stepper_of_step, double t, double *y)
{
    const stepper *s = stepper_of_step;
    taylor_sum(s->wide, s->jet, s->n, s->order, t - s->t, y);
    for (uint32_t i = 0; i < s->n; i++) y[i] = s->jet[i] + y[i];
}

/* Of the series' slope at its quarters. */
static void bends_of(const void *stepper_of_step, uint32_t i, double *mean)
{
    const stepper *s = stepper_of_step;
    const double part = s->h / IVP_STRETCHES;
    double slope[IVP_STRETCHES + 1] = {[0] = s->jet[s->n + i], [IVP_STRETCHES] = s->slope[i]};
    for (uint32_t k = s->order; k >= 1; k--) {
        const double term = k * s->jet[(size_t) k * s->n + i];
        for (int j = 1; j < IVP_STRETCHES; j++) slope[j] = slope[j] * (j * part) + term;
    }
    for (int j = 0; j < IVP_STRETCHES; j++) mean[j] = (slope[j + 1] - slope[j]) / part;
}

/* The end of the step, projected, and the jet there; without one f alone (*whole false). false:
 * neither. */
static bool try_step(stepper *s, bool *whole)
{
    const double t1 = s->t + s->h;
    const taylor_end end = {s->carry, s->next, s->lost, s->slope};
    if (!taylor_go(s->wide, s->jet, s->n, s->order, s->h, &end)) return false;
    memcpy(s->other, s->next, s->n * sizeof *s->next);
    s->moved = false;
    if (s->problem->project) s->problem->project(s->problem->user, t1, s->other, &s->moved);
    *whole = make_jet(s, t1, s->other);
    if (*whole) return true;
    return s->problem->rhs(s->problem->user, t1, s->other, s->other + s->n) &&
           taylor_finite(s->wide, s->other + s->n, s->n);
}

/* Is the series one? Its first terms may be numbers where the others overflow: 1/cosh(1000 t) far from 0. */
static bool has_series(const stepper *s)
{
    return taylor_finite(s->wide, s->jet + s->n, s->order * s->n);
}

static bool is_verified(const stepper *s)
{
    const taylor_scale scale = scale_of(s);
    return taylor_near(s->wide, &scale, s->jet, s->next, s->slope, s->other + s->n, fabs(s->h),
                       LARGEST_DEFECT * s->order);
}

static ivp_end begin(void *self, const ivp_options *options, double t0, double t1, double *y)
{
    stepper *s = self;
    s->so_far = (ivp_result){.kind = IVP_TAYLOR, .t = t0};
    s->options = options;
    s->order = ivp_taylor_order(options->rtol);
    s->t = t0;
    s->t1 = t1;
    s->y = y;
    s->whole = true;
    s->limit = options->first_step > 0 ? options->first_step : INFINITY;
    memset(s->carry, 0, s->n * sizeof *s->carry);
    memcpy(s->jet, y, s->n * sizeof *y);
    return make_jet(s, s->t, s->jet) ? IVP_STEPPED : IVP_UNDEFINED;
}

static ivp_end step(void *self, ivp_step *out)
{
    stepper *s = self;
    const ivp_options *o = s->options;
    while (s->t != s->t1) {
        ctx_tick(s->ctx);
        if (!s->whole) return IVP_UNDEFINED; /* the last step ended where there is no jet */
        if (o->most_steps && s->so_far.steps >= o->most_steps) return IVP_TOO_LONG;
        if (o->largest_step > 0) s->limit = fmin(s->limit, o->largest_step);
        const double left = s->t1 - s->t, size = fmin(choose_step(s), s->limit);
        const bool last = size >= fabs(left) * (1 - 1e-12);
        s->h = last ? left : copysign(size, left);
        if (!last && fabs(s->h) <= 10 * DBL_EPSILON * fabs(s->t)) return IVP_COLLAPSED;
        if (try_step(s, &s->whole) && is_verified(s)) {
            s->next_t = last ? s->t1 : s->t + s->h;
            *out = (ivp_step){IVP_TAYLOR,      s->t, s->next_t, s->jet,  s->next, s->jet + s->n,
                              s->other + s->n, s,    series_at, bends_of};
            return IVP_STEPPED;
        }
        if (!has_series(s)) return IVP_UNDEFINED;
        s->whole = true;
        s->so_far.rejected++;
        s->limit = fabs(s->h) / 2;
        if (s->t + s->limit == s->t || s->limit < 1e-300) return IVP_UNDEFINED;
    }
    return IVP_REACHED;
}

/* What was tried becomes the present. */
static void settle(void *self)
{
    stepper *s = self;
    double *const jet = s->jet, *const carry = s->carry;
    s->jet = s->other;
    s->other = jet;
    s->carry = s->lost;
    s->lost = carry;
    if (s->moved) memset(s->carry, 0, s->n * sizeof *s->carry);
    memcpy(s->y, s->jet, s->n * sizeof *s->y);
    s->t = s->so_far.t = s->next_t;
    s->so_far.steps++;
    s->limit = INFINITY;
}

const ivp_stepper ivp_taylor = {open, begin, step, settle};
