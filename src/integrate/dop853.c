/* integrate/dop853.c - Dormand and Prince's method of order 8(5,3) [HNW, II.5]. */
#include "dop853_table.h"
#include "integrate.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Step control [HNW, II.4]: safety factor and bounds of the change of the step; but where the step that would just have
 * met the tolerance became shorter, the next one is expected to become so too [HNW2, IV.8], within this bound. */
#define SAFETY  0.93
#define SHRINK  0.333
#define GROW    6.0
#define SHORTER 0.8
#define FAR     1e5 /* tolerances that a projection may move the end of a step by */

typedef struct stepper {
    ivp_result so_far;
    ah_ctx *ctx;
    const ivp *problem;
    const ivp_options *options;
    uint32_t n;
    double t, t1, h, *y;
    double *carry; /* what rounding lost of y so far (Kahan) */
    double *k[DOP_EXTENDED];
    double *trial, *next, *lost, *old;
    double *dense[3 + DOP_DENSE]; /* made when asked for */
    double t_old, h_done;
    bool dense_ready;
    bool whole;           /* the trial has f at its end, which is on the constraints */
    bool projected;       /* the step that was accepted ends on the constraints already … */
    bool moved;           /* … because it was brought there */
    bool rejected;        /* the last try was */
    bool last;            /* the step that was accepted ends at t1 … */
    double wanted, error; /* … and was to be that long; its error */
    double met; /* the length that would just have met the tolerance, of the last step; 0: none */
} stepper;

static void *open(ah_ctx *ctx, arena *a, const ivp *problem)
{
    const uint32_t n = problem->n;
    stepper *s = NEW(a, stepper);
    double *memory = NEW_ARRAY(a, double, (size_t) (DOP_EXTENDED + 5 + 3 + DOP_DENSE) * n + 1);
    double **parts[] = {&s->carry, &s->trial, &s->next, &s->lost, &s->old};
    s->ctx = ctx;
    s->problem = problem;
    s->n = n;
    for (int i = 0; i < DOP_EXTENDED; i++, memory += n) s->k[i] = memory;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++, memory += n) *parts[i] = memory;
    for (int i = 0; i < 3 + DOP_DENSE; i++, memory += n) s->dense[i] = memory;
    return s;
}

static bool evaluate(stepper *s, double t, const double *y, double *dy)
{
    s->so_far.evaluations++;
    if (!s->problem->rhs(s->problem->user, t, y, dy)) return false;
    double sum = 0; /* of zeros, unless one is not finite */
    for (uint32_t i = 0; i < s->n; i++) sum += dy[i] - dy[i];
    return sum == 0;
}

/* Components that are summed together, in registers. */
enum { SIDE_BY_SIDE = 4 };

typedef double few __attribute__((vector_size(SIDE_BY_SIDE * sizeof(double))));

/* h Σ_j c_j k_j. The last few may overlap those before them, which changes nothing. */
static void combine(const stepper *s, const double *c, int count, double h, double *restrict out)
{
    const uint32_t n = s->n;
    for (uint32_t i = 0; n >= SIDE_BY_SIDE && i < n; i += SIDE_BY_SIDE) {
        const uint32_t at = i + SIDE_BY_SIDE <= n ? i : n - SIDE_BY_SIDE;
        few sum = {0}, row;
        for (int j = 0; j < count; j++) {
            if (c[j] == 0) continue;
            memcpy(&row, s->k[j] + at, sizeof row);
            sum += c[j] * row;
        }
        sum *= h;
        memcpy(out + at, &sum, sizeof sum);
    }
    for (uint32_t i = 0; n < SIDE_BY_SIDE && i < n; i++) {
        double sum = 0;
        for (int j = 0; j < count; j++) sum += c[j] * s->k[j][i];
        out[i] = h * sum;
    }
}

/* trial = from + h Σ_{j<stage} a_j k_j, then k_stage. */
static bool stage(stepper *s, int stage_index, const double *from, double t, double h)
{
    combine(s, dop_a[stage_index], stage_index, h, s->trial);
    for (uint32_t i = 0; i < s->n; i++) s->trial[i] += from[i];
    return evaluate(s, t + dop_c[stage_index] * h, s->trial, s->k[stage_index]);
}

/* The whole step by the problem's own function; false: it has none, or it gave up. */
static bool try_at_once(stepper *s, double *error)
{
    if (!s->problem->trial) return false;
    ivp_trial trial = {.t = s->t,
                       .h = s->h,
                       .rtol = s->options->rtol,
                       .atol = s->options->atol,
                       .y = s->y,
                       .carry = s->carry,
                       .k = s->k[0],
                       .next = s->next,
                       .lost = s->lost,
                       .whole = true};
    if (!s->problem->trial(s->problem->user, &trial)) return false;
    s->whole = s->projected = trial.whole;
    s->moved = trial.moved;
    s->so_far.evaluations += DOP_STAGES - 1 + s->whole;
    *error = trial.error;
    return true;
}

/* A trial step: next, lost (the rounding of the sum) and the error relative to the tolerance. */
static bool try_step(stepper *s, double *error)
{
    s->whole = false;
    if (try_at_once(s, error)) return isfinite(*error);
    for (int i = 1; i < DOP_STAGES; i++)
        if (!stage(s, i, s->y, s->t, s->h)) return false;
    double e5 = 0, e3 = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        double sum = 0, d5 = 0, d3 = 0;
        for (int j = 0; j < DOP_STAGES; j++) {
            sum += dop_b[j] * s->k[j][i];
            d5 += dop_e5[j] * s->k[j][i];
            d3 += dop_e3[j] * s->k[j][i];
        }
        const double change = s->h * sum + s->carry[i];
        s->next[i] = s->y[i] + change;
        s->lost[i] = change - (s->next[i] - s->y[i]);
        const double scale =
            s->options->atol + s->options->rtol * fmax(fabs(s->y[i]), fabs(s->next[i]));
        e5 += (d5 / scale) * (d5 / scale);
        e3 += (d3 / scale) * (d3 / scale);
    }
    const double mixed = e5 + 0.01 * e3;
    *error = mixed > 0 ? fabs(s->h) * e5 / sqrt(mixed * s->n) : 0;
    return isfinite(*error);
}

/* The first step: a tenth of the time in which y changes by its own size, refined once [HNW, II.4].
 */
static double first_step(stepper *s, double span)
{
    const double *f0 = s->k[0];
    double d0 = 0, d1 = 0, d2 = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const double scale = s->options->atol + s->options->rtol * fabs(s->y[i]);
        d0 += (s->y[i] / scale) * (s->y[i] / scale);
        d1 += (f0[i] / scale) * (f0[i] / scale);
    }
    double h = d0 > 1e-10 && d1 > 1e-10 ? 0.01 * sqrt(d0 / d1) : 1e-6;
    h = copysign(fmin(h, fabs(span)), span);
    for (uint32_t i = 0; i < s->n; i++) s->trial[i] = s->y[i] + h * f0[i];
    if (!evaluate(s, s->t + h, s->trial, s->k[1])) return h * 1e-3;
    for (uint32_t i = 0; i < s->n; i++) {
        const double scale = s->options->atol + s->options->rtol * fabs(s->y[i]);
        d2 += pow((s->k[1][i] - f0[i]) / scale, 2);
    }
    const double slope = fmax(sqrt(d2) / fabs(h), sqrt(d1));
    const double better = slope <= 1e-15 ? fmax(1e-6, fabs(h) * 1e-3) : pow(0.01 / slope, 1.0 / 8);
    return copysign(fmin(fmin(100 * fabs(h), better), fabs(span)), span);
}

/* ---- Continuous output of order 7 [HNW, II.6] ------------------------------------------------ */

static void make_dense(stepper *s)
{
    for (int i = DOP_STAGES + 1; i < DOP_EXTENDED; i++) stage(s, i, s->old, s->t_old, s->h_done);
    const double h = s->h_done;
    for (uint32_t i = 0; i < s->n; i++) {
        const double change = s->next[i] - s->old[i];
        s->dense[0][i] = change;
        s->dense[1][i] = h * s->k[0][i] - change;
        s->dense[2][i] = 2 * change - h * (s->k[DOP_STAGES][i] + s->k[0][i]);
    }
    for (int d = 0; d < DOP_DENSE; d++) combine(s, dop_d[d], DOP_EXTENDED, h, s->dense[3 + d]);
    s->dense_ready = true;
}

static void dense_at(const void *stepper_of_step, double t, double *restrict y)
{
    stepper *s = (stepper *) stepper_of_step;
    if (!s->dense_ready) make_dense(s);
    const uint32_t n = s->n;
    const double x = (t - s->t_old) / s->h_done, left = 1 - x;
    for (uint32_t i = 0; n >= SIDE_BY_SIDE && i < n; i += SIDE_BY_SIDE) {
        const uint32_t at = i + SIDE_BY_SIDE <= n ? i : n - SIDE_BY_SIDE;
        few sum = {0}, row;
#pragma GCC unroll 7
        for (int d = 3 + DOP_DENSE - 1; d >= 0; d--) {
            memcpy(&row, s->dense[d] + at, sizeof row);
            sum = (sum + row) * (d % 2 == 0 ? x : left);
        }
        memcpy(&row, s->old + at, sizeof row);
        sum += row;
        memcpy(y + at, &sum, sizeof sum);
    }
    for (uint32_t i = 0; n < SIDE_BY_SIDE && i < n; i++) {
        double sum = 0;
        for (int d = 3 + DOP_DENSE - 1; d >= 0; d--)
            sum = (sum + s->dense[d][i]) * (d % 2 == 0 ? x : left);
        y[i] = sum + s->old[i];
    }
}

/* From stage to stage, of those whose order is not low and which are well apart. */
static void bends_of(const void *stepper_of_step, uint32_t i, double *mean)
{
    static const int stages[IVP_STRETCHES + 1] = {0, 7, 9, 10, DOP_STAGES};
    const stepper *s = stepper_of_step;
    const double rate = 1 / s->h_done;
    for (int part = 0; part < IVP_STRETCHES; part++) {
        const int from = stages[part], to = stages[part + 1];
        mean[part] = (s->k[to][i] - s->k[from][i]) * (rate / (dop_c[to] - dop_c[from]));
    }
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static ivp_end begin(void *self, const ivp_options *options, double t0, double t1, double *y)
{
    stepper *s = self;
    s->so_far = (ivp_result){.kind = IVP_DOP853, .t = t0};
    s->options = options;
    s->t = t0;
    s->t1 = t1;
    s->y = y;
    s->rejected = false;
    s->met = 0;
    memset(s->carry, 0, s->n * sizeof *s->carry);
    if (!evaluate(s, s->t, s->y, s->k[0])) return IVP_UNDEFINED;
    s->h = options->first_step != 0 ? copysign(options->first_step, t1 - s->t)
                                    : first_step(s, t1 - s->t);
    return IVP_STEPPED;
}

/* error^(-1/8): by how much the step is shorter than one that just meets the tolerance. */
static double room_left(double error)
{
    return 1 / sqrt(sqrt(sqrt(error)));
}

/* After a step that was accepted, of the length h. */
static double change_of_step(stepper *s, double h)
{
    const double room = room_left(s->error), met = fabs(h) * room;
    const double trend = fmax(SHORTER, fmin(1, met / s->met));
    s->met = met;
    return fmin(GROW, fmax(SHRINK, SAFETY * room * trend));
}

/* Brings the end of the step to the constraints where that is less than the tolerance: one evaluation then serves the
 * end of this step and the beginning of the next. What moves farther is left to settle: the step may not count to its end.
 * false: places so far that the constraints are not those on which it began, as beyond a kink. (Velocities may jump at corners.) */
static bool project_end(stepper *s)
{
    const ivp_options *o = s->options;
    double way = 0, size = 0;
    s->projected = s->moved = false;
    if (!s->problem->project) return true;
    memcpy(s->trial, s->next, s->n * sizeof *s->trial);
    s->problem->project(s->problem->user, s->t + s->h, s->trial, &s->moved);
    s->projected = true;
    for (uint32_t i = 0; s->moved && i < s->n; i++) {
        const double far = fabs(s->trial[i] - s->next[i]);
        s->projected &= far <= o->atol + o->rtol * fabs(s->next[i]);
        if (i >= s->problem->places) continue;
        way = fmax(way, far);
        size = fmax(size, fabs(s->next[i]));
    }
    if (s->moved && s->projected) memcpy(s->next, s->trial, s->n * sizeof *s->next);
    return way <= FAR * (o->atol + o->rtol * size);
}

/* The step that was tried, to be shown. */
static ivp_end accept_step(stepper *s, double error, ivp_step *out)
{
    const double t1 = s->t + s->h;
    memcpy(s->old, s->y, s->n * sizeof *s->old);
    s->t_old = s->t;
    s->h_done = s->h;
    s->error = error;
    s->dense_ready = false;
    *out = (ivp_step){IVP_DOP853,       s->t, t1,       s->old,  s->next, s->k[0],
                      s->k[DOP_STAGES], s,    dense_at, bends_of};
    return IVP_STEPPED;
}

static ivp_end step(void *self, ivp_step *out)
{
    stepper *s = self;
    const ivp_options *o = s->options;
    while (s->t != s->t1) {
        ctx_tick(s->ctx);
        if (o->most_steps && s->so_far.steps >= o->most_steps) return IVP_TOO_LONG;
        if (o->largest_step > 0 && fabs(s->h) > o->largest_step)
            s->h = copysign(o->largest_step, s->h);
        const double left = s->t1 - s->t;
        s->wanted = s->h;
        s->last = fabs(s->h) >= fabs(left) * (1 - 1e-12);
        if (s->last) s->h = left;
        if (fabs(s->h) <= 10 * DBL_EPSILON * fabs(s->t) && !s->last) return IVP_COLLAPSED;
        double error = 0;
        const bool good = try_step(s, &error);
        if (!good || error > 1) {
            s->so_far.rejected++;
            s->rejected = true;
            s->h *= good ? fmax(SHRINK, SAFETY * room_left(error)) : 0.1;
            if (fabs(s->h) < 1e-300) return IVP_UNDEFINED;
            continue;
        }
        if (!s->whole && !project_end(s)) {
            s->so_far.rejected++;
            s->rejected = true;
            s->h *= 0.1;
            continue;
        }
        if (s->whole || evaluate(s, s->t + s->h, s->next, s->k[DOP_STAGES]))
            return accept_step(s, error, out);
        if (s->t + s->h == s->t) return IVP_UNDEFINED; /* f ends inside the step */
        s->h *= 0.1;
    }
    return IVP_REACHED;
}

static void settle(void *self)
{
    stepper *s = self;
    bool moved = s->moved && s->projected, good = true;
    s->t += s->h;
    memcpy(s->y, s->next, s->n * sizeof *s->y);
    double *swap = s->carry;
    s->carry = s->lost;
    s->lost = swap;
    if (s->problem->project && !s->projected)
        s->problem->project(s->problem->user, s->t, s->y, &moved);
    if (moved) memset(s->carry, 0, s->n * sizeof *s->carry);
    if (moved && !s->projected)
        good = evaluate(s, s->t, s->y, s->k[0]);
    else
        memcpy(s->k[0], s->k[DOP_STAGES], s->n * sizeof *s->y);
    if (s->last) s->t = s->t1;
    s->so_far.t = s->t;
    s->so_far.steps++;
    double factor = change_of_step(s, s->h);
    if (s->rejected && factor > 1) factor = 1;
    s->rejected = false;
    s->h = s->last && fabs(s->wanted) > fabs(s->h) ? s->wanted : s->h * (good ? factor : 0.1);
}

const ivp_stepper ivp_dop853 = {open, begin, step, settle};
