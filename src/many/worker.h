/* many/worker.h - inside the module: one thread's system, and one run after another on it. */
#ifndef MANY_WORKER_H
#define MANY_WORKER_H
#include "reduce.h"

enum { REASON = 200 }; /* bytes of why a run failed, NUL included */

typedef struct worker {
    ah_ensemble *e;
    ah_ctx *root;      /* a context of its own … */
    ah_model *model;   /* … with a copy of the ensemble's model */
    ah_system *system; /* NULL: not begun */
    arena arena;       /* of the system's context: what lasts as long as it … */
    arena run;         /* … and what one run needs */
    const char *engine;
    size_t *place;   /* of each that varies among the parameters */
    size_t *formula; /* of each formula among the outputs */
    double *values;  /* of what varies: work space */
    double *parameter, *usual, *y;
    double t, end;
    reducer *reducer;
    ah_motion *motion; /* of the run … */
    ah_work *work;     /* … with its formulas */
    double *state, *out, *kept;
    struct lane_worker *lanes;  /* NULL: runs are made one by one, … */
    const char *why_not;        /* … because of this */
    const lanes_kind *on_lanes; /* if it can be; NULL: not */
    bool lasting;               /* others use the system */
    bool whole;                 /* for whole motions: the outputs are the model's own */
    size_t bytes;               /* of the context when the system was new */
    uint64_t steps;             /* of all runs */
    uint64_t alone;             /* that troubled lanes */
} worker;

/* In the thread of the ensemble; `by` is the engine. false: there is no memory. */
bool worker_create(worker *w, ah_ensemble *e, const char *by);
void worker_destroy(worker *w);
/* In the worker's own thread, where nothing of the ensemble's context may be touched. */
ah_status worker_begin(worker *w);
void worker_end(worker *w);
/* A row: what varies, then what is kept. AH_OK also where the run failed: reason is then not empty. */
ah_status worker_run(worker *w, uint64_t run, double *row, char reason[REASON]);
/* The parameters of a run into w->parameter; what varies into values. */
void worker_parameters(worker *w, uint64_t run, double *values);
/* The same, and where the run begins and ends: t, y, end. false: it cannot be said, or there is none. */
bool worker_start(worker *w, uint64_t run, double *values, double *out);
/* Whether the system is to be made anew before more runs: worker_run does so unless `lasting`. */
bool worker_is_grown(const worker *w);
/* The options of a run's motion; where there is none, reason is not empty. */
ah_status worker_motion(worker *w, uint64_t run, double *values, ah_motion_options *out,
                        char reason[REASON]);

#endif
