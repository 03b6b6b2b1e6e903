/* derive/momenta.c - p_c = ∂L/∂v_c solved for v_c: linear where T is quadratic in v_c. */
#include "momenta.h"

/* Larger systems are not inverted symbolically. */
#define MOMENTA_LARGEST 4

/* p_x, or p_x_ … where the model has that name already. */
static ah_expr momentum_symbol(mechanics *k, ah_expr coordinate)
{
    const char *name = arena_printf(k->arena, "p_%s", expr_get_name(k->ctx, coordinate));
    while (model_find(k->model, name)) name = arena_printf(k->arena, "%s_", name);
    return expr_symbol(k->ctx, AH_SPEED, name);
}

static bool free_of(mechanics *k, mat m, const ah_expr *symbols, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const mat slope = mat_derivative(k->ctx, k->arena, m, symbols[i]);
        for (uint32_t j = 0; j < mat_entries(slope); j++)
            if (algebra_zero(k->alg, slope.val[j]) != AH_TRUE) return false;
    }
    return true;
}

const char *derive_solve_momenta(mechanics *k, const uint32_t *which, uint32_t count, momenta *out)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    ah_expr *v = NEW_ARRAY(a, ah_expr, count), *zero = NEW_ARRAY(a, ah_expr, count);
    ah_expr *p = NEW_ARRAY(a, ah_expr, count), *pdot = NEW_ARRAY(a, ah_expr, count);
    for (uint32_t i = 0; i < count; i++) {
        v[i] = k->model->v.at[which[i]];
        zero[i] = expr_int(ctx, 0);
        p[i] = momentum_symbol(k, k->model->q.at[which[i]]);
        pdot[i] = expr_dot(ctx, p[i]);
    }
    out->count = count;
    out->symbols = mat_from_dense(ctx, a, count, 1, p);
    out->dots = mat_from_dense(ctx, a, count, 1, pdot);
    out->definition = mat_rows(ctx, a, k->p, which, count);
    const mat M = mat_jacobian(ctx, a, out->definition, count, v);
    const mat at_zero = mat_subst(ctx, a, out->definition, count, v, zero);
    bool singular = false;
    if (count > MOMENTA_LARGEST) return "there are too many momenta to solve for the velocities";
    if (!free_of(k, M, v, count)) return "the kinetic energy is not quadratic in the velocities";
    if (algebra_solve(k->alg, M, mat_sub(ctx, a, out->symbols, at_zero), &out->velocities,
                      &singular))
        return NULL;
    return singular ? "the momenta do not determine the velocities"
                    : "the momenta could not be solved for the velocities in closed form";
}
