/* tests/t_hamel.c - Hamel's and Talamucci's equations against the reference numbers, which were
 * found by other routes in 40-digit arithmetic, and against the other methods. */
#include "harness.h"
#include "lang/lang.h"
#include "json_read.h"

#include "sheet/run.h"
#include "derive/quasi.h"

#include <anholo/lang.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Agreement with 25 digits in double precision, relative to the size of the vector. */
static const double tolerance = 1e-10;

/* ---- A system under test --------------------------------------------------------------------- */

typedef struct bench {
    const char *name;
    ah_ctx *ctx;
    ah_model *model;
    json_tree *reference;
    frame *values;
    const void *user; /* what a test passes to its body */
    size_t *tally;    /* states compared, by method */
} bench;

static char *path_of(const char *name, const char *ending)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/tests/reference/%s%s", harness_source_dir(), name, ending);
    return path;
}

/* The text without the statements (lines) that begin with one of these words. */
static void drop_lines(char *content, const char *const *words)
{
    char *to = content;
    for (char *line = content; *line;) {
        char *end = line + strcspn(line, "\n");
        const size_t length = (size_t) (end - line) + (*end == '\n');
        bool keep = true;
        for (size_t i = 0; words && words[i]; i++)
            keep = keep && strncmp(line, words[i], strlen(words[i])) != 0;
        if (keep) memmove(to, line, length), to += length;
        line += length;
    }
    *to = 0;
}

static bool open_text(bench *b, const char *name, const char *content)
{
    *b = (bench){.name = name, .ctx = ah_ctx_create(NULL)};
    lang_read(b->ctx, name, content, strlen(content), NULL, &b->model);
    return b->model != NULL;
}

static bool open_reference(bench *b, const char *name, const char *const *without)
{
    char *content = harness_read_file(path_of(name, ".ah"), NULL);
    if (!content) return false;
    drop_lines(content, without);
    const bool good = open_text(b, name, content);
    free(content);
    b->reference = json_tree_read(path_of(name, ".json"));
    return good && b->reference;
}

static void close_bench(bench *b)
{
    json_tree_free(b->reference);
    ah_ctx_destroy(b->ctx);
}

/* Derivations raise: every test of them runs under the guard of its context. */
typedef struct guarded {
    bench *b;
    void (*body)(bench *b);
} guarded;

static void call_guarded(ah_ctx *ctx, void *arg)
{
    guarded *g = arg;
    (void) ctx;
    g->body(g->b);
}

static void under_guard(bench *b, void (*body)(bench *b))
{
    guarded g = {b, body};
    if (ctx_guard(b->ctx, call_guarded, &g) != AH_OK) {
        printf("# %s: the work was given up\n", b->name);
        CHECK(false);
    }
}

static void put(bench *b, ah_expr symbol, double value)
{
    frame_set(b->values, symbol, value);
}

static double number(bench *b, ah_expr e)
{
    double x;
    expr_plan_run(expr_plan_create(b->ctx, &b->ctx->job, &e, 1), b->values, &x);
    return x;
}

static void begin_values(bench *b)
{
    b->values = frame_create(b->ctx, &b->ctx->job, 0);
    for (size_t i = 0; i < b->model->parameters.count; i++)
        put(b, b->model->parameters.at[i].symbol, number(b, b->model->parameters.at[i].value));
}

static void put_state(bench *b, const json_tree *state)
{
    put(b, expr_time(b->ctx), json_tree_number(json_tree_get(state, "t")));
    for (uint32_t i = 0; i < b->model->n; i++) {
        put(b, b->model->q.at[i], json_tree_number(json_tree_at(json_tree_get(state, "q"), i)));
        put(b, b->model->v.at[i], json_tree_number(json_tree_at(json_tree_get(state, "qdot"), i)));
    }
}

/* ---- A method prepared ----------------------------------------------------------------------- */

typedef struct prepared {
    bench *b;
    ah_equations *eq; /* NULL: refused */
    const char *why, *instead;
    runner *run;
} prepared;

static prepared prepare(bench *b, const char *method, const derive_options *options)
{
    prepared p = {.b = b};
    p.eq = derive_equations(b->model, derive_find(method), options, &p.why, &p.instead);
    if (!p.eq) return p;
    arena *a = &b->ctx->job;
    quantity *wanted = NEW_ARRAY(a, quantity, 4 + p.eq->extras.count);
    size_t count = 0;
    wanted[count++] = p.eq->qddot;
    wanted[count++] = p.eq->multipliers;
    wanted[count++] = p.eq->reaction;
    wanted[count++] = p.eq->speeds_dot;
    for (size_t i = 0; i < p.eq->extras.count; i++) wanted[count++] = p.eq->extras.at[i].value;
    p.run = run_create(b->ctx, a, p.eq->sheet, wanted, count);
    return p;
}

static bool run(prepared *p)
{
    run_failure failure;
    if (run_at(p->run, p->b->values, &failure)) return true;
    printf("# %s, %s: %s\n", p->b->name, p->eq->formalism->name, failure.what);
    return false;
}

static quantity extra(const prepared *p, const char *name)
{
    for (size_t i = 0; i < p->eq->extras.count; i++)
        if (!strcmp(p->eq->extras.at[i].name, name)) return p->eq->extras.at[i].value;
    return QUANTITY_NONE;
}

static double size_of(const double *x, uint32_t count)
{
    double size = 0;
    for (uint32_t i = 0; i < count; i++) size = fmax(size, fabs(x[i]));
    return size;
}

static double *numbers(bench *b, const json_tree *array)
{
    const size_t count = json_tree_count(array);
    double *x = NEW_ARRAY(&b->ctx->job, double, count + 1);
    for (size_t i = 0; i < count; i++) x[i] = json_tree_number(json_tree_at(array, i));
    return x;
}

/* Relative to the vector's size, or to `least` where that is larger. */
static void compare(const prepared *p, const char *what, quantity got, const double *want,
                    double least)
{
    if (got == QUANTITY_NONE) return;
    const uint32_t count = sheet_get(p->eq->sheet, got)->rows;
    const double *x = run_get(p->run, got), scale = fmax(size_of(want, count), least);
    char why[256];
    snprintf(why, sizeof why, "%s, %s: %s", p->b->name, p->eq->formalism->name, what);
    for (uint32_t i = 0; i < count; i++) CHECK_NEAR(x[i], want[i], scale, tolerance * 0x1p52, why);
}

/* The forces in the equations: what multipliers are measured by, since they may vanish. */
static double force_size(const prepared *p, const double *qddot)
{
    bench *b = p->b;
    mechanics *k = derive_mechanics(b->model);
    double size = 0;
    for (uint32_t i = 0; i < k->n; i++) {
        size = fmax(size, fabs(number(b, mat_get(b->ctx, k->L, i, 0))));
        for (uint32_t j = 0; j < k->n; j++)
            size = fmax(size, fabs(number(b, mat_get(b->ctx, mechanics_mass(k), i, j)) * qddot[j]));
    }
    return size;
}

/* ---- All reference systems ------------------------------------------------------------------- */

static const char *const methods[] = {"hamel", "hamel-nonlinear", "boltzmann-hamel"};
enum { METHODS = sizeof methods / sizeof *methods };

/* Second routes that a derivation carries along. */
static void compare_routes(const prepared *p, const double *qddot)
{
    for (size_t i = 0; i < p->eq->extras.count; i++)
        if (!strncmp(p->eq->extras.at[i].name, "qddot", 5))
            compare(p, p->eq->extras.at[i].name, p->eq->extras.at[i].value, qddot, 0);
    const quantity balance = extra(p, "energy_balance_18");
    if (balance == QUANTITY_NONE) return;
    const double *e = run_get(p->run, balance), scale = fmax(fabs(e[0]), force_size(p, qddot));
    CHECK_NEAR(e[0], e[1], scale, tolerance * 0x1p52, p->b->name);
}

/* The reference lists what is not zero: all other coefficients must vanish. */
static void compare_beta(const prepared *p, const json_tree *beta)
{
    const quantity table = extra(p, "beta");
    if (table == QUANTITY_NONE || !beta) return;
    const uint32_t n = p->b->model->n;
    const double *x = run_get(p->run, table);
    for (uint32_t m = 0; m < n; m++)
        for (uint32_t t = 0; t <= n; t++)
            for (uint32_t r = 0; r < n; r++) {
                char key[64], tau[16] = "t";
                if (t < n) snprintf(tau, sizeof tau, "%u", t + 1);
                snprintf(key, sizeof key, "%u^%s,%u", m + 1, tau, r + 1);
                const json_tree *want = json_tree_get(beta, key);
                CHECK_NEAR(x[(m * (n + 1) + t) * n + r], want ? json_tree_number(want) : 0, 1,
                           tolerance * 0x1p52, key);
            }
}

/* Automatic ω are velocities: their derivatives are accelerations, also where a local chart took
 * other velocities. */
static void compare_accelerations(const prepared *p, const double *qddot)
{
    bench *b = p->b;
    const double *x = run_get(p->run, p->eq->speeds_dot);
    for (uint32_t i = 0; i < p->eq->speeds.rows; i++)
        for (uint32_t j = 0; j < b->model->n; j++)
            if (mat_get(b->ctx, p->eq->speeds, i, 0) == b->model->v.at[j])
                CHECK_NEAR(x[i], qddot[j], size_of(qddot, b->model->n), tolerance * 0x1p52,
                           b->name);
}

static void compare_state(prepared *p, const json_tree *state, bool declared)
{
    bench *b = p->b;
    const double *qddot = numbers(b, json_tree_get(state, "qddot"));
    if (!run(p)) {
        CHECK(false);
        return;
    }
    const double force = force_size(p, qddot);
    compare(p, "qddot", p->eq->qddot, qddot, 0);
    compare_routes(p, qddot);
    if (json_tree_get(state, "multipliers"))
        compare(p, "multipliers", p->eq->multipliers,
                numbers(b, json_tree_get(state, "multipliers")), force);
    if (json_tree_get(state, "reaction"))
        compare(p, "reaction", p->eq->reaction, numbers(b, json_tree_get(state, "reaction")),
                force);
    if (!declared) {
        compare_accelerations(p, qddot);
        return;
    }
    const json_tree *omegadot = json_tree_get(state, "omegadot");
    const size_t given = json_tree_count(omegadot);
    double *want = NEW_ARRAY(&b->ctx->job, double, b->model->n);
    for (size_t i = 0; i < given; i++) want[i] = json_tree_number(json_tree_at(omegadot, i));
    if (given && strcmp(p->eq->formalism->name, "boltzmann-hamel"))
        compare(p, "omegadot", p->eq->speeds_dot, want, 0); /* zeros for the constraints */
    if (!strcmp(p->eq->formalism->name, "hamel")) {
        compare_beta(p, json_tree_get(state, "beta"));
        if (json_tree_get(state, "multipliers_of_constrained_w"))
            compare(p, "multipliers of ω", extra(p, "multipliers_of_constrained"),
                    numbers(b, json_tree_get(state, "multipliers_of_constrained_w")), force);
    }
    if (!strcmp(p->eq->formalism->name, "hamel-nonlinear") &&
        json_tree_get(state, "residual_of_constrained_w_equations"))
        compare(p, "multipliers of ω", extra(p, "multipliers_of_constrained"),
                numbers(b, json_tree_get(state, "residual_of_constrained_w_equations")), force);
    if (json_tree_get(state, "omegadot_by_printed_T17"))
        compare(p, "printed (17)", extra(p, "omegadot_by_printed_17"),
                numbers(b, json_tree_get(state, "omegadot_by_printed_T17")),
                size_of(want, b->model->n));
}

static void compare_system(bench *b)
{
    const bool declared = b->model->quasivelocities.count > 0;
    size_t *compared = b->tally;
    prepared p[METHODS];
    for (int i = 0; i < METHODS; i++) p[i] = prepare(b, methods[i], NULL);
    begin_values(b);
    const json_tree *states = json_tree_get(b->reference, "states");
    for (size_t s = 0; s < json_tree_count(states); s++) {
        const json_tree *state = json_tree_at(states, s);
        if (!json_tree_get(state, "qddot")) continue;
        put_state(b, state);
        for (int i = 0; i < METHODS; i++) {
            if (!p[i].eq) continue;
            compare_state(&p[i], state, declared);
            compared[i]++;
        }
    }
}

static void compare_all(const char *const *without, size_t *compared)
{
    DIR *folder = opendir(path_of("", ""));
    REQUIRE(folder != NULL);
    for (const struct dirent *e; (e = readdir(folder));) {
        const size_t length = strlen(e->d_name);
        if (length < 4 || strcmp(e->d_name + length - 3, ".ah")) continue;
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int) (length - 3), e->d_name);
        bench b;
        const bool open = open_reference(&b, name, without);
        b.tally = compared;
        if (open)
            under_guard(&b, compare_system);
        else
            CHECK_STR(name, "a system that can be read");
        close_bench(&b);
    }
    closedir(folder);
}

TEST(reference_states)
{
    size_t compared[METHODS] = {0};
    compare_all(NULL, compared);
    CHECK(compared[0] > 150 && compared[1] > 300 && compared[2] > 150);
}

/* Without `quasivelocity` the frames come from the constraints. */
TEST(reference_states_with_automatic_frames)
{
    size_t compared[METHODS] = {0};
    compare_all((const char *const[]){"quasivelocity", NULL}, compared);
    CHECK(compared[0] > 150 && compared[1] > 300 && compared[2] > 150);
}

/* The constraints without the parametric form: other charts, hence other frames. */
TEST(reference_states_without_velocity_parameters)
{
    size_t compared[METHODS] = {0};
    compare_all((const char *const[]){"quasivelocity", "velocity", NULL}, compared);
    CHECK(compared[0] > 150 && compared[1] > 300 && compared[2] > 150);
}

/* ---- What is wrong in print ------------------------------------------------------------------ */

static void printed_is_wrong(bench *b)
{
    prepared p = prepare(b, "boltzmann-hamel", NULL);
    REQUIRE(p.eq != NULL);
    begin_values(b);
    const json_tree *states = json_tree_get(b->reference, "states");
    double worst = 0;
    for (size_t s = 0; s < json_tree_count(states); s++) {
        put_state(b, json_tree_at(states, s));
        REQUIRE(run(&p));
        const double *printed = run_get(p.run, extra(&p, "omegadot_by_printed_17"));
        const double *want = numbers(b, json_tree_get(json_tree_at(states, s), "omegadot"));
        const uint32_t count = (uint32_t) b->model->quasivelocities.count;
        for (uint32_t i = 0; i < count; i++)
            worst = fmax(worst, fabs(printed[i] - want[i]) / size_of(want, count));
    }
    CHECK(worst > 0.1);
}

TEST(talamucci_17_as_printed_is_wrong)
{
    static const char *const systems[] = {"skate_pendulum", "chaplygin_sleigh",
                                          "affine_appell_hamel"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        bench b;
        REQUIRE(open_reference(&b, systems[i], NULL));
        under_guard(&b, printed_is_wrong);
        close_bench(&b);
    }
}

/* What T⁺ loses, or what it gives for ω', in closed form [H, 229, 238, 239, 243]. */
typedef struct loss {
    const char *system, *extra, *terms[3];
} loss;

static void compare_loss(bench *b)
{
    const loss *l = b->user;
    const derive_options options = {.compare_reduced = true};
    prepared p = prepare(b, "hamel", &options);
    REQUIRE(p.eq != NULL);
    ah_expr terms[3];
    for (int i = 0; i < 3; i++)
        REQUIRE(ah_read_expression(b->model, "test", l->terms[i], &terms[i]) == AH_OK);
    begin_values(b);
    const json_tree *states = json_tree_get(b->reference, "states");
    for (size_t s = 0; s < json_tree_count(states); s++) {
        put_state(b, json_tree_at(states, s));
        REQUIRE(run(&p));
        double want[3];
        for (int i = 0; i < 3; i++) want[i] = number(b, terms[i]);
        compare(&p, l->extra, extra(&p, l->extra), want, 0);
    }
}

static const loss losses[] = {
    {"tire_243",
     "reduced_lacks",
     {"m*r*cos(psi)*psi'*(x'*cos(theta) + y'*sin(theta))", "0", "-m*r*cos(psi)*theta'*psi'"}},
    {"cart_231",
     "reduced_lacks",
     {"-m_w*s*theta'^2", "m_w*s*theta'*(x'*cos(theta) + y'*sin(theta))", "0"}},
    {"blade_229", "omegadot_reduced", {"0", "(X*cos(theta) + Y*sin(theta))/m", "M/I_B"}},
};

TEST(reduced_energy_loses_the_terms_of_the_constraints)
{
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        bench b;
        REQUIRE(open_reference(&b, losses[i].system, NULL));
        b.user = &losses[i];
        under_guard(&b, compare_loss);
        close_bench(&b);
    }
}

/* ---- Orthonormal frames ---------------------------------------------------------------------- */

static void compare_orthonormal(bench *b)
{
    const derive_options options = {.orthonormal = true};
    prepared p[METHODS];
    mechanics *k = derive_mechanics(b->model);
    for (int i = 0; i < METHODS; i++) {
        p[i] = prepare(b, methods[i], &options);
        REQUIRE(p[i].eq != NULL);
    }
    const char *why;
    const quasi *w = quasi_frame(k, true, &why);
    CHECK_INT(w->origin, QUASI_ORTHONORMAL);
    const mat b0 = w->f_v;
    begin_values(b);
    const json_tree *states = json_tree_get(b->reference, "states");
    for (size_t s = 0; s < json_tree_count(states); s++) {
        put_state(b, json_tree_at(states, s));
        const double *qddot = numbers(b, json_tree_get(json_tree_at(states, s), "qddot"));
        for (int i = 0; i < METHODS; i++) {
            REQUIRE(run(&p[i]));
            compare(&p[i], "qddot", p[i].eq->qddot, qddot, 0);
            compare_routes(&p[i], qddot);
        }
        for (uint32_t i = 0; i < k->n; i++) /* b^T b = M */
            for (uint32_t j = 0; j < k->n; j++) {
                double sum = 0;
                for (uint32_t l = 0; l < k->n; l++)
                    sum +=
                        number(b, mat_get(b->ctx, b0, l, i)) * number(b, mat_get(b->ctx, b0, l, j));
                CHECK_NEAR(sum, number(b, mat_get(b->ctx, mechanics_mass(k), i, j)), 1, 1e4,
                           b->name);
            }
    }
}

TEST(orthonormal_frames_give_the_same_motion)
{
    static const char *const systems[] = {"rigid_body_moment_242", "blade_229",
                                          "chaplygin_sleigh",      "vertical_disc_generic",
                                          "holonomic_241",         "tire_243"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        bench b;
        REQUIRE(open_reference(&b, systems[i], NULL));
        under_guard(&b, compare_orthonormal);
        close_bench(&b);
    }
}

/* ---- Refusals -------------------------------------------------------------------------------- */

typedef struct refusal {
    const char *system, *method, *why, *instead;
} refusal;

static void check_refusal(bench *b)
{
    const refusal *r = b->user;
    const prepared p = prepare(b, r->method, NULL);
    CHECK(p.eq == NULL);
    if (!p.why || !strstr(p.why, r->why)) CHECK_STR(p.why, r->why);
    CHECK_STR(p.instead, r->instead);
}

TEST(refusals_say_why_and_what_instead)
{
    static const refusal refusals[] = {
        {"nonlinear_45deg_249", "hamel", "the constraint `c1` is not linear", "hamel-nonlinear"},
        {"nonlinear_45deg_249", "boltzmann-hamel", "`c1`", "hamel-nonlinear"},
        {"second_class_252_k_1", "hamel", "on the accelerations", "second-class"},
        {"second_class_252_k_1", "hamel-nonlinear", "on the accelerations", "second-class"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        bench b;
        REQUIRE(open_reference(&b, refusals[i].system, NULL));
        b.user = &refusals[i];
        under_guard(&b, check_refusal);
        close_bench(&b);
    }
    static const char content[] = "coordinate x, y\nkinetic x'^2 + 2*y'^2\n"
                                  "quasivelocity u = x'*sqrt(1 + x'^2), w = y'\n";
    static const refusal own = {"text", "hamel", "the quasi-velocity `u` is not linear",
                                "hamel-nonlinear"};
    bench b;
    REQUIRE(open_text(&b, "text", content));
    b.user = &own;
    under_guard(&b, check_refusal);
    close_bench(&b);
}

/* ---- Other systems, against the multipliers -------------------------------------------------- */

typedef struct own_system {
    const char *name, *text;
    double q[3], v[3]; /* an admissible state at t = 0.3 */
    double z[2];       /* of a velocity form */
    bool linear;       /* all three methods apply, not the non-linear one alone */
} own_system;

static void compare_with_multipliers(bench *b)
{
    const own_system *own = b->user;
    prepared p[METHODS], referee = prepare(b, "multipliers", NULL);
    for (int i = 0; i < METHODS; i++) p[i] = prepare(b, methods[i], NULL);
    begin_values(b);
    put(b, expr_time(b->ctx), 0.3);
    for (uint32_t i = 0; i < b->model->n; i++) {
        put(b, b->model->q.at[i], own->q[i]);
        put(b, b->model->v.at[i], own->v[i]);
    }
    for (size_t i = 0; i < b->model->speeds.count; i++)
        put(b, b->model->speeds.at[i].symbol, own->z[i]);
    REQUIRE(run(&referee));
    const double *want = run_get(referee.run, referee.eq->qddot);
    for (int i = 0; i < METHODS; i++) {
        CHECK((p[i].eq != NULL) == (own->linear || i == 1));
        if (!p[i].eq) continue;
        REQUIRE(run(&p[i]));
        compare(&p[i], "qddot", p[i].eq->qddot, want, 0);
        compare_routes(&p[i], want);
        if (p[i].eq->reaction != QUANTITY_NONE)
            compare(&p[i], "reaction", p[i].eq->reaction,
                    run_get(referee.run, referee.eq->reaction), 1);
    }
}

TEST(holonomic_redundant_and_implied_constraints)
{
    static const own_system systems[] = {
        {"pendulum with a rod",
         "parameter m = 1.5, g = 9.81\ncoordinate x, y, s\n"
         "kinetic m/2*(x'^2 + y'^2) + s'^2/2*(1 + x^2)\npotential m*g*y + s*x\n"
         "constraint rod: x^2 + y^2 = 1\nconstraint blade: s' = x*y' + t*x' + t\n",
         {0.6, -0.8, 0.2},
         {0.4, 0.3, 0.6 * 0.3 + 0.3 * 0.4 + 0.3},
         {0},
         true},
        {"redundant",
         "coordinate x, y, z\nkinetic x'^2 + 3/2*y'^2 + z'^2*(1 + y^2)\nforce x = y - x'\n"
         "constraint a: x' - y*z' = 0\nconstraint b: 2*x' - 2*y*z' = 0\n",
         {0.3, 0.7, -0.2},
         {0.7 * 0.5, -0.4, 0.5},
         {0},
         true},
        {"velocity form alone",
         "parameter m = 2, J = 0.3\ncoordinate x, y, theta\n"
         "kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\nforce x = y - x'\n"
         "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n",
         {0.3, 0.7, 0.0},
         {1.3, 0.0, 0.6},
         {1.3, 0.6},
         true},
        {"nothing is free",
         "coordinate x, y\nkinetic x'^2 + y'^2\n"
         "constraint a: x' = y\nconstraint b: y' = t*x\n",
         {0.4, 0.5},
         {0.5, 0.12},
         {0},
         true},
        {"energy of fourth degree",
         "coordinate x, y\nkinetic x'^2 + x'^4/5 + y'^2*(1 + x^2)/2 + x'*y'*y/3\nforce y = x\n"
         "constraint c: x'*y' = 1/5 + t*x\n",
         {0.4, 0.5},
         {0.8, 0.4},
         {0},
         false},
    };
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        bench b;
        const bool open = open_text(&b, systems[i].name, systems[i].text);
        b.user = &systems[i];
        if (open)
            under_guard(&b, compare_with_multipliers);
        else
            CHECK_STR(systems[i].name, "a system that can be read");
        close_bench(&b);
    }
}
