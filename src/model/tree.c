/* model/tree.c - the inertia of a tree of bodies as a sparse system.
 *
 * A body b on p is moved by p and by its own coordinates (space axes, at the centres of mass, s its place in the axes of p):
 *
 *     v_b = v_p + ω_p × (R_p s) + R_p s',      ω_b = ω_p + R_p ω_own
 *
 * which are the rows w_b − X_b w_p − S_b q' = c_b; a part on nothing has its Jacobian for S. What drives no part of the
 * kinetic energy has no columns: bodies in a plane have three numbers each. For a chain of n bodies M has n² entries, all
 * this has some 20 n. */
#include "inside.h"

enum {
    TREE_ABOVE = 40, /* coordinates: fewer are an elimination that is written out */
    COMPONENTS = 6   /* v, ω */
};

typedef struct planting {
    ah_model *m;
    arena *arena;
    uint32_t *body;   /* of a part: 1 + its number in the tree; 0: it is not in it */
    uint32_t *parent; /* of a body */
    uint32_t bodies;
    mat *S;         /* of a body: COMPONENTS × n */
    ah_vector *arm; /* R_p s */
    bool used[COMPONENTS];
    uint32_t place[COMPONENTS], width; /* of those that are used */
    LIST(mat_entry) M;
    LIST(mat_entry) J;
} planting;

/* ---- Which bodies ---------------------------------------------------------------------------- */

static bool has_inertia(const ah_ctx *ctx, const model_part *p)
{
    bool any = !expr_is_zero(ctx, p->mass);
    for (int i = 0; i < 6; i++) any = any || !expr_is_zero(ctx, p->inertia[i]);
    return any;
}

/* Those with inertia, and what they stand on: parents come before their children. */
static bool number_bodies(planting *w)
{
    const ah_model *m = w->m;
    const size_t parts = m->parts.count;
    bool *in = NEW_ARRAY(w->arena, bool, parts + 1), any = false;
    for (size_t i = parts; i-- > 0;) {
        const model_part *p = &m->parts.at[i];
        in[i] = in[i] || has_inertia(m->ctx, p);
        if (in[i] && p->on) in[p->on - 1] = any = true;
    }
    w->body = NEW_ARRAY(w->arena, uint32_t, parts + 1);
    w->parent = NEW_ARRAY(w->arena, uint32_t, parts + 1);
    for (size_t i = 0; i < parts; i++) {
        if (!in[i]) continue;
        const uint32_t on = m->parts.at[i].on;
        w->parent[w->bodies] = on ? w->body[on - 1] : 0;
        w->body[i] = ++w->bodies;
    }
    return any;
}

/* ---- How they move --------------------------------------------------------------------------- */

static mat rotation_of(planting *w, const model_part *p)
{
    return mat_from_dense(w->m->ctx, w->arena, 3, 3, &p->rotation[0][0]);
}

static mat by_velocities(planting *w, ah_vector v)
{
    const mat column = mat_from_dense(w->m->ctx, w->arena, 3, 1, v.c);
    return mat_jacobian(w->m->ctx, w->arena, column, w->m->n, w->m->v.at);
}

static void find_motion(planting *w, const model_part *p, uint32_t b)
{
    ah_ctx *ctx = w->m->ctx;
    arena *a = w->arena;
    w->arm[b] = vector_zero(ctx);
    if (!p->on) {
        w->S[b] = mat_stack(ctx, a, by_velocities(w, p->velocity), by_velocities(w, p->omega));
        return;
    }
    const mat R = rotation_of(w, &w->m->parts.at[p->on - 1]);
    const mat arm = mat_mul(ctx, a, R, mat_from_dense(ctx, a, 3, 1, p->own_place.c));
    for (uint32_t i = 0; i < 3; i++) w->arm[b].c[i] = mat_get(ctx, arm, i, 0);
    w->S[b] = mat_stack(ctx, a, mat_mul(ctx, a, R, by_velocities(w, p->own_velocity)),
                        mat_mul(ctx, a, R, by_velocities(w, p->own_omega)));
}

static void find_motions(planting *w)
{
    w->S = NEW_ARRAY(w->arena, mat, w->bodies + 1);
    w->arm = NEW_ARRAY(w->arena, ah_vector, w->bodies + 1);
    for (size_t i = 0; i < w->m->parts.count; i++)
        if (w->body[i]) find_motion(w, &w->m->parts.at[i], w->body[i] - 1);
}

/* Components that no body ever has are zero: v_i is moved by the coordinates, or by ω_j and ω_k with the arm. */
static void find_components(planting *w)
{
    ah_ctx *ctx = w->m->ctx;
    for (uint32_t b = 0; b < w->bodies; b++)
        for (uint32_t c = 0; c < COMPONENTS; c++)
            if (w->S[b].start[c + 1] > w->S[b].start[c]) w->used[c] = true;
    for (uint32_t b = 0; b < w->bodies; b++)
        for (uint32_t i = 0; w->parent[b] && i < 3; i++) {
            const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
            if ((w->used[3 + j] && !expr_is_zero(ctx, w->arm[b].c[k])) ||
                (w->used[3 + k] && !expr_is_zero(ctx, w->arm[b].c[j])))
                w->used[i] = true;
        }
    for (uint32_t c = 0; c < COMPONENTS; c++)
        if (w->used[c]) w->place[c] = w->width++;
}

/* ---- The entries ----------------------------------------------------------------------------- */

static void add_row_entry(planting *w, uint32_t row, uint32_t body, uint32_t component, ah_expr e)
{
    if (!w->used[component]) return;
    const mat_entry entry = {row, body * w->width + w->place[component], e};
    LIST_PUSH(w->arena, &w->J, entry);
}

static void add_rows(planting *w, uint32_t b)
{
    ah_ctx *ctx = w->m->ctx;
    const ah_vector arm = w->arm[b];
    const mat S = w->S[b];
    for (uint32_t c = 0; c < COMPONENTS; c++) {
        if (!w->used[c]) continue;
        const uint32_t row = b * w->width + w->place[c], i = c % 3, j = (i + 1) % 3,
                       k = (i + 2) % 3;
        add_row_entry(w, row, b, c, expr_int(ctx, 1));
        if (w->parent[b]) add_row_entry(w, row, w->parent[b] - 1, c, expr_int(ctx, -1));
        if (w->parent[b] && c < 3) { /* −(ω × arm)_i = ω_k arm_j − ω_j arm_k */
            add_row_entry(w, row, w->parent[b] - 1, 3 + k, arm.c[j]);
            add_row_entry(w, row, w->parent[b] - 1, 3 + j, expr_neg(ctx, arm.c[k]));
        }
        for (uint32_t e = S.start[c]; e < S.start[c + 1]; e++) {
            const mat_entry entry = {row, w->bodies * w->width + S.col[e], expr_neg(ctx, S.val[e])};
            LIST_PUSH(w->arena, &w->J, entry);
        }
    }
}

/* R I Rᵀ. */
static mat inertia_in_space(planting *w, const model_part *p)
{
    const ah_expr *I = p->inertia;
    const ah_expr dense[9] = {I[0], I[5], I[4], I[5], I[1], I[3], I[4], I[3], I[2]};
    const mat R = rotation_of(w, p);
    return mat_mul3(w->m->ctx, w->arena, R, mat_from_dense(w->m->ctx, w->arena, 3, 3, dense),
                    mat_transpose(w->m->ctx, w->arena, R));
}

static void add_inertia(planting *w, const model_part *p, uint32_t b)
{
    const uint32_t first = b * w->width;
    for (uint32_t c = 0; c < 3; c++)
        if (w->used[c]) {
            const mat_entry entry = {first + w->place[c], first + w->place[c], p->mass};
            LIST_PUSH(w->arena, &w->M, entry);
        }
    if (!p->is_body) return;
    const mat I = inertia_in_space(w, p);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t e = I.start[i]; e < I.start[i + 1]; e++)
            if (w->used[3 + i] && w->used[3 + I.col[e]]) {
                const mat_entry entry = {first + w->place[3 + i], first + w->place[3 + I.col[e]],
                                         I.val[e]};
                LIST_PUSH(w->arena, &w->M, entry);
            }
}

/* What `kinetic` statements say. */
static void add_written(planting *w)
{
    const ah_model *m = w->m;
    const uint32_t first = w->bodies * w->width;
    ah_expr T = expr_sum(m->ctx, m->kinetic_terms.count, m->kinetic_terms.at);
    model_put_bodies(w->m, &T, 1);
    const mat M = mat_hessian(m->ctx, w->arena, T, m->n, m->v.at);
    for (uint32_t i = 0; i < m->n; i++)
        for (uint32_t e = M.start[i]; e < M.start[i + 1]; e++) {
            const mat_entry entry = {first + i, first + M.col[e], M.val[e]};
            LIST_PUSH(w->arena, &w->M, entry);
        }
}

/* ---- The tree -------------------------------------------------------------------------------- */

/* The entries that M would have, at most: each body couples its own coordinates with those of all that carry it. */
static double entries_of_mass(const planting *w)
{
    double sum = 0, *all = NEW_ARRAY(w->arena, double, w->bodies + 1);
    for (uint32_t b = 0; b < w->bodies; b++) {
        const mat S = w->S[b];
        bool *column = NEW_ARRAY(w->arena, bool, w->m->n + 1);
        double own = 0;
        for (uint32_t e = 0; e < mat_entries(S); e++) {
            own += !column[S.col[e]];
            column[S.col[e]] = true;
        }
        all[b] = own + (w->parent[b] ? all[w->parent[b] - 1] : 0);
        sum += own * (2 * all[b] - own);
    }
    return sum;
}

static model_tree *plant(ah_model *m)
{
    planting w = {.m = m, .arena = &m->ctx->job};
    ah_ctx *ctx = m->ctx;
    if (m->n <= TREE_ABOVE || m->speeds.count || m->kinematic || !number_bodies(&w)) return NULL;
    find_motions(&w);
    find_components(&w);
    for (uint32_t b = 0; b < w.bodies; b++) add_rows(&w, b);
    if ((double) w.J.count >= entries_of_mass(&w)) return NULL;
    for (size_t i = 0; i < m->parts.count; i++)
        if (w.body[i]) add_inertia(&w, &m->parts.at[i], w.body[i] - 1);
    add_written(&w);
    const uint32_t rows = w.bodies * w.width, all = rows + m->n;
    if (!sparse_pays(rows + all, w.M.count + 2 * w.J.count)) return NULL;
    model_tree *t = NEW(w.arena, model_tree);
    t->unknowns = rows;
    t->shape = (sparse_tree){w.bodies, w.width, w.parent};
    t->M = mat_from_entries(ctx, w.arena, all, all, w.M.at, w.M.count);
    t->J = mat_from_entries(ctx, w.arena, rows, all, w.J.at, w.J.count);
    return t;
}

typedef struct kept_tree {
    model_tree *tree;
} kept_tree;

const model_tree *model_tree_of(ah_model *m)
{
    static const char key;
    kept_tree *kept = *model_kept(m, &key);
    if (!kept) {
        kept = NEW(&m->ctx->job, kept_tree);
        kept->tree = plant(m);
        *model_kept(m, &key) = kept;
    }
    return kept->tree;
}

mat model_tree_rows(ah_model *m, arena *a, const model_tree *t, mat rows)
{
    LIST(mat_entry) e = {0};
    for (uint32_t i = 0; i < rows.rows; i++)
        for (uint32_t k = rows.start[i]; k < rows.start[i + 1]; k++)
            LIST_PUSH(a, &e, ((mat_entry){i, t->unknowns + rows.col[k], rows.val[k]}));
    const mat below = mat_from_entries(m->ctx, a, rows.rows, t->unknowns + m->n, e.at, e.count);
    return rows.rows ? mat_stack(m->ctx, a, t->J, below) : t->J;
}

mat model_tree_right(ah_model *m, arena *a, const model_tree *t, mat column)
{
    const mat none = mat_zero(m->ctx, a, t->unknowns, 1);
    return column.rows ? mat_stack(m->ctx, a, none, column) : none;
}

/* The body that is the last to be moved by a coordinate; none has 0. */
static uint32_t *last_bodies(ah_model *m, arena *a, const model_tree *t)
{
    uint32_t *last = NEW_ARRAY(a, uint32_t, m->n + 1);
    for (uint32_t row = 0; row < t->J.rows; row++)
        for (uint32_t e = t->J.start[row]; e < t->J.start[row + 1]; e++)
            if (t->J.col[e] >= t->unknowns) last[t->J.col[e] - t->unknowns] = row / t->shape.width;
    return last;
}

mat model_tree_kkt(ah_model *m, arena *a, const model_tree *t, mat rows)
{
    const uint32_t first = t->unknowns, below = first + m->n, width = t->shape.width;
    const mat K = model_kkt(m->ctx, a, t->M, model_tree_rows(m, a, t, rows));
    const uint32_t *last = last_bodies(m, a, t);
    uint32_t *place = NEW_ARRAY(a, uint32_t, K.rows + 1), next = 0;
    uint32_t *count = NEW_ARRAY(a, uint32_t, t->shape.bodies + 1); /* coordinates, then the next */
    for (uint32_t i = 0; i < m->n; i++) count[last[i]]++;
    for (uint32_t b = t->shape.bodies; b-- > 0;) {
        const uint32_t own = count[b];
        count[b] = next;
        next += own;
        for (uint32_t i = 0; i < width; i++) place[b * width + i] = next++;
        for (uint32_t i = 0; i < width; i++) place[below + b * width + i] = next++;
    }
    for (uint32_t i = 0; i < m->n; i++) place[first + i] = count[last[i]]++;
    for (uint32_t i = below + first; i < K.rows; i++) place[i] = next++;
    LIST(mat_entry) e = {0};
    for (uint32_t i = 0; i < K.rows; i++)
        for (uint32_t k = K.start[i]; k < K.start[i + 1]; k++)
            LIST_PUSH(a, &e, ((mat_entry){place[i], place[K.col[k]], K.val[k]}));
    return mat_from_entries(m->ctx, a, K.rows, K.cols, e.at, e.count);
}
