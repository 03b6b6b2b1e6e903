/* algebra/squares.c - squares of binomials inside longer sums: y0² − 2 y0 y1 + y1² + x² is
 * (y0 − y1)² + x². Factoring sees them only when nothing else is in the sum. */
#include "ring.h"

#define SQUARES_TERMS 40

/* root[i]² is term i of a; NULL where it is no square. */
static poly *roots_of(ring *r, poly a)
{
    poly *root = NEW_ARRAY(&r->ctx->scratch, poly, poly_terms(a));
    for (size_t i = 0; i < poly_terms(a); i++) {
        poly term = poly_new(r), s = poly_new(r);
        fmpz_mpoly_get_term(term, a, (slong) i, r->mctx);
        if (fmpz_sgn(term->coeffs) > 0 && fmpz_mpoly_sqrt(s, term, r->mctx)) root[i] = s;
    }
    return root;
}

/* a² + b² ± 2ab in the sum: +1 or −1, 0 where the mixed term is missing. */
static int mixed_sign(ring *r, poly sum, poly a, poly b)
{
    poly product = poly_new(r), c = poly_new(r), wanted = poly_new(r);
    fmpz_mpoly_mul(product, a, b, r->mctx);
    fmpz_mpoly_set_fmpz(wanted, product->coeffs, r->mctx);
    fmpz_mpoly_scalar_mul_si(wanted, wanted, 2, r->mctx);
    fmpz_mpoly_set_term_coeff_si(product, 0, 1, r->mctx);
    fmpz_mpoly_get_coeff_fmpz_monomial(fmpq_numref(r->q), sum, product, r->mctx);
    fmpz_mpoly_set_fmpz(c, fmpq_numref(r->q), r->mctx);
    if (fmpz_mpoly_equal(c, wanted, r->mctx)) return 1;
    fmpz_mpoly_neg(c, c, r->mctx);
    return fmpz_mpoly_equal(c, wanted, r->mctx) ? -1 : 0;
}

/* Takes one square out of *rest. */
static ah_expr take_square(ring *r, poly *rest)
{
    const poly *root = roots_of(r, *rest);
    for (size_t i = 0; i < poly_terms(*rest); i++)
        for (size_t j = i + 1; j < poly_terms(*rest); j++) {
            const int sign = root[i] && root[j] ? mixed_sign(r, *rest, root[i], root[j]) : 0;
            if (!sign) continue;
            poly binomial = poly_scale(r, root[j], sign), square = poly_new(r);
            fmpz_mpoly_add(binomial, root[i], binomial, r->mctx);
            fmpz_mpoly_mul(square, binomial, binomial, r->mctx);
            *rest = poly_sub(r, *rest, square);
            return expr_powi(r->ctx, show_expanded(r, binomial, false), 2);
        }
    return AH_NONE;
}

ah_expr squares_joined(ring *r, poly a, unsigned level)
{
    if (poly_terms(a) < 3 || poly_terms(a) > SQUARES_TERMS) return AH_NONE;
    ah_expr sum = expr_int(r->ctx, 0), square;
    poly rest = a;
    while (poly_terms(rest) >= 3 && (square = take_square(r, &rest)))
        sum = expr_add(r->ctx, sum, square);
    if (rest == a) return AH_NONE;
    return poly_is_zero(r, rest) ? sum : expr_add(r->ctx, sum, nest_poly(r, rest, level));
}
