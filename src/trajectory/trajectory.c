/* trajectory/trajectory.c - the choice of method, span, engine and integrator, and the run's rows. */
#include "trajectory.h"

#include <anholo/lang.h>

#include <math.h>
#include <string.h>

typedef struct run {
    ah_model *model;
    const ah_simulate_options *options;
    eval_method equations, reactions;
    point point;
    trajectory *out;
    ah_status *status;

    expr_list state;  /* q, q', z, ω */
    expr_list asked;  /* outputs and extras */
    ah_expr residual; /* the symbol that stands for it in what is asked for */
    expr_plan *state_plan, *asked_plan;
    double *row, *value; /* value: of the asked ones */
    const trajectory_sinks *sinks;
    bool plain; /* without velocity parameters: the start has none */
} run;

const char *ah_integrators(void)
{
    return ivp_names();
}

const char *ah_engines(void)
{
    return engine_names();
}

ah_simulate_options ah_simulate_defaults(void)
{
    return (ah_simulate_options){
        .size = sizeof(ah_simulate_options), .rtol = 1e-10, .atol = 1e-12, .samples = 201};
}

const char *trajectory_engine(const trajectory *t)
{
    return engine_name(t->summary.engine);
}

size_t trajectory_column(const trajectory *t, const char *name)
{
    for (size_t i = 0; i < t->columns; i++)
        if (!strcmp(t->name[i], name)) return i;
    return SIZE_MAX;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Symbols q, v, z, ω; then what is asked for. */
static void choose_columns(run *w, const ah_expr *extra, size_t extras)
{
    ah_ctx *ctx = w->model->ctx;
    arena *a = &ctx->job;
    const ah_model *m = w->model;
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &w->state, m->q.at[i]);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &w->state, m->v.at[i]);
    for (size_t i = 0; i < m->speeds.count; i++) LIST_PUSH(a, &w->state, m->speeds.at[i].symbol);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        LIST_PUSH(a, &w->state, m->quasivelocities.at[i].symbol);
    for (size_t i = 0; i < m->outputs.count; i++) LIST_PUSH(a, &w->asked, m->outputs.at[i].e);
    for (size_t i = 0; i < extras; i++) LIST_PUSH(a, &w->asked, extra[i]);
    w->out->extra = 1 + w->state.count + m->constraints.count + m->n + m->outputs.count + 2;
    w->out->columns = w->out->extra + extras;
}

enum { NAME_NODES = 2000 }; /* of an expression that is the name of a column */

/* Nodes of e written out as a tree: what is shared counts as often as it is met. */
static double tree_size(ah_ctx *ctx, arena *a, ah_expr e)
{
    const expr_list nodes = expr_reachable(ctx, a, &e, 1); /* children first */
    double *size = NEW_ARRAY(a, double, nodes.count);
    for (size_t i = 0; i < nodes.count; i++) {
        const ah_expr *child = expr_get_children(ctx, nodes.at[i]);
        size[i] = 1;
        for (size_t k = 0; k < expr_get_count(ctx, nodes.at[i]); k++)
            size[i] += size[expr_find(&nodes, child[k])];
    }
    return nodes.count ? size[nodes.count - 1] : 0;
}

/* As it is written, unless that is long: a text may be exponential in its graph. */
static const char *extra_name(ah_ctx *ctx, arena *a, ah_expr e, size_t number)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const bool brief = tree_size(ctx, &ctx->scratch, e) <= NAME_NODES;
    arena_release(&ctx->scratch, mark);
    return brief ? expr_text(ctx, a, e, AH_ASCII) : arena_printf(a, "extra[%zu]", number + 1);
}

static void name_columns(run *w, const ah_expr *extra, size_t extras)
{
    ah_ctx *ctx = w->model->ctx;
    arena *a = &ctx->job;
    const ah_model *m = w->model;
    const char **name = NEW_ARRAY(a, const char *, w->out->columns), **next = name;
    *next++ = "t";
    for (size_t i = 0; i < w->state.count; i++)
        *next++ = expr_text(ctx, a, w->state.at[i], AH_ASCII);
    for (size_t i = 0; i < m->constraints.count; i++)
        *next++ = model_derived_label(m, a, (derived_ref){DERIVED_LAMBDA, {(uint32_t) i}});
    for (uint32_t i = 0; i < m->n; i++)
        *next++ = model_derived_label(m, a, (derived_ref){DERIVED_REACTION, {(uint32_t) i}});
    for (size_t i = 0; i < m->outputs.count; i++) *next++ = m->outputs.at[i].name;
    *next++ = "energy";
    *next++ = model_derived_label(m, a, (derived_ref){.what = DERIVED_RESIDUAL});
    for (size_t i = 0; i < extras; i++) *next++ = extra_name(ctx, a, extra[i], i);
    w->out->name = name;
}

static void plan_columns(run *w)
{
    ah_ctx *ctx = w->model->ctx;
    w->residual = model_derived_symbol(w->model, (derived_ref){.what = DERIVED_RESIDUAL});
    w->state_plan = expr_plan_create(ctx, &ctx->job, w->state.at, w->state.count);
    w->asked_plan = expr_plan_create(ctx, &ctx->job, w->asked.at, w->asked.count);
    w->row = NEW_ARRAY(&ctx->job, double, w->out->columns);
    w->value = NEW_ARRAY(&ctx->job, double, w->asked.count + 1);
}

static double *add(double *next, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) *next++ = values && isfinite(values[i]) ? values[i] : NAN;
    return next;
}

/* Where something changes at t: what accelerations and forces stand in is wholly of the time at which these were looked at. */
static void ask_beside(run *w, const motion_sample *sample, double t)
{
    ah_ctx *ctx = w->model->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    double *beside = NEW_ARRAY(&ctx->scratch, double, w->asked.count + 1);
    point_set(sample->point, expr_time(ctx), sample->shown);
    expr_plan_run(w->asked_plan, sample->point->values, beside);
    for (size_t i = 0; i < w->asked.count; i++)
        if (model_follows_forces(ctx, w->asked.at[i])) w->value[i] = beside[i];
    point_set(sample->point, expr_time(ctx), t);
    arena_release(&ctx->scratch, mark);
}

static void make_row(run *w, const motion_sample *sample)
{
    const ah_model *m = w->model;
    const size_t state = w->state.count, outputs = m->outputs.count;
    const double t = point_get(sample->point, expr_time(m->ctx));
    expr_plan_run(w->state_plan, sample->point->values, w->row + 1);
    double *next = add(w->row, &t, 1);
    next = add(next, w->row + 1, state);
    next = add(next, sample->multipliers, m->constraints.count);
    next = add(next, sample->reaction, m->n);
    point_set(sample->point, w->residual, sample->residual);
    expr_plan_run(w->asked_plan, sample->point->values, w->value);
    if (sample->shown != t) ask_beside(w, sample, t);
    next = add(next, w->value, outputs);
    next = add(next, &sample->energy, 1);
    next = add(next, &sample->residual, 1);
    add(next, w->value + outputs, w->asked.count - outputs);
}

static bool take_sample(void *user, const motion_sample *sample)
{
    run *w = user;
    make_row(w, sample);
    const bool go_on = w->sinks->row(w->sinks->user, w->out, w->row);
    w->out->rows++;
    return go_on;
}

static bool take_event(void *user, const motion_happening *h, const motion_sample *sample)
{
    run *w = user;
    trajectory *out = w->out;
    make_row(w, sample);
    const trajectory_event e = {h->event, h->value, h->direction, h->touched, w->row};
    const bool go_on = !w->sinks->event || w->sinks->event(w->sinks->user, out, &e);
    if (out->happened++ < TRAJECTORY_EVENTS) {
        double *row = NEW_ARRAY(&w->model->ctx->job, double, out->columns);
        memcpy(row, w->row, out->columns * sizeof *row);
        LIST_PUSH(&w->model->ctx->job, &out->events, e);
        out->events.at[out->events.count - 1].row = row;
    }
    return go_on;
}

/* ---- The choices ----------------------------------------------------------------------------- */

/* Options that only a program can give so; the command line has words of its own for them. */
static bool check_numbers(ah_ctx *ctx, const ah_simulate_options *o)
{
    if (!motion_tolerances_make_sense(ctx, o->rtol, o->atol)) return false;
    if (!(o->every >= 0) || isinf(o->every))
        return diag_wrong_call(ctx, "the distance of rows must be positive and finite");
    if (!(o->every > 0) && o->samples < 2)
        return diag_wrong_call(ctx, "rows are at least two, both ends, or have a distance");
    return true;
}

/* Rows whose times are different numbers: others would never come to an end. */
static bool rows_are_apart(ah_ctx *ctx, const motion_options *span)
{
    const double length = fabs(span->t1 - span->t0),
                 apart = span->samples ? length / (double) (span->samples - 1) : span->every,
                 last = fmax(fabs(span->t0), fabs(span->t1));
    if (length == 0 || last + apart > last) return true;
    return diag_wrong_call(ctx, "the rows are so close that their times are the same numbers");
}

static bool choose_span(run *w)
{
    ah_model *m = w->model;
    motion_options *span = &w->out->span;
    ah_expr to = m->t1;
    if (w->options->to && ah_read_expression(m, "--to", w->options->to, &to) != AH_OK) return false;
    if (to == AH_NONE) {
        diag(m->ctx, A0611, NOWHERE, "nothing says how long to simulate");
        diag_hint(m->ctx, "write `simulate t = 0 .. 10` in the model, or give --to 10");
        return false;
    }
    span->t0 = point_get(&w->point, expr_time(m->ctx));
    span->t1 = point_eval(&w->point, to);
    span->tolerance = (ivp_options){
        .rtol = w->options->rtol, .atol = w->options->atol, .most_steps = w->options->most_steps};
    span->samples = w->options->every > 0 ? 0 : w->options->samples;
    span->every = w->options->every;
    if (isfinite(span->t1)) return rows_are_apart(m->ctx, span);
    diag(m->ctx, A0611, NOWHERE, "the end of the span is not a finite number");
    return false;
}

static bool choose_method(run *w)
{
    ah_model *m = w->model;
    /* IDA integrates the form with multipliers, as it stands */
    const bool implicit = ivp_integrators[w->out->span.integrator].needs == IVP_NEEDS_DAE;
    const formalism *usual =
        implicit || w->plain ? derive_find("multipliers") : derive_default(derive_mechanics(m));
    const formalism *f =
        w->options->method ? derive_find_or_report(m->ctx, w->options->method) : usual;
    w->out->method = f;
    if (!f) return false;
    if (implicit && f != usual) {
        *w->status = AH_E_REFUSED;
        diag(m->ctx, A0613, NOWHERE, "the integrator `ida` does not apply to the method `%s`",
             f->name);
        diag_hint(m->ctx, "it is for `--method multipliers`: the differential-algebraic system");
        return false;
    }
    w->equations = eval_prepare(m, f, NULL, &m->ctx->job);
    w->reactions = eval_prepare_reactions(m, &w->equations, &m->ctx->job);
    w->out->span.branch = w->options->branch;
    if (w->options->branch && !w->equations.refused && !w->equations.eq->branches) {
        diag(m->ctx, A0615, NOWHERE, "the accelerations have no branches by the method %s",
             f->name);
        diag_hint(m->ctx, "constraints that are not linear in the accelerations have");
        return false;
    }
    if (!w->equations.refused) return true;
    *w->status = AH_E_REFUSED;
    diag(m->ctx, A0502, NOWHERE, "%s: %s", f->name, w->equations.refused);
    return false;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* What the motion is to work out at the samples: the residual it does anyhow. */
static expr_list of_motion(const run *w)
{
    ah_ctx *ctx = w->model->ctx;
    const ah_expr zero = expr_int(ctx, 0);
    expr_list list = {.at = NEW_ARRAY(&ctx->job, ah_expr, w->asked.count + 1)};
    for (size_t i = 0; i < w->asked.count; i++)
        list.at[list.count++] = expr_subst(ctx, w->asked.at[i], 1, &w->residual, &zero);
    return list;
}

/* A start on a component of lower rank moves by the system there, one that the velocity form does not give by
 * multipliers. */
static bool choose_component(run *w)
{
    point there;
    w->plain = !w->options->method && !eval_has_speeds(&w->equations, &w->point);
    const bool lower = point_lower(&w->point, &there);
    if (!lower && !w->plain) return true;
    if (lower) w->point = there;
    w->model = w->point.model;
    if (!choose_method(w)) return false;
    motion_state_declare(w->model, &w->equations);
    return true;
}

static bool prepare(run *w, const ah_expr *extra, size_t extras)
{
    arena *a = &w->model->ctx->job;
    if (!check_numbers(w->model->ctx, w->options) ||
        !motion_find_engine(w->model->ctx, w->options->engine, &w->out->span.engine) ||
        !motion_find_integrator(w->model->ctx, w->options->integrator, &w->out->span.integrator) ||
        !choose_method(w))
        return false;
    choose_columns(w, extra, extras);
    name_columns(w, extra, extras);
    plan_columns(w); /* all symbols before the point */
    motion_state_declare(w->model, &w->equations);
    w->out->span.asked = of_motion(w);
    return point_create(w->model, a, &w->point) && point_start(&w->point) &&
           (!w->options->at || point_read(&w->point, w->options->at)) && choose_span(w) &&
           point_complete(&w->point, w->options->project) && choose_component(w);
}

bool trajectory_stream(ah_model *m, const ah_simulate_options *options, const ah_expr *extra,
                       size_t extras, const trajectory_sinks *sinks, trajectory *out,
                       ah_status *status)
{
    const double start = base_clock();
    run w = {
        .model = model_pieces(m), .options = options, .out = out, .status = status, .sinks = sinks};
    const motion_sinks to = {take_sample, take_event, &w};
    *out = (trajectory){.model = m};
    *status = AH_OK;
    if (!prepare(&w, extra, extras) ||
        !motion_run(&w.equations, &w.reactions, &w.point, &out->span, &to, &out->summary)) {
        if (out->summary.refused) *status = AH_E_REFUSED;
        if (out->summary.refused && *out->summary.refused) {
            diag(m->ctx, A0613, NOWHERE, "the integrator `%s` does not apply: %s",
                 ivp_integrators[out->span.integrator].name, out->summary.refused);
            diag_hint(m->ctx, "dop853 applies to every motion, bdf to what is stiff");
        }
        if (*status == AH_OK) *status = AH_E_INPUT;
        return false;
    }
    out->seconds = base_clock() - start;
    *status = out->summary.status != AH_OK                       ? out->summary.status
              : out->summary.stopped && !out->summary.stopped_by ? AH_E_NUMERIC
                                                                 : AH_OK;
    return true;
}

/* ---- Kept in memory -------------------------------------------------------------------------- */

typedef struct keeper {
    arena *arena;
    double *at;
    size_t capacity; /* numbers */
} keeper;

/* Rows that the options make, if the motion goes to its end. */
static double rows_expected(const motion_options *span)
{
    if (span->samples) return (double) span->samples;
    return floor(fabs(span->t1 - span->t0) / span->every) + 2;
}

static bool keep_row(void *user, const trajectory *so_far, const double *row)
{
    keeper *k = user;
    const size_t used = so_far->rows * so_far->columns, need = used + so_far->columns;
    if (!so_far->rows) {
        const double all = rows_expected(&so_far->span) * (double) so_far->columns;
        if (!(all <= (double) TRAJECTORY_LIMIT))
            ctx_raise_limit(so_far->model->ctx,
                            "more rows and columns than can be kept: ask for fewer samples");
        k->capacity = (size_t) all;
        k->at = NEW_ARRAY(k->arena, double, k->capacity);
    }
    if (need > k->capacity) {
        if (need > TRAJECTORY_LIMIT)
            ctx_raise_limit(so_far->model->ctx, "more rows and columns than can be kept");
        k->at = arena_grow(k->arena, k->at, sizeof *k->at, used, &k->capacity, need);
    }
    memcpy(k->at + used, row, so_far->columns * sizeof *row);
    return true;
}

bool trajectory_run(ah_model *m, const ah_simulate_options *options, const ah_expr *extra,
                    size_t extras, trajectory *out, ah_status *status)
{
    keeper k = {.arena = &m->ctx->job};
    const trajectory_sinks sinks = {.row = keep_row, .user = &k};
    const bool good = trajectory_stream(m, options, extra, extras, &sinks, out, status);
    out->at = k.at;
    return good;
}
