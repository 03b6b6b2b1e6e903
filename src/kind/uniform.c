/* kind/uniform.c - see uniform.h.
 *
 * A rank is at least r where r pivots are found one after the other, each of one sign for all values that are allowed; what it
 * is at one place it is at least at a general one. The symbols that holonomic and non-linear constraints bind cannot be put at
 * a place, for it would have to lie on these. But what is linear in a velocity or a coordinate, with a slope that never vanishes, can
 * be put into the others; and of a single constraint that is left it is enough that one of its coefficients never vanishes: as
 * long as it is not zero altogether its gradient is not zero at regular states. */
#include "uniform.h"

#include "../real/real.h"

#include <string.h>

#define SECONDS 0.2 /* that one question to the algebra may take */

enum {
    PLACES = 3,
    OPERATIONS = 2000, /* of a matrix that is looked at */
    PIVOTS = 60,       /* that are tried at a place */
    MINORS = 200       /* that are worked out there */
};

/* Something without a value: a parameter, or a function. */
static bool is_free(const ah_model *m, ah_expr node)
{
    const expr_op op = expr_get_op(m->ctx, node);
    return op == EXPR_UNKNOWN || (op == EXPR_SYMBOL && expr_get_kind(m->ctx, node) == AH_PARAMETER);
}

/* With the declared values put in. */
static bool holds_free(ah_model *m, arena *a, const ah_expr *e, size_t count)
{
    const expr_list nodes = expr_reachable(m->ctx, a, e, count);
    for (size_t i = 0; i < nodes.count; i++)
        if (is_free(m, nodes.at[i])) return true;
    return false;
}

bool uniform_has_free(ah_model *m, arena *a, const ah_expr *e, size_t count)
{
    ah_expr *valued = NEW_ARRAY(a, ah_expr, count + 1);
    for (size_t i = 0; i < count; i++) valued[i] = e[i];
    model_put_values(m, valued, count);
    return holds_free(m, a, valued, count);
}

/* ---- At a place ------------------------------------------------------------------------------ */

/* Is the symbol an angle in one of these? Then a place for it is one whose sine is known. */
static bool is_angle(ah_model *m, const expr_list *nodes, ah_expr symbol)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (expr_get_op(m->ctx, nodes->at[i]) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(m->ctx, nodes->at[i]);
        if ((f == AH_SIN || f == AH_COS || f == AH_TAN) &&
            expr_depends(m->ctx, expr_get_children(m->ctx, nodes->at[i])[0], symbol))
            return true;
    }
    return false;
}

/* The k-th place, the same symbol always at the same one: sixths and quarters of pi, or small rationals. */
static ah_expr place_of(ah_model *m, bool angle, size_t symbol, int k)
{
    static const long parts[] = {6, 4, 3};
    const size_t i = symbol + (size_t) k;
    if (!angle) return expr_rational(m->ctx, (long) (2 * i + 1), (long) (i % 3) + 2);
    return expr_mul(m->ctx, expr_rational(m->ctx, 1, parts[i % 3]), expr_pi(m->ctx));
}

static void put_place(ah_model *m, arena *a, ah_expr *e, size_t count, const expr_list *bound,
                      int k)
{
    const expr_list nodes = expr_reachable(m->ctx, a, e, count);
    expr_list from = {0}, to = {0};
    for (size_t i = 0; i < nodes.count; i++) {
        const ah_expr x = nodes.at[i];
        if (expr_get_op(m->ctx, x) != EXPR_SYMBOL || is_free(m, x)) continue;
        bool fixed = false;
        for (size_t j = 0; j < bound->count; j++) fixed = fixed || bound->at[j] == x;
        if (fixed) continue;
        LIST_PUSH(a, &from, x);
        LIST_PUSH(a, &to, place_of(m, is_angle(m, &nodes, x), from.count, k));
    }
    for (size_t i = 0; i < count; i++) e[i] = expr_subst(m->ctx, e[i], from.count, from.at, to.at);
}

/* ---- Pivots ---------------------------------------------------------------------------------- */

typedef struct elimination {
    ah_model *m;
    arena *arena;
    algebra *alg;
    uint32_t rows, cols;
    int left;     /* pivots that may still be tried */
    bool factors; /* of minors are wanted: what other symbols are in beside them */
} elimination;

/* A with the row and the column of the pivot gone, and without the column: A_ij − A_ic A_rj/A_rc. */
static ah_expr *eliminated(elimination *x, const ah_expr *A, uint32_t row, uint32_t col)
{
    ah_ctx *ctx = x->m->ctx;
    const ah_expr pivot = A[row * x->cols + col], zero = expr_int(ctx, 0);
    ah_expr *out = NEW_ARRAY(x->arena, ah_expr, (size_t) x->rows * x->cols);
    for (uint32_t i = 0; i < x->rows; i++) {
        const ah_expr factor = expr_div(ctx, A[i * x->cols + col], pivot);
        for (uint32_t j = 0; j < x->cols; j++) {
            const ah_expr e =
                expr_sub(ctx, A[i * x->cols + j], expr_mul(ctx, factor, A[row * x->cols + j]));
            out[i * x->cols + j] = i == row || j == col ? zero : algebra_simplify(x->alg, e);
        }
    }
    return out;
}

/* One pivot may leave others where another leaves none: of (x, y, z) and (−b y, a x, 0) with a > 0 the z does. */
static bool finds_pivots(elimination *x, const ah_expr *A, uint32_t wanted)
{
    if (!wanted) return true;
    for (uint32_t i = 0; i < x->rows * x->cols; i++) {
        if (expr_is_zero(x->m->ctx, A[i]) || !algebra_never_zero(x->alg, A[i])) continue;
        if (x->left-- <= 0) return false;
        if (finds_pivots(x, eliminated(x, A, i / x->cols, i % x->cols), wanted - 1)) return true;
    }
    return false;
}

/* What a denominator leaves out is not known of all values. */
static bool exists(elimination *x, const ah_expr *A)
{
    for (size_t i = 0; i < (size_t) x->rows * x->cols; i++) {
        ah_expr top, below;
        if (expr_is_zero(x->m->ctx, A[i])) continue;
        if (!algebra_fraction(x->alg, A[i], &top, &below) || !algebra_never_zero(x->alg, below))
            return false;
    }
    return true;
}

static algebra *short_algebra(ah_model *m)
{
    algebra *alg = algebra_create(m->ctx, m->facts.at, m->facts.count);
    algebra_set_bounds(alg, SECONDS, m->ctx->limits.terms);
    return alg;
}

bool uniform_rank(ah_model *m, arena *a, mat A, uint32_t rank, const expr_list *bound)
{
    const size_t count = (size_t) A.rows * A.cols;
    ah_expr *e = mat_to_dense(m->ctx, a, A), *there = NEW_ARRAY(a, ah_expr, count + 1);
    model_put_values(m, e, count);
    if (!rank || !holds_free(m, a, e, count)) return true;
    if (expr_operations(m->ctx, e, count) > OPERATIONS) return false;
    elimination x = {m, a, short_algebra(m), A.rows, A.cols, 0, false};
    for (int k = 0; k < PLACES; k++) {
        for (size_t i = 0; i < count; i++) there[i] = e[i];
        put_place(m, a, there, count, bound, k);
        x.left = PIVOTS;
        if (exists(&x, there) && finds_pivots(&x, there, rank)) return true;
    }
    return false;
}

/* ---- Exceptions ------------------------------------------------------------------------------ */

/* The next set of `rank` of `count` in lexical order; false: that was the last. */
static bool next_set(uint32_t count, uint32_t rank, uint32_t *set)
{
    uint32_t i = rank;
    while (i > 0 && set[i - 1] == count - rank + i - 1) i--;
    if (!i) return false;
    set[i - 1]++;
    for (uint32_t k = i; k < rank; k++) set[k] = set[k - 1] + 1;
    return true;
}

static void first_set(uint32_t rank, uint32_t *set)
{
    for (uint32_t i = 0; i < rank; i++) set[i] = i;
}

/* Is it made of free parameters alone? */
static bool is_of_parameters(ah_model *m, arena *a, ah_expr e)
{
    const expr_list nodes = expr_reachable(m->ctx, a, &e, 1);
    for (size_t i = 0; i < nodes.count; i++) {
        const expr_op op = expr_get_op(m->ctx, nodes.at[i]);
        if (op == EXPR_UNKNOWN || (op == EXPR_SYMBOL && !is_free(m, nodes.at[i]))) return false;
    }
    return true;
}

static void add_factors(const elimination *x, ah_expr det, expr_list *out)
{
    algebra_factors f;
    if (!algebra_factor(x->alg, det, &f)) return;
    for (size_t i = 0; i < f.count; i++)
        if (is_of_parameters(x->m, x->arena, f.factor[i]) && !expr_is_among(out, f.factor[i]))
            LIST_PUSH(x->arena, out, f.factor[i]);
}

/* A minor that other symbols are in may vanish with them, and tells nothing. */
static bool add_minor(const elimination *x, mat A, uint32_t rank, const uint32_t *rows,
                      const uint32_t *cols, expr_list *out)
{
    ah_expr det, below;
    const mat part =
        mat_cols(x->m->ctx, x->arena, mat_rows(x->m->ctx, x->arena, A, rows, rank), cols, rank);
    if (!algebra_det(x->alg, part, &det) || !algebra_fraction(x->alg, det, &det, &below))
        return false;
    if (expr_is_zero(x->m->ctx, det)) return true;
    if (x->factors)
        add_factors(x, det, out);
    else if (is_of_parameters(x->m, x->arena, det))
        LIST_PUSH(x->arena, out, det);
    return true;
}

/* All of them at one place. */
static bool add_minors(const elimination *x, const ah_expr *there, uint32_t rank, expr_list *out)
{
    const mat A = mat_from_dense(x->m->ctx, x->arena, x->rows, x->cols, there);
    uint32_t *rows = NEW_ARRAY(x->arena, uint32_t, rank),
             *cols = NEW_ARRAY(x->arena, uint32_t, rank);
    int left = MINORS;
    first_set(rank, rows);
    do {
        first_set(rank, cols);
        do {
            if (left-- <= 0 || !add_minor(x, A, rank, rows, cols, out)) return false;
        } while (next_set(x->cols, rank, cols));
    } while (next_set(x->rows, rank, rows));
    return true;
}

static bool find_exceptions(ah_model *m, arena *a, mat A, uint32_t rank, const expr_list *bound,
                            bool factors, expr_list *out)
{
    const size_t count = (size_t) A.rows * A.cols;
    ah_expr *e = mat_to_dense(m->ctx, a, A), *there = NEW_ARRAY(a, ah_expr, count + 1);
    model_put_values(m, e, count);
    if (!rank || rank > A.rows || rank > A.cols || expr_operations(m->ctx, e, count) > OPERATIONS)
        return false;
    elimination x = {m, a, short_algebra(m), A.rows, A.cols, 0, factors};
    for (int k = 0; k < PLACES; k++) {
        for (size_t i = 0; i < count; i++) there[i] = e[i];
        put_place(m, a, there, count, bound, k);
        if (exists(&x, there) && !add_minors(&x, there, rank, out)) return false;
    }
    return out->count > 0;
}

bool uniform_exceptions(ah_model *m, arena *a, mat A, uint32_t rank, const expr_list *bound,
                        expr_list *out)
{
    return find_exceptions(m, a, A, rank, bound, false, out);
}

/* ---- Constraints ----------------------------------------------------------------------------- */

/* The coefficients of c as a polynomial in everything but the parameters. */
static bool coefficients(ah_model *m, arena *a, algebra *alg, ah_expr c, expr_list *out)
{
    expr_list by = {0};
    algebra_poly p;
    model_put_values(m, &c, 1);
    const expr_list symbols = expr_symbols(m->ctx, a, &c, 1);
    for (size_t i = 0; i < symbols.count; i++)
        if (!is_free(m, symbols.at[i])) LIST_PUSH(a, &by, symbols.at[i]);
    if (!algebra_collect(alg, c, by.count, by.at, &p)) return false;
    for (size_t i = 0; i < p.terms; i++) LIST_PUSH(a, out, p.coefficient[i]);
    return true;
}

/* Does one of them never vanish? */
static bool never_vanishes(ah_model *m, arena *a, ah_expr c)
{
    algebra *alg = short_algebra(m);
    expr_list all = {0};
    if (!coefficients(m, a, alg, c, &all)) return false;
    for (size_t i = 0; i < all.count; i++) {
        const expr_list of = expr_symbols(m->ctx, a, &all.at[i], 1);
        bool constant = true;
        for (size_t k = 0; k < of.count; k++) constant = constant && is_free(m, of.at[k]);
        if (constant && algebra_never_zero(alg, all.at[i])) return true;
    }
    return false;
}

/* The symbol through the others, if c is linear in it with a slope that never vanishes. */
static bool solve_for(ah_model *m, algebra *alg, ah_expr c, ah_expr symbol, ah_expr *out)
{
    algebra_poly p;
    ah_expr slope = expr_int(m->ctx, 0), rest = slope;
    if (!expr_depends(m->ctx, c, symbol) || !algebra_collect(alg, c, 1, &symbol, &p)) return false;
    for (size_t i = 0; i < p.terms; i++) {
        if (p.exponent[i] > 1) return false;
        *(p.exponent[i] ? &slope : &rest) = p.coefficient[i];
    }
    if (!algebra_never_zero(alg, slope)) return false;
    *out = algebra_simplify(alg, expr_neg(m->ctx, expr_div(m->ctx, rest, slope)));
    return true;
}

/* Puts what a constraint tells into the others, and leaves it out; false: it tells nothing. */
static bool put_in(ah_model *m, algebra *alg, expr_list *e, size_t k)
{
    const bool place = m->constraints.at[k].order == MODEL_HOLONOMIC;
    if (m->constraints.at[k].order == MODEL_ACCELERATION) return false;
    for (uint32_t i = 0; i < m->n; i++) {
        const ah_expr from[] = {place ? m->q.at[i] : m->v.at[i], m->v.at[i]};
        ah_expr to[2];
        if (!solve_for(m, alg, e->at[k], from[0], &to[0])) continue;
        to[1] = expr_dt(m->ctx, to[0]);
        for (size_t j = 0; j < e->count; j++)
            if (j != k && e->at[j] != AH_NONE)
                e->at[j] =
                    algebra_simplify(alg, expr_subst(m->ctx, e->at[j], place ? 2 : 1, from, to));
        e->at[k] = AH_NONE;
        return true;
    }
    return false;
}

/* Is the rank told by what they say one after the other? */
static bool is_told(ah_model *m, arena *a, expr_list e, uint32_t rank)
{
    algebra *alg = short_algebra(m);
    uint32_t told = 0;
    ah_expr left = AH_NONE;
    for (bool again = true; again;) {
        again = false;
        for (size_t k = 0; k < e.count; k++)
            if (e.at[k] != AH_NONE && put_in(m, alg, &e, k)) told++, again = true;
    }
    for (size_t k = 0; k < e.count; k++) {
        if (e.at[k] == AH_NONE || expr_is_zero(m->ctx, e.at[k])) continue;
        if (left != AH_NONE) return false;
        left = e.at[k];
    }
    if (left == AH_NONE) return told == rank;
    return told + 1 == rank && never_vanishes(m, a, left);
}

/* What holonomic and non-linear constraints bind. */
static expr_list bound_symbols(ah_model *m, arena *a)
{
    expr_list e = {0};
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_HOLONOMIC || !m->constraints.at[i].linear)
            LIST_PUSH(a, &e, m->constraints.at[i].c);
    return expr_symbols(m->ctx, a, e.at, e.count);
}

/* Slopes have one rank as a matrix, and another one may be theirs on the states that special values leave: with
 * x'y' = p and y'z' = 0 it is z' = 0, and with p = 0 also y' = 0. */
bool uniform_components(ah_model *m, arena *a)
{
    const components *c = components_find(m);
    for (size_t i = 0; i < c->special.count; i++)
        if (!never_vanishes(m, a, c->special.at[i])) return false;
    return true;
}

bool uniform_constraints(ah_model *m, arena *a, uint32_t rank)
{
    expr_list e = {0};
    for (size_t i = 0; i < m->constraints.count; i++) LIST_PUSH(a, &e, m->constraints.at[i].c);
    model_put_values(m, e.at, e.count);
    if (!holds_free(m, a, e.at, e.count)) return true;
    const expr_list bound = bound_symbols(m, a);
    const mat J = model_rows(m, a);
    if (uniform_rank(m, a, J, rank, &bound) && uniform_components(m, a)) return true;
    return is_told(m, a, e, rank);
}

bool uniform_component_exceptions(ah_model *m, arena *a, uniform_sets *out)
{
    const components *c = components_find(m);
    for (size_t i = 0; i < c->special.count; i++) {
        expr_list own = {0};
        if (never_vanishes(m, a, c->special.at[i])) continue;
        if (!coefficients(m, a, short_algebra(m), c->special.at[i], &own)) return false;
        LIST_PUSH(a, out, own);
    }
    return true;
}

bool uniform_constraint_exceptions(ah_model *m, arena *a, uint32_t rank, uniform_sets *out)
{
    const expr_list bound = bound_symbols(m, a);
    const mat J = model_rows(m, a);
    expr_list set = {0};
    const bool same = uniform_rank(m, a, J, rank, &bound);
    const bool known = same || uniform_exceptions(m, a, J, rank, &bound, &set);
    if (!same && known) LIST_PUSH(a, out, set);
    return uniform_component_exceptions(m, a, out) && known && out->count > 0;
}

void uniform_suspects(ah_model *m, arena *a, uint32_t rank, expr_list *out)
{
    const expr_list bound = bound_symbols(m, a);
    find_exceptions(m, a, model_rows(m, a), rank, &bound, true, out);
}

bool uniform_hides_values(ah_model *m, arena *a)
{
    expr_list rows = {0};
    for (size_t i = 0; i < m->constraints.count; i++) LIST_PUSH(a, &rows, m->constraints.at[i].c);
    const expr_list nodes = expr_reachable(m->ctx, a, rows.at, rows.count);
    for (size_t i = 0; i < nodes.count && !components_find(m)->complete; i++)
        if (expr_get_op(m->ctx, nodes.at[i]) == EXPR_CALL &&
            expr_depends_kind(m->ctx, nodes.at[i], AH_VELOCITY))
            return true;
    return false;
}

ah_expr uniform_drift(ah_model *m, arena *a, ah_expr c)
{
    ah_expr *zero = NEW_ARRAY(a, ah_expr, m->n + 1);
    for (uint32_t k = 0; k < m->n; k++) zero[k] = expr_int(m->ctx, 0);
    model_put_values(m, &c, 1);
    return expr_subst(m->ctx, c, m->n, m->v.at, zero);
}

size_t uniform_leave_out_empty(ah_model *view, arena *a)
{
    const size_t count = view->constraints.count;
    const model_constraint *all = view->constraints.at;
    memset(&view->constraints, 0, sizeof view->constraints);
    for (size_t i = 0; i < count; i++) {
        ah_expr c = all[i].c;
        model_put_values(view, &c, 1);
        if (algebra_zero(view->alg, c) == AH_TRUE) continue;
        model_constraint own = all[i];
        own.affine = own.affine && algebra_zero(view->alg, uniform_drift(view, a, c)) != AH_TRUE;
        LIST_PUSH(a, &view->constraints, own);
    }
    return count - view->constraints.count;
}

ah_truth uniform_is_allowed(ah_model *view, algebra *alg, arena *a)
{
    ah_truth out = AH_TRUE;
    for (size_t i = 0; i < view->facts.count; i++) {
        const algebra_fact *f = &view->facts.at[i];
        ah_expr e = f->e;
        model_put_values(view, &e, 1);
        if (expr_symbols(view->ctx, a, &e, 1).count) continue;
        const int sign = algebra_sign(alg, e);
        const bool zero = !f->positive || !f->border; /* it may not be zero */
        if ((sign == 0 && zero) || (f->positive && sign < 0)) return AH_FALSE;
        if (sign == 2) out = AH_UNKNOWN;
    }
    return out;
}
