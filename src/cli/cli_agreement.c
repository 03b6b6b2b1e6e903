/* cli/cli_agreement.c - `anholo crosscheck` and `anholo verify`: both try random states. */
#include "cli.h"

static const option options[] = {
    {"--states", OPTION_COUNT, "N", "random admissible states (default 100)"},
    {"--seed", OPTION_COUNT, "N",
     "of the random numbers (default 1): the same seed, the same states"},
    {0},
};

typedef ah_status (*question)(ah_ctx *ctx, ah_model *m, const ah_crosscheck_options *o,
                              ah_format format, const char **out);

static int ask(cli *c, question q)
{
    int status;
    const char *answer = NULL;
    ah_crosscheck_options o = ah_crosscheck_defaults();
    o.states = cli_count(c, "--states", o.states);
    o.seed = cli_count(c, "--seed", o.seed);
    if (o.states == 0)
        return cli_fail(c->json, EXIT_USAGE, NULL, "--states wants at least one state");
    ah_model *m = cli_read_model(c, &status);
    if (!m) return status;
    const ah_status made = q(c->ctx, m, &o, c->json ? AH_JSON : AH_TEXT, &answer);
    return cli_answer(c, made, answer);
}

static int run_crosscheck(cli *c)
{
    return ask(c, ah_crosscheck);
}

static int run_verify(cli *c)
{
    return ask(c, ah_verify);
}

const command command_crosscheck = {
    .name = "crosscheck",
    .summary = "compares all methods with each other at random states",
    .about = "Every method that applies against Gauss' principle solved as a least-squares "
             "problem, at random\n"
             "admissible states; prints the largest relative difference. Exit status 1 when they "
             "disagree.\n",
    .example = "crosscheck models/tire.ah --states 1000",
    .options = options,
    .run = run_crosscheck,
};

const command command_verify = {
    .name = "verify",
    .summary = "proves or refutes the model's claims",
    .about = "Each `claim` and `refute` of the model: proved (by normal form) / holds at N random "
             "states (not\n"
             "proved) / false, with a counter-example / unknown. Exit status 1 when one is not as "
             "stated.\n",
    .example = "verify models/double_pendulum.ah",
    .options = options,
    .run = run_verify,
};
