/* bench_expr.c - what building, differentiating and evaluating expressions costs. */
#include "base/base.h"
#include "expr/expr.h"
#include "expr/mat.h"
#include <math.h>
#include <stdio.h>
#include <time.h>

/* Processor time: other programs on the machine do not count. */
static double cpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

static uint64_t state = 1;

static uint32_t next(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t) (state >> 33) % below;
}

enum { SYMBOLS = 100 };

/* A graph of about `nodes` nodes: random sums, products and functions of what there is already,
 * most of it recent, each value kept near 1. Returns a root that reaches nearly all of it. */
static ah_expr random_graph(ah_ctx *ctx, size_t nodes, ah_expr *symbols)
{
    LIST(ah_expr) list = {0};
    for (int i = 0; i < SYMBOLS; i++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", i);
        symbols[i] = expr_symbol(ctx, AH_COORDINATE, name);
        LIST_PUSH(&ctx->job, &list, symbols[i]);
    }
    while (expr_pool_size(ctx) < nodes) {
        uint32_t n = (uint32_t) list.count, window = n < 500 ? n : 500;
        ah_expr a = list.at[n - 1 - next(window)], b = list.at[n - 1 - next(window)];
        ah_expr e = next(4) ? expr_call1(ctx, next(2) ? AH_SIN : AH_COS, expr_mul(ctx, a, b))
                            : expr_call1(ctx, AH_ATAN, expr_add(ctx, a, b));
        LIST_PUSH(&ctx->job, &list, e);
    }
    return expr_sum(ctx, list.count, list.at);
}

static void bench_graph(ah_ctx *ctx, void *arg)
{
    double *best = arg;
    ah_expr symbols[SYMBOLS], gradient[SYMBOLS];
    double start = cpu_clock();
    ah_expr e = random_graph(ctx, 100000, symbols);
    double built = cpu_clock();
    expr_gradient(ctx, e, SYMBOLS, symbols, gradient);
    double done = cpu_clock();
    expr_plan *plan = expr_plan_create(ctx, &ctx->job, gradient, SYMBOLS);
    double out[SYMBOLS];
    frame *values = frame_create(ctx, &ctx->job, 0);
    for (int i = 0; i < SYMBOLS; i++) frame_set(values, symbols[i], 0.5 + 0.001 * i);
    double planned = cpu_clock();
    for (int i = 0; i < 10; i++) expr_plan_run(plan, values, out);
    const double times[] = {built - start, done - built, planned - done,
                            (cpu_clock() - planned) / 10};
    for (int i = 0; i < 4; i++) best[i] = fmin(best[i], times[i]);
    best[4] = (double) expr_reachable(ctx, &ctx->job, &e, 1).count;
    best[5] = (double) expr_reachable(ctx, &ctx->job, gradient, SYMBOLS).count;
}

static void report_graph(void)
{
    double best[6] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, 0, 0};
    for (int i = 0; i < 5; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        state = 1;
        if (ctx_guard(ctx, bench_graph, best) != AH_OK) printf("failed\n");
        ah_ctx_destroy(ctx);
    }
    static const char *const what[] = {"build a graph", "its gradient by 100 symbols",
                                       "plan of the gradient", "evaluation of the gradient"};
    for (int i = 0; i < 4; i++) {
        double nodes = best[i < 2 ? 4 : 5];
        printf("%-28s %8.0f nodes %9.2f ms %7.0f ns a node\n", what[i], nodes, 1e3 * best[i],
               1e9 * best[i] / nodes);
    }
}

static void bench_sum(ah_ctx *ctx, void *arg)
{
    (void) arg;
    enum { TERMS = 300000 };
    ah_expr *terms = NEW_ARRAY(&ctx->job, ah_expr, TERMS);
    ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x");
    for (int i = 0; i < TERMS; i++)
        terms[i] = expr_mul(ctx, expr_int(ctx, 1 + (long) next(1000)),
                            expr_powi(ctx, x, 1 + (long) next(100000)));
    double start = cpu_clock();
    ah_expr e = expr_sum(ctx, TERMS, terms);
    double time = cpu_clock() - start;
    printf("sum, like terms collected    %8d terms %9.2f ms %7.0f ns a term (%zu stay)\n", TERMS,
           1e3 * time, 1e9 * time / TERMS, expr_get_count(ctx, e));
}

/* ---- Chains ---------------------------------------------------------------------------------- */

/* n point masses in the plane, each joined to the one before by a rod:
 *     T = Σ ½ m (x_i'² + y_i'²),   C_i = (x_i - x_{i-1})² + (y_i - y_{i-1})² - l².
 * Its mass matrix is the Hessian of T by the velocities, its constraint Jacobian ∂C/∂q. */
typedef struct chain {
    size_t n;
    ah_expr *q, *v, T;
    mat C;
} chain;

static ah_expr square(ah_ctx *ctx, ah_expr e)
{
    return expr_powi(ctx, e, 2);
}

static chain make_chain(ah_ctx *ctx, size_t n)
{
    chain c = {
        n, NEW_ARRAY(&ctx->job, ah_expr, 2 * n), NEW_ARRAY(&ctx->job, ah_expr, 2 * n), 0, {0}};
    ah_expr *terms = NEW_ARRAY(&ctx->job, ah_expr, n), *rods = NEW_ARRAY(&ctx->job, ah_expr, n);
    ah_expr m = expr_symbol(ctx, AH_PARAMETER, "m"), l = expr_symbol(ctx, AH_PARAMETER, "l");
    ah_expr half_m = expr_mul(ctx, expr_rational(ctx, 1, 2), m), x0 = expr_int(ctx, 0), y0 = x0;
    for (size_t i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "x[%zu]", i + 1);
        ah_expr x = c.q[2 * i] = expr_symbol(ctx, AH_COORDINATE, name);
        name[0] = 'y';
        ah_expr y = c.q[2 * i + 1] = expr_symbol(ctx, AH_COORDINATE, name);
        c.v[2 * i] = expr_dot(ctx, x);
        c.v[2 * i + 1] = expr_dot(ctx, y);
        terms[i] = expr_mul(ctx, half_m,
                            expr_add(ctx, square(ctx, c.v[2 * i]), square(ctx, c.v[2 * i + 1])));
        ah_expr d2 =
            expr_add(ctx, square(ctx, expr_sub(ctx, x, x0)), square(ctx, expr_sub(ctx, y, y0)));
        rods[i] = expr_sub(ctx, d2, square(ctx, l));
        x0 = x, y0 = y;
    }
    c.T = expr_sum(ctx, n, terms);
    c.C = mat_from_dense(ctx, &ctx->job, (uint32_t) n, 1, rods);
    return c;
}

typedef struct timing {
    double build, mass, jacobian;
    size_t bytes;
} timing;

static timing time_chain(ah_ctx *ctx, size_t n)
{
    double t0 = cpu_clock();
    chain c = make_chain(ctx, n);
    double t1 = cpu_clock();
    mat M = mat_hessian(ctx, &ctx->job, c.T, 2 * n, c.v);
    double t2 = cpu_clock();
    mat J = mat_jacobian(ctx, &ctx->job, c.C, 2 * n, c.q);
    double t3 = cpu_clock();
    if (mat_entries(M) != 2 * n || mat_entries(J) != 4 * n - 2) printf("wrong pattern\n");
    return (timing){t1 - t0, t2 - t1, t3 - t2, ctx->bytes};
}

typedef struct chain_job {
    size_t n;
    timing best;
} chain_job;

static void chain_body(ah_ctx *ctx, void *arg)
{
    chain_job *job = arg;
    job->best = time_chain(ctx, job->n);
}

static double total(timing t)
{
    return t.build + t.mass + t.jacobian;
}

/* Of several runs the fastest, each in a fresh context. */
static timing best_chain(size_t n)
{
    timing best = {HUGE_VAL, 0, 0, 0};
    for (int i = 0; i < 5; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        chain_job job = {.n = n};
        if (ctx_guard(ctx, chain_body, &job) == AH_OK && total(job.best) < total(best))
            best = job.best;
        ah_ctx_destroy(ctx);
    }
    return best;
}

static void bench_chains(void)
{
    static const size_t sizes[] = {1000, 3000, 10000};
    timing t[3];
    printf("\nchain of n bodies       model    mass matrix   constraint Jacobian      memory\n");
    for (int i = 0; i < 3; i++) {
        t[i] = best_chain(sizes[i]);
        printf("n = %6zu        %8.2f ms    %8.2f ms           %8.2f ms  %7.1f MB\n", sizes[i],
               1e3 * t[i].build, 1e3 * t[i].mass, 1e3 * t[i].jacobian, 1e-6 * (double) t[i].bytes);
    }
    printf("slope from 1000 to 10000, log-log (1 is linear): time %.2f, memory %.2f\n",
           log10(total(t[2]) / total(t[0])), log10((double) t[2].bytes / (double) t[0].bytes));
}

int main(void)
{
    report_graph();
    ah_ctx *ctx = ah_ctx_create(NULL);
    if (ctx_guard(ctx, bench_sum, NULL) != AH_OK) printf("failed\n");
    ah_ctx_destroy(ctx);
    bench_chains();
    return 0;
}
