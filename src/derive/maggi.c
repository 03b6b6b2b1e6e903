/* Maggi's equations: docs/formalisms/maggi.md; [Maggi1896].
 *
 *     Ψᵀ ( d/dt ∂T/∂v − ∂T/∂q − K ) = 0   together with   J a + γ = 0
 *
 * solved for the accelerations themselves: n − r projected equations above the r constraints. */
#include "derive.h"

static const char *accepts(mechanics *k, const char **instead)
{
    return derive_needs_velocity_level(k, instead);
}

/* What the constraints say of the accelerations; of a `velocity` that stands alone, q'' = Ψ z' + d. */
static void show_constraints(ah_equations *eq, chart_quantities c, quantity a)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    if (k->r) {
        sheet_text(s, "together with the constraints, differentiated:");
        const uint32_t *rows = mechanics_independent_rows(k);
        const quantity J = sheet_rows(s, sheet_leaf(s, k->J), rows, k->rank);
        const quantity gamma = sheet_rows(s, sheet_leaf(s, k->gamma), rows, k->rank);
        sheet_implicit(s, sheet_mul(s, J, a), sheet_neg(s, gamma), NULL, NULL);
    } else {
        sheet_text(s, "together with $\\ddot{q} = \\Psi \\dot{z} + d$:");
        const quantity zdot = sheet_leaf(s, k->chart.zdot);
        sheet_equations(s, k->a, sheet_add(s, sheet_mul(s, c.Psi, zdot), c.drift), NULL, NULL);
    }
    sheet_final(s);
}

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quantity M =
        derive_leaf(eq, mechanics_mass(k), "M", "\\partial^2 T / \\partial \\dot{q}^2");
    const quantity L = derive_leaf(eq, k->L, "L", NULL);
    sheet_meaning(s, L, DERIVE_FREE_FORCES);
    const chart_quantities c = derive_chart_quantities(eq);
    const quantity PsiT = sheet_transpose(s, c.Psi);

    sheet_section(s, "Free directions", NULL);
    derive_show_chart(eq);
    sheet_show(s, c.Psi, NULL, NULL);
    sheet_section(s,
                  "Lagrange's expressions $\\frac{d}{dt} \\frac{\\partial T}{\\partial \\dot{q}} - "
                  "\\frac{\\partial T}{\\partial q} - K = M \\ddot{q} - L$",
                  "[Maggi1896]");
    sheet_show(s, M, NULL, NULL);
    sheet_show(s, L, NULL, NULL);

    sheet_section(s, "Maggi's equations $\\Psi^T M \\ddot{q} = \\Psi^T L$", NULL);
    const quantity A = sheet_name(s, sheet_mul(s, PsiT, M), "\\Psi^T M", NULL);
    const quantity b = sheet_name(s, sheet_mul(s, PsiT, L), "\\Psi^T L", NULL);
    sheet_show(s, A, NULL, NULL);
    sheet_show(s, b, NULL, NULL);
    const quantity a = sheet_leaf(s, k->a);
    derive_show_kinematics(eq);
    sheet_implicit(s, sheet_mul(s, A, a), b, NULL, "[Maggi1896]");
    sheet_final(s);
    if (k->chart.m < k->n) show_constraints(eq, c, a);

    /* The constraints as rows that complete the system: the annihilator of Ψ is J up to a basis. */
    const quantity N = sheet_annihilator(s, c.Psi);
    const quantity x =
        sheet_solve(s, sheet_stack(s, A, N), sheet_stack(s, b, sheet_mul(s, N, c.drift)));
    eq->qddot = sheet_name(s, x, "\\ddot{q}", NULL);
    if (c.E != QUANTITY_NONE) {
        eq->speeds_dot = sheet_mul(s, c.E, x);
        eq->chart_used = c.E;
    } else { /* from Ψ z' = q'' − d, in the metric of M */
        const quantity rest = sheet_sub(s, x, c.drift);
        eq->speeds_dot = sheet_solve(s, sheet_mul(s, A, c.Psi), sheet_mul(s, A, rest));
    }
}

const formalism formalism_maggi = {
    .name = "maggi",
    .title = "Maggi's equations",
    .paper = "Maggi1896",
    .accepts = accepts,
    .derive = derive,
};
