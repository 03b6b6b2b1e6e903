/* movers.h - three models that move, for the tests of several programs: quasi-velocities, velocity parameters, a
 * multiplier. */
#ifndef MOVERS_H
#define MOVERS_H

static const char tire[] =
    "parameter m = 1.5, r = 0.5, A = 0.2, C = 0.35, g = 9.81\n"
    "coordinate x, y, theta, psi, phi\n"
    "body W mass m inertia (A, C, A) at (x - r*sin(psi)*sin(theta), y + r*sin(psi)*cos(theta), "
    "r*cos(psi)) turn z theta, x -psi, y phi\n"
    "gravity (0, 0, -g)\n"
    "constraint across: -x'*sin(theta) + y'*cos(theta) = 0\n"
    "constraint rolling: r*phi' - x'*cos(theta) - y'*sin(theta) = 0\n"
    "quasivelocity w1 = -x'*sin(theta) + y'*cos(theta), "
    "w2 = r*phi' - x'*cos(theta) - y'*sin(theta), "
    "w3 = theta', w4 = psi', w5 = x'*cos(theta) + y'*sin(theta)\n"
    "start x = 0, y = 0, theta = 0, psi = 0.1, phi = 0, theta' = 0.2, psi' = 0, x' = 2, y' = 0, "
    "phi' = 4\n"
    "simulate t = 0 .. 10\n";

static const char blade[] =
    "parameter m = 1.5, I = 0.7, g = 0.9\n"
    "coordinate x, y, theta\n"
    "kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2\n"
    "potential m*g*x\n"
    "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
    "start x = 0, y = 0, theta = 0.3, theta' = 1.1, x' = cos(0.3), y' = sin(0.3)\n";

static const char pendulum[] = "parameter m1 = 1, m2 = 2, g = 9.81, k = 1\n"
                               "coordinate x1, y1, x2, y2\n"
                               "point P1 mass m1 at (x1, y1)\n"
                               "point P2 mass m2 at (x2, y2)\n"
                               "gravity (g, 0)\n"
                               "potential k/2*(x1^2 + y1^2 + x2^2 + y2^2)\n"
                               "constraint pivot: x1*x1'*y2' - x2*x2'*y1' + (y1 - y2)*y1'*y2' = 0\n"
                               "start x1 = 1, y1 = 0.2, x2 = 1.5, y2 = -0.4, "
                               "x1' = -0.08, y1' = 0.8, x2' = -0.25, y2' = -0.75\n";

#endif
