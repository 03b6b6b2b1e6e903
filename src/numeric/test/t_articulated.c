/* t_articulated.c - trees of bodies eliminated from the leaves, against KLU, and trees that lack inertia. */
#include "harness.h"

#include "numeric/articulated.h"
#include "numeric/numeric.h"

#include <math.h>

enum { BODIES = 30, WIDTH = 3, FIRST = BODIES * WIDTH, CONSTRAINTS = 2, N = FIRST + BODIES };

/* Bodies with one column each; D of rank one but for the leaves, so that only the tree as a whole is regular. */
typedef struct wood {
    uint32_t parent[BODIES];
    uint32_t M_start[N + 1], M_col[9 * BODIES + BODIES], J_start[FIRST + CONSTRAINTS + 1];
    uint32_t J_col[FIRST * (2 + WIDTH) + CONSTRAINTS * BODIES];
    double entry[9 * BODIES + BODIES + FIRST * (2 + WIDTH) + CONSTRAINTS * BODIES];
    uint32_t of_M;
    sparse_pattern M, J;
} wood;

static void grow(wood *t, bool massless_leaf)
{
    uint32_t k = 0, e = 0;
    for (uint32_t b = 0; b < BODIES; b++) {
        t->parent[b] = b ? 1 + (uint32_t) harness_uniform(b > 4 ? b - 4 : 0, b - 1e-9) : 0;
        double m[WIDTH];
        for (uint32_t i = 0; i < WIDTH; i++) m[i] = harness_uniform(0.5, 1);
        for (uint32_t i = 0; i < WIDTH; i++) {
            t->M_start[b * WIDTH + i] = k;
            for (uint32_t j = 0; j < WIDTH; j++) {
                t->M_col[k++] = b * WIDTH + j;
                t->entry[e++] = b == BODIES - 1 && massless_leaf ? 0 : m[i] * m[j] + 0.1 * (i == j);
            }
        }
    }
    for (uint32_t i = FIRST; i <= N; i++) t->M_start[i] = k;
    t->of_M = k;
    k = 0;
    for (uint32_t row = 0; row < FIRST; row++) {
        const uint32_t b = row / WIDTH;
        t->J_start[row] = k;
        for (uint32_t j = 0; t->parent[b] && j < WIDTH; j++) {
            t->J_col[k++] = (t->parent[b] - 1) * WIDTH + j;
            t->entry[e++] = harness_uniform(-1, 1);
        }
        t->J_col[k++] = row;
        t->entry[e++] = 1;
        t->J_col[k++] = FIRST + b;
        t->entry[e++] = harness_uniform(-1, 1);
    }
    for (uint32_t row = 0; row < CONSTRAINTS; row++) {
        t->J_start[FIRST + row] = k;
        for (uint32_t c = 0; c < BODIES; c += row + 2) {
            t->J_col[k++] = FIRST + c;
            t->entry[e++] = harness_uniform(-1, 1);
        }
    }
    t->J_start[FIRST + CONSTRAINTS] = k;
    t->M = (sparse_pattern){N, N, t->M_start, t->M_col};
    t->J = (sparse_pattern){FIRST + CONSTRAINTS, N, t->J_start, t->J_col};
}

TEST(agrees_with_klu)
{
    static wood t;
    enum { SIZE = N + FIRST + CONSTRAINTS };
    double b[SIZE], x[SIZE], y[SIZE];
    ah_ctx *ctx = ah_ctx_create(NULL);
    for (int round = 0; round < 20; round++) {
        grow(&t, false);
        const sparse_tree shape = {BODIES, WIDTH, t.parent};
        articulated *own = articulated_create(ctx, &ctx->job, t.M, t.J, &shape);
        sparse *other = sparse_create_kkt(ctx, &ctx->job, t.M, t.J, false);
        CHECK(own != NULL);
        if (!other) break; /* without KLU */
        for (int i = 0; i < SIZE; i++) b[i] = harness_uniform(-1, 1);
        CHECK(articulated_factor(own, t.entry) > 0);
        articulated_solve(own, b, x);
        CHECK(sparse_factor(other, t.entry, NULL) > 0 && sparse_solve(other, b, y));
        double scale = 0;
        for (int i = 0; i < SIZE; i++) scale = fmax(scale, fabs(y[i]));
        for (int i = 0; i < SIZE; i++)
            CHECK_NEAR(x[i], y[i], scale, 1e6, "a random tree loses a few digits");
    }
    ah_ctx_destroy(ctx);
}

TEST(leaf_without_inertia)
{
    static wood t;
    ah_ctx *ctx = ah_ctx_create(NULL);
    grow(&t, true);
    const sparse_tree shape = {BODIES, WIDTH, t.parent};
    articulated *own = articulated_create(ctx, &ctx->job, t.M, t.J, &shape);
    CHECK(own != NULL);
    CHECK(articulated_factor(own, t.entry) == 0);
    ah_ctx_destroy(ctx);
}

TEST(column_of_two_bodies)
{
    static wood t;
    ah_ctx *ctx = ah_ctx_create(NULL);
    grow(&t, false);
    t.J_col[t.J_start[5 * WIDTH + 1] - 1] = FIRST + 9; /* of body 5 */
    const sparse_tree shape = {BODIES, WIDTH, t.parent};
    CHECK(articulated_create(ctx, &ctx->job, t.M, t.J, &shape) == NULL);
    ah_ctx_destroy(ctx);
}
