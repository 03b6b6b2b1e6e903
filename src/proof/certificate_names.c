/* proof/certificate_names.c - what a claim names beside the state, in terms of the model and of the unknowns
 * λ, W = M⁻¹Jᵀ, X = W G⁻¹ and B = b⁻¹ (docs/formalisms/hamel.md, multipliers.md). */
#include "certificate_inside.h"

#include <assert.h>
#include <string.h>

/* ---- Names ----------------------------------------------------------------------------------- */

ah_expr certificate_inverse(builder *b, uint32_t constraint, uint32_t i)
{
    return expr_symbol(b->ctx, AH_DERIVED,
                       arena_printf(b->arena, "W[%u,%u]", constraint + 1, i + 1));
}

ah_expr certificate_lift(builder *b, uint32_t i, uint32_t constraint)
{
    b->lifted[constraint] = true;
    return expr_symbol(b->ctx, AH_DERIVED,
                       arena_printf(b->arena, "lift[%u,%u]", i + 1, constraint + 1));
}

ah_expr certificate_gram(builder *b, uint32_t row, uint32_t constraint)
{
    return expr_symbol(b->ctx, AH_DERIVED,
                       arena_printf(b->arena, "gram[%u,%u]", row + 1, constraint + 1));
}

void sum_add(builder *b, sum *s, ah_expr x, ah_expr y)
{
    LIST_PUSH(b->arena, &s->terms, expr_mul(b->ctx, x, y));
}

ah_expr sum_end(builder *b, const sum *s)
{
    return expr_sum(b->ctx, s->terms.count, s->terms.at);
}

ah_expr certificate_reaction(builder *b, uint32_t i)
{
    sum s = {0};
    for (uint32_t a = 0; a < b->mech->r; a++)
        sum_add(b, &s, model_lambda(b->mech->model, a), mat_get(b->ctx, b->mech->J, a, i));
    return sum_end(b, &s);
}

static ah_expr gram(builder *b, uint32_t row, uint32_t col)
{
    sum s = {0};
    b->inverse[col] = true;
    for (uint32_t i = 0; i < b->mech->n; i++)
        sum_add(b, &s, mat_get(b->ctx, b->mech->J, row, i), certificate_inverse(b, col, i));
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
                    mat_get(b->ctx, mechanics_mass(b->mech), i, j));
    return sum_end(b, &s);
}

/* ω_μ = b v + c: the quasi-velocities as declared, then the constraints that they leave out. */
static ah_expr omega(builder *b, uint32_t mu)
{
    const size_t declared = b->model->quasivelocities.count;
    if (mu < declared) return b->model->quasivelocities.at[mu].definition;
    return mat_get(b->ctx, b->mech->C, mu - (uint32_t) declared, 0);
}

ah_expr certificate_frame(builder *b, uint32_t mu, uint32_t nu)
{
    return expr_diff(b->ctx, omega(b, mu), b->model->v.at[nu]);
}

ah_expr certificate_frame_inverse(builder *b, uint32_t row, uint32_t col)
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

static bool frame_is_complete(builder *b)
{
    const size_t declared = b->model->quasivelocities.count, n = b->mech->n;
    return declared && (declared == n || declared + b->mech->r == n);
}

static bool frame_is_linear(builder *b)
{
    const size_t declared = b->model->quasivelocities.count, n = b->mech->n;
    if (declared != n && declared + b->mech->r != n) return false;
    for (uint32_t mu = 0; mu < n; mu++)
        for (uint32_t nu = 0; nu < n; nu++)
            if (expr_depends_kind(b->ctx, certificate_frame(b, mu, nu), AH_VELOCITY)) return false;
    return true;
}

/* ∂b_μν/∂q_σ − ∂b_μσ/∂q_ν */
static ah_expr curl(builder *b, uint32_t mu, uint32_t nu, uint32_t sigma)
{
    return expr_sub(b->ctx, expr_diff(b->ctx, certificate_frame(b, mu, nu), b->model->q.at[sigma]),
                    expr_diff(b->ctx, certificate_frame(b, mu, sigma), b->model->q.at[nu]));
}

/* B_στ, or for time C_σ = −Σ_τ B_στ c_τ. */
static ah_expr direction(builder *b, uint32_t sigma, uint32_t tau)
{
    sum s = {0};
    if (tau < b->mech->n) return certificate_frame_inverse(b, sigma, tau);
    for (uint32_t k = 0; k < b->mech->n; k++) {
        const ah_expr c = frame_drift(b, k);
        if (!expr_is_zero(b->ctx, c))
            sum_add(b, &s, certificate_frame_inverse(b, sigma, k), expr_neg(b->ctx, c));
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
        const ah_expr last = certificate_frame_inverse(b, nu, rho);
        for (uint32_t sigma = 0; sigma < n; sigma++) {
            const ah_expr a = curl(b, mu, nu, sigma);
            if (!expr_is_zero(b->ctx, a))
                sum_add(b, &s, expr_mul(b->ctx, a, direction(b, sigma, tau)), last);
        }
        if (tau < n) continue;
        sum_add(b, &s, expr_diff(b->ctx, certificate_frame(b, mu, nu), b->mech->t), last);
        sum_add(b, &s, expr_diff(b->ctx, frame_drift(b, mu), b->model->q.at[nu]),
                expr_neg(b->ctx, last));
    }
    return sum_end(b, &s);
}

/* ---- Objects of a method's worksheet --------------------------------------------------------- */

/* P_μ = Σ_ν B_νμ p_ν, and likewise of other columns. */
static ah_expr along(builder *b, mat x, uint32_t mu)
{
    sum s = {0};
    for (uint32_t nu = 0; nu < b->mech->n; nu++) {
        const ah_expr e = mat_get(b->ctx, x, nu, 0);
        if (!expr_is_zero(b->ctx, e)) sum_add(b, &s, certificate_frame_inverse(b, nu, mu), e);
    }
    return sum_end(b, &s);
}

static ah_expr momentum(builder *b, uint32_t mu, uint32_t unused)
{
    (void) unused;
    return along(b, b->mech->p, mu);
}

static ah_expr force(builder *b, uint32_t mu, uint32_t unused)
{
    (void) unused;
    return along(b, b->mech->K, mu);
}

static ah_expr plain_momentum(builder *b, uint32_t i, uint32_t unused)
{
    (void) unused;
    return mat_get(b->ctx, b->mech->p, i, 0);
}

/* Σ_σ (∂b_ρν/∂q_σ − ∂b_ρσ/∂q_ν) v_σ + ∂b_ρν/∂t − ∂c_ρ/∂q_ν: as Bω + C is v. */
static ah_expr transition_along(builder *b, uint32_t rho, uint32_t nu)
{
    sum s = {0};
    for (uint32_t sigma = 0; sigma < b->mech->n; sigma++)
        sum_add(b, &s, curl(b, rho, nu, sigma), b->model->v.at[sigma]);
    const ah_expr in_time = expr_diff(b->ctx, certificate_frame(b, rho, nu), b->mech->t);
    const ah_expr drift = expr_diff(b->ctx, frame_drift(b, rho), b->model->q.at[nu]);
    return expr_add(b->ctx, sum_end(b, &s), expr_sub(b->ctx, in_time, drift));
}

/* Σ_ρ P_ρ ( Σ_τ β_ρ^{τμ} ω_τ + β_ρ^{tμ} ), ρ from `first` to before `end`. */
static ah_expr momenta_turned(builder *b, uint32_t mu, uint32_t first, uint32_t end)
{
    sum s = {0};
    for (uint32_t rho = first; rho < end; rho++)
        for (uint32_t nu = 0; nu < b->mech->n; nu++) {
            const ah_expr e = transition_along(b, rho, nu);
            if (expr_is_zero(b->ctx, e)) continue;
            sum_add(b, &s, expr_mul(b->ctx, e, momentum(b, rho, 0)),
                    certificate_frame_inverse(b, nu, mu));
        }
    return sum_end(b, &s);
}

static ah_expr momentum_term(builder *b, uint32_t mu, uint32_t unused)
{
    (void) unused;
    return momenta_turned(b, mu, 0, b->mech->n);
}

/* ∂T/∂ϑ_μ = Σ_ν B_νμ ( ∂T/∂q_ν − Σ_ρ P_ρ ∂ω_ρ/∂q_ν ): ω is held fixed in it, on the right v. */
static ah_expr kinetic_slope(builder *b, uint32_t mu, uint32_t unused)
{
    sum s = {0};
    (void) unused;
    for (uint32_t nu = 0; nu < b->mech->n; nu++) {
        sum held = {0};
        for (uint32_t rho = 0; rho < b->mech->n; rho++)
            sum_add(b, &held, momentum(b, rho, 0),
                    expr_diff(b->ctx, omega(b, rho), b->model->q.at[nu]));
        const ah_expr T_q = expr_diff(b->ctx, b->mech->T, b->model->q.at[nu]);
        sum_add(b, &s, certificate_frame_inverse(b, nu, mu),
                expr_sub(b->ctx, T_q, sum_end(b, &held)));
    }
    return sum_end(b, &s);
}

static ah_expr gradient_entry(builder *b, uint32_t a, uint32_t i)
{
    return mat_get(b->ctx, b->mech->J, a, i);
}

static ah_expr gradient_up(builder *b, uint32_t i, uint32_t a)
{
    b->inverse[a] = true;
    return certificate_inverse(b, a, i);
}

/* π = X J */
static ah_expr projection_entry(builder *b, uint32_t i, uint32_t j)
{
    sum s = {0};
    for (uint32_t a = 0; a < b->mech->r; a++)
        sum_add(b, &s, certificate_lift(b, i, a), mat_get(b->ctx, b->mech->J, a, j));
    return sum_end(b, &s);
}

static ah_expr constraint_value(builder *b, uint32_t a, uint32_t unused)
{
    (void) unused;
    return mat_get(b->ctx, b->mech->C, a, 0);
}

static ah_expr drift_entry(builder *b, uint32_t a, uint32_t unused)
{
    (void) unused;
    return mat_get(b->ctx, b->mech->gamma, a, 0);
}

static ah_expr free_force(builder *b, uint32_t i, uint32_t unused)
{
    (void) unused;
    return mat_get(b->ctx, b->mech->L, i, 0);
}

static ah_expr mass_entry(builder *b, uint32_t i, uint32_t k)
{
    return mat_get(b->ctx, mechanics_mass(b->mech), i, k);
}

/* W = (Z; α), W⁻¹ = (Γ Θ) (docs/formalisms/boltzmann-hamel.md): the declared ω first, then the constraints. */
static uint32_t bound(builder *b, uint32_t a)
{
    return (uint32_t) b->model->quasivelocities.count + a;
}

static ah_expr bound_inverse(builder *b, uint32_t i, uint32_t a)
{
    return certificate_frame_inverse(b, i, bound(b, a));
}

/* Of one constraint it is a column. */
static ah_expr bound_column(builder *b, uint32_t i, uint32_t unused)
{
    (void) unused;
    return bound_inverse(b, i, 0);
}

static ah_expr bound_momentum(builder *b, uint32_t a, uint32_t unused)
{
    return momentum(b, bound(b, a), unused);
}

/* The parts of Σ_ρ P_ρ β_ρ ω with the declared ω_ρ, and with the constraints. */
static ah_expr free_term(builder *b, uint32_t mu, uint32_t unused)
{
    (void) unused;
    return momenta_turned(b, mu, 0, bound(b, 0));
}

static ah_expr bound_term(builder *b, uint32_t mu, uint32_t unused)
{
    (void) unused;
    return momenta_turned(b, mu, bound(b, 0), b->mech->n);
}

/* Γᵀ A Γ */
static ah_expr mass_of_frame(builder *b, uint32_t row, uint32_t col)
{
    sum s = {0};
    for (uint32_t i = 0; i < b->mech->n; i++)
        for (uint32_t j = 0; j < b->mech->n; j++) {
            const ah_expr A = mass_entry(b, i, j);
            if (expr_is_zero(b->ctx, A)) continue;
            sum_add(b, &s, expr_mul(b->ctx, A, certificate_frame_inverse(b, i, row)),
                    certificate_frame_inverse(b, j, col));
        }
    return sum_end(b, &s);
}

/* What an object needs: nothing, independent constraints, n quasi-velocities by declaration and constraints, such that are linear in the velocities, or
 * these with the free ones declared alone. */
/* ---- Velocity parameters: Ψ, d = ψ_q ψ + ψ_t, Z = Ψᵀ (L − M d), G = Ψᵀ M Ψ (docs/formalisms/parametric.md) -------- */

static ah_expr form_slope(builder *b, uint32_t i, uint32_t alpha)
{
    return mat_get(b->ctx, b->mech->chart.Psi, i, alpha);
}

static ah_expr form_drift(builder *b, uint32_t i, uint32_t unused)
{
    (void) unused;
    return mat_get(b->ctx, b->mech->chart.drift, i, 0);
}

/* Σ_i Ψ_iα x_i */
static ah_expr along_form(builder *b, mat x, uint32_t alpha)
{
    sum s = {0};
    for (uint32_t i = 0; i < b->mech->n; i++)
        sum_add(b, &s, form_slope(b, i, alpha), mat_get(b->ctx, x, i, 0));
    return sum_end(b, &s);
}

static ah_expr reduced_force(builder *b, uint32_t alpha, uint32_t unused)
{
    (void) unused;
    const mat bent = mat_mul(b->ctx, b->arena, mechanics_mass(b->mech), b->mech->chart.drift);
    return along_form(b, mat_sub(b->ctx, b->arena, b->mech->L, bent), alpha);
}

static ah_expr reduced_applied(builder *b, uint32_t alpha, uint32_t unused)
{
    (void) unused;
    return along_form(b, b->mech->K, alpha);
}

/* By Cramer's rule where there are at most two; AH_NONE: more. */
static ah_expr reduced_inverse(builder *b, uint32_t row, uint32_t col)
{
    ah_ctx *ctx = b->ctx;
    const uint32_t m = b->mech->chart.m;
    if (m > 2) return AH_NONE;
    const ah_expr first = reduced_mass(b, 0, 0);
    if (m == 1) return expr_div(ctx, expr_int(ctx, 1), first);
    const ah_expr mixed = reduced_mass(b, 0, 1), second = reduced_mass(b, 1, 1);
    const ah_expr D = expr_sub(ctx, expr_mul(ctx, first, second), expr_mul(ctx, mixed, mixed));
    return expr_div(ctx, row != col ? expr_neg(ctx, mixed) : row ? first : second, D);
}

typedef enum object_frame {
    PLAIN,
    CHARTED,
    INDEPENDENT,
    ANY_FRAME,
    FRAMED,
    FREE_FRAME
} object_frame;

/* Method, word, number of indices, whether a frame is needed, meaning. */
static const struct object {
    const char *method, *word;
    uint32_t indices;
    object_frame frame;
    ah_expr (*is)(builder *b, uint32_t i, uint32_t k);
} objects[] = {
    {"hamel", "p", 1, PLAIN, plain_momentum},
    {"hamel", "P", 1, FRAMED, momentum},
    {"hamel", "K_mu", 1, FRAMED, force},
    {"hamel", "G", 1, FRAMED, momentum_term},
    {"hamel", "dT_dvartheta", 1, FRAMED, kinetic_slope},
    {"hamel", "Q", 1, FREE_FRAME, bound_term},
    {"hamel", "S", 1, FREE_FRAME, free_term},
    {"hamel-nonlinear", "P", 1, ANY_FRAME, momentum},
    {"hamel-nonlinear", "K_mu", 1, ANY_FRAME, force},
    {"hamel-nonlinear", "df_dqdot", 2, ANY_FRAME, certificate_frame},
    {"hamel-nonlinear", "dF_domega", 2, ANY_FRAME, certificate_frame_inverse},
    {"multipliers", "C", 1, PLAIN, constraint_value},
    {"multipliers", "C", 2, PLAIN, gradient_entry},
    {"multipliers", "C_up", 2, PLAIN, gradient_up},
    {"multipliers", "X", 2, INDEPENDENT, certificate_lift},
    {"multipliers", "pi", 2, INDEPENDENT, projection_entry},
    {"multipliers", "gamma", 1, PLAIN, drift_entry},
    {"multipliers", "g", 2, PLAIN, mass_entry},
    {"multipliers", "L", 1, PLAIN, free_force},
    {"gauss", "L", 1, PLAIN, free_force},
    {"gauss", "J", 2, PLAIN, gradient_entry},
    {"gauss", "gamma", 1, PLAIN, drift_entry},
    {"boltzmann-hamel", "A", 2, PLAIN, mass_entry},
    {"boltzmann-hamel", "Z", 2, FREE_FRAME, certificate_frame},
    {"boltzmann-hamel", "Gamma", 2, FREE_FRAME, certificate_frame_inverse},
    {"boltzmann-hamel", "Theta", 2, FREE_FRAME, bound_inverse},
    {"boltzmann-hamel", "Theta", 1, FREE_FRAME, bound_column},
    {"boltzmann-hamel", "A_Gamma", 2, FREE_FRAME, mass_of_frame},
    {"boltzmann-hamel", "p", 1, PLAIN, plain_momentum},
    {"boltzmann-hamel", "P", 1, FREE_FRAME, momentum},
    {"boltzmann-hamel", "mu", 1, FREE_FRAME, bound_momentum},
    {"boltzmann-hamel", "X", 1, FREE_FRAME, bound_term},
    {"parametric", "g", 2, CHARTED, mass_entry},
    {"parametric", "L", 1, CHARTED, free_force},
    {"parametric", "Psi", 2, CHARTED, form_slope},
    {"parametric", "d", 1, CHARTED, form_drift},
    {"parametric", "G_up", 2, CHARTED, reduced_inverse},
    {"parametric", "Z", 1, CHARTED, reduced_force},
    {"gibbs-appell", "Psi", 2, CHARTED, form_slope},
    {"gibbs-appell", "d", 1, CHARTED, form_drift},
    {"gibbs-appell", "d2S_dzdot2", 2, CHARTED, reduced_mass},
    {"gibbs-appell", "A_alpha", 1, CHARTED, reduced_applied},
};

/* AH_NONE: that is not written. */
static ah_expr object_meaning(builder *b, derived_ref d)
{
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        const struct object *o = &objects[i];
        if (strcmp(o->method, d.method) || strcmp(o->word, d.word) || o->indices != d.indices)
            continue;
        const size_t declared = b->model->quasivelocities.count;
        if (o->frame == CHARTED && b->mech->chart.kind != CHART_GIVEN) return AH_NONE;
        if (o->frame == CHARTED) b->out->chart = true;
        if (o->frame == INDEPENDENT && b->mech->rank != b->mech->r) return AH_NONE;
        if (o->frame >= ANY_FRAME && !frame_is_complete(b)) return AH_NONE;
        if (o->frame > ANY_FRAME && !frame_is_linear(b)) return AH_NONE;
        if (o->frame == FREE_FRAME && declared + b->mech->r != b->mech->n) return AH_NONE;
        return o->is(b, d.index[0], d.index[1]);
    }
    return AH_NONE;
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* The expression behind what the derivation makes; AH_NONE: it has none that can be written. */
static ah_expr meaning(builder *b, ah_expr symbol, derived_ref d)
{
    const chart *c = &b->mech->chart;
    switch (d.what) {
    case DERIVED_MASS: return mat_get(b->ctx, mechanics_mass(b->mech), d.index[0], d.index[1]);
    case DERIVED_G: return gram(b, d.index[0], d.index[1]);
    case DERIVED_GZ:
        b->out->chart = true;
        return c->kind == CHART_GIVEN ? reduced_mass(b, d.index[0], d.index[1]) : AH_NONE;
    case DERIVED_LAMBDA: return symbol;
    case DERIVED_REACTION: return certificate_reaction(b, d.index[0]);
    case DERIVED_BETA:
        if (d.index[2] >= b->mech->n || !frame_is_linear(b)) return AH_NONE;
        return transition(b, d.index[0], d.index[1], d.index[2]);
    case DERIVED_OBJECT: return object_meaning(b, d);
    default: return AH_NONE;
    }
}

/* What the claim is about decides about rows and unknowns. */
static void look(builder *b)
{
    const expr_list symbols = expr_symbols(b->ctx, b->arena, &b->claim, 1);
    for (size_t i = 0; i < symbols.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(b->ctx, symbols.at[i]);
        if ((kind == AH_ACCELERATION || kind == AH_SPEED_DOT) && !b->model->kinematic)
            b->motion = true; /* inputs and their rates are free */
        if (kind == AH_SPEED || kind == AH_SPEED_DOT) b->out->chart = true;
        derived_ref lambda; /* no other name of the model's is left */
        if (model_find_derived(b->model, symbols.at[i], &lambda)) b->motion = b->lambda = true;
    }
}

const char *certificate_put_names(builder *b)
{
    model_put_quasivelocities(b->model, &b->claim, 1);
    const expr_list symbols = expr_symbols(b->ctx, b->arena, &b->claim, 1);
    for (size_t i = 0; i < symbols.count; i++) {
        if (expr_get_kind(b->ctx, symbols.at[i]) != AH_DERIVED) continue;
        derived_ref d = {0};
        const bool known = model_find_derived(b->model, symbols.at[i], &d);
        assert(known);
        (void) known;
        const ah_expr e = meaning(b, symbols.at[i], d);
        if (e == AH_NONE)
            return d.what == DERIVED_OBJECT ? "what this method's worksheet calls so is not written"
                                            : "it names what this system lacks";
        b->claim = expr_subst(b->ctx, b->claim, 1, &symbols.at[i], &e);
    }
    look(b);
    return NULL;
}
