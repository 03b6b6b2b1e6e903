/* real/cases.h - the real solutions of equations, as a list of cases. */
#ifndef REAL_CASES_H
#define REAL_CASES_H
#include "../model/model.h"

typedef struct cases {
    size_t count;
    expr_list *at; /* each: expressions that vanish together; together they are all solutions */
    bool generic;  /* parameters without a value were taken to be general, not zero */
} cases;

/* Splits the set where all the expressions vanish: factors, sums of squares, one unknown after the
 * other. What the algebra's facts exclude is left out, as is what is contained in another case. An
 * equation that none of this takes apart stays as it is, so a case may be empty all the same. False
 * when there are too many. */
bool cases_split(ah_model *m, arena *a, algebra *alg, const ah_expr *equations, size_t count,
                 cases *out);

#endif
