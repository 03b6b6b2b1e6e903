/* answer/answer_derive.c - `anholo derive`: the equations as expressions, and in the formats of
 * worksheets. */
#include "answers.h"

#include "../typeset/typeset.h"
#include <anholo/derive.h>

ah_derive_options ah_derive_defaults(void)
{
    return (ah_derive_options){.size = sizeof(ah_derive_options)};
}

/* ---- Values ---------------------------------------------------------------------------------- */

static const char *formula_in(const worksheet *w, const char *tex, ah_format format)
{
    if (!tex) return NULL;
    text t = text_begin(w->arena);
    tex_formula(&t, tex, format);
    return text_end(&t);
}

static ah_derived told(const worksheet *w, const ws_quantity *q)
{
    const sheet_node *node = sheet_get(w->eq->sheet, q->id);
    ah_derived out = {.name = formula_in(w, q->name, AH_TEXT),
                      .latex = formula_in(w, q->name, AH_LATEX),
                      .formula = formula_in(w, q->formula, AH_LATEX),
                      .rows = node->rows,
                      .columns = node->cols};
    if (q->value.known) out.entry = mat_to_dense(w->ctx, w->arena, q->value.exact);
    return out;
}

typedef LIST(ah_equation) equation_list;
typedef LIST(ah_derived) derived_list;

static void take_equations(const worksheet *w, const ws_step *step, equation_list *out)
{
    for (uint32_t i = 0; i < worksheet_rows(step); i++) {
        const ah_expr left = worksheet_left(w, step, i);
        const ah_equation e = {expr_get_op(w->ctx, left) == EXPR_SYMBOL ? left : AH_NONE, left,
                               mat_get(w->ctx, step->q.value.exact, i, 0),
                               mat_get(w->ctx, step->q.value.shown, i, 0)};
        LIST_PUSH(w->arena, out, e);
    }
}

static void take_variables(const worksheet *w, ah_derive_values *v)
{
    const mat speeds = worksheet_speeds(w);
    ah_expr *x = NEW_ARRAY(w->arena, ah_expr, w->model->n + speeds.rows);
    for (uint32_t i = 0; i < w->model->n; i++) x[v->variables++] = w->model->q.at[i];
    for (uint32_t i = 0; i < speeds.rows; i++) x[v->variables++] = mat_get(w->ctx, speeds, i, 0);
    v->variable = x;
}

static const ah_derive_values *values_of(const worksheet *w)
{
    ah_derive_values *v = NEW(w->arena, ah_derive_values);
    equation_list equations = {0};
    derived_list quantities = {0};
    v->method = w->eq->formalism->name;
    v->title = w->eq->formalism->title;
    take_variables(w, v);
    for (size_t i = 0; i < w->step.count; i++) {
        const ws_step *step = &w->step.at[i];
        if (step->kind == STEP_EQUATIONS || step->kind == STEP_IMPLICIT)
            take_equations(w, step, &equations);
        if (step->kind == STEP_QUANTITY) LIST_PUSH(w->arena, &quantities, told(w, &step->q));
    }
    v->equations = equations.count;
    v->equation = equations.at;
    v->quantities = quantities.count;
    v->quantity = quantities.at;
    ah_abbreviation *name = NEW_ARRAY(w->arena, ah_abbreviation, w->names.count);
    for (size_t i = 0; i < w->names.count; i++)
        name[i] = (ah_abbreviation){w->names.at[i].stands, w->names.at[i].meaning};
    v->names = w->names.count;
    v->name = name;
    return v;
}

/* ---- The question ---------------------------------------------------------------------------- */

static ah_equations *derived(ah_answer *a, const ah_derive_options *o, const formalism *f)
{
    const derive_options options = {.orthonormal = o->orthonormal,
                                    .compare_reduced = o->compare_reduced};
    const char *why = NULL, *instead = NULL;
    ah_equations *eq = derive_equations(a->model, f, &options, &why, &instead);
    if (eq) return eq;
    a->status = AH_E_REFUSED;
    diag(a->model->ctx, A0502, NOWHERE, "%s: %s", f->name, why);
    if (instead) diag_hint(a->model->ctx, "use --method %s", instead);
    return NULL;
}

static void find(ah_answer *a, const void *options)
{
    const ah_derive_options *o = options;
    const formalism *f = o->method ? derive_find_or_report(a->model->ctx, o->method)
                                   : derive_default(derive_mechanics(a->model));
    ah_equations *eq = f ? derived(a, o, f) : NULL;
    if (!eq) return;
    const worksheet_part part = o->steps ? WORKSHEET_STEPS : WORKSHEET_RESULT;
    worksheet *w = o->method ? worksheet_make(eq, part) : worksheet_make_usual(eq, part);
    w->fragment = o->fragment;
    a->found = w;
    a->values = values_of(w);
}

static const char *write(const ah_answer *a, ah_format format)
{
    return worksheet_write(a->found, format);
}

ah_status ah_derive(ah_model *m, const ah_derive_options *options, ah_answer **out)
{
    static const answer_question question = {AH_DERIVE, find, write};
    ah_derive_options o = ah_derive_defaults();
    if (out) *out = NULL;
    return base_take_options(m ? m->ctx : NULL, &o, sizeof o, options)
               ? answer_ask(m, &question, &o, out)
               : AH_E_INPUT;
}

const ah_derive_values *ah_answer_derive(const ah_answer *a)
{
    return answer_values(a, AH_DERIVE);
}

const char *ah_derive_formats(void)
{
    return worksheet_formats();
}

bool ah_find_derive_format(const char *name, ah_format *format)
{
    return name && format && worksheet_find_format(name, format);
}

size_t ah_method_count(void)
{
    size_t count = 0;
    while (derive_formalisms[count]) count++;
    return count;
}

const char *ah_method_name(size_t index)
{
    return index < ah_method_count() ? derive_formalisms[index]->name : NULL;
}

const char *ah_method_title(size_t index)
{
    return index < ah_method_count() ? derive_formalisms[index]->title : NULL;
}
