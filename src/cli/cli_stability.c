/* cli/cli_stability.c - `anholo stability`. */
#include "cli.h"

static const option options[] = {
    {"--at", OPTION_LIST, "NAME=VALUE,…", "held in the steady motion; the rest is solved for"},
    INPUT_OPTION,
    {"--sweep", OPTION_TEXT, "NAME=A..B:N", "the spectrum at N values, as CSV"},
    {"--critical", OPTION_TEXT, "NAME=A..B", "the values at which the stability changes"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static int run(cli *c)
{
    int status;
    ah_answer *answer;
    ah_stability_options o = ah_stability_defaults();
    o.at = cli_get(c, "--at");
    o.sweep = cli_get(c, "--sweep");
    o.critical = cli_get(c, "--critical");
    o.numbers = o.sweep && !c->json; /* rows alone are written */
    ah_model *m = cli_read_model(c, &status);
    if (!m || (status = cli_inputs(c, m)) != 0) return status;
    const ah_status made = ah_stability(m, &o, &answer);
    return cli_tell(c, made, answer, AH_TEXT);
}

const command command_stability = {
    .name = "stability",
    .summary = "linearises about a steady motion; spectrum, critical values",
    .about = "The steady motion (or equilibrium) nearest to the model's start in which the "
             "quantities of --at\n"
             "have their values; the exact linearisation in minimal variables, its eigenvalues, "
             "and why some\n"
             "are zero; for small systems the characteristic polynomial with symbols and the "
             "conditions of\n"
             "stability. NAME in a range is a parameter, a coordinate, a velocity, a velocity "
             "parameter or a\n"
             "quasi-velocity; --sweep writes CSV.\n",
    .example = "stability models/bicycle.ah --critical \"x'=1..10\"",
    .options = options,
    .run = run,
};
