/* making/making_moves.c - programs that bring a state to the constraints.
 *
 * A step of Newton's method moves x by a d with J d = −g. Where the rows allow it, no equations are solved for that: the four
 * numbers of an attitude are scaled to their norm (M weighs nothing in that direction), and a height follows from the other
 * coordinates, unless it has a corner: a step may end beyond it, where that height is another. Else d is the least in the metric of M; where equations
 * run through frames velocities are moved by these, and places in the metric of the diagonal that M has at the sample state: M is long, and
 * they move by less than the tolerance. */
#include "making_steps.h"

#include <math.h>

/* The attitude whose four numbers alone are in the row, as its norm; NULL: none. */
static const model_attitude *norm_in(making *w, mat J, uint32_t row)
{
    ah_ctx *ctx = w->p->ctx;
    const ah_model *m = w->p->model;
    for (size_t i = 0; i < m->attitudes.count; i++) {
        const model_attitude *a = &m->attitudes.at[i];
        int found = 0;
        for (uint32_t e = J.start[row]; e < J.start[row + 1]; e++)
            for (int k = 0; k < 4; k++)
                found += m->q.at[J.col[e]] == a->e[k] &&
                         J.val[e] == expr_mul(ctx, expr_int(ctx, 2), a->e[k]);
        if (found == 4 && J.start[row + 1] - J.start[row] == 4) return a;
    }
    return NULL;
}

static bool is_number(const making *w, ah_expr e)
{
    ah_ctx *ctx = w->p->ctx;
    if (expr_depends_kind(ctx, e, AH_COORDINATE) || expr_depends_kind(ctx, e, AH_TIME))
        return false;
    const double value = point_eval(w->p, e);
    return isfinite(value) && value != 0;
}

/* The one coordinate that the row alone has, with a number, as the height of what rolls on a plane; n: it has none, or several. */
static uint32_t lone_in(making *w, mat J, uint32_t row)
{
    ah_ctx *ctx = w->p->ctx;
    uint32_t found = w->c->n;
    for (uint32_t e = J.start[row]; e < J.start[row + 1]; e++) {
        const uint32_t i = J.col[e];
        bool alone = true;
        for (uint32_t b = 0; b < J.rows; b++)
            alone = alone && (b == row || expr_is_zero(ctx, mat_get(ctx, J, b, i)));
        if (!alone || !is_number(w, J.val[e])) continue;
        if (found < w->c->n) return w->c->n;
        found = i;
    }
    return found;
}

/* false: a row is neither a norm nor has it a height. */
static bool move_plainly(making *w, recipe *r, mat g, mat J, ah_expr *d)
{
    ah_ctx *ctx = w->p->ctx;
    const ah_model *m = w->p->model;
    for (uint32_t i = 0; i < w->c->n; i++) d[i] = expr_int(ctx, 0);
    for (uint32_t a = 0; a < g.rows; a++) {
        const model_attitude *norm = norm_in(w, J, a);
        const ah_expr e = mat_get(ctx, g, a, 0), one = expr_int(ctx, 1);
        if (!norm && (lone_in(w, J, a) == w->c->n || edges_switch_in(ctx, w->p->arena, e)))
            return false;
        if (!norm) continue;
        const ah_expr by = recipe_name(
            r, expr_div(ctx, e, expr_mul(ctx, expr_int(ctx, -2), expr_add(ctx, e, one))));
        for (uint32_t i = 0; i < w->c->n; i++)
            for (int k = 0; k < 4; k++)
                if (m->q.at[i] == norm->e[k]) d[i] = recipe_name(r, expr_mul(ctx, by, norm->e[k]));
    }
    for (uint32_t a = 0; a < g.rows; a++) {
        if (norm_in(w, J, a)) continue;
        const uint32_t i = lone_in(w, J, a);
        ah_expr left = mat_get(ctx, g, a, 0);
        for (uint32_t e = J.start[a]; e < J.start[a + 1]; e++)
            left = expr_add(ctx, left, expr_mul(ctx, J.val[e], d[J.col[e]]));
        d[i] = expr_neg(ctx, expr_div(ctx, left, mat_get(ctx, J, a, i)));
    }
    return true;
}

/* To powers of two; 1 of what has no mass. */
static mat diagonal_of(making *w, recipe *r, mat M)
{
    ah_ctx *ctx = w->p->ctx;
    mat_entry *e = NEW_ARRAY(w->p->arena, mat_entry, M.rows + 1);
    const double *m = recipe_numbers(r, M);
    for (uint32_t i = 0; i < M.rows; i++)
        e[i] = (mat_entry){i, i, recipe_about(r, m[(size_t) i * M.cols + i])};
    return mat_from_entries(ctx, w->p->arena, M.rows, M.rows, e, M.rows);
}

static bool move_least(making *w, recipe *r, motion_program which, mat g, mat J, ah_expr *d)
{
    ah_ctx *ctx = w->p->ctx;
    mat M = mechanics_mass(w->mech), least, lambda;
    const mat none = mat_zero(ctx, w->p->arena, w->c->n, 1);
    if (which == MOTION_PLACES && w->c->writing == MOTION_BY_FRAMES) M = diagonal_of(w, r, M);
    if (!recipe_kkt(r, M, J, none, g, &least, &lambda)) return false;
    for (uint32_t i = 0; i < w->c->n; i++) d[i] = mat_get(ctx, least, i, 0);
    return true;
}

void making_projection(making *w, motion_program which, motion_program left, mat g,
                       const ah_expr *x)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    recipe r = making_begin(w, false);
    expr_list out = {0};
    ah_expr *d = NEW_ARRAY(a, ah_expr, w->c->n + 1);
    const mat J = mat_jacobian(ctx, a, g, w->c->n, x);
    if (w->mech->tree || !recipe_takes_kkt(&r, mechanics_mass(w->mech), J)) return;
    uint32_t *order = NEW_ARRAY(a, uint32_t, g.rows + 1);
    const uint32_t rank = recipe_rank(&r, J, order);
    if (!rank) return;
    for (uint32_t i = 0; i < g.rows; i++) {
        const ah_expr e = mat_get(ctx, g, i, 0);
        if (expr_is_zero(ctx, e)) continue;
        LIST_PUSH(a, &out, expr_call1(ctx, AH_ABS, e));
        LIST_PUSH(a, &out, expr_terms(ctx, e));
    }
    w->c->residuals[which] = (uint32_t) out.count / 2;
    making_end(w, &r, left, out);
    const bool plain = which == MOTION_PLACES && rank == g.rows && move_plainly(w, &r, g, J, d);
    const bool through = !plain && which == MOTION_VELOCITIES &&
                         w->c->writing == MOTION_BY_FRAMES && making_move_by_frames(w, &r, g, d);
    if (!plain && !through &&
        !move_least(w, &r, which, mat_rows(ctx, a, g, order, rank),
                    mat_rows(ctx, a, J, order, rank), d))
        return;
    for (uint32_t i = 0; i < w->c->n; i++) LIST_PUSH(a, &out, expr_add(ctx, x[i], d[i]));
    making_end(w, &r, which, out);
}
