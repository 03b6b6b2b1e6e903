/* state/constraint_poles.c - see constraint_poles.h.
 *
 * A motion may come through a pole that its velocities remove: y' = 0 where x = 1 in x' = y'/(x - 1). What is written has no
 * value there all the same, and a denominator that changes its sign, or falls to zero and rises again, tells it. */
#include "constraint_poles.h"

#include <math.h>

struct constraint_poles {
    point *p;
    expr_list base;     /* denominators … */
    LIST(uint32_t) row; /* … and whose constraint holds them */
    expr_plan *plan;
    expr_plan **slopes; /* of each constraint; NULL: not asked for yet */
    double *slope;
};

/* |u| vanishes where u does, which changes its sign there. */
static ah_expr without_abs(ah_ctx *ctx, ah_expr e)
{
    while (expr_get_op(ctx, e) == EXPR_CALL && expr_get_function(ctx, e) == AH_ABS)
        e = expr_get_children(ctx, e)[0];
    return e;
}

/* Of a power with a negative exponent its base, of tan its cosine; AH_NONE: it divides by nothing. */
static ah_expr denominator(ah_ctx *ctx, ah_expr e)
{
    const ah_expr *child = expr_get_children(ctx, e);
    long p, q;
    switch (expr_get_op(ctx, e)) {
    case EXPR_POWER:
        return expr_is_rational(ctx, child[1], &p, &q) && p < 0 ? without_abs(ctx, child[0])
                                                                : AH_NONE;
    case EXPR_CALL:
        return expr_get_function(ctx, e) == AH_TAN ? expr_call1(ctx, AH_COS, child[0]) : AH_NONE;
    default: return AH_NONE;
    }
}

static void collect(constraint_poles *s, uint32_t row)
{
    ah_ctx *ctx = s->p->ctx;
    const expr_list all = expr_reachable(ctx, s->p->arena, &s->p->model->constraints.at[row].c, 1);
    for (size_t i = 0; i < all.count; i++) {
        const ah_expr base = denominator(ctx, all.at[i]);
        if (base == AH_NONE || algebra_sign(s->p->model->alg, base) != 2) continue;
        LIST_PUSH(s->p->arena, &s->base, base);
        LIST_PUSH(s->p->arena, &s->row, row);
    }
}

constraint_poles *poles_create(point *p)
{
    constraint_poles *s = NEW(p->arena, constraint_poles);
    s->p = p;
    for (uint32_t i = 0; i < p->model->constraints.count; i++) collect(s, i);
    if (!s->base.count) return NULL;
    s->plan = expr_plan_create(p->ctx, p->arena, s->base.at, s->base.count);
    s->slopes = NEW_ARRAY(p->arena, expr_plan *, p->model->constraints.count);
    s->slope = NEW_ARRAY(p->arena, double, p->model->n);
    return s;
}

size_t poles_count(const constraint_poles *s)
{
    return s->base.count;
}

void poles_values(constraint_poles *s, double *value, double *terms)
{
    expr_plan_run_scaled(s->plan, s->p->values, value, terms);
}

double poles_slopes(constraint_poles *s, size_t i)
{
    const ah_model *m = s->p->model;
    const model_constraint *c = &m->constraints.at[s->row.at[i]];
    expr_plan **plan = &s->slopes[s->row.at[i]];
    if (!*plan) {
        const ah_expr *by = c->order == MODEL_HOLONOMIC  ? m->q.at
                            : c->order == MODEL_VELOCITY ? m->v.at
                                                         : m->a.at;
        ah_expr *slopes = NEW_ARRAY(s->p->arena, ah_expr, m->n);
        expr_gradient(s->p->ctx, c->c, m->n, by, slopes);
        *plan = expr_plan_create(s->p->ctx, s->p->arena, slopes, m->n);
    }
    double sum = 0;
    expr_plan_run(*plan, s->p->values, s->slope);
    for (uint32_t k = 0; k < m->n; k++) sum += fabs(s->slope[k]);
    return sum;
}

const char *poles_text(constraint_poles *s, size_t i)
{
    ah_ctx *ctx = s->p->ctx;
    return arena_printf(&ctx->job,
                        "the constraint `%s` does not exist here, for it divides by %s = 0",
                        s->p->model->constraints.at[s->row.at[i]].label,
                        expr_text(ctx, &ctx->job, s->base.at[i], AH_ASCII));
}
