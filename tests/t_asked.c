/* t_asked.c - claims as a user may put them, of which the truth is known by hand: special values of parameters, places where a
 * switch is zero, limits, velocity forms that state less than all, constants that jump. Labels begin with the verdict that must
 * be got; where the program may not know, with the one that it must not give. */
#include "harness/harness.h"
#include "harness/verdicts.h"

/* With a = 1 there is no constraint: what needs it is false, what free motions do as well stays. */
TEST(a_constraint_that_vanishes_for_one_value)
{
    check_verdicts("parameter a\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: (a - 1)*(x' - y') = 0\n"
                   "claim \"false 1\": rank 1\n"
                   "claim \"false 2\": x' = y'\n"
                   "claim \"proved 3\": x'' = y''\n"
                   "claim \"proved 4\": (a - 1)*x' = (a - 1)*y'\n"
                   "claim \"proved 5\": constant energy\n"
                   "claim \"not false 6: there is no λ with a = 1\": lambda[c] = 0\n"
                   "claim \"false 7\": accessible 2\n"
                   "claim \"proved 8\": holonomic\n"
                   "claim \"not false 9\": holonomic c\n"
                   "claim \"false 10\": growth 2\n"
                   "claim \"proved 11\": constant x' + y'\n",
                   NULL);
}

/* p² + q² is zero for real p and q where both are. z' = 0 with a = b = 0 is integrable. */
TEST(values_of_two_parameters)
{
    check_verdicts("parameter p, q\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint a: p*x' + q*y' = 0\n"
                   "constraint b: q*x' - p*y' = 0\n"
                   "claim \"false 1\": rank 2\n"
                   "claim \"false 2\": x' = 0\n"
                   "claim \"not false 3\": (p^2 + q^2)*x' = 0\n"
                   "claim \"not false 4: free, or at rest\": x'' = 0\n"
                   "claim \"false 5\": accessible 1\n"
                   "claim \"not false 6\": constant z'\n"
                   "claim \"not false 7\": holonomic\n"
                   "claim \"false 8\": growth 1\n",
                   NULL);
}

/* d(z) = a b x dy + (a - b) y dx: the bracket is a b - (a - b), so a = b = 0 makes z constant, and so does a = b/(1 - b). */
TEST(brackets_of_two_parameters)
{
    check_verdicts("parameter a, b\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: z' = a*b*x*y' + (a - b)*y*x'\n"
                   "claim \"false 1\": nonholonomic\n"
                   "claim \"false 2\": nonholonomic c\n"
                   "claim \"proved 3\": rank 1\n"
                   "claim \"false 4\": holonomic\n"
                   "claim \"false 5\": accessible 3\n"
                   "claim \"proved 6\": z' = a*b*x*y' + (a - b)*y*x'\n",
                   NULL);
}

/* Each row is dropped where its factor vanishes. Without forces every motion has x'' = y'' = z'' = 0. */
TEST(factors_of_two_parameters)
{
    check_verdicts("parameter a, b\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: a*(a - b)*(x' - y') = 0\n"
                   "constraint d: b*(a + b)*(y' - z') = 0\n"
                   "claim \"false 1\": rank 2\n"
                   "claim \"false 2\": x' = y'\n"
                   "claim \"proved 3\": x'' = 0\n"
                   "claim \"proved 4\": constant energy\n"
                   "claim \"proved 5\": holonomic\n"
                   "claim \"false 6\": accessible 1\n"
                   "claim \"proved 7\": constant x' + y' + z'\n"
                   "claim \"false 8\": nonholonomic\n"
                   "claim \"false 9\": growth 1\n",
                   NULL);
}

/* On a circle and where exp(a) = 2 at once a = log 2: then no row is left, and x', y' are free. */
TEST(values_that_cannot_be_listed)
{
    check_verdicts("parameter a, b\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: (a^2 + b^2 - 1)*x' = (exp(a) - 2)*y'\n"
                   "claim \"not true 1\": rank 1\n"
                   "claim \"not false 2\": holonomic\n"
                   "claim \"not false 3\": constant energy\n"
                   "claim \"proved 4\": (a^2 + b^2 - 1)*x' = (exp(a) - 2)*y'\n"
                   "claim \"not false 5\": z'' = 0\n",
                   NULL);
}

/* The form states x' = y' whatever p is; which of the two counts with p = 0 is not said, so nothing may be called false. */
TEST(a_velocity_form_beside_a_constraint_with_a_letter)
{
    check_verdicts("parameter p\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint a: p*(x' - y') = 0\n"
                   "velocity v, w: x' = v, y' = v, z' = w\n"
                   "claim \"not false 1\": x' = y'\n"
                   "claim \"not false 2\": v' = 0\n"
                   "claim \"not false 3\": constant energy\n",
                   NULL);
}

TEST(a_velocity_form_alone_with_a_letter)
{
    check_verdicts("parameter a\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "velocity u, v: x' = u, y' = v, z' = a*u\n"
                   "claim \"proved 1\": z' = a*x'\n"
                   "claim \"proved 2\": rank 1\n"
                   "claim \"proved 3\": holonomic\n"
                   "claim \"proved 4\": u' = 0\n"
                   "claim \"proved 5\": growth 2\n",
                   NULL);
}

/* With a = 0 the y' is free. */
TEST(quasi_velocities_beside_a_constraint_with_a_letter)
{
    check_verdicts("parameter a\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: a*x' = a*y'\n"
                   "quasivelocity p = x', q = z'\n"
                   "claim \"not true 1\": x' = y'\n"
                   "claim \"not false 2\": p' = 0\n"
                   "claim \"not true 3\": rank 1\n",
                   NULL);
}

/* x is a harmonic oscillator for a > 0, whatever the constraint does: its reaction has no component along x. */
TEST(conditions_with_a_letter)
{
    check_verdicts("parameter a\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "force x = -a*x\n"
                   "constraint c: a*z' = a*x*y'\n"
                   "claim \"proved 1\": equilibrium x = 0\n"
                   "claim \"proved 2\": stable at x = 0, y = 0, z = 0 when a > 0\n"
                   "claim \"false 3\": constant energy\n"
                   "claim \"proved 4\": x'' = -a*x\n"
                   "claim \"false 5: with a = 0\": growth 2, 3\n"
                   "claim \"false 6: its density is sqrt(1 + x^2)\": measure 1\n"
                   "claim \"not false 7\": a*z' = a*x*y' when x = 1\n"
                   "claim \"false 8: with a = 0\": z'' = x*y'' + x'*y'\n",
                   NULL);
}

/* f = 0 is one of the functions. */
TEST(an_unspecified_factor)
{
    check_verdicts("function f(x)\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint a: f(x)*(x' - y') = 0\n"
                   "claim \"false 1\": x' = y'\n"
                   "claim \"false 2\": rank 1\n"
                   "claim \"false 3\": nonholonomic\n"
                   "claim \"not false 4\": holonomic a\n"
                   "claim \"not false 5\": constant energy\n"
                   "claim \"proved 6\": f(x)*x' = f(x)*y'\n",
                   NULL);
}

/* sign(u)² = 1 is false where u = 0 alone, wherever that is. */
TEST(squares_of_signs)
{
    check_verdicts("parameter a, k = 3, w = -2\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "claim \"false 1\": sign(a - 1)^2 = 1\n"
                   "claim \"proved 2\": abs(a - 1)^2 = (a - 1)^2\n"
                   "claim \"false 3\": sign(x - a)^2 = 1\n"
                   "claim \"proved 4: where it exists\": sign(x)/x*x = sign(x)\n"
                   "claim \"not false 5: where it exists\": sign(x)^2*log(x) = log(x)\n"
                   "claim \"false 6\": sign(x + sign(y))^2 = 1\n"
                   "claim \"false 7\": sign(x'^3 + x' - y')^2 = 1\n"
                   "claim \"false 8\": sign(x'*y' + z'^2 - 1)^2 = 1\n"
                   "claim \"proved 9\": sign(x'^2 + 1) = 1\n"
                   "claim \"false 10\": atan2(x, -1) = atan2(-x, -1)\n"
                   "claim \"proved 11\": sign(x)*abs(x) = x\n"
                   "claim \"false 12\": sign(t - 1)^2 = 1\n"
                   "claim \"false 13\": sign(x*y - 1)^2 = 1\n"
                   "claim \"false 14\": sign(sin(x))^2 = 1\n"
                   "claim \"proved 15\": sign(exp(x)) = 1\n"
                   "claim \"not true 16: a quintic has a real root\": sign(x^5 + x - 1)^2 = 1\n"
                   "claim \"false 17: a = -1/2\": sign(2*a + 1)^2 = 1\n"
                   "claim \"proved 18\": sign(a^2 + 1) = 1\n"
                   "claim \"false 19\": sign(x^3 - a)^2 = 1\n"
                   "claim \"not false 20\": sign(x)^2*x/x = 1\n"
                   "claim \"proved 21\": sign(k - 1)*sign(x)*abs(x) = x\n"
                   "claim \"false 22\": "
                   "sign(x)^2*sign(x-1)^2*sign(x-2)^2*sign(x-3)^2*sign(y)^2*sign(y-1)^2*sign(y-2)^"
                   "2*sign(z)^2*sign(z-1)^2*sign(z-2)^2 = 1\n"
                   "claim \"proved 23\": cos(atan2(y, x))*sqrt(x^2 + y^2) = x\n"
                   "claim \"false 24: π at y = 0\": sign(y)*atan2(y, x) = abs(atan2(y, x))\n"
                   "claim \"proved 25\": sign(w)*abs(w) = w\n"
                   "claim \"not true 26\": sign(sqrt(x^2 + 1) - 2)^2 = 1\n"
                   "claim \"not true 27\": sign(sin(x) + x - 1)^2 = 1\n"
                   "claim \"not true 28\": sign(x'^5 + x' + y'^5 + y' - 1)^2 = 1\n"
                   "claim \"not true 29\": sign(sin(x') + x' - 1)^2 = 1\n",
                   NULL);
}

/* At a switch the force has the value of sign(0) = 0. */
TEST(forces_that_switch)
{
    check_verdicts("parameter k = 2\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "force x = -k*sign(x')\n"
                   "force y = sign(y - 1/10)\n"
                   "claim \"proved 1\": x'' = -2*sign(x')\n"
                   "claim \"false 2\": abs(x'') = 2\n"
                   "claim \"false 3\": y''^2 = 1\n"
                   "claim \"false 4\": x''^2 + y''^2 = 5\n"
                   "claim \"proved 5\": x''^2*(x''^2 - 4) = 0\n"
                   "claim \"proved 6\": z'' = 0\n"
                   "claim \"false 7\": constant energy\n"
                   "claim \"false 8\": constant z' + x'\n"
                   "claim \"false 9\": x''^2 = 4*sign(x')^2*sign(z' - x')^2\n",
                   NULL);
}

/* s = sign(...) is -1, 0 or 1, an if 0 or 1. */
TEST(forces_whose_switch_cannot_be_solved_for)
{
    check_verdicts("coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "force y = sign(x^5 + x + y^5 + y - 1)\n"
                   "force z = if(z'^5 + z' + x'^5 + x' > 1, 1, 0)\n"
                   "claim \"not true 1\": y''^2 = 1\n"
                   "claim \"proved 2\": y''*(y''^2 - 1) = 0\n"
                   "claim \"not false 3\": z''^2 = z''\n"
                   "claim \"proved 4\": x''^2*sign(x) = 0\n"
                   "claim \"false 5\": x*sign(x' + z'')^2 = x\n",
                   NULL);
}

TEST(a_velocity_form_that_switches)
{
    check_verdicts("coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: z' = x*y'\n"
                   "velocity v, w: x' = v*(2 + sign(y)), y' = w, z' = x*w\n"
                   "claim \"proved 1\": z' = x*y'\n"
                   "claim \"proved 2\": x'^2 = v^2*(2 + sign(y))^2\n"
                   "claim \"false 3\": sign(v)^2 = 1\n"
                   "claim \"false 4\": sign(x - 1/3)^2 = 1\n"
                   "claim \"not true 5\": sign(w - 1/3)^2 = 1\n"
                   "claim \"proved 6\": sign(y)*abs(y) = y\n"
                   "claim \"false 7\": w*sign(z)^2 = w\n"
                   "claim \"proved 8\": constant x'^2 + y'^2 + z'^2\n",
                   NULL);
}

/* No state with y = 1 is regular. */
TEST(a_constraint_that_switches)
{
    check_verdicts("coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: z' = x'*sign(y - 1)\n"
                   "claim \"not false 1\": sign(y - 1)^2 = 1\n"
                   "claim \"proved 2\": abs(y - 1)*sign(y - 1) = y - 1\n"
                   "claim \"false 3\": sign(y)^2 = 1\n"
                   "claim \"not false 4\": z'' = x''*sign(y - 1)\n"
                   "claim \"proved 5\": rank 1\n",
                   NULL);
}

TEST(switches_under_conditions)
{
    check_verdicts(
        "coordinate x, y, z\n"
        "kinetic (x'^2 + y'^2 + z'^2)/2\n"
        "constraint c: z' = x*y'\n"
        "claim \"false 1: x' = y' = 0\": sign(x')^2 = 1 when x' = y'\n"
        "claim \"false 2\": sign(x' - z')^2 = 1 when x'^2 + y'^2 = 1\n"
        "claim \"proved 3\": sign(x)*abs(x) = x when y = 1\n"
        "claim \"false 4\": sign(y)^2 = 1 when x' = y', y = x\n"
        "claim \"false 5: y' = 1, x y' = 1\": sign(z' - 1)^2 = 1 when x'^5 + x' + y'^5 = 1\n"
        "claim \"false 6\": sign(x'^5 + z'^5 + z' - 1)^2 = 1 when x'^3 + y'^3 = 1\n",
        NULL);
}

/* Those of a first course. */
TEST(limits)
{
    check_verdicts("parameter r = 1, s = 2, n\n"
                   "assume r > 0\n"
                   "coordinate x, y\n"
                   "kinetic (x'^2 + y'^2)/2\n"
                   "force x = -r*x'\n"
                   "claim \"proved 1\": limit r -> 0: x'' = 0\n"
                   "claim \"false 2\": limit r -> inf: x'' = 0\n"
                   "claim \"proved 3\": limit r -> inf: x''/r = -x'\n"
                   "claim \"proved 4\": limit r -> 0: sin(r)/r = 1\n"
                   "claim \"proved 5\": limit r -> 0: log(1 + r)/r = 1\n"
                   "claim \"false 6\": limit r -> 0: log(r) = 0\n"
                   "claim \"proved 7\": limit r -> inf: log(r)/r = 0\n"
                   "claim \"false 8: another one from below\": limit s -> 0: abs(s)/s = 1\n"
                   "claim \"false 9\": limit s -> 0: 1/s = 0\n"
                   "claim \"not true 10: no limits\": limit s -> 0: 1/s = 1/s\n"
                   "claim \"proved 11\": limit s -> 0: sin(s)/s = 1\n"
                   "claim \"proved 12\": limit s -> -inf: 1/s = 0\n"
                   "claim \"not true 13: n may be negative\": limit s -> 0: s^n = 0\n"
                   "claim \"proved 14\": limit s -> 0: sqrt(1 + s) = 1\n"
                   "claim \"not true 15: it does not exist below 0\": limit s -> 0: sqrt(s)*x = 0\n"
                   "claim \"proved 16\": limit r -> 0: sqrt(r)*x = 0\n"
                   "claim \"false 17\": limit s -> 1: (s^2 - 1)/(s - 1) = 1\n"
                   "claim \"proved 18\": limit s -> 1: (s^2 - 1)/(s - 1) = 2\n"
                   "claim \"not true 19: it exists nowhere\": limit r -> 0: 0*log(-r^2) = 0\n"
                   "claim \"proved 20\": limit r -> 0: r*log(x) = 0\n"
                   "claim \"proved 21\": limit t -> inf: exp(-t)*x' = 0\n"
                   "claim \"proved 22\": limit s -> 0: exp(-1/s^2) = 0\n"
                   "claim \"not true 23\": limit s -> 0: exp(1/s) = 0\n"
                   "claim \"not true 24\": limit s -> 0: cos(1/s) = 0\n"
                   "claim \"not false 25\": limit r -> 0: (x^r - 1)/r = log(x)\n"
                   "claim \"proved 26\": limit r -> 0: tan(r*x)/r = x\n"
                   "claim \"proved 27\": limit r -> 0: r^r = 1\n"
                   "claim \"not true 28: -π/2 for x < 0\": limit r -> 0: atan(x/r) = pi/2\n"
                   "claim \"proved 29\": limit r -> 0: sign(r) = 1\n"
                   "claim \"proved 30\": limit r -> 0: abs(r - 1) = 1\n"
                   "claim \"false 31\": limit r -> 2: sign(r - 2) = 1\n"
                   "claim \"proved 32\": limit s -> 0: tan(x)*s = 0\n"
                   "claim \"false 33\": limit s -> pi/2: tan(s) = 0\n"
                   "claim \"not false 34\": limit s -> 0: asin(s)/s = 1\n",
                   NULL);
}

TEST(limits_in_constraints)
{
    check_verdicts("parameter e = 1, l = 2\n"
                   "assume e > 0\n"
                   "coordinate x, y\n"
                   "kinetic (x'^2 + y'^2)/2\n"
                   "constraint c: x' = e*y'\n"
                   "velocity v: x' = e*v, y' = v\n"
                   "force y = -l*y\n"
                   "claim \"proved 1\": limit e -> 0: x' = 0\n"
                   "claim \"proved 2\": limit e -> 0: v' = -l*y\n"
                   "claim \"proved 3\": limit l -> 0: y'' = 0\n"
                   "claim \"false 4\": limit e -> inf: y' = 0\n"
                   "claim \"proved 5\": limit e -> inf: v' = 0\n"
                   "claim \"proved 6\": limit l -> inf: v'/l = -y/(1 + e^2)\n",
                   NULL);
}

/* x = (1 - exp(-e t))/e. */
TEST(limits_along_motions)
{
    check_verdicts(
        "parameter e = 1\n"
        "coordinate x\n"
        "kinetic x'^2/2\n"
        "force x = -e*x'\n"
        "start x = 0, x' = 1\n"
        "claim \"holds 1\": limit e -> 0 along t = 0 .. 1: x = t\n"
        "claim \"not true 2\": limit e -> 0 along t = 0 .. 1: x = 2*t\n"
        "claim \"not true 3: it begins there\": limit e -> 1 along t = 0 .. 1: x = t\n"
        "claim \"not true 4: the other way\": limit e -> -inf along t = 0 .. 1: x = t\n"
        "claim \"holds 5\": limit e -> inf along t = 0 .. 1: x = 0\n"
        "claim \"not true 6: it does not exist\": limit e -> 0 along t = 0 .. 1: log(x - 5) = 0\n"
        "claim \"not true 7: nor does this\": limit e -> 0 along t = 0 .. 1: x/(x - x) = 0\n"
        "claim \"holds 8\": limit e -> -1 along t = 0 .. 1: x = exp(t) - 1\n",
        NULL);
}

/* Another e, and the start is not admissible; k has no value. */
TEST(limits_along_motions_that_cannot_begin)
{
    check_verdicts("parameter e = 1\n"
                   "coordinate x, y, z\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "constraint c: (x' - e*z')*(y' - z') = 0\n"
                   "start x = 0, y = 0, z = 0, x' = 1, y' = 0, z' = 1\n"
                   "claim \"not true 1\": limit e -> 0 along t = 0 .. 1: x = 0\n"
                   "claim \"not false 2\": limit e -> 2 along t = 0 .. 1: z = t\n"
                   "claim \"not true 3\": limit e -> 0: x' = 0\n",
                   NULL);
}

TEST(limits_along_motions_of_letters)
{
    check_verdicts("parameter e = 1, k\n"
                   "coordinate x\n"
                   "kinetic x'^2/2\n"
                   "force x = -e*x'\n"
                   "start x = 0, x' = 1\n"
                   "claim \"not false 1\": limit k -> 0 along t = 0 .. 1: e*k = 0\n"
                   "claim \"not true 2\": limit e -> k along t = 0 .. 1: x = t\n",
                   NULL);
}

/* On x' = 5 the potential works and x is driven, on y' = z' there are no forces along y and z. */
TEST(a_form_of_one_branch_of_two)
{
    check_verdicts(
        "parameter k = 2\n"
        "coordinate x, y, z\n"
        "kinetic (x'^2 + y'^2 + z'^2)/2\n"
        "potential sin(x)\n"
        "constraint c: (x' - 5)*(y' - z') = 0\n"
        "velocity u, v: x' = 5, y' = u, z' = v\n"
        "claim \"false 1\": constant energy\n"
        "claim \"false 2\": x'' = 0\n"
        "claim \"false 3\": x' = 5\n"
        "claim \"proved 4\": (x' - 5)*y' = (x' - 5)*z'\n"
        "claim \"proved 5\": exp(x)*(x' - 5)*(y' - z') = 0\n"
        "claim \"false 6\": sqrt(x' - 5) = 0\n"
        "claim \"not false 7\": abs((x' - 5)*(y' - z')) = 0\n"
        "claim \"proved 8\": reaction[y] = 0\n"
        "claim \"proved 9\": limit k -> 0: k*x'' = 0\n"
        "claim \"not false 10\": u' = 0\n"
        "claim \"false 11: there x' = 5 or the slope of the potential\": equilibrium x = 0\n"
        "claim \"proved 12\": rank 1\n"
        "claim \"not false 13\": integral u\n"
        "claim \"not false 14\": solution x = 5*t, y = t, z = 0\n"
        "claim \"not false 15\": measure 1\n"
        "claim \"not true 16: x moves\": steady u = 1\n"
        "claim \"not true 17: it is no equilibrium\": stable at x = 0 when u > 0\n",
        NULL);
}

/* The form has x' >= 0, the constraint x' of both signs. */
TEST(a_form_with_a_root)
{
    check_verdicts("coordinate x, y, z\n"
                   "assume x > 0\n"
                   "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                   "potential log(x)\n"
                   "constraint c: x'^2 = y'^2 + z'^2*exp(y)\n"
                   "velocity u, v: x' = sqrt(u^2 + v^2*exp(y)), y' = u, z' = v\n"
                   "claim \"proved 1\": constant energy\n"
                   "claim \"proved 2\": x'^2 = y'^2 + z'^2*exp(y)\n"
                   "claim \"proved 3\": x'*x'' = y'*y'' + z'*z''*exp(y) + z'^2*y'*exp(y)/2\n"
                   "claim \"false 4\": x' = sqrt(y'^2 + z'^2*exp(y))\n"
                   "claim \"not false 5\": tan(y)*x'^2 = tan(y)*(y'^2 + z'^2*exp(y))\n"
                   "claim \"not false 6\": sin(x'^2 - y'^2 - z'^2*exp(y)) = 0\n"
                   "claim \"proved 7\": sqrt(x)*x'^2 = sqrt(x)*(y'^2 + z'^2*exp(y))\n",
                   NULL);
}

/* Neither homogeneous nor affine: C = x' + y'^3 - cos(x) does work λ (2 y'^3 + cos(x)). */
TEST(a_constraint_of_the_third_degree)
{
    check_verdicts("coordinate x, y\n"
                   "kinetic (x'^2 + y'^2)/2\n"
                   "constraint c: x' + y'^3 = cos(x)\n"
                   "velocity v: x' = cos(x) - v^3, y' = v\n"
                   "claim \"false 1\": constant energy\n"
                   "claim \"proved 2\": x' + y'^3 = cos(x)\n"
                   "claim \"proved 3\": tan(x)*(x' + y'^3 - cos(x)) = 0\n"
                   "claim \"proved 4\": x'' + 3*y'^2*y'' = -sin(x)*x'\n"
                   "claim \"proved 5\": v = y'\n"
                   "claim \"proved 6\": tanh(x)*(x' + y'^3 - cos(x)) = 0\n"
                   "claim \"proved 7\": atan(x' + y'^3 - cos(x)) = 0\n"
                   "claim \"proved 8\": cos(x' + y'^3 - cos(x)) = 1\n",
                   NULL);
}

/* As the form says. f' follows from Gauss' principle: the reaction turns both velocities alike. */
TEST(parallel_velocities)
{
    check_verdicts(
        "parameter g = 10\n"
        "coordinate x1, y1, x2, y2\n"
        "kinetic (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2\n"
        "potential g*(y1 + y2)\n"
        "constraint c: x1'*y2' = y1'*x2'\n"
        "velocity r, s, f: x1' = r*cos(f), y1' = r*sin(f), x2' = s*cos(f), y2' = s*sin(f)\n"
        "claim \"proved 1\": constant energy\n"
        "claim \"proved 2\": x1'^2 + y1'^2 = r^2\n"
        "claim \"proved 3\": f' = -g*cos(f)*(r + s)/(r^2 + s^2)\n"
        "claim \"proved 4\": x1''*y2' + x1'*y2'' = y1''*x2' + y1'*x2''\n"
        "claim \"proved 5\": tan(x1)*x1'*y2' = tan(x1)*y1'*x2'\n"
        "claim \"proved 6\": atan(y1'*x2') = atan(x1'*y2')\n"
        "claim \"proved 7\": constant (x1'*y2' - y1'*x2')*cos(x1)\n"
        "claim \"proved 8\": log(1 + (x1'*y2' - y1'*x2')^2) = 0\n"
        "claim \"proved 9\": sin(2)*x1'*y2' = sin(2)*y1'*x2'\n",
        NULL);
}

/* Each is constant but for where it jumps: no rate tells that. */
TEST(constants_that_jump)
{
    check_verdicts("coordinate x, y\n"
                   "assume x^2 + y^2 > 0\n"
                   "kinetic (x'^2 + y'^2)/2\n"
                   "potential atan2(y, x)^2\n"
                   "claim \"proved 1\": constant energy\n"
                   "claim \"proved 2\": constant cos(atan2(y, x)) - x/sqrt(x^2 + y^2)\n"
                   "claim \"false 3\": constant x*y' - y*x'\n"
                   "claim \"not false 4\": constant atan2(y, x) - atan2(2*y, 2*x)\n"
                   "claim \"not true 5\": constant sign(x)^2\n"
                   "claim \"not false 6\": constant sign(x)*abs(x) - x\n"
                   "claim \"not false 7\": constant log(abs(x)) - log(x^2)/2\n"
                   "claim \"not false 8\": constant sqrt(x^2) - abs(x)\n"
                   "claim \"proved 9\": constant 1/x - 1/x\n"
                   "claim \"not false 10\": constant abs(1/x)*abs(x)\n"
                   "claim \"not true 11: it jumps by π\": constant atan(1/x) + atan(x)\n",
                   NULL);
}

TEST(constants_at_a_pole_of_the_system)
{
    check_verdicts("coordinate x, y\n"
                   "kinetic (x'^2 + y'^2)/2\n"
                   "potential 1/(x^2 + y^2)\n"
                   "claim \"proved 1\": constant x*y' - y*x'\n"
                   "claim \"not false 2\": constant atan2(x*y' - y*x', 1)\n"
                   "claim \"proved 3\": constant exp(1/(x^2+y^2))*exp(-1/(x^2+y^2))\n"
                   "claim \"not false 4\": constant sign(x^2 + y^2)\n"
                   "claim \"not true 5: it jumps by π\": constant atan(y/x) + atan(x/y)\n",
                   NULL);
}
