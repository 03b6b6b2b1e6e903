/* system/system.c - a model by one method, ready for numbers: its making and its names. */
#include "system_inside.h"

#include <math.h>
#include <string.h>

/* The Taylor method is made ready for equations that are compiled in few milliseconds. */
#define JETS_OPERATIONS 1000

ah_system_options ah_system_defaults(void)
{
    return (ah_system_options){.size = sizeof(ah_system_options)};
}

typedef struct creation {
    ah_model *model;
    system_fork *fork;
    ah_system_options options;
    ah_system *s;
    point point;
    bool plain;        /* without velocity parameters: the start has none */
    bool found;        /* s was there already */
    ah_system *whole;  /* whose pieces this is, or NULL */
    expr_list events;  /* available ones */
    expr_list outputs; /* likewise, … */
    const char **output_name;
    ah_status status;
} creation;

/* ---- Method and sample state ----------------------------------------------------------------- */

static bool choose_method(creation *w)
{
    ah_model *m = w->model;
    ah_system *s = w->s;
    s->method = w->options.method ? derive_find_or_report(m->ctx, w->options.method)
                : w->plain        ? derive_find("multipliers")
                                  : derive_default(derive_mechanics(m));
    if (!s->method) return false;
    s->equations = eval_prepare(m, s->method, NULL, &s->arena);
    s->reactions = eval_prepare_reactions(m, &s->equations, &s->arena);
    const char *why = s->equations.refused;
    if (!why && s->equations.eq->branches)
        why = "the constraints are not linear in the accelerations, which are then no function of "
              "the state";
    if (!why) return true;
    diag(m->ctx, A0502, NOWHERE, "%s: %s", s->method->name, why);
    w->status = AH_E_REFUSED;
    return false;
}

/* The model's start, which constraints alone may tell, or else any admissible state: pivots are chosen there. */
static bool choose_state(creation *w)
{
    ah_model *m = w->model;
    ah_system *s = w->s;
    const diag_mark mark = diag_get_mark(m->ctx);
    if (!point_create(m, &s->arena, &w->point)) return false;
    s->started = point_start(&w->point) && point_complete(&w->point, w->options.project);
    if (s->started || m->start.count || m->guesses.count) return s->started;
    diag_take(m->ctx, &s->arena, mark);
    if (!point_create(m, &s->arena, &w->point)) return false;
    states_rng rng = probe_seed(1);
    states *random = analyse_states_create(m, &s->arena);
    if (point_at_random(m, random, &rng, &s->arena, &w->point)) return true;
    diag(m->ctx, A0605, NOWHERE, "no admissible state was found to choose the equations by");
    diag_hint(m->ctx, "give the model a `start`");
    return false;
}

/* A start on a component of lower rank moves by the system there, one that the velocity form does not give by
 * multipliers. */
static bool choose_component(creation *w)
{
    point there;
    if (!w->s->started) return true;
    w->plain = !w->options.method && !eval_has_speeds(&w->s->equations, &w->point);
    const bool lower = point_lower(&w->point, &there);
    if (!lower && !w->plain) return true;
    if (lower) w->point = there;
    w->model = w->s->model = w->point.model;
    if (!choose_method(w)) return false;
    motion_state_declare(w->model, &w->s->equations);
    return true;
}

/* ---- Prototypes ------------------------------------------------------------------------------ */

static uint32_t *slots_of(creation *w, const ah_expr *symbol, size_t count, bool dot)
{
    ah_ctx *ctx = w->model->ctx;
    uint32_t *out = NEW_ARRAY(&w->s->arena, uint32_t, count + 1);
    for (size_t i = 0; i < count; i++)
        out[i] = expr_slot(ctx, dot ? expr_dot(ctx, symbol[i]) : symbol[i]);
    return out;
}

static expr_plan *plan_of(creation *w, expr_list list)
{
    if (!list.count) return NULL;
    return expr_plan_create(w->model->ctx, &w->s->arena, list.at, list.count);
}

static expr_list list_of(creation *w, mat column)
{
    expr_list out = {0};
    for (uint32_t i = 0; i < column.rows; i++)
        LIST_PUSH(&w->s->arena, &out, mat_get(w->model->ctx, column, i, 0));
    return out;
}

static void take_parameters(creation *w)
{
    ah_system *s = w->s;
    const ah_model *m = w->model;
    expr_list symbol = {0}, value = {0};
    for (size_t i = 0; i < m->parameters.count; i++) {
        if (!motion_parameter_depends(m, i)) continue;
        LIST_PUSH(&s->arena, &symbol, m->parameters.at[i].symbol);
        LIST_PUSH(&s->arena, &value, m->parameters.at[i].value);
    }
    s->givens = symbol.count;
    s->at.given = slots_of(w, symbol.at, symbol.count, false);
    s->at.parameter = slots_of(w, s->code.parameters.at, s->code.parameters.count, false);
    s->parameter = NEW_ARRAY(&s->arena, double, s->code.parameters.count + 1);
    for (size_t i = 0; i < s->code.parameters.count; i++)
        s->parameter[i] = point_get(&w->point, s->code.parameters.at[i]);
    /* one by one: each may use those before it */
    expr_plan **plan = NEW_ARRAY(&s->arena, expr_plan *, s->givens + 1);
    for (size_t i = 0; i < s->givens; i++)
        plan[i] = expr_plan_create(m->ctx, &s->arena, &value.at[i], 1);
    s->given = plan;
}

static void take_speeds(creation *w)
{
    ah_system *s = w->s;
    ah_ctx *ctx = w->model->ctx;
    const ah_model *m = w->model;
    expr_list psi = {0}, omega = {0}, symbol = {0}, rate = {0};
    for (uint32_t i = 0; s->code.psi && i < s->n; i++) LIST_PUSH(&s->arena, &psi, s->code.psi[i]);
    for (size_t i = 0; i < m->quasivelocities.count; i++) {
        LIST_PUSH(&s->arena, &symbol, m->quasivelocities.at[i].symbol);
        LIST_PUSH(&s->arena, &omega, m->quasivelocities.at[i].definition);
        LIST_PUSH(&s->arena, &rate, expr_dt(ctx, m->quasivelocities.at[i].definition));
    }
    s->psi = plan_of(w, psi);
    s->omega = plan_of(w, omega);
    s->omega_dot = plan_of(w, rate);
    s->omegas = symbol.count;
    s->at.omega = slots_of(w, symbol.at, symbol.count, false);
    s->at.omega_dot = slots_of(w, symbol.at, symbol.count, true);
}

/* lambda[a], reaction[q], M[i,j] that outputs and events use. */
static void take_derived(creation *w)
{
    ah_system *s = w->s;
    ah_ctx *ctx = w->model->ctx;
    expr_list all = {0};
    for (size_t i = 0; i < w->outputs.count; i++) LIST_PUSH(&s->arena, &all, w->outputs.at[i]);
    for (size_t i = 0; i < w->events.count; i++) LIST_PUSH(&s->arena, &all, w->events.at[i]);
    const expr_list symbols = expr_symbols(ctx, &s->arena, all.at, all.count);
    expr_list mass = {0}, mass_symbol = {0};
    s->derived = NEW_ARRAY(&s->arena, system_derived, symbols.count + 1);
    for (size_t i = 0; i < symbols.count; i++) {
        motion_derived d;
        const ah_expr x = symbols.at[i];
        if (expr_get_kind(ctx, x) != AH_DERIVED || !motion_find_derived(&w->point, x, &d)) continue;
        if (d.what == DERIVED_MASS) {
            LIST_PUSH(&s->arena, &mass_symbol, x);
            LIST_PUSH(&s->arena, &mass, d.formula);
        } else {
            s->derived[s->deriveds++] =
                (system_derived){expr_slot(ctx, x), d.index, d.what == DERIVED_REACTION};
        }
    }
    s->masses = mass.count;
    s->mass = plan_of(w, mass);
    s->at.mass = slots_of(w, mass_symbol.at, mass_symbol.count, false);
}

/* The least step by the inertia of a tree: the rows of x alone. */
static quantity step_of_tree(creation *w, sheet *page, const model_tree *t, mat J, mat g,
                             uint32_t rank)
{
    ah_model *m = w->model;
    arena *a = &w->s->arena;
    const mat none = mat_zero(m->ctx, a, t->unknowns + m->n, 1);
    const quantity x =
        sheet_kkt_tree(page, sheet_leaf(page, t->M), sheet_leaf(page, model_tree_rows(m, a, t, J)),
                       sheet_leaf(page, none), sheet_leaf(page, model_tree_right(m, a, t, g)),
                       t->unknowns + rank, &t->shape);
    return sheet_row_range(page, x, t->unknowns, m->n);
}

/* g(x) = 0, J its rows by x. */
static system_newton newton_of(creation *w, mat g, const ah_expr *x)
{
    ah_ctx *ctx = w->model->ctx;
    ah_system *s = w->s;
    arena *a = &s->arena;
    expr_list kept = {0};
    for (uint32_t i = 0; i < g.rows; i++)
        if (!expr_is_zero(ctx, mat_get(ctx, g, i, 0))) LIST_PUSH(a, &kept, mat_get(ctx, g, i, 0));
    if (!kept.count) return (system_newton){0};
    recipe r;
    recipe_init(&r, ctx, a, NULL, point_sample(&w->point));
    const mat rows = mat_from_dense(ctx, a, (uint32_t) kept.count, 1, kept.at);
    const mat J = mat_jacobian(ctx, a, rows, s->n, x);
    uint32_t *order = NEW_ARRAY(a, uint32_t, rows.rows + 1);
    sheet *page = sheet_create(ctx, a);
    mechanics_sizes(w->point.mech, page);
    system_newton out = {.rows = kept.count};
    const uint32_t rank = recipe_rank(&r, J, order);
    const model_tree *t = w->point.mech->tree;
    if (t)
        out.step = step_of_tree(w, page, t, J, rows, rank);
    else
        out.step =
            sheet_kkt(page, sheet_leaf(page, mechanics_mass(w->point.mech)), sheet_leaf(page, J),
                      sheet_leaf(page, mat_zero(ctx, a, s->n, 1)), sheet_leaf(page, rows), rank);
    out.runner = run_create(ctx, a, page, &out.step, 1);
    out.g = expr_plan_create(ctx, a, kept.at, kept.count);
    return out;
}

static void take_runners(creation *w)
{
    ah_system *s = w->s;
    ah_ctx *ctx = w->model->ctx;
    const ah_equations *eq = s->equations.eq;
    const quantity rates[] = {s->code.rate, eq->qddot};
    s->rates = run_create(ctx, &s->arena, eq->sheet, rates, 2);
    if (!s->reactions.refused && !s->reactions.eq->branches) {
        const quantity forces[] = {s->reactions.eq->multipliers, s->reactions.eq->reaction};
        s->forces = run_create(ctx, &s->arena, s->reactions.eq->sheet, forces, 2);
    }
    /* the sheets may grow later: these know them as they are now */
    s->rates = run_copy(ctx, &s->arena, s->rates);
    if (s->forces) s->forces = run_copy(ctx, &s->arena, s->forces);
    s->places = newton_of(w, motion_code_holonomic(&w->point), w->model->q.at);
    if (!s->code.psi) s->velocities = newton_of(w, w->point.mech->C, w->model->v.at);
}

static void take_prototypes(creation *w)
{
    ah_system *s = w->s;
    const ah_model *m = w->model;
    ah_ctx *ctx = m->ctx;
    expr_list energy = {0};
    LIST_PUSH(&s->arena, &energy, model_energy(w->model));
    LIST_PUSH(&s->arena, &energy, m->V);
    s->at.t = expr_slot(ctx, expr_time(ctx));
    s->at.q = slots_of(w, m->q.at, s->n, false);
    s->at.v = slots_of(w, m->v.at, s->n, false);
    s->at.a = slots_of(w, m->a.at, s->n, false);
    s->at.s = slots_of(w, s->code.second, s->m, false);
    s->at.s_dot = slots_of(w, s->code.second, s->m, true);
    take_parameters(w);
    take_speeds(w);
    take_derived(w);
    expr_list residual = list_of(w, motion_code_holonomic(&w->point));
    const expr_list C = list_of(w, w->point.mech->C);
    for (size_t i = 0; i < C.count; i++) LIST_PUSH(&s->arena, &residual, C.at[i]);
    s->energy = plan_of(w, energy);
    s->residual = plan_of(w, residual);
    s->output = plan_of(w, w->outputs);
    s->event = plan_of(w, w->events);
    take_runners(w);
    s->values = frame_create(ctx, &s->arena, NAN);
}

/* ---- Names ----------------------------------------------------------------------------------- */

typedef LIST(const char *) names;

static const char *symbol_name(creation *w, ah_expr symbol)
{
    return expr_text(w->model->ctx, &w->s->arena, symbol, AH_ASCII);
}

static void keep_names(creation *w, ah_quantity what, const names *list)
{
    ah_system *s = w->s;
    const char **unit = NEW_ARRAY(&s->arena, const char *, list->count + 1);
    for (size_t i = 0; i < list->count; i++) unit[i] = model_unit_of_derived(w->model, list->at[i]);
    s->count[what] = list->count;
    s->name[what] = list->at;
    s->unit[what] = unit;
}

static void name_symbols(creation *w, ah_quantity what, const ah_expr *first, size_t count,
                         const ah_expr *second, size_t more, bool dot)
{
    ah_ctx *ctx = w->model->ctx;
    names list = {0};
    for (size_t i = 0; i < count + more; i++) {
        const ah_expr x = i < count ? first[i] : second[i - count];
        LIST_PUSH(&w->s->arena, &list, symbol_name(w, dot ? expr_dot(ctx, x) : x));
    }
    keep_names(w, what, &list);
}

/* lambda[label], reaction[q], residuals by label; a prime where the constraint is differentiated. */
static void name_constraints(creation *w)
{
    ah_system *s = w->s;
    const ah_model *m = w->model;
    names multiplier = {0}, reaction = {0}, residual = {0};
    for (size_t i = 0; i < m->constraints.count; i++) {
        const char *label = m->constraints.at[i].label;
        LIST_PUSH(&s->arena, &multiplier,
                  model_derived_label(m, &s->arena, (derived_ref){DERIVED_LAMBDA, {(uint32_t) i}}));
        if (m->constraints.at[i].order == MODEL_HOLONOMIC) LIST_PUSH(&s->arena, &residual, label);
    }
    for (size_t i = 0; i < m->constraints.count; i++)
        LIST_PUSH(&s->arena, &residual,
                  m->constraints.at[i].order == MODEL_HOLONOMIC
                      ? arena_printf(&s->arena, "%s'", m->constraints.at[i].label)
                      : m->constraints.at[i].label);
    for (uint32_t i = 0; i < s->n; i++)
        LIST_PUSH(&s->arena, &reaction,
                  model_derived_label(m, &s->arena, (derived_ref){DERIVED_REACTION, {i}}));
    keep_names(w, AH_Q_RESIDUAL, &residual);
    if (!s->forces) return;
    keep_names(w, AH_Q_MULTIPLIER, &multiplier);
    keep_names(w, AH_Q_REACTION, &reaction);
}

static void name_all(creation *w)
{
    static const char *const energy[] = {"energy", "kinetic", "potential"};
    ah_system *s = w->s;
    const ah_model *m = w->model;
    const size_t size = (size_t) s->n + s->m, parameters = s->code.parameters.count;
    names list = {0}, outputs = {0}, events = {0};
    name_symbols(w, AH_Q_STATE, m->q.at, s->n, s->code.second, s->m, false);
    name_symbols(w, AH_Q_RATE, m->q.at, s->n, s->code.second, s->m, true);
    name_symbols(w, AH_Q_PARAMETER, s->code.parameters.at, parameters, NULL, 0, false);
    name_symbols(w, AH_Q_VELOCITY, m->v.at, s->n, NULL, 0, false);
    name_symbols(w, AH_Q_ACCELERATION, m->a.at, s->n, NULL, 0, false);
    for (int i = 0; i < 3; i++) LIST_PUSH(&s->arena, &list, energy[i]);
    keep_names(w, AH_Q_ENERGY, &list);
    for (size_t i = 0; i < w->outputs.count; i++) LIST_PUSH(&s->arena, &outputs, w->output_name[i]);
    keep_names(w, AH_Q_OUTPUT, &outputs);
    for (size_t i = 0; i < s->events.count; i++)
        LIST_PUSH(&s->arena, &events, s->events.at[i]->label);
    keep_names(w, AH_Q_EVENT, &events);
    name_constraints(w);
    if (s->code.program[MOTION_JACOBIAN]) s->count[AH_Q_BY_STATE] = size * size;
    const program *by_parameters = s->code.program[MOTION_BY_PARAMETERS];
    if (by_parameters) s->count[AH_Q_BY_PARAMETER] = by_parameters->outputs;
    if (s->code.program[MOTION_BY_TIME]) s->count[AH_Q_BY_TIME] = size;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void choose_outputs(creation *w, making *programs)
{
    ah_system *s = w->s;
    const ah_model *m = w->model;
    w->output_name = NEW_ARRAY(&s->arena, const char *, m->outputs.count + 1);
    for (size_t i = 0; i < m->outputs.count; i++) {
        if (!system_has_output(programs, &s->reactions, m->outputs.at[i].e)) continue;
        w->output_name[w->outputs.count] = m->outputs.at[i].name;
        LIST_PUSH(&s->arena, &w->outputs, m->outputs.at[i].e);
    }
}

/* Those that are formulas of the state. */
static void choose_events(creation *w, making *programs)
{
    ah_system *s = w->s;
    const ah_model *m = w->model;
    for (size_t i = 0; i < m->events.count; i++) {
        if (!system_has_output(programs, &s->reactions, m->events.at[i].e)) continue;
        LIST_PUSH(&s->arena, &s->events, &m->events.at[i]);
        LIST_PUSH(&s->arena, &w->events, m->events.at[i].e);
    }
}

static void make_programs(creation *w, engine_kind kind)
{
    ah_system *s = w->s;
    motion_code_begin(&s->code, &s->equations, &w->point);
    s->n = s->code.n;
    s->m = s->code.m;
    s->r = w->point.mech->r;
    making programs = making_of(&s->code, &w->point);
    choose_outputs(w, &programs);
    choose_events(w, &programs);
    making_all(&programs, &s->equations, &s->reactions);
    system_programs(&programs, &s->equations, &s->reactions, w->outputs, w->events);
    if (w->options.jacobians) system_jacobians(&programs, &s->equations);
    if (w->options.lasting) {
        system_lasting(&programs, &s->equations, &s->reactions);
        system_switchings(&programs, &s->equations, &s->reactions);
    }
    const program *f = s->code.program[MOTION_RHS];
    s->code.no_jets = "the equations are too long for a series";
    if (f && program_operations(f) <= JETS_OPERATIONS) motion_code_add_jets(&s->code, &s->arena);
    making_room(&s->code, &s->arena);
    motion_code_start(&s->code, kind);
}

/* Of w->model. */
static bool make(creation *w, engine_kind kind)
{
    ah_ctx *ctx = w->model->ctx;
    w->s = ctx_realloc(ctx, NULL, 0, sizeof *w->s);
    *w->s = (ah_system){.model = w->model, .options = w->options, .engine = kind};
    if (w->whole) w->whole->pieces = w->s;              /* before anything can raise */
    w->s->options.method = w->s->options.engine = NULL; /* the caller's */
    arena_init(&w->s->arena, ctx);
    if (!choose_method(w)) return false;
    motion_state_declare(w->model, &w->s->equations);
    if (!choose_state(w) || !choose_component(w)) return false;
    motion_switches_put(&w->point);
    make_programs(w, kind);
    take_prototypes(w);
    name_all(w);
    ah_system *s = w->s;
    s->t0 = point_get(&w->point, expr_time(ctx));
    s->t1 = w->model->t1 == AH_NONE ? NAN : point_eval(&w->point, w->model->t1);
    s->y0 = NEW_ARRAY(&s->arena, double, (size_t) s->n + s->m);
    for (uint32_t i = 0; i < s->n; i++) s->y0[i] = point_get(&w->point, w->model->q.at[i]);
    for (uint32_t i = 0; i < s->m; i++) s->y0[s->n + i] = point_get(&w->point, s->code.second[i]);
    return true;
}

/* One with the same options; NULL: there is none. Of its fork are those by the same method. */
static ah_system *find_alike(const creation *w, engine_kind kind)
{
    for (ah_system *s = system_fork_first(w->fork); s; s = s->next)
        if (s->engine == kind && s->options.jacobians == w->options.jacobians &&
            s->options.project == w->options.project && s->options.lasting == w->options.lasting)
            return s;
    return NULL;
}

/* The system itself; and another one for motions, where its forces switch. */
static void create(ah_ctx *ctx, void *arg)
{
    creation *w = arg;
    engine_kind kind;
    if (!motion_find_engine(ctx, w->options.engine, &kind)) return;
    w->s = find_alike(w, kind);
    w->found = w->s != NULL;
    if (w->found) return;
    w->model = w->options.driven ? model_driven(w->model) : model_fed(w->model);
    ah_model *whole = w->model;
    ah_model *pieces = w->options.lasting ? model_pieces_alone(whole) : model_pieces(whole);
    if (!make(w, kind) || pieces == whole) return;
    creation of_pieces = {.model = pieces, .options = {.method = w->options.method}, .whole = w->s};
    if (w->options.lasting) of_pieces.options = w->options;
    make(&of_pieces, kind);
    w->status = of_pieces.status;
}

static void discard(ah_system *s)
{
    ah_ctx *ctx = s->model->ctx;
    if (s->pieces) discard(s->pieces);
    arena_clear(&s->arena);
    ctx_realloc(ctx, s, sizeof *s, 0);
}

ah_status ah_system_create(ah_model *m, const ah_system_options *options, ah_system **out)
{
    if (out) *out = NULL;
    if (!m || !out) return AH_E_INPUT;
    creation w = {.options = ah_system_defaults()};
    if (!base_take_options(m->ctx, &w.options, sizeof w.options, options)) return AH_E_INPUT;
    /* derivations and plans go with the systems, not with the model */
    ah_status status = system_fork_open(m, w.options.method, w.options.driven, &w.fork);
    if (status != AH_OK) return status;
    w.model = system_fork_model(w.fork);
    status = model_guard(w.model, create, &w);
    if (status == AH_OK && w.status == AH_OK) {
        if (!w.found) system_fork_add(w.fork, w.s);
        w.s->users++;
        *out = w.s;
        return AH_OK;
    }
    if (w.s && !w.found) discard(w.s);
    system_fork_close(w.fork, true);
    return w.status != AH_OK ? w.status : status;
}

void ah_system_destroy(ah_system *s)
{
    if (!s) return;
    system_fork *fork = s->fork;
    if (--s->users == 0) {
        system_fork_remove(s);
        discard(s);
    }
    system_fork_close(fork, false);
}

/* ---- Looking --------------------------------------------------------------------------------- */

static bool has(const ah_system *s, ah_quantity what)
{
    return s && (unsigned) what < AH_QUANTITIES;
}

size_t ah_system_count(const ah_system *s, ah_quantity what)
{
    return has(s, what) ? s->count[what] : 0;
}

const char *ah_system_name(const ah_system *s, ah_quantity what, size_t index)
{
    return has(s, what) && s->name[what] && index < s->count[what] ? s->name[what][index] : NULL;
}

const char *ah_system_unit(const ah_system *s, ah_quantity what, size_t index)
{
    return has(s, what) && s->unit[what] && index < s->count[what] ? s->unit[what][index] : NULL;
}

ptrdiff_t ah_system_find(const ah_system *s, ah_quantity what, const char *name)
{
    for (size_t i = 0; name && i < ah_system_count(s, what); i++) {
        const char *here = ah_system_name(s, what, i);
        if (here && !strcmp(here, name)) return (ptrdiff_t) i;
    }
    return -1;
}

const char *ah_system_method(const ah_system *s)
{
    return s ? s->method->name : NULL;
}

const char *ah_system_engine(const ah_system *s)
{
    return s ? engine_name(engine_get_kind(s->code.engine)) : NULL;
}

ah_status ah_system_start(const ah_system *s, double *t, double *y)
{
    if (!s || !y) return AH_E_INPUT;
    if (!s->started) return AH_E_REFUSED;
    if (t) *t = s->t0;
    memcpy(y, s->y0, s->count[AH_Q_STATE] * sizeof *y);
    return AH_OK;
}

ah_status ah_system_parameters(const ah_system *s, double *parameters)
{
    if (!s || !parameters) return AH_E_INPUT;
    memcpy(parameters, s->parameter, s->count[AH_Q_PARAMETER] * sizeof *parameters);
    return AH_OK;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

ah_model *system_model(const ah_system *s)
{
    return s->model;
}

const motion_code *system_code(const ah_system *s)
{
    return &s->code;
}

const eval_method *system_equations(const ah_system *s)
{
    return &s->equations;
}

const ah_system *system_in_pieces(const ah_system *s)
{
    return s->pieces ? s->pieces : s;
}

bool system_switches(const ah_system *s)
{
    return s->pieces || s->model->switches.count || s->model->breaks.count;
}

int ah_system_event_direction(const ah_system *s, size_t index)
{
    return s && index < s->events.count ? s->events.at[index]->direction : 0;
}

const system_events *system_get_events(const ah_system *s)
{
    return &s->events;
}

double system_end(const ah_system *s)
{
    return s->t1;
}
