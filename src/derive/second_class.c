/* Second-class constraints: docs/formalisms/second-class.md; [H, section 252].
 *
 * Constraints c(q, v, a, t) = 0 on the accelerations. By Gauss' principle the reaction is
 * R = λ ∂c/∂a:
 *
 *     M a = L + Σ λ ∂c/∂a,      c = 0
 *
 * Where c is linear in a this is one linear system. Where it is not, the solutions are the
 * stationary points of Gauss' function on c = 0: several, perhaps with several least ones, to be
 * found at a state (state/second_class.h). Constraints on positions and velocities may stand
 * beside; they enter brought to the accelerations. */
#include "derive.h"

static const char *accepts(mechanics *k, const char **instead)
{
    if (k->second_class) return NULL;
    *instead = k->r ? "multipliers" : "lagrange";
    return "no constraint is on the accelerations";
}

/* ½ aᵀ M a − aᵀ L, up to a term free of a. */
static mat gauss_function(mechanics *k)
{
    const mat a_T = mat_transpose(k->ctx, k->arena, k->a);
    const mat half = mat_scale(k->ctx, k->arena, expr_rational(k->ctx, 1, 2),
                               mat_mul3(k->ctx, k->arena, a_T, mechanics_mass(k), k->a));
    return mat_sub(k->ctx, k->arena, half, mat_mul(k->ctx, k->arena, a_T, k->L));
}

static mat constraint_column(mechanics *k)
{
    const mat linear = mat_add(k->ctx, k->arena, mat_mul(k->ctx, k->arena, k->J, k->a), k->gamma);
    ah_expr *c = mat_to_dense(k->ctx, k->arena, linear);
    for (uint32_t i = 0; i < k->r; i++)
        if (k->model->constraints.at[i].order == MODEL_ACCELERATION)
            c[i] = k->model->constraints.at[i].c;
    return mat_from_dense(k->ctx, k->arena, k->r, 1, c);
}

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quantity M =
        derive_leaf(eq, mechanics_mass(k), "M", "\\partial^2 T / \\partial \\dot{q}^2");
    const quantity L = derive_leaf(eq, k->L, "L", NULL);
    const quantity c = derive_leaf(eq, constraint_column(k), "c", NULL);
    sheet_meaning(s, L, DERIVE_FREE_FORCES);
    sheet_meaning(s, c, "\\text{the constraints of the model}");
    const quantity J = derive_leaf(eq, k->J, "J", "\\partial c / \\partial \\ddot{q}");
    const quantity Z = derive_leaf(eq, gauss_function(k), "Z",
                                   "\\frac{1}{2} \\ddot{q}^T M \\ddot{q} - \\ddot{q}^T L");
    sheet_section(s, "Gauss' function", "[H, section 252]");
    sheet_show(s, M, NULL, NULL);
    sheet_show(s, L, NULL, NULL);
    sheet_show(s, Z, NULL, NULL);
    sheet_final(s);
    sheet_section(s, "Constraints on the accelerations $c = 0$", "[H, section 252]");
    sheet_show(s, c, NULL, NULL);
    sheet_final(s);
    sheet_show(s, J, NULL, NULL);
    sheet_final(s);
    sheet_section(s, "Equations $M \\ddot{q} = L + J^T \\lambda$, $c = 0$", NULL);
    eq->branches = k->second_class_nonlinear;
    if (eq->branches) {
        const mat lambda = derive_multiplier_symbols(k, k->r);
        const mat reaction =
            mat_mul(k->ctx, k->arena, mat_transpose(k->ctx, k->arena, k->J), lambda);
        const mat inertia = mat_mul(k->ctx, k->arena, mechanics_mass(k), k->a);
        sheet_implicit(s, sheet_leaf(s, inertia),
                       sheet_leaf(s, mat_add(k->ctx, k->arena, k->L, reaction)), NULL,
                       "[H, section 252]");
        sheet_final(s);
        sheet_implicit(s, c, QUANTITY_NONE, NULL, NULL);
        sheet_final(s);
        sheet_text(s,
                   "They are not linear in $\\ddot{q}$: their solutions are the stationary points "
                   "of $Z$ on $c = 0$, found at each state. Where the least one is not unique, "
                   "Gauss' principle does not determine the motion.");
        sheet_final(s);
        return;
    }
    const quantity gamma = derive_leaf(eq, k->gamma, "\\gamma", "c - J \\ddot{q}");
    const quantity x = sheet_kkt(s, M, J, L, gamma, k->rank);
    sheet_show(s, gamma, NULL, NULL);
    sheet_final(s);
    eq->qddot = sheet_name(s, sheet_row_range(s, x, 0, k->n), "\\ddot{q}", NULL);
    eq->multipliers = sheet_name(s, sheet_row_range(s, x, k->n, k->r), "\\lambda", NULL);
    eq->reaction = sheet_mul(s, sheet_transpose(s, J), eq->multipliers);
    sheet_equations(s, k->a, eq->qddot, NULL, NULL);
    sheet_final(s);
    derive_otherwise_multipliers(eq, M, L, J, gamma);
}

const formalism formalism_second_class = {
    .name = "second-class",
    .title = "Constraints on the accelerations",
    .paper = "H",
    .accepts = accepts,
    .derive = derive,
};
