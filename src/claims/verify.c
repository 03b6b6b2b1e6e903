/* claims/verify.c - claims about a system, tried at random states and then proved.
 *
 * A claim is left = right for all admissible states, the accelerations in it being those of the
 * motion. Random admissible states come first (claim_trial.c), then a proof is tried
 * (claim_proof.c). */
#include "claim.h"

#include <string.h>

/* What was seen at less than this share of the states asked for is not said to hold: the start alone may be too simple. */
enum { FEW = 10 };

static work *open_route(verification *v, const formalism *f)
{
    const char *why, *instead;
    const work_options options = {.values = true};
    const ah_equations *eq = derive_equations(v->model, f, NULL, &why, &instead);
    return eq ? work_create(eq, &options) : NULL;
}

static states **random_states(verification *v)
{
    const components *c = v->components;
    states **out = NEW_ARRAY(v->arena, states *, c->count + 1);
    if (!c->count) out[0] = analyse_states_create(v->where, v->arena);
    for (size_t i = 0; i < c->count; i++)
        out[i] = analyse_states_create_on(v->where, v->arena, &c->at[i]);
    return out;
}

void verify_choose_states(verification *v)
{
    v->enclosed = enclosed_create(v->where, v->arena);
    v->components = components_find(v->where);
    v->parts = random_states(v);
    v->random = v->parts[0];
    v->uneven = false;
    for (size_t i = 0; i < v->components->count || i == 0; i++)
        v->uneven = v->uneven || analyse_states_uneven(v->parts[i]);
}

verification *verify_open(ah_model *m, size_t wanted, uint64_t seed)
{
    verification *v = NEW(&m->ctx->job, verification);
    *v = (verification){
        .model = m, .ctx = m->ctx, .arena = &m->ctx->job, .states = wanted, .seed = seed};
    v->regular = v->defined = v->uniform = AH_UNKNOWN;
    v->mech = derive_mechanics(v->model);
    v->multipliers = eval_prepare(v->model, derive_find("multipliers"), NULL, v->arena);
    v->parametric = eval_prepare(v->model, derive_find("parametric"), NULL, v->arena);
    v->charted = eval_prepare(v->model, &derive_motion_by_chart, NULL, v->arena);
    v->plain = eval_prepare(v->model, &derive_motion_by_multipliers, NULL, v->arena);
    v->second_class = eval_prepare(v->model, derive_find("second-class"), NULL, v->arena);
    if (v->mech->tree && !m->quasivelocities.count) /* n³ coefficients, all of which vanish */
        v->hamel = (eval_method){.refused = "there are no quasi-velocities"};
    else
        v->hamel = eval_prepare(v->model, derive_find("hamel"), NULL, v->arena);
    if (!v->parametric.refused && v->mech->chart.psi.rows)
        v->chart_work = open_route(v, &derive_motion_by_chart);
    v->plain_work = open_route(v, &derive_motion_by_multipliers);
    v->branched = !v->second_class.refused && v->second_class.eq->branches;
    if (v->branched) branches_open(v);
    v->where = m;
    verify_choose_states(v);
    return v;
}

verification *verify_instance(verification *v, size_t i)
{
    if (!v->instance[i]) {
        ah_model *m = model_instance(v->model, v->seed + i, &v->says[i]);
        v->instance[i] = verify_open(m, v->states / VERIFY_INSTANCES + 1, v->seed + i);
    }
    return v->instance[i];
}

/* Of what is claimed of all functions: polynomials in their place. One of them may refute it. */
static void try_instances(verification *v, const model_claim *claim, verify_claim *out)
{
    for (size_t i = 0; i < VERIFY_INSTANCES && out->verdict != AH_VERDICT_FALSE; i++) {
        verify_instance(v, i);
        v->uneven = v->uneven || v->instance[i]->uneven;
        const model_claim own = model_claim_of(v->instance[i]->model, claim);
        const trial t = trial_prepare(v->instance[i], &own);
        const size_t seen = out->states;
        out->states = 0;
        trial_run(v->instance[i], &t, out);
        out->states += seen;
        if (out->verdict == AH_VERDICT_HOLDS) trial_closely(v->instance[i], &t, out);
        switches_doubt(v->instance[i], &t, &own, out);
        if (out->verdict == AH_VERDICT_FALSE)
            out->model = v->instance[i]->model,
            out->why = arena_printf(v->arena, "with %s", v->says[i]);
    }
}

/* A proof that needs the constraints, of sides in which no motion is. */
static bool needs_constraints(verification *v, const trial *t)
{
    ah_expr e = t->difference;
    model_put_values(v->model, &e, 1);
    return !v->when && !t->motion.count && algebra_zero(v->mech->alg, e) != AH_TRUE;
}

/* What is true wherever the sides exist says nothing if that is nowhere. */
static void doubt_existence(verification *v, const model_claim *claim, verify_claim *out)
{
    if (out->verdict != AH_VERDICT_PROVED && out->verdict != AH_VERDICT_HOLDS) return;
    const bool general = model_is_general(v->model);
    if (general) v = verify_instance(v, 0);
    const model_claim own = general ? model_claim_of(v->model, claim) : *claim;
    const trial t = trial_prepare(v, &own);
    if (t.unplaced || claim_is_defined(v, &t)) return;
    out->verdict = AH_VERDICT_UNKNOWN;
    out->on_constraints = false;
    out->why = "no state was found at which both sides exist for certain";
}

/* What is called constant, or the density of an invariant measure, keeps its value where something switches, too. */
static void doubt_jumps(verification *v, const model_claim *claim, verify_claim *out)
{
    const bool said = out->verdict == AH_VERDICT_PROVED || out->verdict == AH_VERDICT_HOLDS;
    const model_statement *s = claim->statement;
    const ah_expr kept = s && s->says == AH_SAYS_MEASURE ? s->e : claim->constant;
    const char *why = said && kept != AH_NONE ? claim_jumps(v, kept) : NULL;
    if (!why) return;
    out->verdict = AH_VERDICT_UNKNOWN;
    out->on_constraints = false;
    out->why = why;
}

/* A multiple of a constraint, or of the rate of a holonomic one: true at all admissible states, regular or not. */
static bool is_a_constraint(verification *v, const trial *t)
{
    const ah_model *m = v->model;
    if (t->motion.count || t->speeds.count) return false;
    for (uint32_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        ah_expr e[] = {t->difference, c->c,
                       c->order == MODEL_HOLONOMIC ? expr_dt(v->ctx, c->c) : c->c};
        model_put_values(v->model, e, 3);
        if (c->order == MODEL_ACCELERATION || algebra_zero(v->mech->alg, e[0]) != AH_FALSE)
            continue;
        if (algebra_is_multiple(v->mech->alg, e[0], e[1]) ||
            algebra_is_multiple(v->mech->alg, e[0], e[2]))
            return components_vanish_at_switches(v->model, v->mech->alg, e[0]);
    }
    return false;
}

/* H' = −∂L/∂t + F·v of a system without constraints, and T + V = H where T is homogeneous of the second degree: a proof that needs no
 * normal form of what is too long to have one. */
bool verify_keeps_energy(const verification *v, ah_expr e)
{
    ah_model *m = v->model;
    const mechanics *k = v->mech;
    const ah_expr L = expr_sub(v->ctx, m->T, m->V);
    const bool plain = e == model_energy(m) && expr_degree(v->ctx, m->T, AH_VELOCITY) == 2;
    if (!k->tree || (!plain && e != model_jacobi(m))) return false;
    if (v->when || m->constraints.count || m->speeds.count || m->kinematic) return false;
    for (uint32_t i = 0; i < m->n; i++)
        if (!expr_is_zero(v->ctx, m->F[i])) return false;
    return expr_is_zero(v->ctx, expr_diff(v->ctx, L, expr_time(v->ctx)));
}

void verify_equation(verification *v, const model_claim *claim, verify_claim *out)
{
    const trial t = trial_prepare(v, claim);
    const bool general = model_is_general(v->model);
    if (claim->constant != AH_NONE && verify_keeps_energy(v, claim->constant)) {
        out->verdict = AH_VERDICT_PROVED;
        doubt_existence(v, claim, out);
        doubt_jumps(v, claim, out);
        return;
    }
    if (is_a_constraint(v, &t)) {
        out->verdict = AH_VERDICT_PROVED;
        out->on_constraints = !v->when;
        out->at_all_states = true;
        doubt_existence(v, claim, out);
        if (!claim->statement) doubt_jumps(v, claim, out);
        return;
    }
    if (general)
        try_instances(v, claim, out);
    else
        trial_run(v, &t, out);
    if (out->verdict == AH_VERDICT_FALSE) return;
    const bool open = out->verdict == AH_VERDICT_HOLDS || general;
    /* where no state of a component has the motion of the whole, that proves nothing there */
    const bool moved = !t.motion.count || (general ? claim_has_one_rank(v) : !out->unseen);
    if (open && claim_prove(v, &t, moved)) {
        out->verdict = AH_VERDICT_PROVED;
        out->on_constraints = needs_constraints(v, &t);
        out->why = NULL;
    } else if (open && !general) {
        trial_closely(v, &t, out);
    }
    if (!general && out->verdict != AH_VERDICT_PROVED) switches_doubt(v, &t, claim, out);
    if (out->verdict == AH_VERDICT_HOLDS && out->states < v->states / FEW + 1) {
        out->verdict = AH_VERDICT_UNKNOWN;
        out->why = arena_printf(v->arena, "it was seen at %zu states only", out->states);
    }
    if (out->verdict == AH_VERDICT_HOLDS && out->unseen) {
        out->verdict = AH_VERDICT_UNKNOWN;
        out->why = arena_printf(v->arena, "too few regular states of the component %s were found",
                                out->unseen);
    }
    doubt_existence(v, claim, out);
    if (!claim->statement) doubt_jumps(v, claim, out);
}

ah_expr claim_unit_energy(ah_model *m)
{
    ah_expr *square = NEW_ARRAY(&m->ctx->job, ah_expr, m->n);
    for (uint32_t i = 0; i < m->n; i++) square[i] = expr_mul(m->ctx, m->v.at[i], m->v.at[i]);
    return expr_mul(m->ctx, expr_rational(m->ctx, 1, 2), expr_sum(m->ctx, m->n, square));
}

/* T without z' beside x' = z', say. */
static bool needs_its_constraints(verification *v)
{
    return !v->mech->tree && algebra_regular(v->mech->alg, mechanics_mass(v->mech)) == AH_FALSE;
}

/* The same system without its constraints: every state is one of its states. Quasi-velocities that only go with the
 * constraints are none of its own; claims go there by free_claim. */
static verification *unbound(verification *v)
{
    if (v->unbound) return v->unbound;
    ah_model *m = model_view(v->model, v->arena);
    memset(&m->constraints, 0, sizeof m->constraints);
    memset(&m->speeds, 0, sizeof m->speeds);
    memset(&m->psi, 0, sizeof m->psi);
    memset(&m->quasivelocities, 0, sizeof m->quasivelocities);
    if (m->kinematic || needs_its_constraints(v))
        m->T = claim_unit_energy(m); /* states are drawn of a system that moves */
    m->kinematic = false;
    return v->unbound = verify_open(m, v->states, v->seed);
}

static model_claim free_claim(verification *v, const model_claim *claim)
{
    return claim_mapped(v, claim, claim_expand);
}

/* The normal forms differ, or do not decide: a state at which both sides exist and differ. */
static void refute_identity(verification *v, const model_claim *claim, ah_truth zero,
                            verify_claim *out)
{
    const model_claim own = free_claim(v, claim);
    v = unbound(v);
    const trial t = trial_prepare(v, &own);
    if (trial_unbound(v, &t, out)) return;
    out->verdict = AH_VERDICT_UNKNOWN;
    out->why = zero == AH_FALSE
                   ? "the sides are not the same, but no state was found at which both "
                     "exist and differ"
                   : "the normal form does not decide it";
}

static bool speaks_of_motion(verification *v, const trial *t)
{
    for (size_t i = 0; i < t->motion.count; i++)
        if (expr_get_kind(v->ctx, t->motion.at[i]) == AH_DERIVED) return true;
    return false;
}

/* The sides as functions of coordinates, velocities and accelerations that nothing binds. */
static void verify_identity(verification *v, const model_claim *claim, verify_claim *out)
{
    const trial t = trial_prepare(v, claim);
    ah_expr e = t.difference;
    model_put_values(v->model, &e, 1);
    out->verdict = AH_VERDICT_UNKNOWN;
    out->why = "it speaks of the motion, which is not there without the constraints";
    if (speaks_of_motion(v, &t)) return;
    const ah_truth zero = algebra_zero(v->mech->alg, e);
    out->verdict = AH_VERDICT_PROVED;
    out->why = NULL;
    const bool asks = v->model->kinematic && v->model->needs.count; /* else the system was asked */
    const model_claim own = free_claim(v, claim);
    if (zero == AH_TRUE && (t.needs.count || asks)) doubt_existence(unbound(v), &own, out);
    if (zero == AH_TRUE) return;
    refute_identity(v, claim, zero, out);
    if (out->values && claim_prove(v, &t, true))
        out->why = "the sides agree on the constraints alone";
}

static void equation_or_identity(verification *v, const model_claim *claim, verify_claim *out)
{
    if (v->model->kinematic)
        claim_of_inputs(v, claim, out);
    else
        verify_equation(v, claim, out);
}

/* ---- Statements ------------------------------------------------------------------------------ */

/* What is the same number at all admissible states is no integral. */
static void judge_emptiness(const statement_question *q, verify_claim *out)
{
    if (out->verdict != AH_VERDICT_PROVED && out->verdict != AH_VERDICT_HOLDS) return;
    const ah_truth empty = statement_is_empty(q);
    const bool full = empty != AH_FALSE || statement_is_full(q);
    if (!full) out->general |= VERDICT_ANYTHING;
    if (empty == AH_FALSE) return;
    out->on_constraints = false;
    out->verdict = empty == AH_TRUE ? AH_VERDICT_FALSE : AH_VERDICT_UNKNOWN;
    out->why = empty == AH_TRUE
                   ? "the constraints alone keep it constant, whatever the motion is"
                   : "the constraints alone may keep it constant, whatever the motion is";
}

static bool driven(const ah_model *m)
{
    return model_has_inputs(m) && !m->kinematic;
}

/* Steady motions are those under the inputs that the model declares, and the words say so. */
static void verify_steady(const statement_question *all, verify_claim *out)
{
    statement_question q = *all;
    model_statement s = *all->s;
    const bool by_inputs = driven(all->model);
    if (by_inputs) {
        arena *a = &all->model->ctx->job;
        model_value *value = NEW_ARRAY(a, model_value, s.values + 1);
        q.model = model_driven(all->model);
        for (size_t i = 0; i < s.values; i++) {
            value[i] = s.value[i];
            model_put_bodies(q.model, &value[i].value, 1);
        }
        model_put_bodies(q.model, &s.e, 1);
        s.value = value;
        q.s = &s;
    }
    if (s.says == AH_SAYS_EQUILIBRIUM || s.says == AH_SAYS_STEADY)
        statement_of_motion(&q, out);
    else
        statement_of_stability(&q, out);
    if (!by_inputs || out->verdict == AH_VERDICT_UNKNOWN) return;
    out->why = arena_printf(&all->model->ctx->job, "%s%sunder the inputs as they are declared",
                            out->why ? out->why : "", out->why ? ", " : "");
}

/* (x' − y')(z' − y x') = 0 is integrable on one side and not on the other: where the constraints are not linear and could not be
 * taken apart, what was found at the states met is not known of all. */
static void doubt_parts(const verification *v, verify_claim *out)
{
    if (v->components->complete || out->verdict == AH_VERDICT_FALSE) return;
    for (size_t i = 0; i < v->model->constraints.count; i++) {
        const model_constraint *c = &v->model->constraints.at[i];
        if (c->order != MODEL_VELOCITY || c->linear) continue;
        out->verdict = AH_VERDICT_UNKNOWN;
        out->why = "the constraints could not be taken apart: their components may differ";
    }
}

/* Where none can prove it for all unspecified functions, one of them may refute it. */
static void refute_instances(verification *v, const model_claim *claim, const char *why,
                             verify_claim *out)
{
    out->verdict = AH_VERDICT_UNKNOWN;
    out->states = 0;
    out->why = why;
    for (size_t i = 0; i < VERIFY_INSTANCES; i++) {
        verification *own = verify_instance(v, i);
        const model_claim mapped = model_claim_of(own->model, claim);
        verify_claim there;
        verify_one(own, &mapped, &there);
        if (there.verdict != AH_VERDICT_FALSE) continue;
        *out = there;
        out->claim = claim;
        out->why = arena_printf(v->arena, "with %s", v->says[i]);
        return;
    }
}

/* Can all places be reached that the holonomic constraints leave? */
static bool all_reached(verification *v, const statement_question *q)
{
    const components *parts = parts_asked(v, q->s);
    bool all = parts->count < 2 && statement_reaches_all(q);
    if (parts->count < 2 || q->s->constraints || !kind_has_parts(v->model, v->components))
        return all;
    all = true;
    for (size_t i = 0; i < parts->count && all; i++) {
        const statement_question here = {kind_model_on(v->model, v->arena, &parts->at[i]), q->s,
                                         q->states, q->seed};
        all = statement_reaches_all(&here);
    }
    return all;
}

/* Who crosses such a place comes to others than those of either side, where there are others. */
static void doubt_sides(verification *v, const statement_question *q, verify_claim *out)
{
    const ah_expr at = claim_row_jump(v);
    if (at == AH_NONE || all_reached(v, q)) return;
    out->verdict = AH_VERDICT_UNKNOWN;
    out->why = arena_printf(v->arena, "a constraint may jump where %s = 0",
                            expr_text(v->ctx, v->arena, at, AH_ASCII));
}

static void verify_statement(verification *v, const model_claim *claim, verify_claim *out)
{
    const statement_question q = {v->model, claim->statement, v->states, v->seed};
    const components *parts;
    switch (claim->statement->says) {
    case AH_SAYS_INTEGRAL:
        equation_or_identity(v, claim, out);
        doubt_jumps(v, claim, out); /* sign(x') is constant by pieces: that is not one number */
        judge_emptiness(&q, out);
        return;
    case AH_SAYS_SINGULAR: claim_singular(v, claim, out); return;
    case AH_SAYS_SOLUTION: claim_solution(v, claim, out); return;
    case AH_SAYS_EQUILIBRIUM:
    case AH_SAYS_STEADY:
    case AH_SAYS_STABLE:
    case AH_SAYS_ATTRACTING:
    case AH_SAYS_UNSTABLE:
    case AH_SAYS_CHARACTERISTIC: verify_steady(&q, out); break;
    default:
        parts = parts_asked(v, claim->statement);
        if (parts->count < 2 && !parts_simplify(v)) {
            statement_of_kind(&q, out);
            doubt_parts(v, out);
        } else
            parts_judge(v, parts, claim->statement, out);
    }
    if (claim->statement->says == AH_SAYS_MEASURE) doubt_jumps(v, claim, out);
    if (claim->statement->says == AH_SAYS_ACCESSIBLE) doubt_sides(v, &q, out);
    const bool at_rest = claim->statement->says >= AH_SAYS_EQUILIBRIUM;
    const bool moves = at_rest || claim->statement->says == AH_SAYS_MEASURE;
    /* steady motions are those under the declared inputs, which are no functions to choose */
    const ah_model *asked = at_rest && driven(v->model) ? model_driven(v->model) : v->model;
    if (moves && out->verdict == AH_VERDICT_HOLDS && model_is_general(asked))
        refute_instances(v, claim,
                         "it holds with one choice of the unspecified functions: not known of all",
                         out);
}

const components *verify_components(const verification *v)
{
    return v->components;
}

/* Why nothing that is true of the states found is true of all regular ones; NULL: it may be. */
static const char *reason_to_doubt(verification *v, bool at_all_states)
{
    if (v->uneven && !at_all_states)
        return "the constraints lose rank, or nearly, at states met by chance: which are regular "
               "is "
               "not known";
    verification *of = model_is_general(v->model) ? verify_instance(v, 0) : v;
    if (!claim_system_is_defined(of))
        return "no state was found at which all exists for certain that the system's text names";
    if (claim_has_states(of)) return NULL;
    return of->components->count > 1
               ? "of some component of the constraint set no regular state was found"
               : "no regular state was found: where the constraints hold their gradients may "
                 "vanish";
}

/* The conditions are constraints on the states, too: `when a*y' = 0` is none for a = 0. */
static bool conditions_are_uniform(verification *v)
{
    ah_model *own = model_view(v->model, v->arena);
    own->facts = v->where->facts;
    return uniform_constraints(own, v->arena, v->mech->rank) &&
           uniform_constraints(v->where, v->arena, derive_mechanics(v->where)->rank);
}

/* Have the constraints one rank, whatever the free parameters are? */
static bool is_uniform(verification *v)
{
    if (v->uniform == AH_UNKNOWN)
        v->uniform = (v->when ? conditions_are_uniform(v)
                              : uniform_constraints(v->model, v->arena, v->mech->rank))
                         ? AH_TRUE
                         : AH_FALSE;
    return v->uniform == AH_TRUE;
}

/* Is it true whatever the constraints are, or said of steady motions, or of one of the constraints itself? */
static bool is_apart_from_rank(verification *v, const verify_claim *out)
{
    const model_claim *c = out->claim;
    if (c->statement && c->statement->says >= AH_SAYS_EQUILIBRIUM) return true; /* see claimed.c */
    if (c->statement) return false;
    if (out->at_all_states) return true;
    const trial t = trial_prepare(v, c);
    ah_expr e = t.difference;
    model_put_values(v->model, &e, 1);
    return !t.motion.count && algebra_zero(v->mech->alg, e) == AH_TRUE;
}

/* Is it said of directions, or of powers whose exponents are free? */
static bool may_be_special(verification *v, const model_claim *claim)
{
    const ah_says says = claim->statement ? claim->statement->says : AH_SAYS_EQUATION;
    return (says >= AH_SAYS_HOLONOMIC && says <= AH_SAYS_GROWTH) || special_has_exponents(v, claim);
}

/* True with letters for the free parameters: for special values there may be fewer constraints, a x' = a y' being none for
 * a = 0, and x^n exists at other x. */
static void doubt_values(verification *v, verify_claim *out)
{
    const bool proved = out->verdict == AH_VERDICT_PROVED;
    if (!proved && out->verdict != AH_VERDICT_HOLDS) return;
    if (!is_uniform(v) && !is_apart_from_rank(v, out)) out->general |= VERDICT_RANK;
    if (!out->general && (proved || !may_be_special(v, out->claim))) return;
    const bool of_states = !proved && (out->states || out->motions); /* and said of these alone */
    if (!special_refutes(v, out->claim, out) && out->general)
        (of_states && !(out->general & VERDICT_NAMED) ? special_doubt : special_settle)(v, out);
}

/* What is true on each component: with special values there may be others. */
static void doubt_components(verification *v, verify_claim *out)
{
    const bool said = out->verdict == AH_VERDICT_PROVED || out->verdict == AH_VERDICT_HOLDS;
    if (!said || uniform_components(v->model, v->arena)) return;
    out->general |= VERDICT_PARTS;
    if (!special_refutes(v, out->claim, out)) special_settle(v, out);
}

static void doubt(verification *v, verify_claim *out)
{
    doubt_values(v, out);
    const bool of_kind = out->claim->statement && !out->values;
    if (out->verdict == AH_VERDICT_UNKNOWN || (out->verdict == AH_VERDICT_FALSE && !of_kind))
        return;
    const char *why = reason_to_doubt(v, out->at_all_states);
    if (!why) return;
    out->verdict = AH_VERDICT_UNKNOWN;
    out->on_constraints = false;
    out->why = why;
}

/* NULL: *out says why there are no such states. */
static verification *under_conditions(verification *v, const model_claim *claim, verify_claim *out)
{
    if (!claim->when) return v;
    verification *own = when_open(v, claim->when, &out->why);
    if (!own) out->verdict = AH_VERDICT_UNKNOWN;
    if (own) out->model = own->model;
    return own;
}

void verify_one(verification *v, const model_claim *claim, verify_claim *out)
{
    *out = (verify_claim){.claim = claim, .model = form_forgotten(v, claim)->model};
    if (claim->when && model_is_general(v->model)) {
        refute_instances(v, claim,
                         "conditions are not put to systems with unspecified functions, and those "
                         "that were tried in their place do not refute it",
                         out);
        return;
    }
    if (claim->when && v->model->kinematic) {
        claim_of_inputs(v, claim, out);
        return;
    }
    verification *const with_form = v;
    v = form_forgotten(v, claim);
    verification *whole = v;
    v = under_conditions(v, claim, out);
    if (!v) return;
    if (v->components->none && !claim->identically) {
        out->verdict = AH_VERDICT_UNKNOWN;
        out->nowhere = true;
        out->why = arena_printf(v->arena, "there is no regular state: %s", v->components->why);
    } else if (claim->statement)
        verify_statement(v, claim, out);
    else if (claim->limit && claim->limit->from != AH_NONE)
        claim_along(v, claim, out);
    else if (claim->limit)
        claim_limit(v, claim, out);
    else if (claim->identically)
        verify_identity(v, claim, out);
    else
        equation_or_identity(v, claim, out);
    if (whole != with_form && out->verdict == AH_VERDICT_HOLDS && form_proves(with_form, claim))
        out->verdict = AH_VERDICT_PROVED;
    if (!claim->identically) doubt(v, out);
    if (out->verdict == AH_VERDICT_UNKNOWN && apart_speaks(whole, claim)) {
        apart_verify(whole, claim, out);
        const statement_question q = {v->model, claim->statement, v->states, v->seed};
        if (claim->statement) judge_emptiness(&q, out);
        if (out->general) doubt_values(v, out);
        doubt_components(whole, out);
    }
    out->pass = claim->refute
                    ? out->verdict == AH_VERDICT_FALSE
                    : out->verdict == AH_VERDICT_PROVED || out->verdict == AH_VERDICT_HOLDS;
}

void verify_run(ah_model *m, size_t wanted, uint64_t seed, verify_answer *out)
{
    *out = (verify_answer){.known = claim_objects_known(m)};
    if (!out->known) return;
    verification *v = verify_open(m, wanted, seed);
    out->count = m->claims.count;
    out->at = NEW_ARRAY(v->arena, verify_claim, out->count);
    out->pass = true;
    for (size_t i = 0; i < out->count; i++) {
        ctx_progress(m->ctx, (double) i / (double) out->count);
        verify_one(v, &m->claims.at[i], &out->at[i]);
        if (!out->at[i].pass) out->pass = false;
    }
}
