/* t_expr_memory.c - every allocation failed once in turn: no crash, no leak, and the pool goes on. */
#include "expr_support.h"
#include "failing.h"
#include <math.h>
#include <string.h>

/* Some of everything that allocates. */
static void work(ah_ctx *ctx, void *arg)
{
    (void) arg;
    ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x"), e = x, g[2];
    ah_expr f = expr_unknown(ctx, "f", 1, &x, NULL), big = expr_number(ctx, "1e200", 5);
    for (long i = 1; i < 30; i++)
        e = expr_add(ctx, expr_mul(ctx, e, expr_rational(ctx, i, i + 1)),
                     expr_call1(ctx, AH_SIN, expr_mul(ctx, expr_int(ctx, i), x)));
    e = expr_add(ctx, expr_mul(ctx, f, big), e);
    ah_expr s[2] = {x, expr_dot(ctx, x)};
    expr_gradient(ctx, expr_mul(ctx, e, s[1]), 2, s, g);
    e = expr_subst(ctx, g[0], 1, &x, &s[1]);
    mat m = mat_from_dense(ctx, &ctx->job, 2, 1, g);
    mat_jacobian(ctx, &ctx->job, m, 2, s);
    double value;
    frame *state = frame_create(ctx, &ctx->job, NAN);
    frame_set(state, x, 1);
    frame_set(state, expr_symbol(ctx, AH_COORDINATE, "late"), 2); /* it grows */
    expr_plan_run(expr_plan_create(ctx, &ctx->job, &e, 1), state, &value);
    expr_text(ctx, &ctx->job, e, AH_MATHML);
}

static void job(ah_ctx *ctx, void *arg)
{
    ah_status status = ctx_guard(ctx, work, arg);
    CHECK(status == AH_OK || status == AH_E_MEMORY);
    if (status == AH_OK) return;
    /* What was built before is whole: the same work succeeds now. */
    ah_ctx_reset_status(ctx);
    CHECK_INT(ctx_guard(ctx, work, arg), AH_OK);
}

TEST(every_allocation_may_fail)
{
    size_t tried = 0;
    CHECK(failing_run(job, NULL, &tried));
    CHECK(tried > 20);
}

/* ---- A copy of all ---------------------------------------------------------------------------- */

enum { COPIED = 3000 };

/* Chains of sums, products, powers and functions, of which some have many parents. */
static void build(ah_ctx *ctx, size_t count, ah_expr *e)
{
    const ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x");
    for (size_t i = 0; i < count; i++) {
        const ah_expr last = i ? e[i - 1] : x, k = expr_rational(ctx, 1 + (long) (i % 17), 7);
        e[i] = i % 3 == 0   ? expr_call1(ctx, AH_SIN, expr_mul(ctx, k, last))
               : i % 3 == 1 ? expr_add(ctx, expr_mul(ctx, k, x), last)
                            : expr_powi(ctx, expr_mul(ctx, x, last), 1 + (long) (i % 5));
    }
}

typedef struct copying {
    ah_ctx *from;
    ah_expr here[COPIED], there[COPIED];
} copying;

static void build_here(ah_ctx *ctx, void *arg)
{
    build(ctx, COPIED / 2, ((copying *) arg)->here);
}

static void copy(ah_ctx *ctx, void *arg)
{
    copying *c = arg;
    expr_copy_all(c->from, ctx);
    CHECK_INT(expr_pool_size(ctx), expr_pool_size(c->from));
    build(ctx, COPIED / 2, c->there); /* all of it is there */
    CHECK_INT(expr_pool_size(ctx), expr_pool_size(c->from));
    CHECK(!memcmp(c->here, c->there, COPIED / 2 * sizeof *c->here));
    expr_symbol(ctx, AH_COORDINATE, "y"); /* the handles part here */
    build(ctx, COPIED, c->there);
}

static void go_on(ah_ctx *ctx, void *arg)
{
    build(ctx, COPIED, ((copying *) arg)->here);
}

/* The walk of a pool whose marks were given back. */
static void compare(ah_ctx *ctx, void *arg)
{
    const copying *c = arg;
    const ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x");
    expr_rest(ctx);
    CHECK(expr_depends(ctx, c->there[COPIED - 1], x));
    for (size_t i = 0; i < 30; i++)
        CHECK_STR(expr_text(ctx, &ctx->job, c->there[i], AH_ASCII),
                  expr_text(c->from, &ctx->job, c->here[i], AH_ASCII));
    CHECK(c->here[COPIED - 1] != c->there[COPIED - 1]);
    CHECK_INT(expr_reachable(ctx, &ctx->job, &c->there[COPIED - 1], 1).count,
              expr_reachable(c->from, &ctx->job, &c->here[COPIED - 1], 1).count);
}

TEST(copy_of_all_goes_its_own_way)
{
    ah_ctx *ctx = ah_ctx_create(NULL), *model = ctx_create_inside(ctx),
           *inside = ctx_create_inside(ctx);
    static copying c;
    c.from = model;
    CHECK_INT(ctx_guard(model, build_here, &c), AH_OK);
    CHECK_INT(ctx_guard(inside, copy, &c), AH_OK);
    CHECK_INT(ctx_guard(model, go_on, &c), AH_OK);
    CHECK_INT(ctx_guard(inside, compare, &c), AH_OK);
    ctx_destroy_inside(inside);
    CHECK_INT(ctx_guard(model, go_on, &c), AH_OK); /* what it shared is still there */
    ah_ctx_destroy(ctx);
}
