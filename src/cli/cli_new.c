/* cli/cli_new.c - `anholo new`: a model to begin with. */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* "a|b|c": the starters there are. */
static const char *starters(void)
{
    static char words[400];
    char name[40];
    size_t used = 0;
    for (size_t at = 0; cli_next_text(&at, ".ah", name);)
        used += (size_t) snprintf(words + used, sizeof words - used, "%s%s", used ? "|" : "", name);
    return words;
}

static const option options[] = {
    {"--like", OPTION_CHOICE, NULL, "which kind of system it is to become (default skate)",
     starters},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static int run(cli *c)
{
    const char *like = cli_get(c, "--like");
    const cli_text *starter = cli_find_text(like ? like : "skate", ".ah");
    if (c->word_count != 1)
        return cli_fail(c->json, EXIT_USAGE, NULL, "which file? `anholo new -h` shows an example");
    const char *path = c->words[0];
    const int status = cli_check_name(c, "new", path, "file");
    if (status) return status;
    FILE *f = fopen(path, "wx"); /* what is there stays */
    if (!f && errno == EEXIST)
        return cli_fail(c->json, EXIT_NO, path,
                        "there is such a file already; take another name, or remove it first");
    bool written = f && fwrite(starter->text, 1, starter->length, f) == starter->length;
    int error = errno;
    if (f && fclose(f) != 0 && written) {
        written = false;
        error = errno;
    }
    if (!written) {
        if (f) remove(path);
        return cli_fail(c->json, EXIT_NO, path, "%s", strerror(error));
    }
    if (c->json) {
        fputs("{\"file\":", stdout);
        cli_write_json_string(path);
        return cli_answer(c, AH_OK, "}");
    }
    printf("Written: ");
    cli_write_printable(stdout, path);
    fputs("\nNext: anholo check ", stdout);
    cli_write_printable(stdout, path);
    return cli_answer(c, AH_OK, "\n");
}

const command command_new = {
    .name = "new",
    .summary = "writes a model with comments to begin with",
    .about = "A whole system that every command accepts, each line explained: change it into your "
             "own.\nA file that is there already is left alone.\n",
    .example = "new first.ah",
    .options = options,
    .words = "FILE",
    .run = run,
    .alone = true,
};
