/* integrate/ivp_run.c - which integrator, and from one to the other.
 *
 * Without a choice of the user's: DOP853 begins. Where there are jets, the Taylor method is tried
 * for a few steps, DOP853 goes the same way once more, and the one with the smaller counted cost goes
 * on; tried again when ten times as many steps are done. Where the steps turn out to be limited by stability, BDF
 * takes over, and hands back when that is over. */
#include "stiffness.h"
#include <assert.h>

#include <math.h>
#include <string.h>

#define OWN(stepper) stepper
#ifdef AH_WITH_SUNDIALS
#define SUNDIALS(stepper) stepper
#else
#define SUNDIALS(stepper) NULL
#endif

const ivp_integrator ivp_integrators[IVP_KINDS] = {
    [IVP_AUTO] = {"auto", NULL, IVP_NEEDS_NOTHING},
#define X(kind, name, stepper, library, needs)                                                     \
    [IVP_##kind] = {name, library(&stepper), IVP_NEEDS_##needs},
#include "integrators.def"
#undef X
};

const char *ivp_names(void)
{
    return "auto"
#define X(kind, name, stepper, library, needs) "|" name
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
/* Steps of DOP853 before the Taylor method is tried, of the trial, and of what is chosen by it. */
#define BEFORE_TRIAL 20
#define TRIAL        10
#define AFTER_TRIAL  60
/* DOP853 that has cost as many times as much on the way of the trial is not the better one: it does not go to its end. */
#define DEARER 1.5
/* DOP853 beside the Taylor method takes this part of the tolerances: at the same ones its motions have ten to twenty times the
 * error (bench/trajectories.py: 4 to 128, most 16), and one stretch of it would spoil what the other earns. */
#define AS_ACCURATE (1.0 / 16)
/* … but no relative one below this. */
#define LEAST_RTOL 1e-14
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

/* What is being done; each phase is one integrator, or Taylor's with detours. */
typedef enum phase {
    ALONE,       /* the user's choice, or DOP853 where there is no jet */
    BEFORE,      /* DOP853 before a trial of Taylor's method */
    TRIAL_PHASE, /* of Taylor's method */
    CHOSEN,      /* the better of the two */
    IMPLICIT,    /* BDF */
    LAST_WORD    /* DOP853 where BDF failed */
} phase;

typedef struct ivp_drive {
    ah_ctx *ctx;
    arena *arena;
    const ivp *problem;
    const ivp_options *options;
    ivp_kind wanted;
    double t1, *y;
    double order;             /* of Taylor's method at these tolerances */
    ivp_result total;         /* of the methods before the present one */
    void *stepper[IVP_KINDS]; /* made when needed */
    ivp_options own[IVP_KINDS];
    ivp_kind now;
    double entered; /* where the present integrator began */
    uint64_t left;  /* steps until it stops by itself; 0: none */
    bool due;       /* it stops before the next step … */
    ivp_end begun;  /* … or did not even begin */
    bool ended;     /* for good: all is in `total` */
    phase phase;
    bool taylor, detour; /* the phase is Taylor's; DOP853 helps out */
    uint64_t most;       /* steps of Taylor's phase */
    /* of the automatic choice */
    stiffness stiffness;
    int changes;                             /* of explicit and implicit */
    bool watches;                            /* looks for stiffness */
    bool change;                             /* is due */
    double progress;                         /* of time, a step: the last */
    double way[IVP_KINDS], tries[IVP_KINDS]; /* of each in the trials so far, on the same ways */
    double trial_t, *trial_y;                /* where the trial began */
    double step;                             /* DOP853's before the trial */
    uint64_t run;                            /* steps before the next trial */
    uint64_t steps, blind;                   /* so far; until then stiffness is not looked for */
    uint64_t implicit;                       /* steps of BDF since the last change … */
    double mark;                             /* … and where half of its trial was over */
    double explicit_rate;                    /* cost of the way before, per time */
} ivp_drive;

/* Series beyond half of the first level of the cache, which they share with all else, slow a jet down: Chaplygin's sphere (22 kB) takes
 * 1.4 times as long as its operations tell, the rattleback (54 kB) 1.6 times. */
#define CACHE 16384.0

static double cost_of_jet(const ivp_cost *c, double p)
{
    const double beyond = 8 * p * (c->order + c->product) / CACHE - 1;
    return (2 * p * c->order + 0.09 * p * p * c->product) * (1 + 1.3 * fmin(fmax(beyond, 0), 0.5));
}

/* Operations of a try, as they take time in compiled code; measured on the systems of bench/. */
static double cost_of_step(const ivp_drive *w, ivp_kind kind)
{
    const ivp_cost *c = &w->problem->cost;
    const double n = w->problem->n, p = w->order;
    switch (kind) {
    case IVP_TAYLOR: return 800 + 1.4 * p * n + cost_of_jet(c, p);
    case IVP_BDF: return 3000 + 3 * c->rhs + 5 * n * n + n * n * n / 30;
    default: return 500 + 11 * c->rhs + 30 * n;
    }
}

/* BDF has had time to find its order and step: is the way cheaper than it was before? */
static bool is_in_vain(ivp_drive *w, const ivp_step *step)
{
    if (++w->implicit == IMPLICIT_TRIAL / 2) w->mark = step->t1;
    if (w->implicit != IMPLICIT_TRIAL) return false;
    const double progress = fabs(step->t1 - w->mark) / (IMPLICIT_TRIAL - IMPLICIT_TRIAL / 2);
    return cost_of_step(w, IVP_BDF) > w->explicit_rate * progress / 2;
}

/* Is it time to change from explicit to implicit or back? */
static bool look(ivp_drive *w, const ivp_step *step)
{
    const double h = fabs(step->t1 - step->t0);
    if (step->kind == IVP_BDF) {
        if (!is_in_vain(w, step)) return stiffness_gone(&w->stiffness, step);
        w->blind = NEXT_TRIAL * w->steps;
        return true;
    }
    if (w->steps < w->blind || fabs(w->t1 - step->t1) < FAR * h) return false;
    const double edge = step->kind == IVP_TAYLOR ? 0.7 * (0.37 * w->order + 1.3) : EDGE_DOP853;
    if (!stiffness_seen(&w->stiffness, step, edge)) return false;
    w->explicit_rate = cost_of_step(w, step->kind) / h;
    w->implicit = 0;
    return true;
}

/* ---- One integrator after the other ---------------------------------------------------------- */

static const ivp_result *counts(const ivp_drive *w)
{
    return w->stepper[w->now];
}

/* Where it is compared with Taylor's. */
static ivp_options as_accurate(const ivp_drive *w, ivp_options o)
{
    if (!w->problem->jet) return o;
    o.rtol = fmax(AS_ACCURATE * o.rtol, fmin(o.rtol, LEAST_RTOL));
    o.atol *= AS_ACCURATE;
    return o;
}

/* Goes on by one integrator, for `most` steps (0: no limit), the first of a given size (0: chosen). */
static void enter(ivp_drive *w, ivp_kind kind, uint64_t most, double first)
{
    ivp_options *o = &w->own[kind];
    *o = *w->options;
    w->now = kind;
    w->left = most;
    w->due = false;
    w->entered = w->total.t;
    w->begun = IVP_TOO_LONG;
    if (o->most_steps && w->total.steps >= o->most_steps) return;
    if (o->most_steps) o->most_steps -= w->total.steps;
    if (w->total.steps) o->first_step = first;
    if (kind == IVP_DOP853 && w->phase == BEFORE) *o = as_accurate(w, *o);
    const ivp_stepper *by = ivp_integrators[kind].by;
    assert(by); /* the row of a kind that was chosen */
    if (!w->stepper[kind]) w->stepper[kind] = by->open(w->ctx, w->arena, w->problem);
    w->total.kind = kind;
    w->begun = by->begin(w->stepper[kind], o, w->total.t, w->t1, w->y);
}

static void count_way(ivp_drive *w, const ivp_result *r, double from)
{
    w->way[r->kind] += fabs(r->t - from);
    w->tries[r->kind] += (double) (r->steps + r->rejected);
}

static void leave(ivp_drive *w)
{
    if (!w->stepper[w->now] || w->begun == IVP_TOO_LONG) return;
    const ivp_result *r = counts(w);
    w->total.t = r->t;
    w->total.steps += r->steps;
    w->total.rejected += r->rejected;
    w->total.evaluations += r->evaluations;
    if (r->steps) w->progress = fabs(r->t - w->entered) / (double) r->steps;
    if (w->phase == TRIAL_PHASE && w->now == IVP_TAYLOR) count_way(w, r, w->entered);
}

static void enter_taylor(ivp_drive *w, phase what, uint64_t most)
{
    w->phase = what;
    w->taylor = true;
    w->detour = false;
    w->most = most;
    enter(w, IVP_TAYLOR, most, 0);
}

static void enter_dop853(ivp_drive *w, phase what, uint64_t most, double first)
{
    w->phase = what;
    w->taylor = w->detour = false;
    enter(w, IVP_DOP853, most, first);
}

/* ---- The automatic choice -------------------------------------------------------------------- */

/* Explicit and implicit in turn. */
static void enter_explicit_or_implicit(ivp_drive *w)
{
    w->change = false;
    stiffness_restart(&w->stiffness);
    w->watches = ivp_integrators[IVP_BDF].by && w->changes < MOST_CHANGES;
    if (w->changes % 2) {
        w->phase = IMPLICIT;
        w->taylor = false;
        enter(w, IVP_BDF, 0, 0);
        return;
    }
    w->run = AFTER_TRIAL;
    w->step = 0;
    memset(w->way, 0, sizeof w->way);
    memset(w->tries, 0, sizeof w->tries);
    if (w->problem->jet)
        enter_dop853(w, BEFORE, BEFORE_TRIAL, 0);
    else
        enter_dop853(w, ALONE, 0, 0);
}

/* A step of DOP853 here: as many times as long as one of the trial as it was before. */
static double step_of_dop853(const ivp_drive *w)
{
    const double *way = w->way, *tries = w->tries;
    if (!(way[IVP_DOP853] > 0 && way[IVP_TAYLOR] > 0)) return w->step;
    return w->progress * (way[IVP_DOP853] / tries[IVP_DOP853]) /
           (way[IVP_TAYLOR] / tries[IVP_TAYLOR]);
}

/* The way of the trial once more by DOP853, of which nothing is kept: elsewhere its steps would tell of other places. */
static void repeat_trial(ivp_drive *w)
{
    ivp_options o = as_accurate(w, *w->options);
    const double dearer = DEARER * cost_of_step(w, IVP_TAYLOR) / cost_of_step(w, IVP_DOP853);
    o.first_step = step_of_dop853(w);
    o.most_steps = TRIAL + (uint64_t) (TRIAL * dearer);
    const ivp_result r =
        ivp_go(w->ctx, &ivp_dop853, w->problem, &o, w->trial_t, w->total.t, w->trial_y, NULL, NULL);
    count_way(w, &r, w->trial_t);
    if (r.steps) w->step = fabs(r.t - w->trial_t) / (double) r.steps;
}

static double cost_of_way(const ivp_drive *w, ivp_kind kind)
{
    return cost_of_step(w, kind) * w->tries[kind] / w->way[kind];
}

/* Tries both and goes on by the better, for ten times as many steps each time. */
static void enter_next_phase(ivp_drive *w)
{
    if (w->phase != TRIAL_PHASE) {
        if (w->phase == CHOSEN) w->run *= NEXT_TRIAL;
        if (w->now == IVP_DOP853) w->step = w->progress;
        w->trial_t = w->total.t;
        memcpy(w->trial_y, w->y, w->problem->n * sizeof *w->y);
        enter_taylor(w, TRIAL_PHASE, TRIAL);
        return;
    }
    repeat_trial(w);
    if (cost_of_way(w, IVP_TAYLOR) < cost_of_way(w, IVP_DOP853))
        enter_taylor(w, CHOSEN, w->run);
    else
        enter_dop853(w, CHOSEN, w->run, w->step);
}

/* The present integrator has ended, by itself (IVP_STOPPED) or for good: whether another one goes on.
 * Where BDF fails, DOP853 has the last word. */
static bool go_on(ivp_drive *w, ivp_end end)
{
    const bool failed = end == IVP_TOO_TIGHT || end == IVP_COLLAPSED || end == IVP_UNDEFINED;
    if (w->taylor && !w->detour && end == IVP_UNDEFINED) {
        w->detour = true;
        enter(w, IVP_DOP853, DETOUR, 0);
    } else if (w->detour && end == IVP_STOPPED && !w->change) {
        enter_taylor(w, w->phase, w->most);
    } else if (w->phase == IMPLICIT && failed) {
        w->watches = false;
        enter_dop853(w, LAST_WORD, 0, 0);
    } else if (end != IVP_STOPPED) {
        return false;
    } else if (w->change) {
        w->changes++;
        enter_explicit_or_implicit(w);
    } else {
        enter_next_phase(w);
    }
    return true;
}

/* ---- The drive ------------------------------------------------------------------------------- */

ivp_drive *ivp_drive_open(ah_ctx *ctx, arena *a, ivp_kind kind, const ivp *problem,
                          const ivp_options *options)
{
    ivp_drive *w = NEW(a, ivp_drive);
    *w =
        (ivp_drive){.ctx = ctx, .arena = a, .problem = problem, .options = options, .wanted = kind};
    w->order = ivp_taylor_order(options->rtol);
    if (kind != IVP_AUTO) return w;
    stiffness_init(&w->stiffness, a, problem, options);
    w->trial_y = NEW_ARRAY(a, double, problem->n + 1);
    return w;
}

/* By DOP853 where the integrator, or what it needs, is not there. */
void ivp_drive_begin(ivp_drive *w, double t0, double t1, double *y)
{
    const ivp_integrator *by = &ivp_integrators[w->wanted];
    if (w->stepper[w->now] && !w->ended) leave(w); /* its counts stay */
    w->ended = false;
    w->total.t = t0;
    w->t1 = t1;
    w->y = y;
    w->changes = 0;
    const bool can = by->by && (by->needs == IVP_NEEDS_NOTHING ||
                                (by->needs == IVP_NEEDS_JETS && w->problem->jet) ||
                                (by->needs == IVP_NEEDS_DAE && w->problem->dae));
    if (w->wanted == IVP_AUTO) {
        enter_explicit_or_implicit(w);
    } else if (can && by->needs == IVP_NEEDS_JETS) {
        enter_taylor(w, ALONE, 0);
    } else {
        w->phase = ALONE;
        w->taylor = false;
        enter(w, can ? w->wanted : IVP_DOP853, 0, 0);
    }
}

ivp_end ivp_drive_step(ivp_drive *w, ivp_step *out)
{
    for (;;) {
        ivp_end end = w->due ? IVP_STOPPED : w->begun;
        if (end == IVP_STEPPED) end = ivp_integrators[w->now].by->step(w->stepper[w->now], out);
        if (end == IVP_STEPPED) return end;
        leave(w);
        if (go_on(w, end)) continue;
        w->begun = end; /* for good */
        w->due = false;
        w->ended = true;
        return end;
    }
}

void ivp_drive_settle(ivp_drive *w, const ivp_step *step, bool more)
{
    w->steps++;
    if (more && w->watches && look(w, step)) w->change = true;
    w->due = more && (w->change || (w->left && --w->left == 0));
    ivp_integrators[w->now].by->settle(w->stepper[w->now]);
}

ivp_result ivp_drive_result(const ivp_drive *w)
{
    ivp_result r = w->total;
    if (w->ended || !w->stepper[w->now]) return r;
    const ivp_result *now = counts(w);
    r.t = now->t;
    r.steps += now->steps;
    r.rejected += now->rejected;
    r.evaluations += now->evaluations;
    return r;
}

/* ---------------------------------------------------------------------------------------------- */

const char *ivp_missing(ivp_kind kind)
{
    const bool there = kind == IVP_AUTO || ivp_integrators[kind].by;
    return there ? NULL : "this program was built without SUNDIALS";
}

ivp_result ivp_run(ah_ctx *ctx, ivp_kind kind, const ivp *problem, const ivp_options *options,
                   double t0, double t1, double *y, ivp_observer observer, void *user)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    ivp_drive *w = ivp_drive_open(ctx, &ctx->scratch, kind, problem, options);
    ivp_step step;
    ivp_end end;
    ivp_drive_begin(w, t0, t1, y);
    while ((end = ivp_drive_step(w, &step)) == IVP_STEPPED) {
        const bool more = !observer || observer(user, &step);
        ivp_drive_settle(w, &step, more);
        if (more) continue;
        end = IVP_STOPPED;
        break;
    }
    ivp_result result = ivp_drive_result(w);
    result.end = end;
    arena_release(&ctx->scratch, mark);
    return result;
}

ivp_result ivp_go(ah_ctx *ctx, const ivp_stepper *by, const ivp *problem,
                  const ivp_options *options, double t0, double t1, double *y,
                  ivp_observer observer, void *user)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    void *stepper = by->open(ctx, &ctx->scratch, problem);
    ivp_step step;
    ivp_end end = by->begin(stepper, options, t0, t1, y);
    while (end == IVP_STEPPED && (end = by->step(stepper, &step)) == IVP_STEPPED) {
        const bool more = !observer || observer(user, &step);
        by->settle(stepper);
        if (!more) end = IVP_STOPPED;
    }
    ivp_result result = *(const ivp_result *) stepper;
    result.end = end;
    arena_release(&ctx->scratch, mark);
    return result;
}
