/* algebra/nest.c - polynomials as a careful author writes them: collected, factored, short.
 *
 * Candidates are built and the cheapest to read is taken (show_cost). */
#include "ring.h"
#include <stdlib.h>
#include <string.h>

#define NEST_LEVELS 2 /* collecting inside collected coefficients */

/* ---- Classes of generators ------------------------------------------------------------------- */

typedef enum gen_class { CLASS_SPEED, CLASS_TRIG, CLASS_PARAMETER, CLASS_OTHER, CLASSES } gen_class;

static gen_class class_of(const ring *r, size_t at)
{
    const gen *x = &r->g->gen[at];
    if (x->kind == GEN_PARAMETER) return CLASS_PARAMETER;
    if (x->kind >= GEN_COSH) return CLASS_TRIG;
    if (x->kind != GEN_SYMBOL) return CLASS_OTHER;
    switch (expr_get_kind(r->ctx, x->e)) {
    case AH_VELOCITY:
    case AH_ACCELERATION:
    case AH_JERK:
    case AH_SPEED:
    case AH_SPEED_DOT:
    case AH_MULTIPLIER: return CLASS_SPEED;
    default: return CLASS_OTHER;
    }
}

/* ---- Collecting ------------------------------------------------------------------------------ */

/* Terms with the same exponents in the class. */
typedef struct row {
    const ulong *key; /* exponents of the class, then of the others */
    size_t inside, width;
    size_t term;
} row;

static int compare(const void *a, const void *b)
{
    const row *x = a, *y = b;
    for (size_t i = 0; i < x->width; i++)
        if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? 1 : -1;
    return 0;
}

static row *rows_of(ring *r, poly a, gen_class class)
{
    const size_t n = poly_terms(a), width = r->g->count;
    ulong *exponent = NEW_ARRAY(&r->ctx->scratch, ulong, width);
    ulong *keys = NEW_ARRAY(&r->ctx->scratch, ulong, n * width);
    row *rows = NEW_ARRAY(&r->ctx->scratch, row, n);
    for (size_t i = 0; i < n; i++) {
        ulong *key = &keys[i * width];
        size_t k = 0;
        fmpz_mpoly_get_term_exp_ui(exponent, a, (slong) i, r->mctx);
        for (size_t j = 0; j < width; j++)
            if (class_of(r, j) == class) key[k++] = exponent[j];
        const size_t inside = k;
        for (size_t j = 0; j < width; j++)
            if (class_of(r, j) != class) key[k++] = exponent[j];
        rows[i] = (row){key, inside, width, i};
    }
    qsort(rows, n, sizeof *rows, compare);
    return rows;
}

/* The term's exponents in the class, or outside it, with a coefficient. */
static void push(ring *r, poly out, poly a, size_t term, gen_class class, bool inside,
                 const fmpz_t coefficient)
{
    const arena_mark mark = arena_get_mark(&r->ctx->scratch);
    ulong *exponent = NEW_ARRAY(&r->ctx->scratch, ulong, r->g->count + 1);
    fmpz_mpoly_get_term_exp_ui(exponent, a, (slong) term, r->mctx);
    for (size_t j = 0; j < r->g->count; j++)
        if ((class_of(r, j) == class) != inside) exponent[j] = 0;
    fmpz_mpoly_push_term_fmpz_ui(out, coefficient, exponent, r->mctx);
    arena_release(&r->ctx->scratch, mark);
}

/* a = Σ outer · inner: monomials of the class that have the same coefficient (up to a number) share
 * it. */
typedef struct group {
    poly coefficient, monomials;
} group;
typedef struct groups {
    size_t count, terms; /* terms: monomials in all groups */
    group *at;
} groups;

static void add_group(ring *r, groups *g, poly a, size_t term, gen_class class, poly coefficient)
{
    poly content;
    const poly primitive = poly_primitive(r, coefficient, &content);
    size_t k = 0;
    while (k < g->count && !fmpz_mpoly_equal(g->at[k].coefficient, primitive, r->mctx)) k++;
    if (k == g->count) g->at[g->count++] = (group){primitive, poly_new(r)};
    push(r, g->at[k].monomials, a, term, class, true, content->coeffs);
    g->terms++;
}

static groups collect(ring *r, poly a, gen_class class)
{
    const size_t n = poly_terms(a);
    const row *rows = rows_of(r, a, class);
    groups g = {.at = NEW_ARRAY(&r->ctx->scratch, group, n)};
    for (size_t i = 0, j; i < n; i = j) {
        poly coefficient = poly_new(r);
        const size_t bytes = rows[i].inside * sizeof(ulong);
        for (j = i; j < n && !memcmp(rows[j].key, rows[i].key, bytes); j++)
            push(r, coefficient, a, rows[j].term, class, false, &a->coeffs[rows[j].term]);
        fmpz_mpoly_sort_terms(coefficient, r->mctx);
        add_group(r, &g, a, rows[i].term, class, coefficient);
    }
    for (size_t k = 0; k < g.count; k++) fmpz_mpoly_sort_terms(g.at[k].monomials, r->mctx);
    return g;
}

static size_t negatives(poly a)
{
    size_t count = 0;
    for (slong i = 0; i < a->length; i++) count += fmpz_sgn(&a->coeffs[i]) < 0;
    return count;
}

/* −(b − a) is a − b. */
static void orient(ring *r, group *g)
{
    const bool minus = negatives(g->monomials) == poly_terms(g->monomials);
    if (!minus || 2 * negatives(g->coefficient) < poly_terms(g->coefficient)) return;
    g->monomials = poly_scale(r, g->monomials, -1);
    g->coefficient = poly_scale(r, g->coefficient, -1);
}

static ah_expr collected(ring *r, poly a, gen_class class, unsigned level)
{
    const groups g = collect(r, a, class);
    if (g.count == poly_terms(a)) return AH_NONE; /* as it was */
    if (g.count == 1 && (poly_terms(g.at[0].coefficient) == 1 || g.terms == 1)) return AH_NONE;
    ah_expr *terms = NEW_ARRAY(&r->ctx->scratch, ah_expr, g.count);
    for (size_t k = 0; k < g.count; k++) {
        orient(r, &g.at[k]);
        terms[k] = expr_mul(r->ctx, nest_poly(r, g.at[k].coefficient, level + 1),
                            nest_poly(r, g.at[k].monomials, level + 1));
    }
    return expr_sum(r->ctx, g.count, terms);
}

/* ---- Common factors -------------------------------------------------------------------------- */

/* The greatest monomial dividing all terms. A minus sign goes with it where that leaves fewer of
 * them: it costs nothing beside a factor, brackets otherwise. */
static poly take_monomial(ring *r, poly a, poly *rest)
{
    poly m = poly_new(r);
    fmpz_mpoly_term_content(m, a, r->mctx);
    const size_t minus = negatives(a), all = poly_terms(a);
    if (minus == all || (2 * minus > all && !poly_is_one(r, m))) fmpz_mpoly_neg(m, m, r->mctx);
    *rest = poly_divide(r, a, m);
    return m;
}

/* ---- Nesting --------------------------------------------------------------------------------- */

ah_expr nest_poly(ring *r, poly a, unsigned level)
{
    if (poly_terms(a) <= 1) return show_expanded(r, a, false);
    const arena_mark mark = arena_get_mark(&r->ctx->scratch);
    poly rest;
    const poly monomial = take_monomial(r, a, &rest);
    ah_expr best = show_expanded(r, rest, false);
    best = show_shorter(r->alg, best, angles_joined(r, rest));
    best = show_shorter(r->alg, best, squares_joined(r, rest, level));
    if (level < NEST_LEVELS && poly_terms(rest) <= NEST_TERMS)
        for (gen_class class = 0; class < CLASSES; class ++)
            best = show_shorter(r->alg, best, collected(r, rest, class, level));
    best = expr_mul(r->ctx, show_expanded(r, monomial, false), best);
    arena_release(&r->ctx->scratch, mark);
    return best;
}

/* ---- The best -------------------------------------------------------------------------------- */

static ah_expr factored_form(ring *r, poly a)
{
    const poly_factors f = poly_factor(r, a);
    ah_expr *factors = NEW_ARRAY(&r->ctx->scratch, ah_expr, f.count + 1);
    for (size_t i = 0; i < f.count; i++)
        factors[i] =
            expr_powi(r->ctx, nest_poly(r, poly_shorten(r, f.factor[i]), 0), f.exponent[i]);
    factors[f.count] = show_expanded(r, f.content, false);
    return expr_product(r->ctx, f.count + 1, factors);
}

/* The same factors come again and again (the determinant under every entry of an inverse), so they
 * are remembered by their expanded form. */
ah_expr show_poly(ring *r, poly a)
{
    poly core;
    if (poly_terms(a) <= 1) return show_expanded(r, a, false);
    const size_t mark = ring_mark(r);
    const poly monomial = take_monomial(r, a, &core);
    const ah_expr outside = show_expanded(r, monomial, false), key = show_expanded(r, core, false);
    ah_expr best = map_get(&r->alg->shown, key);
    if (!best) {
        const poly p = poly_shorten(r, core);
        best = nest_poly(r, p, 0);
        if (poly_terms(p) > 1 && poly_terms(p) <= NEST_TERMS)
            best = show_shorter(r->alg, best, factored_form(r, p));
        map_put(&r->alg->shown, key, best);
    }
    ring_release(r, mark);
    return expr_mul(r->ctx, outside, best);
}

/* ---- Fractions ------------------------------------------------------------------------------- */

/* number · e; where e has one sum as a factor, the number may also be spread over its terms:
 * ½ m (x'² + 2 g y) or m (½ x'² + g y). */
static ah_expr scaled(ring *r, ah_expr number, ah_expr e)
{
    ah_ctx *ctx = r->ctx;
    const bool product = expr_get_op(ctx, e) == EXPR_PRODUCT;
    const size_t count = product ? expr_get_count(ctx, e) : 1;
    const ah_expr *child = product ? expr_get_children(ctx, e) : &e;
    ah_expr *factors = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    size_t sums = 0;
    for (size_t i = 0; i < count; i++) {
        factors[i] = child[i];
        if (expr_get_op(ctx, child[i]) != EXPR_SUM) continue;
        const size_t n = expr_get_count(ctx, child[i]);
        ah_expr *terms = NEW_ARRAY(&ctx->scratch, ah_expr, n);
        for (size_t k = 0; k < n; k++)
            terms[k] = expr_mul(ctx, number, expr_get_children(ctx, child[i])[k]);
        factors[i] = expr_sum(ctx, n, terms);
        sums++;
    }
    const ah_expr whole = expr_mul(ctx, number, e);
    return sums == 1 ? show_shorter(r->alg, whole, expr_product(ctx, count, factors)) : whole;
}

/* outer · num/den; a negative factor goes into a sum that likes it. */
static ah_expr quotient_form(ring *r, poly num, poly den)
{
    poly c, d;
    if (poly_is_zero(r, num)) return expr_int(r->ctx, 0);
    poly p = poly_primitive(r, num, &c);
    const poly q = poly_primitive(r, den, &d);
    const bool minus = fmpz_sgn(c->coeffs) * fmpz_sgn(d->coeffs) < 0;
    if (minus && 2 * negatives(p) + 2 >= poly_terms(p) && poly_terms(p) > 1) {
        p = poly_scale(r, p, -1);
        fmpz_mpoly_neg(c, c, r->mctx);
    }
    const ah_expr above = scaled(r, show_ratio(r, c, d), show_poly(r, p));
    return expr_mul(r->ctx, above, expr_powi(r->ctx, show_poly(r, q), -1));
}

/* quotient + remainder/den, when there is a quotient. */
static ah_expr divided_form(ring *r, frac a)
{
    poly quotient = poly_new(r), rest = poly_new(r), scale = poly_new(r);
    fmpz_mpoly_quasidivrem(fmpq_denref(r->q), quotient, rest, a.num, a.den, r->mctx);
    fmpz_mpoly_set_fmpz(scale, fmpq_denref(r->q), r->mctx);
    poly_check(r, quotient);
    if (poly_is_zero(r, quotient)) return AH_NONE;
    const frac tail = frac_cancel(r, (frac){rest, poly_mul_free(r, a.den, scale)});
    return expr_add(r->ctx, quotient_form(r, quotient, scale),
                    quotient_form(r, tail.num, tail.den));
}

/* Each coefficient of the speeds over its own denominator. */
static ah_expr spread_form(ring *r, frac a)
{
    const groups g = collect(r, a.num, CLASS_SPEED);
    if (g.count < 2) return AH_NONE;
    ah_expr *terms = NEW_ARRAY(&r->ctx->scratch, ah_expr, g.count);
    for (size_t k = 0; k < g.count; k++) {
        const frac c = frac_cancel(r, (frac){g.at[k].coefficient, a.den});
        terms[k] =
            expr_mul(r->ctx, quotient_form(r, c.num, c.den), nest_poly(r, g.at[k].monomials, 1));
    }
    return expr_sum(r->ctx, g.count, terms);
}

ah_expr show_frac(ring *r, frac a)
{
    const arena_mark scratch = arena_get_mark(&r->ctx->scratch);
    const size_t mark = ring_mark(r);
    a = frac_cancel(r, a);
    if (poly_is_zero(r, a.num)) return expr_int(r->ctx, 0);
    ah_expr best = quotient_form(r, a.num, a.den);
    if (!poly_is_constant(r, a.den) && poly_terms(a.num) <= NEST_TERMS) {
        best = show_shorter(r->alg, best, divided_form(r, a));
        best = show_shorter(r->alg, best, spread_form(r, a));
    }
    ring_release(r, mark);
    arena_release(&r->ctx->scratch, scratch);
    return best;
}
