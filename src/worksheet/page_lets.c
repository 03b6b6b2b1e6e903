/* worksheet/page_lets.c - the model's own names on the page.
 *
 * What the model says by a name, Δ = m₁ m₂ G, is called so wherever it stands: as a sum of its own, up to numbers and parameters,
 * as a factor of products (I of ½ m r²), and among other terms (let_terms.c), where that saves what it costs to say it. */
#include "page.h"

#include <string.h>

#define LETS_MOST 12
/* Products in products in … that a let is looked for in. */
#define LETS_DEPTH 4
/* The meaning of a let up to a factor of parameters is called by it when it is longer than this. */
#define LETS_FACTORED 30.0

/* What the let is: as the model says it, where it is not written in other velocities here. */
static ah_expr as_said(const worksheet *w, const model_let *let, ah_expr value)
{
    const ah_equations *eq = w->eq;
    const ah_expr said = let->value.c[0];
    const bool other =
        eq->substitutions && expr_subst(w->ctx, said, eq->substitutions, eq->from, eq->to) != said;
    return other ? value : said;
}

/* Whether the sum, but for factors of numbers and parameters, is what is displayed somewhere: E = ½ (a + b). */
static bool is_displayed(const worksheet *w, const page *p, ah_expr sum)
{
    for (size_t i = 0; i < p->root.count; i++) {
        const ah_expr e = p->root.at[i].e;
        bool only = p->root.at[i].whole && e != sum && expr_get_op(w->ctx, e) == EXPR_PRODUCT;
        bool inside = false;
        for (size_t k = 0; only && k < expr_get_count(w->ctx, e); k++) {
            const ah_expr factor = expr_get_children(w->ctx, e)[k];
            const expr_list s = expr_symbols(w->ctx, w->arena, &factor, 1);
            inside = inside || factor == sum;
            for (size_t j = 0; factor != sum && j < s.count; j++)
                only = only && expr_get_kind(w->ctx, s.at[j]) == AH_PARAMETER;
        }
        if (only && inside) return true;
    }
    return false;
}

/* As the model says it, once. */
static void say_let(worksheet *w, page *p, const model_let *let, ah_expr value)
{
    if (page_is_named(w, expr_symbol(w->ctx, AH_LOCAL, let->name))) return;
    page_add_name(w, let->name, p->root.count);
    LIST_PUSH(
        w->arena, &p->root,
        ((page_root){as_said(w, let, value), PAGE_MEANING, PAGE_ELSEWHERE, PAGE_ELSEWHERE, true}));
}

/* The one sum of an expression that is a sum, but for factors; AH_NONE: it has none, or more. */
static ah_expr only_sum(const ah_ctx *ctx, ah_expr e)
{
    if (expr_get_op(ctx, e) == EXPR_SUM) return e;
    ah_expr sum = AH_NONE;
    if (expr_get_op(ctx, e) != EXPR_PRODUCT) return AH_NONE;
    for (size_t i = 0; i < expr_get_count(ctx, e); i++) {
        const ah_expr child = expr_get_children(ctx, e)[i];
        if (expr_get_op(ctx, child) != EXPR_SUM) continue;
        if (sum != AH_NONE) return AH_NONE;
        sum = child;
    }
    return sum;
}

bool page_replace_let(worksheet *w, page *p, const page_let *let)
{
    ah_ctx *ctx = w->ctx;
    const ah_expr sum = only_sum(ctx, let->value);
    if (sum == AH_NONE || worksheet_length(ctx, sum) < PAGE_SHORTEST) return false;
    const bool brief =
        worksheet_length(ctx, sum) < LETS_FACTORED && page_kept_value(w, let->symbol) == AH_NONE;
    const page_census c = page_count(w, w->arena, p);
    const expr_list own = expr_symbols(ctx, w->arena, &sum, 1);
    LIST(ah_expr) from = {0};
    LIST(ah_expr) to = {0};
    for (size_t i = 0; i < c.node.count; i++) {
        const ah_expr e = c.node.at[i];
        if (expr_get_op(ctx, e) != EXPR_SUM || c.times[i] < 1) continue;
        const expr_list s = expr_symbols(ctx, w->arena, &e, 1);
        if (s.count != own.count || memcmp(s.at, own.at, s.count * sizeof *s.at)) continue;
        const ah_expr ratio = page_multiple(w, e, let->value);
        const bool number = ratio != AH_NONE && expr_get_op(ctx, ratio) == EXPR_NUMBER;
        if (ratio == AH_NONE || (!number && brief)) continue;
        if ((!number || c.times[i] < 2) && is_displayed(w, p, e)) continue;
        LIST_PUSH(w->arena, &from, e);
        LIST_PUSH(w->arena, &to, expr_mul(ctx, ratio, let->symbol));
    }
    page_replace(w, p, from.at, to.at, from.count);
    return from.count > 0;
}

/* e as base^power; a power that is no integer is a base of its own. */
static ah_expr base_of(const ah_ctx *ctx, ah_expr e, long *power)
{
    *power = 1;
    if (expr_get_op(ctx, e) != EXPR_POWER || !expr_is_int(ctx, expr_get_children(ctx, e)[1], power))
        return e;
    return expr_get_children(ctx, e)[0];
}

/* Whether all factors of the one product but its number are factors of the other. */
static bool divides(const ah_ctx *ctx, ah_expr by, ah_expr product)
{
    for (size_t i = 0; i < expr_get_count(ctx, by); i++) {
        const ah_expr factor = expr_get_children(ctx, by)[i];
        long power, own;
        const ah_expr base = base_of(ctx, factor, &power);
        bool found = expr_get_op(ctx, factor) == EXPR_NUMBER;
        for (size_t k = 0; k < expr_get_count(ctx, product) && !found; k++)
            found = base_of(ctx, expr_get_children(ctx, product)[k], &own) == base &&
                    (power > 0 ? own >= power : own <= power);
        if (!found) return false;
    }
    return true;
}

/* A product of two parameters or more. */
static bool is_of_parameters(const worksheet *w, ah_expr e)
{
    const expr_list s = expr_symbols(w->ctx, w->arena, &e, 1);
    bool all = expr_get_op(w->ctx, e) == EXPR_PRODUCT && s.count > 1;
    for (size_t i = 0; i < s.count; i++)
        all = all && expr_get_kind(w->ctx, s.at[i]) == AH_PARAMETER;
    return all;
}

/* The products of the page that have the let among their factors: I of ½ m r². */
static bool use_product(worksheet *w, page *p, ah_expr value, ah_expr symbol)
{
    ah_ctx *ctx = w->ctx;
    const page_census c = page_count(w, w->arena, p);
    LIST(ah_expr) from = {0};
    LIST(ah_expr) to = {0};
    for (size_t i = 0; i < c.node.count; i++) {
        const ah_expr e = c.node.at[i];
        if (expr_get_op(ctx, e) != EXPR_PRODUCT || !divides(ctx, value, e)) continue;
        LIST_PUSH(w->arena, &from, e);
        LIST_PUSH(w->arena, &to, expr_mul(ctx, expr_div(ctx, e, value), symbol));
    }
    page_replace_factors(w, p, from.at, to.at, from.count);
    return from.count > 0;
}

/* In those that stand inside of others, too. */
bool page_replace_products(worksheet *w, page *p, const page_let *let)
{
    if (!is_of_parameters(w, let->value) || !use_product(w, p, let->value, let->symbol))
        return false;
    for (int depth = 1; depth < LETS_DEPTH && use_product(w, p, let->value, let->symbol); depth++)
        continue;
    return true;
}

static bool is_scalar_on_page(const worksheet *w, const model_let *let)
{
    return !let->count && !let->is_vector &&
           page_is_named(w, expr_symbol(w->ctx, AH_LOCAL, let->name));
}

/* Products that are lets whose names are on the page: s where 2 B R²/a² is left of a fraction; and f where R₂/R₁ stands and the model says
 * f = R₂/R₁, all three with their names on the page. */
void page_use_products(worksheet *w, page *p)
{
    const ah_model *m = w->model;
    ah_ctx *ctx = w->ctx;
    for (size_t i = m->lets.count; i-- > 0;) {
        const page_let as = {expr_symbol(ctx, AH_LOCAL, m->lets.at[i].name),
                             m->lets.at[i].value.c[0]};
        if (is_scalar_on_page(w, &m->lets.at[i])) page_replace_products(w, p, &as);
    }
    for (size_t i = 0; i < m->lets.count; i++)
        for (size_t k = 0; is_scalar_on_page(w, &m->lets.at[i]) && k < m->lets.count; k++)
            for (size_t j = 0; is_scalar_on_page(w, &m->lets.at[k]) && j < m->lets.count; j++) {
                const model_let *f = &m->lets.at[i], *a = &m->lets.at[k], *b = &m->lets.at[j];
                if (j == k || !is_scalar_on_page(w, b) ||
                    expr_div(ctx, a->value.c[0], b->value.c[0]) != f->value.c[0])
                    continue;
                const ah_expr symbol = expr_symbol(ctx, AH_LOCAL, f->name);
                const ah_expr quotient = expr_div(ctx, expr_symbol(ctx, AH_LOCAL, a->name),
                                                  expr_symbol(ctx, AH_LOCAL, b->name));
                for (int depth = 0; depth < LETS_DEPTH && use_product(w, p, quotient, symbol);
                     depth++)
                    continue;
            }
}

typedef struct let_uses {
    page_let let;
    const model_let *of;
    double costs,
        saves; /* characters: of saying what it is, 0 where it is said already; in all that uses it */
} let_uses;

/* E = E₀, where E₀ = …, says in two lines what one can: names alone stand only for what others use, too. */
static bool serves(worksheet *w, ah_expr e, const expr_list *used)
{
    const expr_list own = expr_symbols(w->ctx, w->arena, &e, 1);
    for (size_t k = 0; k < own.count && page_is_bare(w->ctx, e); k++)
        if (!page_is_named(w, own.at[k]) && expr_find(used, own.at[k]) == EXPR_NOWHERE)
            return false;
    return true;
}

/* What the roots become, and what each let saves in them. */
static const ah_expr *try_lets(worksheet *w, const page *p, let_uses *u, size_t count)
{
    ah_ctx *ctx = w->ctx;
    const size_t roots = p->root.count;
    page_let *let = NEW_ARRAY(w->arena, page_let, count + 1);
    ah_expr *to = NEW_ARRAY(w->arena, ah_expr, roots + 1);
    LIST(ah_expr) others = {0};
    for (size_t k = 0; k < count; k++) let[k] = u[k].let, u[k].saves = 0;
    for (size_t i = 0; i < roots; i++) {
        const ah_expr e = p->root.at[i].e;
        to[i] = p->root.at[i].step == PAGE_MEANING ? e : page_through_lets(w, e, let, count, true);
        if (!page_is_bare(ctx, to[i])) LIST_PUSH(w->arena, &others, to[i]);
    }
    const expr_list used = expr_symbols(ctx, w->arena, others.at, others.count);
    for (size_t i = 0; i < roots; i++) {
        const ah_expr e = p->root.at[i].e;
        if (!serves(w, to[i], &used)) to[i] = e;
        for (size_t k = 0; k < count && to[i] != e; k++)
            if (page_contains(w, to[i], u[k].let.symbol))
                u[k].saves += worksheet_length(ctx, e) - worksheet_length(ctx, to[i]);
    }
    return to;
}

static size_t find_lets(worksheet *w, let_uses *out)
{
    const ah_model *m = w->model;
    size_t count = 0;
    for (size_t i = 0; i < m->lets.count && count + w->names.count < LETS_MOST; i++) {
        const model_let *let = &m->lets.at[i];
        if (let->count || let->is_vector) continue;
        const ah_expr value = work_expression(w->work, let->value.c[0]);
        const ah_expr symbol = expr_symbol(w->ctx, AH_LOCAL, let->name);
        if (page_is_speed(w->ctx, value)) continue;
        const double costs = page_is_named(w, symbol) ? 0 : worksheet_length(w->ctx, value);
        out[count++] = (let_uses){.let = {symbol, value}, .of = let, .costs = costs};
    }
    return count;
}

/* Where their terms stand among others; those that do not save what it costs to say them are left out, and all is tried again. */
bool page_use_among_others(worksheet *w, page *p)
{
    const size_t roots = p->root.count;
    let_uses *u = NEW_ARRAY(w->arena, let_uses, w->model->lets.count + 1);
    size_t count = find_lets(w, u), kept = 0;
    const ah_expr *to = NULL;
    for (; count; count = kept) {
        to = try_lets(w, p, u, count);
        kept = 0;
        for (size_t k = 0; k < count; k++)
            if (u[k].saves > u[k].costs) u[kept++] = u[k];
        if (kept == count) break;
    }
    if (!count) return false;
    for (size_t i = 0; i < roots; i++) p->root.at[i].e = to[i];
    for (size_t k = 0; k < count; k++) {
        if (!(u[k].costs > 0)) continue;
        say_let(w, p, u[k].of, u[k].let.value);
    }
    return true;
}

/* Those that were kept stand on the page already. */
static void say_kept(worksheet *w, page *p)
{
    const ah_model *m = w->model;
    const expr_list s =
        expr_symbols(w->ctx, w->arena, page_expressions(w, p), w->kept ? p->root.count : 0);
    for (size_t i = 0; i < m->lets.count; i++) {
        const model_let *let = &m->lets.at[i];
        if (expr_find(&s, expr_symbol(w->ctx, AH_LOCAL, let->name)) != EXPR_NOWHERE)
            say_let(w, p, let, let->value.c[0]);
    }
}

/* One let as a sum; true: it is said here. */
static bool use_let(worksheet *w, page *p, const model_let *let, ah_expr value)
{
    const ah_expr symbol = expr_symbol(w->ctx, AH_LOCAL, let->name);
    const ah_expr kept = page_kept(w, symbol, value);
    const size_t roots = p->root.count;
    if (page_is_speed(w->ctx, value)) return false;
    bool used = page_replace_let(w, p, &(page_let){symbol, value});
    if (kept != value) used = page_replace_let(w, p, &(page_let){symbol, kept}) || used;
    if (used) say_let(w, p, let, kept);
    return p->root.count > roots;
}

/* The scalars that the model has named, the last first: they may be made of the others. Products come after sums, which
 * would not be known any more. */
void page_use_lets(worksheet *w, page *p)
{
    const ah_model *m = w->model;
    say_kept(w, p);
    const size_t first = p->root.count;
    LIST(ah_expr) brought = {0};
    for (size_t i = m->lets.count; i-- > 0 && w->names.count < LETS_MOST;) {
        const model_let *let = &m->lets.at[i];
        if (let->count || let->is_vector || only_sum(w->ctx, let->value.c[0]) == AH_NONE) continue;
        const ah_expr value = work_expression(w->work, let->value.c[0]);
        if (use_let(w, p, let, value)) LIST_PUSH(w->arena, &brought, value);
    }
    for (size_t i = 0; i < brought.count; i++) /* as the model says them, unless that is longer */
        if (worksheet_length(w->ctx, p->root.at[first + i].e) >
            worksheet_length(w->ctx, brought.at[i]))
            p->root.at[first + i].e = brought.at[i];
    for (size_t i = m->lets.count; i-- > 0 && w->names.count < LETS_MOST;) {
        const model_let *let = &m->lets.at[i];
        const page_let as = {expr_symbol(w->ctx, AH_LOCAL, let->name), let->value.c[0]};
        if (!let->count && !let->is_vector && page_replace_products(w, p, &as))
            say_let(w, p, let, as.value);
    }
}
