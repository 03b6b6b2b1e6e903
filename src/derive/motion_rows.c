/* derive/motion_rows.c - the motion as it stands, stated once for all who need it apart from a method:
 *
 *     M a − L − Jᵀλ = 0,      J a + γ = 0
 *
 * as columns of expressions (IDA, the vector field, its slopes), and as sheets of what claims may name. */
#include "derive.h"

/* M a; of a long tree, whose M is full, as the rate of p = M v along a. */
static mat inertia_times(const mechanics *k, arena *to, mat a)
{
    if (!k->tree) return mat_mul(k->ctx, to, mechanics_mass(k), a);
    ah_expr *p = mat_to_dense(k->ctx, to, k->p);
    const ah_expr *seed = mat_to_dense(k->ctx, to, a);
    expr_forward_all(k->ctx, p, k->n, k->n, k->model->v.at, seed, p);
    return mat_from_dense(k->ctx, to, k->n, 1, p);
}

mat derive_balance(const mechanics *k, arena *to, mat a, mat J, mat lambda)
{
    const mat force = mat_sub(k->ctx, to, inertia_times(k, to, a), k->L);
    if (J.rows == 0) return force;
    const mat reaction = mat_mul(k->ctx, to, mat_transpose(k->ctx, to, J), lambda);
    return mat_sub(k->ctx, to, force, reaction);
}

mat derive_slip_rate(const mechanics *k, arena *to, mat a, mat J, mat gamma)
{
    return mat_add(k->ctx, to, mat_mul(k->ctx, to, J, a), gamma);
}

/* ---- As sheets ------------------------------------------------------------------------------- */

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
    const quantity M = sheet_leaf(s, mechanics_mass(k)), L = sheet_leaf(s, k->L);
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

const formalism derive_motion_by_chart = {
    .name = "motion through the chart",
    .accepts = derive_needs_velocity_level,
    .derive = motion_by_chart,
};
const formalism derive_motion_by_multipliers = {
    .name = "motion through multipliers",
    .accepts = derive_needs_acceleration_linear,
    .derive = motion_by_multipliers,
};
