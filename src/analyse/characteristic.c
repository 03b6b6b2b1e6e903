/* analyse/characteristic.c - see characteristic.h.
 *
 * With q' = ψ(q, s) and E = Ψᵀ(M(ψ_q ψ) − L) at v = ψ, the equations are Gz s' + E = 0. In a steady
 * motion s' = 0 and E = 0, so only the slopes of E enter:
 *
 *     δq' = ψ_y δy,      δs' = −Gz⁻¹ E_y δy.
 */
#include "characteristic.h"

#include "../compile/linear.h"

#include <math.h>
#include <string.h>

typedef struct symbolic {
    minimal *m;
    ah_ctx *ctx;
    arena *arena;
    algebra *alg;
    const double *values;
    mat psi, Gz, E; /* before the state is put in */
    ah_expr *from, *to;
    size_t pairs;
} symbolic;

/* ---- The equations ------------------------------------------------------------------------------
 */

static bool depends_on_velocities(symbolic *w, mat m)
{
    for (uint32_t i = 0; i < mat_entries(m); i++)
        if (expr_depends_kind(w->ctx, m.val[i], AH_VELOCITY)) return true;
    return false;
}

/* e = A v + b. */
static bool split_linear(symbolic *w, mat e, mat *A, mat *b)
{
    const flow *f = w->m->flow;
    ah_expr *zero = NEW_ARRAY(w->arena, ah_expr, f->n);
    for (uint32_t i = 0; i < f->n; i++) zero[i] = expr_int(w->ctx, 0);
    *A = mat_jacobian(w->ctx, w->arena, e, f->n, f->model->v.at);
    if (depends_on_velocities(w, *A)) *A = algebra_simplify_mat(w->alg, *A);
    *b = mat_subst(w->ctx, w->arena, e, f->n, f->model->v.at, zero);
    return !depends_on_velocities(w, *A);
}

/* The constraints that are independent at the state. */
static mat independent_constraints(symbolic *w)
{
    flow *f = w->m->flow;
    const uint32_t r = f->mech->r;
    uint32_t *order = NEW_ARRAY(w->arena, uint32_t, r + 1);
    double *J = NEW_ARRAY(w->arena, double, (size_t) r * f->n + 1);
    flow_constraints(f, w->values);
    for (uint32_t i = 0; i < r; i++)
        memcpy(J + (size_t) i * f->n, f->c_slope + (size_t) i * (f->N + 1) + f->n,
               f->n * sizeof *J);
    const uint32_t rank = linear_row_rank(&w->ctx->scratch, r, f->n, J, order);
    return mat_rows(w->ctx, w->arena, f->mech->C, order, rank);
}

/* ψ from the constraints C = 0 and the definitions of the speeds. */
static bool solve_velocities(symbolic *w)
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
    if (!split_linear(w, independent_constraints(w), &J, &c0) ||
        !split_linear(w, mat_from_dense(ctx, a, m->speeds, 1, speed), &W, &w0))
        return false;
    bool singular;
    const mat left = mat_stack(ctx, a, J, W);
    const mat right = mat_stack(ctx, a, mat_neg(ctx, a, c0), mat_sub(ctx, a, given, w0));
    if (left.rows != f->n || !algebra_solve(w->alg, left, right, &v, &singular)) return false;
    w->psi = v;
    return true;
}

static void make_equations(symbolic *w)
{
    ah_ctx *ctx = w->ctx;
    arena *a = w->arena;
    const minimal *m = w->m;
    const mechanics *k = m->flow->mech;
    const ah_expr *speeds = m->symbol + m->coordinates, *to = mat_to_dense(ctx, a, w->psi);
    const mat Psi = mat_jacobian(ctx, a, w->psi, m->speeds, speeds);
    const mat drift = mat_mul(ctx, a, mat_jacobian(ctx, a, w->psi, k->n, k->model->q.at), w->psi);
    const mat M = mat_subst(ctx, a, k->M, k->n, k->model->v.at, to);
    const mat L = mat_subst(ctx, a, k->L, k->n, k->model->v.at, to);
    const mat PsiT = mat_transpose(ctx, a, Psi);
    w->Gz = mat_mul3(ctx, a, PsiT, M, Psi);
    w->E = mat_mul(ctx, a, PsiT, mat_sub(ctx, a, mat_mul(ctx, a, M, drift), L));
}

/* ---- The steady state
 * ----------------------------------------------------------------------------- */

/* 0, or a multiple of π/12; AH_NONE: it stays a symbol. */
static ah_expr exact_value(symbolic *w, bool coordinate, double x)
{
    if (x == 0) return expr_int(w->ctx, 0);
    const double twelfths = 12 * x / acos(-1);
    if (!coordinate || fabs(twelfths) > 1000 || fabs(twelfths - round(twelfths)) > 1e-12)
        return AH_NONE;
    return expr_mul(w->ctx, expr_rational(w->ctx, (long) round(twelfths), 12), expr_pi(w->ctx));
}

static void put_state(symbolic *w)
{
    const minimal *m = w->m;
    w->from = NEW_ARRAY(w->arena, ah_expr, m->count);
    w->to = NEW_ARRAY(w->arena, ah_expr, m->count);
    for (uint32_t y = 0; y < m->count; y++) {
        const ah_expr value = exact_value(w, y < m->coordinates, minimal_value(m, y, w->values));
        if (value == AH_NONE) continue;
        w->from[w->pairs] = m->symbol[y];
        w->to[w->pairs++] = value;
    }
}

static mat at_state(symbolic *w, mat m)
{
    return algebra_simplify_mat(w->alg, mat_subst(w->ctx, w->arena, m, w->pairs, w->from, w->to));
}

/* Solves e = 0 for a kept symbol of first degree and puts the solution into all that was put
 * before. */
static bool solve_for_one(symbolic *w, ah_expr e)
{
    const minimal *m = w->m;
    ah_expr top, bottom;
    if (!algebra_fraction(w->alg, e, &top, &bottom)) return false;
    for (uint32_t i = 0; i < m->kept; i++) {
        const ah_expr y = m->symbol[m->keep[i]], zero = expr_int(w->ctx, 0);
        if (!expr_depends(w->ctx, top, y) || algebra_degree(w->alg, top, 1, &y) != 1) continue;
        const ah_expr slope = expr_diff(w->ctx, top, y),
                      rest = expr_subst(w->ctx, top, 1, &y, &zero);
        const ah_expr value =
            algebra_simplify(w->alg, expr_neg(w->ctx, expr_div(w->ctx, rest, slope)));
        if (expr_depends(w->ctx, value, y)) continue;
        expr_subst_all(w->ctx, w->to, w->pairs, 1, &y, &value);
        w->from[w->pairs] = y;
        w->to[w->pairs++] = value;
        return true;
    }
    return false;
}

/* Are the equations of rest identities now? */
static bool is_steady(symbolic *w, mat rates)
{
    for (uint32_t tries = 0; tries <= w->m->kept; tries++) {
        ah_expr open = AH_NONE;
        const mat now = at_state(w, rates);
        for (uint32_t i = 0; i < mat_entries(now) && open == AH_NONE; i++)
            if (algebra_zero(w->alg, now.val[i]) != AH_TRUE) open = now.val[i];
        if (open == AH_NONE) return true;
        if (!solve_for_one(w, open)) return false;
    }
    return false;
}

/* ---- The matrix
 * ------------------------------------------------------------------------------------ */

static double value_of(symbolic *w, ah_expr e)
{
    double x;
    flow_define(w->m->flow->model, &e, 1);
    expr_plan_run(expr_plan_create(w->ctx, &w->ctx->scratch, &e, 1), w->values, &x);
    return x;
}

/* Symbols and numbers are two routes to one matrix. */
static bool agrees(symbolic *w, mat B)
{
    const minimal *m = w->m;
    const arena_mark mark = arena_get_mark(&w->ctx->scratch);
    double largest = 0, worst = 0;
    for (uint32_t i = 0; i < m->kept; i++)
        for (uint32_t j = 0; j < m->kept; j++) {
            const double number = m->B[(size_t) i * m->kept + j];
            const double d = fabs(value_of(w, mat_get(w->ctx, B, i, j)) - number);
            largest = fmax(largest, fabs(number));
            worst = d >= worst ? d : isnan(d) ? INFINITY : worst;
        }
    arena_release(&w->ctx->scratch, mark);
    return worst <= CHARACTERISTIC_AGREES * largest;
}

static bool make_matrix(symbolic *w, mat *out)
{
    const minimal *m = w->m;
    ah_ctx *ctx = w->ctx;
    arena *a = w->arena;
    ah_expr *kept = NEW_ARRAY(a, ah_expr, m->kept);
    uint32_t *places = NEW_ARRAY(a, uint32_t, m->kept), coordinates = 0;
    for (uint32_t i = 0; i < m->kept; i++) {
        kept[i] = m->symbol[m->keep[i]];
        if (m->keep[i] < m->coordinates) places[coordinates++] = m->place[m->keep[i]];
    }
    const mat rates = mat_rows(ctx, a, w->psi, places, coordinates);
    put_state(w);
    if (!is_steady(w, mat_stack(ctx, a, rates, w->E))) return false;
    const mat top = at_state(w, mat_jacobian(ctx, a, rates, m->kept, kept));
    const mat E_y = at_state(w, mat_jacobian(ctx, a, w->E, m->kept, kept));
    mat bottom;
    bool singular;
    if (!algebra_solve(w->alg, at_state(w, w->Gz), mat_neg(ctx, a, E_y), &bottom, &singular))
        return false;
    *out = algebra_simplify_mat(w->alg, mat_stack(ctx, a, top, bottom));
    return agrees(w, *out);
}

/* ---- The polynomial
 * -------------------------------------------------------------------------------- */

ah_expr characteristic_lambda(ah_ctx *ctx)
{
    return expr_symbol(ctx, AH_LOCAL, "lambda");
}

static bool make_polynomial(symbolic *w, characteristic *c)
{
    ah_ctx *ctx = w->ctx;
    const uint32_t n = w->m->kept;
    c->lambda = characteristic_lambda(ctx);
    const mat unit = mat_identity(ctx, w->arena, n);
    const mat matrix = mat_sub(ctx, w->arena, mat_scale(ctx, w->arena, c->lambda, unit), c->B);
    ah_expr det;
    algebra_poly p;
    if (!algebra_det(w->alg, matrix, &det) || !algebra_collect(w->alg, det, 1, &c->lambda, &p))
        return false;
    ah_expr *all = NEW_ARRAY(w->arena, ah_expr, n + 1); /* of λ^n first */
    for (uint32_t i = 0; i <= n; i++) all[i] = expr_int(ctx, 0);
    for (size_t k = 0; k < p.terms; k++) all[n - p.exponent[k]] = p.coefficient[k];
    while (c->zeros < n && expr_is_zero(ctx, all[n - c->zeros])) c->zeros++;
    c->degree = n - c->zeros;
    c->coefficient = all;
    c->even = c->degree > 0 && c->degree % 2 == 0;
    for (uint32_t i = 1; i < c->degree; i += 2)
        if (!expr_is_zero(ctx, all[i])) c->even = false;
    return expr_is_one(ctx, all[0]);
}

static void add_condition(symbolic *w, characteristic *c, ah_expr *list, ah_expr e)
{
    const ah_expr simple = algebra_simplify(w->alg, e);
    const int sign = algebra_sign(w->alg, simple);
    if (sign == 1) return;
    if (sign != 2) c->never = true;
    list[c->conditions++] = simple;
}

/* Δ_k = det (a_{2i−j}), i, j = 1 … k. */
static bool hurwitz(symbolic *w, const characteristic *c, uint32_t k, ah_expr *out)
{
    ah_expr *e = NEW_ARRAY(w->arena, ah_expr, (size_t) k * k);
    for (uint32_t i = 1; i <= k; i++)
        for (uint32_t j = 1; j <= k; j++) {
            const long index = 2L * i - j;
            const bool there = index >= 0 && index <= (long) c->degree;
            e[(i - 1) * k + j - 1] = there ? c->coefficient[index] : expr_int(w->ctx, 0);
        }
    return algebra_det(w->alg, mat_from_dense(w->ctx, w->arena, k, k, e), out);
}

/* Liénard and Chipart: all coefficients, and every second Hurwitz determinant. In λ² the roots
 * must be real and negative: coefficients and discriminant. */
static void make_conditions(symbolic *w, characteristic *c)
{
    ah_expr *list = NEW_ARRAY(w->arena, ah_expr, 2 * c->degree + 2);
    c->condition = list;
    c->decided = c->degree > 0;
    const uint32_t step = c->even ? 2 : 1;
    for (uint32_t i = step; i <= c->degree; i += step) add_condition(w, c, list, c->coefficient[i]);
    if (c->even) {
        const ah_expr b1 = c->coefficient[2];
        if (c->degree == 4)
            add_condition(w, c, list,
                          expr_sub(w->ctx, expr_powi(w->ctx, b1, 2),
                                   expr_mul(w->ctx, expr_int(w->ctx, 4), c->coefficient[4])));
        if (c->degree > 4) c->decided = false;
        return;
    }
    for (long k = (long) c->degree - 1; k >= 2; k -= 2) {
        ah_expr delta;
        if (hurwitz(w, c, (uint32_t) k, &delta))
            add_condition(w, c, list, delta);
        else
            c->decided = false;
    }
}

/* Where a condition a s² + b ends: s² = −b/a, for a speed s that stayed a symbol. */
static void make_boundaries(symbolic *w, characteristic *c)
{
    const minimal *m = w->m;
    LIST(characteristic_boundary) list = {0};
    for (size_t i = 0; i < c->conditions; i++)
        for (uint32_t k = 0; k < m->kept; k++) {
            const ah_expr s = m->symbol[m->keep[k]];
            ah_expr top, bottom;
            algebra_poly p;
            if (!expr_depends(w->ctx, c->condition[i], s) ||
                !algebra_fraction(w->alg, c->condition[i], &top, &bottom) ||
                !algebra_collect(w->alg, top, 1, &s, &p) || p.terms != 2 ||
                p.exponent[0] + p.exponent[1] != 2 || p.exponent[0] == 1)
                continue;
            const size_t high = p.exponent[0] == 2 ? 0 : 1;
            const ah_expr square = algebra_simplify(
                w->alg,
                expr_neg(w->ctx, expr_div(w->ctx, p.coefficient[1 - high], p.coefficient[high])));
            const characteristic_boundary b = {s, square};
            LIST_PUSH(w->arena, &list, b);
        }
    c->boundaries = list.count;
    c->boundary = list.at;
}

const characteristic *characteristic_create(minimal *m, arena *a, double *values)
{
    const flow *f = m->flow;
    symbolic w = {.m = m, .ctx = f->ctx, .arena = a, .alg = f->mech->alg, .values = values};
    for (uint32_t i = 0; i < f->constraints; i++)
        if (f->of_places[i]) return NULL;
    if (m->kept == 0 || m->kept > CHARACTERISTIC_LARGEST || f->mech->second_class ||
        !minimal_at(m, values) || !solve_velocities(&w))
        return NULL;
    make_equations(&w);
    characteristic *c = NEW(a, characteristic);
    if (!make_matrix(&w, &c->B) || !make_polynomial(&w, c)) return NULL;
    ah_expr *state = NEW_ARRAY(a, ah_expr, m->kept);
    for (uint32_t i = 0; i < m->kept; i++) {
        const ah_expr y = m->symbol[m->keep[i]];
        state[i] = expr_subst(w.ctx, y, w.pairs, w.from, w.to);
    }
    c->state = state;
    make_conditions(&w, c);
    make_boundaries(&w, c);
    return c;
}
