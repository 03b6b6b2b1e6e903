/* claims/claim_when.c - claims about some states alone: `x1'' = 0 when x2' = 0, y2' = 0`.
 *
 * The conditions count as constraints on the states, and the motion remains the system's own. What gives a
 * coordinate or a velocity its value is put into everything: then the states are those of a system with the
 * constraints that are left and the other conditions, and the symbol is set afterwards. The components,
 * regular states and enclosures are that system's (`where`); what is regular there and for the motion
 * besides is a state of which the claim speaks. */
#include "claim.h"

#include <math.h>
#include <string.h>

/* ---- Values ---------------------------------------------------------------------------------- */

ah_expr when_put(const verification *v, ah_expr e)
{
    const model_when *w = v->when;
    for (size_t i = 0; w && i < w->values; i++)
        e = expr_subst(v->ctx, e, 1, &w->value[i].symbol, &w->value[i].value);
    return e;
}

void when_set(const verification *v, point *p)
{
    const model_when *w = v->when;
    if (!w) return;
    for (size_t i = 0; i < w->values; i++)
        point_set(p, w->value[i].symbol, point_eval(p, w->value[i].value));
    for (size_t i = 0; i < v->model->quasivelocities.count; i++) {
        const model_speed *s = &v->model->quasivelocities.at[i];
        point_set(p, s->symbol, point_eval(p, s->definition));
    }
    /* z was not drawn: nothing may rest on it. */
    for (size_t i = 0; i < v->model->speeds.count; i++)
        point_set(p, v->model->speeds.at[i].symbol, NAN);
}

void when_enclose(const verification *v, ball_frame *state, slong bits)
{
    const model_when *w = v->when;
    for (size_t i = 0; w && i < w->values; i++) {
        ah_expr e = w->value[i].value;
        model_put_values(v->model, &e, 1);
        /* no value holds a symbol that has one: what is written is not read */
        ball_frame_put(state, w->value[i].symbol, e, bits);
    }
    for (size_t i = 0; w && i < v->model->quasivelocities.count; i++) {
        const model_speed *s = &v->model->quasivelocities.at[i];
        arb_indeterminate(ball_frame_ref(state, s->symbol));
    }
}

/* ---- Another system for the states ----------------------------------------------------------- */

/* A parameter that a relation names is free. */
typedef struct relations {
    ah_ctx *ctx;
    const model_when *w;
} relations;

static bool is_named(const void *what, ah_expr parameter)
{
    const relations *r = what;
    for (size_t i = 0; i < r->w->conditions; i++)
        if (expr_depends(r->ctx, r->w->condition[i].e, parameter)) return true;
    return false;
}

ah_model *when_free(ah_model *m, arena *a, bool (*frees)(const void *, ah_expr), const void *what)
{
    ah_model *view = NULL;
    for (size_t i = 0; i < m->parameters.count; i++) {
        if (m->parameters.at[i].value == AH_NONE || !frees(what, m->parameters.at[i].symbol))
            continue;
        if (!view) {
            view = model_view(m, a);
            memset(&view->parameters, 0, sizeof view->parameters);
            for (size_t k = 0; k < m->parameters.count; k++)
                LIST_PUSH(a, &view->parameters, m->parameters.at[k]);
        }
        view->parameters.at[i].value = AH_NONE;
    }
    return view ? view : m;
}

ah_model *when_model(verification *v, const model_when *w)
{
    const relations named = {v->ctx, w};
    return when_free(v->model, v->arena, is_named, &named);
}

static bool names_given(const verification *v, const model_when *w, ah_expr e)
{
    const ah_model *m = v->model;
    for (size_t i = 0; i < w->values; i++)
        for (uint32_t k = 0; k < m->n; k++)
            if ((w->value[i].symbol == m->q.at[k] || w->value[i].symbol == m->v.at[k]) &&
                expr_depends(v->ctx, e, m->q.at[k]))
                return true;
    return false;
}

/* C(q, v, t) = 0 among the constraints of `where`; false: it can hold at special places only. */
static bool add_velocity_row(verification *v, ah_model *where, ah_expr c, const char *label)
{
    ah_ctx *ctx = v->ctx;
    ah_expr value = c;
    model_put_values(v->model, &value, 1);
    if (algebra_zero(v->mech->alg, value) == AH_TRUE) return true;
    if (!expr_depends_kind(ctx, c, AH_VELOCITY)) return false;
    model_constraint row = {.label = label, .left = c, .right = expr_int(ctx, 0), .c = c};
    ah_expr rest = c;
    const ah_expr zero = expr_int(ctx, 0);
    row.order = MODEL_VELOCITY;
    row.rheonomic = expr_depends(ctx, c, expr_time(ctx));
    row.linear = true;
    for (uint32_t i = 0; i < where->n; i++) {
        const ah_expr slope = expr_diff(ctx, c, where->v.at[i]);
        row.linear = row.linear && !expr_depends_kind(ctx, slope, AH_VELOCITY);
    }
    for (uint32_t i = 0; row.linear && i < where->n; i++)
        rest = expr_subst(ctx, rest, 1, &where->v.at[i], &zero);
    row.affine = row.linear && algebra_zero(v->mech->alg, rest) != AH_TRUE;
    LIST_PUSH(v->arena, &where->constraints, row);
    return true;
}

/* NULL, or why these conditions cannot be put to this system. */
static const char *make_rows(verification *v, const model_when *w, ah_model *where)
{
    const ah_model *m = v->model;
    memset(&where->constraints, 0, sizeof where->constraints);
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        if (c->order == MODEL_ACCELERATION) continue; /* it binds no state; the motion has it */
        if (c->order == MODEL_HOLONOMIC) {
            if (names_given(v, w, c->c))
                return "a condition gives a value to what a constraint on coordinates binds";
            LIST_PUSH(v->arena, &where->constraints, *c);
            continue;
        }
        if (!add_velocity_row(v, where, when_put(v, c->c), c->label))
            return "with these conditions the constraints hold at special places only";
    }
    for (size_t i = 0; i < w->equations; i++)
        if (!add_velocity_row(v, where, w->equation[i],
                              arena_printf(v->arena, "condition %zu", i + 1)))
            return "a condition holds at special places only";
    return NULL;
}

void when_forget(ah_model *m)
{
    memset(&m->speeds, 0, sizeof m->speeds);
    memset(&m->psi, 0, sizeof m->psi);
    memset(&m->quasivelocities, 0, sizeof m->quasivelocities);
    memset(&m->start, 0, sizeof m->start);
    memset(&m->facts, 0, sizeof m->facts);
    memset(&m->needs, 0, sizeof m->needs);
}

static ah_model *make_states_of(verification *v, const model_when *w, const char **why)
{
    ah_model *where = model_view(v->model, v->arena);
    when_forget(where);
    for (size_t i = 0; i < v->model->facts.count; i++) {
        algebra_fact f = v->model->facts.at[i];
        f.e = when_put(v, f.e);
        LIST_PUSH(v->arena, &where->facts, f);
    }
    for (size_t i = 0; i < w->conditions; i++) LIST_PUSH(v->arena, &where->facts, w->condition[i]);
    where->alg = algebra_create(v->ctx, where->facts.at, where->facts.count);
    *why = make_rows(v, w, where);
    return *why ? NULL : where;
}

verification *when_open(verification *v, const model_when *w, const char **why)
{
    *why = "conditions are not put to systems with unspecified functions";
    if (model_is_general(v->model)) return NULL;
    *why = "the velocity form stands in place of constraints: conditions on velocities need them";
    if (v->model->speeds.count && !v->model->constraints.count) return NULL;
    *why = "conditions are not put to systems whose accelerations are one of several";
    if (v->branched) return NULL;
    ah_model *m = when_model(v, w);
    verification *own = m == v->model ? NEW(v->arena, verification) : NULL;
    if (own)
        *own = *v;
    else
        own = verify_open(m, v->states, v->seed);
    own->when = w;
    own->regular = own->defined = own->uniform = AH_UNKNOWN;
    own->where = make_states_of(own, w, why);
    if (!own->where) return NULL;
    verify_choose_states(own);
    return own;
}
