/* The automatic choice: which method, when, and that it repeats itself. */
#include "../../../tests/harness/harness.h"

#include "../integrate.h"
#include "oscillator.h"

#include <math.h>
#include <string.h>

typedef struct counts {
    uint64_t steps[IVP_KINDS];
    double last;
} counts;

static bool count_kinds(void *user, const ivp_step *step)
{
    counts *c = user;
    CHECK(step->t0 == c->last); /* without gaps */
    c->last = step->t1;
    c->steps[step->kind]++;
    return true;
}

static bool counted(void *user, double t, const double *y, double *dy)
{
    ++*(uint64_t *) user;
    return oscillator(NULL, t, y, dy);
}

/* The other one begins, or is tried, and goes the way of a trial again only as far as it is not much the dearer one. */
TEST(a_choice_costs_little)
{
    for (int dear = 0; dear < 2; dear++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        uint64_t evaluations = 0;
        counts c = {{0}, 0};
        const ivp p = {.n = 2,
                       .user = &evaluations,
                       .rhs = counted,
                       .jet = oscillator_jet,
                       .cost = {dear ? 2 : 1e5, dear ? 1e5 : 20, 1}};
        const ivp_options o = {.rtol = 1e-12, .atol = 1e-13};
        double y[2] = {0, 1};
        CHECK_INT(ivp_run(ctx, IVP_AUTO, &p, &o, 0, 1000, y, count_kinds, &c).end, IVP_REACHED);
        CHECK(dear ? c.steps[IVP_TAYLOR] < 50 : c.steps[IVP_DOP853] <= 20);
        CHECK(dear || evaluations < 12 * (20 + 3 * 12));
        ah_ctx_destroy(ctx);
    }
}

/* The cheaper one has the most steps. */
TEST(the_cheaper_method_is_chosen)
{
    for (int dear = 0; dear < 2; dear++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        counts c = {{0}, 0};
        const ivp p = {.n = 2,
                       .rhs = oscillator,
                       .jet = oscillator_jet,
                       .cost = {2, dear ? 1e4 : 2, dear ? 1e4 : 1}};
        const ivp_options o = {.rtol = 1e-12, .atol = 1e-13};
        double y[2] = {0, 1};
        const ivp_result r = ivp_run(ctx, IVP_AUTO, &p, &o, 0, 3000, y, count_kinds, &c);
        CHECK_INT(r.end, IVP_REACHED);
        CHECK_INT(r.kind, dear ? IVP_DOP853 : IVP_TAYLOR);
        CHECK(dear ? c.steps[IVP_TAYLOR] < 100 : c.steps[IVP_DOP853] < 200);
        CHECK_INT(c.steps[IVP_BDF], 0);
        CHECK_INT(c.steps[IVP_DOP853] + c.steps[IVP_TAYLOR], r.steps);
        CHECK_NEAR(y[0], sin(3000), 1, 1e-8 / 2.2e-16, "end");
        ah_ctx_destroy(ctx);
    }
}

/* The same operations of a jet take longer where its series do not fit into the first level of the cache: DOP853, with 15 times as
 * many steps here, is dearer by the count alone. */
TEST(a_large_jet_is_dear)
{
    for (int large = 0; large < 2; large++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const double operations = large ? 340 : 34;
        const ivp p = {.n = 2,
                       .rhs = oscillator,
                       .jet = oscillator_jet,
                       .cost = {.rhs = 0.22 * operations,
                                .order = 0.65 * operations,
                                .product = 0.35 * operations}};
        const ivp_options o = {.rtol = 1e-12, .atol = 1e-13};
        double y[2] = {0, 1};
        const ivp_result r = ivp_run(ctx, IVP_AUTO, &p, &o, 0, 3000, y, NULL, NULL);
        CHECK_INT(r.kind, large ? IVP_DOP853 : IVP_TAYLOR);
        ah_ctx_destroy(ctx);
    }
}

/* Steps of DOP853 come before the trial: its own error at these tolerances is several times that of the Taylor method. */
TEST(and_what_comes_before_the_choice_is_as_accurate)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp p = {.n = 2,
                   .rhs = oscillator,
                   .jet = oscillator_jet,
                   .cost = {.rhs = 2000, .order = 20, .product = 0}};
    const ivp_options o = {.rtol = 1e-9, .atol = 1e-9};
    const ivp_kind kinds[] = {IVP_AUTO, IVP_DOP853};
    double error[2];
    for (int i = 0; i < 2; i++) {
        double y[2] = {0, 1};
        counts c = {{0}, 0};
        const ivp_result r = ivp_run(ctx, kinds[i], &p, &o, 0, 100, y, count_kinds, &c);
        CHECK(r.end == IVP_REACHED && (i || r.kind == IVP_TAYLOR));
        error[i] = hypot(y[0] - sin(100), y[1] - cos(100));
    }
    printf("# auto %.2e, dop853 %.2e\n", error[0], error[1]);
    CHECK(error[0] < error[1] / 8);
    ah_ctx_destroy(ctx);
}

TEST(steps_allowed_are_counted_over_all_methods)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp p = {.n = 2, .rhs = oscillator, .jet = oscillator_jet, .cost = {2, 2, 1}};
    const ivp_options o = {.rtol = 1e-12, .atol = 1e-13, .most_steps = 70};
    double y[2] = {0, 1};
    const ivp_result r = ivp_run(ctx, IVP_AUTO, &p, &o, 0, 3000, y, NULL, NULL);
    CHECK_INT(r.end, IVP_TOO_LONG);
    CHECK_INT(r.steps, 70);
    ah_ctx_destroy(ctx);
}

#ifdef AH_WITH_SUNDIALS

/* Van der Pol, ε = 1e-5: slow and stiff, with quick turns. */
static bool relaxation(void *user, double t, const double *y, double *dy)
{
    (void) t;
    ++*(uint64_t *) user;
    dy[0] = y[1];
    dy[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-5;
    return true;
}

TEST(bdf_takes_over_what_is_stiff)
{
    double end[2][2];
    uint64_t evaluations[3] = {0};
    for (int again = 0; again < 3; again++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        counts c = {{0}, 0};
        const ivp p = {.n = 2, .rhs = relaxation, .user = &evaluations[again]};
        const ivp_options o = {.rtol = 1e-8, .atol = 1e-10};
        double y[2] = {2, 0};
        const ivp_kind kind = again == 2 ? IVP_DOP853 : IVP_AUTO;
        CHECK_INT(ivp_run(ctx, kind, &p, &o, 0, 1.5, y, count_kinds, &c).end, IVP_REACHED);
        if (again < 2) {
            memcpy(end[again], y, sizeof y);
            CHECK(c.steps[IVP_BDF] > 0 && c.steps[IVP_DOP853] > 0);
        } else {
            CHECK_NEAR(end[0][0], y[0], 1, 1e-5 / 2.2e-16, "the same by DOP853");
            CHECK_NEAR(end[0][1], y[1], 1, 1e-5 / 2.2e-16, "and its rate");
        }
        ah_ctx_destroy(ctx);
    }
    CHECK(memcmp(end[0], end[1], sizeof end[0]) == 0 && evaluations[0] == evaluations[1]);
    CHECK(10 * evaluations[0] < evaluations[2]);
}

/* Stiff until t = 1, then an oscillator for long: y₃ follows cos t at once, later slowly. */
static bool stiff_at_first(void *user, double t, const double *y, double *dy)
{
    oscillator(user, t, y, dy);
    dy[2] = (t < 1 ? 1e6 : 1) * (y[1] - y[2]);
    return true;
}

TEST(and_hands_back_what_is_not)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    counts c = {{0}, 0};
    const ivp p = {.n = 3, .rhs = stiff_at_first};
    const ivp_options o = {.rtol = 1e-9, .atol = 1e-11};
    double y[3] = {0, 1, 1};
    const ivp_result r = ivp_run(ctx, IVP_AUTO, &p, &o, 0, 200, y, count_kinds, &c);
    CHECK_INT(r.end, IVP_REACHED);
    CHECK_INT(r.kind, IVP_DOP853);
    CHECK(c.steps[IVP_BDF] > 0 && c.steps[IVP_BDF] < 3000);
    CHECK_NEAR(y[0], sin(200), 1, 1e-5 / 2.2e-16, "end");
    CHECK_NEAR(y[2], (sin(200) + cos(200)) / 2, 1, 1e-5 / 2.2e-16, "y' = cos t - y");
    ah_ctx_destroy(ctx);
}

#endif
