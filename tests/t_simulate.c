/* tests/t_simulate.c - motions: the trajectories of the reference systems by every method,
 * conserved quantities, reproducibility, no memory taken in a step, runs that are cut short. */
#include "harness.h"
#include "lang/lang.h"
#include "motions.h"

#include "motion/motion_run.h"

#include <anholo/anholo.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AGREEMENT 1e-9 /* of the end, at rtol 1e-12 */
enum { TEXT = 20000 };

/* ---- Reference trajectories ------------------------------------------------------------------ */

static void add_values(char *words, const json_tree *names, const json_tree *values,
                       const char *mark)
{
    for (size_t i = 0; i < json_tree_count(values); i++)
        snprintf(words + strlen(words), TEXT - strlen(words), "%s%s%s = %s",
                 words[strlen(words) - 1] == ' ' ? "" : ", ", json_tree_at(names, i)->text, mark,
                 json_tree_at(values, i)->text);
}

/* The model's words without its forces where the trajectory is one without. */
static void add_model(char *words, const char *model, bool forces)
{
    for (const char *line = model; *line;) {
        const size_t length = strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
        if (forces || strncmp(line, "force ", 6) != 0)
            snprintf(words + strlen(words), TEXT - strlen(words), "%.*s", (int) length, line);
        line += length;
    }
}

static void write_model(char *words, const char *model, const json_tree *system,
                        const json_tree *trajectory)
{
    const json_tree *forces = json_tree_get(trajectory, "forces");
    const json_tree *names = json_tree_get(system, "coordinates");
    const json_tree *z = json_tree_get(json_tree_get(system, "velocity"), "parameters");
    *words = 0;
    add_model(words, model, !(forces && forces->text && !strcmp(forces->text, "none")));
    strcat(words, "\nstart ");
    add_values(words, names, json_tree_get(trajectory, "q0"), "");
    add_values(words, names, json_tree_get(trajectory, "qdot0"), "'");
    if (z) add_values(words, z, json_tree_get(trajectory, "z0"), "");
    snprintf(words + strlen(words), TEXT - strlen(words), "\nsimulate t = %s .. %s\n",
             json_tree_get(trajectory, "t0")->text, json_tree_get(trajectory, "t1")->text);
}

static double end_error(const answer *a, const json_tree *trajectory, const char *have,
                        const char *want)
{
    const json_tree *got = json_tree_get(json_tree_get(a->summary, "final"), have);
    const json_tree *right = json_tree_get(trajectory, want);
    double worst = json_tree_count(got) == json_tree_count(right) ? 0 : INFINITY;
    for (size_t i = 0; i < json_tree_count(right); i++) {
        const double y = json_tree_number(json_tree_at(right, i));
        worst = fmax(worst, fabs(json_tree_number(json_tree_at(got, i)) - y) / fmax(1, fabs(y)));
    }
    return worst;
}

static size_t refusals;

/* An integrator with the tolerance it is asked for and the error at the end that it may have. */
typedef struct demand {
    const char *integrator;
    double rtol, error;
    size_t runs;
} demand;

static void compare_end(ah_ctx *ctx, ah_model *m, const json_tree *trajectory, const char *method,
                        demand *d, const char *name)
{
    char why[300];
    ah_simulate_options o = ah_simulate_defaults();
    o.method = method;
    o.integrator = d->integrator;
    o.rtol = d->rtol;
    o.atol = d->rtol / 10;
    o.samples = 2;
    o.most_steps = 200000; /* many times what is needed, unless the method ends */
    o.project = true;      /* the states have thirty digits, we sixteen */
    answer a = simulate_model(ctx, m, &o);
    snprintf(why, sizeof why, "%s by %s, %s", name, method ? method : "default", d->integrator);
    const double digits = json_tree_number(json_tree_get(trajectory, "digits"));
    const double tolerance = fmax(d->error, pow(10, 2 - digits));
    d->runs += a.status == AH_OK;
    refusals += a.status == AH_E_REFUSED;
    if (a.status == AH_OK) {
        CHECK_NEAR(end_error(&a, trajectory, "q", "q1"), 0, 1, tolerance * 0x1p52, why);
        CHECK_NEAR(end_error(&a, trajectory, "qdot", "qdot1"), 0, 1, tolerance * 0x1p52, why);
        CHECK_NEAR(number(&a, NULL, "max_residual"), 0, 1, 1e-12 * 0x1p52, why);
    } else if (a.status != AH_E_REFUSED) {
        printf("# %s: %s\n", why, a.diagnostics ? a.diagnostics : "");
        CHECK(false);
    }
    forget(&a);
}

static demand by_dop853 = {"dop853", 1e-12, AGREEMENT, 0};
/* Multistep methods have errors of a hundred tolerances and more after hundreds of steps. */
static demand others[] = {{"taylor", 1e-12, AGREEMENT, 0},
                          {"auto", 1e-12, AGREEMENT, 0},
                          {"adams", 1e-11, 1e-6, 0},
                          {"bdf", 1e-10, 1e-5, 0},
                          {"ida", 1e-9, 1e-4, 0}};
enum { OTHERS = sizeof others / sizeof *others };

static void compare_system(const char *folder, const char *file)
{
    char path[2000], words[TEXT];
    size_t length;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    char *model = harness_read_file(path, &length);
    strcpy(path + strlen(path) - 3, ".json");
    json_tree *system = json_tree_read(path);
    const json_tree *list = json_tree_get(system, "trajectories");
    for (size_t i = 0; model && i < json_tree_count(list); i++) {
        const json_tree *trajectory = json_tree_at(list, i);
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = NULL;
        write_model(words, model, system, trajectory);
        CHECK_INT(lang_read(ctx, file, words, strlen(words), NULL, &m), AH_OK);
        for (size_t f = 0; m && derive_formalisms[f]; f++)
            compare_end(ctx, m, trajectory, derive_formalisms[f]->name, &by_dop853, file);
        for (size_t k = 0; m && k < OTHERS; k++)
            compare_end(ctx, m, trajectory, NULL, &others[k], file);
        ah_ctx_destroy(ctx);
    }
    json_tree_free(system);
    free(model);
}

TEST(reference_trajectories_by_every_method_and_integrator)
{
    char folder[1000];
    snprintf(folder, sizeof folder, "%s/tests/reference", harness_source_dir());
    DIR *dir = opendir(folder);
    REQUIRE(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir));) {
        const size_t length = strlen(entry->d_name);
        if (length > 3 && strcmp(entry->d_name + length - 3, ".ah") == 0)
            compare_system(folder, entry->d_name);
    }
    closedir(dir);
    printf("# %zu runs by dop853, %zu refusals\n", by_dop853.runs, refusals);
    CHECK(by_dop853.runs > 200);
    for (size_t i = 0; i < OTHERS; i++) {
        printf("# %zu by %s\n", others[i].runs, others[i].integrator);
        CHECK(others[i].runs > 15);
    }
}

/* ---- Charts that become bad on the way ------------------------------------------------------- */

/* The skate on an incline without velocity parameters, turning evenly: every choice of independent
 * velocities fails where theta is a multiple of π/2. With u = g sin α:
 * v = v0 + u (sin θ − sin θ0)/w, x = ∫ v cos θ dt in closed form. */
static const char skate[] = "parameter m = 2, I = 0.3, u = 1.9, w = 0.7, th = 0.3\n"
                            "coordinate x, y, theta\n"
                            "point P mass m at (x, y)\n"
                            "body B mass 0 inertia (0, 0, I) at (x, y) turn z theta\n"
                            "gravity (u, 0)\n"
                            "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                            "start x = 0, y = 0, theta = th, x' = cos(th), y' = sin(th), "
                            "theta' = w\n";

static double skate_x(double t, double th)
{
    const double u = 1.9, w = 0.7, s0 = sin(th), s = sin(th + w * t);
    return (1 - u * s0 / w) * (s - s0) / w + u / (2 * w * w) * (s * s - s0 * s0);
}

TEST(charts_are_changed_on_the_way)
{
    const double begin[] = {0.3, acos(0)};
    size_t done = 0;
    for (size_t f = 0; derive_formalisms[f]; f++)
        for (int k = 0; k < 2; k++) {
            char words[2000];
            const char *th = strstr(skate, "th = 0.3");
            snprintf(words, sizeof words, "%.*sth = %s%s", (int) (th - skate), skate,
                     k ? "pi/2" : "0.3", th + 8);
            ah_simulate_options o = ah_simulate_defaults();
            o.method = derive_formalisms[f]->name;
            o.integrator = "dop853"; /* Taylor series may step over a pole */
            o.rtol = 1e-12;
            o.atol = 1e-13;
            o.to = "50";
            o.samples = 2;
            answer a = simulate(words, &o, NULL, NULL);
            if (a.status != AH_E_REFUSED) {
                CHECK_INT(a.status, AH_OK);
                const json_tree *q = json_tree_get(json_tree_get(a.summary, "final"), "q");
                CHECK_NEAR(json_tree_number(json_tree_at(q, 0)), skate_x(50, begin[k]), 10,
                           1e-10 * 0x1p52, o.method);
                CHECK_NEAR(number(&a, NULL, "max_residual"), 0, 1, 1e-12 * 0x1p52, o.method);
                CHECK(number(&a, NULL, "steps") < 3000);
                done++;
            }
            forget(&a);
        }
    CHECK_INT(done, 2 * 12);
}

/* ---- Branches of second-class accelerations -------------------------------------------------- */

/* Hamel's point [H, 252]: x3'' = x1'' x2'' under the force (X1, 0, X3). For X1 = 0 the
 * stationary points are 0 and x1'' = x2'' = ±√(X3 − 1). */
static answer second_class(const char *X1, const char *X3, size_t branch)
{
    char words[1000];
    snprintf(words, sizeof words,
             "coordinate x1, x2, x3\nkinetic (x1'^2 + x2'^2 + x3'^2)/2\n"
             "force x1 = %s\nforce x3 = %s\nconstraint c: x3'' - x1''*x2'' = 0\n"
             "start x1 = 0, x2 = 0, x3 = 0, x1' = 1, x2' = 0, x3' = 0\nsimulate t = 0 .. 3\n"
             "output a1 = x1''\noutput l = lambda[1]\n",
             X1, X3);
    ah_simulate_options o = ah_simulate_defaults();
    o.rtol = 1e-12;
    o.branch = branch;
    o.samples = 2;
    return simulate(words, &o, NULL, NULL);
}

TEST(a_branch_is_followed_by_continuity)
{
    /* v1 = 1 ± ∫√(4 − s) ds over 0 .. 3 = 1 ± 14/3 */
    for (size_t branch = 1; branch <= 2; branch++) {
        answer a = second_class("0", "5 - t", branch);
        CHECK_INT(a.status, AH_OK);
        const json_tree *v = json_tree_get(json_tree_get(a.summary, "final"), "qdot");
        const double sign = branch == 1 ? -1 : 1;
        CHECK_NEAR(json_tree_number(json_tree_at(v, 0)), 1 + sign * 14.0 / 3, 1, 1e-10 * 0x1p52,
                   "x1'");
        CHECK_NEAR(json_tree_number(json_tree_at(v, 2)), 12 - 4.5, 1, 1e-10 * 0x1p52, "x3'");
        forget(&a);
    }
}

TEST(accelerations_of_constant_size)
{
    /* |a| = 2 under the force (cos t, sin t): a = ±2 (cos t, sin t), the least and the most. */
    for (size_t branch = 0; branch <= 2; branch++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.rtol = 1e-12;
        o.branch = branch;
        answer a = simulate("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = cos(t)\n"
                            "force y = sin(t)\nconstraint size: x''^2 + y''^2 = 4\n"
                            "start x = 0, y = 0, x' = 0, y' = 0\nsimulate t = 0 .. 10\n"
                            "record when x'' = 0\n",
                            &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        const double sign = branch == 2 ? -1 : 1;
        const json_tree *q = json_tree_get(json_tree_get(a.summary, "final"), "q");
        CHECK_NEAR(json_tree_number(json_tree_at(q, 0)), sign * 2 * (1 - cos(10)), 1, 1e-9 * 0x1p52,
                   "x");
        CHECK_INT(json_tree_count(json_tree_get(a.summary, "events")), 3);
        forget(&a);
    }
}

TEST(a_branch_that_ends)
{
    for (size_t branch = 1; branch <= 3; branch++) { /* all three meet where X3 = 1 */
        answer a = second_class("0", "2 - t", branch);
        CHECK_INT(a.status, AH_E_NUMERIC);
        CHECK(strstr(reason(&a), "meets another") != NULL);
        CHECK_NEAR(number(&a, "final", "t"), 1, 1, 1e-6 * 0x1p52, "where they meet");
        forget(&a);
    }
}

TEST(the_least_branch_while_it_is_alone)
{
    answer a = second_class("0", "0.5", 0); /* nothing else is stationary */
    CHECK_INT(a.status, AH_OK);
    forget(&a);
    a = second_class("0", "3", 0); /* two are equally good */
    CHECK_INT(a.status, AH_E_REFUSED);
    CHECK(a.diagnostics && strstr(a.diagnostics, "A0615") && strstr(a.diagnostics, "branch 3"));
    forget(&a);
    a = second_class("0.3*(1 - t)", "3", 0); /* the other becomes as good when X1 = 0 */
    CHECK_INT(a.status, AH_E_NUMERIC);
    CHECK(strstr(reason(&a), "several accelerations") != NULL);
    CHECK_NEAR(number(&a, "final", "t"), 1, 1, 1e-7 * 0x1p52, "where they are equal");
    forget(&a);
    a = second_class("0.3*(1 - t)", "3", 1); /* it is there all the same */
    CHECK_INT(a.status, AH_OK);
    forget(&a);
    a = second_class("0", "3", 4);
    CHECK_INT(a.status, AH_E_REFUSED);
    CHECK(a.diagnostics && strstr(a.diagnostics, "there is no branch 4"));
    forget(&a);
}

/* ---- Every model ------------------------------------------------------------------------------
 *
 * A short way by every integrator: the same place as by DOP853, or a refusal. By `multipliers`, so
 * that IDA has its form and implied constraints are met as well. */

static void compare_integrators(const char *path, size_t *agreed)
{
    static const char *const name[] = {"dop853", "auto", "taylor", "adams", "bdf", "ida"};
    size_t length;
    char *words = harness_read_file(path, &length);
    double first[100] = {0};
    for (size_t i = 0; words && i < sizeof name / sizeof *name; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = name[i];
        o.method = "multipliers";
        o.rtol = 1e-8;
        o.to = "0.1";
        o.samples = 2;
        o.most_steps = 20000;
        answer a = simulate(words, &o, NULL, NULL);
        const json_tree *q = a.summary && a.status == AH_OK
                                 ? json_tree_get(json_tree_get(a.summary, "final"), "q")
                                 : NULL;
        for (size_t k = 0; k < json_tree_count(q) && k < 100; k++) {
            const double x = json_tree_number(json_tree_at(q, k));
            if (i == 0) first[k] = x;
            CHECK_NEAR(x, first[k], 1 + fabs(first[k]), 1e-6 * 0x1p52, path);
        }
        *agreed += q != NULL;
        CHECK(q || i || a.status != AH_OK);
        forget(&a);
        if (!q && i == 0) break; /* not by this method, or not that far */
    }
    free(words);
}

TEST(every_model_by_every_integrator)
{
    char folder[1000], path[2000];
    size_t agreed = 0;
    snprintf(folder, sizeof folder, "%s/models", harness_source_dir());
    DIR *dir = opendir(folder);
    REQUIRE(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir));) {
        const size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".ah") ||
            !strcmp(entry->d_name, "bicycle.ah")) /* half a second a run */
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        compare_integrators(path, &agreed);
    }
    closedir(dir);
    printf("# %zu runs\n", agreed);
    CHECK(agreed > 150);
}

/* ---- Conserved quantities -------------------------------------------------------------------- */

static const char tire[] =
    "parameter m = 1.5, r = 0.5, A = 0.2, C = 0.35, g = 9.81\n"
    "coordinate x, y, theta, psi, phi\n"
    "body W mass m inertia (A, C, A) at (x - r*sin(psi)*sin(theta), y + r*sin(psi)*cos(theta), "
    "r*cos(psi)) turn z theta, x -psi, y phi\n"
    "gravity (0, 0, -g)\n"
    "constraint across: -x'*sin(theta) + y'*cos(theta) = 0\n"
    "constraint rolling: r*phi' - x'*cos(theta) - y'*sin(theta) = 0\n"
    "quasivelocity w1 = -x'*sin(theta) + y'*cos(theta), "
    "w2 = r*phi' - x'*cos(theta) - y'*sin(theta), "
    "w3 = theta', w4 = psi', w5 = x'*cos(theta) + y'*sin(theta)\n"
    "start x = 0, y = 0, theta = 0, psi = 0.1, phi = 0, theta' = 0.2, psi' = 0, x' = 2, y' = 0, "
    "phi' = 4\n"
    "simulate t = 0 .. 10\n";

static const char blade[] =
    "parameter m = 1.5, I = 0.7, g = 0.9\n"
    "coordinate x, y, theta\n"
    "kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2\n"
    "potential m*g*x\n"
    "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
    "start x = 0, y = 0, theta = 0.3, theta' = 1.1, x' = cos(0.3), y' = sin(0.3)\n";

static const char pendulum[] = "parameter m1 = 1, m2 = 2, g = 9.81, k = 1\n"
                               "coordinate x1, y1, x2, y2\n"
                               "point P1 mass m1 at (x1, y1)\n"
                               "point P2 mass m2 at (x2, y2)\n"
                               "gravity (g, 0)\n"
                               "potential k/2*(x1^2 + y1^2 + x2^2 + y2^2)\n"
                               "constraint pivot: x1*x1'*y2' - x2*x2'*y1' + (y1 - y2)*y1'*y2' = 0\n"
                               "start x1 = 1, y1 = 0.2, x2 = 1.5, y2 = -0.4, "
                               "x1' = -0.08, y1' = 0.8, x2' = -0.25, y2' = -0.75\n";

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

/* ---- Memory ---------------------------------------------------------------------------------- */

static void *counting_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void) old_size;
    ++*(size_t *) user;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

TEST(a_step_takes_no_memory)
{
    const char *const model[] = {tire, blade, pendulum};
    const char *const name_of_engine[] = {"interpret", "tcc"};
    const char *const name_of_integrator[] = {"dop853", "taylor"};
    for (int i = 0; i < 12; i++) {
        size_t calls[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            ah_ctx_options how = ah_ctx_defaults();
            ah_simulate_options o = ah_simulate_defaults();
            how.realloc = counting_realloc;
            how.user = &calls[k];
            o.samples = 2;
            o.engine = name_of_engine[i % 2];
            o.integrator = name_of_integrator[i / 2 % 2];
            o.to = k ? "20" : "2";
            answer a = simulate(model[i / 4], &o, NULL, &how);
            CHECK_INT(a.status, AH_OK);
            forget(&a);
        }
        CHECK_INT(calls[1], calls[0]);
    }
}

static bool drop(void *user, const char *words, size_t length)
{
    (void) user, (void) words, (void) length;
    return true;
}

/* Rows and events by the thousand: what is kept of them is kept before the shorter run ends. */
TEST(rows_and_events_take_no_memory)
{
    static const char spring[] =
        "coordinate x\nkinetic x'^2/2\npotential 2000*x^2\n"
        "start x = 1, x' = 0\nrecord when x = 0\nrecord when x' = 0.1\n"
        "record when x'' = 3\noutput a = x''\nclaim \"e\": constant energy\n";
    size_t calls[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        ah_ctx_options how = ah_ctx_defaults();
        ah_simulate_options o = ah_simulate_defaults();
        how.realloc = counting_realloc;
        how.user = &calls[k];
        o.every = 0.01;
        o.engine = "interpret";
        o.integrator = "dop853";
        o.to = k ? "80" : "20";
        o.write = o.write_event = drop;
        answer a = simulate(spring, &o, NULL, &how);
        CHECK_INT(a.status, AH_OK);
        /* x = cos(20 √10 t) meets each value twice a turn */
        const double turns = (k ? 80 : 20) * 20 * sqrt(10) / (2 * acos(-1));
        CHECK_NEAR(number(&a, NULL, "events_happened"), 6 * turns, 1, 4 * 0x1p52, "events");
        CHECK_INT(json_tree_count(json_tree_get(a.summary, "events")), 1000);
        forget(&a);
    }
    CHECK_INT(calls[1], calls[0]);
}

/* ---- Cut short ------------------------------------------------------------------------------- */

TEST(an_interrupt_leaves_whole_rows_and_a_summary)
{
    rows r = {.interrupt_at = 50};
    ah_simulate_options o = ah_simulate_defaults();
    o.to = "1000000";
    o.every = 0.01;
    answer a = simulate(tire, &o, &r, NULL);
    CHECK_INT(a.status, AH_E_INTERRUPTED);
    REQUIRE(a.summary != NULL);
    CHECK_STR(json_tree_get(json_tree_get(a.summary, "stopped"), "reason")->text, "interrupted");
    CHECK(r.count >= 50 && r.at[r.length - 1] == '\n');
    free(r.at);
    forget(&a);
}

/* … whatever the integrator; the sanitizer looks for what is left behind. */
TEST(every_integrator_is_interrupted)
{
    const char *const name[] = {"dop853", "taylor", "adams", "bdf", "ida"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        rows r = {.interrupt_at = 50};
        ah_simulate_options o = ah_simulate_defaults();
        o.to = "1000000";
        o.every = 0.01;
        o.integrator = name[i];
        answer a = simulate(blade, &o, &r, NULL);
        CHECK_INT(a.status, AH_E_INTERRUPTED);
        REQUIRE(a.summary != NULL);
        CHECK_STR(json_tree_get(a.summary, "integrator")->text, name[i]);
        CHECK(number(&a, "final", "t") >= 0); /* of the last whole step */
        CHECK(r.count >= 50 && r.at[r.length - 1] == '\n');
        free(r.at);
        forget(&a);
    }
}

/* Rows do not shorten steps, and are the same whoever else is asked for. */
TEST(rows_do_not_change_the_motion)
{
    const char *const name[] = {"dop853", "taylor", "adams", "bdf", "ida", "auto"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        double steps[2], x[2];
        for (int k = 0; k < 2; k++) {
            ah_simulate_options o = ah_simulate_defaults();
            o.to = "10";
            o.samples = k ? 1000 : 2;
            o.integrator = name[i];
            o.rtol = 1e-8;
            answer a = simulate(pendulum, &o, NULL, NULL);
            CHECK_INT(a.status, AH_OK);
            steps[k] = number(&a, NULL, "steps");
            x[k] = json_tree_number(
                json_tree_at(json_tree_get(json_tree_get(a.summary, "final"), "q"), 0));
            forget(&a);
        }
        CHECK(steps[0] == steps[1] && x[0] == x[1]);
    }
}

TEST(time_allowed_is_used_up)
{
    ah_ctx_options how = ah_ctx_defaults();
    ah_simulate_options o = ah_simulate_defaults();
    how.limits.seconds = 0.5;
    o.to = "1e9";
    answer a = simulate(tire, &o, NULL, &how);
    CHECK_INT(a.status, AH_E_LIMIT);
    REQUIRE(a.summary != NULL);
    CHECK(number(&a, "final", "t") > 0);
    forget(&a);
}

TEST(endless_rows_end_in_time)
{
    ah_ctx_options how = ah_ctx_defaults();
    ah_simulate_options o = ah_simulate_defaults();
    how.limits.seconds = 0.3;
    o.every = 1e-12;
    o.write = drop;
    answer a = simulate(tire, &o, NULL, &how);
    CHECK_INT(a.status, AH_E_LIMIT);
    forget(&a);
}

TEST(spans_of_every_kind)
{
    const char *const to[] = {"0", "-10", "1e-300", "1e-9"};
    for (int i = 0; i < 4; i++) {
        rows r = {0};
        ah_simulate_options o = ah_simulate_defaults();
        o.to = to[i];
        o.samples = 5;
        answer a = simulate(tire, &o, &r, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK_NEAR(number(&a, "final", "t"), atof(to[i]), 1, 0, "the end");
        CHECK_INT(r.count, i ? 6 : 2);
        free(r.at);
        forget(&a);
    }
}

TEST(unknown_engines_and_integrators)
{
    ah_simulate_options o = ah_simulate_defaults();
    o.engine = "steam";
    answer a = simulate(tire, &o, NULL, NULL);
    CHECK_INT(a.status, AH_E_INPUT);
    CHECK(a.diagnostics && strstr(a.diagnostics, "A0612"));
    forget(&a);
    o.engine = NULL;
    o.integrator = "taylor";
    a = simulate("coordinate x\nkinetic (1 + abs(x))*x'^2/2\nstart x = 1, x' = 0\n"
                 "simulate t = 0 .. 1\n",
                 &o, NULL, NULL);
    CHECK_INT(a.status, AH_E_REFUSED);
    CHECK(a.diagnostics && strstr(a.diagnostics, "A0613"));
    forget(&a);
    o.integrator = "guess";
    a = simulate(tire, &o, NULL, NULL);
    CHECK(a.diagnostics && strstr(a.diagnostics, "A0612"));
    forget(&a);
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
