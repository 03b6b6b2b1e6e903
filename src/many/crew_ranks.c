/* many/crew_ranks.c - runs dealt to other processes.
 *
 * A rank asks before it has nothing more to do; what it is dealt is a slot of rank 0's ring, as a thread's is, and its rows are put
 * there as they come. So rows have the order of the runs, and nobody runs ahead by more than the ring. */
#include "crew_inside.h"

#include "motion_lanes.h"
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

/* What is said: how many runs are wanted; which are dealt (none: there are no more); which rows follow; what was done. */
typedef struct words {
    uint64_t first, count, steps, alone;
} words;

/* ---- The first rank -------------------------------------------------------------------------- */

/* Those who ask wait until there is room in the ring. */
static void deal_to(crew *c, int rank, uint64_t wanted)
{
    size_t count = 0;
    pthread_mutex_lock(&c->lock);
    const size_t most = wanted < 1 ? 1 : wanted < CHUNK_MOST ? (size_t) wanted : CHUNK_MOST;
    slot *s = crew_take(c, most, &count);
    const bool full = !s && !c->stop && c->dealt >= c->given + c->ring;
    if (s) {
        s->by = NULL;
        s->rank = rank;
        memset(s->done, 0, count * sizeof *s->done);
    }
    if (full) c->waiting[rank] = most;
    pthread_mutex_unlock(&c->lock);
    if (full) return;
    const words say = {s ? s->first : 0, count, 0, 0};
    ranks_send(c->order->ranks, rank, RANKS_DEAL, &say, sizeof say);
}

static slot *slot_of(crew *c, uint64_t run)
{
    for (size_t i = 0; i < c->ring; i++) {
        slot *s = &c->slots[i];
        if (s->rank > 0 && !s->full && run >= s->first && run < s->first + s->dealt) return s;
    }
    return NULL;
}

/* Rows, then the reasons of those that failed, each ended by 0, "" where it did not. */
static void take_rows(crew *c, const ranks_message *m)
{
    words w;
    const size_t columns = c->e->varied.count + c->e->kept.count;
    memcpy(&w, m->bytes, sizeof w);
    slot *s = slot_of(c, w.first);
    if (!s) return;
    const char *rows = (const char *) m->bytes + sizeof w;
    const char *reason = rows + w.count * columns * sizeof(double);
    const size_t at = (size_t) (w.first - s->first);
    memcpy(s->values + at * columns, rows, w.count * columns * sizeof(double));
    for (size_t i = 0; i < w.count; i++, reason += strlen(reason) + 1) {
        snprintf(s->reason[at + i], REASON, "%s", reason);
        s->failed[at + i] = *reason ? s->reason[at + i] : NULL;
        s->done[at + i] = true;
    }
    s->ended += w.count;
    if (s->ended < s->dealt) return;
    pthread_mutex_lock(&c->lock);
    s->count = s->dealt;
    s->rank = 0;
    s->full = true;
    pthread_mutex_unlock(&c->lock);
}

/* What it did not finish is cut short. */
static void take_end(crew *c, const ranks_message *m)
{
    words w;
    memcpy(&w, m->bytes, sizeof w);
    pthread_mutex_lock(&c->lock);
    c->ranks_at_work--;
    c->steps += w.steps;
    c->alone += w.alone;
    if (w.first != AH_OK && c->status == AH_OK && !c->stop) {
        c->status = (ah_status) w.first;
        c->stop = true;
    }
    for (size_t i = 0; i < c->ring; i++) {
        slot *s = &c->slots[i];
        if (s->rank != m->from) continue;
        while (s->count < s->dealt && s->done[s->count]) s->count++;
        s->rank = 0;
        s->full = true;
    }
    pthread_mutex_unlock(&c->lock);
}

static void lead(crew *c)
{
    ranks_message m;
    ah_ranks *r = c->order->ranks;
    const size_t ranks = ah_ranks_count(r);
    while (ranks_receive(r, &m)) {
        words w = {0};
        if (m.count < sizeof w) continue;
        memcpy(&w, m.bytes, sizeof w);
        if (m.tag == RANKS_ASK) deal_to(c, m.from, w.count);
        if (m.tag == RANKS_ROWS) take_rows(c, &m);
        if (m.tag == RANKS_END) take_end(c, &m);
    }
    for (size_t i = 1; i < ranks; i++) {
        const uint64_t wanted = c->waiting[i];
        c->waiting[i] = 0;
        if (wanted) deal_to(c, (int) i, wanted);
    }
    if (!c->stop || c->told_stop) return;
    c->told_stop = true;
    for (size_t i = 1; i < ranks; i++)
        ranks_send(r, (int) i, RANKS_STOP, &(words){0}, sizeof(words));
}

/* ---- The others ------------------------------------------------------------------------------ */

static uint64_t runs_left(const crew *c)
{
    uint64_t left = 0;
    for (size_t i = c->range; i < c->ranges.count; i++)
        left += c->ranges.at[i].end - c->ranges.at[i].first;
    return left;
}

/* As many as all threads do in the time of a range. */
static uint64_t runs_wanted(const crew *c)
{
    double wanted = 0;
    for (size_t i = 0; i < c->hands; i++)
        wanted += c->hand[i].each > 0 ? RANGE_SECONDS / c->hand[i].each : 2 * MOTION_LANES_MOST;
    return wanted < 1 ? 1 : wanted < CHUNK_MOST ? (uint64_t) wanted : CHUNK_MOST;
}

static void take_range(crew *c, const words *w)
{
    c->asked = false;
    if (!w->count) c->last = true;
    if (c->range == c->ranges.count) c->range = c->ranges.count = 0;
    if (w->count)
        LIST_PUSH(&c->e->arena, &c->ranges, ((crew_range){w->first, w->first + w->count}));
    pthread_cond_broadcast(&c->emptied);
}

static void follow(crew *c)
{
    ranks_message m;
    ah_ranks *r = c->order->ranks;
    while (ranks_receive(r, &m)) {
        words w = {0};
        if (m.count >= sizeof w) memcpy(&w, m.bytes, sizeof w);
        pthread_mutex_lock(&c->lock);
        if (m.tag == RANKS_DEAL) take_range(c, &w);
        if (m.tag == RANKS_STOP) c->stop = true;
        pthread_mutex_unlock(&c->lock);
    }
    pthread_mutex_lock(&c->lock);
    const uint64_t wanted = runs_wanted(c);
    const bool ask = c->ready && !c->asked && !c->last && !c->stop && 2 * runs_left(c) <= wanted;
    c->asked = c->asked || ask;
    pthread_mutex_unlock(&c->lock);
    if (ask) ranks_send(r, 0, RANKS_ASK, &(words){.count = wanted}, sizeof(words));
}

/* The rows from `from` on that fit into one message, one at least; how many. */
static size_t send_some(crew *c, const ah_ensemble_part *part, size_t from, char *bytes,
                        size_t room)
{
    const size_t row = (c->e->varied.count + c->e->kept.count) * sizeof(double);
    size_t count = 0, size = sizeof(words);
    while (from + count < part->count) {
        const char *reason = part->failed[from + count];
        const size_t more = row + 1 + (reason ? strlen(reason) : 0);
        if (count && size + more > room) break;
        size += more;
        count++;
    }
    const words w = {part->first + from, count, 0, 0};
    char *end = bytes + sizeof w + count * row;
    memcpy(bytes, &w, sizeof w);
    memcpy(bytes + sizeof w, (const char *) part->values + from * row, count * row);
    for (size_t i = 0; i < count; i++) {
        const char *reason = part->failed[from + i] ? part->failed[from + i] : "";
        memcpy(end, reason, strlen(reason) + 1);
        end += strlen(reason) + 1;
    }
    ranks_send(c->order->ranks, 0, RANKS_ROWS, bytes, (size_t) (end - bytes));
    return count;
}

bool crew_send_rows(crew *c, const ah_ensemble_part *part)
{
    const size_t row = (c->e->varied.count + c->e->kept.count) * sizeof(double);
    const size_t least = sizeof(words) + row + REASON;
    const size_t room = least > RANKS_AT_ONCE ? least : RANKS_AT_ONCE;
    char *bytes = malloc(room);
    if (!bytes) return false;
    for (size_t done = 0; done < part->count;) done += send_some(c, part, done, bytes, room);
    free(bytes);
    return true;
}

void crew_say_end(crew *c, uint64_t steps, uint64_t alone)
{
    const words w = {(uint64_t) c->status, 0, steps, alone};
    ranks_send(c->order->ranks, 0, RANKS_END, &w, sizeof w);
}

void crew_exchange(crew *c)
{
    if (crew_is_dealt(c))
        follow(c);
    else
        lead(c);
}
