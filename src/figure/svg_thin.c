/* figure/svg_thin.c - curves reduced to what can be seen. */
#include "svg.h"

#include <math.h>
#include <string.h>

static void add(arena *a, svg_points *list, svg_point p)
{
    LIST_PUSH(a, list, p);
}

static void lift(arena *a, svg_points *list)
{
    if (list->count) add(a, list, (svg_point){NAN, NAN});
}

/* The end of the run that begins at i: behind it the pen is lifted. */
static size_t run_end(const svg_points *p, size_t i)
{
    while (i < p->count && !isnan(p->at[i].x)) i++;
    return i;
}

/* ---- By columns of pixels -------------------------------------------------------------------- */

/* x goes one way: to the right (1) or to the left (-1). */
static bool goes(int way, const svg_point *p, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (way * (p[i].x - p[i - 1].x) < 0) return false;
    return true;
}

static void push_in_order(arena *a, svg_points *out, const svg_point *p, size_t *index, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && index[k] < index[k - 1]; k--) {
            const size_t swap = index[k];
            index[k] = index[k - 1];
            index[k - 1] = swap;
        }
    for (size_t i = 0; i < n; i++)
        if (i == 0 || index[i] != index[i - 1]) add(a, out, p[index[i]]);
}

static void columns_of_run(arena *a, svg_points *out, const svg_point *p, size_t n)
{
    for (size_t i = 0; i < n;) {
        const double column = floor(p[i].x);
        size_t keep[4] = {i, i, i, i}; /* first, lowest, highest, last */
        for (; i < n && floor(p[i].x) == column; i++) {
            if (p[i].y < p[keep[1]].y) keep[1] = i;
            if (p[i].y > p[keep[2]].y) keep[2] = i;
            keep[3] = i;
        }
        push_in_order(a, out, p, keep, 4);
    }
}

svg_points svg_thin_columns(arena *a, svg_points p)
{
    svg_points out = {0};
    for (size_t i = 0, end; i < p.count; i = end + 1) {
        end = run_end(&p, i);
        if (end == i) continue;
        lift(a, &out);
        columns_of_run(a, &out, p.at + i, end - i);
    }
    return out;
}

/* ---- By a cone ------------------------------------------------------------------------------- */

/* Directions from the anchor in which every point met so far is passed at most SVG_THIN away. */
typedef struct cone {
    svg_point anchor;
    double axis, low, high; /* angles; low and high relative to the axis */
    double far;             /* the farthest point so far */
    bool open;              /* every direction will do */
} cone;

static cone cone_at(svg_point anchor)
{
    return (cone){.anchor = anchor, .open = true};
}

/* Takes the next point in; false: the polyline needs a corner before it. Points that turn back are
 * not on the segment to the last one, however well directed. */
static bool cone_take(cone *c, svg_point p)
{
    const double dx = p.x - c->anchor.x, dy = p.y - c->anchor.y, r = hypot(dx, dy);
    if (r < c->far - SVG_THIN / 2) return false;
    c->far = fmax(c->far, r);
    if (r <= SVG_THIN) return true;
    const double half = asin(SVG_THIN / r);
    double angle = 0;
    if (c->open)
        c->axis = atan2(dy, dx);
    else
        angle = remainder(atan2(dy, dx) - c->axis, 2 * 3.14159265358979323846);
    if (!c->open && (angle < c->low || angle > c->high)) return false;
    c->low = c->open ? -half : fmax(c->low, angle - half);
    c->high = c->open ? half : fmin(c->high, angle + half);
    c->open = false;
    return true;
}

static void cone_of_run(arena *a, svg_points *out, const svg_point *p, size_t n)
{
    cone c = cone_at(p[0]);
    add(a, out, p[0]);
    for (size_t i = 1; i < n; i++) {
        if (cone_take(&c, p[i])) continue;
        add(a, out, p[i - 1]);
        c = cone_at(p[i - 1]);
        cone_take(&c, p[i]);
    }
    if (n > 1) add(a, out, p[n - 1]);
}

svg_points svg_thin_cone(arena *a, svg_points p)
{
    svg_points out = {0};
    for (size_t i = 0, end; i < p.count; i = end + 1) {
        end = run_end(&p, i);
        if (end == i) continue;
        lift(a, &out);
        cone_of_run(a, &out, p.at + i, end - i);
    }
    return out;
}

/* ---- By ink ---------------------------------------------------------------------------------- */

typedef struct ink {
    double left, top, cell;
    size_t columns, rows;
    bool *wet;
} ink;

static ink ink_create(arena *a, const svg_points *p, double cell)
{
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (size_t i = 0; i < p->count; i++) {
        if (isnan(p->at[i].x)) continue;
        left = fmin(left, p->at[i].x);
        right = fmax(right, p->at[i].x);
        top = fmin(top, p->at[i].y);
        bottom = fmax(bottom, p->at[i].y);
    }
    ink w = {.left = floor(left), .top = floor(top), .cell = cell}; /* short numbers */
    w.columns = (size_t) ((right - w.left) / cell) + 1;
    w.rows = (size_t) ((bottom - w.top) / cell) + 1;
    w.wet = NEW_ARRAY(a, bool, w.columns *w.rows);
    return w;
}

/* Wets the cells of a segment; true: some were dry. */
static bool ink_draw(ink *w, svg_point p, svg_point q)
{
    const size_t steps = (size_t) (2 * hypot(q.x - p.x, q.y - p.y) / w->cell) + 1;
    bool fresh = false;
    for (size_t i = 0; i <= steps; i++) {
        const double s = (double) i / (double) steps;
        const size_t x = (size_t) ((p.x + s * (q.x - p.x) - w->left) / w->cell);
        const size_t y = (size_t) ((p.y + s * (q.y - p.y) - w->top) / w->cell);
        bool *cell = &w->wet[(y < w->rows ? y : w->rows - 1) * w->columns +
                             (x < w->columns ? x : w->columns - 1)];
        fresh = fresh || !*cell;
        *cell = true;
    }
    return fresh;
}

/* The points where x or y is least or greatest. */
typedef struct extremes {
    size_t at[4];
} extremes;

static extremes find_extremes(const svg_points *p)
{
    extremes e = {{SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX}};
    for (size_t i = 0; i < p->count; i++) {
        const svg_point q = p->at[i];
        if (isnan(q.x)) continue;
        if (e.at[0] == SIZE_MAX || q.x < p->at[e.at[0]].x) e.at[0] = i;
        if (e.at[1] == SIZE_MAX || q.x > p->at[e.at[1]].x) e.at[1] = i;
        if (e.at[2] == SIZE_MAX || q.y < p->at[e.at[2]].y) e.at[2] = i;
        if (e.at[3] == SIZE_MAX || q.y > p->at[e.at[3]].y) e.at[3] = i;
    }
    return e;
}

static bool is_extreme(const extremes *e, size_t i)
{
    return i == e->at[0] || i == e->at[1] || i == e->at[2] || i == e->at[3];
}

static svg_points ink_once(arena *a, const svg_points *p, double cell)
{
    svg_points out = {0};
    const extremes e = find_extremes(p);
    ink w = ink_create(a, p, cell);
    bool down = false; /* the pen is at the last point */
    for (size_t i = 0; i < p->count; i++) {
        const svg_point q = p->at[i];
        const bool first = i == 0 || isnan(p->at[i - 1].x);
        if (isnan(q.x)) {
            down = false;
            continue;
        }
        const bool alone = first && (i + 1 == p->count || isnan(p->at[i + 1].x));
        if (first && !alone) continue;
        const bool fresh = ink_draw(&w, first ? q : p->at[i - 1], q);
        if (!fresh && !is_extreme(&e, i) && (first || !is_extreme(&e, i - 1))) {
            down = false;
            continue;
        }
        if (!down) lift(a, &out);
        if (!down && !first) add(a, &out, p->at[i - 1]);
        add(a, &out, q);
        down = true;
    }
    return out;
}

/* All cells that the curve wets, row by row: what is left of a curve that fills its plane. */
static svg_points ink_rows(arena *a, const svg_points *p, double cell)
{
    svg_points out = {0};
    ink w = ink_create(a, p, cell);
    for (size_t i = 1; i < p->count; i++)
        if (!isnan(p->at[i].x) && !isnan(p->at[i - 1].x)) ink_draw(&w, p->at[i - 1], p->at[i]);
    for (size_t row = 0; row < w.rows; row++) {
        const bool *wet = w.wet + row * w.columns;
        const double y = w.top + cell * ((double) row + 0.5);
        for (size_t i = 0, end; i < w.columns; i = end + 1) {
            for (end = i; end < w.columns && wet[end];) end++;
            if (end == i) continue;
            lift(a, &out);
            add(a, &out, (svg_point){w.left + cell * (double) i, y});
            add(a, &out, (svg_point){w.left + cell * (double) end, y});
        }
    }
    return out;
}

/* A run of cells is three entries here and as long in the file as one point of a polyline. */
svg_points svg_thin_ink(ah_ctx *ctx, arena *a, svg_points p, size_t most)
{
    if (p.count <= most) return p;
    svg_points out = ink_once(a, &p, 1);
    for (double cell = 1; out.count > (cell > 1 ? 3 : 1) * most && cell < 64; cell += 0.5) {
        ctx_tick(ctx);
        out = ink_rows(a, &p, cell);
    }
    return out;
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Many points a pixel, and x never turns back. */
static bool by_columns(const svg_points *p)
{
    enum { FEW = 4 };
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0, end; i < p->count; i = end + 1) {
        end = run_end(p, i);
        if (end == i) continue;
        if (!goes(1, p->at + i, end - i) && !goes(-1, p->at + i, end - i)) return false;
        low = fmin(low, fmin(p->at[i].x, p->at[end - 1].x));
        high = fmax(high, fmax(p->at[i].x, p->at[end - 1].x));
    }
    return (double) p->count > FEW * (high - low + 1);
}

svg_points svg_thin(ah_ctx *ctx, arena *a, svg_points p, size_t most)
{
    if (by_columns(&p)) p = svg_thin_columns(a, p);
    return svg_thin_ink(ctx, a, svg_thin_cone(a, p), most);
}

/* ---- As a path ------------------------------------------------------------------------------- */

/* Hundredths of a pixel as short as they can be: "-.5", "12". */
static void hundredths(text *out, long n, bool first)
{
    const long size = n < 0 ? -n : n;
    if (n < 0)
        text_char(out, '-');
    else if (!first)
        text_char(out, ' ');
    if (size >= 100 || size == 0) text_printf(out, "%ld", size / 100);
    if (size % 100 == 0) return;
    text_printf(out, size % 10 ? ".%02ld" : ".%ld", size % 10 ? size % 100 : size % 100 / 10);
}

typedef struct pen {
    text *out;
    long x, y, unit; /* hundredths */
    char command;    /* the last one */
} pen;

/* m to move, h for level lines, l for others, each as long as it need not be said again. */
static void pen_go(pen *p, svg_point to, bool draw)
{
    const long x = lround(to.x * 100 / (double) p->unit) * p->unit;
    const long y = lround(to.y * 100 / (double) p->unit) * p->unit;
    const char command = !p->command ? 'M' : !draw ? 'm' : y == p->y ? 'h' : 'l';
    const bool again = command == p->command && command == 'l';
    if (!again) text_char(p->out, command);
    hundredths(p->out, x - p->x, !again);
    if (command != 'h') hundredths(p->out, y - p->y, false);
    p->command = command;
    p->x = x;
    p->y = y;
}

/* Long paths get tenths only: rounding errors do not add up, as differences are of rounded
 * numbers. */
void svg_path(text *out, svg_points p)
{
    enum { MANY = 4000 };
    pen w = {.out = out, .unit = p.count > MANY ? 10 : 1};
    for (size_t i = 0; i < p.count; i++) {
        if (isnan(p.at[i].x)) continue;
        const bool begins = i == 0 || isnan(p.at[i - 1].x);
        const bool alone = begins && (i + 1 == p.count || isnan(p.at[i + 1].x));
        pen_go(&w, p.at[i], !begins);
        if (!alone) continue;
        text_add(out, "h0"); /* a dot: the line ends are round */
        w.command = 'h';
    }
}
