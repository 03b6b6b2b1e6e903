/* statement/regions.c - see regions.h. */
#include "regions.h"

#include "../kind/kind.h"
#include "../real/real.h"

#include <string.h>

enum { REGIONS_DEPTH = 4 }; /* so many that switch, hence 16 sides at most */

/* NULL: a constraint says nothing there, and the rank is another. */
static ah_model *with_side(ah_model *m, ah_expr node, ah_expr side)
{
    arena *a = &m->ctx->job;
    ah_model *out = model_view(m, a);
    memset(&out->constraints, 0, sizeof out->constraints);
    for (size_t i = 0; i < m->constraints.count; i++) {
        model_constraint c = m->constraints.at[i];
        model_put_values(m, &c.c, 1);
        c.c = expr_subst(m->ctx, c.c, 1, &node, &side);
        if (algebra_zero(m->alg, c.c) != AH_FALSE) return NULL;
        LIST_PUSH(a, &out->constraints, c);
    }
    if (!m->speeds.count) return out;
    ah_expr *psi = NEW_ARRAY(a, ah_expr, m->n);
    for (uint32_t i = 0; i < m->n; i++) {
        psi[i] = m->psi.at[i];
        model_put_values(m, &psi[i], 1);
        psi[i] = expr_subst(m->ctx, psi[i], 1, &node, &side);
    }
    out->psi.at = psi;
    return out;
}

static bool agree_below(const statement_question *q, regions_judge judge, int depth,
                        verify_claim *out)
{
    kink k;
    const ah_truth some = kinks_first(q->model, &k);
    if (some == AH_UNKNOWN || (some == AH_TRUE && depth == 0)) return false;
    if (some == AH_FALSE) {
        verify_claim here = {.claim = out->claim, .model = q->model};
        judge(q, &here);
        const bool first = out->verdict == AH_VERDICT_UNKNOWN;
        if (here.verdict == AH_VERDICT_UNKNOWN) return false;
        if (here.general) out->general |= VERDICT_ANYTHING;
        if (!first && (here.verdict == AH_VERDICT_FALSE) != (out->verdict == AH_VERDICT_FALSE))
            return false;
        if (first || here.verdict == AH_VERDICT_HOLDS) {
            out->verdict = here.verdict;
            out->why = here.why;
        }
        return true;
    }
    for (int i = 0; i < 2; i++) {
        statement_question side = *q;
        side.model = with_side(q->model, k.node, k.side[i]);
        if (!side.model || !agree_below(&side, judge, depth - 1, out)) return false;
    }
    return true;
}

bool regions_agree(const statement_question *q, regions_judge judge, verify_claim *out)
{
    verify_claim all = {.claim = out->claim, .model = out->model, .verdict = AH_VERDICT_UNKNOWN};
    if (!agree_below(q, judge, REGIONS_DEPTH, &all)) return false;
    out->verdict = all.verdict;
    out->why = all.why;
    out->general |= all.general;
    return true;
}

/* ---- Across a switch -------------------------------------------------------------------------- */

static mat slopes_of(ah_model *m, const expr_list *e)
{
    arena *a = &m->ctx->job;
    ah_expr *valued = NEW_ARRAY(a, ah_expr, e->count);
    for (size_t i = 0; i < e->count; i++) valued[i] = e->at[i];
    model_put_values(m, valued, e->count);
    const mat column = mat_from_dense(m->ctx, a, (uint32_t) e->count, 1, valued);
    return mat_jacobian(m->ctx, a, column, m->n, m->q.at);
}

/* Where u = 0 the functions of both sides have the same level sets: their gradients and that of u span no more than those of one side. */
static bool meet_at(ah_model *m, ah_expr u, const ah_distribution side[2])
{
    arena *a = &m->ctx->job;
    expr_list all = {0}, one = {0};
    LIST_PUSH(a, &all, u);
    LIST_PUSH(a, &one, u);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < side[k].functions; i++) {
            LIST_PUSH(a, &all, side[k].function[i]);
            if (!k) LIST_PUSH(a, &one, side[k].function[i]);
        }
    model_put_values(m, &u, 1);
    const bool same = algebra_set_relations(m->alg, &u, 1) &&
                      algebra_rank(m->alg, slopes_of(m, &all), NULL, NULL) ==
                          algebra_rank(m->alg, slopes_of(m, &one), NULL, NULL);
    algebra_set_relations(m->alg, NULL, 0);
    return same;
}

bool regions_joined(ah_model *m)
{
    kink k, more;
    ah_distribution side[2];
    if (kinks_first(m, &k) != AH_TRUE || expr_get_op(m->ctx, k.node) != EXPR_CALL) return true;
    for (int i = 0; i < 2; i++) {
        distribution_answer d;
        ah_model *own = with_side(m, k.node, k.side[i]);
        if (!own || kinks_first(own, &more) != AH_FALSE) return false;
        distribution_find(own, NULL, false, &d);
        if (!d.found.found || d.found.functions < d.found.integrable) return false;
        side[i] = d.found;
    }
    return meet_at(m, expr_get_children(m->ctx, k.node)[0], side);
}
