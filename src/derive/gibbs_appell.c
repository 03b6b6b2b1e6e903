/* Gibbs-Appell: docs/formalisms/gibbs-appell.md; [B07, eq. 5.2].
 *
 *     ∂S/∂z' = Ψᵀ K,      S = ½ aᵀ M a + aᵀ k,   a = Ψ z' + d      (S up to terms free of accelerations)
 *
 * where k = (∂p/∂q)v + ∂p/∂t − ∂T/∂q. With points and bodies S is the energy of the accelerations
 * itself, ½ Σ m a², plus ½ ω'·I ω' + ω'·(ω × I ω) for a body: another route to the same numbers. */
#include "derive.h"

static const char *accepts(mechanics *k, const char **instead)
{
    return derive_needs_velocity_level(k, instead);
}

/* ω'·I ω'/2 + ω'·(ω × I ω) in body axes; d/dt of ω_body is the absolute derivative's components. */
static ah_expr spin_energy(ah_ctx *ctx, const model_part *b)
{
    static const int place[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}}; /* xx yy zz yz zx xy */
    const ah_vector w = b->omega_body, wdot = vector_dt(ctx, w);
    ah_vector Iw = vector_zero(ctx), Iwdot = vector_zero(ctx);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const ah_expr I = b->inertia[place[i][j]];
            Iw.c[i] = expr_add(ctx, Iw.c[i], expr_mul(ctx, I, w.c[j]));
            Iwdot.c[i] = expr_add(ctx, Iwdot.c[i], expr_mul(ctx, I, wdot.c[j]));
        }
    return expr_add(ctx, expr_mul(ctx, expr_rational(ctx, 1, 2), vector_dot(ctx, wdot, Iwdot)),
                    vector_dot(ctx, wdot, vector_cross(ctx, w, Iw)));
}

/* S(q, v, a, t) from points and bodies. */
static ah_expr energy_of_accelerations(mechanics *k)
{
    ah_ctx *ctx = k->ctx;
    const ah_model *m = k->model;
    ah_expr *terms = NEW_ARRAY(k->arena, ah_expr, 2 * m->parts.count);
    size_t count = 0;
    for (size_t i = 0; i < m->parts.count; i++) {
        const model_part *b = &m->parts.at[i];
        const ah_vector acc = vector_dt(ctx, b->velocity);
        terms[count++] = expr_mul(ctx, expr_mul(ctx, expr_rational(ctx, 1, 2), b->mass),
                                  vector_dot(ctx, acc, acc));
        if (b->is_body) terms[count++] = spin_energy(ctx, b);
    }
    return expr_sum(ctx, count, terms);
}

static ah_expr appell_function(mechanics *k)
{
    if (!k->model->kinetic_given && k->model->parts.count) return energy_of_accelerations(k);
    ah_ctx *ctx = k->ctx;
    const mat a_T = mat_transpose(ctx, k->arena, k->a);
    const ah_expr quadratic =
        mat_get(ctx, mat_mul3(ctx, k->arena, a_T, mechanics_mass(k), k->a), 0, 0);
    const ah_expr linear = mat_get(ctx, mat_mul(ctx, k->arena, a_T, k->k), 0, 0);
    return expr_add(ctx, expr_mul(ctx, expr_rational(ctx, 1, 2), quadratic), linear);
}

static void derive(ah_equations *eq)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const ah_expr S = appell_function(k);
    const mat S_a = mat_gradient(k->ctx, k->arena, S, k->n, k->model->a.at);
    ah_expr *zero = NEW_ARRAY(k->arena, ah_expr, k->n);
    for (uint32_t i = 0; i < k->n; i++) zero[i] = expr_int(k->ctx, 0);

    const chart_quantities c = derive_chart_quantities(eq);
    sheet_section(s, "Energy of the accelerations", "[B07, eq. 5.2]");
    const quantity shown = derive_leaf(eq, mat_from_dense(k->ctx, k->arena, 1, 1, &S), "S", NULL);
    sheet_show(s, sheet_meaning(s, shown, "\\frac{1}{2} \\sum m a^2"), NULL, NULL);
    sheet_section(s, "Velocities and accelerations", NULL);
    derive_show_chart(eq);
    sheet_show(s, c.Psi, NULL, NULL);
    sheet_show(s, c.drift, "$\\ddot{q} = \\Psi \\dot{z} + d$", NULL);

    /* ∂S/∂z' = Ψᵀ ∂S/∂a is linear in z'. */
    const quantity S_aa = derive_leaf(eq, mat_jacobian(k->ctx, k->arena, S_a, k->n, k->model->a.at),
                                      "S_{aa}", "\\partial^2 S / \\partial \\ddot{q}^2");
    const quantity S_0 =
        derive_leaf(eq, mat_subst(k->ctx, k->arena, S_a, k->n, k->model->a.at, zero), "S_a",
                    "\\partial S / \\partial \\ddot{q} at \\ddot{q} = 0");
    const quantity K = derive_leaf(eq, k->K, "A_i", "F_i - \\partial V / \\partial q^i");
    const quantity PsiT = sheet_transpose(s, c.Psi);
    const quantity A = sheet_name(s, sheet_mul3(s, PsiT, S_aa, c.Psi),
                                  "\\partial^2 S / \\partial \\dot{z}^2", "\\Psi^T S_{aa} \\Psi");
    const quantity force = sheet_name(s, sheet_mul(s, PsiT, K), "A_\\alpha", "\\Psi^T A");
    const quantity rest = sheet_mul(s, PsiT, sheet_add(s, sheet_mul(s, S_aa, c.drift), S_0));
    sheet_section(s, "Appell's equations $\\partial S / \\partial \\dot{z} = A_\\alpha$",
                  "[B07, eq. 5.2]");
    sheet_show(s, A, NULL, NULL);
    sheet_show(s, force, NULL, NULL);
    derive_show_kinematics(eq);
    const quantity zdot = sheet_solve(s, A, sheet_sub(s, force, rest));
    sheet_equations(s, k->chart.zdot, zdot, NULL, NULL);
    sheet_final(s);
    derive_finish_speeds(eq, c, zdot);
}

const formalism formalism_gibbs_appell = {
    .name = "gibbs-appell",
    .title = "The Gibbs-Appell equations",
    .paper = "Appell1900",
    .accepts = accepts,
    .derive = derive,
};
