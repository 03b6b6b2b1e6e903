/* bench/hand_reference.c - the ends of the motions of bench_hand.c: bench/hand_reference.txt.
 *
 *     cc -O2 bench/hand_reference.c -lquadmath -lm -o reference && ./reference > bench/hand_reference.txt
 *
 * In quadruple precision, by Gragg's method with Bulirsch and Stoer's extrapolation to order 24 [HNW, II.9]. The two
 * tolerances agree on the digits that are printed. */
#include <quadmath.h>
#include <stdio.h>
#include <string.h>

typedef __float128 real;
#define REAL(f) f##q
#include "hand_systems.h"

#include "hand_others.h"

enum { COLUMNS = 12, MOST = 64 };

typedef struct problem {
    const char *name;
    hand_start *start;
    hand_rhs *rhs;
    int n, q;
    double span;
} problem;

/* Gragg's smoothed midpoint rule with `count` substeps: an even expansion in H/count. */
static void midpoint(const problem *p, real t, const real *y, real H, int count, real *out)
{
    const real h = H / count;
    real old[MOST], now[MOST], next[MOST], f[MOST];
    memcpy(old, y, sizeof old);
    p->rhs(t, old, f);
    for (int i = 0; i < p->n; i++) now[i] = old[i] + h * f[i];
    for (int k = 1; k <= count; k++) {
        p->rhs(t + k * h, now, f);
        for (int i = 0; i < p->n; i++) next[i] = old[i] + 2 * h * f[i];
        if (k == count)
            for (int i = 0; i < p->n; i++) out[i] = (old[i] + 2 * now[i] + next[i]) / 4;
        memcpy(old, now, sizeof old);
        memcpy(now, next, sizeof now);
    }
}

/* One step; returns how much the last column changed it. */
static real step(const problem *p, real t, const real *y, real H, real *out)
{
    real T[COLUMNS][MOST], change = 0;
    for (int j = 0; j < COLUMNS; j++) {
        real before[MOST];
        memcpy(before, T[0], sizeof before);
        midpoint(p, t, y, H, 2 * (j + 1), T[j]);
        for (int k = j - 1; k >= 0; k--) { /* Aitken and Neville, towards h = 0 */
            const real ratio = (real) (j + 1) / (k + 1), factor = ratio * ratio - 1;
            for (int i = 0; i < p->n; i++) T[k][i] = T[k + 1][i] + (T[k + 1][i] - T[k][i]) / factor;
        }
        change = 0;
        for (int i = 0; j && i < p->n; i++) change = fmaxq(change, fabsq(T[0][i] - before[i]));
    }
    memcpy(out, T[0], sizeof T[0]);
    return change;
}

/* Steps are halved until the last column changes nothing that matters. */
static void advance(const problem *p, real t, real *y, real H, real tolerance, int depth)
{
    real next[MOST];
    if (step(p, t, y, H, next) > tolerance && depth < 20) {
        advance(p, t, y, H / 2, tolerance, depth + 1);
        advance(p, t + H / 2, y, H / 2, tolerance, depth + 1);
    } else {
        memcpy(y, next, sizeof next);
    }
}

static void integrate(const problem *p, real tolerance, real *y)
{
    const int pieces = (int) (p->span * 20 + 0.5);
    p->start(y);
    for (int i = 0; i < pieces; i++)
        advance(p, i * (real) p->span / pieces, y, (real) p->span / pieces, tolerance, 0);
}

static void print(const problem *p)
{
    real y[MOST] = {0}, finer[MOST] = {0}, worst = 0;
    char digits[60];
    integrate(p, 1e-20Q, y);
    integrate(p, 1e-23Q, finer);
    printf("%s %g", p->name, p->span);
    for (int i = 0; i < p->q; i++) {
        worst = fmaxq(worst, fabsq(y[i] - finer[i]));
        quadmath_snprintf(digits, sizeof digits, "%.20Qg", finer[i]);
        printf(" %s", digits);
    }
    puts("");
    fflush(stdout);
    fprintf(stderr, "%s: the two tolerances differ by %.1e\n", p->name, (double) worst);
}

int main(int argc, char **argv)
{
    const problem all[] = {
#define X(name, NAME)                                                                              \
    {#name,    name##_start, name##_rhs,                                                           \
     NAME##_N, NAME##_Q,     NAME##_N == TRAILERS_N ? 5 : NAME##_N == RATTLEBACK_N ? 10 : 100},
        HAND_SYSTEMS HAND_OTHERS
#undef X
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (argc < 2 || !strcmp(argv[1], all[i].name)) print(&all[i]);
    return 0;
}
