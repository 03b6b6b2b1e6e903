/* tests/t_inputs.c - inputs of a system are numbers that the caller hands in between calls. */
#include "harness.h"

#include <anholo/anholo.h>
#include <math.h>
#include <string.h>

static const char text[] = "parameter m = 2, k = 8\n"
                           "input u = 5*sin(t), s = 0\n"
                           "coordinate x, y\n"
                           "kinetic m*(x'^2 + y'^2)/2\n"
                           "potential k*x^2/2\n"
                           "force x = u\n"
                           "constraint belt: y = s\n"
                           "start x = 0, x' = 0, y = 0, y' = 0\n"
                           "simulate t = 0 .. 3\n";

typedef struct fixture {
    ah_ctx *ctx;
    ah_model *model;
    ah_system *system;
} fixture;

static fixture open_fixture(void)
{
    fixture f = {.ctx = ah_ctx_create(NULL)};
    CHECK(ah_read(f.ctx, "test", text, strlen(text), NULL, &f.model) == AH_OK);
    CHECK(ah_system_create(f.model, NULL, &f.system) == AH_OK);
    return f;
}

static void close_fixture(fixture *f)
{
    ah_system_destroy(f->system);
    ah_model_destroy(f->model);
    ah_ctx_destroy(f->ctx);
}

static void set(ah_work *w, const ah_system *s, const char *name, double value)
{
    const ptrdiff_t i = ah_system_find(s, AH_Q_PARAMETER, name);
    REQUIRE(i >= 0);
    CHECK(ah_work_set_parameter(w, (size_t) i, value) == AH_OK);
}

TEST(names)
{
    fixture f = open_fixture();
    CHECK(ah_system_find(f.system, AH_Q_PARAMETER, "u") >= 0);
    CHECK(ah_system_find(f.system, AH_Q_PARAMETER, "u'") < 0); /* in a force alone */
    CHECK(ah_system_find(f.system, AH_Q_PARAMETER, "s''") >= 0);
    CHECK(ah_system_find(f.system, AH_Q_PARAMETER, "t(s)") >= 0);
    ah_item item;
    REQUIRE(ah_model_item(f.model, AH_ITEM_FUNCTION, 0, &item) == AH_OK);
    CHECK_STR(item.name, "u");
    CHECK_STR(item.kind, "input");
    close_fixture(&f);
}

/* m x'' = u - k x, y'' = s'': whatever the numbers are. */
TEST(accelerations)
{
    fixture f = open_fixture();
    ah_work *w = ah_work_create(f.system);
    REQUIRE(w);
    const double y[4] = {0.25, 0.5, 0.125, 0.75};
    double a[2];
    set(w, f.system, "u", 3);
    set(w, f.system, "s", 0.5);
    set(w, f.system, "s'", 0.75);
    set(w, f.system, "s''", -7);
    set(w, f.system, "t(s)", 1.5);
    REQUIRE(ah_work_evaluate(w, AH_Q_ACCELERATION, 1.5, y, a) == AH_OK);
    CHECK(fabs(a[0] - (3 - 8 * 0.25) / 2) < 1e-14);
    CHECK(fabs(a[1] + 7) < 1e-14);
    ah_work_destroy(w);
    close_fixture(&f);
}

/* A force switched on between two steps: x = (1 - cos 2(t - 1))/8 from there on. */
TEST(between_steps)
{
    fixture f = open_fixture();
    ah_motion *m = NULL;
    ah_motion_options o = ah_motion_defaults();
    double p[16], y[4];
    const size_t count = ah_system_count(f.system, AH_Q_PARAMETER);
    REQUIRE(count <= 16);
    REQUIRE(ah_system_parameters(f.system, p) == AH_OK);
    REQUIRE(ah_motion_create(f.system, &o, &m) == AH_OK);
    const size_t u = (size_t) ah_system_find(f.system, AH_Q_PARAMETER, "u");
    CHECK(p[u] == 0); /* 5 sin(0) */
    REQUIRE(ah_motion_advance(m, 1) == AH_OK);
    REQUIRE(ah_motion_state_at(m, 1, y) == AH_OK);
    p[u] = 1;
    REQUIRE(ah_motion_restart(m, 1, y, p) == AH_OK);
    REQUIRE(ah_motion_advance(m, 2) == AH_OK);
    REQUIRE(ah_motion_state_at(m, 2, y) == AH_OK);
    CHECK(fabs(y[0] - (1 - cos(2.0)) / 8) < 1e-9);
    ah_motion_destroy(m);
    close_fixture(&f);
}

/* The same model made by calls, driven by its own value and by rows. */
TEST(by_calls)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = ah_model_create(ctx, "by calls");
    ah_ctx *own = ah_model_context(m);
    const ah_expr x = ah_model_coordinate(m, "x"), v = ah_model_velocity(m, x);
    const ah_expr u = ah_model_input(m, "u", ah_int(own, 4));
    CHECK(ah_model_kinetic(m, ah_mul(own, v, v)) == AH_OK); /* mass 2 */
    CHECK(ah_model_force(m, x, u) == AH_OK);
    CHECK(ah_model_start(m, x, ah_int(own, 0)) == AH_OK);
    CHECK(ah_model_finish(m) == AH_OK);
    const char *out = NULL;
    CHECK(ah_eval(m, NULL, AH_TEXT, &out) == AH_OK);
    CHECK(out && strstr(out, "x''             2"));
    const double t[] = {-1, 1}, rows[] = {10, 6}, back[] = {1, 0};
    CHECK(ah_model_set_input_rows(m, "u", 2, t, rows, false) == AH_OK);
    CHECK(ah_eval(m, NULL, AH_TEXT, &out) == AH_OK);
    CHECK(out && strstr(out, "x''             4"));
    CHECK(ah_model_set_input_rows(m, "u", 2, back, rows, false) == AH_E_INPUT);
    CHECK(ah_model_set_input(m, "w", ah_int(own, 1)) == AH_E_INPUT);
    ah_model_destroy(m);
    ah_ctx_destroy(ctx);
}

/* A driven system moves as ah_simulate does: m x'' = 5 sin t - k x. */
TEST(driven)
{
    fixture f = open_fixture();
    ah_system *s = NULL;
    ah_system_options o = ah_system_defaults();
    ah_trajectory *t = NULL;
    o.driven = true;
    REQUIRE(ah_system_create(f.model, &o, &s) == AH_OK);
    CHECK(ah_system_find(s, AH_Q_PARAMETER, "u") < 0);
    REQUIRE(ah_trajectory_create(s, NULL, 7, &t) == AH_OK);
    const size_t x = (size_t) ah_trajectory_find(t, "x");
    for (size_t i = 0; i < 7; i++) { /* x'' = 5/2 sin t - 4 x: x = 5/6 sin t - 5/12 sin 2t */
        const double at = ah_trajectory_column(t, 0)[i];
        CHECK(fabs(ah_trajectory_column(t, x)[i] - 5 * sin(at) / 6 + 5 * sin(2 * at) / 12) < 1e-8);
    }
    ah_trajectory_destroy(t);
    ah_system_destroy(s);
    close_fixture(&f);
}

/* A kinematic model has no motion of its own, and its inputs are no part of the state: no words about steady motions, and a name
 * that is an input is told so. */
TEST(kinematic_models_and_their_inputs)
{
    static const char unicycle[] =
        "coordinate x, y, theta\ninput v = 1, w = 0.3\n"
        "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_answer *a = NULL;
    const char *out = NULL;
    REQUIRE(ah_read(ctx, "test", unicycle, strlen(unicycle), NULL, &m) == AH_OK);
    CHECK(ah_steady(m, NULL, &a) != AH_OK && !a);
    CHECK(strstr(ah_diagnostics_text(ctx, false), "no motion of its own") != NULL);
    const ah_eval_options at = {.size = sizeof at, .at = "x=0,y=0,theta=0,v=2"};
    CHECK(ah_eval(m, &at, AH_TEXT, &out) != AH_OK);
    CHECK(strstr(ah_diagnostics_text(ctx, false), "`v` is an input") != NULL);
    ah_ctx_destroy(ctx);
}
