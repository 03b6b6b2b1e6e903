/* many/reduce.h - inside the module: what is kept of one motion, gathered step by step. */
#ifndef MANY_REDUCE_H
#define MANY_REDUCE_H
#include "ensemble_inside.h"

typedef struct reducer reducer;

/* In the arena; for one motion after another. `formula`: where the formulas are among the outputs of
 * the system. */
reducer *reducer_create(const ah_ensemble *e, arena *a, const ah_system *s, const size_t *formula);
void reduce_begin(reducer *r, ah_motion *m, ah_work *w);
/* After each step. */
void reduce_step(reducer *r);
/* ensemble->kept.count numbers. */
void reduce_end(reducer *r, double *out);

#endif
