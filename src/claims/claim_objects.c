/* claims/claim_objects.c - objects of a method's worksheet in claims: `by hamel: P[1] = …`.
 *
 * Each is an entry of a quantity of the sheet. In doubles and balls the sheet is run; in symbols it is worked
 * out in t, q, v (and in z or ω where the sheet is written in them). Where the sheet has a choice, of independent velocities
 * or of a basis, a run makes the one that is good at the state, and the sheet shows one: claims speak of that, as a
 * formula. */
#include "claim.h"

#include <string.h>

/* One quantity that claims have named. */
typedef struct claim_object {
    const char *method, *word;
    uint32_t indices;
    eval_method at;
    quantity x;
    bool choice; /* other independent velocities, or another basis, may give another value */
    work *work;
} claim_object;

struct claim_objects {
    LIST(claim_object *) all;
};

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
                known = derive_know_by_method(m, d, c->span) && known;
        }
    }
    return known;
}

/* Whether a quantity is made of what a run chooses at each state. Accelerations and reactive forces do not depend on it. */
static bool has_choice(verification *v, const ah_equations *eq, quantity x)
{
    if (x == eq->qddot || x == eq->reaction) return false;
    bool *used = NEW_ARRAY(v->arena, bool, (size_t) x + 1);
    used[x] = true;
    for (quantity i = x;; i--) {
        const sheet_node *node = sheet_get(eq->sheet, i);
        const sheet_op op = node->op;
        if (used[i] && (op == SHEET_CHART || op == SHEET_DRIFT || op == SHEET_INDEPENDENT ||
                        op == SHEET_ANNIHILATOR))
            return true;
        for (int k = 0; used[i] && op != SHEET_LEAF && k < 4; k++)
            if (node->in[k] != QUANTITY_NONE) used[node->in[k]] = true;
        if (i == 0) return false;
    }
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
    if (derive_find_by_method(v->model, d, &f, &x)) return NULL;
    claim_object *o = NEW(v->arena, claim_object);
    *o = (claim_object){.method = d.method, .word = d.word, .indices = d.indices, .x = x};
    o->at = eval_prepare_with(v->model, f, x, v->arena);
    o->choice = o->at.eq && has_choice(v, o->at.eq, x);
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
    if (!o || o->choice) return false;
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

bool claim_object_shown(verification *v, ah_expr symbol, ah_expr *out)
{
    derived_ref d;
    const claim_object *o = is_object(v, symbol, &d) ? find(v, d) : NULL;
    return o && o->choice && claim_object_value(v, symbol, out);
}
