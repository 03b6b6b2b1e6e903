/* many/lane_events.c - events on lanes. */
#include "lane_events.h"

#include <float.h>
#include <math.h>

/* The polynomial through every other node must foretell the others to this part of the largest value: then that through all
 * of them errs by about the square of it. */
#define FORETOLD 1e-2
/* g nearer to zero than this part of its largest value in the step, which the polynomial may err by, or than so many times
 * what the motion counts as zero, is not clear where it does not change its sign; a change of sign must go beyond it on both
 * sides. Its size in the whole motion is no measure: where steps are short it changes by a thousandth of it in one. */
#define CLEAR      1e-4
#define CLEAR_NEAR 100

enum { NODES = REDUCE_NODES, FOUND_MOST = 64 };

typedef struct watched {
    const char *label;
    int direction; /* that counts; 0: both */
    bool stop;
    int side;    /* of zero; 0: it began there */
    double size; /* the largest |g| so far */
    bool fresh;
} watched;

enum { PLACES = 8 }; /* parts of what lies between two nodes */

/* Of the nodes in the polynomial through them, at the places that are looked at in every step. */
typedef struct weights {
    double odd[NODES][NODES];             /* through every second one, at the others */
    double between[NODES][PLACES][NODES]; /* through all, between k − 1 and k */
} weights;

struct lane_events {
    motion_lanes *lanes;
    unsigned lane, width;
    size_t count;
    watched *at;
    double *row[NODES];     /* of all events and lanes, which share it */
    const weights *weights; /* likewise */
    double *one, *part;
    lane_event found[FOUND_MOST];
    size_t found_count;
    double rtol;
};

static double *room(arena *a, size_t count)
{
    char *at = arena_alloc(a, count * sizeof(double) + 64);
    return (double *) (void *) (at + (64 - (uintptr_t) at % 64) % 64);
}

/* Those of every `step`-th node at x, which is none of them. */
static void weights_at(int step, double x, double *weight)
{
    double sum = 0;
    for (int k = 0; k < NODES; k += step) {
        const double c = k == 0 || k == NODES - 1 ? 0.5 : 1;
        sum += weight[k] = c * (k / step % 2 ? -1 : 1) / (x - reduce_node[k]);
    }
    for (int k = 0; k < NODES; k += step) weight[k] /= sum;
}

static const weights *weights_create(arena *a)
{
    weights *w = NEW(a, weights);
    for (int k = 1; k < NODES; k += 2) weights_at(2, reduce_node[k], w->odd[k]);
    for (int k = 1; k < NODES; k++)
        for (int i = 1; i < PLACES; i++)
            weights_at(1, reduce_node[k - 1] + (reduce_node[k] - reduce_node[k - 1]) * i / PLACES,
                       w->between[k][i]);
    return w;
}

lane_events *lane_events_create(const ah_system *s, motion_lanes *lanes, unsigned lane, double rtol,
                                const lane_events *first, arena *a)
{
    const system_events *events = system_get_events(s);
    if (!events->count) return NULL;
    lane_events *w = NEW(a, lane_events);
    *w = (lane_events){.lanes = lanes, .lane = lane, .width = motion_lanes_count(lanes)};
    w->count = events->count;
    w->rtol = rtol;
    w->at = NEW_ARRAY(a, watched, w->count);
    for (size_t i = 0; i < w->count; i++) {
        const model_event *e = events->at[i];
        w->at[i] = (watched){.label = e->label, .direction = e->direction, .stop = e->stop};
    }
    for (int k = 0; k < NODES; k++)
        w->row[k] = first ? first->row[k] : room(a, w->count * w->width);
    w->weights = first ? first->weights : weights_create(a);
    w->one = room(a, w->count * w->width);
    w->part = room(a, w->width);
    return w;
}

void lane_events_begin(lane_events *w)
{
    for (size_t i = 0; i < w->count; i++) {
        w->at[i].size = 0;
        w->at[i].side = 0;
        w->at[i].fresh = true;
    }
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void look(lane_events *w, double part, double *row)
{
    for (unsigned l = 0; l < w->width; l++) w->part[l] = part;
    motion_lanes_look(w->lanes, MOTION_EVENTS, w->part, row);
}

static double value_at(lane_events *w, size_t event, double part)
{
    look(w, part, w->one);
    return w->one[event * w->width + w->lane];
}

static double node_value(const lane_events *w, size_t event, int k)
{
    return w->row[k][event * w->width + w->lane];
}

static double weighted(const double *weight, const double *value, int step)
{
    double sum = 0;
    for (int k = 0; k < NODES; k += step) sum += weight[k] * value[k];
    return sum;
}

/* ---- One event in one step ------------------------------------------------------------------- */

static bool is_smooth(const lane_events *w, const double *value)
{
    double largest = 0, worst = 0;
    for (int k = 0; k < NODES; k++) largest = fmax(largest, fabs(value[k]));
    for (int k = 1; k < NODES; k += 2)
        worst = fmax(worst, fabs(weighted(w->weights->odd[k], value, 2) - value[k]));
    return worst <= FORETOLD * largest; /* not where it is NaN */
}

/* Whether |g| may fall to zero between two nodes of one sign: the polynomial at places between them. */
static bool keeps_clear(const lane_events *w, const double *value, int k, double least)
{
    const double sign = value[k] > 0 ? 1 : -1;
    for (int i = 1; i < PLACES; i++)
        if (!(sign * weighted(w->weights->between[k][i], value, 1) > least)) return false;
    return true;
}

/* Where g vanishes between the parts a and b of the step: bisection and secants (Dowell and Jarratt's way). */
static double lane_root(lane_events *w, size_t event, double a, double ga, double b, double gb)
{
    for (int i = 0; i < 100 && fabs(b - a) > 2 * DBL_EPSILON; i++) {
        double x = b - gb * (b - a) / (gb - ga);
        if (!(x > fmin(a, b) && x < fmax(a, b)) || i % 8 == 7) x = a + (b - a) / 2;
        const double g = value_at(w, event, x);
        if (g == 0 || isnan(g)) return x;
        if ((g > 0) != (gb > 0)) {
            a = b, ga = gb;
        } else {
            ga *= gb / (gb + g);
        }
        if (x == b) return x;
        b = x, gb = g;
    }
    return b;
}

static bool add(lane_events *w, const watched *e, double part, int way)
{
    const double t0 = motion_lanes_get(w->lanes, LANE_OLD_T, w->lane);
    const double h = motion_lanes_get(w->lanes, LANE_OLD_H, w->lane);
    const int direction = h > 0 ? way : -way;
    if (e->direction && e->direction != direction) return true;
    if (w->found_count == FOUND_MOST) return false;
    w->found[w->found_count++] = (lane_event){e->label, t0 + part * h, e->stop};
    return true;
}

static bool take_change(lane_events *w, size_t event, int k, double least)
{
    const double before = node_value(w, event, k - 1), here = node_value(w, event, k);
    watched *e = &w->at[event];
    const int way = here > 0 ? 1 : -1;
    if (!(fabs(here) > least) || (e->side && !(fabs(before) > least))) return false;
    if (!e->side) { /* it began at zero, and now it is clear on which side it is */
        e->side = way;
        return true;
    }
    const double part =
        lane_root(w, event, (1 + reduce_node[k - 1]) / 2, before, (1 + reduce_node[k]) / 2, here);
    e->side = way;
    return add(w, e, part, way);
}

/* What the motion counts as zero. */
static double near_zero(const lane_events *w, size_t event)
{
    return fmax(EVENT_NEAR, EVENT_NEAR_RTOL * w->rtol) * w->at[event].size;
}

/* What is zero at the beginning, to rounding, has no side: the second node tells. */
static bool begin(lane_events *w, size_t event, double least)
{
    watched *e = &w->at[event];
    const double g = node_value(w, event, 0), next = node_value(w, event, 1);
    const double near = near_zero(w, event);
    e->fresh = false;
    if (fabs(g) > least) {
        e->side = g > 0 ? 1 : -1;
        return true;
    }
    if (fabs(g) > near || !(fabs(next) > least)) return false;
    e->side = next > 0 ? 1 : -1;
    return true;
}

static bool take_event(lane_events *w, size_t event)
{
    watched *e = &w->at[event];
    double value[NODES], largest = 0;
    for (int k = 0; k < NODES; k++) {
        value[k] = node_value(w, event, k);
        if (!isfinite(value[k])) return false;
        largest = fmax(largest, fabs(value[k]));
    }
    e->size = fmax(e->size, largest);
    const double least = fmax(CLEAR * largest, CLEAR_NEAR * near_zero(w, event));
    const bool first = e->fresh;
    if (e->size == 0 || !is_smooth(w, value)) return false;
    if (first && !begin(w, event, least)) return false;
    const bool at_zero = first && !(fabs(value[0]) > least);
    for (int k = at_zero ? 2 : 1; k < NODES; k++) {
        if ((e->side > 0) != (value[k] > 0)) {
            if (!take_change(w, event, k, least)) return false;
        } else if (!keeps_clear(w, value, k, least)) {
            return false;
        }
    }
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* Records come before a stop at the same time. */
static bool comes_before(const lane_events *w, const lane_event *a, const lane_event *b)
{
    const double way = motion_lanes_get(w->lanes, LANE_OLD_H, w->lane);
    if (a->t != b->t) return way * (b->t - a->t) > 0;
    return !a->stop && b->stop;
}

void lane_events_look(lane_events *w)
{
    for (int k = 0; k < NODES; k++) look(w, (1 + reduce_node[k]) / 2, w->row[k]);
}

bool lane_events_step(lane_events *w, const lane_event **found, size_t *count, double *until)
{
    w->found_count = 0;
    *until = NAN;
    for (size_t i = 0; i < w->count; i++)
        if (!take_event(w, i)) return false;
    for (size_t i = 1; i < w->found_count; i++)
        for (size_t k = i; k > 0 && comes_before(w, &w->found[k], &w->found[k - 1]); k--) {
            const lane_event swap = w->found[k];
            w->found[k] = w->found[k - 1];
            w->found[k - 1] = swap;
        }
    for (size_t i = 0; i < w->found_count && isnan(*until); i++)
        if (w->found[i].stop) {
            *until = w->found[i].t;
            w->found_count = i + 1;
        }
    *found = w->found;
    *count = w->found_count;
    return true;
}
