/* t_families.c - claims about systems with free parameters, at whose special values there are fewer constraints or other
 * directions: values that are no rational numbers, that `assume` leaves out, and that several conditions make together. The labels
 * begin with the verdict that they must get. */
#include "harness/harness.h"
#include "harness/tricks.h"

#include <stdio.h>

/* a² = 2, a² − a = 1: roots, and not of other equations. */
TEST(values_that_are_roots)
{
    check_verdicts("parameter a\n" POINTS_3 "constraint c: (a^2 - 2)*(x' - y') = 0\n"
                   "claim \"false 1\": x' = y'\nclaim \"false 2\": rank 1\n"
                   "claim \"proved 3\": constant energy\nclaim \"proved 4\": x'' = -1\n"
                   "claim \"false 5\": constant x' - y' + z\n",
                   NULL);
    check_verdicts("parameter a\n" POINTS_3 "constraint c: (a^2 - 2)*x' = (a^2 - a - 1)*y'\n"
                   "claim \"proved 1\": rank 1\nclaim \"proved 2\": accessible 2\n"
                   "claim \"proved 3\": constant energy\nclaim \"false 4\": x' = y'\n"
                   "claim \"false 5\": integral x\n",
                   NULL);
    /* a = ±√2 leaves z' = y x', and a² = 3 what is integrable */
    check_verdicts("parameter a\n" POINTS_3 "constraint c: z' = (a^2 - 2)*x*y' + y*x'\n"
                   "claim \"false 1\": nonholonomic\nclaim \"false 2\": holonomic\n"
                   "claim \"false 3\": accessible 3\nclaim \"false 4\": growth 2, 3\n",
                   NULL);
    check_verdicts("parameter a\n" POINTS_3 "constraint c: log(a)*(x' - y') = 0\n"
                   "claim \"false 1\": x' = y'\nclaim \"proved 2\": constant energy\n",
                   NULL);
    check_verdicts("parameter a\n" POINTS_3 "constraint c: (a^2 + a + 1)*(x' - y') = 0\n"
                   "claim \"proved 1\": x' = y'\nclaim \"proved 2\": rank 1\n",
                   NULL);
}

TEST(values_that_are_assumed_away)
{
    check_verdicts("parameter a\nassume a > 2\n" POINTS_3 "constraint c: (a^2 - 2)*(x' - y') = 0\n"
                   "claim \"proved 1\": x' = y'\nclaim \"proved 2\": rank 1\n"
                   "claim \"proved 3\": accessible 2\n",
                   NULL);
    /* √2 is more than 1.4142, and less than 1.4143 */
    check_verdicts("parameter a\nassume a > 14142/10000\n" POINTS_3
                   "constraint c: (a^2 - 2)*(x' - y') = 0\nclaim \"false 1\": x' = y'\n",
                   NULL);
    check_verdicts("parameter a\nassume a > 14143/10000\n" POINTS_3
                   "constraint c: (a^2 - 2)*(x' - y') = 0\nclaim \"proved 1\": x' = y'\n",
                   NULL);
}

/* Sine and cosine never vanish both; p = q = 1 is told by two minors, and not by the third. */
TEST(values_of_several_conditions)
{
    check_verdicts("parameter al\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x\n"
                   "constraint c: sin(al)*x' = cos(al)*y'\n"
                   "claim \"proved 1\": x'' = -cos(al)^2\nclaim \"proved 2\": rank 1\n"
                   "claim \"proved 3\": accessible 2\nclaim \"false 4\": x' = y'\n"
                   "claim \"proved 5\": singular nowhere\n",
                   NULL);
    check_verdicts("parameter p, q\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: p*x' + y' = z'\nconstraint d: x' + q*y' = z'\n"
                   "claim \"proved 1\": (p - 1)*x' + (1 - q)*y' = 0\nclaim \"false 2\": rank 2\n"
                   "claim \"proved 3\": (p*q - 1)*x' = (q - 1)*z'\nclaim \"false 4\": x' = 0\n",
                   NULL);
    /* a reaction is that of all rows, a multiplier that of one that is none where both are zero */
    check_verdicts(
        "parameter a, b\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x\n"
        "constraint c: a*x' = b*y'\nclaim \"proved 1\": (a^2 + b^2)*reaction[x] = a^2\n"
        "claim \"false 2\": reaction[x] = 1\n"
        "claim \"not proved 3\": lambda[c]*(a^2 + b^2) = a + (a^2 + b^2)/(a^2 + b^2) - 1\n",
        NULL);
}

/* What is true in general is refuted by a special value that the assumptions allow, proved with each of them, or not known. */
TEST(special_values_of_parameters)
{
    check_verdicts("parameter a\n" POINTS_3 "constraint c: (a - 1)*(x' - y') = 0\n"
                   "claim \"false 1\": x' = y'\nclaim \"false 2\": rank 1\n"
                   "claim \"proved 3\": (a - 1)*(x' - y') = 0\n"
                   "claim \"proved 4\": x'' = -1\nclaim \"proved 5\": constant energy\n"
                   "claim \"false 6\": lambda[1] = 1\n",
                   NULL);
    check_verdicts("parameter a\nassume a > 1\n" POINTS_3 "constraint c: (a - 1)*(x' - y') = 0\n"
                   "claim \"proved 1\": x' = y'\nclaim \"proved 2\": rank 1\n",
                   NULL);
    check_verdicts("parameter a\nassume a >= 0\n" POINTS_3 "constraint c: a*(x' - y') = 0\n"
                   "claim \"false 1\": x' = y'\n",
                   NULL);
    check_verdicts("parameter a, b\n" POINTS_3 "constraint c: a*x' = b*y'\n"
                   "claim \"false 1\": rank 1\nclaim \"proved 2\": a*x' = b*y'\n"
                   "claim \"not false 3\": a*x'' = b*y''\n",
                   NULL);
    check_verdicts("parameter a\n" POINTS_3 "constraint c: x' = a*z*y'\n"
                   "claim \"false 1\": nonholonomic\nclaim \"false 2\": accessible 3\n"
                   "claim \"false 3\": growth 2, 3\nclaim \"proved 4\": rank 1\n",
                   NULL);
    check_verdicts("parameter a\nassume a != 0\n" POINTS_3 "constraint c: x' = a*z*y'\n"
                   "claim \"not false 1\": nonholonomic\nclaim \"not false 2\": growth 2, 3\n",
                   NULL);
}

/* Of a family all members are asked: where the rank is less, where brackets are fewer, in conditions, at rest. */
TEST(special_members_of_families)
{
    check_verdicts("parameter a\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "constraint c: (a^2 - 1)*x' = (a - 1)*y'\n"
                   "claim \"false 1\": accessible 1\nclaim \"false 2\": growth 1\n"
                   "claim \"proved 3\": holonomic\nclaim \"false 4\": rank 1\n"
                   "claim \"proved 5\": x'' = 0\nclaim \"false 6\": (a + 1)*x' = y'\n"
                   "claim \"false 7\": accessible 2\nclaim \"proved 8\": measure 1\n",
                   NULL);
    check_verdicts("parameter a, b\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: a*x' = b*y'\n"
                   "claim \"false 1\": accessible 2\nclaim \"false 2\": growth 2\n"
                   "claim \"proved 3\": holonomic\nclaim \"false 4\": nonholonomic\n"
                   "claim \"false 5\": accessible 3\nclaim \"proved 6\": constant energy\n"
                   "claim \"unknown 7\": singular nowhere\nclaim \"unknown 8\": lambda[1] = 0\n",
                   NULL);
    check_verdicts("parameter a, b\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: z' = (a*b - 2)*y*x'\nconstraint d: (a^2 - 2*a - 3)*x' = 0\n"
                   "claim \"false 1\": x' = 0\nclaim \"false 2\": holonomic\n"
                   "claim \"false 3\": growth 1\n",
                   NULL);
    check_verdicts("parameter a, b\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: (a^2 + b^2)*x' = (a - b)*y'\n"
                   "constraint d: (a^2 - 2)*z' = 0\nclaim \"false 1\": z' = 0\n"
                   "claim \"unknown 2\": constant energy\nclaim \"false 3\": rank 2\n",
                   NULL);
    check_verdicts("parameter a\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x\n"
                   "constraint c: a*x' = 0\nclaim \"false 1\": equilibrium x = 0\n"
                   "claim \"not proved 2\": stable at x = 0\n"
                   "claim \"not proved 3\": steady x' = 0\nclaim \"proved 4\": y'' = 0\n"
                   "claim \"false 5\": x'' = 0 when y' = 0\n"
                   "claim \"proved 6\": x'' = 0 when y' = 0, a > 0\n",
                   NULL);
    check_verdicts("parameter a\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: x' = z'\nclaim \"not proved 1\": y' = 0 when a*y' = 0\n"
                   "claim \"proved 2\": y' = 0 when a*y' = 0, a != 0\n"
                   "claim \"not proved 3\": y' = z' when a*y' = a*z'\n",
                   NULL);
    /* one row of two for a = b */
    check_verdicts("parameter a, b\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: x' = a*z'\nconstraint d: x' = b*z'\n"
                   "claim \"proved 1\": constant y'\nclaim \"proved 2\": integral energy\n"
                   "claim \"false 3\": x' = 0\nclaim \"false 4\": growth 1\n"
                   "claim \"proved 5\": holonomic\nclaim \"false 6\": rank 2\n"
                   "claim \"proved 7\": (a - b)*z' = 0\n",
                   NULL);
}

/* The rows' slopes hold no parameter and have one rank as a matrix, and yet a special value leaves a component with fewer. */
TEST(special_values_beside_the_slopes)
{
    check_verdicts("parameter p\n" POINTS_3 "constraint a: x'*y' = p\nconstraint b: y'*z' = 0\n"
                   "claim \"false 1\": z' = 0\nclaim \"false 2\": rank 2\n"
                   "claim \"false 3\": constant z\nclaim \"proved 4\": y'*z' = 0\n"
                   "claim \"proved 5\": z'' = 0\n",
                   NULL);
    check_verdicts("parameter p\n" POINTS_3
                   "constraint a: x'*y' = p\nconstraint b: x'*(x' - 1) = 0\n"
                   "claim \"false 1\": y'' = 0\nclaim \"false 2\": reaction[y] = 1\n"
                   "claim \"false 3\": constant y'\nclaim \"proved 4\": x'' = 0\n",
                   NULL);
    check_verdicts("parameter R\n" POINTS_3 "constraint a: x*y = R\nconstraint b: x*z = 0\n"
                   "claim \"false 1\": z' = 0\nclaim \"false 2\": accessible 1\n"
                   "claim \"proved 3\": constant energy\n",
                   NULL);
    check_verdicts("parameter k\n" POINTS_3
                   "constraint a: x'^2 = k\nconstraint b: (x' - 3)*(y' - z') = 0\n"
                   "claim \"false 1\": y' = z'\nclaim \"false 2\": rank 2\n"
                   "claim \"proved 3\": x'' = 0\n",
                   NULL);
    check_verdicts(
        "parameter p, q\nassume p > 0\n" POINTS_3 "constraint a: x'*y' = p*q\n"
        "constraint b: x'*z' = p\nclaim \"proved 1\": y' = q*z'\nclaim \"proved 2\": rank 2\n",
        NULL);
    check_verdicts("input u = 1\n" POINTS_3 "constraint a: x'*y' = u\nconstraint b: y'*z' = 0\n"
                   "claim \"false 1\": z' = 0\nclaim \"false 2\": rank 2\n",
                   NULL);
    check_verdicts("parameter R, l\ncoordinate x, y, u, w\nkinetic (x'^2 + y'^2 + u'^2 + w'^2)/2\n"
                   "constraint a: x^2 + y^2 = R^2\nconstraint b: (u - x)^2 + (w - y)^2 = l^2\n"
                   "claim \"proved 1\": rank 2\nclaim \"proved 2\": constant energy\n"
                   "claim \"proved 3\": accessible 2\n",
                   NULL);
}

/* Rows with functions of velocities, at special values of two parameters: there are fewer. */
TEST(special_values_beside_functions_of_velocities)
{
    check_verdicts("parameter a, b\n" POINTS_3 "constraint r: (3 + sin(x'))*x' = 2*a*z'\n"
                   "constraint s: (3 + sin(x'))*x' = 2*b*z'\n"
                   "claim \"false 1\": x' = 0\nclaim \"false 2\": constant x\n"
                   "claim \"false 3\": z' = 0\n",
                   NULL);
    check_verdicts("parameter a, b\n" POINTS_3 "constraint r: (3 + tanh(x' + a))*x' = z'\n"
                   "constraint s: (3 + tanh(x' + b))*x' = z'\n"
                   "claim \"false 1\": x' = 0\nclaim \"unknown 2\": (x' - z')^2*(a - b)*z' = 0\n",
                   NULL);
    check_verdicts("parameter a\n" POINTS_3 "constraint r: (3 + tanh(x' + a))*x' = z'\n"
                   "claim \"holds 1\": y'' = -1\nclaim \"false 2\": x' = 0\n",
                   NULL);
}

/* x^n exists for x < 0 where n is an integer, and is negative there for n = 1; sqrt(x^(2 n)) is |x| then. */
TEST(free_exponents)
{
    check_verdicts("parameter n, k\n" POINTS_2 "claim \"false 1\": abs(x^n) = x^n\n"
                   "claim \"false 2\": sqrt(x^(2*n)) = x^n\n"
                   "claim \"false 3\": (x^n)^(1/n) = x\n"
                   "claim \"false 4\": x^(n*k) = abs(x)^(n*k)\n"
                   "claim \"false 5\": max(x^n, 0) = x^n\n"
                   "claim \"false 6\": 0*x^n + abs(x) = x\n"
                   "claim \"false 7\": (x^2)^n = x^(2*n)\n"
                   "claim \"not false 8\": x^n*y^n = (x*y)^n\n"
                   "claim \"proved 9\": x^n*x^k = x^(n + k)\n"
                   "claim \"proved 10\": der(x^n) = n*x^(n - 1)*x'\n"
                   "claim \"false 11\": n^n = abs(n)^n\n"
                   "claim \"false 12\": (x^n)^k = x^(n*k)\n"
                   "claim \"proved 13\": (x^n)^2 = x^(2*n)\n",
                   NULL);
    check_verdicts("parameter n\nassume n > 0\n" POINTS_2
                   "assume x > 0, y > 0\nconstraint h: x^n = y^n\n"
                   "claim \"not false 1\": x = y\nclaim \"not false 2\": x' = y'\n",
                   NULL);
    check_verdicts("parameter n\n" POINTS_2 "assume x > 0\nclaim \"proved 1\": abs(x^n) = x^n\n"
                   "claim \"proved 2\": sqrt(x^(2*n)) = x^n\n",
                   NULL);
    check_verdicts("parameter n\n" POINTS_2 "assume x > 0, y > 0\nconstraint h: x^n = y^n\n"
                   "claim \"false 1\": x = y\nclaim \"false 2\": x' = y'\n",
                   NULL);
}

/* A form that is none for some value of the parameter is no integral then. */
TEST(integrals_with_free_parameters)
{
    check_verdicts("parameter a\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: x' = a*y'\nclaim \"proved 1\": integral x'^2 + y'^2\n"
                   "claim \"proved 2\": integral 3*x'^2 + 2*y'^2 + z'^2\n"
                   "claim \"proved 3\": integral 2*energy\nclaim \"proved 4\": integral z'^2\n"
                   "claim \"proved 5\": integral y'*z' + y'^2\n"
                   "claim \"false 6\": integral x'^2\nclaim \"false 7\": integral a*z'^2\n"
                   "claim \"false 8\": integral (a - 1)*y'^2 + a^2\n"
                   "claim \"false 9\": integral (x' - a*y')^2 + a\n"
                   "claim \"false 10\": integral x'^2 - a^2*y'^2 + a*z'^2\n",
                   NULL);
    /* what the constraints fix on each component is none */
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "constraint h: (x^2 + y^2 - 1)*(x^2 + y^2 - 4) = 0\n"
                   "claim \"false 1\": integral x^2 + y^2\n"
                   "claim \"proved 2\": constant x^2 + y^2\n"
                   "claim \"proved 3\": integral x*y' - y*x'\n",
                   NULL);
}

/* What is true on each component: p = -1 makes p x' = y' and x' + y' = 0 one, and then z' is free there. */
TEST(special_values_beside_components)
{
    check_verdicts("parameter p, q\n" POINTS_3 "constraint a: (p*x' - y')*(x' - q*y') = 0\n"
                   "constraint b: z'*(x' + y') = 0\n"
                   "claim \"false 1\": z' = 0\nclaim \"proved 2\": z'*(x' + y') = 0\n",
                   NULL);
    check_verdicts("parameter p, q\nassume p > 0, q > 0\n" POINTS_3
                   "constraint a: (p*x' - y')*(x' - q*y') = 0\n"
                   "constraint b: z'*(x' + y') = 0\nclaim \"proved 1\": z' = 0\n",
                   NULL);
    /* x' = y' and z' free for p = 1 */
    check_verdicts("parameter p\n" POINTS_3 "constraint a: x'^2 = p*y'^2\n"
                   "constraint b: (x' - y')*(2*z' - x') = 0\n"
                   "claim \"false 1\": 2*z' = x'\nclaim \"false 2\": 2*z'' = x''\n"
                   "claim \"false 3\": constant 2*z - x\n",
                   NULL);
}

/* f = -1 and u = -1 are among the functions. */
TEST(special_functions_beside_components)
{
    static const char *const of[] = {"function f(t)\n", "input f = 1\n"};
    for (int i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "%s" POINTS_3 "constraint a: (%s*x' - y')*(x' - y') = 0\n"
                 "constraint b: z'*(x' + y') = 0\nclaim \"not true 1\": z' = 0\n"
                 "claim \"proved 2\": z'*(x' + y') = 0\n",
                 of[i], i ? "f" : "f(t)");
        check_verdicts(text, NULL);
    }
}

/* What holds at states with parameters drawn at random, and fails at values that are not found, is not known. */
TEST(values_that_are_not_found)
{
    check_verdicts("parameter p\n" POINTS_3 "constraint a: (abs(p) - 1)*(x' - y') = 0\n"
                   "claim \"not true 1\": x' = y'\n",
                   NULL);
    check_verdicts("parameter p, q\n" POINTS_3 "constraint a: max(p, q)*y*y' = 0\n"
                   "claim \"not true 1\": y'' = 0 when x' = 0\n",
                   NULL);
}

/* t counts as a dimension beside y' = p, unless p = 0. */
TEST(constraints_that_are_affine_for_most_values)
{
    check_verdicts("parameter p\n" POINTS_3 "constraint a: y' = p\n"
                   "claim \"false 1\": growth 3\nclaim \"proved 2\": holonomic\n",
                   NULL);
    check_verdicts("parameter p\nassume p > 0\n" POINTS_3 "constraint a: y' = p\n"
                   "claim \"proved 1\": growth 3\nclaim \"false 2\": growth 2\n",
                   NULL);
    check_verdicts("parameter p\n" POINTS_3 "constraint a: y' = p\nconstraint b: x' = 1 - p\n"
                   "claim \"not false 1\": growth 2\n",
                   NULL);
}

/* x' = 0 says y' = 0, too, under x' = p y', and x = 0 says y = 0 under x = p y, but for p = 0. */
TEST(states_with_named_values)
{
    check_verdicts("parameter p\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -y'\n"
                   "constraint c: x' = p*y'\nclaim \"false 1\": steady x' = 0\n"
                   "claim \"proved 2\": steady x' = 0, y' = 0\n",
                   NULL);
    check_verdicts("parameter p\nassume p != 0\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "force y = -y'\nconstraint c: x' = p*y'\nclaim \"proved 1\": steady x' = 0\n",
                   NULL);
    check_verdicts("parameter p\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "potential y^4 - y^2\nconstraint c: x = p*y\n"
                   "claim \"false 1\": equilibrium x = 0\nclaim \"proved 2\": equilibrium y = 0\n"
                   "claim \"not true 3\": unstable at x = 0\n",
                   NULL);
    /* at rest p x = 0 is left of the row */
    check_verdicts("parameter p\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x^4\n"
                   "constraint c: 2*sin(y)*y' + p*x = 0\nclaim \"false 1\": equilibrium\n"
                   "claim \"proved 2\": equilibrium x = 0\n",
                   NULL);
}
