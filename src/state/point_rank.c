/* state/point_rank.c - states on a component of the constraint set that has a lower rank by itself.
 *
 * x'y' = y'z' = 0 has rank 2 on x' = z' = 0 and rank 1 on y' = 0. A state at which the rows have the rank of the component
 * that it lies on is regular there (claims/claim_apart.c): the admissible states near by are those of the component, and
 * the motion is that of the same rows, of which fewer are independent (docs/decisions/0018-ranks.md). */
#include "../real/real.h"
#include "point_newton.h"
#include "vanished.h"

#include <math.h>
#include <string.h>

/* Of states that were given or projected, by the terms of an equation, and where these are small. */
#define ON_COMPONENT 1e-9
/* Rows of J that span less are looked at: a state that satisfies the constraints to POINT_ADMISSIBLE only may have the
 * general rank by that alone. */
#define NARROW 1e-6

static bool lies_on(point *p, const component *c)
{
    arena *a = &p->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double *e = NEW_ARRAY(a, double, c->relations + 1),
           *size = NEW_ARRAY(a, double, c->relations + 1);
    bool on = c->relations > 0;
    expr_plan_run_scaled(expr_plan_create(p->ctx, a, c->relation, c->relations), p->values, e,
                         size);
    for (size_t i = 0; i < c->relations; i++)
        on = on && fabs(e[i]) <= ON_COMPONENT * fmax(1, size[i]);
    arena_release(a, mark);
    return on;
}

/* Rows of length 1, those that are independent first, in `J`; their rank. */
static uint32_t rows_at(const point *p, arena *a, double *J)
{
    const mechanics *k = p->mech;
    const size_t entries = (size_t) k->r * k->n;
    uint32_t *order = NEW_ARRAY(a, uint32_t, k->r + 1);
    double *all = NEW_ARRAY(a, double, entries + 1);
    expr_plan_run(expr_plan_create(p->ctx, a, mat_to_dense(p->ctx, a, k->J), entries), p->values,
                  all);
    const double *measured = linear_in_units(a, k->r, k->n, all, k->unit);
    const uint32_t rank = linear_row_rank(a, k->r, k->n, measured, order);
    for (uint32_t i = 0; i < k->r; i++) {
        const double *row = measured + (size_t) order[i] * k->n;
        double length = 0;
        for (uint32_t j = 0; j < k->n; j++) length = hypot(length, row[j]);
        for (uint32_t j = 0; j < k->n; j++)
            J[(size_t) i * k->n + j] = length > 0 ? row[j] / length : 0;
    }
    return rank;
}

static uint32_t dense_rank(const point *p, arena *a, double *width)
{
    const mechanics *k = p->mech;
    double *J = NEW_ARRAY(a, double, (size_t) k->r * k->n + 1);
    const uint32_t rank = rows_at(p, a, J);
    *width = rank < k->rank ? 0 : linear_row_volume(k->rank, k->n, J);
    return rank;
}

/* Of long chains, whose rows span little volume however independent they are. */
static uint32_t sparse_rank(const point *p, arena *a, double *width)
{
    const mat J = p->mech->J;
    double *entry = NEW_ARRAY(a, double, mat_entries(J) + 1);
    eliminate *e = eliminate_create(p->ctx, a, J.cols);
    expr_plan_run(expr_plan_create(p->ctx, a, J.val, mat_entries(J)), p->values, entry);
    for (uint32_t i = 0; i < J.rows; i++)
        eliminate_add(e, J.start[i + 1] - J.start[i], J.col + J.start[i], entry + J.start[i], 0);
    *width = eliminate_quality(e);
    return eliminate_rank(e);
}

/* The rank of the rows, and how wide they stand apart: their volume, or the least that is left of one. */
static uint32_t rank_at(const point *p, double *width)
{
    const arena_mark mark = arena_get_mark(&p->ctx->scratch);
    const bool many = sparse_pays(p->mech->r, mat_entries(p->mech->J));
    const uint32_t rank = (many ? sparse_rank : dense_rank)(p, &p->ctx->scratch, width);
    arena_release(&p->ctx->scratch, mark);
    return rank;
}

static bool is_narrow(const point *p)
{
    double width;
    const uint32_t rank = rank_at(p, &width);
    return rank < p->mech->rank || width < NARROW;
}

/* Linear rows over all places have one component. */
static bool may_split(const ah_model *m)
{
    bool curved = false;
    for (size_t i = 0; i < m->constraints.count; i++)
        curved =
            curved || !m->constraints.at[i].linear || m->constraints.at[i].order == MODEL_HOLONOMIC;
    return curved && m->constraints.count > 1;
}

/* The rows have the rank that is expected on the component, at the state moved onto it. */
static bool settles(point *p)
{
    double width;
    return projector_apply(projector_create(p), p) && rank_at(p, &width) == p->mech->rank;
}

static point copy_to(ah_model *m, const point *p)
{
    point out = *p;
    out.model = m;
    out.mech = derive_mechanics(m);
    out.values = frame_copy(p->arena, p->values);
    return out;
}

bool point_lower(point *p, point *out)
{
    ah_model *m = p->model;
    if (!may_split(m) || m->on.count || p->mech->rank < 2 || !is_narrow(p)) return false;
    const components *all = components_find(m);
    for (size_t i = 0; all->complete && all->count > 1 && i < all->count; i++) {
        const component *c = &all->at[i];
        if (c->relations - c->places >= p->mech->rank || !lies_on(p, c)) continue;
        ah_model *view = components_view(m, c);
        if (!view) continue;
        *out = copy_to(view, p);
        if (settles(out)) return true;
    }
    return false;
}

const char *point_elsewhere(point *p)
{
    double width;
    if (!may_split(p->model) || !p->mech->r) return NULL;
    const uint32_t rank = rank_at(p, &width);
    if (rank == p->mech->rank) return NULL;
    const components *all = components_find(p->model);
    for (size_t i = 0; all->complete && all->count > 1 && i < all->count; i++) {
        const component *c = &all->at[i];
        if (c->relations - c->places != rank || !lies_on(p, c)) continue;
        return arena_printf(p->arena,
                            "the constraints have rank %u on the component %s, and these equations "
                            "were made for rank "
                            "%u: let the model begin there, or write the equations of the "
                            "component as the constraints",
                            rank, c->name, p->mech->rank);
    }
    return NULL;
}

/* ---- Projection ------------------------------------------------------------------------------ */

static bool move_onto(point *p, const component *c)
{
    const ah_model *m = p->model;
    const uint32_t places = (uint32_t) c->places, speeds = (uint32_t) (c->relations - c->places);
    newton q = newton_create(p, p->arena, m->n, m->q.at, NULL,
                             mat_from_dense(p->ctx, p->arena, places, 1, c->relation));
    newton v = newton_create(p, p->arena, m->n, m->v.at, NULL,
                             mat_from_dense(p->ctx, p->arena, speeds, 1, c->relation + places));
    return (!places || newton_nearest(&q)) && (!speeds || newton_nearest(&v));
}

static double distance(const point *p, const frame *from)
{
    const ah_model *m = p->model;
    double way = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        way = hypot(way, point_get(p, m->q.at[i]) - frame_get(from, m->q.at[i]));
        way = hypot(way, point_get(p, m->v.at[i]) - frame_get(from, m->v.at[i]));
    }
    return way;
}

bool point_onto_component(point *p, const frame *from)
{
    if (!may_split(p->model)) return false;
    const components *all = components_find(p->model);
    frame *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; all->complete && i < all->count; i++) {
        if (!all->at[i].relations) continue;
        frame_assign(p->values, from);
        if (!move_onto(p, &all->at[i]) || point_residual(p, NULL) > POINT_ADMISSIBLE) continue;
        const double way = distance(p, from);
        if (way >= least) continue;
        least = way;
        best = frame_copy(p->arena, p->values);
    }
    frame_assign(p->values, best ? best : from);
    return best != NULL;
}

/* ---- Squares that are no doubles ------------------------------------------------------------- */

/* Coefficients whose squares, and what they are multiplied by (Taylor's series go to high orders), are still doubles with all
 * their digits. */
#define LEAST_ROW   1e-120
#define LARGEST_ROW 1e120

/* Is the i-th row of J zero in doubles alone? */
static bool row_vanished(point *p, const ah_expr *J, uint32_t i)
{
    const uint32_t n = p->mech->n;
    double *size = NEW_ARRAY(p->arena, double, n + 1);
    return vanished_at(p->ctx, J + (size_t) i * n, n, p->values, size);
}

const char *point_beyond_doubles(point *p)
{
    const uint32_t n = p->mech->n;
    const size_t size = (size_t) p->mech->r * n;
    double *J = NEW_ARRAY(p->arena, double, size + 1);
    const ah_expr *of = mat_to_dense(p->ctx, p->arena, p->mech->J);
    expr_plan_run(expr_plan_create(p->ctx, p->arena, of, size), p->values, J);
    for (uint32_t i = 0; i < p->mech->r; i++) {
        const double l = linear_norm(n, J + (size_t) i * n);
        const char *label = p->model->constraints.at[i].label;
        if (l == 0 && row_vanished(p, of, i))
            return arena_printf(&p->ctx->job,
                                "the coefficients of the constraint `%s` are too small for doubles "
                                "here, 0 and not zero: write it without the factor",
                                label);
        if (l == 0 || !isfinite(l) || (l > LEAST_ROW && l < LARGEST_ROW)) continue;
        return arena_printf(
            &p->ctx->job,
            "the coefficients of the constraint `%s` are of the size %.1e here, and "
            "products of their squares beyond double precision: write it without the factor",
            label, l);
    }
    return NULL;
}
