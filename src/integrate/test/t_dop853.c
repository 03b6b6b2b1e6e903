/* The stepper against closed forms, conserved quantities and its own order. */
#include "../../../tests/harness/harness.h"

#include "../dop853_table.h"
#include "../integrate.h"
#include "oscillator.h"

#include <math.h>
#include <string.h>

/* y'' = −y with y = sin, y' = cos. */
static const ivp OSCILLATOR = {.n = 2, .rhs = oscillator};

TEST(rows_of_the_table_sum_to_the_nodes)
{
    double b = 0, moment = 0;
    for (int i = 0; i < DOP_EXTENDED; i++) {
        double sum = 0;
        for (int j = 0; j < i; j++) sum += dop_a[i][j];
        CHECK_NEAR(sum, dop_c[i], 30, 4, "c_i = sum of a_ij (entries up to 30)");
    }
    for (int i = 0; i < DOP_STAGES; i++) {
        b += dop_b[i];
        moment += dop_b[i] * pow(dop_c[i], 7);
        CHECK_NEAR(dop_a[DOP_STAGES][i], dop_b[i], 10, 1, "the 13th stage is the solution");
    }
    CHECK_NEAR(b, 1, 10, 4, "weights sum to one");
    CHECK_NEAR(moment, 1.0 / 8, 10, 4, "sum b c^7 = 1/8");
}

TEST(the_order_is_eight)
{
    double error[2];
    for (int i = 0; i < 2; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const double h = i ? 0.5 : 1;
        /* loose tolerances: every step has the largest size */
        const ivp_options o = {.rtol = 1, .atol = 1, .first_step = h, .largest_step = h};
        double y[2] = {0, 1};
        const ivp_result r = ivp_go(ctx, &ivp_dop853, &OSCILLATOR, &o, 0, 4, y, NULL, NULL);
        CHECK_INT(r.end, IVP_REACHED);
        error[i] = hypot(y[0] - sin(4), y[1] - cos(4));
        ah_ctx_destroy(ctx);
    }
    const double order = log2(error[0] / error[1]);
    CHECK_NEAR(order, 8, 1, 0.6 / 2.2e-16, "halving the step");
}

TEST(tolerances_are_kept_over_many_periods)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp_options o = {.rtol = 1e-12, .atol = 1e-14};
    double y[2] = {0, 1};
    const ivp_result r = ivp_go(ctx, &ivp_dop853, &OSCILLATOR, &o, 0, 100, y, NULL, NULL);
    CHECK_INT(r.end, IVP_REACHED);
    CHECK_NEAR(y[0], sin(100), 1, 1e-10 / 2.2e-16, "error grows with the number of steps");
    CHECK_NEAR(y[0] * y[0] + y[1] * y[1], 1, 1, 1e-10 / 2.2e-16, "energy");
    CHECK(r.steps < 600);
    ah_ctx_destroy(ctx);
}

TEST(time_runs_backwards_too)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp_options o = {.rtol = 1e-12, .atol = 1e-14};
    double y[2] = {sin(3), cos(3)};
    CHECK_INT(ivp_go(ctx, &ivp_dop853, &OSCILLATOR, &o, 3, -2, y, NULL, NULL).end, IVP_REACHED);
    CHECK_NEAR(y[0], sin(-2), 1, 1e-11 / 2.2e-16, "backwards");
    ah_ctx_destroy(ctx);
}

TEST(the_continuous_output_is_as_good_as_the_steps)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp_options o = {.rtol = 1e-10, .atol = 1e-12};
    double y[2] = {0, 1};
    watch w = {0};
    ivp_go(ctx, &ivp_dop853, &OSCILLATOR, &o, 0, 20, y, compare_inside, &w);
    CHECK(w.steps > 10);
    CHECK_NEAR(w.worst, 0, 1, 2e-9 / 2.2e-16, "order 7 inside, order 8 at the ends");
    ah_ctx_destroy(ctx);
}

/* y' = y²: y = 1/(1 − t) ends at t = 1. */
static bool blow_up(void *user, double t, const double *y, double *dy)
{
    (void) user;
    (void) t;
    dy[0] = y[0] * y[0];
    return true;
}

TEST(a_pole_collapses_the_step)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp p = {.n = 1, .rhs = blow_up};
    const ivp_options o = {.rtol = 1e-10, .atol = 1e-12};
    double y[1] = {1};
    const ivp_result r = ivp_go(ctx, &ivp_dop853, &p, &o, 0, 2, y, NULL, NULL);
    CHECK(r.end == IVP_COLLAPSED || r.end == IVP_UNDEFINED);
    CHECK_NEAR(r.t, 1, 1, 1e-9 / 2.2e-16, "at the pole");
    ah_ctx_destroy(ctx);
}

/* y' = −1/(2y) exists for y > 0 only: y = sqrt(1 − t). */
static bool half_line(void *user, double t, const double *y, double *dy)
{
    (void) user;
    (void) t;
    dy[0] = -0.5 / y[0];
    return y[0] > 0;
}

TEST(the_edge_of_the_domain_is_found)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp p = {.n = 1, .rhs = half_line};
    const ivp_options o = {.rtol = 1e-10, .atol = 1e-12};
    double y[1] = {1};
    const ivp_result r = ivp_go(ctx, &ivp_dop853, &p, &o, 0, 2, y, NULL, NULL);
    CHECK(r.end == IVP_COLLAPSED || r.end == IVP_UNDEFINED);
    CHECK_NEAR(r.t, 1, 1, 1e-7 / 2.2e-16, "at the edge");
    ah_ctx_destroy(ctx);
}

TEST(projection_keeps_the_invariant)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    int count = 0;
    const ivp p = {.n = 2, .rhs = oscillator, .project = to_circle, .user = &count};
    const ivp_options o = {.rtol = 1e-6, .atol = 1e-8};
    double y[2] = {0, 1};
    CHECK_INT(ivp_go(ctx, &ivp_dop853, &p, &o, 0, 200, y, NULL, NULL).end, IVP_REACHED);
    CHECK_NEAR(hypot(y[0], y[1]), 1, 1, 16, "on the circle");
    CHECK(count > 0);
    ah_ctx_destroy(ctx);
}
