/* sheet/run_sparse.h - the part of a worksheet's interpreter that leaves large matrices sparse.
 *
 * A large leaf stays as it is stored where all that use it can take it so: KKT and other linear
 * systems (numeric/sparse.h), and products with a vector. */
#ifndef SHEET_RUN_SPARSE_H
#define SHEET_RUN_SPARSE_H
#include "run.h"
#include "../numeric/numeric.h"

/* |J a + γ| allowed in the rows of redundant constraints, of the sum of their terms (those of γ
 * where |γ| itself is not enough): conditioning takes a few digits. An acceleration counts as at least RUN_NOISE of the largest one (or of the
 * largest of free motion): what is smaller may be the rounding error of forces that cancel. */
#define RUN_CONSISTENT 1e-9
/* Worse conditioned than this [M Jᵀ; J 0] is tried without the factors of the rows. */
#define RUN_POORLY 1e-6
#define RUN_NOISE  1e-3
/* A row of J that is smaller than RUN_TINY_ROW, and that a step RUN_NUDGE of the state changes by a part RUN_NOISE
 * of itself, is round-off. */
#define RUN_TINY_ROW 1e-8
#define RUN_NUDGE    1e-13
/* Where the rank of J seems to be lost: entries are known up to RUN_BESIDE_MANY times what a step RUN_BESIDE of the state changes them by,
 * and to RUN_ROUNDING of their terms. cos(a) at a = pi/2 is nothing, a coefficient of 1e-18 is what it is. */
#define RUN_BESIDE      1e-13
#define RUN_BESIDE_MANY 4
#define RUN_ROUNDING    1e-14
/* A row whose entries are all below this part of the largest of J may be rounding errors alone. */
#define RUN_NOISE_ROW 1e-13

struct runner {
    ah_ctx *ctx;
    const sheet *sheet;
    size_t nodes; /* of the sheet when this was made: it may grow */
    bool *needed;
    bool *sparse;           /* has no dense value: a leaf, or the transpose of one */
    struct sparse **system; /* of the linear systems with sparse matrices */
    double **value;         /* of needed quantities */
    arena *arena;           /* where they are to be when it is first run; NULL: they are there */
    uint32_t **pivots;      /* of local charts: independent rows, then dependent ones */
    expr_plan *plan;        /* entries of all needed leaves, in order */
    size_t *first;          /* of a leaf's entries */
    double *entries;
    size_t leaf_entries; /* of all of them */
    const frame *values; /* the state of the last run */
    double rcond;
    bool redundant;
    run_failure failure;
};

/* Notes a failure and answers false. */
bool run_fail(runner *r, quantity x, const char *what, uint32_t rank, uint32_t expected);

/* The largest of |a_i| and |L_i / M_ii|. */
double run_acceleration_size(uint32_t n, const double *a, const double *L, const double *M_diagonal,
                             size_t stride);

/* Of each row of J a + γ (J has largest entries `largest`) the size of its terms, those that cancel
 * in γ included, and those of the acceleration that they amount to; in scratch memory. What is small
 * beside them is round-off. */
const double *run_sizes(runner *r, quantity gamma, const double *largest);

/* Decides which quantities stay sparse and prepares their systems. */
void run_sparse_choose(runner *r, arena *a, const quantity *wanted, size_t count);
/* Makes the systems of the quantities that stay sparse. */
void run_sparse_systems(runner *r, arena *a);
/* Whether an operation is done here, and doing it. */
bool run_sparse_takes(const runner *r, quantity x);
bool run_sparse_node(runner *r, quantity x);

#endif
