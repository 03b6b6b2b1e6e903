/* many/motion_lanes.h - several motions of a system at once, one in each lane of a vector: DOP853 and the system's
 * programs compiled together (compile/lanes.h).
 *
 * Lanes do what nearly all motions need: steps, projection onto the constraints, a glance at ranks. Whatever else may be
 * (a guard fails, a rank may be lost, steps collapse, there are too many of them) is trouble: the motion is then to be made
 * from its beginning by ah_motion_create, which knows what to do and what to say. Whether that is so, and the numbers
 * otherwise, depend on the motion alone and not on what is in the other lanes. */
#ifndef MANY_MOTION_LANES_H
#define MANY_MOTION_LANES_H
#include "../system/system.h"

/* Constraints may be violated by this part of the relative tolerance (of their terms) until states are moved back. */
#define LANES_RESIDUAL 0.1
/* Steps tried of one motion; what takes more is stiff, or long enough not to mind. */
#define LANES_STEPS 200000
/* A rank is suspected to be lost where D (motion_singular.c) falls below this part of its recent size. */
#define LANES_RANK 1e-5
/* Looks at a step in which a rank might be lost, where those at its stages do not tell. */
#define LANES_LOOKS 16

enum { MOTION_LANES_MOST = 2 * LANES_MOST };

typedef struct motion_lanes motion_lanes;

/* Of a system that the system's compiler has compiled, in the arena; NULL: it cannot be put on lanes, *why. `formulas`:
 * whether its outputs are asked for. */
motion_lanes *motion_lanes_create(const ah_system *s, arena *a, const lanes_kind *kind,
                                  const ivp_options *o, bool formulas, const char **why);
unsigned motion_lanes_count(const motion_lanes *w);
/* A motion into a lane. false: not for these parameters. */
bool motion_lanes_fill(motion_lanes *w, unsigned lane, const double *parameter, double t,
                       double end, const double *y);
/* Lanes that were filled are looked at: where they are in trouble already, they say so. */
void motion_lanes_enter(motion_lanes *w);
void motion_lanes_empty(motion_lanes *w, unsigned lane);
/* Steps in all lanes until one of them is done or in trouble; `most` of them at most. `looked_at`: motion_lanes_dense will be
 * called. */
void motion_lanes_go(motion_lanes *w, int most, bool looked_at);
/* The lanes that say so, bit by bit. */
unsigned motion_lanes_which(const motion_lanes *w, lane_row what);
double motion_lanes_get(const motion_lanes *w, lane_row what, unsigned lane);
/* Moves the states of those that are done onto the constraints as well as can be. */
void motion_lanes_finish(motion_lanes *w);

/* Of all lanes: formulas at their states, or at a part of their last steps (by lane), after
 * motion_lanes_dense. Row i of `out` is the i-th of all lanes. What has no value is NaN. */
void motion_lanes_outputs(motion_lanes *w, double *out);
void motion_lanes_dense(motion_lanes *w);
void motion_lanes_look(motion_lanes *w, motion_program which, const double *part, double *out);

/* Where a motion begins and ends, of parameters alone: t, y (n numbers) and the end of the span; then what must agree. NULL: it
 * must be searched for. */
const program *motion_start_program(const ah_system *s, arena *a);
bool motion_start_agrees(const program *start, size_t n, const double *out);

#endif
