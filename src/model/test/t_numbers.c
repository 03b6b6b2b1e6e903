/* t_numbers.c - elimination, random states, values: against dense arithmetic and against the
 * constraints. */
#include "numeric/eliminate.h"
#include "model/newton.h"
#include "model/probe.h"
#include "model_support.h"

#include <math.h>
#include <string.h>

/* ---- Elimination ----------------------------------------------------------------------------- */

enum { ROWS = 12, COLUMNS = 9 };

/* The same rows with every row and every unknown in units of its own, 1e-9 to 1e9: the same words. */
static void in_units_body(ah_ctx *ctx, void *arg)
{
    (void) arg;
    enum { OWN = 4 };
    const uint32_t column[COLUMNS] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    double plain[ROWS][COLUMNS] = {{0}}, right[ROWS] = {0}, unit[COLUMNS];
    eliminate *e = eliminate_create(ctx, &ctx->scratch, COLUMNS);
    for (int j = 0; j < COLUMNS; j++) unit[j] = pow(10, harness_uniform(-9, 9));
    for (int i = 0; i < ROWS; i++) {
        double row[COLUMNS], size[COLUMNS], own = pow(10, harness_uniform(-9, 9)), terms = 0;
        for (int j = 0; j < COLUMNS && i < OWN; j++)
            if (harness_random() % 3 == 0 || j == i) plain[i][j] = harness_uniform(-2, 2);
        if (i < OWN) right[i] = harness_uniform(-1, 1);
        for (int k = 0; k < OWN && i >= OWN; k++) {
            const double by = harness_uniform(-1, 1);
            for (int j = 0; j < COLUMNS; j++) plain[i][j] += by * plain[k][j];
            right[i] += by * right[k];
        }
        if (i == ROWS - 2) right[i] += 0.01;
        if (i == ROWS - 1)
            plain[i][COLUMNS - 1] += 0.01; /* a new direction, perhaps a tiny number */
        for (int j = 0; j < COLUMNS; j++) {
            row[j] = own * unit[j] * plain[i][j];
            size[j] = own * unit[j] * 4;
        }
        terms = own * 4;
        const eliminate_verdict got =
            eliminate_add_sized(e, COLUMNS, column, row, size, own * right[i], terms);
        CHECK_INT(got, i < OWN || i == ROWS - 1 ? ELIMINATE_INDEPENDENT
                       : i < ROWS - 2           ? ELIMINATE_DEPENDENT
                                                : ELIMINATE_CONTRADICTORY);
    }
    CHECK_INT(eliminate_rank(e), OWN + 1);
}

TEST(elimination_in_other_units)
{
    for (int k = 0; k < 50; k++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        CHECK_INT(ctx_guard(ctx, in_units_body, NULL), AH_OK);
        ah_ctx_destroy(ctx);
    }
}

static void noise_body(ah_ctx *ctx, void *arg)
{
    (void) arg;
    /* 6e-17 out of terms of size 1 is nothing; a coefficient 6e-17 is one. */
    const double first[] = {1, 0}, second[] = {1, 6e-17}, rounded[] = {1, 1}, exact[] = {1, 6e-17};
    const uint32_t column[] = {0, 1};
    eliminate *e = eliminate_create(ctx, &ctx->scratch, 2);
    CHECK_INT(eliminate_add_sized(e, 2, column, first, first, 0, 0), ELIMINATE_INDEPENDENT);
    CHECK_INT(eliminate_add_sized(e, 2, column, second, rounded, 0, 0), ELIMINATE_DEPENDENT);
    CHECK_INT(eliminate_add_sized(e, 2, column, second, exact, 0, 0), ELIMINATE_INDEPENDENT);
}

TEST(elimination_knows_round_off)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, noise_body, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}

static void eliminate_body(ah_ctx *ctx, void *arg)
{
    (void) arg;
    /* Five random sparse rows, then combinations of them: every later row must be recognised, with
     * its weights. */
    double row[ROWS][COLUMNS] = {{0}}, rhs[ROWS] = {0}, x[COLUMNS], weight[ROWS];
    const uint32_t column[COLUMNS] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    eliminate *e = eliminate_create(ctx, &ctx->scratch, COLUMNS);
    for (int i = 0; i < ROWS; i++) {
        double by[ROWS] = {0};
        for (int j = 0; j < COLUMNS && i < 5; j++)
            if (harness_random() % 3 == 0 || j == i) row[i][j] = harness_uniform(-2, 2);
        if (i < 5) rhs[i] = harness_uniform(-1, 1);
        for (int k = 0; k < 5 && i >= 5; k++) {
            by[k] = harness_random() % 2 ? harness_uniform(-1, 1) : 0;
            for (int j = 0; j < COLUMNS; j++) row[i][j] += by[k] * row[k][j];
            rhs[i] += by[k] * rhs[k];
        }
        if (i == ROWS - 1) rhs[i] += 0.01;
        const eliminate_verdict got = eliminate_add(e, COLUMNS, column, row[i], rhs[i]);
        CHECK_INT(got, i < 5          ? ELIMINATE_INDEPENDENT
                       : i < ROWS - 1 ? ELIMINATE_DEPENDENT
                                      : ELIMINATE_CONTRADICTORY);
        if (i < 5) continue;
        eliminate_weights(e, weight);
        for (int k = 0; k < i; k++)
            CHECK_NEAR(weight[k], by[k], 1, 1e4, "weights of a combination");
    }
    CHECK_INT(eliminate_rank(e), 5);
    eliminate_solve(e, x);
    for (int i = 0; i < 5; i++) {
        double sum = -rhs[i];
        for (int j = 0; j < COLUMNS; j++) sum += row[i][j] * x[j];
        CHECK_NEAR(sum, 0, 10, 1e4, "the solution satisfies the rows");
    }
}

TEST(elimination_finds_dependent_rows)
{
    for (int k = 0; k < 20; k++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        CHECK_INT(ctx_guard(ctx, eliminate_body, NULL), AH_OK);
        ah_ctx_destroy(ctx);
    }
}

/* ---- Sizes ------------------------------------------------------------------------------------ */

/* A spring pendulum with x in millionths and time in units of 10 µs: sizes found again from the text. */
static void sizes_body(ah_ctx *ctx, void *arg)
{
    ah_model *m = arg;
    const double x = model_size(m, m->q.at[0]), z = model_size(m, m->q.at[1]);
    const double t = model_size(m, expr_time(ctx));
    CHECK(x > 1e6 / 16 && x < 1e6 * 16);
    CHECK(z == 1);
    CHECK(t > 1e5 / 16 && t < 1e5 * 16);
    CHECK(model_size(m, m->v.at[0]) == x / t);
    CHECK(model_size(m, m->q.at[2]) == 1); /* an angle */
    const double product = model_size(m, read_expr(m, "x*z'"));
    CHECK(product == x / t);
}

TEST(sizes_are_those_of_the_text)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_parameters(m, "k = 0.000001, s = 100000");
    add_coordinates(m, "x, z, th");
    add_kinetic(m, "s^2*(k^2*x'^2 + z'^2 + th'^2)/2");
    add_potential(m, "9.81*z + cos(th) + k^2*x^2");
    add_constraint(m, "circle", "k^2*x^2 + z^2 - 1");
    REQUIRE(ah_model_finish(m) == AH_OK);
    CHECK_INT(ctx_guard(m->ctx, sizes_body, m), AH_OK);
    ah_ctx_destroy(ctx);
}

static void ordinary_body(ah_ctx *ctx, void *arg)
{
    ah_model *m = arg;
    CHECK(model_size(m, m->q.at[0]) == 1 && model_size(m, m->v.at[1]) == 1);
    CHECK(model_size(m, expr_time(ctx)) == 1);
}

/* A term that is odd, a friction that is smoothed, do not change what is ordinary. */
TEST(sizes_are_one_in_ordinary_units)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_parameters(m, "k = 40, e = 0.000000001");
    add_coordinates(m, "x, y");
    add_kinetic(m, "2*x'^2 + 0.3*y'^2");
    add_potential(m, "k*(x - y)^2/2 + e*x + 9.81*y");
    add_force(m, "x", "-x'/sqrt(x'^2 + e)");
    REQUIRE(ah_model_finish(m) == AH_OK);
    CHECK_INT(ctx_guard(m->ctx, ordinary_body, m), AH_OK);
    ah_ctx_destroy(ctx);
}

/* ---- Random states --------------------------------------------------------------------------- */

/* |C| and |f'| at admissible states, relative to what they are made of. */
static void states_body(ah_ctx *ctx, void *arg)
{
    ah_model *m = arg;
    arena *a = &ctx->scratch;
    ah_expr e[8], fact[8];
    size_t count = 0;
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        if (c->order == MODEL_HOLONOMIC) e[count++] = expr_dt(ctx, c->c);
        e[count++] = c->c;
    }
    for (size_t i = 0; i < m->facts.count; i++) fact[i] = m->facts.at[i].e;
    model_put_values(m, e, count);
    model_put_samples(m, e, count);
    probe *p = probe_create(m, a);
    const expr_plan *plan = expr_plan_create(ctx, a, e, count);
    const expr_plan *facts = expr_plan_create(ctx, a, fact, m->facts.count);
    frame *values = probe_values(m, a), *again = probe_values(m, a);
    double out[8], scale[8];
    probe_rng rng = probe_seed(7), same = probe_seed(7);
    for (int k = 0; k < 20; k++) {
        CHECK(probe_admissible(p, &rng, values));
        CHECK(probe_admissible(p, &same, again));
        CHECK(frame_equal(values, again));
        expr_plan_run_scaled(plan, values, out, scale);
        for (size_t i = 0; i < count; i++) CHECK_NEAR(out[i], 0, scale[i], 45, "constraint");
        expr_plan_run(facts, values, out);
        for (size_t i = 0; i < m->facts.count; i++)
            CHECK(m->facts.at[i].positive ? out[i] > 0 : out[i] != 0);
    }
}

static void check_states(ah_model *m)
{
    REQUIRE(ah_model_finish(m) == AH_OK);
    CHECK_INT(ctx_guard(m->ctx, states_body, m), AH_OK);
}

TEST(states_on_mixed_constraints)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_parameters(m, "l = 30, k, s");
    add_coordinates(m, "x, y, z, a");
    add_kinetic(m, "x'^2 + y'^2 + z'^2 + a'^2");
    add_constraint(m, "sphere", "x^2 + y^2 + z^2 - l^2*(1 + t/5)");
    add_constraint(m, "speed", "x'^2 + y'^2 + a'^2 - 900");
    add_assumption(m, "k", true);
    add_assumption(m, "s*x - 1", true);
    add_assumption(m, "a", false);
    check_states(m);
    ah_ctx_destroy(ctx);
}

TEST(states_through_velocity_parameters)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "B11");
    add_coordinates(m, "x1, y1, x2, y2");
    add_kinetic(m, "x1'^2 + y1'^2 + 2*x2'^2 + 2*y2'^2");
    add_constraint(m, "c", "x1*x1'*y2' - x2*x2'*y1' + (y1-y2)*y1'*y2'");
    ah_model_speed(m, "y0");
    ah_model_speed(m, "w1");
    ah_model_speed(m, "w2");
    add_velocity(m, "x1", "w1*(y0-y1)");
    add_velocity(m, "y1", "w1*x1");
    add_velocity(m, "x2", "w2*(y0-y2)");
    add_velocity(m, "y2", "w2*x2");
    check_states(m);
    ah_ctx_destroy(ctx);
}

TEST(states_with_unspecified_functions)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_coordinates(m, "x, y");
    add_kinetic(m, "x'^2 + y'^2");
    add_constraint(m, "c", "x'^2 + y'^2 - f(t)^2");
    check_states(m);
    ah_ctx_destroy(ctx);
}

static void none_body(ah_ctx *ctx, void *arg)
{
    ah_model *m = arg;
    probe_rng rng = probe_seed(1);
    probe *p = probe_create(m, &ctx->scratch);
    CHECK(!probe_admissible(p, &rng, probe_values(m, &ctx->scratch)));
}

TEST(states_that_do_not_exist)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_coordinates(m, "x, y");
    add_kinetic(m, "x'^2 + y'^2");
    add_constraint(m, "c", "x'^2 + y'^2 + 1");
    CHECK_INT(ah_model_finish(m), AH_OK);
    CHECK_INT(ctx_guard(ctx, none_body, m), AH_OK);
    ah_ctx_destroy(ctx);
}

/* Undamped steps run away from here. */
static void damping_body(ah_ctx *ctx, void *arg)
{
    ah_model *m = arg;
    const ah_expr e = read_expr(m, "atan(x) - 1/10");
    probe_newton *s = probe_newton_create(m, &ctx->scratch, &e, 1, &m->q);
    frame *values = probe_values(m, &ctx->scratch);
    for (int k = -3; k <= 3; k++) {
        frame_set(values, m->q.at[0], 10.0 * k);
        CHECK(probe_newton_run(s, values));
        CHECK_NEAR(frame_get(values, m->q.at[0]), tan(0.1), 1, 4, "where atan(x) = 1/10");
    }
}

TEST(newton_is_damped)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_coordinates(m, "x");
    add_kinetic(m, "x'^2");
    CHECK_INT(ah_model_finish(m), AH_OK);
    CHECK_INT(ctx_guard(ctx, damping_body, m), AH_OK);
    ah_ctx_destroy(ctx);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void values_body(ah_ctx *ctx, void *arg)
{
    ah_model *m = arg;
    ah_expr e = read_expr(m, "c + f(x)*b");
    model_put_values(m, &e, 1);
    const ah_expr want = read_expr(m, "9 + s + (x + 3)^2*s/2*6");
    ah_expr valued = want;
    model_put_values(m, &valued, 1);
    check_same(m, e, valued, "values, values of values, functions");
    CHECK(!expr_depends(ctx, e, expr_symbol(ctx, AH_PARAMETER, "a")));
    CHECK(expr_depends(ctx, e, expr_symbol(ctx, AH_PARAMETER, "s")));
}

TEST(values_are_put_in)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_parameters(m, "a = 3, s, b = 2*a, c = a*3+s");
    add_coordinates(m, "x");
    add_kinetic(m, "x'^2");
    const ah_expr u = ah_symbol(ctx, AH_LOCAL, "u");
    const ah_expr square =
        ah_mul(ctx, ah_add(ctx, u, read_expr(m, "a")), ah_add(ctx, u, read_expr(m, "a")));
    const ah_expr body = ah_div(ctx, ah_mul(ctx, square, read_expr(m, "s")), ah_int(ctx, 2));
    CHECK_INT(ah_model_function(m, "f", 1, &u, body), AH_OK);
    CHECK_INT(ah_model_finish(m), AH_OK);
    CHECK_INT(ctx_guard(ctx, values_body, m), AH_OK);
    ah_ctx_destroy(ctx);
}

/* `jacobi` differs from T + V by −T1·0 − 2 T0: here T = T2 + T1 + T0. */
static void jacobi_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    ah_model *m = arg;
    check_same(m, model_jacobi(m), read_expr(m, "x'^2 - x^2*sin(t)/2 + g*x"), "T2 - T0 + V");
    check_same(m, model_energy(m), read_expr(m, "x'^2 + x*x' + x^2*sin(t)/2 + g*x"), "T + V");
}

TEST(energy_and_hamiltons_function)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_parameters(m, "g = 2");
    add_coordinates(m, "x");
    add_kinetic(m, "x'^2 + x*x'");
    add_kinetic(m, "x^2*sin(t)/2");
    add_potential(m, "g*x");
    CHECK_INT(ah_model_finish(m), AH_OK);
    CHECK_INT(ctx_guard(ctx, jacobi_body, m), AH_OK);
    ah_ctx_destroy(ctx);
}
