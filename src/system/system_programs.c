/* system/system_programs.c - what a system evaluates and a motion does not. */
#include "system_inside.h"

/* Derivatives of more operations than this are not made: minutes to compile. anholo/system.h says so. */
#define LARGEST_DERIVATIVES 200000

static bool is_state(const motion_code *c, ah_expr symbol)
{
    for (uint32_t i = 0; i < c->m; i++)
        if (c->second[i] == symbol) return true;
    return false;
}

/* q'' in (q, s), ψ put in: see making_lower_rhs. */
static void make_accelerations(making *w, const ah_equations *eq)
{
    const motion_code *c = w->c;
    recipe r = making_begin(w, true);
    expr_list out = {0};
    mat a;
    if (!recipe_lower(&r, eq->sheet, eq->qddot, c->psi ? c->n : 0, eq->from, eq->to, &a)) return;
    making_push(w, &out, a);
    making_end(w, &r, MOTION_ACCELERATIONS, out);
}

static void make_qdot(making *w)
{
    recipe r = making_begin(w, false);
    expr_list out = {0};
    for (uint32_t i = 0; i < w->c->n; i++) LIST_PUSH(w->p->arena, &out, w->p->model->v.at[i]);
    making_end(w, &r, MOTION_QDOT, out);
}

static void make_residuals(making *w)
{
    recipe r = making_begin(w, false);
    expr_list out = {0};
    making_push(w, &out, motion_code_holonomic(w->p));
    making_push(w, &out, w->mech->C);
    if (out.count) making_end(w, &r, MOTION_RESIDUALS, out);
}

/* ---- Outputs --------------------------------------------------------------------------------- */

bool system_has_output(making *w, const eval_method *reactions, ah_expr e)
{
    ah_ctx *ctx = w->p->ctx;
    const ah_model *m = w->p->model;
    const expr_list symbols = expr_symbols(ctx, w->p->arena, &e, 1);
    motion_derived d;
    for (size_t i = 0; i < symbols.count; i++) {
        const ah_expr x = symbols.at[i];
        const ah_symbol_kind kind = expr_get_kind(ctx, x);
        if (kind == AH_JERK || kind == AH_LOCAL || kind == AH_MULTIPLIER) return false;
        if (kind == AH_DERIVED && !motion_find_derived(w->p, x, &d)) return false;
        if (kind == AH_DERIVED && d.what != DERIVED_MASS &&
            (reactions->refused || reactions->eq->branches))
            return false;
        for (size_t k = 0; k < m->speeds.count; k++) /* z that would have to be searched for */
            if (!is_state(w->c, m->speeds.at[k].symbol) &&
                (x == m->speeds.at[k].symbol || x == expr_dot(ctx, m->speeds.at[k].symbol)))
                return false;
    }
    return true;
}

/* ω and M[i,j]: formulas in t, q, v. */
static void define_speeds(making *w, recipe *r, expr_list symbols)
{
    ah_ctx *ctx = w->p->ctx;
    const ah_model *m = w->p->model;
    motion_derived d;
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        if (!is_state(w->c, m->quasivelocities.at[i].symbol))
            recipe_define(r, m->quasivelocities.at[i].symbol, m->quasivelocities.at[i].definition);
    for (size_t i = 0; i < symbols.count; i++)
        if (expr_get_kind(ctx, symbols.at[i]) == AH_DERIVED &&
            motion_find_derived(w->p, symbols.at[i], &d) && d.what == DERIVED_MASS)
            recipe_define(r, symbols.at[i], d.formula);
}

/* q'', s', ω'. */
static bool define_rates(making *w, recipe *r, const ah_equations *eq)
{
    ah_ctx *ctx = w->p->ctx;
    const ah_model *m = w->p->model;
    const motion_code *c = w->c;
    mat a, rate;
    if (!recipe_lower(r, eq->sheet, eq->qddot, 0, NULL, NULL, &a)) return false;
    for (uint32_t i = 0; i < c->n; i++) recipe_define(r, m->a.at[i], mat_get(ctx, a, i, 0));
    if (c->psi) {
        if (!recipe_lower(r, eq->sheet, c->rate, 0, NULL, NULL, &rate)) return false;
        for (uint32_t i = 0; i < c->m; i++)
            recipe_define(r, expr_dot(ctx, c->second[i]),
                          mat_get(ctx, rate, c->row ? c->row[i] : i, 0));
    }
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        if (!is_state(c, m->quasivelocities.at[i].symbol))
            recipe_define(r, expr_dot(ctx, m->quasivelocities.at[i].symbol),
                          expr_dt(ctx, m->quasivelocities.at[i].definition));
    return true;
}

static bool define_reactions(making *w, recipe *r, const eval_method *by, expr_list symbols)
{
    ah_ctx *ctx = w->p->ctx;
    mat value[2];
    const quantity from[2] = {by->eq->multipliers, by->eq->reaction};
    for (int k = 0; k < 2; k++)
        if (from[k] == QUANTITY_NONE ||
            !recipe_lower(r, by->eq->sheet, from[k], 0, NULL, NULL, &value[k]))
            return false;
    for (size_t i = 0; i < symbols.count; i++) {
        motion_derived d;
        if (expr_get_kind(ctx, symbols.at[i]) == AH_DERIVED &&
            motion_find_derived(w->p, symbols.at[i], &d) && d.what != DERIVED_MASS)
            recipe_define(r, symbols.at[i],
                          mat_get(ctx, value[d.what == DERIVED_REACTION], d.index, 0));
    }
    return true;
}

static bool any_kind(making *w, expr_list symbols, ah_symbol_kind kind, bool mass)
{
    motion_derived d;
    for (size_t i = 0; i < symbols.count; i++)
        if (expr_get_kind(w->p->ctx, symbols.at[i]) == kind &&
            (kind != AH_DERIVED ||
             (motion_find_derived(w->p, symbols.at[i], &d) && (d.what == DERIVED_MASS) == mass)))
            return true;
    return false;
}

/* Formulas of all that a state determines. */
static void make_formulas(making *w, const eval_method *method, const eval_method *reactions,
                          expr_list outputs, motion_program which)
{
    recipe r = making_begin(w, false);
    const expr_list symbols = expr_symbols(w->p->ctx, w->p->arena, outputs.at, outputs.count);
    const bool rates =
        any_kind(w, symbols, AH_ACCELERATION, false) || any_kind(w, symbols, AH_SPEED_DOT, false);
    if (!outputs.count) return;
    define_speeds(w, &r, symbols);
    if (rates && !define_rates(w, &r, method->eq)) return;
    if (any_kind(w, symbols, AH_DERIVED, false) && !define_reactions(w, &r, reactions, symbols))
        return;
    making_end(w, &r, which, outputs);
}

/* e with sign(e) for the sides that stand in it. */
static expr_list unfixed(making *w)
{
    const ah_model *m = w->p->model;
    ah_ctx *ctx = w->p->ctx;
    expr_list side = {0}, sign = {0}, out = {0};
    for (size_t i = 0; i < m->switches.count; i++) {
        const ah_expr e = expr_subst(ctx, m->switches.at[i].e, side.count, side.at, sign.at);
        LIST_PUSH(w->p->arena, &out, e);
        LIST_PUSH(w->p->arena, &side, m->switches.at[i].side);
        LIST_PUSH(w->p->arena, &sign, expr_call1(ctx, AH_SIGN, e));
    }
    return out;
}

static expr_list kinks(point *p)
{
    const denominators *d = denominators_create(p);
    expr_list out = {0};
    for (size_t i = 0; d && i < denominators_count(d); i++)
        if (denominators_switches(d, i)) LIST_PUSH(p->arena, &out, denominators_get(d, i));
    return out;
}

/* The formulas, then the sizes of their terms. */
static expr_list sized(making *w, expr_list e)
{
    const size_t count = e.count;
    for (size_t i = 0; i < count; i++) LIST_PUSH(w->p->arena, &e, expr_terms(w->p->ctx, e.at[i]));
    return e;
}

void system_switchings(making *w, const eval_method *method, const eval_method *reactions)
{
    const ah_model *m = w->p->model;
    expr_list values = {0};
    for (size_t i = 0; i < m->switches.count; i++)
        LIST_PUSH(w->p->arena, &values, m->switches.at[i].e);
    make_formulas(w, method, reactions, sized(w, values), MOTION_SWITCHES);
    make_formulas(w, method, reactions, unfixed(w), MOTION_SIDES);
    make_formulas(w, method, reactions, m->breaks, MOTION_BREAKS);
    make_formulas(w, method, reactions, sized(w, kinks(w->p)), MOTION_KINKS);
}

/* ---- Derivatives ----------------------------------------------------------------------------- */

static void make_derivatives(making *w, const ah_equations *eq, motion_program which, size_t count,
                             const ah_expr *x)
{
    recipe r;
    expr_list f, out = {0};
    if (!count || !making_rhs(w, eq, &r, &f)) return;
    const mat column = mat_from_dense(w->p->ctx, w->p->arena, (uint32_t) f.count, 1, f.at);
    const ah_expr *dense =
        mat_to_dense(w->p->ctx, w->p->arena, recipe_jacobian(&r, column, count, x));
    for (size_t i = 0; i < f.count * count; i++) LIST_PUSH(w->p->arena, &out, dense[i]);
    making_end(w, &r, which, out);
}

void system_jacobians(making *w, const eval_method *method)
{
    const motion_code *c = w->c;
    const program *f = c->program[MOTION_RHS];
    const size_t sides = w->p->model->switches.count, parameters = c->parameters.count - sides;
    const size_t columns = 1 + c->n + c->m + parameters;
    if (!f || (double) columns * (double) program_operations(f) > LARGEST_DERIVATIVES) return;
    make_derivatives(w, method->eq, MOTION_JACOBIAN, c->n + c->m, w->inputs.at + 1);
    make_derivatives(w, method->eq, MOTION_BY_PARAMETERS, parameters, c->parameters.at);
    make_derivatives(w, method->eq, MOTION_BY_TIME, 1, w->inputs.at);
}

/* ---- Without a choice of pivots -------------------------------------------------------------- */

/* ψ_q q' + ψ_t, so that q'' = Ψ s' + drift. */
static mat drift_of(making *w)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const motion_code *c = w->c;
    const mat psi = mat_from_dense(ctx, a, c->n, 1, c->psi);
    const mat by_q = mat_jacobian(ctx, a, psi, c->n, w->p->model->q.at);
    const mat v = mat_from_dense(ctx, a, c->n, 1, w->p->model->v.at);
    return mat_add(ctx, a, mat_mul(ctx, a, by_q, v),
                   mat_jacobian(ctx, a, psi, 1, &w->inputs.at[0]));
}

/* s' of q'' = Ψ s' + drift: Ψᵀ Ψ is positive definite. */
static bool speeds_of(making *w, recipe *r, mat acceleration, mat *rate)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const motion_code *c = w->c;
    const mat Psi = mat_jacobian(ctx, a, mat_from_dense(ctx, a, c->n, 1, c->psi), c->m, c->second);
    const mat PsiT = mat_transpose(ctx, a, Psi);
    const mat rest = mat_sub(ctx, a, acceleration, drift_of(w));
    return recipe_solve(r, mat_mul(ctx, a, PsiT, Psi), mat_mul(ctx, a, PsiT, rest), rate);
}

void system_lasting(making *w, const eval_method *method, const eval_method *reactions)
{
    const motion_code *c = w->c;
    const program *f = c->program[MOTION_RHS];
    if (!f || !f->guards || reactions->refused || reactions->eq->branches) return;
    if (method->eq == reactions->eq) return;
    recipe r = making_begin(w, false);
    expr_list out = {0};
    mat a, rate;
    if (!recipe_lower(&r, reactions->eq->sheet, reactions->eq->qddot, 0, NULL, NULL, &a)) return;
    rate = a;
    if (c->psi && !speeds_of(w, &r, a, &rate)) return;
    for (uint32_t i = 0; i < c->n; i++) LIST_PUSH(w->p->arena, &out, w->p->model->v.at[i]);
    making_push(w, &out, rate);
    making_push(w, &out, a);
    making_end(w, &r, MOTION_SURE, out);
}

static void make_drive(making *w)
{
    recipe r = making_begin(w, false);
    expr_list out = {0};
    for (size_t i = 0; i < w->p->model->parameters.count; i++)
        if (w->p->model->parameters.at[i].drive != AH_NONE)
            LIST_PUSH(w->p->arena, &out, w->p->model->parameters.at[i].drive);
    if (out.count) making_end(w, &r, MOTION_DRIVE, out);
}

void system_programs(making *w, const eval_method *method, const eval_method *reactions,
                     expr_list outputs, expr_list events)
{
    make_qdot(w);
    make_accelerations(w, method->eq);
    make_residuals(w);
    make_formulas(w, method, reactions, outputs, MOTION_OUTPUTS);
    make_formulas(w, method, reactions, events, MOTION_EVENTS);
    make_drive(w);
}
