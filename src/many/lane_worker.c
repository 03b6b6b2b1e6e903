/* many/lane_worker.c - runs on lanes.
 *
 * A lane that ends is filled with the next run while the others go on. Reductions and events look at the continuous
 * output of steps, all lanes at once in the nodes that every step needs, one lane where more is asked. */
#include "lane_worker.h"

#include "lane_events.h"

#include <math.h>
#include <string.h>

/* Rounds of steps between two looks at whether the work is to end. */
#define ROUNDS 256

typedef struct lane {
    lane_worker *of;
    unsigned index;
    lane_job job;
    reducer *reducer;
    lane_events *events; /* NULL: there are none */
} lane;

struct lane_worker {
    worker *w;
    motion_lanes *lanes;
    const program *start; /* NULL: starts are searched for */
    program_work *start_work;
    unsigned count;
    unsigned busy; /* lanes that have a run, bit by bit */
    size_t outputs, formulas;
    bool along;                  /* steps are looked at */
    bool starts, smooth;         /* formulas at the start, in the nodes of steps */
    double *begin;               /* t, y, end */
    double *row;                 /* outputs of all lanes */
    double *nodes[REDUCE_NODES]; /* the same in the nodes of the last step */
    double *part, *formula;
    lane at[MOTION_LANES_MOST];
};

/* ---- Formulas -------------------------------------------------------------------------------- */

static void all_parts(lane_worker *w, double part)
{
    for (unsigned i = 0; i < w->count; i++) w->part[i] = part;
}

static void take_column(const lane_worker *w, const double *rows, unsigned lane_index,
                        double *formula)
{
    for (size_t i = 0; i < w->formulas; i++)
        formula[i] = rows[w->w->formula[i] * w->count + lane_index];
}

static double part_at(const lane *l, double t)
{
    const motion_lanes *m = l->of->lanes;
    return (t - motion_lanes_get(m, LANE_OLD_T, l->index)) /
           motion_lanes_get(m, LANE_OLD_H, l->index);
}

static void look(void *user, double t, double *formula)
{
    lane *l = user;
    lane_worker *w = l->of;
    all_parts(w, part_at(l, t));
    motion_lanes_look(w->lanes, MOTION_OUTPUTS, w->part, w->row);
    take_column(w, w->row, l->index, formula);
}

static void look_at_nodes(lane_worker *w)
{
    for (size_t k = 0; k < REDUCE_NODES; k++) {
        all_parts(w, (1 + reduce_node[k]) / 2);
        motion_lanes_look(w->lanes, MOTION_OUTPUTS, w->part, w->nodes[k]);
    }
}

static void whole(void *user, double *const *formula)
{
    lane *l = user;
    for (size_t k = 0; k < REDUCE_NODES; k++)
        take_column(l->of, l->of->nodes[k], l->index, formula[k]);
}

/* ---- Life ------------------------------------------------------------------------------------ */

/* Room for rows of all lanes; vectors are stored there. */
static double *room(arena *a, const lane_worker *w, size_t rows)
{
    char *at = arena_alloc(a, (rows + 1) * w->count * sizeof(double) + 64);
    return (double *) (void *) (at + (64 - (uintptr_t) at % 64) % 64);
}

lane_worker *lane_worker_create(worker *by, const char **why)
{
    const ah_ensemble *e = by->e;
    arena *a = &by->arena;
    const ivp_options tolerance = {
        .rtol = e->options.rtol, .atol = e->options.atol, .most_steps = e->options.most_steps};
    motion_lanes *lanes =
        motion_lanes_create(by->system, a, by->on_lanes, &tolerance, e->formulas.count > 0, why);
    if (!lanes) return NULL;
    lane_worker *w = NEW(a, lane_worker);
    w->w = by;
    w->lanes = lanes;
    w->count = motion_lanes_count(lanes);
    w->outputs = ah_system_count(by->system, AH_Q_OUTPUT);
    w->formulas = e->formulas.count;
    w->starts = reduce_needs_start(e);
    w->smooth = reduce_goes_along(e);
    w->along = w->smooth || system_model(by->system)->events.count;
    w->start = e->options.project ? NULL : motion_start_program(by->system, a);
    if (w->start) w->start_work = program_work_create(w->start, a, 0);
    const size_t room_of_start = ah_system_count(by->system, AH_Q_STATE) + 2;
    w->begin = NEW_ARRAY(a, double, w->start ? w->start->outputs : room_of_start);
    w->row = room(a, w, w->outputs);
    w->part = room(a, w, 0);
    w->formula = NEW_ARRAY(a, double, w->formulas + 1);
    for (size_t k = 0; k < REDUCE_NODES; k++) w->nodes[k] = room(a, w, w->outputs);
    for (unsigned i = 0; i < w->count; i++) {
        lane *l = &w->at[i];
        *l = (lane){.of = w, .index = i};
        l->reducer = reducer_create(e, a, (reduce_source){l, look, whole});
        l->events = lane_events_create(by->system, lanes, i, e->options.rtol, w->at[0].events, a);
    }
    return w;
}

unsigned lane_worker_count(const lane_worker *w)
{
    return w->count;
}

/* ---- Filling --------------------------------------------------------------------------------- */

static bool all_finite(const double *x, size_t count)
{
    double zero = 0;
    for (size_t i = 0; i < count; i++) zero += x[i] - x[i];
    return zero == 0;
}

/* Where the run begins and ends; false: it is for the worker. */
static bool find_start(lane_worker *w, const lane_job *job)
{
    worker *by = w->w;
    if (!w->start) return worker_start(by, job->run, job->row, w->begin);
    worker_parameters(by, job->run, job->row);
    return program_run_in(w->start, w->start_work, by->parameter, w->begin) &&
           all_finite(w->begin, w->start->outputs) &&
           motion_start_agrees(w->start, ah_system_count(by->system, AH_Q_STATE), w->begin);
}

static ah_status run_alone(lane_worker *w, const lane_feed *feed, const lane_job *job)
{
    const ah_status status = worker_run(w->w, job->run, job->row, job->reason);
    w->w->alone++;
    if (status == AH_OK) feed->done(feed->user, job);
    return status;
}

static ah_status fill(lane_worker *w, const lane_feed *feed, lane *l)
{
    const size_t n = ah_system_count(w->w->system, AH_Q_STATE);
    while (!worker_is_grown(w->w) && feed->next(feed->user, !w->busy, &l->job)) {
        *l->job.reason = '\0';
        if (find_start(w, &l->job) &&
            motion_lanes_fill(w->lanes, l->index, w->w->parameter, w->begin[0], w->begin[n + 1],
                              w->begin + 1)) {
            w->busy |= 1u << l->index;
            return AH_OK;
        }
        motion_lanes_empty(w->lanes, l->index);
        const ah_status status = run_alone(w, feed, &l->job);
        if (status != AH_OK) return status;
    }
    return AH_OK;
}

/* The lowest of them, which is taken out. */
static lane *next_lane(lane_worker *w, unsigned *which)
{
    unsigned i = 0;
    while (!(*which >> i & 1)) i++;
    *which &= *which - 1;
    return &w->at[i];
}

static void begin_lane(lane_worker *w, lane *l)
{
    const double t = motion_lanes_get(w->lanes, LANE_T, l->index);
    if (w->starts) take_column(w, w->row, l->index, w->formula);
    reduce_begin(l->reducer, t, w->formula);
    if (l->events) lane_events_begin(l->events);
}

/* Every empty lane, as far as there are runs. */
static ah_status fill_all(lane_worker *w, const lane_feed *feed)
{
    const unsigned before = w->busy;
    for (unsigned empty = ((1u << w->count) - 1) & ~before; empty;) {
        const ah_status status = fill(w, feed, next_lane(w, &empty));
        if (status != AH_OK) return status;
    }
    unsigned filled = w->busy & ~before;
    if (!filled) return AH_OK;
    motion_lanes_enter(w->lanes);
    if (w->starts) motion_lanes_outputs(w->lanes, w->row);
    while (filled) begin_lane(w, next_lane(w, &filled));
    return AH_OK;
}

/* ---- Steps and ends -------------------------------------------------------------------------- */

static void release(lane_worker *w, lane *l)
{
    w->busy &= ~(1u << l->index);
    motion_lanes_empty(w->lanes, l->index);
}

static ah_status give_up(lane_worker *w, const lane_feed *feed, lane *l)
{
    release(w, l);
    return run_alone(w, feed, &l->job);
}

/* The row is complete; what is not a number may be so for good reason, which the worker finds out. */
static ah_status end(lane_worker *w, const lane_feed *feed, lane *l, double t,
                     const double *formula)
{
    w->w->steps += (uint64_t) motion_lanes_get(w->lanes, LANE_STEPS, l->index);
    if (!all_finite(formula, w->formulas)) return give_up(w, feed, l);
    reduce_end(l->reducer, t, formula, l->job.row + w->w->e->varied.count);
    release(w, l);
    feed->done(feed->user, &l->job);
    return AH_OK;
}

/* Events and reductions of the last step; *until: where the motion ends in it, NAN: it goes on. false: trouble. */
static bool take_step(lane_worker *w, lane *l, double *until)
{
    const double from = motion_lanes_get(w->lanes, LANE_OLD_T, l->index);
    const double to = motion_lanes_get(w->lanes, LANE_T, l->index);
    const lane_event *found = NULL;
    size_t count = 0;
    *until = NAN;
    if (l->events && !lane_events_step(l->events, &found, &count, until)) return false;
    const bool cut = !isnan(*until);
    reduce_step(l->reducer, from, cut ? *until : to, cut);
    for (size_t i = 0; i < count; i++) reduce_event(l->reducer, found[i].label, found[i].t);
    return true;
}

static ah_status look_at_steps(lane_worker *w, const lane_feed *feed)
{
    motion_lanes_dense(w->lanes);
    if (w->smooth) look_at_nodes(w);
    if (w->at[0].events) lane_events_look(w->at[0].events);
    unsigned which = w->busy & motion_lanes_which(w->lanes, LANE_ACCEPTED) &
                     ~motion_lanes_which(w->lanes, LANE_TROUBLE);
    while (which) {
        lane *l = next_lane(w, &which);
        double until;
        ah_status status = AH_OK;
        if (!take_step(w, l, &until)) {
            status = give_up(w, feed, l);
        } else if (!isnan(until)) {
            look(l, until, w->formula);
            status = end(w, feed, l, until, w->formula);
        }
        if (status != AH_OK) return status;
    }
    return AH_OK;
}

/* Those that are in trouble; then those that are done. */
static ah_status end_lanes(lane_worker *w, const lane_feed *feed)
{
    ah_status status = AH_OK;
    unsigned which = w->busy & motion_lanes_which(w->lanes, LANE_TROUBLE);
    while (which && status == AH_OK) status = give_up(w, feed, next_lane(w, &which));
    which = w->busy & motion_lanes_which(w->lanes, LANE_DONE);
    if (status != AH_OK || !which) return status;
    motion_lanes_finish(w->lanes);
    motion_lanes_outputs(w->lanes, w->row);
    const unsigned trouble = motion_lanes_which(w->lanes, LANE_TROUBLE);
    while (which && status == AH_OK) {
        lane *l = next_lane(w, &which);
        take_column(w, w->row, l->index, w->formula);
        status = trouble >> l->index & 1
                     ? give_up(w, feed, l)
                     : end(w, feed, l, motion_lanes_get(w->lanes, LANE_T, l->index), w->formula);
    }
    return status;
}

ah_status lane_worker_run(lane_worker *w, const lane_feed *feed)
{
    ah_status status = AH_OK;
    while (status == AH_OK && !feed->must_stop(feed->user)) {
        status = fill_all(w, feed);
        if (status != AH_OK || !w->busy) return status;
        /* what is in trouble at its beginning says so before the first round */
        status = end_lanes(w, feed);
        if (status != AH_OK || !w->busy) continue;
        motion_lanes_go(w->lanes, w->along ? 1 : ROUNDS, w->along);
        if (w->along) status = look_at_steps(w, feed);
        if (status == AH_OK) status = end_lanes(w, feed);
    }
    return status;
}
