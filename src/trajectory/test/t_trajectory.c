/* t_trajectory - motions kept in memory: columns by name, what the motion makes, limits. */
#include "harness.h"
#include "lang/lang.h"

#include "trajectory/trajectory.h"

#include <anholo/anholo.h>
#include <math.h>
#include <string.h>

/* M is not the identity; z, ω, a constraint, outputs of what the state does not hold. */
static const char skate[] = "parameter m = 2, I = 0.3, g = 9.81, alpha = 0.2\n"
                            "coordinate x, y, theta\n"
                            "kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2\n"
                            "potential -m*g*sin(alpha)*x\n"
                            "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                            "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n"
                            "quasivelocity u = 2*theta', s = x'*cos(theta) + y'*sin(theta)\n"
                            "start x = 0, y = 0, theta = 0.3, v = 1, w = 0.7\n"
                            "simulate t = 0 .. 2\n"
                            "output pull = v'\n";

typedef struct job {
    ah_model *model;
    const char *const *extra;
    size_t extras;
    ah_simulate_options options;
    trajectory out;
    bool good;
    ah_status status;
} job;

static void run(ah_ctx *ctx, void *arg)
{
    job *j = arg;
    ah_expr e[16];
    (void) ctx;
    for (size_t i = 0; i < j->extras; i++) {
        const ah_status read = ah_read_output(j->model, "test", j->extra[i], &e[i]);
        CHECK_INT(read, AH_OK);
        if (read != AH_OK) return;
    }
    j->good = trajectory_run(j->model, &j->options, e, j->extras, &j->out, &j->status);
}

static ah_status run_job(ah_ctx *ctx, const char *model, job *j)
{
    if (!j->options.rtol) j->options = ah_simulate_defaults();
    if (lang_read(ctx, "test", model, strlen(model), NULL, &j->model) != AH_OK) return AH_E_INPUT;
    return ctx_guard(ctx, run, j);
}

static double at(const trajectory *t, size_t row, const char *name)
{
    const size_t column = trajectory_column(t, name);
    return CHECK(column != SIZE_MAX) ? t->at[row * t->columns + column] : NAN;
}

TEST(columns_hold_what_the_motion_makes)
{
    static const char *const extra[] = {
        "x''",
        "m*g*sin(alpha) + lambda[blade]*sin(theta)",
        "reaction[y] + lambda[1]*cos(theta)",
        "u'",
        "s' - pull",
        "M[1,1] - m",
    };
    ah_ctx *ctx = ah_ctx_create(NULL);
    job j = {.extra = extra, .extras = 6};
    CHECK_INT(run_job(ctx, skate, &j), AH_OK);
    REQUIRE(j.good);
    const trajectory *t = &j.out;
    CHECK_INT(t->rows, 201);
    CHECK_INT(t->columns, t->extra + 6);
    for (size_t row = 0; row < t->rows; row++) {
        const double *of = t->at + row * t->columns + t->extra, theta = at(t, row, "theta");
        CHECK_NEAR(2 * of[0], of[1], 10, 64, "m x'' = F + lambda dC/dx'");
        CHECK_NEAR(of[2], 0, 10, 64, "the reaction is J^T lambda");
        CHECK_NEAR(of[3], 0, 1, 64, "theta' is constant");
        CHECK_NEAR(of[4], 0, 10, 64, "s is v");
        CHECK_NEAR(of[5], 0, 1, 1, "mass matrix");
        CHECK_NEAR(at(t, row, "pull"), 9.81 * sin(0.2) * cos(theta), 2, 16, "Benenti 9.1");
        CHECK_NEAR(at(t, row, "theta"), 0.3 + 0.7 * at(t, row, "t"), 2, 1e5, "rtol 1e-10");
    }
    ah_ctx_destroy(ctx);
}

TEST(too_much_is_refused_before_it_is_allocated)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    job j = {.options = ah_simulate_defaults()};
    j.options.samples = TRAJECTORY_LIMIT;
    CHECK_INT(run_job(ctx, skate, &j), AH_E_LIMIT);
    CHECK(strstr(ah_diagnostics_text(ctx, false), "A0901") != NULL);
    ah_ctx_destroy(ctx);
}

TEST(a_motion_that_ends_early_keeps_its_rows)
{
    /* x' = 1/(1 - t) by x'' = x'^2: to infinity at t = 1 */
    static const char model[] = "coordinate x\nkinetic x'^2/2\nforce x = x'^2\n"
                                "start x = 0, x' = 1\nsimulate t = 0 .. 2\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    job j = {.options = ah_simulate_defaults()};
    j.options.samples = 0;
    j.options.every = 0.15;
    run_job(ctx, model, &j);
    REQUIRE(j.good);
    CHECK_INT(j.status, AH_E_NUMERIC);
    CHECK_INT(j.out.rows, 7);
    for (size_t i = 0; i < j.out.rows; i++)
        CHECK_NEAR(at(&j.out, i, "x'"), 1 / (1 - 0.15 * (double) i), 8, 1e7, "closed form");
    ah_ctx_destroy(ctx);
}

TEST(no_constraints_and_no_span)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    job j = {0};
    run_job(ctx, "coordinate x\nkinetic x'^2/2\nstart x = 0, x' = 1\n", &j);
    CHECK(!j.good && j.status == AH_E_INPUT);
    CHECK(strstr(ah_diagnostics_text(ctx, false), "A0611") != NULL);
    ah_ctx_destroy(ctx);
}
