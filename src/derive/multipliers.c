/* Multipliers: docs/formalisms/multipliers.md; [B11, eq. 3.21-3.28], [B07, eq. 8.6-8.13], [MP,
 * eq. 3.17-3.20].
 *
 *     λ = −G⁻¹ (J F + γ),   G = J M⁻¹ Jᵀ,   F = M⁻¹ L,      a = F + M⁻¹ Jᵀ λ,      R = Jᵀ λ
 *
 * C(q, v, t) may be non-linear in v: J is ∂C/∂v. F is an acceleration: M⁻¹ is already applied; with
 * unit masses the force L in its place goes unnoticed. This is the form we display, in the order of
 * B11's worksheet; it needs a regular M. Numbers come from the KKT system as a whole, which does
 * not. */
#include "derive.h"

static const char *accepts(mechanics *k, const char **instead)
{
    return derive_needs_acceleration_linear(k, instead);
}

/* Implicit constraints for a `velocity` that stands alone: the annihilator of Ψ. */
static chart_quantities implicit_rows(ah_equations *eq, quantity *J, quantity *gamma)
{
    sheet *s = eq->sheet;
    const chart_quantities c = derive_chart_quantities(eq);
    *J = sheet_name(s, sheet_annihilator(s, c.Psi), "C^a_i", NULL);
    sheet_meaning(s, *J, "\\text{with } C^a_i \\Psi^i_\\alpha = 0");
    *gamma = sheet_name(s, sheet_neg(s, sheet_mul(s, *J, c.drift)), "\\gamma^a", "-C^a_i d^i");
    eq->speeds = eq->speeds_dot_symbols = (mat){0};
    return c;
}

/* Of redundant constraints the worksheet has an independent set: G of all would be singular. The
 * accelerations and reactive forces are the same, and the multipliers of the others zero. */
static void independent_rows(ah_equations *eq, quantity *J, quantity *gamma)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const uint32_t *rows = mechanics_independent_rows(k);
    bool *used = NEW_ARRAY(k->arena, bool, k->r + 1);
    for (uint32_t i = 0; i < k->rank; i++) used[rows[i]] = true;
    text left = text_begin(k->arena);
    for (uint32_t i = 0; i < k->r; i++)
        if (!used[i])
            text_printf(&left, "%s%s", left.length ? ", " : "", k->model->constraints.at[i].label);
    sheet_text(s,
               "The constraints depend on each other. Where the rest is independent these follow "
               "from it, and their multipliers may be taken as zero: %s.",
               text_end(&left));
    *J = sheet_name(s, sheet_rows(s, *J, rows, k->rank), "C^a_i",
                    "\\partial C^a / \\partial \\dot{q}^i");
    *gamma = sheet_name(s, sheet_rows(s, *gamma, rows, k->rank), "\\gamma^a",
                        sheet_get(s, *gamma)->formula);
}

/* The equations of motion under redundant constraints, whose G has no inverse: along the directions Ψ
 * that they leave, q̈ = Ψ (Ψᵀ g Ψ)⁻¹ Ψᵀ (L − g d) + d. false: Ψ is not known in symbols. */
static bool equations_along(ah_equations *eq, quantity M, quantity L, quantity J, quantity gamma)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const chart *c = k->r > k->rank && k->linear ? mechanics_linear_chart(k, false, NULL) : NULL;
    if (!c || c->m == 0) return false;
    sheet_section(s, "Equations of motion", NULL);
    const quantity Psi = derive_leaf(eq, c->Psi, "\\Psi", NULL), PsiT = sheet_transpose(s, Psi);
    const quantity d = derive_leaf(eq, c->drift, "d", NULL);
    sheet_text(s,
               "The constraints leave the directions $\\Psi$: $\\ddot{q} = \\Psi \\dot{z} + d$.");
    sheet_show(s, Psi, NULL, NULL);
    sheet_show(s, d, NULL, NULL);
    const quantity zdot = sheet_solve(s, sheet_mul3(s, PsiT, M, Psi),
                                      sheet_mul(s, PsiT, sheet_sub(s, L, sheet_mul(s, M, d))));
    const quantity D = sheet_name(s, sheet_add(s, sheet_mul(s, Psi, zdot), d), "D^i",
                                  "\\Psi (\\Psi^T g \\Psi)^{-1} \\Psi^T (L - g d) + d");
    sheet_equations(s, k->a, D, NULL, NULL);
    sheet_final(s);
    derive_otherwise_multipliers(eq, M, L, J, gamma);
    return true;
}

/* π^{ij} = C^i_a C^{aj} and g^{ij} − π^{ij}, both indices above, as B07 has them. */
static void show_second_recipe(ah_equations *eq, quantity M, quantity Cup, quantity X)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quantity one = sheet_leaf(s, mat_identity(k->ctx, k->arena, k->n));
    const quantity pi =
        sheet_name(s, sheet_mul(s, X, sheet_transpose(s, Cup)), "\\pi^{ij}", "C^i_a C^{aj}");
    const quantity rest = sheet_sub(s, sheet_solve(s, M, one), pi);
    sheet_show(s, pi, "$C^i_a$ of B07 is $X^i_a$", "[B07, eq. 8.11]");
    sheet_show(s, sheet_name(s, rest, "g^{ij} - \\pi^{ij}", NULL),
               "$\\ddot{q}^i = (g^{ij} - \\pi^{ij}) L_j - C^i_a \\gamma^a$", "[B07, eq. 8.12]");
}

/* B11's boxes [1]-[11], from the metric to D. */
static void worksheet(ah_equations *eq, quantity M, quantity L, quantity J, quantity gamma,
                      const chart_quantities *implied)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const mat T = mat_from_dense(k->ctx, k->arena, 1, 1, &k->T);

    sheet_section(s, "Kinetic energy and metric", "[B11, 4.1 box 1]");
    sheet_show(s,
               sheet_meaning(s, sheet_as_written(s, derive_leaf(eq, T, "K", NULL)),
                             "\\text{the kinetic energy of the model}"),
               NULL, NULL);
    sheet_show(s, M, NULL, NULL);
    const quantity one = sheet_leaf(s, mat_identity(k->ctx, k->arena, k->n));
    const quantity up = sheet_name(s, sheet_solve(s, M, one), "g^{ij}", NULL);
    sheet_show(s, sheet_meaning(s, up, "(g_{ij})^{-1}"), NULL, NULL);
    const quantity F = sheet_name(s, sheet_solve(s, M, L), "F^i", "g^{ij} L_j");
    sheet_section(s, "Free accelerations", "[B11, 4.1 box 2]");
    sheet_show(s, L, NULL, NULL);
    sheet_show(s, F, NULL, "[B11, eq. 3.22]");
    if (sheet_get(s, J)->rows == 0) {
        sheet_section(s, "Equations of motion", NULL);
        sheet_equations(s, k->a, F, NULL, NULL);
        sheet_final(s);
        sheet_otherwise(s, k->a, M, L);
        return;
    }

    sheet_section(s, "Constraints", "[B11, 4.1 boxes 3-8]");
    if (k->second_class) /* C says nothing of what binds accelerations */
        sheet_show(
            s,
            sheet_name(s, sheet_add(s, sheet_mul(s, J, sheet_leaf(s, k->a)), gamma), "c^a", NULL),
            "what vanishes", NULL);
    else if (k->r)
        sheet_show(s,
                   sheet_meaning(s, derive_leaf(eq, k->C, "C^a", NULL),
                                 "\\text{the constraints of the model}"),
                   NULL, NULL);
    else
        sheet_text(s, "The constraints are those that the parametric form implies.");
    if (k->r > k->rank) independent_rows(eq, &J, &gamma);
    sheet_show(s, J, NULL, NULL);
    const quantity Cup =
        sheet_name(s, sheet_solve(s, M, sheet_transpose(s, J)), "C^{ai}", "g^{ij} C^a_j");
    sheet_show(s, Cup, NULL, "[B11, eq. 3.19]");
    const quantity G = sheet_name(s, sheet_mul(s, J, Cup), "G^{ab}", "C^{ai} C^b_i");
    sheet_show(s, G, NULL, "[B11, eq. 3.23]");
    const quantity X = sheet_name(s, sheet_transpose(s, sheet_solve(s, G, sheet_transpose(s, Cup))),
                                  "X^i_a", "G_{ab} C^{bi}");
    sheet_show(s, X, NULL, NULL);
    const quantity pi = sheet_name(s, sheet_mul(s, X, J), "\\pi^i_j", "X^i_a C^a_j");
    sheet_show(s, pi, NULL, NULL);
    sheet_show(s, sheet_name(s, sheet_sub(s, one, pi), "\\delta^i_j - \\pi^i_j", NULL), NULL, NULL);
    sheet_again(s);
    if (derive_source(k, "Benenti 2007")) show_second_recipe(eq, M, Cup, X);
    sheet_show(s, gamma, NULL, "[B11, 4.1 box 9]");

    sheet_section(s, "Multipliers and reactive forces", NULL);
    const quantity slip = sheet_add(s, sheet_mul(s, J, F), gamma);
    const quantity lambda = sheet_name(s, sheet_neg(s, sheet_solve(s, G, slip)), "\\lambda_a",
                                       "-G_{ab} (C^b_i F^i + \\gamma^b)");
    sheet_show(s, lambda, NULL, "[B11, eq. 3.27]");
    sheet_final(s);
    const quantity R =
        sheet_name(s, sheet_mul(s, sheet_transpose(s, J), lambda), "R_i", "\\lambda_a C^a_i");
    sheet_show(s, R, NULL, "[B11, eq. 3.28]");
    sheet_final(s);

    if (equations_along(eq, M, L, J, gamma)) return;
    sheet_section(s, "Equations of motion", "[B11, 4.1 boxes 10-11]");
    const quantity D = sheet_name(s, sheet_sub(s, F, sheet_mul(s, X, slip)), "D^i",
                                  "F^i - X^i_a (C^a_j F^j + \\gamma^a)");
    sheet_equations(s, k->a, D, NULL, "[B11, eq. 3.21]");
    sheet_final(s);
    if (implied)
        derive_otherwise_directions(eq, M, L, *implied);
    else
        derive_otherwise_multipliers(eq, M, L, J, gamma);
}

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    if (derive_by_bodies(eq)) return;
    const quantity M =
        derive_leaf(eq, mechanics_mass(k), "g_{ij}", "\\partial^2 K / \\partial \\dot{q}^2");
    const quantity L = derive_leaf(eq, k->L, "L_i", "A_i - \\Gamma_{hk,i} \\dot{q}^h \\dot{q}^k");
    quantity J = derive_leaf(eq, k->J, "C^a_i",
                             k->second_class ? "\\partial c^a / \\partial \\ddot{q}^i"
                                             : "\\partial C^a / \\partial \\dot{q}^i");
    quantity gamma = derive_leaf(eq, k->gamma, "\\gamma^a",
                                 k->second_class ? "c^a - C^a_i \\ddot{q}^i"
                                                 : "\\dot{q}^l \\partial C^a / \\partial q^l + "
                                                   "\\partial C^a / \\partial t");
    const bool implied = k->r == 0 && k->chart.kind == CHART_GIVEN;
    chart_quantities given;
    if (implied) given = implicit_rows(eq, &J, &gamma);
    const size_t before = s->steps.count;
    worksheet(eq, M, L, J, gamma, implied ? &given : NULL);
    derive_carried(eq, before);

    const uint32_t r = sheet_get(s, J)->rows;
    const quantity x = sheet_kkt(s, M, J, L, gamma, implied ? r : k->rank);
    const quantity lambda = sheet_row_range(s, x, k->n, r);
    eq->qddot = sheet_row_range(s, x, 0, k->n);
    eq->reaction = sheet_mul(s, sheet_transpose(s, J), lambda);
    if (!implied) eq->multipliers = lambda; /* an arbitrary basis of the reactions has no meaning */
}

const formalism formalism_multipliers = {
    .name = "multipliers",
    .title = "Lagrange's equations with multipliers",
    .paper = "B11",
    .accepts = accepts,
    .derive = derive,
};
