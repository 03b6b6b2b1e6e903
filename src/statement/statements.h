/* statement/statements.h - the questions that such claims put. */
#ifndef STATEMENT_STATEMENTS_H
#define STATEMENT_STATEMENTS_H
#include "verdict.h"

/* Sets verdict, why, states and, where there is one, the counter-example. */
typedef struct statement_question {
    ah_model *model;
    const model_statement *s;
    size_t states;
    uint64_t seed;
} statement_question;

/* statements.c: holonomic, nonholonomic, rank, accessible, growth, measure. */
void statement_of_kind(const statement_question *q, verify_claim *out);
/* Can all places be reached that holonomic constraints leave? */
bool statement_reaches_all(const statement_question *q);
/* Is e a constant wherever the constraints hold, so that it is no first integral? */
ah_truth statement_is_empty(const statement_question *q);
/* And is it no number for any values of the parameters and functions that have none? a z' is one for a = 0. False: not that we
 * know. */
bool statement_is_full(const statement_question *q);
/* claimed_motion.c: equilibrium, steady. */
void statement_of_motion(const statement_question *q, verify_claim *out);
/* claimed_stability.c: stable, attracting, unstable, characteristic. */
void statement_of_stability(const statement_question *q, verify_claim *out);

#endif
