/* bench/hand_systems.h - right-hand sides as one would write them by hand for one system with its numbers: the
 * variables that suit it best, parameters as constants, what repeats once. The models are bench/models.
 *
 * In the type `real`, with REAL(f) the name of its function f: doubles for bench_hand.c, quadruple precision for
 * hand_reference.c. The first numbers of a state are the coordinates of the model, in its order. */
#ifndef BENCH_HAND_SYSTEMS_H
#define BENCH_HAND_SYSTEMS_H

#define HAND    static inline __attribute__((always_inline))
#define G_EARTH (981 / (real) 100)

typedef void hand_start(real *y);
typedef void hand_rhs(real t, const real *y, real *f);

/* ---- Double pendulum with springs: m1 = 1, m2 = 2, k = 1; one multiplier --------------------- */

enum { PENDULUM_N = 8, PENDULUM_Q = 4 };

static void pendulum_start(real *y)
{
    const real x1 = 1, y1 = 2 / (real) 10, x2 = 15 / (real) 10, y2 = -3 / (real) 10;
    const real a = 3 / (real) 10, b = 7 / (real) 10, d = 4 / (real) 10;
    const real c = (x1 * a * d + (y1 - y2) * b * d) / (x2 * b);
    const real start[] = {x1, y1, x2, y2, a, b, c, d};
    for (int i = 0; i < PENDULUM_N; i++) y[i] = start[i];
}

HAND void pendulum_rhs(real t, const real *y, real *f)
{
    const real x1 = y[0], y1 = y[1], x2 = y[2], y2 = y[3], a = y[4], b = y[5], c = y[6], d = y[7];
    const real half = 1 / (real) 2, g = G_EARTH, u = y1 - y2;
    const real J1 = x1 * d, J2 = u * d - x2 * c, J3 = -x2 * b, J4 = x1 * a + u * b;
    const real gamma = a * a * d - c * c * b + (b - d) * b * d;
    const real f1 = g - x1, f3 = g - half * x2, f4 = -half * y2;
    const real size = (J1 * J1 + J2 * J2) + (J3 * J3 + J4 * J4) * half;
    const real lambda = (J2 * y1 - J1 * f1 - J3 * f3 - J4 * f4 - gamma) / size, l2 = lambda * half;
    (void) t;
    f[0] = a, f[1] = b, f[2] = c, f[3] = d;
    f[4] = f1 + J1 * lambda, f[5] = J2 * lambda - y1, f[6] = f3 + J3 * l2, f[7] = f4 + J4 * l2;
}

/* ---- Rolling tire: m = r = 1, A = 1/4, C = 1/2; x y yaw lean spin, Kane's variables ---------- */

enum { TIRE_N = 8, TIRE_Q = 5 };

static void tire_start(real *y)
{
    const real start[] = {0, 0, 0, 3 / (real) 10, 0, 1 / (real) 10, 4, 1 / (real) 2};
    for (int i = 0; i < TIRE_N; i++) y[i] = start[i];
}

/* (A + m r²) u1' = (C + m r²) u2 u3 − A u3² tan + m g r sin,  (C + m r²) u2' = −m r² u1 u3,
 * A u3' = A u1 u3 tan − C u1 u2. */
HAND void tire_rhs(real t, const real *y, real *f)
{
    const real s = REAL(sin)(y[3]), c = REAL(cos)(y[3]), u1 = y[5], u2 = y[6], u3 = y[7];
    const real yaw = u3 / c, turn = yaw * s, spin = u2 - turn;
    (void) t;
    f[0] = spin * REAL(cos)(y[2]), f[1] = spin * REAL(sin)(y[2]);
    f[2] = yaw, f[3] = u1, f[4] = spin;
    f[5] = (6 * u2 - turn) * u3 * (1 / (real) 5) + 4 * G_EARTH / 5 * s;
    f[6] = -(2 / (real) 3) * u1 * u3;
    f[7] = u1 * (turn - 2 * u2);
}

/* ---- Heavy top: A = 2, B = 3, C = 4.5, m g l = 3.924; chi phi psi, p q r --------------------- */

enum { TOP_N = 6, TOP_Q = 3 };

static void top_start(real *y)
{
    const real chi = 1 / (real) 2, psi = 3 / (real) 10, spin = 6, turn = 1 / (real) 2;
    const real start[] = {chi,
                          0,
                          psi,
                          turn * REAL(sin)(chi) * REAL(sin)(psi),
                          turn * REAL(sin)(chi) * REAL(cos)(psi),
                          turn * REAL(cos)(chi) + spin};
    for (int i = 0; i < TOP_N; i++) y[i] = start[i];
}

HAND void top_rhs(real t, const real *y, real *f)
{
    const real s = REAL(sin)(y[0]), c = REAL(cos)(y[0]), S = REAL(sin)(y[2]), C = REAL(cos)(y[2]);
    const real p = y[3], q = y[4], r = y[5], phi = (p * S + q * C) / s;
    const real fall = 4 * G_EARTH / 10;
    (void) t;
    f[0] = p * C - q * S, f[1] = phi, f[2] = r - phi * c;
    f[3] = fall / 2 * (s * C) - (3 / (real) 4) * (q * r);
    f[4] = (5 / (real) 6) * (r * p) - fall / 3 * (s * S);
    f[5] = -(2 / (real) 9) * (p * q);
}

/* ---- Rattleback: x y z alpha beta gamma, the angular velocity in the body -------------------- */

enum { RATTLEBACK_N = 9, RATTLEBACK_Q = 6 };

/* From the mass centre to the point of contact, n the upward normal in the body. */
HAND void rattleback_contact(const real *n, real *En, real *per_sigma, real *rho)
{
    static const int axis[] = {400, 9, 4}; /* squares, in cm² */
    real square = 0;
    for (int i = 0; i < 3; i++) {
        En[i] = n[i] * (axis[i] / (real) 10000);
        square += n[i] * En[i];
    }
    *per_sigma = 1 / REAL(sqrt)(square);
    for (int i = 0; i < 3; i++) rho[i] = -En[i] * *per_sigma;
    rho[2] += 1 / (real) 100;
}

static void rattleback_start(real *y)
{
    const real half = REAL(acos)(-1) / 360, s = REAL(sin)(half), c = REAL(cos)(half), turn = -5;
    const real n[] = {-s, c * s, c * c};
    real En[3], per_sigma, rho[3];
    rattleback_contact(n, En, &per_sigma, rho);
    const real z = -(n[0] * rho[0] + n[1] * rho[1] + n[2] * rho[2]);
    const real start[] = {0, 0, z, 0, half, half, -turn * s, turn * c * s, turn * c * c};
    for (int i = 0; i < RATTLEBACK_N; i++) y[i] = start[i];
}

#define CROSS(a, b)                                                                                \
    {                                                                                              \
        a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]            \
    }
#define DOT(a, b) (a[0] * b[0] + a[1] * b[1] + a[2] * b[2])

/* v = ρ × ω;  (I + m(ρ² − ρρᵀ)) ω' = −ω × Iω + m ρ × (ρ' × ω + ω × v + g n). */
HAND void rattleback_rhs(real t, const real *y, real *f)
{
    const real A = 2 / (real) 10000, B = 16 / (real) 10000, C = 17 / (real) 10000;
    const real D = -2 / (real) 100000;
    const real sa = REAL(sin)(y[3]), ca = REAL(cos)(y[3]), sb = REAL(sin)(y[4]),
               cb = REAL(cos)(y[4]), sc = REAL(sin)(y[5]), cc = REAL(cos)(y[5]);
    const real w[] = {y[6], y[7], y[8]}, n[] = {-sb, cb * sc, cb * cc};
    real En[3], per, rho[3];
    (void) t;
    rattleback_contact(n, En, &per, rho);
    const real dn[] = CROSS(n, w);
    const real change = DOT(En, dn) * per * per;
    const real drho[] = {(En[0] * change - (400 / (real) 10000) * dn[0]) * per,
                         (En[1] * change - (9 / (real) 10000) * dn[1]) * per,
                         (En[2] * change - (4 / (real) 10000) * dn[2]) * per};
    const real v[] = CROSS(rho, w);
    const real moving[] = CROSS(drho, w);
    const real turning[] = CROSS(w, v);
    const real push[] = {moving[0] + turning[0] + G_EARTH * n[0],
                         moving[1] + turning[1] + G_EARTH * n[1],
                         moving[2] + turning[2] + G_EARTH * n[2]};
    const real lever[] = CROSS(rho, push);
    const real H[] = {A * w[0] + D * w[1], D * w[0] + B * w[1], C * w[2]};
    const real gyro[] = CROSS(w, H);
    const real b0 = lever[0] - gyro[0], b1 = lever[1] - gyro[1], b2 = lever[2] - gyro[2];
    const real x = rho[0], z = rho[2], q = rho[1];
    const real K00 = A + q * q + z * z, K11 = B + x * x + z * z, K22 = C + x * x + q * q;
    const real K01 = D - x * q, K02 = -x * z, K12 = -q * z;
    const real c00 = K11 * K22 - K12 * K12, c01 = K02 * K12 - K01 * K22,
               c02 = K01 * K12 - K02 * K11;
    const real c11 = K00 * K22 - K02 * K02, c12 = K01 * K02 - K00 * K12,
               c22 = K00 * K11 - K01 * K01;
    const real det = 1 / (K00 * c00 + K01 * c01 + K02 * c02);
    const real across = v[1] * sc + v[2] * cc, ahead = v[0] * cb + across * sb,
               left = v[1] * cc - v[2] * sc;
    const real alpha = (w[1] * sc + w[2] * cc) / cb;
    f[0] = ahead * ca - left * sa, f[1] = ahead * sa + left * ca, f[2] = across * cb - v[0] * sb;
    f[3] = alpha, f[4] = w[1] * cc - w[2] * sc, f[5] = w[0] + alpha * sb;
    f[6] = (c00 * b0 + c01 * b1 + c02 * b2) * det;
    f[7] = (c01 * b0 + c11 * b1 + c12 * b2) * det;
    f[8] = (c02 * b0 + c12 * b1 + c22 * b2) * det;
}

/* ---- Snakeboard: x y theta psi phi; u with v = l u cos phi, theta' = u sin phi; theta' + psi'; phi' */

enum { SNAKEBOARD_N = 8, SNAKEBOARD_Q = 5 };

static void snakeboard_start(real *y)
{
    for (int i = 0; i < SNAKEBOARD_N; i++) y[i] = 0;
    y[4] = 1 / (real) 2;
}

/* (m l² c² + (J + 2 Jw) s²) u' = (m l² − J − 2 Jw) u phi' s c − U s. */
HAND void snakeboard_rhs(real t, const real *y, real *f)
{
    const real s = REAL(sin)(y[4]), c = REAL(cos)(y[4]), u = y[5];
    const real ml2 = 24 / (real) 100, J = 12 / (real) 100, drive = REAL(cos)(3 * t);
    const real v = u * c * (2 / (real) 10), turn = u * s;
    f[0] = v * REAL(cos)(y[2]), f[1] = v * REAL(sin)(y[2]), f[2] = turn;
    f[3] = y[6] - turn, f[4] = y[7];
    f[5] = s * ((ml2 - J) * u * y[7] * c - (3 / (real) 10) * drive) / (J + (ml2 - J) * (c * c));
    f[6] = (30 / (real) 8) * drive;
    f[7] = drive;
}

/* ---- Ball in a cylinder: x y z, Euler's parameters, the angular velocity in space ------------ */

enum { BALL_N = 10, BALL_Q = 7 };

static void ball_start(real *y)
{
    /* turned by 0.3 about z, then by 1 about x; (0.4, 2, −30) in the ball */
    const real a = 15 / (real) 100, b = 1 / (real) 2, A = 2 * a, B = 2 * b;
    const real w1 = 4 / (real) 10, w2 = 2, w3 = -30;
    const real up2 = REAL(cos)(B) * w2 - REAL(sin)(B) * w3,
               up3 = REAL(sin)(B) * w2 + REAL(cos)(B) * w3;
    const real start[] = {9 / (real) 10,
                          0,
                          0,
                          REAL(cos)(a) * REAL(cos)(b),
                          REAL(cos)(a) * REAL(sin)(b),
                          REAL(sin)(a) * REAL(sin)(b),
                          REAL(sin)(a) * REAL(cos)(b),
                          REAL(cos)(A) * w1 - REAL(sin)(A) * up2,
                          REAL(sin)(A) * w1 + REAL(cos)(A) * up2,
                          up3};
    for (int i = 0; i < BALL_N; i++) y[i] = start[i];
}

/* v = r n × ω,  ω' = m r/(I + m r²) (r n' (n·ω) + g n × k). */
HAND void ball_rhs(real t, const real *y, real *f)
{
    const real nx = y[0] * (10 / (real) 9), ny = y[1] * (10 / (real) 9), r = 1 / (real) 10;
    const real e0 = y[3], e1 = y[4], e2 = y[5], e3 = y[6], w1 = y[7], w2 = y[8], w3 = y[9];
    const real vx = r * ny * w3, vy = -r * nx * w3, pivot = (nx * w1 + ny * w2);
    const real h1 = w1 / 2, h2 = w2 / 2, h3 = w3 / 2;
    const real turn = (5 / (real) 7) * (10 / (real) 9) * pivot, fall = (50 / (real) 7) * G_EARTH;
    (void) t;
    f[0] = vx, f[1] = vy, f[2] = r * (nx * w2 - ny * w1);
    f[3] = -(h1 * e1 + h2 * e2 + h3 * e3);
    f[4] = h1 * e0 + h2 * e3 - h3 * e2;
    f[5] = h2 * e0 + h3 * e1 - h1 * e3;
    f[6] = h3 * e0 + h1 * e2 - h2 * e1;
    f[7] = turn * vx + fall * ny;
    f[8] = turn * vy - fall * nx;
    f[9] = 0;
}

/* ---- Ten trailers: x y theta of each, velocities; elimination along the chain ---------------- */

enum { TRAILERS = 10, TRAILERS_N = 6 * TRAILERS, TRAILERS_Q = 3 * TRAILERS };

static void trailers_start(real *y)
{
    const real phi = 1 / (real) TRAILERS, R = 1 / (2 * REAL(sin)(phi / 2)), speed = 2;
    real *x = y, *h = y + TRAILERS, *theta = h + TRAILERS, *vx = theta + TRAILERS,
         *vy = vx + TRAILERS, *w = vy + TRAILERS;
    real ahead = speed; /* of the blade */
    for (int i = 0; i < TRAILERS; i++) {
        const real a = i * phi;
        x[i] = -R * REAL(sin)(a), h[i] = R * (1 - REAL(cos)(a)), theta[i] = -a, w[i] = speed / R;
        if (i) { /* the rod keeps its length */
            const real dx = x[i] - x[i - 1], dy = h[i] - h[i - 1];
            ahead *= (dx * REAL(cos)(theta[i - 1]) + dy * REAL(sin)(theta[i - 1])) /
                     (dx * REAL(cos)(theta[i]) + dy * REAL(sin)(theta[i]));
        }
        vx[i] = ahead * REAL(cos)(theta[i]), vy[i] = ahead * REAL(sin)(theta[i]);
    }
}

/* Multipliers in the order blade 1, rod 2, blade 2, rod 3, …: two diagonals on either side. The rods' rows are halved. */
HAND void trailers_rhs(real t, const real *y, real *f)
{
    enum { N = TRAILERS, ROWS = 2 * TRAILERS - 1 };
    const real w = 10 / (real) 13, I = 5, k = 4; /* 1/m, 1/I */
    const real *x = y, *h = y + N, *vx = y + 3 * N, *vy = y + 4 * N, *turn = y + 5 * N;
    real *ax = f + 3 * N, *ay = f + 4 * N, *aw = f + 5 * N;
    real s[N], c[N], dx[N], dy[N], d[ROWS], one[ROWS], two[ROWS], z[ROWS];
    (void) t;
    for (int i = 0; i < 3 * N; i++) f[i] = vx[i], f[3 * N + i] = 0;
    for (int i = 0; i < N; i++) s[i] = REAL(sin)(y[2 * N + i]), c[i] = REAL(cos)(y[2 * N + i]);
    for (int i = 1; i < N; i++) {
        dx[i] = x[i] - x[i - 1], dy[i] = h[i] - h[i - 1];
        const real u = k * (dx[i] * s[i] - dy[i] * c[i]), px = w * u * s[i], py = w * u * c[i];
        ax[i] -= px, ay[i] += py, ax[i - 1] += px, ay[i - 1] -= py;
        aw[i] = -I * u * (dx[i] * c[i] + dy[i] * s[i]);
    }
    for (int i = 0; i < N; i++) {
        const int b = 2 * i, r = b - 1;
        d[b] = w;
        z[b] = ax[i] * s[i] - ay[i] * c[i] + (vy[i] * s[i] + vx[i] * c[i]) * turn[i];
        if (i == 0) continue;
        const real ux = vx[i] - vx[i - 1], uy = vy[i] - vy[i - 1];
        d[r] = 2 * w * (dx[i] * dx[i] + dy[i] * dy[i]);
        z[r] = -dx[i] * (ax[i] - ax[i - 1]) - dy[i] * (ay[i] - ay[i - 1]) - ux * ux - uy * uy;
        one[b] = w * (c[i] * dy[i] - s[i] * dx[i]);
        one[r] = w * (s[i - 1] * dx[i] - c[i - 1] * dy[i]);
        two[r] = i > 1 ? -w * (dx[i] * dx[i - 1] + dy[i] * dy[i - 1]) : 0;
        two[b] = 0;
    }
    real per[ROWS];
    per[0] = 1 / d[0];
    for (int i = 1; i < ROWS; i++) {
        if (i > 1 && i % 2) { /* rod and rod */
            const real below = two[i] * per[i - 2];
            one[i] -= below * one[i - 1] * d[i - 2];
            d[i] -= below * two[i];
            z[i] -= below * z[i - 2];
            two[i] = below;
        }
        const real below = one[i] * per[i - 1];
        d[i] -= below * one[i];
        z[i] -= below * z[i - 1];
        one[i] = below;
        per[i] = 1 / d[i];
    }
    for (int i = ROWS - 1; i >= 0; i--) {
        z[i] *= per[i];
        if (i + 1 < ROWS) z[i] -= one[i + 1] * z[i + 1];
        if (i + 2 < ROWS && i % 2) z[i] -= two[i + 2] * z[i + 2];
    }
    for (int i = 0; i < N; i++) {
        const real blade = w * z[2 * i];
        ax[i] -= blade * s[i], ay[i] += blade * c[i];
        if (i == 0) continue;
        const real rod = w * z[2 * i - 1], px = rod * dx[i], py = rod * dy[i];
        ax[i] += px, ay[i] += py, ax[i - 1] -= px, ay[i - 1] -= py;
    }
}

/* ---- Kepler's problem: x y, eccentricity 0.44 ------------------------------------------------- */

enum { KEPLER_N = 4, KEPLER_Q = 2 };

static void kepler_start(real *y)
{
    y[0] = 1, y[1] = 0, y[2] = 0, y[3] = 12 / (real) 10;
}

HAND void kepler_rhs(real t, const real *y, real *f)
{
    const real square = y[0] * y[0] + y[1] * y[1], per = 1 / (square * REAL(sqrt)(square));
    (void) t;
    f[0] = y[2], f[1] = y[3], f[2] = -y[0] * per, f[3] = -y[1] * per;
}

/* ---- Spherical pendulum by angles: l = 1; theta from below, phi ------------------------------ */

enum { SPHERICAL_N = 4, SPHERICAL_Q = 2 };

static void spherical_start(real *y)
{
    y[0] = 1, y[1] = 0, y[2] = 2 / (real) 10, y[3] = 2;
}

HAND void spherical_rhs(real t, const real *y, real *f)
{
    const real s = REAL(sin)(y[0]), c = REAL(cos)(y[0]);
    (void) t;
    f[0] = y[2], f[1] = y[3];
    f[2] = s * (c * y[3] * y[3] - G_EARTH), f[3] = -2 * y[2] * y[3] * c / s;
}

/* ---- The same motion in x y z, one multiplier ------------------------------------------------ */

enum { BOB_N = 6, BOB_Q = 3 };

static void bob_start(real *y)
{
    const real s = REAL(sin)((real) 1), c = REAL(cos)((real) 1), down = 2 / (real) 10, turn = 2;
    y[0] = s, y[1] = 0, y[2] = -c, y[3] = c * down, y[4] = s * turn, y[5] = s * down;
}

HAND void bob_rhs(real t, const real *y, real *f)
{
    const real square = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    const real lambda = (G_EARTH * y[2] - (y[3] * y[3] + y[4] * y[4] + y[5] * y[5])) / square;
    (void) t;
    f[0] = y[3], f[1] = y[4], f[2] = y[5];
    f[3] = lambda * y[0], f[4] = lambda * y[1], f[5] = lambda * y[2] - G_EARTH;
}

/* ---- Three links: m = l = 1, angles from below ----------------------------------------------- */

enum { LINKS_N = 6, LINKS_Q = 3 };

static void links_start(real *y)
{
    const real start[] = {1 / (real) 2, 3 / (real) 10, -2 / (real) 10, 0, 0, 0};
    for (int i = 0; i < LINKS_N; i++) y[i] = start[i];
}

/* Σ_j c_ij cos(a_i − a_j) a_j'' = −Σ_j c_ij sin(a_i − a_j) a_j'² − c_ii g sin a_i,  c_ij = 4 − max(i, j). */
HAND void links_rhs(real t, const real *y, real *f)
{
    const real s1 = REAL(sin)(y[0]), c1 = REAL(cos)(y[0]), s2 = REAL(sin)(y[1]),
               c2 = REAL(cos)(y[1]), s3 = REAL(sin)(y[2]), c3 = REAL(cos)(y[2]), w1 = y[3] * y[3],
               w2 = y[4] * y[4], w3 = y[5] * y[5];
    const real S12 = 2 * (s1 * c2 - c1 * s2), C12 = 2 * (c1 * c2 + s1 * s2);
    const real S13 = s1 * c3 - c1 * s3, C13 = c1 * c3 + s1 * s3;
    const real S23 = s2 * c3 - c2 * s3, C23 = c2 * c3 + s2 * s3;
    const real b1 = -(S12 * w2 + S13 * w3) - 3 * G_EARTH * s1,
               b2 = S12 * w1 - S23 * w3 - 2 * G_EARTH * s2, b3 = S13 * w1 + S23 * w2 - G_EARTH * s3;
    /* from below: the last row has the pivot 1 */
    const real m11 = 3 - C13 * C13, m12 = C12 - C13 * C23, m22 = 2 - C23 * C23;
    const real d1 = b1 - C13 * b3, d2 = b2 - C23 * b3, per = 1 / (m11 * m22 - m12 * m12);
    const real a1 = (m22 * d1 - m12 * d2) * per, a2 = (m11 * d2 - m12 * d1) * per;
    (void) t;
    f[0] = y[3], f[1] = y[4], f[2] = y[5];
    f[3] = a1, f[4] = a2, f[5] = b3 - C13 * a1 - C23 * a2;
}

/* ---- Chaplygin's sphere: x y z psi theta phi; momentum about the point of contact, in the body */

enum { SPHERE_N = 9, SPHERE_Q = 6 };
#define SPHERE_A  (52 / (real) 1000) /* with m r² = 0.04 */
#define SPHERE_B  (60 / (real) 1000)
#define SPHERE_C  (66 / (real) 1000)
#define SPHERE_MR (4 / (real) 100)

static void sphere_start(real *y)
{
    const real s = REAL(sin)((real) 1), c = REAL(cos)((real) 1);
    const real w[] = {1, 3 * s, 3 * c - 5}, n[] = {0, s, c};
    const real along = SPHERE_MR * (n[1] * w[1] + n[2] * w[2]);
    const real start[] = {0,
                          0,
                          2 / (real) 10,
                          0,
                          1,
                          0,
                          SPHERE_A * w[0],
                          SPHERE_B * w[1] - along * n[1],
                          SPHERE_C * w[2] - along * n[2]};
    for (int i = 0; i < SPHERE_N; i++) y[i] = start[i];
}

/* K = J ω − m r² (ω·n) n, J with m r²: ω from K, K' = K × ω. */
HAND void sphere_rhs(real t, const real *y, real *f)
{
    const real sp = REAL(sin)(y[3]), cp = REAL(cos)(y[3]), s = REAL(sin)(y[4]), c = REAL(cos)(y[4]),
               S = REAL(sin)(y[5]), C = REAL(cos)(y[5]);
    const real n1 = s * S, n2 = s * C, K1 = y[6], K2 = y[7], K3 = y[8], r = 2 / (real) 10;
    const real a1 = n1 / SPHERE_A, a2 = n2 / SPHERE_B, a3 = c / SPHERE_C;
    const real along =
        SPHERE_MR * (K1 * a1 + K2 * a2 + K3 * a3) / (1 - SPHERE_MR * (n1 * a1 + n2 * a2 + c * a3));
    const real w1 = K1 / SPHERE_A + along * a1, w2 = K2 / SPHERE_B + along * a2,
               w3 = K3 / SPHERE_C + along * a3;
    const real psi = (w1 * S + w2 * C) / s, theta = w1 * C - w2 * S, phi = w3 - psi * c;
    (void) t;
    f[0] = r * (theta * sp - phi * s * cp), f[1] = -r * (theta * cp + phi * s * sp), f[2] = 0;
    f[3] = psi, f[4] = theta, f[5] = phi;
    f[6] = K2 * w3 - K3 * w2, f[7] = K3 * w1 - K1 * w3, f[8] = K1 * w2 - K2 * w1;
}

/* ---- Free body by Euler's parameters: A = 2, B = 3, C = 4.5, the angular velocity in the body - */

enum { BODY_N = 7, BODY_Q = 4 };

static void body_start(real *y)
{
    const real a = 15 / (real) 100, b = 1 / (real) 2;
    const real start[] = {REAL(cos)(a) * REAL(cos)(b),
                          REAL(cos)(a) * REAL(sin)(b),
                          REAL(sin)(a) * REAL(sin)(b),
                          REAL(sin)(a) * REAL(cos)(b),
                          4 / (real) 10,
                          2,
                          3 / (real) 10};
    for (int i = 0; i < BODY_N; i++) y[i] = start[i];
}

HAND void body_rhs(real t, const real *y, real *f)
{
    const real e0 = y[0] / 2, e1 = y[1] / 2, e2 = y[2] / 2, e3 = y[3] / 2, p = y[4], q = y[5],
               r = y[6];
    (void) t;
    f[0] = -(p * e1 + q * e2 + r * e3);
    f[1] = p * e0 + r * e2 - q * e3;
    f[2] = q * e0 + p * e3 - r * e1;
    f[3] = r * e0 + q * e1 - p * e2;
    f[4] = -(3 / (real) 4) * (q * r), f[5] = (5 / (real) 6) * (r * p),
    f[6] = -(2 / (real) 9) * (p * q);
}

/* ---- Sleigh with a driven rotor: x y theta of the blade, its speed and the angular velocity -- */

enum { SLEIGH_N = 5, SLEIGH_Q = 3 };

static void sleigh_start(real *y)
{
    for (int i = 0; i < SLEIGH_N; i++) y[i] = 0;
    y[3] = 1, y[4] = 5 / (real) 10;
}

/* m = 1, I = 0.3, the mass centre 0.4 ahead of the blade: v' = a w²,  (I + m a²) w' = −m a v w + torque. */
HAND void sleigh_rhs(real t, const real *y, real *f)
{
    const real v = y[3], w = y[4], a = 4 / (real) 10;
    f[0] = v * REAL(cos)(y[2]), f[1] = v * REAL(sin)(y[2]), f[2] = w, f[3] = a * w * w;
    f[4] = (REAL(cos)(2 * t) - a * v * w) * (100 / (real) 46);
}

#include "hand_bicycle.h"

#define HAND_SYSTEMS                                                                               \
    X(pendulum, PENDULUM)                                                                          \
    X(tire, TIRE)                                                                                  \
    X(top, TOP)                                                                                    \
    X(rattleback, RATTLEBACK)                                                                      \
    X(snakeboard, SNAKEBOARD)                                                                      \
    X(ball, BALL)                                                                                  \
    X(trailers, TRAILERS)                                                                          \
    X(kepler, KEPLER)                                                                              \
    X(spherical, SPHERICAL)                                                                        \
    X(bob, BOB)                                                                                    \
    X(links, LINKS) X(sphere, SPHERE) X(body, BODY) X(sleigh, SLEIGH) X(bicycle, BICYCLE)

#endif
