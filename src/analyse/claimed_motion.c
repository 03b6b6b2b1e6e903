/* analyse/claimed_motion.c - claims that motions are steady.
 *
 * An equilibrium: with these values of coordinates, whatever the others are, nothing moves and
 * nothing begins to. A steady motion: with these values, whatever the others are, everything rests
 * on which the rates depend. Random states of that kind first; then the rates with symbols. */
#include "claimed.h"
#include "../flow/flow.h"

#include <math.h>

/* Steady is what is nearer than this (steady_distance). */
#define CLAIMED_STEADY 1e-7
/* Where the rates are known not to vanish, what is larger than this is no rounding. */
#define CLAIMED_ROUNDING 1e-13

enum { ATTEMPTS = 6 }; /* a state that is wanted */

/* ---- Numbers --------------------------------------------------------------------------------- */

static void try_states(claimed *c, const statement_question *q, verify_claim *out, double **seen)
{
    const arena_mark mark = arena_get_mark(&c->model->ctx->scratch);
    for (size_t i = 0; i < ATTEMPTS * q->states && out->states < q->states; i++) {
        ctx_tick(c->model->ctx);
        if (i > 60 && out->states == 0) break; /* it will not get better */
        double *values = claimed_draw(c), rate;
        if (!values) continue;
        steady *s =
            steady_create_partly(c->p.m, c->p.arena, c->fixed.symbol.count, c->fixed.symbol.at);
        if (!steady_find(s, c->fixed.value.at, values) || !claimed_holds(c, values)) continue;
        const double distance = steady_distance(c->p.m, values, &rate);
        if (!isfinite(distance)) continue;
        *seen = values;
        if (distance > CLAIMED_STEADY) {
            out->values = values;
            out->left = rate;
            break;
        }
        out->states++;
    }
    arena_release(&c->model->ctx->scratch, mark);
}

/* ---- Proof ----------------------------------------------------------------------------------- */

static bool put_claimed(claimed *c, reduced *w)
{
    ah_ctx *ctx = w->ctx;
    const minimal *m = w->m;
    for (uint32_t i = 0; c->rest && i < m->speeds; i++)
        reduced_put(w, m->symbol[m->coordinates + i], expr_int(ctx, 0));
    ah_expr *e = NEW_ARRAY(w->arena, ah_expr, c->s->values + 1);
    for (size_t i = 0; i < c->s->values; i++) {
        const model_value *v = &c->s->value[i];
        e[i] = expr_sub(ctx, reduced_through(w, v->symbol), reduced_through(w, v->value));
        if (expr_get_kind(ctx, v->symbol) == AH_COORDINATE) {
            reduced_put(w, v->symbol, reduced_at1(w, v->value));
            e[i] = expr_int(ctx, 0);
        }
    }
    const mat named = mat_from_dense(ctx, w->arena, (uint32_t) c->s->values, 1, e);
    return reduced_solve(w, w->f) && reduced_solve(w, named) &&
           reduced_solve(w, c->rest ? w->psi : reduced_rates(w));
}

/* AH_FALSE: something is left of the rates, however little, with all that is named put in. */
static ah_truth prove(claimed *c, const double *values)
{
    reduced w;
    ah_truth answer = AH_TRUE;
    if (!reduced_create(c->p.m, c->p.arena, values, &w) || !put_claimed(c, &w)) return AH_UNKNOWN;
    const mat left = reduced_at(&w, w.E);
    for (uint32_t i = 0; i < mat_entries(left) && answer != AH_FALSE; i++) {
        ah_expr e = left.val[i];
        model_put_values(c->model, &e, 1);
        const ah_truth zero = algebra_zero(w.alg, e);
        if (zero != AH_TRUE) answer = zero;
    }
    return answer;
}

void statement_of_motion(const statement_question *q, verify_claim *out)
{
    claimed c;
    double *seen = NULL;
    out->verdict = VERDICT_UNKNOWN;
    if (!claimed_open(q, &c, &out->why)) return;
    out->model = c.model;
    if (!c.rest && !c.p.m->autonomous) {
        out->why = "the equations of motion depend on time explicitly";
        return;
    }
    try_states(&c, q, out, &seen);
    out->why = NULL;
    if (out->values) {
        out->verdict = VERDICT_FALSE;
        out->why = "a rate that should be zero is on the left";
    } else if (out->states == 0) {
        out->why = "no regular admissible state with these values was found";
    } else {
        double rate;
        const ah_truth answer = prove(&c, seen);
        out->verdict = answer == AH_TRUE ? VERDICT_PROVED : VERDICT_HOLDS;
        claimed_of_one_component(&c, out);
        if (answer != AH_FALSE) return;
        out->verdict = VERDICT_UNKNOWN;
        out->why = "the rates do not vanish identically";
        out->states = 0;
        if (!(steady_distance(c.p.m, seen, &rate) > CLAIMED_ROUNDING)) return;
        out->verdict = VERDICT_FALSE;
        out->values = seen;
        out->left = rate;
        out->why = "a rate that should be zero is on the left";
    }
}
