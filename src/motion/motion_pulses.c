/* motion/motion_pulses.c - see motion_pulses.h. */
#include "motion_pulses.h"

#include "motion_humps.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { DEPTH = 64, BLAND = 4, SEEN = 8 };

typedef struct pulse {
    const expr_plan *plan;
    expr_ranges *ranges;  /* of g and its slope */
    double t, g;          /* the last value */
    unsigned rests, rest; /* steps that are left, and how many there were the last time */
} pulse;

struct motion_pulses {
    motion_state *state;
    size_t count;
    pulse *at;
    motion_humps *humps; /* NULL: there are none */
    double begun;        /* where the step began that was begun again the last time, … */
    unsigned again;      /* … and how often it was */
    double *y, *f, *aside[4];
};

/* ---- Which functions ------------------------------------------------------------------------- */

static bool is_of_time(ah_ctx *ctx, ah_expr e)
{
    static const ah_symbol_kind state[] = {AH_COORDINATE, AH_VELOCITY, AH_SPEED};
    for (size_t i = 0; i < sizeof state / sizeof *state; i++)
        if (expr_depends_kind(ctx, e, state[i])) return false;
    return expr_depends(ctx, e, expr_time(ctx));
}

/* Sines of what is linear in time are everywhere alike, polynomials of a low degree are as smooth as steps are. */
static bool may_be_narrow(ah_ctx *ctx, ah_expr e)
{
    const expr_op op = expr_get_op(ctx, e);
    const ah_expr *of = expr_get_children(ctx, e);
    long n;
    if (op == EXPR_POWER) return !expr_is_int(ctx, of[1], &n) || n < 0 || n > BLAND;
    if (op != EXPR_CALL) return false;
    const ah_function f = expr_get_function(ctx, e);
    if (f == AH_ABS || f == AH_SIGN) return false; /* their places are known */
    const bool even = f == AH_SIN || f == AH_COS;
    return !even || expr_depends(ctx, expr_diff(ctx, of[0], expr_time(ctx)), expr_time(ctx));
}

/* What stands in the equations of motion with so many of its derivatives by time. */
static expr_list roots_of(const ah_model *m, arena *a, int derivatives)
{
    expr_list out = {0};
    if (derivatives == 0) LIST_PUSH(a, &out, m->V);
    for (uint32_t i = 0; derivatives == 0 && i < m->n; i++) LIST_PUSH(a, &out, m->F[i]);
    if (derivatives == 1) LIST_PUSH(a, &out, m->T);
    for (uint32_t i = 0; derivatives == 1 && i < m->psi.count; i++)
        LIST_PUSH(a, &out, m->psi.at[i]);
    for (size_t i = 0; i < m->constraints.count; i++)
        if (2 - (int) m->constraints.at[i].order == derivatives)
            LIST_PUSH(a, &out, m->constraints.at[i].c);
    return out;
}

typedef struct finding {
    ah_ctx *ctx;
    arena *a;
    expr_list timed; /* of time alone, with something narrow in them; ascending */
    expr_list out;
} finding;

static void take(finding *f, ah_expr e)
{
    if (!expr_is_among(&f->out, e)) LIST_PUSH(f->a, &f->out, e);
}

static bool is_timed(const finding *f, ah_expr e)
{
    return expr_find(&f->timed, e) != EXPR_NOWHERE;
}

/* What goes back where its argument goes on: tanh² is a pulse, though tanh is none. */
static bool turns_back(ah_ctx *ctx, ah_expr e)
{
    long n;
    const expr_op op = expr_get_op(ctx, e);
    if (op == EXPR_POWER) return expr_is_int(ctx, expr_get_children(ctx, e)[1], &n) && n % 2 == 0;
    return op == EXPR_CALL;
}

/* Terms of a sum, and factors of a product, as one: two that rise may be a pulse together. Of an expression of the state those that are of
 * time alone. */
static void take_together(finding *f, ah_expr e)
{
    const expr_op op = expr_get_op(f->ctx, e);
    const bool many = op == EXPR_SUM || op == EXPR_PRODUCT;
    expr_list own = {0};
    for (size_t i = 0; i < expr_get_count(f->ctx, e); i++)
        if (is_timed(f, expr_get_children(f->ctx, e)[i]))
            LIST_PUSH(f->a, &own, expr_get_children(f->ctx, e)[i]);
    if (many && own.count > 1)
        take(f, op == EXPR_SUM ? expr_sum(f->ctx, own.count, own.at)
                               : expr_product(f->ctx, own.count, own.at));
    else if (own.count && is_timed(f, e) && turns_back(f->ctx, e))
        take(f, e);
    else if (!may_be_narrow(f->ctx, e) || !is_timed(f, e))
        for (size_t i = 0; i < own.count; i++) take_together(f, own.at[i]);
}

/* And by themselves those that are not inside of others, which rise and fall where their arguments do: beside what is large and smooth a
 * small one is not seen. */
static expr_list find_in(ah_ctx *ctx, arena *a, const expr_list roots)
{
    finding f = {.ctx = ctx, .a = a};
    const expr_list all = expr_reachable(ctx, a, roots.at, roots.count);
    expr_list narrow = {0}, of = {0};
    for (size_t i = 0; i < all.count; i++) { /* children come first */
        const ah_expr e = all.at[i], *child = expr_get_children(f.ctx, e);
        const size_t count = expr_get_count(f.ctx, e);
        bool any = may_be_narrow(f.ctx, e);
        if (any && is_of_time(f.ctx, e)) {
            LIST_PUSH(a, &narrow, e);
            for (size_t k = 0; k < count; k++) LIST_PUSH(a, &of, child[k]);
        }
        for (size_t k = 0; k < count; k++) any = any || is_timed(&f, child[k]);
        if (any && is_of_time(f.ctx, e))
            LIST_PUSH(a, &f.timed, e);
        else if (any)
            take_together(&f, e);
    }
    for (size_t i = 0; i < roots.count; i++)
        if (is_timed(&f, roots.at[i])) take_together(&f, roots.at[i]);
    const expr_list inside = expr_reachable(f.ctx, a, of.at, of.count);
    for (size_t i = 0; i < narrow.count; i++)
        if (expr_find(&inside, narrow.at[i]) == EXPR_NOWHERE) take(&f, narrow.at[i]);
    return f.out;
}

static expr_list find(const ah_model *m, arena *a)
{
    expr_list out = {0};
    for (int derivatives = 0; derivatives < 3; derivatives++) {
        const expr_list found = find_in(m->ctx, a, roots_of(m, a, derivatives));
        for (size_t i = 0; i < found.count; i++) {
            ah_expr e = found.at[i];
            for (int k = 0; k <= derivatives; k++, e = expr_diff(m->ctx, e, expr_time(m->ctx)))
                if (!expr_is_among(&out, e)) LIST_PUSH(a, &out, e);
        }
    }
    return out;
}

bool motion_pulses_may(ah_model *m)
{
    arena *a = &m->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const bool any = find(m, a).count > 0;
    arena_release(a, mark);
    return any || motion_humps_may(m);
}

/* ---- Making ---------------------------------------------------------------------------------- */

static void make_pulse(motion_state *s, ah_expr g, pulse *out)
{
    ah_ctx *ctx = s->p->ctx;
    const ah_expr t = expr_time(ctx), both[] = {g, expr_diff(ctx, g, t)};
    expr_plan *plan = expr_plan_create(ctx, s->p->arena, both, 2);
    *out = (pulse){.plan = expr_plan_create(ctx, s->p->arena, both, 1), .t = NAN};
    out->ranges = expr_ranges_create(ctx, s->p->arena, plan, 1, &t);
}

motion_pulses *motion_pulses_create(motion_state *s)
{
    arena *a = s->p->arena;
    const expr_list of = find(s->p->model, a);
    const size_t dimension = s->code.n + s->code.m;
    motion_humps *humps = motion_humps_create(s);
    if (!of.count && !humps) return NULL;
    motion_pulses *w = NEW(a, motion_pulses);
    *w = (motion_pulses){.state = s, .count = of.count, .humps = humps, .begun = NAN};
    w->at = NEW_ARRAY(a, pulse, of.count);
    for (size_t i = 0; i < of.count; i++) make_pulse(s, of.at[i], &w->at[i]);
    w->y = NEW_ARRAY(a, double, dimension);
    w->f = NEW_ARRAY(a, double, dimension);
    for (int k = 0; k < 4; k++) w->aside[k] = NEW_ARRAY(a, double, dimension);
    return w;
}

/* ---- One function in one step ---------------------------------------------------------------- */

typedef struct stretch {
    double a, b;
} stretch;

typedef struct search {
    motion_pulses *w;
    pulse *of;
    double low, high;  /* what it is at the ends of the step, and a little more */
    double best;       /* how far it was seen to go beyond */
    double seen[SEEN]; /* the last places where it was beyond, in turn */
    size_t count;
    int looks;
    double point;   /* a stretch that is as short as one place */
    bool unbounded; /* there is one in which it has no bounds: a pole, which others look for */
} search;

static double value_at(const search *s, double t)
{
    point *p = s->w->state->p;
    double g;
    point_set(p, expr_time(p->ctx), t);
    expr_plan_run(s->of->plan, p->values, &g);
    return g;
}

static double beyond(const search *s, double low, double high)
{
    return fmax(0, fmax(high - s->high, s->low - low));
}

/* Whether in that stretch it cannot go farther beyond: by its own bounds, or by those of its slope and what it is in the middle. */
static bool stays_within(search *s, stretch x, double middle, double most, double *g)
{
    expr_range range[2];
    const expr_range box = {fmin(x.a, x.b), fmax(x.a, x.b)};
    s->looks++;
    const bool whole = expr_ranges_run(s->of->ranges, s->w->state->p->values, &box, range);
    const bool bounded = isfinite(range[0].low) && isfinite(range[0].high);
    s->unbounded = s->unbounded || (!bounded && box.high - box.low <= s->point);
    if (!(beyond(s, range[0].low, range[0].high) > most)) return true;
    *g = value_at(s, middle);
    const double way = fmax(box.high - middle, middle - box.low);
    const double change = way * fmax(fabs(range[1].low), fabs(range[1].high));
    return whole && !(beyond(s, *g - change, *g + change) > most);
}

/* Narrows it down until a place was seen that is at least half as far beyond as any, unless the looks are used up. */
static void seek(search *s, stretch whole)
{
    stretch left[DEPTH] = {whole};
    for (size_t count = 1; count && s->looks < PULSES_LOOKS && !s->unbounded;) {
        const stretch x = left[--count];
        const double middle = x.a + (x.b - x.a) / 2;
        double g;
        if (middle == x.a || middle == x.b) continue;
        if (stays_within(s, x, middle, 2 * s->best, &g)) continue;
        const double here = beyond(s, g, g);
        if (here > 0) s->seen[s->count++ % SEEN] = middle;
        s->best = fmax(s->best, here);
        if (count + 2 > DEPTH) continue;
        left[count++] = (stretch){middle, x.b};
        left[count++] = (stretch){x.a, middle};
    }
}

static void get_tired(pulse *p)
{
    p->rest = p->rest < PULSES_REST ? 2 * p->rest + 1 : PULSES_REST;
    p->rests = p->rest;
}

/* Looks for where in the step the function is what its ends do not tell. */
static search unlike_ends(motion_pulses *w, pulse *p, const ivp_step *step)
{
    search s = {.w = w, .of = p, .point = PULSES_POINT * fabs(step->t1 - step->t0)};
    const double a = p->t == step->t0 ? p->g : value_at(&s, step->t0), b = value_at(&s, step->t1);
    const double more = PULSES_BEYOND * fabs(b - a) + PULSES_NOTHING * fmax(fabs(a), fabs(b));
    p->t = step->t1;
    p->g = b;
    s.low = fmin(a, b) - more;
    s.high = fmax(a, b) + more;
    seek(&s, (stretch){step->t0, step->t1});
    if (s.unbounded) s.count = 0;
    if (s.looks >= PULSES_LOOKS) get_tired(p);
    return s;
}

/* ---- Whether the step knows ------------------------------------------------------------------ */

/* The slope of its continuous output at t against the equations: by how much the end would be moved, in tolerances. */
static double unknown_at(motion_pulses *w, const ivp_step *step, const ivp_options *o, double t)
{
    static const double weight[] = {1, -8, 8, -1};
    const double h = step->t1 - step->t0, near = fmin((t - step->t0) / h, (step->t1 - t) / h) / 2;
    const double aside = fmin(near, PULSES_ASIDE) * h;
    double most = 0;
    for (int k = 0; k < 4; k++)
        step->at(step->stepper, t + (k < 2 ? k - 2 : k - 1) * aside, w->aside[k]);
    step->at(step->stepper, t, w->y);
    if (!motion_state_rhs(w->state, t, w->y, w->f)) return 0;
    for (size_t i = 0; i < w->state->code.n + w->state->code.m; i++) {
        double slope = 0;
        for (int k = 0; k < 4; k++) slope += weight[k] * w->aside[k][i] / (12 * aside);
        const double tolerance = o->atol * (o->size ? o->size[i] : 1) + o->rtol * fabs(w->y[i]);
        most = fmax(most, fabs((w->f[i] - slope) * h) / tolerance);
    }
    return most;
}

/* Where it knows least of the places that were seen; NAN: nothing is unknown to it. */
static double least_known(motion_pulses *w, const ivp_step *step, const ivp_options *o,
                          const double *seen, size_t count)
{
    double most = fmin(PULSES_KNOWN, PULSES_PART / o->rtol), t = NAN;
    for (size_t i = 0; i < count && i < SEEN; i++) {
        const double unknown = unknown_at(w, step, o, seen[i]);
        if (!(unknown > most)) continue;
        most = unknown;
        t = seen[i];
    }
    return t;
}

/* Where the step overlooks the i-th, those of time first; NAN: nowhere. */
static double overlooked(motion_pulses *w, size_t i, const ivp_step *step, const ivp_options *o)
{
    if (i >= w->count) {
        double seen[SEEN];
        const size_t count = motion_humps_look(w->humps, i - w->count, step, seen, SEEN);
        return least_known(w, step, o, seen, count);
    }
    if (w->at[i].rests) {
        w->at[i].rests--;
        return NAN;
    }
    const search s = unlike_ends(w, &w->at[i], step);
    return least_known(w, step, o, s.seen, s.count);
}

bool motion_pulses_step(motion_pulses *w, const ivp_step *step, const ivp_options *tolerance,
                        double *t)
{
    if (step->t0 == w->begun && w->again == PULSES_AGAIN) return false;
    if (w->humps) motion_humps_begin(w->humps, step);
    for (size_t i = 0; i < w->count + motion_humps_count(w->humps); i++) {
        *t = overlooked(w, i, step, tolerance);
        if (isnan(*t)) continue;
        w->again = step->t0 == w->begun ? w->again + 1 : 1;
        w->begun = step->t0;
        return true;
    }
    return false;
}
