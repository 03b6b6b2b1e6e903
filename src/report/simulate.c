/* report/simulate.c - `anholo simulate`: rows and summary. */
#include <anholo/simulate.h>

#include "trajectory.h"

#include <math.h>

ah_simulate_options ah_simulate_defaults(void)
{
    return (ah_simulate_options){.rtol = 1e-10, .atol = 1e-12, .samples = 201};
}

typedef struct simulation {
    ah_model *model;
    const ah_simulate_options *options;
    ah_format format;
    trajectory motion;
    const char *out;
    ah_status status;
} simulation;

/* ---- Rows ------------------------------------------------------------------------------------ */

static void header(text *t, const trajectory *motion)
{
    for (size_t i = 0; i < motion->columns; i++)
        text_printf(t, "%s%s", i ? "," : "", motion->name[i]);
    text_char(t, '\n');
}

static void cells(text *t, const trajectory *motion, const double *row)
{
    for (size_t i = 0; i < motion->columns; i++) {
        if (i) text_char(t, ',');
        if (isfinite(row[i])) text_double(t, row[i], 17); /* what does not exist is empty */
    }
    text_char(t, '\n');
}

static bool write_row(void *user, const trajectory *motion, const double *row)
{
    const simulation *s = user;
    bool go_on = true;
    if (!s->options->write) return true;
    arena *scratch = &s->model->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    for (int first = motion->rows == 0; first >= 0 && go_on; first--) {
        text t = text_begin(scratch);
        if (first)
            header(&t, motion);
        else
            cells(&t, motion, row);
        go_on = s->options->write(s->options->user, t.at, t.length);
    }
    arena_release(scratch, mark);
    return go_on;
}

/* ---- Summary --------------------------------------------------------------------------------- */

static void json_vector(json *j, const char *key, uint32_t n, const double *x)
{
    json_key(j, key);
    json_array(j);
    for (uint32_t i = 0; i < n; i++) json_number(j, x[i]);
    json_close(j);
}

static void json_pair(json *j, const char *key, double x)
{
    json_key(j, key);
    json_number(j, x);
}

static const char *as_json(const simulation *s)
{
    const motion_summary *w = &s->motion.summary;
    json j = json_begin(&s->model->ctx->job);
    json_object(&j);
    json_key(&j, "model");
    json_string(&j, s->model->title);
    json_key(&j, "method");
    json_string(&j, s->motion.method->name);
    json_key(&j, "integrator");
    json_string(&j, ivp_name[w->result.kind]);
    json_key(&j, "engine");
    json_string(&j, trajectory_engine(&s->motion));
    json_pair(&j, "t0", s->motion.span.t0);
    json_pair(&j, "t1", s->motion.span.t1);
    json_pair(&j, "rtol", s->options->rtol);
    json_pair(&j, "atol", s->options->atol);
    json_key(&j, "steps");
    json_int(&j, (long long) w->result.steps);
    json_key(&j, "evaluations");
    json_int(&j, (long long) w->result.evaluations);
    json_key(&j, "final");
    json_object(&j);
    json_pair(&j, "t", w->t);
    json_vector(&j, "q", s->model->n, w->q);
    json_vector(&j, "qdot", s->model->n, w->v);
    json_close(&j);
    json_key(&j, "energy");
    json_object(&j);
    json_pair(&j, "start", w->energy_start);
    json_pair(&j, "end", w->energy_end);
    json_pair(&j, "max_change", w->energy_change);
    json_close(&j);
    json_pair(&j, "max_residual", w->residual);
    json_pair(&j, "seconds", s->motion.seconds);
    json_key(&j, "stopped");
    if (w->stopped) {
        json_object(&j);
        json_key(&j, "reason");
        json_string(&j, w->stopped);
        json_pair(&j, "t", w->t);
        json_close(&j);
    } else {
        json_null(&j);
    }
    json_close(&j);
    return json_end(&j);
}

static const char *as_text(const simulation *s)
{
    const motion_summary *w = &s->motion.summary;
    text t = text_begin(&s->model->ctx->job);
    text_printf(&t, "%s: method %s, integrator %s (%s), rtol %g, atol %g\n",
                s->model->title ? s->model->title : "", s->motion.method->name,
                ivp_name[w->result.kind], trajectory_engine(&s->motion), s->options->rtol,
                s->options->atol);
    text_printf(&t, "t = %g .. %g in %llu steps, %llu evaluations, %.3g s\n", s->motion.span.t0,
                w->t, (unsigned long long) w->result.steps,
                (unsigned long long) w->result.evaluations, s->motion.seconds);
    text_printf(&t, "energy %.12g at the start, largest change %.3g\n", w->energy_start,
                w->energy_change);
    if (s->model->constraints.count)
        text_printf(&t, "largest constraint residual %.3g\n", w->residual);
    if (w->stopped) text_printf(&t, "stopped at t = %.12g: %s\n", w->t, w->stopped);
    return text_end(&t);
}

/* ---- The command ----------------------------------------------------------------------------- */

static void run_simulation(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    simulation *s = arg;
    if (!trajectory_stream(s->model, s->options, NULL, 0, write_row, s, &s->motion, &s->status))
        return;
    s->out = s->format == AH_JSON ? as_json(s) : as_text(s);
}

ah_status ah_simulate(ah_ctx *ctx, ah_model *m, const ah_simulate_options *options,
                      ah_format format, const char **summary)
{
    const ah_simulate_options defaults = ah_simulate_defaults();
    simulation s = {.model = m, .options = options ? options : &defaults, .format = format};
    const ah_status status = ctx_guard(ctx, run_simulation, &s);
    *summary = s.out;
    return status != AH_OK && s.status == AH_OK ? status : s.status;
}
