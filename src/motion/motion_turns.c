/* motion/motion_turns.c - see motion_turns.h. */
#include "motion_turns.h"

#include <math.h>

struct motion_turns {
    point *p;
    size_t places; /* coordinates that are arguments themselves … */
    uint32_t *place;
    size_t count; /* … and how many others there are */
    expr_plan *plan;
    double *first, *last; /* of these, at both ends */
    size_t attitudes;     /* unit quaternions … */
    uint32_t *quaternion; /* … and the four places of each */
    double *y[2];         /* of a part */
    double *reached;      /* places, if the rates stay as they are */
    size_t spent;         /* parts of steps with many */
};

static bool is_periodic(ah_ctx *ctx, ah_expr e)
{
    if (expr_get_op(ctx, e) != EXPR_CALL) return false;
    const ah_function f = expr_get_function(ctx, e);
    return f == AH_SIN || f == AH_COS || f == AH_TAN;
}

/* What changes with the places and with time alone. */
static bool is_argument(ah_ctx *ctx, ah_expr e)
{
    static const ah_symbol_kind others[] = {AH_VELOCITY, AH_SPEED, AH_ACCELERATION, AH_SPEED_DOT,
                                            AH_DERIVED};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (expr_depends_kind(ctx, e, others[i])) return false;
    return expr_depends_kind(ctx, e, AH_COORDINATE) || expr_depends_kind(ctx, e, AH_TIME);
}

/* What is looked at along a motion, and what that follows from. */
static expr_list formulas_of(const ah_model *m, arena *a)
{
    expr_list out = model_equations(m, a);
    for (size_t i = 0; i < m->events.count; i++) LIST_PUSH(a, &out, m->events.at[i].e);
    return out;
}

static expr_list arguments_of(ah_ctx *ctx, const expr_list *roots, arena *a)
{
    const expr_list nodes = expr_reachable(ctx, a, roots->at, roots->count);
    bool *seen = NEW_ARRAY(a, bool, expr_pool_size(ctx));
    expr_list out = {0};
    for (size_t i = 0; i < nodes.count; i++) {
        if (!is_periodic(ctx, nodes.at[i])) continue;
        const ah_expr argument = expr_get_children(ctx, nodes.at[i])[0];
        if (!seen[argument] && is_argument(ctx, argument)) LIST_PUSH(a, &out, argument);
        seen[argument] = true;
    }
    return out;
}

bool motion_turns_in(ah_ctx *ctx, ah_expr e)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list root = {.at = &e, .count = 1};
    const bool any = arguments_of(ctx, &root, &ctx->scratch).count > 0;
    arena_release(&ctx->scratch, mark);
    return any;
}

/* By the handle of a coordinate 1 + its place among the others. */
static uint32_t *places_of(const ah_model *m, ah_ctx *ctx, arena *a)
{
    uint32_t *after = NEW_ARRAY(a, uint32_t, expr_pool_size(ctx));
    for (uint32_t i = 0; i < m->q.count; i++) after[m->q.at[i]] = i + 1;
    return after;
}

/* Arguments that are coordinates apart from the others. */
static void sort_arguments(motion_turns *w, const uint32_t *after, const expr_list *arguments,
                           arena *a, expr_list *others)
{
    for (size_t i = 0; i < arguments->count; i++) {
        const ah_expr e = arguments->at[i];
        if (after[e])
            w->place[w->places++] = after[e] - 1;
        else
            LIST_PUSH(a, others, e);
    }
}

motion_turns *motion_turns_create(motion_state *s)
{
    point *p = s->p;
    const ah_model *m = p->model;
    arena *a = p->arena, *scratch = &p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    const expr_list roots = formulas_of(m, scratch);
    const expr_list arguments = arguments_of(p->ctx, &roots, scratch);
    const uint32_t *after = places_of(m, p->ctx, scratch);
    const size_t dimension = s->code.n + s->code.m;
    expr_list others = {0};
    motion_turns *w = NEW(a, motion_turns);
    *w = (motion_turns){.p = p,
                        .place = NEW_ARRAY(a, uint32_t, arguments.count + 1),
                        .attitudes = m->attitudes.count,
                        .quaternion = NEW_ARRAY(a, uint32_t, 4 * m->attitudes.count + 1)};
    sort_arguments(w, after, &arguments, scratch, &others);
    for (size_t i = 0; i < 4 * w->attitudes; i++)
        w->quaternion[i] = after[m->attitudes.at[i / 4].e[i % 4]] - 1;
    w->count = others.count;
    if (w->count) w->plan = expr_plan_create(p->ctx, a, others.at, w->count);
    w->first = NEW_ARRAY(a, double, 2 * w->count + 1);
    w->last = w->first + w->count;
    w->y[0] = NEW_ARRAY(a, double, 2 * dimension);
    w->y[1] = w->y[0] + dimension;
    w->reached = NEW_ARRAY(a, double, m->n + 1);
    arena_release(scratch, mark);
    return arguments.count || w->attitudes ? w : NULL;
}

static inline double larger(double a, double b)
{
    return b > a ? b : a;
}

/* How far a variable goes: what turns back within the step ends where it began, its rates tell. */
static double way_of(const ivp_step *step, uint32_t i)
{
    const double apart = fabs(step->y1[i] - step->y0[i]), h = fabs(step->t1 - step->t0);
    if (!step->f0 || !step->f1) return apart;
    return larger(apart, h * larger(fabs(step->f0[i]), fabs(step->f1[i])));
}

/* The angle by which a body turns: its quaternion goes half as far on the unit sphere. */
static double turn_of(const uint32_t *e, const ivp_step *step)
{
    double square = 0;
    for (int i = 0; i < 4; i++) {
        const double d = way_of(step, e[i]);
        square += d * d;
    }
    return 2 * sqrt(square);
}

static void arguments_at(const motion_turns *w, double t, const double *y, double *out)
{
    const ah_model *m = w->p->model;
    frame_set(w->p->values, expr_time(w->p->ctx), t);
    for (uint32_t i = 0; i < m->n; i++) frame_set(w->p->values, m->q.at[i], y[i]);
    expr_plan_run(w->plan, w->p->values, out);
}

/* The largest change of the other arguments from (t, y) with the rates f over h, or, without these, to the other end. */
static double others_change(motion_turns *w, double t, const double *y, const double *f, double h,
                            const double *other)
{
    double most = 0;
    for (uint32_t i = 0; f && i < w->p->model->n; i++) w->reached[i] = y[i] + h * f[i];
    arguments_at(w, t, y, w->first);
    arguments_at(w, t + h, f ? w->reached : other, w->last);
    for (size_t i = 0; i < w->count; i++) most = fmax(most, fabs(w->last[i] - w->first[i]));
    return most;
}

bool motion_turns_tired(const motion_turns *w)
{
    return w && w->spent > TURNS_SPENT;
}

size_t motion_turns_parts(motion_turns *w, const ivp_step *step)
{
    double most = 0;
    if (!w) return 1;
    for (size_t i = 0; i < w->places; i++) most = larger(most, way_of(step, w->place[i]));
    for (size_t i = 0; i < w->attitudes; i++)
        most = fmax(most, turn_of(w->quaternion + 4 * i, step));
    if (w->count) {
        const double h = step->t1 - step->t0;
        most = fmax(most, others_change(w, step->t0, step->y0, NULL, h, step->y1));
        if (step->f0) most = fmax(most, others_change(w, step->t0, step->y0, step->f0, h, NULL));
        if (step->f1) most = fmax(most, others_change(w, step->t1, step->y1, step->f1, -h, NULL));
    }
    if (!(most > TURNS_MOST) || !isfinite(most)) return 1;
    const double parts = ceil(most / TURNS_MOST);
    if (parts <= TURNS_MANY) return (size_t) parts;
    if (parts > TURNS_SPENT || motion_turns_tired(w)) {
        w->spent = TURNS_SPENT + 1;
        return TURNS_MANY;
    }
    w->spent += (size_t) parts;
    return (size_t) parts;
}

ivp_step motion_turns_part(motion_turns *w, const ivp_step *step, size_t i, size_t parts)
{
    const double h = (step->t1 - step->t0) / (double) parts;
    const bool first = i == 0, last = i + 1 == parts;
    ivp_step out = *step;
    if (!first) {
        out.t0 = step->t0 + h * (double) i;
        step->at(step->stepper, out.t0, w->y[0]);
        out.y0 = w->y[0];
    }
    if (!last) {
        out.t1 = step->t0 + h * (double) (i + 1);
        step->at(step->stepper, out.t1, w->y[1]);
        out.y1 = w->y[1];
    }
    if (!first || !last) {
        out.f0 = out.f1 = NULL;
        out.bends = NULL;
    }
    return out;
}
