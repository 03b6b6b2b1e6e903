/* sheet/kkt_balls.h - systems of equations in balls, those of accelerations and multipliers above all. */
#ifndef SHEET_KKT_BALLS_H
#define SHEET_KKT_BALLS_H
#include "sparse_balls.h"

/* X that encloses the solution of A X = B; false: a pivot may vanish. */
bool balls_solve(const arb_mat_t A, const arb_mat_t B, arb_mat_t X, slong bits);
/* Rows `rows` and columns `cols` of A; NULL: all of them in order. */
void balls_pick(arb_mat_t out, const arb_mat_t A, const uint32_t *rows, const uint32_t *cols);

/* One system: what stands in M, J, L and γ, and the rows of J, k independent ones first. */
typedef struct kkt_balls {
    const arb_mat_struct *M, *J, *L, *gamma;
    const uint32_t *order;
    slong k;
} kkt_balls;
/* a, then λ: the least one where rows depend on others. */
bool kkt_balls_solve(const kkt_balls *p, arb_mat_t x, slong bits);

#endif
