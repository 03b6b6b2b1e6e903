/* state/point_pole.c - angles at their pole.
 *
 * Three turns give every attitude, and their rates every angular velocity ω = W(q) q', but where two of
 * their axes fall together: there W loses rank, T does too, and rates of angles grow without bound. */
#include "point.h"

#include "../numeric/numeric.h"

#include <math.h>

/* The rows of W, each of length one, span less than this where a pole is near. */
#define POLE_NEAR 0.02
/* What they span anywhere else: bodies that turn in fewer ways than three are no matter of poles. */
#define POLE_FAR 1e-6

static double spans(point *p, expr_plan *plan, uint32_t n)
{
    arena *a = &p->ctx->scratch;
    double *W = NEW_ARRAY(a, double, 3 * (size_t) n), length = 1;
    expr_plan_run(plan, p->values, W);
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < n; j++) sum += W[i * n + j] * W[i * n + j];
        length *= sqrt(sum);
    }
    return length > 0 ? linear_row_volume(3, n, W) / length : 0;
}

/* Whether W spans space at another place, that of the golden ratio. */
static bool turns_freely(point *p, expr_plan *plan)
{
    const ah_model *m = p->model;
    double *kept = NEW_ARRAY(&p->ctx->scratch, double, m->n);
    for (uint32_t i = 0; i < m->n; i++) {
        kept[i] = point_get(p, m->q.at[i]);
        point_set(p, m->q.at[i], 0.4 + fmod(0.6180339887 * (i + 1), 1));
    }
    const bool free = spans(p, plan, m->n) > POLE_FAR;
    for (uint32_t i = 0; i < m->n; i++) point_set(p, m->q.at[i], kept[i]);
    return free;
}

/* The angular velocity of the body at the state. */
static double turning(point *p, const model_part *part)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) sum = hypot(sum, point_eval(p, part->omega_body.c[i]));
    return sum;
}

/* The body whose angles are near their pole, and how near. */
static const model_part *near_pole(point *p, double *distance)
{
    const ah_model *m = p->model;
    ah_ctx *ctx = p->ctx;
    const model_part *found = NULL;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    for (size_t k = 0; k < m->parts.count && !found; k++) {
        const model_part *part = &m->parts.at[k];
        if (!part->is_body) continue;
        const mat omega = mat_from_dense(ctx, &ctx->scratch, 3, 1, part->omega_body.c);
        const mat W = mat_jacobian(ctx, &ctx->scratch, omega, m->n, m->v.at);
        if (mat_entries(W) < 3) continue;
        expr_plan *plan = expr_plan_create(ctx, &ctx->scratch, mat_to_dense(ctx, &ctx->scratch, W),
                                           3 * (size_t) m->n);
        *distance = spans(p, plan, m->n);
        if (*distance < POLE_NEAR && turns_freely(p, plan)) found = part;
    }
    arena_release(&ctx->scratch, mark);
    return found;
}

const char *point_pole(point *p)
{
    double distance;
    const model_part *part = near_pole(p, &distance);
    return part ? part->name : NULL;
}

double point_pole_time(point *p)
{
    double distance;
    const model_part *part = near_pole(p, &distance);
    const double speed = part ? turning(p, part) : 0;
    return speed > 0 ? distance / speed : 0;
}
