/* mechanics/mechanics.c - the common ground of all formalisms: docs/formalisms/common.md.
 *
 *     M a = K − k + Jᵀλ,      M = ∂²T/∂v²,  p = ∂T/∂v,  K = F − ∂V/∂q,
 *     k = (∂p/∂q) v + ∂p/∂t − ∂T/∂q,      L = K − k  (so that M a = L is the free motion)
 *
 * T is any T(q, v, t). Every constraint, brought to the accelerations, reads J a + γ = 0: a
 * holonomic one after two derivatives, one on velocities after one, one on accelerations as it
 * stands. */
#include "mechanics.h"

#include <stdlib.h>
#include <string.h>

static mat column(mechanics *k, const expr_list *list)
{
    return mat_from_dense(k->ctx, k->arena, (uint32_t) list->count, 1, list->at);
}

static mat column_of(mechanics *k, uint32_t rows, const ah_expr *entries)
{
    return mat_from_dense(k->ctx, k->arena, rows, 1, entries);
}

/* Forward through the graph, with the accelerations zero: what is the rate of one thing stands once, where a
 * Jacobian times v would write the products of each of its rows out. */
mat mechanics_along(mechanics *k, mat w)
{
    ah_expr *zero = NEW_ARRAY(k->arena, ah_expr, k->n + 1);
    for (uint32_t i = 0; i < k->n; i++) zero[i] = expr_int(k->ctx, 0);
    return mat_subst(k->ctx, k->arena, mat_dt(k->ctx, k->arena, w), k->n, k->model->a.at, zero);
}

struct mass {
    bool made;
    mat M;
};

mat mechanics_mass(const mechanics *k)
{
    if (!k->mass->made) k->mass->M = mat_jacobian(k->ctx, k->arena, k->p, k->n, k->model->v.at);
    k->mass->made = true;
    return k->mass->M;
}

static void energies(mechanics *k)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    const ah_model *m = k->model;
    const ah_expr *q = m->q.at, *v = m->v.at;

    k->T = m->T;
    k->V = m->V;
    k->Lagrangian = expr_sub(ctx, k->T, k->V);
    k->p = mat_gradient(ctx, a, k->T, k->n, v);
    k->mass = NEW(a, struct mass);
    k->tree = model_tree_of(k->model);
    k->T_q = mat_gradient(ctx, a, k->T, k->n, q);
    k->pdot0 = mechanics_along(k, k->p);
    k->F = column_of(k, k->n, m->F);
    k->K = mat_sub(ctx, a, k->F, mat_gradient(ctx, a, k->V, k->n, q));
    k->k = mat_sub(ctx, a, k->pdot0, k->T_q);
    k->L = mat_sub(ctx, a, k->K, k->k);
}

/* The constraint differentiated until it speaks of accelerations, and once less. */
static void constraint_levels(mechanics *k, const model_constraint *c, ah_expr *velocity,
                              ah_expr *acceleration)
{
    ah_ctx *ctx = k->ctx;
    switch (c->order) {
    case MODEL_HOLONOMIC:
        *velocity = expr_dt(ctx, c->c);
        *acceleration = expr_dt(ctx, *velocity);
        k->holonomic = true;
        break;
    case MODEL_VELOCITY:
        *velocity = c->c;
        *acceleration = expr_dt(ctx, c->c);
        k->velocity_constraints = true;
        if (!c->linear) k->linear = false;
        break;
    case MODEL_ACCELERATION:
        *velocity = expr_int(ctx, 0);
        *acceleration = c->c;
        k->second_class = true;
        if (!c->linear) k->second_class_nonlinear = true;
        break;
    }
}

static int ascending(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *) x, b = *(const uint32_t *) y;
    return (a > b) - (a < b);
}

/* Of a model whose rank at general states is that of all states nothing more is asked. */
static void find_rank(mechanics *k)
{
    k->rank = k->r == 0 ? 0 : (uint32_t) algebra_rank(k->alg, k->J, NULL, NULL);
    k->J_rows = k->J;
    k->firm = true;
    if (k->rank <= k->model->rank || k->second_class_nonlinear) return;
    const uint32_t enough = k->model->on.count ? k->model->rank : k->rank;
    const arena_mark mark = arena_get_mark(&k->ctx->scratch);
    uint32_t *rows = NEW_ARRAY(k->arena, uint32_t, k->r);
    const uint32_t rank =
        model_rank_on_set(k->model, &k->ctx->scratch, k->J, enough, rows, &k->firm);
    arena_release(&k->ctx->scratch, mark);
    if (rank == k->rank) return;
    qsort(rows, rank, sizeof *rows, ascending);
    k->rank = rank;
    k->rows = rows;
    k->J_rows = mat_rows(k->ctx, k->arena, k->J, rows, rank);
}

static void constraints(mechanics *k)
{
    ah_ctx *ctx = k->ctx;
    const ah_model *m = k->model;
    k->r = (uint32_t) m->constraints.count;
    k->linear = true;
    ah_expr *C = NEW_ARRAY(k->arena, ah_expr, k->r), *A = NEW_ARRAY(k->arena, ah_expr, k->r);
    for (uint32_t i = 0; i < k->r; i++) constraint_levels(k, &m->constraints.at[i], &C[i], &A[i]);

    k->C = column_of(k, k->r, C);
    const mat at_level = column_of(k, k->r, A);
    k->J = mat_jacobian(ctx, k->arena, at_level, k->n, m->a.at);
    ah_expr *zero = NEW_ARRAY(k->arena, ah_expr, k->n);
    for (uint32_t i = 0; i < k->n; i++) zero[i] = expr_int(ctx, 0);
    k->gamma = mat_subst(ctx, k->arena, at_level, k->n, m->a.at, zero);
    find_rank(k);
}

static bool put_sizes(ah_model *m, frame *size, const expr_list *of)
{
    bool ordinary = true;
    for (size_t i = 0; i < of->count; i++) {
        const double own = model_size(m, of->at[i]);
        frame_set(size, of->at[i], own);
        ordinary = ordinary && own == 1;
    }
    return ordinary;
}

static void find_sizes(mechanics *k)
{
    ah_model *m = k->model;
    frame *size = frame_create(k->ctx, k->arena, 1);
    double *unit = NEW_ARRAY(k->arena, double, k->n);
    const bool places = put_sizes(m, size, &m->q), speeds = put_sizes(m, size, &m->v);
    for (uint32_t i = 0; i < k->n; i++) unit[i] = frame_get(size, m->v.at[i]);
    if (!places || !speeds) k->size = size;
    if (!speeds) k->unit = unit;
}

void mechanics_sizes(const mechanics *k, sheet *s)
{
    s->unit = k->unit;
    s->units = k->n;
    s->size = k->size;
}

const uint32_t *mechanics_independent_rows(mechanics *k)
{
    uint32_t *rows = NEW_ARRAY(k->arena, uint32_t, k->r + 1),
             *out = NEW_ARRAY(k->arena, uint32_t, k->r + 1);
    bool *used = NEW_ARRAY(k->arena, bool, k->r + 1);
    uint32_t count = 0;
    if (k->rows) return k->rows;
    algebra_rank(k->alg, k->J, rows, NULL);
    for (uint32_t i = 0; i < k->rank; i++) used[rows[i]] = true;
    for (uint32_t i = 0; i < k->r; i++)
        if (used[i]) out[count++] = i;
    return out;
}

mechanics *mechanics_of(ah_model *m)
{
    static const char key;
    mechanics *k = *model_kept(m, &key);
    if (k) return k;
    k = NEW(&m->ctx->job, mechanics);
    k->ctx = m->ctx;
    k->model = m;
    k->alg = m->alg;
    k->arena = &m->ctx->job;
    k->n = m->n;
    k->t = expr_time(m->ctx);
    k->q = column(k, &m->q);
    k->v = column(k, &m->v);
    k->a = column(k, &m->a);
    energies(k);
    constraints(k);
    find_sizes(k);
    mechanics_chart(k);
    return *model_kept(m, &key) = k;
}
