/* bench/yardstick.h - hand-written C to be measured against: right-hand sides as one would write
 * them for one system, and DOP853 with the right-hand side inlined and the dimension a constant.
 *
 * What depends on parameters alone is worked out beforehand, as in the programs. */
#ifndef BENCH_YARDSTICK_H
#define BENCH_YARDSTICK_H
#include "../src/integrate/dop853_table.h"

#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* ---- Double pendulum, (x1 y1 x2 y2, velocities), one multiplier [B11, eq. 3.27] -------------- */

typedef struct pendulum {
    double w1, w2, g, k1, k2; /* 1/m; k/m: springs between the points and the origin */
} pendulum;

INLINE void pendulum_rhs(const pendulum *p, const double *y, double *f)
{
    const double x1 = y[0], y1 = y[1], x2 = y[2], y2 = y[3], a = y[4], b = y[5], c = y[6], d = y[7];
    const double J1 = x1 * d, J2 = (y1 - y2) * d - x2 * c, J3 = -x2 * b,
                 J4 = x1 * a + (y1 - y2) * b;
    const double gamma = a * a * d - c * c * b + (b - d) * b * d;
    const double f1 = p->g - p->k1 * x1, f2 = -p->k1 * y1, f3 = p->g - p->k2 * x2, f4 = -p->k2 * y2;
    const double G = (J1 * J1 + J2 * J2) * p->w1 + (J3 * J3 + J4 * J4) * p->w2;
    const double lambda = -(J1 * f1 + J2 * f2 + J3 * f3 + J4 * f4 + gamma) / G;
    const double l1 = lambda * p->w1, l2 = lambda * p->w2;
    f[0] = a, f[1] = b, f[2] = c, f[3] = d;
    f[4] = f1 + J1 * l1, f[5] = f2 + J2 * l1, f[6] = f3 + J3 * l2, f[7] = f4 + J4 * l2;
}

/* ---- Rolling tire, (x y theta psi phi, theta' psi' and the speed of rolling) [H, 243] -------- */

typedef struct tire {
    double A, D, E, F;               /* D = m r + C/r, E = m + C/r^2, F = m r^2 + C */
    double mr, F_A, per_r, fall, w4; /* m r, F - A, 1/r, m g r, 1/(m r^2 + A) */
} tire;

static inline tire tire_of(double m, double r, double A, double C, double g)
{
    const double F = m * r * r + C;
    return (tire){.A = A,
                  .D = m * r + C / r,
                  .E = m + C / (r * r),
                  .F = F,
                  .mr = m * r,
                  .F_A = F - A,
                  .per_r = 1 / r,
                  .fall = m * g * r,
                  .w4 = 1 / (m * r * r + A)};
}

INLINE void tire_rhs(const tire *p, const double *y, double *f)
{
    const double w3 = y[5], w4 = y[6], w5 = y[7];
    const double s = sin(y[3]), c = cos(y[3]), sc = p->F_A * s * c, Dc = p->D * c;
    const double B = p->F * s * s + p->A * c * c, P1 = p->mr * c * w4, turn = Dc * w4;
    const double right3 = (turn - P1) * w5 - 2 * sc * w4 * w3, right5 = (P1 + turn) * w3;
    const double off = p->D * s, det = 1 / (B * p->E - off * off);
    f[0] = w5 * cos(y[2]), f[1] = w5 * sin(y[2]), f[2] = w3, f[3] = w4, f[4] = w5 * p->per_r;
    f[5] = (p->E * right3 + off * right5) * det;
    f[6] = (p->fall * s - Dc * w3 * w5 + sc * w3 * w3) * p->w4;
    f[7] = (off * right3 + B * right5) * det;
}

/* ---- DOP853, eight equations ----------------------------------------------------------------- */

enum { N = 8 };

typedef struct yardstick_result {
    long steps, evaluations;
} yardstick_result;

/* One name a right-hand side, so that each is inlined. */
#define YARDSTICK(name, parameters, rhs)                                                           \
    INLINE void name##_stage(const parameters *p, int stage, double h, const double *y,            \
                             double k[][N])                                                        \
    {                                                                                              \
        double x[N];                                                                               \
        for (int i = 0; i < N; i++) {                                                              \
            double sum = 0;                                                                        \
            _Pragma("GCC unroll 16") for (int j = 0; j < stage; j++) if (dop_a[stage][j] != 0)     \
                sum += dop_a[stage][j] * k[j][i];                                                  \
            x[i] = y[i] + h * sum;                                                                 \
        }                                                                                          \
        rhs(p, x, k[stage]);                                                                       \
    }                                                                                              \
    static yardstick_result name(const parameters *p, double span, double rtol, double atol,       \
                                 double *y)                                                        \
    {                                                                                              \
        yardstick_result result = {0, 2};                                                          \
        double k[DOP_STAGES + 1][N], next[N], carry[N] = {0}, lost[N], t = 0;                      \
        rhs(p, y, k[0]);                                                                           \
        double h = yardstick_first(y, k[0], rtol, atol);                                           \
        bool rejected = false;                                                                     \
        while (t < span) {                                                                         \
            const bool last = h >= span - t;                                                       \
            if (last) h = span - t;                                                                \
            _Pragma("GCC unroll 16") for (int s = 1; s < DOP_STAGES; s++)                          \
                name##_stage(p, s, h, y, k);                                                       \
            const double error = yardstick_finish(h, y, k, carry, next, lost, rtol, atol);         \
            result.evaluations += DOP_STAGES - 1;                                                  \
            double factor = error > 0 ? 0.9 * pow(error, -1.0 / 8) : 6;                            \
            factor = fmin(6, fmax(0.333, factor));                                                 \
            if (error > 1) {                                                                       \
                h *= factor;                                                                       \
                rejected = true;                                                                   \
                continue;                                                                          \
            }                                                                                      \
            t = last ? span : t + h;                                                               \
            memcpy(y, next, sizeof next);                                                          \
            memcpy(carry, lost, sizeof lost);                                                      \
            rhs(p, y, k[0]);                                                                       \
            result.evaluations++;                                                                  \
            result.steps++;                                                                        \
            h *= rejected ? fmin(1, factor) : factor;                                              \
            rejected = false;                                                                      \
        }                                                                                          \
        return result;                                                                             \
    }

/* The new state with what rounding lost of it, and the error relative to the tolerance. */
INLINE double yardstick_finish(double h, const double *y, double k[][N], const double *carry,
                               double *next, double *lost, double rtol, double atol)
{
    double e5 = 0, e3 = 0;
    for (int i = 0; i < N; i++) {
        double sum = 0, d5 = 0, d3 = 0;
        _Pragma("GCC unroll 16") for (int j = 0; j < DOP_STAGES; j++)
        {
            if (dop_b[j] == 0 && dop_e3[j] == 0) continue;
            sum += dop_b[j] * k[j][i];
            d5 += dop_e5[j] * k[j][i];
            d3 += dop_e3[j] * k[j][i];
        }
        const double change = h * sum + carry[i];
        next[i] = y[i] + change;
        lost[i] = change - (next[i] - y[i]);
        const double scale = atol + rtol * fmax(fabs(y[i]), fabs(next[i]));
        e5 += (d5 / scale) * (d5 / scale);
        e3 += (d3 / scale) * (d3 / scale);
    }
    const double mixed = e5 + 0.01 * e3;
    return mixed > 0 ? h * e5 / sqrt(mixed * N) : 0;
}

static inline double yardstick_first(const double *y, const double *f, double rtol, double atol)
{
    double d0 = 0, d1 = 0;
    for (int i = 0; i < N; i++) {
        const double scale = atol + rtol * fabs(y[i]);
        d0 += (y[i] / scale) * (y[i] / scale);
        d1 += (f[i] / scale) * (f[i] / scale);
    }
    return 0.01 * sqrt(d0 / d1);
}

#endif
