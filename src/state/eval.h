/* state/eval.h - the equations of motion evaluated at one state, by one method or by all. */
#ifndef STATE_EVAL_H
#define STATE_EVAL_H
#include "../sheet/sheet.h"
#include "point.h"
#include "second_class.h"

/* Equations that rest on some of redundant constraints are made anew for a state at which the
 * reciprocal condition number is worse than this; the better ones count. */
#define EVAL_BAD_ROWS 1e-2

typedef struct eval_result {
    const formalism *method;
    const char *refused; /* why there is no answer, or NULL */
    bool singular;       /* refused because of the state, not of the model … */
    bool undefined;      /* … where something is not a number */
    ah_equations *eq;
    runner *runner;
    const double *qddot, *multipliers, *reaction; /* NULL where the method has none */
    bool multipliers_unique;
    double rcond; /* the worst reciprocal condition number of the systems solved */
    uint32_t speeds;
    const char **speed_name; /* "z1", "x'": as in the language */
    const double *speed, *speed_dot;
    const second_class_answer *branches; /* non-linear second class, or NULL */
} eval_result;

/* A method prepared for many states. */
typedef struct eval_method {
    const formalism *method;
    const char *refused;
    ah_equations *eq;
    runner *runner;
} eval_method;

/* Derives and prepares; call before the point is created, so that all symbols exist. */
eval_method eval_prepare(ah_model *m, const formalism *f, const derive_options *options, arena *a);
/* The same with one more quantity of the worksheet. */
eval_method eval_prepare_with(ah_model *m, const formalism *f, quantity more, arena *a);
/* Multipliers and reactions beside equations that were prepared without options; what both have in common is made once. */
eval_method eval_prepare_reactions(ah_model *m, const eval_method *equations, arena *a);
eval_result eval_at(const eval_method *method, point *p);
/* The method does not need the model's velocity parameters, or the state has them: there may be velocities that the
 * constraints admit and the velocity form does not give. */
bool eval_has_speeds(const eval_method *method, const point *p);
/* Equations that rest on some of redundant constraints: the same on a set that is independent at
 * the point. false: they do not, or there is no such set. */
bool eval_choose_rows(const eval_method *method, point *p, eval_method *out);

#endif
