/* state/constraint_poles.c - see constraint_poles.h.
 *
 * A motion may come through a pole that its velocities remove: y' = 0 where x = 1 in x' = y'/(x - 1). What is written has no
 * value there all the same, and a denominator that changes its sign tells it. */
#include "constraint_poles.h"

#include <math.h>

struct constraint_poles {
    point *p;
    expr_list base;     /* denominators … */
    LIST(uint32_t) row; /* … and whose constraint holds them */
    expr_plan *plan;
    double *value, *kept;
};

/* Of a power with a negative exponent its base, of tan its cosine; AH_NONE: it divides by nothing. */
static ah_expr denominator(ah_ctx *ctx, ah_expr e)
{
    const ah_expr *child = expr_get_children(ctx, e);
    long p, q;
    switch (expr_get_op(ctx, e)) {
    case EXPR_POWER: return expr_is_rational(ctx, child[1], &p, &q) && p < 0 ? child[0] : AH_NONE;
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
    s->value = NEW_ARRAY(p->arena, double, s->base.count);
    s->kept = NEW_ARRAY(p->arena, double, s->base.count);
    return s;
}

void poles_keep(constraint_poles *s)
{
    expr_plan_run(s->plan, s->p->values, s->kept);
}

const char *poles_passed(constraint_poles *s)
{
    ah_ctx *ctx = s->p->ctx;
    expr_plan_run(s->plan, s->p->values, s->value);
    for (size_t i = 0; i < s->base.count; i++)
        if (s->kept[i] != 0 && !(s->value[i] * copysign(1, s->kept[i]) > 0))
            return arena_printf(&ctx->job,
                                "the constraint `%s` does not exist here, for it divides by %s = 0",
                                s->p->model->constraints.at[s->row.at[i]].label,
                                expr_text(ctx, &ctx->job, s->base.at[i], AH_ASCII));
    return NULL;
}
