/* sheet/sparse_balls.c - elimination in balls, zeros left out.
 *
 * Arb encloses solutions by an approximate inverse, which is full: n³ for a chain whose matrix has a few entries a
 * row. Elimination in an order of few neighbours costs what the fill costs and is as rigorous; what its balls lose in
 * sharpness is seen in the result. Pivots are those on the diagonal: first of rows that have one (masses), then of those that get one by
 * elimination (constraints), as in numeric/symmetric.h. */
#include "sparse_balls.h"

#include "../numeric/numeric.h"

#include <string.h>

/* Rows that are neighbours: an entry in one of the two places. */
typedef struct net {
    slong n;
    bool *joined;           /* n × n */
    uint32_t **near;        /* of each row, eliminated ones too */
    uint32_t *count, *left; /* neighbours, and those that are left */
    bool *gone, *late;      /* late: without a diagonal of its own */
    uint32_t *order;
} net;

static void join(net *g, slong i, slong j)
{
    if (i == j || g->joined[i * g->n + j]) return;
    g->joined[i * g->n + j] = g->joined[j * g->n + i] = true;
    g->near[i][g->count[i]++] = (uint32_t) j;
    g->near[j][g->count[j]++] = (uint32_t) i;
    g->left[i]++;
    g->left[j]++;
}

static void net_clear(net *g)
{
    for (slong i = 0; g->near && i < g->n; i++) flint_free(g->near[i]);
    flint_free(g->joined);
    flint_free(g->near);
    flint_free(g->count);
    flint_free(g->left);
    flint_free(g->gone);
    flint_free(g->late);
    flint_free(g->order);
}

static void net_init(net *g, const arb_mat_t A)
{
    const size_t n = (size_t) arb_mat_nrows(A);
    g->n = arb_mat_nrows(A);
    g->joined = flint_calloc(n * n, sizeof *g->joined);
    g->near = flint_calloc(n, sizeof *g->near);
    g->count = flint_calloc(n, sizeof *g->count);
    g->left = flint_calloc(n, sizeof *g->left);
    g->gone = flint_calloc(n, sizeof *g->gone);
    g->late = flint_calloc(n, sizeof *g->late);
    g->order = flint_calloc(n, sizeof *g->order);
    for (slong i = 0; i < g->n; i++) g->near[i] = flint_calloc(n, sizeof **g->near);
    for (slong i = 0; i < g->n; i++) {
        g->late[i] = arb_is_zero(arb_mat_entry(A, i, i));
        for (slong j = 0; j < g->n; j++)
            if (!arb_is_zero(arb_mat_entry(A, i, j))) join(g, i, j);
    }
}

static slong next_pivot(const net *g, bool late)
{
    slong best = -1;
    for (slong i = 0; i < g->n; i++)
        if (!g->gone[i] && g->late[i] == late && (best < 0 || g->left[i] < g->left[best])) best = i;
    return best;
}

/* Row i −= W_ip / W_pp · row p, for all neighbours i of p that are left. */
static void take_out(net *g, arb_mat_t W, arb_mat_t X, slong p, slong bits)
{
    arb_t factor;
    arb_init(factor);
    g->gone[p] = true;
    for (uint32_t k = 0; k < g->count[p]; k++) {
        const slong i = g->near[p][k];
        if (g->gone[i]) continue;
        g->left[i]--;
        if (arb_is_zero(arb_mat_entry(W, i, p))) continue;
        arb_div(factor, arb_mat_entry(W, i, p), arb_mat_entry(W, p, p), bits);
        for (uint32_t l = 0; l < g->count[p]; l++) {
            const slong j = g->near[p][l];
            if (g->gone[j]) continue;
            arb_submul(arb_mat_entry(W, i, j), factor, arb_mat_entry(W, p, j), bits);
            join(g, i, j);
        }
        for (slong c = 0; c < arb_mat_ncols(X); c++)
            arb_submul(arb_mat_entry(X, i, c), factor, arb_mat_entry(X, p, c), bits);
    }
    arb_clear(factor);
}

static void put_back(net *g, const arb_mat_t W, arb_mat_t X, slong bits)
{
    for (slong k = g->n; k-- > 0;) {
        const slong p = g->order[k];
        g->gone[p] = false; /* its value is known */
        for (slong c = 0; c < arb_mat_ncols(X); c++) {
            for (uint32_t l = 0; l < g->count[p]; l++)
                if (!g->gone[g->near[p][l]])
                    arb_submul(arb_mat_entry(X, p, c), arb_mat_entry(W, p, g->near[p][l]),
                               arb_mat_entry(X, g->near[p][l], c), bits);
            arb_div(arb_mat_entry(X, p, c), arb_mat_entry(X, p, c), arb_mat_entry(W, p, p), bits);
        }
    }
}

static bool eliminate_all(net *g, arb_mat_t W, arb_mat_t X, slong bits)
{
    for (slong k = 0; k < g->n; k++) {
        slong p = next_pivot(g, false);
        if (p < 0) p = next_pivot(g, true);
        if (arb_contains_zero(arb_mat_entry(W, p, p))) return false;
        g->order[k] = (uint32_t) p;
        take_out(g, W, X, p, bits);
    }
    put_back(g, W, X, bits);
    return true;
}

/* The radii, beside the largest of all values. */
static bool is_sharp(const arb_mat_t X, slong bits)
{
    mag_t largest, radius;
    mag_init(largest);
    mag_init(radius);
    for (slong i = 0; i < arb_mat_nrows(X); i++)
        for (slong c = 0; c < arb_mat_ncols(X); c++) {
            mag_t size;
            mag_init(size);
            arb_get_mag(size, arb_mat_entry(X, i, c));
            mag_max(largest, largest, size);
            mag_max(radius, radius, arb_radref(arb_mat_entry(X, i, c)));
            mag_clear(size);
        }
    mag_mul_2exp_si(radius, radius, (slong) (SPARSE_BALLS_SHARE * (double) bits));
    const bool sharp = mag_cmp(radius, largest) <= 0;
    mag_clear(largest);
    mag_clear(radius);
    return sharp;
}

static bool is_sparse(const arb_mat_t A)
{
    size_t entries = 0;
    for (slong i = 0; i < arb_mat_nrows(A); i++)
        for (slong j = 0; j < arb_mat_ncols(A); j++)
            entries += !arb_is_zero(arb_mat_entry(A, i, j));
    return sparse_pays((uint32_t) arb_mat_nrows(A), entries);
}

bool sparse_balls_solve(const arb_mat_t A, const arb_mat_t B, arb_mat_t X, slong bits)
{
    if (!is_sparse(A)) return false;
    net g = {0};
    arb_mat_t W, Y;
    arb_mat_init(W, arb_mat_nrows(A), arb_mat_ncols(A));
    arb_mat_init(Y, arb_mat_nrows(B), arb_mat_ncols(B));
    arb_mat_set(W, A);
    arb_mat_set(Y, B);
    net_init(&g, A);
    const bool good = eliminate_all(&g, W, Y, bits) && is_sharp(Y, bits);
    if (good) arb_mat_swap(X, Y);
    net_clear(&g);
    arb_mat_clear(W);
    arb_mat_clear(Y);
    return good;
}
