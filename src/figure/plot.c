/* figure/plot.c - `anholo plot`: a motion, or the table of one, as a figure. */
#include <anholo/plot.h>

#include "plot.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 2001, LARGEST = 20000, SMALLEST = 80 };

ah_plot_options ah_plot_defaults(void)
{
    ah_plot_options o = {.size = sizeof(ah_plot_options), .run = ah_simulate_defaults()};
    o.run.samples = SAMPLES;
    return o;
}

typedef struct plot {
    ah_model *model;
    const ah_plot_options *options;
    ah_format format;
    plot_requests requests;
    trajectory motion; /* the columns asked for alone */
    const char *svg, *summary;
    ah_status status;
} plot;

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Of a run only what is drawn is kept. */
typedef struct keeper {
    arena *arena;
    double *at;
    size_t count, capacity;
} keeper;

static bool keep(void *user, const trajectory *so_far, const double *row)
{
    keeper *k = user;
    const size_t wanted = so_far->columns - so_far->extra, need = k->count + wanted;
    if (need > TRAJECTORY_LIMIT)
        ctx_raise_limit(so_far->model->ctx, "more samples than can be kept: ask for fewer");
    if (need > k->capacity)
        k->at = arena_grow(k->arena, k->at, sizeof *k->at, k->count, &k->capacity, need);
    memcpy(k->at + k->count, row + so_far->extra, wanted * sizeof *row);
    k->count = need;
    return true;
}

static bool get_rows(plot *w)
{
    const ah_plot_options *o = w->options;
    const expr_list *e = &w->requests.e;
    keeper k = {.arena = &w->model->ctx->job};
    const trajectory_sinks sinks = {.row = keep, .user = &k};
    if (o->from) {
        if (trajectory_read(w->model, o->from, o->from_length, e->at, e->count, &w->motion))
            return true;
        w->status = AH_E_INPUT;
        return false;
    }
    if (!trajectory_stream(w->model, &o->run, e->at, e->count, &sinks, &w->motion, &w->status))
        return false;
    w->motion.at = k.at;
    w->motion.columns = e->count;
    return true;
}

/* ---- Summary --------------------------------------------------------------------------------- */

static void json_text(json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_string(j, value);
}

static const char *written(const plot *w, const plot_quantity *q)
{
    return q->change ? arena_printf(&w->model->ctx->job, "change(%s)", q->text) : q->text;
}

static void json_panel(const plot *w, json *j, const plot_request *p)
{
    json_object(j);
    json_text(j, "x", written(w, &p->pair.at[0].x));
    json_key(j, "y");
    json_array(j);
    for (size_t i = 0; i < p->pair.count; i++) json_string(j, written(w, &p->pair.at[i].y));
    json_close(j);
    json_text(j, "scale", p->y.log ? "log" : "linear");
    json_key(j, "equal");
    json_bool(j, p->equal);
    json_close(j);
}

static const char *as_json(const plot *w)
{
    const motion_summary *s = &w->motion.summary;
    json j = json_begin(&w->model->ctx->job);
    json_object(&j);
    json_text(&j, "model", w->model->title);
    json_text(&j, "method", w->motion.method ? w->motion.method->name : NULL);
    json_key(&j, "rows");
    json_int(&j, (long long) w->motion.rows);
    json_key(&j, "panels");
    json_array(&j);
    for (size_t i = 0; i < w->requests.list.count; i++) json_panel(w, &j, &w->requests.list.at[i]);
    json_close(&j);
    json_key(&j, "bytes");
    json_int(&j, (long long) strlen(w->svg));
    json_text(&j, "file", w->options->file);
    json_text(&j, "svg", w->options->file ? NULL : w->svg);
    json_key(&j, "stopped");
    if (s->stopped) {
        json_object(&j);
        json_text(&j, "reason", s->stopped);
        json_key(&j, "t");
        json_number(&j, s->t);
        json_close(&j);
    } else {
        json_null(&j);
    }
    json_close(&j);
    return json_end(&j);
}

static const char *as_text(const plot *w)
{
    const motion_summary *s = &w->motion.summary;
    text t = text_begin(&w->model->ctx->job);
    const size_t panels = w->requests.list.count;
    text_printf(&t, "%s: %zu panel%s of %zu samples, %zu bytes\n",
                w->options->file ? arena_harmless(t.arena, w->options->file) : "figure", panels,
                panels == 1 ? "" : "s", w->motion.rows, strlen(w->svg));
    if (s->stopped) text_printf(&t, "stopped at t = %.12g: %s\n", s->t, s->stopped);
    return text_end(&t);
}

/* ---- The command ----------------------------------------------------------------------------- */

static bool ask(plot *w)
{
    const ah_plot_options *o = w->options;
    ah_ctx *ctx = w->model->ctx;
    bool good = true;
    const bool given = o->width != 0 || o->height != 0;
    if (given && !(o->width >= SMALLEST && o->height >= SMALLEST && o->width <= LARGEST &&
                   o->height <= LARGEST)) {
        diag(ctx, A0631, NOWHERE, "a figure is %d to %d pixels wide and high", SMALLEST, LARGEST);
        return false;
    }
    for (size_t i = 0; i < o->panel_count; i++) {
        if (!o->panels || !o->panels[i]) return diag_wrong_call(ctx, "a panel is NULL");
        const char *what = arena_printf(&ctx->job, "panel %zu", i + 1);
        good = plot_ask(&w->requests, what, o->panels[i], o->log, o->equal) && good;
    }
    if (!o->panel_count) plot_ask_default(&w->requests);
    return good;
}

static void run_plot(ah_ctx *ctx, void *arg)
{
    plot *w = arg;
    const ah_plot_options *o = w->options;
    w->model = w->requests.model = model_driven(w->model);
    if (!ask(w)) {
        w->status = AH_E_INPUT;
        return;
    }
    if (!get_rows(w)) return;
    const plot_figure figure = {
        .title = o->title ? o->title : w->model->title,
        .panel = plot_panels(&w->requests, &w->motion, 0),
        .panels = w->requests.list.count,
        .columns = o->columns < w->requests.list.count ? o->columns : w->requests.list.count,
        .width = o->width,
        .height = o->height};
    text svg = text_begin(&ctx->job);
    plot_svg(ctx, &svg, &figure);
    w->svg = text_end(&svg);
    w->summary = w->format == AH_JSON ? as_json(w) : as_text(w);
}

ah_status ah_plot(ah_model *m, const ah_plot_options *options, ah_format format, const char **svg,
                  const char **summary)
{
    if (!svg || !summary) return AH_E_INPUT;
    ah_plot_options o = ah_plot_defaults();
    plot w = {.options = &o, .format = format};
    *svg = *summary = NULL;
    if (!base_take_options(m ? m->ctx : NULL, &o, sizeof o, options)) return AH_E_INPUT;
    const ah_status status = model_guard_fork(m, MODEL_PLOT, format, &w.model, run_plot, &w);
    *svg = w.summary ? w.svg : NULL; /* both or none */
    *summary = w.summary;
    return status != AH_OK && w.status == AH_OK ? status : w.status;
}
