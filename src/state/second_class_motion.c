/* state/second_class_motion.c - which accelerations a second-class motion has. */
#include "second_class_motion.h"

#include <math.h>
#include <string.h>

/* Accelerations that differ by less than this part of their size are the same branch: the exact
 * solution's and Newton's. */
#define SAME_BRANCH 1e-6

struct second_class_motion {
    point *p;
    second_class_follower *follower;
    size_t wanted;
    const double *qddot, *multipliers;
    expr_plan *J; /* ∂c/∂a, r × n */
    double *slope, *reaction;
};

static const char *describe(point *p, const second_class_branch *b)
{
    text t = text_begin(p->arena);
    text_printf(&t, "%s, Gauss' function %.6g:", b->kind, b->gauss);
    for (uint32_t i = 0; i < p->model->n; i++)
        text_printf(&t, "%s %s'' = %.6g", i ? "," : "", expr_get_name(p->ctx, p->model->q.at[i]),
                    b->qddot[i]);
    return text_end(&t);
}

static void list_branches(point *p, const second_class_answer *answer)
{
    for (size_t i = 0; i < answer->count; i++)
        diag_note(p->ctx, NOWHERE, "branch %zu, %s", i + 1, describe(p, &answer->branch[i]));
    diag_hint(p->ctx, "name one of them: --branch 1");
}

static bool choose(point *p, size_t wanted, const second_class_answer *answer)
{
    if (wanted > answer->count) {
        diag(p->ctx, A0615, NOWHERE, "there is no branch %zu of the accelerations: there are %zu",
             wanted, answer->count);
        list_branches(p, answer);
        return false;
    }
    if (wanted || answer->unique) return true;
    diag(p->ctx, A0615, NOWHERE,
         "Gauss' principle does not determine the motion: its function is least for several "
         "accelerations");
    list_branches(p, answer);
    return false;
}

second_class_motion *second_class_motion_begin(point *p, size_t wanted)
{
    second_class_answer answer;
    const char *why = NULL;
    if (!second_class_solve(p->model, p->values, p->arena, &answer, &why)) {
        diag(p->ctx, A0615, NOWHERE, "%s at the start", why);
        return NULL;
    }
    if (!choose(p, wanted, &answer)) return NULL;
    const second_class_branch *begin = &answer.branch[wanted ? wanted - 1 : 0];
    const uint32_t n = p->model->n, r = p->mech->r;
    second_class_motion *b = NEW(p->arena, second_class_motion);
    *b = (second_class_motion){.p = p, .wanted = wanted};
    b->follower = second_class_follow(p->model, p->values, begin, p->arena);
    b->J = expr_plan_create(p->ctx, p->arena, mat_to_dense(p->ctx, p->arena, p->mech->J),
                            (size_t) r * n);
    b->slope = NEW_ARRAY(p->arena, double, (size_t) r *n + 1);
    b->reaction = NEW_ARRAY(p->arena, double, n);
    if (second_class_motion_at(b, &b->qddot, &b->multipliers)) return b;
    diag(p->ctx, A0615, NOWHERE,
         "the branch cannot be followed: it meets another one at the start");
    diag_note(p->ctx, NOWHERE, "%s", describe(p, begin));
    return NULL;
}

bool second_class_motion_at(second_class_motion *b, const double **qddot,
                            const double **multipliers)
{
    if (!second_class_next(b->follower, b->p->values, &b->qddot, &b->multipliers)) return false;
    *qddot = b->qddot;
    *multipliers = b->multipliers;
    return true;
}

bool second_class_motion_is_least(second_class_motion *b)
{
    if (b->wanted) return true;
    arena *scratch = &b->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    second_class_answer answer;
    const char *why;
    bool least =
        second_class_solve(b->p->model, b->p->values, scratch, &answer, &why) && answer.unique;
    double size = 0, distance = 0;
    for (uint32_t i = 0; least && i < b->p->model->n; i++) {
        size = fmax(size, fabs(b->qddot[i]));
        distance = fmax(distance, fabs(b->qddot[i] - answer.branch[0].qddot[i]));
    }
    least = least && distance <= SAME_BRANCH * fmax(size, 1e-3);
    arena_release(scratch, mark);
    return least;
}

const double *second_class_motion_reaction(second_class_motion *b)
{
    point *p = b->p;
    const uint32_t n = p->model->n, r = p->mech->r;
    for (uint32_t i = 0; i < n; i++) point_set(p, p->model->a.at[i], b->qddot[i]);
    expr_plan_run(b->J, p->values, b->slope);
    for (uint32_t i = 0; i < n; i++) {
        b->reaction[i] = 0;
        for (uint32_t k = 0; k < r; k++)
            b->reaction[i] += b->multipliers[k] * b->slope[(size_t) k * n + i];
    }
    return b->reaction;
}
