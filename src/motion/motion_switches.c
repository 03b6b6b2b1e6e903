/* motion/motion_switches.c - forces that switch. */
#include "motion_switches.h"

#include "motion_events.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct motion_switches {
    motion_state *state;
    size_t count, dimension, all_breaks, breaks, next_break;
    const model_switch *of;
    expr_plan *g, *rate;
    expr_plan *times;
    double *value, *slope, *size; /* of g, of its rate, and of its terms */
    double *scale;                /* the size that g's terms have had lately */
    double *side;                 /* -1, 0, 1 */
    bool *near;                   /* g is 0 */
    double *time;                 /* at which forces change, in the order of the integration */
    motion_watch *watch;          /* NULL: times are all there is */
    bool timed;                   /* a side is one of time alone, perhaps of a constraint */
    const void *work;             /* of the program that has the sides */
    double t0, t1, direction;
    double edge;          /* the end of the span where something changes at it; NAN: nothing does */
    double until, target; /* target: a change of side within the step that was made; NAN: none */
    double reach;         /* how far (t, y) may be moved to be at the place */
    double passed;        /* where the last passages were, … */
    unsigned passages;    /* … and how many */
    double *y, *k, *k2;   /* work space */
    double *came;         /* before the last blow … */
    bool struck;          /* … of this passage */
};

static const char no_motion[] =
    "chattering: from here on the forces on both sides drive the motion back to where they change "
    "their side, as with dry friction where a velocity vanishes; the motion beyond is not "
    "determined "
    "by these equations";

static const char no_bound[] = "the equations of motion are not defined here, or have no bound "
                               "where a force changes its side";

static const char place_jumps[] =
    "a constraint jumps here as time goes on, and places would have to: there is no motion that "
    "does so";

/* ---- Making ---------------------------------------------------------------------------------- */

static double sign_of(double x, double zero)
{
    return isnan(x) ? x : x > zero ? 1 : x < -zero ? -1 : 0;
}

/* One after the other: some stand in others. */
void motion_switches_put(point *p)
{
    const ah_model *m = p->model;
    for (size_t i = 0; i < m->switches.count; i++)
        point_set(p, m->switches.at[i].side, sign_of(point_eval(p, m->switches.at[i].e), 0));
}

/* How far beside a time at which something changes steps end and begin. */
static double aside_of(const motion_switches *w, double t)
{
    return SWITCH_ASIDE * DBL_EPSILON * fmax(fabs(t), fabs(w->t1 - w->t0));
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

/* Times before the end of the span, each once. */
void motion_switches_restart(motion_switches *w)
{
    double *t = w->time;
    size_t count = 0, kept = 0;
    w->edge = NAN;
    expr_plan_run(w->times, w->state->p->values, t);
    for (size_t i = 0; i < w->all_breaks; i++)
        if (w->direction * (w->t1 - t[i]) > 0)
            t[count++] = t[i];
        else if (w->t1 == t[i])
            w->edge = t[i];
    if (count) qsort(t, count, sizeof *t, ascending);
    for (size_t i = 0; i < count; i++)
        if (!kept || t[i] > t[kept - 1]) t[kept++] = t[i];
    w->breaks = kept;
    for (size_t i = 0; w->direction < 0 && i < kept / 2; i++) {
        const double swap = t[i];
        t[i] = t[kept - 1 - i];
        t[kept - 1 - i] = swap;
    }
}

static void watch_sides(motion_switches *w)
{
    point *p = w->state->p;
    arena *a = p->arena;
    const size_t count = w->count;
    ah_expr *g = NEW_ARRAY(a, ah_expr, count), *rate = NEW_ARRAY(a, ah_expr, count);
    model_event *event = NEW_ARRAY(a, model_event, count);
    const model_event *unknown;
    for (size_t i = 0; i < count; i++) {
        g[i] = w->of[i].e;
        rate[i] = expr_dt(p->ctx, g[i]);
        event[i] = (model_event){.label = "side", .e = g[i], .span = NOWHERE};
    }
    w->g = expr_plan_create(p->ctx, a, g, count);
    w->rate = expr_plan_create(p->ctx, a, rate, count);
    w->value = NEW_ARRAY(a, double, 5 * count);
    w->slope = w->value + count;
    w->size = w->slope + count;
    w->scale = w->size + count;
    w->side = w->scale + count;
    w->near = NEW_ARRAY(a, bool, count);
    w->watch = motion_watch_create(w->state, event, count, SWITCH_ZERO, 0, &unknown);
}

static bool is_of_time(ah_ctx *ctx, ah_expr e)
{
    static const ah_symbol_kind state[] = {AH_COORDINATE, AH_VELOCITY, AH_SPEED};
    for (size_t i = 0; i < sizeof state / sizeof *state; i++)
        if (expr_depends_kind(ctx, e, state[i])) return false;
    return true;
}

motion_switches *motion_switches_create(motion_state *s)
{
    const ah_model *m = s->p->model;
    if (!m->switches.count && !m->breaks.count) return NULL;
    motion_switches *w = NEW(s->p->arena, motion_switches);
    *w = (motion_switches){.state = s,
                           .of = m->switches.at,
                           .count = m->switches.count,
                           .dimension = s->code.n + s->code.m,
                           .t0 = s->options->t0,
                           .t1 = s->options->t1,
                           .target = NAN,
                           .passed = NAN};
    w->direction = w->t1 >= w->t0 ? 1 : -1;
    w->y = NEW_ARRAY(s->p->arena, double, 3 * w->dimension);
    w->came = NEW_ARRAY(s->p->arena, double, w->dimension);
    w->k = w->y + w->dimension;
    w->k2 = w->k + w->dimension;
    w->work = s->code.work;
    w->all_breaks = m->breaks.count;
    w->times = expr_plan_create(s->p->ctx, s->p->arena, m->breaks.at, w->all_breaks);
    w->time = NEW_ARRAY(s->p->arena, double, w->all_breaks + 1);
    motion_switches_restart(w);
    if (w->count) watch_sides(w);
    for (size_t i = 0; i < w->count; i++) w->timed = w->timed || is_of_time(s->p->ctx, w->of[i].e);
    return w;
}

/* ---- Sides ----------------------------------------------------------------------------------- */

static void put_sides(motion_switches *w)
{
    for (size_t i = 0; i < w->count; i++) point_set(w->state->p, w->of[i].side, w->side[i]);
    if (w->count) motion_code_take(&w->state->code, w->state->p);
    w->work = w->state->code.work;
}

void motion_switches_keep(motion_switches *w)
{
    if (w->work != w->state->code.work) put_sides(w);
}

static void look_at_values(motion_switches *w, double t, const double *y)
{
    motion_state_put(w->state, MOTION_AT_SPEEDS, t, y);
    expr_plan_run_scaled(w->g, w->state->p->values, w->value, w->size);
}

/* On which side g_i is; 0: it cannot be told. */
static double side_of(const motion_switches *w, size_t i)
{
    return sign_of(w->value[i], SWITCH_ZERO * fmax(w->scale[i], w->size[i]));
}

/* The rates of all g with the present sides. false: there are none. */
static bool look_at_rates(motion_switches *w, double t, const double *y)
{
    if (!motion_state_put(w->state, MOTION_AT_RATES, t, y)) return false;
    expr_plan_run(w->rate, w->state->p->values, w->slope);
    return true;
}

/* y a short time later (to the second order), into `out`. */
static bool advance(motion_switches *w, double t, double h, const double *y, double *out)
{
    motion_state *s = w->state;
    if (!motion_state_rhs(s, t, y, w->k)) return false;
    for (size_t i = 0; i < w->dimension; i++) w->k2[i] = y[i] + h / 2 * w->k[i];
    if (!motion_state_rhs(s, t + h / 2, w->k2, w->k)) return false;
    for (size_t i = 0; i < w->dimension; i++) out[i] = y[i] + h * w->k[i];
    return true;
}

/* The rate of g_i as time goes on, if that is the side already. */
static double rate_on(motion_switches *w, size_t i, double side, double t, const double *y)
{
    w->side[i] = side;
    put_sides(w);
    const bool there = look_at_rates(w, t, y) && isfinite(w->slope[i]);
    return there ? w->direction * w->slope[i] : NAN;
}

/* To which side the motion goes from g_i = 0 then, whose rate there is `rate`, and at most `largest`. */
static double tends(motion_switches *w, size_t i, double side, double rate, double largest,
                    double t, const double *y)
{
    if (!(fabs(rate) <= SWITCH_STILL * largest)) return sign_of(rate, 0);
    const double h = SWITCH_AHEAD * (w->t1 - w->t0);
    w->side[i] = side;
    put_sides(w);
    if (!advance(w, t, h, y, w->y)) return NAN;
    look_at_values(w, t + h, w->y);
    return side_of(w, i);
}

/* The side of g_i = 0. false: there is none. */
static bool choose(motion_switches *w, size_t i, double t, const double *y)
{
    static const double sides[] = {1, -1, 0};
    const double before = w->side[i];
    double rate[3], to[3], largest = 0;
    for (int k = 0; k < 3; k++) {
        rate[k] = rate_on(w, i, sides[k], t, y);
        largest = fmax(largest, fabs(rate[k]));
    }
    for (int k = 0; k < 3; k++) to[k] = tends(w, i, sides[k], rate[k], largest, t, y);
    const double above = to[0], below = to[1], on = to[2];
    const bool stays_above = above > 0 && !(below < 0), stays_below = below < 0 && !(above > 0);
    const bool leaves = above > 0 && below < 0, rests = on == 0;
    w->side[i] = stays_above            ? 1
                 : stays_below          ? -1
                 : leaves && !isnan(on) ? on
                 : rests                ? 0
                                        : before;
    put_sides(w);
    return stays_above || stays_below || leaves || rests;
}

/* The times ahead of t: how far one may go at once. */
static void find_end(motion_switches *w, double t)
{
    while (w->next_break < w->breaks && w->direction * (w->time[w->next_break] - t) <= 0)
        w->next_break++;
    w->until = w->next_break < w->breaks ? w->time[w->next_break] : w->t1;
    if (w->next_break == w->breaks) return;
    const double aside = aside_of(w, w->until);
    w->until -= w->direction * aside;
    if (w->direction * (w->until - t) <= 0) w->until = w->time[w->next_break];
}

/* Whether the rates in w->k do little within h. */
static bool is_slight(const motion_switches *w, double h, const double *y)
{
    for (size_t i = 0; i < w->dimension; i++)
        if (!(fabs(h * w->k[i]) <= SWITCH_LEAP * (1 + fabs(y[i])))) return false;
    return true;
}

/* Where what drives a place has a corner the velocities jump, as far as the constraints make them: M Δv = Jᵀ Λ. A place that
 * would have to jump ends the motion. */
static const char *strike(motion_switches *w, double before, double t, double *y)
{
    const point *p = w->state->p;
    if (!p->mech->r && !p->mech->holonomic) return NULL;
    const uint32_t n = w->state->code.n;
    const double apart = fabs(t - before) + SWITCH_ASIDE * DBL_EPSILON * fabs(w->t1 - w->t0);
    double largest = 0;
    memcpy(w->y, y, w->dimension * sizeof *y);
    memcpy(w->came, y, w->dimension * sizeof *y);
    w->struck = true;
    motion_state_put(w->state, MOTION_AT_STATE, before, y);
    for (uint32_t i = 0; i < n; i++) w->k[i] = fabs(point_get(p, p->model->v.at[i]));
    motion_state_blow(w->state, t, y);
    motion_state_put(w->state, MOTION_AT_STATE, t, y);
    for (uint32_t i = 0; i < n; i++) largest = fmax(largest, fmax(fabs(w->y[i]), fabs(y[i])));
    for (uint32_t i = 0; i < n; i++) {
        const double v = w->k[i] + fabs(point_get(p, p->model->v.at[i]));
        const double moves = SWITCH_PLACE * fmax(fabs(w->y[i]), fabs(y[i])) + 8 * apart * v +
                             SWITCH_ROUNDS * largest;
        if (!(fabs(y[i] - w->y[i]) <= moves)) return place_jumps;
    }
    return NULL;
}

/* If t is at a time at which a force changes: beyond it. */
static const char *cross_time(motion_switches *w, double *t, double *y)
{
    for (size_t i = w->next_break; i < w->breaks; i++) {
        const double at = w->time[i];
        const double aside = aside_of(w, at);
        if (w->direction * (at - *t) > 2 * aside) return NULL;
        if (w->direction * (*t - at) > aside / 2) continue;
        const double before = at - *t, after = w->direction * aside;
        if (before != 0 && !(advance(w, *t, before, y, y) && is_slight(w, before, y)))
            return no_bound;
        if (!motion_state_rhs(w->state, at + after, y, w->k)) return no_bound;
        const double from = *t;
        for (size_t k = 0; k < w->dimension; k++) /* log|t − at| is none there with the old side */
            if (isfinite(w->k[k])) y[k] += after * w->k[k];
        *t = at + after;
        w->next_break = i + 1;
        const char *why = strike(w, from, *t, y);
        if (why) return why;
    }
    return NULL;
}

/* Where a constraint changes at a time that had to be located: beyond it. */
static const char *leave_place(motion_switches *w, double *t, double *y)
{
    const double aside = aside_of(w, *t);
    const double from = *t, after = w->direction * aside;
    if (!w->timed || !advance(w, from, after, y, w->y)) return NULL;
    memcpy(y, w->y, w->dimension * sizeof *y);
    *t = from + after;
    return strike(w, from - after, *t, y);
}

/* Is a side of time alone at its place? */
static bool at_timed_place(motion_switches *w, double t, const double *y)
{
    if (!w->timed) return false;
    look_at_values(w, t, y);
    for (size_t i = 0; i < w->count; i++)
        if (side_of(w, i) == 0 && is_of_time(w->state->p->ctx, w->of[i].e)) return true;
    return false;
}

const char *motion_switches_begin(motion_switches *w, double *t, double *y)
{
    bool good = true;
    w->target = NAN;
    w->next_break = 0;
    const char *why = cross_time(w, t, y);
    if (why) return why;
    if (at_timed_place(w, *t, y)) why = leave_place(w, t, y);
    if (why) return why;
    find_end(w, *t);
    if (!w->count) return NULL;
    look_at_values(w, *t, y);
    for (size_t i = 0; i < w->count; i++) {
        const double side = side_of(w, i);
        if (side == 0) w->near[i] = true;
        if (!w->near[i]) w->side[i] = side;
    }
    put_sides(w);
    for (size_t i = 0; i < w->count; i++)
        if (w->near[i]) good = choose(w, i, *t, y) && good;
    memset(w->near, 0, w->count * sizeof *w->near);
    motion_watch_begin(w->watch, *t, y, w->side);
    return good ? NULL : no_motion;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

double motion_switches_until(const motion_switches *w)
{
    return isnan(w->target) ? w->until : w->target;
}

double motion_switches_inside(const motion_switches *w, double t)
{
    const double aside = aside_of(w, w->edge);
    return fabs(t - w->edge) <= aside / 2 ? w->edge - w->direction * aside : t;
}

double motion_switches_shown(const motion_switches *w, double t)
{
    const double inside = motion_switches_inside(w, t);
    if (inside != t) return inside;
    size_t low = 0, high = w->breaks;
    while (low < high) { /* the first that is not before t by more than a rounding error */
        const size_t middle = low + (high - low) / 2;
        const double aside = aside_of(w, w->time[middle]);
        if (w->direction * (t - w->time[middle]) > aside / 2)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == w->breaks) return t;
    const double at = w->time[low];
    const double aside = aside_of(w, at);
    return fabs(t - at) <= aside / 2 ? at + w->direction * aside : t;
}

/* Where in the step g_i, which ends on another side, can first be seen there. */
static double leaves_at(motion_switches *w, const ivp_step *step, size_t i)
{
    double here = step->t0, beyond = step->t1;
    for (int k = 0; k < 60; k++) {
        const double middle = here + (beyond - here) / 2, side = w->side[i];
        if (middle == here || middle == beyond) break;
        step->at(step->stepper, middle, w->y);
        look_at_values(w, middle, w->y);
        if (side_of(w, i) != 0 && side_of(w, i) != side)
            beyond = middle;
        else
            here = middle;
    }
    return beyond;
}

static bool comes_first(const motion_switches *w, double t, double than)
{
    return isnan(than) || w->direction * (than - t) > 0;
}

/* The first change of a side in the step, or NAN. */
static double first_change(motion_switches *w, const ivp_step *step)
{
    const motion_happening *h;
    const size_t happened = motion_watch_step(w->watch, step, &h);
    double found = NAN;
    for (size_t i = 0; i < happened && isnan(found); i++)
        if (!h[i].touched) found = h[i].t;
    for (size_t i = 0; i < w->count; i++) {
        look_at_values(w, step->t1, step->y1);
        w->scale[i] = fmax(EVENT_MEMORY * w->scale[i], w->size[i]);
        const double side = side_of(w, i);
        if (side == 0 || side == w->side[i]) continue;
        const double t = leaves_at(w, step, i);
        if (comes_first(w, t, found)) found = t;
    }
    return found;
}

bool motion_switches_step(motion_switches *w, const ivp_step *step)
{
    if (!w->count) return false;
    const double found = first_change(w, step), length = fabs(step->t1 - step->t0);
    if (isnan(found)) return false;
    /* on the way to a place it is met again, a little earlier or later */
    if (!isnan(w->target) && w->direction * (w->target - found) < SWITCH_SAME * w->reach)
        return false;
    const double aside = aside_of(w, found);
    const double until = w->timed ? found - w->direction * aside : found;
    w->target = comes_first(w, until, step->t0) ? step->t0 : until;
    w->reach = length;
    return true;
}

/* To the place itself: the integration has ended where the step's continuous output said, which is
 * less accurate. */
static void move_to_place(motion_switches *w, double *t, double *y)
{
    const double rounding = 16 * DBL_EPSILON * fmax(fabs(*t), fabs(w->t1 - w->t0));
    const double aside =
        SWITCH_ASIDE * rounding / 16; /* it has ended as much before (motion_switches_step) */
    const double most = fmax(SWITCH_SAME * w->reach, w->timed ? 2 * aside : 0);
    for (int iteration = 0; iteration < 4; iteration++) {
        double least = INFINITY;
        look_at_values(w, *t, y);
        if (!look_at_rates(w, *t, y)) return;
        for (size_t i = 0; i < w->count; i++) {
            const double h = -w->value[i] / w->slope[i];
            w->near[i] = w->near[i] || fabs(h) <= rounding;
            if (w->side[i] != 0 && fabs(h) < fabs(least)) least = h;
        }
        if (!(fabs(least) <= most) || fabs(least) <= rounding / 16) return;
        if (!advance(w, *t, least, y, w->y)) return;
        memcpy(y, w->y, w->dimension * sizeof *y);
        *t += least;
    }
}

static bool is_defined(motion_switches *w, double t, const double *y)
{
    if (!motion_state_rhs(w->state, t, y, w->k)) return false;
    for (size_t i = 0; i < w->dimension; i++)
        if (!isfinite(w->k[i])) return false;
    return true;
}

/* Where the equations have a limit at the place, but no value, as x log|x| at 0: to the side of it. */
static void step_off(motion_switches *w, double *t, double *y)
{
    const point *p = w->state->p;
    if (is_defined(w, *t, y)) return;
    const double h = w->direction * aside_of(w, *t);
    memcpy(w->y, y, w->dimension * sizeof *y);
    motion_state_put(w->state, MOTION_AT_STATE, *t, y);
    for (uint32_t i = 0; i < w->state->code.n; i++) w->y[i] += h * point_get(p, p->model->v.at[i]);
    if (!is_defined(w, *t + h, w->y) || !is_slight(w, h, w->y)) return;
    memcpy(y, w->y, w->dimension * sizeof *y);
    *t += h;
}

const double *motion_switches_came(const motion_switches *w, const double *y)
{
    return w->struck ? w->came : y;
}

const char *motion_switches_pass(motion_switches *w, double *t, double *y)
{
    w->struck = false;
    if (!isnan(w->target)) {
        move_to_place(w, t, y);
        step_off(w, t, y);
    }
    const double apart = SWITCH_APART * fabs(w->t1 - w->t0);
    w->passages = fabs(*t - w->passed) <= apart ? w->passages + 1 : 0;
    if (!w->passages) w->passed = *t;
    const char *why = motion_switches_begin(w, t, y);
    return why || w->passages < SWITCH_PASSAGES ? why : no_motion;
}
