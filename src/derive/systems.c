/* derive/systems.c - equations of motion as linear systems, for what is too long to be solved on paper. */
#include "derive.h"

mat derive_multiplier_symbols(mechanics *k, uint32_t count)
{
    ah_expr *lambda = NEW_ARRAY(k->arena, ah_expr, count + 1);
    for (uint32_t i = 0; i < count; i++) lambda[i] = model_multiplier(k->model, i, count == 1);
    return mat_from_dense(k->ctx, k->arena, count, 1, lambda);
}

static quantity zero(ah_equations *eq, uint32_t rows, uint32_t cols)
{
    return sheet_leaf(eq->sheet, mat_zero(eq->mech->ctx, eq->mech->arena, rows, cols));
}

/* [a b; c 0] */
static quantity corner(ah_equations *eq, quantity a, quantity b, quantity c)
{
    sheet *s = eq->sheet;
    const quantity none = zero(eq, sheet_get(s, c)->rows, sheet_get(s, b)->cols);
    return sheet_stack(s, sheet_beside(s, a, b), sheet_beside(s, c, none));
}

void derive_otherwise_multipliers(ah_equations *eq, quantity M, quantity L, quantity J,
                                  quantity gamma)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const uint32_t r = sheet_get(s, J)->rows;
    const mat unknowns = mat_stack(k->ctx, k->arena, k->a, derive_multiplier_symbols(k, r));
    const quantity forces = sheet_neg(s, sheet_transpose(s, J));
    sheet_otherwise(s, unknowns, corner(eq, M, forces, J), sheet_stack(s, L, sheet_neg(s, gamma)));
}

void derive_otherwise_directions(ah_equations *eq, quantity M, quantity L, chart_quantities c)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quantity one = sheet_leaf(s, mat_identity(k->ctx, k->arena, k->n));
    const quantity PsiT = sheet_transpose(s, c.Psi);
    const mat unknowns = mat_stack(k->ctx, k->arena, k->a, k->chart.zdot);
    sheet_otherwise(s, unknowns, corner(eq, one, sheet_neg(s, c.Psi), sheet_mul(s, PsiT, M)),
                    sheet_stack(s, c.drift, sheet_mul(s, PsiT, L)));
}
