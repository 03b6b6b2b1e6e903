/* kind/consistency.c - see consistency.h.
 *
 * One question at three levels: of the equations, linear in x,
 *
 *     f(q) + f_q x = 0      (coordinates, one Newton step from anywhere)
 *     e(v) + J x = 0        (velocities, at a place on the holonomic constraints; e = f' or C)
 *     e(a) + J x = 0        (accelerations, at an admissible state; e = f'', C' or c)
 *
 * which rows depend on rows above, and does the right-hand side follow? Where it does not, at every
 * random state, the constraints contradict each other. From which v or a the step starts does not
 * matter: it moves all right-hand sides alike. From which q it starts does, but where a row is the same
 * combination of others everywhere, up to a constant: f_i = Σ w_k f_k + c. */
#include "consistency.h"

#include "../real/real.h"

#include <math.h>
#include <string.h>

/* A weight in a dependent row's combination that counts as zero. */
#define WEIGHT_ZERO 1e-7
/* A gradient counts as vanishing below this share of that at a state nearby: f² = 0 holds to
 * round-off where f is 1e-7. */
#define VANISHING 1e-4

enum {
    PLACES = 3,
    NOTES = 5 /* other constraints that a message names */
};

typedef struct level {
    ah_model *m;
    arena *arena;
    const char *of; /* "coordinates", … */
    uint32_t rows;
    const uint32_t *constraint; /* of each row */
    probe_matrix J;
    const expr_plan *rest; /* the equations themselves */
    double *rest_values, *rest_sizes;
    bool bent; /* not linear in the unknowns */
} level;

static level make_level(ah_model *m, arena *a, const char *of, const ah_expr *e,
                        const uint32_t *constraint, uint32_t rows, const expr_list *unknowns)
{
    ah_ctx *ctx = m->ctx;
    level l = {.m = m, .arena = a, .of = of, .rows = rows, .constraint = constraint};
    const mat column = mat_from_dense(ctx, a, rows, 1, e);
    l.J = probe_matrix_create(m, a, mat_jacobian(ctx, a, column, unknowns->count, unknowns->at));
    ah_expr *roots = mat_to_dense(ctx, a, column);
    model_put_values(m, roots, rows);
    model_put_samples(m, roots, rows);
    l.rest = expr_plan_create(ctx, a, roots, rows);
    l.rest_values = NEW_ARRAY(a, double, 2 * (size_t) rows);
    l.rest_sizes = l.rest_values + rows;
    return l;
}

/* ---- One state ------------------------------------------------------------------------------- */

static bool evaluate(level *l, frame *values)
{
    if (!probe_matrix_run(&l->J, values)) return false;
    expr_plan_run_scaled(l->rest, values, l->rest_values, l->rest_sizes);
    for (uint32_t i = 0; i < l->rows; i++)
        if (!isfinite(l->rest_values[i])) return false;
    return true;
}

/* What a dependent row is a combination of. */
static void find_combination(level *l, const eliminate *e, uint32_t row, consistency_row *out)
{
    uint32_t count = 0;
    double *weight = NEW_ARRAY(l->arena, double, row + 1);
    out->weight = weight;
    eliminate_weights(e, weight);
    for (uint32_t i = 0; i < row; i++) count += fabs(weight[i]) > WEIGHT_ZERO;
    uint32_t *on = NEW_ARRAY(l->arena, uint32_t, count);
    for (uint32_t i = 0; i < row; i++)
        if (fabs(weight[i]) > WEIGHT_ZERO) on[out->depends++] = l->constraint[i];
    out->on = on;
}

/* A verdict a row, with the combinations if wanted; false where something is not finite. */
static bool judge(level *l, frame *values, bool combinations, consistency_row *out, uint32_t *rank)
{
    arena *s = &l->m->ctx->scratch;
    const arena_mark mark = arena_get_mark(s);
    const bool good = evaluate(l, values);
    eliminate *e = eliminate_create(l->m->ctx, s, l->J.shape.cols);
    const double *size = good ? probe_matrix_sizes(&l->J) : NULL;
    for (uint32_t i = 0; good && i < l->rows; i++) {
        const uint32_t at = l->J.shape.start[i], count = l->J.shape.start[i + 1] - at;
        const bool noise = model_row_vanishes(l->m, &l->J, i, l->constraint[i]);
        const eliminate_verdict found =
            eliminate_add_sized(e, noise ? 0 : count, l->J.shape.col + at, l->J.value + at,
                                size + at, noise ? 0 : -l->rest_values[i], l->rest_sizes[i]);
        out[i] = (consistency_row){.verdict = found};
        if (combinations && found != ELIMINATE_INDEPENDENT) find_combination(l, e, i, &out[i]);
    }
    *rank = eliminate_rank(e);
    arena_release(s, mark);
    return good;
}

/* ---- All states ------------------------------------------------------------------------------ */

/* What row i leaves of the combination of others that it is at the best state, c = f_i − Σ w_k f_k: the same at all of them? */
static bool leaves_constant(level *l, const probe_states *states, uint32_t row,
                            const consistency_row *r)
{
    double first = 0;
    for (size_t k = 0, met = 0; k < states->count; k++) {
        if (!evaluate(l, states->at[k])) continue;
        double c = l->rest_values[row], size = l->rest_sizes[row];
        for (uint32_t i = 0; i < row; i++) {
            c -= r->weight[i] * l->rest_values[i];
            size += fabs(r->weight[i]) * l->rest_sizes[i];
        }
        if (!met++) first = c;
        if (fabs(c - first) > ELIMINATE_ZERO * size) return false;
    }
    return true;
}

static void report(level *l, uint32_t row, const consistency_row *r)
{
    ah_ctx *ctx = l->m->ctx;
    const model_constraint *c = &l->m->constraints.at[l->constraint[row]];
    if (r->depends == 1)
        diag(ctx, A0417, c->span, "the constraint `%s` contradicts `%s`", c->label,
             l->m->constraints.at[r->on[0]].label);
    else
        diag(ctx, A0417, c->span, "the constraint `%s` contradicts others", c->label);
    for (size_t k = 0; k < r->depends && k < NOTES; k++) {
        const model_constraint *other = &l->m->constraints.at[r->on[k]];
        diag_note(ctx, other->span, "`%s` is here", other->label);
    }
    diag_note(ctx, NOWHERE, "on the %s they ask for different things at every place tried", l->of);
    diag_hint(ctx, "leave one of them out, or give the bodies that they hold more freedom");
}

/* Rows that are told apart by less than doubles see: by the formulas. */
static void look_closer(level *l, consistency_row *rows, uint32_t *rank)
{
    uint32_t *first = NEW_ARRAY(l->arena, uint32_t, l->rows + 1);
    for (uint32_t i = 0, above = 0; i < l->rows; i++) {
        first[i] = i;
        if (rows[i].verdict == ELIMINATE_DEPENDENT) {
            const mat J = mat_rows(l->m->ctx, l->arena, l->J.shape, first, i + 1);
            if (model_exact_rank(l->m, l->arena, J, above, NULL) > above) {
                rows[i] = (consistency_row){.verdict = ELIMINATE_INDEPENDENT};
                ++*rank;
            }
        }
        above += rows[i].verdict == ELIMINATE_INDEPENDENT;
    }
}

/* The verdicts at the state of largest rank; a row that contradicts others at every state is
 * reported. */
static consistency_row *judge_all(level *l, const probe_states *states, uint32_t *rank)
{
    consistency_row *rows = NEW_ARRAY(l->arena, consistency_row, l->rows);
    bool *always = NEW_ARRAY(l->arena, bool, l->rows);
    frame *best = NULL;
    uint32_t here;
    *rank = 0;
    for (uint32_t i = 0; i < l->rows; i++) always[i] = true;
    for (size_t k = 0; k < states->count; k++) {
        if (!judge(l, states->at[k], false, rows, &here)) continue;
        for (uint32_t i = 0; i < l->rows; i++)
            always[i] = always[i] && rows[i].verdict == ELIMINATE_CONTRADICTORY;
        if (best && here <= *rank) continue;
        best = states->at[k];
        *rank = here;
    }
    if (best) judge(l, best, true, rows, &here);
    if (best) look_closer(l, rows, rank);
    for (uint32_t i = 0; best && i < l->rows; i++)
        if (always[i] && rows[i].depends && (!l->bent || leaves_constant(l, states, i, &rows[i])))
            report(l, i, &rows[i]);
    return rows;
}

/* The equation of a constraint on the accelerations. */
static ah_expr on_accelerations(ah_model *m, const model_constraint *c)
{
    if (c->order == MODEL_ACCELERATION) return c->c;
    const ah_expr on_velocities = c->order == MODEL_HOLONOMIC ? expr_dt(m->ctx, c->c) : c->c;
    return expr_dt(m->ctx, on_velocities);
}

consistency_row *analyse_consistency(ah_model *m, arena *a, const probe_states *states,
                                     uint32_t *rank)
{
    const uint32_t r = (uint32_t) m->constraints.count;
    ah_expr *e = NEW_ARRAY(a, ah_expr, r);
    const uint32_t *order = model_constraint_order(m, a);
    for (uint32_t i = 0; i < r; i++) e[i] = on_accelerations(m, &m->constraints.at[order[i]]);
    level l = make_level(m, a, "accelerations", e, order, r, &m->a);
    const consistency_row *found = judge_all(&l, states, rank);
    consistency_row *rows = NEW_ARRAY(a, consistency_row, r);
    for (uint32_t i = 0; i < r; i++) rows[order[i]] = found[i];
    return rows;
}

const model_constraint *consistency_follows(ah_model *m, const model_constraint *c)
{
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *other = &m->constraints.at[i];
        ah_expr both[] = {c->c, other->c};
        if (other == c || other->order > c->order) continue;
        model_put_values(m, both, 2);
        if (algebra_is_multiple(m->alg, both[0], both[1]) &&
            (other < c || !algebra_is_multiple(m->alg, both[1], both[0])))
            return other;
    }
    return NULL;
}

/* ---- Gradients that vanish ------------------------------------------------------------------- */

/* All coordinates, velocities and accelerations changed by up to a tenth of themselves. */
static void shake(ah_model *m, const frame *from, probe_rng *rng, frame *to)
{
    const expr_list *parts[] = {&m->q, &m->v, &m->a};
    frame_assign(to, from);
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < m->n; i++)
            *frame_ref(to, parts[k]->at[i]) *= 1 + probe_uniform(rng, -0.1, 0.1);
}

static double largest_in_row(const probe_matrix *x, uint32_t row)
{
    double largest = 0;
    for (uint32_t k = x->shape.start[row]; k < x->shape.start[row + 1]; k++)
        largest = fmax(largest, fabs(x->value[k]));
    return largest;
}

/* Where the gradient of a regular constraint is, a slightly changed state has one of much the same
 * size. */
void analyse_degenerate(ah_model *m, arena *a, const probe_states *states)
{
    const uint32_t r = (uint32_t) m->constraints.count;
    probe_matrix J = probe_matrix_create(m, a, model_rows(m, a));
    frame *near = probe_values(m, a);
    double *size = NEW_ARRAY(a, double, r);
    bool *regular = NEW_ARRAY(a, bool, r), *noise = NEW_ARRAY(a, bool, r);
    probe_rng rng = probe_seed(1);
    for (size_t k = 0; k < states->count; k++) {
        shake(m, states->at[k], &rng, near);
        if (!probe_matrix_run(&J, near)) return;
        for (uint32_t i = 0; i < r; i++) size[i] = largest_in_row(&J, i);
        if (!probe_matrix_run(&J, states->at[k])) return;
        for (uint32_t i = 0; i < r; i++) {
            noise[i] = noise[i] || model_row_vanishes(m, &J, i, i);
            if (largest_in_row(&J, i) >= VANISHING * size[i]) regular[i] = true;
        }
    }
    for (uint32_t i = 0; i < r; i++) {
        const model_constraint *c = &m->constraints.at[i];
        if (regular[i]) continue;
        diag(m->ctx, A0423, c->span,
             "the gradient of the constraint `%s` vanishes wherever it holds", c->label);
        const model_constraint *from = consistency_follows(m, c);
        if (from)
            diag_hint(m->ctx, "it follows from `%s`: leave it out", from->label);
        else if (noise[i])
            diag_hint(m->ctx, "if the others say all that it says, leave it out");
        else
            diag_hint(m->ctx, "write it without the square: f = 0 instead of f^2 = 0");
    }
}

/* ---- No state at all ------------------------------------------------------------------------- */

static probe_states draw_places(const ah_model *m, arena *a, probe *p,
                                bool (*draw)(probe *p, probe_rng *rng, frame *values))
{
    probe_rng rng = probe_seed(1);
    probe_states states = {.at = NEW_ARRAY(a, frame *, PLACES)};
    for (int k = 0; k < PLACES; k++) {
        frame *values = probe_values(m, a);
        if (draw(p, &rng, values)) states.at[states.count++] = values;
    }
    return states;
}

/* Holonomic constraints, from places that ignore them. */
static bool places_contradict(ah_model *m, arena *a, probe *p)
{
    const size_t count = m->constraints.count, errors = m->ctx->log->errors;
    ah_expr *e = NEW_ARRAY(a, ah_expr, count);
    uint32_t *constraint = NEW_ARRAY(a, uint32_t, count), rows = 0, rank;
    for (uint32_t i = 0; i < count; i++) {
        if (m->constraints.at[i].order != MODEL_HOLONOMIC) continue;
        constraint[rows] = i;
        e[rows++] = m->constraints.at[i].c;
    }
    level l = make_level(m, a, "coordinates", e, constraint, rows, &m->q);
    l.bent = true;
    const probe_states states = draw_places(m, a, p, probe_draw);
    judge_all(&l, &states, &rank);
    return m->ctx->log->errors > errors;
}

void consistency_hint(ah_model *m, arena *a)
{
    uint32_t *all = NEW_ARRAY(a, uint32_t, m->constraints.count);
    for (uint32_t i = 0; i < m->constraints.count; i++) all[i] = i;
    const char *hidden = hidden_place(m, a, m->constraints.count, all);
    if (hidden)
        diag_hint(m->ctx, "together they ask for %s: state it as a constraint", hidden);
    else
        diag_hint(m->ctx,
                  "where they can hold at special places only, state these places as a constraint");
}

/* Linear constraints on the velocities, at places on the holonomic ones. */
static bool velocities_contradict(ah_model *m, arena *a, probe *p)
{
    const size_t count = m->constraints.count, errors = m->ctx->log->errors;
    ah_expr *e = NEW_ARRAY(a, ah_expr, count);
    uint32_t *constraint = NEW_ARRAY(a, uint32_t, count), rows = 0, rank;
    for (uint32_t i = 0; i < count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        if (c->order == MODEL_ACCELERATION || (c->order == MODEL_VELOCITY && !c->linear)) continue;
        constraint[rows] = i;
        e[rows++] = c->order == MODEL_HOLONOMIC ? expr_dt(m->ctx, c->c) : c->c;
    }
    level l = make_level(m, a, "velocities", e, constraint, rows, &m->v);
    const probe_states states = draw_places(m, a, p, probe_place);
    judge_all(&l, &states, &rank);
    if (m->ctx->log->errors == errors) return false;
    consistency_hint(m, a);
    return true;
}

static bool assumptions_fail(ah_model *m, arena *a, probe *p)
{
    probe_rng rng = probe_seed(1);
    if (!m->facts.count || probe_draw(p, &rng, probe_values(m, a))) return false;
    diag(m->ctx, A0418, m->fact_span.at[0], "no state was found that satisfies all assumptions");
    diag_hint(m->ctx, "they contradict each other, or leave little room: a `start` among them "
                      "shows where to look");
    return true;
}

/* x² + y² + 1 = 0: no state can be found, or none that the assumptions allow. */
static bool is_impossible(ah_model *m, arena *a)
{
    expr_list list = {0};
    for (size_t i = 0; i < m->constraints.count; i++) LIST_PUSH(a, &list, m->constraints.at[i].c);
    if (!empty_prove(m, a, &list)) return false;
    diag(m->ctx, A0417, m->constraints.at[0].span, "no state satisfies the constraint%s",
         list.count > 1 ? "s" : "");
    diag_note(m->ctx, NOWHERE, "as equations they have no real solution");
    diag_hint(m->ctx, "try them one by one: `anholo check` with all but one as comments");
    return true;
}

void analyse_no_states(ah_model *m, arena *a, probe *p)
{
    if (assumptions_fail(m, a, p) || !m->constraints.count || places_contradict(m, a, p) ||
        velocities_contradict(m, a, p) || is_impossible(m, a))
        return;
    diag(m->ctx, A0418, m->constraints.at[0].span,
         "no state was found that satisfies all constraints");
    diag_hint(m->ctx, "a `start` near an admissible state, or `assume`, shows where to look");
    for (size_t i = 0; i < m->constraints.count; i++) {
        if (!m->constraints.at[i].joint) continue;
        diag_hint(m->ctx, "do the places and axes of the joints fit one another?");
        return;
    }
}
