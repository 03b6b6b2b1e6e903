/* flow/problem.c - see problem.h. */
#include "problem.h"

#include "../real/real.h"

#include <math.h>
#include <string.h>

enum { RANDOM_STARTS = 5, CHARTS = 6 };

/* A mark of a component that is smaller, relative to 1 + its terms, vanishes. */
#define PROBLEM_ON 1e-8
/* Variables whose condition is less than this share of the usual one are exchanged for others, if these are so much better. That of a
 * unit quaternion is |e₀| where e₀ follows from e₁, e₂, e₃. */
#define CHART_POOR   1e-3
#define CHART_BETTER 10
/* Nearer to zero the argument of |u| or sign(u) is not told from zero. */
#define PROBLEM_SWITCH 1e-6
/* A pivot of M is told from zero beyond this part of its diagonal entry; more coordinates are not looked at. */
#define DEFINITE_PIVOT   1e-10
#define DEFINITE_LARGEST 40

void problem_hold(problem *s, given *list, ah_expr symbol, double value)
{
    LIST_PUSH(s->arena, &list->symbol, symbol);
    LIST_PUSH(s->arena, &list->value, value);
}

static void take_given(problem *s, const point *p, ah_expr symbol, given *out)
{
    if (point_is_given(p, symbol)) problem_hold(s, out, symbol, point_get(p, symbol));
}

static given all_given(problem *s, const point *p, bool places)
{
    const ah_model *m = s->model;
    given out = {0};
    for (uint32_t i = 0; places && i < m->n; i++) take_given(s, p, m->q.at[i], &out);
    for (uint32_t i = 0; i < m->n; i++) take_given(s, p, m->v.at[i], &out);
    for (size_t i = 0; i < m->speeds.count; i++) take_given(s, p, m->speeds.at[i].symbol, &out);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        take_given(s, p, m->quasivelocities.at[i].symbol, &out);
    return out;
}

/* What the model says that it is near, or 0. */
static double near_which(problem *s, ah_expr x)
{
    for (size_t i = 0; i < s->model->guesses.count; i++) {
        if (s->model->guesses.at[i].symbol != x) continue;
        const double near = point_eval(&s->p, s->model->guesses.at[i].value);
        return isfinite(near) ? near : 0;
    }
    return 0;
}

/* The start, at rest where it says nothing, with the places and z that are asked for; all else that
 * is asked for is an equation of the search. */
static bool first_guess(problem *s, const char *at)
{
    point asked;
    if (!point_create(s->model, s->arena, &s->p) || !point_create(s->model, s->arena, &asked) ||
        !point_start(&s->p))
        return false;
    frame_assign(asked.values, s->p.values); /* they may use those of the start */
    if (at && !point_read(&asked, at)) return false;
    frame *values = s->p.values;
    point_upright(&s->p);
    for (uint32_t k = 0; k <= s->flow->N; k++) {
        const ah_expr x = s->flow->x[k];
        if (point_is_given(&asked, x)) frame_set(values, x, point_get(&asked, x));
        if (isnan(frame_get(values, x))) frame_set(values, x, near_which(s, x));
    }
    const given start = all_given(s, &s->p, false);
    steady_guess(s->flow, start.symbol.count, start.symbol.at, start.value.at, values);
    s->fixed = all_given(s, &asked, true);
    return true;
}

double problem_turns(const problem *s, uint32_t y)
{
    if (s->m->omega && y >= s->m->coordinates) return 0;
    for (size_t i = 0; i < s->fixed.symbol.count; i++)
        if (s->fixed.symbol.at[i] == s->m->symbol[y]) return 0;
    return s->turn[s->m->place[y]];
}

static bool is_on_component(const problem *s, const frame *values)
{
    if (!s->component) return true;
    arena *a = &s->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double *c = NEW_ARRAY(a, double, s->component->marks + 1);
    double *scale = NEW_ARRAY(a, double, s->component->marks + 1);
    bool on = true;
    expr_plan_run_scaled(s->marks, values, c, scale);
    for (size_t i = 0; i < s->component->marks; i++)
        on = on && fabs(c[i]) <= PROBLEM_ON * (1 + scale[i]);
    arena_release(a, mark);
    return on;
}

bool problem_assumed(const problem *s, const frame *values)
{
    if (!is_on_component(s, values)) return false;
    point p = s->p;
    p.values = (frame *) values;
    for (size_t i = 0; i < s->model->facts.count; i++) {
        const algebra_fact *f = &s->model->facts.at[i];
        const double x = point_eval(&p, f->e);
        if (f->border ? x < 0 : f->positive ? !(x > 0) : x == 0) return false;
    }
    return true;
}

/* In a chart the velocities are ψ(q, z, t): v has no values of its own there. */
static double velocity(const problem *s, const frame *values, uint32_t i)
{
    point p = s->p;
    p.values = (frame *) values;
    return s->flow->charted ? point_eval(&p, s->model->psi.at[i])
                            : frame_get(values, s->model->v.at[i]);
}

bool problem_rests(const problem *s, const frame *values)
{
    for (uint32_t i = 0; i < s->model->n; i++)
        if (!(fabs(velocity(s, values, i)) <=
              STEADY_FOUND * model_size(s->model, s->model->v.at[i])))
            return false;
    return true;
}

void problem_put_velocities(const problem *s, frame *values)
{
    for (uint32_t i = 0; i < s->model->n; i++)
        frame_set(values, s->model->v.at[i], velocity(s, values, i));
}

/* ---- Switches -------------------------------------------------------------------------------- */

/* What vanishes where the partial function ends; AH_NONE: nothing, or nothing that moves. */
static ah_expr edge_of(const problem *s, const model_need *n)
{
    ah_ctx *ctx = s->ctx;
    long over, under;
    ah_expr e[2] = {n->a, n->b};
    model_put_values(s->model, e, n->b == AH_NONE ? 1 : 2);
    const bool whole = n->f == AH_FUNCTIONS && n->b != AH_NONE &&
                       expr_is_rational(ctx, e[1], &over, &under) && under == 1;
    if (whole || expr_is_fixed(ctx, e[0])) return AH_NONE;
    switch (n->f) {
    case AH_ASIN:
    case AH_ACOS: return expr_sub(ctx, expr_int(ctx, 1), expr_pow(ctx, e[0], expr_int(ctx, 2)));
    case AH_SQRT:
    case AH_LOG:
    case AH_FUNCTIONS: return e[0];
    default: return AH_NONE; /* poles are found as such, switches are among the others */
    }
}

void problem_find_switches(problem *s)
{
    s->switches = flow_switches(s->model, s->arena);
    for (size_t i = 0; i < s->model->needs.count; i++) {
        const ah_expr edge = edge_of(s, &s->model->needs.at[i]);
        if (edge != AH_NONE) LIST_PUSH(s->arena, &s->edges, edge);
    }
}

/* Does one of them vanish there, but for rounding? */
static bool vanishes(const problem *s, const expr_list *of, const frame *values)
{
    point p = s->p;
    p.values = (frame *) values;
    for (size_t i = 0; i < of->count; i++)
        if (!(fabs(point_eval(&p, of->at[i])) > PROBLEM_SWITCH * model_size(s->model, of->at[i])))
            return true;
    return false;
}

const char *problem_unsmooth(const problem *s, const frame *values)
{
    if (vanishes(s, &s->switches, values))
        return "an absolute value or a switch changes there: there is no linearisation";
    if (vanishes(s, &s->edges, values))
        return "a root, a power or a logarithm in the equations is at the edge of where it exists: "
               "there is no linearisation";
    return NULL;
}

/* ---- Poles ----------------------------------------------------------------------------------- */

static const char angles_fail[] =
    "the mass matrix is singular there: a pole of the angles, not a motion of the system; only "
    "other coordinates could tell";
static const char *const poles[] = {
    [POLE_MASS] = "the mass matrix is singular there: a pole of the coordinates, not a motion of "
                  "the system; only other ones could tell",
    [POLE_CONSTRAINTS] = "the constraints lose rank there: the motion is not determined",
    [POLE_SPEEDS] = "the velocity parameters fail there: other ones could tell",
    [POLE_SYSTEM] = "the motion is not determined there",
};

const char *problem_pole(const problem *s, const frame *values, uint32_t *place)
{
    const pole_kind kind = pole_at(s->flow, values, place);
    if (kind == POLE_NONE) return NULL;
    if (kind == POLE_MASS && *place != UINT32_MAX && s->turn[*place] > 0) return angles_fail;
    return poles[kind == POLE_MASS && s->flow->charted ? POLE_SYSTEM : kind];
}

const char *problem_pole_text(const problem *s, const frame *values)
{
    uint32_t place;
    const char *why = problem_pole(s, values, &place);
    if (why && place == UINT32_MAX) return arena_printf(s->arena, "the state is singular: %s", why);
    if (!why) return NULL;
    const ah_expr x = s->flow->x[place];
    double at = frame_get(values, x);
    if (s->turn[place] > 0) at = angles_reduced(at, s->turn[place]);
    return arena_printf(s->arena, "the state is singular, %s = %.6g: %s",
                        expr_text(s->ctx, s->arena, x, AH_TEXT),
                        fabs(at) < 1e-6 * s->flow->unit[place] ? 0 : at, why);
}

/* ---- Charts ---------------------------------------------------------------------------------- */

minimal *problem_chart(problem *s, const frame *values)
{
    minimal *m = minimal_create(s->flow, s->arena, values, s->random);
    if (!s->charts) s->charts = NEW(s->arena, charts);
    if (m) LIST_PUSH(s->arena, s->charts, m);
    return m;
}

double problem_condition(const problem *s, frame *values)
{
    minimal_at(s->m, values);
    return s->m->condition / s->m->usual;
}

bool problem_charts(const problem *s, frame *values)
{
    return problem_condition(s, values) > CHART_POOR;
}

bool problem_rechart(problem *s, frame *values)
{
    if (problem_charts(s, values)) return false;
    minimal *const before = s->m;
    const double now = before->condition;
    for (size_t i = 0; i < s->charts->count; i++) {
        s->m = s->charts->at[i];
        if (s->m != before && problem_charts(s, values) && s->m->condition > CHART_BETTER * now)
            return true;
    }
    minimal *m = s->charts->count < CHARTS ? problem_chart(s, values) : NULL;
    s->m = m && m->autonomous && m->usual > CHART_BETTER * now ? m : before;
    return s->m != before;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Without a start all is zero, which may be singular: then some state does. */
static void start_anywhere(problem *s)
{
    states_rng rng = probe_seed(1);
    frame *values = probe_values(s->model, s->arena);
    for (int i = 0; i < RANDOM_STARTS && !s->m; i++) {
        if (!analyse_random_state(s->random, &rng, values)) return;
        for (uint32_t k = s->flow->n; k < s->flow->N; k++) *frame_ref(values, s->flow->x[k]) /= 2;
        for (size_t k = 0; k < s->fixed.symbol.count; k++)
            frame_set(values, s->fixed.symbol.at[k], s->fixed.value.at[k]);
        s->m = problem_chart(s, values);
    }
    frame_assign(s->p.values, values);
}

/* What does not need a state. */
static bool begin(ah_model *m, problem *out, const char **why)
{
    *out = (problem){.model = m, .whole = m, .ctx = m->ctx, .arena = &m->ctx->job};
    *why = NULL;
    out->flow = flow_create(m, out->arena, why);
    if (!out->flow) return false;
    problem_find_switches(out);
    out->turn = angles_find(out->flow, out->arena);
    out->random = analyse_states_create(m, out->arena);
    return true;
}

/* The same problem of another view of the system: on a component of lower rank, or of the whole. */
static bool change_model(problem *s, ah_model *view)
{
    problem own;
    const char *why;
    if (!begin(view, &own, &why)) return false;
    own.p = s->p;
    own.p.model = view;
    own.p.mech = derive_mechanics(view);
    own.fixed = s->fixed;
    own.whole = s->whole;
    *s = own;
    return true;
}

static bool take_view(problem *s, const component *c)
{
    ah_model *m = s->whole;
    if (c->relations && c->relations - c->places < derive_mechanics(m)->rank)
        m = components_view(m, c);
    return m && (m == s->model || change_model(s, m));
}

/* Where the state is one of a component of lower rank: by the system there. */
static void open_lower(problem *s)
{
    point there;
    if (s->m || !point_lower(&s->p, &there) || !change_model(s, there.model)) return;
    s->p = there;
    s->charts = NULL;
    s->m = problem_chart(s, s->p.values);
}

bool problem_on(problem *s, const component *c, uint64_t seed)
{
    if (!take_view(s, c)) return false;
    states_rng rng = probe_seed(seed);
    s->charts = NULL;
    frame *values = probe_values(s->model, s->arena);
    s->component = c;
    s->marks = expr_plan_create(s->ctx, s->arena, c->mark, c->marks);
    s->random = analyse_states_create_on(s->model, s->arena, c);
    if (s->m && is_on_component(s, s->p.values))
        frame_assign(values, s->p.values);
    else if (!analyse_random_state(s->random, &rng, values))
        return false;
    s->p.values = values;
    s->m = problem_chart(s, values);
    return s->m && s->m->autonomous;
}

bool problem_open_anywhere(ah_model *m, const char *at, problem *out, const char **why)
{
    if (!begin(m, out, why) || !point_create(m, out->arena, &out->p)) return false;
    if (!(at ? point_read(&out->p, at) : point_start(&out->p)) || !point_complete(&out->p, false))
        return false;
    out->m = problem_chart(out, out->p.values);
    open_lower(out);
    if (!out->m) *why = problem_pole_text(out, out->p.values);
    if (!out->m && !*why) *why = "the state is singular: the motion is not determined there";
    return out->m != NULL;
}

/* Are the forces the slopes of a function of the places, written as a potential or not? */
static bool is_potential(const ah_model *m)
{
    ah_ctx *ctx = m->ctx;
    for (uint32_t i = 0; i < m->n; i++) {
        if (expr_depends_kind(ctx, m->F[i], AH_VELOCITY) ||
            expr_depends_kind(ctx, m->F[i], AH_SPEED))
            return false;
        for (uint32_t j = 0; j < i; j++) {
            const ah_expr here = expr_diff(ctx, m->F[i], m->q.at[j]),
                          there = expr_diff(ctx, m->F[j], m->q.at[i]);
            if (here != there && algebra_zero(m->alg, expr_sub(ctx, here, there)) != AH_TRUE)
                return false;
        }
    }
    return true;
}

/* Nothing works but a potential, and no constraint is on velocities alone. */
static bool is_hamiltonian(const ah_model *m)
{
    uint32_t holonomic = 0;
    for (size_t i = 0; i < m->constraints.count; i++) {
        if (m->constraints.at[i].order != MODEL_HOLONOMIC) return false;
        holonomic++;
    }
    return (m->psi.count == 0 || m->speeds.count + holonomic >= m->n) && is_potential(m);
}

/* The motion backwards: velocities change their signs, and their parameters. Where things move, coordinates on which nothing depends
 * are mirrored besides, so that their velocities stay as they are. */
typedef struct reversal {
    expr_list from, to;
    const bool *stays; /* n: velocities of such coordinates */
} reversal;

static bool is_mentioned(const ah_model *m, ah_expr q)
{
    bool any = expr_depends(m->ctx, m->T, q) || expr_depends(m->ctx, m->V, q);
    for (uint32_t i = 0; i < m->n; i++) any = any || expr_depends(m->ctx, m->F[i], q);
    for (size_t i = 0; i < m->constraints.count; i++)
        any = any || expr_depends(m->ctx, m->constraints.at[i].c, q);
    return any;
}

static reversal reversal_of(const problem *s, bool rest)
{
    const ah_model *m = s->model;
    bool *stays = NEW_ARRAY(s->arena, bool, m->n + 1);
    reversal r = {.stays = stays};
    for (uint32_t i = 0; i < m->n; i++) {
        stays[i] = !rest && m->psi.count == 0 && !is_mentioned(m, m->q.at[i]);
        if (!stays[i]) LIST_PUSH(s->arena, &r.from, m->v.at[i]);
    }
    for (size_t i = 0; i < m->speeds.count; i++)
        LIST_PUSH(s->arena, &r.from, m->speeds.at[i].symbol);
    for (size_t i = 0; i < r.from.count; i++)
        LIST_PUSH(s->arena, &r.to, expr_neg(s->ctx, r.from.at[i]));
    return r;
}

/* Does e become as many times what it is? */
static bool becomes(const problem *s, const reversal *r, ah_expr e, long times)
{
    const ah_expr back = expr_subst(s->ctx, e, r->from.count, r->from.at, r->to.at);
    const ah_expr want = times < 0 ? expr_neg(s->ctx, e) : e;
    return algebra_zero(s->model->alg, expr_sub(s->ctx, back, want)) == AH_TRUE;
}

/* Do the equations hold for the motion backwards, too? */
static bool hold_backwards(const problem *s, const reversal *r)
{
    const ah_model *m = s->model;
    bool all = becomes(s, r, m->T, 1);
    for (uint32_t i = 0; all && i < m->n; i++) all = becomes(s, r, m->F[i], r->stays[i] ? -1 : 1);
    for (size_t i = 0; all && i < m->constraints.count; i++)
        all = becomes(s, r, m->constraints.at[i].c, 1) || becomes(s, r, m->constraints.at[i].c, -1);
    for (size_t i = 0; all && i < m->psi.count; i++) all = becomes(s, r, m->psi.at[i], -1);
    return all;
}

/* What that was found to be for the equations `of`: of motions, and of rest. */
typedef struct backwards {
    expr_list of;
    bool known[2], hold[2];
} backwards;

/* Each of a hundred steady motions asks whether the equations hold backwards, and they are the same: what was found is kept with the model. */
static backwards *backwards_of(const problem *s)
{
    static const char key;
    ah_model *m = s->model;
    backwards *b = *model_kept(m, &key);
    const expr_list of = model_equations(m, s->arena);
    if (b && b->of.count == of.count && !memcmp(b->of.at, of.at, of.count * sizeof *of.at))
        return b;
    b = *model_kept(m, &key) = NEW(&m->ctx->job, backwards);
    b->of = of;
    return b;
}

/* Is the motion backwards one, and the steady one itself? */
static bool is_reversible(const problem *s, const frame *values, bool rest)
{
    const ah_model *m = s->model;
    const reversal r = reversal_of(s, rest);
    for (uint32_t i = 0; i < m->n; i++)
        if (!r.stays[i] && !rest && frame_get(values, m->v.at[i]) != 0) return false;
    backwards *b = backwards_of(s);
    if (!b->known[rest]) b->hold[rest] = hold_backwards(s, &r);
    b->known[rest] = true;
    return b->hold[rest];
}

/* Is T a sum of squares there? Without that λ² need not be real: of x'' = −x − εy, −y'' = y − εx they are −1 ± iε. */
static bool is_definite(const problem *s, const frame *values)
{
    const uint32_t n = s->model->n;
    if (n > DEFINITE_LARGEST) return false;
    const ah_expr *M = mat_to_dense(s->ctx, s->arena, mechanics_mass(s->p.mech));
    double *A = NEW_ARRAY(s->arena, double, (size_t) n *n + 1);
    double *whole = NEW_ARRAY(s->arena, double, n + 1);
    expr_plan_run(expr_plan_create(s->ctx, s->arena, M, (size_t) n * n), values, A);
    for (uint32_t k = 0; k < n; k++) whole[k] = A[k * n + k];
    for (uint32_t k = 0; k < n; k++) {
        if (!(A[k * n + k] > DEFINITE_PIVOT * whole[k])) return false;
        for (uint32_t i = k + 1; i < n; i++) {
            const double factor = A[i * n + k] / A[k * n + k];
            for (uint32_t j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
        }
    }
    return true;
}

problem_mirror problem_mirrors(const problem *s, const frame *values)
{
    const bool rest = problem_rests(s, values);
    const bool hamiltonian = is_hamiltonian(s->model), back = is_reversible(s, values, rest);
    if (hamiltonian && back && rest && is_definite(s, values)) return MIRROR_SQUARES;
    return hamiltonian || back ? MIRROR_PAIRS : MIRROR_NONE;
}

const char *problem_time_text(ah_model *m)
{
    const char *u = model_moving_input(m);
    if (!u) return "the equations of motion depend on time explicitly";
    return arena_printf(
        &m->ctx->job,
        "the input `%s` depends on time, and steady motions are those under constant "
        "inputs: give it a number, input %s = 0 (or --input %s=0, where that can be said)",
        u, u, u);
}

const char problem_kinematic[] =
    "a kinematic model has no motion of its own: its velocities are the inputs";

bool problem_open(ah_model *m, const char *at, problem *out, const char **why)
{
    *why = m->kinematic ? problem_kinematic : NULL;
    if (m->kinematic) return false;
    if (!begin(m, out, why) || !first_guess(out, at)) return false;
    out->m = problem_chart(out, out->p.values);
    open_lower(out);
    if (!out->m && m->start.count == 0) start_anywhere(out);
    if (!out->m) {
        *why = problem_pole_text(out, out->p.values);
        if (!*why) *why = "the state is singular: the motion is not determined there";
    } else if (!out->m->autonomous) {
        *why = problem_time_text(m);
    }
    return *why == NULL;
}
