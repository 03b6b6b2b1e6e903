/* t_tricks_components.c - systems that a prover is easily wrong about because their admissible states fall into several
 * components, or into none, by the kind of trick; true claims and false ones of each kind. The labels begin with the
 * verdict that they must get. What is true was found by hand, component by component. */
#include "harness/harness.h"
#include "harness/tricks.h"

#include <stdio.h>

/* ---- Products: a constraint that is two ------------------------------------------------------ */

/* On x' = 5 the constraint pulls; on y' = z' it does not. */
static const char product[] =
    POINTS_3 "constraint a: (x' - 5)*(y' - z') = 0\n"
             "claim \"false 1\": y' = z'\n"
             "claim \"false 2\": y'' = -1/2\n"
             "claim \"false 3\": constant energy\n"
             "claim \"false 4\": x'' = -1\n"
             "claim \"false 5\": x' = 5\n"
             "refute \"false 6\": z'' = 0\n"
             "claim \"proved 7\": (x' - 5)*(y' - z') = 0\n"
             "claim \"proved 8\": x''*(y' - z') = -(y' - z')*0 + x''*(y' - z')\n"
             "claim \"proved 9\": (x' - 5)*(y'' - z'') = 0\n"
             "claim \"proved 10\": x''*(y' - z') = 0\n";

TEST(products_of_velocities)
{
    check_verdicts(product, NULL);
    check_component(product, "false 1", "x' - 5 = 0");
    check_component(product, "false 2", "x' - 5 = 0");
    check_component(product, "false 4", "x' - 5 = 0");
    check_component(product, "false 5", "y' - z' = 0");
}

TEST(products_written_out)
{
    check_verdicts(POINTS_2 "constraint a: x'^2 = y'^2\nclaim \"false 1\": x' = y'\n"
                            "claim \"false 2\": x' = -y'\nclaim \"proved 3\": x'^2 = y'^2\n"
                            "claim \"proved 4\": constant energy\nclaim \"proved 5\": x'' = y''\n"
                            "claim \"false 6\": x'' = -1\nclaim \"false 7\": x'' = 0\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: x'^3 - x'*y'^2 - x'^2 + y'^2 = 0\n"
                            "claim \"false 1\": x' = y'\nclaim \"false 2\": x' = 1\n"
                            "claim \"false 3\": constant energy\n"
                            "claim \"proved 4\": (x' - 1)*(x'^2 - y'^2) = 0\n"
                            "claim \"proved 5\": (x' - 1)*(x' - y')*(x' + y') = 0\n",
                   NULL);
}

/* tanh(u) = 0, exp(u) = 1 and their kind are u = 0, alone, as factors and beside other rows. */
TEST(products_in_disguise)
{
    check_verdicts(
        POINTS_4
        "constraint a: x'*y' - z'*w' - 30*x' + 30*w' = 0\nconstraint b: tanh(z' - y') = 0\n"
        "claim \"false 1\": x' = w'\nclaim \"false 2\": y' = 30\n"
        "claim \"proved 3\": (y' - 30)*(x' - w') = 0\n"
        "claim \"false 4\": constant energy\n",
        NULL);
    check_verdicts(POINTS_3 "constraint a: exp(x')*(y' - z') = y' - z'\n"
                            "claim \"proved 1\": x'*(y' - z') = 0\nclaim \"false 2\": y' = z'\n"
                            "claim \"false 3\": x' = 0\nclaim \"false 4\": x'' = -1\n"
                            "claim \"not false 5\": constant energy\n",
                   NULL);
    /* the gradient of cosh(u) - 1 vanishes where it does */
    check_verdicts(POINTS_3 "constraint a: (cosh(x') - 1)*(y' - z') = 0\n"
                            "claim \"proved 1\": y' = z'\nclaim \"false 2\": x' = 0\n"
                            "claim \"proved 3\": x'' = -1\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: atan(x'^2 - y'^2)*sinh(z' - 5) = 0\n"
                            "claim \"false 1\": x'^2 = y'^2\nclaim \"false 2\": z' = 5\n"
                            "claim \"false 3\": x' = y'\n"
                            "claim \"proved 4\": (x'^2 - y'^2)*(z' - 5) = 0\n",
                   NULL);
    check_verdicts(
        POINTS_3 "constraint a: log(1 + x*x' + y*y') = 0\nclaim \"proved 1\": integral x^2 + y^2\n"
                 "claim \"proved 2\": holonomic\nclaim \"false 3\": growth 2, 3\n",
        NULL);
}

/* A factor that never vanishes, or vanishes at singular states only, opens no component. */
TEST(products_that_are_one)
{
    check_verdicts(POINTS_3 "constraint a: (x^2 + 1)*(x' - y') = 0\nclaim \"proved 1\": x' = y'\n"
                            "claim \"proved 2\": constant energy\nclaim \"proved 3\": x'' = -1\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: exp(x)*(x' - y') = 0\nclaim \"proved 1\": x' = y'\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: x*(x' - y') = 0\nclaim \"proved 1\": x' = y'\n"
                            "claim \"proved 2\": constant energy\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: x^2*(x' - y') = 0\nclaim \"proved 1\": x' = y'\n", NULL);
    check_verdicts(POINTS_3 "constraint a: (x'^2 + y'^2 + 1)*(x' - y') = 0\n"
                            "claim \"proved 1\": x' = y'\nclaim \"proved 2\": constant energy\n",
                   NULL);
}

TEST(products_that_an_assumption_decides)
{
    check_verdicts(POINTS_3 "assume x' > 6\nconstraint a: (x' - 5)*(y' - z') = 0\n"
                            "claim \"proved 1\": y' = z'\nclaim \"proved 2\": y'' = -1/2\n",
                   NULL);
    check_verdicts(POINTS_3 "assume (x' - 5)^2 > 1/100\nconstraint a: (x' - 5)*(y' - z') = 0\n"
                            "claim \"proved 1\": y' = z'\nclaim \"proved 2\": constant energy\n",
                   NULL);
}

/* ---- Cross products of rows: it factors only with another row put in ------------------------- */

TEST(cross_products_of_rows)
{
    check_verdicts(POINTS_4 "constraint a: x'*y' - z'*w' - 30*x' + 30*w' = 0\n"
                            "constraint b: z' = y'\nclaim \"false 1\": x' = w'\n"
                            "claim \"false 2\": y' = 30\nclaim \"proved 3\": z' = y'\n"
                            "claim \"proved 4\": (y' - 30)*(x' - w') = 0\n"
                            "claim \"false 5\": constant energy\n",
                   NULL);
    check_verdicts(POINTS_4 "constraint b: z' = x*y'\nconstraint a: x'*z' - x*y'*w' = 0\n"
                            "claim \"false 1\": x' = w'\nclaim \"false 2\": y' = 0\n"
                            "claim \"proved 3\": y'*(x' - w') = 0\n"
                            "claim \"proved 4\": constant energy\n",
                   NULL);
    /* modulo the derivative of a holonomic row */
    check_verdicts(POINTS_4 "constraint h: z = x\nconstraint a: z'*y' - x'*w' = 0\n"
                            "claim \"false 1\": y' = w'\nclaim \"false 2\": x' = 0\n"
                            "claim \"proved 3\": x'*(y' - w') = 0\n"
                            "claim \"proved 4\": constant energy\n",
                   NULL);
}

/* Modulo rows that bring back what the places are solved for. */
TEST(cross_products_over_a_circle)
{
    check_verdicts(POINTS_4
                   "constraint h: x^2 + z^2 = 1\n"
                   "constraint a: (y' - 3)*(sin(z)*w' + 5*x') + (x - y)*(x*x' + z*z') = 0\n"
                   "claim \"false 1\": y' = 3\nclaim \"false 2\": sin(z)*w' + 5*x' = 0\n"
                   "claim \"proved 3\": (y' - 3)*(sin(z)*w' + 5*x') = 0\n"
                   "claim \"proved 4\": x*x' + z*z' = 0\n",
                   NULL);
}

/* Rows that fall apart only over another that does not: the cone makes y' algebraic over u' and z'. */
TEST(products_over_a_cone)
{
    static const char plain[] = POINTS_4 "constraint a: y'^2 + z'^2 - x'^2 = 0\n"
                                         "constraint b: (x' - w')*(x' + 5) = 0\n"
                                         "claim \"false 1\": x' = w'\n"
                                         "claim \"false 2\": constant energy\n"
                                         "claim \"proved 3\": (x' - w')*(x' + 5) = 0\n";
    check_verdicts(plain, NULL);
    check_component(plain, "false 1", "x' + 5 = 0");
    check_component(plain, "false 2", "x' + 5 = 0");
    static const char hidden[] = POINTS_4 "constraint a: y'^2 + z'^2 - x'^2 = 0\n"
                                          "constraint b: y'^2 + z'^2 + 5*x' - w'*x' - 5*w' = 0\n"
                                          "claim \"false 1\": x' = w'\n"
                                          "claim \"false 2\": constant energy\n"
                                          "claim \"proved 3\": (x' - w')*(x' + 5) = 0\n";
    check_verdicts(hidden, NULL);
    check_component(hidden, "false 1", "x' + 5 = 0");
    static const char again[] = POINTS_4 "constraint a: y'^2 = x'*w'\n"
                                         "constraint b: (x' - w')*(x' + 5) = 0\n"
                                         "claim \"false 1\": (x' + 5)*(y' - x') = 0\n"
                                         "claim \"false 2\": (x' + 5)*(y' + x') = 0\n"
                                         "claim \"proved 3\": (x' + 5)*(y'^2 - x'^2) = 0\n";
    check_verdicts(again, NULL);
    check_component(again, "false 1", "x' - w' = 0, y' + w' = 0");
    /* x' = z' = 0 is a piece, too, but its states are singular */
    check_verdicts(POINTS_4 "constraint a: x'*y' = z'*w'\nconstraint b: x'^2 = z'^2\n"
                            "claim \"false 1\": y' = w'\nclaim \"proved 2\": y'^2 = w'^2\n",
                   NULL);
}

/* A component on which fewer rows are independent than on the other. */
TEST(components_of_different_rank)
{
    check_verdicts(POINTS_4 "constraint a: (z' - 1)*(5*x' + w') = 0\n"
                            "constraint b: (z' - 1)*(z' + 5*y') = 0\n"
                            "claim \"false 1\": 5*x' + w' = 0\nclaim \"false 5\": x'' = -1\n"
                            "claim \"false 2\": z' + 5*y' = 0\nclaim \"false 3\": z' = 1\n"
                            "claim \"proved 4\": constant energy\n"
                            "claim \"proved 6\": (z' - 1)*(5*x'' + w'') = 0\n",
                   NULL);
    /* the states met by chance lie where one row is independent; where two are, o is the third */
    check_verdicts(POINTS_3 "constraint a: (x' - y')*(z' - y') = 0\n"
                            "constraint b: (x' - y')*(z' - 3) = 0\nquasivelocity o = x' - z'\n"
                            "claim \"not proved 1\": x' = y'\n",
                   NULL);
}

/* b says nothing beside a, which is linear and does not depend on the time. */
TEST(kinds_beside_a_product)
{
    check_verdicts(POINTS_3 "constraint a: y' = x*z'\nconstraint b: (y' - x*z')*(x' - 2) = 0\n"
                            "claim \"proved 1\": growth 2, 3\nclaim \"false 2\": growth 2\n"
                            "claim \"false 3\": holonomic\nclaim \"false 4\": rank 2\n",
                   NULL);
}

/* What kind of system it is on each component. */
TEST(kinds_on_components)
{
    static const char both[] = POINTS_3 "constraint a: (z' - y*x')*(z' - x') = 0\n"
                                        "claim \"false 1\": holonomic\n"
                                        "claim \"false 2\": nonholonomic\n"
                                        "claim \"proved 3\": rank 1\nclaim \"false 4\": rank 2\n"
                                        "claim \"false 5\": growth 2, 3\n"
                                        "claim \"false 6\": growth 2\n"
                                        "claim \"false 7\": accessible 3\n"
                                        "claim \"false 8\": measure 1\n";
    check_verdicts(both, NULL);
    check_component(both, "false 1", "y*x' - z' = 0");
    check_component(both, "false 2", "x' - z' = 0");
    check_component(both, "false 8", "y*x' - z' = 0");
    check_verdicts(POINTS_3 "constraint a: (z - y)*(z - x) = 0\nclaim \"proved 1\": holonomic\n"
                            "claim \"false 2\": nonholonomic\nclaim \"proved 3\": rank 1\n"
                            "claim \"false 4\": growth 2, 3\nclaim \"holds 5\": growth 2\n"
                            "claim \"proved 6\": accessible 2\nclaim \"false 7\": accessible 3\n",
                   NULL);
    check_verdicts(POINTS_4 "constraint a: (z' - 1)*(5*x' + w') = 0\n"
                            "constraint b: (z' - 1)*(z' + 5*y') = 0\n"
                            "claim \"false 1\": rank 1\nclaim \"false 2\": rank 2\n",
                   NULL);
}

/* Two non-linear rows: leading coefficients that vanish. */
TEST(cross_products_of_nonlinear_rows)
{
    check_verdicts(POINTS_4 "constraint a: x'*y' = 0\nconstraint b: x'*z' = 0\n"
                            "claim \"false 1\": y' = 0\nclaim \"proved 2\": x'*y' = 0\n",
                   NULL);
    check_verdicts(POINTS_4 "constraint a: x'*y' - w' = 0\nconstraint b: x'*z' - w' = 0\n"
                            "claim \"false 1\": y' = z'\nclaim \"false 2\": x' = 0\n"
                            "claim \"proved 3\": x'*(y' - z') = 0\n",
                   NULL);
}

/* ---- Holonomic products ---------------------------------------------------------------------- */

TEST(holonomic_products)
{
    check_verdicts(POINTS_3 "constraint a: x^2 = y^2\nclaim \"false 1\": x = y\n"
                            "claim \"false 2\": x' = y'\nclaim \"proved 3\": x'^2 = y'^2\n"
                            "claim \"proved 4\": x*x' = y*y'\nclaim \"proved 5\": x*y' = y*x'\n"
                            "claim \"proved 6\": constant energy\nclaim \"false 7\": x'' = -1\n",
                   NULL);
    check_verdicts(POINTS_3
                   "constraint a: (x - 1)*(y - z) = 0\nclaim \"false 1\": y = z\n"
                   "claim \"false 2\": y'' = -1/2\nclaim \"false 3\": x'' = -1\n"
                   "claim \"proved 4\": constant energy\nclaim \"proved 5\": x'*(y' - z') = 0\n",
                   NULL);
    /* the level of a velocity row changes with the component */
    check_verdicts(POINTS_4
                   "constraint h: x*(x - 1) = 0\nconstraint a: (x - 1/2)*z' = y' - 1/2*w'\n"
                   "claim \"false 1\": z' = 2*y' - w'\n"
                   "claim \"proved 2\": z'^2 = (2*y' - w')^2\nclaim \"proved 3\": x' = 0\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: x^2 + y^2 = 1\nclaim \"proved 1\": x*x' + y*y' = 0\n"
                            "claim \"proved 2\": constant energy\nclaim \"false 3\": y' = 0\n",
                   NULL);
}

/* ---- Roots ----------------------------------------------------------------------------------- */

TEST(roots)
{
    static const char kink[] =
        POINTS_3 "constraint a: x' = sqrt(y'^2)\nclaim \"false 1\": x' = y'\n"
                 "claim \"proved 2\": x'^2 = y'^2\n"
                 "claim \"proved 3\": constant energy\n"
                 "claim \"false 4\": x' = -y'\n";
    check_verdicts(kink, NULL);
    check_component(kink, "false 1", "y' + x' = 0");
    static const char moving[] =
        "coordinate y, u, a\nkinetic (y'^2 + 2*u'^2 + a'^2)/2\npotential y\n"
        "constraint c: (y' + cos(a + 1)*u'/2)*(y' - sqrt(1 + u^2)) = 0\n"
        "claim \"false 1\": constant energy\n";
    check_verdicts(moving, NULL);
    check_component(moving, "false 1", "sqrt(u^2 + 1) - y' = 0");
    check_verdicts(POINTS_3 "constraint a: x' = abs(y')\nclaim \"false 1\": x' = y'\n"
                            "claim \"proved 2\": x'^2 = y'^2\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: sqrt(x'^2 + y'^2) = 5\n"
                            "claim \"proved 1\": x'^2 + y'^2 = 25\n"
                            "claim \"proved 2\": x'*x'' + y'*y'' = 0\nclaim \"false 3\": x' = 5\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: (sqrt(x^2 + y^2 + 1) + 1)*(x' - y') = 0\n"
                            "claim \"proved 1\": x' = y'\n",
                   NULL);
    /* a place row with a root: |x| = x on one half only */
    check_verdicts(POINTS_3 "constraint a: y = sqrt(x^2)\nclaim \"false 1\": y = x\n"
                            "claim \"false 2\": y' = x'\nclaim \"proved 3\": y^2 = x^2\n",
                   NULL);
}

/* ---- Thin real sets -------------------------------------------------------------------------- */

TEST(thin_real_sets)
{
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x'^2 + y'^2 = 0\n"
                   "claim \"unknown 1\": x' = 0\nclaim \"unknown 2\": constant energy\n"
                   "refute \"unknown 3\": x' = 1\nclaim \"unknown 4\": holonomic\n"
                   "claim \"unknown 5\": rank 1\nclaim \"unknown 6\": 1 = 1\n",
                   NULL);
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "constraint a: x'^2 - 2*x'*y' + 2*y'^2 = 0\nclaim \"unknown 1\": x' = 0\n",
                   NULL);
    check_verdicts(
        "coordinate x, y, a\nkinetic (x'^2 + y'^2 + a'^2)/2\n"
        "constraint c: (x'*sin(a) - y'*cos(a))^2 = 0\n"
        "claim \"unknown 1\": x'*sin(a) = y'*cos(a)\nclaim \"unknown 2\": constant energy\n",
        NULL);
    /* squares: the gradient vanishes with them */
    check_verdicts(POINTS_3 "constraint a: (x' - y')^2 = 0\nclaim \"unknown 1\": x' = y'\n", NULL);
    check_verdicts(POINTS_3 "constraint a: (x' - z')^2*(y' - z') = 0\n"
                            "claim \"proved 1\": y' = z'\nclaim \"proved 2\": y'' = -1/2\n",
                   NULL);
    /* one component is thin, the other is not */
    check_verdicts(POINTS_3 "constraint a: (x'^2 + y'^2)*(y' - z') = 0\n"
                            "claim \"proved 1\": y' = z'\nclaim \"proved 2\": y'' = -1/2\n"
                            "claim \"false 3\": x' = 0\nclaim \"false 4\": y' = 0\n",
                   NULL);
    check_verdicts(POINTS_4 "constraint a: (x' - y')*(x'^2 + x'*y' + y'^2 + 1) = 0\n"
                            "constraint b: z^3 - w^3 = 0\n"
                            "claim \"proved 1\": x' = y'\nclaim \"proved 2\": z = w\n"
                            "claim \"proved 3\": z' = w'\nclaim \"proved 4\": x'' = -1\n"
                            "claim \"false 5\": z = 0\nclaim \"false 6\": x' = -y'\n",
                   NULL);
}

/* ---- Irreducible over the rationals, not over the reals -------------------------------------- */

TEST(irreducible_over_the_rationals)
{
    check_verdicts(POINTS_3
                   "constraint a: x'^2 = 2*y'^2\nclaim \"proved 1\": x'^2 = 2*y'^2\n"
                   "claim \"false 2\": x' = sqrt(2)*y'\nclaim \"proved 3\": constant energy\n"
                   "claim \"proved 4\": x'*x'' = 2*y'*y''\n",
                   NULL);
    check_verdicts(POINTS_3 "coordinate th\nkinetic th'^2/2\n"
                            "constraint a: x'^2 - (1 - sin(th)^2)*y'^2 = 0\n"
                            "claim \"false 1\": x' = cos(th)*y'\n"
                            "claim \"false 2\": x' = -cos(th)*y'\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: x'^2 + y'^2 = 25\nclaim \"proved 1\": x'^2 + y'^2 = 25\n"
                            "claim \"proved 2\": x'*x'' + y'*y'' = 0\n",
                   NULL);
}

/* Two planes of velocities with irrational equations: what is said of directions is asked of each. */
TEST(irrational_planes)
{
    static const char *const row[] = {"x'^2 = 2*y'^2", "(x' - sqrt(2)*y')*(x' + sqrt(2)*y') = 0",
                                      "x'^2 + x'*y' = y'^2", "(x' - 1)^2 = 3*(y' + 2)^2",
                                      "x'^2 + (sqrt(2) - 1)*x'*y' = sqrt(2)*y'^2"};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 POINTS_3 "constraint a: %s\nclaim \"proved 1\": holonomic\n"
                          "claim \"false 2\": nonholonomic\nclaim \"proved 3\": accessible 2\n"
                          "claim \"false 4\": accessible 3\nclaim \"proved 5\": rank 1\n"
                          "claim \"false 6\": x' = sqrt(2)*y'\n",
                 row[i]);
        check_verdicts(text, NULL);
    }
    static const char turning[] = POINTS_3 "constraint a: x'^2 = (1 + z^2)*y'^2\n"
                                           "claim \"false 1\": holonomic\n"
                                           "claim \"proved 2\": nonholonomic\n"
                                           "claim \"proved 3\": growth 2, 3\n"
                                           "claim \"false 4\": growth 2\n"
                                           "claim \"proved 5\": accessible 3\n";
    check_verdicts(turning, NULL);
    check_component(turning, "false 1", "y'*sqrt(z^2 + 1) + x' = 0");
    check_verdicts("parameter p\nassume p > 0\n" POINTS_3 "constraint a: x'^2 = p*y'^2\n"
                   "claim \"proved 1\": holonomic\nclaim \"false 2\": accessible 3\n",
                   NULL);
    /* no planes: a cone; and where z < 0 there are none at all */
    check_verdicts(POINTS_3 "constraint a: x'^2 + z'^2 = 2*y'^2\nclaim \"false 1\": holonomic\n"
                            "claim \"holds 2\": accessible 3\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: x'^2 = z*y'^2\nclaim \"unknown 1\": holonomic\n"
                            "claim \"unknown 2\": growth 2, 3\n",
                   NULL);
    /* an irrational pair beside a plane that is none */
    check_verdicts(POINTS_3 "constraint a: (x'^2 - 2*y'^2)*(z' - y*x') = 0\n"
                            "claim \"false 1\": holonomic\nclaim \"false 2\": nonholonomic\n"
                            "claim \"false 3\": accessible 2\nclaim \"false 4\": accessible 3\n",
                   NULL);
}

/* Of no state nothing is proved: neither what a constraint says nor what kind of system it is. */
TEST(assumptions_that_leave_nothing)
{
    static const char *const assumed[] = {"a^2 + 1 < 0", "a > 1, a < 0", "a > 0, a <= 0",
                                          "x^2 + a^2 < 0", "x' > 0, x' < 0"};
    for (size_t i = 0; i < sizeof assumed / sizeof *assumed; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "parameter a\n" POINTS_3 "assume %s\nconstraint c: x' = y'\n"
                 "claim \"unknown 1\": holonomic\nclaim \"unknown 2\": rank 1\n"
                 "claim \"unknown 3\": x' = y'\nclaim \"unknown 4\": constant energy\n"
                 "claim \"unknown 5\": growth 2\nclaim \"unknown 6\": nonholonomic\n"
                 "claim \"unknown 7\": singular nowhere\n",
                 assumed[i]);
        check_verdicts(text, NULL);
    }
    check_verdicts("parameter a, b\nassume a >= b, b >= a\n" POINTS_3 "constraint c: x' = y'\n"
                   "claim \"proved 1\": holonomic\nclaim \"proved 2\": x' = y'\n"
                   "claim \"false 3\": a = 0\n",
                   NULL);
}

/* ---- Ranks and kinds that differ ------------------------------------------------------------- */

/* Three products that cross: on y' = z' = 0 the second says nothing that the others do not. */
TEST(products_in_a_chain)
{
    check_verdicts(POINTS_4
                   "constraint a: x'*y' = 0\nconstraint b: y'*z' = 0\nconstraint c: z'*w' = 0\n"
                   "claim \"false 1\": x' = 0\nclaim \"false 2\": y' = 0\n"
                   "claim \"false 3\": w'*y' = 0\nclaim \"false 4\": w'' = -1\n"
                   "claim \"false 5\": z' = 0\nclaim \"false 6\": x'' = 0\n"
                   "claim \"proved 7\": x'*y' = 0\nclaim \"proved 8\": constant energy\n"
                   "claim \"proved 9\": w'' = 0\nclaim \"proved 10\": integral w'\n"
                   "claim \"false 11\": integral x'\nclaim \"proved 12\": x'*x'' = -x'\n",
                   NULL);
}

/* Rank 2 on x' = z' = 0, rank 1 on y' = 0. */
TEST(components_of_several_ranks)
{
    check_verdicts(POINTS_3 "constraint a: x'*y' = 0\nconstraint b: y'*z' = 0\n"
                            "claim \"unknown 1\": singular y' = 0\n"
                            "claim \"unknown 2\": singular x' = 0, y' = 0, z' = 0\n"
                            "claim \"false 1\": rank 1\nclaim \"false 2\": rank 2\n",
                   NULL);
    static const char two[] = POINTS_4 "constraint a: x'*y' = 0\nconstraint b: y'*z' = 0\n"
                                       "claim \"false 1\": x' = 0\nclaim \"false 2\": y' = 0\n"
                                       "claim \"false 3\": x'' = 0\nclaim \"false 4\": y'' = -1\n"
                                       "claim \"false 5\": z' = 0\nclaim \"false 6\": integral x'\n"
                                       "claim \"proved 7\": x'*x'' = -x'\n"
                                       "claim \"proved 8\": y'*y'' = -y'\n"
                                       "claim \"proved 9\": z'' = 0\n"
                                       "claim \"proved 10\": integral z'\n"
                                       "claim \"false 11\": integral x'*y'\n"
                                       "claim \"proved 12\": reaction[4] = 0\n"
                                       "claim \"false 13\": reaction[1] = 0\n";
    check_verdicts(two, NULL);
    check_component(two, "false 1", "y' = 0");
    check_component(two, "false 2", "x' = 0, z' = 0");
    check_component(two, "false 13", "x' = 0, z' = 0");
    /* Rank 1 on x' = 0, where y falls; rank 2 on x' = 1, y' = 0. */
    check_verdicts(POINTS_3 "constraint a: x'*y' = 0\nconstraint b: x'*(x' - 1) = 0\n"
                            "claim \"false 1\": y'' = 0\nclaim \"false 2\": y'' = -1\n"
                            "claim \"false 3\": constant y'\nclaim \"false 4\": integral y'\n"
                            "claim \"false 5\": reaction[y] = 1\nclaim \"proved 6\": y'' = x' - 1\n"
                            "claim \"proved 7\": reaction[y] = x'\nclaim \"proved 8\": x'' = 0\n"
                            "claim \"false 9\": limit t -> 0: y'' + t = 0\n",
                   NULL);
    /* Places: the axis x = y = 0 and the plane z = 0. */
    check_verdicts(POINTS_4 "constraint a: x*z = 0\nconstraint b: y*z = 0\n"
                            "claim \"false 1\": z = 0\nclaim \"false 2\": x = 0\n"
                            "claim \"proved 3\": x*z' = 0\nclaim \"false 4\": x'' = -1\n"
                            "claim \"proved 5\": z'' = 0\nclaim \"proved 6\": constant energy\n"
                            "claim \"proved 7\": x*x'' = -x\n",
                   NULL);
}

/* What kind of system it is may differ from component to component. */
TEST(kinds_of_components)
{
    check_verdicts("coordinate x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\n"
                   "constraint h: x*(x - 1) = 0\nconstraint a: y' = x*w*z'\n"
                   "claim \"not proved 1\": holonomic\nclaim \"not proved 2\": nonholonomic\n"
                   "claim \"not proved 3\": growth 2\nclaim \"not proved 4\": growth 2, 3\n"
                   "claim \"false 5\": y' = 0\nclaim \"proved 6\": y'*(y' - w*z') = 0\n",
                   NULL);
}

/* ---- Conditions: states of one component, or of several ---------------------------------------- */

TEST(conditions_on_components)
{
    static const char points[] =
        "coordinate x, y, z\nkinetic (x'^2 + 2*y'^2 + 3*z'^2)/2\npotential x + y^2/2 + z\n";
    char text[3000];
    /* x' = 5 with 2y'' = -y, or y' = z' with 5y'' = -1 - y */
    snprintf(text, sizeof text, "%s%s", points,
             "constraint a: (x' - 5)*(y' - z') = 0\n"
             "claim \"proved 1\": x'' = 0 when x' = 5, y' != z'\n"
             "claim \"false 2\": x'' = -1 when x' = 5, y' != z'\n"
             "claim \"proved 3\": y'' = (-1 - y)/5 when x' != 5\n"
             "claim \"false 4\": y'' = (-1 - y)/5 when x' = 5, y' != z'\n"
             "claim \"proved 5\": constant energy when x' > 6\n"
             "claim \"false 6\": constant energy when x' > 4\n"
             "claim \"proved 7\": der(energy) = 5 when y' > z'\n"
             "claim \"proved 8\": y' = z' when x' < 5\nclaim \"false 9\": y' = z' when x' < 6\n");
    check_verdicts(text, NULL);
    /* rank 1 on x' = y', where 3x'' = -1 - y, 3z'' = -1; rank 2 on x' = -y', z' = 1, where 3x'' = -1 + y */
    snprintf(text, sizeof text, "%s%s", points,
             "constraint a: (x' - y')*(x' + y') = 0\nconstraint b: (x' - y')*(z' - 1) = 0\n"
             "claim \"proved 1\": 3*x'' = -1 - y when x' = y', z' != 1\n"
             "claim \"false 2\": 3*x'' = -1 + y when x' = y', z' != 1\n"
             "claim \"proved 3\": 3*x'' = -1 + y when x' != y'\n"
             "claim \"false 4\": 3*x'' = -1 - y when x' != y'\n"
             "claim \"proved 5\": z'' = 0 when x' = -y', x' != 0\n"
             "claim \"false 6\": z'' = 0 when x' = y', z' != 1\n"
             "claim \"proved 7\": constant energy when x' = y', z' != 1\n"
             "claim \"false 8\": constant energy when x' != y'\n"
             "claim \"proved 9\": der(energy) = 1 when x' != y'\n"
             "claim \"false 10\": x' + y' = 0 when z' = 1\n"
             "claim \"proved 11\": x' + y' = 0 when z' = 1, x' != y'\n"
             "claim \"unknown 12\": z'' = 7 when x' > y', x' < y'\n");
    check_verdicts(text, NULL);
    snprintf(text, sizeof text, "%s%s", points,
             "constraint a: x'*y' = 0\nconstraint b: y'*z' = 0\n"
             "claim \"proved 1\": x'' = -1 when x' != 0\nclaim \"false 2\": x'' = -1\n"
             "claim \"proved 3\": x'' = 0 when y' != 0\nclaim \"false 4\": z'' = 0 when x' != 0\n"
             "claim \"proved 5\": 3*z'' = -1 when x' != 0\n");
    check_verdicts(text, NULL);
}

/* A velocity form that gives the velocities of one component alone. */
TEST(velocity_forms_of_one_component)
{
    check_verdicts(
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x\nconstraint a: x'^2 = y'^2\n"
        "velocity v: x' = v, y' = v\n"
        "claim \"false 1\": x' = y'\nclaim \"false 2\": y'' = 1/2\n"
        "claim \"proved 3\": x'^2 = y'^2\nclaim \"proved 4\": constant energy\n",
        NULL);
}

/* … or of a part of the one component that there is: a half of a cone, a branch of a hyperbola, a line of two that are
 * conjugate, half of a line. */
TEST(velocity_forms_of_a_part)
{
    check_verdicts(
        POINTS_3 "constraint c: x'^2 + y'^2 = z'^2\n"
                 "velocity a, b: x' = a^2 - b^2, y' = 2*a*b, z' = a^2 + b^2\n"
                 "claim \"false 1\": abs(z') = z'\nclaim \"proved 2\": constant energy\n"
                 "claim \"false 3\": sqrt(x'^2 + y'^2) = z'\nclaim \"proved 4\": z' = a^2 + b^2\n",
        NULL);
    check_verdicts(POINTS_3 "constraint c: x'^2 - y'^2 = 1\n"
                            "velocity a, b: x' = cosh(a), y' = sinh(a), z' = b\n"
                            "claim \"false 1\": abs(x') = x'\nclaim \"proved 2\": z'' = 0\n"
                            "claim \"false 3\": x' = sqrt(1 + y'^2)\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint c: x'^2 = 2*y'^2\n"
                            "velocity a, b: x' = sqrt(2)*a, y' = a, z' = b\n"
                            "claim \"false 1\": x' = sqrt(2)*y'\nclaim \"proved 2\": z'' = 0\n"
                            "claim \"proved 3\": x'^2 = 2*y'^2\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint c: y' = 0\nvelocity a, b: x' = a^3, y' = 0, z' = b^2\n"
                            "claim \"false 1\": abs(z') = z'\nclaim \"proved 2\": x'' = -1\n",
                   NULL);
}

/* At all states of the first component both sides are 0, too small for doubles: to look at these leaves looks for the second. */
TEST(zeros_on_one_component)
{
    check_verdicts("coordinate w, phi, q\nkinetic (w'^2 + phi'^2 + q'^2)/2\n"
                   "constraint k: (w + 7/5*q)*(phi + 3/2) = 0\n"
                   "claim \"false 1\": atan(tan(phi')) = phi'\n",
                   NULL);
}

/* An isolated point beside a curve is singular, and what Newton's method meets next to it is no state. */
TEST(isolated_points)
{
    check_verdicts(POINTS_2
                   "constraint a: y^2 = x^3 - x^2\nclaim \"proved 1\": y^2 = x^3 - x^2\n"
                   "claim \"false 2\": abs(x - 2) = x - 2\nclaim \"proved 3\": constant energy\n"
                   "claim \"proved 4\": rank 1\nclaim \"not false 5\": abs(x - 1) = x - 1\n"
                   "claim \"proved 6\": singular x = 0, y = 0\n"
                   "claim \"not proved 7\": singular nowhere\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: y'^2 = x'^3 - x'^2\n"
                            "claim \"not false 1\": abs(x' - 1) = x' - 1\n"
                            "claim \"false 2\": abs(x' - 2) = x' - 2\n"
                            "claim \"false 3\": constant energy\n"
                            "claim \"proved 4\": 2*y'*y'' = (3*x'^2 - 2*x')*x''\n",
                   NULL);
    /* real for p < 0 alone: two planes, and nothing regular for p >= 0 */
    check_verdicts("parameter p\n" POINTS_2 "constraint a: x'^2 + p*y'^2 = 0\n"
                   "claim \"not false 1\": constant energy\nclaim \"false 2\": x' = 0\n"
                   "claim \"not proved 3\": accessible 2\nclaim \"not proved 4\": rank 0\n"
                   "claim \"false 5\": x'^2 = y'^2\n",
                   NULL);
}

/* Lines with irrational equations, of the third degree or several at once: what they are is not decided, and nothing false is said. */
TEST(irrational_lines)
{
    check_verdicts(POINTS_3
                   "constraint a: x'^3 - 3*x'*y'^2 + y'^3 = 0\n"
                   "claim \"proved 1\": x''*y' = x'*y''\nclaim \"false 2\": x' = y'\n"
                   "claim \"not proved 3\": nonholonomic\nclaim \"not proved 4\": accessible 3\n"
                   "claim \"not proved 5\": growth 3\nclaim \"not proved 6\": growth 2, 3\n"
                   "claim \"not false 7\": holonomic\nclaim \"not false 8\": accessible 2\n"
                   "claim \"proved 9\": constant energy\n",
                   NULL);
    check_verdicts(POINTS_4
                   "constraint a: x'^2 = 2*y'^2\nconstraint b: z'^2 = 2*w'^2\n"
                   "claim \"not false 1\": x'^2*w'^2 = y'^2*z'^2\n"
                   "claim \"false 2\": x'*w' = y'*z'\nclaim \"false 3\": x'*w' = -y'*z'\n"
                   "claim \"not proved 4\": nonholonomic\nclaim \"not proved 5\": accessible 4\n"
                   "claim \"not false 6\": holonomic\nclaim \"not false 7\": rank 2\n",
                   NULL);
}
