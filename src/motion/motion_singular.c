/* motion/motion_singular.c - ranks watched along a motion.
 *
 * A: the rows of J (below those of ∂ω/∂v, or of (∂ψ/∂s)ᵀ), columns measured by M, each divided by its length at the
 * start. D, the square of the product of the k largest singular values, k the rank, is the sum of
 * the squares of all k × k minors: det(A Aᵀ) where the rows are independent. It does not depend on
 * which of redundant rows are thought of as the independent ones, is smooth, not negative, and
 * falls to zero like the square of the distance from a singular state.
 *
 * D also falls where a constraint is merely written with a small factor, (x² + ε)(x' − y') = 0,
 * which loses no rank. The two are told apart by what the minors do. Beyond a singular state they
 * go on with the other sign, and past one that is nearly met they have turned in the shortest time;
 * a factor leaves their direction as it is. Cosines between their directions at two places,
 *
 *     Σ_S det A_S(t₋) det A_S(t₊) / √(D(t₋) D(t₊)),
 *
 * have the product of the k largest eigenvalues of A(t₋) A(t₊)ᵀ above the line. At zeros of even
 * order the minors return; there the rows themselves are dependent, or vanish, to rounding. */
#include "motion_singular.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

enum { GLANCES = 4, LOOKS = 16, MOST_LOOKS = 64, NARROWINGS = 60, PAST = 24, SETTLINGS = 60 };
#define PAST_RATIO 0.1

static const double golden = 0.6180339887498949;

struct motion_singular {
    motion_state *state;
    arena *arena;
    uint32_t n, rows, rank;
    expr_plan *J; /* with its terms; NULL: nobody asked yet */
    double *terms;
    double near, turn; /* see the header */
    double *mass,
        *column; /* M_ii of the last state, nearly always the same, and how columns are measured by it */
    double *scale; /* one over the length of each row at the start … */
    double scales; /* … and the square of their product; 0: rows are redundant */
    double *A, *y, *out;
    double D[2];   /* of the last run, and det A where there is a formula */
    double quick;  /* the part of the recent size to which det(A W Aᵀ) is good */
    double *there; /* A at a place of interest */
    struct {
        double D, t, *A;
    } past[PAST]; /* A at the ends of earlier steps, D falling by PAST_RATIO from one to the next */
    uint32_t kept;
    double *entered, entered_D, entered_t,
        leave;           /* a place of least D in steps too short to tell, see came_through */
    double minor;        /* det A at the end of the last step, … */
    bool square_sign;    /* … where that is enough to see it turn; … */
    double last, recent; /* … its D, and the recent size of D */
    double most;         /* D of the whole motion: where steps collapse the recent size does, too */
    double longest;      /* step: what time is forgotten by */
    double met;          /* D at a singular state, as far as numbers tell */
    double slope;        /* of √D lately */
    double rate;         /* D' at the end of the last step, … */
    double rate_before;  /* … and of the one before; NAN: not worked out */
    bool dips;           /* the cubic of the step's ends falls below zero inside */
    bool hidden;         /* it does not foretell what is inside */
    bool fell;           /* near zero at the end of the last step, and falling */
    bool *read;          /* the coordinates on which D depends */
};

/* J and ∂ω/∂v by 1/√M, ∂ψ/∂s by √M. */
static double measure_of(const motion_singular *w, double mass)
{
    const motion_code *c = &w->state->code;
    const double root = mass > 0 ? sqrt(mass) : 1;
    return c->rank_of_psi ? root : 1 / root;
}

/* A at the state of the last run, columns measured. */
static void measure(motion_singular *w, double *A)
{
    const double *mass = w->out + (size_t) w->rows * w->n, *from = w->out;
    for (uint32_t j = 0; j < w->n; j++) {
        if (mass[j] == w->mass[j]) continue;
        w->mass[j] = mass[j];
        w->column[j] = measure_of(w, mass[j]);
    }
    for (uint32_t i = 0; i < w->rows; i++, from += w->n, A += w->n)
        for (uint32_t j = 0; j < w->n; j++) A[j] = from[j] * w->column[j] * w->scale[i];
}

static double length(const motion_singular *w, const double *A, uint32_t row)
{
    return linear_norm(w->n, A + (size_t) row * w->n);
}

/* The sum of the squares of the k × k minors of A. */
static double minors(motion_singular *w, const double *A)
{
    return linear_minor_squares(&w->state->p->ctx->scratch, w->rows, w->n, w->rank, A);
}

/* The cosine of the angle between the minors of A and B, with their D. */
static double cosine(motion_singular *w, const double *A, double D, const double *B, double E)
{
    return linear_minor_products(&w->state->p->ctx->scratch, w->rows, w->n, w->rank, A, B) /
           (sqrt(D) * sqrt(E));
}

/* A at the state; false: it does not exist. */
static bool rows_at(motion_singular *w, double t, const double *y, double *A)
{
    if (!motion_code_run(&w->state->code, MOTION_RANK, t, y, w->out)) return false;
    measure(w, A);
    return true;
}

/* D at the state; NAN where A does not exist. By the rows themselves, in w->A, where its formula has lost digits. */
static double determinant(motion_singular *w, double t, const double *y)
{
    if (!motion_code_run(&w->state->code, MOTION_DETERMINANT, t, y, w->D)) return NAN;
    const double quick = w->scales * w->D[0];
    if (quick > w->quick * w->recent && quick < INFINITY) return quick;
    return rows_at(w, t, y, w->A) ? minors(w, w->A) : NAN;
}

/* The end of a step: A is kept where D has fallen well below what is kept; what is below D is not needed any more. */
static void remember(motion_singular *w, double t, const double *y, double D)
{
    while (w->kept && w->past[w->kept - 1].D <= D) w->kept--;
    if (w->kept == PAST || (w->kept && !(D <= PAST_RATIO * w->past[w->kept - 1].D))) return;
    if (!rows_at(w, t, y, w->past[w->kept].A)) return;
    w->past[w->kept].t = t;
    w->past[w->kept++].D = D;
}

/* How long each row of J would be with the absolute values of all its terms, columns measured; false: the rows are not those of J
 * alone. */
static bool lengths_of_terms(motion_singular *w, double t, const double *y, double *own)
{
    const mechanics *k = w->state->p->mech;
    ah_ctx *ctx = w->state->p->ctx;
    const size_t size = (size_t) k->r * w->n;
    if (w->state->code.frame || w->state->code.rank_of_psi || w->rows != k->r) return false;
    if (!w->J) {
        w->J = expr_plan_create(ctx, w->arena, mat_to_dense(ctx, &ctx->scratch, k->J), size);
        w->terms = NEW_ARRAY(w->arena, double, 2 * size + 1);
    }
    motion_state_put(w->state, MOTION_AT_SPEEDS, t, y);
    expr_plan_run_scaled(w->J, w->state->p->values, w->terms, w->terms + size);
    for (uint32_t i = 0; i < w->rows; i++) {
        double *terms = w->terms + size + (size_t) i * w->n;
        for (uint32_t j = 0; j < w->n; j++) terms[j] *= w->column[j];
        own[i] = linear_norm(w->n, terms);
    }
    return true;
}

/* Which lengths of rows are no more than zero at the start: rounding errors of a row's own terms, whatever factors there are before
 * it; where these are not known, what is nothing beside the other rows. */
static double *lengths_of_zeros(motion_singular *w, double t, const double *y, double largest)
{
    double *zero = NEW_ARRAY(&w->state->p->ctx->scratch, double, 2 * (size_t) w->rows);
    double *own = zero + w->rows;
    const bool known = lengths_of_terms(w, t, y, own);
    for (uint32_t i = 0; i < w->rows; i++)
        zero[i] = known && isfinite(own[i]) ? SINGULAR_ROUNDING * own[i] : SINGULAR_ROW * largest;
    return zero;
}

/* Whether too few rows are left that are more than what rounding leaves of their terms: (x - 1)^3 times a blade keeps nothing any more where
 * x is nearly 1, long before x = 1. */
static bool is_blurred(motion_singular *w, double t, const double *y)
{
    arena *a = &w->state->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double *own = NEW_ARRAY(a, double, w->rows);
    uint32_t clear = 0;
    const bool known = rows_at(w, t, y, w->A) && lengths_of_terms(w, t, y, own);
    for (uint32_t i = 0; known && i < w->rows; i++)
        clear += !(length(w, w->A, i) <= SINGULAR_BLURRED * own[i] * w->scale[i]);
    arena_release(a, mark);
    return known && clear < w->rank;
}

/* Rows that are zero at the start are measured by the others. */
static void measure_rows(motion_singular *w, double t, const double *y, const double *A)
{
    const arena_mark mark = arena_get_mark(&w->state->p->ctx->scratch);
    double largest = 0;
    for (uint32_t i = 0; i < w->rows; i++) largest = fmax(largest, length(w, A, i));
    const double *zero = lengths_of_zeros(w, t, y, largest);
    for (uint32_t i = 0; i < w->rows; i++) {
        const double l = length(w, A, i);
        w->scale[i] = 1 / (l > zero[i] ? l : largest > 0 ? largest : 1);
    }
    arena_release(&w->state->p->ctx->scratch, mark);
    w->scales = w->rank == w->rows;
    for (uint32_t i = 0; i < w->rows; i++) w->scales *= w->scale[i] * w->scale[i];
}

static uint32_t expected_rank(const motion_state *s)
{
    return s->code.frame ? s->code.n : s->code.rank_of_psi ? s->code.m : s->p->mech->rank;
}

motion_singular *motion_singular_create(motion_state *s, arena *a, double rtol, double t,
                                        const double *y)
{
    const motion_code *c = &s->code;
    if (!c->program[MOTION_RANK] || !c->program[MOTION_DETERMINANT]) return NULL;
    motion_singular *w = NEW(a, motion_singular);
    w->state = s;
    w->arena = a;
    w->n = c->n;
    w->rows = c->rank_rows;
    const size_t size = (size_t) w->rows * w->n;
    w->A = NEW_ARRAY(a, double, (3 + PAST) * size);
    w->there = w->A + size;
    for (int i = 0; i < PAST; i++) w->past[i].A = w->there + (size_t) (i + 1) * size;
    w->entered = w->there + (size_t) (PAST + 1) * size;
    w->scale = NEW_ARRAY(a, double, w->rows);
    w->mass = NEW_ARRAY(a, double, 2 * (size_t) w->n); /* zeros: measured by … */
    w->column = w->mass + w->n;
    for (uint32_t j = 0; j < w->n; j++) w->column[j] = 1; /* … this */
    w->y = NEW_ARRAY(a, double, c->n + c->m);
    w->read = NEW_ARRAY(a, bool, c->n + 1);
    for (uint32_t i = 0; i < c->n; i++)
        w->read[i] = lanes_read(c->program[MOTION_DETERMINANT], 1 + i);
    w->out = NEW_ARRAY(a, double, c->program[MOTION_RANK]->outputs);
    w->near = fmin(fmax(SINGULAR_NEAR, SINGULAR_NEAR_RTOL * rtol), SINGULAR_NEAR_MOST);
    if (s->p->mech->holonomic) w->near = SINGULAR_NEAR_PLACES;
    if (c->rank_by_speeds) w->near = SINGULAR_NEAR_SPEEDS;
    w->turn = c->rank_by_speeds ? SINGULAR_TURN_SPEEDS : SINGULAR_TURN;
    for (uint32_t i = 0; i < w->rows; i++) w->scale[i] = 1;
    if (!rows_at(w, t, y, w->A)) return NULL;
    w->rank = linear_row_rank(&s->p->ctx->scratch, w->rows, w->n, w->A, NULL);
    if (w->rank > expected_rank(s)) w->rank = expected_rank(s);
    w->square_sign = c->rank_signed && w->rank == w->n;
    measure_rows(w, t, y, w->A);
    w->recent = w->quick = INFINITY; /* the first by the minors … */
    w->last = w->recent = w->most = determinant(w, t, y);
    const double off =
        fabs(w->scales * w->D[0] / w->last - 1); /* … tells how good the formula is */
    w->quick = off <= SINGULAR_SAME ? SINGULAR_QUICK : SINGULAR_GLANCE;
    w->minor = w->D[1];
    remember(w, t, y, w->last);
    w->slope = w->rate = NAN; /* not known yet */
    const bool for_ever =
        w->scales > 0 && w->last > 0 && lanes_keep_from_zero(c->program[MOTION_DETERMINANT], 0);
    return w->rank && isfinite(w->last) && !for_ever ? w : NULL;
}

/* D inside the step. */
static double between(motion_singular *w, const ivp_step *step, double t)
{
    step->at(step->stepper, t, w->y);
    return determinant(w, t, w->y);
}

/* The same, with A. */
static double rows_between(motion_singular *w, const ivp_step *step, double t, double *A)
{
    const double D = between(w, step, t);
    return rows_at(w, t, w->y, A) ? D : NAN;
}

/* Whether a parabola through three of few values may dip towards zero inside the step: what need
 * not be looked at closely, which is nearly all. `ends`: D at both ends. */
static bool may_vanish(motion_singular *w, const ivp_step *step, const double *ends)
{
    const double h = (step->t1 - step->t0) / GLANCES;
    double D[GLANCES + 1] = {ends[0]};
    D[GLANCES] = ends[1];
    for (int i = 1; i < GLANCES; i++) D[i] = between(w, step, step->t0 + i * h);
    for (int i = 1; i < GLANCES; i++) {
        const double slope = (D[i + 1] - D[i - 1]) / 2, bend = D[i + 1] - 2 * D[i] + D[i - 1];
        const double least_seen = fmin(D[i], fmin(D[i - 1], D[i + 1]));
        if (!isfinite(bend) || least_seen < SINGULAR_GLANCE * w->recent) return true;
        if (bend <= 0 || fabs(slope) > 1.6 * bend) continue; /* the vertex is elsewhere */
        if (D[i] - slope * slope / (2 * bend) < 0.7 * least_seen) return true;
    }
    return false;
}

/* D' at an end of the step, by the rates there. */
static double rate_at(motion_singular *w, const ivp_step *step, double t, const double *y,
                      const double *f, double D)
{
    const uint32_t count = w->state->code.n + w->state->code.m;
    const double ahead = SINGULAR_AHEAD * (step->t1 - step->t0);
    for (uint32_t i = 0; i < count; i++) w->y[i] = y[i] + ahead * f[i];
    return (determinant(w, t + ahead, w->y) - D) / ahead;
}

/* D at this part of a step as the cubic of both ends and their slopes foretells it. */
static double cubic_at(const double *ends, const double *rises, double s)
{
    const double r = 1 - s;
    return r * r * ((1 + 2 * s) * ends[0] + s * rises[0]) +
           s * s * ((1 + 2 * r) * ends[1] - r * rises[1]);
}

/* Whether the cubic of both ends and their slopes, over a step, is below zero somewhere inside: D may have been zero there, however large it is
 * at the ends. */
static bool cubic_dips(const double *ends, const double *rises)
{
    enum { PLACES = 8 };
    for (int i = 1; i < PLACES; i++)
        if (cubic_at(ends, rises, (double) i / PLACES) < 0) return true;
    return false;
}

/* Whether a step is long: a place on which D depends changes by more than one of its units, as an angle that turns does on which the motion itself
 * does not depend. */
static bool is_far(const motion_singular *w, const ivp_step *step)
{
    double moved = 0;
    for (uint32_t i = 0; i < w->state->code.n; i++)
        if (w->read[i]) moved = fmax(moved, fabs(step->y1[i] - step->y0[i]));
    return moved >= SINGULAR_FAR;
}

/* Whether D inside is what the cubic foretells. */
static bool is_foretold(motion_singular *w, const ivp_step *step, const double *ends,
                        const double *rises)
{
    const double D = between(w, step, step->t0 + golden * (step->t1 - step->t0));
    return fabs(D - cubic_at(ends, rises, golden)) < SINGULAR_FORETOLD * fmin(ends[0], ends[1]);
}

/* Whether the cubic of both ends and their slopes stays away from zero: nothing between the ends need be worked out then.
 * In t = 0 .. 1 it lies above all four numbers of Bernstein's form. How small D is does not matter, as long as its digits are good;
 * where it rises by more than itself the step is too long for a cubic. */
static bool stays_away(motion_singular *w, const ivp_step *step, const double *ends)
{
    const double h = step->t1 - step->t0, smaller = fmin(ends[0], ends[1]);
    w->dips = w->hidden = false;
    if (!(smaller > w->quick * w->recent)) return false;
    const bool far = is_far(w, step);
    if (!step->f0 || !step->f1) { /* IDA's */
        const double rise = ends[1] - ends[0];
        w->hidden = far && !is_foretold(w, step, ends, (double[]){rise, rise});
        return false;
    }
    const double first = isnan(w->rate_before)
                             ? rate_at(w, step, step->t0, step->y0, step->f0, ends[0])
                             : w->rate_before;
    w->rate = rate_at(w, step, step->t1, step->y1, step->f1, ends[1]);
    const double rises[] = {first * h, w->rate * h};
    const bool above = ends[0] + rises[0] / 3 >= SINGULAR_AWAY * smaller &&
                       ends[1] - rises[1] / 3 >= SINGULAR_AWAY * smaller &&
                       rises[0] / 3 <= ends[0] && -rises[1] / 3 <= ends[1];
    w->hidden = far && !(above && is_foretold(w, step, ends, rises));
    w->dips = !above && cubic_dips(ends, rises);
    return above && !w->hidden;
}

/* Four places of a step and D there, the least of it between the outer ones. */
typedef struct bracket {
    double a, x, y, b, Da, Dx, Dy, Db;
} bracket;

/* Whether D stays above the level: inside, a parabola is lower than the least of the four by a small part of their
 * differences. */
static bool stays_above(const bracket *k, double level)
{
    const double low = fmin(fmin(k->Da, k->Db), fmin(k->Dx, k->Dy));
    const double high = fmax(fmax(k->Da, k->Db), fmax(k->Dx, k->Dy));
    return low - (high - low) > level;
}

typedef double depth(motion_singular *w, const ivp_step *step, double t);

/* The places inside of a and b. */
static void begin_bracket(motion_singular *w, const ivp_step *step, depth *D, bracket *k)
{
    k->x = k->b - golden * (k->b - k->a);
    k->y = k->a + golden * (k->b - k->a);
    k->Dx = D(w, step, k->x);
    k->Dy = D(w, step, k->y);
}

static double least_of(const bracket *k)
{
    return fmin(k->Dx, k->Dy);
}

static void narrow(motion_singular *w, const ivp_step *step, depth *D, bracket *k)
{
    if (k->Dx < k->Dy) {
        k->b = k->y, k->y = k->x, k->Db = k->Dy, k->Dy = k->Dx;
        k->x = k->b - golden * (k->b - k->a);
        k->Dx = D(w, step, k->x);
    } else {
        k->a = k->x, k->x = k->y, k->Da = k->Dx, k->Dx = k->Dy;
        k->y = k->a + golden * (k->b - k->a);
        k->Dy = D(w, step, k->y);
    }
}

/* D at so many places of a step, its ends among them. */
typedef struct looks {
    int count;
    double t[MOST_LOOKS + 1], D[MOST_LOOKS + 1];
} looks;

static void look(motion_singular *w, const ivp_step *step, looks *l)
{
    l->count = w->hidden ? MOST_LOOKS : LOOKS;
    for (int i = 0; i <= l->count; i++) {
        l->t[i] = i == l->count ? step->t1 : step->t0 + i * ((step->t1 - step->t0) / l->count);
        l->D[i] = between(w, step, l->t[i]);
    }
}

/* Whether D is less at the place than at the two beside it. */
static bool is_low(const looks *l, int i)
{
    return !isnan(l->D[i]) && (i == 0 || !(l->D[i - 1] <= l->D[i])) &&
           (i == l->count || !(l->D[i + 1] < l->D[i]));
}

/* The least D beside such a place, by golden section; √ of it is the distance. Above the level it is not worked out to the end. */
static double least(motion_singular *w, const ivp_step *step, const looks *l, int i, double level,
                    double *where)
{
    const int before = i ? i - 1 : 0, after = i < l->count ? i + 1 : l->count;
    const int low = l->t[before] < l->t[after] ? before : after, high = before + after - low;
    bracket k = {.a = l->t[low], .b = l->t[high], .Da = l->D[low], .Db = l->D[high]};
    begin_bracket(w, step, between, &k);
    for (int n = 0; n < NARROWINGS && !stays_above(&k, level); n++) narrow(w, step, between, &k);
    *where = k.Dx < k.Dy ? k.x : k.y;
    return least_of(&k);
}

/* ---- Is a rank lost, or a factor small? ------------------------------------------------------ */

/* Whether the minors at both ends of the step point to different sides, so that D may have been zero between them
 * however large it is. */
static bool turns_over(motion_singular *w, const ivp_step *step, const double *ends)
{
    return rows_at(w, step->t0, step->y0, w->there) && rows_at(w, step->t1, step->y1, w->A) &&
           cosine(w, w->there, ends[0], w->A, ends[1]) < 0;
}

/* Between `inner`, where D is below the level, and `outer`, where it is not: a place at the level, and A there. */
static double find_level(motion_singular *w, const ivp_step *step, double level, double inner,
                         double outer, double *A)
{
    double D = between(w, step, outer);
    for (int i = 0; i < NARROWINGS && D > 4 * level; i++) {
        const double middle = inner + (outer - inner) / 2;
        if (between(w, step, middle) >= level)
            outer = middle;
        else
            inner = middle;
        D = between(w, step, outer);
    }
    return rows_between(w, step, outer, A);
}

/* What is kept of the motion before the step, where D was last at this level: its number, from 1; 0: nothing is kept. The end of the step
 * may be kept already, and lie beyond what is looked at. */
static uint32_t before_step(const motion_singular *w, const ivp_step *step, double level)
{
    uint32_t i = w->kept;
    if (i > 1 && w->past[i - 1].t == step->t1) i--;
    while (i > 1 && w->past[i - 1].D < level) i--;
    return i;
}

/* Whether the minors turn at the place t, where D has its least value: from where they were clearly
 * larger to there, or to where they are again. */
static bool is_turned(motion_singular *w, const ivp_step *step, double t, double D)
{
    const double level = fmax(SINGULAR_AROUND * D, SINGULAR_SMALLEST * w->recent);
    const double *before = w->there;
    double from = between(w, step, step->t0);
    if (from >= level) {
        from = find_level(w, step, level, t, step->t0, w->there);
    } else {
        const uint32_t i = before_step(w, step, level);
        if (!i) return true; /* small from the start on */
        before = w->past[i - 1].A;
        from = w->past[i - 1].D;
    }
    if (D > SINGULAR_SMALLEST * w->recent) {
        const double here = rows_between(w, step, t, w->A);
        if (cosine(w, before, from, w->A, here) < w->turn) return true;
    }
    if (between(w, step, step->t1) < level) return false;
    const double to = find_level(w, step, level, t, step->t1, w->A);
    return cosine(w, before, from, w->A, to) < w->turn;
}

/* D is small at both ends of the step with its least value where steps are short: what the rows were before is kept, … */
static void keep_in_mind(motion_singular *w, const ivp_step *step, double D)
{
    const double level = fmax(SINGULAR_AROUND * D, SINGULAR_SMALLEST * w->recent);
    const uint32_t i = before_step(w, step, level);
    if (!i || !(w->last < level) || !(w->past[i - 1].D >= level)) return;
    memcpy(w->entered, w->past[i - 1].A, (size_t) w->rows * w->n * sizeof *w->A);
    w->entered_D = w->past[i - 1].D, w->entered_t = w->past[i - 1].t;
    w->leave = level;
}

/* … and where D is as large again it is seen whether the minors have turned, by whatever angle: branches of motions meet there,
 * and errors choose one. What takes longer has turned by itself, and a factor was small. */
static bool came_through(motion_singular *w, const ivp_step *step, double *t)
{
    if (!(w->leave > 0) || !(w->last >= w->leave)) return false;
    w->leave = 0;
    *t = step->t0;
    return fabs(step->t1 - w->entered_t) < SINGULAR_SHORTER * w->longest &&
           rows_at(w, step->t1, step->y1, w->A) &&
           cosine(w, w->entered, w->entered_D, w->A, w->last) < SINGULAR_TURN_SPEEDS;
}

/* Whether the rows at t, each brought to the length one, are dependent; those that vanish, or are rounding errors as 1 + cos(b) next to b = π, do
 * not count. */
static bool is_dependent(motion_singular *w, const ivp_step *step, double t)
{
    rows_between(w, step, t, w->A);
    for (uint32_t i = 0; i < w->rows; i++) {
        const double l = length(w, w->A, i);
        for (uint32_t j = 0; j < w->n; j++)
            w->A[(size_t) i * w->n + j] = l > SINGULAR_ROW ? w->A[(size_t) i * w->n + j] / l : 0;
    }
    return !(minors(w, w->A) > SINGULAR_LOST) || is_blurred(w, t, w->y);
}

/* D at a place of a step, brought to the constraints. Beside a singular state Newton's method halves the distance from it each time. */
static double settled(motion_singular *w, const ivp_step *step, double t)
{
    double D = between(w, step, t);
    for (int i = 0; i < SETTLINGS && D > w->met; i++) {
        double residual = 0;
        if (!motion_state_project(w->state, t, w->y, &residual)) break;
        const double now = determinant(w, t, w->y);
        if (!(now < SINGULAR_SETTLES * D)) break;
        D = now;
    }
    return D;
}

/* Whether there is a singular state beside the place of least D: inside, a step is on the constraints as nearly as the tolerance asks for, and
 * where branches touch, as those of y^2 = x^4, D is no smaller than that. */
static bool meets(motion_singular *w, const ivp_step *step, const double *ends, double found,
                  double *t)
{
    const double beside = fabs(step->t1 - step->t0) / LOOKS;
    if (!w->state->p->mech->holonomic || w->state->code.rank_by_speeds) return false;
    const double usual = fmin(w->recent, 1); /* rows have the length one at the start */
    if (!(fmin(found, ends[1]) <= SINGULAR_GLANCE * SINGULAR_GLANCE * usual)) return false;
    w->met = SINGULAR_LOST * usual;
    bracket k = {.a = fmax(*t - beside, fmin(step->t0, step->t1)),
                 .b = fmin(*t + beside, fmax(step->t0, step->t1))};
    begin_bracket(w, step, settled, &k);
    for (int i = 0; i < NARROWINGS && least_of(&k) > w->met; i++) narrow(w, step, settled, &k);
    if (least_of(&k) > w->met) return false;
    *t = k.Dx < k.Dy ? k.x : k.y;
    return true;
}

/* Whether D may be zero in the step: what need not be looked at closely, which is nearly all. */
static bool is_suspect(motion_singular *w, const ivp_step *step, const double *ends)
{
    const double h = fabs(step->t1 - step->t0), smaller = fmin(ends[0], ends[1]);
    if (!(smaller < SINGULAR_SUSPECT * w->recent)) return w->dips && may_vanish(w, step, ends);
    /* √D falls to zero and rises again as it has been changing: it cannot from far */
    const bool far = smaller > SINGULAR_GLANCE * w->recent &&
                     sqrt(ends[0]) + sqrt(ends[1]) > SINGULAR_STEEPER * w->slope * h;
    return w->fell ||
           (!far && !(w->square_sign && stays_away(w, step, ends)) && may_vanish(w, step, ends));
}

/* Quasi-velocities that become dependent leave rates of nothing but round-off: steps collapse before
 * the place is reached. */
static bool is_labouring(const motion_singular *w, const ivp_step *step, const double *ends,
                         double *t)
{
    *t = step->t1;
    return w->state->code.frame && ends[1] < ends[0] && ends[1] <= SINGULAR_LABOUR * w->most &&
           fabs(step->t1 - step->t0) < SINGULAR_SHORTER * w->longest;
}

/* A redundant row that vanished at the start, or nearly did, would be all of D, which then falls where that row alone vanishes
 * again: where it has grown it is measured anew, as if it had been so from the start. */
static void measure_again(motion_singular *w, const ivp_step *step)
{
    bool grown = false;
    if (!rows_at(w, step->t1, step->y1, w->there)) return;
    for (uint32_t i = 0; i < w->rows; i++) {
        const double l = length(w, w->there, i);
        if (!(l > SINGULAR_GROWN) || !isfinite(l)) continue;
        grown = true;
        w->scale[i] /= l;
        for (uint32_t k = 0; k < w->kept; k++)
            for (uint32_t j = 0; j < w->n; j++) w->past[k].A[(size_t) i * w->n + j] /= l;
    }
    if (!grown) return;
    for (uint32_t k = 0; k < w->kept; k++) w->past[k].D = minors(w, w->past[k].A);
    w->last = determinant(w, step->t0, step->y0);
    w->recent = w->most = w->kept ? fmax(w->past[0].D, w->last) : w->last;
    w->slope = w->rate = NAN, w->leave = 0;
}

/* Whether a rank is lost where D, `found`, is least beside a place of the step. `fell`: the step before ended falling. */
static bool is_lost(motion_singular *w, const ivp_step *step, const double *ends, bool fell,
                    double found, double *t)
{
    const double end = 0.01 * fabs(step->t1 - step->t0) / LOOKS;
    const bool near = found <= w->near * w->near * w->recent;
    /* What falls up to the end of the step is not there yet: the next step tells. */
    w->fell = near && fabs(*t - step->t1) < end;
    if (w->fell || (near && !fell && fabs(*t - step->t0) < end)) return false;
    if (near && (is_turned(w, step, *t, found) || is_dependent(w, step, *t))) return true;
    if (meets(w, step, ends, found, t)) return true;
    if (near) keep_in_mind(w, step, found);
    return false;
}

/* The first place of the step where one is. */
static bool find_lost(motion_singular *w, const ivp_step *step, const double *ends, bool fell,
                      double *t)
{
    looks l;
    look(w, step, &l);
    w->fell = false;
    for (int i = 0; i <= l.count; i++) {
        if (!is_low(&l, i)) continue;
        const double found = least(w, step, &l, i, w->near * w->near * w->recent, t);
        if (is_lost(w, step, ends, fell, found, t)) return true;
    }
    return false;
}

bool motion_singular_step(motion_singular *w, const ivp_step *step, double *t)
{
    if (w->rank < w->rows) measure_again(w, step);
    const double h = fabs(step->t1 - step->t0);
    const double ends[] = {w->last, determinant(w, step->t1, step->y1)};
    const double minor = w->D[1];
    const bool fell = w->fell;
    w->rate_before = w->rate;
    w->rate = NAN;
    w->dips = w->hidden = false;
    *t = step->t0;
    if (ends[1] <= w->near * w->near * w->recent && is_blurred(w, step->t1, step->y1)) return true;
    const bool away = !w->square_sign && stays_away(w, step, ends);
    const bool turned = w->square_sign ? w->minor * minor < 0 : !away && turns_over(w, step, ends);
    w->last = ends[1];
    w->minor = minor;
    remember(w, step->t1, step->y1, w->last);
    w->longest = fmax(w->longest, h);
    w->recent = fmax((1 - (1 - SINGULAR_MEMORY) * h / w->longest) * w->recent,
                     isfinite(w->last) ? w->last : 0);
    w->most = fmax(w->most, w->recent);
    w->slope = fmax(SINGULAR_MEMORY * w->slope, fabs(sqrt(ends[1]) - sqrt(ends[0])) / h);
    if (is_labouring(w, step, ends, t) || came_through(w, step, t)) return true;
    if (away || (!turned && !w->hidden && !is_suspect(w, step, ends))) return false;
    return find_lost(w, step, ends, fell, t);
}

/* Are the rows below the frame's, those of J in w->A, to blame? */
static bool constraints_lose_rank(motion_singular *w)
{
    const uint32_t free = w->n - w->state->p->mech->rank, r = w->rows - free;
    return r && linear_row_rank(&w->state->p->ctx->scratch, r, w->n, w->A + (size_t) free * w->n,
                                NULL) < w->state->p->mech->rank;
}

const char *motion_singular_explain(motion_singular *w, double t, const double *y)
{
    const motion_state *s = w->state;
    const double D = determinant(w, t, y);
    if (!rows_at(w, t, y, w->A)) return NULL;
    if (!(D <= SINGULAR_LABOUR * w->most)) return NULL; /* D goes with the square of the distance */
    if (s->code.frame && !constraints_lose_rank(w))
        return "the quasi-velocities are not independent of each other and of the constraints: "
               "they "
               "do not determine the velocities, and methods without them go on";
    if (s->code.rank_of_psi)
        return "the parametric form q' = ψ(q, z, t) is not regular: its derivatives by the "
               "parameters become dependent";
    const uint32_t first = s->code.frame ? w->n - s->p->mech->rank : 0;
    const uint32_t rank = w->rank - first;
    uint32_t shortest = first; /* the row that vanishes, or that the others make superfluous */
    for (uint32_t i = first + 1; i < w->rows; i++)
        if (length(w, w->A, i) < length(w, w->A, shortest)) shortest = i;
    return arena_printf(&s->p->ctx->job, "the constraints lose rank (%u, expected %u) at `%s`",
                        rank - 1, rank, s->p->model->constraints.at[shortest - first].label);
}
