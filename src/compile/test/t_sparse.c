/* compile/test/t_sparse.c - the sparse KKT system against dense arithmetic, on a chain of trailers.
 */
#include "harness.h"

#include "numeric/linear.h"
#include "expr/mat.h"
#include "numeric/sparse.h"

#include <math.h>
#include <stdio.h>

enum { BODIES = 6, COORDINATES = 3 * BODIES };

/* Particles (x, y) with a blade along theta each, at distance 1 from the one before:
 *     C = −x' sin θ + y' cos θ,      f = (x − x₀)² + (y − y₀)² − 1, differentiated. */
typedef struct chain {
    ah_ctx *ctx;
    ah_expr q[COORDINATES], v[COORDINATES];
    mat M, J, L, gamma;
} chain;

static void make_symbols(chain *c)
{
    for (int i = 0; i < COORDINATES; i++) {
        char name[20];
        snprintf(name, sizeof name, "q%d", i);
        c->q[i] = expr_symbol(c->ctx, AH_COORDINATE, name);
        c->v[i] = expr_dot(c->ctx, c->q[i]);
    }
}

/* The constraints at the level of velocities, two a body but for the first rod. */
static mat velocity_constraints(chain *c)
{
    ah_ctx *ctx = c->ctx;
    LIST(ah_expr) C = {0};
    for (int i = 0; i < BODIES; i++) {
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
    ah_expr L[COORDINATES];
    mat_entry mass[COORDINATES];
    make_symbols(c);
    const mat C = velocity_constraints(c);
    for (uint32_t i = 0; i < COORDINATES; i++) {
        mass[i] = (mat_entry){i, i, expr_rational(ctx, 3 + (long) i % 3, 2)};
        L[i] = expr_sub(ctx, expr_int(ctx, (long) i % 4), expr_mul(ctx, c->q[i], c->v[i]));
    }
    c->M = mat_from_entries(ctx, a, COORDINATES, COORDINATES, mass, COORDINATES);
    c->L = mat_from_dense(ctx, a, COORDINATES, 1, L);
    c->J = mat_jacobian(ctx, a, C, COORDINATES, c->v);
    c->gamma = mat_mul(ctx, a, mat_jacobian(ctx, a, C, COORDINATES, c->q),
                       mat_from_dense(ctx, a, COORDINATES, 1, c->v));
}

static void evaluate(chain *c, mat m, const frame *values, double *out)
{
    ah_ctx *ctx = c->ctx;
    expr_plan_run(
        expr_plan_create(ctx, &ctx->job, mat_to_dense(ctx, &ctx->job, m), (size_t) m.rows * m.cols),
        values, out);
}

/* Of M, then of J, as they are stored. */
static const double *entries_of(chain *c, const frame *values)
{
    arena *a = &c->ctx->job;
    const uint32_t of_M = mat_entries(c->M), of_J = mat_entries(c->J);
    double *out = NEW_ARRAY(a, double, of_M + of_J);
    expr_plan_run(expr_plan_create(c->ctx, a, c->M.val, of_M), values, out);
    expr_plan_run(expr_plan_create(c->ctx, a, c->J.val, of_J), values, out + of_M);
    return out;
}

static void right_side(chain *c, const frame *values, double *b)
{
    evaluate(c, c->L, values, b);
    evaluate(c, c->gamma, values, b + COORDINATES);
    for (uint32_t i = 0; i < c->J.rows; i++) b[COORDINATES + i] = -b[COORDINATES + i];
}

static void solve_densely(chain *c, const frame *values, double *x)
{
    const uint32_t n = COORDINATES, r = c->J.rows, size = n + r;
    double M[COORDINATES * COORDINATES], J[2 * BODIES * COORDINATES];
    double A[(5 * BODIES) * (5 * BODIES)] = {0}, b[5 * BODIES];
    evaluate(c, c->M, values, M);
    evaluate(c, c->J, values, J);
    right_side(c, values, b);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) A[i * size + j] = M[i * n + j];
    for (uint32_t i = 0; i < r; i++) {
        for (uint32_t j = 0; j < n; j++) {
            A[(n + i) * size + j] = J[i * n + j];
            A[j * size + n + i] = -J[i * n + j];
        }
    }
    CHECK(linear_solve(&c->ctx->scratch, size, 1, A, b, x) > 1e-8);
}

static void compare(ah_ctx *ctx, void *arg)
{
    chain c = {.ctx = ctx};
    (void) arg;
    make_chain(&c);
    sparse *s = sparse_create_kkt(ctx, &ctx->job, mat_pattern(c.M), mat_pattern(c.J), false);
    if (!s) SKIP("built without KLU");
    frame *values = frame_create(ctx, &ctx->job, NAN);
    double got[5 * BODIES], want[5 * BODIES], b[5 * BODIES];
    for (int state = 0; state < 20; state++) {
        for (int i = 0; i < COORDINATES; i++) {
            frame_set(values, c.q[i], harness_uniform(-2, 2));
            frame_set(values, c.v[i], harness_uniform(-2, 2));
        }
        right_side(&c, values, b);
        CHECK(sparse_factor(s, entries_of(&c, values), NULL) > 0);
        CHECK(sparse_solve(s, b, got));
        solve_densely(&c, values, want);
        double size = 0;
        for (uint32_t i = 0; i < COORDINATES; i++) size = fmax(size, fabs(want[i]));
        for (uint32_t i = 0; i < COORDINATES + c.J.rows; i++)
            CHECK_NEAR(got[i], want[i], fmax(size, fabs(want[i])), 1e5, "KLU against LAPACK");
    }
}

TEST(sparse_systems_agree_with_dense_ones)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK(ctx_guard(ctx, compare, NULL) == AH_OK);
    ah_ctx_destroy(ctx);
}
