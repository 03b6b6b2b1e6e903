/* many/crew.c - threads.
 *
 * A thread takes the next few runs, computes them and puts their rows into a slot of a ring; the
 * thread of the call takes them out in the order in which they were dealt. Nobody runs ahead by more
 * than the ring, so that memory does not depend on the number of runs. */
#include "crew_inside.h"

#include "lane_worker.h"
#include "ranks.h"

#include <signal.h>
#include <string.h>
#include <time.h>

size_t crew_processors(void)
{
    const size_t n = base_processors();
    return n > THREADS_MOST ? THREADS_MOST : n;
}

/* ---- Dealing --------------------------------------------------------------------------------- */

static bool is_done(const crew_order *o, uint64_t run)
{
    return o->done && (o->done[run / 64] >> (run % 64) & 1);
}

static size_t chunk_for(const hand *h)
{
    const size_t wanted = h->crew->order->chunk;
    if (wanted) return wanted < CHUNK_MOST ? wanted : CHUNK_MOST;
    const size_t least = h->lanes ? h->lanes : 1; /* what it begins at once */
    if (!(h->each > 0)) return least;
    const double fits = CHUNK_SECONDS / h->each;
    return fits < (double) least ? least : fits > CHUNK_MOST ? CHUNK_MOST : (size_t) fits;
}

/* Of the runs from c->next on. */
static void take_own(crew *c, slot *s, size_t most, size_t *count)
{
    const crew_order *o = c->order;
    s->first = c->next;
    for (*count = 0; *count < most && c->next < o->runs && !is_done(o, c->next); (*count)++)
        c->next++;
}

/* Of those that rank 0 has dealt. */
static void take_dealt(crew *c, slot *s, size_t most, size_t *count)
{
    crew_range *r = &c->ranges.at[c->range];
    const uint64_t left = r->end - r->first;
    s->first = r->first;
    *count = left < most ? (size_t) left : most;
    r->first += *count;
    if (r->first == r->end) c->range++;
}

static bool any_left(crew *c)
{
    const crew_order *o = c->order;
    if (crew_is_dealt(c)) return c->range < c->ranges.count;
    while (c->next < o->runs && is_done(o, c->next)) c->next++;
    return c->next < o->runs;
}

slot *crew_take(crew *c, size_t most, size_t *count)
{
    if (c->stop || c->dealt >= c->given + c->ring || !any_left(c)) return NULL;
    slot *s = &c->slots[c->dealt++ % c->ring];
    if (crew_is_dealt(c))
        take_dealt(c, s, most, count);
    else
        take_own(c, s, most, count);
    s->count = s->begun = s->ended = 0;
    s->dealt = *count;
    return s;
}

/* The next runs for a thread; NULL: there are none, or the work ends, or (unless `wait`) there are none now. */
static slot *deal(hand *h, bool wait, size_t *count)
{
    crew *c = h->crew;
    pthread_mutex_lock(&c->lock);
    slot *s;
    for (;;) {
        s = crew_take(c, chunk_for(h), count);
        const bool more = any_left(c) || (crew_is_dealt(c) && !c->last);
        if (s || !wait || c->stop || !more) break;
        pthread_cond_wait(&c->emptied, &c->lock);
    }
    if (s) s->by = h;
    pthread_mutex_unlock(&c->lock);
    return s;
}

/* ---- Working --------------------------------------------------------------------------------- */

static bool must_stop(crew *c)
{
    pthread_mutex_lock(&c->lock);
    const bool stop = c->stop;
    pthread_mutex_unlock(&c->lock);
    return stop;
}

static ah_status fill(hand *h, slot *s, size_t count)
{
    const size_t columns = h->worker.e->varied.count + h->worker.e->kept.count;
    const double start = base_clock();
    ah_status status = AH_OK;
    size_t i = 0;
    for (; i < count && !must_stop(h->crew); i++) {
        status = worker_run(&h->worker, s->first + i, s->values + i * columns, s->reason[i]);
        if (status != AH_OK) break;
        s->failed[i] = *s->reason[i] ? s->reason[i] : NULL;
    }
    s->count = i;
    if (i) h->each = (base_clock() - start) / (double) i;
    return status;
}

/* The rows of the slot are there. */
static void hand_in(hand *h, slot *s)
{
    crew *c = h->crew;
    pthread_mutex_lock(&c->lock);
    s->full = true;
    s->by = NULL;
    pthread_cond_signal(&c->filled);
    pthread_mutex_unlock(&c->lock);
}

/* ---- On lanes -------------------------------------------------------------------------------- */

/* By the time that runs took since the last chunk. */
static void measure(hand *h)
{
    const double now = base_clock();
    if (h->ended) h->each = (now - h->since) / (double) h->ended;
    h->since = now;
    h->ended = 0;
}

static bool next_job(void *user, bool wait, lane_job *out)
{
    hand *h = user;
    const size_t columns = h->worker.e->varied.count + h->worker.e->kept.count;
    size_t count;
    if (!h->slot || h->slot->begun == h->slot->dealt) {
        measure(h);
        h->slot = deal(h, wait, &count);
        if (!h->slot) return false;
        memset(h->slot->done, 0, count * sizeof *h->slot->done);
    }
    slot *s = h->slot;
    const size_t i = s->begun++;
    *out = (lane_job){s->first + i, s->values + i * columns, s->reason[i], s};
    return true;
}

static void job_done(void *user, const lane_job *job)
{
    hand *h = user;
    slot *s = job->from;
    const size_t i = (size_t) (job->run - s->first);
    s->failed[i] = *job->reason ? s->reason[i] : NULL;
    s->done[i] = true;
    h->ended++;
    if (++s->ended < s->dealt) return;
    s->count = s->dealt;
    if (h->slot == s) h->slot = NULL;
    hand_in(h, s);
}

static bool lanes_must_stop(void *user)
{
    const hand *h = user;
    return must_stop(h->crew);
}

/* What was begun when the work ended: rows up to the first that is not there. */
static void hand_in_all(hand *h)
{
    for (size_t i = 0; i < h->crew->ring; i++) {
        slot *s = &h->crew->slots[i];
        if (s->by != h) continue;
        while (s->count < s->begun && s->done[s->count]) s->count++;
        hand_in(h, s);
    }
    h->slot = NULL;
}

static ah_status work_on_lanes(hand *h)
{
    const lane_feed feed = {h, next_job, job_done, lanes_must_stop};
    ah_status status;
    for (;;) {
        h->worker.lasting = true;
        status = lane_worker_run(h->worker.lanes, &feed);
        if (status != AH_OK || !worker_is_grown(&h->worker) || must_stop(h->crew)) break;
        worker_end(&h->worker);
        status = worker_begin(&h->worker);
        if (status != AH_OK || !h->worker.lanes) break;
    }
    hand_in_all(h);
    h->worker.lasting = false;
    return status;
}

static void leave(hand *h, ah_status status)
{
    crew *c = h->crew;
    pthread_mutex_lock(&c->lock);
    c->at_work--;
    /* an interrupt comes from the thread of the call, which knows why */
    if (status != AH_OK && !(c->stop && status == AH_E_INTERRUPTED) && c->status == AH_OK)
        c->status = status;
    if (status != AH_OK) c->stop = true;
    pthread_cond_broadcast(&c->emptied);
    pthread_cond_broadcast(&c->filled);
    pthread_mutex_unlock(&c->lock);
}

static void tell_ready(hand *h)
{
    crew *c = h->crew;
    pthread_mutex_lock(&c->lock);
    h->engine = ah_system_engine(h->worker.system);
    h->method = ah_system_method(h->worker.system);
    h->lanes = h->worker.lanes ? lane_worker_count(h->worker.lanes) : 0;
    h->why_not = h->worker.why_not;
    c->ready = true;
    pthread_cond_signal(&c->filled);
    pthread_mutex_unlock(&c->lock);
}

static void *toil(void *arg)
{
    hand *h = arg;
    size_t count;
    ah_status status = worker_begin(&h->worker);
    if (status == AH_OK) tell_ready(h);
    if (status == AH_OK && h->worker.lanes) status = work_on_lanes(h);
    for (slot *s; status == AH_OK && (s = deal(h, true, &count));) {
        status = fill(h, s, count);
        hand_in(h, s);
    }
    worker_end(&h->worker);
    expr_leave_thread();
    leave(h, status);
    return NULL;
}

/* Signals are the affair of the thread of the call, which waits and reads. */
static bool start(hand *h)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    sigfillset(&all);
    if (pthread_attr_init(&attributes)) return false;
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    h->started = pthread_create(&h->thread, &attributes, toil, h) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return h->started;
}

/* ---- The thread of the call ------------------------------------------------------------------ */

static void wait_a_little(crew *c)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long) (1e9 * (c->order->ranks ? LISTEN_EVERY : LOOK_EVERY));
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&c->filled, &c->lock, &until);
}

/* Again and again: a worker that ends a run forgets what came before. */
void crew_stop(crew *c)
{
    c->stop = true;
    for (size_t i = 0; i < c->hands; i++) ah_ctx_interrupt(c->hand[i].worker.root);
    pthread_cond_broadcast(&c->emptied);
}

/* Rows in a slot, whole or cut short. Called without the lock. */
static bool give(crew *c, slot *s)
{
    const ah_ensemble_part part = {s->first, s->count, s->values, s->failed};
    const bool good = !s->count || (crew_is_dealt(c) ? crew_send_rows(c, &part)
                                                     : c->order->rows(c->order->user, &part));
    c->computed += s->count;
    s->full = false;
    return good;
}

/* Until all threads have ended; with the lock. */
static void oversee(crew *c, crew_result *out)
{
    ah_ctx *ctx = c->e->model->ctx;
    size_t started = 1;
    while (c->at_work || c->ranks_at_work || c->slots[c->given % c->ring].full) {
        slot *s = &c->slots[c->given % c->ring];
        if (!s->full) wait_a_little(c);
        const bool full = s->full;
        pthread_mutex_unlock(&c->lock);
        if (c->order->ranks) crew_exchange(c);
        bool good = (!full || out->stopped || give(c, s)) && c->order->pause(c->order->user);
        if (full) s->full = false;
        const bool end = ctx_must_end(ctx);
        pthread_mutex_lock(&c->lock);
        if (full) {
            c->given++;
            pthread_cond_broadcast(&c->emptied);
        }
        if (!good) out->stopped = true;
        if (!good || end || c->stop) crew_stop(c);
        if (c->ready && !c->stop && started < c->hands) {
            /* the others find the code that the first one has compiled */
            while (started < c->hands) c->at_work += start(&c->hand[started++]);
        }
    }
}

static void make_slots(crew *c, arena *a)
{
    const size_t columns = c->e->varied.count + c->e->kept.count;
    /* what a rank asks for is no thread's chunk: it may be more, whatever was wanted of those */
    const bool chunks = !c->order->ranks && c->order->chunk && c->order->chunk < CHUNK_MOST;
    const size_t most = chunks ? c->order->chunk : CHUNK_MOST;
    c->ring = RING_EACH * (c->hands + ah_ranks_count(c->order->ranks) - 1);
    c->waiting = NEW_ARRAY(a, uint64_t, ah_ranks_count(c->order->ranks));
    c->slots = NEW_ARRAY(a, slot, c->ring);
    for (size_t i = 0; i < c->ring; i++) {
        c->slots[i].values = NEW_ARRAY(a, double, most *columns + 1);
        c->slots[i].reason = arena_alloc_array(a, sizeof *c->slots[i].reason, most);
        c->slots[i].failed = NEW_ARRAY(a, const char *, most);
        c->slots[i].done = NEW_ARRAY(a, bool, most);
    }
}

static bool make_hands(crew *c, arena *a)
{
    c->hand = NEW_ARRAY(a, hand, c->hands);
    for (size_t i = 0; i < c->hands; i++) {
        c->hand[i].crew = c;
        if (!worker_create(&c->hand[i].worker, c->e, c->order->engine)) return false;
        c->hand[i].worker.on_lanes = c->order->on_lanes;
    }
    return true;
}

static void work_together(crew *c, crew_result *out)
{
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->filled, NULL);
    pthread_cond_init(&c->emptied, NULL);
    pthread_mutex_lock(&c->lock);
    c->at_work = start(&c->hand[0]);
    if (!c->at_work) c->status = AH_E_MEMORY;
    oversee(c, out);
    pthread_mutex_unlock(&c->lock);
    for (size_t i = 0; i < c->hands; i++)
        if (c->hand[i].started) pthread_join(c->hand[i].thread, NULL);
    pthread_cond_destroy(&c->filled);
    pthread_cond_destroy(&c->emptied);
    pthread_mutex_destroy(&c->lock);
}

ah_status crew_work(ah_ensemble *e, const crew_order *order, crew_result *out)
{
    arena *a = &e->arena;
    crew c = {.e = e, .order = order, .hands = order->threads, .status = AH_OK};
    *out = (crew_result){0};
    if (c.hands > THREADS_MOST) c.hands = THREADS_MOST;
    if (c.hands > order->runs) c.hands = (size_t) order->runs;
    if (!ah_ranks_here(order->ranks)) c.ranks_at_work = ah_ranks_count(order->ranks) - 1;
    make_slots(&c, a);
    if (make_hands(&c, a))
        work_together(&c, out);
    else
        c.status = AH_E_MEMORY;
    out->threads = c.hands;
    out->engine = c.hand[0].engine;
    out->method = c.hand[0].method;
    out->lanes = c.hand[0].lanes;
    out->why_not = c.hand[0].why_not;
    /* of its own accord: one that was stopped while it compiled says no more than that */
    if (!c.ready && c.status != AH_OK && c.hand[0].worker.root)
        diag_copy(c.hand[0].worker.root, e->model->ctx);
    out->computed = c.computed;
    for (size_t i = 0; i < c.hands; i++) {
        out->steps += c.hand[i].worker.steps;
        out->alone += c.hand[i].worker.alone;
        if (c.hand[i].worker.root) worker_destroy(&c.hand[i].worker);
    }
    if (crew_is_dealt(&c)) crew_say_end(&c, out->steps, out->alone);
    if (order->ranks) ranks_have_ended(order->ranks);
    out->steps += c.steps;
    out->alone += c.alone;
    return c.status;
}
