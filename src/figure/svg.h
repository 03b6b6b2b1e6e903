/* figure/svg.h - inside the plots: scales, ticks, thinning, text. Lengths are CSS pixels. */
#ifndef FIGURE_SVG_H
#define FIGURE_SVG_H
#include "plot.h"

/* ---- Scales (svg_scale.c) -------------------------------------------------------------------- */

/* Numbers beyond are not drawn, so that differences of numbers exist; changes below SVG_LEAST are
 * none. */
#define SVG_MOST  1e307
#define SVG_LEAST 1e-300
/* Changes smaller than these roundings of the value are never drawn as changes. */
#define SVG_ROUNDINGS (64 * 2.220446049250313e-16)
/* Pixels at the lower end of a logarithmic axis that stand for zero. */
#define SVG_ZERO_BAND 22.0

typedef struct svg_range {
    double low, high; /* of the values; logarithmic: of the absolute values that are not 0 */
    bool any, zeros, negative;
} svg_range;

typedef struct svg_tick {
    double place; /* pixels */
    bool major;
    const char *label; /* NULL: none */
} svg_tick;

typedef struct svg_axis {
    bool log, zeros;
    double low, high;   /* values at the ends; logarithmic: their decimal logarithms */
    double from, to;    /* pixels of the ends: from > to on an axis that points upward */
    const char *factor; /* "×10^{3}", "×10^{−9} + 1.5": what tick labels are to be taken with */
    double widest;      /* label */
    LIST(svg_tick) tick;
} svg_axis;

bool svg_visible(double x); /* finite, and not beyond SVG_MOST */
void svg_range_add(svg_range *r, double x, bool log);
/* The ends of the axis; `padding`: share of the range left free at each end. */
void svg_axis_init(svg_axis *a, const svg_range *r, const plot_axis *what, double padding);
/* Fills the ticks for the pixels of the axis; labels do not touch each other. */
void svg_axis_ticks(svg_axis *a, arena *store, bool horizontal);
double svg_place(const svg_axis *a, double value); /* NAN: not on the axis */

/* ---- Text (svg_text.c) ----------------------------------------------------------------------- */

#define SVG_TICK_SIZE  11.5
#define SVG_LABEL_SIZE 13.5
#define SVG_TITLE_SIZE 15.0

/* Any text as XML character data or attribute: escaped, what XML cannot hold replaced. */
void svg_escape(text *out, const char *s);
/* A label and, upright, a unit as <tspan>s; either may be NULL. */
typedef struct svg_words {
    const char *label, *unit;
} svg_words;
void svg_label(text *out, arena *scratch, svg_words words, double size);
double svg_label_width(arena *scratch, const char *label, double size);
/* A label without its marks: for titles and descriptions. Not escaped. */
void svg_label_plain(text *out, const char *label);
/* With at most two decimals. */
void svg_number(text *out, double x);

/* ---- Thinning (svg_thin.c) ------------------------------------------------------------------- */

/* What may be lost, in pixels: a circle of 100 px gets corners of 2 degrees, which no one sees. */
#define SVG_THIN 0.02

typedef struct svg_point {
    double x, y; /* x is NAN: the pen is lifted */
} svg_point;
typedef struct svg_points {
    svg_point *at;
    size_t count, capacity;
} svg_points;

/* Of a curve with ascending or descending x and many points a pixel: first, lowest, highest and
 * last of each column of pixels. */
svg_points svg_thin_columns(arena *a, svg_points p);
/* A polyline that keeps within SVG_THIN of the given one. */
svg_points svg_thin_cone(arena *a, svg_points p);
/* At most `most` points or so: segments that would only cover what is covered are left out, those
 * at the extremes stay; where the curve fills its plane, rows of pixels. */
svg_points svg_thin_ink(ah_ctx *ctx, arena *a, svg_points p, size_t most);
/* All that applies. */
svg_points svg_thin(ah_ctx *ctx, arena *a, svg_points p, size_t most);
/* The d of a <path>. */
void svg_path(text *out, svg_points p);

#endif
