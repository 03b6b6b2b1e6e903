/* harness/formulas.h - formulas read as tests write them: numbers, + - * / ^, calls, primes for rates, t and pi. A name is
 * a coordinate, or a parameter if `is_parameter` says so. Shares nothing with the language's own reader. */
#ifndef HARNESS_FORMULAS_H
#define HARNESS_FORMULAS_H
#include "expr/expr.h"
#include "harness.h"
#include <ctype.h>
#include <string.h>

typedef struct formula_reader {
    ah_ctx *ctx;
    const char *at;
    bool (*is_parameter)(const char *name);
} formula_reader;

static inline ah_expr formula_sum(formula_reader *r);

static inline bool formula_take(formula_reader *r, char c)
{
    while (*r->at == ' ') r->at++;
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static inline ah_expr formula_call(formula_reader *r, const char *name, uint8_t primes)
{
    static const char *const names[] = {
#define X(code, text, arity) text,
        AH_FUNCTION_LIST(X)
#undef X
    };
    ah_expr args[4];
    size_t count = 0;
    do args[count++] = formula_sum(r);
    while (count < 4 && formula_take(r, ','));
    CHECK(formula_take(r, ')'));
    for (int f = 0; f < AH_FUNCTIONS; f++)
        if (!strcmp(name, names[f])) return expr_call(r->ctx, (ah_function) f, args);
    return expr_unknown(r->ctx, name, count, args, count == 1 ? &primes : NULL);
}

static inline ah_expr formula_name(formula_reader *r)
{
    char name[32] = {0};
    uint8_t primes = 0;
    for (size_t n = 0; (isalnum((unsigned char) *r->at) || *r->at == '_') && n < 31;)
        name[n++] = *r->at++;
    while (formula_take(r, '\'')) primes++;
    if (formula_take(r, '(')) return formula_call(r, name, primes);
    if (!strcmp(name, "pi")) return expr_pi(r->ctx);
    if (!strcmp(name, "t")) return expr_time(r->ctx);
    ah_expr e = expr_symbol(r->ctx, r->is_parameter(name) ? AH_PARAMETER : AH_COORDINATE, name);
    while (primes--) e = expr_dot(r->ctx, e);
    return e;
}

static inline ah_expr formula_atom(formula_reader *r)
{
    if (formula_take(r, '(')) {
        const ah_expr e = formula_sum(r);
        CHECK(formula_take(r, ')'));
        return e;
    }
    const size_t digits = strspn(r->at, "0123456789.");
    if (!digits) return formula_name(r);
    r->at += digits;
    return expr_number(r->ctx, r->at - digits, digits);
}

static inline ah_expr formula_signed(formula_reader *r)
{
    if (formula_take(r, '-')) return expr_neg(r->ctx, formula_signed(r));
    const ah_expr base = formula_atom(r);
    return formula_take(r, '^') ? expr_pow(r->ctx, base, formula_signed(r)) : base;
}

static inline ah_expr formula_product(formula_reader *r)
{
    ah_expr e = formula_signed(r);
    for (;;)
        if (formula_take(r, '*'))
            e = expr_mul(r->ctx, e, formula_signed(r));
        else if (formula_take(r, '/'))
            e = expr_div(r->ctx, e, formula_signed(r));
        else
            return e;
}

static inline ah_expr formula_sum(formula_reader *r)
{
    ah_expr e = formula_product(r);
    for (;;)
        if (formula_take(r, '+'))
            e = expr_add(r->ctx, e, formula_product(r));
        else if (formula_take(r, '-'))
            e = expr_sub(r->ctx, e, formula_product(r));
        else
            return e;
}

/* The whole of the text. */
static inline ah_expr formula_read(ah_ctx *ctx, const char *written,
                                   bool (*is_parameter)(const char *))
{
    formula_reader r = {ctx, written, is_parameter};
    const ah_expr e = formula_sum(&r);
    CHECK_STR(r.at, "");
    return e;
}

#endif
