/* statement/statements.c - claims about the kind of the system. */
#include "statements.h"

#include "../kind/kind.h"
#include "../real/real.h"
#include "ansatz.h"
#include "measure.h"
#include "regions.h"

#include <math.h>
#include <string.h>

/* A rate below this share of its terms is none; above the lesser one it is looked at with symbols, in
 * balls, which decide where they can. */
#define MEASURE_RATE    1e-8
#define MEASURE_SUSPECT 1e-13

enum { GRADIENT_STATES = 3 };

static void decide(verify_claim *out, bool holds, bool proved, const char *why)
{
    out->verdict = !holds ? AH_VERDICT_FALSE : proved ? AH_VERDICT_PROVED : AH_VERDICT_HOLDS;
    out->why = why;
}

static void unknown(verify_claim *out, const char *why)
{
    out->verdict = AH_VERDICT_UNKNOWN;
    out->why = why;
}

/* Dimensions from below are those of general values of the parameters. */
static void doubt_values(const distribution_answer *d, verify_claim *out)
{
    const bool true_here = out->verdict == AH_VERDICT_PROVED || out->verdict == AH_VERDICT_HOLDS;
    if (d->uniform || !true_here) return;
    out->general |= d->curved || d->found.switches ? VERDICT_ANYTHING : VERDICT_BRACKETS;
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

static void judge_growth(const statement_question *q, verify_claim *out);

/* All that holonomic constraints, continuous as they are, leave. */
static bool is_full(const ah_model *m, const distribution_answer *d)
{
    size_t holonomic = 0;
    for (size_t i = 0; i < m->constraints.count; i++)
        holonomic += m->constraints.at[i].order == MODEL_HOLONOMIC;
    return d->found.accessible + holonomic == d->found.dimension;
}

/* What was found at some places says nothing of others: x' = max(z, 0)*y' lets all places be reached where
 * z > 0, and none but those of x = const below. So it is asked of each side. Where roots of squares alone have two signs that
 * cannot be told apart, and no more could be reached, it holds in general. */
static void doubt_regions(const statement_question *q, const distribution_answer *d,
                          regions_judge judge, verify_claim *out)
{
    const kinks some = kinks_in_constraints(q->model);
    const bool full = is_full(q->model, d);
    kink first;
    const bool local = judge == judge_growth || full;
    if (some == KINKS_NONE ||
        (regions_agree(q, judge, out) && (local || q->s->constraints || regions_joined(q->model))))
        return;
    if (some == KINKS_ROOT && full && out->verdict != AH_VERDICT_FALSE &&
        kinks_first(q->model, &first) == AH_UNKNOWN)
        out->verdict = AH_VERDICT_HOLDS;
    else
        unknown(
            out,
            "the constraints hold |…|, roots of squares, angles or switches: regions may differ");
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

/* All functions were found, or, by Frobenius, no bracket leaves D for certain. */
static bool is_integrable_for_certain(const statement_question *q, const distribution_answer *d)
{
    distribution_answer again;
    verify_claim unused = {.model = q->model};
    if (d->found.exact || d->found.spanned) return d->found.exact;
    if (d->found.rank == 0) return true;
    return find_distribution(q, true, &again, &unused) && again.growth_exact &&
           again.found.integrable == d->found.integrable;
}

static bool speaks_of_velocities(const statement_question *q)
{
    for (size_t i = 0; i < q->s->constraints; i++)
        if (q->model->constraints.at[q->s->constraint[i]].order != MODEL_HOLONOMIC) return true;
    return false;
}

/* Brackets that leave D prove that it is not integrable: a minor that does not vanish somewhere. */
static void judge_holonomic(const statement_question *q, verify_claim *out)
{
    distribution_answer d;
    if (!q->model->constraints.count && !q->model->speeds.count) {
        decide(out, q->s->says == AH_SAYS_HOLONOMIC, true, "there are no constraints");
        return;
    }
    if (!find_distribution(q, false, &d, out)) return;
    const bool all = d.found.integrable == d.found.rank && !d.found.spanned;
    const bool claimed = q->s->says == AH_SAYS_HOLONOMIC ? all : !all;
    const char *why = growth_text(&q->model->ctx->job, &d.found);
    if (all && d.found.functions == d.found.rank && d.found.rank > 0)
        why = arena_printf(
            &q->model->ctx->job, "%s is constant%s",
            expr_text(q->model->ctx, &q->model->ctx->job, d.found.function[0], AH_ASCII),
            d.found.functions > 1 ? ", and others" : "");
    decide(out, claimed, all ? is_integrable_for_certain(q, &d) : !d.curved, why);
    const bool by_places = q->s->constraints && !speaks_of_velocities(q);
    const bool broken = !all && q->s->says == AH_SAYS_HOLONOMIC; /* where it is not, it is not */
    if (!broken && !by_places) doubt_regions(q, &d, judge_holonomic, out);
    if (!all) doubt_values(&d, out);
}

/* t counts as a coordinate beside affine constraints; with p = 0 the row x' = p is none, and the growth vector has other dimensions. */
static void doubt_time(const statement_question *q, verify_claim *out)
{
    ah_model *m = q->model;
    arena *a = &m->ctx->job;
    bool affine = false;
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        if (c->rheonomic) return;
        if (c->order != MODEL_VELOCITY || !c->affine) continue;
        const ah_expr drift = uniform_drift(m, a, c->c);
        if (!uniform_has_free(m, a, &drift, 1) || algebra_never_zero(m->alg, drift)) return;
        affine = true;
    }
    if (affine) out->general |= VERDICT_ANYTHING;
}

static void judge_growth(const statement_question *q, verify_claim *out)
{
    distribution_answer d;
    if (!find_distribution(q, true, &d, out)) return;
    bool same = d.found.steps == q->s->numbers;
    for (size_t i = 0; same && i < d.found.steps; i++)
        same = q->s->number[i] >= 0 && (size_t) q->s->number[i] == d.found.growth[i];
    decide(out, same, d.growth_exact, growth_text(&q->model->ctx->job, &d.found));
    doubt_regions(q, &d, judge_growth, out);
    doubt_values(&d, out);
    if (same) doubt_time(q, out);
}

bool statement_reaches_all(const statement_question *q)
{
    distribution_answer d;
    verify_claim unused = {.model = q->model};
    return find_distribution(q, false, &d, &unused) && is_full(q->model, &d);
}

static void judge_accessible(const statement_question *q, verify_claim *out)
{
    distribution_answer d;
    if (!find_distribution(q, false, &d, out)) return;
    const bool same = q->s->number[0] >= 0 && (size_t) q->s->number[0] == d.found.accessible;
    decide(out, same, is_integrable_for_certain(q, &d),
           arena_printf(&q->model->ctx->job, "places of %zu dimension%s can be reached",
                        d.found.accessible, d.found.accessible == 1 ? "" : "s"));
    doubt_regions(q, &d, judge_accessible, out);
    doubt_values(&d, out);
}

static void judge_rank(const statement_question *q, verify_claim *out)
{
    const ah_classification *c;
    if (kind_classify(q->model, &c) != AH_OK) {
        unknown(out, "the constraints contradict each other");
        return;
    }
    const bool same = q->s->number[0] >= 0 && (size_t) q->s->number[0] == c->rank;
    if (!same && !c->rank_exact) {
        unknown(out, "the rank was found at random states only, and is another there");
        return;
    }
    decide(out, same, c->rank_exact,
           arena_printf(&q->model->ctx->job, "%zu of the constraints %s independent", c->rank,
                        c->rank == 1 ? "is" : "are"));
}

/* ---- Integrals and measures ------------------------------------------------------------------ */

/* Gradients by q, v and t of the constraints on coordinates and velocities, the derivatives of the
 * former included; of e in the last row. */
static mat gradients(ah_model *m, arena *a, ah_expr e)
{
    expr_list rows = {0}, by = {0};
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        if (c->order == MODEL_ACCELERATION) continue;
        LIST_PUSH(a, &rows, c->c);
        if (c->order == MODEL_HOLONOMIC) LIST_PUSH(a, &rows, expr_dt(m->ctx, c->c));
    }
    LIST_PUSH(a, &rows, e);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &by, m->q.at[i]);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &by, m->v.at[i]);
    LIST_PUSH(a, &by, expr_time(m->ctx));
    const mat column = mat_from_dense(m->ctx, a, (uint32_t) rows.count, 1, rows.at);
    return mat_jacobian(m->ctx, a, column, by.count, by.at);
}

/* e is constant along the constraint set where its gradient is a combination of theirs. */
static bool seems_empty(const statement_question *q, const components *c, ah_expr e)
{
    ah_model *m = q->model;
    arena *a = &m->ctx->job;
    const mat all = gradients(m, a, e);
    bool *dependent = NEW_ARRAY(a, bool, all.rows);
    probe_matrix x = probe_matrix_create(m, a, all);
    const probe_states some = analyse_states_of_components(m, a, c, GRADIENT_STATES);
    for (size_t i = 0; i < some.count; i++) {
        if (!probe_matrix_run(&x, some.at[i])) return false;
        probe_matrix_rank(m->ctx, &x, dependent);
        if (!dependent[all.rows - 1]) return false;
    }
    return some.admissible && some.count > 0;
}

static bool is_constant(ah_model *m, ah_expr e)
{
    const expr_list symbols = expr_symbols(m->ctx, &m->ctx->job, &e, 1);
    for (size_t i = 0; i < symbols.count; i++)
        if (expr_get_kind(m->ctx, symbols.at[i]) != AH_PARAMETER) return false;
    return true;
}

/* Its normal form on every component is a number. */
static bool is_empty(ah_model *m, const components *c, ah_expr e)
{
    bool empty = c->complete && c->count;
    model_put_values(m, &e, 1);
    for (size_t i = 0; i < c->count && empty; i++)
        empty = algebra_set_relations(m->alg, c->at[i].relation, c->at[i].relations) &&
                is_constant(m, algebra_simplify(m->alg, e));
    algebra_set_relations(m->alg, NULL, 0);
    return empty;
}

/* What does not jump, as those have found who ask, and cannot be changed is one number. */
static bool has_no_gradient(ah_model *m, ah_expr e)
{
    model_put_values(m, &e, 1);
    const expr_list symbols = expr_symbols(m->ctx, &m->ctx->job, &e, 1);
    for (size_t i = 0; i < symbols.count; i++)
        if (algebra_zero(m->alg, expr_diff(m->ctx, e, symbols.at[i])) != AH_TRUE) return false;
    return true;
}

ah_truth statement_is_empty(const statement_question *q)
{
    ah_model *m = q->model;
    ah_expr e = ansatz_in_velocities(m, q->s->e);
    if (has_no_gradient(m, e)) return AH_TRUE;
    if (m->speeds.count) { /* the velocity form states the constraints */
        e = expr_subst(m->ctx, e, m->n, m->v.at, m->psi.at);
        return is_constant(m, algebra_simplify(m->alg, e)) ? AH_TRUE : AH_FALSE;
    }
    const components *c = components_find(m);
    if (!seems_empty(q, c, e)) return AH_FALSE;
    return is_empty(m, c, e) ? AH_TRUE : AH_UNKNOWN;
}

static mat slope_by(ah_model *m, arena *a, ah_expr e, const expr_list *by)
{
    return mat_jacobian(m->ctx, a, mat_from_dense(m->ctx, a, 1, 1, &e), by->count, by->at);
}

/* A second derivative of e along the velocities that the constraints leave does not vanish, H being all of them: the rank of
 * [H Jᵀ; J 0] is more than twice that of J. */
static bool bends(ah_model *m, arena *a, ah_expr e, const expr_list *v)
{
    const mat J = model_rows(m, a), H = mat_hessian(m->ctx, a, e, m->n, m->v.at);
    const uint32_t n = m->n, all = n + J.rows, wanted = 2 * m->rank + 1;
    ah_expr *x = NEW_ARRAY(a, ah_expr, (size_t) all * all);
    for (uint32_t i = 0; i < all; i++)
        for (uint32_t j = 0; j < all; j++)
            x[i * all + j] = i < n && j < n ? mat_get(m->ctx, H, i, j)
                             : i < n        ? mat_get(m->ctx, J, j - n, i)
                             : j < n        ? mat_get(m->ctx, J, i - n, j)
                                            : expr_int(m->ctx, 0);
    model_put_values(m, x, (size_t) all * all);
    const mat whole = mat_from_dense(m->ctx, a, all, all, x);
    return algebra_rank(m->alg, whole, NULL, NULL) >= (int) wanted &&
           uniform_rank(m, a, whole, wanted, v);
}

/* Constraints that are linear in the velocities leave all places: there a gradient by these counts. One along the velocities must be
 * none of those of the constraints; what these bind is not put at a place. */
static bool leaves_constraints(ah_model *m, arena *a, ah_expr e)
{
    const expr_list q = {.at = m->q.at, .count = m->n}, v = {.at = m->v.at, .count = m->n};
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order != MODEL_VELOCITY || !m->constraints.at[i].linear)
            return false;
    if (!expr_depends_kind(m->ctx, e, AH_VELOCITY))
        return uniform_rank(m, a, slope_by(m, a, e, &q), 1, &(expr_list){0});
    const mat rows = mat_stack(m->ctx, a, model_rows(m, a), slope_by(m, a, e, &v));
    return uniform_rank(m, a, rows, m->rank + 1, &v) || bends(m, a, e, &v);
}

/* Are these the second derivatives of e? NULL: none. */
static bool has_form(ah_model *m, ah_expr e, size_t count, const ah_expr *x, const mat *form)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j <= i; j++) {
            ah_expr d = expr_diff(m->ctx, expr_diff(m->ctx, e, x[i]), x[j]);
            if (form) d = expr_sub(m->ctx, d, mat_get(m->ctx, *form, i, j));
            model_put_values(m, &d, 1);
            if (algebra_zero(m->alg, d) != AH_TRUE) return false;
        }
    return true;
}

/* Energies: at a place the velocities are a plane, and the kinetic energy on it a form that is regular wherever the motion is
 * told. Such a form is not zero, and e no number. */
static bool is_energy(ah_model *m, ah_expr e)
{
    const mat M = mechanics_mass(derive_mechanics(m));
    expr_list speeds = {0};
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_VELOCITY && !m->constraints.at[i].linear)
            return false;
    for (size_t i = 0; i < m->speeds.count; i++)
        LIST_PUSH(&m->ctx->job, &speeds, m->speeds.at[i].symbol);
    for (uint32_t i = 0; i < m->n && speeds.count; i++)
        if (!has_form(m, m->psi.at[i], speeds.count, speeds.at, NULL)) return false;
    return m->rank < m->n && has_form(m, e, m->n, m->v.at, &M);
}

bool statement_is_full(const statement_question *q)
{
    ah_model *m = q->model;
    arena *a = &m->ctx->job;
    const bool charted = m->speeds.count > 0; /* the velocity form states the constraints */
    ah_expr e = ansatz_in_velocities(m, q->s->e);
    const ah_expr own = e;
    expr_list all = {0}, by = {0};
    if (charted) e = expr_subst(m->ctx, e, m->n, m->v.at, m->psi.at);
    for (size_t i = 0; i < m->constraints.count; i++) LIST_PUSH(a, &all, m->constraints.at[i].c);
    LIST_PUSH(a, &all, e);
    if (!uniform_has_free(m, a, all.at, all.count) || is_energy(m, own)) return true;
    if (m->constraints.count) return !charted && leaves_constraints(m, a, e);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &by, m->q.at[i]);
    for (uint32_t i = 0; i < m->n && !charted; i++) LIST_PUSH(a, &by, m->v.at[i]);
    for (size_t i = 0; i < m->speeds.count; i++) LIST_PUSH(a, &by, m->speeds.at[i].symbol);
    return uniform_rank(m, a, slope_by(m, a, e, &by), 1, &(expr_list){0});
}

/* div F + (log N)' at a state, and the size of what it is the sum of. */
static double measure_rate(minimal *m, const expr_plan *plan, frame *values, double *size)
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
    const char *why = problem_kinematic;
    flow *w = q->model->kinematic ? NULL : flow_create(q->model, a, &why);
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
    if (measure_may_jump(q->model))
        unknown(out,
                "a force jumps where velocities switch it, and may press motions together there");
}

void statement_of_kind(const statement_question *q, verify_claim *out)
{
    switch (q->s->says) {
    case AH_SAYS_HOLONOMIC:
    case AH_SAYS_NONHOLONOMIC: judge_holonomic(q, out); break;
    case AH_SAYS_RANK: judge_rank(q, out); break;
    case AH_SAYS_ACCESSIBLE: judge_accessible(q, out); break;
    case AH_SAYS_GROWTH: judge_growth(q, out); break;
    default: judge_measure(q, out);
    }
}
