/* system/motion_steps.c - a motion of a system, driven from outside. */
#include "system_inside.h"

#include <anholo/motion.h>

#include <math.h>
#include <string.h>

struct ah_motion {
    ah_system *system; /* of the pieces where forces switch: the sides are its last parameters */
    size_t parameters; /* of the user's */
    arena arena;
    point point;
    motion_options options;
    motion_sinks sinks;
    motion_summary summary;
    motion_course *run;
    double *y;   /* work space */
    double from; /* the end of the step before the last one; NAN: there is none */
    bool ended;
    ah_status status;      /* of the end */
    LIST(ah_event) events; /* those that the last call passed, then those ahead in the last step */
    size_t passed;
};

ah_motion_options ah_motion_defaults(void)
{
    return (ah_motion_options){
        .size = sizeof(ah_motion_options), .rtol = 1e-10, .atol = 1e-12, .t = NAN, .end = NAN};
}

static ah_ctx *context_of(const ah_motion *m)
{
    return m->system->model->ctx;
}

static double direction_of(const ah_motion *m)
{
    return m->options.t1 >= m->options.t0 ? 1 : -1;
}

/* ---- Options --------------------------------------------------------------------------------- */

static bool check_numbers(ah_ctx *ctx, const ah_motion_options *o)
{
    if (!motion_tolerances_make_sense(ctx, o->rtol, o->atol)) return false;
    if (!(o->largest_step >= 0))
        return diag_wrong_call(ctx, "the largest step must not be negative");
    if (isinf(o->t) || isinf(o->end))
        return diag_wrong_call(ctx, "a motion begins and ends at finite times");
    return true;
}

static bool all_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* The end of the span as the model gives it, for the parameters in the point. */
static bool choose_end(ah_motion *m, const ah_motion_options *o)
{
    ah_model *model = m->system->model;
    m->options.t1 = o->end;
    if (!isnan(o->end)) return true;
    if (model->t1 == AH_NONE)
        return diag_wrong_call(
            model->ctx,
            "nothing says where the motion ends: set options.end, or write `simulate t = 0 .. T`");
    m->options.t1 = point_eval(&m->point, model->t1);
    return isfinite(m->options.t1) ||
           diag_wrong_call(model->ctx, "the end of the span is not a number");
}

/* ---- The state ------------------------------------------------------------------------------- */

static void put_parameters(ah_motion *m, const double *parameter)
{
    const ah_system *s = m->system;
    frame *values = m->point.values;
    for (size_t i = 0; i < m->parameters; i++) frame_put(values, s->at.parameter[i], parameter[i]);
    for (size_t i = 0; i < s->givens; i++) {
        double value;
        expr_plan_run(s->given[i], values, &value);
        frame_put(values, s->at.given[i], value);
    }
}

static void clear_arena(void *a)
{
    arena_clear(a);
}

/* y into the point, v and what belongs to it. */
static bool put_state(ah_motion *m, double t, const double *y, bool project)
{
    const ah_system *s = m->system;
    point p = m->point; /* the same values; what is made to judge them goes when that is done */
    ah_ctx *ctx = p.ctx;
    arena made;
    ctx_held held;
    arena_init(&made, ctx);
    ctx_hold(ctx, &held, clear_arena, &made);
    p.arena = &made;
    point_set(&p, p.mech->t, t);
    for (uint32_t i = 0; i < s->n; i++) point_set(&p, p.model->q.at[i], y[i]);
    for (uint32_t i = 0; i < s->m; i++) point_set(&p, s->code.second[i], y[s->n + i]);
    if (s->psi) {
        expr_plan_run(s->psi, p.values, m->y);
        for (uint32_t i = 0; i < s->n; i++) point_set(&p, p.model->v.at[i], m->y[i]);
    }
    point_set(&p, p.mech->t, point_beyond_break(&p, t));
    if (project) projector_apply(projector_create(&p), &p);
    const double residual = point_residual(&p, NULL);
    const bool good = residual <= POINT_ADMISSIBLE;
    if (good) point_find_speeds(&p);
    point_set(&p, p.mech->t, t);
    if (!good) {
        diag(ctx, A0608, NOWHERE, "the state contradicts the constraints");
        diag_label(ctx, "relative residual %.3g", residual);
        diag_hint(ctx, "change the state, or have it projected");
    }
    ctx_drop(ctx, &held);
    return good;
}

static bool note_event(void *user, const motion_happening *h, const motion_sample *sample)
{
    ah_motion *m = user;
    (void) sample;
    const ah_event e = {h->event->label, h->t,       h->value,
                        h->direction,    h->touched, h->event->stop && !h->touched};
    LIST_PUSH(&m->arena, &m->events, e);
    return true;
}

/* ---- Creation -------------------------------------------------------------------------------- */

typedef struct making_motion {
    ah_system *system;
    ah_motion_options options;
    ah_motion *m;
    ah_status status;
} making_motion;

/* Where the model begins; the time of a system without a start is that of a random state. */
static double beginning(ah_motion *m)
{
    const ah_system *s = m->system;
    if (s->started) return s->t0;
    return s->model->t0 == AH_NONE ? 0 : point_eval(&m->point, s->model->t0);
}

static bool choose_start(making_motion *w)
{
    ah_motion *m = w->m;
    const ah_system *s = w->system;
    const ah_motion_options *o = &w->options;
    const double *y = o->y ? o->y : s->y0;
    ah_ctx *ctx = s->model->ctx;
    if (!o->y && !s->started)
        return diag_wrong_call(ctx, "the model has no start, and no state is given");
    if (!all_finite(y, s->count[AH_Q_STATE]))
        return diag_wrong_call(ctx, "the state is not finite");
    if (o->parameters && !all_finite(o->parameters, m->parameters))
        return diag_wrong_call(ctx, "a parameter is not finite");
    if (!point_create(s->model, &m->arena, &m->point)) return false;
    put_parameters(m, o->parameters ? o->parameters : s->parameter);
    m->y = NEW_ARRAY(&m->arena, double, s->count[AH_Q_STATE] + 1);
    m->options.t0 = isnan(o->t) ? beginning(m) : o->t;
    return put_state(m, m->options.t0, y, o->project) && choose_end(m, o);
}

static void make_motion(ah_ctx *ctx, void *arg)
{
    making_motion *w = arg;
    const ah_motion_options *o = &w->options;
    ivp_kind kind;
    if (!motion_find_integrator(ctx, o->integrator, &kind) || !check_numbers(ctx, o)) return;
    ah_motion *m = w->m = ctx_realloc(ctx, NULL, 0, sizeof *m);
    *m = (ah_motion){
        .system = w->system, .parameters = w->system->count[AH_Q_PARAMETER], .from = NAN};
    if (w->system->pieces) m->system = w->system = w->system->pieces;
    arena_init(&m->arena, ctx);
    m->options = (motion_options){.tolerance = {.rtol = o->rtol,
                                                .atol = o->atol,
                                                .largest_step = o->largest_step,
                                                .most_steps = o->most_steps},
                                  .every = INFINITY,
                                  .integrator = kind,
                                  .code = &w->system->code};
    m->sinks = (motion_sinks){.event = note_event, .user = m};
    if (!choose_start(w)) return;
    m->run = motion_open(&w->system->equations, &w->system->reactions, &m->point, &m->options,
                         &m->sinks, &m->summary);
    if (m->run) return;
    if (m->summary.refused) w->status = AH_E_REFUSED;
    if (m->summary.refused && *m->summary.refused)
        diag(ctx, A0613, NOWHERE, "the integrator `%s` does not apply: %s", o->integrator,
             m->summary.refused);
}

static void discard(ah_motion *m)
{
    ah_ctx *ctx = context_of(m);
    arena_clear(&m->arena);
    ctx_realloc(ctx, m, sizeof *m, 0);
}

ah_status ah_motion_create(ah_system *s, const ah_motion_options *options, ah_motion **out)
{
    if (out) *out = NULL;
    if (!s || !out) return AH_E_INPUT;
    making_motion w = {.system = s, .options = ah_motion_defaults()};
    if (!base_take_options(s->model->ctx, &w.options, sizeof w.options, options)) return AH_E_INPUT;
    const ah_status status = ctx_guard(s->model->ctx, make_motion, &w);
    if (status == AH_OK && w.status == AH_OK) {
        *out = w.m;
        return AH_OK;
    }
    if (w.m) discard(w.m);
    return w.status != AH_OK ? w.status : status;
}

void ah_motion_destroy(ah_motion *m)
{
    if (m) discard(m);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void say_wrong(ah_ctx *ctx, void *arg)
{
    diag_wrong_call(ctx, *(const char **) arg);
}

static ah_status wrong(const ah_motion *m, const char *what)
{
    ctx_guard(context_of(m), say_wrong, &what);
    return AH_E_INPUT;
}

static void end_motion(ah_motion *m, ivp_end end)
{
    m->ended = true;
    motion_close(m->run, end);
    m->status = !m->summary.stopped || m->summary.stopped_by ? AH_OK
                : end == IVP_TOO_LONG                        ? AH_E_LIMIT
                                                             : AH_E_NUMERIC;
}

static void step(ah_ctx *ctx, void *arg)
{
    ah_motion *m = arg;
    (void) ctx;
    const ivp_end end = motion_step(m->run);
    if (end != IVP_STEPPED)
        end_motion(m, end);
    else if (motion_reached(m->run)) /* known now, not one step later */
        m->ended = true;
}

static ah_status make_step(ah_motion *m)
{
    motion_last_step(m->run, &m->from);
    const ah_status status = ctx_guard_step(context_of(m), step, m);
    if (status != AH_OK) return status;
    return m->ended ? m->status : AH_OK;
}

/* What was passed is told once. */
static void forget_passed(ah_motion *m)
{
    if (!m->passed) return;
    m->events.count -= m->passed;
    memmove(m->events.at, m->events.at + m->passed, m->events.count * sizeof *m->events.at);
    m->passed = 0;
}

ah_status ah_motion_step(ah_motion *m)
{
    if (!m) return AH_E_INPUT;
    if (m->ended) return AH_OK;
    forget_passed(m);
    const ah_status status = make_step(m);
    m->passed = m->events.count;
    return status;
}

double motion_end_of(const ah_motion *m)
{
    return m->options.t1;
}

ah_status motion_status_of(const ah_motion *m)
{
    return m->status;
}

ah_status ah_motion_advance(ah_motion *m, double t)
{
    if (!m) return AH_E_INPUT;
    if (!isfinite(t)) return wrong(m, "a motion advances to a finite time");
    const double way = direction_of(m);
    if (way * (t - ah_motion_time_before(m)) < 0)
        return wrong(m, "the time to advance to lies before the last step of the motion");
    if (way * (t - m->options.t1) > 0)
        return wrong(m, "the time to advance to lies beyond the end of the motion");
    forget_passed(m);
    ah_status status = AH_OK;
    while (status == AH_OK && way * (t - ah_motion_time(m)) > 0) {
        if (m->ended)
            status = m->status == AH_OK ? AH_E_NUMERIC : m->status;
        else
            status = make_step(m);
    }
    while (m->passed < m->events.count && way * (m->events.at[m->passed].t - t) <= 0) m->passed++;
    return status;
}

bool ah_motion_ended(const ah_motion *m)
{
    return !m || m->ended;
}

const char *ah_motion_why(const ah_motion *m)
{
    return m && m->ended ? m->summary.stopped : NULL;
}

double ah_motion_time(const ah_motion *m)
{
    double until = NAN;
    if (m) motion_last_step(m->run, &until);
    return until;
}

/* At a switch one step ends a little before it, and the next begins a little behind it: what lies between belongs to that. */
double ah_motion_time_before(const ah_motion *m)
{
    double until = NAN;
    const ivp_step *last = m ? motion_last_step(m->run, &until) : NULL;
    if (!last) return until;
    return direction_of(m) * (last->t0 - m->from) > 0 ? m->from : last->t0;
}

/* ---- States ---------------------------------------------------------------------------------- */

typedef struct looking {
    ah_motion *m;
    double t, *y;
} looking;

static void look(ah_ctx *ctx, void *arg)
{
    const looking *w = arg;
    double until, residual = INFINITY; /* nobody asks */
    const ivp_step *last = motion_last_step(w->m->run, &until);
    const size_t bytes = w->m->system->count[AH_Q_STATE] * sizeof *w->y;
    (void) ctx;
    if (w->t == until)
        memcpy(w->y, motion_now(w->m->run), bytes);
    else /* not before it, at a switch */
        last->at(last->stepper, direction_of(w->m) * (w->t - last->t0) < 0 ? last->t0 : w->t, w->y);
    motion_state_project(motion_get_state(w->m->run), w->t, w->y, &residual);
}

ah_status ah_motion_state_at(ah_motion *m, double t, double *y)
{
    if (!m || !y) return AH_E_INPUT;
    const double way = direction_of(m);
    if (!(way * (t - ah_motion_time_before(m)) >= 0 && way * (t - ah_motion_time(m)) <= 0))
        return wrong(m, "the state of a motion is known within its last step");
    looking w = {m, t, y};
    return ctx_guard_step(context_of(m), look, &w);
}

ah_status ah_motion_state(ah_motion *m, double *y)
{
    return ah_motion_state_at(m, ah_motion_time(m), y);
}

/* ---- From outside ---------------------------------------------------------------------------- */

typedef struct restarting {
    ah_motion *m;
    double t;
    const double *y, *parameters;
    bool good;
} restarting;

static void take_parameters(const ah_motion *m, double *parameter)
{
    const ah_system *s = m->system;
    for (size_t i = 0; i < m->parameters; i++)
        parameter[i] = frame_at(m->point.values, s->at.parameter[i]);
}

static void restart(ah_ctx *ctx, void *arg)
{
    restarting *w = arg;
    ah_motion *m = w->m;
    const size_t count = m->parameters;
    motion_state *state = motion_get_state(m->run);
    double *before = NEW_ARRAY(&ctx->scratch, double, count + 1);
    double *now = NEW_ARRAY(&ctx->scratch, double, m->system->count[AH_Q_STATE]);
    memcpy(now, w->y, m->system->count[AH_Q_STATE] * sizeof *now);
    take_parameters(m, before);
    if (w->parameters) put_parameters(m, w->parameters);
    w->good = put_state(m, w->t, now, false);
    if (!w->good) {
        put_parameters(m, before);
        return;
    }
    if (w->parameters) motion_state_take_parameters(state);
    m->ended = false;
    m->status = AH_OK;
    m->events.count = m->passed = 0;
    m->from = NAN;
    motion_restart(m->run, w->t, now);
}

ah_status ah_motion_restart(ah_motion *m, double t, const double *y, const double *parameters)
{
    if (!m) return AH_E_INPUT;
    if (!y || !isfinite(t) || !all_finite(y, m->system->count[AH_Q_STATE]))
        return wrong(m, "a motion restarts from a finite time and state");
    if (parameters && !all_finite(parameters, m->parameters))
        return wrong(m, "a motion restarts with finite parameters");
    if (direction_of(m) * (t - m->options.t1) > 0)
        return wrong(m, "a motion cannot restart beyond its end");
    restarting w = {m, t, y, parameters, false};
    return ctx_guard(context_of(m), restart, &w);
}

/* ---- Looking --------------------------------------------------------------------------------- */

size_t ah_motion_events(const ah_motion *m)
{
    return m ? m->passed : 0;
}

ah_status ah_motion_event(const ah_motion *m, size_t index, ah_event *out)
{
    if (!m || !out || index >= m->passed) return AH_E_INPUT;
    *out = m->events.at[index];
    return AH_OK;
}

ah_status ah_motion_statistics(const ah_motion *m, ah_statistics *out)
{
    if (!m || !out) return AH_E_INPUT;
    const ivp_result r = motion_counts(m->run);
    *out = (ah_statistics){.steps = r.steps,
                           .rejected = r.rejected,
                           .evaluations = r.evaluations,
                           .pivoted = motion_get_state(m->run)->pivoted,
                           .energy_start = m->summary.energy_start,
                           .energy_change = m->summary.energy_change,
                           .residual = m->summary.residual,
                           .integrator = ivp_integrators[r.kind].name};
    return AH_OK;
}
