/* t_integrals.c - first integrals that are known from the literature must be found, and none that
 * is not one. */
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
    json_tree *answer;
} session;

static session ask_text(const char *model, size_t length, const char *set)
{
    session s = {.ctx = ah_ctx_create(NULL)};
    const char *out = NULL;
    CHECK_INT(lang_read(s.ctx, "test", model, length, set, &s.model), AH_OK);
    ah_answer *a = NULL;
    if (s.model) CHECK_INT(written(ah_integrals(s.model, NULL, &a), &a, AH_JSON, &out), AH_OK);
    if (out) s.answer = json_tree_parse(out);
    CHECK(s.answer != NULL);
    return s;
}

static session ask_model(const char *name, const char *set)
{
    char path[1024];
    size_t length;
    snprintf(path, sizeof path, "%s/models/%s", harness_source_dir(), name);
    char *model = harness_read_file(path, &length);
    const session s = ask_text(model ? model : "", model ? length : 0, set);
    free(model);
    return s;
}

static void end(session *s)
{
    json_tree_free(s->answer);
    ah_ctx_destroy(s->ctx);
}

static size_t independent(const session *s)
{
    size_t count = 0;
    const json_tree *list = json_tree_get(s->answer, "integrals");
    for (const json_tree *i = list ? list->first : NULL; i; i = i->next)
        count += json_tree_get(i, "independent")->kind == JSON_TRUE;
    return count;
}

static bool all_proved(const session *s)
{
    const json_tree *list = json_tree_get(s->answer, "integrals");
    for (const json_tree *i = list ? list->first : NULL; i; i = i->next)
        if (strcmp(json_tree_get(i, "verdict")->text, "proved")) return false;
    return true;
}

static bool has_name(const session *s, const char *name)
{
    const json_tree *list = json_tree_get(s->answer, "integrals");
    for (const json_tree *i = list ? list->first : NULL; i; i = i->next) {
        const json_tree *n = json_tree_get(i, "name");
        if (n->kind == JSON_STRING && !strcmp(n->text, name)) return true;
    }
    return false;
}

enum { MOST_NAMES = 16, TRIES = 3 };

/* want/got at random numbers for the named symbols. */
static double ratio_of(const session *s, const char *names, ah_expr want, ah_expr got)
{
    ah_expr symbol[MOST_NAMES];
    double value[MOST_NAMES];
    char list[200], *rest = list;
    size_t count = 0;
    snprintf(list, sizeof list, "%s", names);
    for (char *name; count < MOST_NAMES && (name = strtok_r(rest, " ", &rest)); count++) {
        CHECK_INT(ah_read_expression(s->model, "test", name, &symbol[count]), AH_OK);
        value[count] = harness_uniform(0.3, 2);
    }
    return ah_evaluate(s->ctx, want, count, symbol, value) /
           ah_evaluate(s->ctx, got, count, symbol, value);
}

/* Is the expression, up to a factor, among those that were found? */
static bool has(const session *s, const char *names, const char *wanted)
{
    ah_expr want, got;
    const json_tree *list = json_tree_get(s->answer, "integrals");
    CHECK_INT(ah_read_expression(s->model, "test", wanted, &want), AH_OK);
    for (const json_tree *i = list ? list->first : NULL; i; i = i->next) {
        const char *found = json_tree_get(i, "expression")->text;
        CHECK_INT(ah_read_expression(s->model, "test", found, &got), AH_OK);
        const double first = ratio_of(s, names, want, got);
        bool same = true;
        for (int k = 0; k < TRIES; k++)
            same = same && fabs(ratio_of(s, names, want, got) - first) <= 1e-9 * fabs(first);
        if (same) return true;
    }
    return false;
}

static const json_tree *measure(const session *s, const char *key)
{
    return json_tree_get(json_tree_get(s->answer, "measure"), key);
}

/* ---- What must be found ---------------------------------------------------------------------- */

TEST(energies_of_the_points_of_the_double_pendulum) /* Benenti 2011, Theorem 6 */
{
    session s = ask_model("double_pendulum.ah", NULL);
    CHECK(has(&s, "m1 m2 g x1 y1 x2 y2 x1' y1' x2' y2'", "1/2*m1*(x1'^2 + y1'^2) - m1*g*x1"));
    CHECK(has(&s, "m1 m2 g x1 y1 x2 y2 x1' y1' x2' y2'", "1/2*m2*(x2'^2 + y2'^2) - m2*g*x2"));
    CHECK(has_name(&s, "energy") && has_name(&s, "energy of P1") && has_name(&s, "energy of P2"));
    CHECK_INT(independent(&s), 2);
    CHECK(all_proved(&s));
    end(&s);
}

TEST(parallel_points_on_the_incline)
{
    session s = ask_model("parallel_points_incline.ah", NULL);
    CHECK(has(&s, "rho sigma", "rho - sigma"));
    CHECK(has_name(&s, "energy of P1") && has_name(&s, "energy of P2"));
    CHECK_INT(independent(&s), 5);
    CHECK(all_proved(&s));
    end(&s);
    s = ask_model("parallel_points.ah", NULL);
    CHECK(has_name(&s, "energy of P1") && has_name(&s, "energy of P2"));
    end(&s);
}

TEST(integrable_combination_of_the_cart)
{
    session s = ask_model("cart.ah", NULL);
    CHECK(has(&s, "b r theta phi1 phi2", "2*b*theta + r*(phi1 - phi2)"));
    CHECK_INT(independent(&s), 2);
    end(&s);
}

TEST(sleigh_has_its_energy_and_no_measure)
{
    session s = ask_model("sleigh_talamucci.ah", NULL);
    CHECK(has_name(&s, "energy"));
    CHECK_INT(independent(&s), 1);
    CHECK(measure(&s, "found")->kind == JSON_FALSE); /* it has attracting motions */
    end(&s);
}

TEST(free_rigid_body)
{
    session s = ask_model("rigid_body.ah", "Mp=0,Mq=0,Mr=0");
    CHECK(has_name(&s, "energy") && has_name(&s, "moment of momentum about x") &&
          has_name(&s, "moment of momentum about y"));
    CHECK_INT(independent(&s), 4); /* energy and the three components; the square follows */
    CHECK(all_proved(&s));
    CHECK_STR(measure(&s, "density")->text, "sin(chi)");
    end(&s);
}

/* Hamel's equations of the body with Poisson's left out: only the search in quasi-velocities can
 * find A² p² + B² q² + C² r². */
TEST(square_of_the_moment_by_search)
{
    static const char body[] =
        "parameter A = 2, B = 3, C = 9/2\ncoordinate a, b, c\nassume cos(b) > 0.1\n"
        "let u1 = a'*cos(b)*cos(c) + b'*sin(c)\nlet u2 = b'*cos(c) - a'*cos(b)*sin(c)\n"
        "let u3 = a'*sin(b) + c'\nkinetic 1/2*(A*u1^2 + B*u2^2 + C*u3^2)\n"
        "quasivelocity p = u1, q = u2, r = u3\n";
    session s = ask_text(body, strlen(body), NULL);
    CHECK(has_name(&s, "energy") && has_name(&s, "momentum of a"));
    CHECK(independent(&s) >= 3);
    CHECK(all_proved(&s));
    end(&s);
}

/* The constraint z' = y x' on a free point: y', x' (1 + y²) − z y' and the energy. */
TEST(nonholonomic_particle)
{
    static const char particle[] = "coordinate x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\n"
                                   "constraint c: z' = y*x'\n";
    session s = ask_text(particle, strlen(particle), NULL);
    CHECK(has(&s, "y'", "y'"));
    CHECK(has(&s, "x y z x' y' z'", "x' + y*z' - z*y'") ||
          has(&s, "x y z x' y' z'", "x'*(1 + y^2) - z*y'"));
    CHECK(has_name(&s, "energy"));
    CHECK_INT(independent(&s), 3);
    CHECK(all_proved(&s));
    CHECK_STR(measure(&s, "density")->text, "sqrt(y^2 + 1)");
    CHECK_STR(measure(&s, "verdict")->text, "proved");
    end(&s);
}

/* Parameters without values are letters in what is found, and others are where that is true. */
TEST(letters)
{
    static const char particle[] = "parameter m, k\nassume m > 0, k > 0\ncoordinate x, y, z\n"
                                   "kinetic m*(x'^2 + y'^2 + z'^2)/2\nconstraint c: z' = k*y*x'\n";
    session s = ask_text(particle, strlen(particle), NULL);
    CHECK_INT(independent(&s), 3);
    CHECK(has(&s, "k x y z x' y' z'", "x' + k*(y*z' - z*y')"));
    CHECK(all_proved(&s));
    CHECK_STR(measure(&s, "density")->text, "sqrt(k^2*y^2 + 1)");
    end(&s);
    /* for k = 0 there is no constraint, and that density is none of the free point */
    static const char none[] = "parameter k\ncoordinate x, y, z\n"
                               "kinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: k*z' = k*y*x'\n";
    s = ask_text(none, strlen(none), NULL);
    CHECK_STR(measure(&s, "density")->text, "sqrt(y^2 + 1)");
    CHECK_STR(measure(&s, "verdict")->text, "holds");
    end(&s);
    s = ask_model("parallel_points_incline.ah", NULL);
    CHECK(has(&s, "m1 m2 g y1 y2 rho sigma theta",
              "(m1*rho^2 + m2*sigma^2)*sin(theta)*cos(theta) - g*(m1*y1 + m2*y2)"));
    end(&s);
    /* with equal frequencies alone there is a third: no letters then */
    static const char oscillator[] = "parameter a = 2, b = 2\ncoordinate x, y\n"
                                     "kinetic 1/2*(x'^2 + y'^2)\npotential a*x^2 + b*y^2\n";
    s = ask_text(oscillator, strlen(oscillator), NULL);
    CHECK(has(&s, "x y x' y'", "x'*y' + 4*x*y"));
    CHECK_INT(independent(&s), 3);
    CHECK(all_proved(&s));
    end(&s);
}

TEST(cyclic_coordinate_and_central_force)
{
    static const char kepler[] = "parameter k = 2\ncoordinate x, y\nassume x > 0\n"
                                 "kinetic 1/2*(x'^2 + x^2*y'^2)\npotential k*x^2\n";
    session s = ask_text(kepler, strlen(kepler), NULL);
    CHECK(has_name(&s, "energy") && has_name(&s, "momentum of y"));
    CHECK(has(&s, "x y'", "x^2*y'"));
    CHECK(all_proved(&s));
    end(&s);
    /* in Cartesian coordinates the oscillator has three, and the search must find the third */
    static const char oscillator[] = "parameter k = 2\ncoordinate x, y\n"
                                     "kinetic 1/2*(x'^2 + y'^2)\npotential k*(x^2 + y^2)\n";
    s = ask_text(oscillator, strlen(oscillator), NULL);
    CHECK_INT(independent(&s), 3);
    CHECK(all_proved(&s));
    end(&s);
}

/* Unspecified functions stay, also in the proof. */
TEST(energy_with_an_unspecified_potential)
{
    static const char model[] = "coordinate x, y\nkinetic 1/2*(x'^2 + y'^2)\nfunction V(x)\n"
                                "potential V(x)\n";
    session s = ask_text(model, strlen(model), NULL);
    CHECK(has_name(&s, "energy") && has_name(&s, "momentum of y"));
    CHECK_INT(independent(&s), 2);
    CHECK(all_proved(&s));
    end(&s);
}

/* ---- What must not be found ------------------------------------------------------------------ */

TEST(nothing_is_found_where_nothing_is_constant)
{
    static const char damped[] = "coordinate x, y\nkinetic 1/2*(x'^2 + y'^2)\n"
                                 "potential cos(x)*sin(2*y) + x^4*y\nforce x = -0.1*x'^3\n";
    session s = ask_text(damped, strlen(damped), NULL);
    CHECK_INT(json_tree_count(json_tree_get(s.answer, "integrals")), 0);
    CHECK(measure(&s, "found")->kind == JSON_FALSE);
    end(&s);
    /* what follows from the constraint is no integral of the motion */
    static const char circle[] = "coordinate x, y\nkinetic 1/2*(x'^2 + y'^2)\npotential 3*y\n"
                                 "constraint f: x^2 + y^2 = 1\n";
    s = ask_text(circle, strlen(circle), NULL);
    CHECK_INT(independent(&s), 1);
    CHECK(has_name(&s, "energy"));
    end(&s);
}

/* Constant by pieces is no integral. */
TEST(energies_that_jump)
{
    static const char *const potential[] = {"if(t < 1, x, 2*x)", "atan(1/x)"};
    for (size_t i = 0; i < 2; i++) {
        char model[200];
        const int length = snprintf(model, sizeof model,
                                    "coordinate x\nkinetic x'^2/2\npotential %s\n", potential[i]);
        session s = ask_text(model, (size_t) length, NULL);
        CHECK_INT(independent(&s), 0);
        end(&s);
    }
}

/* x'² + p y'² = 0 has states for p < 0 alone: the letter stands for such a one. */
TEST(parameters_that_leave_states)
{
    static const char plane[] = "parameter p\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                                "constraint a: x'^2 + p*y'^2 = 0\n";
    session s = ask_text(plane, strlen(plane), NULL);
    CHECK_INT(independent(&s), 2); /* the energy, and the line */
    end(&s);
    static const char circle[] = "parameter p\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                                 "potential x\nconstraint a: x'^2 + y'^2 = p\n";
    s = ask_text(circle, strlen(circle), NULL);
    CHECK_INT(independent(&s), 1); /* z' */
    end(&s);
}
