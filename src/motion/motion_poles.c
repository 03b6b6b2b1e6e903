/* motion/motion_poles.c - see motion_poles.h. */
#include "motion_poles.h"

#include <math.h>
#include <string.h>

enum { HALVINGS = 60, NARROWINGS = 100 };

struct motion_poles {
    motion_state *state;
    constraint_poles *of;
    size_t count;
    double *last, *middle, *now, *terms; /* at the end of the last step, in this one, at its end */
    double *value;                       /* anywhere */
    double *y;
};

motion_poles *motion_poles_create(motion_state *s)
{
    arena *a = s->p->arena;
    constraint_poles *of = poles_create(s->p);
    if (!of) return NULL;
    motion_poles *w = NEW(a, motion_poles);
    *w = (motion_poles){.state = s, .of = of, .count = poles_count(of)};
    w->last = NEW_ARRAY(a, double, w->count);
    w->middle = NEW_ARRAY(a, double, w->count);
    w->now = NEW_ARRAY(a, double, w->count);
    w->terms = NEW_ARRAY(a, double, w->count);
    w->value = NEW_ARRAY(a, double, w->count);
    w->y = NEW_ARRAY(a, double, s->code.n + s->code.m);
    return w;
}

static void values_at(motion_poles *w, double t, const double *y, double *value)
{
    motion_state_put(w->state, MOTION_AT_STATE, t, y);
    poles_values(w->of, value, w->terms);
}

void motion_poles_begin(motion_poles *w, double t, const double *y)
{
    values_at(w, t, y, w->last);
}

static double value_between(motion_poles *w, const ivp_step *step, double t, size_t i)
{
    step->at(step->stepper, t, w->y);
    values_at(w, t, w->y, w->value);
    return w->value[i];
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

/* Whether a parabola falls towards zero inside the step. */
static bool is_suspect(const motion_poles *w, size_t i)
{
    const double a = fabs(w->last[i]), m = fabs(w->middle[i]), b = fabs(w->now[i]);
    const double slope = b - a, bend = 2 * (a + b - 2 * m); /* in (−1, 1), m in the middle */
    if (m == 0) return true;
    if (!(bend > 0) || fabs(slope) > bend * 1.1) return false;
    return m - slope * slope / (4 * bend) < POLES_SUSPECT * fmin(a, b);
}

/* Whether the constraint grows without bound towards the place where its denominator vanishes. */
static bool grows(motion_poles *w, const ivp_step *step, size_t i, double zero)
{
    double away = step->t0, beside = zero;
    value_between(w, step, away, i);
    const double before = poles_slopes(w->of, i);
    for (int k = 0; k < HALVINGS && beside != away; k++) {
        const double t = away + (beside - away) / 2;
        const double value = fabs(value_between(w, step, t, i));
        if (value > POLES_BESIDE * w->terms[i])
            away = t;
        else
            beside = t;
        if (t == away && value < 2 * POLES_BESIDE * w->terms[i]) break;
    }
    value_between(w, step, away, i);
    return !(poles_slopes(w->of, i) <= POLES_GROWN * before);
}

/* Where the least of it touches zero: by golden section. */
static bool touches(motion_poles *w, const ivp_step *step, size_t i, double *t)
{
    static const double golden = 0.6180339887498949;
    double a = step->t0, b = step->t1;
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
    return !(fmin(fx, fy) > POLES_ZERO * w->terms[i]) && grows(w, step, i, *t);
}

const char *motion_poles_step(motion_poles *w, const ivp_step *step, double *until)
{
    const double middle = step->t0 + (step->t1 - step->t0) / 2;
    size_t first = w->count;
    values_at(w, step->t1, step->y1, w->now);
    value_between(w, step, middle, 0);
    memcpy(w->middle, w->value, w->count * sizeof *w->value);
    for (size_t i = 0; i < w->count; i++) {
        double t;
        if (!is_kept(w, i, w->middle[i]))
            t = crossing(w, step, i, middle);
        else if (!is_kept(w, i, w->now[i]))
            t = crossing(w, step, i, step->t1);
        else if (!is_suspect(w, i) || !touches(w, step, i, &t))
            continue;
        if (first < w->count && fabs(t - step->t0) >= fabs(*until - step->t0)) continue;
        first = i;
        *until = t;
    }
    memcpy(w->last, w->now, w->count * sizeof *w->now);
    return first < w->count ? poles_text(w->of, first) : NULL;
}
