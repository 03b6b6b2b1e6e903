/* Gauss' principle: docs/formalisms/gauss.md; [B07, eq. 4.1-4.8], [MP, eq. 2.7].
 *
 *     minimise  Z(a) = ½ aᵀ M a − aᵀ L   subject to   J a + γ = 0
 *
 * the same as ½ (a − a_f)ᵀ M (a − a_f), M a_f = L, where M is regular. Solved through an
 * orthonormal null space of J, never through multipliers or a chart: it is the referee of the other
 * methods. */
#include "derive.h"

static const char *accepts(mechanics *k, const char **instead)
{
    return derive_needs_acceleration_linear(k, instead);
}

typedef struct rows {
    quantity J, gamma;
} rows;

/* The minimum itself, of independent rows: those of redundant constraints have no unique multipliers. */
static void show_minimum(ah_equations *eq, quantity M, quantity L, rows on,
                         const chart_quantities *implied)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    if (!implied && k->r > k->rank) {
        const uint32_t *chosen = mechanics_independent_rows(k);
        on = (rows){sheet_rows(s, on.J, chosen, k->rank), sheet_rows(s, on.gamma, chosen, k->rank)};
    }
    const uint32_t r = sheet_get(s, on.J)->rows;
    sheet_section(s, "The accelerations of least constraint", "[B07, eq. 4.8]");
    if (r) sheet_text(s, "The least $Z$ under these conditions: $M \\ddot{q} - L = J^T \\lambda$.");
    const quantity a = sheet_gauss(s, M, on.J, L, on.gamma, r);
    sheet_equations(s, k->a, sheet_name(s, a, "\\ddot{q}", NULL), NULL, NULL);
    sheet_final(s);
    if (implied)
        derive_otherwise_directions(eq, M, L, *implied);
    else
        derive_otherwise_multipliers(eq, M, L, on.J, on.gamma);
}

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quantity M =
        derive_leaf(eq, mechanics_mass(k), "M", "\\partial^2 T / \\partial \\dot{q}^2");
    const quantity L = derive_leaf(eq, k->L, "L", DERIVE_FREE_FORCES);
    uint32_t rank = k->rank;
    quantity J = derive_leaf(eq, k->J, "J", "\\partial C / \\partial \\dot{q}");
    quantity gamma = derive_leaf(eq, k->gamma, "\\gamma", NULL);
    sheet_meaning(s, gamma, "\\frac{d}{dt} C - J \\ddot{q}");
    const bool implied = k->r == 0 && k->chart.kind == CHART_GIVEN;
    chart_quantities c;
    if (implied) {
        c = derive_chart_quantities(eq);
        J = sheet_name(s, sheet_annihilator(s, c.Psi), "J", NULL);
        sheet_meaning(s, J, "\\text{with } J \\Psi = 0");
        rank = k->n - k->chart.m;
        gamma = sheet_name(s, sheet_neg(s, sheet_mul(s, J, c.drift)), "\\gamma", "-J d");
        eq->speeds = eq->speeds_dot_symbols = (mat){0};
    }

    /* Gauss' function itself, in the accelerations. */
    const mat a_T = mat_transpose(k->ctx, k->arena, k->a);
    const mat half = mat_scale(k->ctx, k->arena, expr_rational(k->ctx, 1, 2),
                               mat_mul3(k->ctx, k->arena, a_T, mechanics_mass(k), k->a));
    const mat Z = mat_sub(k->ctx, k->arena, half, mat_mul(k->ctx, k->arena, a_T, k->L));

    sheet_section(s, "Gauss' function", "[B07, eq. 4.1]");
    sheet_show(s, M, NULL, NULL);
    sheet_show(s, L, NULL, NULL);
    sheet_show(s, derive_leaf(eq, Z, "Z", "\\frac{1}{2} \\ddot{q}^T M \\ddot{q} - \\ddot{q}^T L"),
               NULL, NULL);
    sheet_final(s);
    if (k->r || implied) {
        sheet_section(s, "Admissible accelerations: $J \\ddot{q} + \\gamma = 0$", "[B07, eq. 4.8]");
        sheet_show(s, J, NULL, NULL);
        sheet_final(s);
        sheet_show(s, gamma, NULL, NULL);
        sheet_final(s);
    }
    eq->qddot = sheet_name(s, sheet_gauss(s, M, J, L, gamma, rank), "\\ddot{q}", NULL);
    show_minimum(eq, M, L, (rows){J, gamma}, implied ? &c : NULL);
}

const formalism formalism_gauss = {
    .name = "gauss",
    .title = "Gauss' principle of least constraint",
    .paper = "B07",
    .accepts = accepts,
    .derive = derive,
};
