/* state/edges.c - see edges.h. */
#include "edges.h"

#include "../real/real.h"

#include <math.h>

/* Between these an edge is looked for along one variable; nearer and farther than ordinary. */
static const double ladder[] = {0.013, 0.11, 0.53,  1.1,   1.9,   3.7,  7.3,  13,   31,   101,
                                1009,  1e4,  1.1e5, 1.1e6, 1.1e8, 1e11, 1e15, 1e20, 1e40, 1e90};
enum {
    LADDER = sizeof ladder / sizeof *ladder,
    NEAR = 14, /* rungs: beyond, only where nothing changes before (sin x does so everywhere) */
    BISECTIONS = 80,
    NARROWINGS = 60, /* of where something is nearest to zero */
    FACTORED = 60,   /* operations of an argument that is factored */
    BETWEEN = 3      /* one of so many states lies between two edges */
};
/* So far from the edge, relative to where it is: at it, or beside it, where everything has slopes. */
static const double steps[] = {0, 1e-6, 1e-3, 0.05, 0.5};
enum { STEPS = sizeof steps / sizeof *steps, BESIDE = 2 };

struct edges {
    ah_model *model;
    size_t count;
    size_t first_step;
    expr_plan **plan;
    expr_list *symbols; /* of each, that are drawn … */
    expr_plan **
        *slope; /* … and its derivative by each where it is of the first degree, else NULL */
};

/* ---- Finding --------------------------------------------------------------------------------- */

static bool is_drawn(const ah_model *m, ah_expr symbol)
{
    switch (expr_get_kind(m->ctx, symbol)) {
    case AH_TIME:
    case AH_COORDINATE:
    case AH_SPEED: return true;
    case AH_VELOCITY: return m->speeds.count == 0;
    case AH_PARAMETER: break;
    default: return false;
    }
    for (size_t i = 0; i < m->parameters.count; i++)
        if (m->parameters.at[i].symbol == symbol) return m->parameters.at[i].value == AH_NONE;
    return false;
}

/* The arguments at whose zeros a node changes; their number. */
static size_t arguments_of(ah_ctx *ctx, ah_expr e, ah_expr out[2])
{
    const ah_expr *child = expr_get_children(ctx, e);
    long power;
    out[0] = expr_get_op(ctx, e) == EXPR_POWER || expr_get_op(ctx, e) == EXPR_CALL ? child[0] : e;
    if (expr_get_op(ctx, e) == EXPR_POWER) return !expr_is_int(ctx, child[1], &power) || power < 0;
    if (expr_get_op(ctx, e) != EXPR_CALL) return 0;
    switch (expr_get_function(ctx, e)) {
    case AH_ABS:
    case AH_SIGN:
    case AH_LOG: return 1;
    case AH_ATAN2: out[1] = child[1]; return 2;
    case AH_ASIN:
    case AH_ACOS:
        out[1] = expr_add(ctx, child[0], expr_int(ctx, 1));
        out[0] = expr_sub(ctx, child[0], expr_int(ctx, 1));
        return 2;
    default: return 0;
    }
}

static void add_edge(ah_model *m, arena *a, expr_list *list, ah_expr e)
{
    model_put_values(m, &e, 1);
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i] == e) return;
    const expr_list symbols = expr_symbols(m->ctx, a, &e, 1);
    bool drawn = false;
    for (size_t i = 0; i < symbols.count; i++) drawn = drawn || is_drawn(m, symbols.at[i]);
    if (!drawn) return;
    LIST_PUSH(a, list, e);
    /* At a zero of even order nothing changes its sign but the factor. */
    algebra_factors f;
    if (expr_operations(m->ctx, &e, 1) > FACTORED ||
        !algebra_factor(m->alg, unwrap(m->alg, m->ctx, a, e), &f)) /* cosh(x) - 1 as x^2 */
        return;
    for (size_t i = 0; i < f.count; i++)
        if (f.exponent[i] > 1 && f.factor[i] != e) add_edge(m, a, list, f.factor[i]);
}

static expr_plan *slope_by(ah_model *m, arena *a, ah_expr e, ah_expr symbol)
{
    const ah_expr slope = expr_diff(m->ctx, e, symbol);
    return expr_depends(m->ctx, slope, symbol) ? NULL : expr_plan_create(m->ctx, a, &slope, 1);
}

/* |u|, sign(u) and angles: what is one formula here and another there. */
static bool is_switch(ah_ctx *ctx, ah_expr e)
{
    if (expr_get_op(ctx, e) != EXPR_CALL) return false;
    const ah_function f = expr_get_function(ctx, e);
    return f == AH_ABS || f == AH_SIGN || f == AH_ATAN2;
}

bool edges_switch_in(ah_ctx *ctx, arena *a, ah_expr e)
{
    const expr_list nodes = expr_reachable(ctx, a, &e, 1);
    for (size_t i = 0; i < nodes.count; i++)
        if (is_switch(ctx, nodes.at[i])) return true;
    return false;
}

typedef struct search {
    ah_model *m;
    arena *arena;
    bool switches; /* these alone */
    expr_list found;
} search;

static void add_edges(search *s, const ah_expr *roots, size_t count)
{
    const expr_list nodes = expr_reachable(s->m->ctx, s->arena, roots, count);
    for (size_t i = 0; i < nodes.count; i++) {
        ah_expr edge[2];
        if (s->switches && !is_switch(s->m->ctx, nodes.at[i])) continue;
        const size_t found = arguments_of(s->m->ctx, nodes.at[i], edge);
        for (size_t k = 0; k < found; k++) add_edge(s->m, s->arena, &s->found, edge[k]);
    }
}

static void add_system(search *s, bool motion)
{
    const ah_model *m = s->m;
    if (motion) {
        add_edges(s, &m->T, 1);
        add_edges(s, &m->V, 1);
        add_edges(s, m->F, m->n);
    }
    for (size_t i = 0; i < m->constraints.count; i++) add_edges(s, &m->constraints.at[i].c, 1);
    add_edges(s, m->psi.at, m->psi.count);
}

/* NULL: of none. */
static edges *edges_at(ah_model *m, arena *a, expr_list list, size_t first_step)
{
    if (!list.count) return NULL;
    edges *e = NEW(a, edges);
    *e = (edges){.model = m, .count = list.count, .first_step = first_step};
    e->plan = NEW_ARRAY(a, expr_plan *, list.count);
    e->symbols = NEW_ARRAY(a, expr_list, list.count);
    e->slope = NEW_ARRAY(a, expr_plan **, list.count);
    for (size_t i = 0; i < list.count; i++) {
        const expr_list all = expr_symbols(m->ctx, a, &list.at[i], 1);
        e->plan[i] = expr_plan_create(m->ctx, a, &list.at[i], 1);
        for (size_t k = 0; k < all.count; k++)
            if (is_drawn(m, all.at[k])) LIST_PUSH(a, &e->symbols[i], all.at[k]);
        e->slope[i] = NEW_ARRAY(a, expr_plan *, e->symbols[i].count);
        for (size_t k = 0; k < e->symbols[i].count; k++)
            e->slope[i][k] = slope_by(m, a, list.at[i], e->symbols[i].at[k]);
    }
    return e;
}

edges *edges_create(ah_model *m, arena *a, const ah_expr *roots, size_t count, bool motion,
                    const model_needs *needs, const algebra_fact *facts, size_t fact_count)
{
    search s = {.m = m, .arena = a};
    add_edges(&s, roots, count);
    add_system(&s, motion);
    for (size_t i = 0; i < needs->count; i++) add_edge(m, a, &s.found, needs->at[i].a);
    for (size_t i = 0; i < fact_count; i++) add_edge(m, a, &s.found, facts[i].e);
    return edges_at(m, a, s.found, 0);
}

edges *edges_of(ah_model *m, arena *a, const ah_expr *roots, size_t count)
{
    search s = {.m = m, .arena = a};
    add_edges(&s, roots, count);
    return edges_at(m, a, s.found, 0);
}

edges *edges_of_switches(ah_model *m, arena *a)
{
    search s = {.m = m, .arena = a, .switches = true};
    add_system(&s, true);
    return edges_at(m, a, s.found, BESIDE);
}

/* ---- Going there ----------------------------------------------------------------------------- */

static double value_at(const expr_plan *plan, frame *values, uint32_t slot, double x)
{
    double y;
    frame_put(values, slot, x);
    expr_plan_run(plan, values, &y);
    return y;
}

static double bisect(const expr_plan *plan, frame *values, uint32_t slot, double low, double high)
{
    const bool falls = value_at(plan, values, slot, low) > 0;
    for (int k = 0; k < BISECTIONS; k++) {
        const double middle = (low + high) / 2;
        if ((value_at(plan, values, slot, middle) > 0) == falls)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Between low and high it has one sign at the three rungs and is least in the middle: two changes of sign may hide there, as
 * of sin(x) - 0.99999. The first of them; NaN: none was met on the way to where it is least. */
static double hidden_edge(const expr_plan *plan, frame *values, uint32_t slot, double low,
                          double high)
{
    static const double share = 0.6180339887498949; /* of the golden section */
    const double start = low;
    const bool above = value_at(plan, values, slot, low) > 0;
    for (int k = 0; k < NARROWINGS; k++) {
        const double p = high - share * (high - low), q = low + share * (high - low);
        const double at_p = value_at(plan, values, slot, p), at_q = value_at(plan, values, slot, q);
        if ((at_p > 0) != above) return bisect(plan, values, slot, start, p);
        if ((at_q > 0) != above) return bisect(plan, values, slot, start, q);
        if (fabs(at_p) < fabs(at_q))
            high = q;
        else
            low = p;
    }
    return NAN;
}

/* Changes of sign along one variable: the `wanted`-th of them (NaN: there are not so many), within so many rungs of the
 * ladder. */
static double find_edge(const expr_plan *plan, frame *values, uint32_t slot, size_t wanted,
                        int rungs)
{
    double y[3] = {NAN, NAN, NAN}, x[3] = {0}; /* at the last three rungs */
    for (int k = -rungs; k < rungs; k++) {
        x[0] = x[1], y[0] = y[1];
        x[1] = x[2], y[1] = y[2];
        x[2] = k < 0 ? -ladder[-k - 1] : ladder[k];
        y[2] = value_at(plan, values, slot, x[2]);
        if (!isfinite(y[1]) || !isfinite(y[2])) continue;
        double edge = NAN;
        if ((y[2] > 0) != (y[1] > 0))
            edge = bisect(plan, values, slot, x[1], x[2]);
        else if (isfinite(y[0]) && (y[1] > 0) == (y[0] > 0) && fabs(y[1]) < fabs(y[0]) &&
                 fabs(y[1]) < fabs(y[2]))
            edge = hidden_edge(plan, values, slot, x[0], x[2]);
        if (!isnan(edge) && wanted-- == 0) return edge;
    }
    return NAN;
}

static size_t below(probe_rng *rng, size_t count)
{
    return (size_t) probe_uniform(rng, 0, (double) count);
}

/* Where the k-th of them is along its `of`-th symbol, all else as drawn; NaN: nowhere. */
static double edge_along(const edges *e, size_t k, size_t of, probe_rng *rng, frame *values)
{
    const uint32_t slot = expr_slot(e->model->ctx, e->symbols[k].at[of]);
    const double drawn = frame_at(values, slot);
    const bool at_zero = value_at(e->plan[k], values, slot, 0) == 0; /* the exact one of many */
    double edge = at_zero && below(rng, BETWEEN) == 0
                      ? 0
                      : find_edge(e->plan[k], values, slot, below(rng, 3), NEAR);
    if (isnan(edge)) edge = find_edge(e->plan[k], values, slot, 0, NEAR);
    if (isnan(edge)) edge = find_edge(e->plan[k], values, slot, 0, LADDER);
    if (e->slope[k][of]) { /* however far */
        double slope;
        expr_plan_run(e->slope[k][of], values, &slope);
        edge = -value_at(e->plan[k], values, slot, 0) / slope;
        if (!isfinite(edge)) edge = NAN;
    }
    frame_put(values, slot, drawn);
    return edge;
}

/* Another edge along the same symbol: between the two no step may lead. */
static double other_edge(const edges *e, size_t but, ah_expr symbol, probe_rng *rng, frame *values)
{
    const size_t first = below(rng, e->count);
    for (size_t i = 0; i < e->count; i++) {
        const size_t k = (first + i) % e->count;
        for (size_t of = 0; k != but && of < e->symbols[k].count; of++)
            if (e->symbols[k].at[of] == symbol) return edge_along(e, k, of, rng, values);
    }
    return NAN;
}

/* Then the last of them may be exact, too. */
static void shorten(const edges *e, size_t k, frame *values)
{
    for (size_t i = 0; i < e->symbols[k].count; i++)
        frame_set(values, e->symbols[k].at[i],
                  probe_shortened(frame_get(values, e->symbols[k].at[i])));
}

void edges_bend(void *user, probe_rng *rng, frame *values)
{
    const edges *e = user;
    const size_t k = below(rng, e->count);
    const size_t of = below(rng, e->symbols[k].count);
    const double step = steps[e->first_step + below(rng, STEPS - e->first_step)];
    const ah_expr symbol = e->symbols[k].at[of];
    const uint32_t slot = expr_slot(e->model->ctx, symbol);
    if (step == 0) shorten(e, k, values);
    const double edge = edge_along(e, k, of, rng, values);
    if (isnan(edge)) return;
    if (e->count > 1 && below(rng, BETWEEN) == 0) {
        const double other = other_edge(e, k, symbol, rng, values);
        if (isfinite(other) && other != edge) {
            frame_put(values, slot, edge + probe_uniform(rng, 0, 1) * (other - edge));
            return;
        }
    }
    const double side = probe_uniform(rng, -1, 1) < 0 ? -1 : 1;
    frame_put(values, slot, edge + side * step * fmax(1, fabs(edge)));
}
