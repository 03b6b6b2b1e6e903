/* cli/cli_texts.c - the texts that were put into the program, by name. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static bool ends_in(const char *name, const char *ending)
{
    const size_t n = strlen(name), e = strlen(ending);
    return n > e && !strcmp(name + n - e, ending);
}

const cli_text *cli_find_text(const char *name, const char *ending)
{
    char file[80];
    snprintf(file, sizeof file, "%s%s", name, ending);
    for (const cli_text *t = cli_texts; t->name; t++)
        if (!strcmp(t->name, file)) return t;
    return NULL;
}

bool cli_next_text(size_t *at, const char *ending, char name[40])
{
    for (; cli_texts[*at].name; ++*at) {
        const char *file = cli_texts[*at].name;
        if (!ends_in(file, ending)) continue;
        snprintf(name, 40, "%.*s", (int) (strlen(file) - strlen(ending)), file);
        ++*at;
        return true;
    }
    return false;
}
