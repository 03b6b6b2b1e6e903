/* analyse/claim_form.c - claims beside a velocity form that may not give all admissible velocities.
 *
 * The form x' = cosh(a), y' = sinh(a) satisfies x'² − y'² = 1 and gives the half of it alone on which x' > 0. What is claimed of
 * all states, without a name of the form, is asked of the constraints by themselves then. A form that is linear in its parameters,
 * beside constraints that are linear in the velocities, gives all of them. */
#include "claim.h"

#include <string.h>

static bool holds_kind(ah_ctx *ctx, ah_expr e, ah_symbol_kind kind)
{
    const expr_list all = expr_symbols(ctx, &ctx->scratch, &e, 1);
    for (size_t i = 0; i < all.count; i++)
        if (expr_get_kind(ctx, all.at[i]) == kind) return true;
    return false;
}

static bool any_holds_kind(ah_ctx *ctx, mat m, ah_symbol_kind kind)
{
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t k = 0; k < m.cols; k++)
            if (holds_kind(ctx, mat_get(ctx, m, i, k), kind)) return true;
    return false;
}

static bool may_leave_some(verification *v)
{
    ah_model *m = v->model;
    if (!m->speeds.count || !m->constraints.count || m->kinematic || v->branched) return false;
    for (size_t i = 0; i < m->facts.count; i++) /* states are those of the form */
        if (holds_kind(v->ctx, m->facts.at[i].e, AH_SPEED)) return false;
    return any_holds_kind(v->ctx, model_rows(m, v->arena), AH_VELOCITY) ||
           any_holds_kind(v->ctx, model_psi_matrix(m, v->arena), AH_SPEED);
}

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

static void keep_needs(verification *v, ah_model *m)
{
    memset(&m->needs, 0, sizeof m->needs);
    for (size_t i = 0; i < v->model->needs.count; i++) {
        const model_need n = v->model->needs.at[i];
        if (!holds_kind(v->ctx, n.a, AH_SPEED) &&
            (n.b == AH_NONE || !holds_kind(v->ctx, n.b, AH_SPEED)))
            LIST_PUSH(v->arena, &m->needs, n);
    }
}

verification *form_forgotten(verification *v, const model_claim *claim)
{
    const ah_says says = claim->statement ? claim->statement->says : AH_SAYS_EQUATION;
    if (claim->when || claim->limit || claim->identically) return v;
    if (says != AH_SAYS_EQUATION && says != AH_SAYS_INTEGRAL) return v;
    if (v->partial == AH_UNKNOWN) v->partial = may_leave_some(v) ? AH_TRUE : AH_FALSE;
    if (v->partial == AH_FALSE || names_the_form(v, claim)) return v;
    if (v->formless) return v->formless;
    ah_model *m = model_view(v->model, v->arena);
    memset(&m->speeds, 0, sizeof m->speeds);
    memset(&m->psi, 0, sizeof m->psi);
    memset(&m->start, 0, sizeof m->start); /* it may tell parameters of the form */
    keep_needs(v, m);
    return v->formless = verify_open(m, v->states, v->seed);
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
            holds_kind(v->ctx, child[0], AH_VELOCITY))
            return false;
    }
    return true;
}

bool form_proves(verification *v, const model_claim *claim)
{
    const ah_model *m = v->model;
    const trial t = trial_prepare(v, claim);
    bool algebraic =
        is_algebraic(v, t.difference) && is_algebraic(v, m->T) && is_algebraic(v, m->V);
    for (uint32_t i = 0; i < m->n && algebraic; i++) algebraic = is_algebraic(v, m->F[i]);
    for (size_t i = 0; i < m->constraints.count && algebraic; i++)
        algebraic = is_algebraic(v, m->constraints.at[i].c);
    return algebraic && claim_prove(v, &t);
}
