/* integrate/run.c - which method, and from one to the other. */
#include "integrate.h"

const char *const ivp_name[IVP_KINDS] = {
    [IVP_AUTO] = "auto", [IVP_DOP853] = "dop853", [IVP_TAYLOR] = "taylor"};

/* Steps of DOP853 where there is no jet. */
#define DETOUR 8

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
} run;

static bool relay(void *user, const ivp_step *step)
{
    run *w = user;
    w->stopped = w->observer && !w->observer(w->user, step);
    return !w->stopped && (!w->left || --w->left > 0);
}

typedef ivp_result method(ah_ctx *ctx, const ivp *problem, const ivp_options *options, double t0,
                          double t1, double *y, ivp_observer observer, void *user);

/* Goes on by one method, for `most` steps (0: no limit). */
static ivp_end go_on_by(run *w, method *by, uint64_t most)
{
    ivp_options o = *w->options;
    if (o.most_steps && w->total.steps >= o.most_steps) return IVP_TOO_LONG;
    if (o.most_steps) o.most_steps -= w->total.steps;
    w->left = most;
    const ivp_result r = by(w->ctx, w->problem, &o, w->total.t, w->t1, w->y, relay, w);
    w->total.kind = r.kind;
    w->total.t = r.t;
    w->total.steps += r.steps;
    w->total.rejected += r.rejected;
    w->total.evaluations += r.evaluations;
    return r.end;
}

static ivp_end by_taylor(run *w)
{
    for (;;) {
        ivp_end end = go_on_by(w, ivp_taylor, 0);
        if (end != IVP_UNDEFINED) return end;
        end = go_on_by(w, ivp_dop853, DETOUR);
        if (end != IVP_STOPPED || w->stopped) return end;
    }
}

ivp_result ivp_run(ah_ctx *ctx, ivp_kind kind, const ivp *problem, const ivp_options *options,
                   double t0, double t1, double *y, ivp_observer observer, void *user)
{
    run w = {.ctx = ctx,
             .problem = problem,
             .options = options,
             .t1 = t1,
             .y = y,
             .observer = observer,
             .user = user,
             .total = {.t = t0}};
    w.total.end = kind == IVP_TAYLOR && problem->jet ? by_taylor(&w) : go_on_by(&w, ivp_dop853, 0);
    return w.total;
}
