/* bench_algebra.c - what the normal form costs: reduction, inverses, factors, zero tests, rank. */
#include "algebra/algebra.h"
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

/* Processor time: other programs on the machine do not count. */
static double cpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

typedef struct bench {
    ah_ctx *ctx;
    algebra *alg;
} bench;

static ah_expr symbol(bench *b, ah_symbol_kind kind, const char *name, uint32_t i)
{
    return expr_symbol(b->ctx, kind, arena_printf(&b->ctx->job, "%s%u", name, i));
}

static ah_expr parameter(bench *b, const char *name)
{
    return expr_symbol(b->ctx, AH_PARAMETER, name);
}

static ah_expr trig(bench *b, ah_function f, const char *angle)
{
    return expr_call1(b->ctx, f, expr_symbol(b->ctx, AH_COORDINATE, angle));
}

static void report(const char *what, double seconds, size_t size)
{
    printf("%-58s %9.3f ms %8zu operations\n", what, 1e3 * seconds, size);
}

static size_t operations(bench *b, mat m)
{
    return expr_operations(b->ctx, m.val, mat_entries(m));
}

/* ---- The rolling disc: 6 coordinates, 3 of them free ----------------------------------------- */

static void rolling_disc(bench *b)
{
    ah_ctx *ctx = b->ctx;
    arena *a = &ctx->job;
    const ah_expr m = parameter(b, "m"), R = parameter(b, "R"), A = parameter(b, "A"),
                  C = parameter(b, "C");
    const ah_expr ch = trig(b, AH_COS, "heading"), sh = trig(b, AH_SIN, "heading");
    const ah_expr cl = trig(b, AH_COS, "lean"), sl = trig(b, AH_SIN, "lean");
    const ah_expr slsl = expr_powi(ctx, sl, 2), clcl = expr_powi(ctx, cl, 2);
    const ah_expr axial = expr_mul(ctx, C, sl), Rs = expr_mul(ctx, R, sl),
                  Rc = expr_mul(ctx, R, cl);
    const ah_expr heading = expr_add(ctx, expr_mul(ctx, A, clcl), expr_mul(ctx, C, slsl));
    const mat_entry mass[] = {{0, 0, m}, {1, 1, m}, {2, 2, m},     {3, 3, heading},
                              {4, 4, A}, {5, 5, C}, {3, 5, axial}, {5, 3, axial}};
    const mat M = mat_from_entries(ctx, a, 6, 6, mass, 8);
    const mat_entry rolling[] = {
        {0, 0, expr_mul(ctx, Rs, ch)}, {1, 0, expr_mul(ctx, Rs, sh)},
        {0, 1, expr_mul(ctx, Rc, sh)}, {1, 1, expr_neg(ctx, expr_mul(ctx, Rc, ch))},
        {2, 1, expr_neg(ctx, Rs)},     {0, 2, expr_mul(ctx, R, ch)},
        {1, 2, expr_mul(ctx, R, sh)},  {3, 0, expr_int(ctx, 1)},
        {4, 1, expr_int(ctx, 1)},      {5, 2, expr_int(ctx, 1)}};
    const mat S = mat_from_entries(ctx, a, 6, 3, rolling, 10);
    double start = cpu_clock();
    const mat G = algebra_mul(b->alg, mat_transpose(ctx, a, S), mat_mul(ctx, a, M, S));
    report("rolling disc: S'MS, 6x6 to 3x3", cpu_clock() - start, operations(b, G));
    mat inverse;
    bool singular;
    start = cpu_clock();
    if (algebra_inverse(b->alg, G, &inverse, &singular))
        report("rolling disc: inverse of it", cpu_clock() - start, operations(b, inverse));
}

/* ---- Chains of pendulums --------------------------------------------------------------------- */

/* M_ij = (Σ_{k ≥ max(i,j)} m_k) l_i l_j cos(q_i − q_j) */
static mat chain(bench *b, uint32_t n)
{
    ah_ctx *ctx = b->ctx;
    ah_expr *M = NEW_ARRAY(&ctx->job, ah_expr, n * n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            ah_expr mass = expr_int(ctx, 0);
            for (uint32_t k = i > j ? i : j; k < n; k++)
                mass = expr_add(ctx, mass, symbol(b, AH_PARAMETER, "m", k));
            const ah_expr angle =
                expr_sub(ctx, symbol(b, AH_COORDINATE, "q", i), symbol(b, AH_COORDINATE, "q", j));
            const ah_expr factors[] = {mass, symbol(b, AH_PARAMETER, "l", i),
                                       symbol(b, AH_PARAMETER, "l", j),
                                       expr_call1(ctx, AH_COS, angle)};
            M[i * n + j] = expr_product(ctx, 4, factors);
        }
    return mat_from_dense(ctx, &ctx->job, n, n, M);
}

static void chains(bench *b)
{
    for (uint32_t n = 2; n <= 6; n++) {
        const mat M = chain(b, n);
        mat inverse;
        ah_expr det;
        bool singular;
        char what[80];
        double start = cpu_clock();
        const bool done = algebra_det(b->alg, M, &det);
        snprintf(what, sizeof what, "chain %ux%u: determinant%s", n, n, done ? "" : " (gave up)");
        report(what, cpu_clock() - start, done ? expr_operations(b->ctx, &det, 1) : 0);
        start = cpu_clock();
        const bool inverted = algebra_inverse(b->alg, M, &inverse, &singular);
        snprintf(what, sizeof what, "chain %ux%u: inverse%s", n, n, inverted ? "" : " (gave up)");
        report(what, cpu_clock() - start, inverted ? operations(b, inverse) : 0);
        start = cpu_clock();
        const int rank = algebra_rank(b->alg, M, NULL, NULL);
        snprintf(what, sizeof what, "chain %ux%u: rank %d", n, n, rank);
        report(what, cpu_clock() - start, 0);
    }
}

static void factors(bench *b)
{
    ah_expr det;
    algebra_factors f;
    if (!algebra_det(b->alg, chain(b, 3), &det)) return;
    const double start = cpu_clock();
    algebra_factor(b->alg, det, &f);
    report("chain 3x3: factors of the determinant", cpu_clock() - start, f.count);
}

/* ---- The Laplace-Runge-Lenz vector ----------------------------------------------------------- */

static void runge_lenz(bench *b)
{
    ah_ctx *ctx = b->ctx;
    const ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x"),
                  y = expr_symbol(ctx, AH_COORDINATE, "y");
    const ah_expr vx = expr_dot(ctx, x), vy = expr_dot(ctx, y), k = parameter(b, "k");
    const ah_expr rr = expr_add(ctx, expr_powi(ctx, x, 2), expr_powi(ctx, y, 2));
    const ah_expr r = expr_call1(ctx, AH_SQRT, rr);
    const ah_expr L = expr_sub(ctx, expr_mul(ctx, x, vy), expr_mul(ctx, y, vx));
    const ah_expr vector =
        expr_sub(ctx, expr_mul(ctx, vy, L), expr_div(ctx, expr_mul(ctx, k, x), r));
    const ah_expr pull = expr_neg(ctx, expr_div(ctx, k, expr_powi(ctx, r, 3)));
    const ah_expr a[] = {expr_dot(ctx, vx), expr_dot(ctx, vy)};
    const ah_expr force[] = {expr_mul(ctx, pull, x), expr_mul(ctx, pull, y)};
    const ah_expr e = expr_subst(ctx, expr_dt(ctx, vector), 2, a, force);
    const double start = cpu_clock();
    const bool proved = algebra_zero(b->alg, e) == AH_TRUE;
    report(proved ? "Laplace-Runge-Lenz: constant, proved" : "Laplace-Runge-Lenz: NOT PROVED",
           cpu_clock() - start, expr_operations(ctx, &e, 1));
}

static void all(ah_ctx *ctx, void *arg)
{
    (void) arg;
    bench b = {ctx, algebra_create(ctx, NULL, 0)};
    rolling_disc(&b);
    chains(&b);
    factors(&b);
    runge_lenz(&b);
}

int main(void)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ah_status status = ctx ? ctx_guard(ctx, all, NULL) : AH_E_MEMORY;
    ah_ctx_destroy(ctx);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("memory %ld MB\n", usage.ru_maxrss / 1024);
    return status == AH_OK ? 0 : 1;
}
