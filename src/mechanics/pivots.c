/* mechanics/pivots.c - which velocities a local chart takes as dependent.
 *
 * A choice that is merely possible may be a bad one: a bicycle's two wheels turn almost alike. So J
 * is eliminated with complete pivoting at random admissible states, its columns measured in the
 * metric of M, and the columns chosen most often become the dependent ones; those that are best at the model's start
 * before all others. */
#include "mechanics.h"

#include <math.h>
#include <string.h>

enum { PIVOT_STATES = 9, PIVOT_LARGEST = 200 };

/* Eliminates `A` (rows × cols) in place; counts the pivot columns in `votes`, earlier ones for
 * more. */
static void eliminate_completely(double *A, uint32_t rows, uint32_t cols, uint32_t rank, bool *used,
                                 double *votes)
{
    memset(used, 0, cols * sizeof *used);
    for (uint32_t k = 0; k < rank; k++) {
        uint32_t row = k, col = 0;
        double largest = 0;
        for (uint32_t i = k; i < rows; i++)
            for (uint32_t j = 0; j < cols; j++)
                if (!used[j] && fabs(A[(size_t) i * cols + j]) > largest) {
                    largest = fabs(A[(size_t) i * cols + j]);
                    row = i;
                    col = j;
                }
        if (largest == 0) return;
        used[col] = true;
        votes[col] += 1;
        for (uint32_t j = 0; j < cols; j++) {
            const double swap = A[(size_t) k * cols + j];
            A[(size_t) k * cols + j] = A[(size_t) row * cols + j];
            A[(size_t) row * cols + j] = swap;
        }
        for (uint32_t i = k + 1; i < rows; i++) {
            const double factor = A[(size_t) i * cols + col] / A[(size_t) k * cols + col];
            for (uint32_t j = 0; j < cols; j++)
                A[(size_t) i * cols + j] -= factor * A[(size_t) k * cols + j];
        }
    }
}

/* J with rows scaled to one and columns by 1/√M_jj, dense. */
static void scaled_rows(const probe_matrix *J, const double *mass, double *A)
{
    const mat shape = J->shape;
    memset(A, 0, (size_t) shape.rows * shape.cols * sizeof *A);
    for (uint32_t i = 0; i < shape.rows; i++) {
        double norm = 0;
        for (uint32_t e = shape.start[i]; e < shape.start[i + 1]; e++) {
            const double m = mass[shape.col[e]];
            const double x = J->value[e] / (m > 0 && isfinite(m) ? sqrt(m) : 1);
            A[(size_t) i * shape.cols + shape.col[e]] = x;
            norm = hypot(norm, x);
        }
        for (uint32_t j = 0; norm > 0 && j < shape.cols; j++)
            A[(size_t) i * shape.cols + j] /= norm;
    }
}

static mat diagonal(mechanics *k)
{
    ah_expr *d = NEW_ARRAY(k->arena, ah_expr, k->n);
    for (uint32_t i = 0; i < k->n; i++) d[i] = mat_get(k->ctx, mechanics_mass(k), i, i);
    return mat_from_dense(k->ctx, k->arena, k->n, 1, d);
}

/* The sum over states of "chosen"; false when no state could be had. */
static bool collect_votes(mechanics *k, double *votes)
{
    ah_model *m = k->model;
    arena *a = &k->ctx->scratch;
    probe_matrix J = probe_matrix_create(m, a, k->J), M = probe_matrix_create(m, a, diagonal(k));
    probe *random = probe_create(m, a);
    probe_rng rng = probe_seed(1);
    frame *values = probe_values(m, a);
    double *A = NEW_ARRAY(a, double, (size_t) k->r * k->n), *mass = NEW_ARRAY(a, double, k->n);
    bool *used = NEW_ARRAY(a, bool, k->n);
    const probe_wish at_start = {.reach = PROBE_START};
    uint32_t good = 0;
    for (int i = 0; i <= PIVOT_STATES; i++) {
        const bool start = i == PIVOT_STATES; /* where the motion begins has the majority */
        if (start && !m->start.count) break;
        if (start ? !probe_wished(random, &rng, &at_start, values)
                  : !probe_admissible(random, &rng, values))
            break;
        if (!probe_matrix_run(&J, values) || !probe_matrix_run(&M, values)) continue;
        for (uint32_t j = 0; j < k->n; j++)
            mass[j] = M.shape.start[j] < M.shape.start[j + 1] ? M.value[M.shape.start[j]] : 0;
        scaled_rows(&J, mass, A);
        eliminate_completely(A, k->r, k->n, k->rank, used, votes);
        for (uint32_t j = 0; start && j < k->n; j++) votes[j] += used[j] ? PIVOT_STATES : 0;
        good++;
    }
    return good > 0;
}

/* Takes columns by their votes as long as they stay independent (generically). */
bool mechanics_pivots(mechanics *k, bool *dependent)
{
    if (k->n > PIVOT_LARGEST || !k->rank) return false;
    const arena_mark mark = arena_get_mark(&k->ctx->scratch);
    double *votes = NEW_ARRAY(&k->ctx->scratch, double, k->n);
    uint32_t *order = NEW_ARRAY(k->arena, uint32_t, k->n),
             *rows = NEW_ARRAY(k->arena, uint32_t, k->n);
    bool found = collect_votes(k, votes);
    for (uint32_t i = 0; i < k->n;
         i++) { /* most votes first, ties in the order of the coordinates */
        uint32_t j = i;
        for (; j > 0 && votes[order[j - 1]] < votes[i]; j--) order[j] = order[j - 1];
        order[j] = i;
    }
    arena_release(&k->ctx->scratch, mark);
    if (!found) return false;
    const mat Jt =
        mat_rows(k->ctx, k->arena, mat_transpose(k->ctx, k->arena, k->J_rows), order, k->n);
    const int rank = algebra_rank(k->alg, Jt, rows, NULL);
    for (int i = 0; i < rank; i++) dependent[order[rows[i]]] = true;
    return rank > 0 && (uint32_t) rank == k->rank;
}
