/* analyse/claim_special.c - special values of free parameters.
 *
 * What is proved with letters for them need not be true of values for which there are fewer constraints (a x' = a y' with a = 0) or
 * other directions: it holds in general. Such a value may refute it, and is then the counter-example. Those are tried at which a
 * part of the constraints or of the claim that holds one parameter alone vanishes, and all of them zero. */
#include "claim.h"

#include <string.h>

enum { SPECIAL_MOST = 8 }; /* values that are tried for one claim */

/* Parameters at these values. */
typedef struct special {
    expr_list symbol, value;
} special;

typedef LIST(special) specials;

static void add(arena *a, specials *to, ah_expr symbol, ah_expr value)
{
    for (size_t i = 0; i < to->count; i++)
        if (to->at[i].symbol.at[0] == symbol && to->at[i].value.at[0] == value) return;
    special new = {0};
    LIST_PUSH(a, &new.symbol, symbol);
    LIST_PUSH(a, &new.value, value);
    if (to->count < SPECIAL_MOST) LIST_PUSH(a, to, new);
}

/* Where e, linear in the one parameter that it holds, vanishes. */
static void add_root(verification *v, specials *to, ah_expr e)
{
    ah_ctx *ctx = v->ctx;
    const expr_list symbols = expr_symbols(ctx, v->arena, &e, 1);
    if (symbols.count != 1 || expr_get_kind(ctx, symbols.at[0]) != AH_PARAMETER) return;
    const ah_expr p = symbols.at[0], zero = expr_int(ctx, 0);
    const ah_expr slope = expr_diff(ctx, e, p), rest = expr_subst(ctx, e, 1, &p, &zero);
    const bool linear = expr_get_op(ctx, slope) == EXPR_NUMBER && !expr_is_zero(ctx, slope) &&
                        expr_get_op(ctx, rest) == EXPR_NUMBER;
    if (linear) add(v->arena, to, p, expr_neg(ctx, expr_div(ctx, rest, slope)));
}

/* Sums before the letters in them: a − 1 before a. */
static specials find_specials(verification *v, const model_claim *claim)
{
    arena *a = v->arena;
    specials out = {0};
    expr_list all = {0};
    for (size_t i = 0; i < v->model->constraints.count; i++)
        LIST_PUSH(a, &all, v->model->constraints.at[i].c);
    if (claim->left != AH_NONE) LIST_PUSH(a, &all, claim->left);
    if (claim->right != AH_NONE) LIST_PUSH(a, &all, claim->right);
    if (claim->statement && claim->statement->e != AH_NONE) LIST_PUSH(a, &all, claim->statement->e);
    model_put_values(v->model, all.at, all.count);
    const expr_list nodes = expr_reachable(v->ctx, a, all.at, all.count);
    for (size_t i = nodes.count; i-- > 0;) add_root(v, &out, nodes.at[i]);
    special together = {0};
    for (size_t i = 0; i < v->model->parameters.count; i++) {
        if (v->model->parameters.at[i].value != AH_NONE) continue;
        LIST_PUSH(a, &together.symbol, v->model->parameters.at[i].symbol);
        LIST_PUSH(a, &together.value, expr_int(v->ctx, 0));
    }
    if (together.symbol.count > 1) LIST_PUSH(a, &out, together);
    return out;
}

/* The model with these values, without the constraints that say nothing then: *left_out of them. */
static ah_model *with_values(verification *v, const special *s, size_t *left_out)
{
    arena *a = v->arena;
    ah_model *view = model_view(v->model, a);
    memset(&view->parameters, 0, sizeof view->parameters);
    memset(&view->constraints, 0, sizeof view->constraints);
    for (size_t i = 0; i < v->model->parameters.count; i++) {
        model_parameter p = v->model->parameters.at[i];
        for (size_t k = 0; k < s->symbol.count; k++)
            if (s->symbol.at[k] == p.symbol) p.value = s->value.at[k];
        LIST_PUSH(a, &view->parameters, p);
    }
    for (size_t i = 0; i < v->model->constraints.count; i++) {
        ah_expr c = v->model->constraints.at[i].c;
        model_put_values(view, &c, 1);
        if (algebra_zero(view->alg, c) != AH_TRUE)
            LIST_PUSH(a, &view->constraints, v->model->constraints.at[i]);
    }
    *left_out = v->model->constraints.count - view->constraints.count;
    return view;
}

/* Do the assumptions about parameters allow them? */
static bool is_allowed(verification *v, ah_model *view)
{
    for (size_t i = 0; i < view->facts.count; i++) {
        const algebra_fact *f = &view->facts.at[i];
        ah_expr e = f->e;
        model_put_values(view, &e, 1);
        if (expr_symbols(v->ctx, v->arena, &e, 1).count) continue;
        const int sign = algebra_sign(view->alg, e);
        const bool zero = !f->positive || !f->border; /* it may not be zero */
        if (sign == 2 || (sign == 0 && zero) || (f->positive && sign < 0)) return false;
    }
    return true;
}

/* Does it name what belongs to constraints by their number? */
static bool names_constraints(verification *v, const model_claim *claim)
{
    const ah_expr e[] = {claim->left, claim->right};
    for (int k = 0; k < 2; k++)
        if (e[k] != AH_NONE && expr_depends_kind(v->ctx, e[k], AH_DERIVED)) return true;
    return claim->statement && claim->statement->constraints;
}

static const char *text_of(verification *v, const special *s)
{
    text t = text_begin(v->arena);
    for (size_t i = 0; i < s->symbol.count; i++)
        text_printf(&t, "%s%s = %s", i ? ", " : "with ",
                    expr_text(v->ctx, v->arena, s->symbol.at[i], AH_TEXT),
                    expr_text(v->ctx, v->arena, s->value.at[i], AH_TEXT));
    return text_end(&t);
}

bool special_refutes(verification *v, const model_claim *claim, verify_claim *out)
{
    if (v->special || v->when || v->part || model_is_general(v->model) || v->model->kinematic ||
        v->model->speeds.count || v->model->quasivelocities.count)
        return false;
    const specials all = find_specials(v, claim);
    for (size_t i = 0; i < all.count; i++) {
        size_t left_out;
        verify_claim there;
        ctx_tick(v->ctx);
        ah_model *view = with_values(v, &all.at[i], &left_out);
        if (!is_allowed(v, view) || (left_out && names_constraints(v, claim))) continue;
        verification *own = verify_open(view, v->states, v->seed);
        own->special = true;
        verify_one(own, claim, &there);
        if (there.verdict != AH_VERDICT_FALSE) continue;
        const char *with = text_of(v, &all.at[i]);
        *out = there;
        out->claim = claim;
        out->why = there.why ? arena_printf(v->arena, "%s: %s", with, there.why) : with;
        return true;
    }
    return false;
}
