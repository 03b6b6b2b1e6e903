/* written/parts.c - mass points and rigid bodies: velocities, kinetic energy, what acts on them.
 *
 * A body is turned from the space axes by angles α_1, α_2, … about its own successive axes e_1,
 * e_2, …:
 *
 *     R = R_1 R_2 … R_s                 (columns: the body's axes in space; x_space = R x_body)
 *     ω_body:  ω := R_kᵀ ω + e_k α_k'   for k = 1 … s, from ω = 0
 *     ω_space = Σ_k (R_1 … R_{k−1} e_k) α_k'
 *
 * The recursion keeps ω_body as short as Euler's kinematic equations; forming Rᵀ ω_space would
 * leave sin² + cos² behind. T = ½ m v² + ½ ω_bodyᵀ I ω_body. */
#include "kind_sets.h"

#include <string.h>

/* ---- Geometry -------------------------------------------------------------------------------- */

typedef struct rotation {
    ah_expr r[3][3];
} rotation;

static rotation identity(ah_ctx *ctx)
{
    rotation out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out.r[i][j] = expr_int(ctx, i == j);
    return out;
}

static rotation zero(ah_ctx *ctx)
{
    rotation out;
    for (int i = 0; i < 9; i++) out.r[i / 3][i % 3] = expr_int(ctx, 0);
    return out;
}

/* About axis k (0, 1, 2), right-handed. */
static rotation about(ah_ctx *ctx, int k, ah_expr angle)
{
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const ah_expr c = expr_call1(ctx, AH_COS, angle), s = expr_call1(ctx, AH_SIN, angle);
    rotation out = identity(ctx);
    out.r[i][i] = out.r[j][j] = c;
    out.r[j][i] = s;
    out.r[i][j] = expr_neg(ctx, s);
    return out;
}

static rotation compose(ah_ctx *ctx, const rotation *x, const rotation *y)
{
    rotation out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            ah_expr terms[3];
            for (int k = 0; k < 3; k++) terms[k] = expr_mul(ctx, x->r[i][k], y->r[k][j]);
            out.r[i][j] = expr_sum(ctx, 3, terms);
        }
    return out;
}

static ah_vector column(const rotation *x, int j)
{
    return (ah_vector){{x->r[0][j], x->r[1][j], x->r[2][j]}};
}

static ah_vector turn_back(ah_ctx *ctx, const rotation *x, ah_vector v)
{
    ah_vector out;
    for (int j = 0; j < 3; j++) out.c[j] = vector_dot(ctx, column(x, j), v);
    return out;
}

/* Is the inertia the same after any turn about axis k? */
static bool is_round(ah_ctx *ctx, const model_part *p, int k)
{
    return p->inertia[(k + 1) % 3] == p->inertia[(k + 2) % 3] && expr_is_zero(ctx, p->inertia[3]) &&
           expr_is_zero(ctx, p->inertia[4]) && expr_is_zero(ctx, p->inertia[5]);
}

/* The turn of a unit quaternion e, and its angular velocity in body axes: polynomials, no poles.
 *
 *     R = (e0² - |ε|²) 1 + 2 ε εᵀ + 2 e0 [ε]×,      Ω = 2 (e0 ε' - e0' ε - ε × ε') */
static rotation of_quaternion(ah_ctx *ctx, const ah_expr *e, ah_vector *omega)
{
    const ah_expr two = expr_int(ctx, 2);
    const ah_vector v = {{e[1], e[2], e[3]}}, v_dot = vector_dt(ctx, v);
    const ah_expr e0_dot = expr_dt(ctx, e[0]);
    const ah_expr scale = expr_sub(ctx, expr_mul(ctx, e[0], e[0]), vector_dot(ctx, v, v));
    rotation R;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            R.r[i][j] = expr_mul(ctx, two, expr_mul(ctx, v.c[i], v.c[j]));
            if (i == j) R.r[i][j] = expr_add(ctx, R.r[i][j], scale);
        }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const ah_expr twist = expr_mul(ctx, two, expr_mul(ctx, e[0], v.c[k]));
        R.r[j][i] = expr_add(ctx, R.r[j][i], twist);
        R.r[i][j] = expr_sub(ctx, R.r[i][j], twist);
    }
    const ah_vector turning =
        vector_sub(ctx, vector_scale(ctx, e[0], v_dot), vector_scale(ctx, e0_dot, v));
    *omega = vector_scale(ctx, two, vector_sub(ctx, turning, vector_cross(ctx, v, v_dot)));
    return R;
}

static rotation rotation_of(const model_part *p)
{
    rotation R;
    memcpy(R.r, p->rotation, sizeof R.r);
    return R;
}

static rotation turning_of(const model_part *p)
{
    rotation R_dt;
    memcpy(R_dt.r, p->turning, sizeof R_dt.r);
    return R_dt;
}

static ah_vector turn_forth(ah_ctx *ctx, const rotation *x, ah_vector v)
{
    ah_vector out;
    for (int i = 0; i < 3; i++)
        out.c[i] = vector_dot(ctx, (ah_vector){{x->r[i][0], x->r[i][1], x->r[i][2]}}, v);
    return out;
}

/* Along a chain of bodies what is added up grows by a few terms a body: past so many it is one term of the next. */
enum { OPEN_TERMS = 8 };

static ah_vector closed(ah_ctx *ctx, ah_vector v)
{
    for (int i = 0; i < 3; i++)
        if (expr_get_op(ctx, v.c[i]) == EXPR_SUM && expr_get_count(ctx, v.c[i]) > OPEN_TERMS)
            v.c[i] = expr_closed(ctx, v.c[i]);
    return v;
}

static rotation rotation_dt(ah_ctx *ctx, const rotation *R)
{
    rotation out;
    for (int i = 0; i < 9; i++) out.r[i / 3][i % 3] = expr_dt(ctx, R->r[i / 3][i % 3]);
    return out;
}

/* (R E)' = R' E + R E': from the derivative of R, so that a chain of n bodies is not differentiated n times. */
static rotation turned_dt(ah_ctx *ctx, const rotation *R, const rotation *R_dt, const rotation *E)
{
    const rotation E_dt = rotation_dt(ctx, E);
    const rotation first = compose(ctx, R_dt, E), second = compose(ctx, R, &E_dt);
    rotation out;
    for (int i = 0; i < 9; i++)
        out.r[i / 3][i % 3] = expr_add(ctx, first.r[i / 3][i % 3], second.r[i / 3][i % 3]);
    return out;
}

/* As the body `on` (NULL: space), then by the angles, then by the quaternion. */
static void orient(ah_ctx *ctx, model_part *p, const model_part *on, const ah_expr *quaternion,
                   size_t turns, const ah_turn *turn)
{
    rotation R = on ? rotation_of(on) : identity(ctx), R_dt = on ? turning_of(on) : zero(ctx);
    p->omega = on ? closed(ctx, on->omega) : vector_zero(ctx);
    p->omega_body = p->omega_short = on ? closed(ctx, on->omega_body) : vector_zero(ctx);
    rotation own = identity(ctx); /* from the axes of `on` */
    p->own_omega = vector_zero(ctx);
    for (size_t k = 0; k < turns; k++) {
        const int axis = turn[k].axis - 1;
        const ah_expr rate = expr_dt(ctx, turn[k].angle);
        const rotation R_k = about(ctx, axis, turn[k].angle);
        const ah_vector before = p->omega_body;
        p->omega = vector_add(ctx, p->omega, vector_scale(ctx, rate, column(&R, axis)));
        p->omega_body = turn_back(ctx, &R_k, before);
        p->omega_short = is_round(ctx, p, axis) ? before : p->omega_body;
        p->omega_body.c[axis] = expr_add(ctx, p->omega_body.c[axis], rate);
        p->omega_short.c[axis] = expr_add(ctx, p->omega_short.c[axis], rate);
        R_dt = turned_dt(ctx, &R, &R_dt, &R_k);
        R = compose(ctx, &R, &R_k);
        p->own_omega = vector_add(ctx, p->own_omega, vector_scale(ctx, rate, column(&own, axis)));
        own = compose(ctx, &own, &R_k);
    }
    if (quaternion) {
        ah_vector spin;
        const rotation E = of_quaternion(ctx, quaternion, &spin);
        R_dt = turned_dt(ctx, &R, &R_dt, &E);
        R = compose(ctx, &R, &E);
        p->omega_body = vector_add(ctx, turn_back(ctx, &E, p->omega_body), spin);
        p->omega_short = p->omega_body;
        p->omega = turn_forth(ctx, &R, p->omega_body);
        own = compose(ctx, &own, &E);
        p->own_omega = vector_add(ctx, p->own_omega, turn_forth(ctx, &own, spin));
    }
    memcpy(p->rotation, R.r, sizeof p->rotation);
    memcpy(p->own_rotation, own.r, sizeof p->own_rotation);
    memcpy(p->turning, R_dt.r, sizeof p->turning);
}

ah_vector model_velocity_at(ah_model *m, const model_part *body, ah_vector place)
{
    const ah_vector arm = vector_sub(m->ctx, place, body->place);
    return vector_add(m->ctx, body->velocity, vector_cross(m->ctx, body->omega, arm));
}

ah_vector model_axis(const model_part *body, int axis)
{
    const rotation R = rotation_of(body);
    return column(&R, axis - 1);
}

/* ---- Declaring ------------------------------------------------------------------------------- */

/* The part itself: a pointer that was given out may be an older copy, the list having grown. */
static model_part *own(ah_model *m, const model_part *part)
{
    m->finished = false;
    const model_name *found = model_find(m, part->name);
    return found && found->what == MODEL_PART ? &m->parts.at[found->index] : NULL;
}

/* r = r_A + R_A s and its derivative, of a place s in the axes of A. */
static void stand_on(ah_ctx *ctx, model_part *p, const model_part *on)
{
    const rotation R = rotation_of(on), R_dt = turning_of(on);
    const ah_vector s = p->own_place, s_dt = p->own_velocity;
    p->place = vector_add(ctx, closed(ctx, on->place), turn_forth(ctx, &R, s));
    p->velocity = vector_add(ctx, closed(ctx, on->velocity),
                             vector_add(ctx, turn_forth(ctx, &R_dt, s), turn_forth(ctx, &R, s_dt)));
}

/* What every part has; a point is a body without inertia and turns. */
static model_part *add_part(ah_model *m, const ah_body *body, bool is_body, const model_part *on,
                            const ah_expr *quaternion, ah_span span)
{
    ah_ctx *ctx = m->ctx;
    arena *a = &ctx->job;
    m->finished = false;
    model_part p = {.name = arena_strdup(a, body->name), .is_body = is_body, .span = span};
    p.mass = body->mass;
    p.place = body->place;
    p.velocity = vector_dt(ctx, p.place);
    p.force = p.torque = vector_zero(ctx);
    p.own_place = p.place;
    p.own_velocity = p.velocity;
    if (on) {
        p.on = 1 + (uint32_t) (own(m, on) - m->parts.at);
        stand_on(ctx, &p, on);
    }
    for (int i = 0; i < 6; i++)
        p.inertia[i] = body->inertia[i] == AH_NONE ? expr_int(ctx, 0) : body->inertia[i];
    orient(ctx, &p, on, quaternion, body->turns, body->turn);
    if (quaternion) {
        model_attitude own;
        memcpy(own.e, quaternion, sizeof own.e);
        of_quaternion(ctx, quaternion, &own.omega);
        LIST_PUSH(a, &m->attitudes, own);
    }
    model_declare(m, &m->names, p.name, MODEL_PART, m->parts.count, span);
    LIST_PUSH(a, &m->parts, p);
    return &m->parts.at[m->parts.count - 1];
}

/* A part whose description is wrong is reported and kept as a massless point at the origin, so that
 * what refers to it can be read on. */
static model_part *add_wrong(ah_model *m, const char *name, bool is_body, ah_span span)
{
    const ah_body nothing = {
        .name = name, .mass = expr_int(m->ctx, 0), .place = vector_zero(m->ctx)};
    return add_part(m, &nothing, is_body, NULL, NULL, span);
}

model_part *model_add_point(ah_model *m, const char *name, ah_expr mass, ah_vector place,
                            ah_span span)
{
    if (!model_only(m, mass, KIND_PARAMETER, "a mass", span) ||
        !model_only_vector(m, place, KINDS_PLACE, "the place of a point", span))
        return add_wrong(m, name, false, span);
    return add_part(m, &(ah_body){.name = name, .mass = mass, .place = place}, false, NULL, NULL,
                    span);
}

static bool body_is_right(ah_model *m, const ah_body *body, ah_span span)
{
    if (!model_only(m, body->mass, KIND_PARAMETER, "a mass", span) ||
        !model_only_vector(m, body->place, KINDS_PLACE, "the place of a body", span))
        return false;
    for (int i = 0; i < 6; i++)
        if (body->inertia[i] != AH_NONE &&
            !model_only(m, body->inertia[i], KIND_PARAMETER, "a moment of inertia", span))
            return false;
    for (size_t k = 0; k < body->turns; k++) {
        if (body->turn[k].axis < 1 || body->turn[k].axis > 3) {
            diag(m->ctx, A0403, span, "a body has no axis %d", body->turn[k].axis);
            return false;
        }
        if (!model_only(m, body->turn[k].angle, KINDS_PLACE, "an angle", span)) return false;
    }
    return true;
}

model_part *model_add_body_on(ah_model *m, const ah_body *body, const model_part *on,
                              const ah_expr *quaternion, ah_span span)
{
    if (!body_is_right(m, body, span)) return add_wrong(m, body->name, true, span);
    return add_part(m, body, true, on, quaternion, span);
}

model_part *model_add_body(ah_model *m, const ah_body *body, ah_span span)
{
    return model_add_body_on(m, body, NULL, NULL, span);
}

/* ---- What acts on them ----------------------------------------------------------------------- */

void model_add_force_on(ah_model *m, const model_part *part, ah_vector f, const ah_vector *at,
                        ah_span span)
{
    ah_ctx *ctx = m->ctx;
    model_part *p = own(m, part);
    if (!p || !model_only_vector(m, f, KINDS_STATE, "a force", span)) return;
    if (at && !p->is_body) {
        diag(ctx, A0403, span, "`%s` is a point: a force on it needs no place", p->name);
        return;
    }
    if (at && !model_only_vector(m, *at, KINDS_PLACE, "the place of a force", span)) return;
    p->force = vector_add(ctx, p->force, f);
    if (!at) return;
    const ah_vector arm = vector_sub(ctx, *at, p->place);
    p->torque = vector_add(ctx, p->torque, vector_cross(ctx, arm, f));
}

void model_add_torque_on(ah_model *m, const model_part *part, ah_vector torque, ah_span span)
{
    model_part *p = own(m, part);
    if (!p || !model_only_vector(m, torque, KINDS_STATE, "a torque", span)) return;
    if (p->is_body)
        p->torque = vector_add(m->ctx, p->torque, torque);
    else
        diag(m->ctx, A0403, span, "`%s` is a point: no torque can act on it", p->name);
    if (!p->is_body)
        diag_hint(m->ctx, "make it a body, with moments of inertia, or use `force on`");
}

/* ---- Energies and generalised forces --------------------------------------------------------- */

/* ½ m v² + ½ (A ω1² + B ω2² + C ω3²) + D ω2 ω3 + E ω3 ω1 + F ω1 ω2, with D, E, F elements of the
 * inertia matrix, signs included. */
ah_expr model_part_kinetic(ah_ctx *ctx, const model_part *p)
{
    const ah_expr half = expr_rational(ctx, 1, 2), *w = p->omega_short.c;
    ah_expr terms[7];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const ah_expr own_axis[] = {half, p->inertia[i], w[i], w[i]};
        const ah_expr product[] = {p->inertia[3 + i], w[j], w[k]};
        terms[i] = expr_product(ctx, 4, own_axis);
        terms[3 + i] = expr_product(ctx, 3, product);
    }
    const ah_expr v2 = vector_dot(ctx, p->velocity, p->velocity);
    terms[6] = expr_mul(ctx, half, expr_mul(ctx, p->mass, v2));
    return expr_sum(ctx, 7, terms);
}

/* −m g·r. */
ah_expr model_part_potential(ah_model *m, const model_part *p)
{
    ah_expr V = expr_int(m->ctx, 0);
    for (size_t i = 0; i < m->gravity.count; i++)
        V = expr_sub(m->ctx, V,
                     expr_mul(m->ctx, p->mass, vector_dot(m->ctx, m->gravity.at[i], p->place)));
    return V;
}

/* Adds f_c ∂u_c/∂q'_i for one component u_c of a velocity. */
static void push_forces(ah_model *m, ah_expr f, ah_expr u, model_entries *out)
{
    ah_ctx *ctx = m->ctx;
    if (expr_is_zero(ctx, f)) return;
    const expr_list v = model_symbols_of(m, u, AH_VELOCITY);
    ah_expr *slope = NEW_ARRAY(&ctx->scratch, ah_expr, v.count);
    expr_gradient(ctx, u, v.count, v.at, slope);
    for (size_t i = 0; i < v.count; i++)
        LIST_PUSH(&ctx->scratch, out,
                  ((mat_entry){model_column(m, v.at[i]), 0, expr_mul(ctx, f, slope[i])}));
}

void model_part_forces(ah_model *m, const model_part *p, model_entries *out)
{
    for (int c = 0; c < 3; c++) {
        push_forces(m, p->force.c[c], p->velocity.c[c], out);
        push_forces(m, p->torque.c[c], p->omega.c[c], out);
    }
}
