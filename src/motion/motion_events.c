/* motion/motion_events.c - events along a motion. */
#include "motion_events.h"

#include "../numeric/numeric.h"
#include "motion_narrow.h"
#include "motion_noise.h"
#include "motion_turns.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a step that are always looked at, and how often each may be halved. */
#define EVENT_PARTS 4
#define EVENT_DEPTH 7
/* The cubic foretells the middle well enough when it errs by less than this part of the values. */
#define EVENT_SMOOTH 0.02
/* A pole or a jump leaves one or two of the smallest parts unresolved; where there are more, events
 * come faster than they are looked for. */
#define EVENT_UNRESOLVED 8
#define EVENT_INSIDE     16 /* parts of such an interval */
/* At a root the value is at most this part of the values on both sides: it is rounding errors of t
 * there, and large at a pole, or as large as beside it at a jump. */
#define EVENT_ROOT 1e-4
/* At a tip g is at most so many times what it is less than beside it, a few roundings of t away. */
#define EVENT_TIP 4
/* Errors are passed in this part of the longest step where g crosses zero as such. */
#define EVENT_PASSED 1e-3
/* Times next to a root that are tried for one before it. */
#define EVENT_ROUNDINGS 8
/* What has no symbolic slope takes the forces at every look, and inside of a step DOP853's continuous output, three
 * evaluations. Where the end of a step differs by less than this part from the one before … */
#define EVENT_AWAY 0.4
/* … and by less than this from the line through the last two (a parabola then has its middle within a 27th of the chord),
 * or the middle is as near, no more is looked at. */
#define EVENT_STEADY 0.3
/* A force that follows from means of accelerations over stretches of a step (making_known.c) is far from zero where the
 * least of them is more than this part of the largest; … */
#define EVENT_ALIKE 0.6
/* … at tolerances of at most this: coarser ones pass over ripples that are forces all the same; … */
#define EVENT_FINE 1e-6
/* … and after so many such steps it is looked at itself, in case that it changes faster than steps tell. */
#define EVENT_TRUSTED 32
/* Slopes of what has no symbolic derivative: by a difference over this part of the step. */
#define EVENT_DIFFERENCE 1e-4
/* Finer tolerances leave a step's inside as near to the constraints as its ends are. */
#define EVENT_COARSE 1e-8

typedef struct node {
    double t, g, slope, size; /* size: Σ|terms| */
    const double *state;      /* as motion_narrow keeps it; NULL: it does not */
} node;

/* A place found within the step, kept until it is known what it is. */
typedef struct place {
    bool there;
    double t, value;
    double *y;
} place;

typedef struct watched {
    const model_event *event;
    expr_plan *plan; /* g, and its derivative where that is symbolic */
    motion_level level;
    bool symbolic, turns;    /* turns: with angles that a step may turn far */
    motion_narrow *narrow;   /* NULL: it cannot come and go between two looks */
    const motion_bend *bend; /* how it follows from an acceleration; NULL: it does not … */
    expr_plan *bend_plan;
    double factor, rest;
    uint32_t
        trusted;   /* … and so many steps were judged by that alone: `last` is not at their end */
    int side;      /* of zero, clearly: -1, 1; 0: not known */
    double size;   /* lately */
    node last;     /* at the end of the previous step … */
    node former;   /* … and of the one before, where no more was looked at; g is NAN otherwise */
    place root;    /* the last change of sign */
    place nearest; /* since g has been near zero */
    bool fresh;    /* nothing but the start is known */
    bool left_zero, undefined;
    bool pulls; /* a contact's force is negative from the start */
    double pulls_at;
    double undefined_at;
    uint32_t unresolved; /* intervals of the step that were not looked at closely enough */
    bool undersampled, unsure, jumped;
    double undersampled_at, unsure_at, jumped_at;
} watched;

struct motion_watch {
    motion_state *state;
    arena *arena;
    size_t count, dimension;
    watched *at;
    double near, errors;      /* see motion_watch_create */
    double *y, *shaken, *off; /* work space */
    double *largest;          /* of each variable, at the ends of steps */
    double longest;           /* step */
    const ivp_step *step;
    double direction; /* of the integration */
    LIST(node) nodes; /* of one event in one step */
    LIST(motion_happening) found;
    LIST(double *) states; /* room for found[i].y */
};

/* ---- Making ---------------------------------------------------------------------------------- */

/* Where the event is one of the model's. */
static size_t index_of(const motion_watch *w, const watched *e)
{
    return (size_t) (e->event - w->state->p->model->events.at);
}

static void find_bend(motion_watch *w, watched *e)
{
    const motion_code *c = &w->state->code;
    const point *p = w->state->p;
    const size_t index = index_of(w, e);
    if (e->symbolic || e->narrow || !c->bend || index >= p->model->events.count) return;
    if (c->bend[index].factor == AH_NONE || w->state->options->tolerance.rtol > EVENT_FINE) return;
    e->bend = &c->bend[index];
    e->bend_plan =
        expr_plan_create(p->ctx, w->arena, (ah_expr[]){e->bend->factor, e->bend->rest}, 2);
}

static bool watch(motion_watch *w, watched *e, const model_event *event)
{
    point *p = w->state->p;
    e->event = event;
    ah_expr roots[2] = {event->e, AH_NONE};
    e->level = motion_state_needs(w->state, event->e);
    if (e->level == MOTION_UNKNOWN) return false;
    e->symbolic = motion_state_has_rate(p->ctx, event->e);
    e->turns = !e->symbolic || motion_turns_in(p->ctx, event->e);
    if (e->symbolic) {
        roots[1] = expr_dt(p->ctx, event->e);
        e->level |= motion_state_needs(w->state, roots[1]);
    }
    e->plan = expr_plan_create(p->ctx, w->arena, roots, e->symbolic ? 2 : 1);
    e->narrow = motion_narrow_create(w->state, event->e, roots[1], e->plan);
    find_bend(w, e);
    e->root.y = NEW_ARRAY(w->arena, double, w->dimension);
    e->nearest.y = NEW_ARRAY(w->arena, double, w->dimension);
    return true;
}

motion_watch *motion_watch_create(motion_state *s, const model_event *event, size_t count,
                                  double near, double errors, const model_event **unknown)
{
    *unknown = NULL;
    if (!count) return NULL;
    motion_watch *w = NEW(s->p->arena, motion_watch);
    w->state = s;
    w->arena = s->p->arena;
    w->dimension = s->code.n + s->code.m;
    w->near = near;
    w->errors = errors;
    w->count = count;
    w->at = NEW_ARRAY(w->arena, watched, w->count);
    w->y = NEW_ARRAY(w->arena, double, w->dimension);
    w->shaken = NEW_ARRAY(w->arena, double, w->dimension);
    w->off = NEW_ARRAY(w->arena, double, w->dimension);
    w->largest = NEW_ARRAY(w->arena, double, w->dimension);
    for (size_t i = 0; i < w->count; i++)
        if (!watch(w, &w->at[i], &event[i])) {
            *unknown = &event[i];
            return NULL;
        }
    return w;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* At a state that is in the point as far as the event needs. */
static node look(const watched *e, const point *p, double t)
{
    double value[2] = {NAN, NAN}, size[2];
    expr_plan_run_scaled(e->plan, p->values, value, size);
    return (node){.t = t, .g = value[0], .slope = value[1], .size = size[0]};
}

/* Between its ends a step is beside the constraints by about the tolerance, which makes another force of a contact where that is coarse; by formulas of
 * many steps, which tell no bends, at any tolerance. */
static node value_at(motion_watch *w, const watched *e, double t)
{
    double residual = INFINITY; /* nobody asks */
    w->step->at(w->step->stepper, t, w->y);
    const bool beside = w->state->options->tolerance.rtol > EVENT_COARSE || !w->step->bends;
    if (e->event->presses && beside) motion_state_project(w->state, t, w->y, &residual);
    motion_state_put(w->state, e->level, t, w->y);
    return look(e, w->state->p, t);
}

static node value_at_end(motion_watch *w, const watched *e)
{
    const ivp_step *s = w->step;
    node x = {.t = s->t1, .slope = NAN};
    double terms;
    const size_t index = index_of(w, e);
    if (!e->symbolic && s->f1 && index < w->state->p->model->events.count &&
        motion_code_known(&w->state->code, index, s->t1, s->y1, s->f1, &x.g, &terms) &&
        isfinite(x.g)) {
        x.size = fmax(fabs(x.g), NOISE_LARGE * DBL_EPSILON * terms / w->near);
        return x;
    }
    motion_state_put(w->state, e->level, s->t1, s->y1);
    return look(e, w->state->p, s->t1);
}

static node node_at(motion_watch *w, const watched *e, double t, bool keep)
{
    node x = value_at(w, e, t);
    if (keep && e->narrow) x.state = motion_narrow_see(e->narrow);
    if (e->symbolic) return x;
    const double d = EVENT_DIFFERENCE * fabs(w->step->t1 - w->step->t0);
    const double after = fmin(t + d, fmax(w->step->t0, w->step->t1));
    const double before = fmax(t - d, fmin(w->step->t0, w->step->t1));
    x.slope = (value_at(w, e, after).g - value_at(w, e, before).g) / (after - before);
    return x;
}

typedef struct along {
    motion_watch *w;
    const watched *e;
} along;

static double value_of(void *of, double t)
{
    const along *x = of;
    return value_at(x->w, x->e, t).g;
}

static double slope_of(void *of, double t)
{
    const along *x = of;
    return node_at(x->w, x->e, t, false).slope;
}

/* ---- Samples of one event in one step -------------------------------------------------------- */

static void add_node(motion_watch *w, node x)
{
    LIST_PUSH(w->arena, &w->nodes, x);
}

/* The middle of a and b as the cubic through both foretells it, but for what terms that cancel leave: at the start of a motion
 * they may have been small. */
static bool foretold(const motion_watch *w, const watched *e, const node *a, const node *b,
                     const node *m)
{
    const double terms = fmax(e->size, fmax(m->size, fmax(a->size, b->size)));
    const double cubic = (a->g + b->g) / 2 + (b->t - a->t) / 8 * (a->slope - b->slope);
    const double size = fmax(fmax(fabs(a->g), fabs(b->g)), fabs(m->g));
    return fabs(m->g - cubic) <= fmax(EVENT_SMOOTH * size, w->near * terms);
}

static narrow_look look_of(const node *x)
{
    return (narrow_look){x->t, x->g, x->state};
}

/* Between a and b, with m in the middle; so near to zero that nobody could tell counts as sure. */
static bool is_sure(motion_watch *w, const watched *e, const node *a, const node *m, const node *b)
{
    const narrow_look at[] = {look_of(a), look_of(m), look_of(b)};
    const double near = w->near * fmax(e->size, m->size);
    if (fabs(a->g) <= near && fabs(m->g) <= near && fabs(b->g) <= near) return true;
    return motion_narrow_sure(e->narrow, &at[0], &at[1], &at[2]);
}

/* Nodes after a and before b, until nothing can be between them. */
static void search(motion_watch *w, watched *e, node a, node m, node b)
{
    const double left = a.t + (m.t - a.t) / 2, right = m.t + (b.t - m.t) / 2;
    const bool finest = left == a.t || left == m.t || right == m.t || right == b.t;
    if (finest || !isfinite(m.g) || is_sure(w, e, &a, &m, &b)) {
        add_node(w, m);
        return;
    }
    search(w, e, a, node_at(w, e, left, true), m);
    add_node(w, m);
    search(w, e, m, node_at(w, e, right, true), b);
}

/* How much an interval counts in which the middle is not foretold: a pole or a jump changes the sign once at most, sin(1/x) comes and goes. */
static uint32_t unresolved(motion_watch *w, const watched *e, const node *a, const node *b)
{
    double last = a->g;
    uint32_t changes = 0;
    for (int i = 1; i <= EVENT_INSIDE; i++) {
        const double g =
            i < EVENT_INSIDE ? value_at(w, e, a->t + (b->t - a->t) * i / EVENT_INSIDE).g : b->g;
        changes += last * g < 0;
        last = g;
    }
    return changes > 1 ? EVENT_UNRESOLVED + 1 : 1;
}

/* Nodes after a up to and including b. */
static void refine(motion_watch *w, watched *e, node a, node b, int depth)
{
    const bool here = isfinite(a.g), there = isfinite(b.g);
    const double middle = a.t + (b.t - a.t) / 2;
    if ((here || there) && depth < EVENT_DEPTH) {
        const node m = node_at(w, e, middle, true);
        if (!here || !there || !isfinite(m.g) || !foretold(w, e, &a, &b, &m)) {
            refine(w, e, a, m, depth + 1);
            refine(w, e, m, b, depth + 1);
            return;
        }
        if (e->narrow)
            search(w, e, a, m, b);
        else
            add_node(w, m);
    } else if (here && there) {
        const node m = node_at(w, e, middle, true);
        if (isfinite(m.g) && !foretold(w, e, &a, &b, &m)) e->unresolved += unresolved(w, e, &a, &b);
    }
    add_node(w, b);
}

static int side_of(const motion_watch *w, const watched *e, const node *x)
{
    const double near = w->near * e->size;
    return x->g > near ? 1 : x->g < -near ? -1 : 0;
}

/* |g| falls after a and grows before b: its least value between them is a node too. One of them may be a zero, where g has been beyond. */
static bool dips(const motion_watch *w, const watched *e, const node *a, const node *b)
{
    const int side = side_of(w, e, a) ? side_of(w, e, a) : side_of(w, e, b);
    const bool same = a->g * b->g > 0 || !side_of(w, e, a) || !side_of(w, e, b);
    return same && side * a->slope * w->direction < 0 && side * b->slope * w->direction > 0;
}

/* A tip that reaches zero, as sqrt(|u|) does where u changes its sign: at the nearest time that was found it is hardly farther from
 * zero than from its neighbours. */
static bool is_cusp(motion_watch *w, const watched *e, const node *x)
{
    const double aside =
        EVENT_ROUNDINGS * DBL_EPSILON * fmax(fabs(x->t), fabs(w->step->t1 - w->step->t0));
    double most = 0;
    if (!e->symbolic || !isfinite(x->g)) return false;
    for (int k = -1; k <= 1; k += 2)
        most = fmax(most, fabs(value_at(w, e, x->t + k * aside).g - x->g));
    return fabs(x->g) <= EVENT_TIP * most;
}

static void add_extremes(motion_watch *w, const watched *e)
{
    const size_t count = w->nodes.count;
    for (size_t i = 1; i < count; i++) {
        const node *a = &w->nodes.at[i - 1], *b = &w->nodes.at[i];
        if (!dips(w, e, a, b)) continue;
        const double t = root_between(slope_of, &(along){w, e}, a->t, a->slope, b->t, b->slope);
        node x = node_at(w, e, t, false);
        if (x.g != 0 && is_cusp(w, e, &x)) {
            if (fabs(a->g) < fabs(x.g)) x = *a;
            if (fabs(b->g) < fabs(x.g)) x = *b;
            x.g = copysign(DBL_MIN, x.g); /* near zero, and no change of sign */
        }
        if (isfinite(x.g)) add_node(w, x);
    }
    for (size_t i = count; i < w->nodes.count; i++) /* into their places */
        for (size_t k = i; k > 0; k--) {
            node *x = &w->nodes.at[k], *before = &w->nodes.at[k - 1], swap = *x;
            if (w->direction * (before->t - x->t) <= 0) break;
            *x = *before;
            *before = swap;
        }
}

static int by_size(const void *a, const void *b)
{
    const double x = ((const node *) a)->size, y = ((const node *) b)->size;
    return (x > y) - (x < y);
}

/* The median of `count` nodes of a step, which it puts in that order: beside a pole, where nodes crowd, the largest
 * would make everything else zero. */
static void note_size(watched *e, node *of, size_t count)
{
    size_t finite = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(of[i].size)) of[finite++] = of[i];
    qsort(of, finite, sizeof *of, by_size);
    e->size = fmax(EVENT_MEMORY * e->size, finite ? of[finite / 2].size : 0);
}

/* x lies on the line through the two ends before. */
static bool goes_on(const watched *e, const node *x)
{
    const double line =
        e->last.g + (e->last.g - e->former.g) * (x->t - e->last.t) / (e->last.t - e->former.t);
    return fabs(x->g - line) < EVENT_STEADY * fabs(e->last.g);
}

/* The same where a step is long, as Taylor's are: looks at its quarters, each near its neighbours and to the line through
 * them. Leaves them as nodes. */
static bool quarters_keep_away(motion_watch *w, const watched *e, const node *end)
{
    const ivp_step *s = w->step;
    node at[EVENT_PARTS + 1] = {[0] = e->last, [EVENT_PARTS] = *end};
    bool away = true;
    for (int i = 1; i <= EVENT_PARTS && away; i++) {
        if (i < EVENT_PARTS) at[i] = value_at(w, e, s->t0 + (s->t1 - s->t0) * i / EVENT_PARTS);
        away = fabs(at[i].g - at[i - 1].g) < EVENT_AWAY * fabs(at[i - 1].g);
        if (i > 1 && away)
            away = fabs(at[i].g - 2 * at[i - 1].g + at[i - 2].g) < EVENT_STEADY * fabs(at[i].g);
    }
    w->nodes.count = 0;
    for (int i = 0; i <= EVENT_PARTS && away; i++) add_node(w, at[i]);
    return away;
}

/* Far from zero all along, as a contact force mostly is: the nodes are the two ends, or the quarters. */
static bool keeps_away(motion_watch *w, watched *e)
{
    const ivp_step *s = w->step;
    if (e->symbolic || e->narrow || !isfinite(e->last.g)) return false;
    const node end = value_at_end(w, e);
    const double most = EVENT_AWAY * fabs(e->last.g);
    const bool straight = fabs(end.g - e->last.g) < most &&
                          (goes_on(e, &end) ||
                           fabs(value_at(w, e, s->t0 + (s->t1 - s->t0) / 2).g - e->last.g) < most);
    if (!straight && !quarters_keep_away(w, e, &end)) return false;
    if (straight) {
        w->nodes.count = 0;
        add_node(w, e->last);
        add_node(w, end);
    }
    e->unresolved = 0;
    e->size = fmax(EVENT_MEMORY * e->size, fmax(e->last.size, end.size));
    e->former = e->last;
    if (!straight) e->former.g = NAN;
    e->last = end;
    return true;
}

/* The same by what the step knows already: where the force is factor · q'' + rest, its means over stretches of the step. `last` stays
 * where it was. */
static bool means_keep_away(motion_watch *w, watched *e)
{
    const ivp_step *s = w->step;
    double mean[IVP_STRETCHES], least = INFINITY, most = -INFINITY;
    if (!e->bend || !s->bends || e->side == 0 || e->fresh || e->root.there || e->nearest.there)
        return false;
    s->bends(s->stepper, e->bend->coordinate, mean);
    for (int i = 0; i < IVP_STRETCHES; i++) {
        const double g =
            e->side > 0 ? e->factor * mean[i] + e->rest : -e->factor * mean[i] - e->rest;
        least = g < least ? g : least;
        most = g > most ? g : most;
        mean[i] = g;
    }
    /* One that is no number is passed over above, and spoils the sum. */
    if (!(least > EVENT_ALIKE * most && mean[0] + mean[1] + mean[2] + mean[3] < INFINITY))
        return false;
    if (most > e->size) e->size = most;
    if (++e->trusted % EVENT_TRUSTED) return true;
    if (fabs(e->side * value_at_end(w, e).g - mean[IVP_STRETCHES - 1]) < EVENT_AWAY * least)
        return true;
    e->bend = NULL; /* they do not tell */
    return false;
}

/* Whether g is nothing but rounding errors there; how large these are is added to what it is measured by. */
static bool is_noise(motion_watch *w, watched *e, double t)
{
    const double g = value_at(w, e, t).g;
    const double others = e->event->presses ? motion_noise_of_others(w->state) : 0;
    const double noise =
        fmax(others, motion_noise_of(w->state, e->plan, e->level, t, w->y, NULL, w->shaken));
    e->size = fmax(e->size, NOISE_LARGE * noise / w->near);
    return fabs(g) <= NOISE_LARGE * noise;
}

/* A force that vanishes all along, as that of a ball which nothing presses onto its table: zero at both ends. */
static bool stays_zero(motion_watch *w, watched *e)
{
    const ivp_step *s = w->step;
    const double middle = s->t0 + (s->t1 - s->t0) / 2;
    if (e->symbolic || !isfinite(e->last.g) || !is_noise(w, e, s->t0) || !is_noise(w, e, middle) ||
        !is_noise(w, e, s->t1))
        return false;
    w->nodes.count = 0;
    e->unresolved = 0;
    e->last.g = 0;
    add_node(w, e->last);
    e->last.t = s->t1;
    add_node(w, e->last);
    e->former.g = NAN;
    return true;
}

/* ---- What the samples say -------------------------------------------------------------------- */

static void keep(motion_watch *w, const watched *e, place *p, double t)
{
    const node x = value_at(w, e, t);
    *p = (place){.there = true, .t = t, .value = x.g, .y = p->y};
    memcpy(p->y, w->y, w->dimension * sizeof *p->y);
}

static void happened(motion_watch *w, const watched *e, const place *p, int direction, bool touched)
{
    const int wanted = e->event->direction;
    if (wanted && wanted != direction) return;
    if (w->states.count == w->found.count) {
        double *room = NEW_ARRAY(w->arena, double, w->dimension);
        LIST_PUSH(w->arena, &w->states, room);
    }
    double *y = w->states.at[w->found.count];
    memcpy(y, p->y, w->dimension * sizeof *y);
    const motion_happening h = {e->event, p->t, p->value, direction, touched, y};
    LIST_PUSH(w->arena, &w->found, h);
}

static void forget(watched *e)
{
    e->root.there = e->nearest.there = false;
}

/* The last time before that at which g has not changed its sign yet, where rounding tells: what switches with it is then shown as the
 * motion comes to it. Where g stays zero for a while, max(x, 0), it is the beginning of that. */
static double not_beyond(motion_watch *w, const watched *e, const node *before, double t)
{
    double at = t, first = before->t;
    for (int i = 0; i < EVENT_ROUNDINGS && at != first; i++) {
        if (value_at(w, e, at).g * before->g > 0) return at;
        at = nextafter(at, first);
    }
    if (value_at(w, e, at).g != 0) return t;
    for (;;) {
        const double middle = first + (at - first) / 2;
        if (middle == first || middle == at) return first;
        if (value_at(w, e, middle).g * before->g > 0)
            first = middle;
        else
            at = middle;
    }
}

static void jumps(watched *e, double t)
{
    if (!e->jumped) e->jumped_at = t;
    e->jumped = true;
    forget(e);
}

/* Between the nodes the sign changes: keeps the place if it is a root. A contact is lost where its force jumps, too. */
static void keep_root(motion_watch *w, watched *e, const node *before, const node *x)
{
    const double root =
        x->g == 0 ? x->t : root_between(value_of, &(along){w, e}, before->t, before->g, x->t, x->g);
    const double t = not_beyond(w, e, before, root);
    const double g = fabs(value_at(w, e, t).g);
    if (e->event->presses ||
        g <= fmax(EVENT_ROOT * fmax(fabs(before->g), fabs(x->g)), w->near * e->size)) {
        keep(w, e, &e->root, t);
        return;
    }
    jumps(e, t);
}

/* Whether errors of the integration alone may have brought g from `before` to the other side: (1 + t) exp(-t), which dies away, does not cross zero
 * at 1e-17. They are what the absolute tolerance allows, or the relative one of what a variable has been: a small motion is no error, nor is what
 * takes a small part of a step to pass them. */
static bool is_unclear(motion_watch *w, const watched *e, const node *before, const node *x)
{
    const ivp_options *o = &w->state->options->tolerance;
    const double slope = fabs((x->g - before->g) / (x->t - before->t));
    double *off = w->off;
    if (w->errors == 0) return false;
    for (size_t i = 0; i < w->dimension; i++)
        off[i] = w->errors * fmin(o->atol, o->rtol * w->largest[i]);
    w->step->at(w->step->stepper, x->t, w->y);
    const double noise = motion_noise_of(w->state, e->plan, e->level, x->t, w->y, off, w->shaken);
    return fabs(x->g) <= noise && !(slope * EVENT_PASSED * w->longest > noise);
}

static void judge(motion_watch *w, watched *e, const node *before, const node *x)
{
    if (!isfinite(x->g)) {
        if (!e->undefined) e->undefined_at = x->t;
        e->undefined = true;
        e->side = 0;
        forget(e);
        return;
    }
    int side = side_of(w, e, x);
    const int forward = w->direction > 0 ? 1 : -1;
    const bool unpressed = e->event->presses && e->side == 0 && !e->left_zero; /* so far */
    if (side && (side == -e->side || unpressed) && is_unclear(w, e, before, x)) side = 0;
    if (side) e->left_zero = true;
    if (e->side && isfinite(before->g) && before->g != 0 &&
        (x->g == 0 || (x->g > 0) != (before->g > 0)))
        keep_root(w, e, before, x);
    if (!side) {
        const double least = fabs(e->nearest.there ? e->nearest.value : before->g);
        if (e->side && fabs(x->g) < least) keep(w, e, &e->nearest, x->t);
        return;
    }
    const bool lost = e->event->presses && side < 0 && (unpressed || e->side > 0);
    if (lost && !e->root.there) keep(w, e, &e->root, before->t); /* nothing pressed for a while */
    if (lost || (e->side == -side && e->root.there))
        happened(w, e, &e->root, side * forward, false);
    else if (e->side == side && e->nearest.there && fabs(x->g) >= fabs(e->nearest.value))
        happened(w, e, &e->nearest, -side * forward, true);
    e->side = side;
    forget(e);
}

static bool comes_before(const motion_watch *w, const motion_happening *a,
                         const motion_happening *b)
{
    if (a->t != b->t) return w->direction * (b->t - a->t) > 0;
    return !a->event->stop && b->event->stop;
}

static void sort(motion_watch *w)
{
    for (size_t i = 1; i < w->found.count; i++)
        for (size_t k = i; k > 0 && comes_before(w, &w->found.at[k], &w->found.at[k - 1]); k--) {
            const motion_happening swap = w->found.at[k];
            w->found.at[k] = w->found.at[k - 1];
            w->found.at[k - 1] = swap;
        }
}

/* ---- Steps ------------------------------------------------------------------------------------ */

/* After steps that only means have judged. Where another piece of the motion begins, the side may be another one. */
static void look_at_beginning(motion_watch *w, watched *e)
{
    motion_state_put(w->state, e->level, w->step->t0, w->step->y0);
    e->last = look(e, w->state->p, w->step->t0);
    e->former.g = NAN;
    e->trusted = 0;
    const int side = side_of(w, e, &e->last);
    if (!side || side != -e->side) return;
    if (e->event->presses) {
        keep(w, e, &e->root, w->step->t0);
        happened(w, e, &e->root, w->direction > 0 ? side : -side, false);
        forget(e);
    } else
        jumps(e, w->step->t0);
    e->side = side;
}

static void sample(motion_watch *w, watched *e)
{
    if (e->trusted) look_at_beginning(w, e);
    if ((e->fresh && stays_zero(w, e)) || keeps_away(w, e) || stays_zero(w, e)) return;
    e->former.g = NAN;
    if (e->narrow) e->last.state = motion_narrow_begin(e->narrow, e->last.state);
    if (!e->symbolic) e->last.slope = node_at(w, e, w->step->t0, false).slope;
    const ivp_step *s = w->step;
    w->nodes.count = 0;
    e->unresolved = 0;
    add_node(w, e->last);
    node before = e->last, even[EVENT_PARTS + 1] = {before};
    for (int i = 1; i <= EVENT_PARTS; i++) {
        const double t =
            i == EVENT_PARTS ? s->t1 : s->t0 + (s->t1 - s->t0) * i / (double) EVENT_PARTS;
        const node x = node_at(w, e, t, true);
        refine(w, e, before, x, 0);
        before = even[i] = x;
    }
    add_extremes(w, e);
    if (e->narrow && motion_narrow_tired(e->narrow) && !e->unsure) {
        e->unsure = true;
        e->unsure_at = s->t0;
    }
    if (e->unresolved > EVENT_UNRESOLVED && !e->undersampled) {
        e->undersampled = true;
        e->undersampled_at = s->t0;
    }
    e->last = before;
    note_size(e, even, EVENT_PARTS + 1);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void keep_largest(motion_watch *w, const double *y)
{
    for (size_t i = 0; i < w->dimension; i++)
        w->largest[i] = fabs(y[i]) > w->largest[i] ? fabs(y[i]) : w->largest[i];
}

static void find_bend_values(motion_watch *w, watched *e)
{
    double bend[2];
    if (!e->bend_plan) return;
    expr_plan_run(e->bend_plan, w->state->p->values, bend);
    e->bend = &w->state->code.bend[index_of(w, e)];
    e->factor = bend[0];
    e->rest = bend[1];
}

void motion_watch_piece(motion_watch *w)
{
    for (size_t i = 0; i < w->count; i++) find_bend_values(w, &w->at[i]);
}

/* Values and slopes at the start: what is zero there has no side yet. */
void motion_watch_begin(motion_watch *w, double t, const double *y, const double *side)
{
    keep_largest(w, y);
    for (size_t i = 0; i < w->count; i++) {
        watched *e = &w->at[i];
        motion_state_put(w->state, e->level, t, y);
        e->last = look(e, w->state->p, t);
        if (e->narrow) {
            motion_narrow_begin(e->narrow, NULL);
            e->last.state = motion_narrow_see(e->narrow);
        }
        e->former.g = NAN;
        e->trusted = 0;
        find_bend_values(w, e);
        e->size = isfinite(e->last.size) ? e->last.size : 0;
        e->side = side ? (side[i] > 0) - (side[i] < 0) : 0; /* what is no number has none */
        e->fresh = e->side == 0;
        forget(e);
        e->undefined = !isfinite(e->last.g);
        e->undefined_at = t;
    }
}

size_t motion_watch_step(motion_watch *w, const ivp_step *step, const motion_happening **out)
{
    w->step = step;
    w->direction = step->t1 >= step->t0 ? 1 : -1;
    w->found.count = 0;
    keep_largest(w, step->y1);
    w->longest = fmax(w->longest, fabs(step->t1 - step->t0));
    for (size_t i = 0; i < w->count; i++) {
        watched *e = &w->at[i];
        if (means_keep_away(w, e)) continue;
        sample(w, e);
        if (e->fresh) { /* only now is it known what size to measure the start by */
            e->side = side_of(w, e, &w->nodes.at[0]);
            e->left_zero = e->side != 0;
            e->pulls = e->event->presses && e->side < 0;
            e->pulls_at = step->t0;
            e->fresh = false;
        }
        for (size_t k = 1; k < w->nodes.count; k++)
            judge(w, e, &w->nodes.at[k - 1], &w->nodes.at[k]);
    }
    if (w->found.count) sort(w);
    *out = w->found.at;
    return w->found.count;
}

void motion_watch_tired(motion_watch *w, double t)
{
    for (size_t i = 0; i < w->count; i++) {
        watched *e = &w->at[i];
        if (!e->turns || e->undersampled) continue;
        e->undersampled = true;
        e->undersampled_at = t;
    }
}

const char *motion_watch_remark(const motion_watch *w, size_t i, double *t)
{
    const watched *e = &w->at[i];
    if (e->pulls) {
        *t = e->pulls_at;
        return "has happened before the start: the contact would have to pull";
    }
    if (e->undersampled) {
        *t = e->undersampled_at;
        return "comes faster than it is looked for: it is undersampled, and some may be missing";
    }
    if (e->unsure) {
        *t = e->unsure_at;
        return "stays so near to zero, or changes so quickly, that it may be undersampled: some "
               "may be "
               "missing";
    }
    if (e->jumped) {
        *t = e->jumped_at;
        return "changes its sign by a jump or through a pole, which does not count";
    }
    *t = e->undefined_at;
    if (e->undefined) return "is not defined all the way";
    if (e->fresh) return NULL; /* no step was made */
    if (!e->left_zero) return "is zero all the time";
    *t = e->last.t;
    return e->root.there || e->nearest.there ? "is as near to zero at the end as can be told: "
                                               "whether it comes to hold there is open"
                                             : NULL;
}
