/* motion/motion_assumed.c - assumptions along a motion. */
#include "motion_assumed.h"

#include <math.h>

struct motion_assumed {
    motion_state *s;
    motion_summary *out;
    expr_plan *plan;
    double *value, *start;
};

static bool about_the_state(const motion_state *s, ah_expr e)
{
    ah_ctx *ctx = s->p->ctx;
    const expr_list symbols = expr_symbols(ctx, &ctx->scratch, &e, 1);
    for (size_t i = 0; i < symbols.count; i++)
        if (expr_get_kind(ctx, symbols.at[i]) != AH_PARAMETER)
            return motion_state_needs(s, e) <= MOTION_AT_SPEEDS;
    return false;
}

motion_assumed *motion_assumed_create(motion_state *s, motion_summary *out)
{
    point *p = s->p;
    const size_t most = p->model->facts.count;
    ah_expr *e = NEW_ARRAY(p->arena, ah_expr, most + 1);
    out->assumption = NEW_ARRAY(p->arena, motion_assumption, most + 1);
    for (size_t i = 0; i < most; i++) {
        const algebra_fact *fact = &p->model->facts.at[i];
        if (!about_the_state(s, fact->e)) continue;
        e[out->assumptions] = fact->e;
        out->assumption[out->assumptions++] = (motion_assumption){fact->e, fact->positive, NAN};
    }
    if (!out->assumptions) return NULL;
    motion_assumed *a = NEW(p->arena, motion_assumed);
    *a = (motion_assumed){.s = s,
                          .out = out,
                          .plan = expr_plan_create(p->ctx, p->arena, e, out->assumptions),
                          .value = NEW_ARRAY(p->arena, double, out->assumptions),
                          .start = NEW_ARRAY(p->arena, double, out->assumptions)};
    expr_plan_run(a->plan, p->values, a->start);
    return a;
}

/* e != 0 has been left where e is zero or has another sign than at the start. */
void motion_assumed_look(motion_assumed *a, double t)
{
    expr_plan_run(a->plan, a->s->p->values, a->value);
    for (size_t i = 0; i < a->out->assumptions; i++) {
        motion_assumption *fact = &a->out->assumption[i];
        const double x = a->value[i];
        const bool holds = fact->positive ? x >= 0 : x * a->start[i] > 0;
        if (!holds && isnan(fact->broken)) fact->broken = t;
    }
}
