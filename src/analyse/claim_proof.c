/* analyse/claim_proof.c - proofs of claims.
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
    derived_name d;
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
        if (!claim_parse(expr_get_name(v->ctx, symbol), &d)) return false;
        if (claim_beta(v, &d, &entry)) return symbolic_beta(v, entry, out);
        if (!claim_locate(v, &d, &extra, &row, &col)) return false;
        const quantity value = claim_extra(eq, extra_names[extra]);
        if (value == QUANTITY_NONE || !work_out(w, value, &x)) return false;
        *out = mat_get(v->ctx, x, row, col);
        return true;
    default: return false;
    }
}

/* One irreducible constraint set? Linear constraints always; one non-linear constraint if it does
 * not factor. */
static bool irreducible(verification *v)
{
    size_t nonlinear = 0;
    for (size_t i = 0; i < v->model->constraints.count; i++) {
        const model_constraint *c = &v->model->constraints.at[i];
        if (c->order != MODEL_VELOCITY || c->linear) continue;
        algebra_factors f;
        ah_expr e = c->c;
        model_put_values(v->model, &e, 1);
        if (!algebra_factor(v->mech->alg, e, &f)) return false;
        size_t factors = 0;
        for (size_t j = 0; j < f.count; j++)
            if (expr_depends_kind(v->ctx, f.factor[j], AH_VELOCITY)) factors++;
        if (factors != 1 || ++nonlinear > 1) return false;
    }
    return true;
}

/* Relations that hold beside the chart: holonomic ones; without a chart the velocity constraints
 * too. */
static bool set_relations(verification *v, bool velocities)
{
    LIST(ah_expr) list = {0};
    for (size_t i = 0; i < v->model->constraints.count; i++) {
        const model_constraint *c = &v->model->constraints.at[i];
        if (c->order == MODEL_HOLONOMIC) LIST_PUSH(v->arena, &list, c->c);
        if (velocities && c->order != MODEL_ACCELERATION)
            LIST_PUSH(v->arena, &list, mat_get(v->ctx, v->mech->C, (uint32_t) i, 0));
    }
    model_put_values(v->model, list.at, list.count);
    return algebra_set_relations(v->mech->alg, list.at, list.count) || list.count == 0;
}

static bool prove_by(verification *v, work *w, const formalism *f, const trial *t, bool velocities)
{
    const char *why, *instead;
    const ah_equations *eq = w ? derive_equations(v->model, f, NULL, &why, &instead) : NULL;
    if (!eq) return false;
    ah_expr *value = NEW_ARRAY(v->arena, ah_expr, t->motion.count);
    for (size_t i = 0; i < t->motion.count; i++)
        if (!symbolic_value(v, w, eq, t->motion.at[i], &value[i])) return false;
    ah_expr e = t->difference;
    if (eq->substitutions) e = expr_subst(v->ctx, e, eq->substitutions, eq->from, eq->to);
    e = expr_subst(v->ctx, e, t->motion.count, t->motion.at, value);
    if (eq->substitutions) e = expr_subst(v->ctx, e, eq->substitutions, eq->from, eq->to);
    model_put_values(v->model, &e, 1);
    const bool related = set_relations(v, velocities);
    const ah_truth zero = related || !velocities ? algebra_zero(v->mech->alg, e) : AH_UNKNOWN;
    algebra_set_relations(v->mech->alg, NULL, 0);
    return zero == AH_TRUE;
}

bool claim_prove(verification *v, const trial *t)
{
    return (irreducible(v) && prove_by(v, v->chart_work, &claim_by_chart, t, false)) ||
           prove_by(v, v->plain_work, &claim_by_multipliers, t, true);
}
