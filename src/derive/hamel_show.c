/* derive/hamel_show.c - Hamel's table of the β, and the equations of the "T⁺". */
#include "hamel.h"

#include "../model/model.h"

#include <math.h>
#include <string.h>

/* A coefficient that is smaller than this share of its terms at random states is not shown. */
#define TABLE_ZERO 1e-10
enum { TABLE_STATES = 2 };
/* Operations of a coefficient that is still written out. */
#define TABLE_LONGEST 250

/* ---- The table ------------------------------------------------------------------------------- */

/* Which of the expressions vanish at random states (of the coordinates; β has no velocities). */
static const bool *vanishing(mechanics *k, const ah_expr *e, size_t count)
{
    ah_model *m = k->model;
    ah_expr *roots = NEW_ARRAY(k->arena, ah_expr, count);
    double *out = NEW_ARRAY(k->arena, double, count), *scale = NEW_ARRAY(k->arena, double, count);
    bool *zero = NEW_ARRAY(k->arena, bool, count);
    memcpy(roots, e, count * sizeof *roots);
    model_put_values(m, roots, count);
    model_put_samples(m, roots, count);
    const expr_plan *plan = expr_plan_create(k->ctx, k->arena, roots, count);
    probe *states = probe_create(m, k->arena);
    probe_rng rng = probe_seed(1);
    for (size_t i = 0; i < count; i++) zero[i] = true;
    for (int state = 0; state < TABLE_STATES; state++) {
        frame *values = probe_values(m, k->arena);
        if (!probe_draw(states, &rng, values)) continue;
        expr_plan_run_scaled(plan, values, out, scale);
        for (size_t i = 0; i < count; i++)
            if (!(fabs(out[i]) <= TABLE_ZERO * fmax(1, scale[i]))) zero[i] = false;
    }
    return zero;
}

static mat as_square(mechanics *k, mat W, uint32_t rho, uint32_t n)
{
    const mat row = mat_rows(k->ctx, k->arena, W, &rho, 1);
    return mat_from_dense(k->ctx, k->arena, n, n, mat_to_dense(k->ctx, k->arena, row));
}

/* All coefficients symbolically: for each ρ the n² β_ρ^{τμ}, then the n β_ρ^{tμ}. */
static const ah_expr *coefficients(mechanics *k, const quasi *w, mat W, mat b_t)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    const uint32_t n = w->n;
    ah_expr *out = NEW_ARRAY(a, ah_expr, (size_t) n * (n + 1) * n), *to = out;
    const mat BT = mat_transpose(ctx, a, w->B), C = mat_neg(ctx, a, mat_mul(ctx, a, w->B, w->c));
    for (uint32_t rho = 0; rho < n; rho++) {
        const mat W_rho = as_square(k, W, rho, n);
        const mat beta = mat_neg(ctx, a, mat_mul3(ctx, a, BT, W_rho, w->B)); /* Bᵀ W_ρᵀ B */
        const mat WC = mat_transpose(ctx, a, mat_mul(ctx, a, W_rho, C));
        const mat time = mat_add(ctx, a, WC, mat_rows(ctx, a, b_t, &rho, 1));
        memcpy(to, mat_to_dense(ctx, a, beta), (size_t) n * n * sizeof *to);
        memcpy(to + (size_t) n * n, mat_to_dense(ctx, a, mat_mul(ctx, a, time, w->B)),
               n * sizeof *to);
        to += (size_t) n * (n + 1);
    }
    return out;
}

static void show_entry(sheet *s, quantity table, uint32_t row, uint32_t col, const char *name)
{
    static const char general[] =
        "\\sum_{\\nu,\\sigma} (\\partial b_{\\rho\\nu}/\\partial q_\\sigma - "
        "\\partial b_{\\rho\\sigma}/\\partial q_\\nu) "
        "B_{\\sigma\\tau} B_{\\nu\\mu}";
    const quantity entry = sheet_cols(s, sheet_rows(s, table, &row, 1), &col, 1);
    sheet_show(s, sheet_meaning(s, sheet_name(s, entry, name, NULL), general), NULL, NULL);
}

/* The coefficients of one ρ; returns how many there are, and flags that some are too long to be written. */
static uint32_t show_row(sheet *s, const hamel_terms *h, uint32_t rho, bool *some_long)
{
    const uint32_t n = h->x.w->n, i = rho + 1;
    const bool *zero = h->vanishes + (size_t) rho * n * (n + 1);
    const ah_expr *beta = h->coefficient + (size_t) rho * n * (n + 1);
    uint32_t shown = 0;
    for (uint32_t tau = 0; tau < n; tau++)
        for (uint32_t mu = tau + 1; mu < n; mu++) {
            if (zero[tau * n + mu]) continue;
            if (expr_operations(s->ctx, &beta[tau * n + mu], 1) > TABLE_LONGEST) {
                *some_long = true;
                continue;
            }
            show_entry(s, h->beta, rho * n + tau, mu,
                       arena_printf(s->arena, "\\beta_{%u}^{%u,%u} = -\\beta_{%u}^{%u,%u}", i,
                                    tau + 1, mu + 1, i, mu + 1, tau + 1));
            shown++;
        }
    for (uint32_t mu = 0; mu < n; mu++) {
        if (zero[n * n + mu]) continue;
        if (expr_operations(s->ctx, &beta[n * n + mu], 1) > TABLE_LONGEST) {
            *some_long = true;
            continue;
        }
        show_entry(s, h->beta_t, rho, mu, arena_printf(s->arena, "\\beta_{%u}^{t,%u}", i, mu + 1));
        shown++;
    }
    return shown;
}

/* Σ_ρ P_ρ ( Σ_τ β_ρ^{τμ} ω_τ + β_ρ^{tμ} ) with τ over the free ω, in symbols. */
static ah_expr turning_terms(mechanics *k, const hamel_terms *h, const ah_expr *P, uint32_t mu)
{
    ah_ctx *ctx = k->ctx;
    const quasi *w = h->x.w;
    const uint32_t n = w->n;
    ah_expr sum = expr_int(ctx, 0);
    for (uint32_t rho = 0; rho < n; rho++) {
        const size_t row = (size_t) rho * n * (n + 1);
        ah_expr inside = expr_int(ctx, 0);
        for (uint32_t i = 0; i <= n - w->r; i++) {
            const bool time = i == n - w->r;
            const size_t at = row + (time ? n : w->free[i]) * (size_t) n + mu;
            if (h->vanishes[at]) continue;
            const ah_expr omega = time ? expr_int(ctx, 1) : mat_get(ctx, w->omega, w->free[i], 0);
            inside = expr_add(ctx, inside, expr_mul(ctx, h->coefficient[at], omega));
        }
        sum = expr_add(ctx, sum, expr_mul(ctx, P[rho], inside));
    }
    return sum;
}

/* P₃, also where the model has a `let` of that name for it. */
static ah_expr momentum_symbol(mechanics *k, uint32_t index)
{
    const char *name = arena_printf(k->arena, "P%u", index);
    const model_name *found = model_find(k->model, name);
    if (found && found->what != MODEL_LET) return quasi_symbol(k, "P", index);
    return expr_symbol(k->ctx, AH_SPEED, name);
}

void hamel_show_momenta(ah_equations *eq, const hamel_terms *h)
{
    mechanics *k = eq->mech;
    ah_ctx *ctx = k->ctx;
    sheet *s = eq->sheet;
    const quasi *w = h->x.w;
    const uint32_t m = w->n - w->r;
    if (!h->coefficient || !m) return;
    ah_expr *P = NEW_ARRAY(k->arena, ah_expr, w->n), *left = NEW_ARRAY(k->arena, ah_expr, m);
    for (uint32_t i = 0; i < w->n; i++) P[i] = momentum_symbol(k, i + 1);
    for (uint32_t i = 0; i < m; i++)
        left[i] = expr_add(ctx, expr_dot(ctx, P[w->free[i]]), turning_terms(k, h, P, w->free[i]));
    const quantity written = sheet_leaf(s, mat_from_dense(ctx, k->arena, m, 1, left));
    const quantity T_theta = quasi_free_rows(s, w, h->T_theta);
    sheet_implicit(s, sheet_sub(s, written, T_theta), quasi_free_rows(s, w, h->K),
                   "in the momenta $P_\\rho$ above", "[H, 235]");
    sheet_again(s);
}

void hamel_show_table(ah_equations *eq, hamel_terms *h)
{
    sheet *s = eq->sheet;
    const uint32_t n = h->x.w->n, each = n * (n + 1);
    if (!h->x.w->v.rows) return;
    sheet_section(s, "Transition coefficients", "[H, 232-234]");
    const ah_expr *beta =
        coefficients(eq->mech, h->x.w, sheet_get(s, h->W)->leaf, sheet_get(s, h->b_t)->leaf);
    const bool *zero = vanishing(eq->mech, beta, (size_t) n * each);
    h->coefficient = beta;
    h->vanishes = zero;
    uint32_t shown = 0;
    bool some_long = false;
    for (uint32_t rho = 0; rho < n; rho++) shown += show_row(s, h, rho, &some_long);
    if (some_long)
        sheet_text(s,
                   "Others are long: $\\beta_\\rho^{\\tau\\mu} = \\sum_{\\nu\\sigma} (\\partial "
                   "b_{\\rho\\nu} / \\partial q_\\sigma - \\partial b_{\\rho\\sigma} / \\partial "
                   "q_\\nu) B_{\\sigma\\tau} B_{\\nu\\mu}$.");
    else if (shown)
        sheet_text(s, "All others vanish; $t$ is the index of time.");
    else
        sheet_text(s, "All $\\beta$ vanish: the quasi-velocities are the velocities of true "
                      "coordinates.");
}

/* ---- T⁺ -------------------------------------------------------------------------------------- */

/* The term of one bound ρ alone: P_ρ ( Σ_τ β_ρ^{τμ} ω_τ + β_ρ^{tμ} ), free rows. */
static quantity term_of(ah_equations *eq, const hamel_terms *h, uint32_t rho)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const mat_entry one = {rho, rho, expr_int(k->ctx, 1)};
    const uint32_t n = h->x.w->n;
    const mat select = mat_from_entries(k->ctx, k->arena, n, n, &one, 1);
    const quantity P = sheet_mul(s, sheet_leaf(s, select), h->x.P);
    return quasi_free_rows(s, h->x.w, hamel_transition(s, h, P));
}

static bool has_term(const sheet *s, const hamel_terms *h, uint32_t rho)
{
    const mat W = sheet_get(s, h->W)->leaf, b_t = sheet_get(s, h->b_t)->leaf;
    return W.start[rho] < W.start[rho + 1] || b_t.start[rho] < b_t.start[rho + 1];
}

/* The terms that T⁺ loses, one by one; their sum, or QUANTITY_NONE when there are none. */
static quantity show_lacking(ah_equations *eq, const hamel_terms *h)
{
    sheet *s = eq->sheet;
    const quasi *w = h->x.w;
    quantity lacking = QUANTITY_NONE;
    for (uint32_t i = 0; i < w->r; i++) {
        const uint32_t rho = w->bound[i];
        if (!has_term(s, h, rho)) continue;
        const char *name = arena_printf(s->arena,
                                        "P_{%u} (\\sum_\\tau \\beta_{%u}^{\\tau\\mu} \\omega_\\tau "
                                        "+ \\beta_{%u}^{t\\mu})",
                                        rho + 1, rho + 1, rho + 1);
        const quantity term = sheet_name(s, term_of(eq, h, rho), name, NULL);
        sheet_show(s, term, NULL, NULL);
        sheet_final(s);
        lacking = lacking == QUANTITY_NONE ? term : sheet_add(s, lacking, term);
    }
    return lacking;
}

void hamel_compare_reduced(ah_equations *eq, const hamel_terms *h, quantity omegadot)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quasi *w = h->x.w;
    sheet_section(s, "What the reduced energy $T^+$ would give", "[H, 237]");
    if (!w->r) {
        sheet_text(s, "There are no constraints: $T^+$ is $T^*$ itself.");
        return;
    }
    const quantity T_plus =
        derive_leaf(eq, mat_from_dense(k->ctx, k->arena, 1, 1, &k->T), "T^+", NULL);
    sheet_meaning(s, T_plus, "T^*");
    sheet_show(s, T_plus, "the constraints are put in before differentiating", NULL);
    const quantity P_plus = quasi_place(eq, w, quasi_free_rows(s, w, h->x.P));
    const quantity reduced = hamel_solve(s, h, hamel_transition(s, h, P_plus));
    sheet_equations(s, quasi_free_omegadot(k, w), reduced,
                    "wrong: the equations of $T^+$, for comparison", NULL);
    sheet_final(s);
    sheet_text(s, "They lack, on the left, the terms of the vanishing $\\omega_\\rho$, whose "
                  "momenta do not vanish:");
    const quantity lacking = show_lacking(eq, h);
    if (lacking == QUANTITY_NONE) {
        sheet_text(s, "There are none here: the constraints are exact.");
        return;
    }
    const quantity error =
        sheet_name(s, sheet_sub(s, omegadot, reduced), "\\dot{\\omega} - \\dot{\\omega}^+", NULL);
    sheet_show(s, error, "the error in the accelerations", NULL);
    sheet_final(s);
    quasi_extra(eq, "reduced_lacks", lacking);
    quasi_extra(eq, "omegadot_reduced", quasi_place(eq, w, reduced));
}
