/* sheet/recipe.c - worksheets as scalar formulas: everything but the eliminations. */
#include "recipe.h"

#include <math.h>
#include <string.h>

/* A state near the sample, but without its accidental zeros and symmetries. */
static void step_aside(frame *f)
{
    for (uint32_t i = 0; i < f->count; i++)
        f->at[i] = f->at[i] * (1 + 0.1 * sin((double) i)) + 0.07 * cos(1.7 * (double) i);
}

void recipe_init(recipe *r, ah_ctx *ctx, arena *a, algebra *alg, const frame *sample)
{
    *r = (recipe){.ctx = ctx, .arena = a, .alg = alg, .given = sample};
}

frame *recipe_sample(recipe *r)
{
    if (!r->sample)
        r->sample = r->given ? frame_copy(r->arena, r->given) : frame_create(r->ctx, r->arena, 0);
    return r->sample;
}

frame *recipe_beside(recipe *r)
{
    if (r->beside) return r->beside;
    r->beside = r->given ? frame_copy(r->arena, r->given) : frame_create(r->ctx, r->arena, 0);
    if (r->given) step_aside(r->beside);
    return r->beside;
}

void recipe_define(recipe *r, ah_expr symbol, ah_expr value)
{
    frame *sample = recipe_sample(r), *next = recipe_beside(r);
    const arena_mark mark = arena_get_mark(&r->ctx->scratch);
    const expr_plan *plan = expr_plan_create(r->ctx, &r->ctx->scratch, &value, 1);
    double at_sample, beside;
    expr_plan_run(plan, sample, &at_sample);
    expr_plan_run(plan, next, &beside);
    frame_set(sample, symbol, at_sample);
    frame_set(next, symbol, beside);
    arena_release(&r->ctx->scratch, mark);
    LIST_PUSH(r->arena, &r->steps, ((recipe_step){symbol, value}));
}

/* Where the symbol of a value stands, or may be put: a table of powers of two, at most half full. */
static recipe_step *place_of(recipe *r, ah_expr value)
{
    size_t at = (value * 2654435761u) & (r->places - 1);
    while (r->place[at].symbol && r->place[at].value != value) at = (at + 1) & (r->places - 1);
    return &r->place[at];
}

static void make_room(recipe *r)
{
    const recipe_step *old = r->place;
    const size_t before = r->places;
    if (2 * (r->fresh + 1) < before) return;
    r->places = before ? 2 * before : 64;
    r->place = NEW_ARRAY(r->arena, recipe_step, r->places);
    for (size_t i = 0; i < before; i++)
        if (old[i].symbol) *place_of(r, old[i].value) = old[i];
}

/* One symbol for one value: a matrix that is eliminated twice, for a chart and for its drift, costs once. */
ah_expr recipe_name(recipe *r, ah_expr e)
{
    const expr_op op = expr_get_op(r->ctx, e);
    if (op == EXPR_NUMBER || op == EXPR_SYMBOL) return e;
    make_room(r);
    recipe_step *place = place_of(r, e);
    if (place->symbol) return place->symbol;
    /* Names that no model can use: they begin with a character the language does not know. */
    const char *name = arena_printf(&r->ctx->scratch, "#%u", r->fresh++);
    const ah_expr symbol = expr_symbol(r->ctx, AH_LOCAL, name);
    recipe_define(r, symbol, e);
    *place = (recipe_step){symbol, e};
    return symbol;
}

/* −e, a sum term by term, so that a − b and b − a are each other's. */
static ah_expr negated(recipe *r, ah_expr e)
{
    if (expr_get_op(r->ctx, e) != EXPR_SUM) return expr_neg(r->ctx, e);
    const size_t count = expr_get_count(r->ctx, e);
    const ah_expr *child = expr_get_children(r->ctx, e);
    ah_expr *term = NEW_ARRAY(r->arena, ah_expr, count);
    for (size_t i = 0; i < count; i++) term[i] = child[i];
    for (size_t i = 0; i < count; i++) term[i] = expr_neg(r->ctx, term[i]);
    return expr_sum(r->ctx, count, term);
}

ah_expr recipe_name_either(recipe *r, ah_expr e)
{
    const expr_op op = expr_get_op(r->ctx, e);
    double x;
    if (op == EXPR_NUMBER || op == EXPR_SYMBOL) return e;
    const arena_mark mark = arena_get_mark(&r->ctx->scratch);
    expr_plan_run(expr_plan_create(r->ctx, &r->ctx->scratch, &e, 1), recipe_beside(r), &x);
    arena_release(&r->ctx->scratch, mark);
    if (!(x < 0)) return recipe_name(r, e);
    return expr_neg(r->ctx, recipe_name(r, negated(r, e)));
}

typedef struct naming {
    recipe *r;
    recipe_namer *name;
} naming;

static ah_expr name_entry(ah_ctx *ctx, void *user, ah_expr e)
{
    const naming *by = user;
    (void) ctx;
    return by->name(by->r, e);
}

mat recipe_name_all(recipe *r, mat m, recipe_namer *name)
{
    return mat_map(r->ctx, r->arena, m, name_entry, &(naming){r, name});
}

/* ---- Simplification -------------------------------------------------------------------------- */

/* What the entries cost together, in multiplications. */
static double cost(ah_ctx *ctx, mat m)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list all = expr_reachable(ctx, &ctx->scratch, m.val, mat_entries(m));
    double sum = 0;
    for (size_t i = 0; i < all.count; i++) {
        long p, q;
        switch (expr_get_op(ctx, all.at[i])) {
        case EXPR_SUM:
        case EXPR_PRODUCT: sum += (double) expr_get_count(ctx, all.at[i]) - 1; break;
        case EXPR_POWER:
            sum += !expr_is_rational(ctx, expr_get_children(ctx, all.at[i])[1], &p, &q) ? 50
                   : q > 1                                                              ? 10
                   : p < 0                                                              ? 5
                                                                                        : 1;
            break;
        case EXPR_CALL: sum += 30; break;
        default: break;
        }
    }
    arena_release(&ctx->scratch, mark);
    return sum;
}

mat recipe_simplify(recipe *r, mat m)
{
    if (!r->alg || !mat_entries(m)) return m;
    const double before = cost(r->ctx, m);
    if (before > RECIPE_SIMPLIFY_BELOW) return m;
    const mat simple = algebra_simplify_mat(r->alg, m);
    return cost(r->ctx, simple) < before ? simple : m;
}

/* ---- Matrices -------------------------------------------------------------------------------- */

typedef struct lowering {
    recipe *r;
    const sheet *s;
    size_t count;
    const ah_expr *from, *to;
    mat *value; /* by quantity */
    bool *done;
} lowering;

static bool lower(lowering *w, quantity x);

#define VALUE(w, node, k) ((w)->value[(node)->in[k]])

static mat reshape(recipe *r, mat m, uint32_t rows, uint32_t cols)
{
    return mat_from_dense(r->ctx, r->arena, rows, cols, mat_to_dense(r->ctx, r->arena, m));
}

static mat transpose(recipe *r, mat m)
{
    return mat_transpose(r->ctx, r->arena, m);
}

static mat beside(recipe *r, mat a, mat b)
{
    return transpose(r, mat_stack(r->ctx, r->arena, transpose(r, a), transpose(r, b)));
}

/* Of J's rows as many as its generic rank, independent at the sample state. */
static bool independent_rows(recipe *r, mat J, uint32_t rank, const uint32_t **rows)
{
    uint32_t *order = NEW_ARRAY(r->arena, uint32_t, J.rows + 1);
    for (uint32_t i = 0; i < J.rows; i++) order[i] = i;
    *rows = order;
    return J.rows == rank || recipe_rank(r, J, order) == rank;
}

/* Redundant constraints leave their multipliers open: nothing may use them here. */
static mat open_multipliers(recipe *r, uint32_t rows)
{
    const ah_expr t = expr_time(r->ctx), open = expr_unknown(r->ctx, "#", 1, &t, NULL);
    ah_expr *column = NEW_ARRAY(r->arena, ah_expr, rows + 1);
    for (uint32_t i = 0; i < rows; i++) column[i] = open;
    return mat_from_dense(r->ctx, r->arena, rows, 1, column);
}

static bool op_kkt(lowering *w, const sheet_node *node, mat *out)
{
    recipe *r = w->r;
    const mat J = VALUE(w, node, 1);
    const uint32_t *rows;
    mat a, lambda;
    if (!independent_rows(r, J, node->rank, &rows)) return false;
    const mat Js = mat_rows(r->ctx, r->arena, J, rows, node->rank);
    const mat gs = mat_rows(r->ctx, r->arena, VALUE(w, node, 3), rows, node->rank);
    if (!recipe_kkt(r, VALUE(w, node, 0), Js, VALUE(w, node, 2), gs, &a, &lambda)) return false;
    if (node->rank < J.rows) lambda = open_multipliers(r, J.rows);
    *out = mat_stack(r->ctx, r->arena, a, lambda);
    return true;
}

/* Columns of the chart: the m independent ones (ascending), then the others. */
static void split_columns(uint32_t n, uint32_t m, const uint32_t *chosen, uint32_t *columns)
{
    uint32_t i = 0, d = m;
    for (uint32_t j = 0; j < n; j++) {
        bool independent = false;
        for (uint32_t k = 0; k < m; k++) independent = independent || chosen[k] == j;
        columns[independent ? i++ : d++] = j;
    }
}

/* (1 ; −y) or (0 ; −y), rows in the order of the coordinates: Ψ, or the drift. */
static mat chart_of(recipe *r, const uint32_t *columns, uint32_t m, mat y, bool identity)
{
    const uint32_t n = m + y.rows;
    mat_entry *e = NEW_ARRAY(r->arena, mat_entry, (size_t) m + mat_entries(y) + 1);
    size_t count = 0;
    for (uint32_t i = 0; identity && i < m; i++)
        e[count++] = (mat_entry){columns[i], i, expr_int(r->ctx, 1)};
    for (uint32_t i = 0; i < y.rows; i++)
        for (uint32_t p = y.start[i]; p < y.start[i + 1]; p++)
            e[count++] = (mat_entry){columns[m + i], y.col[p], expr_neg(r->ctx, y.val[p])};
    return mat_from_entries(r->ctx, r->arena, n, y.cols, e, count);
}

/* Ψ = (1 ; −J_D⁻¹ J_I), drift = (0 ; −J_D⁻¹ γ), E = (1 0). */
static bool lower_chart(lowering *w, const sheet_node *node, mat *out)
{
    recipe *r = w->r;
    ah_ctx *ctx = r->ctx;
    const mat J = VALUE(w, node, 0);
    const uint32_t n = J.cols, k = node->rank, m = n - k, *rows;
    uint32_t *columns = NEW_ARRAY(r->arena, uint32_t, n + 1);
    if (!node->index || !independent_rows(r, J, k, &rows)) return false;
    split_columns(n, m, node->index, columns);
    const mat Js = mat_rows(ctx, r->arena, J, rows, k);
    mat y;
    const mat right = node->op == SHEET_DRIFT ? mat_rows(ctx, r->arena, VALUE(w, node, 1), rows, k)
                                              : mat_cols(ctx, r->arena, Js, columns, m);
    if (!recipe_solve(r, mat_cols(ctx, r->arena, Js, columns + m, k), right, &y)) return false;
    if (node->op != SHEET_INDEPENDENT) {
        *out = chart_of(r, columns, m, y, node->op == SHEET_CHART);
        return true;
    }
    mat_entry *e = NEW_ARRAY(r->arena, mat_entry, m + 1); /* of the solution its guards alone */
    for (uint32_t i = 0; i < m; i++) e[i] = (mat_entry){i, columns[i], expr_int(ctx, 1)};
    *out = mat_from_entries(ctx, r->arena, m, n, e, m);
    return true;
}

/* Z with J Z = 0 and d with J d = −γ (where γ is given), J of full rank; the independent columns are those chosen, ascending (NULL: the
 * dependent ones are those that are best at the sample state). */
static bool null_space(recipe *r, mat J, const mat *gamma, const uint32_t *chosen, mat *Z, mat *d)
{
    ah_ctx *ctx = r->ctx;
    const uint32_t n = J.cols, k = J.rows, m = n - k;
    uint32_t *order = NEW_ARRAY(r->arena, uint32_t, n + 1);
    uint32_t *columns = NEW_ARRAY(r->arena, uint32_t, n + 1);
    mat y;
    if (!chosen) recipe_columns(r, J, order);
    split_columns(n, m, chosen ? chosen : order + k, columns);
    const mat J_I = mat_cols(ctx, r->arena, J, columns, m);
    const mat right = gamma ? beside(r, J_I, *gamma) : J_I;
    if (!recipe_solve(r, mat_cols(ctx, r->arena, J, columns + m, k), right, &y)) return false;
    uint32_t *which = NEW_ARRAY(r->arena, uint32_t, m + 1);
    for (uint32_t i = 0; i <= m; i++) which[i] = i;
    *Z = chart_of(r, columns, m, mat_cols(ctx, r->arena, y, which, m), true);
    if (gamma) *d = chart_of(r, columns, m, mat_cols(ctx, r->arena, y, which + m, 1), false);
    return true;
}

bool recipe_free(recipe *r, mat J, mat gamma, uint32_t rank, const uint32_t *chosen, mat *Z, mat *d)
{
    const uint32_t *rows;
    if (J.cols + J.rows > RECIPE_LARGEST_SYSTEM || !independent_rows(r, J, rank, &rows))
        return false;
    const mat of = mat_rows(r->ctx, r->arena, gamma, rows, rank);
    return null_space(r, mat_rows(r->ctx, r->arena, J, rows, rank), &of, chosen, Z, d);
}

bool recipe_least(recipe *r, mat M, mat J, mat L, mat gamma, uint32_t rank, mat *out)
{
    ah_ctx *ctx = r->ctx;
    arena *a = r->arena;
    mat Z, d, y;
    if (!recipe_free(r, J, gamma, rank, NULL, &Z, &d)) return false;
    const mat ZT = transpose(r, Z);
    const mat rest = mat_mul(ctx, a, ZT, mat_sub(ctx, a, L, mat_mul(ctx, a, M, d)));
    if (!recipe_solve(r, mat_mul3(ctx, a, ZT, M, Z), rest, &y)) return false;
    *out = mat_add(ctx, a, mat_mul(ctx, a, Z, y), d);
    return true;
}

static bool op_gauss(lowering *w, const sheet_node *node, mat *out)
{
    return recipe_least(w->r, VALUE(w, node, 0), VALUE(w, node, 1), VALUE(w, node, 2),
                        VALUE(w, node, 3), node->rank, out);
}

/* Rows X with X A = 0. They are not orthonormal here: nothing that is computed depends on it. */
static bool lower_annihilator(recipe *r, mat A, mat *out)
{
    mat Z;
    if (A.rows > RECIPE_LARGEST_SYSTEM || !null_space(r, transpose(r, A), NULL, NULL, &Z, NULL))
        return false;
    *out = transpose(r, Z);
    return true;
}

static bool op_leaf(lowering *w, const sheet_node *node, mat *out)
{
    *out = mat_subst(w->r->ctx, w->r->arena, node->leaf, w->count, w->from, w->to);
    return true;
}

static bool op_mul(lowering *w, const sheet_node *node, mat *out)
{
    *out = mat_mul(w->r->ctx, w->r->arena, VALUE(w, node, 0), VALUE(w, node, 1));
    return true;
}

static bool op_add(lowering *w, const sheet_node *node, mat *out)
{
    *out = mat_add(w->r->ctx, w->r->arena, VALUE(w, node, 0), VALUE(w, node, 1));
    return true;
}

static bool op_sub(lowering *w, const sheet_node *node, mat *out)
{
    *out = mat_sub(w->r->ctx, w->r->arena, VALUE(w, node, 0), VALUE(w, node, 1));
    return true;
}

static bool op_stack(lowering *w, const sheet_node *node, mat *out)
{
    *out = mat_stack(w->r->ctx, w->r->arena, VALUE(w, node, 0), VALUE(w, node, 1));
    return true;
}

static bool op_neg(lowering *w, const sheet_node *node, mat *out)
{
    *out = mat_neg(w->r->ctx, w->r->arena, VALUE(w, node, 0));
    return true;
}

static bool op_transpose(lowering *w, const sheet_node *node, mat *out)
{
    *out = transpose(w->r, VALUE(w, node, 0));
    return true;
}

static bool op_beside(lowering *w, const sheet_node *node, mat *out)
{
    *out = beside(w->r, VALUE(w, node, 0), VALUE(w, node, 1));
    return true;
}

static bool op_rows(lowering *w, const sheet_node *node, mat *out)
{
    *out = mat_rows(w->r->ctx, w->r->arena, VALUE(w, node, 0), node->index, node->indices);
    return true;
}

static bool op_cols(lowering *w, const sheet_node *node, mat *out)
{
    *out = mat_cols(w->r->ctx, w->r->arena, VALUE(w, node, 0), node->index, node->indices);
    return true;
}

static bool op_reshape(lowering *w, const sheet_node *node, mat *out)
{
    *out = reshape(w->r, VALUE(w, node, 0), node->rows, node->cols);
    return true;
}

static bool op_solve(lowering *w, const sheet_node *node, mat *out)
{
    return recipe_solve(w->r, VALUE(w, node, 0), VALUE(w, node, 1), out);
}

static bool op_chart(lowering *w, const sheet_node *node, mat *out)
{
    return lower_chart(w, node, out);
}

static bool op_drift(lowering *w, const sheet_node *node, mat *out)
{
    return lower_chart(w, node, out);
}

static bool op_independent(lowering *w, const sheet_node *node, mat *out)
{
    return lower_chart(w, node, out);
}

static bool op_annihilator(lowering *w, const sheet_node *node, mat *out)
{
    return lower_annihilator(w->r, VALUE(w, node, 0), out);
}

static bool (*const operation[SHEET_OPERATIONS])(lowering *w, const sheet_node *node, mat *out) = {
#define X(op, word) [SHEET_##op] = op_##word,
#include "operations.def"
#undef X
};

/* Operands have smaller numbers, so the recursion could be a loop; its depth is that of the sheet,
 * a few dozen. */
static bool lower(lowering *w, quantity x)
{
    const sheet_node *node = sheet_get(w->s, x);
    if (w->done[x]) return true;
    for (int k = 0; node->op != SHEET_LEAF && k < 4; k++)
        if (node->in[k] != QUANTITY_NONE && !lower(w, node->in[k])) return false;
    w->done[x] = true;
    return operation[node->op](w, node, &w->value[x]);
}

bool recipe_lower_all(recipe *r, const sheet *s, const quantity *x, size_t quantities, size_t count,
                      const ah_expr *from, const ah_expr *to, mat *out)
{
    lowering w = {.r = r, .s = s, .count = count, .from = from, .to = to};
    w.value = NEW_ARRAY(r->arena, mat, s->nodes.count);
    w.done = NEW_ARRAY(r->arena, bool, s->nodes.count);
    for (size_t i = 0; i < quantities; i++) {
        if (!lower(&w, x[i])) return false;
        out[i] = w.value[x[i]];
    }
    return true;
}

bool recipe_lower(recipe *r, const sheet *s, quantity x, size_t count, const ah_expr *from,
                  const ah_expr *to, mat *out)
{
    return recipe_lower_all(r, s, &x, 1, count, from, to, out);
}
