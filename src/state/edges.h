/* state/edges.h - states at the edges of what expressions are made of.
 *
 * An edge is where the argument of a root, a logarithm, |x|, an angle or a denominator changes its
 * sign: a statement that holds on one side of it need not hold on the other. */
#ifndef STATE_EDGES_H
#define STATE_EDGES_H
#include "../model/model.h"

typedef struct edges edges;
/* Of the roots, of the system where its motion is asked for, and of what partial functions were applied
 * to; NULL: there are none. */
edges *edges_create(ah_model *m, arena *a, const ah_expr *roots, size_t count, bool motion,
                    const model_needs *needs);
/* For probe_wish.bend, `user` being the edges: moves one variable to an edge, or a step beside it. */
void edges_bend(void *user, probe_rng *rng, double *values);

#endif
