/* integrate/taylor_sum.c - sums of Taylor series and norms, several components at a time. */
#include "taylor_sum.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Components that are summed together: their chains overlap, and their sums stay in registers. */
enum { SIDE_BY_SIDE = 4 };

typedef double few __attribute__((vector_size(SIDE_BY_SIDE * sizeof(double))));

#define INLINE static inline __attribute__((always_inline))

/* Where the few at i begin: the last may overlap those before them, which changes nothing. */
INLINE uint32_t window(uint32_t i, uint32_t n)
{
    return i + SIDE_BY_SIDE <= n ? i : n - SIDE_BY_SIDE;
}

/* Components a step of the loops takes at once: the chains of operations of two registers overlap. */
enum { REGISTERS = 2 };

/* With b_k = y_k + x b_{k+1} sum and derivative are x b_1 and d_1, d_k = b_k + x d_{k+1}; of the few at each of these places. */
INLINE void sums_at(const double *jet, uint32_t n, uint32_t order, double x, const uint32_t *at,
                    int count, few *b, few *d)
{
    few row;
    for (int w = 0; w < count; w++) b[w] = d[w] = (few){0};
    for (uint32_t k = order; k > 0; k--)
        for (int w = 0; w < count; w++) {
            memcpy(&row, jet + (size_t) k * n + at[w], sizeof row);
            b[w] = b[w] * x + row;
            d[w] = d[w] * x + b[w];
        }
    for (int w = 0; w < count; w++) b[w] *= x;
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
    *slope = d;
}

INLINE void sum_all(const double *jet, uint32_t n, uint32_t order, double x, double *change)
{
    double slope;
    for (uint32_t i = 0; n >= SIDE_BY_SIDE && i < n; i += SIDE_BY_SIDE) {
        const uint32_t at = window(i, n);
        few b, d;
        sums_at(jet, n, order, x, &at, 1, &b, &d);
        memcpy(change + at, &b, sizeof b);
    }
    for (uint32_t i = 0; n < SIDE_BY_SIDE && i < n; i++)
        sum_one(jet + i, n, order, x, change + i, &slope);
}

/* x − x is 0 for what is finite, and not a number for the rest. */
INLINE bool are_zero(const few *none)
{
    return (*none)[0] + (*none)[1] + (*none)[2] + (*none)[3] == 0;
}

INLINE void go_few(const double *jet, uint32_t at, const few *sum, const few *d,
                   const taylor_end *end, few *none)
{
    few y, carry;
    memcpy(&y, jet + at, sizeof y);
    memcpy(&carry, end->carry + at, sizeof carry);
    const few change = *sum + carry, next = y + change, lost = change - (next - y);
    memcpy(end->next + at, &next, sizeof next);
    memcpy(end->lost + at, &lost, sizeof lost);
    memcpy(end->slope + at, d, sizeof *d);
    *none += next - next;
}

INLINE bool go_all(const double *jet, uint32_t n, uint32_t order, double h, const taylor_end *end)
{
    few b[REGISTERS], d[REGISTERS], none = {0};
    uint32_t i = 0;
    for (; i + SIDE_BY_SIDE < n; i += REGISTERS * SIDE_BY_SIDE) {
        const uint32_t at[REGISTERS] = {i, window(i + SIDE_BY_SIDE, n)};
        sums_at(jet, n, order, h, at, REGISTERS, b, d);
        for (int w = 0; w < REGISTERS; w++) go_few(jet, at[w], &b[w], &d[w], end, &none);
    }
    if (i < n) {
        const uint32_t at = window(i, n);
        sums_at(jet, n, order, h, &at, 1, b, d);
        go_few(jet, at, b, d, end, &none);
    }
    return are_zero(&none);
}

INLINE bool finite_all(const double *x, uint32_t n)
{
    few none = {0}, part;
    for (uint32_t i = 0; i < n; i += SIDE_BY_SIDE) {
        memcpy(&part, x + window(i, n), sizeof part);
        none += part - part;
    }
    return are_zero(&none);
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
__attribute__((target("avx2"))) static void sum_widely(const double *jet, uint32_t n,
                                                       uint32_t order, double x, double *change)
{
    sum_all(jet, n, order, x, change);
}

__attribute__((target("avx2"))) static bool go_widely(const double *jet, uint32_t n, uint32_t order,
                                                      double h, const taylor_end *end)
{
    return go_all(jet, n, order, h, end);
}

__attribute__((target("avx2"))) static bool finite_widely(const double *x, uint32_t n)
{
    return finite_all(x, n);
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
#define go_widely      go_all
#define finite_widely  finite_all
#define largest_widely largest_all
#define near_widely    near_all

bool taylor_can_sum_widely(void)
{
    return false;
}
#endif

void taylor_sum(bool wide, const double *jet, uint32_t n, uint32_t order, double x, double *change)
{
    if (wide)
        sum_widely(jet, n, order, x, change);
    else
        sum_all(jet, n, order, x, change);
}

bool taylor_go(bool wide, const double *jet, uint32_t n, uint32_t order, double h,
               const taylor_end *end)
{
    double none = 0;
    if (n >= SIDE_BY_SIDE)
        return wide ? go_widely(jet, n, order, h, end) : go_all(jet, n, order, h, end);
    for (uint32_t i = 0; i < n; i++) {
        double change;
        sum_one(jet + i, n, order, h, &change, end->slope + i);
        change += end->carry[i];
        end->next[i] = jet[i] + change;
        end->lost[i] = change - (end->next[i] - jet[i]);
        none += end->next[i] - end->next[i];
    }
    return none == 0;
}

bool taylor_finite(bool wide, const double *x, uint32_t n)
{
    double none = 0;
    if (n >= SIDE_BY_SIDE) return wide ? finite_widely(x, n) : finite_all(x, n);
    for (uint32_t i = 0; i < n; i++) none += x[i] - x[i];
    return none == 0;
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
