/* derive/quasi_sheet.c - a frame of quasi-velocities in a worksheet. */
#include "quasi.h"

/* E: the free ω of an automatic frame are velocities, chosen anew where the constraints cannot be
 * solved for the others. All derivatives of these ω vanish whichever they are, so nothing else
 * depends on the choice. */
static quantity local_velocities(ah_equations *eq, const quasi *w, quantity J)
{
    mechanics *k = eq->mech;
    const uint32_t m = w->n - w->r;
    uint32_t *preferred = NEW_ARRAY(k->arena, uint32_t, m);
    const mat E = mat_rows(k->ctx, k->arena, w->f_v, w->free, m);
    for (uint32_t i = 0; i < m; i++) preferred[i] = E.col[E.start[i]];
    const quantity none = sheet_leaf(eq->sheet, mat_zero(k->ctx, k->arena, w->r, 1));
    return sheet_local_chart(eq->sheet, SHEET_INDEPENDENT, J, none, m, preferred, (mat){0});
}

static void write_frame(ah_equations *eq, quasi_quantities *x)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quasi *w = x->w;
    const uint32_t m = w->n - w->r;
    if (w->origin == QUASI_AUTOMATIC && w->r && m) {
        const quantity J = sheet_leaf(s, mat_rows(k->ctx, k->arena, w->f_v, w->bound, w->r));
        const quantity E = local_velocities(eq, w, J);
        x->b = sheet_stack(s, E, J);
        x->free_omega = sheet_mul(s, E, sheet_leaf(s, k->v));
        x->omega = sheet_stack(s, x->free_omega,
                               sheet_leaf(s, mat_rows(k->ctx, k->arena, w->f, w->bound, w->r)));
    } else {
        x->b = sheet_leaf(s, w->f_v);
        x->omega = sheet_leaf(s, w->f);
        x->free_omega = quasi_free_rows(s, w, x->omega);
    }
    sheet_name(s, x->omega, "\\omega", NULL);
}

static void write_mechanics(ah_equations *eq, quasi_quantities *x)
{
    mechanics *k = eq->mech;
    x->M = derive_leaf(eq, mechanics_mass(k), "M", "\\partial^2 T / \\partial \\dot{q}^2");
    x->p = derive_leaf(eq, k->p, "p", "\\partial T / \\partial \\dot{q}");
    x->K = derive_leaf(eq, k->K, "K", "F - \\partial V / \\partial q");
    x->T_q = derive_leaf(eq, k->T_q, "\\partial T / \\partial q", NULL);
    x->pdot0 = sheet_leaf(eq->sheet, k->pdot0);
}

/* v → B ω + C with the bound ω zero: all that is displayed is displayed on the constraints. */
static void set_display(ah_equations *eq, const quasi *w)
{
    mechanics *k = eq->mech;
    eq->is_omega = true;
    eq->speeds = w->omega;
    eq->speeds_dot_symbols = w->omegadot;
    eq->speeds_definition = w->f;
    if (w->origin == QUASI_DECLARED || w->origin == QUASI_COMPLETED)
        eq->frame = mat_rows(k->ctx, k->arena, w->f_v, w->free, w->n - w->r);
    if (!w->v.rows && !w->F.rows) return;
    ah_expr *zero = NEW_ARRAY(k->arena, ah_expr, w->r), *bound = NEW_ARRAY(k->arena, ah_expr, w->r);
    for (uint32_t i = 0; i < w->r; i++) {
        zero[i] = expr_int(k->ctx, 0);
        bound[i] = mat_get(k->ctx, w->omega, w->bound[i], 0);
    }
    const mat all = w->v.rows ? w->v : w->F;
    const ah_expr *to =
        mat_to_dense(k->ctx, k->arena, mat_subst(k->ctx, k->arena, all, w->r, bound, zero));
    if (w->F.rows) {
        eq->branch = to;
        return;
    }
    eq->substitutions = k->n;
    eq->from = k->model->v.at;
    eq->to = to;
}

quasi_quantities quasi_write(ah_equations *eq, const quasi *w)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    quasi_quantities x = {.w = w, .BT_bound = QUANTITY_NONE};
    set_display(eq, w);
    write_mechanics(eq, &x);
    write_frame(eq, &x);
    x.B = sheet_solve(s, x.b, sheet_leaf(s, mat_identity(k->ctx, k->arena, w->n)));
    x.BT = sheet_transpose(s, x.B);
    x.B_free = sheet_cols(s, x.B, w->free, w->n - w->r);
    x.BT_free = sheet_transpose(s, x.B_free);
    if (w->r) x.BT_bound = quasi_bound_rows(s, w, x.BT);
    x.f_q = sheet_leaf(s, w->f_q);
    x.a0 = sheet_neg(s, sheet_mul(s, x.B, sheet_leaf(s, quasi_along(k, w->f))));
    x.P = sheet_name(s, sheet_mul(s, x.BT, x.p), "P", "B^T p");
    sheet_belongs(s, x.P, w->omega);
    return x;
}

quantity quasi_free_rows(sheet *s, const quasi *w, quantity x)
{
    const uint32_t m = w->n - w->r;
    return sheet_belongs(s, w->r ? sheet_rows(s, x, w->free, m) : x,
                         mat_rows(s->ctx, s->arena, w->omega, w->free, m));
}

quantity quasi_bound_rows(sheet *s, const quasi *w, quantity x)
{
    return sheet_rows(s, x, w->bound, w->r);
}

quantity quasi_place(ah_equations *eq, const quasi *w, quantity free_rows)
{
    mechanics *k = eq->mech;
    const uint32_t m = w->n - w->r;
    mat_entry *e = NEW_ARRAY(k->arena, mat_entry, m);
    for (uint32_t i = 0; i < m; i++) e[i] = (mat_entry){w->free[i], i, expr_int(k->ctx, 1)};
    const mat place = mat_from_entries(k->ctx, k->arena, w->n, m, e, m);
    return sheet_mul(eq->sheet, sheet_leaf(eq->sheet, place), free_rows);
}

quantity quasi_acceleration(sheet *s, const quasi_quantities *x, quantity free_omegadot)
{
    return sheet_add(s, sheet_mul(s, x->B_free, free_omegadot), x->a0);
}

void quasi_extra(ah_equations *eq, const char *name, quantity x)
{
    LIST_PUSH(eq->mech->arena, &eq->extras, ((struct equations_extra){name, x}));
}

/* R = Σ λ_μ ∂ω_μ/∂v over the bound ω, and the multipliers of the model's own constraints from
 * Jᵀλ = R: the rows of J are combinations of the bound rows of b, J = (J B_bound) b_bound. */
static void write_reactions(ah_equations *eq, const quasi_quantities *x, quantity bound)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quantity b_bound = quasi_bound_rows(s, x->w, x->b);
    eq->reaction = sheet_name(s, sheet_mul(s, sheet_transpose(s, b_bound), bound), "R",
                              "\\sum \\lambda_\\mu b_\\mu");
    quasi_extra(eq, "multipliers_of_constrained", bound);
    if (x->w->implied || k->rank < k->r) return;
    const quantity JT = sheet_transpose(s, sheet_leaf(s, k->J));
    eq->multipliers = sheet_solve(s, sheet_mul(s, x->BT_bound, JT), bound);
}

void quasi_finish(ah_equations *eq, const quasi_quantities *x, quantity free_omegadot,
                  quantity bound_multipliers)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quasi *w = x->w;
    eq->qddot = sheet_name(s, quasi_acceleration(s, x, free_omegadot), "\\ddot{q}",
                           "B \\dot{\\omega} + a_0");
    if (w->origin == QUASI_AUTOMATIC && w->r) { /* the ω that were asked for, not the local ones */
        const mat E = mat_rows(k->ctx, k->arena, w->f_v, w->free, w->n - w->r);
        free_omegadot = sheet_mul(s, sheet_leaf(s, E), eq->qddot);
    }
    eq->in_velocities.of = free_omegadot;
    if (w->origin == QUASI_DECLARED || w->origin == QUASI_COMPLETED)
        eq->in_velocities.write = quasi_rows;
    eq->speeds_dot = quasi_place(eq, w, free_omegadot);
    if (bound_multipliers != QUANTITY_NONE) write_reactions(eq, x, bound_multipliers);
}

mat quasi_free_omegadot(mechanics *k, const quasi *w)
{
    return mat_rows(k->ctx, k->arena, w->omegadot, w->free, w->n - w->r);
}

/* ---- As displayed ---------------------------------------------------------------------------- */

static void list_symbols(mechanics *k, text *t, mat symbols, const uint32_t *which, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        text_printf(t, "%s ${{%s}}$", i ? "," : "",
                    expr_text(k->ctx, k->arena, mat_get(k->ctx, symbols, which[i], 0), AH_LATEX));
}

static const char *origin_text(quasi_origin origin)
{
    switch (origin) {
    case QUASI_DECLARED: return "The quasi-velocities are those of the model";
    case QUASI_COMPLETED: return "The quasi-velocities of the model, then the constraints";
    case QUASI_ATTITUDES: return "Angular velocities in body axes, and velocities, in the order";
    case QUASI_AUTOMATIC: return "Independent velocities, in the order";
    case QUASI_ORTHONORMAL: return "An orthonormal frame: $T = \\frac{1}{2} \\sum \\omega^2$";
    }
    return "";
}

/* q' = what `of` is, except where that (it is `to`) would read x' = x'. */
static bool show_rows(ah_equations *eq, const ah_expr *to, quantity of, const char *remark)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    uint32_t *rows = NEW_ARRAY(k->arena, uint32_t, k->n), count = 0;
    for (uint32_t i = 0; i < k->n; i++)
        if (to[i] != k->model->v.at[i]) rows[count++] = i;
    if (!count) return false;
    const char *formula = eq->branch ? "F(q, \\omega, t)" : "B \\omega + C";
    const quantity shown =
        sheet_name(s, count < k->n ? sheet_rows(s, of, rows, count) : of, "\\dot{q}", formula);
    sheet_equations(s, mat_rows(k->ctx, k->arena, k->v, rows, count), shown, remark, NULL);
    return true;
}

/* q' = B ω + C or F. */
static bool show_velocities(ah_equations *eq, const ah_expr *to, const char *remark)
{
    mechanics *k = eq->mech;
    const mat all = mat_from_dense(k->ctx, k->arena, k->n, 1, to);
    return show_rows(eq, to, sheet_leaf(eq->sheet, all), remark);
}

/* q' = B (ω − c), with the vanishing ω in it. Quasi-velocities of the model are written in its names, and B with them. */
static void show_all_velocities(ah_equations *eq, const quasi_quantities *x)
{
    static const char remark[] = "before the constraints are put in";
    const quasi *w = x->w;
    mechanics *k = eq->mech;
    const ah_expr *to = mat_to_dense(k->ctx, k->arena, w->v);
    if (w->origin != QUASI_DECLARED && w->origin != QUASI_COMPLETED) {
        show_velocities(eq, to, remark);
        return;
    }
    const mat omega = mat_sub(k->ctx, k->arena, w->omega, w->c);
    show_rows(eq, to, sheet_mul(eq->sheet, x->B, sheet_leaf(eq->sheet, omega)), remark);
}

void quasi_show(ah_equations *eq, const quasi_quantities *x, const char *paper)
{
    const quasi *w = x->w;
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    sheet_section(s, "Quasi-velocities", paper);
    text t = text_begin(k->arena);
    text_add(&t, origin_text(w->origin));
    if (w->origin == QUASI_AUTOMATIC || w->origin == QUASI_ATTITUDES) {
        list_symbols(k, &t, w->omega, w->free, w->n - w->r);
        if (w->r) text_add(&t, ", then the constraints");
    }
    if (w->r) {
        text_add(&t, "; on the constraints");
        list_symbols(k, &t, w->omega, w->bound, w->r);
        text_add(&t, w->r == 1 ? " vanishes" : " vanish");
    }
    if (eq->options.orthonormal && w->origin != QUASI_ORTHONORMAL)
        text_add(&t, ". There is no orthonormal frame: $T$ is not a regular quadratic form, or the "
                     "frame is not linear");
    sheet_text(s, "%s.", text_end(&t));

    /* The free ω of an automatic frame would read x' = x'. */
    const bool all = w->origin != QUASI_AUTOMATIC;
    const uint32_t count = all ? w->n : w->r;
    if (!count) return;
    const uint32_t *which = all ? sheet_first_rows(s, w->n) : w->bound;
    const mat f = mat_rows(k->ctx, k->arena, w->f, which, count);
    sheet_equations(s, mat_rows(k->ctx, k->arena, w->omega, which, count),
                    sheet_as_written(s, derive_leaf(eq, f, "\\omega", "f(q, \\dot{q}, t)")), NULL,
                    NULL);
    if (all) sheet_final(s);
    if (w->r && w->v.rows) show_all_velocities(eq, x);
    if (w->F.rows)
        show_velocities(
            eq, mat_to_dense(k->ctx, k->arena, w->F),
            "the inverse $F(q, \\omega, t)$, its roots with the signs that are assumed");
}

void quasi_show_kinematics(ah_equations *eq, const quasi *w)
{
    if (w->v.rows) {
        if (show_velocities(eq, eq->to, NULL)) sheet_final(eq->sheet);
    } else if (eq->branch) {
        if (show_velocities(eq, eq->branch, NULL)) sheet_final(eq->sheet);
    } else if (w->r) { /* what holds the velocities that are not free */
        sheet_implicit(eq->sheet, sheet_as_written(eq->sheet, derive_leaf(eq, w->C, "C", NULL)),
                       QUANTITY_NONE, NULL, NULL);
        sheet_final(eq->sheet);
    }
}

void quasi_show_free_rows(ah_equations *eq, const quasi *w, quantity x)
{
    sheet *s = eq->sheet;
    const sheet_node *node = sheet_get(s, x);
    const char *name = node->name, *formula = node->formula;
    sheet_show(s, sheet_name(s, quasi_free_rows(s, w, x), name, formula), NULL, NULL);
}

quantity quasi_unknowns(ah_equations *eq, const quasi *w)
{
    return sheet_leaf(eq->sheet, quasi_free_omegadot(eq->mech, w));
}

void quasi_show_multipliers(ah_equations *eq, const quasi *w, quantity bound_multipliers)
{
    mechanics *k = eq->mech;
    ah_expr *lambda = NEW_ARRAY(k->arena, ah_expr, w->r);
    for (uint32_t i = 0; i < w->r; i++) lambda[i] = model_multiplier(k->model, w->bound[i], false);
    sheet_text(eq->sheet, "The rows of the vanishing quasi-velocities give their multipliers:");
    sheet_equations(eq->sheet, mat_from_dense(k->ctx, k->arena, w->r, 1, lambda), bound_multipliers,
                    NULL, NULL);
    eq->in_velocities.multipliers = bound_multipliers;
    eq->in_velocities.write_multipliers = quasi_multipliers;
}
