/* derive/quasi_rows.c - the equations of a frame of quasi-velocities, written in the velocities.
 *
 * Where q' = B ω + C has large denominators, the rows of ω' alone fill pages. The same equations in the directions of the
 * chart, v = ψ(q, z, t), are short:
 *
 *     Σ_j Ψ_ji ( p_j' − ∂T/∂q_j − K_j ) = 0,        p_j' = M_jl a_l + pdot0_j,        a = Ψ z' + d
 *
 * and where a momentum p_j is one of the ω, as Talamucci's are, p_j' is its rate. With ω = f(q, q', t), which the
 * worksheet has before, they determine the motion. A bound ω_μ that alone has a velocity q_j', with the number c before
 * it, gives its multiplier by one of these expressions: c λ_μ = p_j' − ∂T/∂q_j − K_j. */
#include "quasi.h"

typedef struct rows_in_velocities {
    mechanics *k;
    const quasi *w;
    mat Psi, mass; /* M Ψ */
    uint32_t m, unknowns;
    ah_expr *A; /* m × unknowns: z', then the ω' of the free ones */
    ah_expr *b;
} rows_in_velocities;

/* The free ω that p_j is, by its index among these; m: none. */
static uint32_t momentum(const rows_in_velocities *x, uint32_t j)
{
    mechanics *k = x->k;
    const ah_expr p = mat_get(k->ctx, k->p, j, 0);
    for (uint32_t i = 0; i < x->m; i++)
        if (algebra_equal(k->alg, p, mat_get(k->ctx, x->w->f, x->w->free[i], 0)) == AH_TRUE)
            return i;
    return x->m;
}

/* The j-th of Lagrange's expressions, p_j' − ∂T/∂q_j − K_j = row · unknowns − right. */
static void write_expression(const rows_in_velocities *x, uint32_t j, ah_expr *row, ah_expr *right)
{
    mechanics *k = x->k;
    ah_ctx *ctx = k->ctx;
    const uint32_t mu = momentum(x, j);
    for (uint32_t i = 0; i < x->unknowns; i++) row[i] = expr_int(ctx, 0);
    if (mu < x->m) {
        row[x->m + mu] = expr_int(ctx, 1);
        *right = expr_add(ctx, mat_get(ctx, k->K, j, 0), mat_get(ctx, k->T_q, j, 0));
        return;
    }
    *right = mat_get(ctx, k->L, j, 0);
    for (uint32_t l = 0; l < k->n; l++)
        *right = expr_sub(ctx, *right,
                          expr_mul(ctx, mat_get(ctx, mechanics_mass(k), j, l),
                                   mat_get(ctx, k->chart.drift, l, 0)));
    for (uint32_t l = 0; l < x->m; l++) row[l] = mat_get(ctx, x->mass, j, l);
}

/* Adds it to the rows, each times its Ψ. */
static void add_expression(rows_in_velocities *x, uint32_t j)
{
    mechanics *k = x->k;
    ah_ctx *ctx = k->ctx;
    ah_expr *row = NEW_ARRAY(k->arena, ah_expr, x->unknowns), right;
    write_expression(x, j, row, &right);
    for (uint32_t i = 0; i < x->m; i++) {
        const ah_expr psi = mat_get(ctx, x->Psi, j, i);
        ah_expr *sum = x->A + (size_t) i * x->unknowns;
        x->b[i] = expr_add(ctx, x->b[i], expr_mul(ctx, psi, right));
        for (uint32_t l = 0; l < x->unknowns; l++)
            sum[l] = expr_add(ctx, sum[l], expr_mul(ctx, psi, row[l]));
    }
}

/* v → ψ, and ω_μ for the velocity that it is. */
static mat brought(const rows_in_velocities *x, mat e)
{
    mechanics *k = x->k;
    ah_expr *psi = mat_to_dense(k->ctx, k->arena, k->chart.psi);
    ah_expr *from = NEW_ARRAY(k->arena, ah_expr, x->m + 1),
            *to = NEW_ARRAY(k->arena, ah_expr, x->m + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->m; i++) {
        const ah_expr f = mat_get(k->ctx, x->w->f, x->w->free[i], 0);
        if (expr_get_op(k->ctx, f) != EXPR_SYMBOL) continue;
        from[count] = f;
        to[count++] = mat_get(k->ctx, x->w->omega, x->w->free[i], 0);
    }
    e = mat_subst(k->ctx, k->arena, e, k->n, k->model->v.at, psi);
    return algebra_simplify_mat(k->alg, mat_subst(k->ctx, k->arena, e, count, from, to));
}

/* z', or the ω' that it is, then the ω'. */
static mat unknowns_of(const rows_in_velocities *x)
{
    mechanics *k = x->k;
    ah_expr *u = NEW_ARRAY(k->arena, ah_expr, x->unknowns);
    for (uint32_t i = 0; i < x->m; i++) {
        u[x->m + i] = mat_get(k->ctx, x->w->omegadot, x->w->free[i], 0);
        u[i] = mat_get(k->ctx, k->chart.zdot, i, 0);
    }
    for (uint32_t i = 0; i < x->m; i++)
        for (uint32_t l = 0; l < x->m; l++)
            if (mat_get(k->ctx, x->w->f, x->w->free[l], 0) == mat_get(k->ctx, k->chart.z, i, 0))
                u[i] = u[x->m + l];
    return mat_from_dense(k->ctx, k->arena, x->unknowns, 1, u);
}

/* Room for so many rows; false: the constraints give no chart for them. */
static bool begin(rows_in_velocities *x, const ah_equations *eq)
{
    mechanics *k = eq->mech;
    const chart *c = &k->chart;
    const char *why;
    *x =
        (rows_in_velocities){.k = k, .w = quasi_frame(k, eq->options.orthonormal, &why), .m = c->m};
    if (!x->w || !c->independent || !c->psi.rows || !c->m || x->w->n - x->w->r != c->m)
        return false;
    x->unknowns = 2 * c->m;
    x->Psi = c->Psi;
    x->mass = mat_mul(k->ctx, k->arena, mechanics_mass(k), c->Psi);
    x->A = NEW_ARRAY(k->arena, ah_expr, (size_t) k->n * x->unknowns);
    x->b = NEW_ARRAY(k->arena, ah_expr, k->n);
    for (uint32_t i = 0; i < k->n; i++) x->b[i] = expr_int(k->ctx, 0);
    for (uint32_t i = 0; i < k->n * x->unknowns; i++) x->A[i] = expr_int(k->ctx, 0);
    return true;
}

bool quasi_rows(const ah_equations *eq, mat *A, mat *unknowns, mat *b)
{
    mechanics *k = eq->mech;
    rows_in_velocities x;
    if (!begin(&x, eq)) return false;
    for (uint32_t j = 0; j < k->n; j++) add_expression(&x, j);
    *A = brought(&x, mat_from_dense(k->ctx, k->arena, x.m, x.unknowns, x.A));
    *b = brought(&x, mat_from_dense(k->ctx, k->arena, x.m, 1, x.b));
    *unknowns = unknowns_of(&x);
    return true;
}

/* A velocity that of the bound ω this one alone has, with a number before it; n: there is none. */
static uint32_t own_velocity(const rows_in_velocities *x, uint32_t a)
{
    ah_ctx *ctx = x->k->ctx;
    const quasi *w = x->w;
    for (uint32_t j = 0; j < w->n; j++) {
        uint32_t others = 0;
        for (uint32_t i = 0; i < w->r; i++)
            others += i != a && !expr_is_zero(ctx, mat_get(ctx, w->f_v, w->bound[i], j));
        const ah_expr own = mat_get(ctx, w->f_v, w->bound[a], j);
        if (!others && expr_get_op(ctx, own) == EXPR_NUMBER && !expr_is_zero(ctx, own)) return j;
    }
    return w->n;
}

bool quasi_multipliers(const ah_equations *eq, mat *values)
{
    mechanics *k = eq->mech;
    rows_in_velocities x;
    if (!begin(&x, eq)) return false;
    const uint32_t r = x.w->r;
    for (uint32_t a = 0; a < r; a++) {
        const uint32_t j = own_velocity(&x, a);
        if (j == x.w->n) return false;
        const ah_expr c = mat_get(k->ctx, x.w->f_v, x.w->bound[a], j);
        ah_expr *row = x.A + (size_t) a * x.unknowns;
        write_expression(&x, j, row, &x.b[a]);
        for (uint32_t l = 0; l < x.unknowns; l++) row[l] = expr_div(k->ctx, row[l], c);
        x.b[a] = expr_div(k->ctx, x.b[a], c);
    }
    const mat A = brought(&x, mat_from_dense(k->ctx, k->arena, r, x.unknowns, x.A));
    const mat b = brought(&x, mat_from_dense(k->ctx, k->arena, r, 1, x.b));
    *values = mat_sub(k->ctx, k->arena, mat_mul(k->ctx, k->arena, A, unknowns_of(&x)), b);
    return true;
}
