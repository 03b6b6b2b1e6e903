/* mechanics/switches.c - what sign(u) does to a motion that is worked out symbolically.
 *
 * The motion is worked out with |u|/u for sign(u), and of squares the ring knows |u|² = u². Where that
 * changes no force, and nothing else has signs, |u| = sign(u) u gives the motion's value at u = 0 back. */
#include "mechanics.h"

static expr_list calls_of(mechanics *k, const ah_expr *e, size_t count, ah_function f)
{
    expr_list out = {0};
    const expr_list nodes = expr_reachable(k->ctx, k->arena, e, count);
    for (size_t i = 0; i < nodes.count; i++)
        if (expr_get_op(k->ctx, nodes.at[i]) == EXPR_CALL &&
            expr_get_function(k->ctx, nodes.at[i]) == f)
            LIST_PUSH(k->arena, &out, nodes.at[i]);
    return out;
}

static expr_list signs_of(mechanics *k, mat m)
{
    return calls_of(k, m.val, mat_entries(m), AH_SIGN);
}

/* May it be zero, for all that is known? */
static bool may_switch(mechanics *k, ah_expr sign)
{
    ah_expr u = expr_get_children(k->ctx, sign)[0];
    model_put_values(k->model, &u, 1);
    return !algebra_never_zero(k->alg, u);
}

static bool any_switches(mechanics *k, mat m)
{
    const expr_list sign = signs_of(k, m);
    for (size_t i = 0; i < sign.count; i++)
        if (may_switch(k, sign.at[i])) return true;
    return false;
}

static ah_expr with_sign(mechanics *k, ah_expr e, ah_expr sign, long value)
{
    const ah_expr number = expr_int(k->ctx, value);
    return expr_subst(k->ctx, e, 1, &sign, &number);
}

/* sign(u)² = 1 changes nothing where u = 0: half the sum of what e is on both sides is what it is
 * there. */
static bool is_plain(mechanics *k, ah_expr e, ah_expr sign)
{
    const ah_expr sides = expr_add(k->ctx, with_sign(k, e, sign, 1), with_sign(k, e, sign, -1));
    const ah_expr twice = expr_mul(k->ctx, expr_int(k->ctx, 2), with_sign(k, e, sign, 0));
    return algebra_zero_where(k->alg, expr_sub(k->ctx, sides, twice),
                              expr_get_children(k->ctx, sign)[0]);
}

static switches look(mechanics *k)
{
    const mat others[] = {k->tree ? k->tree->M : mechanics_mass(k), k->tree ? k->tree->J : k->J,
                          k->J, k->gamma, k->C};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (any_switches(k, others[i])) return SWITCHES_SQUARED;
    const expr_list sign = signs_of(k, k->L);
    for (uint32_t i = 0; i < k->n; i++)
        for (size_t s = 0; s < sign.count; s++)
            if (may_switch(k, sign.at[s]) && !is_plain(k, mat_get(k->ctx, k->L, i, 0), sign.at[s]))
                return SWITCHES_SQUARED;
    return sign.count ? SWITCHES_PLAIN : SWITCHES_NONE;
}

switches switches_of(mechanics *k)
{
    if (k->switches == SWITCHES_UNKNOWN) k->switches = look(k);
    return k->switches;
}

ah_expr switches_put(mechanics *k, ah_expr e)
{
    if (switches_of(k) == SWITCHES_NONE) return e;
    const expr_list sizes = calls_of(k, &e, 1, AH_ABS);
    for (size_t i = 0; i < sizes.count; i++) {
        const ah_expr u = expr_get_children(k->ctx, sizes.at[i])[0];
        const ah_expr product = expr_mul(k->ctx, expr_call1(k->ctx, AH_SIGN, u), u);
        e = expr_subst(k->ctx, e, 1, &sizes.at[i], &product);
    }
    return e;
}

size_t switches_jumps(mechanics *k, arena *a, const switches_jump **out)
{
    const mat part[] = {k->J, k->gamma};
    LIST(switches_jump) found = {0};
    for (size_t p = 0; p < sizeof part / sizeof *part; p++) {
        const expr_list sign = signs_of(k, part[p]);
        for (size_t s = 0; s < sign.count; s++)
            for (uint32_t i = 0; i < part[p].rows; i++)
                for (uint32_t j = part[p].start[i]; j < part[p].start[i + 1]; j++) {
                    const ah_expr e = part[p].val[j];
                    if (!expr_depends(k->ctx, e, sign.at[s])) continue;
                    const ah_expr by = expr_sub(k->ctx, with_sign(k, e, sign.at[s], 1),
                                                with_sign(k, e, sign.at[s], -1));
                    const ah_expr u = expr_get_children(k->ctx, sign.at[s])[0];
                    LIST_PUSH(a, &found, ((switches_jump){i, u, by}));
                }
    }
    *out = found.at;
    return found.count;
}
