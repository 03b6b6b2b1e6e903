/* tests/t_system.c - systems: for every model and method against ah_eval, derivatives against
 * differences, changed parameters against the model read anew. The last
 * surveys take a third of the models each, all of them with AH_FULL=1. */
#include "harness.h"
#include "harness/failing.h"
#include "harness/json_read.h"
#include "read_models.h"

#include <anholo/anholo.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000, PARTS = 6 };

typedef struct survey {
    int part; /* the models of this part, 1 to PARTS; 0: all of them */
    const char *path;
    char *text;
    size_t length;
    ah_ctx *ctx;
    ah_model *model;
    ah_system *system;
    ah_work *work;
    size_t states, parameters;
    double t, y[MOST], first[MOST]; /* first: accelerations by the first method */
    size_t systems, refused, compared, jacobians, moved;
    ah_model *changed;     /* the model with other parameters */
    const json_tree *eval; /* what ah_eval says by all methods */
} survey;

static int part_of(const char *name)
{
    int sum = 0;
    for (; *name; name++) sum += (unsigned char) *name;
    return 1 + sum % PARTS;
}

static survey survey_part(int part)
{
    return (survey){.part = getenv("AH_FULL") ? 0 : part};
}

/* How many of at least so many, when all models were asked. */
static size_t of_all(const survey *s, size_t least)
{
    return s->part ? least / (2 * PARTS) : least;
}

static void each_model(survey *s, const char *folder, void (*check)(survey *s))
{
    char path[1000], file[2000];
    snprintf(path, sizeof path, "%s/%s", harness_source_dir(), folder);
    DIR *dir = opendir(path);
    REQUIRE(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir));) {
        const size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".ah")) continue;
        if (s->part && s->part != part_of(entry->d_name)) continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        s->path = entry->d_name;
        s->text = harness_read_file(file, &s->length);
        s->ctx = ah_ctx_create(NULL);
        if ((s->part || harness_is_due(entry->d_name, s->text)) &&
            ah_read(s->ctx, file, s->text, s->length, NULL, &s->model) == AH_OK)
            check(s);
        ah_ctx_destroy(s->ctx);
        free(s->text);
    }
    closedir(dir);
}

static double largest(const double *x, size_t count)
{
    double size = 0;
    for (size_t i = 0; i < count; i++) size = fmax(size, fabs(x[i]));
    return size;
}

/* Calls f for the system of each method that applies, at the model's start. */
static void each_system(survey *s, bool jacobians, void (*check)(survey *s, const char *method))
{
    for (size_t i = 0; i < ah_method_count(); i++) {
        ah_system_options o = ah_system_defaults();
        o.method = ah_method_name(i);
        o.engine = "interpret";
        o.jacobians = jacobians;
        o.project = true;
        if (ah_system_create(s->model, &o, &s->system) != AH_OK) {
            s->refused++;
            CHECK(s->system == NULL);
            ah_ctx_reset_status(s->ctx);
            continue;
        }
        s->work = ah_work_create(s->system);
        s->states = ah_system_count(s->system, AH_Q_STATE);
        s->parameters = ah_system_count(s->system, AH_Q_PARAMETER);
        s->systems++;
        if (CHECK(s->work != NULL) && ah_system_start(s->system, &s->t, s->y) == AH_OK)
            check(s, o.method);
        ah_work_destroy(s->work);
        ah_system_destroy(s->system);
        ah_ctx_reset_status(s->ctx);
    }
}

/* ---- Against ah_eval ------------------------------------------------------------------------- */

static void compare(const survey *s, const char *method, const char *what, const double *got,
                    const json_tree *want)
{
    double size = 1e-2; /* of steady motions nothing but rounding errors is left */
    for (size_t i = 0; i < json_tree_count(want); i++)
        size = fmax(size, fabs(json_tree_number(json_tree_at(want, i))));
    for (size_t i = 0; i < json_tree_count(want); i++)
        if (!CHECK_NEAR(got[i], json_tree_number(json_tree_at(want, i)), size, 1e6,
                        "a system against ah_eval"))
            printf("# %s by %s: %s %zu\n", s->path, method, what, i);
}

static bool same_names(const ah_system *s, const double *v, const json_tree *answer)
{
    const json_tree *names = json_tree_get(answer, "coordinates");
    for (size_t i = 0; i < json_tree_count(names); i++)
        if (!CHECK_STR(ah_system_name(s, AH_Q_STATE, i), json_tree_at(names, i)->text))
            return false;
    return CHECK(json_tree_count(json_tree_get(answer, "qdot")) ==
                 ah_system_count(s, AH_Q_VELOCITY)) &&
           v;
}

static void compare_with_eval(survey *s, const char *method)
{
    double out[MOST];
    const json_tree *all = s->eval;
    const json_tree *methods = json_tree_get(all, "methods"), *m = json_tree_get(methods, method);
    const json_tree *qddot = json_tree_get(m, "qddot");
    const ah_status status = ah_work_evaluate(s->work, AH_Q_ACCELERATION, s->t, s->y, out);
    if (json_tree_get(m, "refused")) return; /* with its inputs put in, forces depend on the time */
    if (!json_tree_count(qddot)) {           /* a singular state: both say so */
        if (!CHECK(status == AH_E_NUMERIC && isnan(out[0])))
            printf("# %s by %s: no accelerations by eval\n", s->path, method);
        return;
    }
    if (!CHECK(status == AH_OK)) printf("# %s by %s\n", s->path, method);
    compare(s, method, "q''", out, qddot);
    s->compared++;
    CHECK(ah_work_evaluate(s->work, AH_Q_VELOCITY, s->t, s->y, out) == AH_OK);
    same_names(s->system, out, all);
    compare(s, method, "q'", out, json_tree_get(all, "qdot"));
    CHECK(ah_work_evaluate(s->work, AH_Q_ENERGY, s->t, s->y, out) == AH_OK);
    CHECK_NEAR(out[0], json_tree_number(json_tree_get(all, "energy")), fabs(out[1]) + fabs(out[2]),
               1e3, "energy");
    CHECK_NEAR(out[0], out[1] + out[2], fabs(out[1]) + fabs(out[2]), 4, "T + V");
    const json_tree *by = json_tree_get(methods, "multipliers");
    if (json_tree_count(json_tree_get(by, "reaction")) &&
        ah_work_evaluate(s->work, AH_Q_REACTION, s->t, s->y, out) == AH_OK) {
        compare(s, method, "reaction", out, json_tree_get(by, "reaction"));
        CHECK(ah_work_evaluate(s->work, AH_Q_MULTIPLIER, s->t, s->y, out) ==
              (ah_system_count(s->system, AH_Q_MULTIPLIER) ? AH_OK : AH_E_REFUSED));
        compare(s, method, "lambda", out, json_tree_get(by, "multipliers"));
    }
}

static void survey_eval(survey *s)
{
    ah_eval_options o = ah_eval_defaults();
    const char *text = NULL;
    o.method = "all";
    o.project = true;
    ah_eval(s->model, &o, AH_JSON, &text); /* some method may refuse */
    json_tree *all = text ? json_tree_parse(text) : NULL;
    s->eval = all;
    if (all) each_system(s, false, compare_with_eval);
    json_tree_free(all);
}

TEST(systems_agree_with_eval)
{
    survey s = {0};
    each_model(&s, "models", survey_eval);
    each_model(&s, "tests/reference", survey_eval);
    printf("# %zu systems, %zu compared, %zu refused\n", s.systems, s.compared, s.refused);
    CHECK(s.compared > (size_t) harness_amount(150, 300, 300));
}

/* ---- Derivatives ----------------------------------------------------------------------------- */

/* y' where one of t, y, p is moved. */
static bool rate_at(survey *s, ah_quantity by, size_t j, double by_how_much, double *out)
{
    double y[MOST], p[MOST], t = s->t;
    memcpy(y, s->y, s->states * sizeof *y);
    ah_system_parameters(s->system, p);
    *(by == AH_Q_BY_STATE ? &y[j] : by == AH_Q_BY_PARAMETER ? &p[j] : &t) += by_how_much;
    ah_work_set_parameters(s->work, p);
    const bool good = ah_work_evaluate(s->work, AH_Q_RATE, t, y, out) == AH_OK;
    ah_system_parameters(s->system, p);
    ah_work_set_parameters(s->work, p);
    return good;
}

static void compare_derivatives(survey *s, ah_quantity by, size_t columns, const char *method)
{
    static double J[MOST * 100], f[4][MOST];
    static const double at[] = {-1, 1, -0.5, 0.5};
    const double h = 2e-5;
    const size_t n = s->states;
    if (!columns || !CHECK(ah_system_count(s->system, by) == n * columns) || columns > 100) return;
    if (ah_work_evaluate(s->work, by, s->t, s->y, J) != AH_OK) return;
    s->jacobians++;
    const double scale = fmax(1, largest(J, n * columns));
    for (size_t j = 0; j < columns; j++) {
        bool good = true;
        for (int k = 0; k < 4; k++) good = good && rate_at(s, by, j, at[k] * h, f[k]);
        for (size_t i = 0; good && i < n; i++) {
            const double wide = (f[1][i] - f[0][i]) / (2 * h), narrow = (f[3][i] - f[2][i]) / h;
            const double error = fabs(narrow - wide), want = (4 * narrow - wide) / 3;
            const double noise = largest(f[0], n) / h;
            if (!CHECK_NEAR(J[i * columns + j], want, 1e6 * scale + 1e16 * error + 1e3 * noise, 1,
                            "derivatives against differences"))
                printf("# %s by %s: quantity %d, row %zu, column %zu\n", s->path, method, (int) by,
                       i, j);
        }
    }
}

static void compare_jacobians(survey *s, const char *method)
{
    if (!ah_system_count(s->system, AH_Q_BY_STATE)) return;
    compare_derivatives(s, AH_Q_BY_STATE, s->states, method);
    compare_derivatives(s, AH_Q_BY_PARAMETER, s->parameters, method);
    compare_derivatives(s, AH_Q_BY_TIME, 1, method);
}

static void survey_jacobians(survey *s)
{
    each_system(s, true, compare_jacobians);
}

TEST(derivatives_agree_with_differences)
{
    survey s = survey_part(1);
    each_model(&s, "models", survey_jacobians);
    printf("# %zu systems, %zu Jacobians\n", s.systems, s.jacobians);
    CHECK(s.jacobians > of_all(&s, 600));
}

static const char given_text[] = "parameter l = 2, m = 3, I = m*l^2/3, k = I/m + l\n"
                                 "coordinate th\n"
                                 "kinetic I*th'^2/2\n"
                                 "potential -m*9.81*l/2*cos(th) + k*th^2/2\n"
                                 "start th = 1, th' = 0.5\n";

/* Parameters that others give follow these: th'' = −(m g l/2 sin th + k th)/I. */
TEST(given_parameters_follow)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = read_text(ctx, given_text, NULL);
    ah_system_options o = ah_system_defaults();
    ah_system *s = NULL;
    double y[2], a, p[2] = {1.3, 0.7}, J[4];
    o.jacobians = true;
    REQUIRE(m && ah_system_create(m, &o, &s) == AH_OK);
    ah_work *w = ah_work_create(s);
    REQUIRE(w != NULL);
    CHECK_INT(ah_system_count(s, AH_Q_PARAMETER), 2);
    CHECK_STR(ah_system_name(s, AH_Q_PARAMETER, 1), "m");
    CHECK_INT(ah_system_find(s, AH_Q_PARAMETER, "m"), 1);
    CHECK_INT(ah_system_find(s, AH_Q_PARAMETER, "I"), -1);
    CHECK(ah_system_start(s, NULL, y) == AH_OK && ah_work_set_parameters(w, p) == AH_OK);
    for (int round = 0; round < 2; round++) {
        const double l = p[0], I = p[1] * l * l / 3, k = I / p[1] + l;
        const double want = -(p[1] * 9.81 * l / 2 * sin(y[0]) + k * y[0]) / I;
        CHECK(ah_work_evaluate(w, AH_Q_ACCELERATION, 0, y, &a) == AH_OK);
        CHECK_NEAR(a, want, fabs(want), 16, "a pendulum");
        /* th'' = −(3 g/(2 l)) sin th − (1/m + 3/(m l)) th */
        CHECK(ah_work_evaluate(w, AH_Q_BY_PARAMETER, 0, y, J) == AH_OK);
        const double by_l = 1.5 * 9.81 / (l * l) * sin(y[0]) + 3 / (p[1] * l * l) * y[0];
        const double by_m = (1 / (p[1] * p[1]) + 3 / (p[1] * p[1] * l)) * y[0];
        CHECK_NEAR(J[2], by_l, fabs(by_l), 64, "through I and k");
        CHECK_NEAR(J[3], by_m, fabs(by_m), 64, "through I and k");
        p[0] = 0.4;
        CHECK(ah_work_set_parameter(w, 0, p[0]) == AH_OK);
    }
    ah_work_destroy(w);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
}

/* ---- Changed parameters ---------------------------------------------------------------------- */

/* Every parameter of the system, a little larger, against the model read with --set. */
static void compare_changed(survey *s, const char *method)
{
    char set[4000] = "";
    double p[MOST], got[MOST], want[MOST], y[MOST];
    ah_system *other = NULL;
    ah_system_options o = ah_system_defaults();
    if (!s->parameters || s->parameters > 40) return;
    ah_system_parameters(s->system, p);
    for (size_t i = 0; i < s->parameters; i++) {
        p[i] *= 1 + 0.01 * (double) (i % 5);
        snprintf(set + strlen(set), sizeof set - strlen(set), "%s%s=%.17g", i ? "," : "",
                 ah_system_name(s->system, AH_Q_PARAMETER, i), p[i]);
    }
    o.method = method;
    o.engine = "interpret";
    o.project = true;
    if (!s->changed && ah_read(s->ctx, "changed", s->text, s->length, set, &s->changed) != AH_OK)
        return;
    if (ah_system_create(s->changed, &o, &other) != AH_OK) return;
    ah_work *w = ah_work_create(other);
    if (CHECK(w != NULL) && ah_system_start(other, NULL, y) == AH_OK &&
        ah_system_count(other, AH_Q_STATE) == s->states &&
        ah_work_evaluate(w, AH_Q_RATE, s->t, y, want) == AH_OK) {
        CHECK(ah_work_set_parameters(s->work, p) == AH_OK);
        CHECK(ah_work_evaluate(s->work, AH_Q_RATE, s->t, y, got) == AH_OK);
        const double scale = fmax(1e-3, largest(want, s->states));
        for (size_t i = 0; i < s->states; i++)
            if (!CHECK_NEAR(got[i], want[i], scale, 1e7, "changed parameters"))
                printf("# %s by %s: %zu\n", s->path, method, i);
        s->moved++;
    }
    ah_work_destroy(w);
    ah_system_destroy(other);
}

static void survey_changed(survey *s)
{
    s->changed = NULL; /* made once: the methods have the same parameters */
    each_system(s, false, compare_changed);
}

TEST(parameters_may_change)
{
    survey s = survey_part(2);
    each_model(&s, "models", survey_changed);
    printf("# %zu of %zu systems\n", s.moved, s.systems);
    CHECK(s.moved > of_all(&s, 200));
}

/* ---- Projection ------------------------------------------------------------------------------ */

static void compare_projected(survey *s, const char *method)
{
    double y[MOST], again[MOST], residual = NAN;
    if (!ah_system_count(s->system, AH_Q_RESIDUAL)) return;
    memcpy(y, s->y, s->states * sizeof *y);
    for (size_t i = 0; i < s->states; i++) y[i] += 1e-3 * harness_uniform(-1, 1);
    const ah_status status = ah_work_project(s->work, s->t, y, &residual);
    if (status != AH_OK) {
        CHECK(status == AH_E_NUMERIC);
        return;
    }
    s->moved++;
    if (!CHECK(residual <= 1e-9)) printf("# %s by %s: %g\n", s->path, method, residual);
    memcpy(again, y, s->states * sizeof *y);
    CHECK(ah_work_project(s->work, s->t, again, NULL) == AH_OK);
    for (size_t i = 0; i < s->states; i++)
        CHECK_NEAR(again[i], y[i], 1 + fabs(y[i]), 1e4, "what is there stays");
}

static void survey_projected(survey *s)
{
    each_system(s, false, compare_projected);
}

TEST(states_are_projected)
{
    survey s = survey_part(3);
    each_model(&s, "models", survey_projected);
    printf("# %zu of %zu systems\n", s.moved, s.systems);
    CHECK(s.moved * 10 > s.systems * 7);
}

/* Of x = 0 and x' = y' nothing is left but rounding errors, and these are all of their terms. */
TEST(what_vanishes_is_projected)
{
    static const char text[] = "parameter a = 0.3\ncoordinate x, y, z\n"
                               "kinetic (x'^2 + 2*y'^2 + 3*z'^2)/2\nconstraint one: a*x = 0\n"
                               "constraint two: sin(z)*y' = a*z'\n"
                               "start x = 0, y = 1, z = 1, x' = 0, y' = 0, z' = 0\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_system_options o = ah_system_defaults();
    const char *const engines[] = {"interpret", "tcc"};
    for (size_t i = 0; i < 2; i++) {
        ah_system *s = NULL;
        o.method = "multipliers";
        o.engine = engines[i];
        REQUIRE(ah_system_create(read_text(ctx, text, NULL), &o, &s) == AH_OK);
        ah_work *w = ah_work_create(s);
        double y[6] = {1e-3, 1, 1, 0.7, 1e-4, 0}, residual = NAN;
        CHECK(ah_work_project(w, 0, y, &residual) == AH_OK && residual <= 1e-9);
        CHECK(fabs(y[0]) < 1e-18 && fabs(y[3]) < 1e-15 && y[1] == 1 && y[2] == 1);
        CHECK_NEAR(sin(1) * y[4], 0.3 * y[5], 1e-4, 8, "the second constraint");
        CHECK(ah_work_project(w, 0, y, &residual) == AH_OK); /* it stays */
        double far[6] = {1e9, 1, 1, 0, 0, 0};
        CHECK(ah_work_project(w, 0, far, NULL) == AH_OK && fabs(far[0]) < 1e-6);
        ah_work_destroy(w);
        ah_system_destroy(s);
    }
    ah_ctx_destroy(ctx);
}

/* A chain of hinges so long that its step goes from body to body (the mass matrix is never made): the state that comes of it holds,
 * and stays. */
TEST(a_long_chain_is_projected)
{
    enum { LINKS = 45 };
    char text[LINKS * 160 + 200];
    size_t n = 0;
    for (int i = 1; i <= LINKS; i++)
        n += (size_t) snprintf(text + n, sizeof text - n, "coordinate q%d\n", i);
    for (int i = 1; i <= LINKS; i++) {
        char on[16] = "";
        if (i > 1) snprintf(on, sizeof on, "on b%d ", i - 1);
        n += (size_t) snprintf(text + n, sizeof text - n,
                               "body b%d mass 1 inertia (1, 1, 1) %sat (%scos(q%d), sin(q%d)) "
                               "turn z q%d\n",
                               i, on, i > 1 ? "1 + " : "", i, i, i);
    }
    snprintf(text + n, sizeof text - n, "constraint pair: sin(q1) + 2*q%d = 0\n", LINKS);
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_system *s = NULL;
    ah_model *m = read_text(ctx, text, NULL);
    REQUIRE(m && ah_system_create(m, NULL, &s) == AH_OK);
    ah_work *w = ah_work_create(s);
    double y[2 * LINKS], before[2 * LINKS], residual = NAN;
    for (int i = 0; i < LINKS; i++) y[i] = 0.02 * (i % 7), y[LINKS + i] = 0.1 * (i % 3);
    y[0] = 0;
    y[LINKS - 1] = 1e-6;
    memcpy(before, y, sizeof y);
    CHECK(ah_work_project(w, 0, y, &residual) == AH_OK && residual <= 1e-12);
    CHECK_NEAR(sin(y[0]), -2 * y[LINKS - 1], 1e-6, 1e6, "the places");
    CHECK_NEAR(cos(y[0]) * y[LINKS], -2 * y[2 * LINKS - 1], 0.1, 64, "the velocities");
    CHECK(y[0] != before[0] && y[LINKS - 1] != before[LINKS - 1]);
    memcpy(before, y, sizeof y);
    CHECK(ah_work_project(w, 0, y, &residual) == AH_OK && !memcmp(before, y, sizeof y));
    ah_work_destroy(w);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static const char *const names[] = {"tire.ah", "double_pendulum.ah", "heavy_top.ah",
                                    "rolling_disc_pendulum.ah", "trailers.ah"};

static void ask_everything(ah_work *w, const ah_system *s, double t, double *y, double *out)
{
    for (int q = 0; q < AH_QUANTITIES; q++)
        if (ah_system_count(s, (ah_quantity) q) && ah_system_count(s, (ah_quantity) q) < MOST)
            ah_work_evaluate(w, (ah_quantity) q, t, y, out);
    ah_work_project(w, t, y, NULL);
    ah_work_set_parameter(w, 0, 1.25);
}

TEST(calls_allocate_nothing)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        failing memory = {0};
        ah_ctx_options o = ah_ctx_defaults();
        ah_system_options so = ah_system_defaults();
        ah_system *s = NULL;
        static double y[MOST], out[MOST];
        double t = 0;
        o.realloc = failing_realloc;
        o.user = &memory;
        ah_ctx *ctx = ah_ctx_create(&o);
        char *text = model_text(names[i]);
        ah_model *m = read_text(ctx, text, NULL);
        so.jacobians = true;
        if (CHECK(m && ah_system_create(m, &so, &s) == AH_OK)) {
            ah_work *w = ah_work_create(s);
            const size_t before = memory.allocations;
            ah_system_start(s, &t, y);
            ask_everything(w, s, t, y, out);
            memset(y, 0, ah_system_count(s, AH_Q_STATE) * sizeof *y); /* often a singular one */
            ask_everything(w, s, t, y, out);
            y[0] = NAN;
            ask_everything(w, s, t, y, out);
            if (!CHECK_INT(memory.allocations, before)) printf("# %s\n", names[i]);
            ah_work_destroy(w);
        }
        ah_system_destroy(s);
        free(text);
        ah_ctx_destroy(ctx);
        CHECK_INT(memory.bytes, 0);
        CHECK_INT(memory.wrong_sizes, 0);
    }
}

static void make_and_ask(ah_ctx *ctx, void *arg)
{
    ah_system *s = NULL;
    static double y[MOST], out[MOST];
    double t = 0;
    ah_model *m = read_text(ctx, arg, NULL);
    if (!m || ah_system_create(m, NULL, &s) != AH_OK) return;
    ah_work *w = ah_work_create(s);
    if (w && ah_system_start(s, &t, y) == AH_OK) ask_everything(w, s, t, y, out);
    ah_work_destroy(w);
    ah_system_destroy(s);
}

TEST(systems_without_memory)
{
    size_t tried = 0;
    static char text[] = "parameter m = 1, g = 9.81\ncoordinate x, y\npoint P mass m at (x, y)\n"
                         "gravity (0, -g)\nconstraint rod: x^2 + y^2 = 1\n"
                         "output pull = lambda[rod]\nstart x = 1, y = 0, x' = 0, y' = 0\n";
    CHECK(failing_run(make_and_ask, text, &tried));
    CHECK(tried > 50);
    /* what the motions of a force that switches need is a second system behind the first */
    static char switches[] =
        "coordinate x\nkinetic x'^2/2\nforce x = -abs(x)\nstart x = 1, x' = 0\n";
    CHECK(failing_run(make_and_ask, switches, &tried));
    CHECK(tried > 50);
}

/* ---- One model, several systems --------------------------------------------------------------- */

/* Of the rates at the start. */
static double sum_of_rates(const ah_system *s)
{
    double y[64], f[64], t, sum = 0;
    ah_work *w = ah_work_create(s);
    if (ah_system_start(s, &t, y) != AH_OK || ah_work_evaluate(w, AH_Q_RATE, t, y, f) != AH_OK)
        sum = NAN;
    for (size_t i = 0; i < ah_system_count(s, AH_Q_RATE); i++) sum += fabs(f[i]);
    ah_work_destroy(w);
    return sum;
}

/* With equal options they are one and stay until the last is destroyed; changed values, another method and
 * other options make another; all give what one of a model read for it alone gives. */
TEST(systems_of_one_model_share)
{
    ah_ctx *ctx = ah_ctx_create(NULL), *apart = ah_ctx_create(NULL);
    static const char text[] = "parameter m = 2, k = 3\ninput u = 1\ncoordinate x, y\n"
                               "kinetic m*(x'^2 + y'^2)/2\nforce x = u - k*x\n"
                               "constraint y' = x*x'\nstart x = 0.5, x' = 1, y = 0.2, y' = 0.5\n";
    ah_model *m = read_text(ctx, text, NULL), *changed = read_text(apart, text, "k=5");
    ah_system_options o = ah_system_defaults();
    ah_system *s[8] = {NULL}, *alone = NULL;
    REQUIRE(m && changed);
    CHECK_INT(ah_system_create(m, &o, &s[0]), AH_OK);
    CHECK_INT(ah_system_create(m, &o, &s[1]), AH_OK);
    CHECK(s[0] == s[1]);
    o.jacobians = true;
    CHECK_INT(ah_system_create(m, &o, &s[2]), AH_OK);
    CHECK(s[2] != s[0] && ah_system_count(s[2], AH_Q_BY_STATE) > 0);
    CHECK(ah_system_count(s[0], AH_Q_BY_STATE) == 0);
    const double before = sum_of_rates(s[0]);
    CHECK(sum_of_rates(s[2]) == before);
    o = ah_system_defaults();
    o.method = "multipliers";
    CHECK_INT(ah_system_create(m, &o, &s[5]), AH_OK);
    o.method = "voronets";
    CHECK_INT(ah_system_create(m, &o, &s[6]), AH_OK);
    CHECK_INT(ah_system_create(m, &o, &s[7]), AH_OK);
    CHECK(s[5] != s[6] && s[6] == s[7]);
    CHECK_NEAR(sum_of_rates(s[6]), sum_of_rates(s[5]), 1, 64, "the same rates by another method");
    o.method = "no such method";
    CHECK(ah_system_create(m, &o, &s[3]) != AH_OK);
    ah_ctx_reset_status(ctx);
    o.method = NULL;
    CHECK_INT(ah_model_set(m, "k", ah_int(ah_model_context(m), 5)), AH_OK);
    CHECK_INT(ah_system_create(m, &o, &s[3]), AH_OK);
    CHECK_INT(ah_system_create(changed, &o, &alone), AH_OK);
    CHECK(s[3] != s[0] && sum_of_rates(s[3]) == sum_of_rates(alone) &&
          sum_of_rates(s[3]) != before);
    CHECK_INT(ah_model_set_input(m, "u", ah_int(ah_model_context(m), 7)), AH_OK);
    CHECK_INT(ah_system_create(m, &o, &s[4]), AH_OK);
    CHECK(s[4] != s[3] && sum_of_rates(s[4]) != sum_of_rates(s[3]));
    ah_model_destroy(m); /* it stays as long as its systems */
    ah_system_destroy(s[0]);
    CHECK(sum_of_rates(s[1]) == before);
    for (int i = 1; i < 8; i++) ah_system_destroy(s[i]);
    ah_system_destroy(alone);
    ah_ctx_destroy(apart);
    ah_ctx_destroy(ctx);
}

/* ---- Wrong calls ----------------------------------------------------------------------------- */

TEST(wrong_calls_are_refused)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    double y[8] = {0}, out[8], bad[4] = {1, NAN, 1, 1};
    ah_system *s = NULL;
    ah_system_options o = ah_system_defaults();
    ah_model *m = read_text(ctx, given_text, NULL);
    CHECK(ah_system_create(NULL, NULL, &s) == AH_E_INPUT && !s);
    CHECK(ah_system_create(m, NULL, NULL) == AH_E_INPUT);
    o.engine = "steam";
    CHECK(ah_system_create(m, &o, &s) == AH_E_INPUT && !s);
    ah_ctx_reset_status(ctx);
    o.engine = NULL;
    o.method = "guess";
    CHECK(ah_system_create(m, &o, &s) == AH_E_INPUT && !s);
    ah_ctx_reset_status(ctx);
    o.method = "chaplygin";
    CHECK(ah_system_create(m, &o, &s) == AH_E_REFUSED && !s);
    ah_ctx_reset_status(ctx);
    ah_model *unfinished = ah_model_create(ctx, "nothing");
    CHECK(ah_system_create(unfinished, NULL, &s) == AH_E_INPUT && !s);
    CHECK_STR(ah_diagnostic_get(ctx, 0)->code, "A0904");
    ah_ctx_reset_status(ctx);
    o = (ah_system_options){.method = "chaplygin"}; /* not begun with the defaults */
    CHECK(ah_system_create(m, &o, &s) == AH_E_INPUT && !s);
    o.size = sizeof o.size; /* of an older library, which had no methods: all as usual */
    REQUIRE(ah_system_create(m, &o, &s) == AH_OK);
    ah_work *w = ah_work_create(s);
    CHECK(ah_work_create(NULL) == NULL);
    CHECK(ah_work_set_parameters(w, bad) == AH_E_INPUT);
    CHECK(ah_work_set_parameter(w, 7, 1) == AH_E_INPUT);
    CHECK(ah_work_set_parameter(w, 0, INFINITY) == AH_E_INPUT);
    CHECK(ah_work_get_parameters(w, out) == AH_OK && out[0] == 2 && out[1] == 3);
    CHECK(ah_work_evaluate(NULL, AH_Q_RATE, 0, y, out) == AH_E_INPUT);
    CHECK(ah_work_evaluate(w, AH_Q_RATE, 0, NULL, out) == AH_E_INPUT);
    CHECK(ah_work_evaluate(w, AH_Q_RATE, 0, y, NULL) == AH_E_INPUT);
    CHECK(ah_work_evaluate(w, AH_QUANTITIES, 0, y, out) == AH_E_INPUT);
    CHECK(ah_work_evaluate(w, (ah_quantity) -1, 0, y, out) == AH_E_INPUT);
    CHECK(ah_work_evaluate(w, AH_Q_BY_STATE, 0, y, out) == AH_E_REFUSED); /* nobody asked for it */
    CHECK(ah_work_evaluate(w, AH_Q_MULTIPLIER, 0, y, out) == AH_E_REFUSED);
    y[0] = NAN;
    CHECK(ah_work_evaluate(w, AH_Q_RATE, 0, y, out) == AH_E_NUMERIC && isnan(out[1]));
    CHECK(ah_work_project(w, 0, NULL, NULL) == AH_E_INPUT);
    CHECK(ah_system_count(s, (ah_quantity) -1) == 0 && !ah_system_name(s, AH_Q_STATE, 2));
    CHECK(!ah_system_name(NULL, AH_Q_STATE, 0) && ah_system_find(s, AH_Q_STATE, NULL) == -1);
    ah_work_destroy(w);
    ah_work_destroy(NULL);
    ah_system_destroy(s);
    ah_system_destroy(NULL);
    ah_ctx_destroy(ctx);
}

/* Constraints tell all places, near a guess or without one. */
TEST(a_start_that_constraints_tell)
{
    static const char *const models[] = {"constraint y^2 = l\nstart y near -1\n",
                                         "constraint y = -l\n"};
    for (size_t i = 0; i < 2; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        char text[200];
        snprintf(text, sizeof text,
                 "parameter l = 1\ncoordinate x, y\npoint P mass 1 at (x, y)\nconstraint x = l\n%s",
                 models[i]);
        ah_model *m = read_text(ctx, text, NULL);
        ah_system *s = NULL;
        double y[4] = {0}, t = 1;
        REQUIRE(m && ah_system_create(m, NULL, &s) == AH_OK);
        REQUIRE(ah_system_count(s, AH_Q_STATE) == 4);
        CHECK(ah_system_start(s, &t, y) == AH_OK);
        CHECK_INT(ah_diagnostic_count(ctx), 0);
        CHECK_NEAR(y[0], 1, 1, 4, "x");
        CHECK_NEAR(y[1], -1, 1, 4, "y");
        ah_system_destroy(s);
        ah_ctx_destroy(ctx);
    }
}

/* What is NULL, or not there. */
TEST(nothing_is_refused)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    double y[8] = {0}, residual;
    ah_system *s = NULL;
    ah_event event;
    ah_statistics counts;
    REQUIRE(ah_system_create(read_text(ctx, given_text, NULL), NULL, &s) == AH_OK);
    ah_work *w = ah_work_create(s);
    CHECK(!ah_system_method(NULL) && !ah_system_engine(NULL));
    CHECK(ah_system_count(NULL, AH_Q_STATE) == 0 && !ah_system_unit(NULL, AH_Q_STATE, 0));
    CHECK(!ah_system_unit(s, AH_Q_STATE, 9) && !ah_system_unit(s, (ah_quantity) -1, 0));
    CHECK(!ah_system_name(s, AH_Q_BY_STATE, 0) && !ah_system_name(s, AH_QUANTITIES, 0));
    CHECK(ah_system_find(NULL, AH_Q_STATE, "x") == -1 &&
          ah_system_find(s, AH_Q_BY_TIME, "x") == -1);
    CHECK(ah_system_event_direction(NULL, 0) == 0 && ah_system_event_direction(s, 9) == 0);
    CHECK(ah_system_start(NULL, NULL, y) == AH_E_INPUT &&
          ah_system_start(s, NULL, NULL) == AH_E_INPUT);
    CHECK(ah_system_parameters(NULL, y) == AH_E_INPUT &&
          ah_system_parameters(s, NULL) == AH_E_INPUT);
    CHECK(ah_work_set_parameters(NULL, y) == AH_E_INPUT &&
          ah_work_set_parameters(w, NULL) == AH_E_INPUT);
    CHECK(ah_work_get_parameters(NULL, y) == AH_E_INPUT &&
          ah_work_get_parameters(w, NULL) == AH_E_INPUT);
    CHECK(ah_work_set_parameter(NULL, 0, 1) == AH_E_INPUT);
    CHECK(ah_work_project(NULL, 0, y, &residual) == AH_E_INPUT);
    CHECK(ah_motion_statistics(NULL, &counts) == AH_E_INPUT &&
          ah_motion_event(NULL, 0, &event) == AH_E_INPUT);
    CHECK(ah_motion_events(NULL) == 0 && ah_motion_ended(NULL) && !ah_motion_why(NULL));
    CHECK(isnan(ah_motion_time(NULL)) && isnan(ah_motion_time_before(NULL)));
    CHECK(ah_motion_state(NULL, y) == AH_E_INPUT && ah_motion_state_at(NULL, 0, y) == AH_E_INPUT);
    ah_work_destroy(w);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
}

/* A mass matrix diag(x², 1) has no accelerations at x = 0, and x x' + y y' = 0 no reaction at the origin; what needs neither
 * stays a number. */
TEST(at_singular_states)
{
    static const char *const texts[] = {
        "coordinate x, y\nkinetic x^2*x'^2/2 + y'^2/2\nforce x = y + 1\n"
        "output a = x'', m = M[1,1]\nrecord \"one\" when x'' = 1\nstart x = 1, y = 0, x' = 1, y' = "
        "2\n",
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = y + 1\nconstraint c: x*x' + y*y' = 0\n"
        "output a = lambda[c], r = reaction[x], m = M[1,1]\nrecord \"one\" when lambda[c] = 1\n"
        "start x = 1, y = 0, x' = 0, y' = 2\n"};
    static const ah_quantity none[] = {AH_Q_RATE,  AH_Q_ACCELERATION, AH_Q_OUTPUT,
                                       AH_Q_EVENT, AH_Q_MULTIPLIER,   AH_Q_REACTION};
    static const char *const engines[] = {"interpret", "auto"};
    for (int k = 0; k < 4; k++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_system *s = NULL;
        ah_system_options o = ah_system_defaults();
        o.engine = engines[k / 2];
        double y[4] = {0, 0, 1, 2}, out[8], start[4];
        REQUIRE(ah_system_create(read_text(ctx, texts[k % 2], NULL), &o, &s) == AH_OK);
        ah_work *w = ah_work_create(s);
        for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
            if (!ah_system_count(s, none[i])) continue;
            if (k % 2 == 0 && (none[i] == AH_Q_MULTIPLIER || none[i] == AH_Q_REACTION)) continue;
            CHECK(ah_system_start(s, NULL, start) == AH_OK);
            CHECK_INT(ah_work_evaluate(w, none[i], 0, start, out), AH_OK);
            CHECK_INT(ah_work_evaluate(w, none[i], 0, y, out), AH_E_NUMERIC);
            CHECK(isnan(out[0]));
        }
        CHECK(ah_work_evaluate(w, AH_Q_ENERGY, 0, y, out) == AH_OK);
        CHECK_NEAR(out[0], k % 2 ? 2.5 : 2, 2, 4, "T at x = 0, x' = 1, y' = 2");
        CHECK(ah_work_evaluate(w, AH_Q_VELOCITY, 0, y, out) == AH_OK && out[0] == 1 && out[1] == 2);
        ah_work_destroy(w);
        ah_system_destroy(s);
        ah_ctx_destroy(ctx);
    }
}

/* Without admissible states, with a start that contradicts the constraint, by an end that is no number. */
TEST(systems_that_cannot_begin)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_system *s = NULL;
    ah_motion *motion = NULL;
    ah_model *empty =
        read_text(ctx, "coordinate x\nkinetic x'^2/2\nconstraint c: x'^2 + exp(x) = 0\n", NULL);
    CHECK(!empty || (ah_system_create(empty, NULL, &s) != AH_OK && !s));
    ah_ctx_reset_status(ctx);
    ah_model *wrong = read_text(ctx,
                                "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x' = y'\n"
                                "start x = 0, y = 0, x' = 1, y' = 2\n",
                                NULL);
    CHECK(wrong && ah_system_create(wrong, NULL, &s) == AH_E_INPUT && !s);
    ah_ctx_reset_status(ctx);
    ah_model *endless =
        read_text(ctx,
                  "parameter k = 0\ncoordinate x\nkinetic x'^2/2\nstart x = 0, x' = 1\n"
                  "simulate t = 0 .. 1/k\n",
                  NULL);
    if (endless && ah_system_create(endless, NULL, &s) == AH_OK) {
        CHECK(ah_motion_create(s, NULL, &motion) == AH_E_INPUT && !motion);
        const double one = 1, two[2] = {0, NAN};
        ah_motion_options o = ah_motion_defaults();
        o.parameters = &one;
        CHECK(ah_motion_create(s, &o, &motion) == AH_OK && ah_motion_advance(motion, 1) == AH_OK);
        const double before = ah_motion_time_before(motion), now = ah_motion_time(motion);
        double y[2];
        CHECK(ah_motion_state_at(motion, now, y) == AH_OK);
        CHECK_NEAR(y[0], now, 1, 16, "x = t");
        CHECK(ah_motion_state_at(motion, now + 1, y) == AH_E_INPUT);
        CHECK(ah_motion_state_at(motion, before - 1, y) == AH_E_INPUT);
        CHECK(ah_motion_state_at(motion, NAN, y) == AH_E_INPUT);
        CHECK(ah_motion_state_at(motion, now, NULL) == AH_E_INPUT);
        ah_motion_destroy(motion);
        motion = NULL;
        o.y = two;
        CHECK(ah_motion_create(s, &o, &motion) == AH_E_INPUT && !motion);
        ah_system_destroy(s);
    }
    ah_ctx_destroy(ctx);
}

/* No start: any admissible state tells which pivots are good. */
TEST(a_model_without_start)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = read_text(ctx,
                            "parameter m = 2, g = 9.81\ncoordinate x, y\n"
                            "point P mass m at (x, y)\ngravity (0, -g)\n"
                            "constraint rod: x^2 + y^2 = 1\n"
                            "output pull = lambda[rod], speed = sqrt(x'^2 + y'^2)\n",
                            NULL);
    ah_system *s = NULL;
    double y[4] = {0, -1, 3, 0}, out[2];
    REQUIRE(m && ah_system_create(m, NULL, &s) == AH_OK);
    ah_work *w = ah_work_create(s);
    CHECK(ah_system_start(s, NULL, out) == AH_E_REFUSED);
    /* 2 λ (x, y) = m (v²) towards the centre − gravity: at the bottom −2λ = m v² + m g */
    CHECK(ah_work_evaluate(w, AH_Q_MULTIPLIER, 0, y, out) == AH_OK);
    CHECK_NEAR(out[0], -(2 * 9 + 2 * 9.81) / 2, 20, 16, "the pull of the rod");
    CHECK(ah_work_evaluate(w, AH_Q_OUTPUT, 0, y, out) == AH_OK);
    CHECK_NEAR(out[0], -(2 * 9 + 2 * 9.81) / 2, 20, 16, "the same as an output");
    CHECK_NEAR(out[1], 3, 3, 4, "speed");
    CHECK_STR(ah_system_name(s, AH_Q_OUTPUT, 1), "speed");
    CHECK_STR(ah_system_name(s, AH_Q_RESIDUAL, 1), "rod'");
    y[1] = -2;
    CHECK(ah_work_evaluate(w, AH_Q_RESIDUAL, 0, y, out) == AH_OK && out[0] == 3 && out[1] == 0);
    ah_work_destroy(w);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
}

/* Where a motion begins and ends, when neither model nor options say it in numbers: x'' = −k x. */
TEST(spans_of_parameters)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = read_text(ctx,
                            "parameter k = 4\ncoordinate x\nkinetic x'^2/2\npotential k*x^2/2\n"
                            "simulate t = 1 .. 1 + 2/k\n",
                            NULL);
    ah_system *s = NULL;
    ah_motion *motion = NULL;
    static const double y[] = {1, 0}, sixteen[] = {16}, none[] = {0}, nowhere[] = {INFINITY};
    REQUIRE(m && ah_system_create(m, NULL, &s) == AH_OK);
    CHECK(ah_motion_create(s, NULL, &motion) == AH_E_INPUT); /* it has no start */
    ah_motion_options o = ah_motion_defaults();
    o.y = y;
    o.parameters = sixteen;
    CHECK(ah_motion_create(s, &o, &motion) == AH_OK && ah_motion_time(motion) == 1);
    while (!ah_motion_ended(motion) && ah_motion_step(motion) == AH_OK) {
    }
    double end[2];
    CHECK(ah_motion_time(motion) == 1 + 2. / 16);
    CHECK_INT(ah_motion_state(motion, end), AH_OK);
    CHECK_NEAR(end[0], cos(4 * 2. / 16), 1, 1e6,
               "x = cos(√k (t − 1)), by steps of relative error 1e-10");
    ah_motion_destroy(motion);
    o.parameters = none;
    CHECK(ah_motion_create(s, &o, &motion) == AH_E_INPUT); /* 2/0 is no end */
    o.parameters = nowhere;
    CHECK(ah_motion_create(s, &o, &motion) == AH_E_INPUT);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
}

/* Zero that is touched is told of, and does not stop; which way an event counts is known of those that there are. */
TEST(events_on_the_way)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = read_text(ctx,
                            "coordinate x\nkinetic x'^2/2\nstop \"touched\" when (x - 1)^2 = 0\n"
                            "record \"up\" when x = 2 rising\n"
                            "start x = 0, x' = 1\nsimulate t = 0 .. 3\n",
                            NULL);
    ah_system *s = NULL;
    ah_motion *motion = NULL;
    ah_event e;
    REQUIRE(m && ah_system_create(m, NULL, &s) == AH_OK &&
            ah_motion_create(s, NULL, &motion) == AH_OK);
    CHECK_INT(ah_motion_advance(motion, 3), AH_OK);
    CHECK(ah_motion_time(motion) == 3 && ah_motion_events(motion) == 2);
    CHECK(ah_motion_event(motion, 0, &e) == AH_OK && e.touched && !e.stop);
    CHECK_NEAR(e.t, 1, 1, 1e8, "a double root is known to the root of the rounding errors");
    CHECK(ah_motion_event(motion, 1, &e) == AH_OK && !e.touched && e.direction == 1);
    CHECK_NEAR(e.t, 2, 2, 1e6, "x = t");
    CHECK(ah_motion_event(motion, 2, &e) == AH_E_INPUT);
    CHECK(ah_system_event_direction(s, 0) == 0 && ah_system_event_direction(s, 1) == 1);
    CHECK(ah_system_event_direction(s, 2) == 0 && ah_system_event_direction(NULL, 0) == 0);
    ah_motion_destroy(motion);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
}

/* Each option makes a system of its own, all of one motion; what has no names is not found by one. */
TEST(options_make_systems_of_their_own)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = read_text(ctx,
                            "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x*y\n"
                            "constraint y' = x*x'\nstart x = 0.5, x' = 1, y = 0.2, y' = 0.5\n",
                            NULL);
    ah_system *s[5] = {NULL};
    ah_system_options o = ah_system_defaults();
    REQUIRE(m && ah_system_create(m, &o, &s[0]) == AH_OK);
    o.project = true;
    CHECK_INT(ah_system_create(m, &o, &s[1]), AH_OK);
    o.lasting = true;
    CHECK_INT(ah_system_create(m, &o, &s[2]), AH_OK);
    o.engine = "interpret";
    CHECK_INT(ah_system_create(m, &o, &s[3]), AH_OK);
    o.jacobians = true;
    CHECK_INT(ah_system_create(m, &o, &s[4]), AH_OK);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < i; j++) CHECK(s[i] != s[j]);
        CHECK_NEAR(sum_of_rates(s[i]), sum_of_rates(s[0]), 1, 64,
                   "the same rates by other formulas");
    }
    CHECK(ah_system_find(s[4], AH_Q_BY_STATE, "x") == -1);
    CHECK(ah_system_find(s[4], AH_Q_STATE, "y") == 1 &&
          ah_system_find(s[4], AH_Q_STATE, "z") == -1);
    CHECK(ah_system_find(s[4], AH_Q_STATE, NULL) == -1);
    for (int i = 0; i < 5; i++) ah_system_destroy(s[i]);
    ah_ctx_destroy(ctx);
}
