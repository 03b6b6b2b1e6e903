/* derive/boltzmann_energy.c - Talamucci's energy balance and the special cases of his equations. */
#include "boltzmann_hamel.h"

void talamucci_show_vector(ah_equations *eq, mat x, const char *name)
{
    if (x.rows && mat_entries(x)) sheet_show(eq->sheet, derive_leaf(eq, x, name, NULL), NULL, NULL);
}

static quantity dot(sheet *s, quantity x, quantity y)
{
    return sheet_mul(s, sheet_transpose(s, x), y);
}

static quantity scalar(sheet *s, ah_expr e)
{
    return sheet_leaf(s, mat_from_dense(s->ctx, s->arena, 1, 1, &e));
}

/* d/dt (η·p − L̃) = η'·p + η·p' − dL/dt along the motion, with dL/dt = ∇_qL·v + ∇_vL·a + ∂L/∂t. */
static quantity left_side(ah_equations *eq, const talamucci *y, quantity etadot, quantity a)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quasi_quantities *x = &y->x;
    const quantity p = quasi_free_rows(s, x->w, x->P);
    const quantity pdot = sheet_add(s, sheet_mul(s, y->A, etadot), y->pdot0);
    const quantity Ldot = sheet_add(s, dot(s, y->L_q, sheet_leaf(s, k->v)), dot(s, x->p, a));
    const quantity L_t = scalar(s, expr_diff(k->ctx, k->Lagrangian, k->t));
    return sheet_sub(s, sheet_add(s, dot(s, etadot, p), dot(s, x->free_omega, pdot)),
                     sheet_add(s, Ldot, L_t));
}

/* −∂L̃/∂t with ∂L̃/∂t = ∂L/∂t − (p; μ)·∂(η; ζ)/∂t. */
static quantity time_term(ah_equations *eq, const talamucci *y)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quantity moved = dot(s, y->x.P, sheet_leaf(s, y->x.w->f_t));
    return sheet_sub(s, moved, scalar(s, expr_diff(k->ctx, k->Lagrangian, k->t)));
}

/* −P_which·(W' − J_q)_which Γη */
static quantity turning_term(sheet *s, const talamucci *y, const uint32_t *which, uint32_t count)
{
    const quantity rows = sheet_rows(s, y->turn, which, count);
    const quantity P = sheet_rows(s, y->x.P, which, count);
    const quantity moved = sheet_mul3(s, rows, y->x.B_free, y->x.free_omega);
    return sheet_neg(s, dot(s, P, moved));
}

static quantity show_term(sheet *s, quantity sum, quantity term, const char *name)
{
    sheet_show(s, sheet_name(s, term, name, NULL), NULL, NULL);
    return sum == QUANTITY_NONE ? term : sheet_add(s, sum, term);
}

void talamucci_energy(ah_equations *eq, const talamucci *y, quantity etadot, quantity a)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quasi_quantities *x = &y->x;
    const quasi *w = x->w;
    const quantity p = quasi_free_rows(s, w, x->P);
    sheet_section(s, "Energy balance", "[T, eq. 18]");
    const quantity E = sheet_sub(s, dot(s, x->free_omega, p), scalar(s, k->Lagrangian));
    sheet_show(s, sheet_name(s, E, "E", "\\eta \\cdot p - \\tilde{L}"), NULL, NULL);
    sheet_text(s, "Its derivative is the sum of");
    quantity sum =
        show_term(s, QUANTITY_NONE, time_term(eq, y), "-\\partial \\tilde{L} / \\partial t");
    if (mat_entries(w->c)) {
        const quantity drift = sheet_mul(s, x->B, sheet_leaf(s, w->c)); /* Γψ + Θβ */
        sum = show_term(s, sum, dot(s, drift, y->grad),
                        "(\\Gamma\\psi + \\Theta\\beta) \\cdot \\nabla_q \\tilde{L}");
    }
    sum = show_term(s, sum, turning_term(s, y, w->free, w->n - w->r),
                    "-p \\cdot (\\dot{Z} - J_q \\eta) \\Gamma \\eta");
    if (w->r)
        sum = show_term(s, sum, turning_term(s, y, w->bound, w->r),
                        "-\\mu \\cdot (\\dot{\\alpha} - J_q \\zeta) \\Gamma \\eta");
    if (mat_entries(k->F))
        sum = show_term(s, sum, dot(s, x->free_omega, y->F_eta), "\\eta \\cdot \\Gamma^T F");
    sheet_name(s, sum, "\\dot{E}", NULL);
    sheet_show(s, sheet_meaning(s, sum, "\\text{the sum of these}"), NULL, NULL);
    quasi_extra(eq, "energy_balance_18", sheet_stack(s, left_side(eq, y, etadot, a), sum));
}

/* ---- Special cases --------------------------------------------------------------------------- */

static bool all_zero(mechanics *k, mat m)
{
    for (uint32_t i = 0; i < mat_entries(m); i++)
        if (algebra_zero(k->alg, m.val[i]) != AH_TRUE) return false;
    return true;
}

static bool depends_on_time(mechanics *k, mat m)
{
    for (uint32_t i = 0; i < mat_entries(m); i++)
        if (expr_depends(k->ctx, m.val[i], k->t)) return true;
    return false;
}

/* Whether the constraint ζ_i = 0 states the momentum of the coordinate j, which nothing depends on.
 */
static bool states_momentum(mechanics *k, const quasi *w, uint32_t i, uint32_t j)
{
    const ah_expr q = k->model->q.at[j];
    if (expr_depends(k->ctx, k->Lagrangian, q) ||
        !expr_is_zero(k->ctx, mat_get(k->ctx, k->F, j, 0)))
        return false;
    const mat own = mat_rows(k->ctx, k->arena, w->f_v, &w->bound[i], 1);
    return all_zero(
        k, mat_sub(k->ctx, k->arena, own, mat_rows(k->ctx, k->arena, mechanics_mass(k), &j, 1)));
}

static void say_cyclic(ah_equations *eq, const quasi *w)
{
    mechanics *k = eq->mech;
    for (uint32_t i = 0; i < w->r; i++)
        for (uint32_t j = 0; j < k->n; j++)
            if (states_momentum(k, w, i, j))
                sheet_text(
                    eq->sheet,
                    "A constraint states the momentum of the cyclic coordinate ${{%s}}$: the "
                    "reduced function is Routh's $R = L - \\sum p \\dot{q}$, not $L$ with "
                    "the cyclic velocities put in.",
                    expr_text(k->ctx, k->arena, k->model->q.at[j], AH_LATEX));
}

void talamucci_special_cases(ah_equations *eq, const talamucci *y)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quasi *w = y->x.w;
    const mat L = mat_from_dense(k->ctx, k->arena, 1, 1, &k->Lagrangian);
    if (!w->r && mat_equal(w->f, k->v))
        sheet_text(s, "$\\eta = \\dot{q}$: these are Lagrange's equations.");
    if (!w->r && all_zero(k, mat_sub(k->ctx, k->arena, w->f, k->p)))
        sheet_text(s,
                   "$\\eta$ are the momenta: these are Hamilton's equations, $\\dot{q} = "
                   "\\nabla_\\eta H$ and $\\dot{\\eta} = F - \\nabla_q H$ with $H = \\eta \\cdot p "
                   "- \\tilde{L}$.");
    if (!depends_on_time(k, L) && !depends_on_time(k, w->f) && !mat_entries(w->c))
        sheet_text(s, "Everything is stationary: $\\eta \\cdot p - \\tilde{L}$ %s.",
                   mat_entries(k->F) ? "changes by the power of $F$ alone" : "is conserved");
    say_cyclic(eq, w);
}
