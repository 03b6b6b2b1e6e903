/* flow/field.c - see flow.h. */
#include "field.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

enum {
    AT_ONCE = 4, /* columns: what they share is worked out once */
    A_TICK = 100 /* numbers of a plan, that work is counted by them */
};

/* Columns of a Jacobian of a long tree. R has as many nodes as bodies, its Jacobians have the square of that; but
 *     Σ_k ∂R/∂y_k η_k
 * is as short as R, and gives a column where one of the η is 1 and the others are 0. */
typedef struct directions {
    uint32_t count;   /* of y */
    uint32_t at_once; /* columns */
    ah_expr *eta;     /* at_once × count */
    expr_plan *plan;
} directions;

/* K u + R0 = 0 with its slopes; u are the accelerations and multipliers, or z'. */
typedef struct flow_system {
    uint32_t unknowns, multipliers; /* the last `multipliers` of the unknowns */
    const ah_expr *u;
    expr_plan *K, *R0, *R_x;               /* dense; R_x has N + 1 columns */
    const ah_expr *R0_of;                  /* what R0 is made of */
    directions *by_u, *by_q, *by_v, *by_t; /* of a long tree, in the place of K and R_x */
    expr_plan *psi, *psi_x;                /* charted */
    expr_plan *c, *c_x;
    double *Kv, *R0v, *R_xv, *psiv, *psi_xv;
    double *scale; /* one an unknown: K with rows and columns multiplied by it is without units */
} flow_system;

expr_list flow_switches(const ah_model *m, arena *a)
{
    expr_list roots = {0}, found = {0};
    LIST_PUSH(a, &roots, m->T);
    LIST_PUSH(a, &roots, m->V);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &roots, m->F[i]);
    for (size_t i = 0; i < m->constraints.count; i++) LIST_PUSH(a, &roots, m->constraints.at[i].c);
    for (uint32_t i = 0; m->speeds.count && i < m->n; i++) LIST_PUSH(a, &roots, m->psi.at[i]);
    const expr_list nodes = expr_reachable(m->ctx, a, roots.at, roots.count);
    for (size_t i = 0; i < nodes.count; i++) {
        if (expr_get_op(m->ctx, nodes.at[i]) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(m->ctx, nodes.at[i]);
        if (f == AH_ABS || f == AH_SIGN)
            LIST_PUSH(a, &found, expr_get_children(m->ctx, nodes.at[i])[0]);
    }
    return found;
}

void flow_define(ah_model *m, ah_expr *roots, size_t count)
{
    for (size_t f = 0; f < m->functions.count; f++) {
        const model_function *fun = &m->functions.at[f];
        for (size_t i = 0; fun->body != AH_NONE && i < count; i++)
            roots[i] =
                expr_define(m->ctx, roots[i], fun->name, fun->count, fun->parameters, fun->body);
    }
    model_put_samples(m, roots, count);
}

static expr_plan *plan_of(flow *w, mat m)
{
    const size_t count = (size_t) m.rows * m.cols;
    ah_expr *dense = mat_to_dense(w->ctx, w->arena, m);
    flow_define(w->model, dense, count);
    return expr_plan_create(w->ctx, w->arena, dense, count);
}

/* ---- The systems ----------------------------------------------------------------------------- */

static mat column(flow *w, uint32_t count, const ah_expr *x)
{
    return mat_from_dense(w->ctx, w->arena, count, 1, x);
}

/* Ψᵀ(M(Ψ z' + d) − L) at v = ψ. */
static mat charted_residual(flow *w, const ah_expr *zdot)
{
    ah_ctx *ctx = w->ctx;
    arena *a = w->arena;
    const mechanics *k = w->mech;
    const chart *c = &k->chart;
    const mat acceleration =
        mat_add(ctx, a, mat_mul(ctx, a, c->Psi, column(w, c->m, zdot)), c->drift);
    const mat force = mat_sub(ctx, a, mat_mul(ctx, a, mechanics_mass(k), acceleration), k->L);
    const mat R = mat_mul(ctx, a, mat_transpose(ctx, a, c->Psi), force);
    return mat_subst(ctx, a, R, w->n, k->model->v.at, k->model->psi.at);
}

/* M a − L − Jᵀλ above J a + γ. */
static mat multiplier_residual(flow *w, const ah_expr *u)
{
    const mechanics *k = w->mech;
    const mat a = column(w, w->n, u), lambda = column(w, k->r, u + w->n);
    const mat top = derive_balance(k, w->arena, a, k->J, lambda);
    if (k->r == 0) return top;
    return mat_stack(w->ctx, w->arena, top, derive_slip_rate(k, w->arena, a, k->J, k->gamma));
}

static const ah_expr *make_unknowns(flow *w, flow_system *s)
{
    s->multipliers = w->charted ? 0 : w->mech->r;
    s->unknowns = w->p + s->multipliers;
    ah_expr *u = NEW_ARRAY(w->arena, ah_expr, s->unknowns);
    for (uint32_t i = 0; i < w->p; i++)
        u[i] = w->charted ? mat_get(w->ctx, w->mech->chart.zdot, i, 0) : w->model->a.at[i];
    for (uint32_t i = 0; i < s->multipliers; i++)
        u[w->p + i] = model_multiplier(w->model, i, false);
    return u;
}

static mat constraint_rows(flow *w)
{
    LIST(ah_expr) c = {0};
    const size_t written = w->model->constraints.count;
    bool *of_places = NEW_ARRAY(w->arena, bool, 2 * written + 1);
    for (size_t i = 0; i < written; i++) {
        const model_constraint *k = &w->model->constraints.at[i];
        of_places[c.count] = k->order == MODEL_HOLONOMIC;
        if (k->order == MODEL_HOLONOMIC) LIST_PUSH(w->arena, &c, k->c);
        if (k->order != MODEL_ACCELERATION && !w->charted)
            LIST_PUSH(w->arena, &c, mat_get(w->ctx, w->mech->C, (uint32_t) i, 0));
    }
    w->of_places = of_places;
    return column(w, (uint32_t) c.count, c.at);
}

static directions *make_directions(flow *w, mat R, uint32_t count, const ah_expr *y)
{
    arena *a = w->arena;
    directions *d = NEW(a, directions);
    const uint32_t at_once = count < AT_ONCE ? count : AT_ONCE;
    const ah_expr *root = mat_to_dense(w->ctx, a, R);
    ah_expr *rate = NEW_ARRAY(a, ah_expr, (size_t) at_once * R.rows);
    *d = (directions){count, at_once, NEW_ARRAY(a, ah_expr, (size_t) at_once * count), NULL};
    for (uint32_t k = 0; k < at_once * count; k++)
        d->eta[k] = expr_symbol(w->ctx, AH_LOCAL, arena_printf(a, "direction %u", (unsigned) k));
    for (uint32_t i = 0; i < at_once; i++)
        expr_forward_all(w->ctx, root, R.rows, count, y, d->eta + (size_t) i * count,
                         rate + (size_t) i * R.rows);
    d->plan = plan_of(w, column(w, at_once * R.rows, rate));
    return d;
}

/* Which of x are in the entries, or in ψ. */
static const bool *shapes_of(flow *w, mat K)
{
    arena *a = &w->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    expr_list roots = {0};
    bool *shapes = NEW_ARRAY(w->arena, bool, w->N);
    for (uint32_t i = 0; i < mat_entries(K); i++) LIST_PUSH(a, &roots, K.val[i]);
    for (uint32_t i = 0; w->charted && i < w->n; i++) LIST_PUSH(a, &roots, w->model->psi.at[i]);
    flow_define(w->model, roots.at, roots.count);
    const expr_list symbols = expr_symbols(w->ctx, a, roots.at, roots.count);
    for (uint32_t k = 0; k < w->N; k++) shapes[k] = expr_is_among(&symbols, w->x[k]);
    arena_release(a, mark);
    return shapes;
}

static void make_jacobians(flow *w, mat R)
{
    flow_system *s = w->system;
    if (w->mech->tree && !w->charted) {
        s->by_u = make_directions(w, R, s->unknowns, s->u);
        s->by_q = make_directions(w, R, w->n, w->x);
        s->by_v = make_directions(w, R, w->p, w->x + w->n);
        s->by_t = make_directions(w, R, 1, w->x + w->N);
        w->shapes = shapes_of(w, R);
        return;
    }
    const mat K = mat_jacobian(w->ctx, w->arena, R, s->unknowns, s->u);
    s->K = plan_of(w, K);
    w->shapes = shapes_of(w, K);
    s->R_x = plan_of(w, mat_jacobian(w->ctx, w->arena, R, w->N + 1, w->x));
}

static void make_system(flow *w)
{
    ah_ctx *ctx = w->ctx;
    arena *a = w->arena;
    flow_system *s = w->system = NEW(a, flow_system);
    s->u = make_unknowns(w, s);
    const mat R = w->charted ? charted_residual(w, s->u) : multiplier_residual(w, s->u);
    ah_expr *none = NEW_ARRAY(a, ah_expr, s->unknowns);
    for (uint32_t i = 0; i < s->unknowns; i++) none[i] = expr_int(ctx, 0);
    make_jacobians(w, R);
    const mat R0 = mat_subst(ctx, a, R, s->unknowns, s->u, none);
    ah_expr *of = mat_to_dense(ctx, a, R0);
    flow_define(w->model, of, s->unknowns);
    s->R0 = plan_of(w, R0);
    s->R0_of = of;
    if (w->charted) {
        const mat psi = column(w, w->n, w->model->psi.at);
        s->psi = plan_of(w, psi);
        s->psi_x = plan_of(w, mat_jacobian(ctx, a, psi, w->N + 1, w->x));
    }
    const mat c = constraint_rows(w);
    w->constraints = c.rows;
    s->c = plan_of(w, c);
    s->c_x = plan_of(w, mat_jacobian(ctx, a, c, w->N + 1, w->x));
}

/* M is an energy over velocities squared, a row of J what the constraint counts over velocities. */
static void make_scale(flow *w)
{
    flow_system *s = w->system;
    const double energy = sqrt(model_size(w->model, w->model->T));
    s->scale = NEW_ARRAY(w->arena, double, s->unknowns);
    for (uint32_t i = 0; i < w->p; i++) s->scale[i] = w->unit[w->n + i] / energy;
    for (uint32_t i = 0; i < s->multipliers; i++)
        s->scale[w->p + i] = energy / model_size(w->model, mat_get(w->ctx, w->mech->C, i, 0));
}

static void make_room(flow *w)
{
    flow_system *s = w->system;
    arena *a = w->arena;
    const size_t N = w->N, u = s->unknowns, c = w->constraints;
    s->Kv = NEW_ARRAY(a, double, u *u);
    s->R0v = NEW_ARRAY(a, double, u);
    s->R_xv = NEW_ARRAY(a, double, u *(N + 1));
    s->psiv = NEW_ARRAY(a, double, w->n);
    s->psi_xv = NEW_ARRAY(a, double, w->n *(N + 1));
    w->rate = NEW_ARRAY(a, double, N);
    w->slope = NEW_ARRAY(a, double, N *(N + 1));
    w->c = NEW_ARRAY(a, double, c + 1);
    w->c_slope = NEW_ARRAY(a, double, c *(N + 1) + 1);
}

flow *flow_create(ah_model *m, arena *a, const char **why)
{
    return flow_create_by(m, a, expr_time(m->ctx), why);
}

flow *flow_create_by(ah_model *m, arena *a, ah_expr by, const char **why)
{
    mechanics *k = derive_mechanics(m);
    if (k->second_class_nonlinear) {
        *why = "the constraints are not linear in the accelerations: the motion may branch";
        return NULL;
    }
    flow *w = NEW(a, flow);
    *w = (flow){.ctx = m->ctx, .model = m, .mech = k, .arena = a, .n = m->n};
    w->charted = m->speeds.count > 0 && !k->second_class;
    w->p = w->charted ? (uint32_t) m->speeds.count : m->n;
    w->N = w->n + w->p;
    ah_expr *x = NEW_ARRAY(a, ah_expr, w->N + 1);
    memcpy(x, m->q.at, w->n * sizeof *x);
    for (uint32_t i = 0; i < w->p; i++)
        x[w->n + i] = w->charted ? m->speeds.at[i].symbol : m->v.at[i];
    x[w->N] = by;
    w->x = x;
    double *unit = NEW_ARRAY(a, double, w->N);
    for (uint32_t i = 0; i < w->N; i++) unit[i] = model_size(m, x[i]);
    w->unit = unit;
    w->time = model_size(m, expr_time(m->ctx));
    const expr_list at = flow_switches(m, a);
    for (size_t i = 0; i < at.count; i++)
        if (algebra_sign(m->alg, at.at[i]) == 2) LIST_PUSH(a, &w->switches, at.at[i]);
    make_system(w);
    make_scale(w);
    make_room(w);
    return w;
}

/* ---- At a state ------------------------------------------------------------------------------ */

/* Columns of a Jacobian, side by side in rows of `width` numbers. */
static void run_directions(flow *w, const directions *d, frame *values, size_t width, double *out)
{
    const uint32_t rows = w->system->unknowns;
    arena *a = &w->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double *column_of = NEW_ARRAY(a, double, (size_t) d->at_once *rows);
    for (uint32_t k = 0; k < d->at_once * d->count; k++) frame_set(values, d->eta[k], 0);
    for (uint32_t first = 0; first < d->count; first += d->at_once) {
        const uint32_t here = d->count - first < d->at_once ? d->count - first : d->at_once;
        for (uint32_t i = 0; i < here; i++) frame_set(values, d->eta[i * d->count + first + i], 1);
        expr_plan_run(d->plan, values, column_of);
        for (size_t done = 0; done < expr_plan_size(d->plan); done += A_TICK) ctx_tick(w->ctx);
        for (uint32_t i = 0; i < here; i++) {
            frame_set(values, d->eta[i * d->count + first + i], 0);
            for (uint32_t r = 0; r < rows; r++)
                out[r * width + first + i] = column_of[(size_t) i * rows + r];
        }
    }
    arena_release(a, mark);
}

static void matrix_at(flow *w, frame *values)
{
    const flow_system *s = w->system;
    if (s->by_u)
        run_directions(w, s->by_u, values, s->unknowns, s->Kv);
    else
        expr_plan_run(s->K, values, s->Kv);
}

/* With the unknowns set. */
static void slopes_at(flow *w, frame *values)
{
    const flow_system *s = w->system;
    const size_t width = w->N + 1;
    if (!s->by_u) {
        expr_plan_run(s->R_x, values, s->R_xv);
        return;
    }
    run_directions(w, s->by_q, values, width, s->R_xv);
    run_directions(w, s->by_v, values, width, s->R_xv + w->n);
    run_directions(w, s->by_t, values, width, s->R_xv + w->N);
}

void flow_constraints(flow *w, const frame *values)
{
    expr_plan_run(w->system->c, values, w->c);
    expr_plan_run(w->system->c_x, values, w->c_slope);
}

/* The unknowns that count: multipliers of dependent constraints are left out (their rows follow
 * from the others). 0: the constraints lose rank here. */
static uint32_t independent_unknowns(flow *w, uint32_t *keep)
{
    const flow_system *s = w->system;
    arena *a = &w->ctx->scratch;
    for (uint32_t i = 0; i < w->p; i++) keep[i] = i;
    if (s->multipliers == 0) return w->p;
    double *J = NEW_ARRAY(a, double, (size_t) s->multipliers * w->p);
    uint32_t *order = NEW_ARRAY(a, uint32_t, s->multipliers);
    for (uint32_t i = 0; i < s->multipliers; i++)
        for (uint32_t k = 0; k < w->p; k++)
            J[(size_t) i * w->p + k] =
                s->Kv[(size_t) (w->p + i) * s->unknowns + k] * w->unit[w->n + k];
    const uint32_t rank = linear_row_rank(a, s->multipliers, w->p, J, order);
    if (rank < w->mech->rank) return 0;
    for (uint32_t i = 0; i < rank; i++) keep[w->p + i] = w->p + order[i];
    return w->p + rank;
}

/* K of the unknowns that count. */
static linear_factors factors(flow *w, uint32_t count, const uint32_t *keep)
{
    const flow_system *s = w->system;
    arena *a = &w->ctx->scratch;
    double *K = NEW_ARRAY(a, double, (size_t) count *count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++)
            K[(size_t) i * count + j] = s->Kv[(size_t) keep[i] * s->unknowns + keep[j]];
    return linear_factor(a, count, K);
}

/* Columns of X (unknowns × columns) from K X = −B; zero for what is left out. */
static bool solve(flow *w, const linear_factors *K, const uint32_t *keep, uint32_t columns,
                  const double *B, double *X)
{
    const flow_system *s = w->system;
    arena *a = &w->ctx->scratch;
    const uint32_t count = K->n;
    double *rhs = NEW_ARRAY(a, double, (size_t) count *columns);
    double *x = NEW_ARRAY(a, double, (size_t) count *columns);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < columns; j++)
            rhs[(size_t) i * columns + j] = -B[(size_t) keep[i] * columns + j];
    if (!linear_solve_by(K, columns, rhs, x)) return false;
    memset(X, 0, (size_t) s->unknowns * columns * sizeof *X);
    for (uint32_t i = 0; i < count; i++)
        memcpy(X + (size_t) keep[i] * columns, x + (size_t) i * columns, columns * sizeof *X);
    return true;
}

static void set_unknowns(flow *w, frame *values, const double *u)
{
    for (uint32_t i = 0; i < w->system->unknowns; i++)
        frame_set(values, w->system->u[i], u ? u[i] : 0);
}

/* q' = ψ or v. */
void flow_velocities(const flow *w, const frame *values, double *v)
{
    if (w->charted) expr_plan_run(w->system->psi, values, v);
    for (uint32_t i = 0; !w->charted && i < w->n; i++) v[i] = frame_get(values, w->x[w->n + i]);
}

static void places(flow *w, const frame *values)
{
    const size_t width = w->N + 1;
    flow_velocities(w, values, w->rate);
    if (w->charted) {
        expr_plan_run(w->system->psi_x, values, w->slope);
        return;
    }
    memset(w->slope, 0, w->n * width * sizeof *w->slope);
    for (uint32_t i = 0; i < w->n; i++) w->slope[i * width + w->n + i] = 1;
}

static bool all_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static bool speeds(flow *w, frame *values)
{
    flow_system *s = w->system;
    arena *a = &w->ctx->scratch;
    const size_t width = w->N + 1;
    uint32_t *keep = NEW_ARRAY(a, uint32_t, s->unknowns);
    double *u = NEW_ARRAY(a, double, s->unknowns *width);
    matrix_at(w, values);
    expr_plan_run(s->R0, values, s->R0v);
    if (!all_finite(s->Kv, (size_t) s->unknowns * s->unknowns)) return false;
    const uint32_t count = independent_unknowns(w, keep);
    if (!count) return false;
    const linear_factors K = factors(w, count, keep);
    if (!(K.rcond > FLOW_SINGULAR) || !solve(w, &K, keep, 1, s->R0v, u)) return false;
    set_unknowns(w, values, u);
    memcpy(w->rate + w->n, u, w->p * sizeof *u);
    slopes_at(w, values);
    if (!solve(w, &K, keep, w->N + 1, s->R_xv, u)) return false;
    memcpy(w->slope + w->n * width, u, w->p * width * sizeof *u);
    return true;
}

bool flow_motion(flow *w, frame *values)
{
    const arena_mark mark = arena_get_mark(&w->ctx->scratch);
    set_unknowns(w, values, NULL);
    places(w, values);
    const bool good = speeds(w, values) && all_finite(w->rate, w->N) &&
                      all_finite(w->slope, (size_t) w->N * (w->N + 1));
    arena_release(&w->ctx->scratch, mark);
    return good;
}

const ah_expr *flow_balance(const flow *w, uint32_t *count)
{
    *count = w->system->unknowns;
    return w->system->R0_of;
}

bool flow_answers(flow *w, frame *values, const double *R0, double *rate)
{
    const flow_system *s = w->system;
    arena *a = &w->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    uint32_t *keep = NEW_ARRAY(a, uint32_t, s->unknowns);
    double *u = NEW_ARRAY(a, double, s->unknowns);
    set_unknowns(w, values, NULL);
    matrix_at(w, values);
    const uint32_t count = independent_unknowns(w, keep);
    const linear_factors K = count ? factors(w, count, keep) : (linear_factors){0};
    const bool good = K.rcond > FLOW_SINGULAR && solve(w, &K, keep, 1, R0, u);
    memcpy(rate, u, (good ? w->p : 0) * sizeof *u);
    arena_release(a, mark);
    return good;
}

bool flow_at(flow *w, frame *values)
{
    flow_constraints(w, values);
    return flow_motion(w, values);
}

/* ---- Volumes --------------------------------------------------------------------------------- */

/* Σ log σ over the largest `rank` singular values of a block; 0 where there is none. */
static double volume_of(arena *a, uint32_t rows, uint32_t cols, uint32_t stride,
                        const double *block, uint32_t rank)
{
    const uint32_t least = rows < cols ? rows : cols;
    double *A = NEW_ARRAY(a, double, (size_t) rows *cols + 1), sum = 0;
    double *sigma = NEW_ARRAY(a, double, least + 1);
    for (uint32_t i = 0; i < rows; i++)
        memcpy(A + (size_t) i * cols, block + (size_t) i * stride, cols * sizeof *A);
    if (!linear_singular(a, rows, cols, A, sigma, NULL, NULL)) return NAN;
    for (uint32_t i = 0; i < rank && i < least; i++) sum += log(sigma[i]);
    return sum;
}

bool flow_volumes(flow *w, frame *values, double volume[FLOW_MATRICES])
{
    const flow_system *s = w->system;
    const uint32_t p = w->p, u = s->unknowns, rank = s->multipliers ? w->mech->rank : 0;
    arena *a = &w->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double *K = NEW_ARRAY(a, double, (size_t) u *u + 1);
    set_unknowns(w, values, NULL);
    matrix_at(w, values);
    for (uint32_t i = 0; i < u; i++)
        for (uint32_t j = 0; j < u; j++)
            K[(size_t) i * u + j] = s->Kv[(size_t) i * u + j] * s->scale[i] * s->scale[j];
    volume[FLOW_K] = volume_of(a, u, u, u, K, p + rank);
    volume[FLOW_MASS] = volume_of(a, p, p, u, K, p);
    volume[FLOW_ROWS] = volume_of(a, s->multipliers, p, u, K + (size_t) p * u, rank);
    volume[FLOW_PSI] = 0;
    if (w->charted) {
        expr_plan_run(s->psi_x, values, s->psi_xv);
        for (uint32_t i = 0; i < w->n; i++)
            for (uint32_t j = 0; j < p; j++)
                s->psi_xv[(size_t) i * (w->N + 1) + w->n + j] *=
                    w->unit[w->n + j] * w->time / w->unit[i];
        volume[FLOW_PSI] = volume_of(a, w->n, p, w->N + 1, s->psi_xv + w->n, p);
    }
    arena_release(a, mark);
    return isfinite(volume[FLOW_K]) && isfinite(volume[FLOW_PSI]);
}
