/* contact/line_contacts.c - cylinders and cones on planes.
 *
 * With ends they touch by an edge (solids.c), until they lie: there the motion ends, because what follows is an impact. Without
 * ends they touch along a line: with e along the axis, of a cone out of its apex A, and n the plane's normal,
 *
 *     cylinder    touch  n·(C - p) = R     lies  n·e = 0          at r = C - R n
 *     cone        touch  n·(A - p) = 0     lies  n·e = sin alpha  at r = A
 *     both        slip   t_i·(v_r - v_S) = 0,   spin  n·(omega - omega_S) = 0
 *
 * v_r + omega × s g is the velocity along the line, g its direction. It vanishes with v_r where omega is along g: across it, in
 * the plane, that is the rate of `lies`, and about n it is `spin`. The multiplier of `touch` is the whole normal force, that of
 * `lies` its moment about r; where on the line it acts, a rigid body does not tell. */
#include "contact_inside.h"

bool contact_is_rod(const contact_shape *shape)
{
    return shape->kind == CONTACT_CYLINDER || shape->kind == CONTACT_CONE;
}

/* n·e */
static ah_expr slope_of(ah_model *m, const contact_ground *g, const contact_solid *s)
{
    return contact_short(m, vector_dot(m->ctx, g->axis, s->axis[s->shape->axis - 1]));
}

bool contact_lies(ah_model *m, const contact_ground *g, const contact_solid *s)
{
    const contact_shape *shape = s->shape;
    if (!contact_is_rod(shape)) return false;
    if (shape->size[1] == AH_NONE) return true;
    return shape->kind == CONTACT_CYLINDER && contact_vanishes(m, slope_of(m, g, s));
}

/* Material that does not move as one piece slips somewhere along a line. */
static bool is_torn(ah_model *m, const contact_surface *f)
{
    for (int i = 0; f->moves && i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (expr_depends(m->ctx, f->moving.c[i], f->local[k])) return true;
    return false;
}

/* n·e of what lies. */
static ah_expr slope_lying(ah_ctx *ctx, const contact_shape *shape)
{
    return shape->kind == CONTACT_CYLINDER ? expr_int(ctx, 0)
                                           : expr_call1(ctx, AH_SIN, shape->size[2]);
}

static bool is_fixed(ah_ctx *ctx, ah_expr e)
{
    return !expr_depends_kind(ctx, e, AH_COORDINATE) && !expr_depends_kind(ctx, e, AH_TIME);
}

const char *contact_line_misfit(ah_model *m, const contact_ground *g, const contact_solid *s)
{
    ah_ctx *ctx = m->ctx;
    const contact_shape_kind kind = s->shape->kind;
    const bool plane = g->surface->kind == CONTACT_ON_PLANE;
    if (contact_is_rod(s->shape) && !plane)
        return "the edges and the side of this shape are known on planes only";
    if (!plane || (!contact_is_rod(s->shape) && kind != CONTACT_DISC && kind != CONTACT_TORUS))
        return NULL;
    const ah_expr slope = slope_of(m, g, s);
    if (contact_vanishes(m, expr_sub(ctx, expr_int(ctx, 1), expr_powi(ctx, slope, 2))))
        return "its axis stands upright, and it touches all around";
    if (!contact_lies(m, g, s)) return NULL;
    if (is_torn(m, g->surface))
        return "it touches along a line, on which the surface does not move as one piece";
    const ah_expr row = expr_sub(ctx, slope, slope_lying(ctx, s->shape));
    return is_fixed(ctx, row) && !contact_vanishes(m, row)
               ? "its axis keeps a slope at which it does not lie"
               : NULL;
}

void contact_add_line(ah_model *m, const contact_pair *pair, const contact_ground *g,
                      const contact_solid *s, contact_place *out)
{
    ah_ctx *ctx = m->ctx;
    const contact_shape *shape = s->shape;
    const bool round = shape->kind == CONTACT_CYLINDER;
    const ah_vector n = g->axis, d = vector_sub(ctx, s->centre, g->place);
    const ah_expr R = round ? shape->size[0] : expr_int(ctx, 0);
    out->normal = n;
    out->place = vector_sub(ctx, s->centre, vector_scale(ctx, R, n));
    if (!contact_upright(m, s, n, out->tangent)) contact_tangents(ctx, n, out->tangent);
    out->touch[0] = contact_constrain(m, pair, "touch", expr_sub(ctx, vector_dot(ctx, n, d), R));
    out->touches = 1;
    out->scale = expr_int(ctx, 1);
    contact_constrain(m, pair, "lies", expr_sub(ctx, slope_of(m, g, s), slope_lying(ctx, shape)));
}

/* The edge that touches is the lowest place of the body, up to where it lies on its side. */
void contact_assume_edge(ah_model *m, const contact_pair *pair, const contact_ground *g,
                         const contact_solid *s)
{
    ah_ctx *ctx = m->ctx;
    const contact_shape *shape = s->shape;
    if (!contact_is_rod(shape)) return;
    ah_expr above = slope_of(m, g, s);
    const bool cone = shape->kind == CONTACT_CONE;
    if (cone) { /* of the apex over the edge */
        ah_expr height;
        contact_support(m, s, g->axis, &height);
        above = expr_add(ctx, height, expr_mul(ctx, shape->size[1], above));
    }
    model_add_fact(m, (algebra_fact){.e = above, .positive = cone}, pair->span);
    model_add_event(m, &(model_event){.label = arena_printf(&ctx->job, "%s lies on %s along a line",
                                                            pair->part, pair->on),
                                      .e = above,
                                      .direction = cone ? -1 : 0,
                                      .stop = true,
                                      .span = pair->span});
}
