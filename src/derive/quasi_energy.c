/* derive/quasi_energy.c - the energy equation in quasi-velocities [H, 229].
 *
 *     E = Σ_ν p_ν v_ν − T,      E' = Σ_ν K_ν v_ν + Σ_μ λ_μ Σ_ν (∂f_μ/∂v_ν) v_ν − ∂T/∂t,      μ over the bound ω
 *
 * With T quadratic in the velocities E is T. A bound ω that is homogeneous in the velocities does no work, since
 * Σ (∂f_μ/∂v_ν) v_ν is a multiple of f_μ; an affine one, ω = b v + c, has −λ c. */
#include "quasi.h"

/* Degrees of homogeneity that are tried. */
enum { ENERGY_DEGREES = 4 };
/* A kinetic energy of more operations is not worked out in print. */
#define ENERGY_OPERATIONS 400

static ah_expr along_velocities(mechanics *k, mat row)
{
    ah_expr sum = expr_int(k->ctx, 0);
    for (uint32_t i = 0; i < k->n; i++)
        sum =
            expr_add(k->ctx, sum, expr_mul(k->ctx, mat_get(k->ctx, row, 0, i), k->model->v.at[i]));
    return sum;
}

static bool is_homogeneous(mechanics *k, ah_expr f, ah_expr f_v_v)
{
    for (int degree = 0; degree <= ENERGY_DEGREES; degree++)
        if (algebra_equal(k->alg, f_v_v, expr_mul(k->ctx, expr_int(k->ctx, degree), f)) == AH_TRUE)
            return true;
    return false;
}

/* (∂f_μ/∂v)·v of the bound ω as a row, zeros for those that do no work; false: none does any. */
static bool working_velocities(mechanics *k, const quasi *w, mat *out)
{
    LIST(mat_entry) e = {0};
    for (uint32_t i = 0; i < w->r; i++) {
        const uint32_t mu = w->bound[i];
        const ah_expr each = along_velocities(k, mat_rows(k->ctx, k->arena, w->f_v, &mu, 1));
        if (is_homogeneous(k, mat_get(k->ctx, w->f, mu, 0), each)) continue;
        LIST_PUSH(k->arena, &e, ((mat_entry){0, i, each}));
    }
    if (e.count) *out = mat_from_entries(k->ctx, k->arena, 1, w->r, e.at, e.count);
    return e.count > 0;
}

static quantity scalar(ah_equations *eq, ah_expr e)
{
    return sheet_leaf(eq->sheet, mat_from_dense(eq->mech->ctx, eq->mech->arena, 1, 1, &e));
}

static quantity dot(sheet *s, quantity x, quantity y)
{
    return sheet_mul(s, sheet_transpose(s, x), y);
}

void quasi_show_energy(ah_equations *eq, const quasi_quantities *x, quantity lambda)
{
    mechanics *k = eq->mech;
    ah_ctx *ctx = k->ctx;
    sheet *s = eq->sheet;
    if (expr_operations(ctx, &k->T, 1) > ENERGY_OPERATIONS) return;
    const ah_expr pv = along_velocities(k, mat_transpose(ctx, k->arena, k->p));
    const bool quadratic =
        algebra_equal(k->alg, pv, expr_mul(ctx, expr_int(ctx, 2), k->T)) == AH_TRUE;
    const ah_expr T_t = expr_diff(ctx, k->T, k->t);
    mat working;
    const bool works = working_velocities(k, x->w, &working), moves = !expr_is_zero(ctx, T_t);
    const ah_expr E = quadratic ? k->T : expr_sub(ctx, pv, k->T);
    sheet_section(s, "Energy", "[H, 229]");
    sheet_show(
        s,
        sheet_name(s, scalar(eq, E), "E", quadratic ? "T" : "\\sum_\\nu p_\\nu \\dot{q}_\\nu - T"),
        x->w->r ? "where the constraints hold" : NULL, NULL);
    quantity power = dot(s, x->K, sheet_leaf(s, k->v));
    if (works) power = sheet_add(s, power, sheet_mul(s, sheet_leaf(s, working), lambda));
    if (moves) power = sheet_sub(s, power, scalar(eq, T_t));
    const char *formula = arena_printf(
        k->arena, "\\sum_\\nu K_\\nu \\dot{q}_\\nu%s%s",
        works ? " + \\sum_{\\mu\\nu} \\lambda_\\mu (\\partial f_\\mu / \\partial \\dot{q}_\\nu) "
                "\\dot{q}_\\nu"
              : "",
        moves ? " - \\partial T / \\partial t" : "");
    sheet_show(s, sheet_name(s, power, "\\dot{E}", formula), NULL, NULL);
}
