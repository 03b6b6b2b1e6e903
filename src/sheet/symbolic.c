/* sheet/symbolic.c - the operations of worksheets with symbols. */
#include "symbolic.h"

/* Beyond this many rows matrices are left to numbers. */
#define SYMBOLIC_LARGEST 12

static bool solve(const symbolic *w, mat A, mat b, mat *x)
{
    bool singular;
    return A.rows <= SYMBOLIC_LARGEST && algebra_solve(w->alg, A, b, x, &singular);
}

/* a = F + M⁻¹Jᵀλ above λ = −G⁻¹(J F + γ): needs a regular M and independent constraints. */
static bool kkt(const symbolic *w, const mat *in, mat *out)
{
    const mat M = in[0], J = in[1], L = in[2], gamma = in[3],
              JT = mat_transpose(w->ctx, w->arena, J);
    mat F, X, mu;
    if (!solve(w, M, L, &F)) return false;
    if (J.rows == 0) {
        *out = F;
        return true;
    }
    if (!solve(w, M, JT, &X)) return false;
    const mat G = algebra_mul(w->alg, J, X);
    const mat slip =
        algebra_simplify_mat(w->alg, mat_add(w->ctx, w->arena, algebra_mul(w->alg, J, F), gamma));
    if (!solve(w, G, slip, &mu)) return false;
    const mat lambda = mat_neg(w->ctx, w->arena, mu);
    const mat a = mat_add(w->ctx, w->arena, F, algebra_mul(w->alg, X, lambda));
    *out = mat_stack(w->ctx, w->arena, algebra_simplify_mat(w->alg, a), lambda);
    return true;
}

static bool annihilator(const symbolic *w, mat A, mat *out)
{
    mat basis;
    if (!algebra_nullspace(w->alg, mat_transpose(w->ctx, w->arena, A), NULL, &basis, NULL))
        return false;
    *out = mat_transpose(w->ctx, w->arena, basis);
    return true;
}

static mat selection(const symbolic *w, const sheet_node *node)
{
    mat_entry *e = NEW_ARRAY(w->arena, mat_entry, node->indices);
    for (uint32_t i = 0; i < node->indices; i++)
        e[i] = (mat_entry){i, node->index[i], expr_int(w->ctx, 1)};
    return mat_from_entries(w->ctx, w->arena, node->rows, node->cols, e, node->indices);
}

static mat reshape(const symbolic *w, mat A, uint32_t rows, uint32_t cols)
{
    return mat_from_dense(w->ctx, w->arena, rows, cols, mat_to_dense(w->ctx, w->arena, A));
}

static mat beside(const symbolic *w, mat left, mat right)
{
    return mat_transpose(w->ctx, w->arena,
                         mat_stack(w->ctx, w->arena, mat_transpose(w->ctx, w->arena, left),
                                   mat_transpose(w->ctx, w->arena, right)));
}

static bool op_leaf(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    (void) in;
    *out = w->leaf(w->user, node);
    return true;
}

static bool op_mul(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    (void) node;
    *out = algebra_mul(w->alg, in[0], in[1]);
    return true;
}

static bool op_add(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    (void) node;
    *out = algebra_simplify_mat(w->alg, mat_add(w->ctx, w->arena, in[0], in[1]));
    return true;
}

static bool op_sub(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    (void) node;
    *out = algebra_simplify_mat(w->alg, mat_sub(w->ctx, w->arena, in[0], in[1]));
    return true;
}

static bool op_neg(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    (void) node;
    *out = mat_neg(w->ctx, w->arena, in[0]);
    return true;
}

static bool op_transpose(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    (void) node;
    *out = mat_transpose(w->ctx, w->arena, in[0]);
    return true;
}

static bool op_stack(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    (void) node;
    *out = mat_stack(w->ctx, w->arena, in[0], in[1]);
    return true;
}

static bool op_beside(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    (void) node;
    *out = beside(w, in[0], in[1]);
    return true;
}

static bool op_rows(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    *out = mat_rows(w->ctx, w->arena, in[0], node->index, node->indices);
    return true;
}

static bool op_cols(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    *out = mat_cols(w->ctx, w->arena, in[0], node->index, node->indices);
    return true;
}

static bool op_reshape(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    *out = reshape(w, in[0], node->rows, node->cols);
    return true;
}

static bool op_solve(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    (void) node;
    return solve(w, in[0], in[1], out);
}

static bool op_kkt(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    (void) node;
    return kkt(w, in, out);
}

/* The accelerations are the first rows. */
static bool op_gauss(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    uint32_t *rows = NEW_ARRAY(w->arena, uint32_t, node->rows + 1);
    for (uint32_t i = 0; i < node->rows; i++) rows[i] = i;
    if (!kkt(w, in, out)) return false;
    *out = mat_rows(w->ctx, w->arena, *out, rows, node->rows);
    return true;
}

/* Ψ = (1 ; −J_D⁻¹ J_I) or (0 ; −J_D⁻¹ γ) from independent rows of J, for the preferred columns. */
static bool local_chart(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    ah_ctx *ctx = w->ctx;
    const mat J = in[0];
    const uint32_t n = J.cols, k = node->rank, m = n - k;
    uint32_t *rows = NEW_ARRAY(w->arena, uint32_t, J.rows + 1);
    uint32_t *D = NEW_ARRAY(w->arena, uint32_t, n + 1), count = 0;
    if (!node->index || k > SYMBOLIC_LARGEST || algebra_rank(w->alg, J, rows, NULL) != (int) k)
        return false;
    for (uint32_t j = 0; j < n; j++) {
        bool independent = false;
        for (uint32_t i = 0; i < m; i++) independent = independent || node->index[i] == j;
        if (!independent) D[count++] = j;
    }
    const mat Js = mat_rows(ctx, w->arena, J, rows, k);
    const bool drift = node->op == SHEET_DRIFT;
    const mat right = drift ? mat_rows(ctx, w->arena, in[1], rows, k)
                            : mat_cols(ctx, w->arena, Js, node->index, m);
    mat y;
    if (count != k || !solve(w, mat_cols(ctx, w->arena, Js, D, k), right, &y)) return false;
    mat_entry *e = NEW_ARRAY(w->arena, mat_entry, (size_t) m + mat_entries(y) + 1);
    size_t entries = 0;
    for (uint32_t i = 0; !drift && i < m; i++)
        e[entries++] = (mat_entry){node->index[i], i, expr_int(ctx, 1)};
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t p = y.start[i]; p < y.start[i + 1]; p++)
            e[entries++] = (mat_entry){D[i], y.col[p], expr_neg(ctx, y.val[p])};
    *out = mat_from_entries(ctx, w->arena, n, drift ? 1 : m, e, entries);
    return true;
}

static bool op_chart(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    if (node->leaf.rows == 0) return local_chart(w, node, in, out);
    *out = w->leaf(w->user, node);
    return true;
}

static bool op_drift(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    return op_chart(w, node, in, out);
}

static bool op_independent(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    (void) in;
    *out = selection(w, node);
    return node->indices == node->rows;
}

static bool op_annihilator(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    (void) node;
    return annihilator(w, in[0], out);
}

static bool (*const operation[SHEET_OPERATIONS])(const symbolic *w, const sheet_node *node,
                                                 const mat *in, mat *out) = {
#define X(op, word) [SHEET_##op] = op_##word,
#include "operations.def"
#undef X
};

bool symbolic_needs_operands(const sheet_node *node)
{
    const bool chart = node->op == SHEET_CHART || node->op == SHEET_DRIFT;
    return node->op != SHEET_LEAF && node->op != SHEET_INDEPENDENT && !(chart && node->leaf.rows);
}

bool symbolic_operate(const symbolic *w, const sheet_node *node, const mat *in, mat *out)
{
    return operation[node->op](w, node, in, out);
}
