/* many/lane_events.h - inside the module: events of a motion on a lane.
 *
 * Clear cases alone: g is looked at in Chebyshev's points of a step, must be a polynomial through them as far as can be
 * seen, and changes its sign clearly or stays clearly away from zero. All else (what touches zero, is not defined, or
 * wiggles) is for the motion that motion_events.c watches. */
#ifndef MANY_LANE_EVENTS_H
#define MANY_LANE_EVENTS_H
#include "motion_lanes.h"
#include "reduce.h"

typedef struct lane_event {
    const char *label;
    double t;
    bool stop;
} lane_event;

typedef struct lane_events lane_events;

/* NULL: the model has none. `first`: those of the first lane, NULL for itself. */
lane_events *lane_events_create(const ah_system *s, motion_lanes *lanes, unsigned lane, double rtol,
                                const lane_events *first, arena *a);
/* At the beginning of a motion. */
void lane_events_begin(lane_events *w);
/* At the last steps of all lanes, by that of the first; after motion_lanes_dense. */
void lane_events_look(lane_events *w);
/* What happened in the last step, in order, up to *until: where a `stop` ends the motion, NAN where none does. false: it is not
 * clear. */
bool lane_events_step(lane_events *w, const lane_event **found, size_t *count, double *until);

#endif
