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
    sheet_meaning(s, rows,
                  "\\text{how each body is moved by the one it stands on and by its "
                  "coordinates, then the constraints}");
    sheet_meaning(s, gamma, "\\text{the constraints at } \\ddot{q} = 0");
    sheet_section(s, "Bodies that stand on each other", NULL);
    sheet_text(s,
               "The mass matrix of this tree is full. With the velocities $w$ of its %u bodies, %u "
               "numbers each, as further unknowns the equations are sparse: $D$ is the inertia of "
               "the bodies, the first rows of $J$ say how they are moved.",
               (unsigned) t->shape.bodies, (unsigned) t->shape.width);
    sheet_show(s, D, NULL, NULL);
    sheet_show(s, rows, NULL, NULL);
    sheet_show(s, L, NULL, NULL);
    if (k->r) sheet_show(s, gamma, NULL, NULL);
    const quantity x = sheet_kkt_tree(s, D, rows, L, gamma, t->unknowns + k->rank, &t->shape);
    eq->qddot = sheet_name(s, sheet_row_range(s, x, t->unknowns, k->n), "D^i", NULL);
    const quantity lambda = sheet_row_range(s, x, 2 * t->unknowns + k->n, k->r);
    eq->multipliers = lambda;
    eq->reaction = sheet_mul(s, sheet_transpose(s, sheet_leaf(s, k->J)), lambda);
    sheet_meaning(
        s, eq->qddot,
        "\\text{of } D \\dot{w} = L + J^T \\lambda,\\ J (\\dot{w}, \\ddot{q}) = -\\gamma");
    sheet_equations(s, k->a, eq->qddot, NULL, NULL);
    sheet_final(s);
    return true;
}
