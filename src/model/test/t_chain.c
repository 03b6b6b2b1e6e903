/* t_chain.c - many bodies: everything must stay proportional to their number. */
#include "model_support.h"

#include "../probe.h"

#include <stdio.h>
#include <string.h>

/* A chain of points joined by rods, with a blade at each: 2 n coordinates, 2 n − 1 constraints. */
static void build_chain(ah_model *m, int n)
{
    char name[3][32], label[32];
    ah_ctx *ctx = m->ctx;
    add_parameters(m, "m = 0.5, l = 1.5, g = 9.81");
    const ah_expr mass = read_expr(m, "m"), length = read_expr(m, "l"), two = ah_int(ctx, 2);
    ah_expr before[2] = {AH_NONE, AH_NONE};
    ah_model_gravity(m, read_vector(m, "0", "-g", "0"));
    for (int i = 0; i < n; i++) {
        snprintf(name[0], sizeof name[0], "x_%d", i);
        snprintf(name[1], sizeof name[1], "y_%d", i);
        snprintf(name[2], sizeof name[2], "P_%d", i);
        const ah_expr x = ah_model_coordinate(m, name[0]), y = ah_model_coordinate(m, name[1]);
        const ah_vector place = {{x, y, ah_int(ctx, 0)}};
        ah_model_point(m, name[2], mass, place);
        ah_model_force_on(
            m, name[2], (ah_vector){{ah_int(ctx, 0), ah_mul(ctx, mass, x), ah_int(ctx, 0)}}, NULL);
        if (i) {
            const ah_expr dx = ah_sub(ctx, x, before[0]), dy = ah_sub(ctx, y, before[1]);
            const ah_expr d2 = ah_add(ctx, ah_pow(ctx, dx, two), ah_pow(ctx, dy, two));
            snprintf(label, sizeof label, "rod_%d", i);
            ah_model_constraint(m, label, d2, ah_pow(ctx, length, two));
        }
        before[0] = x;
        before[1] = y;
    }
}

/* What a chain of n bodies takes: expression nodes and bytes. */
typedef struct chain_cost {
    size_t nodes, bytes;
} chain_cost;

static chain_cost cost_of_chain(int n)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "chain");
    build_chain(m, n);
    CHECK_INT(ah_model_finish(m), AH_OK);
    CHECK_INT(m->constraints.count, n - 1);
    CHECK_INT(m->rank, n - 1);
    CHECK_INT(m->n, 2 * n);
    const chain_cost cost = {expr_pool_size(ctx), ctx->bytes};
    ah_ctx_destroy(ctx);
    return cost;
}

/* Four times as many bodies take four times the nodes, and about that in memory: chunks double. */
TEST(cost_is_proportional_to_the_bodies)
{
    const chain_cost small = cost_of_chain(500), large = cost_of_chain(2000);
    CHECK(large.nodes < 4.2 * (double) small.nodes);
    CHECK(large.bytes < 8 * (double) small.bytes);
}

/* States that are drawn one by one are those that are drawn at once. */
TEST(states_asked_for_later_are_the_same)
{
    enum { COUNT = 3 };
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "chain");
    build_chain(m, 6);
    CHECK_INT(ah_model_finish(m), AH_OK);
    const probe_states all = probe_some_states(probe_create(m, &ctx->job), &ctx->job, COUNT, 1);
    const probe_states first = probe_first_state(probe_create(m, &ctx->job), &ctx->job, COUNT, 1);
    CHECK_INT(all.count, COUNT);
    CHECK(all.admissible && first.admissible && first.count == 1);
    for (size_t k = COUNT; k-- > 0;) { /* in any order */
        const frame *later = probe_state(&first, k), *then = probe_state(&all, k);
        REQUIRE(later && then);
        CHECK_INT(later->count, then->count);
        CHECK(!memcmp(later->at, then->at, then->count * sizeof *then->at));
    }
    CHECK(!probe_state(&first, COUNT) && !probe_state(&all, COUNT));
    ah_ctx_destroy(ctx);
}
