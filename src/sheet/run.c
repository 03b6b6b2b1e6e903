/* sheet/run.c - the interpreter of worksheets in doubles. */
#include "run.h"

#include "../numeric/numeric.h"
#include "run_sparse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A dense value larger than this is refused: such systems want the sparse path. */
#define RUN_LARGEST_MATRIX (64u << 20)

static void need(runner *r, quantity x)
{
    if (x == QUANTITY_NONE || r->needed[x]) return;
    r->needed[x] = true;
}

/* Operands precede their results, so one backward pass marks everything. */
static void mark_needed(runner *r, const quantity *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++) need(r, wanted[i]);
    for (size_t x = r->nodes; x-- > 0;)
        for (int k = 0; r->needed[x] && k < 4; k++)
            if (r->sheet->nodes.at[x].op != SHEET_LEAF) need(r, r->sheet->nodes.at[x].in[k]);
}

static bool is_chart(sheet_op op)
{
    return op == SHEET_CHART || op == SHEET_DRIFT || op == SHEET_INDEPENDENT;
}

static double *dense_value(const runner *r, arena *a, const sheet_node *node)
{
    const uint64_t size = (uint64_t) node->rows * node->cols;
    if (size > RUN_LARGEST_MATRIX)
        ctx_raise_limit(r->ctx, "a matrix is too large for dense arithmetic");
    return NEW_ARRAY(a, double, size + 1);
}

static void make_values(runner *r, arena *a)
{
    for (size_t x = 0; x < r->nodes; x++)
        if (r->needed[x] && !r->sparse[x]) r->value[x] = dense_value(r, a, &r->sheet->nodes.at[x]);
    r->arena = NULL;
}

/* Of many methods that are prepared few are run: values are made then. In scratch memory they would be gone with the next mark. */
runner *run_create(ah_ctx *ctx, arena *a, const sheet *s, const quantity *wanted, size_t count)
{
    runner *r = NEW(a, runner);
    const size_t nodes = s->nodes.count;
    r->ctx = ctx;
    r->sheet = s;
    r->nodes = nodes;
    r->needed = NEW_ARRAY(a, bool, nodes);
    r->value = NEW_ARRAY(a, double *, nodes);
    r->pivots = NEW_ARRAY(a, uint32_t *, nodes);
    r->first = NEW_ARRAY(a, size_t, nodes);
    mark_needed(r, wanted, count);
    run_sparse_choose(r, a, wanted, count);

    LIST(ah_expr) roots = {0};
    for (size_t x = 0; x < nodes; x++) {
        if (!r->needed[x]) continue;
        const sheet_node *node = &s->nodes.at[x];
        if (is_chart(node->op))
            r->pivots[x] = NEW_ARRAY(a, uint32_t, s->nodes.at[node->in[0]].cols);
        r->first[x] = roots.count;
        for (uint32_t i = 0; node->op == SHEET_LEAF && i < mat_entries(node->leaf); i++)
            LIST_PUSH(a, &roots, node->leaf.val[i]);
    }
    r->plan = expr_plan_create_ordered(ctx, a, roots.at, roots.count);
    r->leaf_entries = roots.count;
    r->entries = NEW_ARRAY(a, double, roots.count + 1);
    r->arena = a;
    if (a == &ctx->scratch) make_values(r, a);
    return r;
}

/* What a run changes, but for the plan's values. */
static runner *with_own_values(arena *a, const runner *r)
{
    runner *copy = NEW(a, runner);
    *copy = *r;
    copy->value = NEW_ARRAY(a, double *, r->nodes);
    copy->pivots = NEW_ARRAY(a, uint32_t *, r->nodes);
    copy->entries = NEW_ARRAY(a, double, r->leaf_entries + 1);
    for (size_t x = 0; x < r->nodes; x++) {
        const sheet_node *node = &r->sheet->nodes.at[x];
        if (r->needed[x] && r->pivots[x])
            copy->pivots[x] = NEW_ARRAY(a, uint32_t, r->sheet->nodes.at[node->in[0]].cols);
    }
    return copy;
}

runner *run_beside(arena *a, const runner *r)
{
    runner *copy = with_own_values(a, r);
    copy->arena = a;
    run_sparse_systems(copy, a);
    return copy;
}

runner *run_copy(ah_ctx *ctx, arena *a, const runner *r)
{
    runner *copy = with_own_values(a, r);
    sheet *own = NEW(a, sheet);
    *own = *r->sheet;
    copy->ctx = ctx;
    copy->sheet = own;
    copy->plan = expr_plan_copy(a, r->plan);
    make_values(copy, a);
    run_sparse_systems(copy, a);
    return copy;
}

/* ---- Operations ------------------------------------------------------------------------------ */

#define NODE(x)     (&r->sheet->nodes.at[x])
#define IN(node, k) (r->value[(node)->in[k]])

bool run_fail(runner *r, quantity x, const char *what, uint32_t rank, uint32_t expected)
{
    r->failure = (run_failure){x, what, rank, expected};
    return false;
}

static void spread_leaf(const runner *r, quantity x)
{
    const mat m = NODE(x)->leaf;
    const double *entry = r->entries + r->first[x];
    double *out = r->value[x];
    if (m.cols == 1) {
        for (uint32_t i = 0; i < m.rows; i++) out[i] = m.start[i + 1] > m.start[i] ? *entry++ : 0;
        return;
    }
    memset(out, 0, (size_t) m.rows * m.cols * sizeof *out);
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t k = m.start[i]; k < m.start[i + 1]; k++)
            out[(size_t) i * m.cols + m.col[k]] = *entry++;
}

static bool solve(runner *r, quantity where, uint32_t n, uint32_t columns, const double *A,
                  const double *B, double *X)
{
    const double rcond = linear_solve(&r->ctx->scratch, n, columns, A, B, X);
    if (rcond < r->rcond) r->rcond = rcond;
    if (rcond > 0) return true;
    const uint32_t rank = linear_row_rank(&r->ctx->scratch, n, n, A, NULL);
    return run_fail(r, where, "the matrix is singular", rank < n ? rank : n - 1, n);
}

/* Rows that came last when the rank was taken may be nothing but rounding errors of rows that
 * vanish here. */
static bool is_noise(const double *J, uint32_t rows, uint32_t cols, const uint32_t *order,
                     uint32_t from, uint32_t to)
{
    double largest = 0, last = 0;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < cols; j++) {
            const double size = fabs(J[(size_t) order[i] * cols + j]);
            largest = fmax(largest, size);
            if (i >= from && i < to) last = fmax(last, size);
        }
    return last <= RUN_NOISE_ROW * largest;
}

/* The state with each variable moved by a small part of its size, in no direction that is special. */
static frame *beside(const runner *r, double part)
{
    frame *near = frame_copy(&r->ctx->scratch, r->values);
    const frame *size = r->sheet->size;
    for (uint32_t k = 0; k < near->count; k++) {
        const double own = size && k < size->count && size->at[k] > 0 ? size->at[k] : 1;
        near->at[k] += part * (fabs(near->at[k]) + own) * sin((double) k + 1);
    }
    return near;
}

/* By how much the entries of the leaf may be wrong: what becomes of them beside the state, and round-off of their terms. */
static const double *noise_of(const runner *r, quantity leaf)
{
    const mat m = NODE(leaf)->leaf;
    arena *a = &r->ctx->scratch;
    double *noise = NEW_ARRAY(a, double, (size_t) m.rows *m.cols + 1);
    double *there = NEW_ARRAY(a, double, 2 * r->leaf_entries + 1), *size = there + r->leaf_entries;
    expr_plan_run_scaled(r->plan, beside(r, RUN_BESIDE), there, size);
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t k = m.start[i]; k < m.start[i + 1]; k++) {
            const size_t e = r->first[leaf] + k;
            noise[(size_t) i * m.cols + m.col[k]] =
                RUN_BESIDE_MANY * fabs(there[e] - r->entries[e]) + RUN_ROUNDING * size[e];
        }
    expr_plan_run(r->plan, r->values, there); /* the plan's own numbers are those of the state */
    return noise;
}

static const double *units_of(const sheet *s, uint32_t cols)
{
    return cols == s->units ? s->unit : NULL;
}

uint32_t run_rows(const runner *r, quantity J, uint32_t expected, uint32_t *order)
{
    const sheet_node *node = NODE(J);
    arena *a = &r->ctx->scratch;
    const double *value = run_get(r, J);
    const double *A =
        linear_in_units(a, node->rows, node->cols, value, units_of(r->sheet, node->cols));
    const uint32_t rank = linear_row_rank(a, node->rows, node->cols, A, order);
    if (rank >= expected || node->op != SHEET_LEAF || expected > node->rows) return rank;
    const uint32_t beyond =
        linear_rank_beyond(a, node->rows, node->cols, value, noise_of(r, J), order);
    if (beyond >= expected) return beyond;
    return linear_row_rank(a, node->rows, node->cols, A, order);
}

/* Is a row of J nothing but round-off, where components of the constraint set meet, or that of
 * sin(x) (y' − z') = 0 where x = π? Next to a zero a small step of the state changes all of it. */
static bool has_round_off(runner *r, quantity J, uint32_t rows, uint32_t cols)
{
    const sheet_node *node = NODE(J);
    const mat m = node->leaf;
    double *entry = NULL;
    for (uint32_t i = 0; node->op == SHEET_LEAF && i < rows; i++) {
        double size = 0, change = 0;
        for (uint32_t j = 0; j < cols; j++)
            size = fmax(size, fabs(r->value[J][(size_t) i * cols + j]));
        if (size == 0 || size >= RUN_TINY_ROW) continue;
        if (!entry) {
            entry = NEW_ARRAY(&r->ctx->scratch, double, r->leaf_entries + 1);
            expr_plan_run(r->plan, beside(r, RUN_NUDGE), entry);
        }
        for (uint32_t k = m.start[i]; k < m.start[i + 1]; k++)
            change = fmax(change, fabs(entry[r->first[J] + k] - r->entries[r->first[J] + k]));
        if (change > RUN_NOISE * size) return true;
    }
    return false;
}

/* Independent rows of J first in `order`; false when J has lost its generic rank. */
static bool rank_of(runner *r, quantity x, quantity of, uint32_t rows, uint32_t cols,
                    uint32_t *order)
{
    const uint32_t expected = NODE(x)->rank;
    const double *J = r->value[of];
    if (!order) order = NEW_ARRAY(&r->ctx->scratch, uint32_t, rows + 1);
    const uint32_t rank = run_rows(r, of, expected, order);
    if (rank < expected) return run_fail(r, x, "the constraints lose rank", rank, expected);
    if (rank == rows && rank == expected && has_round_off(r, of, rows, cols))
        return run_fail(r, x, "the constraints lose rank", rank - 1, expected);
    if (rank == expected || is_noise(J, rows, cols, order, expected, rank)) return true;
    return run_fail(r, x, "the constraints contradict", rank, expected);
}

static double *gather_rows(arena *a, const double *A, uint32_t cols, const uint32_t *rows,
                           uint32_t count)
{
    double *out = NEW_ARRAY(a, double, (size_t) count *cols + 1);
    for (uint32_t i = 0; i < count; i++)
        memcpy(out + (size_t) i * cols, A + (size_t) rows[i] * cols, cols * sizeof *out);
    return out;
}

static double *gather_cols(arena *a, const double *A, uint32_t rows, uint32_t cols,
                           const uint32_t *chosen, uint32_t count)
{
    double *out = NEW_ARRAY(a, double, (size_t) rows *count + 1);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < count; j++)
            out[(size_t) i * count + j] = A[(size_t) i * cols + chosen[j]];
    return out;
}

/* W of J = W J_s is that of no units. */
static bool least_multipliers(runner *r, quantity x, const double *J, uint32_t rows, uint32_t n,
                              const double *Js, uint32_t k, const double *mu, double *lambda)
{
    arena *a = &r->ctx->scratch;
    const double *unit = units_of(r->sheet, n);
    const double rcond = run_least_multipliers(a, rows, n, linear_in_units(a, rows, n, J, unit), k,
                                               linear_in_units(a, k, n, Js, unit), mu, lambda);
    r->rcond = fmin(r->rcond, rcond);
    return rcond > 0 || run_fail(r, x, "the matrix is singular", k - 1, k);
}

double run_acceleration_size(uint32_t n, const double *a, const double *L, const double *M_diagonal,
                             size_t stride)
{
    double size = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double free = fabs(L[i] / M_diagonal[i * stride]);
        size = fmax(size, fmax(fabs(a[i]), isfinite(free) ? free : 0));
    }
    return size;
}

const double *run_sizes(runner *r, quantity gamma, const double *largest)
{
    const sheet_node *node = NODE(gamma);
    const mat m = node->leaf;
    arena *a = &r->ctx->scratch;
    double *size = NEW_ARRAY(a, double, node->rows + 1), acceleration = 0;
    double *entry = NEW_ARRAY(a, double, 2 * r->leaf_entries + 1);
    const double *terms = entry + r->leaf_entries + r->first[gamma];
    const bool leaf = node->op == SHEET_LEAF;
    if (leaf) expr_plan_run_scaled(r->plan, r->values, entry, entry + r->leaf_entries);
    for (uint32_t i = 0; i < node->rows; i++) {
        if (!leaf) size[i] = fabs(r->value[gamma][i]);
        for (uint32_t k = leaf ? m.start[i] : 0; leaf && k < m.start[i + 1]; k++)
            size[i] += terms[k];
        if (largest[i] > 0) acceleration = fmax(acceleration, size[i] / largest[i]);
    }
    for (uint32_t i = 0; i < node->rows; i++) size[i] = fmax(size[i], largest[i] * acceleration);
    return size;
}

/* The dependent rows must agree with the independent ones: J a + γ = 0 in all of them. */
static bool consistent(runner *r, quantity x, const double *acc)
{
    const sheet_node *node = NODE(x);
    const uint32_t n = NODE(node->in[0])->rows, rows = NODE(node->in[1])->rows;
    const double *J = IN(node, 1), *gamma = IN(node, 3), *terms = NULL;
    const double noise = RUN_NOISE * run_acceleration_size(n, acc, IN(node, 2), IN(node, 0), n + 1);
    double *sum = NEW_ARRAY(&r->ctx->scratch, double, 3 * (size_t) rows + 1), *size = sum + rows;
    double *entry = size + rows, largest = 0;
    for (uint32_t i = 0; i < rows; i++) {
        sum[i] = gamma[i];
        size[i] = fabs(gamma[i]);
        for (uint32_t j = 0; j < n; j++) {
            const double J_ij = fabs(J[(size_t) i * n + j]);
            sum[i] += J[(size_t) i * n + j] * acc[j];
            size[i] += J_ij * fmax(fabs(acc[j]), noise);
            entry[i] = fmax(entry[i], J_ij);
        }
        largest = fmax(largest, size[i]);
    }
    for (uint32_t i = 0; i < rows; i++) { /* rows of nothing but rounding errors say nothing */
        if (fabs(sum[i]) <= fmax(RUN_CONSISTENT * size[i], RUN_NOISE_ROW * largest)) continue;
        if (!terms) terms = run_sizes(r, node->in[3], entry);
        if (fabs(sum[i]) > RUN_CONSISTENT * terms[i])
            return run_fail(r, x, "the constraints contradict", i, rows);
    }
    return true;
}

/* Accelerations measured by √M_ii. */
static void measure_by_masses(uint32_t n, const double *M, double *measure)
{
    for (uint32_t i = 0; i < n; i++) {
        const double mass = M[(size_t) i * n + i];
        measure[i] = mass > 0 ? exp2(-round(log2(mass) / 2)) : 1;
    }
}

/* The same without the factors that the rows are written with, where that is better. */
static void solve_balanced(runner *r, uint32_t n, uint32_t k, const run_kkt *s, double *y)
{
    arena *a = &r->ctx->scratch;
    double *measure = NEW_ARRAY(a, double, n), *other = NEW_ARRAY(a, double, n + k);
    measure_by_masses(n, s->M, measure);
    const double rcond = run_balanced_kkt(a, n, k, s, measure, other);
    if (!(rcond > r->rcond)) return;
    memcpy(y, other, (n + k) * sizeof *y);
    r->rcond = rcond;
}

/* M a − Jᵀλ = L, J a = −γ for k rows; y = (a, λ). */
static bool solve_kkt(runner *r, quantity x, uint32_t k, const double *J, const double *gamma,
                      double *y)
{
    const sheet_node *node = NODE(x);
    arena *a = &r->ctx->scratch;
    const uint32_t n = NODE(node->in[0])->rows, N = n + k;
    const double *M = IN(node, 0), *L = IN(node, 2);
    double *A = NEW_ARRAY(a, double, (size_t) N *N), *b = NEW_ARRAY(a, double, N);
    for (uint32_t i = 0; i < n; i++) {
        memcpy(A + (size_t) i * N, M + (size_t) i * n, n * sizeof *A);
        b[i] = L[i];
        for (uint32_t j = 0; j < k; j++) {
            A[(size_t) i * N + n + j] = -J[(size_t) j * n + i];
            A[(size_t) (n + j) * N + i] = J[(size_t) j * n + i];
        }
    }
    for (uint32_t j = 0; j < k; j++) b[n + j] = -gamma[j];
    const double before = r->rcond;
    r->rcond = 1;
    const bool solved = solve(r, x, N, 1, A, b, y);
    if (solved && r->rcond < RUN_POORLY) solve_balanced(r, n, k, &(run_kkt){M, J, L, gamma}, y);
    r->rcond = fmin(before, r->rcond);
    return solved;
}

/* The same through combinations E J of the rows that are not almost parallel: λ = Eᵀμ. */
static bool solve_reduced(runner *r, quantity x, uint32_t k, const double *J, const double *gamma,
                          double *y)
{
    arena *a = &r->ctx->scratch;
    const uint32_t n = NODE(NODE(x)->in[0])->rows, width = n + 1 + k;
    double *A = NEW_ARRAY(a, double, (size_t) k *width + 1), *measure = NEW_ARRAY(a, double, n);
    double *R = NEW_ARRAY(a, double, (size_t) k *n + 1), *rest = NEW_ARRAY(a, double, k + 1);
    measure_by_masses(n, IN(NODE(x), 0), measure);
    for (uint32_t i = 0; i < k; i++) {
        for (uint32_t j = 0; j < n; j++)
            A[(size_t) i * width + j] = J[(size_t) i * n + j] * measure[j];
        A[(size_t) i * width + n] = gamma[i];
        A[(size_t) i * width + n + 1 + i] = 1;
    }
    if (!run_reduce(k, n, width, A)) return false;
    for (uint32_t i = 0; i < k; i++) {
        for (uint32_t j = 0; j < n; j++)
            R[(size_t) i * n + j] = A[(size_t) i * width + j] / measure[j];
        rest[i] = A[(size_t) i * width + n];
    }
    if (!solve_kkt(r, x, k, R, rest, y)) return false;
    memcpy(rest, y + n, k * sizeof *rest);
    for (uint32_t j = 0; j < k; j++) {
        y[n + j] = 0;
        for (uint32_t i = 0; i < k; i++) y[n + j] += A[(size_t) i * width + n + 1 + j] * rest[i];
    }
    return true;
}

static bool op_kkt(runner *r, quantity x)
{
    const sheet_node *node = NODE(x);
    arena *a = &r->ctx->scratch;
    const uint32_t n = NODE(node->in[0])->rows, rows = NODE(node->in[1])->rows;
    const double *J = IN(node, 1), *gamma = IN(node, 3), before = r->rcond;
    uint32_t *order = NEW_ARRAY(a, uint32_t, rows + 1);
    if (!rank_of(r, x, node->in[1], rows, n, order)) return false;
    const uint32_t k = node->rank;
    const double *Js = gather_rows(a, J, n, order, k), *rest = gather_rows(a, gamma, 1, order, k);
    double *y = NEW_ARRAY(a, double, (size_t) n + k), *out = r->value[x];
    if (!solve_kkt(r, x, k, Js, rest, y)) {
        const run_failure failure = r->failure;
        r->rcond = before;
        if (!solve_reduced(r, x, k, Js, rest, y)) {
            r->failure = failure;
            return false;
        }
    }
    memcpy(out, y, n * sizeof *out);
    if (k == rows) { /* unscramble the order of the pivoting */
        for (uint32_t j = 0; j < k; j++) out[n + order[j]] = y[n + j];
        return true;
    }
    r->redundant = true;
    return consistent(r, x, out) && least_multipliers(r, x, J, rows, n, Js, k, y + n, out + n);
}

/* J for accelerations measured by √M_ii (by J where there is none), its rows, and b with them, brought to a largest entry of 1: the
 * singular values that tell the null space are those of no units. */
static const double *measured_rows(arena *a, uint32_t rows, uint32_t n, const double *M,
                                   const double *J, double *b, double *measure)
{
    double *A = NEW_ARRAY(a, double, (size_t) rows *n + 1);
    measure_by_masses(n, M, measure);
    memcpy(A, linear_in_units(a, rows, n, J, measure), (size_t) rows * n * sizeof *A);
    for (uint32_t i = 0; i < rows; i++) {
        double largest = 0;
        for (uint32_t j = 0; j < n; j++)
            if (M[(size_t) j * n + j] > 0) largest = fmax(largest, fabs(A[(size_t) i * n + j]));
        for (uint32_t j = 0; largest == 0 && j < n; j++)
            largest = fmax(largest, fabs(A[(size_t) i * n + j]));
        if (!(largest > 0)) continue;
        for (uint32_t j = 0; j < n; j++) A[(size_t) i * n + j] /= largest;
        b[i] /= largest;
    }
    for (uint32_t j = 0; j < n; j++) {
        double largest = 0;
        if (M[(size_t) j * n + j] > 0) continue;
        for (uint32_t i = 0; i < rows; i++) largest = fmax(largest, fabs(A[(size_t) i * n + j]));
        if (!(largest > 0)) continue;
        measure[j] /= largest;
        for (uint32_t i = 0; i < rows; i++) A[(size_t) i * n + j] /= largest;
    }
    return A;
}

/* Combinations of independent rows, and b with them, that are not almost parallel. */
static const double *apart(arena *a, uint32_t rows, uint32_t n, const double *J, double *b)
{
    const uint32_t width = n + 1;
    double *A = NEW_ARRAY(a, double, (size_t) rows *width + 1),
           *out = NEW_ARRAY(a, double, (size_t) rows *n + 1);
    for (uint32_t i = 0; i < rows; i++) {
        memcpy(A + (size_t) i * width, J + (size_t) i * n, n * sizeof *A);
        A[(size_t) i * width + n] = b[i];
    }
    if (!run_reduce(rows, n, width, A)) return J;
    for (uint32_t i = 0; i < rows; i++) {
        memcpy(out + (size_t) i * n, A + (size_t) i * width, n * sizeof *A);
        b[i] = A[(size_t) i * width + n];
    }
    return out;
}

static bool op_gauss(runner *r, quantity x)
{
    const sheet_node *node = NODE(x);
    arena *a = &r->ctx->scratch;
    const uint32_t n = NODE(node->in[0])->rows, rows = NODE(node->in[1])->rows;
    const double *M = IN(node, 0), *J = IN(node, 1), *L = IN(node, 2), *gamma = IN(node, 3);
    if (!rank_of(r, x, node->in[1], rows, n, NULL)) return false;
    const uint32_t m = n - node->rank;
    double *N = NEW_ARRAY(a, double, (size_t) n *m + 1), *b = NEW_ARRAY(a, double, rows + 1);
    double *NT = NEW_ARRAY(a, double, (size_t) n *m + 1), *acc = r->value[x];
    double *A = NEW_ARRAY(a, double, (size_t) m *m + 1),
           *MN = NEW_ARRAY(a, double, (size_t) n *m + 1);
    double *rest = NEW_ARRAY(a, double, n), *rhs = NEW_ARRAY(a, double, m + 1);
    double *y = NEW_ARRAY(a, double, m + 1);
    for (uint32_t i = 0; i < rows; i++) b[i] = -gamma[i];
    double *measure = NEW_ARRAY(a, double, n);
    const double *measured = measured_rows(a, rows, n, M, J, b, measure);
    if (rows == node->rank) measured = apart(a, rows, n, measured, b);
    linear_null_space(a, rows, n, node->rank, measured, b, N, acc);
    for (uint32_t i = 0; i < n; i++) {
        acc[i] *= measure[i];
        for (uint32_t j = 0; j < m; j++) N[(size_t) i * m + j] *= measure[i];
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++) NT[(size_t) j * n + i] = N[(size_t) i * m + j];
    linear_multiply(n, n, m, M, N, MN);
    linear_multiply(m, n, m, NT, MN, A);
    linear_multiply(n, n, 1, M, acc, rest);
    for (uint32_t i = 0; i < n; i++) rest[i] = L[i] - rest[i];
    linear_multiply(m, n, 1, NT, rest, rhs);
    if (!solve(r, x, m, 1, A, rhs, y)) return false;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++) acc[i] += N[(size_t) i * m + j] * y[j];
    return rows == node->rank || consistent(r, x, acc);
}

static bool chosen(const uint32_t *list, uint32_t count, uint32_t x)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == x) return true;
    return false;
}

/* pivots: the m independent columns ascending, then the dependent ones ascending. */
static void sort_pivots(uint32_t n, uint32_t m, const uint32_t *independent, uint32_t *pivots)
{
    uint32_t i = 0, d = m;
    for (uint32_t j = 0; j < n; j++) {
        if (chosen(independent, m, j))
            pivots[i++] = j;
        else
            pivots[d++] = j;
    }
}

/* How good the choice of independent columns is: the reciprocal condition number of (E ; J), rows
 * of J scaled to one. J_D alone would not do: a single small entry is perfectly conditioned. */
static double pivot_quality(runner *r, uint32_t n, uint32_t m, const double *Js,
                            const uint32_t *pivots)
{
    double *B = NEW_ARRAY(&r->ctx->scratch, double, (size_t) n *n);
    for (uint32_t i = 0; i < m; i++) B[(size_t) i * n + pivots[i]] = 1;
    for (uint32_t i = m; i < n; i++) {
        const double *row = Js + (size_t) (i - m) * n;
        double norm = 0;
        for (uint32_t j = 0; j < n; j++) norm = hypot(norm, row[j]);
        for (uint32_t j = 0; j < n; j++) B[(size_t) i * n + j] = row[j] / norm;
    }
    return linear_reciprocal_condition(&r->ctx->scratch, n, B);
}

static void choose_pivots(runner *r, quantity x, const double *Js, uint32_t n)
{
    const sheet_node *node = NODE(x);
    arena *a = &r->ctx->scratch;
    const uint32_t k = node->rank, m = n - k;
    uint32_t *pivots = r->pivots[x];
    Js = linear_in_units(a, k, n, Js, units_of(r->sheet, n));
    if (node->index) {
        sort_pivots(n, m, node->index, pivots);
        if (pivot_quality(r, n, m, Js, pivots) > LINEAR_BAD_PIVOTS) return;
    }
    uint32_t *order = NEW_ARRAY(a, uint32_t, n + 1);
    linear_column_order(a, k, n, Js, order);
    sort_pivots(n, m, order + k, pivots);
}

static bool run_chart(runner *r, quantity x)
{
    const sheet_node *node = NODE(x);
    arena *a = &r->ctx->scratch;
    const uint32_t rows = NODE(node->in[0])->rows, n = NODE(node->in[0])->cols;
    const uint32_t k = node->rank, m = n - k;
    const double *J = IN(node, 0), *gamma = IN(node, 1);
    uint32_t *order = NEW_ARRAY(a, uint32_t, rows + 1);
    if (!rank_of(r, x, node->in[0], rows, n, order)) return false;
    const double *Js = gather_rows(a, J, n, order, k);
    const double *gs = gather_rows(a, gamma, 1, order, k);
    choose_pivots(r, x, Js, n);
    const uint32_t *I = r->pivots[x], *D = I + m;
    double *out = r->value[x];
    memset(out, 0, (size_t) node->rows * node->cols * sizeof *out);
    if (node->op == SHEET_INDEPENDENT) {
        for (uint32_t i = 0; i < m; i++) out[(size_t) i * n + I[i]] = 1;
        return true;
    }
    const uint32_t cols = node->cols;
    const double *rhs = node->op == SHEET_CHART ? gather_cols(a, Js, k, n, I, m) : gs;
    double *y = NEW_ARRAY(a, double, (size_t) k *cols + 1);
    if (!solve(r, x, k, cols, gather_cols(a, Js, k, n, D, k), rhs, y)) return false;
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < cols; j++)
            out[(size_t) D[i] * cols + j] = -y[(size_t) i * cols + j];
    for (uint32_t i = 0; node->op == SHEET_CHART && i < m; i++) out[(size_t) I[i] * cols + i] = 1;
    return true;
}

static bool op_chart(runner *r, quantity x)
{
    return run_chart(r, x);
}

static bool op_drift(runner *r, quantity x)
{
    return run_chart(r, x);
}

static bool op_independent(runner *r, quantity x)
{
    return run_chart(r, x);
}

static bool op_annihilator(runner *r, quantity x)
{
    const sheet_node *A = NODE(NODE(x)->in[0]);
    const double *unit = units_of(r->sheet, A->rows);
    const uint32_t rows = A->rows, cols = A->cols, count = rows - cols;
    double *Psi = NEW_ARRAY(&r->ctx->scratch, double, (size_t) rows *cols + 1);
    for (uint32_t i = 0; i < rows; i++) /* velocities in units of their own size */
        for (uint32_t j = 0; j < cols; j++)
            Psi[(size_t) i * cols + j] =
                IN(NODE(x), 0)[(size_t) i * cols + j] / (unit ? unit[i] : 1);
    if (!linear_annihilator(&r->ctx->scratch, rows, cols, Psi, r->value[x]))
        return run_fail(r, x, "the parametrisation loses rank", cols - 1, cols);
    for (uint32_t i = 0; unit && i < count; i++)
        for (uint32_t j = 0; j < rows; j++) r->value[x][(size_t) i * rows + j] /= unit[j];
    return true;
}

static bool op_leaf(runner *r, quantity x)
{
    (void) r, (void) x; /* spread_leaf has been there */
    return true;
}

static bool op_mul(runner *r, quantity x)
{
    const sheet_node *node = NODE(x);
    linear_multiply(node->rows, NODE(node->in[0])->cols, node->cols, IN(node, 0), IN(node, 1),
                    r->value[x]);
    return true;
}

/* out = a A + b B */
static bool combine(runner *r, quantity x, double a, const double *A, double b, const double *B)
{
    const size_t size = (size_t) NODE(x)->rows * NODE(x)->cols;
    for (size_t i = 0; i < size; i++) r->value[x][i] = a * A[i] + b * B[i];
    return true;
}

static bool op_add(runner *r, quantity x)
{
    return combine(r, x, 1, IN(NODE(x), 0), 1, IN(NODE(x), 1));
}

static bool op_sub(runner *r, quantity x)
{
    return combine(r, x, 1, IN(NODE(x), 0), -1, IN(NODE(x), 1));
}

static bool op_neg(runner *r, quantity x)
{
    const size_t size = (size_t) NODE(x)->rows * NODE(x)->cols;
    for (size_t i = 0; i < size; i++) r->value[x][i] = -IN(NODE(x), 0)[i];
    return true;
}

/* Entry (row[i], col[j]) of the operand at (i, j); NULL: i and j themselves. */
static bool pick(runner *r, quantity x, const uint32_t *row, const uint32_t *col)
{
    const sheet_node *node = NODE(x);
    const size_t stride = NODE(node->in[0])->cols;
    double *out = r->value[x];
    for (uint32_t i = 0; row && stride == 1 && i < node->rows; i++) out[i] = IN(node, 0)[row[i]];
    if (row && stride == 1) return true;
    for (uint32_t i = 0; i < node->rows; i++)
        for (uint32_t j = 0; j < node->cols; j++)
            *out++ = IN(node, 0)[(row ? row[i] : i) * stride + (col ? col[j] : j)];
    return true;
}

static bool op_rows(runner *r, quantity x)
{
    return pick(r, x, NODE(x)->index, NULL);
}

static bool op_cols(runner *r, quantity x)
{
    return pick(r, x, NULL, NODE(x)->index);
}

static bool op_transpose(runner *r, quantity x)
{
    const uint32_t rows = NODE(x)->rows, cols = NODE(x)->cols;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < cols; j++)
            r->value[x][(size_t) i * cols + j] = IN(NODE(x), 0)[(size_t) j * rows + i];
    return true;
}

/* Operand k with its first entry at (row, col). */
static void place(runner *r, quantity x, int k, uint32_t row, uint32_t col)
{
    const sheet_node *A = NODE(NODE(x)->in[k]);
    for (uint32_t i = 0; i < A->rows && A->cols; i++)
        memcpy(r->value[x] + (size_t) (row + i) * NODE(x)->cols + col,
               IN(NODE(x), k) + (size_t) i * A->cols, A->cols * sizeof(double));
}

static bool op_stack(runner *r, quantity x)
{
    place(r, x, 0, 0, 0);
    place(r, x, 1, NODE(NODE(x)->in[0])->rows, 0);
    return true;
}

static bool op_beside(runner *r, quantity x)
{
    place(r, x, 0, 0, 0);
    place(r, x, 1, 0, NODE(NODE(x)->in[0])->cols);
    return true;
}

static bool op_reshape(runner *r, quantity x)
{
    const size_t size = (size_t) NODE(x)->rows * NODE(x)->cols;
    if (size) memcpy(r->value[x], IN(NODE(x), 0), size * sizeof(double));
    return true;
}

static bool op_solve(runner *r, quantity x)
{
    const sheet_node *node = NODE(x);
    return solve(r, x, node->rows, node->cols, IN(node, 0), IN(node, 1), r->value[x]);
}

static bool (*const operation[SHEET_OPERATIONS])(runner *r, quantity x) = {
#define X(op, word) [SHEET_##op] = op_##word,
#include "operations.def"
#undef X
};

bool run_at(runner *r, const frame *values, run_failure *failure)
{
    if (r->arena) make_values(r, r->arena);
    r->rcond = 1;
    r->values = values;
    r->redundant = false;
    expr_plan_run(r->plan, values, r->entries);
    for (quantity x = 0; x < r->nodes; x++)
        if (r->needed[x] && NODE(x)->op == SHEET_LEAF && !r->sparse[x]) spread_leaf(r, x);
    for (quantity x = 0; x < r->nodes; x++) {
        if (!r->needed[x] || r->sparse[x]) continue;
        const arena_mark mark = arena_get_mark(&r->ctx->scratch);
        const bool good =
            run_sparse_takes(r, x) ? run_sparse_node(r, x) : operation[NODE(x)->op](r, x);
        arena_release(&r->ctx->scratch, mark);
        if (good) continue;
        *failure = r->failure;
        return false;
    }
    return true;
}

const double *run_get(const runner *r, quantity x)
{
    assert(x != QUANTITY_NONE && r->needed[x]);
    if (r->sparse[x]) { /* asked for as an operand: balls.c looks for pivots in them */
        assert(NODE(x)->op == SHEET_LEAF);
        if (!r->value[x]) r->value[x] = dense_value(r, &r->ctx->job, NODE(x));
        spread_leaf(r, x);
    }
    return r->value[x];
}

double run_reciprocal_condition(const runner *r)
{
    return r->rcond;
}

bool run_redundant(const runner *r)
{
    return r->redundant;
}

const uint32_t *run_independent(const runner *r, quantity chart)
{
    return r->pivots[chart];
}
