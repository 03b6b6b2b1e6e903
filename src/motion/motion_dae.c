/* motion/motion_dae.c - residual and Jacobian of the differential-algebraic form. */
#include "motion_dae.h"

#include "../numeric/numeric.h"
#include "../compile/compile.h"
#include "motion_code.h"

#include <string.h>

/* The linear systems of a step are dense. */
#define LARGEST_DAE 400

typedef struct dae {
    ivp_dae ivp;
    point *p;
    const eval_method *multipliers;
    uint32_t n, r, h;  /* coordinates; independent constraints on velocities, on places */
    mat J, G;          /* of these constraints */
    expr_list x, dx;   /* symbols of the unknowns and of their derivatives */
    ah_expr factor;    /* c of ∂F/∂x + c ∂F/∂x' */
    expr_list inputs;  /* t, c, x, x' */
    program *residual; /* F */
    program *jacobian; /* its entries that do not vanish … */
    uint32_t *place;   /* … and where they are, row-major */
    double *in, *entries;
} dae;

/* ---- Formulas -------------------------------------------------------------------------------- */

static ah_expr fresh(dae *d, const char *what, uint32_t i)
{
    ah_ctx *ctx = d->p->ctx;
    /* '#' is no letter of the language */
    return expr_symbol(ctx, AH_LOCAL, arena_printf(&ctx->scratch, "#%s%u", what, i));
}

static void name_unknowns(dae *d)
{
    const mechanics *k = d->p->mech;
    arena *a = d->p->arena;
    for (uint32_t i = 0; i < d->n; i++) {
        LIST_PUSH(a, &d->x, d->p->model->q.at[i]);
        LIST_PUSH(a, &d->dx, fresh(d, "rate", i));
    }
    for (uint32_t i = 0; i < d->n; i++) {
        LIST_PUSH(a, &d->x, d->p->model->v.at[i]);
        LIST_PUSH(a, &d->dx, mat_get(k->ctx, k->a, i, 0));
    }
    for (uint32_t i = 0; i < d->r + d->h; i++) {
        LIST_PUSH(a, &d->x, fresh(d, "impulse", i));
        LIST_PUSH(a, &d->dx, fresh(d, "multiplier", i));
    }
    d->factor = fresh(d, "factor", 0);
    LIST_PUSH(a, &d->inputs, k->t);
    LIST_PUSH(a, &d->inputs, d->factor);
    for (size_t i = 0; i < d->x.count; i++) LIST_PUSH(a, &d->inputs, d->x.at[i]);
    for (size_t i = 0; i < d->x.count; i++) LIST_PUSH(a, &d->inputs, d->dx.at[i]);
}

static mat column(dae *d, const ah_expr *symbols, uint32_t count)
{
    return mat_from_dense(d->p->ctx, d->p->arena, count, 1, symbols);
}

/* Constraints on velocities, and on accelerations where there is none (second class). */
static mat constraint_rows(dae *d, const uint32_t *order)
{
    const mechanics *k = d->p->mech;
    ah_ctx *ctx = k->ctx;
    arena *a = d->p->arena;
    const mat C = mat_rows(ctx, a, k->C, order, d->r);
    const mat second =
        mat_add(ctx, a, mat_mul(ctx, a, d->J, k->a), mat_rows(ctx, a, k->gamma, order, d->r));
    ah_expr *row = NEW_ARRAY(a, ah_expr, d->r + 1);
    for (uint32_t i = 0; i < d->r; i++) {
        const ah_expr c = mat_get(ctx, C, i, 0);
        row[i] = expr_is_zero(ctx, c) ? mat_get(ctx, second, i, 0) : c;
    }
    return column(d, row, d->r);
}

static mat residual_of(dae *d, mat g, const uint32_t *order)
{
    const mechanics *k = d->p->mech;
    ah_ctx *ctx = k->ctx;
    arena *a = d->p->arena;
    const mat lambda = column(d, d->dx.at + 2 * d->n, d->r);
    const mat eta = column(d, d->dx.at + 2 * d->n + d->r, d->h);
    const mat slip = mat_sub(ctx, a, column(d, d->dx.at, d->n), k->v);
    mat places = slip, motion;
    if (d->h)
        places = mat_sub(ctx, a, mat_mul(ctx, a, k->M, slip),
                         mat_mul(ctx, a, mat_transpose(ctx, a, d->G), eta));
    motion = mat_sub(ctx, a, mat_mul(ctx, a, k->M, k->a), k->L);
    if (d->r)
        motion = mat_sub(ctx, a, motion, mat_mul(ctx, a, mat_transpose(ctx, a, d->J), lambda));
    mat F = mat_stack(ctx, a, places, motion);
    if (d->r) F = mat_stack(ctx, a, F, constraint_rows(d, order));
    return d->h ? mat_stack(ctx, a, F, g) : F;
}

static program *program_of(dae *d, const recipe *r, size_t count, const ah_expr *output)
{
    const program_spec spec = {.inputs = d->inputs.count,
                               .input = d->inputs.at,
                               .outputs = count,
                               .output = output,
                               .recipe = r,
                               .parameter = r->sample};
    return program_create(d->p->ctx, d->p->arena, &spec);
}

static bool make_programs(dae *d, const recipe *r, mat F)
{
    ah_ctx *ctx = d->p->ctx;
    arena *a = d->p->arena;
    const uint32_t n = d->ivp.n;
    const mat J = mat_add(ctx, a, mat_jacobian(ctx, a, F, n, d->x.at),
                          mat_scale(ctx, a, d->factor, mat_jacobian(ctx, a, F, n, d->dx.at)));
    const uint32_t entries = mat_entries(J);
    d->place = NEW_ARRAY(a, uint32_t, entries + 1);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = J.start[i]; k < J.start[i + 1]; k++) d->place[k] = i * n + J.col[k];
    d->residual = program_of(d, r, n, mat_to_dense(ctx, a, F));
    d->jacobian = program_of(d, r, entries, J.val);
    d->in = NEW_ARRAY(a, double, d->inputs.count);
    d->entries = NEW_ARRAY(a, double, entries + 1);
    return d->residual && d->jacobian;
}

/* ---- What IDA calls -------------------------------------------------------------------------- */

static void fill_inputs(dae *d, double t, double c, const double *x, const double *dx)
{
    const size_t size = d->ivp.n * sizeof *x;
    d->in[0] = t;
    d->in[1] = c;
    memcpy(d->in + 2, x, size);
    memcpy(d->in + 2 + d->ivp.n, dx, size);
}

static bool residual(void *user, double t, const double *x, const double *dx, double *r)
{
    dae *d = user;
    fill_inputs(d, t, 0, x, dx);
    return program_run(d->residual, d->in, r);
}

static bool jacobian(void *user, double t, double c, const double *x, const double *dx, double *J)
{
    dae *d = user;
    fill_inputs(d, t, c, x, dx);
    if (!program_run(d->jacobian, d->in, d->entries)) return false;
    memset(J, 0, (size_t) d->ivp.n * d->ivp.n * sizeof *J);
    for (size_t i = 0; i < d->jacobian->outputs; i++) J[d->place[i]] = d->entries[i];
    return true;
}

/* λ from Jᵀ λ = M a − L: with λ = 0 the right-hand side is the residual, and Jᵀ stands in the
 * Jacobian. */
static void find_multipliers(dae *d, double t, const double *x, double *dx)
{
    arena *scratch = &d->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    const uint32_t N = d->ivp.n, n = d->n;
    double *F = NEW_ARRAY(scratch, double, N), *J = NEW_ARRAY(scratch, double, (size_t) N *N);
    double *JT = NEW_ARRAY(scratch, double, (size_t) n * d->r + 1);
    residual(d, t, x, dx, F);
    jacobian(d, t, 1, x, dx, J);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < d->r; k++) JT[i * d->r + k] = -J[(size_t) (n + i) * N + 2 * n + k];
    linear_least_squares(scratch, n, d->r, JT, F + n, LINEAR_RANK_TOLERANCE, dx + 2 * n);
    arena_release(scratch, mark);
}

static bool start(void *user, double t, const double *y, double *x, double *dx)
{
    dae *d = user;
    const ah_model *m = d->p->model;
    run_failure failure;
    memset(x, 0, d->ivp.n * sizeof *x);
    memset(dx, 0, d->ivp.n * sizeof *dx);
    memcpy(x, y, 2 * d->n * sizeof *x);
    memcpy(dx, y + d->n, d->n * sizeof *dx);
    point_set(d->p, d->p->mech->t, t);
    for (uint32_t i = 0; i < d->n; i++) point_set(d->p, m->q.at[i], y[i]);
    for (uint32_t i = 0; i < d->n; i++) point_set(d->p, m->v.at[i], y[d->n + i]);
    if (!run_at(d->multipliers->runner, d->p->values, &failure)) return false;
    memcpy(dx + d->n, run_get(d->multipliers->runner, d->multipliers->eq->qddot),
           d->n * sizeof *dx);
    if (d->r) find_multipliers(d, t, x, dx);
    return true;
}

const ivp_dae *motion_dae_create(point *p, const eval_method *multipliers, const char **why)
{
    dae *d = NEW(p->arena, dae);
    ah_ctx *ctx = p->ctx;
    recipe r;
    size_t slots;
    const double *sample = motion_code_sample(p, &slots);
    uint32_t *order = NEW_ARRAY(p->arena, uint32_t, p->mech->r + 1);
    recipe_init(&r, ctx, p->arena, NULL, sample, slots);
    *d = (dae){.p = p, .multipliers = multipliers, .n = p->model->n};
    *why = multipliers->refused;
    if (*why) return NULL;
    mat g = motion_code_holonomic(p);
    if (p->mech->r) d->r = recipe_rank(&r, p->mech->J, order);
    d->J = mat_rows(ctx, p->arena, p->mech->J, order, d->r);
    if (g.rows) {
        uint32_t *first = NEW_ARRAY(p->arena, uint32_t, g.rows);
        d->G = mat_jacobian(ctx, p->arena, g, d->n, p->model->q.at);
        d->h = recipe_rank(&r, d->G, first);
        d->G = mat_rows(ctx, p->arena, d->G, first, d->h);
        g = mat_rows(ctx, p->arena, g, first, d->h);
    }
    d->ivp = (ivp_dae){2 * d->n + d->r + d->h, d, start, residual, jacobian};
    *why = "it has too many unknowns for dense linear systems";
    if (d->ivp.n > LARGEST_DAE) return NULL;
    name_unknowns(d);
    *why = "the equations have no closed formula here";
    if (!make_programs(d, &r, residual_of(d, g, order))) return NULL;
    *why = NULL;
    return &d->ivp;
}
