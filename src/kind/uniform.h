/* kind/uniform.h - whether what holds for general values of the parameters holds for all.
 *
 * A parameter without a value stands for all that the assumptions allow, and a function without a definition for all functions. What was
 * proved with letters for them holds where the constraints have the rank that they have in general: the states of others are limits
 * of such states. a x' = a y' is another constraint for a = 0 than for all other a: none. */
#ifndef KIND_UNIFORM_H
#define KIND_UNIFORM_H
#include "../model/model.h"

/* Is there a place at which A has this rank, whatever the free parameters and functions are? Entries may be put at a place only in
 * symbols that `bound` does not hold. */
bool uniform_rank(ah_model *m, arena *a, mat A, uint32_t rank, const expr_list *bound);
/* Is something without a value in one of these? */
bool uniform_has_free(ah_model *m, arena *a, const ah_expr *e, size_t count);
/* Have the constraints the rank that they have in general, whatever the free parameters and functions are? false: not that we know. */
bool uniform_constraints(ah_model *m, arena *a, uint32_t rank);

/* Have they the same components, whatever these are? */
bool uniform_components(ah_model *m, arena *a);

/* Polynomials in free parameters that all vanish where A has less than this rank, which it has in general; false: they are not known. */
bool uniform_exceptions(ah_model *m, arena *a, mat A, uint32_t rank, const expr_list *bound,
                        expr_list *out);
/* The same of the constraints, and of their components: several such sets, and those of the components alone. */
typedef LIST(expr_list) uniform_sets;
bool uniform_component_exceptions(ah_model *m, arena *a, uniform_sets *out);
bool uniform_constraint_exceptions(ah_model *m, arena *a, uint32_t rank, uniform_sets *out);
/* Polynomials in free parameters, factors of minors beside others: where one vanishes the constraints may have less rank. */
void uniform_suspects(ah_model *m, arena *a, uint32_t rank, expr_list *out);
/* All values that e = 0 gives a parameter: one, perhaps through others, where e is linear in it with a slope that is a number; two or none
 * where e holds nothing else and is of the second degree. false: they are not known. */
typedef struct uniform_values {
    size_t count;
    ah_expr value[2];
} uniform_values;
bool uniform_solve(ah_model *m, ah_expr e, ah_expr *symbol, uniform_values *out);
/* Parameters at values. */
typedef struct uniform_special {
    expr_list symbol, value;
} uniform_special;
typedef LIST(uniform_special) uniform_specials;
/* Adds all values at which the equations hold, and which the assumptions may allow. false: they are not known, or too many. */
bool uniform_list_values(ah_model *m, arena *a, const expr_list *equations, uniform_specials *out);

/* Do constraints hold functions of velocities, and could not be taken apart? Then such values are not all found. */
bool uniform_hides_values(ah_model *m, arena *a);

/* What is left of a constraint at rest, with the declared values. */
ah_expr uniform_drift(ah_model *m, arena *a, ah_expr c);
/* Of a view with special values: constraints that say nothing any more are left out; how many. x' = p is linear for p = 0. */
size_t uniform_leave_out_empty(ah_model *view, arena *a);
/* Do the assumptions about parameters allow the values? `alg` is not the view's, which may know that 0 > 0. */
ah_truth uniform_is_allowed(ah_model *view, algebra *alg, arena *a);

#endif
