/* cli/cli_inputs.c - `--input`: what drives a model, as a formula or as a column of a table. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A table of more bytes is none that was made by hand or by `simulate`. */
#define TABLE_MOST ((long long) 16 << 20)

/* The end of one "name=value" in the list: a comma outside brackets. */
static size_t item_length(const char *s)
{
    int depth = 0;
    size_t i = 0;
    for (; s[i] && (depth > 0 || s[i] != ','); i++) depth += (s[i] == '(') - (s[i] == ')');
    return i;
}

static const char blanks[] = " \t\r\n";

/* Without blanks around it, in its place. */
static char *trim(char *s)
{
    s += strspn(s, blanks);
    size_t length = strlen(s);
    while (length && strchr(blanks, s[length - 1])) length--;
    s[length] = '\0';
    return s;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static int is_regular(const cli *c, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) return cli_fail(c->json, EXIT_NO, path, "%s", strerror(errno));
    if (!S_ISREG(about.st_mode)) return cli_fail(c->json, EXIT_NO, path, "not a regular file");
    return about.st_size > TABLE_MOST ? cli_fail(c->json, EXIT_LIMIT, path, "larger than 16 MiB")
                                      : 0;
}

static int drive_by_table(const cli *c, ah_model *m, const char *name, const char *path,
                          const char *column, bool smooth)
{
    size_t length = 0;
    int status = is_regular(c, path);
    if (status) return status;
    char *text = cli_read_text(c, path, &length, &status);
    if (!text) return status;
    const ah_status made = ah_model_set_input_table(m, name, path, text, length, column, smooth);
    free(text);
    return made == AH_OK ? 0 : cli_answer((cli *) c, made, NULL);
}

/* ---- One input ------------------------------------------------------------------------------- */

/* FILE.csv:COLUMN is cut in two: the column; NULL: it is a formula. */
static char *cut_table(char *value)
{
    char *file = strstr(value, ".csv:");
    if (!file) return NULL;
    file[4] = '\0';
    return file + 5;
}

static bool is_table(const char *value)
{
    const size_t length = strlen(value);
    return strstr(value, ".csv:") || (length >= 4 && !strcmp(value + length - 4, ".csv"));
}

/* How many of the list are called so. */
static size_t count_items(const char *list, const char *name)
{
    const size_t length = strlen(name);
    size_t count = 0;
    while (*list) {
        list += strspn(list, blanks);
        if (!strncmp(list, name, length))
            count += list[length + strspn(list + length, blanks)] == '=';
        list += item_length(list);
        list += *list == ',';
    }
    return count;
}

/* name=FILE.csv:COLUMN, the `=` at `equal` */
static int drive(const cli *c, ah_model *m, char *item, char *equal)
{
    char *value = trim(equal + 1), *column = cut_table(value);
    *equal = '\0';
    item = trim(item);
    if (!column || !*trim(column))
        return cli_fail(c->json, EXIT_USAGE, NULL,
                        "`--input` wants a column of the table: %s=%s:COLUMN", item, value);
    if (count_items(cli_get(c, "--input"), item) > 1)
        return cli_fail(c->json, EXIT_USAGE, NULL, "`--input` gives `%s` twice", item);
    char *way = strrchr(column, ':');
    const bool named = way && (!strcmp(way, ":smooth") || !strcmp(way, ":linear"));
    if (named) *way = '\0';
    return drive_by_table(c, m, item, value, trim(column), named && !strcmp(way + 1, "smooth"));
}

/* Formulas wait for each other, so that they are read as one text. */
static int take(const cli *c, ah_model *m, char *item, char *formulas)
{
    char *equal = strchr(item, '=');
    if (!equal)
        return cli_fail(c->json, EXIT_USAGE, NULL,
                        "`--input` cannot be `%s`: it is u=sin(t) or u=FILE.csv:COLUMN", item);
    if (is_table(trim(equal + 1))) return drive(c, m, item, equal);
    if (*formulas) strcat(formulas, ",");
    strcat(formulas, item);
    return 0;
}

int cli_inputs(const cli *c, ah_model *m)
{
    const char *list = cli_get(c, "--input");
    if (!list) return 0;
    char *formulas = calloc(strlen(list) + 1, 1);
    int status = formulas ? 0 : cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
    while (*list && !status) {
        const size_t length = item_length(list);
        char *item = strndup(list, length);
        status = item ? take(c, m, item, formulas)
                      : cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
        free(item);
        list += length + (list[length] == ',');
    }
    const ah_status read = !status && *formulas ? ah_read_inputs(m, "--input", formulas) : AH_OK;
    free(formulas);
    return read == AH_OK ? status : cli_answer((cli *) c, read, NULL);
}

char *cli_input_table(const cli *c, size_t k)
{
    const char *list = cli_get(c, "--input");
    while (list && *list) {
        const size_t length = item_length(list), before = strcspn(list, "=") + 1;
        const size_t from = before <= length ? before + strspn(list + before, blanks) : length;
        char *path = from < length ? strndup(list + from, length - from) : NULL;
        if (path && cut_table(path) && k-- == 0) return path;
        free(path);
        list += length + (list[length] == ',');
    }
    return NULL;
}
