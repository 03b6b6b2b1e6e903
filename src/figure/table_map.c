/* figure/table_map.c - tables as pictures: a plane of places coloured by a value, points, a histogram.
 *
 * The colours of a plane are a small image inside the SVG, a pixel a cell, drawn large without smoothing: a hundred thousand
 * cells as shapes would be ten megabytes. */
#include "svg.h"

#include "../model/model.h"

#include <anholo/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 460, LEFT = 78, RIGHT = 110, TOP = 44, BOTTOM = 62 };
enum { GRID_MOST = 2000, BINS = 160, BARS = 60, COLOURS = 255 };

typedef struct mapping {
    const ah_map *map;
    arena *a; /* of what is needed on the way */
    text t;
    svg_axis x, y;
    const char *svg;
} mapping;

/* ---- Axes ------------------------------------------------------------------------------------ */

static svg_range range_of(const double *v, size_t count)
{
    svg_range r = {0};
    for (size_t i = 0; i < count; i++)
        if (svg_visible(v[i])) svg_range_add(&r, v[i], false);
    return r;
}

static void make_axis(mapping *w, svg_axis *axis, svg_range r, double from, double to, bool across)
{
    svg_axis_init(axis, &r, &(plot_axis){0}, 0);
    axis->from = from;
    axis->to = to;
    svg_axis_ticks(axis, w->a, across);
}

static void words_at(mapping *w, double x, double y, const char *anchor, const char *more,
                     const char *words)
{
    text_printf(&w->t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
    svg_escape(&w->t, words);
    text_add(&w->t, "</text>\n");
}

static void draw_axes(mapping *w, const char *x_name, const char *y_name)
{
    const double right = WIDTH - RIGHT, bottom = HEIGHT - BOTTOM;
    text_printf(
        &w->t,
        "<rect x=\"%d\" y=\"%d\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#555\"/>\n",
        LEFT, TOP, right - LEFT, bottom - TOP);
    for (size_t i = 0; i < w->x.tick.count; i++) {
        const svg_tick *k = &w->x.tick.at[i];
        if (!k->label) continue;
        text_printf(&w->t, "<path d=\"M%.1f %gv5\" stroke=\"#555\"/>", k->place, bottom);
        words_at(w, k->place, bottom + 19, "middle", "", k->label);
    }
    for (size_t i = 0; i < w->y.tick.count; i++) {
        const svg_tick *k = &w->y.tick.at[i];
        if (!k->label) continue;
        text_printf(&w->t, "<path d=\"M%d %.1fh-5\" stroke=\"#555\"/>", LEFT, k->place);
        words_at(w, LEFT - 8, k->place + 4, "end", "", k->label);
    }
    const char *x_factor = w->x.factor ? w->x.factor : "",
               *y_factor = w->y.factor ? w->y.factor : "";
    words_at(w, (LEFT + right) / 2, HEIGHT - 16, "middle", " font-size=\"14\"",
             arena_printf(w->a, "%s %s", x_name, x_factor));
    words_at(
        w, 18, (TOP + bottom) / 2, "middle",
        arena_printf(w->a, " font-size=\"14\" transform=\"rotate(-90 18 %g)\"", (TOP + bottom) / 2),
        arena_printf(w->a, "%s %s", y_name, y_factor));
}

/* ---- Colours and the image ------------------------------------------------------------------- */

/* From dark blue over green to yellow: lightness grows all the way, so that it is right in print and for the colour-blind. */
static void colour_of(double part, unsigned char rgb[3])
{
    static const double at[][3] = {{68, 1, 84},    {65, 68, 135},  {42, 120, 142},
                                   {34, 168, 132}, {122, 209, 81}, {253, 231, 37}};
    enum { LAST = sizeof at / sizeof *at - 1 };
    const double place = part * LAST;
    const int i = place >= LAST ? LAST - 1 : (int) place;
    for (int k = 0; k < 3; k++)
        rgb[k] = (unsigned char) lround(at[i][k] + (place - i) * (at[i + 1][k] - at[i][k]));
}

typedef struct bytes {
    unsigned char *at;
    size_t count;
} bytes;

static void put(bytes *b, unsigned char x)
{
    b->at[b->count++] = x;
}

static void put32(bytes *b, uint32_t x)
{
    for (int shift = 24; shift >= 0; shift -= 8) put(b, (unsigned char) (x >> shift));
}

/* A chunk of PNG from `from` on, whose length comes first: its sum is the CRC of ISO 3309. */
static void end_chunk(bytes *b, size_t from)
{
    uint32_t crc = 0xffffffffu;
    const uint32_t length = (uint32_t) (b->count - from - 8);
    for (int i = 0; i < 4; i++) b->at[from + (size_t) i] = (unsigned char) (length >> (24 - 8 * i));
    for (size_t i = from + 4; i < b->count; i++) {
        crc ^= b->at[i];
        for (int k = 0; k < 8; k++) crc = crc & 1 ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
    }
    put32(b, ~crc);
}

static size_t begin_chunk(bytes *b, const char *name)
{
    const size_t from = b->count;
    put32(b, 0);
    for (int i = 0; i < 4; i++) put(b, (unsigned char) name[i]);
    return from;
}

/* Rows of colours, one byte each, as zlib has what is not compressed. */
static void put_rows(bytes *b, const unsigned char *cell, size_t width, size_t height)
{
    uint32_t s1 = 1, s2 = 0;
    put(b, 0x78), put(b, 0x01);
    for (size_t y = 0; y < height; y++) { /* a block a row */
        const uint16_t length = (uint16_t) (width + 1), not = (uint16_t) ~length;
        put(b, y + 1 == height);
        put(b, (unsigned char) length), put(b, (unsigned char) (length >> 8));
        put(b, (unsigned char) not ), put(b, (unsigned char) (not >> 8));
        for (size_t x = 0; x <= width; x++) {
            const unsigned char value = x ? cell[y * width + x - 1] : 0;
            put(b, value);
            s1 = (s1 + value) % 65521;
            s2 = (s2 + s1) % 65521;
        }
    }
    put32(b, s2 << 16 | s1);
}

static bytes image_of(arena *a, const unsigned char *cell, size_t width, size_t height)
{
    static const unsigned char head[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    bytes b = {arena_alloc(a, (width + 6) * height + 4000), 0};
    for (size_t i = 0; i < sizeof head; i++) put(&b, head[i]);
    size_t from = begin_chunk(&b, "IHDR");
    put32(&b, (uint32_t) width), put32(&b, (uint32_t) height);
    put(&b, 8), put(&b, 3), put(&b, 0), put(&b, 0), put(&b, 0);
    end_chunk(&b, from);
    from = begin_chunk(&b, "PLTE"); /* the last is for what has no value */
    for (int i = 0; i < COLOURS; i++) {
        unsigned char rgb[3];
        colour_of(i / (double) (COLOURS - 1), rgb);
        for (int k = 0; k < 3; k++) put(&b, rgb[k]);
    }
    for (int k = 0; k < 3; k++) put(&b, 0xe4);
    end_chunk(&b, from);
    from = begin_chunk(&b, "IDAT");
    put_rows(&b, cell, width, height);
    end_chunk(&b, from);
    from = begin_chunk(&b, "IEND");
    end_chunk(&b, from);
    return b;
}

static void draw_image(mapping *w, const bytes *b, double x, double y, double width, double height)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    text_printf(&w->t,
                "<image x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" preserveAspectRatio=\"none\" "
                "style=\"image-rendering:pixelated\" href=\"data:image/png;base64,",
                x, y, width, height);
    for (size_t i = 0; i < b->count; i += 3) {
        const size_t left = b->count - i;
        const uint32_t v = (uint32_t) b->at[i] << 16 |
                           (left > 1 ? (uint32_t) b->at[i + 1] << 8 : 0) |
                           (left > 2 ? b->at[i + 2] : 0);
        text_char(&w->t, digit[v >> 18]);
        text_char(&w->t, digit[v >> 12 & 63]);
        text_char(&w->t, left > 1 ? digit[v >> 6 & 63] : '=');
        text_char(&w->t, left > 2 ? digit[v & 63] : '=');
    }
    text_add(&w->t, "\"/>\n");
}

/* ---- A plane --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

/* The different values, ascending; where there are too many for a grid, ends and middles of bins. */
static double *places_of(arena *a, const double *v, size_t count, size_t *places)
{
    double *sorted = NEW_ARRAY(a, double, count + BINS);
    size_t n = 0, different = 0;
    for (size_t i = 0; i < count; i++)
        if (svg_visible(v[i])) sorted[n++] = v[i];
    qsort(sorted, n, sizeof *sorted, compare);
    if (!n) return *places = 0, sorted;
    const double low = sorted[0], high = sorted[n - 1];
    for (size_t i = 0; i < n; i++)
        if (!different || sorted[i] != sorted[different - 1]) sorted[different++] = sorted[i];
    *places = different;
    if (different <= GRID_MOST && different * different <= 4 * n + 4 * GRID_MOST) return sorted;
    *places = BINS;
    for (int i = 0; i < BINS; i++) sorted[i] = low + (high - low) * i / (BINS - 1);
    return sorted;
}

static size_t nearest(const double *place, size_t count, double x)
{
    size_t low = 0, high = count - 1;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (place[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return fabs(x - place[high]) < fabs(x - place[low]) ? high : low;
}

/* Half a cell beyond the first and the last. */
static svg_range around(const double *place, size_t count)
{
    svg_range r = {0};
    const double first = count > 1 ? (place[1] - place[0]) / 2 : 0.5;
    const double last = count > 1 ? (place[count - 1] - place[count - 2]) / 2 : 0.5;
    svg_range_add(&r, place[0] - first, false);
    svg_range_add(&r, place[count - 1] + last, false);
    return r;
}

static void draw_scale(mapping *w, double low, double high)
{
    enum { STEPS = 64 };
    const double x = WIDTH - RIGHT + 18, height = HEIGHT - BOTTOM - TOP;
    unsigned char cell[STEPS];
    svg_axis axis;
    svg_range r = {0};
    for (int i = 0; i < STEPS; i++)
        cell[i] = (unsigned char) ((COLOURS - 1) * (STEPS - 1 - i) / (STEPS - 1));
    const bytes b = image_of(w->a, cell, 1, STEPS);
    draw_image(w, &b, x, TOP, 16, height);
    svg_range_add(&r, low, false);
    svg_range_add(&r, high, false);
    make_axis(w, &axis, r, TOP + height, TOP, false);
    for (size_t i = 0; i < axis.tick.count; i++)
        if (axis.tick.at[i].label)
            words_at(w, x + 21, axis.tick.at[i].place + 4, "start", "", axis.tick.at[i].label);
    words_at(w, x, TOP - 10, "start", "",
             arena_printf(w->a, "%s %s", w->map->names[2], axis.factor ? axis.factor : ""));
}

static void draw_plane(mapping *w)
{
    const ah_map *m = w->map;
    size_t columns, rows;
    const double *x = places_of(w->a, m->x, m->rows, &columns);
    const double *y = places_of(w->a, m->y, m->rows, &rows);
    if (!columns || !rows) return;
    double *sum = NEW_ARRAY(w->a, double, columns *rows), low = INFINITY, high = -INFINITY;
    uint32_t *hits = NEW_ARRAY(w->a, uint32_t, columns * rows);
    unsigned char *cell = arena_alloc(w->a, columns * rows);
    for (size_t i = 0; i < m->rows; i++) {
        if (!svg_visible(m->x[i]) || !svg_visible(m->y[i]) || !svg_visible(m->z[i])) continue;
        const size_t k = nearest(y, rows, m->y[i]) * columns + nearest(x, columns, m->x[i]);
        sum[k] += m->z[i];
        hits[k]++;
    }
    for (size_t k = 0; k < columns * rows; k++) {
        if (!hits[k]) continue;
        sum[k] /= hits[k];
        low = fmin(low, sum[k]), high = fmax(high, sum[k]);
    }
    for (size_t k = 0; k < columns * rows; k++) { /* images begin above */
        const size_t from = (rows - 1 - k / columns) * columns + k % columns;
        const double part = high > low ? (sum[from] - low) / (high - low) : 0.5;
        cell[k] = hits[from] ? (unsigned char) lround(part * (COLOURS - 1)) : COLOURS;
    }
    const bytes b = image_of(w->a, cell, columns, rows);
    make_axis(w, &w->x, around(x, columns), LEFT, WIDTH - RIGHT, true);
    make_axis(w, &w->y, around(y, rows), HEIGHT - BOTTOM, TOP, false);
    const double x0 = svg_place(&w->x, around(x, columns).low),
                 x1 = svg_place(&w->x, around(x, columns).high);
    const double y0 = svg_place(&w->y, around(y, rows).low),
                 y1 = svg_place(&w->y, around(y, rows).high);
    draw_image(w, &b, x0, y1, x1 - x0, y0 - y1);
    draw_axes(w, m->names[0], m->names[1]);
    if (high >= low) draw_scale(w, low, high);
}

/* ---- Points, and how often ------------------------------------------------------------------- */

/* Many points lie on each other. They are drawn to the tenth of a pixel, of a great many to the half, and each place once: in one path
 * it looks the same. */
enum { POINTS_FINE = 10, POINTS_COARSE = 2, POINTS_MANY = 100000 };

static void draw_points(mapping *w)
{
    const ah_map *m = w->map;
    const int parts = m->rows > POINTS_MANY ? POINTS_COARSE : POINTS_FINE;
    const size_t across = (size_t) (WIDTH * parts), down = (size_t) (HEIGHT * parts);
    unsigned char *drawn = arena_alloc(w->a, across * down / 8 + 1);
    memset(drawn, 0, across * down / 8 + 1);
    make_axis(w, &w->x, range_of(m->x, m->rows), LEFT, WIDTH - RIGHT, true);
    make_axis(w, &w->y, range_of(m->y, m->rows), HEIGHT - BOTTOM, TOP, false);
    text_add(&w->t, "<path stroke=\"#21688c\" stroke-width=\"2.2\" stroke-linecap=\"round\" "
                    "stroke-opacity=\".6\" d=\"");
    for (size_t i = 0; i < m->rows; i++) {
        const double x = svg_place(&w->x, m->x[i]), y = svg_place(&w->y, m->y[i]);
        if (!isfinite(x) || !isfinite(y)) continue;
        const double column = round(x * parts), row = round(y * parts);
        if (!(column >= 0 && column < across && row >= 0 && row < down)) continue;
        const size_t k = (size_t) row * across + (size_t) column;
        if (drawn[k / 8] >> k % 8 & 1) continue;
        drawn[k / 8] |= (unsigned char) (1u << k % 8);
        text_printf(&w->t, "M%.1f %.1fh0", column / parts, row / parts);
    }
    text_add(&w->t, "\"/>\n");
    draw_axes(w, m->names[0], m->names[1]);
}

static void draw_histogram(mapping *w)
{
    const ah_map *m = w->map;
    const svg_range r = range_of(m->x, m->rows);
    size_t count[BARS] = {0}, most = 1;
    const double apart = (r.high - r.low) / BARS, width = apart > 0 ? apart : 1; /* 0 of 5e-324 */
    for (size_t i = 0; i < m->rows; i++) {
        if (!svg_visible(m->x[i])) continue;
        const double place = (m->x[i] - r.low) / width;
        const size_t k = place >= BARS ? BARS - 1 : (size_t) place;
        if (++count[k] > most) most = count[k];
    }
    svg_range rows = {0};
    svg_range_add(&rows, 0, false);
    svg_range_add(&rows, (double) most, false);
    make_axis(w, &w->x, r, LEFT, WIDTH - RIGHT, true);
    make_axis(w, &w->y, rows, HEIGHT - BOTTOM, TOP, false);
    for (size_t k = 0; r.any && k < BARS; k++) {
        const double x0 = svg_place(&w->x, r.low + (double) k * width),
                     x1 = svg_place(&w->x, r.low + (double) (k + 1) * width);
        const double y = svg_place(&w->y, (double) count[k]), bottom = svg_place(&w->y, 0);
        if (count[k])
            text_printf(
                &w->t,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#2a788e\"/>\n",
                x0, y, fmax(x1 - x0 - 0.5, 0.5), bottom - y);
    }
    draw_axes(w, m->names[0], "runs");
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void draw(ah_ctx *ctx, void *arg)
{
    mapping *w = arg;
    const ah_map *m = w->map;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    w->a = &ctx->scratch;
    w->t = text_begin(&ctx->job); /* all that stays */
    text_printf(&w->t,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                "height=\"%d\" "
                "font-family=\"sans-serif\" font-size=\"12\">\n"
                "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
                WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    if (m->title) words_at(w, LEFT, 24, "start", " font-size=\"15\"", m->title);
    if (m->z)
        draw_plane(w);
    else if (m->y)
        draw_points(w);
    else
        draw_histogram(w);
    text_add(&w->t, "</svg>\n");
    w->svg = text_end(&w->t);
    arena_release(&ctx->scratch, mark);
}

ah_status ah_map_draw(ah_ctx *ctx, const ah_map *map, const char **svg)
{
    mapping w = {.map = map};
    if (svg) *svg = NULL;
    if (!ctx || !map || !svg || !map->x || (map->z && !map->y)) return AH_E_INPUT;
    const ah_status status = ctx_guard(ctx, draw, &w);
    if (status == AH_OK) *svg = w.svg;
    return status;
}
