/* contact/level_shapes.c - shapes by a formula, whose contact is found along with the motion.
 *
 * The unknowns tell the place on the body: xi in its axes, r = C + R xi, on a surface G(xi) = 0; or s
 * on an edge r = C + R c(s); or u, v on a sheet r = C + R p(u, v). With F > 0 outside the ground:
 *
 *     on       G(xi) = 0
 *     touch    F(r) = 0                                multiplier × |∇F| = the normal force
 *     tangent  t_i·R ∇G = 0, or ∂F(r(s))/∂s = 0        one tangent plane, or a tangent in it
 *
 * with ∂p/∂u × ∂p/∂v, without a factor of all its components, for ∇G of a sheet; and the body is on the outer
 * side: -∇F·R ∇G > 0, or ∂²F/∂s² > 0 (it is above at both sides of r).
 * The unknowns have no mass: their equations make the multipliers of `tangent` vanish (unless body and
 * ground have the same curvature), and those of `on` and `touch` balance. */
#include "contact_inside.h"

/* An edge counts as flat on the ground where ∂²F/∂s² is less than |c''|² divided by this, a number
 * in 1/m: far beyond rounding, and an angle that no motion keeps. */
#define CONTACT_FLAT 1000000000

/* A motion ends where ∂²F/∂s² is less than this part of |∇F| |c''|: on a plane at this angle. */
#define CONTACT_ALONG 100000

/* Two directions on a sheet count as one where their product is less than this part of their squares:
 * beside the pole of a sphere, where any u is a solution. */
#define CONTACT_POLE 1000000000

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
        model_add_range(m, (model_range){xi.c[k], expr_int(ctx, 0),
                                         expr_neg(ctx, vector_dot(ctx, up, s->axis[k])), false});
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
 * would count as a component of the constraints (a plane edge that lies flat). As it was where there are none: factors are
 * multiplied out, and cancel in the numbers. */
static ah_expr without_common(ah_model *m, ah_expr slope, ah_expr positive)
{
    ah_ctx *ctx = m->ctx;
    algebra *alg = algebra_create(ctx, NULL, 0);
    algebra_factors of, other;
    if (!algebra_factor(alg, slope, &of) || !algebra_factor(alg, positive, &other)) return slope;
    ah_expr rest = expr_int(ctx, 1);
    bool any = false;
    for (size_t i = 0; i < of.count; i++) {
        const bool number = !expr_depends_kind(ctx, of.factor[i], AH_COORDINATE);
        bool common = number;
        for (size_t k = 0; k < other.count; k++) common |= of.factor[i] == other.factor[k];
        any |= common && !number;
        if (!common) rest = expr_mul(ctx, rest, expr_powi(ctx, of.factor[i], of.exponent[i]));
    }
    return any ? rest : slope;
}

static void add_curve(ah_model *m, const contact_pair *pair, const contact_ground *g,
                      const contact_solid *s, contact_place *out)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr at = unknown(m, pair, "s");
    ah_vector c = s->shape->curve, gradient;
    expr_subst_all(ctx, c.c, 3, 1, s->shape->local, &at);
    const ah_expr *range = s->shape->range;
    model_add_range(m, (model_range){at, range[0], expr_sub(ctx, range[1], range[0]), false});
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
    const ah_expr size = expr_mul(ctx, out->scale, vector_norm(ctx, bend));
    contact_end(m, pair, g->surface->kind == CONTACT_ON_PLANE ? "lies flat on" : "lies along",
                expr_sub(ctx, bent, expr_mul(ctx, expr_rational(ctx, 1, CONTACT_ALONG), size)));
}

static ah_vector partial(ah_ctx *ctx, ah_vector v, ah_expr by)
{
    for (int k = 0; k < 3; k++) v.c[k] = expr_diff(ctx, v.c[k], by);
    return v;
}

ah_vector contact_on_sheet(ah_ctx *ctx, const contact_sheet *sheet, const ah_expr at[2],
                           ah_vector slope[2])
{
    ah_vector p = sheet->p;
    for (int k = 0; k < 2; k++) {
        slope[k] = partial(ctx, p, sheet->parameter[k]);
        expr_subst_all(ctx, slope[k].c, 3, 2, sheet->parameter, at);
    }
    expr_subst_all(ctx, p.c, 3, 2, sheet->parameter, at);
    return p;
}

ah_vector contact_sheet_normal(ah_ctx *ctx, const contact_sheet *sheet)
{
    ah_vector slope[2];
    contact_on_sheet(ctx, sheet, sheet->parameter, slope);
    return vector_cross(ctx, slope[0], slope[1]);
}

/* Gauss' curvature: (N·p_uu) (N·p_vv) - (N·p_uv)² vanishes. */
bool contact_sheet_is_ruled(ah_model *m, const contact_sheet *sheet)
{
    ah_ctx *ctx = m->ctx;
    const ah_vector N = contact_sheet_normal(ctx, sheet);
    ah_expr bend[2][2];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            bend[i][k] = vector_dot(
                ctx, N,
                partial(ctx, partial(ctx, sheet->p, sheet->parameter[i]), sheet->parameter[k]));
    return contact_vanishes(
        m, expr_sub(ctx, expr_mul(ctx, bend[0][0], bend[1][1]), expr_powi(ctx, bend[0][1], 2)));
}

void contact_unknown_on_sheet(ah_model *m, const contact_pair *pair, const contact_sheet *sheet,
                              ah_expr at[2])
{
    for (int k = 0; k < 2; k++) {
        const ah_expr *range = sheet->range[k], along = expr_sub(m->ctx, range[1], range[0]);
        at[k] = unknown(m, pair, k ? "v" : "u");
        model_add_range(m, (model_range){at[k], range[0], along, k == 1});
    }
}

/* Are the slopes two directions? */
static ah_expr off_pole(ah_ctx *ctx, const ah_vector slope[2])
{
    const ah_vector N = vector_cross(ctx, slope[0], slope[1]);
    const ah_expr squares =
        expr_add(ctx, vector_dot(ctx, slope[0], slope[0]), vector_dot(ctx, slope[1], slope[1]));
    const ah_expr least = expr_mul(ctx, expr_rational(ctx, 1, CONTACT_POLE), squares);
    return expr_sub(ctx, vector_dot(ctx, N, N), expr_powi(ctx, least, 2));
}

/* What all components of v have in common, as cos v of a sphere's ∂p/∂u × ∂p/∂v: at its zeros every place would
 * count as touching. 1: nothing, or its sign in the middle of the sheet is not known. */
static ah_expr common_factor(ah_model *m, const contact_sheet *sheet, ah_vector v)
{
    ah_ctx *ctx = m->ctx;
    algebra *alg = algebra_create(ctx, m->facts.at, m->facts.count);
    algebra_factors of[3];
    ah_expr common = expr_int(ctx, 1), middle[2];
    size_t first = 3;
    for (size_t k = 3; k-- > 0;) {
        if (contact_vanishes(m, v.c[k])) continue;
        if (!algebra_factor(alg, v.c[k], &of[k])) return common;
        first = k;
    }
    for (size_t i = 0; first < 3 && i < of[first].count; i++) {
        const ah_expr f = of[first].factor[i];
        bool all =
            expr_depends(ctx, f, sheet->parameter[0]) || expr_depends(ctx, f, sheet->parameter[1]);
        for (size_t k = first + 1; k < 3 && all; k++) {
            bool has = contact_vanishes(m, v.c[k]);
            for (size_t n = 0; !has && n < of[k].count; n++) has = of[k].factor[n] == f;
            all = has;
        }
        if (all) common = expr_mul(ctx, common, f);
    }
    for (int k = 0; k < 2; k++)
        middle[k] = expr_mul(ctx, expr_rational(ctx, 1, 2),
                             expr_add(ctx, sheet->range[k][0], sheet->range[k][1]));
    const int sign = contact_sign(m, expr_subst(ctx, common, 2, sheet->parameter, middle));
    return sign == 1 ? common : sign == -1 ? expr_neg(ctx, common) : expr_int(ctx, 1);
}

static void add_sheet(ah_model *m, const contact_pair *pair, const contact_ground *g,
                      const contact_solid *s, contact_place *out)
{
    static const char *const tangents[] = {"tangent1", "tangent2"};
    const contact_sheet *sheet = &s->shape->sheet;
    ah_ctx *ctx = m->ctx;
    ah_expr at[2];
    ah_vector slope[2], gradient, outer = vector_zero(ctx), N = contact_sheet_normal(ctx, sheet);
    const ah_expr over = expr_div(ctx, expr_int(ctx, 1), common_factor(m, sheet, N));
    for (int k = 0; k < 3; k++) N.c[k] = contact_short(m, expr_mul(ctx, over, N.c[k]));
    contact_unknown_on_sheet(m, pair, sheet, at);
    expr_subst_all(ctx, N.c, 3, 2, sheet->parameter, at);
    const ah_vector p = contact_on_sheet(ctx, sheet, at, slope);
    const ah_expr F = begin(m, g, contact_at(m, s, p), &gradient, out);
    for (int k = 0; k < 3; k++)
        outer = vector_add(ctx, outer, vector_scale(ctx, N.c[k], s->axis[k]));
    for (int k = 0; k < 2; k++)
        contact_constrain(m, pair, tangents[k], vector_dot(ctx, out->tangent[k], outer));
    out->touch[0] = contact_constrain(m, pair, "touch", F);
    assume_outer(m, pair, expr_neg(ctx, vector_dot(ctx, gradient, outer)));
    assume_outer(m, pair, off_pole(ctx, slope));
}

void contact_add_formula(ah_model *m, const contact_pair *pair, const contact_ground *g,
                         const contact_solid *s, contact_place *out)
{
    switch (s->shape->kind) {
    case CONTACT_CURVE: add_curve(m, pair, g, s, out); break;
    case CONTACT_SHEET: add_sheet(m, pair, g, s, out); break;
    default: add_level(m, pair, g, s, out); break;
    }
}
