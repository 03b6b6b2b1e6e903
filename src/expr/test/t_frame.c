/* t_frame.c - values of symbols, whenever these were made. */
#include "expr_support.h"
#include <math.h>

static double value_at(ah_ctx *ctx, const char *e, const frame *f)
{
    const ah_expr root = support_read(ctx, e);
    double x;
    expr_plan_run(expr_plan_create(ctx, &ctx->job, &root, 1), f, &x);
    return x;
}

/* The numbers that a frame would hand out if it ran over its end. */
static void leave_traces(ah_ctx *ctx)
{
    double *x = NEW_ARRAY(&ctx->job, double, 200);
    for (int i = 0; i < 200; i++) x[i] = 1e10 + i;
}

EXPR_TEST(symbols_may_be_younger_than_the_frame)
{
    (void) arg;
    const ah_expr x = support_read(ctx, "x");
    frame *f = frame_create(ctx, &ctx->job, NAN), *zeros = frame_create(ctx, &ctx->job, 0);
    leave_traces(ctx);
    frame_set(f, x, 3);
    frame_set(zeros, x, 3);
    CHECK(isnan(value_at(ctx, "x + y", f)));
    CHECK_NEAR(value_at(ctx, "x + y", zeros), 3, 1, 0, "y is not there");
    frame_set(f, support_read(ctx, "y"), 4);
    CHECK_NEAR(value_at(ctx, "x*y", f), 12, 1, 0, "y was set");
    CHECK(isnan(frame_get(f, support_read(ctx, "z"))));
    for (int i = 0; i < 300; i++)
        frame_set(f, expr_symbol(ctx, AH_COORDINATE, arena_printf(&ctx->job, "late%d", i)), i);
    for (int i = 0; i < 300; i++)
        CHECK_NEAR(
            frame_get(f, expr_symbol(ctx, AH_COORDINATE, arena_printf(&ctx->job, "late%d", i))), i,
            1, 0, "the last one set");
    CHECK_NEAR(value_at(ctx, "x*y", f), 12, 1, 0, "what was set stays");
    *frame_ref(f, x) += 2;
    CHECK_NEAR(frame_get(f, x), 5, 1, 0, "through the reference");
}

EXPR_TEST(copies_are_their_own)
{
    (void) arg;
    const ah_expr x = support_read(ctx, "x");
    frame *f = frame_create(ctx, &ctx->job, NAN), *first = frame_copy(&ctx->job, f);
    frame_set(f, x, 1);
    const ah_expr y = support_read(ctx, "y");
    frame_set(f, y, 2);
    frame *g = frame_copy(&ctx->job, f);
    CHECK(frame_equal(f, g) && !frame_equal(f, first));
    frame_set(g, y, 3);
    CHECK_NEAR(frame_get(f, y), 2, 1, 0, "not the copy's");
    frame_assign(first, g);
    CHECK(frame_equal(first, g));
    frame_assign(g, frame_create(ctx, &ctx->job, 0));
    CHECK(frame_get(g, y) == 0 && frame_get(first, y) == 3);
    frame *old = frame_create(ctx, &ctx->job, 0); /* from one that reaches less far */
    const ah_expr z = support_read(ctx, "z");
    frame_set(g, z, 7);
    frame_assign(g, old);
    CHECK(frame_get(g, z) == 0);
}

/* A frame of an arena that is released to a mark younger than the frame. */
EXPR_TEST(growing_survives_a_release)
{
    (void) arg;
    arena *a = &ctx->scratch;
    frame *f = frame_create(ctx, a, 0);
    const arena_mark mark = arena_get_mark(a);
    const ah_expr x = support_read(ctx, "x");
    frame_set(f, x, 5);
    arena_release(a, mark);
    double *over = NEW_ARRAY(a, double, 100);
    for (int i = 0; i < 100; i++) over[i] = -1;
    CHECK_NEAR(frame_get(f, x), 5, 1, 0, "not what came after the release");
}

/* The same of balls: what is not set is no number, and what is set late is found. */
EXPR_TEST(symbols_may_be_younger_than_the_balls)
{
    (void) arg;
    const ah_expr x = support_read(ctx, "x");
    ball_frame *f = ball_frame_create(ctx, &ctx->job);
    arb_ptr out = ball_array(&ctx->job, 2);
    arb_set_ui(ball_frame_ref(f, x), 3);
    const ah_expr y = support_read(ctx, "y"), late[] = {support_read(ctx, "x*y"), x};
    CHECK(!arb_is_finite(ball_frame_get(f, y)));
    expr_eval_balls(f, late, 2, 64, out);
    CHECK(!arb_is_finite(out) && arb_equal_si(out + 1, 3));
    ball_frame_put(f, y, support_read(ctx, "x + 1"), 64);
    for (int i = 0; i < 300; i++)
        arb_set_si(
            ball_frame_ref(f, expr_symbol(ctx, AH_COORDINATE, arena_printf(&ctx->job, "b%d", i))),
            i);
    expr_eval_balls(f, late, 1, 64, out);
    CHECK(arb_equal_si(out, 12));
    CHECK(arb_equal_si(ball_frame_get(f, support_read(ctx, "b217")), 217));
    ball_frame_put(f, x, late[0], 64); /* from itself */
    CHECK(arb_equal_si(ball_frame_get(f, x), 12));
    ball_frame_forget(f);
    CHECK(!arb_is_finite(ball_frame_get(f, x)) && !arb_is_finite(ball_frame_get(f, y)));
}
