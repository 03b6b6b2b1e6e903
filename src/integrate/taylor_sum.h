/* integrate/taylor_sum.h - inside the module: sums of Taylor series. */
#ifndef INTEGRATE_TAYLOR_SUM_H
#define INTEGRATE_TAYLOR_SUM_H
#include <stdbool.h>
#include <stdint.h>

/* change = Σ_{k≥1} y_k x^k of the n components of the rows of a jet, and its derivative (slope NULL: without). Wide: in the
 * widest registers there are; the bits are the same. */
void taylor_sum(bool wide, const double *jet, uint32_t n, uint32_t order, double x, double *change,
                double *slope);
bool taylor_can_sum_widely(void);

#endif
