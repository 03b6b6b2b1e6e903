/* cli/cli_sweep.c - `anholo sweep`. */
#include "cli_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *lanes_choices(void)
{
    return "auto|on|off|avx512|avx2|plain|plain8";
}

static const option options[] = {
    {"--over", OPTION_LIST, "NAME=A..B:N", "N values from A to B; several make a grid"},
    {"--random", OPTION_COUNT, "N", "N draws for each place of the grid"},
    {"--spread", OPTION_LIST, "NAME=A..B", "drawn between A and B; A+-B: normal, with deviation B"},
    {"--seed", OPTION_COUNT, "N", "of the draws (default 1)"},
    {"--list", OPTION_TEXT, "FILE.csv", "a run for each row; the first line has the names"},
    {"--output", OPTION_LIST, "WHAT,…",
     "final.x, start.x, min(x), max(x), mean(x), integral(x), first(\"event\").x, last(…).x, "
     "each(\"event\", N).x, count(…)"},
    {"-o", OPTION_TEXT, "FILE",
     "the rows: an array of NumPy if FILE ends in .npy, else CSV; without it to standard output"},
    {"--journal", OPTION_TEXT, "FILE.db", "keeps rows through any crash: the same command goes on"},
    {"--status", OPTION_FLAG, NULL, "tells how far the sweep of --journal is, and does nothing"},
    {"--run", OPTION_COUNT, "N", "the whole motion of run N (from 0) instead, as a table"},
    {"--samples", OPTION_COUNT, "N", "its rows, both ends included (default 201)"},
    {"--threads", OPTION_COUNT, "N", "default: as many as there are processors"},
    {"--chunk", OPTION_COUNT, "N", "runs that a thread takes at a time (default: by their time)"},
    INPUT_OPTION,
    {"--to", OPTION_TEXT, "T", "the end of the time span (default: the model's `simulate`)"},
    {"--at", OPTION_LIST, "NAME=VALUE,…", "begin there instead: x=1,x'=0.5,…"},
    {"--method", OPTION_TEXT, "NAME", "by which form of the equations (below)"},
    {"--rtol", OPTION_NUMBER, "X", "relative error of a step (default 1e-10)"},
    {"--atol", OPTION_NUMBER, "X", "absolute error of a step (default 1e-12)"},
    {"--integrator", OPTION_CHOICE, NULL, "what advances the motions (auto)", ah_integrators},
    {"--engine", OPTION_CHOICE, NULL, "how the equations run: interpreted or compiled", ah_engines},
    {"--lanes", OPTION_CHOICE, NULL, "several runs at once by vector instructions", lanes_choices},
    {"--max-steps", OPTION_COUNT, "N", "a run fails after so many steps (default: no limit)"},
    {"--project", OPTION_FLAG, NULL, "begin at states nearby that the constraints admit"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

/* ---- What is asked --------------------------------------------------------------------------- */

static int usage(const cli *c, const char *what)
{
    return cli_fail(c->json, EXIT_USAGE, NULL, "%s", what);
}

static int check_options(const cli *c)
{
    const char *method = cli_get(c, "--method"), *journal = cli_get(c, "--journal");
    const int status = journal ? cli_check_name(c, "--journal", journal, "file") : 0;
    if (status) return status;
    if (method && !cli_is_method(method)) return cli_unknown_method(c, method);
    if (cli_flag(c, "--status") && !cli_get(c, "--journal"))
        return usage(c, "`--status` needs `--journal`");
    if (cli_get(c, "--random") && !cli_count(c, "--random", 0))
        return usage(c, "`--random` is at least 1");
    if (cli_get(c, "--samples") && !cli_get(c, "--run"))
        return usage(c, "`--samples` needs `--run`");
    if (cli_count(c, "--samples", 201) < 2) return usage(c, "`--samples` is at least 2: both ends");
    if (cli_get(c, "--run") && cli_get(c, "--journal"))
        return usage(c, "`--run` shows one motion and needs no `--journal`");
    if (cli_get(c, "--run") && c->json) return usage(c, "`--run` writes a table, not JSON");
    return 0;
}

static int tell_status(cli *c)
{
    ah_journal_status s;
    char line[200];
    const char *file = cli_get(c, "--journal");
    const ah_status status = ah_journal_look(c->ctx, file, &s);
    if (status != AH_OK) return cli_answer(c, status, NULL);
    const char *words = c->json ? "{\"runs\":%llu,\"done\":%llu,\"failed\":%llu,\"busy\":%s}"
                                : "%llu runs, %llu done, %llu of them failed; %s";
    const char *busy = c->json            ? (s.busy ? "true" : "false")
                       : s.busy           ? "a sweep is at work on it"
                       : s.done == s.runs ? "it is complete"
                                          : "nobody is at work on it";
    snprintf(line, sizeof line, words, (unsigned long long) s.runs, (unsigned long long) s.done,
             (unsigned long long) s.failed, busy);
    return cli_answer(c, AH_OK, line);
}

/* The list of --list, given to the ensemble. 0, or the exit status. */
static int give_list(cli *c, ah_ensemble *e)
{
    const char *path = cli_get(c, "--list");
    int status = 0;
    size_t length;
    char *text = path ? cli_read_text(c, path, &length, &status) : NULL;
    if (!text) return status;
    rows_list list = {0};
    if (strlen(text) != length) {
        status = cli_fail(c->json, EXIT_NO, path, "not a text");
    } else if (!rows_read(&list, text)) {
        status = cli_fail(c->json, EXIT_NO, path, "line %zu: %s", list.line, list.wrong);
    } else if (!list.rows) {
        status = cli_fail(c->json, EXIT_NO, path, "there are no rows below the line of names");
    } else {
        const ah_status given =
            ah_ensemble_list(e, list.columns, list.names, list.rows, list.values);
        if (given != AH_OK) status = cli_answer(c, given, NULL);
    }
    rows_free(&list);
    free(text);
    return status;
}

static int say(cli *c, ah_ensemble *e, const char *name,
               ah_status (*call)(ah_ensemble *e, const char *words))
{
    const char *words = cli_get(c, name);
    const ah_status status = words ? call(e, words) : AH_OK;
    return status == AH_OK ? 0 : cli_answer(c, status, NULL);
}

/* The ensemble that the options describe; NULL: *status. */
static ah_ensemble *make(cli *c, ah_model *m, int *status)
{
    ah_ensemble *e = NULL;
    ah_ensemble_options o = ah_ensemble_defaults();
    o.method = cli_get(c, "--method");
    o.engine = cli_get(c, "--engine");
    o.integrator = cli_get(c, "--integrator");
    o.lanes = cli_get(c, "--lanes");
    o.rtol = cli_number(c, "--rtol", o.rtol);
    o.atol = cli_number(c, "--atol", o.atol);
    o.to = cli_get(c, "--to");
    o.at = cli_get(c, "--at");
    o.project = cli_flag(c, "--project");
    o.most_steps = cli_count(c, "--max-steps", 0);
    o.random = cli_count(c, "--random", 0);
    o.seed = cli_count(c, "--seed", o.seed);
    const ah_status made = ah_ensemble_create(m, &o, &e);
    if (made != AH_OK) {
        *status = cli_answer(c, made, NULL);
        return NULL;
    }
    *status = say(c, e, "--over", ah_ensemble_over);
    if (!*status) *status = say(c, e, "--spread", ah_ensemble_spread);
    if (!*status) *status = give_list(c, e);
    if (!*status) *status = say(c, e, "--output", ah_ensemble_outputs);
    if (!*status && !ah_ensemble_count(e)) *status = cli_answer(c, ah_ctx_status(c->ctx), NULL);
    if (!*status) return e;
    ah_ensemble_destroy(e);
    return NULL;
}

/* ---- One motion ------------------------------------------------------------------------------ */

static int show_run(cli *c, ah_ensemble *e, output *to)
{
    ah_trajectory *t = NULL;
    const uint64_t run = cli_count(c, "--run", 0), all = ah_ensemble_count(e);
    if (run >= all)
        return cli_fail(c->json, EXIT_USAGE, NULL, "there is no run %llu: they are 0 to %llu",
                        (unsigned long long) run, (unsigned long long) (all - 1));
    const ah_status status = ah_ensemble_trajectory(e, run, cli_count(c, "--samples", 201), &t);
    if (!t) return cli_answer(c, status, NULL);
    rows_of_motion(to, t);
    const char *why = ah_trajectory_why(t);
    if (why) cli_say("it ended before its time: %s", why);
    const bool cut = status == AH_E_LIMIT || status == AH_E_INTERRUPTED;
    ah_trajectory_destroy(t);
    const int end =
        to ? cli_close_output(c, to, cut ? OUTPUT_PARTIAL : OUTPUT_WHOLE) : cli_flush("the rows");
    return end ? end : cli_answer(c, status, "");
}

/* ---- All of them ----------------------------------------------------------------------------- */

static void write_summary(const cli *c, FILE *to, const ah_ensemble_summary *s)
{
    const double rate = s->seconds > 0 ? (double) s->computed / s->seconds : 0;
    if (c->json)
        fprintf(
            to,
            "{\"runs\":%llu,\"failed\":%llu,\"computed\":%llu,\"steps\":%llu,\"threads\":%zu,"
            "\"ranks\":%zu,"
            "\"lanes\":%u,\"alone\":%llu,\"seconds\":%.17g,\"method\":%s%s%s,\"engine\":%s%s%s}\n",
            (unsigned long long) s->runs, (unsigned long long) s->failed,
            (unsigned long long) s->computed, (unsigned long long) s->steps, s->threads, s->ranks,
            s->lanes, (unsigned long long) s->alone, s->seconds, s->method ? "\"" : "",
            s->method ? s->method : "null", s->method ? "\"" : "", s->engine ? "\"" : "",
            s->engine ? s->engine : "null", s->engine ? "\"" : "");
    else
        fprintf(to,
                "%llu runs, %llu failed; %llu computed in %.3g s, %.3g a second, by %s with %s, "
                "threads: %zu, ranks: %zu, lanes: %u%s%s%s\n",
                (unsigned long long) s->runs, (unsigned long long) s->failed,
                (unsigned long long) s->computed, s->seconds, rate,
                s->method ? s->method : "nobody", s->engine ? s->engine : "nothing", s->threads,
                s->ranks, s->lanes, s->no_lanes ? " (" : "", s->no_lanes ? s->no_lanes : "",
                s->no_lanes ? ")" : "");
}

/* What was cut short leaves a table that is one as far as it goes; an array has as many rows as its
 * header says, or is none. */
static int close_rows(cli *c, const rows_file *f, ah_status made)
{
    const bool array = f->format == 0, cut = made == AH_E_INTERRUPTED || made == AH_E_LIMIT;
    if (!f->to) return 0;
    return cli_close_output(c, f->to,
                            made == AH_OK              ? OUTPUT_WHOLE
                            : cut && f->rows && !array ? OUTPUT_PARTIAL
                                                       : OUTPUT_NOTHING);
}

static int finish(cli *c, const rows_file *f, ah_status made, const ah_ensemble_summary *s)
{
    const char *journal = cli_get(c, "--journal");
    const bool to_stdout = !f->to && !c->json;
    int status = close_rows(c, f, made);
    if (!status && !f->to) status = cli_flush("the rows");
    if (status) return status;
    if (made != AH_OK) {
        status = cli_answer(c, made, NULL);
        if (journal && (made == AH_E_INTERRUPTED || made == AH_E_LIMIT))
            cli_say("what is done is in `%s`: the same command goes on", journal);
        return status;
    }
    write_summary(c, to_stdout ? stderr : stdout, s);
    status = cli_answer(c, AH_OK, "");
    return status ? status : s->failed == s->runs ? EXIT_NUMERIC : EXIT_YES;
}

static int run_all(cli *c, ah_ensemble *e, output *to, ah_ranks *ranks)
{
    rows_file f = rows_to(e, to, to ? cli_get(c, "-o") : NULL);
    ah_ensemble_summary summary;
    ah_ensemble_run_options o = ah_ensemble_run_defaults();
    o.threads = cli_count(c, "--threads", 0);
    o.chunk = cli_count(c, "--chunk", 0);
    o.journal = cli_get(c, "--journal");
    o.ranks = ranks;
    o.rows = to || !c->json ? rows_write : NULL;
    o.user = &f;
    c->runs = ah_ensemble_count(e);
    const ah_status made = ah_ensemble_run(e, &o, &summary);
    if (ah_ranks_here(ranks)) return made == AH_OK ? EXIT_YES : cli_answer(c, made, NULL);
    return finish(c, &f, made, &summary);
}

static int run(cli *c)
{
    int status = check_options(c);
    if (status) return status;
    if (cli_flag(c, "--status")) return tell_status(c);
    ah_model *m = cli_read_model(c, &status);
    if (!m || (status = cli_inputs(c, m)) != 0) return status;
    ah_ensemble *e = make(c, m, &status);
    if (!e) return status;
    ah_ranks *ranks = NULL;
    const ah_status found = cli_get(c, "--run") ? AH_OK : ah_ranks_open(c->ctx, &ranks);
    if (found != AH_OK) status = cli_answer(c, found, NULL);
    output *to = status || ah_ranks_here(ranks) ? NULL : cli_output(c, "-o", &status);
    if (!status) status = cli_get(c, "--run") ? show_run(c, e, to) : run_all(c, e, to, ranks);
    ah_ensemble_destroy(e);
    ah_ranks_close(ranks);
    return status;
}

const command command_sweep = {
    .name = "sweep",
    .summary = "many motions: parameters and starts that vary, a row for each",
    .about = "Integrates the motion once for each place of a grid (--over), each draw (--random,\n"
             "--spread) and each row of a table (--list), on all processors. What varies are\n"
             "parameters, inputs, and coordinates and velocities at the start; what is kept of a\n"
             "motion says --output. A run that fails has the reason in its row. Rows are the same\n"
             "to the last digit for any number of threads.\n",
    .example = "sweep models/tire.ah --over \"theta'=0..2:101\" --output 'final.psi,max(psi^2)' -o "
               "tire.csv",
    .options = options,
    .details = cli_help_methods,
    .run = run,
    .streams = true,
};
