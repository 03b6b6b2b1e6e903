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
enum { NODES = REDUCE_NODES, HALVES = 20, PIECES_MOST = 64 };
/* The rule of nine points is trusted where that of five is within this part of ∫|f|: its own error
 * is then about the square. */
#define RULES_AGREE 1e-6
/* An extreme between the points is looked for where it would be larger than what is known by this
 * part of it. */
#define LARGER 1e-15

/* cos(k π/8), and the weights of the rules with 9 and 5 points on [-1, 1]. */
const double reduce_node[NODES] = {
    -1, -0.92387953251128675613, -0.70710678118654752440, -0.38268343236508977173,
    0,  0.38268343236508977173,  0.70710678118654752440,  0.92387953251128675613,
    1};
static const double weight9[NODES] = {
    1.0 / 63,    0.14621864921601815501, 88.0 / 315, 0.36171785872048978150,
    124.0 / 315, 0.36171785872048978150, 88.0 / 315, 0.14621864921601815501,
    1.0 / 63};
static const double weight5[NODES] = {1.0 / 15, 0,        8.0 / 15, 0,       12.0 / 15,
                                      0,        8.0 / 15, 0,        1.0 / 15};

static const double *const node = reduce_node;

/* Of one thing that is kept. */
typedef struct gathered {
    double value;   /* so far */
    double lost;    /* of an integral: what rounding took */
    uint64_t times; /* that an event happened */
} gathered;

struct reducer {
    const ah_ensemble *e;
    reduce_source source;
    size_t formulas;
    bool along;   /* something is asked between the ends */
    bool *smooth; /* by formula: an integral or an extreme is wanted */
    gathered *got;
    double *out;      /* work space */
    double *f[NODES]; /* by formula */
    double t0;        /* where it began */
    int pieces;       /* of this step so far */
};

static bool is_along(kept_kind k)
{
    return k == KEPT_MIN || k == KEPT_MAX || k == KEPT_MEAN || k == KEPT_INTEGRAL;
}

bool reduce_goes_along(const ah_ensemble *e)
{
    for (size_t i = 0; i < e->kept.count; i++)
        if (is_along(e->kept.at[i].kind)) return true;
    return false;
}

static bool is_at_start(kept_kind k)
{
    return k == KEPT_START || k == KEPT_MIN || k == KEPT_MAX;
}

bool reduce_needs_start(const ah_ensemble *e)
{
    for (size_t i = 0; i < e->kept.count; i++)
        if (is_at_start(e->kept.at[i].kind)) return true;
    return false;
}

reducer *reducer_create(const ah_ensemble *e, arena *a, reduce_source from)
{
    reducer *r = NEW(a, reducer);
    *r = (reducer){.e = e, .source = from, .formulas = e->formulas.count};
    r->along = reduce_goes_along(e);
    r->smooth = NEW_ARRAY(a, bool, r->formulas + 1);
    r->got = NEW_ARRAY(a, gathered, e->kept.count + 1);
    r->out = NEW_ARRAY(a, double, r->formulas + 1);
    for (size_t k = 0; k < NODES; k++) r->f[k] = NEW_ARRAY(a, double, r->formulas + 1);
    for (size_t i = 0; i < e->kept.count; i++)
        if (is_along(e->kept.at[i].kind)) r->smooth[e->kept.at[i].formula] = true;
    return r;
}

/* All formulas at t, which is in the last step. */
static void look(reducer *r, double t, double *f)
{
    r->source.look(r->source.user, t, f);
}

static void extend(gathered *g, kept_kind kind, double f)
{
    if (isnan(g->value)) return; /* it does not exist everywhere */
    if (isnan(f) || (kind == KEPT_MAX ? f > g->value : f < g->value)) g->value = f;
}

void reduce_begin(reducer *r, double t, const double *formula)
{
    r->t0 = t;
    for (size_t i = 0; i < r->e->kept.count; i++) {
        const kept *k = &r->e->kept.at[i];
        gathered *g = &r->got[i];
        *g = (gathered){0};
        if (is_at_start(k->kind)) g->value = formula[k->formula];
        if (k->kind == KEPT_FIRST || k->kind == KEPT_LAST || k->kind == KEPT_EACH) g->value = NAN;
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
    look(r, middle + half * x, r->out); /* the row of the formulas is needed again */
    extend(g, what->kind, r->out[what->formula]);
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

/* `whole`: all of the last step, and for the first time. */
static void gather(reducer *r, double from, double to, int halves, bool whole)
{
    const double middle = from + (to - from) / 2, half = (to - from) / 2;
    if (whole && r->source.whole)
        r->source.whole(r->source.user, r->f);
    else
        for (size_t k = 0; k < NODES; k++) {
            const double t = k == 0 ? from : k == NODES - 1 ? to : middle + half * node[k];
            look(r, t, r->f[k]);
        }
    const bool last = halves == 0 || middle == from || middle == to;
    if (last || ++r->pieces > PIECES_MOST || is_fine(r)) {
        take_piece(r, middle, half);
        return;
    }
    gather(r, from, middle, halves - 1, false);
    gather(r, middle, to, halves - 1, false);
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* Whether it is the time at which its formula is kept. */
static bool is_due(const kept *k, uint64_t times)
{
    return k->kind == KEPT_LAST || (k->kind == KEPT_FIRST && times == 1) ||
           (k->kind == KEPT_EACH && times == k->nth);
}

void reduce_event(reducer *r, const char *label, double t)
{
    bool looked = false;
    for (size_t i = 0; i < r->e->kept.count; i++) {
        const kept *k = &r->e->kept.at[i];
        gathered *g = &r->got[i];
        if (!k->event || strcmp(k->event, label)) continue;
        g->times++;
        if (k->kind == KEPT_COUNT) g->value = (double) g->times;
        if (!is_due(k, g->times)) continue;
        if (!looked) look(r, t, r->f[0]);
        looked = true;
        g->value = r->f[0][k->formula];
    }
}

void reduce_step(reducer *r, double from, double to, bool cut)
{
    r->pieces = 0;
    if (r->along && from != to) gather(r, from, to, HALVES, !cut);
}

void reduce_end(reducer *r, double t, const double *formula, double *out)
{
    for (size_t i = 0; i < r->e->kept.count; i++) {
        const kept *k = &r->e->kept.at[i];
        out[i] = r->got[i].value;
        if (k->kind == KEPT_FINAL) out[i] = formula[k->formula];
        if (k->kind == KEPT_MEAN) out[i] = t != r->t0 ? out[i] / (t - r->t0) : formula[k->formula];
    }
}
