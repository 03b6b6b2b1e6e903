/* t_order.c - orders and classes of constraints: found, not declared. */
#include "model_support.h"

/* A plane point with one more angle; the constraint under test; what it must be. */
typedef struct expected {
    const char *left;
    model_order order;
    bool linear, affine, rheonomic;
} expected;

static void check_class(const expected *want)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_parameters(m, "k = 2, zero = 0, s");
    add_coordinates(m, "x, y, a");
    add_kinetic(m, "x'^2 + y'^2 + a'^2 + x'*y'/3");
    add_constraint(m, "c", want->left);
    ah_model_finish(m);
    if (CHECK_INT(m->constraints.count, 1)) {
        const model_constraint *c = &m->constraints.at[0];
        const bool same = c->order == want->order && c->linear == want->linear &&
                          c->affine == want->affine && c->rheonomic == want->rheonomic;
        if (!same) CHECK_STR(want->left, "is of another class");
        CHECK(same);
    }
    ah_ctx_destroy(ctx);
}

TEST(classes)
{
    static const expected cases[] = {
        {"x^2 + y^2 - 1", MODEL_HOLONOMIC, false, false, false},
        {"x - sin(t)", MODEL_HOLONOMIC, false, false, true},
        {"x'*sin(a) - y'*cos(a)", MODEL_VELOCITY, true, false, false},
        {"x'*sin(a) - y'*cos(a) - 1", MODEL_VELOCITY, true, true, false},
        {"x' - y*t", MODEL_VELOCITY, true, true, true},
        {"x'*(1 + t) - y'", MODEL_VELOCITY, true, false, true},
        {"x'^2 + y'^2 - 4", MODEL_VELOCITY, false, false, false},
        {"x'*y' - a'^2", MODEL_VELOCITY, false, false, false},
        {"sqrt(x'^2 + y'^2) - a'", MODEL_VELOCITY, false, false, false},
        {"x'' - y'' + x", MODEL_ACCELERATION, true, true, false},
        {"x''*y - a''", MODEL_ACCELERATION, true, false, false},
        {"x'' - y''*a''", MODEL_ACCELERATION, false, false, false},
        /* What cancels does not count. */
        {"x'*(sin(a)^2 + cos(a)^2 - 1) + x - 1", MODEL_HOLONOMIC, false, false, false},
        {"x''*(sin(a)^2 + cos(a)^2 - 1) + x' - y", MODEL_VELOCITY, true, true, false},
        {"(x'^2 - y'^2)/(x' + y') - a'", MODEL_VELOCITY, true, false, false},
        {"(x' + y')^2 - x'^2 - 2*x'*y' - y'^2 + x' - k", MODEL_VELOCITY, true, true, false},
        {"x' - y' + t*(sin(a)^2 + cos(a)^2 - 1)", MODEL_VELOCITY, true, false, false},
        /* What jumps is not constant. */
        {"abs(x') - y'", MODEL_VELOCITY, false, false, false},
        {"x'*abs(y')/y' - a'", MODEL_VELOCITY, false, false, false},
        {"abs(x')/x' - y", MODEL_VELOCITY, false, false, false},
        /* Declared values count, symbolic parameters stand for any value. */
        {"x'^2*zero + x' - y'", MODEL_VELOCITY, true, false, false},
        {"x' - y' + zero", MODEL_VELOCITY, true, false, false},
        {"x' - y' + s", MODEL_VELOCITY, true, true, false},
        {"x'^2*s + x' - y'", MODEL_VELOCITY, false, false, false},
        {"x' - y' + x/10^25", MODEL_VELOCITY, true, true, false},
        /* Unspecified functions. */
        {"x' - f(t)*y'", MODEL_VELOCITY, true, false, true},
        {"x' - f(x)", MODEL_VELOCITY, true, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_class(&cases[i]);
}

/* Where the velocity cancels, later steps must not meet it: the constraint is rewritten. */
TEST(lower_order_is_written_without_the_symbol)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_coordinates(m, "x, y");
    add_kinetic(m, "x'^2 + y'^2");
    add_constraint(m, "c", "y'*(sin(x)^2 + cos(x)^2 - 1) + x - y/2");
    CHECK_INT(ah_model_finish(m), AH_OK);
    CHECK(!expr_depends_kind(ctx, m->constraints.at[0].c, AH_VELOCITY));
    check_same(m, m->constraints.at[0].c, read_expr(m, "x - y/2"), "same function");
    ah_ctx_destroy(ctx);
}

TEST(empty_constraints)
{
    static const struct {
        const char *left, *codes;
    } cases[] = {
        {"3", "A0408"},
        {"k - 1", "A0408"},
        {"sin(t) - 1/2", "A0408"},
        {"s - 1", "A0408"},
        {"k - 2", "A0409"},
        {"x - x", "A0409"},
        {"sin(x)^2 + cos(x)^2 - 1", "A0409"},
        {"(x' + y')^2 - x'^2 - 2*x'*y' - y'^2", "A0409"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = model_create_in(ctx, "");
        add_parameters(m, "k = 2, s");
        add_coordinates(m, "x, y");
        add_kinetic(m, "x'^2 + y'^2");
        add_constraint(m, "c", cases[i].left);
        const bool error = cases[i].codes[4] == '8';
        CHECK_INT(ah_model_finish(m), error ? AH_E_INPUT : AH_OK);
        CHECK_STR(codes(ctx), cases[i].codes);
        CHECK_INT(m->constraints.count, 0);
        ah_ctx_destroy(ctx);
    }
}

TEST(labels_of_constraints)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_coordinates(m, "x, y, z");
    add_kinetic(m, "x'^2 + y'^2 + z'^2");
    add_constraint(m, "c1", "x - y");
    add_constraint(m, NULL, "x' - 2*y'*x - z'");
    ah_model_constraint_vector(m, "v", read_vector(m, "x", "z*(sin(x)^2 + cos(x)^2 - 1)", "0"),
                               read_vector(m, "y*z", "0", "0"));
    CHECK_INT(ah_model_finish(m), AH_OK);
    CHECK_STR(codes(ctx), "");
    REQUIRE(m->constraints.count == 3);
    CHECK_STR(m->constraints.at[0].label, "c1");
    CHECK_STR(m->constraints.at[1].label, "c2");
    CHECK_STR(m->constraints.at[2].label, "v.1");
    ah_ctx_destroy(ctx);
}

/* A value given later may change the class. */
TEST(setting_a_value_classifies_again)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_parameters(m, "w = 0");
    add_coordinates(m, "x, y");
    add_kinetic(m, "x'^2 + y'^2");
    add_constraint(m, "c", "x' - y' - w*x");
    CHECK_INT(ah_model_finish(m), AH_OK);
    CHECK(!m->constraints.at[0].affine);
    CHECK_INT(ah_model_set(m, "w", ah_int(ctx, 3)), AH_OK);
    CHECK(m->finished && m->constraints.at[0].affine);
    CHECK_INT(m->constraints.count, 1);
    ah_ctx_destroy(ctx);
}
