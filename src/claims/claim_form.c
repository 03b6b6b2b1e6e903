/* claims/claim_form.c - claims beside a velocity form that may not give all admissible velocities (model_of_all_velocities).
 *
 * What is claimed of all states, without a name of the form, is asked of the constraints by themselves. */
#include "claim.h"

/* Does it speak of z, of z', or of what is made with the form? */
static bool names_the_form(verification *v, const model_claim *claim)
{
    const trial t = trial_prepare(v, claim);
    int extra;
    uint32_t row, col;
    if (t.speeds.count) return true;
    for (size_t i = 0; i < t.motion.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(v->ctx, t.motion.at[i]);
        if (kind == AH_SPEED_DOT) return true;
        if (kind == AH_DERIVED && (!claim_locate(v, t.motion.at[i], &extra, &row, &col) ||
                                   (extra != MOTION_LAMBDA && extra != MOTION_REACTION)))
            return true;
    }
    return false;
}

static bool any_holds_speeds(verification *v, size_t count, const ah_expr *e)
{
    for (size_t i = 0; i < count; i++)
        if (expr_depends_kind(v->ctx, e[i], AH_SPEED)) return true;
    return false;
}

/* The same of a statement. A measure is one in z; what is said of the motion from the start begins where the form may tell. */
static bool states_the_form(verification *v, const model_statement *s)
{
    bool named = s->says == AH_SAYS_MEASURE || s->says == AH_SAYS_SOLUTION ||
                 (s->says >= AH_SAYS_STABLE && !s->values);
    for (size_t i = 0; i < s->values && !named; i++)
        named = any_holds_speeds(v, 2, (ah_expr[]){s->value[i].symbol, s->value[i].value});
    for (size_t i = 0; i < s->conditions && !named; i++)
        named = any_holds_speeds(v, 1, &s->condition[i].e);
    for (size_t i = 0; i < s->cases && !named; i++)
        named = any_holds_speeds(v, s->at[i].count, s->at[i].e);
    return named || (s->e != AH_NONE && any_holds_speeds(v, 1, &s->e));
}

/* Of limits in which velocities move z is what stays fixed. */
static bool fixes_speeds(verification *v, const model_limit *l)
{
    return l->from != AH_NONE || claim_limit_binds(v, l);
}

verification *form_forgotten(verification *v, const model_claim *claim)
{
    const model_statement *s = claim->statement;
    const bool motion = !s || s->says == AH_SAYS_INTEGRAL;
    if (claim->when || claim->identically || v->branched || !v->model->speeds.count) return v;
    if (claim->limit && fixes_speeds(v, claim->limit)) return v;
    const ah_expr sides[] = {claim->left, claim->right, claim->constant};
    const size_t count = claim->constant == AH_NONE ? 2 : 3;
    ah_model *all = model_of_all_velocities(v->model, motion && model_jumps(v->ctx, sides, count));
    if (all == v->model || (motion ? names_the_form(v, claim) : states_the_form(v, s))) return v;
    if (!v->formless) v->formless = verify_open(all, v->states, v->seed);
    return v->formless;
}

/* ---- What the form proves all the same --------------------------------------------------------- */

/* Of rational numbers, and functions of places alone: what vanishes on a part of an irreducible set vanishes on all of it. */
static bool is_algebraic(verification *v, ah_expr e)
{
    model_put_values(v->model, &e, 1);
    const expr_list nodes = expr_reachable(v->ctx, &v->ctx->scratch, &e, 1);
    for (size_t i = 0; i < nodes.count; i++) {
        const expr_op op = expr_get_op(v->ctx, nodes.at[i]);
        const ah_expr *child = expr_get_children(v->ctx, nodes.at[i]);
        long power;
        if (op == EXPR_POWER && !expr_is_int(v->ctx, child[1], &power)) return false;
        if (op != EXPR_CALL) continue;
        const ah_function f = expr_get_function(v->ctx, nodes.at[i]);
        if ((f != AH_SIN && f != AH_COS && f != AH_EXP) || expr_is_fixed(v->ctx, child[0]) ||
            expr_depends_kind(v->ctx, child[0], AH_VELOCITY))
            return false;
    }
    return true;
}

bool form_proves(verification *v, const model_claim *claim)
{
    const ah_model *m = v->model;
    if (claim->limit || (claim->statement && claim->statement->says != AH_SAYS_INTEGRAL))
        return false;
    const trial t = trial_prepare(v, claim);
    bool algebraic =
        is_algebraic(v, t.difference) && is_algebraic(v, m->T) && is_algebraic(v, m->V);
    for (uint32_t i = 0; i < m->n && algebraic; i++) algebraic = is_algebraic(v, m->F[i]);
    for (size_t i = 0; i < m->constraints.count && algebraic; i++)
        algebraic = is_algebraic(v, m->constraints.at[i].c);
    return algebraic && claim_prove(v, &t, true);
}
