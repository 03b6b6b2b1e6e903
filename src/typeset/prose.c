/* typeset/prose.c - see prose.h. */
#include "prose.h"
#include "tex.h"

#include <string.h>

bool prose_writes(ah_format format)
{
    return format == AH_TEXT || format == AH_LATEX || format == AH_MATHML;
}

/* What stands around things in each format. */
typedef struct marks {
    const char *line[2], *item[2], *list[2], *formula[2];
} marks;

static const marks *marks_of(ah_format format)
{
    static const marks text_marks = {{"", "\n"}, {"", "\n"}, {"", ""}, {"", ""}};
    static const marks latex = {
        {"", "\n\n"}, {"\\item ", "\n"}, {"\\begin{itemize}\n", "\\end{itemize}\n"}, {"$", "$"}};
    static const marks mathml = {{"<p>", "</p>"},
                                 {"<li>", "</li>"},
                                 {"<ul>", "</ul>"},
                                 {TEX_MATH "><mrow>", "</mrow></math>"}};
    return format == AH_LATEX ? &latex : format == AH_MATHML ? &mathml : &text_marks;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

prose prose_begin(ah_ctx *ctx, ah_format format)
{
    return (prose){.ctx = ctx,
                   .format = format,
                   .out = text_begin(&ctx->job),
                   .line = text_begin(&ctx->job),
                   .indent = "    "};
}

static void change_list(prose *p, bool list)
{
    if (list != p->list) text_add(&p->out, marks_of(p->format)->list[!list]);
    p->list = list;
}

const char *prose_finish(prose *p)
{
    prose_end(p);
    change_list(p, false);
    return text_end(&p->out);
}

void prose_item(prose *p)
{
    p->item = true;
}

void prose_end(prose *p)
{
    const char *const *around = p->item ? marks_of(p->format)->item : marks_of(p->format)->line;
    if (p->line.length) {
        change_list(p, p->item);
        if (p->item && p->format == AH_TEXT) text_add(&p->out, p->indent);
        text_add(&p->out, around[0]);
        text_add_n(&p->out, p->line.at, p->line.length);
        text_add(&p->out, around[1]);
    }
    p->line.length = 0;
    p->item = false;
}

void prose_gap(prose *p)
{
    if (p->format == AH_TEXT) text_char(&p->out, '\n');
}

/* ---- Documents ------------------------------------------------------------------------------- */

prose prose_document(ah_ctx *ctx, ah_format format, const char *title, const char *about)
{
    prose p = prose_begin(ctx, format);
    if (format == AH_LATEX) tex_document(&p.out, title, about);
    if (format != AH_MATHML) return p;
    text_add(&p.out, "<section class=\"answer\">\n<h2>");
    tex_plain(&p.out, title ? title : "", AH_MATHML);
    text_add(&p.out, "</h2>\n<p>");
    tex_plain(&p.out, about, AH_MATHML);
    text_add(&p.out, "</p>\n");
    return p;
}

const char *prose_finish_document(prose *p)
{
    prose_finish(p);
    if (p->format == AH_LATEX) text_add(&p->out, "\\end{document}\n");
    if (p->format == AH_MATHML) text_add(&p->out, "\n</section>\n");
    return text_end(&p->out);
}

/* ---- Words ----------------------------------------------------------------------------------- */

void prose_add(prose *p, const char *words)
{
    if (p->format == AH_TEXT)
        text_add(&p->line, words);
    else
        tex_plain(&p->line, words, p->format);
}

void prose_printf(prose *p, const char *words, ...)
{
    va_list args;
    text t = text_begin(&p->ctx->job);
    va_start(args, words);
    text_vprintf(&t, words, args);
    va_end(args);
    prose_add(p, text_end(&t));
}

void prose_number(prose *p, double x, int digits)
{
    text_double(&p->line, x, digits);
}

/* ---- Formulas -------------------------------------------------------------------------------- */

static void begin_formula(prose *p)
{
    text_add(&p->line, marks_of(p->format)->formula[0]);
}

static void end_formula(prose *p)
{
    text_add(&p->line, marks_of(p->format)->formula[1]);
}

static void put_expression(prose *p, ah_expr e)
{
    const expr_style style = expr_style_defaults(p->format);
    expr_print(p->ctx, &p->line, e, &style);
}

/* =, <, >, ≥, ≠ */
static void put_sign(prose *p, const char *sign)
{
    const char *open = p->format == AH_MATHML ? "<mo>" : " ";
    const char *close = p->format == AH_MATHML ? "</mo>" : " ";
    text_add(&p->line, open);
    if (p->format == AH_LATEX && !strcmp(sign, "≥"))
        text_add(&p->line, "\\ge");
    else if (p->format == AH_LATEX && !strcmp(sign, "≠"))
        text_add(&p->line, "\\ne");
    else if (p->format == AH_LATEX)
        text_add(&p->line, sign); /* a formula knows < and > */
    else
        tex_plain(&p->line, sign, p->format);
    text_add(&p->line, close);
}

/* Parts of a formula that somebody may still want to see: some twenty pages. */
#define PROSE_LONGEST 2e4

const char *prose_instead(ah_ctx *ctx, ah_expr e)
{
    const double parts = expr_written(ctx, e);
    return parts <= PROSE_LONGEST
               ? NULL
               : arena_printf(&ctx->job, "a formula of some %.0e parts, not written out", parts);
}

void prose_formula(prose *p, ah_expr e)
{
    const char *instead = prose_instead(p->ctx, e);
    if (instead) {
        prose_printf(p, "(%s)", instead);
        return;
    }
    begin_formula(p);
    put_expression(p, e);
    end_formula(p);
}

void prose_name(prose *p, const char *name)
{
    const expr_style style = expr_style_defaults(p->format);
    begin_formula(p);
    expr_print_name(&p->line, name, &style);
    end_formula(p);
}

void prose_relation(prose *p, ah_expr left, const char *sign, ah_expr right)
{
    begin_formula(p);
    put_expression(p, left);
    put_sign(p, sign);
    put_expression(p, right);
    end_formula(p);
}

void prose_value(prose *p, ah_expr symbol, double x, int digits)
{
    begin_formula(p);
    put_expression(p, symbol);
    put_sign(p, "=");
    if (p->format == AH_MATHML) text_add(&p->line, "<mn>");
    text_double(&p->line, x, digits);
    if (p->format == AH_MATHML) text_add(&p->line, "</mn>");
    end_formula(p);
}

void prose_formulas(prose *p, size_t count, const ah_expr *e)
{
    for (size_t i = 0; i < count; i++) {
        text_add(&p->line, i ? ", " : "");
        prose_formula(p, e[i]);
    }
}

static void put_rows(prose *p, size_t rows, size_t columns, const ah_expr *e)
{
    const bool latex = p->format == AH_LATEX;
    for (size_t i = 0; i < rows; i++) {
        text_add(&p->line, latex ? (i ? " \\\\ " : " ") : "<mtr>");
        for (size_t k = 0; k < columns; k++) {
            text_add(&p->line, latex ? (k ? " & " : "") : "<mtd>");
            put_expression(p, e[i * columns + k]);
            text_add(&p->line, latex ? "" : "</mtd>");
        }
        text_add(&p->line, latex ? "" : "</mtr>");
    }
}

/* In text a line a row, otherwise one formula. */
void prose_matrix(prose *p, const char *name, size_t rows, size_t columns, const ah_expr *e)
{
    const expr_style style = expr_style_defaults(p->format);
    const bool latex = p->format == AH_LATEX;
    if (!rows || !columns) return;
    if (p->format == AH_TEXT) prose_printf(p, "%s:", name);
    if (p->format == AH_TEXT) prose_end(p);
    for (size_t i = 0; p->format == AH_TEXT && i < rows; i++) {
        prose_item(p);
        prose_formulas(p, columns, e + i * columns);
        prose_end(p);
    }
    if (p->format == AH_TEXT) return;
    begin_formula(p);
    expr_print_name(&p->line, name, &style);
    put_sign(p, "=");
    text_add(&p->line, latex ? "\\begin{bmatrix}" : "<mrow><mo>[</mo><mtable>");
    put_rows(p, rows, columns, e);
    text_add(&p->line, latex ? " \\end{bmatrix}" : "</mtable><mo>]</mo></mrow>");
    end_formula(p);
    prose_end(p);
}
