/* model/instance.c - one of the systems that a model with unspecified functions stands for.
 *
 * What is claimed of all functions f is claimed of every polynomial, so a counter-example for one
 * polynomial is a counter-example. */
#include "probe.h"

#include <string.h>

/* Small, not zero: ±1 … ±5 over 2, 3 or 4. */
static ah_expr coefficient(ah_ctx *ctx, probe_rng *rng)
{
    const long sign = probe_uniform(rng, -1, 1) < 0 ? -1 : 1;
    const long over = 2 + (long) probe_uniform(rng, 0, 3);
    return expr_rational(ctx, sign * (1 + (long) probe_uniform(rng, 0, 5)), over);
}

/* c + Σ (c u + c u² + c u³) + Σ c u_i u_j */
static ah_expr polynomial(ah_ctx *ctx, const model_function *f, probe_rng *rng)
{
    ah_expr e = coefficient(ctx, rng);
    for (size_t i = 0; i < f->count; i++) {
        for (long power = 1; power <= 3; power++)
            e = expr_add(
                ctx, e,
                expr_mul(ctx, coefficient(ctx, rng), expr_powi(ctx, f->parameters[i], power)));
        for (size_t j = 0; j < i; j++)
            e = expr_add(ctx, e,
                         expr_mul(ctx, coefficient(ctx, rng),
                                  expr_mul(ctx, f->parameters[i], f->parameters[j])));
    }
    return e;
}

static ah_expr *put_all(ah_model *m, const ah_expr *e, size_t count)
{
    ah_expr *out = NEW_ARRAY(&m->ctx->job, ah_expr, count + 1);
    if (count) memcpy(out, e, count * sizeof *out);
    model_put_bodies(m, out, count);
    return out;
}

static model_needs put_needs(ah_model *m, const model_needs *needs)
{
    model_needs out = {0};
    for (size_t i = 0; i < needs->count; i++) {
        model_need n = needs->at[i];
        model_put_bodies(m, &n.a, 1);
        model_put_bodies(m, &n.b, 1);
        LIST_PUSH(&m->ctx->job, &out, n);
    }
    return out;
}

/* Lists that hold expressions are copied: the model keeps its own. */
static void put_in_system(ah_model *out, const ah_model *m)
{
    arena *a = &m->ctx->job;
    model_put_bodies(out, &out->T, 1);
    model_put_bodies(out, &out->V, 1);
    out->F = put_all(out, m->F, m->n);
    out->F_written = put_all(out, m->F_written, m->n);
    out->psi.at = put_all(out, m->psi.at, m->psi.count);
    memset(&out->constraints, 0, sizeof out->constraints);
    memset(&out->quasivelocities, 0, sizeof out->quasivelocities);
    memset(&out->facts, 0, sizeof out->facts);
    for (size_t i = 0; i < m->constraints.count; i++) {
        model_constraint c = m->constraints.at[i];
        model_put_bodies(out, &c.c, 1);
        model_put_bodies(out, &c.left, 1);
        model_put_bodies(out, &c.right, 1);
        LIST_PUSH(a, &out->constraints, c);
    }
    for (size_t i = 0; i < m->quasivelocities.count; i++) {
        model_speed w = m->quasivelocities.at[i];
        model_put_bodies(out, &w.definition, 1);
        LIST_PUSH(a, &out->quasivelocities, w);
    }
    for (size_t i = 0; i < m->facts.count; i++) {
        algebra_fact f = m->facts.at[i];
        model_put_bodies(out, &f.e, 1);
        LIST_PUSH(a, &out->facts, f);
    }
    out->needs = put_needs(out, &m->needs);
}

bool model_is_general(const ah_model *m)
{
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.at[i].body == AH_NONE) return true;
    return false;
}

ah_model *model_instance(ah_model *m, uint64_t seed, const char **says)
{
    arena *a = &m->ctx->job;
    probe_rng rng = probe_seed(seed);
    ah_model *out = model_view(m, a);
    memset(&out->functions, 0, sizeof out->functions);
    text t = text_begin(a);
    for (size_t i = 0; i < m->functions.count; i++) {
        model_function f = m->functions.at[i];
        if (f.body == AH_NONE) {
            f.body = polynomial(m->ctx, &f, &rng);
            text_printf(&t, "%s%s(", t.length ? ", " : "", f.name);
            for (size_t k = 0; k < f.count; k++)
                text_printf(&t, "%s%s", k ? ", " : "", expr_get_name(m->ctx, f.parameters[k]));
            text_printf(&t, ") = %s", expr_text(m->ctx, a, f.body, AH_ASCII));
        }
        LIST_PUSH(a, &out->functions, f);
    }
    *says = text_end(&t);
    put_in_system(out, m);
    out->alg = algebra_create(m->ctx, out->facts.at, out->facts.count);
    return out;
}

model_claim model_claim_of(ah_model *instance, const model_claim *c)
{
    model_claim out = *c;
    model_put_bodies(instance, &out.left, 1);
    model_put_bodies(instance, &out.right, 1);
    out.needs = put_needs(instance, &c->needs);
    return out;
}
