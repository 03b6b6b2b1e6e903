/* t_statements.c - claims of every kind about a whole system: ranks, growth vectors, places that can be reached, integrals, measures,
 * equilibria, stability, characteristic polynomials. Each is true or false by a closed form beside it; labels begin with the
 * verdict that it must get. */
#include "harness/harness.h"
#include "harness/verdicts.h"

#include <anholo/anholo.h>

#include <stdio.h>
#include <string.h>

static void check(const char *system, const char *claims)
{
    char model[8192];
    snprintf(model, sizeof model, "%s%s", system, claims);
    check_verdicts(model, NULL);
}

/* A skate: two of three directions, and all places. In x' and th' the volume is that of u and th' divided by cos th, for
 * x' = u cos th. */
TEST(blade)
{
    check("parameter m = 2, J = 1\n"
          "coordinate x, y, th\n"
          "kinetic m*(x'^2 + y'^2)/2 + J*th'^2/2\n"
          "constraint edge: sin(th)*x' = cos(th)*y'\n"
          "start x = 0, y = 0, th = 0, x' = 1, th' = 1\n",
          "claim \"proved 1\": rank 1\n"
          "claim \"false 2\": rank 0\n"
          "claim \"false 3\": rank -1\n"
          "claim \"proved 4\": accessible 3\n"
          "claim \"false 5\": accessible 2\n"
          "claim \"false 6\": accessible -3\n"
          "claim \"proved 7\": growth 2, 3\n"
          "claim \"proved 7, as printed\": growth (2, 3)\n"
          "claim \"false 8\": growth 2\n"
          "claim \"false 9\": growth 2, 3, 3\n"
          "claim \"false 10\": growth 2, -3\n"
          "claim \"false 11\": growth 3, 3\n"
          "claim \"false 12\": holonomic\n"
          "claim \"proved 13\": nonholonomic\n"
          "claim \"false 14\": integral sin(th)*x' - cos(th)*y'\n"
          "claim \"proved 15\": integral th'\n"
          "claim \"proved 16\": integral x'*cos(th) + y'*sin(th)\n"
          "claim \"false 17\": integral x'\n"
          "claim \"unknown 18: it is\": integral abs(th')/th'\n"
          "claim \"false 19\": integral 3\n"
          "claim \"false 20\": integral m\n"
          "claim \"false 21\": measure 1\n"
          "claim \"proved 22\": measure 1/cos(th)\n"
          "claim \"proved 23\": measure 7/cos(th)\n"
          "claim \"false 24\": measure (1 + x^2)/cos(th)\n"
          "claim \"false 25\": measure exp(th)\n"
          "claim \"proved 26\": singular nowhere\n"
          "claim \"false 27\": singular th = 0\n");
}

/* No constraints. */
TEST(free)
{
    check("coordinate x, y\n"
          "kinetic (x'^2 + y'^2)/2\n",
          "claim \"proved 1\": holonomic\n"
          "claim \"false 2\": nonholonomic\n"
          "claim \"proved 3\": rank 0\n"
          "claim \"false 4\": rank 1\n"
          "claim \"proved 5\": measure 1\n"
          "claim \"proved 6\": integral x'\n"
          "claim \"proved 7\": integral x*y' - y*x'\n"
          "claim \"false 8\": integral x*y\n");
}

/* p = (1 + x²) x': dx dp = (1 + x²) dx dx'. */
TEST(mass)
{
    check("coordinate x\n"
          "kinetic (1 + x^2)*x'^2/2\n",
          "claim \"proved 1\": measure 1 + x^2\n"
          "claim \"false 2\": measure 1\n"
          "claim \"false 3\": measure (1 + x^2)^2\n"
          "claim \"proved 4\": measure 3*(1 + x^2)\n"
          "claim \"proved 5\": integral (1 + x^2)*x'^2\n"
          "claim \"false 6\": integral x'^2\n");
}

/* atan2 of velocities jumps where both vanish or one changes its sign; of places it presses nothing together. */
TEST(measures_beside_jumps)
{
    static const char plane[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n";
    static const struct {
        const char *force, *claim;
    } forces[] = {{"force y = atan2(1, x')\n", "claim \"unknown 1\": measure 1\n"},
                  {"force x = atan2(x', 1 + y^2)\n", "claim \"false 1\": measure 1\n"},
                  {"force y = x*atan2(x, y)\n", "claim \"proved 1\": measure 1\n"}};
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s%s", plane, forces[i].force);
        check(text, forces[i].claim);
    }
}

/* A density of two numbers is another one for who crosses from one to the other. */
TEST(densities_that_jump)
{
    check("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n",
          "claim \"proved 1\": measure 2\nclaim \"not true 2\": measure 2 + sign(x)\n"
          "claim \"not true 3\": measure 1 + step(x - 1e9)\n"
          "claim \"not true 4\": measure 4 + atan(x) + atan(1/x)\n"
          "claim \"not true 5\": measure 2 + abs(y)/y\n"
          "claim \"proved 6\": measure 3 + x/x\n");
    check("coordinate x, y\nassume x > 0\nkinetic (x'^2 + y'^2)/2\n",
          "claim \"proved 1\": measure 2 + sign(x)\n");
}

/* With a = 0 an integral is a number, whatever the constraints are; an energy is none. */
TEST(integrals_with_free_factors)
{
    static const char space[] =
        "parameter a\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: ";
    char text[200];
    snprintf(text, sizeof text, "%s%s", space, "x'^2 + y'^2 = 1\n");
    check(text, "claim \"false 1\": integral a*z'\nclaim \"proved 2\": integral z'\n"
                "claim \"false 3\": integral x'^2 + y'^2\n");
    snprintf(text, sizeof text, "%s%s", space, "x^2 + y^2 = 1\n");
    check(text, "claim \"false 1\": integral a*z'\nclaim \"proved 2\": integral z'\n"
                "claim \"proved 3\": integral x*y' - y*x'\n"
                "claim \"proved 4\": integral (x'^2 + y'^2 + z'^2)/2\n");
    check("parameter a\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\nvelocity u: x' = u^2, y' = a*u\n",
          "claim \"false 1\": integral a*y\nclaim \"proved 2\": integral (x'^2 + y'^2)/2\n");
}

/* x'' = −(c x' + k x)/m: volumes shrink at the rate c/m. */
TEST(damped)
{
    check("parameter m = 1, c, k\n"
          "assume c > 0, k > 0\n"
          "coordinate x\n"
          "kinetic m*x'^2/2\n"
          "potential k*x^2/2\n"
          "force x = -c*x'\n",
          "claim \"false 1\": measure 1\n"
          "claim \"false 2\": measure 1 + x^2\n"
          "claim \"false 3\": integral energy\n"
          "claim \"proved 4\": attracting at x = 0\n"
          "claim \"false 5\": unstable at x = 0\n"
          "claim \"proved 6\": stable at x = 0\n"
          "claim \"proved 7\": equilibrium x = 0\n"
          "claim \"false 8\": equilibrium x = 1\n"
          "claim \"proved 9\": characteristic m*s^2 + c*s + k in s at x = 0\n"
          "claim \"proved 10\": characteristic 3*(m*s^2 + c*s + k) in s at x = 0\n"
          "claim \"false 11\": characteristic m*s^2 + k in s at x = 0\n"
          "claim \"false 12\": characteristic m*s^2 - c*s + k in s at x = 0\n"
          "claim \"false 13\": characteristic m*s^3 + c*s^2 + k*s + 1 in s at x = 0\n"
          "claim \"false 14\": characteristic s + 1 in s at x = 0\n");
}

/* Routh and Hurwitz for two: m, c and k have one sign; on the border nothing is claimed. */
TEST(signs)
{
    check("parameter m = 1, c, k\n"
          "coordinate x\n"
          "kinetic m*x'^2/2\n"
          "potential k*x^2/2\n"
          "force x = -c*x'\n",
          "claim \"proved 1\": attracting at x = 0 when c > 0, k > 0\n"
          "claim \"proved 2\": unstable at x = 0 when k < 0\n"
          "claim \"proved 3\": unstable at x = 0 when c < 0, k > 0\n"
          "claim \"false 4\": attracting at x = 0 when k > 0\n"
          "claim \"false 5\": unstable at x = 0 when c > 0\n"
          "claim \"false 6\": stable at x = 0 when c > 0\n"
          "claim \"not true 7\": unstable at x = 0 when k <= 0, c > 0\n"
          "claim \"not true 8\": attracting at x = 0 when c >= 0, k > 0\n"
          "claim \"not false 9\": stable at x = 0 when c >= 0, k > 0\n"
          "claim \"false 10\": stable at x = 0\n"
          "claim \"proved 11\": unstable at x = 0 when k < 0, c != 0\n"
          "claim \"false 12\": stable at x = 0 when k != 0, c > 0\n"
          "claim \"not false 13\": stable at x = 0 when k > 0, c > 0, c != 1\n");
}

/* What the constraint says is no integral of the motion. */
TEST(circle)
{
    check("parameter g = 10\n"
          "coordinate x, z\n"
          "kinetic (x'^2 + z'^2)/2\n"
          "potential g*z\n"
          "constraint rod: x^2 + z^2 = 1\n"
          "start x = 0, z = -1\n",
          "claim \"false 1\": integral x^2 + z^2\n"
          "claim \"false 2\": integral x*x' + z*z'\n"
          "claim \"proved 3\": integral energy\n"
          "claim \"proved 4\": rank 1\n"
          "claim \"proved 5\": holonomic\n"
          "claim \"proved 6\": singular nowhere\n"
          "claim \"proved 7\": equilibrium x = 0, z = -1\n"
          "claim \"proved 8\": equilibrium x = 0, z = 1\n"
          "claim \"false 9\": equilibrium x = 1, z = 0\n");
}

/* x' = max(z, 0) y': above z = 0 all places are reached, below it none but those of one x. */
TEST(switch)
{
    check("coordinate x, y, z\n"
          "kinetic (x'^2 + y'^2 + z'^2)/2\n"
          "constraint c: x' = max(z, 0)*y'\n",
          "claim \"not true 1\": growth 2, 3\n"
          "claim \"not true 2\": growth 2\n"
          "claim \"not true 3\": accessible 3\n"
          "claim \"not true 4\": accessible 2\n"
          "claim \"not true 5\": holonomic\n"
          "claim \"proved 6\": rank 1\n");
}

/* A root that is smooth everywhere. */
TEST(root)
{
    check("coordinate x, y, z\n"
          "kinetic (x'^2 + y'^2 + z'^2)/2\n"
          "constraint c: x' = sqrt(1 + z^2)*y'\n",
          "claim \"not false 1\": growth 2, 3\n"
          "claim \"not false 2\": accessible 3\n"
          "claim \"false 3\": holonomic\n");
}

/* Each value is known before those that name it, in whatever order they are written. */
TEST(values_of_values)
{
    check("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential (x - 1)^2 + (y - 1)^2\n",
          "claim \"proved 1\": equilibrium x = y, y = 1\n"
          "claim \"proved 2\": steady x = y, y = x' + 1, x' = y', y' = 0\n"
          "claim \"false 3\": steady x = y, y = x' + 2, x' = y', y' = 0\n");
}

/* The spring moves with time: an equilibrium, of which the linearisation has no spectrum. */
TEST(time)
{
    check("parameter m = 1\n"
          "coordinate x\n"
          "kinetic m*x'^2/2\n"
          "potential x^2*(2 + sin(t))/2\n"
          "start x = 0, x' = 0\n",
          "claim \"proved 1\": equilibrium x = 0\n"
          "claim \"not true 2\": stable at x = 0\n"
          "claim \"not true 3\": attracting at x = 0\n"
          "claim \"false 4\": integral energy\n"
          "claim \"proved 5\": measure 1\n");
}

/* Two lines of velocities, and one of them at a time: on each the motion is straight. */
TEST(product)
{
    check("coordinate x, y\n"
          "kinetic (x'^2 + y'^2)/2\n"
          "constraint c: (x' - y')*(x' + 2*y') = 0\n",
          "claim \"proved 1\": rank 1\n"
          "claim \"proved 2\": integral x' - y'\n"
          "claim \"proved 3\": integral x'^2 + y'^2\n"
          "claim \"false 4\": integral (x' - y')*(x' + 2*y')\n"
          "claim \"proved 5\": holonomic\n");
}

/* The constraint is the velocity form. */
TEST(speeds)
{
    check("parameter m = 1\n"
          "coordinate x, y\n"
          "kinetic m*(x'^2 + y'^2)/2\n"
          "velocity u: x' = u, y' = 2*u\n",
          "claim \"false 1\": integral y' - 2*x'\n"
          "claim \"proved 2\": integral x'\n"
          "claim \"proved 3\": integral u\n"
          "claim \"false 4\": integral 5*u - 2*y' - x'\n"
          "claim \"proved 5\": holonomic\n"
          "claim \"proved 6\": measure 1\n"
          "claim \"false 7\": measure 1 + y\n");
}

/* No velocity is admissible. */
TEST(contradict)
{
    check("coordinate x, y\n"
          "kinetic (x'^2 + y'^2)/2\n"
          "constraint a: x' = 1\n"
          "constraint b: x' = 2\n",
          "claim \"not true 1\": rank 2\n");
}

/* A force that does not exist at x = 0. */
TEST(poles)
{
    check("coordinate x\n"
          "kinetic x'^2/2\n"
          "potential -1/x\n",
          "claim \"proved 1\": integral x'^2/2 - 1/x\n"
          "claim \"false 2\": integral 1/x\n"
          "claim \"proved 3\": measure 1\n"
          "claim \"false 4\": measure 1/x\n");
}

/* x'' = −λ y'', y'' = −λ x'', z'' = λ = x'' y'' has no real solution but rest of the velocities. */
TEST(second)
{
    check("coordinate x, y, z\n"
          "kinetic (x'^2+y'^2+z'^2)/2\n"
          "constraint c: z'' = x''*y''\n",
          "claim \"holds 1\": integral energy\n"
          "claim \"not false 2\": rank 1\n");
}

/* th'' = −g sin th. */
TEST(pendulum)
{
    check("parameter g = 10\n"
          "coordinate th\n"
          "kinetic th'^2/2\n"
          "potential -g*cos(th)\n"
          "start th = 0, th' = 0\n",
          "claim \"proved 1\": equilibrium th = 0\n"
          "claim \"proved 2\": equilibrium th = pi\n"
          "claim \"false 3\": equilibrium th = 1\n"
          "claim \"proved 4\": stable at th = 0\n"
          "claim \"proved 5\": unstable at th = pi\n"
          "claim \"false 6\": stable at th = pi\n"
          "claim \"false 7\": unstable at th = 0\n"
          "claim \"false 8\": attracting at th = 0\n"
          "claim \"not true 9\": stable at th = 1\n"
          "claim \"not true 10\": unstable at th = 1\n"
          "claim \"proved 11\": characteristic s^2 + 10 in s at th = 0\n"
          "claim \"proved 12\": characteristic s^2 - g in s at th = pi\n"
          "claim \"false 13\": characteristic s^2 - 10 in s at th = 0\n"
          "claim \"not true 14\": characteristic s^2 - 10 in s at th = 1\n"
          "claim \"not false 15\": stable\n"
          "claim \"false 16\": unstable\n"
          "claim \"false 17\": attracting\n"
          "claim \"not false 18\": characteristic s^2 + 10 in s\n"
          "claim \"false 19\": characteristic s^2 + 11 in s\n");
}

/* A bead on a hoop that turns: r θ'' = (r Ω² cos θ − g) sin θ. */
TEST(bead)
{
    check("parameter r, g, Omega\n"
          "assume r > 0, g > 0\n"
          "coordinate theta\n"
          "kinetic r^2*(theta'^2 + Omega^2*sin(theta)^2)/2\n"
          "potential -g*r*cos(theta)\n",
          "claim \"proved 1\": stable at theta = 0 when Omega^2 < g/r\n"
          "claim \"proved 2\": unstable at theta = 0 when Omega^2 > g/r\n"
          "claim \"proved 3\": unstable at theta = pi\n"
          "claim \"false 4\": stable at theta = 0 when Omega > 0\n"
          "claim \"not true 5\": unstable at theta = 0 when Omega > 0\n"
          "claim \"false 6\": attracting at theta = 0 when Omega^2 < g/r\n"
          "claim \"not true 7\": unstable at theta = 0 when Omega^2 >= g/r\n"
          "claim \"not false 8\": stable at theta = 0 when Omega^2 <= g/r\n"
          "claim \"proved 9\": characteristic r*s^2 + g - r*Omega^2 in s at theta = 0\n"
          "claim \"proved 10\": characteristic r*s^2 - g - r*Omega^2 in s at theta = pi\n"
          "claim \"false 11\": characteristic r*s^2 + g in s at theta = 0\n"
          "claim \"proved 12\": equilibrium theta = 0\n"
          "claim \"false 13\": equilibrium theta = pi/2\n"
          "claim \"proved 14\": measure 1\n");
}

/* In the skate's own velocities the volume is the plain one, and both are constant. */
TEST(disc)
{
    check("parameter m = 1, J = 2\n"
          "coordinate x, y, th\n"
          "kinetic m*(x'^2 + y'^2)/2 + J*th'^2/2\n"
          "quasivelocity u = x'*cos(th) + y'*sin(th), w = th', v = y'*cos(th) - x'*sin(th)\n"
          "constraint edge: y'*cos(th) - x'*sin(th) = 0\n"
          "start x = 0, y = 0, th = 0, x' = 1, th' = 1\n",
          "claim \"proved 1\": steady th' = 0\n"
          "claim \"proved 2\": steady th' = 2\n"
          "claim \"proved 3\": integral u\n"
          "claim \"proved 4\": integral w\n"
          "claim \"false 5\": integral v\n"
          "claim \"false 6\": integral x'\n"
          "claim \"proved 7\": measure 1\n"
          "claim \"false 8\": measure 1 + th^2\n");
}

/* th'' and ph'' vanish whatever the state is; their slopes in doubles are rounding errors as they are. */
TEST(rates_that_are_rounding_errors)
{
    check("parameter m, R, J, I\nassume m > 0, R > 0, J > 0, I > 0\n"
          "coordinate x, y, ph, th\n"
          "body D mass m inertia (I, J, I) at (x, y, R) turn z ph, y th\n"
          "constraint a: x' = R*th'*cos(ph)\nconstraint b: y' = R*th'*sin(ph)\n",
          "claim \"proved 1\": steady th' = 1, ph' = 2\n"
          "claim \"proved 2\": steady ph' = 2\n"
          "claim \"proved 3\": constant th'\n");
    check("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential 1e-20*x^2/2\n",
          "claim \"proved 1\": equilibrium x = 0\nclaim \"false 2\": equilibrium x = 1\n"
          "claim \"false 3\": steady y' = 1, x = 1\n"
          "claim \"proved 4\": steady y' = 1, x = 0, x' = 0\n");
}

/* A constraint that can be integrated: x − 2 y is constant, but not one number. */
TEST(lines)
{
    check("coordinate x, y\n"
          "kinetic (x'^2 + y'^2)/2\n"
          "constraint c: x' = 2*y'\n",
          "claim \"proved 1\": holonomic\n"
          "claim \"false 2\": nonholonomic\n"
          "claim \"proved 3\": accessible 1\n"
          "claim \"false 4\": accessible 2\n"
          "claim \"proved 5\": growth 1\n"
          "claim \"false 6\": growth 1, 2\n"
          "claim \"false 7\": integral x' - 2*y'\n"
          "claim \"proved 8\": integral x - 2*y\n"
          "claim \"proved 9\": integral x'\n");
}

/* x'' = 3 − exp x rests at log 3, where no algebra goes; near it x'' = −3 x. */
TEST(well)
{
    check("coordinate x\n"
          "kinetic x'^2/2\n"
          "potential exp(x) - 3*x\n"
          "start x = 1.1, x' = 0\n",
          "claim \"not false 1\": equilibrium x = log(3)\n"
          "claim \"false 2\": equilibrium x = 1\n"
          "claim \"not false 3\": stable at x = log(3)\n"
          "claim \"not true 4\": unstable at x = log(3)\n"
          "claim \"not true 5\": attracting at x = log(3)\n"
          "claim \"not false 6\": characteristic s^2 + 3 in s at x = log(3)\n"
          "claim \"not true 7\": characteristic s^2 + 2 in s at x = log(3)\n"
          "claim \"not false 8\": stable\n"
          "claim \"not true 9\": unstable\n"
          "claim \"not false 10\": characteristic s^2 + 3 in s\n"
          "claim \"not true 11\": characteristic s^2 + 3*s in s\n");
}

/* Two oscillators, one of them damped. */
TEST(half_damped)
{
    check("parameter a, c = 1\n"
          "coordinate x, y\n"
          "kinetic (x'^2 + y'^2)/2\n"
          "potential (x^2 + a*y^2)/2\n"
          "force x = -c*x'\n",
          "claim \"not false 1\": stable at x = 0, y = 0 when a > 0\n"
          "claim \"proved 2\": unstable at x = 0, y = 0 when a < 0\n"
          "claim \"not true 3\": attracting at x = 0, y = 0 when a > 0\n"
          "claim \"false 4\": stable at x = 0, y = 0\n"
          "claim \"not true 5\": unstable at x = 0, y = 0\n"
          "claim \"not true 6\": stable at x = 0, y = 0 when a > 1, a < 0\n"
          "claim \"proved 7\": characteristic (s^2 + c*s + 1)*(s^2 + a) in s at x = 0, y = 0\n"
          "claim \"false 8\": characteristic (s^2 + 1)*(s^2 + a) in s at x = 0, y = 0\n"
          "claim \"false 9\": characteristic (s^2 + c*s + 1) in s at x = 0, y = 0\n"
          "claim \"proved 10\": equilibrium x = 0, y = 0\n"
          "claim \"false 11\": equilibrium x = 0, y = 1\n");
}

/* x'' = 2 Ω y' + k x, y'' = −2 Ω x' + k y: a hill that rotation makes stable, λ² = k − 2 Ω² ± 2 Ω √(Ω² − k). */
TEST(gyroscope)
{
    check("parameter Om, k\n"
          "assume k > 0\n"
          "coordinate x, y\n"
          "kinetic (x'^2 + y'^2)/2 + Om*(x*y' - y*x')\n"
          "potential -k*(x^2 + y^2)/2\n",
          "claim \"proved 1\": stable at x = 0, y = 0 when Om^2 > k\n"
          "claim \"proved 2\": unstable at x = 0, y = 0 when Om^2 < k\n"
          "claim \"false 3\": stable at x = 0, y = 0 when Om > 0\n"
          "claim \"false 4\": attracting at x = 0, y = 0 when Om^2 > k\n"
          "claim \"proved 5\": characteristic (s^2 - k)^2 + 4*Om^2*s^2 in s at x = 0, y = 0\n"
          "claim \"false 6\": characteristic (s^2 - k)^2 + Om^2*s^2 in s at x = 0, y = 0\n"
          "claim \"not false 7\": measure 1\n"
          "claim \"not false 8\": integral jacobi\n");
}

/* r'' = r φ'² − k r, r² φ' constant: circles with φ'² = k, and twice that frequency about them. */
TEST(bowl)
{
    check("parameter k = 1\n"
          "coordinate r, phi\n"
          "kinetic (r'^2 + r^2*phi'^2)/2\n"
          "potential k*r^2/2\n"
          "start r = 1, phi = 0, phi' = 1\n",
          "claim \"not false 1\": steady r = 2, phi' = 1\n"
          "claim \"not false 2\": steady phi' = 1, r' = 0\n"
          "claim \"false 3\": steady r = 2, phi' = 2\n"
          "claim \"not false 4\": characteristic s^2 + 4 in s at r = 1, phi' = 1\n"
          "claim \"not true 5\": characteristic s^2 + 1 in s at r = 1, phi' = 1\n"
          "claim \"not false 6\": stable at r = 1, phi' = 1\n"
          "claim \"not true 7\": unstable at r = 1, phi' = 1\n"
          "claim \"not true 8\": stable at r = 1, phi' = 3\n"
          "claim \"proved 9\": integral r^2*phi'\n"
          "claim \"false 10\": integral r*phi'\n");
}

/* Circles with φ'² = μ/r³, and that frequency about them; in φ' the volume is r² dr dφ dr' dφ'. */
TEST(kepler)
{
    check("parameter mu\n"
          "assume mu > 0\n"
          "coordinate r, phi\n"
          "assume r > 0\n"
          "kinetic (r'^2 + r^2*phi'^2)/2\n"
          "potential -mu/r\n",
          "claim \"not false 1\": steady r = 1, phi' = sqrt(mu)\n"
          "claim \"false 2\": steady r = 2, phi' = sqrt(mu)\n"
          "claim \"not false 3\": stable at r = 1, phi' = sqrt(mu)\n"
          "claim \"false 4\": unstable at r = 1, phi' = sqrt(mu)\n"
          "claim \"not false 5\": characteristic s^2 + mu in s at r = 1, phi' = sqrt(mu)\n"
          "claim \"false 6\": characteristic s^2 + 2*mu in s at r = 1, phi' = sqrt(mu)\n"
          "claim \"proved 7\": integral r^2*phi'\n"
          "claim \"proved 8\": integral (r'^2 + r^2*phi'^2)/2 - mu/r\n"
          "claim \"false 9\": integral r'\n"
          "claim \"false 10\": measure r\n"
          "claim \"proved 11\": measure r^2\n");
}

/* x'' = cos t − x rests nowhere. */
TEST(shaken)
{
    check("coordinate x\n"
          "kinetic x'^2/2\n"
          "potential x^2/2\n"
          "force x = cos(t)\n",
          "claim \"false 1\": equilibrium x = 0\n"
          "claim \"not true 2\": stable at x = 0\n"
          "claim \"not true 3\": steady x = 0\n"
          "claim \"false 4\": integral energy\n"
          "claim \"not false 5\": measure 1\n"
          "claim \"false 6\": measure 1 + x^2\n");
}

/* m x'' = −c x' − k x, where c may vanish. */
TEST(border)
{
    check("parameter m = 1, c, k\n"
          "assume c >= 0, k > 0\n"
          "coordinate x\n"
          "kinetic m*x'^2/2\n"
          "potential k*x^2/2\n"
          "force x = -c*x'\n",
          "claim \"not true 1\": attracting at x = 0\n"
          "claim \"not false 2\": stable at x = 0\n"
          "claim \"not true 3\": unstable at x = 0\n"
          "claim \"proved 4\": attracting at x = 0 when c > 0\n"
          "claim \"not true 5\": attracting at x = 0 when c != 1\n"
          "claim \"proved 6\": characteristic m*s^2 + c*s + k in s at x = 0 when c != 2, k > 1\n"
          "claim \"false 7\": characteristic m*s^2 + c*s - k in s at x = 0 when c != 2, k > 1\n");
}

/* Two oscillators with one damping; the quartic term is no part of the linearisation. */
TEST(conditions)
{
    check("parameter a, c\n"
          "coordinate x, y\n"
          "kinetic (x'^2 + y'^2)/2\n"
          "potential (x^2 + a*y^2)/2 + x^4\n"
          "force x = -c*x', y = -c*y'\n",
          "claim \"proved 1\": attracting at x = 0, y = 0 when a > 0, c > 0\n"
          "claim \"proved 2\": unstable at x = 0, y = 0 when a < 0, c != 0\n"
          "claim \"proved 3\": unstable at x = 0, y = 0 when a > 0, c < 0\n"
          "claim \"not true 4\": stable at x = 0, y = 0 when a != 0, c > 0\n"
          "claim \"not true 5\": attracting at x = 0, y = 0 when a != 0, c > 0\n"
          "claim \"not true 6\": attracting at x = 0, y = 0 when a > 0, c >= 0\n"
          "claim \"not true 7\": unstable at x = 0, y = 0 when a <= 0, c > 0\n"
          "claim \"proved 8\": characteristic (s^2 + c*s + 1)*(s^2 + c*s + a) in s at x = 0, y = 0 "
          "when a != 1, c > 0\n"
          "claim \"not true 9\": equilibrium x = 1, y = 0\n"
          "claim \"proved 10\": equilibrium x = 0, y = 0 when a > 2\n");
}

/* V = k log r: r'' = r φ'² − k/r. Circles at r φ' = √k, about which r oscillates with the square 2 k/r². */
TEST(turning)
{
    check("parameter k = 2\n"
          "coordinate r, phi\n"
          "assume r > 0\n"
          "kinetic (r'^2 + r^2*phi'^2)/2\n"
          "potential k*log(r)\n"
          "start r = 1, phi = 0, phi' = 1.4\n",
          "claim \"not false 1\": steady r = 1, phi' = sqrt(2)\n"
          "claim \"not true 2\": steady r = 1, phi' = 1\n"
          "claim \"not false 3\": stable at r = 1, phi' = sqrt(2)\n"
          "claim \"not true 4\": unstable at r = 1, phi' = sqrt(2)\n"
          "claim \"not false 5\": characteristic s^2 + 4 in s at r = 1, phi' = sqrt(2)\n"
          "claim \"not true 6\": characteristic s^2 + 5 in s at r = 1, phi' = sqrt(2)\n"
          "claim \"not false 7\": stable\n"
          "claim \"not true 8\": unstable\n"
          "claim \"proved 9\": integral r^2*phi'\n"
          "claim \"proved 10\": integral r'^2/2 + r^2*phi'^2/2 + k*log(r)\n"
          "claim \"false 11\": integral r'^2/2 + r^2*phi'^2/2 - k*log(r)\n"
          "claim \"proved 12\": measure r^2\n"
          "claim \"false 13\": measure r\n");
}

/* No masses, hence no volume of velocities, and no motion of its own. */
TEST(unicycle)
{
    check("input v = 1, w = 0.5\n"
          "coordinate x, y, theta\n"
          "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n"
          "start x = 0, y = 0, theta = 0\n"
          "simulate t = 0 .. 5\n",
          "claim \"proved 1\": accessible 3\n"
          "claim \"proved 2\": growth 2, 3\n"
          "claim \"false 3\": growth 2, 2\n"
          "claim \"false 4\": holonomic\n"
          "claim \"not true 5\": measure 1\n"
          "claim \"not true 6\": steady theta = 0\n"
          "claim \"not true 7\": stable\n");
}

/* x' = z' = 0 (rank 2) or y' = 0 (rank 1): without forces all velocities stay, and no force is needed; under a force along y the
 * reaction is −1 on y' = 0. */
TEST(components_of_two_ranks)
{
    static const char cross[] =
        "parameter k = 2\ncoordinate x, y, z\nkinetic (x'^2 + 2*y'^2 + z'^2)/2\n"
        "constraint a: x'*y' = 0\nconstraint b: y'*z' = 0\n";
    check(cross, "claim \"proved 1\": x'' = 0\n"
                 "claim \"false 2\": x' = 0\n"
                 "claim \"false 3\": y' = 0\n"
                 "claim \"proved 4\": reaction[y] = 0\n"
                 "claim \"false 5\": reaction[x] = x'\n"
                 "claim \"proved 6\": M[y, y] = 2\n"
                 "claim \"false 7\": M[y, y] = 1\n"
                 "claim \"false 8\": G[1, 1] = 0\n"
                 "claim \"false 9\": rank 1\n"
                 "claim \"false 10\": rank 2\n"
                 "claim \"false 11\": rank -1\n"
                 "claim \"proved 12\": z'' = 0 when y' = 1\n"
                 "claim \"proved 13\": x'' = 0 when x' != 0\n"
                 "claim \"not false 14\": x'*y' = 0 when k > 0\n"
                 "claim \"not false 15\": x'' = 0 when x' = 0, y' = 0\n"
                 "claim \"proved 16\": limit k -> 0: x''/k = 0\n");
    check(cross, "force y = 1\n"
                 "claim \"false 1\": reaction[y] = 0\n"
                 "claim \"proved 2\": reaction[y] = lambda[1]*x' + lambda[2]*z'\n"
                 "claim \"proved 3\": x'^2*reaction[y] = -x'^2\n"
                 "claim \"proved 4\": y'*(2*y'' - 1) = 0\n"
                 "claim \"not proved 5: they are not determined\": lambda[1] = 0\n");
}

/* Beside y' = x z' the product says nothing: the kind is that of y' = x z', x y'' + z'' = 0. */
TEST(product_that_says_nothing)
{
    check("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: y' = x*z'\n"
          "constraint b: (y' - x*z')*(x' - 2) = 0\n",
          "claim \"proved 1\": rank 1\n"
          "claim \"false 2\": rank 2\n"
          "claim \"proved 3\": x'' = 0\n"
          "claim \"proved 4\": nonholonomic\n"
          "claim \"proved 5\": growth 2, 3\n"
          "claim \"unknown 6: not determined\": lambda[2] = 0\n"
          "claim \"proved 7\": x*y'' + z'' = 0\n"
          "claim \"proved 8\": accessible 3\n"
          "claim \"false 9\": accessible 2\n"
          "claim \"proved 10\": integral x'\n"
          "claim \"false 11\": integral y'\n"
          "claim \"not proved 12\": holonomic b\n");
}

/* x'' = −c x' − k x, y'' = 0: conditions on what is free, on time and on nothing that can be. */
TEST(stability_under_conditions)
{
    check("parameter m = 1, c = 2, k = 3\ncoordinate x, y\nkinetic m*(x'^2 + y'^2)/2\n"
          "potential k*x^2/2\nforce x = -c*x'\nstart x = 0, y = 2, y' = 1\n",
          "claim \"proved 1\": attracting when y > 1\n"
          "claim \"proved 2\": stable when c > 0, y' != 0\n"
          "claim \"false 3\": unstable when c > 0\n"
          "claim \"false 4\": stable when y < 5, c < 0\n"
          "claim \"unknown 5: nowhere\": stable when y > 1, y < 0\n"
          "claim \"unknown 6: no place\": stable at x = log(-1 - k^2)\n"
          "claim \"unknown 7: no place\": equilibrium x = log(-1 - k^2)\n"
          "claim \"proved 8\": equilibrium x = 0 when t > 1\n"
          "claim \"proved 9\": stable at x = 0 when y^2 > 4\n"
          "claim \"unknown 10: nowhere\": stable at x = 0 when y^2 + y'^2 < -1\n"
          "claim \"not false 11: y = 0\": attracting at x = y when y > -1, y < 1\n");
    check("parameter m = 1, c = 2, k\nassume k > 0\ncoordinate x, y\nkinetic m*(x'^2 + y'^2)/2\n"
          "potential k*x^2/2\nforce x = -c*x'\n",
          "claim \"proved 1\": stable at x = 0 when y != 3\n"
          "claim \"proved 2\": steady x = 0, y' = 2 when y > 1\n"
          "claim \"false 3\": unstable at x = 0 when y != 3\n");
}

/* |x| z' + y' = 0 is a contact form on both sides of x = 0; with y' = −sqrt(x² + 1) x' besides, a curve. */
TEST(roots_of_squares)
{
    static const char contact[] = "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                                  "constraint q: sqrt(x^2)*z' + y' = 0\n";
    check(contact, "claim \"false 1\": holonomic\n"
                   "claim \"not true 2\": accessible 2\n"
                   "claim \"proved 3\": accessible 3\n"
                   "claim \"not false 4\": nonholonomic\n"
                   "claim \"not false 5\": growth 2, 3\n");
    check(contact, "constraint p: sqrt(x^2 + 1)*x' + y' = 0\n"
                   "claim \"not false 1\": holonomic\n"
                   "claim \"not true 2\": accessible 2\n"
                   "claim \"not true 3\": accessible 3\n");
}

/* x, y move evenly. atan(tan x) − x and |x|/x jump where a motion goes through; log|tan x| − log|sin x| + log|cos x| is 0 on both sides,
 * and acos(x/sqrt(x² + 1)) + atan(x) is π/2. */
TEST(constants_across_poles)
{
    check("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n",
          "claim \"not false 1\": constant tan(x')\n"
          "claim \"not false 2\": constant log(abs(x'))\n"
          "claim \"not true 3\": constant atan(tan(x)) - x\n"
          "claim \"not false 4\": constant log(abs(tan(x))) - log(abs(sin(x))) + log(abs(cos(x)))\n"
          "claim \"not true 5\": constant sqrt(x^2)/x\n"
          "claim \"false 6\": constant asin(sin(x)) - x\n"
          "claim \"not false 7\": constant tan(x)*cos(x) - sin(x)\n"
          "claim \"not false 8\": constant exp(1/x)*exp(-1/x)\n"
          "claim \"not true 9\": constant atan(x) + atan(1/x) + y'\n"
          "claim \"not true 10\": constant (x^2)^(3/2)/x^3\n"
          "claim \"not true 11\": constant abs(x)/x + abs(y)/y\n"
          "claim \"not false 12\": constant acos(x/sqrt(x^2 + 1)) + atan(x)\n"
          "claim \"not true 13\": constant asin(1/sqrt(1 + x^2)) + atan(x)*abs(x)/x + sign(y)\n");
    /* no motion gets to x = 0 */
    check("coordinate x, y\nassume x < 0\nkinetic (x'^2 + y'^2)/2\n",
          "claim \"proved 1\": constant abs(x)/x\n"
          "claim \"proved 2\": constant sign(x)*y'\n"
          "claim \"proved 3\": constant atan(x) + atan(1/x)\n"
          "claim \"not true 4\": constant atan(y) + atan(1/y)\n"
          "claim \"not true 5\": constant sign(y)*y'\n");
    /* nor to cos(x) = 0 or y = 0, where the potential ends */
    check("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential tan(x) + 1/y\n",
          "claim \"proved 1\": constant atan(tan(x)) - x\n"
          "claim \"proved 2\": constant abs(y)/y\n"
          "claim \"false 3\": constant x\n"
          "claim \"not true 4\": constant atan(tan(x + 1)) - x\n");
    /* to a place at which all forces stay finite there are */
    static const char *const hidden[] = {"1/(1 + exp(1/x))", "abs(x)/x", "sqrt(x^2)/x + y^2",
                                         "(x + abs(x))/(2*x)", "x^2/(x^2*(1 + exp(1/x)))"};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        char text[200];
        snprintf(text, sizeof text, "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential %s\n",
                 hidden[i]);
        check(text, "claim \"not true 1\": constant energy\nclaim \"not true 2\": integral energy\n"
                    "claim \"proved 3\": der(energy) = 0\n");
    }
    check("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential exp(-x)/x + sin(y)/y\n",
          "claim \"proved 1\": constant energy\n");
    check("parameter c\nassume c > 0\ncoordinate x, y\nkinetic -c^2*sqrt(1 - (x'^2 + y'^2)/c^2)\n"
          "potential x\n",
          "claim \"proved 1\": constant y'/sqrt(1 - (x'^2 + y'^2)/c^2)\n"
          "claim \"proved 2\": constant jacobi\nclaim \"false 3\": constant y'\n");
    check("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
          "constraint c: y' = (atan(x) + atan(1/x))*z'\n",
          "claim \"unknown 1\": accessible 2\nclaim \"not true 2\": accessible 3\n");
    check("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: y' = z'/x\n",
          "claim \"proved 1\": accessible 3\n");
}
