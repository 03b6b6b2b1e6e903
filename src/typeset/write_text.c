/* typeset/write_text.c - worksheets in Unicode text, at most TEXT_WIDTH columns wide. */
#include "tex.h"
#include "writers.h"

#include <string.h>

#define TEXT_WIDTH  100
#define TEXT_INDENT 2

typedef struct writer {
    const worksheet *w;
    text out;
    size_t column; /* where the line being written has got to */
} writer;

/* ---- Lines ----------------------------------------------------------------------------------- */

static void put(writer *o, const char *s)
{
    text_add(&o->out, s);
    const char *line = strrchr(s, '\n');
    o->column = line ? tex_columns(line + 1) : o->column + tex_columns(s);
}

static void put_spaces(writer *o, size_t count)
{
    for (size_t i = 0; i < count; i++) text_char(&o->out, ' ');
    o->column += count;
}

static void new_line(writer *o, size_t indent)
{
    put(o, "\n");
    put_spaces(o, indent);
}

/* The columns of the character at s, and its bytes. */
static size_t columns_of_one(const char *s, size_t *length)
{
    char one[5] = {0};
    uint32_t code;
    *length = utf8_decode(s, strnlen(s, 4), &code);
    if (!*length) *length = 1;
    memcpy(one, s, *length);
    return tex_columns(one);
}

/* Looks no further than it must: a formula may have a million characters, and a line of it is asked for at a time. */
static bool is_wider(const char *s, size_t room)
{
    size_t length;
    for (size_t column = 0; *s; s += length)
        if ((column += columns_of_one(s, &length)) > room) return true;
    return false;
}

/* Where a line of `room` columns may end in s: at a sign, outside of brackets rather than inside, as far to the right as that
 * allows; between factors where there is no sign. Not between bars, which look the same at both ends. 0: nowhere. */
static size_t best_break(const char *s, size_t room)
{
    size_t best = 0, column = 0, length;
    long least = 0;
    int depth = 0;
    bool bars = false;
    for (size_t i = 0; s[i]; i += length) {
        const bool sign = s[i] == ' ' && (s[i + 1] == '+' || s[i + 1] == '-' || s[i + 1] == '=') &&
                          s[i + 2] == ' ';
        if (s[i] == ' ' && column && !bars) {
            const long score = (long) room - (long) column + 14 * depth + (sign ? 0 : 70);
            if (column > room && best) return best;
            if (!best || score < least) best = i, least = score;
        }
        depth += (s[i] == '(') - (s[i] == ')');
        bars ^= s[i] == '|';
        column += columns_of_one(s + i, &length);
    }
    return best;
}

/* s from where the line stands, broken where it is too long; the next lines begin at `hang`. */
static void put_broken(writer *o, const char *s, size_t hang)
{
    for (;;) {
        const size_t room = o->column < TEXT_WIDTH ? TEXT_WIDTH - o->column : 1;
        const size_t cut = is_wider(s, room) ? best_break(s, room) : 0;
        if (!cut) break;
        put(o, arena_strndup(o->w->arena, s, cut));
        new_line(o, hang);
        s += cut + 1;
    }
    put(o, s);
}

static const char *formula_text(const writer *o, const char *tex)
{
    text t = text_begin(o->w->arena);
    tex_formula(&t, tex, AH_TEXT);
    return text_end(&t);
}

static const char *prose_text(const writer *o, const char *prose)
{
    text t = text_begin(o->w->arena);
    tex_prose(&t, prose, AH_TEXT);
    return text_end(&t);
}

static void put_prose(writer *o, const char *prose, size_t indent)
{
    const char *s = prose_text(o, prose);
    put_spaces(o, indent);
    while (*s) {
        size_t n = strcspn(s, " ");
        const char *word = arena_strndup(o->w->arena, s, n);
        if (o->column > indent && o->column + 1 + tex_columns(word) > TEXT_WIDTH)
            new_line(o, indent);
        else if (o->column > indent)
            put(o, " ");
        put(o, word);
        s += n;
        s += strspn(s, " ");
    }
    put(o, "\n");
}

/* The source, at the right margin where there is room. */
static void put_paper(writer *o, const char *paper)
{
    if (!paper || !*paper) return;
    const size_t width = tex_columns(paper);
    if (o->column + 2 + width > TEXT_WIDTH) new_line(o, 0);
    put_spaces(o, TEXT_WIDTH - width - o->column);
    put(o, paper);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* Cells printed, with the width of each column. */
typedef struct table {
    uint32_t rows, cols;
    const char **cell;
    size_t *width, whole;
} table;

static table make_table(const worksheet *w, mat m)
{
    table t = {.rows = m.rows, .cols = m.cols, .whole = 2 + 2 * m.cols};
    t.cell = NEW_ARRAY(w->arena, const char *, (size_t) m.rows *m.cols);
    t.width = NEW_ARRAY(w->arena, size_t, m.cols);
    for (uint32_t j = 0; j < m.cols; j++) {
        for (uint32_t i = 0; i < m.rows; i++) {
            const char *s = worksheet_print(w, mat_get(w->ctx, m, i, j), AH_TEXT);
            const size_t width = tex_columns(s);
            t.cell[(size_t) i * m.cols + j] = s;
            if (width > t.width[j]) t.width[j] = width;
        }
        t.whole += t.width[j];
    }
    return t;
}

/* One row between its brackets; matrices are centred, columns stand to the left. */
static void put_row(writer *o, const table *t, uint32_t i)
{
    static const char *const left[] = {"[", "⎡", "⎢", "⎣"}, *const right[] = {"]", "⎤", "⎥", "⎦"};
    const int which = t->rows == 1 ? 0 : i == 0 ? 1 : i == t->rows - 1 ? 3 : 2;
    put(o, left[which]);
    for (uint32_t j = 0; j < t->cols; j++) {
        const char *s = t->cell[(size_t) i * t->cols + j];
        const size_t space = t->width[j] - tex_columns(s), before = t->cols > 1 ? space / 2 : 0;
        put_spaces(o, (j ? 2 : 1) + before);
        put(o, s);
        put_spaces(o, space - before);
    }
    put(o, " ");
    put(o, right[which]);
}

/* lhs before the middle row, the source behind it or below. */
static void put_matrix(writer *o, const char *lhs, const table *t, const char *paper)
{
    if (!paper) paper = "";
    const size_t indent = TEXT_INDENT + tex_columns(lhs);
    const uint32_t middle = (t->rows - 1) / 2;
    for (uint32_t i = 0; i < t->rows; i++) {
        put_spaces(o, i == middle ? TEXT_INDENT : indent);
        if (i == middle) put(o, lhs);
        put_row(o, t, i);
        if (i == middle && indent + t->whole + 2 + tex_columns(paper) <= TEXT_WIDTH) {
            put_paper(o, paper);
            paper = "";
        }
        put(o, "\n");
    }
    if (*paper) put_paper(o, paper), put(o, "\n");
}

/* Too wide for a table: one entry a line, zeros left out. */
static void put_entries(writer *o, const ws_value *v)
{
    const worksheet *w = o->w;
    const mat m = v->shown;
    bool zeros = false;
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t j = v->symmetric ? i : 0; j < m.cols; j++) {
            const ah_expr e = worksheet_entry(w, v, i, j);
            if (expr_is_zero(w->ctx, e)) {
                zeros = true;
                continue;
            }
            const char *label = formula_text(o, worksheet_row_label(w, v, i));
            if (m.cols > 1) label = arena_printf(w->arena, "%u,%u", i + 1, j + 1);
            put_spaces(o, 2 * TEXT_INDENT);
            put(o, arena_printf(w->arena, "%s:  ", label));
            put_broken(o, worksheet_print(w, e, AH_TEXT), 4 * TEXT_INDENT);
            put(o, "\n");
        }
    if (!v->symmetric && !zeros) return;
    put_spaces(o, 2 * TEXT_INDENT);
    if (v->symmetric) put(o, zeros ? "symmetric, " : "symmetric");
    if (zeros) put(o, "the others are zero");
    put(o, "\n");
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* "name = formula", either alone, or nothing. */
static const char *left_side(const writer *o, const ws_quantity *q)
{
    if (!q->name) return q->formula ? formula_text(o, q->formula) : "";
    if (!q->formula) return formula_text(o, q->name);
    return arena_printf(o->w->arena, "%s = %s", formula_text(o, q->name),
                        formula_text(o, q->formula));
}

static const char *diagonal_text(const worksheet *w, const ws_value *v)
{
    text t = text_begin(w->arena);
    text_add(&t, "diag(");
    for (uint32_t i = 0; i < v->shown.rows; i++)
        text_printf(&t, "%s%s", i ? ", " : "",
                    worksheet_print(w, mat_get(w->ctx, v->shown, i, i), AH_TEXT));
    text_add(&t, ")");
    return text_end(&t);
}

static const char *factor_text(const worksheet *w, const ws_value *v)
{
    if (v->factor == AH_NONE) return "";
    const char *s = worksheet_print(w, v->factor, AH_TEXT);
    if (!strcmp(s, "-1")) return "- ";
    const bool sum = expr_get_op(w->ctx, v->factor) == EXPR_SUM;
    return arena_printf(w->arena, sum || strpbrk(s, "+/") ? "(%s) " : "%s ", s);
}

/* What fits on one line, or is broken as one: scalars, zeros, diagonal matrices. */
static const char *inline_text(const worksheet *w, const ws_value *v)
{
    if (!mat_entries(v->shown)) return "0";
    if (v->diagonal) return arena_printf(w->arena, "%s%s", factor_text(w, v), diagonal_text(w, v));
    if (v->shown.rows * v->shown.cols == 1)
        return worksheet_print(w, worksheet_entry(w, v, 0, 0), AH_TEXT);
    return NULL;
}

static void put_inline(writer *o, const char *lhs, const char *value, const char *paper)
{
    put_spaces(o, TEXT_INDENT);
    const char *sign = strstr(lhs, " = ");
    const size_t hang =
        TEXT_INDENT + (sign ? tex_columns(lhs) - tex_columns(sign) : tex_columns(lhs));
    const char *joined = *lhs ? arena_printf(o->w->arena, "%s = %s", lhs, value) : value;
    if (sign && tex_columns(joined) > TEXT_WIDTH - TEXT_INDENT) { /* the value on its own line */
        put_broken(o, lhs, hang + 3);
        new_line(o, hang);
        put_broken(o, arena_printf(o->w->arena, " = %s", value), hang + 3);
    } else {
        put_broken(o, joined, hang + 3);
    }
    put_paper(o, paper);
    put(o, "\n");
}

static void put_quantity(writer *o, const ws_quantity *q, const char *paper)
{
    const worksheet *w = o->w;
    const ws_value *v = &q->value;
    const char *lhs = left_side(o, q);
    if (!v->known) {
        put_spaces(o, TEXT_INDENT);
        put_broken(o, lhs, 2 * TEXT_INDENT);
        put_paper(o, paper);
        put(o, "\n");
        return;
    }
    if (inline_text(w, v)) {
        put_inline(o, lhs, inline_text(w, v), paper);
        return;
    }
    const table t = make_table(w, v->shown);
    const char *before = arena_printf(w->arena, "%s = %s", lhs, factor_text(w, v));
    if (TEXT_INDENT + tex_columns(before) + t.whole <= TEXT_WIDTH) {
        put_matrix(o, before, &t, paper);
        return;
    }
    put_spaces(o, TEXT_INDENT);
    put_broken(o, lhs, 2 * TEXT_INDENT);
    put_paper(o, paper);
    put(o, "\n");
    const char *factor = arena_printf(w->arena, "  = %s", factor_text(w, v));
    if (TEXT_INDENT + tex_columns(factor) + t.whole <= TEXT_WIDTH)
        put_matrix(o, factor, &t, NULL);
    else
        put_entries(o, v);
}

/* Left sides longer than this do not push the others to the right. */
#define TEXT_LEFT 24

static void put_equations(writer *o, const ws_step *step)
{
    const worksheet *w = o->w;
    size_t widest = 0;
    for (uint32_t i = 0; i < worksheet_rows(step); i++) {
        const size_t width = tex_columns(worksheet_print(w, worksheet_left(w, step, i), AH_TEXT));
        if (width > widest && width <= TEXT_LEFT) widest = width;
    }
    for (uint32_t i = 0; i < worksheet_rows(step); i++) {
        const char *s = worksheet_print(w, worksheet_left(w, step, i), AH_TEXT);
        const char *right = worksheet_print(w, worksheet_entry(w, &step->q.value, i, 0), AH_TEXT);
        const size_t width = tex_columns(s);
        put_spaces(o, TEXT_INDENT + (width < widest ? widest - width : 0));
        if (width <= TEXT_LEFT) {
            put(o, s);
            put(o, " = ");
            put_broken(o, right, TEXT_INDENT + widest + 3);
        } else {
            put_broken(o, arena_printf(w->arena, "%s = %s", s, right), 2 * TEXT_INDENT);
        }
        if (i == 0) put_paper(o, step->paper);
        put(o, "\n");
    }
}

static void put_names(writer *o, const ws_step *step)
{
    const worksheet *w = o->w;
    for (uint32_t i = 0; i < step->wheres; i++) {
        const ws_name *name = &w->names.at[step->where[i]];
        const char *s = worksheet_print(w, name->stands, AH_TEXT);
        put(o, i ? "          " : "    where ");
        put(o, arena_printf(w->arena, "%s = ", s));
        put_broken(o, worksheet_print(w, name->meaning, AH_TEXT), 10 + tex_columns(s) + 3);
        put(o, "\n");
    }
}

/* Intermediate quantities, before what is made of them. */
static void put_given(writer *o, const ws_step *step)
{
    const worksheet *w = o->w;
    for (uint32_t i = 0; i < step->givens; i++) {
        const ws_name *name = &w->names.at[step->given[i]];
        const char *s = worksheet_print(w, name->stands, AH_TEXT);
        put_spaces(o, 2 * TEXT_INDENT);
        put(o, arena_printf(w->arena, "%s = ", s));
        put_broken(o, worksheet_print(w, name->meaning, AH_TEXT),
                   2 * TEXT_INDENT + tex_columns(s) + 3);
        put(o, "\n");
    }
}

static void put_section(writer *o, const ws_step *step)
{
    const char *s = prose_text(o, step->text);
    put(o, "\n");
    put(o, s);
    put_paper(o, step->paper);
    put(o, "\n");
    for (size_t i = 0; i < tex_columns(s); i++) put(o, "─");
    put(o, "\n");
}

static void put_formulas(writer *o, const ws_step *step)
{
    put_given(o, step);
    if (step->kind == STEP_QUANTITY)
        put_quantity(o, &step->q, step->paper);
    else
        put_equations(o, step);
}

const char *worksheet_step_text(const worksheet *w, const ws_step *step)
{
    writer o = {.w = w, .out = text_begin(w->arena)};
    put_formulas(&o, step);
    put_names(&o, step);
    return text_end(&o.out);
}

static void put_step(writer *o, const ws_step *step)
{
    if (step->kind == STEP_SECTION) {
        put_section(o, step);
        return;
    }
    if (step->kind == STEP_TEXT) {
        put_prose(o, step->text, TEXT_INDENT);
        return;
    }
    put_formulas(o, step);
    if (step->text) put_prose(o, arena_printf(o->w->arena, "(%s)", step->text), 2 * TEXT_INDENT);
    put_names(o, step);
}

const char *worksheet_text(const worksheet *w)
{
    writer o = {.w = w, .out = text_begin(w->arena)};
    if (*w->model->title) {
        tex_plain(&o.out, w->model->title, AH_TEXT);
        put(&o, "\n");
    }
    text_printf(&o.out, "%s (%s)\n", w->eq->formalism->title, w->eq->formalism->name);
    if (!w->steps) put(&o, "\n");
    for (size_t i = 0; i < w->step.count; i++) put_step(&o, &w->step.at[i]);
    return text_end(&o.out);
}
