/* motion/motion_state.c - a motion's state as a point. */
#include "motion_state.h"

#include "motion_run.h"
#include "motion_charts.h"
#include "motion_dae.h"
#include "motion_pivots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Derivatives of more operations than this are left to differences. */
#define LARGEST_JACOBIAN 200000
/* Nobody having asked for it, the Taylor method is prepared from this tolerance on, and for
 * equations that are compiled in few milliseconds. */
#define TAYLOR_BELOW      1e-8
#define TAYLOR_OPERATIONS 1000

/* ---- Making ---------------------------------------------------------------------------------- */

static ah_expr *rates_of(ah_ctx *ctx, arena *a, const ah_expr *e, size_t count)
{
    ah_expr *out = NEW_ARRAY(a, ah_expr, count + 1);
    for (size_t i = 0; i < count; i++) out[i] = expr_dt(ctx, e[i]);
    return out;
}

static ah_expr *definitions(const ah_model *m, arena *a)
{
    ah_expr *out = NEW_ARRAY(a, ah_expr, m->quasivelocities.count + 1);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        out[i] = m->quasivelocities.at[i].definition;
    return out;
}

bool motion_state_has_rate(ah_ctx *ctx, ah_expr e)
{
    return !expr_depends_kind(ctx, e, AH_DERIVED) && !expr_depends_kind(ctx, e, AH_SPEED_DOT) &&
           !expr_depends_kind(ctx, e, AH_ACCELERATION);
}

void motion_state_declare(ah_model *m, const eval_method *method)
{
    ah_ctx *ctx = m->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    arena *a = &ctx->scratch;
    if (method->eq) rates_of(ctx, a, method->eq->to, method->eq->substitutions);
    rates_of(ctx, a, definitions(m, a), m->quasivelocities.count);
    for (size_t i = 0; i < m->speeds.count; i++) expr_dot(ctx, m->speeds.at[i].symbol);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        expr_dot(ctx, m->quasivelocities.at[i].symbol);
    for (size_t i = 0; i < m->events.count; i++)
        if (motion_state_has_rate(ctx, m->events.at[i].e)) expr_dt(ctx, m->events.at[i].e);
    arena_release(a, mark);
}

bool motion_find_derived(const point *p, ah_expr symbol, motion_derived *out)
{
    derived_ref d;
    if (!model_find_derived(p->model, symbol, &d)) return false;
    *out = (motion_derived){symbol, d.what, d.index[0], AH_NONE};
    if (d.what == DERIVED_LAMBDA || d.what == DERIVED_REACTION) return true;
    out->what = DERIVED_MASS;
    return derive_formula(p->mech, symbol, &out->formula);
}

/* The names of outputs, events and constants that the derivation makes. */
static void list_derived(motion_state *s, expr_list asked)
{
    const ah_model *m = s->p->model;
    arena *a = s->p->arena;
    expr_list all = {0};
    for (size_t i = 0; i < asked.count; i++) LIST_PUSH(a, &all, asked.at[i]);
    for (size_t i = 0; i < m->outputs.count; i++) LIST_PUSH(a, &all, m->outputs.at[i].e);
    for (size_t i = 0; i < m->events.count; i++) LIST_PUSH(a, &all, m->events.at[i].e);
    for (size_t i = 0; i < m->claims.count; i++)
        if (m->claims.at[i].constant != AH_NONE) LIST_PUSH(a, &all, m->claims.at[i].constant);
    const expr_list symbols = expr_symbols(m->ctx, a, all.at, all.count);
    expr_list mass = {0};
    for (size_t i = 0; i < symbols.count; i++) {
        motion_derived d;
        if (expr_get_kind(m->ctx, symbols.at[i]) != AH_DERIVED ||
            !motion_find_derived(s->p, symbols.at[i], &d))
            continue;
        if (d.what == DERIVED_MASS) LIST_PUSH(a, &mass, d.formula);
        LIST_PUSH(a, &s->derived, d);
    }
    if (mass.count) s->masses = expr_plan_create(m->ctx, a, mass.at, mass.count);
}

static bool state_has(const motion_state *s, ah_expr symbol)
{
    for (uint32_t i = 0; i < s->code.m; i++)
        if (s->code.second[i] == symbol) return true;
    return false;
}

/* The code that was made for all motions. */
static const char *share_code(motion_state *s, motion_code *out)
{
    const motion_options *o = s->options;
    motion_code_share(out, o->code, s->p);
    if (o->integrator == IVP_AUTO && o->tolerance.rtol > TAYLOR_BELOW) out->jets = NULL;
    const bool needed = ivp_integrators[o->integrator].needs == IVP_NEEDS_JETS;
    return needed && !out->jets ? out->no_jets : NULL;
}

const char *motion_state_make_code(motion_state *s, const eval_method *method, motion_code *out)
{
    const motion_options *o = s->options;
    const ivp_needs needs = ivp_integrators[o->integrator].needs;
    if (ivp_missing(o->integrator)) return ivp_missing(o->integrator);
    const motion_variables of = needs == IVP_NEEDS_DAE ? MOTION_OF_METHOD
                                : s->code.framed       ? MOTION_OF_FRAMES
                                                       : MOTION_SHORTEST;
    motion_code_create(out, method, s->reactions_by, s->p, of);
    if (needs == IVP_NEEDS_JETS && !motion_code_add_jets(out, s->p->arena)) return out->no_jets;
    const program *f = out->program[MOTION_RHS];
    if (o->integrator == IVP_AUTO && o->tolerance.rtol <= TAYLOR_BELOW && f &&
        program_operations(f) <= TAYLOR_OPERATIONS)
        motion_code_add_jets(out, s->p->arena); /* or else without */
    motion_code_start(out, o->engine == ENGINE_AUTO ? ENGINE_INTERPRET : o->engine);
    return NULL;
}

void motion_state_make_plans(motion_state *s, const motion_code *c, expr_plan **psi,
                             expr_plan **psi_dot)
{
    ah_ctx *ctx = s->p->ctx;
    arena *a = s->p->arena;
    *psi = *psi_dot = NULL;
    if (!c->psi) return;
    *psi = expr_plan_create(ctx, a, c->psi, c->n);
    *psi_dot = expr_plan_create(ctx, a, rates_of(ctx, a, c->psi, c->n), c->n);
}

const char *motion_state_create(motion_state *s, const eval_method *method,
                                const eval_method *reactions, point *p,
                                const motion_options *options)
{
    ah_ctx *ctx = p->ctx;
    arena *a = p->arena;
    const ah_model *m = p->model;
    const size_t omegas = m->quasivelocities.count;
    eval_method *chosen = NEW(p->arena, eval_method);
    if (!options->code && eval_choose_rows(method, p, chosen)) method = chosen;
    *s = (motion_state){
        .method = method, .given = method, .reactions_by = reactions, .p = p, .options = options};
    motion_code *c = &s->code;
    const char *refused = ivp_missing(options->integrator);
    if (!refused) refused = options->code ? share_code(s, c) : motion_state_make_code(s, method, c);
    if (refused) return refused;
    const bool implicit = ivp_integrators[options->integrator].needs == IVP_NEEDS_DAE;
    if (implicit && c->psi) return "the constraints are implied by `velocity` and have no formulas";
    if (implicit) s->dae = motion_dae_create(p, reactions, &refused);
    if (refused) return refused;
    motion_state_make_plans(s, c, &s->psi, &s->psi_dot);
    if (omegas) {
        const ah_expr *omega = definitions(m, a);
        s->omega = expr_plan_create(ctx, a, omega, omegas);
        s->omega_dot = expr_plan_create(ctx, a, rates_of(ctx, a, omega, omegas), omegas);
    }
    s->energies[0] = model_energy(p->model);
    s->energies[1] = m->V;
    if (m->speeds.count && !state_has(s, m->speeds.at[0].symbol))
        s->speeds = speed_finder_create(p);
    s->projector = projector_create(p);
    list_derived(s, options->asked);
    const size_t room = c->n + omegas + s->derived.count;
    s->work = NEW_ARRAY(a, double, room);
    s->rate = NEW_ARRAY(a, double, c->n + c->m);
    s->charts = motion_charts_create(s);
    if (s->charts) motion_charts_look(s);
    if (method->eq->branches && !(s->branch = second_class_motion_begin(p, options->branch)))
        return "";
    if (!s->charts && !s->branch && c->program[MOTION_RHS]) motion_pivots_create(s);
    return NULL;
}

void motion_state_take_parameters(motion_state *s)
{
    if (s->charts) { /* those made on the way were for other parameters */
        s->method = s->given;
        motion_code_share(&s->code, s->options->code, s->p);
        s->charts = motion_charts_create(s);
    }
    if (s->pivots && s->options->code) motion_pivots_forget(s);
    motion_code_take(&s->code, s->p);
}

bool motion_state_jacobian(motion_state *s, double t, const double *y, double *J)
{
    motion_code *c = &s->code;
    const program *f = c->program[MOTION_RHS];
    const double size = f ? (double) (c->n + c->m) * (double) program_operations(f) : INFINITY;
    if (!c->jacobian_tried && size <= LARGEST_JACOBIAN) motion_code_add_jacobian(c, s->p);
    c->jacobian_tried = true;
    return motion_code_interpret(c, MOTION_JACOBIAN, t, y, J);
}

/* ---- What is needed -------------------------------------------------------------------------- */

static motion_level level_of(const motion_state *s, ah_expr symbol)
{
    switch (expr_get_kind(s->p->ctx, symbol)) {
    case AH_SPEED: return state_has(s, symbol) ? MOTION_AT_STATE : MOTION_AT_SPEEDS;
    case AH_ACCELERATION:
    case AH_SPEED_DOT: return MOTION_AT_RATES;
    case AH_JERK: return MOTION_UNKNOWN;
    case AH_DERIVED:
        for (size_t i = 0; i < s->derived.count; i++)
            if (s->derived.at[i].symbol == symbol)
                return s->derived.at[i].what == DERIVED_MASS ? MOTION_AT_SPEEDS
                                                             : MOTION_AT_REACTIONS;
        return MOTION_UNKNOWN;
    default: return MOTION_AT_STATE;
    }
}

motion_level motion_state_needs(const motion_state *s, ah_expr e)
{
    ah_ctx *ctx = s->p->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list symbols = expr_symbols(ctx, &ctx->scratch, &e, 1);
    motion_level most = MOTION_AT_STATE;
    for (size_t i = 0; i < symbols.count; i++) {
        most |= level_of(s, symbols.at[i]);
    }
    arena_release(&ctx->scratch, mark);
    return most & MOTION_UNKNOWN ? MOTION_UNKNOWN : most;
}

/* ---- The point as a state -------------------------------------------------------------------- */

static void put_all(motion_state *s, size_t count, const ah_expr *symbol, const double *x)
{
    for (size_t i = 0; i < count; i++) point_set(s->p, symbol[i], x[i]);
}

/* y into the point; v follows from s. */
static void put_state(motion_state *s, double t, const double *y)
{
    const motion_code *c = &s->code;
    point_set(s->p, s->p->mech->t, t);
    put_all(s, c->n, s->p->model->q.at, y);
    put_all(s, c->m, c->second, y + c->n);
    if (!s->psi) return;
    if (!motion_code_run(&s->code, MOTION_QDOT, t, y, s->work))
        expr_plan_run(s->psi, s->p->values, s->work);
    put_all(s, c->n, s->p->model->v.at, s->work);
}

static void put_omegas(motion_state *s, expr_plan *plan, bool dot)
{
    const ah_model *m = s->p->model;
    if (!plan) return;
    expr_plan_run(plan, s->p->values, s->work);
    for (size_t i = 0; i < m->quasivelocities.count; i++) {
        const ah_expr w = m->quasivelocities.at[i].symbol;
        point_set(s->p, dot ? expr_dot(m->ctx, w) : w, s->work[i]);
    }
}

static void put_speeds(motion_state *s)
{
    if (s->speeds) speed_finder_follow(s->speeds);
    put_omegas(s, s->omega, false);
    if (!s->masses) return;
    expr_plan_run(s->masses, s->p->values, s->work);
    for (size_t i = 0, k = 0; i < s->derived.count; i++)
        if (s->derived.at[i].what == DERIVED_MASS)
            point_set(s->p, s->derived.at[i].symbol, s->work[k++]);
}

static bool put_rates(motion_state *s, double t, const double *y)
{
    const motion_code *c = &s->code;
    const ah_expr *a = s->p->model->a.at;
    if (!motion_state_rhs(s, t, y, s->rate)) {
        for (uint32_t i = 0; i < c->n; i++) point_set(s->p, a[i], NAN);
        return false;
    }
    for (uint32_t i = 0; i < c->m; i++)
        point_set(s->p, expr_dot(s->p->ctx, c->second[i]), s->rate[c->n + i]);
    if (s->psi_dot) {
        expr_plan_run(s->psi_dot, s->p->values, s->work);
        put_all(s, c->n, a, s->work);
    }
    if (s->speeds) speed_finder_rates(s->speeds);
    put_omegas(s, s->omega_dot, true);
    return true;
}

/* Multipliers so much larger than the reactions Jᵀ λ that a row of J is nearly nothing. */
#define SUSPECT_MULTIPLIER 1e7

static double largest(const double *x, uint32_t count)
{
    double out = 0;
    for (uint32_t i = 0; i < count; i++) out = fmax(out, fabs(x[i]));
    return out;
}

static void find_reactions(motion_state *s, double t, const double *y)
{
    run_failure failure;
    const eval_method *by = s->reactions_by;
    s->multipliers = s->reaction = NULL;
    if (s->branch) {
        const double *a;
        if (second_class_motion_at(s->branch, &a, &s->multipliers))
            s->reaction = second_class_motion_reaction(s->branch);
        return;
    }
    if (motion_code_run(&s->code, MOTION_REACTIONS, t, y, NULL)) {
        const uint32_t r = s->p->mech->r;
        s->multipliers = s->code.out;
        s->reaction = s->code.out + r;
        if (largest(s->multipliers, r) <= SUSPECT_MULTIPLIER * largest(s->reaction, s->code.n))
            return;
        if (by->refused || by->eq->branches || run_at(by->runner, s->p->values, &failure)) return;
        s->multipliers = s->reaction = NULL; /* at a singular state there are none */
        return;
    }
    if (by->refused || by->eq->branches || !run_at(by->runner, s->p->values, &failure)) return;
    const ah_equations *eq = by->eq;
    if (eq->multipliers != QUANTITY_NONE) s->multipliers = run_get(by->runner, eq->multipliers);
    if (eq->reaction != QUANTITY_NONE) s->reaction = run_get(by->runner, eq->reaction);
}

static void put_reactions(motion_state *s)
{
    for (size_t i = 0; i < s->derived.count; i++) {
        const motion_derived *d = &s->derived.at[i];
        const double *from = d->what == DERIVED_LAMBDA ? s->multipliers : s->reaction;
        if (d->what != DERIVED_MASS) point_set(s->p, d->symbol, from ? from[d->index] : NAN);
    }
}

bool motion_state_put(motion_state *s, motion_level level, double t, const double *y)
{
    put_state(s, t, y);
    if (level & MOTION_AT_SPEEDS) put_speeds(s);
    const bool exists = (level & MOTION_AT_RATES) != MOTION_AT_RATES || put_rates(s, t, y);
    if (level & MOTION_AT_REACTIONS) {
        find_reactions(s, t, y);
        put_reactions(s);
    }
    return exists;
}

void motion_state_take(const motion_state *s, double *y)
{
    const motion_code *c = &s->code;
    for (uint32_t i = 0; i < c->n; i++) y[i] = point_get(s->p, s->p->model->q.at[i]);
    for (uint32_t i = 0; i < c->m; i++) y[c->n + i] = point_get(s->p, c->second[i]);
}

/* ---- Equations of motion --------------------------------------------------------------------- */

/* The worksheet by pivoting: where the program gives up, and where there is none. */
static bool rhs_by_worksheet(motion_state *s, double t, const double *y, double *dy)
{
    const motion_code *c = &s->code;
    s->pivoted++;
    s->gave_up++;
    put_state(s, t, y);
    if (!run_at(c->runner, s->p->values, &s->failure)) return false;
    const double *rate = run_get(c->runner, c->rate);
    for (uint32_t i = 0; i < c->n; i++) dy[i] = point_get(s->p, s->p->model->v.at[i]);
    for (uint32_t i = 0; i < c->m; i++) dy[c->n + i] = rate[c->row ? c->row[i] : i];
    return true;
}

/* Second class: the accelerations are a branch of solutions. */
static bool rhs_by_branch(motion_state *s, double t, const double *y, double *dy)
{
    const uint32_t n = s->code.n;
    const double *a, *lambda;
    put_state(s, t, y);
    if (!second_class_motion_at(s->branch, &a, &lambda)) return false;
    memcpy(dy, y + n, n * sizeof *dy);
    memcpy(dy + n, a, n * sizeof *dy);
    return true;
}

bool motion_state_rhs(motion_state *s, double t, const double *y, double *dy)
{
    s->evaluations++;
    if (s->branch) return rhs_by_branch(s, t, y, dy);
    return motion_code_run(&s->code, MOTION_RHS, t, y, dy) || rhs_by_worksheet(s, t, y, dy);
}

double motion_state_energy(motion_state *s, double t, const double *y, double *size)
{
    double e[2];
    if (!motion_code_run(&s->code, MOTION_ENERGY, t, y, e)) {
        if (!s->energy) s->energy = expr_plan_create(s->p->ctx, s->p->arena, s->energies, 2);
        put_state(s, t, y);
        expr_plan_run(s->energy, s->p->values, e);
    }
    *size = fabs(e[0] - e[1]) + fabs(e[1]);
    return e[0];
}

/* ---- Projection ------------------------------------------------------------------------------ */

/* The largest of the residuals with which the last run began, relative to their terms. */
static double worst_of(const motion_code *c, motion_program which)
{
    double worst = 0;
    for (uint32_t i = 0; i < c->residuals[which]; i++) {
        const double size = c->out[2 * i + 1], r = c->out[2 * i] / (size > 0 ? size : 1);
        worst = r <= worst ? worst : r;
    }
    return worst;
}

/* Newton's method by a program; part: what moves of y. 0: not moved, 1: moved, -1: gave up. After a move the residuals alone
 * mostly tell that it is done. */
static int project_part(motion_state *s, motion_program which, double t, double *y, double *part,
                        double *residual)
{
    motion_code *c = &s->code;
    const motion_program left =
        which == MOTION_PLACES ? MOTION_PLACES_LEFT : MOTION_VELOCITIES_LEFT;
    double before = INFINITY;
    int moved = 0;
    for (int iteration = 0; iteration < 6; iteration++) {
        if (moved && motion_code_run(c, left, t, y, NULL)) {
            *residual = worst_of(c, which);
            if (*residual <= MOTION_RESIDUAL) return moved;
        }
        const bool good = motion_code_run(c, which, t, y, NULL);
        const double worst = *residual = worst_of(c, which);
        if (worst <= MOTION_RESIDUAL) return moved;
        if (!good || !isfinite(worst)) return -1;
        if (worst > before / 2)
            return worst <= POINT_ADMISSIBLE ? moved : -1; /* as good as it gets */
        before = worst;
        memcpy(part, c->out + 2 * c->residuals[which], c->n * sizeof *part);
        moved = 1;
    }
    return -1;
}

static bool project_by_point(motion_state *s, double t, double *y, double *residual)
{
    put_state(s, t, y);
    *residual = projector_residual(s->projector);
    if (s->psi || *residual <= MOTION_RESIDUAL) return false;
    projector_apply(s->projector, s->p);
    *residual = projector_residual(s->projector);
    if (s->p->moved > 0) motion_state_take(s, y);
    return s->p->moved > 0;
}

bool motion_state_project(motion_state *s, double t, double *y, double *residual)
{
    const motion_code *c = &s->code;
    const double known = *residual;
    double places = 0, speeds = 0;
    int q = 0, v = 0;
    if (c->moves_places)
        q = c->program[MOTION_PLACES] ? project_part(s, MOTION_PLACES, t, y, y, &places) : -1;
    if (c->moves_velocities && q >= 0)
        v = c->program[MOTION_VELOCITIES]
                ? project_part(s, MOTION_VELOCITIES, t, y, y + c->n, &speeds)
                : -1;
    if ((q < 0 && c->program[MOTION_PLACES]) || (v < 0 && c->program[MOTION_VELOCITIES]))
        s->gave_up++;
    if (q < 0 || v < 0) return project_by_point(s, t, y, residual) || q > 0;
    *residual = fmax(places, speeds);
    if (*residual > fmax(MOTION_RESIDUAL, known)) {
        put_state(s, t, y); /* terms that are rounding errors themselves do not count */
        *residual = projector_residual(s->projector);
    }
    return q > 0 || v > 0;
}

void motion_state_blow(motion_state *s, double t, double *y)
{
    point *p = s->p;
    double residual = INFINITY; /* nobody asks */
    if (!s->psi) {
        motion_state_project(s, t, y, &residual);
        return;
    }
    point_set(p, p->mech->t, t);
    put_all(s, s->code.n, p->model->q.at, y);
    projector_apply(s->projector, p);
    if (!s->struck) s->struck = speed_finder_create(p);
    if (s->struck) speed_finder_follow(s->struck);
    put_omegas(s, s->omega, false);
    motion_state_take(s, y);
}
