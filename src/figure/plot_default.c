/* figure/plot_default.c - what one wants to see of a motion first. */
#include "plot.h"

#include <string.h>

enum { MOST = 6 }; /* curves of one kind: more cannot be told apart */

typedef struct panel {
    plot_requests *r;
    plot_request request;
} panel;

static panel begin(plot_requests *r, const char *key, const char *caption)
{
    return (panel){r, {.key = key, .caption = caption}};
}

static void add(panel *p, ah_expr x, ah_expr y, const char *name, bool change)
{
    ah_ctx *ctx = p->r->model->ctx;
    const char *of_x = expr_text(ctx, &ctx->job, x, AH_ASCII);
    if (p->request.pair.count == MOST) return;
    plot_pair pair = {.x = plot_quantity_of(p->r, x, false, of_x),
                      .y = plot_quantity_of(p->r, y, change, name)};
    pair.label = pair.y.label;
    LIST_PUSH(&ctx->job, &p->request.pair, pair);
}

static void against_time(panel *p, ah_expr y)
{
    ah_ctx *ctx = p->r->model->ctx;
    add(p, expr_time(ctx), y, expr_text(ctx, &ctx->job, y, AH_ASCII), false);
}

/* Units are known and not all the same. */
static bool is_mixed(const plot_request *p)
{
    bool mixed = false;
    for (size_t i = 0; i < p->pair.count; i++) {
        if (!p->pair.at[i].y.unit) return false;
        mixed = mixed || strcmp(p->pair.at[i].y.unit, p->pair.at[0].y.unit) != 0;
    }
    return mixed;
}

/* The pairs of the first one's unit; those of others stay. */
static plot_request take_unit(plot_request *from, arena *a)
{
    plot_request taken = {.key = from->key, .caption = from->caption};
    const char *unit = from->pair.at[0].y.unit;
    size_t left = 0;
    for (size_t i = 0; i < from->pair.count; i++) {
        const plot_pair pair = from->pair.at[i];
        if (strcmp(pair.y.unit, unit))
            from->pair.at[left++] = pair;
        else
            LIST_PUSH(a, &taken.pair, pair);
    }
    from->pair.count = left;
    return taken;
}

/* One panel, or one for each unit. */
static void end(panel *p, bool log)
{
    arena *a = &p->r->model->ctx->job;
    while (p->request.pair.count) {
        plot_request next = p->request;
        if (is_mixed(&p->request))
            next = take_unit(&p->request, a);
        else
            p->request.pair.count = 0;
        plot_finish_request(p->r, &next, log, !strcmp(next.key, "path"));
        LIST_PUSH(a, &p->r->list, next);
    }
}

/* ---- Paths ----------------------------------------------------------------------------------- */

static bool moves(ah_ctx *ctx, ah_expr e)
{
    return expr_depends_kind(ctx, e, AH_COORDINATE) || expr_depends_kind(ctx, e, AH_TIME);
}

/* The two directions of space in which the parts move: those of x and y when it is all three. */
static bool choose_plane(const ah_model *m, int plane[2])
{
    int count = 0;
    for (int k = 0; k < 3 && count < 2; k++)
        for (size_t i = 0; i < m->parts.count; i++)
            if (moves(m->ctx, m->parts.at[i].place.c[k])) {
                plane[count++] = k;
                break;
            }
    return count == 2;
}

static void paths_of_parts(panel *p, const int plane[2])
{
    static const char *const axis[] = {"x", "y", "z"};
    ah_model *m = p->r->model;
    const expr_style style = expr_style_defaults(AH_TEXT);
    for (size_t i = 0; i < m->parts.count && i < MOST; i++) {
        const model_part *part = &m->parts.at[i];
        text label = text_begin(&m->ctx->job);
        add(p, part->place.c[plane[0]], part->place.c[plane[1]], axis[plane[1]], false);
        plot_pair *pair = &p->request.pair.at[p->request.pair.count - 1];
        expr_print_name(&label, part->name, &style);
        pair->label = text_end(&label);
        pair->x.label = axis[plane[0]];
        pair->y.label = axis[plane[1]];
    }
}

static void paths(plot_requests *r)
{
    ah_model *m = r->model;
    panel p = begin(r, "path", "Paths");
    int plane[2];
    ah_expr length[2];
    size_t lengths = 0;
    for (uint32_t i = 0; i < m->n && lengths < 2; i++)
        if (plot_is_length(r, m->q.at[i])) length[lengths++] = m->q.at[i];
    if (choose_plane(m, plane))
        paths_of_parts(&p, plane);
    else if (lengths == 2)
        add(&p, length[0], length[1], expr_get_name(m->ctx, length[1]), false);
    end(&p, false);
}

/* ---- Against time ---------------------------------------------------------------------------- */

static void coordinates(plot_requests *r)
{
    const ah_model *m = r->model;
    panel lengths = begin(r, "lengths", "Coordinates that are lengths");
    panel angles = begin(r, "angles", "Coordinates that are angles");
    for (uint32_t i = 0; i < m->n; i++)
        against_time(plot_is_length(r, m->q.at[i]) ? &lengths : &angles, m->q.at[i]);
    end(&lengths, false);
    end(&angles, false);
}

/* The velocities that the model itself speaks of; those of a kinematic model are its inputs. */
static void velocities(plot_requests *r)
{
    const ah_model *m = r->model;
    panel p = begin(r, "velocities", "Velocities");
    for (size_t i = 0; !m->kinematic && i < m->speeds.count; i++)
        against_time(&p, m->speeds.at[i].symbol);
    for (size_t i = 0; !m->speeds.count && i < m->quasivelocities.count; i++)
        if (!m->quasivelocities.at[i].constrained)
            against_time(&p, m->quasivelocities.at[i].symbol);
    const bool named = p.request.pair.count > 0;
    for (uint32_t i = 0; !named && i < m->n && i < MOST; i++) against_time(&p, m->v.at[i]);
    end(&p, false);
}

static void multipliers(plot_requests *r)
{
    panel p = begin(r, "multipliers", "Multipliers of the constraints");
    for (size_t i = 0; i < r->model->constraints.count && i < MOST; i++)
        against_time(&p, model_lambda(r->model, (uint32_t) i));
    end(&p, false);
}

static void outputs(plot_requests *r)
{
    panel p = begin(r, "outputs", "Outputs");
    for (size_t i = 0; i < r->model->outputs.count; i++)
        add(&p, expr_time(r->model->ctx), r->model->outputs.at[i].e, r->model->outputs.at[i].name,
            false);
    end(&p, false);
}

/* Its change where it stays, itself where it does not: plot_panels decides, when the numbers are
 * there, by the size of the kinetic energy. */
static void energy(plot_requests *r)
{
    ah_ctx *ctx = r->model->ctx;
    panel p = begin(r, "energy", "Change of the energy");
    add(&p, expr_time(ctx), model_energy(r->model), "energy", true);
    p.request.size = plot_quantity_of(r, r->model->T, false, "kinetic");
    end(&p, true);
}

static void residual(plot_requests *r)
{
    ah_ctx *ctx = r->model->ctx;
    panel p = begin(r, "residual", "Residual of the constraints, relative to their terms");
    if (r->model->constraints.count)
        add(&p, expr_time(ctx),
            model_derived_symbol(r->model, (derived_ref){.what = DERIVED_RESIDUAL}), "residual",
            false);
    end(&p, true);
}

/* A kinematic model has neither forces nor an energy. */
void plot_ask_default(plot_requests *r)
{
    const bool kinematic = r->model->kinematic;
    paths(r);
    coordinates(r);
    velocities(r);
    if (!kinematic) multipliers(r);
    outputs(r);
    if (!kinematic) energy(r);
    if (!kinematic) residual(r);
}
