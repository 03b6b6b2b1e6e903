/* Kane's equations: docs/formalisms/kane.md; [KaneLevinson1985].
 *
 *     F_r + F*_r = 0,      F_r  = Σ f·∂v/∂u_r + Σ N·∂ω/∂u_r
 *                          F*_r = −Σ m a·∂v/∂u_r − Σ (I ω' + ω × I ω)·∂ω/∂u_r
 *
 * over points and bodies (v, a of the centre of mass; ω, N, I in body axes). The speeds u are the
 * parameters of the chart, so that v = A q' + b gives the partial velocities ∂v/∂u = A Ψ and
 * a = A (Ψ u' + d) + (∂v/∂q) q' + ∂v/∂t. Gravity is a force m g on each part; `force q = …` and
 * `potential` act through their generalised forces Q, as Ψᵀ Q. */
#include "geometry.h"

/* The sums over the parts: F_r, the matrix of u' in −F*_r, and the rest of −F*_r. */
typedef struct sums {
    quantity active, metric, rest;
} sums;

static void accumulate(sheet *s, quantity *sum, quantity term)
{
    *sum = *sum == QUANTITY_NONE ? term : sheet_add(s, *sum, term);
}

static mat vector_column(mechanics *k, ah_vector v)
{
    return mat_from_dense(k->ctx, k->arena, 3, 1, v.c);
}

/* Rows are numbered: there may be as many coordinates as axes. */
static mat axes(mechanics *k)
{
    const ah_expr number[3] = {expr_int(k->ctx, 1), expr_int(k->ctx, 2), expr_int(k->ctx, 3)};
    return mat_from_dense(k->ctx, k->arena, 3, 1, number);
}

/* One velocity w (of a centre of mass, or an angular one) with its inertia m w' + bias and its
 * force: adds (∂w/∂u)ᵀ times each. */
static void add_motion(ah_equations *eq, const chart_quantities *c, sums *total, mat w, mat inertia,
                       mat bias, mat force, const char *name, const char *formula)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quantity A = sheet_leaf(s, mat_jacobian(k->ctx, k->arena, w, k->n, k->model->v.at));
    const quantity I = sheet_leaf(s, inertia);
    const quantity partial = sheet_name(s, sheet_mul(s, A, c->Psi), name, formula);
    const quantity PT = sheet_transpose(s, partial);
    const quantity acceleration = /* without u' */
        sheet_add(s, sheet_mul(s, A, c->drift), sheet_leaf(s, mechanics_along(k, w)));
    const quantity bound = sheet_add(s, sheet_mul(s, I, acceleration), sheet_leaf(s, bias));
    sheet_belongs(s, partial, axes(k));
    sheet_show(s, partial, NULL, NULL);
    accumulate(s, &total->active, sheet_mul(s, PT, sheet_leaf(s, force)));
    accumulate(s, &total->metric, sheet_mul3(s, PT, I, partial));
    accumulate(s, &total->rest, sheet_mul(s, PT, bound));
}

static void add_translation(ah_equations *eq, const chart_quantities *c, sums *total,
                            const model_part *part)
{
    mechanics *k = eq->mech;
    ah_ctx *ctx = k->ctx;
    const ah_vector force = derive_applied_force(k, part);
    const mat inertia = mat_scale(ctx, k->arena, part->mass, mat_identity(ctx, k->arena, 3));
    add_motion(eq, c, total, vector_column(k, part->velocity), inertia,
               mat_zero(ctx, k->arena, 3, 1), vector_column(k, force),
               arena_printf(k->arena, "\\partial v_{\\text{%s}} / \\partial u", part->name),
               "(\\partial v / \\partial \\dot{q}) \\Psi");
}

static mat inertia_matrix(mechanics *k, const model_part *b)
{
    const ah_expr *I = b->inertia; /* xx yy zz yz zx xy */
    const ah_expr dense[9] = {I[0], I[5], I[4], I[5], I[1], I[3], I[4], I[3], I[2]};
    return mat_from_dense(k->ctx, k->arena, 3, 3, dense);
}

static void add_rotation(ah_equations *eq, const chart_quantities *c, sums *total,
                         const model_part *b)
{
    mechanics *k = eq->mech;
    ah_ctx *ctx = k->ctx;
    const mat I = inertia_matrix(k, b), omega = vector_column(k, b->omega_body);
    const mat R = mat_from_dense(ctx, k->arena, 3, 3, &b->rotation[0][0]);
    const ah_expr *Iw = mat_to_dense(ctx, k->arena, mat_mul(ctx, k->arena, I, omega));
    const ah_vector gyroscopic =
        vector_cross(ctx, b->omega_body, (ah_vector){{Iw[0], Iw[1], Iw[2]}});
    const mat torque = mat_mul(ctx, k->arena, mat_transpose(ctx, k->arena, R),
                               vector_column(k, b->torque)); /* in body axes */
    add_motion(eq, c, total, omega, I, vector_column(k, gyroscopic), torque,
               arena_printf(k->arena, "\\partial \\omega_{\\text{%s}} / \\partial u", b->name),
               "(\\partial \\omega / \\partial \\dot{q}) \\Psi");
}

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const chart_quantities c = derive_chart_quantities(eq);
    sums total = {QUANTITY_NONE, QUANTITY_NONE, QUANTITY_NONE};

    sheet_section(s, "Speeds $u$", NULL);
    derive_show_chart(eq);
    sheet_show(s, sheet_name(s, c.Psi, "\\Psi", "\\partial \\dot{q} / \\partial u"), NULL, NULL);
    sheet_section(s, "Partial velocities", "[KaneLevinson1985]");
    for (size_t i = 0; i < k->model->parts.count; i++) {
        const model_part *part = &k->model->parts.at[i];
        if (derive_is_place(k, part)) continue;
        add_translation(eq, &c, &total, part);
        if (part->is_body) add_rotation(eq, &c, &total, part);
    }
    const quantity Q =
        derive_leaf(eq, derive_written_forces(k), "Q", "F - \\partial V / \\partial q as written");
    accumulate(s, &total.active, sheet_mul(s, sheet_transpose(s, c.Psi), Q));

    sheet_section(s, "Generalised active and inertia forces", NULL);
    sheet_name(s, total.active, "F_r", NULL);
    sheet_meaning(s, total.active,
                  "\\sum (F \\cdot \\partial v / \\partial u_r + N \\cdot \\partial \\omega / "
                  "\\partial u_r)");
    sheet_name(s, total.metric, "-\\partial F^*_r / \\partial \\dot{u}_s", NULL);
    sheet_name(s, total.rest, "-F^*_r at \\dot{u} = 0", NULL);
    sheet_show(s, total.active, NULL, NULL);
    sheet_show(s, total.metric, NULL, NULL);
    sheet_show(s, total.rest, NULL, NULL);
    sheet_section(s, "Kane's equations $F_r + F^*_r = 0$", NULL);
    derive_show_kinematics(eq);
    const quantity udot = sheet_solve(s, total.metric, sheet_sub(s, total.active, total.rest));
    sheet_equations(s, k->chart.zdot, udot, NULL, NULL);
    sheet_final(s);
    derive_finish_speeds(eq, c, udot);
}

const formalism formalism_kane = {
    .name = "kane",
    .title = "Kane's equations",
    .paper = "KaneLevinson1985",
    .accepts = derive_needs_geometry,
    .derive = derive,
};
