/* kind/distribution.c - fields, brackets, growth vector.
 *
 *     D¹ = D = span X_i,      D^{k+1} = D^k + [D,D^k]
 *
 * The dimensions of D ⊂ D² ⊂ … at a general place are the growth vector; where they stop growing
 * the distribution is involutive, and what its leaves lack of the whole space is the integrable
 * part of the constraints (Frobenius). Brackets with functions as coefficients give nothing new, so
 * it is enough to bracket the X_i with the fields that were new in the last step. */
#include "kind.h"
#include "distribution.h"
#include "uniform.h"

#include "../numeric/numeric.h"
#include "../real/real.h"

#include <math.h>
#include <string.h>

#define SECONDS 0.3 /* that one question to the algebra may take */
/* An entry below this share of its terms is none: brackets are differences of long expressions. */
#define ENTRY_ZERO 1e-11

enum {
    LARGEST = 40,         /* coordinates */
    SIMPLIFIED = 1000,    /* operations of constraints whose fields are simplified */
    OPERATIONS = 300000,  /* of all brackets of a step */
    HOLONOMIC_STATES = 3, /* where the rank on holonomic constraints is found */
    SPANNING = 8,         /* velocities beside one that are tried beyond the dimension */
    SPANNED_STATES = 8    /* where that is done */
};

/* ---- Fields ---------------------------------------------------------------------------------- */

/* Rows [J b] of J v + b = 0, without the column b where there is no time. */
static mat forms(distribution *d)
{
    ah_model *m = d->m;
    ah_ctx *ctx = m->ctx;
    const mat J = model_rows(m, d->arena);
    LIST(mat_entry) list = {0};
    ah_expr *zero = NEW_ARRAY(d->arena, ah_expr, m->n);
    uint32_t row = 0;
    for (uint32_t i = 0; i < m->n; i++) zero[i] = expr_int(ctx, 0);
    for (uint32_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        if (c->order == MODEL_ACCELERATION || !distribution_counts(d, i)) continue;
        if (c->order == MODEL_VELOCITY && !c->linear) continue;
        for (uint32_t k = J.start[i]; k < J.start[i + 1]; k++) {
            const mat_entry e = {row, J.col[k], J.val[k]};
            LIST_PUSH(d->arena, &list, e);
        }
        const ah_expr rest = c->order == MODEL_HOLONOMIC
                                 ? expr_diff(ctx, c->c, expr_time(ctx))
                                 : expr_subst(ctx, c->c, m->n, m->v.at, zero);
        const mat_entry e = {row++, m->n, rest};
        if (d->time && !expr_is_zero(ctx, rest)) LIST_PUSH(d->arena, &list, e);
    }
    return mat_from_entries(ctx, d->arena, row, d->n, list.at, list.count);
}

static mat with_values(distribution *d, mat x)
{
    ah_expr *e = mat_to_dense(d->m->ctx, d->arena, x);
    model_put_values(d->m, e, (size_t) x.rows * x.cols);
    return mat_from_dense(d->m->ctx, d->arena, x.rows, x.cols, e);
}

/* ---- Fields without simplification ----------------------------------------------------------- */

/* Gauss and Jordan on the graph as it is: the entries become long, but as a graph, not as a text.
 * Pivots are chosen at a place. */
typedef struct jordan {
    distribution *d;
    uint32_t rows, rank;
    ah_expr *A;      /* rows × n */
    uint32_t *pivot; /* column of each of the first `rank` rows */
    bool *taken;     /* columns */
    const frame *place;
    double *value;
} jordan;

static bool choose_pivot(jordan *g, uint32_t *row, uint32_t *col)
{
    const uint32_t n = g->d->n;
    const size_t count = (size_t) g->rows * n;
    double best = 0;
    expr_plan_run(expr_plan_create(g->d->m->ctx, g->d->arena, g->A, count), g->place, g->value);
    for (uint32_t i = g->rank; i < g->rows; i++)
        for (uint32_t j = 0; j < n; j++) {
            const double size = fabs(g->value[(size_t) i * n + j]);
            if (g->taken[j] || !(size > ELIMINATE_ZERO)) continue;
            /* A short one that is not small is better than the largest. */
            const size_t cost = expr_operations(g->d->m->ctx, &g->A[(size_t) i * n + j], 1);
            const double merit = fmin(size, 1) / (double) (1 + cost);
            if (merit <= best) continue;
            best = merit, *row = i, *col = j;
        }
    return best > 0;
}

static void clear_column(jordan *g, uint32_t col)
{
    ah_ctx *ctx = g->d->m->ctx;
    const uint32_t n = g->d->n;
    ah_expr *top = g->A + (size_t) g->rank * n;
    const ah_expr inverse = expr_powi(ctx, top[col], -1);
    for (uint32_t j = 0; j < n; j++) top[j] = expr_mul(ctx, top[j], inverse);
    for (uint32_t i = 0; i < g->rows; i++) {
        ah_expr *row = g->A + (size_t) i * n, factor = row[col];
        if (i == g->rank || expr_is_zero(ctx, factor)) continue;
        for (uint32_t j = 0; j < n; j++)
            row[j] =
                j == col ? expr_int(ctx, 0) : expr_sub(ctx, row[j], expr_mul(ctx, factor, top[j]));
    }
    g->taken[col] = true;
    g->pivot[g->rank++] = col;
}

static void swap_rows(jordan *g, uint32_t a, uint32_t b)
{
    for (uint32_t j = 0; j < g->d->n; j++) {
        const ah_expr e = g->A[(size_t) a * g->d->n + j];
        g->A[(size_t) a * g->d->n + j] = g->A[(size_t) b * g->d->n + j];
        g->A[(size_t) b * g->d->n + j] = e;
    }
}

static mat fields_of_jordan(const jordan *g)
{
    ah_ctx *ctx = g->d->m->ctx;
    const uint32_t n = g->d->n;
    ah_expr *X = NEW_ARRAY(g->d->arena, ah_expr, (size_t) n * n);
    uint32_t fields = 0;
    for (uint32_t j = 0; j < n; j++) {
        if (g->taken[j]) continue;
        ah_expr *x = X + (size_t) fields++ * n;
        for (uint32_t i = 0; i < n; i++) x[i] = expr_int(ctx, i == j);
        for (uint32_t k = 0; k < g->rank; k++)
            x[g->pivot[k]] = expr_neg(ctx, g->A[(size_t) k * n + j]);
    }
    return mat_from_dense(ctx, g->d->arena, fields, n, X);
}

/* Pivots at the place; NULL: at a random one. */
static bool fields_by_graph(distribution *d, mat A, uint32_t free, const frame *place)
{
    jordan g = {.d = d, .rows = A.rows, .A = mat_to_dense(d->m->ctx, d->arena, A)};
    uint32_t row, col;
    g.pivot = NEW_ARRAY(d->arena, uint32_t, A.rows);
    g.taken = NEW_ARRAY(d->arena, bool, d->n);
    g.value = NEW_ARRAY(d->arena, double, (size_t) A.rows * d->n);
    frame *drawn = probe_values(d->m, d->arena);
    probe_rng rng = probe_seed(1);
    model_put_samples(d->m, g.A, (size_t) A.rows * d->n);
    if (!place && !probe_draw(probe_create(d->m, d->arena), &rng, drawn)) return false;
    g.place = place ? place : drawn;
    while (g.rank < d->n - free && choose_pivot(&g, &row, &col)) {
        swap_rows(&g, row, g.rank);
        clear_column(&g, col);
    }
    if (g.rank + free != d->n) return false;
    d->X = d->X_value = fields_of_jordan(&g);
    return true;
}

/* A basis of the annihilator of the forms. With letters for the parameters where that is as large
 * as it is with their values (and so the same). */
static bool fields_of_forms(distribution *d)
{
    ah_ctx *ctx = d->m->ctx;
    const mat A = forms(d), A_value = with_values(d, A);
    mat basis;
    d->forms = A.rows;
    if (A.rows == 0) {
        d->X = d->X_value = mat_identity(ctx, d->arena, d->n);
        return true;
    }
    const uint32_t free = d->n - (uint32_t) algebra_rank(d->alg, A_value, NULL, NULL);
    if (expr_operations(ctx, A.val, mat_entries(A)) > SIMPLIFIED)
        return fields_by_graph(d, A_value, free, NULL);
    if (algebra_nullspace(d->alg, A, NULL, &basis, NULL) && basis.cols == free) {
        d->X = mat_transpose(ctx, d->arena, basis);
        d->X_value = with_values(d, d->X);
        if ((uint32_t) algebra_rank(d->alg, d->X_value, NULL, NULL) == free) return true;
    }
    if (!algebra_nullspace(d->alg, A_value, NULL, &basis, NULL) || basis.cols != free)
        return fields_by_graph(d, A_value, free, NULL);
    d->X = d->X_value = mat_transpose(ctx, d->arena, basis);
    return true;
}

/* The columns of Ψ, and with time the drift ψ(q, 0, t) + ∂/∂t. */
static void fields_of_speeds(distribution *d)
{
    ah_model *m = d->m;
    ah_ctx *ctx = m->ctx;
    const uint32_t count = (uint32_t) m->speeds.count;
    const mat Psi = model_psi_matrix(m, d->arena);
    ah_expr *X = NEW_ARRAY(d->arena, ah_expr, (size_t) (count + 1) * d->n);
    ah_expr *z = NEW_ARRAY(d->arena, ah_expr, count), *zero = NEW_ARRAY(d->arena, ah_expr, count);
    for (uint32_t k = 0; k < count; k++) {
        z[k] = m->speeds.at[k].symbol;
        zero[k] = expr_int(ctx, 0);
    }
    for (uint32_t k = 0; k <= count; k++)
        for (uint32_t i = 0; i < d->n; i++)
            X[k * d->n + i] = i == m->n    ? expr_int(ctx, k == count)
                              : k == count ? expr_subst(ctx, m->psi.at[i], count, z, zero)
                                           : mat_get(ctx, Psi, i, k);
    d->X = mat_from_dense(ctx, d->arena, count + d->time, d->n, X);
    d->X_value = with_values(d, d->X);
}

static bool speeds_are_linear(const distribution *d)
{
    const mat Psi = model_psi_matrix(d->m, d->arena);
    for (uint32_t k = 0; k < mat_entries(Psi); k++)
        if (expr_depends_kind(d->m->ctx, Psi.val[k], AH_SPEED)) return false;
    return true;
}

/* Does the velocity form have a drift, or depend on t? */
static bool speeds_need_time(const distribution *d)
{
    ah_model *m = d->m;
    ah_ctx *ctx = m->ctx;
    for (uint32_t i = 0; i < m->n; i++) {
        ah_expr at_zero = m->psi.at[i];
        if (expr_depends(ctx, at_zero, expr_time(ctx))) return true;
        for (size_t k = 0; k < m->speeds.count; k++) {
            const ah_expr zero = expr_int(ctx, 0);
            at_zero = expr_subst(ctx, at_zero, 1, &m->speeds.at[k].symbol, &zero);
        }
        if (algebra_zero(d->alg, at_zero) != AH_TRUE) return true;
    }
    return false;
}

static void take_coordinates(distribution *d, bool time)
{
    ah_expr *x = NEW_ARRAY(d->arena, ah_expr, d->m->n + 1);
    for (uint32_t i = 0; i < d->m->n; i++) x[i] = d->m->q.at[i];
    x[d->m->n] = expr_time(d->m->ctx);
    d->x = x;
    d->time = time;
    d->n = d->m->n + time;
}

/* Constraints that are not linear are left out; t counts where they are not homogeneous. */
static void take_constraints(distribution *d, bool *some)
{
    ah_model *m = d->m;
    bool time = false;
    *some = false;
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        if (c->order == MODEL_ACCELERATION || !distribution_counts(d, i)) continue;
        *some = true;
        time = time || c->rheonomic;
        if (c->order != MODEL_VELOCITY) continue;
        if (c->linear) {
            time = time || c->affine;
            continue;
        }
        ah_expr e = c->c;
        d->spanning = true;
        model_put_values(m, &e, 1);
        time = time || algebra_homogeneity(d->alg, e, m->n, m->v.at) == AH_NONE;
    }
    take_coordinates(d, time);
}

/* ---- What velocities span -------------------------------------------------------------------- */

/* The row (v, 1) of a velocity, scaled; the 1 where t is a coordinate. */
static void take_velocity(const distribution *d, const frame *values, double *row)
{
    double size = d->time;
    for (uint32_t i = 0; i < d->m->n; i++) {
        row[i] = frame_get(values, d->m->v.at[i]);
        size = fmax(size, fabs(row[i]));
    }
    if (d->time) row[d->m->n] = 1;
    for (uint32_t i = 0; i < d->n; i++)
        row[i] = fabs(row[i]) > ENTRY_ZERO * size ? row[i] / size : 0;
}

/* Dimension of the span of an admissible velocity and others beside it. Velocities from all over the place would span too much: x'² = 2y'²
 * is two planes, each of which is integrable, though no rational factor tells them apart. What an analytic sheet spans it spans near each
 * of its points. */
static uint32_t span_at(const distribution *d, probe *p, probe_rng *rng, const frame *base)
{
    ah_ctx *ctx = d->m->ctx;
    uint32_t *columns = NEW_ARRAY(d->arena, uint32_t, d->n), rank = 0;
    double *row = NEW_ARRAY(d->arena, double, d->n);
    eliminate *e = eliminate_create(ctx, d->arena, d->n);
    frame *values = frame_copy(d->arena, base);
    for (uint32_t j = 0; j < d->n; j++) columns[j] = j;
    for (uint32_t k = 0; k < d->n + SPANNING && rank < d->n; k++) {
        if (k && !probe_beside(p, rng, base, values)) break;
        take_velocity(d, values, row);
        rank += eliminate_add(e, d->n, columns, row, 0) == ELIMINATE_INDEPENDENT;
    }
    return rank;
}

/* The least over a few states: of several sheets one may be flat. */
static uint32_t span_of_velocities(const distribution *d, probe *p)
{
    probe_rng rng = probe_seed(1);
    uint32_t least = d->n;
    for (int k = 0; k < SPANNED_STATES; k++) {
        frame *base = probe_values(d->m, d->arena);
        if (!probe_admissible(p, &rng, base)) return 0;
        const uint32_t here = span_at(d, p, &rng, base);
        if (here < least) least = here;
    }
    return least;
}

bool distribution_create(ah_model *m, arena *a, const bool *only, distribution *out,
                         const char **why)
{
    bool some;
    distribution d = {.m = m, .arena = a, .only = only};
    d.alg = algebra_create(m->ctx, m->facts.at, m->facts.count);
    algebra_set_bounds(d.alg, SECONDS, m->ctx->limits.terms);
    *why = m->n > LARGEST ? "there are too many coordinates" : NULL;
    if (*why) return false;
    take_constraints(&d, &some);
    if (!some && !only && m->speeds.count && !speeds_are_linear(&d)) {
        d.spanning = true;
        take_coordinates(&d, true);
        d.X = d.X_value = mat_identity(m->ctx, a, d.n);
    } else if (!some && !only && m->speeds.count) {
        take_coordinates(&d, speeds_need_time(&d));
        fields_of_speeds(&d);
    } else if (!fields_of_forms(&d)) {
        *why = "the admissible velocities are too complicated to be written down";
        return false;
    } else if (d.forms == m->constraints.count && d.n - d.X_value.rows < m->rank) {
        *why = "where something switches constraints lose rank: more velocities are free there";
        return false;
    }
    *out = d;
    return true;
}

/* ---- Brackets -------------------------------------------------------------------------------- */

typedef struct flag {
    const distribution *d;
    const probe_states *states; /* on the holonomic constraints; NULL: there are none */
    mat frame;                  /* independent fields, those of lower steps first */
    uint32_t newest;            /* the first that is new in the last step */
    LIST(size_t) growth;
    bool exact; /* all ranks so far are proved */
} flag;

/* [X,Y] = X·∂Y − Y·∂X. */
static void bracket(const distribution *d, const ah_expr *X, const ah_expr *Y, ah_expr *out)
{
    ah_ctx *ctx = d->m->ctx;
    ah_expr *other = NEW_ARRAY(d->arena, ah_expr, d->n);
    expr_forward_all(ctx, Y, d->n, d->n, d->x, X, out);
    expr_forward_all(ctx, X, d->n, d->n, d->x, Y, other);
    for (uint32_t i = 0; i < d->n; i++) out[i] = expr_sub(ctx, out[i], other[i]);
}

/* Rows of x independent at the holonomic state where most are. */
static const uint32_t *rows_on_states(flag *f, mat x, uint32_t *rank)
{
    ah_ctx *ctx = f->d->m->ctx;
    const uint32_t *best = NULL;
    uint32_t *columns = NEW_ARRAY(f->d->arena, uint32_t, x.cols);
    ah_expr *dense = mat_to_dense(ctx, f->d->arena, x);
    const size_t count = (size_t) x.rows * x.cols;
    double *value = NEW_ARRAY(f->d->arena, double, count);
    double *scale = NEW_ARRAY(f->d->arena, double, count);
    model_put_samples(f->d->m, dense, count);
    const expr_plan *plan = expr_plan_create(ctx, f->d->arena, dense, count);
    *rank = 0;
    for (uint32_t j = 0; j < x.cols; j++) columns[j] = j;
    for (size_t k = 0; k < f->states->count; k++) {
        eliminate *e = eliminate_create(ctx, f->d->arena, x.cols);
        uint32_t *rows = NEW_ARRAY(f->d->arena, uint32_t, x.rows), here = 0;
        expr_plan_run_scaled(plan, f->states->at[k], value, scale);
        for (size_t i = 0; i < count; i++)
            if (!(fabs(value[i]) > ENTRY_ZERO * scale[i])) value[i] = 0;
        for (uint32_t i = 0; i < x.rows; i++)
            if (eliminate_add(e, x.cols, columns, value + (size_t) i * x.cols, 0) ==
                ELIMINATE_INDEPENDENT)
                rows[here++] = i;
        if (best && here <= *rank) continue;
        best = rows;
        *rank = here;
    }
    return best;
}

/* Rows of x independent at a general place. On holonomic constraints the rank may be less than
 * elsewhere, never more: so the exact rank elsewhere bounds what rounding makes of the numbers. */
static uint32_t independent(flag *f, mat x, const uint32_t **rows)
{
    uint32_t *room = NEW_ARRAY(f->d->arena, uint32_t, x.rows), here;
    bool proved = true; /* a full rank is one by its minor; the time for others is not taken */
    const uint32_t rank = (uint32_t) algebra_rank(f->d->alg, x, room, NULL);
    if (rank < x.rows && rank < x.cols && f->exact) algebra_rank(f->d->alg, x, NULL, &proved);
    f->exact = f->exact && proved && !f->states;
    *rows = room;
    if (!f->states) return rank;
    const uint32_t *there = rows_on_states(f, x, &here);
    if (here >= rank) return rank;
    *rows = there;
    return here;
}

/* One step; false when it grew no more, or became too large (*gave_up). */
static bool grow(flag *f, bool *gave_up)
{
    const distribution *d = f->d;
    ah_ctx *ctx = d->m->ctx;
    const mat X = d->X_value;
    const uint32_t have = f->frame.rows, fresh = have - f->newest, n = d->n;
    const ah_expr *x = mat_to_dense(ctx, d->arena, X), *y = mat_to_dense(ctx, d->arena, f->frame);
    ah_expr *out = NEW_ARRAY(d->arena, ah_expr, (size_t) X.rows * fresh * n);
    uint32_t count = 0;
    for (uint32_t i = 0; i < X.rows; i++)
        for (uint32_t k = f->newest; k < have; k++) {
            if (f->newest == 0 && k <= i) continue; /* [X_i,X_k] = −[X_k,X_i] */
            ctx_tick(ctx);
            bracket(d, x + (size_t) i * n, y + (size_t) k * n, out + (size_t) count++ * n);
        }
    *gave_up = expr_operations(ctx, out, (size_t) count * n) > OPERATIONS;
    if (*gave_up || count == 0) return false;
    const uint32_t *rows;
    const mat all =
        mat_stack(ctx, d->arena, f->frame, mat_from_dense(ctx, d->arena, count, n, out));
    const uint32_t rank = independent(f, all, &rows);
    f->newest = have;
    f->frame = mat_rows(ctx, d->arena, all, rows, rank);
    if (rank > have) LIST_PUSH(d->arena, &f->growth, rank);
    return rank > have && rank < n;
}

/* ---- The answer ------------------------------------------------------------------------------ */

static bool is_holonomic(const distribution *d)
{
    for (size_t i = 0; i < d->m->constraints.count; i++)
        if (distribution_counts(d, i) && d->m->constraints.at[i].order == MODEL_HOLONOMIC)
            return true;
    return false;
}

/* The dimension of the closure is proved from above by the functions, from below by a minor of the
 * frame, or because D has at least this dimension, whatever the constraints are. */
static void find_functions(const distribution *d, probe *p, const flag *f, ah_distribution *out)
{
    const expr_list found = distribution_functions(d, p, out->integrable);
    const char **of = NEW_ARRAY(d->arena, const char *, found.count);
    for (size_t i = 0; i < found.count; i++)
        for (size_t k = 0; k < d->m->constraints.count; k++) {
            const model_constraint *c = &d->m->constraints.at[k];
            if (c->order == MODEL_HOLONOMIC && c->c == found.at[i]) of[i] = c->label;
        }
    out->functions = found.count;
    out->function = found.at;
    out->function_of = of;
    out->exact = found.count == out->integrable && d->forms == out->integrable;
    if (!out->exact && !f->states && found.count == out->integrable)
        algebra_rank(d->alg, f->frame, NULL, &out->exact);
}

/* On holonomic constraints it may be smaller than beside them. */
static uint32_t rank_at(distribution *d, const probe_states *states, mat x)
{
    probe_matrix p = probe_matrix_create(d->m, d->arena, x);
    uint32_t most = 0;
    for (size_t k = 0; k < states->count && most < x.rows; k++) {
        if (!probe_matrix_run(&p, states->at[k])) continue;
        eliminate *e =
            eliminate_create(d->m->ctx, d->arena, x.cols); /* fields may be beside poles */
        for (uint32_t i = 0; i < x.rows; i++)
            eliminate_add(e, x.start[i + 1] - x.start[i], x.col + x.start[i], p.value + x.start[i],
                          0);
        if (eliminate_rank(e) > most) most = eliminate_rank(e);
    }
    return most;
}

/* Fields that are independent where the holonomic constraints hold: sin θ cos φ = 0 gives (cos θ cos φ, sin θ sin φ),
 * which is no basis of what φ = π/2 leaves; then pivots are chosen there. */
static const char *fields_on(distribution *d, const probe_states *states)
{
    const uint32_t free = d->X_value.rows;
    if (!d->forms || !states->admissible) return NULL;
    if (rank_at(d, states, forms(d)) < d->n - free)
        return "where the holonomic constraints hold others lose rank";
    if (rank_at(d, states, d->X_value) == free) return NULL;
    if (fields_by_graph(d, with_values(d, forms(d)), free, states->at[0]) &&
        rank_at(d, states, d->X_value) == free)
        return NULL;
    return "no fields were found that span the velocities where the holonomic constraints hold";
}

/* x' y' = a z'² leaves velocities that span all dimensions, but for a = 0. */
static bool spans_by_parameters(const distribution *d)
{
    expr_list rows = {0};
    for (size_t i = 0; i < d->m->constraints.count; i++)
        if (distribution_counts(d, i) && !d->m->constraints.at[i].linear)
            LIST_PUSH(d->arena, &rows, d->m->constraints.at[i].c);
    return uniform_has_free(d->m, d->arena, rows.at, rows.count);
}

static void find_anew(ah_model *m, const bool *only, bool prove, distribution_answer *answer)
{
    arena *a = &m->ctx->job;
    ah_distribution *out = &answer->found;
    distribution d;
    bool gave_up = false;
    *answer = (distribution_answer){0};
    if (!distribution_create(m, a, only, &d, &out->why)) return;
    probe *p = probe_create(m, a);
    if (d.spanning &&
        components_find(m)->none) { /* velocities found beside them are rounding errors */
        out->why = "there are no regular states";
        return;
    }
    if (d.spanning) {
        const uint32_t span = span_of_velocities(&d, p);
        if (span < d.X_value.rows) {
            out->why = arena_printf(a,
                                    "not all constraints are linear in the velocities, and those "
                                    "beside an admissible one span %u of %u dimensions",
                                    span, d.X_value.rows);
            return;
        }
    }
    probe_states states = {0};
    if (is_holonomic(&d)) states = probe_some_states(p, a, HOLONOMIC_STATES, 1);
    out->why = fields_on(&d, &states);
    if (out->why) return;
    flag f = {
        .d = &d, .states = states.admissible ? &states : NULL, .frame = d.X_value, .exact = prove};
    LIST_PUSH(a, &f.growth, d.X_value.rows);
    if (d.X_value.rows < d.n)
        while (grow(&f, &gave_up)) continue;
    if (gave_up) out->why = "the brackets of the fields are too complicated";
    if (gave_up) return;
    out->found = true;
    out->time = d.time;
    out->spanned = d.spanning;
    out->dimension = d.n;
    out->steps = f.growth.count;
    out->growth = f.growth.at;
    out->rank = d.n - d.X_value.rows;
    out->integrable = d.n - f.growth.at[f.growth.count - 1];
    out->accessible = m->n - out->integrable;
    find_functions(&d, p, &f, out);
    out->switches = kinks_in_constraints(m) != KINKS_NONE;
    if (d.spanning || out->switches) out->exact = f.exact = false;
    answer->curved = f.states != NULL || d.spanning;
    answer->growth_exact = f.exact;
    answer->frame = f.frame;
    /* without brackets they are as many as the constraints leave */
    answer->uniform = ((d.forms && f.growth.count == 1) ||
                       uniform_rank(m, a, f.frame, f.frame.rows, &(expr_list){0})) &&
                      !(d.spanning && spans_by_parameters(&d));
    out->generic = !answer->uniform || !uniform_constraints(m, a, m->rank);
}

/* What was asked before, by `check` and by claims: of these constraints, facts and values. */
typedef struct asked {
    expr_list of;
    bool prove;
    distribution_answer answer;
} asked;

typedef LIST(asked) asked_list;

static expr_list subject_of(const ah_model *m, const bool *only)
{
    arena *a = &m->ctx->job;
    expr_list of = {0};
    for (size_t i = 0; i < m->constraints.count; i++) {
        LIST_PUSH(a, &of, m->constraints.at[i].c);
        LIST_PUSH(a, &of, only && !only[i] ? AH_NONE : m->constraints.at[i].c);
    }
    for (size_t i = 0; i < m->facts.count; i++) LIST_PUSH(a, &of, m->facts.at[i].e);
    for (size_t i = 0; i < m->parameters.count; i++) LIST_PUSH(a, &of, m->parameters.at[i].value);
    return of;
}

void distribution_find(ah_model *m, const bool *only, bool prove, distribution_answer *answer)
{
    static const char key;
    arena *a = &m->ctx->job;
    if (!*model_kept(m, &key)) *model_kept(m, &key) = NEW(a, asked_list);
    asked_list *list = *model_kept(m, &key);
    asked now = {.of = subject_of(m, only), .prove = prove};
    for (size_t i = 0; i < list->count; i++) {
        const asked *k = &list->at[i];
        if (k->prove != prove || k->of.count != now.of.count ||
            (now.of.count && memcmp(k->of.at, now.of.at, now.of.count * sizeof *now.of.at)))
            continue;
        *answer = k->answer;
        return;
    }
    find_anew(m, only, prove, &now.answer);
    LIST_PUSH(a, list, now);
    *answer = now.answer;
}

typedef struct question {
    ah_model *m;
    distribution_answer *out;
} question;

static void find(ah_ctx *ctx, void *arg)
{
    question *q = arg;
    if (!q->m->finished) ctx_raise(ctx, AH_E_INPUT); /* its errors are reported */
    q->m = model_of_all_velocities(q->m, false);
    q->out = NEW(&ctx->job, distribution_answer);
    distribution_find(q->m, NULL, false, q->out);
    ah_distribution *found = &q->out->found;
    if (!found->found || found->exact || found->switches || found->spanned || found->steps != 1)
        return;
    distribution_answer
        again; /* no bracket leaves D: integrable, though not all functions were found */
    distribution_find(q->m, NULL, true, &again);
    found->exact = again.found.found && again.growth_exact;
}

ah_status kind_distribution(ah_model *m, const ah_distribution **out)
{
    question q = {.m = m};
    const ah_status status = model_guard(m, find, &q);
    *out = status == AH_OK ? &q.out->found : NULL;
    return status;
}
