/* real/limit.h - limits of expressions. */
#ifndef REAL_LIMIT_H
#define REAL_LIMIT_H
#include "../algebra/algebra.h"

typedef enum limit_kind {
    LIMIT_UNKNOWN,
    LIMIT_FINITE,
    LIMIT_INFINITE,
    LIMIT_NONE /* for those who look from both sides: it is another from each */
} limit_kind;

typedef struct limit {
    limit_kind kind;
    ah_expr value;  /* finite */
    int sign;       /* infinite: of it; 0: not known */
    ah_expr except; /* where this vanishes nothing is said; the number 1: it is so everywhere */
} limit;

/* For epsilon -> 0 from above, all other symbols held; the algebra knows that epsilon > 0. Exact: a quotient of
 * polynomials in epsilon by its lowest terms, of power series likewise, all else by what is continuous. */
limit limit_of(ah_ctx *ctx, arena *a, algebra *alg, ah_expr e, ah_expr epsilon);

#endif
