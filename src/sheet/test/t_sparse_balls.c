/* t_sparse_balls - elimination in balls against Arb's own solution, and against the equations themselves. */
#include "harness.h"
#include "sheet/sparse_balls.h"

#include <stdio.h>

enum { BITS = 256 };

/* n masses, each held to the next by a spring, and `rows` pairs of them by x_i = x_(i+1): rows without a diagonal. */
static void chain(arb_mat_t A, slong n, slong rows)
{
    arb_mat_init(A, n + rows, n + rows);
    for (slong i = 0; i < n; i++) {
        arb_set_si(arb_mat_entry(A, i, i), 4 + i % 3);
        if (i + 1 == n) continue;
        arb_set_si(arb_mat_entry(A, i, i + 1), -1);
        arb_set_si(arb_mat_entry(A, i + 1, i), -1);
    }
    for (slong k = 0; k < rows; k++)
        for (slong side = 0; side < 2; side++) {
            arb_set_si(arb_mat_entry(A, n + k, 2 * k + side), side ? -1 : 1);
            arb_set_si(arb_mat_entry(A, 2 * k + side, n + k), side ? -1 : 1);
        }
}

static void sides(arb_mat_t B, slong n)
{
    arb_mat_init(B, n, 2);
    for (slong i = 0; i < n; i++) {
        arb_set_si(arb_mat_entry(B, i, 0), 1 + i % 5);
        arb_sqrt_ui(arb_mat_entry(B, i, 1), (ulong) i + 2, BITS);
    }
}

#if defined(AH_WITH_KLU) /* without it nothing counts as sparse */
TEST(elimination_agrees_with_the_approximate_inverse)
{
    const slong rows[] = {0, 5, 20};
    for (int i = 0; i < 3; i++) {
        arb_mat_t A, B, X, Y, AX;
        chain(A, 60, rows[i]);
        const slong n = arb_mat_nrows(A);
        sides(B, n);
        arb_mat_init(X, n, 2), arb_mat_init(Y, n, 2), arb_mat_init(AX, n, 2);
        CHECK(sparse_balls_solve(A, B, X, BITS));
        CHECK(arb_mat_solve(Y, A, B, BITS));
        arb_mat_mul(AX, A, X, BITS);
        CHECK(arb_mat_overlaps(X, Y) && arb_mat_overlaps(AX, B));
        for (slong k = 0; k < n; k++) {
            mag_t least;
            mag_init(least);
            mag_set_ui_2exp_si(least, 1, -BITS / 2);
            CHECK(mag_cmp(arb_radref(arb_mat_entry(X, k, 0)), least) < 0);
            mag_clear(least);
        }
        arb_mat_clear(A), arb_mat_clear(B), arb_mat_clear(X), arb_mat_clear(Y), arb_mat_clear(AX);
    }
}
#endif

/* What elimination cannot do is left to others, and X as it was. */
static void is_left(arb_mat_t A, const char *what)
{
    arb_mat_t B, X;
    sides(B, arb_mat_nrows(A));
    arb_mat_init(X, arb_mat_nrows(A), 2);
    if (!CHECK(!sparse_balls_solve(A, B, X, BITS))) printf("# %s\n", what);
    CHECK(arb_mat_is_zero(X));
    arb_mat_clear(B), arb_mat_clear(X), arb_mat_clear(A);
}

TEST(what_elimination_leaves)
{
    arb_mat_t A;
    chain(A, 4, 1);
    is_left(A, "small");
    chain(A, 60, 5);
    for (slong j = 0; j < 65; j++) arb_set(arb_mat_entry(A, 64, j), arb_mat_entry(A, 63, j));
    for (slong j = 0; j < 65; j++) arb_set(arb_mat_entry(A, j, 64), arb_mat_entry(A, j, 63));
    is_left(A, "the same constraint twice");
    chain(A, 60, 0);
    for (slong i = 0; i < 60; i++) arb_add_error_2exp_si(arb_mat_entry(A, i, i), -20);
    is_left(A, "known to 20 bits only");
}
