/* tests/t_laws.c - motions and the laws they are known to obey: conserved quantities, attitudes in closed form,
 * ways back, poles. */
#include "harness.h"
#include "lang/lang.h"
#include "movers.h"
#include "motions.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Conserved quantities -------------------------------------------------------------------- */

TEST(energy_is_kept)
{
    const char *const model[] = {tire, blade, pendulum}, *const name[] = {"tire", "blade",
                                                                          "pendulum"};
    for (int i = 0; i < 3; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.rtol = 1e-13;
        o.atol = 1e-14;
        o.to = "1000";
        answer a = simulate(model[i], &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        const double change = number(&a, "energy", "max_change");
        CHECK_NEAR(change, 0, fabs(number(&a, "energy", "start")), 1e-10 * 0x1p52, name[i]);
        CHECK_NEAR(number(&a, NULL, "max_residual"), 0, 1, 1e-12 * 0x1p52, name[i]);
        forget(&a);
    }
}

TEST(constants_of_models_for_long)
{
    const char *const name[] = {"tire", "blade_free", "double_pendulum_spring"};
    const size_t constants[] = {1, 1, 3};
    for (int i = 0; i < 3; i++) {
        char path[1000];
        size_t length;
        snprintf(path, sizeof path, "%s/models/%s.ah", harness_source_dir(), name[i]);
        char *model = harness_read_file(path, &length);
        REQUIRE(model != NULL);
        ah_simulate_options o = ah_simulate_defaults();
        o.rtol = 1e-13;
        o.atol = 1e-14;
        o.to = "1000";
        answer a = simulate(model, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        const json_tree *list = json_tree_get(a.summary, "constants");
        CHECK(json_tree_count(list) >= constants[i]);
        for (size_t k = 0; k < json_tree_count(list); k++) {
            const json_tree *c = json_tree_at(list, k);
            CHECK_NEAR(json_tree_number(json_tree_get(c, "max_change")), 0,
                       fabs(json_tree_number(json_tree_get(c, "start"))), 1e-10 * 0x1p52, name[i]);
        }
        CHECK_NEAR(number(&a, NULL, "max_residual"), 0, 1, 1e-12 * 0x1p52, name[i]);
        forget(&a);
        free(model);
    }
}

/* ---- A ball that turns, in every form -------------------------------------------------------- */

/* The attitude of a ball is e exp(ω t/2) with ω in body axes, whatever binds its centre: constraints that say the same twice, that
 * are not linear, on accelerations; a switch; quasi-velocities; a velocity form. */
TEST(ball_beside_every_kind_of_constraint)
{
    static const struct {
        const char *words, *start;
        double x, y;
    } cases[] = {
        {"constraint c: x' = 2*y'\nconstraint d: 2*x' = 4*y'", "y' = 1", 2, 1},
        {"constraint c: x = 2*y", "y' = 1", 2, 1},
        {"constraint c: x'^2 + y'^2 = 1", "x' = 0.6, y' = 0.8", 0.6, 0.8},
        {"constraint c: x'' + y'' = 1", "x' = 0.6, y' = 0.8", 0.85, 1.05},
        {"force x = -sign(x')", "x' = 10, y' = 0.8", 9.75, 0.8},
        {"quasivelocity a = x' + y', b = x' - y', w1 = e_omega[1], w2 = e_omega[2], w3 = "
         "e_omega[3]",
         "x' = 10, y' = 0.8", 10, 0.8},
        {"velocity u, s, a1, a2, a3: x' = u, y' = s, e0' = -(e1*a1 + e2*a2 + e3*a3)/2, "
         "e1' = (e0*a1 - e3*a2 + e2*a3)/2, e2' = (e3*a1 + e0*a2 - e1*a3)/2, "
         "e3' = (-e2*a1 + e1*a2 + e0*a3)/2",
         "u = 1, s = 2, a1 = 0.1, a2 = 0.2, a3 = 2", 1, 2},
    };
    const double w = sqrt(0.01 + 0.04 + 4), k = sin(w / 2) / w, c = cos(0.15), s = sin(0.15);
    const double e[] = {c * cos(w / 2) - s * 2 * k, c * 0.1 * k - s * 0.2 * k,
                        c * 0.2 * k + s * 0.1 * k, c * 2 * k + s * cos(w / 2)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char model[1000];
        const bool form = !strncmp(cases[i].words, "velocity", 8);
        snprintf(model, sizeof model,
                 "parameter m = 2, J = 0.5\ncoordinate x, y\n"
                 "body B mass m inertia (J, J, J) at (x, y, 0) turn free e\n%s\n"
                 "start %sy = 0, %s, e turn z 0.3%s\nsimulate t = 0 .. 1\n",
                 cases[i].words, strstr(cases[i].words, "x = 2") ? "" : "x = 0, ", cases[i].start,
                 form ? "" : " turning (0.1, 0.2, 2)");
        const ah_simulate_options o = ah_simulate_defaults();
        answer a = simulate(model, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK_NEAR(final(&a, "q", 0), cases[i].x, 1, 1e-9 * 0x1p52, "x'' = 0, 1/2 or -1/2");
        CHECK_NEAR(final(&a, "q", 1), cases[i].y, 1, 1e-9 * 0x1p52, "y'' = 0 or 1/2");
        for (size_t j = 0; j < 4; j++)
            CHECK_NEAR(final(&a, "q", 2 + j), e[j], 1, 1e-9 * 0x1p52, "it turns evenly");
        forget(&a);
    }
}

/* ---- Backwards ------------------------------------------------------------------------------- */

/* Through times at which forces switch, and into singular states on straight ways. */
TEST(backwards_through_switches)
{
    const ah_simulate_options o = ah_simulate_defaults();
    answer a = simulate("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                        "force x = if(t > -1, 1, 3)\nforce y = -sign(y - 2)\n"
                        "force z = step(t + 1) + step(t + 1.5)\n"
                        "start x = 0, x' = 0, y = 0, y' = 1, z = 1, z' = 0\nsimulate t = 0 .. -2\n",
                        &o, NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK_NEAR(final(&a, "q", 0), 3, 1, 1e-9 * 0x1p52, "1/2 + 1 + 3/2");
    CHECK_NEAR(final(&a, "qdot", 0), -4, 1, 1e-9 * 0x1p52, "-1 - 3");
    CHECK_NEAR(final(&a, "q", 1), 0, 1, 1e-9 * 0x1p52, "t + t^2/2");
    CHECK_NEAR(final(&a, "q", 2), 1 + 1 + 1 + 0.125 + 1.25, 1, 1e-9 * 0x1p52,
               "2, 1, then no force");
    forget(&a);
    static const char *ways[] = {
        "constraint c: x*y' = z'*(x - y)\nstart x = 1, y = 0.5, z = 0, x' = 1, z' = 1\n",
        "constraint c: x*y' = y*z'\nstart x = 1, y = 1, z = 0, x' = 1, y' = 1\n",
        "constraint c: x*x' + y*y' + x*z' = 0\nstart x = 1, y = 1, z = 0, x' = 1, y' = 1\n"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char model[300];
        snprintf(model, sizeof model,
                 "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n%ssimulate t = 0 .. -3\n",
                 ways[i]);
        a = simulate(model, &o, NULL, NULL);
        CHECK_NEAR(number(&a, "final", "t"), -1, 1, 1e-6 * 0x1p52, "where x = y = 0");
        CHECK(strstr(reason(&a), "singular state") != NULL);
        forget(&a);
    }
}

/* x'' = −f(x): x'²/2 + ∫f stays. */
TEST(forces_by_inverse_functions)
{
    static const struct {
        const char *force;
        double sign;
        int which;
    } cases[] = {{"-asin(x/2)", 1, 0}, {"acos(x/2)", -1, 1}, {"-atan2(x, 3)", 1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char model[200];
        snprintf(model, sizeof model,
                 "coordinate x\nkinetic x'^2/2\nforce x = %s\nstart x = 1, x' = 0\n"
                 "simulate t = 0 .. 1\n",
                 cases[i].force);
        const ah_simulate_options o = ah_simulate_defaults();
        answer a = simulate(model, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        double integral[2];
        for (int k = 0; k < 2; k++) {
            const double x = k ? final(&a, "q", 0) : 1;
            const double root = sqrt(4 - x * x);
            const double all[] = {x * asin(x / 2) + root, x * acos(x / 2) - root,
                                  x * atan(x / 3) - 1.5 * log(9 + x * x)};
            integral[k] = cases[i].sign * all[cases[i].which];
        }
        const double v = final(&a, "qdot", 0);
        CHECK(fabs(v) > 0.1);
        CHECK_NEAR(v * v / 2 + integral[1], integral[0], 1, 1e-9 * 0x1p52, "energy");
        forget(&a);
    }
}

/* Of two poles that one step passes the first on the way is named, whichever is written first: x = t − 1. */
TEST(the_first_of_two_poles)
{
    static const char a[] = "constraint a: x'/x = y'/x\n";
    static const char b[] = "constraint b: z'/(x - 0.01) = x'/(x - 0.01)\n";
    for (int k = 0; k < 2; k++) {
        char model[300];
        snprintf(model, sizeof model,
                 "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n%s%s"
                 "start x = -1, y = 0, z = 0, x' = 1\nsimulate t = 0 .. 3\n",
                 k ? b : a, k ? a : b);
        const ah_simulate_options o = ah_simulate_defaults();
        answer got = simulate(model, &o, NULL, NULL);
        CHECK_NEAR(number(&got, "final", "t"), 1, 1, 1e-6 * 0x1p52, "x = t - 1");
        CHECK(strstr(reason(&got), "constraint `a`") != NULL);
        forget(&got);
    }
}

/* A constraint on velocities that one on accelerations says again: 5 y'' = 2. By IDA, too. */
TEST(said_again_of_accelerations)
{
    static const char *integrators[] = {"dop853", "ida"};
    for (int k = 0; k < 2; k++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = integrators[k];
        answer a = simulate("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\n"
                            "constraint c: x*x' = 2*x*y'\nconstraint e: x'' - 2*y'' = 0\n"
                            "start x = 1, y = 0, y' = 0\nsimulate t = 0 .. 1\n",
                            &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK_NEAR(final(&a, "q", 0), 1.4, 1, 1e-8 * 0x1p52, "x'' = 4/5");
        CHECK_NEAR(final(&a, "q", 1), 0.2, 1, 1e-8 * 0x1p52, "y'' = 2/5");
        forget(&a);
    }
}
