/* making/making_frames.c - the right-hand side through frames (frames.h): M by composite bodies, all other forces from the tips to the roots
 * [Featherstone1983], in the speeds σ, of which as many are dependent as there are constraints.
 *
 * Rows A σ + c = 0 leave σ = Z y + d₀ and σ' = Z y' + d (recipe_free), y some of σ; then
 *
 *     Zᵀ M Z y' = Zᵀ (Q − β − M d),
 *
 * β what the forces of inertia are at σ' = 0. Of a frame, u the velocity of its origin and Ω in its axes, W σ what it turns against the
 * one before, u₀ and Ω₀ of that, there and (rates of components) at σ' = 0:
 *
 *     Ω = Eᵀ Ω₀ + W σ,     Ω' = Eᵀ Ω₀' + (Eᵀ Ω₀) × W σ + W' σ,
 *     u = Eᵀ w,  w = u₀ + Ω₀ × X + V σ,     u' = Eᵀ (u₀' + Ω₀' × X + Ω₀ × V σ + V' σ) − W σ × u,
 *
 * the parts in it have the force m a + Ω' × h + Ω × (Ω × h), a = u' + Ω × u − g, and about its origin the torque
 * h × a + J Ω' + Ω × (J Ω + H), H that of what spins. */
#include "frames.h"

#include <math.h>

typedef struct acceleration {
    mat u, Omega;  /* of the origin, and the axes, in these, … */
    mat du, alpha; /* … the rates of their components at σ' = 0 */
    mat force, torque;
} acceleration;

typedef struct by_frames {
    frames f;
    mat sigma, d; /* n × 1 */
    mat M, beta;
    acceleration at[FRAMES_MOST];
} by_frames;

static mat scaled(const frames *k, ah_expr by, mat x)
{
    return mat_scale(k->ctx, k->a, by, x);
}

static ah_expr dot(const frames *k, mat x, mat y)
{
    return mat_get(k->ctx, frames_back(k, x, y), 0, 0);
}

/* ---- Velocities, and their rates at σ' = 0 ---------------------------------------------------- */

static void accelerate(by_frames *w, uint32_t i)
{
    frames *k = &w->f;
    const frames_axes *f = &k->at[i];
    acceleration *x = &w->at[i];
    const bool space = f->before == FRAMES_SPACE;
    const mat none = mat_zero(k->ctx, k->a, 3, 1);
    const acceleration rest = {none, none, none, none, none, none},
                       *b = space ? &rest : &w->at[f->before];
    const mat E = frames_named(k, f->E), X = frames_named(k, f->X),
              V = frames_mul(k, frames_named(k, f->V), w->sigma);
    const mat spin = frames_named(k, frames_mul(k, frames_named(k, f->W), w->sigma)),
              turned = frames_named(k, frames_back(k, E, b->Omega));
    const mat bends = frames_mul(k, frames_named(k, mat_dt(k->ctx, k->a, f->W)), w->sigma);
    x->Omega = frames_named(k, frames_add(k, turned, spin));
    x->alpha = frames_named(
        k, frames_add(k, frames_add(k, frames_back(k, E, b->alpha), frames_cross(k, turned, spin)),
                      bends));
    if (f->moves) {
        x->u = frames_named(k, V), x->du = none;
        return;
    }
    const mat slides = frames_mul(k, frames_named(k, mat_dt(k->ctx, k->a, f->V)), w->sigma);
    const mat at = frames_add(k, b->u, frames_cross(k, b->Omega, X)),
              by = frames_add(k, b->du, frames_cross(k, b->alpha, X));
    x->u = frames_named(k, frames_back(k, E, frames_named(k, frames_add(k, at, V))));
    x->du = frames_back(
        k, E,
        frames_named(k,
                     frames_add(k, frames_add(k, by, frames_cross(k, b->Omega, frames_named(k, V))),
                                slides)));
    x->du = frames_named(k, mat_sub(k->ctx, k->a, x->du, frames_cross(k, spin, x->u)));
}

/* ---- Constraints ----------------------------------------------------------------------------- */

/* d/dt of the velocity there, in the axes. */
static mat drift_there(const by_frames *w, const touching *x)
{
    const frames *k = &w->f;
    const acceleration *b = &w->at[x->frame];
    const mat arm = frames_named(k, x->arm), slope = frames_named(k, touches_slope(k, x, b->Omega));
    mat turn = touches_beside(k, x, b->Omega);
    mat out = frames_add(k, b->du, frames_cross(k, touches_beside(k, x, b->alpha), arm));
    if (x->spin) {
        const ah_expr rate = mat_get(k->ctx, w->sigma, x->spin->speed, 0);
        turn = frames_add(k, turn, scaled(k, rate, x->spin->axis));
        out = frames_add(k, out, frames_cross(k, b->alpha, x->spin->centre));
    }
    return frames_named(k, frames_add(k, out, frames_cross(k, turn, slope)));
}

static void put_rows(const frames *k, mat *to, const uint32_t *row, mat by)
{
    uint32_t *order = NEW_ARRAY(k->a, uint32_t, to->rows + 1);
    for (uint32_t i = 0; i < to->rows; i++) order[i] = i;
    for (uint32_t l = 0; l < 3; l++) order[row[l]] = to->rows + l;
    *to = mat_rows(k->ctx, k->a, mat_stack(k->ctx, k->a, *to, by), order, to->rows);
}

/* v = Ψ σ, but for those that are variables. */
static void define_velocities(by_frames *w)
{
    const frames *k = &w->f;
    const motion_code *c = k->w->c;
    const mat v = frames_mul(k, k->Psi, w->sigma);
    for (uint32_t i = 0; i < k->n; i++) {
        const ah_expr symbol = k->w->p->model->v.at[i];
        bool given = false;
        for (uint32_t j = 0; j < c->m; j++) given = given || c->second[j] == symbol;
        if (!given) recipe_define(k->r, symbol, mat_get(k->ctx, v, i, 0));
    }
}

/* σ = Z y + d₀, y those of σ that are independent, by v. */
static void define_speeds(by_frames *w, mat Z, mat d0)
{
    const frames *k = &w->f;
    const ah_model *m = k->w->p->model;
    ah_expr y[FRAMES_COORDINATES];
    for (uint32_t i = 0; i < k->n; i++) {
        const mat Zi = mat_rows(k->ctx, k->a, Z, &i, 1);
        if (mat_entries(Zi) != 1 || !expr_is_one(k->ctx, Zi.val[0])) continue;
        if (k->speed[i] != m->v.at[i] && !k->w->c->framed)
            recipe_define(k->r, k->speed[i], k->through[i]);
        y[Zi.col[0]] = k->speed[i];
    }
    const mat by = frames_mul(k, Z, mat_from_dense(k->ctx, k->a, Z.cols, 1, y));
    w->sigma = frames_named(k, frames_add(k, by, d0));
    if (k->w->c->framed) define_velocities(w);
    for (uint32_t i = 0; i < k->count; i++) accelerate(w, i);
}

/* The rows C_v v + c, v = Ψ σ, as A σ + c: `rest` by q what is no velocity of a place, …  */
typedef struct rows {
    mat A, rest, c;
    touches of; /* … which these are */
} rows;

static rows rows_of(by_frames *w)
{
    frames *k = &w->f;
    ah_ctx *ctx = k->ctx;
    arena *a = k->a;
    const mat C = k->w->mech->C;
    const ah_model *m = k->w->p->model;
    ah_expr zero[FRAMES_COORDINATES];
    mat V[FRAMES_MOST], W[FRAMES_MOST];
    for (uint32_t i = 0; i < k->n; i++) zero[i] = expr_int(ctx, 0);
    const mat C_v = mat_jacobian(ctx, a, C, k->n, m->v.at);
    rows x = {.c = mat_subst(ctx, a, C, k->n, m->v.at, zero)};
    x.rest = frames_shortened(k, frames_mul(k, C_v, k->Psi));
    x.of = touches_find(k, x.rest, C_v, x.c);
    for (size_t i = 0; i < x.of.count; i++)
        put_rows(k, &x.rest, x.of.at[i].row, mat_zero(ctx, a, 3, k->n));
    x.rest = frames_simplified(k, x.rest);
    x.A = frames_named(k, x.rest);
    touches_frames(k, true, V, W);
    for (size_t i = 0; i < x.of.count; i++) {
        touching t = x.of.at[i];
        t.arm = frames_named(k, t.arm);
        put_rows(k, &x.A, t.row, frames_named(k, touches_velocity(k, &t, V[t.frame], W[t.frame])));
    }
    return x;
}

/* The speeds that are variables; NULL: those that are best at the sample state. */
static const uint32_t *chosen_of(const frames *k)
{
    const motion_code *c = k->w->c;
    uint32_t *chosen = NEW_ARRAY(k->a, uint32_t, k->n + 1), count = 0;
    if (!c->framed) return NULL;
    for (uint32_t i = 0; i < k->n; i++)
        for (uint32_t j = 0; j < c->m; j++)
            if (c->second[j] == k->speed[i]) chosen[count++] = i;
    return chosen;
}

static bool solve_rows(by_frames *w, mat *Z)
{
    frames *k = &w->f;
    const uint32_t rank = k->w->mech->rank, *chosen = chosen_of(k);
    const rows x = rows_of(w);
    mat d0;
    if (!recipe_free(k->r, x.A, x.c, rank, chosen, Z, &d0)) return false;
    define_speeds(w, *Z, d0);
    mat gamma = frames_mul(k, frames_named(k, mat_dt(k->ctx, k->a, x.rest)), w->sigma);
    gamma = frames_add(k, gamma, mat_dt(k->ctx, k->a, x.c));
    for (size_t i = 0; i < x.of.count; i++)
        put_rows(k, &gamma, x.of.at[i].row, drift_there(w, &x.of.at[i]));
    return recipe_free(k->r, x.A, frames_named(k, gamma), rank, chosen, Z, &w->d);
}

/* ---- Equations ------------------------------------------------------------------------------- */

static void add_to(by_frames *w, mat *to, uint32_t row, uint32_t col, ah_expr e)
{
    const frames *k = &w->f;
    const mat_entry one = {row, col, e};
    *to = frames_add(k, *to, mat_from_entries(k->ctx, k->a, to->rows, to->cols, &one, 1));
}

static mat V_of(const frames *k, const frames_axes *f)
{
    return f->moves ? f->V
                    : frames_named(k, frames_back(k, frames_named(k, f->E), frames_named(k, f->V)));
}

/* A frame with all that stands on it, about its origin. */
typedef struct composite {
    ah_expr mass;
    mat h, J;
} composite;

/* M_st += P·V_t + L·W_t for the speeds t of the frame. */
static void couple(by_frames *w, const frames_axes *f, uint32_t s, mat P, mat L, bool own)
{
    const frames *k = &w->f;
    const mat V = V_of(k, f), W = frames_named(k, f->W);
    for (uint32_t t = own ? s : 0; t < k->n; t++) {
        const mat Vt = frames_column(k, V, t), Wt = frames_column(k, W, t);
        if (!mat_entries(Vt) && !mat_entries(Wt)) continue;
        const ah_expr e = expr_add(k->ctx, dot(k, P, Vt), dot(k, L, Wt));
        add_to(w, &w->M, s, t, e);
        if (!own || t > s) add_to(w, &w->M, t, s, e);
    }
}

/* The momentum P, and L about the origin, that the speed s of a frame gives to what stands on it; with the speeds of the frames before. */
static void push(by_frames *w, uint32_t i, const composite *c, uint32_t s)
{
    const frames *k = &w->f;
    const mat V = frames_column(k, V_of(k, &k->at[i]), s);
    const mat W = frames_column(k, frames_named(k, k->at[i].W), s);
    if (!mat_entries(V) && !mat_entries(W)) return;
    mat P = frames_add(k, scaled(k, c->mass, V), frames_cross(k, W, c->h));
    mat L = frames_add(k, frames_cross(k, c->h, V), frames_mul(k, c->J, W));
    for (uint32_t j = i;; j = k->at[j].before) {
        P = frames_named(k, P), L = frames_named(k, L);
        couple(w, &k->at[j], s, P, L, j == i);
        if (k->at[j].before == FRAMES_SPACE) return;
        const mat E = frames_named(k, k->at[j].E), X = frames_named(k, k->at[j].X);
        P = frames_named(k, frames_mul(k, E, P));
        L = frames_add(k, frames_mul(k, E, L), frames_cross(k, X, P));
    }
}

/* To the frame before, with u = E h, v = u + m X/2:  J₀ += E J Eᵀ + 2 X·v 1 − X vᵀ − v Xᵀ. */
static void join(const frames *k, const frames_axes *f, const composite *c, composite *to)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->a;
    const mat E = frames_named(k, f->E), X = frames_named(k, f->X);
    const mat u = frames_named(k, frames_mul(k, E, c->h));
    const mat v = frames_add(k, u, scaled(k, expr_div(ctx, c->mass, expr_int(ctx, 2)), X));
    const mat Xv = frames_mul(k, X, mat_transpose(ctx, a, v));
    const ah_expr twice = expr_mul(ctx, expr_int(ctx, 2), dot(k, X, v));
    const mat both = frames_add(k, Xv, mat_transpose(ctx, a, Xv));
    const mat shift = mat_sub(ctx, a, scaled(k, twice, mat_identity(ctx, a, 3)), both);
    const mat J = frames_named(k, mat_mul3(ctx, a, E, c->J, mat_transpose(ctx, a, E)));
    to->J = frames_named(k, frames_add(k, to->J, frames_add(k, J, shift)));
    to->h = frames_named(k, frames_add(k, to->h, frames_add(k, u, scaled(k, c->mass, X))));
    to->mass = expr_add(ctx, to->mass, c->mass);
}

static void find_mass(by_frames *w)
{
    const frames *k = &w->f;
    composite c[FRAMES_MOST];
    w->M = mat_zero(k->ctx, k->a, k->n, k->n);
    for (uint32_t i = 0; i < k->count; i++)
        c[i] = (composite){k->at[i].mass, k->at[i].h, k->at[i].J};
    for (uint32_t i = k->count; i-- > 0;) {
        for (uint32_t s = 0; s < k->n; s++) push(w, i, &c[i], s);
        if (k->at[i].before != FRAMES_SPACE) join(k, &k->at[i], &c[i], &c[k->at[i].before]);
    }
    for (size_t i = 0; i < k->spins.count; i++) {
        const frames_spin *s = &k->spins.at[i];
        add_to(w, &w->M, s->speed, s->speed, s->inertia);
    }
}

/* How far |Z| may grow beside what it is at the sample state. */
#define WORST_CHOICE 4

/* Where the variables determine the other speeds badly, σ_i = Z_ij y_j with large Z, measured by M, others are to take their place. */
static void guard_choice(by_frames *w, mat Z)
{
    const frames *k = &w->f;
    ah_ctx *ctx = k->ctx;
    ah_expr all = expr_int(ctx, 0);
    mat_entry mass[FRAMES_COORDINATES];
    for (uint32_t i = 0; i < k->n; i++) mass[i] = (mat_entry){i, 0, mat_get(ctx, w->M, i, i)};
    const double *m = recipe_numbers(k->r, mat_from_entries(ctx, k->a, k->n, 1, mass, k->n));
    uint32_t of[FRAMES_COORDINATES];
    for (uint32_t i = 0; i < k->n; i++)
        if (Z.start[i + 1] == Z.start[i] + 1 && expr_is_one(ctx, Z.val[Z.start[i]]))
            of[Z.col[Z.start[i]]] = i;
    for (uint32_t i = 0; i < k->n; i++)
        for (uint32_t e = Z.start[i]; e < Z.start[i + 1]; e++)
            if (!expr_is_fixed(ctx, Z.val[e]))
                all = expr_add(ctx, all,
                               expr_mul(ctx, recipe_about(k->r, sqrt(m[i] / m[of[Z.col[e]]])),
                                        expr_call1(ctx, AH_ABS, Z.val[e])));
    const double now = *recipe_numbers(k->r, mat_from_dense(ctx, k->a, 1, 1, &all));
    const double most = WORST_CHOICE * fmax(now, 1);
    LIST_PUSH(k->a, &k->r->guards, ((recipe_guard){expr_int(ctx, 1), all, 1 / most}));
}

/* g in the axes. */
static mat weight_of(by_frames *w, uint32_t i)
{
    frames *k = &w->f;
    const frames_axes *f = &k->at[i];
    if (f->before != FRAMES_SPACE)
        return frames_named(k, frames_back(k, frames_named(k, f->E), weight_of(w, f->before)));
    const ah_vector g = making_gravity(k->w);
    return frames_named(
        k, frames_shortened(k, frames_back(k, f->E, mat_from_dense(k->ctx, k->a, 3, 1, g.c))));
}

static void load(by_frames *w, uint32_t i)
{
    frames *k = &w->f;
    const frames_axes *f = &k->at[i];
    acceleration *x = &w->at[i];
    const mat a = frames_add(k, x->du, frames_cross(k, x->Omega, x->u));
    const mat from = frames_named(k, mat_sub(k->ctx, k->a, a, weight_of(w, i)));
    mat H = frames_mul(k, f->J, x->Omega);
    for (size_t s = 0; s < k->spins.count; s++) {
        const frames_spin *p = &k->spins.at[s];
        if (p->frame != i) continue;
        const ah_expr by = expr_mul(k->ctx, p->inertia, mat_get(k->ctx, w->sigma, p->speed, 0));
        H = frames_add(k, H, scaled(k, by, p->axis));
    }
    const mat about = frames_named(k, frames_cross(k, x->Omega, f->h));
    const mat turn =
        frames_add(k, frames_cross(k, x->alpha, f->h), frames_cross(k, x->Omega, about));
    const mat spin = frames_cross(k, x->Omega, frames_named(k, H));
    x->force = frames_add(k, scaled(k, f->mass, from), turn);
    x->torque = frames_add(k, frames_cross(k, f->h, from), frames_mul(k, f->J, x->alpha));
    x->torque = frames_add(k, x->torque, spin);
}

static void find_forces(by_frames *w)
{
    frames *k = &w->f;
    w->beta = mat_zero(k->ctx, k->a, k->n, 1);
    for (uint32_t i = 0; i < k->count; i++) load(w, i);
    for (uint32_t i = k->count; i-- > 0;) {
        const frames_axes *f = &k->at[i];
        acceleration *x = &w->at[i];
        x->force = frames_named(k, x->force);
        x->torque = frames_named(k, x->torque);
        const mat V = V_of(k, f), W = frames_named(k, f->W);
        w->beta = frames_add(
            k, w->beta, frames_add(k, frames_back(k, V, x->force), frames_back(k, W, x->torque)));
        if (f->before == FRAMES_SPACE) continue;
        acceleration *b = &w->at[f->before];
        const mat E = frames_named(k, f->E), X = frames_named(k, f->X);
        const mat force = frames_named(k, frames_mul(k, E, x->force));
        b->force = frames_add(k, b->force, force);
        b->torque = frames_add(
            k, b->torque, frames_add(k, frames_mul(k, E, x->torque), frames_cross(k, X, force)));
    }
}

/* S, with σ = S v. */
static mat by_velocities(const frames *k)
{
    const mat s = mat_from_dense(k->ctx, k->a, k->n, 1, k->through);
    return mat_jacobian(k->ctx, k->a, s, k->n, k->w->p->model->v.at);
}

/* v' of σ' = S v' + S' v. */
static bool rates(by_frames *w, mat sigma_dot, mat *out)
{
    frames *k = &w->f;
    const ah_model *m = k->w->p->model;
    ah_expr zero[FRAMES_COORDINATES];
    for (uint32_t i = 0; i < k->n; i++) zero[i] = expr_int(k->ctx, 0);
    const mat s = mat_from_dense(k->ctx, k->a, k->n, 1, k->through);
    const mat drift = mat_subst(k->ctx, k->a, mat_dt(k->ctx, k->a, s), k->n, m->a.at, zero);
    const mat right = mat_sub(k->ctx, k->a, sigma_dot, drift);
    return recipe_solve(k->r, by_velocities(k), right, out);
}

static bool applies(const making *w)
{
    const mechanics *e = w->mech;
    return (!w->c->psi || w->c->framed) && (!w->c->row || w->c->framed) && e->rank == e->r &&
           e->linear && !e->tree && !e->second_class;
}

bool making_lower_by_frames(making *w, recipe *r, expr_list *out)
{
    const ah_model *m = w->p->model;
    by_frames *b = NEW(w->p->arena, by_frames);
    frames *k = &b->f;
    mat Z, rate, y;
    *b = (by_frames){.f = {.w = w, .r = r, .ctx = w->p->ctx, .a = w->p->arena}};
    if (!applies(w) || !frames_find(k)) return false;
    if (!w->mech->r) {
        Z = mat_identity(k->ctx, k->a, k->n);
        b->d = mat_zero(k->ctx, k->a, k->n, 1);
        define_speeds(b, Z, b->d);
    } else if (!solve_rows(b, &Z))
        return false;
    find_mass(b);
    if (w->c->framed) guard_choice(b, Z);
    find_forces(b);
    const mat Q = frames_back(k, k->Psi, making_other_forces(w, r));
    const mat M = frames_named(k, b->M), MZ = frames_named(k, frames_mul(k, M, Z));
    const mat rest = frames_named(k, mat_sub(k->ctx, k->a, Q, b->beta));
    const mat right = mat_sub(k->ctx, k->a, frames_back(k, Z, rest), frames_back(k, MZ, b->d));
    r->alg = NULL; /* what has names is short */
    if (!recipe_solve(r, recipe_symmetric(r, frames_back(k, Z, MZ)), right, &y)) return false;
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(k->a, out, m->v.at[i]);
    if (w->c->framed) {
        making_push(w, out, y);
        return true;
    }
    if (!rates(b, frames_add(k, frames_mul(k, Z, y), b->d), &rate)) return false;
    making_push(w, out, rate);
    return true;
}

/* ---- Variables ------------------------------------------------------------------------------- */

/* By what stands behind the names of the recipe. */
static mat without_names(const frames *k, mat m)
{
    const size_t count = k->r->steps.count;
    ah_expr *from = NEW_ARRAY(k->a, ah_expr, count + 1), *to = NEW_ARRAY(k->a, ah_expr, count + 1);
    for (size_t i = 0; i < count; i++) {
        from[i] = k->r->steps.at[i].symbol;
        to[i] = expr_subst(k->ctx, k->r->steps.at[i].value, i, from, to);
    }
    return mat_subst(k->ctx, k->a, m, count, from, to);
}

/* v = Ψ (Z y + d₀). */
static attitude_frame frame_of(const frames *k, mat Z, mat d0)
{
    ah_ctx *ctx = k->ctx;
    const ah_model *m = k->w->p->model;
    const uint32_t count = Z.cols;
    ah_expr *y = NEW_ARRAY(k->a, ah_expr, count), *by = NEW_ARRAY(k->a, ah_expr, count);
    uint32_t *order = NEW_ARRAY(k->a, uint32_t, count);
    for (uint32_t i = 0; i < k->n; i++) {
        const mat Zi = mat_rows(ctx, k->a, Z, &i, 1);
        if (mat_entries(Zi) != 1 || !expr_is_one(ctx, Zi.val[0])) continue;
        y[Zi.col[0]] = k->speed[i];
        by[Zi.col[0]] = k->through[i];
    }
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    const mat sigma = frames_add(k, frames_mul(k, Z, mat_from_dense(ctx, k->a, count, 1, y)), d0);
    const mat psi = without_names(k, frames_mul(k, k->Psi, sigma));
    const mat f = mat_from_dense(ctx, k->a, count, 1, by);
    return (attitude_frame){.count = count,
                            .symbol = y,
                            .row = order,
                            .psi = mat_to_dense(ctx, k->a, psi),
                            .f = f,
                            .f_v = mat_jacobian(ctx, k->a, f, k->n, m->v.at),
                            .watched = true,
                            .framed = true};
}

bool making_speeds_of_frames(point *p, attitude_frame *out)
{
    motion_code plain = {.ctx = p->ctx,
                         .arena = p->arena,
                         .n = p->model->n,
                         .m = p->model->n,
                         .second = p->model->v.at};
    making w = making_of(&plain, p);
    recipe r = making_begin(&w, true);
    by_frames *b = NEW(p->arena, by_frames);
    frames *k = &b->f;
    mat Z, d0;
    *b = (by_frames){.f = {.w = &w, .r = &r, .ctx = p->ctx, .a = p->arena}};
    if (!applies(&w) || !frames_find(k)) return false;
    const rows x = rows_of(b);
    if (!recipe_free(&r, x.A, x.c, p->mech->rank, NULL, &Z, &d0)) return false;
    *out = frame_of(k, Z, d0);
    return true;
}

bool making_move_by_frames(making *w, recipe *r, mat g, ah_expr *d)
{
    by_frames *b = NEW(w->p->arena, by_frames);
    frames *k = &b->f;
    mat Z, to, y, move;
    *b = (by_frames){.f = {.w = w, .r = r, .ctx = w->p->ctx, .a = w->p->arena}};
    if (!applies(w) || !frames_find(k)) return false;
    const rows x = rows_of(b);
    mat left = frames_named(k, g);
    for (size_t i = 0; i < x.of.count; i++)
        put_rows(k, &left, x.of.at[i].row, touches_value(k, &x.of.at[i], g));
    if (!recipe_free(r, x.A, left, w->mech->rank, NULL, &Z, &to)) return false;
    find_mass(b);
    const mat MZ = frames_named(k, frames_mul(k, frames_named(k, b->M), Z));
    const mat right = mat_neg(k->ctx, k->a, frames_back(k, MZ, to));
    if (!recipe_solve(r, recipe_symmetric(r, frames_back(k, Z, MZ)), right, &y)) return false;
    const mat all = frames_add(k, frames_mul(k, Z, y), to);
    if (!recipe_solve(r, by_velocities(k), all, &move)) return false;
    for (uint32_t i = 0; i < k->n; i++) d[i] = mat_get(k->ctx, move, i, 0);
    return true;
}
