/* contact/contact_inside.h - what the files of this module share. */
#ifndef CONTACT_CONTACT_INSIDE_H
#define CONTACT_CONTACT_INSIDE_H
#include "contact.h"

/* A shape in space: its centre and the body's axes. */
typedef struct contact_solid {
    const contact_shape *shape;
    const model_part *part;
    ah_vector centre, axis[3];
} contact_solid;
contact_solid contact_solid_of(ah_model *m, const contact_shape *shape, const model_part *part);
/* The support point in the direction -n; *height = n·(centre - it). */
ah_vector contact_support(ah_model *m, const contact_solid *s, ah_vector n, ah_expr *height);

/* A surface in space. */
typedef struct contact_ground {
    const contact_surface *surface;
    const model_part *on; /* or NULL */
    ah_vector place, axis;
    ah_expr at[2]; /* of a sheet: u and v of the contact, once they are declared */
} contact_ground;
contact_ground contact_ground_of(ah_model *m, const contact_surface *surface);
/* It stays in the surface, whose normal that is: it has no given velocity, or a tangential one. */
bool contact_ground_keeps(ah_model *m, const contact_ground *g, ah_vector r, ah_vector normal);
/* Of the surface's material that is now at r; and how it turns. */
ah_vector contact_ground_velocity(ah_model *m, const contact_ground *g, ah_vector r);
ah_vector contact_ground_omega(ah_model *m, const contact_ground *g, ah_vector r);

/* Two unit vectors perpendicular to the unit vector n; *pole: they do not exist where n = -z. */
void contact_tangents(ah_ctx *ctx, ah_vector n, ah_vector out[2]);
/* e as short as the algebra makes it with what the model assumes so far. */
ah_expr contact_short(ah_model *m, ah_expr e);
/* Whether e is zero everywhere, as far as the algebra knows. */
bool contact_vanishes(ah_model *m, ah_expr e);

/* A motion ends, "B how S", where this is positive no longer. */
void contact_end(ah_model *m, const contact_pair *pair, const char *how, ah_expr positive);
/* Cylinders and cones on planes (line_contacts.c): by the edge that is lower, where a length says that they end; otherwise
 * along a line. */
bool contact_is_rod(const contact_shape *shape);
bool contact_lies(ah_model *m, const contact_ground *g, const contact_solid *s);
void contact_add_line(ah_model *m, const contact_pair *pair, const contact_ground *g,
                      const contact_solid *s, contact_place *out);
void contact_assume_edge(ah_model *m, const contact_pair *pair, const contact_ground *g,
                         const contact_solid *s);
/* Why it cannot be; NULL: it can. */
const char *contact_line_misfit(ah_model *m, const contact_ground *g, const contact_solid *s);

/* Of an upright wheel: the way it rolls, and its axle. */
bool contact_upright(ah_model *m, const contact_solid *s, ah_vector n, ah_vector tangent[2]);
/* Where a sphere of radius r touches, in closed form: the normal and the left side of `touch`, whose
 * rate is n·(v - v_S). false: there is none. */
bool contact_closed(ah_model *m, const contact_ground *g, const contact_solid *s, ah_vector *n,
                    ah_expr *touch, ah_vector tangent[2]);
/* F of the surface at the place p. */
ah_expr contact_level(ah_model *m, const contact_ground *g, ah_vector p, ah_vector *gradient);
/* A body's shape as a surface that belongs to it, of cylinders and cones without ends the side. false: an edge is none. */
bool contact_surface_of(ah_model *m, const contact_shape *shape, contact_surface *out);

/* p(u, v) and its slopes by u and v. */
ah_vector contact_on_sheet(ah_ctx *ctx, const contact_sheet *sheet, const ah_expr at[2],
                           ah_vector slope[2]);
/* The same in space, of a surface. */
ah_vector contact_ground_at(ah_model *m, const contact_ground *g, ah_vector slope[2]);
/* u and v as coordinates of the contact. */
void contact_unknown_on_sheet(ah_model *m, const contact_pair *pair, const contact_sheet *sheet,
                              ah_expr at[2]);
/* Its ∂p/∂u × ∂p/∂v; whether it is bent in one direction at most, as cylinders and cones are. */
ah_vector contact_sheet_normal(ah_ctx *ctx, const contact_sheet *sheet);
bool contact_sheet_is_ruled(ah_model *m, const contact_sheet *sheet);

/* A place in the axes of a shape, from its centre, in space. */
ah_vector contact_at(ah_model *m, const contact_solid *s, ah_vector local);
/* The contact of a shape by a formula, found along with the motion (level_shapes.c). */
void contact_add_formula(ah_model *m, const contact_pair *pair, const contact_ground *g,
                         const contact_solid *s, contact_place *out);

/* Contacts sought on both sides (two_places.c): a formula on a sheet; an edge on an edge, whose normal contact_direct turns
 * towards the body when its rows are made. */
void contact_add_on_sheet(ah_model *m, const contact_pair *pair, contact_ground *g,
                          const contact_solid *s, contact_place *out);
bool contact_is_edge(const contact_shape *shape);
void contact_add_edges(ah_model *m, const contact_pair *pair, const contact_solid *s,
                       const contact_solid *under, contact_place *out);
void contact_direct(ah_model *m, const contact_solid *s, const contact_solid *under,
                    contact_place *out);

/* label_what, of an element label_what[2]. */
const char *contact_label(ah_model *m, const contact_pair *pair, const char *what);
/* Adds left = 0 as label_what, which it gives back; NULL: it holds anyhow, a wheel at a fixed height. */
const char *contact_constrain(ah_model *m, const contact_pair *pair, const char *what,
                              ah_expr left);
/* Why the body does not fit; NULL: it may. */
const char *contact_misfit(ah_model *m, const contact_ground *g, const contact_shape *shape);

#endif
