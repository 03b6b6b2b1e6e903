/* analyse/motion.c - integration of a model's equations of motion.
 *
 * The variables are the method's own (motion_code.h); what they do not keep on the constraints is
 * projected in the metric of M. */
#include "motion.h"

#include "motion_code.h"

#include <math.h>
#include <string.h>

/* After this many steps the length of the run is known well enough to judge by it … */
#define JUDGE_AFTER 1000
/* … and operations beyond which the system's compiler pays: about a second of tcc's code. */
#define COMPILE_ABOVE 1e9

typedef struct motion {
    const eval_method *method;
    const eval_method *reactions; /* multipliers; refused when they do not exist */
    point *p;
    const motion_options *options;
    motion_sink sink;
    void *user;
    motion_summary *out;

    motion_code code;
    expr_plan *psi; /* v = ψ(q, s, t); NULL: s = v */
    expr_plan *energy;
    projector *projector;
    double *y, *state, *v; /* y: of samples and work; state: of the integration */
    double t;              /* of the last accepted step */
    ivp_kind kind;         /* … and its integrator */
    size_t next_sample;
    uint64_t steps, evaluations;
    bool judged; /* the engine has been chosen for the length of the run */
    run_failure failure;
} motion;

/* ---- The point as a state ---------------------------------------------------------------------
 */

/* y into the point; v follows from s. */
static void put(motion *w, double t, const double *y)
{
    const motion_code *c = &w->code;
    point_set(w->p, w->p->mech->t, t);
    for (uint32_t i = 0; i < c->n; i++) point_set(w->p, w->p->model->q.at[i], y[i]);
    for (uint32_t i = 0; i < c->m; i++) point_set(w->p, c->second[i], y[c->n + i]);
    if (!w->psi) return;
    expr_plan_run(w->psi, w->p->values, w->v);
    for (uint32_t i = 0; i < c->n; i++) point_set(w->p, w->p->model->v.at[i], w->v[i]);
}

static void take(const motion *w, double *y)
{
    const motion_code *c = &w->code;
    for (uint32_t i = 0; i < c->n; i++) y[i] = point_get(w->p, w->p->model->q.at[i]);
    for (uint32_t i = 0; i < c->m; i++) y[c->n + i] = point_get(w->p, c->second[i]);
}

/* ---- What the integrator calls ----------------------------------------------------------------
 */

/* The worksheet by pivoting: where the program gives up, and where there is none. */
static bool rhs_by_worksheet(motion *w, double t, const double *y, double *dy)
{
    const motion_code *c = &w->code;
    w->out->pivoted++;
    put(w, t, y);
    if (!run_at(c->runner, w->p->values, &w->failure)) return false;
    const double *rate = run_get(c->runner, c->rate);
    for (uint32_t i = 0; i < c->n; i++) dy[i] = point_get(w->p, w->p->model->v.at[i]);
    for (uint32_t i = 0; i < c->m; i++) dy[c->n + i] = rate[c->row ? c->row[i] : i];
    return true;
}

static bool rhs(void *user, double t, const double *y, double *dy)
{
    motion *w = user;
    w->evaluations++;
    return motion_code_run(&w->code, MOTION_RHS, t, y, dy) || rhs_by_worksheet(w, t, y, dy);
}

static bool trial(void *user, ivp_trial *x)
{
    motion *w = user;
    const motion_code *c = &w->code;
    const double in[] = {x->t, x->h, x->rtol, x->atol};
    if (!c->step) return false;
    if (!c->step(engine_constants(c->engine, 0), in, x->y, x->carry, x->k, x->next, x->lost,
                 &x->error))
        return false;
    w->evaluations += 11; /* stages after the first */
    return true;
}

static bool jet(void *user, double t, uint32_t order, double *y)
{
    motion *w = user;
    w->evaluations++;
    return motion_code_jet(&w->code, t, order, y);
}

/* Newton's method by a program; what = moved part of y. 0: not moved, 1: moved, -1: gave up. */
static int project_part(motion *w, motion_program which, double t, double *y, double *part,
                        double *residual)
{
    motion_code *c = &w->code;
    double before = INFINITY;
    int moved = 0;
    for (int iteration = 0; iteration < 6; iteration++) {
        double worst = 0;
        const bool good = motion_code_run(c, which, t, y, NULL);
        const uint32_t rows = c->residuals[which];
        for (uint32_t i = 0; i < rows; i++) {
            const double size = c->out[2 * i + 1], r = c->out[2 * i] / (size > 0 ? size : 1);
            worst = r <= worst ? worst : r;
        }
        *residual = worst;
        if (worst <= MOTION_RESIDUAL) return moved;
        if (!good || !isfinite(worst)) return -1;
        if (worst > before / 2)
            return worst <= POINT_ADMISSIBLE ? moved : -1; /* as good as it gets */
        before = worst;
        memcpy(part, c->out + 2 * rows, c->n * sizeof *part);
        moved = 1;
    }
    return -1;
}

static bool project_by_point(motion *w, double t, double *y, double *residual)
{
    put(w, t, y);
    *residual = projector_residual(w->projector);
    if (*residual <= MOTION_RESIDUAL || w->psi) return false;
    projector_apply(w->projector, w->p);
    *residual = projector_residual(w->projector);
    if (w->p->moved > 0) take(w, y);
    return w->p->moved > 0;
}

/* Brings (q, v) to the constraints, q alone where v follows from s. True: it moved. */
static bool bring_back(motion *w, double t, double *y, double *residual)
{
    const motion_code *c = &w->code;
    double of_places = 0, of_velocities = 0;
    const bool velocities = w->p->mech->r && !c->psi;
    int q = 0, v = 0;
    if (w->p->mech->holonomic)
        q = c->program[MOTION_PLACES] ? project_part(w, MOTION_PLACES, t, y, y, &of_places) : -1;
    if (velocities && q >= 0)
        v = c->program[MOTION_VELOCITIES]
                ? project_part(w, MOTION_VELOCITIES, t, y, y + c->n, &of_velocities)
                : -1;
    if (q < 0 || v < 0) return project_by_point(w, t, y, residual) || q > 0;
    *residual = fmax(of_places, of_velocities);
    return q > 0 || v > 0;
}

static void project(void *user, double t, double *y, bool *moved)
{
    double residual = 0;
    *moved = bring_back(user, t, y, &residual);
}

/* ---- Samples --------------------------------------------------------------------------------- */

static double sample_time(const motion *w, size_t i)
{
    const motion_options *o = w->options;
    if (o->samples > 1 && i + 1 == o->samples) return o->t1;
    if (o->samples)
        return o->t0 +
               (o->t1 - o->t0) * (double) i / (double) (o->samples > 1 ? o->samples - 1 : 1);
    return o->t0 + copysign(o->every, o->t1 - o->t0) * (double) i;
}

static double energy_at(motion *w, double t, const double *y)
{
    double e;
    if (motion_code_run(&w->code, MOTION_ENERGY, t, y, NULL)) return w->code.out[0];
    put(w, t, y);
    expr_plan_run(w->energy, w->p->values, &e);
    return e;
}

static void find_reactions(motion *w, double t, const double *y, motion_sample *s)
{
    run_failure failure;
    if (motion_code_run(&w->code, MOTION_REACTIONS, t, y, NULL)) {
        s->multipliers = w->code.out;
        s->reaction = w->code.out + w->p->mech->r;
        return;
    }
    if (w->reactions->refused || w->reactions->eq->branches ||
        !run_at(w->reactions->runner, w->p->values, &failure))
        return;
    const ah_equations *eq = w->reactions->eq;
    if (eq->multipliers != QUANTITY_NONE)
        s->multipliers = run_get(w->reactions->runner, eq->multipliers);
    if (eq->reaction != QUANTITY_NONE) s->reaction = run_get(w->reactions->runner, eq->reaction);
}

static bool give_sample(motion *w, double t, double *y)
{
    motion_sample s = {.point = w->p};
    double residual;
    bring_back(w, t, y, &residual);
    put(w, t, y);
    point_find_quasivelocities(w->p);
    s.residual = projector_residual(w->projector);
    s.energy = energy_at(w, t, y);
    w->out->residual = fmax(w->out->residual, s.residual);
    w->out->energy_change = fmax(w->out->energy_change, fabs(s.energy - w->out->energy_start));
    find_reactions(w, t, y, &s);
    return !w->sink || w->sink(w->user, &s);
}

/* A run that turns out to be long is worth the system's compiler. Counted, not timed, so that a run
 * repeats itself. */
static void judge_engine(motion *w)
{
    const motion_options *o = w->options;
    if (w->judged || w->steps < JUDGE_AFTER) return;
    w->judged = true;
    if (o->engine != ENGINE_AUTO || !w->code.program[MOTION_RHS]) return;
    if (engine_get_kind(w->code.engine) == ENGINE_CC) return;
    const double left = (double) w->steps * (o->t1 - w->t) / (w->t - o->t0);
    const double operations = 12 * (double) program_operations(w->code.program[MOTION_RHS]);
    if (left * operations > COMPILE_ABOVE) motion_code_start(&w->code, ENGINE_CC);
}

static bool after_step(void *user, const ivp_step *step)
{
    motion *w = user;
    const double direction = w->options->t1 >= w->options->t0 ? 1 : -1;
    for (;;) {
        const double t = sample_time(w, w->next_sample);
        if (direction * (t - step->t1) > 0 || direction * (t - w->options->t1) > 0) break;
        step->at(step->stepper, t, w->y);
        w->next_sample++;
        if (!give_sample(w, t, w->y)) return false;
    }
    const double change = fabs(energy_at(w, step->t1, step->y1) - w->out->energy_start);
    w->out->energy_change = fmax(w->out->energy_change, change);
    w->t = step->t1;
    w->kind = step->kind;
    w->steps++;
    judge_engine(w);
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static const char *explain(const motion *w, ivp_end end)
{
    arena *a = &w->p->ctx->job;
    if (w->out->status == AH_E_INTERRUPTED) return "interrupted";
    if (w->out->status == AH_E_LIMIT) return "the time allowed is used up";
    switch (end) {
    case IVP_REACHED: return NULL;
    case IVP_STOPPED: return "stopped";
    case IVP_TOO_LONG: return "the number of steps allowed is used up";
    case IVP_UNDEFINED:
        if (w->failure.what)
            return arena_printf(a, "a singular state: %s (rank %u, expected %u)", w->failure.what,
                                w->failure.rank, w->failure.expected);
        return "the equations of motion are not defined here";
    case IVP_COLLAPSED: return "the step size collapsed: a singular state is near";
    }
    return NULL;
}

static void finish(motion *w)
{
    motion_summary *out = w->out;
    const uint32_t n = w->code.n;
    put(w, out->result.t, w->state);
    out->t = out->result.t;
    out->energy_end = energy_at(w, out->t, w->state);
    out->engine = engine_get_kind(w->code.engine);
    out->q = NEW_ARRAY(w->p->arena, double, n);
    out->v = NEW_ARRAY(w->p->arena, double, n);
    for (uint32_t i = 0; i < n; i++) {
        out->q[i] = point_get(w->p, w->p->model->q.at[i]);
        out->v[i] = point_get(w->p, w->p->model->v.at[i]);
    }
    out->stopped = explain(w, out->result.end);
}

static void integrate(ah_ctx *ctx, void *arg)
{
    motion *w = arg;
    const motion_options *o = w->options;
    const ivp problem = {.n = w->code.n + w->code.m,
                         .user = w,
                         .rhs = rhs,
                         .trial = trial,
                         .jet = w->code.jets ? jet : NULL,
                         .project =
                             (w->p->mech->r && !w->psi) || w->p->mech->holonomic ? project : NULL};
    w->out->result =
        ivp_run(ctx, o->integrator, &problem, &o->tolerance, o->t0, o->t1, w->state, after_step, w);
}

static void prepare(motion *w)
{
    point *p = w->p;
    motion_code *c = &w->code;
    const ah_expr energy = model_energy(p->model);
    motion_code_create(c, w->method, w->reactions, p);
    if (w->options->integrator == IVP_TAYLOR && !motion_code_add_jets(c, p->arena))
        w->out->refused = c->no_jets;
    motion_code_start(c, w->options->engine);
    if (c->psi) w->psi = expr_plan_create(p->ctx, p->arena, c->psi, c->n);
    w->energy = expr_plan_create(p->ctx, p->arena, &energy, 1);
    w->projector = projector_create(p);
    w->v = NEW_ARRAY(p->arena, double, c->n);
    w->y = NEW_ARRAY(p->arena, double, c->n + c->m);
    w->state = NEW_ARRAY(p->arena, double, c->n + c->m);
    take(w, w->state);
    w->t = w->options->t0;
}

void motion_run(const eval_method *method, const eval_method *reactions, point *p,
                const motion_options *options, motion_sink sink, void *user, motion_summary *out)
{
    motion w = {.method = method,
                .reactions = reactions,
                .p = p,
                .options = options,
                .sink = sink,
                .user = user,
                .out = out};
    memset(out, 0, sizeof *out);
    prepare(&w);
    if (out->refused) return;
    out->energy_start = energy_at(&w, w.t, w.state);
    out->result = (ivp_result){.end = IVP_STOPPED, .t = options->t0};
    memcpy(w.y, w.state, (w.code.n + w.code.m) * sizeof *w.y);
    w.next_sample = 1;
    if (give_sample(&w, w.t, w.y)) {
        const double start = base_clock();
        out->status = ctx_try(p->ctx, integrate, &w);
        out->seconds = base_clock() - start;
        if (out->status != AH_OK)
            out->result =
                (ivp_result){.end = IVP_STOPPED, .kind = w.kind, .t = w.t, .steps = w.steps};
        if (out->status != AH_OK && out->status != AH_E_INTERRUPTED && out->status != AH_E_LIMIT)
            ctx_raise(p->ctx, out->status);
    }
    out->result.evaluations = w.evaluations;
    finish(&w);
}
