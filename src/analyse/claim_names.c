/* analyse/claim_names.c - names in claims, and the motion as a sheet that holds their values. */
#include "claim.h"

#include <stdlib.h>
#include <string.h>

/* ---- The motion as a sheet ------------------------------------------------------------------ */

static void add_extra(ah_equations *eq, const char *name, quantity x)
{
    const struct equations_extra extra = {name, x};
    LIST_PUSH(eq->mech->arena, &eq->extras, extra);
}

/* Quantities that claims may name, in one sheet: accelerations through the chart, G, λ and R
 * besides. */
static void motion_sheet(ah_equations *eq, bool charted)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quantity M = sheet_leaf(s, k->M), L = sheet_leaf(s, k->L);
    const quantity J = sheet_leaf(s, k->J), gamma = sheet_leaf(s, k->gamma);
    const quantity F = sheet_solve(s, M, L), X = sheet_solve(s, M, sheet_transpose(s, J));
    const quantity G = sheet_mul(s, J, X);
    const quantity slip = sheet_add(s, sheet_mul(s, J, F), gamma);
    const quantity lambda = sheet_neg(s, sheet_solve(s, G, slip));
    quantity Gz = QUANTITY_NONE;
    if (charted) {
        const chart_quantities c = derive_chart_quantities(eq);
        const quantity PsiT = sheet_transpose(s, c.Psi);
        Gz = sheet_mul3(s, PsiT, M, c.Psi);
        const quantity Z = sheet_mul(s, PsiT, sheet_sub(s, L, sheet_mul(s, M, c.drift)));
        derive_finish_speeds(eq, c, sheet_solve(s, Gz, Z));
    } else {
        eq->qddot = k->r ? sheet_add(s, F, sheet_mul(s, X, lambda)) : F;
    }
    add_extra(eq, "G", G);
    add_extra(eq, "Gz", Gz);
    add_extra(eq, "lambda", lambda);
    add_extra(eq, "reaction", sheet_mul(s, sheet_transpose(s, J), lambda));
}

static void motion_by_chart(ah_equations *eq)
{
    motion_sheet(eq, true);
}

static void motion_by_multipliers(ah_equations *eq)
{
    motion_sheet(eq, false);
}

const formalism claim_by_chart = {
    .name = "motion through the chart",
    .accepts = derive_needs_velocity_level,
    .derive = motion_by_chart,
};
const formalism claim_by_multipliers = {
    .name = "motion through multipliers",
    .accepts = derive_needs_acceleration_linear,
    .derive = motion_by_multipliers,
};

/* ---- Names in claims ---------------------------------------------------------------------- */

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
    for (size_t i = 0; i < v->model->quasivelocities.count; i++) {
        const model_speed *w = &v->model->quasivelocities.at[i];
        LIST_PUSH(v->arena, &from, w->symbol);
        LIST_PUSH(v->arena, &to, w->definition);
        LIST_PUSH(v->arena, &from, expr_dot(v->ctx, w->symbol));
        LIST_PUSH(v->arena, &to, expr_dt(v->ctx, w->definition));
    }
    const expr_list symbols = expr_symbols(v->ctx, v->arena, &e, 1);
    for (size_t i = 0; i < symbols.count; i++) {
        derived_ref d;
        if (!model_find_derived(v->model, symbols.at[i], &d) || d.what != DERIVED_MASS) continue;
        LIST_PUSH(v->arena, &from, symbols.at[i]);
        LIST_PUSH(v->arena, &to, mat_get(v->ctx, v->mech->M, d.index[0], d.index[1]));
    }
    return expr_subst(v->ctx, e, from.count, from.at, to.at);
}
