/* analyse/statements.c - claims about the kind of the system. */
#include "statements.h"

#include "ansatz.h"
#include "distribution.h"
#include "measure.h"

#include <math.h>
#include <string.h>

/* A rate below this share of its terms is none; above the lesser one it is looked at with symbols, in
 * balls, which decide where they can. */
#define MEASURE_RATE    1e-8
#define MEASURE_SUSPECT 1e-13

enum { GRADIENT_STATES = 3 };

static void decide(verify_claim *out, bool holds, bool proved, const char *why)
{
    out->verdict = !holds ? VERDICT_FALSE : proved ? VERDICT_PROVED : VERDICT_HOLDS;
    out->why = why;
}

static void unknown(verify_claim *out, const char *why)
{
    out->verdict = VERDICT_UNKNOWN;
    out->why = why;
}

/* ---- Integrability --------------------------------------------------------------------------- */

static const char *growth_text(arena *a, const ah_distribution *d)
{
    text t = text_begin(a);
    text_add(&t, "the growth vector is (");
    for (size_t i = 0; i < d->steps; i++) text_printf(&t, "%s%zu", i ? ", " : "", d->growth[i]);
    text_printf(&t, ") in %zu dimensions%s", d->dimension, d->time ? ", t being one" : "");
    return text_end(&t);
}

/* Linear in the velocities, whatever else: all that was asked for. */
static bool find_distribution(const statement_question *q, bool prove, distribution_answer *d,
                              verify_claim *out)
{
    const ah_model *m = q->model;
    bool *only = NEW_ARRAY(&m->ctx->job, bool, m->constraints.count + 1);
    for (size_t i = 0; i < q->s->constraints; i++) only[q->s->constraint[i]] = true;
    distribution_find(q->model, q->s->constraints ? only : NULL, prove, d);
    if (!d->found.found) unknown(out, d->found.why);
    return d->found.found;
}

/* Brackets that leave D prove that it is not integrable: a minor that does not vanish somewhere. */
static void judge_holonomic(const statement_question *q, verify_claim *out)
{
    distribution_answer d;
    if (!q->model->constraints.count && !q->model->speeds.count) {
        decide(out, q->s->says == SAYS_HOLONOMIC, true, "there are no constraints");
        return;
    }
    if (!find_distribution(q, false, &d, out)) return;
    const bool all = d.found.integrable == d.found.rank && !d.found.spanned;
    const bool claimed = q->s->says == SAYS_HOLONOMIC ? all : !all;
    const char *why = growth_text(&q->model->ctx->job, &d.found);
    if (all && d.found.functions == d.found.rank && d.found.rank > 0)
        why = arena_printf(
            &q->model->ctx->job, "%s is constant%s",
            expr_text(q->model->ctx, &q->model->ctx->job, d.found.function[0], AH_ASCII),
            d.found.functions > 1 ? ", and others" : "");
    decide(out, claimed, all ? d.found.exact || d.found.rank == 0 : !d.curved, why);
}

static void judge_growth(const statement_question *q, verify_claim *out)
{
    distribution_answer d;
    if (!find_distribution(q, true, &d, out)) return;
    bool same = d.found.steps == q->s->numbers;
    for (size_t i = 0; same && i < d.found.steps; i++)
        same = q->s->number[i] >= 0 && (size_t) q->s->number[i] == d.found.growth[i];
    decide(out, same, d.growth_exact, growth_text(&q->model->ctx->job, &d.found));
}

static void judge_accessible(const statement_question *q, verify_claim *out)
{
    distribution_answer d;
    if (!find_distribution(q, false, &d, out)) return;
    const bool same = q->s->number[0] >= 0 && (size_t) q->s->number[0] == d.found.accessible;
    decide(out, same, d.found.exact,
           arena_printf(&q->model->ctx->job, "places of %zu dimension%s can be reached",
                        d.found.accessible, d.found.accessible == 1 ? "" : "s"));
}

static void judge_rank(const statement_question *q, verify_claim *out)
{
    const ah_classification *c;
    if (ah_classify(q->model->ctx, q->model, &c) != AH_OK) {
        unknown(out, "the constraints contradict each other");
        return;
    }
    decide(out, q->s->number[0] >= 0 && (size_t) q->s->number[0] == c->rank, c->rank_exact,
           arena_printf(&q->model->ctx->job, "%zu of the constraints %s independent", c->rank,
                        c->rank == 1 ? "is" : "are"));
}

/* ---- Integrals and measures ------------------------------------------------------------------ */

bool statement_is_empty(const statement_question *q)
{
    const char *why;
    arena *a = &q->model->ctx->job;
    flow *w = flow_create(q->model, a, &why);
    if (!w) return false;
    const ah_expr e = ansatz_in_velocities(q->model, q->s->e);
    ansatz_states *pool = ansatz_states_create(w, a, q->seed);
    if (!ansatz_states_want(pool, GRADIENT_STATES)) return false;
    for (size_t i = 0; i < GRADIENT_STATES; i++) {
        const double *g = ansatz_gradient(w, a, e, pool->values.at[i]);
        for (uint32_t k = 0; k < w->N; k++)
            if (fabs(g[k]) > 1e-7) return false;
    }
    return true;
}

/* div F + (log N)' at a state, and the size of what it is the sum of. */
static double measure_rate(minimal *m, const expr_plan *plan, double *values, double *size)
{
    double out[2];
    if (!minimal_at(m, values)) return NAN;
    expr_plan_run(plan, values, out); /* N' and N */
    *size = m->divergence_size + fabs(out[0] / out[1]);
    return m->divergence + out[0] / out[1];
}

static void judge_measure(const statement_question *q, verify_claim *out)
{
    ah_ctx *ctx = q->model->ctx;
    arena *a = &ctx->job;
    const char *why;
    flow *w = flow_create(q->model, a, &why);
    if (!w) {
        unknown(out, why);
        return;
    }
    ah_expr e[2] = {ansatz_through_x(w, expr_dt(ctx, q->s->e)), q->s->e};
    flow_define(q->model, e, 2);
    const expr_plan *plan = expr_plan_create(ctx, a, e, 2);
    ansatz_states *pool = ansatz_states_create(w, a, q->seed);
    const size_t wanted = q->states > 0 ? q->states : 1;
    if (!ansatz_states_want(pool, wanted)) {
        unknown(out, "no regular admissible states were found");
        return;
    }
    minimal *m = minimal_create(w, a, pool->values.at[0], NULL);
    for (size_t i = 0; m && i < wanted; i++) {
        double size = 0;
        const double rate = measure_rate(m, plan, pool->values.at[i], &size);
        if (!isfinite(rate)) continue;
        const bool suspect = fabs(rate) > MEASURE_SUSPECT * size;
        const ah_truth changes =
            suspect ? measure_changes(m, a, pool->values.at[i], q->s->e) : AH_FALSE;
        if (changes == AH_TRUE || (changes == AH_UNKNOWN && fabs(rate) > MEASURE_RATE * size)) {
            out->values = pool->values.at[i];
            out->left = rate;
            decide(out, false, false, "the relative rate of the measure is on the left");
            return;
        }
        out->states++;
    }
    if (!m || !out->states) {
        unknown(out, "the motion could not be evaluated");
        return;
    }
    decide(out, true, measure_prove(m, a, pool->values.at[0], q->s->e), NULL);
}

void statement_of_kind(const statement_question *q, verify_claim *out)
{
    switch (q->s->says) {
    case SAYS_HOLONOMIC:
    case SAYS_NONHOLONOMIC: judge_holonomic(q, out); break;
    case SAYS_RANK: judge_rank(q, out); break;
    case SAYS_ACCESSIBLE: judge_accessible(q, out); break;
    case SAYS_GROWTH: judge_growth(q, out); break;
    default: judge_measure(q, out);
    }
}
