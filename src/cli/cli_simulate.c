/* cli/cli_simulate.c - `anholo simulate`. */
#include "npy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option options[] = {
    INPUT_OPTION,
    MOTION_OPTIONS("201"),
    {"-o", OPTION_TEXT, "FILE",
     "the rows: JSON if FILE ends in .json, an array of NumPy if in .npy, else CSV; without it "
     "they go to standard output"},
    {"--events", OPTION_TEXT, "FILE", "the model's events as CSV: label, direction, and a row"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

/* Rows on their way; `count` tells whether there are any behind the header. */
typedef struct sink {
    output *file; /* NULL: standard output */
    size_t count;
    size_t shape; /* where an array's number of rows stands in its file; 0: it is no array */
} sink;

static bool write_rows(void *user, const char *text, size_t length)
{
    sink *s = user;
    s->count++;
    if (!s->file) return fwrite(text, 1, length, stdout) == length;
    cli_write_output(s->file, text, length);
    return !s->file->error;
}

/* As wide as any number of rows: it is known in the end, and then put over the first. */
#define ARRAY_SHAPE "(%20zu,)"

static void begin_array(sink *s, const char *const *names, size_t columns)
{
    char shape[40];
    npy_columns c = npy_columns_begin();
    for (size_t i = 0; i < columns; i++) npy_column(&c, names[i], "<f8");
    char *list = npy_columns_end(&c);
    snprintf(shape, sizeof shape, ARRAY_SHAPE, (size_t) 0);
    if (list)
        s->shape = npy_begin(s->file, list, shape);
    else
        s->file->error = ENOMEM;
    free(list);
}

static bool write_numbers(void *user, const char *const *names, const double *row, size_t columns)
{
    sink *s = user;
    if (!s->count) begin_array(s, names, columns), s->count++;
    for (size_t i = 0; i < columns; i++) npy_number(s->file, row[i]);
    s->count++;
    return !s->file->error;
}

static void end_array(const sink *s)
{
    if (!s->file || !s->shape || s->file->error) return;
    if (fseek(s->file->file, (long) s->shape, SEEK_SET) ||
        fprintf(s->file->file, ARRAY_SHAPE, s->count - 1) < 0)
        s->file->error = errno; /* a pipe has no way back */
}

/* What there is of a motion that was cut short: worth keeping, but not in the place of others. */
static int close_partial(cli *c, const sink *s)
{
    if (!s->file) return 0;
    end_array(s);
    return cli_close_output(c, s->file, s->count > 1 ? OUTPUT_PARTIAL : OUTPUT_NOTHING);
}

/* A motion that ends early by itself has a result. Both files are replaced, or none. */
static int close_files(cli *c, ah_status made, const sink *rows, const sink *events)
{
    if (made == AH_OK || made == AH_E_NUMERIC) {
        end_array(rows);
        return cli_close_outputs(c);
    }
    const int status = close_partial(c, rows);
    return status ? status : close_partial(c, events);
}

/* Rows on standard output leave standard error to the summary. */
static int answer(cli *c, ah_status made, const char *summary, const sink *rows, const sink *events)
{
    const bool to_stdout = !rows->file && !c->json;
    int status = to_stdout ? cli_flush("the rows") : 0;
    if (!status) status = close_files(c, made, rows, events);
    if (status) return status;
    if (!summary || !to_stdout) return cli_answer(c, made, summary);
    fputs(summary, stderr);
    return cli_answer(c, made, "");
}

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), n = strlen(ending);
    return length >= n && !strcmp(path + length - n, ending);
}

static int run(cli *c)
{
    int status = 0;
    sink rows = {0}, events = {0};
    const char *summary = NULL, *to = cli_get(c, "-o");
    ah_simulate_options o = ah_simulate_defaults();
    if ((status = cli_motion(c, &o)) != 0) return status;
    o.json = to && ends_in(to, ".json");
    ah_model *m = cli_read_model(c, &status);
    if (!m || (status = cli_inputs(c, m)) != 0) return status;
    rows.file = cli_output(c, "-o", &status);
    if (!status) events.file = cli_output(c, "--events", &status);
    if (status) return status;
    const bool array = to && ends_in(to, ".npy");
    o.write = !array && (rows.file || !c->json) ? write_rows : NULL;
    o.write_values = array ? write_numbers : NULL;
    o.user = &rows;
    o.write_event = events.file ? write_rows : NULL;
    o.event_user = &events;
    const ah_status made = ah_simulate(m, &o, c->json ? AH_JSON : AH_TEXT, &summary);
    return answer(c, made, summary, &rows, &events);
}

const command command_simulate = {
    .name = "simulate",
    .summary = "the motion, as a table",
    .about =
        "Integrates the equations of motion from the model's start: columns t, q, q', velocity\n"
        "parameters, quasi-velocities, multipliers, reactions, outputs, energy and the largest\n"
        "constraint residual. Ends with a summary: steps, evaluations, change of energy. What\n"
        "is missing among the initial velocities is solved for. A motion that ends before its\n"
        "time (exit status 3) leaves a valid table and says where and why.\n",
    .example = "simulate --to 10 --samples 101 -o skate.csv models/skate.ah",
    .options = options,
    .details = cli_help_methods,
    .run = run,
    .streams = true,
};
