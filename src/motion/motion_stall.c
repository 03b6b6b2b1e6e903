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
};

motion_stall *motion_stall_create(motion_state *s, double t0, double t1)
{
    motion_stall *w = NEW(s->p->arena, motion_stall);
    *w = (motion_stall){.state = s, .way = fabs(t1 - t0), .from = t0};
    w->from_second = s->code.n;
    w->dimension = s->code.n + s->code.m;
    w->rate = NEW_ARRAY(s->p->arena, double, 2 * (size_t) w->dimension);
    w->last = w->rate + w->dimension;
    return w;
}

/* Whether an acceleration of some size has another sign than at the end of the step before. */
static bool turns(motion_stall *w, const ivp_step *step)
{
    double largest = 0;
    bool turned = false;
    if (!motion_state_rhs(w->state, step->t1, step->y1, w->rate)) return false;
    for (uint32_t i = w->from_second; i < w->dimension; i++)
        largest = fmax(largest, fabs(w->rate[i]));
    for (uint32_t i = w->from_second; i < w->dimension; i++)
        turned = turned || (w->rate[i] * w->last[i] < 0 && fabs(w->rate[i]) > 1e-6 * largest &&
                            fabs(w->last[i]) > 1e-6 * largest);
    memcpy(w->last, w->rate, w->dimension * sizeof *w->rate);
    return turned;
}

const char *motion_stall_step(motion_stall *w, const ivp_step *step)
{
    if (fabs(step->t1 - w->from) > STALL_PART * w->way) {
        w->from = step->t1;
        w->steps = w->looks = w->turns = 0;
        return NULL;
    }
    if (++w->steps < STALL_STEPS) return NULL; /* what follows costs an evaluation */
    w->turns += turns(w, step) && w->looks;
    w->looks++;
    if (w->steps < 2 * STALL_STEPS) return NULL;
    if ((double) w->turns > STALL_CHATTERS * (double) w->looks)
        return "chattering: from here on accelerations change their side from step to step, as "
               "with "
               "dry friction where a velocity vanishes; the motion beyond is not determined by "
               "these "
               "equations";
    return arena_printf(
        &w->state->p->ctx->job,
        "the motion does not get on: the last %d steps together are %.2g of time; it "
        "is not smooth here, or the tolerances are too tight",
        2 * STALL_STEPS, fabs(step->t1 - w->from));
}
