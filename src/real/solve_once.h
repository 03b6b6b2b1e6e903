/* real/solve_once.h - an equation solved for a symbol that stands in it linearly, or once. */
#ifndef REAL_SOLVE_ONCE_H
#define REAL_SOLVE_ONCE_H
#include "../expr/expr.h"

/* A value of s with which u = 0, where it exists: one of several. AH_NONE: none was found. */
ah_expr solve_once(ah_ctx *ctx, ah_expr u, ah_expr s);

#endif
