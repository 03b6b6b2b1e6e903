/* tests/t_switches.c - forces that switch, against closed forms: the places are located, and the
 * motion is as accurate as its steps. */
#include "motions.h"

#include <anholo/motion.h>
#include <anholo/system.h>
#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

/* Each with what it reaches of 1 at the tolerances that it can be asked for. */
static const struct by {
    const char *integrator;
    double rtol, reaches;
} by[] = {{NULL, 1e-13, 1e-10},   {"dop853", 1e-13, 1e-10}, {"taylor", 1e-13, 1e-10},
          {"adams", 1e-12, 1e-7}, {"bdf", 1e-12, 1e-6},     {"ida", 1e-9, 1e-4}};
enum { WAYS = sizeof by / sizeof *by };

static answer run(const char *model, const struct by *way, const char *engine)
{
    ah_simulate_options o = ah_simulate_defaults();
    o.integrator = way->integrator;
    o.engine = engine;
    o.rtol = way->rtol;
    o.atol = way->rtol / 10;
    o.most_steps = 100000;
    return simulate(model, &o, NULL, NULL);
}

static void near(double got, double want, const struct by *way)
{
    CHECK_NEAR(got, want, fmax(1, fabs(want)), way->reaches * 0x1p52,
               way->integrator ? way->integrator : "auto");
}

/* ---- A spring that pushes alone -------------------------------------------------------------- */

#define BOUNCE                                                                                     \
    "parameter k = 50, g = 9.81, h = 1\ncoordinate x\nkinetic x'^2/2\npotential g*x\n"             \
    "force x = -k*min(x, 0)\nstart x = h, x' = 0\nsimulate t = 0 .. 10\n"

/* Flights of 2 √(2h/g), and arcs x = −g/k + (g/k) cos ωt + (v/ω) sin ωt between them. */
static void bounced(double t, double *x, double *v)
{
    const double k = 50, g = 9.81, fall = sqrt(2 / g), down = -g * fall, w = sqrt(k), a = g / k,
                 b = down / w, touch = fmod(2 * atan2(b, a) + 2 * pi, 2 * pi) / w;
    const double s = fmod(t + fall, 2 * fall + touch), c = s - 2 * fall;
    *x = c < 0 ? -down * s - g * s * s / 2 : -a + a * cos(w * c) + b * sin(w * c);
    *v = c < 0 ? -down - g * s : w * (b * cos(w * c) - a * sin(w * c));
}

TEST(a_ball_on_a_spring_that_pushes_alone)
{
    double x, v;
    bounced(10, &x, &v);
    for (int i = 0; i < WAYS; i++) {
        answer a = run(BOUNCE, &by[i], NULL);
        CHECK_INT(a.status, AH_OK);
        near(final(&a, "q", 0), x, &by[i]);
        near(final(&a, "qdot", 0), v, &by[i]);
        forget(&a);
    }
    static const char *const engine[] = {"interpret", "tcc", "cc"};
    for (int i = 0; i < 3; i++) {
        answer a = run(BOUNCE, &by[1], engine[i]);
        near(final(&a, "q", 0), x, &by[1]);
        forget(&a);
    }
}

/* The same through a system: its rates are the written ones, its motions go piece by piece. */
TEST(a_motion_of_a_system)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_system *s = NULL;
    ah_motion *motion = NULL;
    REQUIRE(lang_read(ctx, "bounce", BOUNCE, sizeof BOUNCE - 1, NULL, &m) == AH_OK);
    REQUIRE(ah_system_create(m, NULL, &s) == AH_OK);
    CHECK_INT(ah_system_count(s, AH_Q_PARAMETER), 3);
    ah_work *w = ah_work_create(s);
    double y[2] = {-0.1, 0}, dy[2], x, v;
    CHECK_INT(ah_work_evaluate(w, AH_Q_RATE, 0, y, dy), AH_OK);
    CHECK_NEAR(dy[1], -9.81 + 5, 1, 4, "below");
    y[0] = 0.1;
    CHECK_INT(ah_work_evaluate(w, AH_Q_RATE, 0, y, dy), AH_OK);
    CHECK_NEAR(dy[1], -9.81, 1, 4, "above");
    ah_motion_options o = ah_motion_defaults();
    o.rtol = 1e-13;
    REQUIRE(ah_motion_create(s, &o, &motion) == AH_OK);
    CHECK_INT(ah_motion_advance(motion, 10), AH_OK);
    CHECK_INT(ah_motion_state(motion, y), AH_OK);
    bounced(10, &x, &v);
    near(y[0], x, &by[1]);
    const double start[] = {1, 0}, parameter[] = {50, 9.81, 7};
    CHECK_INT(ah_motion_restart(motion, 0, start, parameter), AH_OK);
    CHECK_INT(ah_motion_advance(motion, 3.3), AH_OK);
    CHECK_INT(ah_motion_state_at(motion, 3.3, y), AH_OK);
    bounced(3.3, &x, &v);
    near(y[0], x, &by[1]);
    ah_motion_destroy(motion);
    ah_work_destroy(w);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
}

/* ---- Blows ----------------------------------------------------------------------------------- */

#define DRIVEN                                                                                     \
    "coordinate X, x\nkinetic x'^2/2 + x'*X'/2 + X'^2\npotential 2*x^2\n"                          \
    "start x = 1, x' = 0\nsimulate t = 0 .. 3\n"

/* x'' = −4x − X''/2: where X' jumps by d, x' does so by −d/2. */
static void swing(double h, double jump, double *x, double *v)
{
    const double a = *x, b = *v / 2;
    *x = a * cos(2 * h) + b * sin(2 * h);
    *v = 2 * (b * cos(2 * h) - a * sin(2 * h)) - jump / 2;
}

/* Where what drives a place has a corner, at a time that is written or one that has to be located; where the velocity that is
 * driven jumps; and at the end of the span. */
TEST(corners_of_constraints)
{
    static const struct {
        const char *drive;
        double first, again, jump;
    } of[] = {{"X = abs(t - 1)", 1, 3, 2},
              {"X' = if(t < 1, -1, 1)", 1, 3, 2},
              {"X = abs(cos(t) - cos(1))", 1, 3, 0}, /* X'' = ∓cos t besides */
              {"X = abs(t - 1) + abs(t - 3)", 1, 3, 2}};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < WAYS; i++) {
            char words[400];
            double x = 1, v = 0;
            if (k == 2 && by[i].integrator && strchr("ti", *by[i].integrator))
                continue; /* no series; and IDA must step over the place to see it, and cannot */
            snprintf(words, sizeof words, DRIVEN "constraint drive: %s\n%s", of[k].drive,
                     k == 1 ? "start X = 0\n" : "");
            answer a = run(words, &by[i], NULL);
            CHECK_INT(a.status, AH_OK);
            if (k == 2) { /* beside homogeneous solutions s cos t/6, s = 1, then −1 */
                const double c = cos(1) / 6, d = sin(1) / 6;
                x -= 1.0 / 6;
                swing(1, 2 * sin(1), &x, &v);
                x += 2 * c, v -= 2 * d;
                swing(2, 0, &x, &v);
                x -= cos(3) / 6;
            } else {
                swing(of[k].first, of[k].jump, &x, &v);
                swing(of[k].again - of[k].first, 0, &x, &v);
            }
            near(final(&a, "q", 1), x, &by[i]);
            forget(&a);
        }
}

/* A place that would have to jump is not moved there. */
TEST(places_do_not_jump)
{
    answer a = run(DRIVEN "constraint drive: X = if(t < 1, 0, 1e-3)\n", &by[0], NULL);
    CHECK_INT(a.status, AH_E_NUMERIC);
    CHECK(strstr(reason(&a), "places would have to"));
    CHECK_NEAR(number(&a, "final", "t"), 1, 1, 1e-9 * 0x1p52, "where it jumps");
    forget(&a);
}

/* Rows of numbers in a constraint, through a system. */
TEST(corners_of_rows)
{
    static const char words[] = "input s = 0\n" DRIVEN "constraint drive: X = s\n";
    static const double t[] = {-1, 1, 2, 5}, u[] = {2, 0, 1, 1};
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_system *s = NULL;
    ah_motion *motion = NULL;
    double y[4], x = 1, v = 0;
    REQUIRE(lang_read(ctx, "driven", words, sizeof words - 1, NULL, &m) == AH_OK);
    ah_system_options how = ah_system_defaults();
    how.driven = true;
    REQUIRE(ah_model_set_input_rows(m, "s", 4, t, u, false) == AH_OK);
    REQUIRE(ah_system_create(m, &how, &s) == AH_OK);
    ah_motion_options o = ah_motion_defaults();
    o.rtol = 1e-13;
    REQUIRE(ah_motion_create(s, &o, &motion) == AH_OK);
    CHECK_INT(ah_motion_advance(motion, 3), AH_OK);
    CHECK_INT(ah_motion_state(motion, y), AH_OK);
    swing(1, 2, &x, &v);
    swing(1, -1, &x, &v);
    swing(1, 0, &x, &v);
    near(y[1], x, &by[1]);
    near(y[3], v, &by[1]);
    ah_motion_destroy(motion);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
}

/* ---- Dry friction ---------------------------------------------------------------------------- */

/* m x'' = −k x − µ sign x': half turns about ±µ/k, until a turning point lies within. */
TEST(dry_friction_ends_where_it_sticks)
{
    const double m = 2, k = 0.7, mu = 0.3, d = mu / k;
    double x = 5, t = 0;
    for (; fabs(x) > d; t += pi * sqrt(m / k)) x = -(x - copysign(2 * d, x));
    for (int i = 0; i < WAYS; i++) {
        answer a = run("parameter m = 2, k = 0.7, mu = 0.3\ncoordinate x\nkinetic m*x'^2/2\n"
                       "potential k*x^2/2\nforce x = -mu*sign(x')\nstart x = 5, x' = 0\n"
                       "simulate t = 0 .. 100\n",
                       &by[i], NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        CHECK(strstr(reason(&a), "chattering") != NULL);
        near(number(&a, "final", "t"), t, &by[i]);
        near(final(&a, "q", 0), x, &by[i]);
        forget(&a);
    }
}

/* m x'' = −µ sign x' keeps x' = 0: sign(0) = 0. */
TEST(dry_friction_alone_comes_to_rest_and_stays)
{
    for (int i = 0; i < WAYS; i++) {
        answer a = run("parameter m = 2, mu = 0.3\ncoordinate x\nkinetic m*x'^2/2\n"
                       "dissipation mu*abs(x')\nstart x = 0, x' = 1.5\nsimulate t = 0 .. 20\n",
                       &by[i], NULL);
        CHECK_INT(a.status, AH_OK);
        near(final(&a, "q", 0), 7.5, &by[i]);
        near(final(&a, "qdot", 0), 0, &by[i]);
        forget(&a);
    }
}

/* At rest: pushed by less than the friction it is not determined, by more it moves; on a hill it
 * leaves zero to the side to which it is pushed. */
TEST(starts_at_a_switch)
{
    static const struct {
        const char *force;
        ah_status status;
        double x;
    } at[] = {
        {"0.2 - 0.3*sign(x')", AH_E_NUMERIC, 0}, {"0.5 - 0.3*sign(x')", AH_OK, 0.1},
        {"-0.5 - 0.3*sign(x')", AH_OK, -0.1},    {"-0.3*sign(x')", AH_OK, 0},
        {"0.5 + sign(x)", AH_OK, 0.75},          {"0.5 + sign(x')", AH_OK, 0.75},
        {"max(x, 0) + min(x, 0)", AH_OK, 0},     {"1 + max(x, 0)", AH_OK, 0.5430806348152437}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        char words[300];
        snprintf(words, sizeof words,
                 "coordinate x\nkinetic x'^2/2\nforce x = %s\nstart x = 0, x' = 0\n"
                 "simulate t = 0 .. 1\n",
                 at[i].force);
        answer a = run(words, &by[1], NULL);
        if (!CHECK_INT(a.status, at[i].status)) printf("# %s: %s\n", at[i].force, reason(&a));
        near(final(&a, "q", 0), at[i].x, &by[1]);
        forget(&a);
    }
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* x'' = sign(sin 3t): parabolas of length π/3. y'' = w |y − 1| with w = 1 before t = 2 and −1 after. */
TEST(inputs_that_switch)
{
    double x = 0, v = 0, s = 1;
    for (double t = 0; t < 10; t += pi / 3, s = -s) {
        const double h = fmin(pi / 3, 10 - t);
        x += v * h + s * h * h / 2;
        v += s * h;
    }
    /* y = 1 − cos t; 1 + sinh(t − π/2); 1 + R cos(t − 2 − τ); 1 − R sinh(t − 2 − τ − π/2) */
    const double c = 2 - pi / 2, tau = atan2(cosh(c), sinh(c)), R = hypot(sinh(c), cosh(c));
    const double y = 1 - R * sinh(8 - tau - pi / 2);
    for (int i = 0; i < WAYS; i++) {
        answer a = run("input u = sign(sin(3*t)), w = if(t < 2, 1, -1)\ncoordinate x, y\n"
                       "kinetic (x'^2 + y'^2)/2\nforce x = u\nforce y = w*abs(y - 1)\n"
                       "start x = 0, x' = 0, y = 0, y' = 0\nsimulate t = 0 .. 10\n",
                       &by[i], NULL);
        CHECK_INT(a.status, AH_OK);
        near(final(&a, "q", 0), x, &by[i]);
        near(final(&a, "qdot", 0), v, &by[i]);
        near(final(&a, "q", 1), y, &by[i]);
        forget(&a);
    }
}

/* x'' = log|t − 1| is infinite at t = 1, and the motion goes on: x'(4) = 1 + ∫ = 3 log 3 − 3. Where 1/√|t − 1| is, steps
 * of rounding size do more than the tolerance: it ends there, or it is as accurate as it says. */
TEST(forces_without_bound_where_they_switch)
{
    for (int i = 0; i < WAYS; i++) {
        answer a = run("coordinate x\nkinetic x'^2/2\nforce x = log(abs(t - 1))\n"
                       "start x = 0, x' = 1\nsimulate t = 0 .. 4\n",
                       &by[i], NULL);
        CHECK_INT(a.status, AH_OK);
        near(final(&a, "qdot", 0), 3 * log(3) - 3, &by[i]);
        forget(&a);
        a = run("coordinate x\nkinetic x'^2/2\nforce x = 1/sqrt(abs(t - 1))\n"
                "start x = 0, x' = 1\nsimulate t = 0 .. 4\n",
                &by[i], NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        CHECK(reason(&a) && !strstr(reason(&a), "kinetic energy"));
        CHECK_NEAR(json_tree_number(json_tree_get(json_tree_get(a.summary, "final"), "t")), 1, 1,
                   1e-6 * 0x1p52, "it ends at the pole");
        forget(&a);
    }
}

/* Roots and logarithms of what switches end beyond the place on the old side; and u log|u| has a limit there, but no value.
 * Along x = t the integrals from 0 to 3 are known. */
TEST(roots_of_what_switches)
{
    const struct {
        const char *force;
        double integral;
    } of[] = {{"sqrt(abs(x - 1))", 2 * (1 + sqrt(8)) / 3},
              {"abs(x - 1)^(3/2)", 2 * (1 + sqrt(32)) / 5},
              {"sqrt(max(1 - x, 0))", 2.0 / 3},
              {"sqrt(max(x - 1, 0))", 2 * sqrt(8) / 3},
              {"sqrt(3*max(x*x' - sin(t)^2, cos(t)^2) - 3*cos(t)^2)",
               2 * sqrt(3) * sqrt(8) / 3}, /* x x' = t: t − 1 where it is positive */
              {"(x - 1)*log(abs(x - 1))", 2 * log(2) - 0.75},
              {"sign(x - 1)*abs(x - 1)^0.3", (pow(2, 1.3) - 1) / 1.3},
              {"sqrt(1 + sign(x - 1))", sqrt(8)}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        for (int i = 0; i < WAYS; i++) {
            char words[300];
            if (by[i].integrator && strchr("ti", *by[i].integrator))
                continue; /* no series; and IDA says that it cannot be as accurate there */
            snprintf(words, sizeof words,
                     "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce y = %s\n"
                     "start x = 0, x' = 1, y = 0, y' = 0\nsimulate t = 0 .. 3\n",
                     of[k].force);
            answer a = run(words, &by[i], NULL);
            CHECK_STR(reason(&a), "");
            near(final(&a, "qdot", 1), of[k].integral, &by[i]);
            forget(&a);
        }
}

/* Nested, and two at the same place: |1 − |x|| along x = t; its integral from 0 to 3 is 3. Backwards
 * in time, too. */
TEST(switches_in_switches)
{
    static const char *const to[] = {"3", "-3"};
    for (int i = 0; i < 2; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.rtol = 1e-13;
        o.to = to[i];
        answer a = simulate("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                            "force y = abs(1 - abs(x)) + sign(x - 1) + sign(1 - x)\n"
                            "start x = 0, x' = 1, y = 0, y' = 0\nsimulate t = 0 .. 3\n",
                            &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        near(final(&a, "qdot", 1), i ? -2.5 : 2.5, &by[1]);
        /* y = ∫ y': 1/2 t² − t³/6 up to 1, then 1/3 + (t−1)/2 + (t−1)³/6 */
        near(final(&a, "q", 1), 1.0 / 3 + 1 + 8.0 / 6, &by[1]);
        forget(&a);
    }
}

/* Half of the work: the error falls as fast as without a switch. */
TEST(the_order_is_kept)
{
    double x, v, error[2];
    bounced(10, &x, &v);
    for (int i = 0; i < 2; i++) {
        const struct by way = {"dop853", i ? 1e-11 : 1e-8, 0};
        answer a = run(BOUNCE, &way, NULL);
        error[i] = fabs(final(&a, "q", 0) - x);
        forget(&a);
    }
    CHECK(error[0] < 1e-6 && error[1] < 1e-9);
}
