/* Hamel's equations in non-linear quasi-velocities: docs/formalisms/hamel-nonlinear.md;
 * [H, 247-248].
 *
 *     ω = f(q,v,t),   v = F(q,ω,t),   T*(q,ω,t) = T(q,F,t),   P = ∂T* / ∂ω = (∂F/∂ω)ᵀ p,
 *     K_μ = Σ K_ν ∂F_ν/∂ω_μ
 *
 * I:   P_μ' + Σ_{νσ} P_ν ( d/dt ∂f_ν/∂v_σ − ∂f_ν/∂q_σ ) ∂F_σ/∂ω_μ
 *           − Σ_ν (∂T* / ∂q_ν) ∂F_ν/∂ω_μ = K_μ
 * II:  P_μ' − Σ_ν p_ν [ d/dt ∂F_ν/∂ω_μ − Σ_k (∂F_ν/∂q_k) ∂F_k/∂ω_μ ]
 *           − Σ_ν (∂T* / ∂q_ν) ∂F_ν/∂ω_μ = K_μ
 *
 * for the free μ. No explicit F is needed: B = ∂F/∂ω = (∂f/∂v)⁻¹, ∂F/∂q = −B ∂f/∂q. The paper
 * prints (I) with ∂f/∂v twice and (II) with the index of P_μ f_μν misplaced; as printed, the
 * example of 249 would give K_2 = 0.
 *
 * d/dt ∂f/∂v contains the accelerations: with H_σk = Σ_ν P_ν ∂²f_ν/∂v_σ∂v_k
 *     Σ_ν P_ν d/dt ∂f_ν/∂v_σ = (H a)_σ + (rest)_σ,
 * linear in a, and a = B_free ω' + a0. In (II) dB/dt = −B (d/dt ∂f/∂v) B, another route. */
#include "quasi.h"

typedef struct pieces {
    quasi_quantities x;
    quantity f_vv;  /* n × n²: row ν is ∂²f_ν/∂v_σ∂v_k                              */
    quantity along; /* d/dt ∂f/∂v without the accelerations, n × n                  */
    quantity K;     /* B_freeᵀ K                                                    */
    bool curved;    /* f is not linear in v                                         */
} pieces;

/* A free equation is  mass · ω' + rest = K;  a bound one the same with its multiplier. */
typedef struct form {
    quantity
        mass; /* n × n: coefficient of the accelerations, before the projection on the free ω */
    quantity rest; /* n × 1 */
} form;

static const char *accepts(mechanics *k, const char **instead)
{
    return quasi_refusal(k, instead);
}

static mat second_derivatives(mechanics *k, const quasi *w)
{
    const uint32_t n = w->n;
    LIST(mat_entry) e = {0};
    ah_expr *slope = NEW_ARRAY(k->arena, ah_expr, n);
    for (uint32_t nu = 0; nu < n; nu++)
        for (uint32_t j = w->f_v.start[nu]; j < w->f_v.start[nu + 1]; j++) {
            if (!expr_depends_kind(k->ctx, w->f_v.val[j], AH_VELOCITY)) continue;
            expr_gradient(k->ctx, w->f_v.val[j], n, k->model->v.at, slope);
            for (uint32_t i = 0; i < n; i++)
                if (!expr_is_zero(k->ctx, slope[i]))
                    LIST_PUSH(k->arena, &e, ((mat_entry){nu, w->f_v.col[j] * n + i, slope[i]}));
        }
    return mat_from_entries(k->ctx, k->arena, n, n * n, e.at, e.count);
}

static pieces write_pieces(ah_equations *eq, const quasi *w)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    pieces y = {.x = quasi_write(eq, w)};
    sheet_name(s, y.x.b, "\\partial f / \\partial \\dot{q}", NULL);
    sheet_name(s, y.x.B, "\\partial F / \\partial \\omega",
               "(\\partial f / \\partial \\dot{q})^{-1}");
    sheet_name(s, y.x.P, "P", "(\\partial F / \\partial \\omega)^T p");
    const mat f_vv = second_derivatives(k, w);
    y.f_vv = sheet_leaf(s, f_vv);
    y.curved = mat_entries(f_vv) > 0;
    y.along = sheet_leaf(s, quasi_along(k, w->f_v));
    y.K = sheet_name(s, sheet_mul(s, y.x.BT, y.x.K), "K_\\mu",
                     "\\sum_\\nu K_\\nu \\partial F_\\nu / \\partial \\omega_\\mu");
    return y;
}

/* ∂T* / ∂q = ∂T/∂q + (∂F/∂q)ᵀ p with (∂F/∂q)ᵀ p = −(∂f/∂q)ᵀ P. */
static form first_form(sheet *s, const pieces *y)
{
    const quasi_quantities *x = &y->x;
    const uint32_t n = x->w->n;
    const quantity H = sheet_reshape(s, sheet_mul(s, sheet_transpose(s, x->P), y->f_vv), n, n);
    const quantity along = sheet_mul(s, sheet_transpose(s, y->along), x->P);
    const quantity f_q = sheet_mul(s, sheet_transpose(s, x->f_q), x->P);
    /* P' = Bᵀ ((M − H) a + pdot0 − along), the bracket of (I) = H a + along − f_q */
    const quantity Pdot = sheet_sub(s, x->pdot0, along), bracket = sheet_sub(s, along, f_q);
    const quantity T_q = sheet_sub(s, x->T_q, f_q);
    const quantity mass =
        sheet_add(s, sheet_mul(s, x->BT, sheet_sub(s, x->M, H)), sheet_mul(s, x->BT, H));
    const quantity terms = sheet_sub(s, sheet_add(s, Pdot, bracket), T_q);
    return (form){mass, sheet_add(s, sheet_mul(s, mass, x->a0), sheet_mul(s, x->BT, terms))};
}

/* −∂B/∂v_k contracted with p: Q_kμ = Σ_ν p_ν Σ_ρσ B_νρ (∂²f_ρ/∂v_σ∂v_k) B_σμ. */
static quantity turned_frame(sheet *s, const pieces *y)
{
    const quasi_quantities *x = &y->x;
    const uint32_t n = x->w->n;
    const quantity right = sheet_mul(s, sheet_reshape(s, y->f_vv, n * n, n), x->B); /* (ρk) × μ */
    const quantity both = sheet_mul(s, x->B, sheet_reshape(s, right, n, n * n)); /* ν × (kμ) */
    return sheet_reshape(s, sheet_mul(s, sheet_transpose(s, x->p), both), n, n);
}

static form second_form(sheet *s, const pieces *y)
{
    const quasi_quantities *x = &y->x;
    const quantity QT = sheet_transpose(s, turned_frame(s, y)); /* p dB/dt = −Qᵀ a + turned */
    const quantity dB = sheet_neg(s, sheet_mul3(s, x->B, y->along, x->B));
    const quantity turned = sheet_mul(s, sheet_transpose(s, dB), x->p);
    const quantity F_q = sheet_neg(s, sheet_mul(s, x->B, x->f_q));
    const quantity F_qp = sheet_mul(s, sheet_transpose(s, F_q), x->p);
    const quantity Pdot = sheet_add(s, sheet_mul(s, x->BT, x->pdot0), turned);
    const quantity bracket = sheet_sub(s, turned, sheet_mul(s, x->BT, F_qp));
    const quantity T_q = sheet_mul(s, x->BT, sheet_add(s, x->T_q, F_qp));
    /* P' = (BᵀM − Qᵀ) a + Pdot, minus p times the bracket of (II) = −Qᵀ a + bracket */
    const quantity mass = sheet_add(s, sheet_sub(s, sheet_mul(s, x->BT, x->M), QT), QT);
    const quantity terms = sheet_sub(s, sheet_sub(s, Pdot, bracket), T_q);
    return (form){mass, sheet_add(s, sheet_mul(s, mass, x->a0), terms)};
}

static quantity solve_form(sheet *s, const pieces *y, const form *f)
{
    const quasi *w = y->x.w;
    const quantity mass = quasi_free_rows(s, w, sheet_mul(s, f->mass, y->x.B_free));
    return sheet_solve(s, mass, quasi_free_rows(s, w, sheet_sub(s, y->K, f->rest)));
}

static quantity bound_multipliers(sheet *s, const pieces *y, const form *f, quantity omegadot)
{
    const quasi *w = y->x.w;
    if (!w->r) return QUANTITY_NONE;
    const quantity accelerated = sheet_mul3(s, f->mass, y->x.B_free, omegadot);
    const quantity all = sheet_sub(s, sheet_add(s, accelerated, f->rest), y->K);
    return quasi_bound_rows(s, w, all);
}

/* A quantity of n rows under a name, the free rows of it. */
static void show_term(ah_equations *eq, const quasi *w, quantity x, const char *name)
{
    sheet *s = eq->sheet;
    sheet_show(s, sheet_name(s, quasi_free_rows(s, w, x), name, NULL), NULL, NULL);
}

/* d/dt ∂f_ν/∂v_σ − ∂f_ν/∂q_σ with the ω' as symbols. */
static quantity first_bracket(ah_equations *eq, const pieces *y)
{
    sheet *s = eq->sheet;
    const quasi_quantities *x = &y->x;
    const uint32_t n = x->w->n;
    const quantity a = quasi_acceleration(s, x, quasi_unknowns(eq, x->w));
    const quantity turned =
        sheet_reshape(s, sheet_mul(s, sheet_reshape(s, y->f_vv, n * n, n), a), n, n);
    return sheet_sub(s, sheet_add(s, turned, y->along), x->f_q);
}

/* P_μ' and (∂T/∂ϑ_μ), which both forms have: P' = Bᵀ p' + B'ᵀ p, B' = −B (∂f/∂v)' B. */
static void show_common_terms(ah_equations *eq, const pieces *y, quantity bracket)
{
    sheet *s = eq->sheet;
    const quasi_quantities *x = &y->x;
    const quantity a = quasi_acceleration(s, x, quasi_unknowns(eq, x->w));
    const quantity pdot = sheet_add(s, sheet_mul(s, x->M, a), x->pdot0);
    const quantity turned = sheet_mul(s, sheet_transpose(s, sheet_add(s, bracket, x->f_q)), x->P);
    const quantity T_q = sheet_sub(s, x->T_q, sheet_mul(s, sheet_transpose(s, x->f_q), x->P));
    show_term(eq, x->w, sheet_mul(s, x->BT, sheet_sub(s, pdot, turned)), "\\dot{P}_\\mu");
    show_term(eq, x->w, sheet_mul(s, x->BT, T_q), "(\\partial T / \\partial \\vartheta_\\mu)");
}

/* The terms of (I) one by one. */
static void show_first_terms(ah_equations *eq, const pieces *y)
{
    sheet *s = eq->sheet;
    if (!y->curved) return;
    const quantity bracket =
        sheet_name(s, first_bracket(eq, y),
                   "\\frac{d}{dt} \\frac{\\partial f_\\nu}{\\partial \\dot{q}_\\sigma} - "
                   "\\frac{\\partial f_\\nu}{\\partial q_\\sigma}",
                   NULL);
    show_common_terms(eq, y, bracket);
    sheet_show(s, bracket, NULL, NULL);
    show_term(eq, y->x.w, sheet_mul(s, y->x.BT, sheet_mul(s, sheet_transpose(s, bracket), y->x.P)),
              "\\sum P_\\nu (\\frac{d}{dt} \\frac{\\partial f_\\nu}{\\partial "
              "\\dot{q}_\\sigma} - \\frac{\\partial f_\\nu}{\\partial q_\\sigma}) "
              "\\frac{\\partial F_\\sigma}{\\partial \\omega_\\mu}");
}

/* Those of (II): d/dt ∂F_ν/∂ω_μ − (∂F_ν/∂ϑ_μ) = −(B (d/dt ∂f/∂v − ∂f/∂q) B)_νμ for the free μ. */
static void show_second_terms(ah_equations *eq, const pieces *y)
{
    sheet *s = eq->sheet;
    const quasi_quantities *x = &y->x;
    if (!y->curved) return;
    const quantity bracket = sheet_name(
        s, sheet_neg(s, sheet_mul3(s, x->B, first_bracket(eq, y), x->B_free)),
        "\\frac{d}{dt} \\frac{\\partial F_\\nu}{\\partial \\omega_\\mu} - (\\partial F_\\nu / "
        "\\partial \\vartheta_\\mu)",
        NULL);
    sheet_show(s, bracket, NULL, "[H, eq. 13]");
    sheet_show(s,
               sheet_name(s, sheet_mul(s, sheet_transpose(s, bracket), x->p),
                          "\\sum p_\\nu [\\frac{d}{dt} \\frac{\\partial F_\\nu}{\\partial "
                          "\\omega_\\mu} - (\\partial F_\\nu / \\partial \\vartheta_\\mu)]",
                          NULL),
               NULL, NULL);
}

/* The free rows before they are solved, as in 249: w3 w2' = K2. Of linear quasi-velocities `hamel` says more. */
static void show_rows(ah_equations *eq, const pieces *y, const form *f)
{
    sheet *s = eq->sheet;
    const quasi *w = y->x.w;
    if (!y->curved) return;
    const quantity mass = quasi_free_rows(s, w, sheet_mul(s, f->mass, y->x.B_free));
    sheet_implicit(s, sheet_mul(s, mass, quasi_unknowns(eq, w)),
                   quasi_free_rows(s, w, sheet_sub(s, y->K, f->rest)), "before they are solved",
                   NULL);
    sheet_again(s);
}

typedef struct both_forms {
    form one, two;
    quantity first, second; /* ω' by them */
} both_forms;

static void show(ah_equations *eq, const pieces *y, const both_forms *by)
{
    sheet *s = eq->sheet;
    const quasi *w = y->x.w;
    const mat unknowns = quasi_free_omegadot(eq->mech, w);
    quasi_show(eq, &y->x, "[H, 247]");
    sheet_show(s, y->x.b, NULL, NULL);
    sheet_show(s, y->x.B, NULL, "[H, eq. 5-7]");
    sheet_section(s, "Momenta and forces", "[H, 247]");
    sheet_show(s, y->x.p, NULL, NULL);
    sheet_show(s, y->x.P, NULL, "[H, eq. 12]");
    sheet_show(s, y->K, NULL, "[H, eq. 10]");
    sheet_section(
        s,
        "First form: $\\dot{P}_\\mu + \\sum P_\\nu (\\frac{d}{dt} \\frac{\\partial f_\\nu}"
        "{\\partial \\dot{q}_\\sigma} - \\frac{\\partial f_\\nu}{\\partial q_\\sigma}) "
        "\\frac{\\partial F_\\sigma}{\\partial \\omega_\\mu} - (\\partial T / \\partial "
        "\\vartheta_\\mu) = K_\\mu$",
        "[H, 247]");
    show_first_terms(eq, y);
    show_rows(eq, y, &by->one);
    quasi_show_kinematics(eq, w);
    sheet_equations(s, unknowns, by->first, NULL, NULL);
    sheet_final(s);
    sheet_section(
        s,
        "Second form: $\\dot{P}_\\mu - \\sum p_\\nu [\\frac{d}{dt} \\frac{\\partial F_\\nu}"
        "{\\partial \\omega_\\mu} - (\\partial F_\\nu / \\partial \\vartheta_\\mu)] - "
        "(\\partial T / \\partial \\vartheta_\\mu) = K_\\mu$",
        "[H, 248]");
    show_second_terms(eq, y);
    show_rows(eq, y, &by->two);
    sheet_equations(s, unknowns, by->second, NULL, NULL);
    sheet_again(s);
}

static void derive(ah_equations *eq)
{
    sheet *s = eq->sheet;
    quasi *w = quasi_frame_of(eq);
    quasi_invert(eq->mech, w);
    quasi_solve(eq->mech, w);
    const pieces y = write_pieces(eq, w);
    const form one = first_form(s, &y), two = second_form(s, &y);
    const quantity first = sheet_name(s, solve_form(s, &y, &one), "\\dot{\\omega}", NULL);
    const quantity second = sheet_name(s, solve_form(s, &y, &two), "\\dot{\\omega}_2", NULL);
    const both_forms by = {one, two, first, second};
    show(eq, &y, &by);
    if (w->r) quasi_show_multipliers(eq, w, bound_multipliers(s, &y, &one, quasi_unknowns(eq, w)));
    const quantity lambda = bound_multipliers(s, &y, &one, first);
    quasi_show_energy(eq, &y.x, lambda);
    quasi_finish(eq, &y.x, first, lambda);
    quasi_extra(eq, "qddot_form_II", quasi_acceleration(s, &y.x, second));
}

const formalism formalism_hamel_nonlinear = {
    .name = "hamel-nonlinear",
    .title = "Hamel's equations in non-linear quasi-velocities",
    .paper = "H",
    .accepts = accepts,
    .derive = derive,
};
