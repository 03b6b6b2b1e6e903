/* t_stability.c - steady motions and their stability against published numbers: Hamel's tire (244),
 * the Whipple bicycle, closed forms. */
#include "harness/harness.h"
#include "harness/written.h"
#include "lang/lang.h"
#include "harness/json_read.h"

#include <anholo/anholo.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct session {
    ah_ctx *ctx;
    ah_model *model;
    ah_status status;
    json_tree *answer; /* NULL: there is none */
} session;

static session open_text(const char *name, const char *model, size_t length)
{
    session s = {.ctx = ah_ctx_create(NULL)};
    CHECK_INT(lang_read(s.ctx, name, model, length, NULL, &s.model), AH_OK);
    return s;
}

static session open_model(const char *name)
{
    char path[1024];
    size_t length;
    snprintf(path, sizeof path, "%s/models/%s", harness_source_dir(), name);
    char *model = harness_read_file(path, &length);
    session s = open_text(name, model ? model : "", model ? length : 0);
    free(model);
    return s;
}

static void ask(session *s, const char *at, const char *sweep, const char *critical)
{
    const char *out = NULL;
    ah_stability_options o = ah_stability_defaults();
    o.at = at;
    o.sweep = sweep;
    o.critical = critical;
    json_tree_free(s->answer);
    s->answer = NULL;
    if (!s->model) return;
    ah_answer *a = NULL;
    s->status = written(ah_stability(s->model, &o, &a), &a, AH_JSON, &out);
    if (out) s->answer = json_tree_parse(out);
}

static void end(session *s)
{
    json_tree_free(s->answer);
    ah_ctx_destroy(s->ctx);
}

static double at2(const json_tree *t, size_t i, size_t j)
{
    return json_tree_number(json_tree_at(json_tree_at(t, i), j));
}

/* Eigenvalues in any order: each of `want` is there. */
static void check_spectrum(const json_tree *got, const json_tree *want, double ulps)
{
    CHECK_INT(json_tree_count(got), json_tree_count(want));
    for (size_t i = 0; i < json_tree_count(want); i++) {
        double best = INFINITY;
        for (size_t j = 0; j < json_tree_count(got); j++)
            best = fmin(best,
                        hypot(at2(got, j, 0) - at2(want, i, 0), at2(got, j, 1) - at2(want, i, 1)));
        CHECK_NEAR(best, 0, 1 + hypot(at2(want, i, 0), at2(want, i, 1)), ulps, "eigenvalue");
    }
}

static const json_tree *get2(const session *s, const char *a, const char *b)
{
    return json_tree_get(json_tree_get(s->answer, a), b);
}

/* ---- What moves ------------------------------------------------------------------------------ */

/* A sleigh and a flywheel on a spring, in velocity parameters and in velocities: with v = 1 it moves, with v = 0 it rests. */
#define SLEIGH                                                                                     \
    "coordinate x, y, theta, phi\nkinetic x'^2 + y'^2 + theta'^2 + phi'^2\n"                       \
    "potential (phi - theta)^2\n"
#define BLADE    "constraint x'*sin(theta) = y'*cos(theta)\n"
#define CHART    "velocity v, w, u: x' = v*cos(theta), y' = v*sin(theta), theta' = w, phi' = u\n"
#define AT_START "start x = 0, y = 0, theta = 0, phi = 0, "

static void check_moving(const char *model, double speed)
{
    session s = open_text("sleigh", model, strlen(model));
    ask(&s, NULL, NULL, NULL);
    CHECK_INT(s.status, AH_OK);
    const json_tree *rests = json_tree_get(s.answer, "equilibrium");
    CHECK(rests && rests->kind == (speed == 0 ? JSON_TRUE : JSON_FALSE));
    CHECK_NEAR(json_tree_number(get2(&s, "state", "x'")), speed, 1, 8, "x' = v cos theta");
    end(&s);
}

TEST(a_chart_moves_as_velocities_do)
{
    check_moving(SLEIGH CHART AT_START "v = 1, w = 0, u = 0\n", 1);
    check_moving(SLEIGH CHART AT_START "v = 0, w = 0, u = 0\n", 0);
    check_moving(SLEIGH BLADE AT_START "x' = 1, y' = 0, theta' = 0, phi' = 0\n", 1);
    check_moving(SLEIGH BLADE AT_START "x' = 0, y' = 0, theta' = 0, phi' = 0\n", 0);
}

/* ---- Minimal variables that fail at some of the motions -------------------------------------- */

#define CIRCLE "coordinate x, z\nkinetic (x'^2 + z'^2)/2\nconstraint rod: x^2 + z^2 = 1\n"

/* The families of `model`; `verdict` says which is wanted where the coordinate has the value, whatever variables it is told in. */
static void check_verdict_at(const json_tree *families, const char *name, double value,
                             const char *verdict)
{
    size_t found = 0;
    for (const json_tree *f = families ? families->first : NULL; f; f = f->next) {
        const double x = json_tree_number(json_tree_get(json_tree_get(f, "state"), name));
        if (!(fabs(x - value) < 1e-6)) continue;
        found++;
        CHECK_STR(json_tree_get(f, "verdict")->text, verdict);
    }
    CHECK_INT(found, 1);
}

static json_tree *steady_of(const char *model)
{
    session s = open_text("circle", model, strlen(model));
    const char *out = NULL;
    ah_answer *a = NULL;
    CHECK_INT(written(ah_steady(s.model, NULL, &a), &a, AH_JSON, &out), AH_OK);
    json_tree *answer = out ? json_tree_parse(out) : NULL;
    end(&s);
    return answer;
}

/* Started at x = 1 a pendulum on the circle x² + z² = 1 has z as its variable, which fails where it rests: λ² = −g z/l there, by x. */
TEST(where_variables_fail_others_take_their_place)
{
    json_tree *a = steady_of(CIRCLE "potential 9.81*z\nstart x = 1, z = 0\n");
    const json_tree *families = json_tree_get(a, "families");
    CHECK_INT(json_tree_count(families), 2);
    check_verdict_at(families, "z", 1, "unstable");
    check_verdict_at(families, "z", -1, "spectrally stable");
    json_tree_free(a);
    /* V = z²: hills at z = ±1, valleys at x = ±1; no one variable is good at all four. */
    a = steady_of(CIRCLE "potential z^2\nstart x = 0, z = 1\n");
    families = json_tree_get(a, "families");
    CHECK_INT(json_tree_count(families), 4);
    check_verdict_at(families, "z", 1, "unstable");
    check_verdict_at(families, "z", -1, "unstable");
    check_verdict_at(families, "x", 1, "spectrally stable");
    check_verdict_at(families, "x", -1, "spectrally stable");
    json_tree_free(a);
}

/* A body that hangs by a point stands or hangs, each for all turns about the vertical: e and −e are one attitude, and e₀ passes through 0. */
TEST(attitudes_are_told_once)
{
    json_tree *a = steady_of("body B mass 1 inertia (0.2, 0.3, 0.1) at (0, 0, 0) turn free e\n"
                             "potential 1 - 2*e1^2 - 2*e2^2\nstart e turn x 3 turning (0, 0, 0)\n");
    const json_tree *families = json_tree_get(a, "families");
    CHECK_INT(json_tree_count(families), 2);
    for (const json_tree *f = families ? families->first : NULL; f; f = f->next) {
        const json_tree *state = json_tree_get(f, "state");
        const double e1 = json_tree_number(json_tree_get(state, "e1")),
                     e2 = json_tree_number(json_tree_get(state, "e2"));
        const bool hangs = hypot(e1, e2) > 0.5;
        CHECK_NEAR(hypot(e1, e2), hangs ? 1 : 0, 1, 1e8, "the vertical axis");
        CHECK_STR(json_tree_get(f, "verdict")->text, hangs ? "spectrally stable" : "unstable");
    }
    json_tree_free(a);
}

/* Nothing is said of the attitude: it is that of the axes, which is no singular state. */
TEST(an_attitude_has_a_start)
{
    json_tree *a = steady_of("body B mass 1 inertia (0.2, 0.3, 0.1) at (0, 0, 0) turn free e\n"
                             "potential 1 - 2*e1^2 - 2*e2^2\n");
    CHECK(json_tree_count(json_tree_get(a, "families")) >= 1);
    json_tree_free(a);
}

/* ---- The tire -------------------------------------------------------------------------------- */

TEST(tire_of_hamel)
{
    char path[1024], at[80];
    snprintf(path, sizeof path, "%s/tests/reference/tire_243.json", harness_source_dir());
    json_tree *reference = json_tree_read(path);
    const json_tree *stability = json_tree_get(reference, "stability");
    const json_tree *cases = json_tree_get(stability, "cases");
    session s = open_model("tire.ah");
    CHECK_INT(json_tree_count(cases), 3);
    for (const json_tree *c = cases ? cases->first : NULL; c; c = c->next) {
        snprintf(at, sizeof at, "psi=0, w3=0, w5=%s", json_tree_get(c, "V")->text);
        ask(&s, at, NULL, NULL);
        if (!CHECK(s.answer != NULL)) continue;
        const bool critical = !strcmp(json_tree_get(c, "case")->text, "at");
        const json_tree *want = json_tree_get(c, "jacobian_reduced_psi_w3_w4_w5");
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++)
                CHECK_NEAR(at2(json_tree_get(s.answer, "jacobian"), i, j), at2(want, i, j), 12, 20,
                           "Jacobian");
        check_spectrum(json_tree_get(s.answer, "eigenvalues"),
                       json_tree_get(c, "eigenvalues_reduced"), critical ? 1e9 : 100);
        CHECK_INT(json_tree_count(json_tree_get(s.answer, "ignorable")), 4);
        CHECK_INT(json_tree_number(get2(&s, "family", "dimension")), critical ? 2 : 2);
    }
    ask(&s, "psi=0, w3=0, w5=3", NULL, "w5=0.1..3");
    const json_tree *values = get2(&s, "critical", "values");
    CHECK_INT(json_tree_count(values), 1);
    const double V = json_tree_number(json_tree_get(stability, "critical_speed"));
    CHECK_NEAR(json_tree_number(json_tree_get(json_tree_at(values, 0), "value")), V, V, 50,
               "critical speed");

    /* V² = A m g r³ / (C (C + m r²)), as an expression */
    const json_tree *limit = json_tree_at(get2(&s, "symbolic", "boundaries"), 0);
    CHECK_STR(json_tree_get(limit, "symbol") ? json_tree_get(limit, "symbol")->text : "", "w5");
    ah_expr square, hamel;
    REQUIRE(json_tree_get(limit, "square"));
    CHECK_INT(ah_read_expression(s.model, "test", json_tree_get(limit, "square")->text, &square),
              AH_OK);
    CHECK_INT(ah_read_expression(s.model, "test", "A*m*g*r^3/(C*(C + m*r^2))", &hamel), AH_OK);
    const char *const names[] = {"m", "r", "A", "C", "g"};
    for (int k = 0; k < 5; k++) {
        ah_expr symbol[5];
        double value[5];
        for (int i = 0; i < 5; i++) {
            symbol[i] = ah_symbol(s.ctx, AH_PARAMETER, names[i]);
            value[i] = harness_uniform(0.2, 3);
        }
        const double want = ah_evaluate(s.ctx, hamel, 5, symbol, value);
        CHECK_NEAR(ah_evaluate(s.ctx, square, 5, symbol, value), want, want, 20, "Hamel 244");
    }
    end(&s);
    json_tree_free(reference);
}

/* ---- The bicycle ----------------------------------------------------------------------------- */

TEST(bicycle_benchmark)
{
    session s = open_model("bicycle.ah");
    ask(&s, "x'=5", NULL, "x'=1..10:91");
    REQUIRE(s.answer != NULL);
    json_tree *want =
        json_tree_parse("[[-14.0783896927982,0],[-0.775341882195842,4.464867713788225],"
                        "[-0.775341882195842,-4.464867713788225],"
                        "[-0.322866429004087,0],[0,0]]");
    check_spectrum(json_tree_get(s.answer, "eigenvalues"), want, 1e3); /* 13 digits */
    json_tree_free(want);
    CHECK_INT(json_tree_number(json_tree_get(s.answer, "zeros")), 1);
    CHECK_INT(json_tree_number(get2(&s, "family", "dimension")), 1);
    CHECK_STR(json_tree_get(s.answer, "verdict")->text, "attracting");
    const json_tree *values = get2(&s, "critical", "values");
    CHECK_INT(json_tree_count(values), 2);
    CHECK_NEAR(json_tree_number(json_tree_get(json_tree_at(values, 0), "value")), 4.29238253634111,
               4.3, 1e3, "weave speed");
    CHECK_NEAR(json_tree_number(json_tree_get(json_tree_at(values, 1), "value")), 6.02426201538836,
               6, 1e3, "capsize speed");
    end(&s);
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

/* V = k x − x³/3: x = −√k for k > 0 and none below, however the search came there: λ² + λ + 2√k. */
TEST(where_there_is_no_steady_motion)
{
    static const char model[] = "parameter k = 1\ncoordinate x\nkinetic x'^2/2\n"
                                "potential k*x - x^3/3\nforce x = -x'\nstart x = -1\n";
    session s = open_text("fold", model, sizeof model - 1);
    ask(&s, NULL, "k=-1..1:9", "k=-1..1:9");
    REQUIRE(s.answer != NULL);
    const json_tree *rows = get2(&s, "sweep", "rows");
    CHECK_INT(json_tree_count(rows), 9);
    for (size_t i = 0; i < 9; i++) {
        const double k = -1 + (double) i / 4;
        const json_tree *row = json_tree_get(json_tree_at(rows, i), "eigenvalues");
        if (k < 0) CHECK(json_tree_count(row) == 0);
        if (k <= 0) continue;
        const json_tree *first = json_tree_at(row, 0);
        const double square = 1 - 8 * sqrt(k), im = square < 0 ? sqrt(-square) / 2 : 0;
        CHECK_NEAR(json_tree_number(json_tree_at(first, 0)), -0.5, 1, 1e4, "real part");
        CHECK_NEAR(fabs(json_tree_number(json_tree_at(first, 1))), im, 1, 1e4, "imaginary part");
    }
    CHECK_INT(json_tree_count(get2(&s, "critical", "values")), 0);
    CHECK_INT(json_tree_number(get2(&s, "critical", "not_found")), 4);
    end(&s);
}

static uint32_t unstable_in(const json_tree *row)
{
    return (uint32_t) json_tree_number(json_tree_get(row, "unstable"));
}

/* Steps that are far longer than the branches are apart stay on theirs: x = k between x = k − 1 and x = k + 1, sin k below
 * sin k + π, √k, −2 … 2 through a crossing of two lines. */
TEST(coarse_sweeps_stay_on_their_branch)
{
    static const struct {
        const char *force, *k, *start, *sweep;
        size_t rows;
        uint32_t first, last;
    } cases[] = {
        {"-(x - k)*(x - k - 1)*(x - k + 1)", "0", "0", "k=0..10:2", 2, 1, 1},
        {"-(x - k)*(x - k - 1)*(x - k + 1)", "0", "0", "k=0..10:6", 6, 1, 1},
        {"-(x - k)*(x - k - 1)*(x - k + 1)", "0", "1", "k=0..10:2", 2, 0, 0},
        {"-sin(x - k)", "0", "0", "k=0..3:2", 2, 0, 0},
        {"-sin(x - sin(k))", "0", "0", "k=0..3.14159265:2", 2, 0, 0},
        {"k - x^2", "1", "1", "k=1..10000:2", 2, 0, 0},
        {"(k + 3)*x - x^2", "0", "0", "k=-5..2:8", 8, 0, 1},
        {"x*(k - x)", "1", "1", "k=-2..2:5", 5, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char model[400];
        snprintf(model, sizeof model,
                 "parameter k = %s\ncoordinate x\nkinetic x'^2/2\nforce x = %s - x'\n"
                 "start x = %s\n",
                 cases[i].k, cases[i].force, cases[i].start);
        session s = open_text("branch", model, strlen(model));
        ask(&s, NULL, cases[i].sweep, NULL);
        REQUIRE(s.answer != NULL);
        const json_tree *rows = get2(&s, "sweep", "rows");
        CHECK_INT(json_tree_count(rows), cases[i].rows);
        for (size_t k = 0; k < cases[i].rows; k++)
            CHECK_INT(json_tree_count(json_tree_get(json_tree_at(rows, k), "eigenvalues")), 2);
        CHECK_INT(unstable_in(json_tree_at(rows, 0)), cases[i].first);
        CHECK_INT(unstable_in(json_tree_at(rows, cases[i].rows - 1)), cases[i].last);
        end(&s);
    }
}

/* One of the values looked at: x'' = x (k − x) − x' about x = 0 has λ² + λ − k. */
TEST(critical_value_on_the_way)
{
    static const char model[] = "parameter k = -2\ncoordinate x\nkinetic x'^2/2\n"
                                "force x = x*(k - x) - x'\nstart x = 0\n";
    session s = open_text("zero", model, sizeof model - 1);
    ask(&s, NULL, NULL, "k=-2..2:201");
    REQUIRE(s.answer != NULL);
    const json_tree *values = get2(&s, "critical", "values"), *at = json_tree_at(values, 0);
    CHECK_INT(json_tree_count(values), 1);
    CHECK_NEAR(json_tree_number(json_tree_get(at, "value")), 0, 1, 100, "k = 0");
    CHECK(json_tree_get(at, "sharp")->kind == JSON_TRUE);
    end(&s);
}

/* x² − Ω²: two imaginary eigenvalues meet at zero and part along the real line; what crosses there has no frequency. */
TEST(zero_has_no_frequency)
{
    static const char model[] = "parameter Om = 2\ncoordinate x\nkinetic x'^2/2\n"
                                "potential (9.81 - Om^2)*x^2/2 + x^4\nstart x = 0\n";
    session s = open_text("hoop", model, sizeof model - 1);
    ask(&s, NULL, NULL, "Om=1..10");
    REQUIRE(s.answer != NULL);
    const json_tree *at = json_tree_at(get2(&s, "critical", "values"), 0);
    CHECK_NEAR(json_tree_number(json_tree_get(at, "value")), sqrt(9.81), 3, 100, "√9.81");
    CHECK(json_tree_number(json_tree_get(at, "frequency")) == 0);
    end(&s);
}

/* The place of a skidding point is ignorable: its motion is the same at all of them. */
TEST(sweep_of_an_ignorable_coordinate)
{
    static const char model[] = "coordinate x\nkinetic x'^2/2\nforce x = -x'\nstart x = 0\n";
    session s = open_text("skid", model, sizeof model - 1);
    ask(&s, NULL, "x=0..10:3", NULL);
    REQUIRE(s.answer != NULL);
    const json_tree *rows = get2(&s, "sweep", "rows");
    for (size_t i = 0; i < 3; i++)
        CHECK_INT(json_tree_count(json_tree_get(json_tree_at(rows, i), "eigenvalues")), 1);
    end(&s);
}

/* Two pairs cross together: no measure changes its sign, their number does. x'' = −x + (k − 1) x', twice. */
TEST(two_pairs_at_once)
{
    static const char model[] = "parameter k = 0\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                                "potential (x^2 + y^2)/2\nforce x = (k - 1)*x', y = (k - 1)*y'\n"
                                "start x = 0, y = 0, x' = 0, y' = 0\n";
    session s = open_text("pairs", model, sizeof model - 1);
    ask(&s, NULL, "k=0.5..0.5:1", "k=0..2.5:11");
    REQUIRE(s.answer != NULL);
    const json_tree *values = get2(&s, "critical", "values"), *at = json_tree_at(values, 0);
    CHECK_INT(json_tree_count(values), 1);
    CHECK_NEAR(json_tree_number(json_tree_get(at, "value")), 1, 1, 1e-8 / 2.2e-16, "k = 1");
    CHECK_INT(json_tree_number(json_tree_get(at, "unstable_below")), 0);
    CHECK_INT(json_tree_number(json_tree_get(at, "unstable_above")), 4);
    CHECK(json_tree_get(at, "sharp")->kind == JSON_FALSE);
    CHECK_INT(json_tree_number(get2(&s, "critical", "not_found")), 0);
    CHECK_INT(json_tree_count(get2(&s, "sweep", "rows")), 1);
    end(&s);
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

/* x'' = −(k/m) x − (c/m) x' about mg/k: λ² + (c/m) λ + k/m. */
TEST(spring_with_damping)
{
    static const char model[] = "parameter m = 2, k = 3, c = 0.5, g = 9.81\nassume m > 0\n"
                                "coordinate x\nkinetic 1/2*m*x'^2\npotential 1/2*k*x^2 - m*g*x\n"
                                "force x = -c*x'\nstart x = 1, x' = 0.3\n";
    session s = open_text("spring", model, strlen(model));
    ask(&s, NULL, "c=0..2:3", NULL);
    REQUIRE(s.answer != NULL);
    CHECK_NEAR(json_tree_number(get2(&s, "state", "x")), 2 * 9.81 / 3, 6, 10, "mg/k");
    const json_tree *lambda = json_tree_at(json_tree_get(s.answer, "eigenvalues"), 0);
    CHECK_NEAR(json_tree_number(json_tree_at(lambda, 0)), -0.125, 1, 10, "real part");
    CHECK_NEAR(fabs(json_tree_number(json_tree_at(lambda, 1))), sqrt(1.5 - 0.125 * 0.125), 1, 10,
               "imaginary part");
    CHECK_STR(json_tree_get(s.answer, "verdict")->text, "attracting");
    CHECK(json_tree_get(s.answer, "equilibrium")->kind == JSON_TRUE);
    CHECK_INT(json_tree_count(get2(&s, "symbolic", "coefficients")), 3);
    CHECK_STR(json_tree_at(get2(&s, "symbolic", "coefficients"), 1)->text, "c/m");
    CHECK_STR(json_tree_at(get2(&s, "symbolic", "coefficients"), 2)->text, "k/m");
    const json_tree *rows = get2(&s, "sweep", "rows");
    CHECK_INT(json_tree_count(rows), 3);
    for (int i = 0; i < 3; i++) {
        const json_tree *l =
            json_tree_at(json_tree_get(json_tree_at(rows, (size_t) i), "eigenvalues"), 0);
        CHECK_NEAR(json_tree_number(json_tree_at(l, 0)), -0.25 * i, 1, 10, "swept real part");
    }
    end(&s);
}

/* The pendulum on top: λ² = g/l, and the bead on a rotating hoop, stable at the bottom up to
 * ω² = g/R. */
TEST(pendulum_and_hoop)
{
    static const char pendulum[] = "parameter l = 0.7, g = 9.81\ncoordinate q\n"
                                   "kinetic 1/2*l^2*q'^2\npotential -g*l*cos(q)\n";
    session s = open_text("pendulum", pendulum, strlen(pendulum));
    ask(&s, "q=pi", NULL, NULL);
    REQUIRE(s.answer != NULL);
    CHECK_NEAR(at2(json_tree_get(s.answer, "eigenvalues"), 0, 0), sqrt(9.81 / 0.7), 4, 10, "top");
    CHECK_STR(json_tree_get(s.answer, "verdict")->text, "unstable");
    CHECK_STR(json_tree_at(get2(&s, "symbolic", "coefficients"), 2)->text, "-g/l");
    end(&s);
    static const char hoop[] = "parameter R = 0.4, g = 9.81, W = 1\ncoordinate q\n"
                               "kinetic 1/2*R^2*(q'^2 + W^2*sin(q)^2)\npotential -g*R*cos(q)\n";
    s = open_text("hoop", hoop, strlen(hoop));
    ask(&s, "q=0", NULL, "W=1..9");
    const json_tree *values = get2(&s, "critical", "values");
    CHECK_INT(json_tree_count(values), 1);
    CHECK_NEAR(json_tree_number(json_tree_get(json_tree_at(values, 0), "value")), sqrt(9.81 / 0.4),
               5, 20, "W² = g/R");
    end(&s);
}

/* Two pairs meet: ω1² = a with gyroscopic coupling, x'' = G y' + x, y'' = −G x' + y is stable for
 * G² > 4. */
TEST(gyroscopic_stabilisation)
{
    static const char model[] = "parameter G = 3\ncoordinate x, y\nkinetic 1/2*(x'^2 + y'^2)\n"
                                "potential -1/2*(x^2 + y^2)\nforce x = G*y'\nforce y = -G*x'\n";
    session s = open_text("gyro", model, strlen(model));
    ask(&s, "x=0, y=0", NULL, "G=1..4");
    REQUIRE(s.answer != NULL);
    CHECK_STR(json_tree_get(s.answer, "verdict")->text, "spectrally stable");
    const json_tree *values = get2(&s, "critical", "values");
    CHECK_INT(json_tree_count(values), 1);
    CHECK_NEAR(json_tree_number(json_tree_get(json_tree_at(values, 0), "value")), 2, 2, 1e5,
               "G = 2");
    end(&s);
}

/* The conical motion, ph'^2 = g/(l cos th), swings with g (1 + 3 cos² th)/(l cos th); coordinates
 * that the constraint determines follow with symbols, too. */
TEST(spherical_pendulum)
{
    static const char model[] = "parameter l = 0.8, g = 9.81\nassume l > 0, g > 0\n"
                                "coordinate th, ph\nassume sin(th) > 0.05\n"
                                "kinetic l^2*(th'^2 + sin(th)^2*ph'^2)/2\n"
                                "potential -g*l*cos(th)\n";
    session s = open_text("conical", model, strlen(model));
    ask(&s, "ph'=-5", NULL, NULL); /* without a start, where th = 0 would be singular */
    REQUIRE(s.answer != NULL);
    const double c = 9.81 / (0.8 * 25);
    CHECK_NEAR(json_tree_number(get2(&s, "state", "th")), acos(c), 1, 50, "cos th = g/(l ph'^2)");
    CHECK_NEAR(at2(json_tree_get(s.answer, "eigenvalues"), 0, 1),
               sqrt(9.81 * (1 + 3 * c * c) / (0.8 * c)), 5, 50, "frequency");
    CHECK_STR(json_tree_at(get2(&s, "symbolic", "coefficients"), 2)->text,
              "g*(3*cos(th)^2 + 1)/(l*cos(th))");
    CHECK_INT(json_tree_number(get2(&s, "family", "dimension")), 1);
    end(&s);
    static const char cartesian[] = "parameter l = 0.8, g = 9.81\nassume l > 0, g > 0\n"
                                    "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                                    "potential g*z\nconstraint x^2 + y^2 + z^2 = l^2\n"
                                    "start x = 0.1, y = 0, z = -0.7\n";
    s = open_text("sphere", cartesian, strlen(cartesian));
    ask(&s, NULL, NULL, NULL);
    REQUIRE(s.answer != NULL);
    CHECK_STR(json_tree_at(get2(&s, "symbolic", "coefficients"), 2)->text, "2*g/l");
    CHECK_STR(json_tree_at(get2(&s, "symbolic", "coefficients"), 4)->text, "g^2/l^2");
    CHECK_INT(json_tree_count(get2(&s, "symbolic", "conditions")), 0); /* the double root is one */
    end(&s);
}

/* Upright the top sleeps where C² w² > 4 A P. */
TEST(sleeping_top)
{
    static const char model[] =
        "parameter A = 2, C = 1.5, P = 3\nassume A > 0, C > 0, P > 0\ncoordinate a, b, c\n"
        "let n = c' + b'*sin(a)\nkinetic 1/2*A*(a'^2 + b'^2*cos(a)^2) + 1/2*C*n^2\n"
        "potential P*cos(a)*cos(b)\nquasivelocity u = a', v = b', w = n\n";
    session s = open_text("top", model, strlen(model));
    ask(&s, "a=0, b=0, u=0, v=0, w=4", NULL, "w=1..6");
    REQUIRE(s.answer != NULL);
    const json_tree *values = get2(&s, "critical", "values");
    CHECK_INT(json_tree_count(values), 1);
    CHECK_NEAR(json_tree_number(json_tree_get(json_tree_at(values, 0), "value")), sqrt(24) / 1.5, 3,
               1e4, "C² w² = 4 A P");
    const json_tree *limits = get2(&s, "symbolic", "boundaries");
    CHECK_INT(json_tree_count(limits), 1); /* not the one where a coefficient alone changes sign */
    CHECK_STR(json_tree_get(json_tree_at(limits, 0), "square")->text, "4*A*P/C^2");
    end(&s);
}

/* A hanging chain by angles and by places: the same frequencies. Here the velocities that are
 * dependent in general are free, and the others are too many to be tried one after the other. */
TEST(chain_in_two_descriptions)
{
    static const char angles[] =
        "parameter n = 10, l = 0.1\ncoordinate a[1..n]\nfor i = 1 .. n:\n"
        "    point P[i] mass 1 at (sum(k = 1 .. i, l*sin(a[k])), -sum(k = 1 .. i, l*cos(a[k])))\n"
        "gravity (0, -9.81)\n";
    static const char places[] =
        "parameter n = 10, l = 0.1\ncoordinate x[1..n], y[1..n]\nfor i = 1 .. n:\n"
        "    point P[i] mass 1 at (x[i], y[i])\n    start x[i] = 0, y[i] = -i*l\n"
        "gravity (0, -9.81)\nconstraint first: x[1]^2 + y[1]^2 = l^2\nfor i = 2 .. n:\n"
        "    constraint rod[i]: (x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 = l^2\n";
    session by_angles = open_text("angles", angles, strlen(angles));
    session by_places = open_text("places", places, strlen(places));
    ask(&by_angles, NULL, NULL, NULL);
    ask(&by_places, NULL, NULL, NULL);
    REQUIRE(by_angles.answer != NULL && by_places.answer != NULL);
    check_spectrum(json_tree_get(by_places.answer, "eigenvalues"),
                   json_tree_get(by_angles.answer, "eigenvalues"), 1e5);
    end(&by_angles);
    end(&by_places);
}

/* Sleigh: moving with the mass ahead of the edge it is stable, behind it not. */
TEST(sleigh_has_a_direction)
{
    static const char model[] =
        "parameter m = 2, I = 0.3, a = 0.4\ncoordinate x, y, th\n"
        "body K mass m inertia (I, I, I) at (x + a*cos(th), y + a*sin(th)) turn z th\n"
        "constraint edge: y'*cos(th) - x'*sin(th) = 0\n"
        "velocity u, w: x' = u*cos(th), y' = u*sin(th), th' = w\n";
    session s = open_text("sleigh", model, strlen(model));
    for (int sign = -1; sign <= 1; sign += 2) {
        ask(&s, sign > 0 ? "u=1.5, w=0" : "u=-1.5, w=0", NULL, NULL);
        REQUIRE(s.answer != NULL);
        const double lambda = -sign * 1.5 * 2 * 0.4 / (0.3 + 2 * 0.4 * 0.4);
        CHECK_NEAR(at2(json_tree_get(s.answer, "eigenvalues"), 0, 0), lambda, 2, 20,
                   "λ = −m a u/…");
        CHECK_STR(json_tree_get(s.answer, "verdict")->text, sign > 0 ? "attracting" : "unstable");
        CHECK_INT(json_tree_number(get2(&s, "family", "dimension")), 1);
    }
    /* at u = 0 there is a second zero that the family does not explain: no number may be claimed */
    ask(&s, "u=0, w=0", NULL, NULL);
    REQUIRE(s.answer != NULL);
    CHECK_INT(json_tree_number(get2(&s, "family", "dimension")), 1);
    CHECK_STR(json_tree_get(s.answer, "verdict")->text, "undecided");
    /* it changes there, and not where numbers begin to tell */
    ask(&s, "u=1.5, w=0", NULL, "u=-2..3");
    REQUIRE(s.answer != NULL);
    const json_tree *values = get2(&s, "critical", "values");
    CHECK_INT(json_tree_count(values), 1);
    CHECK(json_tree_number(json_tree_get(json_tree_at(values, 0), "value")) == 0);
    end(&s);
}

/* ---- Families -------------------------------------------------------------------------------- */

static json_tree *ask_steady(session *s, size_t starts)
{
    const char *out = NULL;
    ah_steady_options o = ah_steady_defaults();
    o.starts = starts;
    ah_answer *a = NULL;
    if (s->model) s->status = written(ah_steady(s->model, &o, &a), &a, AH_JSON, &out);
    return out ? json_tree_parse(out) : NULL;
}

/* A bead on a hoop turning fast: bottom, top, and two places with cos q = g/(R W²). */
TEST(bead_on_a_hoop_has_four_equilibria)
{
    static const char model[] = "parameter R = 0.4, g = 9.81, W = 6\ncoordinate q\n"
                                "kinetic 1/2*R^2*(q'^2 + W^2*sin(q)^2)\npotential -g*R*cos(q)\n";
    session s = open_text("hoop", model, strlen(model));
    json_tree *answer = ask_steady(&s, 60);
    const json_tree *families = json_tree_get(answer, "families");
    CHECK_INT(json_tree_count(families), 4);
    int stable = 0;
    for (const json_tree *f = families ? families->first : NULL; f; f = f->next) {
        const double q = json_tree_number(json_tree_get(json_tree_get(f, "state"), "q"));
        CHECK_NEAR(sin(q) * (0.4 * 36 * cos(q) - 9.81), 0, 10, 100, "equilibrium");
        CHECK_INT(json_tree_number(json_tree_get(json_tree_get(f, "family"), "dimension")), 0);
        const bool tilted = fabs(sin(q)) > 0.1;
        const bool unstable = !strcmp(json_tree_get(f, "verdict")->text, "unstable");
        CHECK(tilted != unstable);
        stable += !unstable;
    }
    CHECK_INT(stable, 2);
    json_tree_free(answer);
    end(&s);
}

/* Euler's body turns steadily about its three axes; the equations of rest are homogeneous. */
TEST(free_body_turns_about_three_axes)
{
    static const char model[] =
        "parameter A = 2, B = 3, C = 4.5\ncoordinate a, b, c\nassume cos(b) > 0.1\n"
        "let u1 = a'*cos(b)*cos(c) + b'*sin(c)\nlet u2 = b'*cos(c) - a'*cos(b)*sin(c)\n"
        "let u3 = a'*sin(b) + c'\nkinetic 1/2*(A*u1^2 + B*u2^2 + C*u3^2)\n"
        "quasivelocity p = u1, q = u2, r = u3\n";
    session s = open_text("body", model, strlen(model));
    json_tree *answer = ask_steady(&s, 30);
    const json_tree *families = json_tree_get(answer, "families");
    int lines = 0, unstable = 0;
    for (const json_tree *f = families ? families->first : NULL; f; f = f->next) {
        const bool line = json_tree_get(json_tree_get(f, "family"), "sure")->kind == JSON_TRUE;
        lines += line;
        const json_tree *parts = json_tree_get(f, "parts");
        bool any = false, all = true; /* but where the body rests */
        for (const json_tree *p = parts->first; line && p; p = p->next) {
            const bool bad = !strcmp(json_tree_get(p, "verdict")->text, "unstable");
            const bool point = json_tree_get(p, "from")->kind == JSON_NUMBER &&
                               json_tree_get(p, "to")->kind == JSON_NUMBER;
            any = any || bad;
            all = all && (bad || point);
        }
        CHECK(!any || all);
        unstable += any;
    }
    CHECK_INT(lines, 3);
    CHECK_INT(unstable, 1); /* about the middle axis */
    json_tree_free(answer);
    end(&s);
}

/* All steady motions of the tire form one family of two parameters. */
TEST(tire_rolls_in_one_family)
{
    session s = open_model("tire.ah");
    json_tree *answer = ask_steady(&s, 10);
    const json_tree *families = json_tree_get(answer, "families");
    CHECK_INT(json_tree_count(families), 1);
    const json_tree *family = json_tree_get(json_tree_at(families, 0), "family");
    CHECK_INT(json_tree_number(json_tree_get(family, "dimension")), 2);
    CHECK(json_tree_get(family, "sure") && json_tree_get(family, "sure")->kind == JSON_TRUE);
    json_tree_free(answer);
    end(&s);
    /* nothing rests in free fall: an answer, and it is "no" */
    static const char falling[] = "coordinate z\nkinetic 1/2*z'^2\npotential 9.81*z\n";
    s = open_text("falling", falling, strlen(falling));
    answer = ask_steady(&s, 5);
    CHECK_INT(s.status, AH_OK);
    CHECK_INT(json_tree_count(json_tree_get(answer, "families")), 0);
    json_tree_free(answer);
    end(&s);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void refused(const char *model, const char *at, const char *critical, const char *code)
{
    session s = open_text("test", model, strlen(model));
    ask(&s, at, NULL, critical);
    CHECK(s.status != AH_OK && !s.answer);
    REQUIRE(ah_diagnostic_count(s.ctx) > 0);
    CHECK_STR(ah_diagnostic_get(s.ctx, 0)->code, code);
    end(&s);
}

TEST(what_has_no_answer_is_refused)
{
    static const char falling[] = "coordinate z\nkinetic 1/2*z'^2\npotential 9.81*z\n";
    refused(falling, NULL, NULL, "A0621");
    refused("coordinate z\nkinetic 1/2*z'^2\npotential z*sin(t)\n", NULL, NULL, "A0621");
    refused(falling, NULL, "z", "A0622");
    refused(falling, NULL, "z=1", "A0622");
    refused(falling, NULL, "z=0..1:0", "A0622");
    refused(falling, NULL, "z=0..1/0", "A0622");
    refused(falling, NULL, "t=0..1", "A0622");
    refused(falling, "q=1", NULL, "A0201");
}
