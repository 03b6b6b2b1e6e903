/* anholo/contact.h - bodies that touch: shapes, surfaces, rolling and sliding (docs/language.md).
 *
 * Between the declaration of the bodies and ah_model_finish. Sizes, places and directions may use parameters,
 * those of surfaces also the time. Formulas use the symbols ah_symbol(ctx, AH_LOCAL, "x"), "y" and "z", an edge "s", a sheet
 * "u" and "v". */
#ifndef ANHOLO_CONTACT_H
#define ANHOLO_CONTACT_H
#include <anholo/model.h>

typedef struct ah_shape_of {
    /* "sphere", "disc", "torus", "ellipsoid", "cylinder", "cone", "level", "curve", "sheet" */
    const char *kind;
    /* Radius; radius and tube; three semi-axes; of a cylinder radius and, where it has ends, length;
     * of a cone radius and length, or, where it lies, AH_NONE, AH_NONE and its angle. */
    ah_expr size[3];
    int axis;          /* of a disc, torus, cylinder or cone: 1, 2, 3; 0: 3 */
    ah_vector centre;  /* in body axes, from the centre of mass; AH_NONE counts as 0 */
    ah_expr level;     /* F(x, y, z) in body axes, from the centre: the body is where F < 0 */
    ah_vector curve;   /* an edge, p(s) in the same axes … */
    ah_expr range[2];  /* … for s from the first to the second; of a sheet p(u, v) for u … */
    ah_expr second[2]; /* … and for v; ∂p/∂u × ∂p/∂v looks outward */
} ah_shape_of;
AH_API ah_status ah_model_shape(ah_model *m, const char *body, const ah_shape_of *shape);

typedef struct ah_surface {
    const char *kind; /* "plane", "sphere", "cylinder", "cone", "level", "sheet" */
    ah_vector place;  /* a point of it, its centre, a point of its axis, its apex; AH_NONE: 0 */
    ah_vector axis;   /* the plane's normal, towards the bodies; the axis; all AH_NONE: z */
    ah_expr size;     /* radius, half the angle of a cone; AH_NONE of a plane */
    bool inside;      /* bodies are on the hollow side */
    ah_expr turning;  /* its material turns about the axis so fast; AH_NONE: it does not */
    const char *on;   /* the body that it belongs to, in whose axes it is given; NULL: space */
    ah_expr level;    /* F(x, y, z), from `place`: bodies are where F > 0 */
    ah_vector moving; /* its material's velocity besides, in x, y, z; all AH_NONE: none */
    ah_vector sheet;  /* p(u, v), from `place`: bodies are where ∂p/∂u × ∂p/∂v looks … */
    ah_expr range[2], second[2]; /* … for u, and for v */
} ah_surface;
AH_API ah_status ah_model_surface(ah_model *m, const char *name, const ah_surface *surface);

typedef enum ah_touch { AH_SLIDES, AH_ROLLS, AH_ROLLS_WITHOUT_SPINNING } ah_touch;
/* `on`: a surface, or another body that has a shape. Constraints are called label_touch, label_slip1, label_slip2,
 * label_spin; the multiplier of the first is the normal force. *place and *normal (may be NULL) are the contact and
 * the direction of that force. AH_E_INPUT: it cannot be, and the diagnostics say why. */
AH_API ah_status ah_model_touch(ah_model *m, const char *label, const char *body, const char *on,
                                ah_touch how, ah_vector *place, ah_vector *normal);

#endif
