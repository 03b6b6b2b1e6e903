/* figure/scene_inside.h - what the files of the scene share. */
#ifndef FIGURE_SCENE_INSIDE_H
#define FIGURE_SCENE_INSIDE_H
#include "scene.h"

/* ---- scene.c: making shapes ------------------------------------------------------------------ */

/* The channel of an expression; equal expressions share one. */
scene_channel scene_value(scene *s, ah_expr e);
scene_vector scene_place(scene *s, ah_vector v);
scene_shape scene_new(scene_kind kind);
void scene_add(scene *s, scene_shape shape);
/* A solid of a body: where it is, how it stands; `axis` (1, 2, 3) becomes the third of its frame. */
scene_shape scene_of_body(scene *s, scene_kind kind, const model_part *part, int axis);
/* A constant's value, NAN when it has none. */
double scene_constant(ah_model *m, ah_expr e);
/* The axis of symmetry of a body, or the one of the largest moment: 1, 2, 3. */
int scene_axis(ah_model *m, const model_part *part);

/* Through the places r(local), as `local` goes from one end to the other. */
typedef struct scene_path {
    ah_vector r;
    ah_expr local, from, until;
} scene_path;
scene_shape scene_curve(scene *s, const scene_path *path);

/* ---- scene_looks.c --------------------------------------------------------------------------- */

/* A body as its `shape` says, or else like the homogeneous solid of its inertia; false: neither tells. */
bool scene_looks(scene *s, const model_part *part, scene_shape *out);

/* ---- scene_suggest.c ------------------------------------------------------------------------- */

void scene_suggest(scene *s);

/* ---- picture.c: numbers ---------------------------------------------------------------------- */

typedef struct vec3 {
    double x[3];
} vec3;

static inline vec3 vec(double x, double y, double z)
{
    return (vec3){{x, y, z}};
}
vec3 vec_add(vec3 a, double s, vec3 b); /* a + s b */
double vec_dot(vec3 a, vec3 b);
vec3 vec_cross(vec3 a, vec3 b);
double vec_length(vec3 a);
vec3 vec_unit(vec3 a, vec3 otherwise);

/* Scene and motion together: what is seen, from where, how large. */
typedef struct picture {
    const scene *s;
    const trajectory *tr;
    arena *arena;
    size_t frames, *row; /* the rows of the motion that are shown */
    bool flat;           /* all in the plane z = 0 */
    vec3 up, right;      /* of the view before it is turned; `up` is opposite to gravity */
    vec3 low, high;      /* of everything, over the whole motion */
    double size;         /* diagonal of that */
    double longest;      /* line at the start */
    double reach;        /* median diagonal of the bodies at one moment */
    bool follow;         /* the motion goes far beyond that: the view goes with the bodies */
    double view;         /* diameter of what the view shows */
    double unit[3];      /* of each scene_family: length of an arrow of length 1 */
    double ground;       /* height (along `up`) of a ground whose place is left to us */
    vec3 shown[2];       /* of a configuration space: the range of each axis */
} picture;

picture picture_make(arena *a, const scene *s, const trajectory *tr);
double picture_value(const picture *p, scene_channel c, size_t row);
vec3 picture_place(const picture *p, scene_vector v, size_t row);
/* The axes of a solid as columns: right-handed and of length 1. */
void picture_frame(const picture *p, const scene_shape *shape, size_t row, vec3 axis[3]);
/* The k-th size of a shape, chosen where nothing says it; never negative. */
double picture_size(const picture *p, const scene_shape *shape, int k, size_t row);
/* The middle of the bodies at that moment: where a view that follows looks at. */
vec3 picture_focus(const picture *p, size_t row);
/* Of model_colours: by turns where none is given, of a trace that of what it traces. */
int picture_colour(const scene *s, size_t shape);
bool picture_is_body(scene_kind kind);
/* It has a frame. */
bool picture_is_solid(scene_kind kind);

#endif
