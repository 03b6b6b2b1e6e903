/* Hamel's equations: docs/formalisms/hamel.md; [H, 232-237].
 *
 *     ω = b(q,t) v + c(q,t),   B = b⁻¹,   v = B ω + C,   T*(q,ω,t) = T(q, Bω + C, t),   P = ∂T* / ∂ω
 *
 *     P_μ' + Σ_ρ P_ρ ( Σ_τ β_ρ^{τμ} ω_τ + β_ρ^{tμ} ) − Σ_ν (∂T* / ∂q_ν) B_νμ = Σ_ν K_ν B_νμ (II)
 *
 *     β_ρ^{τμ} = Σ_{νσ} W_ρ,νσ B_στ B_νμ,      W_ρ,νσ = ∂b_ρν/∂q_σ − ∂b_ρσ/∂q_ν
 *     β_ρ^{tμ} = Σ_ν [ Σ_σ W_ρ,νσ C_σ + ∂b_ρν/∂t − ∂c_ρ/∂q_ν ] B_νμ
 *
 * for the free μ; the rows of the bound μ give K_μ + λ_μ. ρ runs over all n: the P_ρ of the bound ω
 * are not zero, although these ω are. Putting them to zero in T before differentiating (the "T⁺")
 * loses the terms of the bound ρ [H, 237]: hamel_show.c compares.
 *
 * b is never inverted symbolically for numbers: B solves b B = 1 at the state,
 *     P' = Bᵀ ( p' − b'ᵀ P )   from   p = bᵀ P,        ∂T* / ∂q = ∂T/∂q − (∂ω/∂q)ᵀ P. */
#include "hamel.h"

static const char *accepts(mechanics *k, const char **instead)
{
    return quasi_refusal_unless_linear(k, instead);
}

/* W as n × n², row ρ holding W_ρ row by row. */
static mat transition_matrix(mechanics *k, const quasi *w)
{
    const uint32_t n = w->n;
    LIST(mat_entry) e = {0};
    ah_expr *slope = NEW_ARRAY(k->arena, ah_expr, n);
    for (uint32_t rho = 0; rho < n; rho++)
        for (uint32_t j = w->f_v.start[rho]; j < w->f_v.start[rho + 1]; j++) {
            const uint32_t nu = w->f_v.col[j];
            expr_gradient(k->ctx, w->f_v.val[j], n, k->model->q.at, slope);
            for (uint32_t sigma = 0; sigma < n; sigma++) {
                if (sigma == nu || expr_is_zero(k->ctx, slope[sigma])) continue;
                LIST_PUSH(k->arena, &e, ((mat_entry){rho, nu * n + sigma, slope[sigma]}));
                LIST_PUSH(k->arena, &e,
                          ((mat_entry){rho, sigma * n + nu, expr_neg(k->ctx, slope[sigma])}));
            }
        }
    return mat_from_entries(k->ctx, k->arena, n, n * n, e.at, e.count);
}

/* β as n² × n: row ρ n + τ, column μ. Two contractions with B, the indices turned in between. */
static quantity transition_table(sheet *s, const hamel_terms *h)
{
    const uint32_t n = h->x.w->n;
    const quantity W = sheet_reshape(s, sheet_neg(s, h->W), n * n, n); /* (ρσ) × ν             */
    const quantity half = sheet_transpose(s, sheet_mul(s, W, h->x.B)); /* μ × (ρσ)             */
    const quantity full = sheet_mul(s, sheet_reshape(s, half, n * n, n), h->x.B); /* (μρ) × τ */
    return sheet_transpose(s, sheet_reshape(s, full, n, n * n));
}

/* β_ρ^{tμ} as n × n. */
static quantity transition_in_time(sheet *s, const hamel_terms *h)
{
    const uint32_t n = h->x.w->n;
    const quantity WC =
        sheet_reshape(s, sheet_mul(s, sheet_reshape(s, h->W, n * n, n), h->C), n, n);
    return sheet_mul(s, sheet_add(s, WC, h->b_t), h->x.B);
}

quantity hamel_transition(sheet *s, const hamel_terms *h, quantity P)
{
    const uint32_t n = h->x.w->n;
    const quantity S = sheet_reshape(s, sheet_mul(s, sheet_transpose(s, P), h->W), n, n);
    const quantity in_omega = sheet_mul(s, S, sheet_mul(s, h->x.B, h->x.omega));
    const quantity in_time =
        sheet_add(s, sheet_mul(s, S, h->C), sheet_mul(s, sheet_transpose(s, h->b_t), P));
    return sheet_mul(s, h->x.BT, sheet_add(s, in_omega, in_time));
}

static hamel_terms write_terms(ah_equations *eq, const quasi *w)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    hamel_terms h = {.x = quasi_write(eq, w)};
    const quasi_quantities *x = &h.x;
    const mat c_q = mat_jacobian(k->ctx, k->arena, w->c, k->n, k->model->q.at);
    h.W = sheet_leaf(s, transition_matrix(k, w));
    h.b_t = sheet_leaf(
        s, mat_sub(k->ctx, k->arena, mat_derivative(k->ctx, k->arena, w->f_v, k->t), c_q));
    h.C = sheet_neg(s, sheet_mul(s, x->B, sheet_leaf(s, w->c)));

    const quantity bdotT = sheet_transpose(s, sheet_leaf(s, quasi_along(k, w->f_v)));
    const quantity pdot = sheet_add(s, sheet_mul(s, x->M, x->a0), x->pdot0);
    h.Pdot0 = sheet_mul(s, x->BT, sheet_sub(s, pdot, sheet_mul(s, bdotT, x->P)));
    h.transition = sheet_name(s, hamel_transition(s, &h, x->P), "G_\\mu",
                              "\\sum_\\rho P_\\rho (\\sum_\\tau \\beta_\\rho^{\\tau\\mu} "
                              "\\omega_\\tau + \\beta_\\rho^{t\\mu})");
    const quantity T_q = sheet_sub(s, x->T_q, sheet_mul(s, sheet_transpose(s, x->f_q), x->P));
    h.T_theta = sheet_name(s, sheet_mul(s, x->BT, T_q), "(\\partial T / \\partial \\vartheta_\\mu)",
                           "\\sum_\\nu (\\partial T / \\partial q_\\nu) B_{\\nu\\mu}");
    h.K = sheet_name(s, sheet_mul(s, x->BT, x->K), "K_\\mu", "\\sum_\\nu K_\\nu B_{\\nu\\mu}");
    h.mass = sheet_name(s, sheet_mul3(s, x->BT_free, x->M, x->B_free),
                        "\\partial^2 T / \\partial \\omega^2", "B^T M B");
    return h;
}

quantity hamel_solve(sheet *s, const hamel_terms *h, quantity transition)
{
    const quantity inertia = sheet_sub(s, sheet_add(s, h->Pdot0, transition), h->T_theta);
    return sheet_solve(s, h->mass, quasi_free_rows(s, h->x.w, sheet_sub(s, h->K, inertia)));
}

/* λ_μ = P_μ' + … − K_μ of the bound ω, now that the accelerations are known. */
static quantity bound_multipliers(sheet *s, const hamel_terms *h, quantity omegadot)
{
    const quasi *w = h->x.w;
    if (!w->r) return QUANTITY_NONE;
    const quantity accelerated =
        sheet_mul3(s, h->x.BT_bound, h->x.M, sheet_mul(s, h->x.B_free, omegadot));
    const quantity rest =
        sheet_sub(s, sheet_sub(s, sheet_add(s, h->Pdot0, h->transition), h->T_theta), h->K);
    return sheet_name(
        s, sheet_add(s, accelerated, quasi_bound_rows(s, w, rest)), "\\lambda_\\mu",
        "\\dot{P}_\\mu + G_\\mu - (\\partial T / \\partial \\vartheta_\\mu) - K_\\mu");
}

static void show_frame(ah_equations *eq, const hamel_terms *h)
{
    mechanics *k = eq->mech;
    const quasi *w = h->x.w;
    sheet *s = eq->sheet;
    quasi_show(eq, &h->x, "[H, 232]");
    sheet_section(s, "Kinetic energy and momenta", "[H, 235]");
    if (w->v.rows) {
        const ah_expr T =
            expr_subst(k->ctx, k->T, k->n, k->model->v.at, mat_to_dense(k->ctx, k->arena, w->v));
        const quantity shown =
            derive_leaf(eq, mat_from_dense(k->ctx, k->arena, 1, 1, &T), "T^*", NULL);
        sheet_show(s, sheet_meaning(s, shown, "T(q, B \\omega + C, t)"),
                   w->r ? "with all $\\omega$, the vanishing ones too" : NULL, "[H, 237]");
    } else {
        sheet_text(s, "The quasi-velocities are too large to be solved for the velocities in "
                      "print: what follows is written in the velocities.");
    }
    sheet_show(s, h->x.P, w->r ? "where the constraints hold" : NULL, NULL);
}

static void show_equations(ah_equations *eq, const hamel_terms *h, quantity omegadot)
{
    mechanics *k = eq->mech;
    const quasi *w = h->x.w;
    sheet *s = eq->sheet;
    sheet_section(s,
                  "Equations of motion $\\dot{P}_\\mu + G_\\mu - "
                  "(\\partial T / \\partial \\vartheta_\\mu) = K_\\mu$",
                  "[H, 235]");
    quasi_show_free_rows(eq, w, h->transition);
    quasi_show_free_rows(eq, w, h->T_theta);
    quasi_show_free_rows(eq, w, h->K);
    hamel_show_momenta(eq, h);
    sheet_show(s, h->mass, NULL, NULL);
    quasi_show_kinematics(eq, w);
    sheet_equations(s, quasi_free_omegadot(k, w), omegadot, NULL, NULL);
    sheet_final(s);
}

static void derive(ah_equations *eq)
{
    sheet *s = eq->sheet;
    quasi *w = quasi_frame_of(eq);
    quasi_invert(eq->mech, w);
    hamel_terms h = write_terms(eq, w);
    h.beta = transition_table(s, &h);
    h.beta_t = transition_in_time(s, &h);
    const quantity omegadot =
        sheet_name(s, hamel_solve(s, &h, h.transition), "\\dot{\\omega}", NULL);
    const quantity lambda = bound_multipliers(s, &h, omegadot);

    show_frame(eq, &h);
    hamel_show_table(eq, &h);
    show_equations(eq, &h, omegadot);
    if (w->r) quasi_show_multipliers(eq, w, bound_multipliers(s, &h, quasi_unknowns(eq, w)));
    quasi_show_energy(eq, &h.x, lambda);
    hamel_show_least_action(eq, &h);
    if (eq->options.compare_reduced) hamel_compare_reduced(eq, &h, omegadot);

    quasi_finish(eq, &h.x, omegadot, lambda);
    /* One table n × (n + 1) n: row ρ, column τ n + μ, the last τ being time. */
    quasi_extra(eq, "beta", sheet_beside(s, sheet_reshape(s, h.beta, w->n, w->n * w->n), h.beta_t));
    hamel_least_action(eq, &h);
}

const formalism formalism_hamel = {
    .name = "hamel",
    .title = "Hamel's equations in quasi-velocities",
    .paper = "H",
    .accepts = accepts,
    .derive = derive,
};
