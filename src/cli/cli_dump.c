/* cli/cli_dump.c - `anholo dump`. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static const option options[] = {
    {"--stage", OPTION_CHOICE, "tokens|syntax|model|expr|equations|program", "which stage to show"},
    {"--method", OPTION_TEXT, "NAME", "of the last two stages (default: the model's)"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static int run(cli *c)
{
    const char *stage = cli_get(c, "--stage"), *answer = NULL;
    ah_status made;
    if (strcmp(stage, "equations") == 0 || strcmp(stage, "program") == 0) {
        int status;
        ah_model *m = cli_read_model(c, &status);
        if (!m) return status;
        made = ah_dump_method(c->ctx, m, cli_get(c, "--method"), stage, &answer);
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
    .run = run,
};
