/* t_calculus.c - derivatives against differences, and the ways to them against each other. */
#include "expr_support.h"
#include "expr/pool.h"
#include <math.h>
#include <string.h>

#define BITS 400
#define STEP 100 /* differences with h = 2^-100, in balls of BITS: an error of 2^-200 f''' */

/* (e(s + h) - e(s - h)) / 2h in one symbol */
static void difference(ah_ctx *ctx, ah_expr e, ah_expr symbol, const double *state, arb_t out)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    ball_frame *values = support_balls(ctx, &ctx->scratch, state);
    arb_t h, low;
    arb_init(h), arb_init(low);
    arb_ptr x = ball_frame_ref(values, symbol);
    arb_one(h), arb_mul_2exp_si(h, h, -STEP);
    arb_sub(x, x, h, BITS);
    expr_eval_balls(values, &e, 1, BITS, low);
    arb_add(x, x, h, BITS), arb_add(x, x, h, BITS);
    expr_eval_balls(values, &e, 1, BITS, out);
    arb_sub(out, out, low, BITS);
    arb_mul_2exp_si(out, out, STEP - 1);
    arb_clear(h), arb_clear(low);
    arena_release(&ctx->scratch, mark);
}

static void check_derivative(ah_ctx *ctx, ah_expr e, ah_expr symbol, const double *state)
{
    arb_t want, got;
    arb_init(want), arb_init(got);
    difference(ctx, e, symbol, state, want);
    ah_expr d = expr_diff(ctx, e, symbol);
    support_ball(ctx, d, state, BITS, got);
    if (!support_close(want, got, 80))
        harness_check(false, __FILE__, __LINE__,
                      arena_printf(&ctx->job, "d(%s) = %s", expr_text(ctx, &ctx->job, e, AH_ASCII),
                                   expr_text(ctx, &ctx->job, d, AH_ASCII)));
    arb_clear(want), arb_clear(got);
}

EXPR_TEST(every_function_has_its_derivative)
{
    (void) arg;
    static const char *const cases[] = {
        "sin(x)",
        "cos(x*y)",
        "tan(x)",
        "asin(x/2)",
        "acos(x/2)",
        "atan(x^2)",
        "atan2(x, y)",
        "atan2(y^2, x*y)",
        "sinh(x)",
        "cosh(2*x)",
        "tanh(x)",
        "exp(-x*y)",
        "log(x)",
        "sqrt(x + y)",
        "abs(x - 1/3)",
        "sign(x - 1/3)*x",
        "x^5",
        "x^(-3)",
        "x^(2/3)",
        "x^y",
        "(x + y)^(x*y)",
        "2^x",
        "x^pi",
        "x*y*sin(x)",
        "x^2*y^3*exp(x)",
        "(x + 1)^50",
        "sqrt(x)*log(y)",
        "1/(x^2 + y^2)",
        "x^(-3/2)",
        "abs(x)*sin(x)",
    };
    ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x"), y = expr_symbol(ctx, AH_COORDINATE, "y");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ah_expr e = support_read(ctx, cases[i]);
        for (int k = 0; k < 5; k++) {
            double state[8];
            support_random_state(ctx, state);
            check_derivative(ctx, e, x, state);
            check_derivative(ctx, e, y, state);
        }
    }
    CHECK(expr_diff(ctx, support_read(ctx, "sign(x)"), x) == expr_int(ctx, 0));
    CHECK(expr_diff(ctx, support_read(ctx, "abs(x)"), x) == support_read(ctx, "sign(x)"));
    CHECK(expr_diff(ctx, support_read(ctx, "m*x'^2/2"), support_read(ctx, "x'")) ==
          support_read(ctx, "m*x'"));
}

EXPR_TEST(derivatives_of_random_expressions)
{
    (void) arg;
    const ah_expr s[] = {expr_symbol(ctx, AH_COORDINATE, "x"),
                         expr_symbol(ctx, AH_COORDINATE, "y")};
    for (int i = 0; i < 400; i++) {
        double state[8];
        ah_expr e = support_build(ctx, support_random_tree(ctx, 1 + i % 5, 2, s));
        support_random_state(ctx, state);
        check_derivative(ctx, e, s[0], state);
        check_derivative(ctx, e, s[1], state);
    }
}

/* Reverse, forward with unit seeds, and forward with general seeds: Σ ∂e/∂s_i seed_i. */
EXPR_TEST(reverse_agrees_with_forward)
{
    (void) arg;
    enum { N = 5 };
    ah_expr s[N], seeds[N], g[N];
    for (int i = 0; i < N; i++) {
        s[i] = expr_symbol(ctx, AH_COORDINATE, arena_printf(&ctx->job, "x%d", i));
        seeds[i] = expr_symbol(ctx, AH_PARAMETER, arena_printf(&ctx->job, "k%d", i));
    }
    arb_t a, b;
    arb_init(a), arb_init(b);
    for (int i = 0; i < 300; i++) {
        double state[2 * N];
        ah_expr e = support_build(ctx, support_random_tree(ctx, 2 + i % 5, N, s));
        support_random_state(ctx, state);
        expr_gradient(ctx, e, N, s, g);
        ah_expr total = expr_int(ctx, 0);
        for (int k = 0; k < N; k++) {
            support_ball(ctx, g[k], state, 300, a);
            support_ball(ctx, expr_diff(ctx, e, s[k]), state, 300, b);
            CHECK(support_close(a, b, 100));
            total = expr_add(ctx, total, expr_mul(ctx, g[k], seeds[k]));
        }
        support_ball(ctx, total, state, 300, a);
        support_ball(ctx, expr_forward(ctx, e, N, s, seeds), state, 300, b);
        CHECK(support_close(a, b, 100));
    }
    arb_clear(a), arb_clear(b);
}

/* n factors have n partial derivatives of n - 1 factors: they share parts, in both directions. */
EXPR_TEST(wide_products_share_their_partials)
{
    (void) arg;
    enum { N = 1000, FEW = 100 * N };
    ah_expr factor[N], g[2];
    const ah_expr s[] = {expr_symbol(ctx, AH_COORDINATE, "x"),
                         expr_symbol(ctx, AH_COORDINATE, "y")};
    for (long k = 0; k < N; k++) /* one in ten does not depend on y */
        factor[k] = expr_add(ctx, s[0], expr_mul(ctx, expr_int(ctx, k % 10 ? k : 0), s[1]));
    for (long k = 0; k < N; k += 10) factor[k] = expr_add(ctx, factor[k], expr_int(ctx, k + 1));
    const ah_expr e = expr_product(ctx, N, factor);
    CHECK(expr_get_op(ctx, e) == EXPR_PRODUCT && expr_get_count(ctx, e) == N);
    double state[2] = {1.25, 0.5};
    arb_t a, b;
    arb_init(a), arb_init(b);
    expr_gradient(ctx, e, 2, s, g);
    for (int k = 0; k < 2; k++) {
        const ah_expr forward = expr_diff(ctx, e, s[k]);
        check_derivative(ctx, e, s[k], state);
        support_ball(ctx, g[k], state, 300, a);
        support_ball(ctx, forward, state, 300, b);
        CHECK(support_close(a, b, 100));
        expr_walk w = expr_walk_begin(ctx, (ah_expr[]){g[k], forward}, 2);
        CHECK(w.start[w.count] < FEW);
    }
    arb_clear(a), arb_clear(b);
}

EXPR_TEST(gradient_of_what_is_not_there_is_zero)
{
    (void) arg;
    ah_expr s[3] = {support_read(ctx, "x"), support_read(ctx, "y"), support_read(ctx, "m")}, g[3];
    expr_gradient(ctx, support_read(ctx, "sin(x)"), 3, s, g);
    CHECK(g[0] == support_read(ctx, "cos(x)"));
    CHECK(expr_is_zero(ctx, g[1]) && expr_is_zero(ctx, g[2]));
    expr_gradient(ctx, s[0], 3, s, g);
    CHECK(expr_is_one(ctx, g[0]) && expr_is_zero(ctx, g[1]));
    expr_gradient(ctx, expr_int(ctx, 7), 3, s, g);
    CHECK(expr_is_zero(ctx, g[0]));
}

EXPR_TEST(total_derivative)
{
    (void) arg;
    static const char *const pairs[][2] = {
        {"x", "x'"},
        {"x'", "x''"},
        {"m", "0"},
        {"t", "1"},
        {"x*y'", "x'*y' + x*y''"},
        {"sin(x)*t", "x'*cos(x)*t + sin(x)"},
        {"f(t)", "f'(t)"},
        {"f(x*t)", "f'(x*t)*(x'*t + x)"},
        {"f'(t)^2", "2*f'(t)*f''(t)"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        CHECK(expr_dt(ctx, support_read(ctx, pairs[i][0])) == support_read(ctx, pairs[i][1]));
    ah_expr z = expr_symbol(ctx, AH_SPEED, "z");
    CHECK(expr_dt(ctx, z) == expr_symbol(ctx, AH_SPEED_DOT, "z"));
    CHECK(expr_dt(ctx, support_read(ctx, "x''")) == expr_symbol(ctx, AH_JERK, "x"));
}

static void differentiate_jerk(ah_ctx *ctx, void *arg)
{
    (void) arg;
    expr_dt(ctx, expr_symbol(ctx, AH_JERK, "x"));
}

TEST(a_derivative_without_a_symbol_is_refused)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, differentiate_jerk, NULL), AH_E_REFUSED);
    ah_ctx_destroy(ctx);
}

EXPR_TEST(substitution_is_simultaneous)
{
    (void) arg;
    ah_expr x = support_read(ctx, "x"), y = support_read(ctx, "y");
    ah_expr e = support_read(ctx, "x^2*sin(y) + y");
    ah_expr swapped = expr_subst(ctx, e, 2, (ah_expr[]){x, y}, (ah_expr[]){y, x});
    CHECK(swapped == support_read(ctx, "y^2*sin(x) + x"));
    ah_expr zero = expr_int(ctx, 0);
    CHECK(expr_subst(ctx, e, 1, &x, &zero) == y);
    CHECK(expr_subst(ctx, support_read(ctx, "1/x"), 1, &x, &zero) == support_read(ctx, "1/0"));
    ah_expr z = support_read(ctx, "f(x)*cos(x - y)"), w = support_read(ctx, "2*x");
    CHECK(expr_subst(ctx, z, 1, &x, &w) == support_read(ctx, "f(2*x)*cos(2*x - y)"));
    ah_expr roots[3] = {e, x, y};
    expr_subst_all(ctx, roots, 3, 2, (ah_expr[]){x, y}, (ah_expr[]){y, x});
    CHECK(roots[0] == swapped && roots[1] == y && roots[2] == x);
}

/* Substituting values and evaluating are the same thing. */
EXPR_TEST(substitution_of_random_expressions)
{
    (void) arg;
    const ah_expr s[] = {expr_symbol(ctx, AH_COORDINATE, "x"),
                         expr_symbol(ctx, AH_COORDINATE, "y")};
    arb_t a, b;
    arb_init(a), arb_init(b);
    for (int i = 0; i < 300; i++) {
        double state[4] = {0};
        support_random_state(ctx, state);
        ah_expr e = support_build(ctx, support_random_tree(ctx, 1 + i % 6, 2, s));
        ah_expr values[2] = {expr_rational(ctx, (long) (state[0] * 128), 128),
                             expr_rational(ctx, (long) (state[1] * 128), 128)};
        support_ball(ctx, e, state, 200, a);
        support_ball(ctx, expr_subst(ctx, e, 2, s, values), state, 200, b);
        CHECK(arb_overlaps(a, b) || !arb_is_finite(a));
    }
    arb_clear(a), arb_clear(b);
}

EXPR_TEST(definition_of_unspecified_functions)
{
    (void) arg;
    ah_expr u = expr_symbol(ctx, AH_LOCAL, "u"), v = expr_symbol(ctx, AH_LOCAL, "v");
    ah_expr t = expr_time(ctx), body = expr_call1(ctx, AH_SIN, expr_powi(ctx, u, 2));
    ah_expr e = support_read(ctx, "f(t) + x*f'(t) + f(f(x)) + g2(t)");
    ah_expr want = support_read(ctx, "sin(t^2) + x*2*t*cos(t^2) + sin(sin(x^2)^2) + g2(t)");
    CHECK(expr_define(ctx, e, "f", 1, &u, body) == want);
    /* defining and differentiating commute */
    ah_expr d =
        expr_define(ctx, expr_dt(ctx, expr_dt(ctx, support_read(ctx, "f(x*t)"))), "f", 1, &u, body);
    ah_expr d2 = expr_dt(ctx, expr_dt(ctx, support_read(ctx, "sin(x^2*t^2)")));
    double state[16];
    support_random_state(ctx, state);
    arb_t a, b;
    arb_init(a), arb_init(b);
    support_ball(ctx, d, state, 200, a), support_ball(ctx, d2, state, 200, b);
    CHECK(support_close(a, b, 150));
    arb_clear(a), arb_clear(b);
    ah_expr x = support_read(ctx, "x"), y = support_read(ctx, "y");
    ah_expr V = expr_unknown(ctx, "V", 2, (ah_expr[]){x, y}, NULL);
    ah_expr body2 = expr_mul(ctx, expr_powi(ctx, u, 3), expr_powi(ctx, v, 2));
    ah_expr V_xy = expr_diff(ctx, expr_diff(ctx, V, x), y);
    CHECK_INT(expr_get_orders(ctx, V_xy)[0], 1);
    CHECK_INT(expr_get_orders(ctx, V_xy)[1], 1);
    CHECK(V_xy == expr_diff(ctx, expr_diff(ctx, V, y), x));
    CHECK(expr_define(ctx, V_xy, "V", 2, (ah_expr[]){u, v}, body2) == support_read(ctx, "6*x^2*y"));
    CHECK(isnan(support_value(ctx, expr_unknown(ctx, "f", 1, &t, NULL), state)));
}

/* Depth costs no stack: 10^5 nested functions, built, differentiated, substituted, evaluated. */
EXPR_TEST(deep_chains)
{
    (void) arg;
    ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x"), y = expr_symbol(ctx, AH_COORDINATE, "y");
    ah_expr e = x, g;
    double value = 0.5, slope = 1, state[2] = {0.5, 0.5};
    for (int i = 0; i < 100000; i++) {
        e = expr_call1(ctx, AH_SIN, e);
        slope *= cos(value);
        value = sin(value);
    }
    CHECK_NEAR(support_value(ctx, e, state), value, value, 0, "the same operations");
    CHECK(support_value(ctx, expr_subst(ctx, e, 1, &x, &y), state) == value);
    expr_gradient(ctx, e, 1, &x, &g);
    CHECK_NEAR(support_value(ctx, g, state), slope, slope, 4e5, "10^5 factors");
    CHECK(expr_depends(ctx, g, x) && !expr_depends(ctx, g, y));
}

/* Printing such chains ends in a clean refusal, whatever they are made of. */
static ah_expr nested(ah_ctx *ctx, int kind, ah_expr x, ah_expr e)
{
    switch (kind) {
    case 0: return expr_call1(ctx, AH_SIN, e);
    case 1: return expr_div(ctx, x, expr_add(ctx, x, e));
    case 2: return expr_pow(ctx, x, e);
    case 3: return expr_unknown(ctx, "f", 1, &e, NULL);
    default: return expr_mul(ctx, x, expr_pow(ctx, expr_add(ctx, e, x), expr_rational(ctx, 1, 3)));
    }
}

typedef struct printing {
    ah_expr e;
    ah_format format;
} printing;

static void print_it(ah_ctx *ctx, void *arg)
{
    const printing *p = arg;
    expr_text(ctx, &ctx->job, p->e, p->format);
}

EXPR_TEST(printing_too_deep_is_refused)
{
    (void) arg;
    ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x");
    for (int kind = 0; kind < 5; kind++) {
        printing p = {x, AH_TEXT};
        for (int i = 0; i < 3000; i++) p.e = nested(ctx, kind, x, p.e);
        for (; p.format <= AH_ASCII; p.format++)
            if (kind != 3 || p.format != AH_C) /* NAN there */
                CHECK_INT(ctx_try(ctx, print_it, &p), AH_E_LIMIT);
    }
}

/* Of body i: functions of it and its neighbours, in three parts that are written one after the other for all bodies. */
static void chain_roots(ah_ctx *ctx, size_t bodies, ah_expr *roots, frame *state)
{
    const ah_expr two = expr_int(ctx, 2);
    ah_expr *x = NEW_ARRAY(&ctx->job, ah_expr, bodies);
    for (size_t i = 0; i < bodies; i++) {
        char name[24];
        snprintf(name, sizeof name, "x%zu", i);
        x[i] = expr_symbol(ctx, AH_COORDINATE, name);
        frame_set(state, x[i], 0.3 + 0.001 * (double) i);
    }
    for (size_t part = 0; part < 3; part++)
        for (size_t i = 0; i < bodies; i++) {
            const ah_expr before = x[i ? i - 1 : bodies - 1];
            const ah_expr s = expr_call1(ctx, AH_SIN, x[i]), c = expr_call1(ctx, AH_COS, x[i]);
            const ah_expr d = expr_powi(ctx, expr_sub(ctx, x[i], before), 2);
            roots[part * bodies + i] =
                part == 0   ? expr_mul(ctx, s, d)
                : part == 1 ? expr_add(ctx, expr_mul(ctx, c, before), expr_mul(ctx, two, d))
                            : expr_add(ctx, expr_mul(ctx, s, c), expr_call1(ctx, AH_SQRT, d));
        }
}

/* Places that windows share, and another order, change nothing: a plan of each root alone has neither. */
EXPR_TEST(plans_of_many_windows)
{
    (void) arg;
    enum { BODIES = 2000, ROOTS = 3 * BODIES };
    ah_expr *roots = NEW_ARRAY(&ctx->job, ah_expr, ROOTS);
    double *out = NEW_ARRAY(&ctx->job, double, 4 * ROOTS), *scale = out + ROOTS;
    double *near = scale + ROOTS, *near_scale = near + ROOTS;
    frame *state = frame_create(ctx, &ctx->job, 0);
    chain_roots(ctx, BODIES, roots, state);
    expr_plan *p = expr_plan_create(ctx, &ctx->job, roots, ROOTS);
    expr_plan *q = expr_plan_create_ordered(ctx, &ctx->job, roots, ROOTS);
    for (int again = 0; again < 2; again++) { /* nothing is left of the first run */
        expr_plan_run_scaled(p, state, out, scale);
        expr_plan_run_scaled(q, state, near, near_scale);
    }
    CHECK(!memcmp(scale, near_scale, ROOTS * sizeof *scale));
    CHECK(expr_plan_size(p) == expr_plan_size(q) && expr_plan_size(p) > 10000);
    for (size_t i = 0; i < ROOTS; i++) {
        double alone, own_scale;
        expr_plan_run_scaled(expr_plan_create(ctx, &ctx->job, &roots[i], 1), state, &alone,
                             &own_scale);
        CHECK(alone == out[i] && alone == near[i] && own_scale == scale[i]);
    }
    expr_plan_run(q, state, near);
    CHECK(!memcmp(out, near, ROOTS * sizeof *out));
    CHECK(expr_plan_is_finite(p, state) && expr_plan_is_finite(q, state));
    frame_set(state, expr_symbol(ctx, AH_COORDINATE, "x7"),
              INFINITY); /* long before the last window */
    CHECK(!expr_plan_is_finite(p, state) && !expr_plan_is_finite(q, state));
}

/* What each root reaches, marked by hand, beside what is found: of one by following children, of all by the pass over the pool. */
static void check_reached(ah_ctx *ctx, const ah_expr *roots, size_t count)
{
    const size_t handles = expr_pool_size(ctx);
    bool *met = NEW_ARRAY(&ctx->job, bool, handles);
    size_t reached = 0;
    for (size_t i = 0; i < count; i++) met[roots[i]] = true;
    for (ah_expr e = (ah_expr) handles - 1; e > 0; e--)
        for (size_t j = 0; met[e] && j < expr_get_count(ctx, e); j++)
            met[expr_get_children(ctx, e)[j]] = true;
    const expr_list found = expr_reachable(ctx, &ctx->job, roots, count);
    for (ah_expr e = 1; e < handles; e++)
        if (met[e]) CHECK(reached < found.count && found.at[reached++] == e);
    CHECK_INT(found.count, reached);
}

EXPR_TEST(what_is_reached)
{
    (void) arg;
    enum { BODIES = 300, ROOTS = 3 * BODIES };
    ah_expr roots[ROOTS], sum, d[2];
    chain_roots(ctx, BODIES, roots, frame_create(ctx, &ctx->job, 0));
    sum = expr_sum(ctx, ROOTS, roots);
    check_reached(ctx, roots, ROOTS);
    for (size_t i = 0; i < 9; i++) check_reached(ctx, &roots[i * BODIES / 3], 1);
    check_reached(ctx, &sum, 1);
    /* asked again, with new nodes and other questions between */
    const ah_expr x[] = {expr_symbol(ctx, AH_COORDINATE, "x3"),
                         expr_symbol(ctx, AH_COORDINATE, "x200")};
    CHECK(expr_depends(ctx, roots[3], x[0]) && !expr_depends(ctx, roots[3], x[1]));
    expr_gradient(ctx, roots[3], 2, x, d);
    CHECK(d[0] == expr_diff(ctx, roots[3], x[0]) && d[1] == expr_int(ctx, 0));
    CHECK(!expr_depends(ctx, roots[3], x[1]) && expr_depends(ctx, roots[200], x[1]));
    expr_rest(ctx);
    CHECK(expr_depends(ctx, roots[200], x[1]) && !expr_depends(ctx, roots[200], x[0]));
    check_reached(ctx, &roots[200], 1);
    /* from nothing nothing, whatever was reached before */
    CHECK_INT(expr_reachable(ctx, &ctx->job, NULL, 0).count, 0);
    check_reached(ctx, &roots[200], 1);
    const expr_walk none = expr_walk_begin(ctx, NULL, 0);
    CHECK(expr_walk_find(&none, x[1]) == EXPR_NOWHERE);
}

EXPR_TEST(plans_and_their_scale)
{
    (void) arg;
    ah_expr roots[4] = {support_read(ctx, "x - y + 3"), support_read(ctx, "x*y"), expr_int(ctx, -2),
                        support_read(ctx, "1 + x*(2 + y*(3 + x*(x - y + 5/2)^2))")};
    expr_plan *p = expr_plan_create(ctx, &ctx->job, roots, 4);
    double state[2] = {1.5, 4}, out[4], scale[4];
    expr_plan_run_scaled(p, support_frame(ctx, &ctx->job, state), out, scale);
    CHECK_NEAR(out[0], 0.5, 1, 0, "exact");
    CHECK_NEAR(scale[0], 8.5, 1, 0, "exact");
    CHECK_NEAR(scale[1], 6, 1, 0, "exact");
    CHECK(out[2] == -2 && scale[2] == 2);
    CHECK(out[3] == 22 && scale[3] == 598); /* 1 + 3/2 (2 + 4 (3 + 3/2 8²)) */
    CHECK_NEAR(support_value(ctx, support_read(ctx, "x^(-2) + y^(3/2) + y^(-1/2)"), state),
               1 / 2.25 + 8 + 0.5, 9, 1, "halves by sqrt");
}
