/* integrate/taylor_sum.c - sums of Taylor series and norms, several components at a time. */
#include "taylor_sum.h"

#include <math.h>
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

typedef long long few_bits __attribute__((vector_size(SIDE_BY_SIDE * sizeof(double))));

/* The sizes of a few; by pointers, because vectors in arguments change with the processor. */
INLINE void sizes(const double *x, few *to)
{
    memcpy(to, x, sizeof *to);
    *to = (few) ((few_bits) *to & 0x7fffffffffffffff);
}

/* What is not a number is passed over. */
INLINE void take_larger(const few *x, few *largest)
{
    const few_bits takes = *x > *largest;
    *largest = (few) (((few_bits) *x & takes) | ((few_bits) *largest & ~takes));
}

INLINE double largest_of(const few *x)
{
    double all = 0;
    for (int i = 0; i < SIDE_BY_SIDE; i++) all = (*x)[i] > all ? (*x)[i] : all;
    return all;
}

/* Where the few at i begin: the last may overlap those before them, which changes nothing. */
INLINE uint32_t window(uint32_t i, uint32_t n)
{
    return i + SIDE_BY_SIDE <= n ? i : n - SIDE_BY_SIDE;
}

INLINE void largest_all(const taylor_scale *s, const double *y, const double *a, const double *b,
                        double *largest_a, double *largest_b)
{
    few top_a = {0}, top_b = {0}, unit, x;
    for (uint32_t i = 0; i < s->n; i += SIDE_BY_SIDE) {
        const uint32_t at = window(i, s->n);
        sizes(y + at, &unit);
        unit = s->atol + s->rtol * unit;
        sizes(a + at, &x);
        x /= unit;
        take_larger(&x, &top_a);
        sizes(b + at, &x);
        x /= unit;
        take_larger(&x, &top_b);
    }
    *largest_a = largest_of(&top_a);
    *largest_b = largest_of(&top_b);
}

INLINE bool near_all(const taylor_scale *s, const double *y, const double *z, const double *a,
                     const double *b, double times, double bound)
{
    few_bits good = {-1, -1, -1, -1};
    few top, x, defect;
    for (uint32_t i = 0; i < s->n; i += SIDE_BY_SIDE) {
        const uint32_t at = window(i, s->n);
        sizes(y + at, &x);
        sizes(z + at, &top);
        take_larger(&x, &top);
        memcpy(&x, a + at, sizeof x);
        memcpy(&defect, b + at, sizeof defect);
        defect = x - defect;
        defect = (few) ((few_bits) defect & 0x7fffffffffffffff);
        good &= times * defect <= bound * (s->atol + s->rtol * top);
    }
    return (good[0] & good[1] & good[2] & good[3]) != 0;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void
sum_widely(const double *jet, uint32_t n, uint32_t order, double x, double *change, double *slope)
{
    sum_all(jet, n, order, x, change, slope);
}

__attribute__((target("avx2"))) static void largest_widely(const taylor_scale *s, const double *y,
                                                           const double *a, const double *b,
                                                           double *largest_a, double *largest_b)
{
    largest_all(s, y, a, b, largest_a, largest_b);
}

__attribute__((target("avx2"))) static bool near_widely(const taylor_scale *s, const double *y,
                                                        const double *z, const double *a,
                                                        const double *b, double times, double bound)
{
    return near_all(s, y, z, a, b, times, bound);
}

bool taylor_can_sum_widely(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
#define sum_widely     sum_all
#define largest_widely largest_all
#define near_widely    near_all

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

void taylor_largest(bool wide, const taylor_scale *s, const double *y, const double *a,
                    const double *b, double *largest_a, double *largest_b)
{
    if (s->n >= SIDE_BY_SIDE && wide) {
        largest_widely(s, y, a, b, largest_a, largest_b);
        return;
    }
    *largest_a = *largest_b = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const double unit = s->atol + s->rtol * fabs(y[i]), one = fabs(a[i]) / unit,
                     other = fabs(b[i]) / unit;
        *largest_a = one > *largest_a ? one : *largest_a;
        *largest_b = other > *largest_b ? other : *largest_b;
    }
}

bool taylor_near(bool wide, const taylor_scale *s, const double *y, const double *z,
                 const double *a, const double *b, double times, double bound)
{
    if (s->n >= SIDE_BY_SIDE && wide) return near_widely(s, y, z, a, b, times, bound);
    for (uint32_t i = 0; i < s->n; i++) {
        const double before = fabs(y[i]), after = fabs(z[i]);
        const double unit = s->atol + s->rtol * (before > after ? before : after);
        if (!(times * fabs(a[i] - b[i]) <= bound * unit)) return false;
    }
    return true;
}
