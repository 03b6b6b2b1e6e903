/* motion/motion_events.h - where along a motion the model's events happen.
 *
 * Between two accepted steps an event's g = e1 − e2 is a function of t through the continuous
 * output. It is sampled until a cubic through values and slopes foretells it, so that several roots
 * in one step are found; extremes nearest to zero are samples too. A crossing is a change from
 * clearly negative to clearly positive or back ("clearly": by more than EVENT_NEAR of the size that
 * g has had lately), located by Brent's method to the rounding of t. What comes that near to zero
 * and goes back has touched it: nobody could tell. */
#ifndef MOTION_MOTION_EVENTS_H
#define MOTION_MOTION_EVENTS_H
#include "../integrate/integrate.h"
#include "motion_state.h"

/* g within this part of its size is taken for zero … */
#define EVENT_NEAR 1e-9
/* … or within this multiple of the relative tolerance, if that is more. */
#define EVENT_NEAR_RTOL 10.0
/* … or what errors of so many tolerances make of it, where it comes to the other side: inside the long steps of what has died away they are
 * that large. */
#define EVENT_ERRORS 300.0
/* The size that counts as g's falls by this factor each step unless g renews it. */
#define EVENT_MEMORY 0.9

typedef struct motion_happening {
    const model_event *event;
    double t, value; /* value: what g is there; of a touch, how near */
    int direction;   /* of g as t grows: 1, -1; the side it touches zero from: 1 from below */
    bool touched;
    const double *y; /* until the next step */
} motion_happening;

typedef struct motion_watch motion_watch;

/* In the point's arena; NULL: there are no events, or *unknown is one that needs what a motion does
 * not give. g within `near` of its size is taken for zero, and what errors of so many tolerances make of it is on no side. */
motion_watch *motion_watch_create(motion_state *s, const model_event *event, size_t count,
                                  double near, double errors, const model_event **unknown);
/* `side`: of zero, where that is known better than the state tells (-1, 1; 0: it is not), of each
 * event; or NULL. */
void motion_watch_begin(motion_watch *w, double t, const double *y, const double *side);
/* Forces have changed their sides. */
void motion_watch_piece(motion_watch *w);
/* What happened in the step, in the order of the integration; records before a stop at the same t.
 * Returns how many. */
size_t motion_watch_step(motion_watch *w, const ivp_step *step, const motion_happening **out);
/* From t on angles turn faster than they are looked at. */
void motion_watch_tired(motion_watch *w, double t);
/* Notes for the end of a run: an event that was never defined everywhere, or never left zero; NULL:
 * nothing to say of event i. */
const char *motion_watch_remark(const motion_watch *w, size_t i, double *t);

#endif
