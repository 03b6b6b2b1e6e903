/* export/exported.c - everything of a system that templates can name. */
#include "exported.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lists ----------------------------------------------------------------------------------- */

/* What stands beside the parameters in their structure. */
static const exported_items members = {
    .at =
        (exported_item[]){
            {.id = "inputs"}, {.id = "drive"}, {.id = "user"}, {.id = "sides"}, {.id = "breaks"}},
    .count = 5};

static void add_item(exported *e, exported_items *list, const char *name, const char *unit,
                     double value)
{
    const char *id = export_identifier(e->ctx, e->arena, e->language, name, list);
    if (list == &e->parameters && export_is_taken(&members, id))
        id = export_identifier(e->ctx, e->arena, e->language, arena_printf(e->arena, "%s_", id),
                               list);
    const exported_item item = {id, arena_harmless(e->arena, name),
                                unit ? arena_harmless(e->arena, unit) : NULL, value};
    LIST_PUSH(e->arena, list, item);
}

static void take_quantity(exported *e, exported_items *list, ah_quantity what, const double *value)
{
    for (size_t i = 0; i < ah_system_count(e->system, what); i++)
        add_item(e, list, ah_system_name(e->system, what, i), ah_system_unit(e->system, what, i),
                 value ? value[i] : NAN);
}

/* Sides come last of all parameters of the system. */
static void take_sides(exported *e)
{
    ah_ctx *ctx = e->model->ctx;
    const ah_model *m = e->model;
    e->parameters.count -= m->switches.count;
    for (size_t i = 0; i < m->switches.count; i++) {
        const ah_expr g = m->switches.at[i].e;
        const bool timed = !expr_depends_kind(ctx, g, AH_COORDINATE) &&
                           !expr_depends_kind(ctx, g, AH_VELOCITY) &&
                           !expr_depends_kind(ctx, g, AH_SPEED);
        LIST_PUSH(e->arena, &e->sides,
                  ((exported_item){.name = e->parameters.at[e->parameters.count + i].name,
                                   .value = NAN,
                                   .timed = timed}));
    }
}

/* Parameters of the system that stand for inputs come after all others. */
static void take_inputs(exported *e)
{
    size_t given = 0;
    const model_parameter *p = e->model->parameters.at;
    const size_t all = e->model->parameters.count - e->sides.count;
    for (size_t i = 0; i < all; i++) given += p[i].drive == AH_NONE;
    const size_t plain = e->parameters.count + given - all;
    for (size_t i = plain; i < e->parameters.count; i++, p += 1) {
        while (p->drive == AH_NONE) p++;
        const bool clock = p->order == MODEL_CLOCK;
        if (!p->order)
            LIST_PUSH(e->arena, &e->roots, ((exported_item){.name = p->name, .value = NAN}));
        add_item(e, &e->inputs, p->name, model_unit_of_derived(e->model, p->name),
                 e->parameters.at[i].value);
        exported_item *item = &e->inputs.at[e->inputs.count - 1];
        item->place = e->inputs.count - 1;
        item->root = e->roots.count - 1;
        item->order = p->order;
        LIST_PUSH(e->arena, clock ? &e->clocks : &e->signals, *item);
        if (!clock && expr_get_op(e->ctx, p->drive) != EXPR_NUMBER) e->driven = true;
    }
    e->parameters.count = plain;
}

static void take_events(exported *e)
{
    const system_events *events = system_get_events(e->system);
    for (size_t i = 0; i < events->count; i++) {
        add_item(e, &e->events, events->at[i]->label, NULL, events->at[i]->direction);
        e->events.at[i].stop = events->at[i]->stop;
    }
}

static void take_outputs(exported *e)
{
    const ah_model *m = e->model;
    take_quantity(e, &e->outputs, AH_Q_OUTPUT, NULL);
    for (size_t i = 0, k = 0; i < e->outputs.count;
         i++, k++) { /* those of the model but for some */
        const char *name = ah_system_name(e->system, AH_Q_OUTPUT, i);
        while (strcmp(m->outputs.at[k].name, name)) k++;
        e->outputs.at[i].forced = model_follows_forces(m->ctx, m->outputs.at[k].e);
    }
}

static void take_lists(exported *e)
{
    const ah_system *s = e->system;
    double *y = NEW_ARRAY(e->arena, double, ah_system_count(s, AH_Q_STATE) + 1);
    double *parameter = NEW_ARRAY(e->arena, double, ah_system_count(s, AH_Q_PARAMETER) + 1);
    e->started = ah_system_start(s, &e->t0, y) == AH_OK;
    e->t1 = system_end(s);
    ah_system_parameters(s, parameter);
    take_quantity(e, &e->parameters, AH_Q_PARAMETER, parameter);
    take_sides(e);
    take_inputs(e);
    take_quantity(e, &e->states, AH_Q_STATE, y);
    take_quantity(e, &e->velocities, AH_Q_VELOCITY, NULL);
    take_quantity(e, &e->accelerations, AH_Q_ACCELERATION, NULL);
    take_quantity(e, &e->multipliers, AH_Q_MULTIPLIER, NULL);
    take_quantity(e, &e->reactions, AH_Q_REACTION, NULL);
    take_quantity(e, &e->residuals, AH_Q_RESIDUAL, NULL);
    if (e->code->program[MOTION_OUTPUTS]) take_outputs(e);
    if (e->code->program[MOTION_EVENTS]) take_events(e);
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* Names, and what a header says of them; those without are not exported. */
static const struct {
    const char *name, *doc;
} functions[MOTION_PROGRAMS] = {
    [MOTION_RHS] = {"rhs", "y' = f(t, y), the right-hand side"},
    [MOTION_QDOT] = {"velocities", "the velocities of all coordinates"},
    [MOTION_ACCELERATIONS] = {"accelerations", "the accelerations of all coordinates"},
    [MOTION_REACTIONS] = {"reactions",
                          "multipliers of the constraints, then their forces on each coordinate"},
    [MOTION_ENERGY] = {"energy", "T + V, then V"},
    [MOTION_RESIDUALS] = {"residuals", "what is left of each constraint: left side - right side"},
    [MOTION_OUTPUTS] = {"outputs", "the model's outputs"},
    [MOTION_EVENTS] = {"events", "an event happens where its number is zero"},
    [MOTION_JACOBIAN] = {"jacobian", "the derivatives of y' by y, row after row"},
    [MOTION_BY_PARAMETERS] = {"by_parameters",
                              "the derivatives of y' by the parameters and then by the inputs, "
                              "row after row"},
    [MOTION_BY_TIME] = {"by_time", "the derivatives of y' by t"},
    [MOTION_SURE] = {"sure",
                     "y', then the accelerations, where the form that is tried first fails"},
    [MOTION_DRIVE] = {"inputs_alone", "the inputs as the model has them"},
    [MOTION_SWITCHES] = {"switches",
                         "what forces change their side with: numbers, then the sizes of "
                         "their terms"},
    [MOTION_SIDES] = {"sides_alone", "numbers whose signs the sides are by themselves"},
    [MOTION_BREAKS] = {"breaks", "times at which something changes"},
    [MOTION_KINKS] = {"kinks", "where one of these changes its sign a constraint may have a kink"},
    [MOTION_PLACES] = {"places", "one step of the projection of the coordinates"},
    [MOTION_VELOCITIES] = {"speeds", "one step of the projection of the velocities"},
};

static void take_functions(exported *e)
{
    for (int i = 0; i < MOTION_PROGRAMS; i++) {
        if (!functions[i].name) continue;
        const program *p = e->code->program[i];
        bool fed = false, sided = false;
        if (i == MOTION_DRIVE && !e->driven) p = NULL;
        if (p) p = export_open_inputs(e, p, &fed, &sided);
        e->function[i] = (exported_function){
            functions[i].name, functions[i].doc, p, p ? p->outputs : 0, NULL, fed, sided};
    }
    for (size_t i = 0; i < e->function[MOTION_KINKS].count / 2; i++)
        LIST_PUSH(e->arena, &e->corners, (exported_item){0});
}

static const char *upper_of(arena *a, const char *s)
{
    char *out = arena_strdup(a, s);
    for (char *c = out; *c; c++)
        if (*c >= 'a' && *c <= 'z') *c = (char) (*c - 'a' + 'A');
    return out;
}

/* ---- Numbers and formulas -------------------------------------------------------------------- */

static const char *shortest(arena *a, double x)
{
    const char *s = "";
    for (int digits = 15; digits <= 17; digits++) {
        text t = text_begin(a);
        text_double(&t, x, digits);
        s = text_end(&t);
        if (strtod(s, NULL) == x) break;
    }
    return s;
}

void export_number(const exported *e, text *t, double x)
{
    const language *l = e->language;
    if (l == &export_float && (float) x == 0) x = 0; /* of tables that were worked out */
    const bool minus = signbit(x) && !isnan(x);
    if (minus) text_add(t, "(-");
    if (isnan(x)) {
        text_add(t, l->undefined);
    } else if (isinf(x)) {
        text_add(t, l->infinity);
    } else {
        const char *s = shortest(e->arena, fabs(x));
        text_printf(t, "%s%s%s", s, strpbrk(s, ".e") ? "" : ".0", l->suffix);
    }
    if (minus) text_char(t, ')');
}

static void parameter(const exported *e, text *t, uint32_t i)
{
    text_printf(t, "%s%s", e->language->member, e->parameters.at[i].id);
}

static void element(const exported *e, text *t, const char *name, uint32_t i)
{
    const language *l = e->language;
    text_printf(t, "%s%s%u%s", name, l->open, i + l->dialect.first, l->end);
}

/* A leaf of `prepare`, or of any program through it. */
static void prepared(const void *user, text *t, const program *p, const program_code *c)
{
    const exported *e = user;
    if (c->op == PROGRAM_INPUT)
        parameter(e, t, c->a);
    else
        export_number(e, t, p->constants.at[c->a]);
}

typedef struct leaves {
    const exported *e;
    const exported_function *f;
} leaves;

static void leaf(const void *user, text *t, const program *p, const program_code *c)
{
    const leaves *w = user;
    const exported *e = w->e;
    (void) p;
    if (c->op == PROGRAM_INPUT) {
        const size_t inputs = e->states.count + e->inputs.count;
        if (c->a > inputs)
            element(e, t, "s", (uint32_t) (c->a - 1 - inputs));
        else if (c->a > e->states.count)
            text_printf(t, "u.%s", e->inputs.at[c->a - 1 - e->states.count].id);
        else if (c->a)
            element(e, t, "y", c->a - 1);
        else
            text_char(t, 't');
        return;
    }
    const uint32_t x = w->f->constant[c->a];
    if (!e->derived[x]) {
        prepared(e, t, e->prepare, &e->prepare->code.at[x]);
        return;
    }
    text_add(t, e->language->member);
    element(e, t, "c", e->derived[x] - 1);
}

/* Long functions in parts; their constants have their places. */
static void cut_functions(exported *e)
{
    for (int i = 0; i < EXPORT_FUNCTIONS; i++) {
        exported_function *f = &e->function[i];
        if (!f->p || !e->language->part || !program_is_long(f->p)) continue;
        leaves *user = NEW(e->arena, leaves);
        *user = (leaves){e, f};
        f->parts = program_writing_create(f->p, e->arena, &e->language->dialect, leaf, user);
    }
}

bool export_is_long(const exported *e)
{
    for (int i = 0; i < EXPORT_FUNCTIONS; i++)
        if (e->function[i].parts) return true;
    return false;
}

void export_part(const exported_function *f, text *t, size_t part)
{
    program_write_part(f->parts, t, part);
}

void export_body(const exported *e, text *t, const exported_function *f)
{
    const leaves user = {e, f};
    program_write(f->p, t, &e->language->dialect, leaf, &user);
}

void export_prepare_body(const exported *e, text *t)
{
    program_write(e->prepare, t, &e->language->dialect, prepared, e);
}

void export_create(exported *e, const ah_system *s, const language *l, const char *name)
{
    e->system = s = system_in_pieces(s);
    e->model = system_model(s);
    e->code = system_code(s);
    e->language = l;
    e->name = name;
    e->upper = upper_of(e->arena, name);
    take_lists(e);
    take_functions(e);
    if (e->linear) export_linear(e);
    export_merge_constants(e);
    cut_functions(e);
}
