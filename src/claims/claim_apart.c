/* claims/claim_apart.c - claims on each component of the constraint set by itself.
 *
 * The rows as they are written may have another rank on each component: x'y' = y'z' = 0 has two on x' = z' = 0, one on
 * y' = 0. There the system is one whose constraints are the equations of the component, r_1 = … = r_k = 0:
 *
 *     the written rows vanish on it,   C = Σ w_i r_i   near a state at which no leading coefficient of the r_i does,
 *
 * so that their gradients are combinations of those of the r_i. Where k of them are independent both span the same
 * space, and reactions and accelerations are those of the system as it is written. */
#include "claim.h"
#include "../numeric/numeric.h"

#include <string.h>

struct claim_part {
    const component *component;
    size_t leads;
    const ah_expr *lead; /* leading coefficients of its equations */
    uint32_t rows, rank;
    const ah_expr *J; /* rows × n, of the system as it is written */
    expr_plan *plan;
    double *value;
};

/* ---- States ---------------------------------------------------------------------------------- */

static bool is_nonzero(const ball_frame *state, ah_expr e, slong bits)
{
    arb_t x;
    arb_init(x);
    expr_eval_balls(state, &e, 1, bits, x);
    const bool nonzero = arb_is_finite(x) && !arb_contains_zero(x);
    arb_clear(x);
    return nonzero;
}

/* Elimination in balls, k × k: a pivot that is not zero in every column. */
static bool is_regular(arb_ptr A, uint32_t k, arb_ptr factor, slong bits)
{
    for (uint32_t p = 0; p < k; p++) {
        uint32_t best = p;
        for (uint32_t i = p + 1; i < k; i++)
            if (arf_cmpabs(arb_midref(A + i * k + p), arb_midref(A + best * k + p)) > 0) best = i;
        for (uint32_t j = p; j < k; j++) arb_swap(A + p * k + j, A + best * k + j);
        arb_srcptr pivot = A + p * k + p;
        if (!arb_is_finite(pivot) || arb_contains_zero(pivot)) return false;
        for (uint32_t i = p + 1; i < k; i++) {
            arb_div(factor, A + i * k + p, pivot, bits);
            for (uint32_t j = p + 1; j < k; j++)
                arb_submul(A + i * k + j, factor, A + p * k + j, bits);
        }
    }
    return true;
}

/* As many of the written rows are independent as the component has equations: chosen in doubles, proved in balls. */
static bool has_rank(const verification *v, const frame *values, const ball_frame *state,
                     slong bits)
{
    const struct claim_part *part = v->part;
    arena *scratch = &v->ctx->scratch;
    const uint32_t n = v->model->n, k = part->rank;
    uint32_t *row = NEW_ARRAY(scratch, uint32_t, part->rows + 1);
    uint32_t *col = NEW_ARRAY(scratch, uint32_t, n + 1);
    double *A = NEW_ARRAY(scratch, double, (size_t) k *n + 1);
    expr_plan_run(part->plan, values, part->value);
    if (k == 0) return true;
    if (linear_row_rank(scratch, part->rows, n, part->value, row) < k) return false;
    for (uint32_t i = 0; i < k; i++)
        memcpy(A + (size_t) i * n, part->value + (size_t) row[i] * n, n * sizeof *A);
    linear_column_order(scratch, k, n, A, col);
    arb_ptr minor = ball_array(scratch, (size_t) k * k + 1);
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++)
            expr_eval_balls(state, &part->J[(size_t) row[i] * n + col[j]], 1, bits,
                            minor + (size_t) i * k + j);
    return is_regular(minor, k, minor + (size_t) k * k, bits);
}

bool apart_regular(const verification *v, const frame *values, const ball_frame *state, slong bits)
{
    if (!v->part) return true;
    for (size_t i = 0; i < v->part->leads; i++)
        if (!is_nonzero(state, v->part->lead[i], bits)) return false;
    return has_rank(v, values, state, bits);
}

/* ---- Systems --------------------------------------------------------------------------------- */

/* The written constraints, and the rates of holonomic ones, vanish modulo the component's equations. */
static bool rows_follow(verification *v, struct claim_part *part)
{
    const ah_model *m = v->model;
    const component *c = part->component;
    bool follow = algebra_set_relations(v->mech->alg, c->relation, c->relations) &&
                  algebra_leads(v->mech->alg, &part->leads, &part->lead);
    for (size_t i = 0; i < m->constraints.count && follow; i++) {
        ah_expr e[] = {m->constraints.at[i].c, expr_dt(v->ctx, m->constraints.at[i].c)};
        const bool place = m->constraints.at[i].order == MODEL_HOLONOMIC;
        model_put_values(v->model, e, 2);
        follow = algebra_zero(v->mech->alg, e[0]) == AH_TRUE &&
                 (!place || algebra_zero(v->mech->alg, e[1]) == AH_TRUE);
    }
    algebra_set_relations(v->mech->alg, NULL, 0);
    return follow;
}

static verification *open_part(verification *v, const component *c)
{
    struct claim_part *part = NEW(v->arena, struct claim_part);
    const mat rows = model_rows(v->model, v->arena);
    *part = (struct claim_part){.component = c, .rows = rows.rows};
    if (!rows_follow(v, part)) return NULL;
    part->J = mat_to_dense(v->ctx, v->arena, rows);
    part->rank = (uint32_t) (c->relations - c->places);
    part->plan = expr_plan_create(v->ctx, v->arena, part->J, (size_t) rows.rows * v->model->n);
    part->value = NEW_ARRAY(v->arena, double, (size_t) rows.rows * v->model->n + 1);
    ah_model *m = kind_model_on(v->model, v->arena, c);
    memset(&m->quasivelocities, 0, sizeof m->quasivelocities); /* made for another rank */
    verification *own = verify_open(m, v->states, v->seed);
    own->part = part;
    return own;
}

/* NULL: one of them could not be opened. */
static verification **open_parts(verification *v)
{
    const components *c = v->components;
    if (v->apart) return v->apart[0] ? v->apart : NULL;
    v->apart = NEW_ARRAY(v->arena, verification *, c->count);
    for (size_t i = c->count; i-- > 0;) {
        v->apart[i] = open_part(v, &c->at[i]);
        if (v->apart[i]) continue;
        v->apart[0] = NULL;
        return NULL;
    }
    return v->apart;
}

/* ---- Claims ---------------------------------------------------------------------------------- */

bool apart_counts_rows(verification *v, ah_expr e)
{
    int extra;
    uint32_t row, col;
    derived_ref d;
    const expr_list all = expr_symbols(v->ctx, v->arena, &e, 1);
    for (size_t i = 0; i < all.count; i++) {
        const ah_expr x = all.at[i];
        if (expr_get_kind(v->ctx, x) != AH_DERIVED) continue;
        const bool reaction = claim_locate(v, x, &extra, &row, &col) && extra == MOTION_REACTION;
        const bool mass = model_find_derived(v->model, x, &d) && d.what == DERIVED_MASS;
        if (!reaction && !mass) return true;
    }
    return false;
}

/* Sides in which nothing depends on how the constraints are written: no multipliers, no objects of methods. */
static bool is_invariant(verification *v, const model_claim *claim)
{
    const ah_expr sides[] = {claim->left, claim->right};
    for (int k = 0; k < 2; k++)
        if (sides[k] != AH_NONE &&
            (apart_counts_rows(v, sides[k]) || expr_depends_kind(v->ctx, sides[k], AH_JERK) ||
             expr_depends_kind(v->ctx, sides[k], AH_SPEED) ||
             expr_depends_kind(v->ctx, sides[k], AH_SPEED_DOT)))
            return false;
    return true;
}

/* The components are those of the declared values. And conditions in quasi-velocities would need these. */
static bool keeps_parameters(verification *v, const model_when *w)
{
    const ah_model *m = v->model;
    for (size_t i = 0; i < w->conditions; i++)
        for (size_t k = 0; k < m->parameters.count; k++)
            if (m->parameters.at[k].value != AH_NONE &&
                expr_depends(v->ctx, w->condition[i].e, m->parameters.at[k].symbol))
                return false;
    return !m->quasivelocities.count;
}

bool apart_speaks(verification *v, const model_claim *claim)
{
    const model_statement *s = claim->statement;
    if (v->part || v->branched || v->model->kinematic || model_is_general(v->model)) return false;
    if (claim->identically || (claim->when && !keeps_parameters(v, claim->when))) return false;
    if (claim->limit && (claim->limit->from != AH_NONE || claim_limit_binds(v, claim->limit)))
        return false;
    if (s && s->says != AH_SAYS_INTEGRAL) return false;
    return kind_has_parts(v->model, v->components) &&
           (v->components->count > 1 || parts_simplify(v)) && is_invariant(v, claim);
}

static model_claim as_equation(verification *v, const model_claim *claim)
{
    model_claim out = claim_mapped(v, claim, claim_expand);
    out.statement = NULL;
    return out;
}

/* No state of the component satisfies the conditions: none of those that its equations have, which are all where no
 * leading coefficient vanishes. */
static bool is_left_out(verification *part, const verify_claim *here)
{
    for (size_t i = 0; i < part->part->leads; i++)
        if (expr_get_op(part->ctx, part->part->lead[i]) != EXPR_NUMBER) return false;
    return here->nowhere;
}

void apart_verify(verification *v, const model_claim *claim, verify_claim *out)
{
    verification **part = open_parts(v);
    const model_claim equation = as_equation(v, claim);
    verify_claim all = {.claim = claim, .verdict = AH_VERDICT_PROVED, .model = v->model};
    size_t spoken = 0;
    if (!part) return;
    for (size_t i = 0; i < v->components->count; i++) {
        verify_claim here;
        const char *name = v->components->at[i].name;
        verify_one(part[i], &equation, &here);
        if (here.verdict == AH_VERDICT_FALSE) {
            *out = here;
            out->claim = claim;
            out->component = *name ? name : NULL;
            return;
        }
        if (is_left_out(part[i], &here)) continue;
        spoken++;
        const bool worse = here.verdict == AH_VERDICT_UNKNOWN && all.verdict != AH_VERDICT_UNKNOWN;
        if (worse || (claim->limit && here.why && !all.why)) /* proved where x does not vanish */
            all.why = *name ? arena_printf(v->arena, "on the component %s: %s", name, here.why)
                            : here.why;
        if (here.verdict == AH_VERDICT_UNKNOWN) all.verdict = AH_VERDICT_UNKNOWN;
        if (here.verdict == AH_VERDICT_HOLDS && all.verdict == AH_VERDICT_PROVED)
            all.verdict = AH_VERDICT_HOLDS;
        all.states += here.states;
        all.on_constraints = all.on_constraints || here.on_constraints;
    }
    if (spoken) *out = all;
}
