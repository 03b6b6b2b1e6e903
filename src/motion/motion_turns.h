/* motion/motion_turns.h - steps that turn far, in parts.
 *
 * A body that spins steadily has a state that hardly changes but for its angle, which grows evenly: steps may then take whole
 * turns, and what comes and goes with each of them, a force, a factor of a constraint, looks the same at both ends. Whoever looks
 * into a step is given parts of it, one after the other, in which no argument of a sine or cosine changes by much. */
#ifndef MOTION_MOTION_TURNS_H
#define MOTION_MOTION_TURNS_H
#include "motion_state.h"

/* In radians. Squares and products of sines turn several times as far. */
#define TURNS_MOST 1.5
/* A step of more than so many parts is a long one; … */
#define TURNS_MANY 64
/* … when long ones have had so many in all, a few seconds' work, or one wants that many, they have TURNS_MANY and no more. */
#define TURNS_SPENT 2000000

typedef struct motion_turns motion_turns;

/* Of sines and cosines of places and time in the model, and of unit quaternions. In the point's arena; NULL: there are none. */
motion_turns *motion_turns_create(motion_state *s);
/* How many parts the step has; 1 for w == NULL. */
size_t motion_turns_parts(motion_turns *w, const ivp_step *step);
/* Whether parts have been longer than TURNS_MOST since some step. */
bool motion_turns_tired(const motion_turns *w);
/* Whether such sines and cosines stand in e. */
bool motion_turns_in(ah_ctx *ctx, ah_expr e);
/* The i-th of them, which is there until the next is asked for. Of the ends, rates are known to the whole step alone. */
ivp_step motion_turns_part(motion_turns *w, const ivp_step *step, size_t i, size_t parts);

#endif
