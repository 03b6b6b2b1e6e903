/* proof/certificate.c - the equations of a model, put as the question that identities.c
 * answers.
 *
 * Without velocity parameters in the claim the states are (q, v, t), the unknowns a and λ:
 *
 *     M a − L − Jᵀλ = 0,   J a + γ = 0,   C = 0,   f = 0.
 *
 * With them v = ψ(q, z, t) and a = Ψ z' + drift are put in and the unknowns are z':
 * Ψᵀ(M a − L) = 0, or, where the claim names multipliers, z' and λ. G[a,b] is J_a·W_b with the
 * unknown M W_b = J_b, and β is made of the derivatives of ω = b v + c and the unknown B = b⁻¹
 * (docs/formalisms/hamel.md). */
#include "certificate_inside.h"
#include "../real/real.h"

#include <string.h>

#define CERTIFICATE_SECONDS 10.0  /* for one claim */
#define CERTIFICATE_TERMS   20000 /* of one polynomial */

static const char *const not_linear =
    "accelerations that are not linear in the constraints are minima, not solutions of equations";

/* ---- Rows ------------------------------------------------------------------------------------ */

static void push_row(builder *b, ah_expr e, certificate_row_kind is, const char *of,
                     const char *constraint)
{
    LIST_PUSH(b->arena, &b->row, e);
    LIST_PUSH(b->arena, &b->out->rows, ((certificate_row){is, of, constraint}));
}

static void push_given(builder *b, ah_expr e, certificate_row_kind is, const char *constraint)
{
    LIST_PUSH(b->arena, &b->given, e);
    LIST_PUSH(b->arena, &b->out->given, ((certificate_row){is, NULL, constraint}));
}

static const char *coordinate(const builder *b, uint32_t i)
{
    return expr_get_name(b->ctx, b->model->q.at[i]);
}

static const char *label(const builder *b, uint32_t a)
{
    return b->model->constraints.at[a].label;
}

/* M a − L without reactions. */
static ah_expr free_row(builder *b, uint32_t i)
{
    sum s = {0};
    for (uint32_t j = 0; j < b->mech->n; j++)
        sum_add(b, &s, mat_get(b->ctx, mechanics_mass(b->mech), i, j), b->model->a.at[j]);
    return expr_sub(b->ctx, sum_end(b, &s), mat_get(b->ctx, b->mech->L, i, 0));
}

static void motion_rows(builder *b)
{
    for (uint32_t i = 0; i < b->mech->n; i++)
        push_row(b, expr_sub(b->ctx, free_row(b, i), certificate_reaction(b, i)), ROW_MOTION,
                 coordinate(b, i), NULL);
}

static void reduced_rows(builder *b)
{
    for (uint32_t k = 0; k < b->mech->chart.m; k++) {
        sum s = {0};
        for (uint32_t i = 0; i < b->mech->n; i++)
            sum_add(b, &s, mat_get(b->ctx, b->mech->chart.Psi, i, k), free_row(b, i));
        push_row(b, sum_end(b, &s), ROW_REDUCED, b->model->speeds.at[k].name, NULL);
    }
}

static void inverse_rows(builder *b, uint32_t a)
{
    for (uint32_t i = 0; i < b->mech->n; i++) {
        sum s = {0};
        for (uint32_t j = 0; j < b->mech->n; j++)
            sum_add(b, &s, mat_get(b->ctx, mechanics_mass(b->mech), i, j),
                    certificate_inverse(b, a, j));
        push_row(b, expr_sub(b->ctx, sum_end(b, &s), mat_get(b->ctx, b->mech->J, a, i)),
                 ROW_INVERSE, coordinate(b, i), label(b, a));
        LIST_PUSH(b->arena, &b->unknown, certificate_inverse(b, a, i));
    }
}

static void frame_rows(builder *b, uint32_t col)
{
    const uint32_t n = b->mech->n;
    for (uint32_t mu = 0; mu < n; mu++) {
        sum s = {0};
        for (uint32_t nu = 0; nu < n; nu++)
            sum_add(b, &s, certificate_frame(b, mu, nu), certificate_frame_inverse(b, nu, col));
        const char *of = arena_printf(b->arena, "%u,%u", mu + 1, col + 1);
        push_row(b, expr_sub(b->ctx, sum_end(b, &s), expr_int(b->ctx, mu == col)), ROW_FRAME, of,
                 NULL);
        LIST_PUSH(b->arena, &b->unknown, certificate_frame_inverse(b, mu, col));
    }
}

/* M X = Jᵀ H and J X = 1, of one column: the matrix is that of the motion. */
static void lift_rows(builder *b, uint32_t a)
{
    const uint32_t n = b->mech->n, r = b->mech->r;
    for (uint32_t i = 0; i < n; i++) {
        sum s = {0};
        for (uint32_t j = 0; j < n; j++)
            sum_add(b, &s, mat_get(b->ctx, mechanics_mass(b->mech), i, j),
                    certificate_lift(b, j, a));
        for (uint32_t c = 0; c < r; c++)
            sum_add(b, &s, expr_neg(b->ctx, mat_get(b->ctx, b->mech->J, c, i)),
                    certificate_gram(b, c, a));
        push_row(b, sum_end(b, &s), ROW_LIFT, coordinate(b, i), label(b, a));
        LIST_PUSH(b->arena, &b->unknown, certificate_lift(b, i, a));
    }
    for (uint32_t c = 0; c < r; c++) {
        sum s = {0};
        for (uint32_t j = 0; j < n; j++)
            sum_add(b, &s, mat_get(b->ctx, b->mech->J, c, j), certificate_lift(b, j, a));
        push_row(b, expr_sub(b->ctx, sum_end(b, &s), expr_int(b->ctx, c == a)), ROW_UNIT,
                 arena_printf(b->arena, "%u,%u", c + 1, a + 1), NULL);
        LIST_PUSH(b->arena, &b->unknown, certificate_gram(b, c, a));
    }
}

/* What W, X and B are. */
static void defining_rows(builder *b)
{
    for (uint32_t a = 0; a < b->mech->r; a++)
        if (b->inverse[a]) inverse_rows(b, a);
    for (uint32_t a = 0; a < b->mech->r; a++)
        if (b->lifted[a]) lift_rows(b, a);
    for (uint32_t col = 0; col < b->mech->n; col++)
        if (b->column[col]) frame_rows(b, col);
    b->motion_rows = b->row.count;
}

static void acceleration_rows(builder *b)
{
    for (uint32_t a = 0; a < b->mech->r; a++) {
        sum s = {0};
        for (uint32_t i = 0; i < b->mech->n; i++)
            sum_add(b, &s, mat_get(b->ctx, b->mech->J, a, i), b->model->a.at[i]);
        push_row(b, expr_add(b->ctx, sum_end(b, &s), mat_get(b->ctx, b->mech->gamma, a, 0)),
                 ROW_ACCELERATION, NULL, label(b, a));
    }
}

static void push_unknowns(builder *b, size_t count, const ah_expr *symbol)
{
    for (size_t i = 0; i < count; i++) LIST_PUSH(b->arena, &b->unknown, symbol[i]);
}

static void push_multipliers(builder *b)
{
    for (uint32_t a = 0; a < b->mech->r; a++)
        LIST_PUSH(b->arena, &b->unknown, model_lambda(b->mech->model, a));
}

static void plain_rows(builder *b)
{
    if (b->motion) {
        push_unknowns(b, b->mech->n, b->model->a.at);
        motion_rows(b);
    }
    defining_rows(b);
    if (b->motion) {
        push_multipliers(b);
        acceleration_rows(b);
    }
    for (uint32_t a = 0; a < b->mech->r; a++)
        push_given(b, mat_get(b->ctx, b->mech->C, a, 0), ROW_VELOCITY, label(b, a));
}

static void chart_rows(builder *b)
{
    if (b->motion) {
        const ah_expr *zdot = mat_to_dense(b->ctx, b->arena, b->mech->chart.zdot);
        push_unknowns(b, b->mech->chart.m, zdot);
        if (b->lambda)
            push_multipliers(b), motion_rows(b);
        else
            reduced_rows(b);
    }
    defining_rows(b);
}

/* v → ψ, a → Ψ z' + drift. */
static void put_chart(builder *b, ah_expr *e, size_t count)
{
    const chart *c = &b->mech->chart;
    const mat a = mat_add(b->ctx, b->arena, mat_mul(b->ctx, b->arena, c->Psi, c->zdot), c->drift);
    const ah_expr *rate = mat_to_dense(b->ctx, b->arena, a);
    const ah_expr *psi = mat_to_dense(b->ctx, b->arena, c->psi);
    expr_subst_all(b->ctx, e, count, b->mech->n, b->model->a.at, rate);
    expr_subst_all(b->ctx, e, count, b->mech->n, b->model->v.at, psi);
}

/* ---- The question ---------------------------------------------------------------------------- */

/* What has a value under the claim's conditions. */
static void put_conditions(builder *b, ah_expr *e, size_t count)
{
    const model_when *w = b->out->claim->claim->when;
    for (size_t i = 0; w && i < w->values; i++)
        expr_subst_all(b->ctx, e, count, 1, &w->value[i].symbol, &w->value[i].value);
}

static void put_all(builder *b, ah_expr *e, size_t count)
{
    put_conditions(b, e, count);
    if (b->out->chart) put_chart(b, e, count);
    model_put_values(b->model, e, count);
}

/* The model's assumptions, then the claim's. */
static const algebra_fact *facts(builder *b, size_t *count)
{
    const model_when *w = b->out->claim->claim->when;
    const size_t own = b->model->facts.count;
    *count = own + (w ? w->conditions : 0);
    algebra_fact *out = NEW_ARRAY(b->arena, algebra_fact, *count + 1);
    for (size_t i = 0; i < *count; i++) {
        out[i] = i < own ? b->model->facts.at[i] : w->condition[i - own];
        put_all(b, &out[i].e, 1);
    }
    return out;
}

static void condition_rows(builder *b)
{
    const model_when *w = b->out->claim->claim->when;
    for (size_t i = 0; w && i < w->equations; i++) {
        LIST_PUSH(b->arena, &b->given, w->equation[i]);
        LIST_PUSH(b->arena, &b->out->given,
                  ((certificate_row){ROW_CONDITION, arena_printf(b->arena, "%zu", i + 1), NULL}));
    }
}

/* Then the slopes of the rows are not J. */
static bool puts_velocities(const builder *b)
{
    const model_when *w = b->out->claim->claim->when;
    for (size_t i = 0; w && i < w->values; i++)
        if (expr_get_kind(b->ctx, w->value[i].symbol) == AH_VELOCITY) return true;
    return false;
}

/* Has a component fewer equations than another, as y = 0 beside x = z = 0? On it the minors of the general rank vanish. */
static bool has_other_ranks(const builder *b)
{
    const components *all = components_find(b->model);
    for (size_t i = 1; i < all->count; i++)
        if (all->at[i].relations != all->at[0].relations) return true;
    return false;
}

static void ask(builder *b)
{
    const char *why;
    const bool identically = b->out->claim->claim->identically;
    for (size_t a = 0; a < b->model->constraints.count && !identically; a++)
        if (b->model->constraints.at[a].order == MODEL_HOLONOMIC)
            push_given(b, b->model->constraints.at[a].c, ROW_POSITION, label(b, (uint32_t) a));
    condition_rows(b);
    put_all(b, &b->claim, 1);
    put_all(b, b->row.at, b->row.count);
    put_all(b, b->given.at, b->given.count);
    const bool branches = !b->out->chart && !b->mech->second_class;
    const size_t constraints = b->out->chart || b->given.count == 0 ? 0 : b->mech->r;
    size_t assumed;
    b->out->fact = facts(b, &assumed);
    const proof_question q = {
        .claim = b->claim,
        .unknowns = b->unknown.count,
        .unknown = b->unknown.at,
        .rows = b->row.count,
        .row = b->row.at,
        .motion = b->motion_rows,
        .given = b->given.count,
        .given_zero = b->given.at,
        .constraints = constraints,
        .velocities = b->mech->n,
        .rank = branches ? b->mech->rank : constraints,
        .velocity = b->model->v.at,
        .facts = assumed,
        .fact = b->out->fact,
        .no_minors = puts_velocities(b) || has_other_ranks(b),
        .uneven = has_other_ranks(b),
    };
    const bool when = b->out->claim->claim->when;
    algebra *alg = when ? algebra_create(b->ctx, b->out->fact, assumed) : b->mech->alg;
    algebra_set_bounds(alg, CERTIFICATE_SECONDS, CERTIFICATE_TERMS);
    b->out->why = proof_find(alg, &q, &b->out->proof, &why) ? NULL : why;
    algebra_set_bounds(alg, ALGEBRA_SECONDS, b->ctx->limits.terms);
}

/* A parameter that a relation names is free, whatever its value. */
static bool frees_parameters(const builder *b)
{
    const model_when *w = b->out->claim->claim->when;
    for (size_t i = 0; w && i < w->conditions; i++)
        for (size_t k = 0; k < b->model->parameters.count; k++)
            if (b->model->parameters.at[k].value != AH_NONE &&
                expr_depends(b->ctx, w->condition[i].e, b->model->parameters.at[k].symbol))
                return true;
    return false;
}

/* sign(p) in a constraint: for p = 0 it is another one, of which no row says anything. */
static bool has_switched_rows(const builder *b)
{
    const ah_model *m = b->model;
    expr_list rows = {0};
    for (size_t i = 0; i < m->constraints.count; i++)
        LIST_PUSH(&b->ctx->scratch, &rows, m->constraints.at[i].c);
    model_put_values(b->model, rows.at, rows.count);
    const expr_list nodes = expr_reachable(b->ctx, &b->ctx->scratch, rows.at, rows.count);
    for (size_t i = 0; i < nodes.count; i++) {
        if (expr_get_op(b->ctx, nodes.at[i]) != EXPR_CALL ||
            expr_get_function(b->ctx, nodes.at[i]) != AH_SIGN)
            continue;
        const ah_expr u = expr_get_children(b->ctx, nodes.at[i])[0];
        if (expr_is_fixed(b->ctx, u) && !algebra_never_zero(b->mech->alg, u)) return true;
    }
    return false;
}

/* A family of the model's that is called as the unknowns of proofs are. */
static bool has_name_of_unknown(const builder *b)
{
    static const char *const unknown[] = {"lambda[", "W[", "B[", "lift[", "gram["};
    expr_list symbols = {0};
    const ah_model *m = b->model;
    for (size_t i = 0; i < m->parameters.count; i++)
        LIST_PUSH(b->arena, &symbols, m->parameters.at[i].symbol);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(b->arena, &symbols, m->q.at[i]);
    for (size_t i = 0; i < m->speeds.count; i++)
        LIST_PUSH(b->arena, &symbols, m->speeds.at[i].symbol);
    for (size_t i = 0; i < symbols.count; i++)
        for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++)
            if (!strncmp(expr_get_name(b->ctx, symbols.at[i]), unknown[k], strlen(unknown[k])))
                return true;
    return false;
}

static const char *build(builder *b)
{
    if (has_name_of_unknown(b))
        return "the model has a family that is called as unknowns of proofs are";
    if (has_switched_rows(b))
        return "what the constraints are where a parameter switches them is not written";
    if (frees_parameters(b)) return "its conditions make parameters free that have values";
    if (b->model->kinematic && b->out->claim->claim->when)
        return "conditions on the inputs of a kinematic model are not written";
    if (b->out->claim->claim->limit) return "how its sides tend to their limits is not written";
    const char *why = certificate_put_names(b);
    if (why) return why;
    if (b->mech->second_class_nonlinear) return not_linear;
    const bool parametric = b->mech->chart.kind == CHART_GIVEN;
    if (b->out->chart && !parametric) return "it names speeds that the model does not define";
    if (parametric && b->mech->r == 0)
        b->out->chart = true; /* the form stands for the constraints */
    if (b->out->claim->claim->identically)
        defining_rows(b); /* nothing that holds at states alone */
    else if (b->out->chart)
        chart_rows(b);
    else
        plain_rows(b);
    if (b->out->chart && b->unknown.count != b->row.count)
        return "the multipliers are not determined";
    ask(b);
    return b->out->why;
}

static const char *const not_an_equation =
    "it is no equation: how it is known is said in the verdict";
static const char *const signs_only =
    "the signs of Routh's and Hurwitz's conditions are not written, and not checked";
static const char *const by_values =
    "it was proved for general values of the parameters, and for special ones one by one";
static const char *const not_a_distribution =
    "it is about constraints that are not linear and homogeneous in the velocities";

static bool is_about_directions(const model_statement *s)
{
    return s->says == AH_SAYS_RANK || s->says == AH_SAYS_HOLONOMIC ||
           s->says == AH_SAYS_NONHOLONOMIC || s->says == AH_SAYS_ACCESSIBLE ||
           s->says == AH_SAYS_GROWTH;
}

static bool is_about_stability(const model_statement *s)
{
    return s->says == AH_SAYS_STABLE || s->says == AH_SAYS_ATTRACTING ||
           s->says == AH_SAYS_UNSTABLE;
}

/* a(q)·q' = 0, all that are named: then the directions at a place decide. */
static const char *look_at_directions(ah_model *m, const model_statement *s, certificate *out)
{
    const size_t count = s->constraints ? s->constraints : m->constraints.count;
    for (size_t i = 0; i < count; i++) {
        const model_constraint *c = &m->constraints.at[s->constraints ? s->constraint[i] : i];
        if (c->order != MODEL_VELOCITY || !c->linear || c->affine || c->rheonomic)
            return not_a_distribution;
    }
    out->place = true;
    return count ? NULL : not_a_distribution;
}

static void certify(ah_model *m, const verify_claim *c, certificate *out)
{
    const model_claim *claim = c->claim;
    *out = (certificate){.claim = c};
    out->why = c->by_values ? by_values : NULL;
    if (out->why) return;
    if (claim->statement && claim->statement->says != AH_SAYS_INTEGRAL) {
        out->why = is_about_directions(claim->statement)
                       ? look_at_directions(m, claim->statement, out)
                   : is_about_stability(claim->statement) ? signs_only
                                                          : not_an_equation;
        return;
    }
    builder b = {.model = m, .ctx = m->ctx, .arena = &m->ctx->job, .out = out};
    b.mech = derive_mechanics(m);
    b.inverse = NEW_ARRAY(b.arena, bool, b.mech->r + 1);
    b.lifted = NEW_ARRAY(b.arena, bool, b.mech->r + 1);
    b.column = NEW_ARRAY(b.arena, bool, b.mech->n);
    b.claim = expr_sub(m->ctx, claim->left, claim->right);
    out->why = build(&b);
}

void certificates_make(ah_model *m, const verify_answer *answer, certificates *out)
{
    *out = (certificates){.at = NEW_ARRAY(&m->ctx->job, certificate, answer->count)};
    for (size_t i = 0; i < answer->count; i++) {
        if (answer->at[i].verdict != AH_VERDICT_PROVED || answer->at[i].claim->refute) continue;
        ctx_progress(m->ctx, (double) i / (double) answer->count);
        certify(m, &answer->at[i], &out->at[out->count]);
        out->written += out->at[out->count++].why == NULL;
    }
}
