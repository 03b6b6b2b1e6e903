/* bench/written_systems.h - the double pendulum and the tire as a user writes them; yardstick.h has them by hand. */
#ifndef BENCH_WRITTEN_SYSTEMS_H
#define BENCH_WRITTEN_SYSTEMS_H

/* k: the stiffness, as text. */
#define PENDULUM_TEXT(k)                                                                           \
    "parameter m1 = 1, m2 = 2, g = 9.81, k = " k "\n"                                              \
    "coordinate x1, y1, x2, y2\n"                                                                  \
    "point P1 mass m1 at (x1, y1)\n"                                                               \
    "point P2 mass m2 at (x2, y2)\n"                                                               \
    "gravity (g, 0)\n"                                                                             \
    "potential k/2*(x1^2 + y1^2 + x2^2 + y2^2)\n"                                                  \
    "constraint pivot: x1*x1'*y2' - x2*x2'*y1' + (y1 - y2)*y1'*y2' = 0\n"                          \
    "start x1 = 1, y1 = 0.2, x2 = 1.5, y2 = -0.4, x1' = -0.08, y1' = 0.8, x2' = -0.25, y2' = "     \
    "-0.75\n"

#define TIRE_TEXT                                                                                  \
    "parameter m = 1.5, r = 0.5, A = 0.2, C = 0.35, g = 9.81\n"                                    \
    "coordinate x, y, theta, psi, phi\n"                                                           \
    "body W mass m inertia (A, C, A) at (x - r*sin(psi)*sin(theta), y + r*sin(psi)*cos(theta), "   \
    "r*cos(psi)) turn z theta, x -psi, y phi\n"                                                    \
    "gravity (0, 0, -g)\n"                                                                         \
    "constraint across: -x'*sin(theta) + y'*cos(theta) = 0\n"                                      \
    "constraint rolling: r*phi' - x'*cos(theta) - y'*sin(theta) = 0\n"                             \
    "quasivelocity w1 = -x'*sin(theta) + y'*cos(theta), w2 = r*phi' - x'*cos(theta) - "            \
    "y'*sin(theta), w3 = theta', w4 = psi', w5 = x'*cos(theta) + y'*sin(theta)\n"                  \
    "start x = 0, y = 0, theta = 0, psi = 0.1, phi = 0, theta' = 0.2, psi' = 0, x' = 2, y' = 0, "  \
    "phi' = 4\n"

#endif
