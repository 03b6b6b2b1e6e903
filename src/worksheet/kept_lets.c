/* worksheet/kept_lets.c - the model's own names kept through products.
 *
 * Worked out, B = b⁻¹ and all that is made of it are fractions of long polynomials, in which little is found again of the F₁, F₂, δ that
 * the model has for their parts. So a long page is made a second time: the entries of the worksheet's leaves, which are short, are
 * written in these names first, and what follows is computed with the names as letters. No operation of a worksheet
 * differentiates, so letters need no rates; but what the letters have to do with each other is not known then. Hence what vanishes
 * is taken from the first page, and a linear system is solved in letters only where it was solved without. */
#include "page.h"

/* Pages of so many characters are tried, and the second is taken when it has at most this share of them. */
#define KEPT_LONG  1500.0
#define KEPT_WORTH 0.92

/* A product that moves and is shorter gets no name. */
#define KEPT_SHORT 10.0
/* Entries of solutions that are put in the place of systems, at most. */
#define KEPT_SOLUTION 150.0

typedef struct keeper {
    worksheet *w;
    page_let *let; /* their values written out */
    ah_expr *in;   /* their values in the lets before them */
    size_t count;
    expr_list from, to; /* what was kept already */
} keeper;

static bool is_of_places(const worksheet *w, ah_expr e)
{
    const expr_list s = expr_symbols(w->ctx, w->arena, &e, 1);
    for (size_t i = 0; i < s.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(w->ctx, s.at[i]);
        if (kind != AH_PARAMETER && kind != AH_COORDINATE && kind != AH_TIME) return false;
    }
    return s.count > 0;
}

/* The expression with the first `count` lets in it: where they stand as they were said, or as sums and factors that equal them. */
static ah_expr in_lets(const keeper *k, ah_expr e, bool said, size_t count)
{
    worksheet *w = k->w;
    page p = {{0}};
    LIST_PUSH(w->arena, &p.root, ((page_root){.e = said ? e : algebra_simplify(w->model->alg, e)}));
    for (size_t i = count; i-- > 0;) {
        if (said) page_replace(w, &p, &k->let[i].value, &k->let[i].symbol, 1);
        page_replace_let(w, &p, &k->let[i]);
    }
    for (size_t i = count; i-- > 0;) page_replace_products(w, &p, &k->let[i]);
    return algebra_simplify(w->model->alg, p.root.at[0].e);
}

static ah_expr shorter_of(worksheet *w, ah_expr a, ah_expr b)
{
    return worksheet_length(w->ctx, b) < worksheet_length(w->ctx, a) ? b : a;
}

/* The shortest of what several ways make of it: a let that was found hides the letters by which others would be. */
static ah_expr keep_in(const keeper *k, ah_expr e, size_t count)
{
    worksheet *w = k->w;
    page_let *both = NEW_ARRAY(w->arena, page_let, 2 * count + 1);
    for (size_t i = 0; i < count; i++) {
        both[i] = k->let[i];
        both[count + i] = (page_let){k->let[i].symbol, k->in[i]};
    }
    const ah_expr plain = algebra_simplify(w->model->alg, e);
    const ah_expr through = page_through_lets(w, plain, both, count, false);
    const ah_expr found = in_lets(k, plain, false, count);
    const ah_expr best =
        shorter_of(w, in_lets(k, e, true, count), in_lets(k, through, false, count));
    return shorter_of(w, best, page_through_lets(w, found, both, 2 * count, false));
}

static ah_expr keep(void *user, ah_expr e);

/* Velocities, momenta, accelerations: neither a place nor a parameter, nor made of these. */
static bool is_velocity(const worksheet *w, ah_expr symbol)
{
    const ah_symbol_kind kind = expr_get_kind(w->ctx, symbol);
    if (kind == AH_LOCAL) return page_kept_value(w, symbol) == AH_NONE;
    return kind != AH_PARAMETER && kind != AH_COORDINATE && kind != AH_TIME;
}

/* a + Σ b_i v_i of what is linear in some velocities, each coefficient by itself; what is quadratic is linear in one after the other. It is
 * the coefficients that a model has names for. Itself: it is of another kind. */
static ah_expr by_velocities(keeper *k, ah_expr e)
{
    ah_ctx *ctx = k->w->ctx;
    const expr_list s = expr_symbols(ctx, k->w->arena, &e, 1);
    ah_expr sum = expr_int(ctx, 0), rest = e;
    const ah_expr none = expr_int(ctx, 0);
    for (size_t i = 0; i < s.count; i++) {
        const ah_expr v = s.at[i];
        if (!is_velocity(k->w, v)) continue;
        const ah_expr slope = expr_diff(ctx, rest, v), twice = expr_diff(ctx, slope, v);
        if (expr_depends(ctx, twice, v)) return e;
        const ah_expr first = expr_subst(ctx, slope, 1, &v, &none);
        const ah_expr square = expr_div(ctx, twice, expr_int(ctx, 2));
        sum = expr_add(ctx, sum,
                       expr_mul(ctx, keep(k, algebra_simplify(k->w->model->alg, first)), v));
        sum = expr_add(ctx, sum,
                       expr_mul(ctx, keep(k, algebra_simplify(k->w->model->alg, square)),
                                expr_powi(ctx, v, 2)));
        rest = expr_subst(ctx, rest, 1, &v, &none);
    }
    return rest == e ? e : expr_add(ctx, sum, keep(k, algebra_simplify(k->w->model->alg, rest)));
}

static ah_expr keep(void *user, ah_expr e)
{
    keeper *k = user;
    if (worksheet_length(k->w->ctx, e) < PAGE_SHORTEST) return e;
    for (size_t i = 0; i < k->from.count; i++)
        if (k->from.at[i] == e) return k->to.at[i];
    ctx_tick(k->w->ctx);
    ah_expr to = by_velocities(k, e);
    if (to == e) to = keep_in(k, e, k->count);
    LIST_PUSH(k->w->arena, &k->from, e);
    LIST_PUSH(k->w->arena, &k->to, to);
    return to;
}

/* v₁ cos θ is better read than F1_theta. */
static bool is_better_read(const worksheet *w, ah_expr e)
{
    const expr_list s = expr_symbols(w->ctx, w->arena, &e, 1);
    bool moves = false;
    for (size_t i = 0; i < s.count; i++)
        moves = moves || expr_get_kind(w->ctx, s.at[i]) == AH_COORDINATE;
    return moves && expr_get_op(w->ctx, e) != EXPR_SUM && worksheet_length(w->ctx, e) < KEPT_SHORT;
}

/* Sums of coordinates and parameters, products of parameters. */
static keeper *find_keeper(worksheet *w)
{
    const ah_model *m = w->model;
    keeper *k = NEW(w->arena, keeper);
    *k = (keeper){.w = w, .let = NEW_ARRAY(w->arena, page_let, m->lets.count + 1)};
    k->in = NEW_ARRAY(w->arena, ah_expr, m->lets.count + 1);
    for (size_t i = 0; i < m->lets.count; i++) {
        const model_let *let = &m->lets.at[i];
        if (let->count || let->is_vector || !is_of_places(w, let->value.c[0])) continue;
        if (worksheet_length(w->ctx, let->value.c[0]) < PAGE_SHORTEST) continue;
        const ah_expr in = keep_in(k, let->value.c[0], k->count);
        if (is_better_read(w, in)) continue;
        k->in[k->count] = in;
        k->let[k->count++] = (page_let){expr_symbol(w->ctx, AH_LOCAL, let->name), let->value.c[0]};
    }
    return k;
}

/* The value of a let in those before it; AH_NONE: none are kept, or not this one. */
ah_expr page_kept_value(const worksheet *w, ah_expr symbol)
{
    const keeper *k = w->keeper;
    for (size_t i = 0; k && i < k->count; i++)
        if (k->let[i].symbol == symbol) return k->in[i];
    return AH_NONE;
}

ah_expr page_kept(worksheet *w, ah_expr symbol, ah_expr value)
{
    const ah_expr kept = page_kept_value(w, symbol);
    if (kept != AH_NONE || !w->kept) return kept == AH_NONE ? value : kept;
    return keep(w->keeper, value); /* one with velocities in it */
}

static ah_expr keep_both(void *user, ah_expr e)
{
    const worksheet *w = user;
    return keep(w->keeper, page_hold(w->holder, e));
}

void worksheet_keep_lets(worksheet *w)
{
    static const char key; /* one for a model: methods write much the same in these names */
    w->keeper = *model_kept(w->model, &key);
    if (!w->keeper) w->keeper = find_keeper(w);
    *model_kept(w->model, &key) = w->keeper;
    const work_options options = {.keep = keep_both, .user = w};
    w->kept = w->keeper->count ? work_create(w->eq, &options) : NULL;
}

/* Whether it is made of the leaves by sums, products and systems that are known to be regular. */
static bool is_sound(worksheet *w, quantity x)
{
    const sheet_node *node = sheet_get(w->eq->sheet, x);
    mat solved;
    switch (node->op) {
    case SHEET_LEAF: return true;
    case SHEET_CHART:
    case SHEET_DRIFT: return node->leaf.rows > 0;
    case SHEET_MUL:
    case SHEET_ADD:
    case SHEET_SUB:
    case SHEET_NEG:
    case SHEET_TRANSPOSE:
    case SHEET_STACK:
    case SHEET_BESIDE:
    case SHEET_ROWS:
    case SHEET_COLS:
    case SHEET_RESHAPE: break;
    case SHEET_SOLVE:
        if (work_out(w->work, x, &solved)) break;
        return false;
    default: return false;
    }
    for (int i = 0; i < 4; i++)
        if (node->in[i] != QUANTITY_NONE && !is_sound(w, node->in[i])) return false;
    return true;
}

static ah_expr keep_entry(ah_ctx *ctx, void *user, ah_expr e)
{
    (void) ctx;
    return keep(user, e);
}

/* The solution of a linear system that is short in the lets, B = b⁻¹ say: it takes the place of an elimination. */
static bool is_short_solution(worksheet *w, quantity x, mat *value)
{
    if (sheet_get(w->eq->sheet, x)->op != SHEET_SOLVE || !is_sound(w, x)) return false;
    if (!work_out(w->kept, x, value)) return false;
    for (uint32_t i = 0; i < mat_entries(*value); i++)
        if (worksheet_length(w->ctx, value->val[i]) > KEPT_SOLUTION) return false;
    return true;
}

void worksheet_keep_leaves(worksheet *w, ah_equations *eq)
{
    for (quantity i = 0; i < eq->sheet->nodes.count; i++) {
        sheet_node *node = &eq->sheet->nodes.at[i];
        mat value;
        if (node->leaf.rows && !node->as_written)
            node->leaf = mat_map(w->ctx, w->arena, node->leaf, keep_entry, w->keeper);
        if (!is_short_solution(w, i, &value)) continue;
        node->op = SHEET_LEAF;
        node->leaf = value;
    }
    ah_expr *to = NEW_ARRAY(w->arena, ah_expr, eq->substitutions + 1);
    for (size_t i = 0; i < eq->substitutions; i++) to[i] = keep(w->keeper, eq->to[i]);
    eq->to = to;
}

void worksheet_define_lets(const worksheet *w, recipe *r)
{
    for (size_t i = 0; i < w->keeper->count; i++)
        recipe_define(r, w->keeper->let[i].symbol, w->keeper->in[i]);
}

bool worksheet_kept(worksheet *w, quantity x, const mat *plain, mat *out)
{
    ah_ctx *ctx = w->ctx;
    mat kept;
    if (!w->kept || !is_sound(w, x) || !work_out(w->kept, x, &kept)) return false;
    if (!plain) {
        *out = kept;
        return true;
    }
    ah_expr *e = mat_to_dense(ctx, w->arena, kept), *was = mat_to_dense(ctx, w->arena, *plain);
    for (size_t i = 0; i < (size_t) kept.rows * kept.cols; i++)
        e[i] = expr_is_zero(ctx, was[i]) ? was[i] : shorter_of(w, was[i], e[i]);
    *out = mat_from_dense(ctx, w->arena, kept.rows, kept.cols, e);
    return true;
}

mat worksheet_in_lets(worksheet *w, mat m)
{
    return w->kept ? mat_map(w->ctx, w->arena, m, keep_entry, w->keeper) : m;
}

/* Without names. */
mat worksheet_unkept(const worksheet *w, mat m)
{
    const keeper *k = w->keeper;
    for (size_t i = k->count; i-- > 0;)
        m = mat_subst(w->ctx, w->arena, m, 1, &k->let[i].symbol, &k->let[i].value);
    return m;
}

/* All that is displayed. */
static double whole_length(worksheet *w)
{
    double sum = 0;
    for (size_t i = 0; i < w->names.count; i++)
        sum += worksheet_length(w->ctx, w->names.at[i].meaning);
    for (size_t i = 0; i < w->step.count; i++) {
        const ws_step *s = &w->step.at[i];
        const mat shown[2] = {s->q.value.known ? s->q.value.shown : (mat){0},
                              s->left.known ? s->left.shown : (mat){0}};
        for (int k = 0; k < 2; k++)
            for (uint32_t j = 0; j < mat_entries(shown[k]); j++)
                sum += worksheet_length(w->ctx, shown[k].val[j]);
    }
    return sum;
}

bool worksheet_is_long(worksheet *w)
{
    return whole_length(w) > KEPT_LONG;
}

bool worksheet_is_better(worksheet *w, worksheet *than)
{
    return whole_length(w) <= KEPT_WORTH * whole_length(than);
}
