/* state/digits.c - exact states, and methods evaluated there in balls. */
#include "digits.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

struct digits_state {
    point *point;
    LIST(ah_expr) symbol;
    LIST(ah_expr) value;
    balls_state exact;
};

/* A double is a rational number: mantissa × 2^exponent. */
static ah_expr from_double(ah_ctx *ctx, double x)
{
    int exponent;
    const double mantissa = ldexp(frexp(x, &exponent), 53);
    return expr_mul(ctx, expr_int(ctx, (long) mantissa),
                    expr_powi(ctx, expr_int(ctx, 2), exponent - 53));
}

static void set(digits_state *s, ah_expr symbol, ah_expr value)
{
    LIST_PUSH(s->point->arena, &s->symbol, symbol);
    LIST_PUSH(s->point->arena, &s->value, value);
}

static bool is_set(const digits_state *s, ah_expr symbol)
{
    for (size_t i = 0; i < s->symbol.count; i++)
        if (s->symbol.at[i] == symbol) return true;
    return false;
}

/* As it was written, unless a projection has moved it since. */
static bool set_written(digits_state *s, ah_expr symbol)
{
    const point *p = s->point;
    const ah_expr exact = p->moved > 0 ? AH_NONE : point_get_told(p, symbol).exact;
    if (exact != AH_NONE) set(s, symbol, exact);
    return exact != AH_NONE;
}

/* The double of the point, where nothing exact is known. */
static void set_rest(digits_state *s, ah_expr symbol)
{
    if (is_set(s, symbol) || set_written(s, symbol)) return;
    set(s, symbol, from_double(s->point->ctx, point_get(s->point, symbol)));
}

/* ---- Completing ------------------------------------------------------------------------------ */

static bool all_speeds_set(const digits_state *s)
{
    const ah_model *m = s->point->model;
    for (size_t i = 0; i < m->speeds.count; i++)
        if (!is_set(s, m->speeds.at[i].symbol)) return false;
    return m->speeds.count > 0;
}

/* ψ_i(q, z, t) = v_i for the m rows in which ∂ψ/∂z is regular. */
static void solve_for_speeds(digits_state *s)
{
    point *p = s->point;
    ah_ctx *ctx = p->ctx;
    const uint32_t n = p->model->n, m = (uint32_t) p->model->speeds.count;
    const mat Psi = p->mech->chart.Psi;
    double *A = NEW_ARRAY(p->arena, double, (size_t) n *m + 1),
           *guess = NEW_ARRAY(p->arena, double, m);
    uint32_t *order = NEW_ARRAY(p->arena, uint32_t, n + 1);
    ah_expr *unknown = NEW_ARRAY(p->arena, ah_expr, m), *equation = NEW_ARRAY(p->arena, ah_expr, m);
    expr_plan_run(expr_plan_create(ctx, p->arena, mat_to_dense(ctx, p->arena, Psi), (size_t) n * m),
                  p->values, A);
    linear_row_rank(&ctx->scratch, n, m, A, order);
    for (uint32_t i = 0; i < m; i++) {
        unknown[i] = p->model->speeds.at[i].symbol;
        guess[i] = point_get(p, unknown[i]);
        equation[i] = expr_sub(ctx, p->model->psi.at[order[i]], p->model->v.at[order[i]]);
    }
    s->exact.unknowns = m;
    s->exact.unknown = unknown;
    s->exact.equation = equation;
    s->exact.guess = guess;
}

static void complete_velocities(digits_state *s)
{
    const ah_model *m = s->point->model;
    const bool speeds = all_speeds_set(s);
    for (uint32_t i = 0; i < m->n; i++) {
        if (speeds && !set_written(s, m->v.at[i]))
            set(s, m->v.at[i], m->psi.at[i]);
        else
            set_rest(s, m->v.at[i]);
    }
    if (m->speeds.count && !speeds && isfinite(point_get(s->point, m->speeds.at[0].symbol)))
        solve_for_speeds(s);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        set(s, m->quasivelocities.at[i].symbol, m->quasivelocities.at[i].definition);
}

digits_state *digits_state_create(point *p)
{
    digits_state *s = NEW(p->arena, digits_state);
    const ah_model *m = p->model;
    s->point = p;
    for (size_t i = 0; i < m->parameters.count; i++)
        set(s, m->parameters.at[i].symbol, m->parameters.at[i].value);
    if (!set_written(s, expr_time(p->ctx)) && m->t0 != AH_NONE) set(s, expr_time(p->ctx), m->t0);
    set_rest(s, expr_time(p->ctx));
    for (uint32_t i = 0; i < m->n; i++) set_rest(s, m->q.at[i]);
    for (size_t i = 0; i < m->speeds.count; i++) set_written(s, m->speeds.at[i].symbol);
    complete_velocities(s);
    s->exact.count = s->symbol.count;
    s->exact.symbol = s->symbol.at;
    s->exact.value = s->value.at;
    return s;
}

/* ---- A method -------------------------------------------------------------------------------- */

/* What the method's own velocities are: symbols, or definitions in q, v, t. */
static const ah_expr *speed_expressions(const eval_method *method, const eval_result *r,
                                        const point *p)
{
    const ah_equations *eq = method->eq;
    const uint32_t *chosen =
        eq->chart_used == QUANTITY_NONE ? NULL : run_independent(method->runner, eq->chart_used);
    ah_expr *e = NEW_ARRAY(p->arena, ah_expr, r->speeds + 1);
    for (uint32_t i = 0; i < r->speeds; i++)
        e[i] = eq->speeds_definition.rows ? mat_get(p->ctx, eq->speeds_definition, i, 0)
               : chosen                   ? p->model->v.at[chosen[i]]
                                          : mat_get(p->ctx, eq->speeds, i, 0);
    return e;
}

static const char **decimals(const balls *b, quantity x)
{
    return x == QUANTITY_NONE ? NULL : b->value[x];
}

/* ---- Stationary points ----------------------------------------------------------------------- */

/* What is solved for besides: velocity parameters. */
static balls_state with_stationary_point(const digits_state *s, const second_class_branch *b)
{
    const point *p = s->point;
    const ah_model *m = p->model;
    const size_t before = s->exact.unknowns, n = m->n, r = m->constraints.count;
    const size_t count = before + n + r;
    ah_expr *unknown = NEW_ARRAY(p->arena, ah_expr, count);
    ah_expr *equation = NEW_ARRAY(p->arena, ah_expr, count);
    double *guess = NEW_ARRAY(p->arena, double, count);
    for (size_t i = 0; i < count; i++) {
        const size_t own = i - before, c = own - n;
        unknown[i] = i < before ? s->exact.unknown[i]
                     : own < n  ? m->a.at[own]
                                : model_multiplier(p->model, c, false);
        guess[i] = i < before ? s->exact.guess[i] : own < n ? b->qddot[own] : b->multipliers[c];
        if (i < before) equation[i] = s->exact.equation[i];
    }
    second_class_equations(p->model, p->arena, unknown + before + n, equation + before);
    balls_state out = s->exact;
    out.unknowns = count;
    out.unknown = unknown;
    out.equation = equation;
    out.guess = guess;
    out.shows = n + r;
    out.show = unknown + before;
    return out;
}

static bool has_multipliers(const second_class_branch *b, size_t r)
{
    for (size_t i = 0; i < r; i++)
        if (!isfinite(b->multipliers[i])) return false;
    return true;
}

static digits_result digits_of_branches(const eval_method *method, const second_class_answer *a,
                                        digits_state *s, int digits)
{
    point *p = s->point;
    digits_result out = {.refused = NULL};
    digits_branch *branch = NEW_ARRAY(p->arena, digits_branch, a->count + 1);
    for (size_t i = 0; i < a->count; i++) {
        const balls *b = NULL;
        if (has_multipliers(&a->branch[i], p->model->constraints.count)) {
            const balls_state state = with_stationary_point(s, &a->branch[i]);
            b = balls_run(p->ctx, p->arena, method->eq->sheet, NULL, 0, NULL, &state, digits);
        }
        if (!b) {
            out.refused = arena_printf(p->arena,
                                       "stationary point %zu is degenerate: %d digits of it "
                                       "cannot be had",
                                       i + 1, digits);
            return out;
        }
        branch[i] = (digits_branch){b->shown, b->shown + p->model->n, b->radius};
    }
    out.branch = branch;
    return out;
}

digits_result digits_at(const eval_method *method, const eval_result *result, digits_state *s,
                        int digits)
{
    const ah_equations *eq = method->eq;
    point *p = s->point;
    digits_result out = {.refused = result->refused};
    if (out.refused) return out;
    if (result->branches) return digits_of_branches(method, result->branches, s, digits);
    const size_t own = 4, count = own + eq->extras.count;
    quantity *wanted = NEW_ARRAY(p->arena, quantity, count);
    wanted[0] = eq->qddot;
    wanted[1] = eq->multipliers;
    wanted[2] = eq->reaction;
    wanted[3] = eq->speeds_dot;
    for (size_t i = 0; i < eq->extras.count; i++) wanted[own + i] = eq->extras.at[i].value;
    s->exact.shows = result->speeds;
    s->exact.show = speed_expressions(method, result, p);
    out.balls =
        balls_run(p->ctx, p->arena, eq->sheet, wanted, count, method->runner, &s->exact, digits);
    if (!out.balls) {
        out.refused = arena_printf(p->arena, "%d digits cannot be had at this state", digits);
        return out;
    }
    out.qddot = decimals(out.balls, eq->qddot);
    out.multipliers = decimals(out.balls, eq->multipliers);
    out.reaction = decimals(out.balls, eq->reaction);
    out.speed_dot = decimals(out.balls, eq->speeds_dot);
    out.speed = out.balls->shown;
    return out;
}
