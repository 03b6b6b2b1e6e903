/* t_expr_memory.c - every allocation failed once in turn: no crash, no leak, and the pool goes on. */
#include "expr_support.h"
#include "failing.h"
#include <math.h>

/* Some of everything that allocates. */
static void work(ah_ctx *ctx, void *arg)
{
    (void) arg;
    ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x"), e = x, g[2];
    ah_expr f = expr_unknown(ctx, "f", 1, &x, NULL), big = expr_number(ctx, "1e200", 5);
    for (long i = 1; i < 30; i++)
        e = expr_add(ctx, expr_mul(ctx, e, expr_rational(ctx, i, i + 1)),
                     expr_call1(ctx, AH_SIN, expr_mul(ctx, expr_int(ctx, i), x)));
    e = expr_add(ctx, expr_mul(ctx, f, big), e);
    ah_expr s[2] = {x, expr_dot(ctx, x)};
    expr_gradient(ctx, expr_mul(ctx, e, s[1]), 2, s, g);
    e = expr_subst(ctx, g[0], 1, &x, &s[1]);
    mat m = mat_from_dense(ctx, &ctx->job, 2, 1, g);
    mat_jacobian(ctx, &ctx->job, m, 2, s);
    double value;
    frame *state = frame_create(ctx, &ctx->job, NAN);
    frame_set(state, x, 1);
    frame_set(state, expr_symbol(ctx, AH_COORDINATE, "late"), 2); /* it grows */
    expr_plan_run(expr_plan_create(ctx, &ctx->job, &e, 1), state, &value);
    expr_text(ctx, &ctx->job, e, AH_MATHML);
}

static void job(ah_ctx *ctx, void *arg)
{
    ah_status status = ctx_guard(ctx, work, arg);
    CHECK(status == AH_OK || status == AH_E_MEMORY);
    if (status == AH_OK) return;
    /* What was built before is whole: the same work succeeds now. */
    ah_ctx_reset_status(ctx);
    CHECK_INT(ctx_guard(ctx, work, arg), AH_OK);
}

TEST(every_allocation_may_fail)
{
    size_t tried = 0;
    CHECK(failing_run(job, NULL, &tried));
    CHECK(tried > 20);
}
