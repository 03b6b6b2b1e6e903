/* bench_chain.c - one evaluation of the accelerations of a chain of n trailers: particles at
 * distance 1 from each other, a blade on each, in Cartesian coordinates (3 n of them, 2 n − 1
 * constraints). */
#include "compile/sparse.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static double cpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

typedef struct chain {
    ah_ctx *ctx;
    uint32_t bodies;
    ah_expr *q, *v;
    mat M, J, L, gamma;
    double microseconds; /* of one evaluation */
} chain;

static void make_symbols(chain *c)
{
    c->q = NEW_ARRAY(&c->ctx->job, ah_expr, 3 * c->bodies);
    c->v = NEW_ARRAY(&c->ctx->job, ah_expr, 3 * c->bodies);
    for (uint32_t i = 0; i < 3 * c->bodies; i++) {
        char name[20];
        snprintf(name, sizeof name, "q%u", i);
        c->q[i] = expr_symbol(c->ctx, AH_COORDINATE, name);
        c->v[i] = expr_dot(c->ctx, c->q[i]);
    }
}

/* Blades y' cos θ = x' sin θ and rods (x − x₀)(x' − x₀') + (y − y₀)(y' − y₀') = 0. */
static mat velocity_constraints(chain *c)
{
    ah_ctx *ctx = c->ctx;
    LIST(ah_expr) C = {0};
    for (uint32_t i = 0; i < c->bodies; i++) {
        const ah_expr *q = c->q + 3 * i, *v = c->v + 3 * i;
        LIST_PUSH(&ctx->job, &C,
                  expr_sub(ctx, expr_mul(ctx, v[1], expr_call1(ctx, AH_COS, q[2])),
                           expr_mul(ctx, v[0], expr_call1(ctx, AH_SIN, q[2]))));
        if (i == 0) continue;
        const ah_expr dx = expr_sub(ctx, q[0], q[-3]), dy = expr_sub(ctx, q[1], q[-2]);
        LIST_PUSH(&ctx->job, &C,
                  expr_add(ctx, expr_mul(ctx, dx, expr_sub(ctx, v[0], v[-3])),
                           expr_mul(ctx, dy, expr_sub(ctx, v[1], v[-2]))));
    }
    return mat_from_dense(ctx, &ctx->job, (uint32_t) C.count, 1, C.at);
}

static void make_chain(chain *c)
{
    ah_ctx *ctx = c->ctx;
    arena *a = &ctx->job;
    const uint32_t n = 3 * c->bodies;
    make_symbols(c);
    const mat C = velocity_constraints(c);
    mat_entry *mass = NEW_ARRAY(a, mat_entry, n), *force = NEW_ARRAY(a, mat_entry, n);
    for (uint32_t i = 0; i < n; i++) {
        mass[i] = (mat_entry){i, i, expr_rational(ctx, i % 3 == 2 ? 1 : 13, 10)};
        force[i] = (mat_entry){i, 0, expr_neg(ctx, c->v[i])}; /* friction */
    }
    c->M = mat_from_entries(ctx, a, n, n, mass, n);
    c->L = mat_from_entries(ctx, a, n, 1, force, n);
    c->J = mat_jacobian(ctx, a, C, n, c->v);
    c->gamma =
        mat_mul(ctx, a, mat_jacobian(ctx, a, C, n, c->q), mat_from_dense(ctx, a, n, 1, c->v));
}

/* Along a gentle bend, moving forward. */
static double *bend(chain *c)
{
    double *values = NEW_ARRAY(&c->ctx->job, double, expr_slots(c->ctx)), x = 0, y = 0;
    for (uint32_t i = 0; i < c->bodies; i++) {
        const double angle = 0.3 * sin(0.1 * i), state[] = {x, y, angle + 0.1};
        const double speed[] = {cos(angle + 0.1), sin(angle + 0.1), 0.05 * cos(0.2 * i)};
        for (int k = 0; k < 3; k++) {
            values[expr_slot(c->ctx, c->q[3 * i + (uint32_t) k])] = state[k];
            values[expr_slot(c->ctx, c->v[3 * i + (uint32_t) k])] = speed[k];
        }
        x -= cos(angle);
        y -= sin(angle);
    }
    return values;
}

static void measure(ah_ctx *ctx, void *arg)
{
    chain *c = arg;
    c->ctx = ctx;
    make_chain(c);
    sparse *s = sparse_create(ctx, &ctx->job, c->M, c->J, c->L, c->gamma);
    if (!s) return;
    const double *values = bend(c);
    double *out = NEW_ARRAY(&ctx->job, double, 5 * c->bodies), best = INFINITY;
    const uint32_t count = 200000 / c->bodies + 1;
    for (int round = 0; round < 5; round++) {
        const double begin = cpu_clock();
        for (uint32_t i = 0; i < count; i++)
            if (sparse_run(s, values, out) <= 0) return;
        best = fmin(best, (cpu_clock() - begin) / count);
    }
    c->microseconds = 1e6 * best;
}

int main(void)
{
    double first = 0;
    puts("accelerations of a chain of n trailers, sparse KKT system by KLU");
    for (uint32_t n = 10; n <= 10000; n *= 10) {
        chain c = {.bodies = n};
        ah_ctx *ctx = ah_ctx_create(NULL);
        if (ctx_guard(ctx, measure, &c) != AH_OK) puts(ah_diagnostics_text(ctx, false));
        ah_ctx_destroy(ctx);
        if (c.microseconds <= 0) return puts("not to be had") < 0;
        if (n == 10) first = c.microseconds;
        printf("n = %5u: %9.1f us, %.2f us a body", n, c.microseconds, c.microseconds / n);
        if (n > 10) printf(", slope %.2f", log(c.microseconds / first) / log(n / 10.0));
        puts("");
    }
    return 0;
}
