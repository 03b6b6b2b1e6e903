/* kind/on_component.c - the system on one component of its admissible states. */
#include "kind.h"

#include <string.h>

static model_constraint constraint_of(ah_model *m, arena *a, const component *c, size_t i)
{
    ah_ctx *ctx = m->ctx;
    ah_expr rest = c->relation[i], *zero = NEW_ARRAY(a, ah_expr, m->n);
    for (uint32_t k = 0; k < m->n; k++) zero[k] = expr_int(ctx, 0);
    model_constraint out = {.label = arena_printf(a, "%zu", i + 1),
                            .left = rest,
                            .right = expr_int(ctx, 0),
                            .c = rest,
                            .order = i < c->places ? MODEL_HOLONOMIC : MODEL_VELOCITY};
    out.rheonomic = expr_depends(ctx, rest, expr_time(ctx));
    out.linear = i < c->places || algebra_degree(m->alg, rest, m->n, m->v.at) == 1;
    if (out.order == MODEL_VELOCITY) {
        rest = expr_subst(ctx, rest, m->n, m->v.at, zero);
        out.affine = algebra_zero(m->alg, rest) != AH_TRUE;
    }
    return out;
}

ah_model *kind_model_on(ah_model *m, arena *a, const component *c)
{
    ah_model *view = model_view(m, a);
    bool fast = false; /* without constraints on velocities these are derivatives of the places' */
    for (size_t i = 0; i < m->constraints.count; i++)
        fast = fast || m->constraints.at[i].order == MODEL_VELOCITY;
    memset(&view->constraints, 0, sizeof view->constraints);
    for (size_t i = 0; i < (fast ? c->relations : c->places); i++)
        LIST_PUSH(a, &view->constraints, constraint_of(m, a, c, i));
    view->rank = (uint32_t) (c->relations - c->places);
    return view;
}

bool kind_has_parts(ah_model *m, const components *c)
{
    if (!c->complete || m->speeds.count) return false;
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_ACCELERATION) return false;
    for (size_t i = 0; i < c->count; i++)
        if (components_has_root(m->ctx, c->at[i].relation, c->at[i].relations)) return false;
    return true;
}

/* ---- Integrability on each ------------------------------------------------------------------- */

typedef struct question {
    ah_model *m;
    size_t count;
    ah_component_distribution *out;
} question;

static void find(ah_ctx *ctx, void *arg)
{
    question *q = arg;
    arena *a = &ctx->job;
    const components *c = components_find(q->m);
    if (!kind_has_parts(q->m, c)) return;
    q->out = NEW_ARRAY(a, ah_component_distribution, c->count);
    for (size_t i = 0; i < c->count; i++) {
        distribution_answer here;
        distribution_find(kind_model_on(q->m, a, &c->at[i]), NULL, false, &here);
        here.found.function_of =
            NEW_ARRAY(a, const char *, here.found.functions); /* none is written */
        q->out[i] = (ah_component_distribution){c->at[i].name, here.found};
    }
    q->count = c->count;
}

ah_status kind_distribution_parts(ah_model *m, size_t *count, const ah_component_distribution **out)
{
    question q = {.m = m};
    const ah_status status = model_guard(m, find, &q);
    *count = status == AH_OK ? q.count : 0;
    *out = q.out;
    return status;
}
