/* flow/characteristic.c - see characteristic.h.
 *
 * The motion is q' = ψ, Gz s' + E = 0 (reduced.h). In a steady motion s' = 0 and E = 0, so only the
 * slopes of E enter:
 *
 *     δq' = ψ_y δy,      δs' = −Gz⁻¹ E_y δy.
 */
#include "characteristic.h"

#include "reduced.h"

#include <math.h>
#include <string.h>

/* ---- The steady state ------------------------------------------------------------------------ */

ah_expr characteristic_exact(ah_ctx *ctx, bool coordinate, double x)
{
    if (fabs(x) < CHARACTERISTIC_NOTHING) return expr_int(ctx, 0);
    const double twelfths = 12 * x / acos(-1);
    if (!coordinate || fabs(twelfths) > 1000 || fabs(twelfths - round(twelfths)) > 1e-12)
        return AH_NONE;
    return expr_mul(ctx, expr_rational(ctx, (long) round(twelfths), 12), expr_pi(ctx));
}

static bool does_vary(const minimal *m, const bool *varies, uint32_t y)
{
    for (uint32_t i = 0; varies && i < m->kept; i++)
        if (m->keep[i] == y) return varies[i];
    return false;
}

static void put_state(reduced *w, const bool *varies)
{
    const minimal *m = w->m;
    for (uint32_t y = 0; y < m->count; y++) {
        if (does_vary(m, varies, y)) continue;
        const ah_expr value =
            characteristic_exact(w->ctx, y < m->coordinates, minimal_value(m, y, w->values));
        if (value != AH_NONE) reduced_put(w, m->symbol[y], value);
    }
}

/* ---- The matrix ------------------------------------------------------------------------------ */

/* Symbols and numbers are two routes to one matrix. */
static bool agrees(reduced *w, mat B)
{
    const minimal *m = w->m;
    const arena_mark mark = arena_get_mark(&w->ctx->scratch);
    double largest = 0, worst = 0;
    for (uint32_t i = 0; i < m->kept; i++)
        for (uint32_t j = 0; j < m->kept; j++) {
            const double number = m->B[(size_t) i * m->kept + j];
            const double d = fabs(reduced_value(w, mat_get(w->ctx, B, i, j)) - number);
            largest = fmax(largest, fabs(number));
            worst = d >= worst ? d : isnan(d) ? INFINITY : worst;
        }
    arena_release(&w->ctx->scratch, mark);
    return worst <= CHARACTERISTIC_AGREES * largest;
}

static bool make_matrix(reduced *w, const bool *varies, mat *out)
{
    ah_ctx *ctx = w->ctx;
    arena *a = w->arena;
    const mat rates = reduced_rates(w);
    put_state(w, varies);
    if (!reduced_solve(w, w->f) || !reduced_solve(w, mat_stack(ctx, a, rates, w->E))) return false;
    mat top, E_y, bottom;
    bool singular;
    if (!reduced_slopes(w, rates, &top) || !reduced_slopes(w, w->E, &E_y) ||
        !algebra_solve(w->alg, reduced_at(w, w->Gz), mat_neg(ctx, a, E_y), &bottom, &singular))
        return false;
    *out = algebra_simplify_mat(w->alg, mat_stack(ctx, a, top, bottom));
    return agrees(w, *out);
}

/* ---- The polynomial -------------------------------------------------------------------------- */

ah_expr characteristic_lambda(ah_ctx *ctx)
{
    return expr_symbol(ctx, AH_LOCAL, "lambda");
}

static void take_coefficients(ah_ctx *ctx, characteristic *c, uint32_t n, const ah_expr *all)
{
    c->zeros = 0;
    while (c->zeros < n && expr_is_zero(ctx, all[n - c->zeros])) c->zeros++;
    c->degree = n - c->zeros;
    c->coefficient = all;
    c->even = c->degree > 0 && c->degree % 2 == 0;
    for (uint32_t i = 1; i < c->degree; i += 2)
        if (!expr_is_zero(ctx, all[i])) c->even = false;
}

static bool make_polynomial(reduced *w, characteristic *c)
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
    take_coefficients(ctx, c, n, all);
    return expr_is_one(ctx, all[0]);
}

static void add_condition(reduced *w, characteristic *c, ah_expr *list, ah_expr e)
{
    const ah_expr simple = algebra_simplify(w->alg, e);
    const int sign = algebra_sign(w->alg, simple);
    if (sign == 1 || (sign == 0 && c->even)) return;
    if (sign != 2) c->never = true;
    list[c->conditions++] = simple;
}

/* Δ_k = det (a_{2i−j}), i, j = 1 … k. */
static bool hurwitz(reduced *w, const characteristic *c, uint32_t k, ah_expr *out)
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
 * must be real and not positive: coefficients and discriminant ≥ 0. */
static void make_conditions(reduced *w, characteristic *c)
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

/* Do all conditions hold where s² is this share of the square? */
static bool hold_at(reduced *w, const characteristic *c, ah_expr s, ah_expr square, double share)
{
    const double before = frame_get(w->values, s), limit = sqrt(share * reduced_value(w, square));
    bool all = true;
    frame_set(w->values, s, before < 0 ? -limit : limit);
    for (size_t i = 0; all && i < c->conditions; i++) all = reduced_value(w, c->condition[i]) > 0;
    frame_set(w->values, s, before);
    return all;
}

/* s² = −b/a of a factor a s² + b, where stability begins or ends there. */
static bool boundary_of(reduced *w, const characteristic *c, ah_expr factor, ah_expr s,
                        ah_expr *square)
{
    algebra_poly p;
    if (!expr_depends(w->ctx, factor, s) || !algebra_collect(w->alg, factor, 1, &s, &p) ||
        p.terms != 2 || p.exponent[0] + p.exponent[1] != 2 || p.exponent[0] == 1)
        return false;
    const size_t high = p.exponent[0] == 2 ? 0 : 1;
    *square = algebra_simplify(
        w->alg, expr_neg(w->ctx, expr_div(w->ctx, p.coefficient[1 - high], p.coefficient[high])));
    const arena_mark mark = arena_get_mark(&w->ctx->scratch);
    const bool changes =
        reduced_value(w, *square) > 0 && hold_at(w, c, s, *square, 1 - CHARACTERISTIC_ASIDE) !=
                                             hold_at(w, c, s, *square, 1 + CHARACTERISTIC_ASIDE);
    arena_release(&w->ctx->scratch, mark);
    return changes;
}

/* For the speeds that stayed symbols. */
static void make_boundaries(reduced *w, characteristic *c)
{
    const minimal *m = w->m;
    LIST(characteristic_boundary) list = {0};
    for (size_t i = 0; i < c->conditions; i++) {
        algebra_factors f;
        if (!algebra_factor(w->alg, c->condition[i], &f)) continue;
        for (size_t j = 0; j < f.count; j++)
            for (uint32_t k = 0; k < m->kept; k++) {
                characteristic_boundary b = {m->symbol[m->keep[k]], AH_NONE};
                if (!boundary_of(w, c, f.factor[j], b.symbol, &b.square)) continue;
                bool known = false;
                for (size_t l = 0; l < list.count; l++)
                    known = known || list.at[l].square == b.square;
                if (!known) LIST_PUSH(w->arena, &list, b);
            }
    }
    c->boundaries = list.count;
    c->boundary = list.at;
}

const characteristic *characteristic_create(minimal *m, arena *a, frame *values, const bool *varies)
{
    reduced *w = NEW(a, reduced);
    if (m->kept == 0 || m->kept > CHARACTERISTIC_LARGEST || !minimal_at(m, values) ||
        !reduced_create(m, a, values, w))
        return NULL;
    characteristic *c = NEW(a, characteristic);
    if (!make_matrix(w, varies, &c->B) || !make_polynomial(w, c)) return NULL;
    ah_expr *state = NEW_ARRAY(a, ah_expr, m->kept);
    for (uint32_t i = 0; i < m->kept; i++) {
        const ah_expr y = m->symbol[m->keep[i]];
        state[i] = expr_subst(w->ctx, y, w->pairs, w->from, w->to);
    }
    c->state = state;
    c->reduced = w;
    make_conditions(w, c);
    make_boundaries(w, c);
    return c;
}

const characteristic *characteristic_with(const characteristic *c, arena *a,
                                          ah_expr (*value)(void *, ah_expr), void *arg)
{
    reduced *w = c->reduced;
    const uint32_t n = c->degree + c->zeros;
    characteristic *out = NEW(a, characteristic);
    *out = (characteristic){.state = c->state, .reduced = w, .B = c->B, .lambda = c->lambda};
    ah_expr *all = NEW_ARRAY(a, ah_expr, n + 1);
    for (uint32_t i = 0; i <= n; i++) {
        all[i] = i <= c->degree ? value(arg, c->coefficient[i]) : expr_int(w->ctx, 0);
        if (algebra_zero(w->alg, all[i]) == AH_TRUE) all[i] = expr_int(w->ctx, 0);
    }
    take_coefficients(w->ctx, out, n, all);
    make_conditions(w, out);
    return out;
}
