/* figure/picture.c - the numbers of a scene: what is seen, from where, how large. */
#include "scene_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of a page at most, and frames at least, however many channels move. */
#define PICTURE_NUMBERS 60000
#define PICTURE_LEAST   60
/* Relative to the size of the picture: what lies in a plane, what stands still. */
#define PICTURE_FLAT 1e-7
/* A motion so many times larger than the bodies is followed. */
#define PICTURE_FAR 4.0

/* ---- Vectors --------------------------------------------------------------------------------- */

vec3 vec_add(vec3 a, double s, vec3 b)
{
    return vec(a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2]);
}

double vec_dot(vec3 a, vec3 b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

vec3 vec_cross(vec3 a, vec3 b)
{
    return vec(a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
               a.x[0] * b.x[1] - a.x[1] * b.x[0]);
}

double vec_length(vec3 a)
{
    return sqrt(vec_dot(a, a));
}

vec3 vec_unit(vec3 a, vec3 otherwise)
{
    const double l = vec_length(a);
    return isfinite(l) && l > 0 ? vec_add(vec(0, 0, 0), 1 / l, a) : otherwise;
}

static bool is_finite(vec3 a)
{
    return isfinite(a.x[0]) && isfinite(a.x[1]) && isfinite(a.x[2]);
}

/* ---- Values ---------------------------------------------------------------------------------- */

double picture_value(const picture *p, scene_channel c, size_t row)
{
    if (c == SCENE_NONE || row >= p->tr->rows) return NAN;
    return p->tr->at[row * p->tr->columns + p->tr->extra + c];
}

static vec3 plain(const picture *p, scene_vector v, size_t row)
{
    return vec(picture_value(p, v.c[0], row), picture_value(p, v.c[1], row),
               picture_value(p, v.c[2], row));
}

/* Coordinates that are no lengths are drawn in a box of their own. */
vec3 picture_place(const picture *p, scene_vector v, size_t row)
{
    vec3 r = plain(p, v, row);
    for (int k = 0; k < 2 && p->s->axes[0]; k++) {
        const double low = p->shown[0].x[k], high = p->shown[1].x[k];
        r.x[k] = (k ? 1 : 1.5) * (high > low ? (r.x[k] - low) / (high - low) : 0.5);
    }
    return r;
}

bool picture_is_body(scene_kind kind)
{
    return kind != SCENE_TRACE && kind != SCENE_ARROW && kind != SCENE_GROUND &&
           kind != SCENE_CURVE;
}

bool picture_is_solid(scene_kind kind)
{
    return kind >= SCENE_DISC && kind <= SCENE_BOX;
}

void picture_frame(const picture *p, const scene_shape *shape, size_t row, vec3 axis[3])
{
    const vec3 z = vec(0, 0, 1);
    if (shape->framed) {
        for (int k = 0; k < 3; k++) axis[k] = plain(p, shape->frame[k], row);
        return;
    }
    const double turn = shape->turn == SCENE_NONE ? 0 : picture_value(p, shape->turn, row);
    const vec3 n = shape->to.c[0] == SCENE_NONE ? z : vec_unit(plain(p, shape->to, row), z);
    const vec3 reference = fabs(n.x[2]) < 0.9999 ? z : vec(1, 0, 0);
    const vec3 u = vec_unit(vec_add(reference, -vec_dot(reference, n), n), z);
    const vec3 v = vec_cross(n, u);
    axis[0] = vec_add(vec_add(vec(0, 0, 0), cos(turn), u), sin(turn), v);
    axis[1] = vec_cross(n, axis[0]);
    axis[2] = n;
}

double picture_size(const picture *p, const scene_shape *shape, int k, size_t row)
{
    if (shape->size[k] != SCENE_NONE) {
        const double given = fabs(picture_value(p, shape->size[k], row));
        return isfinite(given) ? given : 0;
    }
    switch (shape->kind) {
    case SCENE_WHEEL: return k ? 0.16 * picture_size(p, shape, 0, row) : 0;
    case SCENE_DISC: return k ? 0.08 * picture_size(p, shape, 0, row) : 0;
    case SCENE_BLADE: return p->reach > 0 && p->follow ? 0.4 * p->reach : 0.12 * p->size;
    case SCENE_ARROW: return p->unit[shape->family];
    default: return 0;
    }
}

/* How far a solid goes from its place in the direction n: max n·(r - at). */
static double support(const picture *p, const scene_shape *shape, size_t row, vec3 n)
{
    double size[3], along[3];
    vec3 axis[3];
    picture_frame(p, shape, row, axis);
    for (int k = 0; k < 3; k++) {
        size[k] = picture_size(p, shape, k, row);
        along[k] = vec_dot(n, axis[k]);
    }
    const double r = size[0], h = size[1], across = hypot(along[0], along[1]);
    switch (shape->kind) {
    case SCENE_SPHERE: return r;
    case SCENE_ELLIPSOID: return hypot(hypot(r * along[0], h * along[1]), size[2] * along[2]);
    case SCENE_TORUS: return r * across + h;
    case SCENE_CONE: return fmax(r * across, h * along[2]);
    case SCENE_BOX: return (r * fabs(along[0]) + h * fabs(along[1]) + size[2] * fabs(along[2])) / 2;
    default: return r * across + h / 2 * fabs(along[2]);
    }
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

typedef struct box {
    vec3 low, high;
    bool full;
} box;

static void box_add(box *b, vec3 r)
{
    if (!is_finite(r)) return;
    for (int k = 0; k < 3; k++) {
        b->low.x[k] = b->full ? fmin(b->low.x[k], r.x[k]) : r.x[k];
        b->high.x[k] = b->full ? fmax(b->high.x[k], r.x[k]) : r.x[k];
    }
    b->full = true;
}

static double box_diagonal(const box *b)
{
    return b->full ? vec_length(vec_add(b->high, -1, b->low)) : 0;
}

static void box_add_solid(const picture *p, box *b, const scene_shape *shape, size_t row)
{
    vec3 low = picture_place(p, shape->at, row), high = low;
    for (int k = 0; k < 3; k++) {
        vec3 n = vec(0, 0, 0);
        n.x[k] = 1;
        high.x[k] += support(p, shape, row, n);
        n.x[k] = -1;
        low.x[k] -= support(p, shape, row, n);
    }
    box_add(b, low);
    box_add(b, high);
}

static bool is_line(scene_kind kind)
{
    return kind == SCENE_LINE || kind == SCENE_SPRING;
}

/* Everything but lines. */
static void box_add_shape(const picture *p, box *b, const scene_shape *shape, size_t row)
{
    if (shape->kind == SCENE_GROUND || shape->kind == SCENE_ARROW || is_line(shape->kind)) return;
    for (size_t i = 0; i < shape->points.count; i++)
        box_add(b, picture_place(p, shape->points.at[i], row));
    if (shape->kind == SCENE_CURVE) return;
    if (picture_is_solid(shape->kind))
        box_add_solid(p, b, shape, row);
    else
        box_add(b, picture_place(p, shape->at, row));
}

static vec3 box_middle(const box *b)
{
    return vec_add(vec_add(vec(0, 0, 0), 0.5, b->low), 0.5, b->high);
}

/* The bodies at one moment. An end of a line may run away (the pivot of rods that become parallel):
 * beside other bodies it counts as long as it is near them. */
static box bodies_at(const picture *p, size_t row)
{
    box core = {0};
    for (size_t i = 0; i < p->s->shapes.count; i++)
        if (picture_is_body(p->s->shapes.at[i].kind))
            box_add_shape(p, &core, &p->s->shapes.at[i], row);
    box all = core;
    const double far = 2 * (box_diagonal(&core) + p->longest);
    for (size_t i = 0; i < p->s->shapes.count; i++) {
        const scene_shape *shape = &p->s->shapes.at[i];
        if (!is_line(shape->kind)) continue;
        const vec3 end[2] = {picture_place(p, shape->at, row), picture_place(p, shape->to, row)};
        for (int k = 0; k < 2; k++)
            if (!core.full || vec_length(vec_add(end[k], -1, box_middle(&core))) <= far)
                box_add(&all, end[k]);
    }
    return all;
}

/* Of the middles of bodies, as the player does it. */
vec3 picture_focus(const picture *p, size_t row)
{
    box b = {0};
    for (size_t i = 0; i < p->s->shapes.count; i++) {
        const scene_shape *shape = &p->s->shapes.at[i];
        if (picture_is_body(shape->kind) && !is_line(shape->kind))
            box_add(&b, picture_place(p, shape->at, row));
    }
    if (!b.full) b = bodies_at(p, row);
    return box_middle(&b);
}

/* The longest line at the start. */
static double longest_line(const picture *p)
{
    double longest = 0;
    for (size_t i = 0; i < p->s->shapes.count; i++) {
        const scene_shape *shape = &p->s->shapes.at[i];
        if (!is_line(shape->kind)) continue;
        const double l =
            vec_length(vec_add(picture_place(p, shape->to, 0), -1, picture_place(p, shape->at, 0)));
        if (isfinite(l)) longest = fmax(longest, l);
    }
    return longest;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

static void measure(picture *p)
{
    box all = {0};
    double *diagonal = NEW_ARRAY(p->arena, double, p->frames + 1);
    p->longest = longest_line(p);
    if (p->s->axes[0]) { /* with room for the numbers at its sides */
        box_add(&all, vec(-0.1, -0.1, 0));
        box_add(&all, vec(1.55, 1.03, 0));
    }
    for (size_t f = 0; f < p->frames; f++) {
        const box now = bodies_at(p, p->row[f]);
        for (size_t i = 0; i < p->s->shapes.count; i++)
            box_add_shape(p, &all, &p->s->shapes.at[i], p->row[f]);
        if (!now.full) continue;
        box_add(&all, now.low);
        box_add(&all, now.high);
        diagonal[f] = box_diagonal(&now);
    }
    if (p->frames) qsort(diagonal, p->frames, sizeof *diagonal, compare);
    p->reach = diagonal[p->frames / 2];
    p->low = all.low;
    p->high = all.high;
    p->size = box_diagonal(&all);
    p->follow = p->reach > 0 && p->size > PICTURE_FAR * p->reach;
}

/* ---- Plane or space, up and down ------------------------------------------------------------- */

static bool is_level(const picture *p, scene_vector v, size_t row)
{
    const double z = v.c[2] == SCENE_NONE ? 0 : plain(p, v, row).x[2];
    return !(fabs(z) > PICTURE_FLAT * (p->size > 0 ? p->size : 1));
}

/* Does one of the axes (of a round thing the third) stand upright? */
static bool is_upright(const picture *p, const scene_shape *shape, size_t row)
{
    vec3 axis[3];
    picture_frame(p, shape, row, axis);
    const bool round =
        shape->kind != SCENE_BOX && shape->kind != SCENE_SPHERE && shape->kind != SCENE_ELLIPSOID;
    for (int k = round ? 2 : 0; k < 3; k++)
        if (!(fabs(fabs(axis[k].x[2]) - 1) > PICTURE_FLAT)) return true;
    return false;
}

static bool is_flat_at(const picture *p, size_t row)
{
    for (size_t i = 0; i < p->s->shapes.count; i++) {
        const scene_shape *shape = &p->s->shapes.at[i];
        const vec3 to = plain(p, shape->to, row);
        if (!is_level(p, shape->at, row)) return false;
        if (picture_is_solid(shape->kind)) {
            if (!is_upright(p, shape, row)) return false;
        } else if (shape->kind == SCENE_GROUND) {
            if (is_finite(to) && vec_length(vec(to.x[0], to.x[1], 0)) > 0 && to.x[2] != 0)
                return false;
        } else if (!is_level(p, shape->to, row)) {
            return false;
        }
        for (size_t k = 0; k < shape->points.count; k++)
            if (!is_level(p, shape->points.at[k], row)) return false;
    }
    return true;
}

static void orient(picture *p)
{
    const vec3 z = vec(0, 0, 1);
    p->flat = true;
    for (size_t f = 0; f < p->frames && p->flat; f++) p->flat = is_flat_at(p, p->row[f]);
    vec3 g = p->s->gravity.c[0] == SCENE_NONE ? vec(0, 0, 0) : plain(p, p->s->gravity, 0);
    const double whole = vec_length(g);
    if (p->flat) g.x[2] = 0;
    if (!(vec_length(g) > PICTURE_FLAT * whole)) g = p->flat ? vec(0, -1, 0) : vec(0, 0, -1);
    p->up = vec_unit(vec_add(vec(0, 0, 0), -1, g), z);
    if (p->flat) {
        p->right = vec(p->up.x[1], -p->up.x[0], 0);
        return;
    }
    const vec3 x = fabs(p->up.x[0]) < 0.9 ? vec(1, 0, 0) : vec(0, 1, 0);
    p->right = vec_unit(vec_add(x, -vec_dot(x, p->up), p->up), z);
}

/* In space the diagonal of a box is never seen in its full length. */
static double view_of(const picture *p)
{
    if (p->follow) return (p->flat ? 2 : 1.25) * p->reach;
    return p->size > 0 ? p->size : 1;
}

/* ---- Sizes that nobody gave ------------------------------------------------------------------ */

/* The longest arrow of a family takes a fifth of the view; a single peak does not make all others
 * small. */
static void scale_arrows(picture *p, scene_family family)
{
    double largest = 0, squares = 0;
    size_t count = 0;
    for (size_t i = 0; i < p->s->shapes.count; i++) {
        const scene_shape *shape = &p->s->shapes.at[i];
        if (shape->kind != SCENE_ARROW || shape->family != family) continue;
        for (size_t f = 0; f < p->frames; f++) {
            const double l = vec_length(plain(p, shape->to, p->row[f]));
            if (!isfinite(l)) continue;
            largest = fmax(largest, l);
            squares += l * l;
            count++;
        }
    }
    const double usual = count ? sqrt(squares / (double) count) : 0;
    const double full = fmin(largest, 2.5 * usual);
    p->unit[family] = full > 0 ? 0.2 * p->view / full : 0;
}

/* Along `up`: the lowest corner of the box; the zero level where that is near. */
static double lowest(const picture *p)
{
    double low = INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        vec3 r;
        for (int k = 0; k < 3; k++) r.x[k] = corner >> k & 1 ? p->high.x[k] : p->low.x[k];
        low = fmin(low, vec_dot(r, p->up));
    }
    return fabs(low) < 0.02 * p->size ? 0 : low;
}

/* ---- Colours --------------------------------------------------------------------------------- */

int picture_colour(const scene *s, size_t i)
{
    static const int usual[] = {0, 1, 2, 4, 5, 6};
    const scene_shape *shape = &s->shapes.at[i];
    size_t turn = 0;
    if (shape->colour >= 0) return shape->colour;
    switch (shape->kind) {
    case SCENE_ARROW: return shape->family == SCENE_VELOCITY ? 2 : 3;
    case SCENE_LINE:
    case SCENE_SPRING:
    case SCENE_GROUND:
    case SCENE_CURVE: return 7;
    case SCENE_BLADE: return 8;
    default: break;
    }
    for (size_t k = 0; k < s->shapes.count; k++) {
        const scene_shape *other = &s->shapes.at[k];
        const bool coloured = other->kind == SCENE_POINT || other->kind == SCENE_TRACE ||
                              picture_is_solid(other->kind);
        if (!coloured) continue;
        const bool same = !memcmp(&other->at, &shape->at, sizeof shape->at);
        if (same && other->colour >= 0) return other->colour;
        if (same || k == i) break;
        turn++;
    }
    return usual[turn % (sizeof usual / sizeof *usual)];
}

/* ---- Frames ---------------------------------------------------------------------------------- */

/* Forward in time, whatever way the motion was computed. */
static void choose_frames(picture *p)
{
    const size_t channels = p->s->extras.count ? p->s->extras.count : 1;
    size_t most = PICTURE_NUMBERS / channels;
    if (most > SCENE_FRAMES) most = SCENE_FRAMES;
    if (most < PICTURE_LEAST) most = PICTURE_LEAST;
    p->frames = p->tr->rows < most ? p->tr->rows : most;
    p->row = NEW_ARRAY(p->arena, size_t, p->frames + 1);
    for (size_t f = 0; f < p->frames; f++)
        p->row[f] = p->frames > 1 ? f * (p->tr->rows - 1) / (p->frames - 1) : 0;
    const size_t last = p->tr->rows ? p->tr->rows - 1 : 0;
    if (!p->tr->rows || !(p->tr->at[last * p->tr->columns] < p->tr->at[0])) return;
    for (size_t f = 0; f < p->frames; f++) p->row[f] = last - p->row[f];
}

static void measure_configuration(picture *p)
{
    box b = {0};
    if (!p->s->axes[0]) return;
    for (size_t f = 0; f < p->frames; f++) box_add(&b, plain(p, p->s->shapes.at[0].at, p->row[f]));
    for (int k = 0; k < 2; k++) {
        const double room = 0.06 * (b.high.x[k] - b.low.x[k]);
        p->shown[0].x[k] = b.low.x[k] - room;
        p->shown[1].x[k] = b.high.x[k] + room;
    }
}

picture picture_make(arena *a, const scene *s, const trajectory *tr)
{
    picture p = {.s = s, .tr = tr, .arena = a};
    choose_frames(&p);
    measure_configuration(&p);
    measure(&p);
    orient(&p);
    p.view = view_of(&p);
    for (int k = 0; k < 3; k++) scale_arrows(&p, (scene_family) k);
    p.ground = lowest(&p);
    return p;
}
