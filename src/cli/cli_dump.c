/* cli/cli_dump.c - `anholo dump`. */
#include "cli.h"

#include <stdio.h>

static const option options[] = {
    {"--stage", OPTION_TEXT, "STAGE", "which stage to show (below)"},
    {"--method", OPTION_TEXT, "NAME", "of the last two stages (default: the model's)"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static int run(cli *c)
{
    const char *stage = cli_get(c, "--stage"), *answer = NULL;
    ah_status made;
    const bool of_method = cli_is_word(ah_method_stages(), stage);
    if (!of_method && !cli_is_word(ah_reading_stages(), stage))
        return cli_fail(c->json, EXIT_USAGE, NULL, "there is no stage `%s`: %s|%s", stage,
                        ah_reading_stages(), ah_method_stages());
    if (of_method) {
        int status;
        ah_model *m = cli_read_model(c, &status);
        if (!m) return status;
        made = ah_dump_method(m, cli_get(c, "--method"), stage, &answer);
    } else {
        made = ah_dump(c->ctx, c->file, c->text, c->length, cli_get(c, "--set"), stage, &answer);
    }
    if (made != AH_OK || !c->json) return cli_answer(c, made, made == AH_OK ? answer : NULL);
    fputs("{\"stage\":", stdout);
    cli_write_json_string(stage);
    fputs(",\"text\":", stdout);
    cli_write_json_string(answer);
    return cli_answer(c, made, "}");
}

static void help_stages(void)
{
    printf("\nStages: %s; of a method: %s\n", ah_reading_stages(), ah_method_stages());
}

const command command_dump = {
    .name = "dump",
    .summary = "shows how the model is understood, stage by stage",
    .about =
        "The tokens of the text, the syntax tree, the model with energies and forces worked "
        "out, the\n"
        "shared graph of expressions, the worksheet of a method, or the programs that a motion\n"
        "runs: for people and for debugging.\n",
    .example = "dump --stage=model models/double_pendulum.ah",
    .options = options,
    .required = "--stage",
    .details = help_stages,
    .run = run,
};
