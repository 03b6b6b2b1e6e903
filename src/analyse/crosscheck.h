/* analyse/crosscheck.h - all methods against each other at random admissible states. */
#ifndef ANALYSE_CROSSCHECK_H
#define ANALYSE_CROSSCHECK_H
#include "../state/state.h"

/* States whose linear systems are worse conditioned than this are drawn again: agreement is asked
 * of the formulas, not of the rounding. They are counted. */
#define CROSSCHECK_CONDITION 1e-6
/* Agreement, relative to the largest acceleration. */
#define CROSSCHECK_TOLERANCE 1e-11
/* At a state whose systems have the condition 1/rcond rounding alone makes differences of ε/rcond; so
 * many times that are still agreement. */
#define CROSSCHECK_ROUNDING 32
/* Up to this a difference of which many digits do not tell either whether it is rounding, as of redundant hinges that hold to
 * rounding alone, says nothing: another state is drawn. */
#define CROSSCHECK_DOUBT 1e-8

typedef struct crosscheck_answer {
    size_t states;    /* compared */
    size_t discarded; /* ill-conditioned or singular, drawn again */
    size_t methods;   /* that applied */
    const char **method;
    double *difference; /* per method, largest relative difference from Gauss' principle */
    size_t refusals;
    const char **refused, **why;
    double worst;
    const char *worst_method;
    const frame *worst_values;
    bool disagree; /* at some state, by more than rounding */
    bool pass;
} crosscheck_answer;

/* false: there was nothing to compare (no admissible state found); diagnostics say why. */
bool crosscheck_run(ah_model *m, size_t wanted, uint64_t seed, crosscheck_answer *out);

#endif
