/* state/enclosed_inside.h - what the files of enclosed.h share. */
#ifndef STATE_ENCLOSED_INSIDE_H
#define STATE_ENCLOSED_INSIDE_H
#include "enclosed.h"

/* The equations of one level in its unknowns: f(q, t) = 0, or C(q, v, t) = 0. */
typedef struct enclosed_level {
    uint32_t rows;
    const ah_expr *equation;
    const uint32_t *constraint; /* whose equation it is */
    const ah_expr *unknown;     /* n */
    mat jacobian;
    const ah_expr *dense;
    expr_plan *plan;
    double *J;
    /* Whether the rows outside `used` follow: asked once for each choice in a row. */
    bool *used;
    bool asked, follow;
    bool *open; /* the rows that do not, so far as algebra alone can tell */
} enclosed_level;

struct enclosed {
    ah_model *model;
    ah_ctx *ctx;
    mechanics *mech;
    arena *arena;
    enclosed_level places, velocities;
    bool second_class; /* constraints on accelerations that need not be independent */
    frame *exact;      /* 1: the symbol stands at the rational */
    arb_ptr work;      /* n, at least 2 */
    uint32_t rank;     /* independent constraints on velocities in the state enclosed last */
    ah_truth speeds_fit;
    bool trust;
    size_t given; /* coordinates and velocities that have values */
    const ah_expr *given_symbol, *given_value;
};

#endif
