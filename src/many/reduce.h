/* many/reduce.h - inside the module: what is kept of one motion, gathered step by step. */
#ifndef MANY_REDUCE_H
#define MANY_REDUCE_H
#include "ensemble_inside.h"

typedef struct reducer reducer;

enum { REDUCE_NODES = 9 };
extern const double reduce_node[REDUCE_NODES]; /* Chebyshev's, from -1 to 1 */

/* Where the formulas of the ensemble come from. */
typedef struct reduce_source {
    void *user;
    /* All of them at a time of the last step; NaN where they do not exist. */
    void (*look)(void *user, double t, double *formula);
    /* The same in all nodes of the last step at once; NULL: it is to be asked one by one. */
    void (*whole)(void *user, double *const *formula);
} reduce_source;

/* In the arena; for one motion after another. */
reducer *reducer_create(const ah_ensemble *e, arena *a, reduce_source from);
/* At the start; `formula` there, or NULL where reduce_needs_start says no. */
void reduce_begin(reducer *r, double t, const double *formula);
/* After a step from t to t, of which all counts unless `cut`. */
void reduce_step(reducer *r, double from, double to, bool cut);
void reduce_event(reducer *r, const char *label, double t);
/* ensemble->kept.count numbers; `formula` at the end. */
void reduce_end(reducer *r, double t, const double *formula, double *out);

bool reduce_needs_start(const ah_ensemble *e);
/* Whether something is asked between the ends, events aside. */
bool reduce_goes_along(const ah_ensemble *e);

#endif
