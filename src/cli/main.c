/* cli/main.c - the program anholo. */
#include "cli.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define X(name) extern const command command_##name;
#include "commands.def"
#undef X

const command *const cli_commands[] = {
#define X(name) &command_##name,
#include "commands.def"
#undef X
    NULL,
};

const command *cli_find_command(const char *name)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (strcmp(cli_commands[i]->name, name) == 0) return cli_commands[i];
    return NULL;
}

static int unknown_command(bool json, const char *name)
{
    const char *names[sizeof cli_commands / sizeof *cli_commands] = {NULL};
    for (size_t i = 0; cli_commands[i]; i++) names[i] = cli_commands[i]->name;
    const char *near = cli_nearest(name, names);
    return cli_fail(json, EXIT_USAGE, NULL,
                    "there is no command `%s`%s%s%s; `anholo -h` lists them", name,
                    near ? ", did you mean `" : "", near ? near : "", near ? "`" : "");
}

static int run(cli *c)
{
    int status;
    ah_ctx_options options = ah_ctx_defaults();
    progress bar = {.of = c};
    if (cli_wants_progress(c)) {
        options.progress = cli_show_progress;
        options.progress_user = &bar;
    }
    options.limits.seconds = cli_number(c, "--max-time", options.limits.seconds);
    c->ctx = ah_ctx_create(&options);
    if (!c->ctx) return cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
    cli_stop_begin(c->ctx, options.limits.seconds);
    if (!(status = cli_check_standard_output(c)) &&
        (c->command->alone || c->command->reads || cli_read_file(c, &status)))
        status = c->command->run(c);
    const int lost = ferror(stdout) ? 0 : cli_flush("the answer"); /* an error as JSON is one */
    if (lost) status = lost;
    cli_discard_outputs(c);
    cli_stop_end();
    ah_ctx_destroy(c->ctx);
    free(c->text);
    return status;
}

static bool is_word(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

/* Looked for before the options are read: mistakes in them are answered likewise. */
static bool wants_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (is_word(argv[i], "--json", "--format=json") ||
            (i + 1 < argc && !strcmp(argv[i], "--format") && !strcmp(argv[i + 1], "json")))
            return true;
    return false;
}

/* To somebody who knows nothing of it yet. */
static void say_first(void)
{
    puts("anholo: equations of motion of mechanical systems, non-holonomic ones first.\n\n"
         "To begin:\n"
         "  anholo new first.ah                    a model with comments, to be changed\n"
         "  anholo check first.ah                  what kind of system it is\n"
         "  anholo derive first.ah                 its equations of motion\n"
         "  anholo verify first.ah                 its claims, proved or refuted\n"
         "  anholo report first.ah -o first.html   a page with all of it and its motion\n\n"
         "`anholo models` lists models to look at, `anholo help` commands and topics.");
}

/* A file opened later may not get the number of a standard stream that is closed: what is said would be written into it,
 * the rows of a sweep over its journal. Opened the wrong way round, so that reading and writing still fail. */
static void hold_closed_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0)
            (void) !open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    hold_closed_streams();
    const bool json = wants_json(argc, argv);
    bool done = false;
    if (argc < 2) {
        say_first();
        return EXIT_USAGE;
    }
    if (is_word(argv[1], "-h", "--help")) {
        cli_help(NULL);
        return cli_flush("the answer");
    }
    if (is_word(argv[1], "--version", "-V")) {
        printf("anholo %s\n", ah_version());
        return cli_flush("the answer");
    }
    cli c = {.command = cli_find_command(argv[1]), .json = json};
    if (!c.command) return unknown_command(json, argv[1]);
    int status = cli_parse(&c, argc - 2, argv + 2, &done);
    if (!done) status = run(&c);
    cli_free_options(&c);
    return status;
}
