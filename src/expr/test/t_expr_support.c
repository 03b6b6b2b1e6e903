/* t_expr_support.c - what several tests of expr share; it has no tests of its own. */
#include "expr_support.h"
#include "formulas.h"
#include <math.h>

void support_run(void (*body)(ah_ctx *ctx, void *arg))
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, body, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}

/* ---- Reader ---------------------------------------------------------------------------------- */

static bool is_parameter(const char *name)
{
    return strchr("mgkR", *name);
}

ah_expr support_read(ah_ctx *ctx, const char *s)
{
    return formula_read(ctx, s, is_parameter);
}

/* ---- Random trees ---------------------------------------------------------------------------- */

static int random_below(int n)
{
    return (int) (harness_random() % (uint64_t) n);
}

tree *support_random_tree(ah_ctx *ctx, int depth, size_t count, const ah_expr *symbols)
{
    tree *t = NEW(&ctx->job, tree);
    int choice = depth > 0 ? random_below(12) : random_below(4) - 4;
    if (choice < -1) {
        t->op = 's';
        t->symbol = symbols[random_below((int) count)];
        return t;
    }
    if (choice < 0) {
        t->op = 'n';
        t->p = random_below(13) - 6;
        t->q = 1 + random_below(4);
        return t;
    }
    t->left = support_random_tree(ctx, depth - 1, count, symbols);
    t->op = "+-*/^f++**f-"[choice];
    if (t->op == '^') {
        static const int ps[] = {2, -1, 3, 1, -1, 4, 3, -2};
        static const int qs[] = {1, 1, 1, 2, 2, 1, 2, 1};
        int k = random_below(8);
        t->p = ps[k], t->q = qs[k];
        return t;
    }
    if (t->op == 'f') {
        static const ah_function fs[] = {AH_SIN, AH_COS,  AH_TAN, AH_ATAN, AH_SINH, AH_TANH,
                                         AH_EXP, AH_SQRT, AH_ABS, AH_COSH, AH_LOG,  AH_SIGN};
        t->f = fs[random_below(12)];
        return t;
    }
    t->right = support_random_tree(ctx, depth - 1, count, symbols);
    return t;
}

ah_expr support_build(ah_ctx *ctx, const tree *t)
{
    ah_expr a = t->left ? support_build(ctx, t->left) : AH_NONE;
    ah_expr b = t->right ? support_build(ctx, t->right) : AH_NONE;
    switch (t->op) {
    case 'n': return expr_rational(ctx, t->p, t->q);
    case 's': return t->symbol;
    case '+': return expr_add(ctx, a, b);
    case '-': return expr_sub(ctx, a, b);
    case '*': return expr_mul(ctx, a, b);
    case '/': return expr_div(ctx, a, b);
    case '^': return expr_pow(ctx, a, expr_rational(ctx, t->p, t->q));
    default: return expr_call1(ctx, t->f, a);
    }
}

static void function_ball(ah_function f, const arb_t a, slong bits, arb_t out)
{
    switch (f) {
    case AH_SIN: arb_sin(out, a, bits); break;
    case AH_COS: arb_cos(out, a, bits); break;
    case AH_TAN: arb_tan(out, a, bits); break;
    case AH_ATAN: arb_atan(out, a, bits); break;
    case AH_SINH: arb_sinh(out, a, bits); break;
    case AH_COSH: arb_cosh(out, a, bits); break;
    case AH_TANH: arb_tanh(out, a, bits); break;
    case AH_EXP: arb_exp(out, a, bits); break;
    case AH_LOG: arb_log(out, a, bits); break;
    case AH_SQRT: arb_sqrt(out, a, bits); break;
    case AH_ABS: arb_abs(out, a); break;
    case AH_SIGN: arb_sgn(out, a); break;
    default: arb_indeterminate(out);
    }
}

void support_tree_ball(const tree *t, const ball_frame *values, slong bits, arb_t out)
{
    arb_t a, b;
    arb_init(a), arb_init(b);
    if (t->left) support_tree_ball(t->left, values, bits, a);
    if (t->right) support_tree_ball(t->right, values, bits, b);
    switch (t->op) {
    case 'n': arb_set_si(out, t->p), arb_div_si(out, out, t->q, bits); break;
    case 's': arb_set(out, ball_frame_get(values, t->symbol)); break;
    case '+': arb_add(out, a, b, bits); break;
    case '-': arb_sub(out, a, b, bits); break;
    case '*': arb_mul(out, a, b, bits); break;
    case '/': arb_div(out, a, b, bits); break;
    case '^':
        if (t->q == 2) arb_sqrt(a, a, bits);
        arb_set_si(b, t->p);
        arb_pow(out, a, b, bits);
        break;
    default: function_ball(t->f, a, bits, out);
    }
    arb_clear(a), arb_clear(b);
}

/* ---- Values ---------------------------------------------------------------------------------- */

frame *support_frame(ah_ctx *ctx, arena *a, const double *state)
{
    frame *f = frame_create(ctx, a, NAN);
    for (uint32_t i = 0; i < f->count; i++) f->at[i] = state[i];
    return f;
}

ball_frame *support_balls(ah_ctx *ctx, arena *a, const double *state)
{
    ball_frame *f = ball_frame_create(ctx, a);
    const uint32_t count = expr_slots(ctx);
    for (uint32_t i = 0; i < count; i++) arb_set_d(ball_frame_at(f, i), state[i]);
    return f;
}

double support_value(ah_ctx *ctx, ah_expr e, const double *state)
{
    double value;
    arena_mark mark = arena_get_mark(&ctx->scratch);
    expr_plan_run(expr_plan_create(ctx, &ctx->scratch, &e, 1),
                  support_frame(ctx, &ctx->scratch, state), &value);
    arena_release(&ctx->scratch, mark);
    return value;
}

void support_random_state(ah_ctx *ctx, double *state)
{
    for (uint32_t i = 0; i < expr_slots(ctx); i++)
        state[i] = (double) (1 + harness_random() % 191) / 128; /* (0, 1.5) */
}

void support_ball(ah_ctx *ctx, ah_expr e, const double *state, slong bits, arb_t out)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    expr_eval_balls(support_balls(ctx, &ctx->scratch, state), &e, 1, bits, out);
    arena_release(&ctx->scratch, mark);
}

bool support_close(const arb_t a, const arb_t b, slong bits)
{
    if (!arb_is_finite(a) || !arb_is_finite(b)) return true;
    arb_t d, s;
    arb_init(d), arb_init(s);
    arb_sub(d, a, b, 512), arb_abs(d, d);
    arb_abs(s, a), arb_add_ui(s, s, 1, 512), arb_mul_2exp_si(s, s, -bits);
    bool close = arb_le(d, s);
    arb_clear(d), arb_clear(s);
    return close;
}
