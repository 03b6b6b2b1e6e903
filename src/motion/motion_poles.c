/* motion/motion_poles.c - see motion_poles.h. */
#include "motion_poles.h"

#include <math.h>
#include <string.h>

enum { LOOKS = 8, HALVINGS = 60, NARROWINGS = 100 };

struct motion_poles {
    motion_state *state;
    denominators *of;
    size_t count;
    double *last, *now, *terms;     /* at the end of the last step, and of this one */
    double *at[LOOKS + 1];          /* along it, evenly; both of the former included */
    double *last_slope, *now_slope; /* by time; NAN: not known */
    double *former, former_t;       /* at the end of the step before the last; NAN: none */
    double *value;                  /* anywhere */
    double *both;                   /* of the program: values and terms */
    double *y;
    bool kinks; /* a constraint switches */
    double *came;
};

motion_poles *motion_poles_create(motion_state *s)
{
    arena *a = s->p->arena;
    denominators *of = denominators_create(s->p);
    if (!of) return NULL;
    motion_poles *w = NEW(a, motion_poles);
    *w = (motion_poles){.state = s, .of = of, .count = denominators_count(of)};
    double *room = NEW_ARRAY(a, double, (LOOKS + 6) * w->count);
    double **each[] = {&w->last_slope, &w->now_slope, &w->terms, &w->value, &w->former};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++, room += w->count) *each[i] = room;
    for (size_t i = 0; i <= LOOKS; i++, room += w->count) w->at[i] = room;
    w->last = w->at[0];
    w->now = w->at[LOOKS];
    w->both = NEW_ARRAY(a, double, 2 * w->count);
    w->y = NEW_ARRAY(a, double, s->code.n + s->code.m);
    w->came = NEW_ARRAY(a, double, s->code.n + s->code.m);
    for (size_t i = 0; i < w->count; i++) w->kinks = w->kinks || denominators_switches(of, i);
    return w;
}

/* By the program where it has all of them. */
static void values_at(motion_poles *w, double t, const double *y, double *value)
{
    const program *p = w->state->code.program[MOTION_POLES];
    if (p && p->outputs == 2 * w->count &&
        motion_code_run(&w->state->code, MOTION_POLES, t, y, w->both)) {
        for (size_t i = 0; i < w->count; i++) {
            value[i] = w->both[2 * i];
            w->terms[i] = w->both[2 * i + 1];
        }
        return;
    }
    motion_state_put(w->state, MOTION_AT_STATE, t, y);
    denominators_values(w->of, value, w->terms);
}

void motion_poles_begin(motion_poles *w, double t, const double *y)
{
    values_at(w, t, y, w->last);
    w->former_t = NAN;
    for (size_t i = 0; i < w->count; i++) w->last_slope[i] = NAN;
}

static double value_between(motion_poles *w, const ivp_step *step, double t, size_t i)
{
    step->at(step->stepper, t, w->y);
    values_at(w, t, w->y, w->value);
    return w->value[i];
}

/* The point there: what has no program is asked of it. */
static void put_between(motion_poles *w, const ivp_step *step, double t)
{
    step->at(step->stepper, t, w->y);
    motion_state_put(w->state, MOTION_AT_STATE, t, w->y);
}

/* The size of what divides by it, and how large it is there. */
static double size_between(motion_poles *w, const ivp_step *step, double t, size_t i, double *value)
{
    *value = fabs(value_between(w, step, t, i));
    put_between(w, step, t);
    return denominators_size(w->of, i);
}

/* On the side of its pole where it was? NaN is not. */
static bool is_kept(const motion_poles *w, size_t i, double value)
{
    return w->last[i] == 0 || value * copysign(1, w->last[i]) > 0;
}

/* Where it changes its sign, before a place where it has. */
static double crossing(motion_poles *w, const ivp_step *step, size_t i, double bad)
{
    double good = step->t0;
    for (int k = 0; k < HALVINGS; k++) {
        const double t = good + (bad - good) / 2;
        if (t == good || t == bad) break;
        *(is_kept(w, i, value_between(w, step, t, i)) ? &good : &bad) = t;
    }
    return good;
}

/* Whether a parabola through three looks, this one in the middle, falls towards zero. */
static bool is_suspect(const motion_poles *w, size_t i, int look)
{
    const double a = fabs(w->at[look - 1][i]), m = fabs(w->at[look][i]),
                 b = fabs(w->at[look + 1][i]);
    const double slope = b - a, bend = 2 * (a + b - 2 * m); /* in (−1, 1), m in the middle */
    if (m == 0) return true;
    if (!(bend > 0) || fabs(slope) > bend * 1.1) return false;
    return m - slope * slope / (4 * bend) < POLES_SUSPECT * fmin(a, b);
}

/* The last time on the way from `away` to its zero at which it is still larger. */
static double beside(motion_poles *w, const ivp_step *step, size_t i, double away, double zero,
                     double than)
{
    for (int k = 0; k < HALVINGS; k++) {
        const double t = away + (zero - away) / 2;
        if (t == away || t == zero) break;
        *(fabs(value_between(w, step, t, i)) > than ? &away : &zero) = t;
    }
    return away;
}

/* Whether what divides by it grows without bound towards the place where it vanishes: from the end of the step that is farther
 * from there. */
static bool grows(motion_poles *w, const ivp_step *step, size_t i, double zero)
{
    double size[4], away = fabs(w->last[i]) > fabs(w->now[i]) ? step->t0 : step->t1, far, value;
    size[0] = size_between(w, step, away, i, &far);
    const double less = cbrt(fmax(POLES_BESIDE, POLES_NOISE * w->terms[i] / far));
    if (!(less < POLES_APART)) return true; /* steps this short have met something */
    for (int k = 1; k < 4; k++) {
        away = beside(w, step, i, away, zero, far * pow(less, k));
        size[k] = size_between(w, step, away, i, &value);
    }
    return !(fabs(size[3] - size[2]) <= POLES_QUICKER * fabs(size[2] - size[1]));
}

static double look_at(const ivp_step *step, int look)
{
    return look == LOOKS ? step->t1 : step->t0 + (step->t1 - step->t0) * look / LOOKS;
}

/* Where the least of it touches zero between the neighbours of a look: by golden section. */
static bool touches(motion_poles *w, const ivp_step *step, size_t i, int look, double *t)
{
    static const double golden = 0.6180339887498949;
    double a = look_at(step, look - 1), b = look_at(step, look + 1);
    double x = b - golden * (b - a), y = a + golden * (b - a);
    double fx = fabs(value_between(w, step, x, i)), fy = fabs(value_between(w, step, y, i));
    for (int k = 0; k < NARROWINGS; k++) {
        if (fx < fy) {
            b = y, y = x, fy = fx, x = b - golden * (b - a);
            fx = fabs(value_between(w, step, x, i));
        } else {
            a = x, x = y, fx = fy, y = a + golden * (b - a);
            fy = fabs(value_between(w, step, y, i));
        }
        if (!(fmin(fx, fy) > POLES_ZERO * w->terms[i])) break;
    }
    *t = fx < fy ? x : y;
    return !(fmin(fx, fy) > POLES_ZERO * w->terms[i]);
}

/* By the rates at an end of the step, where these are at hand. */
static void slopes_at(motion_poles *w, const ivp_step *step, double t, const double *y,
                      const double *f, const double *value, double *slope)
{
    const double ahead = POLES_AHEAD * (step->t1 - step->t0);
    for (size_t i = 0; i < w->state->code.n + w->state->code.m; i++)
        w->y[i] = f ? y[i] + ahead * f[i] : NAN;
    if (f) values_at(w, t + ahead, w->y, slope);
    for (size_t i = 0; i < w->count; i++) slope[i] = f ? (slope[i] - value[i]) / ahead : NAN;
}

/* Whether they have hardly changed in two steps, and as a line does: then not even slopes are asked for. */
static bool are_steady(const motion_poles *w, const ivp_step *step)
{
    const double ratio = (step->t1 - step->t0) / (step->t0 - w->former_t);
    bool steady = ratio < POLES_AS_LONG; /* NaN is not */
    for (size_t i = 0; i < w->count && steady; i++) {
        const double before = w->last[i] - w->former[i], since = w->now[i] - w->last[i];
        const double most = POLES_STEADY * fabs(w->last[i]);
        steady = fabs(before) < most && fabs(since) < most && fabs(since - ratio * before) < most;
    }
    return steady;
}

/* Whether they all stay on their side, far from zero: nothing between the ends need be worked out then. In t = 0 .. 1 the
 * cubic lies above all four numbers of Bernstein's form. */
static bool stay_away(motion_poles *w, const ivp_step *step)
{
    const double h = step->t1 - step->t0;
    bool away = true;
    slopes_at(w, step, step->t1, step->y1, step->f1, w->now, w->now_slope);
    if (isnan(w->last_slope[0]))
        slopes_at(w, step, step->t0, step->y0, step->f0, w->last, w->last_slope);
    for (size_t i = 0; i < w->count && away; i++) {
        const double side = copysign(1, w->last[i]), a = side * w->last[i], b = side * w->now[i];
        const double least = POLES_AWAY * fmin(a, b);
        away = least > 0 && a + side * w->last_slope[i] * h / 3 >= least &&
               b - side * w->now_slope[i] * h / 3 >= least;
    }
    return away;
}

/* The first zero of the i-th in the step; false: there is none. */
static bool vanishes(motion_poles *w, const ivp_step *step, size_t i, double *t)
{
    if (denominators_switches(w->of, i) && w->last[i] == 0 && w->now[i] != 0) {
        *t = step->t0; /* it has begun at the kink */
        return true;
    }
    for (int k = 1; k <= LOOKS; k++) {
        if (!is_kept(w, i, w->at[k][i])) {
            *t = crossing(w, step, i, look_at(step, k));
            return true;
        }
        if (k < LOOKS && !denominators_switches(w->of, i) && is_kept(w, i, w->at[k + 1][i]) &&
            is_suspect(w, i, k) && touches(w, step, i, k, t))
            return true;
    }
    return false;
}

/* Beyond the place where it switches, as near as the time and the state can tell. */
static double beyond(motion_poles *w, const ivp_step *step, size_t i, double t)
{
    double h = POLES_ASIDE * (step->t1 - step->t0);
    while (fabs(step->t1 - t) > fabs(h) && is_kept(w, i, value_between(w, step, t + h, i))) h *= 2;
    return fabs(step->t1 - t) > fabs(h) ? t + h : step->t1;
}

/* Whether velocities have been moved by more than a share of the largest. */
static bool are_struck(const motion_state *s, const double *before, const double *y, double share)
{
    double fastest = 0, jump = 0;
    for (size_t i = s->code.n; i < s->code.n + s->code.m; i++) {
        fastest = fmax(fastest, fabs(before[i]));
        jump = fmax(jump, fabs(y[i] - before[i]));
    }
    return jump > share * fastest;
}

/* Whether a projection there moves velocities: beside x = 0 nothing but rounding errors is left of y = x |x|. */
static bool moves(motion_poles *w, const ivp_step *step, double t)
{
    double residual = INFINITY; /* nobody asks */
    if (w->state->psi) return true;
    step->at(step->stepper, t, w->y);
    memcpy(w->came, w->y, (w->state->code.n + w->state->code.m) * sizeof *w->y);
    motion_state_project(w->state, t, w->came, &residual);
    return are_struck(w->state, w->y, w->came, POLES_MOVED);
}

/* Whether the velocities that come to where a constraint switches contradict it beyond. */
static bool jumps(motion_poles *w, const ivp_step *step, size_t i, double t)
{
    const double h = POLES_ASIDE * (step->t1 - step->t0);
    double terms[2];
    put_between(w, step, fabs(t - step->t0) > fabs(h) ? t - h : step->t0);
    const double before = denominators_constraint(w->of, i, &terms[0]);
    const double there = beyond(w, step, i, t);
    put_between(w, step, there);
    const double after = denominators_constraint(w->of, i, &terms[1]);
    return fabs(after - before) > POLES_JUMP * fmax(terms[0], terms[1]) && moves(w, step, there);
}

/* Whether the motion ends where the i-th vanishes. */
static bool ends_at(motion_poles *w, const ivp_step *step, size_t i, double t)
{
    return denominators_switches(w->of, i) ? jumps(w, step, i, t) : grows(w, step, i, t);
}

static size_t first_pole(motion_poles *w, const ivp_step *step, double *until)
{
    size_t first = w->count;
    for (int k = 1; k < LOOKS; k++) {
        value_between(w, step, look_at(step, k), 0);
        memcpy(w->at[k], w->value, w->count * sizeof *w->value);
    }
    for (size_t i = 0; i < w->count; i++) {
        double t;
        if (!vanishes(w, step, i, &t) || !ends_at(w, step, i, t)) continue;
        if (first < w->count && fabs(t - step->t0) >= fabs(*until - step->t0)) continue;
        first = i;
        *until = t;
    }
    return first;
}

const char *motion_poles_step(motion_poles *w, const ivp_step *step, double *until)
{
    values_at(w, step->t1, step->y1, w->now);
    const bool steady = are_steady(w, step);
    if (steady) w->now_slope[0] = NAN;
    const size_t first = steady || stay_away(w, step) ? w->count : first_pole(w, step, until);
    memcpy(w->former, w->last, w->count * sizeof *w->last);
    w->former_t = step->t0;
    memcpy(w->last, w->now, w->count * sizeof *w->now);
    memcpy(w->last_slope, w->now_slope, w->count * sizeof *w->now_slope);
    return first < w->count ? denominators_text(w->of, first) : NULL;
}

bool motion_poles_kinks(const motion_poles *w)
{
    return w->kinks;
}

bool motion_poles_project(motion_poles *w, motion_state *s, double t, double *y, double *residual)
{
    const size_t bytes = (s->code.n + s->code.m) * sizeof *y;
    if (!w || !w->kinks) return motion_state_project(s, t, y, residual);
    memcpy(w->came, y, bytes);
    if (!motion_state_project(s, t, y, residual)) return false;
    if (!are_struck(s, w->came, y, POLES_BLOW)) return true;
    memcpy(y, w->came, bytes);
    *residual = 0;
    return false;
}

/* The kink whose side, or place, the state y is not at any more; count: none. */
static size_t kink_passed(motion_poles *w, double t, const double *y)
{
    values_at(w, t, y, w->value);
    for (size_t i = 0; i < w->count; i++) {
        const bool left = w->last[i] == 0 ? w->value[i] != 0 : !is_kept(w, i, w->value[i]);
        if (left && denominators_switches(w->of, i)) return i;
    }
    return w->count;
}

const char *motion_poles_passed(motion_poles *w, const double *y, double t)
{
    double residual = INFINITY;
    const size_t i = w->kinks && !w->state->psi ? kink_passed(w, t, y) : w->count;
    if (i == w->count) return NULL;
    memcpy(w->came, y, (w->state->code.n + w->state->code.m) * sizeof *y);
    motion_state_project(w->state, t, w->came, &residual);
    return are_struck(w->state, y, w->came, POLES_BLOW) ? denominators_text(w->of, i) : NULL;
}
