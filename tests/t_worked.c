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
