/* bench/hand_others.h - more right-hand sides by hand, in the manner of hand_systems.h: chosen when nothing was tuned for them. */
#ifndef BENCH_HAND_OTHERS_H
#define BENCH_HAND_OTHERS_H

/* ---- Double pendulum by angles: m1 = 1, m2 = 2, l1 = 1, l2 = 0.7 ------------------------------ */

enum { ANGLES_N = 4, ANGLES_Q = 2 };

static void angles_start(real *y)
{
    y[0] = 8 / (real) 10, y[1] = -4 / (real) 10, y[2] = 0, y[3] = 1;
}

/* With l2 taken out of the second equation: l1² (m1 + m2) a'' + m2 l1 l2 (c b'' + s b'²) + …, l2 b'' + l1 (c a'' − s a'²) + … */
HAND void angles_rhs(real t, const real *y, real *f)
{
    const real s1 = REAL(sin)(y[0]), c1 = REAL(cos)(y[0]), s2 = REAL(sin)(y[1]),
               c2 = REAL(cos)(y[1]);
    const real s = s1 * c2 - c1 * s2, c = c1 * c2 + s1 * s2, l = 7 / (real) 10;
    const real b1 = -2 * l * s * y[3] * y[3] - 3 * G_EARTH * s1;
    const real b2 = s * y[2] * y[2] - G_EARTH * s2;
    const real a = (b1 - 2 * c * b2) / (3 - 2 * c * c);
    (void) t;
    f[0] = y[2], f[1] = y[3], f[2] = a, f[3] = (b2 - c * a) * (10 / (real) 7);
}

/* ---- Hénon and Heiles' potential -------------------------------------------------------------- */

enum { HEILES_N = 4, HEILES_Q = 2 };

static void heiles_start(real *y)
{
    y[0] = 0, y[1] = 1 / (real) 10, y[2] = 4 / (real) 10, y[3] = 0;
}

HAND void heiles_rhs(real t, const real *y, real *f)
{
    (void) t;
    f[0] = y[2], f[1] = y[3];
    f[2] = -y[0] - 2 * y[0] * y[1], f[3] = y[1] * y[1] - y[0] * y[0] - y[1];
}

/* ---- Pendulum on a cart that a spring holds: M = 2, m = 1, l = 0.8, k = 5 --------------------- */

enum { CART_N = 4, CART_Q = 2 };

static void cart_start(real *y)
{
    y[0] = 3 / (real) 10, y[1] = 1, y[2] = 0, y[3] = 0;
}

HAND void cart_rhs(real t, const real *y, real *f)
{
    const real s = REAL(sin)(y[1]), c = REAL(cos)(y[1]), l = 8 / (real) 10;
    const real a = (s * (l * y[3] * y[3] + G_EARTH * c) - 5 * y[0]) / (2 + s * s);
    (void) t;
    f[0] = y[2], f[1] = y[3], f[2] = a, f[3] = -(c * a + G_EARTH * s) * (10 / (real) 8);
}

/* ---- Three bodies in a plane, m = 1, on the figure of eight, a little beside it ---------------- */

enum { THREE_N = 12, THREE_Q = 6 };

static void three_start(real *y)
{
    const real x = 97 / (real) 100, h = -243 / (real) 1000, a = 466 / (real) 1000,
               b = 432 / (real) 1000;
    const real start[] = {x, h, -x, -h, 0, 0, a, b, a, b, -2 * a, -2 * b};
    for (int i = 0; i < THREE_N; i++) y[i] = start[i];
}

HAND void three_rhs(real t, const real *y, real *f)
{
    (void) t;
    for (int i = 0; i < 6; i++) f[i] = y[6 + i];
    const real ax = y[2] - y[0], ay = y[3] - y[1], bx = y[4] - y[0], by = y[5] - y[1],
               cx = y[4] - y[2], cy = y[5] - y[3];
    const real a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    const real a = 1 / (a2 * REAL(sqrt)(a2)), b = 1 / (b2 * REAL(sqrt)(b2)),
               c = 1 / (c2 * REAL(sqrt)(c2));
    f[6] = ax * a + bx * b, f[7] = ay * a + by * b;
    f[8] = cx * c - ax * a, f[9] = cy * c - ay * a;
    f[10] = -bx * b - cx * c, f[11] = -by * b - cy * c;
}

/* ---- A mass on a spring that swings in space: m = 1, k = 40, length 1 ------------------------- */

enum { SWING_N = 6, SWING_Q = 3 };

static void swing_start(real *y)
{
    const real start[] = {6 / (real) 10, 0, -1, 0, 5 / (real) 10, 0};
    for (int i = 0; i < SWING_N; i++) y[i] = start[i];
}

HAND void swing_rhs(real t, const real *y, real *f)
{
    const real pull = 40 / REAL(sqrt)(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) - 40;
    (void) t;
    f[0] = y[3], f[1] = y[4], f[2] = y[5];
    f[3] = pull * y[0], f[4] = pull * y[1], f[5] = pull * y[2] - G_EARTH;
}

/* ---- Heavy top by Euler's parameters: A = 2, B = 3, C = 4.5, m g l = 3.924 -------------------- */

enum { GYRO_N = 7, GYRO_Q = 4 };

static void gyro_start(real *y)
{
    const real a = 15 / (real) 100, b = 1 / (real) 4;
    const real start[] = {REAL(cos)(a) * REAL(cos)(b),
                          REAL(cos)(a) * REAL(sin)(b),
                          REAL(sin)(a) * REAL(sin)(b),
                          REAL(sin)(a) * REAL(cos)(b),
                          4 / (real) 10,
                          2 / (real) 10,
                          6};
    for (int i = 0; i < GYRO_N; i++) y[i] = start[i];
}

/* The weight's torque is l e_z × (0, 0, −m g) in the body: the third row of the rotation. */
HAND void gyro_rhs(real t, const real *y, real *f)
{
    const real e0 = y[0] / 2, e1 = y[1] / 2, e2 = y[2] / 2, e3 = y[3] / 2, p = y[4], q = y[5],
               r = y[6];
    const real fall = 4 * G_EARTH / 10 * 8;
    (void) t;
    f[0] = -(p * e1 + q * e2 + r * e3);
    f[1] = p * e0 + r * e2 - q * e3;
    f[2] = q * e0 + p * e3 - r * e1;
    f[3] = r * e0 + q * e1 - p * e2;
    f[4] = fall / 2 * (e2 * e3 + e0 * e1) - (3 / (real) 4) * (q * r);
    f[5] = (5 / (real) 6) * (r * p) - fall / 3 * (e1 * e3 - e0 * e2);
    f[6] = -(2 / (real) 9) * (p * q);
}

/* ---- A point on a surface that moves: z = (x² + 2 y²)/4 + x cos(3 t)/10 ------------------------ */

enum { WAVE_N = 4, WAVE_Q = 2 };

static void wave_start(real *y)
{
    y[0] = 8 / (real) 10, y[1] = 3 / (real) 10, y[2] = 1 / (real) 10, y[3] = 7 / (real) 10;
}

/* x'' = −z_x λ, y'' = −z_y λ with λ = g + z''. */
HAND void wave_rhs(real t, const real *y, real *f)
{
    const real c = REAL(cos)(3 * t) / 10, s = REAL(sin)(3 * t) / 10;
    const real zx = y[0] / 2 + c, zy = y[1];
    const real rest = y[2] * y[2] / 2 + y[3] * y[3] - 6 * s * y[2] - 9 * c * y[0];
    const real lambda = (G_EARTH + rest) / (1 + zx * zx + zy * zy);
    f[0] = y[2], f[1] = y[3];
    f[2] = -zx * lambda, f[3] = -zy * lambda;
}

/* ---- A car whose steering swings: m = 1.5, I = 0.8, J = 0.5, k = 2, length 1.1 ------------------ */

enum { CAR_N = 6, CAR_Q = 4 };

static void car_start(real *y)
{
    const real start[] = {0, 0, 2 / (real) 10, 3 / (real) 10, 12 / (real) 10, 1 / (real) 2};
    for (int i = 0; i < CAR_N; i++) y[i] = start[i];
}

/* x, y, heading, steering, speed of the rear axle, rate of steering: (m + I tan²φ/l²) v² is constant. */
HAND void car_rhs(real t, const real *y, real *f)
{
    const real inertia = 8 / (real) 10 / (121 / (real) 100), bend = REAL(tan)(y[3]),
               square = bend * bend;
    (void) t;
    f[0] = y[4] * REAL(cos)(y[2]), f[1] = y[4] * REAL(sin)(y[2]);
    f[2] = y[4] * bend * (10 / (real) 11), f[3] = y[5];
    f[4] = -inertia * bend * (1 + square) * y[5] * y[4] / (3 / (real) 2 + inertia * square);
    f[5] = -4 * y[3];
}

#define HAND_OTHERS                                                                                \
    X(angles, ANGLES)                                                                              \
    X(heiles, HEILES)                                                                              \
    X(cart, CART) X(three, THREE) X(swing, SWING) X(gyro, GYRO) X(wave, WAVE) X(car, CAR)

#endif
