/* state/enclosed_holds.c - what holds in an enclosed state: assumptions, and that everything exists. */
#include "enclosed_inside.h"

static ah_truth positive(const arb_t x)
{
    return arb_is_positive(x) ? AH_TRUE : arb_is_nonpositive(x) ? AH_FALSE : AH_UNKNOWN;
}

static ah_truth nonnegative(const arb_t x)
{
    return arb_is_nonnegative(x) ? AH_TRUE : arb_is_negative(x) ? AH_FALSE : AH_UNKNOWN;
}

static ah_truth nonzero(const arb_t x)
{
    return arb_is_nonzero(x) ? AH_TRUE : arb_is_zero(x) ? AH_FALSE : AH_UNKNOWN;
}

ah_truth enclosed_assumed(enclosed *s, const ball_frame *ball, slong bits)
{
    ah_truth all = AH_TRUE;
    arb_ptr x = s->work;
    for (size_t i = 0; i < s->model->facts.count && all == AH_TRUE; i++) {
        const algebra_fact *f = &s->model->facts.at[i];
        expr_eval_balls(ball, &f->e, 1, bits, x);
        all = f->border ? nonnegative(x) : f->positive ? positive(x) : nonzero(x);
    }
    return all;
}

/* |x| <= 1, inside where the derivative is wanted. */
static ah_truth within_one(const arb_t x, bool inside, slong bits)
{
    arb_t rest;
    arb_init(rest);
    arb_mul(rest, x, x, bits);
    arb_sub_ui(rest, rest, 1, bits);
    arb_neg(rest, rest);
    const ah_truth truth = inside ? positive(rest) : nonnegative(rest);
    arb_clear(rest);
    return truth;
}

/* Not the origin; where it is differentiated, not the cut behind it. */
static ah_truth has_angle(const arb_t y, const arb_t x, bool smooth)
{
    if (arb_is_nonzero(y) || arb_is_positive(x)) return AH_TRUE;
    if (smooth) return AH_UNKNOWN;
    return nonzero(x);
}

static ah_truth has_cosine(const arb_t x, slong bits)
{
    arb_t c;
    arb_init(c);
    arb_cos(c, x, bits);
    const ah_truth truth = nonzero(c);
    arb_clear(c);
    return truth;
}

/* Integer powers of all but 0, and of 0 those that are not negative; other powers of what is
 * positive, and of 0 those with a positive exponent. */
static ah_truth has_power(ah_ctx *ctx, const arb_t x, ah_expr exponent, bool smooth)
{
    long p, q;
    if (!expr_is_rational(ctx, exponent, &p, &q)) return positive(x);
    if (q == 1) return p >= 0 ? AH_TRUE : nonzero(x);
    return p > 0 && !smooth ? nonnegative(x) : positive(x);
}

/* e: the arguments, with the values of parameters; x: their balls. What is fixed needs no derivative. */
static ah_truth need_holds(ah_ctx *ctx, const model_need *n, const ah_expr *e, arb_srcptr x,
                           slong bits)
{
    const bool smooth = n->smooth && !expr_is_fixed(ctx, e[0]);
    switch (n->f) {
    case AH_LOG: return positive(x);
    case AH_SQRT: return smooth ? positive(x) : nonnegative(x);
    case AH_ASIN:
    case AH_ACOS: return within_one(x, smooth, bits);
    case AH_ATAN2: return has_angle(x, x + 1, smooth);
    case AH_TAN: return has_cosine(x, bits);
    case AH_ABS:
    case AH_SIGN: return smooth ? nonzero(x) : AH_TRUE;
    default: return has_power(ctx, x, e[1], smooth);
    }
}

ah_truth enclosed_exists(enclosed *s, const model_needs *needs, const ball_frame *ball, slong bits)
{
    ah_truth all = AH_TRUE;
    arb_ptr x = s->work;
    for (size_t i = 0; i < needs->count && all == AH_TRUE; i++) {
        const model_need *n = &needs->at[i];
        ah_expr e[2] = {n->a, n->b};
        const size_t count = n->b == AH_NONE ? 1 : 2;
        if (n->f == AH_FUNCTIONS && n->b == AH_NONE) all = AH_UNKNOWN; /* too many to be kept */
        if (all != AH_TRUE) break;
        model_put_values(s->model, e, count);
        expr_eval_balls(ball, e, count, bits, x);
        all = need_holds(s->ctx, n, e, x, bits);
    }
    return all;
}
