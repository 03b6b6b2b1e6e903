/* contact/level_shapes.c - shapes by a formula, whose contact is found along with the motion.
 *
 * The unknowns tell the place on the body: xi in its axes, r = C + R xi, on a surface G(xi) = 0; or s
 * on an edge r = C + R c(s). With F > 0 outside the ground:
 *
 *     on       G(xi) = 0
 *     touch    F(r) = 0                                multiplier × |∇F| = the normal force
 *     tangent  t_i·R ∇G = 0, or ∂F(r(s))/∂s = 0        one tangent plane, or a tangent in it
 *
 * and the body is on the outer side: -∇F·R ∇G > 0, or ∂²F/∂s² > 0 (it is above at both sides of r).
 * The unknowns have no mass: their equations make the multipliers of `tangent` vanish (unless body and
 * ground have the same curvature), and those of `on` and `touch` balance. */
#include "contact_inside.h"

/* An edge counts as flat on the ground where ∂²F/∂s² is less than |c''|² divided by this, a number
 * in 1/m: far beyond rounding, and an angle that no motion keeps. */
#define CONTACT_FLAT 1000000000

static void assume_outer(ah_model *m, const contact_pair *pair, ah_expr positive)
{
    model_add_fact(m, (algebra_fact){.e = positive, .positive = true}, pair->span);
}

static ah_expr unknown(ah_model *m, const contact_pair *pair, const char *what)
{
    return model_add_coordinate(m, contact_label(m, pair, what), pair->span);
}

/* F at r, its gradient, and with them what is the same for all formulas. */
static ah_expr begin(ah_model *m, const contact_ground *g, ah_vector r, ah_vector *gradient,
                     contact_place *out)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr F = contact_level(m, g, r, gradient);
    out->place = r;
    out->touches = 1;
    if (g->surface->kind == CONTACT_ON_PLANE) {
        *gradient = out->normal = g->axis;
        out->scale = expr_int(ctx, 1);
    } else {
        out->scale = contact_short(m, vector_norm(ctx, *gradient));
        out->normal = vector_scale(ctx, expr_div(ctx, expr_int(ctx, 1), out->scale), *gradient);
    }
    contact_tangents(ctx, out->normal, out->tangent);
    return F;
}

/* Towards the ground, from where the centre is. */
static void seek(ah_model *m, const contact_ground *g, const contact_solid *s, ah_vector xi)
{
    ah_ctx *ctx = m->ctx;
    ah_vector up = g->axis;
    if (g->surface->kind != CONTACT_ON_PLANE) {
        contact_level(m, g, s->centre, &up);
        up = vector_scale(ctx, expr_div(ctx, expr_int(ctx, 1), vector_norm(ctx, up)), up);
    }
    for (int k = 0; k < 3; k++)
        model_add_range(m, xi.c[k], expr_int(ctx, 0),
                        expr_neg(ctx, vector_dot(ctx, up, s->axis[k])));
}

static void add_level(ah_model *m, const contact_pair *pair, const contact_ground *g,
                      const contact_solid *s, contact_place *out)
{
    static const char *const names[] = {"x", "y", "z"}, *const tangents[] = {"tangent1",
                                                                             "tangent2"};
    ah_ctx *ctx = m->ctx;
    ah_vector xi, slope, gradient;
    for (int k = 0; k < 3; k++) xi.c[k] = unknown(m, pair, names[k]);
    const ah_expr F = begin(m, g, contact_at(m, s, xi), &gradient, out);
    seek(m, g, s, xi);
    expr_gradient(ctx, s->shape->level, 3, s->shape->local, slope.c);
    ah_expr value[] = {s->shape->level, slope.c[0], slope.c[1], slope.c[2]};
    expr_subst_all(ctx, value, 4, 3, s->shape->local, xi.c);
    ah_vector outer = vector_zero(ctx); /* R ∇G */
    for (int k = 0; k < 3; k++)
        outer = vector_add(ctx, outer, vector_scale(ctx, value[1 + k], s->axis[k]));
    contact_constrain(m, pair, "on", value[0]);
    for (int k = 0; k < 2; k++)
        contact_constrain(m, pair, tangents[k], vector_dot(ctx, out->tangent[k], outer));
    out->touch[0] = contact_constrain(m, pair, "touch", F);
    assume_outer(m, pair, expr_neg(ctx, vector_dot(ctx, gradient, outer)));
}

/* slope without the factors that it has in common with what is positive: they do not vanish, but
 * would count as a component of the constraints (a plane edge that lies flat). */
static ah_expr without_common(ah_model *m, ah_expr slope, ah_expr positive)
{
    ah_ctx *ctx = m->ctx;
    algebra *alg = algebra_create(ctx, NULL, 0);
    algebra_factors of, other;
    if (!algebra_factor(alg, slope, &of) || !algebra_factor(alg, positive, &other)) return slope;
    ah_expr rest = expr_int(ctx, 1);
    for (size_t i = 0; i < of.count; i++) {
        bool common = !expr_depends_kind(ctx, of.factor[i], AH_COORDINATE);
        for (size_t k = 0; k < other.count; k++) common |= of.factor[i] == other.factor[k];
        if (!common) rest = expr_mul(ctx, rest, expr_powi(ctx, of.factor[i], of.exponent[i]));
    }
    return rest;
}

static void add_curve(ah_model *m, const contact_pair *pair, const contact_ground *g,
                      const contact_solid *s, contact_place *out)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr at = unknown(m, pair, "s");
    ah_vector c = s->shape->curve, gradient;
    expr_subst_all(ctx, c.c, 3, 1, s->shape->local, &at);
    model_add_range(m, at, s->shape->range[0],
                    expr_sub(ctx, s->shape->range[1], s->shape->range[0]));
    const ah_expr F = begin(m, g, contact_at(m, s, c), &gradient, out);
    const ah_expr slope = expr_diff(ctx, F, at), bent = expr_diff(ctx, slope, at);
    contact_constrain(m, pair, "tangent", without_common(m, slope, bent));
    out->touch[0] = contact_constrain(m, pair, "touch", F);
    /* More than rounding errors: where an edge lies flat it touches everywhere, and ∂²F/∂s² = 0. */
    ah_vector bend = c;
    for (int k = 0; k < 3; k++) bend.c[k] = expr_diff(ctx, expr_diff(ctx, c.c[k], at), at);
    const ah_expr least =
        expr_mul(ctx, expr_rational(ctx, 1, CONTACT_FLAT), vector_dot(ctx, bend, bend));
    assume_outer(m, pair, expr_sub(ctx, bent, least));
}

void contact_add_formula(ah_model *m, const contact_pair *pair, const contact_ground *g,
                         const contact_solid *s, contact_place *out)
{
    (s->shape->kind == CONTACT_CURVE ? add_curve : add_level)(m, pair, g, s, out);
}
