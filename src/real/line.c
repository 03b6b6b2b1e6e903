/* real/line.c - see line.h. */
#include "line.h"

#include "real_roots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 128, DEGREE = 200 };

/* Numbers: the coefficients of one polynomial, constant term first. */
typedef struct numbers {
    size_t count;
    const ah_expr *at;
} numbers;

typedef LIST(numbers) polynomials;

static bool take_polynomial(ah_ctx *ctx, arena *a, algebra *alg, ah_expr symbol, ah_expr e,
                            polynomials *out)
{
    algebra_poly p;
    uint32_t degree = 0;
    if (!algebra_collect(alg, e, 1, &symbol, &p)) return false;
    for (size_t k = 0; k < p.terms; k++) degree = p.exponent[k] > degree ? p.exponent[k] : degree;
    if (degree > DEGREE) return false;
    ah_expr *all = NEW_ARRAY(a, ah_expr, degree + 1);
    for (uint32_t k = 0; k <= degree; k++) all[k] = expr_int(ctx, 0);
    for (size_t k = 0; k < p.terms; k++) {
        if (expr_get_op(ctx, p.coefficient[k]) != EXPR_NUMBER) return false;
        all[p.exponent[k]] = p.coefficient[k];
    }
    LIST_PUSH(a, out, ((numbers){degree + 1, all}));
    return true;
}

/* f with the roots of all the polynomials, each once; nothing here raises. */
static void multiply(const ah_ctx *ctx, const polynomials *list, fmpz_poly_t f)
{
    fmpq_poly_t q;
    fmpz_poly_t z, g;
    fmpq_poly_init(q);
    fmpz_poly_init(z);
    fmpz_poly_init(g);
    fmpz_poly_one(f);
    for (size_t i = 0; i < list->count; i++) {
        fmpq_poly_zero(q);
        for (size_t k = 0; k < list->at[i].count; k++)
            fmpq_poly_set_coeff_fmpq(q, (slong) k, expr_get_fmpq(ctx, list->at[i].at[k]));
        if (fmpq_poly_is_zero(q)) continue;
        fmpq_poly_get_numerator(z, q);
        fmpz_poly_gcd(g, f, z);
        fmpz_poly_div(z, z, g);
        fmpz_poly_mul(f, f, z);
        fmpz_poly_derivative(z, f);
        fmpz_poly_gcd(g, f, z);
        fmpz_poly_div(f, f, g);
    }
    fmpq_poly_clear(q);
    fmpz_poly_clear(z);
    fmpz_poly_clear(g);
}

static int ascending(const void *x, const void *y)
{
    const double a = *(const double *) x, b = *(const double *) y;
    return (a > b) - (a < b);
}

/* `cut` has room for the degree of f, square-free. */
static size_t real_zeros(const fmpz_poly_t f, double *cut)
{
    const slong degree = fmpz_poly_degree(f);
    if (degree < 1) return 0;
    size_t count = 0;
    acb_ptr root = _acb_vec_init(degree);
    arb_fmpz_poly_complex_roots(root, f, 0, BITS);
    for (slong i = 0; i < degree; i++) {
        if (!acb_is_real(root + i)) continue;
        const arb_struct *x = acb_realref(root + i);
        cut[count++] = arb_contains_zero(x) ? 0 : arf_get_d(arb_midref(x), ARF_RND_NEAR);
    }
    _acb_vec_clear(root, degree);
    return count;
}

bool line_cut(ah_ctx *ctx, arena *a, algebra *alg, ah_expr symbol, const ah_expr *e, size_t count,
              line *out)
{
    polynomials list = {0};
    size_t degree = 0;
    for (size_t i = 0; i < count; i++) {
        ah_expr top, bottom;
        if (!algebra_fraction(alg, e[i], &top, &bottom) ||
            !take_polynomial(ctx, a, alg, symbol, top, &list) ||
            !take_polynomial(ctx, a, alg, symbol, bottom, &list))
            return false;
    }
    for (size_t i = 0; i < list.count; i++) degree += list.at[i].count;
    double *cut = NEW_ARRAY(a, double, degree + 1);
    fmpz_poly_t f;
    fmpz_poly_init(f);
    multiply(ctx, &list, f);
    const bool small = fmpz_poly_degree(f) <= DEGREE;
    const size_t found = small ? real_zeros(f, cut) : 0;
    fmpz_poly_clear(f);
    qsort(cut, found, sizeof *cut, ascending);
    for (size_t i = 1; i < found; i++)
        if (cut[i] == cut[i - 1]) return false;
    *out = (line){found, cut};
    return small;
}

ah_expr line_between(ah_ctx *ctx, double low, double high)
{
    double middle = low + (high - low) / 2;
    if (isinf(low) && isinf(high))
        middle = 1;
    else if (isinf(low))
        middle = high - 1 - fabs(high);
    else if (isinf(high))
        middle = low + 1 + fabs(low);
    for (int digits = 1; digits <= 17; digits++) {
        char number[40];
        snprintf(number, sizeof number, "%.*g", digits, fabs(middle));
        const double x = copysign(strtod(number, NULL), middle);
        if (!(x > low && x < high)) continue;
        const ah_expr e = expr_number(ctx, number, strlen(number));
        if (e == AH_NONE) return AH_NONE;
        return middle < 0 ? expr_neg(ctx, e) : e;
    }
    return AH_NONE;
}
