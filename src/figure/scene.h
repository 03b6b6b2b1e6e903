/* figure/scene.h - the moving system as shapes: what `draw` says, or what points and bodies
 * suggest, and the numbers that make it move.
 *
 *     scene_plan(m, a, &s);
 *     trajectory_run(m, &options, s.extras.at, s.extras.count, &tr, &status);
 *     scene_json(&t, &s, &tr);      for the player (web/player.js)
 *     scene_svg(&u, &s, &tr, 0);    a still picture of one row, for print and without JavaScript
 *
 * Every number of a shape is a channel: an expression that the motion evaluates in every row. */
#ifndef FIGURE_SCENE_H
#define FIGURE_SCENE_H
#include "../trajectory/trajectory.h"

#define SCENE_NONE   UINT32_MAX
#define SCENE_FRAMES 600 /* at most so many go into the page */

/* What is in the picture; the player knows the same words. */
#define SCENE_KIND_LIST(X)                                                                         \
    X(SCENE_POINT, "point")         /* at                                */                        \
    X(SCENE_LINE, "line")           /* at, to                            */                        \
    X(SCENE_SPRING, "spring")       /* at, to                            */                        \
    X(SCENE_DISC, "disc")           /* at, frame, size: radius, height   */                        \
    X(SCENE_WHEEL, "wheel")         /* at, frame, size: radius, width    */                        \
    X(SCENE_SPHERE, "sphere")       /* at, frame, size: radius           */                        \
    X(SCENE_ELLIPSOID, "ellipsoid") /* at, frame, size: semi-axes  */                              \
    X(SCENE_TORUS, "torus")         /* at, frame, size: radius, tube     */                        \
    X(SCENE_CONE, "cone")           /* at: of the base, frame, size: radius, height */             \
    X(SCENE_BOX, "box")             /* at, frame, size: three sides      */                        \
    X(SCENE_TRACE, "trace")         /* at                                */                        \
    X(SCENE_BLADE, "blade")         /* at, to: direction, size: length   */                        \
    X(SCENE_ARROW, "arrow")         /* at, to: vector, size: of a unit   */                        \
    X(SCENE_GROUND, "ground")       /* at, to: normal                    */                        \
    X(SCENE_CURVE, "curve")         /* points                            */

typedef enum scene_kind {
#define X(code, word) code,
    SCENE_KIND_LIST(X)
#undef X
} scene_kind;

/* Arrows of one family have one scale where none is given. */
typedef enum scene_family { SCENE_ANY, SCENE_VELOCITY, SCENE_FORCE } scene_family;

typedef uint32_t scene_channel;
typedef struct scene_vector {
    scene_channel c[3];
} scene_vector;

typedef struct scene_shape {
    scene_kind kind;
    scene_family family;
    scene_vector at, to;
    scene_vector frame[3]; /* a solid's axes in space, the third one that of a disc */
    scene_channel turn;    /* or: `to` is the axis, turned by this; SCENE_NONE: by nothing */
    bool framed;           /* frame counts */
    scene_channel size[3]; /* SCENE_NONE: to be chosen */
    LIST(scene_vector) points;
    const char *label;
    int colour; /* of model_colours */
} scene_shape;

typedef struct scene {
    ah_model *model;
    arena *arena;
    expr_list extras; /* a channel each; parameters and numbers as they are */
    LIST(scene_shape) shapes;
    bool live;            /* scene_json says how its channels come from the extras */
    bool suggested;       /* no `draw`: made from points and bodies */
    const char *axes[3];  /* configuration space instead of a picture: the coordinates drawn */
    scene_vector gravity; /* SCENE_NONE: none */
} scene;

/* Never empty: without any geometry the picture is a point in the space of coordinates (or of one
 * coordinate over time), and scene.axes names them. To be called under a guard. */
void scene_plan(ah_model *m, arena *a, scene *out);

/* All of the picture as one JSON object, fit to stand inside <script>: no `<`, `>` or `&` in it. */
void scene_json(text *t, const scene *s, const trajectory *tr);
/* <svg> of one row, seen as the player shows it at first. */
void scene_svg(text *t, const scene *s, const trajectory *tr, size_t row);

#endif
