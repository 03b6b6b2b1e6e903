/* motion/motion_unique.h - whether other motions begin where one does.
 *
 * A force with a root that is zero at the start, 12 sqrt(abs(x)) at x = x' = 0, has no bounded slope there, and x = 0 and x = t⁴ may both
 * follow. Where such a root is, motions from states beside the start are made for a short time: of a start with one motion they come as much
 * nearer to it as they begin nearer. */
#ifndef MOTION_MOTION_UNIQUE_H
#define MOTION_MOTION_UNIQUE_H
#include "motion_state.h"

/* The short time, and a shorter one, as parts of the span; the first step as a part of that, their number, and what each may err by, as a part of the way
 * that was made. */
#define UNIQUE_TIME    1e-2
#define UNIQUE_SHORTER 0.25
#define UNIQUE_FIRST   1e-12
#define UNIQUE_STEPS   2000
#define UNIQUE_ERROR   1e-2
/* How far beside a variable begins, twice: where it is zero, and as a part of it. */
#define UNIQUE_ZERO                                                                                \
    {                                                                                              \
        1e-20, 1e-26                                                                               \
    }
#define UNIQUE_PART                                                                                \
    {                                                                                              \
        1e-13, 1e-15                                                                               \
    }
/* Less than this part of the way of the motion itself is an error. */
#define UNIQUE_OFF 0.2
/* Two ways that end this part of each other, although one begins a hundredth as far away or less, are no errors that grow; nor is what has
 * grown that many times. */
#define UNIQUE_ALIKE 0.5
#define UNIQUE_GROWN 1e3

/* false: others begin at (t, y), as far as that is seen. The point is at that state before and after. */
bool motion_unique_start(motion_state *s, double t, const double *y);

#endif
