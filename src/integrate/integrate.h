/* integrate/integrate.h - initial value problems y' = f(t, y). Knows no mechanics: it takes
 * callbacks. */
#ifndef INTEGRATE_INTEGRATE_H
#define INTEGRATE_INTEGRATE_H
#include "../base/base.h"

typedef struct ivp {
    uint32_t n;
    void *user;
    /* dy = f(t, y); false: f does not exist there. */
    bool (*rhs)(void *user, double t, const double *y, double *dy);
    /* After an accepted step (may be NULL): may move y onto an invariant manifold and sets *moved
     * when it did. */
    void (*project)(void *user, double t, double *y, bool *moved);
} ivp;

typedef enum ivp_end {
    IVP_REACHED,   /* the end of the span */
    IVP_STOPPED,   /* the observer said so */
    IVP_UNDEFINED, /* f does not exist, whatever the step */
    IVP_COLLAPSED, /* the step size fell to rounding */
    IVP_TOO_LONG,  /* the number of steps allowed is used up */
} ivp_end;

typedef struct ivp_options {
    double rtol, atol;
    double first_step;   /* 0: chosen */
    double largest_step; /* 0: none */
    uint64_t most_steps; /* 0: no limit */
} ivp_options;

/* One accepted step with its continuous output. */
typedef struct ivp_step {
    double t0, t1;
    const double *y0, *y1; /* y1 before projection */
    const void *stepper;
    void (*at)(const void *stepper, double t, double *y); /* anywhere in [t0, t1] */
} ivp_step;

/* Called after each accepted step; false stops. */
typedef bool (*ivp_observer)(void *user, const ivp_step *step);

typedef struct ivp_result {
    ivp_end end;
    double t;
    uint64_t steps, rejected, evaluations;
} ivp_result;

/* Integrates from t0 to t1 (either direction); y is the state at t0 and becomes the one at the end.
 * No allocation inside a step. */
ivp_result ivp_dop853(ah_ctx *ctx, const ivp *problem, const ivp_options *options, double t0,
                      double t1, double *y, ivp_observer observer, void *user);

#endif
