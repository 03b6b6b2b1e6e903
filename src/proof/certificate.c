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
#include "certificate.h"

#include "../derive/derive.h"

#include <stdio.h>
#include <string.h>

#define CERTIFICATE_SECONDS 10.0  /* for one claim */
#define CERTIFICATE_TERMS   20000 /* of one polynomial */

typedef struct builder {
    ah_model *model;
    ah_ctx *ctx;
    arena *arena;
    mechanics *mech;
    certificate *out;
    ah_expr claim;
    bool motion, lambda; /* the claim names accelerations, multipliers */
    bool *inverse;       /* and W_b of these constraints */
    bool *column;        /* and these columns of B */
    LIST(ah_expr) unknown, row, given;
    size_t motion_rows;
} builder;

static const char *const not_linear =
    "accelerations that are not linear in the constraints are minima, not solutions of equations";

/* ---- Names ----------------------------------------------------------------------------------- */

static ah_expr derived(builder *b, const char *head, uint32_t i)
{
    return expr_symbol(b->ctx, AH_DERIVED, arena_printf(b->arena, "%s[%u]", head, i + 1));
}

static ah_expr inverse_symbol(builder *b, uint32_t constraint, uint32_t i)
{
    return expr_symbol(b->ctx, AH_DERIVED,
                       arena_printf(b->arena, "W[%u,%u]", constraint + 1, i + 1));
}

/* Σ_k x_k y_k */
typedef struct sum {
    LIST(ah_expr) terms;
} sum;

static void sum_add(builder *b, sum *s, ah_expr x, ah_expr y)
{
    LIST_PUSH(b->arena, &s->terms, expr_mul(b->ctx, x, y));
}

static ah_expr sum_end(builder *b, const sum *s)
{
    return expr_sum(b->ctx, s->terms.count, s->terms.at);
}

static ah_expr reaction(builder *b, uint32_t i)
{
    sum s = {0};
    for (uint32_t a = 0; a < b->mech->r; a++)
        sum_add(b, &s, derived(b, "lambda", a), mat_get(b->ctx, b->mech->J, a, i));
    return sum_end(b, &s);
}

static ah_expr gram(builder *b, uint32_t row, uint32_t col)
{
    sum s = {0};
    b->inverse[col] = true;
    for (uint32_t i = 0; i < b->mech->n; i++)
        sum_add(b, &s, mat_get(b->ctx, b->mech->J, row, i), inverse_symbol(b, col, i));
    return sum_end(b, &s);
}

static ah_expr reduced_mass(builder *b, uint32_t row, uint32_t col)
{
    sum s = {0};
    const mat Psi = b->mech->chart.Psi;
    for (uint32_t i = 0; i < b->mech->n; i++)
        for (uint32_t j = 0; j < b->mech->n; j++)
            sum_add(b, &s,
                    expr_mul(b->ctx, mat_get(b->ctx, Psi, i, row), mat_get(b->ctx, Psi, j, col)),
                    mat_get(b->ctx, b->mech->M, i, j));
    return sum_end(b, &s);
}

/* ω_μ = b v + c: the quasi-velocities as declared, then the constraints that they leave out. */
static ah_expr omega(builder *b, uint32_t mu)
{
    const size_t declared = b->model->quasivelocities.count;
    if (mu < declared) return b->model->quasivelocities.at[mu].definition;
    return mat_get(b->ctx, b->mech->C, mu - (uint32_t) declared, 0);
}

static ah_expr frame(builder *b, uint32_t mu, uint32_t nu)
{
    return expr_diff(b->ctx, omega(b, mu), b->model->v.at[nu]);
}

static ah_expr frame_inverse(builder *b, uint32_t row, uint32_t col)
{
    b->column[col] = true;
    return expr_symbol(b->ctx, AH_DERIVED, arena_printf(b->arena, "B[%u,%u]", row + 1, col + 1));
}

/* c_μ: what is left of ω_μ at rest. */
static ah_expr frame_drift(builder *b, uint32_t mu)
{
    ah_expr c = omega(b, mu);
    const ah_expr zero = expr_int(b->ctx, 0);
    for (uint32_t i = 0; i < b->mech->n; i++)
        c = expr_subst(b->ctx, c, 1, &b->model->v.at[i], &zero);
    return c;
}

static bool frame_is_linear(builder *b)
{
    const size_t declared = b->model->quasivelocities.count, n = b->mech->n;
    if (declared != n && declared + b->mech->r != n) return false;
    for (uint32_t mu = 0; mu < n; mu++)
        for (uint32_t nu = 0; nu < n; nu++)
            if (expr_depends_kind(b->ctx, frame(b, mu, nu), AH_VELOCITY)) return false;
    return true;
}

/* ∂b_μν/∂q_σ − ∂b_μσ/∂q_ν */
static ah_expr curl(builder *b, uint32_t mu, uint32_t nu, uint32_t sigma)
{
    return expr_sub(b->ctx, expr_diff(b->ctx, frame(b, mu, nu), b->model->q.at[sigma]),
                    expr_diff(b->ctx, frame(b, mu, sigma), b->model->q.at[nu]));
}

/* B_στ, or for time C_σ = −Σ_τ B_στ c_τ. */
static ah_expr direction(builder *b, uint32_t sigma, uint32_t tau)
{
    sum s = {0};
    if (tau < b->mech->n) return frame_inverse(b, sigma, tau);
    for (uint32_t k = 0; k < b->mech->n; k++) {
        const ah_expr c = frame_drift(b, k);
        if (!expr_is_zero(b->ctx, c))
            sum_add(b, &s, frame_inverse(b, sigma, k), expr_neg(b->ctx, c));
    }
    return sum_end(b, &s);
}

/* β_μ^{τρ} = Σ (∂b_μν/∂q_σ − ∂b_μσ/∂q_ν) B_στ B_νρ; for time (τ = n) with C_σ in place of B_στ and
 * Σ (∂b_μν/∂t − ∂c_μ/∂q_ν) B_νρ besides. */
static ah_expr transition(builder *b, uint32_t mu, uint32_t tau, uint32_t rho)
{
    sum s = {0};
    const uint32_t n = b->mech->n;
    for (uint32_t nu = 0; nu < n; nu++) {
        const ah_expr last = frame_inverse(b, nu, rho);
        for (uint32_t sigma = 0; sigma < n; sigma++) {
            const ah_expr a = curl(b, mu, nu, sigma);
            if (!expr_is_zero(b->ctx, a))
                sum_add(b, &s, expr_mul(b->ctx, a, direction(b, sigma, tau)), last);
        }
        if (tau < n) continue;
        sum_add(b, &s, expr_diff(b->ctx, frame(b, mu, nu), b->mech->t), last);
        sum_add(b, &s, expr_diff(b->ctx, frame_drift(b, mu), b->model->q.at[nu]),
                expr_neg(b->ctx, last));
    }
    return sum_end(b, &s);
}

/* The expression behind what the derivation makes; AH_NONE: it has none that can be written. */
static ah_expr meaning(builder *b, ah_expr symbol)
{
    const chart *c = &b->mech->chart;
    derived_ref d;
    if (!model_find_derived(b->model, symbol, &d)) return AH_NONE;
    switch (d.what) {
    case DERIVED_MASS: return mat_get(b->ctx, b->mech->M, d.index[0], d.index[1]);
    case DERIVED_G: return gram(b, d.index[0], d.index[1]);
    case DERIVED_GZ:
        b->out->chart = true;
        return c->kind == CHART_GIVEN ? reduced_mass(b, d.index[0], d.index[1]) : AH_NONE;
    case DERIVED_LAMBDA: return symbol;
    case DERIVED_REACTION: return reaction(b, d.index[0]);
    case DERIVED_BETA:
        if (d.index[2] >= b->mech->n || !frame_is_linear(b)) return AH_NONE;
        return transition(b, d.index[0], d.index[1], d.index[2]);
    default: return AH_NONE;
    }
}

/* What the claim is about decides about rows and unknowns. NULL, or why it cannot be written. */
static const char *look(builder *b)
{
    const expr_list symbols = expr_symbols(b->ctx, b->arena, &b->claim, 1);
    for (size_t i = 0; i < symbols.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(b->ctx, symbols.at[i]);
        if (kind == AH_JERK) return "it has derivatives of accelerations";
        if (kind == AH_ACCELERATION || kind == AH_SPEED_DOT) b->motion = true;
        if (kind == AH_SPEED || kind == AH_SPEED_DOT) b->out->chart = true;
        derived_ref d;
        if (model_find_derived(b->model, symbols.at[i], &d) && d.what == DERIVED_LAMBDA)
            b->motion = b->lambda = true;
    }
    return NULL;
}

static const char *put_names(builder *b)
{
    model_put_quasivelocities(b->model, &b->claim, 1);
    const expr_list symbols = expr_symbols(b->ctx, b->arena, &b->claim, 1);
    for (size_t i = 0; i < symbols.count; i++) {
        if (expr_get_kind(b->ctx, symbols.at[i]) != AH_DERIVED) continue;
        const ah_expr e = meaning(b, symbols.at[i]);
        derived_ref d;
        if (model_find_derived(b->model, symbols.at[i], &d) && d.what == DERIVED_OBJECT)
            return "what a method's worksheet calls its objects is not written";
        if (e == AH_NONE) return "it names what this system lacks";
        b->claim = expr_subst(b->ctx, b->claim, 1, &symbols.at[i], &e);
    }
    return look(b);
}

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
        sum_add(b, &s, mat_get(b->ctx, b->mech->M, i, j), b->model->a.at[j]);
    return expr_sub(b->ctx, sum_end(b, &s), mat_get(b->ctx, b->mech->L, i, 0));
}

static void motion_rows(builder *b)
{
    for (uint32_t i = 0; i < b->mech->n; i++)
        push_row(b, expr_sub(b->ctx, free_row(b, i), reaction(b, i)), ROW_MOTION, coordinate(b, i),
                 NULL);
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
            sum_add(b, &s, mat_get(b->ctx, b->mech->M, i, j), inverse_symbol(b, a, j));
        push_row(b, expr_sub(b->ctx, sum_end(b, &s), mat_get(b->ctx, b->mech->J, a, i)),
                 ROW_INVERSE, coordinate(b, i), label(b, a));
        LIST_PUSH(b->arena, &b->unknown, inverse_symbol(b, a, i));
    }
}

static void frame_rows(builder *b, uint32_t col)
{
    const uint32_t n = b->mech->n;
    for (uint32_t mu = 0; mu < n; mu++) {
        sum s = {0};
        for (uint32_t nu = 0; nu < n; nu++)
            sum_add(b, &s, frame(b, mu, nu), frame_inverse(b, nu, col));
        const char *of = arena_printf(b->arena, "%u,%u", mu + 1, col + 1);
        push_row(b, expr_sub(b->ctx, sum_end(b, &s), expr_int(b->ctx, mu == col)), ROW_FRAME, of,
                 NULL);
        LIST_PUSH(b->arena, &b->unknown, frame_inverse(b, mu, col));
    }
}

/* What W and B are. */
static void defining_rows(builder *b)
{
    for (uint32_t a = 0; a < b->mech->r; a++)
        if (b->inverse[a]) inverse_rows(b, a);
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
        LIST_PUSH(b->arena, &b->unknown, derived(b, "lambda", a));
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

static const algebra_fact *facts(builder *b)
{
    const size_t count = b->model->facts.count;
    algebra_fact *out = NEW_ARRAY(b->arena, algebra_fact, count);
    for (size_t i = 0; i < count; i++) {
        out[i] = b->model->facts.at[i];
        if (b->out->chart) put_chart(b, &out[i].e, 1);
        model_put_values(b->model, &out[i].e, 1);
    }
    return out;
}

static void put_all(builder *b, ah_expr *e, size_t count)
{
    if (b->out->chart) put_chart(b, e, count);
    model_put_values(b->model, e, count);
}

static void ask(builder *b)
{
    const char *why;
    const bool identically = b->out->claim->claim->identically;
    for (size_t a = 0; a < b->model->constraints.count && !identically; a++)
        if (b->model->constraints.at[a].order == MODEL_HOLONOMIC)
            push_given(b, b->model->constraints.at[a].c, ROW_POSITION, label(b, (uint32_t) a));
    put_all(b, &b->claim, 1);
    put_all(b, b->row.at, b->row.count);
    put_all(b, b->given.at, b->given.count);
    const bool branches = !b->out->chart && !b->mech->second_class;
    const size_t constraints = b->out->chart || b->given.count == 0 ? 0 : b->mech->r;
    b->out->fact = facts(b);
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
        .facts = b->model->facts.count,
        .fact = b->out->fact,
    };
    algebra *alg = b->mech->alg;
    algebra_set_bounds(alg, CERTIFICATE_SECONDS, CERTIFICATE_TERMS);
    b->out->why = proof_find(alg, &q, &b->out->proof, &why) ? NULL : why;
    algebra_set_bounds(alg, ALGEBRA_SECONDS, b->ctx->limits.terms);
}

static const char *build(builder *b)
{
    if (b->out->claim->claim->when) return "what its conditions say is not written";
    const char *why = put_names(b);
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
static const char *const not_a_distribution =
    "it is about constraints that are not linear and homogeneous in the velocities";

static bool is_about_directions(const model_statement *s)
{
    return s->says == SAYS_RANK || s->says == SAYS_HOLONOMIC || s->says == SAYS_NONHOLONOMIC ||
           s->says == SAYS_ACCESSIBLE || s->says == SAYS_GROWTH;
}

static bool is_about_stability(const model_statement *s)
{
    return s->says == SAYS_STABLE || s->says == SAYS_ATTRACTING || s->says == SAYS_UNSTABLE;
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
    if (claim->statement && claim->statement->says != SAYS_INTEGRAL) {
        out->why = is_about_directions(claim->statement)
                       ? look_at_directions(m, claim->statement, out)
                   : is_about_stability(claim->statement) ? signs_only
                                                          : not_an_equation;
        return;
    }
    builder b = {.model = m, .ctx = m->ctx, .arena = &m->ctx->job, .out = out};
    b.mech = derive_mechanics(m);
    b.inverse = NEW_ARRAY(b.arena, bool, b.mech->r + 1);
    b.column = NEW_ARRAY(b.arena, bool, b.mech->n);
    b.claim = expr_sub(m->ctx, claim->left, claim->right);
    out->why = build(&b);
}

void certificates_make(ah_model *m, const verify_answer *answer, certificates *out)
{
    *out = (certificates){.at = NEW_ARRAY(&m->ctx->job, certificate, answer->count)};
    for (size_t i = 0; i < answer->count; i++) {
        if (answer->at[i].verdict != VERDICT_PROVED || answer->at[i].claim->refute) continue;
        ctx_progress(m->ctx, (double) i / (double) answer->count);
        certify(m, &answer->at[i], &out->at[out->count]);
        out->written += out->at[out->count++].why == NULL;
    }
}
