/* algebra/show.c - from polynomials back to expressions, and what an expression costs to read. */
#include "ring.h"

/* ---- Cost ------------------------------------------------------------------------------------ */

/* Letters and numbers count twice, operations once, brackets twice and more when they hold others.
 */
#define COST_LIMIT  (1u << 24)
#define DEPTH_LIMIT 100u
typedef struct cost {
    uint32_t cost, depth; /* of brackets */
} cost;

static cost known_cost(const algebra *alg, ah_expr e)
{
    const uint32_t packed = map_get(&alg->cost, e);
    return (cost){packed & (COST_LIMIT - 1), packed / COST_LIMIT};
}

static uint32_t number_cost(const ah_ctx *ctx, ah_expr e)
{
    long p, q;
    if (!expr_is_rational(ctx, e, &p, &q)) return 6;
    return q == 1 ? 2 : 3;
}

static cost bracketed(const algebra *alg, ah_expr e)
{
    cost c = known_cost(alg, e);
    if (expr_get_op(alg->ctx, e) != EXPR_SUM) return c;
    return (cost){c.cost + 2 + 2 * c.depth, c.depth + 1};
}

static cost power_cost(const algebra *alg, ah_expr base, ah_expr exponent)
{
    cost c = bracketed(alg, base);
    const bool number = expr_get_op(alg->ctx, exponent) == EXPR_NUMBER;
    c.cost += number ? number_cost(alg->ctx, exponent) / 2 : known_cost(alg, exponent).cost;
    return c;
}

static cost node_cost(const algebra *alg, ah_expr e)
{
    const ah_ctx *ctx = alg->ctx;
    const expr_op op = expr_get_op(ctx, e);
    const size_t count = expr_get_count(ctx, e);
    const ah_expr *child = expr_get_children(ctx, e);
    if (op == EXPR_NUMBER) return (cost){number_cost(ctx, e), 0};
    if (op == EXPR_POWER) return power_cost(alg, child[0], child[1]);
    if (count == 0) return (cost){2, 0};
    const bool nary = op == EXPR_SUM || op == EXPR_PRODUCT;
    cost sum = {nary ? (uint32_t) count - 1 : 2, 0};
    long sign;
    for (size_t i = 0; i < count && sum.cost < COST_LIMIT / 2; i++) {
        if (op == EXPR_PRODUCT && expr_is_int(ctx, child[i], &sign) && sign == -1) continue;
        const cost c = op == EXPR_PRODUCT ? bracketed(alg, child[i]) : known_cost(alg, child[i]);
        sum.cost += c.cost;
        if (nary && c.depth > sum.depth) sum.depth = c.depth;
    }
    return sum;
}

static uint32_t packed(cost c)
{
    const uint32_t depth = c.depth < DEPTH_LIMIT ? c.depth : DEPTH_LIMIT;
    return (c.cost < COST_LIMIT ? c.cost : COST_LIMIT - 1) | depth * COST_LIMIT;
}

size_t show_cost(algebra *alg, ah_expr e)
{
    arena *a = &alg->ctx->scratch;
    if (map_get(&alg->cost, e)) return known_cost(alg, e).cost;
    const arena_mark mark = arena_get_mark(a);
    const expr_list nodes = expr_reachable(alg->ctx, a, &e, 1);
    for (size_t i = 0; i < nodes.count; i++)
        if (!map_get(&alg->cost, nodes.at[i]))
            map_put(&alg->cost, nodes.at[i], packed(node_cost(alg, nodes.at[i])));
    arena_release(a, mark);
    return known_cost(alg, e).cost;
}

ah_expr show_shorter(algebra *alg, ah_expr a, ah_expr b)
{
    if (a == AH_NONE) return b;
    if (b == AH_NONE) return a;
    return show_cost(alg, b) < show_cost(alg, a) ? b : a;
}

/* ---- Terms ----------------------------------------------------------------------------------- */

ah_expr show_integer(ring *r, const fmpz_t n)
{
    fmpz_set(fmpq_numref(r->q), n);
    fmpz_one(fmpq_denref(r->q));
    return expr_from_fmpq(r->ctx, r->q);
}

ah_expr show_ratio(ring *r, poly num, poly den)
{
    fmpz_mpoly_get_fmpz(fmpq_numref(r->q), num, r->mctx);
    fmpz_mpoly_get_fmpz(fmpq_denref(r->q), den, r->mctx);
    fmpq_canonicalise(r->q);
    return expr_from_fmpq(r->ctx, r->q);
}

/* Roots of the same degree under one sign: sqrt(2)*sqrt(x) is read as sqrt(2*x). The radicands of
 * known sign were split from each other, so this is true where the term is defined. */
static size_t merge_roots(ring *r, const ulong *exponent, ah_expr *factors, size_t count)
{
    const gens *g = r->g;
    ah_expr *bases = NEW_ARRAY(&r->ctx->scratch, ah_expr, g->count);
    for (size_t i = 0; i < g->count && g->gen[i].kind <= GEN_ABS; i++) {
        size_t n = 0;
        if (g->gen[i].kind != GEN_ROOT || exponent[i] != 1) continue;
        const uint32_t degree = map_get(&g->root_degree, g->gen[i].base);
        for (size_t j = 0; j < g->count && g->gen[j].kind <= GEN_ABS; j++) {
            if (g->gen[j].kind != GEN_ROOT || exponent[j] != 1) continue;
            if (map_get(&g->root_degree, g->gen[j].base) != degree) continue;
            if (j < i) {
                n = 0; /* done with j */
                break;
            }
            bases[n++] = g->gen[j].base;
        }
        if (n)
            factors[count++] = expr_pow(r->ctx, expr_product(r->ctx, n, bases),
                                        expr_rational(r->ctx, 1, (long) degree));
    }
    return count;
}

ah_expr show_term(ring *r, poly a, size_t term, bool canonical)
{
    const gens *g = r->g;
    arena *scratch = &r->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    ulong *exponent = NEW_ARRAY(scratch, ulong, g->count + 1);
    ah_expr *factors = NEW_ARRAY(scratch, ah_expr, g->count + 1);
    fmpz_mpoly_get_term_exp_ui(exponent, a, (slong) term, r->mctx);
    factors[0] = show_integer(r, &a->coeffs[term]);
    size_t count = canonical ? 1 : merge_roots(r, exponent, factors, 1);
    for (size_t i = 0; i < g->count; i++) {
        const bool merged = !canonical && g->gen[i].kind == GEN_ROOT && exponent[i] == 1;
        if (exponent[i] && !merged)
            factors[count++] = expr_powi(r->ctx, g->gen[i].e, (long) exponent[i]);
    }
    const ah_expr e = expr_product(r->ctx, count, factors);
    arena_release(scratch, mark);
    return e;
}

ah_expr show_expanded(ring *r, poly a, bool canonical)
{
    const size_t count = poly_terms(a);
    arena *scratch = &r->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    ah_expr *terms = NEW_ARRAY(scratch, ah_expr, count);
    for (size_t i = 0; i < count; i++) {
        ctx_tick(r->ctx);
        terms[i] = show_term(r, a, i, canonical);
    }
    const ah_expr e = expr_sum(r->ctx, count, terms);
    arena_release(scratch, mark);
    return e;
}

/* ---- Canonical sums -------------------------------------------------------------------------- */

poly poly_primitive(ring *r, poly a, poly *content)
{
    poly p = poly_new(r);
    *content = poly_new(r);
    fmpz *c = fmpq_numref(r->q);
    _fmpz_vec_content(c, a->coeffs, a->length);
    if (a->length && fmpz_sgn(a->coeffs) < 0) fmpz_neg(c, c);
    fmpz_mpoly_set_fmpz(*content, c, r->mctx);
    if (a->length) fmpz_mpoly_scalar_divexact_fmpz(p, a, c, r->mctx);
    poly_check(r, p);
    return p;
}

/* Σ of the terms of num, each over den. */
static ah_expr terms_over(ring *r, poly num, ah_expr scale, ah_expr inverse)
{
    const size_t count = poly_terms(num);
    ah_expr *terms = NEW_ARRAY(&r->ctx->scratch, ah_expr, count);
    for (size_t i = 0; i < count; i++)
        terms[i] = expr_product(r->ctx, 3, (ah_expr[]){show_term(r, num, i, true), scale, inverse});
    return expr_sum(r->ctx, count, terms);
}

/* scale · num/den = quotient + remainder/den, divided in the order of the ring. Without it the same
 * argument would be read differently: (x + y z)/z and x/z + y. */
ah_expr show_canonical(ring *r, frac a)
{
    poly content, c, one = poly_int(r, 1), quotient = poly_new(r), rest = poly_new(r);
    a = frac_cancel(r, a);
    const poly num = poly_primitive(r, a.num, &c), den = poly_primitive(r, a.den, &content);
    if (poly_is_zero(r, num)) return expr_int(r->ctx, 0);
    const ah_expr outer = show_ratio(r, c, content), unit = expr_int(r->ctx, 1);
    if (poly_is_one(r, den)) return terms_over(r, num, outer, unit);
    fmpz_mpoly_quasidivrem(fmpq_denref(r->q), quotient, rest, num, den, r->mctx);
    poly scale = poly_new(r);
    fmpz_mpoly_set_fmpz(scale, fmpq_denref(r->q), r->mctx);
    const ah_expr factor = expr_mul(r->ctx, outer, show_ratio(r, one, scale));
    const ah_expr inverse = expr_powi(r->ctx, show_expanded(r, den, true), -1);
    return expr_add(r->ctx, terms_over(r, quotient, factor, unit),
                    terms_over(r, rest, factor, inverse));
}
