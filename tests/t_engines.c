/* tests/t_engines.c - motions are the same to the byte by every engine; which engine is taken, and which
 * integrator where a system is stiff. */
#include "harness.h"
#include "lang/lang.h"
#include "movers.h"
#include "motions.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reproducibility ------------------------------------------------------------------------- */

/* What is compiled here does not go to the user's cache. */
static void use_own_cache(void)
{
    const char *build = getenv("AH_BUILD_DIR");
    if (build) setenv("XDG_CACHE_HOME", build, 1);
}

static void compare_engines(const char *model, const char *integrator, const char *to)
{
    const char *const name_of_engine[] = {"interpret", "interpret", "tcc", "cc", "auto"};
    rows first = {0};
    for (size_t e = 0; e < sizeof name_of_engine / sizeof *name_of_engine; e++) {
        rows r = {0};
        ah_simulate_options o = ah_simulate_defaults();
        o.to = to;
        o.engine = name_of_engine[e];
        o.integrator = integrator;
        answer a = simulate(model, &o, &r, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK_INT(r.count, 202);
        if (e == 0) {
            first = r;
        } else {
            CHECK(r.length == first.length && memcmp(r.at, first.at, r.length) == 0);
            free(r.at);
        }
        forget(&a);
    }
    free(first.at);
}

TEST(same_bytes_from_every_engine)
{
    use_own_cache();
    const char *const model[] = {tire, blade, pendulum};
    const char *const integrator[] = {"dop853", "taylor", "adams", "bdf", "ida"};
    for (int i = 0; i < 3; i++) {
        compare_engines(model[i], "auto", "20"); /* so long that it tries */
        for (size_t k = 0; k < sizeof integrator / sizeof *integrator; k++)
            compare_engines(model[i], integrator[k], "3");
    }
}

/* What compiled code does at the end of a step (motion_ends.c) others do one after the other: places, velocities and norms brought to
 * the constraints, a contact force and a rank watched. */
TEST(ends_of_steps_are_the_same_in_every_engine)
{
    static const char *const model[] = {
        "parameter m = 1, r = 0.2, d = 0.05, g = 9.81\ncoordinate x, y, z\n"
        "body ball mass m inertia (0.012, 0.014, 0.016) at (x, y, z) turn free e\n"
        "gravity (0, 0, -g)\nshape ball sphere radius r at (0, 0, d)\nsurface floor plane\n"
        "roll ball on floor\n"
        "start x = 0, y = 0, z near 0.2, e turn z 0.3, x 1 turning (0.4, 2, 5)\n"
        "simulate t = 0 .. 1\n",
        "parameter m = 1, g = 9.81\ncoordinate s, x, y, z\npoint cart mass 2 at (s, 0, 0)\n"
        "point bob mass m at (x, y, z)\ngravity (0, 0, -g)\npotential s^2\n"
        "constraint rod: (x - s)^2 + y^2 + z^2 = 1\n"
        "start s = 0.2, x = 0.8, y = 0, z = -0.8, s' = 0, x' = 0.2, y' = 0.8\n"
        "simulate t = 0 .. 1\n"};
    use_own_cache();
    for (int i = 0; i < 2; i++) compare_engines(model[i], "dop853", "2");
}

/* Multipliers that are a constant 0 there, by a product with a negative number. */
TEST(same_zeros_from_every_engine)
{
    char path[500];
    snprintf(path, sizeof path, "%s/models/double_pendulum_coinciding.ah", harness_source_dir());
    char *model = harness_read_file(path, NULL);
    compare_engines(model, "dop853", "2");
    free(model);
}

/* A few steps are interpreted: compiling would take longer. */
TEST(short_runs_are_not_compiled)
{
    for (int i = 0; i < 2; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.samples = 2;
        o.most_steps = i ? 100 : 10;
        o.to = "1000";
        answer a = simulate(tire, &o, NULL, NULL);
        REQUIRE(a.summary != NULL);
        const bool interpreted = !strcmp(json_tree_get(a.summary, "engine")->text, "interpret");
        CHECK(interpreted == (i == 0));
        forget(&a);
    }
}

/* By the length of the run; what is in the cache already is taken at once, so it is emptied. */
TEST(long_runs_are_compiled_by_cc)
{
    static const char *const ends[] = {"1000", "1e6"}, *const engines[] = {"tcc", "cc"};
    char folder[500] = "";
    snprintf(folder, sizeof folder, "%s/judge-XXXXXX",
             getenv("AH_BUILD_DIR") ? getenv("AH_BUILD_DIR") : "/tmp");
    REQUIRE(mkdtemp(folder) != NULL);
    setenv("XDG_CACHE_HOME", folder, 1);
    for (int i = 0; i < 2; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.to = ends[i];
        o.samples = 2;
        o.most_steps = 1500; /* the judgement falls after 1000 */
        o.integrator = "dop853";
        answer a = simulate(tire, &o, NULL, NULL);
        REQUIRE(a.summary != NULL);
        CHECK_STR(json_tree_get(a.summary, "engine")->text, engines[i]);
        forget(&a);
    }
    char command[600];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK_INT(system(command), 0);
    use_own_cache();
}

/* ---- Stiffness ------------------------------------------------------------------------------- */

/* A blade in honey: θ = 0.3 + 1.1 (I/c)(1 − e^{−ct/I}), and the speed follows g cos θ at once. */
static const char honey[] = "parameter m = 1, I = 0.5, c = 0.1, k = 1e6, g = 1\n"
                            "coordinate x, y, theta\n"
                            "kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2\n"
                            "force x = m*g - k*x'\n"
                            "force y = -k*y'\n"
                            "force theta = -c*theta'\n"
                            "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                            "start x = 0, y = 0, theta = 0.3, theta' = 1.1, x' = cos(0.3), "
                            "y' = sin(0.3)\n";

TEST(what_is_stiff_goes_over_to_bdf)
{
    for (int tight = 0; tight < 2; tight++) {
        ah_simulate_options o = ah_simulate_defaults();
        if (tight) o.rtol = 1e-12, o.atol = 1e-14;
        o.to = "10";
        answer a = simulate(honey, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        REQUIRE(a.summary != NULL);
        if (!strcmp(json_tree_get(a.summary, "integrator")->text, "bdf")) {
            CHECK(number(&a, NULL, "stiff_from") < 0.01);
            CHECK(number(&a, NULL, "steps") < 5000); /* by DOP853 more than a million */
        } else {
            CHECK(false);
        }
        const json_tree *q = json_tree_get(json_tree_get(a.summary, "final"), "q");
        const json_tree *v = json_tree_get(json_tree_get(a.summary, "final"), "qdot");
        const double decay = exp(-2), theta = 0.3 + 5.5 * (1 - decay), rate = 1.1 * decay;
        /* m u' = m g cos θ − k u: u = (g/k) (cos θ + sin θ θ'/k) up to 1/k³ */
        const double u = 1e-6 * (cos(theta) + 1e-6 * sin(theta) * rate);
        CHECK_NEAR(json_tree_number(json_tree_at(q, 2)), theta, 5, 1e-8 * 0x1p52, "angle");
        CHECK_NEAR(json_tree_number(json_tree_at(v, 2)), rate, 1, 1e-8 * 0x1p52, "its rate");
        CHECK_NEAR(json_tree_number(json_tree_at(v, 0)), u * cos(theta), 1e-6, 1e-6 * 0x1p52, "x'");
        CHECK_NEAR(json_tree_number(json_tree_at(v, 1)), u * sin(theta), 1e-6, 1e-6 * 0x1p52, "y'");
        CHECK_NEAR(number(&a, NULL, "max_residual"), 0, 1, 1e-12 * 0x1p52, "constraint");
        forget(&a);
    }
}

/* A stiff spring, hardly vibrating: steps are near the edge of stability, but BDF has to follow the
 * vibration with many more. */
TEST(what_bdf_does_no_better_is_given_back)
{
    const char *const model = "parameter k = 1e8\ncoordinate x, y\npoint P mass 1 at (x, y)\n"
                              "gravity (0, -10)\npotential k/2*(sqrt(x^2 + y^2) - 1)^2\n"
                              "start x = 1, y = 0, x' = 0, y' = 0\n";
    double x[2];
    for (int k = 0; k < 2; k++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.rtol = 1e-9;
        o.to = "5";
        o.integrator = k ? "dop853" : "auto";
        answer a = simulate(model, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        REQUIRE(a.summary != NULL);
        if (!k) {
            CHECK(strcmp(json_tree_get(a.summary, "integrator")->text, "bdf") != 0);
            CHECK(number(&a, NULL, "steps") < 20000); /* forty thousand by BDF */
        }
        x[k] = json_tree_number(
            json_tree_at(json_tree_get(json_tree_get(a.summary, "final"), "q"), 0));
        forget(&a);
    }
    CHECK_NEAR(x[0], x[1], 1, 1e-7 * 0x1p52, "the same place");
}
