/* state/vanished.c - see vanished.h. */
#include "vanished.h"

#include "../expr/ball.h"

static void evaluate(ah_ctx *ctx, const ah_expr *of, size_t count, const frame *values, arb_ptr out)
{
    arena *a = &ctx->scratch;
    const expr_list symbols = expr_symbols(ctx, a, of, count);
    ball_frame *b = ball_frame_create(ctx, a);
    for (size_t i = 0; i < symbols.count; i++)
        arb_set_d(ball_frame_ref(b, symbols.at[i]), frame_get(values, symbols.at[i]));
    expr_eval_balls(b, of, count, VANISHED_BITS, out);
}

bool vanished_at(ah_ctx *ctx, const ah_expr *of, size_t count, const frame *values, double *out)
{
    arena *a = &ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    arb_ptr x = ball_array(a, count + 2);
    arf_ptr most = arb_midref(x + count), own = arb_midref(x + count + 1);
    evaluate(ctx, of, count, values, x);
    for (size_t i = 0; i < count; i++) {
        arb_get_abs_ubound_arf(own, x + i, VANISHED_BITS);
        if (arf_cmpabs_d(own, VANISHED_SIZE) <= 0)
            arf_max(most, most, own);
        else
            arb_zero(x + i); /* infinite ones, too */
    }
    for (size_t i = 0; i < count; i++) {
        arb_get_abs_ubound_arf(own, x + i, VANISHED_BITS);
        if (!arf_is_zero(own)) arf_div(own, own, most, VANISHED_BITS, ARF_RND_NEAR);
        out[i] = (arf_sgn(arb_midref(x + i)) < 0 ? -1 : 1) * arf_get_d(own, ARF_RND_NEAR);
    }
    const bool any = !arf_is_zero(most);
    arena_release(a, mark);
    return any;
}
