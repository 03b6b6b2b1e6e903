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

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quantity M = derive_leaf(eq, k->M, "M", "\\partial^2 T / \\partial \\dot{q}^2");
    const quantity L = derive_leaf(eq, k->L, "L", NULL);
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
    sheet_final(s);
    sheet_show(s, b, NULL, NULL);
    sheet_final(s);

    /* The constraints as rows that complete the system: the annihilator of Ψ is J up to a basis. */
    const quantity N = sheet_annihilator(s, c.Psi);
    const quantity x =
        sheet_solve(s, sheet_stack(s, A, N), sheet_stack(s, b, sheet_mul(s, N, c.drift)));
    eq->qddot = sheet_name(s, x, "\\ddot{q}", NULL);
    if (c.E != QUANTITY_NONE) {
        eq->speeds_dot = sheet_mul(s, c.E, x);
        eq->chart_used = c.E;
    } else {
        eq->speeds = eq->speeds_dot_symbols = (mat){0};
    }
}

const formalism formalism_maggi = {
    .name = "maggi",
    .title = "Maggi's equations",
    .paper = "Maggi1896",
    .accepts = accepts,
    .derive = derive,
};
