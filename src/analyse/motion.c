/* analyse/motion.c - integration of a model's equations of motion.
 *
 * The variables are (q, z) for equations in the model's velocity parameters, (q, v) otherwise; (q,
 * v) is kept on the constraints by projection in the metric of M. */
#include "motion.h"

#include <math.h>
#include <string.h>

typedef struct motion {
    const eval_method *method;
    const eval_method *reactions; /* multipliers; refused when they do not exist */
    point *p;
    const motion_options *options;
    motion_sink sink;
    void *user;
    motion_summary *out;

    uint32_t n, m;
    const ah_expr *second; /* symbols of the second half of y: z or v */
    expr_plan *psi;        /* v = ψ(q, z, t) */
    expr_plan *energy;
    projector *projector;
    double *y, *v;
    size_t next_sample;
    run_failure failure;
} motion;

/* y into the point; v follows from z. */
static void put(motion *w, double t, const double *y)
{
    point_set(w->p, w->p->mech->t, t);
    for (uint32_t i = 0; i < w->n; i++) point_set(w->p, w->p->model->q.at[i], y[i]);
    for (uint32_t i = 0; i < w->m; i++) point_set(w->p, w->second[i], y[w->n + i]);
    if (!w->psi) return;
    expr_plan_run(w->psi, w->p->values, w->v);
    for (uint32_t i = 0; i < w->n; i++) point_set(w->p, w->p->model->v.at[i], w->v[i]);
}

static void take(const motion *w, double *y)
{
    for (uint32_t i = 0; i < w->n; i++) y[i] = point_get(w->p, w->p->model->q.at[i]);
    for (uint32_t i = 0; i < w->m; i++) y[w->n + i] = point_get(w->p, w->second[i]);
}

static bool rhs(void *user, double t, const double *y, double *dy)
{
    motion *w = user;
    put(w, t, y);
    if (!run_at(w->method->runner, w->p->values, &w->failure)) return false;
    const ah_equations *eq = w->method->eq;
    const double *rate = run_get(w->method->runner, w->psi ? eq->speeds_dot : eq->qddot);
    for (uint32_t i = 0; i < w->n; i++) dy[i] = point_get(w->p, w->p->model->v.at[i]);
    memcpy(dy + w->n, rate, w->m * sizeof *dy);
    return true;
}

static void project(void *user, double t, double *y, bool *moved)
{
    motion *w = user;
    put(w, t, y);
    if (projector_residual(w->projector) <= MOTION_RESIDUAL) return;
    projector_apply(w->projector, w->p);
    *moved = w->p->moved > 0;
    if (*moved) take(w, y);
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

static double energy_at(motion *w)
{
    double e;
    expr_plan_run(w->energy, w->p->values, &e);
    return e;
}

/* The point holds the sample's state. */
static bool give_sample(motion *w)
{
    motion_sample s = {.point = w->p};
    if (!w->psi && projector_residual(w->projector) > MOTION_RESIDUAL)
        projector_apply(w->projector, w->p);
    point_find_quasivelocities(w->p);
    s.residual = projector_residual(w->projector);
    s.energy = energy_at(w);
    w->out->residual = fmax(w->out->residual, s.residual);
    w->out->energy_change = fmax(w->out->energy_change, fabs(s.energy - w->out->energy_start));
    run_failure failure;
    if (!w->reactions->refused && !w->reactions->eq->branches &&
        run_at(w->reactions->runner, w->p->values, &failure)) {
        const ah_equations *eq = w->reactions->eq;
        if (eq->multipliers != QUANTITY_NONE)
            s.multipliers = run_get(w->reactions->runner, eq->multipliers);
        if (eq->reaction != QUANTITY_NONE) s.reaction = run_get(w->reactions->runner, eq->reaction);
    }
    return !w->sink || w->sink(w->user, &s);
}

static bool after_step(void *user, const ivp_step *step)
{
    motion *w = user;
    const double direction = w->options->t1 >= w->options->t0 ? 1 : -1;
    for (;;) {
        const double t = sample_time(w, w->next_sample);
        if (direction * (t - step->t1) > 0 || direction * (t - w->options->t1) > 0) break;
        step->at(step->stepper, t, w->y);
        put(w, t, w->y);
        w->next_sample++;
        if (!give_sample(w)) return false;
    }
    put(w, step->t1, step->y1);
    const double change = fabs(energy_at(w) - w->out->energy_start);
    w->out->energy_change = fmax(w->out->energy_change, change);
    if (w->psi) w->out->residual = fmax(w->out->residual, projector_residual(w->projector));
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static const char *explain(const motion *w, ivp_end end)
{
    arena *a = &w->p->ctx->job;
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

static void choose_variables(motion *w)
{
    const ah_equations *eq = w->method->eq;
    ah_model *m = w->p->model;
    w->n = m->n;
    w->m = m->n;
    w->second = m->v.at;
    if (!eq->uses_given_chart || eq->speeds_dot == QUANTITY_NONE || eq->is_omega) return;
    w->m = (uint32_t) m->speeds.count;
    w->second = mat_to_dense(m->ctx, w->p->arena, eq->speeds);
    w->psi = expr_plan_create(m->ctx, w->p->arena, m->psi.at, m->n);
}

static void finish(motion *w, const double *y)
{
    put(w, w->out->result.t, y);
    w->out->t = w->out->result.t;
    w->out->energy_end = energy_at(w);
    w->out->q = NEW_ARRAY(w->p->arena, double, w->n);
    w->out->v = NEW_ARRAY(w->p->arena, double, w->n);
    for (uint32_t i = 0; i < w->n; i++) {
        w->out->q[i] = point_get(w->p, w->p->model->q.at[i]);
        w->out->v[i] = point_get(w->p, w->p->model->v.at[i]);
    }
    w->out->stopped = explain(w, w->out->result.end);
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
    choose_variables(&w);
    const ah_expr energy = model_energy(p->model);
    w.energy = expr_plan_create(p->ctx, p->arena, &energy, 1);
    w.projector = projector_create(p);
    w.v = NEW_ARRAY(p->arena, double, w.n);
    w.y = NEW_ARRAY(p->arena, double, w.n + w.m);
    double *y = NEW_ARRAY(p->arena, double, w.n + w.m);
    take(&w, y);
    out->energy_start = energy_at(&w);
    const bool go_on = give_sample(&w);
    w.next_sample = 1;
    const ivp problem = {
        .n = w.n + w.m, .user = &w, .rhs = rhs, .project = w.psi || !p->mech->r ? NULL : project};
    out->result.t = options->t0;
    out->result.end = IVP_STOPPED;
    if (go_on)
        out->result = ivp_dop853(p->ctx, &problem, &options->tolerance, options->t0, options->t1, y,
                                 after_step, &w);
    finish(&w, y);
}
