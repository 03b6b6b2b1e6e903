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

bool claim_parse(const char *name, derived_name *out)
{
    const char *open = strchr(name, '[');
    memset(out, 0, sizeof *out);
    if (!open || (size_t) (open - name) >= sizeof out->head) return false;
    memcpy(out->head, name, (size_t) (open - name));
    const char *s = open + 1;
    while (*s && out->count < 3) {
        const size_t n = strcspn(s, ",");
        const bool last = s[n] == 0;
        size_t length = last && n ? n - 1 : n; /* without the closing bracket */
        if (length >= sizeof out->text[0]) return false;
        memcpy(out->text[out->count], s, length);
        out->index[out->count] = strtol(out->text[out->count], NULL, 10);
        out->count++;
        s += n + !last;
        if (last) break;
    }
    return out->count > 0;
}

static bool in_range(long i, uint32_t n)
{
    return i >= 1 && (uint64_t) i <= n;
}

bool claim_locate(const verification *v, const derived_name *d, int *extra, uint32_t *row,
                  uint32_t *col)
{
    const uint32_t r = v->mech->r, m = v->mech->chart.m;
    *row = (uint32_t) d->index[0] - 1;
    *col = d->count > 1 ? (uint32_t) d->index[1] - 1 : 0;
    if (!strcmp(d->head, "G")) {
        *extra = MOTION_G;
        return d->count == 2 && in_range(d->index[0], r) && in_range(d->index[1], r);
    }
    if (!strcmp(d->head, "Gz")) {
        *extra = MOTION_GZ;
        return d->count == 2 && in_range(d->index[0], m) && in_range(d->index[1], m);
    }
    if (!strcmp(d->head, "lambda")) {
        *extra = MOTION_LAMBDA;
        return d->count == 1 && in_range(d->index[0], r);
    }
    if (!strcmp(d->head, "reaction")) {
        const int i = model_find_coordinate(v->model, d->text[0]);
        *extra = MOTION_REACTION;
        *row = (uint32_t) i;
        return d->count == 1 && i >= 0;
    }
    return false;
}

static bool is_mass(const verification *v, const derived_name *d)
{
    return !strcmp(d->head, "M") && d->count == 2 && in_range(d->index[0], v->mech->n) &&
           in_range(d->index[1], v->mech->n);
}

bool claim_beta(const verification *v, const derived_name *d, uint32_t *entry)
{
    const uint32_t n = v->mech->n;
    const bool time = !strcmp(d->text[1], "t");
    if (strcmp(d->head, "beta") || d->count != 3 || !in_range(d->index[0], n) ||
        !in_range(d->index[2], n) || (!time && !in_range(d->index[1], n)))
        return false;
    const uint32_t t = time ? n : (uint32_t) d->index[1] - 1;
    *entry = ((uint32_t) (d->index[0] - 1) * (n + 1) + t) * n + (uint32_t) d->index[2] - 1;
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
        derived_name d;
        if (expr_get_kind(v->ctx, symbols.at[i]) != AH_DERIVED ||
            !claim_parse(expr_get_name(v->ctx, symbols.at[i]), &d) || !is_mass(v, &d))
            continue;
        LIST_PUSH(v->arena, &from, symbols.at[i]);
        LIST_PUSH(
            v->arena, &to,
            mat_get(v->ctx, v->mech->M, (uint32_t) d.index[0] - 1, (uint32_t) d.index[1] - 1));
    }
    return expr_subst(v->ctx, e, from.count, from.at, to.at);
}
