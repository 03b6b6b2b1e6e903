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

static bool is_table(const char *file)
{
    const size_t n = file ? strlen(file) : 0;
    return n > 4 && !strcmp(file + n - 4, ".csv");
}

enum { AXES = 3, COLUMNS_MOST = 1000 };

/* Which columns the panel names, written as they stand in the first line; their number, 0: *wrong is none. */
static size_t find_columns(const char *panel, char **names, size_t count, size_t *column,
                           const char **wrong)
{
    size_t axes = 0;
    for (const char *s = panel; *s && axes < AXES;) {
        size_t best = 0, k = count;
        for (size_t i = 0; i < count; i++) { /* names may have commas: the longest that fits */
            const size_t n = strlen(names[i]);
            if (n > best && !strncmp(s, names[i], n) && (s[n] == ',' || !s[n])) best = n, k = i;
        }
        *wrong = s;
        if (k == count) return 0;
        column[axes++] = k;
        s += best + (s[best] == ',');
        while (*s == ' ') s++;
        *wrong = s;
    }
    return **wrong ? 0 : axes;
}

/* The columns of the table in `text`; how many rows. */
static size_t read_columns(char *text, const size_t *column, size_t axes, double **value)
{
    size_t rows = 0, room = 0;
    for (char *s = text; *s; rows++) {
        if (rows == room) {
            room = 2 * room + 1000;
            for (size_t k = 0; k < axes; k++) {
                double *more = realloc(value[k], room * sizeof *more);
                if (!more) return 0;
                value[k] = more;
            }
        }
        bool last = false;
        for (size_t k = 0; k < axes; k++) value[k][rows] = NAN;
        for (size_t i = 0; !last; i++) {
            const char *cell = rows_cell(&s, &last);
            for (size_t k = 0; k < axes; k++)
                if (column[k] == i && *cell) value[k][rows] = strtod(cell, NULL);
        }
    }
    return rows;
}

static int draw_table(cli *c)
{
    char *text = malloc(c->length + 1), *s = text, *names[COLUMNS_MOST];
    double *value[AXES] = {NULL};
    size_t count = 0, column[AXES] = {0};
    bool last = false;
    int status = 0;
    if (c->json) {
        free(text);
        return cli_fail(true, EXIT_USAGE, c->file, "the picture of a table has no JSON");
    }
    if (!text) return cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
    memcpy(text, c->text, c->length);
    text[c->length] = '\0';
    while (!last && count < COLUMNS_MOST) names[count++] = rows_cell(&s, &last);
    const char *wrong = c->word_count ? c->words[0] : "";
    const size_t axes =
        c->word_count == 1 ? find_columns(c->words[0], names, count, column, &wrong) : 0;
    if (!axes) {
        status =
            cli_fail(c->json, EXIT_USAGE, c->file,
                     c->word_count == 1
                         ? "the table has no such columns: `%s` (one to three, with commas between)"
                         : "say which columns: 'x', 'x,y' or 'x,y,z'%s",
                     wrong);
        free(text);
        return status;
    }
    output *file = cli_output(c, "-o", &status);
    const char *svg = NULL;
    if (!status) {
        ah_map m = {.rows = read_columns(s, column, axes, value), .title = cli_get(c, "--title")};
        m.x = value[0], m.y = value[1], m.z = value[2];
        for (size_t k = 0; k < axes; k++) m.names[k] = names[column[k]];
        const ah_status made = m.rows ? ah_map_draw(c->ctx, &m, &svg) : AH_OK;
        if (!m.rows)
            status =
                cli_fail(c->json, EXIT_NO, c->file, "there are no rows below the line of names");
        else
            status = answer(c, file, made, svg, "");
    }
    for (size_t k = 0; k < AXES; k++) free(value[k]);
    free(text);
    return status;
}

static int run(cli *c)
{
    if (is_table(c->file)) return draw_table(c);
    ah_plot_options o = ah_plot_defaults();
    const char *svg = NULL, *summary = NULL, *from = cli_get(c, "--from");
    char *table = NULL;
    int status = read_options(c, &o);
    if (status) return status;
    ah_model *m = cli_read_model(c, &status);
    if (!m || (status = cli_inputs(c, m)) != 0) return status;
    status = 0;
    output *file = cli_output(c, "-o", &status);
    if (status) return status;
    if (from && !(table = cli_read_text(c, from, &o.from_length, &status))) return status;
    o.from = table;
    const ah_status made = ah_plot(m, &o, c->json ? AH_JSON : AH_TEXT, &svg, &summary);
    status = answer(c, file, made, svg, summary);
    free(table);
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
        "outputs, conservation. Of a table FILE.csv in the model's place, such as a sweep writes,\n"
        "'x,y,z' draws a plane of colours, 'x,y' points, 'x' how often x has which values.\n",
    .example = "plot models/double_pendulum.ah 'x1,y1' 't,energy' -o figure.svg",
    .options = options,
    .words = "[PANEL …]",
    .details = cli_help_methods,
    .run = run,
};
