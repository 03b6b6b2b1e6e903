/* motion/motion_noise.c - see motion_noise.h. */
#include "motion_noise.h"

#include "../numeric/numeric.h"

#include <float.h>
#include <math.h>

/* Each variable is changed by up to so many roundings, … */
#define NOISE_ROUNDINGS 4
/* … so many times. */
#define NOISE_SHAKES 4
/* What is so much less than the largest of all multipliers is noise, too. */
#define NOISE_OTHERS 1e-15

static double plan_at(motion_state *s, const expr_plan *value, motion_level level, double t,
                      const double *y)
{
    double g[2] = {NAN, NAN};
    motion_state_put(s, level, t, y);
    expr_plan_run(value, s->p->values, g);
    return g[0];
}

double motion_noise_of(motion_state *s, const expr_plan *value, motion_level level, double t,
                       const double *y, const double *besides, double *shaken)
{
    states_rng rng = probe_seed(3);
    const double here = plan_at(s, value, level, t, y);
    double most = 0;
    for (int k = 0; k < NOISE_SHAKES; k++) {
        for (size_t i = 0; i < s->code.n + s->code.m; i++)
            shaken[i] =
                y[i] + ((besides ? besides[i] : 0) + NOISE_ROUNDINGS * DBL_EPSILON * fabs(y[i])) *
                           probe_uniform(&rng, -1, 1);
        most = fmax(most, fabs(plan_at(s, value, level, t, shaken) - here));
    }
    return most;
}

double motion_noise_of_others(const motion_state *s)
{
    double most = 0;
    for (uint32_t i = 0; s->multipliers && i < s->p->mech->r; i++)
        if (isfinite(s->multipliers[i])) most = fmax(most, fabs(s->multipliers[i]));
    return NOISE_OTHERS * most;
}
