/* States, refusals and degenerate systems: what `eval` answers where it must not answer with a
 * number. */
#include "harness/harness.h"
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
    const char *out;
    json_tree *answer;
} session;

static session ask(const char *model, const char *at, const char *method, bool project)
{
    session s = {.ctx = ah_ctx_create(NULL)};
    const ah_eval_options o = {
        .size = sizeof(ah_eval_options), .at = at, .method = method, .project = project};
    s.status = lang_read(s.ctx, "model", model, strlen(model), NULL, &s.model);
    if (!CHECK(s.status == AH_OK)) return s;
    s.status = ah_eval(s.model, &o, AH_JSON, &s.out);
    if (s.out) s.answer = json_tree_parse(s.out);
    return s;
}

static void end(session *s)
{
    json_tree_free(s->answer);
    ah_ctx_destroy(s->ctx);
}

/* The first error has this code. */
static void check_error(const char *model, const char *at, const char *method, const char *code,
                        ah_status status)
{
    session s = ask(model, at, method, false);
    CHECK_INT(s.status, status);
    CHECK(s.out == NULL);
    REQUIRE(ah_diagnostic_count(s.ctx) > 0);
    CHECK_STR(ah_diagnostic_get(s.ctx, 0)->code, code);
    end(&s);
}

static double number(const session *s, const char *method, const char *key, size_t i)
{
    const json_tree *m = json_tree_get(json_tree_get(s->answer, "methods"), method);
    return json_tree_number(json_tree_at(json_tree_get(m, key), i));
}

static const char skate[] = "parameter m = 2, J = 0.5\n"
                            "coordinate x, y, theta\n"
                            "kinetic 1/2*m*(x'^2 + y'^2) + 1/2*J*theta'^2\n"
                            "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                            "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n";

TEST(errors_of_states)
{
    check_error("parameter m\ncoordinate x\nkinetic 1/2*m*x'^2\n", "x=0,x'=1", NULL, "A0601",
                AH_E_INPUT);
    check_error("function f(t)\ncoordinate x\nkinetic 1/2*x'^2\nforce x = f(t)\n", "x=0,x'=1", NULL,
                "A0602", AH_E_INPUT);
    check_error(skate, "x=1/0", NULL, "A0603", AH_E_INPUT);
    check_error(skate, "x", NULL, "A0604", AH_E_INPUT);
    check_error(skate, "m=3", NULL, "A0604", AH_E_INPUT);
    check_error(skate, "x=1,y=2", NULL, "A0605", AH_E_INPUT);
    check_error(skate, "x=0,y=0,theta=0,v=1,w=0,x'=2", NULL, "A0606", AH_E_INPUT);
    check_error("coordinate x\nkinetic 1/2*x'^2\nconstraint c: x'^2 + 1 = 0\n", "x=0", NULL,
                "A0607", AH_E_INPUT);
    check_error(skate, "x=0,y=0,theta=0,x'=1,y'=1,theta'=0", NULL, "A0608", AH_E_INPUT);
    check_error(skate, "x=0,y=0,theta=0,v=1,w=0", "no-such", "A0501", AH_E_INPUT);
    check_error(skate, "x=0,y=0,theta=0,v=1,w=0", "lagrange", "A0502", AH_E_REFUSED);
}

/* Options are read as models are: errors know their character. */
TEST(errors_in_options_have_a_place)
{
    static const struct {
        const char *at, *code, *place;
    } wrong[] = {{"x=1, y", "A0604", "--at:1:6"},          {"x=1, m=2", "A0604", "--at:1:6"},
                 {"x=1, y=(2, x'=0", "A0106", "--at:1:1"}, {"x=1, z=2", "A0201", "--at:1:6"},
                 {"x=1,\ty=1/(x-1)", "A0603", "--at:1:6"}, {"x=1 2", "A0106", "--at:1:5"},
                 {"x=1, y=0, x=1", "A0604", "--at:1:11"},  {"f(x)=1", "A0604", "--at:1:1"},
                 {"x=\"1\"", "A0106", "--at:1:3"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        session s = ask(skate, wrong[i].at, NULL, false);
        CHECK_INT(s.status, AH_E_INPUT);
        REQUIRE(ah_diagnostic_count(s.ctx) > 0);
        CHECK_STR(ah_diagnostic_get(s.ctx, 0)->code, wrong[i].code);
        const char *said = ah_diagnostics_text(s.ctx, false);
        if (!CHECK(said && !strncmp(said, wrong[i].place, strlen(wrong[i].place))))
            printf("# %s: %s\n", wrong[i].at, said);
        end(&s);
    }
    session s = ask(skate, " , x = 1, y=2*x,, theta=0, v=sqrt(4) , w=0,", NULL, false);
    CHECK_INT(s.status, AH_OK);
    end(&s);
}

TEST(a_singular_state_has_no_acceleration)
{
    /* the double pendulum with both points at rest */
    static const char model[] =
        "coordinate x1, y1, x2, y2\n"
        "kinetic 1/2*(x1'^2 + y1'^2) + (x2'^2 + y2'^2)\n"
        "constraint pivot: x1*x1'*y2' - x2*x2'*y1' + (y1 - y2)*y1'*y2' = 0\n";
    check_error(model, "x1=1,y1=0,x2=2,y2=1,x1'=0,y1'=0,x2'=0,y2'=0", "multipliers", "A0609",
                AH_E_NUMERIC);
    check_error(model, "x1=1,y1=0,x2=2,y2=1,x1'=0,y1'=0,x2'=0,y2'=0", "all", "A0609", AH_E_NUMERIC);
}

/* Two rows that are parallel but for one part in s² where the masses measure them: u' = x'/(5 s²) = y'/s². By hand:
 * 26 y'' + u''/s² = −5, so y'' = −5/(26 + 1/s⁴), the multipliers ∓y'' s. */
TEST(rows_that_are_almost_parallel)
{
    static const double size[] = {1e3, 1e6, 1e9, 1e12};
    static const char *const methods[] = {"multipliers", "gauss", "parametric", "maggi"};
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        char words[400];
        const double s = size[k], y = -5 / (26 + pow(s, -4));
        snprintf(words, sizeof words,
                 "coordinate x, y, u\nkinetic (x'^2 + y'^2 + u'^2)/2\npotential x\n"
                 "constraint a: %g*u' = x'/(5*%g)\nconstraint b: %g*u' = y'/%g\n",
                 s, s, s, s);
        session e = ask(words, "x=0,y=0,u=0,x'=0,y'=0,u'=0", "all", false);
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
            CHECK_NEAR(number(&e, methods[i], "qddot", 0), 5 * y, 1, 64, "solved in a few steps");
            CHECK_NEAR(number(&e, methods[i], "qddot", 1), y, 1, 64, "solved in a few steps");
        }
        const double lambda = number(&e, "multipliers", "multipliers", 1);
        CHECK_NEAR(lambda, -y * s, s, 64, "of the size of the rows");
        end(&e);
    }
}

TEST(missing_velocities_are_the_least_ones)
{
    /* m v² / 2 least on v1 + 2 v2 = 5 with m1 = 1, m2 = 3: v = λ (1, 2/3), λ (1 + 4/3) = 5 */
    static const char model[] = "coordinate a, b\nkinetic 1/2*(a'^2 + 3*b'^2)\n"
                                "constraint c: a' + 2*b' = 5\n";
    session s = ask(model, "a=0,b=0", NULL, false);
    REQUIRE(s.answer != NULL);
    const json_tree *v = json_tree_get(s.answer, "qdot");
    CHECK_NEAR(json_tree_number(json_tree_at(v, 0)), 15.0 / 7, 1, 16,
               "Lagrange multiplier by hand");
    CHECK_NEAR(json_tree_number(json_tree_at(v, 1)), 10.0 / 7, 1, 16,
               "Lagrange multiplier by hand");
    end(&s);
}

TEST(projection_is_orthogonal_in_the_metric)
{
    /* on a circle of radius 1 with masses 1 and 4: (q − q0)ᵀM is along the normal q */
    static const char model[] = "coordinate x, y\nkinetic 1/2*(x'^2 + 4*y'^2)\n"
                                "constraint circle: x^2 + y^2 = 1\n";
    session s = ask(model, "x=0.9,y=0.5,x'=1,y'=1", NULL, true);
    REQUIRE(s.answer != NULL);
    const json_tree *q = json_tree_get(s.answer, "q"), *v = json_tree_get(s.answer, "qdot");
    const double x = json_tree_number(json_tree_at(q, 0)), y = json_tree_number(json_tree_at(q, 1));
    CHECK_NEAR(x * x + y * y, 1, 1, 8, "on the circle");
    CHECK(hypot(x - 0.9, y - 0.5) < 0.05);
    CHECK_NEAR((x - 0.9) * y, 4 * (y - 0.5) * x, 1, 64, "M (q - q0) is along the normal");
    CHECK_INT(ah_diagnostic_count(s.ctx), 5);
    CHECK_STR(ah_diagnostic_get(s.ctx, 0)->code, "A0616"); /* and four notes: all that changed */
    CHECK_NEAR(x * json_tree_number(json_tree_at(v, 0)) + y * json_tree_number(json_tree_at(v, 1)),
               0, 1, 8, "velocity along the circle");
    end(&s);
}

/* Some velocities given, and these contradict the constraints: they are moved, and what is missing is at rest before. Without
 * projection the constraint is named, not the parameters of the form that nobody knows yet. */
TEST(projection_of_a_part_of_the_velocities)
{
    static const char model[] = "coordinate x, y, a\nkinetic (x'^2 + y'^2 + a'^2)/2\n"
                                "constraint edge: x'*sin(a) = y'*cos(a)\n"
                                "velocity v, w: x' = v*cos(a), y' = v*sin(a), a' = w\n";
    session s = ask(model, "x=0,y=0,a=0,x'=1,y'=3", NULL, true);
    REQUIRE(s.answer != NULL);
    const json_tree *v = json_tree_get(s.answer, "qdot");
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR(json_tree_number(json_tree_at(v, i)), i == 0, 1, 8, "the nearest ones");
    end(&s);
    check_error(model, "x=0,y=0,a=0,x'=1,y'=3", NULL, "A0607", AH_E_INPUT);
}

/* The rows contradict each other where the state is: nothing was moved, and nothing says so. */
TEST(projection_without_an_admissible_state)
{
    session s = ask("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x' = 1\n"
                    "constraint d: (1 + y^2)*x' = 2\n",
                    "x=0,y=0,x'=0,y'=1", NULL, true);
    const char *said = ah_diagnostics_text(s.ctx, false);
    CHECK_INT(s.status, AH_E_INPUT);
    CHECK(strstr(said, "moved") == NULL);
    CHECK(strstr(said, "no admissible one was found near it") != NULL);
    end(&s);
}

/* The nearest state is called so only where there is one that is known to be: a place on a circle is
 * reached by Newton's method, and others may be nearer. */
TEST(projection_says_nearest_only_where_it_is)
{
    session s = ask("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x' = 2*y'\n",
                    "x=0,y=0,x'=1,y'=1", NULL, true);
    CHECK_INT(s.status, AH_OK);
    CHECK(strstr(ah_diagnostics_text(s.ctx, false), "nearest admissible") != NULL);
    end(&s);
    s = ask("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + 4*y^2 = 1\n",
            "x=0.1,y=0.1,x'=1,y'=1", NULL, true);
    CHECK_INT(s.status, AH_OK);
    CHECK(strstr(ah_diagnostics_text(s.ctx, false), "nearest") == NULL);
    CHECK(strstr(ah_diagnostics_text(s.ctx, false), "admissible one nearby") != NULL);
    end(&s);
    /* no metric: distances of both signs, or one that changes with the velocities */
    static const char *const kinetic[] = {"(x'^2 - 20*y'^2)/2", "x'^4 + x'^2 + y'^2",
                                          "exp(x' + y') + x'^2"};
    for (size_t i = 0; i < sizeof kinetic / sizeof *kinetic; i++) {
        char words[200];
        snprintf(words, sizeof words, "coordinate x, y\nkinetic %s\nconstraint c: x' + 3*y' = 1\n",
                 kinetic[i]);
        s = ask(words, "x=0,y=0,x'=1,y'=1", NULL, true);
        CHECK_INT(s.status, AH_OK);
        CHECK(strstr(ah_diagnostics_text(s.ctx, false), "admissible one nearby") != NULL);
        end(&s);
    }
}

/* From where a curve bends away more than the state is near, whole steps go to and fro: the place is the nearest among its neighbours all the same,
 * where a'(x) = (x − x₀) + m (f − y₀) f' vanishes and grows. */
TEST(projection_is_least_from_afar)
{
    static const struct {
        const char *curve, *m, *at;
        double mass, x0, y0, a, b, c; /* f = a x² + b x³ + c x */
    } cases[] = {
        {"x^2", "4", "x=-0.356068,y=-0.165616,x'=0,y'=0", 4, -0.356068, -0.165616, 1, 0, 0},
        {"x^2", "1", "x=1.2222,y=-1.8513,x'=0,y'=0", 1, 1.2222, -1.8513, 1, 0, 0},
        {"5*x^2", "0.25", "x=0.4293,y=-1.7126,x'=0,y'=0", 0.25, 0.4293, -1.7126, 5, 0, 0},
        {"x^3 - x", "4", "x=-1.2085,y=1.4931,x'=0,y'=0", 4, -1.2085, 1.4931, 0, 1, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char model[200];
        snprintf(model, sizeof model,
                 "coordinate x, y\nkinetic (x'^2 + %s*y'^2)/2\nconstraint c: y = %s\n", cases[i].m,
                 cases[i].curve);
        session s = ask(model, cases[i].at, NULL, true);
        REQUIRE(s.answer != NULL);
        const json_tree *q = json_tree_get(s.answer, "q");
        const double x = json_tree_number(json_tree_at(q, 0)),
                     y = json_tree_number(json_tree_at(q, 1));
        const double slope = 2 * cases[i].a * x + 3 * cases[i].b * x * x + cases[i].c;
        const double bend = 2 * cases[i].a + 6 * cases[i].b * x, off = y - cases[i].y0;
        CHECK_NEAR(x - cases[i].x0 + cases[i].mass * off * slope, 0, 20, 1e4, "stationary");
        CHECK(1 + cases[i].mass * (slope * slope + off * bend) > 0);
        end(&s);
    }
}

TEST(redundant_constraints_share_the_multiplier)
{
    /* the same constraint twice, once doubled: λ = (λ0/5, 2 λ0/5) is the least */
    static const char once[] = "coordinate x, y\nkinetic 1/2*(x'^2 + 2*y'^2)\nforce x = 3\n"
                               "constraint a: x' - y' = 0\n";
    static const char twice[] = "coordinate x, y\nkinetic 1/2*(x'^2 + 2*y'^2)\nforce x = 3\n"
                                "constraint a: x' - y' = 0\nconstraint b: 2*x' - 2*y' = 0\n";
    session s = ask(once, "x=0,y=0,x'=1,y'=1", "multipliers", false);
    session d = ask(twice, "x=0,y=0,x'=1,y'=1", "all", false);
    REQUIRE(s.answer && d.answer);
    const double lambda = number(&s, "multipliers", "multipliers", 0);
    CHECK_NEAR(lambda, -2, 1, 8, "x'' = 1 by hand");
    CHECK_NEAR(number(&d, "multipliers", "multipliers", 0), lambda / 5, 1, 16, "least norm");
    CHECK_NEAR(number(&d, "multipliers", "multipliers", 1), 2 * lambda / 5, 1, 16, "least norm");
    const json_tree *methods = json_tree_get(d.answer, "methods");
    CHECK_INT(json_tree_get(json_tree_get(methods, "multipliers"), "multipliers_unique")->kind,
              JSON_FALSE);
    size_t answered = 0;
    for (const json_tree *m = methods->first; m; m = m->next) {
        if (json_tree_get(m, "refused")) continue;
        CHECK_NEAR(json_tree_number(json_tree_at(json_tree_get(m, "qddot"), 0)), 1, 1, 16, m->key);
        answered++;
    }
    CHECK(answered >= 8);
    end(&s);
    end(&d);
}

/* Euler parameters: M is singular, the KKT matrix is not. A free symmetric body spins steadily
 * about its axis. */
TEST(euler_parameters)
{
    static const char model[] = "parameter A = 2, C = 3\n"
                                "coordinate e0, e1, e2, e3\n"
                                "let p = 2*(e0*e1' - e1*e0' + e3*e2' - e2*e3')\n"
                                "let q = 2*(e0*e2' - e2*e0' + e1*e3' - e3*e1')\n"
                                "let r = 2*(e0*e3' - e3*e0' + e2*e1' - e1*e2')\n"
                                "kinetic 1/2*(A*p^2 + A*q^2 + C*r^2)\n"
                                "constraint norm: e0^2 + e1^2 + e2^2 + e3^2 = 1\n";
    /* about the third axis with the angular velocity 2: e' = (−e3, 0, 0, e0), e'' = −e */
    session s =
        ask(model, "e0=0.6,e1=0,e2=0,e3=0.8,e0'=-0.8,e1'=0,e2'=0,e3'=0.6", "multipliers", false);
    REQUIRE(s.answer != NULL);
    CHECK_NEAR(number(&s, "multipliers", "qddot", 0), -0.6, 1, 32, "uniform rotation");
    CHECK_NEAR(number(&s, "multipliers", "qddot", 3), -0.8, 1, 32, "uniform rotation");
    CHECK_NEAR(number(&s, "multipliers", "qddot", 1), 0, 1, 32, "uniform rotation");
    end(&s);
}

TEST(a_given_parameter_selects_the_branch)
{
    /* x' = z²: z = 3 and z = −3 are the same velocity; z' = x''/(2 z) changes its sign */
    static const char model[] = "coordinate x, y\nkinetic 1/2*(x'^2 + y'^2)\nforce x = 5\n"
                                "velocity z: x' = z^2, y' = 0\n";
    session plus = ask(model, "x=0,y=0,z=3", "parametric", false);
    session minus = ask(model, "x=0,y=0,z=-3", "parametric", false);
    REQUIRE(plus.answer && minus.answer);
    const json_tree *a =
        json_tree_get(json_tree_get(json_tree_get(plus.answer, "methods"), "parametric"), "zdot");
    const json_tree *b =
        json_tree_get(json_tree_get(json_tree_get(minus.answer, "methods"), "parametric"), "zdot");
    CHECK_NEAR(json_tree_number(json_tree_get(a, "z")), 5.0 / 6, 1, 8, "x'' = 2 z z' = 5");
    CHECK_NEAR(json_tree_number(json_tree_get(b, "z")), -5.0 / 6, 1, 8, "the other branch");
    end(&plus);
    end(&minus);
}

TEST(no_state_to_compare_at)
{
    static const char model[] = "coordinate x\nkinetic 1/2*x'^2\nconstraint c: x'^2 + 1 = 0\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_answer *a;
    REQUIRE(lang_read(ctx, "model", model, sizeof model - 1, NULL, &m) == AH_OK);
    ah_ctx_reset_status(ctx); /* reading warned already */
    CHECK_INT(ah_crosscheck(m, NULL, &a), AH_E_NUMERIC);
    CHECK(!a);
    REQUIRE(ah_diagnostic_count(ctx) > 0);
    CHECK_STR(ah_diagnostic_get(ctx, 0)->code, "A0610");
    ah_ctx_destroy(ctx);
}

TEST(errors_of_simulations)
{
    static const char model[] = "coordinate x\nkinetic 1/2*x'^2\nstart x = 0, x' = 1\n";
    static const struct {
        const char *code;
        ah_simulate_options options;
    } cases[] = {
        {"A0611", {.size = sizeof(ah_simulate_options), .rtol = 1e-9, .atol = 1e-12, .samples = 2}},
        {"A0612",
         {.size = sizeof(ah_simulate_options),
          .rtol = 1e-9,
          .atol = 1e-12,
          .samples = 2,
          .to = "1",
          .integrator = "euler"}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = NULL;
        const char *out = NULL;
        REQUIRE(lang_read(ctx, "model", model, sizeof model - 1, NULL, &m) == AH_OK);
        CHECK_INT(ah_simulate(m, &cases[i].options, AH_JSON, &out), AH_E_INPUT);
        if (CHECK(ah_diagnostic_count(ctx) > 0))
            CHECK_STR(ah_diagnostic_get(ctx, 0)->code, cases[i].code);
        ah_ctx_destroy(ctx);
    }
}

/* Forces that cancel leave nothing of the digits of doubles, x'' = -1/3 between 1e9 and -1e9: the methods do not differ for that. */
TEST(methods_agree_where_terms_cancel)
{
    static const char words[] = "coordinate x, y, z\nkinetic (x'^2 + 2*y'^2 + 3*z'^2)/2\n"
                                "potential 1e9*(x - y) + x + 1e8*sin(x - y)\n"
                                "constraint a: x = y\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_answer *a = NULL;
    REQUIRE(ah_read(ctx, "model", words, strlen(words), NULL, &m) == AH_OK);
    ah_crosscheck_options o = ah_crosscheck_defaults();
    o.states = 10;
    CHECK_INT(ah_crosscheck(m, &o, &a), AH_OK);
    CHECK(a && ah_answer_yes(a));
    ah_ctx_destroy(ctx);
}

/* A long pendulum in a context with little memory: methods that find no room are named, and the others are compared. */
TEST(methods_without_room_are_left_out)
{
    static const char words[] =
        "gravity (0, -9.81, 0)\ncoordinate q[1..42]\n"
        "body b[1] mass 1 inertia (0, 0, 0.1) at (cos(q[1])/2, sin(q[1])/2, 0) turn z q[1]\n"
        "for i = 2 .. 42:\n    body b[i] mass 1 inertia (0, 0, 0.1) on b[i-1] at (1/2 + "
        "cos(q[i])/2, sin(q[i])/2, 0) turn z q[i]\n";
    ah_ctx_options options = ah_ctx_defaults();
    options.limits.memory = 64 << 20;
    ah_ctx *ctx = ah_ctx_create(&options);
    ah_model *m = NULL;
    ah_answer *a = NULL;
    REQUIRE(ah_read(ctx, "model", words, strlen(words), NULL, &m) == AH_OK);
    ah_crosscheck_options o = ah_crosscheck_defaults();
    o.states = 1;
    CHECK_INT(ah_crosscheck(m, &o, &a), AH_OK);
    const ah_crosscheck_values *v = a ? ah_answer_crosscheck(a) : NULL;
    REQUIRE(v != NULL && v->agree && v->states == 1 && v->methods > 1);
    bool named = false;
    for (size_t i = 0; i < v->refusals; i++) {
        named = named || (!strcmp(v->refused[i].method, "boltzmann-hamel") &&
                          strstr(v->refused[i].why, "more memory"));
        CHECK(strcmp(v->refused[i].method, "gauss") != 0);
    }
    CHECK(named);
    CHECK_INT(ah_diagnostic_count(ctx), 0);
    ah_ctx_destroy(ctx);
}

/* ---- Places that are not given --------------------------------------------------------------- */

static double place(const char *model, const char *at, const char *key, size_t i)
{
    session s = ask(model, at, NULL, false);
    const double x =
        s.answer ? json_tree_number(json_tree_at(json_tree_get(s.answer, key), i)) : NAN;
    end(&s);
    return x;
}

/* x (x − 1) (x + 2) = 0: the root that the assumptions on places allow; any, where they allow none. What is assumed of velocities
 * does not choose a place. */
TEST(assumptions_choose_the_place)
{
    static const struct {
        const char *assume;
        double x;
    } cases[] = {{"x > 0", 1},
                 {"x < -1", -2},
                 {"x' > -100, x < -1", -2},
                 {"x < -1, y != 3", -2},
                 {"x - 1 >= 0", 1}};
    char model[300];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(model, sizeof model,
                 "coordinate x, y\nassume %s\nkinetic (x'^2 + y'^2)/2\n"
                 "constraint c: x*(x - 1)*(x + 2) + y = 4\n",
                 cases[i].assume);
        CHECK_NEAR(place(model, "y=4", "q", 0), cases[i].x, 1, 64, "a root");
    }
    const double x = place("coordinate x, y\nassume x > 10\nkinetic (x'^2 + y'^2)/2\n"
                           "constraint c: x*(x - 1)*(x + 2) + y = 4\n",
                           "y=4", "q", 0);
    CHECK_NEAR(x * (x - 1) * (x + 2), 0, 1, 64, "a root, though it is not above 10");
    /* x (x + 1) = 0, y' = -(2 x + 1) v */
    static const char form[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                               "constraint c: x*(x + 1) + y = 4\n"
                               "velocity v: x' = v, y' = -(2*x + 1)*v\nassume v > 0, x < -0.5\n";
    CHECK_NEAR(place(form, "y=4,v=2", "q", 0), -1, 1, 16, "a root");
    CHECK_NEAR(place(form, "y=4,v=2", "qdot", 1), 2, 1, 16, "by the velocity form");
}

/* Each component is reached from beside it: (1, 0.1, 2) loses y', (0.1, 3, 0.2) keeps it. */
TEST(projection_onto_a_component)
{
    static const char cross[] = "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                                "constraint a: x'*y' = 0\nconstraint b: y'*z' = 0\n";
    static const double want[2][3] = {{1, 0, 2}, {0, 3, 0}};
    static const char *from[] = {"x=0,y=0,z=0,x'=1,y'=0.1,z'=2", "x=0,y=0,z=0,x'=0.1,y'=3,z'=0.2"};
    for (int k = 0; k < 2; k++) {
        session s = ask(cross, from[k], NULL, true);
        REQUIRE(s.answer != NULL);
        for (size_t i = 0; i < 3; i++)
            CHECK_NEAR(json_tree_number(json_tree_at(json_tree_get(s.answer, "qdot"), i)),
                       want[k][i], 1, 64, "the nearest of the component");
        end(&s);
    }
}

/* What is no number is named, with its arguments where they are few and short. */
TEST(undefined_ingredients)
{
    static const char logs[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                               "constraint c: log(x)*x' + y*y' = 1\n";
    check_error(logs, "x=-1,y=0,x'=1,y'=3", NULL, "A0603", AH_E_INPUT);
    check_error(logs, "x=-1,y=0,x'=1", NULL, "A0603", AH_E_INPUT);
    session s = ask(logs, "x=-1,y=0,x'=1,y'=3", NULL, true);
    CHECK_INT(s.status, AH_E_INPUT);
    CHECK(strstr(ah_diagnostics_text(s.ctx, false), "log(x) (x = -1)") != NULL);
    end(&s);
    static const struct {
        const char *model, *at, *has, *hasnt;
    } cases[] = {
        {"coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x''*log(x) + y'' = 1\n",
         "x=-1,y=0,x'=0,y'=0", "constraint `c` is not a number: log(x) (x = -1)", "energy"},
        {"coordinate a, b, c, d, e, f, g\n"
         "kinetic (a'^2 + b'^2 + c'^2 + d'^2 + e'^2 + f'^2 + g'^2)/2\n"
         "potential sqrt(a*b + c*d + e*f + g - 1)\n",
         "a=0,b=0,c=0,d=0,e=0,f=0,g=0", "potential energy is not a number: sqrt(", " (a = 0"},
        {"coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
         "potential sqrt(sin(x)*cos(y) + cos(x)*sin(y) - exp(x + y)*sin(x - y) - 10*cos(x + y))\n",
         "x=0,y=0", "potential energy is not a number", "sqrt"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        s = ask(cases[i].model, cases[i].at, NULL, false);
        const char *said = ah_diagnostics_text(s.ctx, false);
        CHECK_INT(s.status, AH_E_NUMERIC);
        CHECK(strstr(said, "A0603") && strstr(said, cases[i].has));
        CHECK(!strstr(said, cases[i].hasnt));
        end(&s);
    }
    check_error("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nvelocity v: x' = v, y' = v\n",
                "x=1,y=0,x'=1,y'=3", NULL, "A0608", AH_E_INPUT);
}
