/* typeset/write_latex.c - worksheets as a LaTeX document that compiles as it stands (amsmath). */
#include "lines.h"
#include "tex.h"
#include "writers.h"

#include <math.h>
#include <string.h>

typedef struct writer {
    const worksheet *w;
    text out;
} writer;

static void put(writer *o, const char *s)
{
    text_add(&o->out, s);
}

/* A formula in lines of an align. */
static void put_broken(writer *o, const char *s, double before)
{
    const line_list lines = lines_break(o->w->arena, s, LINES_WIDTH - before);
    for (size_t i = 0; i < lines.count; i++)
        text_printf(&o->out, "%s%s", i ? " \\\\\n  &\\quad " : "", lines.at[i]);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static const char *formula(const worksheet *w, const char *tex)
{
    text t = text_begin(w->arena);
    tex_formula(&t, tex, AH_LATEX);
    return text_end(&t);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void put_tag(writer *o, const char *paper)
{
    if (!paper) return;
    put(o, " \\tag*{");
    tex_plain(&o->out, paper, AH_LATEX);
    put(o, "}");
}

/* Columns of a label of an entry, at least. */
#define LATEX_LABEL 10.0

/* Too wide for a matrix: one entry a line, zeros left out. The name stands in the column of the labels, `before` wide. */
static void put_entries(writer *o, const ws_value *v, double before)
{
    const worksheet *w = o->w;
    const mat m = v->shown;
    const double label = fmax(LATEX_LABEL, before + 2);
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t j = v->symmetric ? i : 0; j < m.cols; j++) {
            const ah_expr e = worksheet_entry(w, v, i, j);
            if (expr_is_zero(w->ctx, e)) continue;
            put(o, " \\\\\n  ");
            if (m.cols > 1)
                text_printf(&o->out, "(%u,%u)", i + 1, j + 1);
            else
                put(o, formula(w, worksheet_row_label(w, v, i)));
            put(o, " &:\\quad ");
            put_broken(o, lines_print(w, e, LINES_WIDTH - label), label);
        }
    if (v->symmetric) put(o, " \\\\\n  &\\text{symmetric, the others zero}");
}

/* The value after "name =", on the same line where there is room. */
static void put_value(writer *o, const ws_value *v, double before)
{
    const worksheet *w = o->w;
    const mat m = v->shown;
    const bool scalar = m.rows * m.cols == 1;
    if (!mat_entries(m))
        put(o, "0");
    else if (scalar)
        put_broken(o, lines_print(w, worksheet_entry(w, v, 0, 0), LINES_WIDTH - before), before);
    else
        put(o, v->diagonal ? lines_diagonal(w, v) : lines_matrix(w, v));
}

/* name = formula = value as rows of an align. */
static void put_rows(writer *o, const ws_quantity *q)
{
    const worksheet *w = o->w;
    const ws_value *v = &q->value;
    const char *name = q->name ? formula(w, q->name) : "";
    const char *right = q->formula ? formula(w, q->formula) : "";
    const double before = lines_width(name) + 2, taken = lines_width(right) + 2;
    text_printf(&o->out, "  %s &", name);
    if (q->formula) text_printf(&o->out, "= %s", right);
    if (!v->known) return;
    const double wide = lines_value_width(w, v);
    const bool scalar = v->shown.rows * v->shown.cols == 1;
    if (!scalar && before + wide > LINES_WIDTH) {
        put_entries(o, v, before);
        return;
    }
    const bool joined = q->formula && before + taken + wide <= LINES_WIDTH;
    if (q->formula && !joined) put(o, " \\\\\n  &");
    put(o, joined ? " = " : "= ");
    put_value(o, v, before);
}

static void put_quantity(writer *o, const ws_quantity *q, const char *paper)
{
    put(o, "\\begin{align*}\n");
    put_rows(o, q);
    put_tag(o, paper);
    put(o, "\n\\end{align*}\n");
}

/* left = right, one row of an align whose left sides take `column`; a long left side on a line of its own. No column: all rows begin at
 * the margin. */
static void put_row(writer *o, ah_expr left, ah_expr right, double column)
{
    const worksheet *w = o->w;
    const char *s = worksheet_print(w, left, AH_LATEX);
    const double width = lines_width(s), room = LINES_WIDTH - column;
    if (width <= LINES_LEFT) {
        const double taken = (column > 0 ? column : width) + 3;
        text_printf(&o->out, column > 0 ? "  %s &= " : "  &%s = ", s);
        put_broken(o, lines_print(w, right, LINES_WIDTH - taken), taken);
        return;
    }
    const char *value = lines_print(w, right, room - 4);
    put(o, "  &");
    put_broken(o, lines_print(w, left, room), column);
    put(o, width + lines_width(value) + 3 > room ? " \\\\\n  &\\quad = " : " = ");
    put_broken(o, value, column + 4);
}

/* The widest left side; 0: one of them is too long to stand before the sign, and then none does. */
static double widest(const worksheet *w, const ah_expr *left, uint32_t rows)
{
    double column = 0;
    for (uint32_t i = 0; i < rows; i++) {
        const double width = lines_width(worksheet_print(w, left[i], AH_LATEX));
        if (width > LINES_LEFT) return 0;
        if (width > column) column = width;
    }
    return column;
}

static void put_equations(writer *o, const ws_step *step)
{
    const worksheet *w = o->w;
    const uint32_t rows = worksheet_rows(step);
    ah_expr *left = NEW_ARRAY(w->arena, ah_expr, rows + 1);
    if (!rows) return;
    for (uint32_t i = 0; i < rows; i++) left[i] = worksheet_left(w, step, i);
    const double column = widest(w, left, rows);
    put(o, "\\begin{align*}\n");
    for (uint32_t i = 0; i < rows; i++) {
        if (i) put(o, " \\\\\n");
        put_row(o, left[i], worksheet_entry(w, &step->q.value, i, 0), column);
        if (i == 0) put_tag(o, step->paper);
    }
    put(o, "\n\\end{align*}\n");
}

/* More names than these are set as a paragraph, in smaller letters: an align of hundreds fills too many pages. */
#define LATEX_FEW_NAMES  12
#define LATEX_SMALL_LINE (LINES_WIDTH * 11 / 9)

/* name = meaning in the line; TeX breaks between them, and where one is longer than a line we do. */
static void put_inline(writer *o, const uint32_t *which, uint32_t count)
{
    const worksheet *w = o->w;
    put(o, "\\begingroup\\footnotesize\\raggedright\\lineskiplimit=2pt\\lineskip=3pt\n");
    for (uint32_t i = 0; i < count; i++) {
        const ws_name *name = &w->names.at[which[i]];
        const char *left = worksheet_print(w, name->stands, AH_LATEX);
        const double room = LATEX_SMALL_LINE - lines_width(left) - 4;
        const line_list lines = lines_break(w->arena, lines_print(w, name->meaning, room), room);
        text_printf(&o->out, "\\mbox{$%s = ", left);
        for (size_t k = 0; k < lines.count; k++)
            text_printf(&o->out, "%s%s", k ? "$}\\newline\\mbox{\\qquad$" : "", lines.at[k]);
        put(o, i + 1 < count ? "$,}\\quad\n" : "$}\\par\n");
    }
    put(o, "\\endgroup\n");
}

/* Names with what they stand for, as one align. */
static void put_aligned(writer *o, const uint32_t *which, uint32_t count)
{
    const worksheet *w = o->w;
    ah_expr *left = NEW_ARRAY(w->arena, ah_expr, count + 1);
    for (uint32_t i = 0; i < count; i++) left[i] = w->names.at[which[i]].stands;
    const double column = widest(w, left, count);
    put(o, "\\begin{align*}\n");
    for (uint32_t i = 0; i < count; i++) {
        const ws_name *name = &w->names.at[which[i]];
        if (i) put(o, " \\\\\n");
        put_row(o, name->stands, name->meaning, column);
    }
    put(o, "\n\\end{align*}\n");
}

static void put_definitions(writer *o, const uint32_t *which, uint32_t count)
{
    (count > LATEX_FEW_NAMES ? put_inline : put_aligned)(o, which, count);
}

/* Intermediate quantities, before what is made of them. */
static void put_given(writer *o, const ws_step *step)
{
    if (step->givens) put_definitions(o, step->given, step->givens);
}

static void put_names(writer *o, const ws_step *step)
{
    if (!step->wheres) return;
    put(o, "where\n");
    put_definitions(o, step->where, step->wheres);
}

/* A quantity that stands on one line, with the widths of both sides. */
static bool is_line(const worksheet *w, const ws_step *step, double *left, double *right)
{
    const ws_quantity *q = &step->q;
    if (step->kind != STEP_QUANTITY || step->text || step->givens || !q->name) return false;
    if (!q->value.known || q->value.shown.rows * q->value.shown.cols != 1) return false;
    *left = lines_width(formula(w, q->name)) + 2;
    *right = lines_value_width(w, &q->value);
    if (q->formula) *right += lines_width(formula(w, q->formula)) + 2;
    return true;
}

/* How many steps from here on stand in one align: lines that fit below each other, up to one that explains names. */
static size_t lines_together(const worksheet *w, size_t first)
{
    double name = 0, value = 0;
    size_t i = first;
    while (i < w->step.count) {
        double left, right;
        if (!is_line(w, &w->step.at[i], &left, &right)) break;
        name = fmax(name, left);
        value = fmax(value, right);
        if (name + value > LINES_WIDTH) break;
        if (w->step.at[i++].wheres) break;
    }
    return i - first;
}

static void put_lines(writer *o, const ws_step *step, size_t count)
{
    put(o, "\\begin{align*}\n");
    for (size_t i = 0; i < count; i++) {
        put_rows(o, &step[i].q);
        put_tag(o, step[i].paper);
        if (i + 1 < count) put(o, " \\\\[3pt]\n"); /* fractions need some air */
    }
    put(o, "\n\\end{align*}\n");
    put_names(o, &step[count - 1]);
}

static void put_section(writer *o, const ws_step *step)
{
    put(o, o->w->fragment ? "\n\\subsection*{" : "\n\\section*{");
    tex_prose(&o->out, step->text, AH_LATEX);
    if (step->paper) {
        put(o, " \\hspace*{\\fill}\\mbox{\\normalfont\\small ");
        tex_plain(&o->out, step->paper, AH_LATEX);
        put(o, "}");
    }
    put(o, "}\n");
}

static void put_formulas(writer *o, const ws_step *step)
{
    put_given(o, step);
    if (step->kind == STEP_QUANTITY)
        put_quantity(o, &step->q, step->paper);
    else
        put_equations(o, step);
}

const char *worksheet_step_latex(const worksheet *w, const ws_step *step)
{
    writer o = {.w = w, .out = text_begin(w->arena)};
    put_formulas(&o, step);
    put_names(&o, step);
    return text_end(&o.out);
}

/* Whether the step ends in a remark in brackets: a sentence after it begins anew. */
static bool ends_in_remark(const ws_step *step)
{
    const bool formulas = step->kind != STEP_TEXT && step->kind != STEP_SECTION;
    return formulas && step->text && !step->wheres;
}

static void put_step(writer *o, const ws_step *step)
{
    if (step->kind == STEP_SECTION) {
        put_section(o, step);
        return;
    }
    if (step->kind == STEP_TEXT) {
        if (step > o->w->step.at && ends_in_remark(step - 1)) put(o, "\n\\noindent ");
        tex_prose(&o->out, step->text, AH_LATEX);
        put(o, "\n");
        return;
    }
    put_formulas(o, step);
    if (step->text) {
        put(o, "\\noindent(");
        tex_prose(&o->out, step->text, AH_LATEX);
        put(o, ")\n");
    }
    put_names(o, step);
}

const char *worksheet_latex(const worksheet *w)
{
    writer o = {.w = w, .out = text_begin(w->arena)};
    if (w->fragment) /* in a group, so that nothing of it stays */
        put(&o, "% needs \\usepackage{amsmath}\n\\begingroup\\setcounter{MaxMatrixCols}{24}%\n"
                "\\allowdisplaybreaks\n");
    else
        tex_document(&o.out, w->model->title, w->eq->formalism->title);
    for (size_t i = 0, count; i < w->step.count; i += count) {
        count = lines_together(w, i);
        if (count > 1)
            put_lines(&o, &w->step.at[i], count);
        else
            put_step(&o, &w->step.at[i]), count = 1;
    }
    put(&o, w->fragment ? "\\endgroup\n" : "\\end{document}\n");
    return text_end(&o.out);
}
