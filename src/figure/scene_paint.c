/* figure/scene_paint.c - a camera, and pieces of a picture sorted from far to near. */
#include "scene_paint.h"
#include "svg.h"

#include <math.h>
#include <stdlib.h>

/* Where the camera of a picture in space stands, seen from its middle: radians, and the distance in
 * diameters of the view. The player begins with the same. */
#define CAMERA_ALONG     -1.13 /* nearly across the longer side of the ground */
#define CAMERA_ACROSS    -0.44
#define CAMERA_ELEVATION 0.35
#define CAMERA_DISTANCE  2.6
#define CAMERA_MARGIN    46.0 /* pixels around */

/* After Okabe and Ito; as model_colours. */
static const unsigned char rgb[][3] = {{0, 114, 178},  {230, 159, 0},   {0, 158, 115},
                                       {213, 94, 0},   {170, 95, 160},  {216, 190, 40},
                                       {86, 180, 233}, {128, 132, 138}, {60, 62, 66}};

const char *paint_colour(arena *a, int colour, double shade)
{
    unsigned out[3];
    for (int k = 0; k < 3; k++) {
        const double x = rgb[colour % 9][k];
        out[k] = (unsigned) (shade <= 1 ? x * shade : x + (255 - x) * (shade - 1));
    }
    return arena_printf(a, "#%02x%02x%02x", out[0], out[1], out[2]);
}

/* ---- Camera ---------------------------------------------------------------------------------- */

static vec3 corner(const picture *p, int number)
{
    vec3 r;
    for (int k = 0; k < 3; k++) r.x[k] = number >> k & 1 ? p->high.x[k] : p->low.x[k];
    return r;
}

static void aim(camera *c, const picture *p)
{
    const vec3 ahead = vec_cross(p->up, p->right), diagonal = vec_add(p->high, -1, p->low);
    const bool along = fabs(vec_dot(diagonal, p->right)) >= fabs(vec_dot(diagonal, ahead));
    const double azimuth = along ? CAMERA_ALONG : CAMERA_ACROSS;
    const double level = cos(CAMERA_ELEVATION);
    c->e[2] = vec_add(vec(0, 0, 0), level * cos(azimuth), p->right);
    c->e[2] = vec_add(c->e[2], level * sin(azimuth), ahead);
    c->e[2] = vec_add(c->e[2], sin(CAMERA_ELEVATION), p->up);
    c->e[0] = vec_unit(vec_cross(p->up, c->e[2]), p->right);
    c->e[1] = vec_cross(c->e[2], c->e[0]);
    c->distance = CAMERA_DISTANCE * p->view;
}

/* All corners of the box into the frame. */
static void fit(camera *c, const picture *p)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 8; i++) {
        const vec3 s = camera_see(c, corner(p, i));
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], s.x[k]);
            high[k] = fmax(high[k], s.x[k]);
        }
    }
    const double wide = high[0] - low[0], tall = high[1] - low[1];
    const double scale = fmin(wide > 0 ? (PAINT_WIDTH - 2 * CAMERA_MARGIN) / wide : INFINITY,
                              tall > 0 ? (PAINT_HEIGHT - 2 * CAMERA_MARGIN) / tall : INFINITY);
    if (!isfinite(scale)) return;
    c->x = PAINT_WIDTH / 2.0 - scale * ((low[0] + high[0]) / 2 - c->x);
    c->y = PAINT_HEIGHT / 2.0 - scale * ((low[1] + high[1]) / 2 - c->y);
    c->scale *= scale;
}

camera camera_make(const picture *p, size_t row)
{
    camera c = {.distance = INFINITY, .x = PAINT_WIDTH / 2.0, .y = PAINT_HEIGHT / 2.0};
    c.centre = p->follow ? picture_focus(p, row)
                         : vec_add(vec_add(vec(0, 0, 0), 0.5, p->low), 0.5, p->high);
    c.scale = (PAINT_HEIGHT - CAMERA_MARGIN) / p->view;
    if (p->flat) {
        c.e[0] = p->right;
        c.e[1] = p->up;
        c.e[2] = vec_cross(p->right, p->up);
    } else {
        aim(&c, p);
    }
    if (!p->follow) fit(&c, p);
    return c;
}

vec3 camera_see(const camera *c, vec3 r)
{
    const vec3 d = vec_add(r, -1, c->centre);
    const double z = vec_dot(d, c->e[2]);
    const double closer = isfinite(c->distance) ? c->distance / (c->distance - z) : 1;
    if (!(closer > 0) || closer > 20) return vec(0, 0, NAN);
    return vec(c->x + c->scale * closer * vec_dot(d, c->e[0]),
               c->y - c->scale * closer * vec_dot(d, c->e[1]), z);
}

double camera_length(const camera *c, vec3 r, double length)
{
    const double z = vec_dot(vec_add(r, -1, c->centre), c->e[2]);
    return c->scale * length * (isfinite(c->distance) ? c->distance / (c->distance - z) : 1);
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

static void add_style(text *t, paint_style s)
{
    text_printf(t, " fill=\"%s\"", s.fill ? s.fill : "none");
    if (s.stroke) {
        text_printf(t, " stroke=\"%s\" stroke-width=\"", s.stroke);
        text_double(t, s.width, 3);
        text_add(t, "\"");
    }
    if (s.opacity < 1) {
        text_add(t, " opacity=\"");
        text_double(t, s.opacity, 2);
        text_add(t, "\"");
    }
    text_add(t, "/>");
}

static void add_piece(painter *w, double depth, double lift, text *t)
{
    const paint_piece piece = {(w->flat ? 0 : depth) + lift, w->pieces.count, text_end(t)};
    LIST_PUSH(w->arena, &w->pieces, piece);
}

/* A tenth of a pixel is enough. */
static void add_pixel(text *t, double x)
{
    text_double(t, round(10 * fmax(-1e5, fmin(x, 1e5))) / 10, 7);
}

void paint_polygon(painter *w, size_t count, const vec3 *r, bool closed, paint_style style,
                   double lift)
{
    text t = text_begin(w->arena);
    double depth = 0;
    size_t drawn = 0;
    bool pen = false;
    text_add(&t, "<path d=\"");
    for (size_t i = 0; i < count; i++) {
        const vec3 s = camera_see(&w->c, r[i]);
        if (!isfinite(s.x[0]) || !isfinite(s.x[1]) || !isfinite(s.x[2])) {
            if (closed) return;
            pen = false; /* a gap */
            continue;
        }
        text_char(&t, pen ? 'L' : 'M');
        add_pixel(&t, s.x[0]);
        text_char(&t, ' ');
        add_pixel(&t, s.x[1]);
        depth += s.x[2];
        drawn++;
        pen = true;
    }
    if (drawn < 2) return;
    text_add(&t, closed ? "Z\" stroke-linejoin=\"round\""
                        : "\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    add_style(&t, style);
    add_piece(w, depth / (double) drawn, lift, &t);
}

void paint_dot(painter *w, vec3 r, double pixels, paint_style style, double lift)
{
    const vec3 s = camera_see(&w->c, r);
    if (!isfinite(s.x[0]) || !isfinite(s.x[1]) || !isfinite(s.x[2])) return;
    text t = text_begin(w->arena);
    text_add(&t, "<circle cx=\"");
    add_pixel(&t, s.x[0]);
    text_add(&t, "\" cy=\"");
    add_pixel(&t, s.x[1]);
    text_add(&t, "\" r=\"");
    add_pixel(&t, pixels);
    text_add(&t, "\"");
    add_style(&t, style);
    add_piece(w, s.x[2], lift, &t);
}

void paint_text(painter *w, vec3 r, double dx, double dy, const char *s)
{
    const vec3 at = camera_see(&w->c, r);
    if (!isfinite(at.x[0]) || !isfinite(at.x[1]) || !isfinite(at.x[2])) return;
    text t = text_begin(w->arena);
    text_add(&t, "<text x=\"");
    add_pixel(&t, at.x[0] + dx);
    text_add(&t, "\" y=\"");
    add_pixel(&t, at.x[1] + dy);
    text_add(&t, "\" fill=\"currentColor\" font-size=\"15\">");
    svg_escape(&t, s);
    text_add(&t, "</text>");
    add_piece(w, 0, INFINITY, &t);
}

static int compare(const void *a, const void *b)
{
    const paint_piece *x = a, *y = b;
    if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

void paint_end(painter *w, text *out)
{
    if (w->pieces.count) qsort(w->pieces.at, w->pieces.count, sizeof *w->pieces.at, compare);
    for (size_t i = 0; i < w->pieces.count; i++) {
        text_add(out, w->pieces.at[i].svg);
        text_char(out, '\n');
    }
}
