/* many/crew_inside.h - inside crew.c and crew_ranks.c: the crew itself. */
#ifndef MANY_CREW_INSIDE_H
#define MANY_CREW_INSIDE_H
#include "crew.h"

#include <pthread.h>

enum { CHUNK_MOST = 512, RING_EACH = 8, THREADS_MOST = 1024 };
/* Seconds that the runs of one chunk should take: waiting for the lock is then nothing. */
#define CHUNK_SECONDS 0.01
/* Seconds between two looks at what other ranks say. */
#define LISTEN_EVERY 0.001
/* Seconds that the runs take for which a rank asks at a time; it asks when half of them are left. */
#define RANGE_SECONDS 0.1
/* Seconds between two looks at clock and interrupt. */
#define LOOK_EVERY 0.05
/* Bytes of a thread's stack: what the main thread has by default, and some. */
#define STACK ((size_t) 16 << 20)

struct hand;
typedef struct slot {
    uint64_t first;
    size_t count; /* rows that are there */
    bool full;
    int rank; /* that works on it; 0: this one */
    const struct hand
        *by;      /* whoever works on it, NULL: nobody; on lanes, where runs end in any order: */
    size_t dealt; /* runs */
    size_t begun, ended; /* of them */
    bool *done;
    double *values;
    char (*reason)[REASON];
    const char **failed;
} slot;

typedef struct crew crew;
typedef struct hand {
    crew *crew;
    pthread_t thread;
    bool started;
    worker worker;
    const char *engine, *method; /* of its system */
    const char *why_not;         /* it is not on lanes, … */
    unsigned lanes;              /* … of which it has so many */
    double each;                 /* seconds of a run, lately; 0: not known */
    slot *slot;                  /* of the next run on lanes, NULL: none */
    double since;                /* when the runs … */
    size_t ended;                /* … were none */
} hand;

/* Runs that rank 0 has dealt to this one. */
typedef struct crew_range {
    uint64_t first, end;
} crew_range;

struct crew {
    ah_ensemble *e;
    const crew_order *order;
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    uint64_t next;               /* run that was not looked at yet */
    uint64_t dealt, given;       /* chunks */
    uint64_t computed;           /* runs given on */
    size_t ring, at_work, hands; /* slots; threads that have not ended */
    slot *slots;
    hand *hand;
    LIST(crew_range) ranges; /* of a rank that is not the first … */
    size_t range;            /* … the present one, */
    bool asked, last;        /* it has asked for more; there are none */
    size_t ranks_at_work;    /* of the others, for the first */
    uint64_t *waiting;       /* by rank: runs asked for, while there is no room */
    bool told_stop;          /* the others that it ends */
    uint64_t steps, alone;   /* theirs */
    bool stop;
    bool ready;       /* the first one's equations are there */
    ah_status status; /* the first that is no run's own */
};

/* Whether its runs come from another rank. */
static inline bool crew_is_dealt(const crew *c)
{
    return ah_ranks_here(c->order->ranks) > 0;
}

/* ---- crew.c ---- */
/* The next runs that are left and follow one another, `most` at most; with the lock. NULL: there are none, or no room. */
slot *crew_take(crew *c, size_t most, size_t *count);
/* Ends the work; with the lock. */
void crew_stop(crew *c);

/* ---- crew_ranks.c: without the lock, in the thread of the call ---- */
/* What the other ranks have said is heard, and what they wait for is said. */
void crew_exchange(crew *c);
/* Rows of a rank that is not the first go to it. */
bool crew_send_rows(crew *c, const ah_ensemble_part *part);
/* The last word of such a rank. */
void crew_say_end(crew *c, uint64_t steps, uint64_t alone);

#endif
