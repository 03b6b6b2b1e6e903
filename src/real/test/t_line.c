/* t_line.c - the real line cut at zeros and poles: against roots that are known. */
#include "harness.h"
#include "real/line.h"

#include <math.h>

static void cuts(ah_ctx *ctx, void *unused)
{
    (void) unused;
    algebra *alg = algebra_create(ctx, NULL, 0);
    const ah_expr x = expr_symbol(ctx, AH_SPEED, "x"), two = expr_int(ctx, 2);
    const ah_expr square = expr_sub(ctx, expr_powi(ctx, x, 2), two);            /* ±√2 */
    const ah_expr shifted = expr_add(ctx, x, expr_rational(ctx, 1, 3));         /* −1/3 */
    const ah_expr even = expr_add(ctx, expr_powi(ctx, x, 2), expr_int(ctx, 1)); /* none */
    const ah_expr e[] = {
        expr_div(ctx, expr_mul(ctx, expr_powi(ctx, square, 2), shifted), x), /* a pole, too */
        expr_mul(ctx, even, square),
        expr_rational(ctx, -7, 5),
    };
    const double want[] = {-sqrt(2), -1.0 / 3, 0, sqrt(2)};
    line all;
    CHECK(line_cut(ctx, &ctx->job, alg, x, e, 3, &all));
    CHECK_INT(all.count, 4);
    for (size_t i = 0; i < all.count && i < 4; i++) CHECK_NEAR(all.cut[i], want[i], 1, 2, "cut");
    CHECK(all.count > 2 && all.cut[2] == 0);
    /* zeros that doubles hardly tell apart: x (x − 2⁻⁴⁰) */
    const ah_expr near = expr_sub(ctx, x, expr_rational(ctx, 1, 1L << 40));
    const ah_expr both = expr_mul(ctx, x, near);
    CHECK(line_cut(ctx, &ctx->job, alg, x, &both, 1, &all));
    CHECK_INT(all.count, 2);
    const ah_expr between = line_between(ctx, 0, ldexp(1, -40));
    CHECK(between != AH_NONE && expr_number_double(ctx, between) > 0 &&
          expr_number_double(ctx, between) < ldexp(1, -40));
    /* not a rational function */
    const ah_expr s = expr_call1(ctx, AH_SIN, x), y = expr_symbol(ctx, AH_SPEED, "y");
    CHECK(!line_cut(ctx, &ctx->job, alg, x, &s, 1, &all));
    const ah_expr other = expr_mul(ctx, x, y);
    CHECK(!line_cut(ctx, &ctx->job, alg, x, &other, 1, &all));
}

TEST(the_line_is_cut_at_all_zeros)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, cuts, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}

static double number_between(ah_ctx *ctx, double low, double high)
{
    const ah_expr e = line_between(ctx, low, high);
    return e == AH_NONE ? NAN : expr_number_double(ctx, e);
}

static void edges(ah_ctx *ctx, void *unused)
{
    (void) unused;
    algebra *alg = algebra_create(ctx, NULL, 0);
    const ah_expr x = expr_symbol(ctx, AH_SPEED, "x"), zero = expr_int(ctx, 0);
    line all = {7, NULL};
    CHECK(line_cut(ctx, &ctx->job, alg, x, &zero, 1, &all)); /* zero everywhere: no cut */
    CHECK_INT(all.count, 0);
    const ah_expr high = expr_sub(ctx, expr_powi(ctx, x, 1000), expr_int(ctx, 2));
    CHECK(!line_cut(ctx, &ctx->job, alg, x, &high, 1, &all));
    const ah_expr pole = expr_div(ctx, x, expr_call1(ctx, AH_COS, x));
    CHECK(!line_cut(ctx, &ctx->job, alg, x, &pole, 1, &all));
    /* zeros that are one double: 1 and 1 + 2⁻⁷⁰ */
    const ah_expr step = expr_powi(ctx, expr_int(ctx, 2), -70);
    const ah_expr one = expr_sub(ctx, x, expr_int(ctx, 1));
    const ah_expr both = expr_mul(ctx, one, expr_sub(ctx, one, step));
    CHECK(!line_cut(ctx, &ctx->job, alg, x, &both, 1, &all));
    /* a number inside, also of half lines and of the whole one */
    static const double ends[][2] = {
        {-INFINITY, INFINITY}, {-INFINITY, -3}, {7, INFINITY}, {-2, -1}, {0, 1e-30}, {1e30, 2e30}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const double got = number_between(ctx, ends[i][0], ends[i][1]);
        CHECK(got > ends[i][0] && got < ends[i][1]);
    }
    CHECK(line_between(ctx, 1, nextafter(1, 2)) == AH_NONE); /* there is none */
}

TEST(edges_of_the_line)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, edges, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}
