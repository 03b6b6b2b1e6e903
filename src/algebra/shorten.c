/* algebra/shorten.c - sin² or cos², sinh² or cosh²: whichever makes a polynomial short.
 *
 * For each pair (c, s) with c² = 1 + ε s² (ε = −1 circular, +1 hyperbolic) the polynomial falls
 * into parts  m · c^i s^j · E(s²),  m a monomial in the other generators, i and j 0 or 1. Each E is
 * written in S = s² or in C = c², with factors S and C split off: of A + B s² − (A + B) s⁴ …  what
 * is shortest. So A s² + J − J s² + m R² − m R² s² becomes A s² + J c² + m R² c². */
#include "ring.h"
#include <flint/fmpz_poly.h>
#include <stdlib.h>
#include <string.h>

#define SHORTEN_TERMS  3000 /* longer ones nobody reads */
#define SHORTEN_DEGREE 64

/* ---- Parts with the same m, i, j ------------------------------------------------------------- */

typedef struct row {
    const ulong *key; /* exponents with c and s replaced by i and j */
    size_t length;
    ulong power; /* of S */
    slong term;
} row;

static int compare(const void *a, const void *b)
{
    const row *x = a, *y = b;
    const int order = memcmp(x->key, y->key, x->length * sizeof *x->key);
    return order ? order : (x->power > y->power) - (x->power < y->power);
}

static bool is_same_part(const row *x, const row *y)
{
    return !memcmp(x->key, y->key, x->length * sizeof *x->key);
}

static row *rows_of(ring *r, poly a, size_t c)
{
    const size_t n = poly_terms(a), width = r->g->count;
    ulong *exponents = NEW_ARRAY(&r->ctx->scratch, ulong, n * width);
    row *rows = NEW_ARRAY(&r->ctx->scratch, row, n);
    for (size_t i = 0; i < n; i++) {
        ulong *key = &exponents[i * width];
        fmpz_mpoly_get_term_exp_ui(key, a, (slong) i, r->mctx);
        rows[i] = (row){key, width, key[c + 1] / 2, (slong) i};
        key[c + 1] %= 2;
    }
    qsort(rows, n, sizeof *rows, compare);
    return rows;
}

/* ---- One part -------------------------------------------------------------------------------- */

/* A way of writing E: C^outer · (Σ terms in S, or S^inner · Σ terms in C). */
typedef struct writing {
    fmpz_poly_t p;
    bool in_c;
    slong inner, outer;
} writing;

static slong badness(const writing *w)
{
    slong terms = 0, negative = 0;
    for (slong k = 0; k < w->p->length; k++) {
        terms += !fmpz_is_zero(&w->p->coeffs[k]);
        negative += fmpz_sgn(&w->p->coeffs[k]) < 0;
    }
    return 4 * terms + negative + (w->in_c && w->inner > 0);
}

/* S^inner E(S) with S = ε (C − 1). */
static void in_terms_of_c(writing *w, const fmpz_poly_t E, slong epsilon)
{
    fmpz_poly_t S;
    fmpz_poly_init(S);
    fmpz_poly_set_coeff_si(S, 1, epsilon);
    fmpz_poly_set_coeff_si(S, 0, -epsilon);
    w->inner = 0;
    while (fmpz_is_zero(fmpz_poly_get_coeff_ptr(E, w->inner))) w->inner++;
    fmpz_poly_shift_right(w->p, E, w->inner);
    fmpz_poly_compose(w->p, w->p, S);
    w->in_c = true;
    fmpz_poly_clear(S);
}

/* E = C^outer · Q, as often as C = 1 + εS divides. */
static slong strip_c(fmpz_poly_t Q, const fmpz_poly_t E, slong epsilon)
{
    fmpz_poly_t C, q;
    slong outer = 0;
    fmpz_poly_init(C);
    fmpz_poly_init(q);
    fmpz_poly_set_coeff_si(C, 1, epsilon);
    fmpz_poly_set_coeff_si(C, 0, 1);
    fmpz_poly_set(Q, E);
    while (fmpz_poly_divides(q, Q, C)) {
        fmpz_poly_swap(q, Q);
        outer++;
    }
    fmpz_poly_clear(C);
    fmpz_poly_clear(q);
    return outer;
}

static const writing *choose(writing w[4], const fmpz_poly_t E, slong epsilon)
{
    for (int k = 0; k < 4; k++) w[k] = (writing){.in_c = false};
    for (int k = 0; k < 4; k++) fmpz_poly_init(w[k].p);
    fmpz_poly_set(w[0].p, E);
    w[1].outer = w[3].outer = strip_c(w[1].p, E, epsilon);
    in_terms_of_c(&w[2], E, epsilon);
    in_terms_of_c(&w[3], w[1].p, epsilon);
    const writing *best = &w[0];
    for (int k = 1; k < 4; k++)
        if (badness(&w[k]) < badness(best)) best = &w[k];
    return best;
}

static void push(ring *r, poly out, const writing *w, const ulong *key, ulong *exponent, size_t c)
{
    memcpy(exponent, key, r->g->count * sizeof *exponent);
    for (slong k = 0; k < w->p->length; k++) {
        if (fmpz_is_zero(&w->p->coeffs[k])) continue;
        const slong in_c = w->outer + (w->in_c ? k : 0), in_s = w->in_c ? w->inner : k;
        exponent[c] = key[c] + 2 * (ulong) in_c;
        exponent[c + 1] = key[c + 1] + 2 * (ulong) in_s;
        fmpz_mpoly_push_term_fmpz_ui(out, &w->p->coeffs[k], exponent, r->mctx);
    }
}

/* The part in some rows of a: where it is shorter otherwise that is pushed to `out`, and its terms of a become zero. */
static bool shorten_part(ring *r, poly a, const row *rows, size_t count, size_t c, ulong *exponent,
                         poly out)
{
    fmpz_poly_t E;
    writing w[4];
    fmpz_poly_init(E); /* nothing raises in here */
    for (size_t k = 0; k < count; k++)
        fmpz_poly_set_coeff_fmpz(E, (slong) rows[k].power, &a->coeffs[rows[k].term]);
    const writing *best = choose(w, E, r->g->gen[c].kind == GEN_COS ? -1 : 1);
    const bool better = best != &w[0];
    if (better) push(r, out, best, rows->key, exponent, c);
    for (size_t k = 0; better && k < count; k++) fmpz_zero(&a->coeffs[rows[k].term]);
    for (int k = 0; k < 4; k++) fmpz_poly_clear(w[k].p);
    fmpz_poly_clear(E);
    return better;
}

/* ---- A pair, all pairs ----------------------------------------------------------------------- */

/* All parts of a, which has c to the first degree at most; a is used up. A part of one term is as short as it can be. */
static poly shorten_parts(ring *r, poly a, size_t c)
{
    const size_t n = poly_terms(a);
    const row *rows = rows_of(r, a, c);
    ulong *exponent = NEW_ARRAY(&r->ctx->scratch, ulong, r->g->count);
    poly out = poly_new(r);
    bool any = false;
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && is_same_part(&rows[i], &rows[j]);) j++;
        if (j - i > 1) any |= shorten_part(r, a, rows + i, j - i, c, exponent, out);
    }
    if (!any) return a;
    fmpz_mpoly_combine_like_terms(a, r->mctx); /* without those that are zero */
    fmpz_mpoly_sort_terms(out, r->mctx);
    fmpz_mpoly_combine_like_terms(out, r->mctx);
    return poly_add(r, out, a);
}

static poly shorten_pair(ring *r, poly a, size_t c, poly relation)
{
    poly rest = poly_new(r), q;
    if (fmpz_mpoly_degree_si(a, (slong) c, r->mctx) > 1)
        fmpz_mpoly_divrem(q = poly_new(r), rest, a, relation, r->mctx); /* c to the first degree */
    else
        fmpz_mpoly_set(rest, a, r->mctx);
    if (fmpz_mpoly_degree_si(rest, (slong) c + 1, r->mctx) > 1) rest = shorten_parts(r, rest, c);
    return poly_terms(rest) <= poly_terms(a) ? rest : a;
}

poly poly_shorten(ring *r, poly a)
{
    if (poly_terms(a) > SHORTEN_TERMS || poly_terms(a) < 2) return a;
    bool *used = NEW_ARRAY(&r->ctx->scratch, bool, r->g->count);
    for (size_t before = SIZE_MAX; poly_terms(a) < before;) {
        before = poly_terms(a);
        poly_used(r, a, used);
        for (size_t i = 0; i < r->relations; i++) {
            const size_t c = r->leader[i];
            const bool pair = r->g->gen[c].kind == GEN_COS || r->g->gen[c].kind == GEN_COSH;
            if (!pair || !used[c + 1]) continue;
            if (fmpz_mpoly_degree_si(a, (slong) c + 1, r->mctx) <= SHORTEN_DEGREE)
                a = shorten_pair(r, a, c, r->relation[i]);
        }
    }
    return a;
}
