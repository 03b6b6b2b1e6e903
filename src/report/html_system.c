/* report/html_system.c - the model in formulas, and as it was written. */
#include "../lang/lang.h"
#include "html.h"

#include <string.h>

/* A longer text is folded at first. */
enum { SHORT_TEXT = 40 };

typedef LIST(html_equation) equation_list;

static void push(html *h, equation_list *list, const char *left, ah_expr right, const char *label)
{
    LIST_PUSH(h->arena, list, ((html_equation){left, right, label}));
}

static const char *symbol_tex(html *h, ah_expr symbol)
{
    return expr_text(h->ctx, h->arena, symbol, AH_LATEX);
}

/* ---- Energies and forces --------------------------------------------------------------------- */

/* Ω_K1 of the body K: a name for the page. */
static ah_expr part_symbol(html *h, const char *letter, const char *name, const char *index)
{
    text t = text_begin(h->arena);
    text_printf(&t, "%s_", letter);
    for (const char *c = name; *c; c++)
        if (!strchr("[],._", *c)) text_char(&t, *c);
    text_add(&t, index);
    return expr_symbol(h->ctx, AH_LOCAL, text_end(&t));
}

/* ½ m v² + ½ Ω·I Ω. */
static ah_expr part_energy(html *h, const model_part *p)
{
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
    static const char *const digit[] = {"1", "2", "3"};
    ah_ctx *ctx = h->ctx;
    const ah_expr half = expr_rational(ctx, 1, 2), v = part_symbol(h, "v", p->name, "");
    ah_expr sum = expr_product(ctx, 3, (ah_expr[]){half, p->mass, expr_powi(ctx, v, 2)});
    for (int i = 0; p->is_body && i < 6; i++) {
        const ah_expr a = part_symbol(h, "Omega", p->name, digit[pair[i][0]]);
        const ah_expr b = part_symbol(h, "Omega", p->name, digit[pair[i][1]]);
        const ah_expr weight = i < 3 ? half : expr_int(ctx, 1);
        sum = expr_add(ctx, sum, expr_product(ctx, 4, (ah_expr[]){weight, p->inertia[i], a, b}));
    }
    return sum;
}

/* T through the velocities of points and bodies where it is made of them and long. */
static bool energy_of_parts(html *h, ah_expr *T)
{
    const ah_model *m = h->model;
    if (m->kinetic_given || !m->parts.count || !html_is_long(h, m->T)) return false;
    *T = expr_int(h->ctx, 0);
    for (size_t i = 0; i < m->parts.count; i++)
        *T = expr_add(h->ctx, *T, part_energy(h, &m->parts.at[i]));
    return true;
}

static void energies(html *h)
{
    const ah_model *m = h->model;
    if (m->kinematic) return;
    equation_list list = {0};
    ah_expr T = m->T;
    const bool of_parts = energy_of_parts(h, &T);
    push(h, &list, "T", T, NULL);
    if (!expr_is_zero(h->ctx, m->V)) push(h, &list, "V", m->V, NULL);
    for (uint32_t i = 0; i < m->n; i++)
        if (!expr_is_zero(h->ctx, m->F[i]))
            push(h, &list, arena_printf(h->arena, "F_{%s}", symbol_tex(h, m->q.at[i])), m->F[i],
                 NULL);
    html_add(h, "<h3>Kinetic energy, potential and forces</h3>\n");
    html_equations(h, list.count, list.at);
    if (of_parts)
        html_add(h,
                 "<p>v is the speed of a point or of a body's centre of mass, Ω the body's angular "
                 "velocity along its own axes.</p>\n");
}

/* left = right as written, with the label at the margin. */
static void constraints(html *h)
{
    const ah_model *m = h->model;
    equation_list list = {0};
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        push(h, &list, expr_text(h->ctx, h->arena, c->left, AH_LATEX), c->right, c->label);
    }
    if (!list.count) return;
    html_printf(h, "<h3>Constraint%s</h3>\n", list.count > 1 ? "s" : "");
    html_equations(h, list.count, list.at);
}

static void speeds(html *h)
{
    const ah_model *m = h->model;
    equation_list list = {0};
    for (uint32_t i = 0; m->speeds.count && i < m->n; i++)
        push(h, &list, symbol_tex(h, m->v.at[i]), m->psi.at[i], NULL);
    if (list.count) {
        html_add(h, "<h3>Velocity parameters</h3>\n");
        html_equations(h, list.count, list.at);
    }
    list.count = 0;
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        push(h, &list, symbol_tex(h, m->quasivelocities.at[i].symbol),
             m->quasivelocities.at[i].definition, NULL);
    if (!list.count) return;
    html_add(h, "<h3>Quasi-velocities</h3>\n");
    html_equations(h, list.count, list.at);
}

/* ---- Coordinates and parameters -------------------------------------------------------------- */

static void coordinates(html *h)
{
    const ah_model *m = h->model;
    html_printf(h, "<p>Coordinate%s ", m->n == 1 ? "" : "s");
    for (uint32_t i = 0; i < m->n; i++) {
        html_add(h, i ? ", " : "");
        html_math(h, m->q.at[i]);
    }
    html_add(h, ".");
    for (size_t i = 0; i < m->parameters.count; i++) {
        const model_parameter *p = &m->parameters.at[i];
        html_add(h, i ? ", " : " Parameters: ");
        if (p->value == AH_NONE) {
            html_math(h, p->symbol);
            html_add(h, " (any value)");
        } else if (expr_get_op(h->ctx, p->value) == EXPR_NUMBER) {
            html_value(h, p->symbol, expr_number_double(h->ctx, p->value), 15);
        } else {
            html_equals(h, p->symbol, p->value);
        }
    }
    html_add(h, m->parameters.count ? ".</p>\n" : "</p>\n");
}

/* ---- The text -------------------------------------------------------------------------------- */

static void marked(html *h, const source *s)
{
    static const char *const classes[] = {[LANG_MARK_COMMENT] = "c",
                                          [LANG_MARK_KEYWORD] = "k",
                                          [LANG_MARK_FUNCTION] = "f",
                                          [LANG_MARK_NUMBER] = "n",
                                          [LANG_MARK_TEXT] = "s"};
    const lang_marks marks = lang_highlight(h->ctx, h->arena, h->model->file);
    uint32_t done = s->length >= 3 && !memcmp(s->text, "\uFEFF", 3) ? 3 : 0;
    for (size_t i = 0; i < marks.count; i++) {
        const lang_mark *m = &marks.at[i];
        html_text_n(h, s->text + done, m->begin - done);
        html_printf(h, "<span class=\"%s\">", classes[m->kind]);
        html_text_n(h, s->text + m->begin, m->end - m->begin);
        html_add(h, "</span>");
        done = m->end;
    }
    html_text_n(h, s->text + done, s->length - done);
}

static void model_text(html *h)
{
    const source *s = h->model->file ? source_get(h->ctx, h->model->file) : NULL;
    if (!s) return;
    html_printf(h,
                "<details class=\"source-text\"%s>\n<summary>The model as it was written</summary>",
                s->line_count <= SHORT_TEXT ? " open=\"open\"" : "");
    html_add(h, "\n<pre tabindex=\"0\"><code>");
    marked(h, s);
    html_add(h, "</code></pre>\n</details>\n");
}

void html_system(html *h)
{
    html_section(h, "system", "The system");
    coordinates(h);
    energies(h);
    constraints(h);
    speeds(h);
    model_text(h);
    html_section_end(h);
}
