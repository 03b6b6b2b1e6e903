/* t_worked.c - claims whose truth was worked out by hand, of all kinds that `verify` knows, in systems of which no other test
 * speaks. The labels begin with the verdict that they must get. */
#include "harness/harness.h"
#include "harness/tricks.h"

#include <stdio.h>

/* ---- What is compared ------------------------------------------------------------------------ */

/* Two quasi-velocities go with one constraint: without it they are too few, and the states that tell the sides apart are
 * free of it all the same. */
TEST(identities_beside_quasivelocities)
{
    check_verdicts("parameter m = 2\ncoordinate x, y, th\n"
                   "kinetic m*(x'^2 + y'^2)/2 + th'^2/2 + t*x'\n"
                   "constraint e: x'*sin(th) - y'*cos(th) = 0\n"
                   "quasivelocity u = x'*cos(th) + y'*sin(th), w = th'\n"
                   "claim \"false 1\": kinetic = m*u^2/2 + w^2/2 + t*x'\n"
                   "claim \"false 2\": kinetic = m*(x'^2 + y'^2)/2 + w^2/2 + 2*t*x'\n"
                   "claim \"proved 3\": kinetic = m*(x'^2 + y'^2)/2 + w^2/2 + t*x'\n"
                   "claim \"false 4\": kinetic = (M[1,1]*x'^2 + M[2,2]*y'^2 + w^2)/2 + 2*t*x'\n"
                   "claim \"false 5\": identically u*cos(th) = x'\n"
                   "claim \"proved 6\": identically u' = x''*cos(th) + y''*sin(th) + "
                   "w*(y'*cos(th) - x'*sin(th))\n"
                   "claim \"false 7\": identically u' = x''*cos(th) + y''*sin(th)\n"
                   "claim \"proved 8\": u' = x''*cos(th) + y''*sin(th)\n"
                   "claim \"proved 9\": identically sqrt(u)^2 = u\n"
                   "claim \"unknown 10\": identically 0*log(-1 - u^2) = 0\n",
                   NULL);
}

/* ---- Singular states ------------------------------------------------------------------------- */

/* Rows of constraints on accelerations are rows like others. */
TEST(singular_states_of_accelerations)
{
    check_verdicts(
        "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: x*x'' + y*y'' = 0\n"
        "claim \"proved 1\": singular x = 0, y = 0\nclaim \"false 2\": singular nowhere\n"
        "claim \"false 3\": singular x = 0\nclaim \"false 4\": singular x = 0, y = 0, z = 0\n",
        NULL);
    check_verdicts(
        "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: x'*x'' + y'*y'' = t\n"
        "claim \"proved 1\": singular x' = 0, y' = 0\nclaim \"false 2\": singular x' = 0\n"
        "claim \"false 3\": singular x = 0, y = 0\nclaim \"false 4\": singular nowhere\n",
        NULL);
    /* the first row is one on velocities; together they lose rank where the second follows */
    check_verdicts("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: x' = y'\n"
                   "constraint c: x'' - y'' + z*z'' = 0\n"
                   "claim \"proved 1\": singular z = 0\nclaim \"false 2\": singular nowhere\n",
                   NULL);
    check_verdicts(
        "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: x' = y*z'\n"
        "constraint c: x'*y'' + z*z'' = 0\n"
        "claim \"proved 1\": singular x' = 0, z = 0\nclaim \"false 2\": singular nowhere\n",
        NULL);
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x''^2 + y''^2 = 4\n"
                   "claim \"unknown 1\": singular nowhere\nclaim \"unknown 2\": singular x = 0\n",
                   NULL);
}

/* ---- Parameters and functions without a value: all of them, special ones too -------------------- */

/* a z' is the number 0 for a = 0, and so no integral; beside x' it always is one. On z' = a x' the difference z' − x' vanishes
 * for a = 1. */
TEST(integrals_that_vanish_for_special_values)
{
    check_verdicts(
        "parameter a\nparameter b\nassume b > 0\ncoordinate x, z\nkinetic (x'^2 + z'^2)/2\n"
        "claim \"false 1\": integral a*z'\nclaim \"proved 2\": integral b*z'\n"
        "claim \"proved 3\": integral a*z' + x'\nclaim \"proved 4\": constant a*z'\n"
        "claim \"false 5\": integral a*x' + (a - 1)*a*z'\nclaim \"false 6\": integral a*x\n",
        NULL);
    check_verdicts("parameter a\ncoordinate x, z\nkinetic (x'^2 + z'^2)/2\n"
                   "constraint c: z' = a*x'\n"
                   "claim \"false 1\": integral z' - x'\nclaim \"proved 2\": integral x'\n"
                   "claim \"false 3\": integral z' - a*x'\n",
                   NULL);
    check_verdicts("parameter a\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "velocity u: x' = a*u, y' = u\n"
                   "claim \"proved 1\": integral u\nclaim \"not proved 2\": integral x'\n",
                   NULL);
    /* without mass there is no system to speak of */
    check_verdicts("parameter m, g\ncoordinate x, y, z\nkinetic m*(x'^2 + y'^2 + z'^2)/2\n"
                   "potential m*g*z\nconstraint c: z' = y*x'\n"
                   "claim \"proved 1\": integral energy\nclaim \"false 2\": integral g*y'^2\n",
                   NULL);
}

/* a x' = a y' says nothing for a = 0, x' + a y' = 0 and x' + b y' = 0 are one for a = b: what is proved with letters is asked of
 * these values, too. */
TEST(constraints_with_special_values)
{
    static const char points[] = "parameter a, b\n%s\ncoordinate x, y, z\n"
                                 "kinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: a*x' = a*y'\n"
                                 "claim \"%s 1\": x' = y'\nclaim \"%s 2\": x'' = y''\n"
                                 "claim \"%s 3\": rank 1\nclaim \"proved 4\": a*x' = a*y'\n"
                                 "claim \"proved 5\": x' + x' = 2*x'\nclaim \"false 6\": rank 0\n";
    char text[1000];
    snprintf(text, sizeof text, points, "", "false", "proved", "false"); /* by a = 0 */
    check_verdicts(text, NULL);
    snprintf(text, sizeof text, points, "assume a != 0", "proved", "proved", "proved");
    check_verdicts(text, NULL);
    check_verdicts("parameter a, b\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: x' + a*y' = 0\nconstraint d: x' + b*y' = 0\n"
                   "claim \"false 1\": x' = 0\nclaim \"proved 2\": y'' = 0\n"
                   "claim \"not proved 3\": rank 2\nclaim \"false 4\": rank 1\n",
                   NULL);
    check_verdicts("parameter a, b\nassume a > b\ncoordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: x' + a*y' = 0\nconstraint d: x' + b*y' = 0\n"
                   "claim \"proved 1\": x' = 0\nclaim \"proved 2\": y'' = 0\n"
                   "claim \"proved 3\": rank 2\nclaim \"proved 4\": constant energy\n",
                   NULL);
    check_verdicts("function f(t)\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: f(t)*x' = f(t)*y'\nclaim \"not proved 1\": x' = y'\n"
                   "claim \"not proved 2\": rank 1\nclaim \"proved 3\": f(t)*x' = f(t)*y'\n",
                   NULL);
}

/* Where the rank is the same for all values nothing is lost. */
TEST(constraints_of_one_rank)
{
    check_verdicts("parameter a, b\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "potential x\nconstraint c: x' = a*y'\nclaim \"proved 1\": x' = a*y'\n"
                   "claim \"proved 2\": z'' = 0\nclaim \"proved 3\": constant energy\n"
                   "claim \"proved 4\": y''*(1 + a^2) = -a\nclaim \"proved 5\": rank 1\n"
                   "claim \"proved 6\": holonomic\nclaim \"false 7\": y'' = -a\n",
                   NULL);
    check_verdicts("parameter a\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: x'^2 + y'^2 = a\nclaim \"proved 1\": x'*x'' + y'*y'' = 0\n"
                   "claim \"proved 2\": constant x'\nclaim \"proved 3\": rank 1\n",
                   NULL);
    check_verdicts("parameter r, R, m\nassume r > 0, R > 0\ncoordinate x, y, th, p1, p2\n"
                   "kinetic m*(x'^2 + y'^2)/2 + th'^2/2 + p1'^2 + p2'^2\n"
                   "constraint a: x'*sin(th) - y'*cos(th) = 0\n"
                   "constraint b: x'*cos(th) + y'*sin(th) + R*th' = r*p1'\n"
                   "constraint c: x'*cos(th) + y'*sin(th) - R*th' = r*p2'\n"
                   "claim \"proved 1\": rank 3\nclaim \"proved 2\": growth 2, 3, 4\n"
                   "claim \"proved 3\": integral 2*R*th - r*(p1 - p2)\n"
                   "claim \"proved 4\": constant energy\nclaim \"false 5\": growth 2, 3, 5\n",
                   NULL);
}

/* z' = a x y' + y x' is integrable for a = 1 alone, (y + a y^2) x' needs a bracket more for a != 0. */
TEST(directions_with_special_values)
{
    static const char places[] =
        "parameter a\n%s\ncoordinate x, y, z\n"
        "kinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: z' = a*x*y' + y*x'\n"
        "claim \"%s 1\": nonholonomic\nclaim \"%s 2\": growth 2, 3\n"
        "claim \"%s 3\": accessible 3\nclaim \"false 4\": holonomic\n"
        "claim \"proved 5\": rank 1\n";
    char text[1000];
    snprintf(text, sizeof text, places, "", "false", "false", "false"); /* a = 1: z = x y + c */
    check_verdicts(text, NULL);
    snprintf(text, sizeof text, places, "assume a > 1", "proved", "proved", "proved");
    check_verdicts(text, NULL);
    check_verdicts("parameter a\ncoordinate x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\n"
                   "constraint c: z' = y*x'\nconstraint d: w' = (y + a*y^2)*x'\n"
                   "claim \"false 1: a = 0\": growth 2, 3, 4\nclaim \"false 2\": accessible 4\n"
                   "claim \"proved 3\": rank 2\nclaim \"false 4\": accessible 3\n",
                   NULL);
    check_verdicts("function f(x)\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: z' = f(x)*y'\nclaim \"false 1: f = 0\": nonholonomic\n"
                   "claim \"false 2\": growth 2, 3\nclaim \"proved 3\": rank 1\n",
                   NULL);
}

/* ---- Gradients that do not exist ---------------------------------------------------------------- */

/* At the tip of a cone the row is not defined, and no rank with it; |r|^3 has a gradient there. */
TEST(tips_of_cones)
{
    static const char *const rows[][2] = {{"sqrt(x'^2 + y'^2) = z'", "x' = 0, y' = 0"},
                                          {"z = sqrt(x^2 + y^2)", "x = 0, y = 0"},
                                          {"(x - 1)^(1/3) = z", "x = 1, z = 0"}};
    char text[500];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text,
                 "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: %s\n"
                 "claim \"unknown 1\": singular nowhere\nclaim \"unknown 2\": singular %s\n",
                 rows[i][0], rows[i][1]);
        check_verdicts(text, NULL);
    }
    static const char *const smooth[] = {"z' = sqrt(x^2 + y^2)*x'", "z = (x^2 + y^2)^(3/2)",
                                         "z' = x'/(x^2 + y^2)"};
    for (size_t i = 0; i < sizeof smooth / sizeof *smooth; i++) {
        snprintf(text, sizeof text,
                 "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: %s\n"
                 "claim \"proved 1\": singular nowhere\n"
                 "claim \"false 2\": singular x = 1, y = 0\n",
                 smooth[i]);
        check_verdicts(text, NULL);
    }
}

/* ---- Whole systems ------------------------------------------------------------------------------ */

/* A chain y' = p x', p' = q x' beside a free z: Engel's directions, times a line. */
TEST(brackets_of_a_chain)
{
    check_verdicts("coordinate x, y, z, p, q\n"
                   "kinetic (x'^2 + y'^2 + z'^2 + p'^2 + q'^2)/2\n"
                   "constraint a: y' = p*x'\n"
                   "constraint b: p' = q*x'\n"
                   "claim \"proved 1\": rank 2\n"
                   "claim \"proved 2\": growth 3, 4, 5\n"
                   "claim \"false 3\": growth 3, 5\n"
                   "claim \"false 4\": accessible 4\n"
                   "claim \"proved 5\": accessible 5\n"
                   "claim \"proved 6\": nonholonomic\n"
                   "claim \"false 7\": holonomic b\n"
                   "claim \"proved 8\": nonholonomic a\n"
                   "claim \"proved 9\": constant energy\n"
                   "claim \"proved 10\": integral z'\n"
                   "claim \"false 11\": integral q' + p'\n"
                   "claim \"proved 12\": z'' = 0\n"
                   "claim \"false 13\": x'' = 0\n"
                   "claim \"false 14\": integral y' - p*x'\n",
                   NULL);
}

/* A blade with friction in proportion to its velocity: u' = -mu u/m along it, and th' is constant. */
TEST(blade_with_friction)
{
    check_verdicts(
        "parameter m = 2, mu = 1/3\n"
        "coordinate x, y, th\n"
        "kinetic m*(x'^2 + y'^2)/2 + th'^2/2\n"
        "force x = -mu*x', y = -mu*y'\n"
        "constraint e: x'*sin(th) - y'*cos(th) = 0\n"
        "claim \"proved 1\": x'' = -mu*x'/m when th' = 0\n"
        "claim \"false 2\": x'' = -mu*x'/m\n"
        "claim \"proved 3\": der(energy) = -mu*(x'^2 + y'^2)\n"
        "claim \"false 4\": der(energy) = -mu*x'^2\n"
        "claim \"proved 5\": lambda[1] = 0 when th' = 0\n"
        "claim \"false 6\": lambda[1] = 0\n"
        "claim \"proved 7\": x'' = -y'*th' - mu*x'/m\n"
        "claim \"false 8\": y'' = -x'*th' - mu*y'/m\n"
        "claim \"proved 9\": y'' = x'*th' - mu*y'/m\n"
        "claim \"proved 10\": x'' = 0 when x' = 0, y' = 0\n"
        "claim \"proved 11\": y' = 0 when th = 0\n"
        "claim \"false 12\": x' = 0 when th = 0\n"
        "claim \"false 13\": y'' = 0 when th = 0\n"
        "claim \"proved 14\": y'' = x'*th' when th = 0\n"
        "claim \"proved 16\": abs(x'*cos(th) + y'*sin(th)) = sqrt(x'^2 + y'^2)\n"
        "claim \"false 17\": x'*cos(th) + y'*sin(th) = sqrt(x'^2 + y'^2)\n"
        "claim \"holds 18\": x'*cos(th) + y'*sin(th) = sqrt(x'^2 + y'^2) when x'*cos(th) + "
        "y'*sin(th) >= 0\n"
        "claim \"false 19\": x'*cos(th) + y'*sin(th) = sqrt(x'^2 + y'^2) when x' >= 0\n"
        "claim \"holds 20\": x'*cos(th) + y'*sin(th) = sqrt(x'^2 + y'^2) when x' > 0, cos(th) > 0\n"
        "claim \"false 21\": tan(th) = y'/x' + 1e-18*x\n"
        "claim \"proved 22\": tan(th) = y'/x'\n"
        "claim \"false 23\": th = atan2(y', x')\n"
        "claim \"false 24\": th = atan(y'/x')\n"
        "claim \"proved 25\": sin(th - atan2(y', x')) = 0\n"
        "claim \"false 26\": cos(th - atan2(y', x')) = 1\n"
        "claim \"proved 27\": cos(th - atan2(y', x'))^2 = 1\n"
        "claim \"proved 28\": limit mu -> 0: der(energy) = 0\n"
        "claim \"proved 29\": limit mu -> inf: der(energy)/mu = -(x'^2 + y'^2)\n"
        "claim \"false 30\": limit m -> inf: x'' = 0\n"
        "claim \"proved 31\": limit m -> inf: x'' = -y'*th'\n"
        "claim \"false 32\": integral th\n"
        "claim \"proved 33\": integral th'\n"
        "claim \"proved 34\": integral th - th'*t\n"
        "claim \"false 35\": integral th + th'*t\n"
        "claim \"false 36\": measure exp(2*mu*t/m)/cos(th)\n"
        "claim \"false 37\": measure 1\n"
        "claim \"proved 38\": M[1,1] = m\n"
        "claim \"false 39\": G[1,1] = m\n"
        "claim \"proved 40\": G[1,1] = 1/m\n",
        NULL);
}

/* q x q' = 0: three rows of rank 2 leave rays through the origin, which is singular. */
TEST(rays_by_three_rows)
{
    check_verdicts("coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint a: y*z' - z*y' = 0\n"
                   "constraint b: z*x' - x*z' = 0\n"
                   "constraint c: x*y' - y*x' = 0\n"
                   "claim \"proved 1\": rank 2\n"
                   "claim \"false 2\": rank 3\n"
                   "claim \"proved 3\": growth 1\n"
                   "claim \"proved 4\": holonomic\n"
                   "claim \"proved 5\": accessible 1\n"
                   "claim \"proved 6\": constant x/y\n"
                   "claim \"false 7\": constant x*y\n"
                   "claim \"proved 8\": x*y' = y*x'\n"
                   "claim \"proved 9\": constant energy\n"
                   "claim \"proved 10\": x*y'' = y*x''\n"
                   "claim \"false 11\": x'' = x\n"
                   "claim \"proved 12\": x'' = 0\n"
                   "claim \"proved 13\": singular x = 0, y = 0, z = 0\n"
                   "claim \"false 14\": singular nowhere\n"
                   "claim \"false 15\": singular x = 0, y = 0\n"
                   "claim \"false 16\": integral x*y' - y*x'\n"
                   "claim \"false 18\": growth 1, 2\n",
                   NULL);
}

/* x'^2 + y'^2 = z'^2 + 1 is not homogeneous: J v = 2, and the energy changes by 2 lambda. */
TEST(a_hyperboloid_of_velocities)
{
    check_verdicts(
        "parameter m = 2\n"
        "coordinate x, y, z\n"
        "kinetic m*(x'^2 + y'^2)/2 + z'^2/2\n"
        "potential x*z\n"
        "constraint a: x'^2 + y'^2 = z'^2 + 1\n"
        "claim \"proved 1\" by multipliers: C[1,1] = 2*x'\n"
        "claim \"false 2\" by multipliers: C[1,3] = 2*z'\n"
        "claim \"proved 3\" by multipliers: L[1] = -z\n"
        "claim \"false 4\" by multipliers: g_up[1,1] = m\n"
        "claim \"proved 5\" by multipliers: g_up[1,1] = 1/m\n"
        "claim \"proved 6\" by multipliers: pi[1,1] + pi[2,2] + pi[3,3] = 1\n"
        "claim \"false 7\" by multipliers: pi[1,1] + pi[2,2] + pi[3,3] = 2\n"
        "claim \"proved 8\" by gauss: J[1,1]*x'' + J[1,2]*y'' + J[1,3]*z'' + gamma[1] = 0\n"
        "claim \"false 9\" by gauss: J[1,3] = 2*z'\n"
        "claim \"proved 10\": x'*x'' + y'*y'' = z'*z''\n"
        "claim \"false 11\": constant energy\n"
        "claim \"false 12\": der(energy) = 0\n"
        "claim \"proved 13\": der(energy) = 2*lambda[1]\n"
        "claim \"false 14\": der(energy) = 2*lambda[1]*z'^2\n"
        "claim \"false 15\": x'^2 + y'^2 = 1\n"
        "claim \"proved 18\": singular nowhere\n"
        "claim \"false 19\": rank 0\n"
        "claim \"false 20\": integral x'^2 + y'^2 - z'^2\n",
        NULL);
}
