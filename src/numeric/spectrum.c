/* numeric/spectrum.c - see spectrum.h. */
#include "spectrum.h"

#include "linear.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* D⁻¹BD with powers of two so that rows and columns are of like size: units drop out. */
static void balance(double *B, double *E, uint32_t n)
{
    for (int sweep = 0; sweep < 20; sweep++)
        for (uint32_t i = 0; i < n; i++) {
            double row = 0, col = 0;
            for (uint32_t j = 0; j < n; j++) {
                if (j == i) continue;
                row += fabs(B[(size_t) i * n + j]);
                col += fabs(B[(size_t) j * n + i]);
            }
            if (!(row > 0) || !(col > 0)) continue;
            const double f = exp2(round(log2(row / col) / 2));
            for (uint32_t j = 0; j < n; j++) {
                B[(size_t) i * n + j] /= f;
                B[(size_t) j * n + i] *= f;
                E[(size_t) i * n + j] /= f;
                E[(size_t) j * n + i] *= f;
            }
        }
}

/* Replaces B by UᵀBU, U the first `rank` left singular vectors. */
static void restrict_to(arena *a, uint32_t n, uint32_t rank, const double *U, double *B)
{
    double *BU = NEW_ARRAY(a, double, (size_t) n *rank + 1);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < rank; j++)
            for (uint32_t k = 0; k < n; k++)
                BU[(size_t) i * rank + j] += B[(size_t) i * n + k] * U[(size_t) k * n + j];
    for (uint32_t i = 0; i < rank; i++)
        for (uint32_t j = 0; j < rank; j++) {
            double sum = 0;
            for (uint32_t k = 0; k < n; k++)
                sum += U[(size_t) k * n + i] * BU[(size_t) k * rank + j];
            B[(size_t) i * rank + j] = sum;
        }
}

/* Takes the zeros out of B; the size of what is left. */
static uint32_t deflate(arena *a, arena *scratch, uint32_t n, double *B, double *E,
                        const spectrum *like, spectrum *out)
{
    uint32_t *kernel = NEW_ARRAY(a, uint32_t, n + 1), left = n;
    double *sigma = NEW_ARRAY(scratch, double, n + 1), scale = 0;
    double *U = NEW_ARRAY(scratch, double, (size_t) n *n + 1);
    out->kernel = kernel;
    while (left > 0 && out->steps < n) {
        if (!linear_singular(scratch, left, left, B, sigma, U, NULL)) break;
        if (scale == 0) scale = sigma[0];
        uint32_t rank = left;
        if (like)
            rank -= out->steps < like->steps ? like->kernel[out->steps] : 0;
        else
            while (rank > 0 && !(sigma[rank - 1] > fmax(SPECTRUM_ZERO * scale, SPECTRUM_NOTHING)))
                rank--;
        if (rank == left) break;
        kernel[out->steps++] = left - rank;
        restrict_to(scratch, left, rank, U, B);
        for (size_t i = 0; i < (size_t) left * left; i++) U[i] = fabs(U[i]);
        restrict_to(scratch, left, rank, U, E);
        left = rank;
    }
    return left;
}

typedef struct pair {
    double re, im, doubt;
} pair;

static int by_real_part(const void *x, const void *y)
{
    const pair *a = x, *b = y;
    const double scale = hypot(a->re, a->im) + hypot(b->re, b->im);
    if (fabs(a->re - b->re) > 1e-12 * scale) return a->re > b->re ? -1 : 1;
    if (fabs(fabs(a->im) - fabs(b->im)) > 1e-12 * scale) return fabs(a->im) > fabs(b->im) ? -1 : 1;
    return a->im > b->im ? -1 : a->im < b->im;
}

static double largest(const spectrum *s)
{
    double size = 0;
    for (uint32_t i = 0; i < s->n - s->zeros; i++) size = fmax(size, hypot(s->re[i], s->im[i]));
    return size;
}

static bool is_symmetric(const spectrum *s)
{
    const uint32_t n = s->n - s->zeros;
    const double size = largest(s);
    for (uint32_t i = 0; i < n; i++) {
        double nearest = INFINITY;
        for (uint32_t j = 0; j < n; j++)
            nearest = fmin(nearest, hypot(s->re[i] + s->re[j], s->im[i] - s->im[j]));
        if (!(nearest <= 1e-8 * size)) return false;
    }
    return n > 0;
}

bool spectrum_of(arena *a, arena *scratch, uint32_t n, const double *B, const double *E,
                 const spectrum *like, spectrum *out)
{
    *out = (spectrum){.n = n};
    out->re = NEW_ARRAY(a, double, n + 1);
    out->im = NEW_ARRAY(a, double, n + 1);
    out->doubt = NEW_ARRAY(a, double, n + 1);
    const arena_mark mark = arena_get_mark(scratch);
    double *C = NEW_ARRAY(scratch, double, (size_t) n *n + 1), norm = 0;
    double *D = NEW_ARRAY(scratch, double, (size_t) n *n + 1);
    double *wrong = NEW_ARRAY(scratch, double, n + 1);
    if (n) memcpy(C, B, (size_t) n * n * sizeof *C);
    for (size_t i = 0; i < (size_t) n * n; i++) norm = hypot(norm, B[i]);
    for (size_t i = 0; i < (size_t) n * n; i++) D[i] = SPECTRUM_KNOWN * norm + (E ? E[i] : 0);
    balance(C, D, n);
    const uint32_t left = deflate(a, scratch, n, C, D, like, out);
    out->zeros = n - left;
    const bool good = linear_eigenvalues(scratch, left, C, D, out->re, out->im, wrong);
    pair *p = NEW_ARRAY(scratch, pair, n + 1);
    for (uint32_t i = 0; i < left; i++) p[i] = (pair){out->re[i], out->im[i], wrong[i]};
    qsort(p, left, sizeof *p, by_real_part);
    for (uint32_t i = 0; i < n; i++) {
        out->re[i] = p[i].re;
        out->im[i] = p[i].im;
        out->doubt[i] = p[i].doubt;
    }
    const double size = largest(out);
    for (uint32_t i = 0; i < left && !like; i++)
        if (fabs(out->re[i]) < SPECTRUM_DUST * size) out->re[i] = 0;
    for (uint32_t i = 0; i < left; i++) {
        if (!(out->re[i] > SPECTRUM_REAL * size)) continue;
        out->unstable++;
        if (out->re[i] > out->doubt[i]) out->surely++;
    }
    out->symmetric = is_symmetric(out);
    arena_release(scratch, mark);
    return good;
}

/* Of λ and −λ the one that stands for both. */
static bool represents(double complex x)
{
    return fabs(creal(x)) > 1e-8 ? creal(x) > 0 : cimag(x) > 0;
}

double spectrum_measure(const spectrum *s, spectrum_test test)
{
    const uint32_t n = s->n - s->zeros;
    const double size = largest(s);
    double complex product = 1;
    for (uint32_t i = 0; i < n; i++) {
        const double complex x = (s->re[i] + I * s->im[i]) / size;
        if (test == SPECTRUM_ZERO_CROSSING) product *= x;
        for (uint32_t j = i + 1; test != SPECTRUM_ZERO_CROSSING && j < n; j++) {
            const double complex y = (s->re[j] + I * s->im[j]) / size, d = x * x - y * y;
            if (test == SPECTRUM_PAIR) product *= x + y;
            if (test == SPECTRUM_MEETING && represents(x) && represents(y)) product *= d * d;
        }
    }
    return creal(product);
}
