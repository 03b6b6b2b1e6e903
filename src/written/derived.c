/* written/derived.c - see derived.h. */
#include "derived.h"

#include <string.h>

const derived_kind derived_kinds[DERIVED_KINDS] = {
#define X(what, word, first, second, third) [DERIVED_##what] = {word, {first, second, third}},
#include "derived.def"
#undef X
};

size_t derived_arity(derived_what what)
{
    size_t arity = 0;
    while (arity < 3 && derived_kinds[what].by[arity] != BY_NOTHING) arity++;
    return arity;
}

static bool same(derived_ref a, derived_ref b)
{
    if (a.what != b.what || a.indices != b.indices) return false;
    if (a.what == DERIVED_OBJECT &&
        (strcmp(a.method, b.method) != 0 || strcmp(a.word, b.word) != 0))
        return false;
    return a.index[0] == b.index[0] && a.index[1] == b.index[1] && a.index[2] == b.index[2];
}

/* hamel:P[1]: the method belongs to the name, for others may have a P of their own. */
static const char *written_object(arena *a, derived_ref d)
{
    text t = text_begin(a);
    text_printf(&t, "%s:%s", d.method, d.word);
    for (uint32_t k = 0; k < d.indices; k++)
        text_printf(&t, "%c%u", k ? ',' : '[', (unsigned) d.index[k] + 1);
    if (d.indices) text_char(&t, ']');
    return text_end(&t);
}

/* One index as it is written: a number, `t` beyond the quasi-velocities, or by name. */
static void put_index(text *t, const ah_model *m, derived_ref d, size_t k, bool label)
{
    const derived_by by = derived_kinds[d.what].by[k];
    if (by == BY_OMEGA_OR_TIME && d.index[k] == m->n)
        text_char(t, 't');
    else if (d.what == DERIVED_REACTION)
        text_add(t, expr_get_name(m->ctx, m->q.at[d.index[k]]));
    else if (label && by == BY_CONSTRAINT)
        text_add(t, m->constraints.at[d.index[k]].label);
    else
        text_printf(t, "%u", (unsigned) d.index[k] + 1);
}

static const char *written(const ah_model *m, arena *a, derived_ref d, bool label)
{
    if (d.what == DERIVED_OBJECT) return written_object(a, d);
    text t = text_begin(a);
    text_add(&t, derived_kinds[d.what].word);
    for (size_t k = 0; k < derived_arity(d.what); k++) {
        text_char(&t, k ? ',' : '[');
        put_index(&t, m, d, k, label);
    }
    if (derived_arity(d.what)) text_char(&t, ']');
    return text_end(&t);
}

const char *model_derived_label(const ah_model *m, arena *a, derived_ref d)
{
    return written(m, a, d, true);
}

ah_expr model_derived_symbol(ah_model *m, derived_ref d)
{
    for (size_t i = 0; i < m->derived.count; i++)
        if (same(m->derived.at[i].stands_for, d)) return m->derived.at[i].symbol;
    const arena_mark mark = arena_get_mark(&m->ctx->scratch);
    const ah_expr symbol = expr_symbol(m->ctx, AH_DERIVED, written(m, &m->ctx->scratch, d, false));
    arena_release(&m->ctx->scratch, mark);
    LIST_PUSH(&m->ctx->job, &m->derived, ((model_derived){symbol, d}));
    return symbol;
}

ah_expr model_lambda(ah_model *m, uint32_t constraint)
{
    return model_derived_symbol(m, (derived_ref){DERIVED_LAMBDA, {constraint, 0, 0}});
}

ah_expr model_multiplier(const ah_model *m, size_t index, bool alone)
{
    char name[40];
    snprintf(name, sizeof name, alone ? "lambda" : "lambda%zu", index + 1);
    if (model_find(m, name)) /* different things have different names, in what machines read, too */
        snprintf(name, sizeof name, alone ? "multiplier" : "multiplier%zu", index + 1);
    return expr_symbol(m->ctx, AH_MULTIPLIER, name);
}

bool model_find_derived(const ah_model *m, ah_expr symbol, derived_ref *out)
{
    for (size_t i = 0; i < m->derived.count; i++)
        if (m->derived.at[i].symbol == symbol) {
            *out = m->derived.at[i].stands_for;
            return true;
        }
    return false;
}

const char *model_method_of(ah_model *m, ah_expr e, bool *mixed)
{
    const arena_mark mark = arena_get_mark(&m->ctx->scratch);
    const expr_list symbols = expr_symbols(m->ctx, &m->ctx->scratch, &e, 1);
    const char *method = NULL;
    *mixed = false;
    for (size_t i = 0; i < symbols.count; i++) {
        derived_ref d;
        if (expr_get_kind(m->ctx, symbols.at[i]) != AH_DERIVED ||
            !model_find_derived(m, symbols.at[i], &d) || d.what != DERIVED_OBJECT)
            continue;
        *mixed = *mixed || (method && strcmp(method, d.method));
        method = d.method;
    }
    arena_release(&m->ctx->scratch, mark);
    return method;
}
