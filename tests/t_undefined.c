/* tests/t_undefined.c - functions that the command line defines, and what is not a number. */
#include "motions.h"
#include "written.h"
#include "model/model.h"
#include "lang/lang.h"

#include <math.h>
#include <stdio.h>

typedef struct session {
    ah_ctx *ctx;
    ah_model *model;
    ah_status status;
} session;

static session read_with(const char *model, const char *set)
{
    session s = {.ctx = ah_ctx_create(NULL)};
    s.status = lang_read(s.ctx, "model", model, strlen(model), set, &s.model);
    return s;
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* x'' + 2 x = u(t). */
static const char driven[] = "parameter m = 1, k = 2\nfunction u(t)\ncoordinate x\n"
                             "kinetic m*x'^2/2\npotential k*x^2/2\nforce x = u(t)\n"
                             "start x = 0, x' = 0\nsimulate t = 0 .. 3\n";
static const char driven_written[] = "parameter m = 1, k = 2\nlet u(t) = sin(2*t)\ncoordinate x\n"
                                     "kinetic m*x'^2/2\npotential k*x^2/2\nforce x = u(t)\n"
                                     "start x = 0, x' = 0\nsimulate t = 0 .. 3\n";

/* With u = sin 2t: x = (√2 sin √2t − sin 2t)/2. */
TEST(a_function_that_the_command_line_defines)
{
    session s = read_with(driven, "u(t)=sin(2*t)");
    REQUIRE(s.status == AH_OK);
    const ah_simulate_options o = ah_simulate_defaults();
    answer a = simulate_model(s.ctx, s.model, &o);
    CHECK_INT(a.status, AH_OK);
    const double x = (sqrt(2) * sin(3 * sqrt(2)) - sin(6)) / 2;
    const json_tree *q = json_tree_get(json_tree_get(a.summary, "final"), "q");
    CHECK_NEAR(json_tree_number(json_tree_at(q, 0)), x, 1, 1e-8 * 0x1p52, "x'' + 2 x = sin 2t");
    forget(&a);
    const char *out = NULL;
    const ah_eval_options at = {.size = sizeof(ah_eval_options), .at = "t=0.7,x=0.2,x'=0.1"};
    REQUIRE(ah_eval(s.model, &at, AH_JSON, &out) == AH_OK);
    json_tree *answer_tree = json_tree_parse(out);
    const json_tree *m = json_tree_get(json_tree_get(answer_tree, "methods"), "multipliers");
    CHECK_NEAR(json_tree_number(json_tree_at(json_tree_get(m, "qddot"), 0)), sin(1.4) - 0.4, 1, 8,
               "eval");
    json_tree_free(answer_tree);
    const ah_crosscheck_options c = ah_crosscheck_defaults();
    ah_answer *agree = NULL;
    CHECK_INT(ah_crosscheck(s.model, &c, &agree), AH_OK);
    CHECK(agree && ah_answer_yes(agree));
    ah_ctx_destroy(s.ctx);
}

/* `derive` shows what `let` in the place of `function` shows. */
TEST(equations_of_a_defined_function)
{
    session s = read_with(driven, "u(t)=sin(2*t)"), t = read_with(driven_written, NULL);
    REQUIRE(s.status == AH_OK && t.status == AH_OK);
    const char *a = NULL, *b = NULL;
    ah_answer *first = NULL, *second = NULL;
    CHECK_INT(written(ah_derive(s.model, NULL, &first), &first, AH_TEXT, &a), AH_OK);
    CHECK_INT(written(ah_derive(t.model, NULL, &second), &second, AH_TEXT, &b), AH_OK);
    CHECK_STR(a, b);
    CHECK(strstr(a, "sin(2 t)") != NULL);
    ah_ctx_destroy(s.ctx);
    ah_ctx_destroy(t.ctx);
}

/* x' = u(t) y' + u'(t): derivatives of the function too, and of two arguments. */
TEST(derivatives_of_a_defined_function)
{
    static const char model[] = "function u(t), V(x, y)\ncoordinate x, y\n"
                                "kinetic (x'^2 + y'^2)/2\npotential V(x, y)\n"
                                "constraint c: x' = u(t)*y' + u'(t)\n"
                                "start x = 1, y = 0.5, y' = 1\nsimulate t = 0 .. 2\n";
    static const char written[] = "coordinate x, y\n"
                                  "kinetic (x'^2 + y'^2)/2\npotential x^2*y\n"
                                  "constraint c: x' = t^3*y' + 3*t^2\n"
                                  "start x = 1, y = 0.5, y' = 1\nsimulate t = 0 .. 2\n";
    session s = read_with(model, "u(t)=t^3,V(x,y)=x^2*y");
    REQUIRE(s.status == AH_OK);
    const ah_simulate_options o = ah_simulate_defaults();
    answer a = simulate_model(s.ctx, s.model, &o), b = simulate(written, &o, NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK_INT(b.status, AH_OK);
    const json_tree *p = json_tree_get(json_tree_get(a.summary, "final"), "q");
    const json_tree *q = json_tree_get(json_tree_get(b.summary, "final"), "q");
    for (size_t i = 0; i < 2; i++)
        CHECK_NEAR(json_tree_number(json_tree_at(p, i)), json_tree_number(json_tree_at(q, i)), 1,
                   1e-9 * 0x1p52, "as written out");
    forget(&a);
    forget(&b);
    ah_ctx_destroy(s.ctx);
}

/* The same through the C interface. */
TEST(a_function_with_a_body_in_c)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, NULL);
    const ah_expr x = ah_model_coordinate(m, "x"), v = ah_model_velocity(m, x), t = ah_time(ctx);
    const ah_expr u = ah_symbol(ctx, AH_LOCAL, "u");
    CHECK_INT(ah_model_function(m, "f", 1, &u, ah_mul(ctx, u, u)), AH_OK);
    ah_model_kinetic(m, ah_mul(ctx, v, v));
    ah_model_force(m, x, ah_unknown(ctx, "f", 1, &t));
    REQUIRE(ah_model_finish(m) == AH_OK);
    const char *out = NULL;
    const ah_eval_options at = {.size = sizeof(ah_eval_options), .at = "t=3,x=0,x'=0"};
    REQUIRE(ah_eval(m, &at, AH_JSON, &out) == AH_OK);
    json_tree *tree = json_tree_parse(out);
    const json_tree *by = json_tree_get(json_tree_get(tree, "methods"), "multipliers");
    CHECK_NEAR(json_tree_number(json_tree_at(json_tree_get(by, "qddot"), 0)), 4.5, 1, 4, "t²/2");
    json_tree_free(tree);
    ah_ctx_destroy(ctx);
}

/* ---- What is not a number -------------------------------------------------------------------- */

/* At a state that is given: no rank is spoken of. */
TEST(what_is_not_a_number_is_named)
{
    static const struct {
        const char *model, *at, *words;
    } cases[] = {
        {"coordinate x\nkinetic x'^2/2\nforce x = log(x)\n", "x=-1,x'=0",
         "the force on `x` is not a number: log(x) (x = -1)"},
        {"coordinate x\nkinetic x'^2/2\npotential 1/x\n", "x=0,x'=0",
         "the potential energy is infinite: 1/x (x = 0)"},
        {"coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x' = y'*sqrt(x)\n",
         "x=-2,y=0,y'=1", "the constraint `c` is not a number: sqrt(x) (x = -2)"},
        {"coordinate x\nkinetic x'^2/2\npotential sqrt(x)\n", "x=0,x'=0",
         "a derivative of the potential energy is infinite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        session s = read_with(cases[i].model, NULL);
        REQUIRE(s.status == AH_OK);
        const char *out = NULL;
        const ah_eval_options at = {.size = sizeof(ah_eval_options), .at = cases[i].at};
        CHECK(ah_eval(s.model, &at, AH_JSON, &out) != AH_OK);
        const char *told = ah_diagnostics_text(s.ctx, false);
        if (!CHECK(strstr(told, cases[i].words) != NULL)) fputs(told, stderr);
        CHECK(strstr(told, "A0603") && !strstr(told, "rank"));
        ah_ctx_destroy(s.ctx);
    }
}

/* Accelerations are looked for: that they do not exist is no state at which something is not a number. */
TEST(accelerations_that_do_not_exist)
{
    static const char *const constraint[] = {"x''^2 + y''^2 = -4", "exp(x'') + y''^2 = -1"};
    for (size_t i = 0; i < sizeof constraint / sizeof *constraint; i++) {
        char words[300];
        const char *out = NULL;
        snprintf(words, sizeof words,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: %s\n", constraint[i]);
        session s = read_with(words, NULL);
        REQUIRE(s.status == AH_OK);
        const ah_eval_options at = {.size = sizeof(ah_eval_options), .at = "x=0,y=0,x'=1,y'=0"};
        CHECK_INT(ah_eval(s.model, &at, AH_JSON, &out), AH_E_NUMERIC);
        const char *told = ah_diagnostics_text(s.ctx, false);
        if (!CHECK(strstr(told, "A0609") && strstr(told, "no accelerations"))) fputs(told, stderr);
        CHECK(!strstr(told, "not a number"));
        ah_ctx_destroy(s.ctx);
    }
}

/* y' = |x'| with x' = 0: beside it y'' is x'' or −x'', there it is nothing; |x|³ has a derivative everywhere. */
TEST(kinks_of_constraints_are_named)
{
    static const struct {
        const char *row, *at;
        bool kink;
    } cases[] = {
        {"y' = abs(x')", "x=0,y=0,x'=0,y'=0", true},
        {"y' = abs(x')", "x=0,y=0,x'=1,y'=1", false},
        {"y' = max(x, 0)*x'", "x=0,y=0,x'=1,y'=0", true},
        {"y' = max(x, 0)*x'", "x=1,y=0,x'=1,y'=1", false},
        {"y = abs(x)", "x=0,y=0,x'=0,y'=0", true},
        {"y' = abs(x)^3*x'", "x=0,y=0,x'=1,y'=0", false},
        {"y' = x*abs(x)*x'", "x=0,y=0,x'=1,y'=0", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[300];
        const char *out = NULL;
        snprintf(words, sizeof words,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\nconstraint a: %s\n",
                 cases[i].row);
        session s = read_with(words, NULL);
        REQUIRE(s.status == AH_OK);
        const ah_eval_options at = {.size = sizeof(ah_eval_options), .at = cases[i].at};
        CHECK_INT(ah_eval(s.model, &at, AH_JSON, &out), cases[i].kink ? AH_E_NUMERIC : AH_OK);
        const char *told = ah_diagnostics_text(s.ctx, false);
        CHECK(!cases[i].kink == !strstr(told, "the constraint `a` has a kink at this state"));
        ah_ctx_destroy(s.ctx);
    }
}

/* On the way: √x + 1 of a point that runs into x = 0, and of time. */
TEST(a_motion_that_leaves_where_it_is_defined)
{
    static const struct {
        const char *model, *words;
        double t;
    } cases[] = {
        /* x = 1 − 2 t */
        {"coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce y = sqrt(x)\n"
         "start x = 1, y = 0, x' = -2, y' = 0\nsimulate t = 0 .. 4\n",
         "the force on `y` is not a number: sqrt(x)", 0.5},
        {"coordinate x\nkinetic x'^2/2\nforce x = sqrt(1 - t)\nstart x = 0, x' = 0\n"
         "simulate t = 0 .. 4\n",
         "the force on `x` is not a number: sqrt(1 - t)", 1},
    };
    const char *const engine[] = {"interpret", "tcc", "cc"};
    for (size_t i = 0; i < 6; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.engine = engine[i / 2];
        answer a = simulate(cases[i % 2].model, &o, NULL, NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        const char *why = json_tree_get(json_tree_get(a.summary, "stopped"), "reason")->text;
        if (!CHECK(strstr(why, cases[i % 2].words) != NULL)) fprintf(stderr, "%s\n", why);
        CHECK_NEAR(number(&a, "final", "t"), cases[i % 2].t, 1, 1e-6 * 0x1p52, "where it ends");
        forget(&a);
    }
}

/* Poles so weak that no step sees them: the motion would be turned back, or torn away, next to them. What is bounded beside its
 * denominator's zero is none. */
TEST(weak_poles_of_forces)
{
    static const struct {
        const char *words, *why; /* NULL: it goes by */
    } cases[] = {
        {"force x = 1e-12/(x - 1)\n", "the force on `x` does not exist here"},
        {"force x = 1 + 1e-12/(x - 1)\n", "it divides by x - 1 = 0"},
        {"force x = 1e-14/(x - 1)^2\n", "it divides by x - 1 = 0"},
        {"force x = 1e-13/(1 + cos(pi*x))\n", "it divides by cos(pi*x) + 1 = 0"},
        {"force x = 1e-12*tan(pi*x/2)\n", "it divides by cos("},
        {"force x = 1e-12/(t - 0.5)\n", "it divides by t - 1/2 = 0"},
        {"potential 1e-13*log((x - 1)^2)\n", "it divides by x - 1 = 0"},
        {"kinetic 1e-13*x'^2/(x - 1)\n", "the kinetic energy does not exist here"},
        {"force x = sin(x - 1)/(x - 1)\n", NULL},
        {"force x = (1 - cos(x - 1))/(x - 1)^2\n", NULL},
        {"force x = 1e-12*atan(1/(x - 1))\n", NULL},
        {"force x = exp(-1/(x - 1)^2)\n", NULL},
        {"coordinate y\nkinetic y'^2/2\nconstraint a: y' = x'*sin(x - 1)/(x - 1)\nstart y = 0\n",
         NULL},
    };
    static const char *const integrator[] = {"dop853", "taylor", "adams"};
    enum { CASES = sizeof cases / sizeof *cases };
    for (size_t k = 0; k < 3 * CASES; k++) {
        char words[300];
        const char *why = cases[k % CASES].why;
        snprintf(words, sizeof words,
                 "coordinate x\nkinetic x'^2/2\n%sstart x = 0, x' = 1\nsimulate t = 0 .. 2\n",
                 cases[k % CASES].words);
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = integrator[k / CASES];
        answer a = simulate(words, &o, NULL, NULL);
        const json_tree *stopped = json_tree_get(a.summary, "stopped");
        const json_tree *reason = stopped ? json_tree_get(stopped, "reason") : NULL;
        const char *said = reason ? reason->text : "";
        if (!CHECK_INT(a.status, why ? AH_E_NUMERIC : AH_OK) ||
            !CHECK(!why || strstr(said, why) != NULL))
            fprintf(stderr, "%s%s: %s\n", cases[k % CASES].words, o.integrator, said);
        forget(&a);
    }
}

/* y = |x| comes to x = 0 with (-1, -1), and only (u, -u) can go on; |x'| = y' has no such places. */
TEST(kinks_that_velocities_cannot_pass)
{
    static const struct {
        const char *words;
        double t; /* NAN: it goes by */
    } cases[] = {
        {"constraint a: y = abs(x)\nstart x = 1, y = 1, x' = -1\n", 1},
        {"constraint a: y' = sign(x)*x'\nstart x = 1, y = 0, x' = -1\n", 1},
        {"constraint a: y' = abs(x)*x'\nstart x = 1, y = 0, x' = -1\n", NAN},
        {"force x = 1\nconstraint a: y' = 1 + abs(x')*x'\nstart x = 0, y = 0, x' = -1\n", NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[300];
        snprintf(words, sizeof words, "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n%s%s",
                 cases[i].words, "simulate t = 0 .. 3\n");
        ah_simulate_options o = ah_simulate_defaults();
        answer a = simulate(words, &o, NULL, NULL);
        const bool ends = !isnan(cases[i].t);
        CHECK_INT(a.status, ends ? AH_E_NUMERIC : AH_OK);
        const json_tree *stopped = json_tree_get(a.summary, "stopped");
        if (ends && CHECK(stopped && json_tree_get(stopped, "reason")))
            CHECK(strstr(json_tree_get(stopped, "reason")->text, "has a kink here") != NULL);
        if (ends)
            CHECK_NEAR(number(&a, "final", "t"), cases[i].t, 1, 1e-7 * 0x1p52, "where it ends");
        forget(&a);
    }
}

/* A pole that the velocities remove: the motion comes there, but the constraint as it is written has no value, whether or not a row
 * falls on that time. */
TEST(a_motion_into_a_pole_of_a_constraint)
{
    static const char points[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n";
    const struct {
        const char *constraint, *words;
        double t;
    } cases[] = {
        /* y' = (x − 1) x', 2T = 2: t = ∫ √((1 + u²)/2) du from 0 to 1 */
        {"constraint a: x' = y'/(x - 1)\nstart x = 0, y = 0, x' = 1\n",
         "the constraint `a` does not exist here, for it divides by x - 1 = 0",
         (sqrt(2) + asinh(1)) / (2 * sqrt(2))},
        {"force y = 1\nconstraint a: x'*(1/(t - 1)) = y*(1/(t - 1))\n"
         "start x = 0, y = 0, y' = -1\n",
         "it divides by t - 1 = 0", 1},
        {"constraint a: y'*tan(x) = 0\nstart x = 0.5, y = 0, x' = 1\n", "it divides by cos(x) = 0",
         2 * atan(1) - 0.5},
        {"potential y\nconstraint a: (x' - 1)/(x - 1) = 0\nstart x = 0, y = 0\n",
         "it divides by x - 1 = 0", 1},
        /* these only touch zero */
        {"constraint a: x' = y'/abs(x - 1)\nstart x = 0, y = 0, x' = 1\n",
         "it divides by x - 1 = 0", (sqrt(2) + asinh(1)) / (2 * sqrt(2))},
        {"potential y\nconstraint a: (x' - 1)/(x^2 - 2*x + 1) = 0\nstart x = 0, y = 0\n",
         "it divides by ", 1},
        {"constraint a: y'/(1 + cos(x)) = 0\nstart x = 2, y = 0, x' = 1\n",
         "it divides by cos(x) + 1 = 0", 4 * atan(1) - 2},
    };
    const char *const integrator[] = {"dop853", "taylor", "bdf", "ida"};
    enum { CASES = sizeof cases / sizeof *cases };
    for (size_t k = 0; k < 4 * CASES; k++) {
        char words[300];
        const size_t i = k % CASES;
        snprintf(words, sizeof words, "%s%ssimulate t = 0 .. 2\n", points, cases[i].constraint);
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = integrator[k / CASES];
        if (strstr(words, "abs") && !strcmp(o.integrator, "taylor")) continue; /* not analytic */
        answer a = simulate(words, &o, NULL, NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        const json_tree *stopped = json_tree_get(a.summary, "stopped");
        const char *why = stopped ? json_tree_get(stopped, "reason")->text : "";
        if (!CHECK(strstr(why, cases[i].words) != NULL)) fprintf(stderr, "%s\n", why);
        CHECK_NEAR(number(&a, "final", "t"), cases[i].t, 1, 1e-7 * 0x1p52, "where it ends");
        const double residual = json_tree_number(json_tree_get(a.summary, "max_residual"));
        CHECK(residual < 1e-12 || i > 4); /* there by the square of a distance of 1e-8 */
        forget(&a);
    }
}

/* So near to a pole, but not there: the motion goes on. */
TEST(a_motion_past_what_is_nearly_a_pole)
{
    static const char *const constraint[] = {
        "y'/((x - 1)^2 + 1e-6) = 0", "y'/(1.000001 + cos(3*x)) = 0", "y'/(abs(x - 1) + 1e-6) = 0"};
    for (size_t i = 0; i < 3; i++) {
        char words[300];
        snprintf(words, sizeof words,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: %s\n"
                 "start x = 0, y = 0, x' = 1\nsimulate t = 0 .. 2\n",
                 constraint[i]);
        const ah_simulate_options o = ah_simulate_defaults();
        answer a = simulate(words, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK_NEAR(number(&a, "final", "t"), 2, 1, 1e-9 * 0x1p52, "to the end");
        forget(&a);
    }
}

/* exp(-1/(x² + 1e-4)) is 0 in doubles at x = 0, and not zero: no rank is lost on the way there, nor at a start there. Where one is, the reason says so
 * though the variables of the integration do not exist. */
TEST(factors_that_are_zero_in_doubles_alone)
{
    static const char *const integrator[] = {NULL, "dop853", "taylor", "adams", "bdf", "ida"};
    static const char words[] = "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                                "constraint c: %s*(x' - y') = 0\n"
                                "start x = %d, y = 0, z = 0, x' = 1, y' = 1, z' = 0\n"
                                "simulate t = 0 .. 2\n";
    for (size_t k = 0; k < 12; k++) {
        char model[400];
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = integrator[k / 2];
        snprintf(model, sizeof model, words, "exp(-1/(x^2 + 1e-4))", k % 2 ? 0 : -1);
        answer a = simulate(model, &o, NULL, NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        CHECK(strstr(reason(&a), "double") != NULL && strstr(reason(&a), "singular") == NULL);
        forget(&a);
    }
    char model[400];
    ah_simulate_options o = ah_simulate_defaults();
    snprintf(model, sizeof model, words, "x", 0);
    answer a = simulate(model, &o, NULL, NULL);
    CHECK(strstr(reason(&a), "the constraints lose rank") != NULL);
    forget(&a);
}
