/* model/finish.c - from the statements to the whole: T, V, F, the kinds of the constraints, and
 * whether it all makes a system. */
#include "inside.h"
#include "probe.h"

#include <math.h>
#include <string.h>

enum { STATES = 3 }; /* random states at which ranks are taken; the largest counts */

/* ---- Energies and forces --------------------------------------------------------------------- */

static void find_energies(ah_model *m)
{
    ah_ctx *ctx = m->ctx;
    arena *s = &ctx->scratch;
    expr_list T = {0}, V = {0};
    m->kinetic_given = m->potential_given = false;
    for (size_t i = 0; i < m->kinetic_terms.count; i++) {
        LIST_PUSH(s, &T, m->kinetic_terms.at[i]);
        if (!expr_is_zero(ctx, m->kinetic_terms.at[i])) m->kinetic_given = true;
    }
    for (size_t i = 0; i < m->potential_terms.count; i++) {
        LIST_PUSH(s, &V, m->potential_terms.at[i]);
        if (!expr_is_zero(ctx, m->potential_terms.at[i])) m->potential_given = true;
    }
    for (size_t i = 0; i < m->parts.count; i++) {
        ctx_tick(ctx);
        LIST_PUSH(s, &T, model_part_kinetic(ctx, &m->parts.at[i]));
        LIST_PUSH(s, &V, model_part_potential(m, &m->parts.at[i]));
    }
    m->T = expr_sum(ctx, T.count, T.at);
    m->V = expr_sum(ctx, V.count, V.at);
}

static ah_expr *column(ah_model *m, const model_entries *e)
{
    arena *a = &m->ctx->job;
    return mat_to_dense(m->ctx, a, mat_from_entries(m->ctx, a, m->n, 1, e->at, e->count));
}

static void find_forces(ah_model *m)
{
    model_entries e = {0};
    for (size_t i = 0; i < m->forces.count; i++) {
        const model_value *f = &m->forces.at[i];
        LIST_PUSH(&m->ctx->scratch, &e, ((mat_entry){model_column(m, f->symbol), 0, f->value}));
    }
    m->F_written = column(m, &e);
    for (size_t i = 0; i < m->parts.count; i++) {
        ctx_tick(m->ctx);
        model_part_forces(m, &m->parts.at[i], &e);
    }
    m->F = column(m, &e);
}

/* Where velocities are inputs nothing follows from forces: they would be taken in silence. */
static bool has_idle_forces(ah_model *m)
{
    bool any = !expr_is_zero(m->ctx, m->V);
    for (uint32_t i = 0; i < m->n && !any; i++) any = !expr_is_zero(m->ctx, m->F[i]);
    if (!m->kinematic || !any) return false;
    diag(m->ctx, A0429, m->forces.count ? m->forces.at[0].span : m->q_span.at[0],
         "the velocities are inputs, and there are forces or a potential");
    diag_hint(m->ctx, "leave them out, or give masses and write the inputs as constraints");
    return true;
}

static bool has_kinetic_energy(ah_model *m)
{
    const bool kinetic = expr_depends_kind(m->ctx, m->T, AH_VELOCITY);
    if (kinetic && m->kinematic) {
        diag(m->ctx, A0429, m->kinetic_terms.count ? m->kinetic_span : m->q_span.at[0],
             "the velocities are inputs, and there is a kinetic energy");
        diag_hint(m->ctx, "leave the masses out, or write the inputs as constraints");
        return false;
    }
    if (kinetic || m->kinematic) return true;
    if (m->kinetic_given) {
        diag(m->ctx, A0405, m->kinetic_span, "the kinetic energy has no velocities");
        diag_hint(m->ctx, "the velocity of a coordinate x is x'");
    } else {
        diag(m->ctx, A0405, m->n ? m->q_span.at[0] : NOWHERE, "there is no kinetic energy");
        diag_hint(m->ctx, "give it by `kinetic`, or by points and bodies with mass");
    }
    return false;
}

/* ---- Numbers that must have a sign ----------------------------------------------------------- */

/* -1, 0, 1 where the declared values settle it, 2 otherwise. */
static int declared_sign(ah_model *m, ah_expr e)
{
    model_put_values(m, &e, 1);
    const expr_list open = expr_symbols(m->ctx, &m->ctx->scratch, &e, 1);
    return open.count ? 2 : algebra_sign(m->alg, e);
}

/* AB - F², for k = 2: the principal minor of the inertia matrix without the row and column k; k = 3: the determinant. */
static ah_expr inertia_minor(ah_ctx *ctx, const ah_expr *I, int k)
{
    const ah_expr *off = I + 3; /* yz, zx, xy: off[i] is across from I[i] */
    if (k < 3)
        return expr_sub(ctx, expr_mul(ctx, I[(k + 1) % 3], I[(k + 2) % 3]),
                        expr_powi(ctx, off[k], 2));
    ah_expr det = expr_mul(ctx, I[0], expr_mul(ctx, I[1], I[2]));
    det = expr_add(
        ctx, det,
        expr_mul(ctx, expr_mul(ctx, expr_int(ctx, 2), off[0]), expr_mul(ctx, off[1], off[2])));
    for (int i = 0; i < 3; i++)
        det = expr_sub(ctx, det, expr_mul(ctx, I[i], expr_powi(ctx, off[i], 2)));
    return det;
}

/* A moment that is larger than the sum of the others: of masses that are nowhere else than in a plane it is the sum. Rows with a
 * zero are those of bodies that turn about one axis, where others do not count. */
static void check_moments(ah_model *m, const model_part *p)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr *I = p->inertia;
    for (int k = 0; k < 3; k++)
        if (declared_sign(m, I[k]) != 1) return;
    for (int k = 0; k < 3; k++) {
        const ah_expr rest = expr_add(ctx, I[(k + 1) % 3], I[(k + 2) % 3]);
        if (declared_sign(m, expr_sub(ctx, rest, I[k])) != -1) continue;
        diag(ctx, A0431, p->span,
             "a moment of inertia of `%s` is larger than the other two together", p->name);
        diag_hint(ctx, "no body has such moments; the equations are made with them all the same");
        return;
    }
}

/* Bodies by the thousand are alike. */
static bool has_same_inertia(const model_part *p, const model_part *q)
{
    return p->is_body == q->is_body && p->mass == q->mass &&
           !memcmp(p->inertia, q->inertia, sizeof p->inertia);
}

static void check_masses(ah_model *m)
{
    const model_part *good_one = NULL; /* with nothing to be said about it */
    for (size_t i = 0; i < m->parts.count; i++) {
        const model_part *p = &m->parts.at[i];
        bool good = true;
        ctx_tick(m->ctx);
        if (good_one && has_same_inertia(p, good_one)) continue;
        const size_t said = m->ctx->log->errors + m->ctx->log->warnings;
        if (declared_sign(m, p->mass) == -1) {
            diag(m->ctx, A0420, p->span, "the mass of `%s` is negative", p->name);
            diag_hint(m->ctx, "masses are positive, or 0 for a place without one");
        }
        for (int k = 0; k < 3; k++)
            if (declared_sign(m, p->inertia[k]) == -1) {
                diag(m->ctx, A0420, p->span, "a principal moment of inertia of `%s` is negative",
                     p->name);
                diag_hint(m->ctx, "moments are sums of masses times squares of distances");
                good = false;
            }
        for (int k = 0; k < 4 && good && p->is_body; k++)
            if (declared_sign(m, inertia_minor(m->ctx, p->inertia, k)) == -1) {
                diag(m->ctx, A0420, p->span, "the inertia matrix of `%s` has a negative moment",
                     p->name);
                diag_hint(m->ctx, "of the six numbers the last three, yz, zx, xy, are too large");
                good = false;
            }
        if (good && p->is_body) check_moments(m, p);
        if (m->ctx->log->errors + m->ctx->log->warnings == said) good_one = p;
    }
}

/* 1/0, sqrt(-1), exp(10^9): no method could do anything with it. */
static void check_values(ah_model *m)
{
    arena *s = &m->ctx->scratch;
    const size_t count = m->parameters.count;
    ah_expr *value = NEW_ARRAY(s, ah_expr, count);
    for (size_t i = 0; i < count; i++) value[i] = m->parameters.at[i].symbol;
    model_put_values(m, value, count);
    double *number = NEW_ARRAY(s, double, count);
    const frame *state = probe_values(m, s);
    expr_plan_run(expr_plan_create(m->ctx, s, value, count), state, number);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(number[i]) && !expr_depends_kind(m->ctx, value[i], AH_PARAMETER))
            diag(m->ctx, A0422, m->parameters.at[i].span,
                 "the value of `%s` is not a finite number", m->parameters.at[i].name);
}

/* The same of an input whose value is a number; one of time is seen where it is asked for. */
static void check_driven(ah_model *m)
{
    arena *s = &m->ctx->scratch;
    for (size_t i = 0; i < m->functions.count; i++) {
        ah_expr value = m->functions.at[i].input;
        double number;
        if (value == AH_NONE || expr_depends_kind(m->ctx, value, AH_LOCAL)) continue;
        model_put_values(m, &value, 1);
        if (expr_depends_kind(m->ctx, value, AH_PARAMETER)) continue;
        expr_plan_run(expr_plan_create(m->ctx, s, &value, 1), probe_values(m, s), &number);
        if (isfinite(number)) continue;
        diag(m->ctx, A0425, m->functions.at[i].span, "the value of `%s` is not a finite number",
             m->functions.at[i].name);
        diag_hint(m->ctx, "an input has a value at every time: input u = 0, or sin(t)");
    }
}

static void check_facts(ah_model *m)
{
    for (size_t i = 0; i < m->facts.count; i++) {
        const algebra_fact *f = &m->facts.at[i];
        const int sign = declared_sign(m, f->e);
        if (sign == 1 || sign == 2 || (sign == -1 && !f->positive) || (sign == 0 && f->border))
            continue;
        diag(m->ctx, A0419, m->fact_span.at[i], "with the declared values %s is %s",
             expr_text(m->ctx, &m->ctx->job, f->e, AH_ASCII), sign ? "negative" : "zero");
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void clear(void *data)
{
    arena_clear(data);
}

/* The states are made when they are asked for: in an arena of their own, for scratch is released meanwhile. */
static void check_whole(ah_model *m)
{
    if (!model_velocity_form_is_whole(m)) return;
    model_sort_constraints(m);
    arena own;
    ctx_held held;
    arena_init(&own, m->ctx);
    ctx_hold(m->ctx, &held, clear, &own);
    const probe_states states = probe_first_state(probe_create(m, &own), &own, STATES, 1);
    model_find_rank(m, &states);
    model_check_speeds(m, &states);
    model_check_quasivelocities(m, &states);
    if (!m->kinematic && (!m->speeds.count || m->ctx->log->errors <= m->errors_before))
        model_check_inertia(m, &states);
    ctx_drop(m->ctx, &held);
}

static bool has_coordinates(ah_model *m)
{
    if (m->n) return true;
    diag(m->ctx, A0404, NOWHERE, "the system has no coordinates");
    diag_hint(m->ctx, "declare them: `coordinate x, y`");
    return false;
}

/* A statement that was refused is missing here: what follows from that would only confuse. */
void model_finish(ah_model *m)
{
    ah_ctx *ctx = m->ctx;
    m->finished = false;
    m->kept.count = 0;
    if (ctx->log->errors > m->errors_before || !has_coordinates(m)) return;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    m->alg = algebra_create(ctx, m->facts.at, m->facts.count);
    find_energies(m);
    find_forces(m);
    check_values(m);
    check_driven(m);
    check_masses(m);
    check_facts(m);
    if (has_kinetic_energy(m) && !has_idle_forces(m) && ctx->log->errors <= m->errors_before)
        check_whole(m);
    m->finished = ctx->log->errors <= m->errors_before;
    arena_release(&ctx->scratch, mark);
}
