/* model/model.h - the checked system, for the modules above. Public calls: anholo/model.h. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H
#include "../written/written.h"

/* In the given context itself: what is made for the model with this context is of one pool. */
ah_model *model_create_in(ah_ctx *ctx, const char *title);
void model_hold(ah_model *m);
void model_let_go(ah_model *m);
/* A finished model in a context of its own, in which questions are asked: handles mean the same
 * there, what is made there goes with it, and the model stays as long. Work on it runs under
 * model_guard. AH_E_INPUT: there is no model, or it is not finished (A0904). */
ah_status model_fork(ah_model *m, ah_model **out);
/* The same inside another context, which may be another thread's: made and destroyed in the thread of
 * the model, and used in the other one as long as the model does not change. */
ah_status model_fork_into(ah_model *m, ah_ctx *around, ah_model **out);
void model_fork_destroy(ah_model *fork);
/* Is its model as it was when the fork was made? Of what may change after it is finished: values, inputs, and
 * what is added. */
bool model_fork_is_like(const ah_model *fork);
/* model_answer on a fork that the model keeps until the same call is made again: `work` gets it by
 * *fork, and what it gives back may lie there. */
ah_status model_guard_fork(ah_model *m, model_call call, ah_format format, ah_model **fork,
                           void (*work)(ah_ctx *ctx, void *arg), void *arg);
/* With the model. */
void model_forks_destroy(ah_model *m);
/* ctx_guard in the model's context, for a model that is there and finished (A0904). */
ah_status model_guard(ah_model *m, void (*work)(ah_ctx *ctx, void *arg), void *arg);
/* The same for an answer that is written as AH_TEXT or AH_JSON, and nothing else (A0904). */
ah_status model_answer(ah_model *m, ah_format format, void (*work)(ah_ctx *ctx, void *arg),
                       void *arg);

/* The ordinary size of an expression, in powers of two: one, unless the text of the model lives in units that
 * are far from it. */
double model_size(ah_model *m, ah_expr e);
/* Velocity parameters and their rates through velocities and accelerations: on the velocities that the form gives, where
 * it is linear in them. False: it is not, or gave up. */
bool model_put_speeds(ah_model *m, ah_expr *e, size_t count);
/* Are there functions without a body? */
bool model_is_general(const ah_model *m);
/* The same finished system with polynomials in their place; *says which. And a claim about it. */
ah_model *model_instance(ah_model *m, uint64_t seed, const char **says);
/* With constants in their place: all zero, all one, then each of several alone zero; NULL: that were all. */
ah_model *model_constant_instance(ah_model *m, size_t which, const char **says);
model_claim model_claim_of(ah_model *instance, const model_claim *c);
/* Inputs (inputs.c): the same finished system with its inputs put in, the model itself where it has
 * none; and with numbers in their place, which are parameters. */
bool model_has_inputs(const ah_model *m);
/* The first input that is, for numbers, no constant; or NULL. */
const char *model_moving_input(ah_model *m);
ah_model *model_driven(ah_model *m);
ah_model *model_fed(ah_model *m);
/* The same finished system, with a parameter for the side of everything at which its forces switch
 * (pieces.c); the model itself where they do not. What it says besides is the model's. */
ah_model *model_pieces(ah_model *m);
/* For code of its own, which has its inputs driven as the model says (model_fed): it ends its steps where these change, too, and what switches
 * at times that are known beforehand is left as it is, since steps end there. */
ah_model *model_pieces_alone(ah_model *m);
/* The times at which it changes, if it was made; none otherwise. */
const expr_list *model_breaks(ah_model *m);
/* Accelerations, rates of speeds or forces of constraints stand in e: at a time at which something changes rows show it just behind. */
bool model_follows_forces(ah_ctx *ctx, ah_expr e);
/* The inertia of bodies that stand on each other, without the full M (tree.c): with w the velocities of the bodies, a few
 * numbers each,
 *
 *     M = Aᵀ D A,   w = A q',   D block by block,   w_b − X_b w_parent − S_b q' = 0
 *
 * `M` is D and what `kinetic` adds, `J` has the rows of the last equation, both by (w, q'). */
typedef struct model_tree {
    struct sparse_tree shape;
    uint32_t unknowns; /* the numbers w */
    mat M, J;
} model_tree;
/* NULL: there is no such tree, or M is as short (docs/decisions/0019-trees.md). */
const model_tree *model_tree_of(ah_model *m);
/* Rows by q' as rows by (w, q'), below those of the tree; and what stands on their right. */
mat model_tree_rows(ah_model *m, arena *a, const model_tree *t, mat rows);
mat model_tree_right(ah_model *m, arena *a, const model_tree *t, mat column);
/* [M Jᵀ; J 0] of the tree with such rows by q', in the order of the bodies from the last to the first: eliminated row by
 * row it stays as sparse as it is. */
mat model_tree_kkt(ah_model *m, arena *a, const model_tree *t, mat rows);

/* Mass matrix ∂²T/∂v². */
mat model_mass(ah_model *m, arena *a);
/* Row a of J: ∂c/∂q of a holonomic constraint, ∂c/∂v of one on velocities, ∂c/∂a of one on
 * accelerations. */
mat model_rows(ah_model *m, arena *a);
/* The constraints, what others may follow from before what may follow from them: holonomic ones, then those on velocities,
 * of each the linear ones first (a product follows from its factor, and not the factor from the product); else as
 * they were written. */
uint32_t *model_constraint_order(ah_model *m, arena *a);
/* The rank of rows that doubles found to be `found`: more where the formulas say so at a general place, all places being admissible. A
 * coefficient of 1e-15 beside y is lost in doubles. `rows` (NULL: not asked) get independent ones where it is more. */
uint32_t model_exact_rank(ah_model *m, arena *a, mat J, uint32_t found, uint32_t *rows);
/* Rank of J, a row a constraint, at general states of the constraint set: on the component where it
 * is largest. Off the set it may be larger: (x' + 2y')(y' − z') = 0 follows from x' = 0 and y' = 0,
 * but is independent of them where these do not hold. `enough` ends the search and is the answer
 * where no state is found; less than that: `rows` (room for all) gets as many independent rows.
 * A row that is empty wherever the others hold counts: such states are singular.
 * *firm: none of them is a product's, which vanishes on some components. */
uint32_t model_rank_on_set(ah_model *m, arena *a, mat J, uint32_t enough, uint32_t *rows,
                           bool *firm);
/* ∂ψ/∂z of the velocity form; n × 0 without one. */
mat model_psi_matrix(ah_model *m, arena *a);
/* The system whose states are all that the constraints admit: m, or a view without its velocity form where that may leave some out.
 * `jumps`: something is asked that is not continuous. */
ah_model *model_of_all_velocities(ah_model *m, bool jumps);
/* Is there a sign or an angle in one of these? What is made of min, max, step and if holds signs. */
bool model_jumps(ah_ctx *ctx, const ah_expr *e, size_t count);
/* [M Jᵀ; J 0]. */
mat model_kkt(ah_ctx *ctx, arena *a, mat M, mat J);

/* An input: a function of t that stays open where formulas are wanted, and is `value` for numbers. */
ah_expr model_add_input(ah_model *m, const char *name, ah_expr value, ah_span span);
void model_set_input(ah_model *m, const char *name, ah_expr value, ah_span span);
/* `velocity v, w: …` of inputs v, w: they become velocity parameters of a model without kinetic
 * energy. false: there is no such input. */
bool model_input_as_speed(ah_model *m, const char *name, ah_span span);
/* u, or a derivative of it. */
ah_expr model_input(ah_model *m, const char *name, unsigned order);
/* Works out T, V, F, orders and classes; reports what is wrong. */
void model_finish(ah_model *m);

/* The rest of what other modules see of this one. */
#include "newton.h"
#include "probe.h"

#endif
