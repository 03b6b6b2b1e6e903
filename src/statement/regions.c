/* statement/regions.c - see regions.h. */
#include "regions.h"

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
    return true;
}
