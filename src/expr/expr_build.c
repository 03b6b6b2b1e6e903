/* expr/expr_build.c - sums, products and powers in canonical form.
 *
 * A sum collects like terms: every term is a rational factor times a rest, terms with the same rest
 * are one. A product collects powers of the same base. Both are sorted by handle, so equal ones
 * meet in the hash table. Only cheap rules: nothing is expanded, nothing is compared beyond
 * handles. */
#include "pool.h"
#include <string.h>

/* Short lists live on the C stack, long ones in scratch. */
#define SHORT 24

/* The code of a sum that others do not open. */
enum { CLOSED = 1 };

typedef struct work {
    uint64_t *item, *spare;
    size_t count;
    bool again; /* a new term must be taken apart once more */
    uint64_t short_item[SHORT];
} work;

static void work_begin(ah_ctx *ctx, work *w, size_t most)
{
    w->item = w->short_item;
    w->spare = NULL;
    w->count = 0;
    w->again = false;
    if (most > SHORT) {
        w->item = NEW_ARRAY(&ctx->scratch, uint64_t, most);
        w->spare = NEW_ARRAY(&ctx->scratch, uint64_t, most);
    }
}

/* Few, none of which meets another: what most sums and products are. They are kept in order as they come, without a list to
 * be sorted and collected. */
typedef struct few {
    size_t count;
    uint64_t item[SHORT];
} few;

/* False: there are too many, or one with this key is there. Keys mostly come ascending. */
static inline bool few_put(few *f, ah_expr key, ah_expr value)
{
    size_t i = f->count;
    if (i == SHORT) return false;
    for (; i && (ah_expr) (f->item[i - 1] >> 32) >= key; i--) {
        if ((ah_expr) (f->item[i - 1] >> 32) == key) return false;
        f->item[i] = f->item[i - 1];
    }
    f->item[i] = (uint64_t) key << 32 | value;
    f->count++;
    return true;
}

/* The values, ascending. */
static inline void few_values(const few *f, ah_expr *out)
{
    for (size_t k = 0; k < f->count; k++) {
        const ah_expr value = (ah_expr) f->item[k];
        size_t i = k;
        for (; i && out[i - 1] > value; i--) out[i] = out[i - 1];
        out[i] = value;
    }
}

static inline void work_push(work *w, ah_expr key, ah_expr value)
{
    w->item[w->count++] = (uint64_t) key << 32 | value;
}

static inline ah_expr key_at(const work *w, size_t i)
{
    return (ah_expr) (w->item[i] >> 32);
}

static inline ah_expr value_at(const work *w, size_t i)
{
    return (ah_expr) w->item[i];
}

/* The values of a worked list as handles, in place of the items (half their size). */
static ah_expr *work_handles(ah_ctx *ctx, work *w, ah_expr *short_list)
{
    ah_expr *list = w->count <= SHORT ? short_list : NEW_ARRAY(&ctx->scratch, ah_expr, w->count);
    for (size_t i = 0; i < w->count; i++) list[i] = value_at(w, i);
    return list;
}

static ah_expr intern_nary(ah_ctx *ctx, expr_op op, const ah_expr *children, size_t count,
                           ah_expr rest)
{
    if (count > UINT32_MAX) ctx_raise_limit(ctx, "a sum or product has too many operands");
    return expr_intern(
        ctx, &(expr_key){.op = op, .count = (uint32_t) count, .children = children, .aux = rest});
}

/* ---- Rational factors ------------------------------------------------------------------------ */

void expr_split(const ah_ctx *ctx, ah_expr term, ah_expr *coefficient, ah_expr *rest)
{
    const expr_node *n = expr_node_of(ctx, term);
    *coefficient = EXPR_ONE;
    *rest = term;
    if (n->op == EXPR_NUMBER) {
        *coefficient = term;
        *rest = EXPR_ONE;
    } else if (n->op == EXPR_PRODUCT && n->aux) {
        *coefficient = n->children[0];
        *rest = n->aux;
    }
}

static ah_expr scaled_long(ah_ctx *ctx, ah_expr coefficient, ah_expr rest)
{
    const expr_node *n = expr_node_of(ctx, rest);
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    ah_expr *list = NEW_ARRAY(&ctx->scratch, ah_expr, (size_t) n->count + 1);
    list[0] = coefficient;
    memcpy(list + 1, n->children, n->count * sizeof *list);
    const ah_expr e = intern_nary(ctx, EXPR_PRODUCT, list, (size_t) n->count + 1, rest);
    arena_release(&ctx->scratch, mark);
    return e;
}

ah_expr expr_scaled(ah_ctx *ctx, ah_expr coefficient, ah_expr rest)
{
    if (coefficient == EXPR_ONE) return rest;
    if (rest == EXPR_ONE) return coefficient;
    const expr_node *n = expr_node_of(ctx, rest);
    if (n->op != EXPR_PRODUCT)
        return intern_nary(ctx, EXPR_PRODUCT, (ah_expr[]){coefficient, rest}, 2, rest);
    if (n->count > SHORT) return scaled_long(ctx, coefficient, rest);
    ah_expr list[SHORT + 1];
    list[0] = coefficient;
    for (uint32_t i = 0; i < n->count; i++) list[i + 1] = n->children[i];
    return intern_nary(ctx, EXPR_PRODUCT, list, (size_t) n->count + 1, rest);
}

/* Of a sum and its negative exactly one is negative: the one whose first term is. The order of the
 * terms changes with their signs, that of their rests does not; the number counts last. */
static bool sum_is_negative(const ah_ctx *ctx, const expr_node *sum)
{
    ah_expr first = UINT32_MAX;
    bool negative = false;
    for (uint32_t i = 0; i < sum->count; i++) {
        ah_expr coefficient, rest;
        expr_split(ctx, sum->children[i], &coefficient, &rest);
        if (rest == EXPR_ONE || rest > first) continue;
        first = rest;
        negative = expr_number_sign(ctx, coefficient) < 0;
    }
    return negative;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* A sum inside a sum is opened, also when it is subtracted: a - (b + c) must collect. */
static const expr_node *inner_sum(const ah_ctx *ctx, ah_expr term, bool *negative)
{
    ah_expr coefficient, rest;
    expr_split(ctx, term, &coefficient, &rest);
    *negative = coefficient == EXPR_MINUS_ONE;
    if (coefficient != EXPR_ONE && !*negative) return NULL;
    const expr_node *n = expr_node_of(ctx, rest);
    return n->op == EXPR_SUM && n->code != CLOSED ? n : NULL;
}

static void push_term(ah_ctx *ctx, work *w, ah_expr term, bool negative)
{
    ah_expr coefficient, rest;
    expr_split(ctx, term, &coefficient, &rest);
    if (coefficient == EXPR_ZERO && rest == EXPR_ONE) return;
    work_push(w, rest, negative ? expr_number_neg(ctx, coefficient) : coefficient);
}

static void gather_terms(ah_ctx *ctx, work *w, size_t count, const ah_expr *terms)
{
    bool negative;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const expr_node *inner = inner_sum(ctx, terms[i], &negative);
        most += inner ? inner->count : 1;
    }
    work_begin(ctx, w, most);
    for (size_t i = 0; i < count; i++) {
        const expr_node *inner = inner_sum(ctx, terms[i], &negative);
        if (!inner) {
            push_term(ctx, w, terms[i], false);
            continue;
        }
        const ah_expr *children = inner->children; /* nodes move, children do not */
        for (uint32_t j = 0, n = inner->count; j < n; j++) push_term(ctx, w, children[j], negative);
    }
    expr_sort(w->item, w->spare, w->count);
}

/* Adds up the coefficients of equal rests; what is left are whole terms, in both halves of an item.
 */
static void collect_terms(ah_ctx *ctx, work *w)
{
    size_t kept = 0;
    for (size_t i = 0, j; i < w->count; i = j) {
        ah_expr rest = key_at(w, i), coefficient = value_at(w, i);
        for (j = i + 1; j < w->count && key_at(w, j) == rest; j++) {
            if (j == i + 1) expr_acc_set(ctx, coefficient);
            expr_acc_add(ctx, value_at(w, j));
        }
        if (j > i + 1) coefficient = expr_acc_get(ctx);
        if (j > i + 1 && coefficient == EXPR_ZERO) continue;
        bool negative;
        ah_expr term = expr_scaled(ctx, coefficient, rest);
        if (inner_sum(ctx, term, &negative)) w->again = true;
        w->item[kept++] = (uint64_t) term << 32 | term;
    }
    w->count = kept;
    expr_sort(w->item, w->spare, kept);
}

static bool few_term(const ah_ctx *ctx, few *f, ah_expr term)
{
    ah_expr coefficient, rest;
    expr_split(ctx, term, &coefficient, &rest);
    return term == EXPR_ZERO || few_put(f, rest, term);
}

/* The sum of few terms that are not alike, as it is made below; AH_NONE: they are many, or some are alike. */
static ah_expr few_terms(ah_ctx *ctx, size_t count, const ah_expr *terms)
{
    few f;
    f.count = 0;
    for (size_t i = 0; i < count; i++) {
        bool negative;
        const expr_node *inner = inner_sum(ctx, terms[i], &negative);
        if (!inner) {
            if (!few_term(ctx, &f, terms[i])) return AH_NONE;
            continue;
        }
        if (negative || inner->count > SHORT) return AH_NONE;
        for (uint32_t j = 0; j < inner->count; j++)
            if (!few_term(ctx, &f, inner->children[j])) return AH_NONE;
    }
    ah_expr list[SHORT];
    few_values(&f, list);
    if (f.count == 0) return EXPR_ZERO;
    return f.count == 1 ? list[0] : intern_nary(ctx, EXPR_SUM, list, f.count, AH_NONE);
}

/* Also opens a single subtracted sum. */
static ah_expr sum_opened(ah_ctx *ctx, size_t count, const ah_expr *terms)
{
    const ah_expr simple = count <= SHORT ? few_terms(ctx, count, terms) : AH_NONE;
    if (simple != AH_NONE) return simple;
    work w;
    ah_expr short_list[SHORT], *list;
    arena_mark mark = arena_get_mark(&ctx->scratch);
    do {
        gather_terms(ctx, &w, count, terms);
        collect_terms(ctx, &w);
        terms = list = work_handles(ctx, &w, short_list);
        count = w.count;
    } while (w.again);
    ah_expr e = EXPR_ZERO;
    if (count == 1) e = list[0];
    if (count > 1) e = intern_nary(ctx, EXPR_SUM, list, count, AH_NONE);
    arena_release(&ctx->scratch, mark);
    return e;
}

ah_expr expr_sum(ah_ctx *ctx, size_t count, const ah_expr *terms)
{
    expr_pool_of(ctx);
    if (count == 0) return EXPR_ZERO;
    return count == 1 ? terms[0] : sum_opened(ctx, count, terms);
}

bool expr_is_closed(const ah_ctx *ctx, ah_expr e)
{
    const expr_node *n = expr_node_of(ctx, e);
    return n->op == EXPR_SUM && n->code == CLOSED;
}

ah_expr expr_closed(ah_ctx *ctx, ah_expr e)
{
    const expr_node *n = expr_node_of(ctx, e);
    if (n->op != EXPR_SUM || n->code == CLOSED) return e;
    return expr_intern(
        ctx,
        &(expr_key){.op = EXPR_SUM, .code = CLOSED, .count = n->count, .children = n->children});
}

ah_expr expr_unsigned(ah_ctx *ctx, ah_expr e, bool *negative)
{
    ah_expr coefficient, rest;
    expr_split(ctx, e, &coefficient, &rest);
    *negative = expr_number_sign(ctx, coefficient) < 0;
    if (*negative) coefficient = expr_number_neg(ctx, coefficient);
    const expr_node *n = expr_node_of(ctx, rest);
    if (n->op == EXPR_SUM && n->code != CLOSED && sum_is_negative(ctx, n)) {
        ah_expr minus = expr_neg(ctx, rest);
        rest = sum_opened(ctx, 1, &minus);
        *negative = !*negative;
    }
    return expr_scaled(ctx, coefficient, rest);
}

/* ---- Products -------------------------------------------------------------------------------- */

static void push_factor(ah_ctx *ctx, work *w, ah_expr factor)
{
    const expr_node *n = expr_node_of(ctx, factor);
    if (n->op == EXPR_NUMBER)
        expr_acc_mul(ctx, factor);
    else
        work_push(w, n->op == EXPR_POWER ? n->children[0] : factor, factor);
}

/* A product inside a product is opened, unless it would grow past EXPR_FLAT factors: the derivative
 * of n nested functions has a product of k factors for every k up to n, and n²/2 children would not
 * fit anywhere. Closed ones leave their rational factor outside all the same. */
static void push_product(ah_ctx *ctx, work *w, ah_expr factor, bool open)
{
    const expr_node *n = expr_node_of(ctx, factor);
    if (n->op == EXPR_PRODUCT && open) {
        for (uint32_t j = 0; j < n->count; j++) push_factor(ctx, w, n->children[j]);
        return;
    }
    ah_expr coefficient, rest;
    expr_split(ctx, factor, &coefficient, &rest);
    expr_acc_mul(ctx, coefficient);
    if (rest != EXPR_ONE) push_factor(ctx, w, rest);
}

/* Bases with their factors; the numbers go to the accumulator. */
static void gather_factors(ah_ctx *ctx, work *w, size_t count, const ah_expr *factors)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const expr_node *n = expr_node_of(ctx, factors[i]);
        most += n->op == EXPR_PRODUCT ? n->count : 1;
    }
    bool open = most <= EXPR_FLAT;
    work_begin(ctx, w, open ? most : count);
    for (size_t i = 0; i < count; i++) push_product(ctx, w, factors[i], open);
    expr_sort(w->item, w->spare, w->count);
}

static ah_expr exponent_of(const ah_ctx *ctx, ah_expr base, ah_expr factor)
{
    return factor == base ? EXPR_ONE : expr_node_of(ctx, factor)->children[1];
}

/* base^(e1 + e2 + …) of the items from begin to end. */
static ah_expr merge_powers(ah_ctx *ctx, const work *w, size_t begin, size_t end)
{
    ah_expr base = key_at(w, begin), short_list[SHORT];
    size_t n = end - begin;
    ah_expr *list = n <= SHORT ? short_list : NEW_ARRAY(&ctx->scratch, ah_expr, n);
    for (size_t i = 0; i < n; i++) list[i] = exponent_of(ctx, base, value_at(w, begin + i));
    return expr_pow(ctx, base, expr_sum(ctx, n, list));
}

static ah_expr collect_factors(ah_ctx *ctx, work *w, ah_expr coefficient)
{
    size_t kept = 0;
    for (size_t i = 0, j; i < w->count; i = j) {
        ah_expr base = key_at(w, i), factor = value_at(w, i);
        for (j = i + 1; j < w->count && key_at(w, j) == base; j++) continue;
        if (j > i + 1) factor = merge_powers(ctx, w, i, j);
        const expr_node *n = expr_node_of(ctx, factor);
        if (n->op == EXPR_NUMBER) {
            coefficient = expr_number_mul(ctx, coefficient, factor);
            continue;
        }
        /* A merged power may have become something that meets other factors. */
        if (factor != base && !(n->op == EXPR_POWER && n->children[0] == base)) w->again = true;
        w->item[kept++] = (uint64_t) factor << 32 | factor;
    }
    w->count = kept;
    expr_sort(w->item, w->spare, kept);
    return coefficient;
}

/* 0 x is 0 for every x that exists, and 0 * 0^(-1) when one of the factors does not. */
static ah_expr times_zero(ah_ctx *ctx, const work *w)
{
    ah_expr none = expr_pow(ctx, EXPR_ZERO, EXPR_MINUS_ONE);
    for (size_t i = 0; i < w->count; i++)
        if (value_at(w, i) == none) return expr_scaled(ctx, EXPR_ZERO, none);
    return EXPR_ZERO;
}

static ah_expr product_opened(ah_ctx *ctx, size_t count, const ah_expr *factors)
{
    work w;
    ah_expr coefficient = EXPR_ONE, short_list[SHORT], *list;
    do {
        expr_acc_set(ctx, coefficient);
        gather_factors(ctx, &w, count, factors);
        coefficient = expr_acc_get(ctx);
        if (coefficient != EXPR_ZERO) coefficient = collect_factors(ctx, &w, coefficient);
        if (coefficient == EXPR_ZERO) return times_zero(ctx, &w);
        factors = list = work_handles(ctx, &w, short_list);
        count = w.count;
    } while (w.again);
    ah_expr rest = EXPR_ONE;
    if (count == 1) rest = list[0];
    if (count > 1) rest = intern_nary(ctx, EXPR_PRODUCT, list, count, AH_NONE);
    return expr_scaled(ctx, coefficient, rest);
}

/* A factor of a product of few that is no product. Numbers are put aside, up to two that are not one; false: only the long
 * way knows. */
static bool few_factor(const ah_ctx *ctx, few *f, ah_expr factor, ah_expr *number)
{
    const expr_node *n = expr_node_of(ctx, factor);
    if (n->op != EXPR_NUMBER)
        return few_put(f, n->op == EXPR_POWER ? n->children[0] : factor, factor);
    if (factor == EXPR_ONE) return true;
    if (factor == EXPR_ZERO || number[1] != EXPR_ONE) return false;
    number[number[0] != EXPR_ONE] = factor;
    return true;
}

/* The product of few factors of different bases, as it is made above; AH_NONE: they are many, or some meet. */
static ah_expr few_factors(ah_ctx *ctx, size_t count, const ah_expr *factors)
{
    few f;
    ah_expr numbers[2] = {EXPR_ONE, EXPR_ONE}, list[SHORT + 1];
    f.count = 0;
    for (size_t i = 0; i < count; i++) {
        const expr_node *n = expr_node_of(ctx, factors[i]);
        const bool product = n->op == EXPR_PRODUCT;
        const ah_expr *part = product ? n->children : &factors[i];
        const uint32_t parts = product ? n->count : 1;
        if (parts > SHORT) return AH_NONE;
        for (uint32_t j = 0; j < parts; j++)
            if (!few_factor(ctx, &f, part[j], numbers)) return AH_NONE;
    }
    ah_expr number = numbers[0];
    if (numbers[1] != EXPR_ONE) number = expr_number_mul(ctx, number, numbers[1]);
    few_values(&f, list + 1);
    ah_expr rest = f.count ? list[1] : EXPR_ONE;
    if (f.count > 1) rest = intern_nary(ctx, EXPR_PRODUCT, list + 1, f.count, AH_NONE);
    if (number == EXPR_ONE || rest == EXPR_ONE) return number == EXPR_ONE ? rest : number;
    list[0] = number;
    return intern_nary(ctx, EXPR_PRODUCT, list, f.count + 1, rest);
}

ah_expr expr_product(ah_ctx *ctx, size_t count, const ah_expr *factors)
{
    expr_pool_of(ctx);
    if (count == 0) return EXPR_ONE;
    if (count == 1) return factors[0];
    const ah_expr simple = count <= SHORT ? few_factors(ctx, count, factors) : AH_NONE;
    if (simple != AH_NONE) return simple;
    arena_mark mark = arena_get_mark(&ctx->scratch);
    ah_expr e = product_opened(ctx, count, factors);
    arena_release(&ctx->scratch, mark);
    return e;
}

/* ---- Powers ---------------------------------------------------------------------------------- */

static ah_expr intern_power(ah_ctx *ctx, ah_expr base, ah_expr exponent)
{
    return expr_intern(
        ctx, &(expr_key){.op = EXPR_POWER, .count = 2, .children = (ah_expr[]){base, exponent}});
}

static ah_expr number_power(ah_ctx *ctx, ah_expr base, ah_expr exponent)
{
    expr_split_power s = expr_number_pow(ctx, base, exponent);
    if (s.part == EXPR_ZERO) return s.factor;
    return expr_scaled(ctx, s.factor, intern_power(ctx, s.root, s.part));
}

/* (a b …)^n = a^n b^n … for an integer n. */
static ah_expr product_power(ah_ctx *ctx, ah_expr base, ah_expr exponent)
{
    const ah_expr *children = expr_get_children(ctx, base);
    size_t count = expr_get_count(ctx, base);
    arena_mark mark = arena_get_mark(&ctx->scratch);
    ah_expr *factors = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    for (size_t i = 0; i < count; i++) factors[i] = expr_pow(ctx, children[i], exponent);
    ah_expr e = expr_product(ctx, count, factors);
    arena_release(&ctx->scratch, mark);
    return e;
}

/* (c a)^r = c^r a^r for a positive number c, used where c^r is rational: sqrt(4 x) = 2 sqrt(x). */
static ah_expr scaled_power(ah_ctx *ctx, ah_expr base, ah_expr exponent)
{
    ah_expr c, rest;
    expr_split(ctx, base, &c, &rest);
    if (c != EXPR_ONE && expr_number_sign(ctx, c) > 0) {
        expr_split_power s = expr_number_pow(ctx, c, exponent);
        if (s.part == EXPR_ZERO) return expr_mul(ctx, s.factor, expr_pow(ctx, rest, exponent));
    }
    return intern_power(ctx, base, exponent);
}

/* Integer exponents, which allow more. They must fit a long: this also bounds how deep the rules
 * for products and powers inside each other go. */
static ah_expr integer_power(ah_ctx *ctx, ah_expr base, ah_expr exponent, long n)
{
    const expr_node *b = expr_node_of(ctx, base);
    if (b->op == EXPR_POWER) {
        ah_expr inner = b->children[0], inner_exponent = b->children[1];
        return expr_pow(ctx, inner, expr_mul(ctx, inner_exponent, exponent));
    }
    if (b->op == EXPR_PRODUCT) return product_power(ctx, base, exponent);
    bool even = n % 2 == 0, negative;
    if (even && b->op == EXPR_CALL && b->code == AH_ABS) base = b->children[0];
    if (even && b->op == EXPR_SUM) base = expr_unsigned(ctx, base, &negative);
    return intern_power(ctx, base, exponent);
}

ah_expr expr_pow(ah_ctx *ctx, ah_expr base, ah_expr exponent)
{
    if (exponent == EXPR_ZERO || base == EXPR_ONE) return EXPR_ONE;
    if (exponent == EXPR_ONE) return base;
    if (expr_op_of(ctx, exponent) != EXPR_NUMBER) return intern_power(ctx, base, exponent);
    if (expr_op_of(ctx, base) == EXPR_NUMBER) return number_power(ctx, base, exponent);
    long n;
    if (expr_is_int(ctx, exponent, &n)) return integer_power(ctx, base, exponent, n);
    if (expr_op_of(ctx, base) == EXPR_PRODUCT) return scaled_power(ctx, base, exponent);
    return intern_power(ctx, base, exponent);
}

ah_expr expr_powi(ah_ctx *ctx, ah_expr base, long exponent)
{
    return expr_pow(ctx, base, expr_int(ctx, exponent));
}

/* ---- Two operands ---------------------------------------------------------------------------- */

ah_expr expr_add(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    if (a == EXPR_ZERO) return b;
    if (b == EXPR_ZERO) return a;
    return sum_opened(ctx, 2, (ah_expr[]){a, b});
}

ah_expr expr_sub(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    return expr_add(ctx, a, expr_neg(ctx, b));
}

ah_expr expr_neg(ah_ctx *ctx, ah_expr a)
{
    ah_expr coefficient, rest;
    expr_split(ctx, a, &coefficient, &rest);
    return expr_scaled(ctx, expr_number_neg(ctx, coefficient), rest);
}

ah_expr expr_mul(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    if (a == EXPR_ONE) return b;
    if (b == EXPR_ONE) return a;
    return expr_product(ctx, 2, (ah_expr[]){a, b});
}

ah_expr expr_div(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    return expr_mul(ctx, a, expr_pow(ctx, b, EXPR_MINUS_ONE));
}
