/* many/crew.h - inside the module: runs dealt to threads, and their rows put in order again. */
#ifndef MANY_CREW_H
#define MANY_CREW_H
#include "worker.h"

/* Which runs are left: bit i of done is set where run i need not be computed; NULL: all are. */
typedef struct crew_order {
    uint64_t runs;
    const uint64_t *done;
    size_t threads, chunk; /* chunk 0: by the time that runs take */
    const char *engine;
    const lanes_kind *on_lanes; /* if it can be; NULL: not */
    ah_ranks *ranks;
    /* In the thread of the call, in the order in which runs were dealt; false ends the work. */
    bool (*rows)(void *user, const ah_ensemble_part *part);
    /* Between rows, at least ten times a second; false likewise. */
    bool (*pause)(void *user);
    void *user;
} crew_order;

typedef struct crew_result {
    uint64_t computed, steps, alone;
    size_t threads; /* no more than there are runs */
    bool stopped;   /* by rows or pause */
    const char *engine, *method;
    unsigned lanes;      /* 0: none … */
    const char *why_not; /* … because of this, NULL: they were not wanted */
} crew_result;

/* Raises nothing while threads are at work. AH_E_INPUT, AH_E_REFUSED: the equations cannot be had;
 * the diagnostics of the ensemble's context say why. */
ah_status crew_work(ah_ensemble *e, const crew_order *order, crew_result *out);
size_t crew_processors(void);

#endif
