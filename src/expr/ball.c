/* expr/ball.c - evaluation in Arb balls: every result encloses the true value. What is not defined
 * on the whole ball gives an infinite or NaN ball, which no zero test can mistake for a number. */
#include "ball.h"
#include "pool.h"

/* ---- Functions ------------------------------------------------------------------------------- */

static void ball_sign(arb_t y, const arb_t x)
{
    if (arb_contains_zero(x) && !arb_is_zero(x))
        arb_indeterminate(y);
    else
        arb_set_si(y, arb_is_zero(x) ? 0 : arb_is_positive(x) ? 1 : -1);
}

/* Arb gives atan2(0, 0) = 0, as C does; here it does not exist. On a ball across the cut behind the
 * origin it jumps: as of sign, nothing is said. */
static void ball_atan2(arb_t z, const arb_t y, const arb_t x, slong bits)
{
    const bool cut = arb_contains_zero(y) && !arb_is_positive(x);
    if (cut && !(arb_is_zero(y) && arb_is_negative(x)))
        arb_indeterminate(z);
    else
        arb_atan2(z, y, x, bits);
}

static void ball_call(arb_t y, ah_function f, const arb_struct *a, const arb_struct *b, slong bits)
{
    switch (f) {
    case AH_SIN: arb_sin(y, a, bits); break;
    case AH_COS: arb_cos(y, a, bits); break;
    case AH_TAN: arb_tan(y, a, bits); break;
    case AH_ASIN: arb_asin(y, a, bits); break;
    case AH_ACOS: arb_acos(y, a, bits); break;
    case AH_ATAN: arb_atan(y, a, bits); break;
    case AH_ATAN2: ball_atan2(y, a, b, bits); break;
    case AH_SINH: arb_sinh(y, a, bits); break;
    case AH_COSH: arb_cosh(y, a, bits); break;
    case AH_TANH: arb_tanh(y, a, bits); break;
    case AH_EXP: arb_exp(y, a, bits); break;
    case AH_LOG: arb_log(y, a, bits); break;
    case AH_SQRT: arb_sqrt(y, a, bits); break;
    case AH_ABS: arb_abs(y, a); break;
    case AH_SIGN: ball_sign(y, a); break;
    case AH_FUNCTIONS: arb_indeterminate(y); break;
    }
}

/* ---- Powers ---------------------------------------------------------------------------------- */

/* Of a negative base only integer powers exist. Halves go through the root: the logarithm would
 * lose the 0. */
static void ball_rational_power(arb_t y, const arb_t x, const fmpq *exponent, slong bits)
{
    if (fmpz_is_one(fmpq_denref(exponent))) {
        arb_pow_fmpz(y, x, fmpq_numref(exponent), bits);
    } else if (!fmpz_cmp_ui(fmpq_denref(exponent), 2)) {
        arb_sqrt(y, x, bits);
        arb_pow_fmpz(y, y, fmpq_numref(exponent), bits);
    } else if (arb_is_zero(x) && fmpq_sgn(exponent) > 0) {
        arb_zero(y);
    } else {
        arb_pow_fmpq(y, x, exponent, bits);
    }
}

static void ball_power(arb_t y, const ah_ctx *ctx, ah_expr e, const arb_struct *x,
                       const arb_struct *exponent, slong bits)
{
    ah_expr power = expr_get_children(ctx, e)[1];
    if (expr_get_op(ctx, power) == EXPR_NUMBER)
        ball_rational_power(y, x, expr_get_fmpq(ctx, power), bits);
    else
        arb_pow(y, x, exponent, bits);
}

/* ---- Evaluation ------------------------------------------------------------------------------ */

static void evaluate(const ball_frame *f, const expr_walk *w, size_t i, arb_ptr v, slong bits)
{
    const ah_ctx *ctx = f->ctx;
    const uint32_t *child = w->child + w->start[i];
    size_t count = w->start[i + 1] - w->start[i];
    ah_expr e = w->node[i];
    arb_ptr y = v + i;
    switch (expr_get_op(ctx, e)) {
    case EXPR_NUMBER: arb_set_fmpq(y, expr_get_fmpq(ctx, e), bits); break;
    case EXPR_PI: arb_const_pi(y, bits); break;
    case EXPR_SYMBOL: arb_set(y, ball_frame_get(f, e)); break;
    case EXPR_SUM:
        for (size_t j = 0; j < count; j++) arb_add(y, y, v + child[j], bits);
        break;
    case EXPR_PRODUCT:
        arb_one(y);
        for (size_t j = 0; j < count; j++) arb_mul(y, y, v + child[j], bits);
        break;
    case EXPR_POWER: ball_power(y, ctx, e, v + child[0], v + child[1], bits); break;
    case EXPR_CALL:
        ball_call(y, expr_get_function(ctx, e), v + child[0], v + child[count - 1], bits);
        break;
    case EXPR_UNKNOWN: arb_indeterminate(y); break;
    }
}

void expr_eval_balls(const ball_frame *f, const ah_expr *roots, size_t count, slong bits,
                     arb_ptr out)
{
    ah_ctx *ctx = f->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_walk w = expr_walk_begin(ctx, roots, count);
    arb_ptr v = ball_array(&ctx->scratch, w.count);
    for (size_t i = 0; i < w.count; i++) {
        ctx_tick(ctx);
        evaluate(f, &w, i, v, bits);
    }
    for (size_t i = 0; i < count; i++) arb_set(out + i, v + expr_walk_find(&w, roots[i]));
    arena_release(&ctx->scratch, mark);
}
