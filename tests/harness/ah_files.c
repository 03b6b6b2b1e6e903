/* ah_files.c - language tests: see ah_files.h. */
#include "ah_files.h"
#include "harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In tests, no memory is the end. */
static void *grow(void *array, size_t element, size_t count)
{
    void *larger = realloc(array, element * (count + 1));
    if (!larger) abort();
    return larger;
}

static char *copy(const char *s, size_t n)
{
    char *result = grow(NULL, 1, n);
    memcpy(result, s, n);
    result[n] = '\0';
    return result;
}

/* ---- Comments -------------------------------------------------------------------------------- */

/* "A0207 14:12" and nothing more. */
static bool read_place(const char *s, ah_file_expectation *e)
{
    int used = 0;
    return sscanf(s, "%7s %u:%u %n", e->code, &e->line, &e->column, &used) == 3 && !s[used];
}

static bool add_error(ah_file *file, const char *s, bool warning)
{
    ah_file_expectation e = {.warning = warning};
    if (!read_place(s, &e)) return false;
    file->error = grow(file->error, sizeof e, file->errors);
    file->error[file->errors++] = e;
    return true;
}

static char *trimmed(const char *begin, const char *end)
{
    while (begin < end && (*begin == ' ' || *begin == '\t')) begin++;
    while (begin < end && strchr(" \t\r", end[-1])) end--;
    return copy(begin, (size_t) (end - begin));
}

static bool add_expect(ah_file *file, const char *s)
{
    const char *equals = strchr(s, '=');
    if (!equals) return false;
    file->expect = grow(file->expect, sizeof *file->expect, file->expects);
    file->expect[file->expects++] =
        (ah_file_expect){trimmed(s, equals), trimmed(equals + 1, equals + strlen(equals))};
    return true;
}

/* What follows `word` in the comment, or NULL. "# errors are …" and "# error of the paper" are
 * prose: a code starts with A and a digit. */
static const char *after(const char *comment, const char *word, bool code)
{
    const size_t n = strlen(word);
    if (strncmp(comment, word, n) != 0 || comment[n] != ' ') return NULL;
    const char *rest = comment + n + strspn(comment + n, " ");
    return code && (rest[0] != 'A' || rest[1] < '0' || rest[1] > '9') ? NULL : rest;
}

static void read_comment(ah_file *file, const char *comment, int line)
{
    const char *rest;
    bool good = true;
    if ((rest = after(comment, "error", true)))
        good = add_error(file, rest, false);
    else if ((rest = after(comment, "warning", true)))
        good = add_error(file, rest, true);
    else if ((rest = after(comment, "expect", false)))
        good = add_expect(file, rest);
    harness_check(good, file->path, line, "an expectation that cannot be read");
}

static void read_comments(ah_file *file)
{
    const char *end = file->text + file->length, *next;
    int number = 1;
    for (const char *line = file->text; line < end; line = next, number++) {
        const char *newline = memchr(line, '\n', (size_t) (end - line));
        next = newline ? newline + 1 : end;
        while (line < next && (*line == ' ' || *line == '\t')) line++;
        if (line == next || *line != '#') continue;
        char *comment = trimmed(line + 1, newline ? newline : end);
        read_comment(file, comment, number);
        free(comment);
    }
}

/* ---- Files ----------------------------------------------------------------------------------- */

static bool run_file(const char *path, void (*f)(const ah_file *, void *), void *user)
{
    ah_file file = {.path = path};
    char *content = harness_read_file(path, &file.length);
    if (!content) return false;
    file.text = content;
    read_comments(&file);
    f(&file, user);
    for (size_t i = 0; i < file.expects; i++) {
        free((char *) file.expect[i].key);
        free((char *) file.expect[i].value);
    }
    free(file.expect);
    free(file.error);
    free(content);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *) a, *(char *const *) b);
}

/* The paths of the .ah files in a folder, sorted; NULL when it cannot be read. */
static char **list_folder(const char *dir, size_t *count)
{
    DIR *folder = opendir(dir);
    if (!folder) return NULL;
    char **paths = grow(NULL, sizeof *paths, 0);
    *count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        const size_t n = strlen(entry->d_name), size = strlen(dir) + n + 2;
        if (n < 4 || strcmp(entry->d_name + n - 3, ".ah") != 0) continue;
        char *path = grow(NULL, 1, size);
        snprintf(path, size, "%s/%s", dir, entry->d_name);
        paths = grow(paths, sizeof *paths, *count);
        paths[(*count)++] = path;
    }
    closedir(folder);
    qsort(paths, *count, sizeof *paths, by_name);
    return paths;
}

int ah_files_each(const char *dir, void (*f)(const ah_file *file, void *user), void *user)
{
    size_t count;
    char **paths = list_folder(dir, &count);
    if (!paths) return -1;
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        all = run_file(paths[i], f, user) && all;
        free(paths[i]);
    }
    free(paths);
    return all ? (int) count : -1;
}
