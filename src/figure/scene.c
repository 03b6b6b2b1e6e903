/* figure/scene.c - from a model to the shapes of its picture. */
#include "scene_inside.h"

#include <math.h>

enum { CURVE_POINTS = 96, CURVE_POINTS_MOVING = 24 };

/* ---- Channels -------------------------------------------------------------------------------- */

scene_channel scene_value(scene *s, ah_expr e)
{
    for (size_t i = 0; i < s->extras.count; i++)
        if (s->extras.at[i] == e) return (scene_channel) i;
    LIST_PUSH(s->arena, &s->extras, e);
    return (scene_channel) (s->extras.count - 1);
}

scene_vector scene_place(scene *s, ah_vector v)
{
    scene_vector out;
    for (int k = 0; k < 3; k++) out.c[k] = v.c[k] == AH_NONE ? SCENE_NONE : scene_value(s, v.c[k]);
    return out;
}

static scene_channel optional(scene *s, ah_expr e)
{
    return e == AH_NONE ? SCENE_NONE : scene_value(s, e);
}

scene_shape scene_new(scene_kind kind)
{
    const scene_vector none = {{SCENE_NONE, SCENE_NONE, SCENE_NONE}};
    return (scene_shape){
        .kind = kind,
        .at = none,
        .to = none,
        .turn = SCENE_NONE,
        .size = {SCENE_NONE, SCENE_NONE, SCENE_NONE},
        .colour = -1,
    };
}

void scene_add(scene *s, scene_shape shape)
{
    LIST_PUSH(s->arena, &s->shapes, shape);
}

/* ---- Bodies ---------------------------------------------------------------------------------- */

double scene_constant(ah_model *m, ah_expr e)
{
    const arena_mark mark = arena_get_mark(&m->ctx->scratch);
    double out;
    model_put_values(m, &e, 1);
    const frame *values = frame_create(m->ctx, &m->ctx->scratch, NAN);
    expr_plan_run(expr_plan_create(m->ctx, &m->ctx->scratch, &e, 1), values, &out);
    arena_release(&m->ctx->scratch, mark);
    return out;
}

int scene_axis(ah_model *m, const model_part *part)
{
    double I[3];
    int largest = 2, round = -1, rounds = 0;
    for (int k = 0; k < 3; k++) I[k] = scene_constant(m, part->inertia[k]);
    for (int k = 0; k < 3; k++) {
        const double a = I[(k + 1) % 3], b = I[(k + 2) % 3];
        if (I[k] > I[largest]) largest = k;
        if (fabs(a - b) > 1e-9 * (fabs(a) + fabs(b))) continue;
        round = k;
        rounds++;
    }
    return 1 + (rounds == 1 ? round : largest);
}

scene_shape scene_of_body(scene *s, scene_kind kind, const model_part *part, int axis)
{
    scene_shape shape = scene_new(kind);
    shape.at = scene_place(s, part->place);
    shape.framed = true;
    for (int k = 0; k < 3; k++)
        shape.frame[k] = scene_place(s, model_axis(part, 1 + (axis + k) % 3));
    return shape;
}

/* ---- What `draw` says ------------------------------------------------------------------------ */

static scene_kind kind_of(ah_shape shape)
{
    switch (shape) {
    case AH_DRAW_POINT: return SCENE_POINT;
    case AH_DRAW_LINE: return SCENE_LINE;
    case AH_DRAW_SPRING: return SCENE_SPRING;
    case AH_DRAW_DISC: return SCENE_DISC;
    case AH_DRAW_WHEEL: return SCENE_WHEEL;
    case AH_DRAW_SPHERE: return SCENE_SPHERE;
    case AH_DRAW_BOX: return SCENE_BOX;
    case AH_DRAW_TRACE: return SCENE_TRACE;
    case AH_DRAW_BLADE: return SCENE_BLADE;
    case AH_DRAW_GROUND: return SCENE_GROUND;
    case AH_DRAW_CURVE: return SCENE_CURVE;
    case AH_DRAW_SHAPE: return SCENE_POINT; /* where the body tells nothing of itself */
    default: return SCENE_ARROW;
    }
}

/* The curve as a polygon: its points are channels like all others. */
scene_shape scene_curve(scene *s, const scene_path *d)
{
    ah_ctx *ctx = s->model->ctx;
    scene_shape shape = scene_new(SCENE_CURVE);
    ah_expr whole[5] = {d->r.c[0], d->r.c[1], d->r.c[2], d->from, d->until};
    const expr_list used = expr_symbols(ctx, s->arena, whole, 5);
    bool moves = false;
    for (size_t i = 0; i < used.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(ctx, used.at[i]);
        moves |= kind != AH_PARAMETER && kind != AH_LOCAL;
    }
    const long last = moves ? CURVE_POINTS_MOVING : CURVE_POINTS;
    for (long i = 0; i <= last; i++) {
        const ah_expr share = expr_rational(ctx, i, last);
        const ah_expr u =
            expr_add(ctx, d->from, expr_mul(ctx, share, expr_sub(ctx, d->until, d->from)));
        ah_vector r;
        for (int k = 0; k < 3; k++) r.c[k] = expr_subst(ctx, d->r.c[k], 1, &d->local, &u);
        LIST_PUSH(s->arena, &shape.points, scene_place(s, r));
    }
    return shape;
}

static void add_drawing(scene *s, const model_drawing *drawing)
{
    ah_model *m = s->model;
    const ah_drawing *d = &drawing->what;
    scene_shape shape = scene_new(kind_of(d->shape));
    const model_part *part = drawing->part >= 0 ? &m->parts.at[drawing->part] : NULL;
    if (d->shape == AH_DRAW_SHAPE) {
        if (!scene_looks(s, part, &shape)) shape.at = scene_place(s, part->place);
    } else if (part) {
        const bool round = shape.kind == SCENE_DISC || shape.kind == SCENE_WHEEL;
        shape = scene_of_body(s, shape.kind, part,
                              d->axis ? d->axis
                              : round ? scene_axis(m, part)
                                      : 3);
    } else if (shape.kind == SCENE_CURVE) {
        shape = scene_curve(s, &(scene_path){d->at, d->local, d->from, d->until});
    } else {
        shape.at = scene_place(s, d->at);
        shape.to = scene_place(s, d->to);
        shape.turn = optional(s, d->turn);
    }
    for (int k = 0; k < 3; k++)
        if (d->size[k] != AH_NONE) shape.size[k] = scene_value(s, d->size[k]);
    shape.family = d->shape == AH_DRAW_VELOCITY   ? SCENE_VELOCITY
                   : d->shape == AH_DRAW_REACTION ? SCENE_FORCE
                                                  : SCENE_ANY;
    shape.label = d->label;
    shape.colour = drawing->colour;
    scene_add(s, shape);
}

/* A page of traces and arrows alone would hide what moves: then the suggestions are added. */
static bool draws_something(const ah_model *m)
{
    for (size_t i = 0; i < m->drawings.count; i++) {
        const ah_shape shape = m->drawings.at[i].what.shape;
        if (shape <= AH_DRAW_BOX || shape == AH_DRAW_BLADE || shape == AH_DRAW_SHAPE) return true;
    }
    return false;
}

void scene_plan(ah_model *m, arena *a, scene *out)
{
    const scene_vector none = {{SCENE_NONE, SCENE_NONE, SCENE_NONE}};
    *out = (scene){.model = m, .arena = a, .gravity = none};
    if (m->gravity.count) {
        ah_vector g = vector_zero(m->ctx);
        for (size_t i = 0; i < m->gravity.count; i++) g = vector_add(m->ctx, g, m->gravity.at[i]);
        out->gravity = scene_place(out, g);
    }
    out->suggested = !draws_something(m);
    if (out->suggested) scene_suggest(out);
    for (size_t i = 0; i < m->drawings.count; i++) add_drawing(out, &m->drawings.at[i]);
    model_put_values(m, out->extras.at, out->extras.count);
}
