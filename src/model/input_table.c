/* model/input_table.c - a column of a table as CSV: a line of names, `t` among them, then rows whose times ascend. */
#include "inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cell without its quotes and the blanks around it. */
typedef struct cell {
    ah_span span;
    bool last; /* of its line */
} cell;

enum { TIME, VALUE, TAKEN };

typedef struct reader {
    ah_ctx *ctx;
    const char *text; /* has a NUL at its end */
    uint32_t file, at;
    const char *name[TAKEN];
    size_t column[TAKEN], columns;
    cell names; /* all of the first line */
} reader;

static cell next_cell(reader *r)
{
    const char *s = r->text;
    uint32_t at = r->at + (uint32_t) strspn(s + r->at, " \t"), from = at, to;
    if (s[at] == '"') {
        for (from = ++at; s[at] && (s[at] != '"' || s[at + 1] == '"'); at++) at += s[at] == '"';
        to = at;
        at += (uint32_t) strcspn(s + at, ",\r\n");
    } else {
        to = at += (uint32_t) strcspn(s + at, ",\r\n");
        while (to > from && (s[to - 1] == ' ' || s[to - 1] == '\t')) to--;
    }
    const bool last = s[at] != ',';
    r->at = at + (last ? (uint32_t) (strncmp(s + at, "\r\n", 2) ? s[at] != 0 : 2) : 1);
    return (cell){{r->file, from, to}, last};
}

/* What it says, doubled quotes as one. */
static const char *words_of(reader *r, cell c)
{
    char *out = arena_strndup(&r->ctx->scratch, r->text + c.span.begin, c.span.end - c.span.begin);
    char *to = out;
    for (const char *s = out; *s; s++) {
        *to++ = *s;
        if (*s == '"' && s[1] == '"') s++;
    }
    *to = '\0';
    return out;
}

static bool find_columns(reader *r)
{
    ah_ctx *ctx = r->ctx;
    LIST(const char *) names = {0};
    size_t found[TAKEN] = {0};
    cell c;
    do {
        c = next_cell(r);
        r->names.span = span_join(r->names.span, c.span);
        const char *name = words_of(r, c);
        for (int i = 0; i < TAKEN; i++) {
            if (strcmp(name, r->name[i])) continue;
            r->column[i] = names.count;
            if (!found[i]++) continue;
            diag(ctx, A0433, c.span, "the table has two columns `%s`", name);
            diag_hint(ctx, "give one of them another name");
            return false;
        }
        LIST_PUSH(&ctx->scratch, &names, name);
    } while (!c.last);
    r->columns = names.count;
    for (int i = 0; i < TAKEN; i++) {
        if (found[i]) continue;
        diag(ctx, A0433, r->names.span, "the table has no column `%s`", r->name[i]);
        const char *near = text_nearest(&ctx->scratch, r->name[i], names.at, names.count);
        if (near && i == VALUE)
            diag_hint(ctx, "did you mean `%s`?", near);
        else
            diag_hint(ctx, "its first line has the names of the columns, `t` among them");
        return false;
    }
    return true;
}

/* In decimals: strtod reads 0x10, too. */
static bool is_number(const reader *r, cell c, double *out)
{
    char *end;
    const char *from = r->text + c.span.begin;
    const size_t length = c.span.end - c.span.begin;
    *out = strtod(from, &end);
    return length > 0 && isfinite(*out) && end == from + length && !memchr(from, 'x', length) &&
           !memchr(from, 'X', length);
}

/* Time and value of the line that begins here. */
static bool read_row(reader *r, double out[TAKEN], ah_span *time)
{
    ah_ctx *ctx = r->ctx;
    size_t k = 0, taken = 0;
    cell c;
    do {
        c = next_cell(r);
        if (k >= r->columns && c.span.begin < c.span.end) {
            diag(ctx, A0433, c.span, "the line has more cells than there are names");
            diag_hint(ctx, "numbers have a point, not a comma: 0.5");
            return false;
        }
        for (int i = 0; i < TAKEN; i++) {
            if (k != r->column[i]) continue;
            if (!is_number(r, c, &out[i])) {
                diag(ctx, A0433, c.span, "there is no number for `%s`", r->name[i]);
                diag_hint(ctx, "every row has a time and a value; leave out rows that have none");
                return false;
            }
            if (i == TIME) *time = c.span;
            taken++;
        }
        k++;
    } while (!c.last);
    if (taken == TAKEN) return true;
    diag(ctx, A0433, c.span, "the line has no number for `%s`",
         r->name[r->column[VALUE] < k ? TIME : VALUE]);
    diag_hint(ctx, "every row has a time and a value; leave out rows that have none");
    return false;
}

bool input_table_read(ah_ctx *ctx, input_table *w)
{
    const char *nul = memchr(w->text, 0, w->length);
    const uint32_t file = source_add(ctx, w->file, w->text, w->length);
    reader r = {ctx, source_get(ctx, file)->text, file, .name = {"t", w->column}};
    if (nul) {
        const uint32_t at = (uint32_t) (nul - w->text);
        diag(ctx, A0433, (ah_span){file, at, at + 1}, "this is not a text");
        diag_hint(ctx, "a table is a text: names, then rows of numbers, separated by commas");
        return false;
    }
    r.at = strncmp(r.text, "\xef\xbb\xbf", 3) ? 0 : 3; /* what spreadsheets put before UTF-8 */
    if (!find_columns(&r)) return false;
    LIST(double) t = {0}, u = {0};
    while (r.text[r.at]) {
        double row[TAKEN];
        ah_span time;
        ctx_tick(ctx);
        if (r.text[r.at] == '\n' || r.text[r.at] == '\r') {
            r.at++;
            continue;
        }
        if (!read_row(&r, row, &time)) return false;
        if (t.count && row[TIME] <= t.at[t.count - 1]) {
            diag(ctx, A0433, time, "the times do not ascend");
            diag_hint(ctx, "sort the rows by t, and leave out those of the same time");
            return false;
        }
        LIST_PUSH(&ctx->scratch, &t, row[TIME]);
        LIST_PUSH(&ctx->scratch, &u, row[VALUE]);
    }
    w->names = r.names.span;
    w->rows = t.count, w->t = t.at, w->value = u.at;
    return true;
}
