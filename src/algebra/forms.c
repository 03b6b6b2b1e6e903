/* algebra/forms.c - linear forms Σ p/q · base (arguments of functions with addition theorems) and
 * the choice of base forms. */
#include "internal.h"
#include <limits.h>
#include <stdlib.h>

/* Coefficients beyond this stay inside their term: sin(10^30 x) is a function of 10^30 x. */
#define COEFFICIENT_LIMIT (1L << 20)
#define EXPANSION_TERMS   512 /* of the function of one form */

/* ---- Reading --------------------------------------------------------------------------------- */

static form_term term_read(ah_ctx *ctx, ah_expr e)
{
    form_term t = {e, 1, 1};
    long p, q;
    const bool number = expr_get_op(ctx, e) == EXPR_NUMBER;
    const bool product = expr_get_op(ctx, e) == EXPR_PRODUCT;
    const ah_expr *children = product ? expr_get_children(ctx, e) : &e;
    if (!expr_is_rational(ctx, children[0], &p, &q)) return t;
    if (labs(p) > COEFFICIENT_LIMIT || q > COEFFICIENT_LIMIT) return t;
    t.p = p, t.q = q;
    t.base =
        number ? expr_int(ctx, 1) : expr_product(ctx, expr_get_count(ctx, e) - 1, children + 1);
    return t;
}

static void take_turn(form *f, form_term t)
{
    long p = t.p % (2 * t.q);
    f->turn_p = p < 0 ? p + 2 * t.q : p; /* in [0, 2π) */
    f->turn_q = t.q;
}

/* p/q = whole + rest, 0 ≤ rest < 1. */
static void take_whole(form *f, form_term t)
{
    f->whole = t.p / t.q - (t.p % t.q < 0);
    t.p -= f->whole * t.q;
    if (t.p) f->term[f->count++] = t;
}

form form_read(ah_ctx *ctx, arena *a, ah_expr arg, form_use use)
{
    const bool sum = expr_get_op(ctx, arg) == EXPR_SUM;
    const size_t count = sum ? expr_get_count(ctx, arg) : 1;
    const ah_expr *children = sum ? expr_get_children(ctx, arg) : &arg;
    form f = {.arg = arg, .term = NEW_ARRAY(a, form_term, count), .turn_q = 1};
    for (size_t i = 0; i < count; i++) {
        const form_term t = term_read(ctx, children[i]);
        if (use == FORM_ANGLE && expr_get_op(ctx, t.base) == EXPR_PI)
            take_turn(&f, t);
        else if (use == FORM_EXPONENT && expr_is_one(ctx, t.base))
            take_whole(&f, t);
        else if (t.p)
            f.term[f.count++] = t;
    }
    return f;
}

/* ---- Rationals that notice overflow ---------------------------------------------------------- */

typedef struct ratio {
    long p, q;
} ratio;

static long gcd(long a, long b)
{
    while (b) {
        const long r = a % b;
        a = b, b = r;
    }
    return labs(a);
}

/* a − b·c; *good is cleared when it does not fit. */
static ratio fused(ratio a, ratio b, ratio c, bool *good)
{
    ratio m, out;
    long x, y;
    if (!b.p || !c.p) return a;
    const long g = gcd(b.p, c.q), h = gcd(c.p, b.q);
    bool over = __builtin_mul_overflow(b.p / g, c.p / h, &m.p);
    over |= __builtin_mul_overflow(b.q / h, c.q / g, &m.q);
    over |= __builtin_mul_overflow(a.p, m.q, &x);
    over |= __builtin_mul_overflow(m.p, a.q, &y);
    over |= __builtin_sub_overflow(x, y, &out.p);
    over |= __builtin_mul_overflow(a.q, m.q, &out.q);
    if (over || labs(out.p) > LONG_MAX / 2) {
        *good = false;
        return a;
    }
    const long k = gcd(out.p, out.q);
    return (ratio){out.p / k, out.q / k};
}

static ratio inverse(ratio a)
{
    return a.p < 0 ? (ratio){-a.q, -a.p} : (ratio){a.q, a.p};
}

/* ---- The table of coefficients: a row a term, a column a form -------------------------------- */

typedef struct table {
    ah_ctx *ctx;
    arena *arena;
    const form *forms;
    size_t rows, cols;
    LIST(ah_expr) terms;
    map row;       /* term → row + 1 */
    size_t *order; /* columns hold the forms in this order: simple ones first */
    ratio *at;     /* rows × cols, once reduced the coordinates in the pivot columns */
    size_t *pivot; /* pivot[k]: column, k < rank */
    size_t rank;
} table;

static long size_of(const form *f)
{
    long size = 0;
    for (size_t i = 0; i < f->count; i++) size += labs(f->term[i].p) + f->term[i].q;
    return size;
}

/* How far apart its terms were made: of all differences of angles those of neighbours serve best. */
static ah_expr span_of(const form *f)
{
    ah_expr least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < f->count; i++) {
        const ah_expr base = f->term[i].base;
        least = base < least ? base : least;
        most = base > most ? base : most;
    }
    return f->count ? most - least : 0;
}

static int by_simplicity(const void *x, const void *y)
{
    const form *a = *(const form *const *) x, *b = *(const form *const *) y;
    const long size_a = size_of(a), size_b = size_of(b);
    if (size_a != size_b) return size_a < size_b ? -1 : 1;
    const ah_expr span_a = span_of(a), span_b = span_of(b);
    if (span_a != span_b) return span_a < span_b ? -1 : 1;
    return a->arg != b->arg ? (a->arg < b->arg ? -1 : 1) : (a > b) - (a < b);
}

static void sort_forms(table *t)
{
    const form **sorted = NEW_ARRAY(t->arena, const form *, t->cols);
    for (size_t j = 0; j < t->cols; j++) sorted[j] = &t->forms[j];
    qsort(sorted, t->cols, sizeof *sorted, by_simplicity);
    for (size_t j = 0; j < t->cols; j++) t->order[j] = (size_t) (sorted[j] - t->forms);
}

static table table_make(ah_ctx *ctx, arena *a, const form *forms, size_t count)
{
    table t = {.ctx = ctx, .arena = a, .forms = forms, .cols = count, .row = {.arena = a}};
    t.order = NEW_ARRAY(a, size_t, count);
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < forms[j].count; i++) {
            const ah_expr base = forms[j].term[i].base;
            if (map_get(&t.row, base)) continue;
            LIST_PUSH(a, &t.terms, base);
            map_put(&t.row, base, (uint32_t) ++t.rows);
        }
    sort_forms(&t);
    return t;
}

static void table_fill(table *t)
{
    t->at = NEW_ARRAY(t->arena, ratio, t->rows * t->cols);
    t->pivot = NEW_ARRAY(t->arena, size_t, t->rows);
    for (size_t i = 0; i < t->rows * t->cols; i++) t->at[i].q = 1;
    for (size_t j = 0; j < t->cols; j++) {
        const form *f = &t->forms[t->order[j]];
        for (size_t i = 0; i < f->count; i++)
            t->at[(map_get(&t->row, f->term[i].base) - 1) * t->cols + j] =
                (ratio){f->term[i].p, f->term[i].q};
    }
}

static void swap_rows(table *t, size_t a, size_t b)
{
    for (size_t j = 0; j < t->cols; j++) {
        const ratio keep = t->at[a * t->cols + j];
        t->at[a * t->cols + j] = t->at[b * t->cols + j];
        t->at[b * t->cols + j] = keep;
    }
}

/* Gauss-Jordan. The pivot columns are the first independent forms, the other columns then hold
 * their coordinates in these. False on overflow. */
static bool table_reduce(table *t)
{
    bool good = true;
    const ratio none = {0, 1};
    for (size_t j = 0; j < t->cols && t->rank < t->rows && good; j++) {
        size_t i = t->rank;
        while (i < t->rows && !t->at[i * t->cols + j].p) i++;
        if (i == t->rows) continue;
        swap_rows(t, i, t->rank);
        ratio *row = &t->at[t->rank * t->cols];
        const ratio scale = inverse(row[j]);
        for (size_t k = j; k < t->cols; k++)
            row[k] = fused(none, (ratio){-row[k].p, row[k].q}, scale, &good);
        for (i = 0; i < t->rows; i++) {
            const ratio factor = t->at[i * t->cols + j];
            if (i == t->rank || !factor.p) continue;
            for (size_t k = j; k < t->cols; k++)
                t->at[i * t->cols + k] = fused(t->at[i * t->cols + k], factor, row[k], &good);
        }
        t->pivot[t->rank++] = j;
    }
    return good;
}

/* sin(Σ k_i a_i) has some Π (k_i + 1) terms when it is expanded. */
static bool multiply_terms(long *terms, long multiple)
{
    if (multiple > MULTIPLE_LIMIT) return false;
    *terms *= multiple + 1;
    return *terms <= EXPANSION_TERMS;
}

/* Can the pivot forms serve? plain: even so that each form is ± one of them. */
static bool table_integral(const table *t, bool plain)
{
    for (size_t j = 0; j < t->cols; j++) {
        long sum = 0, terms = 1;
        for (size_t k = 0; k < t->rank; k++) {
            const ratio x = t->at[k * t->cols + j];
            if (x.q != 1 || !multiply_terms(&terms, labs(x.p))) return false;
            sum += labs(x.p);
        }
        if (plain && sum > 1) return false;
    }
    return true;
}

/* ---- Bases ----------------------------------------------------------------------------------- */

/* The form without its multiple of π or its integer part. */
static ah_expr linear_part(ah_ctx *ctx, arena *a, const form *f)
{
    ah_expr *terms = NEW_ARRAY(a, ah_expr, f->count);
    for (size_t i = 0; i < f->count; i++)
        terms[i] = expr_mul(ctx, expr_rational(ctx, f->term[i].p, f->term[i].q), f->term[i].base);
    return expr_sum(ctx, f->count, terms);
}

static form_basis from_pivots(const table *t)
{
    form_basis b = {
        .count = t->rank, .independent = true, .arg = NEW_ARRAY(t->arena, ah_expr, t->rank)};
    b.sum = NEW_ARRAY(t->arena, form_sum, t->cols);
    b.single = true;
    for (size_t k = 0; k < t->rank; k++) {
        const form *f = &t->forms[t->order[t->pivot[k]]];
        b.arg[k] = linear_part(t->ctx, t->arena, f);
        b.single = b.single && f->count == 1;
    }
    for (size_t j = 0; j < t->cols; j++) {
        form_sum *sum = &b.sum[t->order[j]];
        sum->at = NEW_ARRAY(t->arena, form_part, t->rank);
        for (size_t k = 0; k < t->rank; k++) {
            const int times = (int) t->at[k * t->cols + j].p;
            if (times) sum->at[sum->count++] = (form_part){k, times};
        }
    }
    return b;
}

static long common_multiple(long a, long b)
{
    const long m = a / gcd(a, b);
    return m > COEFFICIENT_LIMIT / b ? 0 : m * b;
}

/* Denominators by which the terms must be divided so that small multiples result; a form for which
 * that fails gets own[j] set and is left out. */
static long *denominators(const table *t, bool *own)
{
    long *den = NEW_ARRAY(t->arena, long, t->rows);
    for (size_t i = 0; i < t->rows; i++) den[i] = 1;
    for (size_t j = 0; j < t->cols; j++)
        for (size_t i = 0; i < t->forms[j].count; i++) {
            const form_term x = t->forms[j].term[i];
            long *d = &den[map_get(&t->row, x.base) - 1];
            const long m = common_multiple(*d, x.q);
            if (m && m <= MULTIPLE_LIMIT)
                *d = m;
            else
                own[j] = true;
        }
    for (size_t j = 0; j < t->cols; j++) {
        long terms = 1;
        for (size_t i = 0; i < t->forms[j].count && !own[j]; i++) {
            const form_term x = t->forms[j].term[i];
            const long d = den[map_get(&t->row, x.base) - 1];
            own[j] = d % x.q || labs(x.p) > MULTIPLE_LIMIT ||
                     !multiply_terms(&terms, labs(x.p) * (d / x.q));
        }
    }
    return den;
}

static void add_part(form_sum *sum, form_part part)
{
    size_t i = sum->count++;
    for (; i > 0 && sum->at[i - 1].base > part.base; i--) sum->at[i] = sum->at[i - 1];
    sum->at[i] = part;
}

/* Single terms, divided by the common denominator of their coefficients. */
static form_basis from_terms(const table *t)
{
    bool *own = NEW_ARRAY(t->arena, bool, t->cols);
    const long *den = denominators(t, own);
    form_basis b = {.count = t->rows, .single = true, .independent = true};
    for (size_t j = 0; j < t->cols; j++) b.count += own[j];
    b.arg = NEW_ARRAY(t->arena, ah_expr, b.count);
    b.sum = NEW_ARRAY(t->arena, form_sum, t->cols);
    for (size_t i = 0; i < t->rows; i++)
        b.arg[i] = expr_mul(t->ctx, expr_rational(t->ctx, 1, den[i]), t->terms.at[i]);
    for (size_t j = 0, next = t->rows; j < t->cols; j++) {
        form_sum *sum = &b.sum[j];
        sum->at = NEW_ARRAY(t->arena, form_part, t->forms[j].count + 1);
        if (own[j]) {
            b.independent = false; /* sin(100 x) beside sin(x) */
            b.arg[next] = linear_part(t->ctx, t->arena, &t->forms[j]);
            add_part(sum, (form_part){next++, 1});
            continue;
        }
        for (size_t i = 0; i < t->forms[j].count; i++) {
            const form_term x = t->forms[j].term[i];
            const size_t k = map_get(&t->row, x.base) - 1;
            add_part(sum, (form_part){k, (int) (x.p * (den[k] / x.q))});
        }
    }
    return b;
}

/* Where the forms themselves are independent (only θ1 − θ2 occurs, or only 2θ) they are the bases:
 * nothing is expanded. Where they span less than their terms do (all differences of n angles), some
 * of them serve. Else each term is a base, unless the multiples become too large: 100 x and 200 x.
 */
form_basis basis_choose(ah_ctx *ctx, arena *a, const form *forms, size_t count, bool canonical)
{
    table t = table_make(ctx, a, forms, count);
    if (canonical || t.rows * t.cols * t.rows > 1000 * 1000) return from_terms(&t);
    table_fill(&t);
    const bool reduced = table_reduce(&t);
    if (reduced && table_integral(&t, t.rank == t.rows)) return from_pivots(&t);
    const form_basis terms = from_terms(&t);
    if (!terms.independent && reduced && table_integral(&t, false)) return from_pivots(&t);
    return terms;
}
