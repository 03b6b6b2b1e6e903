/* contact/contact.c - shapes and surfaces of a model, and the constraints of what touches. */
#include "contact_inside.h"

#include <string.h>

/* ---- Kept with the model --------------------------------------------------------------------- */

typedef struct book {
    LIST(contact_surface) surfaces;
} book;

static char key;

static book *book_of(const ah_model *m)
{
    void **kept = model_kept((ah_model *) m, &key);
    if (!*kept) *kept = NEW(&m->ctx->job, book);
    return *kept;
}

const contact_shape *contact_find_shape(const ah_model *m, const char *part)
{
    const model_part *found = model_find_part(m, part);
    return found ? found->shape : NULL;
}

const contact_surface *contact_find_surface(const ah_model *m, const char *name)
{
    const book *b = book_of(m);
    for (size_t i = 0; i < b->surfaces.count; i++)
        if (!strcmp(b->surfaces.at[i].name, name)) return &b->surfaces.at[i];
    return NULL;
}

const contact_surface *contact_get_surface(const ah_model *m, size_t i)
{
    const book *b = book_of(m);
    return i < b->surfaces.count ? &b->surfaces.at[i] : NULL;
}

static bool positive(ah_model *m, ah_expr size, ah_span span, const char *what)
{
    const int sign = size == AH_NONE ? 2 : contact_sign(m, size);
    if (sign != 0 && sign != -1) return true;
    diag(m->ctx, A0427, span, "the size of %s is not positive", what);
    diag_hint(m->ctx, "radii and semi-axes are lengths");
    return false;
}

static bool is_sheet(ah_model *m, const contact_sheet *sheet, ah_span span)
{
    const ah_vector N = contact_sheet_normal(m->ctx, sheet);
    for (int k = 0; k < 3; k++)
        if (!contact_vanishes(m, N.c[k])) return true;
    diag(m->ctx, A0427, span, "the places do not fill a surface");
    diag_hint(m->ctx, "two parameters go different ways: (u, v, u*v) for u = -1 .. 1, v = -1 .. 1");
    return false;
}

static bool opens(ah_model *m, ah_expr angle, ah_span span)
{
    const ah_expr right = expr_div(m->ctx, expr_pi(m->ctx), expr_int(m->ctx, 2));
    const int sign = contact_sign(m, expr_sub(m->ctx, right, angle));
    if (sign != 0 && sign != -1) return true;
    diag(m->ctx, A0427, span, "the angle of the cone is not less than pi/2");
    diag_hint(m->ctx, "it is half of the angle at the apex, from the axis to the side");
    return false;
}

/* By its base, or by the angle of its side. */
static bool is_cone(ah_model *m, const contact_shape *shape)
{
    const bool base = shape->size[0] != AH_NONE && shape->size[1] != AH_NONE;
    const bool side = shape->size[2] != AH_NONE;
    if (side && shape->size[0] == AH_NONE && shape->size[1] == AH_NONE)
        return opens(m, shape->size[2], shape->span);
    if (base && !side) return true;
    diag(m->ctx, A0427, shape->span, "a cone is given by `radius` and `length`, or by `angle`");
    diag_hint(m->ctx,
              "it rolls on the edge of its base: shape B cone radius R length l at (0, 0, -l/4)");
    diag_hint(m->ctx,
              "or it lies on its side: shape B cone angle alpha at (0, 0, -3/4*l), the apex there");
    return false;
}

void contact_add_shape(ah_model *m, const contact_shape *shape)
{
    const contact_shape *before = contact_find_shape(m, shape->part);
    if (before) {
        diag(m->ctx, A0427, shape->span, "`%s` has a shape already", shape->part);
        diag_note(m->ctx, before->span, "given here");
        diag_hint(m->ctx, "a body has one shape; fix another body to it for another");
        return;
    }
    for (int k = 0; k < 3; k++)
        if (!positive(m, shape->size[k], shape->span, "the shape")) return;
    if (shape->kind == CONTACT_SHEET && !is_sheet(m, &shape->sheet, shape->span)) return;
    if (shape->kind == CONTACT_CONE && !is_cone(m, shape)) return;
    model_part *part = &m->parts.at[model_find(m, shape->part)->index];
    contact_shape *own = NEW(&m->ctx->job, contact_shape);
    *own = *shape;
    own->part = part->name;
    part->shape = own;
}

/* Its axis of length one; false: it has none. */
static bool direct(ah_model *m, contact_surface *surface)
{
    const ah_expr length = contact_short(m, vector_norm(m->ctx, surface->axis));
    if (expr_is_zero(m->ctx, length)) {
        diag(m->ctx, A0427, surface->span, "the surface `%s` has a direction of length zero",
             surface->name);
        diag_hint(m->ctx,
                  "the normal of a plane and the axis of a cylinder or cone say where it looks");
        return false;
    }
    if (!expr_is_one(m->ctx, length))
        surface->axis =
            vector_scale(m->ctx, expr_div(m->ctx, expr_int(m->ctx, 1), length), surface->axis);
    return true;
}

void contact_add_surface(ah_model *m, const contact_surface *surface)
{
    if (!positive(m, surface->size, surface->span, "the surface")) return;
    const contact_surface *before = contact_find_surface(m, surface->name);
    if (before) {
        diag(m->ctx, A0427, surface->span, "there is a surface `%s` already", surface->name);
        diag_note(m->ctx, before->span, "declared here");
        return;
    }
    if (surface->kind == CONTACT_ON_CONE && !opens(m, surface->size, surface->span)) return;
    if (surface->kind == CONTACT_ON_SHEET && !is_sheet(m, &surface->sheet, surface->span)) return;
    contact_surface own = *surface;
    own.name = arena_strdup(&m->ctx->job, surface->name);
    if (!direct(m, &own)) return;
    LIST_PUSH(&m->ctx->job, &book_of(m)->surfaces, own);
    if (own.kind != CONTACT_ON_PLANE || own.on) return;
    const model_seen plane = {MODEL_SEEN_PLANE, own.place, own.axis};
    LIST_PUSH(&m->ctx->job, &m->seen, plane);
}

/* ---- Refusing -------------------------------------------------------------------------------- */

static bool refuse(ah_model *m, const contact_pair *pair, const char *why, const char *hint)
{
    diag(m->ctx, A0428, pair->span, "`%s` cannot touch `%s`: %s", pair->part, pair->on, why);
    if (hint) diag_hint(m->ctx, "%s", hint);
    return false;
}

/* ---- The constraints ------------------------------------------------------------------------- */

const char *contact_label(ah_model *m, const contact_pair *pair, const char *what)
{
    const size_t base = strcspn(pair->label, "["); /* of an element: what[2] */
    return arena_printf(&m->ctx->job, "%.*s_%s%s", (int) base, pair->label, what,
                        pair->label + base);
}

const char *contact_constrain(ah_model *m, const contact_pair *pair, const char *what, ah_expr left)
{
    const char *label = contact_label(m, pair, what);
    if (contact_vanishes(m, left)) return NULL;
    model_add_constraint(m, label, left, expr_int(m->ctx, 0), pair->span);
    return label;
}

/* Two wheels on one axle do not slip along it together: the second says nothing new. */
static bool said_before(ah_model *m, ah_expr row)
{
    ah_ctx *ctx = m->ctx;
    for (size_t i = 0; i < m->written.count; i++) {
        const ah_expr c = expr_sub(ctx, m->written.at[i].left, m->written.at[i].right);
        if (!expr_depends_kind(ctx, c, AH_VELOCITY)) continue;
        if (contact_vanishes(m, expr_sub(ctx, row, c)) ||
            contact_vanishes(m, expr_add(ctx, row, c)))
            return true;
    }
    return false;
}

/* Two tangential components of the slip, and the spin about the normal. */
static void add_rolling(ah_model *m, const contact_pair *pair, ah_vector slip, ah_vector turning,
                        contact_place *out)
{
    static const char *const names[] = {"slip1", "slip2"};
    out->rolls = pair->rolls;
    if (!pair->rolls) return;
    for (int k = 0; k < 2; k++) {
        const ah_expr row = vector_dot(m->ctx, out->tangent[k], slip);
        if (!said_before(m, row)) out->slip[k] = contact_constrain(m, pair, names[k], row);
    }
    if (!pair->spins) contact_constrain(m, pair, "spin", vector_dot(m->ctx, out->normal, turning));
}

/* Where one constraint keeps the touch, its rate is n·slip. */
static void tell_slip(ah_model *m, const contact_ground *g, ah_vector slip, const contact_place *c)
{
    if (c->touches != 1 || !c->touch[0] || !c->slip[0] || !c->slip[1]) return;
    if (!contact_ground_keeps(m, g, c->place, c->normal)) return;
    for (int k = 0; k < 3; k++) slip.c[k] = contact_short(m, slip.c[k]);
    model_add_slip(m, (model_slip){slip, {c->touch[0], c->slip[0], c->slip[1]}});
}

static bool is_graph(const contact_ground *g)
{
    return g->surface->kind == CONTACT_ON_LEVEL && g->surface->graph != AH_NONE && !g->on;
}

/* p on a sheet, on a graph or on F = 0, with coordinates of its own and the outer normal of any length. */
static ah_vector place_on_sheet(ah_model *m, const contact_pair *pair, contact_ground *g,
                                ah_vector *gradient)
{
    ah_vector slope[2];
    contact_unknown_on_sheet(m, pair, &g->surface->sheet, g->at);
    const ah_vector p = contact_ground_at(m, g, slope);
    *gradient = vector_cross(m->ctx, slope[0], slope[1]);
    return p;
}

/* z = f(x, y) of a graph, from the place at which it is put. */
static ah_expr graph_at(ah_model *m, const contact_ground *g, const ah_expr xy[2])
{
    ah_ctx *ctx = m->ctx;
    ah_expr at[2];
    for (int k = 0; k < 2; k++) at[k] = expr_sub(ctx, xy[k], g->place.c[k]);
    return expr_add(ctx, g->place.c[2],
                    expr_subst(ctx, g->surface->graph, 2, g->surface->local, at));
}

static ah_vector place_on_level(ah_model *m, const contact_pair *pair, const contact_ground *g,
                                const contact_solid *s, ah_vector *gradient)
{
    static const char *const names[] = {"x", "y", "z"};
    const bool graph = is_graph(g);
    const int count = graph ? 2 : 3;
    ah_vector p;
    for (int k = 0; k < count; k++)
        p.c[k] = model_add_coordinate(m, contact_label(m, pair, names[k]), pair->span);
    for (int k = 0; k < count; k++)
        model_add_range(m, (model_range){p.c[k], s->centre.c[k], expr_int(m->ctx, 0), false});
    if (graph) p.c[2] = graph_at(m, g, p.c);
    const ah_expr F = contact_level(m, g, p, gradient);
    if (!graph) contact_constrain(m, pair, "on", F);
    return p;
}

void contact_end(ah_model *m, const contact_pair *pair, const char *how, ah_expr positive)
{
    const char *label = arena_printf(&m->ctx->job, "%s %s %s", pair->part, how, pair->on);
    model_add_event(
        m, &(model_event){
               .label = label, .e = positive, .direction = -1, .stop = true, .span = pair->span});
}

/* An edge that lies flat touches with all of itself, and the place that is sought runs round it ever faster: (e × n)² falls to this.
 * n - (n·e) e keeps as many digits as its length has beside one, its second derivative the square of these. On a plane one that rolls
 * goes round and rises again; one that slides falls flat from rest. */
#define CONTACT_LYING   10000
#define CONTACT_SLIDING 100000000

static void end_lying(ah_model *m, const contact_pair *pair, const contact_ground *g,
                      const contact_solid *s, ah_vector n)
{
    ah_ctx *ctx = m->ctx;
    const contact_shape_kind kind = s->shape->kind;
    const bool plane = g->surface->kind == CONTACT_ON_PLANE;
    if ((kind != CONTACT_DISC && kind != CONTACT_TORUS) || (plane && pair->rolls)) return;
    const ah_vector e = s->axis[s->shape->axis - 1], across = vector_cross(ctx, e, n);
    const ah_expr least = expr_rational(ctx, 1, plane ? CONTACT_SLIDING : CONTACT_LYING);
    if (contact_vanishes(m, vector_dot(ctx, e, n))) return; /* upright */
    contact_end(m, pair, "lies flat on", expr_sub(ctx, vector_dot(ctx, across, across), least));
}

/* ∂²F/∂s² of a disc's edge at p, over its radius: |∇F| |e × n| + R t·H t along its tangent t. Where that falls to zero, in a hollow, two
 * places at which it touches come together, or all of it lies in a bowl. */
#define CONTACT_ALONG 1000

static void end_along(ah_model *m, const contact_pair *pair, const contact_ground *g,
                      const contact_solid *s, const contact_place *out)
{
    ah_ctx *ctx = m->ctx;
    const contact_surface_kind kind = g->surface->kind;
    if (s->shape->kind != CONTACT_DISC || kind == CONTACT_ON_SHEET) return;
    if (kind == CONTACT_ON_SPHERE && pair->rolls) return; /* it goes round, as on a plane */
    static const char *const names[] = {"edge x", "edge y", "edge z"};
    const ah_vector across = vector_cross(ctx, s->axis[s->shape->axis - 1], out->normal);
    const ah_expr tilt = vector_norm(ctx, across), over = expr_div(ctx, expr_int(ctx, 1), tilt);
    const ah_vector t = vector_scale(ctx, over, across);
    ah_vector r, gradient;
    for (int k = 0; k < 3; k++) r.c[k] = expr_symbol(ctx, AH_LOCAL, names[k]);
    contact_level(m, g, r, &gradient);
    ah_expr bend = expr_int(ctx, 0), size = vector_norm(ctx, gradient);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const ah_expr H = expr_diff(ctx, gradient.c[i], r.c[k]);
            bend = expr_add(ctx, bend, expr_mul(ctx, H, expr_mul(ctx, t.c[i], t.c[k])));
        }
    const ah_expr left = expr_sub(ctx, tilt, expr_rational(ctx, 1, CONTACT_ALONG));
    const ah_expr all =
        expr_add(ctx, expr_mul(ctx, size, left), expr_mul(ctx, s->shape->size[0], bend));
    contact_end(m, pair, "lies along", expr_subst(ctx, all, 3, r.c, out->place.c));
}

/* The contact as further unknowns p: the support point is p, where the normal is that of F. */
static void add_unknown_place(ah_model *m, const contact_pair *pair, contact_ground *g,
                              const contact_solid *s, contact_place *out)
{
    ah_ctx *ctx = m->ctx;
    ah_vector gradient;
    const ah_vector p = g->surface->kind == CONTACT_ON_SHEET
                            ? place_on_sheet(m, pair, g, &gradient)
                            : place_on_level(m, pair, g, s, &gradient);
    const ah_expr over = expr_div(ctx, expr_int(ctx, 1), vector_norm(ctx, gradient));
    ah_expr height;
    out->normal = vector_scale(ctx, over, gradient);
    out->place = p;
    contact_tangents(ctx, out->normal, out->tangent);
    end_lying(m, pair, g, s, out->normal);
    end_along(m, pair, g, s, out);
    const ah_vector gap = vector_sub(ctx, contact_support(m, s, out->normal, &height), p);
    static const char *const touches[] = {"touch1", "touch2", "touch3"};
    for (int k = 0; k < 3; k++) out->touch[k] = contact_constrain(m, pair, touches[k], gap.c[k]);
    out->touches = 3;
    out->scale = expr_int(ctx, 1);
}

static bool refuse_misfit(ah_model *m, const contact_pair *pair, const contact_solid *s,
                          const char *misfit)
{
    const contact_shape_kind kind = s->shape->kind;
    return refuse(m, pair, misfit,
                  kind == CONTACT_CYLINDER || kind == CONTACT_CONE
                      ? "on other surfaces write what touches there: the edge, shape B disc radius "
                        "R at (0, 0, -l/2), or "
                        "the side, shape B: x^2 + y^2 = R^2"
                  : kind >= CONTACT_CURVE ? "give it a shape that is curved where it touches"
                  : kind == CONTACT_DISC || kind == CONTACT_TORUS
                      ? "let it turn, or make the surface larger than the body"
                      : "make the surface larger, or the body smaller");
}

/* Where they touch, by the shortest way there is: in closed form, or as further unknowns. */
static void add_touch(ah_model *m, const contact_pair *pair, contact_ground *g,
                      const contact_solid *s, contact_place *out)
{
    const bool formula = s->shape->kind >= CONTACT_CURVE;
    ah_expr touch, height;
    if (contact_lies(m, g, s)) {
        contact_add_line(m, pair, g, s, out);
    } else if (contact_closed(m, g, s, &out->normal, &touch, out->tangent)) {
        out->touch[0] = contact_constrain(m, pair, "touch", touch);
        out->touches = 1;
        out->scale = expr_int(m->ctx, 1);
        out->place = contact_support(m, s, out->normal, &height);
        contact_assume_edge(m, pair, g, s);
        end_lying(m, pair, g, s, out->normal);
    } else if (!formula) {
        add_unknown_place(m, pair, g, s, out);
    } else if (g->surface->kind == CONTACT_ON_SHEET) {
        contact_add_on_sheet(m, pair, g, s, out);
    } else {
        contact_add_formula(m, pair, g, s, out);
    }
}

/* A cone ends at its apex: beyond it the equations go on along the other half, where nothing is. A place that is sought has no normal
 * there, and the steps that lead to it become ever shorter: near it, beside the distance of the body, is there. */
#define CONTACT_APEX 10000

static void assume_before_apex(ah_model *m, const contact_pair *pair, const contact_ground *g,
                               const contact_solid *s, ah_vector place)
{
    ah_ctx *ctx = m->ctx;
    if (g->surface->kind != CONTACT_ON_CONE) return;
    const ah_expr away = vector_norm(ctx, vector_sub(ctx, s->centre, g->place));
    ah_expr along = vector_dot(ctx, vector_sub(ctx, place, g->place), g->axis);
    if (s->shape->kind != CONTACT_SPHERE)
        along = expr_sub(ctx, along, expr_mul(ctx, expr_rational(ctx, 1, CONTACT_APEX), away));
    model_add_fact(m, (algebra_fact){.e = along, .positive = true}, pair->span);
    contact_end(m, pair, "is at the apex of", along);
}

static bool on_surface(ah_model *m, const contact_pair *pair, const contact_surface *surface,
                       const contact_solid *s, contact_place *out)
{
    ah_ctx *ctx = m->ctx;
    contact_ground g = contact_ground_of(m, surface);
    const char *misfit = contact_line_misfit(m, &g, s); /* first: a cone may have no radius */
    if (!misfit) misfit = contact_misfit(m, &g, s->shape);
    if (g.on == s->part)
        return refuse(m, pair, "the surface belongs to it",
                      "a body touches what belongs to others, or to the surroundings");
    if (misfit) return refuse_misfit(m, pair, s, misfit);
    add_touch(m, pair, &g, s, out);
    assume_before_apex(m, pair, &g, s, out->place);
    const ah_vector slip = vector_sub(ctx, model_velocity_at(m, s->part, out->place),
                                      contact_ground_velocity(m, &g, out->place));
    const ah_vector turning =
        vector_sub(ctx, s->part->omega, contact_ground_omega(m, &g, out->place));
    contact_pair way = *pair;
    if (contact_lies(m, &g, s)) way.spins = false; /* one that turns slips along its line */
    add_rolling(m, &way, slip, turning, out);
    tell_slip(m, &g, slip, out);
    return true;
}

/* Two edges cross at a place of both. */
static bool edge_on_edge(ah_model *m, const contact_pair *pair, const contact_solid *s,
                         const contact_solid *under, contact_place *out)
{
    ah_ctx *ctx = m->ctx;
    contact_add_edges(m, pair, s, under, out);
    const ah_vector slip = vector_sub(ctx, model_velocity_at(m, s->part, out->place),
                                      model_velocity_at(m, under->part, out->place));
    add_rolling(m, pair, slip, vector_sub(ctx, s->part->omega, under->part->omega), out);
    contact_direct(m, s, under, out);
    return true;
}

/* The touched body as a surface of its own; where it is an edge, or a cylinder or cone touches it, the other way round. */
static bool on_body(ah_model *m, const contact_pair *pair, const contact_solid *s,
                    const contact_solid *under, contact_place *out)
{
    contact_surface below, own;
    if (s->part == under->part)
        return refuse(m, pair, "it is the same body", "two bodies roll on each other");
    const bool side = contact_surface_of(m, s->shape, &own) && contact_is_rod(s->shape);
    if (contact_surface_of(m, under->shape, &below) && !side)
        return on_surface(m, pair, &below, s, out);
    if (contact_is_edge(s->shape) && contact_is_edge(under->shape))
        return edge_on_edge(m, pair, s, under, out);
    if (!contact_surface_of(m, s->shape, &own))
        return refuse(m, pair, "of two bodies one must be round where they touch",
                      "give it the shape of an edge: disc, with its centre there");
    if (!on_surface(m, pair, &own, under, out)) return false;
    out->normal = vector_scale(m->ctx, expr_int(m->ctx, -1), out->normal);
    if (out->touches == 3) out->scale = expr_neg(m->ctx, out->scale);
    return true;
}

bool contact_add(ah_model *m, const contact_pair *pair, contact_place *out)
{
    memset(out, 0, sizeof *out);
    const model_part *part = model_find_part(m, pair->part);
    const contact_shape *shape = contact_find_shape(m, pair->part);
    if (!part || !shape)
        return refuse(m, pair, "it has no shape", "give it one: shape B sphere radius r");
    const contact_solid s = contact_solid_of(m, shape, part);
    const contact_surface *surface = contact_find_surface(m, pair->on);
    if (surface) return on_surface(m, pair, surface, &s, out);
    const model_part *other = model_find_part(m, pair->on);
    const contact_shape *under = contact_find_shape(m, pair->on);
    if (!other || !under)
        return refuse(m, pair, other ? "that has no shape" : "there is no such surface or body",
                      "declare it: surface S plane, or: shape B sphere radius r");
    const contact_solid below = contact_solid_of(m, under, other);
    return on_body(m, pair, &s, &below, out);
}
