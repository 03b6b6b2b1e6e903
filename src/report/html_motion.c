/* report/html_motion.c - the motion: figures, summary, and its rows to be taken along. */
#include "html.h"
#include "../figure/figure.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Seconds of integration, and for the picture of it. */
#define MOTION_SECONDS 10.0
#define SCENE_SECONDS  5.0
/* Bytes of the rows as CSV in the page, roughly; more are thinned. */
#define ROWS_LARGEST 600000
#define ROWS_CELL    24
/* Events that are listed. */
#define EVENTS_MOST 20

/* ---- Running --------------------------------------------------------------------------------- */

/* What the picture and the plots need besides the columns of `simulate`. */
static expr_list wanted(html *h)
{
    expr_list all = {0};
    for (size_t i = 0; i < h->scene->extras.count; i++)
        LIST_PUSH(h->arena, &all, h->scene->extras.at[i]);
    for (size_t i = 0; i < h->plots->e.count; i++) LIST_PUSH(h->arena, &all, h->plots->e.at[i]);
    return all;
}

static void run(html *h, void *arg)
{
    trajectory *t = arg;
    ah_status status;
    ah_simulate_options o = ah_simulate_defaults();
    o.to = h->options->to;
    o.samples = h->options->samples;
    o.at = h->options->at;
    o.project = h->options->project;
    h->scene = NEW(h->arena, scene);
    h->plots = NEW(h->arena, plot_requests);
    ah_model *driven = model_driven(h->model);
    h->plots->model = driven;
    scene_plan(driven, h->arena, h->scene);
    plot_ask_default(h->plots);
    const expr_list extra = wanted(h);
    if (trajectory_run(driven, &o, extra.at, extra.count, t, &status) && t->rows) h->motion = t;
}

void html_run_motion(html *h)
{
    trajectory *t = NEW(h->arena, trajectory);
    const char *why = html_try(h, MOTION_SECONDS, run, t);
    if (h->motion && !why) return;
    h->motion = NULL;
    h->page->no_motion = why ? why : "it has no rows";
}

/* ---- The picture ----------------------------------------------------------------------------- */

/* The still shows the motion when so much of it is over. */
#define STILL_AT 0.35

static void put_scene(html *h, void *unused)
{
    (void) unused;
    const trajectory *t = h->motion;
    html_add(h, "<figure class=\"scene\">\n");
    scene_svg(&h->out, h->scene, t, (size_t) (STILL_AT * (double) (t->rows - 1)));
    html_add(h, "\n<script type=\"application/json\" class=\"scene-data\">");
    h->scene->live = h->live != NULL;
    scene_json(&h->out, h->scene, t);
    html_add(h, "</script>\n");
    if (h->live) {
        html_add(h, "<script type=\"application/json\" class=\"live-data\">");
        html_add(h, h->live);
        html_add(h, "</script>\n");
    }
    html_add(h, "</figure>\n");
    if (h->live) return;
    html_add(h, "<p class=\"still\">The motion stays as it was computed, without sliders: ");
    html_text(h, h->still);
    html_add(h, ".</p>\n");
}

void html_scene(html *h)
{
    if (!h->motion) return;
    html_make_live(h);
    h->player = !html_try(h, SCENE_SECONDS, put_scene, NULL);
}

/* ---- Plots ----------------------------------------------------------------------------------- */

/* CSS pixels of one plot: two stand beside each other. */
#define PLOT_WIDTH  410
#define PLOT_HEIGHT 290

static void put_plots(html *h, void *unused)
{
    (void) unused;
    const plot_panel *panel =
        plot_panels(h->plots, h->motion, h->motion->extra + h->scene->extras.count);
    html_add(h, "<div class=\"plots\">\n");
    for (size_t i = 0; i < h->plots->list.count; i++) {
        const plot_request *r = &h->plots->list.at[i];
        const plot_figure f = {.title = r->caption,
                               .id = arena_printf(h->arena, "plot%zu", i + 1),
                               .panel = &panel[i],
                               .panels = 1,
                               .width = PLOT_WIDTH,
                               .height = PLOT_HEIGHT,
                               .in_page = true};
        html_add(h, "<figure>\n");
        plot_svg(h->ctx, &h->out, &f);
        html_add(h, "\n<figcaption>");
        html_text(h, r->caption);
        html_add(h, "</figcaption>\n</figure>\n");
    }
    html_add(h, "</div>\n");
}

static void plots(html *h)
{
    const char *why = html_try(h, SCENE_SECONDS, put_plots, NULL);
    if (!why) return;
    html_add(h, "<p>There are no plots: ");
    html_text(h, why);
    html_add(h, ".</p>\n");
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* For a data: address: what is not a letter, a digit or harmless is escaped. */
static void put_escaped(html *h, const char *s)
{
    for (; *s; s++)
        if (isalnum((unsigned char) *s) || strchr(",.-_", *s))
            text_char(&h->out, *s);
        else
            html_printf(h, "%%%02X", (unsigned) (unsigned char) *s);
}

static void put_cells(html *h, const trajectory *t, size_t row)
{
    for (size_t i = 0; i < t->extra; i++) {
        const double x = t->at[row * t->columns + i];
        if (i) text_char(&h->out, ',');
        if (isfinite(x)) text_double(&h->out, x, 17);
    }
    html_add(h, "%0A");
}

static const char *file_name(html *h)
{
    text t = text_begin(h->arena);
    for (const char *s = h->title; *s && t.length < 40; s++) {
        const char c = (char) tolower((unsigned char) *s);
        if (isalnum((unsigned char) c))
            text_char(&t, c);
        else if (t.length && t.at[t.length - 1] != '-')
            text_char(&t, '-');
    }
    while (t.length && t.at[t.length - 1] == '-') t.length--;
    return t.length ? text_end(&t) : "motion";
}

static void download(html *h)
{
    const trajectory *t = h->motion;
    const size_t most = ROWS_LARGEST / (ROWS_CELL * t->extra) + 2;
    const size_t stride = (t->rows + most - 1) / most;
    html_printf(h,
                "<p class=\"download\"><a download=\"%s.csv\" href=\"data:text/csv;charset=utf-8,",
                file_name(h));
    for (size_t i = 0; i < t->extra; i++) {
        if (i) text_char(&h->out, ',');
        put_escaped(h, t->name[i]);
    }
    html_add(h, "%0A");
    for (size_t i = 0; i < t->rows; i += stride) put_cells(h, t, i);
    if ((t->rows - 1) % stride) put_cells(h, t, t->rows - 1);
    html_printf(h, "\">Download the motion as CSV</a> (%zu columns, ", t->extra);
    if (stride > 1) html_printf(h, "one in %zu of ", stride);
    html_printf(h, "%zu rows", t->rows);
    html_add(h, ", 17 significant digits)</p>\n");
}

/* ---- Summary --------------------------------------------------------------------------------- */

static void row(html *h, const char *title)
{
    html_printf(h, "<tr><th scope=\"row\">%s</th><td>", title);
}

static void row_end(html *h)
{
    html_add(h, "</td></tr>\n");
}

static void number_row(html *h, const char *title, double x, int digits)
{
    row(h, title);
    html_number(h, x, digits);
    row_end(h);
}

static void summary(html *h)
{
    const trajectory *t = h->motion;
    const motion_summary *w = &t->summary;
    html_add(h, "<table class=\"summary\">\n<caption>How it was computed</caption>\n<tbody>\n");
    if (!h->model->kinematic) {
        row(h, "Equations");
        html_text(h, t->method->title);
        row_end(h);
    }
    row(h, "Integrator");
    html_printf(h, "%s (%s)", ivp_integrators[w->result.kind].name, trajectory_engine(t));
    row_end(h);
    row(h, "Tolerances");
    html_number(h, t->span.tolerance.rtol, 3);
    html_add(h, " relative, ");
    html_number(h, t->span.tolerance.atol, 3);
    html_add(h, " absolute");
    row_end(h);
    row(h, "Time");
    html_number(h, t->span.t0, 6);
    html_add(h, " to ");
    html_number(h, w->t, 6);
    row_end(h);
    row(h, "Steps");
    html_printf(h, "%llu, with %llu evaluations", (unsigned long long) w->result.steps,
                (unsigned long long) w->result.evaluations);
    row_end(h);
    if (!h->model->kinematic) {
        number_row(h, "Energy at the start", w->energy_start, 10);
        number_row(h, "Largest change of energy", w->energy_change, 3);
    }
    for (size_t i = 0; i < w->constants; i++) {
        if (!strcmp(w->constant[i].label, "energy")) continue; /* said already */
        html_add(h, "<tr><th scope=\"row\">Largest change of <bdi>");
        html_text(h, w->constant[i].label);
        html_add(h, "</bdi></th><td>");
        html_number(h, w->constant[i].change, 3);
        row_end(h);
    }
    if (h->model->constraints.count) number_row(h, "Largest constraint residual", w->residual, 3);
    if (w->stopped) {
        row(h, "Stopped");
        html_text(h, w->stopped);
        row_end(h);
    }
    html_add(h, "</tbody>\n</table>\n");
}

static void events(html *h)
{
    const trajectory *t = h->motion;
    const size_t shown = t->events.count < EVENTS_MOST ? t->events.count : EVENTS_MOST;
    if (!shown) return;
    html_add(h, "<table class=\"events\">\n<caption>Events</caption>\n<thead><tr><th scope=\"col\">"
                "Time</th><th scope=\"col\">What</th><th scope=\"col\">How</th></tr></thead>\n"
                "<tbody>\n");
    for (size_t i = 0; i < shown; i++) {
        const trajectory_event *e = &t->events.at[i];
        html_add(h, "<tr><td>");
        html_number(h, e->row[0], 10);
        html_add(h, "</td><td><bdi>");
        html_text(h, e->event->label);
        html_printf(h, "</bdi></td><td>%s</td></tr>\n",
                    e->touched         ? "touched, not clearly crossed"
                    : e->direction > 0 ? "rising"
                                       : "falling");
    }
    html_add(h, "</tbody>\n</table>\n");
    if (t->happened > shown)
        html_printf(h, "<p>… and %llu events more.</p>\n",
                    (unsigned long long) t->happened - shown);
}

void html_motion(html *h)
{
    html_section(h, "motion", "The motion");
    if (h->motion) {
        plots(h);
        summary(h);
        events(h);
        download(h);
    } else {
        html_add(h, "<p>No motion is shown: ");
        html_text(h, h->page->no_motion);
        html_add(h, ".</p>\n");
    }
    html_section_end(h);
}
