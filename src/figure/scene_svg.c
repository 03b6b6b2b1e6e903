/* figure/scene_svg.c - a still picture of a scene. web/scene.js draws the same shapes moving. */
#include "scene_paint.h"

#include <math.h>
#include <stdlib.h>

enum { AROUND = 48, SPOKES = 8, COILS = 9, GRID = 12, CHUNK = 12 };
#define TURN 6.283185307179586

typedef struct drawing {
    painter w;
    const picture *p;
    size_t row;
    const scene_shape *shape;
    int colour;
    vec3 at, axis[3];
    double step; /* of the grid, 0: none */
} drawing;

static paint_style line_of(const drawing *d, double width, double opacity)
{
    return (paint_style){NULL, paint_colour(d->w.arena, d->colour, 1), width, opacity};
}

/* ---- Solids ---------------------------------------------------------------------------------- */

/* The place at (a, b, c) along the axes of the solid. */
static vec3 inside(const drawing *d, double a, double b, double c)
{
    return vec_add(vec_add(vec_add(d->at, a, d->axis[0]), b, d->axis[1]), c, d->axis[2]);
}

/* A face that looks towards us, lit from above and a little from the left. */
static void face(drawing *d, size_t count, const vec3 *r, int colour, double tone)
{
    const camera *c = &d->w.c;
    const bool quad = count == 4; /* one of its sides may be a point: then by the diagonals */
    const vec3 one = vec_add(r[quad ? 2 : 1], -1, r[0]);
    const vec3 other = vec_add(r[quad ? 3 : 2], -1, r[quad ? 1 : 0]);
    const vec3 n = vec_unit(vec_cross(one, other), c->e[2]);
    vec3 eye = c->e[2];
    if (isfinite(c->distance)) eye = vec_add(vec_add(c->centre, c->distance, c->e[2]), -1, r[0]);
    if (vec_dot(n, eye) <= 0) return;
    vec3 light = vec_add(vec_add(c->e[2], 1.0, c->e[1]), -0.6, c->e[0]);
    light = vec_unit(light, c->e[2]);
    const double shade = tone * (d->p->flat ? 1 : 0.62 + 0.45 * fmax(vec_dot(n, light), 0));
    const char *paint = paint_colour(d->w.arena, colour, shade);
    paint_polygon(&d->w, count, r, true, (paint_style){paint, paint, 0.7, 1}, 0);
}

/* A ring about the third axis between the radii and heights of two circles: quads. */
static void ring(drawing *d, const double radius[2], const double height[2], int colour,
                 double tone)
{
    for (int i = 0; i < AROUND; i++) {
        vec3 r[4];
        for (int k = 0; k < 4; k++) {
            const double a = TURN * (i + (k == 1 || k == 2)) / AROUND;
            const int side = k >= 2;
            r[k] = inside(d, radius[side] * cos(a), radius[side] * sin(a), height[side]);
        }
        face(d, 4, r, colour, tone);
    }
}

/* A cap in four quarters, two by two of one tone: so one sees it turn. */
static void cap(drawing *d, double radius, double height, double up)
{
    for (int quarter = 0; quarter < 4; quarter++) {
        vec3 r[AROUND / 4 + 2];
        r[0] = inside(d, 0, 0, height);
        for (int i = 0; i <= AROUND / 4; i++) {
            const double a = up * TURN * (quarter * (AROUND / 4) + i) / AROUND;
            r[i + 1] = inside(d, radius * cos(a), radius * sin(a), height);
        }
        face(d, AROUND / 4 + 2, r, d->colour, quarter % 2 ? 1.45 : 1);
    }
}

static void draw_disc(drawing *d, double r, double h)
{
    ring(d, (double[]){r, r}, (double[]){-h / 2, h / 2}, d->colour, 0.9);
    cap(d, r, h / 2, 1);
    cap(d, r, -h / 2, -1);
}

/* One side of a tyre, in one piece: once around, and back inside. */
static void annulus(drawing *d, double inner, double outer, double height, double up, int colour)
{
    vec3 r[2 * (AROUND + 1)];
    for (int i = 0; i <= AROUND; i++) {
        const double a = up * TURN * i / AROUND;
        r[i] = inside(d, outer * cos(a), outer * sin(a), height);
        r[2 * AROUND + 1 - i] = inside(d, inner * cos(a), inner * sin(a), height);
    }
    face(d, 2 * (AROUND + 1), r, colour, 1.15);
}

static void draw_wheel(drawing *d, double r, double width)
{
    const double inner = 0.84 * r, h = width / 2;
    const int tread = 8; /* black */
    ring(d, (double[]){r, r}, (double[]){-h, h}, tread, 1);
    annulus(d, inner, r, h, 1, tread);
    annulus(d, inner, r, -h, -1, tread);
    ring(d, (double[]){inner, inner}, (double[]){h, -h}, tread, 1.3);
    for (int i = 0; i < SPOKES; i++) {
        const double a = TURN * i / SPOKES;
        const vec3 ends[2] = {d->at, inside(d, inner * cos(a), inner * sin(a), 0)};
        const int colour = i ? d->colour : 3;
        const paint_style style = {NULL, paint_colour(d->w.arena, colour, 1), i ? 2 : 4, 1};
        paint_polygon(&d->w, 2, ends, false, style, 0);
    }
    const char *hub = paint_colour(d->w.arena, d->colour, 0.8);
    paint_dot(&d->w, d->at, camera_length(&d->w.c, d->at, 0.09 * r), (paint_style){hub, NULL, 0, 1},
              0.01 * r);
}

/* About the third axis, from the radius and height at one place of the profile to the next, quarters in two
 * tones: so one sees it turn. */
static void turned(drawing *d, int count, const double *radius, const double *height)
{
    enum { PARTS = AROUND / 2 };
    for (int k = 0; k + 1 < count; k++)
        for (int i = 0; i < PARTS; i++) {
            vec3 r[4];
            for (int corner = 0; corner < 4; corner++) {
                const double a = TURN * (i + (corner == 1 || corner == 2)) / PARTS;
                const int at = k + (corner >= 2);
                r[corner] = inside(d, radius[at] * cos(a), radius[at] * sin(a), height[at]);
            }
            const bool odd = (4 * i / PARTS + (2 * k >= count - 1)) % 2;
            face(d, 4, r, d->colour, odd ? 1.25 : 1);
        }
}

enum { PROFILE = 16 };

static void draw_ellipsoid(drawing *d, const double axis[3])
{
    double radius[PROFILE + 1], height[PROFILE + 1];
    for (int k = 0; k <= PROFILE; k++) {
        radius[k] = sin(TURN / 2 * k / PROFILE);
        height[k] = -cos(TURN / 2 * k / PROFILE);
    }
    for (int k = 0; k < 3; k++) d->axis[k] = vec_add(vec(0, 0, 0), axis[k], d->axis[k]);
    turned(d, PROFILE + 1, radius, height);
}

/* Where the tube is the thicker, what is left is a spindle: up to its axis. */
static void draw_torus(drawing *d, double R, double tube)
{
    double radius[PROFILE + 1], height[PROFILE + 1];
    const double end = tube > R ? acos(-R / tube) : TURN / 2;
    for (int k = 0; k <= PROFILE; k++) {
        const double a = end * (2.0 * k / PROFILE - 1);
        radius[k] = fmax(R + tube * cos(a), 0);
        height[k] = tube * sin(a);
    }
    turned(d, PROFILE + 1, radius, height);
}

static void draw_cone(drawing *d, double r, double h)
{
    turned(d, 2, (double[]){r, 0}, (double[]){0, h});
    cap(d, r, 0, -1);
}

static void draw_box(drawing *d, const double side[3])
{
    for (int k = 0; k < 6; k++) {
        const int a = k % 3, b = (a + 1) % 3, c = (a + 2) % 3;
        const double sign = k < 3 ? 1 : -1;
        vec3 r[4];
        for (int i = 0; i < 4; i++) {
            double x[3];
            const double u = i == 1 || i == 2 ? 1 : -1, v = i >= 2 ? 1 : -1;
            x[a] = sign * side[a] / 2;
            x[b] = sign * u * side[b] / 2;
            x[c] = v * side[c] / 2;
            r[i] = inside(d, x[0], x[1], x[2]);
        }
        face(d, 4, r, d->colour, 1);
    }
}

static void draw_sphere(drawing *d, double r)
{
    const char *fill = paint_colour(d->w.arena, d->colour, 1.1);
    const char *edge = paint_colour(d->w.arena, d->colour, 0.7);
    paint_dot(&d->w, d->at, camera_length(&d->w.c, d->at, r), (paint_style){fill, edge, 1, 1}, 0);
    for (int k = 0; k < 3; k++) {
        vec3 arc[AROUND + 1];
        for (int i = 0; i <= AROUND; i++) {
            double x[3] = {0, 0, 0};
            x[k] = r * cos(TURN * i / AROUND);
            x[(k + 1) % 3] = r * sin(TURN * i / AROUND);
            arc[i] = inside(d, x[0], x[1], x[2]);
            if (vec_dot(vec_add(arc[i], -1, d->at), d->w.c.e[2]) < 0) arc[i] = vec(NAN, NAN, NAN);
        }
        paint_polygon(&d->w, AROUND + 1, arc, false, (paint_style){NULL, edge, 1, 0.8}, r);
    }
}

static void draw_solid(drawing *d)
{
    double size[3];
    picture_frame(d->p, d->shape, d->row, d->axis);
    for (int k = 0; k < 3; k++) size[k] = picture_size(d->p, d->shape, k, d->row);
    switch (d->shape->kind) {
    case SCENE_DISC: draw_disc(d, size[0], size[1]); break;
    case SCENE_WHEEL: draw_wheel(d, size[0], size[1]); break;
    case SCENE_SPHERE: draw_sphere(d, size[0]); break;
    case SCENE_ELLIPSOID: draw_ellipsoid(d, size); break;
    case SCENE_TORUS: draw_torus(d, size[0], size[1]); break;
    case SCENE_CONE: draw_cone(d, size[0], size[1]); break;
    default: draw_box(d, size); break;
    }
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static vec3 across(const drawing *d, vec3 along)
{
    return vec_unit(vec_cross(d->w.c.e[2], along), d->w.c.e[0]);
}

static void draw_spring(drawing *d, vec3 to)
{
    const vec3 along = vec_add(to, -1, d->at), side = across(d, along);
    vec3 r[2 * COILS + 4];
    size_t count = 0;
    r[count++] = d->at;
    for (int i = 0; i <= 2 * COILS; i++) {
        const double share = 0.12 + 0.76 * i / (2 * COILS);
        const double out = i == 0 || i == 2 * COILS ? 0 : i % 2 ? 1 : -1;
        r[count++] = vec_add(vec_add(d->at, share, along), 0.02 * out * d->p->view, side);
    }
    r[count++] = to;
    paint_polygon(&d->w, count, r, false, line_of(d, 1.8, 1), 0);
}

static void draw_arrow(drawing *d, vec3 vector)
{
    const double unit = picture_size(d->p, d->shape, 0, d->row), pixel = 1 / d->w.c.scale;
    const vec3 tip = vec_add(d->at, unit, vector);
    const double length = unit * vec_length(vector);
    if (!(length > pixel)) return;
    const vec3 along = vec_unit(vector, vector), side = across(d, along);
    const double head = fmin(11 * pixel, 0.5 * length);
    const vec3 neck = vec_add(tip, -head, along);
    const vec3 shaft[2] = {d->at, neck};
    const vec3 barb[3] = {tip, vec_add(neck, 0.4 * head, side), vec_add(neck, -0.4 * head, side)};
    const char *paint = paint_colour(d->w.arena, d->colour, 1);
    paint_polygon(&d->w, 2, shaft, false, line_of(d, 2.4, 1), 0.05 * d->p->view);
    paint_polygon(&d->w, 3, barb, true, (paint_style){paint, paint, 1, 1}, 0.05 * d->p->view);
}

/* In the plane a lens, in space a fin. */
static void draw_blade(drawing *d, vec3 direction)
{
    const double l = picture_size(d->p, d->shape, 0, d->row);
    const vec3 along = vec_unit(direction, d->p->right);
    const vec3 up = d->p->flat ? across(d, along) : d->p->up;
    const double low = d->p->flat ? -0.05 * l : 0, high = d->p->flat ? 0.05 * l : 0.14 * l;
    vec3 r[4] = {vec_add(d->at, -l / 2, along), vec_add(d->at, low, up),
                 vec_add(d->at, l / 2, along), vec_add(d->at, high, up)};
    if (!d->p->flat) {
        r[1] = r[2];
        r[2] = vec_add(vec_add(d->at, 0.42 * l, along), high, up);
        r[3] = vec_add(vec_add(d->at, -0.42 * l, along), high, up);
    }
    const char *paint = paint_colour(d->w.arena, d->colour, 1);
    paint_polygon(&d->w, 4, r, true, (paint_style){paint, paint, 1.5, 1}, 0);
}

/* In pieces, so that a body can stand between them; in the plane in one. */
static void stretch(drawing *d, size_t count, const vec3 *r, paint_style style)
{
    const size_t chunk = d->p->flat ? count : CHUNK;
    for (size_t i = 0; i + 1 < count; i += chunk) {
        const size_t left = count - i;
        paint_polygon(&d->w, left > chunk ? chunk + 1 : left, r + i, false, style,
                      -0.01 * d->p->view);
    }
}

/* The path so far, and what is to come in a lighter line. */
static void draw_trace(drawing *d)
{
    size_t now = 0;
    while (now + 1 < d->p->frames && d->p->row[now] != d->row &&
           (d->p->row[now] < d->row) == (d->p->row[now + 1] <= d->row))
        now++; /* rows go up or down; not every one is a frame */
    vec3 *r = NEW_ARRAY(d->w.arena, vec3, d->p->frames + 1);
    for (size_t f = 0; f < d->p->frames; f++)
        r[f] = picture_place(d->p, d->shape->at, d->p->row[f]);
    stretch(d, now + 1, r, line_of(d, 1.6, 0.9));
    stretch(d, d->p->frames - now, r + now, line_of(d, 1.2, 0.3));
}

static void draw_curve(drawing *d)
{
    const size_t count = d->shape->points.count;
    vec3 *r = NEW_ARRAY(d->w.arena, vec3, count + 1);
    for (size_t i = 0; i < count; i++) r[i] = picture_place(d->p, d->shape->points.at[i], d->row);
    paint_polygon(&d->w, count, r, false, line_of(d, 1.8, 0.8), 0);
}

/* ---- Ground ---------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, not above x. */
static double nice(double x)
{
    const double power = pow(10, floor(log10(x)));
    return x >= 5 * power ? 5 * power : x >= 2 * power ? 2 * power : power;
}

static void draw_grid(drawing *d, vec3 origin, vec3 u, vec3 v)
{
    const double half = d->p->flat ? 0.6 * hypot(PAINT_WIDTH, PAINT_HEIGHT) / d->w.c.scale
                                   : 0.75 * (d->p->follow ? 2 : 1) * d->p->view;
    const double step = nice(half / 5);
    const vec3 to = vec_add(d->w.c.centre, -1, origin);
    const double a = round(vec_dot(to, u) / step), b = round(vec_dot(to, v) / step);
    const paint_style style = {NULL, "currentColor", 0.8, 0.16};
    const int lines = (int) ceil(half / step);
    d->step = step;
    for (int i = -lines; i <= lines; i++) {
        vec3 r[GRID + 1], s[GRID + 1];
        for (int k = 0; k <= GRID; k++) {
            const double x = lines * (2.0 * k / GRID - 1);
            r[k] = vec_add(vec_add(origin, (a + i) * step, u), (b + x) * step, v);
            s[k] = vec_add(vec_add(origin, (a + x) * step, u), (b + i) * step, v);
        }
        paint_polygon(&d->w, GRID + 1, r, false, style, -1e3 * d->p->view);
        paint_polygon(&d->w, GRID + 1, s, false, style, -1e3 * d->p->view);
    }
}

/* Seen from the side: a line with hatches below. */
static void draw_floor(drawing *d, vec3 at, vec3 normal)
{
    const vec3 along = vec_cross(normal, d->w.c.e[2]);
    const double half = 0.8 * d->p->view, step = d->p->view / 30;
    const vec3 middle = vec_add(at, vec_dot(vec_add(d->w.c.centre, -1, at), along), along);
    const vec3 ends[2] = {vec_add(middle, -half, along), vec_add(middle, half, along)};
    paint_polygon(&d->w, 2, ends, false, line_of(d, 1.6, 0.8), -d->p->view);
    for (int i = 0; i * step < 2 * half; i++) {
        const vec3 top = vec_add(ends[0], i * step, along);
        const vec3 r[2] = {top, vec_add(vec_add(top, -0.6 * step, normal), -0.6 * step, along)};
        paint_polygon(&d->w, 2, r, false, line_of(d, 1, 0.5), -d->p->view);
    }
}

/* Where it lies and its normal. */
static void ground_plane(const drawing *d, const scene_shape *shape, vec3 *at, vec3 *normal)
{
    const bool placed = shape->at.c[0] != SCENE_NONE;
    const vec3 up = d->p->up;
    *at = placed ? picture_place(d->p, shape->at, d->row) : vec_add(vec(0, 0, 0), d->p->ground, up);
    *normal = placed ? vec_unit(picture_place(d->p, shape->to, d->row), up) : up;
}

static void draw_ground(drawing *d)
{
    vec3 at, n;
    const vec3 right = d->p->right;
    ground_plane(d, d->shape, &at, &n);
    if (d->p->flat) {
        if (d->shape->at.c[0] != SCENE_NONE && fabs(n.x[2]) < 0.5) draw_floor(d, at, n);
        return;
    }
    const vec3 x = fabs(vec_dot(n, right)) < 0.9 ? right : vec_cross(d->p->up, right);
    const vec3 u = vec_unit(vec_add(x, -vec_dot(x, n), n), x);
    draw_grid(d, at, u, vec_cross(n, u));
}

/* ---- Shadows --------------------------------------------------------------------------------- */

typedef struct spot {
    double x, y; /* in pixels */
    vec3 r;      /* on the ground */
} spot;

static int by_place(const void *a, const void *b)
{
    const spot *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* The outline of points in the picture (Andrew's monotone chain); their number. */
static size_t hull(spot *at, size_t count, vec3 *out)
{
    spot chain[2 * 2 * (AROUND + 1) + 2];
    size_t n = 0;
    qsort(at, count, sizeof *at, by_place);
    for (int back = 0; back < 2; back++) {
        const size_t first = n + 1;
        for (size_t i = 0; i < count; i++) {
            const spot q = at[back ? count - 1 - i : i];
            while (n > first && (chain[n - 1].x - chain[n - 2].x) * (q.y - chain[n - 2].y) <=
                                    (chain[n - 1].y - chain[n - 2].y) * (q.x - chain[n - 2].x))
                n--;
            chain[n++] = q;
        }
        n--; /* the last one begins the way back */
    }
    for (size_t i = 0; i < n; i++) out[i] = chain[i].r;
    return n;
}

/* Where the ground's normal touches an ellipsoid x = A u, u on the unit sphere, it is at right angles to
 * A⁻¹ u: u goes round the circle at right angles to A⁻¹ n. */
static size_t around_ellipsoid(drawing *d, const double axis[3], vec3 normal, vec3 *out)
{
    const vec3 z = vec(0, 0, 1), x = vec(1, 0, 0);
    vec3 m;
    for (int k = 0; k < 3; k++)
        m.x[k] = vec_dot(normal, d->axis[k]) / fmax(axis[k], 1e-9 * d->p->view);
    m = vec_unit(m, z);
    const vec3 u = vec_unit(vec_cross(m, fabs(m.x[0]) < 0.9 ? x : z), x), v = vec_cross(m, u);
    for (int i = 0; i <= AROUND; i++) {
        const vec3 at =
            vec_add(vec_add(vec(0, 0, 0), cos(TURN * i / AROUND), u), sin(TURN * i / AROUND), v);
        out[i] = inside(d, axis[0] * at.x[0], axis[1] * at.x[1], axis[2] * at.x[2]);
    }
    return AROUND + 1;
}

static size_t around_box(drawing *d, const double side[3], vec3 *out)
{
    for (int k = 0; k < 8; k++)
        out[k] = inside(d, (k & 1 ? 0.5 : -0.5) * side[0], (k & 2 ? 0.5 : -0.5) * side[1],
                        (k & 4 ? 0.5 : -0.5) * side[2]);
    return 8;
}

/* Circles about the third axis. */
static size_t around_rims(drawing *d, int count, const double *radius, const double *height,
                          vec3 *out)
{
    size_t n = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i <= AROUND; i++)
            out[n++] = inside(d, radius[k] * cos(TURN * i / AROUND),
                              radius[k] * sin(TURN * i / AROUND), height[k]);
    return n;
}

enum { RIMS_MOST = 3 };

/* Places that go round a solid, as seen along the normal. */
static size_t around(drawing *d, vec3 normal, vec3 *out)
{
    double size[3];
    picture_frame(d->p, d->shape, d->row, d->axis);
    for (int k = 0; k < 3; k++) size[k] = picture_size(d->p, d->shape, k, d->row);
    const double r = size[0], h = size[1];
    switch (d->shape->kind) {
    case SCENE_BOX: return around_box(d, size, out);
    case SCENE_SPHERE: return around_ellipsoid(d, (double[]){r, r, r}, normal, out);
    case SCENE_ELLIPSOID: return around_ellipsoid(d, size, normal, out);
    case SCENE_TORUS: return around_rims(d, 3, (double[]){r, r + h, r}, (double[]){-h, 0, h}, out);
    case SCENE_CONE: return around_rims(d, 2, (double[]){r, 0}, (double[]){0, h}, out);
    default: return around_rims(d, 2, (double[]){r, r}, (double[]){-h / 2, h / 2}, out);
    }
}

/* Straight down. */
static void draw_shadow(drawing *d, vec3 at, vec3 normal)
{
    vec3 place[RIMS_MOST * (AROUND + 1)];
    spot spots[RIMS_MOST * (AROUND + 1)];
    size_t count = around(d, normal, place), seen = 0;
    for (size_t i = 0; i < count; i++) {
        const vec3 r = vec_add(place[i], -vec_dot(vec_add(place[i], -1, at), normal), normal);
        const vec3 s = camera_see(&d->w.c, r);
        if (isfinite(s.x[0]) && isfinite(s.x[1]) && isfinite(s.x[2]))
            spots[seen++] = (spot){s.x[0], s.x[1], r};
    }
    if (seen < 3) return;
    vec3 outline[2 * RIMS_MOST * (AROUND + 1) + 2];
    count = hull(spots, seen, outline);
    paint_polygon(&d->w, count, outline, true, (paint_style){"#000000", NULL, 0, 0.13},
                  -500 * d->p->view);
}

static void draw_shadows(drawing *d)
{
    const scene *s = d->p->s;
    size_t ground = 0;
    vec3 at, normal;
    while (ground < s->shapes.count && s->shapes.at[ground].kind != SCENE_GROUND) ground++;
    if (d->p->flat || ground == s->shapes.count) return;
    ground_plane(d, &s->shapes.at[ground], &at, &normal);
    for (size_t i = 0; i < s->shapes.count; i++) {
        d->shape = &s->shapes.at[i];
        d->at = picture_place(d->p, d->shape->at, d->row);
        if (picture_is_solid(d->shape->kind)) draw_shadow(d, at, normal);
    }
}

/* ---- The picture ----------------------------------------------------------------------------- */

static void draw_shape(drawing *d)
{
    const scene_shape *shape = d->shape;
    const vec3 to = picture_place(d->p, shape->to, d->row);
    const vec3 ends[2] = {d->at, to};
    const char *paint = paint_colour(d->w.arena, d->colour, 1);
    switch (shape->kind) {
    case SCENE_POINT:
        paint_dot(&d->w, d->at, 6, (paint_style){paint, "#ffffff", 1, 1}, 0.02 * d->p->view);
        break;
    case SCENE_LINE: paint_polygon(&d->w, 2, ends, false, line_of(d, 3, 1), 0); break;
    case SCENE_SPRING: draw_spring(d, to); break;
    case SCENE_TRACE: draw_trace(d); break;
    case SCENE_BLADE: draw_blade(d, to); break;
    case SCENE_ARROW: draw_arrow(d, to); break;
    case SCENE_GROUND: draw_ground(d); break;
    case SCENE_CURVE: draw_curve(d); break;
    default: draw_solid(d); break;
    }
    if (shape->label && shape->kind != SCENE_GROUND) paint_text(&d->w, d->at, 9, -9, shape->label);
}

static void draw_axes(drawing *d)
{
    const vec3 box[4] = {vec(0, 0, 0), vec(1.5, 0, 0), vec(1.5, 1, 0), vec(0, 1, 0)};
    arena *a = d->w.arena;
    paint_polygon(&d->w, 4, box, true, (paint_style){NULL, "currentColor", 1, 0.5}, -1);
    for (int k = 0; k < 2; k++) {
        const vec3 end = k ? box[3] : box[1];
        const char *low = arena_printf(a, "%.3g", d->p->shown[0].x[k]);
        const char *high = arena_printf(a, "%.3g", d->p->shown[1].x[k]);
        paint_text(&d->w, vec(k ? 0 : 0.75, k ? 0.5 : 0, 0), k ? -40 : 0, k ? 0 : 34,
                   d->p->s->axes[k]);
        paint_text(&d->w, box[0], k ? -44 : 0, k ? -4 : 18, low);
        paint_text(&d->w, end, k ? -44 : -20, k ? 10 : 18, high);
    }
}

#define LEGEND "\" font-size=\"13\" font-family=\"sans-serif\" font-style=\"normal\""

/* The step of the grid, and what the arrows are. */
static void add_legend(text *t, const drawing *d)
{
    static const char *const families[] = {NULL, "velocity", "reaction"};
    const scene *s = d->p->s;
    int y = PAINT_HEIGHT - 12;
    if (d->step > 0) {
        text_printf(t, "<text x=\"12\" y=\"%d" LEGEND " fill=\"currentColor\">grid ", y);
        text_double(t, d->step, 6);
        text_add(t, "</text>\n");
    }
    for (int family = SCENE_FORCE; family >= SCENE_VELOCITY; family--) {
        size_t i = 0;
        while (i < s->shapes.count && (s->shapes.at[i].kind != SCENE_ARROW ||
                                       s->shapes.at[i].family != (scene_family) family))
            i++;
        if (i == s->shapes.count) continue;
        text_printf(t,
                    "<text x=\"%d\" y=\"%d" LEGEND " fill=\"%s\" text-anchor=\"end\">→ %s</text>\n",
                    PAINT_WIDTH - 12, y, paint_colour(d->w.arena, picture_colour(s, i), 1),
                    families[family]);
        y -= 17;
    }
}

void scene_svg(text *t, const scene *s, const trajectory *tr, size_t row)
{
    arena *a = &s->model->ctx->job;
    const picture p = picture_make(a, s, tr);
    drawing d = {.w = {.arena = a, .c = camera_make(&p, row), .flat = p.flat}, .p = &p, .row = row};
    if (p.flat && !s->axes[0]) draw_grid(&d, vec(0, 0, 0), p.right, p.up);
    if (s->axes[0]) draw_axes(&d);
    draw_shadows(&d);
    for (size_t i = 0; i < s->shapes.count; i++) {
        d.shape = &s->shapes.at[i];
        d.colour = picture_colour(s, i);
        d.at = picture_place(&p, d.shape->at, row);
        draw_shape(&d);
    }
    const double time = row < tr->rows ? tr->at[row * tr->columns] : NAN;
    text_printf(t,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" "
                "aria-label=\"the system at t = ",
                PAINT_WIDTH, PAINT_HEIGHT);
    text_double(t, time, 4);
    text_add(t, "\" data-time=\"");
    text_double(t, time, 17);
    text_add(t, "\" font-family=\"serif\" font-style=\"italic\">\n");
    paint_end(&d.w, t);
    add_legend(t, &d);
    text_add(t, "</svg>\n");
}
