/* claims/claim_jumps.c - what is called constant may not jump.
 *
 * The rate of sign(x) vanishes wherever there is one, and yet a motion through x = 0 changes it. So the values beside each place
 * at which something switches are compared, and the one at it: with s for sign(u), and for the angle atan2(y, x) on its cut y = 0
 * and through the origin,
 *
 *     e(s = 1) = e(s = 0) = e(s = −1) on u = 0,        e(π) = e(−π) on y = 0,        e(α) = e(α + π).
 *
 * The other switches in e are free symbols the while: where several change at once, it is one after the other.
 *
 * Across a pole atan(x) + atan(1/x) changes by π, and |x|/x by 2. What is analytic but for poles does not: where its rate
 * vanishes on both sides, it is one constant. So a pole must lie outside of all functions and roots (but the logarithm, whose real
 * part has the same value on both sides), and nothing beside it may be bent: |u|, roots, asin. Inside of a function a logarithm has
 * a pole, too: exp(log(x^2)/2)/x is |x|/x. Poles of the system itself end the motion, unless they are hidden in functions that stay
 * finite. */
#include "claim.h"
#include "../real/real.h"

#include <string.h>

static bool is_moving(const verification *v, ah_expr e)
{
    return !expr_is_fixed(v->ctx, e);
}

/* ---- Poles ----------------------------------------------------------------------------------- */

/* Not below zero, for all that is known. */
static bool is_exponent_of_pole(const verification *v, ah_expr exponent)
{
    long p, q;
    if (expr_is_rational(v->ctx, exponent, &p, &q)) return p < 0;
    model_put_values(v->model, &exponent, 1);
    return algebra_sign(v->mech->alg, exponent) != 1;
}

/* Where the node has one: u of 1/u, cos u of tan u; AH_NONE: nowhere. */
static ah_expr pole_of(const verification *v, ah_expr node)
{
    ah_ctx *ctx = v->ctx;
    const ah_expr *child = expr_get_children(ctx, node);
    switch (expr_get_op(ctx, node)) {
    case EXPR_POWER: return is_exponent_of_pole(v, child[1]) ? child[0] : AH_NONE;
    case EXPR_CALL:
        return expr_get_function(ctx, node) == AH_TAN ? expr_call1(ctx, AH_COS, child[0]) : AH_NONE;
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

/* A pole in the system's own text? */
static bool is_written(const verification *v, ah_expr u)
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

static bool is_call(const verification *v, ah_expr node, ah_function f)
{
    return expr_get_op(v->ctx, node) == EXPR_CALL && expr_get_function(v->ctx, node) == f;
}

/* Does e vanish wherever u does, as far as it is found? */
static bool vanishes_with(const verification *v, ah_expr e, ah_expr u)
{
    algebra *alg = v->mech->alg;
    return algebra_zero_where(alg, e, u) || algebra_is_multiple(alg, expr_mul(v->ctx, e, e), u);
}

/* Is e infinite where u vanishes? Its denominator vanishes there and its numerator does not: atan(1/x) and 1/(1 + exp(1/x)) stay finite, and
 * abs(x)/x does. */
static bool has_pole(const verification *v, ah_expr e, ah_expr u)
{
    ah_expr above, below;
    model_put_values(v->model, &e, 1);
    model_put_values(v->model, &u, 1);
    return algebra_fraction(v->mech->alg, e, &above, &below) && is_moving(v, below) &&
           vanishes_with(v, below, u) && !vanishes_with(v, above, u);
}

/* Where a root in T vanishes momenta have a pole: sqrt(1 - x'^2/c^2) at the speed c. */
static bool is_of_momenta(const verification *v, ah_expr u)
{
    const ah_model *m = v->model;
    bool root = false, shown = false;
    for (size_t i = 0; i < m->needs.count && !root; i++) {
        const model_need *n = &m->needs.at[i];
        root = n->a == u && (n->f == AH_SQRT || (n->f == AH_FUNCTIONS && n->b != AH_NONE));
    }
    for (uint32_t i = 0; root && i < m->n && !shown; i++)
        shown = has_pole(v, expr_diff(v->ctx, m->T, m->v.at[i]), u);
    return shown;
}

/* A pole of the system, through which no motion goes. One at which everything stays finite is none: V = atan(1/x) changes by π
 * where x does its sign. */
static bool is_of_system(const verification *v, ah_expr u)
{
    const ah_model *m = v->model;
    if (!is_written(v, u)) return is_of_momenta(v, u);
    bool shown = has_pole(v, m->T, u) || has_pole(v, m->V, u);
    for (uint32_t i = 0; i < m->n && !shown; i++) shown = has_pole(v, m->F[i], u);
    for (size_t i = 0; i < m->constraints.count && !shown; i++)
        shown = has_pole(v, m->constraints.at[i].c, u);
    return shown;
}

static bool is_continuous(verification *v, ah_expr e, ah_expr u)
{
    if (e == AH_NONE) return false;
    model_put_values(v->model, &e, 1);
    model_put_values(v->model, &u, 1);
    return across_is_continuous(v->ctx, v->arena, v->mech->alg, e, u);
}

/* One across which e may jump; `within` a function logarithms have poles, too. */
static ah_expr pole_among(verification *v, const expr_list *nodes, bool within, ah_expr e)
{
    for (size_t i = 0; i < nodes->count; i++) {
        ah_expr u = pole_of(v, nodes->at[i]);
        if (within && is_call(v, nodes->at[i], AH_LOG))
            u = expr_get_children(v->ctx, nodes->at[i])[0];
        if (u != AH_NONE && may_vanish(v, u) && !is_of_system(v, u) && !is_continuous(v, e, u))
            return u;
    }
    return AH_NONE;
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

ah_expr claim_pole_among(verification *v, const expr_list *nodes)
{
    return pole_among(v, nodes, false, AH_NONE);
}

/* What poles in its arguments are bad for: a function, or a power that is no integer. */
static bool is_function(const verification *v, ah_expr node)
{
    long n;
    switch (expr_get_op(v->ctx, node)) {
    case EXPR_POWER: return !expr_is_int(v->ctx, expr_get_children(v->ctx, node)[1], &n);
    case EXPR_CALL: return expr_get_function(v->ctx, node) != AH_LOG;
    case EXPR_UNKNOWN: return true;
    default: return false;
    }
}

/* Is the pole of another node inside this function? */
static ah_expr pole_inside(verification *v, ah_expr node, ah_expr e)
{
    const size_t count = expr_get_count(v->ctx, node);
    if (!is_function(v, node)) return AH_NONE;
    ah_expr *argument = NEW_ARRAY(v->arena, ah_expr, count);
    memcpy(argument, expr_get_children(v->ctx, node), count * sizeof *argument);
    const expr_list inside = expr_reachable(v->ctx, v->arena, argument, count);
    return pole_among(v, &inside, true, e);
}

/* The pole of e across which it may jump; AH_NONE: there is none. */
static ah_expr jump_at_pole(verification *v, ah_expr e, const expr_list *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        const ah_expr inside = pole_inside(v, nodes->at[i], e);
        if (inside != AH_NONE) return inside;
    }
    const ah_expr pole = pole_among(v, nodes, false, e);
    if (pole == AH_NONE || is_bent(v, e)) return pole;
    for (size_t i = 0; i < nodes->count; i++) {
        const ah_expr node = nodes->at[i];
        for (size_t k = 0; k < expr_get_count(v->ctx, node); k++) {
            const ah_expr child = expr_get_children(v->ctx, node)[k];
            const bool real_part = is_call(v, node, AH_LOG) && is_call(v, child, AH_ABS);
            if (!real_part && is_bent(v, child)) return pole;
        }
    }
    return AH_NONE;
}

/* ---- Switches -------------------------------------------------------------------------------- */

/* The switches of an expression. */
typedef struct turns {
    expr_list node, symbol; /* what stands for each while another is looked at */
} turns;

static turns turns_of(verification *v, const expr_list *nodes)
{
    turns s = {0};
    for (size_t i = 0; i < nodes->count; i++) {
        const ah_expr node = nodes->at[i];
        if (!is_moving(v, node) || (!is_call(v, node, AH_SIGN) && !is_call(v, node, AH_ATAN2)))
            continue;
        LIST_PUSH(v->arena, &s.node, node);
        LIST_PUSH(v->arena, &s.symbol,
                  expr_symbol(v->ctx, AH_LOCAL, arena_printf(v->arena, "#switch %zu", i)));
    }
    return s;
}

/* Is another switch in the arguments of this one? */
static bool is_nested(const verification *v, const turns *s, size_t k)
{
    const expr_list inside = expr_reachable(v->ctx, v->arena, &s->node.at[k], 1);
    for (size_t i = 0; i < s->node.count; i++)
        if (i != k && expr_find(&inside, s->node.at[i]) != EXPR_NOWHERE) return true;
    return false;
}

/* e with this in place of the k-th switch. */
static ah_expr with_value(verification *v, const turns *s, size_t k, ah_expr e, ah_expr value)
{
    ah_expr *to = NEW_ARRAY(v->arena, ah_expr, s->node.count);
    memcpy(to, s->symbol.at, s->node.count * sizeof *to);
    to[k] = value;
    e = expr_subst(v->ctx, e, s->node.count, s->node.at, to);
    model_put_values(v->model, &e, 1);
    return e;
}

/* Are the two the same on u = 0 (AH_NONE: everywhere), for all that is known? */
static bool is_same(verification *v, ah_expr a, ah_expr b, ah_expr u)
{
    algebra *alg = v->mech->alg;
    const ah_expr d = expr_sub(v->ctx, a, b);
    if (algebra_zero(alg, d) == AH_TRUE) return true;
    if (u == AH_NONE) return false;
    model_put_values(v->model, &u, 1);
    return algebra_zero_where(alg, d, u) || algebra_is_multiple(alg, expr_mul(v->ctx, d, d), u);
}

/* Where the sign changes; AH_NONE: nowhere that it matters. */
static ah_expr jump_of_sign(verification *v, const turns *s, size_t k, ah_expr e)
{
    const ah_expr u = expr_get_children(v->ctx, s->node.at[k])[0];
    const ah_expr at = with_value(v, s, k, e, expr_int(v->ctx, 0));
    if (!may_vanish(v, u)) return AH_NONE;
    const bool same = is_same(v, with_value(v, s, k, e, expr_int(v->ctx, 1)), at, u) &&
                      is_same(v, with_value(v, s, k, e, expr_int(v->ctx, -1)), at, u);
    return same ? AH_NONE : u;
}

/* Is the origin one of the system's own text? No motion goes through it. */
static bool is_angle_of_system(const verification *v, ah_expr y, ah_expr x)
{
    for (size_t i = 0; i < v->model->needs.count; i++) {
        const model_need *n = &v->model->needs.at[i];
        if (n->f == AH_ATAN2 && n->a == y && n->b == x) return true;
    }
    return false;
}

static ah_expr jump_of_angle(verification *v, const turns *s, size_t k, ah_expr e)
{
    ah_ctx *ctx = v->ctx;
    const ah_expr y = expr_get_children(ctx, s->node.at[k])[0];
    const ah_expr x = expr_get_children(ctx, s->node.at[k])[1], pi = expr_pi(ctx);
    const ah_expr above = with_value(v, s, k, e, pi);
    if (may_vanish(v, y) && !is_same(v, above, with_value(v, s, k, e, expr_neg(ctx, pi)), y))
        return y;
    const ah_expr origin = expr_add(ctx, expr_mul(ctx, x, x), expr_mul(ctx, y, y));
    if (!may_vanish(v, origin) || is_of_system(v, origin) || is_angle_of_system(v, y, x))
        return AH_NONE;
    const ah_expr alpha = s->symbol.at[k];
    const bool same = is_same(v, with_value(v, s, k, e, alpha),
                              with_value(v, s, k, e, expr_add(ctx, alpha, pi)), AH_NONE);
    return same ? AH_NONE : origin;
}

/* ---- Both ------------------------------------------------------------------------------------ */

static ah_expr jump_of(verification *v, ah_expr e)
{
    const expr_list nodes = expr_reachable(v->ctx, v->arena, &e, 1);
    const turns s = turns_of(v, &nodes);
    for (size_t k = 0; k < s.node.count; k++) {
        const ah_expr node = s.node.at[k];
        const ah_expr at = is_nested(v, &s, k)         ? expr_get_children(v->ctx, node)[0]
                           : is_call(v, node, AH_SIGN) ? jump_of_sign(v, &s, k, e)
                                                       : jump_of_angle(v, &s, k, e);
        if (at != AH_NONE) return at;
    }
    return jump_at_pole(v, e, &nodes);
}

ah_expr claim_jump(verification *v, ah_expr e)
{
    return jump_of(v, claim_expand(v, e));
}

ah_expr claim_row_jump(verification *v)
{
    const ah_model *m = v->model;
    for (size_t i = 0; i < m->constraints.count; i++) {
        const ah_expr c = m->constraints.at[i].c;
        const expr_list nodes = expr_reachable(v->ctx, v->arena, &c, 1);
        const ah_expr at = jump_at_pole(v, c, &nodes);
        if (at != AH_NONE) return at;
    }
    return AH_NONE;
}

const char *claim_jumps(verification *v, ah_expr e)
{
    const ah_expr at = claim_jump(v, e);
    if (at == AH_NONE) return NULL;
    return arena_printf(v->arena, "it changes nowhere else, but it may jump where %s = 0",
                        expr_text(v->ctx, v->arena, at, AH_ASCII));
}
