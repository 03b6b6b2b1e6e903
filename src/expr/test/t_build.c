/* t_build.c - canonical form: what is equal is one node. */
#include "expr_support.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_same(ah_ctx *ctx, const char *a, const char *b)
{
    ah_expr x = support_read(ctx, a), y = support_read(ctx, b);
    const char *written = expr_text(ctx, &ctx->job, x, AH_ASCII);
    if (x != y) written = arena_printf(&ctx->job, "%s -> %s is not %s", a, written, b);
    harness_check(x == y, __FILE__, __LINE__, written);
}

EXPR_TEST(equal_expressions_are_one_node)
{
    (void) arg;
    static const char *const pairs[][2] = {
        {"2*x + 3*x", "5*x"},
        {"x - x", "0"},
        {"x*x^2", "x^3"},
        {"x^k*x^m", "x^(k + m)"},
        {"x^k/x^k", "1"},
        {"x + y + x", "2*x + y"},
        {"x*y - y*x", "0"},
        {"m*(g*x)", "x*g*m"},
        {"x - (y + 1)", "x - y - 1"},
        {"(x + y) - (x + y)", "0"},
        {"2*(x + 1) - 2*(x + 1)", "0"},
        {"3*(x + 1) - 2*(x + 1)", "x + 1"},
        {"3*(x + 1) - 2*(x + 1) - x", "1"},
        {"0*x", "0"},
        {"x^0", "1"},
        {"x^1", "x"},
        {"1^x", "1"},
        {"0^2", "0"},
        {"(x^k)^3", "x^(3*k)"},
        {"(x*y)^2", "x^2*y^2"},
        {"(2*x)^3", "8*x^3"},
        {"(x*y)^(-1)", "1/x/y"},
        {"sqrt(x)*sqrt(x)", "x"},
        {"sqrt(x)^4", "x^2"},
        {"sqrt(x*y)*sqrt(x*y)*x", "x^2*y"},
        {"sqrt(x*x*y)^2/x", "x*y"},
        {"sqrt(4*x)", "2*sqrt(x)"},
        {"x^(1/2)", "sqrt(x)"},
        {"1/sqrt(x)", "x^(-1/2)"},
        {"-(-x)", "x"},
        {"(-x)^2", "x^2"},
        {"(-x)^3", "-x^3"},
        {"(x - y)^2", "(y - x)^2"},
        {"abs(x)^2", "x^2"},
        {"x/x", "1"},
        {"2/4*x", "x/2"},
        {"0.25*x", "x/4"},
        {"1/(2*x)", "x^(-1)/2"},
        {"0*(1/0)", "0/0"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        check_same(ctx, pairs[i][0], pairs[i][1]);
}

EXPR_TEST(functions_fold_exact_values)
{
    (void) arg;
    static const char *const pairs[][2] = {
        {"sin(0)", "0"},
        {"cos(0)", "1"},
        {"exp(0)", "1"},
        {"log(1)", "0"},
        {"sin(pi)", "0"},
        {"cos(pi)", "-1"},
        {"sin(pi/2)", "1"},
        {"cos(pi/2)", "0"},
        {"sin(pi/6)", "1/2"},
        {"cos(2*pi/3)", "-1/2"},
        {"sin(7*pi/6)", "-1/2"},
        {"sin(pi/4)", "sqrt(2)/2"},
        {"cos(pi/6)", "sqrt(3)/2"},
        {"tan(pi/4)", "1"},
        {"tan(pi/3)", "sqrt(3)"},
        {"tan(-pi/6)", "-sqrt(3)/3"},
        {"sin(1000000*pi + pi/2)", "sin(1000000*pi + pi/2)"},
        {"sin(2000001*pi/2)", "1"},
        {"sin(-x)", "-sin(x)"},
        {"cos(-x)", "cos(x)"},
        {"tan(-2*x)", "-tan(2*x)"},
        {"sin(x - y)", "-sin(y - x)"},
        {"cos(x - y)", "cos(y - x)"},
        {"sin(2*(x - y))", "-sin(2*(y - x))"},
        {"sinh(-x) + sinh(x)", "0"},
        {"cosh(-x) - cosh(x)", "0"},
        {"abs(-3)", "3"},
        {"abs(-2*x)", "2*abs(x)"},
        {"sign(-2*x)", "-sign(x)"},
        {"sign(-1/3)", "-1"},
        {"sign(0)", "0"},
        {"abs(0)", "0"},
        {"atan2(0, 1)", "0"},
        {"atan2(0, -3)", "pi"},
        {"atan2(2, 0)", "pi/2"},
        {"atan2(-1, -1)", "-3*pi/4"},
        {"asin(1)", "pi/2"},
        {"asin(-1/2)", "-pi/6"},
        {"acos(-1)", "pi"},
        {"acos(1/2)", "pi/3"},
        {"acos(0)", "pi/2"},
        {"atan(1)", "pi/4"},
        {"exp(log(x))", "x"},
        {"log(exp(x))", "x"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        check_same(ctx, pairs[i][0], pairs[i][1]);
    CHECK(support_read(ctx, "atan2(0, 0)") != expr_int(ctx, 0));
    CHECK(support_read(ctx, "tan(pi/2)") != expr_int(ctx, 0));
}

EXPR_TEST(numbers_are_exact)
{
    (void) arg;
    static const char *const pairs[][2] = {
        {"0.1 + 0.2", "0.3"},
        {"1/3 + 1/6", "1/2"},
        {"12345678901234567890*10", "123456789012345678900"},
        {"4^(1/2)", "2"},
        {"8^(2/3)", "4"},
        {"(8/27)^(-1/3)", "3/2"},
        {"sqrt(8)", "2*sqrt(2)"},
        {"sqrt(1/2)", "sqrt(2)/2"},
        {"sqrt(2/3)", "sqrt(6)/3"},
        {"2^(3/2)", "2*sqrt(2)"},
        {"2^(-1/2)", "sqrt(2)/2"},
        {"2^(7/3)", "4*2^(1/3)"},
        {"sqrt(2)*sqrt(2)", "2"},
        {"2^(1/3)*2^(5/6)", "2*2^(1/6)"},
        {"(-1)^1000000001", "-1"},
        {"(-2)^3", "-8"},
        {"2^(-3)", "1/8"},
        {"3^5000/3^5000", "1"},
        {"3^5000*3^5000", "3^10000"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        check_same(ctx, pairs[i][0], pairs[i][1]);
    CHECK(support_read(ctx, "sqrt(-4)") != support_read(ctx, "2"));
    CHECK_INT(expr_get_op(ctx, support_read(ctx, "2^1000000000")), EXPR_POWER);
    CHECK_INT(expr_get_op(ctx, support_read(ctx, "(x + 1)^100000000")), EXPR_POWER);
}

EXPR_TEST(division_by_zero_stays)
{
    (void) arg;
    ah_expr e = expr_div(ctx, expr_int(ctx, 1), expr_int(ctx, 0));
    CHECK_INT(expr_get_op(ctx, e), EXPR_POWER);
    CHECK(isinf(support_value(ctx, e, NULL)));
    CHECK(isnan(support_value(ctx, support_read(ctx, "0/0"), NULL)));
    CHECK(isnan(support_value(ctx, support_read(ctx, "0/0 + 1"), NULL)));
    CHECK(expr_rational(ctx, 1, 0) == e);
}

EXPR_TEST(number_texts)
{
    (void) arg;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0.1", 0.1},   {"1e-3", 1e-3},  {"2/3", 2.0 / 3}, {"-7", -7},
                {"1.5e2", 150}, {"0.5/2", 0.25}, {".5", 0.5},      {"5.", 5}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        ah_expr e = expr_number(ctx, good[i].text, strlen(good[i].text));
        if (CHECK(e != AH_NONE))
            CHECK_NEAR(expr_number_double(ctx, e), good[i].value, 0, 0, "correctly rounded");
    }
    static const char *const bad[] = {"",   "-",    "x",     "1e", "1e+",         "1/",
                                      "/2", "1/0",  "1.2.3", "1 ", "1e999999999", "1e-999999999",
                                      ".",  "1//2", "0x10"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(expr_number(ctx, bad[i], strlen(bad[i])) == AH_NONE);
}

/* Against strtod, which rounds correctly, with decimals of every size down to subnormals. */
EXPR_TEST(numbers_round_correctly)
{
    (void) arg;
    for (int i = 0; i < 2000; i++) {
        char s[64];
        unsigned long long digits = harness_random() % 1000000000000000000ull;
        int exponent = (int) (harness_random() % 660) - 345;
        snprintf(s, sizeof s, "%llu%llue%d", digits, digits % 1000003, exponent);
        ah_expr e = expr_number(ctx, s, strlen(s));
        double want = strtod(s, NULL);
        if (isfinite(want)) CHECK_NEAR(expr_number_double(ctx, e), want, 0, 0, s);
    }
    /* ties between subnormals go to the even one */
    static const struct {
        long units_of_2_1075;
        double want;
    } ties[] = {{1, 0}, {3, 0x2p-1074}, {5, 0x2p-1074}, {-3, -0x2p-1074}};
    for (size_t i = 0; i < sizeof ties / sizeof ties[0]; i++) {
        ah_expr e = expr_mul(ctx, expr_int(ctx, ties[i].units_of_2_1075),
                             expr_powi(ctx, expr_int(ctx, 2), -1075));
        CHECK_NEAR(expr_number_double(ctx, e), ties[i].want, 0, 0, "to even");
    }
    static const char *const edge[] = {"2.4703282292062327e-324", "2.4703282292062328e-324",
                                       "2.2250738585072011e-308", "9007199254740993",
                                       "1.7976931348623157e308",  "-4.9406564584124654e-324"};
    for (size_t i = 0; i < sizeof edge / sizeof edge[0]; i++) {
        ah_expr e = expr_number(ctx, edge[i], strlen(edge[i]));
        CHECK_NEAR(expr_number_double(ctx, e), strtod(edge[i], NULL), 0, 0, edge[i]);
    }
}

EXPR_TEST(shape_of_sums_and_products)
{
    (void) arg;
    ah_expr e = support_read(ctx, "3*x*(y + 1)*m - 2*sin(x) + 5 + k");
    const ah_expr *c = expr_get_children(ctx, e);
    CHECK_INT(expr_get_op(ctx, e), EXPR_SUM);
    CHECK_INT(expr_get_count(ctx, e), 4);
    int numbers = 0;
    for (size_t i = 0; i < 4; i++) {
        if (i) CHECK(c[i - 1] < c[i]);
        CHECK(c[i] < e);
        numbers += expr_get_op(ctx, c[i]) == EXPR_NUMBER;
        if (expr_get_op(ctx, c[i]) != EXPR_PRODUCT) continue;
        const ah_expr *f = expr_get_children(ctx, c[i]);
        CHECK_INT(expr_get_op(ctx, f[0]), EXPR_NUMBER);
        for (size_t j = 2; j < expr_get_count(ctx, c[i]); j++) CHECK(f[j - 1] < f[j]);
    }
    CHECK_INT(numbers, 1);
}

EXPR_TEST(symbols_and_their_derivatives)
{
    (void) arg;
    ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x"), v = expr_dot(ctx, x);
    CHECK(v == expr_symbol(ctx, AH_VELOCITY, "x"));
    CHECK(expr_undot(ctx, v) == x);
    CHECK(expr_dot(ctx, v) == expr_symbol(ctx, AH_ACCELERATION, "x"));
    CHECK(expr_undot(ctx, x) == AH_NONE);
    ah_expr z = expr_symbol(ctx, AH_SPEED, "z");
    CHECK(expr_undot(ctx, expr_dot(ctx, z)) == z);
    CHECK(expr_dot(ctx, expr_symbol(ctx, AH_PARAMETER, "m")) == AH_NONE);
    CHECK_STR(expr_get_name(ctx, v), "x");
    CHECK(expr_symbol(ctx, AH_PARAMETER, "x") != x);
    ah_expr e = support_read(ctx, "m*x'^2 + sin(y)");
    expr_list s = expr_symbols(ctx, &ctx->job, &e, 1);
    CHECK_INT(s.count, 3);
    CHECK(expr_depends(ctx, e, v) && !expr_depends(ctx, e, x));
    CHECK(expr_depends_kind(ctx, e, AH_VELOCITY) && !expr_depends_kind(ctx, e, AH_TIME));
    CHECK_INT(expr_operations(ctx, &e, 1), 4); /* square, product, sin, sum */
}

/* Building against evaluating the tree as it was written, in 200-bit balls: they must overlap. */
EXPR_TEST(random_trees_keep_their_value)
{
    (void) arg;
    const ah_expr symbols[] = {
        expr_symbol(ctx, AH_COORDINATE, "x"), expr_symbol(ctx, AH_COORDINATE, "y"),
        expr_symbol(ctx, AH_PARAMETER, "m"), expr_symbol(ctx, AH_VELOCITY, "x")};
    int finite = 0;
    arb_t tree_value, value;
    arb_init(tree_value), arb_init(value);
    ball_frame *values = ball_frame_create(ctx, &ctx->job);
    for (int i = 0; i < 3000; i++) {
        double state[8];
        tree *t = support_random_tree(ctx, 1 + i % 6, 4, symbols);
        ah_expr e = support_build(ctx, t);
        support_random_state(ctx, state);
        for (int k = 0; k < 4; k++) arb_set_d(ball_frame_ref(values, symbols[k]), state[k]);
        support_tree_ball(t, values, 200, tree_value);
        support_ball(ctx, e, state, 200, value);
        if (!CHECK(arb_overlaps(tree_value, value) || !arb_is_finite(tree_value)))
            harness_check(false, __FILE__, __LINE__, expr_text(ctx, &ctx->job, e, AH_ASCII));
        finite += arb_is_finite(tree_value) && arb_rel_accuracy_bits(value) > 100;
    }
    CHECK(finite > 1500); /* the test must mean something */
    arb_clear(tree_value), arb_clear(value);
}

/* Doubles against balls of 53 bits, whose radius bounds what rounding may do. */
EXPR_TEST(doubles_agree_with_balls)
{
    (void) arg;
    const ah_expr symbols[] = {expr_symbol(ctx, AH_COORDINATE, "x"),
                               expr_symbol(ctx, AH_COORDINATE, "y")};
    arb_t exact, rounded, got;
    arb_init(exact), arb_init(rounded), arb_init(got);
    for (int i = 0; i < 1000; i++) {
        double state[8];
        ah_expr e = support_build(ctx, support_random_tree(ctx, 1 + i % 5, 2, symbols));
        support_random_state(ctx, state);
        support_ball(ctx, e, state, 200, exact);
        support_ball(ctx, e, state, 50, rounded);
        if (!arb_is_finite(rounded) || arf_cmpabs_2exp_si(arb_midref(exact), 900) > 0) continue;
        arb_set_d(got, support_value(ctx, e, state));
        mag_mul_2exp_si(arb_radref(rounded), arb_radref(rounded), 2);
        if (!CHECK(arb_overlaps(got, rounded)))
            harness_check(false, __FILE__, __LINE__, expr_text(ctx, &ctx->job, e, AH_ASCII));
    }
    arb_clear(exact), arb_clear(rounded), arb_clear(got);
}

EXPR_TEST(children_stay_where_they_are)
{
    (void) arg;
    ah_expr e = support_read(ctx, "x + y*m + 7*sin(x)");
    const ah_expr *c = expr_get_children(ctx, e), copy[3] = {c[0], c[1], c[2]};
    for (long i = 0; i < 100000; i++) expr_add(ctx, c[0], expr_int(ctx, i + 1000));
    CHECK(c == expr_get_children(ctx, e));
    CHECK(!memcmp(c, copy, sizeof copy));
    CHECK(support_read(ctx, "x + y*m + 7*sin(x)") == e);
}

static void build_many(ah_ctx *ctx, void *arg)
{
    ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x");
    for (long i = 0; i < *(long *) arg; i++) expr_add(ctx, x, expr_int(ctx, i + 1));
}

TEST(the_limit_of_nodes_holds)
{
    ah_ctx_options options = ah_ctx_defaults();
    options.limits.nodes = 1000;
    ah_ctx *ctx = ah_ctx_create(&options);
    long n = 10000;
    CHECK_INT(ctx_guard(ctx, build_many, &n), AH_E_LIMIT);
    ah_ctx_reset_status(ctx);
    n = 100; /* these exist already */
    CHECK_INT(ctx_guard(ctx, build_many, &n), AH_OK);
    CHECK(expr_pool_size(ctx) <= 1000);
    ah_ctx_destroy(ctx);
}

static void square_often(ah_ctx *ctx, void *arg)
{
    (void) arg;
    ah_expr e = expr_int(ctx, 3);
    for (int i = 0; i < 64; i++) e = expr_mul(ctx, e, e);
}

TEST(numbers_do_not_grow_without_end)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, square_often, NULL), AH_E_LIMIT);
    ah_ctx_destroy(ctx);
}

TEST(public_functions_pass_none_on)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_expr x = ah_symbol(ctx, AH_COORDINATE, "x"), none = AH_NONE;
    CHECK(ah_add(ctx, x, none) == AH_NONE && ah_mul(ctx, none, x) == AH_NONE);
    CHECK(ah_call(ctx, AH_SIN, &none) == AH_NONE && ah_diff(ctx, none, x) == AH_NONE);
    CHECK(ah_sum(ctx, 2, (ah_expr[]){x, none}) == AH_NONE);
    CHECK(ah_print(ctx, none, AH_TEXT) == NULL && isnan(ah_evaluate(ctx, none, 0, NULL, NULL)));
    CHECK(ah_number(ctx, "abc") == AH_NONE);
    CHECK(ah_add(ctx, x, 123456) == AH_NONE && ah_diff(ctx, x, ah_int(ctx, 3)) == AH_NONE);
    CHECK_INT(ah_ctx_status(ctx), AH_OK);
    double two = 2;
    ah_expr e = ah_pow(ctx, x, ah_int(ctx, 3));
    CHECK_NEAR(ah_evaluate(ctx, e, 1, &x, &two), 8, 8, 0, "exact");
    CHECK(isnan(ah_evaluate(ctx, e, 0, NULL, NULL)));
    CHECK(ah_substitute(ctx, e, 1, &x, (ah_expr[]){ah_int(ctx, 2)}) == ah_int(ctx, 8));
    ah_ctx_destroy(ctx);
}

/* A closed sum is a sum to everything but other sums; what is made of it by differentiation is closed, too. */
EXPR_TEST(closed_sums)
{
    (void) arg;
    const ah_expr open = support_read(ctx, "x + y*y"), z = support_read(ctx, "z");
    const ah_expr closed = expr_closed(ctx, open), more = expr_add(ctx, closed, z);
    CHECK(closed != open && expr_closed(ctx, closed) == closed && expr_closed(ctx, z) == z);
    CHECK(expr_get_op(ctx, closed) == EXPR_SUM && expr_get_count(ctx, more) == 2);
    CHECK_INT((int) expr_get_count(ctx, expr_add(ctx, open, z)), 3);
    CHECK(expr_sub(ctx, more, closed) == z && expr_is_zero(ctx, expr_sub(ctx, closed, closed)));
    CHECK(expr_mul(ctx, expr_int(ctx, -1), expr_neg(ctx, closed)) == closed);
    const ah_expr x = support_read(ctx, "x"), y = support_read(ctx, "y"), both[] = {x, y};
    CHECK(expr_diff(ctx, more, y) == support_read(ctx, "2*y"));
    const ah_expr sine = expr_call1(ctx, AH_SIN, closed),
                  minus = expr_call1(ctx, AH_SIN, expr_neg(ctx, closed));
    CHECK(minus == expr_neg(ctx, sine));
    ah_expr slope[2];
    expr_gradient(ctx, expr_mul(ctx, more, more), 2, both, slope);
    CHECK(slope[0] == expr_mul(ctx, expr_int(ctx, 2), more));
    CHECK(expr_subst(ctx, more, 1, &y, &z) ==
          expr_add(ctx, expr_closed(ctx, support_read(ctx, "x + z*z")), z));
}

/* Handles are others there: it had expressions before. */
EXPR_TEST(copies_in_another_context_are_what_is_read_there)
{
    static const char *const written[] = {"x",
                                          "-7/3",
                                          "pi*x'",
                                          "(x + y)^2*sin(2*x + 1/3)",
                                          "f'(t)*x^(1/2)",
                                          "atan2(y, x) - 5*exp(-k*t)",
                                          "x"};
    enum { COUNT = sizeof written / sizeof *written };
    ah_expr e[COUNT], copy[COUNT];
    ah_ctx *other = ah_ctx_create(NULL);
    (void) arg;
    support_read(ctx, "k + y*x^3 - cos(y)");
    for (int i = 0; i < COUNT; i++) e[i] = support_read(other, written[i]);
    expr_copy(other, ctx, COUNT, e, copy);
    for (int i = 0; i < COUNT; i++) CHECK(copy[i] == support_read(ctx, written[i]));
    CHECK(copy[0] != e[0] && copy[0] == copy[COUNT - 1]);
    ah_ctx_destroy(other);
}
