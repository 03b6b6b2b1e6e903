/* The Taylor method with hand-written jets: closed forms, order, continuous output, detours. */
#include "../../../tests/harness/harness.h"

#include "../integrate.h"
#include "../taylor_sum.h"
#include "oscillator.h"

#include <math.h>
#include <string.h>

static const ivp OSCILLATOR = {.n = 2, .rhs = oscillator, .jet = oscillator_jet};

TEST(the_series_is_the_continuous_output)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp_options o = {.rtol = 1e-12, .atol = 1e-14};
    double y[2] = {0, 1};
    watch w = {0};
    const ivp_result r = ivp_go(ctx, &ivp_taylor, &OSCILLATOR, &o, 0, 100, y, compare_inside, &w);
    CHECK_INT(r.end, IVP_REACHED);
    CHECK_INT(r.kind, IVP_TAYLOR);
    CHECK_NEAR(w.worst, 0, 1, 1e-11 / 2.2e-16, "all along");
    CHECK(r.steps < 150 && r.rejected == 0);
    ah_ctx_destroy(ctx);
}

/* Means of y'' over parts of a step: together they are what y' changes by, and each is one of −sin on its step. */
static bool compare_bends(void *user, const ivp_step *step)
{
    double *worst = user, mean[IVP_STRETCHES], least = INFINITY, most = -INFINITY;
    const double mid = (step->t0 + step->t1) / 2, half = fabs(step->t1 - step->t0) / 2;
    step->bends(step->stepper, 0, mean);
    for (int i = 0; i < IVP_STRETCHES; i++) {
        worst[0] = fmax(worst[0], fabs(mean[i] + sin(mid)) - half);
        least = fmin(least, mean[i]);
        most = fmax(most, mean[i]);
    }
    const double whole = (step->f1[0] - step->f0[0]) / (step->t1 - step->t0);
    worst[1] = fmax(worst[1], fmax(least - whole, whole - most));
    return true;
}

TEST(how_a_step_bends_is_known_after_it)
{
    static const ivp_stepper *const by[] = {&ivp_taylor, &ivp_dop853};
    for (int i = 0; i < 4; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ivp_options o = {.rtol = 1e-10, .atol = 1e-10};
        double y[2] = {0, 1}, worst[2] = {-INFINITY, -INFINITY};
        ivp_go(ctx, by[i % 2], &OSCILLATOR, &o, 0, i < 2 ? 20 : -20, y, compare_bends, worst);
        CHECK(worst[0] < 0 && worst[1] < 1e-12);
        ah_ctx_destroy(ctx);
    }
}

/* Each component by itself, term by term from the last, as Horner has it: whatever registers there are and however many
 * components, the bits are the same, and what is not finite is found wherever it is. */
TEST(sums_are_the_same_in_all_registers)
{
    enum { MOST = 11, ORDER = 9 };
    double jet[(ORDER + 1) * MOST];
    for (size_t i = 0; i < sizeof jet / sizeof *jet; i++) jet[i] = sin(1.0 + (double) i * 0.7);
    for (uint32_t n = 1; n <= MOST; n++)
        for (int wide = 0; wide <= taylor_can_sum_widely(); wide++) {
            double carry[MOST], next[MOST], lost[MOST], slope[MOST], alone[MOST];
            const double x = 0.3;
            const taylor_end end = {carry, next, lost, slope};
            for (uint32_t i = 0; i < n; i++) carry[i] = 1e-17 * (i + 1);
            taylor_sum(wide, jet, n, ORDER, x, alone);
            CHECK(taylor_go(wide, jet, n, ORDER, x, &end) && taylor_finite(wide, jet, n));
            for (uint32_t i = 0; i < n; i++) {
                double b = 0, d = 0;
                for (uint32_t k = ORDER; k > 0; k--) b = b * x + jet[k * n + i], d = d * x + b;
                const double change = b * x + carry[i], sum = jet[i] + change;
                CHECK(alone[i] == b * x && slope[i] == d && next[i] == sum);
                CHECK(lost[i] == change - (sum - jet[i]));
            }
            for (uint32_t i = 0; i < n; i++) {
                carry[i] = i % 2 ? INFINITY : NAN;
                CHECK(!taylor_go(wide, jet, n, ORDER, x, &end) && !taylor_finite(wide, carry, n));
                carry[i] = 0;
            }
        }
}

/* Each component in turn is the one that counts. */
TEST(norms_are_the_same_in_all_registers)
{
    enum { MOST = 11 };
    for (uint32_t n = 1; n <= MOST; n++)
        for (uint32_t at = 0; at < n; at++)
            for (int wide = 0; wide <= taylor_can_sum_widely(); wide++) {
                const taylor_scale s = {n, 0.5, 0.25};
                double y[MOST], z[MOST], a[MOST], b[MOST], last, before;
                for (uint32_t i = 0; i < n; i++) y[i] = -2, z[i] = 1, a[i] = -0.7, b[i] = 0.6;
                a[at] = -3, b[at] = 5;
                taylor_largest(wide, &s, y, a, b, &last, &before);
                CHECK(last == 3 && before == 5);
                z[at] = -6; /* its tolerance is 2, and 8 the defect */
                CHECK(taylor_near(wide, &s, y, z, a, b, 0.25, 1.3));
                CHECK(!taylor_near(wide, &s, y, z, a, b, 0.25, 0.99));
                z[at] = 6;
                CHECK(taylor_near(wide, &s, y, z, a, b, 0.25, 1));
                b[at] = NAN;
                CHECK(!taylor_near(wide, &s, y, z, a, b, 0.25, 9));
                taylor_largest(wide, &s, y, a, b, &last, &before);
                CHECK(last == 3 && before == (n > 1 ? 0.6 : 0));
            }
}

TEST(a_tighter_tolerance_has_a_higher_order)
{
    uint64_t steps[2];
    for (int i = 0; i < 2; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const double rtol = i ? 1e-15 : 1e-6;
        const ivp_options o = {.rtol = rtol, .atol = rtol};
        double y[2] = {0, 1};
        steps[i] = ivp_go(ctx, &ivp_taylor, &OSCILLATOR, &o, 0, 1000, y, NULL, NULL).steps;
        CHECK_NEAR(y[0], sin(1000), 1, 1000 * rtol / 2.2e-16, "few tolerances");
        ah_ctx_destroy(ctx);
    }
    CHECK(steps[1] < steps[0]); /* of fixed order eight: thirteen times as many */
}

TEST(series_run_backwards_too)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp_options o = {.rtol = 1e-13, .atol = 1e-14};
    double y[2] = {sin(3), cos(3)};
    CHECK_INT(ivp_go(ctx, &ivp_taylor, &OSCILLATOR, &o, 3, -2, y, NULL, NULL).end, IVP_REACHED);
    CHECK_NEAR(y[0], sin(-2), 1, 1e-12 / 2.2e-16, "backwards");
    ah_ctx_destroy(ctx);
}

/* y' = 50 t⁴⁹: no coefficient at t = 0 tells of it. */
static bool late(void *user, double t, const double *y, double *dy)
{
    (void) user, (void) y;
    dy[0] = 50 * pow(t, 49);
    return true;
}

static bool late_jet(void *user, double t, uint32_t order, double *y)
{
    (void) user;
    double term = pow(t, 50);
    for (uint32_t k = 1; k <= order; k++) {
        term = t > 0 ? term * (51 - k) / k / t : 0;
        y[k] = term;
    }
    return true;
}

TEST(terms_that_vanish_do_not_deceive)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp p = {.n = 1, .rhs = late, .jet = late_jet};
    const ivp_options o = {.rtol = 1e-12, .atol = 1e-12};
    double y[1] = {0};
    const ivp_result r = ivp_go(ctx, &ivp_taylor, &p, &o, 0, 1.1, y, NULL, NULL);
    CHECK_INT(r.end, IVP_REACHED);
    CHECK(r.rejected > 0);
    CHECK_NEAR(y[0], pow(1.1, 50), pow(1.1, 50), 1e-11 / 2.2e-16, "t^50");
    ah_ctx_destroy(ctx);
}

/* y' = y²: y = 1/(1 − t). */
static bool blow_up(void *user, double t, const double *y, double *dy)
{
    (void) user, (void) t;
    dy[0] = y[0] * y[0];
    return true;
}

static bool blow_up_jet(void *user, double t, uint32_t order, double *y)
{
    (void) user, (void) t;
    for (uint32_t k = 1; k <= order; k++) y[k] = y[k - 1] * y[0];
    return true;
}

TEST(a_pole_collapses_the_series)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp p = {.n = 1, .rhs = blow_up, .jet = blow_up_jet};
    const ivp_options o = {.rtol = 1e-10, .atol = 1e-12};
    double y[1] = {1};
    const ivp_result r = ivp_run(ctx, IVP_TAYLOR, &p, &o, 0, 2, y, NULL, NULL);
    CHECK(r.end == IVP_COLLAPSED || r.end == IVP_UNDEFINED);
    CHECK_NEAR(r.t, 1, 1, 1e-8 / 2.2e-16, "at the pole");
    ah_ctx_destroy(ctx);
}

/* No jets while the first component is beyond 0.9. */
static bool jet_here_and_there(void *user, double t, uint32_t order, double *y)
{
    return fabs(y[0]) < 0.9 && oscillator_jet(user, t, order, y);
}

TEST(where_there_is_no_jet_dop853_goes_on)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp p = {.n = 2, .rhs = oscillator, .jet = jet_here_and_there};
    const ivp_options o = {.rtol = 1e-11, .atol = 1e-13};
    double y[2] = {0, 1};
    watch w = {0};
    const ivp_result r = ivp_run(ctx, IVP_TAYLOR, &p, &o, 0, 20, y, compare_inside, &w);
    CHECK_INT(r.end, IVP_REACHED);
    CHECK(w.detours > 0 && w.detours < w.steps);
    CHECK_INT(r.steps, w.steps);
    CHECK_NEAR(y[0], sin(20), 1, 1e-10 / 2.2e-16, "through it");
    ah_ctx_destroy(ctx);
}

TEST(series_are_projected)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    int count = 0;
    const ivp p = {
        .n = 2, .rhs = oscillator, .jet = oscillator_jet, .project = to_circle, .user = &count};
    const ivp_options o = {.rtol = 1e-5, .atol = 1e-8};
    double y[2] = {0, 1};
    CHECK_INT(ivp_go(ctx, &ivp_taylor, &p, &o, 0, 200, y, NULL, NULL).end, IVP_REACHED);
    CHECK_NEAR(hypot(y[0], y[1]), 1, 1, 16, "on the circle");
    CHECK(count > 0);
    ah_ctx_destroy(ctx);
}
