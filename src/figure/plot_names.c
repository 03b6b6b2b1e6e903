/* figure/plot_names.c - what quantities are called in a figure, and what they are measured in. */
#include "plot.h"

#include <string.h>

/* ---- Labels ---------------------------------------------------------------------------------- */

static expr_style label_style(void)
{
    expr_style style = expr_style_defaults(AH_TEXT);
    style.dots = true;
    return style;
}

bool plot_is_word(const char *s)
{
    for (; *s; s++)
        if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') ||
              *s == '_' || (unsigned char) *s >= 0x80))
            return false;
    return true;
}

/* A word, or an element of what is called by one: place[1]. */
static bool is_reference(arena *a, const char *s)
{
    const char *bracket = strchr(s, '[');
    if (!bracket) return plot_is_word(s);
    const size_t inside = strspn(bracket + 1, "0123456789,[]"), whole = strlen(s);
    return bracket > s && bracket + 1 + inside == s + whole && s[whole - 1] == ']' &&
           plot_is_word(arena_strndup(a, s, (size_t) (bracket - s)));
}

/* roll_ball_place[1] as roll with an index that shows what it is made of. */
static void long_name(text *t, const char *name, const expr_style *style)
{
    const char *after = strchr(name, '_');
    if (after && after > name && after[1] && strpbrk(after + 1, "_["))
        text_printf(t, "%.*s_{%s}", (int) (after - name), name, after + 1);
    else
        expr_print_name(t, name, style);
}

static void derived_label(text *t, ah_model *m, ah_expr symbol)
{
    const expr_style style = label_style();
    derived_ref d;
    const bool part = trajectory_find_part(m, symbol, &d);
    if (part && d.what == DERIVED_LAMBDA) {
        text_printf(t, "λ_{%s}", m->constraints.at[d.index[0]].label);
    } else if (part && d.what == DERIVED_REACTION) {
        text_add(t, "R_{");
        expr_print_name(t, expr_get_name(m->ctx, m->q.at[d.index[0]]), &style);
        text_char(t, '}');
    } else {
        expr_print_name(t, expr_get_name(m->ctx, symbol), &style);
    }
}

/* A name as it was written (an output's, say), a formula as worksheets print it. */
const char *plot_label_of(ah_model *m, ah_expr e, const char *written)
{
    const expr_style style = label_style();
    text t = text_begin(&m->ctx->job);
    const bool symbol = expr_get_op(m->ctx, e) == EXPR_SYMBOL;
    if (symbol && expr_get_kind(m->ctx, e) == AH_DERIVED)
        derived_label(&t, m, e);
    else if (symbol || !is_reference(&m->ctx->job, written))
        expr_print(m->ctx, &t, e, &style);
    else
        long_name(&t, written, &style);
    return text_end(&t);
}

/* ---- Lengths and angles ---------------------------------------------------------------------- */

/* Whatever a sine, cosine or tangent is taken of in the system, once. */
static void find_angles(plot_requests *r)
{
    const ah_model *m = r->model;
    ah_ctx *ctx = m->ctx;
    arena *a = &ctx->job;
    expr_list root = {0}, argument = {0};
    LIST_PUSH(a, &root, m->T);
    LIST_PUSH(a, &root, m->V);
    for (size_t i = 0; i < m->constraints.count; i++) LIST_PUSH(a, &root, m->constraints.at[i].c);
    for (size_t i = 0; i < m->psi.count; i++) LIST_PUSH(a, &root, m->psi.at[i]);
    for (size_t i = 0; i < m->parts.count; i++) {
        for (int k = 0; k < 3; k++) LIST_PUSH(a, &root, m->parts.at[i].place.c[k]);
        for (int k = 0; k < 9 && m->parts.at[i].is_body; k++)
            LIST_PUSH(a, &root, m->parts.at[i].rotation[k / 3][k % 3]);
    }
    const expr_list nodes = expr_reachable(ctx, a, root.at, root.count);
    for (size_t i = 0; i < nodes.count; i++)
        if (expr_get_op(ctx, nodes.at[i]) == EXPR_CALL &&
            expr_get_function(ctx, nodes.at[i]) <= AH_TAN)
            LIST_PUSH(a, &argument, expr_get_children(ctx, nodes.at[i])[0]);
    r->angles = expr_symbols(ctx, a, argument.at, argument.count);
    r->angles_found = true;
}

static bool is_angle(plot_requests *r, ah_expr q)
{
    if (!r->angles_found) find_angles(r);
    for (size_t i = 0; i < r->angles.count && r->angles.at[i] <= q; i++)
        if (r->angles.at[i] == q) return true;
    return false;
}

bool plot_is_length(plot_requests *r, ah_expr e)
{
    const ah_model *m = r->model;
    for (size_t i = 0; i < m->parts.count; i++)
        for (int k = 0; k < 3; k++)
            if (m->parts.at[i].place.c[k] == e) return true;
    return expr_get_op(m->ctx, e) == EXPR_SYMBOL && expr_get_kind(m->ctx, e) == AH_COORDINATE &&
           !is_angle(r, e);
}

/* ---- Units ----------------------------------------------------------------------------------- */

static const char *derived_unit(ah_model *m, ah_expr symbol)
{
    derived_ref d;
    if (!trajectory_find_part(m, symbol, &d)) return NULL;
    if (d.what == DERIVED_REACTION)
        return model_force_unit(m, expr_get_name(m->ctx, m->q.at[d.index[0]]));
    return model_unit_of(m, model_derived_label(m, &m->ctx->job, d));
}

static const char *symbol_unit(ah_model *m, ah_expr symbol)
{
    const char *own = model_unit_of(m, expr_get_name(m->ctx, symbol));
    switch (expr_get_kind(m->ctx, symbol)) {
    case AH_TIME: return model_unit_of(m, "t");
    case AH_DERIVED: return derived_unit(m, symbol);
    case AH_VELOCITY:
    case AH_SPEED_DOT: return model_rate_unit(m, own);
    case AH_ACCELERATION: return model_rate_unit(m, model_rate_unit(m, own));
    default: return own;
    }
}

/* The unit of the coordinates that are lengths, where they agree. */
static const char *length_unit(plot_requests *r)
{
    const ah_model *m = r->model;
    const char *unit = NULL;
    for (uint32_t i = 0; i < m->n; i++) {
        if (!plot_is_length(r, m->q.at[i])) continue;
        const char *own = model_unit_of(m, expr_get_name(m->ctx, m->q.at[i]));
        if (!own || (unit && strcmp(unit, own))) return NULL;
        unit = own;
    }
    return unit;
}

/* Of symbols, names of outputs and lets, energies and places; formulas have none. */
const char *plot_unit_of(plot_requests *r, ah_expr e, const char *written)
{
    ah_model *m = r->model;
    if (expr_get_op(m->ctx, e) == EXPR_SYMBOL) return symbol_unit(m, e);
    if (plot_is_word(written) && model_unit_of(m, written)) return model_unit_of(m, written);
    if (e == model_energy(m) || e == m->T || e == m->V) return model_unit_of(m, "energy");
    return plot_is_length(r, e) ? length_unit(r) : NULL;
}
