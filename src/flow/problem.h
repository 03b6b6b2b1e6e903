/* flow/problem.h - the search for steady motions, made ready: from a model and what is asked
 * for. */
#ifndef FLOW_PROBLEM_H
#define FLOW_PROBLEM_H
#include "../state/state.h"
#include "characteristic.h"
#include "poles.h"
#include "steady.h"

/* What a point gives, in order: q, v, z, ω. */
typedef struct given {
    LIST(ah_expr) symbol;
    LIST(double) value;
} given;

typedef LIST(minimal *) charts;

typedef struct problem {
    ah_model *model,
        *whole; /* the first: on a component of lower rank a view of the other (components_view) */
    ah_ctx *ctx;
    arena *arena;
    flow *flow;
    minimal *m;
    charts *charts; /* all that were chosen so far; m is one of them */
    states *random;
    point p;
    given fixed;        /* what --at gives */
    const double *turn; /* of a variable of x: a full turn makes no difference; 0: it is no angle */
    const struct twins *twins; /* NULL: there are none, or nobody asked */
    /* Of several components of the constraint set the one that is looked at; or NULL. */
    const struct component *component;
    const expr_plan *marks; /* of it, which vanish there */
    expr_list switches;     /* of |u|, sign(u) in the text: the arguments u */
    expr_list
        edges; /* what vanishes where something in the text ends to exist: u of sqrt(u), u^(5/2), log(u) */
} problem;

/* `at` (may be NULL): what is to be held, as point_read reads it. The first guess, problem.p, is
 * the model's start, at rest where that says nothing. False: *why says it, or the diagnostics do
 * (then NULL). */
bool problem_open(ah_model *m, const char *at, problem *out, const char **why);
/* The same for a state that need not be near a steady motion, and equations that may depend on t:
 * the start, or `at` alone, completed. */
bool problem_open_anywhere(ah_model *m, const char *at, problem *out, const char **why);
/* Minimal variables chosen at a state; NULL: it is singular. */
minimal *problem_chart(problem *s, const frame *values);
/* Where the minimal variables fail, z at the top of the circle x² + z² = 1, others take their place. True: they are better there. */
bool problem_rechart(problem *s, frame *values);
/* Are they good there? And how good, 1 where they were chosen. */
bool problem_charts(const problem *s, frame *values);
double problem_condition(const problem *s, frame *values);
void problem_hold(problem *s, given *list, ah_expr symbol, double value);
/* The full turn of the kept variable y, if it is an angle and nothing holds it; else 0. */
double problem_turns(const problem *s, uint32_t y);
/* Why the state is none of a motion: a pole of the coordinates, say. NULL: it is regular. *place:
 * the variable of x that leads away from the pole (UINT32_MAX: none alone). */
const char *problem_pole(const problem *s, const frame *values, uint32_t *place);
/* Why there are no steady motions of kinematic models. */
extern const char problem_kinematic[];
/* Why nothing is steady where time stands in the equations: an input, by name, or time itself. */
const char *problem_time_text(ah_model *m);
/* The same as a sentence with the variable and its value. */
const char *problem_pole_text(const problem *s, const frame *values);
/* Looks at one component from now on: random states, minimal variables and start are of it. False: no
 * regular state of it was found. */
bool problem_on(problem *s, const struct component *c, uint64_t seed);
/* Is the state one that the model speaks of, and on the component that is looked at? */
bool problem_assumed(const problem *s, const frame *values);
/* Does nothing move? */
bool problem_rests(const problem *s, const frame *values);
void problem_put_velocities(const problem *s, frame *values); /* v of a chart's z */
void problem_find_switches(problem *s);                       /* problem_open does */
/* What is known of the eigenvalues of a steady motion whatever the numbers are. */
typedef enum problem_mirror {
    MIRROR_NONE,
    MIRROR_PAIRS, /* with every λ there is −λ: Hamilton's equations, or a motion that is its own backwards */
    MIRROR_SQUARES /* all λ² are real: rest under nothing but a potential, T a sum of squares */
} problem_mirror;
problem_mirror problem_mirrors(const problem *s, const frame *values);
/* Why the equations have no linearisation there: a |u| or sign(u) is at its kink, or a root, a power, a logarithm at the edge
 * beyond which there is none. NULL: they have one. */
const char *problem_unsmooth(const problem *s, const frame *values);

#endif
