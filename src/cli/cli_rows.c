/* cli/cli_rows.c - the rows of a sweep as CSV or as an array of NumPy, and a list of starts from CSV. */
#include "cli_rows.h"

#include "npy.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REASON_BYTES = 96 }; /* of why a run failed, in an array */

/* ---- Writing --------------------------------------------------------------------------------- */

/* An error stays with the file, or with standard output, and is told in the end. */
static void put(rows_file *f, const char *text, size_t length)
{
    if (f->to)
        cli_write_output(f->to, text, length);
    else
        fwrite(text, 1, length, stdout);
}

static bool is_broken(const rows_file *f)
{
    return f->to ? f->to->error != 0 : ferror(stdout) != 0;
}

static void put_text(rows_file *f, const char *text)
{
    put(f, text, strlen(text));
}

/* In quotes where CSV needs them; what a spreadsheet would take for a formula is not made by us. */
static void put_cell(rows_file *f, const char *text)
{
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted) put(f, "\"", 1);
    for (const char *c = text; *c; c++) put(f, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    if (quoted) put(f, "\"", 1);
}

/* What is no number is an empty cell. */
static void put_number(rows_file *f, double x)
{
    char digits[40];
    if (!isnan(x)) put(f, digits, (size_t) snprintf(digits, sizeof digits, "%.17g", x));
}

static void begin_csv(rows_file *f, ah_ensemble *e)
{
    put_text(f, "run");
    for (size_t i = 0; i < f->columns; i++) {
        put_text(f, ",");
        put_cell(f, ah_ensemble_name(e, i));
    }
    put_text(f, ",failed\n");
}

static void row_csv(rows_file *f, uint64_t run, const double *row, const char *failed)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long) run);
    put_text(f, digits);
    for (size_t i = 0; i < f->columns; i++) {
        put_text(f, ",");
        put_number(f, row[i]);
    }
    put_text(f, ",");
    put_cell(f, failed ? failed : "");
    put_text(f, "\n");
}

/* A structured array of as many rows as there are runs. */
static void begin_npy(rows_file *f, ah_ensemble *e)
{
    char reason[16], shape[40];
    npy_columns c = npy_columns_begin();
    npy_column(&c, "run", "<i8");
    for (size_t i = 0; i < f->columns; i++) npy_column(&c, ah_ensemble_name(e, i), "<f8");
    snprintf(reason, sizeof reason, "|S%d", REASON_BYTES);
    npy_column(&c, "failed", reason);
    snprintf(shape, sizeof shape, "(%llu,)", (unsigned long long) ah_ensemble_count(e));
    char *columns = npy_columns_end(&c);
    if (columns)
        npy_begin(f->to, columns, shape); /* arrays go to files alone */
    else
        f->to->error = ENOMEM;
    free(columns);
}

static void row_npy(rows_file *f, uint64_t run, const double *row, const char *failed)
{
    char reason[REASON_BYTES + 1] = "";
    npy_integer(f->to, run);
    for (size_t i = 0; i < f->columns; i++) npy_number(f->to, row[i]);
    if (failed) snprintf(reason, sizeof reason, "%s", failed);
    put(f, reason, REASON_BYTES);
}

static const struct {
    const char *ending;
    void (*begin)(rows_file *f, ah_ensemble *e);
    void (*row)(rows_file *f, uint64_t run, const double *row, const char *failed);
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
    if (!f->rows) formats[f->format].begin(f, f->e);
    for (size_t i = 0; i < part->count; i++)
        formats[f->format].row(f, part->first + i, part->values + i * f->columns, part->failed[i]);
    f->rows += part->count;
    return !is_broken(f);
}

/* Columns of a whole motion, as `simulate` writes them. */
void rows_of_motion(output *to, const ah_trajectory *t)
{
    rows_file f = {.to = to};
    const size_t columns = ah_trajectory_columns(t);
    for (size_t i = 0; i < columns; i++) {
        put_text(&f, i ? "," : "");
        put_text(&f, ah_trajectory_name(t, i));
    }
    put_text(&f, "\n");
    for (size_t k = 0; k < ah_trajectory_rows(t); k++) {
        for (size_t i = 0; i < columns; i++) {
            put_text(&f, i ? "," : "");
            put_number(&f, ah_trajectory_column(t, i)[k]);
        }
        put_text(&f, "\n");
    }
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* One cell of CSV, in place: without its quotes and the blanks around it; *s is behind it. *last: the
 * line ends there. */
static char *take_cell(char **s, bool *last)
{
    char *from = *s;
    while (*from == ' ' || *from == '\t') from++;
    char *end = from, *to;
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

static const char no_memory[] = "out of memory";

static bool grow(void **at, size_t element, size_t need, size_t *room)
{
    if (need <= *room) return true;
    const size_t more = 2 * need + 16;
    void *bigger = realloc(*at, more * element);
    if (!bigger) return false;
    *at = bigger;
    *room = more;
    return true;
}

/* Cells of the first line, whose number is *count. */
static bool read_names(char **s, const char ***names, size_t *count)
{
    size_t room = 0;
    if (!strncmp(*s, "\xEF\xBB\xBF", 3)) *s += 3; /* what spreadsheets put before UTF-8 */
    for (bool last = false; !last;) {
        if (!grow((void **) names, sizeof **names, *count + 1, &room)) return false;
        (*names)[(*count)++] = take_cell(s, &last);
    }
    return true;
}

/* A cell in decimals: strtod reads 0x10, too. */
static bool is_number(const char *cell, double *out)
{
    char *end;
    *out = strtod(cell, &end);
    return end != cell && !*end && !strpbrk(cell, "xX");
}

static bool read_row(rows_list *l, char **s, size_t *room)
{
    size_t count = 0;
    const size_t need = (size_t) (l->rows + 1) * l->columns;
    if (!grow((void **) &l->values, sizeof *l->values, need, room))
        return l->wrong = no_memory, false;
    for (bool last = false; !last; count++) {
        const char *text = take_cell(s, &last);
        if (count == l->columns) return l->wrong = "more cells than names", false;
        if (!is_number(text, &l->values[l->rows * l->columns + count]))
            return l->wrong = "a cell that is no number", false;
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
    if (!read_names(&s, &l->names, &l->columns)) return l->wrong = no_memory, false;
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

/* ---- Line by line ---------------------------------------------------------------------------- */

/* Bytes of a line: a hundred thousand numbers written out. */
enum { LINE_MOST = 1 << 21 };

/* The next line that is not empty, its end within quotes included; NULL: there is none, or it is wrong. */
static char *read_line(rows_reader *r)
{
    size_t used = 0;
    bool quoted = false;
    int c = 0;
    r->number++;
    while (c != EOF && (c = getc_unlocked(r->file)) != EOF) {
        if (c == '\n' && !quoted && used) break;
        if (c == '\n') r->number++;
        if ((c == '\n' || c == '\r') && !quoted) continue;
        if (c == '"') quoted = !quoted;
        if (!c || used == LINE_MOST) {
            r->wrong = c ? "longer than 2 MiB" : "not a text";
            return NULL;
        }
        if (!grow((void **) &r->line, 1, used + 2, &r->room)) return r->wrong = no_memory, NULL;
        r->line[used++] = (char) c;
    }
    if (ferror(r->file)) r->wrong = strerror(errno), r->number = 0;
    if (r->wrong || !used) return NULL;
    r->line[used] = '\0';
    return r->line;
}

bool rows_open(rows_reader *r, const char *path)
{
    *r = (rows_reader){.file = fopen(path, "rb")};
    if (!r->file) return r->wrong = strerror(errno), false;
    char *s = read_line(r);
    if (!s) return false;
    r->head = s;
    r->line = NULL;
    r->room = 0;
    if (read_names(&s, &r->names, &r->columns)) r->cells = malloc(r->columns * sizeof *r->cells);
    if (!r->cells) r->wrong = no_memory;
    return !r->wrong;
}

bool rows_next(rows_reader *r)
{
    char *s = read_line(r);
    if (!s) return false;
    bool last = false;
    for (size_t i = 0; i < r->columns; i++) {
        const char *cell = last ? "" : take_cell(&s, &last);
        if (!is_number(cell, &r->cells[i])) r->cells[i] = NAN;
    }
    return true;
}

void rows_close(rows_reader *r)
{
    if (r->file) fclose(r->file);
    free(r->head);
    free(r->line);
    free(r->names);
    free(r->cells);
}
