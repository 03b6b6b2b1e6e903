/* model/speeds.c - velocity parameters and quasi-velocities against the constraints. */
#include "inside.h"
#include "probe.h"

#include <math.h>
#include <string.h>

/* A residual at an admissible state, as a share of its terms, that counts as zero. The coordinates
 * lie on the holonomic constraints to 1e-14 only. */
#define VANISHES 1e-9

mat model_psi_matrix(ah_model *m, arena *a)
{
    ah_expr *z = NEW_ARRAY(a, ah_expr, m->speeds.count);
    for (size_t i = 0; i < m->speeds.count; i++) z[i] = m->speeds.at[i].symbol;
    const mat psi = mat_from_dense(m->ctx, a, m->n, 1, m->psi.at);
    return mat_jacobian(m->ctx, a, psi, m->speeds.count, z);
}

/* ---- Admissible states decide ---------------------------------------------------------------- */

/* Which of the expressions vanish at all the states (those where they are finite). */
static bool *vanishing(ah_model *m, arena *a, const probe_states *states, const ah_expr *e,
                       size_t count)
{
    ah_expr *roots = NEW_ARRAY(a, ah_expr, count);
    for (size_t i = 0; i < count; i++) roots[i] = e[i];
    model_put_values(m, roots, count);
    model_put_samples(m, roots, count);
    const expr_plan *plan = expr_plan_create(m->ctx, a, roots, count);
    double *out = NEW_ARRAY(a, double, count), *scale = NEW_ARRAY(a, double, count);
    bool *zero = NEW_ARRAY(a, bool, count);
    for (size_t i = 0; i < count; i++) zero[i] = true;
    const frame *state;
    for (size_t k = 0; (state = probe_state(states, k)); k++) {
        expr_plan_run_scaled(plan, state, out, scale);
        for (size_t i = 0; i < count; i++)
            if (fabs(out[i]) > VANISHES * fmax(1, scale[i])) zero[i] = false;
    }
    return zero;
}

static bool has_rank(ah_model *m, arena *a, const probe_states *states, mat x, uint32_t rank)
{
    probe_matrix p = probe_matrix_create(m, a, x);
    bool looked = false;
    const frame *state;
    for (size_t k = 0; (state = probe_state(states, k)); k++) {
        if (!probe_matrix_run(&p, state)) continue;
        if (probe_matrix_rank(m->ctx, &p, NULL) == rank) return true;
        looked = true;
    }
    return !looked;
}

/* ---- Velocity parameters --------------------------------------------------------------------- */

bool model_velocity_form_is_whole(ah_model *m)
{
    bool whole = true;
    if (m->psi.count && !m->speeds.count) {
        diag(m->ctx, A0412, NOWHERE, "a velocity form without velocity parameters");
        return false;
    }
    for (uint32_t i = 0; i < m->n && m->speeds.count; i++) {
        if (i < m->psi.count && m->psi.at[i] != AH_NONE) continue;
        diag(m->ctx, A0410, m->speeds.at[0].span, "the velocity form does not give `%s'`",
             expr_get_name(m->ctx, m->q.at[i]));
        diag_hint(m->ctx, "it gives the velocity of every coordinate: add %s' = …",
                  expr_get_name(m->ctx, m->q.at[i]));
        whole = false;
    }
    return whole;
}

/* Each constraint with ψ in place of the velocities: must vanish for all z, and for all q on the
 * holonomic ones. */
static void agree_with_constraints(ah_model *m, arena *a, const probe_states *states)
{
    ah_ctx *ctx = m->ctx;
    const size_t count = m->constraints.count;
    ah_expr *e = NEW_ARRAY(a, ah_expr, count);
    bool holonomic = false, *good;
    for (size_t i = 0; i < count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        holonomic = holonomic || c->order == MODEL_HOLONOMIC;
        e[i] = c->order == MODEL_HOLONOMIC ? expr_dt(ctx, c->c) : c->c;
        if (c->order == MODEL_ACCELERATION) e[i] = expr_int(ctx, 0);
    }
    expr_subst_all(ctx, e, count, m->n, m->v.at, m->psi.at);
    if (holonomic && !states->admissible) return;
    if (holonomic) {
        good = vanishing(m, a, states, e, count);
    } else {
        good = NEW_ARRAY(a, bool, count);
        probe_zeros(probe_create(m, a), e, count, good);
    }
    for (size_t i = 0; i < count; i++) {
        if (good[i]) continue;
        diag(ctx, A0411, m->constraints.at[i].span,
             "the velocity form does not satisfy the constraint `%s`", m->constraints.at[i].label);
        diag_note(ctx, m->speeds.at[0].span, "with it the constraint reads %s = 0",
                  expr_text(ctx, &ctx->job, algebra_simplify(m->alg, e[i]), AH_ASCII));
        diag_hint(ctx, "change one of them, or leave the constraint out: the form implies its own");
    }
}

void model_check_speeds(ah_model *m, const probe_states *states)
{
    arena *a = &m->ctx->scratch;
    if (!m->speeds.count) return;
    const arena_mark mark = arena_get_mark(a);
    const uint32_t count = (uint32_t) m->speeds.count, free = m->n - m->rank;
    const size_t errors = m->ctx->log->errors;
    agree_with_constraints(m, a, states);
    if (m->ctx->log->errors == errors && count != free) {
        diag(m->ctx, A0412, m->speeds.at[0].span,
             "%u velocity parameters, but the constraints leave %u velocities free", count, free);
        diag_note(m->ctx, NOWHERE, "%u coordinates, %u independent constraints on velocities", m->n,
                  m->rank);
    } else if (!has_rank(m, a, states, model_psi_matrix(m, a), count)) {
        diag(m->ctx, A0413, m->speeds.at[0].span, "the velocity parameters are not independent");
        diag_note(m->ctx, NOWHERE, "different values of them give the same velocities");
        diag_hint(m->ctx, "each must move something that the others do not");
    }
    arena_release(a, mark);
}

/* ---- What the velocity form leaves out ---------------------------------------------------------
 *
 * x' = cosh(a), y' = sinh(a) satisfies x'² − y'² = 1 and gives the half of it on which x' > 0; x' = max(y, 0) a gives x' = 0 alone
 * where y < 0. A form that is linear in its parameters, beside constraints that are linear in the velocities, gives all velocities
 * where Ψ keeps its rank. Of functions with one value at each complex argument (no roots, logarithms, angles or |…|) that is a dense
 * set of places, and what is continuous there is so everywhere. */

static bool any_depends(ah_ctx *ctx, mat x, ah_symbol_kind kind)
{
    for (uint32_t i = 0; i < mat_entries(x); i++)
        if (expr_depends_kind(ctx, x.val[i], kind)) return true;
    return false;
}

static bool has_one_value(ah_ctx *ctx, const ah_expr *e, size_t count)
{
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, e, count);
    for (size_t i = 0; i < nodes.count; i++) {
        const expr_op op = expr_get_op(ctx, nodes.at[i]);
        long power;
        if (expr_is_fixed(ctx, nodes.at[i])) continue;
        if (op == EXPR_POWER && !expr_is_int(ctx, expr_get_children(ctx, nodes.at[i])[1], &power))
            return false;
        if (op != EXPR_CALL) continue;
        switch (expr_get_function(ctx, nodes.at[i])) {
        case AH_SIN:
        case AH_COS:
        case AH_TAN:
        case AH_SINH:
        case AH_COSH:
        case AH_TANH:
        case AH_EXP: break;
        default: return false;
        }
    }
    return true;
}

bool model_jumps(ah_ctx *ctx, const ah_expr *e, size_t count)
{
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, e, count);
    for (size_t i = 0; i < nodes.count; i++) {
        if (expr_get_op(ctx, nodes.at[i]) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(ctx, nodes.at[i]);
        if (f == AH_SIGN || f == AH_ATAN2) return true;
    }
    return false;
}

/* Ψ exists everywhere, and det ΨᵀΨ never vanishes. */
static bool keeps_rank(ah_model *m, arena *a, mat Psi)
{
    const size_t count = (size_t) Psi.rows * Psi.cols;
    ah_expr det, top, below, *e = NEW_ARRAY(a, ah_expr, count);
    for (size_t i = 0; i < count; i++)
        e[i] = mat_get(m->ctx, Psi, (uint32_t) i / Psi.cols, (uint32_t) i % Psi.cols);
    model_put_values(m, e, count);
    for (size_t i = 0; i < count; i++)
        if (!algebra_fraction(m->alg, e[i], &top, &below) || !algebra_never_zero(m->alg, below))
            return false;
    Psi = mat_from_dense(m->ctx, a, Psi.rows, Psi.cols, e);
    const mat square = mat_mul(m->ctx, a, mat_transpose(m->ctx, a, Psi), Psi);
    return algebra_det(m->alg, square, &det) && algebra_never_zero(m->alg, det);
}

static bool system_jumps(ah_model *m)
{
    bool jumps = model_jumps(m->ctx, (ah_expr[]){m->T, m->V}, 2) || model_jumps(m->ctx, m->F, m->n);
    for (size_t i = 0; i < m->constraints.count && !jumps; i++)
        jumps = model_jumps(m->ctx, &m->constraints.at[i].c, 1);
    return jumps;
}

static bool may_leave_some(ah_model *m, bool jumps)
{
    arena *a = &m->ctx->job;
    if (!m->speeds.count || !m->constraints.count || m->kinematic) return false;
    for (size_t i = 0; i < m->facts.count; i++) /* states are those of the form */
        if (expr_depends_kind(m->ctx, m->facts.at[i].e, AH_SPEED)) return false;
    const mat Psi = model_psi_matrix(m, a);
    if (any_depends(m->ctx, model_rows(m, a), AH_VELOCITY) || any_depends(m->ctx, Psi, AH_SPEED))
        return true;
    if (has_one_value(m->ctx, Psi.val, mat_entries(Psi)) && !jumps && !system_jumps(m))
        return false;
    return !keeps_rank(m, a, Psi);
}

static ah_model *without_form(ah_model *m, arena *a)
{
    ah_model *view = model_view(m, a);
    memset(&view->speeds, 0, sizeof view->speeds);
    memset(&view->psi, 0, sizeof view->psi);
    memset(&view->start, 0, sizeof view->start); /* it may tell parameters of the form */
    memset(&view->needs, 0, sizeof view->needs);
    for (size_t i = 0; i < m->needs.count; i++) {
        const model_need n = m->needs.at[i];
        if (!expr_depends_kind(m->ctx, n.a, AH_SPEED) &&
            (n.b == AH_NONE || !expr_depends_kind(m->ctx, n.b, AH_SPEED)))
            LIST_PUSH(a, &view->needs, n);
    }
    return view;
}

ah_model *model_of_all_velocities(ah_model *m, bool jumps)
{
    static const char key[2];
    ah_model *all = *model_kept(m, &key[jumps]);
    if (all) return all;
    all = may_leave_some(m, jumps) ? without_form(m, &m->ctx->job) : m;
    return *model_kept(m, &key[jumps]) = all;
}

/* ---- Quasi-velocities ------------------------------------------------------------------------ */

static ah_expr *definitions(ah_model *m, arena *a)
{
    ah_expr *omega = NEW_ARRAY(a, ah_expr, m->quasivelocities.count);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        omega[i] = m->quasivelocities.at[i].definition;
    return omega;
}

/* Of n quasi-velocities those that vanish on the constraints; must be as many as there are
 * constraints. */
static bool find_constrained(ah_model *m, arena *a, const probe_states *states)
{
    const size_t count = m->quasivelocities.count;
    const bool *zero = vanishing(m, a, states, definitions(m, a), count);
    uint32_t found = 0;
    for (size_t i = 0; i < count; i++) {
        m->quasivelocities.at[i].constrained = m->rank > 0 && zero[i];
        found += m->quasivelocities.at[i].constrained;
    }
    if (found == m->rank) return true;
    diag(m->ctx, A0414, m->quasivelocities.at[0].span,
         "of %u quasi-velocities %u must vanish on the constraints, but %u do", m->n, m->rank,
         found);
    diag_hint(m->ctx, "give only the %u free ones, or those that state the constraints too",
              m->n - m->rank);
    return false;
}

/* ∂ω/∂v together with the rows of the constraints that no ω states. Where the constraints are products the
 * states may all lie on a component on which fewer rows are independent: nothing is told there. */
static bool are_independent(ah_model *m, arena *a, const probe_states *states)
{
    const uint32_t count = (uint32_t) m->quasivelocities.count;
    const mat omega = mat_from_dense(m->ctx, a, count, 1, definitions(m, a));
    mat rows = mat_jacobian(m->ctx, a, omega, m->n, m->v.at);
    if (count < m->n) {
        const mat J = model_rows(m, a);
        uint32_t *low = NEW_ARRAY(a, uint32_t, J.rows), kept = 0;
        for (uint32_t i = 0; i < J.rows; i++)
            if (m->constraints.at[i].order != MODEL_ACCELERATION) low[kept++] = i;
        const mat C = mat_rows(m->ctx, a, J, low, kept);
        if (m->rank && !has_rank(m, a, states, C, m->rank)) return true;
        rows = mat_stack(m->ctx, a, rows, C);
    }
    return has_rank(m, a, states, rows, m->n);
}

void model_check_quasivelocities(ah_model *m, const probe_states *states)
{
    ah_ctx *ctx = m->ctx;
    const uint32_t count = (uint32_t) m->quasivelocities.count, free = m->n - m->rank;
    if (!count || !states->admissible) return;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const ah_span span = m->quasivelocities.at[0].span;
    if (count != m->n && count != free) {
        diag(ctx, A0414, span, "%u quasi-velocities for %u coordinates and %u constraints", count,
             m->n, m->rank);
        if (m->rank)
            diag_hint(ctx, "there must be %u (the free ones) or %u of them", free, m->n);
        else
            diag_hint(ctx, "there must be %u of them", m->n);
    } else if ((count < m->n || find_constrained(m, &ctx->scratch, states)) &&
               !are_independent(m, &ctx->scratch, states)) {
        diag(ctx, A0415, span, "the quasi-velocities are not independent");
        diag_note(ctx, NOWHERE, "the velocities do not follow from them%s",
                  m->rank ? " and the constraints" : "");
    }
    arena_release(&ctx->scratch, mark);
}

/* ---- Through the velocities ------------------------------------------------------------------ */

/* z = (ΨᵀΨ)⁻¹ Ψᵀ (v − ψ(q, 0, t)), where ψ = Ψ z + ψ(q, 0, t): true of all velocities that the form gives. */
static bool solve_speeds(ah_model *m, arena *a, mat *out)
{
    ah_ctx *ctx = m->ctx;
    const uint32_t count = (uint32_t) m->speeds.count;
    const mat Psi = model_psi_matrix(m, a), T = mat_transpose(ctx, a, Psi);
    const ah_expr zero = expr_int(ctx, 0);
    ah_expr *rest = NEW_ARRAY(a, ah_expr, m->n + 1);
    for (uint32_t i = 0; i < mat_entries(Psi); i++)
        if (expr_depends_kind(ctx, Psi.val[i], AH_SPEED)) return false;
    for (uint32_t i = 0; i < m->n; i++) {
        ah_expr e = m->psi.at[i];
        for (uint32_t k = 0; k < count; k++)
            e = expr_subst(ctx, e, 1, &m->speeds.at[k].symbol, &zero);
        rest[i] = expr_sub(ctx, m->v.at[i], e);
    }
    bool singular;
    return algebra_solve(m->alg, mat_mul(ctx, a, T, Psi),
                         mat_mul(ctx, a, T, mat_from_dense(ctx, a, m->n, 1, rest)), out, &singular);
}

bool model_put_speeds(ah_model *m, ah_expr *e, size_t count)
{
    arena *a = &m->ctx->job;
    mat z;
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || expr_depends_kind(m->ctx, e[i], AH_SPEED) ||
              expr_depends_kind(m->ctx, e[i], AH_SPEED_DOT);
    if (!any) return true;
    if (!m->speeds.count || !m->alg || !solve_speeds(m, a, &z)) return false;
    ah_expr *from = NEW_ARRAY(a, ah_expr, 2 * m->speeds.count + 1);
    ah_expr *to = NEW_ARRAY(a, ah_expr, 2 * m->speeds.count + 1);
    for (uint32_t k = 0; k < m->speeds.count; k++) {
        from[2 * k] = m->speeds.at[k].symbol;
        to[2 * k] = mat_get(m->ctx, z, k, 0);
        from[2 * k + 1] = expr_dot(m->ctx, m->speeds.at[k].symbol);
        to[2 * k + 1] = expr_dt(m->ctx, to[2 * k]);
    }
    expr_subst_all(m->ctx, e, count, 2 * m->speeds.count, from, to);
    return true;
}
