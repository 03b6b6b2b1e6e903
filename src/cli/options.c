/* cli/options.c - options by table: parsing, help, "did you mean". */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every whole number up to here is a double, in JSON too. */
#define COUNT_MOST      9007199254740992u
#define COUNT_MOST_TEXT "9007199254740992"

static const option shared[] = {
    {"--set", OPTION_LIST, "NAME=VALUE,…", "override parameters: a=1.5,b=2, or f(t)=sin(t)"},
    {"--json", OPTION_FLAG, NULL, "answer with one JSON object"},
    {"--max-time", OPTION_NUMBER, "SECONDS", "give up after that time (exit status 4)"},
    {"--help", OPTION_FLAG, NULL, "this text"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

/* Of commands without a model. */
static const option shared_alone[] = {
    {"--json", OPTION_FLAG, NULL, "answer with one JSON object"},
    {"--help", OPTION_FLAG, NULL, "this text"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static const option *shared_options(const command *k)
{
    return k->alone ? shared_alone : shared;
}

static size_t count_options(const option *o)
{
    size_t count = 0;
    while (o && o[count].name) count++;
    return count;
}

size_t cli_option_count(const command *k)
{
    return count_options(k->options) + count_options(shared_options(k));
}

const option *cli_option(const command *k, size_t i)
{
    const size_t own = count_options(k->options);
    return i < own ? &k->options[i] : &shared_options(k)[i - own];
}

const char *cli_option_value(const option *o)
{
    return o->choices ? o->choices() : o->value;
}

/* ---- Help ------------------------------------------------------------------------------------ */

static void help_options(const option *o)
{
    for (size_t i = 0; i < count_options(o); i++) {
        char name[80];
        const char *value = cli_option_value(&o[i]);
        snprintf(name, sizeof name, "%s%s%s", o[i].name, value ? " " : "", value ? value : "");
        printf("  %-30s %s\n", name, o[i].help);
    }
}

void cli_help(const command *k)
{
    if (k) {
        printf("anholo %s %s%s%s%s%s[options]\n\n%s\n", k->name, k->kinds ? k->kinds() : "",
               k->kinds ? " " : "", k->alone ? "" : "MODEL ", k->words ? k->words : "",
               k->words ? " " : "", k->about);
        if (k->options) puts("Options:");
        help_options(k->options);
        puts(k->options ? "\nOptions of every command:" : "Options:");
        help_options(shared_options(k));
        if (k->details) k->details();
        if (!k->alone)
            puts("\nMODEL is a file in the language of docs/language.md, or - for standard input;\n"
                 "`anholo help language` shows its forms.");
        printf("\nExample:\n  anholo %s\n", k->example);
        return;
    }
    puts("anholo COMMAND MODEL [options]\n\n"
         "Equations of motion of mechanical systems, non-holonomic ones first.\n\nCommands:");
    for (size_t i = 0; cli_commands[i]; i++)
        printf("  %-12s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    puts("\n`anholo COMMAND -h` explains a command, `anholo help TOPIC` a topic (`anholo help` "
         "lists\n"
         "them). `anholo --version` tells the version.\n"
         "Exit status: 0 done and true, 1 the answer is no (or the model has errors),\n"
         "2 wrong options, 3 a numeric failure, 4 a resource limit.");
}

/* ---- Parsing --------------------------------------------------------------------------------- */

static size_t find_option(const command *k, const char *name, size_t length)
{
    const size_t count = cli_option_count(k);
    for (size_t i = 0; i < count; i++) {
        const char *own = cli_option(k, i)->name;
        if (strlen(own) == length && strncmp(own, name, length) == 0) return i;
    }
    return count;
}

static int unknown_option(const cli *c, const char *name, size_t length)
{
    const size_t count = cli_option_count(c->command);
    char word[80];
    const char **names = calloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++) names[i] = cli_option(c->command, i)->name;
    snprintf(word, sizeof word, "%.*s", (int) length, name);
    const char *near = names ? cli_nearest(word, names) : NULL;
    free(names);
    return cli_fail(c->json, EXIT_USAGE, NULL, "`anholo %s` has no option `%s`%s%s%s",
                    c->command->name, word, near ? ", did you mean `" : "", near ? near : "",
                    near ? "`?" : "");
}

bool cli_is_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; *at;) {
        const size_t here = strcspn(at, "|");
        if (here == length && strncmp(at, word, length) == 0) return true;
        at += here + (at[here] == '|');
    }
    return false;
}

/* NULL, or what the value should be. */
static const char *complaint(const option *o, const char *value)
{
    char *end = NULL;
    errno = 0;
    switch (o->kind) {
    case OPTION_NUMBER: {
        const double x = strtod(value, &end);
        const bool decimal =
            end != value && !*end && !strpbrk(value, "xX"); /* strtod reads 0x10, too */
        return decimal && isfinite(x) && x > 0 ? NULL : "a positive number";
    }
    case OPTION_COUNT: {
        const unsigned long long k = strtoull(value, &end, 10);
        return *value < '0' || *value > '9' || *end ? "a whole number, not negative"
               : errno || k > COUNT_MOST            ? "a whole number of at most " COUNT_MOST_TEXT
                                                    : NULL;
    }
    case OPTION_CHOICE: return cli_is_word(cli_option_value(o), value) ? NULL : cli_option_value(o);
    default: return NULL;
    }
}

/* Keeps a value; that of a list goes behind those before it. Values are owned copies. */
static bool keep(cli *c, size_t i, const char *value)
{
    const char *old = cli_option(c->command, i)->kind == OPTION_LIST ? c->values[i] : NULL;
    const size_t room = strlen(value) + (old ? strlen(old) : 0) + 2;
    char *copy = malloc(room);
    if (!copy) return false;
    snprintf(copy, room, "%s%s%s", old ? old : "", old ? "," : "", value);
    free((void *) c->values[i]);
    c->values[i] = copy;
    return true;
}

/* One option at words[*at], perhaps with its value in the next word. */
static int parse_option(cli *c, int count, char **words, int *at)
{
    const char *word = strcmp(words[*at], "-h") == 0 ? "--help" : words[*at];
    const size_t length = strcspn(word, "=");
    const size_t i = find_option(c->command, word, length);
    if (i == cli_option_count(c->command)) return unknown_option(c, word, length);
    const option *o = cli_option(c->command, i);
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    if (o->kind == OPTION_FLAG) {
        if (value) return cli_fail(c->json, EXIT_USAGE, NULL, "`%s` takes no value", o->name);
        value = "";
    }
    if (!value && *at + 1 < count) value = words[++*at];
    if (!value)
        return cli_fail(c->json, EXIT_USAGE, NULL, "`%s` needs a value: %s", o->name,
                        cli_option_value(o));
    const char *wanted = complaint(o, value);
    if (wanted)
        return cli_fail(c->json, EXIT_USAGE, NULL, "`%s` cannot be `%s`: it is %s", o->name, value,
                        wanted);
    return keep(c, i, value) ? 0 : cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
}

static int parse_kind(cli *c, const char *word)
{
    const char *kinds = c->command->kinds();
    c->kind = word;
    if (cli_is_word(kinds, word)) return 0;
    return cli_fail(c->json, EXIT_USAGE, NULL, "`anholo %s` makes no `%s`: it is one of %s",
                    c->command->name, word, kinds);
}

static int parse_model(cli *c, const char *word)
{
    if (c->command->kinds && !c->kind) return parse_kind(c, word);
    const bool more = c->path && c->command->words; /* panels of a plot, say */
    if (!*word && !more) /* mostly a variable of the shell that is not set */
        return cli_fail(c->json, EXIT_USAGE, NULL,
                        "an empty word is no name; `anholo %s -h` shows an example",
                        c->command->name);
    if (c->command->alone || more) {
        c->words[c->word_count++] = word;
        return 0;
    }
    if (c->path)
        return cli_fail(c->json, EXIT_USAGE, NULL, "one model is enough: `%s` or `%s`?", c->path,
                        word);
    c->path = word;
    return 0;
}

static int check_complete(const cli *c)
{
    const command *k = c->command;
    if (!c->path && !k->alone)
        return cli_fail(c->json, EXIT_USAGE, NULL, "which model? `anholo %s -h` shows an example",
                        k->name);
    if (k->required && !cli_get(c, k->required))
        return cli_fail(c->json, EXIT_USAGE, NULL,
                        "`%s` is missing; `anholo %s -h` shows an example", k->required, k->name);
    return 0;
}

/* `-o -` is standard output, where the answer goes without it; what needs a file has none then. */
static void drop_standard(cli *c)
{
    const size_t i = find_option(c->command, "-o", 2);
    const bool has = i < cli_option_count(c->command) && c->values[i];
    if (!has || strcmp(c->values[i], "-") != 0 || c->command->required) return;
    free((void *) c->values[i]);
    c->values[i] = NULL;
}

int cli_parse(cli *c, int count, char **words, bool *done)
{
    bool only_files = false;
    int status = 0;
    *done = true;
    c->values = calloc(cli_option_count(c->command), sizeof *c->values);
    c->words = calloc((size_t) count + 1, sizeof *c->words);
    if (!c->values || !c->words) return cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
    for (int i = 0; i < count && !status; i++) {
        const bool dashed = words[i][0] == '-' && words[i][1] && !only_files;
        if (dashed && strcmp(words[i], "--") == 0)
            only_files = true;
        else if (dashed)
            status = parse_option(c, count, words, &i);
        else
            status = parse_model(c, words[i]);
    }
    if (!status && cli_flag(c, "--help")) {
        cli_help(c->command);
        return cli_flush("the answer");
    }
    drop_standard(c);
    if (!status) status = check_complete(c);
    *done = status != 0;
    return status;
}

void cli_free_options(cli *c)
{
    for (size_t i = 0; c->values && i < cli_option_count(c->command); i++)
        free((void *) c->values[i]);
    free((void *) c->values);
    free((void *) c->words);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

const char *cli_get(const cli *c, const char *name)
{
    const size_t i = find_option(c->command, name, strlen(name));
    return i < cli_option_count(c->command) ? c->values[i] : NULL;
}

bool cli_flag(const cli *c, const char *name)
{
    return cli_get(c, name) != NULL;
}

double cli_number(const cli *c, const char *name, double otherwise)
{
    const char *value = cli_get(c, name);
    return value ? strtod(value, NULL) : otherwise;
}

uint64_t cli_count(const cli *c, const char *name, uint64_t otherwise)
{
    const char *value = cli_get(c, name);
    return value ? strtoull(value, NULL, 10) : otherwise;
}
