/* cli/cli_agreement.c - `anholo crosscheck` and `anholo verify`: both try random states. */
#include "cli.h"

#include <string.h>

#define STATES_OPTIONS                                                                             \
    {"--states", OPTION_COUNT, "N", "random admissible states (default 100)"},                     \
    {                                                                                              \
        "--seed", OPTION_COUNT, "N",                                                               \
            "of the random numbers (default 1): the same seed, the same states"                    \
    }
static const option options[] = {STATES_OPTIONS, {0}};
static const option verify_options[] = {
    STATES_OPTIONS,
    {"--certificate", OPTION_TEXT, "FILE", "writes the proofs there, for tools/checkproof"},
    {0},
};

/* NULL: *status is what to exit with. */
static ah_model *read_question(cli *c, ah_crosscheck_options *o, int *status)
{
    *o = ah_crosscheck_defaults();
    o->states = cli_count(c, "--states", o->states);
    o->seed = cli_count(c, "--seed", o->seed);
    if (o->states > 0) return cli_read_model(c, status);
    *status = cli_fail(c->json, EXIT_USAGE, NULL, "--states wants at least one state");
    return NULL;
}

static int run_crosscheck(cli *c)
{
    int status;
    const char *answer = NULL;
    ah_crosscheck_options o;
    ah_model *m = read_question(c, &o, &status);
    if (!m) return status;
    const ah_status made = ah_crosscheck(m, &o, c->json ? AH_JSON : AH_TEXT, &answer);
    return cli_answer(c, made, answer);
}

/* The proofs go to their file before the answer is told. They are compared with the model's text, which
 * does not have what --set says. */
static int run_verify(cli *c)
{
    int status;
    const char *answer = NULL, *proofs = NULL;
    ah_crosscheck_options o;
    if (cli_get(c, "--certificate") && cli_get(c, "--set"))
        return cli_fail(
            c->json, EXIT_USAGE, NULL,
            "`--certificate` and `--set` exclude each other: proofs are checked against "
            "the model's text; write the values there");
    ah_model *m = read_question(c, &o, &status);
    if (!m) return status;
    status = 0;
    output *file = cli_output(c, "--certificate", &status);
    if (status) return status;
    const ah_format format = c->json ? AH_JSON : AH_TEXT;
    const ah_status made = ah_certify(m, &o, format, &answer, file ? &proofs : NULL);
    if (proofs) {
        cli_write_output(file, proofs, strlen(proofs));
        status = cli_close_output(c, file, OUTPUT_WHOLE);
        if (status) return status;
    }
    return cli_answer(c, made, answer);
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
    .options = verify_options,
    .run = run_verify,
};
