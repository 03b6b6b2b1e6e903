/* algebra/angles.c - addition theorems read backwards: what is sin or cos of a sum of two base
 * angles. */
#include "ring.h"

/* The two generators of a term that is a product of two of them, each to the first power. */
static bool two_generators(ring *r, poly a, slong term, size_t out[2])
{
    const arena_mark mark = arena_get_mark(&r->ctx->scratch);
    ulong *exponent = NEW_ARRAY(&r->ctx->scratch, ulong, r->g->count + 1), sum = 0;
    size_t n = 0;
    fmpz_mpoly_get_term_exp_ui(exponent, a, term, r->mctx);
    for (size_t i = 0; i < r->g->count; i++) {
        if (exponent[i] && n < 2) out[n++] = i;
        sum += exponent[i];
    }
    arena_release(&r->ctx->scratch, mark);
    return n == 2 && sum == 2;
}

static bool is_pair(const ring *r, size_t c, size_t s)
{
    return r->g->gen[c].kind == GEN_COS && s == c + 1;
}

/* ±cos α cos β ± sin α sin β = ±cos(α ∓ β), ±sin α cos β ± cos α sin β = ±sin(α ± β); AH_NONE for
 * everything else. Generators are in order, so the first term has the first cosine. */
static ah_expr sum_of_angles(ring *r, poly a)
{
    size_t x[2], y[2];
    if (poly_terms(a) != 2 || !fmpz_is_pm1(&a->coeffs[0]) || !fmpz_is_pm1(&a->coeffs[1]))
        return AH_NONE;
    if (!two_generators(r, a, 0, x) || !two_generators(r, a, 1, y)) return AH_NONE;
    const bool cosine = is_pair(r, x[0], y[0]) && is_pair(r, x[1], y[1]); /* cc and ss */
    const bool sine = is_pair(r, x[0], y[0]) && is_pair(r, y[1], x[1]);   /* cs and sc */
    if (!cosine && !sine) return AH_NONE;
    ah_ctx *ctx = r->ctx;
    const ah_expr alpha = r->g->gen[x[0]].base, beta = r->g->gen[cosine ? x[1] : y[1]].base;
    const int first = fmpz_sgn(&a->coeffs[0]), second = fmpz_sgn(&a->coeffs[1]);
    const bool add = cosine ? first != second : first == second;
    const ah_expr angle = add ? expr_add(ctx, beta, alpha) : expr_sub(ctx, beta, alpha);
    const ah_expr e = expr_call1(ctx, cosine ? AH_COS : AH_SIN, angle);
    return first > 0 ? e : expr_neg(ctx, e);
}

/* The cosines of the two angles that a consists of; false when there is anything else in it. */
static bool two_angles(ring *r, poly a, size_t out[2])
{
    const arena_mark mark = arena_get_mark(&r->ctx->scratch);
    bool *used = NEW_ARRAY(&r->ctx->scratch, bool, r->g->count + 1), good = true;
    size_t n = 0;
    poly_used(r, a, used);
    for (size_t i = 0; i < r->g->count && good; i++) {
        if (r->g->gen[i].kind == GEN_COS && (used[i] || used[i + 1])) {
            if (n < 2) out[n] = i;
            n++;
        }
        good = !used[i] || r->g->gen[i].kind >= GEN_COS;
    }
    arena_release(&r->ctx->scratch, mark);
    return good && n == 2;
}

/* sin²(α ± β) and cos²(α ± β), reduced as the ring does it, have four terms or five. */
static ah_expr square_of_sum(ring *r, poly a)
{
    size_t c[2];
    if (poly_terms(a) < 4 || poly_terms(a) > 5 || !two_angles(r, a, c)) return AH_NONE;
    ah_ctx *ctx = r->ctx;
    const poly c1 = frac_gen(r, c[0]).num, s1 = frac_gen(r, c[0] + 1).num;
    const poly c2 = frac_gen(r, c[1]).num, s2 = frac_gen(r, c[1] + 1).num;
    poly reduced = poly_copy(r, a);
    poly_reduce(r, reduced);
    for (int sign = -1; sign <= 1; sign += 2) {
        const poly u = poly_add(r, poly_mul(r, s1, c2), poly_scale(r, poly_mul(r, c1, s2), sign));
        const poly sine = poly_mul(r, u, u), cosine = poly_sub(r, poly_int(r, 1), sine);
        const bool is_sine = fmpz_mpoly_equal(reduced, sine, r->mctx);
        if (!is_sine && !fmpz_mpoly_equal(reduced, cosine, r->mctx)) continue;
        const ah_expr beta = expr_mul(ctx, expr_int(ctx, sign), r->g->gen[c[1]].base);
        const ah_expr angle = expr_add(ctx, r->g->gen[c[0]].base, beta);
        return expr_powi(ctx, expr_call1(ctx, is_sine ? AH_SIN : AH_COS, angle), 2);
    }
    return AH_NONE;
}

ah_expr angles_joined(ring *r, poly a)
{
    const ah_expr e = sum_of_angles(r, a);
    return e ? e : square_of_sum(r, a);
}
