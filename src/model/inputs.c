/* model/inputs.c - what drives a system from outside.
 *
 * An input u is an unspecified function u(t), so that every formula, answer and claim speaks of all
 * inputs. Numbers need one of them: the value that the model gives, or another that was set. Two
 * systems stand for the model then:
 *
 *     driven:  u(t) = value                                           a motion, a picture
 *     fed:     u(t) = u + u' (t - t(u)) + u'' (t - t(u))^2/2          ah_system: parameters
 *
 * with as many rates as the constraints need, in which u is differentiated: none where it stands in
 * forces alone. */
#include "inside.h"

#include <string.h>

/* ---- Declaring ------------------------------------------------------------------------------- */

static ah_expr local_time(ah_ctx *ctx)
{
    return expr_symbol(ctx, AH_LOCAL, "t");
}

/* With t as the function's argument. */
static ah_expr as_body(ah_ctx *ctx, ah_expr value)
{
    const ah_expr t = expr_time(ctx), own = local_time(ctx);
    return expr_subst(ctx, value, 1, &t, &own);
}

ah_expr model_input(ah_model *m, const char *name, unsigned order)
{
    const ah_expr t = expr_time(m->ctx);
    const uint8_t orders[] = {(uint8_t) order};
    return expr_unknown(m->ctx, name, 1, &t, orders);
}

/* Each input has its value by itself: they are put in all at once, and there can be no circle. */
static bool uses_an_input(ah_model *m, ah_expr value, ah_span span)
{
    enum { RATES = 2 }; /* u, u', u'' */
    for (size_t i = 0; i < m->functions.count; i++)
        for (unsigned k = 0; m->functions.at[i].input != AH_NONE && k <= RATES; k++) {
            const char *name = m->functions.at[i].name;
            if (!expr_depends(m->ctx, value, model_input(m, name, k))) continue;
            diag(m->ctx, A0402, span, "`%s` cannot stand in the value of an input: it is an input",
                 name);
            diag_hint(m->ctx, "write it in t and the parameters");
            return true;
        }
    return false;
}

static bool may_drive(ah_model *m, ah_expr value, ah_span span)
{
    if (model_only(m, value, 1u << AH_PARAMETER | 1u << AH_TIME, "the value of an input", span))
        return !uses_an_input(m, value, span);
    diag_hint(m->ctx, "write it in t and the parameters");
    return false;
}

ah_expr model_add_input(ah_model *m, const char *name, ah_expr value, ah_span span)
{
    ah_ctx *ctx = m->ctx;
    ah_expr own = local_time(ctx);
    const size_t before = m->functions.count;
    if (value == AH_NONE || !may_drive(m, value, span)) value = expr_int(ctx, 0);
    model_add_function(m, name, 1, &own, AH_NONE, span);
    if (m->functions.count > before) m->functions.at[before].input = as_body(ctx, value);
    return model_input(m, name, 0);
}

static char driven_key, fed_key;

void model_set_input(ah_model *m, const char *name, ah_expr value, ah_span span)
{
    model_function *f = NULL;
    for (size_t i = 0; i < m->functions.count; i++)
        if (!strcmp(m->functions.at[i].name, name)) f = &m->functions.at[i];
    if (!f || f->input == AH_NONE) {
        diag(m->ctx, A0425, span, "there is no input `%s`", name);
        diag_hint(m->ctx, "inputs are declared by input u = 0");
        return;
    }
    if (!may_drive(m, value, span)) return;
    f->input = as_body(m->ctx, value);
    if (f->body != AH_NONE) f->body = f->input; /* a velocity parameter */
    *model_kept(m, &driven_key) = *model_kept(m, &fed_key) = NULL;
}

/* The name is that of a velocity parameter from here on; its value is kept for numbers. */
bool model_input_as_speed(ah_model *m, const char *name, ah_span span)
{
    model_name *found = (model_name *) model_find(m, name);
    for (size_t i = 0; found && found->what == MODEL_SPEED && i < m->functions.count; i++)
        if (!strcmp(m->functions.at[i].name, name)) return true; /* it is one already */
    if (!found || found->what != MODEL_FUNCTION) return false;
    model_function *f = &m->functions.at[found->index];
    if (f->input == AH_NONE) return false;
    f->body = f->input; /* nothing holds it as a function */
    const ah_expr z = expr_symbol(m->ctx, AH_SPEED, f->name);
    found->what = MODEL_SPEED;
    found->index = (uint32_t) m->speeds.count;
    LIST_PUSH(&m->ctx->job, &m->speeds,
              ((model_speed){.name = f->name, .symbol = z, .span = span}));
    m->kinematic = true;
    return true;
}

/* ---- In numbers ------------------------------------------------------------------------------ */

bool model_has_inputs(const ah_model *m)
{
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.at[i].body == AH_NONE && m->functions.at[i].input != AH_NONE) return true;
    return false;
}

const char *model_moving_input(ah_model *m)
{
    const ah_expr own = local_time(m->ctx);
    for (size_t i = 0; i < m->functions.count; i++) {
        const model_function *f = &m->functions.at[i];
        if (f->input != AH_NONE && expr_depends(m->ctx, f->input, own)) return f->name;
    }
    return NULL;
}

static model_function *copy_functions(ah_model *m)
{
    model_function *f = NEW_ARRAY(&m->ctx->job, model_function, m->functions.count);
    if (m->functions.count) memcpy(f, m->functions.at, m->functions.count * sizeof *f);
    return f;
}

/* Its functions, an input being what it is for numbers. */
static model_function *driven_functions(ah_model *m)
{
    model_function *f = copy_functions(m);
    for (size_t i = 0; i < m->functions.count; i++)
        if (f[i].body == AH_NONE) f[i].body = f[i].input;
    return f;
}

/* Kinematic models: z = value, so that q' = ψ(q, z(t), t) are n constraints and nothing is free. The
 * accelerations follow from them, whatever T is. */
typedef struct given_speeds {
    size_t count;
    ah_expr *symbol, *value;
} given_speeds;

static given_speeds given_by_inputs(ah_model *m, const model_function *functions)
{
    ah_ctx *ctx = m->ctx;
    arena *a = &ctx->job;
    const ah_expr own = local_time(ctx), t = expr_time(ctx);
    given_speeds g = {.symbol = NEW_ARRAY(a, ah_expr, 2 * m->speeds.count),
                      .value = NEW_ARRAY(a, ah_expr, 2 * m->speeds.count)};
    for (size_t i = 0; i < m->speeds.count; i++)
        for (size_t k = 0; k < m->functions.count; k++) {
            const model_function *f = &functions[k];
            if (f->input == AH_NONE || strcmp(f->name, m->speeds.at[i].name) != 0) continue;
            const ah_expr z = expr_subst(ctx, f->input, 1, &own, &t);
            g.symbol[g.count] = m->speeds.at[i].symbol;
            g.value[g.count++] = z;
            g.symbol[g.count] = expr_dot(ctx, m->speeds.at[i].symbol);
            g.value[g.count++] = expr_dt(ctx, z);
        }
    return g;
}

static void put_given(ah_model *m, const given_speeds *g, ah_expr *e)
{
    if (*e != AH_NONE) *e = expr_subst(m->ctx, *e, g->count, g->symbol, g->value);
}

static void put_given_drawing(ah_model *m, const given_speeds *g, ah_drawing *d)
{
    for (int k = 0; k < 3; k++) {
        put_given(m, g, &d->at.c[k]);
        put_given(m, g, &d->to.c[k]);
        put_given(m, g, &d->size[k]);
    }
    put_given(m, g, &d->turn);
}

static ah_model *drive_speeds(ah_model *m, const model_function *functions)
{
    ah_ctx *ctx = m->ctx;
    arena *a = &ctx->job;
    const given_speeds g = given_by_inputs(m, functions);
    ah_model *out = model_with_functions(m, functions); /* with lists of its own */
    memset(&out->constraints, 0, sizeof out->constraints);
    for (uint32_t i = 0; i < m->n; i++) {
        ah_expr psi = out->psi.at[i];
        put_given(m, &g, &psi);
        model_constraint c = {.label = expr_get_name(ctx, m->q.at[i]),
                              .left = m->v.at[i],
                              .right = psi,
                              .c = expr_sub(ctx, m->v.at[i], psi),
                              .order = MODEL_VELOCITY,
                              .linear = true,
                              .span = m->q_span.at[i]};
        c.affine = !expr_is_zero(ctx, psi);
        c.rheonomic = expr_depends(ctx, psi, expr_time(ctx));
        LIST_PUSH(a, &out->constraints, c);
    }
    for (size_t i = 0; i < out->outputs.count; i++) put_given(m, &g, &out->outputs.at[i].e);
    for (size_t i = 0; i < out->events.count; i++) put_given(m, &g, &out->events.at[i].e);
    for (size_t i = 0; i < out->lets.count; i++)
        for (int k = 0; k < (out->lets.at[i].is_vector ? 3 : 1); k++)
            put_given(m, &g, &out->lets.at[i].value.c[k]);
    for (size_t i = 0; i < out->drawings.count; i++)
        put_given_drawing(m, &g, &out->drawings.at[i].what);
    memset(&out->speeds, 0, sizeof out->speeds);
    memset(&out->psi, 0, sizeof out->psi);
    memset(&out->claims, 0, sizeof out->claims); /* they speak of all inputs */
    out->rank = m->n;
    return out;
}

ah_model *model_driven(ah_model *m)
{
    const bool speeds = m->kinematic && m->speeds.count;
    if (!speeds && !model_has_inputs(m)) return m;
    void **kept = model_kept(m, &driven_key);
    if (*kept) return *kept;
    const model_function *f = driven_functions(m);
    ah_model *driven = speeds ? drive_speeds(m, f) : model_with_functions(m, f);
    *model_kept(m, &driven_key) = driven;
    return driven;
}

/* How often the equations differentiate the input: it stands in constraints on velocities once, in
 * holonomic ones and in what moves with time twice. */
static unsigned rates_of(ah_model *m, const model_function *f)
{
    ah_ctx *ctx = m->ctx;
    unsigned most = 0;
    const ah_expr T[] = {m->T};
    const expr_list in_T = expr_reachable(ctx, &ctx->scratch, T, 1);
    for (size_t i = 0; i < in_T.count; i++)
        if (expr_get_op(ctx, in_T.at[i]) == EXPR_UNKNOWN &&
            !strcmp(expr_get_name(ctx, in_T.at[i]), f->name))
            return 2;
    for (size_t k = 0; k < m->constraints.count + m->psi.count; k++) {
        const bool form = k >= m->constraints.count;
        const ah_expr c = form ? m->psi.at[k - m->constraints.count] : m->constraints.at[k].c;
        const expr_list nodes = expr_reachable(ctx, &ctx->scratch, &c, 1);
        for (size_t i = 0; i < nodes.count; i++) {
            if (expr_get_op(ctx, nodes.at[i]) != EXPR_UNKNOWN ||
                strcmp(expr_get_name(ctx, nodes.at[i]), f->name) != 0)
                continue;
            const unsigned order = *expr_get_orders(ctx, nodes.at[i]);
            const unsigned more = form ? 1 : 2 - (unsigned) m->constraints.at[k].order;
            if (order + more > most) most = order + more;
        }
    }
    return most;
}

/* A number that the caller hands in; at first what the input is at the beginning. `drive`: what it
 * is by itself, of its own time. */
static ah_expr feed(ah_model *fed, model_parameter p, ah_expr drive, ah_expr t0)
{
    ah_ctx *ctx = fed->ctx;
    const ah_expr own = local_time(ctx), t = expr_time(ctx);
    p.symbol = expr_symbol(ctx, AH_PARAMETER, p.name);
    p.value = expr_subst(ctx, drive, 1, &own, &t0);
    p.drive = expr_subst(ctx, drive, 1, &own, &t);
    model_put_values(fed, &p.value, 1); /* a number: others could not be handed in */
    LIST_PUSH(&ctx->job, &fed->parameters, p);
    return p.symbol;
}

static ah_expr fed_body(ah_model *fed, const model_function *f, unsigned rates, ah_expr t0)
{
    ah_ctx *ctx = fed->ctx;
    arena *a = &ctx->job;
    const ah_expr own = local_time(ctx);
    model_parameter p = {.name = f->name, .span = NOWHERE, .input = f->name};
    ah_expr value = f->input, sum = feed(fed, p, value, t0);
    if (!rates) return sum;
    p.name = arena_printf(a, "t(%s)", f->name);
    p.order = MODEL_CLOCK;
    const ah_expr since = expr_sub(ctx, own, feed(fed, p, own, t0));
    ah_expr power = expr_int(ctx, 1);
    p.name = f->name;
    for (p.order = 1; p.order <= rates; p.order++) {
        value = expr_diff(ctx, value, own);
        p.name = arena_printf(a, "%s'", p.name);
        power = expr_mul(ctx, power, expr_div(ctx, since, expr_int(ctx, (long) p.order)));
        sum = expr_add(ctx, sum, expr_mul(ctx, power, feed(fed, p, value, t0)));
    }
    return sum;
}

/* With parameters for the inputs. */
static ah_model *with_fed(ah_model *m)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr t0 = m->t0 != AH_NONE ? m->t0 : expr_int(ctx, 0);
    model_function *f = copy_functions(m);
    ah_model *names = model_view(m, &ctx->job);
    memset(&names->parameters, 0, sizeof names->parameters);
    for (size_t i = 0; i < m->parameters.count; i++)
        LIST_PUSH(&ctx->job, &names->parameters, m->parameters.at[i]);
    for (size_t i = 0; i < m->functions.count; i++) {
        if (m->speeds.count && m->kinematic && f[i].input != AH_NONE && f[i].body != AH_NONE)
            f[i].input = fed_body(names, &f[i], 1, t0);
        if (f[i].body != AH_NONE || f[i].input == AH_NONE) continue;
        f[i].body = fed_body(names, &f[i], rates_of(m, &f[i]), t0);
    }
    return m->kinematic && m->speeds.count ? drive_speeds(names, f)
                                           : model_with_functions(names, f);
}

ah_model *model_fed(ah_model *m)
{
    if (!(m->kinematic && m->speeds.count) && !model_has_inputs(m)) return m;
    void **kept = model_kept(m, &fed_key);
    if (*kept) return *kept;
    ah_model *fed = with_fed(m);
    *model_kept(m, &fed_key) = fed;
    return fed;
}
