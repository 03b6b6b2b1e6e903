/* worksheet/sum_angles.c - sines and cosines put together again.
 *
 *     x sin²a + x cos²a = x,    x − x sin²a = x cos²a,
 *     x sin a cos b ± x cos a sin b = x sin(a ± b),    x cos a cos b ∓ x sin a sin b = x cos(a ± b)
 *
 * Equal expressions are one handle, so a partner is looked up among the terms. */
#include "page.h"

#include <string.h>

typedef struct sum {
    ah_ctx *ctx;
    ah_expr *term;
    size_t count;
} sum;

static bool is_call(const ah_ctx *ctx, ah_expr e, ah_function f)
{
    return expr_get_op(ctx, e) == EXPR_CALL && expr_get_function(ctx, e) == f;
}

/* The sine or cosine that the factor is a power of, and which power; 0: it is none. */
static long trig_power(const ah_ctx *ctx, ah_expr factor, ah_expr *base)
{
    long power = 1;
    *base = factor;
    if (expr_get_op(ctx, factor) == EXPR_POWER) {
        const ah_expr *child = expr_get_children(ctx, factor);
        if (!expr_is_int(ctx, child[1], &power)) return 0;
        *base = child[0];
    }
    return is_call(ctx, *base, AH_SIN) || is_call(ctx, *base, AH_COS) ? power : 0;
}

static size_t factors_of(ah_ctx *ctx, const ah_expr *term, const ah_expr **factor)
{
    const bool product = expr_get_op(ctx, *term) == EXPR_PRODUCT;
    *factor = product ? expr_get_children(ctx, *term) : term;
    return product ? expr_get_count(ctx, *term) : 1;
}

static size_t find(const sum *s, ah_expr e, size_t except)
{
    for (size_t i = 0; i < s->count; i++)
        if (i != except && s->term[i] == e) return i;
    return SIZE_MAX;
}

/* Terms i and j become one. */
static bool replace(sum *s, size_t i, size_t j, ah_expr by)
{
    s->term[i] = by;
    s->term[j] = s->term[--s->count];
    return true;
}

static ah_expr call(ah_ctx *ctx, ah_function f, ah_expr argument)
{
    return expr_call1(ctx, f, argument);
}

static ah_expr argument_of(const ah_ctx *ctx, ah_expr e)
{
    return expr_get_children(ctx, e)[0];
}

/* The squares: with sin²a beside cos²a, or beside one. */
static bool with_square(sum *s, size_t i, ah_expr base)
{
    ah_ctx *ctx = s->ctx;
    const ah_expr a = argument_of(ctx, base);
    const ah_expr other = call(ctx, is_call(ctx, base, AH_SIN) ? AH_COS : AH_SIN, a);
    const ah_expr rest = expr_div(ctx, s->term[i], expr_powi(ctx, base, 2));
    const ah_expr partner = expr_mul(ctx, rest, expr_powi(ctx, other, 2));
    size_t j = find(s, partner, i);
    if (j != SIZE_MAX) return replace(s, i, j, rest);
    const ah_expr whole = expr_neg(ctx, rest);
    j = find(s, whole, i);
    return j != SIZE_MAX && replace(s, i, j, expr_neg(ctx, partner));
}

/* The products: f and g are two factors of the term, sin a cos b or cos a cos b. */
static bool with_product(sum *s, size_t i, ah_expr f, ah_expr g)
{
    ah_ctx *ctx = s->ctx;
    const bool sine = is_call(ctx, f, AH_SIN);
    if (!is_call(ctx, g, AH_COS)) return false;
    const ah_expr a = argument_of(ctx, f), b = argument_of(ctx, g);
    const ah_expr rest = expr_div(ctx, s->term[i], expr_mul(ctx, f, g));
    const ah_expr turned =
        expr_mul(ctx, call(ctx, sine ? AH_COS : AH_SIN, a), call(ctx, AH_SIN, b));
    const ah_expr partner = expr_mul(ctx, rest, turned);
    const ah_function name = sine ? AH_SIN : AH_COS;
    for (int sign = 1; sign >= -1; sign -= 2) {
        const size_t j = find(s, sign > 0 ? partner : expr_neg(ctx, partner), i);
        if (j == SIZE_MAX) continue;
        const bool plus =
            (sign > 0) == sine; /* sin a cos b + cos a sin b, cos a cos b − sin a sin b */
        const ah_expr angle = plus ? expr_add(ctx, a, b) : expr_sub(ctx, a, b);
        return replace(s, i, j, expr_mul(ctx, rest, call(ctx, name, angle)));
    }
    return false;
}

static bool combine_term(sum *s, size_t i)
{
    ah_ctx *ctx = s->ctx;
    const ah_expr *factor;
    const size_t count = factors_of(ctx, &s->term[i], &factor);
    for (size_t k = 0; k < count; k++) {
        ah_expr f;
        const long power = trig_power(ctx, factor[k], &f);
        if (power >= 2 && with_square(s, i, f)) return true;
        for (size_t j = 0; power >= 1 && j < count; j++) {
            ah_expr g;
            if (j != k && trig_power(ctx, factor[j], &g) >= 1 && with_product(s, i, f, g))
                return true;
        }
    }
    return false;
}

ah_expr page_combined(ah_ctx *ctx, ah_expr e)
{
    if (expr_get_op(ctx, e) != EXPR_SUM) return e;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    sum s = {.ctx = ctx, .count = expr_get_count(ctx, e)};
    s.term = NEW_ARRAY(&ctx->scratch, ah_expr, s.count);
    memcpy(s.term, expr_get_children(ctx, e), s.count * sizeof *s.term);
    bool changed = false;
    for (size_t i = 0; i < s.count && s.count > 1; i++) {
        ctx_tick(ctx);
        if (!combine_term(&s, i)) continue;
        changed = true;
        i = SIZE_MAX; /* from the beginning */
    }
    const ah_expr out = changed ? expr_sum(ctx, s.count, s.term) : e;
    arena_release(&ctx->scratch, mark);
    return out;
}

static ah_expr combined(ah_ctx *ctx, void *unused, ah_expr e)
{
    (void) unused;
    return page_combined(ctx, e);
}

void page_combine(ah_ctx *ctx, arena *a, ah_expr *roots, size_t count)
{
    page_map(ctx, a, roots, count, combined, NULL);
}
