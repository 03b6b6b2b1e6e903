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
