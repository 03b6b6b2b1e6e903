/* tests/t_formalisms.c - every formalism against every other, on models with points and bodies and
 * on the reference systems at their states. */
#include "harness.h"
#include "lang/lang.h"
#include "json_read.h"

#include "state/eval.h"
#include "state/states.h"

#include <anholo/lang.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Agreement relative to the largest acceleration, at states whose systems are conditioned better
 * than 1e-6: what the formulas leave of the digits. */
static const double agreement = 1e-11;
/* With 25-digit reference numbers. */
static const double reference_agreement = 1e-10;

/* ---- A model under test ---------------------------------------------------------------------- */

typedef struct bench bench;
struct bench {
    const char *name;
    ah_ctx *ctx;
    ah_model *model;
    const json_tree *reference;
    const char *const *applies; /* NULL-terminated lists for check_applicable */
    const char *const *refuses;
    size_t *tally; /* states compared, by formalism */
    void (*body)(bench *b);
};

static void call_body(ah_ctx *ctx, void *arg)
{
    bench *b = arg;
    (void) ctx;
    b->body(b);
}

static void run_bench(bench *b, const char *content)
{
    b->ctx = ah_ctx_create(NULL);
    if (lang_read(b->ctx, b->name, content, strlen(content), NULL, &b->model) != AH_OK) {
        printf("# %s\n", ah_diagnostics_text(b->ctx, false));
        CHECK(false);
    } else if (ctx_guard(b->ctx, call_body, b) != AH_OK) {
        printf("# %s: %s\n", b->name, ah_diagnostics_text(b->ctx, false));
        CHECK(false);
    }
    ah_ctx_destroy(b->ctx);
}

enum { MOST = 32 };

static size_t prepare_all(bench *b, eval_method *method)
{
    size_t count = 0;
    for (; derive_formalisms[count] && count < MOST; count++)
        method[count] = eval_prepare(b->model, derive_formalisms[count], NULL, &b->ctx->job);
    return count;
}

static double largest(const double *x, uint32_t n)
{
    double size = 0;
    for (uint32_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

static void compare(const bench *b, const eval_result *r, const double *want, double tolerance)
{
    char why[200];
    const double scale = fmax(largest(want, b->model->n), 1e-3);
    snprintf(why, sizeof why, "%s: %s", b->name, r->method->name);
    for (uint32_t i = 0; i < b->model->n; i++)
        CHECK_NEAR(r->qddot[i], want[i], scale, tolerance * 0x1p52, why);
}

/* ---- Methods against each other -------------------------------------------------------------- */

static const eval_method *find(const eval_method *method, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(method[i].method->name, name)) return &method[i];
    return NULL;
}

static void check_applicable(const bench *b, const eval_method *method, size_t count)
{
    for (size_t i = 0; b->applies && b->applies[i]; i++) {
        const eval_method *m = find(method, count, b->applies[i]);
        if (!m || m->refused)
            printf("# %s: %s: %s\n", b->name, b->applies[i], m ? m->refused : "unknown");
        CHECK(m && !m->refused);
    }
    for (size_t i = 0; b->refuses && b->refuses[i]; i += 2) {
        const eval_method *m = find(method, count, b->refuses[i]);
        if (!m || !m->refused || !strstr(m->refused, b->refuses[i + 1]))
            printf("# %s: %s does not refuse with \"%s\": %s\n", b->name, b->refuses[i],
                   b->refuses[i + 1], m && m->refused ? m->refused : "accepts");
        CHECK(m && m->refused && strstr(m->refused, b->refuses[i + 1]));
    }
}

/* All methods at one point against the multipliers; false: not a good state. */
static bool agree_at(const bench *b, const eval_method *method, size_t count, point *p)
{
    const eval_result want = eval_at(find(method, count, "multipliers"), p);
    if (want.refused || want.rcond < 1e-6) return false;
    for (size_t i = 0; i < count; i++) {
        if (method[i].refused) continue;
        const eval_result r = eval_at(&method[i], p);
        if (!r.refused && r.rcond > 1e-6) compare(b, &r, want.qddot, agreement);
    }
    return true;
}

static void agree(bench *b)
{
    eval_method method[MOST];
    const size_t count = prepare_all(b, method);
    check_applicable(b, method, count);
    states *random = analyse_states_create(b->model, &b->ctx->job);
    states_rng rng = probe_seed(harness_random());
    int compared = 0;
    for (int i = 0; i < 60 && compared < 12; i++) {
        point p;
        if (!point_at_random(b->model, random, &rng, &b->ctx->job, &p)) continue;
        compared += agree_at(b, method, count, &p);
    }
    CHECK_INT(compared, 12);
}

#define LIST_OF(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NONE         ((const char *const[]){NULL})

static void check_model(const char *name, const char *content, const char *const *applies,
                        const char *const *refuses)
{
    bench b = {.name = name, .applies = applies, .refuses = refuses, .body = agree};
    run_bench(&b, content);
}

/* A disc rolling upright under a motor, a push and gravity on an incline. */
TEST(rolling_disc)
{
    check_model("rolling disc",
                "parameter m = 2, A = 0.3, C = 0.5, R = 0.7, g = 9.81\n"
                "coordinate x, y, theta, phi\n"
                "body D mass m inertia (A, A, C) at (x, y, R) turn z theta, x pi/2, z -phi\n"
                "gravity (g/3, 0, -g)\n"
                "torque on D (0, 0, 0.4)\n"
                "force on D (0.3*t, 0.2, 0.1) at (x, y, 2*R)\n"
                "force phi = 0.2 - 0.1*phi'\n"
                "potential x^2*y/5\n"
                "constraint x' = R*cos(theta)*phi'\n"
                "constraint y' = R*sin(theta)*phi'\n",
                LIST_OF("multipliers", "parametric", "gibbs-appell", "gauss", "massa-pagani",
                        "maggi", "voronets", "kane"),
                LIST_OF("chaplygin", "the force on ", "lagrange", "the model has constraints",
                        "routh", "c1", "hamilton", "c1", "second-class", "no constraint is on"));
}

/* The same without what depends on x, y and t: Chaplygin's case. */
TEST(rolling_disc_chaplygin)
{
    check_model("rolling disc, Chaplygin",
                "parameter m = 2, A = 0.3, C = 0.5, R = 0.7, g = 9.81\n"
                "coordinate x, y, theta, phi\n"
                "body D mass m inertia (A, A, C) at (x, y, R) turn z theta, x pi/2, z -phi\n"
                "gravity (g/3, 0, -g)\n"
                "force phi = 0.2 - 0.1*phi'*theta'\n"
                "constraint x' = R*cos(theta)*phi'\n"
                "constraint y' = R*sin(theta)*phi'\n",
                LIST_OF("voronets", "chaplygin", "kane", "massa-pagani"), NONE);
}

/* A lying body with a full inertia matrix whose centre of mass is off the blade, on a turntable. */
TEST(turntable)
{
    check_model("blade on a turntable",
                "parameter m = 1.3, e = 0.4, w = 0.8\n"
                "coordinate x, y, theta, h\n"
                "body B mass m inertia (0.5, 0.7, 0.9, 0.1, -0.05, 0.02) "
                "at (x + e*cos(theta), y + e*sin(theta), h) turn z theta, x h/3\n"
                "point P mass 0.6 at (x*cos(w*t) - y*sin(w*t), x*sin(w*t) + y*cos(w*t), h^2/2)\n"
                "gravity (0, 0.2, -9.81)\n"
                "torque on B (0.3, sin(t), 0.2*theta')\n"
                "constraint blade: (x' + w*t*y)*sin(theta) - (y' - w*x)*cos(theta) = 0.3*sin(t)\n",
                LIST_OF("multipliers", "gibbs-appell", "massa-pagani", "maggi", "voronets", "kane"),
                LIST_OF("chaplygin", "the velocity-free part of `blade` depends on "));
}

/* Holonomic (one of them moving) and affine constraints beside each other. */
TEST(mixed_constraints)
{
    check_model("mixed constraints",
                "coordinate x1, y1, z1, x2, y2, z2\n"
                "point P mass 1.5 at (x1, y1, z1)\n"
                "point Q mass 0.7 at (x2, y2, z2)\n"
                "gravity (0, 0, -9.81)\n"
                "force on Q (-0.2*x2', 0.1, y1*t)\n"
                "constraint rod: (x1 - x2)^2 + (y1 - y2)^2 + (z1 - z2)^2 = (2 + sin(t)/4)^2\n"
                "constraint slope: z1 = x1^2/5 + t*y1/7\n"
                "constraint follow: x2'*cos(t) + y2'*(1 + x1^2) - z2'*y1 = 0.3 + t/5\n",
                LIST_OF("multipliers", "parametric", "massa-pagani", "maggi", "voronets", "kane"),
                LIST_OF("lagrange", "`rod`"));
}

/* The model's own parameters beside constraints that other velocities are solved from. */
TEST(own_parameters)
{
    check_model("own parameters",
                "parameter m = 2, J = 0.4, e = 0.3\n"
                "coordinate x, y, theta\n"
                "body S mass m inertia (1, 1, J) at (x + e*cos(theta), y + e*sin(theta), 0) "
                "turn z theta\n"
                "force on S (0.4, -0.2, 0)\n"
                "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                "velocity v, w:\n"
                "    x' = v*cos(theta), y' = v*sin(theta), theta' = w + v/3\n",
                LIST_OF("parametric", "voronets", "chaplygin", "kane", "massa-pagani"), NONE);
}

TEST(own_parameters_alone)
{
    check_model("velocity form alone",
                "coordinate x, y, theta\n"
                "point P mass 2 at (x, y, 0)\n"
                "point Q mass 1 at (x + cos(theta), y + sin(theta), 0)\n"
                "gravity (0, -9.81, 0)\n"
                "velocity v, w:\n"
                "    x' = v*cos(theta) + t/3, y' = v*sin(theta) - w, theta' = w + x\n",
                LIST_OF("parametric", "multipliers", "voronets", "kane", "massa-pagani"),
                LIST_OF("lagrange", "the `velocity` statement constrains"));
    check_model("velocity form alone, not linear",
                "coordinate x, y\n"
                "point P mass 2 at (x, y, 0)\n"
                "force on P (0.3, 0.7*x, 0)\n"
                "velocity f: x' = 2*cos(f), y' = 2*sin(f)\n",
                LIST_OF("parametric", "kane", "massa-pagani"),
                LIST_OF("voronets", "not linear in its parameters"));
}

/* Non-linear constraints: charts solved and local. */
TEST(nonlinear_constraints)
{
    check_model(
        "Appell and Hamel's point",
        "coordinate x, y, z\n"
        "point P mass 1.2 at (x, y, z)\n"
        "gravity (0, 0, -9.81)\n"
        "constraint c: x'^2 + y'^2 = 3*z'^2\n",
        LIST_OF("multipliers", "parametric", "gibbs-appell", "massa-pagani", "maggi", "kane"),
        LIST_OF("voronets", "`c` is not linear", "chaplygin", "`c` is not linear"));
    check_model("parallel velocities",
                "coordinate x1, y1, x2, y2\n"
                "point P mass 1.2 at (x1, y1, 0)\n"
                "point Q mass 0.4 at (x2, y2, 0)\n"
                "force on P (x2 - x1, 1, 0)\n"
                "constraint c: x1'*y2' - x2'*y1' = 0\n",
                LIST_OF("multipliers", "kane", "massa-pagani"), NONE);
}

/* A heavy top on a sliding pin: two cyclic coordinates; a spherical pendulum driven up and down. */
TEST(without_constraints)
{
    check_model("heavy top",
                "parameter m = 1.4, g = 9.81, l = 0.5\n"
                "coordinate phi, theta, psi\n"
                "body T mass m inertia (0.4, 0.4, 0.2) "
                "at (l*sin(theta)*sin(phi), -l*sin(theta)*cos(phi), l*cos(theta)) "
                "turn z phi, x theta, z psi\n"
                "gravity (0, 0, -g)\n"
                "assume sin(theta) > 0.3\n",
                LIST_OF("lagrange", "routh", "hamilton", "kane", "massa-pagani", "gibbs-appell"),
                LIST_OF("voronets", "there are no constraints", "chaplygin",
                        "there are no constraints", "second-class", "no constraint"));
    check_model("driven spherical pendulum",
                "coordinate a, b\n"
                "point P mass 1.1 at (sin(a)*cos(b), sin(a)*sin(b), cos(a) + sin(2*t)/3)\n"
                "gravity (0, 0, -9.81)\n"
                "force a = -0.3*a' + t*b'\n"
                "assume sin(a) > 0.2\n",
                LIST_OF("lagrange", "routh", "hamilton", "kane", "massa-pagani"), NONE);
    check_model("nothing cyclic",
                "coordinate x, y\n"
                "kinetic x'^2/2 + (1 + x^2)*y'^2/2 + t*x'*y'/5\n"
                "potential x*y\n",
                LIST_OF("lagrange", "hamilton"),
                LIST_OF("routh", "no coordinate is cyclic; `lagrange` applies", "kane",
                        "`kinetic` statement", "massa-pagani", "`kinetic` statement"));
    check_model("a force that spoils it",
                "coordinate r, f\n"
                "kinetic r'^2/2 + r^2*f'^2/2\n"
                "potential -1/r\n"
                "force r = sin(f)/5\n"
                "assume r > 0.3\n",
                LIST_OF("lagrange", "hamilton"), LIST_OF("routh", "no coordinate is cyclic"));
}

/* T need not be quadratic in the velocities. */
TEST(relativistic_point)
{
    check_model("relativistic point",
                "coordinate x, y\n"
                "kinetic -4*sqrt(1 - (x'^2 + y'^2)/4)\n"
                "potential x*y/3 + x^2\n"
                "assume 1 - x'^2 - y'^2 > 0\n",
                LIST_OF("lagrange", "hamilton"), LIST_OF("routh", "no coordinate is cyclic"));
}

TEST(second_class_linear)
{
    check_model("linear constraint on the accelerations",
                "coordinate x, y, z\n"
                "kinetic x'^2/2 + y'^2 + (1 + x^2)*z'^2\n"
                "force x = 0.3*t\n"
                "force z = -x'*z\n"
                "constraint a: x''*cos(y) + y*y'' = z'^2 - t\n"
                "constraint b: z' = x*y' + 0.2\n",
                LIST_OF("multipliers", "gauss", "second-class"),
                LIST_OF("parametric", "`a` is on the accelerations; `multipliers` applies",
                        "voronets", "`a` is on the accelerations", "hamilton", "constraints"));
}

static void only_applicable(bench *b)
{
    eval_method method[MOST];
    check_applicable(b, method, prepare_all(b, method));
}

TEST(second_class_nonlinear)
{
    bench b = {.name = "non-linear second class",
               .applies = LIST_OF("second-class"),
               .refuses =
                   LIST_OF("multipliers", "`second-class` applies", "gauss",
                           "`second-class` applies", "kane", "`second-class` applies", "voronets",
                           "`second-class` applies", "hamilton", "`second-class` applies"),
               .body = only_applicable};
    run_bench(&b, "coordinate x, y, z\n"
                  "kinetic x'^2/2 + y'^2 + z'^2\n"
                  "constraint c: z'' = x''*y''\n");
}

/* A coordinate that is only apparently there does not stop Chaplygin; one that is, does. */
TEST(chaplygin_essential)
{
    check_model("apparent dependence",
                "coordinate x, y, theta\n"
                "kinetic (sin(x)^2 + cos(x)^2)*(x'^2 + y'^2)/2 + theta'^2/3\n"
                "force theta = 0.2\n"
                "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n",
                LIST_OF("chaplygin"), NONE);
    check_model("theta is the better choice",
                "coordinate x, y, theta\n"
                "kinetic x'^2 + (1 + y^2)*y'^2/2 + theta'^2/3\n"
                "constraint blade: y' - (1 + x*y)*theta' = 0\n",
                LIST_OF("voronets", "chaplygin"), NONE);
    check_model("dependence on y",
                "coordinate x, y, theta\n"
                "kinetic x'^2 + y'^2/2 + (1 + theta^2)*theta'^2/3\n"
                "constraint blade: y' - (1 + x*y)*theta' = 0\n",
                LIST_OF("voronets"),
                LIST_OF("chaplygin",
                        "the coefficient of theta' in `blade` depends on y, a dependent "
                        "coordinate; `voronets` applies"));
    check_model("dependence of the energy on the time",
                "coordinate x, y, theta\n"
                "kinetic x'^2 + (1 + t)*y'^2/2 + theta'^2/3\n"
                "constraint c: y' = theta'*cos(x)\n",
                LIST_OF("voronets"), LIST_OF("chaplygin", "kinetic energy depends on the time"));
    check_model("dependence of a force",
                "coordinate x, y\n"
                "kinetic x'^2*(1 + x^2) + y'^2/2\n"
                "potential y^2\n"
                "constraint c: y' = x'*cos(x) + 0.3\n",
                LIST_OF("voronets"),
                LIST_OF("chaplygin", "the force on y depends on y, a dependent coordinate"));
}

/* ---- Near the pivots of a chart -------------------------------------------------------------- */

/* The skate pointing almost along an axis: whichever velocity the chart prefers as dependent, at
 * one of these states it is a bad choice. Methods answer rightly there, or refuse. */
static void near_pivots(bench *b)
{
    static const double angle[] = {0, 1e-14, 1e-11, 1e-8, 1e-5, 1e-3};
    eval_method method[MOST];
    const size_t count = prepare_all(b, method);
    for (size_t i = 0; i < sizeof angle / sizeof *angle; i++)
        for (int axis = 0; axis < 2; axis++) {
            point p;
            REQUIRE(point_create(b->model, &b->ctx->job, &p));
            const double v = 0.7, theta = angle[i] + axis * acos(0);
            const double state[] = {0.1, 0.2, theta}, speed[] = {v * cos(theta), v * sin(theta), 1};
            for (uint32_t k = 0; k < 3; k++) {
                point_set(&p, b->model->q.at[k], state[k]);
                point_set(&p, b->model->v.at[k], speed[k]);
            }
            const eval_result want = eval_at(find(method, count, "gauss"), &p);
            REQUIRE(!want.refused);
            for (size_t k = 0; k < count; k++) {
                if (method[k].refused) continue;
                const eval_result r = eval_at(&method[k], &p);
                if (!r.refused) compare(b, &r, want.qddot, 1e-9);
                if (r.refused && angle[i] > 1e-4) CHECK_STR(r.refused, "nothing");
            }
        }
}

TEST(near_pivots)
{
    bench b = {.name = "skate along an axis", .body = near_pivots};
    run_bench(&b, "coordinate x, y, theta\n"
                  "kinetic x'^2 + y'^2 + theta'^2/3 + theta'*(y'*cos(theta) - x'*sin(theta))/2\n"
                  "force x = 0.4\nforce y = -0.3*x + 0.1\nforce theta = 0.2*y\n"
                  "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n");
}

/* ---- Reference systems ----------------------------------------------------------------------- */

static void put_numbers(point *p, const ah_expr *symbol, size_t count, const json_tree *numbers)
{
    for (size_t i = 0; i < count; i++)
        point_set(p, symbol[i], json_tree_number(json_tree_at(numbers, i)));
}

static void put_state(point *p, const json_tree *state)
{
    const ah_model *m = p->model;
    const json_tree *z = json_tree_get(state, "z");
    point_set(p, expr_time(p->ctx), json_tree_number(json_tree_get(state, "t")));
    put_numbers(p, m->q.at, m->n, json_tree_get(state, "q"));
    put_numbers(p, m->v.at, m->n, json_tree_get(state, "qdot"));
    for (size_t i = 0; z && i < m->speeds.count; i++)
        point_set(p, m->speeds.at[i].symbol, json_tree_number(json_tree_at(z, i)));
    point_find_speeds(p);
}

static void compare_state(bench *b, const eval_method *method, size_t count, const json_tree *state)
{
    point p;
    const json_tree *want = json_tree_get(state, "qddot");
    if (!want || !CHECK(point_create(b->model, &b->ctx->job, &p))) return;
    put_state(&p, state);
    double *qddot = NEW_ARRAY(&b->ctx->job, double, b->model->n);
    for (uint32_t i = 0; i < b->model->n; i++) qddot[i] = json_tree_number(json_tree_at(want, i));
    for (size_t i = 0; i < count; i++) {
        if (method[i].refused) continue;
        const eval_result r = eval_at(&method[i], &p);
        if (r.refused || r.branches) continue;
        compare(b, &r, qddot, reference_agreement);
        b->tally[i]++;
    }
}

static void compare_reference(bench *b)
{
    eval_method method[MOST];
    const size_t count = prepare_all(b, method);
    const json_tree *list = json_tree_get(b->reference, "states");
    for (size_t i = 0; i < json_tree_count(list); i++)
        compare_state(b, method, count, json_tree_at(list, i));
}

static void each_reference(const char *folder, const char *file, size_t *tally)
{
    char path[2048], name[256];
    const size_t length = strlen(file);
    if (length < 4 || length >= sizeof name || strcmp(file + length - 3, ".ah")) return;
    snprintf(name, sizeof name, "%.*s", (int) (length - 3), file);
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    json_tree *reference = json_tree_read(path);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    char *content = harness_read_file(path, NULL);
    if (CHECK(reference && content)) {
        bench b = {.name = name, .reference = reference, .tally = tally, .body = compare_reference};
        run_bench(&b, content);
    }
    free(content);
    json_tree_free(reference);
}

/* How many states each method must answer: a method that begins to refuse is noticed. */
static const struct {
    const char *method;
    size_t states;
} expected[] = {{"multipliers", 306}, {"parametric", 306},      {"gibbs-appell", 306},
                {"gauss", 306},       {"maggi", 306},           {"voronets", 170},
                {"chaplygin", 80},    {"hamel", 215},           {"hamel-nonlinear", 306},
                {"lagrange", 45},     {"boltzmann-hamel", 215}, {"routh", 15},
                {"hamilton", 45}};

TEST(reference_systems)
{
    char folder[1024];
    size_t tally[MOST] = {0};
    snprintf(folder, sizeof folder, "%s/tests/reference", harness_source_dir());
    DIR *dir = opendir(folder);
    REQUIRE(dir);
    for (struct dirent *e; (e = readdir(dir));) each_reference(folder, e->d_name, tally);
    closedir(dir);
    for (size_t i = 0; derive_formalisms[i]; i++)
        for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
            if (!strcmp(expected[k].method, derive_formalisms[i]->name))
                CHECK_INT(tally[i], expected[k].states);
}
