/* flow/linear_symbols.h - A, B, C, D of a small system as expressions in parameters, inputs and the state.
 *
 * About a steady motion, variables and inputs that are zero are put to zero, angles at multiples of π/12 to these, and
 * the equations of rest are solved for variables as far as they are of the first or second degree; all else stays a
 * symbol. About any state, everything does. */
#ifndef FLOW_LINEAR_SYMBOLS_H
#define FLOW_LINEAR_SYMBOLS_H
#include "linear_model.h"

/* Systems with more variables are not worked out, nor matrices with more operations shown. */
#define LINEAR_SYMBOLS_LARGEST    10
#define LINEAR_SYMBOLS_OPERATIONS 600
/* Symbols must agree with the numbers to this share of the largest entry, or of 1. */
#define LINEAR_SYMBOLS_AGREE 1e-8

typedef struct linear_symbols {
    size_t fixed; /* what was put in: symbol = value */
    const ah_expr *symbol, *value;
    bool
        solved; /* with that, every state is steady; otherwise what is left must be of a steady one */
    mat A, B, C, D; /* states × states, × inputs, outputs × … */
    mat rate;       /* y', states × 1 */
} linear_symbols;

/* At the state of a linear model that was found; NULL: no answer with symbols. */
const linear_symbols *linear_symbols_create(const linear_model *l, minimal *m, arena *a,
                                            bool anywhere);

#endif
