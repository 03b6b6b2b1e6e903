/* real/at_switch.c - what follows from constraints that switch must follow at the switch, too.
 *
 * The algebra knows sign(u) as |u|/u, whose square is one. So x' = sign(p) z' gives x'² = z'², and that is false for p = 0,
 * where the constraint says x' = 0. There, with 0 for sign(u) and |u|, the constraints are others, and the claim must follow
 * from these: from all of them together, or from one of them with a parameter that u = 0 tells put in.
 *
 * Where u moves there is nothing to ask: a constraint is differentiated, and states at which it jumps are none. */
#include "components.h"

#include <stdlib.h>
#include <string.h>

enum { SWITCHES = 16 }; /* places that are looked at */

typedef struct at_switch {
    ah_model *m; /* with the constraints as they are there */
    ah_expr e;   /* what must vanish */
} at_switch;

typedef struct switch_search {
    ah_ctx *ctx;
    arena *arena;
    algebra *alg;
    int left;
} switch_search;

static bool follows_at_all(switch_search *w, const at_switch *s);

static expr_list rows_of(const switch_search *w, const at_switch *s)
{
    expr_list rows = {0};
    for (size_t i = 0; i < s->m->constraints.count; i++)
        LIST_PUSH(w->arena, &rows, s->m->constraints.at[i].c);
    model_put_values(s->m, rows.at, rows.count);
    return rows;
}

static at_switch with(const switch_search *w, const at_switch *s, size_t count, const ah_expr *from,
                      const ah_expr *to)
{
    const expr_list rows = rows_of(w, s);
    at_switch out = {model_view(s->m, w->arena), expr_subst(w->ctx, s->e, count, from, to)};
    memset(&out.m->constraints, 0, sizeof out.m->constraints);
    for (size_t i = 0; i < rows.count; i++) {
        model_constraint c = s->m->constraints.at[i];
        c.c = expr_subst(w->ctx, rows.at[i], count, from, to);
        LIST_PUSH(w->arena, &out.m->constraints, c);
    }
    return out;
}

/* Is it zero, or does one of the rows say it? */
static bool follows(const switch_search *w, const at_switch *s)
{
    const expr_list rows = rows_of(w, s);
    if (algebra_zero(w->alg, s->e) == AH_TRUE) return true;
    for (size_t i = 0; i < rows.count; i++)
        if (algebra_zero(w->alg, rows.at[i]) == AH_FALSE &&
            algebra_is_multiple(w->alg, s->e, rows.at[i]))
            return true;
    return false;
}

/* With a parameter that u = 0 tells. */
static bool follows_where(switch_search *w, const at_switch *s, ah_expr u)
{
    const expr_list symbols = expr_symbols(w->ctx, w->arena, &u, 1);
    for (size_t i = 0; i < symbols.count; i++) {
        const ah_expr slope = expr_diff(w->ctx, u, symbols.at[i]);
        if (expr_depends(w->ctx, slope, symbols.at[i]) || abs(algebra_sign(w->alg, slope)) != 1)
            continue;
        const ah_expr there = expr_sub(w->ctx, symbols.at[i], expr_div(w->ctx, u, slope));
        const ah_expr value = algebra_simplify(w->alg, there);
        const at_switch put = with(w, s, 1, &symbols.at[i], &value);
        return follows(w, &put) && follows_at_all(w, &put);
    }
    return false;
}

/* sign(u) = 0: the states of a system of its own, regular where those of the whole are. */
static bool follows_at(switch_search *w, const at_switch *s, ah_expr sign)
{
    const ah_expr u = expr_get_children(w->ctx, sign)[0], zero = expr_int(w->ctx, 0);
    const ah_expr from[] = {sign, expr_call1(w->ctx, AH_ABS, u)}, to[] = {zero, zero};
    if (!expr_is_fixed(w->ctx, u) || algebra_never_zero(w->alg, u)) return true;
    if (--w->left < 0) return false;
    const at_switch there = with(w, s, 2, from, to);
    if (follows(w, &there) || components_vanish_beside(components_find(there.m), w->alg, there.e))
        return follows_at_all(w, &there);
    return follows_where(w, &there, u);
}

/* At every switch that the constraints still have. */
static bool follows_at_all(switch_search *w, const at_switch *s)
{
    const expr_list rows = rows_of(w, s);
    const expr_list nodes = expr_reachable(w->ctx, w->arena, rows.at, rows.count);
    for (size_t i = 0; i < nodes.count; i++)
        if (expr_get_op(w->ctx, nodes.at[i]) == EXPR_CALL &&
            expr_get_function(w->ctx, nodes.at[i]) == AH_SIGN && !follows_at(w, s, nodes.at[i]))
            return false;
    return true;
}

bool components_vanish_at_switches(ah_model *m, algebra *alg, ah_expr e)
{
    switch_search w = {m->ctx, &m->ctx->job, alg, SWITCHES};
    const at_switch s = {m, e};
    return follows_at_all(&w, &s);
}
