/* cli/cli_inputs.c - `--input`: what drives a model, as a formula or as a column of a table. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A table of more bytes is none that was made by hand or by `simulate`. */
#define TABLE_MOST ((long long) 16 << 20)

/* One column of a table beside its times. */
typedef struct table {
    const char *path, *column;
    const char *text; /* NUL at its end */
    size_t rows, room;
    double *t, *value;
} table;

/* The end of one "name=value" in the list: a comma outside brackets. */
static size_t item_length(const char *s)
{
    int depth = 0;
    size_t i = 0;
    for (; s[i] && (depth > 0 || s[i] != ','); i++) depth += (s[i] == '(') - (s[i] == ')');
    return i;
}

static char *copy(const char *s, size_t length)
{
    char *out = malloc(length + 1);
    if (out) memcpy(out, s, length);
    if (out) out[length] = '\0';
    return out;
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* The cell at `s` without blanks and quotes: its length; *next: behind its comma, NULL: the last of
 * the line. */
static size_t cell(const char **s, const char **next)
{
    size_t length = strcspn(*s, ",\r\n");
    *next = (*s)[length] == ',' ? *s + length + 1 : NULL;
    while (length && (**s == ' ' || **s == '"')) ++*s, length--;
    while (length && ((*s)[length - 1] == ' ' || (*s)[length - 1] == '"')) length--;
    return length;
}

/* The place of a name in the line, from 0; -1: it is not there. */
static long find_column(const char *line, const char *name)
{
    const char *next = line;
    for (long k = 0; next; k++) {
        const char *s = next;
        const size_t length = cell(&s, &next);
        if (strlen(name) == length && !strncmp(s, name, length)) return k;
    }
    return -1;
}

static bool read_cell(const char *line, long column, double *out)
{
    const char *next = line, *s = line;
    size_t length = 0;
    for (long k = 0; k <= column; k++) {
        if (!next) return false;
        s = next;
        length = cell(&s, &next);
    }
    char *end;
    *out = strtod(s, &end);
    return length && end == s + length && isfinite(*out);
}

static bool more_room(table *w)
{
    if (w->rows < w->room) return true;
    w->room = w->room ? 2 * w->room : 256;
    double *t = realloc(w->t, w->room * sizeof *t);
    if (t) w->t = t;
    double *value = realloc(w->value, w->room * sizeof *value);
    if (value) w->value = value;
    return t && value;
}

/* Spreadsheets mark a text as UTF-8 by these three bytes. */
static const char *skip_mark(const char *text)
{
    return strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3;
}

/* A header with `t` and the column, then rows of numbers. 0, or the exit status after an error. */
static int read_table(const cli *c, table *w)
{
    const long time = find_column(w->text, "t"), column = find_column(w->text, w->column);
    if (time < 0 || column < 0)
        return cli_fail(c->json, EXIT_NO, w->path, "it has no column `%s`",
                        time < 0 ? "t" : w->column);
    size_t number = 1;
    const char *line = w->text;
    while (*(line += strcspn(line, "\n")) && *++line) {
        number++;
        if (!strcspn(line, "\r\n")) continue;
        if (!more_room(w)) return cli_fail(c->json, EXIT_LIMIT, w->path, "out of memory");
        if (!read_cell(line, time, &w->t[w->rows]) || !read_cell(line, column, &w->value[w->rows]))
            return cli_fail(c->json, EXIT_NO, w->path, "line %zu has no number for t or `%s`",
                            number, w->column);
        if (w->rows && w->t[w->rows] <= w->t[w->rows - 1])
            return cli_fail(c->json, EXIT_NO, w->path, "line %zu: the times do not ascend", number);
        w->rows++;
    }
    return w->rows ? 0 : cli_fail(c->json, EXIT_NO, w->path, "it has no rows");
}

static int is_regular(const cli *c, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) return cli_fail(c->json, EXIT_NO, path, "%s", strerror(errno));
    if (!S_ISREG(about.st_mode)) return cli_fail(c->json, EXIT_NO, path, "not a regular file");
    return about.st_size > TABLE_MOST ? cli_fail(c->json, EXIT_LIMIT, path, "larger than 16 MiB")
                                      : 0;
}

static int drive_by_table(const cli *c, ah_model *m, const char *name, table *w, bool smooth)
{
    size_t length = 0;
    int status = is_regular(c, w->path);
    if (status) return status;
    char *bytes = cli_read_text(c, w->path, &length, &status);
    char *text = bytes ? copy(bytes, length) : NULL;
    w->text = text ? skip_mark(text) : NULL;
    if (bytes && !text)
        status = cli_fail(c->json, EXIT_LIMIT, w->path, "out of memory");
    else if (text && strlen(text) != length)
        status = cli_fail(c->json, EXIT_NO, w->path, "not a text");
    else if (text && !(status = read_table(c, w))) {
        const ah_status made = ah_model_set_input_rows(m, name, w->rows, w->t, w->value, smooth);
        if (made != AH_OK) status = cli_answer((cli *) c, made, NULL);
    }
    free(bytes);
    free(text);
    free(w->t);
    free(w->value);
    return status;
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

static int drive(const cli *c, ah_model *m, const char *name, char *value)
{
    char *column = cut_table(value);
    if (column) {
        table w = {.path = value, .column = column};
        char *way = strrchr(column, ':');
        const bool named = way && (!strcmp(way, ":smooth") || !strcmp(way, ":linear"));
        if (named) *way = '\0';
        return drive_by_table(c, m, name, &w, named && !strcmp(way + 1, "smooth"));
    }
    ah_expr e = AH_NONE;
    ah_status made = ah_read_expression(m, "--input", value, &e);
    if (made == AH_OK) made = ah_model_set_input(m, name, e);
    return made == AH_OK ? 0 : cli_answer((cli *) c, made, NULL);
}

int cli_inputs(const cli *c, ah_model *m)
{
    const char *list = cli_get(c, "--input");
    int status = 0;
    while (list && *list && !status) {
        const size_t length = item_length(list);
        char *item = copy(list, length), *equal = item ? strchr(item, '=') : NULL;
        if (!item) return cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
        if (equal) {
            *equal = '\0';
            status = drive(c, m, item, equal + 1);
        } else {
            status =
                cli_fail(c->json, EXIT_USAGE, NULL,
                         "`--input` cannot be `%s`: it is u=sin(t) or u=FILE.csv:COLUMN", item);
        }
        free(item);
        list += length + (list[length] == ',');
    }
    return status;
}

char *cli_input_table(const cli *c, size_t k)
{
    const char *list = cli_get(c, "--input");
    while (list && *list) {
        const size_t length = item_length(list), before = strcspn(list, "=") + 1;
        char *path = before <= length ? copy(list + before, length - before) : NULL;
        if (path && cut_table(path) && k-- == 0) return path;
        free(path);
        list += length + (list[length] == ',');
    }
    return NULL;
}
