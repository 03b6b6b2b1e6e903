/* t_matrix.c - matrices: every result multiplied back, or compared with another way to it. */
#include "algebra_support.h"
#include "base/base.h"

/* The mass matrix of n equal pendulums in a chain, absolute angles:
 * (n − max(i, j)) m l² cos(q_i − q_j). */
static mat chain(ah_ctx *ctx, uint32_t n)
{
    ah_expr *M = NEW_ARRAY(&ctx->job, ah_expr, n * n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            M[i * n + j] = read_expr(
                ctx, arena_printf(&ctx->job, "%u*m*L^2*cos(q%u - q%u)", n - (i > j ? i : j), i, j));
    return mat_from_dense(ctx, &ctx->job, n, n, M);
}

static bool proved_identity(algebra *alg, ah_ctx *ctx, mat m)
{
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t j = 0; j < m.cols; j++) {
            const ah_expr want = expr_int(ctx, i == j);
            if (algebra_equal(alg, mat_get(ctx, m, i, j), want) != AH_TRUE) return false;
        }
    return true;
}

static void check_inverse(ah_ctx *ctx, algebra *alg, mat m)
{
    mat inverse;
    bool singular;
    REQUIRE(algebra_inverse(alg, m, &inverse, &singular));
    CHECK(!singular);
    CHECK(proved_identity(alg, ctx, mat_mul(ctx, &ctx->job, m, inverse)));
}

static void inverses(ah_ctx *ctx, algebra *alg)
{
    static const char *const matrices[] = {
        "m*cos(x)",
        "A, R*sin(x); R*sin(x), m",
        "1/x, y, 0; z, sin(x)/cos(x), 1; x*y, 1/(x + 1), m",
        "0, 1, 0, 0; x, 0, 0, 0; 0, 0, 0, y; 0, 0, sin(x), cos(x)",
        "sqrt(x^2 + y^2), x; y, exp(x)",
        "f(x), 1; 1, f(y)",
    };
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        check_inverse(ctx, alg, read_mat(ctx, matrices[i]));
    for (uint32_t n = 1; n <= 4; n++) check_inverse(ctx, alg, chain(ctx, n));
}
TEST(inverse_times_matrix_is_one)
{
    run_with_algebra(inverses);
}

static void diagonal(ah_ctx *ctx, algebra *alg)
{
    enum { N = 60 };
    mat_entry entries[N];
    for (uint32_t i = 0; i < N; i++)
        entries[i] = (mat_entry){i, (i + 7) % N,
                                 read_expr(ctx, arena_printf(&ctx->job, "M%u + cos(q%u)^2", i, i))};
    const mat m = mat_from_entries(ctx, &ctx->job, N, N, entries, N);
    mat inverse;
    bool singular;
    ah_expr det;
    REQUIRE(algebra_inverse(alg, m, &inverse, &singular));
    CHECK_INT(mat_entries(inverse), N);
    CHECK(proved_identity(alg, ctx, mat_mul(ctx, &ctx->job, inverse, m)));
    CHECK(algebra_det(alg, m, &det));
    CHECK_INT(algebra_regular(alg, m), AH_TRUE);
    CHECK_INT(algebra_rank(alg, m, NULL, NULL), N);
}
TEST(blocks_of_any_number)
{
    run_with_algebra(diagonal);
}

/* Leibniz' formula for comparison. */
static ah_expr leibniz(ah_ctx *ctx, mat m, uint32_t row, uint32_t used)
{
    if (row == m.rows) return expr_int(ctx, 1);
    ah_expr sum = expr_int(ctx, 0);
    for (uint32_t j = 0; j < m.cols; j++) {
        if (used >> j & 1) continue;
        const int inversions = __builtin_popcount(used >> j);
        const ah_expr inner = leibniz(ctx, m, row + 1, used | 1u << j);
        const ah_expr factors[] = {expr_int(ctx, inversions % 2 ? -1 : 1), mat_get(ctx, m, row, j),
                                   inner};
        sum = expr_add(ctx, sum, expr_product(ctx, 3, factors));
    }
    return sum;
}

static void determinants(ah_ctx *ctx, algebra *alg)
{
    static const char *const matrices[] = {
        "x",
        "0, 1; 1, 0",
        "0, x, 0; 0, 0, y; z, 0, 0",
        "0, 0, 0, x; 0, y, z, 0; 0, m, cos(x), 0; sin(x), 0, 0, 0",
        "cos(x), -sin(x), 0; sin(x), cos(x), 0; x, y, 1",
        "1/x, 1/y, z; x, y/z, 1; m, R, A",
        "1, x, x^2, x^3; 1, y, y^2, y^3; 1, z, z^2, z^3; 1, m, m^2, m^3",
    };
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        const mat m = read_mat(ctx, matrices[i]);
        ah_expr det;
        REQUIRE(algebra_det(alg, m, &det));
        CHECK(same_values(ctx, det, leibniz(ctx, m, 0, 0)));
    }
}
TEST(determinants_as_leibniz_says)
{
    run_with_algebra(determinants);
}

static void systems(ah_ctx *ctx, algebra *alg)
{
    const mat m = read_mat(ctx, "A*sin(x)^2 + m, R*cos(x), 0; R*cos(x), m/x, 0; 0, 0, y");
    const mat b = read_mat(ctx, "m*g, x'; sin(x)*x'^2, 0; 1/z, y");
    mat x;
    bool singular;
    REQUIRE(algebra_solve(alg, m, b, &x, &singular));
    CHECK(same_values_mat(ctx, mat_mul(ctx, &ctx->job, m, x), b));
    const mat bad = read_mat(ctx, "cos(x), sin(x); cos(x)^2, sin(x)*cos(x)");
    const mat right = read_mat(ctx, "1; 2");
    CHECK(!algebra_solve(alg, bad, right, &x, &singular) && singular);
    CHECK(!algebra_inverse(alg, bad, &x, &singular) && singular);
    CHECK(!algebra_inverse(alg, read_mat(ctx, "0, 0; 1, x"), &x, &singular) && singular);
    ah_expr det;
    CHECK(algebra_det(alg, bad, &det) && expr_is_zero(ctx, det));
    CHECK_INT(algebra_regular(alg, bad), AH_FALSE);
    CHECK_INT(algebra_regular(alg, m), AH_TRUE);
    /* sqrt(x²) − |x| is zero, f(x) − f(y) is not, log(xy) − log x − log y cannot be decided */
    CHECK_INT(algebra_regular(alg, read_mat(ctx, "sqrt(x^2) - abs(x)")), AH_FALSE);
    CHECK_INT(algebra_regular(alg, read_mat(ctx, "f(x), f(y); 1, 1")), AH_TRUE);
    CHECK_INT(algebra_regular(alg, read_mat(ctx, "log(x*y) - log(x), log(y); 1, 1")), AH_UNKNOWN);
}
TEST(systems_are_solved)
{
    run_with_algebra(systems);
}

/* ---- Rank ------------------------------------------------------------------------------------ */

static void check_rank(ah_ctx *ctx, algebra *alg, const char *text_of, int want,
                       const char *rows_of)
{
    const mat m = read_mat(ctx, text_of);
    uint32_t *rows = NEW_ARRAY(&ctx->job, uint32_t, m.rows);
    bool proved;
    const int rank = algebra_rank(alg, m, rows, &proved);
    CHECK_INT(rank, want);
    CHECK(proved);
    for (int i = 0; i < rank && rank == want; i++) CHECK_INT(rows[i], rows_of[i] - '0');
}

static void ranks(ah_ctx *ctx, algebra *alg)
{
    /* Hamel's tire and cart (his 230, 231), the latter with a redundant row first and last */
    check_rank(ctx, alg, "1,0,0,0,-R*cos(x); 0,1,0,0,-R*sin(x)", 2, "01");
    check_rank(ctx, alg,
               "cos(x), sin(x), b, R, 0; cos(x), sin(x), -b, 0, R; sin(x), -cos(x), 0, 0, 0", 3,
               "012");
    check_rank(ctx, alg,
               "0,0,0,0,0; cos(x), sin(x), b, R, 0; cos(x), sin(x), -b, 0, R; 0, 0, 2*b, R, -R;"
               "sin(x), -cos(x), 0, 0, 0",
               3, "124");
    check_rank(ctx, alg, "sin(x)^2, 1; 1 - cos(x)^2, 1", 1, "0");
    check_rank(ctx, alg, "sin(2*x), cos(x); 2*sin(x), 1", 1, "0");
    check_rank(ctx, alg, "sqrt(x^2 + y^2), x^2 + y^2; 1, sqrt(x^2 + y^2)", 1, "0");
    check_rank(ctx, alg, "sqrt(x^2 + y^2), x; y, 1", 2, "01");
    check_rank(ctx, alg, "sqrt(2), 2; 1, sqrt(2); sqrt(3), sqrt(6)", 1, "0");
    check_rank(ctx, alg, "sqrt(5), sqrt(7); sqrt(7), sqrt(5)", 2, "01");
    check_rank(ctx, alg, "exp(x + y), exp(x); exp(y), 1", 1, "0");
    check_rank(ctx, alg, "x^(1/3), x^(2/3); 1, x^(1/3)", 1, "0");
    check_rank(ctx, alg, "sinh(2*x), cosh(x); 2*sinh(x), 1", 1, "0");
    check_rank(ctx, alg, "f(x), h(x); h(x), f(x)", 2, "01");
    check_rank(ctx, alg, "cos(x + pi/6), sin(x); sqrt(3)*cos(x)/2 - sin(x)/2, sin(x)", 1, "0");
    check_rank(ctx, alg, "0, 0; 0, 0", 0, "");
    for (int k = 1; k < 12; k++) /* some radicands are no squares at the first point */
        check_rank(ctx, alg,
                   arena_printf(&ctx->job, "sqrt(x + %d*y), x + %d*y; 1, sqrt(x + %d*y)", k, k, k),
                   1, "0");
}
TEST(ranks_with_proof)
{
    run_with_algebra(ranks);
}

static void large_rank(ah_ctx *ctx, algebra *alg)
{
    enum { N = 2000 }; /* a chain of rods, every fifth constraint repeated */
    LIST(mat_entry) entries = {0};
    uint32_t rows = 0;
    for (uint32_t i = 0; i < N; i++) {
        const ah_expr c = read_expr(ctx, arena_printf(&ctx->job, "x%u - x%u", i, i + 1));
        const ah_expr s = read_expr(ctx, arena_printf(&ctx->job, "y%u - y%u", i, i + 1));
        for (int k = 0; k < (i % 5 ? 1 : 2); k++, rows++) {
            LIST_PUSH(&ctx->job, &entries, ((mat_entry){rows, 2 * i, c}));
            LIST_PUSH(&ctx->job, &entries, ((mat_entry){rows, 2 * i + 1, s}));
            LIST_PUSH(&ctx->job, &entries, ((mat_entry){rows, 2 * i + 2, expr_neg(ctx, c)}));
            LIST_PUSH(&ctx->job, &entries, ((mat_entry){rows, 2 * i + 3, expr_neg(ctx, s)}));
        }
    }
    const mat J = mat_from_entries(ctx, &ctx->job, rows, 2 * N + 2, entries.at, entries.count);
    const double begin = base_clock();
    CHECK_INT(algebra_rank(alg, J, NULL, NULL), N);
    CHECK(base_clock() - begin < 1);
}
TEST(rank_of_a_long_chain)
{
    run_with_algebra(large_rank);
}

/* The transposed: which velocities depend on the others. All x suffice, and each y would be reduced along the whole chain. */
static void large_choice(ah_ctx *ctx, algebra *alg)
{
    enum { N = 2000 };
    LIST(mat_entry) entries = {0};
    for (uint32_t i = 0; i < 2 * N; i++)
        for (uint32_t k = i % N; k < N && k < i % N + 2; k++)
            LIST_PUSH(&ctx->job, &entries, ((mat_entry){i, k, expr_int(ctx, 1 + (i + 3 * k) % 7)}));
    const mat J = mat_from_entries(ctx, &ctx->job, 2 * N, N, entries.at, entries.count);
    uint32_t *rows = NEW_ARRAY(&ctx->job, uint32_t, 2 * N);
    const double work = base_work();
    CHECK_INT(algebra_rank(alg, J, rows, NULL), N);
    for (uint32_t i = 0; i < N; i++) CHECK_INT(rows[i], i);
    CHECK(base_work() - work < 0.05);
}
TEST(choice_of_a_long_chain)
{
    run_with_algebra(large_choice);
}

/* ---- Null space ------------------------------------------------------------------------------ */

static void check_nullspace(ah_ctx *ctx, algebra *alg, const char *text_of, const char *pivots_of)
{
    const mat m = read_mat(ctx, text_of);
    mat basis;
    uint32_t *pivots = NEW_ARRAY(&ctx->job, uint32_t, m.rows);
    REQUIRE(algebra_nullspace(alg, m, NULL, &basis, pivots));
    const int rank = algebra_rank(alg, m, NULL, NULL);
    CHECK_INT(basis.cols + (uint32_t) rank, m.cols);
    CHECK_INT(algebra_rank(alg, basis, NULL, NULL), basis.cols);
    const mat product = mat_mul(ctx, &ctx->job, m, basis);
    for (uint32_t k = 0; k < mat_entries(product); k++)
        CHECK_INT(algebra_zero(alg, product.val[k]), AH_TRUE);
    for (int i = 0; i < rank && pivots_of; i++) CHECK_INT(pivots[i], pivots_of[i] - '0');
}

static void nullspaces(ah_ctx *ctx, algebra *alg)
{
    check_nullspace(ctx, alg, "1,0,0,0,-R*cos(x); 0,1,0,0,-R*sin(x)", "01");
    check_nullspace(ctx, alg,
                    "cos(x), sin(x), b, R, 0; cos(x), sin(x), -b, 0, R; sin(x), -cos(x), 0, 0, 0",
                    NULL);
    check_nullspace(ctx, alg, "0,0,0; x, y, 1; 2*x, 2*y, 2", "2");
    check_nullspace(ctx, alg, "x - y, z, m; x', y', 1 + y", NULL);
    check_nullspace(ctx, alg, "sqrt(x^2 + y^2), x, y; 1/x, 1/y, 1/z", NULL);
    check_nullspace(ctx, alg, "f(x), sin(x), 0; 1, exp(x), x", NULL);
    check_nullspace(ctx, alg, "0, 0", "");
    check_nullspace(ctx, alg, "1, 0; 0, x", "01");
}

static void avoidance(ah_ctx *ctx, algebra *alg)
{
    nullspaces(ctx, alg);
    const mat m = read_mat(ctx, "1, R*cos(x), y");
    const bool avoid[] = {true, false, true};
    mat basis;
    uint32_t pivot;
    REQUIRE(algebra_nullspace(alg, m, avoid, &basis, &pivot));
    CHECK_INT(pivot, 1);
    const mat only = read_mat(ctx, "0, 0, y");
    REQUIRE(algebra_nullspace(alg, only, avoid, &basis, &pivot));
    CHECK_INT(pivot, 2);
}
TEST(null_spaces)
{
    run_with_algebra(avoidance);
}

/* ---- Relations ------------------------------------------------------------------------------- */

static void relations(ah_ctx *ctx, algebra *alg)
{
    /* the blade: the velocity is along the heading, so it is v (cos, sin) with v = x' cos + y' sin */
    const ah_expr blade = read_expr(ctx, "x'*sin(u) - y'*cos(u)");
    const ah_expr claim = read_expr(ctx, "x'^2 + y'^2 - (x'*cos(u) + y'*sin(u))^2");
    const ah_expr false_claim = read_expr(ctx, "x'^2 - y'^2");
    CHECK_INT(algebra_zero(alg, claim), AH_FALSE);
    REQUIRE(algebra_set_relations(alg, &blade, 1));
    CHECK_INT(algebra_zero(alg, claim), AH_TRUE);
    CHECK_INT(algebra_zero(alg, false_claim), AH_UNKNOWN);
    CHECK(expr_is_zero(ctx, algebra_simplify(alg, claim)));
    const ah_expr long_form = read_expr(ctx, "m*x'^2 + m*y'^2 + A*x'*y'*sin(u)/cos(u)");
    const ah_expr short_form = algebra_simplify(alg, long_form);
    CHECK(short_form != long_form);
    CHECK_INT(algebra_equal(alg, short_form, long_form), AH_TRUE);
    CHECK_INT(algebra_rank(alg, read_mat(ctx, "x', y'; cos(u), sin(u)"), NULL, NULL), 1);
    bool singular;
    mat inverse;
    CHECK(!algebra_inverse(alg, read_mat(ctx, "x', y'; cos(u), sin(u)"), &inverse, &singular) &&
          singular);
    CHECK_INT(algebra_regular(alg, read_mat(ctx, "x', y'; cos(u), sin(u)")), AH_FALSE);

    /* two at once, one of them of second degree, a parameter in front */
    const ah_expr both[] = {read_expr(ctx, "m*x' - m*R*z'*cos(u)"),
                            read_expr(ctx, "y'^2 + x'^2 - R^2*z'^2")};
    REQUIRE(algebra_set_relations(alg, both, 2));
    CHECK_INT(algebra_zero(alg, read_expr(ctx, "y'^2 - R^2*z'^2*sin(u)^2")), AH_TRUE);
    CHECK_INT(algebra_zero(alg, claim), AH_UNKNOWN);

    /* y = 0 makes the coefficient of x' vanish: nothing may follow from that */
    const ah_expr degenerate[] = {read_expr(ctx, "y*x' - y*z"), read_expr(ctx, "y")};
    if (algebra_set_relations(alg, degenerate, 2))
        CHECK_INT(algebra_zero(alg, read_expr(ctx, "x' - 7*z")), AH_UNKNOWN);
    const ah_expr contradiction[] = {read_expr(ctx, "x' - 1"), read_expr(ctx, "x' - 2")};
    CHECK(!algebra_set_relations(alg, contradiction, 2));
    CHECK(algebra_set_relations(alg, NULL, 0));
    CHECK_INT(algebra_zero(alg, claim), AH_FALSE);
}
TEST(modulo_relations)
{
    run_with_algebra(relations);
}

static void giving_up(ah_ctx *ctx, algebra *alg)
{
    mat m = chain(ctx, 7), inverse;
    bool singular;
    double begin = base_clock();
    CHECK(!algebra_inverse(alg, m, &inverse, &singular) && !singular);
    CHECK(base_clock() - begin < 0.2);
    algebra_set_bounds(alg, 2.0, 5);
    begin = base_clock();
    CHECK(!algebra_inverse(alg, chain(ctx, 4), &inverse, &singular));
    CHECK(base_clock() - begin < 0.2);
    CHECK_INT(algebra_rank(alg, chain(ctx, 7), NULL, NULL), 7);
}
TEST(large_matrices_are_given_up)
{
    run_with_algebra(giving_up);
}
