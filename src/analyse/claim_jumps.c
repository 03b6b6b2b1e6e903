/* analyse/claim_jumps.c - what is called constant may not jump.
 *
 * The rate of sign(x) vanishes wherever there is one, and yet a motion through x = 0 changes it. So the values beside each place
 * at which something switches are compared: with s for sign(u), and for the angle atan2(y, x) on its cut y = 0,
 *
 *     e(s = 1) − e(s = −1) = 0 on u = 0,        e(π) − e(−π) = 0 on y = 0.
 *
 * Across a pole atan(x) + atan(1/x) changes by π, and |x|/x by 2. What is analytic but for poles does not: where its rate
 * vanishes on both sides, it is one constant. So a pole must lie outside of all functions (but the logarithm, whose real part has
 * the same value on both sides), and nothing beside it may be bent: |u|, roots, asin. Poles of the system itself end the
 * motion. */
#include "claim.h"

#include <string.h>

/* Does e, as a function of the node's value, differ on the two sides of zero = 0, for all that is known? */
static bool differs(verification *v, ah_expr e, ah_expr node, ah_expr zero, const ah_expr side[2])
{
    algebra *alg = v->mech->alg;
    ah_expr parts[] = {expr_sub(v->ctx, expr_subst(v->ctx, e, 1, &node, &side[0]),
                                expr_subst(v->ctx, e, 1, &node, &side[1])),
                       zero};
    model_put_values(v->model, parts, 2);
    const int sign = algebra_sign(alg, parts[1]);
    if (sign == 1 || sign == -1 || algebra_zero(alg, parts[0]) == AH_TRUE) return false;
    const bool same =
        algebra_set_relations(alg, &parts[1], 1) && algebra_zero(alg, parts[0]) == AH_TRUE;
    algebra_set_relations(alg, NULL, 0);
    return !same;
}

static bool is_moving(const verification *v, ah_expr e)
{
    const expr_list symbols = expr_symbols(v->ctx, &v->ctx->scratch, &e, 1);
    for (size_t i = 0; i < symbols.count; i++)
        if (expr_get_kind(v->ctx, symbols.at[i]) != AH_PARAMETER) return true;
    return false;
}

/* ---- Poles ----------------------------------------------------------------------------------- */

/* Where the node has one: u of 1/u, cos u of tan u; AH_NONE: nowhere. */
static ah_expr pole_of(const verification *v, ah_expr node)
{
    ah_ctx *ctx = v->ctx;
    long p, q;
    switch (expr_get_op(ctx, node)) {
    case EXPR_POWER:
        return expr_is_rational(ctx, expr_get_children(ctx, node)[1], &p, &q) && p < 0
                   ? expr_get_children(ctx, node)[0]
                   : AH_NONE;
    case EXPR_CALL:
        return expr_get_function(ctx, node) == AH_TAN
                   ? expr_call1(ctx, AH_COS, expr_get_children(ctx, node)[0])
                   : AH_NONE;
    default: return AH_NONE;
    }
}

static bool may_vanish(verification *v, ah_expr u)
{
    if (!is_moving(v, u)) return false;
    model_put_values(v->model, &u, 1);
    const int sign = algebra_sign(v->mech->alg, u);
    return sign != 1 && sign != -1;
}

/* A pole of the system's own text: no motion goes through it. */
static bool is_of_system(const verification *v, ah_expr u)
{
    const model_needs *needs = &v->model->needs;
    for (size_t i = 0; i < needs->count; i++) {
        const model_need *n = &needs->at[i];
        if (n->f == AH_FUNCTIONS && n->b != AH_NONE &&
            pole_of(v, expr_pow(v->ctx, n->a, n->b)) == u)
            return true;
        if (n->f == AH_TAN && pole_of(v, expr_call1(v->ctx, AH_TAN, n->a)) == u) return true;
    }
    return false;
}

static ah_expr pole_among(verification *v, const expr_list *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        const ah_expr u = pole_of(v, nodes->at[i]);
        if (u != AH_NONE && may_vanish(v, u) && !is_of_system(v, u)) return u;
    }
    return AH_NONE;
}

static bool is_call(const verification *v, ah_expr node, ah_function f)
{
    return expr_get_op(v->ctx, node) == EXPR_CALL && expr_get_function(v->ctx, node) == f;
}

/* Not analytic where its argument vanishes, or is 1. */
static bool is_bent(verification *v, ah_expr node)
{
    long n;
    const expr_op op = expr_get_op(v->ctx, node);
    if (op != EXPR_POWER && op != EXPR_CALL) return false;
    const ah_expr of = expr_get_children(v->ctx, node)[0];
    if (op == EXPR_POWER)
        return !expr_is_int(v->ctx, expr_get_children(v->ctx, node)[1], &n) && may_vanish(v, of);
    switch (expr_get_function(v->ctx, node)) {
    case AH_ABS:
    case AH_SIGN: return may_vanish(v, of);
    case AH_ASIN:
    case AH_ACOS:
    case AH_ATAN2: return is_moving(v, node);
    default: return false;
    }
}

/* Is the pole of another node inside this function? */
static ah_expr pole_inside(verification *v, ah_expr node)
{
    ah_expr argument[2];
    const size_t count = expr_get_count(v->ctx, node);
    if (expr_get_op(v->ctx, node) != EXPR_CALL || is_call(v, node, AH_LOG) || count > 2)
        return AH_NONE;
    memcpy(argument, expr_get_children(v->ctx, node), count * sizeof *argument);
    const expr_list inside = expr_reachable(v->ctx, v->arena, argument, count);
    return pole_among(v, &inside);
}

/* The pole of e across which it may jump; AH_NONE: there is none. */
static ah_expr jump_at_pole(verification *v, ah_expr e, const expr_list *nodes)
{
    const ah_expr pole = pole_among(v, nodes);
    if (pole == AH_NONE || is_bent(v, e)) return pole;
    for (size_t i = 0; i < nodes->count; i++) {
        const ah_expr node = nodes->at[i], inside = pole_inside(v, node);
        if (inside != AH_NONE) return inside;
        for (size_t k = 0; k < expr_get_count(v->ctx, node); k++) {
            const ah_expr child = expr_get_children(v->ctx, node)[k];
            const bool real_part = is_call(v, node, AH_LOG) && is_call(v, child, AH_ABS);
            if (!real_part && is_bent(v, child)) return pole;
        }
    }
    return AH_NONE;
}

/* ---- Both ------------------------------------------------------------------------------------ */

const char *claim_jumps(verification *v, ah_expr e)
{
    ah_ctx *ctx = v->ctx;
    const ah_expr pi = expr_pi(ctx);
    const ah_expr signs[] = {expr_int(ctx, 1), expr_int(ctx, -1)};
    const ah_expr angles[] = {pi, expr_neg(ctx, pi)};
    e = claim_expand(v, e);
    const expr_list nodes = expr_reachable(ctx, v->arena, &e, 1);
    for (size_t i = 0; i < nodes.count; i++) {
        const ah_expr node = nodes.at[i];
        if (expr_get_op(ctx, node) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(ctx, node);
        const ah_expr u = expr_get_children(ctx, node)[0];
        if ((f != AH_SIGN && f != AH_ATAN2) || !is_moving(v, u)) continue;
        if (differs(v, e, node, u, f == AH_SIGN ? signs : angles))
            return arena_printf(v->arena, "its rate vanishes, but it may jump where %s = 0",
                                expr_text(ctx, v->arena, u, AH_ASCII));
    }
    const ah_expr pole = jump_at_pole(v, e, &nodes);
    if (pole == AH_NONE) return NULL;
    return arena_printf(v->arena, "its rate vanishes, but it may jump where %s = 0",
                        expr_text(ctx, v->arena, pole, AH_ASCII));
}
