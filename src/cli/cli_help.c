/* cli/cli_help.c - `anholo help`: commands and topics, for people, manuals, shells and programs. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

/* ---- In which form --------------------------------------------------------------------------- */

typedef struct form {
    const char *name;
    void (*write)(const command *k); /* NULL: of the program */
} form;

static void write_bash(const command *k)
{
    (void) k;
    cli_write_bash();
}

static void write_zsh(const command *k)
{
    (void) k;
    cli_write_zsh();
}

static void write_fish(const command *k)
{
    (void) k;
    cli_write_fish();
}

static const form forms[] = {
    {"man", cli_write_manual}, {"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};

static const option options[] = {
    {"--format", OPTION_CHOICE, "text|man|bash|zsh|fish|json",
     "a manual page, or what a shell completes by"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

/* ---- Topics ---------------------------------------------------------------------------------- */

/* The first line of a topic is what the list says of it. */
static void list_topics(void)
{
    char name[40];
    puts("\nTopics:");
    for (size_t at = 0; cli_next_text(&at, ".txt", name);) {
        const char *text = cli_find_text(name, ".txt")->text;
        printf("  %-12s %.*s\n", name, (int) strcspn(text, "\n"), text);
    }
    puts("\n`anholo help TOPIC` or `anholo help COMMAND` says more.");
}

static int unknown_topic(const cli *c, const char *word)
{
    const char *names[128] = {NULL};
    char topics[64][40];
    size_t count = 0;
    for (size_t i = 0; cli_commands[i] && count < 60; i++) names[count++] = cli_commands[i]->name;
    for (size_t at = 0, i = 0; i < 60 && cli_next_text(&at, ".txt", topics[i]); i++)
        names[count++] = topics[i];
    const char *near = cli_nearest(word, names);
    return cli_fail(c->json, EXIT_NO, NULL,
                    "there is no command or topic `%s`%s%s%s; `anholo help` lists them", word,
                    near ? ", did you mean `" : "", near ? near : "", near ? "`" : "");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void write_pair(const char *before, const char *key, const char *value)
{
    printf("%s\"%s\":", before, key);
    if (value)
        cli_write_json_string(value);
    else
        fputs("null", stdout);
}

static void write_command_json(const command *k)
{
    write_pair("{", "name", k->name);
    write_pair(",", "summary", k->summary);
    write_pair(",", "about", k->about);
    write_pair(",", "example", k->example);
    printf(",\"model\":%s", k->alone ? "false" : "true");
    write_pair(",", "words", k->words);
    write_pair(",", "kinds", k->kinds ? k->kinds() : NULL);
    fputs(",\"options\":[", stdout);
    for (size_t i = 0; i < cli_option_count(k); i++) {
        const option *o = cli_option(k, i);
        write_pair(i ? ",{" : "{", "name", o->name);
        write_pair(",", "value", cli_option_value(o));
        write_pair(",", "help", o->help);
        printf(",\"choice\":%s}", o->kind == OPTION_CHOICE ? "true" : "false");
    }
    fputs("]}", stdout);
}

static void write_json(const command *k)
{
    char name[40];
    if (k) {
        write_command_json(k);
        return;
    }
    fputs("{\"commands\":[", stdout);
    for (size_t i = 0; cli_commands[i]; i++) {
        if (i) putchar(',');
        write_command_json(cli_commands[i]);
    }
    fputs("],\"topics\":[", stdout);
    bool first = true;
    for (size_t at = 0; cli_next_text(&at, ".txt", name); first = false) {
        if (!first) putchar(',');
        cli_write_json_string(name);
    }
    fputs("]}", stdout);
}

/* ---- The command ----------------------------------------------------------------------------- */

static int help(cli *c, const command *k, const cli_text *topic)
{
    const char *as = cli_get(c, "--format");
    if (topic && c->json) {
        write_pair("{", "text", topic->text);
        return cli_answer(c, AH_OK, "}");
    }
    if (topic) return cli_answer(c, AH_OK, topic->text);
    if (c->json) {
        write_json(k);
        return cli_answer(c, AH_OK, "\n");
    }
    for (size_t i = 0; as && i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(as, forms[i].name)) {
            forms[i].write(k);
            return cli_answer(c, AH_OK, "");
        }
    cli_help(k);
    if (!k) list_topics();
    return cli_answer(c, AH_OK, "");
}

static int run(cli *c)
{
    const char *word = c->word_count ? c->words[0] : NULL;
    if (c->word_count > 1)
        return cli_fail(c->json, EXIT_USAGE, NULL, "one at a time: `%s` or `%s`?", word,
                        c->words[1]);
    const command *k = word ? cli_find_command(word) : NULL;
    const cli_text *topic = word && !k ? cli_find_text(word, ".txt") : NULL;
    return word && !k && !topic ? unknown_topic(c, word) : help(c, k, topic);
}

const command command_help = {
    .name = "help",
    .summary = "explains a command or a topic",
    .about = "Without a word: the commands and the topics. What it knows of the commands it also "
             "writes as\n"
             "a manual page, as completion for a shell, and as JSON for other programs.\n",
    .example = "help claims",
    .options = options,
    .words = "[COMMAND|TOPIC]",
    .run = run,
    .alone = true,
};
