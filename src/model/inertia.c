/* model/inertia.c - is every acceleration determined?
 *
 * A singular mass matrix is legal where the constraints make up for it: what must be regular, at a
 * general state and with the independent rows of J, is
 *
 *     | M  Jᵀ |
 *     | J  0  |
 *
 * or, where the velocity form alone states the constraints, Ψᵀ M Ψ. Random states decide that it is
 * regular; that it is singular is asked of the exact rank too, unless the matrix is large. */
#include "inside.h"
#include "../numeric/numeric.h"
#include "probe.h"

#include <string.h>

enum {
    EXACT_RANK = 60,    /* rows of a matrix whose rank is also found exactly */
    FACTOR_STATES = 3,  /* of a factor of a constraint */
    CURVED_STATES = 40, /* the same where constraints are not linear */
    ENTRIES_LIMIT =
        200 * 1000 /* entries of one that is not looked at: it is full, elimination costs n³ */
};

mat model_mass(ah_model *m, arena *a)
{
    return mat_hessian(m->ctx, a, m->T, m->n, m->v.at);
}

mat model_rows(ah_model *m, arena *a)
{
    ah_ctx *ctx = m->ctx;
    const expr_list *by[] = {&m->q, &m->v, &m->a};
    const uint32_t r = (uint32_t) m->constraints.count;
    mat J = mat_zero(ctx, a, r, m->n);
    for (int order = MODEL_HOLONOMIC; order <= MODEL_ACCELERATION; order++) {
        ah_expr *c = NEW_ARRAY(a, ah_expr, r);
        bool some = false;
        for (uint32_t i = 0; i < r; i++) {
            const bool here = (int) m->constraints.at[i].order == order;
            c[i] = here ? m->constraints.at[i].c : expr_int(ctx, 0);
            some = some || here;
        }
        if (!some) continue;
        const mat column = mat_from_dense(ctx, a, r, 1, c);
        J = mat_add(ctx, a, J, mat_jacobian(ctx, a, column, m->n, by[order]->at));
    }
    return J;
}

/* ---- Order of the constraints ---------------------------------------------------------------- */

static uint32_t place_in_order(ah_model *m, const model_constraint *c)
{
    const expr_list q = model_symbols_of(m, c->c, AH_COORDINATE);
    const bool linear =
        c->order == MODEL_HOLONOMIC ? algebra_degree(m->alg, c->c, q.count, q.at) == 1 : c->linear;
    return 2 * (uint32_t) c->order + !linear;
}

uint32_t *model_constraint_order(ah_model *m, arena *a)
{
    const uint32_t r = (uint32_t) m->constraints.count;
    uint32_t *order = NEW_ARRAY(a, uint32_t, r + 1), *place = NEW_ARRAY(a, uint32_t, r + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < r; i++) place[i] = place_in_order(m, &m->constraints.at[i]);
    for (uint32_t p = 0; count < r; p++)
        for (uint32_t i = 0; i < r; i++)
            if (place[i] == p) order[count++] = i;
    return order;
}

/* ---- Rank of the constraints ----------------------------------------------------------------- */

/* The factors by one of which the constraint may hold: one or none of it that is no product. */
static expr_list open_factors(ah_model *m, arena *a, const model_constraint *c)
{
    const ah_symbol_kind kind = c->order == MODEL_HOLONOMIC ? AH_COORDINATE : AH_VELOCITY;
    expr_list open = {0};
    ah_expr e = c->c;
    algebra_factors f;
    model_put_values(m, &e, 1);
    if (c->order == MODEL_ACCELERATION || !algebra_factor(m->alg, e, &f)) return open;
    for (size_t i = 0; i < f.count; i++)
        if (expr_depends_kind(m->ctx, f.factor[i], kind)) LIST_PUSH(a, &open, f.factor[i]);
    return open;
}

static bool factors_meet(ah_model *m, const probe_matrix *x, uint32_t row, uint32_t constraint)
{
    return probe_matrix_noise(m->ctx, x, row) &&
           open_factors(m, &m->ctx->scratch, &m->constraints.at[constraint]).count > 1;
}

bool model_row_vanishes(ah_model *m, const probe_matrix *x, uint32_t row, uint32_t constraint)
{
    return (m->constraints.at[constraint].order == MODEL_VELOCITY &&
            probe_matrix_empty(m, x, row)) ||
           factors_meet(m, x, row, constraint);
}

typedef struct row_choice {
    mat J;
    const uint32_t *constraint; /* of each row */
    bool (*vanishes)(ah_model *m, const probe_matrix *x, uint32_t row, uint32_t constraint);
    uint32_t rank, most;
    uint32_t *rows; /* independent ones */
    bool sure;      /* with pivots that are no rounding errors of the state */
} row_choice;

/* A pivot that is less of its row is trusted only where no state has better ones. */
#define SURE_PIVOT 1e-10

static void look_at_states(ah_model *m, arena *a, const probe_states *states, row_choice *best)
{
    probe_matrix x = probe_matrix_create(m, a, best->J);
    uint32_t *rows = NEW_ARRAY(a, uint32_t, best->J.rows + 1);
    const frame *state;
    for (size_t k = 0; (state = probe_state(states, k)); k++) {
        if (!probe_matrix_run(&x, state)) continue;
        eliminate *e = eliminate_create(m->ctx, a, best->J.cols);
        const double *size = probe_matrix_sizes(&x);
        for (uint32_t i = 0; i < best->J.rows; i++) {
            const uint32_t at = best->J.start[i], rank = eliminate_rank(e);
            if (states->admissible && best->vanishes(m, &x, i, best->constraint[i])) continue;
            eliminate_add_sized(e, best->J.start[i + 1] - at, best->J.col + at, x.value + at,
                                size + at, 0, 0);
            if (eliminate_rank(e) > rank) rows[rank] = i;
        }
        const bool sure = eliminate_quality(e) > SURE_PIVOT;
        if (sure < best->sure || (sure == best->sure && eliminate_rank(e) <= best->rank)) continue;
        best->sure = sure;
        best->rank = eliminate_rank(e);
        best->rows = NEW_ARRAY(a, uint32_t, best->rank);
        memcpy(best->rows, rows, best->rank * sizeof *rows);
        if (sure && best->rank == best->J.rows) return;
    }
}

/* A constraint that is a product may hold by either factor, and random states may all lie on one of
 * them, where others depend on it. The rank is the largest on any. */
static bool is_curved(const ah_model *m)
{
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_VELOCITY && !m->constraints.at[i].linear)
            return true;
    return false;
}

/* Constraints that are not linear may leave rest alone at most places: more of them are looked at. */
static void look_everywhere(ah_model *m, arena *a, const probe_states *states, row_choice *best)
{
    const size_t each = is_curved(m) ? CURVED_STATES : FACTOR_STATES;
    look_at_states(m, a, states, best);
    for (size_t i = 0; i < m->constraints.count && best->rank < best->most; i++) {
        const expr_list f = open_factors(m, a, &m->constraints.at[i]);
        for (size_t k = 0; f.count > 1 && k < f.count && best->rank < best->most; k++) {
            const probe_states on =
                probe_some_states(probe_create_on(m, a, &f.at[k], 1), a, each, 1);
            if (on.admissible) look_at_states(m, a, &on, best);
        }
    }
}

uint32_t model_rank_on_set(ah_model *m, arena *a, mat J, uint32_t enough, uint32_t *rows,
                           bool *firm)
{
    *firm = true;
    for (uint32_t i = 0; i < enough; i++) rows[i] = i;
    const probe_states states = probe_some_states(probe_create(m, a), a, FACTOR_STATES, 1);
    if (!states.admissible || J.rows > EXACT_RANK) return enough;
    uint32_t *order = NEW_ARRAY(a, uint32_t, J.rows + 1), count = 0;
    bool *product = NEW_ARRAY(a, bool, J.rows + 1);
    for (uint32_t i = 0; i < J.rows; i++)
        product[i] = open_factors(m, a, &m->constraints.at[i]).count > 1;
    for (int last = 0; last < 2; last++) /* products are taken if need be */
        for (uint32_t i = 0; i < J.rows; i++)
            if (product[i] == (bool) last) order[count++] = i;
    row_choice best = {.J = mat_rows(m->ctx, a, J, order, J.rows),
                       .constraint = order,
                       .vanishes = factors_meet,
                       .most = enough};
    look_everywhere(m, a, &states, &best);
    for (uint32_t i = 0; i < best.rank; i++) {
        rows[i] = order[best.rows[i]];
        *firm = *firm && !product[rows[i]];
    }
    return best.rank < enough ? best.rank : enough;
}

/* Are the rows' entries functions of places alone, and is every place admissible? */
static bool is_over_all_places(ah_model *m, mat J)
{
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_HOLONOMIC) return false;
    for (uint32_t k = 0; k < mat_entries(J); k++)
        if (expr_depends_kind(m->ctx, J.val[k], AH_VELOCITY) ||
            expr_depends_kind(m->ctx, J.val[k], AH_ACCELERATION))
            return false;
    return true;
}

uint32_t model_exact_rank(ah_model *m, arena *a, mat J, uint32_t found, uint32_t *rows)
{
    const uint32_t most = J.rows < J.cols ? J.rows : J.cols;
    if (found == most || J.rows > EXACT_RANK || !is_over_all_places(m, J)) return found;
    ah_expr *valued = mat_to_dense(m->ctx, a, J);
    uint32_t *which = NEW_ARRAY(a, uint32_t, J.rows + 1);
    bool proved = false;
    model_put_values(m, valued, (size_t) J.rows * J.cols);
    const mat exact = mat_from_dense(m->ctx, a, J.rows, J.cols, valued);
    const int rank = algebra_rank(m->alg, exact, which, &proved);
    if (!proved || rank <= (int) found) return found;
    if (rows) memcpy(rows, which, (size_t) rank * sizeof *rows);
    return (uint32_t) rank;
}

void model_find_rank(ah_model *m, const probe_states *states)
{
    const arena_mark mark = arena_get_mark(&m->ctx->scratch);
    arena *a = &m->ctx->scratch;
    const mat J = model_rows(m, a);
    uint32_t *low = NEW_ARRAY(a, uint32_t, J.rows), count = 0;
    for (uint32_t i = 0; i < J.rows; i++)
        if (m->constraints.at[i].order != MODEL_ACCELERATION) low[count++] = i;
    row_choice best = {
        .J = mat_rows(m->ctx, a, J, low, count), .constraint = low, .vanishes = model_row_vanishes};
    best.most = count > EXACT_RANK ? 0 : count < m->n ? count : m->n;
    look_everywhere(m, a, states, &best);
    m->rank = model_exact_rank(m, a, best.J, best.rank, NULL);
    /* The velocity form alone implies the constraints. */
    if (m->speeds.count && !count) m->rank = m->n - (uint32_t) m->speeds.count;
    arena_release(&m->ctx->scratch, mark);
}

/* ---- Regularity ------------------------------------------------------------------------------ */

mat model_kkt(ah_ctx *ctx, arena *a, mat M, mat J)
{
    LIST(mat_entry) e = {0};
    for (uint32_t i = 0; i < M.rows; i++)
        for (uint32_t k = M.start[i]; k < M.start[i + 1]; k++)
            LIST_PUSH(a, &e, ((mat_entry){i, M.col[k], M.val[k]}));
    for (uint32_t i = 0; i < J.rows; i++)
        for (uint32_t k = J.start[i]; k < J.start[i + 1]; k++) {
            LIST_PUSH(a, &e, ((mat_entry){M.rows + i, J.col[k], J.val[k]}));
            LIST_PUSH(a, &e, ((mat_entry){J.col[k], M.rows + i, J.val[k]}));
        }
    const uint32_t size = M.rows + J.rows;
    return mat_from_entries(ctx, a, size, size, e.at, e.count);
}

/* Ψᵀ M Ψ. */
static mat reduced_mass(ah_model *m, arena *a, mat M)
{
    const mat Psi = model_psi_matrix(m, a);
    return mat_mul3(m->ctx, a, mat_transpose(m->ctx, a, Psi), M, Psi);
}

static bool is_regular(ah_model *m, arena *a, const probe_states *states, mat K)
{
    bool looked = false;
    if (mat_entries(K) > ENTRIES_LIMIT) return true;
    probe_matrix x = probe_matrix_create(m, a, K);
    const frame *state;
    for (size_t k = 0; (state = probe_state(states, k)); k++) {
        if (!probe_matrix_run(&x, state)) continue;
        if (probe_matrix_rank(m->ctx, &x, NULL) == K.rows) return true;
        looked = true;
    }
    if (!looked || K.rows > EXACT_RANK) return !looked;
    ah_expr *valued = mat_to_dense(m->ctx, a, K);
    model_put_values(m, valued, (size_t) K.rows * K.cols);
    const mat exact = mat_from_dense(m->ctx, a, K.rows, K.cols, valued);
    return algebra_rank(m->alg, exact, NULL, NULL) == (int) K.rows;
}

/* Large systems, by the elimination of their motion at the first state, and as it judges; false: the rank must tell. */
static bool is_clearly_regular(ah_model *m, arena *a, const probe_states *states, mat M, mat J)
{
    const size_t of_M = mat_entries(M), of_J = mat_entries(J);
    if (!states->count || !sparse_pays(M.rows + J.rows, of_M + 2 * of_J)) return false;
    probe_matrix M_there = probe_matrix_create(m, a, M), J_there = probe_matrix_create(m, a, J);
    if (!probe_matrix_run(&M_there, states->at[0]) || !probe_matrix_run(&J_there, states->at[0]))
        return false;
    double *entry = NEW_ARRAY(a, double, of_M + of_J + 1);
    memcpy(entry, M_there.value, of_M * sizeof *entry);
    memcpy(entry + of_M, J_there.value, of_J * sizeof *entry);
    sparse *system = sparse_create_kkt(m->ctx, a, mat_pattern(M), mat_pattern(J), false);
    return sparse_factor(system, entry, NULL) > LINEAR_RANK_TOLERANCE;
}

/* Coordinates that appear neither in M nor in any constraint. */
static bool all_have_inertia(ah_model *m, arena *a, mat M, mat J)
{
    const uint32_t first = M.rows - m->n; /* of the coordinates */
    bool *bound = NEW_ARRAY(a, bool, M.rows), all = true;
    for (uint32_t k = 0; k < mat_entries(J); k++) bound[J.col[k]] = true;
    for (uint32_t i = 0; i < m->n; i++) {
        if (bound[first + i] || M.start[first + i + 1] > M.start[first + i]) continue;
        diag(m->ctx, A0406, m->q_span.at[i], "the coordinate `%s` has no inertia",
             expr_get_name(m->ctx, m->q.at[i]));
        diag_note(m->ctx, NOWHERE,
                  "its velocity is neither in the kinetic energy squared nor in a constraint");
        diag_hint(m->ctx, "give what it moves a mass or a moment of inertia, or leave it out");
        all = false;
    }
    return all;
}

void model_check_inertia(ah_model *m, const probe_states *states)
{
    ah_ctx *ctx = m->ctx;
    arena *a = &ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const model_tree *tree = model_tree_of(m);
    const mat M = tree ? tree->M : model_mass(m, a), all = model_rows(m, a);
    const mat J = tree ? model_tree_rows(m, a, tree, all) : all;
    bool regular;
    if (m->speeds.count) {
        regular = is_regular(m, a, states, reduced_mass(m, a, M));
    } else {
        uint32_t rank;
        const uint32_t *rows = probe_independent_rows(m, a, states, all, &rank);
        const mat Js = mat_rows(ctx, a, all, rows, rank);
        regular = !all_have_inertia(m, a, M, J) || /* which is told */
                  (!tree && is_clearly_regular(m, a, states, M, Js)) ||
                  is_regular(m, a, states,
                             tree ? model_tree_kkt(m, a, tree, Js) : model_kkt(ctx, a, M, Js));
    }
    if (!regular) {
        diag(ctx, A0407, m->kinetic_span,
             "the kinetic energy and the constraints do not determine all accelerations");
        diag_note(ctx, NOWHERE, "the matrix %s is singular at every state",
                  m->speeds.count ? "Psi^T M Psi" : "[M J^T; J 0]");
        diag_hint(ctx, "give every coordinate that is free to move a mass or a moment of inertia");
    }
    arena_release(a, mark);
}
