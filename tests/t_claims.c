/* t_claims.c - claims that are no equations. Their labels begin with the verdict that they must
 * get; what they say is known in closed form, or false on purpose. */
#include "harness/harness.h"
#include "harness/verdicts.h"

#include <anholo/anholo.h>

#include <string.h>

TEST(pendulum_in_the_plane)
{
    check_verdicts("parameter m = 2, l = 1.5, g = 9.81, c = 0.3\n"
                   "assume l > 0, m > 0, g > 0\n"
                   "coordinate x, y\nkinetic m*(x'^2 + y'^2)/2\npotential m*g*y\n"
                   "force x = -c*x'\nforce y = -c*y'\n"
                   "constraint rod: x^2 + y^2 = l^2\nstart x = 0.1, y = -1.4\n"
                   "claim \"proved 1\": holonomic\nclaim \"proved 2\": holonomic rod\n"
                   "refute \"false 3\": nonholonomic\nclaim \"proved 4\": rank 1\n"
                   "claim \"false 5\": rank 2\nclaim \"proved 6\": accessible 1\n"
                   "claim \"proved 7\": equilibrium x = 0\n"
                   "claim \"proved 8\": equilibrium x = 0, y = -l\n"
                   "claim \"false 9\": equilibrium x = 1\nclaim \"proved 10\": stable\n"
                   "claim \"proved 11\": attracting at x = 0, y = -l when c > 0\n"
                   "claim \"proved 12\": unstable at x = 0, y = l when c > 0\n"
                   "claim \"false 13\": stable at x = 0, y = -l when c != 0\n"
                   "claim \"unknown 14: not on the rod\": equilibrium x = 5\n",
                   NULL);
}

/* omega² = g/r is where the lowest place becomes unstable. */
TEST(bead_on_a_turning_hoop)
{
    static const char hoop[] =
        "parameter m = 1, r = 0.5, g = 9.81, W = 5\nassume m > 0, r > 0, g > 0, W > 0\n"
        "coordinate th\nkinetic m*r^2*(th'^2 + W^2*sin(th)^2)/2\npotential -m*g*r*cos(th)\n"
        "claim \"proved 1\": equilibrium th = 0\nclaim \"proved 2\": equilibrium th = pi\n"
        "claim \"proved 3\": equilibrium th = acos(g/(r*W^2))\n"
        "claim \"false 4\": equilibrium th = 1\nclaim \"proved 5\": integral jacobi\n"
        "claim \"false 6\": integral energy\n"
        "claim \"proved 7\": stable at th = 0 when W^2 < g/r\n"
        "claim \"proved 8\": unstable at th = 0 when W^2 > g/r\n"
        "claim \"proved 9\": unstable at th = pi\n"
        "claim \"false 10\": stable at th = 0 when W > 4\n"
        "claim \"proved 11\": stable at th = 0 when W < 4, W > 1\n"
        "claim \"false 12\": attracting at th = 0 when W < 4\n"
        "claim \"proved 13\": measure 1\nclaim \"false 14\": measure 2 + cos(th)\n"
        "claim \"holds 15\": stable at th = acos(g/(r*W^2)) when W^2 > g/r\n";
    check_verdicts(hoop, NULL);
}

TEST(chaplygin_sleigh)
{
    static const char sleigh[] =
        "parameter m = 1, J = 0.3, a = 0.4\nassume m > 0, J > 0\ncoordinate x, y, th\n"
        "kinetic m/2*((x' - a*sin(th)*th')^2 + (y' + a*cos(th)*th')^2) + J/2*th'^2\n"
        "constraint blade: y'*cos(th) - x'*sin(th) = 0\n"
        "velocity v, w: x' = v*cos(th), y' = v*sin(th), th' = w\n"
        "claim \"proved 1\": nonholonomic\nclaim \"false 2\": holonomic blade\n"
        "claim \"proved 3\": growth 2, 3\nclaim \"false 4\": growth 2\n"
        "claim \"proved 5\": accessible 3\nclaim \"proved 6\": steady w = 0\n"
        "claim \"false 7\": steady w = 1\n"
        "claim \"proved 8\": attracting at w = 0 when a*v > 0\n"
        "claim \"proved 9\": unstable at w = 0 when a*v < 0\n"
        "claim \"false 10\": attracting at w = 0 when v > -1\n"
        "claim \"proved 11\": integral energy\n"
        "claim \"false 12: it follows from the constraint\": integral x'*sin(th) - y'*cos(th)\n"
        "claim \"proved 13\": equilibrium\nclaim \"false 14\": measure 1\n";
    check_verdicts(sleigh, NULL);
    check_verdicts(sleigh, "m=2,J=1/7,a=3"); /* other values, the same facts */
}

/* Parameters without values are universal. */
TEST(symbols)
{
    check_verdicts("parameter m, k, c\nassume m > 0, k > 0, c > 0\ncoordinate x\n"
                   "kinetic m*x'^2/2\npotential k*x^2/2\nforce x = -c*x'\n"
                   "claim \"proved 1\": attracting at x = 0\n"
                   "claim \"proved 2\": equilibrium x = 0\n"
                   "claim \"unknown 3: it is assumed not to be\": unstable at x = 0 when k < 0\n"
                   "claim \"false 4\": unstable at x = 0\n",
                   NULL);
}

/* The sleeping top: upright, it is stable where the spin is fast, C² n² > 4 A m g l (Lagrange). In
 * coordinates that are regular there: the axis is (sin a, −cos a sin b, cos a cos b). */
TEST(sleeping_top)
{
    check_verdicts(
        "parameter A = 2, C = 1.5, P = 3\nassume A > 0, C > 0, P > 0\ncoordinate a, b, c\n"
        "assume cos(a) > 0.2, cos(b) > 0.2\n"
        "let n = c' + b'*sin(a)\n"
        "kinetic 1/2*A*(a'^2 + b'^2*cos(a)^2) + 1/2*C*n^2\npotential P*cos(a)*cos(b)\n"
        "quasivelocity u = a', v = b', w = n\n"
        "claim \"proved 1\": integral n\nclaim \"proved 2\": steady a = 0, b = 0\n"
        "claim \"proved 3\": stable at a = 0, b = 0 when C^2*w^2 > 4*A*P\n"
        "claim \"proved 4\": unstable at a = 0, b = 0 when C^2*w^2 < 4*A*P\n"
        "claim \"false 5\": stable at a = 0, b = 0 when w > 1\n",
        NULL);
}

/* Euler's rigid body: the rotation about the middle axis alone is unstable. */
TEST(free_body)
{
    check_verdicts(
        "parameter A = 2, B = 3, C = 4.5\nassume 0 < A, A < B, B < C\ncoordinate a, b, c\n"
        "assume cos(b) > 0.1\n"
        "let u1 = a'*cos(b)*cos(c) + b'*sin(c)\nlet u2 = b'*cos(c) - a'*cos(b)*sin(c)\n"
        "let u3 = a'*sin(b) + c'\nkinetic 1/2*(A*u1^2 + B*u2^2 + C*u3^2)\n"
        "quasivelocity p = u1, q = u2, r = u3\n"
        "claim \"proved 1\": steady q = 0, r = 0\nclaim \"proved 2\": steady p = 0, r = 0\n"
        "claim \"false 3\": steady p = 0\nclaim \"proved 4\": stable at q = 0, r = 0, p = 2\n"
        "claim \"proved 5\": unstable at p = 0, r = 0, q = 2\n"
        "claim \"proved 6\": stable at p = 0, q = 0, r = -3\n"
        "claim \"proved 7\": integral A^2*p^2 + B^2*q^2 + C^2*r^2\n"
        "claim \"proved 8\": measure cos(b)\n",
        NULL);
}

/* What the naive answer gets wrong. */
TEST(integrability)
{
    check_verdicts(/* z' = y x' and its like: neither is integrable, both together with the third */
                   "coordinate x, y, z, u\nkinetic x'^2 + y'^2 + z'^2 + u'^2\n"
                   "constraint one: z' - y*x' + u*(y' - x*u') = 0\n"
                   "constraint two: y' - x*u' + z*(z' - y*x') = 0\n"
                   "constraint three: x'*u + x*u' = 0\n"
                   "claim \"proved 1\": nonholonomic one\nclaim \"proved 2\": nonholonomic two\n"
                   "claim \"proved 3\": holonomic three\nclaim \"proved 4\": nonholonomic one, "
                   "two\n"
                   "claim \"false 5\": nonholonomic\nclaim \"proved 6\": holonomic\n" /* a field of lines is */
                   "claim \"proved 7\": accessible 1\n",
                   NULL);
    check_verdicts(/* each alone is not integrable, the two together are */
                   "coordinate a, b, c, d, f\nkinetic a'^2 + b'^2 + c'^2 + d'^2 + f'^2\n"
                   "let A = a' + b'*c + b*c'\nlet B = d' - a'*c - a*c'\n"
                   "constraint p: A + f*B = 0\nconstraint q: exp(b)*B - d*A = 0\n"
                   "claim \"proved 1\": nonholonomic p\nclaim \"proved 2\": nonholonomic q\n"
                   "claim \"proved 3\": holonomic\nclaim \"proved 4\": holonomic p, q\n"
                   "claim \"proved 5\": accessible 3\nclaim \"proved 6\": growth 3\n",
                   NULL);
    check_verdicts(/* exact, multiplied by what is not constant; of time; redundant */
                   "coordinate a, b, c\nkinetic a'^2 + b'^2 + c'^2\n"
                   "constraint p: (2 + sin(a*b))*exp(c)*(b*a' + a*b' + cos(c)*c') = 0\n"
                   "constraint q: (b*a' + a*b' + cos(c)*c')*(1 + t^2) = 0\n"
                   "claim \"proved 1\": holonomic p\nclaim \"proved 2\": holonomic\n"
                   "claim \"proved 3\": rank 1\nclaim \"proved 4\": accessible 2\n",
                   NULL);
    check_verdicts(/* depends on time: d/dt (a cos t − b sin t) */
                   "coordinate a, b\nkinetic a'^2 + b'^2\n"
                   "constraint p: a'*cos(t) - b'*sin(t) - a*sin(t) - b*cos(t) = 0\n"
                   "claim \"proved 1\": holonomic\nclaim \"proved 2\": integral a*cos(t) - "
                   "b*sin(t)\n"
                   "claim \"false 3\": equilibrium\n",
                   NULL);
}

/* ---- The limits of stability ----------------------------------------------------------------- */

/* W² = g/r exactly: λ² = 0. Numbers cannot tell; with W a little greater it is λ² > 0. */
TEST(stability_at_its_limit)
{
    static const char hoop[] =
        "parameter R = 1, g = 9, W = 3\ncoordinate q\n"
        "kinetic R^2*(q'^2 + W^2*sin(q)^2)/2\npotential -g*R*cos(q)\n"
        "claim \"proved 1\": stable at q = 0\n"
        "claim \"false 2\": unstable at q = 0\n"
        "claim \"unknown 3\": attracting at q = 0\n"
        "claim \"false 4: not on top\": stable at q' = 0\n"
        "claim \"proved 5\": stable at q = 0 when W < 3, W > 1\n"
        "claim \"false 6: just above\": stable at q = 0 when W > 1, W < 3.000001\n";
    check_verdicts(hoop, NULL);
}

/* Growth at 5e-13 is growth, a force of 1e-9 a force. */
TEST(little_is_not_nothing)
{
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "potential x^2/2 + y^2/2 + 1e-9*x\nforce y = 1e-12*y'\n"
                   "claim \"false 1\": equilibrium x = 0, y = 0\n"
                   "claim \"proved 2\": equilibrium x = -1e-9, y = 0\n"
                   "claim \"false 3\": stable at x = -1e-9, y = 0\n"
                   "claim \"proved 4\": unstable at x = -1e-9, y = 0\n"
                   "claim \"false 5\": attracting at x = -1e-9, y = 0\n",
                   NULL);
}

/* y'' = −y − (x'² − 10⁴) y': attracting for |x'| > 100 alone, which no random state reaches. */
TEST(claims_of_families_are_about_all_of_them)
{
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential y^2/2\n"
                   "force y = -(x'^2 - 10000)*y'\n"
                   "claim \"false 1\": unstable at y = 0, y' = 0\n"
                   "claim \"false 2\": attracting at y = 0, y' = 0\n"
                   "claim \"proved 3\": stable at y = 0, y' = 0, x' = 100\n"
                   "claim \"false 4\": attracting at y = 0, y' = 0, x' = 100\n"
                   "claim \"proved 5\": attracting at y = 0, y' = 0 when x' > 100\n"
                   "claim \"proved 6\": unstable at y = 0, y' = 0 when x' < 100, x' > -100\n"
                   "claim \"false 7\": attracting at y = 0, y' = 0 when x' > 99.999\n",
                   NULL);
    check_verdicts("parameter m = 2, I = 0.3, a = 0.4\nassume m > 0, I > 0, a > 0\n"
                   "coordinate x, y, th\n"
                   "body K mass m inertia (I, I, I) at (x + a*cos(th), y + a*sin(th)) turn z th\n"
                   "constraint edge: y'*cos(th) - x'*sin(th) = 0\n"
                   "velocity v, w: x' = v*cos(th), y' = v*sin(th), th' = w\n"
                   "claim \"false 1\": attracting at w = 0\n"
                   "claim \"false 2\": stable at w = 0 when v > -1/1000\n"
                   "claim \"proved 3\": stable at v = 0, w = 0\n"
                   "claim \"false 4\": unstable at v = 0, w = 0\n",
                   NULL);
}

/* At a pole of the angles nothing is known of the motion. */
TEST(poles_decide_nothing)
{
    check_verdicts("parameter l = 0.8, g = 9.81\nassume l > 0, g > 0\ncoordinate th, ph\n"
                   "kinetic l^2*(th'^2 + sin(th)^2*ph'^2)/2\npotential -g*l*cos(th)\n"
                   "claim \"unknown 1\": stable at th = 0\n"
                   "claim \"unknown 2\": unstable at th = pi\n"
                   "claim \"unknown 3\": equilibrium th = 0\n"
                   "claim \"unknown 4\": steady th = 0\n"
                   "claim \"unknown 5\": equilibrium th = pi\n"
                   "claim \"unknown 6\": steady th = -3*pi, th' = 0\n",
                   NULL);
}
