/* analyse/problem.h - the search for steady motions, made ready: from a model and what is asked
 * for. */
#ifndef ANALYSE_PROBLEM_H
#define ANALYSE_PROBLEM_H
#include "../state/state.h"
#include "steady.h"

/* What a point gives, in order: q, v, z, ω. */
typedef struct given {
    LIST(ah_expr) symbol;
    LIST(double) value;
} given;

typedef struct problem {
    ah_model *model;
    ah_ctx *ctx;
    arena *arena;
    flow *flow;
    minimal *m;
    states *random;
    point p;
    given fixed; /* what --at gives */
} problem;

/* `at` (may be NULL): what is to be held, as point_read reads it. The first guess, problem.p, is
 * the model's start, at rest where that says nothing. False: *why says it, or the diagnostics do
 * (then NULL). */
bool problem_open(ah_model *m, const char *at, problem *out, const char **why);
void problem_hold(problem *s, given *list, ah_expr symbol, double value);
/* Is the state one that the model speaks of? */
bool problem_assumed(const problem *s, const double *values);

#endif
