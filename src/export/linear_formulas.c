/* export/linear_formulas.c - a linear model for any parameters: A, B, C, D where `linearise` has them with symbols. */
#include "exported.h"

#include <string.h>

typedef struct formulas {
    exported *e;
    const ah_linear_symbols *of;
    expr_list input;      /* t, y */
    expr_list v, psi;     /* velocities that are not in the state, and what they are */
    expr_list parameters; /* inputs last */
    expr_list out;        /* A, B, C, D, row after row */
    expr_list symbols;    /* on which these depend */
} formulas;

static bool is_among(expr_list list, ah_expr symbol)
{
    for (size_t i = 0; i < list.count; i++)
        if (list.at[i] == symbol) return true;
    return false;
}

/* The formulas are the answer's, the variables the system's, each with a context of its own: everything is copied into that of
 * the model. */
static void push_copies(formulas *w, expr_list *list, const ah_ctx *from, size_t count,
                        const ah_expr *e)
{
    exported *x = w->e;
    ah_expr *here = NEW_ARRAY(x->arena, ah_expr, count + 1);
    expr_copy(from, x->ctx, count, e, here);
    for (size_t i = 0; i < count; i++) LIST_PUSH(x->arena, list, here[i]);
}

static void take_variables(formulas *w)
{
    exported *e = w->e;
    const motion_code *c = e->code;
    const ah_ctx *from = e->model->ctx;
    LIST_PUSH(e->arena, &w->input, expr_time(e->ctx));
    push_copies(w, &w->input, from, c->n, e->model->q.at);
    push_copies(w, &w->input, from, c->m, c->second);
    push_copies(w, &w->parameters, from, c->parameters.count, c->parameters.at);
    if (!c->psi) return;
    push_copies(w, &w->v, from, c->n, e->model->v.at);
    push_copies(w, &w->psi, from, c->n, c->psi);
}

static void take_formulas(formulas *w)
{
    const ah_linear_symbols *s = w->of;
    const ah_ctx *from = w->e->linear_of;
    push_copies(w, &w->out, from, s->states * s->states, s->A);
    push_copies(w, &w->out, from, s->states * s->inputs, s->B);
    push_copies(w, &w->out, from, s->outputs * s->states, s->C);
    push_copies(w, &w->out, from, s->outputs * s->inputs, s->D);
    w->symbols = expr_symbols(w->e->ctx, w->e->arena, w->out.at, w->out.count);
}

/* Inputs are functions of time for the model and parameters for its system: they have the same names. */
static void name_inputs(formulas *w)
{
    exported *e = w->e;
    const expr_list parameters = w->parameters;
    expr_list from = {0}, to = {0};
    for (size_t i = 0; i < w->symbols.count; i++) {
        const ah_expr x = w->symbols.at[i];
        if (is_among(w->input, x) || is_among(parameters, x)) continue;
        const char *name = expr_text(e->ctx, e->arena, x, AH_ASCII);
        for (size_t k = e->parameters.count; k < parameters.count; k++) {
            if (strcmp(expr_text(e->ctx, e->arena, parameters.at[k], AH_ASCII), name)) continue;
            LIST_PUSH(e->arena, &from, x);
            LIST_PUSH(e->arena, &to, parameters.at[k]);
        }
    }
    for (size_t i = 0; from.count && i < w->out.count; i++)
        w->out.at[i] = expr_subst(e->ctx, w->out.at[i], from.count, from.at, to.at);
}

static const program *make_program(formulas *w, bool *fed)
{
    exported *e = w->e;
    const expr_list parameters = w->parameters;
    frame *values = frame_create(e->ctx, e->arena, 1);
    recipe r;
    for (size_t i = 0; i < e->parameters.count; i++)
        frame_set(values, parameters.at[i], e->parameters.at[i].value);
    recipe_init(&r, e->ctx, e->arena, NULL, values);
    for (size_t i = 0; i < w->psi.count; i++) recipe_define(&r, w->v.at[i], w->psi.at[i]);
    const program_spec spec = {.inputs = w->input.count,
                               .input = w->input.at,
                               .outputs = w->out.count,
                               .output = w->out.at,
                               .recipe = &r,
                               .parameter = values,
                               .variables = parameters.count,
                               .variable = parameters.at};
    const program *p = program_create(e->ctx, e->arena, &spec);
    bool sided; /* never: signs stand in the formulas as they are */
    return p ? export_open_inputs(e, p, fed, &sided) : NULL;
}

/* What a header says of it: which numbers of y it reads. */
static const char *described(const formulas *w)
{
    exported *e = w->e;
    text t = text_begin(e->arena);
    text_add(&t, "A, B, C and D of the linear model for any parameters, row after row");
    const char *before = "; of the state they depend on ";
    for (size_t i = 0; i < w->symbols.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(e->ctx, w->symbols.at[i]);
        if (kind == AH_PARAMETER || is_among(w->parameters, w->symbols.at[i])) continue;
        text_printf(
            &t, "%s%s", before,
            arena_harmless(e->arena, expr_text(e->ctx, e->arena, w->symbols.at[i], AH_ASCII)));
        before = ", ";
    }
    if (!w->of->solved && !e->linear->any_state)
        text_add(&t, ", and are right where it is a steady motion");
    return text_end(&t);
}

void export_linear_formulas(exported *e)
{
    formulas w = {.e = e, .of = e->linear->symbolic};
    bool fed = false;
    if (!w.of || !e->linear_of) return;
    take_variables(&w);
    take_formulas(&w);
    const char *doc = described(&w);
    name_inputs(&w);
    const program *p = make_program(&w, &fed);
    e->function[EXPORT_LINEAR] =
        (exported_function){"linearised", doc, p, p ? p->outputs : 0, NULL, fed};
}
