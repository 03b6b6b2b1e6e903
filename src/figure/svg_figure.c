/* figure/svg_figure.c - panels laid out and drawn. */
#include "svg.h"

#include <math.h>
#include <string.h>

enum {
    CELL_WIDTH = 460, /* of a panel, when the figure's size is chosen here */
    CELL_HEIGHT = 320,
    ALONE_WIDTH = 640, /* of the only one */
    ALONE_HEIGHT = 420,
    COLOURS = 7,
    DASHES = 6,
    LEAST_FRAME = 24,  /* there is one, however little room the words leave */
    LINE = 18,         /* of a legend */
    SAMPLE = 24,       /* its piece of the curve */
    POINTS = 20000,    /* of all curves together */
    MOST_UNEQUAL = 10, /* ranges beyond this ratio are not brought to one scale */
};

typedef struct box {
    double left, top, right, bottom;
} box;

/* A panel while it is being drawn. */
typedef struct drawing {
    ah_ctx *ctx;
    arena *arena;
    text *out;
    const plot_figure *figure;
    const plot_panel *panel;
    box cell, frame;
    svg_axis x, y;
    bool any;           /* there is something to draw */
    bool negative;      /* absolute values are drawn of what is negative, too */
    bool functions;     /* every curve goes from left to right */
    svg_points *points; /* one list a curve */
    svg_point *start;   /* where each begins */
    box legend;
    bool legend_above;
    double above; /* what the legend above the frame takes */
} drawing;

/* ---- Style ----------------------------------------------------------------------------------- */

/* Colours of Okabe and Ito (jfly.uni-koeln.de/color), told apart with any colour vision; on dark
 * paper the dark ones are lightened. Plain rules first, for readers that know no media queries. */
static const char css[] =
    ".ah-plot{font-family:\"STIX Two Text\",\"Libertinus Serif\",Cambria,\"Liberation "
    "Serif\",\"Times New Roman\",\"DejaVu Serif\",serif;font-variant-numeric:lining-nums}"
    ".ah-plot text{fill:#1c1c1c}"
    ".ah-plot .paper{fill:#fff}.ah-plot .key{fill:#fff;fill-opacity:.86}"
    ".ah-plot .frame,.ah-plot .tick{fill:none;stroke:#555;stroke-width:.8}"
    ".ah-plot .zero{fill:none;stroke:#bbb;stroke-width:.7;stroke-dasharray:1 3}"
    ".ah-plot .curve{fill:none;stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round}"
    ".ah-plot .start{fill:#fff;stroke-width:1.3}"
    ".ah-plot .c0{stroke:#0072b2}.ah-plot .c1{stroke:#d55e00}.ah-plot .c2{stroke:#009e73}"
    ".ah-plot .c3{stroke:#cc79a7}.ah-plot .c4{stroke:#e69f00}.ah-plot .c5{stroke:#56b4e9}"
    ".ah-plot .c6{stroke:#222}"
    ".ah-plot .d1{stroke-dasharray:7 4}.ah-plot .d2{stroke-dasharray:2 4}"
    ".ah-plot .d3{stroke-dasharray:8 4 2 4}.ah-plot .d4{stroke-dasharray:14 4}"
    ".ah-plot .d5{stroke-dasharray:8 3 2 3 2 3}"
    "@media screen and (prefers-color-scheme:dark){.ah-plot text{fill:#e8e6e3}"
    ".ah-plot .paper,.ah-plot .start{fill:#16181c}.ah-plot .key{fill:#16181c}"
    ".ah-plot .frame,.ah-plot .tick{stroke:#9a9a9a}.ah-plot .zero{stroke:#5a5a5a}"
    ".ah-plot .c0{stroke:#5aaee6}.ah-plot .c1{stroke:#ff8a3c}.ah-plot .c2{stroke:#2fc79a}"
    ".ah-plot .c3{stroke:#e39cc4}.ah-plot .c4{stroke:#f2b93b}.ah-plot .c5{stroke:#9fd8ff}"
    ".ah-plot .c6{stroke:#eee}}";

void plot_css(text *out)
{
    text_add(out, css);
}

/* ---- Small things ---------------------------------------------------------------------------- */

static void attribute(text *out, const char *name, double value)
{
    text_printf(out, " %s=\"", name);
    svg_number(out, value);
    text_char(out, '"');
}

typedef struct place {
    double x, y, size;
    const char *anchor; /* NULL: start */
    bool upright;       /* turned by a quarter when false */
} place;

static void open_text(text *out, const place *w)
{
    text_add(out, "<text");
    if (w->upright) {
        attribute(out, "x", w->x);
        attribute(out, "y", w->y);
    } else {
        text_add(out, " transform=\"translate(");
        svg_number(out, w->x);
        text_char(out, ' ');
        svg_number(out, w->y);
        text_add(out, ")rotate(-90)\"");
    }
    attribute(out, "font-size", w->size);
    if (w->anchor) text_printf(out, " text-anchor=\"%s\"", w->anchor);
    text_char(out, '>');
}

static void put_words(drawing *d, svg_words words, place w)
{
    if (!words.label && !words.unit) return;
    open_text(d->out, &w);
    svg_label(d->out, d->arena, words, w.size);
    text_add(d->out, "</text>\n");
}

static double x_at(const plot_curve *c, size_t i)
{
    return c->x[i * (c->x_stride ? c->x_stride : 1)];
}

static double y_at(const plot_curve *c, size_t i)
{
    return c->y[i * (c->y_stride ? c->y_stride : 1)];
}

static void put_label(drawing *d, const char *label, place w)
{
    put_words(d, (svg_words){.label = label}, w);
}

static bool has_words(const plot_axis *a)
{
    return (a->label && *a->label) || (a->unit && *a->unit);
}

/* ---- Ranges and places ----------------------------------------------------------------------- */

/* x grows all the time, or falls all the time. */
static bool is_function(const plot_curve *c)
{
    double before = NAN;
    bool up = true, down = true;
    for (size_t i = 0; i < c->count && (up || down); i++) {
        const double x = x_at(c, i);
        if (x < before) up = false;
        if (x > before) down = false;
        if (!isnan(x)) before = x;
    }
    return up || down;
}

static void find_ends(drawing *d)
{
    const plot_panel *p = d->panel;
    svg_range x = {0}, y = {0};
    d->functions = !p->equal; /* a path in a plane may happen to go from left to right */
    for (size_t k = 0; k < p->curves; k++) {
        const plot_curve *c = &p->curve[k];
        ctx_tick_now(d->ctx); /* tables may be long */
        d->functions = d->functions && is_function(c);
        for (size_t i = 0; i < c->count; i++) {
            const double vx = x_at(c, i), vy = y_at(c, i);
            if (!svg_visible(vx) || !svg_visible(vy)) continue;
            svg_range_add(&x, vx, p->x.log);
            svg_range_add(&y, vy, p->y.log);
        }
    }
    d->any = x.any || y.any || y.zeros;
    d->negative = p->y.log && y.negative;
    svg_axis_init(&d->x, &x, &p->x, d->functions ? 0 : 0.05);
    svg_axis_init(&d->y, &y, &p->y, 0.06);
}

static void widen(svg_axis *a, double range)
{
    const double middle = a->low / 2 + a->high / 2;
    a->low = middle - range / 2;
    a->high = middle + range / 2;
}

/* One unit of x as long as one of y: the range that is too short for its side grows. */
static void equalise(drawing *d)
{
    const double width = d->frame.right - d->frame.left, height = d->frame.bottom - d->frame.top;
    const double rx = d->x.high - d->x.low, ry = d->y.high - d->y.low;
    if (!d->panel->equal || d->x.log || d->y.log || rx > MOST_UNEQUAL * ry ||
        ry > MOST_UNEQUAL * rx)
        return;
    const double unit = fmax(rx / width, ry / height);
    widen(&d->x, unit * width);
    widen(&d->y, unit * height);
}

/* The frame inside the cell, as the labels leave it. */
static void find_frame(drawing *d, double left)
{
    const bool label_y = has_words(&d->panel->y);
    const bool label_x = has_words(&d->panel->x);
    const bool strip = d->y.factor || d->panel->title;
    d->frame.left = d->cell.left + fmax(left, d->y.widest + 12 + (label_y ? 22 : 0));
    d->frame.right = fmax(d->cell.right - 16, d->frame.left + LEAST_FRAME);
    d->frame.top = d->cell.top + (strip ? 26 : 12) + d->above;
    d->frame.bottom =
        fmax(d->cell.bottom - 24 - (label_x || d->x.factor ? 20 : 0), d->frame.top + LEAST_FRAME);
    d->x.from = d->frame.left;
    d->x.to = d->frame.right;
    d->y.from = d->frame.bottom;
    d->y.to = d->frame.top;
}

/* Widths of labels depend on the ranges, these on the frame, which depends on the widths. */
static void settle(drawing *d, double left)
{
    const svg_axis x = d->x, y = d->y;
    for (int i = 0; i < 3; i++) {
        find_frame(d, left);
        d->x.low = x.low, d->x.high = x.high;
        d->y.low = y.low, d->y.high = y.high;
        equalise(d);
        svg_axis_ticks(&d->y, d->arena, false);
        svg_axis_ticks(&d->x, d->arena, true);
    }
    find_frame(d, left);
}

/* ---- Curves ---------------------------------------------------------------------------------- */

static svg_points place_curve(drawing *d, const plot_curve *c, size_t most, svg_point *start)
{
    svg_points p = {.at = NEW_ARRAY(d->arena, svg_point, 2 * c->count + 1)};
    for (size_t i = 0; i < c->count; i++) {
        const double x = svg_place(&d->x, x_at(c, i));
        const double y = svg_place(&d->y, y_at(c, i));
        if (d->y.zeros && p.count && (y == d->y.from) != (p.at[p.count - 1].y == d->y.from))
            p.at[p.count++] =
                (svg_point){NAN, NAN}; /* no line joins zero to what has a logarithm */
        p.at[p.count++] = isnan(x) || isnan(y) ? (svg_point){NAN, NAN} : (svg_point){x, y};
        if (i % 4096 == 0) ctx_tick_now(d->ctx);
    }
    for (size_t i = p.count; i-- > 0;)
        if (!isnan(p.at[i].x)) *start = p.at[i];
    return svg_thin(d->ctx, d->arena, p, most);
}

static void place_curves(drawing *d)
{
    size_t curves = 0;
    for (size_t i = 0; i < d->figure->panels; i++) curves += d->figure->panel[i].curves;
    d->points = NEW_ARRAY(d->arena, svg_points, d->panel->curves + 1);
    d->start = NEW_ARRAY(d->arena, svg_point, d->panel->curves + 1);
    for (size_t i = 0; i < d->panel->curves; i++)
        d->points[i] =
            place_curve(d, &d->panel->curve[i], POINTS / (curves ? curves : 1), &d->start[i]);
}

/* No more than a dot: it would be smaller than the line is wide. */
static bool is_dot(const svg_points *p)
{
    for (size_t i = 1; i < p->count; i++)
        if (!(fabs(p->at[i].x - p->at[0].x) < 1 && fabs(p->at[i].y - p->at[0].y) < 1)) return false;
    return true;
}

/* A ring where a path in a plane begins; a disc where there is nothing but one place. */
static void draw_curve(drawing *d, size_t i)
{
    const svg_points p = d->points[i];
    if (!p.count) return;
    text_printf(d->out, "<path class=\"curve c%zu d%zu\" d=\"", i % COLOURS, i % DASHES);
    svg_path(d->out, p);
    text_add(d->out, "\"/>\n");
    const bool dot = is_dot(&p);
    if (d->functions && !dot) return;
    text_printf(d->out, "<circle class=\"start c%zu\"", i % COLOURS);
    attribute(d->out, "cx", d->start[i].x);
    attribute(d->out, "cy", d->start[i].y);
    text_add(d->out, dot ? " r=\"1\"/>\n" : " r=\"2.6\"/>\n");
}

/* Rather than an empty frame. */
static void draw_nothing(drawing *d)
{
    const box f = d->frame;
    const place w = {.x = (f.left + f.right) / 2,
                     .y = (f.top + f.bottom) / 2,
                     .size = SVG_LABEL_SIZE,
                     .anchor = "middle",
                     .upright = true};
    if (!d->any) put_label(d, "no such numbers", w);
}

/* ---- The legend ------------------------------------------------------------------------------ */

/* Length of the segment inside the box (Liang and Barsky). */
static double length_inside(const box *b, svg_point p, svg_point q)
{
    const double dx = q.x - p.x, dy = q.y - p.y;
    const double along[] = {-dx, dx, -dy, dy};
    const double room[] = {p.x - b->left, b->right - p.x, p.y - b->top, b->bottom - p.y};
    double from = 0, to = 1;
    for (int i = 0; i < 4; i++) {
        if (along[i] == 0 && room[i] < 0) return 0;
        if (along[i] < 0) from = fmax(from, room[i] / along[i]);
        if (along[i] > 0) to = fmin(to, room[i] / along[i]);
    }
    return from < to ? (to - from) * hypot(dx, dy) : 0;
}

static double covered(const drawing *d, const box *b)
{
    double sum = 0;
    for (size_t k = 0; k < d->panel->curves; k++) {
        const svg_points *p = &d->points[k];
        for (size_t i = 1; i < p->count; i++)
            if (!isnan(p->at[i].x) && !isnan(p->at[i - 1].x))
                sum += length_inside(b, p->at[i - 1], p->at[i]);
    }
    return sum;
}

static double entry_width(drawing *d, size_t i)
{
    const char *label = d->panel->curve[i].label;
    return SAMPLE + 8 + svg_label_width(d->arena, label ? label : "", SVG_LABEL_SIZE) + 12;
}

static bool has_legend(const plot_panel *p)
{
    return p->curves > 1;
}

/* Columns and rows of the frame, corners first: right, left, middle; top, bottom, middle. */
static const uint8_t places[9][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0},
                                     {2, 1}, {0, 2}, {1, 2}, {2, 2}};

/* The place in the frame where it covers least; false: everywhere too much. */
static bool place_legend(drawing *d)
{
    enum { LITTLE = 8, MARGIN = 8 };
    double width = 0, best = INFINITY;
    for (size_t i = 0; i < d->panel->curves; i++) width = fmax(width, entry_width(d, i));
    const double height = LINE * (double) d->panel->curves + 4;
    const box f = d->frame;
    if (width > 0.6 * (f.right - f.left) || height > 0.6 * (f.bottom - f.top)) return false;
    const double xs[] = {f.right - MARGIN - width, f.left + MARGIN, (f.left + f.right - width) / 2};
    const double ys[] = {f.top + MARGIN, f.bottom - MARGIN - height,
                         (f.top + f.bottom - height) / 2};
    for (size_t k = 0; k < 9; k++) { /* the corners first */
        const double x = xs[places[k][0]], y = ys[places[k][1]];
        const box b = {x, y, x + width, y + height};
        const double lost = covered(d, &b);
        if (lost >= best) continue;
        best = lost;
        d->legend = b;
    }
    return best <= LITTLE;
}

static void draw_entry(drawing *d, size_t i, double x, double y)
{
    const char *label = d->panel->curve[i].label;
    text_printf(d->out, "<path class=\"curve c%zu d%zu\" d=\"M", i % COLOURS, i % DASHES);
    svg_number(d->out, x);
    text_char(d->out, ' ');
    svg_number(d->out, y - 4);
    text_printf(d->out, "h%d\"/>", SAMPLE);
    put_label(d, label ? label : "",
              (place){.x = x + SAMPLE + 8, .y = y, .size = SVG_LABEL_SIZE, .upright = true});
}

/* Rows above the frame; returns their number. With `draw` they are drawn. */
static size_t legend_rows(drawing *d, bool draw)
{
    size_t rows = 1;
    double x = d->frame.left + 4;
    for (size_t i = 0; i < d->panel->curves; i++) {
        const double width = entry_width(d, i);
        if (i && x + width > d->frame.right + 10) {
            rows++;
            x = d->frame.left + 4;
        }
        if (draw) draw_entry(d, i, x, d->frame.top - d->above + LINE * (double) rows - 7);
        x += width;
    }
    return rows;
}

static void draw_legend(drawing *d)
{
    if (!has_legend(d->panel)) return;
    text_add(d->out, "<g class=\"legend\">\n");
    if (d->legend_above) {
        legend_rows(d, true);
    } else {
        const box b = d->legend;
        text_add(d->out, "<rect class=\"key\"");
        attribute(d->out, "x", b.left);
        attribute(d->out, "y", b.top);
        attribute(d->out, "width", b.right - b.left);
        attribute(d->out, "height", b.bottom - b.top);
        text_add(d->out, "/>");
        for (size_t i = 0; i < d->panel->curves; i++)
            draw_entry(d, i, b.left + 6, b.top + LINE * ((double) i + 1) - 3);
    }
    text_add(d->out, "</g>\n");
}

/* ---- Frame, ticks, labels -------------------------------------------------------------------- */

static void mark_tick(text *out, double x, double y, const char *way, double length)
{
    text_char(out, 'M');
    svg_number(out, x);
    text_char(out, ' ');
    svg_number(out, y);
    text_add(out, way);
    svg_number(out, length);
}

/* Ticks inside, on opposite sides too. */
static void draw_ticks(drawing *d)
{
    const box f = d->frame;
    text_add(d->out, "<path class=\"tick\" d=\"");
    for (size_t i = 0; i < d->x.tick.count; i++) {
        const double length = d->x.tick.at[i].major ? 5 : 2.5, at = d->x.tick.at[i].place;
        mark_tick(d->out, at, f.bottom, "v", -length);
        mark_tick(d->out, at, f.top, "v", length);
    }
    for (size_t i = 0; i < d->y.tick.count; i++) {
        const double length = d->y.tick.at[i].major ? 5 : 2.5, at = d->y.tick.at[i].place;
        mark_tick(d->out, f.left, at, "h", length);
        mark_tick(d->out, f.right, at, "h", -length);
    }
    text_add(d->out, "\"/>\n");
}

static void draw_tick_labels(drawing *d)
{
    for (size_t i = 0; i < d->x.tick.count; i++)
        if (d->x.tick.at[i].label)
            put_label(d, d->x.tick.at[i].label,
                      (place){.x = d->x.tick.at[i].place,
                              .y = d->frame.bottom + 16,
                              .size = SVG_TICK_SIZE,
                              .anchor = "middle",
                              .upright = true});
    for (size_t i = 0; i < d->y.tick.count; i++)
        if (d->y.tick.at[i].label)
            put_label(d, d->y.tick.at[i].label,
                      (place){.x = d->frame.left - 7,
                              .y = d->y.tick.at[i].place + 4,
                              .size = SVG_TICK_SIZE,
                              .anchor = "end",
                              .upright = true});
}

static void draw_labels(drawing *d)
{
    const box f = d->frame;
    const plot_axis *x = &d->panel->x, *y = &d->panel->y;
    const bool bars = d->negative && y->label; /* absolute values are drawn */
    const svg_words of_x = {x->label, x->unit};
    const svg_words of_y = {bars ? arena_printf(d->arena, "|%s|", y->label) : y->label, y->unit};
    const double below = f.bottom + 37;
    const place across = {.size = SVG_LABEL_SIZE, .anchor = "middle", .upright = true};
    place w = across;
    w.x = (f.left + f.right) / 2;
    w.y = below;
    put_words(d, of_x, w);
    w.x = d->cell.left + 15;
    w.y = (f.top + f.bottom) / 2;
    w.upright = false;
    put_words(d, of_y, w);
    w = (place){.x = f.right, .y = below, .size = SVG_TICK_SIZE, .anchor = "end", .upright = true};
    if (d->x.factor) put_label(d, d->x.factor, w);
    w = (place){.x = f.left, .y = f.top - d->above - 7, .size = SVG_TICK_SIZE, .upright = true};
    if (d->y.factor) put_label(d, d->y.factor, w);
    w = across;
    w.x = (f.left + f.right) / 2;
    w.y = f.top - d->above - 9;
    if (d->panel->title) put_label(d, d->panel->title, w);
}

static void draw_frame(drawing *d)
{
    const box f = d->frame;
    const double zero = svg_place(&d->y, 0);
    if (!d->y.log && d->y.low < 0 && d->y.high > 0) {
        text_add(d->out, "<path class=\"zero\" d=\"");
        mark_tick(d->out, f.left, zero, "h", f.right - f.left);
        text_add(d->out, "\"/>\n");
    }
    text_add(d->out, "<rect class=\"frame\"");
    attribute(d->out, "x", f.left);
    attribute(d->out, "y", f.top);
    attribute(d->out, "width", f.right - f.left);
    attribute(d->out, "height", f.bottom - f.top);
    text_add(d->out, "/>\n");
}

/* ---- Panels ---------------------------------------------------------------------------------- */

/* Everything but the drawing. `left`: least margin, so that panels above each other agree. */
static void lay_out(drawing *d, double left)
{
    d->above = 0;
    d->legend_above = false;
    find_ends(d);
    settle(d, left);
    place_curves(d);
    if (!has_legend(d->panel) || place_legend(d)) return;
    d->legend_above = true;
    d->above = LINE * (double) legend_rows(d, false) + 2;
    find_ends(d);
    settle(d, left);
    place_curves(d);
}

static void draw_panel(drawing *d)
{
    text_add(d->out, "<g class=\"panel\">\n");
    draw_frame(d);
    draw_ticks(d);
    draw_tick_labels(d);
    draw_labels(d);
    for (size_t i = d->panel->curves; i-- > 0;) draw_curve(d, i); /* the first one on top */
    draw_legend(d);
    draw_nothing(d);
    text_add(d->out, "</g>\n");
}

/* ---- Words for those who do not see it ------------------------------------------------------- */

static void describe_curve(text *t, const plot_curve *c)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < c->count; i++) {
        const double y = y_at(c, i);
        if (!isfinite(y) || isnan(x_at(c, i))) continue;
        low = fmin(low, y);
        high = fmax(high, y);
    }
    svg_label_plain(t, c->label ? c->label : "a curve");
    if (!(low <= high)) {
        text_add(t, " does not exist");
        return;
    }
    text_add(t, " from ");
    text_double(t, low, 4);
    text_add(t, " to ");
    text_double(t, high, 4);
}

static const char *describe(drawing *d)
{
    text t = text_begin(d->arena);
    for (size_t i = 0; i < d->figure->panels; i++) {
        const plot_panel *p = &d->figure->panel[i];
        if (i) text_char(&t, ' ');
        for (size_t k = 0; k < p->curves; k++) {
            if (k) text_add(&t, ", ");
            describe_curve(&t, &p->curve[k]);
        }
        text_add(&t, ", against ");
        svg_label_plain(&t, p->x.label ? p->x.label : "x");
        text_char(&t, '.');
    }
    return text_end(&t);
}

/* ---- The figure ------------------------------------------------------------------------------ */

static void open_figure(drawing *d, double width, double height)
{
    const plot_figure *f = d->figure;
    const char *id = f->id ? f->id : "plot";
    text *out = d->out;
    text_add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ah-plot\"");
    attribute(out, "width", width);
    attribute(out, "height", height);
    text_add(out, " viewBox=\"0 0 ");
    svg_number(out, width);
    text_char(out, ' ');
    svg_number(out, height);
    text_printf(out,
                "\" role=\"img\" aria-labelledby=\"%s-title %s-desc\">\n<title id=\"%s-title\">",
                id, id, id);
    svg_escape(out, f->title && *f->title ? f->title : "Plot");
    text_printf(out, "</title>\n<desc id=\"%s-desc\">", id);
    svg_escape(out, describe(d));
    text_add(out, "</desc>\n");
    if (f->in_page) return;
    text_printf(
        out, "<style>%s</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n", css);
}

static void draw_title(drawing *d, double width)
{
    const place w = {
        .x = width / 2, .y = 24, .size = SVG_TITLE_SIZE, .anchor = "middle", .upright = true};
    open_text(d->out, &w);
    svg_escape(d->out, d->figure->title);
    text_add(d->out, "</text>\n");
}

/* The widest margin in a column of panels: frames above each other begin alike. */
static double left_margin(drawing *d, const box *cells, size_t columns, size_t column)
{
    double left = 0;
    for (size_t i = column; i < d->figure->panels; i += columns) {
        d->panel = &d->figure->panel[i];
        d->cell = cells[i];
        d->above = 0;
        find_ends(d);
        settle(d, 0);
        left = fmax(left, d->frame.left - d->cell.left);
    }
    return left;
}

static void draw_panels(drawing *d, const box *cells, size_t columns)
{
    const plot_figure *f = d->figure;
    double *left = NEW_ARRAY(d->arena, double, columns);
    for (size_t k = 0; k < columns; k++) left[k] = left_margin(d, cells, columns, k);
    for (size_t i = 0; i < f->panels; i++) {
        const arena_mark mark = arena_get_mark(d->arena);
        d->panel = &f->panel[i];
        d->cell = cells[i];
        lay_out(d, left[i % columns]);
        draw_panel(d);
        arena_release(d->arena, mark);
    }
}

void plot_svg(ah_ctx *ctx, text *out, const plot_figure *f)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const size_t columns = f->columns ? f->columns : f->panels > 1 ? 2 : 1;
    const size_t rows = f->panels ? (f->panels + columns - 1) / columns : 1;
    const bool alone = f->panels <= 1;
    const double head = f->title && *f->title && !f->in_page ? 34 : 0;
    const double width = f->width ? f->width : alone ? ALONE_WIDTH : CELL_WIDTH * (double) columns;
    const double height =
        f->height ? f->height : head + (alone ? ALONE_HEIGHT : CELL_HEIGHT * (double) rows);
    drawing d = {.ctx = ctx, .arena = &ctx->scratch, .out = out, .figure = f};
    box *cells = NEW_ARRAY(d.arena, box, f->panels + 1);
    const double w = width / (double) columns, h = (height - head) / (double) rows;
    for (size_t i = 0; i < f->panels; i++) {
        const double x = w * (double) (i % columns), y = head + h * (double) (i / columns);
        cells[i] = (box){x + 4, y, x + w, y + h - 4};
    }
    open_figure(&d, width, height);
    if (head > 0) draw_title(&d, width);
    draw_panels(&d, cells, columns);
    text_add(out, "</svg>\n");
    arena_release(&ctx->scratch, mark);
}
