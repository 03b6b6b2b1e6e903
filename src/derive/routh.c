/* Routh's equations: docs/formalisms/routh.md; [T, section 2].
 *
 *     R(q_r, v_r, p_c, t) = L − Σ p_c v_c,      v_c from p_c = ∂L/∂v_c
 *     d/dt ∂R/∂v_r − ∂R/∂q_r = F_r,      p_c' = 0
 *
 * for cyclic coordinates c: L and all forces are free of q_c, and F_c = 0. Trap: putting v_c into L
 * instead of R gives wrong equations (in Kepler's problem the centrifugal term changes its sign).
 * What is differentiated is R. It is displayed in the constants p_c; at a state its derivatives are
 * run with p_c = ∂L/∂v_c. */
#include "momenta.h"

static bool vanishes(mechanics *k, ah_expr e)
{
    return algebra_zero(k->alg, e) == AH_TRUE;
}

/* ∂L/∂q_c = ∂T/∂q_c + K_c − F_c. */
static ah_expr by_coordinate(mechanics *k, uint32_t c)
{
    ah_ctx *ctx = k->ctx;
    const ah_expr V_q = expr_sub(ctx, mat_get(ctx, k->F, c, 0), mat_get(ctx, k->K, c, 0));
    return expr_sub(ctx, mat_get(ctx, k->T_q, c, 0), V_q);
}

static bool is_cyclic(mechanics *k, uint32_t c)
{
    ah_ctx *ctx = k->ctx;
    const ah_expr q = k->model->q.at[c];
    if (!vanishes(k, mat_get(ctx, k->F, c, 0)) || !vanishes(k, by_coordinate(k, c))) return false;
    for (uint32_t i = 0; i < mat_entries(k->F); i++)
        if (expr_depends(ctx, k->F.val[i], q) && !vanishes(k, expr_diff(ctx, k->F.val[i], q)))
            return false;
    return true;
}

/* Coordinates on which L depends at a random place, all by one walk: of a long tree that saves the algebra, which would take
 * its time to give up for each of them. */
static const bool *surely_used(mechanics *k)
{
    bool *used = NEW_ARRAY(k->arena, bool, k->n);
    if (!k->tree) return used;
    ah_expr *slope = NEW_ARRAY(k->arena, ah_expr, k->n);
    for (uint32_t i = 0; i < k->n; i++) slope[i] = by_coordinate(k, i);
    algebra_nonzero(k->alg, k->n, slope, used);
    return used;
}

/* Cyclic coordinates first in `order`, then the others, each ascending. */
static uint32_t find_cyclic(mechanics *k, uint32_t *order)
{
    uint32_t count = 0, rest = k->n;
    bool *cyclic = NEW_ARRAY(k->arena, bool, k->n);
    const bool *used = surely_used(k);
    for (uint32_t i = 0; i < k->n; i++)
        if ((cyclic[i] = !used[i] && is_cyclic(k, i))) order[count++] = i;
    for (uint32_t i = k->n; i-- > 0;)
        if (!cyclic[i]) order[--rest] = i;
    return count;
}

static const char *accepts(mechanics *k, const char **instead)
{
    const char *why = derive_needs_no_constraints(k, instead);
    if (why) return why;
    *instead = "lagrange";
    uint32_t *order = NEW_ARRAY(k->arena, uint32_t, k->n);
    const uint32_t count = find_cyclic(k, order);
    if (!count) return "no coordinate is cyclic";
    momenta p;
    return derive_solve_momenta(k, order, count, &p);
}

static ah_expr routhian(mechanics *k, const momenta *p, const uint32_t *cyclic)
{
    ah_ctx *ctx = k->ctx;
    const mat v = mat_rows(ctx, k->arena, k->v, cyclic, p->count);
    const mat pv = mat_mul(ctx, k->arena, mat_transpose(ctx, k->arena, p->symbols), v);
    const ah_expr R = expr_sub(ctx, k->Lagrangian, mat_get(ctx, pv, 0, 0));
    return algebra_simplify(k->alg, expr_subst(ctx, R, p->count, mat_to_dense(ctx, k->arena, v),
                                               mat_to_dense(ctx, k->arena, p->velocities)));
}

/* What Routh's equations are made of: ∂²R/∂v², ∂R/∂q, d/dt ∂R/∂v without accelerations, F. */
typedef struct terms {
    mat metric, slope, rest, force;
} terms;

static terms terms_of(mechanics *k, ah_expr R, const momenta *p, const uint32_t *order)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    const uint32_t count = k->n - p->count, *others = order + p->count;
    const mat q = mat_rows(ctx, a, k->q, others, count), v = mat_rows(ctx, a, k->v, others, count);
    const mat v_c = mat_rows(ctx, a, k->v, order, p->count);
    const ah_expr *vs = mat_to_dense(ctx, a, v), *qs = mat_to_dense(ctx, a, q);
    const mat R_v = mat_gradient(ctx, a, R, count, vs);
    terms t = {.metric = mat_jacobian(ctx, a, R_v, count, vs),
               .slope = mat_gradient(ctx, a, R, count, qs)};
    t.rest = mat_add(ctx, a, mat_mul(ctx, a, mat_jacobian(ctx, a, R_v, count, qs), v),
                     mat_derivative(ctx, a, R_v, k->t));
    t.force = mat_subst(ctx, a, mat_rows(ctx, a, k->F, others, count), p->count,
                        mat_to_dense(ctx, a, v_c), mat_to_dense(ctx, a, p->velocities));
    return t;
}

static mat at_state(mechanics *k, const momenta *p, mat m)
{
    return mat_subst(k->ctx, k->arena, m, p->count, mat_to_dense(k->ctx, k->arena, p->symbols),
                     mat_to_dense(k->ctx, k->arena, p->definition));
}

static terms terms_at_state(mechanics *k, const momenta *p, terms t)
{
    return (terms){at_state(k, p, t.metric), at_state(k, p, t.slope), at_state(k, p, t.rest),
                   at_state(k, p, t.force)};
}

static quantity accelerations(ah_equations *eq, terms t, bool show)
{
    sheet *s = eq->sheet;
    const quantity R_vv =
        derive_leaf(eq, t.metric, "R_{\\dot{q}\\dot{q}}", "\\partial^2 R / \\partial \\dot{q}^2");
    const quantity R_q = derive_leaf(eq, t.slope, "R_q", "\\partial R / \\partial q");
    const quantity rest = derive_leaf(eq, t.rest, "h",
                                      "\\dot{q} \\partial^2 R / \\partial q \\partial \\dot{q} + "
                                      "\\partial^2 R / \\partial t \\partial \\dot{q}");
    const quantity F = derive_leaf(eq, t.force, "F", NULL);
    sheet_meaning(s, F, "\\text{the forces without a potential}");
    if (show) {
        sheet_show(s, R_vv, NULL, NULL);
        sheet_show(s, R_q, NULL, NULL);
        sheet_show(s, rest, NULL, NULL);
    }
    return sheet_solve(s, R_vv, sheet_sub(s, sheet_add(s, F, R_q), rest));
}

/* v_c' from p_c' = 0: M_cc v_c' = −(M_cr v_r' + (∂p_c/∂q) v + ∂p_c/∂t); then all in order. */
static quantity all_accelerations(ah_equations *eq, const uint32_t *order, uint32_t count,
                                  quantity others)
{
    mechanics *k = eq->mech;
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    sheet *s = eq->sheet;
    const mat M = mat_rows(ctx, a, mechanics_mass(k), order, count);
    const mat along = mat_rows(ctx, a, k->pdot0, order, count);
    const quantity M_cc = sheet_leaf(s, mat_cols(ctx, a, M, order, count));
    const quantity M_cr = sheet_leaf(s, mat_cols(ctx, a, M, order + count, k->n - count));
    const quantity rate = sheet_add(s, sheet_mul(s, M_cr, others), sheet_leaf(s, along));
    const quantity cyclic = sheet_neg(s, sheet_solve(s, M_cc, rate));
    uint32_t *place = NEW_ARRAY(a, uint32_t, k->n);
    for (uint32_t i = 0; i < k->n; i++) place[order[i]] = i;
    return sheet_rows(s, sheet_stack(s, cyclic, others), place, k->n);
}

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    sheet *s = eq->sheet;
    uint32_t *order = NEW_ARRAY(a, uint32_t, k->n);
    const uint32_t count = find_cyclic(k, order), rest = k->n - count;
    momenta p;
    derive_solve_momenta(k, order, count, &p);
    const ah_expr R = routhian(k, &p, order);
    const terms t = terms_of(k, R, &p, order);

    sheet_section(s, "Cyclic coordinates and their momenta", "[T, section 2]");
    sheet_show(s, derive_leaf(eq, mat_from_dense(ctx, a, 1, 1, &k->Lagrangian), "L", "T - V"), NULL,
               NULL);
    sheet_equations(s, p.symbols,
                    derive_leaf(eq, p.definition, "p_c", "\\partial L / \\partial \\dot{q}_c"),
                    NULL, NULL);
    sheet_final(s);
    sheet_equations(s, p.dots, derive_leaf(eq, mat_zero(ctx, a, count, 1), "\\dot{p}_c", NULL),
                    NULL, NULL);
    sheet_final(s);
    sheet_equations(s, mat_rows(ctx, a, k->v, order, count),
                    derive_leaf(eq, p.velocities, "\\dot{q}_c", NULL), NULL, NULL);
    sheet_final(s);
    sheet_section(s, "The Routhian $R = L - p_c \\dot{q}_c$", NULL);
    const quantity routhian = derive_leaf(eq, mat_from_dense(ctx, a, 1, 1, &R), "R", NULL);
    sheet_show(s, sheet_meaning(s, routhian, "L - p_c \\dot{q}_c"), NULL, NULL);
    sheet_final(s);
    const quantity shown = accelerations(eq, t, true);
    sheet_section(s, "Routh's equations $R_{\\dot{q}\\dot{q}} \\ddot{q} + h - R_q = F$", NULL);
    sheet_equations(s, mat_rows(ctx, a, k->a, order + count, rest), shown, NULL, NULL);
    sheet_final(s);
    const quantity run = accelerations(eq, terms_at_state(k, &p, t), false);
    eq->qddot = all_accelerations(eq, order, count, run);
}

const formalism formalism_routh = {
    .name = "routh",
    .title = "Routh's equations for cyclic coordinates",
    .paper = "T",
    .accepts = accepts,
    .derive = derive,
};
