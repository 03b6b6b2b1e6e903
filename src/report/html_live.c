/* report/html_live.c - the motion to be played with: the system as JavaScript, and how the picture and the
 * plots come from its numbers. Everything that is drawn is an output of a system of its own, so a slider
 * moves what it should. */
#include "html.h"
#include "sha256.h"
#include "../export/export.h"
#include "../figure/figure.h"

#include <math.h>
#include <string.h>

/* Seconds to make it, and bytes of it that a page carries. */
#define LIVE_SECONDS 5.0
#define LIVE_BYTES   500000

typedef struct living {
    scene scene;
    plot_requests plots;
    expr_list start; /* values of … */
    expr_list of;    /* … these; of the time: the end of the span */
    ah_system *system;
    const char *code;
} living;

/* The model with these as its outputs. */
static ah_model *with_outputs(html *h, const living *l)
{
    ah_model *view = model_view(h->model, h->arena);
    memset(&view->outputs, 0, sizeof view->outputs);
    const expr_list *lists[] = {&l->scene.extras, &l->plots.e, &l->start};
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const char *name = arena_printf(h->arena, "e%zu", view->outputs.count);
            LIST_PUSH(h->arena, &view->outputs, ((model_output){name, lists[k]->at[i], NOWHERE}));
        }
    return view;
}

/* ---- Where it begins and ends ----------------------------------------------------------------- */

static ah_expr value_of(const ah_model *m, ah_expr symbol)
{
    for (size_t i = m->start.count; i-- > 0;)
        if (m->start.at[i].symbol == symbol)
            return m->start.at[i].written != AH_NONE ? m->start.at[i].written
                                                     : m->start.at[i].value;
    return AH_NONE;
}

/* Values that do not move with a slider are numbers of the code. */
static void follow(html *h, living *l, ah_expr symbol, ah_expr value)
{
    if (value == AH_NONE || !(expr_depends_kind(h->ctx, value, AH_PARAMETER) ||
                              expr_depends_kind(h->ctx, value, AH_COORDINATE)))
        return;
    LIST_PUSH(h->arena, &l->start, value);
    LIST_PUSH(h->arena, &l->of, symbol);
}

/* The velocities by their values at the start; AH_NONE where one has none. */
static ah_expr by_velocities(html *h, ah_expr e)
{
    const ah_model *m = h->model;
    expr_list values = {0};
    for (size_t i = 0; i < m->v.count; i++) {
        const ah_expr value = value_of(m, m->v.at[i]);
        if (value == AH_NONE && expr_depends(h->ctx, e, m->v.at[i])) return AH_NONE;
        LIST_PUSH(h->arena, &values, value == AH_NONE ? m->v.at[i] : value);
    }
    return ah_substitute(h->ctx, e, m->v.count, m->v.at, values.at);
}

/* `start` and the end of the span as far as they are formulas; a velocity parameter that is a state, by the velocities. */
static void plan_start(html *h, living *l)
{
    const ah_model *m = h->model;
    for (size_t i = 0; i < m->start.count; i++)
        follow(h, l, m->start.at[i].symbol, value_of(m, m->start.at[i].symbol));
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        if (value_of(m, m->quasivelocities.at[i].symbol) == AH_NONE)
            follow(h, l, m->quasivelocities.at[i].symbol,
                   by_velocities(h, m->quasivelocities.at[i].definition));
    if (!h->options->to) follow(h, l, expr_time(h->ctx), m->t1);
}

static void let_go(void *system)
{
    ah_system_destroy(system);
}

/* ---- Data ------------------------------------------------------------------------------------ */

/* Where the quantity is among the outputs of the system; −1: it has no formula. */
static long output_of(const living *l, size_t index)
{
    char name[30];
    snprintf(name, sizeof name, "e%zu", index);
    return (long) ah_system_find(l->system, AH_Q_OUTPUT, name);
}

static void put_quantity(json *j, const living *l, const char *key, const plot_quantity *q)
{
    json_key(j, key);
    json_array(j);
    json_int(j, output_of(l, l->scene.extras.count + q->column));
    json_bool(j, q->change);
    json_close(j);
}

static void put_panel(json *j, const living *l, const plot_request *r)
{
    json_object(j);
    json_key(j, "log");
    json_bool(j, r->y.log);
    json_key(j, "equal");
    json_bool(j, r->equal);
    json_key(j, "pairs");
    json_array(j);
    for (size_t i = 0; i < r->pair.count; i++) {
        json_object(j);
        put_quantity(j, l, "x", &r->pair.at[i].x);
        put_quantity(j, l, "y", &r->pair.at[i].y);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

/* Coordinates and velocities of which `start` says nothing: they follow from the constraints. */
static void put_open(json *j, html *h)
{
    const ah_model *m = h->model;
    json_key(j, "open");
    json_array(j);
    for (size_t i = 0; i < 2 * m->q.count; i++) {
        const ah_expr symbol = i < m->q.count ? m->q.at[i] : m->v.at[i - m->q.count];
        if (value_of(m, symbol) == AH_NONE) json_string(j, ah_print(h->ctx, symbol, AH_ASCII));
    }
    json_close(j);
}

/* What has no slider: parameters of which indices and ranges are made, for another value is another model, and
 * velocities that are told by inputs. */
static void put_fixed(json *j, html *h)
{
    const ah_model *m = h->model;
    json_key(j, "fixed");
    json_array(j);
    for (size_t i = 0; i < m->parameters.count; i++)
        if (m->parameters.at[i].counts) json_string(j, m->parameters.at[i].name);
    for (size_t i = 0; m->kinematic && i < m->v.count; i++)
        json_string(j, ah_print(h->ctx, m->v.at[i], AH_ASCII));
    json_close(j);
}

static const char *data_of(html *h, const living *l)
{
    json j = json_begin(h->arena);
    json_object(&j);
    json_key(&j, "outputs"); /* of the channels of the picture */
    json_array(&j);
    for (size_t i = 0; i < l->scene.extras.count; i++) json_int(&j, output_of(l, i));
    json_close(&j);
    json_key(&j, "plots");
    json_array(&j);
    for (size_t i = 0; i < l->plots.list.count; i++) put_panel(&j, l, &l->plots.list.at[i]);
    json_close(&j);
    json_key(&j, "end"); /* of the span: the motion may have stopped before */
    json_number(&j, h->motion->span.t1);
    json_key(&j,
             "begins"); /* outputs that are values of the start, by names of states; "t": the end */
    json_object(&j);
    for (size_t i = 0; i < l->start.count; i++) {
        json_key(&j, ah_print(h->ctx, l->of.at[i], AH_ASCII));
        json_int(&j, output_of(l, l->scene.extras.count + l->plots.e.count + i));
    }
    json_close(&j);
    put_open(&j, h);
    put_fixed(&j, h);
    json_close(&j);
    return json_end(&j);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool refuse(html *h, const char *why)
{
    h->still = why;
    return false;
}

static bool make_system(html *h, living *l)
{
    ah_system_options o = ah_system_defaults();
    o.engine = "interpret";
    o.lasting = true;
    o.project = h->options->project;
    scene_plan(h->model, h->arena, &l->scene);
    l->plots.model = h->model;
    plot_ask_default(&l->plots);
    if (l->scene.extras.count != h->scene->extras.count ||
        l->plots.list.count != h->plots->list.count)
        return refuse(h, "its picture is of one motion alone");
    plan_start(h, l);
    if (h->options->at) return refuse(h, "it begins elsewhere than the model says");
    const ah_status status = ah_system_create(with_outputs(h, l), &o, &l->system);
    if (status == AH_E_MEMORY || status == AH_E_INTERRUPTED) ctx_raise(h->ctx, status);
    return status == AH_OK || refuse(h, "its equations are no formulas");
}

static void make(html *h, void *arg)
{
    living *l = arg;
    ctx_held held;
    if (!make_system(h, l)) return;
    ctx_hold(h->ctx, &held, let_go, l->system);
    double t, *y = NEW_ARRAY(h->arena, double, ah_system_count(l->system, AH_Q_STATE) + 1);
    if (ah_system_start(l->system, &t, y) != AH_OK)
        refuse(h, "it has no start");
    else if (!(l->code = export_javascript(l->system, h->arena, "live_model")))
        refuse(h, "its equations are too large for formulas");
    else if (strlen(l->code) > LIVE_BYTES)
        refuse(h, "its equations are too large for a page");
    else
        h->live = data_of(h, l);
    ctx_drop(h->ctx, &held);
}

void html_make_live(html *h)
{
    living *l = NEW(h->arena, living);
    const char *why = html_try(h, LIVE_SECONDS, make, l);
    if (why) {
        h->still = why;
        h->live = NULL;
    }
    if (!h->live) return;
    char hex[65];
    sha256(l->code, strlen(l->code), hex);
    h->live_code = l->code;
    h->live_hash = arena_strdup(h->arena, hex);
}
