/* sheet/run_sparse.c - worksheets with large sparse matrices. */
#include "run_sparse.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

#define NODE(x) (&r->sheet->nodes.at[x])

/* ---- What stays sparse ----------------------------------------------------------------------- */

static bool may_be_sparse(const runner *r, quantity x)
{
    const sheet_node *node = NODE(x);
    if (node->op == SHEET_TRANSPOSE) return may_be_sparse(r, node->in[0]);
    return node->op == SHEET_LEAF && node->cols > 1;
}

/* Whether the system at x would be worth it, its matrices being leaves. */
static bool system_pays(const runner *r, quantity x)
{
    const sheet_node *node = NODE(x);
    if (node->op != SHEET_SOLVE && node->op != SHEET_KKT) return false;
    const sheet_node *M = NODE(node->in[0]), *J = node->op == SHEET_KKT ? NODE(node->in[1]) : NULL;
    if (M->op != SHEET_LEAF || (J && J->op != SHEET_LEAF)) return false;
    const size_t entries = mat_entries(M->leaf) + 2 * (size_t) (J ? mat_entries(J->leaf) : 0);
    return sparse_pays(M->rows + (J ? J->rows : 0), entries);
}

static bool any_system_pays(const runner *r)
{
    for (quantity x = 0; x < r->nodes; x++)
        if (r->needed[x] && system_pays(r, x)) return true;
    return false;
}

/* Whether y can use its k-th operand as it is stored. */
static bool accepts(const runner *r, quantity y, int k)
{
    const sheet_node *node = NODE(y);
    switch (node->op) {
    case SHEET_TRANSPOSE: return r->sparse[y];
    case SHEET_MUL: return k == 0 && !r->sparse[node->in[1]];
    case SHEET_SOLVE: return k == 0 && system_pays(r, y);
    case SHEET_KKT:
        return k < 2 && system_pays(r, y) && r->sparse[node->in[0]] && r->sparse[node->in[1]];
    default: return false;
    }
}

/* Operands that y cannot use as they are become dense; true: some did. */
static bool densify_operands(runner *r, quantity y)
{
    const sheet_node *node = NODE(y);
    bool changed = false;
    for (int k = 0; node->op != SHEET_LEAF && k < 4; k++) {
        const quantity x = node->in[k];
        if (x == QUANTITY_NONE || !r->sparse[x] || accepts(r, y, k)) continue;
        r->sparse[x] = false;
        changed = true;
    }
    if (r->sparse[y] && node->op == SHEET_TRANSPOSE && !r->sparse[node->in[0]]) {
        r->sparse[y] = false;
        changed = true;
    }
    return changed;
}

void run_sparse_choose(runner *r, arena *a, const quantity *wanted, size_t count)
{
    const size_t nodes = r->nodes;
    r->sparse = NEW_ARRAY(a, bool, nodes);
    r->system = NEW_ARRAY(a, struct sparse *, nodes);
    if (!any_system_pays(r)) return;
    for (quantity x = 0; x < nodes; x++) r->sparse[x] = r->needed[x] && may_be_sparse(r, x);
    for (size_t i = 0; i < count; i++)
        if (wanted[i] != QUANTITY_NONE) r->sparse[wanted[i]] = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (quantity x = 0; x < nodes; x++)
            if (r->needed[x] && densify_operands(r, x)) changed = true;
    }
    run_sparse_systems(r, a);
}

void run_sparse_systems(runner *r, arena *a)
{
    r->system = NEW_ARRAY(a, struct sparse *, r->nodes);
    for (quantity x = 0; x < r->nodes; x++) {
        const sheet_node *node = NODE(x);
        if (!r->needed[x] || r->sparse[x] || !run_sparse_takes(r, x)) continue;
        if (node->op == SHEET_SOLVE)
            r->system[x] = sparse_create(r->ctx, a, mat_pattern(NODE(node->in[0])->leaf));
        else if (node->op == SHEET_KKT)
            r->system[x] = sparse_create_tree(r->ctx, a, mat_pattern(NODE(node->in[0])->leaf),
                                              mat_pattern(NODE(node->in[1])->leaf),
                                              node->rank < NODE(node->in[1])->rows, node->tree);
    }
}

bool run_sparse_takes(const runner *r, quantity x)
{
    return NODE(x)->op != SHEET_LEAF && NODE(x)->op != SHEET_TRANSPOSE && r->sparse[NODE(x)->in[0]];
}

/* ---- Operations ------------------------------------------------------------------------------ */

/* A B for the stored A, or Aᵀ B. */
static bool multiply(runner *r, quantity x)
{
    const sheet_node *node = NODE(x);
    const bool turned = NODE(node->in[0])->op == SHEET_TRANSPOSE;
    const quantity leaf = turned ? NODE(node->in[0])->in[0] : node->in[0];
    const mat A = NODE(leaf)->leaf;
    const double *entry = r->entries + r->first[leaf], *B = r->value[node->in[1]];
    double *out = r->value[x];
    const uint32_t cols = node->cols;
    memset(out, 0, (size_t) node->rows * cols * sizeof *out);
    for (uint32_t i = 0; i < A.rows; i++)
        for (uint32_t p = A.start[i]; p < A.start[i + 1]; p++) {
            const size_t to = turned ? A.col[p] : i, from = turned ? i : A.col[p];
            for (uint32_t j = 0; j < cols; j++) out[to * cols + j] += entry[p] * B[from * cols + j];
        }
    return true;
}

static bool good_enough(runner *r, double rcond)
{
    r->rcond = fmin(r->rcond, rcond);
    return rcond > LINEAR_RANK_TOLERANCE;
}

static bool solve(runner *r, quantity x)
{
    const sheet_node *node = NODE(x);
    const uint32_t n = node->rows, cols = node->cols;
    const double *B = r->value[node->in[1]];
    double *b = NEW_ARRAY(&r->ctx->scratch, double, n), *y = NEW_ARRAY(&r->ctx->scratch, double, n);
    bool good =
        good_enough(r, sparse_factor(r->system[x], r->entries + r->first[node->in[0]], NULL));
    for (uint32_t j = 0; good && j < cols; j++) {
        for (uint32_t i = 0; i < n; i++) b[i] = B[(size_t) i * cols + j];
        good = sparse_solve(r->system[x], b, y);
        for (uint32_t i = 0; i < n; i++) r->value[x][(size_t) i * cols + j] = y[i];
    }
    return good || run_fail(r, x, "the matrix is singular", n - 1, n);
}

static uint32_t rank_of(runner *r, quantity leaf)
{
    const mat J = NODE(leaf)->leaf;
    const double *entry = r->entries + r->first[leaf];
    eliminate *e = eliminate_create(r->ctx, &r->ctx->scratch, J.cols);
    for (uint32_t i = 0; i < J.rows; i++)
        eliminate_add(e, J.start[i + 1] - J.start[i], J.col + J.start[i], entry + J.start[i], 0);
    return eliminate_rank(e);
}

/* Which of the two is to blame. */
static bool singular_kkt(runner *r, quantity x)
{
    const sheet_node *node = NODE(x);
    const uint32_t size = NODE(x)->rows, rank = rank_of(r, node->in[1]);
    if (rank < node->rank) return run_fail(r, x, "the constraints lose rank", rank, node->rank);
    return run_fail(r, x, "the matrix is singular", size - 1, size);
}

static double *diagonal_of(const runner *r, quantity leaf)
{
    const mat M = NODE(leaf)->leaf;
    const double *entry = r->entries + r->first[leaf];
    double *diagonal = NEW_ARRAY(&r->ctx->scratch, double, M.rows + 1);
    for (uint32_t i = 0; i < M.rows; i++)
        for (uint32_t p = M.start[i]; p < M.start[i + 1]; p++)
            if (M.col[p] == i) diagonal[i] = entry[p];
    return diagonal;
}

static double *largest_entries(const runner *r, quantity leaf)
{
    const mat J = NODE(leaf)->leaf;
    const double *entry = r->entries + r->first[leaf];
    double *largest = NEW_ARRAY(&r->ctx->scratch, double, J.rows + 1);
    for (uint32_t i = 0; i < J.rows; i++)
        for (uint32_t p = J.start[i]; p < J.start[i + 1]; p++)
            largest[i] = fmax(largest[i], fabs(entry[p]));
    return largest;
}

/* Every row of J a + γ = 0 must hold, those of dependent constraints too. */
static bool agrees(runner *r, quantity x, const double *acc)
{
    const sheet_node *node = NODE(x);
    const mat J = NODE(node->in[1])->leaf;
    const double *entry = r->entries + r->first[node->in[1]], *gamma = r->value[node->in[3]];
    const double noise = RUN_NOISE * run_acceleration_size(J.cols, acc, r->value[node->in[2]],
                                                           diagonal_of(r, node->in[0]), 1);
    const double *terms = NULL;
    for (uint32_t i = 0; i < J.rows; i++) {
        double sum = gamma[i], size = fabs(gamma[i]);
        for (uint32_t p = J.start[i]; p < J.start[i + 1]; p++) {
            sum += entry[p] * acc[J.col[p]];
            size += fabs(entry[p]) * fmax(fabs(acc[J.col[p]]), noise);
        }
        if (fabs(sum) <= RUN_CONSISTENT * size) continue;
        if (!terms) terms = run_sizes(r, node->in[3], largest_entries(r, node->in[1]));
        if (fabs(sum) > RUN_CONSISTENT * terms[i])
            return run_fail(r, x, "the constraints contradict", i, J.rows);
    }
    return true;
}

/* The largest Σ_j J_ij²/M_jj: the size of G = J M⁻¹ Jᵀ. */
static double size_of_G(const runner *r, const sheet_node *node)
{
    const mat J = NODE(node->in[1])->leaf;
    const double *j = r->entries + r->first[node->in[1]], *diagonal = diagonal_of(r, node->in[0]);
    double largest = 0;
    for (uint32_t i = 0; i < J.rows; i++) {
        double sum = 0;
        for (uint32_t p = J.start[i]; p < J.start[i + 1]; p++)
            if (diagonal[J.col[p]] > 0) sum += j[p] * j[p] / diagonal[J.col[p]];
        largest = fmax(largest, sum);
    }
    return largest > 0 ? largest : 1;
}

/* Redundant constraints: J a + δ (λ_k − λ_{k−1}) = −γ from λ_0 = 0. Every λ_k is of the form J u,
 * so what they converge to is the multipliers of least norm; each time the error falls by δ. */
static bool solve_redundant(runner *r, quantity x, const double *entry, double *b, double *y)
{
    const sheet_node *node = NODE(x);
    const uint32_t n = NODE(node->in[0])->rows, rows = NODE(node->in[1])->rows;
    const double delta = 1e-7 * size_of_G(r, node);
    const double *gamma = r->value[node->in[3]];
    double *diagonal = NEW_ARRAY(&r->ctx->scratch, double, (size_t) n + rows);
    for (uint32_t i = 0; i < rows; i++) diagonal[n + i] = delta;
    r->redundant = true;
    if (rank_of(r, node->in[1]) < node->rank) return false;
    if (!good_enough(r, sparse_factor(r->system[x], entry, diagonal))) return false;
    for (int iteration = 0; iteration < 4; iteration++) {
        for (uint32_t i = 0; i < rows; i++)
            b[n + i] = -gamma[i] + (iteration ? delta * y[n + i] : 0);
        if (!sparse_solve(r->system[x], b, y)) return false;
    }
    return true;
}

static bool kkt(runner *r, quantity x)
{
    const sheet_node *node = NODE(x);
    arena *a = &r->ctx->scratch;
    const mat M = NODE(node->in[0])->leaf, J = NODE(node->in[1])->leaf;
    const double *L = r->value[node->in[2]], *gamma = r->value[node->in[3]];
    double *entry = sparse_entries(r->system[x]);
    double *b = NEW_ARRAY(a, double, (size_t) M.rows + J.rows), *y = r->value[x];
    memcpy(entry, r->entries + r->first[node->in[0]], mat_entries(M) * sizeof *entry);
    memcpy(entry + mat_entries(M), r->entries + r->first[node->in[1]],
           mat_entries(J) * sizeof *entry);
    memcpy(b, L, M.rows * sizeof *b);
    for (uint32_t i = 0; i < J.rows; i++) b[M.rows + i] = -gamma[i];
    const bool good = node->rank < J.rows
                          ? solve_redundant(r, x, entry, b, y)
                          : good_enough(r, sparse_factor(r->system[x], entry, NULL)) &&
                                sparse_solve(r->system[x], b, y);
    if (!good) return singular_kkt(r, x);
    return node->rank == J.rows || agrees(r, x, y);
}

bool run_sparse_node(runner *r, quantity x)
{
    switch (NODE(x)->op) {
    case SHEET_SOLVE: return solve(r, x);
    case SHEET_KKT: return kkt(r, x);
    default: return multiply(r, x);
    }
}
