/* figure/plot_ask.c - from "t, x', lambda[rod]" to curves: labels, units, kinds of axes. */
#include "plot.h"

#include <anholo/lang.h>

#include <math.h>
#include <string.h>

/* Changes smaller than this share of the value are errors of the integration, at its usual
 * tolerance: the curve is a constant. `change` shows them. */
#define PLOT_FLAT 1e-9

/* An energy that changes by less than this share of its size stays, as far as the integration can
 * tell. */
#define PLOT_CONSERVED 1e-5

plot_quantity plot_quantity_of(plot_requests *r, ah_expr e, bool change, const char *written)
{
    ah_model *m = r->model;
    arena *a = &m->ctx->job;
    plot_quantity q = {.change = change, .text = written, .label = plot_label_of(m, e, written)};
    q.unit = plot_unit_of(r, e, written);
    if (change && expr_get_op(m->ctx, e) == EXPR_SUM && !plot_is_word(written))
        q.label = arena_printf(a, "Δ(%s)", q.label);
    else if (change)
        q.label = arena_printf(a, "Δ\u2009%s", q.label);
    while (q.column < r->e.count && r->e.at[q.column] != e) q.column++;
    if (q.column == r->e.count) LIST_PUSH(a, &r->e, e);
    return q;
}

/* ---- Axes ------------------------------------------------------------------------------------ */

/* Lengths, or of one unit. */
static bool of_one_kind(plot_requests *r, const plot_quantity *x, const plot_quantity *y)
{
    if (x->change || y->change) return false;
    if (x->unit && y->unit && strcmp(x->unit, y->unit)) return false;
    const bool time = r->e.at[x->column] == expr_time(r->model->ctx);
    if (x->unit && y->unit && !time) return true;
    return plot_is_length(r, r->e.at[x->column]) && plot_is_length(r, r->e.at[y->column]);
}

/* "x, y, z": what the axis of several curves is called; NULL: it would be too long. */
static const char *common_label(arena *a, const plot_request *p)
{
    enum { LONG = 40 };
    text t = text_begin(a);
    for (size_t i = 0; i < p->pair.count; i++) {
        bool before = false;
        for (size_t k = 0; k < i; k++)
            before = before || !strcmp(p->pair.at[k].y.label, p->pair.at[i].y.label);
        if (!before) text_printf(&t, "%s%s", i ? ", " : "", p->pair.at[i].y.label);
    }
    return t.length <= LONG ? text_end(&t) : NULL;
}

static const char *common_unit(const plot_request *p)
{
    const char *unit = p->pair.at[0].y.unit;
    for (size_t i = 1; unit && i < p->pair.count; i++)
        if (!p->pair.at[i].y.unit || strcmp(unit, p->pair.at[i].y.unit)) return NULL;
    return unit;
}

void plot_finish_request(plot_requests *r, plot_request *p, bool log, bool equal)
{
    arena *a = &r->model->ctx->job;
    bool errors = true, alike = true;
    for (size_t i = 0; i < p->pair.count; i++) {
        const plot_quantity *y = &p->pair.at[i].y;
        errors = errors && (y->change || !strcmp(y->text, "residual"));
        alike = alike && of_one_kind(r, &p->pair.at[i].x, y);
    }
    p->x = (plot_axis){.label = p->pair.at[0].x.label, .unit = p->pair.at[0].x.unit};
    p->y = (plot_axis){.label = common_label(a, p), .unit = common_unit(p), .log = log || errors};
    p->x.flat = p->y.flat = PLOT_FLAT;
    p->equal = equal || alike;
}

/* ---- Asking ---------------------------------------------------------------------------------- */

/* M, λ, reactions and the residual are numbers of a motion; G, β are not. */
static bool can_be_had(plot_requests *r, ah_expr e)
{
    ah_ctx *ctx = r->model->ctx;
    derived_ref d;
    trajectory_expand(r->model, &e, 1);
    const expr_list used = expr_symbols(ctx, &ctx->job, &e, 1);
    for (size_t i = 0; i < used.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(ctx, used.at[i]);
        const bool derived = kind == AH_DERIVED;
        if (kind != AH_JERK && (!derived || trajectory_find_part(r->model, used.at[i], &d)))
            continue;
        diag(ctx, A0633, NOWHERE, "`%s` is not among the numbers of a motion",
             expr_text(ctx, &ctx->job, used.at[i], AH_ASCII));
        diag_hint(ctx, "there are t, q, q', q'', z, z', M[i,j], lambda[a], reaction[q], residual");
        return false;
    }
    return true;
}

bool plot_ask(plot_requests *r, const char *what, const char *panel, bool log, bool equal)
{
    ah_model *m = r->model;
    ah_output q[PLOT_CURVES + 1];
    size_t count;
    plot_request p = {0};
    if (ah_read_outputs(m, what, panel, PLOT_CURVES + 1, q, &count) != AH_OK) return false;
    if (count < 2) {
        diag(m->ctx, A0631, NOWHERE, "%s: a panel needs something for y besides `%s`", what, panel);
        diag_hint(m->ctx, "write x and y with a comma between them: 't,%s'", panel);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!can_be_had(r, q[i].e)) return false;
    for (size_t i = 1; i < count; i++) {
        const plot_pair pair = {.x = plot_quantity_of(r, q[0].e, q[0].change, q[0].text),
                                .y = plot_quantity_of(r, q[i].e, q[i].change, q[i].text)};
        LIST_PUSH(&m->ctx->job, &p.pair, pair);
        p.pair.at[i - 1].label = pair.y.label;
    }
    plot_finish_request(r, &p, log, equal);
    LIST_PUSH(&m->ctx->job, &r->list, p);
    return true;
}

/* ---- Curves ---------------------------------------------------------------------------------- */

static double first_finite(const double *x, size_t stride, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (isfinite(x[i * stride])) return x[i * stride];
    return NAN;
}

/* The column; less its beginning, as an array of its own. */
static const double *values_of(const trajectory *t, size_t first, const plot_quantity *q,
                               size_t *stride)
{
    const double *x = t->at + first + q->column;
    *stride = t->columns;
    if (!q->change) return x;
    double *change = NEW_ARRAY(&t->model->ctx->job, double, t->rows + 1);
    const double start = first_finite(x, t->columns, t->rows);
    for (size_t i = 0; i < t->rows; i++) change[i] = x[i * t->columns] - start;
    *stride = 1;
    return change;
}

static double largest(const trajectory *t, size_t column)
{
    double size = 0;
    for (size_t i = 0; i < t->rows; i++) {
        const double x = fabs(t->at[i * t->columns + column]);
        if (isfinite(x)) size = fmax(size, x);
    }
    return size;
}

static double largest_change(const trajectory *t, size_t column)
{
    const double start = first_finite(t->at + column, t->columns, t->rows);
    double size = 0;
    for (size_t i = 0; i < t->rows; i++) {
        const double x = fabs(t->at[i * t->columns + column] - start);
        if (isfinite(x)) size = fmax(size, x);
    }
    return size;
}

/* An energy that does not stay is shown itself. */
static void choose_energy(plot_request *p, const trajectory *t, size_t first)
{
    plot_quantity *energy = &p->pair.at[0].y;
    const size_t column = first + energy->column;
    const double size = fmax(largest(t, column), largest(t, first + p->size.column));
    if (largest_change(t, column) <= PLOT_CONSERVED * size) return;
    energy->change = p->y.log = false;
    p->y.label = p->pair.at[0].label = energy->label = "energy";
    p->caption = "Energy";
}

plot_panel *plot_panels(plot_requests *r, const trajectory *t, size_t first)
{
    arena *a = &r->model->ctx->job;
    plot_panel *panel = NEW_ARRAY(a, plot_panel, r->list.count + 1);
    for (size_t i = 0; i < r->list.count; i++) {
        plot_request *p = &r->list.at[i];
        if (p->key && !strcmp(p->key, "energy")) choose_energy(p, t, first);
        plot_curve *curve = NEW_ARRAY(a, plot_curve, p->pair.count);
        for (size_t k = 0; k < p->pair.count; k++) {
            const plot_pair *pair = &p->pair.at[k];
            curve[k] = (plot_curve){.count = t->rows, .label = pair->label};
            curve[k].x = values_of(t, first, &pair->x, &curve[k].x_stride);
            curve[k].y = values_of(t, first, &pair->y, &curve[k].y_stride);
        }
        panel[i] = (plot_panel){
            .x = p->x, .y = p->y, .equal = p->equal, .curve = curve, .curves = p->pair.count};
    }
    return panel;
}
