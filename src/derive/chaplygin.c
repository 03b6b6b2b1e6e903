/* Chaplygin's equations: docs/formalisms/chaplygin.md; [Chaplygin1897].
 *
 * Voronets' equations where neither T nor the forces nor the coefficients a depend on the dependent
 * coordinates s or on the time, so that ∂Θ/∂s and most of the derivatives of a drop out:
 *
 *     d/dt ∂Θ/∂x'_i − ∂Θ/∂x_i − (∂T/∂s'_α)(∂a_αi/∂x_j − ∂a_αj/∂x_i) x'_j = K_i + a_αi K_α
 *
 * Dependent are, where there is a choice, coordinates on which nothing depends. */
#include "voronets.h"

static bool essential(mechanics *k, ah_expr e, ah_expr symbol)
{
    return expr_depends(k->ctx, e, symbol) &&
           algebra_zero(k->alg, expr_diff(k->ctx, e, symbol)) != AH_TRUE;
}

static bool any_essential(mechanics *k, mat m, ah_expr symbol, uint32_t *row)
{
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t e = m.start[i]; e < m.start[i + 1]; e++)
            if (essential(k, m.val[e], symbol)) {
                *row = i;
                return true;
            }
    return false;
}

static const char *what_it_is(mechanics *k, ah_expr symbol)
{
    if (symbol == k->t) return "the time";
    return arena_printf(k->arena, "%s, a dependent coordinate", expr_get_name(k->ctx, symbol));
}

/* The solved coefficients depend on the symbol: so does a coefficient of some constraint. */
static const char *guilty_coefficient(mechanics *k, ah_expr symbol)
{
    for (uint32_t c = 0; c < k->r; c++) {
        const ah_expr C = mat_get(k->ctx, k->C, c, 0);
        const char *label = k->model->constraints.at[c].label;
        for (uint32_t i = 0; i < k->n; i++)
            if (essential(k, expr_diff(k->ctx, C, k->model->v.at[i]), symbol))
                return arena_printf(k->arena, "the coefficient of %s' in `%s` depends on %s",
                                    expr_get_name(k->ctx, k->model->q.at[i]), label,
                                    what_it_is(k, symbol));
        if (essential(k, C, symbol))
            return arena_printf(k->arena, "the velocity-free part of `%s` depends on %s", label,
                                what_it_is(k, symbol));
    }
    return arena_printf(k->arena, "the velocities depend on %s", what_it_is(k, symbol));
}

static const char *dependence(mechanics *k, const chart *c, ah_expr symbol)
{
    uint32_t row;
    if (any_essential(k, c->psi, symbol, &row)) return guilty_coefficient(k, symbol);
    if (essential(k, k->T, symbol))
        return arena_printf(k->arena, "the kinetic energy depends on %s", what_it_is(k, symbol));
    if (any_essential(k, k->K, symbol, &row))
        return arena_printf(k->arena, "the force on %s depends on %s",
                            expr_get_name(k->ctx, k->model->q.at[row]), what_it_is(k, symbol));
    return NULL;
}

static const char *accepts(mechanics *k, const char **instead)
{
    const char *why = derive_needs_linear_chart(k, instead);
    if (why) return why;
    const chart *c = mechanics_linear_chart(k, true, NULL);
    *instead = "voronets";
    if (!c) return "the constraints could not be solved for the cyclic velocities";
    for (uint32_t i = 0; !why && i < k->n - c->m; i++)
        why = dependence(k, c, k->model->q.at[c->dependent[i]]);
    return why ? why : dependence(k, c, k->t);
}

static void derive(ah_equations *eq)
{
    derive_voronets(eq, true);
}

const formalism formalism_chaplygin = {
    .name = "chaplygin",
    .title = "Chaplygin's equations",
    .paper = "Chaplygin1897",
    .accepts = accepts,
    .derive = derive,
};
