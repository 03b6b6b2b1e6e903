/* state/second_class.h - accelerations under constraints that are not linear in them.
 *
 *     M a = L + Σ λ ∂c/∂a,   c(a) = 0      [H, section 252]
 *
 * at one state: the stationary points of Gauss' function ½ (a − a_f)ᵀ M (a − a_f), M a_f = L, on
 * c = 0. Where c is polynomial (or a quotient of polynomials) in a all real ones are found exactly;
 * otherwise they are searched for. */
#ifndef STATE_SECOND_CLASS_H
#define STATE_SECOND_CLASS_H
#include "../derive/derive.h"

/* Two values of Gauss' function that differ by less than this part of them are equal. */
#define SECOND_CLASS_TIE 1e-9

typedef struct second_class_branch {
    double *qddot;       /* n */
    double *multipliers; /* r, in the order of the model's constraints; NaN where none exist */
    double gauss;
    const char *kind; /* "minimum", "maximum", "saddle", "degenerate" */
} second_class_branch;

typedef struct second_class_answer {
    size_t count; /* least Gauss function first */
    second_class_branch *branch;
    bool unique;         /* the least one is alone */
    bool complete;       /* there can be no others … */
    bool singular_known; /* … nor points where multipliers do not exist, but those in the list */
} second_class_answer;

/* At a state; the answer is in the arena. false: *why says why there is none. */
bool second_class_solve(ah_model *m, const frame *values, arena *a, second_class_answer *out,
                        const char **why);

/* Are all numbers of the problem rational at the state, so that the answer is exact? */
bool second_class_rational(ah_model *m, const frame *values);
/* M a = L + Σ λ ∂c/∂a, c = 0: as many equations as accelerations and multipliers. Constraints that
 * are linear in a stand in J a + γ. */
void second_class_equations(ah_model *m, arena *a, const ah_expr *lambda, ah_expr *equation);

/* One branch followed by continuity from state to state: Newton's method along the straight way
 * between them. It ends where it meets another one, that is where the matrix of the linearised
 * equations becomes singular. */
typedef struct second_class_follower second_class_follower;
second_class_follower *second_class_follow(ah_model *m, const frame *values,
                                           const second_class_branch *begin, arena *a);
/* At a state; qddot (n) and multipliers (r) are the follower's own. False: the
 * branch does not go there. No memory is taken. */
bool second_class_next(second_class_follower *f, const frame *values, const double **qddot,
                       const double **multipliers);

#endif
