/* tests/t_lower_rank.c - motions on a component of the constraint set on which fewer constraints are independent than
 * on another, against closed forms (docs/decisions/0018-ranks.md).
 *
 * (x' − y')(x' + y') = 0 and (x' − y')(z' − 1) = 0 leave x' = y', where one row is independent, and x' = −y', z' = 1,
 * where both are. With T = (x'² + 2y'² + 3z'²)/2 and V = x + y²/2 + z the former has
 *
 *     3 y'' = −1 − y,   3 z'' = −1,       y = −1 + A cos ωt + B sin ωt,   ω = 1/√3. */
#include "harness/motions.h"
#include "harness/written.h"

#include <math.h>
#include <stdio.h>

#define POINTS "coordinate x, y, z\nkinetic (x'^2 + 2*y'^2 + 3*z'^2)/2\npotential x + y^2/2 + z\n"
#define ROWS   "constraint a: (x' - y')*(x' + y') = 0\nconstraint b: (x' - y')*(z' - 1) = 0\n"

static const char fast[] =
    POINTS ROWS "start x = 0, y = 0, z = 0, x' = 1, y' = 1, z' = 3\nsimulate t = 0 .. 2\n";
static const char places[] =
    POINTS "constraint a: (x - y)*(x + y) = 0\nconstraint b: (x - y)*(z - 1) = 0\n"
           "start x = 0, y = 0, z = 3, x' = 1, y' = 1, z' = 3\nsimulate t = 0 .. 2\n";

static double y_after(double t)
{
    const double w = 1 / sqrt(3);
    return -1 + cos(w * t) + sin(w * t) / w;
}

static double speed_after(double t)
{
    const double w = 1 / sqrt(3);
    return cos(w * t) - w * sin(w * t);
}

/* At t = 1.81 x' passes through zero: row a is empty there, and b carries the motion. */
TEST(motions_by_all_integrators_and_methods)
{
    static const char *const integrator[] = {"dop853", "taylor", "adams", "bdf", "ida"};
    static const char *const method[] = {"multipliers", "parametric",      "gibbs-appell",
                                         "gauss",       "hamel-nonlinear", "maggi"};
    for (int i = 0; i < 11; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = i < 5 ? integrator[i] : NULL;
        o.method = i < 5 ? NULL : method[i - 5];
        answer a = simulate(fast, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK_NEAR(final(&a, "q", 0), y_after(2), 1, 1e-8 * 0x1p52, "x by the tolerances");
        CHECK_NEAR(final(&a, "q", 1), y_after(2), 1, 1e-8 * 0x1p52, "y by the tolerances");
        CHECK_NEAR(final(&a, "q", 2), 6 - 2.0 / 3, 1, 1e-8 * 0x1p52, "z by the tolerances");
        forget(&a);
    }
}

TEST(motions_at_places_of_lower_rank)
{
    ah_simulate_options o = ah_simulate_defaults();
    for (int i = 0; i < 2; i++) {
        o.integrator = i ? "ida" : NULL;
        answer a = simulate(places, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK_NEAR(final(&a, "q", 0), y_after(2), 1, 1e-8 * 0x1p52, "x by the tolerances");
        CHECK_NEAR(final(&a, "q", 2), 9 - 2.0 / 3, 1, 1e-8 * 0x1p52, "z by the tolerances");
        forget(&a);
    }
}

/* A start that satisfies the constraints to 1e-9 only, and one that --project moves to the nearest of the component:
 * (x' + 2y')/3 of 1 and 1.1. */
TEST(starts_beside_the_component)
{
    ah_simulate_options o = ah_simulate_defaults();
    o.at = "y'=1.0000000001";
    answer a = simulate(fast, &o, NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK_NEAR(final(&a, "q", 0), y_after(2), 1, 1e-8 * 0x1p52, "x");
    forget(&a);
    o.at = "y'=1.1";
    o.project = true;
    o.to = "0";
    a = simulate(fast, &o, NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK_NEAR(final(&a, "qdot", 0), 3.2 / 3, 1, 100, "x'");
    CHECK_NEAR(final(&a, "qdot", 1), 3.2 / 3, 1, 100, "y'");
    CHECK_NEAR(final(&a, "qdot", 2), 3, 1, 100, "z' stays");
    forget(&a);
}

/* The same beside particles that are held: rows enough to be sparse. */
TEST(starts_of_lower_rank_among_many_rows)
{
    char model[900];
    ah_simulate_options o = ah_simulate_defaults();
    snprintf(model, sizeof model,
             "%sparameter n = 60\ncoordinate w[1..n]\nfor i = 1 .. n:\n    kinetic w[i]'^2/2\n"
             "    constraint hold[i]: w[i]' = 0\n    start w[i] = 0\n",
             fast);
    for (int i = 0; i < 2; i++) {
        o.at = i ? "y'=1.0000000001" : NULL;
        answer a = simulate(model, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK_NEAR(final(&a, "q", 0), y_after(2), 1, 1e-8 * 0x1p52, "x by the tolerances");
        CHECK_NEAR(final(&a, "q", 2), 6 - 2.0 / 3, 1, 1e-8 * 0x1p52, "z by the tolerances");
        forget(&a);
    }
}

/* x' = 0 and z' = 1 at one time: both rows are empty, and the components meet. z' = c − t/3. */
TEST(it_ends_where_the_components_meet)
{
    char model[600];
    const double meet = sqrt(3) * atan(sqrt(3));
    snprintf(model, sizeof model,
             POINTS ROWS
             "start x = 0, y = 0, z = 0, x' = 1, y' = 1, z' = %.17g\nsimulate t = 0 .. 4\n",
             1 + meet / 3);
    ah_simulate_options o = ah_simulate_defaults();
    answer a = simulate(model, &o, NULL, NULL);
    CHECK_INT(a.status, AH_E_NUMERIC);
    CHECK(strstr(reason(&a), "a singular state") != NULL);
    CHECK_NEAR(number(&a, "final", "t"), meet, 1, 1e-4 * 0x1p52, "there");
    forget(&a);
}

/* ---- One state ------------------------------------------------------------------------------- */

TEST(accelerations_by_all_methods)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    const char *out = NULL;
    ah_eval_options o = ah_eval_defaults();
    o.method = "all";
    REQUIRE(lang_read(ctx, "model", fast, strlen(fast), NULL, &m) == AH_OK);
    CHECK_INT(ah_eval(m, &o, AH_JSON, &out), AH_OK);
    json_tree *told = out ? json_tree_parse(out) : NULL;
    int given = 0;
    for (const json_tree *t = told ? json_tree_get(told, "methods")->first : NULL; t; t = t->next) {
        const json_tree *qddot = json_tree_get(t, "qddot");
        given += qddot != NULL;
        for (size_t i = 0; qddot && i < 3; i++)
            CHECK_NEAR(json_tree_number(json_tree_at(qddot, i)), -1.0 / 3, 1, 10, t->key);
    }
    CHECK_INT(given, 6);
    json_tree_free(told);
    ah_ctx_destroy(ctx);
}

/* ---- Systems --------------------------------------------------------------------------------- */

TEST(steps_of_a_system_and_states_of_another_rank)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_system *s = NULL;
    ah_motion *motion = NULL;
    double y[6] = {0};
    REQUIRE(lang_read(ctx, "model", fast, strlen(fast), NULL, &m) == AH_OK);
    REQUIRE(ah_system_create(m, NULL, &s) == AH_OK);
    REQUIRE(ah_motion_create(s, NULL, &motion) == AH_OK);
    CHECK_INT(ah_motion_advance(motion, 2), AH_OK);
    CHECK_INT(ah_motion_state(motion, y), AH_OK);
    CHECK_NEAR(y[0], y_after(2), 1, 1e-8 * 0x1p52, "x by the tolerances");
    /* x' = −y', z' = 1 has another rank than these equations were made for */
    const double other[] = {0, 0, 0, 1, -1, 1};
    CHECK_INT(ah_motion_restart(motion, 0, other, NULL), AH_OK);
    CHECK(ah_motion_advance(motion, 1) != AH_OK);
    const char *why = ah_motion_why(motion);
    CHECK(why && strstr(why, "rank 2 on the component x' + y' = 0, z' - 1 = 0"));
    ah_motion_destroy(motion);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
}

/* ---- Steady motions -------------------------------------------------------------------------- */

/* Without z in V: y = −1 at rest, z' free, λ² = −1/3, on x' = y'; on the other component rest is singular. */
TEST(steady_motions_of_a_component_of_lower_rank)
{
    static const char model[] =
        "coordinate x, y, z\nkinetic (x'^2 + 2*y'^2 + 3*z'^2)/2\npotential x + y^2/2\n" ROWS
        "start x = 0, y = 0, z = 0, x' = 1, y' = 1, z' = 3\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_answer *a = NULL;
    const char *out = NULL;
    REQUIRE(lang_read(ctx, "model", model, strlen(model), NULL, &m) == AH_OK);
    CHECK_INT(written(ah_steady(m, NULL, &a), &a, AH_JSON, &out), AH_OK);
    json_tree *told = out ? json_tree_parse(out) : NULL;
    const json_tree *families = told ? json_tree_get(told, "families") : NULL;
    CHECK_INT(json_tree_count(families), 1);
    if (families && families->first) {
        CHECK_STR(json_tree_get(families->first, "component")->text, "x' - y' = 0");
        CHECK_NEAR(json_tree_number(json_tree_get(json_tree_get(families->first, "state"), "y")),
                   -1, 1, 1e5, "rest");
    }
    json_tree_free(told);
    CHECK_INT(written(ah_stability(m, NULL, &a), &a, AH_JSON, &out), AH_OK);
    told = out ? json_tree_parse(out) : NULL;
    double largest = 0;
    for (const json_tree *e = told ? json_tree_get(told, "eigenvalues")->first : NULL; e;
         e = e->next)
        largest = fmax(largest, json_tree_number(json_tree_at(e, 1)));
    CHECK_NEAR(largest, 1 / sqrt(3), 1, 1e5, "frequency");
    json_tree_free(told);
    ah_ctx_destroy(ctx);
}

/* ---- Velocity forms -------------------------------------------------------------------------- */

/* Parameters and quasi-velocities of the other component, x' = −y', z' = 1: the former do not exist here, the latter go with the
 * motion and its events. */
TEST(motions_beside_the_declared_speeds)
{
    static const char *const speeds[] = {
        "velocity v: x' = v, y' = -v, z' = 1\n",
        "quasivelocity w = x'\nrecord \"turns\" when w = 0\noutput twice = 2*w\n"};
    for (size_t i = 0; i < 2; i++) {
        char model[600];
        snprintf(model, sizeof model, "%s%s%s", POINTS ROWS, speeds[i],
                 "start x = 0, y = 0, z = 0, x' = 1, y' = 1, z' = 3\nsimulate t = 0 .. 2\n");
        ah_simulate_options o = ah_simulate_defaults();
        answer a = simulate(model, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK_NEAR(final(&a, "q", 0), y_after(2), 1, 1e-8 * 0x1p52, "x by the tolerances");
        CHECK_NEAR(final(&a, "qdot", 1), speed_after(2), 1, 1e-8 * 0x1p52, "y' by the tolerances");
        const json_tree *event = json_tree_at(json_tree_get(a.summary, "events"), 0);
        if (i > 0) CHECK_INT(json_tree_count(json_tree_get(a.summary, "events")), 1);
        if (event) /* tan ωt = 1/ω */
            CHECK_NEAR(json_tree_number(json_tree_get(event, "t")), sqrt(3) * atan(sqrt(3)), 1,
                       1e-8 * 0x1p52, "where it turns");
        forget(&a);
    }
}

/* The form gives x' = y'; on x' = −y', as admissible, x'' = −1/2 as well. */
TEST(starts_that_a_velocity_form_does_not_give)
{
    static const char model[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x\n"
                                "constraint a: x'^2 = y'^2\nvelocity v: x' = v, y' = v\n"
                                "start x = 0, y = 0, x' = 1, y' = -1\nsimulate t = 0 .. 1\n";
    ah_simulate_options o = ah_simulate_defaults();
    answer a = simulate(model, &o, NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK_NEAR(final(&a, "q", 0), 0.75, 1, 1e-8 * 0x1p52, "x by the tolerances");
    CHECK_NEAR(final(&a, "q", 1), -0.75, 1, 1e-8 * 0x1p52, "y by the tolerances");
    forget(&a);
    o.method = "parametric";
    a = simulate(model, &o, NULL, NULL);
    CHECK_INT(a.status, AH_E_NUMERIC);
    CHECK(strstr(reason(&a), "no velocity parameters give these velocities") != NULL);
    forget(&a);
}
