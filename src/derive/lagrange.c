/* Lagrange's equations: docs/formalisms/lagrange.md. Without constraints
 *
 *     d/dt ∂T/∂v − ∂T/∂q + ∂V/∂q = F        (M a = L)
 *
 * Holonomic constraints bring multipliers (first kind), so that formalism serves there. */
#include "derive.h"

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const size_t before = s->steps.count;
    if (derive_by_bodies(eq)) return;
    const quantity M =
        derive_leaf(eq, mechanics_mass(k), "M", "\\partial^2 T / \\partial \\dot{q}^2");
    const quantity L = derive_leaf(eq, k->L, "L", DERIVE_FREE_FORCES);
    sheet_section(s, "Lagrange's function", NULL);
    sheet_show(
        s, derive_leaf(eq, mat_from_dense(k->ctx, k->arena, 1, 1, &k->Lagrangian), "L", "T - V"),
        NULL, NULL);
    sheet_show(s, derive_leaf(eq, k->p, "p", "\\partial T / \\partial \\dot{q}"), NULL, NULL);
    sheet_section(s, "Lagrange's equations $M \\ddot{q} = L$", NULL);
    sheet_show(s, M, NULL, NULL);
    sheet_show(s, L, NULL, NULL);
    eq->qddot = sheet_solve(s, M, L);
    sheet_equations(s, k->a, eq->qddot, NULL, NULL);
    sheet_final(s);
    derive_carried(eq, before);
}

const formalism formalism_lagrange = {
    .name = "lagrange",
    .title = "Lagrange's equations of the second kind",
    .paper = "H",
    .accepts = derive_needs_no_constraints,
    .derive = derive,
};
