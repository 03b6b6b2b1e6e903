/* cli/cli_plot.c - `anholo plot`. */
#include "cli.h"

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

static int run(cli *c)
{
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
        "outputs, conservation.\n",
    .example = "plot models/double_pendulum.ah 'x1,y1' 't,energy' -o figure.svg",
    .options = options,
    .words = "[PANEL …]",
    .details = cli_help_methods,
    .run = run,
};
