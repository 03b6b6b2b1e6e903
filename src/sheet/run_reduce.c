/* sheet/run_reduce.c - constraints that are almost parallel where a mass matrix measures them.
 *
 * 1e9 u' = 1e-9 x'/5 and 1e9 u' = 1e-9 y' say that u' is nearly nothing, and x' = 5 y': two independent rows, though in
 * the metric of T = (x'² + y'² + u'²)/2 they are parallel to eighteen digits. Their combinations are not: rows are subtracted from each
 * other until each has a column of its own, and what cancels but for rounding errors is zero. */
#include "run.h"
#include "../numeric/numeric.h"

#include <float.h>
#include <math.h>

#define REDUCE_ROUNDING (8 * DBL_EPSILON) /* of the terms of a difference: nothing is left of it */

static double largest_of(const double *row, uint32_t n)
{
    double out = 0;
    for (uint32_t j = 0; j < n; j++) out = fmax(out, fabs(row[j]));
    return out;
}

/* Rows from `first` on brought to a largest entry of 1. False: nothing is left of one. */
static bool scale(uint32_t first, uint32_t rows, uint32_t n, uint32_t width, double *A)
{
    for (uint32_t i = first; i < rows; i++) {
        double *row = A + (size_t) i * width;
        const double size = largest_of(row, n);
        if (!(size > 0) || !isfinite(size)) return false;
        for (uint32_t j = 0; j < width; j++) row[j] /= size;
    }
    return true;
}

static void exchange(double *a, double *b, uint32_t width)
{
    for (uint32_t j = 0; j < width; j++) {
        const double x = a[j];
        a[j] = b[j];
        b[j] = x;
    }
}

static void subtract(double *from, const double *row, double factor, uint32_t width)
{
    for (uint32_t j = 0; j < width; j++) {
        const double a = from[j], b = factor * row[j];
        from[j] = fabs(a - b) <= REDUCE_ROUNDING * fmax(fabs(a), fabs(b)) ? 0 : a - b;
    }
}

bool run_reduce(uint32_t rows, uint32_t n, uint32_t width, double *A)
{
    for (uint32_t k = 0; k < rows; k++) {
        if (!scale(k, rows, n, width, A)) return false;
        double *top = A + (size_t) k * width, most = 0;
        uint32_t pivot = 0, at = k;
        for (uint32_t i = k; i < rows; i++)
            for (uint32_t j = 0; j < n; j++) {
                const double x = fabs(A[(size_t) i * width + j]);
                if (x > most) most = x, pivot = j, at = i;
            }
        if (at != k) exchange(top, A + (size_t) at * width, width);
        for (uint32_t i = 0; i < rows; i++) {
            double *row = A + (size_t) i * width;
            if (i != k && row[pivot] != 0) subtract(row, top, row[pivot] / top[pivot], width);
            if (i != k) row[pivot] = 0;
        }
    }
    return scale(0, rows, n, width, A);
}

bool run_is_regular(arena *a, uint32_t n, uint32_t k, const double *M, const double *J)
{
    const uint32_t N = n + k;
    double *R = NEW_ARRAY(a, double, (size_t) k *n + 1), *A = NEW_ARRAY(a, double, (size_t) N *N);
    double *b = NEW_ARRAY(a, double, N), *y = NEW_ARRAY(a, double, N);
    for (size_t i = 0; i < (size_t) k * n; i++) R[i] = J[i];
    if (!run_reduce(k, n, n, R)) return false;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) A[(size_t) i * N + j] = M[(size_t) i * n + j];
        for (uint32_t j = 0; j < k; j++)
            A[(size_t) i * N + n + j] = A[(size_t) (n + j) * N + i] = R[(size_t) j * n + i];
    }
    return linear_is_finite((size_t) N * N, A) && linear_solve(a, N, 1, A, b, y) > 0;
}
