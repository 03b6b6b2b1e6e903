/* anholo/motion.h - a motion of a system, step by step, and a whole one as columns of numbers.
 *
 * A motion is made from a system (anholo/system.h) and a state. It makes steps of its own size;
 * between the ends of the last one the state can be had at any time. Parameters and the state may
 * be changed from outside between two steps. A motion belongs to the thread of the model's context.
 *
 *     while (!ah_motion_ended(m) && ah_motion_step(m) == AH_OK) …
 */
#ifndef ANHOLO_MOTION_H
#define ANHOLO_MOTION_H
#include <anholo/system.h>

typedef struct ah_motion ah_motion;

typedef struct ah_motion_options {
    size_t size;              /* of this struct: ah_motion_defaults sets it */
    const char *integrator;   /* as for ah_simulate; NULL, "auto": chosen */
    double rtol, atol;        /* 1e-10, 1e-12 */
    double t;                 /* where it begins; NaN: where the model does */
    const double *y;          /* the state there; NULL: the model's start */
    const double *parameters; /* NULL: the model's */
    double end;               /* where it ends, in either direction; NaN: where the model says */
    bool project;             /* y is moved to the nearest admissible state first */
    double largest_step;      /* 0: none */
    uint64_t most_steps;      /* 0: no limit */
    double every;             /* of ah_trajectory_create without samples: the distance of rows */
} ah_motion_options;

AH_API ah_motion_options ah_motion_defaults(void);

/* AH_E_INPUT: an option is wrong, the state contradicts the constraints. AH_E_REFUSED: the
 * integrator does not apply. */
AH_API ah_status ah_motion_create(ah_system *s, const ah_motion_options *options, ah_motion **out);
AH_API void ah_motion_destroy(ah_motion *m);

/* One step. AH_OK also where the step reaches the end or a stop of the model, and when the motion
 * has ended before: then nothing is done. AH_E_NUMERIC: it cannot go on (ah_motion_why);
 * AH_E_LIMIT: most_steps or the context's time are used up. */
AH_API ah_status ah_motion_step(ah_motion *m);
/* Steps until the last one reaches t or beyond; the state there is that of ah_motion_state_at.
 * AH_E_NUMERIC: the motion ended before; AH_E_INPUT: t is behind the last step, or beyond the end.
 */
AH_API ah_status ah_motion_advance(ah_motion *m, double t);
AH_API bool ah_motion_ended(const ah_motion *m);
/* Why the motion ended before its time: "event …", "a singular state: …"; NULL: it did not. */
AH_API const char *ah_motion_why(const ah_motion *m);

AH_API double ah_motion_time(const ah_motion *m);        /* now: the end of the last step */
AH_API double ah_motion_time_before(const ah_motion *m); /* its beginning */
/* On the constraints. */
AH_API ah_status ah_motion_state(ah_motion *m, double *y);
/* Anywhere in the last step, both ends included, by its continuous output. AH_E_INPUT: t is
 * elsewhere. */
AH_API ah_status ah_motion_state_at(ah_motion *m, double t, double *y);

/* Goes on from another state, or with other parameters (NULL: those it has), towards the end that the motion has. AH_E_INPUT as
 * for ah_motion_create, or t lies beyond that end; the motion is then as before. */
AH_API ah_status ah_motion_restart(ah_motion *m, double t, const double *y,
                                   const double *parameters);

/* What happened since the call before: in the last step of ah_motion_step; with ah_motion_advance, until its t. What lies
 * beyond that in the last step (a stop, too, though ah_motion_ended says that no step comes after it) is told by the call
 * that passes it, or is forgotten with a restart. */
typedef struct ah_event {
    const char *label;
    double t;
    double value;  /* what is left of zero */
    int direction; /* 1: growing, -1: falling, as t grows */
    bool touched;  /* zero was touched, and not clearly crossed */
    bool stop;     /* the motion ends there */
} ah_event;
AH_API size_t ah_motion_events(const ah_motion *m);
AH_API ah_status ah_motion_event(const ah_motion *m, size_t index, ah_event *out);

typedef struct ah_statistics {
    uint64_t steps, rejected, evaluations;
    uint64_t pivoted;                   /* evaluations that needed the worksheet */
    double energy_start, energy_change; /* the largest */
    double residual;                    /* the largest, relative to the terms */
    const char *integrator;             /* the last */
} ah_statistics;
AH_API ah_status ah_motion_statistics(const ah_motion *m, ah_statistics *out);

/* ---- A whole motion -------------------------------------------------------------------------- */

typedef struct ah_trajectory ah_trajectory;

/* Runs a motion and keeps `samples` rows, evenly spaced, both ends included; with 0 samples those at
 * the distance `every` from the beginning on. Fewer where it ends before its time: the status is
 * then that of ah_motion_step, and the rows so far are there. It is one call: the limit of time, the
 * reports of progress and an interruption are of the whole.
 * Columns: t, the state, q' where it is not in the state, then multipliers, reactions, outputs,
 * energies; NaN where a number does not exist. */
AH_API ah_status ah_trajectory_create(ah_system *s, const ah_motion_options *options,
                                      size_t samples, ah_trajectory **out);
AH_API void ah_trajectory_destroy(ah_trajectory *t);
AH_API size_t ah_trajectory_rows(const ah_trajectory *t);
AH_API size_t ah_trajectory_columns(const ah_trajectory *t);
AH_API const char *ah_trajectory_name(const ah_trajectory *t, size_t column);
AH_API const char *ah_trajectory_unit(const ah_trajectory *t, size_t column);
/* ah_trajectory_rows numbers, one after the other. */
AH_API const double *ah_trajectory_column(const ah_trajectory *t, size_t column);
/* The index of a name, or -1. */
AH_API ptrdiff_t ah_trajectory_find(const ah_trajectory *t, const char *name);
/* Why it ended before its time, or NULL. */
AH_API const char *ah_trajectory_why(const ah_trajectory *t);
/* What happened on the way, in order. AH_E_INPUT: there is no such event. */
AH_API size_t ah_trajectory_events(const ah_trajectory *t);
AH_API ah_status ah_trajectory_event(const ah_trajectory *t, size_t index, ah_event *out);

#endif
