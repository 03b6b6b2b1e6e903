/* motion/motion_humps.c - see motion_humps.h. */
#include "motion_humps.h"

#include <math.h>
#include <string.h>

/* Powers beyond this are narrow. */
enum { HIGH_POWER = 8 };
/* A quotient that is nowhere so many times as large as elsewhere has no humps. */
#define TOP 100

/* 1/(1 + u²) of an argument u, or a power itself. */
typedef struct hump {
    bool argument;
    expr_plan *plan;
    expr_ranges *ranges;
    double most;          /* that it can be anywhere */
    double high;          /* what both ends of the step tell */
    bool open;            /* there may be more within */
    unsigned rests, rest; /* steps that are left, and how many there were the last time */
} hump;

struct motion_humps {
    motion_state *state;
    size_t count;
    hump *at;
    expr_plan *plan; /* of all */
    expr_ranges *ranges;
    expr_range *range;
    double t, *last; /* the values at the end of the last step … */
    double *values;  /* … and of this one */
    uint32_t *slot;  /* of all places, and of time */
    expr_range *box;
    double *y; /* HUMPS_DEPTH + 1 states */
};

/* ---- Which functions ------------------------------------------------------------------------- */

static bool is_of_places(ah_ctx *ctx, ah_expr e)
{
    static const ah_symbol_kind others[] = {AH_VELOCITY, AH_SPEED, AH_ACCELERATION, AH_SPEED_DOT,
                                            AH_DERIVED};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (expr_depends_kind(ctx, e, others[i])) return false;
    return expr_depends_kind(ctx, e, AH_COORDINATE);
}

static bool is_negative(ah_ctx *ctx, ah_expr e)
{
    return expr_get_op(ctx, e) == EXPR_NUMBER && expr_number_double(ctx, e) < 0;
}

/* Of what it is to be seen whether the node is there: its argument, or itself; AH_NONE: it is not narrow. */
static ah_expr hump_of(ah_ctx *ctx, ah_expr e)
{
    const expr_op op = expr_get_op(ctx, e);
    const ah_expr *of = expr_get_children(ctx, e);
    long n;
    if ((op != EXPR_POWER && op != EXPR_CALL) || !is_of_places(ctx, of[0])) return AH_NONE;
    if (op == EXPR_POWER)
        return is_negative(ctx, of[1]) || (expr_is_int(ctx, of[1], &n) && n > HIGH_POWER) ? e
                                                                                          : AH_NONE;
    switch (expr_get_function(ctx, e)) {
    case AH_EXP:
    case AH_TANH:
    case AH_COSH:
    case AH_SINH: return of[0];
    default: return AH_NONE;
    }
}

/* All places, and time. */
static expr_ranges *ranges_of(ah_model *m, arena *a, const expr_plan *plan, expr_range *box)
{
    ah_expr *varied = NEW_ARRAY(a, ah_expr, m->n + 1);
    for (uint32_t i = 0; i < m->n; i++) varied[i] = m->q.at[i];
    varied[m->n] = expr_time(m->ctx);
    for (uint32_t i = 0; i <= m->n; i++) box[i] = (expr_range){-INFINITY, INFINITY};
    return expr_ranges_create(m->ctx, a, plan, m->n + 1, varied);
}

/* Quotients are common, and mostly smooth: of these what has bounds, 1/(1 + (x/1e-3)^2), and is far less elsewhere. What grows without
 * bounds is seen from afar. */
static bool has_tops(ah_model *m, arena *a, ah_expr g)
{
    probe_rng rng = probe_seed(1);
    frame *values = probe_values(m, a);
    const expr_plan *plan = expr_plan_create(m->ctx, a, &g, 1);
    expr_range range, *box = NEW_ARRAY(a, expr_range, m->n + 1);
    if (!probe_draw(probe_create(m, a), &rng, values)) return false;
    expr_ranges_run(ranges_of(m, a, plan, box), values, box, &range);
    return isfinite(range.high) && isfinite(range.low) && range.low * TOP < range.high;
}

typedef struct finding {
    expr_list of;
    size_t arguments; /* come first */
} finding;

static finding find(ah_model *m, arena *a)
{
    const expr_list roots = model_equations(m, a);
    finding out = {0};
    const expr_list all = expr_reachable(m->ctx, a, roots.at, roots.count);
    for (size_t i = 0; i < 2 * all.count; i++) {
        const ah_expr e = all.at[i % all.count], of = hump_of(m->ctx, e);
        const bool argument = of != e;
        if (of == AH_NONE || argument != (i < all.count) || expr_is_among(&out.of, of)) continue;
        if (!argument && !has_tops(m, a, of)) continue;
        LIST_PUSH(a, &out.of, of);
        out.arguments += argument;
    }
    return out;
}

bool motion_humps_may(ah_model *m)
{
    arena *a = &m->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const bool any = find(m, a).of.count > 0;
    arena_release(a, mark);
    return any;
}

/* ---- What is told of them ---------------------------------------------------------------- */

static double told(const hump *h, double u)
{
    return h->argument ? 1 / (1 + u * u) : fabs(u);
}

/* The most in the range of what it is told by. */
static double most_told(const hump *h, expr_range u)
{
    const double low = fabs(u.low), high = fabs(u.high);
    if (!h->argument) return fmax(low, high);
    return u.low <= 0 && u.high >= 0 ? 1 : told(h, fmin(low, high));
}

static void put(const motion_humps *w, double t, const double *y)
{
    const uint32_t n = w->state->code.n;
    for (uint32_t i = 0; i < n; i++) frame_put(w->state->p->values, w->slot[i], y[i]);
    frame_put(w->state->p->values, w->slot[n], t);
}

/* ---- Making ---------------------------------------------------------------------------------- */

static void make_hump(motion_humps *w, ah_expr of, hump *out)
{
    point *p = w->state->p;
    expr_range range;
    out->plan = expr_plan_create(p->ctx, p->arena, &of, 1);
    out->ranges = ranges_of(p->model, p->arena, out->plan, w->box);
    expr_ranges_run(out->ranges, p->values, w->box, &range);
    out->most = most_told(out, range);
}

motion_humps *motion_humps_create(motion_state *s)
{
    point *p = s->p;
    arena *a = p->arena;
    const uint32_t n = s->code.n;
    const finding found = find(p->model, a);
    const size_t count = found.of.count;
    if (!count) return NULL;
    motion_humps *w = NEW(a, motion_humps);
    *w = (motion_humps){.state = s, .count = count, .t = NAN};
    w->at = NEW_ARRAY(a, hump, count);
    w->range = NEW_ARRAY(a, expr_range, count);
    w->last = NEW_ARRAY(a, double, 2 * count);
    w->values = w->last + count;
    w->slot = NEW_ARRAY(a, uint32_t, n + 1);
    w->box = NEW_ARRAY(a, expr_range, n + 1);
    w->y = NEW_ARRAY(a, double, (HUMPS_DEPTH + 1) * (size_t) (n + s->code.m));
    for (uint32_t i = 0; i < n; i++) w->slot[i] = expr_slot(p->ctx, p->model->q.at[i]);
    w->slot[n] = expr_slot(p->ctx, expr_time(p->ctx));
    w->plan = expr_plan_create(p->ctx, a, found.of.at, count);
    w->ranges = ranges_of(p->model, a, w->plan, w->box);
    for (size_t i = 0; i < count; i++) {
        w->at[i] = (hump){.argument = i < found.arguments};
        make_hump(w, found.of.at[i], &w->at[i]);
    }
    return w;
}

size_t motion_humps_count(const motion_humps *w)
{
    return w ? w->count : 0;
}

/* ---- One step --------------------------------------------------------------------------------- */

static void set_times(motion_humps *w, double a, double b)
{
    w->box[w->state->code.n] = (expr_range){fmin(a, b), fmax(a, b)};
}

/* The cubic through both ends lies between the four places that make it (Bézier). */
static void box_of_step(motion_humps *w, const ivp_step *s)
{
    const double third = (s->t1 - s->t0) / 3;
    for (uint32_t i = 0; i < w->state->code.n; i++) {
        const double a = s->y0[i], b = a + third * s->f0[i], d = s->y1[i], c = d - third * s->f1[i];
        const double low = fmin(fmin(a, b), fmin(c, d)), high = fmax(fmax(a, b), fmax(c, d));
        const double beside = HUMPS_BESIDE * (high - low);
        w->box[i] = (expr_range){low - beside, high + beside};
    }
    set_times(w, s->t0, s->t1);
}

typedef struct search {
    motion_humps *w;
    hump *of;
    const ivp_step *step;
    double best; /* the most that was seen */
    double *seen;
    size_t count, most; /* seen so far, and room: the last ones stay, in turn */
    int looks;
} search;

/* Narrows it down until a place was seen at which it is at least half of what it is anywhere, unless the looks are used up. */
static void seek(search *s, double a, const double *at_a, double b, const double *at_b, int depth)
{
    motion_humps *w = s->w;
    const uint32_t n = w->state->code.n;
    const double middle = a + (b - a) / 2;
    double g, *at = w->y + (size_t) depth * (n + w->state->code.m);
    expr_range range;
    if (depth > HUMPS_DEPTH || middle == a || middle == b || s->looks++ >= HUMPS_LOOKS) return;
    s->step->at(s->step->stepper, middle, at);
    for (uint32_t i = 0; i < n; i++) {
        const double bend = HUMPS_BEND * fabs(at_a[i] - 2 * at[i] + at_b[i]);
        w->box[i] = (expr_range){fmin(fmin(at_a[i], at_b[i]), at[i]) - bend,
                                 fmax(fmax(at_a[i], at_b[i]), at[i]) + bend};
    }
    set_times(w, a, b);
    expr_ranges_run(s->of->ranges, w->state->p->values, w->box, &range);
    if (!(most_told(s->of, range) > fmax(s->of->high, 2 * s->best))) return;
    put(w, middle, at);
    expr_plan_run(s->of->plan, w->state->p->values, &g);
    g = told(s->of, g);
    if (g > s->of->high) s->seen[s->count++ % s->most] = middle;
    s->best = fmax(s->best, g);
    seek(s, a, at_a, middle, at, depth + 1);
    seek(s, middle, at, b, at_b, depth + 1);
}

/* What both ends tell, and then the cubic through them. */
void motion_humps_begin(motion_humps *w, const ivp_step *step)
{
    const frame *values = w->state->p->values;
    bool any = false;
    if (w->t != step->t0) {
        put(w, step->t0, step->y0);
        expr_plan_run(w->plan, values, w->last);
    }
    put(w, step->t1, step->y1);
    expr_plan_run(w->plan, values, w->values);
    for (size_t i = 0; i < w->count; i++) {
        hump *h = &w->at[i];
        const double a = told(h, w->last[i]), b = told(h, w->values[i]);
        h->high = HUMPS_HIGH * (a > b ? a : b);
        h->open = h->most > h->high;
        any = any || h->open;
    }
    memcpy(w->last, w->values, w->count * sizeof *w->last);
    w->t = step->t1;
    if (!any || !step->f0 || !step->f1) return;
    box_of_step(w, step);
    expr_ranges_run(w->ranges, values, w->box, w->range);
    for (size_t i = 0; i < w->count; i++)
        w->at[i].open = w->at[i].open && most_told(&w->at[i], w->range[i]) > w->at[i].high;
}

static void get_tired(hump *h)
{
    h->rest = h->rest < HUMPS_REST ? 2 * h->rest + 1 : HUMPS_REST;
    h->rests = h->rest;
}

size_t motion_humps_look(motion_humps *w, size_t i, const ivp_step *step, double *t, size_t most)
{
    hump *h = &w->at[i];
    search s = {.w = w, .of = h, .step = step, .seen = t, .most = most};
    if (!h->open) return 0;
    if (h->rests) {
        h->rests--;
        return 0;
    }
    seek(&s, step->t0, step->y0, step->t1, step->y1, 0);
    if (s.looks >= HUMPS_LOOKS) get_tired(h);
    return s.count < most ? s.count : most;
}
