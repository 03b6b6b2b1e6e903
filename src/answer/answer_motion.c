/* answer/answer_motion.c - a steady motion and its characteristic polynomial as values. */
#include "answer_steady.h"

static const ah_expr *symbols_of(const minimal *m, arena *a, uint32_t count, const uint32_t *y)
{
    ah_expr *out = NEW_ARRAY(a, ah_expr, count);
    for (uint32_t i = 0; i < count; i++) out[i] = m->symbol[y[i]];
    return out;
}

/* q, v, then the speeds that are no velocities. */
static ah_values state_told(const stability_answer *s, arena *a)
{
    const ah_model *m = s->model;
    ah_expr *symbol = NEW_ARRAY(a, ah_expr, 2 * m->n + s->m->count);
    double *value = NEW_ARRAY(a, double, 2 * m->n + s->m->count);
    size_t count = 0;
    for (uint32_t i = 0; i < 2 * m->n; i++) {
        symbol[count] = i < m->n ? m->q.at[i] : m->v.at[i - m->n];
        value[count] = frame_get(s->values, symbol[count]);
        count++;
    }
    for (uint32_t y = s->m->coordinates; y < s->m->count; y++) {
        if (expr_get_kind(m->ctx, s->m->symbol[y]) == AH_VELOCITY) continue;
        symbol[count] = s->m->symbol[y];
        value[count++] = minimal_value(s->m, y, s->values);
    }
    return (ah_values){count, symbol, value};
}

ah_steady_motion motion_told(const stability_answer *s)
{
    const minimal *m = s->m;
    arena *a = &s->model->ctx->job;
    double *value = NEW_ARRAY(a, double, m->kept);
    for (uint32_t i = 0; i < m->kept; i++) value[i] = minimal_value(m, m->keep[i], s->values);
    const uint32_t parameters = s->family_sure ? s->family : 0;
    return (ah_steady_motion){.state = state_told(s, a),
                              .rest = s->rest,
                              .family = s->family,
                              .sure = s->family_sure,
                              .parameters = parameters,
                              .parameter = symbols_of(m, a, parameters, s->parameter),
                              .variables = {m->kept, symbols_of(m, a, m->kept, m->keep), value},
                              .symbolic = s->symbolic ? s->symbolic->state : NULL,
                              .ignorable = m->ignorable,
                              .ignored = symbols_of(m, a, m->ignorable, m->ignored)};
}

/* λ^zeros (λ^degree + …) as it is written. */
static ah_expr polynomial(ah_ctx *ctx, const characteristic *c)
{
    ah_expr sum = expr_int(ctx, 0);
    for (uint32_t i = 0; i <= c->degree; i++)
        sum = expr_add(
            ctx, sum,
            expr_mul(ctx, c->coefficient[i], expr_powi(ctx, c->lambda, (long) (c->degree - i))));
    return expr_mul(ctx, expr_powi(ctx, c->lambda, (long) c->zeros), sum);
}

const ah_characteristic *characteristic_told(const stability_answer *s)
{
    const characteristic *c = s->symbolic;
    if (!c) return NULL;
    ah_ctx *ctx = s->model->ctx;
    ah_characteristic *out = NEW(&ctx->job, ah_characteristic);
    ah_expr *symbol = NEW_ARRAY(&ctx->job, ah_expr, c->boundaries);
    ah_expr *square = NEW_ARRAY(&ctx->job, ah_expr, c->boundaries);
    for (size_t i = 0; i < c->boundaries; i++) {
        symbol[i] = c->boundary[i].symbol;
        square[i] = c->boundary[i].square;
    }
    *out = (ah_characteristic){.polynomial = polynomial(ctx, c),
                               .lambda = c->lambda,
                               .zeros = c->zeros,
                               .degree = c->degree,
                               .coefficient = c->coefficient,
                               .even = c->even,
                               .complete = c->decided,
                               .conditions = c->conditions,
                               .condition = c->condition,
                               .boundaries = c->boundaries,
                               .boundary_symbol = symbol,
                               .boundary_square = square};
    return out;
}
