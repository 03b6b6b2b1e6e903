/* cli/cli_simulate.c - `anholo simulate`. */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option options[] = {
    MOTION_OPTIONS("201"),
    {"-o", OPTION_TEXT, "FILE",
     "the rows: JSON if FILE ends in .json, else CSV; without it they go to standard output"},
    {"--events", OPTION_TEXT, "FILE", "the model's events as CSV: label, direction, and a row"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static bool write_rows(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, user) == length;
}

/* NULL: the file cannot be written, and *status is that of an error that has been told. */
static FILE *open_file(const cli *c, const char *path, int *status)
{
    FILE *file = fopen(path, "w");
    if (!file) *status = cli_fail(c->json, EXIT_NO, path, "%s", strerror(errno));
    return file;
}

static bool close_file(FILE *file)
{
    const bool written = fflush(file) == 0 && !ferror(file);
    return (file == stdout || fclose(file) == 0) && written;
}

/* Rows on standard output leave standard error to the summary. */
static int answer(cli *c, ah_status made, const char *summary, FILE *rows, FILE *events)
{
    const bool events_written = !events || close_file(events);
    if (rows && !close_file(rows))
        return cli_fail(c->json, EXIT_NO, cli_get(c, "-o"), "the rows could not be written");
    if (!events_written)
        return cli_fail(c->json, EXIT_NO, cli_get(c, "--events"),
                        "the events could not be written");
    if (!summary || rows != stdout) return cli_answer(c, made, summary);
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
    FILE *rows = NULL, *events = NULL;
    const char *summary = NULL, *to = cli_get(c, "-o"), *events_to = cli_get(c, "--events");
    ah_simulate_options o = ah_simulate_defaults();
    if ((status = cli_motion(c, &o)) != 0) return status;
    o.json = to && ends_in(to, ".json");
    ah_model *m = cli_read_model(c, &status);
    if (!m) return status;
    if (to || !c->json) rows = to ? open_file(c, to, &status) : stdout;
    if (to && !rows) return status;
    if (events_to && !(events = open_file(c, events_to, &status))) return status;
    o.write = rows ? write_rows : NULL;
    o.user = rows;
    o.write_event = events ? write_rows : NULL;
    o.event_user = events;
    const ah_status made = ah_simulate(c->ctx, m, &o, c->json ? AH_JSON : AH_TEXT, &summary);
    return answer(c, made, summary, rows, events);
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
