/* integrate/stiffness.h - is it accuracy or stability that limits the steps? [HW, IV.2]
 *
 * An explicit method is limited by stability when h |λ| comes to the edge of its region of
 * stability, λ the largest eigenvalue of ∂f/∂y. That is found by power iteration on differences of
 * f along the way, one iteration a look: two evaluations of f now and then. Where that is large,
 * further iterations at the same state tell an eigenvalue from mere coupling of large and small
 * components, which does not last. Looks are counted, not timed, so that a run repeats itself. */
#ifndef INTEGRATE_STIFFNESS_H
#define INTEGRATE_STIFFNESS_H
#include "integrate.h"

typedef struct stiffness {
    const ivp *problem;
    double floor;                  /* size of y below which it counts as zero: atol/rtol */
    double *direction, *f, *other; /* n each */
    bool started;
    uint32_t rest; /* steps until the next look */
    uint32_t yes, no;
} stiffness;

void stiffness_init(stiffness *s, arena *a, const ivp *problem, const ivp_options *options);
/* After a method has been changed: begins to count anew. */
void stiffness_restart(stiffness *s);
/* After an accepted step of an explicit method: true when steps have been at the edge of stability,
 * h |λ| > limit, for long enough. */
bool stiffness_seen(stiffness *s, const ivp_step *step, double limit);
/* After a step of an implicit method: true when an explicit one would do as well. */
bool stiffness_gone(stiffness *s, const ivp_step *step);

#endif
