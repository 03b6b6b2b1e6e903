/* kind/singular.c - the states where the constraints lose rank.
 *
 * The rank of J is less than its general k where all minors of order k vanish. Entries that cannot
 * vanish are taken as pivots first: the rank of J is one more than that of its Schur complement.
 * The minors that are left, together with the constraints, are split into cases (cases.h). det G
 * would be a sum of squares that does not factor.
 *
 * Where J is free of velocities, constraints linear and homogeneous in them are left out of the
 * equations: v = 0 satisfies them at every place. Where the minors are too complicated, J^T u = 0,
 * |u| = 1 and the constraints are solved by Newton's method, from the start and from random states.
 */
#include "../model/model.h"
#include "../real/real.h"
#include "kind.h"

#include <string.h>

#define SECONDS 0.2 /* that one question to the algebra may take */

enum {
    MINORS = 120,     /* that are computed */
    LENGTH = 300,     /* operations of all minors: longer ones split into too many cases */
    ORDER = 5,        /* of minors */
    OPERATIONS = 400, /* of J */
    PIVOT = 12,       /* operations of an entry that may be a pivot */
    LARGEST = 60,     /* velocities: beyond, nothing is looked for in numbers */
    STATES = 5,       /* at which the general rank is found */
    TRIES = 12,       /* starts of Newton's method */
    PROOFS = 8        /* that a case is empty, attempted */
};

typedef struct search {
    ah_model *m;
    ah_ctx *ctx;
    arena *arena;
    algebra *alg;
    probe *probe;
    mat J; /* the matrix whose rank is looked at */
    uint32_t rank;
    expr_list constraints; /* equations that hold besides */
    /* What is left of J after pivots: */
    ah_expr *A;
    uint32_t rows, cols, order;
    ah_singular *out;
} search;

/* ---- The matrix and the constraints ---------------------------------------------------------- */

static void take_matrix(search *s)
{
    ah_model *m = s->m;
    const bool implied = m->speeds.count && !m->constraints.count;
    const probe_states states = probe_some_states(s->probe, s->arena, STATES, 1);
    s->J = implied ? mat_transpose(s->ctx, s->arena, model_psi_matrix(m, s->arena))
                   : model_rows(m, s->arena);
    probe_independent_rows(m, s->arena, &states, s->J, &s->rank);
    s->rank = model_exact_rank(m, s->arena, s->J, s->rank, NULL);
}

static void take_constraints(search *s)
{
    bool curved = false;
    for (uint32_t k = 0; k < mat_entries(s->J); k++)
        curved = curved || expr_depends_kind(s->ctx, s->J.val[k], AH_VELOCITY);
    for (size_t i = 0; i < s->m->constraints.count; i++) {
        const model_constraint *c = &s->m->constraints.at[i];
        if (c->order == MODEL_HOLONOMIC) {
            LIST_PUSH(s->arena, &s->constraints, c->c);
            if (curved || c->rheonomic) LIST_PUSH(s->arena, &s->constraints, expr_dt(s->ctx, c->c));
        } else if (c->order == MODEL_VELOCITY && (curved || c->affine)) {
            LIST_PUSH(s->arena, &s->constraints, c->c);
        }
    }
}

/* ---- Minors ---------------------------------------------------------------------------------- */

static bool is_pivot(search *s, ah_expr e)
{
    if (expr_is_zero(s->ctx, e) || expr_operations(s->ctx, &e, 1) > PIVOT) return false;
    model_put_values(s->m, &e, 1);
    if (expr_get_op(s->ctx, e) == EXPR_NUMBER) return !expr_is_zero(s->ctx, e);
    const int sign = algebra_sign(s->alg, e);
    return sign == 1 || sign == -1;
}

static bool find_pivot(search *s, uint32_t *row, uint32_t *col)
{
    for (*row = 0; *row < s->rows; ++*row)
        for (*col = 0; *col < s->cols; ++*col)
            if (is_pivot(s, s->A[*row * s->cols + *col])) return true;
    return false;
}

/* A − (column of the pivot)(row of the pivot)/pivot without both. */
static void schur(search *s, uint32_t row, uint32_t col)
{
    const uint32_t cols = s->cols;
    const ah_expr pivot = s->A[row * cols + col];
    ah_expr *out = NEW_ARRAY(s->arena, ah_expr, (size_t) s->rows * cols);
    size_t count = 0;
    for (uint32_t i = 0; i < s->rows; i++)
        for (uint32_t j = 0; j < cols; j++) {
            if (i == row || j == col) continue;
            const ah_expr product = expr_mul(s->ctx, s->A[i * cols + col], s->A[row * cols + j]);
            out[count++] = algebra_simplify(
                s->alg, expr_sub(s->ctx, s->A[i * cols + j], expr_div(s->ctx, product, pivot)));
        }
    s->A = out;
    s->rows--;
    s->cols--;
    s->order--;
}

static bool next_subset(uint32_t *set, uint32_t count, uint32_t from)
{
    uint32_t i = count;
    while (i > 0 && set[i - 1] == from - count + i - 1) i--;
    if (i == 0) return false;
    set[i - 1]++;
    for (; i < count; i++) set[i] = set[i - 1] + 1;
    return true;
}

static bool minors_of(search *s, const uint32_t *rows, expr_list *out)
{
    const uint32_t k = s->order;
    uint32_t cols[ORDER];
    const mat A = mat_from_dense(s->ctx, s->arena, s->rows, s->cols, s->A);
    const mat some = mat_rows(s->ctx, s->arena, A, rows, k);
    for (uint32_t i = 0; i < k; i++) cols[i] = i;
    do {
        ah_expr det;
        ctx_tick(s->ctx);
        if (out->count >= MINORS || expr_operations(s->ctx, out->at, out->count) > LENGTH)
            return false;
        if (!algebra_det(s->alg, mat_cols(s->ctx, s->arena, some, cols, k), &det)) return false;
        if (!expr_is_zero(s->ctx, det)) LIST_PUSH(s->arena, out, det);
    } while (next_subset(cols, k, s->cols));
    return true;
}

static bool all_minors(search *s, expr_list *out)
{
    uint32_t rows[ORDER];
    if (s->order > ORDER || s->order > s->rows || s->order > s->cols) return false;
    for (uint32_t i = 0; i < s->order; i++) rows[i] = i;
    do
        if (!minors_of(s, rows, out)) return false;
    while (next_subset(rows, s->order, s->rows));
    return true;
}

/* ---- A state in each case -------------------------------------------------------------------- */

static bool facts_hold(const search *s, const frame *values)
{
    for (size_t i = 0; i < s->m->facts.count; i++) {
        ah_expr e = s->m->facts.at[i].e;
        double x;
        model_put_values(s->m, &e, 1);
        model_put_samples(s->m, &e, 1);
        expr_plan_run(expr_plan_create(s->ctx, &s->ctx->scratch, &e, 1), values, &x);
        const algebra_fact *f = &s->m->facts.at[i];
        if (!(f->border ? x >= 0 : f->positive ? x > 0 : x != 0)) return false;
    }
    return true;
}

static expr_list unknowns(search *s)
{
    expr_list x = {0};
    LIST_PUSH(s->arena, &x, expr_time(s->ctx));
    for (uint32_t i = 0; i < s->m->n; i++) LIST_PUSH(s->arena, &x, s->m->q.at[i]);
    for (uint32_t i = 0; i < s->m->n; i++) LIST_PUSH(s->arena, &x, s->m->v.at[i]);
    for (size_t i = 0; i < s->m->speeds.count; i++)
        LIST_PUSH(s->arena, &x, s->m->speeds.at[i].symbol);
    return x;
}

static bool is_met(search *s, const expr_list *equations)
{
    const expr_list x = unknowns(s);
    probe_rng rng = probe_seed(1);
    probe_newton *n =
        probe_newton_create(s->m, s->arena, equations->at, (uint32_t) equations->count, &x);
    for (int k = 0; k < TRIES; k++) {
        frame *values = probe_values(s->m, s->arena);
        if (probe_draw(s->probe, &rng, values) && probe_newton_run(n, values) &&
            facts_hold(s, values))
            return true;
    }
    return false;
}

/* ---- The list -------------------------------------------------------------------------------- */

static bool is_listed(const search *s, const expr_list *equations)
{
    for (size_t i = 0; i < s->out->cases; i++) {
        const ah_singular_case *c = &s->out->at[i];
        if (c->equations == equations->count &&
            !memcmp(c->equation, equations->at, equations->count * sizeof *equations->at))
            return true;
    }
    return false;
}

static bool list_cases(search *s)
{
    expr_list equations = {0};
    uint32_t row, col;
    cases found;
    if (expr_operations(s->ctx, s->J.val, mat_entries(s->J)) > OPERATIONS) return false;
    s->A = mat_to_dense(s->ctx, s->arena, s->J);
    s->rows = s->J.rows;
    s->cols = s->J.cols;
    s->order = s->rank;
    while (s->order && find_pivot(s, &row, &col)) schur(s, row, col);
    if (s->order == 0) return true;
    for (size_t i = 0; i < s->constraints.count; i++)
        LIST_PUSH(s->arena, &equations, s->constraints.at[i]);
    if (!all_minors(s, &equations)) return false;
    if (!cases_split(s->m, s->arena, s->alg, equations.at, equations.count, &found)) return false;
    ah_singular_case *at = NEW_ARRAY(s->arena, ah_singular_case, s->out->cases + found.count);
    for (size_t i = 0; i < s->out->cases; i++) at[i] = s->out->at[i];
    s->out->at = at;
    int proofs = 0;
    for (size_t i = 0; i < found.count; i++) {
        if (is_listed(s, &found.at[i])) continue;
        const bool met = is_met(s, &found.at[i]);
        if (!met && proofs++ < PROOFS && empty_prove(s->m, s->arena, &found.at[i])) continue;
        at[s->out->cases++] = (ah_singular_case){found.at[i].count, found.at[i].at, met};
    }
    s->out->generic = s->out->generic || found.generic;
    return true;
}

/* Components may have another rank each (x'y' = y'z' = 0: 2 and 1); less than its own is lost on each. */
static bool list_all(search *s)
{
    const components *c = components_find(s->m);
    bool uneven = false;
    for (size_t i = 0; i < c->count; i++)
        uneven =
            uneven || c->at[i].relations - c->at[i].places != c->at[0].relations - c->at[0].places;
    if (!uneven || !kind_has_parts(s->m, c)) return list_cases(s);
    for (size_t i = 0; i < c->count; i++) {
        s->rank = (uint32_t) (c->at[i].relations - c->at[i].places);
        s->constraints = (expr_list){0};
        for (size_t k = 0; k < c->at[i].relations; k++)
            LIST_PUSH(s->arena, &s->constraints, c->at[i].relation[k]);
        if (!list_cases(s)) return false;
    }
    return true;
}

/* ---- In numbers ------------------------------------------------------------------------------ */

/* J^T u = 0, u·u = 1, constraints. */
static probe_newton *lost_rank(search *s, expr_list *u)
{
    const uint32_t n = s->J.cols;
    expr_list e = {0}, x = unknowns(s);
    ah_expr norm = expr_int(s->ctx, -1);
    for (uint32_t k = 0; k < s->J.rows; k++) {
        const ah_expr symbol = expr_symbol(s->ctx, AH_LOCAL, arena_printf(s->arena, "#u%u", k));
        LIST_PUSH(s->arena, u, symbol);
        LIST_PUSH(s->arena, &x, symbol);
        norm = expr_add(s->ctx, norm, expr_powi(s->ctx, symbol, 2));
    }
    const mat column = mat_from_dense(s->ctx, s->arena, s->J.rows, 1, u->at);
    const mat JTu = mat_mul(s->ctx, s->arena, mat_transpose(s->ctx, s->arena, s->J), column);
    for (uint32_t i = 0; i < n; i++) LIST_PUSH(s->arena, &e, mat_get(s->ctx, JTu, i, 0));
    LIST_PUSH(s->arena, &e, norm);
    for (size_t i = 0; i < s->constraints.count; i++) LIST_PUSH(s->arena, &e, s->constraints.at[i]);
    return probe_newton_create(s->m, s->arena, e.at, (uint32_t) e.count, &x);
}

static void keep_state(search *s, const frame *values)
{
    const expr_list x = unknowns(s);
    double *value = NEW_ARRAY(s->arena, double, x.count);
    for (size_t i = 0; i < x.count; i++) value[i] = frame_get(values, x.at[i]);
    s->out->found = (ah_values){x.count, x.at, value};
}

static void put_start(search *s, frame *values)
{
    ah_model *m = s->m;
    for (size_t i = 0; i < m->start.count; i++) {
        ah_expr e = m->start.at[i].value;
        model_put_values(m, &e, 1);
        double value;
        expr_plan_run(expr_plan_create(s->ctx, &s->ctx->scratch, &e, 1), values, &value);
        frame_set(values, m->start.at[i].symbol, value);
    }
}

static void look_in_numbers(search *s)
{
    expr_list u = {0};
    probe_rng rng = probe_seed(1);
    if (s->rank < s->J.rows || s->J.cols > LARGEST) return;
    probe_newton *n = lost_rank(s, &u);
    for (; s->out->tried < TRIES && !s->out->found.count; s->out->tried++) {
        frame *values = probe_values(s->m, s->arena);
        if (!probe_draw(s->probe, &rng, values)) return;
        if (s->out->tried == 0) put_start(s, values);
        for (size_t k = 0; k < u.count; k++) frame_set(values, u.at[k], probe_uniform(&rng, -1, 1));
        if (probe_newton_run(n, values) && facts_hold(s, values)) keep_state(s, values);
    }
}

/* ---- The answer ------------------------------------------------------------------------------ */

typedef struct question {
    ah_model *m;
    ah_singular *out;
} question;

static bool is_curved(const ah_model *m)
{
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_ACCELERATION && !m->constraints.at[i].linear)
            return true;
    return false;
}

static void find(ah_ctx *ctx, void *arg)
{
    question *q = arg;
    if (!q->m->finished) ctx_raise(ctx, AH_E_INPUT); /* its errors are reported */
    q->m = model_of_all_velocities(q->m, false);
    q->out = NEW(&ctx->job, ah_singular);
    search s = {.m = q->m, .ctx = ctx, .arena = &ctx->job, .out = q->out};
    if (is_curved(q->m)) {
        q->out->why = "a constraint is not linear in the accelerations";
        return;
    }
    s.alg = algebra_create(ctx, q->m->facts.at, q->m->facts.count);
    algebra_set_bounds(s.alg, SECONDS, ctx->limits.terms);
    s.probe = probe_create(q->m, s.arena);
    take_matrix(&s);
    take_constraints(&s);
    const bool jump = kinks_in_rows(q->m);
    q->out->listed = s.rank == 0 || (!jump && list_all(&s));
    if (q->out->listed) return;
    q->out->why = jump ? "the gradients of the constraints jump where they switch"
                       : "the minors of the constraints are too complicated";
    look_in_numbers(&s);
}

ah_status kind_singular(ah_model *m, const ah_singular **out)
{
    question q = {.m = m};
    const ah_status status = model_guard(m, find, &q);
    *out = status == AH_OK ? q.out : NULL;
    return status;
}
