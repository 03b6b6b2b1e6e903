/* real/line.h - the real line, cut where rational functions of one symbol change sign. */
#ifndef REAL_LINE_H
#define REAL_LINE_H
#include "../algebra/algebra.h"

typedef struct line {
    size_t count;
    const double *cut; /* ascending; a zero is the number 0, others are rounded */
} line;

/* All real zeros of the numerators and the denominators: between two cuts none of the expressions
 * vanishes or is undefined. False: one of them is no rational function with rational coefficients,
 * or two zeros are one double. */
bool line_cut(ah_ctx *ctx, arena *a, algebra *alg, ah_expr symbol, const ah_expr *e, size_t count,
              line *out);
/* A short decimal number strictly between low and high (either may be infinite), as an expression;
 * AH_NONE: there is none. */
ah_expr line_between(ah_ctx *ctx, double low, double high);

#endif
