/* worksheet/let_terms.c - the model's own names among other terms.
 *
 * page_names.c finds a let where it is a sum of its own. In r² m_w + 2 r² m_R + 2 C nothing is to be seen of m = m_w + 2 m_R, but
 * m_w = m − 2 m_R put in leaves r² m + 2 C. So parameters are eliminated by lets that are linear in them, one after the other, as long
 * as that makes an expression shorter. Where the whole does not become shorter, sums inside of it may: φ̇² (m k² + M l²) + … is φ̇² (v − I) + …
 * with v = m k² + M l² + I, and may then go on. */
#include "page.h"

/* Of its length an expression must lose this share, and so many characters at least. */
#define TERMS_SHORTER 0.2
#define TERMS_LEAST   6.0
/* Longer expressions are left as they are: each is simplified for every parameter of every let that it might hold. */
#define TERMS_LONGEST 300.0
/* Lets in one expression. */
enum { TERMS_LETS = 6 };

/* Of a sum inside, this share of the let's letters must be there. */
#define TERMS_INSIDE 0.6

static bool has_share(const expr_list *of, const expr_list *wanted, double share)
{
    size_t found = 0;
    for (size_t i = 0; i < wanted->count; i++)
        found += expr_find(of, wanted->at[i]) != EXPR_NOWHERE;
    return found > 0 && (double) found >= share * (double) wanted->count;
}

bool page_is_bare(const ah_ctx *ctx, ah_expr e)
{
    const bool product = expr_get_op(ctx, e) == EXPR_PRODUCT;
    const size_t count = product ? expr_get_count(ctx, e) : 1;
    for (size_t i = 0; i < count; i++) {
        const ah_expr factor = product ? expr_get_children(ctx, e)[i] : e;
        if (expr_get_op(ctx, factor) == EXPR_NUMBER) continue;
        if (expr_get_op(ctx, factor) != EXPR_SYMBOL) return false;
        const ah_symbol_kind kind = expr_get_kind(ctx, factor);
        if (kind != AH_LOCAL && kind != AH_PARAMETER) return false;
    }
    return true;
}

/* The parameter through the let and the rest of it; AH_NONE: the let is not linear in it. */
static ah_expr solved(ah_ctx *ctx, ah_expr parameter, const page_let *let)
{
    const ah_expr slope = expr_diff(ctx, let->value, parameter), none = expr_int(ctx, 0);
    if (expr_is_zero(ctx, slope) || !expr_is_zero(ctx, expr_diff(ctx, slope, parameter)))
        return AH_NONE;
    const ah_expr rest = expr_subst(ctx, let->value, 1, &parameter, &none);
    return expr_div(ctx, expr_sub(ctx, let->symbol, rest), slope);
}

/* Whether it divides by no more than e and the let do: solved for a parameter, a let may bring sin ψ under a fraction. */
static bool divides_as_before(worksheet *w, ah_expr e, ah_expr other, const page_let *let)
{
    ah_ctx *ctx = w->ctx;
    algebra *alg = w->model->alg;
    ah_expr over, before, under, own;
    if (!algebra_fraction(alg, e, &over, &before)) return false;
    if (!algebra_fraction(alg, other, &over, &under)) return false;
    if (!algebra_fraction(alg, let->value, &over, &own)) return false;
    under = expr_subst(ctx, under, 1, &let->symbol, &let->value);
    if (!algebra_fraction(alg, expr_div(ctx, before, under), &over, &under)) return false;
    const expr_list s = expr_symbols(ctx, w->arena, &under, 1);
    const expr_list allowed = expr_symbols(ctx, w->arena, &own, 1);
    for (size_t i = 0; i < s.count; i++)
        if (expr_get_kind(ctx, s.at[i]) != AH_PARAMETER ||
            expr_find(&allowed, s.at[i]) == EXPR_NOWHERE)
            return false;
    return true;
}

/* What e and the let change by with the let's letters, at some arbitrary states. */
typedef struct slopes {
    expr_list letter;
    const double *of_e, *of_let;
} slopes;

/* Where the let is fixed, and p follows, e does not change with the letter: put in for p, the let takes it out of e. */
static bool takes_out(const slopes *s, size_t p, size_t letter)
{
    for (size_t k = 0; k < PAGE_STATES; k++) {
        const double *e = &s->of_e[k * s->letter.count], *let = &s->of_let[k * s->letter.count];
        if (page_differ(e[letter], e[p] * let[letter] / let[p])) return false;
    }
    return true;
}

/* Most parameters put in through a sum make e longer, and it takes long to see: unless `all` is, those are tried that take another letter out. */
static bool is_worth_trying(const slopes *s, const expr_list *here, size_t p)
{
    for (size_t i = 0; i < s->letter.count; i++)
        if (i != p && expr_find(here, s->letter.at[i]) != EXPR_NOWHERE && takes_out(s, p, i))
            return true;
    return false;
}

/* The shortest that one parameter put in through the let makes of e; e: none does. */
static ah_expr through(worksheet *w, ah_expr e, const page_let *let, double share, bool all)
{
    ah_ctx *ctx = w->ctx;
    const expr_list own = expr_symbols(ctx, w->arena, &let->value, 1);
    const expr_list here = expr_symbols(ctx, w->arena, &e, 1);
    ah_expr best = e;
    if (!has_share(&here, &own, share)) return e;
    const bool few = !all && expr_get_op(ctx, let->value) == EXPR_SUM;
    slopes s = {own, NULL, NULL};
    if (few) s.of_e = page_slopes(w, e, own.count, own.at);
    if (few) s.of_let = page_slopes(w, let->value, own.count, own.at);
    for (size_t k = 0; k < own.count; k++) {
        if (expr_get_kind(ctx, own.at[k]) != AH_PARAMETER) continue;
        if (share < 1 && expr_find(&here, own.at[k]) == EXPR_NOWHERE) continue;
        if (few && !is_worth_trying(&s, &here, k)) continue;
        const ah_expr by = solved(ctx, own.at[k], let);
        if (by == AH_NONE) continue;
        const ah_expr other =
            algebra_simplify(w->model->alg, expr_subst(ctx, e, 1, &own.at[k], &by));
        if (worksheet_length(ctx, other) < worksheet_length(ctx, best) &&
            divides_as_before(w, e, other, let))
            best = other;
    }
    return best;
}

/* One let after the other, as long as there is one that makes it shorter. */
static ah_expr shortest(worksheet *w, ah_expr e, const page_let *let, size_t count, double share,
                        bool all)
{
    ah_ctx *ctx = w->ctx;
    for (int step = 0; step < TERMS_LETS; step++) {
        ah_expr best = e;
        for (size_t i = 0; i < count; i++) {
            const ah_expr other = through(w, e, &let[i], share, all);
            if (worksheet_length(ctx, other) < worksheet_length(ctx, best)) best = other;
        }
        if (best == e) break;
        e = best;
    }
    return e;
}

static bool is_worth(ah_ctx *ctx, ah_expr before, ah_expr after)
{
    const double from = worksheet_length(ctx, before), to = worksheet_length(ctx, after);
    return to <= (1 - TERMS_SHORTER) * from && to <= from - TERMS_LEAST;
}

typedef struct inside {
    worksheet *w;
    const page_let *let;
    size_t count;
    bool all;
} inside;

/* Sums of parameters alone: what stands beside velocities and angles. */
static ah_expr shorten_sum(ah_ctx *ctx, void *user, ah_expr e)
{
    const inside *in = user;
    if (expr_get_op(ctx, e) != EXPR_SUM) return e;
    const expr_list s = expr_symbols(ctx, in->w->arena, &e, 1);
    for (size_t i = 0; i < s.count; i++)
        if (expr_get_kind(ctx, s.at[i]) != AH_PARAMETER) return e;
    const ah_expr other = shortest(in->w, e, in->let, in->count, TERMS_INSIDE, in->all);
    return is_worth(ctx, e, other) ? other : e;
}

ah_expr page_through_lets(worksheet *w, ah_expr e, const page_let *let, size_t count, bool all)
{
    ah_ctx *ctx = w->ctx;
    const ah_expr timeless = page_through_times(w, e, let, count);
    if (worksheet_length(ctx, timeless) < worksheet_length(ctx, e)) return timeless;
    if (worksheet_length(ctx, e) > TERMS_LONGEST) return e;
    const ah_expr whole = shortest(w, e, let, count, 1, all);
    if (is_worth(ctx, e, whole)) return whole;
    inside in = {w, let, count, all};
    ah_expr parts = e;
    page_map(ctx, w->arena, &parts, 1, shorten_sum, &in);
    if (parts == e) return e;
    const ah_expr joined = shortest(w, algebra_simplify(w->model->alg, parts), let, count, 1, all);
    if (worksheet_length(ctx, joined) < worksheet_length(ctx, parts)) parts = joined;
    return is_worth(ctx, e, parts) ? parts : e;
}
