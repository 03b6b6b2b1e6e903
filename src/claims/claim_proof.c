/* claims/claim_proof.c - proofs of claims.
 *
 * The accelerations, multipliers, … are worked out symbolically, with the declared values of the
 * parameters, and the difference of the two sides is brought to its normal form: A. with the
 * velocities eliminated, v = ψ(q, z, t), where there is a symbolic chart; B. in q and v modulo the
 * ideal of the constraints otherwise. A is a proof on the closure of the chart's image: all of the
 * constraint set where that is irreducible. */
#include "claim.h"

static const char *const extra_names[MOTION_EXTRAS] = {"G", "Gz", "lambda", "reaction"};

/* The symbolic β, once. */
static bool symbolic_beta(verification *v, uint32_t entry, ah_expr *out)
{
    if (!v->beta_tried) {
        v->beta_tried = true;
        const quantity x = v->hamel.refused ? QUANTITY_NONE : claim_extra(v->hamel.eq, "beta");
        const work_options options = {.values = true};
        if (x != QUANTITY_NONE && !work_out(work_create(v->hamel.eq, &options), x, &v->beta))
            v->beta = (mat){0};
    }
    if (!v->beta.rows) return false;
    *out = mat_get(v->ctx, v->beta, entry / v->beta.cols, entry % v->beta.cols);
    return true;
}

/* The symbolic value of one of the motion's symbols in the variables of the work. */
static bool symbolic_value(verification *v, work *w, const ah_equations *eq, ah_expr symbol,
                           ah_expr *out)
{
    mat x;
    int extra;
    uint32_t row, col, entry;
    switch (expr_get_kind(v->ctx, symbol)) {
    case AH_ACCELERATION:
        for (row = 0; v->model->a.at[row] != symbol;) row++;
        if (!work_out(w, eq->qddot, &x)) return false;
        *out = mat_get(v->ctx, x, row, 0);
        return true;
    case AH_SPEED_DOT:
        if (eq->speeds_dot == QUANTITY_NONE || !work_out(w, eq->speeds_dot, &x)) return false;
        for (row = 0; row < x.rows; row++)
            if (mat_get(v->ctx, v->mech->chart.zdot, row, 0) == symbol) {
                *out = mat_get(v->ctx, x, row, 0);
                return true;
            }
        return false;
    case AH_DERIVED:
        if (claim_beta(v, symbol, &entry)) return symbolic_beta(v, entry, out);
        if (claim_object_value(v, symbol, out)) return true;
        if (!claim_locate(v, symbol, &extra, &row, &col)) return false;
        const quantity value = claim_extra(eq, extra_names[extra]);
        if (value == QUANTITY_NONE || !work_out(w, value, &x)) return false;
        *out = mat_get(v->ctx, x, row, col);
        return true;
    default: return false;
    }
}

/* e, a side of the claim or their difference, with the motion put in, in q and v or q and z; false: there is none. */
static bool put_motion(verification *v, work *w, const formalism *f, const trial *t, ah_expr e,
                       ah_expr *out)
{
    const char *why, *instead;
    const ah_equations *eq = w ? derive_equations(v->model, f, NULL, &why, &instead) : NULL;
    if (!eq || (t->motion.count && switches_of(v->mech) == SWITCHES_SQUARED)) return false;
    if (t->motion.count && v->mech->tree) return false; /* no entry of its M fits the algebra */
    ah_expr *value = NEW_ARRAY(v->arena, ah_expr, t->motion.count);
    for (size_t i = 0; i < t->motion.count; i++)
        if (!symbolic_value(v, w, eq, t->motion.at[i], &value[i])) return false;
    for (size_t i = 0; i < t->motion.count; i++) value[i] = switches_put(v->mech, value[i]);
    if (eq->substitutions) e = expr_subst(v->ctx, e, eq->substitutions, eq->from, eq->to);
    e = expr_subst(v->ctx, e, t->motion.count, t->motion.at, value);
    if (eq->substitutions) e = expr_subst(v->ctx, e, eq->substitutions, eq->from, eq->to);
    e = when_put(v, e);
    model_put_values(v->model, &e, 1);
    *out = e;
    return true;
}

/* Does the chart v = ψ(q, z, t) exist at the general place, its denominators not vanishing on the
 * holonomic constraints? */
static bool chart_exists(verification *v)
{
    const mat psi = v->mech->chart.psi;
    for (uint32_t i = 0; i < psi.rows; i++) {
        ah_expr e = mat_get(v->ctx, psi, i, 0), top, below;
        model_put_values(v->model, &e, 1);
        if (!algebra_fraction(v->mech->alg, e, &top, &below)) return false;
    }
    return true;
}

/* A. Through the chart: its image is dense where there is one component. */
static bool prove_by_chart(verification *v, const trial *t)
{
    ah_expr e, plain = t->difference;
    const components *c = v->components;
    algebra *alg = v->mech->alg;
    model_put_values(v->model, &plain, 1);
    if (!c->complete || c->count != 1 || v->when) return false;
    if (!put_motion(v, v->chart_work, &derive_motion_by_chart, t, t->difference, &e)) return false;
    const bool zero = algebra_set_relations(alg, c->at[0].relation, c->at[0].places) &&
                      (!c->at[0].places || chart_exists(v)) && algebra_zero(alg, e) == AH_TRUE;
    algebra_set_relations(alg, NULL, 0);
    return zero && components_vanish_at_switches(c->of, alg, plain);
}

/* B. In q and v, on each component. */
static bool prove_by_multipliers(verification *v, const trial *t)
{
    ah_expr e;
    algebra *alg = v->when ? v->where->alg : v->mech->alg; /* that knows the conditions */
    return put_motion(v, v->plain_work, &derive_motion_by_multipliers, t, t->difference, &e) &&
           components_vanish(v->components, alg, e);
}

/* One of the motion's symbols by the multipliers, whatever these are: R_i = Σ λ_a J_ai. */
static ah_expr by_definition(verification *v, ah_expr symbol)
{
    int extra;
    uint32_t row, col;
    if (expr_get_kind(v->ctx, symbol) != AH_DERIVED || !claim_locate(v, symbol, &extra, &row, &col))
        return symbol;
    if (extra == MOTION_LAMBDA) return model_multiplier(v->model, row, false);
    if (extra != MOTION_REACTION) return symbol;
    const mat J = model_rows(v->model, v->arena);
    ah_expr reaction = expr_int(v->ctx, 0);
    for (uint32_t a = 0; a < J.rows; a++)
        reaction = expr_add(
            v->ctx, reaction,
            expr_mul(v->ctx, model_multiplier(v->model, a, false), mat_get(v->ctx, J, a, row)));
    return reaction;
}

/* Does the claim say no more than what reactions are? */
static bool is_definition(verification *v, const trial *t)
{
    ah_expr e = t->difference;
    for (size_t i = 0; i < t->motion.count; i++) {
        const ah_expr value = by_definition(v, t->motion.at[i]);
        e = expr_subst(v->ctx, e, 1, &t->motion.at[i], &value);
    }
    model_put_values(v->model, &e, 1);
    return algebra_zero(v->mech->alg, e) == AH_TRUE;
}

bool claim_has_one_rank(verification *v)
{
    const components *c = components_find(v->model);
    for (size_t i = 1; c->complete && i < c->count; i++)
        if (c->at[i].relations - c->at[i].places != c->at[0].relations - c->at[0].places)
            return false;
    return true;
}

bool claim_by_chart(verification *v, const trial *t, ah_expr e, ah_expr *out)
{
    return (!t->motion.count || claim_has_one_rank(v)) &&
           put_motion(v, v->chart_work, &derive_motion_by_chart, t, e, out);
}

bool claim_by_multipliers(verification *v, const trial *t, ah_expr e, ah_expr *out)
{
    return (!t->motion.count || claim_has_one_rank(v)) &&
           put_motion(v, v->plain_work, &derive_motion_by_multipliers, t, e, out);
}

bool claim_prove(verification *v, const trial *t, bool by_motion)
{
    return is_definition(v, t) ||
           (by_motion && (prove_by_chart(v, t) || prove_by_multipliers(v, t)));
}
