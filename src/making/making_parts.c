/* making/making_parts.c - the right-hand side by points and bodies, as Kane writes it [KaneLevinson1985].
 *
 * With v = ψ(q, s, t), linear in s, a part has a velocity u = V s + u₀ in its axes, which turn at o (space: 0; those of the
 * body: Ω), and a body Ω = W s + Ω₀; then
 *
 *     K s' = b,   K = Σ m VᵀV + WᵀI W,
 *     b = Ψᵀ Q + Σ m Vᵀ (g − V's − u₀' − o × u) − Wᵀ (I (W's + Ω₀') + Ω × IΩ),
 *
 * Q the forces but for the weight. M of the coordinates, its slopes and their products with Ψ are never formed: V and W are
 * short in the right axes (where a body rolls, they are the arm to the place that touches), their entries get names, and V' is
 * made through them. A coordinate's velocity that is one of such a part is its u, turned back.
 *
 * A kinetic energy that is given besides, vᵀR v/2 with R the same everywhere (wheels, rotors), is a part whose velocity is v. */
#include "making_steps.h"

/* Larger systems have matrices without end. */
#define MOST_PARTS       6
#define MOST_COORDINATES 14

/* 1/√P or 1/P under a name L of its own: L' = −½ L³P' or −L²P'. */
typedef struct root {
    ah_expr node, name, rate;
} root;

typedef struct by_parts {
    making *w;
    recipe *r;
    ah_ctx *ctx;
    arena *a;
    ah_expr psi[MOST_COORDINATES], through[MOST_COORDINATES]; /* v: as it was, and through a part */
    LIST(root) roots;
    mat K, b;
    mat R; /* of the velocities that a given kinetic energy has, whose motion is `given` */
    struct moving {
        mat V, rest, u; /* u = V s + rest */
    } given;
} by_parts;

typedef struct moving moving;

typedef struct part_motion {
    const model_part *part;
    mat axes; /* of `linear`, in space: columns; no rows: those of space */
    moving linear, angular;
    bool gyroscopic; /* `angular` is in the axes of the body */
} part_motion;

/* ---- Names ----------------------------------------------------------------------------------- */

static mat named_all(by_parts *k, mat m)
{
    return recipe_name_all(k->r, m, recipe_name_either);
}

/* ---- Velocities ------------------------------------------------------------------------------ */

static mat column_of(const by_parts *k, ah_vector x)
{
    return mat_from_dense(k->ctx, k->a, 3, 1, x.c);
}

static mat put_speeds(by_parts *k, mat u, const ah_expr *psi)
{
    return mat_subst(k->ctx, k->a, u, k->w->c->n, k->w->p->model->v.at, psi);
}

static mat in_speeds(by_parts *k, mat u)
{
    return put_speeds(k, u, k->psi);
}

static size_t length(const by_parts *k, mat m)
{
    return expr_operations(k->ctx, m.val, mat_entries(m));
}

/* false: u is not linear in s. */
static bool split(const by_parts *k, mat u, moving *out)
{
    const motion_code *c = k->w->c;
    ah_expr zero[MOST_COORDINATES];
    for (uint32_t i = 0; i < c->m; i++) zero[i] = expr_int(k->ctx, 0);
    *out = (moving){.V = mat_jacobian(k->ctx, k->a, u, c->m, c->second),
                    .rest = mat_subst(k->ctx, k->a, u, c->m, c->second, zero)};
    const expr_list used = expr_symbols(k->ctx, k->a, out->V.val, mat_entries(out->V));
    for (size_t i = 0; i < used.count; i++)
        for (uint32_t j = 0; j < c->m; j++)
            if (used.at[i] == c->second[j]) return false;
    return true;
}

/* ---- Roots ----------------------------------------------------------------------------------- */

static mat put_roots(by_parts *k, mat m)
{
    ah_expr *from = NEW_ARRAY(k->a, ah_expr, k->roots.count + 1);
    ah_expr *to = NEW_ARRAY(k->a, ah_expr, k->roots.count + 1);
    for (size_t i = 0; i < k->roots.count; i++) {
        from[i] = k->roots.at[i].node;
        to[i] = k->roots.at[i].name;
    }
    return mat_subst(k->ctx, k->a, m, k->roots.count, from, to);
}

/* d/dt by q' and the rates of the roots. */
static mat rate_of(by_parts *k, mat m)
{
    mat out = mat_dt(k->ctx, k->a, m);
    for (size_t i = 0; i < k->roots.count; i++) {
        const mat by = mat_derivative(k->ctx, k->a, m, k->roots.at[i].name);
        out = mat_add(k->ctx, k->a, out, mat_scale(k->ctx, k->a, k->roots.at[i].rate, by));
    }
    return out;
}

static bool moves(ah_ctx *ctx, ah_expr e)
{
    return expr_depends_kind(ctx, e, AH_COORDINATE) || expr_depends_kind(ctx, e, AH_TIME);
}

/* Of V, inner ones first; their rates need q', which has no meaning yet: put_rates. */
static void name_roots(by_parts *k, const mat *V)
{
    const expr_list all = expr_reachable(k->ctx, k->a, V->val, mat_entries(*V));
    for (size_t i = 0; i < all.count; i++) {
        const ah_expr e = all.at[i];
        long p, q;
        if (expr_get_op(k->ctx, e) != EXPR_POWER || !moves(k->ctx, e)) continue;
        if (!expr_is_rational(k->ctx, expr_get_children(k->ctx, e)[1], &p, &q)) continue;
        if (p != -1 || q > 2) continue;
        bool known = false;
        for (size_t j = 0; j < k->roots.count; j++) known = known || k->roots.at[j].node == e;
        if (known) continue;
        const mat one = put_roots(k, mat_from_dense(k->ctx, k->a, 1, 1, &e));
        const root x = {.node = e, .name = recipe_name(k->r, mat_get(k->ctx, one, 0, 0))};
        LIST_PUSH(k->a, &k->roots, x);
    }
}

static void find_rates(by_parts *k)
{
    const size_t count = k->roots.count;
    for (size_t i = 0; i < count; i++) {
        root *x = &k->roots.at[i];
        const ah_expr base = expr_get_children(k->ctx, x->node)[0];
        const ah_expr exponent = expr_get_children(k->ctx, x->node)[1];
        long p, q;
        expr_is_rational(k->ctx, exponent, &p, &q);
        k->roots.count = i; /* inner ones come first */
        const mat P = rate_of(k, put_roots(k, mat_from_dense(k->ctx, k->a, 1, 1, &base)));
        const ah_expr factors[] = {exponent, expr_powi(k->ctx, x->name, q + 1),
                                   mat_get(k->ctx, P, 0, 0)};
        x->rate = recipe_name_either(k->r, expr_product(k->ctx, 3, factors));
    }
    k->roots.count = count;
}

/* Under names, with u. */
static void name_motion(by_parts *k, moving *x)
{
    const motion_code *c = k->w->c;
    const mat s = mat_from_dense(k->ctx, k->a, c->m, 1, c->second);
    x->V = making_shorter(k->w, k->r, x->V);
    name_roots(k, &x->V);
    x->V = put_roots(k, x->V);
    const mat named_V = named_all(k, x->V);
    x->u = named_all(k, mat_add(k->ctx, k->a, mat_mul(k->ctx, k->a, named_V, s), x->rest));
}

/* u in the axes of the body. What a quaternion turns back and forth cancels where all is of one degree in it. */
static bool split_turned(by_parts *k, mat R, mat velocity, moving *out)
{
    const mat back = mat_transpose(k->ctx, k->a, R);
    const ah_expr *psi[] = {k->psi, k->w->c->solved};
    moving other;
    for (int i = 0; i < 2 && psi[i]; i++) {
        const mat turned = mat_mul(k->ctx, k->a, back, put_speeds(k, velocity, psi[i]));
        if (!split(k, making_shorter(k->w, k->r, turned), i ? &other : out)) return false;
        if (i && length(k, other.V) < length(k, out->V)) *out = other;
    }
    return true;
}

/* The axes of space, or those of the body where V is shorter in them. */
static bool describe_linear(by_parts *k, part_motion *x)
{
    const model_part *p = x->part;
    const mat velocity = column_of(k, p->velocity), plain = in_speeds(k, velocity);
    moving there;
    if (p->is_body) {
        const mat R = mat_from_dense(k->ctx, k->a, 3, 3, &p->rotation[0][0]);
        if (!split_turned(k, R, velocity, &there)) return false;
        x->axes = R;
        x->linear = there;
        if (length(k, there.V) < length(k, plain)) return true;
    }
    if (!split(k, making_shorter(k->w, k->r, plain), &there)) return false;
    if (p->is_body && length(k, x->linear.V) < length(k, there.V)) return true;
    x->axes = (mat){0};
    x->linear = there;
    return true;
}

static bool describe(by_parts *k, const model_part *p, part_motion *x)
{
    *x = (part_motion){.part = p};
    if (!describe_linear(k, x)) return false;
    if (!p->is_body) return true;
    const ah_vector omega = attitudes_axes(k->ctx, p);
    x->gyroscopic = omega.c[0] == p->omega_body.c[0] && omega.c[1] == p->omega_body.c[1] &&
                    omega.c[2] == p->omega_body.c[2];
    return split(k, making_shorter(k->w, k->r, in_speeds(k, column_of(k, omega))), &x->angular);
}

/* R and the velocities it is of; false: it depends on the state, or T has other terms. */
static bool describe_given(by_parts *k)
{
    const ah_model *m = k->w->p->model;
    ah_expr zero[MOST_COORDINATES], v[MOST_COORDINATES];
    uint32_t index[MOST_COORDINATES], count = 0;
    const ah_expr T = expr_sum(k->ctx, m->kinetic_terms.count, m->kinetic_terms.at);
    const mat p = mat_gradient(k->ctx, k->a, T, m->n, m->v.at);
    for (uint32_t i = 0; i < m->n; i++) {
        zero[i] = expr_int(k->ctx, 0);
        if (expr_is_zero(k->ctx, mat_get(k->ctx, p, i, 0))) continue;
        index[count] = i;
        v[count++] = k->psi[i];
    }
    const mat H =
        mat_jacobian(k->ctx, k->a, mat_rows(k->ctx, k->a, p, index, count), m->n, m->v.at);
    k->R = mat_cols(k->ctx, k->a, H, index, count);
    for (uint32_t i = 0; i < mat_entries(k->R); i++)
        if (moves(k->ctx, k->R.val[i]) || expr_depends_kind(k->ctx, k->R.val[i], AH_VELOCITY))
            return false;
    const mat linear = mat_subst(k->ctx, k->a, p, m->n, m->v.at, zero);
    const mat alone =
        mat_subst(k->ctx, k->a, mat_from_dense(k->ctx, k->a, 1, 1, &T), m->n, m->v.at, zero);
    return !mat_entries(linear) && !mat_entries(alone) &&
           split(k, making_shorter(k->w, k->r, mat_from_dense(k->ctx, k->a, count, 1, v)),
                 &k->given);
}

/* Of the coordinates those that are components of the part's velocity. */
static void take_velocities(by_parts *k, const part_motion *x)
{
    const ah_model *m = k->w->p->model;
    if (!x->axes.rows) return;
    const mat back = mat_mul(k->ctx, k->a, x->axes, x->linear.u);
    for (uint32_t i = 0; i < m->n; i++)
        for (uint32_t j = 0; j < 3; j++)
            if (x->part->velocity.c[j] == m->v.at[i] && k->psi[i] != m->v.at[i])
                k->through[i] = mat_get(k->ctx, back, j, 0);
}

/* ---- The equations --------------------------------------------------------------------------- */

mat making_inertia(const making *w, const model_part *p)
{
    const ah_expr *I = p->inertia;
    const ah_expr dense[] = {I[0], I[5], I[4], I[5], I[1], I[3], I[4], I[3], I[2]};
    return mat_from_dense(w->p->ctx, w->p->arena, 3, 3, dense);
}

static ah_vector vector_of(const by_parts *k, mat u)
{
    return (ah_vector){
        {mat_get(k->ctx, u, 0, 0), mat_get(k->ctx, u, 1, 0), mat_get(k->ctx, u, 2, 0)}};
}

/* V's + rest', by q' under its names. */
static mat drift_of(by_parts *k, const moving *x)
{
    const motion_code *c = k->w->c;
    const mat s = mat_from_dense(k->ctx, k->a, c->m, 1, c->second);
    const mat slope = named_all(k, rate_of(k, x->V));
    return mat_add(k->ctx, k->a, mat_mul(k->ctx, k->a, slope, s), mat_dt(k->ctx, k->a, x->rest));
}

/* K += VᵀG V, b −= Vᵀ f; V under its names. */
static void add(by_parts *k, const moving *x, mat G, mat f)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->a;
    const mat V = named_all(k, x->V), VT = mat_transpose(ctx, a, V);
    k->K = mat_add(ctx, a, k->K, mat_mul3(ctx, a, VT, G, V));
    k->b = mat_sub(ctx, a, k->b, mat_mul(ctx, a, VT, named_all(k, f)));
}

ah_vector making_gravity(const making *w)
{
    const ah_model *m = w->p->model;
    ah_vector g = vector_zero(w->p->ctx);
    for (size_t i = 0; i < m->gravity.count; i++) g = vector_add(w->p->ctx, g, m->gravity.at[i]);
    return g;
}

static mat weight_of(const by_parts *k, const part_motion *x)
{
    const mat in_space = column_of(k, making_gravity(k->w));
    return x->axes.rows ? mat_mul(k->ctx, k->a, mat_transpose(k->ctx, k->a, x->axes), in_space)
                        : in_space;
}

/* Ω in the axes of the body, in which `linear` is; a body of equal inertia has `angular` in those of space. */
static ah_vector turning_of(by_parts *k, const part_motion *x)
{
    if (x->gyroscopic) return vector_of(k, x->angular.u);
    const mat own = in_speeds(k, column_of(k, x->part->omega_body));
    return vector_of(k, named_all(k, making_shorter(k->w, k->r, own)));
}

static void add_part(by_parts *k, const part_motion *x)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->a;
    const model_part *p = x->part;
    mat f = mat_sub(ctx, a, drift_of(k, &x->linear), weight_of(k, x));
    const ah_vector omega = p->is_body ? vector_of(k, x->angular.u) : vector_zero(ctx);
    if (x->axes.rows)
        f = mat_add(ctx, a, f,
                    column_of(k, vector_cross(ctx, turning_of(k, x), vector_of(k, x->linear.u))));
    const mat G = mat_scale(ctx, a, p->mass, mat_identity(ctx, a, 3));
    add(k, &x->linear, G, mat_scale(ctx, a, p->mass, f));
    if (!p->is_body) return;
    const mat I = making_inertia(k->w, p);
    mat torque = mat_mul(ctx, a, I, drift_of(k, &x->angular));
    if (x->gyroscopic) {
        const mat H = named_all(k, mat_mul(ctx, a, I, x->angular.u));
        torque = mat_add(ctx, a, torque, column_of(k, vector_cross(ctx, omega, vector_of(k, H))));
    }
    add(k, &x->angular, I, torque);
}

mat making_other_forces(making *w, recipe *r)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const ah_model *m = w->p->model;
    ah_expr V = expr_int(ctx, 0);
    for (size_t i = 0; i < m->parts.count; i++)
        V = expr_add(ctx, V, model_part_potential(w->p->model, &m->parts.at[i]));
    const mat weight = mat_neg(ctx, a, mat_gradient(ctx, a, V, m->n, m->q.at));
    return making_shorter(w, r, mat_sub(ctx, a, w->mech->K, weight));
}

/* Ψᵀ Q. */
static mat forces(by_parts *k)
{
    const motion_code *c = k->w->c;
    const mat psi = mat_from_dense(k->ctx, k->a, c->n, 1, k->psi);
    const mat Psi = mat_jacobian(k->ctx, k->a, psi, c->m, c->second);
    return mat_mul(k->ctx, k->a, mat_transpose(k->ctx, k->a, Psi), making_other_forces(k->w, k->r));
}

/* v stands for what it is from here on. */
static void define_velocities(by_parts *k)
{
    const ah_model *m = k->w->p->model;
    for (uint32_t i = 0; i < m->n; i++) {
        if (k->psi[i] == m->v.at[i]) continue;
        const mat plain = mat_from_dense(k->ctx, k->a, 1, 1, &k->psi[i]);
        recipe_define(k->r, m->v.at[i],
                      k->through[i] != AH_NONE
                          ? k->through[i]
                          : mat_get(k->ctx, making_shorter(k->w, k->r, plain), 0, 0));
    }
}

static bool applies(const making *w)
{
    const ah_model *m = w->p->model;
    return w->c->psi && m->n <= MOST_COORDINATES && w->c->m && w->c->m <= MOST_COORDINATES &&
           m->parts.count && m->parts.count <= MOST_PARTS && !w->mech->tree &&
           !w->mech->second_class;
}

bool making_lower_by_parts(making *w, recipe *r, expr_list *out)
{
    const ah_model *m = w->p->model;
    if (!applies(w)) return false;
    by_parts k = {.w = w, .r = r, .ctx = w->p->ctx, .a = w->p->arena};
    part_motion x[MOST_PARTS];
    mat rate;
    for (uint32_t i = 0; i < m->n; i++) k.psi[i] = w->c->psi[i];
    for (size_t i = 0; i < m->parts.count; i++)
        if (!describe(&k, &m->parts.at[i], &x[i])) return false;
    if (m->kinetic_given && !describe_given(&k)) return false;
    for (size_t i = 0; i < m->parts.count; i++) {
        name_motion(&k, &x[i].linear);
        if (x[i].part->is_body) name_motion(&k, &x[i].angular);
        take_velocities(&k, &x[i]);
    }
    if (m->kinetic_given) name_motion(&k, &k.given);
    define_velocities(&k);
    find_rates(&k);
    k.K = mat_zero(k.ctx, k.a, w->c->m, w->c->m);
    k.b = forces(&k);
    for (size_t i = 0; i < m->parts.count; i++) add_part(&k, &x[i]);
    if (m->kinetic_given) add(&k, &k.given, k.R, mat_mul(k.ctx, k.a, k.R, drift_of(&k, &k.given)));
    r->alg = NULL; /* what has names is short */
    if (!recipe_solve(r, k.K, k.b, &rate)) return false;
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(k.a, out, m->v.at[i]);
    making_push(w, out, rate);
    return true;
}
