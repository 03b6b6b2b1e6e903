/* many/reduce.c - numbers along a motion.
 *
 * A step is looked at in nine Chebyshev points of its continuous output. Clenshaw and Curtis' rule
 * through all of them gives the integral, the one through every other tells how good that is: where
 * the two differ, the piece is halved. The polynomial through the points shows where a formula is
 * largest, and the motion is asked there, so that the error of the place enters squared. */
#include "reduce.h"

#include <math.h>
#include <string.h>

/* A kink takes two pieces each time that a piece is halved; what is nothing but rounding errors would take them all, and is looked for
 * after the first few. What is not resolved by all of them has no number. */
enum { NODES = REDUCE_NODES, HALVES = 20, PIECES_FEW = 64, PIECES_MOST = 20000 };
/* Rounding errors show within this part of a piece, where nothing smooth changes. Where the two rules differ by no more than so many of
 * them, smaller pieces do not help. */
#define CLOSE      1e-9
#define ROUNDED_BY 8
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
    bool *smooth; /* by formula: an integral or an extreme is wanted … */
    bool *open;   /* … and may still be a number, of this motion */
    gathered *got;
    double *out;      /* work space */
    double *error;    /* the same: of rounding, by formula */
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
    r->open = NEW_ARRAY(a, bool, r->formulas + 1);
    r->got = NEW_ARRAY(a, gathered, e->kept.count + 1);
    r->out = NEW_ARRAY(a, double, r->formulas + 1);
    r->error = NEW_ARRAY(a, double, r->formulas + 1);
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
    memcpy(r->open, r->smooth, r->formulas * sizeof *r->open);
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

/* By how much the rules differ. */
static double doubt(const reducer *r, size_t formula)
{
    return fabs(rule(r, weight9, formula, 1) - rule(r, weight5, formula, 1));
}

/* Whether nine points tell what a formula does. */
static bool is_fine(const reducer *r, size_t formula)
{
    double size = 0;
    for (size_t k = 0; k < NODES; k++) size += weight9[k] * fabs(r->f[k][formula]);
    return !(doubt(r, formula) > RULES_AGREE * size); /* so where it is NaN */
}

static bool are_fine(const reducer *r)
{
    for (size_t i = 0; i < r->formulas; i++)
        if (r->open[i] && !is_fine(r, i)) return false;
    return true;
}

/* Whether what is not fine is so by rounding errors: what does not change at all nearby is a small difference of large numbers. */
static bool are_rounded(reducer *r, double middle, double half)
{
    for (size_t i = 0; i < r->formulas; i++) r->error[i] = 0;
    for (size_t k = 1; k < NODES - 1; k++) {
        look(r, middle + half * (node[k] + CLOSE), r->out);
        for (size_t i = 0; i < r->formulas; i++)
            r->error[i] = fmax(r->error[i], fabs(r->out[i] - r->f[k][i]));
    }
    for (size_t i = 0; i < r->formulas; i++)
        if (r->open[i] && !is_fine(r, i) && r->error[i] > 0 &&
            doubt(r, i) > ROUNDED_BY * r->error[i])
            return false;
    return true;
}

/* The polynomial through the points as a sum of Chebyshev's polynomials, and its slope. */
typedef struct series {
    double c[NODES], slope[NODES];
} series;

/* cos(m π/8) */
enum { ROUND = 2 * (NODES - 1) };
static const double cosine[ROUND] = {
    1,  0.92387953251128675613,  0.70710678118654752440,  0.38268343236508977173,
    0,  -0.38268343236508977173, -0.70710678118654752440, -0.92387953251128675613,
    -1, -0.92387953251128675613, -0.70710678118654752440, -0.38268343236508977173,
    0,  0.38268343236508977173,  0.70710678118654752440,  0.92387953251128675613};

/* c_j = 2/n Σ f_k T_j(x_k), the first and the last halved in both directions; x_k = −cos(k π/n). */
static void expand(const reducer *r, size_t formula, series *s)
{
    const size_t n = NODES - 1;
    double f[NODES], before = 0, last = 0;
    for (size_t k = 0; k <= n; k++) f[k] = r->f[k][formula] * (k % n ? 1 : 0.5);
    for (size_t j = 0; j <= n; j++) {
        double sum = 0;
        for (size_t k = 0; k <= n; k++) sum += f[k] * cosine[j * k % ROUND];
        s->c[j] = sum * (j % 2 ? -2 : 2) / (double) n * (j % n ? 1 : 0.5);
    }
    for (size_t j = n + 1; j-- > 0;) { /* d_{j−1} = d_{j+1} + 2 j c_j */
        s->slope[j] = j ? last : last / 2;
        const double next = before + 2 * (double) j * s->c[j];
        before = last;
        last = next;
    }
}

/* Clenshaw's sum. */
static double value_at(const double *c, double x)
{
    double b1 = 0, b2 = 0;
    for (size_t j = NODES - 1; j > 0; j--) {
        const double b = c[j] + 2 * x * b1 - b2;
        b2 = b1;
        b1 = b;
    }
    return c[0] + x * b1 - b2;
}

/* Places are found to this part of a step. */
#define PLACE 1e-9

/* Where a slope that is up at a, and down at b or on the way there, vanishes: the rule of false position, with half the weight for an end
 * that stays [the Illinois rule]. NAN: it does not come down. */
static double summit(const double *slope, double a, double b)
{
    double fa = value_at(slope, a), fb = value_at(slope, b);
    for (int i = 0; i < 8 && !(fa * fb < 0); i++) {
        b = a + (b - a) / 2;
        fb = value_at(slope, b);
    }
    if (!(fa * fb < 0)) return NAN;
    for (int i = 0; i < 60; i++) {
        const double x = b - fb * (b - a) / (fb - fa), f = value_at(slope, x), step = fabs(x - b);
        if (f * fb < 0)
            a = b, fa = fb;
        else
            fa /= 2;
        b = x, fb = f;
        if (f == 0 || step < PLACE) break;
    }
    return b;
}

/* An extreme lies near the k-th point, on the side to which it goes up there: beyond an end it does not count. */
static void seek_extreme(reducer *r, size_t which, size_t k, const series *s, double middle,
                         double half)
{
    const kept *what = &r->e->kept.at[which];
    gathered *g = &r->got[which];
    const double sign = what->kind == KEPT_MAX ? 1 : -1, up = sign * value_at(s->slope, node[k]);
    if (!(up < 0 ? k > 0 : up > 0 && k < NODES - 1)) return;
    const double x = summit(s->slope, node[k], node[up > 0 ? k + 1 : k - 1]);
    const double f = sign * value_at(s->c, x), best = sign * g->value;
    if (!(f > best + LARGER * fabs(best))) return;
    look(r, middle + half * x, r->out); /* the row of the formulas is needed again */
    extend(g, what->kind, r->out[what->formula]);
}

/* A polynomial is between its points at most REACH times as far from their middle as these are (Lebesgue's constant of the points). */
#define REACH 2.4

static void take_extremes(reducer *r, size_t which, double middle, double half)
{
    const kept *what = &r->e->kept.at[which];
    const double sign = what->kind == KEPT_MAX ? 1 : -1;
    double f[NODES], low = INFINITY, high = -INFINITY;
    series s;
    for (size_t k = 0; k < NODES; k++) {
        f[k] = sign * r->f[k][what->formula];
        if (f[k] < low) low = f[k];
        if (f[k] > high) high = f[k];
        extend(&r->got[which], what->kind, r->f[k][what->formula]);
    }
    if ((low + high) / 2 + REACH * (high - low) / 2 <= sign * r->got[which].value) return;
    expand(r, what->formula, &s);
    for (size_t k = 0; k < NODES; k++)
        if ((k == 0 || f[k] >= f[k - 1]) && (k == NODES - 1 || f[k] >= f[k + 1]))
            seek_extreme(r, which, k, &s, middle, half);
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

/* What is not fine has no number from here on; the others have all pieces again. */
static void give_up(reducer *r)
{
    r->pieces = 0;
    for (size_t i = 0; i < r->e->kept.count; i++) {
        const kept *k = &r->e->kept.at[i];
        if (!is_along(k->kind) || is_fine(r, k->formula)) continue;
        r->got[i].value = NAN;
        r->open[k->formula] = false;
    }
}

/* Whether the piece need not be halved. */
static bool is_last(reducer *r, double middle, double half)
{
    if (are_fine(r)) return true;
    if (++r->pieces > PIECES_MOST) {
        give_up(r);
        return true;
    }
    return r->pieces > PIECES_FEW && are_rounded(r, middle, half);
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
    if (halves == 0 || middle == from || middle == to || is_last(r, middle, half)) {
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
