/* claims/claim_names.c - names in claims, and where their values stand. */
#include "claim.h"

#include <stdlib.h>
#include <string.h>

/* ---- Names in claims ------------------------------------------------------------------------- */

bool claim_locate(const verification *v, ah_expr symbol, int *extra, uint32_t *row, uint32_t *col)
{
    static const int extras[DERIVED_KINDS] = {[DERIVED_G] = MOTION_G + 1,
                                              [DERIVED_GZ] = MOTION_GZ + 1,
                                              [DERIVED_LAMBDA] = MOTION_LAMBDA + 1,
                                              [DERIVED_REACTION] = MOTION_REACTION + 1};
    derived_ref d;
    if (!model_find_derived(v->model, symbol, &d) || !extras[d.what]) return false;
    *extra = extras[d.what] - 1;
    *row = d.index[0];
    *col = d.index[1];
    return true;
}

bool claim_beta(const verification *v, ah_expr symbol, uint32_t *entry)
{
    const uint32_t n = v->mech->n;
    derived_ref d;
    if (!model_find_derived(v->model, symbol, &d) || d.what != DERIVED_BETA || d.index[2] >= n)
        return false;
    *entry = (d.index[0] * (n + 1) + d.index[1]) * n + d.index[2];
    return true;
}

quantity claim_extra(const ah_equations *eq, const char *name)
{
    for (size_t i = 0; eq && i < eq->extras.count; i++)
        if (!strcmp(eq->extras.at[i].name, name)) return eq->extras.at[i].value;
    return QUANTITY_NONE;
}

ah_expr claim_expand(verification *v, ah_expr e)
{
    LIST(ah_expr) from = {0}, to = {0};
    model_put_quasivelocities(v->model, &e, 1);
    const expr_list symbols = expr_symbols(v->ctx, v->arena, &e, 1);
    for (size_t i = 0; i < symbols.count; i++) {
        derived_ref d;
        ah_expr value;
        if (!model_find_derived(v->model, symbols.at[i], &d)) continue;
        if (d.what == DERIVED_MASS)
            value = mat_get(v->ctx, mechanics_mass(v->mech), d.index[0], d.index[1]);
        else if (!claim_object_shown(v, symbols.at[i], &value))
            continue;
        LIST_PUSH(v->arena, &from, symbols.at[i]);
        LIST_PUSH(v->arena, &to, value);
    }
    return when_put(v, expr_subst(v->ctx, e, from.count, from.at, to.at));
}

model_claim claim_mapped(verification *v, const model_claim *claim,
                         ah_expr (*map)(verification *v, ah_expr e))
{
    model_claim out = *claim;
    out.left = map(v, claim->left);
    out.right = map(v, claim->right);
    out.needs = (model_needs){0};
    for (size_t i = 0; i < claim->needs.count; i++) {
        model_need n = claim->needs.at[i];
        n.a = map(v, n.a);
        if (n.b != AH_NONE) n.b = map(v, n.b);
        LIST_PUSH(v->arena, &out.needs, n);
    }
    return out;
}
