/* bench/reference.c - the ends of the motions of bench_motion.c to 25 digits: bench/reference.txt.
 *
 *     cc -O2 bench/reference.c -lquadmath -lm -o reference && ./reference > bench/reference.txt
 *
 * In quadruple precision, by Gragg's method with Bulirsch and Stoer's extrapolation to order 24
 * [HNW, II.9]: nothing is shared with the integrators that are measured. Two tolerances
 * agree on the digits. */
#include <quadmath.h>
#include <stdio.h>
#include <string.h>

typedef __float128 real;
enum { N = 8, COLUMNS = 12 };
typedef void right_hand_side(const real *y, real *f);

/* Double pendulum with central springs: m1 = 1, m2 = 2, g = 9.81, k = 1. */
static void pendulum(const real *y, real *f)
{
    const real g = 981 / (real) 100, w1 = 1, w2 = (real) 1 / 2;
    const real x1 = y[0], y1 = y[1], x2 = y[2], y2 = y[3], a = y[4], b = y[5], c = y[6], d = y[7];
    const real J[] = {x1 * d, (y1 - y2) * d - x2 * c, -x2 * b, x1 * a + (y1 - y2) * b};
    const real gamma = a * a * d - c * c * b + (b - d) * b * d, w[] = {w1, w1, w2, w2};
    const real force[] = {g - w1 * x1, -w1 * y1, g - w2 * x2, -w2 * y2};
    real G = 0, slip = gamma;
    for (int i = 0; i < 4; i++) G += J[i] * J[i] * w[i], slip += J[i] * force[i];
    for (int i = 0; i < 4; i++) f[i] = y[4 + i], f[4 + i] = force[i] - J[i] * w[i] * slip / G;
}

/* Rolling tire: m = 1.5, r = 0.5, A = 0.2, C = 0.35, g = 9.81; x y theta psi phi theta' psi' v. */
static void tire(const real *y, real *f)
{
    const real m = (real) 3 / 2, r = (real) 1 / 2, A = (real) 1 / 5, C = (real) 7 / 20;
    const real g = 981 / (real) 100, D = m * r + C / r, E = m + C / (r * r), F = m * r * r + C;
    const real s = sinq(y[3]), c = cosq(y[3]), w3 = y[5], w4 = y[6], w5 = y[7];
    const real B = F * s * s + A * c * c, P = m * r * c * w4, turn = D * c * w4;
    const real right3 = (turn - P) * w5 - 2 * (F - A) * s * c * w4 * w3, right5 = (P + turn) * w3;
    const real det = B * E - D * s * D * s;
    f[0] = w5 * cosq(y[2]), f[1] = w5 * sinq(y[2]), f[2] = w3, f[3] = w4, f[4] = w5 / r;
    f[5] = (E * right3 + D * s * right5) / det;
    f[6] = (m * g * r * s - D * c * w3 * w5 + (F - A) * s * c * w3 * w3) / (m * r * r + A);
    f[7] = (D * s * right3 + B * right5) / det;
}

/* Gragg's smoothed midpoint rule with n substeps: an even expansion in H/n. */
static void midpoint(right_hand_side *rhs, const real *y, real H, int n, real *out)
{
    const real h = H / n;
    real old[N], now[N], next[N], f[N];
    memcpy(old, y, sizeof old);
    rhs(old, f);
    for (int i = 0; i < N; i++) now[i] = old[i] + h * f[i];
    for (int k = 1; k <= n; k++) {
        rhs(now, f);
        for (int i = 0; i < N; i++) next[i] = old[i] + 2 * h * f[i];
        if (k == n)
            for (int i = 0; i < N; i++) out[i] = (old[i] + 2 * now[i] + next[i]) / 4;
        memcpy(old, now, sizeof old);
        memcpy(now, next, sizeof now);
    }
}

/* One step; returns how much the last column changed it. */
static real step(right_hand_side *rhs, const real *y, real H, real *out)
{
    real T[COLUMNS][N], change = 0;
    for (int j = 0; j < COLUMNS; j++) {
        real before[N];
        memcpy(before, T[0], sizeof before);
        midpoint(rhs, y, H, 2 * (j + 1), T[j]);
        for (int k = j - 1; k >= 0; k--) { /* Aitken and Neville, towards h = 0 */
            const real ratio = (real) (j + 1) / (k + 1), factor = ratio * ratio - 1;
            for (int i = 0; i < N; i++) T[k][i] = T[k + 1][i] + (T[k + 1][i] - T[k][i]) / factor;
        }
        change = 0;
        for (int i = 0; j && i < N; i++) change = fmaxq(change, fabsq(T[0][i] - before[i]));
    }
    memcpy(out, T[0], N * sizeof *y);
    return change;
}

/* Steps are halved until the last column changes nothing that matters. */
static void advance(right_hand_side *rhs, real *y, real H, real tolerance, int depth)
{
    real next[N];
    if (step(rhs, y, H, next) > tolerance && depth < 20) {
        advance(rhs, y, H / 2, tolerance, depth + 1);
        advance(rhs, y, H / 2, tolerance, depth + 1);
    } else {
        memcpy(y, next, sizeof next);
    }
}

static void integrate(right_hand_side *rhs, const real *start, real tolerance, real *y)
{
    memcpy(y, start, N * sizeof *y);
    for (int i = 0; i < 1000; i++) advance(rhs, y, (real) 1 / 10, tolerance, 0);
}

static void print(const char *name, right_hand_side *rhs, const real *start)
{
    real y[N], finer[N], worst = 0;
    char digits[60];
    integrate(rhs, start, 1e-24Q, y);
    integrate(rhs, start, 1e-28Q, finer);
    printf("%s", name);
    for (int i = 0; i < N; i++) {
        worst = fmaxq(worst, fabsq(y[i] - finer[i]));
        quadmath_snprintf(digits, sizeof digits, "%.25Qg", finer[i]);
        printf(" %s", digits);
    }
    puts("");
    fprintf(stderr, "%s: the two tolerances differ by %.1e\n", name, (double) worst);
}

int main(void)
{
    const real p[N] = {1,
                       (real) 1 / 5,
                       (real) 3 / 2,
                       (real) -2 / 5,
                       (real) -2 / 25,
                       (real) 4 / 5,
                       (real) -1 / 4,
                       (real) -3 / 4};
    const real t[N] = {0, 0, 0, (real) 1 / 10, 0, (real) 1 / 5, 0, 2};
    print("pendulum", pendulum, p);
    print("tire", tire, t);
    return 0;
}
