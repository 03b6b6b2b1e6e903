/* making/making_links.c - the right-hand side where velocities follow from one another, link by link (links.h), as Kane writes it.
 *
 * A variable x = Σ c y has by its own variables y
 *
 *     ∂x/∂s = Σ c ∂y/∂s,     x' at s' = 0:  d_x = Σ c d_y + c' y,
 *
 * numbers under names, each from its neighbours'; with u = Σ c x of a part, V = ∂u/∂s and d = u' at s' = 0, W and e the same of
 * its angular velocity Ω,
 *
 *     (Σ m VᵀV + WᵀI W) s' = Ψᵀ Q + Σ m Vᵀ (g − d) − Wᵀ (I e + Ω × IΩ),
 *
 * Q the forces but for the weight. A part whose velocity is c u with |c| a number, as that of a blade, has u in place of three components. */
#include "making_steps.h"

typedef struct by_links {
    making *w;
    recipe *r;
    ah_ctx *ctx;
    arena *a;
    const links *l;
    uint32_t m;
    ah_expr *partial;       /* of each variable by each of s, row by row … */
    ah_expr *drift;         /* … and d */
    expr_list symbol, rate; /* t, q and coefficients, and how they change */
    mat K, b;
} by_links;

/* ---- Values ---------------------------------------------------------------------------------- */

static ah_expr value_of(ah_ctx *ctx, recipe *r, const links *l, const links_form *f)
{
    ah_expr sum = expr_int(ctx, 0);
    for (size_t i = 0; i < f->count; i++)
        sum = expr_add(
            ctx, sum,
            expr_mul(ctx, recipe_name_either(r, f->at[i].by), l->variables.at[f->at[i].of].symbol));
    return sum;
}

void making_define_links(const links *l, recipe *r)
{
    for (size_t i = 0; i < l->coefficients.count; i++)
        recipe_define(r, l->coefficients.at[i].symbol, l->coefficients.at[i].value);
    for (size_t i = 0; i < l->order.count; i++) {
        const links_variable *x = &l->variables.at[l->order.at[i]];
        recipe_define(r, x->symbol, value_of(r->ctx, r, l, &x->is));
    }
}

ah_expr making_through_links(const making *w, ah_expr e)
{
    const links *l = w->c->links;
    for (size_t i = 0; i < l->sums.count; i++)
        e = expr_subst(w->p->ctx, e, 1, &l->sums.at[i].value, &l->sums.at[i].symbol);
    return e;
}

/* ---- Rates ----------------------------------------------------------------------------------- */

static ah_expr rate_of(by_links *k, ah_expr e)
{
    return expr_forward(k->ctx, e, k->symbol.count, k->symbol.at, k->rate.at);
}

static void find_rates(by_links *k)
{
    const ah_model *m = k->w->p->model;
    LIST_PUSH(k->a, &k->symbol, k->w->p->mech->t);
    LIST_PUSH(k->a, &k->rate, expr_int(k->ctx, 1));
    for (uint32_t i = 0; i < m->n; i++) {
        LIST_PUSH(k->a, &k->symbol, m->q.at[i]);
        LIST_PUSH(k->a, &k->rate, m->v.at[i]);
    }
    for (size_t i = 0; i < k->l->coefficients.count; i++) {
        const ah_expr rate = recipe_name_either(k->r, rate_of(k, k->l->coefficients.at[i].value));
        LIST_PUSH(k->a, &k->symbol, k->l->coefficients.at[i].symbol);
        LIST_PUSH(k->a, &k->rate, rate);
    }
}

/* ∂/∂s_j of a form, and d. */
static ah_expr partial_of(by_links *k, const links_form *f, uint32_t j)
{
    ah_expr sum = expr_int(k->ctx, 0);
    for (size_t i = 0; i < f->count; i++) {
        const ah_expr by = recipe_name_either(k->r, f->at[i].by);
        sum = expr_add(k->ctx, sum, expr_mul(k->ctx, by, k->partial[f->at[i].of * k->m + j]));
    }
    return recipe_name_either(k->r, sum);
}

static ah_expr drift_of(by_links *k, const links_form *f)
{
    ah_expr sum = expr_int(k->ctx, 0);
    for (size_t i = 0; i < f->count; i++) {
        const ah_expr by = recipe_name_either(k->r, f->at[i].by);
        const ah_expr rate = recipe_name_either(k->r, rate_of(k, f->at[i].by));
        const ah_expr x = k->l->variables.at[f->at[i].of].symbol;
        sum = expr_add(k->ctx, sum, expr_mul(k->ctx, by, k->drift[f->at[i].of]));
        sum = expr_add(k->ctx, sum, expr_mul(k->ctx, rate, x));
    }
    return recipe_name_either(k->r, sum);
}

static void differentiate(by_links *k)
{
    const size_t all = k->l->variables.count;
    k->partial = NEW_ARRAY(k->a, ah_expr, all * k->m);
    k->drift = NEW_ARRAY(k->a, ah_expr, all);
    for (size_t i = 0; i < all; i++) {
        k->drift[i] = expr_int(k->ctx, 0);
        for (uint32_t j = 0; j < k->m; j++)
            k->partial[i * k->m + j] =
                expr_int(k->ctx, k->l->variables.at[i].symbol == k->w->c->second[j]);
    }
    for (size_t i = 0; i < k->l->order.count; i++) {
        const uint32_t x = k->l->order.at[i];
        const links_form *f = &k->l->variables.at[x].is;
        for (uint32_t j = 0; j < k->m; j++) k->partial[x * k->m + j] = partial_of(k, f, j);
        k->drift[x] = drift_of(k, f);
    }
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* K += VᵀG V, b −= Vᵀ G d + Vᵀ f of some forms; f may have no rows. */
static void add(by_links *k, size_t count, const links_form *form, mat G, mat f)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->a;
    ah_expr *V = NEW_ARRAY(a, ah_expr, count * k->m), *d = NEW_ARRAY(a, ah_expr, count);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < k->m; j++) V[i * k->m + j] = partial_of(k, &form[i], j);
        d[i] = drift_of(k, &form[i]);
    }
    const mat by = mat_from_dense(ctx, a, (uint32_t) count, k->m, V), T = mat_transpose(ctx, a, by);
    mat force = mat_mul(ctx, a, G, mat_from_dense(ctx, a, (uint32_t) count, 1, d));
    if (f.rows) force = mat_add(ctx, a, force, f);
    k->K = mat_add(ctx, a, k->K, mat_mul3(ctx, a, T, G, by));
    k->b = mat_sub(ctx, a, k->b, mat_mul(ctx, a, T, force));
}

/* x = c u put in for its components' variables. */
static links_form opened(by_links *k, links_form f)
{
    links_form out = {0};
    for (size_t i = 0; i < f.count; i++) {
        const links_variable *x = &k->l->variables.at[f.at[i].of];
        const bool single = f.at[i].of && x->known && x->is.count == 1;
        if (single)
            links_add(k->ctx, k->a, &out, x->is.at[0].of,
                      expr_mul(k->ctx, f.at[i].by, x->is.at[0].by));
        else
            links_add(k->ctx, k->a, &out, f.at[i].of, f.at[i].by);
    }
    return out;
}

/* The velocity along its one direction, where that is of a fixed length: |c|², u and g·c. */
static bool is_single(by_links *k, const links_form *form, ah_vector g, ah_expr *square,
                      links_form *u, ah_expr *pull)
{
    ah_ctx *ctx = k->ctx;
    uint32_t of = 0;
    *square = *pull = expr_int(ctx, 0);
    for (int c = 0; c < 3; c++) {
        const links_form f = opened(k, form[c]);
        if (f.count > 1 || (f.count == 1 && of && f.at[0].of != of)) return false;
        if (!f.count) continue;
        of = f.at[0].of;
        *square = expr_add(ctx, *square, expr_powi(ctx, f.at[0].by, 2));
        *pull = expr_add(ctx, *pull, expr_mul(ctx, g.c[c], f.at[0].by));
    }
    *square = algebra_simplify(k->w->alg, *square);
    *u = (links_form){0};
    if (!of || !expr_is_fixed(ctx, *square)) return false;
    links_add(ctx, k->a, u, of, expr_int(ctx, 1));
    return true;
}

static bool forms_of(by_links *k, ah_vector x, links_form *out)
{
    bool good = true;
    for (int c = 0; c < 3; c++) good = good && links_form_of(k->ctx, k->a, k->l, x.c[c], &out[c]);
    return good;
}

static bool add_linear(by_links *k, const model_part *p)
{
    ah_ctx *ctx = k->ctx;
    const ah_model *m = k->w->p->model;
    ah_vector g = vector_zero(ctx);
    links_form form[3], u;
    ah_expr square, pull;
    if (!forms_of(k, p->velocity, form)) return false;
    for (size_t i = 0; i < m->gravity.count; i++) g = vector_add(ctx, g, m->gravity.at[i]);
    const ah_expr minus = expr_neg(ctx, p->mass);
    if (is_single(k, form, g, &square, &u, &pull)) {
        const ah_expr mass = expr_mul(ctx, p->mass, square), f = expr_mul(ctx, minus, pull);
        add(k, 1, &u, mat_from_dense(ctx, k->a, 1, 1, &mass), mat_from_dense(ctx, k->a, 1, 1, &f));
        return true;
    }
    add(k, 3, form, mat_scale(ctx, k->a, p->mass, mat_identity(ctx, k->a, 3)),
        mat_scale(ctx, k->a, minus, mat_from_dense(ctx, k->a, 3, 1, g.c)));
    return true;
}

static bool add_angular(by_links *k, const model_part *p)
{
    ah_ctx *ctx = k->ctx;
    const ah_expr *J = p->inertia;
    const ah_expr dense[] = {J[0], J[5], J[4], J[5], J[1], J[3], J[4], J[3], J[2]};
    const mat I = mat_from_dense(ctx, k->a, 3, 3, dense);
    const ah_vector axes = attitudes_axes(ctx, p);
    const bool gyroscopic = axes.c[0] == p->omega_body.c[0] && axes.c[1] == p->omega_body.c[1] &&
                            axes.c[2] == p->omega_body.c[2];
    links_form form[3];
    ah_vector omega, turning = vector_zero(ctx);
    if (!forms_of(k, axes, form)) return false;
    for (int c = 0; c < 3; c++)
        omega.c[c] = recipe_name_either(k->r, value_of(ctx, k->r, k->l, &form[c]));
    if (gyroscopic) {
        const mat H = mat_mul(ctx, k->a, I, mat_from_dense(ctx, k->a, 3, 1, omega.c));
        ah_vector momentum;
        for (uint32_t c = 0; c < 3; c++)
            momentum.c[c] = recipe_name_either(k->r, mat_get(ctx, H, c, 0));
        turning = vector_cross(ctx, omega, momentum);
    }
    add(k, 3, form, I, mat_from_dense(ctx, k->a, 3, 1, turning.c));
    return true;
}

/* A kinetic energy that is given besides, vᵀR v/2 with R the same everywhere; false: it is another. */
static bool add_given(by_links *k)
{
    ah_ctx *ctx = k->ctx;
    const ah_model *m = k->w->p->model;
    const ah_expr T = expr_sum(ctx, m->kinetic_terms.count, m->kinetic_terms.at);
    const mat p = mat_gradient(ctx, k->a, T, m->n, m->v.at);
    const mat R = mat_jacobian(ctx, k->a, p, m->n, m->v.at);
    for (uint32_t i = 0; i < mat_entries(R); i++)
        if (!expr_is_fixed(ctx, R.val[i])) return false;
    ah_expr *zero = NEW_ARRAY(k->a, ah_expr, m->n);
    links_form *form = NEW_ARRAY(k->a, links_form, m->n);
    for (uint32_t i = 0; i < m->n; i++) {
        zero[i] = expr_int(ctx, 0);
        links_add(ctx, k->a, &form[i], 1 + i, expr_int(ctx, 1));
    }
    const mat one = mat_from_dense(ctx, k->a, 1, 1, &T);
    if (mat_entries(mat_subst(ctx, k->a, p, m->n, m->v.at, zero)) ||
        mat_entries(mat_subst(ctx, k->a, one, m->n, m->v.at, zero)))
        return false;
    add(k, m->n, form, R, (mat){0});
    return true;
}

/* Ψᵀ Q, Q without the weight of the parts. */
static mat forces(by_links *k)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->a;
    const ah_model *m = k->w->p->model;
    ah_expr V = expr_int(ctx, 0);
    for (size_t i = 0; i < m->parts.count; i++)
        V = expr_add(ctx, V, model_part_potential(k->w->p->model, &m->parts.at[i]));
    const mat weight = mat_neg(ctx, a, mat_gradient(ctx, a, V, m->n, m->q.at));
    const mat rest = mat_sub(ctx, a, k->w->mech->K, weight);
    const mat Psi = mat_from_dense(ctx, a, m->n, k->m, k->partial + k->m);
    return mat_mul(ctx, a, mat_transpose(ctx, a, Psi), making_shorter(k->w, k->r, rest));
}

bool making_lower_by_links(making *w, recipe *r, expr_list *out)
{
    const ah_model *m = w->p->model;
    by_links k = {
        .w = w, .r = r, .ctx = w->p->ctx, .a = w->p->arena, .l = w->c->links, .m = w->c->m};
    mat rate;
    if (!k.l) return false;
    making_define_links(k.l, r);
    find_rates(&k);
    differentiate(&k);
    k.K = mat_zero(k.ctx, k.a, k.m, k.m);
    k.b = forces(&k);
    for (size_t i = 0; i < m->parts.count; i++) {
        if (!add_linear(&k, &m->parts.at[i])) return false;
        if (m->parts.at[i].is_body && !add_angular(&k, &m->parts.at[i])) return false;
    }
    if (m->kinetic_given && !add_given(&k)) return false;
    r->alg = NULL; /* what has names is short */
    if (!recipe_solve(r, k.K, k.b, &rate)) return false;
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(k.a, out, m->v.at[i]);
    making_push(w, out, rate);
    return true;
}
