/* integrate/run.c - which method, and from one to the other. */
#include "integrate.h"

const char *const ivp_name[IVP_KINDS] = {
    [IVP_AUTO] = "auto",   [IVP_DOP853] = "dop853", [IVP_TAYLOR] = "taylor",
    [IVP_ADAMS] = "adams", [IVP_BDF] = "bdf",       [IVP_IDA] = "ida"};

const char *ivp_missing(ivp_kind kind)
{
#ifdef AH_WITH_SUNDIALS
    (void) kind;
    return NULL;
#else
    return kind >= IVP_ADAMS ? "this program was built without SUNDIALS" : NULL;
#endif
}

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

static ivp_end by_kind(run *w, ivp_kind kind)
{
    if (kind == IVP_TAYLOR && w->problem->jet) return by_taylor(w);
#ifdef AH_WITH_SUNDIALS
    if (kind == IVP_ADAMS) return go_on_by(w, ivp_adams, 0);
    if (kind == IVP_BDF) return go_on_by(w, ivp_bdf, 0);
    if (kind == IVP_IDA && w->problem->dae) return go_on_by(w, ivp_ida, 0);
#endif
    return go_on_by(w, ivp_dop853, 0);
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
    w.total.end = by_kind(&w, kind);
    return w.total;
}
