/* sheet/sparse_balls.h - large sparse linear systems in balls. */
#ifndef SHEET_SPARSE_BALLS_H
#define SHEET_SPARSE_BALLS_H
#include "../expr/ball.h"

#if defined(AH_WITH_FLINT3)
#include <flint/arb_mat.h>
#else
#include <arb_mat.h>
#endif
#include <stdbool.h>

/* Below this part of `bits` the enclosure that elimination gives is not taken: another way may do better. */
#define SPARSE_BALLS_SHARE 0.6

/* X that encloses the solution of A X = B; false: the system is small or full, a pivot may vanish, or too little is
 * left of the digits. */
bool sparse_balls_solve(const arb_mat_t A, const arb_mat_t B, arb_mat_t X, slong bits);

#endif
