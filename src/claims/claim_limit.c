/* claims/claim_limit.c - `limit rho -> 0: e1 = e2`: the sides in the limit, at a fixed state.
 *
 * What stays fixed are t, the coordinates and the velocities; where the constraints hold the parameter, the model's
 * velocity parameters. The motion is put in with symbols, the parameter becomes value + epsilon (or 1/epsilon), and the
 * limits are taken (real/limit.h): first in coordinates and velocities, where no coefficient that matters can vanish;
 * else, for the constraints may make one vanish there, through the chart, all of whose variables are free. That the
 * limits are equal is then claimed as of any equation. */
#include "claim.h"

#include <string.h>

typedef bool put_motion(verification *v, const trial *t, ah_expr e, ah_expr *out);

typedef struct sought {
    verification *v; /* the parameter has no value */
    const model_limit *l;
    algebra *alg;
    ah_expr epsilon;
    const trial *t;
    put_motion *put; /* which took the limits of the sides */
} sought;

static bool is_the_symbol(const void *what, ah_expr parameter)
{
    return ((const model_limit *) what)->symbol == parameter;
}

bool claim_limit_binds(const verification *v, const model_limit *l)
{
    const ah_model *m = v->model;
    for (size_t i = 0; i < m->constraints.count; i++)
        if (expr_depends(v->ctx, m->constraints.at[i].c, l->symbol)) return true;
    for (uint32_t i = 0; m->speeds.count && i < m->n; i++)
        if (expr_depends(v->ctx, m->psi.at[i], l->symbol)) return true;
    return false;
}

/* NULL, or why limits are not looked for through the chart. */
static const char *refusal(const verification *v, const model_limit *l)
{
    const ah_model *m = v->model;
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_HOLONOMIC)
            return "a coefficient may vanish, and constraints bind coordinates";
    if (claim_limit_binds(v, l) && !m->speeds.count)
        return "the constraints hold what has a limit: velocity parameters must say what stays "
               "fixed";
    if (m->constraints.count && (!v->components->complete || v->components->count != 1))
        return "the constraint set has several components, or is not known";
    return NULL;
}

/* From above or from below, with the facts in epsilon. */
static void put_facts(sought *w, ah_expr symbol)
{
    const ah_model *m = w->v->model;
    LIST(algebra_fact) facts = {0};
    const algebra_fact above = {.e = w->epsilon, .positive = true};
    LIST_PUSH(w->v->arena, &facts, above);
    for (size_t i = 0; i < m->facts.count; i++) {
        algebra_fact f = m->facts.at[i];
        f.e = expr_subst(w->v->ctx, f.e, 1, &w->l->symbol, &symbol);
        model_put_values(w->v->model, &f.e, 1);
        LIST_PUSH(w->v->arena, &facts, f);
    }
    w->alg = algebra_create(w->v->ctx, facts.at, facts.count);
}

static limit from_side(sought *w, ah_expr e, int side)
{
    ah_ctx *ctx = w->v->ctx;
    const ah_expr step = expr_mul(ctx, expr_int(ctx, side), w->epsilon);
    ah_expr symbol =
        w->l->infinite ? expr_div(ctx, expr_int(ctx, 1), step) : expr_add(ctx, w->l->value, step);
    model_put_values(w->v->model, &symbol, 1);
    put_facts(w, symbol);
    e = expr_subst(ctx, e, 1, &w->l->symbol, &symbol);
    return limit_of(ctx, w->v->arena, w->alg, e, w->epsilon);
}

/* The sides from which it is approached: what the assumptions allow. */
static limit from_all_sides(sought *w, ah_expr e)
{
    ah_ctx *ctx = w->v->ctx;
    if (w->l->infinite) return from_side(w, e, w->l->infinite);
    ah_expr away = expr_sub(ctx, w->l->symbol, w->l->value);
    model_put_values(w->v->model, &away, 1);
    const int sign = algebra_sign(w->v->mech->alg, away);
    if (sign == 1 || sign == -1) return from_side(w, e, sign);
    const limit above = from_side(w, e, 1), below = from_side(w, e, -1);
    if (above.kind != below.kind || above.kind == LIMIT_UNKNOWN) return (limit){0};
    limit both = above;
    both.except = expr_mul(ctx, above.except, below.except);
    if (above.kind == LIMIT_INFINITE) both.sign = above.sign == below.sign ? above.sign : 0;
    if (above.kind != LIMIT_FINITE) return both;
    const ah_truth same = algebra_equal(w->alg, above.value, below.value);
    if (same == AH_FALSE) both.kind = LIMIT_NONE;
    return same == AH_UNKNOWN ? (limit){0} : both;
}

static bool has_no_zero(sought *w, ah_expr e)
{
    model_put_values(w->v->model, &e, 1);
    const int sign = algebra_sign(w->v->mech->alg, e);
    return sign == 1 || sign == -1;
}

/* In the motion; false: it could not be put in. */
static bool limit_in_motion(sought *w, ah_expr e, limit *out)
{
    ah_expr there;
    if (!w->put(w->v, w->t, e, &there)) return false;
    *out = from_all_sides(w, there);
    return true;
}

/* What the text needs near the limit, 0*log(-rho^2) too: as a need at the limit where that says all, and nothing where the
 * argument vanishes there but the function has a limit all the same (1/rho). false: it is not known to exist. */
static bool needs_at_limit(sought *w, model_need n, model_needs *there)
{
    ah_ctx *ctx = w->v->ctx;
    limit x, a, b = {.kind = LIMIT_FINITE, .value = AH_NONE};
    if (n.f == AH_FUNCTIONS && n.b == AH_NONE) return false;
    const ah_expr argument[] = {n.a, n.b};
    const ah_expr e = n.f == AH_FUNCTIONS ? expr_pow(ctx, n.a, n.b) : expr_call(ctx, n.f, argument);
    if (!limit_in_motion(w, e, &x) || x.kind == LIMIT_UNKNOWN) return false;
    if (!limit_in_motion(w, n.a, &a) || (n.b != AH_NONE && !limit_in_motion(w, n.b, &b)))
        return false;
    if (x.kind != LIMIT_FINITE || a.kind != LIMIT_FINITE || b.kind != LIMIT_FINITE) return true;
    if (algebra_zero(w->alg, a.value) != AH_FALSE) return true;
    n.a = a.value;
    n.b = b.value;
    LIST_PUSH(w->v->arena, there, n);
    return true;
}

/* The claim of the limits. false: it is not known that the sides exist near them. */
static bool at_the_limit(sought *w, const limit *side, model_claim *there)
{
    there->limit = NULL;
    there->left = side[0].value;
    there->right = side[1].value;
    memset(&there->needs, 0, sizeof there->needs);
    for (size_t i = 0; i < w->t->needs.count; i++) {
        const model_need n = w->t->needs.at[i];
        if (expr_depends(w->v->ctx, n.a, w->l->symbol) ||
            (n.b != AH_NONE && expr_depends(w->v->ctx, n.b, w->l->symbol))) {
            if (!needs_at_limit(w, n, &there->needs)) return false;
        } else {
            LIST_PUSH(w->v->arena, &there->needs, n);
        }
    }
    return true;
}

static void judge(sought *w, const model_claim *claim, const limit *side, verify_claim *out)
{
    ah_ctx *ctx = w->v->ctx;
    arena *a = w->v->arena;
    const bool both = side[0].kind != LIMIT_FINITE && side[1].kind != LIMIT_FINITE;
    for (int k = 0; k < 2; k++) {
        const char *which = k ? "right" : "left";
        if (side[k].kind == LIMIT_FINITE) continue;
        const bool known = side[k].kind != LIMIT_UNKNOWN && !both;
        out->verdict = known ? AH_VERDICT_FALSE : AH_VERDICT_UNKNOWN;
        out->why = !known ? arena_printf(a, "the limit of the %s side was not found", which)
                   : side[k].kind == LIMIT_NONE
                       ? arena_printf(a, "the %s side has another limit from below", which)
                       : arena_printf(a, "the %s side grows beyond all bounds", which);
        return;
    }
    model_claim there = *claim;
    if (!at_the_limit(w, side, &there)) {
        out->why = "it is not known whether the sides exist near the limit";
        return;
    }
    out->why = NULL;
    verify_equation(w->v, &there, out);
    ah_expr except = expr_mul(ctx, side[0].except, side[1].except);
    out->on_constraints = false;
    if (out->verdict == AH_VERDICT_FALSE || out->verdict == AH_VERDICT_UNKNOWN) return;
    if (has_no_zero(w, except)) return;
    model_put_values(w->v->model, &except, 1);
    if (algebra_zero(w->v->mech->alg, except) != AH_FALSE) {
        out->verdict = AH_VERDICT_UNKNOWN;
        out->why = "a coefficient may vanish at the declared values";
        return;
    }
    out->why = arena_printf(a, "where %s does not vanish",
                            expr_text(ctx, a, algebra_simplify(w->v->mech->alg, except), AH_TEXT));
}

static bool both_sides(sought *w, put_motion *put, limit *side)
{
    const ah_expr e[] = {w->t->left, w->t->right};
    w->put = put;
    for (int k = 0; k < 2; k++)
        if (!limit_in_motion(w, e[k], &side[k])) return false;
    return true;
}

static bool speaks_of_state(verification *v, const trial *t)
{
    const ah_expr e[] = {t->left, t->right};
    const expr_list all = expr_symbols(v->ctx, v->arena, e, 2);
    for (size_t i = 0; i < all.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(v->ctx, all.at[i]);
        if (kind != AH_PARAMETER && kind != AH_TIME) return true;
    }
    return false;
}

/* With symbols that the constraints bind: only where that makes no difference. */
static bool in_velocities(sought *w, limit *side)
{
    const ah_model *m = w->v->model;
    const bool moves = speaks_of_state(w->v, w->t);
    if (moves && (claim_limit_binds(w->v, w->l) || (m->speeds.count && w->t->speeds.count)))
        return false;
    if (!both_sides(w, claim_by_multipliers, side)) return false;
    return side[0].kind == LIMIT_FINITE && side[1].kind == LIMIT_FINITE &&
           has_no_zero(w, side[0].except) && has_no_zero(w, side[1].except);
}

void claim_limit(verification *v, const model_claim *claim, verify_claim *out)
{
    const model_limit *l = claim->limit;
    ah_model *m = when_free(v->model, v->arena, is_the_symbol, l);
    sought w = {.v = m == v->model ? v : verify_open(m, v->states, v->seed), .l = l};
    out->verdict = AH_VERDICT_UNKNOWN;
    out->model = w.v->model;
    out->why = "the accelerations are one of several";
    if (v->branched) return;
    w.epsilon = expr_symbol(v->ctx, AH_LOCAL, "#epsilon");
    const trial t = trial_prepare(w.v, claim);
    limit side[2];
    w.t = &t;
    out->why = t.unplaced;
    if (t.unplaced) return;
    if (!in_velocities(&w, side)) {
        out->why = refusal(w.v, l);
        if (out->why) return;
        out->why = "the motion could not be written with symbols";
        if (!both_sides(&w, claim_by_chart, side)) return;
    }
    judge(&w, claim, side, out);
}
