/* anholo/plot.h - figures of a motion. */
#ifndef ANHOLO_PLOT_H
#define ANHOLO_PLOT_H
#include <anholo/simulate.h>

typedef struct ah_plot_options {
    size_t size;      /* of this struct: ah_plot_defaults sets it */
    const char *from; /* a table that ah_simulate has written, instead of a run; or NULL */
    size_t from_length;
    /* "x, y [, y2 …]", expressions of the motion (ah_read_outputs). None: what one wants to see
     * first. */
    const char *const *panels;
    size_t panel_count;
    const char *title;    /* NULL: the model's; "": none */
    double width, height; /* CSS pixels; 0: chosen */
    size_t columns;       /* of panels; 0: chosen */
    bool log;             /* y axes are logarithmic; those of mere errors are anyhow */
    bool equal;           /* one scale for x and y; lengths have it anyhow */
    const char *file;     /* named in the summary; NULL: the summary as JSON holds the figure */
    ah_simulate_options
        run; /* how the motion is made; its `write` gets no rows; last, for it may grow */
} ah_plot_options;

AH_API ah_plot_options ah_plot_defaults(void);
/* One SVG, and what was drawn as AH_TEXT or AH_JSON. A motion that ends early is drawn as far as it
 * goes, and the status is that of ah_simulate. */
AH_API ah_status ah_plot(ah_model *m, const ah_plot_options *options, ah_format format,
                         const char **svg, const char **summary);

/* Columns of a table, such as those of a sweep. NaN: no value. */
typedef struct ah_map {
    size_t rows;
    const double *x, *y,
        *z; /* z: colours at the places (x, y); NULL: points; y NULL as well: how often x has which values */
    const char *names[3];
    const char *title; /* or NULL */
} ah_map;
/* One SVG. Where x and y are a grid each cell is a value; otherwise means of 160 × 160 bins. */
AH_API ah_status ah_map_draw(ah_ctx *ctx, const ah_map *map, const char **svg);

#endif
