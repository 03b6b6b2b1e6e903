/* derive/work.c - the symbolic interpreter of worksheets. */
#include "work.h"

#include <string.h>

typedef enum work_state { NOT_YET, KNOWN, GAVE_UP } work_state;

struct work {
    const ah_equations *eq;
    work_options options;
    ah_ctx *ctx;
    algebra *alg;
    arena *arena;
    work_state *state;
    mat *value;
};

/* Beyond this many rows matrices are left to numbers. */
#define WORK_LARGEST 12

work *work_create(const ah_equations *eq, const work_options *options)
{
    mechanics *k = eq->mech;
    work *w = NEW(k->arena, work);
    w->eq = eq;
    w->options = options ? *options : (work_options){0};
    w->ctx = k->ctx;
    w->alg = k->alg;
    w->arena = k->arena;
    w->state = NEW_ARRAY(k->arena, work_state, eq->sheet->nodes.count);
    w->value = NEW_ARRAY(k->arena, mat, eq->sheet->nodes.count);
    return w;
}

static ah_expr translate(ah_ctx *ctx, void *user, ah_expr e)
{
    work *w = user;
    const ah_equations *eq = w->eq;
    if (eq->substitutions) e = expr_subst(ctx, e, eq->substitutions, eq->from, eq->to);
    if (w->options.values) model_put_values(eq->mech->model, &e, 1);
    return e;
}

ah_expr work_expression(work *w, ah_expr e)
{
    return algebra_simplify(w->alg, translate(w->ctx, w, e));
}

static mat translated(work *w, mat m)
{
    return algebra_simplify_mat(w->alg, mat_map(w->ctx, w->arena, m, translate, w));
}

/* A definition in t, q, v; only the values of parameters are put in. */
static mat written(work *w, mat m)
{
    ah_expr *e = mat_to_dense(w->ctx, w->arena, m);
    if (w->options.values) model_put_values(w->eq->mech->model, e, (size_t) m.rows * m.cols);
    return mat_from_dense(w->ctx, w->arena, m.rows, m.cols, e);
}

static bool solve(work *w, mat A, mat b, mat *x)
{
    bool singular;
    return A.rows <= WORK_LARGEST && algebra_solve(w->alg, A, b, x, &singular);
}

/* a = F + M⁻¹Jᵀλ above λ = −G⁻¹(J F + γ): needs a regular M and independent constraints. */
static bool kkt(work *w, const mat *in, mat *out)
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

static bool annihilator(work *w, mat A, mat *out)
{
    mat basis;
    if (!algebra_nullspace(w->alg, mat_transpose(w->ctx, w->arena, A), NULL, &basis, NULL))
        return false;
    *out = mat_transpose(w->ctx, w->arena, basis);
    return true;
}

static mat selection(work *w, const sheet_node *node)
{
    mat_entry *e = NEW_ARRAY(w->arena, mat_entry, node->indices);
    for (uint32_t i = 0; i < node->indices; i++)
        e[i] = (mat_entry){i, node->index[i], expr_int(w->ctx, 1)};
    return mat_from_entries(w->ctx, w->arena, node->rows, node->cols, e, node->indices);
}

static mat reshape(work *w, mat A, uint32_t rows, uint32_t cols)
{
    return mat_from_dense(w->ctx, w->arena, rows, cols, mat_to_dense(w->ctx, w->arena, A));
}

static mat beside(work *w, mat left, mat right)
{
    return mat_transpose(w->ctx, w->arena,
                         mat_stack(w->ctx, w->arena, mat_transpose(w->ctx, w->arena, left),
                                   mat_transpose(w->ctx, w->arena, right)));
}

static bool operate(work *w, const sheet_node *node, const mat *in, mat *out)
{
    ah_ctx *ctx = w->ctx;
    arena *a = w->arena;
    switch (node->op) {
    case SHEET_LEAF:
        *out = node->as_written ? written(w, node->leaf) : translated(w, node->leaf);
        return true;
    case SHEET_MUL: *out = algebra_mul(w->alg, in[0], in[1]); return true;
    case SHEET_ADD: *out = algebra_simplify_mat(w->alg, mat_add(ctx, a, in[0], in[1])); return true;
    case SHEET_SUB: *out = algebra_simplify_mat(w->alg, mat_sub(ctx, a, in[0], in[1])); return true;
    case SHEET_NEG: *out = mat_neg(ctx, a, in[0]); return true;
    case SHEET_TRANSPOSE: *out = mat_transpose(ctx, a, in[0]); return true;
    case SHEET_STACK: *out = mat_stack(ctx, a, in[0], in[1]); return true;
    case SHEET_BESIDE: *out = beside(w, in[0], in[1]); return true;
    case SHEET_ROWS: *out = mat_rows(ctx, a, in[0], node->index, node->indices); return true;
    case SHEET_COLS: *out = mat_cols(ctx, a, in[0], node->index, node->indices); return true;
    case SHEET_RESHAPE: *out = reshape(w, in[0], node->rows, node->cols); return true;
    case SHEET_SOLVE: return solve(w, in[0], in[1], out);
    case SHEET_KKT: return kkt(w, in, out);
    case SHEET_GAUSS:
        if (!kkt(w, in, out)) return false;
        *out = mat_rows(ctx, a, *out, sheet_first_rows(w->eq->sheet, node->rows), node->rows);
        return true;
    case SHEET_CHART:
    case SHEET_DRIFT: *out = translated(w, node->leaf); return node->leaf.rows > 0;
    case SHEET_INDEPENDENT: *out = selection(w, node); return node->indices == node->rows;
    case SHEET_ANNIHILATOR: return annihilator(w, in[0], out);
    }
    return false;
}

/* Local charts are displayed by their symbolic form: the J they are made from is not needed. */
static bool needs_operands(sheet_op op)
{
    return op != SHEET_LEAF && op != SHEET_CHART && op != SHEET_DRIFT && op != SHEET_INDEPENDENT;
}

bool work_out(work *w, quantity x, mat *out)
{
    const sheet_node *node = sheet_get(w->eq->sheet, x);
    if (w->state[x] == NOT_YET) {
        mat in[4] = {0};
        bool good = true;
        ctx_tick(w->ctx);
        for (int i = 0; needs_operands(node->op) && i < 4 && good; i++)
            if (node->in[i] != QUANTITY_NONE) good = work_out(w, node->in[i], &in[i]);
        good = good && operate(w, node, in, &w->value[x]);
        w->state[x] = good ? KNOWN : GAVE_UP;
    }
    *out = w->value[x];
    return w->state[x] == KNOWN;
}
