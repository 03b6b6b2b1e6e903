/* statement/claimed.c - see claimed.h. */
#include "claimed.h"

#include "../flow/flow.h"
#include "../kind/kind.h"
#include "../real/real.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 200 }; /* of what the conditions speak of, for one state */

/* ---- The view -------------------------------------------------------------------------------- */

static bool is_free(ah_model *m, const model_statement *s, ah_expr symbol)
{
    for (size_t i = 0; i < s->conditions; i++)
        if (expr_depends(m->ctx, s->condition[i].e, symbol)) return true;
    return false;
}

static bool is_of_parameters(ah_model *m, ah_expr e)
{
    const expr_list symbols = expr_symbols(m->ctx, &m->ctx->job, &e, 1);
    for (size_t i = 0; i < symbols.count; i++)
        if (expr_get_kind(m->ctx, symbols.at[i]) != AH_PARAMETER) return false;
    return true;
}

/* The same model with more assumptions (on parameters alone: for drawing states, whose speeds are
 * chosen later) and fewer values; its mechanics are its own. */
static ah_model *view_of(ah_model *m, const model_statement *s, bool drawing)
{
    arena *a = &m->ctx->job;
    ah_model *view = model_view(m, a);
    memset(&view->parameters, 0, sizeof view->parameters);
    memset(&view->facts, 0, sizeof view->facts);
    for (size_t i = 0; i < m->parameters.count; i++) {
        model_parameter p = m->parameters.at[i];
        if (is_free(m, s, p.symbol)) p.value = AH_NONE;
        LIST_PUSH(a, &view->parameters, p);
    }
    for (size_t i = 0; i < m->facts.count; i++) LIST_PUSH(a, &view->facts, m->facts.at[i]);
    for (size_t i = 0; i < s->conditions; i++)
        if (!drawing || is_of_parameters(m, s->condition[i].e))
            LIST_PUSH(a, &view->facts, s->condition[i]);
    view->alg = algebra_create(m->ctx, view->facts.at, view->facts.count);
    return view;
}

/* ---- States ---------------------------------------------------------------------------------- */

/* False: it is held already. */
static bool hold(claimed *c, ah_expr symbol)
{
    for (size_t i = 0; i < c->fixed.symbol.count; i++)
        if (c->fixed.symbol.at[i] == symbol) return false;
    problem_hold(&c->p, &c->fixed, symbol, 0);
    return true;
}

/* What the claim names; what its conditions speak of; all velocities of an equilibrium. */
static void list_fixed(claimed *c)
{
    const ah_model *m = c->model;
    for (size_t i = 0; i < c->s->values; i++) hold(c, c->s->value[i].symbol);
    for (uint32_t i = 0; c->rest && i < m->n; i++) hold(c, m->v.at[i]);
    for (size_t i = 0; i < c->s->conditions; i++) {
        const expr_list symbols = expr_symbols(m->ctx, c->p.arena, &c->s->condition[i].e, 1);
        for (size_t k = 0; k < symbols.count; k++) {
            const ah_symbol_kind kind = expr_get_kind(m->ctx, symbols.at[k]);
            if (kind == AH_PARAMETER || kind == AH_TIME) continue;
            if (hold(c, symbols.at[k])) LIST_PUSH(c->p.arena, &c->drawn, symbols.at[k]);
        }
    }
}

static double value_of(claimed *c, ah_expr e, frame *values)
{
    point p = c->p.p;
    p.values = values;
    return point_eval(&p, e);
}

/* The start, at rest where it says nothing; what the conditions speak of stays as it was drawn. */
static void put_start(claimed *c, frame *values)
{
    const flow *w = c->p.flow;
    const ah_model *m = c->model;
    for (uint32_t k = 0; k < w->N; k++)
        if (!is_free(c->model, c->s, w->x[k])) frame_set(values, w->x[k], 0);
    for (size_t i = 0; i < m->start.count; i++) {
        const model_value *v = &m->start.at[i];
        if (!is_free(c->model, c->s, v->symbol))
            frame_set(values, v->symbol, value_of(c, v->value, values));
    }
}

/* Values may speak of each other: twice is enough for chains that are not twisted. */
static bool put_values(claimed *c, frame *values)
{
    bool good = true;
    for (uint32_t i = 0; c->rest && i < c->model->n; i++) frame_set(values, c->model->v.at[i], 0);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < c->s->values; i++) {
            const model_value *v = &c->s->value[i];
            const double x = value_of(c, v->value, values);
            good = good && isfinite(x);
            frame_set(values, v->symbol, x);
        }
    for (size_t i = 0; i < c->fixed.symbol.count; i++)
        c->fixed.value.at[i] = frame_get(values, c->fixed.symbol.at[i]);
    return good;
}

/* Where a condition ends that the symbol enters to the first degree; NAN: it does not. */
static double end_of(claimed *c, ah_expr condition, ah_expr symbol, frame *values, double *slope)
{
    double at[3];
    const double before = frame_get(values, symbol);
    for (int k = 0; k < 3; k++) {
        frame_set(values, symbol, k);
        at[k] = value_of(c, condition, values);
    }
    frame_set(values, symbol, before);
    *slope = at[1] - at[0];
    const double bent = fabs(at[2] - 2 * at[1] + at[0]);
    return bent <= 1e-9 * (fabs(at[0]) + fabs(at[2])) ? -at[0] / *slope : NAN;
}

/* One of the state's symbols in the conditions: between its ends, or of any size. */
static void draw_symbol(claimed *c, ah_expr symbol, frame *values)
{
    double low = -INFINITY, high = INFINITY;
    for (size_t i = 0; i < c->s->conditions; i++) {
        double slope;
        if (!expr_depends(c->model->ctx, c->s->condition[i].e, symbol)) continue;
        const double end = end_of(c, c->s->condition[i].e, symbol, values, &slope);
        if (isfinite(end) && slope > 0) low = fmax(low, end);
        if (isfinite(end) && slope < 0) high = fmin(high, end);
    }
    const double step = exp(probe_uniform(&c->rng, -3, 3));
    if (isfinite(low) && isfinite(high))
        frame_set(values, symbol, probe_uniform(&c->rng, low, high));
    else if (isfinite(low) || isfinite(high))
        frame_set(values, symbol, isfinite(low) ? low + step : high - step);
    else
        frame_set(values, symbol, probe_uniform(&c->rng, -1, 1) < 0 ? -step : step);
}

/* Until the conditions hold. */
static bool draw_conditions(claimed *c, frame *values)
{
    for (int round = 0; round < DRAWS; round++) {
        for (size_t i = 0; i < c->drawn.count; i++) draw_symbol(c, c->drawn.at[i], values);
        if (!put_values(c, values)) return false;
        bool good = true;
        for (size_t i = 0; i < c->s->conditions; i++) {
            const double x = value_of(c, c->s->condition[i].e, values);
            good = good && (c->s->condition[i].positive ? x > 0 : x != 0);
        }
        if (good) return true;
    }
    return false;
}

/* Places near and far, angles all round; speeds of all sizes, more often slow: steady motions are
 * few among fast ones. */
static void spread(claimed *c, frame *values)
{
    const flow *w = c->p.flow;
    const bool far = probe_uniform(&c->rng, 0, 1) < 0.5;
    const double share =
        exp(probe_uniform(&c->rng, -3, probe_uniform(&c->rng, 0, 1) < 0.3 ? 3 : 0));
    for (uint32_t k = 0; k < w->N; k++)
        *frame_ref(values, w->x[k]) *= k >= w->n ? share : far ? 3 : 1;
}

frame *claimed_draw(claimed *c)
{
    frame *values = probe_values(c->model, c->p.arena);
    if (!analyse_random_state(c->p.random, &c->rng, values)) return NULL;
    if (c->from_start)
        put_start(c, values);
    else
        spread(c, values);
    if (!draw_conditions(c, values)) return NULL;
    given guess = {0}; /* what is held, and what the start gives besides */
    for (size_t i = 0; i < c->fixed.symbol.count; i++)
        problem_hold(&c->p, &guess, c->fixed.symbol.at[i], c->fixed.value.at[i]);
    for (size_t i = 0; c->from_start && i < c->model->start.count; i++) {
        const ah_expr symbol = c->model->start.at[i].symbol;
        if (expr_get_kind(c->model->ctx, symbol) != AH_COORDINATE)
            problem_hold(&c->p, &guess, symbol, frame_get(values, symbol));
    }
    steady_guess(c->p.flow, guess.symbol.count, guess.symbol.at, guess.value.at, values);
    return values;
}

/* Conditions leave out components and add none, and those of the whole are known once for all claims; but not for other
 * parameters. */
static bool is_one_component(const claimed *c)
{
    bool same = true;
    for (size_t i = 0; i < c->whole->parameters.count; i++)
        same = same && c->model->parameters.at[i].value == c->whole->parameters.at[i].value;
    return (same && components_find(c->whole)->count < 2) || components_find(c->model)->count < 2;
}

static void add_row(ah_model *m, arena *a, ah_expr e, model_order order)
{
    const bool place = order == MODEL_HOLONOMIC;
    const model_constraint row = {.label = "named",
                                  .left = e,
                                  .right = expr_int(m->ctx, 0),
                                  .c = e,
                                  .order = order,
                                  .linear = place || algebra_degree(m->alg, e, m->n, m->v.at) == 1,
                                  .affine = !place};
    LIST_PUSH(a, &m->constraints, row);
}

/* What holds at the states with the named values, as constraints; at rest what is left of those on velocities. */
static ah_model *named_states(const claimed *c)
{
    ah_model *m = c->model;
    arena *a = c->p.arena;
    ah_model *view = model_view(m, a);
    memset(&view->constraints, 0, sizeof view->constraints);
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *row = &m->constraints.at[i];
        const bool moves = row->order == MODEL_VELOCITY;
        if (c->rest && moves && row->linear && !row->affine) continue;
        if (c->rest && moves)
            add_row(view, a, uniform_drift(m, a, row->c), MODEL_HOLONOMIC);
        else if (row->order != MODEL_ACCELERATION)
            LIST_PUSH(a, &view->constraints, *row);
    }
    for (size_t i = 0; i < c->s->values; i++) {
        const model_value *named = &c->s->value[i];
        const ah_expr e = expr_sub(m->ctx, named->symbol, named->value);
        const ah_symbol_kind kind = expr_get_kind(m->ctx, named->symbol);
        if (kind == AH_COORDINATE) add_row(view, a, e, MODEL_HOLONOMIC);
        if (kind == AH_VELOCITY) add_row(view, a, e, MODEL_VELOCITY);
    }
    return view;
}

/* steady x' = 0 says y' = 0, too, under x' = p y', but for p = 0. */
static void doubt_named(const claimed *c, verify_claim *out)
{
    ah_model *view = named_states(c);
    arena *a = c->p.arena;
    const mat J = model_rows(view, a);
    ah_expr *e = mat_to_dense(view->ctx, a, J);
    model_put_values(view, e, (size_t) J.rows * J.cols);
    const mat valued = mat_from_dense(view->ctx, a, J.rows, J.cols, e);
    const int rank = J.rows ? algebra_rank(view->alg, valued, NULL, NULL) : 0;
    uniform_sets sets = {0};
    if (rank >= 0 && uniform_constraints(view, a, (uint32_t) rank)) return;
    const bool listed = rank >= 0 && !c->s->conditions &&
                        uniform_constraint_exceptions(view, a, (uint32_t) rank, &sets);
    out->general |= listed ? VERDICT_NAMED : VERDICT_ANYTHING;
    out->sets = sets.count;
    out->set = sets.at;
}

void claimed_of_one_component(const claimed *c, verify_claim *out)
{
    if (out->verdict != AH_VERDICT_PROVED && out->verdict != AH_VERDICT_HOLDS) return;
    if (!uniform_constraints(c->model, c->p.arena, c->model->rank))
        out->general |= c->s->conditions ? VERDICT_ANYTHING : VERDICT_RANK;
    doubt_named(c, out);
    if (c->from_start || is_one_component(c)) return;
    out->verdict = AH_VERDICT_UNKNOWN;
    out->states = 0;
    out->why = "the constraint set has several components, and only one of them was looked at";
}

frame *claimed_at(claimed *c, const frame *values, ah_expr symbol, double value)
{
    frame *start = frame_copy(c->p.arena, values);
    stability_answer a;
    const char *why;
    frame_set(start, symbol, value);
    if (!put_values(c, start)) return NULL;
    given held = {0};
    for (size_t i = 0; i < c->fixed.symbol.count; i++)
        problem_hold(&c->p, &held, c->fixed.symbol.at[i], c->fixed.value.at[i]);
    if (expr_get_kind(c->model->ctx, symbol) != AH_PARAMETER)
        problem_hold(&c->p, &held, symbol, value);
    c->p.fixed = held;
    steady_guess(c->p.flow, held.symbol.count, held.symbol.at, held.value.at, start);
    if (!stability_settle(&c->p, start, &a, &why) || !claimed_holds(c, a.values)) return NULL;
    return a.values;
}

bool claimed_holds(claimed *c, frame *values)
{
    problem p = c->p;
    p.p.values = values;
    for (uint32_t y = 0; c->p.m && y < c->p.m->count; y++) /* an ω is not part of x */
        frame_set(values, c->p.m->symbol[y], minimal_value(c->p.m, y, values));
    return problem_assumed(&p, values);
}

bool claimed_open(const statement_question *q, claimed *out, const char **why)
{
    *out = (claimed){.s = q->s, .model = view_of(q->model, q->s, false), .whole = q->model};
    out->rng = probe_seed(q->seed);
    problem *p = &out->p;
    ah_ctx *ctx = q->model->ctx;
    *why = q->model->kinematic ? problem_kinematic : NULL;
    if (q->model->kinematic) return false;
    *p = (problem){.model = out->model, .ctx = ctx, .arena = &ctx->job};
    problem_find_switches(p);
    out->rest = q->s->says == AH_SAYS_EQUILIBRIUM;
    out->from_start = q->s->values == 0 && q->s->says >= AH_SAYS_STABLE;
    p->flow = flow_create(out->model, p->arena, why);
    if (!p->flow) return false;
    p->turn = angles_find(p->flow, p->arena);
    p->random = analyse_states_create(view_of(q->model, q->s, true), p->arena);
    list_fixed(out);
    *why = "no regular admissible state was found that fits it";
    for (int i = 0; i < 10 && !p->m; i++) {
        if (!point_at_random(out->model, p->random, &out->rng, p->arena, &p->p)) return false;
        frame *values = claimed_draw(out);
        if (values) p->m = problem_chart(p, values);
        const char *pole = values && !p->m ? problem_pole_text(p, values) : NULL;
        if (pole) *why = pole;
    }
    return p->m != NULL;
}
