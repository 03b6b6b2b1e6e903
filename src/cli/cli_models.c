/* cli/cli_models.c - `anholo models`: the models that were installed with the program. */
#define _XOPEN_SOURCE 700 /* realpath: without _FORTIFY_SOURCE it is declared for this alone */
#include "cli.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, TITLE_ROOM = 200, NAMES_MOST = 1000, NAME_COLUMN = 32 };

static const option options[] = {
    {"-o", OPTION_TEXT, "FILE", "copies the model there instead of showing it"},
    {"--folder", OPTION_FLAG, NULL, "tells only the folder in which they are"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

static bool is_folder(const char *path)
{
    DIR *d = opendir(path);
    if (d) closedir(d);
    return d != NULL;
}

/* Beside the program, installed or in its build folder: found wherever the whole was moved to. */
static bool find_beside(char folder[PATH_ROOM])
{
    static const char *const beside[] = {"/../share/anholo/models", "/../models"};
    char program[PATH_ROOM / 2];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0) return false;
    program[n] = '\0';
    *strrchr(program, '/') = '\0';
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        char path[PATH_ROOM];
        snprintf(path, sizeof path, "%s%s", program, beside[i]);
        if (is_folder(path) && realpath(path, folder)) return true;
    }
    return false;
}

/* $ANHOLO_MODELS and nothing else where it is set; else beside the program; else, where no system
 * tells a program its place, in the prefix that the build was made for. False: there is none. */
static bool find_folder(char folder[PATH_ROOM])
{
    const char *given = getenv("ANHOLO_MODELS");
    const bool said = given && *given;
    if (!said && find_beside(folder)) return true;
    snprintf(folder, PATH_ROOM, "%s", said ? given : AH_MODELS_FOLDER);
    return is_folder(folder);
}

/* What stands between quotes after the word at the beginning of one of the first lines. */
static void read_quoted(const char *path, const char *word, char title[TITLE_ROOM])
{
    char line[TITLE_ROOM + 20], form[60];
    FILE *f = fopen(path, "r");
    *title = '\0';
    snprintf(form, sizeof form, "%s \"%%%d[^\"]", word, TITLE_ROOM - 1);
    for (int k = 0; f && k < 40 && !*title && fgets(line, sizeof line, f); k++)
        sscanf(line, form, title);
    if (f) fclose(f);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

/* The names in the folder, "skate", "machines/robot", sorted; to be freed. */
static size_t list_names(const char *folder, const char *inside, char **names, size_t count)
{
    char path[2 * PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s", folder, inside);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        const size_t n = strlen(e->d_name);
        if (*e->d_name == '.' || count == NAMES_MOST) continue;
        char name[PATH_ROOM];
        snprintf(name, sizeof name, "%s%s%s", inside, *inside ? "/" : "", e->d_name);
        if (n > 3 && !strcmp(e->d_name + n - 3, ".ah")) {
            name[strlen(name) - 3] = '\0';
            names[count] = strdup(name);
            count += names[count] != NULL;
        } else if (!*inside) {
            count = list_names(folder, name, names, count);
        }
    }
    if (d) closedir(d);
    return count;
}

static void write_model(const cli *c, const char *folder, const char *name, bool first)
{
    char path[2 * PATH_ROOM], title[TITLE_ROOM], source[TITLE_ROOM];
    snprintf(path, sizeof path, "%s/%s.ah", folder, name);
    read_quoted(path, "system", title);
    read_quoted(path, "source", source);
    if (!c->json) {
        const int length = (int) strlen(name);
        fputs("  ", stdout);
        cli_write_printable(stdout, name);
        printf("%*s", length < NAME_COLUMN ? NAME_COLUMN + 1 - length : 1, "");
        cli_write_printable(stdout, title);
        if (*source) fputs(" (", stdout);
        cli_write_printable(stdout, source);
        puts(*source ? ")" : "");
        return;
    }
    const char *const part[][2] = {{"name", name}, {"title", title}, {"source", source}};
    fputs(first ? "" : ",", stdout);
    for (size_t i = 0; i < 3; i++) {
        printf("%s\"%s\":", i ? "," : "{", part[i][0]);
        cli_write_json_string(part[i][1]);
    }
    putchar('}');
}

static int tell_folder(cli *c, const char *folder)
{
    if (c->json) {
        fputs("{\"folder\":", stdout);
        cli_write_json_string(folder);
        return cli_answer(c, AH_OK, "}");
    }
    cli_write_printable(stdout, folder);
    return cli_answer(c, AH_OK, "\n");
}

static int list(cli *c, const char *folder)
{
    char *names[NAMES_MOST];
    const size_t count = list_names(folder, "", names, 0);
    qsort(names, count, sizeof *names, by_name);
    if (c->json) {
        fputs("{\"folder\":", stdout);
        cli_write_json_string(folder);
        fputs(",\"models\":[", stdout);
    }
    for (size_t i = 0; i < count; i++) {
        write_model(c, folder, names[i], i == 0);
        free(names[i]);
    }
    return cli_answer(c, AH_OK,
                      c->json ? "]}"
                              : "\n`anholo models NAME` shows one, `anholo models NAME -o FILE` "
                                "copies it.\n");
}

/* Of the names the one that is meant: "robot" finds machines/robot. */
static bool find_model(const char *folder, const char *name, char path[2 * PATH_ROOM],
                       char near[TITLE_ROOM])
{
    char *names[NAMES_MOST + 1] = {NULL};
    const size_t count = list_names(folder, "", names, 0), given = strlen(name);
    const size_t length = given > 3 && !strcmp(name + given - 3, ".ah") ? given - 3 : given;
    const char *last[NAMES_MOST + 1] = {NULL};
    bool found = false;
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        const char *slash = strrchr(names[i], '/');
        last[i] = slash ? slash + 1 : names[i];
        const bool whole = strlen(names[i]) == length && !strncmp(names[i], name, length);
        const bool short_name = strlen(last[i]) == length && !strncmp(last[i], name, length);
        if (!found && (whole || short_name)) {
            snprintf(path, 2 * PATH_ROOM, "%s/%s.ah", folder, names[i]);
            found = true;
        }
    }
    const char *like = found ? NULL : cli_nearest(name, last);
    snprintf(near, TITLE_ROOM, "%s", like ? like : "");
    for (size_t i = 0; i < count; i++) free(names[i]);
    return found;
}

static int show(cli *c, const char *folder, const char *name)
{
    char path[2 * PATH_ROOM], near[TITLE_ROOM];
    int status = 0;
    size_t length = 0;
    if (!find_model(folder, name, path, near))
        return cli_fail(c->json, EXIT_NO, NULL,
                        "there is no model `%s`%s%s%s; `anholo models` lists them", name,
                        *near ? ", did you mean `" : "", near, *near ? "`" : "");
    c->path = path; /* what is read cannot be the output */
    char *text = cli_read_text(c, path, &length, &status);
    output *o = text ? cli_output(c, "-o", &status) : NULL;
    if (o) {
        cli_write_output(o, text, length);
        status = cli_close_output(c, o, OUTPUT_WHOLE);
    }
    if (text && !status && c->json) {
        fputs("{\"file\":", stdout);
        cli_write_json_string(path);
        fputs(",\"text\":", stdout);
        cli_write_json_string(text);
        status = cli_answer(c, AH_OK, "}");
    } else if (text && !status && !o) {
        fwrite(text, 1, length, stdout);
        status = cli_answer(c, AH_OK, "");
    }
    c->path = NULL;
    free(text);
    return status;
}

static int run(cli *c)
{
    char folder[PATH_ROOM];
    if (!find_folder(folder))
        return cli_fail(c->json, EXIT_NO, NULL,
                        "no models were installed beside the program; ANHOLO_MODELS=FOLDER says "
                        "where there are some");
    if (c->word_count > 1)
        return cli_fail(c->json, EXIT_USAGE, NULL, "one model at a time: `%s` or `%s`?",
                        c->words[0], c->words[1]);
    if (cli_flag(c, "--folder")) return tell_folder(c, folder);
    if (!c->word_count && cli_get(c, "-o"))
        return cli_fail(c->json, EXIT_USAGE, NULL, "which model is to be copied?");
    return c->word_count ? show(c, folder, c->words[0]) : list(c, folder);
}

const command command_models = {
    .name = "models",
    .summary = "lists, shows and copies the models that came with the program",
    .about = "Without a NAME: their names, titles and sources. They are looked for beside the "
             "program, or\n"
             "in the folder that the variable ANHOLO_MODELS names.\n",
    .example = "models tire -o my_tire.ah",
    .options = options,
    .words = "[NAME]",
    .run = run,
    .alone = true,
};
