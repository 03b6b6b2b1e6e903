/* model/order.c - what kind of constraint each one is: found, not declared.
 *
 * The order is that of the highest derivative that occurs essentially: in x'*(sin(a)^2 + cos(a)^2 -
 * 1) + x = 0 the velocity cancels, and the constraint is holonomic. Each question ("is this
 * derivative identically zero?") is asked for all constraints at once, so that a chain of ten
 * thousand rods costs one evaluation. */
#include "inside.h"
#include "probe.h"

#include <string.h>

typedef struct sorter {
    ah_model *m;
    ah_ctx *ctx;
    probe *probe;
    size_t count;
    model_constraint *c;
    bool *decided, *nonzero; /* one a constraint; nonzero: the answer of the last round */
    expr_list asked;
    LIST(uint32_t) owner;
} sorter;

static const ah_symbol_kind level_kind[] = {AH_COORDINATE, AH_VELOCITY, AH_ACCELERATION};

static void ask(sorter *s, size_t owner, ah_expr e)
{
    if (expr_is_zero(s->ctx, e)) return;
    LIST_PUSH(&s->ctx->scratch, &s->asked, e);
    LIST_PUSH(&s->ctx->scratch, &s->owner, (uint32_t) owner);
}

/* Sets nonzero[i] where something asked for constraint i does not vanish identically. */
static void settle(sorter *s)
{
    bool *zero = NEW_ARRAY(&s->ctx->scratch, bool, s->asked.count);
    probe_zeros(s->probe, s->asked.at, s->asked.count, zero);
    memset(s->nonzero, 0, s->count * sizeof *s->nonzero);
    for (size_t k = 0; k < s->asked.count; k++)
        if (!zero[k]) s->nonzero[s->owner.at[k]] = true;
    s->asked.count = s->owner.count = 0;
}

static expr_list gradient(sorter *s, ah_expr e, ah_symbol_kind kind, expr_list *symbols)
{
    *symbols = model_symbols_of(s->m, e, kind);
    expr_list out = {.count = symbols->count};
    out.at = NEW_ARRAY(&s->ctx->scratch, ah_expr, out.count);
    expr_gradient(s->ctx, e, out.count, symbols->at, out.at);
    return out;
}

/* The same function without the symbols on which it does not really depend. */
static ah_expr without(sorter *s, ah_expr e, ah_symbol_kind kind)
{
    if (!expr_depends_kind(s->ctx, e, kind)) return e;
    e = algebra_simplify(s->m->alg, e);
    const expr_list left = model_symbols_of(s->m, e, kind);
    ah_expr *one = NEW_ARRAY(&s->ctx->scratch, ah_expr, left.count);
    for (size_t i = 0; i < left.count; i++) one[i] = expr_int(s->ctx, 1);
    return expr_subst(s->ctx, e, left.count, left.at, one);
}

/* Derivatives that vanish nearly everywhere do not yet mean that the symbols may go: |x'|/x' jumps.
 */
static void take_lower(sorter *s, int level)
{
    ah_expr *lower = NEW_ARRAY(&s->ctx->scratch, ah_expr, s->count);
    for (size_t i = 0; i < s->count; i++) {
        if (s->decided[i]) continue;
        lower[i] = without(s, s->c[i].c, level_kind[level]);
        ask(s, i, expr_sub(s->ctx, s->c[i].c, lower[i]));
    }
    settle(s);
    for (size_t i = 0; i < s->count; i++) {
        if (s->decided[i]) continue;
        s->decided[i] = s->nonzero[i];
        if (s->decided[i])
            s->c[i].order = (model_order) level;
        else
            s->c[i].c = lower[i];
    }
}

static void find_orders(sorter *s)
{
    for (int level = MODEL_ACCELERATION; level >= MODEL_HOLONOMIC; level--) {
        for (size_t i = 0; i < s->count; i++) {
            if (s->decided[i]) continue;
            expr_list symbols;
            const expr_list g = gradient(s, s->c[i].c, level_kind[level], &symbols);
            for (size_t k = 0; k < g.count; k++) ask(s, i, g.at[k]);
        }
        settle(s);
        for (size_t i = 0; i < s->count; i++) {
            if (s->decided[i] || !s->nonzero[i]) continue;
            s->decided[i] = true;
            s->c[i].order = (model_order) level;
        }
        take_lower(s, level);
    }
}

/* c = J v + b, with J and b free of v, where the second derivatives vanish only after a
 * calculation. */
static ah_expr write_linear(sorter *s, const model_constraint *c)
{
    const ah_symbol_kind kind = level_kind[c->order];
    expr_list v;
    const expr_list J = gradient(s, c->c, kind, &v);
    ah_expr *terms = NEW_ARRAY(&s->ctx->scratch, ah_expr, v.count + 1), b = c->c;
    for (size_t k = 0; k < v.count; k++) {
        b = expr_sub(s->ctx, b, expr_mul(s->ctx, J.at[k], v.at[k]));
        terms[k] = expr_mul(s->ctx, without(s, J.at[k], kind), v.at[k]);
    }
    terms[v.count] = without(s, b, kind);
    return expr_sum(s->ctx, v.count + 1, terms);
}

/* Where the slope jumps, as that of |x'| does, it is not linear after all. */
static void write_all_linear(sorter *s, const bool *curved)
{
    ah_expr *written = NEW_ARRAY(&s->ctx->scratch, ah_expr, s->count);
    for (size_t i = 0; i < s->count; i++) {
        if (!s->c[i].linear || !curved[i]) continue;
        written[i] = write_linear(s, &s->c[i]);
        ask(s, i, expr_sub(s->ctx, s->c[i].c, written[i]));
    }
    settle(s);
    for (size_t i = 0; i < s->count; i++) {
        if (!s->c[i].linear || !curved[i]) continue;
        s->c[i].linear = !s->nonzero[i];
        if (s->c[i].linear) s->c[i].c = written[i];
    }
}

static void find_linear(sorter *s)
{
    bool *curved = NEW_ARRAY(&s->ctx->scratch, bool, s->count); /* at first sight */
    for (size_t i = 0; i < s->count; i++) {
        if (s->c[i].order == MODEL_HOLONOMIC) continue;
        const ah_symbol_kind kind = level_kind[s->c[i].order];
        expr_list v, w;
        const expr_list J = gradient(s, s->c[i].c, kind, &v);
        for (size_t k = 0; k < J.count; k++) {
            const expr_list H = gradient(s, J.at[k], kind, &w);
            curved[i] = curved[i] || H.count;
            for (size_t l = 0; l < H.count; l++) ask(s, i, H.at[l]);
        }
    }
    settle(s);
    for (size_t i = 0; i < s->count; i++)
        s->c[i].linear = s->c[i].order != MODEL_HOLONOMIC && !s->nonzero[i];
    write_all_linear(s, curved);
}

static void find_affine(sorter *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (!s->c[i].linear) continue;
        const expr_list v = model_symbols_of(s->m, s->c[i].c, level_kind[s->c[i].order]);
        ah_expr *zero = NEW_ARRAY(&s->ctx->scratch, ah_expr, v.count);
        for (size_t k = 0; k < v.count; k++) zero[k] = expr_int(s->ctx, 0);
        ask(s, i, expr_subst(s->ctx, s->c[i].c, v.count, v.at, zero));
    }
    settle(s);
    for (size_t i = 0; i < s->count; i++) s->c[i].affine = s->nonzero[i];
}

static void find_rheonomic(sorter *s)
{
    const ah_expr t = expr_time(s->ctx);
    for (size_t i = 0; i < s->count; i++) ask(s, i, expr_diff(s->ctx, s->c[i].c, t));
    settle(s);
    for (size_t i = 0; i < s->count; i++) s->c[i].rheonomic = s->nonzero[i];
}

/* A constraint that vanishes identically is dropped; one without variables is an error. */
static void drop_empty(sorter *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) ask(s, i, s->c[i].c);
    settle(s);
    for (size_t i = 0; i < s->count; i++) {
        const model_constraint *c = &s->c[i];
        if (s->decided[i]) {
            s->c[kept++] = *c;
        } else if (s->nonzero[i]) {
            diag(s->ctx, A0408, c->span, "the constraint `%s` has no variable: it reads %s = 0",
                 c->label, expr_text(s->ctx, &s->ctx->job, c->c, AH_ASCII));
            diag_hint(s->ctx, "a constraint relates coordinates, velocities or accelerations");
        } else if (!c->component) {
            diag(s->ctx, A0409, c->span, "the constraint `%s` holds always: it is left out",
                 c->label);
        }
    }
    s->count = kept;
}

void model_sort_constraints(ah_model *m)
{
    ah_ctx *ctx = m->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    memset(&m->constraints, 0, sizeof m->constraints);
    sorter s = {.m = m, .ctx = ctx, .count = m->written.count};
    s.probe = probe_create(m, &ctx->scratch);
    s.c = NEW_ARRAY(&ctx->scratch, model_constraint, s.count);
    s.decided = NEW_ARRAY(&ctx->scratch, bool, s.count);
    s.nonzero = NEW_ARRAY(&ctx->scratch, bool, s.count);
    for (size_t i = 0; i < s.count; i++) {
        s.c[i] = m->written.at[i];
        s.c[i].c = expr_sub(ctx, s.c[i].left, s.c[i].right);
    }
    find_orders(&s);
    drop_empty(&s);
    find_linear(&s);
    find_affine(&s);
    find_rheonomic(&s);
    for (size_t i = 0; i < s.count; i++) LIST_PUSH(&ctx->job, &m->constraints, s.c[i]);
    arena_release(&ctx->scratch, mark);
}
