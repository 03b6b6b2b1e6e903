/* derive/work.c - worksheets in symbols: each quantity when it is first asked for. */
#include "work.h"

#include <string.h>

typedef enum work_state { NOT_YET, KNOWN, GAVE_UP } work_state;

struct work {
    const ah_equations *eq;
    work_options options;
    ah_ctx *ctx;
    algebra *alg;
    arena *arena;
    const ah_expr *to; /* q' in the variables of the display */
    work_state *state;
    mat *value;
};

static const ah_expr *kept(const work *w, const ah_expr *e, size_t count)
{
    ah_expr *out = NEW_ARRAY(w->arena, ah_expr, count + 1);
    for (size_t i = 0; i < count; i++) out[i] = w->options.keep(w->options.user, e[i]);
    return out;
}

work *work_create(const ah_equations *eq, const work_options *options)
{
    mechanics *k = eq->mech;
    work *w = NEW(k->arena, work);
    w->eq = eq;
    w->options = options ? *options : (work_options){0};
    w->ctx = k->ctx;
    w->alg = k->alg;
    w->arena = k->arena;
    w->to = eq->to;
    if (w->options.keep && eq->substitutions) w->to = kept(w, eq->to, eq->substitutions);
    w->state = NEW_ARRAY(k->arena, work_state, eq->sheet->nodes.count);
    w->value = NEW_ARRAY(k->arena, mat, eq->sheet->nodes.count);
    return w;
}

static ah_expr translate(ah_ctx *ctx, void *user, ah_expr e)
{
    work *w = user;
    const ah_equations *eq = w->eq;
    if (w->options.keep) e = w->options.keep(w->options.user, e);
    if (eq->substitutions && !w->options.plain)
        e = expr_subst(ctx, e, eq->substitutions, eq->from, w->to);
    if (w->options.values) model_put_values(eq->mech->model, &e, 1);
    return e;
}

ah_expr work_expression(work *w, ah_expr e)
{
    return algebra_simplify(w->alg, translate(w->ctx, w, e));
}

static mat translated(work *w, mat m)
{
    return algebra_simplify_mat(w->alg, mat_map(w->ctx, w->arena, m, translate, w));
}

/* A definition in t, q, v; only the values of parameters are put in. */
static mat written(work *w, mat m)
{
    ah_expr *e = mat_to_dense(w->ctx, w->arena, m);
    if (w->options.values) model_put_values(w->eq->mech->model, e, (size_t) m.rows * m.cols);
    return mat_from_dense(w->ctx, w->arena, m.rows, m.cols, e);
}

static mat leaf_of(void *user, const sheet_node *node)
{
    return node->as_written ? written(user, node->leaf) : translated(user, node->leaf);
}

bool work_out(work *w, quantity x, mat *out)
{
    const sheet_node *node = sheet_get(w->eq->sheet, x);
    if (w->state[x] == NOT_YET) {
        mat in[4] = {0};
        bool good = true;
        ctx_tick(w->ctx);
        const symbolic s = {w->ctx, w->alg, w->arena, leaf_of, w};
        for (int i = 0; symbolic_needs_operands(node) && i < 4 && good; i++)
            if (node->in[i] != QUANTITY_NONE) good = work_out(w, node->in[i], &in[i]);
        good = good && symbolic_operate(&s, node, in, &w->value[x]);
        w->state[x] = good ? KNOWN : GAVE_UP;
    }
    *out = w->value[x];
    return w->state[x] == KNOWN;
}
