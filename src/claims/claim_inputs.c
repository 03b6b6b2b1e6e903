/* claims/claim_inputs.c - claims about kinematic models: their velocities are the inputs.
 *
 * Of such a model the states are (q, z, t), and a claim may name the rates z' besides. They are put as those of a system
 * that nothing binds, with two coordinates more for each input,
 *
 *     Z' = z,   W' = z',   q' → ψ(q, Z', t),   q'' → its rate along itself,
 *
 * so that assumptions and conditions on velocities bind the inputs, as they should, and conditions may fall into
 * components like constraints. */
#include "claim.h"

#include <string.h>

/* Z and W have the names of the inputs and this behind them, lest they be read: Z' is shown as z. */
#define INTEGRATED "\x01"

/* ---- The system ------------------------------------------------------------------------------ */

/* q'' and q' through the inputs; then these are velocities of `free`, where there is one. */
static ah_expr through(verification *v, const ah_model *free, ah_expr e)
{
    const ah_model *m = v->model;
    const size_t count = m->speeds.count;
    ah_expr *from = NEW_ARRAY(v->arena, ah_expr, m->n + 2 * count), *to = free->v.at + m->n;
    e = claim_expand(v, e);
    for (uint32_t i = 0; i < m->n; i++) from[i] = expr_dt(v->ctx, m->psi.at[i]);
    e = expr_subst(v->ctx, e, m->n, m->a.at, from);
    e = expr_subst(v->ctx, e, m->n, m->v.at, m->psi.at);
    for (size_t k = 0; k < count; k++) {
        from[k] = m->speeds.at[k].symbol;
        from[count + k] = expr_dot(v->ctx, from[k]);
    }
    return expr_subst(v->ctx, e, 2 * count, from, to);
}

static ah_expr through_inputs(verification *v, ah_expr e)
{
    return through(v, v->inputs->model, e);
}

static void add_coordinate(ah_model *m, arena *a, const char *name)
{
    const ah_expr q = expr_symbol(m->ctx, AH_COORDINATE, name), v = expr_dot(m->ctx, q);
    LIST_PUSH(a, &m->q, q);
    LIST_PUSH(a, &m->v, v);
    LIST_PUSH(a, &m->a, expr_dot(m->ctx, v));
    LIST_PUSH(a, &m->q_span, NOWHERE);
    m->n++;
}

static void copy_coordinates(ah_model *to, const ah_model *m, arena *a)
{
    to->n = 0;
    memset(&to->q, 0, sizeof to->q);
    memset(&to->v, 0, sizeof to->v);
    memset(&to->a, 0, sizeof to->a);
    memset(&to->q_span, 0, sizeof to->q_span);
    for (uint32_t i = 0; i < m->n; i++) add_coordinate(to, a, expr_get_name(m->ctx, m->q.at[i]));
    for (size_t k = 0; k < m->speeds.count; k++)
        add_coordinate(to, a, arena_printf(a, "%s" INTEGRATED, m->speeds.at[k].name));
    for (size_t k = 0; k < m->speeds.count; k++)
        add_coordinate(to, a, arena_printf(a, "%s'" INTEGRATED, m->speeds.at[k].name));
}

/* What belongs to the model's own motion. */
static void forget(ah_model *m)
{
    when_forget(m);
    memset(&m->constraints, 0, sizeof m->constraints);
    memset(&m->parts, 0, sizeof m->parts);
    m->kinematic = false;
    m->rank = 0;
}

static void put_facts(verification *v, ah_model *to)
{
    const ah_model *m = v->model;
    for (size_t i = 0; i < m->facts.count; i++) {
        algebra_fact f = m->facts.at[i];
        f.e = through(v, to, f.e);
        LIST_PUSH(v->arena, &to->facts, f);
    }
    for (size_t i = 0; i < m->needs.count; i++) {
        model_need n = m->needs.at[i];
        n.a = through(v, to, n.a);
        if (n.b != AH_NONE) n.b = through(v, to, n.b);
        LIST_PUSH(v->arena, &to->needs, n);
    }
    to->alg = algebra_create(v->ctx, to->facts.at, to->facts.count);
}

static verification *open_free(verification *v)
{
    ah_model *m = model_view(v->model, v->arena);
    copy_coordinates(m, v->model, v->arena);
    forget(m);
    m->T = claim_unit_energy(m); /* states are drawn of a system that moves */
    m->V = expr_int(m->ctx, 0);
    m->F = NEW_ARRAY(v->arena, ah_expr, m->n);
    m->F_written = NEW_ARRAY(v->arena, ah_expr, m->n);
    for (uint32_t i = 0; i < m->n; i++) m->F[i] = m->F_written[i] = m->V;
    put_facts(v, m);
    return verify_open(m, v->states, v->seed);
}

/* ---- Claims ---------------------------------------------------------------------------------- */

/* ψ holds coordinates and inputs that have values: put them in. False: one needs itself. */
static bool settle(verification *v, model_value *value, ah_expr *equation, algebra_fact *fact,
                   const model_when *w)
{
    for (size_t k = 0; k < w->values; k++) {
        const model_value *x = &value[k];
        if (expr_depends(v->ctx, x->value, x->symbol)) return false;
        for (size_t i = 0; i < w->values; i++)
            value[i].value = expr_subst(v->ctx, value[i].value, 1, &x->symbol, &x->value);
        for (size_t i = 0; i < w->equations; i++)
            equation[i] = expr_subst(v->ctx, equation[i], 1, &x->symbol, &x->value);
        for (size_t i = 0; i < w->conditions; i++)
            fact[i].e = expr_subst(v->ctx, fact[i].e, 1, &x->symbol, &x->value);
    }
    return true;
}

/* The value of a velocity is an equation for the inputs. NULL: a value needs itself. */
static const model_when *conditions(verification *v, const model_when *w)
{
    model_when *out = NEW(v->arena, model_when);
    model_value *value = NEW_ARRAY(v->arena, model_value, w->values + 1);
    ah_expr *equation = NEW_ARRAY(v->arena, ah_expr, w->values + w->equations + 1);
    algebra_fact *fact = NEW_ARRAY(v->arena, algebra_fact, w->conditions + 1);
    *out = (model_when){
        .conditions = w->conditions, .value = value, .equation = equation, .condition = fact};
    for (size_t i = 0; i < w->values; i++) {
        model_value x = w->value[i];
        const bool velocity = expr_get_kind(v->ctx, x.symbol) == AH_VELOCITY;
        x.symbol = through_inputs(v, x.symbol);
        x.value = through_inputs(v, x.value);
        if (velocity)
            equation[out->equations++] = expr_sub(v->ctx, x.symbol, x.value);
        else
            value[out->values++] = x;
    }
    for (size_t i = 0; i < w->equations; i++)
        equation[out->equations++] = through_inputs(v, w->equation[i]);
    for (size_t i = 0; i < w->conditions; i++) {
        fact[i] = w->condition[i];
        fact[i].e = through_inputs(v, fact[i].e);
    }
    return settle(v, value, equation, fact, out) ? out : NULL;
}

/* Of the state that was found the velocities are those of the inputs. */
static void keep_state(verification *v, verify_claim *out)
{
    const ah_model *m = v->model, *free = v->inputs->model;
    frame *values = frame_copy(v->arena, out->values);
    for (size_t k = 0; k < m->speeds.count; k++) {
        const ah_expr z = m->speeds.at[k].symbol;
        const ah_expr *as = free->v.at + m->n + k;
        frame_set(values, z, frame_get(values, as[0]));
        frame_set(values, expr_dot(v->ctx, z), frame_get(values, as[m->speeds.count]));
    }
    point p = point_around(v->model, values, &v->ctx->scratch);
    for (uint32_t i = 0; i < m->n; i++) frame_set(values, m->v.at[i], point_eval(&p, m->psi.at[i]));
    out->values = values;
}

static const char *in_inputs(verification *v, const char *words)
{
    static const char mark[] = INTEGRATED "'";
    text t = text_begin(v->arena);
    for (const char *at; words && (at = strstr(words, mark)); words = at + strlen(mark))
        text_printf(&t, "%.*s", (int) (at - words), words);
    return words ? (text_add(&t, words), text_end(&t)) : NULL;
}

void claim_of_inputs(verification *v, const model_claim *claim, verify_claim *out)
{
    const ah_model *m = v->model;
    out->verdict = AH_VERDICT_UNKNOWN;
    out->why = "the coordinates of a kinematic model are bound by a constraint";
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order != MODEL_VELOCITY) return;
    if (!v->inputs) v->inputs = open_free(v);
    model_claim own = claim_mapped(v, claim, through_inputs);
    own.statement = NULL;
    out->why = "a condition gives a value through itself";
    if (claim->when && !(own.when = conditions(v, claim->when))) return;
    verify_one(v->inputs, &own, out);
    out->claim = claim;
    out->model = claim->when ? when_model(v, claim->when) : v->model;
    out->component = in_inputs(v, out->component);
    out->unseen = in_inputs(v, out->unseen);
    out->why = in_inputs(v, out->why);
    if (out->values) keep_state(v, out);
}
