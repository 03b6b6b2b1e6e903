/* t_coprime.c - common divisors and factors that one point settles, against FLINT's. */
#include "algebra/ring.h"
#include "algebra_support.h"

static poly random_poly(ring *r, flint_rand_t rng, slong terms, ulong degree)
{
    poly p = poly_new(r);
    do fmpz_mpoly_randtest_bound(p, rng, terms, 12, degree, r->mctx);
    while (fmpz_mpoly_is_zero(p, r->mctx));
    return p;
}

static void check_pair(ring *r, poly a, poly b, size_t *seen)
{
    poly want = poly_new(r);
    REQUIRE(fmpz_mpoly_gcd(want, a, b, r->mctx));
    CHECK(fmpz_mpoly_equal(poly_gcd(r, a, b), want, r->mctx));
    const bool coprime = poly_are_coprime(r, a, b);
    CHECK(!coprime || poly_is_constant(r, want));
    *seen += coprime;
}

static void check_factors(ring *r, poly a, size_t *seen)
{
    fmpz_mpoly_factor_t want;
    const poly_factors got = poly_factor(r, a);
    const bool sure = poly_is_surely_irreducible(r, a);
    fmpz_mpoly_factor_init(want, r->mctx);
    REQUIRE(fmpz_mpoly_factor(want, a, r->mctx));
    CHECK_INT((long) got.count, want->num);
    if (sure) {
        CHECK(want->num == 1 && fmpz_is_one(&want->exp[0]) && got.exponent[0] == 1);
        CHECK(fmpz_mpoly_equal(got.factor[0], &want->poly[0], r->mctx));
        CHECK(fmpz_mpoly_equal_fmpz(got.content, want->constant, r->mctx));
    }
    fmpz_mpoly_factor_clear(want, r->mctx);
    *seen += sure;
}

static void random_pairs(ah_ctx *ctx, algebra *alg)
{
    const ah_expr e = read_expr(ctx, "m + R + A + x + y");
    ring *r = ring_open(alg, &e, 1, false);
    size_t apart = 0, together = 0, single = 0, products = 0;
    flint_rand_t rng;
    flint_randinit(rng);
    for (int round = 0; round < 300; round++) {
        const size_t mark = ring_mark(r);
        poly a = random_poly(r, rng, 2 + round % 7, 3), b = random_poly(r, rng, 2 + round % 5, 3),
             c = random_poly(r, rng, 2, 2);
        check_pair(r, a, b, &apart);
        check_factors(r, a, &single);
        if (!poly_is_constant(r, c) && !poly_is_constant(r, a)) {
            const poly ac = poly_mul_free(r, a, c), bc = poly_mul_free(r, b, c);
            check_pair(r, ac, bc, &together);
            check_factors(r, ac, &products);
        }
        ring_release(r, mark);
    }
    flint_randclear(rng);
    ring_close(r);
    CHECK(apart > 100 && single > 50); /* what it is for */
    CHECK_INT((long) together, 0);
    CHECK_INT((long) products, 0);
}
TEST(one_point_says_what_flint_says)
{
    run_with_algebra(random_pairs);
}
