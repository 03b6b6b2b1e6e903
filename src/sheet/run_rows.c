/* sheet/run_rows.c - rows of J whatever factors they are written with.
 *
 * With S J for the rows, powers of two S that bring them to a length of about one, and D for accelerations measured by √M_ii
 *
 *     [D M D  −(S J D)ᵀ; S J D  0] (D⁻¹a, S⁻¹λ) = (D L, −S γ)
 *
 * has none of the factors any more. Where some rows depend on others, J = W J_s, all λ with Wᵀλ = μ drive the same motion; the least is
 * W (WᵀW)⁻¹ μ. There W = V E with columns of V whose largest entry is about one: λ = V (VᵀV)⁻¹ E⁻¹μ. */
#include "run.h"
#include "../numeric/numeric.h"

#include <math.h>

/* A power of two by which the largest of these, `stride` apart, is at least ½ and less than 1; 1 where all are zero. */
static double unit_of(const double *x, uint32_t count, uint32_t stride)
{
    double largest = 0;
    int exponent;
    for (uint32_t i = 0; i < count; i++) largest = fmax(largest, fabs(x[(size_t) i * stride]));
    if (!(largest > 0) || !isfinite(largest)) return 1;
    frexp(largest, &exponent);
    return ldexp(1, -exponent);
}

static double *balanced_rows(arena *a, uint32_t rows, uint32_t n, const double *J, double *unit)
{
    double *out = NEW_ARRAY(a, double, (size_t) rows *n + 1);
    for (uint32_t i = 0; i < rows; i++) {
        unit[i] = unit_of(J + (size_t) i * n, n, 1);
        for (uint32_t j = 0; j < n; j++) out[(size_t) i * n + j] = J[(size_t) i * n + j] * unit[i];
    }
    return out;
}

double run_balanced_kkt(arena *a, uint32_t n, uint32_t k, const run_kkt *s, const double *measure,
                        double *y)
{
    const uint32_t N = n + k;
    double *A = NEW_ARRAY(a, double, (size_t) N *N), *b = NEW_ARRAY(a, double, N);
    double *unit = NEW_ARRAY(a, double, k + 1);
    const double *J = balanced_rows(a, k, n, linear_in_units(a, k, n, s->J, measure), unit);
    for (uint32_t i = 0; i < n; i++) {
        b[i] = measure[i] * s->L[i];
        for (uint32_t j = 0; j < n; j++)
            A[(size_t) i * N + j] = measure[i] * s->M[(size_t) i * n + j] * measure[j];
        for (uint32_t j = 0; j < k; j++) {
            A[(size_t) i * N + n + j] = -J[(size_t) j * n + i];
            A[(size_t) (n + j) * N + i] = J[(size_t) j * n + i];
        }
    }
    for (uint32_t j = 0; j < k; j++) b[n + j] = -unit[j] * s->gamma[j];
    const double rcond = linear_solve(a, N, 1, A, b, y);
    for (uint32_t i = 0; i < n; i++) y[i] *= measure[i];
    for (uint32_t j = 0; j < k; j++) y[n + j] *= unit[j];
    return rcond;
}

double run_least_multipliers(arena *a, uint32_t rows, uint32_t n, const double *J, uint32_t k,
                             const double *Js, const double *mu, double *lambda)
{
    double *unit = NEW_ARRAY(a, double, k + 1), *S = NEW_ARRAY(a, double, (size_t) k *k + 1);
    double *JJ = NEW_ARRAY(a, double, (size_t) k *rows + 1), *y = NEW_ARRAY(a, double, k + 1);
    double *V = NEW_ARRAY(a, double, (size_t) k *rows + 1);
    double *VV = NEW_ARRAY(a, double, (size_t) k *k + 1), *nu = NEW_ARRAY(a, double, k + 1);
    const double *A = balanced_rows(a, k, n, Js, unit);
    for (uint32_t i = 0; i < k; i++) {
        for (uint32_t j = 0; j < k; j++)
            for (uint32_t l = 0; l < n; l++)
                S[(size_t) i * k + j] += A[(size_t) i * n + l] * A[(size_t) j * n + l];
        for (uint32_t j = 0; j < rows; j++)
            for (uint32_t l = 0; l < n; l++)
                JJ[(size_t) i * rows + j] += A[(size_t) i * n + l] * J[(size_t) j * n + l];
    }
    const double first = linear_solve(a, k, rows, S, JJ, V); /* Wᵀ */
    for (uint32_t i = 0; i < k; i++) {
        const double column = unit_of(V + (size_t) i * rows, rows, 1);
        for (uint32_t j = 0; j < rows; j++) V[(size_t) i * rows + j] *= column;
        nu[i] = mu[i] / unit[i] * column;
    }
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++)
            for (uint32_t l = 0; l < rows; l++)
                VV[(size_t) i * k + j] += V[(size_t) i * rows + l] * V[(size_t) j * rows + l];
    const double second = linear_solve(a, k, 1, VV, nu, y);
    for (uint32_t j = 0; j < rows; j++) {
        lambda[j] = 0;
        for (uint32_t i = 0; i < k; i++) lambda[j] += V[(size_t) i * rows + j] * y[i];
    }
    return fmin(first, second);
}
