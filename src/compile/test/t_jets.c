/* compile/test/t_jets.c - jets of every function: their series solve the equation; all engines give
 * the same bits. */
#include "harness.h"
#include "compile/test/program_scene.h"

#include "compile/engine.h"
#include "compile/jets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 16, N = 2 };
static const double start[N] = {0.4, 0.6}, time_of_start = 0.3, step = 0.03;

/* x' = f(t, x, y), y' = x y / 2 + t. */
static program *program_of(scene *s, ah_expr f)
{
    ah_ctx *ctx = s->ctx;
    const ah_expr half = expr_rational(ctx, 1, 2);
    const ah_expr input[] = {s->t, s->x, s->y},
                  output[] = {f,
                              expr_add(ctx, expr_mul(ctx, half, expr_mul(ctx, s->x, s->y)), s->t)};
    frame *parameter = frame_create(ctx, &ctx->job, NAN);
    frame_set(parameter, s->m, 1.7);
    const program_spec spec = {
        .inputs = 3, .input = input, .outputs = N, .output = output, .parameter = parameter};
    return program_create(ctx, &ctx->job, &spec);
}

/* The jets by a compiler, bit for bit those of the interpreter. */
static void compare_engines(scene *s, const program *p, const jets *j, const double *jet)
{
    const char *build = getenv("AH_BUILD_DIR");
    if (build) setenv("XDG_CACHE_HOME", build, 1); /* not the user's */
    text t = text_begin(&s->ctx->job);
    jets_emit(j, &t, "jet");
    const char *more = text_end(&t);
    for (engine_kind kind = ENGINE_TCC; kind <= ENGINE_CC; kind++) {
        double y[(ORDER + 1) * N];
        engine *e = engine_create(s->ctx, &s->ctx->job, kind, &p, 1, more);
        if (!e) continue;
        union {
            void *object;
            jets_function *function;
        } address = {engine_find(e, "jet")};
        memcpy(y, start, sizeof start);
        REQUIRE(address.function != NULL);
        CHECK(address.function(j->constants.at, time_of_start, ORDER, y, j->work, jets_sums));
        CHECK(memcmp(y, jet, sizeof y) == 0);
        engine_destroy(e);
    }
}

/* The slope of the series is f along it. */
static void check_series(const program *p, const double *jet, const char *name)
{
    double in[N + 1] = {time_of_start + step}, f[N];
    for (int i = 0; i < N; i++)
        for (int k = ORDER; k >= 0; k--) in[1 + i] = in[1 + i] * step + jet[k * N + i];
    REQUIRE(program_run(p, in, f));
    for (int i = 0; i < N; i++) {
        double slope = 0;
        for (int k = ORDER; k > 0; k--) slope = slope * step + k * jet[k * N + i];
        CHECK_NEAR(slope, f[i], fmax(1, fabs(f[i])), 40, name);
    }
}

static void check_function(scene *s, ah_expr f, const char *name, bool engines)
{
    double y[(ORDER + 1) * N];
    const char *why = NULL;
    const program *p = program_of(s, f);
    REQUIRE(p != NULL);
    const jets *j = jets_create(s->ctx, &s->ctx->job, p, &why);
    REQUIRE(j != NULL);
    memcpy(y, start, sizeof start);
    CHECK(jets_run(j, time_of_start, ORDER, y));
    check_series(p, y, name);
    if (engines) compare_engines(s, p, j, y);
}

static void check_functions(scene *s)
{
    ah_ctx *ctx = s->ctx;
    ah_expr all = expr_int(ctx, 0);
    for (int f = 0; f < AH_ABS; f++) {
        static const char *const name[] = {
#define X(code, name, arity) [code] = name,
            AH_FUNCTION_LIST(X)
#undef X
        };
        const ah_expr argument = expr_mul(ctx, s->x, s->y), two[] = {s->y, argument};
        const ah_expr e = f == AH_ATAN2 ? expr_call(ctx, AH_ATAN2, two)
                                        : expr_call1(ctx, (ah_function) f, argument);
        check_function(s, e, name[f], false);
        all = expr_add(ctx, all, expr_mul(ctx, e, s->t));
    }
    check_function(s, all, "all functions", true);
}

TEST(series_of_every_function_solve_the_equation)
{
    run_scene(check_functions);
}

static void check_arithmetic(scene *s)
{
    ah_ctx *ctx = s->ctx;
    const ah_expr x = s->x, y = s->y, m = s->m, t = s->t;
    const ah_expr e[] = {
        expr_pow(ctx, x, expr_rational(ctx, 3, 10)),
        expr_pow(ctx, expr_add(ctx, x, y), m),
        expr_pow(ctx, x, y),
        expr_pow(ctx, m, expr_mul(ctx, x, t)),
        expr_powi(ctx, expr_add(ctx, x, m), -3),
        expr_div(ctx, expr_sub(ctx, x, t), expr_add(ctx, m, expr_mul(ctx, y, x))),
        expr_pow(ctx, expr_add(ctx, expr_mul(ctx, x, x), y), expr_rational(ctx, -3, 2)),
        expr_sub(ctx, m, expr_mul(ctx, m, x)),
        t,
        m,
    };
    ah_expr all = expr_int(ctx, 0);
    for (size_t i = 0; i < sizeof e / sizeof *e; i++) {
        char name[40];
        snprintf(name, sizeof name, "formula %zu", i);
        check_function(s, e[i], name, false);
        all = expr_add(ctx, all, expr_mul(ctx, e[i], y));
    }
    check_function(s, expr_mul(ctx, all, expr_rational(ctx, 1, 8)), "all formulas", true);
}

TEST(series_of_powers_and_quotients)
{
    run_scene(check_arithmetic);
}

/* Beside x y of y' = x y/2 + t, which is one. */
static void check_products(scene *s, ah_expr f, size_t wanted, const char *name)
{
    const char *why = NULL;
    const jets *j = jets_create(s->ctx, &s->ctx->job, program_of(s, f), &why);
    size_t products = 0, others = 0;
    REQUIRE(j != NULL);
    jets_count(j, &products, &others);
    if (products != 1 + wanted) printf("# %s: %zu\n", name, products - 1);
    CHECK(products == 1 + wanted);
    check_function(s, f, name, true);
}

static void check_few_products(scene *s)
{
    ah_ctx *ctx = s->ctx;
    const ah_expr x = s->x, y = s->y, m = s->m, t = s->t;
    const ah_expr sin_y = expr_call1(ctx, AH_SIN, y), cos_y = expr_call1(ctx, AH_COS, y);
    const ah_expr twice = expr_mul(ctx, expr_int(ctx, 2), y), xm = expr_add(ctx, x, m);
    const ah_expr common = expr_add(ctx, expr_mul(ctx, x, sin_y), expr_mul(ctx, x, cos_y));
    const ah_expr squares =
        expr_add(ctx, expr_mul(ctx, m, expr_mul(ctx, sin_y, sin_y)), expr_mul(ctx, cos_y, cos_y));
    const ah_expr over = expr_div(ctx, expr_sub(ctx, expr_mul(ctx, xm, cos_y), sin_y), cos_y);
    const ah_expr shared =
        expr_add(ctx, expr_div(ctx, y, xm), expr_call1(ctx, AH_SIN, expr_div(ctx, x, xm)));
    const ah_expr angles = expr_add(ctx, expr_add(ctx, sin_y, cos_y),
                                    expr_mul(ctx, m, expr_call1(ctx, AH_SIN, twice)));
    const ah_expr driven =
        expr_call1(ctx, AH_SIN, expr_sub(ctx, m, expr_div(ctx, t, expr_int(ctx, 3))));
    check_products(s, common, 3, "a common factor");
    check_products(s, squares, 3, "squares of sine and cosine");
    check_products(s, over, 3, "a sum over a factor of its term");
    check_products(s, shared, 4, "quotients of one denominator");
    check_products(s, angles, 3, "the sine of a doubled angle");
    check_products(s, driven, 0, "a sine of the time");
    check_products(s, expr_mul(ctx, expr_call1(ctx, AH_EXP, t), x), 1,
                   "an exponential of the time");
}

TEST(jets_have_few_products)
{
    run_scene(check_few_products);
}

static void check_refusals(scene *s)
{
    const char *why = NULL;
    const program *p = program_of(s, expr_call1(s->ctx, AH_ABS, s->x));
    REQUIRE(p != NULL);
    CHECK(jets_create(s->ctx, &s->ctx->job, p, &why) == NULL);
    CHECK(why && strstr(why, "not analytic"));
}

TEST(what_is_not_analytic_is_refused)
{
    run_scene(check_refusals);
}

/* A guard holds at the start of the step or there is no jet. */
static void check_guards(scene *s)
{
    recipe r = {.ctx = s->ctx, .arena = &s->ctx->job};
    const ah_expr input[] = {s->t, s->x, s->y}, output[] = {s->y, s->x};
    const program_spec spec = {
        .inputs = 3, .input = input, .outputs = N, .output = output, .recipe = &r};
    LIST_PUSH(r.arena, &r.guards, ((recipe_guard){s->x, s->y, 0.5}));
    const char *why = NULL;
    const program *p = program_create(s->ctx, &s->ctx->job, &spec);
    const jets *j = jets_create(s->ctx, &s->ctx->job, p, &why);
    REQUIRE(j != NULL);
    double good[4 * N] = {0.6, 1}, bad[4 * N] = {0.4, 1};
    CHECK(jets_run(j, 0, 3, good));
    CHECK(!jets_run(j, 0, 3, bad));
    CHECK_NEAR(good[3 * N], 1.0 / 6, 1, 1, "x''' / 3! = y / 6");
}

TEST(jets_have_guards)
{
    run_scene(check_guards);
}
