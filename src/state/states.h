/* state/states.h - random admissible states at which the motion is well determined.
 *
 * Parameters stand at their values (symbolic ones, t, q and v are drawn, assumptions respected);
 * holonomic constraints, their derivatives and the constraints on velocities hold to round-off
 * (|C_a| ≤ 1e-14 Σ|terms|); z and ω belong to v (z is drawn where the model has velocity
 * parameters). States where the constraints lose rank, or where one of the linear systems of the
 * motion is nearly singular, are passed over. Unspecified functions count as those of
 * model_put_samples. The same seed gives the same states. */
#ifndef STATE_STATES_H
#define STATE_STATES_H
#include "../numeric/numeric.h"
#include "../model/model.h"

/* Reciprocal condition number (after scaling rows and columns) below which a state is passed over:
 * it leaves ten digits to the methods that are compared. */
#define STATES_RCOND 1e-6

/* The same for states that are wished for: what is asked there does not rest on doubles alone. */
#define STATES_FAR_RCOND 1e-12

typedef probe_rng states_rng;
typedef struct states states;

/* For a finished model. Make all expressions that are to be evaluated before the values. */
states *analyse_states_create(ah_model *m, arena *a);
/* States of one component of the constraint set (real/components.h). */
struct component;
states *analyse_states_create_on(ah_model *m, arena *a, const struct component *c);
/* Admissible ones of every component, `each` of them; not all need be regular. `admissible` tells
 * whether every component has some. */
struct components;
probe_states analyse_states_of_components(ah_model *m, arena *a, const struct components *c,
                                          size_t each);
/* Do the equations that tell its component from the others hold at this one? */
bool analyse_is_on_component(states *s, const frame *values);
/* False when no such state was found. */
bool analyse_random_state(states *s, states_rng *rng, frame *values);
/* One that is drawn in a certain way; far states are taken up to STATES_FAR_RCOND. */
bool analyse_wished_state(states *s, states_rng *rng, const probe_wish *wish, frame *values);
/* The same, regular or not. */
bool analyse_wished_place(states *s, states_rng *rng, const probe_wish *wish, frame *values);
/* Do the constraints lose rank at states that were drawn without any regard to it? Singular states
 * are not met by chance: they then fill an open set (|x'| + x' = 0 leaves x' < 0 free), or their
 * independence was round-off. */
bool analyse_states_uneven(states *s);
/* Of the state drawn last. */
double analyse_state_rcond(const states *s);

#endif
