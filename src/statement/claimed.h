/* statement/claimed.h - the motions that a claim speaks of: drawn at random, as numbers.
 *
 * The claim's conditions are assumptions, and the parameters that they name have no value: so a
 * view of the model says. Named quantities have the values that the claim gives (functions of the
 * parameters and of the state). All else is arbitrary; a claim of stability that names nothing
 * speaks of the steady motion nearest to the model's start. */
#ifndef STATEMENT_CLAIMED_H
#define STATEMENT_CLAIMED_H
#include "../flow/flow.h"
#include "statements.h"

typedef struct claimed {
    ah_model *model; /* the view */
    ah_model *whole; /* without the claim's conditions */
    const model_statement *s;
    problem p;       /* its minimal variables are chosen at the first state */
    bool rest;       /* an equilibrium: nothing moves */
    bool from_start; /* the motion nearest to the start */
    given fixed;     /* symbols of what is held; the values are those of the state drawn last */
    expr_list drawn; /* of these: what the conditions alone determine */
    states_rng rng;
} claimed;

/* False: *why. */
bool claimed_open(const statement_question *q, claimed *out, const char **why);
/* Another state (new parameters, new values, in its own array) with claimed.fixed; speeds fit the
 * constraints as well as they can. NULL: none was found. */
frame *claimed_draw(claimed *c);
/* What holds for motions of the minimal variables holds for those of one component of the constraint
 * set: of several the others are not looked at. Then the claim is not known to hold. */
void claimed_of_one_component(const claimed *c, verify_claim *out);
/* A steady motion like `values` in which one symbol, of a parameter or of the state, has this value;
 * NULL: none was reached. */
frame *claimed_at(claimed *c, const frame *values, ah_expr symbol, double value);
/* All conditions of the claim and assumptions of the model? */
bool claimed_holds(claimed *c, frame *values);

#endif
