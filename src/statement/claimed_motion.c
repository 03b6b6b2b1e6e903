/* statement/claimed_motion.c - claims that motions are steady.
 *
 * An equilibrium: with these values of coordinates, whatever the others are, nothing moves and
 * nothing begins to. A steady motion: with these values, whatever the others are, everything rests
 * on which the rates depend. Random states of that kind first; then the rates with symbols. */
#include "claimed.h"
#include "../flow/flow.h"
#include "../state/enclosed.h"

#include <math.h>

/* Steady is what is nearer than this (steady_distance). */
#define CLAIMED_STEADY 1e-7
/* Where the rates are known not to vanish, what is larger than this is no rounding. */
#define CLAIMED_ROUNDING 1e-13

enum { RESTING_BITS = 256, ATTEMPTS = 6 }; /* a state that is wanted */

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Rest in balls: the accelerations of an equilibrium whose values are expressions of parameters. */
typedef struct resting {
    claimed *c;
    enclosed *s;
    eval_method motion;
    ball_frame *ball;
    arb_ptr qddot;
} resting;

/* NULL: it cannot be looked at so. */
static resting *resting_create(claimed *c)
{
    ah_model *m = c->model;
    arena *a = c->p.arena;
    expr_list symbol = {0}, value = {0};
    if (!c->rest || m->speeds.count) return NULL;
    for (size_t i = 0; i < c->s->values; i++) {
        const expr_list inside = expr_symbols(m->ctx, a, &c->s->value[i].value, 1);
        for (size_t k = 0; k < inside.count; k++)
            if (expr_get_kind(m->ctx, inside.at[k]) != AH_PARAMETER) return NULL;
        LIST_PUSH(a, &symbol, c->s->value[i].symbol);
        LIST_PUSH(a, &value, c->s->value[i].value);
    }
    for (uint32_t i = 0; i < m->n; i++) {
        LIST_PUSH(a, &symbol, m->v.at[i]);
        LIST_PUSH(a, &value, expr_int(m->ctx, 0));
    }
    resting *w = NEW(a, resting);
    *w = (resting){.c = c,
                   .s = enclosed_create(m, a),
                   .ball = ball_frame_create(m->ctx, a),
                   .qddot = ball_array(a, m->n)};
    w->motion = eval_prepare(m, derive_find("multipliers"), NULL, a);
    enclosed_give(w->s, symbol.count, symbol.at, value.at);
    return w->motion.refused ? NULL : w;
}

static bool enclose_rest(resting *w, frame *values)
{
    point p = w->c->p.p;
    p.values = values;
    const enclose_entry wanted = {w->motion.eq->qddot, w->qddot};
    return !enclosed_at(w->s, values, w->ball, RESTING_BITS) &&
           derive_mechanics(w->c->model)->rank == enclosed_rank(w->s) &&
           enclosed_assumed(w->s, w->ball, RESTING_BITS) == AH_TRUE &&
           enclosed_exists(w->s, &w->c->model->needs, w->ball, RESTING_BITS) == AH_TRUE &&
           !eval_at(&w->motion, &p).refused &&
           enclose_sheet(w->motion.eq->sheet, w->motion.runner, w->ball, RESTING_BITS, &wanted, 1);
}

/* Does it stay at rest? AH_UNKNOWN: not certain. */
static ah_truth stays(resting *w, frame *values, double *rate)
{
    if (!w) return AH_UNKNOWN;
    ah_truth rests = enclose_rest(w, values) ? AH_TRUE : AH_UNKNOWN;
    for (uint32_t i = 0; rests == AH_TRUE && i < w->c->model->n; i++) {
        if (!arb_is_nonzero(w->qddot + i)) continue;
        rests = AH_FALSE;
        *rate = arf_get_d(arb_midref(w->qddot + i), ARF_RND_NEAR);
    }
    return rests;
}

/* What was met on the way: a state; a singular one, and why; a rate that no slope tells to be no rounding error, or that is as
 * small as one. */
typedef struct tried {
    frame *seen;
    const char *pole;
    bool doubtful;
} tried;

/* Doubles near a multiple of π are not quite there. */
static void try_states(claimed *c, const statement_question *q, verify_claim *out, tried *met)
{
    resting *w = resting_create(c);
    const arena_mark mark = arena_get_mark(&c->model->ctx->scratch);
    for (size_t i = 0; i < ATTEMPTS * q->states && out->states < q->states; i++) {
        ctx_tick(c->model->ctx);
        if (i > 60 && out->states == 0) break; /* it will not get better */
        double rate;
        frame *values = claimed_draw(c);
        if (!values) continue;
        steady *s =
            steady_create_partly(c->p.m, c->p.arena, c->fixed.symbol.count, c->fixed.symbol.at);
        if (!steady_find(s, c->fixed.value.at, values) || !claimed_holds(c, values)) continue;
        const double distance = steady_distance(c->p.m, values, &rate);
        /* forces of time alone have no slopes, and th'' = 0 has such as it has rates */
        const bool uneven = isfinite(distance) && !steady_may_round(c->p.m, values);
        if (!isfinite(distance) && rate == 0) continue;
        if ((met->pole = problem_pole_text(&c->p, values)) != NULL) continue;
        met->seen = values;
        const ah_truth rests = stays(w, values, &rate);
        if (rests == AH_UNKNOWN && !uneven && distance > CLAIMED_STEADY) {
            met->doubtful = true;
            continue;
        }
        if (rests == AH_FALSE || (rests == AH_UNKNOWN && distance > CLAIMED_STEADY)) {
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
static ah_truth prove(claimed *c, const frame *values)
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

/* Not proved: the rates do not vanish identically, or may not in doubles. */
static void doubt(claimed *c, const tried *met, verify_claim *out)
{
    double rate;
    out->verdict = AH_VERDICT_UNKNOWN;
    out->why = met->doubtful ? "a rate does not vanish in doubles, but no state is certain"
                             : "the rates do not vanish identically";
    out->states = 0;
    if (met->doubtful || !(steady_distance(c->p.m, met->seen, &rate) > CLAIMED_ROUNDING)) return;
    out->verdict = AH_VERDICT_FALSE;
    out->values = met->seen;
    out->left = rate;
    out->why = "a rate that should be zero is on the left";
}

void statement_of_motion(const statement_question *q, verify_claim *out)
{
    claimed c;
    tried met = {0};
    out->verdict = AH_VERDICT_UNKNOWN;
    if (!claimed_open(q, &c, &out->why)) return;
    out->model = c.model;
    if (!c.rest && !c.p.m->autonomous) {
        out->why = problem_time_text(c.model);
        return;
    }
    try_states(&c, q, out, &met);
    out->why = NULL;
    if (out->values) {
        out->verdict = AH_VERDICT_FALSE;
        out->why = "a rate that should be zero is on the left";
    } else if (out->states == 0 && !met.doubtful) {
        out->why = met.pole ? met.pole : "no regular admissible state with these values was found";
    } else {
        const ah_truth answer = prove(&c, met.seen);
        out->verdict = answer == AH_TRUE ? AH_VERDICT_PROVED : AH_VERDICT_HOLDS;
        claimed_of_one_component(&c, out);
        if (answer == AH_TRUE || (answer == AH_UNKNOWN && !met.doubtful)) return;
        doubt(&c, &met, out);
    }
}
