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
static ah_model *read_question(cli *c, size_t *states, uint64_t *seed, int *status)
{
    *states = cli_count(c, "--states", *states);
    *seed = cli_count(c, "--seed", *seed);
    if (*states > 0 && *states <= AH_STATES_MOST) return cli_read_model(c, status);
    *status =
        cli_fail(c->json, EXIT_USAGE, NULL, "`--states` is a number from 1 to %d", AH_STATES_MOST);
    return NULL;
}

static int run_crosscheck(cli *c)
{
    int status;
    ah_answer *answer;
    ah_crosscheck_options o = ah_crosscheck_defaults();
    ah_model *m = read_question(c, &o.states, &o.seed, &status);
    if (!m) return status;
    const ah_status made = ah_crosscheck(m, &o, &answer);
    return cli_tell(c, made, answer, AH_TEXT);
}

/* The proofs go to their file before the answer is told. */
static int run_verify(cli *c)
{
    int status;
    ah_answer *answer;
    ah_verify_options o = ah_verify_defaults();
    ah_model *m = read_question(c, &o.states, &o.seed, &status);
    if (!m) return status;
    status = 0;
    output *file = cli_output(c, "--certificate", &status);
    if (status) return status;
    o.certificate = file;
    const ah_status made = ah_verify(m, &o, &answer);
    if (made == AH_OK && file) {
        const char *proofs = ah_answer_verify(answer)->certificate;
        cli_write_output(file, proofs, strlen(proofs));
        status = cli_close_output(c, file, OUTPUT_WHOLE);
        if (status) return status;
    }
    return cli_tell(c, made, answer, AH_TEXT);
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
