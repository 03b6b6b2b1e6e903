/* contact/contact.h - bodies that touch: shapes, surfaces, and the constraints of rolling and sliding.
 *
 * A body touches a surface with unit normal n, towards the body, at its support point in the
 * direction -n. The conditions:
 *
 *     touch    n·(C - p) = h(n)            one holonomic constraint; h = n·(C - r) of the contact r
 *     slip     t_i·(v_r - v_S) = 0         two of them, t_1 and t_2 tangents
 *     spin     n·(omega - omega_S) = 0     where it rolls without spinning
 *
 * v_r is the velocity of the body's material at r; r itself moves otherwise. The normal component of
 * v_r - v_S is the rate of `touch` and is never written: nothing is redundant. Multipliers are the
 * forces themselves: of `touch` the normal force, of `slip` the tangential ones. Where r has no
 * closed form it is found along with the motion, by further coordinates: of the place on the surface,
 * or, where the shape is a formula, of the place on the body. */
#ifndef CONTACT_CONTACT_H
#define CONTACT_CONTACT_H
#include "../written/written.h"

/* One list: code, word of the language, sizes that it needs. */
#define CONTACT_SHAPE_LIST(X)                                                                      \
    X(CONTACT_SPHERE, "sphere")                                                                    \
    X(CONTACT_DISC, "disc")           /* its edge: a circle */                                     \
    X(CONTACT_TORUS, "torus")         /* radius of the circle, then of the tube */                 \
    X(CONTACT_ELLIPSOID, "ellipsoid") /* three semi-axes */                                        \
    X(CONTACT_CYLINDER, "cylinder")   /* radius, length; AH_NONE: without ends, it lies */         \
    X(CONTACT_CONE, "cone")   /* radius of the base, length; or the angle third: it lies */        \
    X(CONTACT_CURVE, "curve") /* an edge c(s) in body axes */                                      \
    X(CONTACT_LEVEL, "level") /* F(x, y, z) = 0 in body axes, the body where F < 0 */              \
    X(CONTACT_SHEET, "sheet") /* the places p(u, v) in body axes */
typedef enum contact_shape_kind {
#define X(code, word) code,
    CONTACT_SHAPE_LIST(X)
#undef X
        CONTACT_SHAPES
} contact_shape_kind;

/* The places p(u, v), from u = range[0][0] to range[0][1], v likewise; ∂p/∂u × ∂p/∂v looks outward. */
typedef struct contact_sheet {
    ah_vector p;
    ah_expr parameter[2], range[2][2];
} contact_sheet;

typedef struct contact_shape {
    const char *part; /* whose shape it is */
    contact_shape_kind kind;
    ah_expr size[3];
    int axis; /* of a disc, torus, cylinder or cone, from base to apex or out of it: 1, 2, 3 */
    ah_vector centre; /* in body axes, from the centre of mass: of a base, an apex, too */
    ah_expr level;    /* F in the three symbols, from the centre … */
    ah_expr local[3];
    ah_vector curve; /* … or c(s) in the first of them, from s = range[0] to range[1] */
    ah_expr range[2];
    contact_sheet sheet;
    ah_span span;
} contact_shape;

#define CONTACT_SURFACE_LIST(X)                                                                    \
    X(CONTACT_ON_PLANE, "plane")                                                                   \
    X(CONTACT_ON_SPHERE, "sphere")                                                                 \
    X(CONTACT_ON_CYLINDER, "cylinder")                                                             \
    X(CONTACT_ON_CONE, "cone")                                                                     \
    X(CONTACT_ON_LEVEL, "level") /* F(x, y, z) = 0, bodies where F > 0 */                          \
    X(CONTACT_ON_SHEET, "sheet") /* p(u, v), bodies where ∂p/∂u × ∂p/∂v looks */
typedef enum contact_surface_kind {
#define X(code, word) code,
    CONTACT_SURFACE_LIST(X)
#undef X
        CONTACT_SURFACES
} contact_surface_kind;

typedef struct contact_surface {
    const char *name;
    contact_surface_kind kind;
    ah_vector place; /* a point of the plane, a centre, a point of the axis, the apex */
    ah_vector axis;  /* the plane's normal, the axis: unit */
    ah_expr size;    /* radius; of a cone half its angle */
    bool inside;     /* bodies are on the hollow side */
    ah_expr turning; /* its material turns about the axis through `place`; AH_NONE: it does not */
    bool moves;      /* its material has the velocity `moving` besides, in the symbols `local` */
    ah_vector moving;
    const char *on; /* the body in whose axes all of this is meant; NULL: space */
    ah_expr level;  /* F in the three symbols … */
    ah_expr local[3];
    ah_expr graph; /* … or, where F = z - f(x, y), f; AH_NONE */
    contact_sheet sheet;
    ah_span span;
} contact_surface;

/* Kept with the model; copies. A0427 where something of them cannot be. */
void contact_add_shape(ah_model *m, const contact_shape *shape);
void contact_add_surface(ah_model *m, const contact_surface *surface);
const contact_shape *contact_find_shape(const ah_model *m, const char *part);
const contact_surface *contact_find_surface(const ah_model *m, const char *name);
const contact_surface *contact_get_surface(const ah_model *m,
                                           size_t i); /* NULL: there are no more */

/* The sign that the declared values give e, of a size for instance; 2: not known. */
int contact_sign(ah_model *m, ah_expr e);

/* What `roll B on S` says. */
typedef struct contact_pair {
    const char *label;     /* of the constraints: label_touch, label_slip1, … */
    const char *part, *on; /* `on`: a surface, or a body that has a shape */
    bool rolls;            /* else it slides: touch alone */
    bool spins;            /* else n·(omega - omega_S) = 0 besides */
    ah_span span;
} contact_pair;
/* Where it touches, and what its multipliers are called. */
typedef struct contact_place {
    ah_vector place, normal, tangent[2];
    const char
        *touch[3]; /* one constraint whose multiplier is the normal force, or three of a vector */
    size_t touches;
    ah_expr scale; /* the normal force is this times the multiplier, or times normal·multipliers */
    const char *slip[2];
    bool rolls;
} contact_place;
/* Adds the constraints. false: it was refused, and A0428 says why. */
bool contact_add(ah_model *m, const contact_pair *pair, contact_place *out);

#endif
