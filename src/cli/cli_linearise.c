/* cli/cli_linearise.c - `anholo linearise`. */
#include "cli.h"

static const option options[] = {
    {"--at", OPTION_LIST, "NAME=VALUE,…", "held in the steady motion; the rest is solved for"},
    {"--inputs", OPTION_TEXT, "NAME,…", "columns of B and D; all inputs of the model otherwise"},
    {"--outputs", OPTION_TEXT, "FORMULA,…", "rows of C and D; the model's outputs otherwise"},
    {"--whole", OPTION_FLAG, NULL, "keeps the ignorable coordinates"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static int run(cli *c)
{
    int status;
    ah_answer *answer;
    ah_linearise_options o = ah_linearise_defaults();
    o.at = cli_get(c, "--at");
    o.inputs = cli_get(c, "--inputs");
    o.outputs = cli_get(c, "--outputs");
    o.whole = cli_get(c, "--whole") != NULL;
    ah_model *m = cli_read_model(c, &status);
    if (!m) return status;
    const ah_status made = ah_linearise(m, &o, &answer);
    return cli_tell(c, made, answer, AH_TEXT);
}

const command command_linearise = {
    .name = "linearise",
    .summary = "A, B, C, D of the linear model near a steady motion",
    .about = "y' = A y + B u, o = C y + D u in minimal variables near the steady motion (or "
             "equilibrium) that\n"
             "`stability` takes, by exact derivatives. u are the model's inputs, held where they "
             "are at the\n"
             "beginning; o its outputs, or the variables themselves.\n",
    .example = "linearise models/bicycle.ah --at \"x'=5\"",
    .options = options,
    .run = run,
};
