/* Hamilton's equations: docs/formalisms/hamilton.md; [T, section 2].
 *
 *     q' = ∂H/∂p,   p' = −∂H/∂q + F,      H(q, p, t) = p·v − L,   p = ∂L/∂v
 *
 * H is displayed and differentiated where p = ∂L/∂v can be solved for v; otherwise ∂H/∂q at
 * constant p is −∂L/∂q at constant v, which needs no solution. The accelerations follow from M a =
 * p' − (∂p/∂q) v − ∂p/∂t. */
#include "momenta.h"

static ah_expr hamiltonian(mechanics *k, const momenta *p)
{
    ah_ctx *ctx = k->ctx;
    const mat pv = mat_mul(ctx, k->arena, mat_transpose(ctx, k->arena, p->symbols), k->v);
    const ah_expr H = expr_sub(ctx, mat_get(ctx, pv, 0, 0), k->Lagrangian);
    return algebra_simplify(k->alg, expr_subst(ctx, H, k->n, k->model->v.at,
                                               mat_to_dense(ctx, k->arena, p->velocities)));
}

/* With H in hand: shows it and its derivatives, gives −∂H/∂q with p put back for numbers. */
static quantity through_hamiltonian(ah_equations *eq, const momenta *p)
{
    mechanics *k = eq->mech;
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    sheet *s = eq->sheet;
    const ah_expr H = hamiltonian(k, p);
    const ah_expr *symbols = mat_to_dense(ctx, a, p->symbols);
    const mat slope = mat_neg(ctx, a, mat_gradient(ctx, a, H, k->n, k->model->q.at));
    eq->substitutions = k->n;
    eq->from = k->model->v.at;
    eq->to = mat_to_dense(ctx, a, p->velocities);

    sheet_section(s, "Hamilton's function $H = p \\cdot \\dot{q} - L$", NULL);
    sheet_show(s, derive_leaf(eq, mat_from_dense(ctx, a, 1, 1, &H), "H", NULL), NULL, NULL);
    sheet_final(s);
    const mat H_p = mat_gradient(ctx, a, H, k->n, symbols);
    sheet_equations(s, k->v, derive_leaf(eq, H_p, "\\partial H / \\partial p", NULL), NULL, NULL);
    sheet_final(s);
    return derive_leaf(eq,
                       mat_subst(ctx, a, slope, k->n, symbols, mat_to_dense(ctx, a, p->definition)),
                       "-\\partial H / \\partial q", NULL);
}

static quantity through_lagrangian(ah_equations *eq, const char *why)
{
    mechanics *k = eq->mech;
    sheet_text(eq->sheet,
               "H is not written out: %s. $\\partial H / \\partial q = -\\partial L / \\partial q$ "
               "needs no solution.",
               why);
    return derive_leaf(eq, mat_gradient(k->ctx, k->arena, k->Lagrangian, k->n, k->model->q.at),
                       "-\\partial H / \\partial q", "\\partial L / \\partial q");
}

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    ah_ctx *ctx = k->ctx;
    sheet *s = eq->sheet;
    momenta p;
    const char *why = derive_solve_momenta(k, sheet_first_rows(s, k->n), k->n, &p);
    sheet_section(s, "Momenta", "[T, section 2]");
    sheet_equations(s, p.symbols, derive_leaf(eq, k->p, "p", "\\partial L / \\partial \\dot{q}"),
                    NULL, NULL);
    sheet_final(s);
    const quantity H_q = why ? through_lagrangian(eq, why) : through_hamiltonian(eq, &p);
    const quantity F = derive_leaf(eq, k->F, "F", NULL);
    const quantity pdot =
        sheet_name(s, sheet_add(s, H_q, F), "\\dot{p}", "-\\partial H / \\partial q + F");
    sheet_equations(s, p.dots, pdot, NULL, NULL);
    sheet_final(s);

    const mat along = mat_add(ctx, k->arena, mat_mul(ctx, k->arena, k->p_q, k->v), k->p_t);
    eq->qddot = sheet_solve(s, sheet_leaf(s, k->M), sheet_sub(s, pdot, sheet_leaf(s, along)));
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
