/* derive/quasi_orthonormal.c - the frame in which T = ½ Σ ω² [H, 236].
 *
 *     b M⁻¹ bᵀ = 1      ⇔      Bᵀ M B = 1,  B = b⁻¹
 *
 * Gram and Schmidt's method on the rows of a given frame f = b v + c in the metric M⁻¹, the bound
 * ones first, so that the constraints stay constraints:
 *
 *     b₀ M⁻¹ b₀ᵀ = L D Lᵀ,      f = D^(−1/2) L⁻¹ f₀
 *
 * Roots are taken once, at the end. */
#include "quasi.h"

/* Lower triangle of a symmetric matrix, dense and row-major: A = L D Lᵀ in place, D on the
 * diagonal. No pivoting: the matrices are positive definite. */
static void factor(mechanics *k, uint32_t n, ah_expr *A)
{
    ah_ctx *ctx = k->ctx;
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = j; i < n; i++) {
            ah_expr sum = A[i * n + j];
            for (uint32_t l = 0; l < j; l++) /* L_il D_l L_jl */
                sum = expr_sub(
                    ctx, sum,
                    expr_product(ctx, 3, (ah_expr[]){A[i * n + l], A[l * n + l], A[j * n + l]}));
            if (i > j) sum = expr_div(ctx, sum, A[j * n + j]);
            A[i * n + j] = algebra_simplify(k->alg, sum);
            ctx_tick(ctx);
        }
}

/* X ← L⁻¹ X, n × cols. */
static void forward(mechanics *k, uint32_t n, const ah_expr *L, uint32_t cols, ah_expr *X)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t c = 0; c < cols; c++) {
            ah_expr sum = X[i * cols + c];
            for (uint32_t l = 0; l < i; l++)
                sum = expr_sub(k->ctx, sum, expr_mul(k->ctx, L[i * n + l], X[l * cols + c]));
            X[i * cols + c] = algebra_simplify(k->alg, sum);
        }
}

/* b₀ M⁻¹ b₀ᵀ from M = L D Lᵀ: with Y = L⁻¹ b₀ᵀ it is Yᵀ D⁻¹ Y. */
static ah_expr *inverse_metric(mechanics *k, mat b0)
{
    const uint32_t n = k->n;
    ah_expr *M = mat_to_dense(k->ctx, k->arena, mechanics_mass(k));
    ah_expr *Y = mat_to_dense(k->ctx, k->arena, mat_transpose(k->ctx, k->arena, b0));
    ah_expr *G = NEW_ARRAY(k->arena, ah_expr, (size_t) n * n);
    factor(k, n, M);
    forward(k, n, M, n, Y);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++) {
            ah_expr sum = expr_int(k->ctx, 0);
            for (uint32_t l = 0; l < n; l++)
                sum = expr_add(
                    k->ctx, sum,
                    expr_div(k->ctx, expr_mul(k->ctx, Y[l * n + i], Y[l * n + j]), M[l * n + l]));
            G[i * n + j] = algebra_simplify(k->alg, sum);
            G[j * n + i] = G[i * n + j];
        }
    return G;
}

static bool has_frame(mechanics *k, const quasi *w)
{
    if (w->nonlinear || algebra_regular(k->alg, mechanics_mass(k)) == AH_FALSE) return false;
    for (uint32_t i = 0; i < mat_entries(mechanics_mass(k)); i++) /* T must be quadratic */
        if (expr_depends_kind(k->ctx, mechanics_mass(k).val[i], AH_VELOCITY)) return false;
    return true;
}

quasi *quasi_orthonormalise(mechanics *k, const quasi *w)
{
    if (!has_frame(k, w)) return NULL;
    const uint32_t n = k->n;
    uint32_t *order = NEW_ARRAY(k->arena, uint32_t, n);
    for (uint32_t i = 0; i < w->r; i++) order[i] = w->bound[i];
    for (uint32_t i = w->r; i < n; i++) order[i] = w->free[i - w->r];
    ah_expr *G = inverse_metric(k, mat_rows(k->ctx, k->arena, w->f_v, order, n));
    ah_expr *f = mat_to_dense(k->ctx, k->arena, mat_rows(k->ctx, k->arena, w->f, order, n));
    factor(k, n, G);
    forward(k, n, G, 1, f);

    quasi *out = NEW(k->arena, quasi);
    *out = *w;
    out->origin = QUASI_ORTHONORMAL;
    out->inverted = false;
    ah_expr *omega = NEW_ARRAY(k->arena, ah_expr, n), *dot = NEW_ARRAY(k->arena, ah_expr, n);
    ah_expr *g = NEW_ARRAY(k->arena, ah_expr, n);
    for (uint32_t i = 0; i < n; i++) {
        omega[order[i]] = quasi_symbol(k, "omega", order[i] + 1);
        dot[order[i]] = expr_dot(k->ctx, omega[order[i]]);
        const ah_expr size = expr_div(k->ctx, expr_int(k->ctx, 1), G[i * n + i]);
        const ah_expr root = expr_call1(k->ctx, AH_SQRT, algebra_simplify(k->alg, size));
        g[order[i]] = algebra_simplify(k->alg, expr_mul(k->ctx, root, f[i]));
    }
    out->omega = mat_from_dense(k->ctx, k->arena, n, 1, omega);
    out->omegadot = mat_from_dense(k->ctx, k->arena, n, 1, dot);
    out->f = mat_from_dense(k->ctx, k->arena, n, 1, g);
    out->nonlinear = NULL;
    quasi_differentiate(k, out);
    return out;
}
