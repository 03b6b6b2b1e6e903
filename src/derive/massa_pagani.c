/* Massa and Pagani, from the mass points: docs/formalisms/massa-pagani.md; [MP, eq. 3.5b].
 *
 *     z'^A = a^{AB} Σ_i [ F_i − m_i (∂v_i/∂t + (∂v_i/∂q^k) ψ^k) ]·∂v_i/∂z^B
 *     a_AB = Σ_i m_i ∂v_i/∂z^A·∂v_i/∂z^B,      v_i = v_i(t, q, z)
 *
 * A rigid body is a distribution of mass points, v(ξ) = v_G + Σ_k ξ_k e_k' with the body's axes
 * e_k: the sums over it need its mass and its second moments E = ∫ ξ ξᵀ dm = ½ tr(I) 1 − I only. So
 * the body is the point G of mass m and the three "points" e_k with the mass matrix E; a torque N
 * acts on them as the forces ½ N × e_k, since N·ω = Σ ½ (N × e_k)·e_k'. No angular velocity
 * appears.
 *
 * With the model's own parameters z the velocities ψ are put into v_i first, as in the paper. With
 * independent velocities as parameters the chain rule does the same (∂v/∂z = (∂v/∂q') Ψ and so on),
 * since there pivots may be exchanged at a state. */
#include "geometry.h"

/* Mass points of one part: velocities, mass matrix, forces. */
typedef struct cluster {
    mat velocity, mass, force;
} cluster;

/* E_kl = ½ tr(I) δ_kl − I_kl. */
static ah_expr second_moment(mechanics *k, const model_part *b, int row, int col)
{
    static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}}; /* xx yy zz yz zx xy */
    ah_ctx *ctx = k->ctx;
    const ah_expr I = b->inertia[place[row][col]];
    if (row != col) return expr_neg(ctx, I);
    const ah_expr trace = expr_sum(ctx, 3, b->inertia);
    return expr_sub(ctx, expr_mul(ctx, expr_rational(ctx, 1, 2), trace), I);
}

static cluster point_cluster(mechanics *k, const model_part *part)
{
    const ah_vector f = derive_applied_force(k, part);
    return (cluster){mat_from_dense(k->ctx, k->arena, 3, 1, part->velocity.c),
                     mat_scale(k->ctx, k->arena, part->mass, mat_identity(k->ctx, k->arena, 3)),
                     mat_from_dense(k->ctx, k->arena, 3, 1, f.c)};
}

/* The tips of the three body axes, nine rows. */
static cluster axes_cluster(mechanics *k, const model_part *b)
{
    ah_ctx *ctx = k->ctx;
    const ah_expr half = expr_rational(ctx, 1, 2);
    ah_expr velocity[9], force[9];
    mat_entry mass[27];
    for (int axis = 0; axis < 3; axis++) {
        const ah_vector e = model_axis(b, axis + 1), edot = vector_dt(ctx, e);
        const ah_vector f = vector_scale(ctx, half, vector_cross(ctx, b->torque, e));
        for (int i = 0; i < 3; i++) {
            const uint32_t row = (uint32_t) (3 * axis + i);
            velocity[row] = edot.c[i];
            force[row] = f.c[i];
            for (int other = 0; other < 3; other++)
                mass[3 * row + (uint32_t) other] =
                    (mat_entry){row, (uint32_t) (3 * other + i), second_moment(k, b, axis, other)};
        }
    }
    return (cluster){mat_from_dense(ctx, k->arena, 9, 1, velocity),
                     mat_from_entries(ctx, k->arena, 9, 9, mass, 27),
                     mat_from_dense(ctx, k->arena, 9, 1, force)};
}

/* ∂v/∂z and ∂v/∂t + (∂v/∂q) ψ of v(t, q, z). */
typedef struct derivatives {
    quantity by_z, along;
} derivatives;

static derivatives differentiate(ah_equations *eq, const chart_quantities *c, mat v)
{
    mechanics *k = eq->mech;
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    sheet *s = eq->sheet;
    const chart *given = &k->chart;
    const bool own = given->kind == CHART_GIVEN;
    if (own) v = mat_subst(ctx, a, v, k->n, k->model->v.at, mat_to_dense(ctx, a, given->psi));
    if (own) {
        const mat v_q = mat_jacobian(ctx, a, v, k->n, k->model->q.at);
        const mat along =
            mat_add(ctx, a, mat_derivative(ctx, a, v, k->t), mat_mul(ctx, a, v_q, given->psi));
        const mat v_z = mat_jacobian(ctx, a, v, given->m, mat_to_dense(ctx, a, given->z));
        return (derivatives){sheet_leaf(s, v_z), sheet_leaf(s, along)};
    }
    const quantity v_v = sheet_leaf(s, mat_jacobian(ctx, a, v, k->n, k->model->v.at));
    return (derivatives){
        sheet_mul(s, v_v, c->Psi),
        sheet_add(s, sheet_leaf(s, mechanics_along(k, v)), sheet_mul(s, v_v, c->drift))};
}

/* Σ over the points: a_AB and Σ [F − m(…)]·∂v/∂z. */
typedef struct sums {
    quantity metric, force;
} sums;

static void add_cluster(ah_equations *eq, const chart_quantities *c, cluster points,
                        const char *name, sums *total)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const derivatives d = differentiate(eq, c, points.velocity);
    const quantity mass = sheet_leaf(s, points.mass), applied = sheet_leaf(s, points.force);
    const quantity T = sheet_transpose(s, d.by_z);
    const quantity lost = sheet_sub(s, applied, sheet_mul(s, mass, d.along));
    const quantity metric = sheet_mul3(s, T, mass, d.by_z), force = sheet_mul(s, T, lost);
    sheet_name(s, d.by_z, arena_printf(k->arena, "\\partial v_{%s} / \\partial z", name), NULL);
    sheet_name(s, d.along, arena_printf(k->arena, "\\dot{v}_{%s} at \\dot{z} = 0", name),
               "\\partial v / \\partial t + \\psi^k \\partial v / \\partial q^k");
    sheet_show(s, d.by_z, NULL, NULL);
    sheet_show(s, d.along, NULL, NULL);
    total->metric = sheet_add(s, total->metric, metric);
    total->force = sheet_add(s, total->force, force);
}

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const chart_quantities c = derive_chart_quantities(eq);
    const quantity Q =
        derive_leaf(eq, derive_written_forces(k), "Q", "F - \\partial V / \\partial q as written");
    sums total = {sheet_leaf(s, mat_zero(k->ctx, k->arena, k->chart.m, k->chart.m)),
                  sheet_mul(s, sheet_transpose(s, c.Psi), Q)};

    sheet_section(s, "Kinematics", NULL);
    derive_show_chart(eq);
    sheet_section(s, "Velocities of the mass points $v_i(t, q, z)$", NULL);
    for (size_t i = 0; i < k->model->parts.count; i++) {
        const model_part *part = &k->model->parts.at[i];
        if (derive_is_place(k, part)) continue;
        add_cluster(eq, &c, point_cluster(k, part), part->name, &total);
        if (!part->is_body) continue;
        sheet_text(s, "The body %s: the tips of its axes with the second moments as mass matrix.",
                   part->name);
        add_cluster(eq, &c, axes_cluster(k, part), arena_printf(k->arena, "%s,e", part->name),
                    &total);
    }

    sheet_section(s, "Ideality", "[MP, eq. 2.18-2.20]");
    sheet_text(s, "The reactive forces $\\Phi_i = m_i \\dot{v}_i - F_i$ satisfy $\\sum \\Phi_i "
                  "\\cdot \\delta v_i = 0$ for all "
                  "virtual variations of the velocities $\\delta v_i = \\delta z^A \\partial v_i / "
                  "\\partial z^A$, that is for all "
                  "$\\delta \\dot{q}$ with $\\delta \\dot{q}^k \\partial C / \\partial \\dot{q}^k "
                  "= 0$; with $\\delta q$ in place of "
                  "$\\delta \\dot{q}$ this is Chetaev's condition.");
    sheet_section(s, "Equations of motion", "[MP, eq. 3.5b]");
    sheet_name(s, total.metric, "a_{AB}",
               "\\sum m_i \\partial v_i / \\partial z^A \\cdot \\partial v_i / \\partial z^B");
    sheet_name(s, total.force, "Z_B",
               "\\sum (F_i - m_i \\dot{v}_i) \\cdot \\partial v_i / \\partial z^B");
    sheet_show(s, total.metric, NULL, NULL);
    sheet_show(s, total.force, NULL, NULL);
    derive_show_kinematics(eq);
    const quantity zdot = sheet_solve(s, total.metric, total.force);
    sheet_equations(s, k->chart.zdot, zdot, NULL, NULL);
    sheet_final(s);
    derive_finish_speeds(eq, c, zdot);
}

const formalism formalism_massa_pagani = {
    .name = "massa-pagani",
    .title = "Massa and Pagani's equations, from the mass points",
    .paper = "MP",
    .accepts = derive_needs_geometry,
    .derive = derive,
};
