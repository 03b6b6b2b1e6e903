/* cli/cli_eval.c - `anholo eval`. */
#include "cli.h"

#include <string.h>

static const option options[] = {
    {"--at", OPTION_LIST, "NAME=VALUE,…", "the state: t=0,x=1,x'=0.5,… (default: the start)"},
    INPUT_OPTION,
    {"--method", OPTION_TEXT, "NAME|all", "one method, or all of them; default: the model's"},
    {"--project", OPTION_FLAG, NULL, "move to the nearest state that the constraints admit"},
    {"--digits", OPTION_COUNT, "N", "that many digits, proved by ball arithmetic (at most 1000)"},
    {"--quasi", OPTION_CHOICE, "orthonormal", "quasi-velocities in which T = ½ Σ ω²"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static int run(cli *c)
{
    int status;
    const char *answer = NULL;
    ah_eval_options o = ah_eval_defaults();
    const uint64_t digits = cli_count(c, "--digits", 0);
    o.at = cli_get(c, "--at");
    o.method = cli_get(c, "--method");
    o.project = cli_flag(c, "--project");
    o.orthonormal = cli_flag(c, "--quasi");
    if (cli_get(c, "--digits") && (digits < 1 || digits > AH_DIGITS_MOST))
        return cli_fail(c->json, EXIT_USAGE, NULL, "`--digits` is a number from 1 to %d",
                        AH_DIGITS_MOST);
    o.digits = (int) digits;
    if (o.method && strcmp(o.method, "all") && !cli_is_method(o.method))
        return cli_unknown_method(c, o.method);
    ah_model *m = cli_read_model(c, &status);
    if (!m || (status = cli_inputs(c, m)) != 0) return status;
    const ah_status made = ah_eval(m, &o, c->json ? AH_JSON : AH_TEXT, &answer);
    return cli_answer(c, made, made == AH_OK ? answer : NULL);
}

const command command_eval = {
    .name = "eval",
    .summary = "accelerations, multipliers and reactive forces at one state",
    .about = "Numbers at the start of the model, or at the state that --at gives: times, "
             "coordinates,\n"
             "velocities, velocity parameters. What is missing among the velocities is solved for "
             "from the\n"
             "constraints. The state must satisfy the constraints; --project makes it so.\n",
    .example = "eval --method all models/double_pendulum.ah",
    .options = options,
    .details = cli_help_methods,
    .run = run,
};
