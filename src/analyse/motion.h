/* analyse/motion.h - the motion of a model: its equations by one method, integrated. */
#ifndef ANALYSE_MOTION_H
#define ANALYSE_MOTION_H
#include "../compile/engine.h"
#include "../integrate/integrate.h"
#include "eval.h"

typedef struct motion_options {
    double t0, t1;
    ivp_options tolerance;
    size_t samples; /* evenly spaced, both ends included; 0: use every */
    double every;   /* distance of samples */
    engine_kind engine;
    ivp_kind integrator;
} motion_options;

/* One sample: the point holds t, q, v, z, ω; what the constraints exert besides. */
typedef struct motion_sample {
    point *point;
    const double *multipliers, *reaction; /* NULL where they do not exist */
    double energy, residual;
} motion_sample;
typedef bool (*motion_sink)(void *user, const motion_sample *sample); /* false stops */

typedef struct motion_summary {
    ivp_result result;
    ah_status status;    /* AH_E_LIMIT and AH_E_INTERRUPTED: the run was cut short */
    const char *stopped; /* reason, or NULL */
    const char *refused; /* why the integrator does not apply: nothing has been done; or NULL */
    engine_kind engine;  /* at the end */
    double t, *q, *v;    /* the final state */
    double energy_start, energy_end, energy_change;
    double residual;  /* the largest met */
    double seconds;   /* of the integration alone, samples included */
    uint64_t pivoted; /* evaluations that needed pivoting (compile/run.h) */
} motion_summary;

/* Projection waits until the residual (relative to the terms) is this large: a few roundings. */
#define MOTION_RESIDUAL 2e-15

/* From the point's state; `reactions` is the method `multipliers`, prepared (it may refuse). */
void motion_run(const eval_method *method, const eval_method *reactions, point *p,
                const motion_options *options, motion_sink sink, void *user, motion_summary *out);

#endif
