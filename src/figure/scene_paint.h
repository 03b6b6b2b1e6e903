/* figure/scene_paint.h - a camera, and pieces of a picture sorted from far to near. */
#ifndef FIGURE_SCENE_PAINT_H
#define FIGURE_SCENE_PAINT_H
#include "scene_inside.h"

enum { PAINT_WIDTH = 800, PAINT_HEIGHT = 500 };

typedef struct camera {
    vec3 e[3]; /* to the right, up, towards us */
    vec3 centre;
    double distance; /* INFINITY: parallel */
    double scale;    /* pixels of a unit of length at the centre */
    double x, y;     /* of the centre, in pixels */
} camera;

/* As the player looks at first. */
camera camera_make(const picture *p, size_t row);
/* Pixels right and down, and the height above the plane of the picture; z is NAN behind us. */
vec3 camera_see(const camera *c, vec3 r);
/* Pixels of a length at a place. */
double camera_length(const camera *c, vec3 r, double length);

typedef struct paint_style {
    const char *fill, *stroke; /* NULL: none */
    double width, opacity;     /* of the stroke; of all */
} paint_style;

typedef struct paint_piece {
    double depth;
    size_t order;
    const char *svg;
} paint_piece;

typedef struct painter {
    arena *arena;
    camera c;
    bool flat; /* in the plane what is said later lies above */
    LIST(paint_piece) pieces;
} painter;

/* `lift` brings a piece nearer than its middle is: labels before everything, the ground behind. */
void paint_polygon(painter *w, size_t count, const vec3 *r, bool closed, paint_style style,
                   double lift);
void paint_dot(painter *w, vec3 r, double pixels, paint_style style, double lift);
void paint_text(painter *w, vec3 r, double dx, double dy, const char *s);
/* The pieces, far ones first. */
void paint_end(painter *w, text *out);
/* A colour of model_colours, lighter or darker: shade 0 black … 1 as it is … 2 white. */
const char *paint_colour(arena *a, int colour, double shade);

#endif
