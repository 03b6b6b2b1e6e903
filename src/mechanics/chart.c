/* mechanics/chart.c - from implicit constraints to v = ψ(q, z, t) without the user's help.
 *
 * Linear and affine constraints: the null space of J, pivots chosen for simplicity. Non-linear
 * ones: each is solved for a velocity in which it is of first degree. Where that fails there is
 * only the local chart that the implicit function theorem gives at a state (SHEET_CHART): with the
 * independent rows I and the dependent rows D,
 *
 *     a_D = −J_D⁻¹ (J_I a_I + γ),      Ψ = (1 ; −J_D⁻¹ J_I),   drift = (0 ; −J_D⁻¹ γ).
 *
 * Numbers always come from this local form: it is the same chart, and pivots that are bad at a
 * state can be exchanged there. The parameters z are the independent velocities themselves [B07,
 * Remark 7.3]. */
#include "mechanics.h"

#include <math.h>
#include <string.h>

static const mat NO_MATRIX;

/* A determinant smaller than this at the start counts as zero there. */
#define CHART_REGULAR 1e-6

/* z = v_I for the flagged dependent rows D. */
static void set_independent(mechanics *k, chart *c, const bool *dependent)
{
    uint32_t *I = NEW_ARRAY(k->arena, uint32_t, k->n), *D = NEW_ARRAY(k->arena, uint32_t, k->n);
    ah_expr *z = NEW_ARRAY(k->arena, ah_expr, k->n), *zdot = NEW_ARRAY(k->arena, ah_expr, k->n);
    uint32_t m = 0, d = 0;
    for (uint32_t i = 0; i < k->n; i++) {
        if (dependent[i]) {
            D[d++] = i;
            continue;
        }
        z[m] = k->model->v.at[i];
        zdot[m] = k->model->a.at[i];
        I[m++] = i;
    }
    c->m = m;
    c->independent = I;
    c->dependent = D;
    c->z = mat_from_dense(k->ctx, k->arena, m, 1, z);
    c->zdot = mat_from_dense(k->ctx, k->arena, m, 1, zdot);
}

static void set_psi(mechanics *k, chart *c, mat psi)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    c->psi = psi;
    c->Psi = mat_jacobian(ctx, a, psi, c->m, mat_to_dense(ctx, a, c->z));
    const mat psi_q = mat_jacobian(ctx, a, psi, k->n, k->model->q.at);
    c->drift = mat_add(ctx, a, mat_mul(ctx, a, psi_q, psi), mat_derivative(ctx, a, psi, k->t));
}

static void given_chart(mechanics *k)
{
    const ah_model *m = k->model;
    chart *c = &k->chart;
    c->kind = CHART_GIVEN;
    c->m = (uint32_t) m->speeds.count;
    ah_expr *z = NEW_ARRAY(k->arena, ah_expr, c->m), *zdot = NEW_ARRAY(k->arena, ah_expr, c->m);
    for (uint32_t i = 0; i < c->m; i++) {
        z[i] = m->speeds.at[i].symbol;
        zdot[i] = expr_dot(k->ctx, z[i]);
    }
    c->z = mat_from_dense(k->ctx, k->arena, c->m, 1, z);
    c->zdot = mat_from_dense(k->ctx, k->arena, c->m, 1, zdot);
    set_psi(k, c, mat_from_dense(k->ctx, k->arena, k->n, 1, m->psi.at));
}

/* The constraints J v + c0 = 0 that a linear chart is made from. */
typedef struct linear_rows {
    mat J, c0;
} linear_rows;

static mat rows_that_count(mechanics *k)
{
    return k->rows ? mat_rows(k->ctx, k->arena, k->C, k->rows, k->rank) : k->C;
}

static linear_rows rows_of_constraints(mechanics *k)
{
    ah_expr *zero = NEW_ARRAY(k->arena, ah_expr, k->n);
    for (uint32_t i = 0; i < k->n; i++) zero[i] = expr_int(k->ctx, 0);
    const mat C = rows_that_count(k);
    return (linear_rows){mat_jacobian(k->ctx, k->arena, C, k->n, k->model->v.at),
                         mat_subst(k->ctx, k->arena, C, k->n, k->model->v.at, zero)};
}

/* Where J_D is singular the chart fails: its determinant, unless it is a number. */
static ah_expr chart_determinant(mechanics *k, const chart *c, mat J)
{
    if (c->m + J.rows != k->n) return AH_NONE; /* redundant rows: no single determinant */
    ah_expr det;
    const mat J_D = mat_cols(k->ctx, k->arena, J, c->dependent, J.rows);
    if (!algebra_det(k->alg, J_D, &det)) return AH_NONE;
    return expr_get_op(k->ctx, det) == EXPR_NUMBER ? AH_NONE : algebra_simplify(k->alg, det);
}

/* Parts of c0 that are functions of time alone and switch, the slope of a table say, and symbols in their place: the ring writes
 * sign(u) as |u|/u, and brings all of them to one denominator, of which no digit is left near a corner. */
typedef struct timed {
    expr_list part, symbol;
} timed;

static bool is_of_time_alone(ah_ctx *ctx, ah_expr e)
{
    static const ah_symbol_kind state[] = {AH_COORDINATE, AH_VELOCITY, AH_SPEED};
    for (size_t i = 0; i < sizeof state / sizeof *state; i++)
        if (expr_depends_kind(ctx, e, state[i])) return false;
    return expr_depends(ctx, e, expr_time(ctx));
}

static timed timed_parts(mechanics *k, mat c0)
{
    ah_ctx *ctx = k->ctx;
    timed out = {0};
    const expr_list nodes = expr_reachable(ctx, k->arena, c0.val, mat_entries(c0));
    bool *changes = NEW_ARRAY(k->arena, bool, expr_pool_size(ctx));
    for (size_t i = 0; i < nodes.count; i++) { /* children come first */
        const ah_expr e = nodes.at[i];
        changes[e] = expr_get_op(ctx, e) == EXPR_CALL && expr_get_function(ctx, e) == AH_SIGN;
        for (size_t j = 0; j < expr_get_count(ctx, e) && !changes[e]; j++)
            changes[e] = changes[expr_get_children(ctx, e)[j]];
    }
    for (size_t i = 0; i < nodes.count; i++) {
        if (!changes[nodes.at[i]] || !is_of_time_alone(ctx, nodes.at[i])) continue;
        const char *name = arena_printf(k->arena, "part of time %zu", out.part.count);
        LIST_PUSH(k->arena, &out.part, nodes.at[i]);
        LIST_PUSH(k->arena, &out.symbol, expr_symbol(ctx, AH_LOCAL, name));
    }
    return out;
}

/* J v + c0 = 0: the null space of (J c0) in homogeneous coordinates (v, 1). `avoid` (may be NULL)
 * marks velocities that should rather be independent. */
static bool linear_chart(mechanics *k, chart *c, linear_rows rows, const bool *avoid)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    const uint32_t n = k->n;
    const timed of = timed_parts(k, rows.c0);
    const mat c0 = mat_subst(ctx, a, rows.c0, of.part.count, of.part.at, of.symbol.at);
    const mat Jc = mat_transpose(
        ctx, a, mat_stack(ctx, a, mat_transpose(ctx, a, rows.J), mat_transpose(ctx, a, c0)));
    bool *keep = NEW_ARRAY(a, bool, n + 1);
    if (avoid) memcpy(keep, avoid, n * sizeof *keep);
    keep[n] = true;

    mat basis;
    uint32_t *pivots = NEW_ARRAY(a, uint32_t, rows.J.rows);
    if (!algebra_nullspace(k->alg, Jc, keep, &basis, pivots)) return false;
    basis = mat_subst(ctx, a, basis, of.part.count, of.symbol.at, of.part.at);
    bool *dependent = NEW_ARRAY(a, bool, n + 1);
    const uint32_t rank = n + 1 - basis.cols;
    for (uint32_t i = 0; i < rank; i++) dependent[pivots[i]] = true;
    if (dependent[n]) return false; /* contradictory: 1 = 0 */
    set_independent(k, c, dependent);

    /* The columns of the basis follow the free variables v_I in order, the last one is the "1". */
    ah_expr *psi = NEW_ARRAY(a, ah_expr, n);
    for (uint32_t i = 0; i < n; i++) {
        psi[i] = mat_get(ctx, basis, i, basis.cols - 1);
        for (uint32_t j = 0; j < c->m; j++)
            psi[i] = expr_add(
                ctx, psi[i],
                expr_mul(ctx, mat_get(ctx, basis, i, j), k->model->v.at[c->independent[j]]));
    }
    c->kind = CHART_LINEAR;
    c->J = rows.J;
    set_psi(k, c, mat_from_dense(ctx, a, n, 1, psi));
    c->fails_where = chart_determinant(k, c, rows.J);
    return true;
}

/* ---- Which chart ----------------------------------------------------------------------------- */

/* Choices of dependent velocities beyond these are not compared. */
#define CHART_MOST_CHOICES 300
#define CHART_MOST_ROWS    4
#define CHART_OPERATIONS   400 /* of J: determinants of longer ones are not worth it */

/* How far a chart goes whose determinant is this: everywhere, or as far as the parameters are not zero, or from the
 * model's start on, or at least somewhere. */
typedef enum chart_reach { REACH_ALL, REACH_PARAMETERS, REACH_START, REACH_SOME } chart_reach;

static bool vanishes_at_start(mechanics *k, ah_expr e)
{
    const arena_mark mark = arena_get_mark(&k->ctx->scratch);
    arena *a = &k->ctx->scratch;
    probe_matrix x = probe_matrix_create(k->model, a, mat_from_dense(k->ctx, a, 1, 1, &e));
    frame *values = probe_values(k->model, a);
    probe_rng rng = probe_seed(1);
    const probe_wish at_start = {.reach = PROBE_START};
    const bool there =
        k->model->start.count && probe_wished(probe_create(k->model, a), &rng, &at_start, values);
    const bool regular = there && probe_matrix_run(&x, values) && mat_entries(x.shape) &&
                         fabs(x.value[0]) > CHART_REGULAR;
    arena_release(&k->ctx->scratch, mark);
    return there && !regular;
}

static chart_reach reach_of(mechanics *k, ah_expr det)
{
    if (expr_get_op(k->ctx, det) == EXPR_NUMBER || algebra_one_sign(k->alg, det)) return REACH_ALL;
    if (!expr_depends_kind(k->ctx, det, AH_COORDINATE) && !expr_depends(k->ctx, det, k->t))
        return REACH_PARAMETERS;
    return vanishes_at_start(k, det) ? REACH_SOME : REACH_START;
}

/* Better is what reaches further, then what has fewer of the velocities that should be independent, then the simpler. */
typedef struct choice {
    chart_reach reach;
    uint32_t avoided, in_use;
    size_t operations;
} choice;

static bool is_better(const choice *a, const choice *b)
{
    if (a->avoided != b->avoided) return a->avoided < b->avoided;
    if (a->reach != b->reach) return a->reach < b->reach;
    if (a->in_use != b->in_use) return a->in_use < b->in_use;
    return a->operations < b->operations;
}

/* The next r of n, ascending; false after the last. */
static bool next_choice(uint32_t *chosen, uint32_t r, uint32_t n)
{
    uint32_t i = r;
    while (i > 0 && chosen[i - 1] == n - r + i - 1) i--;
    if (!i) return false;
    for (chosen[i - 1]++; i < r; i++) chosen[i] = chosen[i - 1] + 1;
    return true;
}

static bool few_choices(uint32_t n, uint32_t r)
{
    double count = 1;
    for (uint32_t i = 0; i < r; i++) count = count * (n - i) / (i + 1);
    return r <= CHART_MOST_ROWS && count <= CHART_MOST_CHOICES;
}

static bool judge(mechanics *k, mat J, const uint32_t *D, const bool *avoid, const bool *used,
                  choice *out)
{
    ah_expr det;
    if (!algebra_det(k->alg, mat_cols(k->ctx, k->arena, J, D, J.rows), &det)) return false;
    det = algebra_simplify(k->alg, det);
    if (expr_is_zero(k->ctx, det)) return false;
    *out = (choice){.reach = reach_of(k, det), .operations = expr_operations(k->ctx, &det, 1)};
    for (uint32_t i = 0; i < J.rows; i++) {
        out->avoided += avoid && avoid[D[i]];
        out->in_use += used[D[i]];
    }
    return true;
}

/* Flags of velocities that rather not depend on the others: all but the best choice. NULL: `avoid` does. */
static const bool *best_choice(mechanics *k, const chart *c, mat J, const bool *avoid)
{
    const uint32_t n = k->n, r = J.rows;
    uint32_t *D = NEW_ARRAY(k->arena, uint32_t, r + 1);
    choice best, now;
    if (c->fails_where == AH_NONE || !few_choices(n, r) ||
        expr_operations(k->ctx, J.val, mat_entries(J)) > CHART_OPERATIONS)
        return NULL;
    bool *out = NULL;
    const bool *used = mechanics_coordinates_in_use(k);
    if (!judge(k, J, c->dependent, avoid, used, &best)) return NULL;
    for (uint32_t i = 0; i < r; i++) D[i] = i;
    do {
        if (!judge(k, J, D, avoid, used, &now) || !is_better(&now, &best)) continue;
        if (now.reach == best.reach && now.avoided == best.avoided) continue; /* as it was, then */
        best = now;
        if (!out) out = NEW_ARRAY(k->arena, bool, n + 1);
        for (uint32_t i = 0; i < n; i++) out[i] = true;
        for (uint32_t i = 0; i < r; i++) out[D[i]] = false;
    } while (next_choice(D, r, n));
    return out;
}

/* The null space with pivots that are simple, unless others reach further. */
static bool chosen_chart(mechanics *k, chart *c, linear_rows rows, const bool *avoid)
{
    if (!linear_chart(k, c, rows, avoid)) return false;
    const bool *better = best_choice(k, c, rows.J, avoid);
    chart other = {0};
    if (better && linear_chart(k, &other, rows, better)) *c = other;
    return true;
}

/* The simplest velocity in which c is of first degree: c = slope·v_i + rest. */
static bool first_degree(mechanics *k, ah_expr c, const bool *taken, uint32_t *which,
                         ah_expr *slope)
{
    size_t best = SIZE_MAX;
    for (uint32_t i = 0; i < k->n; i++) {
        const ah_expr v = k->model->v.at[i];
        if (taken[i] || !expr_depends(k->ctx, c, v)) continue;
        const ah_expr s = expr_diff(k->ctx, c, v);
        if (algebra_zero(k->alg, expr_diff(k->ctx, s, v)) != AH_TRUE) continue;
        const ah_expr simple = algebra_simplify(k->alg, s);
        const size_t cost = expr_operations(k->ctx, &simple, 1);
        if (expr_is_zero(k->ctx, simple) || cost >= best) continue;
        best = cost;
        *which = i;
        *slope = simple;
    }
    return best != SIZE_MAX;
}

/* Solve the constraints one after the other, putting each solution into the rest. */
static bool solved_chart(mechanics *k)
{
    ah_ctx *ctx = k->ctx;
    const mat rows = rows_that_count(k);
    ah_expr *C = mat_to_dense(ctx, k->arena, rows);
    bool *dependent = NEW_ARRAY(k->arena, bool, k->n);
    ah_expr *psi = NEW_ARRAY(k->arena, ah_expr, k->n), fails = expr_int(ctx, 1);
    memcpy(psi, k->model->v.at, k->n * sizeof *psi);

    for (uint32_t c = 0; c < rows.rows; c++) {
        uint32_t i = 0;
        ah_expr slope = AH_NONE;
        if (algebra_zero(k->alg, C[c]) == AH_TRUE) continue; /* follows from the others */
        if (!first_degree(k, C[c], dependent, &i, &slope)) return false;
        const ah_expr v = k->model->v.at[i], zero = expr_int(ctx, 0);
        const ah_expr rest = expr_subst(ctx, C[c], 1, &v, &zero);
        const ah_expr solution =
            algebra_simplify(k->alg, expr_neg(ctx, expr_div(ctx, rest, slope)));
        dependent[i] = true;
        psi[i] = solution;
        fails = expr_mul(ctx, fails, slope);
        expr_subst_all(ctx, psi, k->n, 1, &v, &solution);
        expr_subst_all(ctx, C + c + 1, rows.rows - c - 1, 1, &v, &solution);
        psi[i] = solution;
    }
    uint32_t solved = 0;
    for (uint32_t i = 0; i < k->n; i++) solved += dependent[i];
    if (solved != k->rank) return false; /* on a component where fewer rows are independent */
    set_independent(k, &k->chart, dependent);
    k->chart.kind = CHART_SOLVED;
    set_psi(k, &k->chart, mat_from_dense(ctx, k->arena, k->n, 1, psi));
    k->chart.fails_where = algebra_simplify(k->alg, fails);
    return true;
}

/* Nothing symbolic: only which velocities are to depend on the others. */
static void numeric_chart(mechanics *k)
{
    bool *dependent = NEW_ARRAY(k->arena, bool, k->n);
    if (!mechanics_pivots(k, dependent)) {
        const mat Jt = mat_transpose(k->ctx, k->arena, k->J_rows);
        uint32_t *rows = NEW_ARRAY(k->arena, uint32_t, k->n);
        const int rank = algebra_rank(k->alg, Jt, rows, NULL);
        memset(dependent, 0, k->n * sizeof *dependent);
        for (int i = 0; i < rank; i++) dependent[rows[i]] = true;
    }
    set_independent(k, &k->chart, dependent);
    k->chart.kind = CHART_NUMERIC;
    k->chart.psi = k->chart.Psi = k->chart.drift = NO_MATRIX;
}

/* Terms of a polynomial on the way: a chart of longer ones is too long to be read, and numbers do not need it.
 * Counted, not timed: the same model has the same chart on a busy machine. */
#define CHART_TERMS 4000

static bool symbolic_chart(mechanics *k)
{
    if (k->second_class || !k->firm) return false;
    /* with the column of what is without velocities */
    if (k->linear && !algebra_nullspace_fits(k->rows ? k->rank : k->r, k->n + 1)) return false;
    const uint32_t terms = k->ctx->limits.terms;
    algebra_set_bounds(k->alg, ALGEBRA_SECONDS, terms < CHART_TERMS ? terms : CHART_TERMS);
    const bool found =
        k->linear ? chosen_chart(k, &k->chart, rows_of_constraints(k), NULL) : solved_chart(k);
    algebra_set_bounds(k->alg, ALGEBRA_SECONDS, terms);
    return found;
}

void mechanics_chart(mechanics *k)
{
    if (k->model->speeds.count) {
        given_chart(k);
    } else if (k->r == 0) {
        set_independent(k, &k->chart, NEW_ARRAY(k->arena, bool, k->n));
        k->chart.kind = CHART_FREE;
        set_psi(k, &k->chart, k->v);
    } else if (!symbolic_chart(k)) {
        numeric_chart(k);
    }
}

/* ---- A linear chart beside another one ------------------------------------------------------- */

static bool depends_on_any(mechanics *k, mat m, mat symbols)
{
    for (uint32_t i = 0; i < symbols.rows; i++) {
        const mat slope = mat_derivative(k->ctx, k->arena, m, mat_get(k->ctx, symbols, i, 0));
        for (uint32_t j = 0; j < mat_entries(slope); j++)
            if (algebra_zero(k->alg, slope.val[j]) != AH_TRUE) return true;
    }
    return false;
}

/* Implicit constraints of a `velocity` v = Ψ z + ψ0 that stands alone: N v = N ψ0 for the rows N of
 * the left null space of Ψ. */
static bool rows_of_velocity(mechanics *k, linear_rows *rows)
{
    ah_ctx *ctx = k->ctx;
    arena *a = k->arena;
    const chart *c = &k->chart;
    if (depends_on_any(k, c->Psi, c->z)) return false;
    mat basis;
    if (!algebra_nullspace(k->alg, mat_transpose(ctx, a, c->Psi), NULL, &basis, NULL)) return false;
    const mat psi0 = mat_sub(ctx, a, c->psi, mat_mul(ctx, a, c->Psi, c->z));
    rows->J = mat_transpose(ctx, a, basis);
    rows->c0 = algebra_simplify_mat(k->alg, mat_neg(ctx, a, mat_mul(ctx, a, rows->J, psi0)));
    return true;
}

/* Coordinates on which something depends: their velocities should be independent. */
const bool *mechanics_coordinates_in_use(mechanics *k)
{
    linear_rows rows = {0};
    if (k->r)
        rows = rows_of_constraints(k);
    else if (k->chart.kind == CHART_GIVEN)
        rows_of_velocity(k, &rows);
    const ah_expr T = k->T;
    const mat all[] = {mat_from_dense(k->ctx, k->arena, 1, 1, &T), k->K, rows.J, rows.c0};
    bool *used = NEW_ARRAY(k->arena, bool, k->n);
    for (uint32_t i = 0; i < k->n; i++)
        for (size_t j = 0; !used[i] && j < sizeof all / sizeof *all; j++)
            for (uint32_t e = 0; !used[i] && e < mat_entries(all[j]); e++)
                used[i] = expr_depends(k->ctx, all[j].val[e], k->model->q.at[i]);
    return used;
}

/* Velocities that should rather be independent; NULL: as is simplest. */
static const bool *to_avoid(mechanics *k, bool cyclic, const bool *dependent)
{
    if (!dependent) return cyclic ? mechanics_coordinates_in_use(k) : NULL;
    bool *avoid = NEW_ARRAY(k->arena, bool, k->n);
    for (uint32_t i = 0; i < k->n; i++) avoid[i] = !dependent[i];
    return avoid;
}

static const chart *make_linear_chart(mechanics *k, bool cyclic, const bool *dependent)
{
    if (k->second_class || !k->linear || (!k->r && k->chart.kind != CHART_GIVEN)) return NULL;
    if (!cyclic && !dependent && k->chart.kind == CHART_LINEAR) return &k->chart;
    if (k->chart.kind == CHART_NUMERIC) return NULL; /* the null space was too much before */
    linear_rows rows;
    if (k->r)
        rows = rows_of_constraints(k);
    else if (!rows_of_velocity(k, &rows))
        return NULL;
    chart *c = NEW(k->arena, chart);
    const bool *avoid = to_avoid(k, cyclic, dependent);
    const bool made = dependent ? linear_chart(k, c, rows, avoid) : chosen_chart(k, c, rows, avoid);
    return made ? c : NULL;
}

const chart *mechanics_linear_chart(mechanics *k, bool cyclic, const bool *dependent)
{
    if (dependent) return make_linear_chart(k, cyclic, dependent);
    if (!k->linear_charts[cyclic].tried)
        k->linear_charts[cyclic].chart = make_linear_chart(k, cyclic, NULL);
    k->linear_charts[cyclic].tried = true;
    return k->linear_charts[cyclic].chart;
}
