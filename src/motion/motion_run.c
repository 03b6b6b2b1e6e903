/* motion/motion_run.c - integration of a model's equations of motion.
 *
 * The variables are the method's own (motion_code.h); what they do not keep on the constraints is
 * projected in the metric of M. */
#include "motion_course.h"

#include "motion_charts.h"
#include "motion_pivots.h"
#include "motion_unique.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A run of so many steps is worth tcc, and a look for what cc has compiled before: as much time as these steps, interpreted. */
#define COMPILE_AFTER 30
/* After this many steps the length of the run is known well enough to judge by it … */
#define JUDGE_AFTER 1000
/* … and operations that tcc's code must have saved when cc's takes over, twice as fast: as many as
 * it does while cc starts, and while cc compiles one operation. */
#define COMPILE_START 1e8
#define COMPILE_EACH  5e5

/* Numbers between this and its inverse are of ordinary size. */
#define ORDINARY 0x1p-10

/* Rows nearer to each other than this part of the span are one. */
#define SAME_ROW 1e-12
/* Velocities that a projection changes by more than this share are no longer those of the motion. */
#define TURNED 1e-3

/* ---- What the integrator calls --------------------------------------------------------------- */

static bool rhs(void *user, double t, const double *y, double *dy)
{
    motion_course *w = user;
    return motion_state_rhs(&w->state, w->switches ? motion_switches_inside(w->switches, t) : t, y,
                            dy);
}

static bool trial(void *user, ivp_trial *x)
{
    motion_course *w = user;
    motion_code *c = &w->state.code;
    const bool ends = x->whole && c->ends && !(w->poles && motion_poles_kinks(w->poles));
    const double in[] = {x->t, x->h, x->rtol, x->atol, ends};
    double error[2];
    const double end = x->t + x->h;
    c->looked = NULL;
    if (!c->step) return false;
    if (w->switches && motion_switches_inside(w->switches, end) != end) return false;
    if (!c->step(c->constants, in, x->y, x->carry, x->k, x->next, x->lost, error, c->look))
        return false;
    x->error = error[0];
    x->whole = ((int) error[1] & MOTION_END_WHOLE) != 0;
    x->moved = ((int) error[1] & MOTION_END_MOVED) != 0;
    if (x->whole) {
        c->looked = x->next;
        c->looked_t = end;
        w->out->residual = fmax(w->out->residual, c->look[0]);
    }
    w->state.evaluations += 11u + x->whole; /* stages after the first */
    return true;
}

static bool jet(void *user, double t, uint32_t order, double *y)
{
    motion_course *w = user;
    w->state.evaluations++;
    return motion_code_jet(&w->state.code, t, order, y);
}

static bool jacobian(void *user, double t, const double *y, double *J)
{
    motion_course *w = user;
    return motion_state_jacobian(&w->state, t, y, J);
}

static void project(void *user, double t, double *y, bool *moved)
{
    motion_course *w = user;
    double residual = w->out->residual;
    *moved = motion_poles_project(w->poles, &w->state, t, y, &residual);
    w->out->residual = fmax(w->out->residual, residual);
}

/* ---- Constants ------------------------------------------------------------------------------- */

/* Those that claims name and that a motion gives; der(e) = 0 is the claim, e is what is looked at.
 */
static void choose_constants(motion_course *w)
{
    point *p = w->state.p;
    const ah_model *m = p->model;
    expr_list list = {0};
    motion_summary *out = w->out;
    out->constant = NEW_ARRAY(p->arena, motion_constant, m->claims.count + 1);
    for (size_t i = 0; i < m->claims.count; i++) {
        const model_claim *c = &m->claims.at[i];
        if (c->constant == AH_NONE || c->refute) continue;
        const motion_level level = motion_state_needs(&w->state, c->constant);
        if (level == MOTION_UNKNOWN) continue;
        w->constants_level |= level;
        LIST_PUSH(p->arena, &list, c->constant);
        out->constant[out->constants++].label = c->label;
    }
    if (!list.count) return;
    w->constants = list.at;
    w->constant = NEW_ARRAY(p->arena, double, list.count);
    w->constant_size = NEW_ARRAY(p->arena, double, list.count);
}

/* By the program where it has all of them. */
static void find_constants(motion_course *w, double t, const double *y)
{
    motion_code *c = &w->state.code;
    const program *p = c->program[MOTION_CONSTANTS];
    if (p && p->outputs == 2 * w->out->constants &&
        motion_code_run(c, MOTION_CONSTANTS, t, y, NULL)) {
        for (size_t i = 0; i < w->out->constants; i++) {
            w->constant[i] = c->out[2 * i];
            w->constant_size[i] = c->out[2 * i + 1];
        }
        return;
    }
    point *at = w->state.p;
    if (!w->constants_plan)
        w->constants_plan = expr_plan_create(at->ctx, at->arena, w->constants, w->out->constants);
    motion_state_put(&w->state, w->constants_level, t, y);
    expr_plan_run_scaled(w->constants_plan, w->state.p->values, w->constant, w->constant_size);
}

static void look_at_constants(motion_course *w, double t, const double *y, bool first)
{
    if (!w->constants) return;
    find_constants(w, t, y);
    for (size_t i = 0; i < w->out->constants; i++) {
        motion_constant *c = &w->out->constant[i];
        const double x = w->constant[i];
        if (first) c->start = x;
        c->end = x;
        if (!(fabs(x - c->start) <= c->change)) c->change = fabs(x - c->start);
        c->size = fmax(c->size, w->constant_size[i]);
    }
}

/* ---- Samples --------------------------------------------------------------------------------- */

static double sample_time(const motion_course *w, size_t i)
{
    const motion_options *o = w->options;
    if (o->samples > 1 && i + 1 == o->samples) return o->t1;
    if (o->samples)
        return o->t0 +
               (o->t1 - o->t0) * (double) i / (double) (o->samples > 1 ? o->samples - 1 : 1);
    return o->t0 + copysign(o->every, o->t1 - o->t0) * (double) i;
}

static double look_at_energy(motion_course *w, double t, const double *y)
{
    motion_summary *out = w->out;
    double size;
    const double energy = motion_state_energy(&w->state, t, y, &size);
    out->energy_change = fmax(out->energy_change, fabs(energy - out->energy_start));
    out->energy_size = fmax(out->energy_size, size);
    return energy;
}

/* Beside a time at which something changes velocities and forces were looked at; places are those of t. */
static void show_places(motion_course *w, double t, double *y)
{
    point *p = w->state.p;
    const uint32_t n = w->state.code.n;
    memcpy(y, w->place, n * sizeof *y);
    for (uint32_t i = 0; i < n; i++) point_set(p, p->model->q.at[i], y[i]);
    point_set(p, p->mech->t, t);
}

/* Brings y to the constraints. In a singular state their rows are rounding errors, and so is what these make of velocities: a motion
 * that ends there keeps its own. */
static void show_admissible(motion_course *w, double t, double *y, double *residual)
{
    const uint32_t n = w->state.code.n, end = n + w->state.code.m;
    double turned = 0, size = 0;
    memcpy(w->near, y, end * sizeof *y);
    motion_poles_project(w->poles, &w->state, t, y, residual);
    for (uint32_t i = n; w->ended && i < end; i++) {
        turned = fmax(turned, fabs(y[i] - w->near[i]));
        size = fmax(size, fabs(w->near[i]));
    }
    if (turned > TURNED * size) memcpy(y, w->near, end * sizeof *y);
}

/* y, brought to the constraints, with everything that is known there. */
static motion_sample make_sample(motion_course *w, double t, double *y)
{
    motion_state *s = &w->state;
    const double shown = w->switches ? motion_switches_shown(w->switches, t) : t;
    motion_sample out = {.point = s->p, .shown = shown, .residual = INFINITY};
    memcpy(w->place, y, s->code.n * sizeof *y);
    show_admissible(w, shown, y, &out.residual);
    out.energy = look_at_energy(w, shown, y);
    look_at_constants(w, shown, y, false);
    motion_state_put(s, MOTION_AT_ALL, shown, y);
    out.residual = projector_residual(s->projector);
    if (shown != t) show_places(w, t, y);
    if (w->assumed) motion_assumed_look(w->assumed, t);
    out.multipliers = s->multipliers;
    out.reaction = s->reaction;
    w->out->residual = fmax(w->out->residual, out.residual);
    return out;
}

static bool give_sample(motion_course *w, double t, double *y)
{
    const motion_sample s = make_sample(w, t, y);
    w->last_row = t;
    return !w->sinks->sample || w->sinks->sample(w->sinks->user, &s);
}

/* Rows of the step up to t. */
static bool give_samples(motion_course *w, const ivp_step *step, double t)
{
    const double direction = w->options->t1 >= w->options->t0 ? 1 : -1;
    if (!w->options->samples && isinf(w->options->every)) return true; /* driven from outside */
    for (;;) {
        ctx_tick(w->state.p->ctx); /* there may be any number of them */
        const double at = sample_time(w, w->next_sample);
        if (direction * (at - t) > 0 || direction * (at - w->options->t1) > 0) return true;
        step->at(step->stepper, at, w->y);
        w->next_sample++;
        if (!give_sample(w, at, w->y)) return false;
    }
}

/* ---- Events ---------------------------------------------------------------------------------- */

static bool give_event(motion_course *w, const motion_happening *h)
{
    motion_count *count = &w->out->event[h->event - w->state.p->model->events.at];
    if (h->touched)
        count->touched++;
    else
        count->crossed++;
    memcpy(w->y, h->y, (w->state.code.n + w->state.code.m) * sizeof *w->y);
    if (!w->sinks->event) return true;
    const motion_sample s = make_sample(w, h->t, w->y);
    return w->sinks->event(w->sinks->user, h, &s);
}

/* The motion ends here: the last row, and the state that the summary tells. */
static void stop_at(motion_course *w, const motion_happening *h)
{
    w->out->stopped_by = h->event;
    w->t = h->t;
    memcpy(w->y, h->y, (w->state.code.n + w->state.code.m) * sizeof *w->y);
    const double span = w->options->t1 - w->options->t0;
    if ((h->t - w->last_row) / span > SAME_ROW) give_sample(w, h->t, w->y);
    memcpy(w->stop, w->y, (w->state.code.n + w->state.code.m) * sizeof *w->y);
}

/* Events and rows of the step in their order, as far as it counts. false: the motion ends. */
static bool give_step(motion_course *w, const ivp_step *step, double until)
{
    const motion_happening *h = NULL;
    const size_t count = w->watch ? motion_watch_step(w->watch, step, &h) : 0;
    const double direction = step->t1 >= step->t0 ? 1 : -1;
    for (size_t i = 0; i < count && direction * (until - h[i].t) >= 0; i++) {
        const bool stop = h[i].event->stop && !h[i].touched;
        if (!give_samples(w, step, h[i].t) || !give_event(w, &h[i])) return false;
        if (!stop) continue;
        stop_at(w, &h[i]);
        return false;
    }
    return give_samples(w, step, until);
}

/* ---- The run --------------------------------------------------------------------------------- */

/* A run that turns out to be long is worth the system's compiler. Counted, not timed, so that a run
 * repeats itself. */
static void judge_engine(motion_course *w)
{
    const motion_options *o = w->options;
    motion_code *c = &w->state.code;
    if (o->engine != ENGINE_AUTO || c->shared || w->steps < COMPILE_AFTER) return;
    if (!c->settled) motion_code_start(c, ENGINE_AUTO);
    c->settled = true;
    if (w->judged || w->steps < JUDGE_AFTER) return;
    w->judged = true;
    if (!c->program[MOTION_RHS]) return;
    if (engine_get_kind(c->engine) == ENGINE_CC) return;
    const double left = (double) w->steps * (o->t1 - w->t) / (w->t - o->t0);
    const double stages = 12 * (double) program_operations(c->program[MOTION_RHS]);
    const double p = ivp_taylor_order(o->tolerance.rtol);
    const ivp_cost cost = motion_code_cost(c);
    const double a_step = w->kind == IVP_TAYLOR ? p * (cost.order + p / 2 * cost.product) : stages;
    double all = stages; /* the right-hand side is inlined in every stage */
    for (int i = 0; i < MOTION_PROGRAMS; i++)
        if (c->program[i]) all += (double) program_operations(c->program[i]);
    if (left * a_step > COMPILE_START + COMPILE_EACH * all) motion_code_start(c, ENGINE_CC);
}

/* Events, rows and what ends a motion, in a part of a step. false: the motion ends. */
static bool look_into(motion_course *w, const ivp_step *part)
{
    const double until = motion_valid_until(w, part);
    if (!give_step(w, part, until)) return false;
    if (w->ended) w->t = until;
    return !w->ended;
}

static bool look_into_parts(motion_course *w, const ivp_step *step)
{
    const size_t parts = motion_turns_parts(w->turns, step);
    bool goes_on = true;
    if (w->watch && motion_turns_tired(w->turns)) motion_watch_tired(w->watch, step->t0);
    if (parts == 1) return look_into(w, step);
    for (size_t i = 0; i < parts && goes_on; i++) {
        const ivp_step part = motion_turns_part(w->turns, step, i, parts);
        ctx_tick(w->state.p->ctx);
        goes_on = look_into(w, &part);
    }
    return goes_on;
}

static bool after_step(motion_course *w, const ivp_step *step)
{
    w->steps++;
    w->kind = step->kind;
    if (step->kind == IVP_BDF && w->options->integrator == IVP_AUTO && isnan(w->out->stiff_from))
        w->out->stiff_from = step->t0;
    if (!look_into_parts(w, step)) return false;
    look_at_energy(w, step->t1, step->y1);
    look_at_constants(w, step->t1, step->y1, false);
    w->t = step->t1;
    w->ended = motion_why_stalled(w, step);
    if (w->ended) {
        memcpy(w->stop, step->y1, (w->state.code.n + w->state.code.m) * sizeof *w->stop);
        return false;
    }
    ctx_progress(w->state.p->ctx, (w->t - w->options->t0) / (w->options->t1 - w->options->t0));
    judge_engine(w);
    if (w->state.charts) {
        motion_state_put(&w->state, MOTION_AT_STATE, step->t1, step->y1);
        motion_charts_look(&w->state);
    }
    if (w->state.pivots) motion_pivots_look(&w->state, step->t1, step->y1);
    if (w->switches) motion_switches_keep(w->switches);
    return true;
}

static void finish(motion_course *w)
{
    motion_summary *out = w->out;
    point *p = w->state.p;
    const uint32_t n = w->state.code.n;
    if (out->stopped_by || w->ended) {
        out->result.t = w->t;
        w->end = w->stop;
    }
    out->t = out->result.t;
    out->energy_end = look_at_energy(w, out->t, w->end);
    look_at_constants(w, out->t, w->end, false);
    motion_state_put(&w->state, MOTION_AT_STATE, out->t, w->end);
    out->engine = engine_get_kind(w->state.code.engine);
    out->q = NEW_ARRAY(p->arena, double, n);
    out->v = NEW_ARRAY(p->arena, double, n);
    for (uint32_t i = 0; i < n; i++) {
        out->q[i] = point_get(p, p->model->q.at[i]);
        out->v[i] = point_get(p, p->model->v.at[i]);
    }
    for (size_t i = 0; w->watch && i < p->model->events.count; i++)
        out->event[i].remark = motion_watch_remark(w->watch, i, &out->event[i].remark_t);
    out->stopped = motion_explain_end(w, out->result.end);
    if (out->result.kind != IVP_IDA) /* it counts residuals */
        out->result.evaluations = w->state.evaluations;
    out->pivoted = w->state.pivoted;
}

/* The end of the piece in which no force changes its side. */
static double piece_until(const motion_course *w)
{
    return w->switches ? motion_switches_until(w->switches) : w->options->t1;
}

/* From w->t and w->end on, as far as the forces keep their sides. */
static void begin_piece(motion_course *w, const char *(*by)(motion_switches *, double *, double *) )
{
    w->halt = NAN;
    if (w->switches) {
        const char *ended = by(w->switches, &w->t, w->end);
        const double *came = motion_switches_came(w->switches, w->end);
        const char *corner = w->poles ? motion_poles_passed(w->poles, came, w->t) : NULL;
        if (corner) memmove(w->end, came, (w->state.code.n + w->state.code.m) * sizeof *came);
        w->ended = w->ended ? w->ended : corner ? corner : ended;
        if (w->watch) motion_watch_piece(w->watch);
    }
    if (!w->ended) {
        ivp_drive_begin(w->drive, w->t, piece_until(w), w->end);
        return;
    }
    memcpy(w->stop, w->end, (w->state.code.n + w->state.code.m) * sizeof *w->stop);
    w->step = (ivp_step){.t0 = w->t, .t1 = w->t};
}

static bool is_odd(double x)
{
    return x != 0 && !(fabs(x) > ORDINARY && fabs(x) < 1 / ORDINARY);
}

/* Is a number of the text, of the parameters or of the start far from one? Otherwise sizes are not worth their while. */
static bool has_odd_numbers(const motion_course *w)
{
    const point *p = w->state.p;
    const ah_model *m = p->model;
    arena *a = &p->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    expr_list roots = {0};
    bool odd = false;
    LIST_PUSH(a, &roots, m->T);
    LIST_PUSH(a, &roots, m->V);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &roots, m->F[i]);
    for (size_t i = 0; i < m->constraints.count; i++) LIST_PUSH(a, &roots, m->constraints.at[i].c);
    const expr_list all = expr_reachable(p->ctx, a, roots.at, roots.count);
    for (size_t i = 0; i < all.count && !odd; i++) {
        const expr_op op = expr_get_op(p->ctx, all.at[i]);
        if (op == EXPR_NUMBER) odd = is_odd(expr_number_double(p->ctx, all.at[i]));
        if (op == EXPR_SYMBOL) odd = is_odd(point_get(p, all.at[i]));
    }
    arena_release(a, mark);
    return odd;
}

/* Of what the sizes are told to be, the part that the start has: 1 where it goes beyond one of them. */
static double part_of_sizes(const motion_course *w, const double *size)
{
    double part = 0;
    for (uint32_t i = 0; i < w->state.code.n + w->state.code.m; i++)
        part = fmax(part, fabs(w->end[i]) / size[i]);
    return fmin(part, 1);
}

/* The tolerances, in units far from ordinary ones: what is as small as the smallest of the variables is followed, too, and of the others
 * no more is asked than they have digits. Sizes beyond one that no variable comes near at the start are made by numbers of the text, 1e4
 * beside t², and say nothing. */
static ivp_options in_units(const motion_course *w, arena *a)
{
    ah_model *m = w->state.p->model;
    const uint32_t n = w->state.code.n, count = n + w->state.code.m;
    ivp_options out = w->options->tolerance;
    double least = 1, *size = NEW_ARRAY(a, double, count);
    if (!has_odd_numbers(w)) return out;
    for (uint32_t i = 0; i < m->n; i++)
        least = fmin(least, fmin(model_size(m, m->q.at[i]), model_size(m, m->v.at[i])));
    for (uint32_t i = 0; i < count; i++) {
        const bool place = i < n, velocity = !place && !w->state.code.psi;
        size[i] = place      ? model_size(m, m->q.at[i])
                  : velocity ? model_size(m, m->v.at[i - n])
                             : least;
    }
    const double part = part_of_sizes(w, size);
    for (uint32_t i = 0; i < count; i++) size[i] = fmax(fmin(size[i], 1), part * size[i]) / least;
    out.atol *= least;
    out.size = size;
    return out;
}

/* At the state in w->end. */
static void begin_integration(motion_course *w, arena *a)
{
    const motion_options *o = w->options;
    const mechanics *k = w->state.p->mech;
    w->problem = (ivp){.n = w->state.code.n + w->state.code.m,
                       .user = w,
                       .rhs = rhs,
                       .trial = trial,
                       .jet = w->state.code.jets ? jet : NULL,
                       .jacobian = jacobian,
                       .dae = w->state.dae,
                       .cost = motion_code_cost(&w->state.code),
                       .places = w->state.code.n,
                       .project = (k->r && !w->state.psi) || k->holonomic ? project : NULL};
    w->tolerance = in_units(w, a);
    w->drive = ivp_drive_open(w->state.p->ctx, a, o->integrator, &w->problem, &w->tolerance);
    begin_piece(w, motion_switches_begin);
}

static bool switches_change(motion_course *w, const ivp_step *step)
{
    const size_t parts = motion_turns_parts(w->turns, step);
    bool change = false;
    if (parts == 1) return motion_switches_step(w->switches, step);
    for (size_t i = 0; i < parts && !change; i++) {
        const ivp_step part = motion_turns_part(w->turns, step, i, parts);
        change = motion_switches_step(w->switches, &part);
    }
    return change;
}

/* A step that overlooks nothing which comes and goes by time alone: it may have to end there. */
static ivp_end step_to_halt(motion_course *w)
{
    for (;;) {
        double t = w->halt;
        const ivp_end end = ivp_drive_step(w->drive, &w->step);
        if (end == IVP_REACHED && !isnan(t)) {
            w->halt = NAN;
            ivp_drive_begin(w->drive, t, piece_until(w), w->end);
            continue;
        }
        if (end != IVP_STEPPED || !w->pulses ||
            !motion_pulses_step(w->pulses, &w->step, &w->tolerance, &t))
            return end;
        w->halt = t;
        ivp_drive_begin(w->drive, w->step.t0, t, w->end); /* the state there */
    }
}

/* A step in which no force changes its side. */
static ivp_end step_in_piece(motion_course *w)
{
    for (;;) {
        const ivp_end end = step_to_halt(w);
        if (!w->switches) return end;
        const bool change = end == IVP_STEPPED && switches_change(w, &w->step);
        const double until = motion_switches_until(w->switches);
        if (change && until != w->step.t0) { /* w->end is still the state there */
            w->halt = NAN;
            ivp_drive_begin(w->drive, w->step.t0, until, w->end);
            continue;
        }
        if (!change && (end != IVP_REACHED || until == w->options->t1)) return end;
        w->t = until;
        begin_piece(w, motion_switches_pass);
        if (w->ended) return IVP_COLLAPSED;
    }
}

static void clear_arena(void *a)
{
    arena_clear(a);
}

/* In memory of its own, so that restarts without end leave nothing behind. */
static void watch_from_here(motion_course *w)
{
    point *p = w->state.p;
    if (!w->since) {
        w->since = NEW(p->arena, arena);
        arena_init(w->since, p->ctx);
        arena_own(p->arena, clear_arena, w->since);
    }
    arena_clear(w->since);
    if (w->poles) motion_poles_begin(w->poles, w->t, w->end);
    w->singular =
        motion_singular_create(&w->state, w->since, w->options->tolerance.rtol, w->t, w->end);
    w->stall = motion_stall_create(&w->state, w->since, w->t, w->options->t1);
}

ivp_end motion_step(motion_course *w)
{
    if (w->ended) return IVP_COLLAPSED;
    if (w->pending) ivp_drive_settle(w->drive, &w->step, true);
    if (w->pending && w->state.pivots && motion_pivots_turn(&w->state, w->t, w->end)) {
        watch_from_here(w);
        w->halt = NAN;
        ivp_drive_begin(w->drive, w->t, piece_until(w), w->end);
    }
    w->pending = false;
    const ivp_end end = step_in_piece(w);
    if (end != IVP_STEPPED) return end;
    w->pending = after_step(w, &w->step);
    return w->pending ? end : IVP_STOPPED;
}

static void take_result(motion_course *w, ivp_end end)
{
    w->out->result = ivp_drive_result(w->drive);
    w->out->result.end = end;
}

static void integrate(ah_ctx *ctx, void *arg)
{
    motion_course *w = arg;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    ivp_end end;
    begin_integration(w, &ctx->scratch);
    while ((end = motion_step(w)) == IVP_STEPPED) continue;
    if (end == IVP_STOPPED) ivp_drive_settle(w->drive, &w->step, false);
    take_result(w, end);
    arena_release(&ctx->scratch, mark);
}

static bool watch_events(motion_course *w)
{
    point *p = w->state.p;
    const model_event *unknown;
    const double near = fmax(EVENT_NEAR, EVENT_NEAR_RTOL * w->options->tolerance.rtol);
    w->watch = motion_watch_create(&w->state, p->model->events.at, p->model->events.count, near,
                                   EVENT_ERRORS, &unknown);
    w->out->event = NEW_ARRAY(p->arena, motion_count, p->model->events.count + 1);
    if (!unknown) return true;
    diag(p->ctx, A0614, unknown->span, "the event `%s` needs what a motion does not give",
         unknown->label);
    diag_hint(p->ctx, "events may use t, the state, accelerations, M[i,j], lambda[a], reaction[q] "
                      "and energies");
    return false;
}

static bool prepare(motion_course *w)
{
    point *p = w->state.p;
    const size_t dimension = w->state.code.n + w->state.code.m;
    if (!watch_events(w)) return false;
    choose_constants(w);
    w->y = NEW_ARRAY(p->arena, double, dimension);
    w->end = NEW_ARRAY(p->arena, double, dimension);
    w->stop = NEW_ARRAY(p->arena, double, dimension);
    w->near = NEW_ARRAY(p->arena, double, dimension);
    w->place = NEW_ARRAY(p->arena, double, w->state.code.n);
    motion_state_take(&w->state, w->end);
    w->t = w->options->t0;
    double size;
    w->out->energy_start = motion_state_energy(&w->state, w->t, w->end, &size);
    look_at_constants(w, w->t, w->end, true);
    motion_state_put(&w->state, MOTION_AT_SPEEDS, w->t, w->end);
    w->assumed = motion_assumed_create(&w->state, w->out);
    if (w->watch) motion_watch_begin(w->watch, w->t, w->end, NULL);
    w->poles = motion_poles_create(&w->state);
    watch_from_here(w);
    w->switches = motion_switches_create(&w->state);
    if (w->watch || w->poles || w->singular || w->switches)
        w->turns = motion_turns_create(&w->state);
    w->pulses = motion_pulses_create(&w->state);
    return true;
}

/* A start that the method's equations were not made for; NULL: it is none. */
static const char *foreign_start(motion_course *w)
{
    point *p = w->state.p;
    if (eval_has_speeds(w->state.method, p)) return point_elsewhere(p);
    return arena_printf(
        &p->ctx->job,
        "no velocity parameters give these velocities, and the method %s is written in "
        "them; `multipliers` applies",
        w->state.method->method->name);
}

/* The start as the method's equations see it: rows of J that are nothing but round-off there are lost, whatever a
 * program makes of them. NULL: nothing is. */
static const char *lost_at_start(motion_course *w)
{
    point *p = w->state.p;
    run_failure f;
    const char *foreign = foreign_start(w);
    if (foreign) return foreign;
    if (!w->state.method->runner || w->state.branch) return NULL;
    if (run_at(w->state.method->runner, p->values, &f) || f.rank >= f.expected) return NULL;
    if (strncmp(f.what, "the constraints", 15) || point_undefined(p)) return NULL;
    const char *beyond = point_beyond_doubles(p);
    if (beyond) return beyond;
    return arena_printf(&p->ctx->job, "a singular state: %s (rank %u, expected %u)", f.what, f.rank,
                        f.expected);
}

static void run(motion_course *w)
{
    motion_summary *out = w->out;
    ah_ctx *ctx = w->state.p->ctx;
    out->result = (ivp_result){.end = IVP_STOPPED, .t = w->t};
    out->stiff_from = NAN;
    memcpy(w->y, w->end, (w->state.code.n + w->state.code.m) * sizeof *w->y);
    if (w->ended) memcpy(w->stop, w->end, (w->state.code.n + w->state.code.m) * sizeof *w->y);
    if (!give_sample(w, w->t, w->y) || w->ended) return;
    const double start = base_clock();
    out->status = ctx_try(ctx, integrate, w);
    out->seconds = base_clock() - start;
    if (out->status != AH_OK)
        out->result =
            (ivp_result){.end = IVP_STOPPED, .kind = w->kind, .t = w->t, .steps = w->steps};
    if (out->status != AH_OK && out->status != AH_E_INTERRUPTED && out->status != AH_E_LIMIT)
        ctx_raise(ctx, out->status);
}

bool motion_run(const eval_method *method, const eval_method *reactions, point *p,
                const motion_options *options, const motion_sinks *sinks, motion_summary *out)
{
    motion_course w = {.options = options, .sinks = sinks, .out = out, .next_sample = 1};
    memset(out, 0, sizeof *out);
    motion_switches_put(p);
    out->refused = motion_state_create(&w.state, method, reactions, p, options);
    if (out->refused) return false;
    const char *lost =
        lost_at_start(&w); /* at the point as it was given: of its speeds there may be none */
    if (!prepare(&w)) return false;
    w.ended = lost;
    out->others = !lost && !motion_unique_start(&w.state, w.t, w.end);
    run(&w);
    finish(&w);
    return true;
}

/* ---- Step by step ---------------------------------------------------------------------------- */

motion_course *motion_open(const eval_method *method, const eval_method *reactions, point *p,
                           const motion_options *options, const motion_sinks *sinks,
                           motion_summary *out)
{
    motion_course *w = NEW(p->arena, motion_course);
    *w = (motion_course){.options = options, .sinks = sinks, .out = out, .next_sample = 1};
    memset(out, 0, sizeof *out);
    motion_switches_put(p);
    out->refused = motion_state_create(&w->state, method, reactions, p, options);
    if (out->refused || !prepare(w)) return NULL;
    out->stiff_from = NAN;
    w->ended = foreign_start(w);
    begin_integration(w, p->arena);
    return w;
}

/* DOP853 adds the last piece up: its sum is the end but for a rounding error. */
bool motion_reached(const motion_course *w)
{
    const double end = w->options->t1, apart = fabs(w->step.t1 - end), rounding = 4 * DBL_EPSILON;
    return w->pending && (apart <= rounding * fabs(end) || apart <= rounding * fabs(w->t));
}

void motion_restart(motion_course *w, double t, const double *y)
{
    const size_t bytes = (w->state.code.n + w->state.code.m) * sizeof *y;
    w->pending = false;
    w->ended = NULL;
    w->out->stopped_by = NULL;
    w->t = t;
    memmove(w->end, y, bytes);
    w->state.code.jacobian_tried = false;
    motion_state_put(&w->state, MOTION_AT_SPEEDS, t, w->end);
    if (w->watch) motion_watch_begin(w->watch, t, w->end, NULL);
    w->ended = foreign_start(w);
    watch_from_here(w);
    if (w->switches) motion_switches_restart(w->switches);
    begin_piece(w, motion_switches_begin);
}

void motion_close(motion_course *w, ivp_end end)
{
    double *const kept = w->end;
    take_result(w, end);
    finish(w);
    w->end = kept; /* finish may have shown the state of a stop */
}

motion_state *motion_get_state(motion_course *w)
{
    return &w->state;
}

const ivp_step *motion_last_step(const motion_course *w, double *until)
{
    *until = w->t;
    return w->pending || w->ended || w->out->stopped_by ? &w->step : NULL;
}

const double *motion_now(const motion_course *w)
{
    if (w->ended || w->out->stopped_by) return w->stop;
    return w->pending ? w->step.y1 : w->end;
}

ivp_result motion_counts(const motion_course *w)
{
    ivp_result r = ivp_drive_result(w->drive);
    r.steps += w->pending;
    if (r.kind != IVP_IDA) r.evaluations = w->state.evaluations;
    return r;
}

bool motion_find_engine(ah_ctx *ctx, const char *wanted, engine_kind *out)
{
    *out = engine_find_kind(wanted);
    if (*out < ENGINE_KINDS) return true;
    diag(ctx, A0612, NOWHERE, "there is no engine `%s`", wanted);
    diag_hint(ctx, "one of %s", engine_names());
    return false;
}

bool motion_find_integrator(ah_ctx *ctx, const char *wanted, ivp_kind *out)
{
    *out = ivp_find(wanted);
    if (*out != IVP_KINDS) return true;
    diag(ctx, A0612, NOWHERE, "there is no integrator `%s`", wanted);
    diag_hint(ctx, "one of %s", ivp_names());
    return false;
}

bool motion_tolerances_make_sense(ah_ctx *ctx, double rtol, double atol)
{
    if (rtol >= 0 && atol >= 0 && isfinite(rtol) && isfinite(atol) && rtol + atol > 0) return true;
    return diag_wrong_call(ctx, "the tolerances must be finite, not negative, and not both zero");
}
