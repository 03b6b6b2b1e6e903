/* state/point_newton.h - Newton's method in the metric of M: the nearest point on constraints. */
#ifndef STATE_POINT_NEWTON_H
#define STATE_POINT_NEWTON_H
#include "point.h"
#include "../numeric/numeric.h"

/* One system g(x) = 0 in n unknowns (coordinates or velocities), some of them fixed. */
typedef struct newton {
    point *p;
    arena *arena;
    uint32_t n, rows;
    uint32_t most;      /* the rank cannot be larger; 0: not known */
    const ah_expr *x;   /* symbols … */
    const double *unit; /* … and their sizes; NULL: of order one */
    const bool *fixed;  /* NULL: none */
    mat Jm, Mm;         /* ∂g/∂x and the metric … */
    const model_tree *
        tree; /* … of which so many velocities of bodies are the first unknowns, moved by the rows Km */
    uint32_t bodies;
    mat Km;
    expr_plan *g, *J, *M, *K; /* M and K: made when a step is */
    double *gv, *scale, *row, *y, *kept, *h;
    double *Jv, *Mv, *Kv; /* entries, as the matrices store them */
    double *pull;         /* of the bodies by what is fixed */
    double *extra;        /* added to the diagonal: unknowns, then rows */
    bool large;           /* solved as a sparse system … */
    sparse *kkt[2];       /* … without and with `extra`; made when needed */
    double *solution;     /* work space of that: n + rows, and its right side */
} newton;

/* In this arena, as long as it is. */
newton newton_create(point *p, arena *a, uint32_t n, const ah_expr *x, const bool *fixed, mat g);
/* The largest relative residual, and whose it is. */
double newton_worst(newton *w, uint32_t *row);
double newton_residual(newton *w);
/* Is every |g| at most this share of its terms, or what x of the size `resting` can make of it? */
bool newton_holds(newton *w, double share, double resting);
/* Is M a metric, positive and the same for all x, so that there is a nearest one? Of trees of bodies it is. */
bool newton_has_metric(newton *w);
/* Moves x to g = 0 by the shortest steps in the metric of M; keeps the best point met. */
bool newton_project(newton *w);
/* Moves x to the nearest one with g = 0. The shortest steps of newton_project end near it, not at
 * it; where going on from there does not settle, their end is kept. */
bool newton_nearest(newton *w);
/* Least vᵀMv on g(v) = 0: the whole v is chosen anew on each linearisation. */
bool newton_minimise(newton *w);

#endif
