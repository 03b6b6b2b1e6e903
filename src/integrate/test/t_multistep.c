/* Adams, BDF and IDA: closed forms, stiff problems with published end values, a pendulum as a
 * differential-algebraic system, projection, raises inside of callbacks. */
#include "../../../tests/harness/harness.h"

#include "../integrate.h"
#include "oscillator.h"

#include <math.h>
#include <string.h>

#ifdef AH_WITH_SUNDIALS

/* ---- Not stiff ------------------------------------------------------------------------------- */

TEST(multistep_methods_follow_the_oscillator)
{
    const ivp_kind kind[] = {IVP_ADAMS, IVP_BDF};
    const double bound[] = {1e-8, 3e-7};
    for (int i = 0; i < 2; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ivp p = {.n = 2, .rhs = oscillator};
        const ivp_options o = {.rtol = 1e-10, .atol = 1e-12};
        double y[2] = {0, 1};
        watch w = {0};
        const ivp_result r = ivp_run(ctx, kind[i], &p, &o, 0, 20, y, compare_inside, &w);
        CHECK_INT(r.end, IVP_REACHED);
        CHECK_INT(r.kind, kind[i]);
        CHECK_INT(r.steps, w.steps);
        CHECK_NEAR(w.worst, 0, 1, bound[i] / 2.2e-16, ivp_integrators[kind[i]].name);
        CHECK_NEAR(y[0], sin(20), 1, bound[i] / 2.2e-16, "end");
        ah_ctx_destroy(ctx);
    }
}

TEST(multistep_methods_run_backwards)
{
    const ivp_kind kind[] = {IVP_ADAMS, IVP_BDF};
    for (int i = 0; i < 2; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ivp p = {.n = 2, .rhs = oscillator};
        const ivp_options o = {.rtol = 1e-9, .atol = 1e-11};
        double y[2] = {sin(3), cos(3)};
        CHECK_INT(ivp_run(ctx, kind[i], &p, &o, 3, -2, y, NULL, NULL).end, IVP_REACHED);
        CHECK_NEAR(y[0], sin(-2), 1, 1e-6 / 2.2e-16, "backwards");
        ah_ctx_destroy(ctx);
    }
}

static bool on_circle(void *user, const ivp_step *step)
{
    double *worst = user;
    *worst = fmax(*worst, fabs(hypot(step->y1[0], step->y1[1]) - 1));
    return true;
}

TEST(multistep_methods_keep_the_invariant)
{
    const ivp_kind kind[] = {IVP_ADAMS, IVP_BDF};
    for (int i = 0; i < 2; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        int count = 0;
        double worst = 0;
        const ivp p = {.n = 2, .rhs = oscillator, .project = to_circle, .user = &count};
        const ivp_options o = {.rtol = 1e-7, .atol = 1e-9};
        double y[2] = {0, 1};
        CHECK_INT(ivp_run(ctx, kind[i], &p, &o, 0, 100, y, on_circle, &worst).end, IVP_REACHED);
        CHECK_NEAR(worst, 0, 1, 16, "on the circle");
        CHECK_NEAR(y[0], sin(100), 1, 1e-4 / 2.2e-16, "and at the right place");
        CHECK(count > 10);
        ah_ctx_destroy(ctx);
    }
}

/* ---- Stiff ----------------------------------------------------------------------------------- */

/* Van der Pol's oscillator with ε = 1e-6; end values at t = 2 as in the test set of Mazzia and
 * Magherini (problem VDPOL). */
static const double EPS = 1e-6;

static bool relaxation(void *user, double t, const double *y, double *dy)
{
    (void) user, (void) t;
    dy[0] = y[1];
    dy[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / EPS;
    return true;
}

static bool relaxation_jacobian(void *user, double t, const double *y, double *J)
{
    (void) t;
    ++*(int *) user;
    J[0] = 0;
    J[1] = 1;
    J[2] = (-2 * y[0] * y[1] - 1) / EPS;
    J[3] = (1 - y[0] * y[0]) / EPS;
    return true;
}

TEST(bdf_integrates_van_der_pols_oscillator)
{
    for (int exact = 0; exact < 2; exact++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        int count = 0;
        const ivp p = {.n = 2,
                       .rhs = relaxation,
                       .jacobian = exact ? relaxation_jacobian : NULL,
                       .user = &count};
        const ivp_options o = {.rtol = 1e-9, .atol = 1e-11};
        double y[2] = {2, 0};
        const ivp_result r = ivp_go(ctx, &ivp_bdf, &p, &o, 0, 2, y, NULL, NULL);
        CHECK_INT(r.end, IVP_REACHED);
        CHECK_NEAR(y[0], 0.1706167732170483e1, 1, 1e-6 / 2.2e-16, "y");
        CHECK_NEAR(y[1], -0.8928097010247975, 1, 1e-6 / 2.2e-16, "y'");
        CHECK(r.steps < 20000 && (count > 0) == exact);
        ah_ctx_destroy(ctx);
    }
}

static bool robertson(void *user, double t, const double *y, double *dy)
{
    (void) user, (void) t;
    dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    dy[2] = 3e7 * y[1] * y[1];
    dy[1] = -dy[0] - dy[2];
    return true;
}

/* End values: the same test set, problem ROBER. */
TEST(bdf_integrates_robertsons_reaction)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp p = {.n = 3, .rhs = robertson};
    const ivp_options o = {.rtol = 1e-9, .atol = 1e-20};
    double y[3] = {1, 0, 0};
    const ivp_result r = ivp_go(ctx, &ivp_bdf, &p, &o, 0, 1e11, y, NULL, NULL);
    CHECK_INT(r.end, IVP_REACHED);
    CHECK_NEAR(y[0], 0.2083340149701255e-7, 2e-8, 1e-5 / 2.2e-16, "first");
    CHECK_NEAR(y[1], 0.8333360770334713e-13, 8e-14, 1e-5 / 2.2e-16, "second");
    CHECK_NEAR(y[2], 0.9999999791665050, 1, 1e-7 / 2.2e-16, "third");
    CHECK(r.steps < 5000);
    ah_ctx_destroy(ctx);
}

/* ---- Differential-algebraic ------------------------------------------------------------------
 *
 * Robertson's reaction with the sum of the concentrations in place of the third equation. */

static bool conserving(void *user, double t, const double *x, const double *dx, double *r)
{
    double f[3];
    robertson(user, t, x, f);
    r[0] = dx[0] - f[0];
    r[1] = dx[1] - f[1];
    r[2] = x[0] + x[1] + x[2] - 1;
    return true;
}

static bool conserving_jacobian(void *user, double t, double c, const double *x, const double *dx,
                                double *J)
{
    (void) user, (void) t, (void) dx;
    const double a[9] = {0.04 + c,   -1e4 * x[2], -1e4 * x[1], -0.04, 1e4 * x[2] + 6e7 * x[1] + c,
                         1e4 * x[1], 1,           1,           1};
    memcpy(J, a, sizeof a);
    return true;
}

static bool consistent(void *user, double t, const double *y, double *x, double *dx)
{
    memcpy(x, y, 3 * sizeof *x);
    return robertson(user, t, y, dx);
}

TEST(ida_integrates_robertsons_reaction)
{
    for (int exact = 0; exact < 2; exact++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ivp_dae dae = {.n = 3,
                             .start = consistent,
                             .residual = conserving,
                             .jacobian = exact ? conserving_jacobian : NULL};
        const ivp p = {.n = 3, .rhs = robertson, .dae = &dae};
        const ivp_options o = {.rtol = 1e-9, .atol = 1e-14};
        double y[3] = {1, 0, 0};
        const ivp_result r = ivp_run(ctx, IVP_IDA, &p, &o, 0, 40, y, NULL, NULL);
        CHECK_INT(r.end, IVP_REACHED);
        CHECK_INT(r.kind, IVP_IDA);
        CHECK_NEAR(y[0], 0.71582706871940, 1, 1e-7 / 2.2e-16, "first");
        CHECK_NEAR(y[1], 0.91855347645577e-5, 1e-5, 1e-6 / 2.2e-16, "second");
        CHECK_NEAR(y[0] + y[1] + y[2], 1, 1, 1e-13 / 2.2e-16, "their sum");
        ah_ctx_destroy(ctx);
    }
}

/* ---- Ends ------------------------------------------------------------------------------------ */

static bool blow_up(void *user, double t, const double *y, double *dy)
{
    (void) user, (void) t;
    dy[0] = y[0] * y[0];
    return true;
}

TEST(multistep_methods_end_at_a_pole)
{
    const ivp_kind kind[] = {IVP_ADAMS, IVP_BDF};
    for (int i = 0; i < 2; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ivp p = {.n = 1, .rhs = blow_up};
        const ivp_options o = {.rtol = 1e-8, .atol = 1e-10};
        double y[1] = {1};
        const ivp_result r = ivp_run(ctx, kind[i], &p, &o, 0, 2, y, NULL, NULL);
        CHECK(r.end == IVP_COLLAPSED || r.end == IVP_UNDEFINED);
        CHECK_NEAR(r.t, 1, 1, 1e-5 / 2.2e-16, "at the pole");
        ah_ctx_destroy(ctx);
    }
}

TEST(too_tight_a_tolerance_is_said_to_be_so)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp p = {.n = 2, .rhs = oscillator};
    const ivp_options o = {.rtol = 1e-18, .atol = 1e-30};
    double y[2] = {1, 1};
    CHECK_INT(ivp_run(ctx, IVP_BDF, &p, &o, 0, 1, y, NULL, NULL).end, IVP_TOO_TIGHT);
    ah_ctx_destroy(ctx);
}

typedef struct raising {
    ah_ctx *ctx;
    ivp_kind kind;
    int left; /* evaluations until the raise */
} raising;

static bool raise_later(void *user, double t, const double *y, double *dy)
{
    raising *w = user;
    if (w->left-- == 0) ctx_raise_limit(w->ctx, "enough");
    return oscillator(NULL, t, y, dy);
}

static void run_raising(ah_ctx *ctx, void *arg)
{
    raising *w = arg;
    const ivp p = {.n = 2, .rhs = raise_later, .user = w};
    const ivp_options o = {.rtol = 1e-8, .atol = 1e-10};
    double y[2] = {0, 1};
    ivp_run(ctx, w->kind, &p, &o, 0, 10, y, NULL, NULL);
    CHECK(false);
}

/* The library's memory is freed: the sanitizer looks. */
TEST(a_raise_passes_by_the_library)
{
    for (int i = 0; i < 60; i += 7) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        raising w = {ctx, i % 2 ? IVP_BDF : IVP_ADAMS, i};
        CHECK_INT(ctx_guard(ctx, run_raising, &w), AH_E_LIMIT);
        ah_ctx_destroy(ctx);
    }
}

#endif
