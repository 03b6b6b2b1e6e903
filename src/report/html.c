/* report/html.c - writing HTML: escaped texts, formulas in lines and in displays, sections. */
#include "html.h"
#include "../typeset/typeset.h"

#include <math.h>
#include <string.h>

/* ---- Texts ----------------------------------------------------------------------------------- */

void html_add(html *h, const char *markup)
{
    text_add(&h->out, markup);
}

void html_printf(html *h, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vprintf(&h->out, format, args);
    va_end(args);
}

static void character(text *t, const char *s, size_t n, uint32_t code)
{
    switch (code) {
    case '<': text_add(t, "&lt;"); return;
    case '>': text_add(t, "&gt;"); return;
    case '&': text_add(t, "&amp;"); return;
    case '"': text_add(t, "&quot;"); return;
    case '\'': text_add(t, "&#39;"); return;
    default: break;
    }
    if (utf8_is_harmful(code) && code != '\n' && code != '\t')
        text_printf(t, "[U+%04X]", (unsigned) code);
    else if ((code & 0xFFFE) == 0xFFFE) /* not even a character */
        text_add(t, "\uFFFD");
    else
        text_add_n(t, s, n);
}

void html_text_n(html *h, const char *s, size_t length)
{
    while (length) {
        uint32_t code = 0;
        const size_t n = utf8_decode(s, length, &code);
        if (n)
            character(&h->out, s, n, code);
        else
            text_add(&h->out, "\uFFFD");
        s += n ? n : 1;
        length -= n ? n : 1;
    }
}

void html_text(html *h, const char *s)
{
    if (s) html_text_n(h, s, strlen(s));
}

void html_number(html *h, double x, int digits)
{
    text t = text_begin(h->arena);
    text_double(&t, x, digits);
    const char *s = text_end(&t), *e = strchr(s, 'e');
    if (!isfinite(x)) {
        html_add(h, "–");
        return;
    }
    if (*s == '-') html_add(h, "\u2212"), s++;
    if (!e) {
        html_add(h, s);
        return;
    }
    const bool one = e - s == 1 && *s == '1';
    if (!one) text_add_n(&h->out, s, (size_t) (e - s));
    const bool minus = e[1] == '-';
    e += 1 + strspn(e + 1, "+-0");
    html_printf(h, "%s10<sup>%s%s</sup>", one ? "" : "\u202F×\u202F", minus ? "\u2212" : "", e);
}

/* ---- Formulas in a line ---------------------------------------------------------------------- */

/* Longer ones are not printed: nobody reads them, and the tree of a shared graph may be enormous. */
#define HTML_LONGEST 2500.0
/* Equations of one display; the others are counted. */
#define HTML_MOST 40

bool html_is_long(const html *h, ah_expr e)
{
    return worksheet_length(h->ctx, e) > HTML_LONGEST;
}

static const char *print(const html *h, ah_expr e, ah_format format)
{
    static const char *const signs[] = {[AH_TEXT] = "(a formula of about %.0f signs)",
                                        [AH_LATEX] = "\\text{(a formula of about %.0f signs)}",
                                        [AH_MATHML] =
                                            "<mtext>a formula of about %.0f signs</mtext>"};
    if (html_is_long(h, e))
        return arena_printf(h->arena, signs[format], worksheet_length(h->ctx, e));
    expr_style style = expr_style_defaults(format);
    text t = text_begin(h->arena);
    style.dots = style.greek = true;
    expr_print(h->ctx, &t, e, &style);
    return text_end(&t);
}

void html_math(html *h, ah_expr e)
{
    const char *instead = prose_instead(h->ctx, e);
    if (instead) {
        html_printf(h, "(%s)", instead);
        return;
    }
    html_printf(h, TEX_MATH "><mrow>%s</mrow></math>", print(h, e, AH_MATHML));
}

void html_name(html *h, const char *name)
{
    const expr_style style = expr_style_defaults(AH_MATHML);
    html_add(h, TEX_MATH "><mrow>");
    expr_print_name(&h->out, name, &style);
    html_add(h, "</mrow></math>");
}

void html_equals(html *h, ah_expr left, ah_expr right)
{
    html_printf(h, TEX_MATH "><mrow><mrow>%s</mrow><mo>=</mo><mrow>%s</mrow></mrow></math>",
                print(h, left, AH_MATHML), print(h, right, AH_MATHML));
}

void html_value(html *h, ah_expr symbol, double x, int digits)
{
    html_add(h, "<span class=\"value\">");
    html_math(h, symbol);
    html_add(h, " = ");
    html_number(h, x, digits);
    html_add(h, "</span>");
}

/* ---- Displays -------------------------------------------------------------------------------- */

void html_formula(html *h, const char *latex, const char *plain)
{
    html_add(h, "<div class=\"formula\" data-latex=\"");
    html_text(h, latex);
    html_add(h, "\" data-text=\"");
    html_text(h, plain);
    html_add(h, "\">\n");
}

void html_formula_end(html *h)
{
    html_add(h, "</div>\n");
}

static const char *in_format(const html *h, const char *tex, ah_format format)
{
    text t = text_begin(h->arena);
    tex_formula(&t, tex, format);
    return text_end(&t);
}

static const char *equations_latex(const html *h, size_t count, const html_equation *e)
{
    text t = text_begin(h->arena);
    text_add(&t, "\\begin{align*}\n");
    for (size_t i = 0; i < count; i++) {
        const char *left = in_format(h, e[i].left, AH_LATEX);
        const double room = LINES_WIDTH - lines_width(left) - 2;
        const line_list lines = lines_break(h->arena, print(h, e[i].right, AH_LATEX), room);
        text_printf(&t, "%s  %s &= ", i ? " \\\\\n" : "", left);
        for (size_t k = 0; k < lines.count; k++)
            text_printf(&t, "%s%s", k ? " \\\\\n  &\\quad " : "", lines.at[k]);
    }
    text_add(&t, "\n\\end{align*}\n");
    return text_end(&t);
}

static const char *equations_text(const html *h, size_t count, const html_equation *e)
{
    text t = text_begin(h->arena);
    for (size_t i = 0; i < count; i++)
        text_printf(&t, "%s = %s\n", in_format(h, e[i].left, AH_TEXT),
                    print(h, e[i].right, AH_TEXT));
    return text_end(&t);
}

static void put_row(html *h, const html_equation *e, bool labels)
{
    const char *left = in_format(h, e->left, AH_MATHML);
    const double room = LINES_WIDTH - lines_width(e->left) - (labels ? 16 : 2);
    const char *latex = print(h, e->right, AH_LATEX);
    const line_list lines = lines_break(h->arena, latex, room);
    for (size_t i = 0; i < lines.count; i++) {
        html_printf(h, "<mtr><mtd style=\"text-align:right\">%s</mtd><mtd>%s</mtd>", i ? "" : left,
                    i ? "" : "<mo>=</mo>");
        html_add(h, "<mtd style=\"text-align:left\">");
        if (i) html_add(h, "<mspace width=\"2em\"/>");
        if (lines.count == 1)
            html_printf(h, "<mrow>%s</mrow>", print(h, e->right, AH_MATHML));
        else
            tex_formula(&h->out, lines.at[i], AH_MATHML);
        html_add(h, "</mtd>");
        if (labels) {
            html_add(h, "<mtd style=\"text-align:left\"><mspace width=\"2em\"/><mtext>");
            if (!i) html_text(h, e->label);
            html_add(h, "</mtext></mtd>");
        }
        html_add(h, "</mtr>");
    }
}

void html_equations(html *h, size_t all, const html_equation *equation)
{
    const size_t count = all > HTML_MOST ? HTML_MOST : all;
    bool labels = false;
    for (size_t i = 0; i < count; i++) labels = labels || equation[i].label;
    html_formula(h, equations_latex(h, count, equation), equations_text(h, count, equation));
    html_add(h, "<div class=\"equation\"><div class=\"scroll\">" TEX_MATH
                " display=\"block\"><mtable displaystyle=\"true\">");
    for (size_t i = 0; i < count; i++) put_row(h, &equation[i], labels);
    html_add(h, "</mtable></math></div></div>\n");
    html_formula_end(h);
    if (count < all) html_printf(h, "<p>… and %zu more.</p>\n", all - count);
}

/* ---- Sections -------------------------------------------------------------------------------- */

void html_section(html *h, const char *id, const char *title)
{
    LIST_PUSH(h->arena, &h->contents, ((html_entry){id, title}));
    html_printf(h, "\n<section id=\"%s\" aria-labelledby=\"%s-title\">\n", id, id);
    html_printf(h, "<h2 id=\"%s-title\">%s</h2>\n", id, title);
}

void html_section_end(html *h)
{
    html_add(h, "</section>\n");
}

/* ---- Work that may fail ---------------------------------------------------------------------- */

/* Seconds that every attempt gets. */
#define HTML_LEAST 0.02

typedef struct attempt {
    html *h;
    double seconds;
    void (*body)(html *h, void *arg);
    void *arg;
} attempt;

static void run_attempt(ah_ctx *ctx, void *arg)
{
    attempt *a = arg;
    ctx_share(ctx, a->seconds);
    a->body(a->h, a->arg);
}

double html_spare(const html *h, double seconds)
{
    const double left = h->end - base_work();
    return left < HTML_LEAST ? HTML_LEAST : left < seconds ? left : seconds;
}

const char *html_try(html *h, double seconds, void (*body)(html *h, void *arg), void *arg)
{
    ah_ctx *ctx = h->ctx;
    attempt a = {h, seconds, body, arg};
    const size_t length = h->out.length, contents = h->contents.count;
    const diag_mark mark = diag_get_mark(ctx);
    const ah_status status = ctx_try(ctx, run_attempt, &a);
    const char *why = diag_take(ctx, h->arena, mark);
    if (status == AH_OK) return NULL;
    if (status == AH_E_MEMORY || status == AH_E_INTERRUPTED) ctx_raise(ctx, status);
    ctx_tick_now(ctx); /* what it is part of may have no time left either */
    h->out.length = length;
    h->contents.count = contents;
    if (why) return why;
    if (status != AH_E_LIMIT) return ah_status_text(status);
    return ctx->log->limit ? ctx->log->limit : "it would take too long";
}
