/* cli/cli_rows.c - the rows of a sweep as CSV or as an array of NumPy, and a list of starts from CSV. */
#include "cli_rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REASON_BYTES = 96 }; /* of why a run failed, in an array */

/* ---- Writing --------------------------------------------------------------------------------- */

static bool put(rows_file *f, const char *text, size_t length)
{
    if (f->to) return cli_write_output(f->to, text, length);
    return fwrite(text, 1, length, stdout) == length;
}

static bool put_text(rows_file *f, const char *text)
{
    return put(f, text, strlen(text));
}

/* In quotes where CSV needs them; what a spreadsheet would take for a formula is not made by us. */
static bool put_cell(rows_file *f, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) return put_text(f, text);
    bool good = put(f, "\"", 1);
    for (const char *c = text; good && *c; c++)
        good = put(f, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    return good && put(f, "\"", 1);
}

static bool put_number(rows_file *f, double x)
{
    char digits[40];
    return isnan(x) || put(f, digits, (size_t) snprintf(digits, sizeof digits, "%.17g", x));
}

static bool begin_csv(rows_file *f, ah_ensemble *e)
{
    bool good = put_text(f, "run");
    for (size_t i = 0; good && i < f->columns; i++)
        good = put_text(f, ",") && put_cell(f, ah_ensemble_name(e, i));
    return good && put_text(f, ",failed\n");
}

static bool row_csv(rows_file *f, uint64_t run, const double *row, const char *failed)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long) run);
    bool good = put_text(f, digits);
    for (size_t i = 0; good && i < f->columns; i++) good = put(f, ",", 1) && put_number(f, row[i]);
    return good && put(f, ",", 1) && (!failed || put_cell(f, failed)) && put(f, "\n", 1);
}

/* A growing text. */
typedef struct words {
    char *at;
    size_t length, room;
    bool lost; /* no memory */
} words;

static void add(words *w, const char *text)
{
    const size_t n = strlen(text);
    if (w->length + n + 1 > w->room) {
        const size_t room = 2 * (w->length + n + 1);
        char *at = realloc(w->at, room);
        if (!at) {
            w->lost = true;
            return;
        }
        w->at = at;
        w->room = room;
    }
    memcpy(w->at + w->length, text, n + 1);
    w->length += n;
}

/* A string of Python. */
static void add_string(words *w, const char *text)
{
    add(w, "'");
    for (const char *c = text; *c; c++) {
        const char one[] = {*c, '\0'};
        if (*c == '\'' || *c == '\\') add(w, "\\");
        add(w, one);
    }
    add(w, "'");
}

/* The header of format 3.0, whose text is UTF-8: a structured array of as many rows as there are
 * runs. Data begin at a multiple of 64 bytes. */
static bool begin_npy(rows_file *f, ah_ensemble *e)
{
    words w = {0};
    char end[96];
    add(&w, "{'descr': [('run', '<i8')");
    for (size_t i = 0; i < f->columns; i++) {
        add(&w, ", (");
        add_string(&w, ah_ensemble_name(e, i));
        add(&w, ", '<f8')");
    }
    snprintf(end, sizeof end, ", ('failed', '|S%d')], 'fortran_order': False, 'shape': (%llu,), }",
             REASON_BYTES, (unsigned long long) ah_ensemble_count(e));
    add(&w, end);
    while (!w.lost && (12 + w.length + 1) % 64) add(&w, " ");
    add(&w, "\n");
    const uint32_t n = (uint32_t) w.length;
    const unsigned char head[12] = {0x93,
                                    'N',
                                    'U',
                                    'M',
                                    'P',
                                    'Y',
                                    3,
                                    0,
                                    (unsigned char) n,
                                    (unsigned char) (n >> 8),
                                    (unsigned char) (n >> 16),
                                    (unsigned char) (n >> 24)};
    const bool good = !w.lost && put(f, (const char *) head, sizeof head) && put(f, w.at, w.length);
    free(w.at);
    return good;
}

/* As x86 and ARM lay them out: the lowest byte first. */
static bool put_bits(rows_file *f, uint64_t bits)
{
    char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (char) (bits >> (8 * i));
    return put(f, bytes, sizeof bytes);
}

static bool row_npy(rows_file *f, uint64_t run, const double *row, const char *failed)
{
    char reason[REASON_BYTES + 1] = "";
    bool good = put_bits(f, run);
    for (size_t i = 0; good && i < f->columns; i++) {
        uint64_t bits;
        memcpy(&bits, &row[i], sizeof bits);
        good = put_bits(f, bits);
    }
    if (failed) snprintf(reason, sizeof reason, "%s", failed);
    return good && put(f, reason, REASON_BYTES);
}

static const struct {
    const char *ending;
    bool (*begin)(rows_file *f, ah_ensemble *e);
    bool (*row)(rows_file *f, uint64_t run, const double *row, const char *failed);
} formats[] = {{".npy", begin_npy, row_npy}, {"", begin_csv, row_csv}};

static size_t format_of(const char *path)
{
    for (size_t i = 0;; i++) {
        const size_t n = strlen(formats[i].ending), length = path ? strlen(path) : 0;
        if (length >= n && (!n || !strcmp(path + length - n, formats[i].ending))) return i;
    }
}

rows_file rows_to(ah_ensemble *e, output *to, const char *path)
{
    return (rows_file){
        .e = e, .to = to, .columns = ah_ensemble_columns(e), .format = format_of(path)};
}

/* The header comes with the first row: an error before it leaves nothing. */
bool rows_write(void *user, const ah_ensemble_part *part)
{
    rows_file *f = user;
    bool good = f->rows || formats[f->format].begin(f, f->e);
    for (size_t i = 0; good && i < part->count; i++)
        good = formats[f->format].row(f, part->first + i, part->values + i * f->columns,
                                      part->failed[i]);
    f->rows += part->count;
    if (!good) f->broken = true;
    return good;
}

/* Columns of a whole motion, as `simulate` writes them. */
bool rows_of_motion(output *to, const ah_trajectory *t)
{
    rows_file f = {.to = to};
    bool good = true;
    const size_t columns = ah_trajectory_columns(t);
    for (size_t i = 0; good && i < columns; i++)
        good = put_text(&f, i ? "," : "") && put_text(&f, ah_trajectory_name(t, i));
    good = good && put_text(&f, "\n");
    for (size_t k = 0; good && k < ah_trajectory_rows(t); k++) {
        for (size_t i = 0; good && i < columns; i++)
            good = put_text(&f, i ? "," : "") && put_number(&f, ah_trajectory_column(t, i)[k]);
        good = good && put_text(&f, "\n");
    }
    return good;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* One cell, in place: without its quotes and the blanks around it; *s is behind it. *last: the line
 * ends there. */
static char *cell(char **s, bool *last)
{
    char *from = *s;
    while (*from == ' ' || *from == '\t') from++;
    char *end = from, *to = from;
    if (*from == '"') {
        to = ++from;
        for (end = from; *end && !(*end == '"' && end[1] != '"'); end++) {
            if (*end == '"') end++;
            *to++ = *end;
        }
        if (*end) end++;
        end += strcspn(end, ",\r\n");
    } else {
        end += strcspn(end, ",\r\n");
        for (to = end; to > from && (to[-1] == ' ' || to[-1] == '\t');) to--;
    }
    *last = *end != ',';
    char *next = end;
    if (*next == ',') {
        next++;
    } else {
        if (*next == '\r') next++;
        if (*next == '\n') next++;
    }
    *s = next;
    *to = '\0';
    return from;
}

static bool grow(rows_list *l, void **at, size_t element, size_t need, size_t *room)
{
    if (need <= *room) return true;
    const size_t more = 2 * need + 16;
    void *bigger = realloc(*at, more * element);
    if (!bigger) return l->wrong = "out of memory", false;
    *at = bigger;
    *room = more;
    return true;
}

static bool read_names(rows_list *l, char **s)
{
    size_t room = 0;
    for (bool last = false; !last;) {
        if (!grow(l, (void **) &l->names, sizeof *l->names, l->columns + 1, &room)) return false;
        l->names[l->columns++] = cell(s, &last);
    }
    return true;
}

static bool read_row(rows_list *l, char **s, size_t *room)
{
    size_t count = 0;
    const size_t need = (size_t) (l->rows + 1) * l->columns;
    if (!grow(l, (void **) &l->values, sizeof *l->values, need, room)) return false;
    for (bool last = false; !last; count++) {
        const char *text = cell(s, &last);
        char *end;
        if (count == l->columns) return l->wrong = "more cells than names", false;
        l->values[l->rows * l->columns + count] = strtod(text, &end);
        if (end == text || *end) return l->wrong = "a cell that is no number", false;
    }
    if (count < l->columns) return l->wrong = "fewer cells than names", false;
    l->rows++;
    return true;
}

bool rows_read(rows_list *l, char *text)
{
    size_t room = 0;
    char *s = text;
    *l = (rows_list){.line = 1};
    if (!strncmp(s, "\xEF\xBB\xBF", 3)) s += 3; /* what spreadsheets put before UTF-8 */
    if (!read_names(l, &s)) return false;
    while (*s) {
        l->line++;
        if (*s == '\n' || *s == '\r') {
            s++;
            continue;
        }
        if (!read_row(l, &s, &room)) return false;
    }
    return true;
}

void rows_free(rows_list *l)
{
    free(l->names);
    free(l->values);
    *l = (rows_list){0};
}
