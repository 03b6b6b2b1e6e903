/* motion/motion_turns.c - see motion_turns.h. */
#include "motion_turns.h"

#include <math.h>

struct motion_turns {
    frame *values;
    expr_plan *plan; /* the arguments */
    size_t count;
    double t; /* at which `last` was found; NAN: nowhere */
    double *last, *now;
    const ah_model *model;
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

static expr_list arguments_of(ah_ctx *ctx, arena *a, const expr_list *roots)
{
    const expr_list nodes = expr_reachable(ctx, a, roots->at, roots->count);
    expr_list out = {0};
    for (size_t i = 0; i < nodes.count; i++) {
        if (!is_periodic(ctx, nodes.at[i])) continue;
        const ah_expr argument = expr_get_children(ctx, nodes.at[i])[0];
        if (!expr_is_among(&out, argument) && is_argument(ctx, argument))
            LIST_PUSH(a, &out, argument);
    }
    return out;
}

/* What the forces follow from. */
static void add_equations(const ah_model *m, arena *a, expr_list *roots)
{
    LIST_PUSH(a, roots, m->T);
    LIST_PUSH(a, roots, m->V);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, roots, m->F[i]);
    for (size_t i = 0; i < m->constraints.count; i++)
        LIST_PUSH(a, roots, m->constraints.at[i].c);
}

motion_turns *motion_turns_create(motion_state *s, ah_expr e)
{
    point *p = s->p;
    expr_list roots = {0};
    LIST_PUSH(p->arena, &roots, e);
    if (!motion_state_has_rate(p->ctx, e)) add_equations(p->model, p->arena, &roots);
    const expr_list arguments = arguments_of(p->ctx, p->arena, &roots);
    if (!arguments.count) return NULL;
    motion_turns *w = NEW(p->arena, motion_turns);
    *w = (motion_turns){.values = p->values,
                        .plan = expr_plan_create(p->ctx, p->arena, arguments.at, arguments.count),
                        .count = arguments.count,
                        .t = NAN,
                        .last = NEW_ARRAY(p->arena, double, arguments.count),
                        .now = NEW_ARRAY(p->arena, double, arguments.count),
                        .model = p->model};
    return w;
}

static void find(motion_turns *w, double t, const double *y, double *out)
{
    const ah_model *m = w->model;
    frame_set(w->values, expr_time(m->ctx), t);
    for (uint32_t i = 0; i < m->n; i++) frame_set(w->values, m->q.at[i], y[i]);
    expr_plan_run(w->plan, w->values, out);
    w->t = t;
}

double motion_turns_in(motion_turns *w, const ivp_step *step)
{
    double most = 0;
    if (!(w->t == step->t0)) find(w, step->t0, step->y0, w->last);
    find(w, step->t1, step->y1, w->now);
    for (size_t i = 0; i < w->count; i++) {
        most = fmax(most, fabs(w->now[i] - w->last[i]));
        w->last[i] = w->now[i];
    }
    return most;
}
