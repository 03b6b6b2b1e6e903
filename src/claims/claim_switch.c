/* claims/claim_switch.c - what holds beside a switch, at the switch.
 *
 * sign(u), |u| and angles on their cut have values of their own where u = 0: sign(x − 1/10)² = 1 is false at x = 1/10 alone, a place
 * that is no double and that no state drawn need be at. So what holds at the states tried is asked of these places, too. There u is
 * solved for one of its symbols, and this has the value under a condition (claim_when.c); with 0 for sign(u), |u| and u, in the
 * claim and in the energies and forces that its motion follows. Constraints that switch have no regular states there. */
#include "claim.h"

#include <string.h>

enum {
    SWITCHES = 8, /* places that are looked at */
    SIGNS = 60,   /* states at which signs are looked at */
    NESTED = 2    /* switches at which others are looked for */
};

/* ---- At one switch --------------------------------------------------------------------------- */

typedef struct place {
    ah_expr u, from[3], to[3]; /* sign(u), |u| and u: zero */
} place;

static place place_of(ah_ctx *ctx, ah_expr u)
{
    const ah_expr zero = expr_int(ctx, 0);
    return (place){
        u, {expr_call1(ctx, AH_SIGN, u), expr_call1(ctx, AH_ABS, u), u}, {zero, zero, zero}};
}

static ah_expr put(const verification *v, const place *p, ah_expr e)
{
    return expr_subst(v->ctx, e, 3, p->from, p->to);
}

/* The same in what is differentiated: u has a slope. */
static ah_expr put_signs(const verification *v, const place *p, ah_expr e)
{
    return expr_subst(v->ctx, e, 2, p->from, p->to);
}

/* What the motion follows, as it is at u = 0. Its potential is differentiated: where it switches it does not exist, unless u holds
 * parameters alone. */
static ah_model *model_at(verification *v, const place *p)
{
    ah_model *m = model_view(v->model, v->arena);
    m->T = put_signs(v, p, m->T);
    m->V = put_signs(v, p, m->V);
    m->F = NEW_ARRAY(v->arena, ah_expr, m->n + 1);
    for (uint32_t i = 0; i < m->n; i++) m->F[i] = put_signs(v, p, v->model->F[i]);
    memset(&m->constraints, 0, sizeof m->constraints);
    for (size_t i = 0; i < v->model->constraints.count; i++) {
        model_constraint c = v->model->constraints.at[i];
        c.c = put_signs(v, p, c.c);
        LIST_PUSH(v->arena, &m->constraints, c);
    }
    return m;
}

/* v itself where its forces and its kinetic energy do not switch there. */
static verification *system_at(verification *v, const place *p)
{
    ah_model *m = model_at(v, p);
    bool same = m->T == v->model->T;
    for (uint32_t i = 0; i < m->n; i++) same = same && m->F[i] == v->model->F[i];
    return same ? v : verify_open(m, v->states, v->seed);
}

/* Does all exist on u = 0 that these name? Where |u| or sign(u) is differentiated it does not. */
static bool exist_at(const verification *v, const place *p, const model_needs *needs)
{
    for (size_t i = 0; i < needs->count; i++) {
        const model_need *n = &needs->at[i];
        ah_expr e = put(v, p, n->a);
        long a, b;
        model_put_values(v->model, &e, 1);
        if (!expr_is_zero(v->ctx, e)) continue;
        const bool pole = n->f == AH_FUNCTIONS && n->b != AH_NONE &&
                          expr_is_rational(v->ctx, n->b, &a, &b) && a < 0;
        if (pole || n->f == AH_LOG || (n->smooth && (n->f == AH_ABS || n->f == AH_SIGN)))
            return false;
    }
    return true;
}

/* Do constraints or the velocity form depend on it? */
static bool binds(const verification *v, ah_expr e)
{
    const ah_model *m = v->model;
    bool found = false;
    for (size_t i = 0; i < m->constraints.count && !found; i++)
        found = expr_depends(v->ctx, m->constraints.at[i].c, e);
    for (size_t i = 0; i < m->psi.count && !found; i++)
        found = expr_depends(v->ctx, m->psi.at[i], e);
    return found;
}

/* The conditions of v, and one more that gives s its value. */
static const model_when *with_value(const verification *v, ah_expr s, ah_expr value)
{
    const size_t count = v->when ? v->when->values : 0;
    model_when *w = NEW(v->arena, model_when);
    model_value *all = NEW_ARRAY(v->arena, model_value, count + 1);
    if (v->when) *w = *v->when;
    for (size_t i = 0; i < count; i++) {
        all[i] = v->when->value[i];
        all[i].value = expr_subst(v->ctx, all[i].value, 1, &s, &value);
    }
    all[count] = (model_value){.symbol = s, .value = value, .written = AH_NONE};
    w->values = count + 1;
    w->value = all;
    return w;
}

/* A value of s with which u = 0; a switch inside of u is on one of its sides. */
static ah_expr value_of(const verification *v, ah_expr u, ah_expr s)
{
    static const long sides[] = {1, -1};
    const expr_list nodes = expr_reachable(v->ctx, v->arena, &u, 1);
    ah_expr inner = AH_NONE;
    for (size_t i = 0; i < nodes.count; i++)
        if (expr_get_op(v->ctx, nodes.at[i]) == EXPR_CALL &&
            expr_get_function(v->ctx, nodes.at[i]) == AH_SIGN)
            inner = nodes.at[i];
    for (size_t k = 0; k < (inner == AH_NONE ? 1 : 2); k++) {
        const ah_expr side = expr_int(v->ctx, sides[k]);
        const ah_expr there = inner == AH_NONE ? u : expr_subst(v->ctx, u, 1, &inner, &side);
        const ah_expr value = solve_once(v->ctx, there, s);
        if (value == AH_NONE || inner == AH_NONE) return value;
        ah_expr rest = expr_subst(v->ctx, u, 1, &s, &value);
        model_put_values(v->model, &rest, 1);
        if (algebra_zero(v->mech->alg, rest) == AH_TRUE) return value;
    }
    return AH_NONE;
}

/* May s be given a value? Time only where no constraint goes with it. */
static bool is_state(const verification *v, ah_expr s)
{
    switch (expr_get_kind(v->ctx, s)) {
    case AH_COORDINATE:
    case AH_VELOCITY: return true;
    case AH_TIME: return !binds(v, s);
    default: return false;
    }
}

/* The conditions of v, and u = 0 as an equation in velocities. */
static const model_when *with_equation(const verification *v, ah_expr u)
{
    const size_t count = v->when ? v->when->equations : 0;
    model_when *w = NEW(v->arena, model_when);
    ah_expr *all = NEW_ARRAY(v->arena, ah_expr, count + 1);
    if (v->when) *w = *v->when;
    for (size_t i = 0; i < count; i++) all[i] = v->when->equation[i];
    all[count] = u;
    w->equations = count + 1;
    w->equation = all;
    return w;
}

/* The claim under these conditions; false: it cannot be asked, or has fewer constraints there. */
static bool ask_when(verification *v, verification *there, const model_claim *claim,
                     const model_when *w, verify_claim *out)
{
    const char *why;
    const size_t more = w->equations - (v->when ? v->when->equations : 0);
    const uint32_t rank = derive_mechanics(v->where)->rank + (uint32_t) more;
    verification *own = when_open(there, w, &why);
    if (!own || derive_mechanics(own->where)->rank != rank) return false;
    own->switches = v->switches + 1;
    *out = (verify_claim){.claim = claim, .model = own->model};
    verify_equation(own, claim, out);
    return true;
}

/* Of parameters alone: a value with which u = 0 may refute it. */
static ah_truth holds_with(verification *v, const place *p, const model_claim *claim,
                           verify_claim *out)
{
    const expr_list symbols = expr_symbols(v->ctx, v->arena, &p->u, 1);
    ah_truth answer = AH_UNKNOWN;
    for (size_t i = 0; i < symbols.count; i++) {
        const ah_expr value = solve_once(v->ctx, p->u, symbols.at[i]);
        if (value == AH_NONE || expr_depends(v->ctx, value, symbols.at[i])) continue;
        if (special_refutes_with(v, model_at(v, p), symbols.at[i], value, claim, out))
            return AH_FALSE;
        answer = AH_TRUE;
    }
    return answer;
}

/* Does u have both signs at random states, or at such of which doubles may not tell that they are regular? */
static bool changes_sign(verification *v, const trial *t, ah_expr u, bool regular)
{
    states_rng rng = probe_seed(v->seed);
    bool below = false, above = false;
    for (size_t i = 0; i < SIGNS && !(below && above); i++) {
        const arena_mark mark = arena_get_mark(&v->ctx->scratch);
        point p;
        if (trial_draw(v, t, i, regular, &rng, &p) &&
            (!t->motion.count || trial_motion(v, t, &p))) {
            const double x = point_eval(&p, u);
            below = below || x < 0;
            above = above || x > 0;
        }
        arena_release(&v->ctx->scratch, mark);
    }
    return below && above;
}

static ah_truth conclude(const model_claim *claim, const verify_claim *seen, verify_claim *out)
{
    if (seen->verdict != AH_VERDICT_FALSE) return AH_TRUE;
    *out = *seen;
    out->claim = claim;
    return AH_FALSE;
}

/* Is the claim true on u = 0? False: there is a counter-example, in *out. Unknown: *why. */
static ah_truth holds_at(verification *v, const trial *t, const model_claim *claim, ah_expr u,
                         verify_claim *out)
{
    const place p = place_of(v->ctx, u);
    model_claim at = *claim;
    ah_expr e[] = {u, put(v, &p, t->difference)};
    at.left = put(v, &p, t->left);
    at.right = put(v, &p, t->right);
    at.needs = t->needs;
    at.constant = AH_NONE;
    model_put_values(v->model, e, 2);
    if (algebra_never_zero(v->mech->alg, e[0])) return AH_TRUE;
    if (!t->motion.count && (algebra_zero(v->mech->alg, e[1]) == AH_TRUE ||
                             algebra_zero_where(v->mech->alg, e[1], e[0])))
        return AH_TRUE;
    if (expr_is_fixed(v->ctx, u)) {
        const ah_truth answer = holds_with(v, &p, &at, out);
        out->claim = claim;
        return answer;
    }
    if (!exist_at(v, &p, &v->model->needs) || !exist_at(v, &p, &t->needs)) return AH_TRUE;
    if (binds(v, p.from[0]) || binds(v, p.from[1])) return AH_TRUE;
    verification *there = t->motion.count ? system_at(v, &p) : v;
    const expr_list symbols = expr_symbols(v->ctx, v->arena, &u, 1);
    verify_claim seen;
    for (size_t i = 0; i < symbols.count; i++) {
        const ah_expr s = symbols.at[i];
        const ah_expr value = is_state(v, s) ? value_of(v, u, s) : AH_NONE;
        if (value == AH_NONE || !ask_when(v, there, &at, with_value(v, s, value), &seen) ||
            seen.verdict == AH_VERDICT_UNKNOWN)
            continue;
        return conclude(claim, &seen, out);
    }
    if (expr_depends_kind(v->ctx, u, AH_VELOCITY) &&
        !expr_depends_kind(v->ctx, u, AH_ACCELERATION) &&
        ask_when(v, there, &at, with_equation(v, u), &seen) && seen.verdict != AH_VERDICT_UNKNOWN)
        return conclude(claim, &seen, out);
    return changes_sign(v, t, u, true) ? AH_UNKNOWN : AH_TRUE;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Not so with parameters alone that have values. */
static bool moves(const verification *v, ah_expr e)
{
    model_put_values(v->model, &e, 1);
    return expr_symbols(v->ctx, v->arena, &e, 1).count > 0;
}

static void add_switches(verification *v, const expr_list *roots, bool fixed, expr_list *out)
{
    const expr_list nodes = expr_reachable(v->ctx, v->arena, roots->at, roots->count);
    expr_list angles = {0};
    for (size_t i = 0; i < nodes.count; i++) {
        if (expr_get_op(v->ctx, nodes.at[i]) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(v->ctx, nodes.at[i]);
        const ah_expr u = expr_get_children(v->ctx, nodes.at[i])[0];
        if ((f != AH_SIGN && f != AH_ATAN2) || !moves(v, u) || expr_is_among(out, u)) continue;
        if (f == AH_ATAN2)
            LIST_PUSH(v->arena, &angles, u);
        else if (!fixed || expr_is_fixed(v->ctx, u))
            LIST_PUSH(v->arena, out, u);
    }
    /* on its cut one alone has the value that it has next to it, on one side */
    for (size_t i = 0; !fixed && angles.count + out->count > 1 && i < angles.count; i++)
        if (!expr_is_among(out, angles.at[i])) LIST_PUSH(v->arena, out, angles.at[i]);
}

/* What switches in the claim and in what its motion follows: u of sign(u), y of atan2(y, x). In constraints and the
 * potential where u holds parameters alone: else there is no regular state. */
static expr_list arguments_of(verification *v, const trial *t)
{
    const ah_model *m = v->model;
    expr_list roots = {0}, rows = {0}, out = {0};
    LIST_PUSH(v->arena, &roots, t->left);
    LIST_PUSH(v->arena, &roots, t->right);
    if (t->motion.count) LIST_PUSH(v->arena, &roots, m->T);
    for (uint32_t i = 0; t->motion.count && i < m->n; i++) LIST_PUSH(v->arena, &roots, m->F[i]);
    if (t->motion.count) LIST_PUSH(v->arena, &rows, m->V);
    for (size_t i = 0; i < m->constraints.count; i++)
        LIST_PUSH(v->arena, &rows, m->constraints.at[i].c);
    for (size_t i = 0; i < roots.count; i++) roots.at[i] = when_put(v, roots.at[i]);
    add_switches(v, &roots, false, &out);
    add_switches(v, &rows, true, &out);
    return out;
}

/* u of sign(u) and |u| in the claim whose other sign was met only where doubles cannot tell that the state is regular: of 1e12 in
 * the mass 1 + exp(x). AH_NONE: there is none. */
static ah_expr one_sided(verification *v, const trial *t)
{
    const ah_expr roots[] = {when_put(v, t->left), when_put(v, t->right)};
    const expr_list nodes = expr_reachable(v->ctx, v->arena, roots, 2);
    for (size_t i = 0; i < nodes.count && !t->motion.count; i++) {
        if (expr_get_op(v->ctx, nodes.at[i]) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(v->ctx, nodes.at[i]);
        const ah_expr u = expr_get_children(v->ctx, nodes.at[i])[0];
        if ((f == AH_SIGN || f == AH_ABS) && !changes_sign(v, t, u, true) &&
            changes_sign(v, t, u, false))
            return u;
    }
    return AH_NONE;
}

void switches_doubt(verification *v, const trial *t, const model_claim *claim, verify_claim *out)
{
    if (out->verdict == AH_VERDICT_FALSE || v->branched || v->switches >= NESTED) return;
    const expr_list all = arguments_of(v, t);
    const ah_expr open = one_sided(v, t);
    if (open != AH_NONE && out->verdict == AH_VERDICT_HOLDS) {
        out->verdict = AH_VERDICT_UNKNOWN;
        out->why = arena_printf(
            v->arena,
            "it holds at random states, but on one side of %s = 0 none is known to be regular",
            expr_text(v->ctx, v->arena, open, AH_ASCII));
    }
    for (size_t i = 0; i < all.count; i++) {
        const ah_truth there = i < SWITCHES ? holds_at(v, t, claim, all.at[i], out) : AH_UNKNOWN;
        if (there == AH_FALSE) return;
        if (there == AH_TRUE || out->verdict == AH_VERDICT_UNKNOWN) continue;
        out->verdict = AH_VERDICT_UNKNOWN;
        out->why =
            arena_printf(v->arena, "it holds at random states, but was not seen where %s = 0",
                         expr_text(v->ctx, v->arena, all.at[i], AH_ASCII));
        return;
    }
}
