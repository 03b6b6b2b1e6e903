/* cli/cli_plot.c - `anholo plot`. */
#include "cli_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option options[] = {
    {"-o", OPTION_TEXT, "FILE", "where the SVG goes; without it to standard output"},
    {"--from", OPTION_TEXT, "FILE", "the table of an earlier `simulate` instead of a run"},
    {"--title", OPTION_TEXT, "TEXT", "above the panels (default: the model's)"},
    {"--size", OPTION_TEXT, "WxH", "in pixels, such as 800x500"},
    {"--columns", OPTION_COUNT, "N", "panels beside each other (default: 2)"},
    {"--log", OPTION_FLAG, NULL, "logarithmic y axes, of absolute values"},
    {"--equal", OPTION_FLAG, NULL, "one scale for x and y (lengths have it anyhow)"},
    INPUT_OPTION,
    MOTION_OPTIONS("2001"),
    {NULL, OPTION_FLAG, NULL, NULL},
};

/* "800x500" */
static bool read_size(const char *words, ah_plot_options *o)
{
    char *end;
    o->width = strtod(words, &end);
    if (end == words || (*end != 'x' && *end != 'X')) return false;
    const char *second = end + 1;
    o->height = strtod(second, &end);
    return end != second && !*end && o->width > 0 && o->height > 0;
}

/* Options to what is asked for; 0, or the exit status after an error has been written. */
static int read_options(const cli *c, ah_plot_options *o)
{
    const char *size = cli_get(c, "--size");
    o->panels = c->words;
    o->panel_count = c->word_count;
    o->title = cli_get(c, "--title");
    o->columns = cli_count(c, "--columns", 0);
    o->log = cli_flag(c, "--log");
    o->equal = cli_flag(c, "--equal");
    o->file = cli_get(c, "-o");
    if (size && !read_size(size, o))
        return cli_fail(c->json, EXIT_USAGE, NULL,
                        "`--size` cannot be `%s`: it is width x height in pixels, 800x500", size);
    return cli_motion(c, &o->run);
}

/* The summary is the answer, but where the figure itself goes to standard output. */
static int answer(cli *c, output *file, ah_status made, const char *svg, const char *summary)
{
    if (!svg) return cli_answer(c, made, NULL);
    if (file) {
        cli_write_output(file, svg, strlen(svg));
        const int status = cli_close_output(c, file, OUTPUT_WHOLE);
        if (status) return status;
    }
    if (file || c->json) return cli_answer(c, made, summary);
    fputs(summary, stderr);
    return cli_answer(c, made, svg);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static bool ends_in(const char *file, const char *ending)
{
    const size_t n = file ? strlen(file) : 0, m = strlen(ending);
    return n > m && !strcmp(file + n - m, ending);
}

enum { AXES = 3, COLUMNS_MOST = 4000 };

/* Columns by name, of a CSV or of a journal. */
typedef struct table {
    const char *names[COLUMNS_MOST];
    size_t count, rows;
    double *values; /* one column after the other */
    char *text;     /* whose parts the names are; NULL: they are the journal's */
} table;

/* What a panel names: columns that follow one another, as many as `each` made, or one. */
typedef struct axis {
    size_t column, times;
} axis;

/* The name without [k] at its end. */
static size_t stem(const char *name)
{
    const size_t n = strlen(name);
    const char *bracket = strrchr(name, '[');
    return strncmp(name, "each(", 5) || !bracket ? n : (size_t) (bracket - name);
}

/* How long the name is that stands at s: of column k, or of all that `each` made; 0: neither. */
static size_t named(const table *t, size_t k, const char *s)
{
    const size_t whole = strlen(t->names[k]), part = stem(t->names[k]);
    const size_t n = strncmp(s, t->names[k], whole) ? part : whole;
    return !strncmp(s, t->names[k], n) && (s[n] == ',' || !s[n]) ? n : 0;
}

/* The axes of a panel, written as columns are in the first line; their number, 0: *wrong is none. */
static size_t find_axes(const char *panel, const table *t, axis *out, const char **wrong)
{
    size_t axes = 0;
    for (const char *s = panel; *s && axes < AXES;) {
        size_t best = 0;
        for (size_t i = 0; i < t->count; i++) { /* names may have commas: the longest that fits */
            const size_t n = named(t, i, s);
            if (n > best) best = n, out[axes] = (axis){i, 0};
        }
        *wrong = s;
        if (!best) return 0;
        axis *a = &out[axes++];
        for (size_t i = a->column; i < t->count && named(t, i, s) == best; i++) a->times++;
        s += best + (s[best] == ',');
        while (*s == ' ') s++;
        *wrong = s;
    }
    return **wrong ? 0 : axes;
}

static bool read_csv(const cli *c, table *t)
{
    bool last = false;
    t->text = malloc(c->length + 1);
    if (!t->text) return false;
    memcpy(t->text, c->text, c->length);
    t->text[c->length] = '\0';
    char *s = t->text;
    while (!last && t->count < COLUMNS_MOST) t->names[t->count++] = rows_cell(&s, &last);
    size_t lines = 1;
    for (const char *at = s; *at; at++) lines += *at == '\n';
    t->values = malloc(t->count * lines * sizeof *t->values);
    if (!t->values) return false;
    for (; *s && t->rows < lines; t->rows++) {
        last = false;
        for (size_t i = 0; i < t->count || !last; i++) {
            const char *cell = last ? "" : rows_cell(&s, &last);
            if (i < t->count) t->values[i * lines + t->rows] = *cell ? strtod(cell, NULL) : NAN;
        }
    }
    for (size_t i = 1; i < t->count; i++)
        memmove(t->values + i * t->rows, t->values + i * lines, t->rows * sizeof *t->values);
    return true;
}

static ah_status read_journal(const cli *c, table *t)
{
    ah_journal_rows rows;
    const ah_status status = ah_journal_read(c->ctx, c->file, &rows);
    if (status != AH_OK) return status;
    t->count = rows.columns < COLUMNS_MOST ? rows.columns : COLUMNS_MOST;
    t->rows = rows.rows;
    t->values = malloc((t->count * t->rows + 1) * sizeof *t->values);
    if (!t->values) return AH_E_MEMORY;
    memcpy(t->values, rows.values, t->count * t->rows * sizeof *t->values);
    for (size_t i = 0; i < t->count; i++) t->names[i] = rows.names[i];
    return AH_OK;
}

/* The numbers of an axis, `times` columns of them; what is one column comes again and again. */
static double *gather(const table *t, const axis *a, size_t times)
{
    double *out = malloc((times * t->rows + 1) * sizeof *out);
    for (size_t i = 0; out && i < times; i++)
        memcpy(out + i * t->rows, t->values + (a->column + (a->times > 1 ? i : 0)) * t->rows,
               t->rows * sizeof *out);
    return out;
}

static int draw_axes(cli *c, const table *t, const axis *at, size_t axes)
{
    double *value[AXES] = {NULL};
    char name[AXES][200];
    size_t times = 1;
    int status = 0;
    const char *svg = NULL;
    bool fits = true, room = true;
    for (size_t k = 0; k < axes; k++) times = at[k].times > times ? at[k].times : times;
    for (size_t k = 0; k < axes; k++) fits = fits && (at[k].times == 1 || at[k].times == times);
    if (!fits)
        return cli_fail(c->json, EXIT_USAGE, c->file, "the axes have different numbers of columns");
    ah_map m = {.rows = times * t->rows, .title = cli_get(c, "--title")};
    for (size_t k = 0; k < axes; k++) {
        value[k] = gather(t, &at[k], times);
        room = room && value[k];
        const char *text = t->names[at[k].column];
        snprintf(name[k], sizeof name[k], "%.*s",
                 (int) (at[k].times > 1 ? stem(text) : strlen(text)), text);
        m.names[k] = name[k];
    }
    m.x = value[0], m.y = value[1], m.z = value[2];
    output *file = room ? cli_output(c, "-o", &status) : NULL;
    if (!room) status = cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
    if (!status) {
        const ah_status made = ah_map_draw(c->ctx, &m, &svg);
        status = answer(c, file, made, svg, "");
    }
    for (size_t k = 0; k < AXES; k++) free(value[k]);
    return status;
}

static int draw_panel(cli *c, const table *t)
{
    axis at[AXES];
    const char *wrong = c->word_count ? c->words[0] : "";
    if (!t->rows) return cli_fail(c->json, EXIT_NO, c->file, "there are no rows below the names");
    const size_t axes = c->word_count == 1 ? find_axes(c->words[0], t, at, &wrong) : 0;
    if (axes) return draw_axes(c, t, at, axes);
    return cli_fail(c->json, EXIT_USAGE, c->file,
                    c->word_count == 1
                        ? "the table has no such columns: `%s` (one to three, with commas between)"
                        : "say which columns: 'x', 'x,y' or 'x,y,z'%s",
                    wrong);
}

static int draw_table(cli *c, bool journal)
{
    if (c->json) return cli_fail(true, EXIT_USAGE, c->file, "the picture of a table has no JSON");
    table *t = calloc(1, sizeof *t);
    int status = 0;
    const ah_status read = !t        ? AH_E_MEMORY
                           : journal ? read_journal(c, t)
                                     : (read_csv(c, t) ? AH_OK : AH_E_MEMORY);
    if (read == AH_OK)
        status = draw_panel(c, t);
    else
        status = read == AH_E_MEMORY ? cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory")
                                     : cli_answer(c, read, NULL);
    if (t) {
        free(t->text);
        free(t->values);
    }
    free(t);
    return status;
}

static int run(cli *c)
{
    if (ends_in(c->file, ".csv")) return draw_table(c, false);
    if (ends_in(c->file, ".db")) return draw_table(c, true);
    ah_plot_options o = ah_plot_defaults();
    const char *svg = NULL, *summary = NULL, *from = cli_get(c, "--from");
    char *earlier = NULL;
    int status = read_options(c, &o);
    if (status) return status;
    ah_model *m = cli_read_model(c, &status);
    if (!m || (status = cli_inputs(c, m)) != 0) return status;
    status = 0;
    output *file = cli_output(c, "-o", &status);
    if (status) return status;
    if (from && !(earlier = cli_read_text(c, from, &o.from_length, &status))) return status;
    o.from = earlier;
    const ah_status made = ah_plot(m, &o, c->json ? AH_JSON : AH_TEXT, &svg, &summary);
    status = answer(c, file, made, svg, summary);
    free(earlier);
    return status;
}

const command command_plot = {
    .name = "plot",
    .summary = "figures of the motion, SVG",
    .about =
        "Draws the motion from the model's start. Each PANEL is 'x,y' or 'x,y1,y2,…', of any\n"
        "expressions of t, coordinates, velocities x', accelerations x'', velocity parameters,\n"
        "quasi-velocities, outputs, energy, lambda[label], reaction[x] and residual; change(e) is\n"
        "e less its value at the beginning. Changes and residuals alone get a logarithmic axis,\n"
        "two lengths one scale. Without a PANEL: paths, coordinates, velocities, multipliers,\n"
        "outputs, conservation. Of a table FILE.csv or a journal FILE.db in the model's place, as\n"
        "sweeps write them, 'x,y,z' draws a plane of colours, 'x,y' points, 'x' how often x has\n"
        "which values.\n",
    .example = "plot models/double_pendulum.ah 'x1,y1' 't,energy' -o figure.svg",
    .options = options,
    .words = "[PANEL …]",
    .details = cli_help_methods,
    .run = run,
};
