/* kind/on_component.c - the system on one component of its admissible states. */
#include "kind.h"
#include "nonlinear.h"

#include <string.h>

static model_constraint constraint_of(ah_model *m, arena *a, const component *c, size_t i)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr rest = c->relation[i];
    model_constraint out = {.label = arena_printf(a, "%zu", i + 1),
                            .left = rest,
                            .right = expr_int(ctx, 0),
                            .c = rest,
                            .order = i < c->places ? MODEL_HOLONOMIC : MODEL_VELOCITY};
    out.rheonomic = expr_depends(ctx, rest, expr_time(ctx));
    out.linear = i < c->places || algebra_degree(m->alg, rest, m->n, m->v.at) == 1;
    out.affine =
        out.order == MODEL_VELOCITY && algebra_zero(m->alg, uniform_drift(m, a, rest)) != AH_TRUE;
    return out;
}

/* ---- Sides ----------------------------------------------------------------------------------- */

/* √2 is a number like others; √x belongs to two components, or to a part of one. AH_NONE: there is none. */
static ah_expr moving_root(ah_ctx *ctx, ah_expr e)
{
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, &e, 1);
    for (size_t i = 0; i < nodes.count; i++) {
        const expr_op op = expr_get_op(ctx, nodes.at[i]);
        long n;
        const bool root =
            (op == EXPR_POWER && !expr_is_int(ctx, expr_get_children(ctx, nodes.at[i])[1], &n)) ||
            (op == EXPR_CALL && expr_get_function(ctx, nodes.at[i]) == AH_ABS);
        if (root && !expr_is_fixed(ctx, nodes.at[i])) return nodes.at[i];
    }
    return AH_NONE;
}

/* k |u| + rest = 0, k a number: -rest/k, which is |u|; AH_NONE: the row is another one. */
static ah_expr equal_to_root(ah_ctx *ctx, ah_expr row, ah_expr root)
{
    if (expr_get_op(ctx, row) != EXPR_SUM) return AH_NONE;
    const ah_expr *term = expr_get_children(ctx, row);
    for (size_t i = 0; i < expr_get_count(ctx, row); i++) {
        const ah_expr k = expr_div(ctx, term[i], root), rest = expr_sub(ctx, row, term[i]);
        if (expr_get_op(ctx, k) == EXPR_NUMBER && moving_root(ctx, rest) == AH_NONE)
            return expr_neg(ctx, expr_div(ctx, rest, k));
    }
    return AH_NONE;
}

/* Where e² = u² by the component's other places, |u| = e says on which side of them its states lie, e >= 0, and no
 * more. AH_NONE: it says something else. */
static ah_expr side_of(ah_model *m, const component *c, size_t at)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr root = moving_root(ctx, c->relation[at]);
    if (root == AH_NONE || expr_get_op(ctx, root) != EXPR_CALL) return AH_NONE;
    const ah_expr e = equal_to_root(ctx, c->relation[at], root);
    if (e == AH_NONE) return AH_NONE;
    const ah_expr u = expr_get_children(ctx, root)[0];
    ah_expr *other = NEW_ARRAY(&ctx->scratch, ah_expr, c->places);
    size_t count = 0;
    for (size_t i = 0; i < c->places; i++)
        if (moving_root(ctx, c->relation[i]) == AH_NONE) other[count++] = c->relation[i];
    algebra *alg = algebra_create(ctx, m->facts.at, m->facts.count);
    const ah_expr gap = expr_sub(ctx, expr_powi(ctx, e, 2), expr_powi(ctx, u, 2));
    const bool same = algebra_set_relations(alg, other, count) && algebra_zero(alg, gap) == AH_TRUE;
    return same ? e : AH_NONE;
}

typedef LIST(algebra_fact) fact_list;

/* The component without such rows, which `sides` has as facts. */
static component without_sides(ah_model *m, arena *a, const component *c, fact_list *sides)
{
    component out = *c;
    ah_expr *relation = NEW_ARRAY(a, ah_expr, c->relations + 1);
    out.places = out.relations = 0;
    for (size_t i = 0; i < c->relations; i++) {
        const ah_expr e = i < c->places ? side_of(m, c, i) : AH_NONE;
        if (e != AH_NONE) {
            LIST_PUSH(a, sides, ((algebra_fact){.e = e, .positive = true, .border = true}));
            continue;
        }
        relation[out.relations++] = c->relation[i];
        if (i < c->places) out.places++;
    }
    out.relation = relation;
    return out;
}

/* ---- The system ------------------------------------------------------------------------------ */

ah_model *kind_model_on(ah_model *m, arena *a, const component *of)
{
    ah_model *view = model_view(m, a);
    fact_list sides = {0};
    const component c = without_sides(m, a, of, &sides);
    bool fast = false; /* without constraints on velocities these are derivatives of the places' */
    for (size_t i = 0; i < m->constraints.count; i++)
        fast = fast || m->constraints.at[i].order == MODEL_VELOCITY;
    memset(&view->constraints, 0, sizeof view->constraints);
    for (size_t i = 0; i < (fast ? c.relations : c.places); i++)
        LIST_PUSH(a, &view->constraints, constraint_of(m, a, &c, i));
    view->rank = (uint32_t) (c.relations - c.places);
    if (!sides.count) return view;
    memset(&view->facts, 0, sizeof view->facts);
    for (size_t i = 0; i < m->facts.count; i++) LIST_PUSH(a, &view->facts, m->facts.at[i]);
    for (size_t i = 0; i < sides.count; i++) LIST_PUSH(a, &view->facts, sides.at[i]);
    view->alg = algebra_create(m->ctx, view->facts.at, view->facts.count);
    return view;
}

static bool has_moving_root(ah_model *m, const component *c)
{
    fact_list sides = {0};
    const component rest = without_sides(m, &m->ctx->job, c, &sides);
    for (size_t i = 0; i < rest.relations; i++)
        if (moving_root(m->ctx, rest.relation[i]) != AH_NONE) return true;
    return false;
}

bool kind_has_parts(ah_model *m, const components *c)
{
    if (!c->complete || m->speeds.count) return false;
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_ACCELERATION) return false;
    for (size_t i = 0; i < c->count; i++)
        if (has_moving_root(m, &c->at[i])) return false;
    return true;
}

/* ---- Planes ---------------------------------------------------------------------------------- */

typedef LIST(component) component_list;

/* The component with one of its equations replaced. */
static component with_plane(ah_model *m, arena *a, const component *c, size_t at, ah_expr plane)
{
    ah_expr *relation = NEW_ARRAY(a, ah_expr, c->relations),
            *mark = NEW_ARRAY(a, ah_expr, c->marks + 1);
    component out = *c;
    memcpy(relation, c->relation, c->relations * sizeof *relation);
    out.marks = 0;
    for (size_t i = 0; i < c->marks; i++)
        if (c->mark[i] != c->relation[at]) mark[out.marks++] = c->mark[i];
    mark[out.marks++] = relation[at] = plane;
    out.relation = relation;
    out.mark = mark;
    text t = text_begin(a);
    for (size_t i = 0; i < out.marks; i++)
        text_printf(&t, "%s%s = 0", i ? ", " : "", expr_text(m->ctx, a, mark[i], AH_ASCII));
    out.name = text_end(&t);
    return out;
}

/* Both planes of an equation of the second degree, or the component itself. */
static void add_planes(ah_model *m, arena *a, const component *c, component_list *out)
{
    for (size_t i = c->places; i < c->relations; i++) {
        ah_expr plane[2];
        if (!nonlinear_planes(m, a, c->relation[i], plane)) continue;
        for (int k = 0; k < 2; k++) {
            const component half = with_plane(m, a, c, i, plane[k]);
            add_planes(m, a, &half, out);
        }
        return;
    }
    LIST_PUSH(a, out, *c);
}

const components *kind_planes(ah_model *m, arena *a, const components *c)
{
    component_list found = {0};
    if (!kind_has_parts(m, c)) return c;
    for (size_t i = 0; i < c->count; i++) add_planes(m, a, &c->at[i], &found);
    if (found.count == c->count) return c;
    components *out = NEW(a, components);
    *out = *c;
    out->count = found.count;
    out->at = found.at;
    return out;
}

/* ---- Integrability on each ------------------------------------------------------------------- */

typedef struct question {
    ah_model *m;
    size_t count;
    ah_component_distribution *out;
} question;

static void find(ah_ctx *ctx, void *arg)
{
    question *q = arg;
    arena *a = &ctx->job;
    q->m = model_of_all_velocities(q->m, false);
    const components *c = components_find(q->m);
    if (!kind_has_parts(q->m, c)) return;
    c = kind_planes(q->m, a, c);
    q->out = NEW_ARRAY(a, ah_component_distribution, c->count);
    for (size_t i = 0; i < c->count; i++) {
        distribution_answer here;
        distribution_find(kind_model_on(q->m, a, &c->at[i]), NULL, false, &here);
        here.found.function_of =
            NEW_ARRAY(a, const char *, here.found.functions); /* none is written */
        q->out[i] = (ah_component_distribution){c->at[i].name, here.found};
    }
    q->count = c->count;
}

ah_status kind_distribution_parts(ah_model *m, size_t *count, const ah_component_distribution **out)
{
    question q = {.m = m};
    const ah_status status = model_guard(m, find, &q);
    *count = status == AH_OK ? q.count : 0;
    *out = q.out;
    return status;
}
