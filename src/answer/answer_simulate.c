/* answer/answer_simulate.c - `anholo simulate`: rows and summary. */
#include <anholo/simulate.h>

#include "answers.h"
#include "../trajectory/trajectory.h"

#include <math.h>
#include <string.h>

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
    for (size_t i = 0; i < motion->columns; i++) {
        if (i) text_char(t, ',');
        text_add(t, motion->name[i]);
    }
    text_char(t, '\n');
}

static void json_header(text *t, const trajectory *motion)
{
    json j = json_begin(t->arena);
    json_array(&j);
    for (size_t i = 0; i < motion->columns; i++) json_string(&j, motion->name[i]);
    json_close(&j);
    text_printf(t, "{\"columns\":%s,\n\"rows\":[\n", json_end(&j));
}

static void cells(text *t, const trajectory *motion, const double *row)
{
    for (size_t i = 0; i < motion->columns; i++) {
        if (i) text_char(t, ',');
        if (isfinite(row[i])) text_double(t, row[i], 17); /* what does not exist is empty */
    }
    text_char(t, '\n');
}

static void json_cells(text *t, const trajectory *motion, const double *row)
{
    text_add(t, motion->rows ? ",[" : "[");
    for (size_t i = 0; i < motion->columns; i++) {
        if (i) text_char(t, ',');
        if (isfinite(row[i]))
            text_double(t, row[i], 17);
        else
            text_add(t, "null");
    }
    text_add(t, "]\n");
}

static bool write_row(void *user, const trajectory *motion, const double *row)
{
    const simulation *s = user;
    const ah_simulate_options *o = s->options;
    if (o->write_values && !o->write_values(o->user, motion->name, row, motion->columns))
        return false;
    if (!o->write) return true;
    arena *scratch = &s->model->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    text t = text_begin(scratch);
    if (!motion->rows) {
        (o->json ? json_header : header)(&t, motion);
        o->write(o->user, t.at, t.length);
        t = text_begin(scratch);
    }
    (o->json ? json_cells : cells)(&t, motion, row);
    const bool go_on = o->write(o->user, t.at, t.length);
    arena_release(scratch, mark);
    return go_on;
}

/* Also of a motion that was cut short. */
static void write_end(const simulation *s)
{
    static const char end[] = "]}\n";
    const ah_simulate_options *o = s->options;
    if (o->write && o->json && s->motion.rows) o->write(o->user, end, sizeof end - 1);
}

static const char *way(const trajectory_event *e)
{
    return e->touched ? "touched" : e->direction > 0 ? "rising" : "falling";
}

/* What a spreadsheet takes for a formula: =+-@, in some languages also as wide as ideographs. */
static bool begins_formula(const char *s)
{
    static const char *const signs[] = {"=", "+", "-", "@", "\t", "＝", "＋", "－", "＠"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (!strncmp(s, signs[i], strlen(signs[i]))) return true;
    return false;
}

/* A label as a cell: in quotes, those in it doubled. Quotes do not keep a spreadsheet from reading a formula; an
 * apostrophe before it makes it a text. */
static void cell_text(text *t, const char *s)
{
    text_char(t, '"');
    if (begins_formula(s)) text_char(t, '\'');
    for (; *s; s++) {
        if (*s == '"') text_char(t, '"');
        text_char(t, *s);
    }
    text_char(t, '"');
}

static bool write_event(void *user, const trajectory *motion, const trajectory_event *e)
{
    const simulation *s = user;
    bool go_on = true;
    if (!s->options->write_event) return true;
    arena *scratch = &s->model->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    for (int first = motion->happened == 0; first >= 0 && go_on; first--) {
        text t = text_begin(scratch);
        if (first) {
            text_add(&t, "event,direction,value,");
            header(&t, motion);
        } else {
            cell_text(&t, e->event->label);
            text_printf(&t, ",%s,", way(e));
            if (isfinite(e->value)) text_double(&t, e->value, 17);
            text_char(&t, ',');
            cells(&t, motion, e->row);
        }
        go_on = s->options->write_event(s->options->event_user, t.at, t.length);
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

static void json_text(json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_string(j, value);
}

static void json_events(json *j, const trajectory *motion)
{
    const uint32_t n = motion->model->n;
    json_key(j, "events");
    json_array(j);
    for (size_t i = 0; i < motion->events.count; i++) {
        const trajectory_event *e = &motion->events.at[i];
        json_object(j);
        json_text(j, "label", e->event->label);
        json_pair(j, "t", e->row[0]);
        json_text(j, "direction", e->direction > 0 ? "rising" : "falling");
        json_key(j, "tangential");
        json_bool(j, e->touched);
        json_pair(j, "value", e->value);
        json_vector(j, "q", n, e->row + 1);
        json_vector(j, "qdot", n, e->row + 1 + n);
        json_close(j);
    }
    json_close(j);
    json_key(j, "events_happened");
    json_int(j, (long long) motion->happened);
}

static void json_watched(json *j, const trajectory *motion)
{
    const ah_model *m = motion->model;
    json_key(j, "watched");
    json_array(j);
    for (size_t i = 0; i < m->events.count; i++) {
        const motion_count *c = &motion->summary.event[i];
        json_object(j);
        json_text(j, "label", m->events.at[i].label);
        json_text(j, "kind", m->events.at[i].stop ? "stop" : "record");
        json_key(j, "crossed");
        json_int(j, (long long) c->crossed);
        json_key(j, "touched");
        json_int(j, (long long) c->touched);
        json_text(j, "remark", c->remark);
        json_close(j);
    }
    json_close(j);
}

/* A change is measured by the largest sum of the terms' absolute values. */
static double relative(double change, double size)
{
    return size > 0 ? change / size : change;
}

static void json_constants(json *j, const motion_summary *w)
{
    json_key(j, "constants");
    json_array(j);
    for (size_t i = 0; i < w->constants; i++) {
        const motion_constant *c = &w->constant[i];
        json_object(j);
        json_text(j, "label", c->label);
        json_pair(j, "start", c->start);
        json_pair(j, "end", c->end);
        json_pair(j, "max_change", c->change);
        json_pair(j, "relative_change", relative(c->change, c->size));
        json_close(j);
    }
    json_close(j);
}

static const char *assumption_text(const simulation *s, const motion_assumption *a,
                                   ah_format format)
{
    ah_ctx *ctx = s->model->ctx;
    const char *relation = a->positive ? ">" : format == AH_TEXT ? "≠" : "!=";
    return arena_printf(&ctx->job, "%s %s 0", expr_text(ctx, &ctx->job, a->e, format), relation);
}

static void text_assumptions(text *t, const simulation *s)
{
    const motion_summary *w = &s->motion.summary;
    for (size_t i = 0; i < w->assumptions; i++)
        if (isfinite(w->assumption[i].broken))
            text_printf(t,
                        "the model assumes %s, which does not hold at t = %.6g: equations "
                        "derived with it may not hold there\n",
                        assumption_text(s, &w->assumption[i], AH_TEXT), w->assumption[i].broken);
}

static void json_assumptions(json *j, const simulation *s)
{
    const motion_summary *w = &s->motion.summary;
    json_key(j, "assumptions");
    json_array(j);
    for (size_t i = 0; i < w->assumptions; i++) {
        json_object(j);
        json_key(j, "assumption");
        json_string(j, assumption_text(s, &w->assumption[i], AH_ASCII));
        json_pair(j, "broken_at", w->assumption[i].broken);
        json_close(j);
    }
    json_close(j);
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
    json_string(&j, ivp_integrators[w->result.kind].name);
    json_pair(&j, "stiff_from", w->stiff_from);
    json_key(&j, "engine");
    json_string(&j, trajectory_engine(&s->motion));
    json_key(&j, "branch");
    if (s->options->branch)
        json_int(&j, (long long) s->options->branch);
    else
        json_null(&j);
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
    json_pair(&j, "relative_change", relative(w->energy_change, w->energy_size));
    json_close(&j);
    json_constants(&j, w);
    json_assumptions(&j, s);
    json_key(&j, "unique");
    json_bool(&j, !w->others);
    json_pair(&j, "max_residual", w->residual);
    json_pair(&j, "seconds", s->motion.seconds);
    json_key(&j, "stopped");
    if (w->stopped) {
        json_object(&j);
        json_key(&j, "reason");
        json_string(&j, w->stopped);
        json_pair(&j, "t", w->t);
        json_text(&j, "event", w->stopped_by ? w->stopped_by->label : NULL);
        json_close(&j);
    } else {
        json_null(&j);
    }
    json_watched(&j, &s->motion);
    json_events(&j, &s->motion);
    json_close(&j);
    return json_end(&j);
}

/* Events in the text: as many as fit a screen. */
enum { EVENTS_SHOWN = 20 };

static void text_events(text *t, const trajectory *motion)
{
    const ah_model *m = motion->model;
    const size_t shown = motion->events.count < EVENTS_SHOWN ? motion->events.count : EVENTS_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const trajectory_event *e = &motion->events.at[i];
        text_printf(t, "t = %.12g: \"%s\" ", e->row[0], e->event->label);
        if (e->touched)
            text_printf(t, "touched, not clearly crossed: %.2g from zero\n", e->value);
        else
            text_printf(t, "%s\n", way(e));
    }
    if (motion->happened > shown)
        text_printf(t, "… and %llu events more\n", (unsigned long long) motion->happened - shown);
    for (size_t i = 0; i < m->events.count; i++) {
        const motion_count *c = &motion->summary.event[i];
        if (c->remark) text_printf(t, "the event \"%s\" %s\n", m->events.at[i].label, c->remark);
    }
}

static const char *as_text(const simulation *s)
{
    const motion_summary *w = &s->motion.summary;
    text t = text_begin(&s->model->ctx->job);
    text_printf(&t, "%s%smethod %s, integrator %s (%s), rtol %g, atol %g\n", s->model->title,
                *s->model->title ? ": " : "", s->motion.method->name,
                ivp_integrators[w->result.kind].name, trajectory_engine(&s->motion),
                s->options->rtol, s->options->atol);
    text_printf(&t, "t = %g .. %g in %llu steps, %llu evaluations, %.3g s\n", s->motion.span.t0,
                w->t, (unsigned long long) w->result.steps,
                (unsigned long long) w->result.evaluations, s->motion.seconds);
    if (isfinite(w->stiff_from))
        text_printf(&t, "steps were limited by stability: bdf took over at t = %.6g\n",
                    w->stiff_from);
    text_printf(&t, "energy %.12g at the start, largest change %.3g, relative %.2g\n",
                w->energy_start, w->energy_change, relative(w->energy_change, w->energy_size));
    for (size_t i = 0; i < w->constants; i++)
        text_printf(&t, "\"%s\" %.12g at the start, largest change %.3g, relative %.2g\n",
                    w->constant[i].label, w->constant[i].start, w->constant[i].change,
                    relative(w->constant[i].change, w->constant[i].size));
    if (s->model->constraints.count)
        text_printf(&t, "largest constraint residual %.3g\n", w->residual);
    text_assumptions(&t, s);
    if (w->others)
        text_printf(&t, "this is one of several motions that begin at the start: a root that is "
                        "zero there has no "
                        "bounded slope, and motions from beside it part from this one\n");
    text_events(&t, &s->motion);
    if (w->stopped) text_printf(&t, "stopped at t = %.12g: %s\n", w->t, w->stopped);
    return text_end(&t);
}

/* ---- The command ----------------------------------------------------------------------------- */

static void run_simulation(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    simulation *s = arg;
    s->model = model_driven(s->model);
    const trajectory_sinks sinks = {write_row, write_event, s};
    if (!trajectory_stream(s->model, s->options, NULL, 0, &sinks, &s->motion, &s->status)) return;
    s->out = s->format == AH_JSON ? as_json(s) : as_text(s);
}

ah_status ah_simulate(ah_model *m, const ah_simulate_options *options, ah_format format,
                      const char **summary)
{
    if (!summary) return AH_E_INPUT;
    ah_simulate_options o = ah_simulate_defaults();
    simulation s = {.options = &o, .format = format};
    *summary = NULL;
    if (!base_take_options(m ? m->ctx : NULL, &o, sizeof o, options)) return AH_E_INPUT;
    const ah_status status =
        model_guard_fork(m, MODEL_SIMULATE, format, &s.model, run_simulation, &s);
    write_end(&s);
    *summary = s.out;
    return status != AH_OK && s.status == AH_OK ? status : s.status;
}
