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
