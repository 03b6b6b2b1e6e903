/* contact/grounds.c - surfaces: their material's velocity, and where a sphere touches them.
 *
 * In the axes of the body that carries it, or in space, the material moves with the place and the axis a: with
 * dp/dt, and turning with a × da/dt. Of a graph z = f(x, y, t) it moves along z, of a sheet p(u, v, t) with
 * ∂p/∂t. Over that come `turning` and `moving`.
 *
 * The centre C of a sphere of radius r that touches a surface lies on the parallel surface. With its
 * equation scaled so that its gradient is n, the rate of `touch` is n·(v_C - …) = n·(v_r - v_S):
 *
 *     plane       n·(C - p) - r
 *     sphere      ±(|C - p|² - q²)/2q,  q = R ± r,  n = ±(C - p)/q      + outside, - inside
 *     cylinder    the same with the part of C - p across the axis
 *     cone        ±(|d| cos α - z sin α) - r,  n = ±(d/|d| cos α - a sin α) */
#include "contact_inside.h"

#include <string.h>

static ah_vector to_space(ah_model *m, const model_part *on, ah_vector v)
{
    if (!on) return v;
    ah_vector out = vector_zero(m->ctx);
    for (int k = 0; k < 3; k++)
        out = vector_add(m->ctx, out, vector_scale(m->ctx, v.c[k], model_axis(on, k + 1)));
    return out;
}

contact_ground contact_ground_of(ah_model *m, const contact_surface *surface)
{
    contact_ground g = {.surface = surface};
    g.on = surface->on ? model_find_part(m, surface->on) : NULL;
    g.place = to_space(m, g.on, surface->place);
    if (g.on) g.place = vector_add(m->ctx, g.on->place, g.place);
    g.axis = to_space(m, g.on, surface->axis);
    return g;
}

/* From space into the axes in which the surface is given. */
static ah_vector to_surface(ah_model *m, const contact_ground *g, ah_vector r)
{
    if (!g->on) return r;
    ah_vector x;
    const ah_vector d = vector_sub(m->ctx, r, g->on->place);
    for (int k = 0; k < 3; k++) x.c[k] = vector_dot(m->ctx, d, model_axis(g->on, k + 1));
    return x;
}

/* How the surface's axes turn, and its material in them. */
static ah_vector turning_of(ah_model *m, const contact_ground *g)
{
    ah_ctx *ctx = m->ctx;
    const ah_vector a = g->surface->axis;
    const ah_vector own = to_space(m, g->on, vector_cross(ctx, a, vector_dt(ctx, a)));
    if (g->surface->turning == AH_NONE) return own;
    return vector_add(ctx, own, vector_scale(ctx, g->surface->turning, g->axis));
}

ah_vector contact_ground_at(ah_model *m, const contact_ground *g, ah_vector slope[2])
{
    const ah_vector p = contact_on_sheet(m->ctx, &g->surface->sheet, g->at, slope);
    for (int k = 0; k < 2; k++) slope[k] = to_space(m, g->on, slope[k]);
    return vector_add(m->ctx, g->place, to_space(m, g->on, p));
}

/* w = ∂p/∂t of a sheet. The half of its rotation is known along N = p_u × p_v, which is all that counts:
 *     N·rot w = w_u·p_v - w_v·p_u . */
static ah_vector field_of_sheet(ah_model *m, const contact_ground *g, ah_vector *half_curl)
{
    ah_ctx *ctx = m->ctx;
    contact_sheet moving = g->surface->sheet;
    ah_vector slope[2], rate[2], field;
    contact_on_sheet(ctx, &moving, g->at, slope);
    for (int k = 0; k < 3; k++) moving.p.c[k] = expr_diff(ctx, moving.p.c[k], expr_time(ctx));
    field = contact_on_sheet(ctx, &moving, g->at, rate);
    const ah_vector N = vector_cross(ctx, slope[0], slope[1]);
    const ah_expr curl =
        expr_sub(ctx, vector_dot(ctx, rate[0], slope[1]), vector_dot(ctx, rate[1], slope[0]));
    const ah_expr twice = expr_mul(ctx, expr_int(ctx, 2), vector_dot(ctx, N, N));
    *half_curl = to_space(m, g->on, vector_scale(ctx, expr_div(ctx, curl, twice), N));
    return to_space(m, g->on, field);
}

/* The given field of velocities, or what a changing graph has; its rotation too. */
static ah_vector field_of(ah_model *m, const contact_ground *g, ah_vector r, ah_vector *half_curl)
{
    ah_ctx *ctx = m->ctx;
    const contact_surface *f = g->surface;
    ah_vector x = to_surface(m, g, r);
    ah_vector field = vector_zero(ctx);
    if (f->kind == CONTACT_ON_SHEET && !f->moves) return field_of_sheet(m, g, half_curl);
    if (f->moves) {
        field = f->moving;
    } else if (f->kind == CONTACT_ON_LEVEL && f->graph != AH_NONE) {
        field.c[2] = expr_diff(ctx, f->graph, expr_time(ctx));
        x = vector_sub(ctx, x, f->place); /* the formula counts from there */
    }
    ah_expr value[6];
    memcpy(value, field.c, sizeof field.c);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const ah_expr curl = f->local[0] == AH_NONE
                                 ? expr_int(ctx, 0)
                                 : expr_sub(ctx, expr_diff(ctx, field.c[j], f->local[i]),
                                            expr_diff(ctx, field.c[i], f->local[j]));
        value[3 + k] = expr_mul(ctx, expr_rational(ctx, 1, 2), curl);
    }
    if (f->local[0] != AH_NONE) expr_subst_all(ctx, value, 6, 3, f->local, x.c);
    *half_curl = to_space(m, g->on, (ah_vector){{value[3], value[4], value[5]}});
    return to_space(m, g->on, (ah_vector){{value[0], value[1], value[2]}});
}

ah_vector contact_ground_omega(ah_model *m, const contact_ground *g, ah_vector r)
{
    ah_vector curl;
    field_of(m, g, r, &curl);
    const ah_vector omega = vector_add(m->ctx, curl, turning_of(m, g));
    return g->on ? vector_add(m->ctx, g->on->omega, omega) : omega;
}

ah_vector contact_ground_velocity(ah_model *m, const contact_ground *g, ah_vector r)
{
    ah_ctx *ctx = m->ctx;
    ah_vector curl;
    ah_vector v = to_space(m, g->on, vector_dt(ctx, g->surface->place));
    if (g->on) v = vector_add(ctx, v, model_velocity_at(m, g->on, r));
    const ah_vector turned = vector_cross(ctx, turning_of(m, g), vector_sub(ctx, r, g->place));
    return vector_add(ctx, v, vector_add(ctx, turned, field_of(m, g, r, &curl)));
}

bool contact_ground_keeps(ah_model *m, const contact_ground *g, ah_vector r, ah_vector normal)
{
    ah_vector curl;
    return !g->surface->moves ||
           contact_vanishes(m, vector_dot(m->ctx, normal, field_of(m, g, r, &curl)));
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

/* q = R + r outside, R - r inside. */
static ah_expr distance(ah_ctx *ctx, const contact_ground *g, ah_expr r)
{
    const ah_expr R = g->surface->size;
    return g->surface->inside ? expr_sub(ctx, R, r) : expr_add(ctx, R, r);
}

/* From what lies at d from the centre or the axis. */
static void round_surface(ah_ctx *ctx, const contact_ground *g, ah_vector d, ah_expr r,
                          ah_vector *n, ah_expr *touch)
{
    const ah_expr q = distance(ctx, g, r), sign = expr_int(ctx, g->surface->inside ? -1 : 1);
    const ah_expr over = expr_div(ctx, sign, q);
    const ah_expr square = expr_sub(ctx, vector_dot(ctx, d, d), expr_powi(ctx, q, 2));
    *n = vector_scale(ctx, over, d);
    *touch = expr_mul(ctx, expr_rational(ctx, 1, 2), expr_mul(ctx, over, square));
}

static ah_vector across(ah_ctx *ctx, ah_vector d, ah_vector axis, ah_expr *along)
{
    *along = vector_dot(ctx, d, axis);
    return vector_sub(ctx, d, vector_scale(ctx, *along, axis));
}

static void conical(ah_model *m, const contact_ground *g, ah_vector d, ah_expr along, ah_expr r,
                    ah_vector *n, ah_expr *touch, ah_vector tangent[2])
{
    ah_ctx *ctx = m->ctx;
    const ah_expr sign = expr_int(ctx, g->surface->inside ? -1 : 1);
    const ah_expr c = expr_call1(ctx, AH_COS, g->surface->size);
    const ah_expr s = expr_call1(ctx, AH_SIN, g->surface->size);
    const ah_expr length = contact_short(m, vector_norm(ctx, d));
    const ah_vector out = vector_scale(ctx, expr_div(ctx, expr_int(ctx, 1), length), d);
    *n = vector_scale(ctx, sign,
                      vector_sub(ctx, vector_scale(ctx, c, out), vector_scale(ctx, s, g->axis)));
    const ah_expr gap = expr_sub(ctx, expr_mul(ctx, c, length), expr_mul(ctx, s, along));
    *touch = expr_sub(ctx, expr_mul(ctx, sign, gap), r);
    tangent[0] = vector_add(ctx, vector_scale(ctx, c, g->axis), vector_scale(ctx, s, out));
    tangent[1] = vector_cross(ctx, *n, tangent[0]);
}

bool contact_upright(ah_model *m, const contact_solid *s, ah_vector n, ah_vector tangent[2])
{
    ah_ctx *ctx = m->ctx;
    const contact_shape_kind kind = s->shape->kind;
    if (kind != CONTACT_DISC && kind != CONTACT_TORUS && kind != CONTACT_CYLINDER) return false;
    const ah_vector axle = s->axis[s->shape->axis - 1];
    if (!contact_vanishes(m, vector_dot(ctx, axle, n))) return false;
    tangent[0] = vector_cross(ctx, axle, n);
    tangent[1] = axle;
    return true;
}

bool contact_closed(ah_model *m, const contact_ground *g, const contact_solid *s, ah_vector *n,
                    ah_expr *touch, ah_vector tangent[2])
{
    ah_ctx *ctx = m->ctx;
    const ah_vector d = vector_sub(ctx, s->centre, g->place);
    const ah_expr r = s->shape->size[0];
    ah_expr along, height;
    if (s->shape->kind >= CONTACT_CURVE) return false;
    if (g->surface->kind == CONTACT_ON_PLANE) { /* every other shape */
        *n = g->axis;
        contact_support(m, s, *n, &height);
        *touch = expr_sub(ctx, vector_dot(ctx, *n, d), height);
        if (!contact_upright(m, s, *n, tangent)) contact_tangents(ctx, *n, tangent);
        return true;
    }
    if (s->shape->kind != CONTACT_SPHERE) return false;
    switch (g->surface->kind) {
    case CONTACT_ON_SPHERE:
        round_surface(ctx, g, d, r, n, touch);
        contact_tangents(ctx, *n, tangent);
        return true;
    case CONTACT_ON_CYLINDER:
        round_surface(ctx, g, across(ctx, d, g->axis, &along), r, n, touch);
        tangent[0] = g->axis;
        tangent[1] = vector_cross(ctx, *n, g->axis);
        return true;
    case CONTACT_ON_CONE: {
        const ah_vector off = across(ctx, d, g->axis, &along);
        conical(m, g, off, along, r, n, touch, tangent);
        return true;
    }
    default: return false;
    }
}

/* ---- Surfaces by an equation ----------------------------------------------------------------- */

/* F in the surface's own axes at x. */
static ah_expr level_at(ah_model *m, const contact_surface *f, ah_vector x)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr sign = expr_int(ctx, f->inside ? -1 : 1), half = expr_rational(ctx, 1, 2);
    const ah_vector d = vector_sub(ctx, x, f->place);
    ah_expr along;
    const ah_vector off = across(ctx, d, f->axis, &along);
    switch (f->kind) {
    case CONTACT_ON_PLANE: return along;
    case CONTACT_ON_SPHERE:
    case CONTACT_ON_CYLINDER: {
        const ah_vector from = f->kind == CONTACT_ON_SPHERE ? d : off;
        const ah_expr gap = expr_sub(ctx, vector_dot(ctx, from, from), expr_powi(ctx, f->size, 2));
        return expr_mul(ctx, sign, expr_mul(ctx, half, gap));
    }
    case CONTACT_ON_CONE: {
        const ah_expr c = expr_call1(ctx, AH_COS, f->size), s = expr_call1(ctx, AH_SIN, f->size);
        const ah_expr gap =
            expr_sub(ctx, expr_mul(ctx, expr_powi(ctx, c, 2), vector_dot(ctx, off, off)),
                     expr_mul(ctx, expr_powi(ctx, s, 2), expr_powi(ctx, along, 2)));
        return expr_mul(ctx, sign, gap);
    }
    default: return expr_subst(ctx, f->level, 3, f->local, d.c);
    }
}

ah_expr contact_level(ah_model *m, const contact_ground *g, ah_vector p, ah_vector *gradient)
{
    ah_ctx *ctx = m->ctx;
    const ah_vector x = to_surface(m, g, p);
    ah_vector slope, local;
    for (int k = 0; k < 3; k++)
        local.c[k] =
            expr_symbol(ctx, AH_LOCAL, (const char *[]){"place x", "place y", "place z"}[k]);
    const ah_expr F = level_at(m, g->surface, local);
    expr_gradient(ctx, F, 3, local.c, slope.c);
    ah_expr values[4] = {F, slope.c[0], slope.c[1], slope.c[2]};
    expr_subst_all(ctx, values, 4, 3, local.c, x.c);
    *gradient = to_space(m, g->on, (ah_vector){{values[1], values[2], values[3]}});
    return values[0];
}

bool contact_surface_of(ah_model *m, const contact_shape *shape, contact_surface *out)
{
    ah_ctx *ctx = m->ctx;
    *out = (contact_surface){.name = shape->part,
                             .on = shape->part,
                             .kind = CONTACT_ON_LEVEL,
                             .place = shape->centre,
                             .axis = vector_zero(ctx),
                             .span = shape->span};
    out->axis.c[2] = expr_int(ctx, 1);
    ah_expr square[3], terms[3];
    for (int k = 0; k < 3; k++) {
        out->local[k] = expr_symbol(ctx, AH_LOCAL, (const char *[]){"x", "y", "z"}[k]);
        square[k] = expr_powi(ctx, out->local[k], 2);
    }
    switch (shape->kind) {
    case CONTACT_SPHERE:
        out->kind = CONTACT_ON_SPHERE;
        out->size = shape->size[0];
        return true;
    case CONTACT_ELLIPSOID: /* Σ x²/a² - 1 */
        for (int k = 0; k < 3; k++)
            terms[k] = expr_div(ctx, square[k], expr_powi(ctx, shape->size[k], 2));
        out->level = expr_sub(ctx, expr_sum(ctx, 3, terms), expr_int(ctx, 1));
        return true;
    case CONTACT_TORUS: { /* (sqrt(x² + y²) - R)² + z² - r² */
        const int k = shape->axis - 1;
        const ah_expr across = expr_add(ctx, square[(k + 1) % 3], square[(k + 2) % 3]);
        const ah_expr off = expr_sub(ctx, expr_call1(ctx, AH_SQRT, across), shape->size[0]);
        terms[0] = expr_powi(ctx, off, 2);
        terms[1] = square[k];
        terms[2] = expr_neg(ctx, expr_powi(ctx, shape->size[1], 2));
        out->level = expr_sum(ctx, 3, terms);
        return true;
    }
    case CONTACT_CYLINDER:
    case CONTACT_CONE: {
        const bool round = shape->kind == CONTACT_CYLINDER;
        if (shape->size[1] != AH_NONE) return false; /* an edge */
        out->kind = round ? CONTACT_ON_CYLINDER : CONTACT_ON_CONE;
        out->size = shape->size[round ? 0 : 2];
        for (int k = 0; k < 3; k++) out->axis.c[k] = expr_int(ctx, k == shape->axis - 1);
        return true;
    }
    case CONTACT_LEVEL:
        memcpy(out->local, shape->local, sizeof out->local);
        out->level = shape->level;
        return true;
    case CONTACT_SHEET:
        out->kind = CONTACT_ON_SHEET;
        out->sheet = shape->sheet;
        return true;
    default: return false;
    }
}

/* ---- What does not fit ----------------------------------------------------------------------- */

/* The largest radius of curvature of the body. */
static bool bluntest(ah_model *m, const contact_shape *shape, ah_expr *out)
{
    ah_ctx *ctx = m->ctx;
    *out = shape->size[0];
    if (shape->kind == CONTACT_TORUS) *out = expr_add(ctx, shape->size[0], shape->size[1]);
    if (shape->kind != CONTACT_ELLIPSOID) return true;
    bool known = false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const ah_expr radius = expr_div(ctx, expr_powi(ctx, shape->size[i], 2), shape->size[k]);
            const int larger = known ? contact_sign(m, expr_sub(ctx, radius, *out)) : 1;
            if (larger == 2) return false;
            if (larger > 0) *out = radius;
            known = true;
        }
    return true;
}

/* An edge without curvature, a surface made of parallel lines along an axis. */
static bool is_straight(ah_ctx *ctx, const contact_shape *shape)
{
    bool straight = shape->kind == CONTACT_CURVE;
    for (int k = 0; k < 3; k++)
        if (shape->kind == CONTACT_LEVEL) {
            straight |= !expr_depends(ctx, shape->level, shape->local[k]);
        } else {
            const ah_expr slope = expr_diff(ctx, shape->curve.c[k], shape->local[0]);
            straight &= expr_is_zero(ctx, expr_diff(ctx, slope, shape->local[0]));
        }
    return straight;
}

const char *contact_misfit(ah_model *m, const contact_ground *g, const contact_shape *shape)
{
    ah_expr blunt;
    const contact_surface *f = g->surface;
    if (shape->kind == CONTACT_SHEET)
        return f->kind == CONTACT_ON_PLANE && contact_sheet_is_ruled(m, &shape->sheet)
                   ? "it is bent in one direction only, and touches a plane along a line"
                   : NULL;
    if (shape->kind >= CONTACT_CURVE)
        return f->kind == CONTACT_ON_PLANE && is_straight(m->ctx, shape)
                   ? "it is straight, and touches a plane along a line"
                   : NULL;
    if (!f->inside || (f->kind != CONTACT_ON_SPHERE && f->kind != CONTACT_ON_CYLINDER)) return NULL;
    if (!bluntest(m, shape, &blunt)) return NULL;
    const int room = contact_sign(m, expr_sub(m->ctx, f->size, blunt));
    return room == 0 || room == -1 ? "the body is rounder than the hollow surface" : NULL;
}
