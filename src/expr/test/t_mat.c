/* t_mat.c - sparse matrices against dense ones. */
#include "expr_support.h"

enum { MOST = 12 };

typedef struct sample {
    ah_expr at[MOST][MOST];
    uint32_t rows, cols;
    mat m;
} sample;

static ah_expr symbol(ah_ctx *ctx, unsigned i)
{
    return expr_symbol(ctx, AH_COORDINATE, arena_printf(&ctx->job, "x%u", i));
}

/* About a third of the entries, small expressions that repeat. */
static sample random_matrix(ah_ctx *ctx, uint32_t rows, uint32_t cols)
{
    sample s = {.rows = rows, .cols = cols};
    ah_expr dense[MOST * MOST];
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < cols; j++) {
            uint64_t r = harness_random();
            ah_expr e = expr_int(ctx, (long) (r >> 8) % 7 - 3);
            if (r % 3 == 1) e = symbol(ctx, (unsigned) (r >> 16) % 4);
            if (r % 3 == 2) e = expr_int(ctx, 0);
            s.at[i][j] = dense[i * cols + j] = e;
        }
    s.m = mat_from_dense(ctx, &ctx->job, rows, cols, dense);
    return s;
}

static void check_valid(ah_ctx *ctx, mat m)
{
    CHECK_INT(m.start[0], 0);
    for (uint32_t i = 0; i < m.rows; i++) {
        CHECK(m.start[i] <= m.start[i + 1]);
        for (uint32_t k = m.start[i]; k < m.start[i + 1]; k++) {
            CHECK(m.col[k] < m.cols && !expr_is_zero(ctx, m.val[k]));
            if (k > m.start[i]) CHECK(m.col[k - 1] < m.col[k]);
        }
    }
}

/* Every entry of m against a formula of i and j. */
#define CHECK_ENTRIES(m, formula)                                                                  \
    do {                                                                                           \
        check_valid(ctx, (m));                                                                     \
        for (uint32_t i = 0; i < (m).rows; i++)                                                    \
            for (uint32_t j = 0; j < (m).cols; j++) CHECK(mat_get(ctx, (m), i, j) == (formula));   \
    } while (0)

EXPR_TEST(matrices_agree_with_dense_ones)
{
    (void) arg;
    for (int round = 0; round < 40; round++) {
        uint32_t r = 1 + (uint32_t) (harness_random() % MOST),
                 c = 1 + (uint32_t) (harness_random() % MOST);
        sample x = random_matrix(ctx, r, c), y = random_matrix(ctx, r, c);
        ah_expr s = symbol(ctx, 9);
        arena *a = round % 2 ? &ctx->job : &ctx->scratch;
        CHECK_ENTRIES(x.m, x.at[i][j]);
        CHECK_ENTRIES(mat_transpose(ctx, a, x.m), x.at[j][i]);
        CHECK_ENTRIES(mat_add(ctx, a, x.m, y.m), expr_add(ctx, x.at[i][j], y.at[i][j]));
        CHECK_ENTRIES(mat_sub(ctx, a, x.m, y.m), expr_sub(ctx, x.at[i][j], y.at[i][j]));
        CHECK_ENTRIES(mat_neg(ctx, a, x.m), expr_neg(ctx, x.at[i][j]));
        CHECK_ENTRIES(mat_scale(ctx, a, s, x.m), expr_mul(ctx, s, x.at[i][j]));
        CHECK_ENTRIES(mat_stack(ctx, a, x.m, y.m), i < r ? x.at[i][j] : y.at[i - r][j]);
        CHECK(mat_entries(mat_sub(ctx, a, x.m, x.m)) == 0);
        CHECK(mat_equal(x.m, mat_transpose(ctx, a, mat_transpose(ctx, a, x.m))));
        uint32_t pick[3] = {r - 1, 0, r / 2}, columns[3] = {c - 1, 0, c / 2};
        CHECK_ENTRIES(mat_rows(ctx, a, x.m, pick, 3), x.at[pick[i]][j]);
        CHECK_ENTRIES(mat_cols(ctx, a, x.m, columns, 3), x.at[i][columns[j]]);
        const ah_expr *dense = mat_to_dense(ctx, a, x.m);
        CHECK_ENTRIES(x.m, dense[i * c + j]);
    }
}

static ah_expr dense_product(ah_ctx *ctx, const sample *x, const sample *y, uint32_t i, uint32_t j)
{
    ah_expr terms[MOST];
    for (uint32_t k = 0; k < x->cols; k++) terms[k] = expr_mul(ctx, x->at[i][k], y->at[k][j]);
    return expr_sum(ctx, x->cols, terms);
}

EXPR_TEST(products_agree_with_dense_ones)
{
    (void) arg;
    for (int round = 0; round < 20; round++) {
        uint32_t n[3];
        for (int k = 0; k < 3; k++) n[k] = 1 + (uint32_t) (harness_random() % 8);
        sample x = random_matrix(ctx, n[0], n[1]), y = random_matrix(ctx, n[1], n[2]);
        CHECK_ENTRIES(mat_mul(ctx, &ctx->job, x.m, y.m), dense_product(ctx, &x, &y, i, j));
        mat one = mat_identity(ctx, &ctx->job, n[1]);
        CHECK(
            mat_equal(mat_mul3(ctx, &ctx->job, x.m, one, y.m), mat_mul(ctx, &ctx->job, x.m, y.m)));
        mat none = mat_zero(ctx, &ctx->job, n[1], 5);
        CHECK_INT(mat_entries(mat_mul(ctx, &ctx->job, x.m, none)), 0);
    }
}

EXPR_TEST(entries_at_one_place_add_up)
{
    (void) arg;
    ah_expr x = symbol(ctx, 0), y = symbol(ctx, 1);
    mat_entry list[] = {{2, 1, x}, {0, 3, y}, {2, 1, y},
                        {0, 0, x}, {1, 2, x}, {1, 2, expr_neg(ctx, x)}};
    mat m = mat_from_entries(ctx, &ctx->job, 3, 4, list, 6);
    check_valid(ctx, m);
    CHECK_INT(mat_entries(m), 3);
    CHECK(mat_get(ctx, m, 2, 1) == expr_add(ctx, x, y));
    CHECK(mat_get(ctx, m, 0, 3) == y && mat_get(ctx, m, 0, 0) == x);
    CHECK(expr_is_zero(ctx, mat_get(ctx, m, 1, 2)));
}

static mat random_column(ah_ctx *ctx, uint32_t rows, size_t count, const ah_expr *symbols)
{
    ah_expr f[MOST];
    for (uint32_t i = 0; i < rows; i++)
        f[i] = support_build(ctx, support_random_tree(ctx, 3, count, symbols));
    return mat_from_dense(ctx, &ctx->job, rows, 1, f);
}

/* (i + 1) a² + sin(b c) + k c in row i, a, b, c being three of the symbols. */
static mat plain_column(ah_ctx *ctx, uint32_t rows, size_t count, const ah_expr *s, long k)
{
    ah_expr f[MOST * MOST];
    for (uint32_t i = 0; i < rows; i++) {
        const ah_expr a = s[i % count], b = s[(i + 1) % count], c = s[(i + 2) % count];
        const ah_expr terms[] = {expr_mul(ctx, expr_int(ctx, (long) i + 1), expr_powi(ctx, a, 2)),
                                 expr_call1(ctx, AH_SIN, expr_mul(ctx, b, c)),
                                 expr_mul(ctx, expr_int(ctx, k), c)};
        f[i] = expr_sum(ctx, 3, terms);
    }
    return mat_from_dense(ctx, &ctx->job, rows, 1, f);
}

/* Asked for again, after others of its size: the same functions in other rows, or by other symbols, are not the same. */
EXPR_TEST(jacobians_asked_for_again_are_the_same)
{
    (void) arg;
    enum { ROWS = 20, N = 5, ASKED = 9 };
    ah_expr s[N], low[ROWS + 1], high[ROWS + 1];
    for (unsigned i = 0; i < N; i++) s[i] = symbol(ctx, i);
    const mat column = plain_column(ctx, ROWS, N, s, 1);
    for (uint32_t i = 0; i < ROWS; i++) low[i] = high[i + 1] = mat_get(ctx, column, i, 0);
    low[ROWS] = high[0] = expr_int(ctx, 0);
    const mat f = mat_from_dense(ctx, &ctx->job, ROWS + 1, 1, low);
    const mat shifted = mat_from_dense(ctx, &ctx->job, ROWS + 1, 1, high);
    for (int round = 0; round < 2 * ASKED; round++) {
        const mat J = mat_jacobian(ctx, &ctx->job, f, N, s);
        const mat other = mat_jacobian(ctx, &ctx->job, shifted, N, s);
        const mat less = mat_jacobian(ctx, &ctx->job, f, N - 1, s + 1);
        for (uint32_t i = 0; i < ROWS; i++)
            for (uint32_t j = 0; j < N; j++) {
                const ah_expr d = mat_get(ctx, J, i, j);
                CHECK(d == expr_diff(ctx, low[i], s[j]));
                CHECK(mat_get(ctx, other, i + 1, j) == d);
                CHECK(j == 0 || mat_get(ctx, less, i, j - 1) == d);
            }
        check_valid(ctx, J), check_valid(ctx, other), check_valid(ctx, less);
        mat_jacobian(ctx, &ctx->job, plain_column(ctx, ROWS, N, s, round), N,
                     s); /* others come and go */
    }
}

EXPR_TEST(jacobian_and_hessian_agree_with_diff)
{
    (void) arg;
    enum { N = 5 };
    ah_expr s[N];
    double state[16];
    for (unsigned i = 0; i < N; i++)
        s[N - 1 - i] = symbol(ctx, i); /* not in the order of handles */
    arb_t got, want;
    arb_init(got), arb_init(want);
    for (int round = 0; round < 20; round++) {
        mat f = random_column(ctx, 6, N, s);
        mat J = mat_jacobian(ctx, &ctx->job, f, N, s);
        mat H = mat_hessian(ctx, &ctx->job, mat_get(ctx, f, 0, 0), N, s);
        mat g = mat_gradient(ctx, &ctx->job, mat_get(ctx, f, 1, 0), N, s);
        check_valid(ctx, J), check_valid(ctx, H), check_valid(ctx, g);
        support_random_state(ctx, state);
        for (uint32_t i = 0; i < 6; i++)
            for (uint32_t j = 0; j < N; j++) {
                ah_expr d = expr_diff(ctx, mat_get(ctx, f, i, 0), s[j]);
                support_ball(ctx, d, state, 200, want);
                support_ball(ctx, mat_get(ctx, J, i, j), state, 200, got);
                CHECK(support_close(want, got, 80));
                if (i == 1) CHECK(mat_get(ctx, g, j, 0) == mat_get(ctx, J, 1, j));
                if (i >= N) continue;
                d = expr_diff(ctx, expr_diff(ctx, mat_get(ctx, f, 0, 0), s[i]), s[j]);
                support_ball(ctx, d, state, 200, want);
                support_ball(ctx, mat_get(ctx, H, i, j), state, 200, got);
                CHECK(support_close(want, got, 80));
            }
    }
    arb_clear(got), arb_clear(want);
}

EXPR_TEST(derivatives_of_matrices)
{
    (void) arg;
    ah_expr x = symbol(ctx, 0), y = symbol(ctx, 1), t = expr_time(ctx);
    ah_expr dense[4] = {expr_mul(ctx, x, y), expr_call1(ctx, AH_SIN, x), expr_int(ctx, 3),
                        expr_mul(ctx, t, y)};
    mat m = mat_from_dense(ctx, &ctx->job, 2, 2, dense);
    CHECK_ENTRIES(mat_derivative(ctx, &ctx->job, m, x), expr_diff(ctx, dense[2 * i + j], x));
    CHECK_ENTRIES(mat_dt(ctx, &ctx->job, m), expr_dt(ctx, dense[2 * i + j]));
    mat s = mat_subst(ctx, &ctx->job, m, 1, &x, (ah_expr[]){expr_int(ctx, 0)});
    CHECK_ENTRIES(s, expr_subst(ctx, dense[2 * i + j], 1, &x, (ah_expr[]){expr_int(ctx, 0)}));
    CHECK_INT(mat_entries(s), 2);
}

/* The patterns of a chain: T = Σ ½ m v_i², C_i = (x_i - x_{i-1})² - l². The work done is bounded by
 * the nodes it made: linear in n. */
EXPR_TEST(chains_cost_what_they_have)
{
    (void) arg;
    size_t made[2];
    for (int k = 0; k < 2; k++) {
        uint32_t n = k ? 4000 : 2000;
        ah_expr *x = NEW_ARRAY(&ctx->job, ah_expr, n), *v = NEW_ARRAY(&ctx->job, ah_expr, n);
        ah_expr *T = NEW_ARRAY(&ctx->job, ah_expr, n), *C = NEW_ARRAY(&ctx->job, ah_expr, n);
        ah_expr half_m =
            expr_mul(ctx, expr_rational(ctx, 1, 2), expr_symbol(ctx, AH_PARAMETER, "m"));
        for (uint32_t i = 0; i < n; i++) {
            x[i] = symbol(ctx, (k ? 10000u : 0u) + i);
            v[i] = expr_dot(ctx, x[i]);
            T[i] = expr_mul(ctx, half_m, expr_powi(ctx, v[i], 2));
            C[i] = expr_powi(ctx, i ? expr_sub(ctx, x[i], x[i - 1]) : x[i], 2);
        }
        size_t before = expr_pool_size(ctx);
        mat M = mat_hessian(ctx, &ctx->job, expr_sum(ctx, n, T), n, v);
        mat J = mat_jacobian(ctx, &ctx->job, mat_from_dense(ctx, &ctx->job, n, 1, C), n, x);
        made[k] = expr_pool_size(ctx) - before;
        CHECK_INT(mat_entries(M), n);
        CHECK_INT(mat_entries(J), 2 * n - 1);
        CHECK(mat_get(ctx, M, 5, 5) == expr_symbol(ctx, AH_PARAMETER, "m"));
    }
    CHECK(made[1] < 2 * made[0] + 100);
}
