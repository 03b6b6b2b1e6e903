/* typeset/write_mathml.c - worksheets as a part of an XHTML page, formulas in MathML.
 *
 * Browsers do not break formulas: lines end where those of the LaTeX end, and each formula stands
 * in a box of the class "equation", which the page may let scroll. */
#include "lines.h"
#include "tex.h"
#include "writers.h"

#include <string.h>

typedef struct writer {
    const worksheet *w;
    text out;
    int heading; /* level of sections in a page; 0: the worksheet is the page */
} writer;

static void put(writer *o, const char *s)
{
    text_add(&o->out, s);
}

static void put_formula(writer *o, const char *tex)
{
    tex_formula(&o->out, tex, AH_MATHML);
}

/* One expression, as one element. */
static void put_expression(writer *o, ah_expr e)
{
    text_printf(&o->out, "<mrow>%s</mrow>", worksheet_print(o->w, e, AH_MATHML));
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void put_factor(writer *o, const ws_value *v)
{
    const bool sum = v->factor != AH_NONE && expr_get_op(o->w->ctx, v->factor) == EXPR_SUM;
    if (v->factor == AH_NONE) return;
    if (!strcmp(worksheet_print(o->w, v->factor, AH_ASCII), "-1")) {
        put(o, "<mo>&#x2212;</mo>");
        return;
    }
    if (sum) put(o, "<mo stretchy=\"false\">(</mo>");
    put_expression(o, v->factor);
    if (sum) put(o, "<mo stretchy=\"false\">)</mo>");
    put(o, "<mo>&#x2062;</mo>");
}

static void put_diagonal(writer *o, const ws_value *v)
{
    put(o, "<mi>diag</mi><mo>&#x2061;</mo><mrow><mo>(</mo>");
    for (uint32_t i = 0; i < v->shown.rows; i++) {
        if (i) put(o, "<mo>,</mo>");
        put_expression(o, mat_get(o->w->ctx, v->shown, i, i));
    }
    put(o, "<mo>)</mo></mrow>");
}

static void put_table(writer *o, mat m)
{
    put(o, "<mrow><mo>[</mo><mtable>");
    for (uint32_t i = 0; i < m.rows; i++) {
        put(o, "<mtr>");
        for (uint32_t j = 0; j < m.cols; j++) {
            put(o, "<mtd>");
            put_expression(o, mat_get(o->w->ctx, m, i, j));
            put(o, "</mtd>");
        }
        put(o, "</mtr>");
    }
    put(o, "</mtable><mo>]</mo></mrow>");
}

static void put_value(writer *o, const ws_value *v)
{
    if (!mat_entries(v->shown)) {
        put(o, "<mn>0</mn>");
        return;
    }
    put_factor(o, v);
    if (v->diagonal)
        put_diagonal(o, v);
    else if (v->shown.rows * v->shown.cols == 1)
        put_expression(o, mat_get(o->w->ctx, v->shown, 0, 0));
    else
        put_table(o, v->shown);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Cells: the left side, the sign, the right side; columns are aligned at the sign, in a page by its
 * style sheet. */
static void begin_row(writer *o, const char *left, const char *sign)
{
    const char *right = o->heading ? "" : " style=\"text-align:right\"";
    text_printf(&o->out, "<mtr><mtd%s>%s</mtd><mtd>%s</mtd>", right, left,
                *sign ? arena_printf(o->w->arena, "<mo>%s</mo>", sign) : "");
    put(o, o->heading ? "<mtd>" : "<mtd style=\"text-align:left\">");
}

static void end_row(writer *o)
{
    put(o, "</mtd></mtr>");
}

static const char *in_mathml(const writer *o, const char *tex)
{
    text t = text_begin(o->w->arena);
    tex_formula(&t, tex, AH_MATHML);
    return text_end(&t);
}

/* left = right; what is too wide for a line is broken as in LaTeX. `before` is the left's width. */
static void put_row(writer *o, const char *left, const char *sign, double before, ah_expr right)
{
    const double room = LINES_WIDTH - before - 2;
    begin_row(o, left, sign);
    if (lines_width(worksheet_print(o->w, right, AH_LATEX)) <= room) {
        put_expression(o, right);
        end_row(o);
        return;
    }
    const line_list lines = lines_break(o->w->arena, lines_print(o->w, right, room), room);
    for (size_t i = 0; i < lines.count; i++) {
        if (i) {
            begin_row(o, "", "");
            put(o, "<mspace width=\"2em\"/>");
        }
        put_formula(o, lines.at[i]);
        end_row(o);
    }
}

static void begin_equation(writer *o)
{
    put(o, "<div class=\"equation\"><div class=\"scroll\">" TEX_MATH
           " display=\"block\"><mtable displaystyle=\"true\">");
}

static void end_equation(writer *o, const char *paper)
{
    put(o, "</mtable></math></div>");
    if (paper) {
        put(o, "<cite>");
        tex_plain(&o->out, paper, AH_MATHML);
        put(o, "</cite>");
    }
    put(o, "</div>\n");
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Too wide for a matrix: one entry a line, zeros left out. */
static void put_entries(writer *o, const ws_value *v)
{
    const worksheet *w = o->w;
    const mat m = v->shown;
    bool zeros = false;
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t j = v->symmetric ? i : 0; j < m.cols; j++) {
            const ah_expr e = worksheet_entry(w, v, i, j);
            const char *label = m.cols > 1 ? arena_printf(w->arena, "(%u,%u)", i + 1, j + 1)
                                           : worksheet_row_label(w, v, i);
            zeros = zeros || expr_is_zero(w->ctx, e);
            if (!expr_is_zero(w->ctx, e))
                put_row(o, in_mathml(o, label), ":", lines_width(label), e);
        }
    if (!v->symmetric && !zeros) return;
    begin_row(o, "", "");
    text_printf(&o->out, "<mtext>%s%s</mtext>", v->symmetric ? "symmetric" : "",
                !zeros         ? ""
                : v->symmetric ? ", the others are zero"
                               : "the others are zero");
    end_row(o);
}

/* name = formula = value: on one line, or the value on its own. */
static void put_known(writer *o, const char *name, const char *formula, const ws_value *v)
{
    const worksheet *w = o->w;
    const bool scalar = v->shown.rows * v->shown.cols == 1;
    const double before = lines_width(name) + 2, wide = lines_value_width(w, v);
    const bool joined = formula && before + lines_width(formula) + 2 + wide <= LINES_WIDTH;
    const char *left = in_mathml(o, name);
    if (formula) {
        begin_row(o, left, "=");
        put_formula(o, formula);
        left = "";
    }
    if (joined) {
        put(o, "<mo>=</mo>");
        put_value(o, v);
    }
    if (formula) end_row(o);
    if (joined) return;
    if (scalar && mat_entries(v->shown)) {
        put_row(o, left, "=", before, worksheet_entry(w, v, 0, 0));
    } else if (!scalar && !v->diagonal && before + wide > LINES_WIDTH) {
        if (!formula) begin_row(o, left, "="), end_row(o);
        put_entries(o, v);
    } else {
        begin_row(o, left, "=");
        put_value(o, v);
        end_row(o);
    }
}

static void put_quantity(writer *o, const ws_quantity *q, const char *paper)
{
    const char *name = q->name ? q->name : q->formula ? q->formula : "";
    const char *formula = q->name ? q->formula : NULL;
    begin_equation(o);
    if (q->value.known) {
        put_known(o, name, formula, &q->value);
    } else {
        begin_row(o, in_mathml(o, name), formula ? "=" : "");
        if (formula) put_formula(o, formula);
        end_row(o);
    }
    end_equation(o, paper);
}

static void put_equal(writer *o, ah_expr left, ah_expr right)
{
    const char *s =
        arena_printf(o->w->arena, "<mrow>%s</mrow>", worksheet_print(o->w, left, AH_MATHML));
    put_row(o, s, "=", lines_width(worksheet_print(o->w, left, AH_LATEX)), right);
}

static void put_equations(writer *o, const ws_step *step)
{
    begin_equation(o);
    for (uint32_t i = 0; i < worksheet_rows(step); i++)
        put_equal(o, worksheet_left(o->w, step, i), worksheet_entry(o->w, &step->q.value, i, 0));
    end_equation(o, step->paper);
}

/* Intermediate quantities, before what is made of them. */
static void put_given(writer *o, const ws_step *step)
{
    if (!step->givens) return;
    begin_equation(o);
    for (uint32_t i = 0; i < step->givens; i++) {
        const ws_name *name = &o->w->names.at[step->given[i]];
        put_equal(o, name->stands, name->meaning);
    }
    end_equation(o, NULL);
}

static void put_names(writer *o, const ws_step *step)
{
    if (!step->wheres) return;
    put(o, "<p>where</p>\n");
    begin_equation(o);
    for (uint32_t i = 0; i < step->wheres; i++) {
        const ws_name *name = &o->w->names.at[step->where[i]];
        put_equal(o, name->stands, name->meaning);
    }
    end_equation(o, NULL);
}

/* In a page: what the reader copies, unless it would be pages long. */
static void begin_formulas(writer *o, const ws_step *step)
{
    enum { LONGEST = 50000 };
    if (!o->heading) return;
    const char *latex = worksheet_step_latex(o->w, step);
    put(o, "<div class=\"formula\"");
    if (strlen(latex) <= LONGEST) {
        put(o, " data-latex=\"");
        tex_plain(&o->out, latex, AH_MATHML);
        put(o, "\" data-text=\"");
        tex_plain(&o->out, worksheet_step_text(o->w, step), AH_MATHML);
        put(o, "\"");
    }
    put(o, ">\n");
}

static void put_element(writer *o, const char *tag, const char *prose, const char *paper)
{
    text_printf(&o->out, "<%s>", tag);
    tex_prose(&o->out, prose, AH_MATHML);
    if (paper) {
        put(o, " <cite>");
        tex_plain(&o->out, paper, AH_MATHML);
        put(o, "</cite>");
    }
    text_printf(&o->out, "</%s>\n", tag);
}

static void put_step(writer *o, const ws_step *step)
{
    if (step->kind == STEP_SECTION) {
        put_element(o, arena_printf(o->w->arena, "h%d", o->heading ? o->heading : 3), step->text,
                    step->paper);
        return;
    }
    if (step->kind == STEP_TEXT) {
        put_element(o, "p", step->text, NULL);
        return;
    }
    if (step->kind != STEP_QUANTITY && !worksheet_rows(step)) return; /* all are cyclic, say */
    begin_formulas(o, step);
    put_given(o, step);
    if (step->kind == STEP_QUANTITY)
        put_quantity(o, &step->q, step->paper);
    else
        put_equations(o, step);
    if (step->text) put_element(o, "p", step->text, NULL);
    put_names(o, step);
    if (o->heading) put(o, "</div>\n");
}

const char *worksheet_mathml(const worksheet *w)
{
    writer o = {.w = w, .out = text_begin(w->arena)};
    put(&o, "<section class=\"derivation\">\n<h2>");
    tex_plain(&o.out, w->model->title, AH_MATHML);
    put(&o, "</h2>\n<p>");
    tex_plain(&o.out, w->eq->formalism->title, AH_MATHML);
    put(&o, "</p>\n");
    for (size_t i = 0; i < w->step.count; i++) put_step(&o, &w->step.at[i]);
    put(&o, "</section>\n");
    return text_end(&o.out);
}

const char *worksheet_html(const worksheet *w, int heading)
{
    writer o = {.w = w, .out = text_begin(w->arena), .heading = heading};
    for (size_t i = 0; i < w->step.count; i++) put_step(&o, &w->step.at[i]);
    return text_end(&o.out);
}
