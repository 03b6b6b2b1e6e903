/* tests/t_second_class.c - constraints that are not linear in the accelerations: Hamel's examples
 * and others, against the reference, closed forms, and the definition itself. */
#include "harness.h"
#include "lang/lang.h"
#include "json_read.h"

#include "state/point.h"
#include "state/second_class.h"
#include "numeric/linear.h"

#include <anholo/lang.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench bench;
struct bench {
    const char *name;
    const char *at; /* the state */
    ah_ctx *ctx;
    ah_model *model;
    point point;
    second_class_answer answer;
    const json_tree *reference;
    void (*body)(bench *b);
};

static void call_body(ah_ctx *ctx, void *arg)
{
    bench *b = arg;
    (void) ctx;
    b->body(b);
}

static void run_bench(bench *b, const char *content)
{
    b->ctx = ah_ctx_create(NULL);
    const bool good =
        lang_read(b->ctx, b->name, content, strlen(content), NULL, &b->model) == AH_OK &&
        ctx_guard(b->ctx, call_body, b) == AH_OK;
    if (!good) printf("# %s\n", ah_diagnostics_text(b->ctx, false));
    CHECK(good);
    ah_ctx_destroy(b->ctx);
}

/* The state named in b->at, all coordinates and velocities given. */
static bool solve(bench *b)
{
    const char *why = NULL;
    derive_mechanics(b->model);
    if (!CHECK(point_create(b->model, &b->ctx->job, &b->point))) return false;
    if (!CHECK(point_read(&b->point, b->at))) return false;
    return second_class_solve(b->model, b->point.values, &b->ctx->job, &b->answer, &why);
}

static double eval(bench *b, ah_expr e, const double *a)
{
    for (uint32_t i = 0; i < b->model->n; i++) point_set(&b->point, b->model->a.at[i], a[i]);
    return point_eval(&b->point, e);
}

/* M a = L + Σ λ ∂c/∂a and c = 0, evaluated from the expressions themselves. */
static void check_definition(bench *b)
{
    mechanics *k = derive_mechanics(b->model);
    const uint32_t n = k->n;
    for (size_t s = 0; s < b->answer.count; s++) {
        const second_class_branch *x = &b->answer.branch[s];
        double size = 1e-3;
        for (uint32_t i = 0; i < n; i++) size = fmax(size, fabs(x->qddot[i]));
        for (uint32_t i = 0; i < n; i++) {
            double sum = -eval(b, mat_get(b->ctx, k->L, i, 0), x->qddot), terms = fabs(sum) + 1e-3;
            for (uint32_t j = 0; j < n; j++) {
                const double part =
                    eval(b, mat_get(b->ctx, mechanics_mass(k), i, j), x->qddot) * x->qddot[j];
                sum += part;
                terms += fabs(part);
            }
            for (uint32_t c = 0; c < k->r; c++) {
                const ah_expr slope = mat_get(b->ctx, k->J, c, i);
                const double part = eval(b, slope, x->qddot) * x->multipliers[c];
                sum -= part;
                terms += fabs(part);
            }
            CHECK_NEAR(sum, 0, terms, 1e6, b->name);
        }
        for (uint32_t c = 0; c < k->r; c++)
            if (b->model->constraints.at[c].order == MODEL_ACCELERATION)
                CHECK_NEAR(eval(b, b->model->constraints.at[c].c, x->qddot), 0,
                           size * size * size + size, 1e6, b->name);
    }
}

static const char *kind_or(const bench *b, size_t i)
{
    return i < b->answer.count ? b->answer.branch[i].kind : "none";
}

static bool has(const bench *b, const double *a, double tolerance)
{
    for (size_t s = 0; s < b->answer.count; s++) {
        double worst = 0, size = 1;
        for (uint32_t i = 0; i < b->model->n; i++) {
            worst = fmax(worst, fabs(b->answer.branch[s].qddot[i] - a[i]));
            size = fmax(size, fabs(a[i]));
        }
        if (worst <= tolerance * size) return true;
    }
    return false;
}

/* ---- The reference --------------------------------------------------------------------------- */

static void compare_reference(bench *b)
{
    const json_tree *want = json_tree_get(b->reference, "stationary_solutions");
    REQUIRE(solve(b));
    CHECK_INT(b->answer.count, json_tree_count(want));
    for (size_t i = 0; i < json_tree_count(want); i++) {
        const json_tree *w = json_tree_at(want, i), *acc = json_tree_get(w, "qddot");
        double a[3];
        for (size_t k = 0; k < 3; k++) a[k] = json_tree_number(json_tree_at(acc, k));
        CHECK(has(b, a, 1e-13));
        for (size_t s = 0; s < b->answer.count; s++) {
            const second_class_branch *x = &b->answer.branch[s];
            if (fabs(x->qddot[0] - a[0]) > 1e-9 || fabs(x->qddot[1] - a[1]) > 1e-9) continue;
            const double lambda =
                json_tree_number(json_tree_at(json_tree_get(w, "multipliers"), 0));
            CHECK_NEAR(x->multipliers[0], lambda, 1, 1000, "multiplier");
            CHECK_NEAR(2 * x->gauss, json_tree_number(json_tree_get(w, "gauss_constraint")), 1,
                       10000, "Gauss' function");
            CHECK_STR(x->kind, json_tree_get(w, "kind")->text);
        }
    }
    CHECK(b->answer.unique ==
          (json_tree_number(json_tree_get(b->reference, "number_of_global_minima")) == 1));
    CHECK(b->answer.complete);
    check_definition(b);
}

TEST(reference)
{
    static const char *const names[] = {"generic", "k_1", "k_10", "k_1_2", "k_5_2", "k_m3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        const char *folder = harness_source_dir();
        snprintf(path, sizeof path, "%s/tests/reference/second_class_252_%s.json", folder,
                 names[i]);
        json_tree *reference = json_tree_read(path);
        snprintf(path, sizeof path, "%s/tests/reference/second_class_252_%s.ah", folder, names[i]);
        char *content = harness_read_file(path, NULL);
        if (CHECK(content && reference)) {
            bench b = {.name = names[i],
                       .at = "x1=0.1,x2=0.2,x3=0.3,x1'=0,x2'=1,x3'=0",
                       .reference = reference,
                       .body = compare_reference};
            run_bench(&b, content);
        }
        free(content);
        json_tree_free(reference);
    }
}

/* ---- Graphs z'' = f(x'', y''): critical points of a function of two variables ---------------
 *
 * Another route: z'' put into Gauss' function leaves g(x, y) = ½ m1 (x − X)² + ½ m2 (y − Y)²
 * + ½ m3 (f − Z)² without constraint; its critical points are found by Newton's method from a fine
 * grid, their kinds from its Hessian by differences of the gradient. */

typedef struct graph {
    double m[3], A[3]; /* masses, free accelerations */
    double (*f)(double x, double y);
    double box;
} graph;

static void gradient(const graph *g, double x, double y, double *out)
{
    const double h = 1e-6 * (1 + fabs(x) + fabs(y)), e = g->f(x, y) - g->A[2];
    const double fx = (g->f(x + h, y) - g->f(x - h, y)) / (2 * h);
    const double fy = (g->f(x, y + h) - g->f(x, y - h)) / (2 * h);
    out[0] = g->m[0] * (x - g->A[0]) + g->m[2] * e * fx;
    out[1] = g->m[1] * (y - g->A[1]) + g->m[2] * e * fy;
}

static void hessian(const graph *g, double x, double y, double *out)
{
    const double h = 1e-4 * (1 + fabs(x) + fabs(y));
    double xp[2], xm[2], yp[2], ym[2];
    gradient(g, x + h, y, xp);
    gradient(g, x - h, y, xm);
    gradient(g, x, y + h, yp);
    gradient(g, x, y - h, ym);
    out[0] = (xp[0] - xm[0]) / (2 * h);
    out[1] = (xp[1] - xm[1] + yp[0] - ym[0]) / (4 * h);
    out[2] = (yp[1] - ym[1]) / (2 * h);
}

static bool critical_point(const graph *g, double *x, double *y)
{
    double F[2] = {1, 1}, H[3];
    for (int i = 0; i < 60; i++) {
        gradient(g, *x, *y, F);
        hessian(g, *x, *y, H);
        const double det = H[0] * H[2] - H[1] * H[1];
        const double dx = (H[2] * F[0] - H[1] * F[1]) / det;
        const double dy = (H[0] * F[1] - H[1] * F[0]) / det;
        if (!isfinite(dx) || !isfinite(dy)) return false;
        *x -= dx;
        *y -= dy;
        if (hypot(dx, dy) < 1e-9 * (1 + hypot(*x, *y))) return hypot(*x, *y) < 4 * g->box;
    }
    return false;
}

enum { MOST = 40 };

static size_t critical_points(const graph *g, double (*found)[2])
{
    size_t count = 0;
    const int steps = 60;
    for (int i = 0; i <= steps; i++)
        for (int j = 0; j <= steps; j++) {
            double x = g->box * (2.0 * i / steps - 1), y = g->box * (2.0 * j / steps - 1);
            bool known = !critical_point(g, &x, &y);
            for (size_t k = 0; !known && k < count; k++)
                known = hypot(x - found[k][0], y - found[k][1]) < 1e-4;
            if (known || count == MOST) continue;
            found[count][0] = x;
            found[count++][1] = y;
        }
    return count;
}

static const char *kind_by_hessian(const graph *g, const double *x)
{
    double H[3];
    hessian(g, x[0], x[1], H);
    const double det = H[0] * H[2] - H[1] * H[1];
    return det < 0 ? "saddle" : H[0] > 0 ? "minimum" : "maximum";
}

static const graph *current;

static void compare_graph(bench *b)
{
    const graph *g = current;
    double found[MOST][2];
    const size_t count = critical_points(g, found);
    REQUIRE(solve(b));
    CHECK_INT(b->answer.count, count);
    for (size_t k = 0; k < count; k++) {
        const double a[3] = {found[k][0], found[k][1], g->f(found[k][0], found[k][1])};
        CHECK(has(b, a, 1e-5));
        for (size_t s = 0; s < b->answer.count; s++) {
            const double *x = b->answer.branch[s].qddot;
            if (hypot(x[0] - a[0], x[1] - a[1]) < 1e-4)
                CHECK_STR(b->answer.branch[s].kind, kind_by_hessian(g, found[k]));
        }
    }
    check_definition(b);
}

static void check_graph(const char *name, const char *content, const char *at, graph g)
{
    bench b = {.name = name, .at = at, .body = compare_graph};
    current = &g;
    run_bench(&b, content);
}

static double cubic(double x, double y)
{
    return x * x * y - 0.5 * y;
}

static double quartic(double x, double y)
{
    return x * x * x + y * y * y * y - 1.2 * x * y;
}

static double moving(double x, double y) /* at x = 0.5, x' = 2, t = 3 */
{
    return 1.25 * x * y - 6 + 0.3 * x * x;
}

TEST(graphs)
{
    const char *at = "t=3,x=0.5,y=0.1,z=0,x'=2,y'=0,z'=0";
    check_graph("cubic",
                "coordinate x, y, z\nkinetic x'^2/2 + y'^2 + 3/2*z'^2\n"
                "force x = 0.7\nforce y = 2.4\nforce z = 6\n"
                "constraint z'' = x''^2*y'' - y''/2\n",
                at, (graph){{1, 2, 3}, {0.7, 1.2, 2}, cubic, 4});
    check_graph("quartic",
                "coordinate x, y, z\nkinetic x'^2/2 + y'^2 + 3/2*z'^2\n"
                "force x = 0.7\nforce y = 2.4\nforce z = 6\n"
                "constraint z'' = x''^3 + y''^4 - 1.2*x''*y''\n",
                at, (graph){{1, 2, 3}, {0.7, 1.2, 2}, quartic, 4});
    check_graph("coefficients of the state",
                "coordinate x, y, z\nkinetic (1 + x^2)*x'^2/2 + y'^2 + 3/2*z'^2\n"
                "force x = 0.7 + x'^2*x\nforce y = 2.4\nforce z = 6\n"
                "constraint c: z'' = (1 + x^2)*x''*y'' - x'*t + t/10*x''^2\n",
                at, (graph){{1.25, 2, 3}, {0.56, 1.2, 2}, moving, 10});
}

static double wave(double x, double y)
{
    return sin(x) + exp(y / 2);
}

static void compare_searched(bench *b)
{
    compare_graph(b);
    CHECK(!b->answer.complete);
}

/* Not polynomial: searched, and the answer says so. */
TEST(searched)
{
    graph g = {{1, 2, 3}, {0.7, 1.2, 2}, wave, 4};
    bench b = {.name = "wave", .at = "x=0,y=0,z=0,x'=0,y'=0,z'=0", .body = compare_searched};
    current = &g;
    run_bench(&b, "coordinate x, y, z\nkinetic x'^2/2 + y'^2 + 3/2*z'^2\n"
                  "force x = 0.7\nforce y = 2.4\nforce z = 6\n"
                  "constraint z'' = sin(x'') + exp(y''/2)\n");
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

static void two_pairs(bench *b)
{
    REQUIRE(solve(b));
    CHECK_INT(b->answer.count, 9);
    CHECK(!b->answer.unique);
    CHECK(b->answer.complete);
    const double s = sqrt(1.5), u = sqrt(2); /* K = 5/2 and -3 */
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            const double a[6] = {i * s, i * s, i ? 1.5 : 0, j * u, -j * u, j ? -2 : 0};
            CHECK(has(b, a, 1e-13));
        }
    for (size_t i = 0; i < 9; i++) CHECK_STR(kind_or(b, i), i < 4 ? "minimum" : "saddle");
    check_definition(b);
}

TEST(two_pairs)
{
    bench b = {.name = "two pairs",
               .at = "x1=0,x2=0,x3=0,y1=0,y2=0,y3=0,x1'=0,x2'=0,x3'=0,y1'=0,"
                     "y2'=0,y3'=0",
               .body = two_pairs};
    run_bench(&b, "coordinate x1, x2, x3, y1, y2, y3\n"
                  "kinetic (x1'^2 + x2'^2 + x3'^2 + y1'^2 + y2'^2 + y3'^2)/2\n"
                  "force x3 = 5/2\nforce y3 = -3\n"
                  "constraint x3'' = x1''*x2''\nconstraint y3'' = y1''*y2''\n");
}

/* A fourth point tied to the first by a rod of no length moves as a greater mass; twice the same
 * linear constraint shares the multiplier. */
static void tied(bench *b)
{
    REQUIRE(solve(b));
    CHECK_INT(b->answer.count, 3);
    const double K = 4, m = 3; /* of x1 and x4 together: x2² = (K − √m)/√m … */
    const double z = K - sqrt(m), y = sqrt(z * sqrt(m)), x = z / y;
    const double a[4] = {x, y, z, x}, mirrored[4] = {-x, -y, z, -x};
    CHECK(has(b, a, 1e-13));
    CHECK(has(b, mirrored, 1e-13));
    for (size_t s = 0; s < 3; s++)
        CHECK_NEAR(b->answer.branch[s].multipliers[1], 2 * b->answer.branch[s].multipliers[2] / 4,
                   1, 1000, "least norm: proportional to the rows 1 and 2");
    check_definition(b);
}

TEST(linear_constraints_beside)
{
    bench b = {.name = "tied", .at = "x1=1,x2=0,x3=0,x4=1,x1'=2,x2'=0,x3'=0,x4'=2", .body = tied};
    run_bench(&b, "coordinate x1, x2, x3, x4\n"
                  "kinetic (x1'^2 + x2'^2 + x3'^2)/2 + x4'^2\n"
                  "force x3 = 4\n"
                  "constraint c: x3'' = x1''*x2''\n"
                  "constraint rod: x4 = x1\n"
                  "constraint again: 2*x4' = 2*x1'\n");
}

/* Three times the free acceleration is exactly degenerate in rationals, not in doubles. */
static void exactly_degenerate(bench *b)
{
    REQUIRE(solve(b));
    CHECK_INT(b->answer.count, 1);
    CHECK_STR(kind_or(b, 0), "degenerate");
    CHECK(b->answer.unique);
}

TEST(exactly_degenerate)
{
    bench b = {
        .name = "degenerate", .at = "x=0,y=0,z=0,x'=0,y'=0,z'=0", .body = exactly_degenerate};
    run_bench(&b, "parameter m = 0.1, k = 3\ncoordinate x, y, z\n"
                  "kinetic 3/200*(x'^2 + y'^2 + z'^2)\nforce z = 3*m^2*k\n"
                  "constraint z'' = x''*y''/3\n");
}

/* z''/x'' = y'': the saddle at x'' = 0 is none any more. */
static void quotient_constraint(bench *b)
{
    REQUIRE(solve(b));
    CHECK_INT(b->answer.count, 2);
    CHECK_STR(kind_or(b, 0), "minimum");
    CHECK(b->answer.complete && !b->answer.unique);
    check_definition(b);
}

TEST(quotient_constraint)
{
    bench b = {.name = "quotient", .at = "x=0,y=0,z=0,x'=0,y'=0,z'=0", .body = quotient_constraint};
    run_bench(&b, "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce z = 5/2\n"
                  "constraint z''/x'' = y''\n");
}

/* The cusp y² = x³ is nearest to (−1, 0) without being stationary. */
static void cusp(bench *b)
{
    REQUIRE(solve(b));
    CHECK_INT(b->answer.count, 1);
    CHECK_STR(kind_or(b, 0), "degenerate");
    CHECK_NEAR(b->answer.branch[0].gauss, 0.5, 1, 10, "half the square of the distance");
    CHECK(isnan(b->answer.branch[0].multipliers[0]));
}

TEST(cusp)
{
    bench b = {.name = "cusp", .at = "x=0,y=0,x'=0,y'=0", .body = cusp};
    run_bench(&b, "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -1\n"
                  "constraint y''^2 = x''^3\n");
}

/* On a circle the nearest and the farthest point. */
static void circle(bench *b)
{
    REQUIRE(solve(b));
    CHECK_INT(b->answer.count, 2);
    CHECK_STR(kind_or(b, 0), "minimum");
    CHECK_STR(kind_or(b, 1), "maximum");
    CHECK(b->answer.unique);
    CHECK_NEAR(b->answer.branch[0].qddot[0], 3 * 0.6, 1, 10, "towards (3, 4)");
    CHECK_NEAR(b->answer.branch[1].qddot[1], -3 * 0.8, 1, 10, "away from it");
    check_definition(b);
}

TEST(circle)
{
    bench b = {.name = "circle", .at = "x=0,y=0,x'=0,y'=0", .body = circle};
    run_bench(&b, "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 3\nforce y = 4\n"
                  "constraint x''^2 + y''^2 = 9\n");
}

static const char *expected_reason;

static void refused(bench *b)
{
    const char *why = NULL;
    derive_mechanics(b->model);
    REQUIRE(point_create(b->model, &b->ctx->job, &b->point));
    REQUIRE(point_read(&b->point, b->at));
    CHECK(!second_class_solve(b->model, b->point.values, &b->ctx->job, &b->answer, &why));
    CHECK(why && strstr(why, expected_reason));
    if (why && !strstr(why, expected_reason))
        printf("# expected \"%s\": %s\n", expected_reason, why);
}

TEST(no_answer)
{
    bench b = {.name = "empty", .at = "x=0,y=0,x'=0,y'=0", .body = refused};
    expected_reason = "no accelerations satisfy";
    run_bench(&b, "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\n"
                  "constraint x''^2 + y''^2 = -1\n");
    expected_reason = "derivatives of the constraints vanish";
    run_bench(&b, "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\n"
                  "constraint (x'' - y''^2)^2 = 0\n");
    expected_reason = "finite";
    run_bench(&b, "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1/x\n"
                  "constraint x''^2 + y''^2 = 1\n");
}
