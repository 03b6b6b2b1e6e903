/* Hamilton's equations: docs/formalisms/hamilton.md; [T, section 2].
 *
 *     q' = ∂H/∂p,   p' = −∂H/∂q + F,      H(q, p, t) = p·v − L,   p = ∂L/∂v
 *
 * H is displayed and differentiated where p = ∂L/∂v can be solved for v; otherwise ∂H/∂q at
 * constant p is −∂L/∂q at constant v, which needs no solution. The accelerations follow from
 * M a = p' − (∂p/∂q) v − ∂p/∂t. */
#include "momenta.h"

static ah_expr hamiltonian(mechanics *k, const momenta *p)
{
    ah_ctx *ctx = k->ctx;
    const mat pv = mat_mul(ctx, k->arena, mat_transpose(ctx, k->arena, p->symbols), k->v);
    const ah_expr H = expr_sub(ctx, mat_get(ctx, pv, 0, 0), k->Lagrangian);
    return algebra_simplify(k->alg, expr_subst(ctx, H, k->n, k->model->v.at,
                                               mat_to_dense(ctx, k->arena, p->velocities)));
}

/* −∂H/∂q + F. */
static quantity rate_of_momenta(ah_equations *eq, mat H_q, mat F)
{
    sheet *s = eq->sheet;
    const mat minus = mat_neg(eq->mech->ctx, eq->mech->arena, H_q);
    return sheet_name(s, sheet_add(s, sheet_leaf(s, minus), sheet_leaf(s, F)), "\\dot{p}",
                      "-\\partial H / \\partial q + F");
}

/* With H in hand: shows it and the equations in (q, p, t); p' for a state, from the same H. */
static quantity through_hamiltonian(ah_equations *eq, const momenta *p)
{
    mechanics *k = eq->mech;
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    sheet *s = eq->sheet;
    const ah_expr H = hamiltonian(k, p);
    const ah_expr *symbols = mat_to_dense(ctx, a, p->symbols);
    const mat H_p = mat_gradient(ctx, a, H, k->n, symbols);
    const mat H_q = mat_gradient(ctx, a, H, k->n, k->model->q.at);
    const mat F =
        mat_subst(ctx, a, k->F, k->n, k->model->v.at, mat_to_dense(ctx, a, p->velocities));
    sheet_section(s, "Hamilton's function $H = p \\cdot \\dot{q} - L$", NULL);
    const quantity shown = derive_leaf(eq, mat_from_dense(ctx, a, 1, 1, &H), "H", NULL);
    sheet_show(s, sheet_meaning(s, shown, "p \\cdot \\dot{q} - L"), NULL, NULL);
    sheet_final(s);
    sheet_section(s, "Hamilton's equations", NULL);
    sheet_equations(s, k->v, derive_leaf(eq, H_p, "\\partial H / \\partial p", NULL), NULL, NULL);
    sheet_final(s);
    sheet_equations(s, p->dots, rate_of_momenta(eq, H_q, F), NULL, NULL);
    sheet_final(s);
    return rate_of_momenta(
        eq, mat_subst(ctx, a, H_q, k->n, symbols, mat_to_dense(ctx, a, p->definition)), k->F);
}

static quantity through_lagrangian(ah_equations *eq, const momenta *p, const char *why)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const ah_expr minus = expr_neg(k->ctx, k->Lagrangian);
    sheet_text(s,
               "H is not written out: %s. $\\partial H / \\partial q = -\\partial L / \\partial q$ "
               "needs no solution.",
               why);
    const quantity pdot =
        rate_of_momenta(eq, mat_gradient(k->ctx, k->arena, minus, k->n, k->model->q.at), k->F);
    sheet_equations(s, p->dots, pdot, NULL, NULL);
    sheet_final(s);
    return pdot;
}

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    momenta p;
    const char *why = derive_solve_momenta(k, sheet_first_rows(s, k->n), k->n, &p);
    sheet_section(s, "Momenta", "[T, section 2]");
    sheet_equations(s, p.symbols, derive_leaf(eq, k->p, "p", "\\partial L / \\partial \\dot{q}"),
                    NULL, NULL);
    sheet_final(s);
    const quantity pdot = why ? through_lagrangian(eq, &p, why) : through_hamiltonian(eq, &p);
    eq->qddot = sheet_solve(s, sheet_leaf(s, mechanics_mass(k)),
                            sheet_sub(s, pdot, sheet_leaf(s, k->pdot0)));
    eq->is_omega = true;
    eq->speeds = p.symbols;
    eq->speeds_dot_symbols = p.dots;
    eq->speeds_definition = k->p;
    eq->speeds_dot = pdot;
}

const formalism formalism_hamilton = {
    .name = "hamilton",
    .title = "Hamilton's equations",
    .paper = "T",
    .accepts = derive_needs_no_constraints,
    .derive = derive,
};
