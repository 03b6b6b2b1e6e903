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

/* a x' = a y' says nothing for a = 0, x' + a y' = 0 and x' + b y' = 0 are one for a = b: what is proved with letters holds in general. */
TEST(constraints_with_special_values)
{
    static const char points[] = "parameter a, b\n%s\ncoordinate x, y, z\n"
                                 "kinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: a*x' = a*y'\n"
                                 "claim \"%s 1\": x' = y'\nclaim \"%s 2\": x'' = y''\n"
                                 "claim \"%s 3\": rank 1\nclaim \"proved 4\": a*x' = a*y'\n"
                                 "claim \"proved 5\": x' + x' = 2*x'\nclaim \"false 6\": rank 0\n";
    char text[1000];
    snprintf(text, sizeof text, points, "", "holds", "holds", "holds");
    check_verdicts(text, NULL);
    snprintf(text, sizeof text, points, "assume a != 0", "proved", "proved", "proved");
    check_verdicts(text, NULL);
    check_verdicts("parameter a, b\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: x' + a*y' = 0\nconstraint d: x' + b*y' = 0\n"
                   "claim \"not proved 1\": x' = 0\nclaim \"not proved 2\": y'' = 0\n"
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
    snprintf(text, sizeof text, places, "", "holds", "holds", "holds");
    check_verdicts(text, NULL);
    snprintf(text, sizeof text, places, "assume a > 1", "proved", "proved", "proved");
    check_verdicts(text, NULL);
    check_verdicts("parameter a\ncoordinate x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\n"
                   "constraint c: z' = y*x'\nconstraint d: w' = (y + a*y^2)*x'\n"
                   "claim \"holds 1\": growth 2, 3, 4\nclaim \"holds 2\": accessible 4\n"
                   "claim \"proved 3\": rank 2\nclaim \"false 4\": accessible 3\n",
                   NULL);
    check_verdicts("function f(x)\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: z' = f(x)*y'\nclaim \"holds 1\": nonholonomic\n"
                   "claim \"holds 2\": growth 2, 3\nclaim \"proved 3\": rank 1\n",
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
