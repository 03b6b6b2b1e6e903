/* report/write_latex.c - worksheets as a LaTeX document that compiles as it stands (amsmath). */
#include "tex.h"
#include "worksheet.h"

#include <ctype.h>
#include <string.h>

/* Characters of average width in a line. */
#define LATEX_WIDTH 88.0

typedef struct writer {
    const worksheet *w;
    text out;
} writer;

/* ---- How wide a formula comes out ------------------------------------------------------------ */

static double width_list(const char **s, const char *end);

static double width_argument(const char **s, const char *end)
{
    if (*s >= end || **s != '{') return 0;
    ++*s;
    return width_list(s, end);
}

/* Names of functions are as long as they are written; most other commands make one character. */
static double width_command(const char **s, const char *end)
{
    const char *name = ++*s;
    while (*s < end && isalpha((unsigned char) **s)) ++*s;
    const size_t n = (size_t) (*s - name);
    if (n == 0) {
        ++*s;
        return 0.3;
    }
    if (n == 4 && !strncmp(name, "frac", 4)) {
        const double over = width_argument(s, end), under = width_argument(s, end);
        return 0.6 + (over > under ? over : under);
    }
    if (n == 4 && !strncmp(name, "left", 4)) return 0;
    if (n == 5 && !strncmp(name, "right", 5)) return 0;
    if (n == 5 && !strncmp(name, "begin", 5)) return 0;
    const bool word = (n == 3 && strchr("sctle", name[0])) || !strncmp(name, "operatorname", n);
    return word ? 3.3 : **s == '{' ? 0.3 : 1;
}

/* To the end, or past the closing brace. */
static double width_list(const char **s, const char *end)
{
    double width = 0;
    while (*s < end && **s != '}') {
        const bool script = **s == '_' || **s == '^';
        if (script) ++*s;
        double one = 1;
        if (*s >= end) break;
        if (**s == '\\')
            one = width_command(s, end);
        else if (**s == '{')
            one = width_argument(s, end);
        else
            one = **s == ' ' ? 0.3 : strchr("+-=", **s) ? 1.6 : 1, ++*s;
        width += script ? 0.7 * one : one;
    }
    if (*s < end) ++*s;
    return width;
}

static double width_of(const char *s, size_t n)
{
    return width_list(&s, s + n);
}

/* ---- Breaking lines -------------------------------------------------------------------------- */

/* A sign at which a line may end, outside of all braces, and how many \left are open there. */
typedef struct cut {
    size_t at;
    int open;
} cut;

static bool is_command(const char *s, const char *command)
{
    const size_t n = strlen(command);
    return !strncmp(s, command, n) && !isalpha((unsigned char) s[n]);
}

static cut best_cut(const char *s, double room, int open)
{
    cut best = {0};
    double least = 0;
    int braces = 0;
    for (size_t i = 0; s[i]; i++) {
        open += is_command(s + i, "\\left") - is_command(s + i, "\\right");
        braces += (s[i] == '{') - (s[i] == '}');
        if (braces || i < 2 || s[i] != ' ' || !strchr("+-", s[i + 1]) || s[i + 2] != ' ') continue;
        const double width = width_of(s, i), score = room - width + 12 * open;
        if (width > room && best.at) break;
        if (!best.at || score < least) best = (cut){i, open}, least = score;
    }
    return best;
}

static void put(writer *o, const char *s)
{
    text_add(&o->out, s);
}

/* A formula in lines of an align: brackets that a line leaves open are closed invisibly. */
static void put_broken(writer *o, const char *s, double before)
{
    double room = LATEX_WIDTH - before;
    int open = 0;
    while (width_of(s, strlen(s)) > room) {
        const cut c = best_cut(s, room, open);
        if (!c.at) break;
        text_add_n(&o->out, s, c.at);
        open = c.open;
        for (int i = 0; i < open; i++) put(o, " \\right.");
        put(o, " \\\\\n  &\\quad");
        for (int i = 0; i < open; i++) put(o, " \\left.");
        put(o, " {}");
        s += c.at + 1;
        room = LATEX_WIDTH - before - 2;
    }
    put(o, s);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static ah_expr entry(const worksheet *w, const ws_value *v, uint32_t i, uint32_t j)
{
    const ah_expr e = mat_get(w->ctx, v->shown, i, j);
    return v->factor == AH_NONE ? e : expr_mul(w->ctx, v->factor, e);
}

/* Of a product the longest sum, and what stands before it; AH_NONE: there is no sum. */
static ah_expr longest_sum(const worksheet *w, ah_expr e, ah_expr *rest)
{
    ah_ctx *ctx = w->ctx;
    ah_expr found = AH_NONE;
    double longest = 0;
    for (size_t i = 0; expr_get_op(ctx, e) == EXPR_PRODUCT && i < expr_get_count(ctx, e); i++) {
        const ah_expr child = expr_get_children(ctx, e)[i];
        if (expr_get_op(ctx, child) != EXPR_SUM || worksheet_length(ctx, child) <= longest)
            continue;
        found = child;
        longest = worksheet_length(ctx, child);
    }
    if (found != AH_NONE) *rest = expr_div(ctx, e, found);
    return found;
}

/* A fraction too wide for a line is written as a factor before a bracket, which can be broken. */
static const char *print(const worksheet *w, ah_expr e, double room)
{
    ah_expr rest = AH_NONE;
    const char *s = worksheet_print(w, e, AH_LATEX);
    if (width_of(s, strlen(s)) <= room) return s;
    const ah_expr sum = longest_sum(w, e, &rest);
    if (sum == AH_NONE) return s;
    const char *factor = worksheet_print(w, rest, AH_LATEX);
    if (!strcmp(factor, "-1")) factor = "-";
    return arena_printf(w->arena, "%s \\left(%s\\right)", factor,
                        worksheet_print(w, sum, AH_LATEX));
}

static const char *formula(const worksheet *w, const char *tex)
{
    text t = text_begin(w->arena);
    tex_formula(&t, tex, AH_LATEX);
    return text_end(&t);
}

static const char *factor_latex(const worksheet *w, const ws_value *v)
{
    if (v->factor == AH_NONE) return "";
    const char *s = worksheet_print(w, v->factor, AH_LATEX);
    if (!strcmp(s, "-1")) return "-";
    if (expr_get_op(w->ctx, v->factor) == EXPR_SUM)
        return arena_printf(w->arena, "\\left(%s\\right) ", s);
    return arena_printf(w->arena, "%s ", s);
}

static const char *diagonal_latex(const worksheet *w, const ws_value *v)
{
    text t = text_begin(w->arena);
    text_printf(&t, "%s\\operatorname{diag} \\left(", factor_latex(w, v));
    for (uint32_t i = 0; i < v->shown.rows; i++)
        text_printf(&t, "%s%s", i ? ", " : "",
                    worksheet_print(w, mat_get(w->ctx, v->shown, i, i), AH_LATEX));
    text_add(&t, "\\right)");
    return text_end(&t);
}

static const char *matrix_latex(const worksheet *w, const ws_value *v)
{
    text t = text_begin(w->arena);
    const mat m = v->shown;
    text_printf(&t, "%s\\begin{bmatrix}", factor_latex(w, v));
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t j = 0; j < m.cols; j++)
            text_printf(&t, "%s%s",
                        j   ? " & "
                        : i ? " \\\\ "
                            : " ",
                        worksheet_print(w, mat_get(w->ctx, m, i, j), AH_LATEX));
    text_add(&t, " \\end{bmatrix}");
    return text_end(&t);
}

static double matrix_width(const worksheet *w, const ws_value *v)
{
    const char *factor = factor_latex(w, v);
    double whole = width_of(factor, strlen(factor)) + 2;
    for (uint32_t j = 0; j < v->shown.cols; j++) {
        double widest = 0;
        for (uint32_t i = 0; i < v->shown.rows; i++) {
            const char *s = worksheet_print(w, mat_get(w->ctx, v->shown, i, j), AH_LATEX);
            const double width = width_of(s, strlen(s));
            if (width > widest) widest = width;
        }
        whole += widest + 2;
    }
    return whole;
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
            const ah_expr e = entry(w, v, i, j);
            if (expr_is_zero(w->ctx, e)) continue;
            put(o, " \\\\\n  ");
            if (m.cols > 1)
                text_printf(&o->out, "(%u,%u)", i + 1, j + 1);
            else
                put(o, formula(w, worksheet_row_label(w, m.rows, i)));
            put(o, " &:\\quad ");
            put_broken(o, print(w, e, LATEX_WIDTH - 10), 10);
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
        put_broken(o, print(w, entry(w, v, 0, 0), LATEX_WIDTH - before), before);
    else
        put(o, v->diagonal ? diagonal_latex(w, v) : matrix_latex(w, v));
}

static double value_width(const worksheet *w, const ws_value *v)
{
    if (v->shown.rows * v->shown.cols == 1) {
        const char *s = worksheet_print(w, entry(w, v, 0, 0), AH_LATEX);
        return width_of(s, strlen(s));
    }
    const char *s = v->diagonal ? diagonal_latex(w, v) : "";
    return v->diagonal ? width_of(s, strlen(s)) : matrix_width(w, v);
}

/* name = formula = value as rows of an align. */
static void put_rows(writer *o, const ws_quantity *q)
{
    const worksheet *w = o->w;
    const ws_value *v = &q->value;
    const char *name = q->name ? formula(w, q->name) : "";
    const char *right = q->formula ? formula(w, q->formula) : "";
    const double before = width_of(name, strlen(name)) + 2,
                 taken = width_of(right, strlen(right)) + 2;
    text_printf(&o->out, "  %s &", name);
    if (q->formula) text_printf(&o->out, "= %s", right);
    if (!v->known && !q->formula) put(o, ": \\text{ too long to be printed}");
    if (!v->known) return;
    const double wide = value_width(w, v);
    const bool scalar = v->shown.rows * v->shown.cols == 1;
    if (!scalar && !v->diagonal && before + wide > LATEX_WIDTH) {
        put_entries(o, v);
        return;
    }
    const bool joined = q->formula && before + taken + wide <= LATEX_WIDTH;
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
        put_broken(o, print(w, entry(w, &step->q.value, i, 0), LATEX_WIDTH - 5), 5);
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
        put_broken(o, print(w, name->meaning, LATEX_WIDTH - 5), 5);
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

static void put_step(writer *o, const ws_step *step)
{
    switch (step->kind) {
    case STEP_SECTION: put_section(o, step); return;
    case STEP_TEXT:
        tex_prose(&o->out, step->text, AH_LATEX);
        put(o, "\n");
        return;
    case STEP_QUANTITY: put_quantity(o, &step->q, step->paper); break;
    case STEP_EQUATIONS:
        if (step->solved)
            put_equations(o, step);
        else
            put_unsolved(o, step);
        break;
    }
    if (step->text) {
        put(o, "\\noindent(");
        tex_prose(&o->out, step->text, AH_LATEX);
        put(o, ")\n");
    }
    put_names(o, step);
}

const char *worksheet_latex(const worksheet *w)
{
    static const char *const head[] = {"\\documentclass[a4paper,11pt]{article}",
                                       "\\usepackage[T1]{fontenc}",
                                       "\\usepackage[utf8]{inputenc}",
                                       "\\usepackage{amsmath}",
                                       "\\setlength{\\textwidth}{17cm}",
                                       "\\setlength{\\oddsidemargin}{-5mm}",
                                       "\\setlength{\\textheight}{24cm}",
                                       "\\setlength{\\topmargin}{-15mm}",
                                       "\\setlength{\\parindent}{0pt}",
                                       "\\setcounter{MaxMatrixCols}{24}",
                                       "\\renewcommand{\\arraystretch}{1.3}",
                                       "\\allowdisplaybreaks",
                                       "\\begin{document}"};
    writer o = {.w = w, .out = text_begin(w->arena)};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++) {
        put(&o, head[i]);
        put(&o, "\n");
    }
    put(&o, "\\begin{center}\n{\\Large ");
    tex_plain(&o.out, w->model->title ? w->model->title : "", AH_LATEX);
    put(&o, "}\\\\[1ex]\n");
    tex_plain(&o.out, w->eq->formalism->title, AH_LATEX);
    put(&o, "\n\\end{center}\n");
    for (size_t i = 0; i < w->step.count; i++) put_step(&o, &w->step.at[i]);
    put(&o, "\\end{document}\n");
    return text_end(&o.out);
}
