/* algebra/modp.c - evaluation modulo a prime.
 *
 * A point is a homomorphism of the ring of generators to F_p: sin and cos are rational points of
 * the circle, c = (1 − t²)/(1 + t²), s = 2t/(1 + t²), roots are roots in F_p, everything else is
 * free. The primes p are safe, p = 2q + 1 with q prime: x ↦ x^d is one-to-one on the squares for
 * each small d, so a root of a square is one power. Radicands that are no squares make the point
 * useless: another is taken. */
#include "modp.h"
#include "ring.h"
#include "../expr/ball.h"
#include <flint/ulong_extras.h>
#include <assert.h>

static const mp_limb_t primes[] = {
    UINT64_C(4611686018427376319), UINT64_C(4611686018427377339), UINT64_C(4611686018427375743),
    UINT64_C(4611686018427370139), UINT64_C(4611686018427369527), UINT64_C(4611686018427367787),
    UINT64_C(4611686018427365783), UINT64_C(4611686018427364187),
};
#define PRIMES      (sizeof primes / sizeof *primes)
#define POINTS_EACH 8 /* a prime must suit the roots of numbers, a point the others */
#define ROUNDS      4 /* over all primes */

mp_limb_t modp_prime(size_t i)
{
    return primes[i % PRIMES];
}

typedef struct point {
    ah_ctx *ctx;
    algebra *alg;
    gens *g;
    nmod_t mod;
    mp_limb_t *gen;  /* values of the generators */
    mp_limb_t *node; /* of g->nodes */
    map place;
    bool good; /* nothing was divided by zero, every root exists */
} point;

static mp_limb_t random_residue(point *p)
{
    return algebra_random(p->alg) % p->mod.n;
}

static mp_limb_t divided(point *p, mp_limb_t a, mp_limb_t b)
{
    if (b == 0) {
        p->good = false;
        return 0;
    }
    return nmod_div(a, b, p->mod);
}

/* n may be of either sign. */
static mp_limb_t power(point *p, mp_limb_t a, long n)
{
    const ulong k = n < 0 ? -(ulong) n : (ulong) n;
    const mp_limb_t x = n_powmod2_ui_preinv(a, k, p->mod.n, p->mod.ninv);
    return n < 0 ? divided(p, 1, x) : x;
}

/* d-th root: for odd d of anything, for even d of squares. */
static mp_limb_t root(point *p, mp_limb_t a, ulong d)
{
    if (a == 0) return 0;
    const ulong order = d % 2 ? p->mod.n - 1 : (p->mod.n - 1) / 2;
    if (d % 2 == 0 && n_jacobi_unsigned(a, p->mod.n) != 1) {
        p->good = false;
        return 0;
    }
    return n_powmod2_ui_preinv(a, n_invmod(d, order), p->mod.n, p->mod.ninv);
}

/* ---- Generators ------------------------------------------------------------------------------ */

static void set_pair(point *p, size_t at, bool trig)
{
    const mp_limb_t t = random_residue(p), tt = nmod_mul(t, t, p->mod);
    const mp_limb_t minus = nmod_sub(1, tt, p->mod), plus = nmod_add(1, tt, p->mod);
    const mp_limb_t below = trig ? plus : minus;
    p->gen[at] = divided(p, trig ? minus : plus, below);
    p->gen[at + 1] = divided(p, nmod_add(t, t, p->mod), below);
}

static mp_limb_t number(point *p, ah_expr e)
{
    const fmpq *q = expr_get_fmpq(p->ctx, e);
    return divided(p, fmpz_fdiv_ui(fmpq_numref(q), p->mod.n),
                   fmpz_fdiv_ui(fmpq_denref(q), p->mod.n));
}

static void set_generators(point *p)
{
    const gens *g = p->g;
    for (size_t i = 0; i < g->count; i++) {
        const gen *x = &g->gen[i];
        const bool numeric = x->kind == GEN_ROOT && expr_get_op(p->ctx, x->base) == EXPR_NUMBER;
        if (x->kind == GEN_COS || x->kind == GEN_COSH)
            set_pair(p, i, x->kind == GEN_COS);
        else if (numeric)
            p->gen[i] = root(p, number(p, x->base), x->degree);
        else if (x->kind != GEN_SIN && x->kind != GEN_SINH)
            p->gen[i] = random_residue(p);
    }
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

typedef struct pair {
    mp_limb_t c, s;
} pair;

static pair pair_add(const point *p, pair a, pair b, bool trig)
{
    const nmod_t n = p->mod;
    const mp_limb_t cc = nmod_mul(a.c, b.c, n), ss = nmod_mul(a.s, b.s, n);
    return (pair){trig ? nmod_sub(cc, ss, n) : nmod_add(cc, ss, n),
                  nmod_add(nmod_mul(a.s, b.c, n), nmod_mul(a.c, b.s, n), n)};
}

static pair pair_multiple(const point *p, pair a, long k, bool trig)
{
    pair sum = {1, 0};
    if (k < 0) a.s = nmod_neg(a.s, p->mod), k = -k;
    for (; k; k >>= 1) {
        if (k & 1) sum = pair_add(p, sum, a, trig);
        a = pair_add(p, a, a, trig);
    }
    return sum;
}

static pair pair_turn(point *p, const family *f, const form *x)
{
    const long n = x->turn_p, q = x->turn_q;
    const mp_limb_t half = nmod_inv(2, p->mod);
    if (q <= 2) return pair_multiple(p, (pair){0, 1}, n * 2 / q, true);
    if (q == 3 || q == 4 || q == 6) {
        const size_t at = gens_root(p->g, expr_int(p->ctx, q == 4 ? 2 : 3));
        const mp_limb_t c =
            nmod_mul(power(p, p->gen[at], (long) p->g->gen[at].degree / 2), half, p->mod);
        return pair_multiple(p, (pair){c, q == 4 ? c : half}, q == 3 ? 2 * n : n, true);
    }
    const pair unit = {p->gen[f->turn_gen], p->gen[f->turn_gen + 1]};
    return pair_multiple(p, unit, n * (f->turn / q), true);
}

static pair pair_of(point *p, const family *f, ah_expr arg)
{
    const size_t at = family_form(f, arg);
    const form_sum *k = &f->basis.sum[at];
    const bool trig = f->kind == FAMILY_TRIG;
    pair sum = trig ? pair_turn(p, f, &f->forms.at[at]) : (pair){1, 0};
    for (size_t i = 0; i < k->count; i++) {
        const size_t first = f->gen[k->at[i].base];
        const pair unit = {p->gen[first], p->gen[first + 1]};
        sum = pair_add(p, sum, pair_multiple(p, unit, k->at[i].times, trig), trig);
    }
    return sum;
}

static mp_limb_t power_of(point *p, const family *f, ah_expr arg)
{
    const form_sum *k = &f->basis.sum[family_form(f, arg)];
    mp_limb_t product = 1;
    for (size_t i = 0; i < k->count; i++)
        product =
            nmod_mul(product, power(p, p->gen[f->gen[k->at[i].base]], k->at[i].times), p->mod);
    return product;
}

static mp_limb_t value_of(const point *p, ah_expr e)
{
    const uint32_t at = map_get(&p->place, e);
    assert(at);
    return p->node[at - 1];
}

static mp_limb_t hyper_by_exp(point *p, ah_expr arg, bool odd)
{
    const mp_limb_t e = power_of(p, gens_family(p->g, FAMILY_EXP, AH_NONE), arg);
    const mp_limb_t inverse = divided(p, 1, e);
    return divided(p, odd ? nmod_sub(e, inverse, p->mod) : nmod_add(e, inverse, p->mod), 2);
}

static mp_limb_t call_value(point *p, ah_expr e)
{
    const ah_expr arg = expr_get_children(p->ctx, e)[0];
    const ah_function f = expr_get_function(p->ctx, e);
    const bool odd = f == AH_SIN || f == AH_SINH;
    const bool trig = f == AH_SIN || f == AH_COS;
    const family *pairs = gens_family(p->g, trig ? FAMILY_TRIG : FAMILY_HYPER, AH_NONE);
    switch (f) {
    case AH_SINH:
    case AH_COSH:
        if (pairs->by_exp) return hyper_by_exp(p, arg, odd);
        /* fall through */
    case AH_SIN:
    case AH_COS: return odd ? pair_of(p, pairs, arg).s : pair_of(p, pairs, arg).c;
    case AH_EXP: return power_of(p, gens_family(p->g, FAMILY_EXP, AH_NONE), arg);
    case AH_ABS: return value_of(p, arg); /* |x|² = x² is all that is known */
    default: return p->gen[gens_index(p->g, e)];
    }
}

static mp_limb_t power_value(point *p, ah_expr e)
{
    const ah_expr base = expr_get_children(p->ctx, e)[0], x = expr_get_children(p->ctx, e)[1];
    long n, q;
    if (!expr_is_rational(p->ctx, x, &n, &q)) {
        const family *f = gens_family(p->g, FAMILY_POWER, base);
        const long whole = f->forms.at[family_form(f, x)].whole;
        const mp_limb_t symbolic = power_of(p, f, x);
        return whole ? nmod_mul(symbolic, power(p, value_of(p, base), whole), p->mod) : symbolic;
    }
    if (q == 1) return power(p, value_of(p, base), n);
    const size_t at = gens_root(p->g, base);
    const long each = (long) p->g->gen[at].degree / q;
    long k;
    if (__builtin_mul_overflow(n, each, &k)) algebra_give_up(p->alg);
    return power(p, p->gen[at], k);
}

static mp_limb_t compute(point *p, ah_expr e)
{
    const size_t count = expr_get_count(p->ctx, e);
    const ah_expr *child = expr_get_children(p->ctx, e);
    mp_limb_t x;
    switch (expr_get_op(p->ctx, e)) {
    case EXPR_NUMBER: return number(p, e);
    case EXPR_SUM:
        x = 0;
        for (size_t i = 0; i < count; i++) x = nmod_add(x, value_of(p, child[i]), p->mod);
        return x;
    case EXPR_PRODUCT:
        x = 1;
        for (size_t i = 0; i < count; i++) x = nmod_mul(x, value_of(p, child[i]), p->mod);
        return x;
    case EXPR_POWER: return power_value(p, e);
    case EXPR_CALL: return call_value(p, e);
    default: return p->gen[gens_index(p->g, e)];
    }
}

/* A radicand is an earlier node than its roots. */
static void evaluate(point *p)
{
    const expr_list nodes = p->g->nodes;
    for (size_t i = 0; i < nodes.count && p->good; i++) {
        ctx_tick(p->ctx);
        p->node[i] = compute(p, nodes.at[i]);
        const uint32_t at = map_get(&p->g->root, nodes.at[i]);
        if (at && expr_get_op(p->ctx, nodes.at[i]) != EXPR_NUMBER)
            p->gen[at - 1] = root(p, p->node[i], p->g->gen[at - 1].degree);
    }
}

bool modp_values(algebra *alg, const ah_expr *lowered, size_t count, nmod_t *mod, mp_limb_t *value,
                 bool *independent)
{
    arena *a = &alg->ctx->scratch;
    point p = {.ctx = alg->ctx, .alg = alg, .place.arena = a};
    p.g = gens_find(alg, lowered, count, false);
    p.gen = NEW_ARRAY(a, mp_limb_t, p.g->count);
    p.node = NEW_ARRAY(a, mp_limb_t, p.g->nodes.count);
    for (size_t i = 0; i < p.g->nodes.count; i++)
        map_put(&p.place, p.g->nodes.at[i], (uint32_t) i + 1);
    for (size_t i = 0; i < PRIMES * POINTS_EACH * ROUNDS && !p.good; i++) {
        nmod_init(&p.mod, modp_prime(i / POINTS_EACH));
        p.good = true;
        set_generators(&p);
        evaluate(&p);
    }
    for (size_t i = 0; p.good && i < count; i++) value[i] = value_of(&p, lowered[i]);
    *mod = p.mod;
    *independent = p.g->independent;
    return p.good;
}
