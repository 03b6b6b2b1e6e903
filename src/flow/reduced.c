/* flow/reduced.c - see reduced.h. */
#include "reduced.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

/* ---- The equations --------------------------------------------------------------------------- */

static bool depends_on_velocities(reduced *w, mat m)
{
    for (uint32_t i = 0; i < mat_entries(m); i++)
        if (expr_depends_kind(w->ctx, m.val[i], AH_VELOCITY)) return true;
    return false;
}

/* e = A v + b. */
static bool split_linear(reduced *w, mat e, mat *A, mat *b)
{
    const flow *f = w->m->flow;
    ah_expr *zero = NEW_ARRAY(w->arena, ah_expr, f->n);
    for (uint32_t i = 0; i < f->n; i++) zero[i] = expr_int(w->ctx, 0);
    *A = mat_jacobian(w->ctx, w->arena, e, f->n, f->model->v.at);
    if (depends_on_velocities(w, *A)) *A = algebra_simplify_mat(w->alg, *A);
    *b = mat_subst(w->ctx, w->arena, e, f->n, f->model->v.at, zero);
    return !depends_on_velocities(w, *A);
}

/* Constraints that are independent at the state, of places or of velocities. */
static mat independent_constraints(reduced *w, bool of_places)
{
    flow *f = w->m->flow;
    const ah_model *m = f->model;
    const uint32_t most = (uint32_t) m->constraints.count;
    uint32_t *order = NEW_ARRAY(w->arena, uint32_t, most + 1), rows = 0, next = 0;
    double *J = NEW_ARRAY(w->arena, double, (size_t) most * f->n + 1);
    ah_expr *c = NEW_ARRAY(w->arena, ah_expr, most + 1);
    flow_constraints(f, w->values);
    for (uint32_t i = 0; i < most; i++) { /* in the order of field.c */
        const model_constraint *k = &m->constraints.at[i];
        if (k->order == MODEL_ACCELERATION) continue;
        for (int level = k->order == MODEL_HOLONOMIC ? 0 : 1; level < 2; level++) {
            if (level == 1 && f->charted) continue;
            const size_t row = next++;
            if ((level == 0) != of_places) continue;
            memcpy(J + (size_t) rows * f->n, f->c_slope + row * (f->N + 1) + (of_places ? 0 : f->n),
                   f->n * sizeof *J);
            c[rows++] = of_places ? k->c : mat_get(w->ctx, f->mech->C, i, 0);
        }
    }
    const double *measured =
        linear_in_units(&w->ctx->scratch, rows, f->n, J, f->unit + (of_places ? 0 : f->n));
    const uint32_t rank = linear_row_rank(&w->ctx->scratch, rows, f->n, measured, order);
    return mat_rows(w->ctx, w->arena, mat_from_dense(w->ctx, w->arena, rows, 1, c), order, rank);
}

/* ψ from the constraints C = 0 and the definitions of the speeds. */
static bool solve_velocities(reduced *w)
{
    const minimal *m = w->m;
    const flow *f = m->flow;
    ah_ctx *ctx = w->ctx;
    arena *a = w->arena;
    if (f->charted) {
        w->psi = mat_from_dense(ctx, a, f->n, 1, f->model->psi.at);
        return true;
    }
    ah_expr *speed = NEW_ARRAY(a, ah_expr, m->speeds), *symbol = NEW_ARRAY(a, ah_expr, m->speeds);
    uint32_t next = 0;
    for (uint32_t i = 0; m->omega && i < f->model->quasivelocities.count; i++)
        if (!f->model->quasivelocities.at[i].constrained)
            speed[next++] = f->model->quasivelocities.at[i].definition;
    for (uint32_t i = 0; i < m->speeds; i++) {
        symbol[i] = m->symbol[m->coordinates + i];
        if (!m->omega) speed[i] = symbol[i];
    }
    mat J, c0, W, w0, v;
    const mat given = mat_from_dense(ctx, a, m->speeds, 1, symbol);
    if (!split_linear(w, independent_constraints(w, false), &J, &c0) ||
        !split_linear(w, mat_from_dense(ctx, a, m->speeds, 1, speed), &W, &w0))
        return false;
    bool singular;
    const mat left = mat_stack(ctx, a, J, W);
    const mat right = mat_stack(ctx, a, mat_neg(ctx, a, c0), mat_sub(ctx, a, given, w0));
    if (left.rows != f->n || !algebra_solve(w->alg, left, right, &v, &singular)) return false;
    w->psi = v;
    return true;
}

static void make_equations(reduced *w)
{
    ah_ctx *ctx = w->ctx;
    arena *a = w->arena;
    const minimal *m = w->m;
    const mechanics *k = m->flow->mech;
    const ah_expr *speeds = m->symbol + m->coordinates, *to = mat_to_dense(ctx, a, w->psi);
    const mat Psi = mat_jacobian(ctx, a, w->psi, m->speeds, speeds);
    const mat drift =
        mat_add(ctx, a, mat_mul(ctx, a, mat_jacobian(ctx, a, w->psi, k->n, k->model->q.at), w->psi),
                mat_derivative(ctx, a, w->psi, k->t));
    const mat M = mat_subst(ctx, a, mechanics_mass(k), k->n, k->model->v.at, to);
    const mat L = mat_subst(ctx, a, k->L, k->n, k->model->v.at, to);
    const mat PsiT = mat_transpose(ctx, a, Psi);
    w->Gz = mat_mul3(ctx, a, PsiT, M, Psi);
    w->E = mat_mul(ctx, a, PsiT, mat_sub(ctx, a, mat_mul(ctx, a, M, drift), L));
}

static bool find_dependents(reduced *w)
{
    const minimal *m = w->m;
    const uint32_t n = m->flow->n;
    uint32_t *list = NEW_ARRAY(w->arena, uint32_t, n);
    w->f = independent_constraints(w, true);
    for (uint32_t i = 0; i < n; i++) {
        bool own = false;
        for (uint32_t y = 0; y < m->coordinates; y++) own = own || m->place[y] == i;
        if (!own) list[w->dependents++] = i;
    }
    w->dependent = list;
    return w->dependents == w->f.rows;
}

bool reduced_create(minimal *m, arena *a, const frame *values, reduced *out)
{
    const flow *f = m->flow;
    *out = (reduced){.m = m, .ctx = f->ctx, .arena = a, .alg = f->mech->alg};
    out->values = frame_copy(a, values);
    const size_t most = 3 * (size_t) f->N + m->count + f->model->parameters.count;
    out->from = NEW_ARRAY(a, ah_expr, most);
    out->to = NEW_ARRAY(a, ah_expr, most);
    if (f->mech->second_class || !find_dependents(out) || !solve_velocities(out)) return false;
    make_equations(out);
    return true;
}

ah_expr reduced_through(const reduced *w, ah_expr e)
{
    const ah_model *m = w->m->flow->model;
    for (size_t i = 0; i < m->quasivelocities.count; i++) {
        const model_speed *o = &m->quasivelocities.at[i];
        if (!(w->m->omega && !o->constrained))
            e = expr_subst(w->ctx, e, 1, &o->symbol, &o->definition);
    }
    return expr_subst(w->ctx, e, m->n, m->v.at, mat_to_dense(w->ctx, w->arena, w->psi));
}

/* ---- The state ------------------------------------------------------------------------------- */

mat reduced_at(reduced *w, mat m)
{
    return algebra_simplify_mat(w->alg, mat_subst(w->ctx, w->arena, m, w->pairs, w->from, w->to));
}

ah_expr reduced_at1(reduced *w, ah_expr e)
{
    return algebra_simplify(w->alg, expr_subst(w->ctx, e, w->pairs, w->from, w->to));
}

void reduced_put(reduced *w, ah_expr symbol, ah_expr value)
{
    expr_subst_all(w->ctx, w->to, w->pairs, 1, &symbol, &value);
    w->from[w->pairs] = symbol;
    w->to[w->pairs++] = value;
}

double reduced_value(reduced *w, ah_expr e)
{
    double x;
    flow_define(w->m->flow->model, &e, 1);
    expr_plan_run(expr_plan_create(w->ctx, &w->ctx->scratch, &e, 1), w->values, &x);
    return x;
}

static bool is_put(const reduced *w, ah_expr symbol)
{
    for (size_t i = 0; i < w->pairs; i++)
        if (w->from[i] == symbol) return true;
    return false;
}

/* Of first degree: y = −rest/slope; `surely`: the slope never vanishes. */
static bool solve_first(reduced *w, ah_expr top, ah_expr y, bool surely)
{
    const ah_expr zero = expr_int(w->ctx, 0);
    const ah_expr slope = expr_diff(w->ctx, top, y), rest = expr_subst(w->ctx, top, 1, &y, &zero);
    if (surely) {
        const int sign = algebra_sign(w->alg, algebra_simplify(w->alg, slope));
        if (sign != 1 && sign != -1) return false;
    }
    const ah_expr value = algebra_simplify(w->alg, expr_neg(w->ctx, expr_div(w->ctx, rest, slope)));
    if (expr_depends(w->ctx, value, y)) return false;
    reduced_put(w, y, value);
    return true;
}

/* (−b ± √(b² − 4 a c))/(2 a), or ±√(−c/a). */
static void both_roots(reduced *w, const ah_expr *a, ah_expr *root)
{
    ah_ctx *ctx = w->ctx;
    const bool pure = algebra_zero(w->alg, a[1]) == AH_TRUE;
    const ah_expr b = pure ? expr_int(ctx, 0) : a[1];
    const ah_expr ac = expr_mul(ctx, a[2], a[0]), four_ac = expr_mul(ctx, expr_int(ctx, 4), ac);
    const ah_expr inside = pure ? expr_neg(ctx, expr_div(ctx, a[0], a[2]))
                                : expr_sub(ctx, expr_powi(ctx, b, 2), four_ac);
    const ah_expr below = pure ? expr_int(ctx, 1) : expr_mul(ctx, expr_int(ctx, 2), a[2]);
    const ah_expr radical = expr_call1(ctx, AH_SQRT, algebra_simplify(w->alg, inside));
    for (int k = 0; k < 2; k++) {
        const ah_expr sum = expr_sub(ctx, k ? expr_neg(ctx, radical) : radical, b);
        root[k] = algebra_simplify(w->alg, expr_div(ctx, sum, below));
    }
}

/* a y² + b y + c: the root that is next to the number. */
static bool solve_second(reduced *w, ah_expr top, ah_expr y)
{
    ah_ctx *ctx = w->ctx;
    algebra_poly p;
    ah_expr a[3] = {expr_int(ctx, 0), expr_int(ctx, 0), expr_int(ctx, 0)}, root[2];
    double number[2];
    if (!algebra_collect(w->alg, top, 1, &y, &p)) return false;
    for (size_t k = 0; k < p.terms; k++) a[p.exponent[k]] = p.coefficient[k];
    both_roots(w, a, root);
    for (int k = 0; k < 2; k++) number[k] = reduced_value(w, root[k]);
    const double here = frame_get(w->values, y);
    const int k = fabs(number[0] - here) <= fabs(number[1] - here) ? 0 : 1;
    const double unit = model_size(w->m->flow->model, y);
    if (!(fabs(number[k] - here) <= 1e-6 * (unit + fabs(here))) || expr_depends(ctx, root[k], y))
        return false;
    reduced_put(w, y, root[k]);
    return true;
}

/* Solves e = 0 for a dependent coordinate or a kept variable; `surely`: it has no other solution. */
static bool solve_for_one(reduced *w, ah_expr e, bool surely)
{
    const minimal *m = w->m;
    ah_expr top, bottom;
    if (!algebra_fraction(w->alg, e, &top, &bottom)) return false;
    for (int degree = 1; degree <= (surely ? 1 : 2); degree++)
        for (uint32_t i = 0; i < w->dependents + m->kept; i++) {
            const bool dependent = i < w->dependents;
            const ah_expr y = dependent ? m->flow->model->q.at[w->dependent[i]]
                                        : m->symbol[m->keep[i - w->dependents]];
            if (is_put(w, y) || !expr_depends(w->ctx, top, y) ||
                algebra_degree(w->alg, top, 1, &y) != degree)
                continue;
            if (degree == 1 ? solve_first(w, top, y, surely) : solve_second(w, top, y)) return true;
        }
    return false;
}

bool reduced_solve(reduced *w, mat equations)
{
    for (uint32_t tries = 0; tries <= w->m->kept + w->dependents; tries++) {
        ah_expr open = AH_NONE;
        const mat now = reduced_at(w, equations);
        for (uint32_t i = 0; i < mat_entries(now) && open == AH_NONE; i++)
            if (algebra_zero(w->alg, now.val[i]) != AH_TRUE) open = now.val[i];
        if (open == AH_NONE) return true;
        if (!solve_for_one(w, open, false)) return false;
    }
    return false;
}

bool reduced_solve_surely(reduced *w, mat equations)
{
    for (bool solved = true; solved;) {
        const mat now = reduced_at(w, equations);
        bool open = false;
        solved = false;
        for (uint32_t i = 0; i < mat_entries(now) && !solved; i++) {
            if (algebra_zero(w->alg, now.val[i]) == AH_TRUE) continue;
            open = true;
            solved = solve_for_one(w, now.val[i], true);
        }
        if (!open) return true;
    }
    return false;
}

/* ---- Slopes ---------------------------------------------------------------------------------- */

mat reduced_rates(const reduced *w)
{
    const minimal *m = w->m;
    uint32_t *places = NEW_ARRAY(w->arena, uint32_t, m->kept + 1), count = 0;
    for (uint32_t i = 0; i < m->kept; i++)
        if (m->keep[i] < m->coordinates) places[count++] = m->place[m->keep[i]];
    return mat_rows(w->ctx, w->arena, w->psi, places, count);
}

static mat slopes_by(reduced *w, mat x, uint32_t count, const ah_expr *symbol)
{
    return reduced_at(w, mat_jacobian(w->ctx, w->arena, x, count, symbol));
}

bool reduced_slopes(reduced *w, mat x, mat *out)
{
    const minimal *m = w->m;
    ah_expr *kept = NEW_ARRAY(w->arena, ah_expr, m->kept + 1);
    for (uint32_t i = 0; i < m->kept; i++) kept[i] = m->symbol[m->keep[i]];
    return reduced_slopes_by(w, x, m->kept, kept, out);
}

/* ∂q_D/∂y: f_D ∂q_D = −f_y. */
bool reduced_slopes_by(reduced *w, mat x, uint32_t count, const ah_expr *by, mat *out)
{
    const minimal *m = w->m;
    *out = slopes_by(w, x, count, by);
    if (w->dependents == 0 || count == 0) return true;
    ah_expr *q = NEW_ARRAY(w->arena, ah_expr, w->dependents);
    for (uint32_t i = 0; i < w->dependents; i++) q[i] = m->flow->model->q.at[w->dependent[i]];
    const mat f_D = slopes_by(w, w->f, w->dependents, q), f_y = slopes_by(w, w->f, count, by);
    mat follow;
    bool singular;
    if (!algebra_solve(w->alg, f_D, mat_neg(w->ctx, w->arena, f_y), &follow, &singular))
        return false;
    const mat more = mat_mul(w->ctx, w->arena, slopes_by(w, x, w->dependents, q), follow);
    *out = algebra_simplify_mat(w->alg, mat_add(w->ctx, w->arena, *out, more));
    return true;
}

bool reduced_divergence(reduced *w, ah_expr *out)
{
    const minimal *m = w->m;
    const ah_expr *speeds = m->symbol + m->coordinates;
    mat rates;
    bool singular;
    if (w->dependents ||
        !algebra_solve(w->alg, w->Gz, mat_neg(w->ctx, w->arena, w->E), &rates, &singular))
        return false;
    ah_expr sum = expr_int(w->ctx, 0);
    for (uint32_t y = 0; y < m->coordinates; y++)
        sum = expr_add(w->ctx, sum,
                       expr_diff(w->ctx, mat_get(w->ctx, w->psi, m->place[y], 0), m->symbol[y]));
    for (uint32_t i = 0; i < m->speeds; i++)
        sum = expr_add(w->ctx, sum, expr_diff(w->ctx, mat_get(w->ctx, rates, i, 0), speeds[i]));
    *out = algebra_simplify(w->alg, sum);
    return true;
}
