/* The principle of least action [H, 245, 246] as identities: docs/formalisms/hamel.md.
 *
 * With T⁺(q, ω_free, t), the energy with the constraints put in, and P_ρ = ∂T* / ∂ω_ρ taken before
 * that, the two forms of the principle say, for the free μ and with τ over the free ones,
 *
 *     d/dt ∂T⁺/∂ω_μ − Σ_ν (∂T⁺/∂q_ν) B_νμ
 *         + Σ_{ρ=1..n} P_ρ ( Σ_τ β_ρ^{τμ} ω_τ + β_ρ^{tμ} ) = K_μ                              (245)
 *     the same with ∂T⁺/∂ω_ρ in place of P_ρ for the free ρ                                   (246)
 *
 * In (245) δω_ρ = d δϑ_ρ/dt is agreed upon for the free ρ, in (246) δω_ρ follows from dδq = δdq:
 * that is why one sum has n terms and the other r. Hamel's own reason, that the difference is zero,
 * is wrong; mixing the one's sum with the other's δω gives false equations.
 *
 * Both are second routes to the accelerations: (245) goes through the table of the β, which the
 * equations themselves do not use, and (246) takes ∂T⁺/∂ω from the null space of the constraints.
 */
#include "hamel.h"

/* Σ_ρ P_ρ ( Σ_τ β_ρ^{τμ} ω_τ + β_ρ^{tμ} ) from the table; the bound ω are left out. */
static quantity by_table(ah_equations *eq, const hamel_terms *h, quantity P)
{
    sheet *s = eq->sheet;
    const uint32_t n = h->x.w->n;
    const quantity omega = quasi_place(eq, h->x.w, h->x.free_omega);
    const quantity pairs = sheet_reshape(s, sheet_mul(s, P, sheet_transpose(s, omega)), 1, n * n);
    return sheet_add(s, sheet_transpose(s, sheet_mul(s, pairs, h->beta)),
                     sheet_mul(s, sheet_transpose(s, h->beta_t), P));
}

/* ∂T⁺/∂ω = (Z Ψ)⁻ᵀ Ψᵀ p: Ψ spans the admissible directions, Z are the free rows of b. */
static quantity reduced_momenta(ah_equations *eq, const hamel_terms *h)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quasi *w = h->x.w;
    const quantity none = sheet_leaf(s, mat_zero(k->ctx, k->arena, w->r, 1));
    const quantity J = quasi_bound_rows(s, w, h->x.b), Z = quasi_free_rows(s, w, h->x.b);
    const quantity Psi = sheet_local_chart(s, SHEET_CHART, J, none, w->n - w->r, NULL, (mat){0});
    const quantity ZPsi_T = sheet_transpose(s, sheet_mul(s, Z, Psi));
    return sheet_solve(s, ZPsi_T, sheet_mul(s, sheet_transpose(s, Psi), h->x.p));
}

/* P with its free rows replaced. */
static quantity with_free_rows(ah_equations *eq, const quasi *w, quantity P, quantity free_rows)
{
    sheet *s = eq->sheet;
    const quantity own = quasi_place(eq, w, quasi_free_rows(s, w, P));
    return sheet_add(s, sheet_sub(s, P, own), quasi_place(eq, w, free_rows));
}

void hamel_least_action(ah_equations *eq, const hamel_terms *h)
{
    sheet *s = eq->sheet;
    const quasi *w = h->x.w;
    const quantity first = hamel_solve(s, h, by_table(eq, h, h->x.P));
    quasi_extra(eq, "qddot_least_action_245", quasi_acceleration(s, &h->x, first));
    if (!w->r || w->r == w->n) return; /* T⁺ is T*, or nothing moves freely */
    const quantity P = with_free_rows(eq, w, h->x.P, reduced_momenta(eq, h));
    const quantity second = hamel_solve(s, h, by_table(eq, h, P));
    quasi_extra(eq, "qddot_least_action_246", quasi_acceleration(s, &h->x, second));
}

/* Σ_ρ P_ρ (…) apart for the bound ρ, which is all that 246 adds, and the free ones, which 245 adds besides. */
static void show_sum(ah_equations *eq, const quasi *w, quantity x, const char *name,
                     const char *remark)
{
    sheet *s = eq->sheet;
    const char *sum = "\\sum_\\rho P_\\rho (\\sum_\\tau \\beta_\\rho^{\\tau\\mu} "
                      "\\omega_\\tau + \\beta_\\rho^{t\\mu})";
    sheet_show(s, sheet_name(s, quasi_free_rows(s, w, x), name, sum), remark, NULL);
}

void hamel_show_least_action(ah_equations *eq, const hamel_terms *h)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quasi *w = h->x.w;
    if ((!w->r && w->origin == QUASI_AUTOMATIC) || w->r == w->n || !h->coefficient) return;
    sheet_section(s, "Least action with possible neighbouring motions", "[H, 245-246]");
    const quantity T_plus =
        derive_leaf(eq, mat_from_dense(k->ctx, k->arena, 1, 1, &k->T), "T^+", NULL);
    sheet_show(s, sheet_meaning(s, T_plus, "T^*"), "the constraints are put in", NULL);
    const quantity P_free = quasi_place(eq, w, quasi_free_rows(s, w, h->x.P));
    const quantity of_free = hamel_transition(s, h, P_free);
    show_sum(eq, w, sheet_sub(s, h->transition, of_free), "Q_\\mu",
             "over the vanishing $\\omega_\\rho$");
    show_sum(eq, w, of_free, "S_\\mu", "over the other $\\omega_\\rho$");
    sheet_text(s, "(245) $\\int [\\delta T^+ + \\sum_\\mu (K_\\mu - Q_\\mu - S_\\mu) \\delta "
                  "\\vartheta_\\mu] d t = 0$, where $\\delta \\omega_\\mu = \\frac{d}{dt} \\delta "
                  "\\vartheta_\\mu$ is agreed upon for the free $\\omega_\\mu$.");
    sheet_text(s,
               "(246) $\\int [\\delta T^+ + \\sum_\\mu (K_\\mu - Q_\\mu) \\delta "
               "\\vartheta_\\mu] d t = 0$, where $d \\delta q = \\delta d q$: then $\\delta T^+$ "
               "itself brings the $S_\\mu$, whether they vanish or not.");
}
