/* algebra/convert.c - lowered expressions to fractions over the ring of their generators. */
#include "ring.h"
#include <assert.h>

static frac node_value(ring *r, ah_expr e)
{
    const uint32_t at = map_get(&r->place, e);
    assert(at);
    return r->value[at - 1];
}

frac ring_value(ring *r, ah_expr lowered)
{
    return node_value(r, lowered);
}

/* ---- Addition theorems ----------------------------------------------------------------------- */

/* cos and sin, or cosh and sinh. */
typedef struct pair {
    frac c, s;
} pair;

static bool is_zero_angle(const ring *r, pair a)
{
    return poly_is_zero(r, a.s.num) && poly_is_one(r, a.c.num) && poly_is_one(r, a.c.den);
}

/* cos(a+b) = cos a cos b − sin a sin b, cosh(a+b) = cosh a cosh b + sinh a sinh b. */
static pair pair_add(ring *r, pair a, pair b, bool trig)
{
    if (is_zero_angle(r, a)) return b;
    const frac ss = frac_mul(r, a.s, b.s), cc = frac_mul(r, a.c, b.c);
    return (pair){
        .c = trig ? frac_sub(r, cc, ss) : frac_add(r, cc, ss),
        .s = frac_add(r, frac_mul(r, a.s, b.c), frac_mul(r, a.c, b.s)),
    };
}

static pair pair_zero(ring *r)
{
    return (pair){frac_int(r, 1), frac_int(r, 0)};
}

static pair pair_multiple(ring *r, pair a, int k, bool trig)
{
    pair sum = pair_zero(r);
    if (k < 0) a.s = frac_neg(r, a.s), k = -k;
    for (; k; k >>= 1) {
        if (k & 1) sum = pair_add(r, sum, a, trig);
        if (k > 1) a = pair_add(r, a, a, trig);
    }
    return sum;
}

static pair pair_gens(ring *r, size_t at)
{
    return (pair){frac_gen(r, at), frac_gen(r, at + 1)};
}

/* The angle π/4 or π/6. */
static pair pair_elementary(ring *r, long q)
{
    const frac half = {poly_int(r, 1), poly_int(r, 2)};
    const ah_expr n = expr_int(r->ctx, q == 4 ? 2 : 3);
    const long degree = (long) map_get(&r->g->root_degree, n); /* of the generator: 2, 4, 6, … */
    const frac square_root = frac_pow(r, frac_gen(r, gens_root(r->g, n)), degree / 2);
    const frac root = frac_mul(r, half, square_root);
    return (pair){root, q == 4 ? root : half};
}

/* The angle p/q π. */
static pair pair_turn(ring *r, const family *f, const form *x)
{
    const long p = x->turn_p, q = x->turn_q;
    const pair quarter = {frac_int(r, 0), frac_int(r, 1)};
    if (q <= 2) return pair_multiple(r, quarter, (int) (p * 2 / q), true);
    if (q == 3) return pair_multiple(r, pair_elementary(r, 6), (int) (2 * p), true);
    if (q == 4 || q == 6) return pair_multiple(r, pair_elementary(r, q), (int) p, true);
    return pair_multiple(r, pair_gens(r, f->turn_gen), (int) (p * (f->turn / q)), true);
}

static pair pair_of(ring *r, const family *f, ah_expr arg)
{
    const size_t at = family_form(f, arg);
    const form_sum *k = &f->basis.sum[at];
    const bool trig = f->kind == FAMILY_TRIG;
    pair sum = trig ? pair_turn(r, f, &f->forms.at[at]) : pair_zero(r);
    for (size_t i = 0; i < k->count; i++) {
        const pair unit = pair_gens(r, f->gen[k->at[i].base]);
        sum = pair_add(r, sum, pair_multiple(r, unit, k->at[i].times, trig), trig);
    }
    return sum;
}

/* Π generator^times */
static frac power_of(ring *r, const family *f, ah_expr arg)
{
    const form_sum *k = &f->basis.sum[family_form(f, arg)];
    frac product = frac_int(r, 1);
    for (size_t i = 0; i < k->count; i++)
        product =
            frac_mul(r, product, frac_pow(r, frac_gen(r, f->gen[k->at[i].base]), k->at[i].times));
    return product;
}

/* (e ± 1/e)/2 */
static frac hyper_by_exp(ring *r, ah_expr arg, bool odd)
{
    const frac e = power_of(r, gens_family(r->g, FAMILY_EXP, AH_NONE), arg);
    const frac inverse = frac_pow(r, e, -1), two = frac_int(r, 2);
    return frac_div(r, odd ? frac_sub(r, e, inverse) : frac_add(r, e, inverse), two);
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

static frac call_value(ring *r, ah_expr e)
{
    const ah_expr arg = expr_get_children(r->ctx, e)[0];
    const ah_function f = expr_get_function(r->ctx, e);
    const bool odd = f == AH_SIN || f == AH_SINH;
    const family *trig = gens_family(r->g, FAMILY_TRIG, AH_NONE);
    const family *hyper = gens_family(r->g, FAMILY_HYPER, AH_NONE);
    switch (f) {
    case AH_SIN:
    case AH_COS: return odd ? pair_of(r, trig, arg).s : pair_of(r, trig, arg).c;
    case AH_SINH:
    case AH_COSH:
        if (hyper->by_exp) return hyper_by_exp(r, arg, odd);
        return odd ? pair_of(r, hyper, arg).s : pair_of(r, hyper, arg).c;
    case AH_EXP: return power_of(r, gens_family(r->g, FAMILY_EXP, AH_NONE), arg);
    default: return frac_gen(r, gens_index(r->g, e));
    }
}

static frac power_value(ring *r, ah_expr e)
{
    const ah_expr base = expr_get_children(r->ctx, e)[0], x = expr_get_children(r->ctx, e)[1];
    long p, q;
    if (!expr_is_rational(r->ctx, x, &p, &q)) {
        const family *f = gens_family(r->g, FAMILY_POWER, base);
        const long whole = f->forms.at[family_form(f, x)].whole;
        const frac symbolic = power_of(r, f, x);
        return whole ? frac_mul(r, symbolic, frac_pow(r, node_value(r, base), whole)) : symbolic;
    }
    if (q == 1) return frac_pow(r, node_value(r, base), p);
    const long degree = (long) map_get(&r->g->root_degree, base);
    long n;
    if (__builtin_mul_overflow(p, degree / q, &n)) algebra_give_up(r->alg);
    return frac_pow(r, frac_gen(r, gens_root(r->g, base)), n);
}

static frac sum_value(ring *r, ah_expr e)
{
    const size_t count = expr_get_count(r->ctx, e);
    const ah_expr *child = expr_get_children(r->ctx, e);
    frac *terms = NEW_ARRAY(&r->ctx->scratch, frac, count);
    for (size_t i = 0; i < count; i++) terms[i] = node_value(r, child[i]);
    return frac_sum(r, terms, count);
}

/* A number times powers of generators. */
static bool is_monomial(const ring *r, frac a)
{
    return poly_terms(a.num) == 1 && poly_is_constant(r, a.den);
}

/* Exponents up to this one do not come near to the limit of degrees. */
#define FEW 0xffff

/* The product of those that are monomials: at once, for each product of two polynomials takes some thousand instructions. False: there are
 * too few, or a factor has a true denominator, with which the others may cancel on the way. */
static bool monomials_value(ring *r, size_t count, const ah_expr *child, frac *out)
{
    arena *a = &r->ctx->scratch;
    ulong *exponent = NEW_ARRAY(a, ulong, r->g->count + 1);
    ulong *all = NEW_ARRAY(a, ulong, r->g->count + 1);
    size_t monomials = 0;
    fmpq_one(r->q);
    for (size_t i = 0; i < count; i++) {
        const frac v = node_value(r, child[i]);
        if (!poly_is_constant(r, v.den)) return false;
        if (!is_monomial(r, v)) continue;
        monomials++;
        fmpz_mul(fmpq_numref(r->q), fmpq_numref(r->q), v.num->coeffs);
        fmpz_mul(fmpq_denref(r->q), fmpq_denref(r->q), v.den->coeffs);
        if (!fmpz_mpoly_term_exp_fits_ui(v.num, 0, r->mctx)) return false;
        fmpz_mpoly_get_term_exp_ui(exponent, v.num, 0, r->mctx);
        for (size_t k = 0; k < r->g->count; k++)
            if (exponent[k] > FEW || (all[k] += exponent[k]) > FEW) return false;
    }
    if (monomials < 2) return false;
    fmpq_canonicalise(r->q);
    *out = (frac){poly_new(r), poly_new(r)};
    fmpz_mpoly_push_term_fmpz_ui(out->num, fmpq_numref(r->q), all, r->mctx);
    fmpz_mpoly_set_fmpz(out->den, fmpq_denref(r->q), r->mctx);
    poly_check(r, out->num);
    poly_reduce(r, out->num);
    return true;
}

static frac product_value(ring *r, ah_expr e)
{
    const size_t count = expr_get_count(r->ctx, e);
    const ah_expr *child = expr_get_children(r->ctx, e);
    const arena_mark mark = arena_get_mark(&r->ctx->scratch);
    frac product;
    const bool some = monomials_value(r, count, child, &product);
    arena_release(&r->ctx->scratch, mark);
    if (!some) product = node_value(r, child[0]);
    for (size_t i = some ? 0 : 1; i < count; i++) {
        const frac v = node_value(r, child[i]);
        if (!some || !is_monomial(r, v)) product = frac_mul(r, product, v);
    }
    return product;
}

static frac compute(ring *r, ah_expr e)
{
    switch (expr_get_op(r->ctx, e)) {
    case EXPR_NUMBER: return frac_number(r, e);
    case EXPR_SUM: return sum_value(r, e);
    case EXPR_PRODUCT: return product_value(r, e);
    case EXPR_POWER: return power_value(r, e);
    case EXPR_CALL: return call_value(r, e);
    default: return frac_gen(r, gens_index(r->g, e));
    }
}

/* ---- Relations of roots ---------------------------------------------------------------------- */

/* r^degree = base, |x|² = x². A base that is not a polynomial leaves the generator free: nothing
 * false follows, some identities are missed. */
static void relate(ring *r, size_t at, frac base)
{
    gen *x = &r->g->gen[at];
    if (!poly_is_one(r, base.den)) {
        x->degree = 0;
        return;
    }
    const poly right = x->kind == GEN_ABS ? poly_mul(r, base.num, base.num) : base.num;
    poly left = poly_new(r);
    fmpz_mpoly_gen(left, (slong) at, r->mctx);
    fmpz_mpoly_pow_ui(left, left, x->degree, r->mctx);
    fmpz_mpoly_sub(left, left, right, r->mctx);
    r->leader[r->relations] = at;
    r->relation[r->relations++] = left;
}

/* Roots of numbers come first: sin(π/4) may meet sqrt(2) before the number 2 is met. */
static void relate_numbers(ring *r)
{
    for (size_t i = 0; i < r->g->count; i++) {
        const gen *x = &r->g->gen[i];
        if (x->kind == GEN_ROOT && expr_get_op(r->ctx, x->base) == EXPR_NUMBER)
            relate(r, i, frac_number(r, x->base));
    }
}

/* A radicand is an earlier node than its roots. */
static void relate_node(ring *r, ah_expr e, frac value)
{
    const uint32_t at = map_get(&r->g->root, e);
    if (at && expr_get_op(r->ctx, e) != EXPR_NUMBER) relate(r, at - 1, value);
}

static void relate_abs(ring *r, ah_expr e)
{
    if (expr_get_op(r->ctx, e) == EXPR_CALL && expr_get_function(r->ctx, e) == AH_ABS)
        relate(r, gens_index(r->g, e), node_value(r, expr_get_children(r->ctx, e)[0]));
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void fill(ring *r)
{
    const expr_list nodes = r->g->nodes;
    r->value = NEW_ARRAY(&r->ctx->scratch, frac, nodes.count);
    for (size_t i = 0; i < nodes.count; i++) map_put(&r->place, nodes.at[i], (uint32_t) i + 1);
    relate_numbers(r);
    for (size_t i = 0; i < nodes.count; i++) {
        relate_abs(r, nodes.at[i]);
        r->value[i] = (frac){poly_new(r), poly_new(r)};
        const size_t mark = ring_mark(r);
        const frac v = compute(r, nodes.at[i]);
        fmpz_mpoly_set(r->value[i].num, v.num, r->mctx);
        fmpz_mpoly_set(r->value[i].den, v.den, r->mctx);
        ring_release(r, mark);
        poly_check(r, r->value[i].num);
        relate_node(r, nodes.at[i], r->value[i]);
    }
}

ring *ring_open(algebra *alg, const ah_expr *roots, size_t count, bool canonical)
{
    ring *r = ring_begin(alg, gens_find(alg, roots, count, canonical));
    fill(r);
    return r;
}
