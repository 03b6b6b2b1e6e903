/* integrate/taylor_sum.h - inside the module: sums of Taylor series, and what is asked of all components of a step. */
#ifndef INTEGRATE_TAYLOR_SUM_H
#define INTEGRATE_TAYLOR_SUM_H
#include <stdbool.h>
#include <stdint.h>

/* change = Σ_{k≥1} y_k x^k of the n components of the rows of a jet. Wide: in the widest registers there are; the bits are the same. */
void taylor_sum(bool wide, const double *jet, uint32_t n, uint32_t order, double x, double *change);
bool taylor_can_sum_widely(void);

/* Where a step leads: next = y + (change + carry), what rounding lost of that sum, and the slope of the series there. */
typedef struct taylor_end {
    const double *carry;
    double *next, *lost, *slope;
} taylor_end;

/* The end of a step of the length h. false: it is not finite. */
bool taylor_go(bool wide, const double *jet, uint32_t n, uint32_t order, double h,
               const taylor_end *end);
/* Whether all n numbers are finite. */
bool taylor_finite(bool wide, const double *x, uint32_t n);

/* atol + rtol |y_i| of n components. */
typedef struct taylor_scale {
    uint32_t n;
    double atol, rtol;
} taylor_scale;

/* The largest of |a_i| and of |b_i|, each over the tolerance at y. */
void taylor_largest(bool wide, const taylor_scale *s, const double *y, const double *a,
                    const double *b, double *largest_a, double *largest_b);
/* Whether times |a_i − b_i| ≤ bound times the tolerance at the larger of y and z, for all i. */
bool taylor_near(bool wide, const taylor_scale *s, const double *y, const double *z,
                 const double *a, const double *b, double times, double bound);

#endif
