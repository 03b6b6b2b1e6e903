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

enum { AXES = 3 };
/* Numbers that are drawn at most: half a gigabyte of them. */
#define DRAWN_MOST ((size_t) 1 << 26)

/* What a panel names: columns that follow one another, as many as `each` made, or one; then their numbers, row by row. */
typedef struct axis {
    size_t column, times;
    double *values;
} axis;

/* The picture of a table, a CSV or a journal, whose columns have these names. */
typedef struct table {
    const char *const *names;
    size_t columns, axes;
    axis at[AXES];
    size_t times, count, room; /* numbers of an axis: in a row, in all, as far as there is room */
} table;

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

/* The axes of a panel, written as columns are in the first line; false: *wrong is none. */
static bool find_axes(const char *panel, table *t, const char **wrong)
{
    *wrong = panel;
    for (const char *s = panel; *s && t->axes < AXES;) {
        axis *a = &t->at[t->axes];
        size_t best = 0;
        for (size_t i = 0; i < t->columns; i++) { /* names may have commas: the longest that fits */
            const size_t n = named(t, i, s);
            if (n > best) best = n, *a = (axis){.column = i};
        }
        *wrong = s;
        if (!best) return false;
        for (size_t i = a->column; i < t->columns && named(t, i, s) == best; i++) a->times++;
        t->times = a->times > t->times ? a->times : t->times;
        t->axes++;
        s += best + (s[best] == ',');
        while (*s == ' ') s++;
        *wrong = s;
    }
    return t->axes && !**wrong;
}

/* What is to be drawn, from the names. 0, or the exit status after an error has been written. */
static int choose(const cli *c, table *t)
{
    const char *wrong = "";
    if (c->word_count != 1)
        return cli_fail(c->json, EXIT_USAGE, c->file, "say which columns: 'x', 'x,y' or 'x,y,z'");
    if (!find_axes(c->words[0], t, &wrong))
        return cli_fail(c->json, EXIT_USAGE, c->file,
                        "the table has no such columns: `%s` (one to three, with commas between)",
                        wrong);
    for (size_t k = 0; k < t->axes; k++)
        if (t->at[k].times != 1 && t->at[k].times != t->times)
            return cli_fail(c->json, EXIT_USAGE, c->file,
                            "the axes have different numbers of columns");
    return 0;
}

/* A row, whose next cell is `apart` behind the one before. What is one column comes again and again. */
static int take_row(const cli *c, table *t, const double *cells, size_t apart)
{
    if (t->axes * (t->count + t->times) > DRAWN_MOST)
        return cli_fail(c->json, EXIT_LIMIT, c->file,
                        "more than %zu numbers are to be drawn: fewer rows or columns are needed",
                        DRAWN_MOST);
    const bool full = t->count + t->times > t->room;
    if (full) t->room = 2 * (t->count + t->times);
    for (size_t k = 0; k < t->axes; k++) {
        axis *a = &t->at[k];
        double *values = full ? realloc(a->values, t->room * sizeof *values) : a->values;
        if (!values) return cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
        a->values = values;
        for (size_t i = 0; i < t->times; i++)
            values[t->count + i] = cells[(a->column + (a->times > 1 ? i : 0)) * apart];
    }
    t->count += t->times;
    return 0;
}

static int take_csv(const cli *c, table *t, rows_reader *r)
{
    int status = 0;
    if (rows_open(r, c->file)) {
        t->names = r->names;
        t->columns = r->columns;
        status = choose(c, t);
        while (!status && !cli_stopped() && rows_next(r)) status = take_row(c, t, r->cells, 1);
    }
    if (!status && cli_stopped()) return cli_tell_stopped(c);
    if (status || !r->wrong) return status;
    if (!r->number) return cli_fail(c->json, EXIT_NO, c->file, "%s", r->wrong);
    return cli_fail(c->json, EXIT_NO, c->file, "line %zu: %s", r->number, r->wrong);
}

static int take_journal(cli *c, table *t)
{
    ah_journal_rows rows;
    const ah_status read = ah_journal_read(c->ctx, c->file, &rows);
    if (read != AH_OK) return cli_answer(c, read, NULL);
    t->names = rows.names;
    t->columns = rows.columns;
    int status = choose(c, t);
    for (size_t i = 0; i < rows.rows && !status; i++)
        status = take_row(c, t, rows.values + i, rows.rows);
    return status;
}

static bool has_numbers(const axis *a, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (isfinite(a->values[i])) return true;
    return false;
}

static int draw(cli *c, const table *t, bool journal)
{
    char name[AXES][200];
    int status = 0;
    const char *svg = NULL;
    ah_map m = {.rows = t->count, .title = cli_get(c, "--title")};
    if (!t->count)
        return cli_fail(c->json, EXIT_NO, c->file,
                        journal ? "the journal has no rows yet"
                                : "there are no rows below the names");
    for (size_t k = 0; k < t->axes; k++) {
        const axis *a = &t->at[k];
        const char *text = t->names[a->column];
        const size_t length = a->times > 1 ? stem(text) : strlen(text);
        snprintf(name[k], sizeof name[k], "%.*s", (int) length, text);
        m.names[k] = name[k];
        if (!has_numbers(a, t->count))
            return cli_fail(c->json, EXIT_NO, c->file, "`%s` has no numbers", name[k]);
    }
    m.x = t->at[0].values, m.y = t->at[1].values, m.z = t->at[2].values;
    output *file = cli_output(c, "-o", &status);
    if (status) return status;
    const ah_status made = ah_map_draw(c->ctx, &m, &svg);
    return answer(c, file, made, svg, "");
}

static int draw_table(cli *c, bool journal)
{
    table t = {0};
    rows_reader r = {0};
    c->file = c->path;
    if (c->json) return cli_fail(true, EXIT_USAGE, c->file, "the picture of a table has no JSON");
    int status = journal ? take_journal(c, &t) : take_csv(c, &t, &r);
    if (!status) status = draw(c, &t, journal);
    for (size_t k = 0; k < AXES; k++) free(t.at[k].values);
    rows_close(&r);
    return status;
}

static int run(cli *c)
{
    if (ends_in(c->path, ".csv")) return draw_table(c, false);
    if (ends_in(c->path, ".db")) return draw_table(c, true);
    ah_plot_options o = ah_plot_defaults();
    const char *svg = NULL, *summary = NULL, *from = cli_get(c, "--from");
    char *earlier = NULL;
    int status = read_options(c, &o);
    if (status || !cli_read_file(c, &status)) return status;
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
    .reads = true,
};
