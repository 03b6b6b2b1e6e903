/* state/edges.h - states at the edges of what expressions are made of.
 *
 * An edge is where the argument of a root, a logarithm, |x|, an angle or a denominator changes its
 * sign: a statement that holds on one side of it need not hold on the other. */
#ifndef STATE_EDGES_H
#define STATE_EDGES_H
#include "../model/model.h"

typedef struct edges edges;
/* Of the roots, of the constraints and the velocity form, of the whole system where its motion is asked for, and of what partial functions were
 * applied to; NULL: there are none. What is assumed of the states has edges, too: states are drawn between those and
 * these. */
edges *edges_create(ah_model *m, arena *a, const ah_expr *roots, size_t count, bool motion,
                    const model_needs *needs, const algebra_fact *facts, size_t fact_count);
/* Of the roots alone. */
edges *edges_of(ah_model *m, arena *a, const ah_expr *roots, size_t count);
/* Of what switches in the whole system, |u|, sign(u) and angles, and beside it alone; NULL: nothing does. */
edges *edges_of_switches(ah_model *m, arena *a);
/* Does |u|, sign(u) or an angle stand in it? */
bool edges_switch_in(ah_ctx *ctx, arena *a, ah_expr e);
/* For probe_wish.bend, `user` being the edges: moves one variable to an edge, a step beside it, or
 * between two of them. */
void edges_bend(void *user, probe_rng *rng, frame *values);

#endif
