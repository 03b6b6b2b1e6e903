/* motion/motion_noise.c - see motion_noise.h. */
#include "motion_noise.h"

#include <float.h>
#include <math.h>

static double value_at(motion_state *s, const expr_plan *value, motion_level level, double t,
                       const double *y)
{
    double g[2] = {NAN, NAN};
    motion_state_put(s, level, t, y);
    expr_plan_run(value, s->p->values, g);
    return g[0];
}

double motion_noise(motion_state *s, const expr_plan *value, motion_level level, double t,
                    const double *y, double *shaken)
{
    states_rng rng = probe_seed(3);
    const double here = value_at(s, value, level, t, y);
    double most = 0;
    for (int k = 0; k < NOISE_SHAKES; k++) {
        for (size_t i = 0; i < s->code.n + s->code.m; i++)
            shaken[i] = y[i] * (1 + NOISE_ROUNDINGS * DBL_EPSILON * probe_uniform(&rng, -1, 1));
        most = fmax(most, fabs(value_at(s, value, level, t, shaken) - here));
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
