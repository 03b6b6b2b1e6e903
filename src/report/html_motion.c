/* report/html_motion.c - the motion: figures, summary, and its rows to be taken along. */
#include "html.h"
#include "trajectory.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Seconds of integration. */
#define MOTION_SECONDS 1.0
/* Bytes of the rows as CSV in the page, roughly; more are thinned. */
#define ROWS_LARGEST 600000
#define ROWS_CELL    24

/* ---- Running --------------------------------------------------------------------------------- */

static void run(html *h, void *arg)
{
    trajectory *t = arg;
    ah_status status;
    ah_simulate_options o = ah_simulate_defaults();
    o.to = h->options->to;
    o.samples = h->options->samples;
    if (trajectory_run(h->model, &o, NULL, 0, t, &status) && t->rows) h->motion = t;
}

void html_run_motion(html *h)
{
    trajectory *t = NEW(h->arena, trajectory);
    const char *why = html_try(h, MOTION_SECONDS, run, t);
    if (h->motion && !why) return;
    h->motion = NULL;
    h->page->no_motion = why ? why : "it has no rows";
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
    for (size_t i = 0; i < t->columns; i++) {
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
    const size_t most = ROWS_LARGEST / (ROWS_CELL * t->columns) + 2;
    const size_t stride = (t->rows + most - 1) / most;
    html_printf(h,
                "<p class=\"download\"><a download=\"%s.csv\" href=\"data:text/csv;charset=utf-8,",
                file_name(h));
    for (size_t i = 0; i < t->columns; i++) {
        if (i) text_char(&h->out, ',');
        put_escaped(h, t->name[i]);
    }
    html_add(h, "%0A");
    for (size_t i = 0; i < t->rows; i += stride) put_cells(h, t, i);
    if ((t->rows - 1) % stride) put_cells(h, t, t->rows - 1);
    html_printf(h, "\">Download the motion as CSV</a> (%zu columns, ", t->columns);
    if (stride > 1)
        html_printf(h, "every %zu%s of %zu rows", stride,
                    stride == 2   ? "nd"
                    : stride == 3 ? "rd"
                                  : "th",
                    t->rows);
    else
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
    row(h, "Equations");
    html_text(h, t->method->title);
    row_end(h);
    row(h, "Integrator");
    html_printf(h, "dop853 (%s)", trajectory_engine(t));
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
    number_row(h, "Energy at the start", w->energy_start, 10);
    number_row(h, "Largest change of energy", w->energy_change, 3);
    if (h->model->constraints.count) number_row(h, "Largest constraint residual", w->residual, 3);
    if (w->stopped) {
        row(h, "Stopped");
        html_text(h, w->stopped);
        row_end(h);
    }
    html_add(h, "</tbody>\n</table>\n");
}

void html_motion(html *h)
{
    html_section(h, "motion", "The motion");
    if (h->motion) {
        summary(h);
        download(h);
    } else {
        html_add(h, "<p>No motion is shown: ");
        html_text(h, h->page->no_motion);
        html_add(h, ".</p>\n");
    }
    html_section_end(h);
}
