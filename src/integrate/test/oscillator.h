/* The oscillator y = (sin t, cos t), which every stepper is tried on. */
#ifndef INTEGRATE_TEST_OSCILLATOR_H
#define INTEGRATE_TEST_OSCILLATOR_H
#include "../integrate.h"

#include <math.h>

static inline bool oscillator(void *user, double t, const double *y, double *dy)
{
    (void) user, (void) t;
    dy[0] = y[1];
    dy[1] = -y[0];
    return true;
}

static inline bool oscillator_jet(void *user, double t, uint32_t order, double *y)
{
    (void) user, (void) t;
    for (uint32_t k = 1; k <= order; k++) {
        y[2 * k] = y[2 * k - 1] / k;
        y[2 * k + 1] = -y[2 * k - 2] / k;
    }
    return true;
}

/* Projection onto the circle. */
static inline void to_circle(void *user, double t, double *y, bool *moved)
{
    (void) t;
    const double r = hypot(y[0], y[1]);
    *moved = fabs(r - 1) > 1e-15;
    if (!*moved) return;
    ++*(int *) user;
    y[0] /= r;
    y[1] /= r;
}

typedef struct watch {
    double worst;
    size_t steps, detours; /* detours: not of the Taylor method */
} watch;

/* Against the closed form, also between the steps. */
static inline bool compare_inside(void *user, const ivp_step *step)
{
    watch *w = user;
    for (int i = 0; i <= 10; i++) {
        const double t = step->t0 + (step->t1 - step->t0) * i / 10;
        double y[2];
        step->at(step->stepper, t, y);
        w->worst = fmax(w->worst, fabs(y[0] - sin(t)));
    }
    w->detours += step->kind != IVP_TAYLOR;
    w->steps++;
    return true;
}

#endif
