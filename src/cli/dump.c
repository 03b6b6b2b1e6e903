/* cli/dump.c - `anholo dump`. */
#include "cli.h"

#include <stdio.h>

static const option options[] = {
    {"--stage", OPTION_CHOICE, "tokens|syntax|model|expr", "which stage to show"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static int run(cli *c)
{
    const char *stage = cli_get(c, "--stage"), *answer = NULL;
    const ah_status made =
        ah_dump(c->ctx, c->file, c->text, c->length, cli_get(c, "--set"), stage, &answer);
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
    .about = "The tokens of the text, the syntax tree, the model with energies and forces worked "
             "out, or the\n"
             "shared graph of expressions: for people and for debugging.\n",
    .example = "dump --stage=model models/double_pendulum.ah",
    .options = options,
    .required = "--stage",
    .run = run,
};
