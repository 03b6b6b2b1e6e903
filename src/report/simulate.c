/* report/simulate.c - `anholo simulate`: rows and summary. */
#include <anholo/lang.h>
#include <anholo/simulate.h>

#include "../analyse/motion.h"

#include <math.h>
#include <string.h>

ah_simulate_options ah_simulate_defaults(void)
{
    return (ah_simulate_options){.rtol = 1e-10, .atol = 1e-12, .samples = 201};
}

typedef struct simulation {
    ah_model *model;
    const ah_simulate_options *options;
    ah_format format;
    const formalism *method;
    eval_method equations, reactions;
    point point;
    motion_options span;
    motion_summary summary;
    expr_list columns; /* expressions of the state, after t */
    expr_plan *plan;
    double *row;
    double seconds;
    const char *out;
    ah_status status;
} simulation;

static const char *const engine_name[] = {[ENGINE_AUTO] = "auto",
                                          [ENGINE_INTERPRET] = "interpret",
                                          [ENGINE_TCC] = "tcc",
                                          [ENGINE_CC] = "cc"};

/* ---- Rows ------------------------------------------------------------------------------------ */

static void header_names(text *t, const simulation *s)
{
    ah_ctx *ctx = s->model->ctx;
    const ah_model *m = s->model;
    text_char(t, 't');
    for (size_t i = 0; i < s->columns.count - m->outputs.count; i++)
        text_printf(t, ",%s", expr_text(ctx, &ctx->job, s->columns.at[i], AH_ASCII));
    for (size_t i = 0; i < m->constraints.count; i++)
        text_printf(t, ",lambda[%s]", m->constraints.at[i].label);
    for (uint32_t i = 0; i < m->n; i++)
        text_printf(t, ",reaction[%s]", expr_get_name(ctx, m->q.at[i]));
    for (size_t i = 0; i < m->outputs.count; i++) text_printf(t, ",%s", m->outputs.at[i].name);
    text_add(t, ",energy,residual\n");
}

/* Symbols q, v, z, ω and then the outputs. */
static void choose_columns(simulation *s)
{
    ah_ctx *ctx = s->model->ctx;
    const ah_model *m = s->model;
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(&ctx->job, &s->columns, m->q.at[i]);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(&ctx->job, &s->columns, m->v.at[i]);
    for (size_t i = 0; i < m->speeds.count; i++)
        LIST_PUSH(&ctx->job, &s->columns, m->speeds.at[i].symbol);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        LIST_PUSH(&ctx->job, &s->columns, m->quasivelocities.at[i].symbol);
    for (size_t i = 0; i < m->outputs.count; i++)
        LIST_PUSH(&ctx->job, &s->columns, m->outputs.at[i].e);
    s->plan = expr_plan_create(ctx, &ctx->job, s->columns.at, s->columns.count);
    s->row = NEW_ARRAY(&ctx->job, double, s->columns.count);
}

static void cell(text *t, double x)
{
    text_char(t, ',');
    if (isfinite(x)) text_double(t, x, 17); /* what does not exist is an empty cell */
}

static bool write_row(void *user, const motion_sample *sample)
{
    simulation *s = user;
    const ah_model *m = s->model;
    if (!s->options->write) return true;
    const arena_mark mark = arena_get_mark(&m->ctx->scratch);
    text t = text_begin(&m->ctx->scratch);
    const size_t state = s->columns.count - m->outputs.count;
    expr_plan_run(s->plan, sample->point->values, s->row);
    text_double(&t, point_get(sample->point, expr_time(m->ctx)), 17);
    for (size_t i = 0; i < state; i++) cell(&t, s->row[i]);
    for (size_t i = 0; i < m->constraints.count; i++)
        cell(&t, sample->multipliers ? sample->multipliers[i] : NAN);
    for (uint32_t i = 0; i < m->n; i++) cell(&t, sample->reaction ? sample->reaction[i] : NAN);
    for (size_t i = 0; i < m->outputs.count; i++) cell(&t, s->row[state + i]);
    cell(&t, sample->energy);
    cell(&t, sample->residual);
    text_char(&t, '\n');
    const bool go_on = s->options->write(s->options->user, t.at, t.length);
    arena_release(&m->ctx->scratch, mark);
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
    const motion_summary *w = &s->summary;
    json j = json_begin(&s->model->ctx->job);
    json_object(&j);
    json_key(&j, "model");
    json_string(&j, s->model->title);
    json_key(&j, "method");
    json_string(&j, s->method->name);
    json_key(&j, "integrator");
    json_string(&j, "dop853");
    json_key(&j, "engine");
    json_string(&j, engine_name[w->engine]);
    json_pair(&j, "t0", s->span.t0);
    json_pair(&j, "t1", s->span.t1);
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
    json_pair(&j, "seconds", s->seconds);
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
    const motion_summary *w = &s->summary;
    text t = text_begin(&s->model->ctx->job);
    text_printf(&t, "%s: method %s, integrator dop853 (%s), rtol %g, atol %g\n",
                s->model->title ? s->model->title : "", s->method->name, engine_name[w->engine],
                s->options->rtol, s->options->atol);
    text_printf(&t, "t = %g .. %g in %llu steps, %llu evaluations, %.3g s\n", s->span.t0, w->t,
                (unsigned long long) w->result.steps, (unsigned long long) w->result.evaluations,
                s->seconds);
    text_printf(&t, "energy %.12g at the start, largest change %.3g\n", w->energy_start,
                w->energy_change);
    if (s->model->constraints.count)
        text_printf(&t, "largest constraint residual %.3g\n", w->residual);
    if (w->stopped) text_printf(&t, "stopped at t = %.12g: %s\n", w->t, w->stopped);
    return text_end(&t);
}

/* ---- The command ----------------------------------------------------------------------------- */

static bool choose_span(simulation *s)
{
    ah_model *m = s->model;
    ah_expr to = m->t1;
    if (s->options->to && ah_read_expression(m, "--to", s->options->to, &to) != AH_OK) return false;
    if (to == AH_NONE) {
        diag(m->ctx, A0611, NOWHERE, "nothing says how long to simulate");
        diag_hint(m->ctx, "write `simulate t = 0 .. 10` in the model, or give --to 10");
        return false;
    }
    s->span.t0 = point_get(&s->point, expr_time(m->ctx));
    s->span.t1 = point_eval(&s->point, to);
    s->span.tolerance = (ivp_options){
        .rtol = s->options->rtol, .atol = s->options->atol, .most_steps = s->options->most_steps};
    s->span.samples = s->options->every > 0 ? 0 : s->options->samples;
    s->span.every = s->options->every;
    if (isfinite(s->span.t1)) return true;
    diag(m->ctx, A0611, NOWHERE, "the end of the span is not a finite number");
    return false;
}

static bool choose_engine(simulation *s)
{
    const char *wanted = s->options->engine ? s->options->engine : "auto";
    for (size_t i = 0; i < sizeof engine_name / sizeof *engine_name; i++)
        if (strcmp(engine_name[i], wanted) == 0) {
            s->span.engine = (engine_kind) i;
            return true;
        }
    diag(s->model->ctx, A0612, NOWHERE, "there is no engine `%s`", wanted);
    diag_hint(s->model->ctx, "auto, interpret, tcc or cc");
    return false;
}

static bool choose_integrator(simulation *s)
{
    if (!s->options->integrator || strcmp(s->options->integrator, "dop853") == 0) return true;
    diag(s->model->ctx, A0612, NOWHERE, "there is no integrator `%s`", s->options->integrator);
    diag_hint(s->model->ctx, "dop853");
    return false;
}

static bool choose_method(simulation *s)
{
    ah_model *m = s->model;
    s->method = s->options->method ? derive_find_or_report(m->ctx, s->options->method)
                                   : derive_default(derive_mechanics(m));
    if (!s->method) return false;
    s->equations = eval_prepare(m, s->method, NULL, &m->ctx->job);
    s->reactions = eval_prepare(m, derive_find("multipliers"), NULL, &m->ctx->job);
    if (!s->equations.refused && !s->equations.eq->branches) return true;
    s->status = AH_E_REFUSED;
    diag(m->ctx, A0502, NOWHERE, "%s: %s", s->method->name,
         s->equations.refused ? s->equations.refused
                              : "Gauss' principle may leave several accelerations");
    return false;
}

static void run_simulation(ah_ctx *ctx, void *arg)
{
    simulation *s = arg;
    const double start = base_clock();
    if (!choose_engine(s) || !choose_integrator(s) || !choose_method(s)) return;
    choose_columns(s);
    if (!point_create(s->model, &ctx->job, &s->point) || !point_start(&s->point)) return;
    if (!choose_span(s) || !point_complete(&s->point, s->options->project)) return;
    if (s->options->write) {
        text t = text_begin(&ctx->job);
        header_names(&t, s);
        if (!s->options->write(s->options->user, t.at, t.length)) return;
    }
    motion_run(&s->equations, &s->reactions, &s->point, &s->span, write_row, s, &s->summary);
    s->seconds = base_clock() - start;
    s->out = s->format == AH_JSON ? as_json(s) : as_text(s);
    s->status = s->summary.status != AH_OK ? s->summary.status
                : s->summary.stopped       ? AH_E_NUMERIC
                                           : AH_OK;
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
