/* report/write_mathml.c - worksheets as a part of an XHTML page, formulas in MathML.
 *
 * Browsers do not break formulas: each stands in a box of the class "equation", which the page may
 * let scroll. */
#include "tex.h"
#include "worksheet.h"

#include <string.h>

typedef struct writer {
    const worksheet *w;
    text out;
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
    if (sum) put(o, "<mo>(</mo>");
    put_expression(o, v->factor);
    if (sum) put(o, "<mo>)</mo>");
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

/* ---- Steps ----------------------------------------------------------------------------------- */

static void begin_equation(writer *o)
{
    put(o, "<div class=\"equation\">" TEX_MATH " display=\"block\">");
}

static void end_equation(writer *o, const char *paper)
{
    put(o, "</math>");
    if (paper) {
        put(o, "<cite>");
        tex_plain(&o->out, paper, AH_MATHML);
        put(o, "</cite>");
    }
    put(o, "</div>\n");
}

static void put_quantity(writer *o, const ws_quantity *q, const char *paper)
{
    begin_equation(o);
    put(o, "<mrow>");
    if (q->name) put_formula(o, q->name);
    if (q->name && (q->formula || q->value.known)) put(o, "<mo>=</mo>");
    if (q->formula) put_formula(o, q->formula);
    if (q->formula && q->value.known) put(o, "<mo>=</mo>");
    if (q->value.known) put_value(o, &q->value);
    if (!q->formula && !q->value.known) put(o, "<mo>:</mo><mtext>too long to be printed</mtext>");
    put(o, "</mrow>");
    end_equation(o, paper);
}

/* One row of a table of equations, aligned at the sign. */
static void put_row(writer *o, ah_expr left, ah_expr right)
{
    put(o, "<mtr><mtd style=\"text-align:right\">");
    put_expression(o, left);
    put(o, "</mtd><mtd><mo>=</mo></mtd><mtd style=\"text-align:left\">");
    put_expression(o, right);
    put(o, "</mtd></mtr>");
}

static void put_equations(writer *o, const ws_step *step)
{
    ah_ctx *ctx = o->w->ctx;
    begin_equation(o);
    put(o, "<mtable>");
    for (uint32_t i = 0; i < step->unknowns.rows; i++)
        put_row(o, mat_get(ctx, step->unknowns, i, 0), mat_get(ctx, step->q.value.shown, i, 0));
    put(o, "</mtable>");
    end_equation(o, step->paper);
}

/* Not solved: the linear system, or at least the formula. */
static void put_unsolved(writer *o, const ws_step *step)
{
    const char *right = step->A.name      ? step->b.name
                        : step->q.formula ? step->q.formula
                                          : step->q.name;
    begin_equation(o);
    put(o, "<mrow>");
    if (step->A.name) put_formula(o, step->A.name);
    put_table(o, step->unknowns);
    if (right) {
        put(o, "<mo>=</mo>");
        put_formula(o, right);
    } else {
        put(o, "<mo>:</mo><mtext>too long to be printed</mtext>");
    }
    put(o, "</mrow>");
    end_equation(o, step->paper);
    if (step->A.value.known || step->A.formula) put_quantity(o, &step->A, NULL);
    if (step->b.value.known || step->b.formula) put_quantity(o, &step->b, NULL);
}

static void put_names(writer *o, const ws_step *step)
{
    if (!step->wheres) return;
    put(o, "<p>where</p>\n");
    begin_equation(o);
    put(o, "<mtable>");
    for (uint32_t i = 0; i < step->wheres; i++) {
        const ws_name *name = &o->w->names.at[step->where[i]];
        put_row(o, name->stands, name->meaning);
    }
    put(o, "</mtable>");
    end_equation(o, NULL);
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
    switch (step->kind) {
    case STEP_SECTION: put_element(o, "h3", step->text, step->paper); return;
    case STEP_TEXT: put_element(o, "p", step->text, NULL); return;
    case STEP_QUANTITY: put_quantity(o, &step->q, step->paper); break;
    case STEP_EQUATIONS:
        if (step->solved)
            put_equations(o, step);
        else
            put_unsolved(o, step);
        break;
    }
    if (step->text) put_element(o, "p", step->text, NULL);
    put_names(o, step);
}

const char *worksheet_mathml(const worksheet *w)
{
    writer o = {.w = w, .out = text_begin(w->arena)};
    put(&o, "<section class=\"derivation\">\n<h2>");
    tex_plain(&o.out, w->model->title ? w->model->title : "", AH_MATHML);
    put(&o, "</h2>\n<p>");
    tex_plain(&o.out, w->eq->formalism->title, AH_MATHML);
    put(&o, "</p>\n");
    for (size_t i = 0; i < w->step.count; i++) put_step(&o, &w->step.at[i]);
    put(&o, "</section>\n");
    return text_end(&o.out);
}
