/* real/across.h - limits from both sides of a place. */
#ifndef REAL_ACROSS_H
#define REAL_ACROSS_H
#include "../algebra/algebra.h"

/* Where u vanishes that is linear in a symbol, with a number for its slope: there the symbol has this value. */
bool across_place(ah_ctx *ctx, arena *a, algebra *alg, ah_expr u, ah_expr *symbol, ah_expr *place);
/* Has e the same finite limit from both sides of u = 0, as exp(-1/x^2) has? false: not that we know. */
bool across_is_continuous(ah_ctx *ctx, arena *a, algebra *alg, ah_expr e, ah_expr u);

#endif
