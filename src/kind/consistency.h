/* kind/consistency.h - which constraints depend on which, and which contradict each other. */
#ifndef KIND_CONSISTENCY_H
#define KIND_CONSISTENCY_H
#include "../numeric/numeric.h"
#include "../model/model.h"

typedef struct consistency_row {
    eliminate_verdict verdict;
    size_t depends; /* of a row that is not independent: the constraints whose combination it is */
    const uint32_t *on;
    const double *weight; /* of each row above in it, where combinations are wanted */
} consistency_row;

/* On the accelerations, J a + γ = 0, at admissible states: one verdict a constraint (from the state
 * where most are independent), and the rank. Constraints that contradict others at every state are
 * reported (A0417). */
consistency_row *analyse_consistency(ah_model *m, arena *a, const probe_states *states,
                                     uint32_t *rank);
/* Another constraint of which it is a multiple, of two that are multiples of each other the earlier one; NULL: none that we
 * know. */
const model_constraint *consistency_follows(ah_model *m, const model_constraint *c);
/* Warns (A0423) of constraints like (x' − y)² = 0: their reactions are not determined. */
void analyse_degenerate(ah_model *m, arena *a, const probe_states *states);
/* No admissible state was found: reports why if that can be seen (A0417), otherwise warns (A0418).
 */
void analyse_no_states(ah_model *m, arena *a, probe *p);

/* How constraints that contradict each other at general places may be meant. */
void consistency_hint(ah_model *m, arena *a);

#endif
