/* worksheet/tidy_sums.c - sums as an author would leave them.
 *
 * The algebra multiplies out and writes polynomials with whole numbers. So (x₁ − x₂)² comes back as three terms, and 4 A + 0.003 as 0.001
 * (4000 A + 3). Here squares of sums and differences are put together again, and numbers are as short as they can be. */
#include "page.h"

#include <stdlib.h>

/* Sums of more terms are left as they are. */
enum { TIDY_TERMS = 64 };

/* ---- Squares --------------------------------------------------------------------------------- */

typedef struct terms {
    ah_expr at[TIDY_TERMS];
    size_t count;
} terms;

static size_t place_of(const terms *t, ah_expr e)
{
    size_t i = 0;
    while (i < t->count && t->at[i] != e) i++;
    return i;
}

static void drop(terms *t, ah_expr e)
{
    const size_t i = place_of(t, e);
    t->at[i] = t->at[--t->count];
}

/* k a² + k b² ± 2 k a b, the last of which is the product with these two factors, become k (a ± b)²; false: they are not all there. */
static bool join(ah_ctx *ctx, terms *t, ah_expr cross, ah_expr a, ah_expr b)
{
    ah_expr k = expr_div(ctx, cross, expr_mul(ctx, expr_int(ctx, 2), expr_mul(ctx, a, b)));
    const ah_expr aa = expr_powi(ctx, a, 2), bb = expr_powi(ctx, b, 2);
    for (int minus = 0; minus < 2; minus++, k = expr_neg(ctx, k)) {
        const ah_expr first = expr_mul(ctx, k, aa), second = expr_mul(ctx, k, bb);
        if (place_of(t, first) == t->count || place_of(t, second) == t->count) continue;
        drop(t, first);
        drop(t, second);
        drop(t, cross);
        const ah_expr sum = minus ? expr_sub(ctx, a, b) : expr_add(ctx, a, b);
        t->at[t->count++] = expr_mul(ctx, k, expr_powi(ctx, sum, 2));
        return true;
    }
    return false;
}

static bool join_any(ah_ctx *ctx, terms *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const ah_expr e = t->at[i];
        if (expr_get_op(ctx, e) != EXPR_PRODUCT) continue;
        const ah_expr *child = expr_get_children(ctx, e);
        const size_t count = expr_get_count(ctx, e);
        for (size_t a = 0; a < count; a++)
            for (size_t b = a + 1; b < count; b++)
                if (expr_get_op(ctx, child[a]) == EXPR_SYMBOL &&
                    expr_get_op(ctx, child[b]) == EXPR_SYMBOL &&
                    join(ctx, t, e, child[a], child[b]))
                    return true;
    }
    return false;
}

static ah_expr with_squares(ah_ctx *ctx, ah_expr e)
{
    terms t = {.count = expr_get_count(ctx, e)};
    if (t.count > TIDY_TERMS) return e;
    for (size_t i = 0; i < t.count; i++) t.at[i] = expr_get_children(ctx, e)[i];
    while (join_any(ctx, &t)) ctx_tick(ctx);
    return t.count < expr_get_count(ctx, e) ? expr_sum(ctx, t.count, t.at) : e;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* The largest power of ten that is taken out of a sum or put into it. */
#define TIDY_LARGEST 1000000
/* Whole numbers from here on have too many zeros. */
#define TIDY_LARGE 100

static double digits(long n)
{
    double count = 1;
    for (n = labs(n); n > 9; n /= 10) count++;
    return count;
}

/* Signs that a number takes: 0 of one, 1 of ½ and 7, 5 of 0.003. */
static double number_length(long p, long q)
{
    if (q == 1) return labs(p) == 1 ? 0 : digits(p);
    if (q <= 9 && labs(p) == 1) return 1;
    if (TIDY_LARGEST % q) return digits(p) + 1 + digits(q);
    double places = 0;
    for (long ten = 1; ten % q; ten *= 10) places++;
    return digits(p / q) + 1 + places;
}

/* The number before a term; false: it does not fit. */
static bool number_before(const ah_ctx *ctx, ah_expr term, long *p, long *q)
{
    if (expr_get_op(ctx, term) == EXPR_PRODUCT) term = expr_get_children(ctx, term)[0];
    *p = *q = 1;
    if (expr_get_op(ctx, term) != EXPR_NUMBER) return true;
    return expr_is_rational(ctx, term, p, q) && labs(*p) <= TIDY_LARGEST && *q <= TIDY_LARGEST;
}

/* Signs of the numbers of the sum, times over/under; -1: one of them does not fit. */
static double numbers_length(const ah_ctx *ctx, ah_expr sum, long over, long under, long *largest)
{
    double length = 0;
    *largest = 0;
    for (size_t i = 0; i < expr_get_count(ctx, sum); i++) {
        long p, q;
        if (!number_before(ctx, expr_get_children(ctx, sum)[i], &p, &q)) return -1;
        p *= over;
        q *= under;
        long a = labs(p), b = q;
        while (b) {
            const long rest = a % b;
            a = b;
            b = rest;
        }
        p /= a;
        q /= a;
        if (q == 1 && labs(p) > *largest) *largest = labs(p);
        length += number_length(p, q);
    }
    return length;
}

/* The sum with each term times over/under. */
static ah_expr scaled(ah_ctx *ctx, ah_expr sum, long over, long under)
{
    ah_expr term[TIDY_TERMS];
    const size_t count = expr_get_count(ctx, sum);
    const ah_expr by = expr_rational(ctx, over, under);
    for (size_t i = 0; i < count; i++) term[i] = expr_mul(ctx, by, expr_get_children(ctx, sum)[i]);
    return expr_sum(ctx, count, term);
}

/* 1000 (4 A + 4 J + 0.003) of 4000 A + 4000 J + 3: before it mostly stands 0.001. What is as short is taken where it is there already. */
static ah_expr without_zeros(ah_ctx *ctx, const expr_list *there, ah_expr sum)
{
    long largest, best = 1, ignored;
    double least = numbers_length(ctx, sum, 1, 1, &largest);
    if (least < 0 || largest < 10) return sum;
    for (long ten = 10; ten <= TIDY_LARGEST; ten *= 10) {
        const double length = numbers_length(ctx, sum, 1, ten, &ignored);
        if (length < 0 || length > least) continue;
        if (length < least ? largest >= TIDY_LARGE
                           : expr_find(there, scaled(ctx, sum, 1, ten)) != EXPR_NOWHERE)
            least = length, best = ten;
    }
    return best == 1 ? sum : expr_mul(ctx, expr_int(ctx, best), scaled(ctx, sum, 1, best));
}

/* m + 0.3 for 0.1 (10 m + 3): a decimal before a sum goes into it, where that is shorter. */
static ah_expr with_number_inside(ah_ctx *ctx, ah_expr product)
{
    long p, q, ignored;
    const ah_expr *child = expr_get_children(ctx, product);
    if (!number_before(ctx, product, &p, &q) || q < 10 || TIDY_LARGEST % q) return product;
    for (size_t i = 1; i < expr_get_count(ctx, product); i++) {
        const ah_expr sum = child[i];
        if (expr_get_op(ctx, sum) != EXPR_SUM || expr_get_count(ctx, sum) > TIDY_TERMS) continue;
        const double before = numbers_length(ctx, sum, 1, 1, &ignored) + number_length(p, q);
        const double after = numbers_length(ctx, sum, labs(p), q, &ignored);
        if (after < 0 || after >= before) continue;
        const ah_expr rest =
            expr_div(ctx, product, expr_mul(ctx, sum, expr_rational(ctx, labs(p), q)));
        return expr_mul(ctx, rest, scaled(ctx, sum, labs(p), q));
    }
    return product;
}

static ah_expr tidy_numbers(ah_ctx *ctx, void *user, ah_expr e)
{
    switch (expr_get_op(ctx, e)) {
    case EXPR_SUM: return expr_get_count(ctx, e) > TIDY_TERMS ? e : without_zeros(ctx, user, e);
    case EXPR_PRODUCT: return with_number_inside(ctx, e);
    default: return e;
    }
}

/* A sum by itself has no number before it. */
static ah_expr as_sum(ah_ctx *ctx, ah_expr was, ah_expr e)
{
    long ten;
    if (expr_get_op(ctx, was) != EXPR_SUM || expr_get_op(ctx, e) != EXPR_PRODUCT) return e;
    const ah_expr *child = expr_get_children(ctx, e);
    if (expr_get_count(ctx, e) != 2 || !expr_is_int(ctx, child[0], &ten)) return e;
    return expr_get_op(ctx, child[1]) == EXPR_SUM ? scaled(ctx, child[1], ten, 1) : e;
}

/* Signs of all numbers in them; what is shared counts once. */
static double all_numbers(ah_ctx *ctx, arena *a, const ah_expr *e, size_t count)
{
    const expr_list node = expr_reachable(ctx, a, e, count);
    double length = 0;
    for (size_t i = 0; i < node.count; i++) {
        const ah_expr *child = expr_get_children(ctx, node.at[i]);
        for (size_t k = 0; child && k < expr_get_count(ctx, node.at[i]); k++) {
            long p, q;
            if (expr_get_op(ctx, child[k]) != EXPR_NUMBER) continue;
            length += expr_is_rational(ctx, child[k], &p, &q) ? number_length(p, q) : 12;
        }
    }
    return length;
}

static ah_expr tidy_squares(ah_ctx *ctx, void *user, ah_expr e)
{
    (void) user;
    return expr_get_op(ctx, e) == EXPR_SUM ? with_squares(ctx, e) : e;
}

void page_tidy(ah_ctx *ctx, arena *a, ah_expr *e, size_t count)
{
    ah_expr *other = NEW_ARRAY(a, ah_expr, count + 1);
    page_map(ctx, a, e, count, tidy_squares, NULL);
    expr_list there = expr_reachable(ctx, a, e, count);
    for (size_t i = 0; i < count; i++) other[i] = e[i];
    page_map(ctx, a, other, count, tidy_numbers, &there);
    for (size_t i = 0; i < count; i++) other[i] = as_sum(ctx, e[i], other[i]);
    if (all_numbers(ctx, a, other, count) >= all_numbers(ctx, a, e, count)) return;
    for (size_t i = 0; i < count; i++) e[i] = other[i];
}
