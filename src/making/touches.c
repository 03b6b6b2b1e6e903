/* making/touches.c - rows of constraints that are velocities of places.
 *
 * Three rows whose parts with U (the velocity of a frame's origin) are the same at all states are a vector times a matrix; turned into the axes
 * of the frame it is U + Ω × p + …, and p, where it is that of all other speeds, too, the place that the rows hold: where a wheel
 * touches the ground. Its velocity and acceleration follow from those of the frame without any derivative of rows. */
#include "frames.h"

/* The root of squares that a place is written by is positive where its sine or cosine has the sign of the sample state, and no smaller. */
#define LEAST_PARTNER 1e-6
/* Rows among which those are sought that are a vector. */
#define MOST_ROWS 9

/* ---- Velocities ------------------------------------------------------------------------------ */

static mat cross_all(const frames *k, mat x, mat rho)
{
    mat out = mat_zero(k->ctx, k->a, 0, 3);
    for (uint32_t i = 0; i < x.cols; i++)
        out = mat_stack(k->ctx, k->a, out,
                        mat_transpose(k->ctx, k->a, frames_cross(k, frames_column(k, x, i), rho)));
    return mat_transpose(k->ctx, k->a, out);
}

void touches_frames(const frames *k, bool names, mat *V, mat *W)
{
    for (uint32_t i = 0; i < k->count; i++) {
        const frames_axes *f = &k->at[i];
        V[i] = f->V, W[i] = f->W;
        if (f->moves) continue;
        mat E = f->E, X = f->X;
        if (names) E = frames_named(k, E), X = frames_named(k, X), V[i] = frames_named(k, V[i]);
        if (f->before != FRAMES_SPACE) {
            const mat arm = cross_all(k, W[f->before], X);
            V[i] = frames_add(k, V[i], frames_add(k, V[f->before], arm));
            W[i] = frames_add(k, W[i], frames_back(k, E, W[f->before]));
        }
        V[i] = frames_back(k, E, V[i]);
        if (names) V[i] = frames_named(k, V[i]), W[i] = frames_named(k, W[i]);
    }
}

mat touches_beside(const frames *k, const touching *x, mat v)
{
    if (!x->spin) return v;
    const mat e = x->spin->axis;
    return mat_sub(k->ctx, k->a, v, frames_mul(k, e, frames_back(k, e, v)));
}

mat touches_velocity(const frames *k, const touching *x, mat V, mat W)
{
    const frames_spin *s = x->spin;
    if (!s) return frames_add(k, V, cross_all(k, W, x->arm));
    const mat_entry one = {0, s->speed, expr_int(k->ctx, 1)};
    const mat spin = frames_mul(k, s->axis, mat_from_entries(k->ctx, k->a, 1, k->n, &one, 1));
    const mat turn = frames_add(k, touches_beside(k, x, W), spin);
    const mat centre = frames_add(k, V, cross_all(k, W, s->centre));
    return frames_add(k, centre, cross_all(k, turn, x->arm));
}

mat touches_value(const frames *k, const touching *x, mat values)
{
    uint32_t order[FRAMES_MOST], count = 0, b = x->frame;
    for (; k->at[b].before != FRAMES_SPACE; b = k->at[b].before) order[count++] = b;
    mat v = frames_mul(k, x->inverse, mat_rows(k->ctx, k->a, values, x->row, 3));
    v = frames_named(k, frames_back(k, frames_named(k, k->at[b].R), frames_named(k, v)));
    while (count-- > 0)
        v = frames_named(k, frames_back(k, frames_named(k, k->at[order[count]].E), v));
    return v;
}

/* ---- Which rows ------------------------------------------------------------------------------ */

/* The inverse of the rows' part with U, where that is the same at all states and nothing is left at rest. */
static bool directions_of(const frames *k, const frames_axes *f, mat C_v, mat c,
                          const uint32_t *row, mat *inverse)
{
    bool singular;
    for (uint32_t l = 0; l < 3; l++)
        if (!expr_is_zero(k->ctx, mat_get(k->ctx, c, row[l], 0))) return false;
    const mat N = mat_cols(k->ctx, k->a, mat_rows(k->ctx, k->a, C_v, row, 3), f->place_of, 3);
    if (mat_entries(N) < 3) return false;
    for (uint32_t e = 0; e < mat_entries(N); e++)
        if (!expr_is_fixed(k->ctx, N.val[e])) return false;
    return algebra_inverse(k->w->alg, N, inverse, &singular);
}

/* Vectors of the axes of frame f in those of frame b, which stands on it, from its origin. */
static mat seen_from(const frames *k, uint32_t f, uint32_t b, mat x, bool place)
{
    if (b == f) return x;
    const frames_axes *at = &k->at[b];
    const mat there = seen_from(k, f, at->before, x, place);
    return frames_back(k, at->E, place ? mat_sub(k->ctx, k->a, there, at->X) : there);
}

static bool stands_on(const frames *k, uint32_t b, uint32_t f)
{
    while (b != f && b != FRAMES_SPACE) b = k->at[b].before;
    return b == f;
}

/* p of rows that are Ω × p, less (e·Ω) e × p where it is a place of what spins about e: the column of that is e × p. */
static mat place_of(frames *k, uint32_t f, uint32_t b, mat rows, const frames_spin *s)
{
    ah_expr p[3];
    mat block = mat_cols(k->ctx, k->a, rows, k->at[f].W.col, 3);
    if (s) {
        mat along = s->axis;
        for (; b != f; b = k->at[b].before) along = frames_mul(k, k->at[b].E, along);
        block = frames_add(
            k, block,
            frames_mul(k, frames_column(k, rows, s->speed), mat_transpose(k->ctx, k->a, along)));
    }
    for (uint32_t i = 0; i < 3; i++) p[i] = mat_get(k->ctx, block, (i + 1) % 3, (i + 2) % 3);
    return frames_shortened(k, mat_from_dense(k->ctx, k->a, 3, 1, p));
}

/* The frame, and what spins there, of which the vector of rows (in the axes of f, where it moves) is the velocity at a place. */
static bool find_place(frames *k, uint32_t f, mat rows, const mat *V, const mat *W, touching *out)
{
    for (uint32_t b = 0; b < k->count; b++) {
        if (!stands_on(k, b, f)) continue;
        const mat there = seen_from(k, f, b, rows, false);
        for (size_t s = 0; s <= k->spins.count; s++) {
            out->frame = b;
            out->spin = s < k->spins.count ? &k->spins.at[s] : NULL;
            if (out->spin && out->spin->frame != b) continue;
            const mat place = place_of(k, f, b, rows, out->spin);
            out->arm = frames_shortened(k, seen_from(k, f, b, place, true));
            if (out->spin) out->arm = mat_sub(k->ctx, k->a, out->arm, out->spin->centre);
            if (!frames_same(k, there, touches_velocity(k, out, V[b], W[b]), AH_NONE)) continue;
            out->arm = frames_simplified(k, out->arm);
            return true;
        }
    }
    return false;
}

/* ---- Arms by a direction of space --------------------------------------------------------------- */

/* ±sin or ±cos of an angle, by its function and argument; 0: neither. */
static int is_wave(const frames *k, ah_expr e, ah_function *f, ah_expr *angle)
{
    const ah_expr minus = expr_neg(k->ctx, e), both[] = {e, minus};
    for (int i = 0; i < 2; i++) {
        if (expr_get_op(k->ctx, both[i]) != EXPR_CALL) continue;
        *f = expr_get_function(k->ctx, both[i]);
        *angle = expr_get_children(k->ctx, both[i])[0];
        return *f != AH_SIN && *f != AH_COS ? 0 : i ? -1 : 1;
    }
    return 0;
}

/* A direction of space in the axes of a root, that depends on two angles α, β: u_i = ±sin α or ±cos α, the others the product of its
 * partner and ±sin β or ±cos β. */
typedef struct leaning {
    uint32_t i;
    ah_expr alpha, beta;
    ah_function f[3]; /* of α, and β */
    int sign[3];
} leaning;

static bool is_leaning(frames *k, mat u, leaning *x)
{
    ah_ctx *ctx = k->ctx;
    uint32_t which[FRAMES_COORDINATES];
    const ah_expr zero = expr_int(ctx, 0), right = expr_div(ctx, expr_pi(ctx), expr_int(ctx, 2));
    if (frames_depend(k, u, which) != 2) return false;
    for (x->i = 0; x->i < 3; x->i++) {
        x->sign[x->i] = is_wave(k, mat_get(ctx, u, x->i, 0), &x->f[x->i], &x->alpha);
        bool good = x->sign[x->i] && expr_get_op(ctx, x->alpha) == EXPR_SYMBOL;
        x->beta = AH_NONE;
        for (uint32_t j = 0; j < 3 && good; j++) {
            if (j == x->i) continue;
            const ah_expr rest = expr_subst(ctx, mat_get(ctx, u, j, 0), 1, &x->alpha,
                                            x->f[x->i] == AH_SIN ? &zero : &right);
            ah_expr beta;
            x->sign[j] = is_wave(k, rest, &x->f[j], &beta);
            good = x->sign[j] && (x->beta == AH_NONE || beta == x->beta);
            x->beta = beta;
        }
        if (good) return true;
    }
    return false;
}

static mat axis_of_space(const frames *k, uint32_t i)
{
    const mat one = mat_identity(k->ctx, k->a, 3);
    return mat_cols(k->ctx, k->a, one, &i, 1);
}

/* The direction `up` of space in the axes of frame b, by q. */
static mat up_in(frames *k, uint32_t b, uint32_t up)
{
    const frames_axes *f = &k->at[b];
    if (f->before == FRAMES_SPACE)
        return frames_shortened(k, frames_back(k, f->E, axis_of_space(k, up)));
    return frames_back(k, f->E, up_in(k, f->before, up));
}

static mat up_by_names(frames *k, uint32_t b, uint32_t up)
{
    const frames_axes *f = &k->at[b];
    if (f->before == FRAMES_SPACE) return frames_named(k, frames_simplified(k, up_in(k, b, up)));
    return frames_named(k, frames_back(k, frames_named(k, f->E), up_by_names(k, f->before, up)));
}

/* What a sine or cosine of the root's angles is by s. */
typedef struct waves {
    ah_expr from[4], to[4];
    ah_expr side; /* positive where this is so */
} waves;

static waves waves_by(const frames *k, const leaning *lean, const touching *x)
{
    ah_ctx *ctx = k->ctx;
    const uint32_t i = lean->i;
    const ah_function partner = lean->f[i] == AH_SIN ? AH_COS : AH_SIN;
    const ah_expr other = expr_call1(ctx, partner, lean->alpha);
    const bool minus = point_eval(k->w->p, other) < 0;
    waves w = {.side = minus ? expr_neg(ctx, other) : other};
    w.from[0] = expr_call1(ctx, lean->f[i], lean->alpha);
    w.to[0] = lean->sign[i] < 0 ? expr_neg(ctx, x->s[i]) : x->s[i];
    w.from[1] = other;
    w.to[1] = minus ? expr_neg(ctx, x->q) : x->q;
    for (uint32_t j = 0; j < 2; j++) {
        const uint32_t to = (i + 1 + j) % 3;
        w.from[2 + j] = expr_call1(ctx, lean->f[to], lean->beta);
        w.to[2 + j] = (lean->sign[to] < 0) != minus ? expr_neg(ctx, x->wave[j]) : x->wave[j];
    }
    return w;
}

/* Names for u in the axes of frame b, and what is made of it. */
static void name_direction(frames *k, touching *x, uint32_t up)
{
    ah_ctx *ctx = k->ctx;
    ah_expr u[3];
    const mat there = up_by_names(k, x->frame, up);
    for (uint32_t n = 0; n < 3; n++) {
        u[n] = attitudes_symbol(k->w->p, 100 + k->names++);
        recipe_define(k->r, u[n], mat_get(ctx, there, n, 0));
    }
    x->u = mat_from_dense(ctx, k->a, 3, 1, u);
    const mat s = frames_mul(k, x->turn, x->u);
    for (uint32_t n = 0; n < 3; n++) x->s[n] = recipe_name(k->r, mat_get(ctx, s, n, 0));
    const ah_expr y = x->s[(x->i + 1) % 3], z = x->s[(x->i + 2) % 3];
    const ah_expr square = expr_add(ctx, expr_powi(ctx, y, 2), expr_powi(ctx, z, 2));
    x->q = recipe_name(k->r, expr_pow(ctx, square, expr_rational(ctx, 1, 2)));
    x->per = recipe_name(k->r, expr_powi(ctx, x->q, -1));
    x->wave[0] = recipe_name(k->r, expr_mul(ctx, y, x->per));
    x->wave[1] = recipe_name(k->r, expr_mul(ctx, z, x->per));
}

/* An expression in these names by q. */
static mat without_names(frames *k, const touching *x, uint32_t up, mat m)
{
    ah_ctx *ctx = k->ctx;
    const mat u = up_in(k, x->frame, up), s = frames_mul(k, x->turn, u);
    const ah_expr y = mat_get(ctx, s, (x->i + 1) % 3, 0), z = mat_get(ctx, s, (x->i + 2) % 3, 0);
    const ah_expr square = expr_add(ctx, expr_powi(ctx, y, 2), expr_powi(ctx, z, 2));
    const ah_expr q = expr_pow(ctx, square, expr_rational(ctx, 1, 2)), per = expr_powi(ctx, q, -1);
    const ah_expr from[] = {x->wave[0],
                            x->wave[1],
                            x->per,
                            x->q,
                            x->s[0],
                            x->s[1],
                            x->s[2],
                            mat_get(ctx, x->u, 0, 0),
                            mat_get(ctx, x->u, 1, 0),
                            mat_get(ctx, x->u, 2, 0)};
    const ah_expr to[] = {expr_mul(ctx, y, per),
                          expr_mul(ctx, z, per),
                          per,
                          q,
                          mat_get(ctx, s, 0, 0),
                          mat_get(ctx, s, 1, 0),
                          mat_get(ctx, s, 2, 0),
                          mat_get(ctx, u, 0, 0),
                          mat_get(ctx, u, 1, 0),
                          mat_get(ctx, u, 2, 0)};
    return mat_subst(ctx, k->a, m, sizeof from / sizeof *from, from, to);
}

/* The arm where joints are at zero, `place`, by s; `as_root`: how `up` stands in the axes of the root, by its angles. */
static bool lean_on(frames *k, touching *x, uint32_t up, mat as_root, mat turn, mat place)
{
    ah_ctx *ctx = k->ctx;
    leaning lean;
    if (!is_leaning(k, as_root, &lean)) return false;
    touching out = *x;
    out.leans = true, out.i = lean.i, out.turn = turn;
    name_direction(k, &out, up);
    const waves w = waves_by(k, &lean, &out);
    const ah_expr size = expr_call1(ctx, AH_ABS, out.q);
    out.arm = mat_subst(ctx, k->a, mat_subst(ctx, k->a, place, 4, w.from, w.to), 1, &size, &out.q);
    if (!frames_same(k, x->arm, without_names(k, &out, up, out.arm), w.side)) return false;
    const recipe_guard guard = {w.side, expr_int(ctx, 1), LEAST_PARTNER};
    LIST_PUSH(k->a, &k->r->guards, guard);
    *x = out;
    return true;
}

/* Where joints are at zero what is touched depends on how the frame stands to a direction of space, on nothing else; then it does so
 * everywhere, as numbers tell: sines and cosines of the angles of the root are what they were if it stood so, were the joints at zero. */
static void lean(frames *k, touching *x)
{
    ah_ctx *ctx = k->ctx;
    uint32_t root = x->frame, which[FRAMES_COORDINATES], joints = 0;
    ah_expr joint[FRAMES_COORDINATES], zero[FRAMES_COORDINATES];
    while (k->at[root].before != FRAMES_SPACE) root = k->at[root].before;
    if (root == x->frame) return;
    const uint32_t count = frames_depend(k, x->arm, which);
    for (uint32_t i = 0; i < count; i++) {
        if (frames_depends(k, k->at[root].R, which[i])) continue;
        zero[joints] = expr_int(ctx, 0);
        joint[joints++] = k->w->p->model->q.at[which[i]];
    }
    if (!joints) return;
    mat turn = mat_identity(ctx, k->a, 3);
    for (uint32_t b = x->frame; b != root; b = k->at[b].before)
        turn = frames_mul(k, mat_subst(ctx, k->a, k->at[b].E, joints, joint, zero), turn);
    const mat place = frames_simplified(k, mat_subst(ctx, k->a, x->arm, joints, joint, zero));
    const mat plain = frames_simplified(k, frames_mul(k, k->at[root].T, turn));
    for (uint32_t up = 3; up-- > 0 && !x->leans;) {
        const mat turned = frames_simplified(k, up_in(k, root, up));
        const mat there =
            frames_shortened(k, frames_back(k, k->at[root].plain, axis_of_space(k, up)));
        if (!lean_on(k, x, up, turned, turn, place)) lean_on(k, x, up, there, plain, place);
    }
}

mat touches_slope(const frames *k, const touching *x, mat Omega)
{
    ah_ctx *ctx = k->ctx;
    if (!x->leans) return mat_dt(ctx, k->a, x->arm);
    const mat rate = frames_mul(k, x->turn, frames_cross(k, x->u, Omega));
    const ah_expr from[] = {x->s[0], x->s[1], x->s[2], x->q, x->per, x->wave[0], x->wave[1]};
    ah_expr by[7], out[3];
    for (uint32_t i = 0; i < 3; i++) by[i] = recipe_name_either(k->r, mat_get(ctx, rate, i, 0));
    const ah_expr along = expr_mul(ctx, x->s[x->i], by[x->i]); /* q q' = −s_i s_i' */
    by[3] = recipe_name_either(k->r, expr_neg(ctx, expr_mul(ctx, x->per, along)));
    by[4] = expr_neg(ctx, expr_mul(ctx, expr_powi(ctx, x->per, 2), by[3]));
    for (uint32_t j = 0; j < 2; j++) {
        const ah_expr less =
            expr_sub(ctx, by[(x->i + 1 + j) % 3], expr_mul(ctx, x->wave[j], by[3]));
        by[5 + j] = recipe_name_either(k->r, expr_mul(ctx, x->per, less));
    }
    for (uint32_t i = 0; i < 3; i++)
        out[i] = expr_forward(ctx, mat_get(ctx, x->arm, i, 0), 7, from, by);
    return mat_from_dense(ctx, k->a, 3, 1, out);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static bool find_touch(frames *k, mat A, mat C_v, mat c, const mat *V, const mat *W, touching *x)
{
    mat inverse;
    for (uint32_t f = 0; f < k->count; f++) {
        if (!k->at[f].moves || !directions_of(k, &k->at[f], C_v, c, x->row, &inverse)) continue;
        const mat to_axes = frames_back(k, k->at[f].R, inverse);
        const mat all = mat_rows(k->ctx, k->a, A, x->row, 3);
        const mat rows = frames_shortened(k, frames_mul(k, to_axes, all));
        if (!find_place(k, f, rows, V, W, x)) continue;
        x->inverse = inverse;
        lean(k, x);
        return true;
    }
    return false;
}

touches touches_find(frames *k, mat A, mat C_v, mat c)
{
    touches out = {0};
    bool done[MOST_ROWS] = {false};
    mat V[FRAMES_MOST], W[FRAMES_MOST];
    if (A.rows > MOST_ROWS) return out;
    touches_frames(k, false, V, W);
    for (uint32_t i = 0; i < A.rows; i++)
        done[i] = !frames_plain(k, mat_rows(k->ctx, k->a, C_v, &i, 1));
    for (uint32_t i = 0; i < A.rows; i++)
        for (uint32_t j = i + 1; j < A.rows; j++)
            for (uint32_t l = j + 1; l < A.rows; l++) {
                touching x = {.row = {i, j, l}};
                if (done[i] || done[j] || done[l]) continue;
                if (!find_touch(k, A, C_v, c, V, W, &x)) continue;
                done[i] = done[j] = done[l] = true;
                LIST_PUSH(k->a, &out, x);
            }
    return out;
}
