/* flow/linear_model.h - y' = A y + B u, o = C y + D u near a steady motion, by exact derivatives. */
#ifndef FLOW_LINEAR_MODEL_H
#define FLOW_LINEAR_MODEL_H
#include "stability.h"

/* A direction that is a smaller share of the vectors it comes from is none: controllability and
 * observability. */
#define LINEAR_RANK 1e-9

typedef struct linear_output {
    const char *name;
    ah_expr e;
} linear_output;

typedef struct linear_question {
    const char *at;
    bool whole;    /* with the ignorable coordinates */
    bool anywhere; /* about a state that need not be steady: y' = rate + A y + B u */
    size_t inputs;
    const char *const *input;
    size_t outputs; /* formulas of q, q', z, ω and inputs */
    const linear_output *output;
    bool choose; /* outputs that are no functions of the variables are left out, not refused */
} linear_question;

typedef struct linear_model {
    stability_answer motion;
    bool constant;
    uint32_t states, inputs, outputs, left_out;
    const uint32_t *y;           /* which of the minimal variables */
    const char *const *input;    /* names of the columns: u, and of those in constraints u', u'' */
    const ah_expr *input_symbol; /* of them, in the fed model */
    const double *input_value, *output_value;
    const double
        *rate; /* y' there: zero but for ignorable coordinates, and where nothing is steady */
    const linear_output *output;
    const char *const *left; /* names of outputs that are no functions of y */
    const double *A, *B, *C, *D;
    spectrum spectrum;
    uint32_t controllable, observable;
    spectrum zeros;                       /* transmission zeros; n = 0: there are none */
    const struct linear_symbols *symbols; /* NULL: none */
} linear_model;

/* The finite s at which [A − s, B; C, D] loses rank (linear_zeros.c). */
spectrum linear_zeros(arena *a, arena *scratch, const linear_model *l);

/* Of a model with its inputs as functions. False: *why says it, or the diagnostics do (then NULL). */
bool linear_run(ah_model *m, const linear_question *q, linear_model *out, const char **why);

#endif
