/* making/making_free.c - the right-hand side by points and bodies where velocities are the variables and constraints are many.
 *
 * Accelerations that the constraints allow are v' = Z y + d (recipe_free). A part has the acceleration V v' + f, and a body the
 * angular one W v' + h in its axes; then Gauss' least constraint is that of
 *
 *     K y = b,   K = Σ m (VZ)ᵀ VZ + (WZ)ᵀ I WZ,
 *     b = Zᵀ Q + Σ m (VZ)ᵀ (g − f − V d) − (WZ)ᵀ (I (h + W d) + Ω × IΩ).
 *
 * M of the coordinates and the slopes of T, longer than all the rest together for a bicycle, are never formed. */
#include "making_steps.h"

typedef struct free_parts {
    making *w;
    recipe *r;
    ah_ctx *ctx;
    arena *a;
    mat Z, d, K, b;
} free_parts;

static mat named(free_parts *k, mat m)
{
    return recipe_name_all(k->r, m, recipe_name);
}

static mat column_of(const free_parts *k, ah_vector x)
{
    return mat_from_dense(k->ctx, k->a, 3, 1, x.c);
}

/* u' = V v' + rest. */
static mat split(const free_parts *k, ah_vector u, mat *rest)
{
    const ah_model *m = k->w->p->model;
    const mat rate = mat_dt(k->ctx, k->a, column_of(k, u));
    ah_expr *zero = NEW_ARRAY(k->a, ah_expr, m->n);
    for (uint32_t i = 0; i < m->n; i++) zero[i] = expr_int(k->ctx, 0);
    *rest = mat_subst(k->ctx, k->a, rate, m->n, m->a.at, zero);
    return mat_jacobian(k->ctx, k->a, rate, m->n, m->a.at);
}

/* K += (VZ)ᵀG VZ, b −= (VZ)ᵀ (G (f + V d) + more). */
static void add(free_parts *k, mat V, mat G, mat f, mat more)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->a;
    const mat VN = named(k, V), VZ = named(k, mat_mul(ctx, a, VN, k->Z));
    const mat VZT = mat_transpose(ctx, a, VZ);
    const mat all = named(k, mat_add(ctx, a, f, mat_mul(ctx, a, VN, k->d)));
    const mat force = named(k, mat_add(ctx, a, mat_mul(ctx, a, G, all), more));
    k->K = mat_add(ctx, a, k->K, mat_mul3(ctx, a, VZT, G, VZ));
    k->b = mat_sub(ctx, a, k->b, mat_mul(ctx, a, VZT, force));
}

static void add_part(free_parts *k, const model_part *p)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->a;
    const mat one = mat_scale(ctx, a, p->mass, mat_identity(ctx, a, 3)),
              none = mat_zero(ctx, a, 3, 1);
    mat f, h;
    const mat V = split(k, p->velocity, &f);
    add(k, V, one, mat_sub(ctx, a, f, column_of(k, making_gravity(k->w))), none);
    if (!p->is_body) return;
    const ah_vector omega = attitudes_axes(ctx, p);
    const mat W = split(k, omega, &h), I = making_inertia(k->w, p);
    const bool turns = omega.c[0] == p->omega_body.c[0] && omega.c[1] == p->omega_body.c[1] &&
                       omega.c[2] == p->omega_body.c[2];
    mat torque = none;
    if (turns) {
        const mat u = named(k, column_of(k, omega)), H = named(k, mat_mul(ctx, a, I, u));
        const ah_vector x = {{mat_get(ctx, u, 0, 0), mat_get(ctx, u, 1, 0), mat_get(ctx, u, 2, 0)}};
        const ah_vector y = {{mat_get(ctx, H, 0, 0), mat_get(ctx, H, 1, 0), mat_get(ctx, H, 2, 0)}};
        torque = column_of(k, vector_cross(ctx, x, y));
    }
    add(k, W, I, h, torque);
}

bool making_lower_free_parts(making *w, recipe *r, expr_list *out)
{
    const ah_model *m = w->p->model;
    const mechanics *e = w->mech;
    free_parts k = {.w = w, .r = r, .ctx = w->p->ctx, .a = w->p->arena};
    mat y;
    if (w->c->psi || w->c->row || !e->r || e->rank != e->r || e->tree || e->second_class)
        return false;
    if (!m->parts.count || m->kinetic_given) return false;
    if (!recipe_free(r, e->J, e->gamma, e->rank, &k.Z, &k.d)) return false;
    k.K = mat_zero(k.ctx, k.a, k.Z.cols, k.Z.cols);
    k.b = mat_mul(k.ctx, k.a, mat_transpose(k.ctx, k.a, k.Z), making_other_forces(w, r));
    for (size_t i = 0; i < m->parts.count; i++) add_part(&k, &m->parts.at[i]);
    if (!recipe_solve(r, k.K, k.b, &y)) return false;
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(k.a, out, m->v.at[i]);
    making_push(w, out, mat_add(k.ctx, k.a, mat_mul(k.ctx, k.a, k.Z, y), k.d));
    return true;
}
