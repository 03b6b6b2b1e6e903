/* sheet/run.h - a worksheet run in doubles, many times. */
#ifndef SHEET_RUN_H
#define SHEET_RUN_H
#include "quantities.h"

typedef struct runner runner;

/* Prepares the quantities that the wanted ones need; QUANTITY_NONE among them is skipped. */
runner *run_create(ah_ctx *ctx, arena *a, const sheet *s, const quantity *wanted, size_t count);

/* A second one for the same, with results and pivots of its own; the plan, which every run goes through anew, is that of `r`. */
runner *run_beside(arena *a, const runner *r);

/* A copy with values of its own, for another thread if need be; `ctx` gives it scratch memory and
 * takes its raises. It knows the sheet as it is now. */
runner *run_copy(ah_ctx *ctx, arena *a, const runner *r);

typedef struct run_failure {
    quantity where;
    const char *what; /* "the constraints lose rank", "the matrix is singular", … */
    uint32_t rank, expected;
} run_failure;

/* At a state. false: *failure says what is singular. */
bool run_at(runner *r, const frame *values, run_failure *failure);
const double *run_get(const runner *r, quantity x); /* row-major, after run_at */
/* The worst reciprocal condition number met in the last run: accuracy is about ε divided by it. */
double run_reciprocal_condition(const runner *r);
/* Whether the last run met redundant constraints (multipliers of least norm were taken). */
bool run_redundant(const runner *r);
/* After a run: the rank of J's rows at the state, and the independent ones first in `order`. Of the matrix in doubles where that has
 * the rank that is expected, otherwise without regard to how long rows and columns are. */
uint32_t run_rows(const runner *r, quantity J, uint32_t expected, uint32_t *order);
/* The independent rows that a local chart used in the last run (m of them, ascending). */
const uint32_t *run_independent(const runner *r, quantity chart);

/* Combinations of rows × n, of which each has a column of its own, its largest entry 1; what stands behind in the first `width` columns goes
 * along. False: nothing is left of a row (run_reduce.c). */
bool run_reduce(uint32_t rows, uint32_t n, uint32_t width, double *A);
/* M a − Jᵀλ = L, J a = −γ for k independent rows; y = (a, λ). By it, accelerations measured by `measure` and rows of a length of about
 * one: the reciprocal condition number, 0 where it is singular (run_rows.c). */
typedef struct run_kkt {
    const double *M, *J, *L, *gamma;
} run_kkt;
double run_balanced_kkt(arena *a, uint32_t n, uint32_t k, const run_kkt *s, const double *measure,
                        double *y);
/* μ are the multipliers of the k independent rows Js. Those of all rows of J, of which these are combinations, with the least
 * squares; the reciprocal condition number, 0: none. */
double run_least_multipliers(arena *a, uint32_t rows, uint32_t n, const double *J, uint32_t k,
                             const double *Js, const double *mu, double *lambda);
/* Is [M Jᵀ; J 0] regular, the k rows combined like that? */
bool run_is_regular(arena *a, uint32_t n, uint32_t k, const double *M, const double *J);

#endif
