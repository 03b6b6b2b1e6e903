/* flow/stability.h - linearisation about a steady motion, its spectrum, and where it changes. */
#ifndef FLOW_STABILITY_H
#define FLOW_STABILITY_H
#include "problem.h"
#include <anholo/stability.h>
#include "../numeric/numeric.h"

/* Critical values are found to this relative accuracy, or where rounding stops. */
#define STABILITY_CRITICAL 1e-15

/* Numbers of the model and of the state are taken to be known to this relative accuracy: an
 * eigenvalue that such changes may move across the axis decides nothing. */
#define STABILITY_KNOWN  1e-12
#define STABILITY_SHAKES 3 /* changes that are tried */
#define STABILITY_CHARTS 3 /* exchanges of minimal variables on the way to a steady motion */
/* Where no better variables are at hand their condition must be this share of the usual one: what they tell is as wrong as the square of
 * its inverse, in units of rounding. */
#define STABILITY_CHARTED 1e-5

typedef struct stability_range {
    const char *name;
    ah_expr symbol; /* a parameter, or something that a state gives */
    bool parameter;
    double from, to;
    size_t count; /* values, both ends included */
} stability_range;

typedef struct stability_row {
    double value;
    bool found; /* there is a steady motion */
    spectrum spectrum;
} stability_row;

typedef struct stability_critical {
    double value;
    uint32_t below, above; /* unstable eigenvalues on either side */
    const char *how;
    bool sharp;       /* by a simple root; otherwise by bisection on the number of unstable ones */
    double frequency; /* imaginary part of what crosses */
} stability_critical;

typedef struct stability_answer {
    ah_model *model;
    minimal *m;
    frame *values;   /* of the steady motion */
    bool pole;       /* … at which the search ended: there is no motion */
    bool moved;      /* the given state was not steady */
    bool rest;       /* nothing moves: an equilibrium */
    uint32_t family; /* its dimension; at most that, unless … */
    bool family_sure;
    bool regular; /* nothing but the family makes B singular */
    problem_mirror mirror;
    const uint32_t *parameter; /* which y are free along it */
    const double *B;           /* kept × kept */
    spectrum spectrum;
    ah_stability_verdict verdict;
    const struct characteristic *symbolic; /* NULL: none */
    const stability_range *range;          /* of the sweep, or NULL */
    stability_row *row;
    const stability_range *critical_range;
    size_t criticals;
    const stability_critical *critical;
    size_t critical_lost; /* values looked at for which no steady motion was found */
} stability_answer;

typedef struct stability_question {
    const char *at;                          /* NULL: the start as a first guess */
    const stability_range *sweep, *critical; /* NULL: none */
    bool symbolic;
} stability_question;

/* "NAME=a..b:N"; false after an error was reported. */
bool stability_read_range(ah_model *m, const char *option, const char *words, size_t count,
                          stability_range *out);
/* What the spectrum says of a motion, of which and of whose family the rest is known. */
ah_stability_verdict stability_judge(const spectrum *s, const stability_answer *of);
/* The Jacobian and the spectrum at a steady state of a family of that dimension; false: it has none. */
bool stability_spectrum(problem *s, frame *values, uint32_t family, const double **B,
                        spectrum *out);
/* The steady motion that the search reaches from a state, with its spectrum; no ranges, no symbols.
 * Angles are reduced to (−π, π] unless they are held. False at poles, too: then out->pole. */
bool stability_settle(problem *s, const frame *start, stability_answer *out, const char **why);
/* False: *why says it, or the diagnostics do (then NULL). */
bool stability_run(ah_model *m, const stability_question *question, stability_answer *out,
                   const char **why);

#endif
