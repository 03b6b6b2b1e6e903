/* Every integrator on motions with closed forms: Kepler's ellipse, the pendulum of large amplitude.
 */
#include "../../../tests/harness/harness.h"

#include "../integrate.h"

#include <math.h>
#include <string.h>

/* ---- Kepler ------------------------------------------------------------------------------------
 *
 * Eccentricity 1/2, from the pericentre; x = cos E − e, y = √(1 − e²) sin E, t = E − e sin E. */

#define ECCENTRICITY 0.5

static bool kepler(void *user, double t, const double *y, double *dy)
{
    (void) user, (void) t;
    const double r = hypot(y[0], y[1]), r3 = r * r * r;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -y[0] / r3;
    dy[3] = -y[1] / r3;
    return r > 0;
}

/* With s = x² + y² and w = s^(−3/2): s w' = −3/2 w s'. */
static bool kepler_jet(void *user, double t, uint32_t order, double *y)
{
    double s[40], w[40];
    (void) user, (void) t;
    for (uint32_t k = 0; k < order; k++) {
        const double *Y = y;
        double sum = 0, x = 0, z = 0;
        s[k] = 0;
        for (uint32_t j = 0; j <= k; j++)
            s[k] += Y[4 * j] * Y[4 * (k - j)] + Y[4 * j + 1] * Y[4 * (k - j) + 1];
        for (uint32_t j = 0; j < k; j++) sum += (-1.5 * (k - j) - j) * s[k - j] * w[j];
        w[k] = k ? sum / (k * s[0]) : pow(s[0], -1.5);
        for (uint32_t j = 0; j <= k; j++) {
            x += Y[4 * j] * w[k - j];
            z += Y[4 * j + 1] * w[k - j];
        }
        y[4 * (k + 1)] = Y[4 * k + 2] / (k + 1);
        y[4 * (k + 1) + 1] = Y[4 * k + 3] / (k + 1);
        y[4 * (k + 1) + 2] = -x / (k + 1);
        y[4 * (k + 1) + 3] = -z / (k + 1);
    }
    return true;
}

static void on_ellipse(double t, double *y)
{
    const double e = ECCENTRICITY, b = sqrt(1 - e * e);
    double E = t;
    for (int i = 0; i < 50; i++) E -= (E - e * sin(E) - t) / (1 - e * cos(E));
    y[0] = cos(E) - e;
    y[1] = b * sin(E);
    y[2] = -sin(E) / (1 - e * cos(E));
    y[3] = b * cos(E) / (1 - e * cos(E));
}

typedef struct demand {
    ivp_kind kind;
    double rtol, error;
} demand;

static const demand demands[] = {
    {IVP_DOP853, 1e-12, 1e-9}, {IVP_TAYLOR, 1e-12, 1e-9}, {IVP_AUTO, 1e-12, 1e-9},
#ifdef AH_WITH_SUNDIALS
    {IVP_ADAMS, 1e-11, 1e-6},  {IVP_BDF, 1e-10, 1e-4},
#endif
};
enum { DEMANDS = sizeof demands / sizeof *demands };

typedef struct watch {
    double worst;
    void (*exact)(double t, double *y);
} watch;

static bool compare_inside(void *user, const ivp_step *step)
{
    watch *w = user;
    double got[4], wanted[4];
    for (int i = 0; i <= 3; i++) {
        const double t = step->t0 + (step->t1 - step->t0) * i / 3;
        step->at(step->stepper, t, got);
        w->exact(t, wanted);
        w->worst = fmax(w->worst, fabs(got[0] - wanted[0]));
    }
    return true;
}

TEST(kepler_by_every_integrator)
{
    for (int i = 0; i < DEMANDS; i++) {
        const demand *d = &demands[i];
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ivp p = {.n = 4, .rhs = kepler, .jet = kepler_jet, .cost = {30, 40, 9}};
        const ivp_options o = {.rtol = d->rtol, .atol = d->rtol};
        watch w = {0, on_ellipse};
        double y[4], end[4];
        on_ellipse(0, y);
        on_ellipse(50, end);
        CHECK_INT(ivp_run(ctx, d->kind, &p, &o, 0, 50, y, compare_inside, &w).end, IVP_REACHED);
        CHECK_NEAR(w.worst, 0, 1, d->error / 2.2e-16, ivp_integrators[d->kind].name);
        CHECK_NEAR(y[2], end[2], 1, 3 * d->error / 2.2e-16, ivp_integrators[d->kind].name);
        ah_ctx_destroy(ctx);
    }
}

/* ---- The pendulum ------------------------------------------------------------------------------
 *
 * θ'' = −sin θ from θ = 3 at rest: the period is 4 K(sin 1.5), and K = π/2 / agm(1, cos 1.5). */

static bool pendulum(void *user, double t, const double *y, double *dy)
{
    (void) user, (void) t;
    dy[0] = y[1];
    dy[1] = -sin(y[0]);
    return true;
}

/* s' = c θ', c' = −s θ'. */
static bool pendulum_jet(void *user, double t, uint32_t order, double *y)
{
    double s[40] = {sin(y[0])}, c[40] = {cos(y[0])};
    (void) user, (void) t;
    for (uint32_t k = 0; k < order; k++) {
        for (uint32_t j = 1; j <= k; j++) {
            s[k] += j * y[2 * j] * c[k - j] / k;
            c[k] -= j * y[2 * j] * s[k - j] / k;
        }
        y[2 * k + 2] = y[2 * k + 1] / (k + 1);
        y[2 * k + 3] = -s[k] / (k + 1);
    }
    return true;
}

TEST(the_pendulum_returns_after_its_period)
{
    double a = 1, b = cos(1.5);
    for (int i = 0; i < 10; i++) {
        const double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    const double period = 2 * 3.14159265358979323846 / a;
    for (int i = 0; i < DEMANDS; i++) {
        const demand *d = &demands[i];
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ivp p = {.n = 2, .rhs = pendulum, .jet = pendulum_jet, .cost = {8, 8, 2}};
        const ivp_options o = {.rtol = d->rtol, .atol = d->rtol};
        double y[2] = {3, 0};
        CHECK_INT(ivp_run(ctx, d->kind, &p, &o, 0, 2 * period, y, NULL, NULL).end, IVP_REACHED);
        CHECK_NEAR(y[0], 3, 1, d->error / 2.2e-16, ivp_integrators[d->kind].name);
        CHECK_NEAR(y[1], 0, 1, d->error / 2.2e-16, ivp_integrators[d->kind].name);
        ah_ctx_destroy(ctx);
    }
}

/* ---- Order -------------------------------------------------------------------------------------
 *
 * With steps of given size a series of order p has errors of order p. */

TEST(the_order_of_the_series)
{
    const double rtol = 1e-2; /* the least accurate: order 10 */
    const double order = ivp_taylor_order(rtol);
    double error[2];
    for (int i = 0; i < 2; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const double h = i ? 0.25 : 0.5;
        const ivp p = {.n = 4, .rhs = kepler, .jet = kepler_jet};
        const ivp_options o = {.rtol = rtol, .atol = 1e6, .largest_step = h};
        double y[4], end[4];
        on_ellipse(2, y); /* far from the pericentre */
        on_ellipse(4, end);
        ivp_go(ctx, &ivp_taylor, &p, &o, 2, 4, y, NULL, NULL);
        error[i] = hypot(y[0] - end[0], y[1] - end[1]);
        ah_ctx_destroy(ctx);
    }
    CHECK_NEAR(log2(error[0] / error[1]), order, 1, 1.5 / 2.2e-16, "halving the step");
}
