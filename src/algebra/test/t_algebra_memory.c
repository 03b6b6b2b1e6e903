/* t_algebra_memory.c - every allocation fails once in turn: no crash, no leak, whatever was being computed.
 */
#include "algebra_support.h"
#include "base/base.h"
#include "failing.h"

static void work(ah_ctx *ctx, void *unused)
{
    (void) unused;
    const algebra_fact facts[] = {{read_expr(ctx, "m"), true}, {read_expr(ctx, "a - b"), true}};
    algebra *alg = algebra_create(ctx, facts, 2);
    const ah_expr e = read_expr(ctx, "sqrt(m*x^2)*(sin(x + y)^2 + log(m*x))/(a^2 - b^2) - f(x)");
    algebra_simplify(alg, e);
    algebra_zero(alg, read_expr(ctx, "f(2*x) - f(x) + exp(x) - cosh(x)"));
    algebra_sign(alg, read_expr(ctx, "m*(b - a)"));
    const mat m = read_mat(ctx, "m, sin(x), 0; sin(x), a + cos(x)^2, 0; 0, 0, 1/y");
    mat out;
    bool flag;
    algebra_inverse(alg, m, &out, &flag);
    algebra_nullspace(alg, read_mat(ctx, "1, cos(x), y; x, 2, m"), NULL, &out, NULL);
    algebra_rank(alg, m, NULL, &flag);
    const ah_expr v[] = {read_expr(ctx, "x'"), read_expr(ctx, "y'")};
    algebra_poly p;
    algebra_collect(alg, read_expr(ctx, "(x' + y'*sin(x))^2/m"), 2, v, &p);
    const ah_expr relation = read_expr(ctx, "x'*sin(x) - y'*cos(x)");
    algebra_set_relations(alg, &relation, 1);
    algebra_simplify(alg, read_expr(ctx, "x'^2*tan(x)^2 - y'^2"));
}

static void guarded(ah_ctx *ctx, void *arg)
{
    const ah_status status = ctx_guard(ctx, work, arg);
    CHECK(status == AH_OK || status == AH_E_MEMORY);
}

TEST(every_allocation_may_fail)
{
    size_t tried;
    CHECK(failing_run(guarded, NULL, &tried));
    CHECK(tried > 50);
}

/* Interrupted at any tick, the work ends cleanly too. */
static void interrupted(ah_ctx *ctx, void *arg)
{
    (void) arg;
    algebra *alg = algebra_create(ctx, NULL, 0);
    ah_ctx_interrupt(ctx);
    algebra_simplify(alg, read_expr(ctx, "(x + y)^7*sin(x)^5*cos(x)^4/(1 + x)"));
}

TEST(an_interrupt_passes_through)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, interrupted, NULL), AH_E_INTERRUPTED);
    CHECK_INT(ctx_guard(ctx, work, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}

/* Memory of the context stays small over many calls on ever new expressions. */
static void many(ah_ctx *ctx, algebra *alg)
{
    for (int i = 0; i < 300; i++) {
        const char *e =
            arena_printf(&ctx->job, "(x + %d*y)^3*cos(x)^2 + %d*x*y*sin(x)^2/(x + %d)", i, i, i);
        algebra_simplify(alg, read_expr(ctx, e));
    }
    CHECK(ctx->bytes < (size_t) 64 << 20);
}
TEST(memory_stays_small)
{
    run_with_algebra(many);
}
