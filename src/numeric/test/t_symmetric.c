/* t_symmetric.c - the fixed elimination of constrained systems against dense arithmetic, and where it must refuse. */
#include "harness.h"

#include "numeric/numeric.h"
#include "numeric/symmetric.h"

#include <math.h>

/* A tree of points in the plane, point i hung on point parent(i) by a rod; M couples x and y of each point. */
enum { POINTS = 40, UNKNOWNS = 2 * POINTS, RODS = POINTS - 1, SIZE = UNKNOWNS + RODS };

typedef struct rods {
    uint32_t M_start[UNKNOWNS + 1], M_col[2 * UNKNOWNS], J_start[RODS + 1], J_col[4 * RODS];
    double entry[2 * UNKNOWNS + 4 * RODS], A[SIZE * SIZE];
} rods;

static void add(rods *t, uint32_t row, uint32_t col, uint32_t at, double x)
{
    t->entry[at] = x;
    t->A[row * SIZE + col] += x;
}

/* spread: to how many points before it a point may be hung. */
static void make_rods(rods *t, uint32_t spread)
{
    *t = (rods){0};
    for (uint32_t i = 0; i < UNKNOWNS; i++) {
        const double mass = harness_uniform(0.5, 2);
        const double other = i % 2 ? t->entry[2 * i - 1] : harness_uniform(-0.4, 0.4);
        t->M_start[i + 1] = 2 * (i + 1);
        t->M_col[2 * i] = i - i % 2;
        t->M_col[2 * i + 1] = i - i % 2 + 1;
        for (uint32_t k = 0; k < 2; k++)
            add(t, i, t->M_col[2 * i + k], 2 * i + k, k == i % 2 ? mass : other);
    }
    for (uint32_t r = 0; r < RODS; r++) {
        const uint32_t own = r + 1, back = 1 + (uint32_t) harness_uniform(0, spread),
                       other = back <= own ? own - back : 0;
        t->J_start[r + 1] = 4 * (r + 1);
        for (uint32_t k = 0; k < 2; k++) {
            const double d = harness_uniform(-1, 1);
            const uint32_t at = 2 * UNKNOWNS + 4 * r + k;
            t->J_col[4 * r + k] = 2 * other + k;
            t->J_col[4 * r + 2 + k] = 2 * own + k;
            add(t, UNKNOWNS + r, 2 * other + k, at, d);
            add(t, UNKNOWNS + r, 2 * own + k, at + 2, -d);
            t->A[(2 * other + k) * SIZE + UNKNOWNS + r] -= d;
            t->A[(2 * own + k) * SIZE + UNKNOWNS + r] += d;
        }
    }
}

static sparse_pattern pattern_M(const rods *t)
{
    return (sparse_pattern){UNKNOWNS, UNKNOWNS, t->M_start, t->M_col};
}

static sparse_pattern pattern_J(const rods *t)
{
    return (sparse_pattern){RODS, UNKNOWNS, t->J_start, t->J_col};
}

static rods tree;

static void compare(ah_ctx *ctx, symmetric *s, const double *diagonal)
{
    double b[SIZE], got[SIZE], want[SIZE], size = 0;
    for (uint32_t i = 0; i < SIZE; i++) {
        b[i] = harness_uniform(-1, 1);
        if (diagonal) tree.A[i * SIZE + i] += diagonal[i];
    }
    const double rcond = linear_solve(&ctx->scratch, SIZE, 1, tree.A, b, want);
    REQUIRE(rcond > 0);
    CHECK(symmetric_factor(s, tree.entry, diagonal) > 0);
    symmetric_solve(s, b, got);
    for (uint32_t i = 0; i < SIZE; i++) size = fmax(size, fabs(want[i]));
    for (uint32_t i = 0; i < SIZE; i++)
        CHECK_NEAR(got[i], want[i], size / rcond, 100, "no pivoting, against LAPACK");
}

static void agree_body(ah_ctx *ctx, void *arg)
{
    double diagonal[SIZE];
    (void) arg;
    for (uint32_t i = 0; i < SIZE; i++) diagonal[i] = harness_uniform(0.1, 1);
    for (uint32_t spread = 1; spread < 8; spread++) {
        make_rods(&tree, spread);
        symmetric *s = symmetric_create(ctx, &ctx->job, pattern_M(&tree), pattern_J(&tree));
        REQUIRE(s);
        compare(ctx, s, NULL);
        compare(ctx, s, diagonal);
    }
}

TEST(symmetric_against_dense)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, agree_body, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}

static void refuse_body(ah_ctx *ctx, void *arg)
{
    (void) arg;
    make_rods(&tree, 3);
    symmetric *s = symmetric_create(ctx, &ctx->job, pattern_M(&tree), pattern_J(&tree));
    /* a rod that says the same as another: here both say nothing */
    for (uint32_t k = 0; k < 4; k++) tree.entry[2 * UNKNOWNS + 4 * 7 + k] = 0;
    CHECK(symmetric_factor(s, tree.entry, NULL) == 0);
    make_rods(&tree, 3);
    tree.entry[0] = -tree.entry[0]; /* a mass that is none */
    CHECK(symmetric_factor(s, tree.entry, NULL) == 0);
    tree.entry[0] = NAN;
    CHECK(symmetric_factor(s, tree.entry, NULL) == 0);
    /* a coordinate without mass by its pattern */
    make_rods(&tree, 3);
    tree.M_col[11] = 4; /* row 5 */
    CHECK(!symmetric_create(ctx, &ctx->job, pattern_M(&tree), pattern_J(&tree)));
    /* a hub with a thousand spokes fills in */
    enum { SPOKES = 1000 };
    uint32_t *start = NEW_ARRAY(&ctx->job, uint32_t, 2 * SPOKES + 2),
             *one = NEW_ARRAY(&ctx->job, uint32_t, SPOKES + 1),
             *col = NEW_ARRAY(&ctx->job, uint32_t, 2 * SPOKES);
    for (uint32_t i = 0; i <= SPOKES; i++) {
        one[i] = i;
        start[i] = i;
    }
    start[SPOKES + 1] = SPOKES + 1;
    uint32_t *J_start = NEW_ARRAY(&ctx->job, uint32_t, SPOKES + 1);
    for (uint32_t i = 0; i < SPOKES; i++) {
        J_start[i + 1] = 2 * (i + 1);
        col[2 * i + 1] = i + 1;
    }
    CHECK(!symmetric_create(ctx, &ctx->job, (sparse_pattern){SPOKES + 1, SPOKES + 1, start, one},
                            (sparse_pattern){SPOKES, SPOKES + 1, J_start, col}));
}

TEST(symmetric_refuses)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, refuse_body, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}
