/* Parametric form: docs/formalisms/parametric.md; [B11, eq. 3.12-3.16].
 *
 *     z' = Gz⁻¹ Ψᵀ ( L(q, ψ, t) − M (ψ_q ψ + ψ_t) ),      v = ψ(q, z, t),  Ψ = ∂ψ/∂z,  Gz = Ψᵀ M Ψ
 *
 * Trap: [B07, eq. 6.1-7.5] drop the term M ψ_q ψ, and all four of B07's examples hide it. */
#include "derive.h"

static const char *accepts(mechanics *k, const char **instead)
{
    return derive_needs_velocity_level(k, instead);
}

/* Of a kinematic model q' = ψ(q, z, t) is all, z and z' are inputs. */
static void derive_kinematic(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const chart_quantities c = derive_chart_quantities(eq);
    sheet_section(s, "Velocities", NULL);
    sheet_text(s, "The model gives the velocities through its inputs.");
    sheet_show(s, c.Psi, NULL, NULL);
    sheet_section(s, "Equations of motion", NULL);
    derive_show_kinematics(eq);
    derive_finish_speeds(eq, c, derive_leaf(eq, k->chart.zdot, "\\dot{z}", NULL));
}

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    if (k->model->kinematic) {
        derive_kinematic(eq);
        return;
    }
    const mat T = mat_from_dense(k->ctx, k->arena, 1, 1, &k->T);
    const quantity M =
        derive_leaf(eq, mechanics_mass(k), "g_{ij}", "\\partial^2 T / \\partial \\dot{q}^2");
    const quantity L = derive_leaf(eq, k->L, "L_i", "A_i - \\Gamma_{hk,i} \\psi^h \\psi^k");
    const chart_quantities c = derive_chart_quantities(eq);

    sheet_section(s, "Kinetic energy and metric", NULL);
    sheet_show(s,
               sheet_meaning(s, sheet_as_written(s, derive_leaf(eq, T, "T", NULL)),
                             "\\text{the kinetic energy of the model}"),
               NULL, NULL);
    sheet_show(s, M, NULL, NULL);
    sheet_section(s, "Velocities", "[B11, eq. 3.1]");
    derive_show_chart(eq);
    sheet_show(s, c.Psi, NULL, NULL);
    sheet_show(s, c.drift, NULL, NULL);

    sheet_section(s, "Reduced metric and forces", "[B11, eq. 3.13]");
    const quantity PsiT = sheet_transpose(s, c.Psi);
    const quantity Gz =
        sheet_name(s, sheet_mul3(s, PsiT, M, c.Psi), "G_{\\alpha\\beta}", "\\Psi^T g \\Psi");
    sheet_show(s, Gz, NULL, NULL);
    sheet_show(s, L, NULL, NULL);
    const quantity Z = sheet_name(s, sheet_mul(s, PsiT, sheet_sub(s, L, sheet_mul(s, M, c.drift))),
                                  "Z_\\alpha", "\\Psi^T (L - g d)");
    sheet_show(s, Z, derive_source(k, "Benenti 2007") ? "the term $g d$ is missing in B07" : NULL,
               NULL);

    const quantity one = sheet_leaf(s, mat_identity(k->ctx, k->arena, k->chart.m));
    const quantity Gup = sheet_name(s, sheet_solve(s, Gz, one), "G^{\\alpha\\beta}", NULL);
    sheet_meaning(s, Gup, "(G_{\\alpha\\beta})^{-1}");
    sheet_text(s, "The matrix $\\Psi$ has rank %u where $G_{\\alpha\\beta}$ has an inverse.",
               k->chart.m);
    sheet_show(s, Gup, NULL, "[B07, eq. 6.3]");

    sheet_section(s, "Equations of motion", "[B11, eq. 3.12]");
    derive_show_kinematics(eq);
    const quantity zdot = sheet_name(s, sheet_solve(s, Gz, Z), "\\dot{z}", "G^{-1} Z");
    sheet_equations(s, k->chart.zdot, zdot, NULL, NULL);
    sheet_final(s);
    derive_finish_speeds(eq, c, zdot);
}

const formalism formalism_parametric = {
    .name = "parametric",
    .title = "Equations in velocity parameters",
    .paper = "B11",
    .accepts = accepts,
    .derive = derive,
};
