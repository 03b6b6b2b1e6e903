/* algebra/nest.c - polynomials as a careful author writes them: collected, factored, short.
 *
 * Candidates are built and the cheapest to read is taken (show_cost). */
#include "ring.h"
#include <stdlib.h>
#include <string.h>

/* ---- Classes of generators ------------------------------------------------------------------- */

typedef enum gen_class { CLASS_SPEED, CLASS_TRIG, CLASS_PARAMETER, CLASS_OTHER, CLASSES } gen_class;

static gen_class find_class(const ring *r, const gen *x)
{
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

/* The classes of all generators, made when the first is asked for. */
static const uint8_t *classes_of(ring *r)
{
    for (size_t i = 0; !r->classed && i < r->g->count; i++)
        r->class_of[i] = (uint8_t) find_class(r, &r->g->gen[i]);
    r->classed = true;
    return r->class_of;
}

/* ---- Collecting ------------------------------------------------------------------------------ */

/* Generators that occur: those of the class, then the others, each in the order of the ring. */
typedef struct sides {
    size_t inside, all;
    size_t *gen;
} sides;

static sides sides_of(ring *r, poly a, gen_class class)
{
    const uint8_t *class_of = classes_of(r);
    bool *used = NEW_ARRAY(&r->ctx->scratch, bool, r->g->count + 1);
    sides s = {.gen = NEW_ARRAY(&r->ctx->scratch, size_t, r->g->count + 1)};
    poly_used(r, a, used);
    for (size_t i = 0; i < r->g->count; i++)
        if (used[i] && class_of[i] == class) s.gen[s.all++] = i;
    s.inside = s.all;
    for (size_t i = 0; i < r->g->count; i++)
        if (used[i] && class_of[i] != class) s.gen[s.all++] = i;
    return s;
}

/* A term by its exponents, in the order of the sides. */
typedef struct row {
    const ulong *key;
    size_t width, term;
} row;

static int compare(const void *a, const void *b)
{
    const row *x = a, *y = b;
    for (size_t i = 0; i < x->width; i++)
        if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? 1 : -1;
    return 0;
}

static row *rows_of(ring *r, poly a, const sides *s)
{
    const size_t n = poly_terms(a);
    ulong *exponent = NEW_ARRAY(&r->ctx->scratch, ulong, r->g->count + 1);
    ulong *keys = NEW_ARRAY(&r->ctx->scratch, ulong, n * s->all + 1);
    row *rows = NEW_ARRAY(&r->ctx->scratch, row, n);
    for (size_t i = 0; i < n; i++) {
        ulong *key = &keys[i * s->all];
        fmpz_mpoly_get_term_exp_ui(exponent, a, (slong) i, r->mctx);
        for (size_t k = 0; k < s->all; k++) key[k] = exponent[s->gen[k]];
        rows[i] = (row){key, s->all, i};
    }
    qsort(rows, n, sizeof *rows, compare);
    return rows;
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

/* Places from … to of a term's key as a term of its own. Terms come in the order of the ring, for rows are sorted so. */
static void push(ring *r, poly out, const sides *s, const ulong *key, size_t from, size_t to,
                 ulong *exponent, const fmpz_t coefficient)
{
    memset(exponent, 0, r->g->count * sizeof *exponent);
    for (size_t k = from; k < to; k++) exponent[s->gen[k]] = key[k];
    fmpz_mpoly_push_term_fmpz_ui(out, coefficient, exponent, r->mctx);
}

static group *group_of(ring *r, groups *g, poly primitive)
{
    for (size_t k = 0; k < g->count; k++)
        if (fmpz_mpoly_equal(g->at[k].coefficient, primitive, r->mctx)) return &g->at[k];
    g->at[g->count] = (group){primitive, poly_new(r)};
    return &g->at[g->count++];
}

static groups collect_by(ring *r, poly a, const sides *s)
{
    const size_t n = poly_terms(a), bytes = s->inside * sizeof(ulong);
    const row *rows = rows_of(r, a, s);
    ulong *exponent = NEW_ARRAY(&r->ctx->scratch, ulong, r->g->count + 1);
    groups g = {.at = NEW_ARRAY(&r->ctx->scratch, group, n)};
    for (size_t i = 0, j; i < n; i = j, g.terms++) {
        poly coefficient = poly_new(r), content;
        for (j = i; j < n && !memcmp(rows[j].key, rows[i].key, bytes); j++)
            push(r, coefficient, s, rows[j].key, s->inside, s->all, exponent,
                 &a->coeffs[rows[j].term]);
        const group *of = group_of(r, &g, poly_primitive(r, coefficient, &content));
        push(r, of->monomials, s, rows[i].key, 0, s->inside, exponent, content->coeffs);
    }
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

/* Only what costs less than so much to read; AH_NONE otherwise. Terms that are added up stay apart, they have other monomials. */
static ah_expr collected(ring *r, poly a, gen_class class, unsigned level, size_t limit)
{
    const sides s = sides_of(r, a, class);
    if (s.inside == 0 || s.inside == s.all) return AH_NONE; /* nothing to collect, or all */
    const groups g = collect_by(r, a, &s);
    if (g.count == poly_terms(a)) return AH_NONE; /* as it was */
    if (g.count == 1 && (poly_terms(g.at[0].coefficient) == 1 || g.terms == 1)) return AH_NONE;
    ah_expr *terms = NEW_ARRAY(&r->ctx->scratch, ah_expr, g.count);
    size_t cost = 0;
    for (size_t k = 0; k < g.count; k++) {
        orient(r, &g.at[k]);
        terms[k] = expr_mul(r->ctx, nest_poly(r, g.at[k].coefficient, level + 1),
                            nest_poly(r, g.at[k].monomials, level + 1));
        cost += show_cost(r->alg, terms[k]);
        if (cost >= limit) return AH_NONE;
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

static ah_expr nest_anew(ring *r, poly a, ah_expr expanded, unsigned level)
{
    ah_expr best = show_shorter(r->alg, expanded, angles_joined(r, a));
    best = show_shorter(r->alg, best, squares_joined(r, a, level));
    if (level < NEST_LEVELS && poly_terms(a) <= NEST_TERMS)
        for (gen_class class = 0; class < CLASSES; class ++)
            best =
                show_shorter(r->alg, best, collected(r, a, class, level, show_cost(r->alg, best)));
    return best;
}

/* Coefficients come again in every class that is tried, and in other polynomials: nine of ten are known. */
ah_expr nest_poly(ring *r, poly a, unsigned level)
{
    if (poly_terms(a) <= 1) return show_expanded(r, a, false);
    const arena_mark mark = arena_get_mark(&r->ctx->scratch);
    poly rest;
    const poly monomial = take_monomial(r, a, &rest);
    const ah_expr key = show_expanded(r, rest, false);
    ah_expr best = map_get(&r->alg->nested[level], key);
    if (!best) map_put(&r->alg->nested[level], key, best = nest_anew(r, rest, key, level));
    best = expr_mul(r->ctx, show_expanded(r, monomial, false), best);
    arena_release(&r->ctx->scratch, mark);
    return best;
}

/* ---- The best -------------------------------------------------------------------------------- */

/* Is it the one factor of a, as it stands? With another sign, or by the relations, it may be shorter. */
static bool is_itself(ring *r, const poly_factors *f, poly a)
{
    return f->count == 1 && f->exponent[0] == 1 && poly_is_one(r, f->content) &&
           fmpz_mpoly_equal(poly_shorten(r, f->factor[0]), a, r->mctx);
}

/* AH_NONE: it has no factors but itself. */
static ah_expr factored_form(ring *r, poly a)
{
    const poly_factors f = poly_factor(r, a);
    if (is_itself(r, &f, a)) return AH_NONE;
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

/* quotient + remainder/den, when there is a quotient and both cost less than so much. */
static ah_expr divided_form(ring *r, frac a, size_t limit)
{
    poly quotient = poly_new(r), rest = poly_new(r), scale = poly_new(r), content;
    fmpz_mpoly_quasidivrem(fmpq_denref(r->q), quotient, rest, a.num, a.den, r->mctx);
    fmpz_mpoly_set_fmpz(scale, fmpq_denref(r->q), r->mctx);
    poly_check(r, quotient);
    if (poly_is_zero(r, quotient)) return AH_NONE;
    const ah_expr whole = quotient_form(r, quotient, scale);
    if (show_cost(r->alg, whole) >= limit) return AH_NONE;
    const frac tail = frac_cancel(r, (frac){rest, poly_mul_free(r, a.den, scale)});
    const ah_expr below = show_poly(r, poly_primitive(r, tail.den, &content));
    if (show_cost(r->alg, whole) + show_cost(r->alg, below) >= limit) return AH_NONE;
    return expr_add(r->ctx, whole, quotient_form(r, tail.num, tail.den));
}

/* Each coefficient of the speeds over its own denominator, if all cost less than so much. */
static ah_expr spread_form(ring *r, frac a, size_t limit)
{
    const sides s = sides_of(r, a.num, CLASS_SPEED);
    const groups g = collect_by(r, a.num, &s);
    if (g.count < 2) return AH_NONE;
    ah_expr *terms = NEW_ARRAY(&r->ctx->scratch, ah_expr, g.count);
    size_t cost = 0;
    for (size_t k = 0; k < g.count; k++) {
        const frac c = frac_cancel(r, (frac){g.at[k].coefficient, a.den});
        terms[k] =
            expr_mul(r->ctx, quotient_form(r, c.num, c.den), nest_poly(r, g.at[k].monomials, 1));
        cost += show_cost(r->alg, terms[k]);
        if (cost >= limit) return AH_NONE;
    }
    return expr_sum(r->ctx, g.count, terms);
}

static size_t least_cost(ring *r, ah_expr e, size_t limit)
{
    const size_t cost = show_cost(r->alg, e);
    return cost < limit ? cost : limit;
}

ah_expr show_frac_below(ring *r, frac a, size_t limit)
{
    const arena_mark scratch = arena_get_mark(&r->ctx->scratch);
    const size_t mark = ring_mark(r);
    a = frac_cancel(r, a);
    if (poly_is_zero(r, a.num)) return expr_int(r->ctx, 0);
    ah_expr best = quotient_form(r, a.num, a.den);
    if (!poly_is_constant(r, a.den) && poly_terms(a.num) <= NEST_TERMS) {
        best = show_shorter(r->alg, best, divided_form(r, a, least_cost(r, best, limit)));
        best = show_shorter(r->alg, best, spread_form(r, a, least_cost(r, best, limit)));
    }
    ring_release(r, mark);
    arena_release(&r->ctx->scratch, scratch);
    return best;
}

ah_expr show_frac(ring *r, frac a)
{
    return show_frac_below(r, a, SIZE_MAX);
}
