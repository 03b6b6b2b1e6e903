/* making/frames.c - see frames.h. */
#include "frames.h"

#include <math.h>

/* How far numbers may differ, relative. */
#define SAME 1e-12

/* ---- What a formula depends on --------------------------------------------------------------- */

bool frames_depends(const frames *k, mat m, uint32_t i)
{
    for (uint32_t e = 0; e < mat_entries(m); e++)
        if (expr_depends(k->ctx, m.val[e], k->w->p->model->q.at[i])) return true;
    return false;
}

uint32_t frames_depend(const frames *k, mat m, uint32_t *which)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < k->n; i++)
        if (frames_depends(k, m, i)) which[count++] = i;
    return count;
}

/* Every other one is beside the present state, the rest far from it, and ever farther, but for what the model assumes something of: what
 * holds at all of them, to rounding errors, holds of sums of powers, sines and cosines. */
static void draw_states(frames *k)
{
    const point *p = k->w->p;
    const ah_model *m = p->model;
    probe_rng rng = probe_seed(1);
    for (int d = 0; d < FRAMES_DRAWS; d++) {
        frame *at = k->draw[d] = frame_copy(k->a, p->values);
        for (size_t i = 0; i < m->parameters.count; i++)
            *frame_ref(at, m->parameters.at[i].symbol) *= 1 + probe_uniform(&rng, -0.1, 0.1);
        for (uint32_t i = 0; i < m->n; i++) {
            bool free = d % 2;
            for (size_t f = 0; f < m->facts.count; f++)
                free = free && !expr_depends(k->ctx, m->facts.at[f].e, m->q.at[i]);
            *frame_ref(at, m->q.at[i]) += probe_uniform(&rng, -0.5, 0.5) * (free ? pow(8, d) : 1);
            *frame_ref(at, m->v.at[i]) += probe_uniform(&rng, -1, 1);
        }
        *frame_ref(at, p->mech->t) += probe_uniform(&rng, 0, 1);
    }
}

bool frames_same(const frames *k, mat x, mat y, ah_expr where)
{
    arena *scratch = &k->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    const size_t count = (size_t) x.rows * x.cols;
    expr_list all = {0};
    const ah_expr *dense[] = {mat_to_dense(k->ctx, scratch, x), mat_to_dense(k->ctx, scratch, y)};
    for (size_t i = 0; i < 2 * count; i++) LIST_PUSH(scratch, &all, dense[i / count][i % count]);
    LIST_PUSH(scratch, &all, where == AH_NONE ? expr_int(k->ctx, 1) : where);
    const expr_plan *plan = expr_plan_create(k->ctx, scratch, all.at, all.count);
    double *value = NEW_ARRAY(scratch, double, all.count),
           *size = NEW_ARRAY(scratch, double, all.count);
    bool good = true;
    int compared = 0;
    for (int d = 0; d < FRAMES_DRAWS && good; d++) {
        bool finite = true;
        expr_plan_run_scaled(plan, k->draw[d], value, size);
        for (size_t i = 0; i < all.count; i++) finite = finite && isfinite(value[i]);
        if (!finite || !(value[2 * count] > 0)) continue;
        compared++;
        for (size_t i = 0; i < count; i++)
            good =
                good && fabs(value[i] - value[i + count]) <= SAME * fmax(size[i], size[i + count]);
    }
    arena_release(scratch, mark);
    return good && compared >= FRAMES_COMPARED;
}

bool frames_plain(const frames *k, mat m)
{
    const expr_list all = expr_reachable(k->ctx, k->a, m.val, mat_entries(m));
    for (size_t i = 0; i < all.count; i++) {
        if (expr_get_op(k->ctx, all.at[i]) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(k->ctx, all.at[i]);
        if (f != AH_SIN && f != AH_COS) return false;
    }
    return true;
}

mat frames_shortened(frames *k, mat m)
{
    const ah_expr zero = expr_int(k->ctx, 0);
    for (uint32_t i = 0; i < k->n; i++) {
        if (!frames_depends(k, m, i)) continue;
        const mat without = mat_subst(k->ctx, k->a, m, 1, &k->w->p->model->q.at[i], &zero);
        if (frames_same(k, m, without, AH_NONE)) m = without;
    }
    return m;
}

/* ---- Where a part stands --------------------------------------------------------------------- */

typedef struct standing {
    uint32_t before;
    int round; /* the axis about which it turns there, its number; -1: its axes are its own */
    mat E, p;  /* … of the part, its place: in the axes `before` */
    uint32_t depends;
} standing;

static mat column_of(const frames *k, ah_vector x)
{
    return mat_from_dense(k->ctx, k->a, 3, 1, x.c);
}

mat frames_cross(const frames *k, mat x, mat y)
{
    ah_vector u, v;
    for (uint32_t i = 0; i < 3; i++) {
        u.c[i] = mat_get(k->ctx, x, i, 0);
        v.c[i] = mat_get(k->ctx, y, i, 0);
    }
    return column_of(k, vector_cross(k->ctx, u, v));
}

mat frames_mul(const frames *k, mat x, mat y)
{
    return mat_mul(k->ctx, k->a, x, y);
}

mat frames_add(const frames *k, mat x, mat y)
{
    return mat_add(k->ctx, k->a, x, y);
}

mat frames_column(const frames *k, mat m, uint32_t i)
{
    return mat_cols(k->ctx, k->a, m, &i, 1);
}

mat frames_named(const frames *k, mat m)
{
    return recipe_name_all(k->r, m, recipe_name_either);
}

static mat transposed(const frames *k, mat x)
{
    return mat_transpose(k->ctx, k->a, x);
}

mat frames_back(const frames *k, mat E, mat x)
{
    return frames_mul(k, transposed(k, E), x);
}

/* The axis about which the inertia is round; -1: none. */
static int round_about(const frames *k, const model_part *p)
{
    if (!p->is_body) return -1;
    for (int i = 3; i < 6; i++)
        if (!expr_is_zero(k->ctx, p->inertia[i])) return -1;
    for (int i = 0; i < 3; i++)
        if (p->inertia[(i + 1) % 3] == p->inertia[(i + 2) % 3]) return i;
    return -1;
}

static mat rotation_of(const frames *k, const model_part *p)
{
    return p->is_body ? mat_from_dense(k->ctx, k->a, 3, 3, &p->rotation[0][0])
                      : mat_identity(k->ctx, k->a, 3);
}

static mat by_velocities(const frames *k, mat column)
{
    return mat_jacobian(k->ctx, k->a, column, k->n, k->w->p->model->v.at);
}

/* In the axes of frame i, or of space. */
static standing stand(frames *k, const model_part *p, uint32_t i, int axis)
{
    const bool space = i == FRAMES_SPACE;
    uint32_t which[FRAMES_COORDINATES];
    const mat one = mat_identity(k->ctx, k->a, 3), R = rotation_of(k, p);
    const mat back = space ? one : transposed(k, k->at[i].R);
    const mat place = column_of(k, p->place);
    const mat from = space ? place : mat_sub(k->ctx, k->a, place, k->at[i].place);
    standing s = {.before = i, .round = -1, .E = one};
    s.p = frames_shortened(k, frames_mul(k, back, from));
    if (p->is_body) {
        s.E = frames_shortened(k, frames_mul(k, back, R));
        const uint32_t at = (uint32_t) axis;
        if (axis >= 0 && !frames_depend(k, mat_cols(k->ctx, k->a, s.E, &at, 1), which))
            s.round = axis;
    }
    s.depends = frames_depend(
        k, s.round >= 0 ? s.p : mat_stack(k->ctx, k->a, s.E, transposed(k, s.p)), which);
    return s;
}

static standing best_of(frames *k, const model_part *p, int axis)
{
    standing best = stand(k, p, FRAMES_SPACE, axis);
    for (uint32_t i = 0; i < k->count; i++) {
        const standing s = stand(k, p, i, axis);
        if (s.depends < best.depends) best = s;
    }
    return best;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

/* The vector in the turning axes that stays where it is there while the angle alone changes: with W the rate of the angle,
 * Eᵀ ∂p/∂angle = W × c. */
static mat arm_by_one(frames *k, const frames_axes *f, mat p, uint32_t angle)
{
    const mat W = mat_cols(k->ctx, k->a, f->W, &angle, 1);
    const mat slope = mat_derivative(k->ctx, k->a, p, k->w->p->model->q.at[angle]);
    return frames_cross(k, frames_shortened(k, frames_back(k, f->E, slope)), W);
}

/* The same where there are several: what is left when terms without them are taken away. */
static mat arm_by_terms(frames *k, const frames_axes *f, mat p, const uint32_t *angle,
                        uint32_t count)
{
    ah_vector rest;
    for (uint32_t i = 0; i < 3; i++) {
        const ah_expr e = mat_get(k->ctx, p, i, 0);
        const bool sum = expr_get_op(k->ctx, e) == EXPR_SUM;
        rest.c[i] = expr_int(k->ctx, 0);
        for (size_t t = 0; t < (sum ? expr_get_count(k->ctx, e) : 1); t++) {
            const ah_expr term = sum ? expr_get_children(k->ctx, e)[t] : e;
            bool turns = false;
            for (uint32_t j = 0; j < count; j++)
                turns = turns || expr_depends(k->ctx, term, k->w->p->model->q.at[angle[j]]);
            if (turns) rest.c[i] = expr_add(k->ctx, rest.c[i], term);
        }
    }
    return frames_shortened(k, frames_back(k, f->E, column_of(k, rest)));
}

/* p = X + E c with c the same at all states, and X at rest while the axes turn; c. */
static mat place_origin(frames *k, frames_axes *f, mat p)
{
    uint32_t angle[FRAMES_COORDINATES], which[FRAMES_COORDINATES];
    const uint32_t count = frames_depend(k, f->E, angle);
    const mat none = mat_zero(k->ctx, k->a, 3, 1);
    bool turns = false;
    for (uint32_t i = 0; i < count; i++) turns = turns || frames_depends(k, p, angle[i]);
    f->X = p;
    if (!turns) return none;
    const mat c = count == 1 ? arm_by_one(k, f, p, angle[0]) : arm_by_terms(k, f, p, angle, count);
    if (frames_depend(k, c, which)) return none;
    const mat X = frames_shortened(k, mat_sub(k->ctx, k->a, p, frames_mul(k, f->E, c)));
    for (uint32_t i = 0; i < count; i++)
        if (frames_depends(k, X, angle[i])) return none;
    f->X = frames_simplified(k, X);
    return frames_simplified(k, c);
}

static bool is_speed(const frames *k, uint32_t i)
{
    return k->speed[i] != k->w->p->model->v.at[i];
}

static void replace(frames *k, uint32_t i, ah_expr through)
{
    k->speed[i] = attitudes_symbol(k->w->p, i + 1);
    k->through[i] = through;
}

/* Ω as speeds of axes that turn in space by three angles. */
static bool take_turning(frames *k, frames_axes *f)
{
    ah_ctx *ctx = k->ctx;
    uint32_t angle[FRAMES_COORDINATES];
    mat inverse;
    bool singular;
    if (f->before != FRAMES_SPACE || frames_depend(k, f->E, angle) != 3) return false;
    for (uint32_t i = 0; i < 3; i++)
        if (is_speed(k, angle[i]) || frames_depends(k, f->X, angle[i])) return false;
    for (uint32_t e = 0; e < mat_entries(f->W); e++)
        if (f->W.col[e] != angle[0] && f->W.col[e] != angle[1] && f->W.col[e] != angle[2])
            return false;
    if (!algebra_inverse(k->w->alg, mat_cols(ctx, k->a, f->W, angle, 3), &inverse, &singular))
        return false;
    const mat Omega = frames_mul(k, f->W, mat_from_dense(ctx, k->a, k->n, 1, k->w->p->model->v.at));
    ah_expr s[3];
    mat_entry one[3];
    for (uint32_t i = 0; i < 3; i++) {
        replace(k, angle[i], mat_get(ctx, Omega, i, 0));
        s[i] = k->speed[angle[i]];
        one[i] = (mat_entry){i, angle[i], expr_int(ctx, 1)};
    }
    const mat rate =
        algebra_simplify_mat(k->w->alg, frames_mul(k, inverse, mat_from_dense(ctx, k->a, 3, 1, s)));
    for (uint32_t i = 0; i < 3; i++) k->psi[angle[i]] = mat_get(ctx, rate, i, 0);
    f->W = mat_from_entries(ctx, k->a, 3, k->n, one, 3);
    return true;
}

/* U, where the origin's place is three coordinates. */
static bool take_velocity(frames *k, frames_axes *f)
{
    ah_ctx *ctx = k->ctx;
    const ah_model *m = k->w->p->model;
    ah_expr U[3];
    mat_entry one[3];
    for (uint32_t i = 0; i < 3; i++) {
        f->place_of[i] = 0;
        while (f->place_of[i] < k->n && m->q.at[f->place_of[i]] != mat_get(ctx, f->X, i, 0))
            f->place_of[i]++;
        if (f->place_of[i] == k->n || is_speed(k, f->place_of[i])) return false;
        for (uint32_t j = 0; j < i; j++)
            if (f->place_of[i] == f->place_of[j]) return false;
        U[i] = m->v.at[f->place_of[i]];
    }
    const mat back = frames_back(k, f->E, mat_from_dense(ctx, k->a, 3, 1, U));
    for (uint32_t i = 0; i < 3; i++) {
        replace(k, f->place_of[i], mat_get(ctx, back, i, 0));
        U[i] = k->speed[f->place_of[i]];
        one[i] = (mat_entry){i, f->place_of[i], expr_int(ctx, 1)};
    }
    const mat forth = frames_mul(k, f->E, mat_from_dense(ctx, k->a, 3, 1, U));
    for (uint32_t i = 0; i < 3; i++) k->psi[f->place_of[i]] = mat_get(ctx, forth, i, 0);
    f->V = mat_from_entries(ctx, k->a, 3, k->n, one, 3);
    return true;
}

static ah_expr simple_entry(ah_ctx *ctx, void *user, ah_expr e)
{
    const ah_expr simple = algebra_simplify(user, e);
    return expr_operations(ctx, &simple, 1) < expr_operations(ctx, &e, 1) ? simple : e;
}

mat frames_simplified(const frames *k, mat m)
{
    return mat_map(k->ctx, k->a, m, simple_entry, k->w->alg);
}

static frames_axes axes_of(frames *k, const model_part *p, const standing *s)
{
    const bool space = s->before == FRAMES_SPACE, own = p->is_body && s->round < 0;
    const mat none = mat_zero(k->ctx, k->a, 3, k->n);
    const frames_axes *b = space ? NULL : &k->at[s->before];
    frames_axes f = {.before = s->before, .mass = expr_int(k->ctx, 0)};
    f.h = mat_zero(k->ctx, k->a, 3, 1);
    f.J = mat_zero(k->ctx, k->a, 3, 3);
    f.E = own ? s->E : mat_identity(k->ctx, k->a, 3);
    f.T = mat_identity(k->ctx, k->a, 3);
    f.plain = f.E;
    f.R = own ? rotation_of(k, p) : space ? f.E : b->R;
    f.turning = own ? by_velocities(k, column_of(k, p->omega_body)) : space ? none : b->turning;
    const mat of_before = space ? none : frames_mul(k, transposed(k, f.E), b->turning);
    f.W = own ? frames_shortened(k, mat_sub(k->ctx, k->a, f.turning, of_before)) : none;
    f.V = none;
    return f;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* −[c]× [c]× */
static mat square_of(const frames *k, mat c)
{
    const mat one = mat_identity(k->ctx, k->a, 3), cT = transposed(k, c);
    return mat_sub(k->ctx, k->a,
                   mat_scale(k->ctx, k->a, mat_get(k->ctx, frames_mul(k, cT, c), 0, 0), one),
                   frames_mul(k, c, cT));
}

static bool take_spin(frames *k, frames_spin *s)
{
    const ah_model *m = k->w->p->model;
    ah_ctx *ctx = k->ctx;
    const mat W = frames_shortened(k, by_velocities(k, mat_from_dense(ctx, k->a, 1, 1, &s->rate)));
    for (uint32_t i = k->n; i-- > 0;) {
        const ah_expr by = mat_get(ctx, W, 0, i);
        if (expr_is_zero(ctx, by) || is_speed(k, i) || !expr_is_fixed(ctx, by)) continue;
        const mat v = mat_from_dense(ctx, k->a, k->n, 1, m->v.at);
        const ah_expr all = mat_get(ctx, frames_mul(k, W, v), 0, 0);
        replace(k, i, all);
        const ah_expr rest = expr_sub(ctx, all, expr_mul(ctx, by, m->v.at[i]));
        k->psi[i] = expr_div(
            ctx, expr_sub(ctx, k->speed[i], expr_subst(ctx, rest, k->n, m->v.at, k->psi)), by);
        s->speed = i;
        return true;
    }
    return false;
}

static bool rests(const frames *k, const standing *s)
{
    uint32_t which[FRAMES_COORDINATES];
    return s->before != FRAMES_SPACE && !frames_depend(k, s->p, which) &&
           (s->round >= 0 || !frames_depend(k, s->E, which));
}

static bool take_part(frames *k, const model_part *p, int axis)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->a;
    const standing s = best_of(k, p, axis);
    uint32_t of = s.before;
    mat c = s.p, along = s.E, E = s.E;
    if (!rests(k, &s)) {
        if (k->count == FRAMES_MOST) return false;
        of = k->count;
        frames_axes f = axes_of(k, p, &s);
        c = place_origin(k, &f, s.p);
        const mat place = mat_sub(ctx, a, column_of(k, p->place), frames_mul(k, f.R, c));
        f.place = place;
        k->at[k->count++] = f;
        E = mat_identity(ctx, a, 3);
    }
    frames_axes *f = &k->at[of];
    c = frames_simplified(k, c);
    f->mass = expr_add(ctx, f->mass, p->mass);
    f->h = mat_add(ctx, a, f->h, mat_scale(ctx, a, p->mass, c));
    f->J = mat_add(ctx, a, f->J, mat_scale(ctx, a, p->mass, square_of(k, c)));
    if (!p->is_body) return true;
    mat I = making_inertia(k->w, p);
    if (s.round < 0) {
        f->J = mat_add(ctx, a, f->J, mat_mul3(ctx, a, E, I, transposed(k, E)));
        return true;
    }
    const uint32_t column = (uint32_t) s.round;
    const ah_expr round = p->inertia[(s.round + 1) % 3];
    along = mat_cols(ctx, a, along, &column, 1);
    f->J = mat_add(ctx, a, f->J,
                   mat_scale(ctx, a, round,
                             mat_sub(ctx, a, mat_identity(ctx, a, 3),
                                     frames_mul(k, along, transposed(k, along)))));
    const frames_spin spin = {.frame = of,
                              .axis = along,
                              .centre = c,
                              .inertia = p->inertia[s.round],
                              .rate = p->omega_body.c[s.round]};
    LIST_PUSH(k->a, &k->spins, spin);
    return true;
}

/* T with a column that is e, which has a zero. false: it is an axis, or has none. */
static bool turn_to(const frames *k, mat e, mat *T)
{
    ah_ctx *ctx = k->ctx;
    for (uint32_t z = 0; z < 3; z++) {
        const uint32_t x = (z + 1) % 3, y = (z + 2) % 3;
        const ah_expr a = mat_get(ctx, e, x, 0), b = mat_get(ctx, e, y, 0);
        if (!expr_is_zero(ctx, mat_get(ctx, e, z, 0))) continue;
        if (expr_is_zero(ctx, a) || expr_is_zero(ctx, b)) return false;
        const ah_expr square = expr_add(ctx, expr_powi(ctx, a, 2), expr_powi(ctx, b, 2));
        if (!expr_is_one(ctx, algebra_simplify(k->w->alg, square))) return false;
        const mat_entry entry[] = {
            {z, z, expr_int(ctx, 1)}, {x, y, a}, {y, y, b}, {x, x, b}, {y, x, expr_neg(ctx, a)}};
        *T = mat_from_entries(ctx, k->a, 3, 3, entry, 5);
        return true;
    }
    return false;
}

/* Other axes R T of a frame. */
static void turn(frames *k, uint32_t i, mat T)
{
    const mat back = transposed(k, T);
    frames_axes *f = &k->at[i];
    f->R = frames_mul(k, f->R, T);
    f->T = frames_mul(k, f->T, T);
    f->E = frames_simplified(k, frames_mul(k, f->E, T));
    f->W = frames_simplified(k, frames_mul(k, back, f->W));
    f->h = frames_simplified(k, frames_mul(k, back, f->h));
    f->J = frames_simplified(k, frames_mul(k, frames_mul(k, back, f->J), T));
    for (uint32_t j = 0; j < k->count; j++) {
        if (k->at[j].before != i) continue;
        k->at[j].E = frames_simplified(k, frames_mul(k, back, k->at[j].E));
        k->at[j].X = frames_simplified(k, frames_mul(k, back, k->at[j].X));
    }
    for (size_t j = 0; j < k->spins.count; j++) {
        frames_spin *s = &k->spins.at[j];
        if (s->frame != i) continue;
        s->axis = frames_mul(k, back, s->axis);
        s->centre = frames_simplified(k, frames_mul(k, back, s->centre));
    }
}

/* Axes along those of joints, so that E is a turn about one of them: a root is turned for the first joint on it. */
static void align(frames *k)
{
    uint32_t angle[FRAMES_COORDINATES], which[FRAMES_COORDINATES];
    bool turned[FRAMES_MOST] = {false};
    for (uint32_t i = 0; i < k->count; i++) {
        const frames_axes *f = &k->at[i];
        const uint32_t b = f->before;
        mat T;
        if (b == FRAMES_SPACE || frames_depend(k, f->E, angle) != 1) continue;
        const mat e = mat_cols(k->ctx, k->a, f->W, angle, 1);
        if (frames_depend(k, e, which) || !turn_to(k, e, &T)) continue;
        const mat there = frames_simplified(k, frames_shortened(k, frames_mul(k, f->E, e)));
        turn(k, i, T);
        if (turned[b] || k->at[b].before != FRAMES_SPACE || frames_depend(k, there, which))
            continue;
        turned[b] = turn_to(k, there, &T);
        if (turned[b]) turn(k, b, T);
    }
}

/* X' and Ω by σ, and Ψ. */
static void find_partial(frames *k)
{
    const ah_model *m = k->w->p->model;
    for (int pass = 0; pass < 2; pass++) /* v in ψ: of what a part turns about that turns itself */
        for (uint32_t i = 0; i < k->n; i++)
            if (is_speed(k, i)) k->psi[i] = expr_subst(k->ctx, k->psi[i], k->n, m->v.at, k->psi);
    const mat psi = mat_from_dense(k->ctx, k->a, k->n, 1, k->psi);
    k->Psi = mat_jacobian(k->ctx, k->a, psi, k->n, k->speed);
    for (uint32_t i = 0; i < k->count; i++) {
        frames_axes *f = &k->at[i];
        if (!f->moves)
            f->V = frames_shortened(
                k, frames_mul(k, mat_jacobian(k->ctx, k->a, f->X, k->n, m->q.at), k->Psi));
        if (!f->turns) f->W = frames_shortened(k, frames_mul(k, f->W, k->Psi));
    }
}

static bool weighs(const frames *k, const model_part *p)
{
    bool weighs = !expr_is_zero(k->ctx, p->mass);
    for (int i = 0; i < 6 && p->is_body; i++)
        weighs = weighs || !expr_is_zero(k->ctx, p->inertia[i]);
    return weighs;
}

static bool is_driven(const frames *k, const model_part *p)
{
    bool driven = false;
    for (int i = 0; i < 3; i++)
        driven = driven || expr_depends(k->ctx, p->place.c[i], k->w->p->mech->t);
    for (int i = 0; i < 9 && p->is_body; i++)
        driven = driven || expr_depends(k->ctx, p->rotation[i / 3][i % 3], k->w->p->mech->t);
    return driven;
}

static bool is_plain(const frames *k, const model_part *p)
{
    if (!frames_plain(k, column_of(k, p->place))) return false;
    return !p->is_body || frames_plain(k, mat_from_dense(k->ctx, k->a, 3, 3, &p->rotation[0][0]));
}

bool frames_find(frames *k)
{
    const ah_model *m = k->w->p->model;
    if (!m->parts.count || m->parts.count > FRAMES_MOST || m->n > FRAMES_COORDINATES ||
        m->attitudes.count || m->kinetic_given)
        return false;
    k->n = m->n;
    draw_states(k);
    for (uint32_t i = 0; i < k->n; i++) k->psi[i] = k->speed[i] = k->through[i] = m->v.at[i];
    for (int kind = 0; kind < 3; kind++) /* bodies, round ones, points */
        for (size_t i = 0; i < m->parts.count; i++) {
            const model_part *p = &m->parts.at[i];
            const int axis = round_about(k, p);
            if (kind != (!p->is_body ? 2 : axis >= 0) || !weighs(k, p)) continue;
            if (is_driven(k, p) || !is_plain(k, p) || !take_part(k, p, axis)) return false;
        }
    align(k);
    for (uint32_t i = 0; i < k->count; i++) {
        k->at[i].turns = take_turning(k, &k->at[i]);
        k->at[i].moves = k->at[i].turns && take_velocity(k, &k->at[i]);
    }
    for (size_t i = 0; i < k->spins.count; i++)
        if (!take_spin(k, &k->spins.at[i])) return false;
    find_partial(k);
    return k->count > 0;
}
