/* The Boltzmann-Hamel equations of rheonomic systems: docs/formalisms/boltzmann-hamel.md;
 * [T, eq. 11-18].
 *
 *     α(q,t) v + β(q,t) = 0,   η = Z(q,t) v + ψ(q,t),   W = (Z; α),   W⁻¹ = (Γ Θ),
 *     v = Γ(η − ψ) − Θβ,   L̃(q,η,t) = L(q,v,t),   p = ∂L̃/∂η,   μ = Θᵀ ∂L/∂v,   ζ = αv + β
 *
 *     p' − Γᵀ ∇_q L̃ + Γᵀ (Z' − J_q η)ᵀ p + Γᵀ (α' − J_q ζ)ᵀ μ = Γᵀ F                         (17c)
 *
 * v is held fixed inside J_q η and J_q ζ. The paper's (16), (17), (20), (26), (27) lack the term in
 * μ, because its (16) forgets that ∂L/∂v = Zᵀp + αᵀμ: wrong for every constraint that is not exact.
 *
 *     p' = Γᵀ ( d/dt ∂L/∂v − Z'ᵀ p − α'ᵀ μ ),      ∇_q L̃ = ∇_q L − (J_q η)ᵀ p − (J_q ζ)ᵀ μ
 *
 * Energy balance, the paper's (18) with its μ term, w = Γψ + Θβ:
 *     d/dt (η·p − L̃) = −∂L̃/∂t + w·∇_q L̃ − p·(Z' − J_q η)Γη − μ·(α' − J_q ζ)Γη + η·ΓᵀF (18c) */
#include "boltzmann_hamel.h"

static const char *accepts(mechanics *k, const char **instead)
{
    return quasi_refusal_unless_linear(k, instead);
}

/* (W' − J_q (η; ζ))ᵀ of the rows `which` times their momenta, projected by Γᵀ. */
static quantity turning(ah_equations *eq, const talamucci *y, const uint32_t *which, uint32_t count)
{
    sheet *s = eq->sheet;
    const quantity rows = sheet_transpose(s, sheet_rows(s, y->turn, which, count));
    return sheet_mul3(s, y->x.BT_free, rows, sheet_rows(s, y->x.P, which, count));
}

static talamucci write_terms(ah_equations *eq, const quasi *w)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    talamucci y = {.x = quasi_write(eq, w)};
    const quasi_quantities *x = &y.x;
    const uint32_t m = w->n - w->r;
    const mat Wdot = quasi_along(k, w->f_v);
    y.Wdot = sheet_leaf(s, Wdot);
    y.turn = sheet_leaf(s, mat_sub(k->ctx, k->arena, Wdot, w->f_q));
    y.F = derive_leaf(eq, k->F, "F", NULL);
    sheet_meaning(eq->sheet, y.F, "\\text{the forces without a potential}");
    y.L_q = sheet_leaf(s, mat_gradient(k->ctx, k->arena, k->Lagrangian, k->n, k->model->q.at));

    const quantity pdot = sheet_add(s, sheet_mul(s, x->M, x->a0), x->pdot0);
    const quantity turned = sheet_mul(s, sheet_transpose(s, y.Wdot), x->P);
    y.pdot0 = sheet_mul(s, x->BT_free, sheet_sub(s, pdot, turned));
    y.grad = sheet_sub(s, y.L_q, sheet_mul(s, sheet_transpose(s, x->f_q), x->P));
    y.Z_term = turning(eq, &y, w->free, m);
    y.X = w->r ? turning(eq, &y, w->bound, w->r) : QUANTITY_NONE;
    y.A = sheet_mul3(s, x->BT_free, x->M, x->B_free);
    y.F_eta = sheet_mul(s, x->BT_free, y.F);
    return y;
}

/* A_Γ η' = ΓᵀF − p'(η' = 0) + Γᵀ∇L̃ − Γᵀ(Z' − J_qη)ᵀp, without the term in μ: the printed (17). */
static quantity printed_right_side(sheet *s, const talamucci *y)
{
    const quantity grad = sheet_mul(s, y->x.BT_free, y->grad);
    return sheet_sub(s, sheet_add(s, sheet_sub(s, y->F_eta, y->pdot0), grad), y->Z_term);
}

/* λ of ζ = 0: the equations projected by Θᵀ instead of Γᵀ. */
static quantity bound_multipliers(sheet *s, const talamucci *y, quantity a)
{
    const quasi_quantities *x = &y->x;
    if (!x->w->r) return QUANTITY_NONE;
    const quantity pdot = sheet_add(s, sheet_mul(s, x->M, a), x->pdot0);
    const quantity rest = sheet_sub(s, sheet_sub(s, pdot, y->L_q), y->F);
    return sheet_mul(s, x->BT_bound, rest);
}

static void name_terms(ah_equations *eq, const talamucci *y)
{
    sheet *s = eq->sheet;
    sheet_name(s, y->A, "A_\\Gamma", "\\Gamma^T A \\Gamma");
    sheet_name(s, y->grad, "\\nabla_q \\tilde{L}", NULL);
    sheet_name(s, y->Z_term, "\\Gamma^T (\\dot{Z} - J_q \\eta)^T p", NULL);
    sheet_name(s, y->F_eta, "\\Gamma^T F", NULL);
    if (y->X != QUANTITY_NONE)
        sheet_name(s, y->X, "X", "\\Gamma^T (\\dot{\\alpha} - J_q \\zeta)^T \\mu");
}

static void show_matrices(ah_equations *eq, const talamucci *y)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quasi_quantities *x = &y->x;
    const quasi *w = x->w;
    quasi_show(eq, x, "[T, eq. 11]");
    sheet_section(s, "Matrices", "[T, eq. 12]");
    sheet_show(s, sheet_name(s, x->M, "A", "\\partial^2 T / \\partial \\dot{q}^2"), NULL,
               "[T, eq. 8]");
    sheet_show(s, sheet_name(s, quasi_free_rows(s, w, x->b), "Z", NULL), NULL, NULL);
    if (w->r)
        sheet_show(s, sheet_name(s, quasi_bound_rows(s, w, x->b), "\\alpha", NULL), NULL, NULL);
    talamucci_show_vector(eq, mat_rows(k->ctx, k->arena, w->c, w->free, w->n - w->r), "\\psi");
    talamucci_show_vector(eq, mat_rows(k->ctx, k->arena, w->c, w->bound, w->r), "\\beta");
    sheet_name(s, x->B_free, "\\Gamma", NULL);
    sheet_show(s, sheet_meaning(s, x->B_free, "\\partial \\dot{q} / \\partial \\eta"), NULL, NULL);
    if (w->r) {
        const quantity Theta = sheet_name(s, sheet_transpose(s, x->BT_bound), "\\Theta", NULL);
        sheet_show(s, sheet_meaning(s, Theta, "\\partial \\dot{q} / \\partial \\zeta"), NULL, NULL);
    }
    sheet_section(s, "Lagrange's function and momenta", "[T, eq. 14]");
    const quantity L =
        derive_leaf(eq, mat_from_dense(k->ctx, k->arena, 1, 1, &k->Lagrangian), "\\tilde{L}", NULL);
    sheet_show(s, sheet_meaning(s, L, "T - V"), NULL, NULL);
    sheet_show(s, sheet_name(s, quasi_free_rows(s, w, x->P), "p", "\\nabla_\\eta \\tilde{L}"), NULL,
               NULL);
    if (w->r)
        sheet_show(
            s,
            sheet_name(s, quasi_bound_rows(s, w, x->P), "\\mu", "\\Theta^T \\nabla_{\\dot{q}} L"),
            NULL, NULL);
}

static void show_equations(ah_equations *eq, const talamucci *y, quantity etadot)
{
    sheet *s = eq->sheet;
    sheet_section(s,
                  "Equations of motion $\\dot{p} - \\Gamma^T \\nabla_q \\tilde{L} + \\Gamma^T "
                  "(\\dot{Z} - J_q \\eta)^T p + X = \\Gamma^T F$",
                  "[T, eq. 17]");
    sheet_show(s, y->A, NULL, "[T, eq. 15]");
    sheet_show(s, y->grad, NULL, NULL);
    sheet_show(s, y->Z_term, NULL, NULL);
    if (y->X != QUANTITY_NONE)
        sheet_show(s, y->X,
                   derive_source(eq->mech, "Talamucci")
                       ? "missing in the printed (17), (20), (26) and (27)"
                       : NULL,
                   NULL);
    sheet_show(s, y->F_eta, NULL, NULL);
    quasi_show_kinematics(eq, y->x.w);
    sheet_equations(s, quasi_free_omegadot(eq->mech, y->x.w), etadot, NULL, NULL);
    sheet_final(s);
}

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    quasi *w = quasi_over_constraints(k, quasi_frame_of(eq));
    eq->takes_rows = w->redundant;
    quasi_invert(k, w);
    const talamucci y = write_terms(eq, w);
    name_terms(eq, &y);

    const quantity printed = printed_right_side(s, &y);
    const quantity right = w->r ? sheet_sub(s, printed, y.X) : printed;
    const quantity etadot = sheet_name(s, sheet_solve(s, y.A, right), "\\dot{\\eta}", NULL);
    const quantity a = quasi_acceleration(s, &y.x, etadot);

    show_matrices(eq, &y);
    show_equations(eq, &y, etadot);
    talamucci_special_cases(eq, &y);
    talamucci_expand(eq, &y);
    talamucci_energy(eq, &y, etadot, a);
    quasi_finish(eq, &y.x, etadot, bound_multipliers(s, &y, a));
    if (!w->r) return;
    quasi_extra(eq, "X_term", y.X);
    quasi_extra(eq, "omegadot_by_printed_17", sheet_solve(s, y.A, printed));
}

const formalism formalism_boltzmann_hamel = {
    .name = "boltzmann-hamel",
    .title = "The Boltzmann-Hamel equations of rheonomic systems",
    .paper = "T",
    .accepts = accepts,
    .derive = derive,
};
