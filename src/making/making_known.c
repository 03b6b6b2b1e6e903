/* making/making_known.c - contact forces where the rates are known: at the ends of steps. */
#include "making_steps.h"

#include <string.h>

/* lambda[a] through accelerations, where one coordinate q_i is bound by C_a alone, as the height of a body on a plane is:
 * M a = L + Jᵀλ gives λ_a = (M a − L)_i/J_ai. AH_NONE: there is none. */
static ah_expr force_of_lone(const mechanics *k, uint32_t a)
{
    if (k->tree) return AH_NONE; /* a row of M is as long as the tree */
    const mat M = mechanics_mass(k);
    for (uint32_t e = k->J.start[a]; e < k->J.start[a + 1]; e++) {
        const uint32_t i = k->J.col[e];
        uint32_t b = 0;
        while (b < k->r && (b == a || expr_is_zero(k->ctx, mat_get(k->ctx, k->J, b, i)))) b++;
        if (b < k->r) continue;
        ah_expr sum = expr_neg(k->ctx, mat_get(k->ctx, k->L, i, 0));
        for (uint32_t x = M.start[i]; x < M.start[i + 1]; x++)
            sum = expr_add(k->ctx, sum,
                           expr_mul(k->ctx, M.val[x], mat_get(k->ctx, k->a, M.col[x], 0)));
        return expr_div(k->ctx, sum, k->J.val[e]);
    }
    return AH_NONE;
}

/* What the event's expression is through accelerations where it names one multiplier and nothing else that is derived. */
static ah_expr through_accelerations(const point *p, ah_expr e)
{
    const expr_list used = expr_symbols(p->ctx, p->arena, &e, 1);
    ah_expr symbol = AH_NONE, force = AH_NONE;
    for (size_t i = 0; i < used.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(p->ctx, used.at[i]);
        derived_ref d;
        if (kind == AH_SPEED || kind == AH_SPEED_DOT || kind == AH_JERK) return AH_NONE;
        if (kind != AH_DERIVED) continue;
        if (symbol != AH_NONE || !model_find_derived(p->model, used.at[i], &d) ||
            d.what != DERIVED_LAMBDA)
            return AH_NONE;
        symbol = used.at[i];
        force = force_of_lone(p->mech, d.index[0]);
    }
    return force == AH_NONE ? AH_NONE : expr_subst(p->ctx, e, 1, &symbol, &force);
}

static bool is_of_parameters(const point *p, ah_expr e)
{
    const expr_list used = expr_symbols(p->ctx, p->arena, &e, 1);
    for (size_t i = 0; i < used.count; i++)
        if (expr_get_kind(p->ctx, used.at[i]) != AH_PARAMETER) return false;
    return true;
}

/* What time drives may swing faster than steps tell, where it hardly moves anything. */
static bool is_driven(const point *p)
{
    const ah_model *m = p->model;
    bool driven = expr_depends(p->ctx, m->T, p->mech->t) || expr_depends(p->ctx, m->V, p->mech->t);
    for (uint32_t i = 0; i < m->n; i++)
        driven = driven || expr_depends(p->ctx, m->F[i], p->mech->t);
    for (size_t i = 0; i < m->constraints.count; i++)
        driven = driven || expr_depends(p->ctx, m->constraints.at[i].c, p->mech->t);
    return driven;
}

/* e = factor · q'' + rest, as the force on a body above a plane at rest is m(z'' + g). */
static motion_bend bend_of(const point *p, ah_expr e)
{
    const ah_model *m = p->model;
    const ah_expr zero = expr_int(p->ctx, 0);
    uint32_t i = 0;
    while (i < m->n && !expr_depends(p->ctx, e, m->a.at[i])) i++;
    motion_bend out = {.factor = zero, .rest = e};
    if (i < m->n)
        out = (motion_bend){i, expr_diff(p->ctx, e, m->a.at[i]),
                            expr_subst(p->ctx, e, 1, &m->a.at[i], &zero)};
    if (!is_of_parameters(p, out.factor) || !is_of_parameters(p, out.rest)) out.factor = AH_NONE;
    return out;
}

/* Accelerations are v' = ∂ψ/∂s s' + …, with s' an input. */
static ah_expr through_rates(const motion_code *c, const point *p, ah_expr e)
{
    const ah_model *m = p->model;
    if (!c->psi) return e;
    ah_expr *a = NEW_ARRAY(p->arena, ah_expr, m->n);
    for (uint32_t i = 0; i < m->n; i++) a[i] = expr_dt(p->ctx, c->psi[i]);
    return expr_subst(p->ctx, e, m->n, m->a.at, a);
}

void making_known(making *w)
{
    motion_code *c = w->c;
    const ah_model *m = w->p->model;
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    making more = *w;
    expr_list out = {0};
    c->known = NEW_ARRAY(a, uint32_t, m->events.count + 1);
    c->bend = NEW_ARRAY(a, motion_bend, m->events.count + 1);
    const bool driven = is_driven(w->p);
    c->known_bends = true;
    if (w->mech->second_class || w->mech->tree) return;
    for (size_t i = 0; i < m->events.count; i++) {
        const ah_expr e = through_accelerations(w->p, m->events.at[i].e);
        if (e == AH_NONE) continue;
        const ah_expr by = through_rates(c, w->p, e);
        if (!driven) c->bend[i] = bend_of(w->p, e);
        c->known_bends = c->known_bends && c->bend[i].factor != AH_NONE;
        LIST_PUSH(a, &out, by);
        LIST_PUSH(a, &out, expr_terms(ctx, by));
        c->known[i] = (uint32_t) out.count / 2;
    }
    if (!out.count) return;
    more.inputs = (expr_list){0};
    for (size_t i = 0; i < w->inputs.count; i++) LIST_PUSH(a, &more.inputs, w->inputs.at[i]);
    for (uint32_t i = 0; i < c->m; i++) LIST_PUSH(a, &more.inputs, expr_dot(ctx, c->second[i]));
    recipe r = making_begin(w, false);
    making_end(&more, &r, MOTION_KNOWN, out);
}

bool motion_code_known(motion_code *c, size_t event, double t, const double *y, const double *dy,
                       double *value, double *size)
{
    const uint32_t at = c->program[MOTION_KNOWN] ? c->known[event] : 0;
    if (!at) return false;
    memcpy(c->in + 1 + c->n + c->m, dy + c->n, c->m * sizeof *dy); /* those of the last end, too */
    if (!motion_code_run(c, MOTION_KNOWN, t, y, NULL)) return false;
    *value = c->out[2 * (at - 1)];
    *size = c->out[2 * (at - 1) + 1];
    return true;
}
