/* many/reduce.c - numbers along a motion.
 *
 * A step is looked at in nine Chebyshev points of its continuous output. Clenshaw and Curtis' rule
 * through all of them gives the integral, the one through every other tells how good that is: where
 * the two differ, the piece is halved. The polynomial through the points shows where a formula is
 * largest, and the motion is asked there, so that the error of the place enters squared. */
#include "reduce.h"

#include <math.h>
#include <string.h>

/* A kink takes two pieces each time that a piece is halved; what is nothing but rounding errors would
 * take them all. */
enum { NODES = 9, HALVES = 20, PIECES_MOST = 64 };
/* The rule of nine points is trusted where that of five is within this part of ∫|f|: its own error
 * is then about the square. */
#define RULES_AGREE 1e-6
/* An extreme between the points is looked for where it would be larger than what is known by this
 * part of it. */
#define LARGER 1e-15

/* cos(k π/8), and the weights of the rules with 9 and 5 points on [-1, 1]. */
static const double node[NODES] = {
    -1, -0.92387953251128675613, -0.70710678118654752440, -0.38268343236508977173,
    0,  0.38268343236508977173,  0.70710678118654752440,  0.92387953251128675613,
    1};
static const double weight9[NODES] = {
    1.0 / 63,    0.14621864921601815501, 88.0 / 315, 0.36171785872048978150,
    124.0 / 315, 0.36171785872048978150, 88.0 / 315, 0.14621864921601815501,
    1.0 / 63};
static const double weight5[NODES] = {1.0 / 15, 0,        8.0 / 15, 0,       12.0 / 15,
                                      0,        8.0 / 15, 0,        1.0 / 15};

/* Of one thing that is kept. */
typedef struct gathered {
    double value;  /* so far */
    double lost;   /* of an integral: what rounding took */
    bool happened; /* of an event */
} gathered;

struct reducer {
    const ah_ensemble *e;
    size_t formulas, outputs;
    const size_t *formula;
    bool along;   /* something is asked between the ends */
    bool *smooth; /* by formula: an integral or an extreme is wanted */
    gathered *got;
    double *y, *out;  /* work space */
    double *f[NODES]; /* by formula */
    double t0;        /* where it began */
    int pieces;       /* of this step so far */
    ah_motion *m;
    ah_work *w;
};

static bool is_along(kept_kind k)
{
    return k == KEPT_MIN || k == KEPT_MAX || k == KEPT_MEAN || k == KEPT_INTEGRAL;
}

reducer *reducer_create(const ah_ensemble *e, arena *a, const ah_system *s, const size_t *formula)
{
    reducer *r = NEW(a, reducer);
    *r = (reducer){.e = e, .formulas = e->formulas.count, .formula = formula};
    r->outputs = ah_system_count(s, AH_Q_OUTPUT);
    r->smooth = NEW_ARRAY(a, bool, r->formulas + 1);
    r->got = NEW_ARRAY(a, gathered, e->kept.count + 1);
    r->y = NEW_ARRAY(a, double, ah_system_count(s, AH_Q_STATE) + 1);
    r->out = NEW_ARRAY(a, double, r->outputs + 1);
    for (size_t k = 0; k < NODES; k++) r->f[k] = NEW_ARRAY(a, double, r->formulas + 1);
    for (size_t i = 0; i < e->kept.count; i++) {
        if (!is_along(e->kept.at[i].kind)) continue;
        r->along = true;
        r->smooth[e->kept.at[i].formula] = true;
    }
    return r;
}

/* All formulas at t, which is in the last step. */
static void look(reducer *r, double t, double *f)
{
    const bool there =
        ah_motion_state_at(r->m, t, r->y) == AH_OK &&
        (!r->outputs || ah_work_evaluate(r->w, AH_Q_OUTPUT, t, r->y, r->out) == AH_OK);
    for (size_t i = 0; i < r->formulas; i++) f[i] = there ? r->out[r->formula[i]] : NAN;
}

static void extend(gathered *g, kept_kind kind, double f)
{
    if (isnan(g->value)) return; /* it does not exist everywhere */
    if (isnan(f) || (kind == KEPT_MAX ? f > g->value : f < g->value)) g->value = f;
}

void reduce_begin(reducer *r, ah_motion *m, ah_work *w)
{
    r->m = m;
    r->w = w;
    r->t0 = ah_motion_time(m);
    look(r, r->t0, r->f[0]);
    for (size_t i = 0; i < r->e->kept.count; i++) {
        const kept *k = &r->e->kept.at[i];
        const double f = k->kind == KEPT_COUNT ? 0 : r->f[0][k->formula];
        gathered *g = &r->got[i];
        *g = (gathered){0};
        if (k->kind == KEPT_START || k->kind == KEPT_MIN || k->kind == KEPT_MAX) g->value = f;
        if (k->kind == KEPT_FIRST || k->kind == KEPT_LAST) g->value = NAN;
    }
}

/* ---- Pieces of a step ------------------------------------------------------------------------ */

static double rule(const reducer *r, const double *weight, size_t formula, double half)
{
    double sum = 0;
    for (size_t k = 0; k < NODES; k++) sum += weight[k] * r->f[k][formula];
    return half * sum;
}

/* Whether nine points tell what the formulas do. */
static bool is_fine(const reducer *r)
{
    for (size_t i = 0; i < r->formulas; i++) {
        if (!r->smooth[i]) continue;
        double size = 0;
        for (size_t k = 0; k < NODES; k++) size += weight9[k] * fabs(r->f[k][i]);
        const double difference = rule(r, weight9, i, 1) - rule(r, weight5, i, 1);
        if (fabs(difference) > RULES_AGREE * size) return false; /* not where it is NaN */
    }
    return true;
}

/* The polynomial through the points at x, by its barycentric form. */
static double interpolate(const reducer *r, size_t formula, double x)
{
    double above = 0, below = 0;
    for (size_t k = 0; k < NODES; k++) {
        const double d = x - node[k];
        if (d == 0) return r->f[k][formula];
        const double c = (k == 0 || k == NODES - 1 ? 0.5 : 1) * (k % 2 ? -1 : 1) / d;
        above += c * r->f[k][formula];
        below += c;
    }
    return above / below;
}

/* Where sign·p is largest between a and b, by the golden section. */
static double largest_between(const reducer *r, size_t formula, double sign, double a, double b)
{
    const double part = 0.61803398874989484820;
    double c = b - part * (b - a), d = a + part * (b - a);
    double fc = sign * interpolate(r, formula, c), fd = sign * interpolate(r, formula, d);
    for (int i = 0; i < 40; i++) {
        if (fc > fd) {
            b = d, d = c, fd = fc;
            c = b - part * (b - a);
            fc = sign * interpolate(r, formula, c);
        } else {
            a = c, c = d, fc = fd;
            d = a + part * (b - a);
            fd = sign * interpolate(r, formula, d);
        }
    }
    return (a + b) / 2;
}

/* An extreme may lie near the k-th point: on either side of an inner one, inwards of an end. */
static void seek_extreme(reducer *r, size_t which, size_t k, double middle, double half)
{
    const kept *what = &r->e->kept.at[which];
    gathered *g = &r->got[which];
    const double sign = what->kind == KEPT_MAX ? 1 : -1;
    const double a = node[k ? k - 1 : 0], b = node[k < NODES - 1 ? k + 1 : k];
    const double x = largest_between(r, what->formula, sign, a, b);
    const double f = sign * interpolate(r, what->formula, x), best = sign * g->value;
    if (!(f > best + LARGER * fabs(best))) return;
    double *at = r->out; /* the row of the formulas is needed again */
    const bool there = ah_motion_state_at(r->m, middle + half * x, r->y) == AH_OK &&
                       ah_work_evaluate(r->w, AH_Q_OUTPUT, middle + half * x, r->y, at) == AH_OK;
    if (there) extend(g, what->kind, at[r->formula[what->formula]]);
}

static void take_extremes(reducer *r, size_t which, double middle, double half)
{
    const kept *what = &r->e->kept.at[which];
    const double sign = what->kind == KEPT_MAX ? 1 : -1;
    for (size_t k = 0; k < NODES; k++) extend(&r->got[which], what->kind, r->f[k][what->formula]);
    for (size_t k = 0; k < NODES; k++) {
        const double f = sign * r->f[k][what->formula];
        const bool above_left = k == 0 || f >= sign * r->f[k - 1][what->formula];
        const bool above_right = k == NODES - 1 || f >= sign * r->f[k + 1][what->formula];
        if (above_left && above_right) seek_extreme(r, which, k, middle, half);
    }
}

/* Kahan's sum: a motion may have a million steps. */
static void add_to(gathered *g, double x)
{
    const double y = x - g->lost, sum = g->value + y;
    g->lost = (sum - g->value) - y;
    g->value = sum;
}

static void take_piece(reducer *r, double middle, double half)
{
    for (size_t i = 0; i < r->e->kept.count; i++) {
        const kept *k = &r->e->kept.at[i];
        if (k->kind == KEPT_MEAN || k->kind == KEPT_INTEGRAL)
            add_to(&r->got[i], rule(r, weight9, k->formula, half));
        if (k->kind == KEPT_MIN || k->kind == KEPT_MAX) take_extremes(r, i, middle, half);
    }
}

static void gather(reducer *r, double from, double to, int halves)
{
    const double middle = from + (to - from) / 2, half = (to - from) / 2;
    for (size_t k = 0; k < NODES; k++) {
        const double t = k == 0 ? from : k == NODES - 1 ? to : middle + half * node[k];
        look(r, t, r->f[k]);
    }
    const bool last = halves == 0 || middle == from || middle == to;
    if (last || ++r->pieces > PIECES_MOST || is_fine(r)) {
        take_piece(r, middle, half);
        return;
    }
    gather(r, from, middle, halves - 1);
    gather(r, middle, to, halves - 1);
}

/* ---- Events ---------------------------------------------------------------------------------- */

static void take_event(reducer *r, const ah_event *event)
{
    bool looked = false;
    for (size_t i = 0; i < r->e->kept.count; i++) {
        const kept *k = &r->e->kept.at[i];
        gathered *g = &r->got[i];
        if (!k->event || strcmp(k->event, event->label)) continue;
        if (k->kind == KEPT_COUNT) g->value++;
        if (k->kind == KEPT_COUNT || (k->kind == KEPT_FIRST && g->happened)) continue;
        if (!looked) look(r, event->t, r->f[0]);
        looked = true;
        g->value = r->f[0][k->formula];
        g->happened = true;
    }
}

void reduce_step(reducer *r)
{
    const double from = ah_motion_time_before(r->m), to = ah_motion_time(r->m);
    r->pieces = 0;
    if (r->along && from != to) gather(r, from, to, HALVES);
    for (size_t i = 0; i < ah_motion_events(r->m); i++) {
        ah_event event;
        if (ah_motion_event(r->m, i, &event) == AH_OK && !event.touched) take_event(r, &event);
    }
}

void reduce_end(reducer *r, double *out)
{
    const double t = ah_motion_time(r->m);
    look(r, t, r->f[0]);
    for (size_t i = 0; i < r->e->kept.count; i++) {
        const kept *k = &r->e->kept.at[i];
        out[i] = r->got[i].value;
        if (k->kind == KEPT_FINAL) out[i] = r->f[0][k->formula];
        if (k->kind == KEPT_MEAN) out[i] = t != r->t0 ? out[i] / (t - r->t0) : r->f[0][k->formula];
    }
}
