/* motion/motion_dae.c - residual and Jacobian of the differential-algebraic form. */
#include "motion_dae.h"

#include "../numeric/numeric.h"
#include "../compile/compile.h"
#include "../making/making.h"

#include <math.h>
#include <string.h>

/* The linear systems of a step are dense. */
#define LARGEST_DAE 400
/* Of redundant constraints others count when the volume that they span, each of length one, has
 * fallen to this part of what it was where they were chosen. */
#define BAD_VOLUME 0.3

/* Constraints of which some may be redundant: as many as their rank count at a time, the others
 * have no equation, and no multiplier. */
typedef struct family {
    uint32_t count, rank;
    uint32_t first;  /* their place among all unknowns, and among all equations */
    uint32_t column; /* where −Jᵀ stands in the Jacobian: n rows from here on */
    uint32_t *use;   /* those that count, `rank` of `count` */
    double volume;   /* that they spanned where they were chosen, each of length one */
} family;

typedef struct dae {
    ivp_dae ivp;
    point *p;
    const eval_method *multipliers;
    uint32_t n;                  /* coordinates */
    uint32_t all;                /* unknowns and equations if no constraint were redundant */
    family c, f;                 /* constraints on velocities, on places */
    mat J, G;                    /* of all of them */
    expr_list x, dx;             /* symbols of the unknowns and of their derivatives */
    ah_expr factor;              /* c of ∂F/∂x + c ∂F/∂x' */
    expr_list inputs;            /* t, c, x, x', sides of forces that switch */
    program *residual;           /* F */
    program *jacobian;           /* its entries that do not vanish … */
    uint32_t *place;             /* … and where they are, row-major */
    uint32_t *index;             /* of the unknowns that count, among all */
    double *in, *entries, *full; /* full: all × all, and a column */
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
    for (uint32_t i = 0; i < d->c.count + d->f.count; i++) {
        LIST_PUSH(a, &d->x, fresh(d, "impulse", i));
        LIST_PUSH(a, &d->dx, fresh(d, "multiplier", i));
    }
    d->factor = fresh(d, "factor", 0);
    LIST_PUSH(a, &d->inputs, k->t);
    LIST_PUSH(a, &d->inputs, d->factor);
    for (size_t i = 0; i < d->x.count; i++) LIST_PUSH(a, &d->inputs, d->x.at[i]);
    for (size_t i = 0; i < d->x.count; i++) LIST_PUSH(a, &d->inputs, d->dx.at[i]);
    for (size_t i = 0; i < d->p->model->switches.count; i++)
        LIST_PUSH(a, &d->inputs, d->p->model->switches.at[i].side);
}

static mat column(dae *d, const ah_expr *symbols, uint32_t count)
{
    return mat_from_dense(d->p->ctx, d->p->arena, count, 1, symbols);
}

/* Constraints on velocities, and on accelerations where there is none (second class). */
static mat constraint_rows(dae *d)
{
    const mechanics *k = d->p->mech;
    ah_ctx *ctx = k->ctx;
    arena *a = d->p->arena;
    const mat second = derive_slip_rate(k, a, k->a, d->J, k->gamma);
    ah_expr *row = NEW_ARRAY(a, ah_expr, d->c.count + 1);
    for (uint32_t i = 0; i < d->c.count; i++) {
        const ah_expr c = mat_get(ctx, k->C, i, 0);
        row[i] = expr_is_zero(ctx, c) ? mat_get(ctx, second, i, 0) : c;
    }
    return column(d, row, d->c.count);
}

static mat residual_of(dae *d, mat g)
{
    const mechanics *k = d->p->mech;
    ah_ctx *ctx = k->ctx;
    arena *a = d->p->arena;
    const mat lambda = column(d, d->dx.at + d->c.first, d->c.count);
    const mat eta = column(d, d->dx.at + d->f.first, d->f.count);
    const mat slip = mat_sub(ctx, a, column(d, d->dx.at, d->n), k->v);
    mat places = slip;
    if (d->f.count)
        places = mat_sub(ctx, a, mat_mul(ctx, a, mechanics_mass(k), slip),
                         mat_mul(ctx, a, mat_transpose(ctx, a, d->G), eta));
    mat F = mat_stack(ctx, a, places, derive_balance(k, a, k->a, d->J, lambda));
    if (d->c.count) F = mat_stack(ctx, a, F, constraint_rows(d));
    return d->f.count ? mat_stack(ctx, a, F, g) : F;
}

static program *program_of(dae *d, recipe *r, size_t count, const ah_expr *output)
{
    const program_spec spec = {.inputs = d->inputs.count,
                               .input = d->inputs.at,
                               .outputs = count,
                               .output = output,
                               .recipe = r,
                               .parameter = recipe_sample(r)};
    return program_create(d->p->ctx, d->p->arena, &spec);
}

static bool make_programs(dae *d, recipe *r, mat F)
{
    ah_ctx *ctx = d->p->ctx;
    arena *a = d->p->arena;
    const uint32_t n = d->all;
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
    d->full = NEW_ARRAY(a, double, (size_t) n *n + n + 1);
    return d->residual && d->jacobian;
}

/* ---- What IDA calls -------------------------------------------------------------------------- */

/* But for x and x', which are 0. */
static void begin_inputs(dae *d, double t, double c)
{
    d->in[0] = t;
    d->in[1] = c;
    memset(d->in + 2, 0, 2 * (size_t) d->all * sizeof *d->in);
    for (size_t i = 2 + 2 * (size_t) d->all; i < d->inputs.count; i++)
        d->in[i] = point_get(d->p, d->inputs.at[i]);
}

static void fill_inputs(dae *d, double t, double c, const double *x, const double *dx)
{
    begin_inputs(d, t, c);
    for (uint32_t i = 0; i < d->ivp.n; i++) {
        d->in[2 + d->index[i]] = x[i];
        d->in[2 + d->all + d->index[i]] = dx[i];
    }
}

static bool residual(void *user, double t, const double *x, const double *dx, double *r)
{
    dae *d = user;
    fill_inputs(d, t, 0, x, dx);
    if (!program_run(d->residual, d->in, d->full)) return false;
    for (uint32_t i = 0; i < d->ivp.n; i++) r[i] = d->full[d->index[i]];
    return true;
}

/* ∂F/∂x + c ∂F/∂x' of all unknowns and equations, into d->full; the inputs are there. */
static bool full_jacobian(dae *d)
{
    if (!program_run(d->jacobian, d->in, d->entries)) return false;
    memset(d->full, 0, (size_t) d->all * d->all * sizeof *d->full);
    for (size_t i = 0; i < d->jacobian->outputs; i++) d->full[d->place[i]] = d->entries[i];
    return true;
}

static bool jacobian(void *user, double t, double c, const double *x, const double *dx, double *J)
{
    dae *d = user;
    fill_inputs(d, t, c, x, dx);
    if (!full_jacobian(d)) return false;
    for (uint32_t i = 0; i < d->ivp.n; i++)
        for (uint32_t j = 0; j < d->ivp.n; j++)
            J[(size_t) i * d->ivp.n + j] = d->full[(size_t) d->index[i] * d->all + d->index[j]];
    return true;
}

/* ---- Redundant constraints ------------------------------------------------------------------- */

/* The Jacobian at the state y, with no multipliers. */
static bool look_at(dae *d, double t, const double *y)
{
    begin_inputs(d, t, 1);
    memcpy(d->in + 2, y, 2 * d->n * sizeof *y);
    memcpy(d->in + 2 + d->all, y + d->n, d->n * sizeof *y);
    return full_jacobian(d);
}

/* Rows `use` (NULL: all, in order) of the constraints' own Jacobian. */
static double *rows_of(const dae *d, const family *w, const uint32_t *use, uint32_t count)
{
    const double *unit = d->p->mech->unit;
    double *A = NEW_ARRAY(&d->p->ctx->scratch, double, (size_t) count * d->n + 1);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < d->n; j++)
            A[(size_t) i * d->n + j] =
                -d->full[(size_t) (w->column + j) * d->all + w->first + (use ? use[i] : i)] *
                (unit ? unit[j] : 1);
    return A;
}

/* The volume that those in use span, each brought to the length one. */
static double volume_of(const dae *d, const family *w)
{
    arena *scratch = &d->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    double *A = rows_of(d, w, w->use, w->rank), volume = 1;
    for (uint32_t i = 0; i < w->rank; i++) {
        double length = 0;
        for (uint32_t j = 0; j < d->n; j++) length = hypot(length, A[(size_t) i * d->n + j]);
        volume /= length;
    }
    volume *= linear_row_volume(w->rank, d->n, A);
    arena_release(scratch, mark);
    return volume;
}

/* Those that count at the state that d->full belongs to. */
static bool choose(dae *d, family *w)
{
    arena *scratch = &d->p->ctx->scratch;
    if (w->rank == w->count) return true;
    const arena_mark mark = arena_get_mark(scratch);
    uint32_t *order = NEW_ARRAY(scratch, uint32_t, w->count + 1);
    const uint32_t rank =
        linear_row_rank(scratch, w->count, d->n, rows_of(d, w, NULL, w->count), order);
    memcpy(w->use, order, w->rank * sizeof *order);
    arena_release(scratch, mark);
    w->volume = volume_of(d, w);
    return rank >= w->rank;
}

static bool choose_all(dae *d, double t, const double *y)
{
    if (!look_at(d, t, y) || !choose(d, &d->c) || !choose(d, &d->f)) return false;
    for (uint32_t i = 0; i < d->c.rank; i++) d->index[2 * d->n + i] = d->c.first + d->c.use[i];
    for (uint32_t i = 0; i < d->f.rank; i++)
        d->index[2 * d->n + d->c.rank + i] = d->f.first + d->f.use[i];
    return true;
}

static bool is_bad_family(const dae *d, const family *w)
{
    return w->rank < w->count && !(volume_of(d, w) > BAD_VOLUME * w->volume);
}

static bool is_bad(void *user, double t, const double *y)
{
    dae *d = user;
    return look_at(d, t, y) && (is_bad_family(d, &d->c) || is_bad_family(d, &d->f));
}

/* ---- The start ------------------------------------------------------------------------------- */

/* λ from Jᵀ λ = M a − L: with λ = 0 the right-hand side is the residual, and Jᵀ stands in the
 * Jacobian. */
static void find_multipliers(dae *d, double t, const double *x, double *dx)
{
    arena *scratch = &d->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    const uint32_t N = d->ivp.n, n = d->n, r = d->c.rank;
    double *F = NEW_ARRAY(scratch, double, N), *J = NEW_ARRAY(scratch, double, (size_t) N *N);
    double *JT = NEW_ARRAY(scratch, double, (size_t) n *r + 1);
    residual(d, t, x, dx, F);
    jacobian(d, t, 1, x, dx, J);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < r; k++) JT[i * r + k] = -J[(size_t) (n + i) * N + 2 * n + k];
    linear_least_squares(scratch, n, r, JT, F + n, LINEAR_RANK_TOLERANCE, dx + 2 * n);
    arena_release(scratch, mark);
}

static bool start(void *user, double t, const double *y, double *x, double *dx)
{
    dae *d = user;
    const ah_model *m = d->p->model;
    run_failure failure;
    if (!choose_all(d, t, y)) return false;
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
    if (d->c.rank) find_multipliers(d, t, x, dx);
    return true;
}

static family family_of(dae *d, uint32_t count, uint32_t rank, uint32_t column)
{
    family w = {.count = count, .rank = rank, .first = d->all, .column = column};
    w.use = NEW_ARRAY(d->p->arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) w.use[i] = i;
    d->all += count;
    return w;
}

const ivp_dae *motion_dae_create(point *p, const eval_method *multipliers, const char **why)
{
    dae *d = NEW(p->arena, dae);
    ah_ctx *ctx = p->ctx;
    recipe r;
    recipe_init(&r, ctx, p->arena, NULL, point_sample(p));
    *d = (dae){.p = p, .multipliers = multipliers, .n = p->model->n, .all = 2 * p->model->n};
    *why = multipliers->refused;
    if (*why) return NULL;
    const mat g = motion_code_holonomic(p);
    d->J = p->mech->J;
    d->G = mat_jacobian(ctx, p->arena, g, d->n, p->model->q.at);
    d->c = family_of(d, p->mech->r, p->mech->r ? recipe_rank(&r, d->J, NULL) : 0, d->n);
    d->f = family_of(d, g.rows, g.rows ? recipe_rank(&r, d->G, NULL) : 0, 0);
    d->index = NEW_ARRAY(p->arena, uint32_t, d->all);
    for (uint32_t i = 0; i < d->all; i++) d->index[i] = i;
    const bool redundant = d->c.rank < d->c.count || d->f.rank < d->f.count;
    d->ivp = (ivp_dae){2 * d->n + d->c.rank + d->f.rank, d, start, residual, jacobian,
                       redundant ? is_bad : NULL};
    *why = "it has too many unknowns for dense linear systems";
    if (d->ivp.n > LARGEST_DAE) return NULL;
    name_unknowns(d);
    *why = "the equations have no closed formula here";
    if (!make_programs(d, &r, residual_of(d, g))) return NULL;
    *why = NULL;
    return &d->ivp;
}
