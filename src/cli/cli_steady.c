/* cli/cli_steady.c - `anholo steady`. */
#include "cli.h"

static const option options[] = {
    {"--at", OPTION_LIST, "NAME=VALUE,…", "held in the steady motions; the rest is solved for"},
    INPUT_OPTION,
    {"--starts", OPTION_COUNT, "N", "random states from which is searched (default 30)"},
    {"--seed", OPTION_COUNT, "N", "of the random states (default 1)"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static int run(cli *c)
{
    int status;
    ah_answer *answer;
    ah_steady_options o = ah_steady_defaults();
    o.at = cli_get(c, "--at");
    o.starts = cli_count(c, "--starts", o.starts);
    o.seed = cli_count(c, "--seed", o.seed);
    ah_model *m = cli_read_model(c, &status);
    if (!m || (status = cli_inputs(c, m)) != 0) return status;
    const ah_status made = ah_steady(m, &o, &answer);
    return cli_tell(c, made, answer, AH_TEXT);
}

const command command_steady = {
    .name = "steady",
    .summary = "finds equilibria and steady motions, as families",
    .about = "States in which everything rests on which the equations of motion depend, searched "
             "from the\n"
             "model's start and from random states: one motion of each family, the number of its "
             "free\n"
             "parameters, and whether it is stable. Exit status 1 when none is found.\n",
    .example = "steady models/heavy_top.ah",
    .options = options,
    .run = run,
};
