/* tests/t_trailers.c - large systems: models/trailers.ah by sparse arithmetic, by dense arithmetic
 * and by an elimination along the chain written by hand; redundant constraints, singular states,
 * motions. */
#include "harness.h"
#include "lang/lang.h"
#include "json_read.h"
#include "trailers.h"

#include "state/eval.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The model with a few lines more. */
static char *model_with(const char *more)
{
    char path[500];
    snprintf(path, sizeof path, "%s/models/trailers.ah", harness_source_dir());
    char *model = harness_read_file(path, NULL);
    model = realloc(model, strlen(model) + strlen(more) + 1);
    return strcat(model, more);
}

typedef struct job {
    const char *method;
    eval_method prepared;
    point point;
    ah_model *model;
    double wiggle; /* how much the state differs from the start */
    void (*body)(struct job *j);
} job;

static void prepare(ah_ctx *ctx, void *arg)
{
    job *j = arg;
    j->prepared = eval_prepare(j->model, derive_find(j->method), NULL, &ctx->job);
    if (!point_create(j->model, &ctx->job, &j->point) || !point_start(&j->point)) return;
    for (uint32_t i = 2 * j->model->n / 3; i < j->model->n; i++) { /* headings */
        const ah_expr q = j->model->q.at[i];
        point_set(&j->point, q, point_get(&j->point, q) + j->wiggle * sin(1.7 * i));
    }
    CHECK(point_complete(&j->point, false));
    j->body(j);
}

static void with_model(const char *set, const char *more, job *j)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    char *model = model_with(more);
    CHECK(lang_read(ctx, "trailers.ah", model, strlen(model), set, &j->model) == AH_OK);
    if (j->model) CHECK(ctx_guard(ctx, prepare, j) == AH_OK);
    if (ah_diagnostic_count(ctx)) printf("# %s\n", ah_diagnostics_text(ctx, false));
    ah_ctx_destroy(ctx);
    free(model);
}

/* ---- Against the elimination by hand --------------------------------------------------------- */

static double parameter(const job *j, const char *name)
{
    for (size_t i = 0; i < j->model->parameters.count; i++) {
        const ah_expr s = j->model->parameters.at[i].symbol;
        if (strcmp(expr_get_name(j->model->ctx, s), name) == 0) return point_get(&j->point, s);
    }
    return NAN;
}

static trailers chain_of(job *j)
{
    const size_t n = j->model->n / 3;
    trailers c = {.n = n, .m = parameter(j, "m"), .I = parameter(j, "I"), .k = parameter(j, "k")};
    trailers_share(&c, NEW_ARRAY(j->point.arena, double, trailers_room(n)));
    double *place[] = {c.x, c.y, c.theta}, *speed[] = {c.vx, c.vy, c.w};
    for (size_t i = 0; i < 3 * n; i++) {
        place[i / n][i % n] = point_get(&j->point, j->model->q.at[i]);
        speed[i / n][i % n] = point_get(&j->point, j->model->v.at[i]);
    }
    return c;
}

/* Lengths grow along a chain of bad headings, and with them the condition. */
static const double ulps = 1e6;

static void compare_with_hand(job *j)
{
    trailers c = chain_of(j);
    const double *by_hand[] = {c.ax, c.ay, c.aw};
    trailers_accelerations(&c);
    const eval_result e = eval_at(&j->prepared, &j->point);
    REQUIRE(!e.refused);
    double size = 0;
    for (size_t i = 0; i < 3 * c.n; i++) size = fmax(size, fabs(e.qddot[i]));
    CHECK(size > 0.1);
    for (size_t i = 0; i < 3 * c.n; i++)
        CHECK_NEAR(e.qddot[i], by_hand[i / c.n][i % c.n], size, ulps, "by hand");
    for (size_t i = 0; e.multipliers && i < 2 * c.n - 1; i++)
        CHECK_NEAR(e.multipliers[i], i < c.n ? c.blade[i] : c.rod[i - c.n + 1], size, ulps, "λ");
}

TEST(chains_agree_with_elimination_by_hand)
{
    static const char *const sizes[] = {"n=2", "n=5", "n=9", "n=40", "n=400"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        job j = {.method = "multipliers", .wiggle = 0.2, .body = compare_with_hand};
        with_model(sizes[i], "", &j);
    }
}

/* `gauss` goes through a dense null space, `maggi` through a chart. */
TEST(sparse_and_dense_methods_agree)
{
    static const char *const methods[] = {"gauss", "maggi"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        job j = {.method = methods[i], .wiggle = 0.1, .body = compare_with_hand};
        with_model("n=20", "", &j);
    }
}

/* ---- Redundant constraints ------------------------------------------------------------------- */

/* The second rod once more, doubled: of λ + 2 λ' = μ the least is μ/5, 2 μ/5. */
static void share_multipliers(job *j)
{
    trailers c = chain_of(j);
    trailers_accelerations(&c);
    const eval_result e = eval_at(&j->prepared, &j->point);
    REQUIRE(!e.refused);
    CHECK(!e.multipliers_unique);
    const double mu = c.rod[1], size = fabs(mu);
    CHECK_NEAR(e.multipliers[c.n], mu / 5, size, ulps, "λ of the rod");
    CHECK_NEAR(e.multipliers[2 * c.n - 1], 2 * mu / 5, size, ulps, "λ of its double");
    for (size_t i = 0; i < c.n; i++) CHECK_NEAR(e.qddot[i], c.ax[i], 1, ulps, "x''");
}

TEST(redundant_constraints_share_their_multipliers)
{
    job j = {.method = "multipliers", .wiggle = 0.1, .body = share_multipliers};
    const char *again = "constraint again: 2*(x[2] - x[1])^2 + 2*(y[2] - y[1])^2 = 2*l^2\n";
    with_model("n=5", again, &j);
    with_model("n=50", again, &j);
}

static json_tree *simulate(const char *model, const char *set, double rtol, const char *to)
{
    const char *summary = NULL;
    ah_model *m = NULL;
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_simulate_options o = ah_simulate_defaults();
    o.to = to;
    o.rtol = o.atol = rtol;
    o.samples = 2;
    CHECK(lang_read(ctx, "trailers.ah", model, strlen(model), set, &m) == AH_OK);
    if (m) CHECK(ah_simulate(m, &o, AH_JSON, &summary) == AH_OK);
    json_tree *answer = summary ? json_tree_parse(summary) : NULL;
    ah_ctx_destroy(ctx);
    return answer;
}

/* ---- Singular states ------------------------------------------------------------------------- */

/* Two neighbours whose blades stand across their rod: the rod has no say in their velocities. */
static void refuse_crossed(job *j)
{
    const uint32_t n = j->model->n / 3;
    for (uint32_t i = 4; i < 6; i++) {
        const double across = -4.5 / n + 1.5707963267948966;
        point_set(&j->point, j->model->q.at[2 * n + i], across);
    }
    const eval_result e = eval_at(&j->prepared, &j->point);
    REQUIRE(e.refused != NULL);
    CHECK(e.singular);
    CHECK(strstr(e.refused, "the constraints lose rank") != NULL);
}

TEST(lost_rank_is_found)
{
    job j = {.method = "multipliers", .body = refuse_crossed};
    const char *again = "constraint again: 2*(x[2] - x[1])^2 + 2*(y[2] - y[1])^2 = 2*l^2\n";
    with_model("n=7", "", &j);
    with_model("n=60", "", &j);
    with_model("n=60", again, &j);
}

/* Whether a start is of lower rank is asked before every motion: without a matrix of all rows and columns, which takes
 * 150 MB here, and a search for components, which takes a second. */
static void ask_for_lower_rank(job *j)
{
    point there;
    ah_ctx *ctx = j->point.ctx;
    const size_t before = ctx->root->limits.memory;
    ctx->root->limits.memory = ctx->root->bytes + 10000000;
    const double began = base_work();
    CHECK(!point_lower(&j->point, &there));
    CHECK(base_work() - began < 0.1);
    ctx->root->limits.memory = before;
}

/* Before every motion, too: what is not a number. One plan for all that there is takes 7 MB, one for each 30. */
static void ask_for_undefined(job *j)
{
    ah_ctx *root = j->point.ctx->root;
    const size_t before = root->limits.memory;
    root->limits.memory = root->bytes + 15000000;
    CHECK(point_undefined(&j->point) == NULL);
    root->limits.memory = before;
    point_set(&j->point, j->model->q.at[5], NAN);
    const char *what = point_undefined(&j->point);
    CHECK(what && strstr(what, "is not a number"));
}

TEST(numbers_of_long_chains_are_looked_at_together)
{
    job j = {.method = "multipliers", .body = ask_for_undefined};
    with_model("n=1000", "", &j);
}

TEST(rows_of_long_chains_are_sparse)
{
    job j = {.method = "multipliers", .body = ask_for_lower_rank, .wiggle = 0.1};
    with_model("n=1000", "", &j);
}

/* Forces that cancel: the accelerations of held points are rounding errors, no contradiction. */
TEST(held_points_stay_where_they_are)
{
    static const char *const sizes[] = {"n=3", "n=70"};
    static const char held[] = "parameter n = 3, g = 9.81\n"
                               "coordinate x[1..n], y[1..n]\n"
                               "for i = 1 .. n:\n"
                               "    point P[i] mass 1.3 at (x[i], y[i])\n"
                               "    start x[i] = i, y[i] = 0\n"
                               "    constraint once[i]: 0.7*y[i]' = 0\n"
                               "    constraint again[i]: 2*y[i]' = 0\n"
                               "gravity (0.3, -g)\n";
    for (int i = 0; i < 2; i++) {
        json_tree *a = simulate(held, sizes[i], 1e-9, "1");
        REQUIRE(a != NULL);
        CHECK(json_tree_get(a, "stopped")->kind == JSON_NULL);
        const json_tree *q = json_tree_get(json_tree_get(a, "final"), "q");
        CHECK_NEAR(json_tree_number(json_tree_at(q, 1)), 2 + 0.15, 1, 1e3, "free fall sideways");
        json_tree_free(a);
    }
}

/* Full matrices of a method that is prepared and not run would take more than is allowed in all. */
static void prepare_parametric(ah_ctx *ctx, void *arg)
{
    const size_t before = ctx->root->bytes;
    const eval_method method = eval_prepare(arg, derive_find("parametric"), NULL, &ctx->job);
    CHECK(!method.refused && method.runner);
    CHECK(ctx->root->bytes - before < (size_t) 100 << 20);
}

static const char springs[] = "system \"s\"\nparameter n = 4000, k = 2\ncoordinate x[1..n]\n"
                              "for i = 1 .. n:\n    kinetic 1/2*x[i]'^2\n"
                              "for i = 2 .. n:\n    potential 1/2*k*(x[i] - x[i-1])^2\n";

/* The mass matrix in full takes 64 MB. */
TEST(kind_of_large_systems_takes_no_full_matrices)
{
    ah_ctx_options o = ah_ctx_defaults();
    o.limits.memory = (size_t) 48 << 20;
    ah_ctx *ctx = ah_ctx_create(&o);
    ah_model *m = NULL;
    ah_answer *answer = NULL;
    REQUIRE(lang_read(ctx, "springs.ah", springs, strlen(springs), "", &m) == AH_OK);
    CHECK(ah_check(m, &answer) == AH_OK);
    ah_ctx_destroy(ctx);
}

TEST(methods_that_are_not_run_take_no_full_matrices)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    REQUIRE(lang_read(ctx, "springs.ah", springs, strlen(springs), "", &m) == AH_OK);
    CHECK(ctx_guard(ctx, prepare_parametric, m) == AH_OK);
    ah_ctx_destroy(ctx);
}

/* ---- Motions --------------------------------------------------------------------------------- */

/* Steps are projected to the rods and blades by sparse systems too. */
TEST(energy_and_constraints_of_long_chains_are_kept)
{
    static const char *const sizes[] = {"n=12", "n=100", "n=500"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *model = model_with("");
        json_tree *a = simulate(model, sizes[i], 1e-11, "1");
        free(model);
        REQUIRE(a != NULL);
        const json_tree *energy = json_tree_get(a, "energy");
        const double start = json_tree_number(json_tree_get(energy, "start"));
        CHECK(json_tree_number(json_tree_get(energy, "max_change")) < 1e-10 * start);
        CHECK(json_tree_number(json_tree_get(a, "max_residual")) < 1e-12);
        CHECK(json_tree_get(a, "stopped")->kind == JSON_NULL);
        json_tree_free(a);
    }
}
