/* state/denominators.c - see denominators.h.
 *
 * A motion may come through a pole that its velocities remove, y' = 0 where x = 1 in x' = y'/(x - 1), or that is too weak to be
 * seen by steps, 1e-12/(x - 1). What is written has no value there all the same, and a denominator that changes its sign, or
 * falls to zero and rises again, tells it. */
#include "denominators.h"

#include "../expr/ball.h"

#include <math.h>

enum { BITS = 256, KINETIC = -2, FORCES = -1 }; /* whose it is, if not a constraint's */

struct denominators {
    point *p;
    expr_list base;  /* denominators … */
    LIST(int) of;    /* … and whose they are: the row of a constraint, or as above; … */
    LIST(bool) kink; /* … or arguments of |u| and sign(u) in constraints */
    expr_plan *plan;
    ah_expr **slopes; /* of each constraint; NULL: not asked for yet */
};

/* ---- Making ---------------------------------------------------------------------------------- */

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

static bool is_known(const denominators *s, ah_expr base, int of)
{
    for (size_t i = 0; i < s->base.count; i++)
        if (s->base.at[i] == base && s->of.at[i] == of) return true;
    return false;
}

static void collect(denominators *s, const ah_expr *e, size_t count, int of)
{
    ah_ctx *ctx = s->p->ctx;
    arena *scratch = &ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    const expr_list all = expr_reachable(ctx, scratch, e, count);
    for (size_t i = 0; i < all.count; i++) {
        const ah_expr base = denominator(ctx, all.at[i]);
        if (base == AH_NONE || is_known(s, base, of)) continue;
        if (algebra_sign(s->p->model->alg, base) != 2) continue;
        LIST_PUSH(s->p->arena, &s->base, base);
        LIST_PUSH(s->p->arena, &s->of, of);
        LIST_PUSH(s->p->arena, &s->kink, false);
    }
    if (s->p->arena != scratch) arena_release(scratch, mark);
}

static bool moves(ah_ctx *ctx, ah_expr e)
{
    static const ah_symbol_kind state[] = {AH_COORDINATE, AH_VELOCITY, AH_ACCELERATION};
    for (size_t i = 0; i < sizeof state / sizeof *state; i++)
        if (expr_depends_kind(ctx, e, state[i])) return true;
    return false;
}

/* Those of time alone are blows: the motion passes them (motion_switches.h). */
static void collect_kinks(denominators *s, ah_expr e, int of)
{
    ah_ctx *ctx = s->p->ctx;
    const expr_list all = expr_reachable(ctx, s->p->arena, &e, 1);
    for (size_t i = 0; i < all.count; i++) {
        if (expr_get_op(ctx, all.at[i]) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(ctx, all.at[i]);
        const ah_expr argument = expr_get_children(ctx, all.at[i])[0];
        if ((f != AH_ABS && f != AH_SIGN) || !moves(ctx, argument)) continue;
        LIST_PUSH(s->p->arena, &s->base, argument);
        LIST_PUSH(s->p->arena, &s->of, of);
        LIST_PUSH(s->p->arena, &s->kink, true);
    }
}

denominators *denominators_create(point *p)
{
    const ah_model *m = p->model;
    denominators *s = NEW(p->arena, denominators);
    s->p = p;
    for (size_t i = 0; i < m->constraints.count; i++)
        collect(s, &m->constraints.at[i].c, 1, (int) i);
    for (size_t i = 0; i < m->constraints.count; i++)
        collect_kinks(s, m->constraints.at[i].c, (int) i);
    collect(s, p->mech->K.val, mat_entries(p->mech->K), FORCES);
    if (!p->mech->tree) collect(s, &m->T, 1, KINETIC);
    if (!s->base.count) return NULL;
    s->plan = expr_plan_create(p->ctx, p->arena, s->base.at, s->base.count);
    s->slopes = NEW_ARRAY(p->arena, ah_expr *, m->constraints.count + 1);
    return s;
}

size_t denominators_count(const denominators *s)
{
    return s->base.count;
}

ah_expr denominators_get(const denominators *s, size_t i)
{
    return s->base.at[i];
}

void denominators_values(denominators *s, double *value, double *terms)
{
    expr_plan_run_scaled(s->plan, s->p->values, value, terms);
}

/* ---- Poles ----------------------------------------------------------------------------------- */

static const ah_expr *slopes_of(denominators *s, int row)
{
    const ah_model *m = s->p->model;
    const model_constraint *c = &m->constraints.at[row];
    const ah_expr *by = c->order == MODEL_HOLONOMIC  ? m->q.at
                        : c->order == MODEL_VELOCITY ? m->v.at
                                                     : m->a.at;
    if (s->slopes[row]) return s->slopes[row];
    s->slopes[row] = NEW_ARRAY(s->p->arena, ah_expr, m->n);
    expr_gradient(s->p->ctx, c->c, m->n, by, s->slopes[row]);
    return s->slopes[row];
}

/* The sum of the sizes, in balls: doubles make (1 − cos x)/x² anything where x is small. */
static double exactly(denominators *s, const ah_expr *e, size_t count)
{
    ah_ctx *ctx = s->p->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    ball_frame *ball = ball_frame_create(ctx, &ctx->scratch);
    const expr_list symbol = expr_symbols(ctx, &ctx->scratch, e, count);
    arb_ptr out = ball_array(&ctx->scratch, count + 1);
    double sum = 0;
    for (size_t i = 0; i < symbol.count; i++)
        arb_set_d(ball_frame_ref(ball, symbol.at[i]), point_get(s->p, symbol.at[i]));
    expr_eval_balls(ball, e, count, BITS, out);
    for (size_t i = 0; i < count; i++) sum += fabs(arf_get_d(arb_midref(out + i), ARF_RND_NEAR));
    arena_release(&ctx->scratch, mark);
    return sum;
}

bool denominators_switches(const denominators *s, size_t i)
{
    return s->kink.at[i];
}

double denominators_constraint(denominators *s, size_t i, double *terms)
{
    ah_ctx *ctx = s->p->ctx;
    const ah_model *m = s->p->model;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const model_constraint *c = &m->constraints.at[s->of.at[i]];
    const bool places = c->order == MODEL_HOLONOMIC;
    const ah_expr *e = places ? slopes_of(s, s->of.at[i]) : &c->c;
    const size_t count = places ? m->n : 1;
    double *value = NEW_ARRAY(&ctx->scratch, double, 2 * count), *size = value + count, sum = 0;
    expr_plan_run_scaled(expr_plan_create(ctx, &ctx->scratch, e, count), s->p->values, value, size);
    *terms = 0;
    for (size_t k = 0; k < count; k++) {
        const double by = places ? point_get(s->p, m->v.at[k]) : 1;
        sum += by * value[k];
        *terms += fabs(by) * size[k];
    }
    arena_release(&ctx->scratch, mark);
    return sum;
}

double denominators_size(denominators *s, size_t i)
{
    const mat K = s->p->mech->K;
    const int of = s->of.at[i];
    if (of >= 0) return exactly(s, slopes_of(s, of), s->p->model->n);
    return of == KINETIC ? exactly(s, &s->p->model->T, 1) : exactly(s, K.val, mat_entries(K));
}

/* "the force on `x`" */
static const char *subject(const denominators *s, size_t i)
{
    const point *p = s->p;
    arena *a = &p->ctx->job;
    const mat K = p->mech->K;
    if (s->of.at[i] == KINETIC) return "the kinetic energy";
    if (s->of.at[i] >= 0)
        return arena_printf(a, "the constraint `%s`", p->model->constraints.at[s->of.at[i]].label);
    for (uint32_t row = 0; row < K.rows; row++) {
        const expr_list all =
            expr_reachable(p->ctx, a, K.val + K.start[row], K.start[row + 1] - K.start[row]);
        for (size_t e = 0; e < all.count; e++)
            if (denominator(p->ctx, all.at[e]) == s->base.at[i])
                return arena_printf(a, "the force on `%s`",
                                    expr_get_name(p->ctx, p->model->q.at[row]));
    }
    return "a force";
}

const char *denominators_text(denominators *s, size_t i)
{
    ah_ctx *ctx = s->p->ctx;
    if (s->kink.at[i])
        return arena_printf(&ctx->job,
                            "%s has a kink here, where %s = 0: velocities would have to jump, and "
                            "these equations do not say how",
                            subject(s, i), expr_text(ctx, &ctx->job, s->base.at[i], AH_ASCII));
    return arena_printf(&ctx->job, "%s does not exist here, for it divides by %s = 0",
                        subject(s, i), expr_text(ctx, &ctx->job, s->base.at[i], AH_ASCII));
}
