/* contact/solids.c - shapes of bodies: where they touch, given the normal.
 *
 * With nu = n in body axes, from the shape's centre [MECHANICS, Rolling]:
 *
 *     sphere      -r nu                                   height r
 *     ellipsoid   -D nu/sqrt(nuᵀ D nu), D = diag(a_i²)    height sqrt(nuᵀ D nu)
 *     disc        -R (nu - (nu·e) e)/|nu - (nu·e) e|      height R |nu - (nu·e) e|
 *     torus       the same, and -rho nu                   … + rho
 *     cylinder    that of the disc, and -sign(nu·e) l/2 e … + |nu·e| l/2
 *     cone        that of the disc, its base */
#include "contact_inside.h"

#include <math.h>

contact_solid contact_solid_of(ah_model *m, const contact_shape *shape, const model_part *part)
{
    contact_solid s = {.shape = shape, .part = part, .centre = part->place};
    for (int k = 0; k < 3; k++) s.axis[k] = model_axis(part, k + 1);
    s.centre = contact_at(m, &s, shape->centre);
    return s;
}

ah_vector contact_at(ah_model *m, const contact_solid *s, ah_vector local)
{
    ah_vector out = s->centre;
    for (int k = 0; k < 3; k++)
        out = vector_add(m->ctx, out, vector_scale(m->ctx, local.c[k], s->axis[k]));
    return out;
}

ah_expr contact_short(ah_model *m, ah_expr e)
{
    return algebra_simplify(algebra_create(m->ctx, m->facts.at, m->facts.count), e);
}

/* Where the numbers at one place are that much of the terms, e is no zero. */
#define CLEARLY 1e-6

/* e at a place that nothing distinguishes; false: it is no number there, or too small to tell. */
static bool is_clearly_not_zero(ah_ctx *ctx, ah_expr e, double *out)
{
    arena *a = &ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const expr_list symbols = expr_symbols(ctx, a, &e, 1);
    frame *at = frame_create(ctx, a, 0);
    double value, size;
    for (size_t i = 0; i < symbols.count; i++)
        frame_set(at, symbols.at[i], 0.5 + fmod(0.6180339887498949 * (double) (i + 1), 1));
    expr_plan_run_scaled(expr_plan_create(ctx, a, &e, 1), at, &value, &size);
    arena_release(a, mark);
    *out = value;
    return isfinite(size) && fabs(value) > CLEARLY * size;
}

bool contact_vanishes(ah_model *m, ah_expr e)
{
    double value;
    return !is_clearly_not_zero(m->ctx, e, &value) && expr_is_zero(m->ctx, contact_short(m, e));
}

int contact_sign(ah_model *m, ah_expr e)
{
    model_put_values(m, &e, 1);
    const expr_list open = expr_symbols(m->ctx, &m->ctx->scratch, &e, 1);
    if (open.count) return 2;
    const int sign = algebra_sign(algebra_create(m->ctx, NULL, 0), e);
    double value; /* of pi/2 - 2, say */
    if (sign != 2 || !is_clearly_not_zero(m->ctx, e, &value)) return sign;
    return value > 0 ? 1 : -1;
}

static ah_expr square(ah_ctx *ctx, ah_expr e)
{
    return expr_powi(ctx, e, 2);
}

static ah_vector on_ellipsoid(ah_model *m, const contact_solid *s, ah_vector n, ah_expr *height)
{
    ah_ctx *ctx = m->ctx;
    ah_expr terms[3];
    ah_vector sum = vector_zero(ctx);
    for (int k = 0; k < 3; k++) {
        const ah_expr D = square(ctx, s->shape->size[k]), nu = vector_dot(ctx, n, s->axis[k]);
        terms[k] = expr_mul(ctx, D, square(ctx, nu));
        sum = vector_add(ctx, sum, vector_scale(ctx, expr_mul(ctx, D, nu), s->axis[k]));
    }
    *height = expr_call1(ctx, AH_SQRT, expr_sum(ctx, 3, terms));
    return vector_scale(ctx, expr_div(ctx, expr_int(ctx, 1), *height), sum);
}

/* n without its component along the axis of the circle, and its length: with the angles of an upright
 * wheel the square of a single sine. */
static ah_vector on_circle(ah_model *m, const contact_solid *s, ah_vector n, ah_expr *height)
{
    ah_ctx *ctx = m->ctx;
    const int k = s->shape->axis - 1, i = (k + 1) % 3, j = (k + 2) % 3;
    const ah_vector e = s->axis[k];
    const ah_vector u = vector_sub(ctx, n, vector_scale(ctx, vector_dot(ctx, n, e), e));
    const ah_expr a = vector_dot(ctx, n, s->axis[i]), b = vector_dot(ctx, n, s->axis[j]);
    const ah_expr sum = contact_short(m, expr_add(ctx, square(ctx, a), square(ctx, b)));
    const ah_expr rest = expr_sub(ctx, expr_int(ctx, 1), square(ctx, vector_dot(ctx, n, e)));
    const ah_expr length2 =
        expr_operations(ctx, &sum, 1) <= expr_operations(ctx, &rest, 1) ? sum : rest;
    const ah_expr length = contact_short(m, expr_call1(ctx, AH_SQRT, length2));
    const ah_expr R = s->shape->size[0];
    *height = expr_mul(ctx, R, length);
    return vector_scale(ctx, expr_div(ctx, R, length), u);
}

/* The edge of a cylinder that is lower. */
static ah_vector on_end(ah_model *m, const contact_solid *s, ah_vector n, ah_expr *height)
{
    ah_ctx *ctx = m->ctx;
    const ah_vector e = s->axis[s->shape->axis - 1], arm = on_circle(m, s, n, height);
    const ah_expr up = contact_short(m, vector_dot(ctx, n, e));
    const ah_expr half = expr_mul(ctx, expr_rational(ctx, 1, 2), s->shape->size[1]);
    const ah_expr end = expr_mul(ctx, expr_call1(ctx, AH_SIGN, up), half);
    *height = expr_add(ctx, *height, expr_mul(ctx, end, up));
    return vector_add(ctx, arm, vector_scale(ctx, end, e));
}

ah_vector contact_support(ah_model *m, const contact_solid *s, ah_vector n, ah_expr *height)
{
    ah_ctx *ctx = m->ctx;
    ah_vector arm;
    switch (s->shape->kind) {
    case CONTACT_ELLIPSOID: arm = on_ellipsoid(m, s, n, height); break;
    case CONTACT_DISC:
    case CONTACT_CONE: arm = on_circle(m, s, n, height); break;
    case CONTACT_CYLINDER: arm = on_end(m, s, n, height); break;
    case CONTACT_TORUS:
        arm = vector_add(ctx, on_circle(m, s, n, height), vector_scale(ctx, s->shape->size[1], n));
        *height = expr_add(ctx, *height, s->shape->size[1]);
        break;
    default:
        *height = s->shape->size[0];
        arm = vector_scale(ctx, *height, n);
        break;
    }
    return vector_sub(ctx, s->centre, arm);
}

/* ---- Tangents -------------------------------------------------------------------------------- */

static ah_vector unit(ah_ctx *ctx, int k)
{
    ah_vector e = vector_zero(ctx);
    e.c[k] = expr_int(ctx, 1);
    return e;
}

/* A vanishing component of n: its axis is a tangent. Otherwise the turn that takes z to n takes x and
 * y along: t = a - (a·n)/(1 + z·n) (z + n), everywhere but where n = -z. */
void contact_tangents(ah_ctx *ctx, ah_vector n, ah_vector out[2])
{
    int flat = 0;
    while (flat < 3 && !expr_is_zero(ctx, n.c[flat])) flat++;
    if (flat < 3) {
        out[0] = unit(ctx, flat);
        out[1] = vector_cross(ctx, n, out[0]);
        return;
    }
    const ah_vector sum = vector_add(ctx, unit(ctx, 2), n);
    for (int k = 0; k < 2; k++)
        out[k] =
            vector_sub(ctx, unit(ctx, k), vector_scale(ctx, expr_div(ctx, n.c[k], sum.c[2]), sum));
}
