/* analyse/energy.c - what changes the energy.
 *
 *     H = v·∂L/∂v − L,      H' = −∂L/∂t + F·v + Σ λ_a w_a
 *
 * w_a = J_a·v of a constraint on velocities, −∂f/∂t of a holonomic one, (∂c/∂a)·v of one on
 * accelerations (docs/formalisms/common.md). On the constraint C = 0 of degree p in the velocities
 * w = J·v − p C, which vanishes where C is homogeneous, is −b for J v + b and 2c² for |v|² = c². */
#include "../model/model.h"
#include "../real/real.h"
#include "../state/state.h"
#include "energy.h"
#include "../claims/claims.h"

#include <float.h>
#include <math.h>

#define SECONDS 0.3 /* that one question to the algebra may take */
/* A power below this share of its terms is none. */
#define POWER_ZERO 1e-10

enum {
    STATES = 5, /* admissible ones, at which powers are looked at */
    TRIALS = 10 /* at which their sum is */
};

typedef struct balance {
    ah_model *m;
    ah_ctx *ctx;
    arena *arena;
    algebra *alg;
    const components *components;
    probe_states states; /* of all components */
    bool certain;        /* whatever was found to vanish does so by proof */
    LIST(ah_power) powers;
    ah_energy *out;
} balance;

/* ---- Does it vanish? ------------------------------------------------------------------------- */

/* Unknown where it overflows, or is so small that doubles have no such number. */
static ah_truth vanishes_in_numbers(balance *b, ah_expr e)
{
    double x, scale;
    bool tells = b->states.count > 0;
    model_put_samples(b->m, &e, 1);
    const expr_plan *plan = expr_plan_create(b->ctx, b->arena, &e, 1);
    for (size_t i = 0; i < b->states.count; i++) {
        expr_plan_run_scaled(plan, b->states.at[i], &x, &scale);
        if (!(fabs(x) <= POWER_ZERO * scale)) return AH_FALSE;
        tells = tells && isfinite(scale) && scale >= DBL_MIN;
    }
    return tells ? AH_TRUE : AH_UNKNOWN;
}

/* On the constraint set, if not everywhere. */
static bool vanishes(balance *b, ah_expr e)
{
    model_put_values(b->m, &e, 1);
    if (algebra_zero(b->alg, e) == AH_TRUE) return true;
    if (!b->states.admissible) return false;
    const ah_truth seen = vanishes_in_numbers(b, e);
    if (seen == AH_FALSE) return false;
    if (components_vanish(b->components, b->alg, e)) return true;
    b->certain = b->certain && seen != AH_TRUE;
    return seen == AH_TRUE;
}

static void add_power(balance *b, ah_power_kind kind, const char *label, ah_expr power)
{
    if (power != AH_NONE) power = algebra_simplify(b->alg, power);
    const ah_power p = {kind, label, power};
    LIST_PUSH(b->arena, &b->powers, p);
}

/* ---- The powers ------------------------------------------------------------------------------ */

static void explicit_time(balance *b)
{
    const ah_expr L = expr_sub(b->ctx, b->m->T, b->m->V);
    const ah_expr power = expr_neg(b->ctx, expr_diff(b->ctx, L, expr_time(b->ctx)));
    if (!vanishes(b, power)) add_power(b, AH_POWER_TIME, NULL, power);
}

/* Each by its coordinate, unless they do no work together. */
static void forces(balance *b)
{
    const ah_model *m = b->m;
    ah_expr *power = NEW_ARRAY(b->arena, ah_expr, m->n);
    for (uint32_t i = 0; i < m->n; i++) power[i] = expr_mul(b->ctx, m->F[i], m->v.at[i]);
    if (vanishes(b, expr_sum(b->ctx, m->n, power))) return;
    for (uint32_t i = 0; i < m->n; i++)
        if (!vanishes(b, power[i]))
            add_power(b, AH_POWER_FORCE, expr_get_name(b->ctx, m->q.at[i]), power[i]);
}

static ah_expr euler(balance *b, ah_expr e, const expr_list *by)
{
    arena *scratch = &b->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    ah_expr *x = NEW_ARRAY(scratch, ah_expr, b->m->n);
    size_t count = 0;
    expr_gradient(b->ctx, e, b->m->n, by->at, x);
    for (uint32_t i = 0; i < b->m->n; i++) /* of a long chain a constraint has a few */
        if (!expr_is_zero(b->ctx, x[i])) x[count++] = expr_mul(b->ctx, x[i], b->m->v.at[i]);
    const ah_expr sum = expr_sum(b->ctx, count, x);
    arena_release(scratch, mark);
    return sum;
}

/* J·v less p C, p the degree of C. */
static ah_expr velocity_work(balance *b, const model_constraint *c)
{
    const ah_expr power = euler(b, c->c, &b->m->v);
    const int degree = c->linear ? 1 : algebra_degree(b->alg, c->c, b->m->n, b->m->v.at);
    ah_expr p = expr_int(b->ctx, degree);
    if (degree < 0) p = algebra_homogeneity(b->alg, c->c, b->m->n, b->m->v.at);
    return p == AH_NONE ? power : expr_sub(b->ctx, power, expr_mul(b->ctx, p, c->c));
}

static void constraint_power(balance *b, uint32_t i)
{
    const model_constraint *c = &b->m->constraints.at[i];
    ah_power_kind kind = AH_POWER_MOVING;
    ah_expr w = AH_NONE;
    switch (c->order) {
    case MODEL_HOLONOMIC:
        kind = AH_POWER_MOVING;
        w = expr_neg(b->ctx, expr_diff(b->ctx, c->c, expr_time(b->ctx)));
        break;
    case MODEL_VELOCITY:
        kind = c->linear ? AH_POWER_AFFINE : AH_POWER_INHOMOGENEOUS;
        w = velocity_work(b, c);
        break;
    case MODEL_ACCELERATION:
        kind = AH_POWER_ACCELERATION;
        w = euler(b, c->c, &b->m->a);
        break;
    }
    if (vanishes(b, w)) return;
    const ah_expr lambda = model_multiplier(b->m, i, false);
    add_power(b, kind, c->label, expr_mul(b->ctx, lambda, algebra_simplify(b->alg, w)));
}

/* The reactions are orthogonal to the columns of Ψ: they do no work where the velocity is a
 * combination of these. */
static bool implied_are_workless(balance *b)
{
    ah_model *m = b->m;
    const mat Psi = mat_transpose(b->ctx, b->arena, model_psi_matrix(m, b->arena));
    const mat psi = mat_from_dense(b->ctx, b->arena, 1, m->n, m->psi.at);
    probe_matrix x = probe_matrix_create(m, b->arena, mat_stack(b->ctx, b->arena, Psi, psi));
    for (size_t i = 0; i < b->states.count; i++)
        if (!probe_matrix_run(&x, b->states.at[i]) ||
            probe_matrix_rank(b->ctx, &x, NULL) != m->speeds.count)
            return false;
    return b->states.count > 0;
}

/* ψ = Ψ z, the simplest reason. */
static bool is_linear_in_speeds(balance *b)
{
    const ah_model *m = b->m;
    for (uint32_t i = 0; i < m->n; i++) {
        ah_expr rest = m->psi.at[i];
        for (size_t k = 0; k < m->speeds.count; k++) {
            const ah_expr z = m->speeds.at[k].symbol;
            const ah_expr part = expr_mul(b->ctx, z, expr_diff(b->ctx, m->psi.at[i], z));
            rest = expr_sub(b->ctx, rest, part);
        }
        if (algebra_zero(b->alg, rest) != AH_TRUE) return false;
    }
    return true;
}

static void velocity_form(balance *b)
{
    bool written = false;
    for (size_t i = 0; i < b->m->constraints.count; i++)
        written = written || b->m->constraints.at[i].order != MODEL_ACCELERATION;
    if (!b->m->speeds.count || written || b->m->rank == 0) return;
    if (is_linear_in_speeds(b)) return;
    b->certain = false;
    if (!implied_are_workless(b)) add_power(b, AH_POWER_VELOCITY_FORM, NULL, AH_NONE);
}

/* ---- The sum --------------------------------------------------------------------------------- */

static void ask_the_motion(balance *b)
{
    model_claim *claim = NEW(b->arena, model_claim);
    verify_claim answer;
    claim->left = expr_dt(b->ctx, model_jacobi(b->m));
    claim->right = expr_int(b->ctx, 0);
    verify_one(verify_open(b->m, TRIALS, 1), claim, &answer);
    const ah_verdict v = answer.verdict;
    b->out->conserved = v == AH_VERDICT_FALSE     ? AH_FALSE
                        : v == AH_VERDICT_UNKNOWN ? AH_UNKNOWN
                                                  : AH_TRUE;
    b->out->proved = v == AH_VERDICT_PROVED;
}

/* Without constraints the powers are functions of the state alone, and their sum is what the algebra says. */
static bool decide_by_powers(balance *b)
{
    ah_expr sum = expr_int(b->ctx, 0);
    if (b->m->constraints.count || b->m->speeds.count || b->m->kinematic) return false;
    for (size_t i = 0; i < b->powers.count; i++) sum = expr_add(b->ctx, sum, b->powers.at[i].power);
    model_put_values(b->m, &sum, 1);
    if (model_is_general(b->m) || algebra_zero(b->alg, sum) == AH_UNKNOWN) return false;
    b->out->conserved = algebra_zero(b->alg, sum);
    b->out->proved = b->out->conserved == AH_TRUE && b->certain;
    return true;
}

/* H = T + V where T is homogeneous of the second degree. */
static bool is_plain(balance *b)
{
    const ah_expr T = b->m->T;
    if (expr_degree(b->ctx, T, AH_VELOCITY) == 2) return true;
    const ah_expr twice = expr_mul(b->ctx, expr_int(b->ctx, 2), T);
    return algebra_equal(b->alg, euler(b, T, &b->m->v), twice) == AH_TRUE;
}

/* A set that could not be taken apart may have components on which no state was met: what was found at states is
 * then not said of all of it. Linear rows have one component whatever their coefficients are. */
static bool may_miss_components(const balance *b)
{
    bool curved = false;
    for (size_t i = 0; i < b->m->constraints.count; i++) {
        const model_constraint *c = &b->m->constraints.at[i];
        curved = curved || (c->order == MODEL_VELOCITY && !c->linear);
    }
    return curved && !b->components->complete;
}

/* Has it a value at one of the states? 1/0 is no constant. */
static bool exists_there(balance *b)
{
    ah_expr H = model_jacobi(b->m);
    double x;
    model_put_samples(b->m, &H, 1);
    const expr_plan *plan = expr_plan_create(b->ctx, b->arena, &H, 1);
    for (size_t i = 0; i < b->states.count; i++) {
        expr_plan_run(plan, b->states.at[i], &x);
        if (isfinite(x)) return true;
    }
    return false;
}

/* Something in it that switches, or a pole beside functions? */
static bool may_jump(balance *b, ah_expr e)
{
    const expr_list nodes = expr_reachable(b->ctx, b->arena, &e, 1);
    bool pole = false, bent = false, jumps = false;
    for (size_t i = 0; i < nodes.count; i++) {
        const ah_expr x = nodes.at[i];
        const bool power = expr_get_op(b->ctx, x) == EXPR_POWER;
        const bool call = expr_get_op(b->ctx, x) == EXPR_CALL;
        const ah_function f = call ? expr_get_function(b->ctx, x) : AH_FUNCTIONS;
        long p = 0, q = 1;
        const bool rational =
            power && expr_is_rational(b->ctx, expr_get_children(b->ctx, x)[1], &p, &q);
        pole = pole || f == AH_TAN || (power && (!rational || p < 0));
        bent = bent || call || (power && q != 1);
        jumps = jumps || f == AH_SIGN || f == AH_ATAN2;
    }
    return jumps || (pole && bent);
}

static bool holds_switches(balance *b, ah_expr e)
{
    const expr_list nodes = expr_reachable(b->ctx, b->arena, &e, 1);
    for (size_t i = 0; i < nodes.count; i++) {
        if (expr_get_op(b->ctx, nodes.at[i]) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(b->ctx, nodes.at[i]);
        if (f == AH_SIGN || f == AH_ATAN2) return true;
    }
    return false;
}

/* Its rate vanishes where it has one; where a potential switches, it may jump, and where masses do. */
static void doubt_jumps(balance *b)
{
    const ah_expr H = model_jacobi(b->m), T = b->m->T;
    const bool masses = !b->m->kinematic && holds_switches(b, T);
    const bool doubtful = b->out->conserved == AH_TRUE && may_jump(b, H);
    b->out->jump = AH_NONE;
    if (!masses && !doubtful) return;
    verification *v = verify_open(b->m, TRIALS, 1);
    if (masses) b->out->jump = claim_jump(v, T);
    if (!doubtful || claim_jump(v, H) == AH_NONE) return;
    b->out->conserved = AH_UNKNOWN;
    b->out->proved = false;
}

static void find(ah_ctx *ctx, void *arg)
{
    balance *b = arg;
    if (!b->m->finished) ctx_raise(ctx, AH_E_INPUT); /* its errors are reported */
    b->m = model_of_all_velocities(b->m, false);
    b->ctx = ctx;
    b->arena = &ctx->job;
    b->alg = algebra_create(ctx, b->m->facts.at, b->m->facts.count);
    algebra_set_bounds(b->alg, SECONDS, ctx->limits.terms);
    b->components = components_find(b->m);
    b->states = analyse_states_of_components(b->m, b->arena, b->components, STATES);
    b->certain = true;
    b->out = NEW(b->arena, ah_energy);
    explicit_time(b);
    forces(b);
    velocity_form(b);
    for (uint32_t i = 0; i < b->m->constraints.count; i++) constraint_power(b, i);
    b->out->plain = is_plain(b);
    b->out->powers = b->powers.count;
    b->out->at = b->powers.at;
    b->out->conserved = AH_TRUE;
    b->out->proved = b->certain;
    if (b->powers.count && !decide_by_powers(b)) ask_the_motion(b);
    if (b->out->conserved == AH_TRUE && !b->out->proved && may_miss_components(b))
        b->out->conserved = AH_UNKNOWN;
    if (b->out->conserved == AH_TRUE && !exists_there(b)) ask_the_motion(b);
    doubt_jumps(b);
    if (b->components->none) b->out->conserved = AH_UNKNOWN, b->out->proved = false;
}

ah_status analyse_energy(ah_model *m, const ah_energy **out)
{
    balance b = {.m = m};
    const ah_status status = model_guard(m, find, &b);
    *out = status == AH_OK ? b.out : NULL;
    return status;
}
