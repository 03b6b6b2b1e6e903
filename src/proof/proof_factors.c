/* proof/proof_factors.c - why the factors of a multiplier do not vanish. */
#include "proof_inside.h"

#include <math.h>

#define PAIRS_TRIED 5 /* sin² or cos² in each of so many angles: 2⁵ forms */

/* ---- Positive forms -------------------------------------------------------------------------- */

/* What is said of a generator itself: > 0 (2), ≠ 0 (1), or nothing. */
static int stated(prover *p, const gen *g)
{
    int best = 0;
    if (g->kind == GEN_COSH) return 2;
    if (g->kind == GEN_POWER && expr_get_op(p->r->ctx, g->e) == EXPR_CALL) return 2; /* exp */
    for (size_t i = 0; i < p->q->facts; i++)
        if (p->q->fact[i].e == g->e && !p->q->fact[i].border)
            best = p->q->fact[i].positive ? 2 : best ? best : 1;
    return best;
}

/* |u| and even roots are not negative. */
static bool is_magnitude(const gen *g)
{
    return g->kind == GEN_ABS || (g->kind == GEN_ROOT && g->degree % 2 == 0);
}

/* All terms of one sign by their coefficients, even powers and generators that are not negative; one of
 * them never zero. 0: no. */
static int positive_terms(prover *p, poly a)
{
    const ring *r = p->r;
    ulong *power = NEW_ARRAY(&r->ctx->scratch, ulong, r->g->count + 1);
    bool strict = false;
    int sign = 0;
    for (slong i = 0; i < a->length; i++) {
        const int now = fmpz_sgn(a->coeffs + i);
        bool never = true;
        if (sign && now != sign) return 0;
        sign = now;
        fmpz_mpoly_get_term_exp_ui(power, a, i, r->mctx);
        for (size_t k = 0; k < r->g->count; k++) {
            if (!power[k]) continue;
            const int known = stated(p, &r->g->gen[k]);
            if (power[k] % 2 && known < 2 && !is_magnitude(&r->g->gen[k])) return 0;
            never = never && known > 0;
        }
        strict = strict || never;
    }
    return strict ? sign : 0;
}

/* sin² → 1 − cos² in the pairs of the mask. */
static poly other_form(prover *p, poly a, unsigned mask)
{
    ring *r = p->r;
    unsigned pair = 0;
    for (size_t i = 0; i < r->relations; i++) {
        if (r->g->gen[r->leader[i]].kind != GEN_COS) continue;
        poly m, q;
        if (mask >> pair++ & 1) {
            /* the relation is divided by as a polynomial in sin, unreduced: its square is monic */
            const slong s = (slong) r->leader[i] + 1;
            poly rest = poly_copy(r, a);
            for (long k; (k = fmpz_mpoly_degree_si(rest, s, r->mctx)) >= 2;) {
                poly x = poly_new(r);
                m = poly_new(r);
                fmpz_mpoly_get_coeff_vars_ui(m, rest, &s, (ulong[]){(ulong) k}, 1, r->mctx);
                fmpz_mpoly_gen(x, s, r->mctx);
                fmpz_mpoly_pow_ui(x, x, (ulong) k - 2, r->mctx);
                q = poly_mul_free(r, m, x);
                rest = poly_sub(r, rest, poly_mul_free(r, q, r->relation[i]));
            }
            a = rest;
        }
    }
    return a;
}

static unsigned pairs(const ring *r)
{
    unsigned count = 0;
    for (size_t i = 0; i < r->relations; i++) count += r->g->gen[r->leader[i]].kind == GEN_COS;
    return count;
}

static int positive_form(prover *p, poly f, poly *shape)
{
    const unsigned count = pairs(p->r), most = count < PAIRS_TRIED ? count : PAIRS_TRIED;
    int sign = 0;
    for (unsigned mask = 0; !sign && mask < 1u << most; mask++) {
        *shape = other_form(p, f, mask);
        sign = positive_terms(p, *shape);
    }
    if (sign) return sign;
    *shape = poly_shorten(p->r, f);
    return positive_terms(p, *shape);
}

static poly constant_term(prover *p, poly a)
{
    poly c = poly_new(p->r);
    fmpz_t value;
    fmpz_init(value);
    ulong *none = NEW_ARRAY(&p->r->ctx->scratch, ulong, p->r->g->count + 1);
    fmpz_mpoly_get_coeff_fmpz_ui(value, a, none, p->r->mctx);
    fmpz_mpoly_set_fmpz(c, value, p->r->mctx);
    fmpz_clear(value);
    return c;
}

/* n + 1 times a, with sin² + cos² put for a part of its constant in the n pairs that occur: 2 + cos is
 * 1 + cos + cos² + sin². */
static poly spread(prover *p, poly a, long *times)
{
    ring *r = p->r;
    const poly constant = constant_term(p, a);
    poly more = poly_int(r, 0);
    *times = 1;
    for (size_t i = 0; i < r->relations; i++) {
        const slong c = (slong) r->leader[i];
        if (r->g->gen[c].kind != GEN_COS) continue;
        if (fmpz_mpoly_degree_si(a, c, r->mctx) + fmpz_mpoly_degree_si(a, c + 1, r->mctx) <= 0)
            continue;
        more = poly_add(r, more, poly_mul_free(r, constant, r->relation[i]));
        ++*times;
    }
    return poly_add(r, poly_scale(r, a, *times), more);
}

/* scale·f = Σ c s² + a positive number, of one way to write f. */
static bool try_squares(prover *p, poly f, poly shape, long scale, proof_factor *out)
{
    ring *r = p->r;
    proof_squares s;
    if (!proof_squares_of(p, shape, &s) || !s.strict) return false;
    const struct proof_square *one = &s.at.at[s.at.count - 1];
    const poly whole = poly_scale(r, s.scale, scale);
    const poly open = poly_sub(r, poly_mul_free(r, whole, f), poly_mul_free(r, s.scale, shape));
    out->scale = proof_export(p, whole).coefficient[0];
    out->form = proof_export(p, poly_mul(r, one->c, poly_mul(r, one->s, one->s)));
    out->squares = proof_export_squares(p, &s, s.at.count - 1);
    return poly_is_zero(r, proof_modulo_relations(p, open, &out->by));
}

static bool is_sum_of_squares(prover *p, poly f, proof_factor *out)
{
    const unsigned count = pairs(p->r), most = count < PAIRS_TRIED ? count : PAIRS_TRIED;
    for (unsigned mask = 0; mask < 1u << most; mask++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            long times;
            const poly shape = poly_scale(p->r, other_form(p, f, mask), sign);
            if (try_squares(p, f, shape, sign, out)) return true;
            const poly other = spread(p, shape, &times);
            if (times > 1 && try_squares(p, f, other, sign * times, out)) return true;
        }
    return false;
}

static bool is_positive(prover *p, poly f, proof_factor *out)
{
    poly shape;
    out->because = PROOF_POSITIVE;
    const int sign = positive_form(p, f, &shape);
    if (!sign) return is_sum_of_squares(p, f, out);
    const poly signed_f = poly_scale(p->r, f, sign), positive = poly_scale(p->r, shape, sign);
    const poly open = poly_sub(p->r, signed_f, positive);
    out->scale = sign > 0 ? "1" : "-1";
    out->form = proof_export(p, positive);
    return poly_is_zero(p->r, proof_modulo_relations(p, open, &out->by));
}

/* ---- Assumptions ----------------------------------------------------------------------------- */

/* num/den > 0 is assumed; where f vanishes it is a negative number: f = y, y² > 1/100; f = k − 4, k > 5. */
static bool is_negative_on(prover *p, frac fact, poly f)
{
    const ring *r = p->r;
    for (size_t i = 0; i < r->g->count; i++) {
        poly lead = poly_new(p->r), m, q;
        const slong x = (slong) i;
        const long degree = fmpz_mpoly_degree_si(f, x, r->mctx);
        const gen_kind kind = r->g->gen[i].kind;
        if ((kind != GEN_SYMBOL && kind != GEN_PARAMETER) || degree < 1) continue;
        fmpz_mpoly_get_coeff_vars_ui(lead, f, &x, (ulong[]){(ulong) degree}, 1, r->mctx);
        if (!poly_is_constant(r, lead) || !poly_is_constant(r, fact.den)) continue;
        const poly rest = proof_divide(p, fact.num, f, i, &m, &q);
        if (!poly_is_constant(r, rest) || poly_is_zero(r, rest)) continue;
        const int sign = fmpz_sgn(rest->coeffs) * fmpz_sgn(m->coeffs) * fmpz_sgn(fact.den->coeffs);
        if (sign < 0) return true;
    }
    return false;
}

static bool is_assumed(prover *p, poly f, proof_factor *out)
{
    poly quotient;
    for (size_t i = 0; i < p->q->facts; i++) {
        if (poly_is_zero(p->r, p->fact[i].num)) continue;
        if ((p->q->fact[i].border || !poly_divides(p->r, p->fact[i].num, f, &quotient)) &&
            !(p->q->fact[i].positive && is_negative_on(p, p->fact[i], f)))
            continue;
        out->because = PROOF_ASSUMED;
        out->fact = i;
        return true;
    }
    return false;
}

static bool find_reason(prover *p, poly f, proof_reason reason, proof_factor *out)
{
    out->f = proof_export(p, f);
    if (is_positive(p, f, out) || is_assumed(p, f, out)) return true;
    out->because = reason;
    if (reason == NO_REASON) p->why = "nothing says that a factor does not vanish";
    return reason != NO_REASON;
}

bool proof_never_zero(prover *p, poly f)
{
    if (poly_is_zero(p->r, f)) return false;
    const poly_factors all = poly_factor(p->r, f);
    for (size_t i = 0; i < all.count; i++) {
        proof_factor out = {0};
        if (!is_positive(p, all.factor[i], &out) && !is_assumed(p, all.factor[i], &out))
            return false;
    }
    return true;
}

bool proof_justify(prover *p, poly multiplier, proof_reason reason, proof_step *step)
{
    const poly_factors all = poly_factor(p->r, multiplier);
    size_t *factor = NEW_ARRAY(p->arena, size_t, all.count);
    long *power = NEW_ARRAY(p->arena, long, all.count);
    for (size_t i = 0; i < all.count; i++) {
        proof_factor f = {0};
        if (!find_reason(p, all.factor[i], reason, &f)) return false;
        factor[i] = p->branch->factors.count;
        power[i] = all.exponent[i];
        LIST_PUSH(p->arena, &p->branch->factors, f);
    }
    step->factors = all.count;
    step->factor = factor;
    step->power = power;
    step->scale = proof_export(p, all.content).coefficient[0];
    return true;
}
