/* integrate/ivp_run.c - which method, and from one to the other.
 *
 * Without a choice of the user's: DOP853 begins. Where there are jets, the Taylor method is tried
 * for a few steps, and the one with the smaller counted cost for the way made goes on; tried again
 * when ten times as many steps are done. Where the steps turn out to be limited by stability, BDF
 * takes over, and hands back when that is over. */
#include "stiffness.h"

#include <math.h>
#include <string.h>

#ifdef AH_WITH_SUNDIALS
#define SUNDIALS(function) function
#else
#define SUNDIALS(function) NULL
#endif

const ivp_integrator ivp_integrators[IVP_KINDS] = {
    [IVP_AUTO] = {"auto", NULL, IVP_NEEDS_NOTHING},
#define X(kind, name, function, needs) [IVP_##kind] = {name, function, IVP_NEEDS_##needs},
#include "integrators.def"
#undef X
};

const char *ivp_names(void)
{
    return "auto"
#define X(kind, name, function, needs) "|" name
#include "integrators.def"
#undef X
        ;
}

ivp_kind ivp_find(const char *name)
{
    ivp_kind kind = IVP_AUTO;
    while (name && kind < IVP_KINDS && strcmp(ivp_integrators[kind].name, name)) kind++;
    return kind;
}

/* Steps of DOP853 where there is no jet. */
#define DETOUR 8
/* Steps before the Taylor method is tried, and of the trial. */
#define BEFORE_TRIAL 60
#define TRIAL        12
/* Runs go on so many times as long before the next trial. */
#define NEXT_TRIAL 10
/* h |λ| at which an explicit method is at its edge: DOP853 is stable to 6, a series of order p to
 * 0.37 p + 1.3 on the negative axis. Accuracy alone never asks for steps as large as these. */
#define EDGE_DOP853 4.5
/* With fewer steps than this to go, an explicit method may stay at the edge: it is done in
 * milliseconds, and more accurate. */
#define FAR 2000
/* Steps after which BDF must have halved the cost of the way. */
#define IMPLICIT_TRIAL 300
/* From explicit to implicit and back at most as often. */
#define MOST_CHANGES 20

typedef struct run {
    ah_ctx *ctx;
    const ivp *problem;
    const ivp_options *options;
    double t1, *y;
    ivp_observer observer;
    void *user;
    ivp_result total;
    uint64_t left; /* steps until this method stops by itself; 0: none */
    bool stopped;  /* by the observer */
    /* of the automatic choice */
    stiffness stiffness;
    bool watches;          /* looks for stiffness */
    bool change;           /* of explicit and implicit is due */
    double progress;       /* of time, a step: the last */
    uint64_t steps, blind; /* so far; until then stiffness is not looked for */
    uint64_t implicit;     /* steps of BDF since the last change … */
    double mark;           /* … and where half of its trial was over */
    double explicit_rate;  /* cost of the way before, per time */
} run;

/* Operations of a step, as they take time in compiled code. */
static double cost_of_step(const run *w, ivp_kind kind)
{
    const ivp_cost *c = &w->problem->cost;
    const double n = w->problem->n, p = ivp_taylor_order(w->options->rtol);
    switch (kind) {
    case IVP_TAYLOR: return 500 + c->rhs + p * (c->order + 2 * n) + 0.15 * p * p * c->product;
    case IVP_BDF: return 3000 + 3 * c->rhs + 5 * n * n + n * n * n / 30;
    default: return 12 * c->rhs + 80 * n;
    }
}

/* BDF has had time to find its order and step: is the way cheaper than it was before? */
static bool is_in_vain(run *w, const ivp_step *step)
{
    if (++w->implicit == IMPLICIT_TRIAL / 2) w->mark = step->t1;
    if (w->implicit != IMPLICIT_TRIAL) return false;
    const double progress = fabs(step->t1 - w->mark) / (IMPLICIT_TRIAL - IMPLICIT_TRIAL / 2);
    return cost_of_step(w, IVP_BDF) > w->explicit_rate * progress / 2;
}

/* Is it time to change from explicit to implicit or back? */
static bool look(run *w, const ivp_step *step)
{
    const double h = fabs(step->t1 - step->t0);
    if (step->kind == IVP_BDF) {
        if (!is_in_vain(w, step)) return stiffness_gone(&w->stiffness, step);
        w->blind = NEXT_TRIAL * w->steps;
        return true;
    }
    if (w->steps < w->blind || fabs(w->t1 - step->t1) < FAR * h) return false;
    const double p = ivp_taylor_order(w->options->rtol);
    const double edge = step->kind == IVP_TAYLOR ? 0.7 * (0.37 * p + 1.3) : EDGE_DOP853;
    w->explicit_rate = cost_of_step(w, step->kind) / h;
    w->implicit = 0;
    return stiffness_seen(&w->stiffness, step, edge);
}

static bool relay(void *user, const ivp_step *step)
{
    run *w = user;
    w->steps++;
    w->stopped = w->observer && !w->observer(w->user, step);
    if (w->stopped) return false;
    if (w->watches && look(w, step)) w->change = true;
    return !w->change && (!w->left || --w->left > 0);
}

/* Goes on by one method, for `most` steps (0: no limit), the first of a given size (0: chosen). */
static ivp_end go_on_by(run *w, ivp_method *by, uint64_t most, double first)
{
    ivp_options o = *w->options;
    const double t0 = w->total.t;
    if (o.most_steps && w->total.steps >= o.most_steps) return IVP_TOO_LONG;
    if (o.most_steps) o.most_steps -= w->total.steps;
    if (w->total.steps) o.first_step = first;
    w->left = most;
    const ivp_result r = by(w->ctx, w->problem, &o, t0, w->t1, w->y, relay, w);
    w->total.kind = r.kind;
    w->total.t = r.t;
    w->total.steps += r.steps;
    w->total.rejected += r.rejected;
    w->total.evaluations += r.evaluations;
    if (r.steps) w->progress = fabs(r.t - t0) / (double) r.steps;
    return r.end;
}

/* The method stopped by itself, not the observer. */
static bool goes_on(const run *w, ivp_end end)
{
    return end == IVP_STOPPED && !w->stopped;
}

static ivp_end by_taylor(run *w, uint64_t most)
{
    for (;;) {
        ivp_end end = go_on_by(w, ivp_taylor, most, 0);
        if (end != IVP_UNDEFINED) return end;
        end = go_on_by(w, ivp_dop853, DETOUR, 0);
        if (!goes_on(w, end) || w->change) return end;
    }
}

/* ---- The automatic choice -------------------------------------------------------------------- */

/* Tries both and goes on by the better, until an end or a change is due. */
static ivp_end by_explicit(run *w)
{
    double step = 0;
    for (uint64_t most = BEFORE_TRIAL;; most *= NEXT_TRIAL) {
        if (!w->problem->jet) return go_on_by(w, ivp_dop853, 0, 0);
        ivp_end end = go_on_by(w, ivp_dop853, BEFORE_TRIAL, step);
        if (!goes_on(w, end) || w->change) return end;
        step = w->progress;
        const double dop853 = cost_of_step(w, IVP_DOP853) / step;
        end = by_taylor(w, TRIAL);
        if (!goes_on(w, end) || w->change) return end;
        const double taylor = cost_of_step(w, IVP_TAYLOR) / w->progress;
        end = taylor < dop853 ? by_taylor(w, most) : go_on_by(w, ivp_dop853, most, step);
        if (!goes_on(w, end) || w->change) return end;
    }
}

#ifdef AH_WITH_SUNDIALS
/* Explicit and implicit in turn. Where BDF fails, DOP853 has the last word. */
static ivp_end by_choice(run *w)
{
    stiffness_init(&w->stiffness, w->ctx, w->problem, w->options);
    w->watches = true;
    for (int changes = 0;; changes++) {
        w->change = false;
        stiffness_restart(&w->stiffness);
        w->watches = changes < MOST_CHANGES;
        ivp_end end;
        if (changes % 2 == 0) {
            end = by_explicit(w);
        } else {
            end = go_on_by(w, ivp_bdf, 0, 0);
            if (end == IVP_TOO_TIGHT || end == IVP_COLLAPSED || end == IVP_UNDEFINED) {
                w->watches = false;
                return go_on_by(w, ivp_dop853, 0, 0);
            }
        }
        if (!goes_on(w, end)) return end;
    }
}
#else
static ivp_end by_choice(run *w)
{
    return by_explicit(w);
}
#endif

/* ---------------------------------------------------------------------------------------------- */

const char *ivp_missing(ivp_kind kind)
{
    const bool there = kind == IVP_AUTO || ivp_integrators[kind].run;
    return there ? NULL : "this program was built without SUNDIALS";
}

/* By DOP853 where the integrator, or what it needs, is not there. */
static ivp_end by_kind(run *w, ivp_kind kind)
{
    const ivp_integrator *by = &ivp_integrators[kind];
    if (kind == IVP_AUTO) return by_choice(w);
    if (by->needs == IVP_NEEDS_JETS && w->problem->jet) return by_taylor(w, 0);
    const bool plain = by->needs == IVP_NEEDS_NOTHING;
    const bool can = by->run && (plain || (by->needs == IVP_NEEDS_DAE && w->problem->dae));
    return go_on_by(w, can ? by->run : ivp_dop853, 0, 0);
}

ivp_result ivp_run(ah_ctx *ctx, ivp_kind kind, const ivp *problem, const ivp_options *options,
                   double t0, double t1, double *y, ivp_observer observer, void *user)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    run w = {.ctx = ctx,
             .problem = problem,
             .options = options,
             .t1 = t1,
             .y = y,
             .observer = observer,
             .user = user,
             .total = {.t = t0}};
    w.total.end = by_kind(&w, kind);
    arena_release(&ctx->scratch, mark);
    return w.total;
}
