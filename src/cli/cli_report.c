/* cli/cli_report.c - `anholo report`. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option options[] = {
    {"-o", OPTION_TEXT, "FILE", "the page; without it, it goes to standard output"},
    {"--method", OPTION_LIST, "NAME,…",
     "whose equations (below), or `all`; default: the model's, and others that are short"},
    {"--to", OPTION_TEXT, "T", "the end of the motion (default: the model's `simulate`)"},
    {"--samples", OPTION_COUNT, "N", "rows of the motion, both ends included (default 601)"},
    INPUT_OPTION,
    {"--at", OPTION_LIST, "NAME=VALUE,…", "the motion begins there instead: x=1,x'=0.5,…"},
    {"--project", OPTION_FLAG, NULL, "it begins at the nearest state that the constraints admit"},
    {"--title", OPTION_TEXT, "TEXT", "the page's title (default: the model's)"},
    {"--threads", OPTION_COUNT, "N",
     "that make the page, two at most (default: as there are processors)"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

/* ---- How to make the page again -------------------------------------------------------------- */

/* A word for a shell: quoted unless it is plain. */
static void put_word(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+./,:=@%";
    const char *quote = !*word || word[strspn(word, plain)] != '\0' ? "'" : "";
    fputs(quote, to);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    fputs(quote, to);
}

/* "anholo report MODEL …", to be freed; NULL: there is no memory. */
static char *command_line(const cli *c)
{
    static const char *const words[] = {"--set", "--input",   "--at",    "--project", "--method",
                                        "--to",  "--samples", "--title", "-o"};
    char *line = NULL;
    size_t length;
    FILE *to = open_memstream(&line, &length);
    if (!to) return NULL;
    fputs("anholo report ", to);
    put_word(to, c->path);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *value = cli_get(c, words[i]);
        if (value) fprintf(to, " %s", words[i]);
        if (value && strcmp(words[i], "--project") != 0) {
            fputc(' ', to);
            put_word(to, value);
        }
    }
    fclose(to);
    return line;
}

/* ---- Answer ---------------------------------------------------------------------------------- */

static void write_json(const ah_page *page, const char *path)
{
    fputs("{\"file\":", stdout);
    cli_write_json_string(path);
    printf(",\"bytes\":%zu,\"methods\":[", page->length);
    for (size_t i = 0; i < page->methods; i++) {
        if (i) putchar(',');
        cli_write_json_string(page->method[i]);
    }
    printf("],\"claims\":%zu,\"claims_passed\":%zu,\"no_motion\":", page->claims,
           page->claims_passed);
    if (page->no_motion)
        cli_write_json_string(page->no_motion);
    else
        fputs("null", stdout);
    puts("}");
}

static void write_summary(const ah_page *page, const char *path)
{
    cli_write_printable(stdout, path);
    printf(": %zu kB, equations by ", (page->length + 500) / 1000);
    for (size_t i = 0; i < page->methods; i++) printf("%s%s", i ? ", " : "", page->method[i]);
    if (!page->methods) fputs("no method", stdout);
    putchar('\n');
    if (page->claims)
        printf("%zu of %zu claims turn out as stated\n", page->claims_passed, page->claims);
    if (page->no_motion) printf("no motion: %s\n", page->no_motion);
}

static int write_page(cli *c, output *file, const ah_page *page)
{
    if (!file) return cli_answer(c, AH_OK, page->html);
    const char *path = file->path;
    cli_write_output(file, page->html, page->length);
    const int status = cli_close_output(c, file, OUTPUT_WHOLE);
    if (status) return status;
    if (c->json)
        write_json(page, path);
    else
        write_summary(page, path);
    return cli_answer(c, AH_OK, "");
}

/* The first name in the list that is no method: a copy, to be freed; NULL: all are. */
static char *wrong_method(const char *names)
{
    if (names && !names[strspn(names, ", ")]) return strdup("");
    while (names && *names) {
        const size_t length = strcspn(names, ", ");
        char *name = calloc(length + 1, 1);
        if (!name) return NULL;
        memcpy(name, names, length);
        if (length && strcmp(name, "all") != 0 && !cli_is_method(name)) return name;
        free(name);
        names += length + (names[length] != '\0');
    }
    return NULL;
}

static int run(cli *c)
{
    int status;
    ah_report_options o = ah_report_defaults();
    o.methods = cli_get(c, "--method");
    o.to = cli_get(c, "--to");
    o.at = cli_get(c, "--at");
    o.project = cli_flag(c, "--project");
    o.title = cli_get(c, "--title");
    o.samples = cli_count(c, "--samples", o.samples);
    o.threads = cli_count(c, "--threads", 0);
    if (o.samples < 2)
        return cli_fail(c->json, EXIT_USAGE, NULL, "`--samples` is at least 2: both ends");
    if (c->json && !cli_get(c, "-o"))
        return cli_fail(c->json, EXIT_USAGE, NULL, "with --json the page needs a file: -o FILE");
    char *wrong = wrong_method(o.methods);
    if (wrong) {
        status = cli_unknown_method(c, wrong);
        free(wrong);
        return status;
    }
    ah_model *m = cli_read_model(c, &status);
    if (!m || (status = cli_inputs(c, m)) != 0) return status;
    status = 0;
    output *file = cli_output(c, "-o", &status);
    if (status) return status;
    char *again = command_line(c);
    const ah_page *page = NULL;
    o.command = again;
    const ah_status made = ah_report(m, &o, &page);
    free(again);
    return page ? write_page(c, file, page) : cli_answer(c, made, NULL);
}

const command command_report = {
    .name = "report",
    .summary = "one page with everything: equations, plots, the moving system",
    .about =
        "Makes one HTML file that needs no other and no network: the system, its equations of\n"
        "motion typeset (with LaTeX to be copied), reactive forces, claims, first integrals,\n"
        "the motion in plots and animated, its rows as CSV. What cannot be had is left out,\n"
        "and the page says why. It can be read without scripts, and printed.\n",
    .example = "report -o tire.html models/tire.ah",
    .options = options,
    .details = cli_help_methods,
    .run = run,
};
