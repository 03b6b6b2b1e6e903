/* export/linear_tables.c - a linear model as tables of numbers: y' = rate + A y + B u, o = C y + D u. */
#include "exported.h"

#include <math.h>
#include <string.h>

/* ---- Names ----------------------------------------------------------------------------------- */

static void add(exported *e, exported_items *list, const char *name, const char *unit, double value)
{
    const exported_item item = {.name = arena_harmless(e->arena, name),
                                .unit = unit ? arena_harmless(e->arena, unit) : NULL,
                                .value = value};
    LIST_PUSH(e->arena, list, item);
}

static double value_of(const ah_values *v, ah_expr symbol)
{
    for (size_t i = 0; i < v->count; i++)
        if (v->symbol[i] == symbol) return v->value[i];
    return NAN;
}

void export_linear(exported *e)
{
    const ah_linearise_values *linear = e->linear;
    for (size_t i = 0; i < linear->states; i++)
        add(e, &e->linear_states, expr_text(e->ctx, e->arena, linear->state[i], AH_ASCII),
            linear->unit[i], value_of(&linear->motion.state, linear->state[i]));
    for (size_t i = 0; i < linear->inputs; i++)
        add(e, &e->linear_inputs, linear->input[i].name, linear->input[i].unit,
            linear->input[i].value);
    for (size_t i = 0; i < linear->outputs; i++)
        add(e, &e->linear_outputs, linear->output[i].name, linear->output[i].unit,
            linear->output[i].value);
    export_linear_formulas(e);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static void matrix(const exported *e, text *t, size_t rows, size_t columns, const double *x)
{
    const char *const *word = e->language->matrix;
    if (!rows || (!columns && *word[5] == '{')) {
        text_add(t, word[5]);
        return;
    }
    text_add(t, word[0]);
    for (size_t i = 0; i < rows; i++) {
        text_printf(t, "%s%s", i ? word[3] : "", word[1]);
        for (size_t k = 0; k < columns; k++) {
            if (k) text_add(t, ", ");
            export_number(e, t, x[i * columns + k]);
        }
        text_add(t, word[2]);
    }
    text_add(t, word[4]);
}

static void vector(const exported *e, text *t, size_t count, const double *x)
{
    const char *const *word = e->language->matrix;
    text_add(t, count ? word[0] : word[5]);
    for (size_t i = 0; i < count; i++) {
        if (i) text_add(t, word[3]);
        export_number(e, t, x[i]);
    }
    if (count) text_add(t, word[4]);
}

static void values(const exported *e, text *t, const exported_items *list)
{
    double *x = NEW_ARRAY(e->arena, double, list->count + 1);
    for (size_t i = 0; i < list->count; i++) x[i] = list->at[i].value;
    vector(e, t, list->count, x);
}

size_t export_linear_count(const exported *e, const char *name)
{
    const ah_linearise_values *l = e->linear;
    if (!l || name[1]) return 0;
    return (*name == 'A' || *name == 'B' ? l->states : l->outputs) *
           (*name == 'A' || *name == 'C' ? l->states : l->inputs);
}

bool export_linear_table(const exported *e, text *t, const char *name)
{
    const ah_linearise_values *l = e->linear;
    if (!l) return false;
    if (!strcmp(name, "rate")) return vector(e, t, l->states, l->rate), true;
    switch (*name) {
    case 'A': return matrix(e, t, l->states, l->states, l->A), true;
    case 'B': return matrix(e, t, l->states, l->inputs, l->B), true;
    case 'C': return matrix(e, t, l->outputs, l->states, l->C), true;
    case 'D': return matrix(e, t, l->outputs, l->inputs, l->D), true;
    case 'y': return values(e, t, &e->linear_states), true;
    case 'u': return values(e, t, &e->linear_inputs), true;
    case 'o': return values(e, t, &e->linear_outputs), true;
    }
    return false;
}
