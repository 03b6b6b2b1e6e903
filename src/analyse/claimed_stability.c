/* analyse/claimed_stability.c - claims about the stability of steady motions.
 *
 * `stable` says that no eigenvalue of the linearisation has a positive real part, `attracting` that
 * all others than the family's zeros have negative ones, `unstable` that one has a positive one.
 * Steady motions drawn at random come first, one by one, by their spectra; then the conditions of
 * Routh and Hurwitz for the family with symbols are put to the proof. A condition that fails
 * strictly proves instability: were all real parts ≤ 0, none of the coefficients and determinants
 * could be negative (limits of positive ones). */
#include "claimed.h"

#include "../flow/flow.h"
#include "../real/real.h"

#include <math.h>

enum {
    ATTEMPTS = 6, /* a steady motion that is wanted */
    MOTIONS = 20, /* at most */
    IN_VAIN = 60  /* attempts without any */
};

/* ---- Numbers --------------------------------------------------------------------------------- */

static bool is_as_claimed(model_says says, const stability_answer *a)
{
    switch (says) {
    case SAYS_STABLE: return a->spectrum.unstable == 0;
    case SAYS_ATTRACTING: return a->verdict == STABILITY_ATTRACTING;
    default: return a->spectrum.unstable > 0;
    }
}

static double largest_real_part(const spectrum *s)
{
    double most = s->zeros ? 0 : -INFINITY;
    for (uint32_t i = 0; i < s->n - s->zeros; i++) most = fmax(most, s->re[i]);
    return most;
}

typedef LIST(stability_answer) motions;

/* Is there anything to vary? */
static bool is_single(const claimed *c)
{
    if (!c->from_start || c->s->conditions) return false;
    for (size_t i = 0; i < c->model->parameters.count; i++)
        if (c->model->parameters.at[i].value == AH_NONE) return false;
    return true;
}

static void try_motions(claimed *c, const statement_question *q, verify_claim *out, motions *found)
{
    const size_t wanted = is_single(c) ? 1 : q->states < MOTIONS ? q->states : MOTIONS;
    const char *why;
    for (size_t i = 0; i < ATTEMPTS * wanted + IN_VAIN && out->states < wanted; i++) {
        ctx_tick(c->model->ctx);
        if (i > IN_VAIN && out->states == 0) break;
        double *values = claimed_draw(c);
        if (!values) continue;
        stability_answer a;
        c->p.fixed = c->fixed;
        if (!stability_settle(&c->p, values, &a, &why) || !claimed_holds(c, a.values)) continue;
        LIST_PUSH(c->p.arena, found, a);
        if (!is_as_claimed(q->s->says, &a)) {
            out->values = a.values;
            out->left = largest_real_part(&a.spectrum);
            break;
        }
        out->states++;
    }
}

/* ---- Proof ----------------------------------------------------------------------------------- */

/* Do all the motions belong to the family? Then what holds for it holds for them. */
static bool is_the_family(claimed *c, const characteristic *f, const motions *found)
{
    const minimal *m = c->p.m;
    for (size_t i = 0; i < found->count; i++)
        for (uint32_t k = 0; k < m->kept; k++) {
            double *values = found->at[i].values, want;
            ah_expr e = f->state[k];
            flow_define(c->model, &e, 1);
            expr_plan_run(expr_plan_create(c->model->ctx, c->p.arena, &e, 1), values, &want);
            const double got = minimal_value(m, m->keep[k], values);
            if (!(fabs(got - want) <= 1e-6 * (1 + fabs(want)))) return false;
        }
    return true;
}

/* Everything with the named values and the declared parameters. */
static ah_expr as_claimed(claimed *c, reduced *w, ah_expr e)
{
    e = reduced_at1(w, reduced_through(w, e));
    model_put_values(c->model, &e, 1);
    return algebra_simplify(w->alg, e);
}

static bool put_named(claimed *c, reduced *w)
{
    ah_expr *e = NEW_ARRAY(w->arena, ah_expr, c->s->values + 1);
    for (size_t i = 0; i < c->s->values; i++)
        e[i] = reduced_through(w, expr_sub(w->ctx, c->s->value[i].symbol, c->s->value[i].value));
    uint32_t count = 0; /* ignorable coordinates make no difference */
    for (size_t i = 0; i < c->s->values; i++) {
        bool ignored = false;
        for (uint32_t k = 0; k < w->m->ignorable; k++)
            ignored = ignored || w->m->symbol[w->m->ignored[k]] == c->s->value[i].symbol;
        if (!ignored) e[count++] = e[i];
    }
    return reduced_solve(w, mat_from_dense(w->ctx, w->arena, count, 1, e));
}

static bool prove(claimed *c, const characteristic *f, const char **how)
{
    const model_says says = c->s->says;
    ah_ctx *ctx = c->model->ctx;
    arena *a = c->p.arena;
    reduced *w = f->reduced;
    if (!put_named(c, w)) return false;
    const ah_model *m = c->model;
    algebra_fact *facts = NEW_ARRAY(a, algebra_fact, m->facts.count + 1);
    ah_expr *e = NEW_ARRAY(a, ah_expr, f->conditions + 1);
    for (size_t i = 0; i < m->facts.count; i++)
        facts[i] = (algebra_fact){as_claimed(c, w, m->facts.at[i].e), m->facts.at[i].positive};
    for (size_t i = 0; i < f->conditions; i++) e[i] = as_claimed(c, w, f->condition[i]);
    *how = f->even ? "the roots in the square of λ are real and negative"
                   : "by the conditions of Routh and Hurwitz";
    if (says == SAYS_UNSTABLE) {
        for (size_t i = 0; i < f->conditions; i++) e[i] = expr_neg(ctx, e[i]);
        *how = "a condition of Routh and Hurwitz fails";
        return positive_one_of(ctx, a, facts, m->facts.count, e, f->conditions) >= 0;
    }
    if (says == SAYS_ATTRACTING && f->even) return false;
    if (f->degree == 0) *how = "all eigenvalues are zero";
    for (size_t i = 0; i < f->conditions; i++)
        if (!positive_prove(ctx, a, facts, m->facts.count, e[i])) return false;
    return f->decided || (f->degree == 0 && says == SAYS_STABLE);
}

/* What a claim that holds does not say. */
static const char *reservation(model_says says, const stability_answer *a)
{
    if (says != SAYS_STABLE || a->verdict == STABILITY_ATTRACTING) return NULL;
    return a->verdict == STABILITY_DRIFTING
               ? "spectrally: more zero eigenvalues than the family explains"
               : "spectrally: the linearisation does not decide what motions nearby do";
}

void statement_of_stability(const statement_question *q, verify_claim *out)
{
    claimed c;
    motions found = {0};
    out->verdict = VERDICT_UNKNOWN;
    if (!claimed_open(q, &c, &out->why)) return;
    out->model = c.model;
    if (!c.p.m->autonomous) {
        out->why = "the equations of motion depend on time explicitly";
        return;
    }
    try_motions(&c, q, out, &found);
    out->why = NULL;
    if (out->values) {
        out->verdict = VERDICT_FALSE;
        out->why = "the largest real part of an eigenvalue is on the left";
        return;
    }
    if (out->states == 0) {
        out->why = "no steady motion was found that fits it";
        return;
    }
    const characteristic *f = characteristic_create(c.p.m, c.p.arena, found.at[0].values, NULL);
    const char *how = NULL, *but = reservation(q->s->says, &found.at[0]);
    const bool proved = f && is_the_family(&c, f, &found) && prove(&c, f, &how);
    out->verdict = proved ? VERDICT_PROVED : VERDICT_HOLDS;
    if (!proved) how = NULL;
    out->why = how && but ? arena_printf(c.p.arena, "%s; %s", but, how) : how ? how : but;
}
