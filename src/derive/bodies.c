/* derive/bodies.c - trees of bodies: docs/formalisms/multipliers.md.
 *
 * M = Aᵀ D A of a long tree is full, its parts are not. With w the velocities of the bodies, w = A q', and f the forces that
 * carry them,
 *
 *     D w' = Kᵀ f,   Sᵀ f = L + Jᵀ λ,   K w' = S q'',   J q'' = −γ
 *
 * is M q'' = L + Jᵀλ with as many entries as there are bodies (w' here is without the terms in the velocities: they are in
 * L). Eliminated from the leaves to the root it is the recursion of articulated bodies [Featherstone1983]. */
#include "derive.h"

/* 0 … 0 above: of the bodies. */
static mat below_bodies(mechanics *k, mat column)
{
    return model_tree_right(k->model, k->arena, k->tree, column);
}

bool derive_by_bodies(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const model_tree *t = k->tree;
    if (!t || (k->r == 0 && k->chart.kind == CHART_GIVEN)) return false;
    const quantity D = derive_leaf(eq, t->M, "D", "\\partial^2 T / \\partial (w, \\dot{q})^2");
    const quantity rows = derive_leaf(eq, model_tree_rows(k->model, k->arena, t, k->J), "J", NULL);
    const quantity L = derive_leaf(eq, below_bodies(k, k->L), "L", DERIVE_FREE_FORCES);
    const quantity gamma = derive_leaf(eq, below_bodies(k, k->gamma), "\\gamma", NULL);
    derive_carried(eq, s->steps.count);
    const quantity x = sheet_kkt_tree(s, D, rows, L, gamma, t->unknowns + k->rank, &t->shape);
    eq->qddot = sheet_name(s, sheet_row_range(s, x, t->unknowns, k->n), "D^i", NULL);
    const quantity lambda = sheet_row_range(s, x, 2 * t->unknowns + k->n, k->r);
    eq->multipliers = lambda;
    eq->reaction = sheet_mul(s, sheet_transpose(s, sheet_leaf(s, k->J)), lambda);
    return true;
}
