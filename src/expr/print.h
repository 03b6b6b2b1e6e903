/* expr/print.h - inside the module: how expressions are laid out for reading. */
#ifndef EXPR_PRINT_H
#define EXPR_PRINT_H
#include "pool.h"

/* Digits as superscripts or subscripts of Unicode; other characters as they are. */
void expr_put_digits(text *out, const char *digits, size_t n, bool above);

/* ---- Numbers as text (number.c) -------------------------------------------------------------- */

/* |numerator| and denominator; decimal is NULL unless an author would write one: 9.81, not 1/2. */
typedef struct expr_digits {
    bool negative;
    const char *numerator, *denominator, *decimal;
} expr_digits;
expr_digits expr_number_digits(ah_ctx *ctx, arena *a, ah_expr number);

/* ---- The order in which a person reads (display.c) --------------------------------------------
 */

typedef struct expr_factor {
    ah_expr base, exponent; /* a positive exponent, or one that is not a number */
} expr_factor;

/* e = ± coefficient Π over / Π under, the coefficient positive. In the arena. */
typedef struct expr_fraction {
    bool negative;
    ah_expr coefficient;
    expr_factor *over, *under;
    size_t over_count, under_count;
} expr_fraction;
expr_fraction expr_display_fraction(ah_ctx *ctx, arena *a, ah_expr e);
/* The terms of a sum: accelerations, velocities, then by degree, then by age of the symbols; the
 * number last; but not a minus first where there is a plus. */
ah_expr *expr_display_terms(ah_ctx *ctx, arena *a, ah_expr sum);

#endif
