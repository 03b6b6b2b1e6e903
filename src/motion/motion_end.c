/* motion/motion_end.c - where a motion ends, and why: how far a step counts, and what is said of the place. */
#include "motion_course.h"

#include "../real/real.h"

#include <math.h>
#include <string.h>

/* Where a motion ended for no visible reason, it is looked ahead by this part of the span. */
#define AHEAD 1e-6

/* What rows that follow from others may be off by, relative to their terms. */
#define CONTRADICTION 1e-6

/* Velocities, in their sizes, that forces rounded at rest leave of it. */
#define RESTING 1e-12

/* ---- How far a step counts ------------------------------------------------------------------- */

/* Whether Gauss' function is least on the branch alone. */
static bool least_at(motion_course *w, double t, const double *y)
{
    return motion_state_put(&w->state, MOTION_AT_RATES, t, y) &&
           second_class_motion_is_least(w->state.branch);
}

/* Do the rows beside the independent ones hold, too, as far as a projection can bring the state to
 * them? */
static bool rows_hold_at(motion_course *w, double t, const double *y)
{
    double left = INFINITY; /* nobody asks */
    memcpy(w->near, y, (w->state.code.n + w->state.code.m) * sizeof *y);
    motion_state_project(&w->state, t, w->near, &left);
    motion_state_put(&w->state, MOTION_AT_STATE, t, w->near);
    return projector_holds(w->state.projector, CONTRADICTION,
                           fmax(RESTING, w->options->tolerance.atol));
}

static bool has_more_rows(const motion_course *w)
{
    const point *p = w->state.p;
    return p->mech->r > p->model->rank;
}

/* How far in the step it is so. */
static double good_until(motion_course *w, const ivp_step *step,
                         bool (*is_good)(motion_course *w, double t, const double *y))
{
    if (is_good(w, step->t1, step->y1)) return step->t1;
    double good = step->t0, bad = step->t1;
    for (int i = 0; i < 60; i++) {
        const double t = good + (bad - good) / 2;
        if (t == good || t == bad) break;
        step->at(step->stepper, t, w->y);
        if (is_good(w, t, w->y))
            good = t;
        else
            bad = t;
    }
    return good;
}

static const char *why_not_kept(motion_course *w)
{
    point *p = w->state.p;
    uint32_t *all = NEW_ARRAY(p->arena, uint32_t, p->mech->r + 1);
    for (uint32_t i = 0; i < p->mech->r; i++) all[i] = i;
    const char *hidden = hidden_place(p->model, p->arena, p->mech->r, all);
    const char *why = "no reaction keeps all constraints from here on";
    return hidden ? arena_printf(p->arena, "%s: together they ask for %s, which none states", why,
                                 hidden)
                  : why;
}

/* The motion ends where another branch becomes as good, or where no motion satisfies all rows. */
static double exists_until(motion_course *w, const ivp_step *step)
{
    double until = step->t1;
    if (w->state.branch) until = good_until(w, step, least_at);
    if (until != step->t1)
        w->ended = "Gauss' function is least for several accelerations from here on: the motion is "
                   "not determined (--branch follows one)";
    if (w->poles && !w->ended) w->ended = motion_poles_step(w->poles, step, &until);
    if (w->ended || !has_more_rows(w)) return until;
    until = good_until(w, step, rows_hold_at);
    if (until != step->t1) w->ended = why_not_kept(w);
    return until;
}

double motion_valid_until(motion_course *w, const ivp_step *step)
{
    double until = exists_until(w, step), t;
    if (!w->ended && w->singular && motion_singular_step(w->singular, step, &t)) {
        until = t;
        step->at(step->stepper, t, w->y);
        const char *what = motion_singular_explain(w->singular, t, w->y);
        motion_state_put(&w->state, MOTION_AT_STATE, t, w->y);
        const char *beyond = point_beyond_doubles(w->state.p);
        w->ended = beyond ? beyond
                          : arena_printf(&w->state.p->ctx->job, "a singular state: %s",
                                         what ? what : "a rank is lost");
    }
    if (w->ended) step->at(step->stepper, until, w->stop);
    return until;
}

const char *motion_why_stalled(motion_course *w, const ivp_step *step)
{
    const char *why = motion_stall_step(w->stall, step);
    if (!why) return NULL;
    const char *lost =
        w->singular ? motion_singular_explain(w->singular, step->t1, step->y1) : NULL;
    motion_state_put(&w->state, MOTION_AT_STATE, step->t1, step->y1);
    const char *beyond = lost ? point_beyond_doubles(w->state.p) : NULL;
    if (beyond) return beyond;
    if (lost) return arena_printf(&w->state.p->ctx->job, "near a singular state: %s", lost);
    return point_pole(w->state.p) ? "the steps get shorter and shorter here"
                                  : why; /* forces do not jump at a pole of angles */
}

/* ---- Why it ended ---------------------------------------------------------------------------- */

/* What is not a number at the end, or a little ahead of it on the straight way: there the steps
 * that failed have looked. */
static const char *undefined_near_end(motion_course *w)
{
    motion_state *s = &w->state;
    const size_t dimension = s->code.n + s->code.m;
    const double way = w->options->t1 - w->options->t0;
    motion_state_put(s, MOTION_AT_STATE, w->out->t, w->end);
    const char *what = point_undefined(s->p);
    if (what || !motion_state_rhs(s, w->out->t, w->end, s->rate)) return what;
    for (size_t i = 0; i < dimension; i++)
        if (!isfinite(s->rate[i])) return NULL; /* no way on which something could be defined */
    for (double ahead = 1e-15; ahead < AHEAD && !what; ahead *= 4) {
        for (size_t i = 0; i < dimension; i++) w->y[i] = w->end[i] + ahead * way * s->rate[i];
        motion_state_put(s, MOTION_AT_STATE, w->out->t + ahead * way, w->y);
        what = point_undefined(s->p);
    }
    return what;
}

/* A kink a little ahead of the end, on the straight way. */
static const char *kink_near_end(motion_course *w)
{
    motion_state *s = &w->state;
    const double way = AHEAD * (w->options->t1 - w->options->t0);
    if (!w->poles || !motion_state_rhs(s, w->out->t, w->end, s->rate)) return NULL;
    for (size_t i = 0; i < s->code.n + s->code.m; i++) w->y[i] = w->end[i] + way * s->rate[i];
    return motion_poles_passed(w->poles, w->y, w->out->t + way);
}

/* Whether DOP853 goes on where another integrator did not: then that one asks for what it cannot
 * reach. */
static bool dop853_goes_on(motion_course *w)
{
    ivp_options few = w->options->tolerance;
    few.most_steps = 20;
    memcpy(w->y, w->end, w->problem.n * sizeof *w->y);
    const ivp_result r = ivp_run(w->state.p->ctx, IVP_DOP853, &w->problem, &few, w->out->t,
                                 w->options->t1, w->y, NULL, NULL);
    return r.end == IVP_TOO_LONG || r.end == IVP_REACHED;
}

static const char *explain_end(motion_course *w, ivp_end end)
{
    arena *a = &w->state.p->ctx->job;
    const run_failure *failure = &w->state.failure;
    if (w->out->status == AH_E_INTERRUPTED) return "interrupted";
    if (w->out->status == AH_E_LIMIT) return "the time allowed is used up";
    if (w->out->stopped_by) return arena_printf(a, "event \"%s\"", w->out->stopped_by->label);
    if (w->ended) return w->ended;
    if (w->state.branch && (end == IVP_UNDEFINED || end == IVP_COLLAPSED))
        return "the branch of the accelerations ends here: it meets another one";
    switch (end) {
    case IVP_STEPPED:
    case IVP_REACHED: return NULL;
    case IVP_STOPPED: return "stopped";
    case IVP_TOO_LONG: return "the number of steps allowed is used up";
    case IVP_TOO_TIGHT: return "the integrator cannot be as accurate as that";
    case IVP_UNDEFINED:
    case IVP_COLLAPSED: break;
    }
    const char *undefined = undefined_near_end(w);
    if (undefined) return arena_printf(a, "from here on %s", undefined);
    const char *lost = w->singular ? motion_singular_explain(w->singular, w->out->t, w->end) : NULL;
    motion_state_put(&w->state, MOTION_AT_STATE, w->out->t, w->end);
    const char *beyond = point_beyond_doubles(w->state.p);
    if (beyond) return beyond;
    if (lost) return arena_printf(a, "near a singular state: %s", lost); /* it may be missed */
    const char *corner = kink_near_end(w);
    if (corner) return corner;
    const ivp_kind kind = w->out->result.kind;
    if (end == IVP_COLLAPSED && kind != IVP_DOP853 && kind != IVP_TAYLOR && dop853_goes_on(w))
        return arena_printf(
            a, "%s cannot reach the tolerances rtol = %.3g, atol = %.3g here, and dop853 can",
            ivp_integrators[kind].name, w->options->tolerance.rtol, w->options->tolerance.atol);
    if (end == IVP_COLLAPSED)
        return "the step size collapsed: the motion is not smooth here, runs away, or is near a "
               "singular state";
    if (failure->what)
        return arena_printf(a, "a singular state: %s (rank %u, expected %u)", failure->what,
                            failure->rank, failure->expected);
    return "the equations of motion are not defined here";
}

const char *motion_explain_end(motion_course *w, ivp_end end)
{
    const char *why = explain_end(w, end);
    if (!why || w->out->stopped_by || w->out->status != AH_OK) return why;
    motion_state_put(&w->state, MOTION_AT_STATE, w->out->t, w->end);
    const char *pole = point_pole(w->state.p);
    if (!pole) return why;
    return arena_printf(
        &w->state.p->ctx->job,
        "%s; the angles of the body `%s` are near their pole here, where their rates grow without "
        "bound: `turn free e` in their place has none",
        why, pole);
}
