/* analyse/claim_parts.c - what kind of system it is, asked of each component of the constraint set.
 *
 * Where the set has several components the system is another one on each: its constraints there are
 * the equations of the component. What is said of it must be true on all of them. */
#include "claim.h"
#include "statements.h"

#include <string.h>

enum { RANK_STATES = 5 };

/* ---- The system on a component --------------------------------------------------------------- */

static model_constraint constraint_of(verification *v, const component *c, size_t i)
{
    ah_model *m = v->model;
    ah_expr rest = c->relation[i], *zero = NEW_ARRAY(v->arena, ah_expr, m->n);
    for (uint32_t k = 0; k < m->n; k++) zero[k] = expr_int(v->ctx, 0);
    model_constraint out = {.label = arena_printf(v->arena, "%zu", i + 1),
                            .left = rest,
                            .right = expr_int(v->ctx, 0),
                            .c = rest,
                            .order = i < c->places ? MODEL_HOLONOMIC : MODEL_VELOCITY};
    out.rheonomic = expr_depends(v->ctx, rest, expr_time(v->ctx));
    out.linear = i < c->places || algebra_degree(m->alg, rest, m->n, m->v.at) == 1;
    if (out.order == MODEL_VELOCITY) {
        rest = expr_subst(v->ctx, rest, m->n, m->v.at, zero);
        out.affine = algebra_zero(m->alg, rest) != AH_TRUE;
    }
    return out;
}

static ah_model *model_on(verification *v, const component *c)
{
    ah_model *view = model_view(v->model, v->arena);
    bool fast = false; /* without constraints on velocities these are derivatives of the places' */
    for (size_t i = 0; i < v->model->constraints.count; i++)
        fast = fast || v->model->constraints.at[i].order == MODEL_VELOCITY;
    memset(&view->constraints, 0, sizeof view->constraints);
    for (size_t i = 0; i < (fast ? c->relations : c->places); i++)
        LIST_PUSH(v->arena, &view->constraints, constraint_of(v, c, i));
    view->rank = (uint32_t) (c->relations - c->places);
    return view;
}

/* ---- One component --------------------------------------------------------------------------- */

/* As many as it has equations for velocities, if they are independent at a state. */
static void judge_rank(verification *v, const component *c, const model_statement *s,
                       verify_claim *out)
{
    ah_model *m = v->model;
    const probe_states some = probe_some_states(probe_create_on(m, v->arena, c->mark, c->marks),
                                                v->arena, RANK_STATES, v->seed);
    uint32_t rank;
    out->verdict = VERDICT_UNKNOWN;
    out->why = "the rank on a component was not found";
    if (!some.admissible) return;
    probe_independent_rows(m, v->arena, &some, model_rows(m, v->arena), &rank);
    if (rank != c->relations - c->places) return;
    const bool same = s->number[0] >= 0 && (uint32_t) s->number[0] == rank;
    out->verdict = same ? VERDICT_PROVED : VERDICT_FALSE;
    out->why = arena_printf(v->arena, "%u of the constraints %s independent there", rank,
                            rank == 1 ? "is" : "are");
}

static bool can_be_asked(const verification *v, const model_statement *s)
{
    if (!v->components->complete || v->model->speeds.count || s->constraints) return false;
    for (size_t i = 0; i < v->model->constraints.count; i++)
        if (v->model->constraints.at[i].order == MODEL_ACCELERATION) return false;
    for (size_t i = 0; i < v->components->count; i++)
        if (components_has_root(v->ctx, v->components->at[i].relation,
                                v->components->at[i].relations))
            return false;
    return true;
}

/* ---- All of them ----------------------------------------------------------------------------- */

void parts_judge(verification *v, const model_statement *s, verify_claim *out)
{
    const components *c = v->components;
    verdict worst = VERDICT_PROVED;
    out->verdict = VERDICT_UNKNOWN;
    out->why = arena_printf(v->arena,
                            "the admissible states fall into %zu components, and what kind of "
                            "system it is was not found for each component",
                            c->count);
    if (!can_be_asked(v, s)) return;
    const char *why = NULL;
    for (size_t i = 0; i < c->count; i++) {
        verify_claim here = {.claim = out->claim, .model = v->model};
        const statement_question q = {model_on(v, &c->at[i]), s, v->states, v->seed};
        if (s->says == SAYS_RANK)
            judge_rank(v, &c->at[i], s, &here);
        else
            statement_of_kind(&q, &here);
        if (here.verdict == VERDICT_FALSE) {
            *out = here;
            out->component = c->at[i].name;
            out->model = here.values ? q.model : v->model;
            return;
        }
        if (here.verdict == VERDICT_UNKNOWN) worst = VERDICT_UNKNOWN;
        if (here.verdict == VERDICT_HOLDS && worst == VERDICT_PROVED) worst = VERDICT_HOLDS;
        why = here.why;
        out->states += here.states;
    }
    out->verdict = worst;
    if (worst == VERDICT_UNKNOWN) return;
    out->why = why ? arena_printf(v->arena, "on each component; %s", why) : "on each component";
}
