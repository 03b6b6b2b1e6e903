/* compile/test/t_pairs.c - pairs of factors: the products stay what they were, and the count is that by hand. */
#include "harness.h"

#include "compile/pairs.h"
#include "compile/program.h"

/* Exponents of the factors 0 .. 4 in a factor or pair. */
static void add_exponents(const pairs *p, uint32_t x, int *exponent)
{
    if (x < p->first) {
        exponent[x]++;
        return;
    }
    const pairs_pair *pair = &p->made.at[x - p->first];
    add_exponents(p, pair->a, exponent);
    add_exponents(p, pair->b, exponent);
}

typedef struct sharing_case {
    uint32_t factor[5][4];
    size_t count[5], multiplications;
} sharing_case;

/* One for each pair made, and those left in the products; products of the same factors count once. */
static void check_case(ah_ctx *ctx, const sharing_case *c)
{
    arena a;
    pairs_product product[5];
    size_t products = 0, multiplications = 0;
    uint32_t room[5][4];
    arena_init(&a, ctx);
    for (; products < 5 && c->count[products]; products++) {
        for (size_t k = 0; k < 4; k++) room[products][k] = c->factor[products][k];
        product[products] = (pairs_product){room[products], c->count[products]};
    }
    const pairs p = pairs_share(&a, product, products, 5);
    for (size_t i = 0; i < products; i++) {
        int exponent[5] = {0};
        for (size_t k = 0; k < c->count[i]; k++) exponent[c->factor[i][k]]--;
        for (size_t k = 0; k < product[i].count; k++)
            add_exponents(&p, product[i].factor[k], exponent);
        for (int k = 0; k < 5; k++) CHECK(exponent[k] == 0);
        multiplications += product[i].count - 1;
    }
    CHECK(p.made.count + multiplications == c->multiplications);
    arena_clear(&a);
}

TEST(pairs_shared)
{
    static const sharing_case cases[] = {
        /* nothing in common: the order stays */
        {{{0, 1}, {2, 3}}, {2, 2}, 2},
        /* the tire's u3/c, u3 s/c, u3² s/c, u1 u3 s/c, of 0 = 1/c, 1 = s, 2 = u3, 3 = u1: one each */
        {{{0, 2}, {0, 1, 2}, {2, 2, 0, 1}, {0, 3, 1, 2}}, {2, 3, 4, 4}, 4},
        /* a power in a product and alone */
        {{{0, 0}, {0, 0, 1}, {0, 0, 0}}, {2, 3, 3}, 3},
        /* the same pair twice in one product */
        {{{0, 1, 0, 1}, {0, 1}}, {4, 2}, 2},
        {{{0}, {1}}, {1, 1}, 0},
    };
    ah_ctx *ctx = ah_ctx_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(ctx, &cases[i]);
    ah_ctx_destroy(ctx);
}
