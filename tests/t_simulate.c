/* tests/t_simulate.c - motions by every method and integrator: the trajectories of the reference systems and of the
 * models, charts that become bad on the way, branches. */
#include "derive/derive.h"
#include "harness.h"
#include "lang/lang.h"
#include "motions.h"

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
    const bool due = words && harness_is_due(strrchr(path, '/'), words);
    for (size_t i = 0; due && i < sizeof name / sizeof *name; i++) {
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
    CHECK(agreed > (size_t) harness_amount(50, 150, 150));
}

/* A root that is zero at the start: x'' = 12 sqrt|x| has x = 0 and x = t⁴, x' = 2 sqrt|x| has x = t²; with the other sign, or where the motion goes
 * through the place, there is one motion. */
TEST(starts_of_several_motions)
{
    static const char rest[] = "start x = 0, x' = 0\nsimulate t = 0 .. 2\n";
    static const struct {
        const char *force, *start;
        bool several;
    } of[] = {
        {"12*sqrt(abs(x))", rest, true},
        {"12*sign(x)*sqrt(abs(x))", rest, true},
        {"6*sign(x)*abs(x)^(1/3)", rest, true},
        {"2*sqrt(abs(x'))", rest, true},
        {"3*max(0, x)^(1/2) - x'", rest, true},
        {"12*sqrt(abs(x))", "start x = 0, x' = 0\nsimulate t = 2 .. 0\n", true},
        {"12*sqrt(abs(x - 1))", "start x = 1, x' = 0\nsimulate t = 0 .. 2\n", true},
        {"12*sqrt(abs(x))", "start x = 0, x' = 1\nsimulate t = 0 .. 2\n", false},
        {"12*sqrt(abs(x)) + 1", rest, false},
        {"-12*sign(x)*sqrt(abs(x))", rest, false},
        {"-sign(x - 1)*sqrt(abs(x - 1))", "start x = 1, x' = 0\nsimulate t = 0 .. 2\n", false},
        {"-2*sign(x')*sqrt(abs(x'))", rest, false},
        {"sqrt(t)", rest, false},
        {"100*x", rest, false}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char words[300];
        snprintf(words, sizeof words, "coordinate x\nkinetic x'^2/2\nforce x = %s\n%s", of[i].force,
                 of[i].start);
        const ah_simulate_options o = ah_simulate_defaults();
        answer a = simulate(words, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK_INT(json_tree_get(a.summary, "unique")->kind, of[i].several ? JSON_FALSE : JSON_TRUE);
        forget(&a);
    }
}
