/* t_families.c - claims about systems with free parameters, at whose special values there are fewer constraints or other
 * directions: values that are no rational numbers, that `assume` leaves out, and that several conditions make together. The labels
 * begin with the verdict that they must get. */
#include "harness/harness.h"
#include "harness/tricks.h"

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
