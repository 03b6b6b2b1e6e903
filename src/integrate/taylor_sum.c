/* integrate/taylor_sum.c - sums of Taylor series, several components at a time. */
#include "taylor_sum.h"

#include <stddef.h>
#include <string.h>

/* Components that are summed together: their chains overlap, and their sums stay in registers. */
enum { SIDE_BY_SIDE = 4 };

typedef double few __attribute__((vector_size(SIDE_BY_SIDE * sizeof(double))));

#define INLINE static inline __attribute__((always_inline))

/* With b_k = y_k + x b_{k+1} sum and derivative are x b_1 and d_1, d_k = b_k + x d_{k+1}. */
INLINE void sum_few(const double *jet, uint32_t n, uint32_t order, double x, double *change,
                    double *slope)
{
    few b = {0}, d = {0}, row;
    for (uint32_t k = order; k > 0; k--) {
        memcpy(&row, jet + (size_t) k * n, sizeof row);
        b = b * x + row;
        if (slope) d = d * x + b;
    }
    b *= x;
    memcpy(change, &b, sizeof b);
    if (slope) memcpy(slope, &d, sizeof d);
}

INLINE void sum_one(const double *jet, uint32_t n, uint32_t order, double x, double *change,
                    double *slope)
{
    double b = 0, d = 0;
    for (uint32_t k = order; k > 0; k--) {
        b = b * x + jet[(size_t) k * n];
        d = d * x + b;
    }
    *change = b * x;
    if (slope) *slope = d;
}

/* Of all; the last few may overlap those before them, which changes nothing. */
INLINE void sum_all(const double *jet, uint32_t n, uint32_t order, double x, double *change,
                    double *slope)
{
    for (uint32_t i = 0; n >= SIDE_BY_SIDE && i < n; i += SIDE_BY_SIDE) {
        const uint32_t at = i + SIDE_BY_SIDE <= n ? i : n - SIDE_BY_SIDE;
        if (slope)
            sum_few(jet + at, n, order, x, change + at, slope + at);
        else
            sum_few(jet + at, n, order, x, change + at, NULL);
    }
    for (uint32_t i = 0; n < SIDE_BY_SIDE && i < n; i++)
        sum_one(jet + i, n, order, x, change + i, slope ? slope + i : NULL);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void
sum_widely(const double *jet, uint32_t n, uint32_t order, double x, double *change, double *slope)
{
    sum_all(jet, n, order, x, change, slope);
}

bool taylor_can_sum_widely(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
#define sum_widely sum_all

bool taylor_can_sum_widely(void)
{
    return false;
}
#endif

void taylor_sum(bool wide, const double *jet, uint32_t n, uint32_t order, double x, double *change,
                double *slope)
{
    if (wide)
        sum_widely(jet, n, order, x, change, slope);
    else
        sum_all(jet, n, order, x, change, slope);
}
