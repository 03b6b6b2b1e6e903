/* t_tricks_switches.c - what switches or jumps, where a prover is easily wrong; true claims and false ones. The labels begin with
 * the verdict that they must get (t_tricks.c). */
#include "harness/harness.h"
#include "harness/tricks.h"

#include <stdio.h>

/* ---- Switches: what holds beside them need not hold at them ----------------------------------- */

TEST(switches_in_constraints)
{
    /* x' = y z' above, x' = 0 below: of two kinds. */
    check_verdicts(POINTS_3 "constraint a: x' = step(y)*y*z'\n"
                            "claim \"unknown 1\": growth 2, 3\n"
                            "claim \"unknown 2\": accessible 3\n"
                            "claim \"unknown 3\": growth 2\n"
                            "claim \"false 1\": holonomic\n"
                            "claim \"proved 1\": rank 1\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: x' = max(y', 0)\n"
                            "claim \"false 1\": x' = y'\nclaim \"false 2\": x' = 0\n"
                            "claim \"proved 3\": x'*(x' - y') = 0\n",
                   NULL);
    /* A row that follows from another is no other rank. */
    check_verdicts(POINTS_3 "constraint a: x' = y*z'\nconstraint b: (2*x' - 2*y*z')*(1 + z^2) = 0\n"
                            "claim \"proved 1\": singular nowhere\n"
                            "claim \"false 1\": singular y = 0\n",
                   NULL);
    /* Where x' = 0 the two halves of |x'| = y' meet: no rank tells what is there. */
    check_verdicts(POINTS_3 "constraint a: abs(x') = y'\n"
                            "claim \"unknown 1\": singular nowhere\n"
                            "claim \"unknown 2\": singular x' = 0, y' = 0\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint a: x' = max(y, 1000)*z'\n"
                            "claim \"unknown 1\": growth 2\n"
                            "claim \"unknown 2\": accessible 2\n",
                   NULL);
}

/* A parameter that switches is no motion through the switch: for p = 0 the constraints are others, x' = 0. */
TEST(switches_of_parameters)
{
    check_verdicts("parameter p\n" POINTS_3 "constraint a: x' = sign(p)*z'\n"
                   "claim \"false 1\": x'^2 = z'^2\nclaim \"proved 2\": p^2*x'^2 = p^2*z'^2\n"
                   "claim \"false 3\": sign(p)*x' = z'\n"
                   "claim \"proved 4\": sign(p)*x' = sign(p)^2*z'\n",
                   NULL);
    check_verdicts("parameter p\n" POINTS_4 "constraint a: x' = step(p)*z'\nconstraint b: y' = w'\n"
                   "claim \"false 1\": x'*(x' - z') = 0\nclaim \"proved 2\": y' = w'\n"
                   "claim \"false 3\": x'^2 + y' = x'*z' + w'\n",
                   NULL);
    check_verdicts("parameter p\n" POINTS_3 "constraint a: x' = 1 - sign(p)^2\n"
                   "claim \"false 1\": x' = 0\nclaim \"false 2\": constant x\n"
                   "claim \"false 3\": constant energy\n",
                   NULL);
    check_verdicts("parameter p\nassume p != 0\n" POINTS_3 "constraint a: x' = sign(p)*z'\n"
                   "claim \"proved 1\": x'^2 = z'^2\nclaim \"proved 2\": constant energy\n"
                   "claim \"proved 3\": x''^2 = z''^2\n",
                   NULL);
    check_verdicts("parameter p\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "velocity v: x' = sign(p)*v, y' = v\n"
                   "claim \"false 1\": x'^2 = y'^2\nclaim \"proved 2\": x' = sign(p)*y'\n",
                   NULL);
}

/* Where a switch changes the equations have no linearisation. */
TEST(switches_at_steady_motions)
{
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "force x = if(x > 0, x, -x)\nforce y = -y + max(0, y')\n"
                   "claim \"proved 1\": equilibrium x = 0, y = 0\n"
                   "claim \"unknown 1\": stable at x = 0, y = 0\n"
                   "claim \"unknown 2\": attracting at x = 0, y = 0\n"
                   "claim \"unknown 3\": unstable at x = 0, y = 0\n",
                   NULL);
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "force x = 1 - max(x, -x)\nforce y = -y\n"
                   "claim \"holds 1\": stable at x = 1, y = 0\n"
                   "claim \"holds 2\": unstable at x = -1, y = 0\n",
                   NULL);
}

/* Nor have they one where a root or a power ends: there is nothing beyond x = 0, whatever the slopes before it are. */
TEST(edges_at_steady_motions)
{
    static const char *const ends[] = {"x^(5/2)", "sqrt(x)^5", "x^3*sqrt(2*x)",
                                       "asin(1 - x)^0*x^3"};
    static const char *const goes_on[] = {"x^4", "x^2*sqrt(1 + x)", "x^2*sqrt(1 - x^2)",
                                          "asin(x)^2"};
    char words[1000];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(words, sizeof words,
                 "coordinate x\nkinetic x'^2/2\npotential x^2/2 + %s\nforce x = -x'\n"
                 "claim \"unknown 1\": stable at x = 0\nclaim \"unknown 2\": attracting at x = 0\n"
                 "claim \"unknown 3\": unstable at x = 0\n",
                 ends[i]);
        check_verdicts(words, NULL);
        snprintf(words, sizeof words,
                 "coordinate x\nkinetic x'^2/2\npotential 9*x^2 + %s\n"
                 "force x = -x'\nclaim \"proved 1\": attracting at x = 0\n",
                 goes_on[i]);
        check_verdicts(words, NULL);
    }
}

TEST(switches_in_claims)
{
    check_verdicts(POINTS_2
                   "claim \"false 1\": sign(x)^2 = 1\n"
                   "claim \"proved 2\": sign(x)*abs(x) = x\n"
                   "claim \"proved 3\": sign(x)*sign(y) = sign(x*y)\n"
                   "claim \"not proved 4\": sign(x)*sign(y) = sign(x*y) + step(x) - step(x)^2\n"
                   "claim \"not proved 5\": identically step(x)^2 = step(x)\n"
                   "claim \"proved 6\": identically x*sign(x)^2 = x\n"
                   "claim \"not proved 7\": x*sign(x)^2*sign(y)^2 = x\n"
                   "claim \"proved 8\": if(x > 1, x, 1) = max(x, 1)\n"
                   "claim \"not proved 9\": if(x > y, 1, 0)^2 = if(x > y, 1, 0)\n"
                   "claim \"proved 10\": (x - y)*sign(x - y)^2 = x - y\n"
                   "claim \"not proved 11\": (x + y)*sign(x - y)^2 = x + y\n"
                   "claim \"proved 12\": sign(x^2 + 1) = 1\n"
                   "claim \"false 13\": sign(x^2) = 1\n",
                   NULL);
}

/* At y' = 0 dry friction as it is written is 0. */
TEST(switches_in_motions)
{
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential max(x, 0)^2\n"
                   "force y = -3*sign(y')\nclaim \"proved 1\": y'' = -3*sign(y')\n"
                   "claim \"not proved 2\": y''^2 = 9\nclaim \"proved 3\": y'*y'' = -3*abs(y')\n"
                   "claim \"proved 4\": x'' = -2*max(x, 0)\nclaim \"false 5\": x'' = -2*x\n"
                   "claim \"proved 6\": der(energy) = -3*abs(y')\n"
                   "claim \"proved 7\": y'' = -3*sign(y')^3\n",
                   NULL);
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -3*sign(y')^2\n"
                   "claim \"not proved 1\": y'' = -3\nclaim \"holds 2\": x'' = 0*y\n"
                   "claim \"false 3\": y'' = 3\n",
                   NULL);
}

/* No double is 1/10, √2 or π/2: what is false there alone is asked of the place itself. */
TEST(switches_beside_all_doubles)
{
    check_verdicts(POINTS_2 "claim \"false 1\": sign(x - 1/10)^2 = 1\n"
                            "claim \"false 2\": sign(x/3 + y/7 - 1/5)^2 = 1\n"
                            "claim \"false 3\": sign(x^2 - y^2 - 2)^2 = 1\n"
                            "claim \"false 4\": step(x^3 - 2)^2 = step(x^3 - 2)\n"
                            "claim \"false 5\": sign(cos(x))^2 = 1\n"
                            "claim \"false 6\": sign(x*y - 1/3)^2 = 1\n"
                            "claim \"false 7\": sign(x' - y'/3)^2 = 1\n"
                            "claim \"false 8\": sign(t - 1/3)^2 = 1\n"
                            "claim \"false 9\": atan2(y - 1/10, x) = -atan2(1/10 - y, x)\n"
                            "claim \"proved 10\": (y - 1/10)*sign(y - 1/10)^2 = y - 1/10\n",
                   NULL);
    check_verdicts("parameter mu = 2, a = 1/7\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "force x = -mu*sign(x' - a)\nforce y = max(y - 3/10, 0)\n"
                   "claim \"false 1\": x''^2 = mu^2\n"
                   "claim \"proved 2\": x'' = -mu*sign(x' - a)\n"
                   "claim \"false 3\": y'' = max(y - 3/10, 0)*sign(x' - a)^2\n"
                   "claim \"false 4\": step(y - 3/10)^2*(1 + y'') = step(y - 3/10)*(1 + y'')\n"
                   "claim \"proved 5\": y''*step(y - 3/10)^2 = y''\n",
                   NULL);
    check_verdicts("parameter p\n" POINTS_2 "constraint c: x' = sign(p - 1/3)*y'\n"
                   "claim \"false 1\": x'^2 = y'^2\nclaim \"false 2\": sign(p^2 - 2)^2 = 1\n"
                   "claim \"proved 3\": x' = sign(p - 1/3)*y'\n",
                   NULL);
}

/* A switch inside of another; one of a parameter in the potential. */
TEST(switches_inside_of_switches)
{
    check_verdicts(POINTS_2 "claim \"holds 1\": clamp(x, 1/3, 2/3) = max(1/3, min(x, 2/3))\n"
                            "claim \"false 2\": clamp(x, 1/3, 2/3) = max(1/3, min(x, 2/3))*step(x "
                            "- 1/3) + step(1/3 - x)/3*step(x - 7)\n"
                            "claim \"false 3\": step(clamp(x, 1/3, 2/3) - 1/2)^2 = step(x - 1/2)\n",
                   NULL);
    check_verdicts(
        "parameter p\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential if(p > 1/3, x^2, y^2)\n"
        "claim \"false 1\": x''*y'' = 0\nclaim \"proved 2\": x'' = -2*x*step(p - 1/3)\n",
        NULL);
}

/* Beyond them doubles cannot tell that the mass matrix is regular. */
TEST(switches_where_the_mass_is_hopeless)
{
    static const char *const mass[] = {"x'^2*(1 + exp(x))/2 + y'^2/2", "x'^2/2 + (x*x' + y')^2/2"};
    for (size_t i = 0; i < sizeof mass / sizeof *mass; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic %s\n"
                 "claim \"unknown 1\": abs(1e12 - x) = 1e12 - x\n"
                 "claim \"false 2\": abs(2 - x) = 2 - x\n"
                 "claim \"proved 3\": abs(1e12 - x)^2 = (x - 1e12)^2\n",
                 mass[i]);
        check_verdicts(text, NULL);
    }
    check_verdicts("coordinate x, y\nkinetic x'^2*(1 + exp(x))/2 + y'^2/2\n"
                   "constraint c: x' = y'\nclaim \"unknown 1\": abs(1e12 - x) = 1e12 - x\n",
                   NULL);
}

/* There constraints hold as elsewhere; where they say less is no regular state. */
TEST(switches_on_constraints)
{
    check_verdicts(POINTS_3 "constraint c: x' = y*z'\n"
                            "claim \"false 1\": step(y - 7/10)^2 = step(y - 7/10)\n"
                            "claim \"false 2\": sign(x' - 7/10)^2 = 1\n"
                            "claim \"false 3\": sign(3*x' - 3*y*z' + y - 1/3)^2 = 1\n"
                            "claim \"holds 4\": sign(x' - z')^2 = sign(y - 1)^2*sign(z')^2\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint c: (x - 1/10)*(y' - z') = 0\n"
                            "claim \"not false 1\": (y' - z')*(1 - sign(x - 1/10)^2) = 0\n"
                            "claim \"false 2\": sign(z - 1/10)^2 = 1\n",
                   NULL);
    check_verdicts(POINTS_3 "constraint c: x^2 + y^2 = 1\n"
                            "claim \"false 1\": sign(z - 1/3)^2 = 1\n"
                            "claim \"not true 2\": sign(x - 1/3)^2 = 1\n"
                            "claim \"holds 3\": sign(x - 2) = -1\n",
                   NULL);
}

/* What is false at the switch alone: exact states there are tried. atan2(0, x) is π behind the origin, −π nowhere. */
TEST(switches_where_they_are)
{
    check_verdicts(POINTS_3 "claim \"false 1\": sign(sin(x))^2 = 1\n"
                            "claim \"false 2\": sign(x^3 - y)^2 = 1\n"
                            "claim \"false 3\": atan2(-y, x) = -atan2(y, x)\n"
                            "claim \"false 4\": sign(x*y)^2 = 1\n"
                            "claim \"proved 5\": step(x) + step(-x) = 1\n"
                            "claim \"proved 6\": sign(1 + x^2) = 1\n",
                   NULL);
}

/* The rate of what jumps vanishes beside the jump: a motion through it finds another value. */
TEST(constants_that_jump)
{
    check_verdicts("parameter k = 2\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "potential if(x > 0, k*x^2/2, 0) + max(y, 0)^2\n"
                   "claim \"proved 1\": constant energy\n"
                   "claim \"unknown 2\": constant energy + step(y)\n"
                   "claim \"unknown 3\": constant sign(x)\n"
                   "claim \"unknown 4\": constant if(x > 0, 1, 2)\n"
                   "claim \"unknown 5\": constant atan2(sin(x), cos(x)) - x\n"
                   "claim \"proved 6\": constant energy + sign(k) + sign(1 + x^2)\n"
                   "claim \"unknown 7\": constant sign(t - 1)\n"
                   "claim \"unknown 8\": integral sign(x)\n"
                   "claim \"proved 9\": constant x*sign(x) - abs(x)\n"
                   "claim \"proved 10\": constant sin(atan2(y, x))^2 + cos(atan2(y, x))^2\n",
                   NULL);
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2\n"
                   "claim \"unknown 1\": integral atan2(x', x) + t\n"
                   "claim \"false 2\": integral atan2(x', x) - t\n"
                   "claim \"proved 3\": integral x*cos(t) - x'*sin(t)\n",
                   NULL);
}

/* A motion goes through x = 0, where these do not exist, and finds another value behind it. */
TEST(constants_that_jump_across_poles)
{
    check_verdicts("parameter k = 2, a = 3\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "claim \"unknown 1\": constant atan(x) + atan(1/x)\n"
                   "claim \"unknown 2\": constant atan(tan(x)) - x\n"
                   "claim \"unknown 3\": constant sqrt(x^2)/x\n"
                   "claim \"unknown 4\": constant abs(x)/x + x'\n"
                   "claim \"proved 5\": constant tanh(1/x)*cosh(1/x) - sinh(1/x) + y'\n"
                   "claim \"unknown 6\": integral y' + abs(y)/y\n"
                   "claim \"proved 7\": constant atan(a) + atan(1/a) + x'\n"
                   "claim \"proved 8\": constant atan(1/(1 + x^2)) + atan(1 + x^2)\n"
                   "claim \"proved 9\": constant (x'*y + x^2*x')/(y + x^2)\n"
                   "claim \"proved 10\": constant x'/y'\n"
                   "claim \"proved 11\": constant tan(x)*cos(x) - sin(x) + y'\n"
                   "claim \"proved 12\": constant x/x' - y/y'\n",
                   NULL);
    check_verdicts("parameter k = 2\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n" /* its own pole */
                   "potential -k/sqrt(x^2 + y^2)\n"
                   "claim \"proved 1\": constant energy\n"
                   "claim \"proved 2\": constant y'*(x*y' - y*x') - k*x/sqrt(x^2 + y^2)\n",
                   NULL);
}

/* At the switch itself it has another value, and several of them may switch at once. */
TEST(constants_that_are_others_at_a_switch)
{
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "claim \"unknown 1\": constant sign(x)^2\n"
                   "claim \"unknown 2\": constant abs(sign(x)) + x'\n"
                   "claim \"unknown 3\": constant step(x)^2 + step(-x)^2\n"
                   "claim \"unknown 4\": constant cos(pi*sign(x))\n"
                   "claim \"unknown 5\": constant sign(x)*sign(x^3)\n"
                   "claim \"unknown 6\": constant sign(sign(x)^2)\n"
                   "claim \"unknown 7\": constant sign(x'*y)*x'\n"
                   "claim \"unknown 8\": integral sign(x')^2\n"
                   "claim \"proved 9\": constant step(x) + step(-x)\n"
                   "claim \"proved 10\": constant if(x > 0, 1, 0) + if(x < 0, 1, 0)\n"
                   "claim \"proved 11\": constant sign(x)^3 - sign(x)\n"
                   "claim \"proved 12\": constant sign(x)/sign(x)\n"
                   "claim \"proved 13\": constant x*y' - y*x' + abs(x') + max(x', y')\n"
                   "claim \"holds 14\": constant sign(x)*abs(x) - x + y'\n",
                   NULL);
}

/* A straight line through the origin, where the angle is another behind it by pi. */
TEST(constants_that_jump_through_an_origin)
{
    static const char line[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                               "constraint r: x'*y - x*y' = 0\n%s"
                               "claim \"%s 1\": constant sin(atan2(y, x))\n"
                               "claim \"%s 2\": constant cos(atan2(y, x))\n"
                               "claim \"unknown 3\": constant atan2(y, x)\n"
                               "claim \"proved 4\": constant sin(2*atan2(y, x))\n"
                               "claim \"unknown 5\": constant atan2(0, x)\n"
                               "claim \"proved 6\": constant y/x\n";
    char text[1000];
    snprintf(text, sizeof text, line, "", "unknown", "unknown");
    check_verdicts(text, NULL);
    snprintf(text, sizeof text, line, "potential 1/sqrt(x^2 + y^2)\n", "proved", "proved");
    check_verdicts(text, NULL);
}

/* They are all x/|x|: the pole lies inside of a root, of a logarithm, of an exponent with a value. */
TEST(poles_in_disguise)
{
    check_verdicts("parameter a = -1/2\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "claim \"unknown 1\": constant exp(log(x^2)/2)/x\n"
                   "claim \"unknown 2\": constant 2*cosh(log(x^2)/2)*x/(1 + x^2)\n"
                   "claim \"unknown 3\": constant x*(x^2)^a\n"
                   "claim \"unknown 4\": constant sqrt(1/x^2)*x\n"
                   "claim \"unknown 5\": constant sqrt(1 + 1/x^2)*x/sqrt(x^2 + 1)\n"
                   "claim \"unknown 6\": constant (1 + 1/x^2)^(3/2)*x^3/(x^2 + 1)^(3/2)\n"
                   "claim \"unknown 7\": constant abs(x)^3/x^3\n"
                   "claim \"proved 8\": constant exp(log(x'^2 + 1)/2) + sqrt(1 + x'^2)*y'\n"
                   "claim \"proved 9\": constant (x*y' - y*x')/(1 + x'^2)^a\n",
                   NULL);
}

/* sin(1/a) has no limit from either side. */
TEST(limits_that_are_not_known)
{
    check_verdicts("parameter a = 3\ncoordinate x\nkinetic x'^2/2\n"
                   "claim \"unknown 1\": limit a -> 0: sin(1/a) = 0\n"
                   "claim \"proved 2\": limit a -> 0: a*x'' + x' = x'\n",
                   NULL);
}

/* All that is seen is the start, at which everything is zero. */
TEST(seen_too_seldom)
{
    check_verdicts(POINTS_3 "constraint a: x' = y'\nconstraint b: x' = y' + 1e-30*x*z'\n"
                            "claim \"unknown 1\": x' = 1e-20*z'\n",
                   NULL);
}

/* A force is not differentiated: it exists where it switches, and the motion is the one that it makes there. */
TEST(forces_where_they_switch)
{
    check_verdicts(
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -sign(x')\n"
        "claim \"false 1\": x''^2 = 1\nclaim \"proved 2\": x'' = 0 when x' = 0\n"
        "claim \"false 3\": x''*sign(x') = -1\nclaim \"false 4\": x'' = -1 when x' = 0\n",
        NULL);
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential abs(x)\n"
                   "claim \"holds 1: there is no force at x = 0\": x''^2 = 1\n",
                   NULL);
}

/* ---- Switches that are far away: statements about the motion reach them, too -------------------- */

TEST(statements_beside_far_switches)
{
    static const char pushed[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n%s%s";
    static const char *const system[][2] = {
        {"force y = max(x - 100, 0)\n",
         "claim \"false 1\": equilibrium y = 0\nclaim \"false 2\": steady y = 0\n"
         "claim \"proved 3\": equilibrium x = 100\nclaim \"false 4\": equilibrium x = 101\n"
         "claim \"false 5\": solution x = t, y = 0\n"
         "claim \"false 6\": solution x = -3*t, y = t\n"
         "claim \"not false 7\": solution x = 99, y = t\n"
         "claim \"proved 8\": measure 1\n"},
        {"force x = -max(y - 100, 0)*x'\n",
         "claim \"false 1\": measure 1\nclaim \"proved 2\": integral y'\n"
         "claim \"false 3\": constant energy\n"},
        {"potential if(x < 100, 1, -1)*y^2/2\n",
         "claim \"false 1\": stable at y = 0\nclaim \"not false 2\": stable at x = 99, y = 0\n"
         "claim \"false 3\": stable at x = 101, y = 0\n"
         "claim \"not true 4\": steady y = 0, x' = 3\n"},
        {"force y = abs(x) - x\n", /* nothing for x > 0, hence for t > 0 */
         "claim \"false 1\": solution x = t, y = 0\n"
         "claim \"not false 2\": solution x = 2, y = t\n"},
        {"force y = if(t < 0, 1, 0)\n", "claim \"false 1\": solution x = t, y = 0\n"},
        {"force y = max(t - 50, 0)\n", /* no slope tells, only balls do */
         "claim \"false 1\": equilibrium y = 0\nclaim \"not true 2\": stable at y = 0\n"
         "claim \"not true 3\": steady y = 0\n"},
        {"force y = t\n", "claim \"false 1\": equilibrium x = 0, y = 0\n"},
        {"force y = 1/3\npotential y/3\n", "claim \"proved 1\": equilibrium x = 0, y = 0\n"},
        {"force x = 6*abs(x)^(1/3)\n", "claim \"false 1\": solution x = t^3, y = 0\n"
                                       "claim \"false 2\": solution x = -t^3, y = 0\n"}};
    for (size_t i = 0; i < sizeof system / sizeof *system; i++) {
        char text[2000];
        snprintf(text, sizeof text, pushed, system[i][0], system[i][1]);
        check_verdicts(text, NULL);
    }
    check_verdicts(POINTS_3 "constraint a: max(100 - y, 0)*(z' - x') = 0\n"
                            "claim \"not true 1\": rank 1\nclaim \"unknown 2\": z' = x'\n",
                   NULL);
}

/* Integrable on one side and not on the other is neither; where both sides are alike, both words are theirs. */
TEST(kinds_on_both_sides)
{
    static const char *const differ[] = {"max(y, 0)", "max(y - 100, 0)", "min(y + 5, 0)",
                                         "(sqrt(y^2) + y)"};
    char text[500];
    for (size_t i = 0; i < sizeof differ / sizeof *differ; i++) {
        snprintf(text, sizeof text,
                 POINTS_3 "constraint a: z' = %s*x'\nclaim \"not proved 1\": nonholonomic\n"
                          "claim \"not true 1\": nonholonomic\n"
                          "claim \"not proved 2\": nonholonomic a\n"
                          "claim \"not proved 3\": holonomic\nclaim \"unknown 4\": growth 2, 3\n"
                          "claim \"unknown 5\": accessible 3\nclaim \"unknown 6\": growth 2\n",
                 differ[i]);
        check_verdicts(text, NULL);
    }
    static const char *const alike[] = {"abs(y)",
                                        "sqrt(y^2)",
                                        "(2*y + abs(y))",
                                        "max(y, 2*y)",
                                        "sign(y)*y*sqrt(y^2)",
                                        "(y + sqrt(y^2)/3 + abs(x)*0)",
                                        "(sqrt(y^4*(1 + x^2)) + y*abs(y))"};
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        snprintf(text, sizeof text,
                 POINTS_3 "constraint a: z' = %s*x'\nclaim \"proved 1\": nonholonomic\n"
                          "claim \"false 2\": holonomic\nclaim \"proved 3\": growth 2, 3\n"
                          "claim \"false 4\": growth 2\nclaim \"not false 5\": accessible 3\n",
                 alike[i]);
        check_verdicts(text, NULL);
    }
    check_verdicts(POINTS_3 "constraint a: z' = sign(y)*x'\nclaim \"not false 1\": holonomic\n"
                            "claim \"not proved 2\": nonholonomic\n"
                            "claim \"not proved 3\": growth 2, 3\n",
                   NULL);
}

/* Dry friction brings motions to rest, though its divergence vanishes on either side; a force that places switch presses nothing
 * together, nor does one that is continuous. */
TEST(measures_beside_jumps)
{
    static const char line[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = %s\n"
                               "claim \"%s 1\": measure 1\n";
    char text[500];
    snprintf(text, sizeof text, line, "-sign(x')", "not true");
    check_verdicts(text, NULL);
    snprintf(text, sizeof text, line, "-step(x' - y')", "not true");
    check_verdicts(text, NULL);
    snprintf(text, sizeof text, line, "-sign(x)*y", "proved");
    check_verdicts(text, NULL);
    snprintf(text, sizeof text, line, "abs(y')", "proved");
    check_verdicts(text, NULL);
    snprintf(text, sizeof text, line, "-abs(x')*x'", "false");
    check_verdicts(text, NULL);
}

/* What one function makes stable another does not. */
TEST(steady_motions_of_free_functions)
{
    check_verdicts("function f(x)\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "potential f(x^2) + y^2/2\n"
                   "claim \"not false 1\": equilibrium x = 0, y = 0\n"
                   "claim \"not true 2\": stable at x = 0, y = 0\n"
                   "claim \"not true 3\": unstable at x = 0, y = 0\n"
                   "claim \"not true 4\": equilibrium x = 1, y = 0\n"
                   "claim \"proved 5\": measure 1\n",
                   NULL);
    check_verdicts("function f(x)\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "force x = -(1 + f(y)^2)*x'\nclaim \"not true 1\": measure 1\n"
                   "claim \"not false 2\": stable at x = 0, y = 0\n",
                   NULL);
}
