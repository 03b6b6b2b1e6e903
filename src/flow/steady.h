/* flow/steady.h - steady motions: states at which the reduced system y' = F(y) rests. */
#ifndef FLOW_STEADY_H
#define FLOW_STEADY_H
#include "minimal.h"

/* The search ends when a step is this small, relative to 1 + |x|. */
#define STEADY_STEP 1e-14
/* Beside a regular root the next one is the square of the last: after this one it is looked whether the search has succeeded. */
#define STEADY_NEAR 1e-8
/* At a root of several folds it is this part of the last or more (½ of a double one, ⅔, …), in the same direction but for this part. */
#define STEADY_LINEAR 0.2
/* And has succeeded when it is this small. */
#define STEADY_FOUND 1e-9
/* What may be left of a rate, in units: the square of what a degenerate root may be missed by … */
#define STEADY_RATE 1e-8
/* … and of the steepest of the accelerations, as rounding leaves it. */
#define STEADY_ROUNDING 1e-12
/* Variables beyond this many of their units are on the way to infinity. */
#define STEADY_FAR 1e6
/* Rates of dependent coordinates, which may be large multiples of those. */
#define STEADY_REST 1e-5
/* Singular values below this share of the largest count as zero: rank of the reduced Jacobian. */
#define STEADY_RANK 1e-10
/* … and so do those below this share of the steepest rate, or of one a unit of time: rounding errors. */
#define STEADY_NOISE 1e-13
/* Slopes that small are slopes all the same where they foretell the rate within so much of the way to its zero, but for such a factor. */
#define STEADY_BESIDE 0.3
#define STEADY_ALIKE  4.0
/* Slopes of a speed's rate below this share of the steepest one are no measure of it. */
#define STEADY_SLOPE 1e-4
/* How far a degenerate root may be missed, relative to 1 + |x|. */
#define STEADY_ASIDE 1e-4
/* How far a family is followed to see that it is one, relative to 1 + |y|. */
#define STEADY_NUDGE      1e-3
#define STEADY_NUDGE_LESS 1e-5 /* where it ends soon */
#define STEADY_FAR_NUDGE  0.25 /* to see that it is no root of many folds: … */
/* Beside a root of folds, no family, a rate is as far from zero as this share of the nudge. */
#define STEADY_SHARE 1e-3
/* … what is left of the equations of a family, relative to 1 + |x|. */
#define STEADY_EXACT 1e-11
/* … and how fast it grows, at most, where a nudge is doubled beside a root of folds; where a family ends it leaps. */
#define STEADY_GROWS 4096

typedef struct steady steady;

/* Speeds (the second half of x) that fit the constraints and the given quantities best; others as
 * near to rest as can be. A first guess: it need not be admissible. */
void steady_guess(flow *w, size_t given, const ah_expr *symbol, const double *want, frame *values);

/* Holds the named quantities (t, q, v, z, ω as symbols) at their values while others move. Makes no
 * symbols. */
steady *steady_create(minimal *m, arena *a, size_t fixed, const ah_expr *symbol);
/* The same for states that need not be steady: the kept coordinates rest, their speeds' rates are
 * not asked to. */
steady *steady_create_partly(minimal *m, arena *a, size_t fixed, const ah_expr *symbol);
/* How far the state is from a steady one: the largest rate that is left, relative to the slopes and
 * to 1 + |x|; *rate: that rate itself. Infinite at a singular state. */
double steady_distance(minimal *m, frame *values, double *rate);
/* Are all rates there so small that they may be rounding errors? */
bool steady_may_round(minimal *m, frame *values);
/* Moves the state as little as possible to a steady one, by Gauss-Newton steps with the exact
 * slopes; `want`: the values of what is fixed. Ignorable coordinates stay. False: none was found
 * near. */
bool steady_find(steady *s, const double *want, frame *values);
/* The same from a state that is next to it: gives up after a few steps. */
bool steady_follow(steady *s, const double *want, frame *values);
/* Where steady motions are singular a search ends some 1e-5 aside: variables that near to zero, or, of
 * those that have a full turn, to a quarter of it, are put there if the equations then hold no worse. */
void steady_snap(steady *s, const double *turn, const double *want, frame *values);
/* Kept variables that may be chosen freely along the family through a steady state, what is fixed
 * being fixed: which y (room for m->kept), how many. Speeds that are not zero come first. */
uint32_t steady_free(steady *s, frame *values, uint32_t *y);

/* Rates of the kept variables, in their units: does a small change of these make up for them? At the state that minimal_at has seen. */
bool steady_undone(const minimal *m, const double *rate);
/* The dimension of the kernel of B, at the state that minimal_at has seen. */
uint32_t steady_kernel(const minimal *m);

/* Do these kept variables parametrise the family through the steady state? */
bool steady_parametrised(minimal *m, frame *values, uint32_t count, const uint32_t *y);

/* The dimension of the family of steady motions through a steady state: that of the kernel of B,
 * *sure when the family was followed along all these directions (otherwise it is at most that), or along some of the free
 * variables and along no other one: then it is the number of these.
 * Gives the free variables (room for m->kept), as steady_free. */
uint32_t steady_family(minimal *m, arena *a, frame *values, uint32_t *y, bool *sure);

#endif
