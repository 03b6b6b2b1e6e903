/* bench/hand_bicycle.h - the Whipple bicycle by hand: x y z psi phi theta delta thR thF, then the rate b1 of the rear frame about
 * the direction across the steer axis, the rate of steering and the rear wheel's about its axle, both in all.
 *
 * Two bodies: the frame with the rear wheel's mass, and the fork with the front wheel's; of the wheels only the spins are left. In
 * axes S = (s1, e2, s3), the steer axis s3, and G = (g1, h2, s3), turned from them by delta. The rear wheel rolls by its velocity
 * v = r (b·a1 e2 − W a1) with a1 straight ahead; the front one gives two rows for b2, b3 and its own spin N. Kane's equations. */
#ifndef BENCH_HAND_BICYCLE_H
#define BENCH_HAND_BICYCLE_H

enum { BICYCLE_N = 12, BICYCLE_Q = 9 };

/* In axes turned by the steer axis' tilt; inertias are symmetric in the plane of the frame. */
typedef struct hand_half {
    real mass, m1, m3;       /* first moments */
    real I11, I22, I33, I13; /* about R, and Q */
} hand_half;

HAND void bicycle_tilted(real x, real z, real *one, real *three)
{
    const real lam = REAL(acos)(-1) / 10, C = REAL(cos)(lam), S = REAL(sin)(lam);
    *one = x * C - z * S, *three = x * S + z * C;
}

/* A mass at (x, 0, z) with its inertia. */
HAND void bicycle_add(hand_half *h, real mass, real x, real z, real xx, real yy, real zz, real xz)
{
    const real lam = REAL(acos)(-1) / 10, C = REAL(cos)(lam), S = REAL(sin)(lam);
    real a, b;
    bicycle_tilted(x, z, &a, &b);
    h->mass += mass, h->m1 += mass * a, h->m3 += mass * b;
    h->I11 += xx * C * C - 2 * xz * S * C + zz * S * S + mass * b * b;
    h->I33 += xx * S * S + 2 * xz * S * C + zz * C * C + mass * a * a;
    h->I13 += (xx - zz) * S * C + xz * (C * C - S * S) - mass * a * b;
    h->I22 += yy + mass * (a * a + b * b);
}

#define BICYCLE_DECIMAL(n, d) ((n) / (real) (d))
#define BICYCLE_r             BICYCLE_DECIMAL(3, 10)
#define BICYCLE_rF            BICYCLE_DECIMAL(35, 100)

HAND hand_half bicycle_rear(void)
{
    hand_half h = {0};
    const real wheel = BICYCLE_DECIMAL(603, 10000);
    bicycle_add(&h, 2, 0, 0, wheel, 0, wheel, 0);
    bicycle_add(&h, 85, BICYCLE_DECIMAL(3, 10), BICYCLE_DECIMAL(-6, 10), BICYCLE_DECIMAL(92, 10),
                11, BICYCLE_DECIMAL(28, 10), BICYCLE_DECIMAL(24, 10));
    return h;
}

HAND hand_half bicycle_front(void)
{
    hand_half h = {0};
    const real wheel = BICYCLE_DECIMAL(1405, 10000);
    bicycle_add(&h, 3, BICYCLE_DECIMAL(-8, 100), -BICYCLE_rF, wheel, 0, wheel, 0);
    bicycle_add(&h, 4, BICYCLE_DECIMAL(-2, 10), BICYCLE_DECIMAL(-7, 10),
                BICYCLE_DECIMAL(5892, 100000), BICYCLE_DECIMAL(6, 100),
                BICYCLE_DECIMAL(708, 100000), BICYCLE_DECIMAL(-756, 100000));
    return h;
}

/* What the front wheel's contact makes of b1, d, W: b2 and b3, and the spin N; the two rows as they were solved. */
typedef struct bicycle_rows {
    real A, B, c, s, k[3], g[3], q,
        per_q; /* a1 in S, of delta, the vertical in S and in G; |g across h2| */
    real e, E1, E3, a[2][2], det;
    real n1, n2, n3, nW, b2[3], b3[3], N[3];
} bicycle_rows;

HAND void bicycle_turned(const real *y, bicycle_rows *z, real rho1, real rho3, real phi1, real phi3)
{
    const real r = BICYCLE_r, rF = BICYCLE_rF, tau = y[5] + REAL(acos)(-1) / 10;
    const real sp = REAL(sin)(y[4]), cp = REAL(cos)(y[4]);
    const real A = REAL(cos)(tau), B = REAL(sin)(tau), s = REAL(sin)(y[6]), c = REAL(cos)(y[6]);
    const real k1 = -cp * B, k3 = cp * A, g1 = k1 * c + sp * s, g2 = sp * c - k1 * s;
    const real square = g1 * g1 + k3 * k3, q = REAL(sqrt)(square), per_q = 1 / q;
    const real e = g1 * phi3 - k3 * phi1, E1 = q * phi1 + rF * g1, E3 = q * phi3 + rF * k3;
    const real rA = r * A - rho3, rB = r * B + rho1;
    const real one1 = s * (g1 * rA - e), one2 = c * (g1 * rho3 + e) - k3 * rho1, one3 = g1 * s * rB;
    const real oneW = -r * (g1 * c * A + k3 * B);
    const real two1 = c * (q * rA - E3), two2 = -s * (q * rho3 + E3), two3 = q * c * rB + E1;
    const real twoW = q * s * r * A, det = 1 / (one2 * two3 - one3 * two2);
    const real across = -per_q / rF, u = k3 * phi3 + g1 * phi1;
    z->A = A, z->B = B, z->c = c, z->s = s, z->q = q, z->per_q = per_q;
    z->k[0] = k1, z->k[1] = sp, z->k[2] = k3, z->g[0] = g1, z->g[1] = g2, z->g[2] = k3;
    z->e = e, z->E1 = E1, z->E3 = E3, z->det = det;
    z->a[0][0] = one2, z->a[0][1] = one3, z->a[1][0] = two2, z->a[1][1] = two3;
    z->b2[0] = (one3 * two1 - one1 * two3) * det, z->b3[0] = (one1 * two2 - one2 * two1) * det;
    z->b2[1] = one3 * E1 * det, z->b3[1] = -one2 * E1 * det;
    z->b2[2] = (one3 * twoW - oneW * two3) * det, z->b3[2] = (oneW * two2 - one2 * twoW) * det;
    z->n1 = across * s * (k3 * rA - u), z->n2 = across * (c * (k3 * rho3 + u) + g1 * rho1);
    z->n3 = across * k3 * s * rB, z->nW = across * r * (g1 * B - k3 * c * A);
    z->N[0] = z->n1 + z->n2 * z->b2[0] + z->n3 * z->b3[0];
    z->N[1] = z->n2 * z->b2[1] + z->n3 * z->b3[1];
    z->N[2] = z->nW + z->n2 * z->b2[2] + z->n3 * z->b3[2];
}

static void bicycle_start(real *y)
{
    real rho1, rho3, phi1, phi3;
    bicycle_rows z;
    bicycle_tilted(BICYCLE_DECIMAL(11, 10), BICYCLE_r, &rho1, &rho3);
    bicycle_tilted(BICYCLE_DECIMAL(-8, 100), -BICYCLE_rF, &phi1, &phi3);
    for (int i = 0; i < BICYCLE_N; i++) y[i] = 0;
    y[2] = -BICYCLE_r;
    bicycle_turned(y, &z, rho1, rho3, phi1, phi3);
    y[11] = BICYCLE_DECIMAL(-43, 10) / BICYCLE_r; /* phi' = b·a1 */
    y[9] = (BICYCLE_DECIMAL(2, 10) - z.B * z.b3[2] * y[11]) / (z.A + z.B * z.b3[0]);
}

HAND void bicycle_rhs(real t, const real *y, real *f)
{
    const hand_half R = bicycle_rear(), F = bicycle_front();
    const real r = BICYCLE_r, rF = BICYCLE_rF, spinR = BICYCLE_DECIMAL(12, 100),
               spinF = BICYCLE_DECIMAL(28, 100);
    real rho1, rho3, phi1, phi3;
    bicycle_rows z;
    (void) t;
    bicycle_tilted(BICYCLE_DECIMAL(11, 10), BICYCLE_r, &rho1, &rho3);
    bicycle_tilted(BICYCLE_DECIMAL(-8, 100), -BICYCLE_rF, &phi1, &phi3);
    bicycle_turned(y, &z, rho1, rho3, phi1, phi3);
    const real A = z.A, B = z.B, c = z.c, s = z.s, *g = z.g;

    /* Velocities. */
    const real d = y[10], W = y[11];
    const real b[] = {y[9], z.b2[0] * y[9] + z.b2[1] * d + z.b2[2] * W,
                      z.b3[0] * y[9] + z.b3[1] * d + z.b3[2] * W};
    const real N = z.N[0] * y[9] + z.N[1] * d + z.N[2] * W;
    const real cp = REAL(cos)(y[4]), sp = z.k[1], roll = A * b[0] + B * b[2],
               turn = A * b[2] - B * b[0], yaw = turn / cp, pitch = b[1] - yaw * sp;
    const real p[] = {c * b[0] + s * b[1], c * b[1] - s * b[0], b[2] + d};
    const real v[] = {-r * W * A, r * roll, -r * W * B};
    const real Q1 = v[0] + b[1] * rho3, Q2 = v[1] + b[2] * rho1 - b[0] * rho3;
    const real Q1G = c * Q1 + s * Q2, Q2G = c * Q2 - s * Q1;
    const real F1 = Q1G + p[1] * phi3, F2 = Q2G + p[2] * phi1 - p[0] * phi3;
    const real F3 = v[2] - b[1] * rho1 - p[1] * phi1;

    /* Rates of b2, b3, N while b1, d, W stay. */
    const real dv1 = r * W * B * pitch, dv2 = r * turn * pitch, dv3 = -r * W * A * pitch;
    const real dF1 = c * dv1 + s * dv2 + d * (Q2G - p[0] * phi3);
    const real dF2 = c * dv2 - s * dv1 - d * (Q1G + p[1] * phi3), dF3 = dv3 + d * p[0] * phi1;
    const real dg[] = CROSS(g, p);
    const real dq = (g[0] * dg[0] + g[2] * dg[2]) * z.per_q;
    const real one = dF1 * g[0] + dF3 * g[2] + F1 * dg[0] + F3 * dg[2];
    const real two = dq * F2 + z.q * dF2 + rF * (p[2] * dg[0] - d * p[1] * g[2] - p[0] * dg[2]);
    const real b2 = (z.a[0][1] * two - z.a[1][1] * one) * z.det;
    const real b3 = (z.a[1][0] * one - z.a[0][0] * two) * z.det;
    const real dN = ((dF3 * g[0] + F3 * dg[0] - dF1 * g[2] - F1 * dg[2]) / rF - N * dq) * z.per_q +
                    z.n2 * b2 + z.n3 * b3;

    /* Forces of inertia and weight: of the frame … */
    const real bv[] = CROSS(b, v);
    const real a[] = {dv1 + bv[0] - G_EARTH * z.k[0], dv2 + r * B * b3 + bv[1] - G_EARTH * z.k[1],
                      dv3 + bv[2] - G_EARTH * z.k[2]};
    const real bm = b[0] * R.m1 + b[2] * R.m3, bb = DOT(b, b);
    const real force1 = R.mass * a[0] + b2 * R.m3 + b[0] * bm - bb * R.m1;
    const real force2 = R.mass * a[1] + b3 * R.m1 + b[1] * bm;
    const real force3 = R.mass * a[2] - b2 * R.m1 + b[2] * bm - bb * R.m3;
    const real L[] = {R.I11 * b[0] + R.I13 * b[2], R.I22 * b[1] + spinR * W,
                      R.I13 * b[0] + R.I33 * b[2]};
    const real bL[] = {b[1] * L[2] - b[2] * L[1], b[2] * L[0] - b[0] * L[2],
                       b[0] * L[1] - b[1] * L[0]};
    const real torque1 = R.I13 * b3 + bL[0] - R.m3 * a[1];
    const real torque2 = R.I22 * b2 + bL[1] + R.m3 * a[0] - R.m1 * a[2];
    const real torque3 = R.I33 * b3 + bL[2] + R.m1 * a[1];
    /* … and of the fork, about Q in G. */
    const real brho = b[0] * rho1 + b[2] * rho3;
    const real aQ1 = a[0] + b2 * rho3 + b[0] * brho - bb * rho1,
               aQ2 = a[1] + b3 * rho1 + b[1] * brho;
    const real aG[] = {c * aQ1 + s * aQ2, c * aQ2 - s * aQ1,
                       a[2] - b2 * rho1 + b[2] * brho - bb * rho3};
    const real dp1 = s * b2 + d * p[1], dp2 = c * b2 - d * p[0];
    const real pm = p[0] * F.m1 + p[2] * F.m3, pp = DOT(p, p);
    const real fork1 = F.mass * aG[0] + dp2 * F.m3 + p[0] * pm - pp * F.m1;
    const real fork2 = F.mass * aG[1] + b3 * F.m1 - dp1 * F.m3 + p[1] * pm;
    const real fork3 = F.mass * aG[2] - dp2 * F.m1 + p[2] * pm - pp * F.m3;
    const real K[] = {F.I11 * p[0] + F.I13 * p[2], F.I22 * p[1] + spinF * N,
                      F.I13 * p[0] + F.I33 * p[2]};
    const real pK[] = CROSS(p, K);
    const real steer1 = F.I11 * dp1 + F.I13 * b3 + pK[0] - F.m3 * aG[1];
    const real steer2 = F.I22 * dp2 + pK[1] + F.m3 * aG[0] - F.m1 * aG[2];
    const real steer3 = F.I13 * dp1 + F.I33 * b3 + pK[2] + F.m1 * aG[1];
    const real fS1 = c * fork1 - s * fork2, fS2 = s * fork1 + c * fork2;
    const real all1 = force1 + fS1, all2 = force2 + fS2, all3 = force3 + fork3;
    const real on1 = torque1 + c * steer1 - s * steer2 - rho3 * fS2 + r * all2 * A;
    const real on2 = torque2 + s * steer1 + c * steer2 + rho3 * fS1 - rho1 * fork3;
    const real on3 = torque3 + steer3 + rho1 * fS2 + r * all2 * B;
    const real onW = -r * (A * all1 + B * all3), onN = spinF * dN;

    /* Inertia of b1, b2, b3, d, W, about the rear wheel's centre. */
    const real mass = R.mass + F.mass, m1 = F.m1 * c, m2 = F.m1 * s;
    const real C1 = R.m1 + F.mass * rho1 + m1, C3 = R.m3 + F.mass * rho3 + F.m3;
    const real J13 = F.I13 * c, J23 = F.I13 * s, cc = c * c, ss = s * s, Mr = mass * r;
    const real M11 = R.I11 + F.mass * rho3 * rho3 + 2 * rho3 * F.m3 + F.I11 * cc + F.I22 * ss +
                     r * A * (Mr * A - 2 * C3);
    const real M12 = (F.I11 - F.I22) * s * c - rho1 * m2;
    const real M13 = R.I13 - F.mass * rho1 * rho3 - rho1 * F.m3 + J13 - rho3 * m1 +
                     r * (A * C1 - B * C3 + Mr * A * B);
    const real M22 = R.I22 + F.mass * (rho1 * rho1 + rho3 * rho3) + 2 * rho3 * F.m3 +
                     2 * rho1 * m1 + F.I11 * ss + F.I22 * cc;
    const real M23 = J23 - rho3 * m2;
    const real M33 =
        R.I33 + F.I33 + F.mass * rho1 * rho1 + 2 * rho1 * m1 + r * B * (Mr * B + 2 * C1);
    const real d1 = J13 + m1 * (r * A - rho3), d2 = J23 - m2 * rho3;
    const real d3 = F.I33 + m1 * (r * B + rho1), dW = r * A * m2;
    const real W1 = -r * B * m2, W2 = r * (B * C1 - A * C3), W3 = r * A * m2;
    const real x1 = M12 + M22 * z.b2[0] + M23 * z.b3[0], x2 = d2 + M22 * z.b2[1] + M23 * z.b3[1],
               x3 = W2 + M22 * z.b2[2] + M23 * z.b3[2];
    const real y1 = M13 + M23 * z.b2[0] + M33 * z.b3[0], y2 = d3 + M23 * z.b2[1] + M33 * z.b3[1],
               y3 = W3 + M23 * z.b2[2] + M33 * z.b3[2];
    const real n1 = spinF * z.N[0], n2 = spinF * z.N[1], n3 = spinF * z.N[2];
    const real K00 =
        M11 + M12 * z.b2[0] + M13 * z.b3[0] + z.b2[0] * x1 + z.b3[0] * y1 + n1 * z.N[0];
    const real K01 = d1 + M12 * z.b2[1] + M13 * z.b3[1] + z.b2[0] * x2 + z.b3[0] * y2 + n1 * z.N[1];
    const real K02 = W1 + M12 * z.b2[2] + M13 * z.b3[2] + z.b2[0] * x3 + z.b3[0] * y3 + n1 * z.N[2];
    const real K11 =
        F.I33 + d2 * z.b2[1] + d3 * z.b3[1] + z.b2[1] * x2 + z.b3[1] * y2 + n2 * z.N[1];
    const real K12 = dW + d2 * z.b2[2] + d3 * z.b3[2] + z.b2[1] * x3 + z.b3[1] * y3 + n2 * z.N[2];
    const real K22 =
        Mr * r + spinR + W2 * z.b2[2] + W3 * z.b3[2] + z.b2[2] * x3 + z.b3[2] * y3 + n3 * z.N[2];
    const real h0 = -(on1 + z.b2[0] * on2 + z.b3[0] * on3 + z.N[0] * onN);
    const real h1 = -(steer3 + z.b2[1] * on2 + z.b3[1] * on3 + z.N[1] * onN);
    const real h2 = -(onW + z.b2[2] * on2 + z.b3[2] * on3 + z.N[2] * onN);
    const real c00 = K11 * K22 - K12 * K12, c01 = K02 * K12 - K01 * K22,
               c02 = K01 * K12 - K02 * K11;
    const real c11 = K00 * K22 - K02 * K02, c12 = K01 * K02 - K00 * K12,
               c22 = K00 * K11 - K01 * K01;
    const real det = 1 / (K00 * c00 + K01 * c01 + K02 * c02);

    const real cy = REAL(cos)(y[3]), sy = REAL(sin)(y[3]), left = v[1] * cp;
    f[0] = -r * W * cy - left * sy, f[1] = left * cy - r * W * sy, f[2] = v[1] * sp;
    f[3] = yaw, f[4] = roll, f[5] = pitch, f[6] = d, f[7] = W - yaw * sp, f[8] = N - p[1];
    f[9] = (c00 * h0 + c01 * h1 + c02 * h2) * det;
    f[10] = (c01 * h0 + c11 * h1 + c12 * h2) * det;
    f[11] = (c02 * h0 + c12 * h1 + c22 * h2) * det;
}

#endif
