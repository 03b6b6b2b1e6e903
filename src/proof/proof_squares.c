/* proof/proof_squares.c - polynomials as sums of squares, and what that says of real points.
 *
 * f = bᵀ A b in monomials b, A symmetric and rational; with A = Lᵀ D L (rows as they come, a pivot must be
 * positive or its row zero)
 *
 *     k f = Σ c_i s_i²,        k, c_i positive integers, s_i with integer coefficients.
 *
 * Of quadratic polynomials A is unique and the search complete; of others one A is tried: even powers with
 * positive coefficients on the diagonal, all else between two of these monomials. */
#include "proof_inside.h"

#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <string.h>

#define SQUARES_MOST 24 /* monomials */
#define TERMS_MOST   120

typedef struct basis {
    size_t count, width;
    ulong *power; /* count × width */
} basis;

static ulong *exponents(const ring *r, arena *a, poly f, size_t term)
{
    ulong *power = NEW_ARRAY(a, ulong, r->g->count + 1);
    fmpz_mpoly_get_term_exp_ui(power, f, (slong) term, r->mctx);
    return power;
}

static bool all_even(const ulong *power, size_t width)
{
    for (size_t k = 0; k < width; k++)
        if (power[k] % 2) return false;
    return true;
}

static bool is_one(const ulong *power, size_t width)
{
    for (size_t k = 0; k < width; k++)
        if (power[k]) return false;
    return true;
}

static bool is_diagonal(const ring *r, arena *a, poly f, size_t term)
{
    return fmpz_sgn(f->coeffs + term) > 0 && all_even(exponents(r, a, f, term), r->g->count);
}

/* The roots of the diagonal terms, the number 1 last: its pivot is what is never zero. */
static bool make_basis(const ring *r, arena *a, poly f, basis *b)
{
    const size_t width = r->g->count;
    *b = (basis){0, width, NEW_ARRAY(a, ulong, (SQUARES_MOST + 1) * width + 1)};
    for (int last = 0; last < 2; last++)
        for (size_t i = 0; i < poly_terms(f); i++) {
            const ulong *power = exponents(r, a, f, i);
            if (!is_diagonal(r, a, f, i) || is_one(power, width) != (last == 1)) continue;
            if (b->count == SQUARES_MOST) return false;
            for (size_t k = 0; k < width; k++) b->power[b->count * width + k] = power[k] / 2;
            b->count++;
        }
    return b->count > 0;
}

/* Two monomials of the basis whose product this is. */
static bool find_pair(const basis *b, const ulong *power, size_t *i, size_t *j)
{
    for (*i = 0; *i < b->count; ++*i)
        for (*j = *i + 1; *j < b->count; ++*j) {
            bool same = true;
            for (size_t k = 0; same && k < b->width; k++)
                same = b->power[*i * b->width + k] + b->power[*j * b->width + k] == power[k];
            if (same) return true;
        }
    return false;
}

static bool make_matrix(const ring *r, arena *a, poly f, const basis *b, fmpq_mat_t A)
{
    for (size_t t = 0; t < poly_terms(f); t++) {
        const ulong *power = exponents(r, a, f, t);
        size_t i = 0, j = 0;
        if (is_diagonal(r, a, f, t)) {
            for (bool same = false; !same; i += !same) {
                same = true;
                for (size_t k = 0; same && k < b->width; k++)
                    same = 2 * b->power[i * b->width + k] == power[k];
            }
            fmpq_set_fmpz(fmpq_mat_entry(A, (slong) i, (slong) i), f->coeffs + t);
            continue;
        }
        if (!find_pair(b, power, &i, &j)) return false;
        fmpq *entry = fmpq_mat_entry(A, (slong) i, (slong) j);
        fmpq_set_fmpz(entry, f->coeffs + t);
        fmpq_div_2exp(entry, entry, 1);
        fmpq_set(fmpq_mat_entry(A, (slong) j, (slong) i), entry);
    }
    return true;
}

/* A becomes L (rows divided by their pivots), d the pivots; false: one is negative. */
static bool complete_squares(fmpq_mat_t A, fmpq *d)
{
    const slong n = fmpq_mat_nrows(A);
    fmpq_t x;
    fmpq_init(x);
    bool good = true;
    for (slong i = 0; good && i < n; i++) {
        fmpq_set(&d[i], fmpq_mat_entry(A, i, i));
        good = fmpq_sgn(&d[i]) >= 0;
        for (slong j = i + 1; good && fmpq_is_zero(&d[i]) && j < n; j++)
            good = fmpq_is_zero(fmpq_mat_entry(A, i, j));
        if (!good || fmpq_is_zero(&d[i])) continue;
        for (slong j = i + 1; j < n; j++)
            for (slong k = i + 1; k < n; k++) {
                fmpq_mul(x, fmpq_mat_entry(A, i, j), fmpq_mat_entry(A, i, k));
                fmpq_div(x, x, &d[i]);
                fmpq_sub(fmpq_mat_entry(A, j, k), fmpq_mat_entry(A, j, k), x);
            }
        for (slong j = i; j < n; j++)
            fmpq_div(fmpq_mat_entry(A, i, j), fmpq_mat_entry(A, i, j), &d[i]);
    }
    fmpq_clear(x);
    return good;
}

/* Row i as an integer polynomial: divided by nothing but a number, which goes into d. */
static poly row_poly(ring *r, const basis *b, const fmpq_mat_t L, slong i, fmpq *d)
{
    poly s = poly_new(r);
    fmpz_t scale, c;
    fmpz_init_set_ui(scale, 1);
    fmpz_init(c);
    const slong n = (slong) b->count;
    for (slong j = i; j < n; j++) fmpz_lcm(scale, scale, fmpq_denref(fmpq_mat_entry(L, i, j)));
    for (slong j = i; j < n; j++) {
        const fmpq *x = fmpq_mat_entry(L, i, j);
        fmpz_divexact(c, scale, fmpq_denref(x));
        fmpz_mul(c, c, fmpq_numref(x));
        if (!fmpz_is_zero(c))
            fmpz_mpoly_set_coeff_fmpz_ui(s, c, b->power + (size_t) j * b->width, r->mctx);
    }
    fmpz_mul(c, scale, scale);
    fmpq_div_fmpz(d, d, c);
    fmpz_clear(scale);
    fmpz_clear(c);
    return s;
}

static void collect(prover *p, const basis *b, const fmpq_mat_t L, fmpq *d, proof_squares *out)
{
    ring *r = p->r;
    fmpz_t k, c;
    fmpz_init_set_ui(k, 1);
    fmpz_init(c);
    for (size_t i = 0; i < b->count; i++) {
        if (fmpq_is_zero(&d[i])) continue;
        const poly s = row_poly(r, b, L, (slong) i, &d[i]);
        fmpz_lcm(k, k, fmpq_denref(&d[i]));
        LIST_PUSH(&r->ctx->scratch, &out->at, ((struct proof_square){NULL, s}));
    }
    for (size_t i = 0, at = 0; i < b->count; i++) {
        if (fmpq_is_zero(&d[i])) continue;
        poly constant = poly_new(r);
        fmpz_divexact(c, k, fmpq_denref(&d[i]));
        fmpz_mul(c, c, fmpq_numref(&d[i]));
        fmpz_mpoly_set_fmpz(constant, c, r->mctx);
        out->at.at[at++].c = constant;
    }
    out->scale = poly_new(r);
    fmpz_mpoly_set_fmpz(out->scale, k, r->mctx);
    fmpz_clear(k);
    fmpz_clear(c);
}

bool proof_squares_of(prover *p, poly f, proof_squares *out)
{
    basis b;
    arena *a = &p->r->ctx->scratch;
    *out = (proof_squares){0};
    if (poly_terms(f) > TERMS_MOST || !make_basis(p->r, a, f, &b)) return false;
    fmpq_mat_t A;
    fmpq *d = _fmpq_vec_init((slong) b.count);
    fmpq_mat_init(A, (slong) b.count, (slong) b.count);
    const bool found = make_matrix(p->r, a, f, &b, A) && complete_squares(A, d);
    if (found) collect(p, &b, A, d, out);
    fmpq_mat_clear(A);
    _fmpq_vec_clear(d, (slong) b.count);
    const size_t last = out->at.count;
    out->strict = found && last && poly_is_constant(p->r, out->at.at[last - 1].s);
    return found && last;
}

/* ---- Real points ----------------------------------------------------------------------------- */

/* h = u v with k u = Σ c s²: at real points each s v is zero, for
 *     (c_i s_i v)² + Σ c_i c_j (s_j v)² = c_i k v h. */
static bool each_is_zero(prover *p, const proof_squares *u, poly v, size_t h, size_t *first)
{
    ring *r = p->r;
    for (size_t i = 0; i < u->at.count; i++) {
        size_t index;
        proof_sum sum = {0};
        const struct proof_square *own = &u->at.at[i];
        proof_squares others = {.scale = poly_int(r, 1)};
        for (size_t k = 0; k < u->at.count; k++) {
            const struct proof_square *other = &u->at.at[k];
            if (k != i)
                LIST_PUSH(&r->ctx->scratch, &others.at,
                          ((struct proof_square){poly_mul(r, own->c, other->c),
                                                 poly_mul_free(r, other->s, v)}));
        }
        proof_add(p, &sum, h, poly_mul_free(r, poly_mul(r, own->c, u->scale), v));
        const poly zero = poly_mul_free(r, poly_mul_free(r, own->c, own->s), v);
        if (!proof_record_real(p, zero, &others, &sum, &index)) return false;
        if (i == 0) *first = index;
    }
    return true;
}

/* k v = Σ q s, and each s v is zero: k v² = Σ q s v. */
static bool by_span(prover *p, const proof_squares *u, poly v, size_t first, size_t *index)
{
    ring *r = p->r;
    const size_t n = u->at.count;
    poly rest = poly_new(r);
    poly *divisor = NEW_ARRAY(&r->ctx->scratch, poly, n), *q = NEW_ARRAY(&r->ctx->scratch, poly, n);
    fmpz_t k;
    for (size_t i = 0; i < n; i++) {
        divisor[i] = poly_mul_free(r, u->at.at[i].c, u->at.at[i].s);
        q[i] = poly_new(r);
    }
    fmpz_init(k);
    fmpz_mpoly_quasidivrem_ideal(k, q, rest, v, divisor, (slong) n, r->mctx);
    poly scale = poly_new(r);
    fmpz_mpoly_set_fmpz(scale, k, r->mctx);
    fmpz_clear(k);
    if (!poly_is_zero(r, rest)) return false;
    proof_sum sum = {0};
    for (size_t i = 0; i < n; i++) proof_add(p, &sum, first + i, q[i]);
    const proof_squares none = {.scale = scale};
    return proof_record_real(p, v, &none, &sum, index);
}

/* h = factor·v·(±1), and where the factor is zero at a real point v is, too. */
static bool strip_squares(prover *p, poly factor, poly v, poly sign, size_t *of)
{
    proof_squares u;
    size_t first = 0;
    poly quotient;
    if (poly_divides(p->r, v, factor, &quotient)) return false;
    if (!proof_squares_of(p, factor, &u)) return false;
    u.scale = poly_mul(p->r, u.scale, sign);
    return each_is_zero(p, &u, v, *of, &first) && by_span(p, &u, v, first, of);
}

/* h becomes v, which vanishes at the same real points; false: it remains. */
static bool strip(prover *p, poly factor, long power, poly *h, size_t *of)
{
    ring *r = p->r;
    poly v = *h, content;
    for (long i = 0; i < power; i++) v = poly_divide(r, v, factor);
    if (poly_is_constant(r, v)) return false;
    v = poly_primitive(r, v, &content);
    if (proof_never_zero(p, factor)) {
        proof_sum sum = {0};
        const poly multiplier = poly_mul(r, content, poly_pow(r, factor, (ulong) power));
        proof_add(p, &sum, *of, poly_int(r, 1));
        if (!proof_record(p, v, multiplier, NO_REASON, &sum, of)) return false;
    } else {
        const bool unit = fmpz_is_pm1(content->coeffs);
        if (power > 1 || !unit || !strip_squares(p, factor, v, content, of)) return false;
    }
    *h = v;
    return true;
}

void proof_real_part(prover *p, poly *h, size_t *of)
{
    if (poly_is_zero(p->r, *h) || !poly_factors_fully(p->r, *h)) return;
    const poly_factors all = poly_factor(p->r, *h);
    for (size_t i = 0; all.count > 1 && i < all.count; i++)
        strip(p, all.factor[i], all.exponent[i], h, of);
}
