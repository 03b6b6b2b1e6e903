/* derive/chart_sheet.c - charts of the velocities in a worksheet. */
#include "derive.h"

static const mat NO_MATRIX;

/* A determinant with more operations is not printed in a sentence. */
#define CHART_LONGEST_WARNING 12

chart_quantities derive_chart_quantities(ah_equations *eq)
{
    mechanics *k = eq->mech;
    const chart *c = &k->chart;
    sheet *s = eq->sheet;
    chart_quantities out = {.E = QUANTITY_NONE};
    eq->speeds = c->z;
    eq->speeds_dot_symbols = c->zdot;
    if (c->psi.rows) {
        eq->substitutions = k->n;
        eq->from = k->model->v.at;
        eq->to = mat_to_dense(k->ctx, k->arena, c->psi);
    }
    if (c->kind == CHART_GIVEN) {
        eq->uses_given_chart = true;
        out.Psi = sheet_leaf(s, c->Psi);
        out.drift = sheet_leaf(s, c->drift);
    } else {
        const quantity J = sheet_leaf(s, k->J), gamma = sheet_leaf(s, k->gamma);
        const uint32_t *I = c->independent;
        out.Psi = sheet_local_chart(s, SHEET_CHART, J, gamma, c->m, I, c->Psi);
        out.drift = sheet_local_chart(s, SHEET_DRIFT, J, gamma, c->m, I, c->drift);
        out.E = sheet_local_chart(s, SHEET_INDEPENDENT, J, gamma, c->m, I, NO_MATRIX);
    }
    sheet_name(s, out.Psi, "\\Psi", "\\partial \\psi / \\partial z");
    sheet_name(s, out.drift, "d", "\\psi_q \\psi + \\psi_t");
    return out;
}

void derive_finish_speeds(ah_equations *eq, chart_quantities c, quantity zdot)
{
    sheet *s = eq->sheet;
    eq->speeds_dot = zdot;
    eq->chart_used = c.E;
    eq->qddot = sheet_name(s, sheet_add(s, sheet_mul(s, c.Psi, zdot), c.drift), "\\ddot{q}",
                           "\\Psi \\dot{z} + d");
}

/* -e vanishes where e does. */
static ah_expr without_sign(ah_ctx *ctx, ah_expr e)
{
    const char *s = expr_text(ctx, &ctx->scratch, e, AH_ASCII);
    return *s == '-' && expr_get_op(ctx, e) != EXPR_SUM ? expr_neg(ctx, e) : e;
}

void derive_show_independent(ah_equations *eq, const chart *c)
{
    mechanics *k = eq->mech;
    text t = text_begin(k->arena);
    text_add(&t, c->m == 1 ? "The independent velocity is" : "The independent velocities are");
    for (uint32_t i = 0; i < c->m; i++)
        text_printf(&t, "%s ${{%s}}$", i ? "," : "",
                    expr_text(k->ctx, k->arena, mat_get(k->ctx, c->z, i, 0), AH_LATEX));
    if (c->fails_where != AH_NONE &&
        expr_operations(k->ctx, &c->fails_where, 1) > CHART_LONGEST_WARNING)
        text_add(&t, "; this fails where the constraints cannot be solved for the others");
    else if (c->fails_where != AH_NONE)
        text_printf(&t, "; this fails where ${{%s}} = 0$",
                    expr_text(k->ctx, k->arena, without_sign(k->ctx, c->fails_where), AH_LATEX));
    sheet_text(eq->sheet, "%s.", text_end(&t));
}

void derive_show_chart(ah_equations *eq)
{
    const chart *c = &eq->mech->chart;
    sheet *s = eq->sheet;
    switch (c->kind) {
    case CHART_FREE: sheet_text(s, "There are no constraints: all velocities are free."); return;
    case CHART_NUMERIC:
        sheet_text(
            s, "The constraints are not solved for velocities: a chart is made of them by implicit "
               "functions.");
        derive_show_independent(eq, c);
        return;
    case CHART_GIVEN: sheet_text(s, "The model gives the velocities through parameters."); return;
    case CHART_LINEAR:
    case CHART_SOLVED: derive_show_independent(eq, c);
    }
}

void derive_show_dependent(ah_equations *eq, const chart *c)
{
    mechanics *k = eq->mech;
    const quantity psi = derive_leaf(eq, c->psi, "\\dot{q}", "\\psi(q, z, t)");
    const uint32_t count = k->n - c->m; /* the independent ones would read x' = x' */
    sheet_equations(eq->sheet, mat_rows(k->ctx, k->arena, k->v, c->dependent, count),
                    sheet_rows(eq->sheet, psi, c->dependent, count), NULL, NULL);
    sheet_final(eq->sheet);
}

void derive_show_kinematics(ah_equations *eq)
{
    mechanics *k = eq->mech;
    if (k->chart.kind == CHART_NUMERIC && k->r) { /* they hold the dependent velocities */
        sheet_implicit(eq->sheet, derive_leaf(eq, k->C, "C", NULL), QUANTITY_NONE, NULL, NULL);
        sheet_final(eq->sheet);
    }
    if (!k->chart.psi.rows || k->chart.kind == CHART_FREE) return;
    if (k->chart.kind != CHART_GIVEN) {
        derive_show_dependent(eq, &k->chart);
        return;
    }
    const quantity psi = derive_leaf(eq, k->chart.psi, "\\dot{q}", "\\psi(q, z, t)");
    sheet_equations(eq->sheet, k->v, psi, NULL, NULL);
    sheet_final(eq->sheet);
}
