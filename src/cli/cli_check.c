/* cli/cli_check.c - `anholo check`. */
#include "cli.h"

static int run(cli *c)
{
    int status;
    ah_answer *answer;
    ah_model *m = cli_read_model(c, &status);
    if (!m) return status;
    const ah_status made = ah_check(m, &answer);
    return cli_tell(c, made, answer, AH_TEXT);
}

const command command_check = {
    .name = "check",
    .summary = "reads the model and says what kind of system it is",
    .about = "Coordinates, constraints and free velocities; the class of each constraint, which of "
             "them are\n"
             "redundant, what of them is integrable, where they lose rank; whether the energy is\n"
             "conserved, and what works if not; which methods apply. Errors in the model are shown "
             "with\n"
             "their place.\n",
    .example = "check models/double_pendulum.ah",
    .run = run,
};
