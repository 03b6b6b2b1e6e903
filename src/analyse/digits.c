/* analyse/digits.c - exact states, and methods evaluated there in balls. */
#include "digits.h"

#include <anholo/lang.h>

#include "../compile/linear.h"

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

/* The double of the point, where nothing exact is known. */
static void set_rest(digits_state *s, ah_expr symbol)
{
    if (!is_set(s, symbol)) set(s, symbol, from_double(s->point->ctx, point_get(s->point, symbol)));
}

/* ---- Reading again --------------------------------------------------------------------------- */

/* "name = value, …" was accepted by point_read before: nothing can be wrong with it here. */
static void read_items(digits_state *s, const char *at)
{
    point *p = s->point;
    while (*at) {
        int depth = 0;
        const char *end = at, *equals = NULL;
        for (; *end && (depth > 0 || *end != ','); end++) {
            depth += (*end == '(' || *end == '[') - (*end == ')' || *end == ']');
            if (*end == '=' && !equals) equals = end;
        }
        ah_expr symbol, value;
        if (equals &&
            ah_read_expression(p->model, "--at",
                               arena_strndup(p->arena, at, (size_t) (equals - at)),
                               &symbol) == AH_OK &&
            ah_read_expression(p->model, "--at",
                               arena_strndup(p->arena, equals + 1, (size_t) (end - equals - 1)),
                               &value) == AH_OK)
            set(s, symbol, value);
        at = *end ? end + 1 : end;
    }
}

static void read_start(digits_state *s)
{
    const ah_model *m = s->point->model;
    for (size_t i = 0; i < m->start.count; i++) set(s, m->start.at[i].symbol, m->start.at[i].value);
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
        if (speeds && !is_set(s, m->v.at[i]))
            set(s, m->v.at[i], m->psi.at[i]);
        else
            set_rest(s, m->v.at[i]);
    }
    if (m->speeds.count && !speeds && isfinite(point_get(s->point, m->speeds.at[0].symbol)))
        solve_for_speeds(s);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        set(s, m->quasivelocities.at[i].symbol, m->quasivelocities.at[i].definition);
}

digits_state *digits_state_create(point *p, const char *at)
{
    digits_state *s = NEW(p->arena, digits_state);
    const ah_model *m = p->model;
    s->point = p;
    for (size_t i = 0; i < m->parameters.count; i++)
        set(s, m->parameters.at[i].symbol, m->parameters.at[i].value);
    if (at && !(p->moved > 0))
        read_items(s, at);
    else if (!(p->moved > 0))
        read_start(s);
    if (m->t0 != AH_NONE && !is_set(s, expr_time(p->ctx))) set(s, expr_time(p->ctx), m->t0);
    set_rest(s, expr_time(p->ctx));
    for (uint32_t i = 0; i < m->n; i++) set_rest(s, m->q.at[i]);
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

digits_result digits_at(const eval_method *method, const eval_result *result, digits_state *s,
                        int digits)
{
    const ah_equations *eq = method->eq;
    point *p = s->point;
    digits_result out = {.refused = result->refused};
    if (out.refused) return out;
    if (result->branches) {
        out.refused = "its stationary points are found in double precision only";
        return out;
    }
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
