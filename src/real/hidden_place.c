/* real/hidden_place.c - see hidden_place.h.
 *
 * Of rows J v + b = 0, linear in the velocities, a combination with wᵀ J = 0 leaves wᵀ b = 0: a condition on q and t. */
#include "hidden_place.h"

typedef struct hidden_rows {
    ah_model *m;
    arena *arena;
    mat J;
    ah_expr *b;
} hidden_rows;

static hidden_rows rows_of(ah_model *m, arena *a, size_t count, const uint32_t *constraint)
{
    ah_ctx *ctx = m->ctx;
    ah_expr *e = NEW_ARRAY(a, ah_expr, count + 1), *zero = NEW_ARRAY(a, ah_expr, m->n);
    uint32_t rows = 0;
    for (size_t i = 0; i < count; i++) {
        const model_constraint *c = &m->constraints.at[constraint[i]];
        if (c->order == MODEL_HOLONOMIC)
            e[rows++] = expr_dt(ctx, c->c);
        else if (c->order == MODEL_VELOCITY && c->linear)
            e[rows++] = c->c;
    }
    model_put_values(m, e, rows);
    hidden_rows out = {m, a, .b = NEW_ARRAY(a, ah_expr, rows + 1)};
    out.J = mat_jacobian(ctx, a, mat_from_dense(ctx, a, rows, 1, e), m->n, m->v.at);
    for (uint32_t i = 0; i < m->n; i++) zero[i] = expr_int(ctx, 0);
    for (uint32_t i = 0; i < rows; i++) out.b[i] = expr_subst(ctx, e[i], m->n, m->v.at, zero);
    return out;
}

/* Does e vanish where the holonomic constraints hold? */
static bool is_stated(const hidden_rows *h, ah_expr e)
{
    const ah_model *m = h->m;
    expr_list places = {0};
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_HOLONOMIC)
            LIST_PUSH(h->arena, &places, m->constraints.at[i].c);
    model_put_values(h->m, places.at, places.count);
    const bool zero = !algebra_set_relations(m->alg, places.at, places.count) ||
                      algebra_zero(m->alg, e) == AH_TRUE;
    algebra_set_relations(m->alg, NULL, 0);
    return zero;
}

const char *hidden_place(ah_model *m, arena *a, size_t count, const uint32_t *constraint)
{
    ah_ctx *ctx = m->ctx;
    const hidden_rows h = rows_of(m, a, count, constraint);
    mat w;
    if (h.J.rows < 2 || !algebra_nullspace(m->alg, mat_transpose(ctx, a, h.J), NULL, &w, NULL))
        return NULL;
    for (uint32_t k = 0; k < w.cols; k++) {
        ah_expr sum = expr_int(ctx, 0), top, below;
        for (uint32_t i = 0; i < w.rows; i++)
            sum = expr_add(ctx, sum, expr_mul(ctx, mat_get(ctx, w, i, k), h.b[i]));
        if (!algebra_fraction(m->alg, sum, &top, &below)) continue;
        if (!expr_depends_kind(ctx, top, AH_COORDINATE) || is_stated(&h, top)) continue;
        return arena_printf(a, "%s = 0", expr_text(ctx, a, top, AH_ASCII));
    }
    return NULL;
}
