/* cli/cli_inputs.c - `--input`: what drives a model, as a formula or as a column of a table. */
#include "cli_rows.h"

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
    size_t rows;
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

/* ---- Tables ---------------------------------------------------------------------------------- */

enum { TIME, VALUE, TAKEN };

/* The cells of one line in these columns; NULL: the line has none. *s is behind the line. false: it has
 * more cells than the line of names, as where numbers are written with a comma. */
static bool take_cells(char **s, const size_t column[TAKEN], size_t columns, char *out[TAKEN])
{
    out[TIME] = out[VALUE] = NULL;
    bool last = false, good = true;
    for (size_t k = 0; !last; k++) {
        char *text = rows_cell(s, &last);
        good &= k < columns || !*text;
        for (int i = 0; i < TAKEN; i++)
            if (k == column[i]) out[i] = text;
    }
    return good;
}

/* Where the two names are in the line of names, SIZE_MAX: nowhere, and how often. How many names it has. */
static size_t find_columns(char **s, const char *const name[TAKEN], size_t column[TAKEN],
                           size_t found[TAKEN])
{
    column[TIME] = column[VALUE] = SIZE_MAX;
    bool last = false;
    size_t k = 0;
    for (; !last; k++) {
        const char *text = rows_cell(s, &last);
        for (int i = 0; i < TAKEN; i++)
            if (!strcmp(text, name[i])) column[i] = k, found[i]++;
    }
    return k;
}

static bool read_cell(const char *text, double *out)
{
    char *end = NULL;
    *out = text ? strtod(text, &end) : NAN;
    return isfinite(*out) && end != text && !*end;
}

/* At least as many as there are rows, whatever ends them. */
static size_t count_lines(const char *s)
{
    size_t count = 1;
    for (; *s; s++) count += *s == '\n' || *s == '\r';
    return count;
}

/* A header with `t` and the column, then rows of numbers. 0, or the exit status after an error. */
static int read_table(const cli *c, table *w, char *s)
{
    const char *const name[TAKEN] = {"t", w->column};
    size_t column[TAKEN], found[TAKEN] = {0}, number = 1;
    const size_t columns = find_columns(&s, name, column, found);
    for (int i = 0; i < TAKEN; i++)
        if (found[i] != 1)
            return cli_fail(c->json, EXIT_NO, w->path,
                            found[i] ? "it has two columns `%s`" : "it has no column `%s`",
                            name[i]);
    for (; *s; number++) {
        char *cell[TAKEN];
        if (*s == '\n' || *s == '\r') {
            s += 1 + !strncmp(s, "\r\n", 2);
            continue;
        }
        if (!take_cells(&s, column, columns, cell))
            return cli_fail(c->json, EXIT_NO, w->path, "line %zu has more cells than names",
                            number + 1);
        if (!read_cell(cell[TIME], &w->t[w->rows]) || !read_cell(cell[VALUE], &w->value[w->rows]))
            return cli_fail(c->json, EXIT_NO, w->path, "line %zu has no number for t or `%s`",
                            number + 1, w->column);
        if (w->rows && w->t[w->rows] <= w->t[w->rows - 1])
            return cli_fail(c->json, EXIT_NO, w->path, "line %zu: the times do not ascend",
                            number + 1);
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

static int drive_by_text(const cli *c, ah_model *m, const char *name, table *w, char *text,
                         bool smooth)
{
    const size_t most = count_lines(text);
    w->t = calloc(2 * most, sizeof *w->t);
    if (!w->t) return cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
    w->value = w->t + most;
    /* Spreadsheets mark a text as UTF-8 by these three bytes. */
    const int status = read_table(c, w, strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3);
    if (status) return status;
    const ah_status made = ah_model_set_input_rows(m, name, w->rows, w->t, w->value, smooth);
    return made == AH_OK ? 0 : cli_answer((cli *) c, made, NULL);
}

static int drive_by_table(const cli *c, ah_model *m, const char *name, table *w, bool smooth)
{
    size_t length = 0;
    int status = is_regular(c, w->path);
    if (status) return status;
    char *text = cli_read_text(c, w->path, &length, &status);
    if (!text) return status;
    status = strlen(text) == length ? drive_by_text(c, m, name, w, text, smooth)
                                    : cli_fail(c->json, EXIT_NO, w->path, "not a text");
    free(text);
    free(w->t);
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
    const size_t length = strlen(value);
    if (length > 4 && !strcmp(value + length - 4, ".csv"))
        return cli_fail(c->json, EXIT_USAGE, NULL,
                        "`--input` wants a column of the table: %s=%s:COLUMN", name, value);
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
        char *item = strndup(list, length);
        if (!item) return cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
        char *equal = strchr(item, '=');
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
        char *path = before <= length ? strndup(list + before, length - before) : NULL;
        if (path && cut_table(path) && k-- == 0) return path;
        free(path);
        list += length + (list[length] == ',');
    }
    return NULL;
}
