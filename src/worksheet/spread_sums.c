/* worksheet/spread_sums.c - brackets multiplied out, where sines and cosines come together then.
 *
 * A place in the axes of another body, (a + b cos u, b sin u), turned by v has the component (a + b cos u) sin v + b sin u cos v. That is
 * a sin v + b sin(u + v), but no two terms of it show that. */
#include "page.h"

/* Sums of no more terms and characters are tried, and must lose this share of their length. */
enum { SPREAD_TERMS = 8 };
#define SPREAD_LONGEST 250.0
#define SPREAD_SHORTER 0.9

typedef LIST(ah_expr) term_list;

/* A term a (b + c) as a b and a c, if it is one. Sums in b and c stay: they are named as they are, and more terms would be too many. */
static void spread_term(ah_ctx *ctx, arena *a, ah_expr term, term_list *out)
{
    ah_expr sum = AH_NONE;
    const size_t count = expr_get_op(ctx, term) == EXPR_PRODUCT ? expr_get_count(ctx, term) : 0;
    for (size_t i = 0; i < count; i++)
        if (expr_get_op(ctx, expr_get_children(ctx, term)[i]) == EXPR_SUM)
            sum = expr_get_children(ctx, term)[i];
    if (sum == AH_NONE) {
        LIST_PUSH(a, out, term);
        return;
    }
    const ah_expr rest = expr_div(ctx, term, sum);
    for (size_t i = 0; i < expr_get_count(ctx, sum); i++)
        LIST_PUSH(a, out, expr_mul(ctx, rest, expr_get_children(ctx, sum)[i]));
}

/* The number before a term, without its sign. */
static ah_expr number_before(ah_ctx *ctx, ah_expr term)
{
    const bool product = expr_get_op(ctx, term) == EXPR_PRODUCT;
    const ah_expr first = product ? expr_get_children(ctx, term)[0] : term;
    if (expr_get_op(ctx, first) != EXPR_NUMBER) return expr_int(ctx, 1);
    return expr_number_sign(ctx, first) < 0 ? expr_neg(ctx, first) : first;
}

/* a/2 + b/2 is (a + b)/2, so that it is the same a + b as elsewhere. */
static ah_expr number_out(ah_ctx *ctx, void *user, ah_expr e)
{
    (void) user;
    if (expr_get_op(ctx, e) != EXPR_SUM) return e;
    const ah_expr number = number_before(ctx, expr_get_children(ctx, e)[0]);
    ah_expr sum = expr_int(ctx, 0);
    if (expr_is_one(ctx, number)) return e;
    for (size_t i = 1; i < expr_get_count(ctx, e); i++)
        if (number_before(ctx, expr_get_children(ctx, e)[i]) != number) return e;
    for (size_t i = 0; i < expr_get_count(ctx, e); i++)
        sum = expr_add(ctx, sum, expr_div(ctx, expr_get_children(ctx, e)[i], number));
    return expr_mul(ctx, number, sum);
}

static ah_expr spread(ah_ctx *ctx, void *user, ah_expr e)
{
    (void) user;
    if (expr_get_op(ctx, e) != EXPR_SUM || expr_get_count(ctx, e) > SPREAD_TERMS) return e;
    const double length = worksheet_length(ctx, e);
    if (length > SPREAD_LONGEST) return e;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    term_list term = {0};
    for (size_t i = 0; i < expr_get_count(ctx, e); i++)
        spread_term(ctx, &ctx->scratch, expr_get_children(ctx, e)[i], &term);
    ah_expr sum = expr_int(ctx, 0);
    for (size_t i = 0; i < term.count; i++) sum = expr_add(ctx, sum, term.at[i]);
    arena_release(&ctx->scratch, mark);
    sum = page_combined(ctx, sum);
    return worksheet_length(ctx, sum) < SPREAD_SHORTER * length ? sum : e;
}

void page_spread(ah_ctx *ctx, arena *a, ah_expr *e, size_t count)
{
    page_map(ctx, a, e, count, number_out, NULL);
    page_map(ctx, a, e, count, spread, NULL);
}
