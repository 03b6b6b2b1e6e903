/* Voronets' equations: docs/formalisms/voronets.md; [Voronets1901].
 *
 * Coordinates (x, s) with s'_α = a_αi(x, s, t) x'_i + a_α0(x, s, t); Θ(x, s, x', t) is T with s'
 * put in; D_j = ∂/∂x_j + a_βj ∂/∂s_β:
 *
 *     d/dt ∂Θ/∂x'_i − ∂Θ/∂x_i − a_αi ∂Θ/∂s_α − (∂T/∂s'_α)(A^α_ij x'_j + A^α_i) = K_i + a_αi K_α
 *     A^α_ij = D_j a_αi − D_i a_αj,   A^α_i = (∂/∂t + a_β0 ∂/∂s_β) a_αi − D_i a_α0
 *
 * ∂T/∂s' belongs to the unreduced T: the reduced one knows no s'. With Ψ = (1 ; a) and ψ0 = (0 ;
 * a_0) over all coordinates, D_j is the j-th column of the gradient times Ψ. Holonomic constraints
 * enter through their velocities; their A vanish. */
#include "voronets.h"

/* x and s in numbers and symbols. */
typedef struct split {
    const chart *c;
    bool cyclic;   /* Chaplygin's case: shorter formulas in the display */
    uint32_t m, r; /* of x, of s */
    ah_expr *xdot;
    mat a, a0; /* r × m, r × 1 */
    mat psi0;  /* n × 1: (0 ; a_0) */
} split;

static split split_coordinates(mechanics *k, const chart *c, bool cyclic)
{
    ah_ctx *ctx = k->ctx;
    split p = {.c = c, .cyclic = cyclic, .m = c->m, .r = k->n - c->m};
    p.xdot = mat_to_dense(ctx, k->arena, c->z);
    ah_expr *zero = NEW_ARRAY(k->arena, ah_expr, p.m);
    for (uint32_t i = 0; i < p.m; i++) zero[i] = expr_int(ctx, 0);
    p.a = mat_rows(ctx, k->arena, c->Psi, c->dependent, p.r);
    p.psi0 = mat_subst(ctx, k->arena, c->psi, p.m, p.xdot, zero);
    p.a0 = mat_rows(ctx, k->arena, p.psi0, c->dependent, p.r);
    return p;
}

static mat row_as_column(mechanics *k, mat m, uint32_t row)
{
    return mat_transpose(k->ctx, k->arena, mat_rows(k->ctx, k->arena, m, &row, 1));
}

/* A^α_ij, m × m, and A^α_i, m × 1. */
static mat curvature(mechanics *k, const split *p, uint32_t alpha)
{
    const mat a = row_as_column(k, p->a, alpha);
    const mat D = mat_mul(k->ctx, k->arena, mat_jacobian(k->ctx, k->arena, a, k->n, k->model->q.at),
                          p->c->Psi);
    return mat_sub(k->ctx, k->arena, D, mat_transpose(k->ctx, k->arena, D));
}

static mat curvature_in_time(mechanics *k, const split *p, uint32_t alpha)
{
    ah_ctx *ctx = k->ctx;
    arena *job = k->arena;
    const ah_expr *q = k->model->q.at;
    const mat a = row_as_column(k, p->a, alpha);
    const mat a_q = mat_jacobian(ctx, job, a, k->n, q);
    const mat a0_q = mat_gradient(ctx, job, mat_get(ctx, p->a0, alpha, 0), k->n, q);
    const mat along =
        mat_add(ctx, job, mat_derivative(ctx, job, a, k->t), mat_mul(ctx, job, a_q, p->psi0));
    return mat_sub(ctx, job, along, mat_mul(ctx, job, mat_transpose(ctx, job, p->c->Psi), a0_q));
}

/* The rows A^α_ij x'_j + A^α_i, one a dependent coordinate, shown as they are made. */
static quantity gyroscopic_rows(ah_equations *eq, const split *p, quantity xdot)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    quantity W = QUANTITY_NONE;
    for (uint32_t i = 0; i < p->r; i++) {
        const ah_expr coordinate = k->model->q.at[p->c->dependent[i]];
        const char *name = expr_text(k->ctx, k->arena, coordinate, AH_LATEX);
        const mat in_time = curvature_in_time(k, p, i);
        const quantity A =
            derive_leaf(eq, curvature(k, p, i), arena_printf(k->arena, "A^{%s}_{ij}", name),
                        p->cyclic ? "\\partial a_i / \\partial x_j - \\partial a_j / \\partial x_i"
                                  : "D_j a_i - D_i a_j");
        const quantity A0 =
            derive_leaf(eq, in_time, arena_printf(k->arena, "A^{%s}_i", name),
                        p->cyclic ? "-\\partial a_0 / \\partial x_i"
                                  : "\\partial a_i / \\partial t + a_{\\beta 0} \\partial a_i / "
                                    "\\partial s_\\beta - D_i a_0");
        sheet_show(s, A, NULL, NULL);
        if (mat_entries(in_time)) sheet_show(s, A0, NULL, NULL);
        const quantity row = sheet_transpose(s, sheet_add(s, sheet_mul(s, A, xdot), A0));
        W = i ? sheet_stack(s, W, row) : row;
    }
    return sheet_name(s, W, "W_{\\alpha i}", "A^\\alpha_{ij} \\dot{x}_j + A^\\alpha_i");
}

/* Θ and what is needed of it: ∂²Θ/∂x'², d/dt ∂Θ/∂x' without x'', ∂Θ/∂x + aᵀ ∂Θ/∂s = Ψᵀ ∂Θ/∂q. */
typedef struct reduced {
    quantity metric, rest, slope;
} reduced;

static reduced reduced_energy(ah_equations *eq, const split *p, quantity Psi)
{
    mechanics *k = eq->mech;
    ah_ctx *ctx = k->ctx;
    arena *job = k->arena;
    sheet *s = eq->sheet;
    const ah_expr *q = k->model->q.at;
    const ah_expr Theta =
        expr_subst(ctx, k->T, k->n, k->model->v.at, mat_to_dense(ctx, job, p->c->psi));
    const mat P = mat_gradient(ctx, job, Theta, p->m, p->xdot);
    const mat P_q = mat_jacobian(ctx, job, P, k->n, q);
    const mat along =
        mat_add(ctx, job, mat_mul(ctx, job, P_q, p->c->psi), mat_derivative(ctx, job, P, k->t));
    sheet_section(s, "Reduced kinetic energy $\\Theta(x, s, \\dot{x}, t)$", NULL);
    const quantity shown = derive_leaf(eq, mat_from_dense(ctx, job, 1, 1, &Theta), "\\Theta", NULL);
    sheet_show(s, sheet_meaning(s, shown, "T(x, s, \\dot{x}, \\dot{s}(x, s, \\dot{x}, t), t)"),
               NULL, NULL);
    sheet_show(s, derive_leaf(eq, P, "\\partial \\Theta / \\partial \\dot{x}", NULL), NULL, NULL);
    reduced out;
    out.metric = derive_leaf(eq, mat_jacobian(ctx, job, P, p->m, p->xdot), "g",
                             "\\partial^2 \\Theta / \\partial \\dot{x}^2");
    out.rest = derive_leaf(eq, along, "h",
                           "\\dot{q} \\partial^2 \\Theta / \\partial q \\partial \\dot{x} + "
                           "\\partial^2 \\Theta / \\partial t \\partial \\dot{x}");
    const quantity Theta_q = derive_leaf(eq, mat_gradient(ctx, job, Theta, k->n, q),
                                         "\\partial \\Theta / \\partial q", NULL);
    out.slope = sheet_name(s, sheet_mul(s, sheet_transpose(s, Psi), Theta_q), "D_i \\Theta",
                           p->cyclic ? "\\partial \\Theta / \\partial x_i"
                                     : "\\partial \\Theta / \\partial x_i + a_{\\alpha i} "
                                       "\\partial \\Theta / \\partial s_\\alpha");
    sheet_show(s, out.metric, NULL, NULL);
    sheet_show(s, out.rest, NULL, NULL);
    sheet_show(s, out.slope, NULL, NULL);
    return out;
}

/* x'' as it is, but a singular system where the chart's pivots are bad at the state: the rows that
 * a local chart would choose there are then others. */
static quantity guarded(ah_equations *eq, const chart *c, quantity xddot)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quantity J = sheet_leaf(s, c->J);
    const quantity none = sheet_leaf(s, mat_zero(k->ctx, k->arena, c->J.rows, 1));
    const quantity E =
        sheet_local_chart(s, SHEET_INDEPENDENT, J, none, c->m, c->independent, (mat){0});
    return sheet_solve(s, sheet_cols(s, E, c->independent, c->m), xddot);
}

static void equations_of_motion(ah_equations *eq, const split *p, quantity Psi, quantity xddot)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    derive_show_dependent(eq, p->c);
    sheet_equations(s, p->c->zdot, xddot, NULL, NULL);
    sheet_final(s);
    const quantity drift = derive_leaf(eq, p->c->drift, "d", "\\psi_q \\psi + \\psi_t");
    eq->speeds_dot = guarded(eq, p->c, xddot);
    eq->qddot = sheet_add(s, sheet_mul(s, Psi, eq->speeds_dot), drift);
    eq->speeds = p->c->z;
    eq->speeds_dot_symbols = p->c->zdot;
    eq->substitutions = k->n;
    eq->from = k->model->v.at;
    eq->to = mat_to_dense(k->ctx, k->arena, p->c->psi);
}

/* Those that Chaplygin's equations may solve for: nothing depends on them, as far as is seen
 * without the algebra, or they are solved for already. */
static const bool *cyclic_coordinates(mechanics *k, const chart *c)
{
    const bool *used = mechanics_coordinates_in_use(k);
    bool *out = NEW_ARRAY(k->arena, bool, k->n);
    for (uint32_t i = 0; i < k->n; i++) out[i] = !used[i];
    for (uint32_t i = 0; i < k->n - c->m; i++) out[c->dependent[i]] = true;
    return out;
}

void derive_voronets(ah_equations *eq, bool cyclic)
{
    mechanics *k = eq->mech;
    const chart *c = mechanics_linear_chart(k, cyclic, eq->options.dependent);
    if (!c) c = mechanics_linear_chart(k, cyclic, NULL); /* that choice gave up */
    eq->independent_of = c;
    if (cyclic) eq->may_depend = cyclic_coordinates(k, c);
    sheet *s = eq->sheet;
    const split p = split_coordinates(k, c, cyclic);
    sheet_section(s,
                  "Dependent velocities $\\dot{s}_\\alpha = a_{\\alpha i} \\dot{x}_i + "
                  "a_{\\alpha 0}$",
                  NULL);
    derive_show_independent(eq, c);
    const quantity a = derive_leaf(eq, p.a, "a_{\\alpha i}", NULL);
    sheet_meaning(s, a, "\\partial \\dot{s}_\\alpha / \\partial \\dot{x}_i");
    sheet_show(s, a, NULL, NULL);
    if (mat_entries(p.a0)) sheet_show(s, derive_leaf(eq, p.a0, "a_{\\alpha 0}", NULL), NULL, NULL);

    const quantity Psi = sheet_leaf(s, c->Psi);
    const reduced Theta = reduced_energy(eq, &p, Psi);
    sheet_section(s, "Coefficients $A^\\alpha_{ij}$ and the momenta they meet", NULL);
    const quantity W = gyroscopic_rows(eq, &p, derive_leaf(eq, c->z, "\\dot{x}", NULL));
    const quantity momenta = derive_leaf(eq, mat_rows(k->ctx, k->arena, k->p, c->dependent, p.r),
                                         "\\partial T / \\partial \\dot{s}", NULL);
    sheet_show(s, momenta, "of the unreduced $T$", NULL);
    const quantity gyro = sheet_name(s, sheet_mul(s, sheet_transpose(s, W), momenta), "N_i",
                                     "W_{\\alpha i} \\partial T / \\partial \\dot{s}_\\alpha");
    sheet_show(s, gyro, NULL, NULL);
    const quantity K = derive_leaf(eq, k->K, "K", "F - \\partial V / \\partial q");
    const quantity force = sheet_name(s, sheet_mul(s, sheet_transpose(s, Psi), K), "Q_i",
                                      "K_i + a_{\\alpha i} K_\\alpha");
    sheet_show(s, force, NULL, NULL);

    sheet_section(s, "Equations $g \\ddot{x} + h - D \\Theta - N = Q$", NULL);
    const quantity rhs =
        sheet_sub(s, sheet_add(s, sheet_add(s, force, Theta.slope), gyro), Theta.rest);
    equations_of_motion(eq, &p, Psi, sheet_solve(s, Theta.metric, rhs));
}

const char *derive_needs_linear_chart(mechanics *k, const char **instead)
{
    const char *why = derive_needs_linear(k, instead);
    if (why) return why;
    *instead = "lagrange";
    if (!k->r && k->chart.m == k->n)
        return "there are no constraints: no coordinate depends on others";
    *instead = "multipliers";
    if (mechanics_linear_chart(k, false, NULL)) return NULL;
    return k->r ? "the constraints could not be solved for velocities in closed form"
                : "the `velocity` form is not linear in its parameters";
}

static void derive(ah_equations *eq)
{
    derive_voronets(eq, false);
}

const formalism formalism_voronets = {
    .name = "voronets",
    .title = "Voronets' equations",
    .paper = "Voronets1901",
    .accepts = derive_needs_linear_chart,
    .derive = derive,
};
