/* cli/cli_methods.c - the names of the methods, for help and for complaints. */
#include "cli.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

bool cli_is_method(const char *name)
{
    for (size_t i = 0; i < ah_method_count(); i++)
        if (!strcmp(ah_method_name(i), name)) return true;
    return false;
}

void cli_help_methods(void)
{
    puts("\nMethods:");
    for (size_t i = 0; i < ah_method_count(); i++)
        printf("  %-30s %s\n", ah_method_name(i), ah_method_title(i));
}

int cli_unknown_method(const cli *c, const char *name)
{
    const char *names[64] = {NULL};
    assert(ah_method_count() < 64);
    for (size_t i = 0; i < ah_method_count(); i++) names[i] = ah_method_name(i);
    const char *near = cli_nearest(name, names);
    return cli_fail(
        c->json, EXIT_USAGE, NULL, "there is no method `%s`%s%s%s; `anholo %s -h` lists them", name,
        near ? ", did you mean `" : "", near ? near : "", near ? "`" : "", c->command->name);
}
