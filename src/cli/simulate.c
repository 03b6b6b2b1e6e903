/* cli/simulate.c - `anholo simulate`. */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option options[] = {
    {"--to", OPTION_TEXT, "T", "the end of the time span (default: the model's `simulate`)"},
    {"--method", OPTION_TEXT, "NAME", "by which form of the equations (below)"},
    {"--rtol", OPTION_NUMBER, "X", "relative error of a step (default 1e-10)"},
    {"--atol", OPTION_NUMBER, "X", "absolute error of a step (default 1e-12)"},
    {"--integrator", OPTION_CHOICE, "auto|dop853|taylor", "which method of integration"},
    {"--engine", OPTION_CHOICE, "auto|interpret|tcc|cc",
     "how the equations run: interpreted or compiled"},
    {"--samples", OPTION_COUNT, "N", "rows, both ends included (default 201)"},
    {"--every", OPTION_NUMBER, "DT", "a row at every DT instead"},
    {"-o", OPTION_TEXT, "FILE", "the rows as CSV; without it they go to standard output"},
    {"--project", OPTION_FLAG, NULL, "begin at the nearest state that the constraints admit"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static bool write_rows(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, user) == length;
}

/* Where the rows go: NULL with --json alone. False: an error has been written. */
static bool open_rows(const cli *c, FILE **rows, int *status)
{
    const char *path = cli_get(c, "-o");
    *rows = path ? fopen(path, "w") : c->json ? NULL : stdout;
    if (*rows || !path) return true;
    *status = cli_fail(c->json, EXIT_NO, path, "%s", strerror(errno));
    return false;
}

/* Rows on standard output leave standard error to the summary. */
static int answer(cli *c, ah_status made, const char *summary, FILE *rows)
{
    const bool written = !rows || (fflush(rows) == 0 && !ferror(rows));
    if (rows && rows != stdout && fclose(rows) != 0) errno = EIO;
    if (!written)
        return cli_fail(c->json, EXIT_NO, cli_get(c, "-o"), "the rows could not be written");
    if (!summary || rows != stdout) return cli_answer(c, made, summary);
    fputs(summary, stderr);
    return cli_answer(c, made, "");
}

static int run(cli *c)
{
    int status;
    FILE *rows = NULL;
    const char *summary = NULL;
    ah_simulate_options o = ah_simulate_defaults();
    o.to = cli_get(c, "--to");
    o.method = cli_get(c, "--method");
    o.rtol = cli_number(c, "--rtol", o.rtol);
    o.atol = cli_number(c, "--atol", o.atol);
    o.integrator = cli_get(c, "--integrator");
    o.engine = cli_get(c, "--engine");
    o.every = cli_number(c, "--every", 0);
    o.samples = (size_t) cli_number(c, "--samples", (double) o.samples);
    o.project = cli_flag(c, "--project");
    if (o.method && !cli_is_method(o.method)) return cli_unknown_method(c, o.method);
    if (o.every <= 0 && o.samples < 2)
        return cli_fail(c->json, EXIT_USAGE, NULL, "`--samples` is at least 2: both ends");
    ah_model *m = cli_read_model(c, &status);
    if (!m || !open_rows(c, &rows, &status)) return status;
    o.write = rows ? write_rows : NULL;
    o.user = rows;
    const ah_status made = ah_simulate(c->ctx, m, &o, c->json ? AH_JSON : AH_TEXT, &summary);
    return answer(c, made, summary, rows);
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
};
