/* bench/hand_vectors.h - what hand-written code in four lanes needs: the type, selection, sine and cosine; and right-hand
 * sides for it, as yardstick.h has them for one state. */
#ifndef BENCH_HAND_VECTORS_H
#define BENCH_HAND_VECTORS_H

typedef double V __attribute__((vector_size(32)));
typedef long long I __attribute__((vector_size(32)));
#define HAND_INLINE static inline __attribute__((always_inline))

HAND_INLINE V hand_select(I i, V a, V b)
{
    return __builtin_ia32_blendvpd256(b, a, (V) i);
}
HAND_INLINE int hand_any(I i)
{
    return __builtin_ia32_movmskpd256((V) i);
}
HAND_INLINE V hand_sqrt(V x)
{
    return __builtin_ia32_sqrtpd256(x);
}
HAND_INLINE V hand_abs(V x)
{
    return (V) ((I) x & 0x7fffffffffffffffLL);
}
HAND_INLINE V hand_max(V a, V b)
{
    return __builtin_ia32_maxpd256(a, b);
}
HAND_INLINE V hand_min(V a, V b)
{
    return __builtin_ia32_minpd256(a, b);
}

/* For angles up to 10^6: Taylor's series about the nearest multiple of π/2, which has two pieces. */
HAND_INLINE void hand_sincos(V x, V *s, V *c)
{
    const V q = x * 0.63661977236758134308 + 0x1.8p52, n = q - 0x1.8p52;
    const V r = (x - n * 1.57079632673412561417) - n * 6.07710050650619224932e-11, z = r * r;
    const V a =
        r + r * z *
                (-1.0 / 6 +
                 z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 + z * (-1.0 / 39916800 +
                                                                              z / 6227020800.0)))));
    const V b =
        1 - z * (0.5 -
                 z * (1.0 / 24 + z * (-1.0 / 720 +
                                      z * (1.0 / 40320 + z * (-1.0 / 3628800 + z / 479001600.0)))));
    const I odd = ((I) q & 1) != 0;
    *s = (V) ((I) hand_select(odd, b, a) ^ (((I) q & 2) << 62));
    *c = (V) ((I) hand_select(odd, a, b) ^ ((((I) q + 1) & 2) << 62));
}

/* ---- Double pendulum: 1/m1, 1/m2, g, k/m1, k/m2 ---------------------------------------------- */

enum { PENDULUM_N = 8, PENDULUM_P = 5 };

HAND_INLINE void pendulum_lanes(const V *p, const V *y, V *f)
{
    const V x1 = y[0], y1 = y[1], x2 = y[2], y2 = y[3], a = y[4], b = y[5], c = y[6], d = y[7];
    const V J1 = x1 * d, J2 = (y1 - y2) * d - x2 * c, J3 = -x2 * b, J4 = x1 * a + (y1 - y2) * b;
    const V gamma = a * a * d - c * c * b + (b - d) * b * d;
    const V f1 = p[2] - p[3] * x1, f2 = -p[3] * y1, f3 = p[2] - p[4] * x2, f4 = -p[4] * y2;
    const V G = (J1 * J1 + J2 * J2) * p[0] + (J3 * J3 + J4 * J4) * p[1];
    const V lambda = -(J1 * f1 + J2 * f2 + J3 * f3 + J4 * f4 + gamma) / G;
    const V l1 = lambda * p[0], l2 = lambda * p[1];
    f[0] = a, f[1] = b, f[2] = c, f[3] = d;
    f[4] = f1 + J1 * l1, f[5] = f2 + J2 * l1, f[6] = f3 + J3 * l2, f[7] = f4 + J4 * l2;
}

/* ---- Rolling tire: the numbers of yardstick.h ------------------------------------------------ */

enum { TIRE_N = 8, TIRE_P = 9 };

HAND_INLINE void tire_lanes(const V *p, const V *y, V *f)
{
    const V A = p[0], D = p[1], E = p[2], F = p[3], mr = p[4], F_A = p[5], per_r = p[6],
            fall = p[7];
    const V w3 = y[5], w4 = y[6], w5 = y[7];
    V s, c, S, C;
    hand_sincos(y[3], &s, &c);
    hand_sincos(y[2], &S, &C);
    const V sc = F_A * s * c, Dc = D * c;
    const V B = F * s * s + A * c * c, P1 = mr * c * w4, turn = Dc * w4;
    const V right3 = (turn - P1) * w5 - 2 * sc * w4 * w3, right5 = (P1 + turn) * w3;
    const V off = D * s, det = 1 / (B * E - off * off);
    f[0] = w5 * C, f[1] = w5 * S, f[2] = w3, f[3] = w4, f[4] = w5 * per_r;
    f[5] = (E * right3 + off * right5) * det;
    f[6] = (fall * s - Dc * w3 * w5 + sc * w3 * w3) * p[8];
    f[7] = (off * right3 + B * right5) * det;
}

/* ---- Heavy top: chi phi psi, p q r; A B C, m g l --------------------------------------------- */

enum { TOP_N = 6, TOP_P = 7 };

/* (B − C)/A, (C − A)/B, (A − B)/C, m g l/A, m g l/B. */
HAND_INLINE void top_lanes(const V *P, const V *y, V *f)
{
    V s, c, S, C;
    hand_sincos(y[0], &s, &c);
    hand_sincos(y[2], &S, &C);
    const V p = y[3], q = y[4], r = y[5], phi = (p * S + q * C) / s;
    f[0] = p * C - q * S, f[1] = phi, f[2] = r - phi * c;
    f[3] = P[3] * (s * C) + P[0] * (q * r);
    f[4] = P[1] * (r * p) - P[4] * (s * S);
    f[5] = P[2] * (p * q);
}

#endif
