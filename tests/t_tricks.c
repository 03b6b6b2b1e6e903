/* t_tricks.c - systems that a prover is easily wrong about, by the kind of trick; true claims and
 * false ones of each kind. The labels begin with the verdict that they must get. What is true was
 * found by hand, component by component. */
#include "harness/harness.h"
#include "harness/tricks.h"

#include <stdio.h>
#include <time.h>

static void check_not_refuted(const char *model)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    json_tree *answer = verdicts_of(ctx, model, NULL);
    const json_tree *claims = answer ? json_tree_get(answer, "claims") : NULL;
    CHECK(claims != NULL && claims->first != NULL);
    for (const json_tree *c = claims ? claims->first : NULL; c; c = c->next)
        harness_check(strcmp(json_tree_get(c, "verdict")->text, "false") != 0, __FILE__, __LINE__,
                      json_tree_get(c, "label")->text);
    json_tree_free(answer);
    ah_ctx_destroy(ctx);
}

/* ---- Assumptions: e >= 0 allows e = 0, e > 0 does not ----------------------------------------- */

TEST(borders_of_assumptions)
{
    /* x' = 5 is all border */
    check_verdicts(POINTS_3 "assume x' >= 5\nconstraint a: (x' - 5)*(y' - z') = 0\n"
                            "claim \"false 1\": y' = z'\nclaim \"false 2\": constant energy\n"
                            "claim \"proved 3\": abs(x' - 5)*(y' - z') = 0\n",
                   NULL);
    check_verdicts(POINTS_3 "assume x' > 5\nconstraint a: (x' - 5)*(y' - z') = 0\n"
                            "claim \"proved 1\": y' = z'\nclaim \"proved 2\": constant energy\n",
                   NULL);
    check_verdicts(POINTS_3 "assume x <= 0\nconstraint a: x*(y - z) = 0\n"
                            "claim \"false 1\": y = z\nclaim \"proved 2\": x*y' = x*z'\n"
                            "claim \"proved 3\": abs(x) = -x\n",
                   NULL);
    /* x = 0 lies apart from x >= 1 */
    /* sinh(x)^2 is (cosh(x) - 1)(cosh(x) + 1) */
    check_verdicts(POINTS_2 "assume sinh(x)^2*(sinh(x) - 1) >= 0\n"
                            "claim \"false 1\": abs(sinh(x) - 1) = sinh(x) - 1\n",
                   NULL);
    check_verdicts(POINTS_2 "assume x^2*(x - 1) >= 0\n"
                            "claim \"not proved 1\": abs(x - 1) = x - 1\n",
                   NULL);
    /* without damping nothing is attracted */
    static const char damped[] = "parameter k, c\nassume c > 0, k %s 0\ncoordinate x\n"
                                 "kinetic x'^2/2\npotential c*x^2/2\nforce x = -k*x'\n"
                                 "claim \"%s 1\": attracting at x = 0\n"
                                 "claim \"proved 2\": stable at x = 0\n"
                                 "claim \"proved 3\": abs(k)*x' = k*x'\n";
    char words[1000];
    snprintf(words, sizeof words, damped, ">=", "unknown");
    check_verdicts(words, NULL);
    snprintf(words, sizeof words, damped, ">", "proved");
    check_verdicts(words, NULL);
}

/* ---- Pivots: what is divided by vanishes somewhere, and that is harmless --------------------- */

TEST(pivots)
{
    check_verdicts("coordinate x, y, th\nkinetic (x'^2 + y'^2 + th'^2)/2\npotential x\n"
                   "constraint blade: x'*sin(th) - y'*cos(th) = 0\n"
                   "claim \"proved 1\": constant energy\nclaim \"proved 2\": th'' = 0\n"
                   "claim \"proved 3\": x''*cos(th) + y''*sin(th) = -cos(th)\n"
                   "claim \"false 4\": x' = 0\nclaim \"proved 5\": x'*sin(th) = y'*cos(th)\n",
                   NULL);
    check_verdicts("coordinate x, y, th\nkinetic (x'^2 + y'^2 + th'^2)/2\npotential x\n"
                   "constraint blade: (1 - cos(th))*x' - sin(th)*y' = 0\n"
                   "claim \"proved 1\": constant energy\nclaim \"false 2\": x' = y'\n",
                   NULL);
}

/* ---- Several charts -------------------------------------------------------------------------- */

/* The first row's pivot vanishes on the second: a chart through it is none. */
TEST(several_charts)
{
    check_verdicts(POINTS_4 "constraint h: x = 0\nconstraint a: x*y' + z' = 0\n"
                            "claim \"proved 1\": z' = 0\nclaim \"false 2\": y' = 0\n",
                   NULL);
    check_verdicts(POINTS_4 "constraint h: x^2 = 1\nconstraint a: (x - 1)*y' + (x + 1)*z' = 0\n"
                            "claim \"false 1\": y' = 0\nclaim \"false 2\": z' = 0\n"
                            "claim \"proved 3\": y'*z' = 0\n",
                   NULL);
}

/* It cannot be taken apart, but states are drawn on each factor. */
TEST(bound_inside_a_product)
{
    check_verdicts(POINTS_3 "constraint a: (y - sin(z))*(z - sin(x)) = 0\n"
                            "claim \"false 1\": y = sin(z)\nclaim \"false 2\": z = sin(x)\n"
                            "claim \"proved 3\": (y - sin(z))*(z - sin(x)) = 0\n",
                   NULL);
}

/* A constraint claimed, beside products that cross at its states. */
TEST(a_claim_that_is_a_constraint)
{
    check_verdicts(POINTS_4 "constraint p: w'*(x' - y') = 0\nconstraint q: w'*(z' - y') = 0\n"
                            "constraint s: (z' - x')*w' = 0\nconstraint u: z' = x'\n"
                            "claim \"proved 1\": z' = x'\nclaim \"proved 2\": 3*w'*y' = 3*w'*x'\n"
                            "claim \"not proved 3\": w' = 0\n",
                   NULL);
    check_verdicts(POINTS_4 "constraint p: (w' - 1)*(x' - 5) = 0\n"
                            "constraint q: (w' - y')*(x' - z') = 0\nconstraint u: w' = 1\n"
                            "claim \"proved 1\": w' = 1\nclaim \"false 2\": y' = 1\n",
                   NULL);
    check_verdicts(POINTS_4 "constraint p: w'*(x' - y') = 0\nconstraint q: w'*(x' - z') = 0\n"
                            "constraint u: w' = 0\nclaim \"proved 1\": w' = 0\n"
                            "claim \"proved 2\": constant energy\n",
                   NULL);
    /* but of no state nothing is proved */
    check_verdicts(POINTS_4 "constraint p: w'*(x' - y') = 0\nconstraint q: w' + x' = y'\n"
                            "claim \"unknown 1\": w' + x' = y'\n",
                   NULL);
}

/* Functions of what a constraint binds are no free symbols. */
TEST(bound_inside_a_function)
{
    check_verdicts(POINTS_4 "constraint h: x = 0\nconstraint a: sin(x)*(y' - z') = 0\n"
                            "claim \"unknown 1\": y' = z'\n",
                   NULL);
}

/* Rows that are zero where the others hold, or on whole regions, though no algebra says so: what is
 * left of them is round-off, and y' = z' does not follow. */
TEST(zero_rows_in_disguise)
{
    static const char *const row[][2] = {{"x = pi", "sin(x)"},
                                         {"x = 1/2", "asin(x) - pi/6"},
                                         {"exp(x) = 1", "x"},
                                         {"x = w", "exp(x)*exp(-w) - 1"},
                                         {"x = 2*w", "sin(x) - 2*sin(w)*cos(w)"},
                                         {"sin(x) = 0", "sin(2*x)"},
                                         {"x*w = 1", "log(x^2) + log(w^2)"},
                                         {"w = 1", "atan2(sin(x), cos(x)) - x"},
                                         {"w = 1", "asin(sin(x)) - x"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 POINTS_4 "constraint h: %s\nconstraint a: (%s)*(y' - z') = 0\n"
                          "claim \"unknown 1\": y' = z'\nclaim \"not proved 2\": rank 2\n"
                          "claim \"unknown 3\": y'' = -1/2\n",
                 row[i][0], row[i][1]);
        check_verdicts(text, NULL);
    }
    check_verdicts(POINTS_3 "constraint a: abs(x') + x' = 0\nclaim \"unknown 1\": x' = 0\n"
                            "claim \"unknown 2\": x'' = 0\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: (abs(9 - x) - 9 + x)*(y' - z') = 0\n"
                            "claim \"not proved 1\": y'' = -1\nclaim \"not proved 2\": y' = z'\n",
                   NULL);
    /* small is not zero */
    check_verdicts(POINTS_3 "constraint a: 1e-40*(y' - z') = 0\nclaim \"proved 1\": y' = z'\n"
                            "claim \"proved 2\": rank 1\n",
                   NULL);
}

/* Integrable for x > 0 and not for x < 0: neither word is true. */
TEST(kinds_that_change_with_the_region)
{
    static const char *const factor[] = {"sqrt(x^2) - x", "abs(x) - x", "asin(sin(x)) - x",
                                         "sqrt(1 - sin(x)^2) - cos(x)",
                                         "sqrt(x^2*(y^2 + 1)) - x*sqrt(y^2 + 1)"};
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 POINTS_3 "constraint a: z' = (%s)*y'\nclaim \"unknown 1\": holonomic\n"
                          "claim \"unknown 2\": growth 2\nclaim \"unknown 3\": accessible 2\n",
                 factor[i]);
        check_verdicts(text, NULL);
    }
    check_verdicts(POINTS_3 "constraint a: z' = sqrt(x^2 + 1)*y'\nclaim \"proved 1\": growth 2, 3\n"
                            "claim \"proved 2\": nonholonomic\nclaim \"false 3\": holonomic\n",
                   NULL);
}

/* ---- Stability: borders, thin sets of parameters, tiny coefficients -------------------------- */

#define OSCILLATOR "parameter k = 1, c = 1\ncoordinate x\nkinetic x'^2/2\nforce x = "

TEST(stability_at_borders)
{
    check_verdicts(OSCILLATOR "-k*x\nclaim \"proved 1\": stable at x = 0 when k >= 0\n"
                              "claim \"proved 2\": unstable at x = 0 when k < 0\n"
                              "claim \"unknown 3\": unstable at x = 0 when k <= 0\n",
                   NULL);
    check_verdicts(OSCILLATOR
                   "-k*x - c*x'\nclaim \"proved 1\": attracting at x = 0 when k > 0, c > 0\n"
                   "claim \"unknown 2\": attracting at x = 0 when k > 0, c >= 0\n"
                   "claim \"unknown 3\": attracting at x = 0 when k >= 0, c > 0\n",
                   NULL);
    check_verdicts(OSCILLATOR "(k - 1)^2*x\nclaim \"unknown 1\": unstable at x = 0 when k > 0\n"
                              "claim \"proved 2\": unstable at x = 0 when k > 1\n",
                   NULL);
    check_verdicts(OSCILLATOR "1e-12*x\nclaim \"proved 1\": unstable at x = 0\n"
                              "claim \"false 2\": stable at x = 0\n",
                   NULL);
}

/* ---- What is compared ------------------------------------------------------------------------ */

#define BLADE                                                                                      \
    "parameter m = 2, s = 0.3\ncoordinate x, y, th\n"                                              \
    "kinetic m*(x'^2 + y'^2)/2 + m*s*th'*(y'*cos(th) - x'*sin(th)) + th'^2/2\n"                    \
    "constraint edge: y'*cos(th) - x'*sin(th) = 0\n"

TEST(functions_and_their_values)
{
    check_verdicts(
        BLADE
        "claim \"proved 1\": kinetic = m*(x'^2 + y'^2)/2 + m*s*th'*(y'*cos(th) - x'*sin(th)) + "
        "th'^2/2\n"
        "claim \"false 2\": kinetic = m*(x'^2 + y'^2)/2 + th'^2/2\n"
        "claim \"false 3\": m*(x'^2 + y'^2)/2 + 7*m*s*th'*(y'*cos(th) - x'*sin(th)) + th'^2/2 = "
        "kinetic\n"
        "claim \"proved 4\": kinetic - m*(x'^2 + y'^2)/2 = th'^2/2\n"
        "claim \"proved 5\": y'*cos(th) = x'*sin(th)\n"
        "claim \"false 6\": identically y'*cos(th) = x'*sin(th)\n"
        "claim \"proved 7\": identically (x' + y')^2 = x'^2 + 2*x'*y' + y'^2\n"
        "refute \"false 8\": identically x' = y'\n"
        "claim \"unknown 9\": identically lambda[1] = 0\n"
        "claim \"proved 10\": potential = 0\nclaim \"false 11\": potential = y'*cos(th) - "
        "x'*sin(th)\n"
        "claim \"proved 12\": identically der(x^2) = 2*x*x'\n",
        NULL);
    check_constraints(BLADE "claim \"1\": y'*cos(th) = x'*sin(th)\n"
                            "claim \"0\": x' + x' = 2*x'\nclaim \"0\": th'' = th''\n");
}

/* A coordinate may be called so. */
TEST(identically_as_a_name)
{
    check_verdicts("coordinate identically\nkinetic identically'^2/2\n"
                   "claim \"proved 1\": identically'' = 0\nclaim \"false 2\": identically = 0\n",
                   NULL);
}

/* ---- Contradictions, tiny coefficients, integrals that are none ------------------------------ */

TEST(contradictory_rows)
{
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x' = y'\n"
                   "constraint b: exp(5*x)*(x' - y') = 3\nclaim \"unknown 1\": x' = y'\n"
                   "claim \"unknown 2\": constant energy\nrefute \"unknown 3\": x' = y'\n",
                   NULL);
    check_verdicts("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: x'*y' = 1\n"
                   "constraint b: y' = z'\nconstraint c: x'*z' = 2\n"
                   "claim \"unknown 1\": x' = y'\n",
                   NULL);
}

TEST(tiny_coefficients)
{
    check_verdicts("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint a: x' + 1e-9*y' = 0\nconstraint b: x' = 0\n"
                   "claim \"proved 1\": rank 2\nrefute \"false 2\": rank 1\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: (x' - 1e-9*y')*(x' - y') = 0\n"
                            "claim \"false 1\": x' = y'\nclaim \"false 2\": x' = 1e-9*y'\n"
                            "claim \"false 3\": x' = 0\nclaim \"proved 4\": constant energy\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: x' = (1 + 1e-9)*y'\nclaim \"false 1\": x' = y'\n"
                            "claim \"proved 2\": x' - y' = 1e-9*y'\n",
                   NULL);
}

/* The function that they keep has coefficients too far apart to be found; that no bracket leaves the plane is seen all the same. */
TEST(directions_in_odd_units)
{
    static const char *const tie[] = {"z' = 1e-18*x'", "1e9*z' = 1e-9*x'/3",
                                      "z' = 1e-10*x' + 1e10*y'"};
    for (size_t i = 0; i < sizeof tie / sizeof *tie; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 POINTS_3 "constraint a: %s\nclaim \"proved 1\": holonomic\n"
                          "claim \"proved 2\": accessible 2\nclaim \"proved 3\": growth 2\n"
                          "claim \"false 4\": nonholonomic\nclaim \"false 5\": accessible 3\n",
                 tie[i]);
        check_verdicts(text, NULL);
    }
    check_verdicts(POINTS_3 "constraint a: z' = 1e-18*y*x'\nclaim \"false 1\": holonomic\n"
                            "claim \"proved 2\": nonholonomic\nclaim \"proved 3\": growth 2, 3\n",
                   NULL);
}

/* They hold where their gradients vanish alone; in doubles, a little beside, they do not. */
TEST(sums_of_squares_have_no_regular_states)
{
    static const char *const rows[] = {
        "(x'*sin(z) - y'*cos(z))^2 + 3/2*(y'*sin(z) - z'*cos(z))^2 = 0",
        "(2*z' + 3/2*sqrt(1 + x^2)*y')^2 = 0",
        "(x'*sin(z) - y'*cos(z))^4 + exp(x)*(y'*sin(z) - z'*cos(z))^2 = 0",
        "(x' - y')^6 + (y'*sin(z) - z')^2*(1 + x^2) = 0",
        "cosh(x' - y') = 1",
        "(x - y)^4 + (z - sin(x))^2 = 0",
    };
    char model[1000];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(model, sizeof model,
                 POINTS_3 "constraint %s\nclaim \"unknown 1\": x = x + 1\n"
                          "claim \"unknown 2\": x'' = y''\nclaim \"unknown 3\": constant energy\n"
                          "claim \"unknown 4\": x*x = x^2\nclaim \"unknown 5\": holonomic\n"
                          "refute \"unknown 6\": nonholonomic\n",
                 rows[i]);
        check_verdicts(model, NULL);
    }
}

/* Beside rows that follow from others, non-linear ones among them. */
TEST(tiny_changes_beside_redundant_rows)
{
    check_verdicts("coordinate x, u, s\nkinetic (x'^2 + 2*u'^2 + 3*s'^2)/2\n"
                   "constraint k1: x' - sqrt(1 + s'^2) = 0\n"
                   "constraint k2: u'*2 - (3/2)*sqrt(1 + s^2)*x' = 0\n"
                   "constraint k3: x*(x' - sqrt(1 + s'^2)) + (x^2 + 1)*(u'*2 - "
                   "(3/2)*sqrt(1 + s^2)*x') = 0\n"
                   "claim \"false 1\": s*s*(1 + 1e-30) = s*s\n"
                   "claim \"proved 2\": s*s*(1 + 1e-30) = s*s + s^2*1e-30\n",
                   NULL);
    check_verdicts("coordinate z, x, a\nkinetic (x'^2 + 2*z'^2 + 3*a'^2)/2\n"
                   "constraint k1: 13*a'^2 + 2*z'^2 + 5*x'^2 = 4\n"
                   "constraint k2: x' - (z*cos(a) + 2)*a' = 1/2\n"
                   "constraint k3: (cos(a) + 3)*(x' - (z*cos(a) + 2)*a' - 1/2) + "
                   "(13*a'^2 + 2*z'^2 + 5*x'^2 - 4)/1000 = 0\n"
                   "claim \"false 1\": a*x*(1 + 1e-9) = a*x\n"
                   "refute \"false 2\": a*x*(1 + 1e-30) = a*x\n",
                   NULL);
    /* That exp(y) = exp(|x|) follows is not proved. */
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint y = abs(x)\n"
                   "constraint exp(y) = exp(abs(x))\n"
                   "claim \"unknown 1\": x*x*(1 + 1e-30) = x*x\n",
                   NULL);
}

/* What is the same number at all admissible states is no integral. */
TEST(integrals_of_the_constraints)
{
    check_verdicts("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: x' = y'\n"
                   "claim \"false 1\": integral x' - y'\n"
                   "claim \"false 2\": integral (x' - y')^2 + 3\n"
                   "claim \"false 3\": integral 1e9*(x' - y')*z\n"
                   "claim \"proved 4\": integral x' + y'\nclaim \"proved 5\": integral 1e-9*z'\n"
                   "claim \"unknown 7\": integral abs(x)/x\n"
                   "claim \"proved 6\": integral x - y + z'\n",
                   NULL);
    check_verdicts("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint a: x'^2 + y'^2 = 25\nclaim \"false 1\": integral x'^2 + y'^2\n"
                   "claim \"proved 2\": integral z'\n",
                   NULL);
    check_verdicts("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint a: x^2 + y^2 = 1\nclaim \"false 1\": integral x^2 + y^2\n"
                   "claim \"false 2\": integral x*x' + y*y'\n"
                   "claim \"proved 3\": integral x*y' - y*x'\n",
                   NULL);
}

/* Two roots and units a thousand apart: functions that are constant are looked for with coefficients of thousands of bits. */
TEST(roots_in_units_far_apart)
{
    const clock_t begin = clock();
    check_verdicts("coordinate x, y, z\nkinetic ((2*x' + z'/1000)^2 + y'^2 + z'^2)/2\n"
                   "constraint q: sqrt((2*x + z/1000 - pi)^2)*z' + y' = 0\n"
                   "constraint p: sqrt((2*x + z/1000 - pi)^2 + 1)*(2*x' + z'/1000) + y' = 0\n"
                   "claim \"proved 1\": holonomic\n",
                   NULL);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    CHECK((double) (clock() - begin) / CLOCKS_PER_SEC < 15); /* it took 33 */
#else
    (void) begin;
#endif
}

/* ---- Free functions -------------------------------------------------------------------------- */

TEST(free_functions)
{
    check_verdicts("function f(t)\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint a: (x' - f(t))*(y' - z') = 0\nclaim \"not proved 1\": y' = z'\n"
                   "claim \"not proved 2\": x' = f(t)\n"
                   "claim \"proved 3\": (x' - f(t))*(y' - z') = 0\n",
                   NULL);
    check_verdicts("function f(x)\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint a: x' = f(x)*y'\nclaim \"proved 1\": x' = f(x)*y'\n"
                   "claim \"proved 2\": constant energy\nclaim \"not proved 3\": x' = y'\n",
                   NULL);
    check_verdicts(
        "function f(t), g(x)\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
        "potential g(x)\nconstraint c: y = f(t)\n"
        "claim \"proved 1\": lambda[c] = f''(t)\nclaim \"proved 2\": x'' = -g'(x)\n"
        "claim \"proved 3\": constant x'^2/2 + g(x)\nclaim \"false 4\": constant energy\n"
        "claim \"false 5\": f(t) = f(-t)\nclaim \"false 6\": g(x) = g(abs(x))\n"
        "claim \"false 7\": f'(t) = 0\nclaim \"false 8\": g(2*x) = 2*g(x)\n",
        NULL);
}

/* What is true of most functions, and not of 0 and 1. */
TEST(special_functions)
{
    check_verdicts("function f(x)\n" POINTS_3 "constraint a: f(x)*(y' - z') = 0\n"
                   "claim \"false 1\": y' = z'\nclaim \"false 2\": rank 1\n"
                   "claim \"proved 3\": f(x)*y' = f(x)*z'\n"
                   "claim \"not false 4\": constant energy\n",
                   NULL);
    check_verdicts("function f(x)\n" POINTS_3 "constraint a: z' = f(x)*y'\n"
                   "claim \"false 1\": nonholonomic\nclaim \"false 2\": growth 2, 3\n"
                   "claim \"false 3\": holonomic\nclaim \"proved 4\": rank 1\n",
                   NULL);
    check_verdicts(
        "function f(x)\n" POINTS_3
        "assume f(x) != 0\nconstraint a: f(x)*(y' - z') = 0\nclaim \"not false 1\": y' = z'\n",
        NULL);
    check_verdicts("input u\n" POINTS_3 "constraint a: u*(y' - z') = 0\n"
                   "claim \"false 1\": y' = z'\nclaim \"false 2\": rank 1\n",
                   NULL);
    check_verdicts("function a(t), b(t)\n" POINTS_3 "constraint c: a(t)*x' = b(t)*y'\n"
                   "claim \"false 1\": rank 1\nclaim \"false 2\": a(t)*y' = b(t)*x'\n"
                   "claim \"false 3\": x'*y' = 0\n",
                   NULL);
}

/* ---- Far states: sides that part where an argument far away changes its sign ------------------ */

/* ---- Conditions: their edges are drawn, and what lies between ------------------------------- */

TEST(edges_of_conditions)
{
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce y = max(x, 0)\n"
                   "claim \"false 1\": abs(x) = x when x > -1/1000000\n"
                   "claim \"false 2\": abs(x) = x when x > -1/10^12\n"
                   "claim \"proved 3\": abs(x) = x when x >= 0\n"
                   "claim \"false 4\": abs(y' - 3) = y' - 3 when y' > 3 - 1/10^7\n"
                   "claim \"proved 5\": abs(y' - 3) = y' - 3 when y' > 3\n"
                   "claim \"false 6\": asin(sin(x)) = x when -2 < x, x < 2\n"
                   "claim \"holds 7\": asin(sin(x)) = x when -1.5 < x, x < 1.5\n"
                   "claim \"false 8\": acos(cos(x)) = abs(x) when -3.2 < x, x < 3.2\n"
                   "claim \"proved 9\": sqrt((x - y)^2) = x - y when x > y\n"
                   "claim \"false 10\": sqrt((x - y)^2) = x - y when x > y - 1/10^8\n"
                   "claim \"false 11\": y'' = 0 when x < 1/10^9\n"
                   "claim \"proved 12\": y'' = 0 when x < 0\n",
                   NULL);
    check_verdicts(
        "parameter a\nassume a > -1/10^7\ncoordinate x\nkinetic x'^2/2\n"
        "claim \"false 1\": abs(a) = a\nclaim \"proved 2\": abs(a + 1) = a + 1 when a > 0\n",
        NULL);
}

TEST(edges_that_are_far)
{
    check_verdicts(POINTS_2 "claim \"false 1\": abs(1e12 - x) = 1e12 - x\n"
                            "claim \"false 2\": abs(1e24 - x^2) = 1e24 - x^2\n"
                            "claim \"false 3\": sqrt((1e15 - y)^2) = 1e15 - y\n"
                            "claim \"false 4\": sqrt(x^2 - 2e12*x + 1e24) = 1e12 - x\n"
                            "claim \"false 5\": abs(1e9*y - x - 1e20) = x + 1e20 - 1e9*y\n"
                            "claim \"false 6\": abs(x' + 1e13) = x' + 1e13\n"
                            "claim \"false 7\": abs(abs(x) - 1e12) = 1e12 - abs(x)\n"
                            "claim \"false 8\": abs(x - 1e-12) = x - 1e-12\n"
                            "claim \"proved 9\": abs(abs(x) + 1e12) = 1e12 + abs(x)\n"
                            "claim \"holds 10\": log((x - 1e14)^2) = 2*log(1e14 - x)\n",
                   NULL);
}

/* Sides that doubles have no number for are no zeros: 0.3^100001 is 4e-52289. */
TEST(below_the_smallest_double)
{
    check_verdicts("coordinate x\nkinetic x'^2/2\nforce x = x^100001\n"
                   "claim \"false 1\": x'' = 0\nclaim \"false 2\": constant energy\n"
                   "claim \"proved 3\": x'' = x*x^100000\n",
                   NULL);
    check_verdicts("coordinate x\nkinetic x'^2/2\nforce x = x^(10^18)\n"
                   "claim \"false 1\": x'' = 0\nclaim \"false 2\": constant energy\n",
                   NULL);
}

/* Next to the tip of a cone Newton's method takes the wrong sheet for the right one: 1e-17 is not 0. */
TEST(tips_of_cones)
{
    static const char cone[] = POINTS_3 "constraint c: sqrt(x'^2 + y'^2) = %sz'\n"
                                        "claim \"proved 1\": constant energy\n"
                                        "claim \"proved 2\": z'*z'' = x'*x'' + y'*y''\n"
                                        "claim \"false 3\": z'*z'' = x'*x'' - y'*y''\n"
                                        "claim \"proved 4\": abs(z') = %sz'\n";
    char words[500];
    snprintf(words, sizeof words, cone, "", "");
    check_verdicts(words, NULL);
    snprintf(words, sizeof words, cone, "-", "-");
    check_verdicts(words, NULL);
}

/* T that is regular with its constraints alone: as functions the sides are compared without them. */
TEST(identities_without_a_mass)
{
    check_verdicts("coordinate x, y, z\nkinetic (x'^2 + y'^2)/2\nconstraint a: x' = z'\n"
                   "claim \"false 1\": kinetic = (z'^2 + y'^2)/2\n"
                   "claim \"proved 2\": kinetic = (x'^2 + y'^2)/2\n"
                   "claim \"proved 3\": kinetic - (z'^2 + y'^2)/2 = 0\n"
                   "claim \"false 4\": identically x' = z'\n",
                   NULL);
}

/* Two changes of sign that lie near each other, with one sign far and wide. */
TEST(edges_that_are_near_each_other)
{
    check_verdicts(POINTS_2
                   "claim \"false 1\": step(sin(x) - 0.9999999) = 0\n"
                   "claim \"false 2\": abs(cos(x) + 0.99999999) = cos(x) + 0.99999999\n"
                   "claim \"false 3\": abs(x^4 - x^2 + 0.2499999) = x^4 - x^2 + 0.2499999\n"
                   "claim \"proved 4\": abs(x^4 - x^2 + 1/4) = x^4 - x^2 + 1/4\n"
                   "claim \"holds 5\": step(sin(x) - 1.0000001) = 0\n",
                   NULL);
}

/* ---- Domains: sides are compared where the text of both exists -------------------------------- */

TEST(domains)
{
    check_verdicts(POINTS_2 "claim \"proved 1\": sqrt(x)*sqrt(x) = x\n"
                            "claim \"not proved 2\": sqrt(x^2) = x\n"
                            "claim \"false 3\": sqrt(x^2) = x\n"
                            "claim \"false 4\": asin(sin(x)) = x\n"
                            "claim \"false 5\": acos(cos(x)) = abs(x)\n"
                            "claim \"false 6\": atan2(y, x) = atan(y/x)\n"
                            "claim \"false 7\": atan(x) + atan(1/x) = pi/2\n"
                            "claim \"false 8\": sinh(x) = sqrt(cosh(x)^2 - 1)\n"
                            "claim \"false 9\": abs(x) = x\n"
                            "claim \"proved 10\": cosh(x) = sqrt(1 + sinh(x)^2)\n"
                            "claim \"proved 11\": sin(asin(x)) = x\n"
                            "claim \"proved 12\": log(x^2) = 2*log(abs(x))\n",
                   NULL);
}

/* Nothing here is false where it is defined, whatever a simplification leaves. */
TEST(domains_are_those_of_the_text)
{
    check_not_refuted(POINTS_2 "claim \"1\": 0*sqrt(x) + abs(x) = x\n"
                               "claim \"2\": 0*log(-x) + abs(x) = -x\n"
                               "claim \"3\": sqrt(x)^2 = abs(x)\n"
                               "claim \"4\": log(x) + log(y) = log(x*y)\n"
                               "claim \"5\": 0*asin(x - 3) + abs(x) = x\n");
}

/* True wherever both sides exist, and that is nowhere, whatever doubles make of it; or it is somewhere. */
TEST(domains_that_are_empty)
{
    check_verdicts(POINTS_2
                   "claim \"unknown 1\": 0*tan(pi/2) = 0\n"
                   "claim \"unknown 2\": 0*atan2(0, sin(pi)) + x = x\n"
                   "claim \"unknown 3\": 0/(sqrt(2)*sqrt(3) - sqrt(6)) + x = x\n"
                   "claim \"unknown 4\": x/(sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3))*0 = 0\n"
                   "claim \"unknown 5\": identically 0*log(-1) + x = x\n"
                   "claim \"unknown 6\": constant 0*acos(x)/(x - x) + x'\n"
                   "claim \"unknown 7\": 0*log(-1 - x'^2) + x = x\n"
                   "claim \"proved 1\": identically 0*log(x) + x = x\n"
                   "claim \"proved 2\": 0*sqrt(x - x) + x = x\n"
                   "claim \"proved 3\": 0*sqrt(x - 1e6) + x = x\n"
                   "claim \"proved 4\": 0*log(x'' + 2) + x = x\n"
                   "claim \"unknown 8\": 0*log(x'' + 1) + x = x\n",
                   NULL);
    check_verdicts("function f(t)\ncoordinate x\nkinetic x'^2/2\n"
                   "claim \"unknown 1\": 0*log(-1 - f(t)^2) + x = x\n"
                   "claim \"proved 1\": 0*log(1 + f(t)^2) + x = x\n",
                   NULL);
}

/* The same of the system's own text. */
TEST(systems_that_exist_nowhere)
{
    static const char *const text[] = {
        "potential 0*tan(pi/2)\n", "force x = 0/(sqrt(2)*sqrt(3) - sqrt(6))\n",
        "constraint a: x' + 0*acos(2 + x^2) = y'\n",
        "constraint a: x' + 0*sqrt(sqrt(2)*sqrt(3) - sqrt(6) - 1e-30) = y'\n"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        char words[500];
        snprintf(words, sizeof words,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n%s"
                 "claim \"unknown 1\": x'' = y''\nclaim \"unknown 2\": constant energy\n"
                 "claim \"unknown 3\": x' = y'\nclaim \"unknown 4\": holonomic\n",
                 text[i]);
        check_verdicts(words, NULL);
    }
}

/* ---- Kinematic models: the inputs and their rates are free ------------------------------------ */

TEST(kinematic_models)
{
    static const char unicycle[] =
        "coordinate x, y, theta\ninput v = 1, w = 0.3\n"
        "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n";
    static const char claims[] =
        "claim \"proved 1\": y' = v*sin(theta)\nclaim \"false 2\": y' = v*cos(theta)\n"
        "claim \"proved 3\": x'*sin(theta) = y'*cos(theta)\nclaim \"false 4\": v = 1\n"
        "claim \"proved 5\": x'^2 + y'^2 = v^2\nclaim \"false 6\": x'^2 + y'^2 = v\n"
        "claim \"proved 7\": x'' = v'*cos(theta) - v*w*sin(theta)\n"
        "claim \"false 8\": x'' = -v*w*sin(theta)\nclaim \"false 9\": x'' = 0\n"
        "claim \"proved 10\": sqrt(x'^2 + y'^2) = abs(v)\n"
        "claim \"false 11\": sqrt(x'^2 + y'^2) = v\n"
        "claim \"unknown 12\": 0*sqrt(-1 - x^2) = 0\n"
        "claim \"proved 13\": x'*y'' - y'*x'' = v^2*w\n"
        "claim \"false 14\": x'*y'' - y'*x'' = (1 + 1e-12)*v^2*w\n"
        "claim \"false 15\": integral x\nclaim \"false 16\": constant theta\n"
        "claim \"false 17\": identically y' = v*sin(theta)\n"
        "claim \"proved 18\": sqrt(v)^2 = v\nclaim \"false 19\": sqrt(v^2) = v\n"
        "claim \"false 20\": asin(sin(theta)) = theta\n";
    char text[2000];
    snprintf(text, sizeof text, "%s%s", unicycle, claims);
    check_verdicts(text, NULL);
    snprintf(text, sizeof text, "%sassume v > 0\nclaim \"proved 1\": sqrt(x'^2 + y'^2) = v\n",
             unicycle);
    check_verdicts(text, NULL);
    /* a system whose text exists nowhere */
    check_verdicts("coordinate x, y\ninput v = 1\nvelocity v: x' = v, y' = v + 0*log(-1 - x^2)\n"
                   "claim \"unknown 1\": x' = y'\n",
                   NULL);
    /* what is constant whatever the inputs are */
    check_verdicts("coordinate x, y\ninput v = 1\nvelocity v: x' = v*y, y' = -v*x\n"
                   "claim \"proved 1\": integral x^2 + y^2\nclaim \"false 2\": integral x*y\n"
                   "claim \"false 3\": integral x - x\n",
                   NULL);
}
