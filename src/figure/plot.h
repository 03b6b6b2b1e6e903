/* figure/plot.h - figures as SVG: curves from arrays, and the curves that a text asks for. */
#ifndef FIGURE_PLOT_H
#define FIGURE_PLOT_H
#include "../trajectory/trajectory.h"

/* ---- Figures (svg_figure.c) ------------------------------------------------------------------ */

/* Labels are Unicode text as worksheets print it (θ̇₁, x²); `_{…}` and `^{…}` set what is between
 * the braces below or above; single letters are italic, words upright. Units are plain text. */
typedef struct plot_curve {
    const double *x, *y;       /* NAN: a gap */
    size_t x_stride, y_stride; /* from one value to the next; 0 counts as 1 */
    size_t count;
    const char *label;
} plot_curve;

typedef struct plot_axis {
    const char *label, *unit; /* either may be NULL */
    bool log;                 /* of absolute values; zeros lie on the lower edge, marked so */
    double flat;              /* changes below this share of the value are no changes */
} plot_axis;

typedef struct plot_panel {
    const char *title; /* NULL: none */
    plot_axis x, y;
    bool equal; /* units of x and y are equally long, unless one range is far the shorter */
    const plot_curve *curve;
    size_t curves;
} plot_panel;

typedef struct plot_figure {
    const char *title; /* NULL: none; also what a screen reader says first */
    const char *id;    /* prefix of ids; NULL: "plot". Different figures of a page need others */
    const plot_panel *panel;
    size_t panels, columns; /* 0 columns: chosen */
    double width, height;   /* CSS pixels; 0: chosen */
    bool in_page;           /* neither style nor background: the page has plot_css */
} plot_figure;

/* One <svg> element; `out` must not lie in the scratch arena. Thinned to what can be seen: extremes
 * survive to half a pixel, and the file stays below some 200 kB whatever the number of samples. */
void plot_svg(ah_ctx *ctx, text *out, const plot_figure *f);
/* The style of the figures of a page, for light and dark and print; every rule under .ah-plot. */
void plot_css(text *out);

/* ---- What is asked for (plot_ask.c, plot_default.c) ------------------------------------------ */

#define PLOT_CURVES 24 /* of a panel */

typedef struct plot_quantity {
    size_t column; /* among the expressions of the requests */
    bool change;   /* since the beginning */
    const char *label, *unit, *text;
} plot_quantity;

typedef struct plot_pair {
    plot_quantity x, y;
    const char *label; /* in the legend */
} plot_pair;

typedef struct plot_request {
    /* Of a default panel, else NULL: "path", "lengths", "angles", "velocities", "multipliers",
     * "outputs", "energy" or "residual", and a few words. */
    const char *key, *caption;
    plot_axis x, y;
    bool equal;
    LIST(plot_pair) pair;
    plot_quantity size; /* of the default panel "energy": what its change is compared with */
} plot_request;

typedef struct plot_requests {
    ah_model *model;
    expr_list e;      /* what the trajectory is to be asked for */
    expr_list angles; /* symbols that sines are taken of, ascending; once angles_found */
    bool angles_found;
    LIST(plot_request) list;
} plot_requests;

/* One panel as the command line has it: "x, y [, y2 …]"; `what` names it in messages. A logarithmic
 * axis where there is nothing but changes and residuals, or `log`; one scale for x and y where both
 * are lengths, or `equal`. False after a diagnostic. */
bool plot_ask(plot_requests *r, const char *what, const char *panel, bool log, bool equal);
/* What one wants to see first: paths, coordinates, velocities, multipliers, outputs, conservation.
 */
void plot_ask_default(plot_requests *r);
/* For those who add requests themselves: a quantity, to be called `written` where that is a word;
 * the axes of a request once its pairs are there. */
plot_quantity plot_quantity_of(plot_requests *r, ah_expr e, bool change, const char *written);
void plot_finish_request(plot_requests *r, plot_request *p, bool log, bool equal);
/* The panels' curves, from a trajectory that was asked for r->e, as its columns from `first` on;
 * one panel a request. In the job arena. */
plot_panel *plot_panels(plot_requests *r, const trajectory *t, size_t first);

/* ---- Names and units (plot_names.c) ---------------------------------------------------------- */

/* A name as it is written (an output's, say), a formula as worksheets print it. */
const char *plot_label_of(ah_model *m, ah_expr e, const char *written);
/* NULL: not known. Derivatives and reactions follow from what the model says. */
const char *plot_unit_of(plot_requests *r, ah_expr e, const char *written);
/* A coordinate that no sine is taken of, or a component of the place of a point or body. */
bool plot_is_length(plot_requests *r, ah_expr e);
bool plot_is_word(const char *s); /* letters, digits, _ */

#endif
