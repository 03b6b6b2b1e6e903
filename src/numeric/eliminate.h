/* numeric/eliminate.h - elimination of a sparse linear system, row by row in the given order.
 *
 * Each row is reduced by the rows before it and takes its largest entry as pivot, so a row that
 * depends on earlier ones is recognised when it comes: the redundant constraint is the later one.
 * Costs what the fill costs: O(n) along a chain of bodies. */
#ifndef NUMERIC_ELIMINATE_H
#define NUMERIC_ELIMINATE_H
#include "../base/base.h"

/* What is left of a row counts as zero below this share of what was subtracted. At random states of
 * order 1 round-off leaves 1e-14, independent rows leave more than 1e-4. */
#define ELIMINATE_ZERO 1e-9
/* Entries below this share of the terms they were computed from are nothing but round-off, and so are those that fall below this share
 * of what was subtracted from them on the way. */
#define ELIMINATE_NOISE 1e-11

typedef enum eliminate_verdict {
    ELIMINATE_INDEPENDENT,
    ELIMINATE_DEPENDENT,    /* and so is the right-hand side */
    ELIMINATE_CONTRADICTORY /* the right-hand side is not */
} eliminate_verdict;

typedef struct eliminate eliminate;

/* In the arena; for rows of `columns` entries. */
eliminate *eliminate_create(ah_ctx *ctx, arena *a, uint32_t columns);
/* Adds the equation Σ values[i] x_columns[i] = rhs. */
eliminate_verdict eliminate_add(eliminate *e, uint32_t count, const uint32_t *columns,
                                const double *values, double rhs);
/* The same whatever the units of rows and unknowns: sizes[i] is that of the terms which values[i] was computed from, rhs_size that of
 * the right-hand side's, and an entry counts against what was subtracted from it, not against its neighbours: beside 1e9 u' a
 * coefficient of 1e-9 is no rounding error. */
eliminate_verdict eliminate_add_sized(eliminate *e, uint32_t count, const uint32_t *columns,
                                      const double *values, const double *sizes, double rhs,
                                      double rhs_size);
uint32_t eliminate_rank(const eliminate *e);
/* The worst |pivot| / largest entry of its row so far: small near a singular state. */
double eliminate_quality(const eliminate *e);
/* A solution of the independent rows: variables that are no pivots are zero. */
void eliminate_solve(const eliminate *e, double *x);
/* After a dependent row: weights of the rows added before (numbered from 0) whose sum it is; zero
 * where none. Room for as many as were added. */
void eliminate_weights(const eliminate *e, double *weights);

#endif
