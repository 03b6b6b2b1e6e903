/* cli/cli_integrals.c - `anholo integrals`. */
#include "cli.h"

static const option options[] = {
    {"--degree", OPTION_COUNT, "D", "in the velocities (default 2)"},
    {"--coordinates-degree", OPTION_COUNT, "E",
     "of the coefficients in the coordinates, sines and cosines (default 2)"},
    {"--seed", OPTION_COUNT, "N", "of the random states (default 1)"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static int run(cli *c)
{
    int status;
    ah_answer *answer;
    ah_integrals_options o = ah_integrals_defaults();
    const uint64_t degree = cli_count(c, "--degree", (uint64_t) o.degree);
    const uint64_t coordinates =
        cli_count(c, "--coordinates-degree", (uint64_t) o.coordinates_degree);
    if (degree < 1 || degree > AH_DEGREE_MOST || coordinates > AH_DEGREE_MOST)
        return cli_fail(c->json, EXIT_USAGE, NULL,
                        "degrees go up to %d, that of the velocities from 1", AH_DEGREE_MOST);
    o.degree = (int) degree;
    o.coordinates_degree = (int) coordinates;
    o.seed = cli_count(c, "--seed", o.seed);
    ah_model *m = cli_read_model(c, &status);
    if (!m) return status;
    const ah_status made = ah_integrals(m, &o, &answer);
    return cli_tell(c, made, answer, AH_TEXT);
}

const command command_integrals = {
    .name = "integrals",
    .summary = "searches first integrals and an invariant measure",
    .about =
        "Energies, momenta and moments of momentum that stay constant, then every polynomial in "
        "the\n"
        "velocities (velocity parameters, quasi-velocities) whose coefficients are polynomials "
        "in the\n"
        "coordinates and in sines and cosines of angles: found at random states, then proved. "
        "Also a\n"
        "density, depending on the coordinates, of a measure that the motion preserves.\n",
    .example = "integrals models/double_pendulum.ah",
    .options = options,
    .run = run,
};
