/* proof/proof_steps.c - what proofs are made of: recorded identities, linear systems over the
 * fractions, division by a polynomial in one generator. */
#include "proof_inside.h"

#include <string.h>

/* ---- Writing down ---------------------------------------------------------------------------- */

static const char *integer_text(prover *p, const fmpz_t n)
{
    char *digits = fmpz_get_str(NULL, 10, n);
    const char *copy = arena_printf(p->arena, "%s", digits);
    flint_free(digits);
    return copy;
}

proof_poly proof_export(prover *p, poly a)
{
    const ring *r = p->r;
    const size_t terms = poly_terms(a), width = r->g->count;
    const char **coefficient = NEW_ARRAY(p->arena, const char *, terms);
    uint32_t *exponent = NEW_ARRAY(p->arena, uint32_t, terms * width);
    ulong *power = NEW_ARRAY(&r->ctx->scratch, ulong, width + 1);
    fmpz_t c;
    fmpz_init(c);
    for (size_t i = 0; i < terms; i++) {
        fmpz_mpoly_get_term_coeff_fmpz(c, a, (slong) i, r->mctx);
        coefficient[i] = integer_text(p, c);
        fmpz_mpoly_get_term_exp_ui(power, a, (slong) i, r->mctx);
        for (size_t k = 0; k < width; k++) exponent[i * width + k] = (uint32_t) power[k];
    }
    fmpz_clear(c);
    return (proof_poly){terms, coefficient, exponent};
}

poly proof_modulo_relations(prover *p, poly a, proof_cofactors *by)
{
    ring *r = p->r;
    if (r->relations == 0) return a;
    poly rest = poly_new(r);
    fmpz_mpoly_divrem_ideal(r->quotient, rest, a, r->relation, (slong) r->relations, r->mctx);
    for (size_t i = 0; i < r->relations; i++) {
        if (!poly_is_zero(r, r->quotient[i]))
            LIST_PUSH(p->arena, by, ((proof_cofactor){i, proof_export(p, r->quotient[i])}));
        fmpz_mpoly_zero(r->quotient[i], r->mctx);
    }
    poly_check(r, rest);
    return rest;
}

void proof_add(prover *p, proof_sum *s, size_t of, poly by)
{
    if (!poly_is_zero(p->r, by))
        LIST_PUSH(&p->r->ctx->scratch, &s->at, ((struct proof_summand){of, by}));
}

proof_square_list proof_export_squares(prover *p, const proof_squares *s, size_t count)
{
    proof_square_list out = {0};
    for (size_t i = 0; i < count; i++)
        LIST_PUSH(p->arena, &out,
                  ((proof_square_term){proof_export(p, s->at.at[i].c).coefficient[0],
                                       proof_export(p, s->at.at[i].s)}));
    return out;
}

/* open = Σ by·known modulo the relations? Then the step is told. */
static bool end_step(prover *p, poly proves, poly open, const proof_sum *sum, proof_step *step,
                     size_t *index)
{
    ring *r = p->r;
    for (size_t i = 0; i < sum->at.count; i++) {
        const struct proof_summand *s = &sum->at.at[i];
        open = poly_sub(r, open, poly_mul_free(r, s->by, p->known.at[s->of]));
        LIST_PUSH(p->arena, &step->by, ((proof_cofactor){s->of, proof_export(p, s->by)}));
    }
    if (!poly_is_zero(r, proof_modulo_relations(p, open, &step->by))) {
        p->why = "an identity did not come out";
        return false;
    }
    LIST_PUSH(p->arena, &p->branch->steps, *step);
    LIST_PUSH(&r->ctx->scratch, &p->known, proves);
    *index = p->known.count - 1;
    return true;
}

bool proof_record(prover *p, poly proves, poly multiplier, proof_reason reason,
                  const proof_sum *sum, size_t *index)
{
    proof_step step = {.proves = proof_export(p, proves)};
    if (!proof_justify(p, multiplier, reason, &step)) return false;
    return end_step(p, proves, poly_mul_free(p->r, multiplier, proves), sum, &step, index);
}

bool proof_record_real(prover *p, poly proves, const proof_squares *squares, const proof_sum *sum,
                       size_t *index)
{
    ring *r = p->r;
    proof_step step = {.proves = proof_export(p, proves), .real = true};
    if (!proof_justify(p, squares->scale, NO_REASON, &step)) return false;
    poly open = poly_mul_free(r, proves, proves);
    for (size_t i = 0; i < squares->at.count; i++) {
        const struct proof_square *s = &squares->at.at[i];
        open = poly_add(r, open, poly_mul_free(r, s->c, poly_mul_free(r, s->s, s->s)));
    }
    step.squares = proof_export_squares(p, squares, squares->at.count);
    return end_step(p, proves, poly_mul_free(r, squares->scale, open), sum, &step, index);
}

/* ---- Linear systems -------------------------------------------------------------------------- */

static size_t cost(frac f)
{
    return poly_terms(f.num) + 2 * poly_terms(f.den);
}

/* The cheapest entry of the rows and columns that are left. */
static bool choose_pivot(const ring *r, size_t n, const frac *a, const bool *done_row,
                         const size_t *row_of, size_t *row, size_t *col)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            if (done_row[i] || row_of[j] != SIZE_MAX || poly_is_zero(r, a[i * n + j].num)) continue;
            const size_t now = cost(a[i * n + j]);
            if (now < best) best = now, *row = i, *col = j;
        }
    return best != SIZE_MAX;
}

static frac combine(ring *r, frac a, frac factor, frac b)
{
    return frac_cancel(r, frac_sub(r, a, frac_mul(r, factor, b)));
}

static void clear_column(ring *r, size_t n, frac *a, frac *b, size_t row, size_t col)
{
    const frac pivot = a[row * n + col];
    for (size_t i = 0; i < n; i++) {
        if (i == row || poly_is_zero(r, a[i * n + col].num)) continue;
        const frac factor = frac_cancel(r, frac_div(r, a[i * n + col], pivot));
        for (size_t j = 0; j < n; j++)
            if (!poly_is_zero(r, a[row * n + j].num))
                a[i * n + j] = combine(r, a[i * n + j], factor, a[row * n + j]);
        b[i] = combine(r, b[i], factor, b[row]);
    }
}

/* Gauss and Jordan, the cheapest pivot first; false: singular. */
bool proof_solve(prover *p, size_t n, frac *a, frac *b)
{
    ring *r = p->r;
    arena *scratch = &r->ctx->scratch;
    bool *done = NEW_ARRAY(scratch, bool, n);
    size_t *row_of = NEW_ARRAY(scratch, size_t, n), row = 0, col = 0;
    for (size_t j = 0; j < n; j++) row_of[j] = SIZE_MAX;
    for (size_t k = 0; k < n; k++) {
        if (!choose_pivot(r, n, a, done, row_of, &row, &col)) return false;
        done[row] = true;
        row_of[col] = row;
        clear_column(r, n, a, b, row, col);
    }
    frac *y = NEW_ARRAY(scratch, frac, n);
    for (size_t j = 0; j < n; j++)
        y[j] = frac_cancel(r, frac_div(r, b[row_of[j]], a[row_of[j] * n + j]));
    memcpy(b, y, n * sizeof *b);
    return true;
}

/* ---- Division -------------------------------------------------------------------------------- */

poly proof_divide(prover *p, poly e, poly link, size_t main, poly *multiplier, poly *quotient)
{
    ring *r = p->r;
    const slong at = (slong) main;
    const long degree = fmpz_mpoly_degree_si(link, at, r->mctx);
    poly lead = poly_new(r), x = poly_new(r);
    fmpz_mpoly_get_coeff_vars_ui(lead, link, &at, (ulong[]){(ulong) degree}, 1, r->mctx);
    fmpz_mpoly_gen(x, at, r->mctx);
    *multiplier = poly_int(r, 1);
    *quotient = poly_int(r, 0);
    for (long k; (k = fmpz_mpoly_degree_si(e, at, r->mctx)) >= degree;) {
        poly c = poly_new(r);
        fmpz_mpoly_get_coeff_vars_ui(c, e, &at, (ulong[]){(ulong) k}, 1, r->mctx);
        const poly g = poly_gcd(r, c, lead), m = poly_divide(r, lead, g);
        const poly by =
            poly_mul(r, poly_divide(r, c, g), poly_pow(r, x, (unsigned long) (k - degree)));
        e = poly_sub(r, poly_mul(r, e, m), poly_mul(r, by, link));
        *multiplier = poly_mul(r, *multiplier, m);
        *quotient = poly_add(r, poly_mul(r, *quotient, m), by);
    }
    return e;
}
