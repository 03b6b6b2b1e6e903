/* expr/expr_print.h - inside the module: how expressions are laid out for reading. */
#ifndef EXPR_EXPR_PRINT_H
#define EXPR_EXPR_PRINT_H
#include "pool.h"

/* Digits as superscripts or subscripts of Unicode; other characters as they are. */
void expr_put_digits(text *out, const char *digits, size_t n, bool above);

/* A name of several letters, which is set as a word. */
bool expr_is_word(const char *name);

/* ---- Numbers as text (number.c) -------------------------------------------------------------- */

/* |numerator| and denominator; decimal is NULL unless an author would write one: 9.81, not 1/2. */
typedef struct expr_digits {
    bool negative;
    const char *numerator, *denominator, *decimal;
} expr_digits;
expr_digits expr_number_digits(ah_ctx *ctx, arena *a, ah_expr number);

/* ---- The order in which a person reads (display.c) ------------------------------------------- */

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

/* ---- Printing (expr_print.c, print_calls.c) -------------------------------------------------- */

/* Three strings: before the first part, between, after the second. */
typedef const char *around[3];

typedef struct layout {
    const char *times;               /* between factors */
    const char *times_number;        /* before a factor that begins with a digit */
    const char *times_word;          /* beside a name of several letters */
    const char *times_call;          /* before a function: MathML has no such space of its own */
    const char *plus, *minus, *sign; /* binary, and the leading minus */
    const char *open, *close;        /* brackets */
    const char *row, *row_end;       /* makes one element of several */
    around fraction;                 /* NULL: on one line, with a slash */
    around power, root;              /* root: before, after */
    const char *apply, *comma, *bar, *bar_end;
    const char *apply_bare; /* to an argument without brackets */
    bool reads;             /* for people: sin²θ, ½, |x| */
} layout;

typedef struct printer {
    ah_ctx *ctx;
    text *out;
    const expr_style *style;
    const layout *l;
    uint32_t depth;
    bool tall; /* something within the innermost brackets is taller than a line */
} printer;

/* What may stand without brackets: where `least` is asked for, something looser is bracketed. */
typedef enum tightness { SUM, PRODUCT, POWER, ATOM } tightness;

static inline void put(printer *p, const char *s)
{
    text_add(p->out, s);
}

static inline bool two_dimensional(const printer *p)
{
    return p->l->fraction[0] != NULL;
}

static inline bool is(const printer *p, ah_format format)
{
    return p->style->format == format;
}

/* e, in brackets when it is looser than `least`. */
void expr_print_part(printer *p, ah_expr e, tightness least);
/* A row in brackets, as tall as what is inside. */
typedef struct expr_brackets {
    size_t place; /* in the text */
    bool outside; /* printer.tall before */
} expr_brackets;
expr_brackets expr_open_brackets(printer *p);
void expr_close_brackets(printer *p, expr_brackets b);
void expr_put_integer(printer *p, const char *digits);
/* An integer exponent above what was just printed. */
void expr_put_superscript(printer *p, ah_expr exponent);

/* sin, cos, …: sin²θ may be written without brackets. */
bool expr_is_bare_function(ah_function f);
/* sin θ, without brackets: the argument is one symbol. */
bool expr_is_bare_call(const printer *p, ah_expr e);
/* ∂V/∂x can be written so when the arguments are different symbols. */
bool expr_is_partial(const printer *p, ah_expr e);
/* sin²(x), sin θ; the exponent is ONE where it is written elsewhere or is none. */
void expr_print_call(printer *p, ah_expr e, ah_expr exponent, bool bare);
void expr_print_unknown(printer *p, ah_expr e);

#endif
