/* typeset/write_latex.c - worksheets as a LaTeX document that compiles as it stands (amsmath). */
#include "lines.h"
#include "tex.h"

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

/* Too wide for a matrix: one entry a line, zeros left out. */
static void put_entries(writer *o, const ws_value *v)
{
    const worksheet *w = o->w;
    const mat m = v->shown;
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t j = v->symmetric ? i : 0; j < m.cols; j++) {
            const ah_expr e = worksheet_entry(w, v, i, j);
            if (expr_is_zero(w->ctx, e)) continue;
            put(o, " \\\\\n  ");
            if (m.cols > 1)
                text_printf(&o->out, "(%u,%u)", i + 1, j + 1);
            else
                put(o, formula(w, worksheet_row_label(w, m.rows, i)));
            put(o, " &:\\quad ");
            put_broken(o, lines_print(w, e, LINES_WIDTH - 10), 10);
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
    if (!v->known && !q->formula) put(o, ": \\text{ too long to be printed}");
    if (!v->known) return;
    const double wide = lines_value_width(w, v);
    const bool scalar = v->shown.rows * v->shown.cols == 1;
    if (!scalar && !v->diagonal && before + wide > LINES_WIDTH) {
        put_entries(o, v);
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

static void put_equations(writer *o, const ws_step *step)
{
    const worksheet *w = o->w;
    put(o, "\\begin{align*}\n");
    for (uint32_t i = 0; i < step->unknowns.rows; i++) {
        const char *s = worksheet_print(w, mat_get(w->ctx, step->unknowns, i, 0), AH_LATEX);
        text_printf(&o->out, "%s  %s &= ", i ? " \\\\\n" : "", s);
        put_broken(o, lines_print(w, worksheet_entry(w, &step->q.value, i, 0), LINES_WIDTH - 5), 5);
        if (i == 0) put_tag(o, step->paper);
    }
    put(o, "\n\\end{align*}\n");
}

static void put_unknowns(writer *o, mat unknowns)
{
    put(o, "\\begin{bmatrix}");
    for (uint32_t i = 0; i < unknowns.rows; i++)
        text_printf(&o->out, "%s%s", i ? " \\\\ " : " ",
                    worksheet_print(o->w, mat_get(o->w->ctx, unknowns, i, 0), AH_LATEX));
    put(o, " \\end{bmatrix}");
}

/* Not solved: the linear system, or at least the formula. */
static void put_unsolved(writer *o, const ws_step *step)
{
    const worksheet *w = o->w;
    const ws_quantity *q = &step->q;
    put(o, "\\begin{align*}\n  ");
    if (step->A.name) text_printf(&o->out, "%s ", formula(w, step->A.name));
    put_unknowns(o, step->unknowns);
    if (step->A.name)
        text_printf(&o->out, " &= %s", formula(w, step->b.name));
    else if (q->formula || q->name)
        text_printf(&o->out, " &= %s", formula(w, q->formula ? q->formula : q->name));
    else
        put(o, " &: \\text{ too long to be printed}");
    put_tag(o, step->paper);
    put(o, "\n\\end{align*}\n");
    if (step->A.value.known || step->A.formula) put_quantity(o, &step->A, NULL);
    if (step->b.value.known || step->b.formula) put_quantity(o, &step->b, NULL);
}

static void put_names(writer *o, const ws_step *step)
{
    const worksheet *w = o->w;
    if (!step->wheres) return;
    put(o, "where\n\\begin{align*}\n");
    for (uint32_t i = 0; i < step->wheres; i++) {
        const ws_name *name = &w->names.at[step->where[i]];
        text_printf(&o->out, "%s  %s &= ", i ? " \\\\\n" : "",
                    worksheet_print(w, name->stands, AH_LATEX));
        put_broken(o, lines_print(w, name->meaning, LINES_WIDTH - 5), 5);
    }
    put(o, "\n\\end{align*}\n");
}

static void put_section(writer *o, const ws_step *step)
{
    put(o, "\n\\section*{");
    tex_prose(&o->out, step->text, AH_LATEX);
    if (step->paper) {
        put(o, " \\hfill {\\normalfont\\small ");
        tex_plain(&o->out, step->paper, AH_LATEX);
        put(o, "}");
    }
    put(o, "}\n");
}

static void put_formulas(writer *o, const ws_step *step)
{
    if (step->kind == STEP_QUANTITY)
        put_quantity(o, &step->q, step->paper);
    else if (step->solved)
        put_equations(o, step);
    else
        put_unsolved(o, step);
}

const char *worksheet_step_latex(const worksheet *w, const ws_step *step)
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
    tex_document(&o.out, w->model->title, w->eq->formalism->title);
    for (size_t i = 0; i < w->step.count; i++) put_step(&o, &w->step.at[i]);
    put(&o, "\\end{document}\n");
    return text_end(&o.out);
}
