/* model/newton.c - see newton.h.
 *
 * The step is the shortest x with J x = −f:  x = Jᵀ y,  (J Jᵀ) y = −f,  by elimination (rows that
 * depend on others are left out), halved until the residual falls. The shortest step keeps chains
 * of rods together, where one that moves only the pivots throws them about. Rows that depend on
 * others near the root alone, as those of two joints between the same bodies, contradict them on the
 * way: then (J Jᵀ + μ diag(size²)) y = −f makes all of them smaller (Levenberg and Marquardt). At the
 * end it goes on while the residual still falls: the states of crosscheck and verify are to satisfy
 * |C_a| ≤ 1e-14 Σ|terms|. */
#include "newton.h"
#include "../numeric/numeric.h"
#include "probe.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    STEPS = 80,
    HALVINGS = 20,
    MANY = 1000 /* equations of which steps are chosen by their cost */
};
#define ENOUGH 1e-14 /* residual in units of the terms it is made of */
#define NEAR   1e-4  /* the same: what is left are digits, no longer the way */
/* Unknowns smaller than this count as of this size when the size of a constraint's terms is
 * estimated: a product x'*y' = 0 has no terms that cancel. */
#define UNIT 1e-2
/* What is left beyond this part of the terms may be no root; then a step may not change J by more than that part. */
#define DOUBTFUL 1e-6
#define BENT     0.1
/* Σ (f/size)² falls by this part of itself in a Newton step, by less where rows contradict others on the way. */
#define FALL       0.5
#define LEAST_FALL 0.01
/* Pivots of J Jᵀ below this part of their rows are those of rows that depend on others at the root, or of a singular place. */
#define NEARLY 1e-4
#define FAR    1e100 /* of a coefficient: its square is not far from the end of doubles */

struct probe_newton {
    ah_ctx *ctx;
    uint32_t count, unknowns;
    const uint32_t *slot; /* of the unknowns … */
    const double *unit;   /* … and their sizes: x, steps and J are in these */
    const expr_plan *plan;
    double *f, *scale, *size;
    probe_matrix J;
    const uint32_t *start, *row,
        *entry; /* J by columns: rows and entries of column j from start[j] */
    double *x, *old, *step, *y, *product; /* product: a row of J Jᵀ */
    uint32_t *product_column;
    sparse *large; /* [1 −Jᵀ; J 0] of many rows; NULL: of few */
    double *number, *right, *solution;
};

/* The entries of J by columns, and room for the longest row of J Jᵀ. */
static void index_columns(probe_newton *s, arena *a)
{
    const mat J = s->J.shape;
    uint32_t *start = NEW_ARRAY(a, uint32_t, (size_t) J.cols + 2);
    uint32_t *row = NEW_ARRAY(a, uint32_t, mat_entries(J)),
             *entry = NEW_ARRAY(a, uint32_t, mat_entries(J));
    for (uint32_t k = 0; k < mat_entries(J); k++) start[J.col[k] + 2]++;
    for (uint32_t j = 2; j < J.cols + 2; j++) start[j] += start[j - 1];
    for (uint32_t i = 0; i < J.rows; i++)
        for (uint32_t k = J.start[i]; k < J.start[i + 1]; k++) {
            const uint32_t at = start[J.col[k] + 1]++;
            row[at] = i;
            entry[at] = k;
        }
    s->start = start;
    s->row = row;
    s->entry = entry;
    uint32_t longest = 0;
    for (uint32_t i = 0; i < J.rows; i++) {
        uint32_t terms = 0;
        for (uint32_t k = J.start[i]; k < J.start[i + 1]; k++)
            terms += start[J.col[k] + 1] - start[J.col[k]];
        if (terms > longest) longest = terms;
    }
    s->product = NEW_ARRAY(a, double, longest + 1);
    s->product_column = NEW_ARRAY(a, uint32_t, longest + 1);
}

/* Large systems go the way of all others: the same step, from x − Jᵀλ = 0 and J x = −f. */
static void make_large(probe_newton *s, arena *a)
{
    const mat J = s->J.shape;
    const uint32_t n = s->unknowns, size = n + J.rows;
    if (!sparse_pays(size, n + 2 * (size_t) mat_entries(J))) return;
    uint32_t *start = NEW_ARRAY(a, uint32_t, (size_t) n + 1), *col = NEW_ARRAY(a, uint32_t, n);
    s->number = NEW_ARRAY(a, double, (size_t) n + mat_entries(J));
    s->right = NEW_ARRAY(a, double, size);
    s->solution = NEW_ARRAY(a, double, size);
    for (uint32_t i = 0; i < n; i++) {
        start[i + 1] = i + 1;
        col[i] = i;
        s->number[i] = 1;
    }
    s->large =
        sparse_create_kkt(s->ctx, a, (sparse_pattern){n, n, start, col}, mat_pattern(J), false);
}

probe_newton *probe_newton_create(ah_model *m, arena *a, const ah_expr *equations, uint32_t count,
                                  const expr_list *unknowns)
{
    ah_ctx *ctx = m->ctx;
    probe_newton *s = NEW(a, probe_newton);
    s->ctx = ctx;
    s->count = count;
    s->unknowns = (uint32_t) unknowns->count;
    uint32_t *slot = NEW_ARRAY(a, uint32_t, unknowns->count);
    double *unit = NEW_ARRAY(a, double, unknowns->count);
    for (size_t i = 0; i < unknowns->count; i++) {
        slot[i] = expr_slot(ctx, unknowns->at[i]);
        unit[i] = model_size(m, unknowns->at[i]);
    }
    s->slot = slot;
    s->unit = unit;

    const mat f = mat_from_dense(ctx, a, count, 1, equations);
    s->J = probe_matrix_create(m, a, mat_jacobian(ctx, a, f, unknowns->count, unknowns->at));
    ah_expr *roots = mat_to_dense(ctx, a, f);
    model_put_values(m, roots, count);
    model_put_samples(m, roots, count);
    s->plan = expr_plan_create(ctx, a, roots, count);
    s->f = NEW_ARRAY(a, double, count);
    s->scale = NEW_ARRAY(a, double, count);
    s->size = NEW_ARRAY(a, double, count);
    s->x = NEW_ARRAY(a, double, s->unknowns);
    s->old = NEW_ARRAY(a, double, s->unknowns);
    s->step = NEW_ARRAY(a, double, s->unknowns);
    s->y = NEW_ARRAY(a, double, count);
    index_columns(s, a);
    make_large(s, a);
    return s;
}

static void put(const probe_newton *s, const double *x, frame *values)
{
    for (uint32_t i = 0; i < s->unknowns; i++) frame_put(values, s->slot[i], x[i] * s->unit[i]);
}

/* The size of constraint a's terms: of those it is written as, or of J x where it is a product of
 * sums. */
static double size_of(const probe_newton *s, uint32_t a)
{
    double size = s->scale[a], reach = 0;
    for (uint32_t k = s->J.shape.start[a]; k < s->J.shape.start[a + 1]; k++)
        reach += fabs(s->J.value[k]) * fmax(fabs(s->x[s->J.shape.col[k]]), UNIT);
    return fmax(size, reach);
}

/* Rows whose squares, in J Jᵀ, would be beyond the range of doubles are divided by their size. */
static void bring_into_range(probe_newton *s)
{
    const mat J = s->J.shape;
    for (uint32_t a = 0; a < s->count; a++) {
        double largest = 0;
        int exponent;
        for (uint32_t k = J.start[a]; k < J.start[a + 1]; k++)
            largest = fmax(largest, fabs(s->J.value[k]));
        if (!(largest > 0) || (largest > 1 / FAR && largest < FAR) || !isfinite(largest)) continue;
        frexp(largest, &exponent);
        for (uint32_t k = J.start[a]; k < J.start[a + 1]; k++)
            s->J.value[k] = ldexp(s->J.value[k], -exponent);
        s->f[a] = ldexp(s->f[a], -exponent);
        s->scale[a] = ldexp(s->scale[a], -exponent);
    }
}

/* Evaluates f and J at x; the largest residual in units of its terms, or infinity. */
static double residual(probe_newton *s, frame *values)
{
    put(s, s->x, values);
    expr_plan_run_scaled(s->plan, values, s->f, s->scale);
    if (!probe_matrix_run(&s->J, values)) return INFINITY;
    for (uint32_t k = 0; k < mat_entries(s->J.shape); k++)
        s->J.value[k] *= s->unit[s->J.shape.col[k]];
    bring_into_range(s);
    double worst = 0;
    for (uint32_t a = 0; a < s->count; a++) {
        const double share = s->f[a] == 0 ? 0 : fabs(s->f[a]) / size_of(s, a);
        if (!(share < INFINITY)) return INFINITY; /* NaN too */
        worst = fmax(worst, share);
    }
    return worst;
}

/* Row a of J Jᵀ, as terms to be added up: their number. */
static uint32_t product_row(probe_newton *s, uint32_t a)
{
    const mat J = s->J.shape;
    uint32_t count = 0;
    for (uint32_t k = J.start[a]; k < J.start[a + 1]; k++)
        for (uint32_t at = s->start[J.col[k]]; at < s->start[J.col[k] + 1]; at++) {
            s->product_column[count] = s->row[at];
            s->product[count++] = s->J.value[k] * s->J.value[s->entry[at]];
        }
    return count;
}

/* Equations whose largest coefficient is one: far away, where J is large, its rows drown the ones above them. */
static void divide_rows(probe_newton *s)
{
    const mat J = s->J.shape;
    const uint32_t n = s->unknowns;
    for (uint32_t a = 0; a < s->count; a++) {
        double largest = 0;
        for (uint32_t k = J.start[a]; k < J.start[a + 1]; k++)
            largest = fmax(largest, fabs(s->J.value[k]));
        for (uint32_t k = J.start[a]; largest > 0 && k < J.start[a + 1]; k++)
            s->number[n + k] /= largest;
        if (largest > 0) s->right[n + a] /= largest;
    }
}

static bool factor_large(probe_newton *s, double regular)
{
    if (sparse_factor(s->large, s->number, NULL) > regular) return true;
    divide_rows(s);
    return sparse_factor(s->large, s->number, NULL) > regular;
}

/* Near the solution the shortest step in units of the unknowns themselves, W = diag(1/x²): along a chain they differ by
 * orders, and the small ones would drown in the rounding of the large ones. False: there is none. */
static bool solve_large_step(probe_newton *s, double now)
{
    const bool many = s->count > MANY;
    const double regular = many ? DBL_EPSILON : 1e-8; /* reciprocal condition */
    const uint32_t n = s->unknowns;
    if (!s->large) return false;
    for (uint32_t i = 0; i < n; i++)
        s->number[i] = many && now < NEAR ? 1 / fmax(1, s->x[i] * s->x[i]) : 1;
    memcpy(s->number + n, s->J.value, mat_entries(s->J.shape) * sizeof *s->number);
    for (uint32_t a = 0; a < s->count; a++) s->right[n + a] = -s->f[a];
    if (!factor_large(s, regular) || !sparse_solve(s->large, s->right, s->solution)) return false;
    memcpy(s->step, s->solution, n * sizeof *s->step);
    return true;
}

/* Rows that depend on others are left out: their number is returned. *quality: see eliminate_quality. */
static uint32_t eliminate_step(probe_newton *s, double mu, double *quality)
{
    arena *scratch = &s->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    const mat J = s->J.shape;
    eliminate *e = eliminate_create(s->ctx, scratch, s->count);
    for (uint32_t a = 0; a < s->count; a++) {
        uint32_t count = product_row(s, a);
        s->product_column[count] = a;
        if (mu > 0) s->product[count++] = mu * s->size[a] * s->size[a];
        eliminate_add(e, count, s->product_column, s->product, -s->f[a]);
    }
    eliminate_solve(e, s->y);
    memset(s->step, 0, s->unknowns * sizeof *s->step);
    for (uint32_t a = 0; a < s->count; a++)
        for (uint32_t k = J.start[a]; k < J.start[a + 1]; k++)
            s->step[J.col[k]] += s->J.value[k] * s->y[a];
    const uint32_t left_out = s->count - eliminate_rank(e);
    *quality = eliminate_quality(e);
    arena_release(scratch, mark);
    return left_out;
}

/* Σ (f_a / size_a)², with the sizes as they were before the step: the residual in units of its own
 * terms may fall while f grows. */
static double merit(const probe_newton *s)
{
    double sum = 0;
    for (uint32_t a = 0; a < s->count; a++)
        sum += s->f[a] == 0 ? 0 : (s->f[a] / s->size[a]) * (s->f[a] / s->size[a]);
    return sum;
}

/* f alone at x: enough to judge a step by. */
static bool step_is_good(probe_newton *s, frame *values, double fall, double before)
{
    put(s, s->x, values);
    expr_plan_run(s->plan, values, s->f);
    return merit(s) <= (1 - fall) * before; /* false for NaN */
}

/* The step, halved until the merit falls by that part of it; false, with x as it was, when it does not. *now is the
 * residual. */
static bool take_step(probe_newton *s, frame *values, double fall, double *now)
{
    for (uint32_t a = 0; a < s->count; a++) s->size[a] = size_of(s, a);
    for (uint32_t i = 0; i < s->unknowns; i++) s->old[i] = s->x[i];
    const double before = merit(s);
    double factor = 1;
    for (int h = 0; h < HALVINGS; h++, factor /= 2) {
        for (uint32_t i = 0; i < s->unknowns; i++) s->x[i] = s->old[i] + factor * s->step[i];
        if (step_is_good(s, values, fall * factor, before)) {
            const double here = residual(s, values);
            if (isfinite(here)) {
                *now = here;
                return true;
            }
        }
        if (*now <= ENOUGH) break;
    }
    for (uint32_t i = 0; i < s->unknowns; i++) s->x[i] = s->old[i];
    residual(s, values);
    return false;
}

/* Where rows depend on others the elimination finds a step. It costs much where there are many: it
 * goes on while that pays. */
static bool improve(probe_newton *s, frame *values, double *now)
{
    const double pays = 0.1, before = *now;
    const bool many = s->count > MANY;
    if (solve_large_step(s, *now)) {
        if (take_step(s, values, FALL, now)) return true;
        if (!many || *now <= ENOUGH) return false;
    }
    double quality;
    const uint32_t left_out = eliminate_step(s, 0, &quality);
    const bool bad = !many && quality<NEARLY && * now> ENOUGH;
    if (!bad && take_step(s, values, FALL, now)) return !many || *now < pays * before;
    if (!bad && (many || !left_out || *now <= ENOUGH)) return false;
    eliminate_step(s, merit(s), &quality);
    return take_step(s, values, LEAST_FALL, now);
}

static void take(probe_newton *s, const frame *values)
{
    for (uint32_t i = 0; i < s->unknowns; i++) s->x[i] = frame_at(values, s->slot[i]) / s->unit[i];
}

/* Is what is left of a constraint no part of terms that cancel? x'² + y'² = 0 is satisfied by 1e-10 as well as by anything. */
static bool is_doubtful(const probe_newton *s, uint32_t a)
{
    double reach = s->scale[a];
    for (uint32_t k = s->J.shape.start[a]; k < s->J.shape.start[a + 1]; k++)
        reach = fmax(reach, fabs(s->J.value[k] * s->x[s->J.shape.col[k]]));
    return fabs(s->f[a]) > DOUBTFUL * reach;
}

/* Newton and Kantorovich: a step that changes J leads to no root beside it. */
bool probe_newton_settled(probe_newton *s, const frame *values)
{
    arena *scratch = &s->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    const mat J = s->J.shape;
    frame *there = frame_copy(scratch, values);
    bool settled = true, *doubtful = NEW_ARRAY(scratch, bool, s->count + 1), any = false;
    take(s, values);
    settled = isfinite(residual(s, there));
    for (uint32_t a = 0; settled && a < s->count; a++) any |= doubtful[a] = is_doubtful(s, a);
    if (any) {
        double *before = NEW_ARRAY(scratch, double, mat_entries(J) + 1);
        memcpy(before, s->J.value, mat_entries(J) * sizeof *before);
        double quality;
        eliminate_step(s, 0, &quality);
        for (uint32_t i = 0; i < s->unknowns; i++) s->x[i] += s->step[i];
        settled = isfinite(residual(s, there));
        for (uint32_t a = 0; a < s->count; a++) {
            double size = 0, change = 0;
            for (uint32_t k = J.start[a]; k < J.start[a + 1]; k++) {
                size = fmax(size, fabs(before[k]));
                change = fmax(change, fabs(s->J.value[k] - before[k]));
            }
            if (doubtful[a] && !(change <= BENT * size)) settled = false;
        }
    }
    arena_release(scratch, mark);
    return settled;
}

bool probe_newton_run(probe_newton *s, frame *values)
{
    take(s, values);
    double now = residual(s, values);
    for (int k = 0; k < STEPS && now > 0 && isfinite(now); k++) {
        ctx_tick(s->ctx);
        if (!improve(s, values, &now)) break;
    }
    return now <= ENOUGH;
}
