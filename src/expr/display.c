/* expr/display.c - the order in which a person writes terms and factors. The canonical order (by
 * handle) depends on what was built first; this one only on the expression and the age of symbols.
 */
#include "expr_print.h"
#include <string.h>

/* How deep the comparisons look; below that, handles decide. */
#define LOOK 4
/* Sums of no more terms have all that is positive in front, if they have to begin with something else than their first. */
#define SHORT_SUM 4

/* Degrees in x''', x'' (and z'), x' (and z), and in everything. */
typedef struct degrees {
    long d[4];
} degrees;

/* A factor, or a term with its own factors. */
typedef struct ranked {
    expr_factor f;
    degrees d;
    expr_fraction parts;
} ranked;

/* Merge sort: it keeps its head should a bounded look make the comparisons contradict each other. */
static void sort(ah_ctx *ctx, ranked *a, ranked *spare, size_t n,
                 int (*compare)(const ah_ctx *ctx, const ranked *a, const ranked *b))
{
    if (n < 2) return;
    size_t half = n / 2;
    sort(ctx, a, spare, half, compare);
    sort(ctx, a + half, spare, n - half, compare);
    memcpy(spare, a, half * sizeof *a);
    for (size_t i = 0, j = half, k = 0; i < half; k++) {
        bool second = j < n && compare(ctx, &a[j], &spare[i]) < 0;
        a[k] = second ? a[j++] : spare[i++];
    }
    ctx_tick(ctx);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

/* Factors of a product come in this order. Functions are last, so that `sin θ` needs no brackets. */
enum { NUMBERS, PARAMETERS, VARIABLES, FUNCTIONS_OF, ROOTS, BRACKETS, CALLS };

static int factor_class(const ah_ctx *ctx, expr_factor f)
{
    if (f.exponent == EXPR_HALF && expr_op_of(ctx, f.base) != EXPR_NUMBER) return ROOTS;
    switch (expr_op_of(ctx, f.base)) {
    case EXPR_NUMBER: return NUMBERS;
    case EXPR_PI: return PARAMETERS;
    case EXPR_SYMBOL: return expr_get_kind(ctx, f.base) == AH_PARAMETER ? PARAMETERS : VARIABLES;
    case EXPR_UNKNOWN: return FUNCTIONS_OF;
    case EXPR_CALL: return CALLS;
    default: return BRACKETS;
    }
}

static expr_factor as_factor(const ah_ctx *ctx, ah_expr e)
{
    if (expr_op_of(ctx, e) != EXPR_POWER) return (expr_factor){e, EXPR_ONE};
    const ah_expr *children = expr_get_children(ctx, e);
    return (expr_factor){children[0], children[1]};
}

static int compare(const ah_ctx *ctx, ah_expr a, ah_expr b, int look);

static int compare_numbers(const ah_ctx *ctx, ah_expr a, ah_expr b)
{
    double x = expr_number_double(ctx, a), y = expr_number_double(ctx, b);
    return x > y ? -1 : x < y ? 1 : 0; /* higher powers first */
}

static int level_of(ah_symbol_kind kind)
{
    switch (kind) {
    case AH_JERK: return 0;
    case AH_ACCELERATION:
    case AH_SPEED_DOT: return 1;
    case AH_VELOCITY:
    case AH_SPEED: return 2;
    default: return 3;
    }
}

static int compare_symbols(const ah_ctx *ctx, ah_expr a, ah_expr b)
{
    int c = level_of(expr_get_kind(ctx, b)) - level_of(expr_get_kind(ctx, a));
    if (c) return c; /* x before x' in a product */
    return expr_slot(ctx, a) < expr_slot(ctx, b) ? -1 : 1;
}

static int compare_children(const ah_ctx *ctx, ah_expr a, ah_expr b, int look)
{
    size_t m = expr_get_count(ctx, a), n = expr_get_count(ctx, b);
    const ah_expr *x = expr_get_children(ctx, a), *y = expr_get_children(ctx, b);
    int c = 0;
    for (size_t i = 0; !c && i < m && i < n; i++) c = compare(ctx, x[i], y[i], look - 1);
    return c ? c : (m > n) - (m < n);
}

static int compare_same_op(const ah_ctx *ctx, ah_expr a, ah_expr b, int look)
{
    switch (expr_op_of(ctx, a)) {
    case EXPR_NUMBER: return compare_numbers(ctx, a, b);
    case EXPR_SYMBOL: return compare_symbols(ctx, a, b);
    case EXPR_CALL:
        if (expr_get_function(ctx, a) != expr_get_function(ctx, b))
            return expr_get_function(ctx, a) < expr_get_function(ctx, b) ? -1 : 1;
        return compare_children(ctx, a, b, look);
    case EXPR_UNKNOWN: {
        int c = strcmp(expr_get_name(ctx, a), expr_get_name(ctx, b));
        return c ? c : compare_children(ctx, a, b, look);
    }
    default: return compare_children(ctx, a, b, look);
    }
}

static int compare_factors(const ah_ctx *ctx, expr_factor a, expr_factor b, int look)
{
    int c = factor_class(ctx, a) - factor_class(ctx, b);
    expr_op x = expr_op_of(ctx, a.base), y = expr_op_of(ctx, b.base);
    if (!c && a.base != b.base && look > 0)
        c = x == y ? compare_same_op(ctx, a.base, b.base, look) : (int) x - (int) y;
    if (!c && a.base == b.base && a.exponent != b.exponent)
        c = compare(ctx, a.exponent, b.exponent, look - 1);
    return c ? c : (a.base > b.base) - (a.base < b.base);
}

/* Structure first; what the look cannot tell apart is ordered by age. */
static int compare(const ah_ctx *ctx, ah_expr a, ah_expr b, int look)
{
    if (a == b) return 0;
    if (look <= 0) return a < b ? -1 : 1;
    int c = (expr_op_of(ctx, a) == EXPR_NUMBER) - (expr_op_of(ctx, b) == EXPR_NUMBER);
    if (!c) c = compare_factors(ctx, as_factor(ctx, a), as_factor(ctx, b), look);
    return c ? c : a < b ? -1 : 1;
}

static int compare_ranked_factors(const ah_ctx *ctx, const ranked *a, const ranked *b)
{
    return compare_factors(ctx, a->f, b->f, LOOK);
}

/* ---- Fractions ------------------------------------------------------------------------------- */

static void sort_factors(ah_ctx *ctx, expr_factor *f, size_t n)
{
    if (n < 2) return;
    arena_mark mark = arena_get_mark(&ctx->scratch);
    ranked *list = NEW_ARRAY(&ctx->scratch, ranked, n);
    ranked *spare = NEW_ARRAY(&ctx->scratch, ranked, n);
    for (size_t i = 0; i < n; i++) list[i].f = f[i];
    sort(ctx, list, spare, n, compare_ranked_factors);
    for (size_t i = 0; i < n; i++) f[i] = list[i].f;
    arena_release(&ctx->scratch, mark);
}

static void push_factor(ah_ctx *ctx, expr_fraction *f, ah_expr e)
{
    expr_factor x = as_factor(ctx, e);
    if (expr_op_of(ctx, x.exponent) == EXPR_NUMBER && expr_number_sign(ctx, x.exponent) < 0) {
        x.exponent = expr_number_neg(ctx, x.exponent);
        f->under[f->under_count++] = x;
    } else {
        f->over[f->over_count++] = x;
    }
}

expr_fraction expr_display_fraction(ah_ctx *ctx, arena *a, ah_expr e)
{
    ah_expr coefficient, rest;
    expr_split(ctx, e, &coefficient, &rest);
    bool product = expr_op_of(ctx, rest) == EXPR_PRODUCT;
    size_t count = product ? expr_get_count(ctx, rest) : 1;
    expr_fraction f = {.negative = expr_number_sign(ctx, coefficient) < 0};
    f.coefficient = f.negative ? expr_number_neg(ctx, coefficient) : coefficient;
    f.over = NEW_ARRAY(a, expr_factor, count);
    f.under = NEW_ARRAY(a, expr_factor, count);
    if (rest == EXPR_ONE) return f;
    const ah_expr *children = product ? expr_get_children(ctx, rest) : &rest;
    for (size_t i = 0; i < count; i++) push_factor(ctx, &f, children[i]);
    sort_factors(ctx, f.over, f.over_count);
    sort_factors(ctx, f.under, f.under_count);
    return f;
}

/* ---- Terms ----------------------------------------------------------------------------------- */

static int compare_degrees(degrees a, degrees b)
{
    for (int i = 0; i < 4; i++)
        if (a.d[i] != b.d[i]) return a.d[i] > b.d[i] ? -1 : 1;
    return 0;
}

static degrees degrees_of(const ah_ctx *ctx, ah_expr e, int look);

static degrees sum_degrees(const ah_ctx *ctx, ah_expr e, int look)
{
    const ah_expr *children = expr_get_children(ctx, e);
    degrees most = {{0}};
    size_t n = expr_get_count(ctx, e);
    for (size_t i = 0; i < n && i < 16; i++) {
        degrees d = degrees_of(ctx, children[i], look - 1);
        if (compare_degrees(d, most) < 0) most = d;
    }
    return most;
}

static degrees product_degrees(const ah_ctx *ctx, ah_expr e, int look)
{
    const ah_expr *children = expr_get_children(ctx, e);
    degrees all = {{0}};
    for (size_t i = 0, n = expr_get_count(ctx, e); i < n; i++) {
        degrees d = degrees_of(ctx, children[i], look);
        for (int k = 0; k < 4; k++) all.d[k] += d.d[k];
    }
    return all;
}

static degrees power_degrees(const ah_ctx *ctx, ah_expr e, int look)
{
    const ah_expr *children = expr_get_children(ctx, e);
    long p = 1, q = 1;
    if (expr_is_rational(ctx, children[1], &p, &q) && p < 0) return (degrees){{0}};
    if (p > 1000000) p = 1000000;
    degrees d = degrees_of(ctx, children[0], look - 1);
    for (int k = 0; k < 4; k++) d.d[k] = d.d[k] * p / q;
    return d;
}

static degrees degrees_of(const ah_ctx *ctx, ah_expr e, int look)
{
    degrees d = {{0, 0, 0, 1}};
    switch (expr_op_of(ctx, e)) {
    case EXPR_NUMBER: return (degrees){{0}};
    case EXPR_SYMBOL:
        if (level_of(expr_get_kind(ctx, e)) < 3) d.d[level_of(expr_get_kind(ctx, e))] = 1;
        return d;
    case EXPR_SUM: return look > 0 ? sum_degrees(ctx, e, look) : d;
    case EXPR_PRODUCT: return look > 0 ? product_degrees(ctx, e, look) : d;
    case EXPR_POWER: return look > 0 ? power_degrees(ctx, e, look) : d;
    default: return d;
    }
}

static int compare_lists(const ah_ctx *ctx, const expr_factor *x, size_t m, const expr_factor *y,
                         size_t n)
{
    int c = 0;
    for (size_t i = 0; !c && i < m && i < n; i++) c = compare_factors(ctx, x[i], y[i], LOOK);
    return c ? c : (m < n) - (m > n);
}

/* The number last, then degrees, then the factors one by one. */
static int compare_terms(const ah_ctx *ctx, const ranked *a, const ranked *b)
{
    const expr_fraction *x = &a->parts, *y = &b->parts;
    int c =
        (expr_op_of(ctx, a->f.base) == EXPR_NUMBER) - (expr_op_of(ctx, b->f.base) == EXPR_NUMBER);
    if (!c) c = compare_degrees(a->d, b->d);
    if (!c) c = compare_lists(ctx, x->over, x->over_count, y->over, y->over_count);
    if (!c) c = -compare_lists(ctx, x->under, x->under_count, y->under, y->under_count);
    return c ? c : (a->f.base > b->f.base) - (a->f.base < b->f.base);
}

/* Nobody begins with a minus who can help it: the first positive term comes to the front, in a short sum all of them,
 * a b + c d − e and not a b − e + c d. */
static void begin_positive(ranked *list, ranked *spare, size_t n)
{
    size_t first = 0, kept = 0, moved = 0;
    while (first < n && list[first].parts.negative) first++;
    if (first == 0 || first == n) return;
    for (size_t i = 0; i < n; i++) {
        const bool forward = i == first || (n <= SHORT_SUM && !list[i].parts.negative);
        if (forward)
            list[moved++] = list[i]; /* what stood there has been put aside */
        else
            spare[kept++] = list[i];
    }
    if (kept) memcpy(list + moved, spare, kept * sizeof *list);
}

ah_expr *expr_display_terms(ah_ctx *ctx, arena *a, ah_expr sum)
{
    size_t n = expr_get_count(ctx, sum);
    const ah_expr *children = expr_get_children(ctx, sum);
    ah_expr *terms = NEW_ARRAY(a, ah_expr, n);
    arena_mark mark = arena_get_mark(&ctx->scratch);
    ranked *list = NEW_ARRAY(&ctx->scratch, ranked, n);
    ranked *spare = NEW_ARRAY(&ctx->scratch, ranked, n);
    for (size_t i = 0; i < n; i++) {
        ah_expr e = children[i];
        list[i] = (ranked){
            {e, EXPR_ONE}, degrees_of(ctx, e, LOOK), expr_display_fraction(ctx, &ctx->scratch, e)};
    }
    sort(ctx, list, spare, n, compare_terms);
    begin_positive(list, spare, n);
    for (size_t i = 0; i < n; i++) terms[i] = list[i].f.base;
    arena_release(&ctx->scratch, mark);
    return terms;
}
