/* flow/linear_zeros.c - transmission zeros: the finite s at which [A − s, B; C, D] has less rank than elsewhere.
 *
 * The reduction of Emami-Naeini and Van Dooren: rows of D are compressed by an orthogonal matrix; outputs that
 * are left without D must vanish, so the states they see are zero, and what would change those becomes new
 * outputs. When D has full row rank, the same is done with the transposed system; then D is square and regular,
 * and the zeros are the eigenvalues of A − B D⁻¹ C. */
#include "linear_model.h"

#include <math.h>
#include <string.h>

typedef struct quadruple {
    arena *arena;
    uint32_t n, m, p; /* states, inputs, outputs */
    double *A, *B, *C, *D;
    double size; /* what ranks are judged by */
} quadruple;

static double *make(const quadruple *q, uint32_t rows, uint32_t cols)
{
    return NEW_ARRAY(q->arena, double, (size_t) rows *cols + 1);
}

/* XᵀY: X is k × rows, Y is k × cols. */
static double *product(const quadruple *q, uint32_t k, uint32_t rows, uint32_t cols,
                       const double *X, const double *Y)
{
    double *out = make(q, rows, cols);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < cols; j++)
            for (uint32_t l = 0; l < k; l++)
                out[(size_t) i * cols + j] += X[(size_t) l * rows + i] * Y[(size_t) l * cols + j];
    return out;
}

static double *transpose(const quadruple *q, uint32_t rows, uint32_t cols, const double *X)
{
    double *out = make(q, cols, rows);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < cols; j++) out[(size_t) j * rows + i] = X[(size_t) i * cols + j];
    return out;
}

/* The rank of X, with the left (or right) singular vectors as columns. */
static uint32_t rank_of(const quadruple *q, uint32_t rows, uint32_t cols, const double *X,
                        double **U, double **V)
{
    const uint32_t least = rows < cols ? rows : cols;
    double *sigma = NEW_ARRAY(q->arena, double, least + 1);
    uint32_t rank = 0;
    if (U) *U = make(q, rows, rows);
    if (V) *V = make(q, cols, cols);
    if (!least) {
        for (uint32_t i = 0; U && i < rows; i++) (*U)[(size_t) i * rows + i] = 1;
        for (uint32_t i = 0; V && i < cols; i++) (*V)[(size_t) i * cols + i] = 1;
        return 0;
    }
    if (!linear_singular(q->arena, rows, cols, X, sigma, U ? *U : NULL, V ? *V : NULL)) return 0;
    while (rank < least && sigma[rank] > LINEAR_RANK * q->size) rank++;
    return rank;
}

/* One turn; false: D has full row rank, or there are no outputs that say more. */
static bool reduce_once(quadruple *q)
{
    double *U, *V;
    const uint32_t n = q->n, sigma = rank_of(q, q->p, q->m, q->D, &U, NULL), tau = q->p - sigma;
    if (!tau) return false;
    const double *C = product(q, q->p, q->p, n, U, q->C),
                 *D = product(q, q->p, q->p, q->m, U, q->D);
    const uint32_t rho = rank_of(q, tau, n, C + (size_t) sigma * n, NULL, &V), mu = n - rho;
    /* Singular vectors of C2 first: rotated to the end. */
    double *W = make(q, n, n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            W[(size_t) i * n + (j < rho ? mu + j : j - rho)] = V[(size_t) i * n + j];
    const double *AW = product(q, n, n, n, transpose(q, n, n, q->A), W); /* A W */
    const double *A = product(q, n, n, n, W, AW), *B = product(q, n, n, q->m, W, q->B);
    const double *CW = product(q, n, q->p, n, transpose(q, q->p, n, C), W);
    quadruple next = {.arena = q->arena, .n = mu, .m = q->m, .p = sigma + rho, .size = q->size};
    next.A = make(q, mu, mu);
    next.B = make(q, mu, q->m);
    next.C = make(q, next.p, mu);
    next.D = make(q, next.p, q->m);
    for (uint32_t i = 0; i < mu; i++) {
        memcpy(next.A + (size_t) i * mu, A + (size_t) i * n, mu * sizeof *A);
        memcpy(next.B + (size_t) i * q->m, B + (size_t) i * q->m, q->m * sizeof *B);
    }
    for (uint32_t i = 0; i < sigma; i++) {
        memcpy(next.C + (size_t) i * mu, CW + (size_t) i * n, mu * sizeof *CW);
        memcpy(next.D + (size_t) i * q->m, D + (size_t) i * q->m, q->m * sizeof *D);
    }
    for (uint32_t i = 0; i < rho; i++) {
        memcpy(next.C + (size_t) (sigma + i) * mu, A + (size_t) (mu + i) * n, mu * sizeof *A);
        memcpy(next.D + (size_t) (sigma + i) * q->m, B + (size_t) (mu + i) * q->m,
               q->m * sizeof *B);
    }
    *q = next;
    return rho > 0;
}

static quadruple dual_of(const quadruple *q)
{
    return (quadruple){.arena = q->arena,
                       .n = q->n,
                       .m = q->p,
                       .p = q->m,
                       .size = q->size,
                       .A = transpose(q, q->n, q->n, q->A),
                       .B = transpose(q, q->p, q->n, q->C),
                       .C = transpose(q, q->n, q->m, q->B),
                       .D = transpose(q, q->p, q->m, q->D)};
}

static double largest(const double *x, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* A − B D⁻¹ C of a square regular D; false: it is none. */
static bool close_loop(quadruple *q)
{
    double *X = make(q, q->p, q->n);
    if (q->p != q->m) return false;
    if (!q->p) return true;
    if (!(linear_solve(q->arena, q->p, q->n, q->D, q->C, X) > 0)) return false;
    for (uint32_t i = 0; i < q->n; i++)
        for (uint32_t j = 0; j < q->n; j++)
            for (uint32_t k = 0; k < q->m; k++)
                q->A[(size_t) i * q->n + j] -=
                    q->B[(size_t) i * q->m + k] * X[(size_t) k * q->n + j];
    return true;
}

spectrum linear_zeros(arena *a, arena *scratch, const linear_model *l)
{
    spectrum out = {0};
    const arena_mark mark = arena_get_mark(scratch);
    quadruple q = {.arena = scratch, .n = l->states, .m = l->inputs, .p = l->outputs};
    q.A = make(&q, q.n, q.n);
    q.B = make(&q, q.n, q.m);
    q.C = make(&q, q.p, q.n);
    q.D = make(&q, q.p, q.m);
    memcpy(q.A, l->A, (size_t) q.n * q.n * sizeof *q.A);
    memcpy(q.B, l->B, (size_t) q.n * q.m * sizeof *q.B);
    memcpy(q.C, l->C, (size_t) q.p * q.n * sizeof *q.C);
    memcpy(q.D, l->D, (size_t) q.p * q.m * sizeof *q.D);
    q.size = fmax(fmax(largest(q.A, (size_t) q.n * q.n), largest(q.B, (size_t) q.n * q.m)),
                  fmax(largest(q.C, (size_t) q.p * q.n), largest(q.D, (size_t) q.p * q.m)));
    if (q.m && q.p) {
        while (reduce_once(&q)) continue;
        q = dual_of(&q);
        while (reduce_once(&q)) continue;
        if (q.n && close_loop(&q)) spectrum_of(a, scratch, q.n, q.A, NULL, NULL, &out);
    }
    arena_release(scratch, mark);
    return out;
}
