/* motion/motion_stall.c - motions that do not get on. */
#include "motion_stall.h"

#include <math.h>
#include <string.h>

struct motion_stall {
    motion_state *state;
    double way, from;                /* of the whole span; where the steps that are counted began */
    uint64_t steps;                  /* since then */
    uint64_t looks, turns;           /* of them: accelerations compared; changed their side */
    double *rate, *last;             /* y' at the ends of this step and of the one before */
    uint32_t dimension, from_second; /* of y, and where the accelerations are in it */
    /* steps that have become short: */
    double longest, window_from; /* the largest mean of a window so far; where this one began */
    uint64_t in_window, watched, jumps;
    double pole_from; /* where the steps began that are looked at for a pole of angles */
    uint64_t pole_steps;
    double *reached;        /* of each acceleration, while it is watched */
    double *ahead, *inside; /* a state beyond the last step, or in it; y' there */
    bool may_jump; /* the accelerations; otherwise what looks like chattering is lost digits */
};

/* |u|, its sign, a root, an angle, a function that nobody knows. */
static bool may_jump_at(ah_ctx *ctx, ah_expr e)
{
    const expr_op op = expr_get_op(ctx, e);
    long n;
    if (op == EXPR_POWER) return !expr_is_int(ctx, expr_get_children(ctx, e)[1], &n);
    if (op != EXPR_CALL) return op == EXPR_UNKNOWN;
    const ah_function f = expr_get_function(ctx, e);
    return f == AH_ABS || f == AH_SIGN || f == AH_SQRT || f == AH_ATAN2 || f == AH_ASIN ||
           f == AH_ACOS;
}

static bool has_jumps(ah_model *m)
{
    ah_ctx *ctx = m->ctx;
    arena *a = &ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    expr_list roots = {0};
    bool any = m->switches.count || m->breaks.count;
    LIST_PUSH(a, &roots, m->T);
    LIST_PUSH(a, &roots, m->V);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &roots, m->F[i]);
    for (size_t i = 0; i < m->constraints.count; i++) LIST_PUSH(a, &roots, m->constraints.at[i].c);
    for (uint32_t i = 0; m->speeds.count && i < m->n; i++) LIST_PUSH(a, &roots, m->psi.at[i]);
    const expr_list nodes = expr_reachable(ctx, a, roots.at, roots.count);
    for (size_t i = 0; i < nodes.count && !any; i++) any = may_jump_at(ctx, nodes.at[i]);
    arena_release(a, mark);
    return any;
}

motion_stall *motion_stall_create(motion_state *s, arena *a, double t0, double t1)
{
    motion_stall *w = NEW(a, motion_stall);
    *w = (motion_stall){.state = s, .way = fabs(t1 - t0), .from = t0};
    w->window_from = w->pole_from = t0;
    w->from_second = s->code.n;
    w->dimension = s->code.n + s->code.m;
    w->rate = NEW_ARRAY(a, double, 2 * (size_t) w->dimension);
    w->last = w->rate + w->dimension;
    w->reached = NEW_ARRAY(a, double, w->dimension);
    w->ahead = NEW_ARRAY(a, double, 2 * (size_t) w->dimension);
    w->inside = w->ahead + w->dimension;
    w->may_jump = has_jumps(s->p->model);
    return w;
}

/* Of a step; smooth forces do not change within a thousandth of a step that follows them. */
enum { HALVINGS = 10 };

/* Is it a jump that takes the acceleration i from `low`, at the step's beginning, to `high`, at its end? Halving the
 * interval that holds a jump leaves the jump as large as it is, and makes everything else small: forces that are
 * smooth and quick change their side from step to step, too. */
static bool jumps_inside(motion_stall *w, const ivp_step *step, uint32_t i, double low, double high)
{
    const double jump = fabs(high - low);
    double from = step->t0, to = step->t1;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = from + (to - from) / 2;
        step->at(step->stepper, middle, w->ahead);
        if (!motion_state_rhs(w->state, middle, w->ahead, w->inside)) return false;
        const double a = w->inside[i];
        if (fabs(a - low) > fabs(high - a))
            to = middle, high = a;
        else
            from = middle, low = a;
    }
    return fabs(high - low) > jump / 2;
}

/* Whether an acceleration of some size has jumped to another sign than at the end of the step before. */
static bool turns(motion_stall *w, const ivp_step *step)
{
    double largest = 0;
    bool turned = false;
    if (!motion_state_rhs(w->state, step->t1, step->y1, w->rate)) return false;
    for (uint32_t i = w->from_second; i < w->dimension; i++)
        largest = fmax(largest, fabs(w->rate[i]));
    for (uint32_t i = w->from_second; i < w->dimension; i++)
        turned = turned || (w->looks && w->rate[i] * w->last[i] < 0 &&
                            fmin(fabs(w->rate[i]), fabs(w->last[i])) > 1e-6 * largest &&
                            jumps_inside(w, step, i, w->last[i], w->rate[i]));
    memcpy(w->last, w->rate, w->dimension * sizeof *w->rate);
    return turned;
}

static const char chattering[] =
    "chattering: from here on accelerations change their side from step to step, as with dry "
    "friction "
    "where a velocity vanishes; the motion beyond is not determined by these equations";

/* Whether an acceleration differs from that at the end of the step before by more than it has reached. */
static bool jumps(motion_stall *w, const ivp_step *step)
{
    bool jumped = false;
    if (!motion_state_rhs(w->state, step->t1, step->y1, w->rate)) return false;
    for (uint32_t i = w->from_second; i < w->dimension; i++) {
        w->reached[i] = fmax(w->reached[i], fabs(w->rate[i]));
        jumped = jumped || (w->watched && w->rate[i] * w->last[i] < 0 &&
                            fabs(w->rate[i] - w->last[i]) > w->reached[i] &&
                            jumps_inside(w, step, i, w->last[i], w->rate[i]));
    }
    memcpy(w->last, w->rate, w->dimension * sizeof *w->rate);
    return jumped;
}

/* The acceleration i a time h after the step, the rates being those at its end (w->last). */
static double acceleration_after(motion_stall *w, const ivp_step *step, double h, uint32_t i)
{
    for (uint32_t k = 0; k < w->dimension; k++) w->ahead[k] = step->y1[k] + h * w->last[k];
    return motion_state_rhs(w->state, step->t1 + h, w->ahead, w->rate) ? w->rate[i] : NAN;
}

/* Does an acceleration jump a few steps ahead? The steps end before it and get shorter. */
static bool jumps_ahead(motion_stall *w, const ivp_step *step)
{
    const double h = STALL_AHEAD * (step->t1 - step->t0);
    for (uint32_t i = w->from_second; i < w->dimension; i++) {
        const double here = w->last[i], there = acceleration_after(w, step, h, i);
        const double jump = fabs(there - here);
        if (!(jump > w->reached[i])) continue;
        double from = 0, to = h, low = here, high = there;
        for (int k = 0; k < 30; k++) {
            const double middle = (from + to) / 2, a = acceleration_after(w, step, middle, i);
            if (fabs(a - low) > fabs(high - a))
                to = middle, high = a;
            else
                from = middle, low = a;
        }
        if (fabs(high - low) > jump / 2) return true;
    }
    return false;
}

static void stop_watching(motion_stall *w)
{
    w->watched = w->jumps = 0;
    memset(w->reached, 0, w->dimension * sizeof *w->reached);
}

/* Steps grown short: are they over a jump? Costs an evaluation a step while they are. */
static bool chatters(motion_stall *w, const ivp_step *step)
{
    const double mean = fabs(step->t1 - w->window_from) / STALL_WINDOW;
    if (++w->in_window == STALL_WINDOW) {
        if (mean >= STALL_SHORTER * w->longest) stop_watching(w);
        w->longest = fmax(w->longest, mean);
        w->window_from = step->t1;
        w->in_window = 0;
    }
    if (fabs(step->t1 - step->t0) > STALL_SHORTER * w->longest && !w->watched) return false;
    w->jumps += jumps(w, step);
    if (++w->watched < STALL_STEPS) return false;
    const bool found =
        (double) w->jumps > STALL_CHATTERS * (double) w->watched || jumps_ahead(w, step);
    stop_watching(w);
    return found;
}

/* Do the steps get on no more, next to a pole of angles? */
static bool is_at_pole(motion_stall *w, const ivp_step *step)
{
    if (++w->pole_steps < STALL_POLE) return false;
    const double way = fabs(step->t1 - w->pole_from);
    w->pole_from = step->t1;
    w->pole_steps = 0;
    if (way > STALL_PART * w->way) return false; /* what follows costs more than a step */
    motion_state_put(w->state, MOTION_AT_STATE, step->t1, step->y1);
    return way < STALL_POLE_PART * point_pole_time(w->state->p);
}

const char *motion_stall_step(motion_stall *w, const ivp_step *step)
{
    if (w->may_jump && chatters(w, step)) return chattering;
    if (is_at_pole(w, step)) return "the steps get shorter and shorter here";
    if (fabs(step->t1 - w->from) > STALL_PART * w->way) {
        w->from = step->t1;
        w->steps = w->looks = w->turns = 0;
        return NULL;
    }
    if (++w->steps < STALL_STEPS) return NULL; /* what follows costs an evaluation */
    w->turns += w->may_jump && turns(w, step);
    w->looks++;
    if (w->steps < 2 * STALL_STEPS) return NULL;
    if ((double) w->turns > STALL_CHATTERS * (double) w->looks) return chattering;
    return arena_printf(
        &w->state->p->ctx->job,
        "the motion does not get on: the last %d steps together are %.2g of time; it "
        "is not smooth here, or the tolerances are too tight",
        2 * STALL_STEPS, fabs(step->t1 - w->from));
}
