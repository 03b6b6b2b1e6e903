/* figure/scene_looks.c - what a body looks like.
 *
 * As its `shape` says, by which it touches others; a shape by a formula F = G or p(u, v) is not
 * drawn. Without one, like the homogeneous solid of its inertia: a cylinder where two principal
 * moments are equal, else a block. For a block of sides a, b, c and the mass m
 *
 *     A = m (b² + c²)/12, …      so      a² = 6 (B + C − A)/m, …
 *
 * and for a cylinder of radius r and height h
 *
 *     C = m r²/2,   A = m (r²/4 + h²/12). */
#include "../contact/contact.h"
#include "scene_inside.h"

#include <math.h>

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* r in the body's axes, from its centre of mass, in space. */
static ah_vector in_space(ah_ctx *ctx, const model_part *part, ah_vector r)
{
    ah_vector out = part->place;
    for (int k = 0; k < 3; k++)
        out = vector_add(ctx, out, vector_scale(ctx, r.c[k], model_axis(part, k + 1)));
    return out;
}

static scene_shape solid(scene *s, scene_kind kind, const model_part *part, int axis)
{
    const contact_shape *shape = part->shape;
    scene_shape out = scene_of_body(s, kind, part, axis);
    out.at = scene_place(s, in_space(s->model->ctx, part, shape->centre));
    for (int k = 0; k < 3; k++)
        if (shape->size[k] != AH_NONE) out.size[k] = scene_value(s, shape->size[k]);
    return out;
}

/* Without ends it is drawn twice as long as it is wide. */
static scene_shape cylinder(scene *s, const model_part *part)
{
    ah_ctx *ctx = s->model->ctx;
    const contact_shape *shape = part->shape;
    scene_shape out = solid(s, SCENE_DISC, part, shape->axis);
    if (shape->size[1] == AH_NONE)
        out.size[1] = scene_value(s, expr_mul(ctx, expr_int(ctx, 4), shape->size[0]));
    return out;
}

/* By its angle only the apex is known. The centre of mass of a homogeneous cone is at three quarters
 * of its height l from there, so l is four thirds of the distance. false: it is the apex itself. */
static bool cone_of_angle(scene *s, const model_part *part, scene_shape *out)
{
    ah_ctx *ctx = s->model->ctx;
    const contact_shape *shape = part->shape;
    const ah_expr l = expr_mul(ctx, expr_rational(ctx, -4, 3), shape->centre.c[shape->axis - 1]);
    const ah_expr alpha = shape->size[2];
    if (!(scene_constant(s->model, l) > 0)) return false;
    ah_vector base = shape->centre;
    base.c[shape->axis - 1] = expr_add(ctx, base.c[shape->axis - 1], l);
    *out = scene_of_body(s, SCENE_CONE, part, shape->axis);
    out->at = scene_place(s, in_space(ctx, part, base));
    for (int k = 0; k < 3; k++) { /* from the base to the apex: the other way round */
        const int own = k == 2 ? shape->axis : 1 + (shape->axis + 1 - k) % 3;
        const ah_vector e = model_axis(part, own);
        out->frame[k] = scene_place(s, k == 2 ? vector_scale(ctx, expr_int(ctx, -1), e) : e);
    }
    const ah_expr slope =
        expr_div(ctx, expr_call1(ctx, AH_SIN, alpha), expr_call1(ctx, AH_COS, alpha));
    out->size[0] = scene_value(s, expr_mul(ctx, l, slope));
    out->size[1] = scene_value(s, l);
    return true;
}

static scene_shape edge(scene *s, const model_part *part)
{
    ah_ctx *ctx = s->model->ctx;
    const contact_shape *shape = part->shape;
    const ah_vector r = in_space(ctx, part, vector_add(ctx, shape->centre, shape->curve));
    scene_shape out =
        scene_curve(s, &(scene_path){r, shape->local[0], shape->range[0], shape->range[1]});
    out.at = scene_place(s, part->place);
    return out;
}

static bool is_centred(ah_ctx *ctx, const contact_shape *shape)
{
    for (int k = 0; k < 3; k++)
        if (!expr_is_zero(ctx, shape->centre.c[k])) return false;
    return true;
}

/* false: it is not drawn. */
static bool by_shape(scene *s, const model_part *part, scene_shape *out)
{
    const contact_shape *shape = part->shape;
    switch (shape->kind) {
    case CONTACT_SPHERE: *out = solid(s, SCENE_SPHERE, part, 3); return true;
    case CONTACT_DISC: /* beside the centre of mass it is an edge of something larger */
        if (!is_centred(s->model->ctx, shape)) return false;
        *out = solid(s, SCENE_DISC, part, shape->axis);
        return true;
    case CONTACT_TORUS: *out = solid(s, SCENE_TORUS, part, shape->axis); return true;
    case CONTACT_ELLIPSOID: *out = solid(s, SCENE_ELLIPSOID, part, 3); return true;
    case CONTACT_CYLINDER: *out = cylinder(s, part); return true;
    case CONTACT_CONE:
        if (shape->size[2] != AH_NONE) return cone_of_angle(s, part, out);
        *out = solid(s, SCENE_CONE, part, shape->axis);
        return true;
    case CONTACT_CURVE: *out = edge(s, part); return true;
    default: return false;
    }
}

/* ---- Inertia --------------------------------------------------------------------------------- */

static scene_channel number(scene *s, double x)
{
    char digits[40];
    const int length = snprintf(digits, sizeof digits, "%.6e", x);
    return scene_value(s, expr_number(s->model->ctx, digits, (size_t) length));
}

static bool is_diagonal(ah_model *m, const model_part *part)
{
    for (int k = 3; k < 6; k++)
        if (!expr_is_zero(m->ctx, part->inertia[k])) return false;
    return true;
}

static bool near_by(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

static double root(double square)
{
    return square > 0 ? sqrt(square) : 0;
}

/* false: the moments tell nothing (a body without inertia). */
static bool by_inertia(scene *s, const model_part *part, scene_shape *out)
{
    ah_model *m = s->model;
    double I[3], mass = scene_constant(m, part->mass), largest = 0;
    for (int k = 0; k < 3; k++) {
        I[k] = scene_constant(m, part->inertia[k]);
        if (!isfinite(I[k])) return false;
        largest = fmax(largest, I[k]);
    }
    if (!(largest > 0)) return false;
    if (!(mass > 0)) mass = largest; /* about a fixed point: only the proportions are known */
    const int z = scene_axis(m, part) - 1;
    const double C = I[z], A = I[(z + 1) % 3];
    if (is_diagonal(m, part) && near_by(A, I[(z + 2) % 3]) && !near_by(A, C) && C > 0) {
        const double r = root(2 * C / mass);
        *out = scene_of_body(s, SCENE_DISC, part, z + 1);
        out->size[0] = number(s, r);
        out->size[1] = number(s, fmax(root(12 * (A / mass - r * r / 4)), 0.06 * r));
        return true;
    }
    double side[3], longest = 0;
    for (int k = 0; k < 3; k++) {
        side[k] = root(6 * (I[(k + 1) % 3] + I[(k + 2) % 3] - I[k]) / mass);
        longest = fmax(longest, side[k]);
    }
    *out = scene_of_body(s, SCENE_BOX, part, 3);
    for (int k = 0; k < 3; k++) out->size[k] = number(s, fmax(side[k], 0.06 * longest));
    return true;
}

bool scene_looks(scene *s, const model_part *part, scene_shape *out)
{
    return (part->shape && by_shape(s, part, out)) || by_inertia(s, part, out);
}
