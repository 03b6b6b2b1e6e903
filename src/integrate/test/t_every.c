/* t_every.c - what every integrator promises alike: options, observers, ends, raises. */
#include "../../../tests/harness/harness.h"

#include "../integrate.h"
#include "oscillator.h"

#include <math.h>
#include <string.h>

/* ---- The oscillator as F(t, x, x') = 0 ------------------------------------------------------- */

static bool as_it_is(void *user, double t, const double *y, double *x, double *dx)
{
    memcpy(x, y, 2 * sizeof *x);
    return oscillator(user, t, y, dx);
}

static bool rest_of(void *user, double t, const double *x, const double *dx, double *r)
{
    double f[2];
    oscillator(user, t, x, f);
    r[0] = dx[0] - f[0];
    r[1] = dx[1] - f[1];
    return true;
}

static bool slopes_of(void *user, double t, double c, const double *x, const double *dx, double *J)
{
    (void) user, (void) t, (void) x, (void) dx;
    const double a[4] = {c, -1, 1, c};
    memcpy(J, a, sizeof a);
    return true;
}

/* Bad after every fiftieth step. */
static bool bad_at_times(void *user, double t, const double *y)
{
    (void) t, (void) y;
    return ++*(int *) user % 50 == 0;
}

static bool is_there(ivp_kind kind)
{
    return ivp_integrators[kind].by != NULL;
}

/* ---- Options --------------------------------------------------------------------------------- */

typedef struct seen {
    double first, longest, stop_after, last;
    size_t steps;
} seen;

static bool look(void *user, const ivp_step *step)
{
    seen *s = user;
    const double h = fabs(step->t1 - step->t0);
    if (!s->steps++) s->first = h;
    s->longest = fmax(s->longest, h);
    s->last = step->t1;
    return !(s->stop_after > 0 && step->t1 > s->stop_after);
}

TEST(steps_as_long_as_they_are_allowed)
{
    for (int kind = IVP_AUTO + 1; kind < IVP_KINDS; kind++) {
        if (!is_there((ivp_kind) kind)) continue;
        for (int backwards = 0; backwards < 2; backwards++) {
            ah_ctx *ctx = ah_ctx_create(NULL);
            const ivp_dae dae = {
                .n = 2, .start = as_it_is, .residual = rest_of, .jacobian = slopes_of};
            const ivp p = {.n = 2, .rhs = oscillator, .jet = oscillator_jet, .dae = &dae};
            const ivp_options o = {
                .rtol = 1e-9, .atol = 1e-11, .first_step = 1e-4, .largest_step = 0.05};
            double y[2] = {0, 1};
            const double end = backwards ? -3 : 3;
            seen s = {0};
            const ivp_result r = ivp_run(ctx, (ivp_kind) kind, &p, &o, 0, end, y, look, &s);
            CHECK_INT(r.end, IVP_REACHED);
            CHECK_INT(r.kind, kind);
            CHECK_INT(r.steps, s.steps);
            CHECK(s.first <= 1.0001e-4 && s.longest <= 0.0500001 && s.last == end);
            CHECK_NEAR(y[0], sin(end), 1, 3e-7 / 2.2e-16, ivp_integrators[kind].name);
            ah_ctx_destroy(ctx);
        }
    }
}

TEST(observers_stop_and_steps_are_counted)
{
    for (int kind = IVP_AUTO; kind < IVP_KINDS; kind++) {
        if (kind != IVP_AUTO && !is_there((ivp_kind) kind)) continue;
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ivp_dae dae = {.n = 2, .start = as_it_is, .residual = rest_of};
        const ivp p = {.n = 2, .rhs = oscillator, .jet = oscillator_jet, .dae = &dae};
        ivp_options o = {.rtol = 1e-9, .atol = 1e-11};
        double y[2] = {0, 1};
        seen s = {.stop_after = 2};
        const ivp_result r = ivp_run(ctx, (ivp_kind) kind, &p, &o, 0, 100, y, look, &s);
        CHECK_INT(r.end, IVP_STOPPED);
        CHECK(r.t == s.last && r.t > 2 && r.t - 2 < s.longest);
        CHECK_NEAR(y[0], sin(r.t), 1, 1e-7 / 2.2e-16, "the state where it stopped");
        double again[2] = {0, 1};
        o.most_steps = 7;
        const ivp_result few = ivp_run(ctx, (ivp_kind) kind, &p, &o, 0, 1e4, again, NULL, NULL);
        CHECK_INT(few.end, IVP_TOO_LONG);
        CHECK_INT(few.steps, 7);
        ah_ctx_destroy(ctx);
    }
    /* one integrator alone, too */
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp p = {.n = 2, .rhs = oscillator};
    const ivp_options o = {.rtol = 1e-9, .atol = 1e-11};
    double y[2] = {0, 1};
    seen s = {.stop_after = 2};
    CHECK_INT(ivp_go(ctx, ivp_integrators[IVP_DOP853].by, &p, &o, 0, 100, y, look, &s).end,
              IVP_STOPPED);
    CHECK_NEAR(y[0], sin(s.last), 1, 1e-7 / 2.2e-16, "the state where it stopped");
    ah_ctx_destroy(ctx);
}

/* Without jets, or without another form, the one that needs nothing goes on. */
TEST(what_a_problem_lacks)
{
    static const ivp_kind wanted[] = {IVP_TAYLOR, IVP_IDA};
    for (size_t i = 0; i < 2; i++) {
        if (!is_there(wanted[i])) continue;
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ivp p = {.n = 2, .rhs = oscillator};
        const ivp_options o = {.rtol = 1e-9, .atol = 1e-11};
        double y[2] = {0, 1};
        const ivp_result r = ivp_run(ctx, wanted[i], &p, &o, 0, 5, y, NULL, NULL);
        CHECK_INT(r.end, IVP_REACHED);
        CHECK_INT(r.kind, IVP_DOP853);
        CHECK_NEAR(y[0], sin(5), 1, 1e-7 / 2.2e-16, "by the other");
        ah_ctx_destroy(ctx);
    }
}

/* ---- Where f ends ---------------------------------------------------------------------------- */

/* y' = −1/(2y), y = √(1 − t): there is no f beyond t = 1; it says so, or it is not a number. */
static bool until_one(void *user, double t, const double *y, double *dy)
{
    (void) t;
    const bool says = *(bool *) user;
    dy[0] = -1 / (2 * y[0]);
    if (!(y[0] > 0)) dy[0] = NAN;
    return !says || y[0] > 0;
}

static bool until_one_start(void *user, double t, const double *y, double *x, double *dx)
{
    x[0] = y[0];
    return until_one(user, t, y, dx);
}

static bool until_one_rest(void *user, double t, const double *x, const double *dx, double *r)
{
    double f;
    const bool good = until_one(user, t, x, &f);
    r[0] = dx[0] - f;
    return good;
}

static bool no_slopes(void *user, double t, double c, const double *x, const double *dx, double *J)
{
    (void) t, (void) dx;
    J[0] = x[0] > 0.5 ? c - 1 / (2 * x[0] * x[0]) : NAN;
    return x[0] > 0.5 || !*(bool *) user;
}

static bool no_jacobian(void *user, double t, const double *y, double *J)
{
    (void) t;
    J[0] = y[0] > 0.5 ? 1 / (2 * y[0] * y[0]) : NAN;
    return y[0] > 0.5 || !*(bool *) user;
}

TEST(all_end_where_f_does)
{
    static const ivp_kind kinds[] = {IVP_AUTO, IVP_DOP853, IVP_ADAMS, IVP_BDF, IVP_IDA};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int says = 0; says < 2; says++) {
            if (kinds[i] != IVP_AUTO && !is_there(kinds[i])) continue;
            ah_ctx *ctx = ah_ctx_create(NULL);
            bool user = says;
            const ivp_dae dae = {.n = 1,
                                 .user = &user,
                                 .start = until_one_start,
                                 .residual = until_one_rest,
                                 .jacobian = no_slopes};
            const ivp p = {
                .n = 1, .rhs = until_one, .user = &user, .dae = &dae, .jacobian = no_jacobian};
            const ivp_options o = {.rtol = 1e-8, .atol = 1e-10, .most_steps = 100000};
            double y[1] = {1};
            const ivp_result r = ivp_run(ctx, kinds[i], &p, &o, 0, 2, y, NULL, NULL);
            CHECK(r.end == IVP_UNDEFINED || r.end == IVP_COLLAPSED);
            CHECK(r.t > 0.7 && r.t < 1.0001); /* IDA's own slopes end at y = 1/2, t = 3/4 */
            CHECK_NEAR(y[0], sqrt(fmax(0, 1 - r.t)), 1, 1e-3 / 2.2e-16, "on the way");
            double none[1] = {-1};
            const ivp_end end = ivp_run(ctx, kinds[i], &p, &o, 0, 1, none, NULL, NULL).end;
            CHECK(end == IVP_UNDEFINED || end == IVP_COLLAPSED);
            ah_ctx_destroy(ctx);
        }
}

#ifdef AH_WITH_SUNDIALS

/* ---- IDA ------------------------------------------------------------------------------------- */

static int starts;

static bool start_three_times(void *user, double t, const double *y, double *x, double *dx)
{
    return ++starts <= 3 && as_it_is(user, t, y, x, dx);
}

TEST(ida_begins_anew_where_its_form_is_bad)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    int bad = 0;
    ivp_dae dae = {.n = 2,
                   .user = &bad,
                   .start = as_it_is,
                   .residual = rest_of,
                   .jacobian = slopes_of,
                   .is_bad = bad_at_times};
    const ivp p = {.n = 2, .rhs = oscillator, .dae = &dae};
    const ivp_options o = {.rtol = 1e-8, .atol = 1e-10};
    double y[2] = {0, 1};
    const ivp_result r = ivp_run(ctx, IVP_IDA, &p, &o, 0, 20, y, NULL, NULL);
    CHECK_INT(r.end, IVP_REACHED);
    CHECK_INT(bad, r.steps); /* asked before each */
    CHECK(bad > 150);
    CHECK_NEAR(y[0], sin(20), 1, 1e-5 / 2.2e-16, "as if it had not begun anew");
    dae.start = start_three_times; /* and no form is left */
    bad = 0;
    double again[2] = {0, 1};
    const ivp_result lost = ivp_run(ctx, IVP_IDA, &p, &o, 0, 20, again, NULL, NULL);
    CHECK_INT(lost.end, IVP_UNDEFINED);
    CHECK_INT(lost.steps, 149);
    ah_ctx_destroy(ctx);
}

/* ---- Large systems --------------------------------------------------------------------------- */

enum { LARGE = 420 };

/* y_i' = −k_i (y_i − cos t), k up to 840: without a matrix. */
static bool many(void *user, double t, const double *y, double *dy)
{
    (void) user;
    for (int i = 0; i < LARGE; i++) dy[i] = -(1 + 2.0 * i) * (y[i] - cos(t));
    return true;
}

TEST(bdf_without_a_matrix)
{
    static double y[LARGE];
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp p = {.n = LARGE, .rhs = many};
    const ivp_options o = {.rtol = 1e-6, .atol = 1e-8};
    for (int i = 0; i < LARGE; i++) y[i] = 1;
    const ivp_result r = ivp_run(ctx, IVP_BDF, &p, &o, 0, 2, y, NULL, NULL);
    CHECK_INT(r.end, IVP_REACHED);
    for (int i = 0; i < LARGE; i += 99) {
        /* k (k cos t + sin t)/(k² + 1) + c e^(−kt), y(0) = 1 */
        const double k = 1 + 2.0 * i, c = 1 - k * k / (k * k + 1);
        const double want = k * (k * cos(2) + sin(2)) / (k * k + 1) + c * exp(-2 * k);
        CHECK_NEAR(y[i], want, 1, 1e-4 / 2.2e-16, "closed form");
    }
    ah_ctx_destroy(ctx);
}

/* ---- Raises ---------------------------------------------------------------------------------- */

typedef struct raising {
    ah_ctx *ctx;
    int where; /* 0: residual, 1: its slopes, 2: Jacobian, 3: projection */
} raising;

static void raise_at(void *user, int here)
{
    const raising *w = user;
    if (w->where == here) ctx_raise_limit(w->ctx, "enough");
}

static bool raise_residual(void *user, double t, const double *x, const double *dx, double *r)
{
    raise_at(user, 0);
    return rest_of(NULL, t, x, dx, r);
}

static bool raise_slopes(void *user, double t, double c, const double *x, const double *dx,
                         double *J)
{
    raise_at(user, 1);
    return slopes_of(NULL, t, c, x, dx, J);
}

static bool raise_jacobian(void *user, double t, const double *y, double *J)
{
    (void) t, (void) y, (void) J;
    raise_at(user, 2);
    return false;
}

static void raise_project(void *user, double t, double *y, bool *moved)
{
    (void) t, (void) y;
    *moved = false;
    raise_at(user, 3);
}

static void run_raising(ah_ctx *ctx, void *arg)
{
    raising *w = arg;
    const ivp_dae dae = {
        .n = 2, .user = w, .start = as_it_is, .residual = raise_residual, .jacobian = raise_slopes};
    const ivp p = {.n = 2,
                   .user = w,
                   .rhs = oscillator,
                   .dae = &dae,
                   .jacobian = raise_jacobian,
                   .project = w->where == 3 ? raise_project : NULL};
    const ivp_options o = {.rtol = 1e-8, .atol = 1e-10};
    double y[2] = {0, 1};
    ivp_run(ctx,
            w->where < 2    ? IVP_IDA
            : w->where == 2 ? IVP_BDF
                            : IVP_ADAMS,
            &p, &o, 0, 1, y, NULL, NULL);
    CHECK(false);
}

TEST(raises_from_every_callback)
{
    for (int where = 0; where < 4; where++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        raising w = {ctx, where};
        CHECK_INT(ctx_guard(ctx, run_raising, &w), AH_E_LIMIT);
        ah_ctx_destroy(ctx);
    }
}

TEST(ida_says_that_a_tolerance_is_too_tight)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ivp_dae dae = {.n = 2, .start = as_it_is, .residual = rest_of};
    const ivp p = {.n = 2, .rhs = oscillator, .dae = &dae};
    const ivp_options o = {.rtol = 1e-18, .atol = 1e-30};
    double y[2] = {1, 1};
    CHECK_INT(ivp_run(ctx, IVP_IDA, &p, &o, 0, 1, y, NULL, NULL).end, IVP_TOO_TIGHT);
    ah_ctx_destroy(ctx);
}

#endif
