/* claims/claim_parts.c - what kind of system it is, asked of each component of the constraint set:
 * what is said of it must be true on all of them. */
#include "claim.h"

#include <string.h>

enum { RANK_STATES = 5 };

/* ---- One component --------------------------------------------------------------------------- */

/* As many as it has equations for velocities, if they are independent at a state. */
static void judge_rank(verification *v, const component *c, const model_statement *s,
                       verify_claim *out)
{
    ah_model *m = v->model;
    const probe_states some = probe_some_states(probe_create_on(m, v->arena, c->mark, c->marks),
                                                v->arena, RANK_STATES, v->seed);
    uint32_t rank;
    out->verdict = AH_VERDICT_UNKNOWN;
    out->why = "the rank on a component was not found";
    if (!some.admissible) return;
    probe_independent_rows(m, v->arena, &some, model_rows(m, v->arena), &rank);
    if (rank != c->relations - c->places) return;
    const bool same = s->number[0] >= 0 && (uint32_t) s->number[0] == rank;
    out->verdict = same ? AH_VERDICT_PROVED : AH_VERDICT_FALSE;
    out->why = arena_printf(v->arena, "%u of the constraints %s independent there", rank,
                            rank == 1 ? "is" : "are");
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* One component that is linear though some constraint is not: beside y' = x z' the product
 * (y' − x z')(x' − 2) = 0 says nothing, and the kind is that of the component. */
bool parts_simplify(const verification *v)
{
    const components *c = v->components;
    const ah_model *m = v->model;
    bool curved = false;
    if (c->count != 1 || !kind_has_parts(v->model, c)) return false;
    for (size_t i = 0; i < m->constraints.count; i++)
        curved = curved ||
                 (m->constraints.at[i].order == MODEL_VELOCITY && !m->constraints.at[i].linear);
    for (size_t i = c->at[0].places; i < c->at[0].relations && curved; i++)
        curved = algebra_degree(m->alg, c->at[0].relation[i], m->n, m->v.at) == 1;
    return curved;
}

/* Of directions the planes over the real numbers tell. */
const components *parts_asked(verification *v, const model_statement *s)
{
    const bool directions = s->says == AH_SAYS_HOLONOMIC || s->says == AH_SAYS_NONHOLONOMIC ||
                            s->says == AH_SAYS_GROWTH || s->says == AH_SAYS_ACCESSIBLE;
    if (!directions || s->constraints) return v->components;
    return kind_planes(v->model, v->arena, v->components);
}

void parts_judge(verification *v, const components *c, const model_statement *s, verify_claim *out)
{
    ah_verdict worst = AH_VERDICT_PROVED;
    out->verdict = AH_VERDICT_UNKNOWN;
    out->why = arena_printf(v->arena,
                            "the admissible states fall into %zu components, and what kind of "
                            "system it is was not found for each component",
                            c->count);
    if (s->constraints || !kind_has_parts(v->model, v->components)) return;
    const char *why = NULL;
    for (size_t i = 0; i < c->count; i++) {
        verify_claim here = {.claim = out->claim, .model = v->model};
        const statement_question q = {kind_model_on(v->model, v->arena, &c->at[i]), s, v->states,
                                      v->seed};
        if (s->says == AH_SAYS_RANK)
            judge_rank(v, &c->at[i], s, &here);
        else
            statement_of_kind(&q, &here);
        if (here.verdict == AH_VERDICT_FALSE) {
            *out = here;
            out->component = *c->at[i].name ? c->at[i].name : NULL;
            out->model = here.values ? q.model : v->model;
            return;
        }
        if (here.verdict == AH_VERDICT_UNKNOWN) worst = AH_VERDICT_UNKNOWN;
        if (here.verdict == AH_VERDICT_HOLDS && worst == AH_VERDICT_PROVED)
            worst = AH_VERDICT_HOLDS;
        if (here.general) out->general |= VERDICT_ANYTHING;
        why = here.why;
        out->states += here.states;
    }
    out->verdict = worst;
    if (worst == AH_VERDICT_UNKNOWN) return;
    if (c->count == 1)
        out->why = why;
    else
        out->why = why ? arena_printf(v->arena, "on each component; %s", why) : "on each component";
}
