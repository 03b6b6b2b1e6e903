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

static bool may_drive(ah_model *m, ah_expr value, ah_span span)
{
    return model_only(m, value, KIND_PARAMETER | KIND_TIME, "the value of an input", span);
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
    const model_name *found = model_find(m, name);
    model_function *f =
        found && found->what == MODEL_FUNCTION ? &m->functions.at[found->index] : NULL;
    if (!f || f->input == AH_NONE) {
        diag(m->ctx, A0425, span, "there is no input `%s`", name);
        diag_hint(m->ctx, "inputs are declared by input u = 0");
        return;
    }
    if (!may_drive(m, value, span)) return;
    f->input = as_body(m->ctx, value);
    *model_kept(m, &driven_key) = *model_kept(m, &fed_key) = NULL;
}

/* ---- In numbers ------------------------------------------------------------------------------ */

bool model_has_inputs(const ah_model *m)
{
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.at[i].body == AH_NONE && m->functions.at[i].input != AH_NONE) return true;
    return false;
}

static model_function *copy_functions(ah_model *m)
{
    model_function *f = NEW_ARRAY(&m->ctx->job, model_function, m->functions.count);
    if (m->functions.count) memcpy(f, m->functions.at, m->functions.count * sizeof *f);
    return f;
}

ah_model *model_driven(ah_model *m)
{
    if (!model_has_inputs(m)) return m;
    void **kept = model_kept(m, &driven_key);
    if (*kept) return *kept;
    model_function *f = copy_functions(m);
    for (size_t i = 0; i < m->functions.count; i++)
        if (f[i].body == AH_NONE) f[i].body = f[i].input;
    ah_model *driven = model_with_functions(m, f);
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

/* A number that the caller hands in; at first what the input is at the beginning. */
static ah_expr feed(ah_model *fed, const char *name, ah_expr value)
{
    const ah_expr symbol = expr_symbol(fed->ctx, AH_PARAMETER, name);
    model_put_values(fed, &value, 1); /* a number: what depends on others could not be handed in */
    LIST_PUSH(&fed->ctx->job, &fed->parameters, ((model_parameter){name, symbol, value, NOWHERE}));
    return symbol;
}

static ah_expr fed_body(ah_model *fed, const model_function *f, unsigned rates, ah_expr t0)
{
    ah_ctx *ctx = fed->ctx;
    arena *a = &ctx->job;
    const ah_expr own = local_time(ctx);
    ah_expr value = f->input, sum = feed(fed, f->name, expr_subst(ctx, value, 1, &own, &t0));
    if (!rates) return sum;
    const ah_expr at = feed(fed, arena_printf(a, "t(%s)", f->name), t0);
    const ah_expr since = expr_sub(ctx, own, at);
    ah_expr power = expr_int(ctx, 1);
    const char *name = f->name;
    for (unsigned k = 1; k <= rates; k++) {
        value = expr_diff(ctx, value, own);
        name = arena_printf(a, "%s'", name);
        power = expr_mul(ctx, power, expr_div(ctx, since, expr_int(ctx, (long) k)));
        sum = expr_add(ctx, sum,
                       expr_mul(ctx, power, feed(fed, name, expr_subst(ctx, value, 1, &own, &t0))));
    }
    return sum;
}

ah_model *model_fed(ah_model *m)
{
    if (!model_has_inputs(m)) return m;
    void **kept = model_kept(m, &fed_key);
    if (*kept) return *kept;
    const ah_expr t0 = m->t0 != AH_NONE ? m->t0 : expr_int(m->ctx, 0);
    model_function *f = copy_functions(m);
    ah_model *names = model_view(m, &m->ctx->job);
    memset(&names->parameters, 0, sizeof names->parameters);
    for (size_t i = 0; i < m->parameters.count; i++)
        LIST_PUSH(&m->ctx->job, &names->parameters, m->parameters.at[i]);
    for (size_t i = 0; i < m->functions.count; i++)
        if (f[i].body == AH_NONE && f[i].input != AH_NONE)
            f[i].body = fed_body(names, &f[i], rates_of(m, &f[i]), t0);
    ah_model *fed = model_with_functions(names, f);
    *model_kept(m, &fed_key) = fed;
    return fed;
}
