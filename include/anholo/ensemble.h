/* anholo/ensemble.h - many motions of one model: parameters, starts and inputs that vary from run to
 * run, and a row of numbers for each.
 *
 *     ah_ensemble_create(model, NULL, &e);
 *     ah_ensemble_over(e, "m=1..2:101");                  a grid
 *     ah_ensemble_outputs(e, "final.x, max(energy)");     what is kept of a motion
 *     ah_ensemble_run(e, &options);                       rows come in the order of the runs
 *
 * Equations are derived and compiled once for each thread. Run i is the same to the last bit whatever
 * thread it falls to, whatever ran before it and however many run together. A run that fails has the
 * reason in its row. The ensemble belongs to the thread of the model's context; the model may be
 * changed or destroyed while it lasts. */
#ifndef ANHOLO_ENSEMBLE_H
#define ANHOLO_ENSEMBLE_H
#include <anholo/motion.h>

typedef struct ah_ensemble ah_ensemble;

typedef struct ah_ensemble_options {
    size_t size;            /* of this struct: ah_ensemble_defaults sets it */
    const char *method;     /* NULL: the model's default */
    const char *engine;     /* NULL, "auto": cc for many runs, else as ah_simulate chooses */
    const char *integrator; /* NULL, "auto": chosen */
    double rtol, atol;      /* 1e-10, 1e-12 */
    const char *to;         /* the end of the span, an expression; NULL: the model's */
    const char *at;         /* values that replace those of `start`: "x=1,x'=0.5" */
    bool project;           /* every start is moved to the nearest admissible state */
    uint64_t most_steps;    /* of one run; 0: no limit */
    uint64_t random;        /* runs drawn for each place of grid and list; 0: nothing is drawn */
    uint64_t seed;          /* of the draws */
    /* "on": several runs at once, in the lanes of vector instructions, where model, engine (cc) and integrator
     * (dop853) allow it; "off"; NULL, "auto": on for many runs. Lanes change the last digits. Of one kind: "avx512", "avx2", or
     * "plain" and "plain8", 4 and 8 as the compiler makes them for any processor. */
    const char *lanes;
} ah_ensemble_options;

AH_API ah_ensemble_options ah_ensemble_defaults(void);

AH_API ah_status ah_ensemble_create(ah_model *m, const ah_ensemble_options *options,
                                    ah_ensemble **out);
AH_API void ah_ensemble_destroy(ah_ensemble *e); /* NULL is fine */

/* ---- What varies ----------------------------------------------------------------------------- */

/* Parameters, coordinates, velocities, velocity parameters and t at the start, inputs (then constant).
 * Several are separated by commas. All runs are the product of list, grid and draws: rows of the
 * list change slowest, then the grid, its last axis first, then the draws. AH_E_INPUT: what was
 * written cannot be read, a name cannot vary or varies already, or a run was made before; nothing of the call counts then. */

/* "m=1..2:101": so many values, both ends included. */
AH_API ah_status ah_ensemble_over(ah_ensemble *e, const char *ranges);
/* "m=1..2": uniform between the ends; "m=1+-0.1": normal, mean and standard deviation. Drawn by the
 * number of the run, so that run i has the same values wherever and in whatever order it runs. */
AH_API ah_status ah_ensemble_spread(ah_ensemble *e, const char *ranges);
/* Rows of a table, one after the other. */
AH_API ah_status ah_ensemble_list(ah_ensemble *e, size_t columns, const char *const *names,
                                  uint64_t rows, const double *values);

/* ---- What is kept ---------------------------------------------------------------------------- */

/* Of the formulas of a motion (as `output` has them; t is the time):
 *     final.x  start.x            at the end, at the beginning; final(…) where the formula is longer
 *     min(x)  max(x)              along the motion, between steps too
 *     mean(x)  integral(x)        over the time of the motion
 *     first("falls").x  last("falls").x   where the event happened; NaN where it did not
 *     each("falls", 100).x        where it happened, the first so many times: a column for each time
 *     count("falls")              how often it did; what only touched zero does not count
 * Several are separated by commas. Nothing said: the coordinates and velocities at the end. */
AH_API ah_status ah_ensemble_outputs(ah_ensemble *e, const char *outputs);

/* How many runs there are, and the numbers of a row: what varies, then the outputs. From the first
 * of these calls on, nothing more can be said of what varies and what is kept. 0 and NULL: beyond the
 * last, or there are none because of an error. */
AH_API uint64_t ah_ensemble_count(ah_ensemble *e);
AH_API size_t ah_ensemble_columns(ah_ensemble *e);
AH_API size_t ah_ensemble_varied(ah_ensemble *e); /* of the columns */
AH_API const char *ah_ensemble_name(ah_ensemble *e, size_t column);
/* Of what varies in run i, ah_ensemble_varied numbers. */
AH_API ah_status ah_ensemble_values(ah_ensemble *e, uint64_t run, double *values);

/* ---- Running --------------------------------------------------------------------------------- */

typedef struct ah_ensemble_part {
    uint64_t first; /* its number */
    size_t count;
    const double *values;      /* rows, one after the other; NaN: it does not exist */
    const char *const *failed; /* why a run failed, NULL: it did not; its outputs are NaN */
} ah_ensemble_part;

/* Processes that OpenMPI's mpirun has started together share the runs: rank 0 deals them, works too, and alone writes the journal
 * and gives rows; the others have none to give. NULL where this process is by itself. AH_E_INPUT (A0645): it is one of several, but
 * MPI is not to be had, or is not OpenMPI. To be closed before the process ends; it cannot be opened again. */
typedef struct ah_ranks ah_ranks;
AH_API ah_status ah_ranks_open(ah_ctx *ctx, ah_ranks **out);
AH_API void ah_ranks_close(ah_ranks *r);
AH_API size_t ah_ranks_count(const ah_ranks *r); /* of NULL: 1 */
AH_API size_t ah_ranks_here(const ah_ranks *r);  /* from 0 */

typedef struct ah_ensemble_run_options {
    size_t size;         /* of this struct: ah_ensemble_run_defaults sets it */
    size_t threads;      /* 0: as many as there are processors, with ranks one each */
    size_t chunk;        /* runs that a thread takes at a time; 0: chosen */
    const char *journal; /* a file that keeps the rows through any crash (docs/sweep.md) */
    /* Gets the rows in order, in the thread of the call; false ends the work. */
    bool (*rows)(void *user, const ah_ensemble_part *part);
    void *user;
    /* How far it is, now and then, in the thread of the call. */
    void (*progress)(void *user, uint64_t done, uint64_t all, double seconds);
    void *progress_user;
    ah_ranks *ranks; /* NULL: by itself; otherwise all of them call with the same ensemble */
} ah_ensemble_run_options;

AH_API ah_ensemble_run_options ah_ensemble_run_defaults(void);

typedef struct ah_ensemble_summary {
    uint64_t runs, failed;
    uint64_t computed; /* now; the others stood in the journal */
    uint64_t steps;    /* of those computed */
    double seconds;
    size_t threads, ranks;
    const char *engine, *method;
    unsigned lanes;       /* runs at once in each thread; 0: one by one, … */
    const char *no_lanes; /* … because of this; NULL: they were not wanted */
    uint64_t alone;       /* runs that troubled lanes, and were made one by one */
} ah_ensemble_summary;

/* All runs. AH_OK also where runs failed. AH_E_INTERRUPTED, AH_E_LIMIT: it was cut short; the rows so
 * far were given. AH_E_REFUSED: the journal is of another sweep (A0641), or is in use. */
AH_API ah_status ah_ensemble_run(ah_ensemble *e, const ah_ensemble_run_options *options,
                                 ah_ensemble_summary *summary /* or NULL */);
/* The whole motion of one run: as ah_trajectory_create with `samples` rows. It goes before the
 * ensemble. */
AH_API ah_status ah_ensemble_trajectory(ah_ensemble *e, uint64_t run, size_t samples,
                                        ah_trajectory **out);

/* ---- Journals -------------------------------------------------------------------------------- */

typedef struct ah_journal_status {
    uint64_t runs, done, failed;
    bool busy; /* a sweep is at work on it */
} ah_journal_status;
/* How far a sweep is, from anywhere. AH_E_INPUT: it is no journal. */
AH_API ah_status ah_journal_look(ah_ctx *ctx, const char *file, ah_journal_status *out);

typedef struct ah_journal_rows {
    size_t rows, columns;     /* those that are there; `run`, what varies, the outputs */
    const char *const *names; /* of columns */
    const double *values;     /* one column after the other; NaN: there is no number */
} ah_journal_rows;
/* What a journal has, complete or not, in the order of the runs. It belongs to the context and lasts as long: whoever reads again
 * and again makes a context for each time. AH_E_INPUT: it is no journal. */
AH_API ah_status ah_journal_read(ah_ctx *ctx, const char *file, ah_journal_rows *out);

#endif
