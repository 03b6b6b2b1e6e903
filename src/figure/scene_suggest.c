/* figure/scene_suggest.c - a picture where the model says nothing of it.
 *
 * Points are dots with traces, bodies what they look like (scene_looks.c).
 * Rods and springs go from end to end; a written constraint that keeps the distance of two points is
 * a rod, too. The ground is the first plane on which something may roll. Without points and bodies the coordinates themselves are drawn. */
#include "scene_inside.h"

#include <string.h>

enum { LABELS_MOST = 12, PARTS_TRACED = 24, COLOURS_MOST = 6 };

/* ---- Bodies ---------------------------------------------------------------------------------- */

static const char *label_of(const scene *s, const model_part *part)
{
    return s->model->parts.count <= LABELS_MOST ? part->name : NULL;
}

/* Many like parts have one colour. */
static int colour_of(const scene *s)
{
    return s->model->parts.count <= COLOURS_MOST ? -1 : 0;
}

static bool is_moving(ah_model *m, const model_part *part)
{
    for (int k = 0; k < 3; k++)
        if (!expr_is_zero(m->ctx, part->velocity.c[k])) return true;
    return false;
}

static void add_part(scene *s, const model_part *part)
{
    scene_shape shape = scene_new(SCENE_POINT);
    shape.at = scene_place(s, part->place);
    if (part->is_body) scene_looks(s, part, &shape);
    shape.label = label_of(s, part);
    shape.colour = colour_of(s);
    scene_add(s, shape);
    if (!is_moving(s->model, part) || s->model->parts.count > PARTS_TRACED) return;
    scene_shape trace = scene_new(SCENE_TRACE);
    trace.at = scene_place(s, part->place);
    scene_add(s, trace);
}

/* ---- Rods ------------------------------------------------------------------------------------ */

/* Do c and |a − b|² vary alike, c = k (|a − b|² − const)? */
static bool keeps_distance(scene *s, ah_expr c, ah_vector a, ah_vector b)
{
    ah_model *m = s->model;
    ah_ctx *ctx = m->ctx;
    const ah_vector d = vector_sub(ctx, a, b);
    const ah_expr square = vector_dot(ctx, d, d);
    const ah_expr both[2] = {c, square};
    const expr_list used = expr_symbols(ctx, s->arena, both, 2);
    size_t seen = 0;
    for (size_t i = 0; i < used.count; i++) {
        if (expr_get_kind(ctx, used.at[i]) == AH_TIME) return false;
        if (expr_get_kind(ctx, used.at[i]) != AH_COORDINATE) continue;
        const ah_expr slope = expr_diff(ctx, c, used.at[i]);
        const ah_expr other = expr_diff(ctx, square, used.at[i]);
        seen++;
        if (slope != other && algebra_zero(m->alg, expr_sub(ctx, slope, other)) != AH_TRUE &&
            algebra_zero(m->alg, expr_add(ctx, slope, other)) != AH_TRUE)
            return false;
    }
    return seen > 0;
}

/* The parts that a constraint moves: their number, the first two of them in `found`. */
static size_t parts_of(scene *s, ah_expr c, const model_part *found[2])
{
    ah_model *m = s->model;
    const expr_list used = expr_symbols(m->ctx, s->arena, &c, 1);
    size_t count = 0;
    for (size_t i = 0; i < m->parts.count && count < 3; i++) {
        const model_part *part = &m->parts.at[i];
        bool moved = false;
        for (size_t k = 0; k < used.count && !moved; k++)
            if (expr_get_kind(m->ctx, used.at[k]) == AH_COORDINATE)
                for (int j = 0; j < 3 && !moved; j++)
                    moved = expr_depends(m->ctx, part->place.c[j], used.at[k]);
        if (moved && count < 2) found[count] = part;
        count += moved;
    }
    return count;
}

static void add_line(scene *s, scene_kind kind, ah_vector from, ah_vector to)
{
    scene_shape line = scene_new(kind);
    line.at = scene_place(s, from);
    line.to = scene_place(s, to);
    scene_add(s, line);
}

static void add_rods(scene *s)
{
    enum { WORK = 20000 }; /* pairs of parts and constraints that are looked at */
    ah_model *m = s->model;
    for (size_t i = 0; i < m->seen.count; i++) {
        const model_seen *l = &m->seen.at[i];
        if (l->kind == MODEL_SEEN_PLANE) continue;
        add_line(s, l->kind == MODEL_SEEN_SPRING ? SCENE_SPRING : SCENE_LINE, l->at, l->to);
    }
    if (m->parts.count * m->constraints.count > WORK) return;
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_part *found[2] = {NULL, NULL};
        const ah_expr c = m->constraints.at[i].c;
        if (m->constraints.at[i].order != MODEL_HOLONOMIC || m->constraints.at[i].joint) continue;
        const size_t count = parts_of(s, c, found);
        if (count != 1 && count != 2) continue;
        const ah_vector from = found[0]->place;
        const ah_vector to = count == 2 ? found[1]->place : vector_zero(m->ctx);
        if (keeps_distance(s, c, from, to)) add_line(s, SCENE_LINE, from, to);
    }
}

/* ---- Configuration space --------------------------------------------------------------------- */

/* Coordinates called x and y are taken for a place in the plane; else the first two span a plane of
 * their own, and a single one is drawn over time. */
static void add_configuration(scene *s)
{
    ah_model *m = s->model;
    ah_ctx *ctx = m->ctx;
    const int x = model_find_coordinate(m, "x"), y = model_find_coordinate(m, "y");
    ah_vector r = vector_zero(ctx);
    const bool plane = x >= 0 && y >= 0;
    r.c[0] = plane ? m->q.at[x] : m->n == 1 ? expr_time(ctx) : m->q.at[0];
    r.c[1] = plane ? m->q.at[y] : m->q.at[m->n > 1];
    for (int k = 0; k < 2 && !plane; k++) s->axes[k] = expr_text(ctx, s->arena, r.c[k], AH_TEXT);
    for (int k = 0; k < 2; k++) {
        scene_shape shape = scene_new(k ? SCENE_POINT : SCENE_TRACE);
        shape.at = scene_place(s, r);
        if (k && plane) shape.label = "(x, y)";
        scene_add(s, shape);
    }
}

/* Where the model says no plane: below everything, in space only. */
static void add_ground(scene *s)
{
    ah_model *m = s->model;
    scene_shape ground = scene_new(SCENE_GROUND);
    for (size_t i = 0; i < m->drawings.count; i++)
        if (m->drawings.at[i].what.shape == AH_DRAW_GROUND) return;
    for (size_t i = 0; i < m->seen.count; i++) {
        if (m->seen.at[i].kind != MODEL_SEEN_PLANE) continue;
        ground.at = scene_place(s, m->seen.at[i].at);
        ground.to = scene_place(s, m->seen.at[i].to);
        break;
    }
    scene_add(s, ground);
}

void scene_suggest(scene *s)
{
    ah_model *m = s->model;
    for (size_t i = 0; i < m->parts.count; i++) add_part(s, &m->parts.at[i]);
    if (m->parts.count)
        add_rods(s);
    else if (!m->drawings.count)
        add_configuration(s);
    else
        return;
    if (!s->axes[0]) add_ground(s);
}
