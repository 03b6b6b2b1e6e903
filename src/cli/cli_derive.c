/* cli/cli_derive.c - `anholo derive`. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static const option options[] = {
    {"--method", OPTION_TEXT, "NAME", "which form of the equations (below); default: the model's"},
    {"--steps", OPTION_FLAG, NULL, "the whole worksheet, step by step as in the papers"},
    {"--format", OPTION_CHOICE, NULL, "how it is written (default text)", ah_derive_formats},
    {"--fragment", OPTION_FLAG, NULL, "latex: without a document around it, for \\input"},
    {"--quasi", OPTION_CHOICE, "orthonormal", "quasi-velocities in which T = ½ Σ ω²"},
    {"--compare-reduced", OPTION_FLAG, NULL,
     "hamel: also what putting the constraints in too early gives"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static ah_format format_of(const cli *c)
{
    const char *name = cli_get(c, "--format");
    ah_format format = AH_TEXT;
    if (name) ah_find_derive_format(name, &format);
    return format;
}

static int run(cli *c)
{
    int status;
    ah_answer *answer;
    ah_derive_options o = ah_derive_defaults();
    o.method = cli_get(c, "--method");
    o.steps = cli_flag(c, "--steps");
    o.fragment = cli_flag(c, "--fragment");
    o.orthonormal = cli_flag(c, "--quasi");
    o.compare_reduced = cli_flag(c, "--compare-reduced");
    if (o.method && !cli_is_method(o.method)) return cli_unknown_method(c, o.method);
    if (o.fragment && format_of(c) != AH_LATEX)
        return cli_fail(c->json, EXIT_USAGE, NULL, "--fragment goes with --format latex");
    ah_model *m = cli_read_model(c, &status);
    if (!m) return status;
    const ah_status made = ah_derive(m, &o, &answer);
    return cli_tell(c, made, answer, format_of(c));
}

const command command_derive = {
    .name = "derive",
    .summary = "the equations of motion in one of the classical forms",
    .about = "The equations in normal form, the multipliers and the reactive forces; with --steps "
             "every\n"
             "quantity on the way to them. A method that does not apply says why and names one "
             "that does.\n",
    .example = "derive --method multipliers --steps models/double_pendulum.ah",
    .options = options,
    .details = cli_help_methods,
    .run = run,
};
