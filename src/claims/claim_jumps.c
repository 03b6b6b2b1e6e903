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

static bool is_continuous(verification *v, ah_expr e, ah_expr u)
{
    if (e == AH_NONE) return false;
    model_put_values(v->model, &e, 1);
    model_put_values(v->model, &u, 1);
    return across_is_continuous(v->ctx, v->arena, v->mech->alg, e, u);
}

/* exp(-1/x^2)/x, which is zero at x = 0. */
static bool hides_pole(verification *v, ah_expr e)
{
    const expr_list nodes = expr_reachable(v->ctx, v->arena, &e, 1);
    for (size_t i = 0; i < nodes.count; i++) {
        if (!is_function(v, nodes.at[i])) continue;
        const expr_list inside = expr_reachable(v->ctx, v->arena, &nodes.at[i], 1);
        for (size_t k = 0; k < inside.count; k++) {
            const ah_expr u = inside.at[k] == nodes.at[i] ? AH_NONE : pole_of(v, inside.at[k]);
            if (u != AH_NONE && may_vanish(v, u)) return true;
        }
    }
    return false;
}

/* Sums, products and powers of symbols, sines and cosines: nothing is divided by. */
static bool is_undivided(verification *v, ah_expr e)
{
    const expr_list nodes = expr_reachable(v->ctx, v->arena, &e, 1);
    bool all = true;
    for (size_t i = 0; i < nodes.count && all; i++) {
        const expr_op op = expr_get_op(v->ctx, nodes.at[i]);
        long n;
        if (op == EXPR_POWER)
            all = expr_is_int(v->ctx, expr_get_children(v->ctx, nodes.at[i])[1], &n) && n > 0;
        if (op == EXPR_CALL)
            all = is_call(v, nodes.at[i], AH_SIN) || is_call(v, nodes.at[i], AH_COS);
        all = all && op != EXPR_UNKNOWN;
    }
    return all;
}

/* e is infinite where u vanishes, for its denominator vanishes there and its numerator does not, at all places: atan(1/x) and
 * 1/(1 + exp(1/x)) stay finite, and abs(x)/x does. The numerator, zero if it is not known; AH_NONE: e has no pole there. `simple`: at
 * least as u⁻¹. */
static ah_expr pole_numerator(verification *v, ah_expr e, ah_expr u, bool simple)
{
    algebra *alg = v->mech->alg;
    ah_expr above, below;
    if (is_undivided(v, e))
        return AH_NONE; /* most are, and the fraction of a long one takes long */
    model_put_values(v->model, &e, 1);
    model_put_values(v->model, &u, 1);
    const bool pole = algebra_fraction(alg, e, &above, &below) && is_moving(v, below) &&
                      (simple ? algebra_is_multiple(alg, below, u) : vanishes_with(v, below, u)) &&
                      !vanishes_with(v, above, u);
    if (!pole || (!hides_pole(v, above) && !hides_pole(v, below))) return pole ? above : AH_NONE;
    return is_continuous(v, e, u) ? AH_NONE : expr_int(v->ctx, 0);
}

/* e as a sum, with what stands before its brackets put into these. */
static void add_terms(const verification *v, ah_expr e, ah_expr factor, expr_list *out)
{
    const expr_op op = expr_get_op(v->ctx, e);
    const ah_expr *child = expr_get_children(v->ctx, e);
    const size_t count = expr_get_count(v->ctx, e);
    for (size_t i = 0; i < count && op == EXPR_PRODUCT; i++) {
        if (expr_get_op(v->ctx, child[i]) != EXPR_SUM) continue;
        for (size_t k = 0; k < count; k++)
            if (k != i) factor = expr_mul(v->ctx, factor, child[k]);
        add_terms(v, child[i], factor, out);
        return;
    }
    for (size_t i = 0; i < count && op == EXPR_SUM; i++) add_terms(v, child[i], factor, out);
    if (op != EXPR_SUM) LIST_PUSH(v->arena, out, expr_mul(v->ctx, factor, e));
}

/* What is asked of a pole: where u vanishes; `whole`: what else has poles may cancel it where they meet. */
typedef struct pole_place {
    ah_expr u;
    bool whole;
} pole_place;

/* Of the terms of e that have a pole there, together: what else there is has its own poles, as bodies that meet have. Under 1/x - 1/(x + y^2) motions
 * along y = 0 pass x = 0. */
static void add_pole(verification *v, ah_expr e, pole_place at, bool simple, expr_list *numerators)
{
    expr_list term = {0}, with_pole = {0};
    add_terms(v, e, expr_int(v->ctx, 1), &term);
    for (size_t i = 0; i < term.count; i++)
        if (pole_numerator(v, term.at[i], at.u, false) != AH_NONE)
            LIST_PUSH(v->arena, &with_pole, term.at[i]);
    const bool all = at.whole && with_pole.count;
    const ah_expr sum = all ? e : expr_sum(v->ctx, with_pole.count, with_pole.at);
    const ah_expr above = pole_numerator(v, sum, at.u, simple);
    if (above != AH_NONE) LIST_PUSH(v->arena, numerators, above);
}

/* Where a root in T vanishes momenta have a pole: sqrt(1 - x'^2/c^2) at the speed c. */
static bool is_root_of_masses(const verification *v, ah_expr u)
{
    const ah_model *m = v->model;
    bool root = false;
    for (size_t i = 0; i < m->needs.count && !root; i++) {
        const model_need *n = &m->needs.at[i];
        root = n->a == u && (n->f == AH_SQRT || (n->f == AH_FUNCTIONS && n->b != AH_NONE));
    }
    return root;
}

/* Of the system's equations that have a pole where u vanishes. A force 1/sqrt(abs(x)) is infinite at a place that motions pass. */
static expr_list poles_of_system(verification *v, pole_place at)
{
    const ah_model *m = v->model;
    const expr_list of = expr_reachable(v->ctx, v->arena, &at.u, 1);
    const bool written = is_written(v, at.u);
    expr_list out = {0};
    bool smooth = true;
    for (size_t i = 0; i < of.count && smooth; i++) smooth = !is_bent(v, of.at[i]);
    if (written || is_root_of_masses(v, at.u))
        for (uint32_t i = 0; i < m->n; i++)
            add_pole(v, expr_diff(v->ctx, m->T, m->v.at[i]), at, false, &out);
    if (v->velocity != AH_NONE) add_pole(v, v->velocity, at, false, &out);
    if (written) add_pole(v, m->V, at, false, &out);
    for (uint32_t i = 0; i < m->n && written && smooth; i++) {
        add_pole(v, m->F[i], at, true, &out);
        if (at.whole) add_pole(v, expr_diff(v->ctx, m->V, m->q.at[i]), at, true, &out);
    }
    for (size_t i = 0; i < m->constraints.count && written && smooth; i++)
        add_pole(v, m->constraints.at[i].c, at, true, &out);
    return out;
}

/* Is e more than the energy and what has no bends? Of the energy, kinetic energy and potential are continuous where a motion passes. */
static bool is_other_than_energy(verification *v, ah_expr e)
{
    const ah_expr rest = expr_sub(v->ctx, e, model_energy(v->model));
    const expr_list nodes = expr_reachable(v->ctx, v->arena, &rest, 1);
    for (size_t i = 0; i < nodes.count; i++)
        if (is_bent(v, nodes.at[i])) return true;
    return false;
}

/* Does e jump nowhere with the values of free parameters at which all these vanish, k = 0 of the potential k/x? */
static bool is_whole_with_values(verification *v, ah_expr e, const expr_list *numerators)
{
    expr_list of_parameters = {0};
    uniform_specials all = {0};
    for (size_t i = 0; i < numerators->count; i++)
        if (uniform_has_free(v->model, v->arena, &numerators->at[i], 1) &&
            !is_moving(v, numerators->at[i]))
            LIST_PUSH(v->arena, &of_parameters, numerators->at[i]);
    if (!of_parameters.count || !uniform_list_values(v->model, v->arena, &of_parameters, &all))
        return false;
    for (size_t i = 0; i < all.count; i++) {
        verification with = *v;
        const uniform_special *s = &all.at[i];
        with.model = special_put(v, s);
        const ah_expr there = expr_subst(v->ctx, e, s->symbol.count, s->symbol.at, s->value.at);
        if (claim_jump(&with, there) != AH_NONE) return false;
    }
    return true;
}

/* e without factors that never vanish and without powers, where one other factor is left. */
static ah_expr essence(const verification *v, ah_expr e)
{
    algebra_factors f;
    ah_expr open = AH_NONE;
    if (!algebra_factor(v->mech->alg, e, &f)) return e;
    for (size_t i = 0; i < f.count; i++) {
        if (algebra_never_zero(v->mech->alg, f.factor[i])) continue;
        if (open != AH_NONE) return e;
        open = f.factor[i];
    }
    return open == AH_NONE ? e : open;
}

/* Can these not vanish together? What gives a symbol its value is put into the others first. */
static bool vanish_nowhere(verification *v, expr_list zero)
{
    expr_list left = {0};
    for (size_t i = 0; i < zero.count; i++) {
        const ah_expr e = essence(v, zero.at[i]);
        ah_expr x, value;
        if (algebra_never_zero(v->mech->alg, e)) return true;
        if (algebra_zero(v->mech->alg, e) == AH_TRUE) continue;
        if (!across_place(v->ctx, v->arena, v->mech->alg, e, &x, &value)) {
            LIST_PUSH(v->arena, &left, e);
            continue;
        }
        expr_subst_all(v->ctx, zero.at, zero.count, 1, &x, &value);
        expr_subst_all(v->ctx, left.at, left.count, 1, &x, &value);
    }
    for (size_t i = 0; i < left.count; i++)
        if (algebra_never_zero(v->mech->alg, left.at[i])) return true;
    return left.count && empty_prove(v->model, v->arena, &left);
}

/* No motion passes where some of them are infinite, wherever u vanishes. Under the force x'y'/x motions pass x = 0 with y' = 0. */
static bool ends_motion(verification *v, ah_expr e, ah_expr u, const expr_list *numerators)
{
    expr_list zero = {0};
    model_put_values(v->model, &u, 1);
    for (size_t i = 0; i < numerators->count; i++) LIST_PUSH(v->arena, &zero, numerators->at[i]);
    LIST_PUSH(v->arena, &zero, u);
    return vanish_nowhere(v, zero) || is_whole_with_values(v, e, numerators);
}

/* What e is on both sides may be said of all motions that pass where the system has no pole itself. */
static bool may_jump_at(verification *v, ah_expr e, ah_expr u)
{
    if (!may_vanish(v, u)) return false;
    const bool whole = e != AH_NONE && is_other_than_energy(v, e);
    const expr_list numerators = poles_of_system(v, (pole_place){u, whole});
    if (!numerators.count) return !is_continuous(v, e, u);
    return e != AH_NONE && !ends_motion(v, e, u, &numerators);
}

/* One across which e may jump; `within` a function logarithms have poles, too. */
static ah_expr pole_among(verification *v, const expr_list *nodes, bool within, ah_expr e)
{
    for (size_t i = 0; i < nodes->count; i++) {
        ah_expr u = pole_of(v, nodes->at[i]);
        if (within && is_call(v, nodes->at[i], AH_LOG))
            u = expr_get_children(v->ctx, nodes->at[i])[0];
        if (u != AH_NONE && may_jump_at(v, e, u)) return u;
    }
    return AH_NONE;
}

ah_expr claim_pole_among(verification *v, const expr_list *nodes)
{
    return pole_among(v, nodes, false, AH_NONE);
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
    if (!may_vanish(v, origin) || is_angle_of_system(v, y, x)) return AH_NONE;
    const expr_list poles = poles_of_system(v, (pole_place){origin, true});
    if (poles.count && ends_motion(v, e, origin, &poles)) return AH_NONE;
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

bool claim_jump_of_way(verification *v, ah_expr e, bool ends)
{
    verification of = *v;
    if (ends) of.velocity = e;
    return jump_of(&of, e) != AH_NONE;
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
