/* t_outputs.c - what a system gives beside its state: outputs that name accelerations, rates, multipliers, reactions
 * and masses, by every method, near the start and where its pivots vanish, against the closed form. And calls on
 * nothing, of motions and trajectories. Objects of a method's worksheet likewise. */
#include "harness.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A skate on an incline: x' = v cos θ, y' = v sin θ, v' = −g sin θ, θ'' = 0, and with C = sin θ x' − cos θ y' the
 * multiplier is −m (v θ' + g cos θ). */
#define SKATE                                                                                      \
    "parameter m = 2, J = 0.5, g = 3\ncoordinate x, y, th\n"                                       \
    "kinetic m*(x'^2 + y'^2)/2 + J*th'^2/2\npotential m*g*y\n"                                     \
    "constraint blade: sin(th)*x' = cos(th)*y'\n"                                                  \
    "start x = 0, y = 0, th = 0.1, x' = 1, th' = 0.5\n"                                            \
    "output ax = x'', ay = y'', mixed = x''*y' + M[1,1]*th'', l = lambda[blade], R = "             \
    "reaction[y]\n"                                                                                \
    "output mass = M[3,3], half = th/2, gram = G[1,1]\n"                                           \
    "output by multipliers: across = pi[1,1], D1 = D[1]\n"
static const char in_velocities[] = SKATE;
static const char in_parameters[] =
    SKATE "velocity v, w: x' = v*cos(th), y' = v*sin(th), th' = w\noutput rate = v', turn = w'\n";
static const char in_quasi[] =
    SKATE "quasivelocity w1 = sin(th)*x' - cos(th)*y', v = cos(th)*x' + sin(th)*y', w = th'\n"
          "output rate = v', turn = w'\noutput by hamel: P2 = P[2], Edot = Edot[1]\n";

typedef struct skate {
    double th, v, w;
} skate;

static const double m = 2, g = 3;

/* By its name: a state, an output, an acceleration … */
static double closed(const skate *s, const char *name)
{
    const double c = cos(s->th), n = sin(s->th), dv = -g * n, lambda = -m * (s->v * s->w + g * c);
    const double ax = dv * c - s->v * s->w * n, ay = dv * n + s->v * s->w * c;
    const struct {
        const char *name;
        double value;
    } all[] = {{"x", 1},
               {"y", 2},
               {"th", s->th},
               {"x'", s->v * c},
               {"y'", s->v * n},
               {"th'", s->w},
               {"v", s->v},
               {"w", s->w},
               {"w1", 0},
               {"x''", ax},
               {"y''", ay},
               {"th''", 0},
               {"ax", ax},
               {"ay", ay},
               {"mixed", ax * s->v * n},
               {"l", lambda},
               {"lambda[blade]", lambda},
               {"R", -lambda * c},
               {"mass", 0.5},
               {"half", s->th / 2},
               {"gram", 1 / m},
               {"across", n * n},
               {"D1", ax},
               {"P2", m * s->v},
               {"Edot", -m * g * s->v * n},
               {"rate", dv},
               {"turn", 0},
               {"v'", dv},
               {"w'", 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].name, name)) return all[i].value;
    printf("# no closed form of %s\n", name);
    return NAN;
}

static void compare(const ah_system *s, ah_work *w, ah_quantity what, const skate *at,
                    const double *y, const char *method)
{
    double out[40];
    if (!ah_system_count(s, what)) return;
    const ah_status status = ah_work_evaluate(w, what, 0, y, out);
    if (!CHECK_INT(status, AH_OK)) printf("# by %s at th = %g: %d\n", method, at->th, (int) what);
    for (size_t i = 0; status == AH_OK && i < ah_system_count(s, what); i++) {
        const char *name = ah_system_name(s, what, i);
        if (!CHECK_NEAR(out[i], closed(at, name), 20, 1e4, "closed form"))
            printf("# %s by %s at th = %g\n", name, method, at->th);
    }
}

/* At θ = π/2 the velocity that a method solves for near the start is lost. */
static size_t compare_all(const char *text, const char *engine, bool lasting)
{
    static const skate states[] = {
        {0.2, 1.5, 0.7}, {2.5, -1, 0.3}, {1.5707963267948966, 1.2, -0.4}};
    static const ah_quantity asked[] = {AH_Q_VELOCITY, AH_Q_ACCELERATION, AH_Q_MULTIPLIER,
                                        AH_Q_OUTPUT};
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *model = NULL;
    size_t systems = 0;
    CHECK_INT(ah_read(ctx, "skate", text, strlen(text), NULL, &model), AH_OK);
    for (size_t i = 0; model && i < ah_method_count(); i++) {
        ah_system_options o = ah_system_defaults();
        ah_system *s = NULL;
        o.method = ah_method_name(i);
        o.engine = engine;
        o.lasting = lasting;
        o.jacobians = lasting;
        if (ah_system_create(model, &o, &s) != AH_OK || !strcmp(o.method, "vakonomic")) {
            ah_system_destroy(s);
            ah_ctx_reset_status(ctx);
            continue;
        }
        ah_work *w = ah_work_create(s);
        for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
            double y[20], rate[20];
            const size_t count = ah_system_count(s, AH_Q_STATE);
            for (size_t j = 0; j < count; j++)
                y[j] = closed(&states[k], ah_system_name(s, AH_Q_STATE, j));
            for (size_t q = 0; q < sizeof asked / sizeof *asked; q++)
                compare(s, w, asked[q], &states[k], y, o.method);
            CHECK_INT(ah_work_evaluate(w, AH_Q_RATE, 0, y, rate), AH_OK);
            for (size_t j = 0; j < count; j++) {
                char name[40];
                snprintf(name, sizeof name, "%s'", ah_system_name(s, AH_Q_STATE, j));
                if (!CHECK_NEAR(rate[j], closed(&states[k], name), 20, 1e4, "rates"))
                    printf("# %s by %s\n", name, o.method);
            }
        }
        systems++;
        ah_work_destroy(w);
        ah_system_destroy(s);
    }
    ah_ctx_destroy(ctx);
    return systems;
}

TEST(outputs_by_every_method)
{
    CHECK(compare_all(in_velocities, "interpret", false) >= 5);
    CHECK(compare_all(in_parameters, "interpret", false) >= 5);
    CHECK(compare_all(in_quasi, "interpret", false) >= 5);
}

TEST(outputs_that_last)
{
    CHECK(compare_all(in_parameters, NULL, true) >= 5);
    CHECK(compare_all(in_quasi, NULL, true) >= 5);
}

/* ---- Calls on nothing ------------------------------------------------------------------------ */

TEST(calls_on_nothing)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *model = NULL;
    ah_system *s = NULL;
    ah_motion *motion = NULL;
    ah_trajectory *t = NULL;
    ah_event event;
    ah_statistics count;
    double y[6], p[3];
    REQUIRE(ah_read(ctx, "skate", in_velocities, sizeof in_velocities - 1, NULL, &model) == AH_OK);
    REQUIRE(ah_system_create(model, NULL, &s) == AH_OK);
    CHECK(!ah_system_method(NULL) && !ah_system_engine(NULL));
    CHECK(!ah_system_unit(NULL, AH_Q_STATE, 0) && !ah_system_unit(s, AH_Q_STATE, 99));
    CHECK_INT(ah_system_start(NULL, NULL, y), AH_E_INPUT);
    CHECK_INT(ah_system_start(s, NULL, NULL), AH_E_INPUT);
    CHECK_INT(ah_system_parameters(NULL, p), AH_E_INPUT);
    CHECK_INT(ah_system_parameters(s, NULL), AH_E_INPUT);
    CHECK_INT(ah_work_set_parameters(NULL, p), AH_E_INPUT);
    CHECK_INT(ah_work_set_parameter(NULL, 0, 1), AH_E_INPUT);
    CHECK_INT(ah_work_get_parameters(NULL, p), AH_E_INPUT);
    CHECK_INT(ah_work_project(NULL, 0, y, NULL), AH_E_INPUT);
    ah_motion_options o = ah_motion_defaults();
    CHECK_INT(ah_motion_create(NULL, &o, &motion), AH_E_INPUT);
    CHECK_INT(ah_motion_create(s, &o, NULL), AH_E_INPUT);
    o.end = INFINITY;
    CHECK_INT(ah_motion_create(s, &o, &motion), AH_E_INPUT);
    ah_ctx_reset_status(ctx);
    o.end = 1;
    REQUIRE(ah_motion_create(s, &o, &motion) == AH_OK);
    CHECK_INT(ah_motion_step(NULL), AH_E_INPUT);
    CHECK_INT(ah_motion_advance(NULL, 1), AH_E_INPUT);
    CHECK_INT(ah_motion_advance(motion, NAN), AH_E_INPUT);
    CHECK_INT(ah_motion_state(NULL, y), AH_E_INPUT);
    CHECK_INT(ah_motion_state(motion, NULL), AH_E_INPUT);
    CHECK_INT(ah_motion_state_at(NULL, 0, y), AH_E_INPUT);
    CHECK_INT(ah_motion_restart(NULL, 0, y, NULL), AH_E_INPUT);
    CHECK_INT(ah_motion_restart(motion, 0, NULL, NULL), AH_E_INPUT);
    CHECK_INT((int) ah_motion_events(NULL), 0);
    CHECK_INT(ah_motion_event(NULL, 0, &event), AH_E_INPUT);
    CHECK_INT(ah_motion_event(motion, 0, &event), AH_E_INPUT);
    CHECK_INT(ah_motion_statistics(NULL, &count), AH_E_INPUT);
    CHECK_INT(ah_motion_statistics(motion, NULL), AH_E_INPUT);
    /* a motion that has ended goes no further; the state is where it ended */
    CHECK_INT(ah_motion_advance(motion, 1), AH_OK);
    CHECK(ah_motion_time(motion) == 1 && ah_motion_state(motion, y) == AH_OK);
    CHECK_NEAR(y[2], 0.1 + 0.5, 1, 100, "th = 0.1 + t/2");
    ah_motion_destroy(motion);
    CHECK_INT(ah_trajectory_create(NULL, &o, 3, &t), AH_E_INPUT);
    CHECK_INT(ah_trajectory_create(s, &o, 3, NULL), AH_E_INPUT);
    CHECK_INT(ah_trajectory_create(s, &o, 0, &t), AH_E_INPUT);
    ah_ctx_reset_status(ctx);
    CHECK(!ah_trajectory_rows(NULL) && !ah_trajectory_columns(NULL) && !ah_trajectory_events(NULL));
    CHECK(!ah_trajectory_name(NULL, 0) && !ah_trajectory_unit(NULL, 0) && !ah_trajectory_why(NULL));
    CHECK(!ah_trajectory_column(NULL, 0) && ah_trajectory_find(NULL, "x") == -1);
    CHECK_INT(ah_trajectory_event(NULL, 0, &event), AH_E_INPUT);
    REQUIRE(ah_trajectory_create(s, &o, 3, &t) == AH_OK);
    CHECK_INT(ah_trajectory_event(t, 0, &event), AH_E_INPUT);
    CHECK_INT(ah_trajectory_event(t, 0, NULL), AH_E_INPUT);
    CHECK(!ah_trajectory_column(t, 999) && !ah_trajectory_name(t, 999));
    CHECK_INT(ah_trajectory_rows(t), 3);
    const ptrdiff_t th = ah_trajectory_find(t, "th");
    REQUIRE(th >= 0);
    CHECK_NEAR(ah_trajectory_column(t, (size_t) th)[1], 0.1 + 0.25, 1, 100, "th = 0.1 + t/2");
    ah_trajectory_destroy(t);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
}

/* x = t: it begins where it is told, ends where it is told, stops where the model says, and says so. */
TEST(ends_of_motions)
{
    static const char text[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: y' = 0\n"
                               "stop \"half\" when x = 1/2\nsimulate t = 0 .. 5\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *model = NULL;
    ah_system *s = NULL;
    ah_motion *motion = NULL;
    const double start[4] = {0, 0, 1, 0}, off[4] = {0, 0, 1, 2};
    double y[4];
    REQUIRE(ah_read(ctx, "line", text, sizeof text - 1, NULL, &model) == AH_OK);
    REQUIRE(ah_system_create(model, NULL, &s) == AH_OK);
    ah_motion_options o = ah_motion_defaults();
    CHECK_INT(ah_motion_create(s, &o, &motion), AH_E_INPUT); /* there is no start */
    CHECK(motion == NULL);
    ah_ctx_reset_status(ctx);
    o.y = off;
    CHECK_INT(ah_motion_create(s, &o, &motion), AH_E_INPUT); /* y' is not zero */
    ah_ctx_reset_status(ctx);
    o.project = true;
    REQUIRE(ah_motion_create(s, &o, &motion) == AH_OK);
    CHECK(ah_motion_state(motion, y) == AH_OK && y[2] == 1 && fabs(y[3]) < 1e-14);
    CHECK_INT(ah_motion_restart(motion, 0, (double[]){0, NAN, 1, 0}, NULL), AH_E_INPUT);
    CHECK_INT(ah_motion_restart(motion, INFINITY, start, NULL), AH_E_INPUT);
    CHECK_INT(ah_motion_restart(motion, 0, start, NULL), AH_OK);
    /* the stop comes first: beyond it there is nothing, and its state is the last one */
    CHECK_INT(ah_motion_advance(motion, 4), AH_E_NUMERIC);
    CHECK(ah_motion_ended(motion) && strstr(ah_motion_why(motion), "half"));
    CHECK_INT(ah_motion_advance(motion, 4), AH_E_NUMERIC);
    CHECK(ah_motion_state(motion, y) == AH_OK);
    CHECK_NEAR(y[0], 0.5, 1, 100, "where it stopped");
    CHECK_NEAR(ah_motion_time(motion), 0.5, 1, 100, "and when");
    CHECK_INT(ah_motion_step(motion), AH_OK); /* nothing is done */
    CHECK_NEAR(ah_motion_time(motion), 0.5, 1, 100, "as before");
    ah_motion_destroy(motion);
    o.y = start;
    o.project = false;
    o.end = -2;
    REQUIRE(ah_motion_create(s, &o, &motion) == AH_OK);
    CHECK_INT(ah_motion_advance(motion, -2), AH_OK);
    CHECK(ah_motion_state(motion, y) == AH_OK);
    CHECK_NEAR(y[0], -2, 1, 100, "backwards");
    CHECK_INT(ah_motion_advance(motion, -3), AH_E_INPUT); /* beyond the end */
    ah_motion_destroy(motion);
    o.most_steps = 3;
    o.largest_step = 1e-3;
    REQUIRE(ah_motion_create(s, &o, &motion) == AH_OK);
    CHECK_INT(ah_motion_advance(motion, -2), AH_E_LIMIT);
    CHECK_NEAR(ah_motion_time(motion), -3e-3, 1, 1e12, "three steps at most that long");
    ah_motion_destroy(motion);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
}
