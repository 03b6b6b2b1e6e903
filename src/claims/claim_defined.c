/* claims/claim_defined.c - is there a state at which both sides of a claim exist?
 *
 * 0*tan(pi/2) = 0 is true wherever the sides exist, which is nowhere; and where tan(pi/2) is a number to doubles. Of a
 * state that was drawn a neighbourhood is taken, wider than its errors, and the arguments of all partial functions are
 * worked out for all of it in balls. Where they lie at a border (sqrt(x' - y') with x' = y') an enclosed state may tell. */
#include "claim.h"

#include <math.h>

enum { NEIGHBOURHOODS = 24, ENCLOSURES = 6, BITS = 128 };
/* Radius, as a part of the number: what errors of states and accelerations do not reach. */
#define WIDTH 1e-9

/* Those of system and claim. */
static expr_list symbols_of(verification *v, const trial *t)
{
    const model_needs *needs[] = {&v->model->needs, &t->needs};
    expr_list roots = {0};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < needs[k]->count; i++) {
            LIST_PUSH(v->arena, &roots, needs[k]->at[i].a);
            if (needs[k]->at[i].b != AH_NONE) LIST_PUSH(v->arena, &roots, needs[k]->at[i].b);
        }
    model_put_values(v->model, roots.at, roots.count);
    return expr_symbols(v->ctx, v->arena, roots.at, roots.count);
}

static bool exists_around(verification *v, const trial *t, const expr_list *symbols, point *p)
{
    const arena_mark mark = arena_get_mark(&v->ctx->scratch);
    ball_frame *around = ball_frame_create(v->ctx, &v->ctx->scratch);
    for (size_t i = 0; i < symbols->count; i++) {
        const double x = point_get(p, symbols->at[i]);
        arb_ptr ball = ball_frame_ref(around, symbols->at[i]);
        arb_set_d(ball, x);
        mag_set_d(arb_radref(ball), WIDTH * fabs(x));
    }
    const bool exists = enclosed_exists(v->enclosed, &v->model->needs, around, BITS) == AH_TRUE &&
                        enclosed_exists(v->enclosed, &t->needs, around, BITS) == AH_TRUE;
    arena_release(&v->ctx->scratch, mark);
    return exists;
}

static bool exists_at(verification *v, const trial *t, const expr_list *symbols, point *p,
                      bool closely)
{
    const char *why;
    if (!closely)
        return (!t->motion.count ||
                (v->branched ? branches_judge(v, t, p) != TRIAL_SKIPPED : trial_motion(v, t, p))) &&
               exists_around(v, t, symbols, p);
    const certainty answer = trial_certain(v, t, p, true, &why);
    return answer == CERTAIN_EQUAL || answer == CERTAIN_DIFFERENT;
}

bool claim_is_defined(verification *v, const trial *t)
{
    states_rng rng = probe_seed(v->seed);
    const size_t parts = v->components->count > 1 ? v->components->count : 1;
    bool found = !t->needs.count && !v->model->needs.count;
    if (found) return true;
    const expr_list symbols = symbols_of(v, t);
    for (size_t i = 0; i < NEIGHBOURHOODS + ENCLOSURES && !found; i++) {
        ctx_tick(v->ctx);
        const arena_mark mark = arena_get_mark(&v->ctx->scratch);
        point p;
        v->random = v->parts[i % parts];
        found = trial_draw(v, t, i, true, &rng, &p) &&
                exists_at(v, t, &symbols, &p, i >= NEIGHBOURHOODS);
        arena_release(&v->ctx->scratch, mark);
    }
    return found;
}

bool claim_system_is_defined(verification *v)
{
    if (v->model->kinematic) return true; /* of these each claim asks (claim_inputs.c) */
    if (v->defined == AH_UNKNOWN) {
        const ah_expr zero = expr_int(v->ctx, 0);
        const model_claim nothing = {.left = zero, .right = zero};
        const trial t = trial_prepare(v, &nothing);
        v->defined = claim_is_defined(v, &t) ? AH_TRUE : AH_FALSE;
    }
    return v->defined == AH_TRUE;
}
