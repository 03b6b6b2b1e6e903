/* motion/motion_run.h - the motion of a model: its equations by one method, integrated. */
#ifndef MOTION_MOTION_RUN_H
#define MOTION_MOTION_RUN_H
#include "../compile/compile.h"
#include "../integrate/integrate.h"
#include "motion_events.h"

/* One sample: the point holds t, q, v, z, ω, accelerations, z', ω' and what the derivation makes. */
typedef struct motion_sample {
    point *point;
    const double *multipliers, *reaction; /* NULL where they do not exist */
    double energy, residual, shown; /* shown: when forces were looked at, t or just beside it */
} motion_sample;

/* Called as the motion goes; false stops it. Each may be NULL. */
typedef struct motion_sinks {
    bool (*sample)(void *user, const motion_sample *sample);
    bool (*event)(void *user, const motion_happening *what, const motion_sample *sample);
    void *user;
} motion_sinks;

/* A quantity that a claim calls constant. */
typedef struct motion_constant {
    const char *label;
    double start, end, change; /* change: the largest */
    double size;               /* largest Σ|terms| met: what the change is measured by */
} motion_constant;

/* What the model assumes of its states. */
typedef struct motion_assumption {
    ah_expr e;
    bool positive; /* e > 0; else e != 0 */
    double broken; /* the first row where it does not hold, NAN: it held in all */
} motion_assumption;

/* What became of an event of the model. */
typedef struct motion_count {
    uint64_t crossed, touched;
    const char *remark; /* or NULL */
    double remark_t;
} motion_count;

typedef struct motion_summary {
    ivp_result result;
    ah_status status;    /* AH_E_LIMIT and AH_E_INTERRUPTED: the run was cut short */
    const char *stopped; /* reason, or NULL */
    const char *refused; /* nothing has been done: why, "" where that has been reported; or NULL */
    const model_event *stopped_by; /* the event that the user wanted to stop at, or NULL */
    double stiff_from;             /* the automatic choice went over to BDF there; NAN: nowhere */
    engine_kind engine;            /* at the end */
    double t, *q, *v;              /* the final state */
    double energy_start, energy_end, energy_change;
    double energy_size; /* largest |T| + |V| met: what the change is measured by */
    double residual;    /* the largest met */
    double seconds;     /* of the integration alone, samples included */
    uint64_t pivoted;   /* evaluations that needed pivoting (sheet/run.h) */
    size_t constants;
    motion_constant *constant;
    size_t assumptions;
    motion_assumption *assumption;
    bool others;         /* begin at the start, too */
    motion_count *event; /* as many as the model has */
} motion_summary;

/* From the point's state; `reactions` is the method `multipliers`, prepared (it may refuse). false:
 * an event cannot be watched (diagnostics say why), or the integrator does not apply
 * (out->refused).
 */
bool motion_run(const eval_method *method, const eval_method *reactions, point *p,
                const motion_options *options, const motion_sinks *sinks, motion_summary *out);

/* The same step by step, in the point's arena; NULL: as above. `options`, `sinks` and `out` must
 * stay. No samples are given. */
typedef struct motion_course motion_course;
motion_course *motion_open(const eval_method *method, const eval_method *reactions, point *p,
                           const motion_options *options, const motion_sinks *sinks,
                           motion_summary *out);
/* IVP_STEPPED, or how the motion has ended. */
ivp_end motion_step(motion_course *w);
/* Whether the last step ends at the end of the span. */
bool motion_reached(const motion_course *w);
/* Goes on from another state. */
void motion_restart(motion_course *w, double t, const double *y);
/* After the end: the summary. */
void motion_close(motion_course *w, ivp_end end);
motion_state *motion_get_state(motion_course *w);
/* The last step, NULL: none yet; *until: how far it counts. */
const ivp_step *motion_last_step(const motion_course *w, double *until);
/* The state now: the end of the last step, not projected. */
const double *motion_now(const motion_course *w);
ivp_result motion_counts(const motion_course *w);

/* The engine, the integrator of this name (NULL: auto); reports one that does not exist (A0612). */
bool motion_find_engine(ah_ctx *ctx, const char *wanted, engine_kind *out);
bool motion_find_integrator(ah_ctx *ctx, const char *wanted, ivp_kind *out);
/* Finite, not negative, not both zero; A0904 otherwise. */
bool motion_tolerances_make_sense(ah_ctx *ctx, double rtol, double atol);

#endif
