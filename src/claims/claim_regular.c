/* claims/claim_regular.c - is there a regular state at all, on each component?
 *
 * Of no state everything is true: (x' - y')^4 + e^x (y' - z')^2 = 0 holds where its gradient vanishes
 * alone, and random states in doubles, always a little beside it, do not see that. So one state of
 * each component is enclosed: Newton's method in balls proves that rows of the constraints hold there
 * and are independent. They must be as many as the component's equations. */
#include "claim.h"

enum { DRAWS = 24, ASSUMED = 100, BITS = 192 };

typedef struct search {
    verification *v;
    ball_frame *balls;
    arb_ptr room; /* n */
} search;

/* ∂/∂v of the component's equations. */
static probe_matrix equations_of(verification *v, size_t part)
{
    const ah_model *m = v->where;
    const component *c = &v->components->at[part];
    const uint32_t count = (uint32_t) (c->relations - c->places);
    const mat column = mat_from_dense(v->ctx, v->arena, count, 1, c->relation + c->places);
    return probe_matrix_create(v->where, v->arena,
                               mat_jacobian(v->ctx, v->arena, column, m->n, m->v.at));
}

static bool has_rank(verification *v, probe_matrix *equations, const frame *values)
{
    if (!equations || v->where->speeds.count) return certain_full_rank(v);
    return probe_matrix_run(equations, values) &&
           enclosed_rank(v->enclosed) == probe_matrix_rank(v->ctx, equations, NULL);
}

/* Under conditions the motion must be determined there, too: they may lead to where it is not. */
static bool has_motion(search *w, frame *values)
{
    verification *v = w->v;
    if (!v->when) return true;
    point p = point_around(v->model, values, &v->ctx->scratch);
    return !v->multipliers.refused && certain_motion(v, &p, w->balls, w->room, BITS);
}

/* Ordinary ones first, then such as are worse conditioned. */
static bool draw(verification *v, size_t part, int k, states_rng *rng, frame *values)
{
    static const probe_reach order[] = {PROBE_NEAR, PROBE_NEAR, PROBE_TURNS, PROBE_FAR};
    const probe_wish wish = {.reach = order[k % 4]};
    return analyse_wished_state(v->parts[part], rng, &wish, values);
}

static bool find_state(search *w, size_t part)
{
    verification *v = w->v;
    const bool known = v->components->complete && v->components->count;
    probe_matrix equations = {0};
    if (known) equations = equations_of(v, part);
    frame *values = probe_values(v->where, v->arena);
    states_rng rng = probe_seed(v->seed);
    bool found = false;
    for (int k = 0; k < DRAWS && !found; k++) {
        const arena_mark mark = arena_get_mark(&v->ctx->scratch);
        found = draw(v, part, k, &rng, values) &&
                !enclosed_at(v->enclosed, values, w->balls, BITS) &&
                has_rank(v, known ? &equations : NULL, values) && has_motion(w, values) &&
                apart_regular(v, values, w->balls, BITS);
        arena_release(&v->ctx->scratch, mark);
    }
    return found;
}

static bool search_all(verification *v)
{
    arena *scratch = &v->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    search w = {.v = v,
                .balls = ball_frame_create(v->ctx, scratch),
                .room = ball_array(scratch, v->model->n)};
    enclosed_trust(v->enclosed, true);
    bool found = true;
    for (size_t i = 0; found && (i < v->components->count || i == 0); i++)
        found = find_state(&w, i);
    enclosed_trust(v->enclosed, false);
    arena_release(scratch, mark);
    return found;
}

/* Rows J(q, t) v = 0: the general place is regular, with v = 0 to begin with. */
static bool is_homogeneous(const ah_model *m)
{
    bool all = true;
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        all = all && c->order == MODEL_VELOCITY && c->linear && !c->affine;
    }
    return all;
}

/* Is there a state at all that is as assumed? At the edges of what is assumed there may be some where there are no others. */
static bool may_be_assumed(verification *v)
{
    const ah_model *m = v->model;
    frame *values = probe_values(v->where, v->arena);
    edges *at = edges_create(v->model, v->arena, NULL, 0, false, &(model_needs){0}, m->facts.at,
                             m->facts.count);
    states_rng rng = probe_seed(v->seed);
    bool found = !m->facts.count || m->kinematic; /* there the inputs are asked */
    for (int k = 0; k < ASSUMED && !found; k++) {
        const arena_mark mark = arena_get_mark(&v->ctx->scratch);
        const probe_wish wish = {.reach = k % 4 < 2 ? PROBE_NEAR : PROBE_WIDE,
                                 .bend = at && k % 2 ? edges_bend : NULL,
                                 .user = at};
        found = analyse_wished_state(v->parts[0], &rng, &wish, values);
        arena_release(&v->ctx->scratch, mark);
    }
    return found;
}

bool claim_has_states(verification *v)
{
    if (v->regular == AH_UNKNOWN) {
        const bool own = !v->when && !v->part;
        const bool found = own && is_homogeneous(v->model)
                               ? may_be_assumed(v)
                               : (own && v->model->n > ENCLOSED_COORDINATES) || search_all(v);
        v->regular = found ? AH_TRUE : AH_FALSE;
    }
    return v->regular == AH_TRUE;
}
