/* analyse/claim_objects.c - objects of a method's worksheet in claims: `by hamel: P[1] = …`.
 *
 * Each is an entry of a quantity of the sheet. In doubles and balls the sheet is run; in symbols it is worked
 * out in t, q, v (and in z or ω where the sheet is written in them). */
#include "claim.h"

#include <string.h>

/* One quantity that claims have named. */
typedef struct claim_object {
    const char *method, *word;
    uint32_t indices;
    eval_method at;
    quantity x;
    work *work;
} claim_object;

struct claim_objects {
    LIST(claim_object *) all;
};

/* Why the method has no such object; NULL: it has, and *f and *x say which. */
static const char *look_for(ah_model *m, derived_ref d, const formalism **f, quantity *x)
{
    const char *why, *instead;
    *f = derive_find(d.method);
    const ah_equations *eq = derive_equations(m, *f, NULL, &why, &instead);
    if (!eq) return why;
    *x = derive_object(eq, d.word, d.indices);
    if (*x == QUANTITY_NONE)
        return arena_printf(&m->ctx->job, "its worksheet calls nothing `%s` with %u %s", d.word,
                            d.indices, d.indices == 1 ? "index" : "indices");
    const sheet_node *node = sheet_get(eq->sheet, *x);
    const uint32_t rows = node->rows, cols = node->cols;
    if (d.index[0] < rows && d.index[1] < cols) return NULL;
    return arena_printf(&m->ctx->job, "`%s` has %u x %u entries", d.word, rows, cols);
}

static bool know_object(ah_model *m, derived_ref d, ah_span span)
{
    const formalism *f;
    quantity x;
    if (!derive_find(d.method)) {
        diag(m->ctx, A0501, span, "there is no method `%s`", d.method);
        diag_hint(m->ctx, "anholo check lists the methods that apply");
        return false;
    }
    const char *why = look_for(m, d, &f, &x);
    if (!why) return true;
    diag(m->ctx, A0503, span, "%s: %s", d.method, why);
    diag_hint(m->ctx, "anholo dump --stage=equations --method %s lists what it has", d.method);
    return false;
}

bool claim_objects_known(ah_model *m)
{
    bool known = true;
    for (size_t i = 0; i < m->claims.count; i++) {
        const model_claim *c = &m->claims.at[i];
        if (!c->method || c->left == AH_NONE) continue;
        const ah_expr sides[] = {c->left, c->right};
        const expr_list symbols = expr_symbols(m->ctx, &m->ctx->job, sides, 2);
        for (size_t k = 0; k < symbols.count; k++) {
            derived_ref d;
            if (model_find_derived(m, symbols.at[k], &d) && d.what == DERIVED_OBJECT)
                known = know_object(m, d, c->span) && known;
        }
    }
    return known;
}

static claim_object *find(verification *v, derived_ref d)
{
    if (!v->objects) v->objects = NEW(v->arena, struct claim_objects);
    for (size_t i = 0; i < v->objects->all.count; i++) {
        claim_object *o = v->objects->all.at[i];
        if (!strcmp(o->method, d.method) && !strcmp(o->word, d.word) && o->indices == d.indices)
            return o;
    }
    const formalism *f;
    quantity x;
    if (look_for(v->model, d, &f, &x)) return NULL;
    claim_object *o = NEW(v->arena, claim_object);
    *o = (claim_object){.method = d.method, .word = d.word, .indices = d.indices, .x = x};
    o->at = eval_prepare_with(v->model, f, x, v->arena);
    LIST_PUSH(v->arena, &v->objects->all, o);
    return o;
}

static bool is_object(const verification *v, ah_expr symbol, derived_ref *d)
{
    return model_find_derived(v->model, symbol, d) && d->what == DERIVED_OBJECT;
}

bool claim_object_place(verification *v, ah_expr symbol, motion_place *out)
{
    derived_ref d;
    claim_object *o = is_object(v, symbol, &d) ? find(v, d) : NULL;
    if (!o) return false;
    const uint32_t cols = sheet_get(o->at.eq->sheet, o->x)->cols;
    *out = (motion_place){&o->at, o->x, d.index[0] * cols + d.index[1], false};
    return true;
}

bool claim_object_value(verification *v, ah_expr symbol, ah_expr *out)
{
    derived_ref d;
    mat all;
    claim_object *o = is_object(v, symbol, &d) ? find(v, d) : NULL;
    const work_options options = {.values = true, .plain = true};
    if (!o || o->at.refused) return false;
    if (!o->work) o->work = work_create(o->at.eq, &options);
    if (!work_out(o->work, o->x, &all)) return false;
    *out = claim_expand(v, mat_get(v->ctx, all, d.index[0], d.index[1]));
    return true;
}
