/* t_ranges.c - intervals through a plan: they hold every value, and close in on it. */
#include "expr_support.h"
#include "expr/frame.h"
#include <math.h>

enum { INSIDE = 60 };

/* Of the plan's value over a box, and whether nothing jumps in it. */
static expr_range range_of(ah_ctx *ctx, ah_expr e, const ah_expr *symbol, const expr_range *box,
                           bool *smooth)
{
    const expr_plan *p = expr_plan_create(ctx, &ctx->job, &e, 1);
    frame *f = frame_create(ctx, &ctx->job, 0);
    expr_range out;
    *smooth = expr_ranges_run(expr_ranges_create(ctx, &ctx->job, p, 2, symbol), f, box, &out);
    return out;
}

static double between(expr_range x, int i, int of)
{
    return x.low + (x.high - x.low) * i / of;
}

EXPR_TEST(every_value_is_within)
{
    (void) arg;
    const ah_expr symbol[] = {support_read(ctx, "x"), support_read(ctx, "y")};
    frame *f = frame_create(ctx, &ctx->job, 0);
    for (int round = 0; round < 400; round++) {
        const ah_expr e = support_build(ctx, support_random_tree(ctx, 4, 2, symbol));
        const double x = harness_uniform(-3, 3), y = harness_uniform(-3, 3);
        const double d = pow(10, harness_uniform(-4, 0.5));
        const expr_range box[] = {{x, x + d}, {y, y + d}};
        const expr_plan *p = expr_plan_create(ctx, &ctx->job, &e, 1);
        bool smooth;
        const expr_range out = range_of(ctx, e, symbol, box, &smooth);
        for (int i = 0; i <= INSIDE; i++) {
            double value;
            frame_set(f, symbol[0], between(box[0], i, INSIDE));
            frame_set(f, symbol[1], between(box[1], i * 7 % (INSIDE + 1), INSIDE));
            expr_plan_run(p, f, &value);
            const double off = 1e-9 * fmax(1, fabs(value));
            if (isfinite(value)) CHECK(value >= out.low - off && value <= out.high + off);
        }
    }
}

/* Functions on intervals whose ends, turning points, poles and jumps are known. */
EXPR_TEST(what_is_known_of_functions)
{
    (void) arg;
    static const struct {
        const char *e;
        double low, high, from, to;
        bool smooth;
    } of[] = {{"sin(x)", 1, 2, 0.8414709848078965, 1, true},
              {"cos(x)", 3, 4, -1, -0.6536436208636119, true},
              {"sin(x)", -100, 100, -1, 1, true},
              {"tan(x)", 1, 2, -INFINITY, INFINITY, true},
              {"1/x", -1, 1, -INFINITY, INFINITY, true},
              {"1/x", 2, 4, 0.25, 0.5, true},
              {"x^2", -1, 2, 0, 4, true},
              {"x^3", -1, 2, -1, 8, true},
              {"x^(-2)", 1, 2, 0.25, 1, true},
              {"x^200", -1, 1.01, 0, 7.316017851829953, true},
              {"x^(1/3)", 0, 8, 0, 2, true},
              {"sqrt(x)", 4, 9, 2, 3, true},
              {"sqrt(x)", -1, 9, -INFINITY, INFINITY, true},
              {"log(x)", 1, 2.718281828459045, 0, 1, true},
              {"abs(x)", -2, 1, 0, 2, true},
              {"sign(x)", -2, 1, -1, 1, false},
              {"sign(x)", 1, 2, 1, 1, true},
              {"atan2(x, -1)", -1, 1, -3.141592653589793, 3.141592653589793, false},
              {"atan2(x, 1)", -1, 1, -0.7853981633974483, 0.7853981633974483, true},
              {"acos(x)", -1, 1, 0, 3.141592653589793, true},
              {"cosh(x)", -1, 0.5, 1, 1.543080634815244, true},
              {"x^x", 1, 2, 1, 4, true}};
    const ah_expr symbol[] = {support_read(ctx, "x"), support_read(ctx, "y")};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const expr_range box[] = {{of[i].low, of[i].high}, {0, 0}};
        bool smooth;
        const expr_range out = range_of(ctx, support_read(ctx, of[i].e), symbol, box, &smooth);
        CHECK_STR(smooth ? of[i].e : "", of[i].smooth ? of[i].e : "");
        if (isinf(of[i].from))
            CHECK(isinf(out.low) && isinf(out.high));
        else {
            CHECK_NEAR(out.low, of[i].from, fmax(1, fabs(of[i].from)), 16, of[i].e);
            CHECK_NEAR(out.high, of[i].to, fmax(1, fabs(of[i].to)), 16, of[i].e);
        }
    }
}
