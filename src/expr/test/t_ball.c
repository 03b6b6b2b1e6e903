/* t_ball.c - balls enclose, and say so when there is nothing to enclose. */
#include "expr_support.h"
#include <math.h>

/* Known to 60 digits, from other sources than this program: (expression, decimal digits). */
EXPR_TEST(balls_hold_known_digits)
{
    (void) arg;
    static const char *const known[][2] = {
        {"pi", "3.14159265358979323846264338327950288419716939937510582097494"},
        {"exp(1)", "2.71828182845904523536028747135266249775724709369995957496697"},
        {"sqrt(2)", "1.41421356237309504880168872420969807856967187537694807317668"},
        {"log(2)", "0.693147180559945309417232121458176568075500134360255254120680"},
        {"2^(1/3)", "1.25992104989487316476721060727822835057025146470150798008198"},
        {"atan(1/2)", "0.463647609000806116214256231461214402028537054286120263810933"},
    };
    arb_t got, want;
    arb_init(got), arb_init(want);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        support_ball(ctx, support_read(ctx, known[i][0]), NULL, 190, got);
        arb_set_str(want, known[i][1], 300);
        arb_add_error_2exp_si(want, -190);
        CHECK(arb_overlaps(got, want) && arb_rel_accuracy_bits(got) > 180);
    }
    arb_clear(got), arb_clear(want);
}

EXPR_TEST(what_does_not_exist_is_not_finite)
{
    (void) arg;
    static const char *const bad[] = {"1/0",        "log(0)",     "log(-1)",   "sqrt(-1)",
                                      "(-2)^(1/3)", "0^(-1/2)",   "asin(2)",   "atan2(0, 0)",
                                      "f(t)",       "(0 - 2)^pi", "tan(pi/2)", "0/0"};
    double state[4] = {0};
    arb_t y;
    arb_init(y);
    expr_time(ctx);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        support_ball(ctx, support_read(ctx, bad[i]), state, 64, y);
        harness_check(!arb_is_finite(y), __FILE__, __LINE__, bad[i]);
    }
    arb_clear(y);
}

/* Wide arguments: signs and moduli over zero, powers over zero. */
EXPR_TEST(wide_balls)
{
    (void) arg;
    ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x");
    ball_frame *f = ball_frame_create(ctx, &ctx->job);
    arb_ptr wide = ball_frame_ref(f, x);
    arb_t y;
    arb_init(y);
    arb_set_d(wide, 0.25);
    mag_set_d(arb_radref(wide), 0.5); /* [-1/4, 3/4] */
    ah_expr e = expr_call1(ctx, AH_SIGN, x);
    expr_eval_balls(f, &e, 1, 64, y);
    CHECK(!arb_is_finite(y));
    e = expr_call1(ctx, AH_ABS, x);
    expr_eval_balls(f, &e, 1, 64, y);
    CHECK(arb_is_finite(y) && arb_contains_si(y, 0));
    e = expr_powi(ctx, x, 2);
    expr_eval_balls(f, &e, 1, 64, y);
    CHECK(arb_is_finite(y) && arb_contains_si(y, 0));
    e = expr_powi(ctx, x, -1);
    expr_eval_balls(f, &e, 1, 64, y);
    CHECK(!arb_is_finite(y));
    e = support_read(ctx, "x^(2/3)");
    expr_eval_balls(f, &e, 1, 64, y);
    CHECK(!arb_is_finite(y));
    arb_zero(ball_frame_ref(f, x));
    expr_eval_balls(f, &e, 1, 64, y);
    CHECK(arb_is_zero(y));
    arb_clear(y);
}

/* A frame costs what is set in it, not what symbols there are; and its balls stay where they are. */
EXPR_TEST(frames_of_many_symbols)
{
    (void) arg;
    enum { SYMBOLS = 10000, FRAMES = 500 };
    ah_expr first = expr_symbol(ctx, AH_COORDINATE, "x0"), last = first;
    for (int i = 1; i < SYMBOLS; i++)
        last = expr_symbol(ctx, AH_COORDINATE, arena_printf(&ctx->job, "x%d", i));
    const double work = base_work();
    for (int i = 0; i < FRAMES; i++) {
        const arena_mark mark = arena_get_mark(&ctx->scratch);
        ball_frame *f = ball_frame_create(ctx, &ctx->scratch);
        arb_ptr ball = ball_frame_ref(f, first);
        arb_set_si(ball, 7);
        const ah_expr young = expr_symbol(ctx, AH_LOCAL, arena_printf(&ctx->scratch, "y%d", i));
        CHECK(!arb_is_finite(ball_frame_ref(f, young)) && !arb_is_finite(ball_frame_get(f, last)));
        CHECK(arb_equal_si(ball_frame_get(f, first), 7) && ball == ball_frame_ref(f, first));
        ball_frame_forget(f);
        CHECK(!arb_is_finite(ball_frame_get(f, first)));
        arena_release(&ctx->scratch, mark);
    }
    CHECK(base_work() - work < 0.05);
}

/* Every function in doubles and in balls, at points inside its domain. */
EXPR_TEST(functions_agree_with_libm)
{
    (void) arg;
    ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x"), y = expr_symbol(ctx, AH_COORDINATE, "y");
    arb_t ball, got;
    arb_init(ball), arb_init(got);
    for (int f = 0; f < AH_FUNCTIONS; f++)
        for (int k = 0; k < 20; k++) {
            double state[2] = {harness_uniform(-0.95, 0.95), harness_uniform(-2, 2)};
            if (f == AH_LOG || f == AH_SQRT) state[0] = fabs(state[0]);
            ah_expr e = expr_call(ctx, (ah_function) f, (ah_expr[]){x, y});
            support_ball(ctx, e, state, 100, ball);
            arb_set_d(got, support_value(ctx, e, state));
            CHECK(arb_is_finite(ball) && support_close(ball, got, 50));
        }
    arb_clear(ball), arb_clear(got);
}
