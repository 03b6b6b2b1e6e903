/* state/eval.c - numbers at one state. */
#include "eval.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What rows that follow from others may be off by, relative to their terms, and to those of all. */
#define CONTRADICTION 1e-4
#define ROUND_OFF     1e-9

static const char *refusal(ah_model *m, const char *why, const char *instead)
{
    if (!instead) return why;
    return arena_printf(&m->ctx->job, "%s; `%s` applies", why, instead);
}

static eval_method prepare(ah_model *m, const formalism *f, const derive_options *options,
                           quantity more, arena *a)
{
    eval_method out = {.method = f};
    const char *why = NULL, *instead = NULL;
    out.eq = derive_equations(m, f, options, &why, &instead);
    if (!out.eq) {
        out.refused = refusal(m, why, instead);
        return out;
    }
    const ah_equations *eq = out.eq;
    const size_t own = 6, count = own + eq->extras.count;
    quantity *wanted = NEW_ARRAY(a, quantity, count);
    wanted[0] = eq->qddot;
    wanted[1] = eq->multipliers;
    wanted[2] = eq->reaction;
    wanted[3] = eq->speeds_dot;
    wanted[4] = eq->chart_used;
    wanted[5] = more;
    for (size_t i = 0; i < eq->extras.count; i++) wanted[own + i] = eq->extras.at[i].value;
    out.runner = run_create(m->ctx, a, eq->sheet, wanted, count);
    return out;
}

eval_method eval_prepare(ah_model *m, const formalism *f, const derive_options *options, arena *a)
{
    return prepare(m, f, options, QUANTITY_NONE, a);
}

eval_method eval_prepare_with(ah_model *m, const formalism *f, quantity more, arena *a)
{
    return prepare(m, f, NULL, more, a);
}

eval_method eval_prepare_reactions(ah_model *m, const eval_method *equations, arena *a)
{
    const formalism *f = derive_find("multipliers");
    if (equations->method != f || equations->refused) return eval_prepare(m, f, NULL, a);
    eval_method out = *equations;
    out.runner = run_beside(a, equations->runner);
    return out;
}

static const double *values_of(const eval_method *method, quantity x)
{
    return x == QUANTITY_NONE ? NULL : run_get(method->runner, x);
}

/* The names of the method's own velocities, their values and derivatives. */
static void fill_speeds(const eval_method *method, point *p, eval_result *out)
{
    const ah_equations *eq = method->eq;
    arena *a = p->arena;
    if (eq->speeds_dot == QUANTITY_NONE) return;
    out->speeds = eq->speeds.rows;
    out->speed_dot = values_of(method, eq->speeds_dot);
    double *value = NEW_ARRAY(a, double, out->speeds + 1);
    out->speed_name = NEW_ARRAY(a, const char *, out->speeds + 1);
    const uint32_t *chosen = NULL; /* a local chart may have exchanged its independent velocities */
    if (eq->chart_used != QUANTITY_NONE) chosen = run_independent(method->runner, eq->chart_used);
    for (uint32_t i = 0; i < out->speeds; i++) {
        const ah_expr s = chosen ? p->model->v.at[chosen[i]] : mat_get(p->ctx, eq->speeds, i, 0);
        out->speed_name[i] = expr_text(p->ctx, a, s, AH_ASCII);
        value[i] = eq->speeds_definition.rows
                       ? point_eval(p, mat_get(p->ctx, eq->speeds_definition, i, 0))
                       : point_get(p, s);
    }
    out->speed = value;
}

static bool all_finite(const double *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* What is not a number is called so, whatever came of it later. */
static eval_result refuse_state(eval_result out, point *p, const char *what)
{
    const char *undefined = point_undefined(p);
    out.singular = true;
    out.undefined = undefined != NULL;
    out.refused = undefined ? undefined : what;
    return out;
}

/* J a + γ = 0 in all rows, where some are to follow from others? A row that is nothing but round-off
 * says nothing. */
static bool rows_hold(point *p, const double *a)
{
    const mechanics *k = p->mech;
    if (k->r <= k->rank || k->second_class_nonlinear) return true;
    arena *s = &p->ctx->scratch;
    const arena_mark mark = arena_get_mark(s);
    const size_t entries = (size_t) k->r * k->n;
    double *J = NEW_ARRAY(s, double, entries + 1), *gamma = NEW_ARRAY(s, double, k->r);
    double *size = NEW_ARRAY(s, double, k->r), largest = 1;
    const ah_expr *row = mat_to_dense(p->ctx, s, k->J), *rest = mat_to_dense(p->ctx, s, k->gamma);
    expr_plan_run(expr_plan_create(p->ctx, s, row, entries), p->values, J);
    expr_plan_run_scaled(expr_plan_create(p->ctx, s, rest, k->r), p->values, gamma, size);
    for (uint32_t i = 0; i < k->r; i++) {
        for (uint32_t j = 0; j < k->n; j++) {
            gamma[i] += J[i * k->n + j] * a[j];
            size[i] += fabs(J[i * k->n + j] * a[j]);
        }
        largest = fmax(largest, size[i]);
    }
    bool hold = true;
    for (uint32_t i = 0; i < k->r; i++)
        hold = hold && fabs(gamma[i]) <= fmax(CONTRADICTION * size[i], ROUND_OFF * largest);
    arena_release(s, mark);
    return hold;
}

bool eval_has_speeds(const eval_method *method, const point *p)
{
    return !method->eq || !method->eq->uses_given_chart || !p->model->speeds.count ||
           !isnan(point_get(p, p->model->speeds.at[0].symbol));
}

/* A method may lose in its own variables what the equations with multipliers tell: rows whose entries are far from the masses'. */
static bool is_regular(point *p)
{
    const mechanics *k = p->mech;
    if (!k->r || k->r != k->rank || k->second_class_nonlinear) return false;
    arena *s = &p->ctx->scratch;
    const arena_mark mark = arena_get_mark(s);
    const size_t n = k->n;
    double *M = NEW_ARRAY(s, double, n *n), *J = NEW_ARRAY(s, double, k->r *n);
    const ah_expr *mass = mat_to_dense(p->ctx, s, mechanics_mass(p->mech));
    expr_plan_run(expr_plan_create(p->ctx, s, mass, n * n), p->values, M);
    expr_plan_run(expr_plan_create(p->ctx, s, mat_to_dense(p->ctx, s, k->J), k->r * n), p->values,
                  J);
    const bool regular = run_is_regular(s, k->n, k->r, M, J);
    arena_release(s, mark);
    return regular;
}

/* Why a method has no numbers at the state. */
static const char *failure_text(const eval_method *method, point *p, const run_failure *f)
{
    const char *lower = point_elsewhere(p);
    if (lower) return lower;
    if (strcmp(method->method->name, "multipliers") && is_regular(p))
        return arena_printf(p->arena,
                            "in this method's variables %s in double precision (rank %u, expected "
                            "%u), though the state is regular; `multipliers` applies",
                            f->what, f->rank, f->expected);
    return arena_printf(p->arena, "%s (rank %u, expected %u) at this state", f->what, f->rank,
                        f->expected);
}

static eval_result eval_with(const eval_method *method, point *p)
{
    eval_result out = {.method = method->method,
                       .refused = method->refused,
                       .eq = method->eq,
                       .runner = method->runner,
                       .multipliers_unique = true,
                       .rcond = 1};
    if (out.refused) return out;
    const ah_equations *eq = method->eq;
    if (eq->branches) {
        second_class_answer *answer = NEW(p->arena, second_class_answer);
        const char *why = NULL;
        if (second_class_solve(p->model, p->values, p->arena, answer, &why))
            out.branches = answer;
        else
            return refuse_state(out, p, arena_printf(p->arena, "%s at this state", why));
        return out;
    }
    if (!eval_has_speeds(method, p))
        return refuse_state(out, p, "no velocity parameters give these velocities at this state");
    run_failure failure;
    if (!run_at(method->runner, p->values, &failure))
        return refuse_state(out, p, failure_text(method, p, &failure));
    out.qddot = values_of(method, eq->qddot);
    if (!all_finite(out.qddot, p->model->n))
        return refuse_state(out, p, "the accelerations do not exist at this state");
    if (!rows_hold(p, out.qddot))
        return refuse_state(out, p, "the constraints contradict at this state");
    out.multipliers = values_of(method, eq->multipliers);
    out.reaction = values_of(method, eq->reaction);
    out.multipliers_unique = !run_redundant(method->runner);
    out.rcond = run_reciprocal_condition(method->runner);
    fill_speeds(method, p, &out);
    return out;
}

/* ---- Redundant constraints ------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
    return (x > y) - (x < y);
}

/* Of the redundant constraints a set that is independent at the point; NULL: there is none. */
static const uint32_t *rows_at(point *p)
{
    const mechanics *k = p->mech;
    arena *s = &p->ctx->scratch;
    uint32_t *rows = NEW_ARRAY(&p->ctx->job, uint32_t, k->r + 1);
    const arena_mark mark = arena_get_mark(s);
    double *J = NEW_ARRAY(s, double, (size_t) k->r * k->n + 1);
    expr_plan_run(expr_plan_create(p->ctx, s, mat_to_dense(p->ctx, s, k->J), (size_t) k->r * k->n),
                  p->values, J);
    const uint32_t rank =
        linear_row_rank(s, k->r, k->n, linear_in_units(s, k->r, k->n, J, k->unit), rows);
    arena_release(s, mark);
    if (rank < k->rank) return NULL;
    qsort(rows, k->rank, sizeof *rows, ascending);
    return rows;
}

bool eval_choose_rows(const eval_method *method, point *p, eval_method *out)
{
    if (!method->eq || !method->eq->takes_rows) return false;
    derive_options options = method->eq->options;
    options.rows = rows_at(p);
    if (!options.rows) return false;
    *out = eval_prepare(p->model, method->method, &options, p->arena);
    return !out->refused;
}

eval_result eval_at(const eval_method *method, point *p)
{
    eval_result out = eval_with(method, p);
    eval_method other;
    if (out.undefined || (!out.singular && out.rcond > EVAL_BAD_ROWS)) return out;
    if (!eval_choose_rows(method, p, &other)) return out;
    const eval_result second = eval_with(&other, p);
    return second.refused || (!out.singular && second.rcond < out.rcond) ? out : second;
}
