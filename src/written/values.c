/* written/values.c - numbers in place of parameters, bodies in place of functions. */
#include "written.h"

/* The values of all parameters that have one, free of other such parameters. As values use earlier
 * parameters only, one pass in order is enough. */
static size_t resolve(ah_model *m, ah_expr *symbols, ah_expr *values)
{
    size_t known = 0;
    for (size_t i = 0; i < m->parameters.count; i++) {
        const model_parameter *p = &m->parameters.at[i];
        ctx_tick(m->ctx);
        if (p->value == AH_NONE) continue;
        symbols[known] = p->symbol;
        values[known] = p->value;
        if (expr_depends_kind(m->ctx, p->value, AH_PARAMETER))
            values[known] = expr_subst(m->ctx, p->value, known, symbols, values);
        known++;
    }
    return known;
}

void model_put_bodies(ah_model *m, ah_expr *roots, size_t count)
{
    for (size_t f = 0; f < m->functions.count; f++) {
        const model_function *fun = &m->functions.at[f];
        if (fun->body == AH_NONE) continue;
        for (size_t i = 0; i < count; i++)
            if (roots[i] != AH_NONE)
                roots[i] = expr_define(m->ctx, roots[i], fun->name, fun->count, fun->parameters,
                                       fun->body);
    }
}

void model_put_values(ah_model *m, ah_expr *roots, size_t count)
{
    ah_ctx *ctx = m->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    model_put_bodies(m, roots, count);
    ah_expr *symbols = NEW_ARRAY(&ctx->scratch, ah_expr, m->parameters.count);
    ah_expr *values = NEW_ARRAY(&ctx->scratch, ah_expr, m->parameters.count);
    const size_t known = resolve(m, symbols, values);
    if (known) expr_subst_all(ctx, roots, count, known, symbols, values);
    arena_release(&ctx->scratch, mark);
}

/* A wave along a direction that is not special: (k + 7)/5 + sin(k/7 + Σ (j + 2)/3 u_j), k drawn
 * from the name so that one function is the same everywhere. */
static ah_expr sample_body(ah_ctx *ctx, const char *name, size_t count, const ah_expr *arguments)
{
    long k = 1;
    for (const char *c = name; *c; c++) k = (31 * k + (unsigned char) *c) % 97;
    ah_expr phase = expr_rational(ctx, k, 7);
    for (size_t j = 0; j < count; j++) {
        const ah_expr weight = expr_rational(ctx, (long) j + 2, 3);
        phase = expr_add(ctx, phase, expr_mul(ctx, weight, arguments[j]));
    }
    return expr_add(ctx, expr_rational(ctx, k + 7, 5), expr_call1(ctx, AH_SIN, phase));
}

/* An unspecified function left in the expressions, or AH_NONE. */
static ah_expr find_unknown(ah_ctx *ctx, const ah_expr *roots, size_t count)
{
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, roots, count);
    for (size_t i = 0; i < nodes.count; i++)
        if (expr_get_op(ctx, nodes.at[i]) == EXPR_UNKNOWN) return nodes.at[i];
    return AH_NONE;
}

void model_put_samples(ah_model *m, ah_expr *roots, size_t count)
{
    ah_ctx *ctx = m->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    ah_expr unknown;
    while ((unknown = find_unknown(ctx, roots, count)) != AH_NONE) {
        ctx_tick(ctx);
        const char *name = expr_get_name(ctx, unknown);
        const size_t arity = expr_get_count(ctx, unknown);
        ah_expr *arguments = NEW_ARRAY(&ctx->scratch, ah_expr, arity);
        for (size_t j = 0; j < arity; j++)
            arguments[j] = expr_symbol(ctx, AH_LOCAL, arena_printf(&ctx->scratch, "u%zu", j + 1));
        const ah_expr body = sample_body(ctx, name, arity, arguments);
        for (size_t i = 0; i < count; i++)
            roots[i] = expr_define(ctx, roots[i], name, arity, arguments, body);
    }
    arena_release(&ctx->scratch, mark);
}

ah_expr model_energy(ah_model *m)
{
    return expr_add(m->ctx, m->T, m->V);
}

expr_list model_equations(const ah_model *m, arena *a)
{
    expr_list out = {0};
    LIST_PUSH(a, &out, m->T);
    LIST_PUSH(a, &out, m->V);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &out, m->F[i]);
    for (size_t i = 0; i < m->constraints.count; i++) LIST_PUSH(a, &out, m->constraints.at[i].c);
    for (size_t i = 0; i < m->psi.count; i++) LIST_PUSH(a, &out, m->psi.at[i]);
    return out;
}

/* q'·∂L/∂q' − L = q'·∂T/∂q' − T + V, as V has no velocities. */
ah_expr model_jacobi(ah_model *m)
{
    return expr_add(
        m->ctx, expr_sub(m->ctx, expr_forward(m->ctx, m->T, m->n, m->v.at, m->v.at), m->T), m->V);
}

void model_put_quasivelocities(ah_model *m, ah_expr *e, size_t count)
{
    const arena_mark mark = arena_get_mark(&m->ctx->scratch);
    const size_t speeds = m->quasivelocities.count;
    ah_expr *from = NEW_ARRAY(&m->ctx->scratch, ah_expr, 2 * speeds + 1);
    ah_expr *to = NEW_ARRAY(&m->ctx->scratch, ah_expr, 2 * speeds + 1);
    for (size_t i = 0; i < speeds; i++) {
        const model_speed *w = &m->quasivelocities.at[i];
        from[2 * i] = w->symbol;
        to[2 * i] = w->definition;
        from[2 * i + 1] = expr_dot(m->ctx, w->symbol);
        to[2 * i + 1] = expr_dt(m->ctx, w->definition);
    }
    expr_subst_all(m->ctx, e, count, 2 * speeds, from, to);
    arena_release(&m->ctx->scratch, mark);
}
