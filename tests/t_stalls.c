/* t_stalls.c - motions that do not get on: over a jump of the forces they chatter, and it is said where; forces that
 * are smooth and quick do not, whatever else stands in the model. */
#include "motions.h"

#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

static answer run(const char *model, const char *integrator)
{
    ah_simulate_options o = ah_simulate_defaults();
    o.integrator = integrator;
    o.most_steps = 200000;
    return simulate(model, &o, NULL, NULL);
}

static double one(double v)
{
    (void) v;
    return 1;
}

static double angle(double v)
{
    return pi - atan(v);
}

/* Friction that no switch tells: v = y' falls from 1 to 0 by v' = −f(v), in the time ∫ dv/f and on the way ∫ v dv/f;
 * an oscillator beside it goes on until there. */
static void check_rest(const char *force, double (*f)(double v), const char *integrator)
{
    enum { PARTS = 200 };
    char model[500];
    double time = 0, way = 0;
    for (int i = 0; i <= PARTS; i++) { /* Simpson's rule */
        const double v = (double) i / PARTS, weight = i % PARTS ? 2 + 2 * (i % 2) : 1;
        time += weight / f(v) / (3 * PARTS);
        way += weight * v / f(v) / (3 * PARTS);
    }
    snprintf(model, sizeof model,
             "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2\nforce y = %s\n"
             "start x = 1, x' = 0, y = 0, y' = 1\nsimulate t = 0 .. 2\n",
             force);
    answer a = run(model, integrator);
    CHECK_INT(a.status, AH_E_NUMERIC);
    if (!CHECK(strstr(reason(&a), "chattering") != NULL)) printf("# %s: %s\n", force, reason(&a));
    const double t = json_tree_number(json_tree_get(json_tree_get(a.summary, "final"), "t"));
    CHECK_NEAR(t, time, 1, 1e-4 / 2.2e-16, "when it rests");
    CHECK_NEAR(final(&a, "q", 1), way, 1, 1e-6 / 2.2e-16, "where it rests");
    CHECK_NEAR(final(&a, "q", 0), cos(t), 1, 1e-6 / 2.2e-16, "what goes on beside it");
    forget(&a);
}

TEST(friction_that_no_switch_tells)
{
    check_rest("-atan2(y', -1)", angle, NULL);
    check_rest("-atan2(y', -1)", angle, "dop853");
    check_rest("-y'/sqrt(y'^2)", one, "dop853");
    check_rest("-y'/sqrt(y'^2)", one, "adams");
    check_rest("-y'/sqrt(y'^2)", one, "bdf");
}

/* x'' = sin(wt): x' = (1 − cos wt)/w. Four steps a turn; the rest of the way is 10¹⁰ times as long. */
TEST(quick_forces_do_not_chatter)
{
    static const char *const factors[] = {"", "*sqrt(1 + 0*x + x^2*1e-30)", "*abs(x - 1)/(1 - x)"};
    for (size_t i = 0; i < 3; i++) {
        char model[300];
        snprintf(model, sizeof model,
                 "coordinate x\nkinetic x'^2/2\nforce x = sin(1000000*t)%s\n"
                 "start x = 0, x' = 0\nsimulate t = 0 .. 100000\n",
                 factors[i]);
        answer a = run(model, "dop853");
        CHECK_INT(a.status, AH_E_NUMERIC);
        if (!CHECK(strstr(reason(&a), "does not get on") != NULL)) printf("# %s\n", reason(&a));
        const double t = json_tree_number(json_tree_get(json_tree_get(a.summary, "final"), "t"));
        CHECK_NEAR(final(&a, "qdot", 0), (1 - cos(1e6 * t)) / 1e6, 1e-6, 1e-2 / 2.2e-16, "x'");
        forget(&a);
    }
}

/* Quicker and quicker: w = e^t, steps a thousandth of the first ones in the end. The forces stay smooth. */
TEST(quicker_and_quicker)
{
    answer a =
        run("coordinate x\nkinetic x'^2/2\nforce x = exp(t)*sin(exp(t))*sqrt(1 + x^2*1e-30)\n"
            "start x = 0, x' = 0\nsimulate t = 0 .. 11\n",
            "dop853");
    CHECK_INT(a.status, AH_OK);
    CHECK_NEAR(final(&a, "qdot", 0), cos(1) - cos(exp(11)), 1, 1e-6 / 2.2e-16,
               "x' = cos 1 - cos e^t");
    forget(&a);
}

/* Friction −v/√(v² + ε²) is smooth, however narrow: it ends at rest, x = 1/2 + O(ε), and y = t goes on. */
TEST(narrow_friction)
{
    static const char *const eps[] = {"1e-6", "1e-9", "1e-10", "1e-11"};
    for (size_t i = 0; i < 4; i++) {
        char model[300];
        snprintf(model, sizeof model,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -x'/sqrt(x'^2 + %s^2)\n"
                 "start x = 0, y = 0, x' = 1, y' = 1\nsimulate t = 0 .. 30\n",
                 eps[i]);
        answer a = run(model, NULL);
        if (!CHECK_INT(a.status, AH_OK)) printf("# %s: %s\n", eps[i], reason(&a));
        CHECK_NEAR(final(&a, "q", 0), 0.5, 1, 1e-8 / 2.2e-16, eps[i]);
        CHECK_NEAR(final(&a, "q", 1), 30, 30, 1e-12 / 2.2e-16, eps[i]);
        forget(&a);
    }
}
