/* anholo/linearise.h - linear models: y' = A y + B u, o = C y + D u near a steady motion.
 *
 * y and u are deviations, in minimal variables (anholo/stability.h); the derivatives are exact. */
#ifndef ANHOLO_LINEARISE_H
#define ANHOLO_LINEARISE_H
#include <anholo/stability.h>

typedef struct ah_linearise_options {
    size_t size;         /* of this struct: ah_linearise_defaults sets it */
    const char *at;      /* as in ah_stability_options */
    const char *inputs;  /* "u, v", in this order; NULL: all of the model */
    const char *outputs; /* "x, 2*y'": formulas of the state; NULL: the model's that are such, and
                            where it has none the variables themselves */
    bool whole;          /* with the ignorable coordinates */
    bool any_state; /* about `at`, as ah_eval takes it, or about the start: y' = rate + A y + B u */
} ah_linearise_options;
AH_API ah_linearise_options ah_linearise_defaults(void);

typedef struct ah_linear_output {
    const char *name; /* of the model's output, or the formula as it is written */
    double value;     /* in the steady motion */
    const char *unit; /* NULL: the model does not say */
} ah_linear_output;

typedef struct ah_linear_input {
    const char *name; /* of one that stands in a constraint also its rates: "u", "u'", "u''" */
    double value;     /* held in the steady motion: what it is at the beginning */
    const char *unit; /* NULL: the model does not say */
} ah_linear_input;

typedef struct ah_linear_fixed {
    ah_expr symbol, value;
} ah_linear_fixed;

/* The same matrices as expressions in parameters, inputs and what of the state stays a symbol. */
typedef struct ah_linear_symbols {
    size_t states, inputs, outputs; /* as in ah_linearise_values */
    const ah_expr *A, *B, *C, *D;   /* row after row */
    const ah_expr *rate;            /* y' */
    bool solved;                    /* with what is fixed every state is steady; otherwise they hold
                                       where the symbols that are left are those of a steady motion */
    size_t fixed;                   /* of the state and the inputs: what the symbols are there */
    const ah_linear_fixed *fix;
} ah_linear_symbols;

typedef struct ah_linearise_values {
    ah_steady_motion motion;
    bool
        constant; /* A, B, C, D do not change along the motion; otherwise they are of one instant */
    size_t states;
    const ah_expr *state; /* the variables y */
    size_t inputs;
    const ah_linear_input *input;
    size_t outputs;
    const ah_linear_output *output;
    size_t left_out; /* outputs of the model that are no functions of y and u */
    const char *const *left;
    const double *A, *B, *C, *D; /* row after row */
    ah_spectrum spectrum;        /* of A */
    size_t controllable;         /* dimension of what the inputs reach … */
    size_t observable;           /* … and of what the outputs tell, in double precision */
    bool any_state;              /* as it was asked for */
    const double *rate;      /* y' there: of a steady motion that of ignorable coordinates alone */
    const char *const *unit; /* of the states, each may be NULL */
    ah_spectrum zeros;       /* transmission zeros, in double precision */
    const ah_linear_symbols *symbolic; /* NULL: it is too large, or could not be worked out */
} ah_linearise_values;

/* docs/schema/linearise.json. AH_E_REFUSED: there is no steady motion (A0621). */
AH_API ah_status ah_linearise(ah_model *m, const ah_linearise_options *options, ah_answer **out);
/* NULL: the answer is that of another question. */
AH_API const ah_linearise_values *ah_answer_linearise(const ah_answer *a);

#endif
