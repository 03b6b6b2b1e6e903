/* model/model_api.c - the public calls: the builders of this module under ctx_guard, with AH_NONE
 * turned away. */
#include "inside.h"

#include <string.h>

/* One record of arguments serves all calls; each body uses what it needs. */
typedef struct call {
    ah_ctx *ctx;
    ah_model *m;
    const char *name, *label;
    ah_expr x, y;
    ah_vector u, w;
    const ah_vector *at;
    const ah_body *body;
    size_t count;
    const ah_expr *list;
    bool flag;
    int axis;
    bool missing; /* an argument was AH_NONE */
    ah_expr out;
    ah_vector out_vector;
    void (*work)(ah_ctx *ctx, void *arg);
} call;

typedef void body(ah_ctx *ctx, void *arg);

/* A failed operation before leaves AH_NONE behind: then its error is already there. */
static bool is_given(const ah_ctx *ctx, ah_expr e)
{
    return e != AH_NONE && e < expr_pool_size(ctx);
}

static bool given(call *c, size_t count, const ah_expr *e)
{
    for (size_t i = 0; i < count; i++) {
        if (e && is_given(c->ctx, e[i])) continue;
        if (c->ctx->log->status == AH_OK)
            diag(c->ctx, A0403, NOWHERE, "an argument is missing: it is AH_NONE");
        c->missing = true;
        return false;
    }
    return true;
}

/* Where AH_NONE means something: no other handle of nothing. */
static bool given_or_none(call *c, size_t count, const ah_expr *e)
{
    for (size_t i = 0; i < count; i++)
        if (e[i] != AH_NONE && !given(c, 1, &e[i])) return false;
    return true;
}

/* NULL is no name; the builders say so of an empty one. */
static const char *name_of(const char *name)
{
    return name ? name : "";
}

static bool given_vector(call *c, const ah_vector *v)
{
    return given(c, 3, v->c);
}

/* Functions that have a body stand for it in whatever comes after them. */
static void put_bodies(const call *c, size_t count, ah_expr *e)
{
    for (size_t i = 0; i < count; i++)
        if (is_given(c->ctx, e[i])) model_put_bodies(c->m, &e[i], 1);
}

static void work(ah_ctx *ctx, void *arg)
{
    call *c = arg;
    ah_body own;
    ah_vector place;
    put_bodies(c, 1, &c->x);
    put_bodies(c, 1, &c->y);
    put_bodies(c, 3, c->u.c);
    put_bodies(c, 3, c->w.c);
    if (c->at) {
        place = *c->at;
        put_bodies(c, 3, place.c);
        c->at = &place;
    }
    if (c->body) {
        own = *c->body;
        put_bodies(c, 1, &own.mass);
        put_bodies(c, 6, own.inertia);
        put_bodies(c, 3, own.place.c);
        own.name = name_of(own.name);
        ah_turn *turn = NEW_ARRAY(&ctx->job, ah_turn, own.turns + 1);
        for (size_t k = 0; k < own.turns; k++) {
            if (!own.turn) {
                diag_wrong_call(ctx, "a body with turns that are NULL");
                return;
            }
            turn[k] = own.turn[k];
            put_bodies(c, 1, &turn[k].angle);
        }
        own.turn = turn;
        c->body = &own;
    }
    c->work(ctx, c);
}

static ah_status run(call *c, body *f)
{
    if (!c->m) return AH_E_INPUT;
    c->ctx = c->m->ctx;
    c->work = f;
    const ah_status status = ctx_guard(c->ctx, work, c);
    return status == AH_OK && c->missing ? AH_E_INPUT : status;
}

static ah_expr run_symbol(call *c, body *f)
{
    return run(c, f) == AH_OK ? c->out : AH_NONE;
}

static ah_vector run_vector(call *c, body *f)
{
    return run(c, f) == AH_OK ? c->out_vector : (ah_vector){{AH_NONE, AH_NONE, AH_NONE}};
}

/* ---- Declaring ------------------------------------------------------------------------------- */

static void create_body(ah_ctx *ctx, void *arg)
{
    call *c = arg;
    c->m = model_create(ctx);
    if (c->name) c->m->title = arena_harmless(&ctx->job, c->name);
}

ah_model *model_create_in(ah_ctx *ctx, const char *title)
{
    call c = {.name = title};
    return ctx_guard(ctx, create_body, &c) == AH_OK ? c.m : NULL;
}

ah_model *ah_model_create(ah_ctx *ctx, const char *title)
{
    ah_ctx *inside = ctx ? ctx_create_inside(ctx) : NULL;
    ah_model *m = inside ? model_create_in(inside, title) : NULL;
    if (inside && !m) ctx_destroy_inside(inside);
    return m;
}

static void destroy_if_unused(ah_model *m)
{
    if (!m->doomed || m->users || m->ctx == m->ctx->root) return;
    model_forks_destroy(m);
    ctx_destroy_inside(m->ctx);
}

void ah_model_destroy(ah_model *m)
{
    if (!m) return;
    m->doomed = true;
    destroy_if_unused(m);
}

void model_hold(ah_model *m)
{
    m->users++;
}

void model_let_go(ah_model *m)
{
    m->users--;
    destroy_if_unused(m);
}

ah_ctx *ah_model_context(const ah_model *m)
{
    return m ? m->ctx : NULL;
}

typedef struct guarded {
    const ah_model *m;
    ah_format format;
    body *work;
    void *arg;
} guarded;

static void if_finished(ah_ctx *ctx, void *arg)
{
    const guarded *g = arg;
    if (!g->m->finished)
        diag_wrong_call(ctx, "the model is not finished");
    else if (g->format != AH_TEXT && g->format != AH_JSON)
        diag_wrong_call(ctx, "an answer is written as AH_TEXT or as AH_JSON");
    else
        g->work(ctx, g->arg);
}

ah_status model_guard(ah_model *m, void (*question)(ah_ctx *ctx, void *arg), void *arg)
{
    return model_answer(m, AH_TEXT, question, arg);
}

ah_status model_answer(ah_model *m, ah_format format, void (*question)(ah_ctx *ctx, void *arg),
                       void *arg)
{
    guarded g = {m, format, question, arg};
    return m ? ctx_guard(m->ctx, if_finished, &g) : AH_E_INPUT;
}

static void source_body(ah_ctx *ctx, void *arg)
{
    const call *c = arg;
    c->m->source = c->name ? arena_harmless(&ctx->job, c->name) : NULL;
}

void ah_model_set_source(ah_model *m, const char *where_from)
{
    run(&(call){.m = m, .name = where_from}, source_body);
}

static void parameter_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given_or_none(c, 1, &c->x)) c->out = model_add_parameter(c->m, c->name, c->x, NOWHERE);
}

ah_expr ah_model_parameter(ah_model *m, const char *name, ah_expr value)
{
    return run_symbol(&(call){.m = m, .name = name_of(name), .x = value}, parameter_body);
}

static void coordinate_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    c->out = model_add_coordinate(c->m, c->name, NOWHERE);
}

ah_expr ah_model_coordinate(ah_model *m, const char *name)
{
    return run_symbol(&(call){.m = m, .name = name_of(name)}, coordinate_body);
}

static void dot_body(ah_ctx *ctx, void *arg)
{
    call *c = arg;
    if (!given(c, 1, &c->x)) return;
    c->out = expr_dot(ctx, c->x);
    if (c->flag && c->out != AH_NONE)
        c->out = expr_dot(ctx, c->out); /* of a parameter there is none */
}

ah_expr ah_model_velocity(ah_model *m, ah_expr coordinate)
{
    return run_symbol(&(call){.m = m, .x = coordinate}, dot_body);
}

ah_expr ah_model_acceleration(ah_model *m, ah_expr coordinate)
{
    return run_symbol(&(call){.m = m, .x = coordinate, .flag = true}, dot_body);
}

static void function_body(ah_ctx *ctx, void *arg)
{
    call *c = arg;
    if (!given(c, c->count, c->list) || !given_or_none(c, 1, &c->x)) return;
    ah_expr *own = NEW_ARRAY(&ctx->job, ah_expr, c->count);
    if (c->count) memcpy(own, c->list, c->count * sizeof *own);
    model_add_function(c->m, c->name, c->count, own, c->x, NOWHERE);
}

ah_status ah_model_function(ah_model *m, const char *name, size_t count, const ah_expr *arguments,
                            ah_expr body_or_none)
{
    return run(
        &(call){
            .m = m, .name = name_of(name), .count = count, .list = arguments, .x = body_or_none},
        function_body);
}

/* ---- Energies, forces, parts ----------------------------------------------------------------- */

static void kinetic_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x)) model_add_kinetic(c->m, c->x, NOWHERE);
}

ah_status ah_model_kinetic(ah_model *m, ah_expr e)
{
    return run(&(call){.m = m, .x = e}, kinetic_body);
}

static void potential_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x)) model_add_potential(c->m, c->x, NOWHERE);
}

ah_status ah_model_potential(ah_model *m, ah_expr e)
{
    return run(&(call){.m = m, .x = e}, potential_body);
}

static void force_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x) && given(c, 1, &c->y)) model_add_force(c->m, c->x, c->y, NOWHERE);
}

ah_status ah_model_force(ah_model *m, ah_expr coordinate, ah_expr e)
{
    return run(&(call){.m = m, .x = coordinate, .y = e}, force_body);
}

static void gravity_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given_vector(c, &c->u)) model_add_gravity(c->m, c->u, NOWHERE);
}

ah_status ah_model_gravity(ah_model *m, ah_vector g)
{
    return run(&(call){.m = m, .u = g}, gravity_body);
}

static void point_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x) && given_vector(c, &c->u))
        model_add_point(c->m, c->name, c->x, c->u, NOWHERE);
}

ah_status ah_model_point(ah_model *m, const char *name, ah_expr mass, ah_vector place)
{
    return run(&(call){.m = m, .name = name_of(name), .x = mass, .u = place}, point_body);
}

static void body_body(ah_ctx *ctx, void *arg)
{
    call *c = arg;
    if (!c->body) {
        diag_wrong_call(ctx, "a body without a description");
        return;
    }
    if (!given(c, 1, &c->body->mass) || !given_vector(c, &c->body->place) ||
        !given_or_none(c, 6, c->body->inertia))
        return;
    for (size_t k = 0; k < c->body->turns; k++)
        if (!given(c, 1, &c->body->turn[k].angle)) return;
    model_add_body(c->m, c->body, NOWHERE);
}

ah_status ah_model_body(ah_model *m, const ah_body *description)
{
    return run(&(call){.m = m, .body = description}, body_body);
}

/* The part of that name; reports A0403 where there is none. */
static const model_part *part(call *c, bool must_be_body)
{
    const model_part *p = model_find_part(c->m, c->name);
    if (p && (p->is_body || !must_be_body)) return p;
    diag(c->ctx, A0403, NOWHERE, "there is no %s `%s`", must_be_body ? "body" : "point or body",
         c->name);
    return NULL;
}

static void force_on_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    const model_part *p = part(c, false);
    if (p && given_vector(c, &c->u) && (!c->at || given_vector(c, c->at)))
        model_add_force_on(c->m, p, c->u, c->at, NOWHERE);
}

ah_status ah_model_force_on(ah_model *m, const char *point_or_body, ah_vector f,
                            const ah_vector *at)
{
    return run(&(call){.m = m, .name = name_of(point_or_body), .u = f, .at = at}, force_on_body);
}

static void torque_on_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    const model_part *p = part(c, true);
    if (p && given_vector(c, &c->u)) model_add_torque_on(c->m, p, c->u, NOWHERE);
}

ah_status ah_model_torque_on(ah_model *m, const char *name, ah_vector torque)
{
    return run(&(call){.m = m, .name = name_of(name), .u = torque}, torque_on_body);
}

/* ---- Constraints and velocities -------------------------------------------------------------- */

static void constraint_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x) && given(c, 1, &c->y))
        model_add_constraint(c->m, c->name, c->x, c->y, NOWHERE);
}

ah_status ah_model_constraint(ah_model *m, const char *label, ah_expr left, ah_expr right)
{
    return run(&(call){.m = m, .name = label, .x = left, .y = right}, constraint_body);
}

static void constraint_vector_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given_vector(c, &c->u) && given_vector(c, &c->w))
        model_add_constraint_vector(c->m, c->name, c->u, c->w, NOWHERE);
}

ah_status ah_model_constraint_vector(ah_model *m, const char *label, ah_vector left,
                                     ah_vector right)
{
    return run(&(call){.m = m, .name = label, .u = left, .w = right}, constraint_vector_body);
}

static void speed_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    c->out = model_add_speed(c->m, c->name, NOWHERE);
}

ah_expr ah_model_speed(ah_model *m, const char *name)
{
    return run_symbol(&(call){.m = m, .name = name_of(name)}, speed_body);
}

static void speed_equation_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x) && given(c, 1, &c->y))
        model_add_speed_equation(c->m, c->x, c->y, NOWHERE);
}

ah_status ah_model_speed_equation(ah_model *m, ah_expr coordinate, ah_expr psi)
{
    return run(&(call){.m = m, .x = coordinate, .y = psi}, speed_equation_body);
}

static void quasivelocity_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x)) c->out = model_add_quasivelocity(c->m, c->name, c->x, NOWHERE);
}

ah_expr ah_model_quasivelocity(ah_model *m, const char *name, ah_expr definition)
{
    return run_symbol(&(call){.m = m, .name = name_of(name), .x = definition}, quasivelocity_body);
}

/* ---- Facts, start, outputs, claims ----------------------------------------------------------- */

static void assume_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x)) model_add_fact(c->m, (algebra_fact){c->x, c->flag, false}, NOWHERE);
}

ah_status ah_model_assume(ah_model *m, ah_expr e, bool positive)
{
    return run(&(call){.m = m, .x = e, .flag = positive}, assume_body);
}

static void start_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x) && given(c, 1, &c->y)) model_add_start(c->m, c->x, c->y, NOWHERE);
}

ah_status ah_model_start(ah_model *m, ah_expr symbol, ah_expr value)
{
    return run(&(call){.m = m, .x = symbol, .y = value}, start_body);
}

static void span_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x) && given(c, 1, &c->y)) model_set_span(c->m, c->x, c->y, NOWHERE);
}

ah_status ah_model_span(ah_model *m, ah_expr from, ah_expr to)
{
    return run(&(call){.m = m, .x = from, .y = to}, span_body);
}

static void output_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x)) model_add_output(c->m, c->name, c->x, NOWHERE);
}

ah_status ah_model_output(ah_model *m, const char *name, ah_expr e)
{
    return run(&(call){.m = m, .name = name_of(name), .x = e}, output_body);
}

static void unit_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    model_add_unit(c->m, c->name, c->label, NOWHERE);
}

ah_status ah_model_unit(ah_model *m, const char *name, const char *unit)
{
    return run(&(call){.m = m, .name = name_of(name), .label = name_of(unit)}, unit_body);
}

static void event_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x))
        model_add_event(
            c->m,
            &(model_event){.label = c->name, .e = c->x, .direction = c->axis, .stop = c->flag});
}

ah_status ah_model_event(ah_model *m, const char *label, ah_expr e, int direction, bool stop)
{
    return run(&(call){.m = m, .name = name_of(label), .x = e, .axis = direction, .flag = stop},
               event_body);
}

static void claim_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    if (given(c, 1, &c->x) && given(c, 1, &c->y))
        model_add_claim(c->m, &(model_claim){.label = c->name,
                                             .left = c->x,
                                             .right = c->y,
                                             .constant = AH_NONE,
                                             .refute = c->flag});
}

ah_status ah_model_claim(ah_model *m, const char *label, ah_expr left, ah_expr right, bool refute)
{
    return run(&(call){.m = m, .name = name_of(label), .x = left, .y = right, .flag = refute},
               claim_body);
}

/* A finished model stays finished: the kinds of its constraints may depend on the value. */
static void set_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    const bool finished = c->m->finished;
    if (given(c, 1, &c->x)) model_set_parameter(c->m, c->name, c->x, NOWHERE);
    if (finished) model_finish(c->m);
}

ah_status ah_model_set(ah_model *m, const char *parameter, ah_expr value)
{
    return run(&(call){.m = m, .name = name_of(parameter), .x = value}, set_body);
}

/* ---- Geometry -------------------------------------------------------------------------------- */

static void position_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    const model_part *p = part(c, false);
    if (p) c->out_vector = p->place;
}

ah_vector ah_model_position(ah_model *m, const char *point_or_body)
{
    return run_vector(&(call){.m = m, .name = name_of(point_or_body)}, position_body);
}

static void velocity_of_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    const model_part *p = part(c, false);
    if (p) c->out_vector = p->velocity;
}

ah_vector ah_model_velocity_of(ah_model *m, const char *point_or_body)
{
    return run_vector(&(call){.m = m, .name = name_of(point_or_body)}, velocity_of_body);
}

static void velocity_at_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    const model_part *p = part(c, true);
    if (p && given_vector(c, &c->u)) c->out_vector = model_velocity_at(c->m, p, c->u);
}

ah_vector ah_model_velocity_at(ah_model *m, const char *name, ah_vector place)
{
    return run_vector(&(call){.m = m, .name = name_of(name), .u = place}, velocity_at_body);
}

static void omega_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    call *c = arg;
    const model_part *p = part(c, true);
    if (p) c->out_vector = p->omega;
}

ah_vector ah_model_omega(ah_model *m, const char *name)
{
    return run_vector(&(call){.m = m, .name = name_of(name)}, omega_body);
}

static void axis_body(ah_ctx *ctx, void *arg)
{
    call *c = arg;
    const model_part *p = part(c, true);
    if (!p) return;
    if (c->axis >= 1 && c->axis <= 3)
        c->out_vector = model_axis(p, c->axis);
    else
        diag(ctx, A0403, NOWHERE, "a body has no axis %d", c->axis);
}

ah_vector ah_model_axis(ah_model *m, const char *name, int axis)
{
    return run_vector(&(call){.m = m, .name = name_of(name), .axis = axis}, axis_body);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void finish_body(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    model_finish(((call *) arg)->m);
}

ah_status ah_model_finish(ah_model *m)
{
    return run(&(call){.m = m}, finish_body);
}

const char *ah_model_title(const ah_model *m)
{
    return m ? m->title : NULL;
}

size_t ah_model_coordinates(const ah_model *m)
{
    return m ? m->n : 0;
}

size_t ah_model_constraints(const ah_model *m)
{
    if (!m) return 0;
    return m->finished ? m->constraints.count : m->written.count;
}

const char *ah_model_label(const ah_model *m, size_t constraint)
{
    return m && constraint < m->constraints.count ? m->constraints.at[constraint].label : NULL;
}

ah_expr ah_model_constraint_left(const ah_model *m, size_t constraint)
{
    return m && constraint < m->constraints.count ? m->constraints.at[constraint].c : AH_NONE;
}

ah_expr ah_model_kinetic_energy(const ah_model *m)
{
    return m ? m->T : AH_NONE;
}

ah_expr ah_model_potential_energy(const ah_model *m)
{
    return m ? m->V : AH_NONE;
}

ah_expr ah_model_generalised_force(const ah_model *m, size_t coordinate)
{
    return m && m->F && coordinate < m->n ? m->F[coordinate] : AH_NONE;
}
