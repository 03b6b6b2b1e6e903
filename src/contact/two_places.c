/* contact/two_places.c - contacts whose place is sought on both: an edge on an edge, and shapes by a formula on a sheet.
 *
 * r_1 is a place of the body with unknowns of its own (s on an edge, u and v on a sheet, xi on a level surface), r_2 one of
 * what it touches (s, or u and v). With N = ∂p/∂u × ∂p/∂v of a sheet that is touched, outward:
 *
 *     touch      r_1 - r_2 = 0                three rows
 *     tangent    N·r_1' = 0 of an edge,  N·∂r_1/∂u = N·∂r_1/∂v = 0 of a sheet,  t_i·R ∇G = 0 of a level surface
 *
 * Two edges have no more than `touch`: three rows, two unknowns. The unknowns have no mass, so that the force, the multiplier
 * of `touch`, is perpendicular to both edges, or to the sheet: along n = ±r_1' × r_2'/|…|, towards the body, or N/|N|. */
#include "contact_inside.h"

/* Two directions count as one where their product is less than this part of their lengths. */
#define CONTACT_PARALLEL 1000000000
/* A motion ends where two edges are at this angle, squared; where an edge is bent away from a sheet by this part of its own bend. */
#define CONTACT_BESIDE 100000000
#define CONTACT_ALONG  100000

static void assume_positive(ah_model *m, const contact_pair *pair, ah_expr e)
{
    model_add_fact(m, (algebra_fact){.e = e, .positive = true}, pair->span);
}

static ah_vector turned(ah_model *m, const contact_solid *s, ah_vector local)
{
    ah_vector out = vector_zero(m->ctx);
    for (int k = 0; k < 3; k++)
        out = vector_add(m->ctx, out, vector_scale(m->ctx, local.c[k], s->axis[k]));
    return out;
}

static void touch_at(ah_model *m, const contact_pair *pair, ah_vector gap, contact_place *out)
{
    static const char *const names[] = {"touch1", "touch2", "touch3"};
    for (int k = 0; k < 3; k++) out->touch[k] = contact_constrain(m, pair, names[k], gap.c[k]);
    out->touches = 3;
    out->scale = expr_int(m->ctx, 1);
}

static ah_vector unit(ah_ctx *ctx, ah_vector v)
{
    return vector_scale(ctx, expr_div(ctx, expr_int(ctx, 1), vector_norm(ctx, v)), v);
}

/* ---- Edges ----------------------------------------------------------------------------------- */

typedef struct edge {
    ah_vector r, slope, bend; /* the place, and its derivatives by s */
} edge;

/* c(s) in body axes; of a disc R (cos s, sin s) across its axis. */
static ah_vector curve_of(ah_model *m, const contact_shape *shape, ah_expr s, ah_expr range[2])
{
    ah_ctx *ctx = m->ctx;
    ah_vector c = shape->curve;
    if (shape->kind == CONTACT_CURVE) {
        for (int k = 0; k < 2; k++) range[k] = shape->range[k];
        expr_subst_all(ctx, c.c, 3, 1, shape->local, &s);
        return c;
    }
    const int k = shape->axis - 1;
    c.c[k] = expr_int(ctx, 0);
    c.c[(k + 1) % 3] = expr_mul(ctx, shape->size[0], expr_call1(ctx, AH_COS, s));
    c.c[(k + 2) % 3] = expr_mul(ctx, shape->size[0], expr_call1(ctx, AH_SIN, s));
    range[0] = expr_int(ctx, 0);
    range[1] = expr_mul(ctx, expr_int(ctx, 2), expr_pi(ctx));
    return c;
}

static edge edge_of(ah_model *m, const contact_pair *pair, const contact_solid *s, const char *name,
                    bool apart)
{
    ah_ctx *ctx = m->ctx;
    ah_expr range[2];
    const ah_expr at = model_add_coordinate(m, contact_label(m, pair, name), pair->span);
    ah_vector c = curve_of(m, s->shape, at, range), slope, bend;
    model_add_range(m, (model_range){at, range[0], expr_sub(ctx, range[1], range[0]), apart});
    for (int k = 0; k < 3; k++) {
        slope.c[k] = expr_diff(ctx, c.c[k], at);
        bend.c[k] = expr_diff(ctx, slope.c[k], at);
    }
    return (edge){contact_at(m, s, c), turned(m, s, slope), turned(m, s, bend)};
}

bool contact_is_edge(const contact_shape *shape)
{
    return shape->kind == CONTACT_DISC || shape->kind == CONTACT_CURVE;
}

/* Towards the body: to the side on which its centre is, seen from that of the other. */
static ah_vector towards(ah_model *m, ah_vector normal, ah_vector centre, ah_vector other)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr side = vector_dot(ctx, normal, vector_sub(ctx, centre, other));
    return vector_scale(ctx, expr_call1(ctx, AH_SIGN, side), normal);
}

/* (r_1' × r_2')² > ε r_1'² r_2'²: they cross. */
static void assume_crossing(ah_model *m, const contact_pair *pair, const edge *a, const edge *b,
                            ah_vector across)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr lengths =
        expr_mul(ctx, vector_dot(ctx, a->slope, a->slope), vector_dot(ctx, b->slope, b->slope));
    const ah_expr least = expr_mul(ctx, expr_rational(ctx, 1, CONTACT_PARALLEL), lengths);
    const ah_expr square = vector_dot(ctx, across, across);
    assume_positive(m, pair, expr_sub(ctx, square, least));
    const ah_expr beside = expr_mul(ctx, expr_rational(ctx, 1, CONTACT_BESIDE), lengths);
    contact_end(m, pair, "lies along", expr_sub(ctx, square, beside));
}

/* Discs are filled: they are on different sides of the plane of both edges. */
static void assume_different_sides(ah_model *m, const contact_pair *pair, const contact_solid *s,
                                   const contact_solid *under, ah_vector place, ah_vector across)
{
    ah_ctx *ctx = m->ctx;
    if (s->shape->kind != CONTACT_DISC || under->shape->kind != CONTACT_DISC) return;
    const ah_expr one = vector_dot(ctx, across, vector_sub(ctx, s->centre, place));
    const ah_expr other = vector_dot(ctx, across, vector_sub(ctx, place, under->centre));
    assume_positive(m, pair, expr_mul(ctx, one, other));
}

void contact_add_edges(ah_model *m, const contact_pair *pair, const contact_solid *s,
                       const contact_solid *under, contact_place *out)
{
    ah_ctx *ctx = m->ctx;
    const edge a = edge_of(m, pair, s, "s1", false), b = edge_of(m, pair, under, "s2", true);
    const ah_vector across = vector_cross(ctx, a.slope, b.slope);
    touch_at(m, pair, vector_sub(ctx, a.r, b.r), out);
    assume_crossing(m, pair, &a, &b, across);
    assume_different_sides(m, pair, s, under, a.r, across);
    out->place = a.r;
    out->normal = unit(ctx, across);
    out->tangent[0] = unit(ctx, a.slope);
    out->tangent[1] = vector_cross(ctx, out->normal, out->tangent[0]);
}

void contact_direct(ah_model *m, const contact_solid *s, const contact_solid *under,
                    contact_place *out)
{
    out->normal = towards(m, out->normal, s->centre, under->centre);
}

/* ---- On a sheet ------------------------------------------------------------------------------ */

/* ∂²p/∂u², ∂²p/∂u∂v, … in space: the slopes of the sheets ∂p/∂u and ∂p/∂v. */
static void second_slopes(ah_model *m, const contact_ground *g, ah_vector out[2][2])
{
    const contact_sheet *sheet = &g->surface->sheet;
    for (int i = 0; i < 2; i++) {
        contact_surface own = *g->surface;
        contact_ground as = *g;
        as.surface = &own;
        for (int k = 0; k < 3; k++)
            own.sheet.p.c[k] = expr_diff(m->ctx, sheet->p.c[k], sheet->parameter[i]);
        contact_ground_at(m, &as, out[i]);
    }
}

/* d = a p_u + b p_v of a direction d in the tangent plane, by Gauss' E, F, G. */
static void along_slopes(ah_ctx *ctx, ah_vector d, const ah_vector p[2], ah_expr out[2])
{
    const ah_expr E = vector_dot(ctx, p[0], p[0]), F = vector_dot(ctx, p[0], p[1]),
                  G = vector_dot(ctx, p[1], p[1]);
    const ah_expr u = vector_dot(ctx, d, p[0]), v = vector_dot(ctx, d, p[1]);
    const ah_expr det = expr_sub(ctx, expr_mul(ctx, E, G), expr_powi(ctx, F, 2));
    out[0] = expr_div(ctx, expr_sub(ctx, expr_mul(ctx, G, u), expr_mul(ctx, F, v)), det);
    out[1] = expr_div(ctx, expr_sub(ctx, expr_mul(ctx, E, v), expr_mul(ctx, F, u)), det);
}

/* How much the edge bends away from the sheet: N·r'' less what the sheet itself bends in that direction,
 *     N·r'' - Σ a_i a_k N·p_ik,      r' = a_u p_u + a_v p_v . */
static ah_expr bends_away(ah_model *m, const contact_ground *g, const edge *e, const ah_vector p[2],
                          ah_vector N)
{
    ah_ctx *ctx = m->ctx;
    ah_vector second[2][2];
    ah_expr way[2];
    second_slopes(m, g, second);
    along_slopes(ctx, e->slope, p, way);
    ah_expr bend = vector_dot(ctx, N, e->bend);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            const ah_expr square = expr_mul(ctx, way[i], way[k]);
            bend = expr_sub(ctx, bend, expr_mul(ctx, square, vector_dot(ctx, N, second[i][k])));
        }
    return bend;
}

/* G(xi) = 0 in body axes: xi as unknowns; *outer: R ∇G. */
static ah_vector place_on_level(ah_model *m, const contact_pair *pair, const contact_solid *s,
                                ah_vector *outer)
{
    static const char *const names[] = {"x", "y", "z"};
    const contact_shape *shape = s->shape;
    ah_ctx *ctx = m->ctx;
    ah_vector xi;
    ah_expr value[4] = {shape->level};
    for (int k = 0; k < 3; k++)
        xi.c[k] = model_add_coordinate(m, contact_label(m, pair, names[k]), pair->span);
    expr_gradient(ctx, shape->level, 3, shape->local, value + 1);
    expr_subst_all(ctx, value, 4, 3, shape->local, xi.c);
    contact_constrain(m, pair, "on", value[0]);
    *outer = turned(m, s, (ah_vector){{value[1], value[2], value[3]}});
    return contact_at(m, s, xi);
}

/* p(u, v) of the body, with unknowns of its own. */
static ah_vector place_on_own_sheet(ah_model *m, const contact_pair *pair, const contact_solid *s,
                                    ah_vector *outer)
{
    static const char *const names[] = {"u1", "v1"};
    const contact_sheet *sheet = &s->shape->sheet;
    ah_ctx *ctx = m->ctx;
    ah_expr at[2];
    ah_vector slope[2];
    for (int k = 0; k < 2; k++) {
        const ah_expr *range = sheet->range[k];
        at[k] = model_add_coordinate(m, contact_label(m, pair, names[k]), pair->span);
        model_add_range(m,
                        (model_range){at[k], range[0], expr_sub(ctx, range[1], range[0]), k == 1});
    }
    const ah_vector p = contact_on_sheet(ctx, sheet, at, slope);
    *outer = turned(m, s, vector_cross(ctx, slope[0], slope[1]));
    return contact_at(m, s, p);
}

/* r_1 - r_2 = 0, and the normal of the sheet. */
static void touch_sheet(ah_model *m, const contact_pair *pair, ah_vector on_body,
                        ah_vector on_sheet, ah_vector N, contact_place *out)
{
    touch_at(m, pair, vector_sub(m->ctx, on_body, on_sheet), out);
    out->place = on_sheet;
    out->normal = unit(m->ctx, N);
    contact_tangents(m->ctx, out->normal, out->tangent);
}

static void add_edge_on_sheet(ah_model *m, const contact_pair *pair, const contact_ground *g,
                              const contact_solid *s, contact_place *out)
{
    ah_ctx *ctx = m->ctx;
    ah_vector slope[2];
    const ah_vector r = contact_ground_at(m, g, slope), N = vector_cross(ctx, slope[0], slope[1]);
    const edge e = edge_of(m, pair, s, "s", false);
    touch_sheet(m, pair, e.r, r, N, out);
    contact_constrain(m, pair, "tangent", vector_dot(ctx, N, e.slope));
    const ah_expr away = bends_away(m, g, &e, slope, N);
    const ah_expr size = expr_mul(ctx, vector_norm(ctx, N), vector_norm(ctx, e.bend));
    assume_positive(m, pair, away);
    contact_end(m, pair, "lies along",
                expr_sub(ctx, away, expr_mul(ctx, expr_rational(ctx, 1, CONTACT_ALONG), size)));
}

/* Of a surface by a formula: its outer normal is that of the sheet, turned round. */
static void add_surface_on_sheet(ah_model *m, const contact_pair *pair, const contact_ground *g,
                                 const contact_solid *s, contact_place *out)
{
    static const char *const tangents[] = {"tangent1", "tangent2"};
    ah_ctx *ctx = m->ctx;
    ah_vector slope[2], outer;
    const ah_vector r = contact_ground_at(m, g, slope), N = vector_cross(ctx, slope[0], slope[1]);
    const ah_vector own = s->shape->kind == CONTACT_SHEET ? place_on_own_sheet(m, pair, s, &outer)
                                                          : place_on_level(m, pair, s, &outer);
    touch_sheet(m, pair, own, r, N, out);
    for (int k = 0; k < 2; k++)
        contact_constrain(m, pair, tangents[k], vector_dot(ctx, slope[k], outer));
    const ah_expr against = expr_neg(ctx, vector_dot(ctx, N, outer));
    assume_positive(m, pair, against);
    contact_end(m, pair, "is at a pole of", against); /* of the sheet, or of its own */
}

void contact_add_on_sheet(ah_model *m, const contact_pair *pair, contact_ground *g,
                          const contact_solid *s, contact_place *out)
{
    contact_unknown_on_sheet(m, pair, &g->surface->sheet, g->at);
    if (s->shape->kind == CONTACT_CURVE)
        add_edge_on_sheet(m, pair, g, s, out);
    else
        add_surface_on_sheet(m, pair, g, s, out);
}
