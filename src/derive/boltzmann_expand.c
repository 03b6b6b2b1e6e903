/* The Boltzmann-Hamel equations expanded: docs/formalisms/boltzmann-hamel.md; [T, eq. 20].
 *
 *     A_Γ η' + Q + Λ + N − A_Γ ∂ψ/∂t − A_ΓΘ ∂β/∂t − Γᵀ (∇c + ∇U − ∂b/∂t) + X = ΓᵀF
 *
 * for T = ½ v·Av + b·v + c, U = −V: Q is quadratic in η, Λ linear, N free of it. Every term of Λ is
 * due to one of ψ, β, b and ∂/∂t; those of N to two of them. With v = Γη + v0, v0 = −Γψ − Θβ and
 * W⁻¹ = B,
 *
 *     Γᵀ [ A a0 + A' v + b' − ∇(½ v·Av + b·v + c + U) ] = Γᵀ [ N2(v,v) + N1 v + N0 ],
 *     N2(x,y) = −A B (W_q y) x + (A_q y) x − ½ ∇(x·Ay)
 *     N1 = −A B (∂W/∂t + ∂(ψ;β)/∂q) + ∂A/∂t + ∂b/∂q − (∂b/∂q)ᵀ
 *     N0 = −A B ∂(ψ;β)/∂t + ∂b/∂t − ∇c − ∇U
 *
 * contains X = Γᵀ(α' − J_qζ)ᵀ Θᵀ(Av + b), which is taken out part by part. This replaces the
 * operators D_k of the paper, whose Λ and N cannot be made out term by term in print. */
#include "boltzmann_hamel.h"

/* ---- Quantities that may be zero: QUANTITY_NONE is the zero of any size ---------------------- */

static quantity constant(sheet *s, mat m)
{
    return m.rows && mat_entries(m) ? sheet_leaf(s, m) : QUANTITY_NONE;
}

static quantity times(sheet *s, quantity a, quantity b)
{
    return a == QUANTITY_NONE || b == QUANTITY_NONE ? QUANTITY_NONE : sheet_mul(s, a, b);
}

static quantity plus(sheet *s, quantity a, quantity b)
{
    if (a == QUANTITY_NONE) return b;
    return b == QUANTITY_NONE ? a : sheet_add(s, a, b);
}

static quantity minus(sheet *s, quantity a, quantity b)
{
    if (b == QUANTITY_NONE) return a;
    return a == QUANTITY_NONE ? sheet_neg(s, b) : sheet_sub(s, a, b);
}

static quantity turned(sheet *s, quantity a)
{
    return a == QUANTITY_NONE ? a : sheet_transpose(s, a);
}

static quantity reshaped(sheet *s, quantity a, uint32_t rows, uint32_t cols)
{
    return a == QUANTITY_NONE ? a : sheet_reshape(s, a, rows, cols);
}

/* ---- Tensors --------------------------------------------------------------------------------- */

/* ∂m_ij/∂q_k as (ij) × k. */
static mat slopes(mechanics *k, mat m)
{
    LIST(mat_entry) e = {0};
    ah_expr *slope = NEW_ARRAY(k->arena, ah_expr, k->n);
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t j = m.start[i]; j < m.start[i + 1]; j++) {
            expr_gradient(k->ctx, m.val[j], k->n, k->model->q.at, slope);
            for (uint32_t l = 0; l < k->n; l++)
                if (!expr_is_zero(k->ctx, slope[l]))
                    LIST_PUSH(k->arena, &e, ((mat_entry){i * m.cols + m.col[j], l, slope[l]}));
        }
    return mat_from_entries(k->ctx, k->arena, m.rows * m.cols, k->n, e.at, e.count);
}

/* ∂α_ah/∂q_k − ∂α_ak/∂q_h as a × (hk), from the slopes (ah) × k. */
static mat curls(mechanics *k, mat slope, uint32_t rows)
{
    const uint32_t n = k->n;
    LIST(mat_entry) e = {0};
    for (uint32_t i = 0; i < slope.rows; i++)
        for (uint32_t j = slope.start[i]; j < slope.start[i + 1]; j++) {
            const uint32_t a = i / n, h = i % n, l = slope.col[j];
            LIST_PUSH(k->arena, &e, ((mat_entry){a, h * n + l, slope.val[j]}));
            LIST_PUSH(k->arena, &e, ((mat_entry){a, l * n + h, expr_neg(k->ctx, slope.val[j])}));
        }
    return mat_from_entries(k->ctx, k->arena, rows, n * n, e.at, e.count);
}

/* What the parts are made of; named as in the comment above. */
typedef struct kit {
    sheet *s;
    uint32_t n;
    quantity GammaT, AB, Theta_T, A;
    quantity W_q, A_q, half_A_q, curl_alpha;
    quantity W_t, A_t, alpha_t;
    quantity psi_q, beta_q, beta_rows_q; /* n-row forms of ∂ψ/∂q, ∂β/∂q; ∂β/∂q itself */
    quantity b, curl_b; /* b; ∂b/∂q − (∂b/∂q)ᵀ                        */
    quantity eta_part, psi_part, beta_part; /* Γη, −Γψ, −Θβ                            */
    quantity c_t, grad_c, grad_V, b_t;
} kit;

static quantity contract(const kit *t, quantity tensor, quantity x, quantity y)
{
    return times(t->s, reshaped(t->s, times(t->s, tensor, y), t->n, t->n), x);
}

/* ½ ∇(x·Ay), q varying in A alone. */
static quantity half_gradient(const kit *t, quantity x, quantity y)
{
    sheet *s = t->s;
    const quantity row =
        times(s, turned(s, x), reshaped(s, t->half_A_q, t->n, t->n * t->n)); /* 1 × (jk) */
    return times(s, turned(s, reshaped(s, row, t->n, t->n)), y);
}

/* (curl α(x))ᵀ Θᵀ y: the share of X. */
static quantity curl_term(const kit *t, quantity x, quantity y)
{
    const quantity mu = times(t->s, t->Theta_T, y);
    const quantity S = times(t->s, turned(t->s, mu), t->curl_alpha);
    return times(t->s, reshaped(t->s, S, t->n, t->n), x);
}

/* N2(x,y) without its share of X. */
static quantity bilinear(const kit *t, quantity x, quantity y)
{
    sheet *s = t->s;
    const quantity turning = times(s, t->AB, contract(t, t->W_q, x, y));
    quantity sum = minus(s, contract(t, t->A_q, x, y), turning);
    sum = minus(s, sum, half_gradient(t, x, y));
    return minus(s, sum, curl_term(t, x, times(s, t->A, y)));
}

static quantity both_ways(const kit *t, quantity x, quantity y)
{
    return plus(t->s, bilinear(t, x, y), bilinear(t, y, x));
}

/* ∂/∂t of A and W against x, without its share of X. */
static quantity in_time(const kit *t, quantity x)
{
    sheet *s = t->s;
    const quantity mu = times(s, t->Theta_T, times(s, t->A, x));
    const quantity sum = minus(s, times(s, t->A_t, x), times(s, t->AB, times(s, t->W_t, x)));
    return minus(s, sum, times(s, turned(s, t->alpha_t), mu));
}

/* −A B ∂β/∂q x, without its share of X. */
static quantity through_beta(const kit *t, quantity x)
{
    sheet *s = t->s;
    const quantity mu = times(s, t->Theta_T, times(s, t->A, x));
    return minus(s, times(s, turned(s, t->beta_rows_q), mu),
                 times(s, t->AB, times(s, t->beta_q, x)));
}

static quantity through_b(const kit *t, quantity x)
{
    return minus(t->s, times(t->s, t->curl_b, x), curl_term(t, x, t->b));
}

/* ---- Making the kit -------------------------------------------------------------------------- */

/* The rows `which` of m in their places, the others zero. */
static mat only_rows(mechanics *k, mat m, const uint32_t *which, uint32_t count)
{
    LIST(mat_entry) e = {0};
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = m.start[which[i]]; j < m.start[which[i] + 1]; j++)
            LIST_PUSH(k->arena, &e, ((mat_entry){which[i], m.col[j], m.val[j]}));
    return mat_from_entries(k->ctx, k->arena, m.rows, m.cols, e.at, e.count);
}

static void kit_frame(ah_equations *eq, const talamucci *y, kit *t)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quasi *w = y->x.w;
    const uint32_t m = w->n - w->r;
    const mat alpha = mat_rows(k->ctx, k->arena, w->f_v, w->bound, w->r);
    const mat c_q = mat_jacobian(k->ctx, k->arena, w->c, k->n, k->model->q.at);
    t->W_q = constant(s, slopes(k, w->f_v));
    t->W_t = constant(s, mat_derivative(k->ctx, k->arena, w->f_v, k->t));
    t->curl_alpha = constant(s, curls(k, slopes(k, alpha), w->r));
    t->alpha_t = constant(s, mat_derivative(k->ctx, k->arena, alpha, k->t));
    t->psi_q = constant(s, only_rows(k, c_q, w->free, m));
    t->beta_q = constant(s, only_rows(k, c_q, w->bound, w->r));
    t->beta_rows_q = constant(s, mat_rows(k->ctx, k->arena, c_q, w->bound, w->r));
    t->c_t = constant(s, mat_derivative(k->ctx, k->arena, w->c, k->t));
    const quantity psi = constant(s, only_rows(k, w->c, w->free, m));
    const quantity beta = constant(s, only_rows(k, w->c, w->bound, w->r));
    t->eta_part = sheet_mul(s, y->x.B_free, y->x.free_omega);
    t->psi_part = minus(s, QUANTITY_NONE, times(s, y->x.B, psi));
    t->beta_part = minus(s, QUANTITY_NONE, times(s, y->x.B, beta));
}

static kit make_kit(ah_equations *eq, const talamucci *y)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    const quasi_quantities *x = &y->x;
    kit t = {.s = s, .n = k->n, .A = x->M, .GammaT = x->BT_free, .Theta_T = x->BT_bound};
    ah_expr *zero = NEW_ARRAY(a, ah_expr, k->n);
    for (uint32_t i = 0; i < k->n; i++) zero[i] = expr_int(ctx, 0);
    const mat b = mat_subst(ctx, a, k->p, k->n, k->model->v.at, zero);
    const mat b_q = mat_jacobian(ctx, a, b, k->n, k->model->q.at),
              A_q = slopes(k, mechanics_mass(k));
    const ah_expr c = expr_subst(ctx, k->T, k->n, k->model->v.at, zero);
    t.AB = sheet_mul(s, x->M, x->B);
    t.A_q = constant(s, A_q);
    t.half_A_q = constant(s, mat_scale(ctx, a, expr_rational(ctx, 1, 2), A_q));
    t.A_t = constant(s, mat_derivative(ctx, a, mechanics_mass(k), k->t));
    t.b = constant(s, b);
    t.b_t = constant(s, mat_derivative(ctx, a, b, k->t));
    t.curl_b = constant(s, mat_sub(ctx, a, b_q, mat_transpose(ctx, a, b_q)));
    t.grad_c = constant(s, mat_gradient(ctx, a, c, k->n, k->model->q.at));
    t.grad_V = constant(s, mat_gradient(ctx, a, k->V, k->n, k->model->q.at));
    kit_frame(eq, y, &t);
    return t;
}

/* ---- The parts ------------------------------------------------------------------------------- */

/* Projects by Γᵀ, shows, and adds to the sum. */
static quantity show_part(const kit *t, quantity sum, quantity part, const char *name,
                          const char *remark)
{
    if (part == QUANTITY_NONE) return sum;
    const quantity projected = sheet_name(t->s, sheet_mul(t->s, t->GammaT, part), name, NULL);
    sheet_show(t->s, projected, remark, NULL);
    return plus(t->s, sum, projected);
}

static quantity linear_parts(const kit *t)
{
    sheet *s = t->s;
    const quantity v1 = t->eta_part;
    const quantity psi =
        minus(s, both_ways(t, v1, t->psi_part), times(s, t->AB, times(s, t->psi_q, v1)));
    const quantity beta = plus(s, both_ways(t, v1, t->beta_part), through_beta(t, v1));
    quantity sum = show_part(t, QUANTITY_NONE, psi, "\\Lambda_\\psi", "linear, due to $\\psi$");
    sum = show_part(t, sum, beta, "\\Lambda_\\beta", "linear, due to $\\beta$");
    sum = show_part(t, sum, through_b(t, v1), "\\Lambda_b", "linear, due to $b$");
    return show_part(t, sum, in_time(t, v1), "\\Lambda_t",
                     "linear, due to $\\partial / \\partial t$");
}

static quantity free_parts(const kit *t)
{
    sheet *s = t->s;
    const quantity v0 = plus(s, t->psi_part, t->beta_part);
    const quantity own = minus(s, plus(s, bilinear(t, v0, v0), through_beta(t, v0)),
                               times(s, t->AB, times(s, t->psi_q, v0)));
    /* The share of X that is due to b: (∂α/∂t − ∂β/∂q)ᵀ Θᵀ b. */
    const quantity mu_b = times(s, t->Theta_T, t->b);
    const quantity by_b =
        minus(s, plus(s, through_b(t, v0), times(s, turned(s, t->beta_rows_q), mu_b)),
              times(s, turned(s, t->alpha_t), mu_b));
    quantity sum = show_part(t, QUANTITY_NONE, own, "N_{\\psi\\beta}",
                             "free of $\\eta$, due to $\\psi$ and $\\beta$");
    sum = show_part(t, sum, by_b, "N_b", "free of $\\eta$, due to $b$");
    return show_part(t, sum, in_time(t, v0), "N_t",
                     "free of $\\eta$, due to $\\partial / \\partial t$");
}

static quantity outer_parts(const kit *t)
{
    sheet *s = t->s;
    const quantity none = QUANTITY_NONE;
    quantity sum =
        show_part(t, none, minus(s, none, times(s, t->AB, t->c_t)),
                  "-A_\\Gamma \\partial \\psi / \\partial t - A_{\\Gamma\\Theta} \\partial "
                  "\\beta / \\partial t",
                  NULL);
    sum = show_part(t, sum, minus(s, none, t->grad_c), "-\\Gamma^T \\nabla c", NULL);
    sum = show_part(t, sum, t->grad_V, "-\\Gamma^T \\nabla U", NULL);
    return show_part(t, sum, t->b_t, "\\Gamma^T \\partial b / \\partial t", NULL);
}

static void extra_part(ah_equations *eq, const char *name, quantity x)
{
    if (x != QUANTITY_NONE) quasi_extra(eq, name, x);
}

void talamucci_expand(ah_equations *eq, const talamucci *y)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    sheet_section(
        s, "Expanded: $A_\\Gamma \\dot{\\eta} + Q + \\Lambda + N + X + \\dots = \\Gamma^T F$",
        "[T, eq. 20]");
    for (uint32_t i = 0; i < mat_entries(mechanics_mass(k)); i++)
        if (expr_depends_kind(k->ctx, mechanics_mass(k).val[i], AH_VELOCITY)) {
            sheet_text(s, "$T$ is not quadratic in the velocities: there is no such form.");
            return;
        }
    const kit t = make_kit(eq, y);
    const quantity quadratic = bilinear(&t, t.eta_part, t.eta_part);
    const quantity Q = show_part(&t, QUANTITY_NONE, quadratic, "Q", "quadratic in $\\eta$");
    const quantity linear = linear_parts(&t), free = free_parts(&t);
    quantity sum = plus(s, plus(s, Q, linear), plus(s, free, outer_parts(&t)));
    if (y->X != QUANTITY_NONE) {
        sheet_show(s, y->X, derive_source(k, "Talamucci") ? "missing in the paper" : NULL, NULL);
        sum = plus(s, sum, y->X);
    }
    const quantity etadot = sheet_solve(s, y->A, minus(s, y->F_eta, sum));
    extra_part(eq, "Q", Q);
    extra_part(eq, "Lambda", linear);
    extra_part(eq, "N", free);
    quasi_extra(eq, "qddot_expanded", quasi_acceleration(s, &y->x, etadot));
}
