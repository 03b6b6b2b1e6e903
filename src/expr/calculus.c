/* expr/calculus.c - differentiation over the shared graph, and substitution. Every pass goes
 * through the reachable nodes once, in ascending order (children first) or descending: no
 * recursion, so depth costs no stack. */
#include "pool.h"
#include <limits.h>
#include <string.h>

/* ---- One node by one child ------------------------------------------------------------------- */

/* Partial derivatives come as factors, so that a product with them is built at once and leaves no
 * intermediate nodes behind. */
typedef struct factors {
    ah_expr *at;
    size_t count;
} factors;

static void put(factors *f, ah_expr e)
{
    f->at[f->count++] = e;
}

static ah_expr square(ah_ctx *ctx, ah_expr x)
{
    return expr_powi(ctx, x, 2);
}

static ah_expr one_minus_square(ah_ctx *ctx, ah_expr x)
{
    return expr_sub(ctx, EXPR_ONE, square(ctx, x));
}

/* atan2(y, x): d/dy = x/(x² + y²), d/dx = -y/(x² + y²) */
static void atan2_partial(ah_ctx *ctx, ah_expr y, ah_expr x, size_t i, factors *f)
{
    ah_expr r2 = expr_add(ctx, square(ctx, x), square(ctx, y));
    put(f, i == 0 ? x : expr_neg(ctx, y));
    put(f, expr_powi(ctx, r2, -1));
}

static ah_expr function_derivative(ah_ctx *ctx, ah_expr e)
{
    ah_expr x = expr_get_children(ctx, e)[0];
    switch (expr_get_function(ctx, e)) {
    case AH_SIN: return expr_circular(ctx, AH_COS, x);
    case AH_COS: return expr_circular(ctx, AH_SIN, x); /* with a minus, see below */
    case AH_TAN: return expr_add(ctx, EXPR_ONE, square(ctx, e));
    case AH_ASIN:
    case AH_ACOS: return expr_pow(ctx, one_minus_square(ctx, x), expr_rational(ctx, -1, 2));
    case AH_ATAN: return expr_powi(ctx, expr_add(ctx, EXPR_ONE, square(ctx, x)), -1);
    case AH_SINH: return expr_call1(ctx, AH_COSH, x);
    case AH_COSH: return expr_call1(ctx, AH_SINH, x);
    case AH_TANH: return one_minus_square(ctx, e);
    case AH_EXP: return e;
    case AH_LOG: return expr_powi(ctx, x, -1);
    case AH_ABS: return expr_call1(ctx, AH_SIGN, x);
    default: return EXPR_ZERO; /* sign, away from 0; sqrt is a power, never a call */
    }
}

static void call_partial(ah_ctx *ctx, ah_expr e, size_t i, factors *f)
{
    const ah_expr *args = expr_get_children(ctx, e);
    ah_function function = expr_get_function(ctx, e);
    if (function == AH_ATAN2) {
        atan2_partial(ctx, args[0], args[1], i, f);
        return;
    }
    if (function == AH_COS || function == AH_ACOS) put(f, EXPR_MINUS_ONE);
    put(f, function_derivative(ctx, e));
}

/* a^b: d/da = b a^(b-1), d/db = a^b log a */
static void power_partial(ah_ctx *ctx, ah_expr e, size_t i, factors *f)
{
    const ah_expr *args = expr_get_children(ctx, e);
    if (i == 1) {
        put(f, e);
        put(f, expr_call1(ctx, AH_LOG, args[0]));
    } else {
        long n;
        const bool known = expr_is_int(ctx, args[1], &n) && n > LONG_MIN;
        const ah_expr less = known ? expr_int(ctx, n - 1) : expr_add(ctx, args[1], EXPR_MINUS_ONE);
        put(f, args[1]);
        put(f, expr_pow(ctx, args[0], less));
    }
}

static void product_partial(const ah_ctx *ctx, ah_expr e, size_t i, factors *f)
{
    const ah_expr *args = expr_get_children(ctx, e);
    for (size_t j = 0; j < expr_get_count(ctx, e); j++)
        if (j != i) put(f, args[j]);
}

static ah_expr unknown_partial(ah_ctx *ctx, ah_expr e, size_t i)
{
    size_t count = expr_get_count(ctx, e);
    arena_mark mark = arena_get_mark(&ctx->scratch);
    uint8_t *orders = arena_alloc(&ctx->scratch, count);
    memcpy(orders, expr_get_orders(ctx, e), count);
    if (orders[i] == UINT8_MAX) ctx_raise_limit(ctx, "a derivative of too high an order");
    orders[i]++;
    ah_expr d = expr_unknown(ctx, expr_get_name(ctx, e), count, expr_get_children(ctx, e), orders);
    arena_release(&ctx->scratch, mark);
    return d;
}

/* A product of more than EXPR_FLAT factors. */
static bool is_wide(const ah_ctx *ctx, ah_expr e)
{
    const expr_node *n = expr_node_of(ctx, e);
    return n->op == EXPR_PRODUCT && n->count > EXPR_FLAT;
}

/* outer * ∂e/∂(i-th child) */
static ah_expr chain(ah_ctx *ctx, ah_expr outer, ah_expr e, size_t i)
{
    const expr_op op = expr_op_of(ctx, e);
    if (op == EXPR_SUM) return outer;
    ah_expr few[EXPR_FLAT + 2];
    const bool wide = is_wide(ctx, e);
    const arena_mark mark = wide ? arena_get_mark(&ctx->scratch) : (arena_mark){0};
    factors f = {wide ? NEW_ARRAY(&ctx->scratch, ah_expr, expr_get_count(ctx, e) + 1) : few, 0};
    put(&f, outer);
    switch (op) {
    case EXPR_PRODUCT: product_partial(ctx, e, i, &f); break;
    case EXPR_POWER: power_partial(ctx, e, i, &f); break;
    case EXPR_CALL: call_partial(ctx, e, i, &f); break;
    default: put(&f, unknown_partial(ctx, e, i)); break;
    }
    const ah_expr d = expr_product(ctx, f.count, f.at);
    if (wide) arena_release(&ctx->scratch, mark);
    return d;
}

/* ---- Wide products --------------------------------------------------------------------------- */

/* All factors but one, written out for each of them, would be n² children; halved again and again they share the products of
 * the halves:
 *     ∂(a b)/∂a_i = b ∂a/∂a_i. */

/* out[i] = outer * Π_{j≠i} factor[j] where it is wanted. The depth is that of the halving. */
static void wide_partials(ah_ctx *ctx, ah_expr outer, size_t count, const ah_expr *factor,
                          const bool *wanted, ah_expr *out)
{
    const size_t half = count / 2;
    ah_expr others[EXPR_FLAT];
    ctx_tick(ctx);
    for (size_t i = 0; i < count && count < EXPR_FLAT; i++) {
        if (!wanted[i]) continue;
        others[0] = outer;
        memcpy(others + 1, factor, i * sizeof *factor);
        memcpy(others + 1 + i, factor + i + 1, (count - i - 1) * sizeof *factor);
        out[i] = expr_product(ctx, count, others);
    }
    if (count < EXPR_FLAT || !memchr(wanted, true, count)) return;
    const ah_expr low = expr_product(ctx, half, factor);
    const ah_expr high = expr_product(ctx, count - half, factor + half);
    wide_partials(ctx, expr_mul(ctx, outer, high), half, factor, wanted, out);
    wide_partials(ctx, expr_mul(ctx, outer, low), count - half, factor + half, wanted + half,
                  out + half);
}

static const ah_expr *partials_of(ah_ctx *ctx, ah_expr outer, ah_expr e, const bool *wanted)
{
    const size_t count = expr_get_count(ctx, e);
    ah_expr *factor = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    ah_expr *out = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    memcpy(factor, expr_get_children(ctx, e), count * sizeof *factor);
    wide_partials(ctx, outer, count, factor, wanted, out);
    return out;
}

/* ---- Forward --------------------------------------------------------------------------------- */

/* d[position] holds the seeds of the symbols and zero elsewhere; fills in the rest:
 *     de = Σ (∂e/∂child) dchild */
static void propagate(ah_ctx *ctx, const expr_walk *w, ah_expr *d)
{
    expr_scratch_open(ctx);
    for (size_t i = 0; i < w->count; i++) {
        const uint32_t *child = w->child + w->start[i];
        size_t count = w->start[i + 1] - w->start[i], terms = 0;
        for (size_t j = 0; j < count; j++) terms += d[child[j]] != EXPR_ZERO;
        if (!terms) continue;
        arena_mark mark = arena_get_mark(&ctx->scratch);
        ah_expr *term = NEW_ARRAY(&ctx->scratch, ah_expr, terms);
        const ah_expr *partial = NULL;
        if (terms > 1 && is_wide(ctx, w->node[i])) {
            bool *moves = NEW_ARRAY(&ctx->scratch, bool, count);
            for (size_t j = 0; j < count; j++) moves[j] = d[child[j]] != EXPR_ZERO;
            partial = partials_of(ctx, EXPR_ONE, w->node[i], moves);
        }
        terms = 0;
        for (size_t j = 0; j < count; j++)
            if (d[child[j]] != EXPR_ZERO)
                term[terms++] = partial ? expr_mul(ctx, d[child[j]], partial[j])
                                        : chain(ctx, d[child[j]], w->node[i], j);
        d[i] = expr_sum(ctx, terms, term);
        if (expr_is_closed(ctx, w->node[i])) d[i] = expr_closed(ctx, d[i]);
        arena_release(&ctx->scratch, mark);
    }
}

static ah_expr *zeros(ah_ctx *ctx, size_t count)
{
    ah_expr *list = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    for (size_t i = 0; i < count; i++) list[i] = EXPR_ZERO;
    return list;
}

static void read_roots(const expr_walk *w, const ah_expr *d, const ah_expr *roots, size_t count,
                       ah_expr *out)
{
    for (size_t i = 0; i < count; i++) out[i] = d[expr_walk_find(w, roots[i])];
}

void expr_forward_all(ah_ctx *ctx, const ah_expr *roots, size_t roots_count, size_t count,
                      const ah_expr *symbols, const ah_expr *seeds, ah_expr *out)
{
    arena_mark mark = arena_get_mark(&ctx->scratch);
    expr_walk w = expr_walk_begin(ctx, roots, roots_count);
    ah_expr *d = zeros(ctx, w.count);
    for (size_t i = 0; i < count; i++) {
        size_t at = expr_walk_find(&w, symbols[i]);
        if (at != EXPR_NOWHERE) d[at] = seeds[i];
    }
    propagate(ctx, &w, d);
    read_roots(&w, d, roots, roots_count, out);
    arena_release(&ctx->scratch, mark);
}

ah_expr expr_forward(ah_ctx *ctx, ah_expr e, size_t count, const ah_expr *symbols,
                     const ah_expr *seeds)
{
    ah_expr out;
    expr_forward_all(ctx, &e, 1, count, symbols, seeds, &out);
    return out;
}

ah_expr expr_diff(ah_ctx *ctx, ah_expr e, ah_expr symbol)
{
    const ah_expr one = EXPR_ONE;
    return expr_forward(ctx, e, 1, &symbol, &one);
}

/* dx = x' dt, and so on. What has a derivative that no symbol stands for cannot be differentiated.
 */
static ah_expr rate(ah_ctx *ctx, ah_expr symbol)
{
    switch (expr_get_kind(ctx, symbol)) {
    case AH_TIME: return EXPR_ONE;
    case AH_JERK:
    case AH_SPEED_DOT: ctx_raise(ctx, AH_E_REFUSED);
    default: break;
    }
    ah_expr dot = expr_dot(ctx, symbol);
    return dot == AH_NONE ? EXPR_ZERO : dot;
}

void expr_dt_all(ah_ctx *ctx, const ah_expr *roots, size_t count, ah_expr *out)
{
    arena_mark mark = arena_get_mark(&ctx->scratch);
    expr_walk w = expr_walk_begin(ctx, roots, count);
    ah_expr *d = zeros(ctx, w.count);
    for (size_t i = 0; i < w.count; i++)
        if (expr_get_op(ctx, w.node[i]) == EXPR_SYMBOL) d[i] = rate(ctx, w.node[i]);
    propagate(ctx, &w, d);
    read_roots(&w, d, roots, count, out);
    arena_release(&ctx->scratch, mark);
}

ah_expr expr_dt(ah_ctx *ctx, ah_expr e)
{
    ah_expr out;
    expr_dt_all(ctx, &e, 1, &out);
    return out;
}

/* ---- Reverse --------------------------------------------------------------------------------- */

typedef struct tape {
    expr_walk walk;
    bool *active; /* depends on one of the symbols */
    uint32_t *
        terms; /* contributions of a position so far, from value[start[position]] on, the last first; … */
    size_t *start; /* … before them is room for one of each parent that is left, and the root's */
    ah_expr *value;
} tape;

static void add_adjoint(tape *t, size_t position, ah_expr value)
{
    t->value[--t->start[position]] = value;
    t->terms[position]++;
}

static ah_expr adjoint(ah_ctx *ctx, const tape *t, size_t position)
{
    return expr_sum(ctx, t->terms[position], t->value + t->start[position]);
}

static void mark_active(tape *t)
{
    const expr_walk *w = &t->walk;
    for (size_t i = 0; i < w->count; i++)
        for (size_t j = w->start[i]; j < w->start[i + 1] && !t->active[i]; j++)
            t->active[i] = t->active[w->child[j]];
}

/* Room for the contributions of all parents that are active; terms are counted and forgotten again. */
static void make_room(ah_ctx *ctx, tape *t)
{
    const expr_walk *w = &t->walk;
    size_t count = 1;
    t->terms[w->count - 1] = 1; /* the root's own */
    for (size_t i = 0; i < w->count; i++)
        for (size_t j = w->start[i]; t->active[i] && j < w->start[i + 1]; j++)
            t->terms[w->child[j]] += t->active[w->child[j]];
    for (size_t i = 0; i < w->count; i++) {
        count += t->terms[i];
        t->start[i] = count - 1;
        t->terms[i] = 0;
    }
    t->value = NEW_RAW(&ctx->scratch, ah_expr, count);
}

/* at[i]: the position of a symbol. */
static tape tape_begin(ah_ctx *ctx, ah_expr e, size_t count, const ah_expr *symbols, size_t *at)
{
    tape t = {.walk = expr_walk_begin(ctx, &e, 1)};
    const expr_walk *w = &t.walk;
    t.active = NEW_ARRAY(&ctx->scratch, bool, w->count);
    t.terms = NEW_ARRAY(&ctx->scratch, uint32_t, w->count);
    t.start = NEW_RAW(&ctx->scratch, size_t, w->count);
    for (size_t i = 0; i < count; i++) {
        at[i] = expr_walk_find(w, symbols[i]);
        if (at[i] != EXPR_NOWHERE) t.active[at[i]] = true;
    }
    mark_active(&t);
    make_room(ctx, &t);
    expr_scratch_open(ctx);
    return t;
}

/* What the children of position i get of its adjoint. */
static void hand_down(ah_ctx *ctx, tape *t, size_t i)
{
    const expr_walk *w = &t->walk;
    const ah_expr e = w->node[i], *partial = NULL;
    const uint32_t *child = w->child + w->start[i];
    const size_t count = w->start[i + 1] - w->start[i];
    ah_expr above = adjoint(ctx, t, i);
    if (expr_is_closed(ctx, e)) above = expr_closed(ctx, above);
    const bool wide = is_wide(ctx, e);
    const arena_mark mark = wide ? arena_get_mark(&ctx->scratch) : (arena_mark){0};
    if (wide) {
        bool *moves = NEW_ARRAY(&ctx->scratch, bool, count);
        for (size_t j = 0; j < count; j++) moves[j] = t->active[child[j]];
        partial = partials_of(ctx, above, e, moves);
    }
    for (size_t j = 0; j < count; j++) {
        if (!t->active[child[j]]) continue;
        const ah_expr value = partial ? partial[j] : chain(ctx, above, e, j);
        if (value != EXPR_ZERO) add_adjoint(t, child[j], value);
    }
    if (wide) arena_release(&ctx->scratch, mark);
}

void expr_gradient(ah_ctx *ctx, ah_expr e, size_t count, const ah_expr *symbols, ah_expr *out)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    size_t *at = NEW_RAW(&ctx->scratch, size_t, count);
    tape t = tape_begin(ctx, e, count, symbols, at);
    const expr_walk *w = &t.walk;
    add_adjoint(&t, w->count - 1, EXPR_ONE); /* the root is the last */
    for (size_t i = w->count; i-- > 0;)
        if (w->start[i + 1] > w->start[i] && t.active[i] && t.terms[i]) hand_down(ctx, &t, i);
    for (size_t i = 0; i < count; i++) {
        const bool reached = at[i] != EXPR_NOWHERE && t.terms[at[i]];
        out[i] = reached ? adjoint(ctx, &t, at[i]) : EXPR_ZERO;
    }
    arena_release(&ctx->scratch, mark);
}

/* ---- Substitution ---------------------------------------------------------------------------- */

/* to[position] holds the replacements of leaves and AH_NONE elsewhere; `replace` (may be NULL) may
 * answer for an inner node whose children are done, or give AH_NONE. */
typedef struct rewriting {
    ah_expr (*replace)(ah_ctx *ctx, void *user, ah_expr e, const ah_expr *children);
    void *user;
} rewriting;

static void rewrite(ah_ctx *ctx, const expr_walk *w, ah_expr *to, const rewriting *how)
{
    expr_scratch_open(ctx);
    for (size_t i = 0; i < w->count; i++) {
        if (to[i] != AH_NONE) continue;
        to[i] = w->node[i];
        size_t count = w->start[i + 1] - w->start[i];
        if (!count) continue;
        const uint32_t *child = w->child + w->start[i];
        arena_mark mark = arena_get_mark(&ctx->scratch);
        ah_expr *children = NEW_RAW(&ctx->scratch, ah_expr, count), e = AH_NONE;
        bool changed = false;
        for (size_t j = 0; j < count; j++) {
            children[j] = to[child[j]];
            changed |= children[j] != w->node[child[j]];
        }
        if (how) e = how->replace(ctx, how->user, w->node[i], children);
        if (e != AH_NONE)
            to[i] = e;
        else if (changed)
            to[i] = expr_rebuild(ctx, w->node[i], children);
        arena_release(&ctx->scratch, mark);
    }
}

void expr_subst_all(ah_ctx *ctx, ah_expr *roots, size_t roots_count, size_t count,
                    const ah_expr *symbols, const ah_expr *values)
{
    if (!count) return;
    arena_mark mark = arena_get_mark(&ctx->scratch);
    expr_walk w = expr_walk_begin(ctx, roots, roots_count);
    ah_expr *to = NEW_ARRAY(&ctx->scratch, ah_expr, w.count);
    for (size_t i = 0; i < count; i++) {
        size_t at = expr_walk_find(&w, symbols[i]);
        if (at != EXPR_NOWHERE) to[at] = values[i];
    }
    rewrite(ctx, &w, to, NULL);
    read_roots(&w, to, roots, roots_count, roots);
    arena_release(&ctx->scratch, mark);
}

ah_expr expr_subst(ah_ctx *ctx, ah_expr e, size_t count, const ah_expr *symbols,
                   const ah_expr *values)
{
    expr_subst_all(ctx, &e, 1, count, symbols, values);
    return e;
}

typedef struct definition {
    const char *name;
    size_t count;
    const ah_expr *parameters;
    ah_expr body;
} definition;

static ah_expr apply_definition(ah_ctx *ctx, void *user, ah_expr e, const ah_expr *children)
{
    const definition *d = user;
    if (expr_get_op(ctx, e) != EXPR_UNKNOWN || expr_get_count(ctx, e) != d->count ||
        strcmp(expr_get_name(ctx, e), d->name))
        return AH_NONE;
    ah_expr body = d->body;
    const uint8_t *orders = expr_get_orders(ctx, e);
    for (size_t i = 0; i < d->count; i++)
        for (unsigned k = 0; k < orders[i]; k++) body = expr_diff(ctx, body, d->parameters[i]);
    return expr_subst(ctx, body, d->count, d->parameters, children);
}

ah_expr expr_define(ah_ctx *ctx, ah_expr e, const char *name, size_t count,
                    const ah_expr *parameters, ah_expr body)
{
    definition d = {name, count, parameters, body};
    rewriting how = {apply_definition, &d};
    arena_mark mark = arena_get_mark(&ctx->scratch);
    expr_walk w = expr_walk_begin(ctx, &e, 1);
    ah_expr *to = NEW_ARRAY(&ctx->scratch, ah_expr, w.count);
    rewrite(ctx, &w, to, &how);
    e = to[w.count - 1];
    arena_release(&ctx->scratch, mark);
    return e;
}
