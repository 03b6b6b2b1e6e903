/* statement/measure.c - see measure.h. */
#include "measure.h"

#include "../expr/ball.h"
#include "../numeric/numeric.h"
#include "../flow/flow.h"

#include <math.h>
#include <string.h>

enum { MEASURE_STATES = 60, MOST_FACTORS = 24, MEASURE_BITS = 256 };
enum { MOST_ROWS = 6 }; /* of matrices whose determinant is asked for its factors */

typedef struct measure {
    ansatz_states *pool;
    ah_model *model;
    ah_ctx *ctx;
    arena *arena;
    minimal *m;
    size_t rows;
    double *divergence;
    /* Candidates for log N: logarithms of factors, then monomials of the coordinates. */
    LIST(ah_expr) e;
    LIST(ah_expr) factor; /* whose logarithms are the first ones */
    size_t logs;
    double *rate; /* rows × e.count */
} measure;

/* ---- Candidates ------------------------------------------------------------------------------ */

static bool of_coordinates(const measure *w, ah_expr e)
{
    const expr_list symbols = expr_symbols(w->ctx, w->arena, &e, 1);
    bool any = false;
    for (size_t i = 0; i < symbols.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(w->ctx, symbols.at[i]);
        if (kind == AH_COORDINATE) any = true;
        if (kind != AH_COORDINATE && kind != AH_PARAMETER) return false;
    }
    return any;
}

static void add_factor(measure *w, ah_expr f)
{
    const ah_expr e = expr_call1(w->ctx, AH_LOG, expr_call1(w->ctx, AH_ABS, f));
    if (!of_coordinates(w, f) || w->e.count >= MOST_FACTORS) return;
    for (size_t i = 0; i < w->e.count; i++)
        if (w->e.at[i] == e) return;
    LIST_PUSH(w->arena, &w->e, e);
    LIST_PUSH(w->arena, &w->factor, f);
}

static void add_factors_of(measure *w, ah_expr e)
{
    algebra_factors f;
    ah_expr top, bottom;
    if (!algebra_fraction(w->model->alg, e, &top, &bottom)) return;
    const ah_expr parts[] = {top, bottom};
    for (int k = 0; k < 2; k++) {
        if (!algebra_factor(w->model->alg, parts[k], &f)) continue;
        for (size_t i = 0; i < f.count; i++) add_factor(w, f.factor[i]);
    }
}

static void add_determinant(measure *w, mat m)
{
    ah_expr det;
    if (m.rows && m.rows == m.cols && algebra_det(w->model->alg, m, &det)) add_factors_of(w, det);
}

static void make_logs(measure *w)
{
    const mechanics *k = w->m->flow->mech;
    const chart *c = &k->chart;
    if (c->psi.rows) {
        const mat PsiT = mat_transpose(w->ctx, w->arena, c->Psi);
        if (c->m <= MOST_ROWS)
            add_determinant(w, mat_mul3(w->ctx, w->arena, PsiT, mechanics_mass(k), c->Psi));
        if (c->fails_where != AH_NONE) add_factors_of(w, c->fails_where);
    }
    if (k->n <= MOST_ROWS) add_determinant(w, mechanics_mass(k));
    for (uint32_t i = 0; i < w->model->n; i++) {
        add_factor(w, w->model->q.at[i]);
        add_factor(w, expr_call1(w->ctx, AH_COS, w->model->q.at[i]));
        add_factor(w, expr_call1(w->ctx, AH_SIN, w->model->q.at[i]));
    }
    w->logs = w->e.count;
}

/* Rates of all candidates at all states; the logarithms' are f'/f. */
static bool make_rates(measure *w, const ansatz *s)
{
    for (uint32_t p = 1; s && p < s->products; p++)
        LIST_PUSH(w->arena, &w->e, ansatz_product(s, p));
    const size_t count = w->e.count;
    ah_expr *d = NEW_ARRAY(w->arena, ah_expr, count + 1);
    for (size_t i = 0; i < count; i++)
        d[i] = ansatz_through_x(w->m->flow, expr_dt(w->ctx, w->e.at[i]));
    flow_define(w->model, d, count);
    expr_plan *plan = expr_plan_create(w->ctx, w->arena, d, count);
    w->rate = NEW_ARRAY(w->arena, double, w->rows *count + 1);
    for (size_t r = 0; r < w->rows; r++)
        expr_plan_run(plan, w->pool->values.at[r], w->rate + r * count);
    for (size_t i = 0; i < w->rows * count; i++)
        if (!isfinite(w->rate[i])) return false;
    return true;
}

/* ---- Fitting --------------------------------------------------------------------------------- */

/* Largest |div + Σ c rate|, relative to the largest |div|. */
static double residual(const measure *w, size_t first, size_t count, const double *c)
{
    double worst = 0, size = 0;
    for (size_t r = 0; r < w->rows; r++) {
        double sum = w->divergence[r];
        for (size_t i = 0; i < count; i++) sum += c[i] * w->rate[r * w->e.count + first + i];
        worst = fmax(worst, fabs(sum));
        size = fmax(size, fabs(w->divergence[r]));
    }
    return size > 0 ? worst / size : 0;
}

/* Quarters and thirds are the exponents there are. */
static double simple(double x)
{
    const double twelfths = round(12 * x) / 12;
    return fabs(x - twelfths) < 1e-7 ? twelfths : x;
}

/* log N from candidates first … first + count − 1; AH_NONE: not among them. */
static ah_expr fit(measure *w, size_t first, size_t count)
{
    arena *a = w->arena;
    if (count == 0 || count > w->rows) return AH_NONE;
    double *A = NEW_ARRAY(a, double, w->rows *count), *b = NEW_ARRAY(a, double, w->rows);
    double *c = NEW_ARRAY(a, double, count);
    for (size_t r = 0; r < w->rows; r++) {
        b[r] = -w->divergence[r];
        memcpy(A + r * count, w->rate + r * w->e.count + first, count * sizeof *A);
    }
    linear_least_squares(&w->ctx->scratch, (uint32_t) w->rows, (uint32_t) count, A, b, 1e-10, c);
    ah_expr sum = expr_int(w->ctx, 0);
    for (size_t i = 0; i < count; i++) {
        c[i] = simple(c[i]);
        const long twelfths = lround(12 * c[i]);
        if (fabs(12 * c[i] - (double) twelfths) > 1e-9) return AH_NONE;
        sum = expr_add(w->ctx, sum,
                       expr_mul(w->ctx, expr_rational(w->ctx, twelfths, 12), w->e.at[first + i]));
    }
    return residual(w, first, count, c) <= MEASURE_FOUND ? sum : AH_NONE;
}

/* exp of a sum of multiples of logarithms and of the rest. */
static ah_expr density_of(measure *w, ah_expr log_density)
{
    ah_ctx *ctx = w->ctx;
    const bool sum = expr_get_op(ctx, log_density) == EXPR_SUM;
    const size_t terms = sum ? expr_get_count(ctx, log_density) : 1;
    ah_expr product = expr_int(ctx, 1), rest = log_density;
    for (size_t i = 0; i < w->logs; i++)
        for (size_t k = 0; k < terms; k++) {
            const ah_expr term = sum ? expr_get_children(ctx, log_density)[k] : log_density;
            const ah_expr power = expr_div(ctx, term, w->e.at[i]);
            if (expr_get_op(ctx, power) != EXPR_NUMBER) continue;
            product = expr_mul(ctx, product, expr_pow(ctx, w->factor.at[i], power));
            rest = expr_sub(ctx, rest, term);
        }
    return expr_is_zero(ctx, rest) ? product
                                   : expr_mul(ctx, product, expr_call1(ctx, AH_EXP, rest));
}

static ah_expr find_log_density(measure *w)
{
    double largest = 0;
    for (size_t r = 0; r < w->rows; r++) largest = fmax(largest, fabs(w->divergence[r]));
    if (largest <= 1e-11) return expr_int(w->ctx, 0);
    for (size_t i = 0; i < w->logs; i++) {
        const ah_expr one = fit(w, i, 1);
        if (one != AH_NONE) return one;
    }
    ah_expr found = fit(w, 0, w->logs);
    if (found == AH_NONE) found = fit(w, w->logs, w->e.count - w->logs);
    return found == AH_NONE ? fit(w, 0, w->e.count) : found;
}

/* N' + N div F in q, s and t; false: it cannot be written with symbols. */
static bool rate_with_symbols(minimal *m, arena *a, const frame *values, ah_expr density,
                              reduced *w, ah_expr *out)
{
    ah_expr divergence;
    const ah_model *model = m->flow->model;
    if (!reduced_create(m, a, values, w) || !reduced_divergence(w, &divergence)) return false;
    ah_expr rate = expr_dt(w->ctx, density);
    rate = expr_subst(w->ctx, rate, model->n, model->v.at, mat_to_dense(w->ctx, a, w->psi));
    *out = expr_add(w->ctx, rate, expr_mul(w->ctx, density, divergence));
    model_put_values(m->flow->model, out, 1);
    return true;
}

bool measure_prove(minimal *m, arena *a, const frame *values, ah_expr density)
{
    reduced w;
    ah_expr sum;
    return rate_with_symbols(m, a, values, density, &w, &sum) &&
           algebra_zero(w.alg, sum) == AH_TRUE;
}

ah_truth measure_changes(minimal *m, arena *a, const frame *values, ah_expr density)
{
    reduced w;
    ah_expr sum;
    if (!rate_with_symbols(m, a, values, density, &w, &sum)) return AH_UNKNOWN;
    const expr_list symbols = expr_symbols(w.ctx, a, &sum, 1);
    const arena_mark mark = arena_get_mark(&w.ctx->scratch);
    ball_frame *b = ball_frame_create(w.ctx, &w.ctx->scratch);
    arb_ptr x = ball_array(&w.ctx->scratch, 1);
    for (size_t i = 0; i < symbols.count; i++)
        arb_set_d(ball_frame_ref(b, symbols.at[i]), frame_get(values, symbols.at[i]));
    expr_eval_balls(b, &sum, 1, MEASURE_BITS, x);
    const bool finite = arb_is_finite(x), nonzero = arb_is_nonzero(x);
    arena_release(&w.ctx->scratch, mark);
    return !finite ? AH_UNKNOWN : nonzero ? AH_TRUE : AH_FALSE;
}

static bool is_of_velocities(ah_ctx *ctx, ah_expr e)
{
    return expr_depends_kind(ctx, e, AH_VELOCITY) || expr_depends_kind(ctx, e, AH_SPEED);
}

bool measure_may_jump(const ah_model *m)
{
    ah_ctx *ctx = m->ctx;
    const expr_list nodes = expr_reachable(ctx, &ctx->job, m->F, m->n);
    for (size_t i = 0; i < nodes.count; i++) {
        if (expr_get_op(ctx, nodes.at[i]) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(ctx, nodes.at[i]);
        const ah_expr *of = expr_get_children(ctx, nodes.at[i]);
        if ((f == AH_SIGN || f == AH_ATAN2) && is_of_velocities(ctx, of[0])) return true;
        if (f == AH_ATAN2 && is_of_velocities(ctx, of[1])) return true;
    }
    return false;
}

measure_answer measure_search(ansatz_states *pool, int degree)
{
    measure_answer out = {.verdict = AH_VERDICT_UNKNOWN};
    measure w = {.pool = pool,
                 .model = pool->flow->model,
                 .ctx = pool->flow->ctx,
                 .arena = pool->arena,
                 .rows = MEASURE_STATES};
    if (measure_may_jump(w.model) || !ansatz_states_want(pool, w.rows)) return out;
    w.m = minimal_create(pool->flow, w.arena, pool->values.at[0], NULL);
    if (!w.m) return out;
    w.divergence = NEW_ARRAY(w.arena, double, w.rows);
    for (size_t r = 0; r < w.rows; r++) {
        if (!minimal_at(w.m, pool->values.at[r])) return out;
        w.divergence[r] = w.m->divergence;
    }
    make_logs(&w);
    if (!make_rates(&w, ansatz_create(pool, ANSATZ_VELOCITIES, 0, degree))) return out;
    out.searched = true;
    out.variables = w.m->count;
    out.variable = w.m->symbol;
    const ah_expr found = find_log_density(&w);
    out.found = found != AH_NONE;
    if (!out.found) return out;
    out.density = algebra_simplify(w.model->alg, density_of(&w, found));
    const bool proved = measure_prove(w.m, w.arena, pool->values.at[0], out.density);
    out.verdict = proved ? AH_VERDICT_PROVED : AH_VERDICT_HOLDS;
    return out;
}
