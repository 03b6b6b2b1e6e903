/* many/lane_worker.h - inside the module: the runs of one thread on lanes. */
#ifndef MANY_LANE_WORKER_H
#define MANY_LANE_WORKER_H
#include "motion_lanes.h"
#include "worker.h"

typedef struct lane_job {
    uint64_t run;
    double *row;
    char *reason; /* REASON bytes */
    void *from;   /* whoever gave it */
} lane_job;

/* Who gives runs and takes rows. */
typedef struct lane_feed {
    void *user;
    /* The next run; false: there is none now, or none at all. `wait`: until it is known which. */
    bool (*next)(void *user, bool wait, lane_job *out);
    void (*done)(void *user, const lane_job *job);
    bool (*must_stop)(void *user);
} lane_feed;

typedef struct lane_worker lane_worker;

/* In the worker's arena, after worker_begin made its system. NULL: it cannot be put on lanes, *why. */
lane_worker *lane_worker_create(worker *w, const char **why);
unsigned lane_worker_count(const lane_worker *w);
/* All runs that there are, or until worker_is_grown. What troubles a lane is run by the worker itself. */
ah_status lane_worker_run(lane_worker *w, const lane_feed *feed);

#endif
