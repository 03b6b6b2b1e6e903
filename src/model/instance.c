/* model/instance.c - one of the systems that a model with unspecified functions stands for.
 *
 * What is claimed of all functions f is claimed of every polynomial, so a counter-example for one
 * polynomial is a counter-example. */
#include "inside.h"
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

static void put_in_vector(ah_model *m, ah_vector *v)
{
    model_put_bodies(m, v->c, 3);
}

static void put_in_part(ah_model *m, model_part *p)
{
    put_in_vector(m, &p->place);
    put_in_vector(m, &p->velocity);
    put_in_vector(m, &p->omega);
    put_in_vector(m, &p->omega_body);
    put_in_vector(m, &p->omega_short);
    put_in_vector(m, &p->force);
    put_in_vector(m, &p->torque);
    put_in_vector(m, &p->own_place);
    put_in_vector(m, &p->own_velocity);
    put_in_vector(m, &p->own_omega);
    model_put_bodies(m, &p->rotation[0][0], 9);
    model_put_bodies(m, &p->own_rotation[0][0], 9);
    model_put_bodies(m, &p->turning[0][0], 9);
}

static void put_in_drawing(ah_model *m, ah_drawing *d)
{
    put_in_vector(m, &d->at);
    put_in_vector(m, &d->to);
    model_put_bodies(m, d->size, 3);
    ah_expr *const others[] = {&d->turn, &d->from, &d->until};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) model_put_bodies(m, others[i], 1);
}

/* What is said of the system: a list of which one field is an expression. */
#define PUT_IN(list, type, field)                                                                  \
    do {                                                                                           \
        memset(&out->list, 0, sizeof out->list);                                                   \
        for (size_t i = 0; i < m->list.count; i++) {                                               \
            type item = m->list.at[i];                                                             \
            model_put_bodies(out, &item.field, 1);                                                 \
            LIST_PUSH(a, &out->list, item);                                                        \
        }                                                                                          \
    } while (0)

static void put_in_sayings(ah_model *out, const ah_model *m)
{
    arena *a = &m->ctx->job;
    PUT_IN(forces, model_value, value);
    PUT_IN(outputs, model_output, e);
    PUT_IN(events, model_event, e);
    memset(&out->parts, 0, sizeof out->parts);
    memset(&out->lets, 0, sizeof out->lets);
    memset(&out->drawings, 0, sizeof out->drawings);
    memset(&out->seen, 0, sizeof out->seen);
    memset(&out->gravity, 0, sizeof out->gravity);
    memset(&out->claims, 0, sizeof out->claims);
    for (size_t i = 0; i < m->parts.count; i++) {
        model_part p = m->parts.at[i];
        put_in_part(out, &p);
        LIST_PUSH(a, &out->parts, p);
    }
    for (size_t i = 0; i < m->lets.count; i++) {
        model_let l = m->lets.at[i];
        model_put_bodies(out, l.value.c, l.is_vector ? 3 : 1);
        LIST_PUSH(a, &out->lets, l);
    }
    for (size_t i = 0; i < m->drawings.count; i++) {
        model_drawing d = m->drawings.at[i];
        put_in_drawing(out, &d.what);
        LIST_PUSH(a, &out->drawings, d);
    }
    for (size_t i = 0; i < m->seen.count; i++) {
        model_seen s = m->seen.at[i];
        put_in_vector(out, &s.at);
        put_in_vector(out, &s.to);
        LIST_PUSH(a, &out->seen, s);
    }
    for (size_t i = 0; i < m->gravity.count; i++) {
        ah_vector g = m->gravity.at[i];
        put_in_vector(out, &g);
        LIST_PUSH(a, &out->gravity, g);
    }
    for (size_t i = 0; i < m->claims.count; i++) {
        model_claim c = model_claim_of(out, &m->claims.at[i]);
        model_put_bodies(out, &c.constant, 1);
        LIST_PUSH(a, &out->claims, c);
    }
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
    out->kinetic_terms.at = put_all(out, m->kinetic_terms.at, m->kinetic_terms.count);
    out->potential_terms.at = put_all(out, m->potential_terms.at, m->potential_terms.count);
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

ah_model *model_with_functions(ah_model *m, const model_function *f)
{
    arena *a = &m->ctx->job;
    ah_model *out = model_view(m, a);
    memset(&out->functions, 0, sizeof out->functions);
    for (size_t i = 0; i < m->functions.count; i++) LIST_PUSH(a, &out->functions, f[i]);
    put_in_system(out, m);
    put_in_sayings(out, m);
    out->alg = algebra_create(m->ctx, out->facts.at, out->facts.count);
    return out;
}

/* With these bodies for the unspecified functions; *says which. */
static ah_model *with_bodies(ah_model *m, model_function *with, const char **says)
{
    arena *a = &m->ctx->job;
    text t = text_begin(a);
    for (size_t i = 0; i < m->functions.count; i++) {
        const model_function *f = &with[i];
        if (m->functions.at[i].body != AH_NONE) continue;
        text_printf(&t, "%s%s(", t.length ? ", " : "", f->name);
        for (size_t k = 0; k < f->count; k++)
            text_printf(&t, "%s%s", k ? ", " : "", expr_get_name(m->ctx, f->parameters[k]));
        text_printf(&t, ") = %s", expr_text(m->ctx, a, f->body, AH_ASCII));
    }
    *says = text_end(&t);
    return model_with_functions(m, with);
}

/* Does the declared input say where things are? Rods of any lengths do not make a platform: no state would be found. */
static bool places(ah_model *m, const model_function *f)
{
    ah_ctx *ctx = m->ctx;
    if (f->input == AH_NONE || f->input == expr_int(ctx, 0)) return false;
    for (size_t k = 0; k < m->constraints.count; k++) {
        if (m->constraints.at[k].order != MODEL_HOLONOMIC) continue;
        const expr_list nodes = expr_reachable(ctx, &ctx->scratch, &m->constraints.at[k].c, 1);
        for (size_t i = 0; i < nodes.count; i++)
            if (expr_get_op(ctx, nodes.at[i]) == EXPR_UNKNOWN &&
                !strcmp(expr_get_name(ctx, nodes.at[i]), f->name))
                return true;
    }
    return false;
}

/* What is declared and a small polynomial: where it has a corner it is no function of all. */
static ah_expr near_declared(ah_ctx *ctx, const model_function *f)
{
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, &f->input, 1);
    for (size_t i = 0; i < nodes.count; i++)
        if (expr_get_op(ctx, nodes.at[i]) == EXPR_CALL &&
            (expr_get_function(ctx, nodes.at[i]) == AH_SIGN ||
             expr_get_function(ctx, nodes.at[i]) == AH_ABS))
            return f->body;
    return expr_add(ctx, f->input, expr_mul(ctx, expr_rational(ctx, 1, 64), f->body));
}

ah_model *model_instance(ah_model *m, uint64_t seed, const char **says)
{
    probe_rng rng = probe_seed(seed);
    model_function *with = NEW_ARRAY(&m->ctx->job, model_function, m->functions.count);
    for (size_t i = 0; i < m->functions.count; i++) {
        model_function *f = &with[i];
        *f = m->functions.at[i];
        if (f->body != AH_NONE) continue;
        f->body = polynomial(m->ctx, f, &rng);
        if (places(m, f)) f->body = near_declared(m->ctx, f);
    }
    return with_bodies(m, with, says);
}

ah_model *model_constant_instance(ah_model *m, size_t which, const char **says)
{
    const size_t count = m->functions.count;
    if (which >= (count > 1 ? count + 2 : 2)) return NULL;
    model_function *with = NEW_ARRAY(&m->ctx->job, model_function, count);
    for (size_t i = 0; i < count; i++) {
        with[i] = m->functions.at[i];
        const bool zero = which == 0 || which == i + 2;
        if (with[i].body == AH_NONE) with[i].body = expr_int(m->ctx, zero ? 0 : 1);
    }
    return with_bodies(m, with, says);
}

static const model_statement *put_solution(ah_model *instance, const model_claim *c)
{
    model_statement *out = NEW(&instance->ctx->job, model_statement);
    *out = *c->statement;
    model_value *value = NEW_ARRAY(&instance->ctx->job, model_value, out->values + 1);
    for (size_t i = 0; i < out->values; i++) {
        value[i] = c->statement->value[i];
        model_put_bodies(instance, &value[i].value, 1);
    }
    out->value = value;
    return out;
}

static const model_when *put_when(ah_model *instance, const model_when *w)
{
    arena *a = &instance->ctx->job;
    model_when *out = NEW(a, model_when);
    model_value *value = NEW_ARRAY(a, model_value, w->values + 1);
    algebra_fact *fact = NEW_ARRAY(a, algebra_fact, w->conditions + 1);
    *out = *w;
    for (size_t i = 0; i < w->values; i++) {
        value[i] = w->value[i];
        model_put_bodies(instance, &value[i].value, 1);
    }
    for (size_t i = 0; i < w->conditions; i++) {
        fact[i] = w->condition[i];
        model_put_bodies(instance, &fact[i].e, 1);
    }
    out->value = value;
    out->condition = fact;
    out->equation = put_all(instance, w->equation, w->equations);
    return out;
}

model_claim model_claim_of(ah_model *instance, const model_claim *c)
{
    model_claim out = *c;
    if (c->statement && c->statement->says == AH_SAYS_SOLUTION)
        out.statement = put_solution(instance, c);
    if (c->when) out.when = put_when(instance, c->when);
    model_put_bodies(instance, &out.left, 1);
    model_put_bodies(instance, &out.right, 1);
    out.needs = put_needs(instance, &c->needs);
    return out;
}
