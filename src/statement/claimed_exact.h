/* statement/claimed_exact.h - the steady motions of a claim with symbols, for the files that judge them. */
#ifndef STATEMENT_CLAIMED_EXACT_H
#define STATEMENT_CLAIMED_EXACT_H
#include "claimed.h"

typedef LIST(stability_answer) motions;

typedef struct exact {
    claimed *c;
    const characteristic *f; /* with the named values */
    algebra_fact *facts;
    size_t count;
    bool explained; /* the zeros are those of the family */
} exact;

/* Everything with the named values and the declared parameters. */
ah_expr claimed_put(claimed *c, reduced *w, ah_expr e);
/* `characteristic p in s`; x is NULL where there are no symbols. */
void polynomial_judge(claimed *c, const motions *found, const exact *x, verify_claim *out);

#endif
